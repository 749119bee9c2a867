"""Signs that a number is not what was meant: positions that are moved, names written otherwise, what a side lacks.

Every score is looked at, in time that grows with the number of mentions. A sign says its cause and what to do, in one
line beside the score. Where no mention at all is common and the cause is known, it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, permutations
from typing import Literal, NamedTuple

import numpy as np

from ..document.document import Document, Integers
from ..document.spans import word_of
from ..formats import SIDES
from ..matching.nuggets import value
from ..pairing.pairs import Pair
from ..problems import Problem
from ..relations.registry import NUGGET
from ..results.evaluation import Evaluation
from ..spelling import alike

HELP = "see docs/looks-wrong.md"
_MANY = 10  # mentions from which on nothing in common is a sign
_PLACE = 1 << 21  # more than the places of a text
_FEW = 5  # moved mentions from which on they are a sign
Ends = tuple[int, int]

# By how much starts and ends of response mentions may be wrong, and why.
_MOVES: dict[Ends, str] = {
    (0, -1): "their ends are one too far: --response-ends exclusive, or --key-ends inclusive",
    (0, 1): "their ends are one too early: --key-ends exclusive, or --response-ends inclusive",
    (-1, 0): "their starts are one too far: check what the first number counts",
    (1, 0): "their starts are one too early: check what the first number counts",
    (-1, -1): "their positions are one too far: count from 0 on both sides",
    (1, 1): "their positions are one too early: count from 0 on both sides",
}


class Unmatched(NamedTuple):
    """The mentions of one side that have no twin: for each its document, first and last position; or its name."""

    ends: Integers  # [mentions, 3], in the order of documents and positions
    codes: Integers  # the same as one number each
    names: list[str]

    @classmethod
    def of(cls, sides: Iterable[tuple[Document, Sequence[int]]]) -> Unmatched:
        """Those of documents, each given with the numbers of its mentions that have a twin."""
        ends: list[Integers] = []
        names: list[str] = []
        for number, (document, matched) in enumerate(sides):
            free = np.ones(len(document.mentions), np.bool_)
            free[matched] = False
            if free.any():
                places, more = _places(document, np.flatnonzero(free))
                ends.append(np.column_stack([np.full(len(places), number), places]))
                names += more
        found = np.concatenate(ends) if ends else np.zeros((0, 3), np.int64)
        codes = (found[:, 0] * _PLACE + found[:, 1]) * _PLACE + found[:, 2]
        order = np.argsort(codes)
        return cls(found[order], codes[order], names)

    def has(self, codes: Integers) -> int:
        """How many of the codes are those of mentions."""
        at = np.searchsorted(self.codes, codes)
        return int((self.codes[np.minimum(at, len(self.codes) - 1)] == codes).sum()) if len(self.codes) else 0

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.ends) + len(self.names)


def _places(document: Document, numbers: Integers) -> tuple[Integers, list[str]]:
    """First and last word of the mentions of these numbers, and the names of those that have no positions."""
    mentions = document.mentions
    if mentions.ends is not None:
        return np.frombuffer(mentions.ends, np.intc).reshape(-1, 2)[numbers].astype(np.int64), []
    spans = [mentions.span(number) for number in numbers.tolist()]
    placed = [(word_of(span[0]), word_of(span[-1])) for span in spans if span]
    ids = mentions.ids if len(placed) < len(spans) else ()
    names = [str(ids[number]) for number, span in zip(numbers.tolist(), spans, strict=True) if not span]
    return np.array(placed, np.int64).reshape(-1, 2), names


def signs(result: Evaluation, pairs: Sequence[Pair]) -> list[Problem]:
    """What makes the scores of an evaluation doubtful."""
    evidence = result.evidence
    ours, theirs = [key for key, _, _ in evidence.aligned], [response for _, response, _ in evidence.aligned]
    sizes = [sum(len(document.mentions) for document in side) for side in (ours, theirs)]
    twinless = evidence.twinless
    nothing = min(sizes) >= _MANY and sizes[0] == twinless[0]
    found = []
    if min(twinless) >= _FEW:
        key = Unmatched.of((key, lookups.recall.key) for key, _, lookups in evidence.aligned)
        response = Unmatched.of((response, lookups.precision.response) for _, response, lookups in evidence.aligned)
        found = [*_causes(key, response, ours)][:1]
    if nothing:
        cause = found[0].message if found else f"the cause is not known; {HELP}"
        message = f"key and response have no mention in common, of {sizes[0]:,} and {sizes[1]:,}: {cause}"
        found = [_sign("nothing-in-common", message, fatal=bool(found))]
    return [*found, *_lacks(result, pairs)]


def _sign(code: str, message: str, fatal: bool = False) -> Problem:
    return Problem(code, message, remedy=HELP, fatal=fatal)


# -- moved mentions ---------------------------------------------------------------------------------------------------


def _causes(key: Unmatched, response: Unmatched, documents: Sequence[Document]) -> Iterator[Problem]:
    """Why most mentions that have no twin have none, if there is one reason."""

    def would(first: Integers | int, last: Integers | int) -> int:
        """How many response mentions would have a twin if their ends were moved so far."""
        return key.has(response.codes + first * _PLACE + last)

    def cause(code: str, number: int, why: str, least: int = _FEW) -> Iterator[Problem]:
        """The sign, if it explains most mentions without a twin, of the side that has fewer of them."""
        if number >= least and 2 * number > min(key.number, response.number):
            more = f"{number:,} of {response.number:,} response mentions without a twin would have one"
            yield _sign(code, f"{more}: {why}")

    by_one = {move: would(*move) for move in _MOVES}
    move = max(by_one, key=lambda each: by_one[each])
    yield from cause("moved-mentions", by_one[move], _MOVES[move])
    in_bytes = _from_bytes(response, documents)
    if in_bytes is not None:
        yield from cause("counted-bytes", would(*in_bytes.T), "positions count bytes of UTF-8: count letters")
    if len(key.ends) and len(response.ends):
        constants = _constants(key, response, "left"), _constants(key, response, "right")
        number = max(would(constant, constant) for constant in constants)
        yield from cause("moved-mentions", number, "positions are moved by a constant in each document", _MANY)
    if names := alike(key.names, response.names):
        yield from cause("names-alike", names[1], f"names differ in {names[0]}: write them alike on both sides")


def _constants(key: Unmatched, response: Unmatched, end: Literal["left", "right"]) -> Integers:
    """For each response mention how far its document's first, or last, mention is from that of the key."""
    places: list[Integers] = []
    for side in (key, response):
        documents = side.ends[:, 0]
        at = np.searchsorted(documents, response.ends[:, 0], end) - (end == "right")
        places.append(side.ends[np.clip(at, 0, len(documents) - 1), 1])
    return places[0] - places[1]


