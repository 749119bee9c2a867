"""Plans a comparison before there is a second system: which differences can be found, with how many documents.

Two systems on the same documents go up and down together, so their difference varies less than their scores: its
variance is 2(1 − ρ) times that of one score, where ρ is the correlation of the two systems over documents. It is not
known before the second system is there, so the plan has a row for several. Runs are independent: their part is twice
that of one system.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from ..layout import grid, render
from ..layout.render import Json
from ..protocol.keywords import Keywords
from ..results.evaluation import Evaluation
from ..results.scores import SEED, UNIT, Resampling
from ..run.request import Request, Side
from .beside.asked import refuse_bad
from .beside.power import LEVEL, POWER, detectable, units_needed
from .inference.spread import Estimate, estimates, spread
from .samples import Testing, checked_sample, f1_of
from .significance import Floats
from .systems import System, evaluations_of_runs, runs_of

CORRELATIONS = (0.0, 0.5, 0.8, 0.9)


@dataclass(frozen=True, eq=False)
class Plan:
    """What a comparison with another system could find: by metric, and by how closely the two go together.

    `means` are the mean scores of the system with their variances, `together` the mean correlation of its runs.

    >>> from scoref import clusters, plan
    >>> key = [clusters([["a", "b", "c"], ["d", "e"]], str(number)) for number in range(8)]
    >>> worse = [key[n] if n % 3 else clusters([["a", "b"], ["d", "e"]], str(n)) for n in range(8)]
    >>> [row[:2] for row in plan(key, worse, difference=5, metrics=["muc"]).rows()]
    [('muc', 0.0), ('muc', 0.5), ('muc', 0.8), ('muc', 0.9)]
    """

    runs: tuple[Evaluation, ...]
    means: tuple[Estimate, ...]
    together: tuple[float | None, ...]
    difference: float
    resampling: Resampling

    __str__ = render.text
    _repr_html_ = render.html

    def rows(self) -> list[tuple[str, float, float, int | None]]:
        """By metric and correlation the smallest difference that is found, and the documents needed; None: never."""
        found = []
        for metric, mean in zip(self.runs[0].protocol.metrics, self.means, strict=True):
            for correlation in CORRELATIONS:
                documents, runs = 2 * (1 - correlation) * mean.documents, 2 * mean.of_runs
                needed = units_needed(self.difference, self.resampling.units, documents, runs)
                found.append((metric, correlation, detectable(math.sqrt(documents + runs)), needed))
        return found

    def grids(self) -> list[grid.Grid]:
        """A row for each metric and correlation."""
        rows = [
            (metric, grid.Number(correlation, f"{correlation:g}"), grid.percent(least),
             grid.Number(math.nan, "no number") if needed is None else grid.Number(needed, f"{needed:,}"))
            for metric, correlation, least, needed in self.rows()
        ]  # fmt: skip
        needed = f"{self.resampling.unit}s for {100 * self.difference:g}"
        return [grid.Grid("", ("metric", "correlation", "found from", needed), rows)]

    def whole_grid(self) -> grid.Grid:
        """The same for programs."""
        return grid.Grid("", ("metric", "correlation", "found from", "needed"), self.rows())

    def notes(self) -> list[str]:
        """What the columns mean, and the signature."""
        units, unit = self.resampling.units, self.resampling.unit
        lines = [
            f"found from: a true difference of this size to another system is found (p < {LEVEL:g}, two-sided) in "
            f"{100 * POWER:g} of 100 samples of {units} {unit}s; the last column: how many {unit}s a difference of "
            f"{100 * self.difference:g} takes",
            "correlation: of the two systems over documents, which shows when the second is there; 0 is the worst case",
        ]
        if len(self.runs) == 1:
            lines.append("for one run of each system: how far runs differ is not known from one")
        else:
            shown = zip(self.runs[0].protocol.metrics, self.together, strict=True)
            known = ", ".join(f"{metric} {value:.2f}" for metric, value in shown if value is not None)
            lines.append(f"with {len(self.runs)} runs of each system; two runs of this one correlate: {known}")
        if any(needed is None for *_, needed in self.rows()):
            lines.append(f"no number: of {unit}s is enough, as the runs alone differ too much; it takes more runs")
        return [*lines, *self.resampling.notes(intervals=False), f"signature {self.signature}"]

    @property
    def signature(self) -> str:
        """All choices, those of resampling too, and the version, in one line."""
        first = self.runs[0]
        return f"{first.protocol.signature()}{self.resampling.signature}|scoref:{first.version}"

    def to_dict(self) -> Json:
        """The result as `scoref plan --json` prints it."""
        names = ("metric", "correlation", "detectable", "needed")
        metrics = self.runs[0].protocol.metrics
        return {
            "scoref": self.runs[0].version,
            "signature": self.signature,
            "difference": self.difference,
            "level": LEVEL,
            "power": POWER,
            "runs": len(self.runs),
            **self.resampling.to_dict(),
            "system": {metric: {"f1": mean.value, "documents": math.sqrt(mean.documents),
                                "runs": math.sqrt(mean.of_runs) if mean.known else None, "correlation": together}
                       for metric, mean, together in zip(metrics, self.means, self.together, strict=True)},
            "plan": [dict(zip(names, row, strict=True)) for row in self.rows()],
        }  # fmt: skip

    def to_frame(self) -> render.DataFrame:
        """The plan as a frame of pandas: a row for each metric and correlation."""
        return render.frame(self.whole_grid(), 2)


def plan(
    key: Side | None,
    system: System | Sequence[System],
    *,
    difference: float = 1.0,
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    **keywords: Unpack[Keywords],
) -> Plan:
    """Which differences to another system could be found with these documents, and how many it takes for one of a size.

    Args:
        key: the gold annotation, as in `score`; None if the system is given as evaluations.
        system: a response or an evaluation, or a list of the runs of a system, as in `compare`.
        difference: in points of f1.
        trials: the number of resamples; without it 10,000.
        seed: the seed of random numbers.
        unit: what is resampled as a whole, as in `compare`.
        **keywords: those of `score`.
    """
    refuse_bad(Testing(difference=difference / 100))
    request = Request.of(key, None, keywords)
    runs = evaluations_of_runs(request, {"the system": runs_of(system, request.reading.response)})["the system"]
    sample, resampling = checked_sample(runs, unit, trials, seed)
    found = spread(f1_of(sample), resampling.trials, seed)
    means = tuple(estimates(found, [range(len(runs))]))
    return Plan(tuple(runs), means, tuple(map(_together, found.together)), difference / 100, resampling)


def _together(covariances: Floats) -> float | None:
    """The mean correlation of different runs; None for one run, and where nothing varies."""
    deviations = np.sqrt(np.diag(covariances))
    number = len(deviations)
    if number < 2 or not deviations.all():
        return None
    shares = covariances / np.outer(deviations, deviations)
    return float((shares.sum() - number) / (number * (number - 1)))
