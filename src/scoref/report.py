"""Evaluations as tables and as JSON: what the command line prints."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .analysis import Analysis, Change, Mistake, changes
from .comparison import Comparison
from .evaluation import EntityScore, Evaluation
from .exceptions import Error
from .grid import COMMENTS, WRITERS, Cell, Grid, Number, clean, paragraphs, signed
from .groups import DOCUMENT_FIELDS
from .metrics import Score
from .nuggets import STATUSES, NuggetRow, nugget_confusion
from .outcomes import VIEWS
from .repair import CoreferenceError, Place
from .stability import Stability

OUTPUTS = (*WRITERS, "json")
BREAKDOWNS = ("document", "text", "entity", "dataset", "genre", "size", "span")

_ENTITIES_SHOWN = 25
_BETWEEN = {"markdown": "  \n"}  # ends a line, but no paragraph


def render(evaluation: Evaluation, output: str = "text", by: str | None = None) -> str:
    """The evaluation in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        return json.dumps(as_dict(evaluation, by), ensure_ascii=False)
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
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
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


def render_errors(
    analyses: Mapping[str, Analysis], output: str = "text", every: bool = False, by: str | None = None
) -> str:
    """What went wrong in a response, or what every further one fixes and breaks; all errors with `every`."""
    first = next(iter(analyses.values()))
    if len(analyses) > 1:
        if by:
            raise Error("one-response", f"--by {by} is for one response", remedy="name one response")
        if output == "json":
            return json.dumps(_changes_dict(analyses), ensure_ascii=False)
        return _page(_change_grids(analyses, every or output == "csv"), error_notes(analyses), output)
    if output == "json":
        return json.dumps(_errors_dict(first, by), ensure_ascii=False)
    rows = first.nuggets
    broken_down = _errors_by(first, by) if by else []
    listed = [*_nugget_lists(rows), *_error_lists(first)] if every else []
    if output == "csv":  # one table
        return _page(broken_down[-1:] or [_nugget_list(rows) if rows else _operation_list(first)], [], output)
    grids = [*_totals(first, rows), *broken_down, *listed]
    meaning = f"{first.metric}: f1 gained when errors of this kind are repaired, alone or together with those above"
    return _page(grids, [*([meaning] if first.metric else []), *error_notes(analyses)], output)


def error_notes(analyses: Mapping[str, Analysis]) -> list[str]:
    """What belongs beside errors: that beside the first response's score, and the problems of all others."""
    first, *others = analyses.values()
    *lines, signature = first.evaluation.notes()
    names = list(analyses)[1:]
    further = [
        f"{name}: {note}" for name, each in zip(names, others, strict=True) for note in each.evaluation.problem_notes()
    ]
    return [*lines, *further, signature]


def _totals(analysis: Analysis, rows: Sequence[NuggetRow]) -> list[Grid]:
    """The numbers of errors: of event nuggets, of coreference with what they cost, of sets and bridging."""
    grids = []
    if rows:
        counts = Counter(row.status for row in rows)
        grids.append(Grid("", ("event nuggets", "number"), [(name, counts[name]) for name in STATUSES if counts[name]]))
    metric = analysis.metric
    if analysis.of_coreference:
        others = {name: Analysis(each).counts() for name, each in analysis.evaluation.settings.items()}
        header = ("error", "number", *((f"{metric} alone", f"{metric} together") if metric else ()), *others)
        costs: list[tuple[Cell, ...]] = [
            (cost.kind, cost.number, *((signed(cost.alone[metric]), signed(cost.together[metric])) if metric else ()),
             *(counts[cost.kind] for counts in others.values()))
            for cost in analysis.costs()
        ]  # fmt: skip
        grids.append(Grid("", header, costs))
    grids += [grid._replace(title="") for grid in analysis.totals()]
    if analysis.deixis:
        grids += [grid._replace(title="discourse deixis") for grid in _totals(analysis.deixis, [])]
    return grids


def _errors_by(analysis: Analysis, by: str) -> list[Grid]:
    if by in DOCUMENT_FIELDS:
        each = analysis.by_document(by)
        return [Grid(f"errors by {by}", (by, *analysis.kinds), [(name, *each[name].values()) for name in each])]
    if by == "entity":
        return [analysis.entities()]
    if by in VIEWS:
        return [analysis.by(by)]
    if analysis.nuggets:
        return [analysis.matrix(by)]
    known = any(response for _, response in analysis.confusion(by))
    return [analysis.by(by), *([analysis.matrix(by)] if known else [])]


