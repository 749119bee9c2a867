"""The reference scorer of the CoNLL tasks, in Perl: its printed counts have fifteen digits."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case
from suite.files import conll
from suite.numbers import harmonic, triple

COMMAND = "perl scorer.pl all {key} {response} none"
SCORERS = {
    "perl-8.01": {
        "title": "reference scorer 8.01 (Perl)",
        "repository": "conll/reference-coreference-scorers",
        "command": COMMAND,
        "reads": "conll",
        "digits": "counts of fifteen digits; f1 is computed from them, and compared with the two digits that it prints",
        "metrics": "mentions muc b3 ceafm ceafe blanc",
        "sets": "small partitions documents spans hand papers",
    }
}
NAMES = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe"}
_LINE = re.compile(r"Recall: \((\S+) / (\S+)\) \S+%\tPrecision: \((\S+) / (\S+)\) \S+%\tF1: (\S+)%")


class Printed(Exception):
    """What was printed is not what was expected."""


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Run it on each case."""
    program = place / "scorer.pl" if place.is_dir() else place
    with tempfile.TemporaryDirectory() as folder:
        key, response = Path(folder, "key"), Path(folder, "response")
        for case in cases:
            key.write_text(conll.written(case, "key"), encoding="utf-8")
            response.write_text(conll.written(case, "response"), encoding="utf-8")
            call = ["perl", str(program), "all", str(key), str(response), "none"]
            done = subprocess.run(call, capture_output=True, text=True, timeout=120)
            yield printed(done.stdout) if not done.returncode else crashed(call, done)


def crashed(call: list[str], done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """What it gives for each metric by itself, where it does not for all: it counts repeats over all metrics."""
    found = {}
    for metric, name in (*NAMES.items(), ("blanc", "blanc")):
        alone = subprocess.run([*call[:2], metric, *call[3:]], capture_output=True, text=True, timeout=120)
        parts = printed(f"METRIC {metric}:\n{alone.stdout}") if not alone.returncode else {}
        found |= {each: parts[each] for each in ("mentions", name) if each in parts}
    return found or {"all": f"crash: exit {done.returncode}"}


def printed(text: str) -> dict[str, str]:
    r"""The scores that it prints.

    >>> line = "Recall: (2 / 3) 66.66%\tPrecision: (2 / 2) 100%\tF1: 80%"
    >>> printed(f"METRIC muc:\nIdentification of Mentions: {line}\nCoreference: {line}\n")
    {'mentions': '2/3 1 4/5', 'muc': '2/3 1 4/5'}
    """
    found: dict[str, str] = {}
    for part in text.split("METRIC ")[1:]:
        metric = part.partition(":")[0]
        rows = {line.partition(":")[0]: _LINE.search(line) for line in part.splitlines() if _LINE.search(line)}
        if rows.get("Identification of Mentions"):
            found["mentions"] = _scores(rows["Identification of Mentions"])
        if metric in NAMES:
            found[NAMES[metric]] = _scores(rows["Coreference"])
        elif metric == "blanc":
            found["blanc"] = _blanc(rows)
    return found


def _scores(match: re.Match[str]) -> str:
    numbers = [float(each) for each in match.groups()]
    recall, precision = (n / d if d else 0.0 for n, d in (numbers[:2], numbers[2:4]))
    return _checked(recall, precision, harmonic(recall, precision), numbers[4])


def _blanc(rows: dict[str, re.Match[str]]) -> str:
    """BLANC prints recall and precision; its f1 is the mean of those of the kinds of links that the key has."""
    f1 = []
    for kind in ("Coreference links", "Non-coreference links"):
        found, every, right, said, _ = (float(each) for each in rows[kind].groups())
        if every:
            f1.append(harmonic(found / every, right / said if said else 0.0))
    recall, _, precision, _, percent = (float(each) for each in rows["BLANC"].groups())
    return _checked(recall, precision, sum(f1) / len(f1) if f1 else 0.0, percent)


def _checked(recall: float, precision: float, f1: float, percent: float) -> str:
    """The scores, if their f1 is the one that was printed: cut off after two digits."""
    if not -1e-6 <= f1 * 100 - percent < 0.010001:
        raise Printed(f"f1 {f1} is printed as {percent}%")
    return triple(recall, precision, f1)
