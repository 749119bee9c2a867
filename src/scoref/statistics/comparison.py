"""The result of comparing systems: scores with letters, tests of differences, pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from ..document.grouping import MENTION
from ..layout import grid, plots, render
from ..layout.render import Json
from ..problems import left_out
from ..relations.registry import headline
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling, number_of
from .beside.asked import Beside
from .figures import document_points, printed, proper, score_dots, size_dots
from .letters import letters, meaning

if TYPE_CHECKING:
    from .beside.kinds import KindDifference

LEVEL = 0.05  # of the tests, and of the intervals


class Difference(NamedTuple):
    """The f1 of system b minus that of system a, with p-value and intervals.

    `trials` counts the exchanges that p comes from; with `exact` these are all possible ones. A single unit gives no p,
    too few units give no intervals.
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

    def to_dict(self) -> Json:
        """The difference for JSON."""
        ends = {"ci": self.ci, "ci_percentile": self.ci_percentile}
        return self._asdict() | {name: list(both) for name, both in ends.items() if both}

    @property
    def significant(self) -> bool:
        """Whether p, adjusted for many tests, is below the level."""
        return self.p_adjusted is not None and self.p_adjusted < LEVEL


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems on the same documents: their evaluations with intervals, and tests of their differences.

    `least` is the smallest adjusted p-value that these units and trials can give. `beside` has what was asked beside:
    power, margin, datasets.

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
    beside: Mapping[str, Beside] = field(default_factory=dict)

    __str__ = render.text
    _repr_html_ = render.html

    @property
    def first(self) -> Evaluation:
        """The evaluation of the first system."""
        return next(iter(self.systems.values()))

    @property
    def signature(self) -> str:
        """All choices, those of resampling too, and the version, in one line."""
        return self.first.signature

    def letters(self) -> dict[str, dict[str, str]]:
        """By metric and system the letters of its groups: systems that share a letter do not differ significantly.

        If several systems were tested against the first one only, `*` marks those that differ from it. If no difference
        could be significant, however large, there are no letters.
        """
        if not self.can_tell:
            return {metric: dict.fromkeys(self.systems, "") for metric in self._metrics}
        number = len(self.systems)
        complete = len(self.tests) == len(self._metrics) * number * (number - 1) // 2
        different = {metric: [(test.a, test.b) for test in self.tests if test.metric == metric and test.significant]
                     for metric in self._metrics}  # fmt: skip
        return {metric: letters({name: each[metric].f1 for name, each in self.systems.items()}, found, complete)
                for metric, found in different.items()}  # fmt: skip

    @property
    def can_tell(self) -> bool:
        """Whether a difference could be significant at all, with so many units, trials and systems."""
        return self.least < LEVEL

    @property
    def _metrics(self) -> tuple[str, ...]:
        return self.first.protocol.metrics

    def to_dict(self) -> Json:
        """The result as `scoref compare --json` prints it."""
        first = self.first
        drift = {name: each.drift for name, each in self.systems.items() if each.drift}
        answers = {name: each.source.answers for name, each in self.systems.items() if each.source.answers}
        return {
            "scoref": first.version,
            "signature": self.signature,
            "protocol": first.protocol.to_dict(),
            "documents": first.size,
            **self.resampling.to_dict(),
            "least_p": self.least,
            "pairs": self.pairs,
            "correction": self.correction,
            "problems": {name: [problem.to_dict() for problem in each.problems] for name, each in self.systems.items()},
            **(
                {"left_out": {name: left_out(each.problems) for name, each in self.systems.items()}}
                if self.skipped
                else {}
            ),
            "undefined": {name: each.undefined for name, each in self.systems.items()},
            "systems": {name: each.scores_dict() for name, each in self.systems.items()},
            **({"drift": drift} if drift else {}),
            **({"answers": answers} if answers else {}),
            "tests": [test.to_dict() for test in self.tests],
            "letters": self.letters(),
            **{name: each.to_dict() for name, each in self.beside.items()},
            **({"settings": {name: each.to_dict() for name, each in self.settings.items()}} if self.settings else {}),
        }

    def grids(self) -> list[grid.Grid]:
        """The scores of the systems, the tests of their differences, and what was asked beside."""
        return [self.scores_grid(), self.tests_grid(), *(each for one in self.beside.values() for each in one.grids())]

    def scores_grid(self) -> grid.Grid:
        """A table for a paper: a row for each system, the f1 of each metric, and letters."""
        letters = self.letters()
        rows: list[tuple[grid.Cell, ...]] = []
        for name, each in self.systems.items():
            cells = {metric: grid.percent(score.f1, letters[metric][name]) for metric, score in each.scores.items()}
            said = (each.left_out,) * self.skipped
            rows.append((name, *(cells | dict.fromkeys(each.undefined, grid.NOTHING)).values(), *said))
        header = ("system", *self._metrics, *("left out",) * self.skipped)
        return grid.Grid(f"f1; {self.marks_note()}", header, rows)

    @property
    def skipped(self) -> bool:
        """Whether malformed input of some system was left out; the rows of systems then say what."""
        return any(each.left_out for each in self.systems.values())

    def marks_note(self) -> str:
        """What the letters or stars beside scores mean, or why there are none."""
        adjusted = f", {self.correction}" if self._many else ""
        if not self.can_tell:
            return f"no letters: no difference could be significant (p < {LEVEL:g}{adjusted})"
        return meaning([*self.letters().values()], f"{LEVEL:g}{adjusted}")

    @property
    def _many(self) -> bool:
        """Whether there are several tests for each metric, so that p-values are adjusted."""
        return self.correction != "none" and len(self.tests) > len(self._metrics)

    def tests_grid(self, whole: bool = False) -> grid.Grid:
        """A row for each test: the difference, its interval, the p-value, the p-value adjusted for many tests.

        `whole` is for programs: with the scores, and with the adjusted p-value even if it is the same.
        """
        ends, ps = whole or self.tests[0].ci is not None, whole or self.tests[0].p is not None
        columns = {"f1 a": whole, "f1 b": whole, "difference": True, "low": ends, "high": ends, "p": ps}
        columns["p adjusted"] = whole or (ps and self._many)
        columns |= {"left out a": whole and self.skipped, "left out b": whole and self.skipped}
        rows: list[tuple[grid.Cell, ...]] = []
        for test in self.tests:
            both = [self.systems[name] for name in (test.a, test.b)]
            interval = map(grid.signed, test.ci) if test.ci else (None, None)
            cells = (*(each[test.metric].f1 for each in both), grid.signed(test.difference), *interval,
                     grid.probability(test.p), grid.probability(test.p_adjusted))  # fmt: skip
            if any(test.metric in each.undefined for each in both):
                cells = (grid.NOTHING,) * len(cells)
            said = (each.left_out for each in both)
            rows.append((test.metric, test.a, test.b, *compress((*cells, *said), columns.values())))
        further = {name: each for one in self.beside.values() if whole for name, each in one.columns().items()}
        rows = [(*row, *(each[place] for each in further.values())) for place, row in enumerate(rows)]
        return grid.Grid("", ("metric", "a", "b", *compress(columns, columns.values()), *further), rows)

    def by(self, field: str) -> grid.Grid:
        """A breakdown: the f1 of each system in each group of documents (or of entities), metric by metric.

        By kind of mention two systems have their difference, too, with an interval.
        """
        if field.startswith(MENTION):
            return self._by_kind(field)
        groups = [system.by(field) for system in self.systems.values()]
        rows = [
            (label, metric, *(each.cell(label, metric) for each in groups))
            for label in dict.fromkeys(label for each in groups for label in each)
            for metric in dict.fromkeys(metric for each in groups for metric in each.get(label, {}))
        ]
        return grid.Grid(f"f1 by {field}", (field, "metric", *self.systems), rows)

    def _by_kind(self, field: str) -> grid.Grid:
        """The f1 of each system for each kind of mention; of two systems their differences."""
        from .beside.kinds import HEADER  # only breakdowns by kind need it

        groups = [system.by_mention(field.removeprefix(MENTION)) for system in self.systems.values()]
        two = len(groups) == 2
        known = {each: found.cells for each, found in self.kind_differences(field).items()}
        labels = dict.fromkeys(label for each in groups for label in each)
        metrics = dict.fromkeys(metric for each in groups for scores in each.values() for metric in scores)
        rows: list[tuple[grid.Cell, ...]] = [
            (label, metric, *(each.cell(label, metric) for each in groups),
             *known.get((label, metric), (None,) * len(HEADER) * two))
            for label in labels for metric in metrics
        ]  # fmt: skip
        return grid.Grid(f"f1 by {field}", (field, "metric", *self.systems, *HEADER[: 3 * two]), rows)

    def kind_differences(self, field: str) -> dict[tuple[str, str], KindDifference]:
        """How the f1 of two systems differ, by kind of mention and metric; nothing of one system, or several."""
        from .beside.kinds import differences

        if len(self.systems) != 2:
            return {}
        first, second = (system.by_mention(field.removeprefix(MENTION)) for system in self.systems.values())
        return differences(first, second, self.resampling)

    def notes(self) -> list[str]:
        """The lines below the tables: how they were made, warnings, problems, the signature."""
        resampling, tested = self.resampling, self.tests[0].p is not None
        how = f"{number_of(self.first.size, self.first.source.counted)}; differences are b − a"
        if self.tests[0].ci:
            how += f", low and high the ends of their 95 % bootstrap (BCa) interval, {self._test_note()}; "
            how += f"{resampling.trials:,} trials over {resampling.units} units ({resampling.unit})"
        elif tested:
            how += f", {self._test_note()}"
        least = [self._least_note()] if tested else []
        beside = [note for each in self.beside.values() for note in each.notes()]
        return [
            how, *least, *beside, *resampling.notes(intervals=False), *self._system_notes(),
            f"signature {self.signature}",
        ]  # fmt: skip

    def _system_notes(self) -> Iterator[str]:
        """The lines on single systems; a line that holds for all of them is given once."""
        by_system = {name: [*each.remark_notes(), *each.problem_notes()] for name, each in self.systems.items()}
        shared = [note for note in next(iter(by_system.values())) if all(note in notes for notes in by_system.values())]
        yield from shared
        for name, notes in by_system.items():
            yield from (f"{name}: {note}" for note in notes if note not in shared)

    def _test_note(self) -> str:
        """Which test the p-values come from."""
        exact = {test.exact for test in self.tests}
        kind = "approximate" if exact == {False} else "exact" if exact == {True} else "exact or approximate"
        return f"p that of a paired {kind} randomisation test, two-sided"

    def _least_note(self) -> str:
        """The smallest p that could be reached, and what that depends on."""
        number = len(self.tests) // len(self._metrics)
        most = max(test.trials for test in self.tests)
        adjusted = f" and adjusted for {number} pairs of systems" if self._many else ""
        least = f"the smallest p that could be reached from {most:,} exchanges{adjusted} is {grid.digits(self.least)}"
        if self.can_tell:
            return least
        more = "more units" if all(test.exact for test in self.tests) else "more trials or units"
        return f"warning: {least}, so that no difference could be significant, however large: use {more}"

    def to_frame(self) -> render.DataFrame:
        """The scores as a frame of pandas: a row for each system and metric, intervals of f1, and the letters."""
        letters = self.letters()
        tables = {name: replace(each, settings={}).grid() for name, each in self.systems.items()}
        said = {name: (each.left_out,) * self.skipped for name, each in self.systems.items()}
        rows = [
            (name, *row, letters[str(row[0])][name], *said[name]) for name, each in tables.items() for row in each.rows
        ]
        header = ("system", *next(iter(tables.values())).header, "letters", *("left out",) * self.skipped)
        return render.frame(grid.Grid("", header, rows), 2)

    def to_latex(self) -> str:
        """The table of scores with letters for LaTeX (with the package booktabs); the notes are comments below it."""
        return render.written([self.scores_grid()], self.notes(), "latex")

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw a figure, by the name of the file: scores, differences, documents, size; a folder gets all of them."""
        plots.draw(self.figures(), path)

    def figures(self) -> dict[str, plots.Figure]:
        """The systems' f1 with intervals, their differences, the first two by document, recall by size of entities."""
        return {
            "scores": score_dots(self.systems),
            **({"differences": self._forest()} if self.tests else {}),
            "documents": document_points(self.systems, self._headline),
            **size_dots(self.systems),
            **{name: each for one in self.beside.values() for name, each in one.figures().items()},
        }

    def _forest(self) -> plots.Dots:
        """The differences of pairs with their intervals: a row for each metric; of many pairs, one for each pair."""
        few = len({(test.a, test.b) for test in self.tests}) < 4
        shown = [test for test in self.tests if few or test.metric == self._headline]
        points: dict[str, list[tuple[float, float, float]]] = {}
        for test in shown:
            low, high = test.ci or (test.difference, test.difference)
            name = f"{test.b} − {test.a}" if few else ""
            points.setdefault(name, []).append((100 * test.difference, 100 * low, 100 * high))
        if few:
            metrics = dict.fromkeys(printed(test.metric) for test in shown)
            only = f" ({next(iter(points))})" if len(points) == 1 else ""
            return plots.Dots(f"difference of F1, points{only}", [*metrics], points, zero=True)
        groups = [f"{test.b} − {test.a}" for test in shown]
        return plots.Dots(f"difference of {proper(self._headline)} F1, points", groups, points, zero=True)

    @property
    def _headline(self) -> str:
        """The metric for figures of one metric."""
        return headline(self._metrics)
