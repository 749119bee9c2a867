"""All schemas by their names: those of commands that print JSON, and of the files that scoref writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..problems import Error
from ..spelling import closest
from . import comparing, insight, scores, tasks
from .shapes import Schema

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Known(NamedTuple):
    """A schema: what it is of, and its shape, in which shared shapes have names."""

    what: str
    shape: Schema


# The JSON of each command has the command's name; the last ones are files.
SCHEMAS = {
    "agreement": Known("how far annotators agree", comparing.AGREEMENT),
    "axioms": Known("which metric has which property", insight.AXIOMS),
    "board": Known("ranks of submissions, and what was rejected", tasks.BOARD),
    "compare": Known("scores of systems, and tests of their differences", comparing.COMPARISON),
    "config": Known("the settings of a project", tasks.CONFIG),
    "doctor": Known("what is installed", tasks.DOCTOR),
    "errors": Known("what went wrong: of one response, of several, of tables", insight.ERRORS),
    "explain": Known("why other tools and settings give other numbers", insight.EXPLANATION),
    "gap": Known("the figures of GAP", comparing.GAP),
    "list": Known("metrics, formats, protocols, matchers", tasks.LISTS),
    "merge": Known("the scores of a sum of saved evaluations", scores.EVALUATION),
    "plan": Known("how many documents a difference takes", comparing.PLAN),
    "score": Known("the scores of a response", scores.EVALUATION),
    "stability": Known("scores as spurious mentions are taken out", comparing.STABILITY),
    "validate": Known("problems of files, or of submissions", tasks.VALIDATION),
    "winobias": Known("scores for and against a stereotype", comparing.WINOBIAS),
    "evaluation": Known("a file saved by scoref score --save", scores.SAVED),
    "prompt": Known("a line of what scoref prompts writes", tasks.PROMPT),
    "decisions": Known("what scoref curate --decisions reads", tasks.DECISIONS),
}
_DEFS = scores.SHARED | comparing.COMPARED | insight.MISTAKEN


def schema(name: str) -> Schema:
    """The JSON Schema (2020-12) of that name.

    >>> schema("merge")["title"]
    'the scores of a sum of saved evaluations'
    """
    if name not in SCHEMAS:
        meant = closest(name, SCHEMAS)
        raise Error("unknown-schema", f"no schema '{name}'", expected=f"one of {', '.join(SCHEMAS)}",
                    remedy=f"did you mean {meant}?" if meant else "see the names with: scoref schema")  # fmt: skip
    what, shape = SCHEMAS[name]
    used: dict[str, Schema] = {}
    pending = [shape]
    while pending:
        for each in _names(pending.pop()):
            if each not in used:
                used[each] = _DEFS[each]
                pending.append(_DEFS[each])
    named = {"$defs": dict(sorted(used.items()))} if used else {}
    return {"$schema": _DIALECT, "title": what, **shape, **named}


def _names(shape: object) -> Iterator[str]:
    """The names of shapes that a shape refers to."""
    if isinstance(shape, dict):
        for key, value in shape.items():
            yield from [value.rpartition("/")[2]] if key == "$ref" else _names(value)
    elif isinstance(shape, list):
        for each in shape:
            yield from _names(each)
