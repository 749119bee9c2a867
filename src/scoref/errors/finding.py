"""Finds the errors of a response and the mentions that each of them names; gives entities their labels.

Errors are those of Kummerfeld & Klein 2013 (*Error-driven analysis of challenges in coreference resolution*):

1. *Span error*: two mentions that differ only in their span, see `twins`. They count as aligned in all that follows.
2. A response entity falls into parts: its mentions of one key entity are a part, every unaligned mention is one. With
   nothing aligned, it is an *extra entity*. Otherwise one part stays, every other part that is of a key entity is an
   error (*conflated entities*), and so is every unaligned mention (*extra mention*; but *conflated entities* where it
   is the first of its entity, as Kummerfeld and Klein let the first mention stay, and split the others from it).
3. A key entity falls into parts likewise: *missing entity*, *divided entity*, *missing mention*.

The part that stays is the one that is shared with the partner of the entity; of an entity without a partner, the one
that would be taken first. So an aligned mention is in none of these errors if and only if its entity and that of its
twin are partners. The number of errors does not depend on which part stays.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..document.document import Integers
from ..document.forms import FORMS, NAMED_BY, NAMING
from ..formats import SIDES
from .mistakes import KINDS, CoreferenceError, Entity, MentionPlace
from .twins import Twins, as_array

_SIDES = ((4, 5, 6), (1, 2, 3))  # kinds of errors of key and response entities: a part, a single mention, a whole


class MentionErrors(NamedTuple):
    """For each mention of one side the error that names it: its kind, by number, and its first mention; or -1.

    `stays` is the first mention of the part that stays, for each entity; -1 for one that has no aligned mention.
    """

    kind: Integers
    leader: Integers
    stays: Integers


def named(twins: Twins, side: int) -> MentionErrors:
    """The error that names each mention of one side; span errors are corrected before, and are not among them."""
    part, single, whole = _SIDES[side]
    mentions, cells = twins.sides[side], twins.cells
    cell = cells.of[side]
    entity, ranks = mentions.entity, np.arange(len(cell))
    staying_cell = staying(twins, side)
    stays = staying_cell[entity]
    leader, kind = np.full(len(cell), -1), np.full(len(cell), -1)
    unaligned = stays < 0  # entities without any aligned mention
    alone = (cell < 0) & ~unaligned
    other = (cell >= 0) & (cell != stays)
    leader[unaligned], kind[unaligned] = mentions.first[entity[unaligned]], whole
    leader[alone] = ranks[alone]
    kind[alone] = np.where(mentions.first[entity[alone]] == ranks[alone], part, single)
    first_of_cell = firsts(cell, len(cells.row))
    leader[other], kind[other] = first_of_cell[cell[other]], part
    kept = np.where(staying_cell >= 0, first_of_cell[staying_cell], -1) if len(cells.row) else staying_cell
    return MentionErrors(kind, leader, kept)


def staying(twins: Twins, side: int) -> Integers:
    """For each entity the cell (part) that stays: the one shared with its partner, else the best; -1 if it has none."""
    row, column, _, _ = twins.cells
    cell = np.full(len(twins.sides[side].name), -1)
    backwards = twins.best_first[::-1]  # so that the best is written last
    cell[(row, column)[side][backwards]] = backwards
    paired = np.flatnonzero(twins.partners[0][row] == column)
    cell[(row, column)[side][paired]] = paired
    return cell


def firsts(labels: Integers, number: int) -> Integers:
    """The first index of each label 0, 1, ...; labels below 0 are ignored."""
    first = np.zeros(number, np.int64)
    labelled = np.flatnonzero(labels >= 0)[::-1]  # backwards, so that the first is written last
    first[labels[labelled]] = labelled
    return first


def counted(twins: Twins, both: tuple[MentionErrors, MentionErrors]) -> Integers:
    """The number of errors [documents, kinds]; an error belongs to the document of its first mention."""
    counts = np.zeros((len(twins.aligned), len(KINDS)), np.int64)
    np.add.at(counts[:, 0], twins.sides[1].document[twins.corrected], 1)
    for side, each in enumerate(both):
        leaders = np.flatnonzero(each.leader == np.arange(len(each.leader)))
        np.add.at(counts, (twins.sides[side].document[leaders], each.kind[leaders]), 1)
    return counts


class Naming:
    """Names for the entities of both sides: numbers for key entities and their partners, letters for the others."""

    def __init__(self, twins: Twins) -> None:
        self.twins = twins
        self._known: tuple[dict[int, Entity], dict[int, Entity]] = {}, {}
        self._find = self._best  # bound once, shared by all entities

    @cached_property
    def labels(self) -> tuple[list[str], list[str]]:
        """The label of each entity; numbers start from 1 in every home, in the order of the text."""
        ours, theirs = self.twins.sides
        numbers = np.arange(len(ours.name)) - beginnings(ours.home) + 1
        partner = self.twins.partners[1]
        alone = partner < 0
        before: Integers = np.cumsum(alone) - alone
        counted: Integers = before - before[beginnings(theirs.home)]
        keys = [str(number) for number in numbers.tolist()]
        both = zip(partner.tolist(), counted.tolist(), strict=True)
        return keys, [keys[ours_number] if ours_number >= 0 else letters(number) for ours_number, number in both]

    def labels_in(self, side: int, number: int) -> dict[Hashable, str]:
        """The labels of the entities of a document by their names; partners have one label."""
        mentions = self.twins.sides[side]
        there = dict.fromkeys(mentions.entity[self.twins.ranks(side, number)].tolist())
        return {mentions.name[entity]: self.labels[side][entity] for entity in there}

    @cached_property
    def members(self) -> tuple[tuple[array[int], array[int]], tuple[array[int], array[int]]]:
        """For each side the mentions entity by entity, and where those of each entity begin and end."""
        orders = [as_array(np.argsort(side.entity, kind="stable")) for side in self.twins.sides]
        bounds = [as_array(np.cumsum([0, *side.size])) for side in self.twins.sides]
        return (orders[0], bounds[0]), (orders[1], bounds[1])

    def mentions(self, side: int, number: int) -> array[int]:
        """The mentions of an entity, by their ranks."""
        order, bounds = self.members[side]
        return order[bounds[number] : bounds[number + 1]]

    def entity(self, side: int, number: int) -> Entity:
        """An entity by its number."""
        if number not in self._known[side]:
            _, bounds = self.members[side]
            size = bounds[number + 1] - bounds[number]
            self._known[side][number] = Entity(SIDES[side], number, self.labels[side][number], size, self._find)
        return self._known[side][number]

    def _best(self, entity: Entity) -> MentionPlace:
        side = SIDES.index(entity.side)
        return self.twins.place(side, int(self.best[side][entity.number]))

    @cached_property
    def best(self) -> tuple[Integers, Integers]:
        """The mention that names each entity best, by its rank."""
        return self._ranked(0), self._ranked(1)

    def _ranked(self, side: int) -> Integers:
        """The first name, else the first noun phrase, else the first mention (of what stays, in the response)."""
        entity = self.twins.sides[side].entity
        if side:
            stays = self.twins.cells.of[1] == staying(self.twins, 1)[entity]
            some = np.bincount(entity[stays], minlength=int(entity.max(initial=-1)) + 1) > 0
            ranks = np.flatnonzero(stays | ~some[entity])
        else:
            ranks = np.arange(len(entity))
        ranks = ranks[np.argsort(entity[ranks], kind="stable")]
        starts = np.flatnonzero(np.diff(entity[ranks], prepend=-1))
        sizes = np.diff(starts, append=len(ranks))
        ranks = ranks[np.arange(len(ranks)) - np.repeat(starts, sizes) < NAMED_BY]
        preferred = np.array([NAMING.index(form) if form in NAMING else len(NAMING) for form in FORMS])
        order = np.lexsort((preferred[self.twins.forms[side][ranks]], entity[ranks]))
        best: Integers = ranks[order][np.diff(entity[ranks[order]], prepend=-1) > 0]
        return best

    def composition(self, side: int, number: int) -> list[tuple[Entity, int]]:
        """The entities of the other side that an entity shares mentions with, and how many; the best first.

        The rest of its mentions are those that the other side lacks.
        """
        best = self.twins.best_first
        lines, shared = self.twins.cells[:2], self.twins.cells.shared
        cells = best[lines[side][best] == number]
        both = zip(lines[1 - side][cells].tolist(), shared[cells].tolist(), strict=True)
        return [(self.entity(1 - side, other), count) for other, count in both]


class FoundErrors(Sequence[CoreferenceError]):
    """The errors as arrays, by kind and in text order; each is made when it is asked for.

    For each its `kind`, by number, its `document`, the `side` of its mentions, their `ranks` from its place in `bounds`
    to the next; the rank of its `anchor`, and its entities `given` and `wanted`, -1 for none.
    """

    def __init__(self, naming: Naming, names: tuple[str, ...], both: tuple[MentionErrors, MentionErrors]) -> None:
        self._naming, self._names, twins = naming, names, naming.twins
        every = zip(_spans(twins), *(_parts(twins, side, both[side]) for side in (1, 0)), strict=True)
        self.kind, sizes, self.ranks, self.anchor, self.given, self.wanted = map(np.concatenate, every)
        self.bounds = np.cumsum(np.append(0, sizes))
        self.side = np.where(self.kind < _SIDES[0][0], 1, 0)
        self.document = np.empty_like(self.kind)
        for side, mentions in enumerate(twins.sides):
            there = self.side == side
            self.document[there] = mentions.document[self.first[there]]

    @property
    def first(self) -> Integers:
        """The rank of the first mention of each."""
        ranks: Integers = self.ranks[self.bounds[:-1]]
        return ranks

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def _arrays(self) -> list[array[int]]:
        return [*map(as_array, (self.kind, self.bounds, self.ranks, self.anchor, self.given, self.wanted))]

    def __getitem__(self, index: int) -> CoreferenceError:  # type: ignore[override]  # no slices
        kinds, bounds, ranks, anchors, *both = self._arrays
        kind, anchor, side = kinds[index], anchors[index], int(kinds[index] < _SIDES[0][0])
        places = self._naming.twins.places(side, ranks[bounds[index] : bounds[index + 1]])
        anchored = self._naming.twins.place(side if kind else 0, anchor) if anchor >= 0 else None
        given, wanted = (
            self._naming.entity(1 - at, each[index]) if each[index] >= 0 else None for at, each in enumerate(both)
        )
        number = places[0].number
        return CoreferenceError(KINDS[kind], self._names[number], number, tuple(places), anchored, given, wanted)


_Columns = tuple[Integers, Integers, Integers, Integers, Integers, Integers]  # kinds, sizes, ranks, anchors, entities


def _spans(twins: Twins) -> _Columns:
    """The span errors."""
    theirs = twins.corrected
    ours = twins.sides[1].twin[theirs]
    kind, size = np.zeros_like(theirs), np.ones_like(theirs)
    return kind, size, theirs, ours, twins.sides[1].entity[theirs], twins.sides[0].entity[ours]


def _parts(twins: Twins, side: int, named: MentionErrors) -> _Columns:
    """The parts of entities of one side that are errors."""
    mentions, others = twins.sides[side], twins.sides[1 - side]
    there = np.flatnonzero(named.leader >= 0)
    ranks = there[np.lexsort((there, named.leader[there], named.kind[there]))]
    begins = np.flatnonzero(np.diff(named.leader[ranks], prepend=-1))
    first = ranks[begins]
    own, twin = mentions.entity[first], mentions.twin[first]
    stays = named.stays[own]
    other = np.full(len(first), -1)
    shared = (twin >= 0) & (stays >= 0)
    other[shared] = others.entity[twin[shared]]
    ends = (own, other) if side else (other, own)
    return named.kind[first], np.diff(begins, append=len(ranks)), ranks, stays, *ends


def beginnings(home: Integers) -> Integers:
    """For each entity, the index of the first entity of its home."""
    _, first, of = np.unique(home, return_index=True, return_inverse=True)
    return first[of].astype(np.int64)


def letters(number: int) -> str:
    """A number from 0 on in letters.

    >>> [letters(number) for number in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    written = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        written = chr(ord("a") + digit) + written
    return written
