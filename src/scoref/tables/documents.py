"""Files that are tables as documents, for what shows documents: pages, and the agreement of annotators."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from ..exceptions import Error, Problems
from ..model import Document, Mention, Origin
from . import rows
from .columns import ROLES, Columns, asked, chosen
from .inputs import Input, given, is_table, refuse_mixed


def as_documents(
    sides: Sequence[Any], format: str | None, columns: str | Mapping[str, str] | None = None, scope: str = "document"
) -> list[Any]:
    """All sides as documents if they are paths of tables, as they are else; some of both are refused.

    As in scoring them, documents count if all sides have a column of them; and where the corpus is one, a document that
    a side lacks is none that is missing: it is empty there.
    """
    paths = all(isinstance(side, str | os.PathLike) for side in sides)
    if not paths or not any(is_table(side, format) for side in sides):
        return list(sides)
    refuse_mixed(sides, format)
    inputs = [given(side, str(side)) for side in sides]
    wanted = {role: name for role, name in asked(columns).items() if role in ROLES}
    found = [chosen(rows.names(each), wanted, each.name) for each in inputs]
    home = all(each.document for each in found)
    made = [_documents(each, names, home) for each, names in zip(inputs, found, strict=True)]
    every = dict.fromkeys(document.id for side in made for document in side) if scope == "corpus" else {}
    for side, each in zip(made, inputs, strict=True):
        there = {document.id for document in side}
        side += [Document(name, origin=Origin(each.name)) for name in every if name not in there]
    return made


def _documents(table: Input, columns: Columns, home: bool) -> list[Document]:
    """The documents of a table; one, without a column of documents."""
    names = {"mention": columns.mention, "entity": columns.entity}
    if home and columns.document:
        names["document"] = columns.document
    mentions: dict[str, dict[Hashable, Mention]] = {}
    origins: dict[str, Origin] = {}
    for part in rows.parts(table, [*names.values()], Problems()):
        _refuse_missing(part, names)
        values = [part.columns[name].tolist() for name in names.values()]
        for line, (mention, entity, *document) in zip(part.lines.tolist(), zip(*values, strict=True), strict=True):
            name = str(document[0]) if document else ""
            origins.setdefault(name, Origin(part.path, line))
            if mention in mentions.setdefault(name, {}):
                raise Error("duplicate-mention", "a mention that another row has too", path=part.path, line=line,
                            document=name or None, text=str(mention), remedy="remove such rows",
                            expected="each mention once: in a table it has one entity")  # fmt: skip
            mentions[name][mention] = Mention((), entity, mention)
    return [Document(name, mentions=tuple(each.values()), origin=origins[name]) for name, each in mentions.items()]


def _refuse_missing(part: rows.Part, names: Mapping[str, str]) -> None:
    for role, name in names.items():
        places = np.flatnonzero(rows.is_missing(part.columns[name]))
        if len(places):
            raise Error("missing-value", f"a row without the {role}", path=part.path, line=int(part.lines[places[0]]),
                        text=name, expected="a value in each row", remedy="fix the table")  # fmt: skip
