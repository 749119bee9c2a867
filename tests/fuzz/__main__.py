"""`python -m tests.fuzz --minutes N --format F --seed S`: any number of mutated files; prints what it finds."""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

from .harness import findings
from .seeds import SUFFIXES

parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
parser.add_argument("--minutes", type=float, default=1)
parser.add_argument("--format", choices=list(SUFFIXES))
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()

total, seen = 0, set()
with tempfile.TemporaryDirectory() as folder:
    kinds = (options.format,) if options.format else ()
    for number, kind, wrong in findings(options.seed, Path(folder), lambda _, t: t > 60 * options.minutes, kinds):
        total += 1
        if wrong and (kind, re.sub(r"\d+", "0", wrong)) not in seen:
            seen.add((kind, re.sub(r"\d+", "0", wrong)))
            print(f"seed {options.seed}, trial {number}, {kind}: {wrong}")
            for file in sorted(Path(folder).glob("*.*")):
                if file.name.startswith(("key", "response")) and file.suffix[1:] == SUFFIXES[kind]:
                    print(f"  {file.name}: {file.read_bytes()!r}"[:1500])
print(f"{total} files, {len(seen)} kinds of findings")
raise SystemExit(bool(seen))
