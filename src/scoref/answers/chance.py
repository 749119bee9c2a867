"""Other places that the strings of a reply could have had: placed at random, as often as they are listed."""

from __future__ import annotations

import random
from collections.abc import Set

from .payloads import Place
from .placing import Doubt, Item, Placed


def shuffled(found: Placed, seed: random.Random) -> list[list[Item]]:
    """The same mentions, with strings that could be placed otherwise at random places of theirs."""
    lists = [[*items] for items in found.lists]
    taken: set[Place] = set()
    for doubt in found.doubts:
        seats = _seats(doubt, taken, seed)
        taken.update(seats)
        more: list[Place | None] = [*seats, *[None] * (len(doubt.listings) - len(seats))]
        seed.shuffle(more)
        for (entity, number), seat in zip(doubt.listings, more, strict=True):
            lists[entity][number] = lists[entity][number]._replace(place=seat)
    return lists


def _seats(doubt: Doubt, taken: Set[Place], seed: random.Random) -> list[Place]:
    """As many free places as there are listings, of the best classes."""
    seats: list[Place] = []
    for each in doubt.classes:
        free = [place for place in each if place not in taken]
        left = len(doubt.listings) - len(seats)
        seats += free if len(free) <= left else seed.sample(free, left)
    return seats
