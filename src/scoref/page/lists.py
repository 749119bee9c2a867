"""Tables of the whole corpus: all errors, all tangles, the mentions of entities that several documents share."""

from __future__ import annotations

from typing import Any

from ..errors.mistakes import CoreferenceError
from .findings import Findings, Json


def error_table(found: Findings) -> Json:
    """All errors of a system by columns; an error is its document and its number there."""
    rows = [(number, error) for number, errors in enumerate(found.errors) for error in range(len(errors))]
    mistakes = [found.mistakes[number][error] for number, error in rows]
    blank = [0] * len(rows)
    columns: dict[str, list[Any]] = {
        "document": [number for number, _ in rows],
        "error": [error for _, error in rows],
        "kind": [found.kinds.index(mistake.kind) for mistake in mistakes],
        "words": [mistake.mentions[0].text for mistake in mistakes],
        "should": [mistake.should if isinstance(mistake, CoreferenceError) else "" for mistake in mistakes],
        "tangle": [-1] * len(rows),
        "form": blank,
        "position": blank,
        "distance": blank,
        "size": blank,
    }
    fields = {name: [""] for name in ("form", "position", "distance", "size")}
    return {"columns": columns, "fields": fields, "tangles": []}
