"""Two systems by kind of mention: the difference of each kind, with an interval from documents drawn again."""

from __future__ import annotations

from ...layout.grid import Cell, signed
from ...results.evaluation import Evaluation
from ...results.kinds import KindScores
from ...results.scores import Resampling
from ..samples import checked_sample, in_enough_units, interval, interval_ends

Kinds = KindScores[Evaluation]
HEADER = ("difference", "low", "high")


def differences(first: Kinds, second: Kinds, resampling: Resampling) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """By kind and metric the f1 of the second system minus that of the first, and the ends of its interval.

    It has no ends where there are too few units, and none is given for a kind that one of the systems lacks.
    """
    labels = [label for label in first if label in second]
    parts = [each.parts[label] for each in (first, second) for label in labels]
    if not parts or len({part.protocol.metrics for part in parts}) > 1:  # a rule may leave a metric out of one system
        return {}
    metrics = parts[0].protocol.metrics
    sample, how = checked_sample(parts, resampling.unit, resampling.trials, resampling.seed)
    pairs = [(number, number + len(labels)) for number in range(len(labels))]
    _, apart = interval_ends(sample, how, pairs, None)
    found: dict[tuple[str, str], tuple[Cell, ...]] = {}
    for pair, label in zip(pairs, labels, strict=True):
        enough = in_enough_units(sample.sums[pair[0]], metrics) & in_enough_units(sample.sums[pair[1]], metrics)
        for place, name in enumerate(metrics):
            known = interval(apart[0][pair[0], place]) if apart and name in enough else None
            ends = map(signed, known) if known else (None, None)
            found[label, name] = (signed(second[label][name].f1 - first[label][name].f1), *ends)
    return found
