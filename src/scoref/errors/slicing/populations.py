"""The mentions that are searched for slices, and what each of them loses: of one response, or of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np

from ...counting.metrics import Sums
from ...document.document import Integers, places_of
from ...document.kinds import FIELDS, Kinds, SideMentions
from ...formats import SIDES
from ...matching.assign import components
from ...problems import Error
from ..mistakes import MentionPlace
from .search import Population

DEFAULT = ("form", "nested", "first", "distance", "length", "position", "quoted")  # beside attributes of mentions


class Losses(NamedTuple):
    """Mentions of one side in one response, or in two: what they lose, their kinds by fields, and where they are.

    Those that can lose nothing are left out; `kept` numbers the others through all `sides`.
    """

    population: Population
    kinds: dict[str, Kinds]
    sides: Sequence[SideMentions]
    kept: Integers
    side: int

    def place(self, number: int) -> MentionPlace:
        """The place of the mention of that number; of two responses, as the number says."""
        index, mentions = int(self.kept[number]), self.sides[0]
        if index >= len(mentions.entity):
            index, mentions = index - len(mentions.entity), self.sides[1]
        document = int(mentions.document[index])
        return MentionPlace(SIDES[self.side], document, index - mentions.starts[document], mentions.documents[document])


class Places(Sequence[MentionPlace]):
    """The places of some mentions; each is found when it is asked for, as there may be very many."""

    def __init__(self, losses: Losses, numbers: Integers) -> None:
        self._losses, self._numbers = losses, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> MentionPlace: ...

    @overload
    def __getitem__(self, index: slice) -> list[MentionPlace]: ...

    def __getitem__(self, index: int | slice) -> MentionPlace | list[MentionPlace]:
        if isinstance(index, slice):
            return [*map(self._losses.place, self._numbers[index].tolist())]
        return self._losses.place(int(self._numbers[index]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Places) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]


def losses(
    sides: Sequence[SideMentions], sums: Sequence[Sums], side: int, identity: str, fields: Sequence[str]
) -> Losses:
    """What the mentions of key or response lose, in one response or as a difference of two."""
    named = _fields(sides, fields)
    if len(sides) == 1:
        population = _of_one(sides[0], sums[0])
    elif side == 0:
        population = _of_key(sides, sums)
        sides, sums = sides[:1], sums[:1]
    else:
        population = _of_responses(sides, sums, identity)
    kept = np.flatnonzero(np.concatenate([denominator for _, denominator in sums]))
    kinds = {field: _joined([each.of(field) for each in sides]) for field in named}
    some = {field: Kinds(each.names, each.of[kept]) for field, each in kinds.items()}
    return Losses(population.only(kept), some, sides, kept, side)


def _fields(sides: Sequence[SideMentions], asked: Sequence[str]) -> list[str]:
    """The fields that make kinds: those asked for, which must say something, else the usual ones and attributes."""
    if not asked:
        attributes = dict.fromkeys(name for side in sides for name in side.attributes if name not in FIELDS)
        return [field for field in (*DEFAULT, *attributes) if any(side.has(field) for side in sides)]
    if any(len(side.entity) for side in sides):
        for field in asked:
            if not any(side.has(field) for side in sides):
                known = dict.fromkeys([*FIELDS, *(name for side in sides for name in side.fields)])
                raise Error("unknown-field", f"nothing tells the {field} of mentions here",
                            expected=f"some of {', '.join(known)}")  # fmt: skip
    return [*dict.fromkeys(asked)]


def _joined(each: Sequence[Kinds]) -> Kinds:
    """The kinds of the mentions of one side in one response or two."""
    names = tuple(dict.fromkeys(name for kinds in each for name in kinds.names))
    places = [np.array([names.index(name) for name in kinds.names], np.int64)[kinds.of] for kinds in each]
    return Kinds(names, np.concatenate(places))


def _of_one(side: SideMentions, sums: Sums) -> Population:
    numerator, denominator = sums
    return Population(denominator - numerator, side.document, side.entity, side.document, _worth(sums))


def _worth(sums: Sums) -> float:
    """What a loss of 1 is worth in points."""
    return 100 / max(float(sums[1].sum()), 1.0)


def _of_key(sides: Sequence[SideMentions], sums: Sequence[Sums]) -> Population:
    """How much less the second response loses at each mention of the key."""
    (first, there), (second, again) = sums
    if not np.array_equal(there, again):
        raise Error("different-keys", "the two responses were scored with different mentions of the key",
                    expected="one key, prepared alike",
                    remedy="choose a protocol that keeps all mentions of the key")  # fmt: skip
    return _of_one(sides[0], (first + there - second, there))


def _of_responses(sides: Sequence[SideMentions], sums: Sequence[Sums], identity: str) -> Population:
    """The mentions of both responses, each compared with those of its own; what the second one loses counts as gained.

    One sign is drawn for entities of both that share mentions, directly or by way of others.
    """
    lost = [denominator - numerator for numerator, denominator in sums]
    documents = [side.document for side in sides]
    groups = documents[0], documents[1] + len(sides[0].documents)
    worth = float(np.mean([_worth(each) for each in sums]))
    unit = _components(sides, identity)
    return Population(
        np.concatenate((lost[0], -lost[1])), np.concatenate(groups), unit, np.concatenate(documents), worth
    )


def _components(sides: Sequence[SideMentions], identity: str) -> Integers:
    """A number for each mention of two responses: the same where entities share mentions."""
    pairs: list[tuple[int, int]] = []
    starts = [np.searchsorted(side.document, np.arange(len(side.documents))).tolist() for side in sides]
    for number, both in enumerate(zip(*(side.documents for side in sides), strict=True)):
        ours, theirs = places_of(both, identity)
        there = {place: index for index, place in enumerate(theirs, starts[1][number])}
        pairs += [(index, there[place]) for index, place in enumerate(ours, starts[0][number]) if place in there]
    shared = np.array(pairs, np.int64).reshape(-1, 2)
    row, column = (side.entity[shared[:, number]] for number, side in enumerate(sides))
    label = components(row, column)
    widths = [int(side.entity.max(initial=-1)) + 1 for side in sides]
    first = np.arange(widths[0]) + int(label.max(initial=-1)) + 1
    second = np.arange(widths[1]) + int(first.max(initial=0)) + 1
    first[row], second[column] = label, label
    return np.concatenate((first[sides[0].entity], second[sides[1].entity]))
