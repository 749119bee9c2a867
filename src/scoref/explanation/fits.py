"""From numbers back to settings: which settings print the numbers that somebody has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Score
from ..counting.table import Floats
from ..layout.render import Json
from ..problems import Error
from ..protocol.protocol import PROTOCOLS, Protocol
from .effects import NONE, Effect, different
from .experiments import Experiments
from .tools import ToolScores

_CLOSE = 1e-9  # what a computed number may be off
_MOST = 6000  # settings that are looked at; those with fewer changes first
_NEAREST = 5


class GivenNumber(NamedTuple):
    """A number that somebody has: metric, part, its value as a fraction, and one unit of its last digit."""

    metric: str
    part: str
    value: float
    unit: float
    text: str


Numbers = str | Iterable[str] | Mapping[str, str | float]


def parsed_numbers(numbers: Numbers | None) -> list[GivenNumber]:
    """The numbers as they are given: `conll=64.21`, `muc.recall=0.6136`; percent, or a fraction up to 1.

    >>> [(each.metric, each.part, each.value) for each in parsed_numbers("muc.recall=61.4%")]
    [('muc', 'recall', 0.614)]
    """
    if numbers is None:
        return []
    if isinstance(numbers, Mapping):
        numbers = [f"{name}={value}" for name, value in numbers.items()]
    return [_parsed_number(text) for text in ([numbers] if isinstance(numbers, str) else numbers)]


def _parsed_number(text: str) -> GivenNumber:
    match = re.fullmatch(r"\s*([\w:@+-]+?)(?:\.(recall|precision|f1))?\s*=\s*(\d*\.?(\d*))\s*(%?)\s*", text)
    if not match or not any(letter.isdigit() for letter in match[3]):
        raise Error("bad-number", "not a number of a metric", text=text,
                    expected="METRIC=VALUE or METRIC.recall=VALUE (precision, f1), as in conll=64.21",
                    remedy="give the value in percent or as a fraction of 1, with all its digits")  # fmt: skip
    value = float(match[3])
    scale = 100 if match[5] or value > 1 else 1
    if value > 100:
        raise Error("bad-number", "more than 100 %", text=text, expected="a percentage, or a fraction of 1")
    return GivenNumber(match[1], match[2] or "f1", value / scale, 10.0 ** -len(match[4]) / scale, text.strip())


class Fit(NamedTuple):
    """A setting that prints the numbers: rounded or cut off, how far off they are, what the setting is called.

    `further` says that another fit changes less; `exchanged`, that recall and precision are.
    """

    protocol: Protocol
    name: str
    tools: tuple[str, ...]
    changes: frozenset[tuple[str, str]]
    values: Floats
    distance: float
    digits: str
    exchanged: bool = False
    further: bool = False

    def to_dict(self, metrics: Sequence[str]) -> Json:
        """The fit for JSON."""
        scores = {metric: Score(*map(float, each))._asdict() for metric, each in zip(metrics, self.values, strict=True)}
        return {
            "signature": self.protocol.signature(), "name": self.name or None, "tools": list(self.tools),
            "distance": self.distance, "digits": self.digits, "exchanged": self.exchanged, "further": self.further,
            "scores": scores,
        }  # fmt: skip


class Fits(NamedTuple):
    """The settings that print the numbers, or else the nearest; how many were looked at, and whether that is all."""

    found: list[Fit]
    nearest: list[Fit]
    looked_at: int
    complete: bool


def fits(
    experiments: Experiments, numbers: Sequence[GivenNumber], named: Sequence[ToolScores], effects: Sequence[Effect]
) -> Fits:
    """The settings that print the numbers: named ones first, then those with the fewest changes, then the nearest."""
    usual = PROTOCOLS.get(experiments.protocol.name, experiments.protocol)
    if usual.name not in _OFFICIAL:
        usual = PROTOCOLS["conll-2012"]
    base = experiments.change(usual)
    active = {each.choice for each in effects if each.words}  # other choices change nothing
    protocols = {row.protocol: row for row in named}
    candidates = [*protocols, *islice(_grid(experiments, effects), _MOST + 1)]
    complete = len(candidates) - len(protocols) <= _MOST
    seen: dict[bytes, Fit] = {}
    for protocol in candidates:
        try:
            values = experiments.scores(protocol)
        except Error:
            continue
        row = protocols.get(protocol)
        changes = frozenset((choice, str(getattr(protocol, choice))) for choice in different(base, protocol)
                            if choice in active)  # fmt: skip
        each = _judged(protocol, row, changes, values, experiments.metrics, numbers)
        same = np.round(values, 10).tobytes()
        if same not in seen or (not seen[same].name and _rank(each) < _rank(seen[same])):
            seen[same] = each
    every = sorted(seen.values(), key=_rank)
    found = [each for each in every if each.digits]
    nearest = [] if found else sorted(every, key=lambda each: each.distance)[:_NEAREST]
    return Fits(_marked(found), nearest, len(seen), complete)


_OFFICIAL = [name for name in PROTOCOLS if name.startswith(("conll-", "crac-", "codi-crac-", "kbp-", "evmeval-"))]


def _rank(fit: Fit) -> tuple[bool, bool, bool, int, float]:
    return fit.digits != "rounded", fit.exchanged, not fit.name, len(fit.changes), fit.distance


def _marked(fits: list[Fit]) -> list[Fit]:
    """The fits; those that only add changes to another fit come last and are marked as `further`."""
    further = [
        any(other.changes < each.changes and other.digits == each.digits and other.exchanged <= each.exchanged
            for other in fits)
        for each in fits
    ]  # fmt: skip
    marked = [each._replace(further=more) for each, more in zip(fits, further, strict=True)]
    return sorted(marked, key=lambda each: each.further)


def _grid(experiments: Experiments, effects: Sequence[Effect]) -> Iterator[Protocol]:
    """Your protocol with other words for the choices that have an effect, fewest changes first."""
    words = {
        each.choice: [word for word, changes in each.words.items() if max(map(abs, changes.values())) >= NONE]
        for each in effects
        if each.words
    }
    for number in range(len(words) + 1):
        for choices in combinations(words, number):
            for chosen in product(*(words[choice] for choice in choices)):
                yield experiments.protocol.change(**dict(zip(choices, chosen, strict=True)))


def _judged(
    protocol: Protocol,
    row: ToolScores | None,
    changes: frozenset[tuple[str, str]],
    values: Floats,
    metrics: Sequence[str],
    numbers: Sequence[GivenNumber],
) -> Fit:
    best = None
    for exchanged in (False, True):
        off = []
        for number in numbers:
            part = Score._fields.index(number.part)
            part = 1 - part if exchanged and part < 2 else part
            off.append((float(values[metrics.index(number.metric), part]) - number.value, number.unit))
        kind = _digits(off)
        distance = max(abs(each) for each, _ in off)
        name = protocol.name if row and row.name == "yours" else row.name if row else ""
        fit = Fit(protocol, name, row.tools if row else (), changes, values, distance, kind, exchanged)
        if kind:
            return fit
        if best is None:
            best = fit
    assert best is not None
    return best


def _digits(off: Sequence[tuple[float, float]]) -> str:
    """How the values become the numbers: `rounded`, `cut off`, or '' if they do not."""
    if all(abs(each) <= unit / 2 + _CLOSE for each, unit in off):
        return "rounded"
    return "cut off" if all(-_CLOSE <= each < unit - _CLOSE for each, unit in off) else ""


def shown(value: float) -> str:
    """A score in percent, with four digits."""
    return f"{100 * value:.4f}" if math.isfinite(value) else "–"
