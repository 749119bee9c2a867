"""Keys and responses of one-word mentions: all small ones, larger ones by chance, several documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from suite.dice import Dice
from suite.sides import letters

Parts = list[list[int]]


def parts(words: list[int]) -> Iterator[Parts]:
    """All ways to put some of these words into entities."""
    if not words:
        yield []
        return
    *rest, last = words
    for each in parts(rest):
        yield each
        yield [*each, [last]]
        for place in range(len(each)):
            yield [*each[:place], [*each[place], last], *each[place + 1 :]]


def sizes(number: int, largest: int | None = None) -> Iterator[list[int]]:
    """The sizes that the entities of so many mentions may have, from large to small."""
    if not number:
        yield []
    for first in range(min(number, largest or number), 0, -1):
        yield from ([first, *rest] for rest in sizes(number - first, first))


def small(most: int = 4) -> Iterator[dict[str, Any]]:
    """Every key with every response of at most so many mentions together, but for the names of mentions."""
    for together in range(most + 1):
        for ours in range(together + 1):
            for each in sizes(ours):
                places = [sum(each[:number]) for number in range(len(each))]
                key = letters([range(start, start + size) for start, size in zip(places, each, strict=True)])
                for response in parts([*range(together)]):
                    if {*range(ours, together)} <= {word for entity in response for word in entity}:
                        given = letters(response)
                        yield {"name": f"{key or 'nothing'} : {given or 'nothing'}", "key": key, "response": given}


def random_parts(dice: Dice, words: int) -> Parts:
    """Entities of about a half of the words; there are more small ones than large ones."""
    entities: Parts = []
    for word in range(words):
        if dice.chance(40):
            continue
        if not entities or dice.chance(35):
            entities.append([word])
        else:
            entities[min(dice.below(len(entities)), dice.below(len(entities)))].append(word)
    return entities


def disturbed(dice: Dice, entities: Parts, words: int, percent: int) -> Parts:
    """A response: mentions are dropped, moved and added, entities split and merged."""
    found = [[*each] for each in entities]
    for entity in [*found]:
        for word in [*entity]:
            if dice.chance(percent):
                entity.remove(word)
                if dice.chance(50):
                    found[dice.below(len(found))].append(word)
    taken = {word for entity in found for word in entity}
    for word in range(words):
        if word not in taken and dice.chance(percent // 2):
            if found and dice.chance(60):
                found[dice.below(len(found))].append(word)
            else:
                found.append([word])
    if len(found) > 1 and dice.chance(percent):
        found[0] += found.pop(1 + dice.below(len(found) - 1))
    if found and len(found[-1]) > 2 and dice.chance(percent):
        last = found.pop()
        found += [last[:2], last[2:]]
    return [sorted(each) for each in found if each]


def partitions() -> Iterator[dict[str, Any]]:
    """One document of up to 24 words; every fifth has no singletons in its key."""
    for number in range(1400):
        dice = Dice(f"partitions {number}")
        words = dice.between(5, 24)
        key = random_parts(dice, words)
        if number % 5 == 0:
            key = [each for each in key if len(each) > 1]
        response = disturbed(dice, key, words, dice.one([5, 15, 30, 60]))
        yield {"name": str(number), "words": words, "key": letters(key), "response": letters(response)}


def documents() -> Iterator[dict[str, Any]]:
    """Two to four documents; some are empty on a side, some responses lack one."""
    for number in range(700):
        dice = Dice(f"documents {number}")
        keys: list[str] = []
        responses: list[str | None] = []
        for _ in range(dice.between(2, 4)):
            words = dice.between(3, 12)
            key = [] if dice.chance(7) else random_parts(dice, words)
            response = [] if dice.chance(7) else disturbed(dice, key, words, dice.one([5, 15, 30, 60]))
            keys.append(letters(key))
            responses.append(None if dice.chance(6) else letters(response))
        yield {"name": str(number), "words": 12, "key": keys, "response": responses}


ROWS = {"small": small, "partitions": partitions, "documents": documents}
