"""Errors as commands print them: those of one response, or what each further response fixes and breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ..document.grouping import DOCUMENT_FIELDS
from ..errors.analysis import Analysis
from ..errors.listing import ErrorRow, Listing, Wanted, changes
from ..errors.mistakes import CoreferenceError, MentionPlace
from ..errors.other_layers import NuggetRow
from ..errors.outcomes import VIEWS
from ..errors.slicing.slices import Slices
from ..formats import SIDES
from ..layout.grid import Cell, Grid
from ..layout.render import json_text, written
from ..problems import Error
from ..results.evaluation import Evaluation
from ..tables.mistakes import Mistakes
from ..texts.projection import drift_sentences
from .error_json import changes_dict, errors_dict


def render_errors(
    analyses: Mapping[str, Analysis],
    output: str = "text",
    every: bool = False,
    by: str | None = None,
    width: int | None = None,
    wanted: Wanted | None = None,
) -> str:
    """The errors of a response, or, given several, what each further one fixes and breaks of the first.

    With `every`, all errors are listed; with `wanted`, those that it describes.
    """
    first = next(iter(analyses.values()))
    if len(analyses) > 1:
        if by:
            raise Error("one-response", f"--by {by} is for one response", remedy="name one response")
        if output == "json":
            return json_text(changes_dict(analyses))
        return written(_change_grids(analyses, every or output == "csv"), error_notes(analyses), output, width)
    broken_down = _errors_by(first, by) if by else []
    if output == "json":
        return json_text(errors_dict(first, wanted, broken_down))
    rows = list(Listing(first).rows(wanted)) if wanted or every or output == "csv" else []
    nuggets = [row.mistake for row in rows if isinstance(row.mistake, NuggetRow)] if wanted else first.nuggets
    if output == "csv":  # one table
        whole = _nuggets_table(nuggets) if first.nuggets else _operations_table(rows)
        return written(broken_down[-1:] or [whole], [], output)
    listed = [*_nuggets_by_document(nuggets), *_errors_by_document(rows)] if every or wanted else []
    return written([*first.grids(), *broken_down, *listed], [*first.meaning(), *error_notes(analyses)], output, width)


def render_slices(
    found: Mapping[str, Slices], evaluation: Evaluation, output: str = "text", width: int | None = None
) -> str:
    """The slices of a response, or those by which each further one, by its name, differs from the first."""
    if output == "json":
        each = {name: one.to_dict() for name, one in found.items()}
        slices = each if all(one.systems for one in found.values()) else next(iter(each.values()))
        return json_text({"scoref": evaluation.version, "signature": evaluation.signature, "slices": slices})
    if output == "csv":
        return written([one.whole_grid() for one in found.values()], [], output)
    grids = [grid for one in found.values() for grid in one.grids()]
    notes = dict.fromkeys(note for one in found.values() for note in one.notes())
    return written(grids, [*notes, *evaluation.notes()], output, width)


def render_mistakes(mistakes: Mistakes, output: str = "text") -> str:
    """What went wrong between two tables; CSV has the costliest splits and merges alone."""
    if output == "json":
        return json_text(mistakes.to_dict())
    grids = mistakes.grids()
    return written(grids[1:] if output == "csv" else grids, mistakes.notes(), output)


def error_notes(analyses: Mapping[str, Analysis]) -> list[str]:
    """The notes below errors: those below the score of the first response, and the problems of all others."""
    (_, first), *others = analyses.items()
    *lines, signature = first.evaluation.about()
    for name, analysis in others:
        evaluation = analysis.evaluation
        notes = (*drift_sentences(evaluation.drift, evaluation.protocol.preparing.lost), *evaluation.problem_notes())
        lines += [f"{name}: {note}" for note in notes]
    return [*lines, signature]


def _errors_by(analysis: Analysis, by: str) -> list[Grid]:
    """A breakdown: errors by document, entity or tangle; for any other field, how mentions fared by its values."""
    if by in DOCUMENT_FIELDS:
        rows: list[tuple[Cell, ...]] = [(name, *counts.values()) for name, counts in analysis.by_document(by).items()]
        return [Grid(f"errors by {by}", (by, *analysis.kinds), rows)]
    if by == "entity":
        return [analysis.entities()]
    if by == "tangle":
        analysis.require_coreference("tangles are groups of entities")
        return analysis.tangles.grids()
    if by not in VIEWS and analysis.nuggets:
        return [analysis.matrix(by)]
    known = by not in VIEWS and any(response for _, response in analysis.confusion(by))
    return [analysis.by(by), *([analysis.matrix(by)] if known else [])]


# -- tables of errors and nuggets ----------------------------------------------------------------------------------


def _errors_by_document(rows: Iterable[ErrorRow]) -> list[Grid]:
    """For each document a line for every error: where it is, its words in their context, what is wrong and right."""
    lines = [
        (row.mistake.document, (_where(row.place), row.mistake.kind, _in_context(row), row.mistake.sentence))
        for row in rows
        if not isinstance(row.mistake, NuggetRow)
    ]
    return _by_document(("place", "error", "in context", "what is wrong; what is right"), lines)


def _by_document(header: tuple[str, ...], lines: Iterable[tuple[str, tuple[Cell, ...]]]) -> list[Grid]:
    """A table for each document: `lines` are names of documents, each with the cells of a row."""
    rows: dict[str, list[tuple[Cell, ...]]] = {}
    for document, cells in lines:
        rows.setdefault(document, []).append(cells)
    return [Grid(f"document {name}", header, some, prose=True) for name, some in rows.items()]


def _where(place: MentionPlace) -> str:
    return place.side if place.line is None else f"{place.side}:{place.line}"


def _in_context(row: ErrorRow) -> str:
    """The words of a mention in brackets, with a few words on either side; a zero with the word that governs it."""
    words = f"{row.place.text} of {row.verb}" if row.verb else row.place.text
    return " ".join(filter(None, (row.before, f"[{words}]", row.after)))


def _operations_table(rows: Iterable[ErrorRow]) -> Grid:
    """A line for every mention of every step of the repairs, and one for every error that has none."""
    lines: list[tuple[Cell, ...]] = []
    for number, row in enumerate(rows, 1):
        mistake, place = row.mistake, row.place
        start: tuple[Cell, ...] = (number, mistake.kind, mistake.document)
        known: tuple[Cell, ...] = (row.before, row.after, row.form, row.distance, row.cost, mistake.sentence)
        if not isinstance(mistake, CoreferenceError):
            lines.append((*start, "", place.side, place.line, str(place.entity), place.text, None, "", "", *known))
            continue
        for name, places, goal in mistake.operations:
            to: tuple[Cell, ...] = (goal.line, str(goal.entity), goal.text) if goal else (None, "", "")
            lines += [(*start, name, each.side, each.line, str(each.entity), each.text, *to, *known) for each in places]
    header = ("number", "error", "document", "operation", "side", "line", "entity", "mention")
    more = ("before", "after", "form", "distance", "tangle cost", "sentence")
    return Grid("", (*header, "to line", "to entity", "to mention", *more), lines)


def _nuggets_by_document(rows: Iterable[NuggetRow]) -> list[Grid]:
    """Key and response side by side, document by document: line, id, span, words, type and realis of each mention."""
    lines = [(row.document, (row.kind, row.dice or None, _placed(row.key), _placed(row.response))) for row in rows]
    return _by_document(("status", "dice", "key", "response"), lines)


def _placed(place: MentionPlace | None) -> str:
    if place is None:
        return ""
    before = f"{place.line}: " if place.line is not None else ""
    words, labels = _words(place)
    return f"{before}{place.mention.id} {place.document.span_of(place.mention)} '{words}' {labels}"


def _words(place: MentionPlace | None) -> tuple[str, str]:
    """The words of a nugget, and its type and realis."""
    attributes = dict(place.mention.attributes) if place else {}
    labels = " ".join(attributes[name] for name in ("type", "realis") if name in attributes)
    return attributes.get("text", ""), labels


def _nuggets_table(rows: Iterable[NuggetRow]) -> Grid:
    """Key and response side by side, all documents in one table, with columns for line, id and span."""
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        where: list[Cell] = []
        for place in (row.key, row.response):
            where += [place.line, str(place.mention.id), place.document.span_of(place.mention)] if place else [None] * 3
        cells.append((row.document, row.kind, row.dice or None, *_words(row.key), *_words(row.response), *where))
    header = ("document", "status", "dice", "key", "type, realis", "response", "type, realis")
    return Grid("", (*header, *(f"{side} {name}" for side in SIDES for name in ("line", "id", "span"))), cells)


# -- what further responses fix and break ----------------------------------------------------------------------------


def _change_grids(analyses: Mapping[str, Analysis], every: bool) -> list[Grid]:
    """How many errors of each kind each further response fixes and breaks; with `every`, a list of them."""
    (name, first), *others = analyses.items()
    grids = []
    for other, analysis in others:
        changed = changes(first, analysis)
        if every:
            header = ("change", "error", "document", "line", "mentions")
            title = f"{name} → {other}" * (len(others) > 1)
            grids.append(Grid(title, header, [change.located for change in changed], prose=True))
            continue
        counts = Counter((change.status, change.error.kind) for change in changed)
        ours, theirs = first.mistake_counts(), analysis.mistake_counts()
        rows: list[tuple[Cell, ...]] = [
            (kind, ours.get(kind, 0), theirs.get(kind, 0), counts["fixed", kind], counts["broken", kind])
            for kind in ours | theirs
        ]
        grids.append(Grid("", ("error", name, other, "fixed", "broken"), rows))
    return grids
