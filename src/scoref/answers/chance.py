"""Other places that the strings of a reply could have had: placed at random, as often as they are listed."""

from __future__ import annotations

import random
from collections.abc import Set

from .payloads import Place
from .placing import Doubt, Item, Placed

Listing = tuple[int, int]  # the number of an entity, and of a mention in it


class RandomPlaces:
    """Draws other places for the strings of a reply that could be placed otherwise."""

    def __init__(self, found: Placed, seed: random.Random) -> None:
        self.found, self.seed = found, seed
        places = [[item.place for item in items] for items in found.lists]
        self.wanted = [sum(places[entity][number] is not None for entity, number in each.listings)
                       for each in found.doubts]  # fmt: skip
        self.open = {listing for doubt in found.doubts for listing in doubt.listings}
        self.fixed = {place for entity, row in enumerate(places) for number, place in enumerate(row)
                      if place and (entity, number) not in self.open}  # fmt: skip

    def draw(self) -> dict[Listing, Place | None]:
        """A place for each mention in doubt; as many mentions of each string have one.

        Where strings share places and that fails, nothing: all stay where they are.
        """
        drawn: dict[Listing, Place | None] = {}
        taken = {*self.fixed}
        for doubt, wanted in zip(self.found.doubts, self.wanted, strict=True):
            seats = _seats(doubt, wanted, taken, self.seed)
            if len(seats) < wanted:
                return {}
            taken.update(seats)
            more: list[Place | None] = [*seats, *[None] * (len(doubt.listings) - len(seats))]
            self.seed.shuffle(more)
            drawn.update(zip(doubt.listings, more, strict=True))
        return drawn


def shuffled(found: Placed, seed: random.Random) -> list[list[Item]]:
    """The same mentions, with strings that could be placed otherwise at random places of theirs."""
    lists = [[*items] for items in found.lists]
    for (entity, number), seat in RandomPlaces(found, seed).draw().items():
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
