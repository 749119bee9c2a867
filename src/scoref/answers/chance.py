"""Other places that the strings of a reply could have had: placed at random, as often as they are listed."""

from __future__ import annotations

import random
from collections.abc import Set

from .payloads import Place
from .placing import Doubt, Item, Placed


def shuffled(found: Placed, seed: random.Random) -> list[list[Item]]:
    """The same mentions, with strings that could be placed otherwise at random places of theirs.

    As many mentions of each string have a place; where strings share places and that fails, all stay where they are.
    """
    lists = [[*items] for items in found.lists]
    open_ = {listing for doubt in found.doubts for listing in doubt.listings}
    taken = {item.place for entity, items in enumerate(lists) for number, item in enumerate(items)
             if item.place and (entity, number) not in open_}  # fmt: skip
    for doubt in found.doubts:
        wanted = sum(found.lists[entity][number].place is not None for entity, number in doubt.listings)
        seats = _seats(doubt, wanted, taken, seed)
        if len(seats) < wanted:
            return found.lists
        taken.update(seats)
        more: list[Place | None] = [*seats, *[None] * (len(doubt.listings) - len(seats))]
        seed.shuffle(more)
        for (entity, number), seat in zip(doubt.listings, more, strict=True):
            lists[entity][number] = lists[entity][number]._replace(place=seat)
    return lists


def _seats(doubt: Doubt, wanted: int, taken: Set[Place], seed: random.Random) -> list[Place]:
    """So many free places, or as many as there are, of the best classes."""
    seats: list[Place] = []
    for each in doubt.classes:
        free = [place for place in each if place not in taken]
        left = wanted - len(seats)
        seats += free if len(free) <= left else seed.sample(free, left)
    return seats
