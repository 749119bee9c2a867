"""Evaluations as tables and as JSON: what the command line prints."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .analysis import CoreferenceError, NuggetRow, error_counts, errors, nugget_rows
from .comparison import Comparison
from .evaluation import EntityScore, Evaluation
from .exceptions import Error
from .grid import COMMENTS, WRITERS, Cell, Grid, clean, paragraphs
from .metrics import Score
from .model import Mention
from .stability import Stability

OUTPUTS = (*WRITERS, "json")
BREAKDOWNS = ("document", "text", "entity", "dataset", "genre", "size", "span")

_ENTITIES_SHOWN = 25
_BETWEEN = {"markdown": "  \n"}  # ends a line, but no paragraph


def render(evaluation: Evaluation, output: str = "text", by: str | None = None) -> str:
    """The evaluation in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        return json.dumps(as_dict(evaluation, by), ensure_ascii=False)
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
    whole = output == "csv"  # for programs: one table, nothing left out
    if by is None and evaluation.protocol.average == "datasets":
        by = "dataset"
    if by is None:
        grids = [evaluation.grid()]
    elif by != "entity":
        grids = [_long(evaluation, by)] if whole else [evaluation.grid(), _groups(evaluation, by)]
    else:
        grids = [_entities(evaluation, whole)] if whole else [evaluation.grid(), _entities(evaluation, whole)]
    return _page(grids, evaluation.notes(), output)


def _page(grids: Sequence[Grid], lines: list[str], output: str) -> str:
    """Tables, and below them lines of text, of which the last is the signature; CSV has no place for these."""
    tables = [WRITERS[output](grid) for grid in grids]
    if output == "csv":
        return "\n\n".join(tables)
    notes = [COMMENTS[output] + clean(note) for note in lines]
    if output == "text":
        notes[:-1] = paragraphs(notes[:-1])  # the signature stays in one piece
    return "\n\n".join([*tables, _BETWEEN.get(output, "\n").join(notes)])


