"""Intervals of scores, and how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

TRIALS, SEED, UNIT = 10_000, 12345, "document"  # if nobody says otherwise


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
        """The part of a signature that says it."""
        return f"|unit:{self.unit}|trials:{self.trials}|seed:{self.seed}"

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        made = {"trials": self.trials, "seed": self.seed, "unit": self.unit, "units": self.units}
        return {"resampling": made, "warnings": list(self.warnings)}


Interval = tuple[float, float]


class Intervals(NamedTuple):
    """For each metric the intervals of recall, precision and f1, and how they were made; none from too few units."""

    resampling: Resampling
    scores: Mapping[str, tuple[Interval, Interval, Interval]]