def _error_lists(analysis: Analysis) -> list[Grid]:
    """For each document a line for every error, in words."""
    rows: dict[str, list[tuple[Cell, ...]]] = {}
    for error in analysis.errors if analysis.of_coreference else ():
        rows.setdefault(error.document, []).append((_where(error.mentions[0]), error.kind, _in_words(error)))
    for kind, document, (place,) in analysis.other_errors:
        rows.setdefault(document, []).append((_where(place), kind, f"'{place.text}'"))
    return [Grid(f"document {name}", ("place", "error", "mentions"), each, prose=True) for name, each in rows.items()]


def _where(place: Place) -> str:
    return place.side if place.line is None else f"{place.side}:{place.line}"


def _in_words(error: CoreferenceError) -> str:
    mentions = ", ".join(f"'{place.text}'" for place in error.mentions)
    anchor = f"'{error.anchor.text}' ({_where(error.anchor)})" if error.anchor else ""
    entity = error.anchor.entity if error.anchor else error.mentions[0].entity
    match error.kind:
        case "span error":
            return f"{mentions} for {anchor}"
        case "conflated entities":
            return f"{mentions}: not of entity {entity}, {anchor}"
        case "divided entity" | "missing mention":
            return f"{mentions}: of entity {entity}, {anchor}"
        case "extra mention":
            return f"{mentions}: in entity {entity}, {anchor}"
    return f"entity {entity}: {mentions}"


def _operation_list(analysis: Analysis, layer: str = "") -> Grid:
    """A line for every mention of every step of the repairs, and one for every error that has none."""
    rows: list[tuple[Cell, ...]] = []
    found = analysis.errors if analysis.of_coreference else ()
    for number, error in enumerate(found, 1):
        for operation in error.operations:
            to = (operation.to.line, str(operation.to.entity), operation.to.text) if operation.to else (None, "", "")
            for place in operation.mentions:
                rows.append((number, layer + error.kind, error.document, operation.name, place.side, place.line,
                             str(place.entity), place.text, *to))  # fmt: skip
    for number, (kind, document, (place,)) in enumerate(analysis.other_errors, len(found) + 1):
        rows.append((number, kind, document, "", place.side, place.line, str(place.entity), place.text, None, "", ""))
    header = ("number", "error", "document", "operation", "side", "line", "entity", "mention")
    if analysis.deixis:
        before = len(found) + len(analysis.other_errors)
        inner = _operation_list(analysis.deixis, "deixis: ").rows
        rows += [(before + number, *row) for number, *row in inner if isinstance(number, int)]
    return Grid("", (*header, "to line", "to entity", "to mention"), rows)


def _nugget_lists(rows: Iterable[NuggetRow]) -> list[Grid]:
    """Key and response side by side, document by document."""
    each: dict[str, list[NuggetRow]] = {}
    for row in rows:
        each.setdefault(row.document, []).append(row)
    grids = {name: _nugget_list(some) for name, some in each.items()}
    return [
        Grid(f"document {name}", whole.header[1:], [row[1:] for row in whole.rows]) for name, whole in grids.items()
    ]


def _nugget_list(rows: Iterable[NuggetRow]) -> Grid:
    """Key and response side by side."""
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        sides: list[Cell] = []
        for place in (row.key, row.response):
            attributes = dict(place.mention.attributes) if place else {}
            labels = [attributes[name] for name in ("type", "realis") if name in attributes]
            sides += [attributes.get("text", ""), " ".join(labels)]
        cells.append((row.document, row.status, row.dice or None, *sides))
    header = ("document", "status", "dice", "key", "type, realis", "response", "type, realis")
    return Grid("", header, cells)


