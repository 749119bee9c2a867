"""Scores and counts as values for JSON."""

from __future__ import annotations

from collections.abc import Mapping

from ..counting.metrics import Score, Whole
from ..counting.table import Floats
from ..layout.render import Json
from ..relations.registry import how_of
from .intervals import Intervals
from .sums import added


def as_dict(scores: Mapping[str, Score]) -> dict[str, Json]:
    """Scores by metric."""
    return {metric: score._asdict() for metric, score in scores.items()}


def as_dicts(groups: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, Json]]:
    """Scores by group and metric."""
    return {name: as_dict(scores) for name, scores in groups.items()}


def scores_dict(scores: Mapping[str, Score], intervals: Intervals | None) -> dict[str, Json]:
    """Scores by metric, each with its intervals, if they were made."""
    values = as_dict(scores)
    for metric, each in intervals.scores.items() if intervals else ():
        values[metric]["ci"] = {name: list(ends) for name, ends in zip(Score._fields, each, strict=True)}
    return values


def counts_dict(counts: Mapping[str, Floats]) -> dict[str, Json]:
    """The counts of all documents together: numerators and denominators, or the sums of what compares clusterings."""
    totals = {metric: added(rows, [range(len(rows))])[0].tolist() for metric, rows in counts.items()}
    return {
        metric: {"sums": sums} if isinstance(how_of(metric), Whole) else {"recall": sums[:2], "precision": sums[2:]}
        for metric, sums in totals.items()
    }
