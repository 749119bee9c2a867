"""How mentions fared (right, with a wrong antecedent, missed ...), counted in groups by form, distance, size ..."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..document.document import Integers, Mention
from ..document.forms import FORMS
from ..document.grouping import bucket, by_number
from ..document.kinds import DISTANCES, FIRST, UNKNOWN, antecedents, distance_numbers
from ..document.where import NOWHERE
from ..layout.grid import Cell, Grid
from ..matching.nuggets import canonical
from ..problems import Error
from .mistakes import MentionPlace
from .other_layers import NuggetRow
from .twins import Twins

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

RESULTS = ("right", "wrong antecedent", "no antecedent", "false antecedent", "missed", "extra")
VIEWS = ("form", "position", "distance", "size")
NAMELESS = (UNKNOWN, FIRST)  # groups of mentions for which the field has no value

_DISTANCE_ORDER = [*DISTANCES, UNKNOWN, FIRST]
ORDERS: dict[str, Callable[[str], SupportsRichComparison]] = {
    "form": FORMS.index,
    "position": ("first", "later").index,
    "distance": _DISTANCE_ORDER.index,
    "size": by_number,
}

MARKS = ("right", "wrong span", "elsewhere", "unmatched")


def marks(twins: Twins, side: int) -> Integers:
    """How each mention of one side fared on the other, by number in `MARKS`.

    It is *right* if it has a twin and the entities of the two are partners; *elsewhere* if its twin is in another
    entity, *wrong span* if the two have different spans (a span error), *unmatched* if it has no twin.
    """
    mine, other = twins.sides[side], twins.sides[1 - side]
    found = np.full(len(mine.twin), MARKS.index("unmatched"))
    there = np.flatnonzero(mine.twin >= 0)
    partner = twins.partners[side][mine.entity[there]]
    found[there] = np.where(partner == other.entity[mine.twin[there]], 0, MARKS.index("elsewhere"))
    found[twins.corrected if side else twins.sides[1].twin[twins.corrected]] = MARKS.index("wrong span")
    return found


class Outcome(NamedTuple):
    """How a mention fared: the key mention (or an extra response mention), its antecedent, the result.

    `size` is the number of mentions of its entity.
    """

    place: MentionPlace
    antecedent: MentionPlace | None
    size: int
    result: str


class Groups(NamedTuple):
    """Groups of mentions by one field: their names, and for each outcome the number of its group."""

    names: list[str]
    of: Integers


class Outcomes(Sequence[Outcome]):
    """How every key mention fared, in text order, followed by the extra mentions of the response.

    The antecedent of a mention is the mention of its entity before it. The first mention of an entity is right if its
    twin is first, too, else it has a *false antecedent*. A later one is right if the antecedent of its twin belongs to
    its entity. `results` are indices into `RESULTS`.
    """

    def __init__(self, twins: Twins) -> None:
        self._twins = twins
        before = [antecedents(side.entity) for side in twins.sides]
        said = _results(twins, before[0], before[1])
        extra = np.flatnonzero(twins.sides[1].twin < 0)
        self._ranks = np.arange(len(said)), extra
        self._before = before[0], before[1][extra]
        self._groups: dict[str, Groups] = {}
        self.results: Integers = np.concatenate([said, np.full(len(extra), RESULTS.index("extra"))])

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: int) -> Outcome:  # type: ignore[override]  # no slices
        number = range(len(self))[index]
        side = int(number >= len(self._ranks[0]))
        at = number - side * len(self._ranks[0])
        rank, before = int(self._ranks[side][at]), int(self._before[side][at])
        mentions = self._twins.sides[side]
        place = self._twins.place(side, before) if before >= 0 else None
        size = int(mentions.size[mentions.entity[rank]])
        return Outcome(self._twins.place(side, rank), place, size, RESULTS[self.results[number]])

    def places(self, side: int, ranks: Integers) -> Integers:
        """The indices of mentions of one side in this sequence; a response mention has the index of its twin."""
        if side == 0:
            return ranks
        twin = self._twins.sides[1].twin
        extra = np.cumsum(twin < 0) - 1 + len(self._ranks[0])
        return np.where(twin < 0, extra, twin)[ranks]

    def groups(self, field: str) -> Groups:
        """The groups by one of `VIEWS`, or by an attribute of mentions."""
        if field not in self._groups:
            self._groups[field] = self._grouped(field)
        return self._groups[field]

    def _grouped(self, field: str) -> Groups:
        if field == "form":
            return Groups([*FORMS], self._both(self._twins.forms))
        if field == "position":
            return Groups(["first", "later"], (np.concatenate(self._before) >= 0).astype(np.int64))
        if field == "distance":
            return Groups([*_DISTANCE_ORDER], np.concatenate([self._distances(side) for side in range(2)]))
        if field == "size":
            sizes = self._both(side.size[side.entity] for side in self._twins.sides)
            known, of = np.unique(sizes, return_inverse=True)
            return _grouped([bucket("size", size) for size in known.tolist()], of)
        mentions = (self._twins.mention(side, rank) for side in range(2) for rank in self._ranks[side].tolist())
        return _grouped([_value(mention, field) for mention in mentions])

    def by(self, field: str) -> Grid:
        """How many mentions of each group had which result."""
        names, of = self.groups(field)
        width = len(RESULTS)
        counts = np.bincount(of * width + self.results, minlength=len(names) * width).reshape(-1, width).tolist()
        by_name = {name: each for name, each in zip(names, counts, strict=True) if any(each)}
        rows: list[tuple[Cell, ...]] = []
        for name in sorted(by_name, key=ORDERS.get(field, by_number)):
            each = by_name[name]
            number = sum(each) - each[RESULTS.index("extra")]
            share = each[RESULTS.index("right")] / number if number else None
            rows.append((name or "(none)", number, share, *each))
        return Grid(f"mentions by {field}", (field, "mentions", "right %", *RESULTS), rows)

    def _both(self, sides: Iterable[Integers]) -> Integers:
        return np.concatenate([values[ranks] for values, ranks in zip(sides, self._ranks, strict=True)])

    def _distances(self, side: int) -> Integers:
        """Distances to antecedents in sentences, or in words without sentences, as indices in _DISTANCE_ORDER."""
        words, sentences = self._twins.words[side]
        document = self._twins.sides[side].document
        here, there = self._ranks[side], self._before[side]
        far = np.where(sentences[here] >= 0, sentences[here] - sentences[there], -1)
        found = distance_numbers(words[here] - words[there], far)
        lost = (words[here] == NOWHERE) | (words[there] == NOWHERE) | (document[here] != document[there])
        found[lost] = _DISTANCE_ORDER.index(UNKNOWN)
        found[there < 0] = _DISTANCE_ORDER.index(FIRST)
        return found


def _grouped(labels: Sequence[str], of: Integers | None = None) -> Groups:
    """One group for each different label; `of`, if given, has the index in `labels` for each outcome."""
    known = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    numbers = np.array([known[label] for label in labels], np.int64)
    return Groups([*known], numbers if of is None else numbers[of])


def _results(twins: Twins, ours: Integers, theirs: Integers) -> Integers:
    """The result of each key mention, by its number in `RESULTS`; `ours` and `theirs` are the antecedents."""
    key, response = twins.sides
    given = np.where(key.twin >= 0, theirs[key.twin], -1) if len(theirs) else np.full(len(ours), -1)
    back = np.where(given >= 0, response.twin[given], -1) if len(theirs) else given
    same = (back >= 0) & (key.entity[back] == key.entity)
    found = np.where(same, 0, 1)
    found[ours < 0] = RESULTS.index("false antecedent")
    found[given < 0] = np.where(ours[given < 0] < 0, 0, RESULTS.index("no antecedent"))
    found[key.twin < 0] = RESULTS.index("missed")
    return found


def confusion(twins: Twins, attribute: str) -> dict[tuple[str, str], int]:
    """How many aligned mentions have each pair of values of an attribute (key, response)."""
    pairs = [(twins.mention(0, k), twins.mention(1, r)) for k, r in enumerate(twins.sides[0].twin.tolist()) if r >= 0]
    return dict(Counter((_value(ours, attribute), _value(theirs, attribute)) for ours, theirs in pairs))


def _value(mention: Mention, attribute: str) -> str:
    return dict(mention.attributes).get(attribute, "")


def nugget_confusion(rows: Iterable[NuggetRow], field: str = "type") -> dict[tuple[str, str], int]:
    """How many event nuggets have each pair of types, or realis (key, response); '' if one side has no nugget."""
    spelled: dict[str, str] = {}

    def label(place: MentionPlace | None) -> str:
        written = _value(place.mention, field) if place else ""
        return spelled.setdefault(canonical(written) or written, written)

    return dict(Counter((label(row.key), label(row.response)) for row in rows))


def crossed(attribute: str, counts: Mapping[tuple[str, str], int]) -> Grid:
    """A confusion matrix: the key's values of an attribute in rows, the response's in columns; (none) for no value."""
    if not any(any(pair) for pair in counts):
        raise Error("unknown-field", f"no mention has the attribute '{attribute}'")
    sides = [sorted({pair[side] for pair in counts}, key=lambda value: (not value, value)) for side in range(2)]
    ours, theirs = sides
    rows: list[tuple[Cell, ...]] = [(row or "(none)", *(counts.get((row, each)) for each in theirs)) for row in ours]
    header = (attribute, *(name or "(none)" for name in theirs))
    return Grid(f"{attribute}: key down, response across", header, rows)
