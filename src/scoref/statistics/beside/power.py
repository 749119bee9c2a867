"""How large a difference must be to be found, how many documents that takes, and tests with a margin.

A difference that is truly δ is found (p < 0.05, two-sided) in 80 of 100 cases if δ is (z.975 + z.80) = 2.80 times its
standard error. More documents shrink the part of documents alone: with n documents, V_doc and V_run it takes
n · V_doc/((δ/2.80)² − V_run), and if V_run alone is larger than (δ/2.80)², no number of documents is enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...layout import grid, plots
from ...layout.render import Json
from ..inference.distributions import NORMAL
from ..inference.spread import Estimate

LEVEL, POWER = 0.05, 0.8
FACTOR = NORMAL.inv_cdf(1 - LEVEL / 2) + NORMAL.inv_cdf(POWER)  # 2.80

_NEVER = "no number"  # of documents is enough


class Estimated(NamedTuple):
    """The difference of two systems in a metric, b − a, with its variances."""

    metric: str
    a: str
    b: str
    estimate: Estimate


def detectable(error: float) -> float:
    """The smallest difference that is found in 80 of 100 cases, from its standard error.

    >>> round(detectable(0.01), 4)
    0.028
    """
    return FACTOR * error


def units_needed(difference: float, units: int, documents: float, runs: float = 0.0) -> int | None:
    """How many documents it takes to find a difference in 80 of 100 cases; None if no number is enough.

    `documents` and `runs` are the parts of the variance, of so many `units`.

    >>> units_needed(0.028, 100, 0.01**2), units_needed(0.014, 100, 0.01**2)
    (101, 401)
    >>> units_needed(0.028, 100, 0.01**2, 0.01**2)
    """
    left = (difference / FACTOR) ** 2 - runs
    return max(math.ceil(units * documents / left), 2) if left > 0 else None


@dataclass(frozen=True, eq=False)
class Power:
    """For each difference of systems: how large it must be to be found, and how many documents one of a size takes.

    `difference` is the size asked for; without it, that of the difference that was found.
    """

    tests: tuple[Estimated, ...]
    units: int
    unit: str
    difference: float | None = None

    def rows(self) -> list[tuple[float | None, float, int | None]]:
        """For each test the smallest difference that is found, the one that is asked about, documents for that."""
        return [(self._detectable(test.estimate), self._asked(test), self._needed(test)) for test in self.tests]

    def _detectable(self, estimate: Estimate) -> float | None:
        return detectable(estimate.error) if estimate.varies else None

    def _asked(self, test: Estimated) -> float:
        return abs(test.estimate.value) if self.difference is None else self.difference

    def _needed(self, test: Estimated) -> int | None:
        found, asked = test.estimate, self._asked(test)
        return units_needed(asked, self.units, found.documents, found.of_runs) if found.varies and asked else None

    def grids(self) -> list[grid.Grid]:
        """A row for each test."""
        header = ("metric", "a", "b", "found from", "difference", f"{self.unit}s needed")
        rows = [(test.metric, test.a, test.b, *cells) for test, cells in zip(self.tests, self._cells(), strict=True)]
        return [grid.Grid("how large a difference must be to be found in 80 of 100 cases", header, rows)]

    def columns(self) -> dict[str, Sequence[grid.Cell]]:
        """The columns that programs get beside the tests."""
        cells = [(least, asked, needed) for least, asked, needed in self.rows()]
        return dict(zip(("found from", "asked", "needed"), zip(*cells, strict=True), strict=True))

    def whole_grid(self) -> grid.Grid | None:
        """No table of its own for programs: its columns are beside the tests."""
        return None

    def _cells(self) -> list[tuple[grid.Cell, ...]]:
        rows: list[tuple[grid.Cell, ...]] = []
        for test, (least, asked, needed) in zip(self.tests, self.rows(), strict=True):
            never = grid.Number(math.nan, _NEVER) if test.estimate.varies and asked else grid.NOTHING
            said = never if needed is None else grid.Number(needed, f"{needed:,}")
            rows.append((grid.NOTHING if least is None else grid.percent(least), grid.percent(asked), said))
        return rows

    def notes(self) -> list[str]:
        """What the columns mean."""
        which = "the one that was found, which is uncertain itself" if self.difference is None else "the one asked for"
        lines = [
            f"found from: true differences of this size are found (p < {LEVEL:g}, two-sided, one test) in 80 of 100 "
            f"samples of {self.units} {self.unit}s; needed: for the difference beside it, {which}"
        ]
        if any(test.estimate.of_runs > 0 for test in self.tests):
            lines.append("with few runs that differ, fewer are found than that: take these numbers as the least")
        if any(never(test.estimate, self._asked(test)) for test in self.tests):
            lines.append(f"{_NEVER}: of {self.unit}s is enough, as the runs alone differ too much; it takes more runs")
        return lines

    def to_dict(self) -> Json:
        """The values for JSON."""
        rows = [
            {"metric": test.metric, "a": test.a, "b": test.b, "detectable": least, "difference": asked,
             "needed": needed, "enough": not never(test.estimate, asked)}
            for test, (least, asked, needed) in zip(self.tests, self.rows(), strict=True)
        ]  # fmt: skip
        return {"level": LEVEL, "power": POWER, "unit": self.unit, "units": self.units, "tests": rows}

    def figures(self) -> Mapping[str, plots.Figure]:
        """No picture."""
        return {}


def never(estimate: Estimate, difference: float) -> bool:
    """Whether no number of documents is enough to find that difference, as runs differ too much."""
    return estimate.varies and difference > 0 and estimate.of_runs >= (difference / FACTOR) ** 2


@dataclass(frozen=True, eq=False)
class Margin:
    """Two one-sided tests for each difference: that b is worse than a by the margin or more, or better by as much.

    Both refuted: the systems are equivalent within the margin (Schuirmann 1987). The first refuted: b is not worse.
    """

    tests: tuple[Estimated, ...]
    margin: float

    def rows(self) -> list[tuple[float | None, float | None, str]]:
        """For each test the p-values of "worse by the margin" and "better by the margin", and what follows."""
        rows = []
        for test in self.tests:
            found = test.estimate
            worse = found.p_above(-self.margin)
            better = found._replace(value=-found.value).p_above(-self.margin)
            rows.append((worse, better, _verdict(worse, better)))
        return rows

    def grids(self) -> list[grid.Grid]:
        """A row for each test."""
        rows = [
            (
                test.metric,
                test.a,
                test.b,
                grid.signed(test.estimate.value),
                *map(grid.probability, (worse, better)),
                said,
            )
            for test, (worse, better, said) in zip(self.tests, self.rows(), strict=True)
        ]
        header = ("metric", "a", "b", "difference", "p worse", "p better", "b is")
        return [grid.Grid(f"is b worse than a, or better, by {100 * self.margin:g} points or more?", header, rows)]

    def columns(self) -> dict[str, Sequence[grid.Cell]]:
        """The columns that programs get beside the tests."""
        return dict(zip(("p worse", "p better", "within the margin"), zip(*self.rows(), strict=True), strict=True))

    def whole_grid(self) -> grid.Grid | None:
        """No table of its own for programs: its columns are beside the tests."""
        return None

    def notes(self) -> list[str]:
        """What the columns mean."""
        points = f"{100 * self.margin:g} points"
        return [
            f"p worse, p better: one-sided, that b is worse (better) than a by {points} or more; below {LEVEL:g} this "
            f"is refuted; both below it: equivalent within {points}"
        ]

    def to_dict(self) -> Json:
        """The values for JSON."""
        rows = [
            {"metric": test.metric, "a": test.a, "b": test.b, "p_worse": worse, "p_better": better,
             "p_equivalent": None if worse is None or better is None else max(worse, better), "verdict": said}
            for test, (worse, better, said) in zip(self.tests, self.rows(), strict=True)
        ]  # fmt: skip
        return {"margin": self.margin, "level": LEVEL, "tests": rows}

    def figures(self) -> Mapping[str, plots.Figure]:
        """No picture."""
        return {}


def _verdict(worse: float | None, better: float | None) -> str:
    """What two one-sided tests say of b."""
    if worse is None or better is None:
        return "unknown"
    refuted = worse < LEVEL, better < LEVEL
    return {(True, True): "equivalent", (True, False): "not worse", (False, True): "not better"}.get(refuted, "unknown")
