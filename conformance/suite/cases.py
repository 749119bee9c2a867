"""Cases: what is in a line of `cases/*.jsonl`, and what of it a scorer is given.

A line is an object. What every case has:

    name        says its one idea; generated cases have numbers
    key         the side of its document, or a list of sides, one for each document; null where a document is missing
    response    likewise
    expected    for each authority the scores that it gives: {"perl-8.01": {"muc": "recall precision f1"}}
    agree       the scorers that were run on it and give the same for all metrics they have, with ; between them
    differ      what others gave: {"scorch": {"ceafe": "crash: StatisticsError"}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from .sides import Side, side

HOME = Path(__file__).resolve().parents[1]
CASES = HOME / "cases"
RESULTS = ("expected", "agree", "differ")  # what is recorded; all else is input
VERSION = (HOME / "VERSION").read_text(encoding="utf-8").strip()


class Text(NamedTuple):
    """A document: its name, how many words it has, the entities of both sides; None if a side lacks the document."""

    name: str
    words: int
    key: Side | None
    response: Side | None

    def side(self, which: str) -> Side | None:
        """The entities of one side."""
        return self.key if which == "key" else self.response


class Case(NamedTuple):
    """A case: the set it is in, and what its line says."""

    set: str
    row: dict[str, Any]

    @property
    def name(self) -> str:
        """Its name, with its set."""
        return f"{self.set}/{self.row['name']}"

    def get(self, what: str, default: Any = None) -> Any:
        """What the line says of something."""
        return self.row.get(what, default)

    @property
    def inputs(self) -> dict[str, Any]:
        """The line without what was recorded."""
        return {name: each for name, each in self.row.items() if name not in RESULTS}

    def texts(self) -> list[Text]:
        """Its documents."""
        sides = [self.row[which] for which in ("key", "response")]
        keys, responses = ([each] if isinstance(each, str) else each for each in sides)
        found = []
        for number, (ours, theirs) in enumerate(zip(keys, responses, strict=True), 1):
            key, response = (None if each is None else side(each) for each in (ours, theirs))
            found.append(Text(f"d{number}", self.row.get("words") or _words(key, response), key, response))
        return found


def _words(*sides: Side | None) -> int:
    ends = [spot.last[0] for each in sides for group in each or [] for spot in group.mentions]
    return max(ends, default=0) + 1


def names(folder: Path = CASES) -> list[str]:
    """The sets."""
    return sorted(path.stem for path in folder.glob("*.jsonl"))


def read(name: str, folder: Path = CASES) -> Iterator[Case]:
    """The cases of a set."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield Case(name, json.loads(line))


def written(row: dict[str, Any]) -> str:
    """A case as its line."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def write(name: str, rows: list[dict[str, Any]], folder: Path = CASES) -> None:
    """Write the cases of a set."""
    (folder / f"{name}.jsonl").write_text("".join(map(written, rows)), encoding="utf-8", newline="\n")


def digest(folder: Path = CASES) -> str:
    """The digest of all cases: SHA-256 over their files in the order of their names."""
    found = sha256()
    for name in names(folder):
        found.update((folder / f"{name}.jsonl").read_bytes())
    return found.hexdigest()
