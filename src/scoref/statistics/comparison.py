"""The result of comparing systems: scores with letters, tests, pictures."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, islice, product
from typing import Any, NamedTuple

from ..counting.metrics import Mean, Score
from ..document.grouping import by_number
from ..layout import grid, plots
from ..relations.registry import how_of, split_name
from ..results.evaluation import Evaluation
from ..results.intervals import Interval, Resampling
from .significance import groups

LEVEL = 0.05  # of the tests, and of the intervals


class Difference(NamedTuple):
    """The difference of two systems' f1, that of b minus that of a: its p-value and its intervals.

    `trials` counts the exchanges that p comes from, `exact` says that these are all. From one unit there is no p, from
    too few there are no intervals.
    """

    metric: str
    a: str
    b: str
    difference: float
    p: float | None
    p_adjusted: float | None
    ci: Interval | None
    ci_percentile: Interval | None
    exact: bool
    trials: int


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems on the same documents: their evaluations with intervals, and tests of their differences.

    `least` is the smallest p-value, adjusted, that could be reached.

    >>> from scoref import clusters, compare
    >>> key = [clusters([["a", "b", "c"], ["d", "e"]], str(number)) for number in range(8)]
    >>> joined = [clusters([["a", "b", "c", "d", "e"]], document.id) for document in key]
    >>> result = compare(key, {"joined": joined, "perfect": key}, metrics=["muc"])
    >>> print(result)
    f1; systems that share a letter do not differ significantly (p ≥ 0.05)
    system      muc
    joined    85.71ᵇ
    perfect  100.00ᵃ
    <BLANKLINE>
    metric  a       b        difference     low    high       p
    muc     joined  perfect      +14.29  +14.29  +14.29  0.0078
    ...
    """

    systems: Mapping[str, Evaluation]
    tests: tuple[Difference, ...]
    resampling: Resampling
    pairs: str
    correction: str
    least: float
    settings: Mapping[str, Comparison] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """All choices, those of resampling too, and the version, in one line."""
        return next(iter(self.systems.values())).signature

    def letters(self) -> dict[str, dict[str, str]]:
        """By metric and system the letters of the groups that it is in; those that share one do not differ.

        Where only differences to the first system were tested, and there are several, `*` marks those that differ.
        Where no difference could be significant, however large it is, there are none.
        """
        number, found = len(self.systems), {}
        if not self.can_tell:
            return {metric: dict.fromkeys(self.systems, "") for metric in self._metrics}
        complete = len(self.tests) == len(self._metrics) * number * (number - 1) // 2
        for metric in self._metrics:
            differ = [(test.a, test.b) for test in self.tests if test.metric == metric and _below(test)]
            if not complete:
                found[metric] = {name: "*" * any(name == b for _, b in differ) for name in self.systems}
                continue
            order = sorted(self.systems, key=lambda name: -self.systems[name][metric].f1)
            place = {name: rank for rank, name in enumerate(order)}
            each = groups(number, [(place[a], place[b]) for a, b in differ])
            letters = [*islice(_letters(), len(each))]
            between = "," if len(each) > len(_LETTERS) else ""
            found[metric] = {
                name: between.join(letter for letter, group in zip(letters, each, strict=True) if place[name] in group)
                for name in self.systems
            }
        return found

    @property
    def can_tell(self) -> bool:
        """Whether a difference could be significant at all, with so many units, trials and systems."""
        return self.least < LEVEL

    @property
    def _metrics(self) -> tuple[str, ...]:
        return next(iter(self.systems.values())).protocol.metrics

    def to_dict(self) -> dict[str, Any]:
        """The result as `scoref compare --json` prints it."""
        first = next(iter(self.systems.values()))
        return {
            "scoref": first.version,
            "signature": self.signature,
            "protocol": {**first.protocol.__dict__, "metrics": list(first.protocol.metrics)},
            "documents": first.size,
            **self.resampling.to_dict(),
            "least_p": self.least,
            "pairs": self.pairs,
            "correction": self.correction,
            "problems": {name: [problem.to_dict() for problem in each.problems] for name, each in self.systems.items()},
            "undefined": {name: each.undefined for name, each in self.systems.items()},
            "systems": {name: each.scores_dict() for name, each in self.systems.items()},
            **(
                {"drift": drift}
                if (drift := {name: each.drift for name, each in self.systems.items() if each.drift})
                else {}
            ),
            "tests": [
                {
                    **test._asdict(),
                    **{name: list(ends) for name in ("ci", "ci_percentile") if (ends := getattr(test, name))},
                }
                for test in self.tests
            ],
            "letters": self.letters(),
            **({"settings": {name: each.to_dict() for name, each in self.settings.items()}} if self.settings else {}),
        }

    def scores_grid(self) -> grid.Grid:
        """A table for a paper: a row for each system, the f1 of each metric, and letters."""
        letters = self.letters()
        rows: list[tuple[grid.Cell, ...]] = []
        for name, each in self.systems.items():
            values = [(metric, f1) for metric, (_, _, f1) in each.scores.items()]
            shown = [grid.Number(f1, f"{100 * f1:.2f}", letters[metric][name]) for metric, f1 in values]
            rows.append((name, *(grid.NOTHING if metric in each.undefined else cell
                                 for metric, cell in zip(each.scores, shown, strict=True))))  # fmt: skip
        return grid.Grid(f"f1; {self.marks_note()}", ("system", *self._metrics), rows)

    def marks_note(self) -> str:
        """What the letters or stars beside scores mean, or why there are none."""
        adjusted = f", {self.correction}" if self._many else ""
        if not self.can_tell:
            return f"no letters: no difference could be significant (p < {LEVEL:g}{adjusted})"
        marks = {mark for each in self.letters().values() for mark in each.values()}
        if marks <= {"", "*"}:
            return f"* differs significantly from the first (p < {LEVEL:g}{adjusted})"
        return f"systems that share a letter do not differ significantly (p ≥ {LEVEL:g}{adjusted})"

    @property
    def _many(self) -> bool:
        """Whether p-values are adjusted, as there are several for each metric."""
        return self.correction != "none" and len(self.tests) > len(self._metrics)

    def tests_grid(self, whole: bool = False) -> grid.Grid:
        """A row for each test: the difference, its interval, the p-value, and that adjusted for many tests.

        For programs the `whole` of it: with the scores, and the adjusted p-value even if it is the same.
        """
        adjusted = self._many or whole
        scores = ("f1 a", "f1 b") if whole else ()
        there = self.tests[0].ci is not None or whole, self.tests[0].p is not None or whole
        ends = ("low", "high") if there[0] else ()
        header = ("metric", "a", "b", *scores, "difference", *ends, *("p", "p adjusted")[: there[1] * (1 + adjusted)])
        rows: list[tuple[grid.Cell, ...]] = []
        for test in self.tests:
            both = [self.systems[name][test.metric].f1 for name in (test.a, test.b)] if whole else []
            interval = [None if end is None else grid.signed(end) for end in test.ci or (None, None)]
            p = [None if value is None else grid.Number(value, _probability(value))
                 for value in (test.p, test.p_adjusted)]  # fmt: skip
            cells = (*both, grid.signed(test.difference), *interval * there[0], *p[: there[1] * (1 + adjusted)])
            nothing = any(test.metric in self.systems[name].undefined for name in (test.a, test.b))
            rows.append((test.metric, test.a, test.b, *((grid.NOTHING,) * len(cells) if nothing else cells)))
        return grid.Grid("", header, rows)

    def by(self, field: str) -> grid.Grid:
        """A breakdown: the f1 of each system in each group of documents (or of entities), metric by metric."""
        each = {name: system.by(field) for name, system in self.systems.items()}
        labels = dict.fromkeys(label for found in each.values() for label in found)
        rows: list[tuple[grid.Cell, ...]] = []
        for label in labels:
            for metric in dict.fromkeys(metric for found in each.values() for metric in found.get(label, {})):
                rows.append((label, metric, *(found.cell(label, metric) for found in each.values())))
        return grid.Grid(f"f1 by {field}", (field, "metric", *self.systems), rows)

    def notes(self) -> list[str]:
        """What belongs beside the tables: how they were made, warnings, problems, the signature."""
        resampling, first = self.resampling, next(iter(self.systems.values()))
        documents = f"{first.size} {first.source.counted}{'s' * (first.size != 1)}; differences are b − a"
        lines = [documents]
        if self.tests[0].ci:
            lines = [
                f"{documents}, low and high the ends of their 95 % bootstrap (BCa) interval, {self._test_note()}; "
                f"{resampling.trials:,} trials over {resampling.units} units ({resampling.unit})"
            ]
        elif self.tests[0].p is not None:
            lines = [f"{documents}, {self._test_note()}"]
        if self.tests[0].p is not None:
            lines.append(self._least_note())
        lines += [f"warning: {warning}" for warning in self.resampling.warnings]
        return [*lines, *self._system_notes(), f"signature {self.signature}"]

    def _system_notes(self) -> Iterator[str]:
        """What belongs beside the scores of each system; once what is to be said of all of them."""
        said = {name: [*each.remark_notes(), *each.problem_notes()] for name, each in self.systems.items()}
        shared = [note for note in next(iter(said.values())) if all(note in notes for notes in said.values())]
        yield from shared
        for name, notes in said.items():
            yield from (f"{name}: {note}" for note in notes if note not in shared)

    def _test_note(self) -> str:
        """Which test the p-values are of."""
        exact = {test.exact for test in self.tests}
        kind = "approximate" if exact == {False} else "exact" if exact == {True} else "exact or approximate"
        return f"p that of a paired {kind} randomisation test, two-sided"

    def _least_note(self) -> str:
        """The smallest p that could be reached, and what that depends on."""
        number = len(self.tests) // len(self._metrics)
        most = max(test.trials for test in self.tests)
        adjusted = f" and adjusted for {number} pairs of systems" if self._many else ""
        said = f"the smallest p that could be reached from {most:,} exchanges{adjusted} is {_probability(self.least)}"
        if self.can_tell:
            return said
        more = "more units" if all(test.exact for test in self.tests) else "more trials or units"
        return f"warning: {said}, so that no difference could be significant, however large: use {more}"

    def __str__(self) -> str:
        tables = [grid.text(self.scores_grid()), grid.text(self.tests_grid())]
        *notes, signature = map(grid.clean, self.notes())
        return "\n\n".join([*tables, "\n".join([*grid.paragraphs(notes), signature])])

    def _repr_html_(self) -> str:
        return "\n".join([*map(grid.html_, (self.scores_grid(), self.tests_grid())), grid.html_lines(self.notes())])

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw a figure, by the name of the file: scores, differences, documents, size; a folder gets all of them."""
        plots.draw(self.figures(), path)

    def figures(self) -> dict[str, plots.Figure]:
        """The systems' f1 with intervals, their differences, the first two by document, recall by size of entities."""
        return {
            "scores": _dots(self.systems),
            **({"differences": self._forest()} if self.tests else {}),
            "documents": self._scatter(),
            **_sizes(self.systems),
        }

    def _forest(self) -> plots.Dots:
        """The differences of pairs with their intervals: a row for each metric; of many pairs, one for each pair."""
        pairs = list(dict.fromkeys((test.a, test.b) for test in self.tests))
        shown = [test for test in self.tests if len(pairs) < 4 or test.metric == self._headline]
        points: dict[str, list[tuple[float, float, float]]] = {}
        for test in shown:
            ends = test.ci or (test.difference, test.difference)
            name = f"{test.b} − {test.a}" if len(pairs) < 4 else ""
            points.setdefault(name, []).append((100 * test.difference, 100 * ends[0], 100 * ends[1]))
        if len(pairs) < 4:
            metrics = list(dict.fromkeys(test.metric for test in shown))
            label = (
                f"difference of F1, points ({next(iter(points))})" if len(points) == 1 else "difference of F1, points"
            )
            return plots.Dots(label, [*map(proper, metrics)], points, zero=True)
        groups = [f"{test.b} − {test.a}" for test in shown]
        return plots.Dots(f"difference of {proper(self._headline)} F1, points", groups, points, zero=True)

    @property
    def _headline(self) -> str:
        """The last average, or the last metric."""
        return [*self._metrics, *(name for name in self._metrics if isinstance(how_of(name), Mean))][-1]

    def _scatter(self) -> plots.Points:
        """The f1 of the first two systems, a point for each document."""
        (a, first), (b, second) = list(self.systems.items())[:2]
        metric, theirs, ours = self._headline, second.by_document(), first.by_document()
        points = [(100 * ours[name][metric].f1, 100 * theirs[name][metric].f1) for name in ours]
        return plots.Points(f"{proper(metric)} F1 of {a}, %", f"{proper(metric)} F1 of {b}, %", {"": points})


