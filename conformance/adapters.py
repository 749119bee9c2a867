"""How the output of scorers is read: the numbers that each prints, and how exact they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from peers import perl
from suite.numbers import triple

Numbers = dict[str, str]


class Adapter(NamedTuple):
    """The files that a scorer is given unless told otherwise, how its output is read, how exact its numbers are."""

    files: str
    read: Callable[[str], Numbers]
    near: float
    what: str


_COVAL = {"mentions": "mentions", "muc": "muc", "bcub": "b3", "ceafe": "ceafe", "lea": "lea"}
_UA = {"muc": "muc", "bcub": "b3", "ceafe": "ceafe", "ceafm": "ceafm", "blanc": "blanc", "lea": "lea", "mor": "mor",
       "zero": "zeros"}  # fmt: skip
_SCORCH = {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}
_PERCENT = re.compile(r"Recall: ([\d.]+)\s+Precision: ([\d.]+)\s+F1: ([\d.]+)")


def coval(text: str) -> Numbers:
    """What coval prints: a line for each metric.

    >>> coval("muc        Recall: 50.00  Precision: 100.00  F1: 66.67")
    {'muc': '1/2 1 6667/10000'}
    """
    found = {}
    for line in text.splitlines():
        name, *_ = line.split(" ", 1)
        match = _PERCENT.search(line)
        if match and name in _COVAL:
            found[_COVAL[name]] = _percent(match)
    return found


def ua(text: str) -> Numbers:
    """What the Universal Anaphora and CorefUD scorers print: a line with the metric, and one with its numbers."""
    found = {}
    lines = text.splitlines()
    for name, line in pairwise(lines):
        match = _PERCENT.search(line)
        if match and name.strip() in _UA:
            found[_UA[name.strip()]] = _percent(match)
    return found


def _percent(match: re.Match[str]) -> str:
    recall, precision, f1 = (float(each) / 100 for each in match.groups())
    return triple(recall, precision, f1)


def scorch(text: str) -> Numbers:
    """What scorch prints: a line for each metric, with all digits."""
    found = {}
    for line in text.splitlines():
        name, *parts = line.split("\t")
        if name.rstrip(":") in _SCORCH and len(parts) == 3:
            found[_SCORCH[name.rstrip(":")]] = triple(*(float(part.partition("=")[2]) for part in parts))
    return found


def neleval(text: str) -> Numbers:
    """What `neleval.coref_metrics` prints: a table with precision first."""
    names = {"bcubed": "b3", "ceafe": "ceafe", "ceafm": "ceafm", "muc": "muc", "pairs": "pairwise"}
    rows = [line.split("\t") for line in text.splitlines()]
    return {
        names[row[0]]: triple(float(row[2]) / 100, float(row[1]) / 100, float(row[3]) / 100)
        for row in rows
        if row[0] in names and len(row) == 4
    }


def as_json(text: str) -> Numbers:
    """What the contract asks for: an object of metrics, each with recall, precision and f1; or one under `scores`.

    >>> as_json('{"muc": {"recall": 0.5, "precision": 1.0, "f1": 0.6666666666666666}}')
    {'muc': '1/2 1 2/3'}
    """
    given = json.loads(text)
    scores = given.get("scores", given)
    return {
        name: triple(*(float(each[part]) for part in ("recall", "precision", "f1")))
        for name, each in scores.items()
        if isinstance(each, dict) and {"recall", "precision", "f1"} <= each.keys()
    }


ADAPTERS = {
    "perl": Adapter("conll", perl.printed, 1e-9, "the reference scorer's `all`"),
    "coval": Adapter("conll", coval, 6e-5, "coval's scorer.py"),
    "ua": Adapter("ua", ua, 6e-5, "ua-scorer.py"),
    "corefud": Adapter("corefud", ua, 6e-5, "corefud-scorer.py"),
    "scorch": Adapter("scorch", scorch, 1e-9, "scorch, with its JSON files"),
    "neleval": Adapter("conll", neleval, 6e-5, "python -m neleval.coref_metrics"),
    "json": Adapter("conll", as_json, 1e-9, "the contract of CONTRACT.md"),
}