def _from_bytes(response: Unmatched, documents: Sequence[Document]) -> Integers | None:
    """How far each response mention is from where it would be if positions were bytes; None if all texts are ASCII."""
    by = np.zeros((len(response.ends), 2), np.int64)
    for number, document in enumerate(documents):
        (text,) = document.columns.get("text") or ("",)
        if not document.words and not text.isascii():
            places = np.array([0, *accumulate(len(letter.encode(errors="replace")) for letter in text)])
            own = response.ends[:, 0] == number
            first, last = response.ends[own, 1], response.ends[own, 2] + 1
            by[own] = np.column_stack([np.searchsorted(places, first) - first, np.searchsorted(places, last) - last])
    return by if by.any() else None


# -- what a side lacks ------------------------------------------------------------------------------------------------


class _Tally(NamedTuple):
    """How many mentions a side has, how many of them are alone in their entity, and how many are zeros."""

    mentions: int
    singletons: int
    zeros: int

    @classmethod
    def of(cls, documents: Sequence[Document]) -> _Tally:
        """The tally of all documents."""
        sizes = [np.bincount(document.mentions.owners) for document in documents if document.mentions]
        singletons = sum(int((each == 1).sum()) for each in sizes)
        zeros = sum(len(document.mentions.zeros) for document in documents)
        return cls(sum(int(each.sum()) for each in sizes), singletons, zeros)


def _lacks(result: Evaluation, pairs: Sequence[Pair]) -> Iterator[Problem]:
    """What one side has none of, while the other has many."""
    protocol = result.protocol
    sides = ([pair.key for pair in pairs], [pair.response for pair in pairs])
    tallies = [*map(_Tally.of, sides)]
    for (name, own), (other_name, other) in permutations(zip(SIDES, tallies, strict=True)):
        if not own.mentions:
            if other.mentions >= _FEW:
                yield _sign("no-mentions", f"the {name} has no mentions, the {other_name} {other.mentions:,}; {HELP}")
            continue
        if own.singletons == own.mentions >= _FEW and other.mentions - other.singletons >= _FEW:
            links = "every entity has one mention, so that metrics of links find nothing; check which column or field"
            yield _sign("no-links", f"the {name} links nothing: {links} names the entity")
        share = f"of the {other.mentions:,} mentions of the {other_name}"
        if protocol.counting.singletons == "keep" and not own.singletons and other.singletons >= _MANY:
            remedy = "--singletons drop leaves them out on both sides"
            yield _sign("no-singletons", f"the {name} has no singletons, {other.singletons:,} {share} are: {remedy}")
        if protocol.preparing.zeros != "drop" and not own.zeros and other.zeros >= _FEW:
            remedy = "--zeros drop leaves them out on both sides"
            yield _sign("no-zeros", f"the {name} has no zeros, {other.zeros:,} {share} are: {remedy}")
    yield from _no_realis(result, sides)


def _no_realis(result: Evaluation, sides: Sequence[Sequence[Document]]) -> Iterator[Problem]:
    asked = [name for name in result.protocol.metrics if name.startswith(NUGGET) and "realis" in name]
    if asked:
        mentions = [[mention for each in side for mention in each.mentions] for side in sides]
        have = [any(value(mention, "realis") for mention in side) for side in mentions]
        if all(mentions) and have in ([True, False], [False, True]):
            name = SIDES[have.index(False)]
            yield _sign("no-realis", f"no mention of the {name} has a realis: {' and '.join(asked)} find nothing")
