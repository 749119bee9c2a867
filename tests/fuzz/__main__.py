"""`python -m tests.fuzz --count N --minutes N --format F --seed S`: mutated files through the commands.

Prints each kind of finding once, made smaller, as a test; and how many inputs there were. Trials follow from seed and
number: `--start 5000 --count 1000` makes those from 5000 on, so that runs add up.
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from . import second
from .checks import CHECKS
from .running import quickly
from .shrink import as_test, sign, smaller
from .trials import KINDS, trials


def _limit_memory(gigabytes: float) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (int(gigabytes * 2**30), resource.RLIM_INFINITY))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, help="how long (default: 1, or until --count)")
    parser.add_argument("--count", type=int, help="how many inputs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--format", choices=KINDS, help="one kind of input (default: all in turn)")
    parser.add_argument(
        "--check", choices=list(CHECKS), help="one check, where the kind of input has it (default: all)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=float, default=6, help="gigabytes that it may take (default: 6)")
    parser.add_argument("--first", action="store_true", help="end with the first finding, as it is")
    parser.add_argument("--second", action="store_true", help="another attack, written by somebody else: see second/")
    parser.add_argument("--inject", action="store_true", help="say who finds the bugs of patches.py (--start, --count)")
    parser.add_argument("--who", choices=["harness", "tests", "both"], default="both", help="that looks for bugs")
    parser.add_argument("--folder", help="where files are written: best one in memory, like /dev/shm")
    return parser.parse_args()


def main() -> int:
    """Run trials until time or number is reached; 1 if anything was found."""
    options = _arguments()
    if options.inject:
        from .inject import SECONDS, inject

        seconds = 60 * options.minutes if options.minutes else SECONDS
        return inject(seconds, options.start, options.count, options.who)
    _limit_memory(options.memory)
    if options.second:
        return second.attack(options.count or 1000, options.seed, options.start, options.folder, print)
    seconds = 60 * options.minutes if options.minutes else None if options.count else 60.0
    started, number, runs = time.monotonic(), options.start, 0
    seen: Counter[str] = Counter()
    with quickly(), tempfile.TemporaryDirectory(dir=options.folder) as folder:
        while (seconds is None or time.monotonic() - started < seconds) and (
            options.count is None or number < options.start + options.count
        ):
            kind = options.format or KINDS[number % len(KINDS)]
            for trial in trials(kind, random.Random(f"{options.seed}-{number}-{kind}"), options.check):
                wrong, commands = trial.wrong(Path(folder))
                runs += commands
                if wrong and options.first:
                    print("\n".join(wrong))
                    return 1
                if wrong:
                    what = sign(wrong)
                    seen[what] += 1
                    if seen[what] == 1:
                        least = smaller(trial, Path(folder), wrong)
                        name = f"{kind.replace('-', '_')}_{options.seed}_{number}"
                        print(as_test(least, least.wrong(Path(folder))[0] or wrong, name), flush=True)
            number += 1
            if number % 10000 == 0:
                _print(options, number, runs, started, seen)
    _print(options, number, runs, started, seen)
    for what, times in seen.most_common():
        print(f"{times:6} × {what}")
    return int(bool(seen))


def _print(options: argparse.Namespace, number: int, runs: int, started: float, seen: Counter[str]) -> None:
    done, passed = number - options.start, time.monotonic() - started
    print(f"seed {options.seed}, inputs {options.start} to {number - 1}: {done} inputs, {runs} runs of commands,"
          f" {len(seen)} kinds of findings, {done / passed:.0f} inputs/s", flush=True)  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
