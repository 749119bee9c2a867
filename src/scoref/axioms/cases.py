"""All small keys and responses, and the cases that properties speak of: a key, a response, perhaps a second response.

Mentions are letters. A side is a partition of some of them, written with its entities in alphabetical order: `ab|c`. As
scores do not depend on the names of mentions, a key is one side for each multiset of sizes, the first in the alphabet.
Cases are in the order in which counterexamples are looked for: fewest mentions first, then key, response and second
response in the order of their code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from ..counting.table import Flags
from ..document.document import Integers

Side = tuple[str, ...]  # entities, each the letters of its mentions


def written(side: Iterable[str]) -> str:
    """A side as one word.

    >>> written(("ab", "c"))
    'ab|c'
    """
    return "|".join(side)


def normal(entities: Iterable[Iterable[str]]) -> Side:
    """A side with its mentions and entities in alphabetical order; empty entities are left out.

    >>> normal(["c", "ba", ""])
    ('ab', 'c')
    """
    return tuple(sorted("".join(sorted(entity)) for entity in entities if entity))


def sides(letters: str) -> list[Side]:
    """All partitions of all subsets of these letters, in the order of their words.

    >>> [written(side) for side in sides("ab")]
    ['', 'a', 'ab', 'a|b', 'b']
    """
    found: list[Side] = [()]
    for letter in letters:
        found += [placed for side in found for placed in places(side, letter)]
    return sorted(found, key=written)


def places(side: Side, letter: str) -> Iterator[Side]:
    """The sides that a further mention makes of a side: alone, or in one of the entities."""
    yield normal((*side, letter))
    for entity in side:
        yield normal((*(each for each in side if each != entity), entity + letter))


def sizes(number: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The sizes that entities of so many mentions may have, from large to small.

    >>> [*sizes(3)]
    [(3,), (2, 1), (1, 1, 1)]
    """
    if not number:
        yield ()
    for first in range(min(number, largest or number), 0, -1):
        yield from ((first, *rest) for rest in sizes(number - first, first))


def first_of(each: Iterable[int]) -> Side:
    """The first side with entities of these sizes, given from large to small.

    >>> written(first_of((2, 1)))
    'ab|c'
    """
    letters = iter(ascii_lowercase)
    return tuple("".join(next(letters) for _ in range(size)) for size in each)


class Cases(NamedTuple):
    """Cases in their order: mentions, and the numbers of key, response and second response."""

    mentions: Integers
    key: Integers
    response: Integers
    second: Integers

    def only(self, kept: Flags | Integers) -> Cases:
        """Some of the cases."""
        return Cases(*(each[kept] for each in self))


class Neighbours(NamedTuple):
    """Cases in which the responses differ in the place of one mention; there may be several such mentions."""

    cases: Cases
    mention: Integers


class Space:
    """All cases of at most so many mentions."""

    def __init__(self, most: int) -> None:
        """Everything that the cases are made of."""
        self.most = most
        self.letters = ascii_lowercase[:most]
        self.sides = sides(self.letters)
        self.number = {side: number for number, side in enumerate(self.sides)}
        keys = [first_of(each) for mentions in range(most + 1) for each in sizes(mentions)]
        self.keys = sorted(keys, key=written)
        self.key_side = np.array([self.number[key] for key in self.keys])

    @cached_property
    def companions(self) -> Integers:
        """For each side and mention the mentions of its entity as bits, itself included; 0 if it is not there."""
        found = np.zeros((len(self.sides), self.most), np.int64)
        for row, side in enumerate(self.sides):
            for entity in side:
                found[row, [self.letters.index(letter) for letter in entity]] = _bits(entity)
        return found

    @cached_property
    def present(self) -> Integers:
        """The mentions of each side, as bits."""
        return np.bitwise_or.reduce(self.companions, axis=1) if self.most else np.zeros(len(self.sides), np.int64)

    def ordered(self, key: Integers, response: Integers, second: Integers) -> tuple[Cases, Integers]:
        """The cases of these that have exactly the first letters, in their order; and the places they stood at."""
        together = self.present[self.key_side[key]] | self.present[response] | self.present[second]
        kept = np.flatnonzero((together & (together + 1)) == 0)
        kept = kept[np.lexsort((second[kept], response[kept], key[kept], together[kept]))]
        mentions = np.log2(together[kept] + 1).astype(np.int64)
        return Cases(mentions, key[kept], response[kept], second[kept]), kept

    def chosen(self, triples: Iterable[tuple[int, int, int]]) -> Cases:
        """These cases (key, response, second response), in their order."""
        found = np.array([*triples], np.int64).reshape(-1, 3)
        return self.ordered(found[:, 0], found[:, 1], found[:, 2])[0]

    @cached_property
    def pairs(self) -> Cases:
        """Every key with every response."""
        key, response = np.indices((len(self.keys), len(self.sides))).reshape(2, -1)
        return self.ordered(key, response, response)[0]

    @cached_property
    def complete(self) -> list[tuple[int, int]]:
        """Every key with every response of the same mentions."""
        same = self.present[self.key_side][:, None] == self.present[None, :]
        return [(int(key), int(response)) for key, response in np.argwhere(same)]

    @cached_property
    def neighbours(self) -> Neighbours:
        """Every key with every two responses that differ in the place of one mention."""
        steps = [
            (one, other, place)
            for place, letter in enumerate(self.letters)
            for side in self.sides
            if letter not in "".join(side)
            for options in [[self.number[each] for each in (side, *places(side, letter))]]
            for one in options
            for other in options
            if one != other
        ]
        one, other, mention = np.array(steps, np.int64).reshape(-1, 3).T
        key = np.repeat(np.arange(len(self.keys)), len(steps))
        again = [np.tile(each, len(self.keys)) for each in (one, other, mention)]
        cases, kept = self.ordered(key, again[0], again[1])
        return Neighbours(cases, again[2][kept])

    @cached_property
    def repairs(self) -> Neighbours:
        """The neighbours of which the second is right in whatever the first is right in about the mention, and in more.

        What is said of a mention: whether it is there, and with which others it is linked.
        """
        cases, mention = self.neighbours
        ours = self.companions[self.key_side[cases.key], mention]
        wrong, left = (ours ^ self.companions[side, mention] for side in (cases.response, cases.second))
        kept = np.flatnonzero((left & ~wrong == 0) & (left != wrong))
        return Neighbours(cases.only(kept), mention[kept])


def _bits(letters: str) -> int:
    return sum(1 << ascii_lowercase.index(letter) for letter in letters)


@cache
def space(most: int) -> Space:
    """All cases of at most so many mentions, made once."""
    return Space(most)
