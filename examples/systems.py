"""Writes a key and the responses of four made-up systems, to compare them: python3 examples/systems.py FOLDER.

| file | system |
|---|---|
| key.jsonl | 48 documents of four genres, parts of 40 texts |
| small.jsonl, large.jsonl, best.jsonl | three systems; the second is a little better than the first, the third much |
| tagger.jsonl | the first system behind a tagger that finds everything, and as much that is none |
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

Clusters = list[list[list[int]]]


class System(NamedTuple):
    """How often a system misses mentions, puts them elsewhere, and invents some: alone, or in an entity."""

    missed: float
    moved: float
    alone: float
    joined: float


SYSTEMS = {
    "small": System(0.16, 0.22, 0.06, 0.06),
    "large": System(0.15, 0.20, 0.06, 0.05),
    "best": System(0.08, 0.10, 0.03, 0.03),
    "tagger": System(0.06, 0.22, 0.75, 0.25),
}


def key(random: Random) -> dict[int, list[int]]:
    """A document: the words that mention each entity."""
    entities: dict[int, list[int]] = {}
    number = random.randint(4, 14)
    for word in range(random.randint(20, 90)):
        entities.setdefault(int(number * random.random() ** 2), []).append(2 * word)  # few are large, many small
    return entities


def response(entities: dict[int, list[int]], system: System, skill: float, random: Random) -> dict[int, list[int]]:
    """The system's output for a document that is easy (skill below 1) or hard (above)."""
    found: dict[int, list[int]] = {}
    for entity, words in entities.items():
        for word in words:
            if random.random() >= system.missed * skill:
                moved = random.random() < system.moved * skill
                found.setdefault(random.choice(list(entities)) if moved else entity, []).append(word)
            if random.random() < system.joined:
                found.setdefault(random.choice(list(entities)), []).append(word + 1)
            elif random.random() < system.alone:
                found[1000 + word] = [word + 1]
    return found


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(2010)
    lines: dict[str, list[str]] = {"key": []} | {name: [] for name in SYSTEMS}
    for number in range(48):
        genre = ("bn", "nw", "tc", "wb")[number % 4]
        text, part = (number, 0) if number < 40 else (number - 40, 1)
        name = f"({genre}/{genre}_{text:04}); part {part:03}"
        entities = key(random)
        skill = random.uniform(0.4, 1.6)
        sides = {"key": entities} | {each: response(entities, SYSTEMS[each], skill, random) for each in SYSTEMS}
        for side, found in sides.items():
            clusters = [[[word, word] for word in sorted(words)] for words in found.values()]
            lines[side].append(json.dumps({"id": name, "clusters": clusters}))
    for side, rows in lines.items():
        (folder / f"{side}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
