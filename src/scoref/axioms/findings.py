"""Which property each metric has under each convention: recorded once, searched again on request, shown as tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ..layout import render
from ..layout.grid import NOTHING, Cell, Grid
from ..layout.render import Json
from ..problems import Error
from ..processes import Progress, ordered_map, reported
from ..protocol.protocol import PROTOCOLS, Protocol, protocol_of
from .properties import PROPERTIES, Counterexample, Found, jumps
from .scoring import DIFFER, convention, conventions, defined, metrics, score_all

MOST = 6  # mentions of the largest cases that are searched
RECORD = Path(__file__).with_name("recorded.jsonl")

_ROOTS = ("cc", "hota")  # their squares are fractions
_MEANS = ("baseline",)  # what is compared is a mean of scores

Words = tuple[str, ...]  # the words of the choices in DIFFER


class MetricFindings(NamedTuple):
    """What was found for a metric: for each property its counterexample or None, and the largest change by size."""

    found: Mapping[str, Found]
    jumps: Sequence[float]


Table = Mapping[Protocol, Mapping[str, MetricFindings]]  # for each convention and metric


def words(protocol: Protocol) -> Words:
    """The words of a convention."""
    return tuple(str(getattr(protocol, choice)) for choice in DIFFER)


# -- searching and recording ------------------------------------------------------------------------------------------


def searched(most: int, names: Sequence[str], protocol: Protocol) -> dict[str, MetricFindings]:
    """What a search in all cases of at most so many mentions finds for these metrics under a convention."""
    scores = score_all(most, names, protocol)
    return {
        name: MetricFindings(
            {each.name: each.search(values, most) for each in PROPERTIES.values()}, jumps(values, most)
        )
        for name, values in scores.items()
    }


def recorded() -> dict[Words, dict[str, MetricFindings]]:
    """What the search found when it was last recorded."""
    return _read(RECORD)


@cache
def _read(path: Path) -> dict[Words, dict[str, MetricFindings]]:
    found: dict[Words, dict[str, MetricFindings]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        fails = {name: Counterexample._make((*case[:4], tuple(case[4]))) for name, case in row["fails"].items()}
        here = MetricFindings({name: fails.get(name) for name in PROPERTIES}, row["jumps"])
        for each in row["conventions"]:
            found.setdefault(tuple(each.split()), {})[row["metric"]] = here
    return found


def record(table: Table) -> str:
    """MetricFindings as lines of JSON; conventions in which a metric does the same share a line."""
    shared: dict[str, list[str]] = {}
    for protocol, results in table.items():
        for name, each in results.items():
            fails = {key: case for key, case in each.found.items() if case is not None}
            row = json.dumps({"metric": name, "jumps": each.jumps, "fails": fails}, ensure_ascii=False)
            shared.setdefault(row, []).append(" ".join(words(protocol)))
    rows = sorted(((json.loads(row), some) for row, some in shared.items()), key=lambda row: str(row[0]["metric"]))
    lines = [
        json.dumps({"metric": row["metric"], "conventions": some, **row}, ensure_ascii=False) for row, some in rows
    ]
    return "\n".join([*lines, ""])


# -- the result -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Axioms:
    """Which metric has which property: for conventions (with the presets that follow them), metrics and properties."""

    table: Table
    metrics: tuple[str, ...]
    properties: tuple[str, ...]
    version: str

    __str__ = render.text
    _repr_html_ = render.html

    def presets(self, protocol: Protocol) -> list[str]:
        """The presets that follow a convention; its signature, if there are none."""
        return conventions().get(protocol) or [protocol.change(metrics=PROTOCOLS[protocol.name].metrics).signature()]

    def grids(self) -> list[Grid]:
        """The properties under the first convention, how many hold under each, counterexamples."""
        protocol, results = next(iter(self.table.items()))
        some = [name for name in self.metrics if name in results]
        rows = [(each, *(_cell(results[name].found[each]) for name in some)) for each in self.properties]
        grids = [Grid(f"under {', '.join(self.presets(protocol))}", ("property", *some), rows)]
        if len(self.table) > 1:
            grids.append(self._overview())
        fails = [(name, each, case) for name in some for each in self.properties if (case := results[name].found[each])]
        if fails and 1 in (len(self.metrics), len(self.properties)):
            lines = [
                (name, each, *(None if side is None else entities(side) for side in case[1:4]), *_two(case.scores))
                for name, each, case in fails
            ]
            header = ("metric", "property", "key", "response", "then", "f1", "then f1")
            grids.append(Grid("smallest counterexamples", header, lines))
        return [*grids, *(_picture(*each) for each in fails[:1])]

    def _overview(self) -> Grid:
        names = [self.presets(protocol)[0] for protocol in self.table]
        rows: list[tuple[Cell, ...]] = [
            (name, *(self._held(each[name]) if name in each else NOTHING for each in self.table.values()))
            for name in self.metrics
        ]
        return Grid(f"properties that hold, of {len(self.properties)}, under each convention", ("metric", *names), rows)

    def _held(self, findings: MetricFindings) -> int:
        return sum(findings.found[each] is None for each in self.properties)

    def notes(self) -> list[str]:
        """What the tables mean, and the signature."""
        protocol = next(iter(self.table))
        meaning = (
            f"yes: it holds in all cases of at most {MOST} mentions; a number: it fails, first with so many mentions"
        )
        return [meaning, f"signature {protocol.change(metrics=self.metrics).signature()}|scoref:{self.version}"]

    def whole_grid(self) -> Grid:
        """A row for each convention, metric and property."""
        rows: list[tuple[Cell, ...]] = []
        for protocol, results in self.table.items():
            presets = " ".join(self.presets(protocol))
            for name, findings in results.items():
                for each in self.properties:
                    case = findings.found[each]
                    shown = (case[0], *case[1:3], case.second, *_two(case.scores)) if case else (None,) * 6
                    rows.append((presets, name, each, "no" if case else "yes", *shown))
        header = ("presets", "metric", "property", "holds", "mentions", "key", "response", "then", "f1", "then f1")
        return Grid("", header, rows)

    def to_dict(self) -> Json:
        """The result as `scoref axioms --json` prints it."""
        return {
            "scoref": self.version,
            "mentions": MOST,
            "properties": {each: PROPERTIES[each].says for each in self.properties},
            "conventions": [
                {
                    "presets": self.presets(protocol),
                    **dict(zip(DIFFER, words(protocol), strict=True)),
                    "metrics": {name: self._listed(name, findings) for name, findings in results.items()},
                }
                for protocol, results in self.table.items()
            ],
        }

    def _listed(self, metric: str, findings: MetricFindings) -> Json:
        found: Json = {}
        for each in self.properties:
            case = findings.found[each]
            found[each] = {"holds": case is None, "counterexample": case and _listed(metric, each, case)}
            if each == "continuity":
                found[each]["largest_changes"] = [*findings.jumps]
        return found


def _two(scores: tuple[float, ...]) -> tuple[float | None, float | None]:
    return scores[0], scores[1] if len(scores) > 1 else None


def _cell(case: Found) -> Cell:
    return "yes" if case is None else str(case.mentions)


def _listed(metric: str, name: str, case: Counterexample) -> Json:
    found: Json = {**case._asdict(), "scores": [*case.scores]}
    if metric in _ROOTS and name not in _MEANS:
        found["signed_squares"] = [score * abs(score) for score in case.scores]
    return found


def entities(side: str) -> str:
    """A side as it is drawn in text.

    >>> entities("ab|c"), entities("")
    ('(a b) (c)', 'nothing')
    """
    if side.startswith("sizes"):
        return f"all with {side}"
    return " ".join(f"({' '.join(entity)})" for entity in side.split("|")) if side else "nothing"


def _picture(metric: str, name: str, case: Counterexample) -> Grid:
    """A counterexample drawn in text."""
    before, after = _two(case.scores)
    rows: list[tuple[Cell, ...]] = [("key", entities(case.key), None), ("response", entities(case.response), before)]
    if case.second is not None:
        rows.append(("then", entities(case.second), after))
    elif after is not None:
        rows.append(("exchanged", "", after))
    return Grid(f"{metric} fails {name} ({PROPERTIES[name].says})", ("side", "entities", "f1"), rows)


# -- what users call --------------------------------------------------------------------------------------------------


def axioms(
    names: Iterable[str] | None = None,
    properties: Iterable[str] | None = None,
    protocol: str | os.PathLike[str] | Protocol | None = None,
    search: bool = False,
    jobs: int = 1,
    progress: Progress = None,
) -> Axioms:
    """Which of the metrics has which property, under the conventions of all presets or of one protocol.

    What is recorded is not searched again, unless `search` says so.
    """
    from .. import __version__

    some = _known("metric", names, metrics(), "metrics of entities")
    wanted = _known("property", properties, [*PROPERTIES], "properties")
    protocols = [*conventions()] if protocol is None else [convention(protocol_of(protocol))]
    found: dict[Protocol, Mapping[str, MetricFindings]] = {}
    for each in protocols if not search else ():
        known = recorded().get(words(each), {})
        if {*defined(some, each)} <= {*known}:
            found[each] = known
    missing = [each for each in protocols if each not in found]
    results = ordered_map(partial(searched, MOST, some), missing, jobs)
    for each in reported(missing, "conventions searched", progress):
        found[each] = next(results)
    table = {each: {name: found[each][name] for name in defined(some, each)} for each in protocols}
    return Axioms(table, some, wanted, __version__)


def _known(what: str, given: Iterable[str] | None, known: Sequence[str], whose: str) -> tuple[str, ...]:
    """The names that were given, all if there are none; refused if one is unknown."""
    names = tuple(dict.fromkeys(known if given is None else given)) or ("",)
    if names == ("all",):
        return tuple(known)
    for name in names:
        if name not in known:
            expected, remedy = f"some of {', '.join(known)}", f"name another {what}, or leave it out for all"
            raise Error(f"unknown-{what}", f"'{name}' is none of the {whose} that are searched",
                        expected=expected, remedy=remedy)  # fmt: skip
    return names
