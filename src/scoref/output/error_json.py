"""Errors for JSON: their mentions and repairs, nuggets, tangles, changes between responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..errors.analysis import Analysis, Mistake
from ..errors.listing import ErrorRow, Listing, Wanted, changes
from ..errors.mistakes import CoreferenceError, Entity, MentionPlace
from ..errors.other_layers import NuggetRow, OtherError
from ..errors.outcomes import nugget_confusion
from ..errors.tangles import Tangle
from ..layout.grid import Grid, Number
from ..layout.render import Json


def errors_dict(analysis: Analysis, wanted: Wanted | None = None, further: Iterable[Grid] = ()) -> Json:
    """The errors of a response, those that are `wanted`, with all breakdowns; `further` are breakdowns to add."""
    evaluation, metric, listing = analysis.evaluation, analysis.metric, Listing(analysis)
    errors: list[Mistake] = [*(analysis.errors if analysis.of_coreference else ()), *analysis.other_errors]
    rows = list(listing.rows(wanted)) if wanted else [listing.row(error) for error in errors]
    return {
        "signature": evaluation.signature,
        "documents": evaluation.size,
        "problems": [problem.to_dict() for problem in evaluation.problems],
        "counts": analysis.counts() if analysis.of_coreference else analysis.mistake_counts(),
        "costs": [{**cost._asdict(), "reason": cost.reason(metric)} for cost in analysis.costs() if metric],
        "documents_counts": analysis.by_document(),
        "settings": {name: Analysis(each).counts() for name, each in evaluation.settings.items()},
        "errors": [_error_dict(row.mistake, row) for row in rows if isinstance(row.mistake, CoreferenceError)],
        "other_errors": [_other_dict(row.mistake, row) for row in rows if isinstance(row.mistake, OtherError)],
        "views": {grid.title: _records(grid) for grid in (*analysis.views(), *further)},
        "tangles": [_tangle_dict(each, analysis.names) for each in analysis.tangles] if analysis.of_coreference else [],
        "deixis": errors_dict(analysis.deixis) if analysis.deixis else None,
        "nuggets": _nuggets_dict(analysis.nuggets) if analysis.nuggets else None,
    }


def _records(grid: Grid) -> list[Json]:
    """The rows of a table, each by the names of the columns; numbers in full precision."""
    rows = [[cell.value if isinstance(cell, Number) else cell for cell in row] for row in grid.rows]
    return [dict(zip(grid.header, row, strict=True)) for row in rows]


def _nuggets_dict(rows: Sequence[NuggetRow]) -> Json:
    names = ("document", "status", "dice", "key", "response")
    each = [(*row[:3], _nugget(row.key), _nugget(row.response)) for row in rows]
    return {
        "counts": Counter(row.kind for row in rows),
        "mentions": [dict(zip(names, values, strict=True)) for values in each],
        "confusion": {field: _nested(nugget_confusion(rows, field)) for field in ("type", "realis")},
    }


def _error_dict(error: CoreferenceError, row: ErrorRow) -> Json:
    return {
        "kind": error.kind,
        "document": error.document,
        "mentions": [*map(_place, error.mentions)],
        "anchor": _place(error.anchor),
        "given": _entity_dict(error.given) if error.given else None,
        "wanted": _entity_dict(error.wanted) if error.wanted else None,
        "operations": [
            {"operation": name, "mentions": [*map(_place, mentions)], "to": _place(to)}
            for name, mentions, to in error.operations
        ],
        **_row_dict(row),
    }


def _row_dict(row: ErrorRow) -> Json:
    return {
        "says": row.mistake.says,
        "should": row.mistake.should,
        "context": [row.before, row.after],
        "form": row.form,
        "distance": row.distance,
        "tangle": row.tangle,
        "tangle_cost": row.cost,
    }


def _other_dict(error: OtherError, row: ErrorRow) -> Json:
    return {
        "kind": error.kind,
        "document": error.document,
        "mention": _place(row.place),
        **_row_dict(row),
        "given": [*map(_place, error.given)],
        "wanted": [*map(_place, error.wanted)],
    }


def _place(place: MentionPlace | None) -> Json | None:
    if place is None:
        return None
    own = _own(place) if place.document.origin.mentions else {}
    return {"side": place.side, "line": place.line, "text": place.text, "entity": str(place.entity), **own}


def _own(place: MentionPlace) -> Json:
    """What only event nuggets have: an id, and the span as the file writes it."""
    return {"id": str(place.mention.id), "span": place.document.span_of(place.mention)}


def _nugget(place: MentionPlace | None) -> Json | None:
    return None if place is None else {**_own(place), "line": place.line, **dict(place.mention.attributes)}


def _nested(counts: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Counts of pairs, as a dictionary by the first word of dictionaries by the second."""
    by_first: dict[str, dict[str, int]] = {}
    for (ours, theirs), number in sorted(counts.items()):
        by_first.setdefault(ours, {})[theirs] = number
    return by_first


def _tangle_dict(tangle: Tangle, names: Sequence[str]) -> Json:
    """A tangle for JSON; a ribbon is [index of the key entity, index of the response entity, shared mentions]."""
    ours, theirs = zip(tangle.keys, tangle.missing, strict=True), zip(tangle.responses, tangle.extra, strict=True)
    return {
        "document": tangle.document,
        "documents": [names[number] for number in tangle.documents],
        "cost": tangle.cost,
        "key": [_entity_dict(entity) | {"missing": number} for entity, number in ours],
        "response": [_entity_dict(entity) | {"extra": number} for entity, number in theirs],
        "ribbons": [list(each) for each in tangle.ribbons],
    }


def _entity_dict(entity: Entity) -> Json:
    """An entity for JSON: its name in the file, its label, the words that name it, its size."""
    return {"entity": str(entity.place.entity), "label": entity.label, "text": entity.place.text, "size": entity.size}


def changes_dict(analyses: Mapping[str, Analysis]) -> Json:
    """What each further response fixes and breaks of the first one's errors."""
    (name, first), *others = analyses.items()
    evaluations = {each: analysis.evaluation for each, analysis in analyses.items()}
    columns = ("status", "kind", "document", "line", "mentions")
    found = [(other, [change.located for change in changes(first, analysis)]) for other, analysis in others]
    return {
        "signature": first.evaluation.signature,
        "documents": first.evaluation.size,
        "problems": {each: [problem.to_dict() for problem in of.problems] for each, of in evaluations.items()},
        "systems": {
            each: {"scores": analysis.evaluation.scores_dict(), "counts": analysis.mistake_counts()}
            for each, analysis in analyses.items()
        },
        "changes": [
            {"from": name, "to": other, "errors": [dict(zip(columns, row, strict=True)) for row in rows]}
            for other, rows in found
        ],
    }
