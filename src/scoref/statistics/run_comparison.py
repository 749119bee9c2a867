"""The result of comparing systems with several runs: means, differences with their parts, exchange tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from ..layout import grid, plots, render
from ..layout.render import Json
from ..problems import left_out
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling, number_of
from .beside.asked import Beside
from .figures import proper
from .letters import letters, meaning
from .run_tests import LEVEL, THESE, ExchangeTest, RunDifference, RunMean


@dataclass(frozen=True, eq=False)
class RunsComparison:
    """Systems with several runs on the same documents: the means of their runs, and tests of their differences.

    `systems` has the evaluations of each system's runs, `means` by system and metric what they come to; a single system
    has no tests. `beside` has what was asked beside: power, margin, datasets.

    >>> from scoref import clusters, compare
    >>> key = [clusters([["a", "b", "c"], ["d", "e"]], str(number)) for number in range(8)]
    >>> worse = [clusters([["a", "b"], ["d", "e"]], document.id) for document in key]
    >>> runs = [[key[n] if n % 3 == k else worse[n] for n in range(8)] for k in (0, 1)]
    >>> result = compare(key, {"A": runs}, metrics=["muc"])
    >>> round(result.means["A"]["muc"].f1, 4), round(result.means["A"]["muc"].deviation, 4)
    (0.8837, 0.0)
    """

    systems: Mapping[str, tuple[Evaluation, ...]]
    means: Mapping[str, Mapping[str, RunMean]]
    tests: tuple[RunDifference, ...]
    resampling: Resampling
    pairs: str
    correction: str
    settings: Mapping[str, RunsComparison] = field(default_factory=dict)
    beside: Mapping[str, Beside] = field(default_factory=dict)

    __str__ = render.text
    _repr_html_ = render.html

    @property
    def first(self) -> Evaluation:
        """The evaluation of the first run of the first system."""
        return next(iter(self.systems.values()))[0]

    @property
    def signature(self) -> str:
        """All choices, those of resampling too, and the version, in one line."""
        return f"{self.first.protocol.signature()}{self.resampling.signature}|scoref:{self.first.version}"

    @property
    def signature_full(self) -> str:
        """The signature with every choice named."""
        return f"{self.first.protocol.full()}{self.resampling.signature}|scoref:{self.first.version}"

    @property
    def _metrics(self) -> tuple[str, ...]:
        return self.first.protocol.metrics

    def letters(self) -> dict[str, dict[str, str]]:
        """By metric and system the letters of its groups: systems that share a letter do not differ significantly."""
        number = len(self.systems)
        if not any(test.p is not None for test in self.tests):
            return {metric: dict.fromkeys(self.systems, "") for metric in self._metrics}
        complete = len(self.tests) == len(self._metrics) * number * (number - 1) // 2
        different = {metric: [(test.a, test.b) for test in self.tests if test.metric == metric and test.significant]
                     for metric in self._metrics}  # fmt: skip
        return {metric: letters({name: each[metric].f1 for name, each in self.means.items()}, found, complete)
                for metric, found in different.items()}  # fmt: skip

    @property
    def _many(self) -> bool:
        """Whether there are several tests for each metric, so that p-values are adjusted."""
        return self.correction != "none" and len(self.tests) > len(self._metrics)

    def undefined(self, name: str) -> set[str]:
        """The metrics that have nothing to count in any run of the system."""
        return set.intersection(*(set(run.undefined) for run in self.systems[name]))

    # -- tables --------------------------------------------------------------------------------------------------------

    def grids(self) -> list[grid.Grid]:
        """The means; every run; the tests, the parts of their errors, and exchange tests; what was asked beside."""
        tests = [self.tests_grid(), self.parts_grid(), self.exchanges_grid()] if self.tests else []
        return [
            self.scores_grid(),
            self.runs_grid(),
            *tests,
            *(each for one in self.beside.values() for each in one.grids()),
        ]

    def scores_grid(self) -> grid.Grid:
        """A row for each system: the mean f1 of each metric over its runs ± standard deviation, and letters."""
        if len(self.systems) == 1:
            return self.means_grid()
        marks = self.letters()
        rows: list[tuple[grid.Cell, ...]] = []
        for name, runs in self.systems.items():
            cells = {metric: _plus_minus(mean, marks[metric][name]) for metric, mean in self.means[name].items()}
            cells |= dict.fromkeys(self.undefined(name), grid.NOTHING)
            rows.append((name, len(runs), *cells.values(), *(self._left_out(name),) * self.skipped))
        note = f"; {self.marks_note()}" if any(mark for each in marks.values() for mark in each.values()) else ""
        header = ("system", "runs", *self._metrics, *("left out",) * self.skipped)
        return grid.Grid(f"mean f1 ± standard deviation over runs{note}", header, rows)

    def marks_note(self) -> str:
        """What the letters or stars beside scores mean."""
        adjusted = f", {self.correction}" if self._many else ""
        return meaning([*self.letters().values()], f"{LEVEL:g}{adjusted}")

    def means_grid(self, named: bool = False) -> grid.Grid:
        """A row for each metric (and system, if `named`): the means over runs, how far they spread, the interval."""
        rows: list[tuple[grid.Cell, ...]] = []
        for name, means in self.means.items():
            for metric, mean in means.items():
                ends = mean.ci or (grid.NOTHING, grid.NOTHING)
                deviation = grid.NOTHING if mean.deviation is None else mean.deviation
                cells = (*mean[:3], deviation, mean.least, mean.most, *ends)
                if metric in self.undefined(name):
                    cells = (grid.NOTHING,) * len(cells)
                rows.append((*(name,) * named, metric, *(len(self.systems[name]),) * named, *cells))
        header = (
            "metric",
            *("runs",) * named,
            "recall",
            "precision",
            "f1",
            "deviation",
            "least",
            "most",
            "low",
            "high",
        )
        only, runs = next(iter(self.systems.items()))
        title = "" if named else f"{only}: means over {number_of(len(runs), 'run')}"
        return grid.Grid(title, (*("system",) * named, *header), rows)

    def runs_grid(self) -> grid.Grid:
        """The f1 of every run."""
        rows = [
            (name, number, *(grid.NOTHING if metric in run.undefined else run[metric].f1 for metric in self._metrics))
            for name, runs in self.systems.items()
            for number, run in enumerate(runs, 1)
        ]
        return grid.Grid("f1 of every run", ("system", "run", *self._metrics), rows)

    def tests_grid(self, whole: bool = False) -> grid.Grid:
        """A row for each test; `whole` is for programs, with the means, all parts and all tests in one table."""
        ends = whole or any(test.ci for test in self.tests)
        columns = {"f1 a": whole, "f1 b": whole, "difference": True, "low": ends, "high": ends, "p": ends}
        columns |= {"p adjusted": whole or (ends and self._many), "for": True}
        rows: list[tuple[grid.Cell, ...]] = []
        for test in self.tests:
            both = [self.means[name][test.metric].f1 for name in (test.a, test.b)]
            ends_of = map(grid.signed, test.ci) if test.ci else (None, None)
            cells = (*both, grid.signed(test.difference), *ends_of,
                     *map(grid.probability, (test.p, test.p_adjusted)), test.scope)  # fmt: skip
            rows.append((test.metric, test.a, test.b, *compress(cells, columns.values())))
        table = grid.Grid("", ("metric", "a", "b", *compress(columns, columns.values())), rows)
        if not whole:
            return table
        others = [self.parts_grid(), self.exchanges_grid()]
        further = {name: cells for each in self.beside.values() for name, cells in each.columns().items()}
        joined = [
            (*row, *(cell for each in others for cell in each.rows[place][3:]), *(c[place] for c in further.values()))
            for place, row in enumerate(rows)
        ]
        return grid.Grid("", (*table.header, *(name for each in others for name in each.header[3:]), *further), joined)

    def parts_grid(self) -> grid.Grid:
        """The standard error of each difference in points, and its parts: documents, runs of a, runs of b."""
        rows = [
            (test.metric, test.a, test.b, test.documents, *map(_part, (test.runs_a, test.runs_b)), test.error,
             grid.NOTHING if test.degrees is None else grid.Number(test.degrees, f"{test.degrees:.1f}"))
            for test in self.tests
        ]  # fmt: skip
        header = ("metric", "a", "b", "documents", "runs of a", "runs of b", "all", "degrees of freedom")
        return grid.Grid("standard errors of the differences in points, by where they come from", header, rows)

    def exchanges_grid(self) -> grid.Grid:
        """The p-values of exchange tests, each under its question."""
        rows = [(test.metric, test.a, test.b, _exchange(test.other_documents), _exchange(test.other_runs))
                for test in self.tests]  # fmt: skip
        header = ("metric", "a", "b", "these runs, other documents", "these documents, other runs")
        return grid.Grid("p of exchange tests, for narrower questions", header, rows)

    def by(self, field: str) -> grid.Grid:
        """A breakdown: the mean f1 of each system's runs in each group of documents (or of entities)."""
        groups = {name: [run.by(field) for run in runs] for name, runs in self.systems.items()}
        labels = dict.fromkeys(label for each in groups.values() for one in each for label in one)
        rows = [
            (label, metric, *(_mean_cell([one.cell(label, metric) for one in each]) for each in groups.values()))
            for label in labels
            for metric in self._metrics
            if any(metric in one.get(label, {}) for each in groups.values() for one in each)
        ]
        return grid.Grid(f"mean f1 by {field}", (field, "metric", *self.systems), rows)

    # -- notes, JSON, frames, pictures ---------------------------------------------------------------------------------

    @property
    def skipped(self) -> bool:
        """Whether malformed input of some run was left out; the rows of systems then say what."""
        return any(self._left_out(name) for name in self.systems)

    def _left_out(self, name: str) -> str:
        runs = enumerate(self.systems[name], 1)
        return "; ".join(f"run {number}: {run.left_out}" for number, run in runs if run.left_out)

    def notes(self) -> list[str]:
        """The lines below the tables: how they were made, warnings, problems, the signature."""
        resampling = self.resampling
        what = "differences are b − a, of means over runs; " if self.tests else ""
        how = (
            f"{number_of(self.first.size, self.first.source.counted)}; {what}low and high are the ends of the 95 % "
            "interval of Student's t for other documents and other runs (documents: bootstrap, "
            f"{resampling.trials:,} trials over {resampling.units} units ({resampling.unit}); runs: their variance)"
        )
        beside = [note for each in self.beside.values() for note in each.notes()]
        lines = [how, *self._single_notes(), *self._exchange_notes(), *beside, *resampling.notes(intervals=False)]
        return [*lines, *self._run_notes(), f"signature {self.signature}"]

    def _single_notes(self) -> Iterator[str]:
        single = [name for name, runs in self.systems.items() if len(runs) == 1]
        if single:
            yield (f"for {THESE}: of {', '.join(single)} there is one run, and how far another would differ is not "
                   "known; such intervals and p-values hold for these runs on other documents")  # fmt: skip
        for name, runs in self.systems.items():
            same = [(one, two) for two in range(len(runs)) for one in range(two) if _same(runs[one], runs[two])]
            if same:
                one, two = same[0]
                yield f"warning: runs {one + 1} and {two + 1} of {name} have the same sums in every document"

    def _exchange_notes(self) -> Iterator[str]:
        known = [test.other_runs for test in self.tests if test.other_runs]
        if known and (least := min(each.least for each in known)) >= LEVEL:
            yield (f"other runs: with so few runs p is at least {grid.digits(least)}; for p < {LEVEL:g} each system "
                   "needs 4 runs")  # fmt: skip
        if any(test.other_documents is None for test in self.tests):
            yield "other documents: no p where systems have different numbers of runs, which cannot be paired"

    def _run_notes(self) -> Iterator[str]:
        """The lines on single runs; a line that holds for all of them is given once."""
        by_run = {
            f"{name}, run {number}": [*run.remark_notes(), *run.problem_notes()]
            for name, runs in self.systems.items()
            for number, run in enumerate(runs, 1)
        }
        shared = [note for note in next(iter(by_run.values())) if all(note in notes for notes in by_run.values())]
        yield from shared
        for name, notes in by_run.items():
            yield from (f"{name}: {note}" for note in notes if note not in shared)

    def to_dict(self) -> Json:
        """The result as `scoref compare --json` prints it."""
        return {
            "scoref": self.first.version,
            "signature": self.signature,
            "protocol": self.first.protocol.to_dict(),
            "documents": self.first.size,
            **self.resampling.to_dict(),
            "pairs": self.pairs,
            "correction": self.correction,
            "problems": {name: [[problem.to_dict() for problem in run.problems] for run in runs]
                         for name, runs in self.systems.items()},
            **({"left_out": {name: [left_out(run.problems) for run in runs] for name, runs in self.systems.items()}}
               if self.skipped else {}),
            "undefined": {name: sorted(self.undefined(name)) for name in self.systems},
            "systems": {name: {metric: mean._asdict() for metric, mean in means.items()}
                        for name, means in self.means.items()},
            "runs": {name: [run.scores_dict() for run in runs] for name, runs in self.systems.items()},
            "tests": [test.to_dict() for test in self.tests],
            "letters": self.letters(),
            **{name: each.to_dict() for name, each in self.beside.items()},
            **({"settings": {name: each.to_dict() for name, each in self.settings.items()}} if self.settings else {}),
        }  # fmt: skip

    def to_frame(self) -> render.DataFrame:
        """The means as a frame of pandas: a row for each system and metric."""
        return render.frame(self.means_grid(named=True), 2)

    def to_latex(self) -> str:
        """The table of means with letters for LaTeX (with the package booktabs); the notes are comments below it."""
        return render.written([self.scores_grid()], self.notes(), "latex")

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw a figure, by the name of the file: scores, differences, ranks; a folder gets all of them."""
        plots.draw(self.figures(), path)

    def figures(self) -> dict[str, plots.Figure]:
        """The systems' mean f1 with intervals, their differences, and what was asked beside."""
        series = {name: [_point(mean.f1, mean.ci) for mean in means.values()] for name, means in self.means.items()}
        metrics = [*map(proper, self._metrics)]
        figures: dict[str, plots.Figure] = {"scores": plots.Dots("mean F1 with 95 % intervals, %", metrics, series)}
        if self.tests:
            apart: dict[str, list[tuple[float, float, float]]] = {}
            for test in self.tests:
                apart.setdefault(f"{test.b} − {test.a}", []).append(_point(test.difference, test.ci))
            figures["differences"] = plots.Dots("difference of mean F1, points", metrics, apart, zero=True)
        return figures | {name: each for one in self.beside.values() for name, each in one.figures().items()}


def _point(value: float, ends: Interval | None) -> tuple[float, float, float]:
    low, high = ends or (value, value)
    return 100 * value, 100 * low, 100 * high


def _plus_minus(mean: RunMean, mark: str) -> grid.Number:
    spread = "" if mean.deviation is None else f" ± {100 * mean.deviation:.2f}"
    return grid.Number(mean.f1, f"{100 * mean.f1:.2f}{spread}", mark)


def _part(value: float | None) -> grid.Cell:
    return grid.NOTHING if value is None else value


def _exchange(test: ExchangeTest | None) -> grid.Cell:
    return grid.NOTHING if test is None else grid.probability(test.p)


def _mean_cell(cells: list[grid.Cell]) -> grid.Cell:
    known = [cell for cell in cells if isinstance(cell, float)]
    return sum(known) / len(known) if known else grid.NOTHING


def _same(one: Evaluation, other: Evaluation) -> bool:
    order = [other.documents.index(name) for name in one.documents]
    return all(np.array_equal(counts, other.counts[name][order]) for name, counts in one.counts.items())