def render_comparison(comparison: Comparison, output: str = "text", by: str | None = None) -> str:
    """The comparison in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        result = comparison.to_dict()
        if by:
            groups = {name: system.by(by) for name, system in comparison.systems.items()}
            result["by"] = {by: {name: {label: _scores(scores) for label, scores in each.items()}
                                 for name, each in groups.items()}}  # fmt: skip
        return json.dumps(result, ensure_ascii=False)
    if output == "csv":
        return _page([comparison.by(by) if by else comparison.tests_grid(whole=True)], [], output)
    grids = [comparison.scores_grid(), comparison.tests_grid(), *([comparison.by(by)] if by else [])]
    for setting, other in comparison.settings.items():
        both = other.scores_grid(), other.tests_grid()
        grids += [grid._replace(title=f"{setting}: {grid.title}".removesuffix(": ")) for grid in both]
    return _page(grids, comparison.notes(), output)


def render_stability(stability: Stability, output: str = "text") -> str:
    """The experiment in one of the output formats."""
    if output == "json":
        return json.dumps(stability.to_dict(), ensure_ascii=False)
    if output == "csv":
        return _page([stability.whole_grid()], [], output)
    return _page(stability.grids(), stability.notes(), output)


def as_dict(evaluation: Evaluation, by: str | None = None) -> dict[str, Any]:
    """The evaluation for JSON, with a breakdown if one is asked for."""
    result = evaluation.to_dict()
    if by == "document":
        result["documents_scores"] = {name: _scores(scores) for name, scores in evaluation.by_document().items()}
    elif by and by != "entity":
        result["by"] = {by: {name: _scores(scores) for name, scores in evaluation.by(by).items()}}
    elif by:
        result["entities"] = [_entity(entity) for entity in evaluation.by_entity()]
    return result


def _entity(entity: EntityScore) -> dict[str, Any]:
    return {**entity._asdict(), "entity": str(entity.entity)}


def _scores(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {metric: score._asdict() for metric, score in scores.items()}


def _groups(evaluation: Evaluation, by: str) -> Grid:
    groups = evaluation.by(by)
    metrics = list(next(iter(groups.values()), {}))
    rows: list[tuple[Cell, ...]] = [
        (name, *(scores[metric].f1 for metric in metrics)) for name, scores in groups.items()
    ]
    if by == "dataset":
        rows.append(
            ("mean", *(sum(scores[metric].f1 for scores in groups.values()) / len(groups) for metric in metrics))
        )
    return Grid(f"f1 by {by}", (by, *metrics), rows)


def _long(evaluation: Evaluation, by: str) -> Grid:
    rows: list[tuple[Cell, ...]] = [("", metric, *score) for metric, score in evaluation.scores.items()]
    for name, scores in evaluation.by(by).items():
        rows += [(name, metric, *score) for metric, score in scores.items()]
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


# -- errors ----------------------------------------------------------------------------------------------------------


def render_errors(evaluation: Evaluation, output: str = "text", every: bool = False) -> str:
    """What went wrong: event nuggets side by side, or coreference errors counted, and listed with `every`."""
    nuggets = bool(evaluation.nuggets())
    rows = nugget_rows(evaluation) if nuggets else []
    found = [] if nuggets else errors(evaluation)
    if output == "json":
        return json.dumps(_errors_dict(evaluation, rows, found), ensure_ascii=False)
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
    listed = (
        _nugget_grids(rows, output == "csv") if nuggets else [_error_list(found)] if every or output == "csv" else []
    )
    if output == "csv":
        return "\n\n".join(WRITERS[output](grid) for grid in listed)
    counts = Counter(row.status for row in rows) if nuggets else Counter(error_counts(found))
    total = Grid("", ("error" if not nuggets else "mentions", "number"), list(counts.items()))
    notes = [COMMENTS[output] + clean(note) for note in evaluation.notes()]
    if output == "text":
        notes[:-1] = paragraphs(notes[:-1])
    tables = [WRITERS[output](grid) for grid in (total, *listed)]
    return "\n\n".join([*tables, _BETWEEN.get(output, "\n").join(notes)])


def _errors_dict(evaluation: Evaluation, rows: list[NuggetRow], found: list[CoreferenceError]) -> dict[str, Any]:
    result: dict[str, Any] = {"signature": evaluation.signature, "documents": len(evaluation.documents)}
    if evaluation.nuggets():
        result["counts"] = Counter(row.status for row in rows)
        result["mentions"] = [
            {"document": row.document, "status": row.status, "dice": row.dice, "key": _nugget(row.key),
             "response": _nugget(row.response)}
            for row in rows
        ]  # fmt: skip
        return result
    result["counts"] = error_counts(found)
    result["errors"] = [
        {"kind": error.kind, "document": error.document,
         "mentions": [{**place._asdict(), "entity": str(place.entity)} for place in error.places]}
        for error in found
    ]  # fmt: skip
    return result


def _nugget(mention: Mention | None) -> dict[str, Any] | None:
    return None if mention is None else {"id": str(mention.id), **dict(mention.attributes)}


def _error_list(found: list[CoreferenceError]) -> Grid:
    rows: list[tuple[Cell, ...]] = [
        (error.kind, error.document, place.side, place.line, str(place.entity), place.text)
        for error in found
        for place in error.places
    ]
    return Grid("", ("error", "document", "side", "line", "entity", "mention"), rows)


def _nugget_grids(rows: list[NuggetRow], whole: bool) -> list[Grid]:
    """Key and response side by side, a table for each document, or one for all."""
    header = ("status", "dice", "key", "type, realis", "response", "type, realis")
    grouped: dict[str, list[tuple[Cell, ...]]] = {}
    for row in rows:
        cells: list[Cell] = [row.status, row.dice or None]
        for mention in (row.key, row.response):
            attributes = dict(mention.attributes) if mention else {}
            labels = [attributes[name] for name in ("type", "realis") if name in attributes]
            cells += [attributes.get("text", ""), " ".join(labels)]
        grouped.setdefault(row.document, []).append(tuple(cells))
    if whole:
        return [Grid("", ("document", *header), [(name, *cells) for name, each in grouped.items() for cells in each])]
    return [Grid(f"document {name}", header, each) for name, each in grouped.items()]
