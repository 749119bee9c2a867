"""Two systems by kind of mention: the difference of each kind, with an interval from documents drawn again."""

from __future__ import annotations

from typing import NamedTuple

from ...layout.grid import Cell, signed
from ...layout.render import Json
from ...results.evaluation import Evaluation
from ...results.kinds import KindScores
from ...results.scores import Interval, Resampling
from ..samples import checked_sample, in_enough_units, interval, interval_ends

Kinds = KindScores[Evaluation]
HEADER = ("difference", "low", "high")


class KindDifference(NamedTuple):
    """The f1 of the second system minus that of the first for a kind of mentions, and its interval."""

    difference: float
    ci: Interval | None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The difference and the ends of its interval, as a table shows them."""
        return signed(self.difference), *(map(signed, self.ci) if self.ci else (None, None))

    def to_dict(self) -> Json:
        """The same for JSON."""
        return {"difference": self.difference, "ci": list(self.ci) if self.ci else None}


def differences(first: Kinds, second: Kinds, resampling: Resampling) -> dict[tuple[str, str], KindDifference]:
    """By kind and metric how the f1 of two systems differ.

    There is no interval where there are too few units, and nothing for a kind that one of the systems lacks.
    """
    labels = [label for label in first if label in second]
    parts = [each.parts[label] for each in (first, second) for label in labels]
    if not parts or len({part.protocol.metrics for part in parts}) > 1:  # a rule may leave a metric out of one system
        return {}
    metrics = parts[0].protocol.metrics
    sample, how = checked_sample(parts, resampling.unit, resampling.trials, resampling.seed)
    pairs = [(number, number + len(labels)) for number in range(len(labels))]
    _, apart = interval_ends(sample, how, pairs, None)
    found: dict[tuple[str, str], KindDifference] = {}
    for pair, label in zip(pairs, labels, strict=True):
        enough = in_enough_units(sample.sums[pair[0]], metrics) & in_enough_units(sample.sums[pair[1]], metrics)
        for place, name in enumerate(metrics):
            known = interval(apart[0][pair[0], place]) if apart and name in enough else None
            found[label, name] = KindDifference(second[label][name].f1 - first[label][name].f1, known)
    return found
