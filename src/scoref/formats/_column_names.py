"""The usual names of the columns of a table."""

from __future__ import annotations

USUAL = {
    "mention": ("mention", "mention_id", "record", "record_id", "rec_id", "id", "row_id", "node"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "group", "group_id", "component", "unique_id"),
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
}


def usual(names: list[str], role: str) -> str | None:
    """The column that is usually called like that, if there is one."""
    plain = {name.lower().lstrip("#").strip(): name for name in reversed(names)}
    return next((plain[name] for name in USUAL[role] if name in plain), None)
