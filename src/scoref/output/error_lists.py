"""Every error on a line of its own."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors.analysis import Analysis, Mistake
from ..errors.mistakes import CoreferenceError, Place
from ..errors.nuggets import NuggetRow
from ..formats import SIDES
from ..layout.grid import Cell, Grid


def error_lists(analysis: Analysis) -> list[Grid]:
    """For each document a line for every error, in words."""
    rows: dict[str, list[tuple[Cell, ...]]] = {}
    for error in analysis.coreference_mistakes() if analysis.of_coreference else ():
        rows.setdefault(error.document, []).append((_where(error.mentions[0]), error.kind, _in_words(error)))
    for kind, document, (place,) in analysis.other_errors:
        rows.setdefault(document, []).append((_where(place), kind, place.label))
    return [Grid(f"document {name}", ("place", "error", "mentions"), each, prose=True) for name, each in rows.items()]


def _where(place: Place) -> str:
    return place.side if place.line is None else f"{place.side}:{place.line}"


def _in_words(error: CoreferenceError) -> str:
    mentions = ", ".join(place.label for place in error.mentions)
    anchor = f"{error.anchor.label} ({_where(error.anchor)})" if error.anchor else ""
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


def operation_list(analysis: Analysis, layer: str = "") -> Grid:
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
        inner = operation_list(analysis.deixis, "deixis: ").rows
        rows += [(before + number, *row) for number, *row in inner if isinstance(number, int)]
    return Grid("", (*header, "to line", "to entity", "to mention"), rows)


def nugget_lists(rows: Iterable[NuggetRow]) -> list[Grid]:
    """Key and response side by side, document by document: line, id, span, words, type and realis of each mention."""
    each: dict[str, list[tuple[Cell, ...]]] = {}
    for row in rows:
        cells = row.status, row.dice or None, _placed(row.key), _placed(row.response)
        each.setdefault(row.document, []).append(cells)
    header = ("status", "dice", "key", "response")
    return [Grid(f"document {name}", header, cells, prose=True) for name, cells in each.items()]


def _placed(place: Place | None) -> str:
    if place is None:
        return ""
    before = f"{place.line}: " if place.line is not None else ""
    return f"{before}{place.mention.id} {place.document.span_of(place.mention)} '{_words(place)}' {_labels(place)}"


def _words(place: Place | None) -> str:
    return dict(place.mention.attributes).get("text", "") if place else ""


def _labels(place: Place | None) -> str:
    attributes = dict(place.mention.attributes) if place else {}
    return " ".join(attributes[name] for name in ("type", "realis") if name in attributes)


def nugget_list(rows: Iterable[NuggetRow]) -> Grid:
    """Key and response side by side, all documents in one table, with columns for line, id and span."""
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        places = (row.key, row.response)
        sides = [cell for place in places for cell in (_words(place), _labels(place))]
        where: list[Cell] = []
        for place in places:
            where += [place.line, str(place.mention.id), place.document.span_of(place.mention)] if place else [None] * 3
        cells.append((row.document, row.status, row.dice or None, *sides, *where))
    header = ("document", "status", "dice", "key", "type, realis", "response", "type, realis")
    return Grid("", (*header, *(f"{side} {name}" for side in SIDES for name in ("line", "id", "span"))), cells)


def located(error: Mistake) -> tuple[Cell, ...]:
    """The kind of an error, its document, line and mentions."""
    texts = dict.fromkeys(place.text for place in error.mentions)
    return error.kind, error.document, error.mentions[0].line, "; ".join(texts)
