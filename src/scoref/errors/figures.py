"""Figures of errors: a waterfall from the score to 100 by kinds of errors, and shares of right mentions."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ..layout import plots
from ..problems import Error
from ..statistics.figures import proper
from .analysis import Analysis
from .outcomes import NAMELESS, ORDERS


def plot(analyses: Mapping[str, Analysis], path: str | os.PathLike[str]) -> None:
    """Draw a figure of one response or of several, by the name of the file: errors, distance, size, form.

    `errors` is a waterfall of the first response, the others are of all; a folder gets all figures.
    """
    first = next(iter(analyses.values()))
    if not first.of_coreference or not first.metric:
        raise Error("no-coreference", "figures of errors are of coreference",
                    remedy="choose --layer identity or deixis, and metrics of coreference")  # fmt: skip
    shares = {view: _shares(analyses, view) for view in ("distance", "size", "form")}
    plots.draw({"errors": waterfall(first), **shares}, path)


def waterfall(analysis: Analysis) -> plots.Steps:
    """From the score to what is left when all kinds of errors are repaired, one after the other."""
    metric = analysis.metric
    assert metric
    steps, before = [], 0.0
    for cost in analysis.costs():
        steps.append((cost.kind, 100 * (cost.together[metric] - before)))
        before = cost.together[metric]
    label = f"{proper(metric)} F1, %"
    return plots.Steps(label, ("response", 100 * analysis.evaluation[metric].f1), steps, "all repaired")


def _shares(analyses: Mapping[str, Analysis], view: str) -> plots.Dots:
    """The share of right mentions in groups of the key's mentions."""
    shares: dict[str, dict[str, float]] = {}
    for name, analysis in analyses.items():
        rows = analysis.by(view).rows
        shares[name] = {str(row[0]): row[2] for row in rows if isinstance(row[2], float) and row[0] not in NAMELESS}
    groups = sorted({group for each in shares.values() for group in each}, key=ORDERS[view])
    series = {name: [(100 * each.get(group, 0.0),) * 3 for group in groups] for name, each in shares.items()}
    what = {"distance": "distance to the antecedent", "size": "mentions of the entity", "form": "form"}[view]
    return plots.Dots(f"right mentions by {what}, %", groups, series)
