"""What went wrong as text and as JSON: errors of one response, or what further ones fix and break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..document.grouping import DOCUMENT_FIELDS
from ..errors.analysis import Analysis, Mistake
from ..errors.changes import Change, changes
from ..errors.listing import ErrorRow, Listing, Wanted
from ..errors.mistakes import CoreferenceError, MentionPlace
from ..errors.nuggets import NuggetRow, nugget_confusion
from ..errors.other_layers import OtherError
from ..errors.outcomes import VIEWS
from ..errors.repairing.costs import Cost
from ..layout.grid import Cell, Grid, Number
from ..layout.render import json_text, written
from ..problems import Error
from ..tables.mistakes import Mistakes
from ..texts.projection import drift_sentences
from .error_lists import error_lists, located, nugget_list, nugget_lists, operation_list
from .tangles import entity_dict, tangle_dict, tangle_grid


def render_errors(
    analyses: Mapping[str, Analysis],
    output: str = "text",
    every: bool = False,
    by: str | None = None,
    width: int | None = None,
    wanted: Wanted | None = None,
) -> str:
    """What went wrong in a response, or what every further one fixes and breaks; all errors with `every`.

    `wanted` says which errors are listed.
    """
    first = next(iter(analyses.values()))
    if len(analyses) > 1:
        if by:
            raise Error("one-response", f"--by {by} is for one response", remedy="name one response")
        if output == "json":
            return json_text(_changes_dict(analyses))
        return written(_change_grids(analyses, every or output == "csv"), error_notes(analyses), output, width)
    if output == "json":
        return json_text(_errors_dict(first, by, wanted))
    broken_down = _errors_by(first, by) if by else []
    rows = list(Listing(first).rows(wanted)) if wanted or every or output == "csv" else []
    nuggets = [row.mistake for row in rows if isinstance(row.mistake, NuggetRow)] if wanted else first.nuggets
    if output == "csv":  # one table
        whole = nugget_list(nuggets) if first.nuggets else operation_list(rows)
        return written(broken_down[-1:] or [whole], [], output)
    listed = [*nugget_lists(nuggets), *error_lists(rows)] if every or wanted else []
    return written([*first.grids(), *broken_down, *listed], [*first.notes(), *error_notes(analyses)], output, width)


def render_mistakes(found: Mistakes, output: str = "text") -> str:
    """What went wrong between two tables; of CSV, the costliest splits and merges."""
    if output == "json":
        return json_text(found.to_dict())
    grids = found.grids()
    return written(grids[1:] if output == "csv" else grids, found.notes(), output)


def error_notes(analyses: Mapping[str, Analysis]) -> list[str]:
    """What belongs beside errors: that beside the first response's score, and the problems of all others."""
    first, *others = analyses.values()
    *lines, signature = first.evaluation.notes()
    names = list(analyses)[1:]
    further = [
        f"{name}: {note}"
        for name, each in zip(names, others, strict=True)
        for note in (
            *drift_sentences(each.evaluation.drift, each.evaluation.protocol.lost),
            *each.evaluation.problem_notes(),
        )
    ]
    return [*lines, *further, signature]


def _errors_by(analysis: Analysis, by: str) -> list[Grid]:
    if by in DOCUMENT_FIELDS:
        each = analysis.by_document(by)
        return [Grid(f"errors by {by}", (by, *analysis.kinds), [(name, *each[name].values()) for name in each])]
    if by == "entity":
        return [analysis.entities()]
    if by == "tangle":
        return [tangle_grid(analysis)]
    if by in VIEWS:
        return [analysis.by(by)]
    if analysis.nuggets:
        return [analysis.matrix(by)]
    known = any(response for _, response in analysis.confusion(by))
    return [analysis.by(by), *([analysis.matrix(by)] if known else [])]


