"""Tables with a row for each mention: reads CSV and TSV as documents, writes documents as CSV, TSV or Parquet.

Scoring commands pass tables to `scoref.tables`, which handles any size and more kinds of files. This reader is for
commands that need documents: convert, validate, report, agreement.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..document.document import Document, Mention, Origin, about, word_of
from ..document.spans import EMPTY, is_stretch
from ..problems import Error, Problems, Reporter
from .source import SKIP, Source

USUAL = {
    "mention": ("mention", "mention_id", "record", "record_id", "rec_id", "id", "row_id", "node"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "group", "group_id", "component", "unique_id"),
    "document": ("document", "document_id", "doc", "doc_id", "doc_key"),
}


def separator(header: str, usual: str = "\t") -> str:
    r"""The separator of a table, by its first line: the usual one if it occurs there, else another.

    Every table has at least two columns, so its first line has a separator.

    >>> separator("mention\tentity"), separator("mention,entity"), separator("mention;entity"), separator("a;b,c")
    ('\t', ',', ';', ',')
    """
    return next((mark for mark in (usual, "\t", ",", ";") if mark in header), usual)


def usual(names: list[str], role: str) -> str | None:
    """The column whose name is usual for that role; None if there is none."""
    plain = {name.lower().lstrip("#").strip(): name for name in reversed(names)}
    return next((plain[name] for name in USUAL[role] if name in plain), None)


def asked(columns: str | Mapping[str, str], option: str = "--columns") -> dict[str, str]:
    """The columns that the user names: `mention=record_id,entity=cluster,year`, or a mapping.

    >>> asked("mention=record_id,entity=cluster,year")
    {'mention': 'record_id', 'entity': 'cluster', 'year': 'year'}
    """
    if isinstance(columns, Mapping):
        return dict(columns)
    found: dict[str, str] = {}
    for part in columns.split(","):
        role, equals, name = (each.strip() for each in part.partition("="))
        if not role or role in found or (equals and not name):
            message, expected = f"not a column: '{part}'", "mention=NAME,entity=NAME, perhaps document=NAME, others"
            raise Error("bad-columns", message, text=columns, expected=expected, remedy=f"check {option}")
        found[role] = name or role
    return found


def refuse_twice(names: list[str], name: str, where: str | None) -> None:
    """Refuse a needed column whose name is repeated; case is ignored, as some engines ignore it."""
    alike = [place for place, other in enumerate(names, 1) if other.lower() == name.lower()]
    if len(alike) > 1:
        message = f"several columns are called '{name}': the {', '.join(map(str, alike))}. of {len(names)}"
        raise Error("repeated-column", message, path=where, line=1, text=name, expected="each column once",
                    remedy="rename all but one, or name another column with --columns")  # fmt: skip


def required(module: str, extra: str = "tables") -> Any:
    """An optional module; an Error says how to install it."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        message, remedy = f"this needs the package {module}, which is not installed", f"pip install 'scoref[{extra}]'"
        raise Error("missing-package", message, remedy=f"install it: {remedy}") from None


def _columns(documents: list[Document]) -> dict[str, list[str]]:
    """The columns: document (unless there is one that has no name), mention, entity."""
    rows: list[tuple[str, str, str]] = []
    for document in documents:
        _refuse_alike(document)
        for mention in document.mentions:
            _refuse_list(document, mention)
            row = document.id, name(mention), str(mention.entity)
            if not row[2] or not row[1] or (not row[0] and len(documents) > 1) or "\r" in "".join(row):
                message = "a document, mention or entity whose name is empty, or has a line break"
                line, expected = document.line_of(mention), "a name in each cell of a table"
                raise about(document).error("unwritable-name", message, line, expected=expected)
            rows.append(row)
    columns = {role: [row[place] for row in rows] for place, role in enumerate(("document", "mention", "entity"))}
    if not any(columns["document"]):
        del columns["document"]
    return columns


