"""How mentions fared: right, with a wrong antecedent, missed; and the groups in which they are counted."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple

from ..model import word_of
from ..scoring.forms import FORMS, form
from ..scoring.grouping import bucket, by_number
from .mistakes import Place
from .repair import Repairs

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


class Outcome(NamedTuple):
    """How a mention fared: the mention (of the key, or of the response if it is extra), its antecedent, the result.

    `size` is the number of mentions of its entity.
    """

    place: Place
    antecedent: Place | None
    size: int
    result: str


def outcomes(unit: Repairs) -> Iterator[Outcome]:
    """How every mention of the key fared, then those of the response that are extra.

    The antecedent of a mention is the mention of its entity before it. A first mention is right if its twin is one,
    else it has a *false antecedent*. A later one is right if the antecedent of its twin is of its entity.
    """
    before = [_antecedents(entities) for entities in unit.entities]
    sizes = [Counter(entities) for entities in unit.entities]

    def outcome(side: int, rank: int, result: str) -> Outcome:
        antecedent = before[side][rank]
        place = None if antecedent is None else unit.place(side, antecedent)
        return Outcome(unit.place(side, rank), place, sizes[side][unit.entities[side][rank]], result)

    for k, antecedent in enumerate(before[0]):
        r = unit.twins[0].get(k)
        if r is None:
            result = "missed"
        elif (given := before[1][r]) is None:
            result = "right" if antecedent is None else "no antecedent"
        elif antecedent is None:
            result = "false antecedent"
        else:
            twin = unit.twins[1].get(given)
            result = (
                "right" if twin is not None and unit.entities[0][twin] == unit.entities[0][k] else "wrong antecedent"
            )
        yield outcome(0, k, result)
    yield from (outcome(1, r, "extra") for r in range(len(before[1])) if r not in unit.twins[1])


def _antecedents(entities: Iterable[Hashable]) -> list[int | None]:
    """For each mention the one of its entity before it."""
    last: dict[Hashable, int] = {}
    found: list[int | None] = []
    for rank, entity in enumerate(entities):
        found.append(last.get(entity))
        last[entity] = rank
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
