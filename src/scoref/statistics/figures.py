"""Plots of the scores of one or several systems, and the names of metrics as papers print them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..counting.metrics import Score
from ..document.grouping import by_number
from ..layout import plots
from ..relations.registry import split_name
from ..results.evaluation import Evaluation
from ..results.scores import Interval

_PROPER = {
    "muc": "MUC", "b3": "B³", "ceafe": "CEAFe", "ceafm": "CEAFm", "lea": "LEA", "blanc": "BLANC", "conll": "CoNLL",
    "kbp": "KBP", "ari": "ARI", "cc": "CC",
}  # fmt: skip


def proper(metric: str) -> str:
    """The name of a metric as papers print it.

    >>> proper("b3"), proper("ceafe"), proper("b3-sys"), proper("deixis:muc"), proper("mentions")
    ('B³', 'CEAFe', 'B³_sys', 'deixis: MUC', 'mentions')
    """
    prefix, base = split_name(metric)
    name, dash, variant = base.partition("-")
    printed = _PROPER[name] + ("_" + variant if dash else "") if name in _PROPER else base
    return f"{prefix} {printed}" if prefix else printed


def plot(evaluation: Evaluation, path: str | os.PathLike[str], first: Mapping[str, plots.Figure] | None = None) -> None:
    """Draw the f1 of every metric, with its interval if there is one, or recall and precision by size of entities.

    The name of the file says which: `scores` or `size`, or one that was made before; a folder gets all.
    """
    plots.draw({**(first or {}), "scores": score_dots({"": evaluation}), **size_dots({"": evaluation})}, path)


def score_dots(systems: Mapping[str, Evaluation]) -> plots.Dots:
    """The picture of each system's f1 by metric."""
    series: dict[str, list[tuple[float, float, float]]] = {}
    metrics: dict[str, Score] = {}
    ends: Mapping[str, tuple[Interval, Interval, Interval]] = {}
    for name, each in systems.items():
        metrics, ends = each.scores, each.intervals.scores if each.intervals else {}
        of_f1 = [(f1, *(ends[metric][2] if ends else (f1, f1))) for metric, (_, _, f1) in metrics.items()]
        series[name] = [(100 * f1, 100 * low, 100 * high) for f1, low, high in of_f1]
    return plots.Dots("F1 with 95 % intervals, %" if ends else "F1, %", [*map(proper, metrics)], series)


def size_dots(systems: Mapping[str, Evaluation]) -> dict[str, plots.Figure]:
    """Recall by size of entities, for a single system also precision; empty if only sums were kept."""
    series: dict[str, dict[str, float]] = {}
    metric, sides = "", ("recall", "precision")[: 1 if len(systems) > 1 else 2]
    for name, each in systems.items():
        by_size = each.by("size") if each.has_evidence else {}
        shown = list(next(iter(by_size.values()), {}))
        metric = "b3" if "b3" in shown else shown[0] if shown else ""
        for side in sides if metric else ():
            values = {size: getattr(of[metric], side) for size, of in by_size.items()}
            series[name if len(systems) > 1 else side] = values
    if not series:
        return {}
    sizes = sorted({size for each in series.values() for size in each}, key=by_number)
    points = {name: [(100 * each.get(size, 0.0),) * 3 for size in sizes] for name, each in series.items()}
    label = f"{proper(metric)} {' and '.join(sides)} by mentions of an entity, %"
    return {"size": plots.Dots(label, sizes, points)}


def document_points(systems: Mapping[str, Evaluation], metric: str) -> plots.Points:
    """The f1 of the first two systems, a point for each document."""
    (a, first), (b, second) = list(systems.items())[:2]
    ours, theirs = first.by_document(), second.by_document()
    points = [(100 * ours[name][metric].f1, 100 * theirs[name][metric].f1) for name in ours]
    return plots.Points(f"{proper(metric)} F1 of {a}, %", f"{proper(metric)} F1 of {b}, %", {"": points})
