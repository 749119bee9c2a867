"""Signs that the score of two tables is not what was meant: few common mentions, names that are spelt differently.

The number of common mentions is known from the counts. Only if it is small, some names of each side are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..counting.rules import TWINLESS, common, discarded, of_key
from ..problems import HELP, Problem
from ..protocol.protocol import Protocol
from ..spelling import ALIKE, alike
from .engines.engine import Engine, TableTask, ending
from .rows import INTEGER
from .shapes import Shapes

_LOOKED_AT = 10_000  # names of each side that are compared
_MANY = 10  # with fewer mentions, having none in common is no sign
_FEW = 5  # with fewer names that differ in spelling only there is no sign


class Overlap(NamedTuple):
    """How many mentions the key has, how many the response, and how many both."""

    key: int
    response: int
    both: int

    @classmethod
    def of(cls, shapes: Shapes) -> Overlap:
        """From the sizes of entities."""
        keys, responses = shapes.keys, shapes.responses
        sums = keys.number * keys.size, responses.number * responses.size, keys.number * keys.aligned
        return cls._make(round(float(each.sum())) for each in sums)


def doubts(engine: Engine, task: TableTask, shapes: Shapes, protocol: Protocol) -> Iterator[Problem]:
    """What makes the score of two tables doubtful."""
    overlap = Overlap.of(shapes)
    least, others = min(overlap.key, overlap.response), overlap.response - overlap.both
    where = task.sides[1].given.name

    def sign(code: str, message: str, fatal: bool = False) -> Problem:
        return Problem(code, message, where, remedy=HELP, fatal=fatal)

    cause = _cause(engine, task) if least >= _FEW and 2 * overlap.both < least else None
    if not overlap.both and least >= _MANY:
        message = f"key and response have no mention in common, of {overlap.key:,} and {overlap.response:,}"
        yield sign("nothing-in-common", f"{message}: {cause or 'the cause is not known'}", fatal=cause is not None)
    elif cause:
        yield sign("names-alike", f"{overlap.both:,} mentions of {least:,} are common: {cause}")
    elif overlap.both and others > overlap.both and overlap.response >= _MANY and _counts_others(protocol):
        remedy = (
            "if the key is a sample of whole entities, estimate with --sampled uniform (or its column of weights);"
            " if of mentions, leave the others out with --twinless common"
        )
        message = f"{others:,} of {overlap.response:,} mentions of the response are not in the key"
        yield sign("mostly-other-records", f"{message}, and precision counts them as wrong: {remedy}")


def _counts_others(protocol: Protocol) -> bool:
    """Whether response mentions that the key lacks count in precision."""
    return TWINLESS[protocol.counting.twinless] not in (common, discarded, of_key)


def _cause(engine: Engine, task: TableTask) -> str | None:
    """How the names of documents or mentions differ in spelling, if that explains why so few are common."""
    for role in ("document", "mention") if task.documents else ("mention",):
        if all(types[role] == INTEGER for types in engine.types):
            continue
        ours, theirs = _comparable([engine.names(side, role, _LOOKED_AT) for side in range(2)])
        found = alike(ours, theirs)
        if found and found[1] >= _FEW:
            what, number = found
            return (f"{number:,} of {len(theirs):,} {role}s that were looked at differ in {what} alone"
                    f" ({_example(ours, theirs, what)}); write them alike on both sides")  # fmt: skip
    return None


def _comparable(sides: Sequence[list[str]]) -> list[list[str]]:
    """The names of each side in the range for which both lists are complete, in the order of their endings."""
    cut = [ending(names[-1]) for names in sides if len(names) == _LOOKED_AT]
    return [[name for name in names if ending(name) <= min(cut)] for names in sides] if cut else list(sides)


def _example(ours: Sequence[str], theirs: Sequence[str], what: str) -> str:
    """A name of each side that differ only in that way."""
    naming, same = ALIKE[what], {*ours} & {*theirs}
    known = {naming(name): name for name in theirs if name not in same}
    pair = next((name, known[naming(name)]) for name in ours if naming(name) in known and name not in same)
    return " and ".join(f'"{name}"' for name in pair)
