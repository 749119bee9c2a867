"""Every error on a line of its own."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors.analysis import Mistake
from ..errors.listing import ErrorRow
from ..errors.mistakes import CoreferenceError, MentionPlace
from ..errors.nuggets import NuggetRow
from ..formats import SIDES
from ..layout.grid import Cell, Grid


def error_lists(rows: Iterable[ErrorRow]) -> list[Grid]:
    """For each document a line for every error: where it is, its words in their context, what is wrong and right."""
    each: dict[str, list[tuple[Cell, ...]]] = {}
    for row in rows:
        if not isinstance(row.mistake, NuggetRow):
            cells = _where(row.place), row.mistake.kind, _in_context(row), row.mistake.sentence
            each.setdefault(row.mistake.document, []).append(cells)
    header = ("place", "error", "in context", "what is wrong; what is right")
    return [Grid(f"document {name}", header, cells, prose=True) for name, cells in each.items()]


def _where(place: MentionPlace) -> str:
    return place.side if place.line is None else f"{place.side}:{place.line}"


def _in_context(row: ErrorRow) -> str:
    """The words of a mention in brackets, a few words either side; behind a zero the word that governs it."""
    words = f"{row.place.text} of {row.verb}" if row.verb else row.place.text
    return " ".join(filter(None, (row.before, f"[{words}]", row.after)))


def operation_list(rows: Iterable[ErrorRow]) -> Grid:
    """A line for every mention of every step of the repairs, and one for every error that has none."""
    found: list[tuple[Cell, ...]] = []
    for number, row in enumerate(rows, 1):
        mistake, place = row.mistake, row.place
        start: tuple[Cell, ...] = (number, mistake.kind, mistake.document)
        known: tuple[Cell, ...] = (row.before, row.after, row.form, row.distance, row.cost, mistake.sentence)
        if not isinstance(mistake, CoreferenceError):
            found.append((*start, "", place.side, place.line, str(place.entity), place.text, None, "", "", *known))
            continue
        for name, places, goal in mistake.operations:
            to: tuple[Cell, ...] = (goal.line, str(goal.entity), goal.text) if goal else (None, "", "")
            for each in places:
                found.append((*start, name, each.side, each.line, str(each.entity), each.text, *to, *known))
    header = ("number", "error", "document", "operation", "side", "line", "entity", "mention")
    more = ("before", "after", "form", "distance", "tangle cost", "sentence")
    return Grid("", (*header, "to line", "to entity", "to mention", *more), found)


def nugget_lists(rows: Iterable[NuggetRow]) -> list[Grid]:
    """Key and response side by side, document by document: line, id, span, words, type and realis of each mention."""
    each: dict[str, list[tuple[Cell, ...]]] = {}
    for row in rows:
        cells = row.status, row.dice or None, _placed(row.key), _placed(row.response)
        each.setdefault(row.document, []).append(cells)
    header = ("status", "dice", "key", "response")
    return [Grid(f"document {name}", header, cells, prose=True) for name, cells in each.items()]


def _placed(place: MentionPlace | None) -> str:
    if place is None:
        return ""
    before = f"{place.line}: " if place.line is not None else ""
    return f"{before}{place.mention.id} {place.document.span_of(place.mention)} '{_words(place)}' {_labels(place)}"


def _words(place: MentionPlace | None) -> str:
    return dict(place.mention.attributes).get("text", "") if place else ""


def _labels(place: MentionPlace | None) -> str:
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
