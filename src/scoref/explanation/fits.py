"""Finds the settings that give some numbers, and estimates how many other numbers they match by chance."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Score
from ..counting.table import Floats
from ..layout.render import Json
from ..problems import Error
from ..protocol.metric_names import metric_name
from ..protocol.protocol import PROTOCOLS, Protocol
from .effects import NONE, Effect
from .experiments import Experiments
from .tools import ToolScores

_CLOSE = 1e-9  # rounding tolerance of computed scores
_MOST = 6000  # settings that are tried at most; those with fewer changes first
_NEAREST = 5
_AROUND = 50  # numbers above and below the given one that are tried, too, to estimate chance
_OFFICIAL = [name for name in PROTOCOLS if name.startswith(("conll-", "crac-", "codi-crac-", "kbp-", "evmeval-"))]

Numbers = str | float | Iterable[str | float] | Mapping[str, str | float]


class GivenNumber(NamedTuple):
    """A number to be explained: metric ('' for any), part (f1, ...), value as a fraction, unit of its last digit."""

    metric: str
    part: str
    value: float
    unit: float
    text: str

    def column(self, exchanged: bool) -> int:
        """The index of the part among recall, precision and f1; if `exchanged`, recall and precision are swapped."""
        place = Score._fields.index(self.part)
        return 1 - place if exchanged and place < 2 else place

    def candidates(self, metrics: Sequence[str]) -> list[int]:
        """The indices of the metrics that the number may belong to."""
        return [metrics.index(self.metric)] if self.metric else [*range(len(metrics))]

    def off(self, values: Floats, metrics: Sequence[str], exchanged: bool) -> Floats:
        """How far scores [..., metrics, 3] are from the number, for each metric that it may belong to."""
        differences = values[..., self.candidates(metrics), self.column(exchanged)] - self.value
        return np.where(np.isnan(differences), np.inf, differences)


def parsed_numbers(numbers: Numbers | None) -> list[GivenNumber]:
    """Numbers as users write them, parsed: `64.21`, `conll=64.21`, `muc.recall=0.6136`; percent, or a fraction up to 1.

    >>> [(each.metric, each.part, each.value) for each in parsed_numbers(["muc.recall=61.4%", 64.5])]
    [('muc', 'recall', 0.614), ('', 'f1', 0.645)]
    """
    if numbers is None:
        return []
    if isinstance(numbers, Mapping):
        numbers = [f"{name}={value}" for name, value in numbers.items()]
    return [_parsed_number(str(each)) for each in ([numbers] if isinstance(numbers, str | int | float) else numbers)]


def _parsed_number(text: str) -> GivenNumber:
    name = r"(?:([\w:@+-]+?)(?:\.(recall|precision|f1))?\s*=)?"
    match = re.fullmatch(rf"\s*{name}\s*(\d*\.?(\d*))\s*(%?)\s*", text)
    if not match or not any(letter.isdigit() for letter in match[3]):
        raise Error("bad-number", "not a number of a metric", text=text,
                    expected="VALUE, METRIC=VALUE or METRIC.recall=VALUE (precision, f1), as in conll=64.21",
                    remedy="give the value in percent or as a fraction of 1, with all its digits")  # fmt: skip
    value = float(match[3])
    scale = 100 if match[5] or value > 1 else 1
    if value > 100:
        raise Error("bad-number", "more than 100 %", text=text, expected="a percentage, or a fraction of 1")
    metric, part = metric_name(match[1] or ""), match[2] or "f1"
    if metric in Score._fields and not match[2]:  # recall=61.4: recall of any metric
        metric, part = "", metric
    return GivenNumber(metric, part, value / scale, 10.0 ** -len(match[4]) / scale, text.strip())


class Fit(NamedTuple):
    """A setting that gives the numbers: in which metrics, rounded or cut off, how far off they are, its name.

    `further`: another fit needs only some of its changes. `exchanged`: recall and precision are swapped.
    """

    protocol: Protocol
    name: str
    tools: tuple[str, ...]
    changes: frozenset[tuple[str, str]]
    values: Floats
    metrics: tuple[str, ...] = ()
    distance: float = math.inf
    digits: str = ""
    exchanged: bool = False
    further: bool = False

    def to_dict(self, metrics: Sequence[str]) -> Json:
        """The fit for JSON."""
        scores = {metric: Score(*map(float, each))._asdict() for metric, each in zip(metrics, self.values, strict=True)}
        return {
            "signature": self.protocol.signature(), "name": self.name or None, "tools": list(self.tools),
            "metrics": list(self.metrics), "distance": self.distance, "digits": self.digits,
            "exchanged": self.exchanged, "further": self.further, "scores": scores,
        }  # fmt: skip


class Chance(NamedTuple):
    """How many of the numbers around the given one match as well: with any setting, and with a named one.

    For several numbers, combinations of nearby numbers are tried.
    """

    numbers: int
    printed: int
    named: int


class Fits(NamedTuple):
    """The settings that give the numbers, or else the nearest; how many were tried, and whether these are all."""

    found: list[Fit]
    nearest: list[Fit]
    looked_at: int
    complete: bool
    chance: Chance


def fits(
    experiments: Experiments, numbers: Sequence[GivenNumber], named: Sequence[ToolScores], effects: Sequence[Effect]
) -> Fits:
    """The settings that print the numbers: named ones first, then those with the fewest changes, then the nearest."""
    usual = PROTOCOLS.get(experiments.protocol.name, experiments.protocol)
    if usual.name not in _OFFICIAL:
        usual = PROTOCOLS["conll-2012"]
    base = experiments.change(usual)
    active = {each.choice for each in effects if each.words}  # the other choices change nothing here
    protocols = {row.protocol: row for row in named}
    candidates = [*protocols, *islice(_grid(experiments, effects), _MOST + 1)]
    complete = len(candidates) - len(protocols) <= _MOST
    results: dict[bytes, list[Fit]] = {}
    for protocol, values in experiments.scored(candidates):
        row = protocols.get(protocol)
        name = protocol.name if row and row.name == "yours" else row.name if row else ""
        changes = frozenset((choice, str(getattr(protocol, choice))) for choice in active
                            if getattr(protocol, choice) != getattr(base, choice))  # fmt: skip
        setting = Fit(protocol, name, row.tools if row else (), changes, values)
        each = _readings(setting, experiments.metrics, numbers)
        known = results.setdefault(np.round(values, 10).tobytes(), each)
        if not known[0].name and _rank(each[0]) < _rank(known[0]):
            known[:] = each
    every = sorted((fit for each in results.values() for fit in each), key=_rank)
    found = [each for each in every if each.digits]
    nearest = [] if found else sorted(every, key=lambda each: each.distance)[:_NEAREST]
    chance = _chance([each[0] for each in results.values()], experiments.metrics, numbers)
    return Fits(_marked(found), nearest, len(results), complete, chance)


def _rank(fit: Fit) -> tuple[bool, bool, bool, int, float]:
    return fit.digits != "rounded", fit.exchanged, not fit.name, len(fit.changes), fit.distance


def _marked(fits: list[Fit]) -> list[Fit]:
    """The fits; one that has all changes of another fit and more is marked as `further` and comes last."""
    same = defaultdict(list)
    for fit in fits:
        same[fit.digits, fit.metrics].append(fit)
    marked = [
        each._replace(further=any(other.changes < each.changes and other.exchanged <= each.exchanged
                                  for other in same[each.digits, each.metrics]))
        for each in fits
    ]  # fmt: skip
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


def _readings(fit: Fit, metrics: Sequence[str], numbers: Sequence[GivenNumber]) -> list[Fit]:
    """A fit for each assignment of metrics by which the setting gives the numbers; else one, with the nearest metrics.

    Recall and precision are swapped only if the numbers match in no other way.
    """
    for exchanged, digits in product(_orders(numbers), ("rounded", "cut off")):
        printed = [_printed(fit.values, metrics, number, exchanged, digits) for number in numbers]
        if all(printed):
            readings = sorted((_reading(fit, chosen) for chosen in product(*printed)), key=lambda each: each.distance)
            return [each._replace(digits=digits, exchanged=exchanged) for each in readings]
    apart = [(number.candidates(metrics), np.abs(number.off(fit.values, metrics, False))) for number in numbers]
    return [_reading(fit, [(metrics[places[off.argmin()]], float(off.min())) for places, off in apart])]


def _printed(
    values: Floats, metrics: Sequence[str], number: GivenNumber, exchanged: bool, digits: str
) -> list[tuple[str, float]]:
    """The metrics that give the number, and how far off they are; of metrics with equal values only the first."""
    found: dict[float, tuple[str, float]] = {}
    every = number.off(values, metrics, exchanged).tolist()
    for place, off in zip(number.candidates(metrics), every, strict=True):
        rounded = abs(off) <= number.unit / 2 + _CLOSE
        if rounded if digits == "rounded" else -_CLOSE <= off < number.unit - _CLOSE:
            found.setdefault(round(off, 10), (metrics[place], off))
    return [*found.values()]


def _orders(numbers: Sequence[GivenNumber]) -> tuple[bool, ...]:
    """The values of `exchanged` to try: False, and True if some number is a recall or precision."""
    return (False, True) if any(number.part != "f1" for number in numbers) else (False,)


def _reading(fit: Fit, chosen: Sequence[tuple[str, float]]) -> Fit:
    """The setting with the metric of each number, and how far the furthest of them is off."""
    distance = max(abs(off) for _, off in chosen)
    return fit._replace(metrics=tuple(metric for metric, _ in chosen), distance=distance)


def _chance(results: Sequence[Fit], metrics: Sequence[str], numbers: Sequence[GivenNumber]) -> Chance:
    """How many of the nearby numbers match, by the same rules as the number itself."""
    values = np.stack([fit.values for fit in results])
    printed: set[tuple[int, ...]] = set()
    named: set[tuple[int, ...]] = set()
    for exchanged, half in product(_orders(numbers), (0.5, 0.0)):  # rounded, cut off
        off = [number.off(values, metrics, exchanged) / number.unit for number in numbers]
        steps = [np.floor(each + half + _CLOSE) for each in off]
        near = [np.abs(each) <= _AROUND for each in steps]
        for row in np.flatnonzero(np.all([each.any(axis=1) for each in near], axis=0)).tolist():
            around = set(product(*(each[row, some[row]].tolist() for each, some in zip(steps, near, strict=True))))
            printed |= around
            named |= around if results[row].name else set()
    itself = (0,) * len(numbers)
    every = math.prod(len(_around(number)) for number in numbers)
    return Chance(every - 1, len(printed - {itself}), len(named - {itself}))


def _around(number: GivenNumber) -> list[int]:
    """The nearby numbers between 0 and 100 %, as distances from the number in units of its last digit."""
    steps = range(-_AROUND, _AROUND + 1)
    return [step for step in steps if -_CLOSE <= number.value + step * number.unit <= 1 + _CLOSE]


def shown(value: float) -> str:
    """A score in percent, with four digits."""
    return f"{100 * value:.4f}" if math.isfinite(value) else "–"
