"""Tables of mentions and entities, a row for each mention, as documents: of a size that fits in memory.

Commands that score take tables to `scoref.tables`, which has no limit of size and knows more kinds of files. This
reader, of CSV and TSV, is for those that need documents: convert, validate, report, agreement.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ...document.document import Document, Mention, Origin
from ...problems import Problems, Reporter
from ..source import SKIP, Source
from .column_names import USUAL, separator, usual


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a table; one, if it has no column of documents."""
    report = Reporter(problems, source.name, remedy=SKIP)
    text = source.data.decode()
    first = text.split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text), delimiter=separator(first))
    header = next(rows)
    places = {role: header.index(name) for role in USUAL if (name := usual(header, role)) is not None}
    for role in ("mention", "entity"):
        if role not in places:
            message, expected = f"no column that is plainly the {role}", f"a column called {', '.join(USUAL[role][:4])}"
            raise report.error("unknown-column", message, 1, first, expected, remedy="rename the column")
    found: dict[str, list[Mention]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        cells = {role: row[place] for role, place in places.items() if place < len(row)}
        if len(row) != len(header) or not all(cells.values()):
            if row:
                expected = f"the columns {', '.join(header)}"
                report("bad-row", "a row that lacks something", rows.line_num, ",".join(row), expected)
            continue
        name = cells.get("document", "")
        lines.setdefault(name, rows.line_num)
        found.setdefault(name, []).append(Mention((), cells["entity"], cells["mention"]))
    for name, mentions in found.items():
        yield Document(name, mentions=tuple(mentions), origin=Origin(source.name, lines[name]))
