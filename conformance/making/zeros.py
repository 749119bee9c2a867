"""Cases for CorefUD: heads, empty nodes, mentions in several pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from suite.dice import Dice

SUBJECT = "2.1:3:nsubj"

Cell = tuple[list[str], str]  # the pieces of a mention as they are written, and its head

HAND: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("head: the same head, one word less", "0-2@1 4", "0-1@1 4", {}),
    ("head: the same head, one word more", "0-2@1 4", "0-3@1 4", {}),
    ("head: another head, the same words", "0-2@1 4", "0-2@2 4", {}),
    ("head: another head, other words", "0-2@1 4", "1-2@2 4", {}),
    ("head: the response has the head alone", "0-2@1 4", "1 4", {}),
    ("head: the key has the head alone", "1 4", "0-2@1 4", {}),
    ("head: two response mentions with the head of one", "0-2@1 4", "0-1@1 1-2@1 4", {}),
    ("head: two key mentions with one head", "0-2@1 4|1 5", "0-2@1 4|1 5", {}),
    ("head: two key mentions with one head, ends moved", "0-2@1 4|1 5", "0-1@1 4|1 5", {}),
    ("partial: inside, without the head", "0-2@1 4", "2 4", {}),
    ("discontinuous: found", "0+2@0 4", "0+2@0 4", {}),
    ("discontinuous: found as one piece", "0+2@0 4", "0-2@0 4", {}),
    ("discontinuous: one piece alone", "0+2@0 4", "0 4", {}),
    ("discontinuous: pieces of two words", "0-1+3-4@0 6", "0-1+3-4@0 6", {}),
    ("discontinuous: the second piece differs", "0-1+3-4@0 6", "0-1+3@0 6", {}),
    ("zero: found", "0 2.1", "0 2.1", {"empties": {"key": SUBJECT, "response": SUBJECT}}),
    ("zero: found in another place", "0 2.1", "0 1.1", {"empties": {"key": SUBJECT, "response": "1.1:3:nsubj"}}),
    ("zero: found with another parent", "0 2.1", "0 2.1", {"empties": {"key": SUBJECT, "response": "2.1:4:nsubj"}}),
    ("zero: found with another relation", "0 2.1", "0 2.1", {"empties": {"key": SUBJECT, "response": "2.1:3:obj"}}),
    ("zero: missing", "0 2.1 4", "0 4", {"empties": {"key": SUBJECT, "response": ""}}),
    ("zero: spurious", "0 4", "0 2.1 4", {"empties": {"key": "", "response": SUBJECT}}),
    ("zero: an empty node that is no mention", "0 4", "0 4", {"empties": {"key": SUBJECT, "response": ""}}),
    ("zero: two after one word", "0 2.1|1 2.2", "0 2.1|1 2.2",
     {"empties": {"key": "2.1:3:nsubj 2.2:3:obj", "response": "2.1:3:nsubj 2.2:3:obj"}}),
    ("zero: two after one word, exchanged", "0 2.1|1 2.2", "0 2.1|1 2.2",
     {"empties": {"key": "2.1:3:nsubj 2.2:3:obj", "response": "2.1:3:obj 2.2:3:nsubj"}}),
    ("zero: the first of two is missing", "0 2.2|1 2.1", "0 2.1",
     {"empties": {"key": "2.1:3:obj 2.2:3:nsubj", "response": SUBJECT}}),
    ("zero: found as a word", "0 2.1", "0 3", {"empties": {"key": SUBJECT, "response": ""}}),
    ("zero: two of one entity", "2.1 4.1", "2.1 4.1",
     {"empties": {"key": "2.1:3:nsubj 4.1:5:nsubj", "response": "2.1:3:nsubj 4.1:5:nsubj"}}),
    ("zero: inside a longer mention", "1-3@3 5", "1-3@3 5", {"empties": {"key": SUBJECT, "response": SUBJECT}}),
    ("zero: inside a longer mention of the key", "1-3@3 5", "1-3@3 5", {"empties": {"key": SUBJECT, "response": ""}}),
)  # fmt: skip


def tree(dice: Dice, words: int) -> list[int]:
    """Heads of words, numbered from 1: each word but the root hangs on one before it, so that there is a tree."""
    return [0, *(dice.between(1, word) for word in range(1, words))]


def random_side(dice: Dice, words: int, empties: list[str]) -> list[list[Cell]]:
    """Entities of spans with heads, of zeros, of mentions in two pieces."""
    entities: list[list[Cell]] = [[] for _ in range(dice.between(2, 4))]
    used: set[tuple[str, ...]] = set()
    for _ in range(dice.between(3, 8)):
        first = dice.below(words)
        last = min(words - 1, first + dice.one([0, 0, 1, 2, 3]))
        pieces, head = [piece(first, last)], str(dice.between(first, last))
        if dice.chance(12) and last + 2 < words:
            pieces.append(piece(last + 2, last + 2))
        entity = dice.one(entities)
        if tuple(pieces) not in used and not any(crosses(first, last, each) for each, _ in entity):
            used.add(tuple(pieces))
            entity.append((pieces, head))
    for node in empties:
        if dice.chance(80):
            dice.one(entities).append(([node], node))
    return [each for each in entities if each]


def piece(first: int, last: int) -> str:
    """A stretch of words as it is written."""
    return str(first) if first == last else f"{first}-{last}"


def crosses(first: int, last: int, pieces: list[str]) -> bool:
    """Whether a stretch overlaps a mention of its entity: brackets of one entity are then read as nested."""
    if "." in pieces[0]:
        return False
    start, end = (int(each) for each in (pieces[0].split("-")[0], pieces[-1].split("-")[-1]))
    return not (last < start or first > end)


def disturbed(dice: Dice, key: list[list[Cell]], empties: list[str]) -> list[list[Cell]]:
    """A response: ends and heads are moved, mentions dropped and moved, zeros only where there are empty nodes."""
    found: list[list[Cell]] = [[] for _ in key]
    used: set[tuple[str, ...]] = set()
    for place, entity in enumerate(key):
        for pieces, head in entity:
            if dice.chance(10) or ("." in head and head not in empties):
                continue
            changed, there = ([*pieces], head)
            first, _, last = pieces[0].partition("-")
            if last and len(pieces) == 1 and dice.chance(30):
                a, b = int(first), int(last)
                a, b = (a + 1, b) if dice.chance(50) else (a, b - 1)
                changed, there = [piece(a, b)], str(min(max(a, int(head)), b))
            target = place if dice.chance(85) else dice.below(len(found))
            span = changed[0].split("-")[0], changed[-1].split("-")[-1]
            if tuple(changed) in used or (
                "." not in there and any(crosses(int(span[0]), int(span[1]), each) for each, _ in found[target])
            ):
                continue
            used.add(tuple(changed))
            found[target].append((changed, there))
    return [each for each in found if each]


def text(entities: list[list[Cell]]) -> str:
    """Entities as the suite writes them; a head is written where there is a choice."""
    return "|".join(
        " ".join("+".join(pieces) + ("" if pieces == [head] else f"@{head}") for pieces, head in entity)
        for entity in entities
    )


def nodes(dice: Dice, words: int, given: dict[str, str]) -> dict[str, str]:
    """Empty nodes with parent and relation; those of a response are mostly those of its key."""
    if given:
        kept = {node: parent for node, parent in given.items() if not dice.chance(15)}
        moved = {n: (p if dice.chance(80) else f"{dice.below(words)}:obj") for n, p in kept.items()}
        return {node: parent for node, parent in moved.items() if node.endswith(".1") or f"{node[:-1]}1" in moved}
    found = {}
    for word in range(words - 1):
        for number in range(1, 1 + dice.one([0, 0, 0, 1, 1, 2])):
            found[f"{word}.{number}"] = f"{dice.below(words)}:{dice.one(['nsubj', 'obj', 'iobj'])}"
    return found


def zeros() -> Iterator[dict[str, Any]]:
    """Those made by hand, then by chance: half of them without empty nodes."""
    for name, key, response, more in HAND:
        yield {"name": name, "words": 8, **more, "key": key, "response": response}
    for number in range(420):
        dice = Dice(f"zeros {number}")
        words = dice.between(6, 13)
        ours = nodes(dice, words, {}) if number % 2 else {}
        theirs = nodes(dice, words, ours) if ours else {}
        heads = tree(dice, words)
        key = random_side(dice, words, sorted(ours))
        response = disturbed(dice, key, sorted(theirs))
        empties = {
            w: " ".join(f"{n}:{p}" for n, p in each.items()) for w, each in (("key", ours), ("response", theirs))
        }
        yield {"name": str(number), "words": words, "tree": heads, **({"empties": empties} if ours else {}),
               "key": text(key), "response": text(response)}  # fmt: skip


ROWS = {"zeros": zeros}
