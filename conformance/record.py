"""Runs other scorers on the cases, and writes what they give beside the cases; says what changed.

    python conformance/record.py --peer perl=PATH --peer coval=PATH
    python conformance/record.py --peer perl=PATH --sets hand --check       writes nothing

PATH is a checkout of the scorer, made and kept by you; nothing of it becomes a part of the suite. `definition` needs no
path. Scorers in Python are run several times with other seeds of its hashes, so that results which depend on
the order of sets are found, and recorded as that.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

from suite import cases, scorers
from suite.cases import HOME, Case
from suite.numbers import same

SHOWN = 5

Results = list[dict[str, str]]


def main() -> int:
    """Record the peers that were named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--sets", nargs="*", default=cases.names())
    parser.add_argument("--scorers", nargs="*", help="some of the peers' configurations")
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds of Python's hashes to run with")
    parser.add_argument("--check", action="store_true", help="say what would change, write nothing")
    options = parser.parse_args()
    changed = 0
    for peer in options.peer:
        name, _, path = peer.partition("=")
        module = importlib.import_module(f"peers.{name}")
        for scorer, facts in module.SCORERS.items():
            if options.scorers is None or scorer in options.scorers:
                _register(scorer, facts, Path(path), options.check)
                for each in [one for one in facts["sets"].split() if one in options.sets]:
                    changed += _record(name, scorer, Path(path), each, options)
    return min(changed, 1)


def _register(scorer: str, facts: dict[str, Any], place: Path, check: bool) -> None:
    found = {**facts, "version": _version(facts, place), "python": platform.python_version(),
             "recorded": datetime.datetime.now(datetime.UTC).date().isoformat()}  # fmt: skip
    scorers.known.cache_clear()
    every = {**scorers.known(), scorer: found}
    if not check:
        text = json.dumps(dict(sorted(every.items())), indent=1, ensure_ascii=False)
        scorers.SCORERS.write_text(text + "\n", encoding="utf-8", newline="\n")
        scorers.known.cache_clear()


def _version(facts: dict[str, Any], place: Path) -> str:
    """The version of a package, or the commit of a checkout."""
    if "package" in facts:
        return importlib.metadata.version(facts["package"])
    if not facts["repository"]:
        return cases.VERSION
    call = ["git", "-C", str(place if place.is_dir() else place.parent), "log", "-1", "--format=%h %as"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _record(module: str, scorer: str, place: Path, name: str, options: argparse.Namespace) -> int:
    """Record a scorer on a set; the number of cases for which it gives something else than before."""
    every = [*cases.read(name)]
    _after_authorities(scorer, name, every)
    results = run(module, scorer, place, every, options.seeds)
    before = [scorers.of(case, scorer) for case in every]
    fresh, changes, rows = 0, [], []
    for case, old, new in zip(every, before, results, strict=True):
        fresh += bool(new and not old)
        if old and any(not same(new.get(metric, ""), each, scorers.near(scorer)) for metric, each in old.items()):
            changes.append((case.name, old, new))
        others = {each: scorers.of(case, each) for each in scorers.known() if each != scorer}
        others |= {scorer: new}
        rows.append(scorers.recorded(case, {each: scores for each, scores in others.items() if scores}))
    print(f"{scorer} on {name}: {len(every)} cases, {fresh} new, {len(changes)} changed", flush=True)
    for title, old, new in changes[:SHOWN]:
        print(f"  {title}\n    was {old}\n    is  {new}")
    if not options.check:
        cases.write(name, rows)
    return len(changes)


def _after_authorities(scorer: str, name: str, every: list[Case]) -> None:
    """Whoever is compared with an authority is recorded after it: only differences are kept."""
    if scorers.SETS[name].separate:
        return
    authorities = [*scorers.SETS[name].authorities]
    first = authorities[: authorities.index(scorer)] if scorer in authorities else authorities
    missing = [each for each in first if not any(each in case.get("expected", {}) for case in every)]
    if missing:
        raise SystemExit(f"{name}: record {', '.join(missing)} before {scorer}")


def run(module: str, scorer: str, place: Path, every: list[Case], seeds: int) -> Results:
    """What a scorer gives, whatever the order of Python's hashes; where that matters, all that it gives."""
    facts = importlib.import_module(f"peers.{module}").SCORERS[scorer]
    seeds = seeds if facts["digits"].startswith("full") else 1
    found = [_run(module, scorer, place, every, str(seed)) for seed in range(seeds)]
    return [_one(each) for each in zip(*found, strict=True)]


def _one(found: tuple[dict[str, str], ...]) -> dict[str, str]:
    """One result of several runs."""
    first, *others = found
    return {
        metric: each
        if all(same(each, other.get(metric, "")) for other in others)
        else "hash order: " + ", ".join(sorted({one.get(metric, "nothing") for one in found}))
        for metric, each in first.items()
    }


def _run(module: str, scorer: str, place: Path, every: list[Case], seed: str) -> Results:
    lines = "".join(json.dumps([case.set, case.row]) + "\n" for case in every)
    call = [sys.executable, "-m", "peers.worker", module, scorer, str(place.resolve())]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(call, input=lines, capture_output=True, text=True, cwd=HOME, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"{scorer}: {done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