def _errors_dict(analysis: Analysis, by: str | None, wanted: Wanted | None = None) -> dict[str, Any]:
    evaluation = analysis.evaluation
    listing = Listing(analysis)
    errors: list[Mistake] = [*(analysis.errors if analysis.of_coreference else ()), *analysis.other_errors]
    rows = list(listing.rows(wanted)) if wanted else [listing.row(error) for error in errors]
    views = (*analysis.views(), *(_errors_by(analysis, by) if by else ()))
    return {
        "signature": evaluation.signature,
        "documents": evaluation.size,
        "problems": [problem.to_dict() for problem in evaluation.problems],
        "counts": analysis.counts() if analysis.of_coreference else _kind_counts(analysis),
        "costs": [_cost_dict(cost, analysis.metric) for cost in analysis.costs()] if analysis.metrics else [],
        "documents_counts": analysis.by_document(),
        "settings": {name: Analysis(each).counts() for name, each in evaluation.settings.items()},
        "errors": [
            _error_dict(row.mistake) | _row_dict(row) for row in rows if isinstance(row.mistake, CoreferenceError)
        ],
        "other_errors": [
            {
                "kind": row.mistake.kind,
                "document": row.mistake.document,
                "mention": _place(row.place),
                **_row_dict(row),
                "given": [_place(place) for place in row.mistake.given],
                "wanted": [_place(place) for place in row.mistake.wanted],
            }
            for row in rows
            if isinstance(row.mistake, OtherError)
        ],
        "views": {
            grid.title: [dict(zip(grid.header, map(_plain, row), strict=True)) for row in grid.rows] for grid in views
        },
        "tangles": [tangle_dict(each, analysis.names) for each in analysis.tangles] if analysis.of_coreference else [],
        "deixis": _errors_dict(analysis.deixis, None) if analysis.deixis else None,
        "nuggets": _nuggets_dict(analysis.nuggets) if analysis.nuggets else None,
    }


def _cost_dict(cost: Cost, metric: str | None) -> dict[str, Any]:
    return {**cost._asdict(), "reason": cost.reason(metric) if metric else ""}


def _nuggets_dict(rows: Sequence[NuggetRow]) -> dict[str, Any]:
    return {
        "counts": Counter(row.status for row in rows),
        "mentions": [
            {"document": row.document, "status": row.status, "dice": row.dice, "key": _nugget(row.key),
             "response": _nugget(row.response)}
            for row in rows
        ],
        "confusion": {field: _nested(nugget_confusion(rows, field)) for field in ("type", "realis")},
    }  # fmt: skip


def _error_dict(error: CoreferenceError) -> dict[str, Any]:
    return {
        "kind": error.kind,
        "document": error.document,
        "mentions": [_place(place) for place in error.mentions],
        "anchor": _place(error.anchor),
        "given": entity_dict(error.given) if error.given else None,
        "wanted": entity_dict(error.wanted) if error.wanted else None,
        "operations": [
            {"operation": each.name, "mentions": [_place(place) for place in each.mentions], "to": _place(each.to)}
            for each in error.operations
        ],
    }


def _row_dict(row: ErrorRow) -> dict[str, Any]:
    return {
        "says": row.mistake.says,
        "should": row.mistake.should,
        "context": [row.before, row.after],
        "form": row.form,
        "distance": row.distance,
        "tangle": row.tangle,
        "tangle_cost": row.cost,
    }


def _place(place: MentionPlace | None) -> dict[str, Any] | None:
    if place is None:
        return None
    found = {"side": place.side, "line": place.line, "text": place.text, "entity": str(place.entity)}
    return found | (_own(place) if place.document.origin.mentions else {})


def _own(place: MentionPlace) -> dict[str, Any]:
    """What event nuggets have: an id and a span that is written."""
    return {"id": str(place.mention.id), "span": place.document.span_of(place.mention)}


def _nugget(place: MentionPlace | None) -> dict[str, Any] | None:
    return None if place is None else {**_own(place), "line": place.line, **dict(place.mention.attributes)}


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
            rows: list[tuple[Cell, ...]] = [(change.status, *located(change.error)) for change in found]
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


def _changes_dict(analyses: Mapping[str, Analysis]) -> dict[str, Any]:
    (name, first), *others = analyses.items()
    return {
        "signature": first.evaluation.signature,
        "documents": first.evaluation.size,
        "problems": {
            each: [problem.to_dict() for problem in analysis.evaluation.problems] for each, analysis in analyses.items()
        },
        "systems": {
            each: {"scores": analysis.evaluation.scores_dict(), "counts": _kind_counts(analysis)}
            for each, analysis in analyses.items()
        },
        "changes": [
            {"from": name, "to": other,
             "errors": [{"status": change.status, **dict(zip(("kind", "document", "line", "mentions"),
                                                             located(change.error), strict=True))}
                        for change in changes(first, analysis)]}
            for other, analysis in others
        ],
    }  # fmt: skip
