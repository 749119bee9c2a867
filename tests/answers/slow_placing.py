"""Places of strings by the letter of the rules: slow, and as plain as can be."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

Place = tuple[int, int]

SIGNS = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "``": '"', "''": '"', "‘": "'", "’": "'", "`": "'",
         "–": "-", "—": "-", "‑": "-", "…": "..."}  # fmt: skip


def spelt(text: str) -> str:
    for old, new in SIGNS.items():
        text = text.replace(old, new)
    return unicodedata.normalize("NFKC", text)


LEVELS = [str, spelt, lambda text: spelt(text).casefold()]


def occurrences(words: Sequence[str], text: str) -> dict[Place, int]:
    """Where whole words make up the text, without regard to blanks, and the first level in which they do."""
    found: dict[Place, int] = {}
    for level, change in enumerate(LEVELS):
        for first in range(len(words)):
            for last in range(first, len(words)):
                if "".join(change("".join(words[first : last + 1])).split()) == "".join(change(text).split()):
                    found.setdefault((first, last), level)
    return found


def placed(words: Sequence[str], lists: Sequence[Sequence[str]]) -> list[list[Place | None]]:
    """The place of each string, in the rounds that the rules describe."""
    places = {text: occurrences(words, text) for entity in lists for text in entity}
    result: list[list[Place | None]] = [[None] * len(entity) for entity in lists]
    taken: set[Place] = set()

    def inside(place: Place) -> bool:
        """Whether the place is in a place of a longer listed string."""
        return any(first <= place[0] and place[1] <= last and last - first > place[1] - place[0]
                   for found in places.values() for first, last in found)  # fmt: skip

    def open_places(text: str) -> list[Place]:
        """The free places of the best class that has any."""
        free = [(level, inside(place), place) for place, level in places[text].items() if place not in taken]
        best = min((each[:2] for each in free), default=None)
        return sorted(place for *rank, place in free if tuple(rank) == best)

    def wanted(entity: int, number: int) -> Place | None:
        """The first open place behind the first word of the one before it in its entity."""
        before = [place for place in result[entity][:number] if place is not None]
        behind = before[-1][0] if before else -1
        return next((place for place in open_places(lists[entity][number]) if place[0] > behind), None)

    turn = [0] * len(lists)
    aside: list[tuple[int, int]] = []
    while True:  # the first round: one listing is placed in each turn
        offers = []
        for entity, strings in enumerate(lists):
            while turn[entity] < len(strings) and wanted(entity, turn[entity]) is None:
                aside.append((entity, turn[entity]))
                turn[entity] += 1
            if turn[entity] < len(strings):
                place = wanted(entity, turn[entity])
                assert place is not None
                offers.append((place[0], entity, place))
        if not offers:
            break
        _, entity, place = min(offers)
        result[entity][turn[entity]] = place
        taken.add(place)
        turn[entity] += 1
    for entity, number in sorted(aside):  # the second round: wherever there is room
        free = open_places(lists[entity][number])
        if free:
            result[entity][number] = free[0]
            taken.add(free[0])
    return result
