"""Goes through numbered trials, prints each new kind of finding, and counts."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from .trials import KINDS


def _kind(wrong: str) -> str:
    """A finding without what differs from case to case."""
    last = [line for line in wrong.splitlines() if line.strip()]
    text = f"{last[0]} {last[-1]}" if last else wrong
    return re.sub(r"\d+(\.\d+)?|'[^']*'|\"[^\"]*\"", "N", text)[:160]


def attack(count: int, seed: int, start: int = 0, folder: str | None = None, kind: str | None = None) -> int:
    """Run these trials; 1 if anything was found."""
    seen: Counter[str] = Counter()
    runs, started = 0, time.monotonic()
    names = [kind] if kind else list(KINDS)
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
                        print(f"--- seed {seed} number {number} {name}\n{each}", flush=True)
                        _keep(place, Path(tempfile.gettempdir()) / "second-findings" / f"{seed}-{number}")
            finally:
                shutil.rmtree(place)
            if (number + 1 - start) % 5000 == 0 or number + 1 == start + count:
                rate = (number + 1 - start) / (time.monotonic() - started)
                print(f"seed {seed}: {number + 1 - start} inputs, {runs} runs, {len(seen)} kinds, {rate:.0f}/s", flush=True)
    for what, times in seen.most_common():
        print(f"{times:6} × {what}")
    return int(bool(seen))


def _keep(place: Path, where: Path) -> None:
    """The files of a finding, to look at."""
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(place, where)
