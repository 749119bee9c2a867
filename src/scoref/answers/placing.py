"""Gives each listed mention a place in the key.

Mentions with numbers come first. Strings are placed in rounds (`_in_order`): occurrences of a string are taken from
left to right, an entity's list as reading order, and of all entities the next listing whose place is leftmost comes
first. Entity by entity, the first that says "He" would take what belongs to another.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from .links import entities_of
from .numbers import NumberReading, meaning
from .payloads import Listed, Payload, Place
from .strings import KeyText


class Item(NamedTuple):
    """A mention of an entity: where it is in the key (None: nowhere), and what the reply has for it."""

    place: Place | None
    listed: Listed


class Doubt(NamedTuple):
    """A string that could have been placed otherwise: the mentions that list it, by entity and number, its places."""

    listings: tuple[tuple[int, int], ...]
    classes: tuple[tuple[Place, ...], ...]  # the best class of places first


class Placed(NamedTuple):
    """The listed mentions in the key, what is to be counted, what could be placed otherwise, how numbers were read."""

    lists: list[list[Item]]
    counts: Counter[str]
    doubts: tuple[Doubt, ...] = ()
    reading: str = ""


class Strings:
    """The strings of a payload in the key: their places in classes, the best class first."""

    def __init__(self, key: KeyText, texts: Sequence[str]) -> None:
        self.key = key
        self._texts = {*texts}
        self._classes: dict[str, list[list[Place]]] = {}

    @cached_property
    def _longer(self) -> dict[int, list[tuple[int, int]]]:
        """For each length of listed places the first and last words of longer ones, as stretches that do not nest."""
        places = {place for text in self._texts for place in self.key.find(text).places}
        lengths = sorted({last - first for first, last in places})
        return {length: _outermost([each for each in places if each[1] - each[0] > length]) for length in lengths}

    def classes(self, text: str) -> list[list[Place]]:
        """The places of a string: by level, and in each those outside of places of longer listed strings first."""
        if text not in self._classes:
            found: dict[tuple[int, bool], list[Place]] = {}
            for place, level in zip(*self.key.find(text), strict=True):
                found.setdefault((level, self._inside(place)), []).append(place)
            self._classes[text] = [found[each] for each in sorted(found)]
        return self._classes[text]

    def _inside(self, place: Place) -> bool:
        longer = self._longer[place[1] - place[0]]
        number = bisect_left(longer, (place[0] + 1, -1)) - 1
        return number >= 0 and longer[number][1] >= place[1]


def _outermost(places: Sequence[Place]) -> list[Place]:
    """The places that no other of them contains, from left to right."""
    found: list[Place] = []
    for first, last in sorted(places, key=lambda place: (place[0], -place[1])):
        if not found or last > found[-1][1]:
            found.append((first, last))
    return found


def yields(payload: Payload, key: KeyText) -> bool:
    """Whether at least one of its mentions has a place in the key."""
    size = len(key.words)
    for each in payload.mentions:
        if (each.text and key.has(each.text)) or (not each.text and each.numbers and max(each.numbers) <= size):
            return True
    return False


def placed(payload: Payload, key: KeyText, text: str | None, ends: str) -> Placed:
    """The mentions of a payload in the key; `text` is the key's own text, `ends` for numbers without strings."""
    lists = entities_of(payload, key)
    every = [each for entity in lists for each in entity]
    reading = meaning(every, key, text, ends)
    counts: Counter[str] = Counter()
    if reading is None:
        counts["numbers_ignored"] = sum(bool(each.numbers and each.text) for each in every)
    board = _Board(key, lists, reading, ends)
    board.numbered(counts)
    doubts = tuple(board.doubts())
    board.in_order()
    return board.result(counts, doubts, reading.name if reading else "")


