"""The lines of a file of event nuggets: documents, each with its mentions and relations as cells.

A source says by which rules it is read. `strict`: every document has a beginning, an end and a name of its own.
`evmeval-1.8`: as that scorer reads. A document without an end goes into the next one, or is lost if it is the last; of
a repeated document the last copy counts. Either way what is wrong is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from ...problems import Problems, Reporter
from ..columnar import Misread
from ..source import SKIP, Source
from .write import BEGIN, END

COLUMNS = 7


@dataclass
class NuggetLines:
    """A document while it is read: its lines, split into cells, with their numbers."""

    name: str
    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    relations: list[tuple[int, str, str, tuple[str, ...]]] = field(default_factory=list)


def warning(report: Reporter) -> Callable[..., None]:
    """What reports problems that have a defined meaning, and do not stop the work."""
    return partial(report.__call__, remedy="fix the file", fatal=False)


def texts(source: Source, problems: Problems) -> list[NuggetLines]:
    """The documents of the file, each as its lines."""
    documents = _Strict(source, problems) if source.files == "strict" else _Lenient(source, problems)
    lines = [line.strip(" \t\r\v\f") for line in source.data.decode().split("\n")]
    for number, line in enumerate(lines, 1):
        if line.startswith(BEGIN):
            documents.begin(line, number)
        elif line.startswith(END):
            documents.end(line, number)
        elif line and line[0] != "#":
            documents.row(line, number)
    return documents.texts(len(lines) + 1)


class _Strict:
    """Documents that begin and end once."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.report = Reporter(problems, source.name, remedy=SKIP)
        self.text: NuggetLines | None = None
        self.found: list[NuggetLines] = []
        self.lines: dict[str, int] = {}

    def begin(self, line: str, number: int) -> None:
        self._close(number)
        self.text = NuggetLines(line[len(BEGIN) :].strip(), number)
        if not self.text.name:
            self.report.of("")("unnamed-document", "a document without a name", number, line, f"{BEGIN} NAME")

    def _close(self, number: int) -> None:
        if self.text is not None:
            name, expected = self.text.name, f'"{END}" before line {number}'
            self.report.of(name)("missing-end", "a document without its end", self.text.line, name, expected)
            self._add(self.text)

    def _add(self, text: NuggetLines) -> None:
        if text.name in self.lines:
            message = f"document {text.name} for the second time"
            expected = f"another name than in line {self.lines[text.name]}"
            self.report.of(text.name)("repeated-document", message, text.line, text.name, expected)
            return
        self.lines[text.name] = text.line
        self.found.append(text)

    def end(self, line: str, number: int) -> None:
        if self.text is None:
            message, expected = "a document ends that never began", f"{BEGIN} NAME before it"
            self.report("unopened-document", message, number, line, expected)
        else:
            self._add(self.text)
            self.text = None

    def row(self, line: str, number: int) -> None:
        if self.text is None:
            message, expected = "a line outside of any document", f"{BEGIN} NAME before it"
            self.report("outside-document", message, number, line, expected)
        else:
            _add_row(self.text, line, number, self.report)

    def texts(self, number: int) -> list[NuggetLines]:
        self._close(number)
        return self.found


class _Lenient:
    """Documents as EvmEval 1.8 takes them: a beginning names, an end files all lines since the last end."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.report = Reporter(problems, source.name, remedy=SKIP)
        self.text = NuggetLines("", 1)
        self.found: dict[str, NuggetLines] = {}

    def begin(self, line: str, number: int) -> None:
        self._open(f'"{END}" before line {number}: here its lines are part of the next document')
        self.text = NuggetLines(line[len(BEGIN) :].strip(), number, self.text.rows, self.text.relations)

    def _open(self, expected: str) -> None:
        if self.text.rows or self.text.relations:
            name, warn = self.text.name, warning(self.report.of(self.text.name))
            warn("missing-end", "a document without its end", self.text.line, name, expected)

    def end(self, line: str, number: int) -> None:
        name = self.text.name
        if name in self.found:
            message, warn = f"document {name} for the second time", warning(self.report.of(name))
            expected = f"another name than in line {self.found[name].line}: here the last counts"
            warn("repeated-document", message, self.text.line, name, expected)
        self.found[name] = self.text
        self.text = NuggetLines(name, number)

    def row(self, line: str, number: int) -> None:
        _add_row(self.text, line, number, self.report)

    def texts(self, number: int) -> list[NuggetLines]:
        self._open(f'"{END}" before line {number}: here its lines are lost')
        return [*self.found.values()]


def _add_row(text: NuggetLines, line: str, number: int, report: Reporter) -> None:
    cells = line.split("\t")
    if line[0] != "@" and len(cells) >= COLUMNS and cells[2] and "," not in cells[2]:
        text.rows.append((number, cells))
        return
    try:
        if line[0] != "@":
            raise _misread(line, cells)
        text.relations.append((number, *_relation(line[1:].strip())))
    except Misread as misread:
        misread.report_to(report.of(text.name), number)


def _misread(line: str, cells: list[str]) -> Misread:
    if len(cells) < COLUMNS:
        return Misread("column-count", f"{len(cells)} columns", line, f"at least {COLUMNS} columns, separated by tabs")
    return Misread("bad-mention-id", "an id that no relation could name", cells[2], "an id without commas")


def _relation(line: str) -> tuple[str, str, tuple[str, ...]]:
    cells = line.split("\t")
    if len(cells) != 3:
        raise Misread("bad-relation", f"a relation of {len(cells)} columns", line, "name, id and ids of mentions")
    ends = tuple(cells[2].split(","))
    if len(ends) < 2 and cells[0] != "Coreference":
        raise Misread("bad-relation", "a relation to nothing", line, "two ids of mentions, separated by a comma")
    if len(ends) > 2 and cells[0] in ("After", "Subevent"):
        raise Misread("bad-relation", f"a relation of {len(ends)} mentions", line, "two ids of mentions")
    return cells[0], cells[1], ends
