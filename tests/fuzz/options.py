"""Options drawn at random from all that a command has, as its own parser lists them; and names that are hostile."""

from __future__ import annotations

import random
from functools import cache

from scoref.cli import program
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.registry import METRICS

# Values of options that have no list of words. What reads or writes other files is not drawn.
_FREE: dict[str, tuple[str, ...]] = {
    "--protocol": tuple(PROTOCOLS),
    "--metrics": ("all", "none", "conll,blanc", "b3,b3", "anaphors:pronoun", "success@1", "mor,ari", *METRICS),
    "--scope": ("document", "within", "corpus", "topic", "genre", "\u202e"),
    "--weights": ("none", "form", "type", "weight", "="),
    "--by": ("document", "dataset", "size", "type", "form", "genre", "year", "zero", "\u202e", ""),
    "--unit": ("document", "dataset", "genre", "topic"),
    "--label": ("type", "realis", "x"),
    "--beta": ("0", "1", "2.5", "1e300", "-1", "nan"),
    "--threshold": ("0", "0.5", "1", "1e-300", "inf"),
    "--frequent": ("1", "2", "99999"),
    "--window": ("1", "10", "99999"),
    "--window-rule": ("clean", "bookcoref", "propp", "x"),
    "--prefix": ("1", "50", "100", "0"),
    "--trials": ("2", "7"),
    "--repetitions": ("2",),
    "--seed": ("0", "4294967296"),
    "--with": ("singletons:drop", "average:macro", "match:head", "x:y", ":"),
    "--columns": ("mention=mention,entity=entity", "mention=year", "entity=cluster", "mention=,=", "document=doc"),
    "--names": ("a,b", "a", "=1+1,@x", "a,a", "<b>,\u202e"),
    "--glob": ("*", "d.*", "[", "**/*"),
    "--max-size": ("1", "1KB", "9GB", "1e3"),
    "--like": ("scorch", "e2e", "hf-coval", "stanza", "x"),
    "--number": ("50", "conll=61.3", "muc.recall=.5", "b3=", "nan"),
    "--kind": ("span", "missing entity", "x", ""),
    "--form": ("pronoun", "name", "x"),
    "--document": ("d", "d0", "x", "\u202e"),
    "--dataset": ("d", "x"),
    "--jobs": ("1",),
}  # fmt: skip
_NEVER = ("--help", "--debug", "--force", "--no-config", "--json", "--plot", "--color")
COMMANDS = ("score", "compare", "errors", "agreement", "explain", "stability", "validate", "winobias")

# Parts of names: of files, columns, documents, entities and annotators.
HOSTILE = (
    "[x]", "a*b", "what?", "a b", "-x", "--json", "=1+1", "@x", "s3:x", "a'b", 'a"b', "a;b", "a,b", "a|b", "a\\b", "~",
    "$HOME", "%s", "{0}", "<b>", "&amp;", "`x`", "[a](b)", "![a](b)", "@user", "\u202eabc", "é", "e\u0301",
    "COM1", "aux", "Tale", "tale", "a" * 150, "x.conll", "x.gz", "#1", "None", "null", "nan", "0", "-1", "1e5", "True",
    "--", "_", "*", "\xa0", "a.b.c", "select", "drop table", "file", "rowid",
)  # fmt: skip


@cache
def _known(command: str) -> list[tuple[str, tuple[str, ...]]]:
    """The options of a command, each with values; those without any are flags."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for action in program.parser(command)._actions:
        name = next((each for each in action.option_strings if each.startswith("--")), "")
        if not name or name in _NEVER:
            continue
        if action.nargs == 0:
            found.append((name, ()))
        elif action.choices:
            found.append((name, tuple(str(each) for each in action.choices if each != "spark")))
        elif name in _FREE:
            found.append((name, _FREE[name]))
    return found


def drawn(command: str, chance: random.Random) -> tuple[str, ...]:
    """One to four options of a command, each with any of its values."""
    found: tuple[str, ...] = ()
    for name, values in chance.sample(_known(command), chance.choice((1, 1, 2, 3, 4))):
        found += (name, chance.choice(values)) if values else (name,)
    return found
