"""Runs any scorer on the cases, and says where it agrees: by feature, with the smallest case of each disagreement.

    python conformance/run.py --scorer 'perl scorer.pl all {key} {response} none' --reads perl
    python conformance/run.py --scorer 'scoref score {key} {response} --json' --reads json --sets hand
    python conformance/run.py --scorer 'my-scorer' --reads json --batch

{key} and {response} are files that are written for each case. CONTRACT.md says what a scorer prints for `--reads json`.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from adapters import ADAPTERS, Adapter
from peers import plain, scorch
from suite import cases, features, scorers
from suite.cases import Case
from suite.files import FORMATS
from suite.numbers import same

OUTCOMES = ("agreed", "differs", "crashed", "silent")


class Outcome(NamedTuple):
    """What came of a case: one of OUTCOMES, and for each metric that differs what was expected and what was given."""

    case: Case
    what: str
    wrong: dict[str, tuple[str, str]]
    metrics: int = 0


def main() -> int:
    """Run the scorer, print the table; 1 if anything but agreement was found."""
    options = _options()
    chosen = [
        case
        for name in options.sets
        for case in [case for case in cases.read(name) if asks(case, options)][: options.limit]
    ]
    outcomes = [*outcomes_of(options, chosen)]
    print(json.dumps(summary(outcomes), indent=1) if options.json else text(outcomes))
    return int(any(each.what != "agreed" for each in outcomes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", required=True, metavar="COMMAND")
    known = "; ".join(f"{name}: {each.what}" for name, each in ADAPTERS.items())
    parser.add_argument("--reads", required=True, choices=ADAPTERS, help=f"what its output looks like ({known})")
    parser.add_argument("--files", choices=[*FORMATS, "scorch"], help="the format of {key} and {response}")
    parser.add_argument("--batch", action="store_true", help="start it once, a line of JSON for each case")
    parser.add_argument("--like", metavar="SCORER", help="expect what this scorer gave, not the cases' authorities")
    parser.add_argument("--sets", nargs="*", default=cases.names(), choices=cases.names())
    parser.add_argument("--about", choices=features.FEATURES, help="cases with this feature alone")
    parser.add_argument("--limit", type=int, help="so many cases of each set")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def asks(case: Case, options: argparse.Namespace) -> bool:
    """Whether a scorer is asked for a case: it has the feature, can be given to it, and has numbers to compare."""
    own = {"broken": case.get("reads"), "nuggets": "tbf"}.get(case.set)
    format = None if options.batch else options.files or ADAPTERS[options.reads].files
    given = format == own if own else format != "tbf"
    about = not options.about or options.about in features.of(case)
    return given and about and bool(expected(case, options.like))


def expected(case: Case, like: str | None) -> dict[str, str]:
    """The numbers that a case expects, from its authorities, or from a scorer."""
    if like:
        return scorers.of(case, like)
    given: Iterable[dict[str, str]] = case.get("expected", {}).values()
    return {} if scorers.SETS[case.set].separate else {m: each for scores in given for m, each in scores.items()}


def outcomes_of(options: argparse.Namespace, chosen: list[Case]) -> Iterator[Outcome]:
    """The outcome of each case."""
    adapter = ADAPTERS[options.reads]
    if options.batch:
        yield from _batch(options, adapter, chosen)
        return
    with ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(lambda case: _alone(options, adapter, case), chosen)


def _alone(options: argparse.Namespace, adapter: Adapter, case: Case) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        places = {which: str(Path(folder, which)) for which in ("key", "response")}
        for which, path in places.items():
            _write(options.files or adapter.files, case, which, Path(path))
        call = [part.format(**places) for part in shlex.split(options.scorer)]
        try:
            done = subprocess.run(call, capture_output=True, text=True, timeout=options.timeout, check=False)
        except subprocess.TimeoutExpired:
            return Outcome(case, "crashed", {"": ("", "time")})
    if case.set == "broken":
        return Outcome(case, *(("agreed", {}) if done.returncode else ("silent", {"refuses": ("yes", "no")})))
    if done.returncode:
        return Outcome(case, "crashed", {"": ("", f"exit {done.returncode}")})
    return compared(case, done.stdout, options, adapter)


def _write(format: str, case: Case, which: str, path: Path) -> None:
    if case.set == "broken":
        path.write_text(case.row[f"{which}_text"], encoding="utf-8", newline="")
        return
    if format != "scorch":
        path.write_text(FORMATS[format].written(case, which), encoding="utf-8")
        return
    sides = [(text.name, text.side(which)) for text in case.texts()]
    if len(sides) == 1:
        path.write_text(scorch.written(plain.clusters(sides[0][1])), encoding="utf-8")
        return
    path.mkdir()
    for name, side in sides:
        if side is not None:
            (path / f"{name}.json").write_text(scorch.written(plain.clusters(side)), encoding="utf-8")


def _batch(options: argparse.Namespace, adapter: Adapter, chosen: list[Case]) -> Iterator[Outcome]:
    lines = "".join(json.dumps(asked(case)) + "\n" for case in chosen)
    call = shlex.split(options.scorer)
    done = subprocess.run(call, input=lines, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    for number, case in enumerate(chosen):
        if number < len(answers):
            yield compared(case, answers[number], options, adapter)
        else:
            yield Outcome(case, "crashed", {"": ("", f"exit {done.returncode}")})


def asked(case: Case) -> dict[str, Any]:
    """A case as a scorer is given it in a batch."""
    documents = [
        {which: None if text.side(which) is None else plain.clusters(text.side(which)) for which in ("key", "response")}
        for text in case.texts()
    ]
    return {"case": case.name, "documents": documents}


def compared(case: Case, printed: str, options: argparse.Namespace, adapter: Adapter) -> Outcome:
    """The outcome of what a scorer printed."""
    try:
        found = adapter.read(printed)
    except (ValueError, KeyError, TypeError):
        found = {}
    wanted = {metric: each for metric, each in expected(case, options.like).items() if metric in found}
    if not wanted:
        return Outcome(case, "silent", {})
    near = max(adapter.near, scorers.near(options.like) if options.like else 0)
    wrong = {metric: (each, found[metric]) for metric, each in wanted.items() if not same(each, found[metric], near)}
    return Outcome(case, "differs" if wrong else "agreed", wrong, len(wanted))


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """Numbers of outcomes, in all and by feature; the smallest case of each metric that differs."""
    every = Counter(each.what for each in outcomes)
    by_feature: dict[str, Counter[str]] = defaultdict(Counter)
    smallest: dict[str, Outcome] = {}
    for each in outcomes:
        for feature in features.of(each.case):
            by_feature[feature][each.what] += 1
        for metric in each.wrong:
            if metric not in smallest or size(each.case) < size(smallest[metric].case):
                smallest[metric] = each
    features_of = {name: dict(by_feature[name]) for name in features.FEATURES if by_feature[name]}
    return {
        "cases": len(outcomes),
        "version": cases.VERSION,
        **{what: every[what] for what in OUTCOMES},
        "features": features_of,
        "smallest": {metric: shown(each, metric) for metric, each in sorted(smallest.items())},
    }


def shown(outcome: Outcome, metric: str) -> dict[str, Any]:
    """A case with what was expected, and what was given."""
    wanted, given = outcome.wrong[metric]
    texts = "_text" if outcome.case.set == "broken" else ""
    inputs = {which: outcome.case.get(which + texts) for which in ("key", "response")}
    return {"case": outcome.case.name, **inputs, "expected": wanted, "given": given}


def size(case: Case) -> tuple[int, str]:
    """How large a case is: the length of its input."""
    return len(json.dumps(case.inputs)), case.name


def text(outcomes: list[Outcome]) -> str:
    """The same for people."""
    found = summary(outcomes)
    counts = {**found["features"], "all cases": found}
    rows = [
        ("feature", *OUTCOMES),
        *((name, *(str(n.get(what, 0)) for what in OUTCOMES)) for name, n in counts.items()),
    ]
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, wide, strict=True)) for row in rows]
    for metric, each in found["smallest"].items():
        lines += ["", f"{metric or 'no score'}, smallest case: {each['case']}"]
        lines += [f"  {what:9} {each[what]}" for what in ("key", "response", "expected", "given")]
    return "\n".join([*lines, "", f"suite {found['version']}: {found['agreed']} of {found['cases']} cases agree"])


if __name__ == "__main__":
    sys.exit(main())
