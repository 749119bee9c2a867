"""Cases of event nuggets: spans, types, realis, coreference of events, sequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from suite.dice import Dice

TYPES = ("attack", "die", "meet", "move")
REALIS = ("actual", "generic", "other")

HAND: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    ("span: perfect", "types", "0-4 attack actual; 6-9 die other", "0-4 attack actual; 6-9 die other", {}),
    ("span: one is missing", "twinless", "0-4 attack actual; 6-9 die other", "0-4 attack actual", {}),
    ("span: one too many", "twinless", "0-4 attack actual", "0-4 attack actual; 6-9 die other", {}),
    ("span: half of it", "boundaries", "0-4 attack actual", "0-2 attack actual", {}),
    ("span: twice as long", "boundaries", "0-4 attack actual", "0-8 attack actual", {}),
    ("span: nothing in common", "0/0 twinless", "0-4 attack actual", "5-9 attack actual", {}),
    ("span: two pieces", "discontinuous", "0-4+10-12 attack actual", "0-4+10-12 attack actual", {}),
    ("span: one of two pieces", "discontinuous boundaries", "0-4+10-12 attack actual", "0-4 attack actual", {}),
    ("span: pieces in another order", "discontinuous", "0-4+10-12 attack actual", "10-12+0-4 attack actual", {}),
    ("type: wrong", "types", "0-4 attack actual", "0-4 die actual", {}),
    ("type: other capitals and punctuation", "types", "0-4 Conflict_Attack actual", "0-4 conflict.attack actual", {}),
    ("realis: wrong", "realis", "0-4 attack actual", "0-4 attack other", {}),
    ("realis: other capitals", "realis", "0-4 attack actual", "0-4 attack Actual", {}),
    (
        "type and realis: each wrong once",
        "types realis",
        "0-4 attack actual; 6-9 die other",
        "0-4 die actual; 6-9 die actual",
        {},
    ),
    (
        "double tagging: perfect",
        "double tagging",
        "0-4 attack actual; 0-4 die actual",
        "0-4 attack actual; 0-4 die actual",
        {},
    ),
    ("double tagging: one is missing", "double tagging", "0-4 attack actual; 0-4 die actual", "0-4 die actual", {}),
    (
        "double tagging: of one type",
        "double tagging",
        "0-4 attack actual; 0-4 attack other",
        "0-4 attack other; 0-4 attack actual",
        {},
    ),
    ("tie: two responses for one nugget", "ties", "0-4 attack actual", "0-2 attack actual; 2-4 attack actual", {}),
    ("tie: one response for two nuggets", "ties", "0-2 attack actual; 2-4 attack actual", "0-4 attack actual", {}),
    ("tie: the better one comes later", "ties", "0-4 attack actual", "0-2 attack actual; 0-3 attack actual", {}),
    (
        "coreference: perfect",
        "events",
        "0-4 attack actual =1; 6-9 attack actual =1",
        "0-4 attack actual =1; 6-9 attack actual =1",
        {},
    ),
    (
        "coreference: no link found",
        "events",
        "0-4 attack actual =1; 6-9 attack actual =1",
        "0-4 attack actual; 6-9 attack actual",
        {},
    ),
    (
        "coreference: a wrong link",
        "events",
        "0-4 attack actual; 6-9 attack actual",
        "0-4 attack actual =1; 6-9 attack actual =1",
        {},
    ),
    (
        "coreference: singletons alone",
        "events singletons 0/0",
        "0-4 attack actual; 6-9 die actual",
        "0-4 attack actual; 6-9 die actual",
        {},
    ),
    ("coreference: one nugget", "events singletons 0/0", "0-4 attack actual", "0-4 attack actual", {}),
    (
        "coreference: the type is wrong",
        "events types",
        "0-4 attack actual =1; 6-9 attack actual =1",
        "0-4 attack actual =1; 6-9 die actual =1",
        {},
    ),
    (
        "coreference: the span is wrong",
        "events boundaries",
        "0-4 attack actual =1; 6-9 attack actual =1",
        "0-4 attack actual =1; 6-8 attack actual =1",
        {},
    ),
    (
        "coreference: one span in two events",
        "events double tagging",
        "0-4 attack actual =1; 0-4 die actual =2; 6-9 attack actual =1; 11-14 die actual =2",
        "0-4 attack actual =1; 0-4 die actual =2; 6-9 attack actual =1; 11-14 die actual =2",
        {},
    ),
    (
        "sequence: perfect",
        "sequencing",
        "0-4 attack actual; 6-9 die actual",
        "0-4 attack actual; 6-9 die actual",
        {"after": {"key": "1>2", "response": "1>2"}},
    ),
    (
        "sequence: missing",
        "sequencing",
        "0-4 attack actual; 6-9 die actual",
        "0-4 attack actual; 6-9 die actual",
        {"after": {"key": "1>2", "response": ""}},
    ),
    (
        "sequence: the other way round",
        "sequencing",
        "0-4 attack actual; 6-9 die actual",
        "0-4 attack actual; 6-9 die actual",
        {"after": {"key": "1>2", "response": "2>1"}},
    ),
    (
        "sequence: a chain, its ends alone",
        "sequencing",
        "0-4 attack actual; 6-9 die actual; 11-14 meet actual",
        "0-4 attack actual; 6-9 die actual; 11-14 meet actual",
        {"after": {"key": "1>2 2>3", "response": "1>3"}},
    ),
    (
        "sequence: a chain, and what follows from it",
        "sequencing",
        "0-4 attack actual; 6-9 die actual; 11-14 meet actual",
        "0-4 attack actual; 6-9 die actual; 11-14 meet actual",
        {"after": {"key": "1>2 2>3", "response": "1>2 2>3 1>3"}},
    ),
    (
        "sequence: parts",
        "sequencing",
        "0-4 attack actual; 6-9 die actual",
        "0-4 attack actual; 6-9 die actual",
        {"subevent": {"key": "1>2", "response": "1>2"}},
    ),
    (
        "sequence: of events with two mentions",
        "sequencing events",
        "0-4 attack actual =1; 6-9 attack actual =1; 11-14 meet actual",
        "0-4 attack actual =1; 6-9 attack actual =1; 11-14 meet actual",
        {"after": {"key": "1>3", "response": "2>3"}},
    ),
    (
        "documents: the response has nothing",
        "several documents empty",
        ["0-4 attack actual", "0-4 die actual"],
        ["0-4 attack actual", ""],
        {},
    ),
    (
        "documents: the key has nothing",
        "several documents empty",
        ["0-4 attack actual", ""],
        ["0-4 attack actual", "0-4 die actual"],
        {},
    ),
    (
        "documents: one is missing",
        "several documents missing",
        ["0-4 attack actual", "0-4 die actual"],
        ["0-4 attack actual", None],
        {},
    ),
    (
        "documents: large and small",
        "several documents",
        ["0-4 attack actual; 6-9 die actual; 11-14 meet actual", "0-4 die actual"],
        ["0-4 attack actual; 6-9 die actual; 11-14 meet actual", "0-4 meet actual"],
        {},
    ),
)


class Event(NamedTuple):
    """A nugget while it is made."""

    first: int
    last: int
    type: str
    realis: str
    event: int


def written(events: list[Event]) -> str:
    """Nuggets as the suite writes them."""
    return "; ".join(f"{e.first}-{e.last} {e.type} {e.realis}" + (f" ={e.event}" if e.event else "") for e in events)


def random_events(dice: Dice) -> list[Event]:
    """A key: nuggets one after the other, some with a second type; half of them in an event of one type."""
    found, start = [], 0
    for _ in range(dice.between(2, 8)):
        length = dice.between(3, 8)
        kind = dice.below(len(TYPES))
        event = 1 + kind if dice.chance(50) else 0
        found.append(Event(start, start + length, TYPES[kind], dice.one(REALIS), event))
        if dice.chance(12):
            other = (kind + 1) % len(TYPES)
            found.append(Event(start, start + length, TYPES[other], dice.one(REALIS), 0))
        start += length + 1
    return found


def disturbed(dice: Dice, key: list[Event]) -> tuple[list[Event], list[int]]:
    """A response, and which nugget of the key each comes from."""
    found, sources = [], []
    for number, event in enumerate(key):
        if dice.chance(12):
            continue
        new = event
        if dice.chance(15):
            new = new._replace(last=new.last - 1)
        if dice.chance(15):
            new = new._replace(type=dice.one(TYPES))
        if dice.chance(20):
            new = new._replace(realis=dice.one(REALIS))
        if dice.chance(20):
            new = new._replace(event=dice.below(1 + len(TYPES)))
        found.append(new)
        sources.append(number)
        if dice.chance(6):
            found.append(new._replace(first=new.first + 1, event=0))
            sources.append(number)
    return found, sources


def links(dice: Dice, number: int) -> list[tuple[int, int]]:
    """Pairs of nuggets, the first before the second, so that no links go round in a circle."""
    pairs = [(one, other) for one in range(number) for other in range(one + 1, number)]
    return sorted(dice.shuffled(pairs)[: dice.between(1, 3)])


def chance() -> Iterator[dict[str, Any]]:
    """By chance: one document or two; every fourth has links."""
    for number in range(360):
        dice = Dice(f"nuggets {number}")
        if number % 4 == 1:
            keys = [random_events(dice) for _ in range(2)]
            sides = [written(each) for each in keys], [written(disturbed(dice, each)[0]) for each in keys]
            yield {
                "name": str(number),
                "about": "several documents types realis events",
                "key": sides[0],
                "response": sides[1],
            }
            continue
        key = [each._replace(event=0) if number % 4 == 3 else each for each in random_events(dice)]
        response, sources = disturbed(dice, key)
        row: dict[str, Any] = {"name": str(number), "about": "types realis events"}
        if number % 4 == 3 and len(key) > 2 and response:
            response = [each._replace(event=0) for each in response]
            row["about"] = "types realis sequencing"
            kind = dice.one(["after", "after", "subevent"])
            ours = links(dice, len(key))
            place = {source: position for position, source in reversed([*enumerate(sources, 1)])}
            theirs = sorted(
                {(place[a], place[b]) for a, b in ours if a in place and b in place and not dice.chance(25)}
            )
            if dice.chance(30) and len(response) > 2:
                extra = links(dice, len(response))[0]
                theirs = sorted({*theirs, (extra[0] + 1, extra[1] + 1)})
            row[kind] = {"key": " ".join(f"{a + 1}>{b + 1}" for a, b in ours),
                         "response": " ".join(f"{a}>{b}" for a, b in theirs)}  # fmt: skip
        yield {**row, "key": written(key), "response": written(response)}


def nuggets() -> Iterator[dict[str, Any]]:
    """Those made by hand, then by chance."""
    for name, about, key, response, more in HAND:
        yield {"name": name, "about": about, "key": key, "response": response, **more}
    yield from chance()


ROWS = {"nuggets": nuggets}
