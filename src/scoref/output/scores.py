"""Evaluations, comparisons and experiments as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..counting.metrics import Score
from ..layout.grid import NOTHING, Cell, Grid
from ..layout.render import Json, json_text, written
from ..results.evaluation import Evaluation
from ..results.evidence import EntityScore
from .paper import caption, paper

if TYPE_CHECKING:
    from ..statistics.comparison import Comparison

BREAKDOWNS = ("document", "text", "entity", "dataset", "genre", "size", "span")

_ENTITIES_SHOWN = 25


def render(evaluation: Evaluation, output: str = "text", by: str | None = None, width: int | None = None) -> str:
    """The evaluation in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        return json_text(as_dict(evaluation, by))
    whole = output == "csv"  # for programs: one table, nothing left out
    if by is None and evaluation.protocol.averaging.average == "datasets" and len(set(evaluation.datasets)) > 1:
        by = "dataset"
    if by is None:
        grids = [evaluation.grid()] if whole else evaluation.grids()
    elif by != "entity":
        grids = [_long(evaluation, by)] if whole else [*evaluation.grids(), evaluation.by(by).grid()]
    else:
        grids = [_entities(evaluation, whole)] if whole else [*evaluation.grids(), _entities(evaluation, whole)]
    return written(grids, evaluation.notes(), output, width)


def render_comparison(
    comparison: Comparison, output: str = "text", by: str | None = None, width: int | None = None
) -> str:
    """The comparison in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        result = comparison.to_dict()
        if by:
            groups = {name: system.by(by) for name, system in comparison.systems.items()}
            result["by"] = {by: {name: {label: _scores(scores) for label, scores in each.items()}
                                 for name, each in groups.items()}}  # fmt: skip
        return json_text(result)
    if output == "csv":
        return written([comparison.by(by) if by else comparison.tests_grid(whole=True)], [], output)
    grids = [comparison.scores_grid(), comparison.tests_grid(), *([comparison.by(by)] if by else [])]
    for setting, other in comparison.settings.items():
        both = other.scores_grid(), other.tests_grid()
        grids += [grid._replace(title=f"{setting}: {grid.title}".removesuffix(": ")) for grid in both]
    return written(grids, comparison.notes(), output, width)


def render_paper(comparison: Comparison, output: str = "text", asked: bool = False, width: int | None = None) -> str:
    """The comparison as the table of a paper, of the metrics that were asked for or of those that papers print."""
    each = {"": comparison, **comparison.settings}
    grids = [paper(one, asked)._replace(title=name) for name, one in each.items()]
    lines = [] if output == "latex" else caption(comparison, bold=output == "markdown")
    return written(grids, lines, output, width)


def as_dict(evaluation: Evaluation, by: str | None = None) -> Json:
    """The evaluation for JSON, with a breakdown if one is asked for."""
    result = evaluation.to_dict()
    if by == "document":
        result["documents_scores"] = {name: _scores(scores) for name, scores in evaluation.by_document().items()}
    elif by and by != "entity":
        result["by"] = {by: {name: _scores(scores) for name, scores in evaluation.by(by).items()}}
    elif by:
        result["entities"] = [_entity(entity) for entity in evaluation.by_entity()]
    return result


def _entity(entity: EntityScore) -> Json:
    return {**entity._asdict(), "entity": str(entity.entity)}


def _scores(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {metric: score._asdict() for metric, score in scores.items()}


def _long(evaluation: Evaluation, by: str) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        ("", metric, *((NOTHING,) * 3 if metric in evaluation.undefined else score))
        for metric, score in evaluation.scores.items()
    ]
    groups = evaluation.by(by)
    for name, scores in groups.items():
        rows += [(name, metric, *(score if groups.defined(name, metric) else (NOTHING,) * 3))
                 for metric, score in scores.items()]  # fmt: skip
    return Grid("", (by, "metric", "recall", "precision", "f1"), rows)


def _entities(evaluation: Evaluation, whole: bool) -> Grid:
    entities = evaluation.by_entity()
    shown = entities if whole else entities[:_ENTITIES_SHOWN]
    names = list(entities[0].counts) if entities else []
    rows: list[tuple[Cell, ...]] = [
        (entity.side, entity.document, str(entity.entity), entity.size,
         *(top / bottom if bottom else None for top, bottom in entity.counts.values()))
        for entity in shown
    ]  # fmt: skip
    title = f"{len(shown)} of {len(entities)} entities, the costliest first (key: recall, response: precision)"
    return Grid(title, ("side", "document", "entity", "size", *names), rows)