_LETTERS = "abcdefghijklmnoprstuvwxyz"  # there is no raised q


def _letters() -> Iterator[str]:
    """The names of groups: a, b, ..., z, aa, ab, ..."""
    for length in count(1):
        yield from map("".join, product(_LETTERS, repeat=length))


def _below(test: Difference) -> bool:
    return test.p_adjusted is not None and test.p_adjusted < LEVEL


def _probability(value: float) -> str:
    """A probability with four digits behind the point, or as many as it takes to show two that are not 0.

    >>> _probability(0.0625), _probability(1 / 10_001), _probability(2 / 2**16)
    ('0.0625', '0.00010', '0.000031')
    """
    digits = 4 if value >= 0.001 else 1 - math.floor(math.log10(value * 1.005))
    return f"{value:.{digits}f}"


# -- figures ---------------------------------------------------------------------------------------------------------

_PROPER = {
    "muc": "MUC", "b3": "B³", "ceafe": "CEAFe", "ceafm": "CEAFm", "lea": "LEA", "blanc": "BLANC", "conll": "CoNLL",
    "kbp": "KBP", "ari": "ARI",
}  # fmt: skip


def proper(metric: str) -> str:
    """The name of a metric as papers print it.

    >>> proper("b3"), proper("ceafe"), proper("b3-sys"), proper("deixis:muc"), proper("mentions")
    ('B³', 'CEAFe', 'B³_sys', 'deixis: MUC', 'mentions')
    """
    prefix, base = split_name(metric)
    name, dash, variant = base.partition("-")
    found = _PROPER[name] + ("_" + variant if dash else "") if name in _PROPER else base
    return f"{prefix} {found}" if prefix else found


