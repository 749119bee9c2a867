"""Goes through numbered trials, prints each new kind of finding, and counts."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .more import own, parts, tables
from .trials import Found, asked, converted, damaged, itself, lost, mutated, oracle, same

KINDS: dict[str, Callable[[Path, random.Random], Found]] = {
    "oracle": oracle, "mutated": mutated, "itself": itself, "asked": asked, "same": same, "mutated again": mutated,
    "converted": converted, "damaged": damaged, "tables": tables, "lost": lost, "asked again": asked, "parts": parts,
    "own": own,
}  # fmt: skip


def _kind(wrong: str) -> str:
    """A finding without what differs from case to case."""
    last = [line for line in wrong.splitlines() if line.strip()]
    text = f"{last[0]} {last[-1]}" if last else wrong
    return re.sub(r"\d+(\.\d+)?|'[^']*'|\"[^\"]*\"", "N", text)[:160]


def attack(count: int, seed: int, start: int, folder: str | None, say: Callable[[str], None]) -> int:
    """Run these trials; 1 if anything was found."""
    seen: Counter[str] = Counter()
    runs, started = 0, time.monotonic()
    names = list(KINDS)
    with tempfile.TemporaryDirectory(dir=folder) as root:
        for number in range(start, start + count):
            chance = random.Random(f"second {seed} {number}")
            name = names[number % len(names)]
            place = Path(root) / "t"
            place.mkdir()
            try:
                done, wrong = KINDS[name](place, chance)
                runs += done
                for each in wrong:
                    what = f"{name}: {_kind(each)}"
                    seen[what] += 1
                    if seen[what] == 1:
                        say(f"--- seed {seed} number {number} {name}\n{each}")
                        _keep(place, Path(tempfile.gettempdir()) / "second-findings" / f"{seed}-{number}")
            finally:
                shutil.rmtree(place)
            if (number + 1 - start) % 5000 == 0 or number + 1 == start + count:
                rate = (number + 1 - start) / (time.monotonic() - started)
                say(f"seed {seed}: {number + 1 - start} inputs, {runs} runs, {len(seen)} kinds, {rate:.0f}/s")
    for what, times in seen.most_common():
        say(f"{times:6} × {what}")
    return int(bool(seen))


def _keep(place: Path, where: Path) -> None:
    """The files of a finding, to look at."""
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(place, where)
