"""Plots of the scores of one or several systems, and the names of metrics as papers print them."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from ..counting.metrics import Score, ratio
from ..counting.table import Floats
from ..document.grouping import bucket, by_number
from ..layout import plots
from ..relations.registry import split_name
from ..results.evaluation import Evaluation
from ..results.scores import SEED, Interval
from .samples import LEAST
from .significance import Sample, bootstrap, percentile

_TRIALS, _EQUAL = 2000, 1e-9

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
    written = _PROPER[name] + ("_" + variant if dash else "") if name in _PROPER else base
    return f"{prefix} {written}" if prefix else written


def printed(metric: str) -> str:
    """The name of a metric as pictures have it: with a subscript."""
    name, mark, below = proper(metric).partition("_")
    return plots.subscript(name, below) if mark else name


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
    return plots.Dots("F1 with 95 % intervals, %" if ends else "F1, %", [*map(printed, metrics)], series)


def size_dots(systems: Mapping[str, Evaluation]) -> dict[str, plots.Figure]:
    """Recall by size of entities, for a single system also precision; empty if only sums were kept."""
    series: dict[str, dict[str, tuple[float, float, float]]] = {}
    numbers: dict[str, int] = {}
    metric, sides = "", ("recall", "precision")[: 1 if len(systems) > 1 else 2]
    for name, each in systems.items():
        by_size = each.by("size") if each.has_evidence else {}
        shown = list(next(iter(by_size.values()), {}))
        metric = "b3" if "b3" in shown else shown[0] if shown else ""
        for side in sides if metric else ():
            values = {size: (100 * getattr(of[metric], side),) * 3 for size, of in by_size.items()}
            known = _by_size(each, metric, int(side == "precision"))
            agree = all(size in known and abs(known[size][1][0] - value[0]) < _EQUAL for size, value in values.items()
                        if value[0])  # fmt: skip
            series[name if len(systems) > 1 else side] = {size: known[size][1] if agree and size in known else value
                                                          for size, value in values.items()}  # fmt: skip
            for size, (number, _) in known.items() if agree and side == "recall" else ():
                numbers[size] = number
    if not series:
        return {}
    sizes = sorted({size for each in series.values() for size in each}, key=by_number)
    points = {name: [each.get(size, (0.0,) * 3) for size in sizes] for name, each in series.items()}
    ends = any(low < high for each in points.values() for _, low, high in each)
    label = f"{proper(metric)} {' and '.join(sides)} by mentions of an entity{' with 95 % intervals' * ends}, %"
    rows = [f"{size} ({numbers[size]:,})" if size in numbers else size for size in sizes]
    return {"size": plots.Dots(label, rows, points)}


def _by_size(evaluation: Evaluation, metric: str, side: int) -> dict[str, tuple[int, tuple[float, float, float]]]:
    """By size of entities how many mentions they have, and the percentage that counts, with its interval."""
    evidence = evaluation.evidence
    counts = evidence.entity_counts.get(metric)
    sizes = (evidence.table.key, evidence.table.response)[side].size
    entities = evidence.entities[side]
    if counts is None or len(counts[side]) != len(sizes):
        return {}
    names = [*dict.fromkeys(bucket("size", int(size)) for size in np.unique(sizes))]
    group = np.array([names.index(bucket("size", int(size))) for size in sizes], np.int64)
    codes, number = np.array(entities.document, np.int64) * len(names) + group, len(evaluation.documents) * len(names)
    weights = *counts[side].T, sizes
    summed = [np.bincount(codes, each, number).astype(np.float64) for each in weights]
    top, bottom, mentions = (each.reshape(len(evaluation.documents), len(names)) for each in summed)
    shares = share_intervals(top, bottom)
    return {name: (int(mentions[:, at].sum()), shares[at]) for at, name in enumerate(names)}


def share_intervals(top: Floats, bottom: Floats) -> list[tuple[float, float, float]]:
    """Percentages of groups from sums [documents, groups], with 95 % intervals from documents drawn again.

    Where a group is in fewer documents than intervals need, both ends are the percentage itself.
    """
    groups = top.shape[1]

    def shares(sums: Floats) -> Floats:
        return 100 * ratio(sums[..., 0, :groups], sums[..., 0, groups:])

    sample = Sample(np.concatenate([top, bottom], axis=1)[None], np.zeros(len(top), np.int64), shares)
    observed = sample.values[0]
    ends = np.stack([observed, observed], axis=-1)
    enough = (bottom > 0).sum(axis=0) >= LEAST
    if enough.any():
        ends[enough] = percentile(bootstrap(sample, _TRIALS, SEED))[0][enough]
    return [(value, *each) for value, each in zip(observed.tolist(), ends.tolist(), strict=True)]


def document_points(systems: Mapping[str, Evaluation], metric: str) -> plots.Points:
    """The f1 of the first two systems, a point for each document."""
    (a, first), (b, second) = list(systems.items())[:2]
    ours, theirs = first.by_document(), second.by_document()
    points = [(100 * ours[name][metric].f1, 100 * theirs[name][metric].f1) for name in ours]
    return plots.Points(f"{proper(metric)} F1 of {a}, %", f"{proper(metric)} F1 of {b}, %", {"": points})
