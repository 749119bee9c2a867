"""How mentions fared: right, with a wrong antecedent, missed; and the groups in which they are counted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model import Integers, word_of
from ..scoring.forms import FORMS, form
from ..scoring.grouping import bucket, by_number
from .mistakes import Place
from .twins import Twins

RESULTS = ("right", "wrong antecedent", "no antecedent", "false antecedent", "missed", "extra")
VIEWS = ("form", "position", "distance", "size")
NAMELESS = ("unknown", "first mention")  # groups in which the field has no value

_DISTANCES = ((0, "same sentence"), (1, "1 sentence"), (2, "2 sentences"), (3, "3-5 sentences"), (6, "6+ sentences"))
_WORDS = ((0, "0-9 words"), (10, "10-49 words"), (50, "50-199 words"), (200, "200+ words"))
_UNKNOWN, _FIRST = NAMELESS


_DISTANCE_ORDER = [name for _, name in (*_DISTANCES, *_WORDS)] + [_UNKNOWN, _FIRST]
ORDERS: dict[str, Callable[[str], Any]] = {
    "form": FORMS.index,
    "position": ("first", "later").index,
    "distance": _DISTANCE_ORDER.index,
    "size": by_number,
}


MARKS = ("right", "wrong span", "elsewhere", "unmatched")


def marks(twins: Twins, side: int) -> Integers:
    """What becomes of each mention of one side on the other, by its number in `MARKS`.

    It is *right* if it has a twin and the entities of the two are partners; *elsewhere* if its twin is in another
    entity, *wrong span* if the two differ but stand for each other, *unmatched* if it has none.
    """
    mine, other = twins.sides[side], twins.sides[1 - side]
    found = np.full(len(mine.twin), MARKS.index("unmatched"))
    there = np.flatnonzero(mine.twin >= 0)
    partner = twins.partners[side][mine.entity[there]]
    found[there] = np.where(partner == other.entity[mine.twin[there]], 0, MARKS.index("elsewhere"))
    found[twins.corrected if side else twins.sides[1].twin[twins.corrected]] = MARKS.index("wrong span")
    return found


class Outcome(NamedTuple):
    """How a mention fared: the mention (of the key, or of the response if it is extra), its antecedent, the result.

    `size` is the number of mentions of its entity.
    """

    place: Place
    antecedent: Place | None
    size: int
    result: str


def outcomes(twins: Twins) -> Iterator[Outcome]:
    """How every mention of the key fared, then those of the response that are extra.

    The antecedent of a mention is the mention of its entity before it. A first mention is right if its twin is one,
    else it has a *false antecedent*. A later one is right if the antecedent of its twin is of its entity.
    """
    before = [antecedents(side.entity) for side in twins.sides]
    results = _results(twins, before[0], before[1])
    extra = np.flatnonzero(twins.sides[1].twin < 0)
    sizes = [side.size[side.entity] for side in twins.sides]
    for side, ranks, said in ((0, np.arange(len(results)), results), (1, extra, np.full(len(extra), len(RESULTS) - 1))):
        each = zip(
            ranks.tolist(), before[side][ranks].tolist(), sizes[side][ranks].tolist(), said.tolist(), strict=True
        )
        for rank, antecedent, size, result in each:
            place = twins.place(side, antecedent) if antecedent >= 0 else None
            yield Outcome(twins.place(side, rank), place, size, RESULTS[result])


def _results(twins: Twins, ours: Integers, theirs: Integers) -> Integers:
    """The result of each key mention, by its number in `RESULTS`; given the antecedents of both sides."""
    key, response = twins.sides
    given = np.where(key.twin >= 0, theirs[key.twin], -1) if len(theirs) else np.full(len(ours), -1)
    back = np.where(given >= 0, response.twin[given], -1) if len(theirs) else given
    same = (back >= 0) & (key.entity[back] == key.entity)
    found = np.where(same, 0, 1)
    found[ours < 0] = RESULTS.index("false antecedent")
    found[given < 0] = np.where(ours[given < 0] < 0, 0, RESULTS.index("no antecedent"))
    found[key.twin < 0] = RESULTS.index("missed")
    return found


def antecedents(entity: Integers) -> Integers:
    """For each mention the one of its entity before it, or -1."""
    order = np.argsort(entity, kind="stable")
    found = np.full(len(entity), -1)
    follows = np.flatnonzero(np.diff(entity[order]) == 0)
    found[order[follows + 1]] = order[follows]
    return found


def _distance(outcome: Outcome) -> str:
    """How far the antecedent is, in sentences, or in words where a document has none."""
    if outcome.antecedent is None:
        return _FIRST
    both = outcome.antecedent, outcome.place
    spans = [place.mention.span for place in both]
    if not all(spans) or both[0].number != both[1].number:
        return _UNKNOWN
    words = [word_of(span[0]) for span in spans]
    sentences = outcome.place.document.sentences
    if len(sentences) > 1:
        far = bisect_right(sentences, words[1]) - bisect_right(sentences, words[0])
        return _DISTANCES[bisect_right([least for least, _ in _DISTANCES], far) - 1][1]
    return _WORDS[bisect_right([least for least, _ in _WORDS], words[1] - words[0]) - 1][1]


def labelled(field: str) -> Callable[[Outcome], str]:
    """A function from an outcome to its group, by one of `VIEWS` or by an attribute of mentions."""
    if field == "form":
        return lambda outcome: form(outcome.place.document, outcome.place.mention)
    if field == "position":
        return lambda outcome: "later" if outcome.antecedent else "first"
    if field == "distance":
        return _distance
    if field == "size":
        return lambda outcome: bucket("size", outcome.size)
    return lambda outcome: dict(outcome.place.mention.attributes).get(field, "")