def plot(evaluation: Evaluation, path: str | os.PathLike[str]) -> None:
    """Draw the f1 of every metric, with its interval if there is one, or recall and precision by size of entities.

    The name of the file says which: `scores` or `size`; a folder gets both.
    """
    plots.draw({"scores": _dots({"": evaluation}), **_sizes({"": evaluation})}, path)


def _dots(systems: Mapping[str, Evaluation]) -> plots.Dots:
    """The picture of each system's f1 by metric."""
    series: dict[str, list[tuple[float, float, float]]] = {}
    metrics: dict[str, Score] = {}
    ends: Mapping[str, tuple[Interval, Interval, Interval]] = {}
    for name, each in systems.items():
        metrics, ends = each.scores, each.intervals.scores if each.intervals else {}
        of_f1 = [(f1, *(ends[metric][2] if ends else (f1, f1))) for metric, (_, _, f1) in metrics.items()]
        series[name] = [(100 * f1, 100 * low, 100 * high) for f1, low, high in of_f1]
    return plots.Dots("F1 with 95 % intervals, %" if ends else "F1, %", [*map(proper, metrics)], series)


def _sizes(systems: Mapping[str, Evaluation]) -> dict[str, plots.Figure]:
    """The recall of each system by the size of entities, of a single one precision, too; nothing without entities."""
    series: dict[str, dict[str, float]] = {}
    metric = ""
    for name, each in systems.items():
        by_size = each.by("size") if each.has_evidence else {}
        shown = list(next(iter(by_size.values()), {}))
        metric = "b3" if "b3" in shown else shown[0] if shown else ""
        if metric:
            series[name if len(systems) > 1 else "recall"] = {size: of[metric].recall for size, of in by_size.items()}
            if len(systems) == 1:
                series["precision"] = {size: of[metric].precision for size, of in by_size.items()}
    if not series:
        return {}
    sizes = sorted({size for each in series.values() for size in each}, key=by_number)
    points = {name: [(100 * each.get(size, 0.0),) * 3 for size in sizes] for name, each in series.items()}
    what = "recall" if len(systems) > 1 else "recall and precision"
    label = f"{proper(metric)} {what} by mentions of an entity, %"
    return {"size": plots.Dots(label, sizes, points)}
