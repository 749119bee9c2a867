"""Tables as documents, for everything that shows single entities and mentions: pages, agreement, errors, explain."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from ..document.document import Document, Mention, Origin
from ..formats import MOST, Hows
from ..problems import Error, Problems
from . import rows
from .engines.engine import TableInput
from .inputs import ROLES, Input, are_tables, chosen, given, refuse_mixed
from .opening import check_types, in_common, mixed, refuse_lone
from .unpacking import refuse_large

Some = TypeVar("Some")


def as_documents(sides: Sequence[Some], reading: Hows, scope: str = "document") -> list[Some | list[Document]]:
    """All sides, the key first: tables as documents, anything else unchanged; a mix of both is an error.

    As in scoring tables, mentions are told apart by document only if all sides have a column of documents. With scope
    `corpus`, a document that one side lacks is added there as an empty one.
    """
    if not are_tables(sides, reading):
        return list(sides)
    refuse_mixed(sides, reading)
    tables = _sides([given(side, "response" if number else "key") for number, side in enumerate(sides)], reading)
    for table in tables:
        refuse_large(table.given, MOST)
    read = [[*rows.parts(table.given, [*table.columns.roles.values()], Problems())] for table in tables]
    types = [_types(table, parts) for table, parts in zip(tables, read, strict=True)]
    check_types(types, tables)
    documents = [_documents(table, parts, tables, mixed(types)) for table, parts in zip(tables, read, strict=True)]
    every = dict.fromkeys(document.id for side in documents for document in side) if scope == "corpus" else {}
    for side, table in zip(documents, tables, strict=True):
        there = {document.id for document in side}
        side += [Document(name, origin=Origin(table.given.name)) for name in every if name not in there]
    return [*documents]


def _sides(inputs: Sequence[Input], reading: Hows) -> list[TableInput]:
    """The inputs with their columns."""
    for each in inputs:
        if each.kind == "pyspark":
            raise Error("not-on-tables", "a frame of Spark has no documents to show", path=each.name,
                        remedy="collect it first: frame.toPandas()")  # fmt: skip
    found = []
    for each, how in zip(inputs, reading.of_sides(len(inputs)), strict=True):
        wanted = {role: name for role, name in how.columns if role in ROLES}
        found.append(chosen(rows.names(each), wanted, each.name, how.option("columns")))
    return [*map(TableInput, inputs, in_common(found))]


def _types(table: TableInput, parts: Sequence[rows.SomeRows]) -> dict[str, str]:
    """The types of the columns; an error if a value is missing."""
    for part in parts:
        for role, name in table.columns.roles.items():
            places = np.flatnonzero(rows.is_missing(part.columns[name]))
            if len(places):
                line = int(part.lines[places[0]])
                raise Error("missing-value", f"a row without the {role}", path=part.path, line=line, text=name,
                            expected="a value in each row", remedy="fix the table")  # fmt: skip
    if table.given.is_text or not parts:  # or there are no rows
        return dict.fromkeys(table.columns.roles, rows.UNTYPED)
    return {role: rows.type_of(np.concatenate([part.columns[name] for part in parts]))
            for role, name in table.columns.roles.items()}  # fmt: skip


def _documents(
    table: TableInput, parts: Sequence[rows.SomeRows], tables: Sequence[TableInput], as_text: bool
) -> list[Document]:
    """The documents of a table: one, if there is no column of documents."""
    mentions: dict[str, dict[Hashable, Mention]] = {}
    origins: dict[str, Origin] = {}
    for part in parts:
        values = [part.columns[name].tolist() for name in table.columns.roles.values()]
        for line, (mention, entity, *document) in zip(part.lines.tolist(), zip(*values, strict=True), strict=True):
            name = str(document[0]) if document else ""
            called = str(mention) if as_text else mention
            origins.setdefault(name, Origin(part.path, line))
            if called in mentions.setdefault(name, {}):
                refuse_lone(tables)
                raise Error("duplicate-mention", "a mention that another row has too", path=part.path, line=line,
                            document=name or None, text=str(mention), remedy="remove such rows",
                            expected="each mention once: in a table it has one entity")  # fmt: skip
            mentions[name][called] = Mention((), entity, called)
    return [Document(name, mentions=tuple(each.values()), origin=origins[name]) for name, each in mentions.items()]
