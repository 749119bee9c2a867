"""On how many datasets a system is better, on which, and the ranks of systems over datasets.

Each dataset has a p-value of its own, one-sided: that the one system is not better than the other there. The partial
conjunction of these says on how many it is better, at least (Dror et al. 2017), Holm's correction on which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...document.grouping import grouped
from ...layout import grid, plots
from ...layout.render import Json
from ...problems import Error
from ...processes import Progress
from ...results.evaluation import Evaluation
from ...results.scores import TRIALS, UNIT
from ..inference.corrections import at_least, bonferroni, fisher, holm, partial_conjunction
from ..inference.ranks import Ranks, friedman
from ..inference.spread import estimates, spread
from ..samples import Testing, f1_of, sample_of
from ..significance import randomisations

LEVEL = 0.05


class Better(NamedTuple):
    """One system against another in a metric: the difference and the p-value of each dataset.

    `bonferroni` and `fisher` are the p-values for better on at least 1, 2, ... datasets; the second holds if datasets
    are independent of each other. `which` are the datasets that can be named (Holm).
    """

    metric: str
    better: str
    worse: str
    differences: Mapping[str, float]
    p: Mapping[str, float]
    bonferroni: tuple[float, ...]
    fisher: tuple[float, ...]
    which: tuple[str, ...]

    @classmethod
    def of(cls, metric: str, pair: tuple[str, str], differences: Mapping[str, float], p: Mapping[str, float]) -> Better:
        """From the p-values of the datasets."""
        each, adjusted = [*p.values()], holm(np.array([*p.values()]))
        named = [name for name, value in zip(p, adjusted, strict=True) if value <= LEVEL]
        any_dependence, independent = (tuple(partial_conjunction(each, how)) for how in (bonferroni, fisher))
        better, worse = pair
        return cls(metric, better, worse, differences, p, any_dependence, independent, tuple(named))

    def to_dict(self) -> Json:
        """The values for JSON."""
        return {
            **self._asdict(),
            "k_bonferroni": at_least(self.bonferroni, LEVEL),
            "k_fisher": at_least(self.fisher, LEVEL),
        }


@dataclass(frozen=True, eq=False)
class Across:
    """Systems over datasets, or other groups of documents: where each is better, and their ranks, by metric."""

    field: str
    groups: tuple[str, ...]
    systems: tuple[str, ...]
    tests: tuple[Better, ...]
    ranks: Mapping[str, Ranks]

    def grids(self) -> list[grid.Grid]:
        """On how many datasets a system is better; with three systems or more, their ranks."""
        number = len(self.groups)
        rows = [
            (test.metric, test.better, test.worse, f"{at_least(test.bonferroni, LEVEL)} of {number}",
             f"{at_least(test.fisher, LEVEL)} of {number}", ", ".join(test.which) or "–")
            for test in self.tests
        ]  # fmt: skip
        header = ("metric", "system", "better than", "at least on", "if independent", "namely (Holm)")
        tables = [grid.Grid(f"on how many of {number} groups ({self.field}) a system is better", header, rows)]
        if len(self.systems) > 2:
            ranks = [
                (metric, *(grid.Number(mean, f"{mean:.2f}") for mean in each.means), grid.probability(each.p),
                 grid.probability(each.p_f), grid.Number(each.critical, f"{each.critical:.2f}"))
                for metric, each in self.ranks.items()
            ]  # fmt: skip
            names = ("metric", *self.systems, "p Friedman", "p Iman-Davenport", "critical difference")
            tables.append(grid.Grid(f"mean ranks over {number} groups ({self.field})", names, ranks))
        return tables

    def columns(self) -> dict[str, Sequence[grid.Cell]]:
        """No columns beside the tests: programs get a table of its own."""
        return {}

    def whole_grid(self) -> grid.Grid | None:
        """A row for each metric, pair of systems and dataset."""
        rows = [
            (test.metric, test.better, test.worse, group, test.differences[group], test.p[group],
             "yes" if group in test.which else "no")
            for test in self.tests
            for group in self.groups
        ]  # fmt: skip
        return grid.Grid("", ("metric", "better", "worse", self.field, "difference", "p", "named by Holm"), rows)

    def notes(self) -> list[str]:
        """What the columns mean."""
        lines = [
            f"at least on: partial conjunction of one-sided p-values at {LEVEL:g}, any dependence (Bonferroni); if "
            "independent: by Fisher's method; namely: where Holm's correction allows a claim"
        ]
        if len(self.systems) > 2:
            lines.append(
                "mean ranks: 1 is best; those that differ by the critical difference or more differ (Nemenyi, "
                f"p < {LEVEL:g})"
            )
        return lines

    def to_dict(self) -> Json:
        """The values for JSON."""
        ranks = {
            metric: {"means": dict(zip(self.systems, each.means, strict=True)), "chi_square": each.chi_square,
                     "p": each.p, "p_iman_davenport": each.p_f, "critical_difference": each.critical}
            for metric, each in self.ranks.items()
        }  # fmt: skip
        tests = [test.to_dict() for test in self.tests]
        return {"field": self.field, "groups": list(self.groups), "level": LEVEL, "tests": tests, "ranks": ranks}

    def figures(self) -> Mapping[str, plots.Figure]:
        """The mean ranks of the last metric, with bars over systems that do not differ."""
        if len(self.systems) < 3:
            return {}
        metric, last = [*self.ranks.items()][-1]
        ranks = dict(zip(self.systems, last.means, strict=True))
        return {"ranks": plots.Ranking(f"mean rank ({metric})", ranks, last.bars(), last.critical)}


def across(
    systems: Mapping[str, Sequence[Evaluation]], pairs: Sequence[tuple[str, str]], testing: Testing, progress: Progress
) -> Across:
    """The systems over the groups of documents that the field makes; each has one run or several."""
    field = testing.across or "dataset"
    names, runs = [*systems], [run for each in systems.values() for run in each]
    first = runs[0]
    by_group = {name: {first.documents[row] for row in rows} for name, rows in grouped(first.labels(field)).items()}
    if len(by_group) < 2:
        raise Error("one-group", f"all documents are in one group ({field})", expected="at least two groups",
                    remedy="name a field that tells documents apart: --across genre")  # fmt: skip
    metrics = first.protocol.metrics
    ordered = [*pairs, *((b, a) for a, b in pairs)]
    p = {name: _p_values(systems, ordered, within, testing, progress) for name, within in by_group.items()}
    means = {name: np.array([np.mean([_f1(run, field, name) for run in each], axis=0) for each in systems.values()])
             for name in by_group}  # fmt: skip
    tests = [
        Better.of(
            metric,
            (better, worse),
            {name: float(each[names.index(better), place] - each[names.index(worse), place]) for name, each in
             means.items()},
            {name: float(each[number][place]) for name, each in p.items()},
        )
        for place, metric in enumerate(metrics)
        for number, (worse, better) in enumerate(ordered)
    ]  # fmt: skip
    ranks = {
        metric: friedman([[float(value) for value in each[:, place]] for each in means.values()], LEVEL)
        for place, metric in enumerate(metrics)
    }
    return Across(field, (*by_group,), (*names,), tuple(tests), ranks)


def _f1(run: Evaluation, field: str, group: str) -> list[float]:
    return [score.f1 for score in run.by(field)[group].values()]


def _p_values(
    systems: Mapping[str, Sequence[Evaluation]],
    pairs: Sequence[tuple[str, str]],
    within: set[str],
    testing: Testing,
    progress: Progress,
) -> list[Sequence[float]]:
    """For each pair the one-sided p-values of all metrics, from some of the documents.

    Of single runs they are those of the randomisation test; of several runs those of Student's t, and 1 where too
    little varies for it.
    """
    unit = UNIT if testing.unit == testing.across else testing.unit
    sample = f1_of(sample_of([run for each in systems.values() for run in each], unit, within))
    trials, starts, number = testing.trials or TRIALS, {}, 0
    for name, each in systems.items():
        starts[name] = range(number, number + len(each))
        number += len(each)
    if number == len(systems):
        places = [(starts[a][0], starts[b][0]) for a, b in pairs]
        drawn = randomisations(sample, places, trials, testing.seed, progress, one_sided=True)
        return [each.p.tolist() for each in drawn]
    found = spread(sample, trials, testing.seed, progress)
    both = [estimates(found, [starts[a], starts[b]]) for a, b in pairs]
    return [[1.0 if (p := each.p_above(0)) is None else p for each in every] for every in both]
