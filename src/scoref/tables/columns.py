"""Which column of a table is what: said by name, or guessed from usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..formats.table import usual
from ..problems import Error

ROLES = ("mention", "entity", "document")
PARTS = "parts"  # a field that tables need not have: a part of the documents or entities, by a hash of their names


class ColumnNames(NamedTuple):
    """The columns of one table: of mentions, entities, documents (perhaps none), and further fields by their names.

    A `lone` column of documents does not count, as another table has none.
    """

    mention: str
    entity: str
    document: str | None
    fields: Mapping[str, str]
    guessed: tuple[str, ...] = ()
    lone: str | None = None

    @property
    def note(self) -> str:
        """Which column is what, in words, and which of it was guessed."""
        pairs = [("mention", self.mention), ("entity", self.entity), ("document", self.document)]
        said = [f"{role}={name}{' (guessed)' * (role in self.guessed)}" for role, name in pairs if name]
        said += [f"{self.lone} does not count: the other table has no documents"] if self.lone else []
        return ", ".join(said)


def asked(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The columns that the user names: `mention=record_id,entity=cluster,year`, or a mapping.

    >>> asked("mention=record_id,entity=cluster,year")
    {'mention': 'record_id', 'entity': 'cluster', 'year': 'year'}
    """
    if columns is None or isinstance(columns, Mapping):
        return dict(columns or {})
    found: dict[str, str] = {}
    for part in columns.split(","):
        role, equals, name = (each.strip() for each in part.partition("="))
        if not role or role in found or (equals and not name):
            raise Error("bad-columns", f"not a column: '{part}'", text=columns,
                        expected="mention=NAME,entity=NAME, perhaps document=NAME and further columns")  # fmt: skip
        found[role] = name or role
    return found


def chosen(names: Sequence[str], wanted: Mapping[str, str], where: str | None) -> ColumnNames:
    """The columns of a table that has these names."""
    found: dict[str, str] = {}
    for role in ROLES:
        name: str | None = wanted.get(role) or usual(list(names), role)
        if name is None and role == "document":
            continue
        if name not in names:
            raise Error(
                "unknown-column", f"no column '{name}'" if name else f"no column that is plainly the {role}",
                path=where, expected=f"one of {', '.join(names)}",
                remedy="name the columns: --columns mention=NAME,entity=NAME",
            )  # fmt: skip
        found[role] = str(name)
    fields = {field: name for field, name in wanted.items() if field not in ROLES}
    for field, name in fields.items():
        if name not in names and field != PARTS:
            raise Error("unknown-column", f"no column '{name}'", path=where, expected=f"one of {', '.join(names)}",
                        remedy="name a column of the table")  # fmt: skip
    if found["mention"] == found["entity"]:
        raise Error("bad-columns", f"mention and entity are one column, {found['entity']}", path=where,
                    expected="two columns", remedy="name them: --columns mention=NAME,entity=NAME")  # fmt: skip
    guessed = tuple(role for role in found if role not in wanted and found[role] != role)
    return ColumnNames(found["mention"], found["entity"], found.get("document"), fields, guessed)


def in_common(tables: Sequence[ColumnNames]) -> list[ColumnNames]:
    """The columns of tables that are scored together: documents count if all of them have some."""
    if all(table.document for table in tables):
        return list(tables)
    return [table._replace(document=None, lone=table.document) for table in tables]


def refuse_lone(tables: Sequence[tuple[str, ColumnNames]]) -> None:
    """Refuse repeated mentions if only one table has a column of documents, which may be what tells them apart."""
    having = next(((name, table.lone) for name, table in tables if table.lone), None)
    if having is None:
        return
    lacking = next(name for name, table in tables if not table.lone)
    raise Error(
        "lone-documents", f"a column of documents here, none in {lacking}; and without documents mentions are there"
        " several times", path=having[0], text=having[1], expected="a column of documents in all tables, or in none",
        remedy=f"add the column to {lacking}",
    )  # fmt: skip