def _errors_dict(analysis: Analysis, by: str | None) -> dict[str, Any]:
    evaluation = analysis.evaluation
    result: dict[str, Any] = {"signature": evaluation.signature, "documents": len(evaluation.documents)}
    coreference: dict[str, Any] = {
        "counts": analysis.counts() if analysis.of_coreference else _kind_counts(analysis),
        "costs": [cost._asdict() for cost in analysis.costs()] if analysis.metrics else [],
        "documents_counts": analysis.by_document(),
        "settings": {name: Analysis(each).counts() for name, each in evaluation.settings.items()},
        "errors": [_error_dict(error) for error in (analysis.errors if analysis.of_coreference else ())],
        "other_errors": [
            {"kind": kind, "document": document, "mention": _place(place)}
            for kind, document, (place,) in analysis.other_errors
        ],
        **({"deixis": _errors_dict(analysis.deixis, None)} if analysis.deixis else {}),
    }
    rows = analysis.nuggets
    if rows:
        result["counts"] = Counter(row.status for row in rows)
        result["mentions"] = [
            {"document": row.document, "status": row.status, "dice": row.dice, "key": _nugget(row.key),
             "response": _nugget(row.response)}
            for row in rows
        ]  # fmt: skip
        result["confusion"] = {field: _nested(nugget_confusion(rows, field)) for field in ("type", "realis")}
        result["coreference"] = coreference
    else:
        result |= coreference
    result["views"] = {grid.title: [dict(zip(grid.header, map(_plain, row), strict=True)) for row in grid.rows]
                       for grid in (*analysis.views(), *(_errors_by(analysis, by) if by else ()))}  # fmt: skip
    return result


def _error_dict(error: CoreferenceError) -> dict[str, Any]:
    return {
        "kind": error.kind,
        "document": error.document,
        "mentions": [_place(place) for place in error.mentions],
        "anchor": _place(error.anchor),
        "operations": [
            {"operation": each.name, "mentions": [_place(place) for place in each.mentions], "to": _place(each.to)}
            for each in error.operations
        ],
    }


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {"side": place.side, "line": place.line, "text": place.text, "entity": str(place.entity)}


def _nugget(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"id": str(place.mention.id), **dict(place.mention.attributes)}


def _plain(cell: Cell) -> str | int | float | None:
    return cell.value if isinstance(cell, Number) else cell


def _nested(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (ours, theirs), number in sorted(counts.items()):
        found.setdefault(ours, {})[theirs] = number
    return found


# -- what further responses fix and break ----------------------------------------------------------------------------


def _change_grids(analyses: Mapping[str, Analysis], every: bool) -> list[Grid]:
    """For each further response how many errors of each kind it fixes and breaks, or with `every` which."""
    (name, first), *others = analyses.items()
    grids = []
    for other, analysis in others:
        found = changes(first, analysis)
        if every:
            rows: list[tuple[Cell, ...]] = [(change.status, *_located(change.error)) for change in found]
            header = ("change", "error", "document", "line", "mentions")
            grids.append(Grid(f"{name} → {other}" * (len(others) > 1), header, rows, prose=True))
        else:
            grids.append(_change_grid(name, other, first, analysis, found))
    return grids


def _change_grid(name: str, other: str, first: Analysis, analysis: Analysis, found: list[Change]) -> Grid:
    counts = Counter((change.status, change.error.kind) for change in found)
    ours, theirs = _kind_counts(first), _kind_counts(analysis)
    rows: list[tuple[Cell, ...]] = [
        (kind, ours.get(kind, 0), theirs.get(kind, 0), counts["fixed", kind], counts["broken", kind])
        for kind in ours | theirs
    ]
    return Grid("", ("error", name, other, "fixed", "broken"), rows)


def _kind_counts(analysis: Analysis) -> dict[str, int]:
    counts = Counter(mistake.kind for mistake in analysis.mistakes())
    return {kind: counts[kind] for kind in analysis.kinds}


def _located(error: Mistake) -> tuple[Cell, ...]:
    """The kind of an error, its document, line and mentions."""
    texts = dict.fromkeys(place.text for place in error.mentions)
    return error.kind, error.document, error.mentions[0].line, "; ".join(texts)


def _changes_dict(analyses: Mapping[str, Analysis]) -> dict[str, Any]:
    (name, first), *others = analyses.items()
    return {
        "signature": first.evaluation.signature,
        "documents": len(first.evaluation.documents),
        "systems": {
            each: {"scores": analysis.evaluation.scores_dict(), "counts": _kind_counts(analysis)}
            for each, analysis in analyses.items()
        },
        "changes": [
            {"from": name, "to": other,
             "errors": [{"status": change.status, **dict(zip(("kind", "document", "line", "mentions"),
                                                             _located(change.error), strict=True))}
                        for change in changes(first, analysis)]}
            for other, analysis in others
        ],
    }  # fmt: skip
