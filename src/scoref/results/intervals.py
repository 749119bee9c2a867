"""Intervals of scores, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..layout.render import Json

TRIALS, SEED, UNIT = 10_000, 12345, "document"  # unless told otherwise


class Resampling(NamedTuple):
    """How intervals and tests are made: how many resamples, the seed, what is drawn as a whole, and of how many.

    `warnings` say what makes them unsafe.
    """

    trials: int
    seed: int
    unit: str
    units: int
    warnings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """How it was done, as part of a signature."""
        return f"|unit:{self.unit}|trials:{self.trials}|seed:{self.seed}"

    def to_dict(self) -> Json:
        """How it was done, and the warnings, for JSON."""
        how = {"trials": self.trials, "seed": self.seed, "unit": self.unit, "units": self.units}
        return {"resampling": how, "warnings": list(self.warnings)}

    def notes(self, intervals: bool = True) -> list[str]:
        """What belongs beside intervals, if there are any; and the warnings."""
        how = f"95 % intervals: bootstrap (BCa) over {self.units} units ({self.unit})"
        return [*([how] if intervals else ()), *(f"warning: {warning}" for warning in self.warnings)]


Interval = tuple[float, float]


class Intervals(NamedTuple):
    """For each metric the intervals of recall, precision and f1, and how they were made; none from too few units."""

    resampling: Resampling
    scores: Mapping[str, tuple[Interval, Interval, Interval]]

    def notes(self) -> list[str]:
        """What belongs beside the scores."""
        return self.resampling.notes(bool(self.scores))
