"""Tables of mentions and entities, a row for each mention, as documents: CSV and TSV, of a size that fits in memory.

Commands that score take tables to `scoref.tables`, which has no limit of size and knows more kinds of files. This
reader is for those that need documents: convert, validate, report, agreement.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, Origin
from .source import SKIP, Format, Source

USUAL = {
    "mention": ("mention", "mention_id", "record", "record_id", "rec_id", "id", "row_id", "node"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "group", "group_id", "component", "unique_id"),
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
}


def usual(names: list[str], role: str) -> str | None:
    """The column that is usually called like that, if there is one."""
    plain = {name.lower().lstrip("#").strip(): name for name in reversed(names)}
    return next((plain[name] for name in USUAL[role] if name in plain), None)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a table; one, if it has no column of documents."""
    text = source.data.decode()
    first = text.split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text), delimiter="\t" if "\t" in first else ",")
    header = next(rows)
    places = {role: header.index(name) for role in USUAL if (name := usual(header, role)) is not None}
    for role in ("mention", "entity"):
        if role not in places:
            raise Error("unknown-column", f"no column that is plainly the {role}", path=source.name, line=1,
                        text=first, expected=f"a column called {', '.join(USUAL[role][:4])}",
                        remedy="rename the column")  # fmt: skip
    found: dict[str, list[Mention]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        cells = {role: row[place] for role, place in places.items() if place < len(row)}
        if len(row) != len(header) or not all(cells.values()):
            if row:
                problems.add(Problem("bad-row", "a row that lacks something", source.name, rows.line_num,
                                     text=",".join(row), expected=f"the columns {', '.join(header)}",
                                     remedy=SKIP))  # fmt: skip
            continue
        name = cells.get("document", "")
        lines.setdefault(name, rows.line_num)
        found.setdefault(name, []).append(Mention((), cells["entity"], cells["mention"]))
    for name, mentions in found.items():
        yield Document(name, mentions=tuple(mentions), origin=Origin(source.name, lines[name]))


FORMAT = Format(
    "table", "a row for each mention: CSV, TSV, Parquet, Arrow", ".csv", "conll-2012", lambda data: False, read
)
