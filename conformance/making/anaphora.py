"""Cases for the Universal Anaphora format: sets, non-referring mentions, bridging, deixis, minimum spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from suite.dice import Dice

Span = tuple[int, int]


class Annotation(NamedTuple):
    """A side of a document: entities, the sets of some, those that refer to nothing, bridging links, deixis."""

    entities: dict[int, list[Span]]
    sets: dict[int, list[int]]
    idle: set[int]
    bridging: list[tuple[Span, Span]]
    deixis: list[list[Span]]
    least: dict[Span, Span]


def chunks(dice: Dice, words: int) -> list[Span]:
    """Stretches that do not overlap, and some one-word mentions within them."""
    found, start = [], 0
    while start < words:
        last = min(words - 1, start + dice.one([0, 0, 0, 1, 2]))
        if dice.chance(75):
            found.append((start, last))
            if last > start and dice.chance(20):
                found.append((start, start))
        start = last + 1
    return found


def random_annotation(dice: Dice, words: int, kind: str) -> Annotation:
    """A key."""
    spans = chunks(dice, words)
    entities: dict[int, list[Span]] = {}
    for span in spans:
        target = dice.between(1, max(2, len(spans) - 1 if kind == "sets" else len(spans) // 2))
        entities.setdefault(target, []).append(span)
    names = sorted(entities)
    sets: dict[int, list[int]] = {}
    if kind == "sets":
        for name in names[-dice.between(1, 2) :]:
            members = [each for each in names if each not in sets and each != name]
            chosen = sorted(dice.shuffled(members)[: dice.between(2, 3)])
            if len(chosen) > 1 and not any(name in others for others in sets.values()):
                sets[name] = chosen
    idle = {name for name in names if kind == "non-referring" and len(entities[name]) == 1 and dice.chance(60)}
    every = [span for name in names if name not in idle for span in entities[name]]
    pairs = [(anaphor, dice.one(every)) for anaphor in every if kind == "bridging" and dice.chance(40)]
    deixis = [
        [(word, word)] + ([(word + 2, word + 2)] if word + 2 < words and dice.chance(50) else [])
        for word in range(0, words, 4)
        if kind == "deixis"
    ]
    least = {span: (span[1], span[1]) for span in spans if kind == "minimum" and span[0] < span[1] and dice.chance(80)}
    return Annotation(entities, sets, idle, [pair for pair in pairs if pair[0] != pair[1]], deixis, least)


def disturbed(dice: Dice, key: Annotation, words: int) -> Annotation:
    """A response: mentions are dropped, moved and cut, members of sets exchanged, links moved."""
    names = sorted(key.entities)
    entities: dict[int, list[Span]] = {name: [] for name in names}
    moved: dict[Span, Span] = {}
    taken: set[Span] = set()
    for name in names:
        for first, last in key.entities[name]:
            new = (first, last - 1) if last > first and dice.chance(15) else (first, last)
            if dice.chance(10) or new in taken:
                continue
            taken.add(new)
            moved[first, last] = new
            entities[name if dice.chance(85) else dice.one(names)].append(new)
    kept = {name: sorted(spans) for name, spans in entities.items() if spans}
    sets = {
        name: sorted({(dice.one(names) if dice.chance(25) else each) for each in members} & {*kept} - {name, *key.sets})
        for name, members in key.sets.items()
        if name in kept and not dice.chance(10)
    }
    idle = {name for name in kept if len(kept[name]) == 1 and (name in key.idle) != dice.chance(20) and key.idle}
    spans = [span for name in sorted(kept) if name not in idle for span in kept[name]]
    links = [(moved.get(a), moved.get(b) if dice.chance(75) or not spans else dice.one(spans)) for a, b in key.bridging]
    bridging = [(a, b) for a, b in links if a in spans and b in spans and a != b]
    deixis = [[span for span in each if not dice.chance(15)] for each in key.deixis]
    if len(deixis) > 1 and dice.chance(30):
        deixis[0] += deixis.pop()
    return Annotation(kept, {n: m for n, m in sets.items() if len(m) > 1}, idle, bridging, [*filter(None, deixis)], {})


def written(side: Annotation) -> str:
    """Entities as the suite writes them, with their names."""
    return "|".join(
        f"{'!' if name in side.idle else ''}{name}="
        + " ".join(
            [span(each) + (f"~{span(side.least[each])}" if each in side.least else "") for each in side.entities[name]]
            + ([f"{{{' '.join(map(str, side.sets[name]))}}}"] if name in side.sets else [])
        )
        for name in sorted(side.entities)
    )


def span(each: Span) -> str:
    """A span as it is written.

    >>> span((1, 1)), span((1, 3))
    ('1', '1-3')
    """
    return str(each[0]) if each[0] == each[1] else f"{each[0]}-{each[1]}"


def more(key: Annotation, response: Annotation) -> dict[str, Any]:
    """What of both sides is no entity."""
    sides = {"key": key, "response": response}
    found = {}
    if key.bridging:
        found["bridging"] = {
            which: " ".join(f"{span(a)}>{span(b)}" for a, b in each.bridging) for which, each in sides.items()
        }
    if key.deixis:
        found["deixis"] = {
            which: "|".join(" ".join(map(span, sorted({*entity}))) for entity in each.deixis)
            for which, each in sides.items()
        }
    return found


KINDS = {"sets": 260, "non-referring": 60, "bridging": 80, "deixis": 60, "minimum": 80, "plain": 30}

HAND: tuple[tuple[str, str, str], ...] = (
    # name, key, response
    ("set: perfect", "1=0|2=1|3=2 {1 2}", "1=0|2=1|3=2 {1 2}"),
    ("set: perfect, with mentions of its own", "1=0 3|2=1|3=2 4 {1 2}", "1=0 3|2=1|3=2 4 {1 2}"),
    ("set: one member is missing", "1=0|2=1|3=2|4=3 {1 2 3}", "1=0|2=1|3=2|4=3 {1 2}"),
    ("set: one member too many", "1=0|2=1|3=2|4=3 {1 2}", "1=0|2=1|3=2|4=3 {1 2 3}"),
    ("set: one member is another entity", "1=0|2=1|3=2|4=3 {1 2}", "1=0|2=1|3=2|4=3 {1 3}"),
    ("set: no member is right", "1=0|2=1|3=2|4=3|5=4 {1 2}", "1=0|2=1|3=2|4=3|5=4 {3 4}"),
    ("set: missing", "1=0|2=1|3=2 {1 2}", "1=0|2=1|3=2"),
    ("set: spurious", "1=0|2=1|3=2", "1=0|2=1|3=2 {1 2}"),
    ("set: on another mention", "1=0|2=1|3=2 {1 2}|4=3", "1=0|2=1|3=2|4=3 {1 2}"),
    ("set: members merged", "1=0|2=1|3=2 {1 2}", "1=0 1|3=2"),
    ("set: members with several mentions", "1=0 4|2=1 5|3=2 {1 2}", "1=0 4|2=1 5|3=2 {1 2}"),
    ("set: a member loses a mention", "1=0 4|2=1 5|3=2 {1 2}", "1=0|2=1 5|3=2 {1 2}"),
    ("set: two sets", "1=0|2=1|3=2|4=3|5=4 {1 2}|6=5 {3 4}", "1=0|2=1|3=2|4=3|5=4 {1 2}|6=5 {3 4}"),
    ("set: two sets exchanged", "1=0|2=1|3=2|4=3|5=4 {1 2}|6=5 {3 4}", "1=0|2=1|3=2|4=3|5=4 {3 4}|6=5 {1 2}"),
    ("set: two sets share a member", "1=0|2=1|3=2|5=4 {1 2}|6=5 {2 3}", "1=0|2=1|3=2|5=4 {1 2}|6=5 {2 3}"),
    ("set: a set of a set", "1=0|2=1|3=2|4=3 {1 2}|5=4 {3 4}", "1=0|2=1|3=2|4=3 {1 2}|5=4 {1 2 3}"),
    ("set: a plural entity of two mentions", "1=0|2=1|3=2 3 {1 2}", "1=0|2=1|3=2 {1 2}"),
    ("non-referring: found", "1=0 2|!2=1", "1=0 2|!2=1"),
    ("non-referring: missing", "1=0 2|!2=1", "1=0 2"),
    ("non-referring: spurious", "1=0 2", "1=0 2|!2=1"),
    ("non-referring: taken for a singleton", "1=0 2|!2=1", "1=0 2|2=1"),
    ("non-referring: a singleton taken for one", "1=0 2|2=1", "1=0 2|!2=1"),
    ("minimum: the response has the minimum alone", "1=0-2~2 4", "1=2 4"),
    ("minimum: the response has more than the mention", "1=0-2~2 5", "1=0-3 5"),
    ("minimum: the response lacks the minimum", "1=0-2~2 4", "1=0-1 4"),
    ("minimum: the minimum and one word", "1=0-2~2 4", "1=1-2 4"),
)


def anaphora() -> Iterator[dict[str, Any]]:
    """Those made by hand, then by chance."""
    for name, key, response in HAND:
        yield {"name": name, "key": key, "response": response}
    for kind, number in KINDS.items():
        for each in range(number):
            dice = Dice(f"{kind} {each}")
            words = dice.between(7, 14)
            key = random_annotation(dice, words, kind)
            response = disturbed(dice, key, words)
            yield {"name": f"{kind} {each}", "words": words, "key": written(key), "response": written(response),
                   **more(key, response)}  # fmt: skip


ROWS = {"anaphora": anaphora}