def _refuse_list(document: Document, mention: Mention) -> None:
    """Refuse a name that is a list: as a text it would be another name. Two places, [3, 5], are written as 3-5."""
    parts = mention.id if not mention.span and isinstance(mention.id, tuple) else ()
    places = len(parts) == 2 and all(type(part) is int and part >= 0 for part in parts)
    odd = mention.entity if isinstance(mention.entity, tuple) else parts if parts and not places else None
    if odd is not None:
        message, expected = "a name that is a list, which a table has no place for", "texts and numbers as names"
        remedy = "rename it, or choose the format clusters"
        report = about(document, remedy=remedy)
        raise report.error("unwritable-name", message, document.line_of(mention), str(list(odd)), expected)


def _refuse_alike(document: Document) -> None:
    """Refuse different mentions, or entities, that would be written with the same name."""
    mentions = {mention.span or mention.id: name(mention) for mention in document.mentions}
    entities = {entity: str(entity) for entity in document.entities()}
    for what, names in (("mentions", mentions), ("entities", entities)):
        alike = [text for text, number in Counter(names.values()).items() if number > 1]
        if alike:
            message, expected = f"two {what} whose names are written alike", "names that a table can tell apart"
            raise about(document).error("unwritable-name", message, None, alike[0], expected)


def name(mention: Mention) -> str:
    """What a mention is called in a table: its id, or its words, counted from 0, which say where it is.

    >>> name(Mention.at(3, 5, "e1")), name(Mention((3 << 8, 5 << 8 | 1), "e1")), name(Mention((), "e1", "record 7"))
    ('3-5', '3-3,5.1', 'record 7')
    """
    if not mention.span:
        return "-".join(map(str, mention.id)) if isinstance(mention.id, tuple) else str(mention.id)  # two places
    if is_stretch(mention.span):
        return f"{word_of(mention.span[0])}-{word_of(mention.span[-1])}"
    nodes = [(word_of(place), place & EMPTY) for place in mention.span]
    return ",".join(f"{word}.{empty}" if empty else f"{word}-{word}" for word, empty in nodes)


def _text(documents: list[Document], delimiter: str) -> str:
    columns = _columns(documents)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    quoting = csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):  # quoted, so that a row is not taken for a header of another format
        (quoting if row[0].startswith("#") else writer).writerow(row)
    return text.getvalue()


def write(documents: list[Document]) -> str:
    """As CSV."""
    return _text(documents, ",")


def _parquet(documents: list[Document]) -> bytes:
    arrow = required("pyarrow")
    table = arrow.table({name: arrow.array(values, arrow.string()) for name, values in _columns(documents).items()})
    data = io.BytesIO()
    required("pyarrow.parquet").write_table(table, data)
    return data.getvalue()


WAYS = {".tsv": lambda documents: _text(documents, "\t"), ".parquet": _parquet, ".pq": _parquet}


def fit(documents: list[Document]) -> tuple[list[Document], list[str]]:
    """The documents, and notes on what rows of mentions lose or repeat."""
    rows = [[(each.span, None if each.span else each.id) for each in document.mentions] for document in documents]
    twice = sum(len(places) - len({*places}) for places in rows)
    note = f"{twice} mentions are in several rows: read them with --duplicates first or last"
    return documents, [note] * bool(twice)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a table; one, if it has no column of documents."""
    report = Reporter(problems, source.name, remedy=SKIP)
    text = source.data.decode()
    first = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text), delimiter=separator(first))
    header = next(rows)
    places = {role: header.index(name) for role in USUAL if (name := usual(header, role)) is not None}
    for role in ("mention", "entity"):
        if role not in places:
            message, expected = f"no column that is plainly the {role}", f"a column called {', '.join(USUAL[role][:4])}"
            raise report.error("unknown-column", message, 1, first, expected, remedy="rename the column")
    for place in places.values():
        refuse_twice(header, header[place], source.name)
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
