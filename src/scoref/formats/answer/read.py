"""Answers of language models, as they came: each is a document that has a raw reply, and no words yet.

A file is one reply, or JSON with a field that is the reply in each line; documents of running text may stand between
lines that name them, or, in the style crac, one in a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...document.document import Document, Origin
from ...document.reply import Reply
from ...problems import Problems, Reporter
from ..marked.marks import documents, find_style
from ..source import SKIP, Source
from .replies import Record, parsed, record_of, unwrapped


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file."""
    report = Reporter(problems, source.name, remedy=SKIP)
    text = source.data.decode()
    rows = [*_rows(text, source.marks, report)]
    replies = [[reply for each in (row.text, *row.further) for reply in unwrapped(each)] for row, _ in rows]
    numbered = sum(map(len, replies)) > 1 and all(row.name is None for row, _ in rows)
    for number, ((row, line), said) in enumerate(zip(rows, replies, strict=True), 1):
        name = str(number) if numbered else row.name or ""
        for each in said:
            origin = Origin(source.name, line, numbered=numbered, reply=Reply(each, source.marks, source.ends))
            yield Document(name, origin=origin)


def _rows(text: str, marks: str | None, report: Reporter) -> Iterator[tuple[Record, int]]:
    """The replies with their names, and the lines on which they begin."""
    records = _records(text)
    if records:
        for value, line in records:
            record = record_of(value)
            if record is not None:
                yield record, line
            else:
                expected = 'a field with the reply: {"id": "tale", "output": "..."}'
                report("no-reply", "a line without a reply", line, json.dumps(value)[:200], expected)
        return
    style = marks or next(iter(find_style(text)), None)
    for part in documents(text, style):
        yield Record(part.text, part.name), part.line


def _records(text: str) -> list[tuple[Any, int]]:
    """The records of a file whose first line, or whose array, has a reply; each with its line."""
    start = text.lstrip()[:1]
    if start == "[":
        value = parsed(text)
        several = isinstance(value, list) and len(value) > 1 and record_of(value) is None
        return [(each, 1) for each in value] if several and all(map(record_of, value)) else []
    if start != "{" or parsed(text) is not None:
        return []
    lines = [(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    return [(parsed(line), number) for line, number in lines] if record_of(parsed(lines[0][0])) else []
