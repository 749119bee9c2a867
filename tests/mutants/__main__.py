"""How many small changes of the source the tests notice: `python -m tests.mutants --sample N --seed S`.

A mutant is one change: another comparison, a number more by one, `and` for `or`, an argument that is dropped, an early
return that is not taken. The tests run on it that call the changed function, first those that are quick and call little
else. Which tests call which functions is found by running all of them once; a temporary folder keeps that. Mutants that
no test notices are printed: each is a hole, or makes no visible difference, which a reader has to say in
`equivalent.json`. What is said there of a function that was changed since is no longer true by itself: it is printed,
and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path

from .changes import SOURCE, Mutant, Place, functions, mutant_at, places
from .forked import BUDGET, Forks, with_forks

PACKAGES = ("counting", "formats", "tables", "statistics", "results")
EQUIVALENT = Path(__file__).with_name("equivalent.json")


def equivalent() -> dict[tuple[str, ...], str]:
    """The mutants that make no visible difference, each with the reason."""
    known = json.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {(each["path"], each["inside"], each["change"], each["digest"]): each["reason"] for each in known}


def stale(known: dict[tuple[str, ...], str]) -> list[str]:
    """What is said of mutants that are no longer there, or whose functions were changed."""
    wrong = []
    for path in sorted({key[0] for key in known}):
        module = SOURCE / path
        there = functions(module) if module.exists() else set()
        wrong += [" ".join(key) for key in known if key[0] == path and (key[1], key[3].partition("-")[0]) not in there]
    return wrong


def sampled(packages: list[str], number: int, seed: int) -> list[Place]:
    """Places drawn at random, equally many of each package."""
    found = []
    for name in packages:
        path = SOURCE / name
        modules = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        every = [place for module in modules for place in places(module)]
        draw = random.Random(f"{seed}-{name}")
        share = -(-number // len(packages))
        found += draw.sample(every, min(share, len(every))) if number else every
    return found


class Tally:
    """What became of mutants."""

    def __init__(self, out: int, aloud: bool) -> None:
        self.aloud = aloud
        self.out = os.fdopen(out, "w")
        self.known = equivalent()
        self.total: Counter[str] = Counter()
        self.killed: Counter[str] = Counter()
        self.same: Counter[str] = Counter()
        self.started = time.monotonic()

    def say(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def add(self, mutant: Mutant, by: str) -> None:
        package = mutant.path.split("/")[0]
        self.total[package] += 1
        if by:
            self.killed[package] += 1
            if self.aloud or by.startswith("("):
                self.say(f"noticed: {mutant}: {by}")
        elif mutant.key in self.known:
            self.same[package] += 1
        else:
            self.say(f"NOT NOTICED: {mutant}")
            self.say(f"  {json.dumps(dict(zip(_FIELDS, mutant.key, strict=True)), ensure_ascii=False)}")

    def summary(self, seed: int) -> None:
        for package in self.total:
            rest = self.total[package] - self.same[package]
            self.say(f"{package:12} {self.killed[package]:5} of {rest:5} noticed, {self.same[package]} equivalent")
        rest = self.total.total() - self.same.total()
        share = 100 * self.killed.total() / max(rest, 1)
        self.say(f"{self.killed.total()} of {rest} noticed ({share:.1f} %), {self.same.total()} equivalent ones apart;"
                 f" seed {seed}, {time.monotonic() - self.started:.0f} s")  # fmt: skip


_FIELDS = ("path", "inside", "change", "digest")


def main() -> int:
    """Sample mutants, run tests on each, print those that stay."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="how many mutants (default: 60; 0: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--packages", nargs="+", default=PACKAGES, help=f"or modules; default: {' '.join(PACKAGES)}")
    parser.add_argument("--tests", nargs="+", default=[], help="folders of tests that may notice (default: all)")
    parser.add_argument("--only", help="a file: of the sample only the mutants that it names as not noticed")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds of tests for a mutant (default: 60)")
    parser.add_argument("--fixed", action="store_true", help="leave out tests whose examples Hypothesis draws: quicker")
    parser.add_argument("--copies", action="store_true", help="a process and a copy of the source for each mutant")
    parser.add_argument("--aloud", action="store_true", help="say which test notices each")
    options = parser.parse_args()
    tally = Tally(os.dup(1), options.aloud)
    old = stale(tally.known)
    for line in old:
        tally.say(f"STALE in {EQUIVALENT.name}: {line}")
    chosen = [mutant_at(place) for place in sampled(list(options.packages), options.sample, options.seed)]
    if options.only:
        named = Path(options.only).read_text(encoding="utf-8")
        chosen = [mutant for mutant in chosen if f"{mutant}\n" in named]

    def work(forks: Forks) -> None:
        for mutant in chosen:
            tally.add(mutant, forks.noticed(mutant.path, mutant.text))
        tally.summary(options.seed)

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    return with_forks(work, options.tests, options.budget, options.copies, options.fixed) or bool(old)


if __name__ == "__main__":
    raise SystemExit(main())
