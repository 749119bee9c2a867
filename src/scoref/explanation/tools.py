"""What other tools print for the same documents; and from numbers back to the settings that print them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import combinations, islice, product
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Score
from ..counting.table import Floats
from ..layout.render import Json
from ..problems import Error
from ..protocol.protocol import PROTOCOLS, Protocol, protocol_of
from ..protocol.tools import CONVENTIONS, OFFICIAL, UNREPRODUCED, Convention
from .effects import NONE, Effect, different
from .experiments import Experiments, needs

_SAME = 1e-9
_SETLESS = {each.base for each in CONVENTIONS}
_KNOWN = (*CONVENTIONS, *OFFICIAL)


class ToolScores(NamedTuple):
    """Scores, the tools that print them, and how they are made; `difference` is that of f1 in the main metric."""

    name: str
    tools: tuple[str, ...]
    how: str
    protocol: Protocol
    values: Floats
    difference: float
    notes: tuple[str, ...] = ()

    def scores(self, metrics: Iterable[str]) -> dict[str, Score]:
        """The score of each metric."""
        return {metric: Score(*map(float, each)) for metric, each in zip(metrics, self.values, strict=True)}

    def to_dict(self, yours: Protocol, metrics: Iterable[str]) -> Json:
        """The row for JSON; `yours` is the protocol that its choices are compared with."""
        choices = {choice: getattr(self.protocol, choice) for choice in different(yours, self.protocol)}
        return {
            "name": self.name, "tools": list(self.tools), "how": self.how, "choices": choices,
            "signature": self.protocol.signature(), "signature_full": self.protocol.full(),
            "scores": {metric: each._asdict() for metric, each in self.scores(metrics).items()},
            "difference": self.difference, "exact": True, "note": "; ".join(self.notes) or None,
        }  # fmt: skip


def scored_row(
    experiments: Experiments, name: str, tools: tuple[str, ...], how: str, protocol: Protocol, note: str = ""
) -> ToolScores:
    """The row of a protocol."""
    main = experiments.metrics.index(experiments.metric)
    values = experiments.scores(protocol)
    difference = float(values[main, 2] - experiments.f1(experiments.protocol)[main])
    notes = (note if ":" in note else f"{tools[0]}: {note}",) if note else ()
    return ToolScores(name, tools, how, protocol, values, difference, notes)


def _row(experiments: Experiments, tool: Convention) -> ToolScores:
    protocol = adapted(experiments, tool.protocol)
    return scored_row(experiments, tool.name, tool.tools, tool.how, protocol, tool.note)


def rows(experiments: Experiments) -> tuple[ToolScores, list[ToolScores], dict[str, str]]:
    """Your numbers and the tools that print them, those of other tools from high to low, tools that are missing."""
    found = [scored_row(experiments, "yours", (), experiments.protocol.signature(), experiments.protocol)]
    missing: dict[str, str] = {}
    for each in _KNOWN:
        if not experiments.saved and (lacks := needs(experiments.facts, each.protocol)):
            missing.setdefault(", ".join(each.tools), f"needs {lacks}")
            continue
        try:
            _add(found, _row(experiments, each))
        except Error as error:
            missing[", ".join(each.tools)] = error.problem.message
    return found[0], sorted(found[1:], key=lambda row: -row.difference), missing | UNREPRODUCED


def adapted(experiments: Experiments, protocol: Protocol) -> Protocol:
    """The protocol of a tool on these documents: event nuggets are matched as they are.

    Only scorers of Universal Anaphora know split antecedents; others see the mentions without the sets. Saved sums are
    taken as of documents without split antecedents.
    """
    facts, same = experiments.facts, ["match"] * experiments.facts.nuggets
    same += ["split", "credit", *["duplicates"] * (facts.repeats == 0)] * experiments.saved
    changes = {choice: getattr(experiments.protocol, choice) for choice in same}
    if facts.sets > 0 and protocol.preparing.credit != "ua-1.0" and protocol.name in _SETLESS:
        changes["split"] = "ignore"
    return experiments.change(protocol, **changes)


def _add(rows: list[ToolScores], row: ToolScores) -> None:
    """Add the row, or its tools to the row with the same numbers."""
    for number, each in enumerate(rows):
        alike = np.abs(each.values - row.values).max() < _SAME
        if alike and np.array_equal(np.round(100 * each.values, 2), np.round(100 * row.values, 2)):
            tools = tuple(dict.fromkeys((*each.tools, *row.tools)))
            rows[number] = each._replace(tools=tools, notes=(*each.notes, *row.notes))
            return
    rows.append(row)


def tool(experiments: Experiments, name: str) -> ToolScores:
    """The row of a tool, a preset or a signature, by its name or a part of it."""
    if "|" in name or name.endswith(".toml"):
        return scored_row(experiments, name, (), "as it says", adapted(experiments, protocol_of(name)))
    wanted = _plain(name)
    for said, reason in UNREPRODUCED.items():
        if wanted == _plain(said):
            raise Error("unknown-tool", f"the numbers of {said} cannot be had: it {reason}",
                        remedy="see what others print without --like")  # fmt: skip
    for whole in (True, False):
        for each in _KNOWN:
            plain = [_plain(said) for said in (each.name, *each.tools)]
            if wanted in plain or (not whole and wanted and any(one.startswith(wanted) for one in plain)):
                return _row(experiments, each)
        if name in PROTOCOLS:
            return _row(experiments, Convention(name, name, {}, (), f"the preset {name}"))
    known = [said for each in _KNOWN for said in (each.name, *each.tools)]
    names = {_plain(said): said for said in (*known, *PROTOCOLS)}
    near = [names[each] for each in get_close_matches(wanted, names, 5, 0.3)] or [each.name for each in _KNOWN]
    raise Error("unknown-tool", f"no tool '{name}'", expected=f"a name like {', '.join(near)}, a preset or a signature",
                remedy="see what others print without --like, or the presets with: scoref list protocols")  # fmt: skip


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


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

    def column(self, exchanged: bool) -> int:
        """The place of the part among recall, precision and f1, or that of the other one of recall and precision."""
        place = Score._fields.index(self.part)
        return 1 - place if exchanged and place < 2 else place


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
    distance: float = math.inf
    digits: str = ""
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
        name = protocol.name if row and row.name == "yours" else row.name if row else ""
        changes = frozenset((choice, str(getattr(protocol, choice))) for choice in different(base, protocol)
                            if choice in active)  # fmt: skip
        each = _judged(Fit(protocol, name, row.tools if row else (), changes, values), experiments.metrics, numbers)
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


def _judged(fit: Fit, metrics: Sequence[str], numbers: Sequence[GivenNumber]) -> Fit:
    """The fit with how far it is off; recall and precision are exchanged where only that prints the numbers."""
    both = []
    for exchanged in (False, True):
        places = [(metrics.index(number.metric), number.column(exchanged)) for number in numbers]
        off = [(float(fit.values[at]) - number.value, number.unit) for at, number in zip(places, numbers, strict=True)]
        distance = max(abs(each) for each, _ in off)
        both.append(fit._replace(distance=distance, digits=_digits(off), exchanged=exchanged))
    return both[not both[0].digits and bool(both[1].digits)]


def _digits(off: Sequence[tuple[float, float]]) -> str:
    """How the values become the numbers: `rounded`, `cut off`, or '' if they do not."""
    if all(abs(each) <= unit / 2 + _CLOSE for each, unit in off):
        return "rounded"
    return "cut off" if all(-_CLOSE <= each < unit - _CLOSE for each, unit in off) else ""


def shown(value: float) -> str:
    """A score in percent, with four digits."""
    return f"{100 * value:.4f}" if math.isfinite(value) else "–"
