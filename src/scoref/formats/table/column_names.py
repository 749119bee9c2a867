"""The usual names of the columns of a table, and what is between them."""

from __future__ import annotations

USUAL = {
    "mention": ("mention", "mention_id", "record", "record_id", "rec_id", "id", "row_id", "node"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "group", "group_id", "component", "unique_id"),
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
}


def separator(header: str, usual: str = "\t") -> str:
    r"""What is between the cells of a table, by its first line: the usual mark, if it is there, else another.

    Every table has two columns: a first line without a mark is that of no table, or has another mark.

    >>> separator("mention\tentity"), separator("mention,entity"), separator("mention;entity"), separator("a;b,c")
    ('\t', ',', ';', ',')
    """
    return next((mark for mark in (usual, "\t", ",", ";") if mark in header), usual)


def usual(names: list[str], role: str) -> str | None:
    """The column that is usually called like that, if there is one."""
    plain = {name.lower().lstrip("#").strip(): name for name in reversed(names)}
    return next((plain[name] for name in USUAL[role] if name in plain), None)