class _Board:
    """What has a place so far: for each entity the places of its list, and the places that are taken."""

    def __init__(
        self, key: KeyText, lists: Sequence[Sequence[Listed]], reading: NumberReading | None, ends: str
    ) -> None:
        self.key, self.lists, self.reading = key, lists, reading
        plain = reading or meaning([], key, None, ends)
        assert plain is not None
        self.numbers = plain
        self.places: list[list[Place | None]] = [[None] * len(entity) for entity in lists]
        self.strings = Strings(key, [each.text for entity in lists for each in entity if each.text])
        self.taken: set[Place] = set()
        self.full: set[str] = set()  # strings without a free place
        self.free: dict[str, tuple[int, Sequence[Place]]] = {}  # when so many were taken: the free places of a string
        self.before: list[tuple[int, int]] = [(0, -1)] * len(lists)  # listings looked at, the last of their first words
        self.waiting: list[list[int]] = []  # for each entity the numbers of its listings that are strings
        self.lost = self.surplus = 0

    def take(self, entity: int, number: int, place: Place) -> None:
        self.places[entity][number] = place
        self.taken.add(place)

    def numbered(self, counts: Counter[str]) -> None:
        """Place the mentions with numbers, then those whose text is not at them, at the nearest free place."""
        moved = []
        for entity, members in enumerate(self.lists):
            self.waiting.append([])
            for number, each in enumerate(members):
                if not each.numbers or (self.reading is None and each.text):
                    self.waiting[-1].append(number)
                    continue
                whole = self.numbers.whole(*each.numbers)
                touched = whole or self.numbers.touched(*each.numbers)
                if each.text is None:
                    if touched:
                        self.take(entity, number, touched)
                    else:
                        self.lost += 1
                elif whole in self.key.find(each.text).places:
                    assert whole is not None
                    self.take(entity, number, whole)
                else:
                    moved.append((entity, number))
        for entity, number in moved:
            self._move(entity, number, counts)

    def _move(self, entity: int, number: int, counts: Counter[str]) -> None:
        each = self.lists[entity][number]
        assert each.text
        assert each.numbers
        places = self.key.find(each.text).places
        free = [place for place in places if place not in self.taken]
        if free:
            meant = self.numbers.touched(*each.numbers)
            first = meant[0] if meant else (len(self.key.words) if each.numbers[0] > 0 else 0)
            self.take(entity, number, min(free, key=lambda place: (abs(place[0] - first), place)))
            counts["moved"] += 1
        elif places:
            self.surplus += 1
        else:
            self.lost += 1

    def doubts(self) -> Iterator[Doubt]:
        """Strings that could be placed in more than one way."""
        groups: dict[str, list[tuple[int, int]]] = {}
        for entity, numbers in enumerate(self.waiting):
            for number in numbers:
                form, found = self.key.looked_up(self.lists[entity][number].text or "")
                if found.places:
                    groups.setdefault(form, []).append((entity, number))
        for form, listings in groups.items():
            classes = [tuple(place for place in each if place not in self.taken) for each in self.strings.classes(form)]
            sizes = [0, *accumulate(map(len, classes))]
            fixed = len(listings) in sizes or len(listings) > sizes[-1]  # whole classes are taken
            if sizes[-1] > 1 and (not fixed or len({entity for entity, _ in listings}) > 1):
                yield Doubt(tuple(listings), tuple(each for each in classes if each))

    def in_order(self) -> None:
        """Place the strings in two rounds: in reading order, then those put aside wherever there is room."""
        aside: list[tuple[int, int]] = []
        turns = [iter(numbers) for numbers in self.waiting]
        queue: list[tuple[int, int, Place, int]] = []  # first word, entity, place, number of the listing
        current: dict[int, int] = {}
        watching: dict[Place, list[int]] = {}

        def look(entity: int, number: int | None) -> None:
            """Queue the entity's listing, or the next one of it that has a place behind the one before it."""
            while number is None or number >= 0:
                if number is None:
                    number = next(turns[entity], -1)
                    continue
                place = self._next(entity, number)
                if place is not None:
                    current[entity] = number
                    watching.setdefault(place, []).append(entity)
                    heapq.heappush(queue, (place[0], entity, place, number))
                    return
                aside.append((entity, number))
                number = None
            current.pop(entity, None)

        for entity in range(len(turns)):
            look(entity, None)
        while queue:
            _, entity, place, number = heapq.heappop(queue)
            if place in self.taken or current.get(entity) != number:
                continue
            self.take(entity, number, place)
            for other in watching.pop(place):
                look(other, None if other == entity else current.get(other, -1))
        for entity, number in sorted(aside):
            free = next(iter(self._open(entity, number)), None)
            if free is not None:
                self.take(entity, number, free)
            elif self.key.has(self.lists[entity][number].text or ""):
                self.surplus += 1
            else:
                self.lost += 1

    def _open(self, entity: int, number: int) -> Sequence[Place]:
        """The best class of free places of a listing."""
        text = self.lists[entity][number].text or ""
        if text in self.full:
            return ()
        taken, free = self.free.get(text, (-1, ()))
        if taken < len(self.taken):
            classes = ([place for place in each if place not in self.taken] for each in self.strings.classes(text))
            free = next(filter(None, classes), ())
            self.free[text] = len(self.taken), free
        if not free:
            self.full.add(text)
        return free

    def _next(self, entity: int, number: int) -> Place | None:
        free = self._open(entity, number)
        at = bisect_left(free, (self._behind(entity, number) + 1, -1))
        return free[at] if at < len(free) else None

    def _behind(self, entity: int, number: int) -> int:
        """The first word of the last listing before this one that has a place; called in the order of listings."""
        looked, first = self.before[entity]
        for place in self.places[entity][looked:number]:
            first = place[0] if place else first
        self.before[entity] = max(looked, number), first
        return first

    def result(self, counts: Counter[str], doubts: tuple[Doubt, ...], reading: str) -> Placed:
        """The listed mentions with their places; how often an entity has a place for the second time is counted."""
        lists = [
            [Item(place, each) for each, place in zip(members, places, strict=True)]
            for members, places in zip(self.lists, self.places, strict=True)
        ]
        for each in self.places:
            known = [place for place in each if place]
            counts["duplicate"] += len(known) - len({*known})
        counts["lost"] += self.lost
        counts["surplus"] += self.surplus
        return Placed(lists, +counts, doubts, reading)


def once(lists: Sequence[Sequence[Item]]) -> list[list[Item]]:
    """The entities, each with a place once; those without any mention are left out."""
    entities = []
    for items in lists:
        seen: set[Place | None] = set()
        kept = []
        for item in items:
            if item.place is None or item.place not in seen:
                kept.append(item)
                seen.add(item.place)
        if kept:
            entities.append(kept)
    return entities
