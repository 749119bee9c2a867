"""Mentions of several words: nested, crossing, repeated; with parse trees and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from suite.dice import Dice

Spans = list[list[tuple[int, int]]]


def text(entities: Spans) -> str:
    """Entities as they are written."""
    return "|".join(" ".join(str(a) if a == b else f"{a}-{b}" for a, b in each) for each in entities if each)


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two spans overlap, and neither is within the other."""
    (a, b), (c, d) = sorted((one, other))
    return a < c <= b < d


def fits(span: tuple[int, int], entity: list[tuple[int, int]]) -> bool:
    """Whether an entity's brackets can be told apart with it: no mention crosses it."""
    return not any(crosses(span, other) for other in entity)


def random_spans(dice: Dice, words: int, repeated: int) -> Spans:
    """Entities of spans, of which some are nested or cross those of others; so many percent are in two places."""
    entities: Spans = [[] for _ in range(dice.between(1, 4))]
    taken: list[tuple[int, int]] = []
    for _ in range(dice.between(2, 9)):
        first = dice.below(words)
        span = (first, min(words - 1, first + dice.one([0, 0, 1, 1, 2, 4])))
        if taken and dice.chance(repeated):
            span = dice.one(taken)
        elif span in taken:
            continue
        entity = dice.one(entities)
        if fits(span, entity):
            entity.append(span)
            taken.append(span)
    return [sorted(each) for each in entities if each]


def disturbed(dice: Dice, key: Spans, words: int, repeated: int) -> Spans:
    """A response: ends are moved, mentions dropped, moved, and put into a second place."""
    found: Spans = [[] for _ in key] or [[]]
    for place, entity in enumerate(key):
        for first, last in entity:
            if dice.chance(12):
                continue
            if dice.chance(12):
                last = min(words - 1, last + 1)
            elif dice.chance(8) and last > first:
                first += 1
            targets = [place if dice.chance(85) else dice.below(len(found))]
            if dice.chance(repeated):
                targets.append(dice.below(len(found)))
            here = (first, last)
            for target in targets:
                if fits(here, found[target]) and (repeated or not any(here in each for each in found)):
                    found[target].append(here)
    return [sorted(each) for each in found if each]


def spans() -> Iterator[dict[str, Any]]:
    """Spans without repeats, then with some."""
    for number in range(700):
        dice = Dice(f"spans {number}")
        words = dice.between(6, 16)
        repeated = 0 if number < 450 else 12
        key = random_spans(dice, words, repeated if number % 2 else 0)
        response = disturbed(dice, key, words, repeated)
        yield {"name": str(number), "words": words, "key": text(key), "response": text(response)}


# -- parse trees -------------------------------------------------------------------------------------------------------

Row = tuple[str, str, str]  # word, part of speech, what stands in the column of the parse
DOGS = ("dogs", "cats", "kings", "trees", "rivers", "books")


def phrase(dice: Dice, depth: int = 0) -> list[Row]:
    """A noun phrase: words, with others in it."""
    noun = (dice.one(DOGS), "NNS", "*")
    kind = dice.below(6) if depth < 2 else dice.below(2)
    if kind == 0:
        rows = [("the", "DT", "*"), noun]
    elif kind == 1:
        rows = [noun]
    elif kind in (2, 3):
        rows = [*phrase(dice, depth + 1), *nested("PP", [("of", "IN", "*"), *phrase(dice, depth + 1)])]
    elif kind == 4:
        rows = [*phrase(dice, depth + 1), ("and", "CC", "*"), *phrase(dice, depth + 1)]
    else:
        clause = nested("VP", [("sleep", "VBP", "*")])
        rows = [*phrase(dice, depth + 1), *nested("SBAR", [("that", "WDT", "*"), *nested("S", clause)])]
    return nested(dice.one(["NP", "NP", "NP", "NML"]) if depth else "NP", rows)


def nested(label: str, rows: list[Row]) -> list[Row]:
    """Rows within one more bracket."""
    (word, tag, bit), *rest = rows
    found = [(word, tag, f"({label}{bit}"), *rest]
    word, tag, bit = found[-1]
    return [*found[:-1], (word, tag, f"{bit})")]


def brackets(rows: list[Row]) -> list[tuple[int, int]]:
    """The spans of all phrases, from left to right."""
    stack: list[int] = []
    found = []
    for number, (_, _, bit) in enumerate(rows):
        stack += [number] * bit.count("(")
        found += [(stack.pop(), number) for _ in range(bit.count(")"))]
    return sorted({*found})


def trees() -> Iterator[dict[str, Any]]:
    """A sentence or two with trees; mentions are phrases, those of the response are also cut at an end."""
    for number in range(300):
        dice = Dice(f"trees {number}")
        rows, starts = [], []
        for _ in range(dice.between(1, 2)):
            starts.append(len(rows))
            verb = nested("VP", [("see", "VBP", "*"), *phrase(dice)])
            rows += nested("TOP", nested("S", [*phrase(dice), *verb]))
        spans = brackets(rows)
        entities: Spans = [[] for _ in range(dice.between(1, 3))]
        for span in dice.shuffled(spans)[: dice.between(2, 8)]:
            entities[dice.below(len(entities))].append(span)
        key = [sorted(each) for each in entities if each]
        response: Spans = [[] for _ in key]
        taken: set[tuple[int, int]] = set()
        for place, entity in enumerate(key):
            for first, last in entity:
                if dice.chance(25) and last > first:
                    first, last = dice.one([(first, last - 1), (first + 1, last), (first, first)])
                target = place if dice.chance(85) else dice.below(len(key))
                if (first, last) not in taken and not any(
                    crosses((first, last), other) for each in response for other in each
                ):
                    taken.add((first, last))
                    response[target].append((first, last))
        columns = {name: [row[place] for row in rows] for place, name in enumerate(("tokens", "tags", "parse"))}
        yield {"name": str(number), "words": len(rows), "sentences": starts[1:], **columns,
               "key": text(key), "response": text([sorted(each) for each in response])}  # fmt: skip


ROWS = {"spans": spans, "trees": trees}
