"""The lines of a file of event nuggets: documents, each with its mentions and relations as cells.

A source says by which rules it is read. `strict`: every document has a beginning, an end and a name of its own.
`evmeval-1.8`: as that scorer reads. A document without an end goes into the next one, or is lost if it is the last; of
a repeated document the last copy counts. Either way what is wrong is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from ...problems import Problem, Problems
from ..source import SKIP, Source
from .write import BEGIN, END

COLUMNS = 7

Report = Callable[..., None]


class Wrong(Exception):
    """Something that cannot be understood: code, message, text, what was expected."""


@dataclass
class Text:
    """A document while it is read: its lines, split into cells, with their numbers."""

    name: str
    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    relations: list[tuple[int, str, str, tuple[str, ...]]] = field(default_factory=list)


def report(
    path: str,
    problems: Problems,
    document: str | None,
    line: int,
    code: str,
    message: str,
    text: str | None = None,
    expected: str | None = None,
    fatal: bool = True,
) -> None:
    """Report a problem of a line."""
    remedy = SKIP if fatal else "fix the file"
    problems.add(Problem(code, message, path, line, document, text, expected, remedy, fatal))


def texts(source: Source, problems: Problems) -> list[Text]:
    """The documents of the file, each as its lines."""
    found = _Strict(source, problems) if source.files == "strict" else _Lenient(source, problems)
    lines = [line.strip(" \t\r\v\f") for line in source.data.decode().split("\n")]
    for number, line in enumerate(lines, 1):
        if line.startswith(BEGIN):
            found.begin(line, number)
        elif line.startswith(END):
            found.end(line, number)
        elif line and line[0] != "#":
            found.row(line, number)
    return found.texts(len(lines) + 1)


class _Strict:
    """Documents that begin and end once."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.report = partial(report, source.name, problems)
        self.text: Text | None = None
        self.found: list[Text] = []
        self.lines: dict[str, int] = {}

    def begin(self, line: str, number: int) -> None:
        self._close(number)
        self.text = Text(line[len(BEGIN) :].strip(), number)
        if not self.text.name:
            self.report("", number, "unnamed-document", "a document without a name", line, f"{BEGIN} NAME")

    def _close(self, number: int) -> None:
        if self.text is not None:
            name = self.text.name
            self.report(name, self.text.line, "missing-end", "a document without its end", name,
                        f'"{END}" before line {number}')  # fmt: skip
            self._add(self.text)

    def _add(self, text: Text) -> None:
        if text.name in self.lines:
            self.report(text.name, text.line, "repeated-document", f"document {text.name} for the second time",
                        text.name, f"another name than in line {self.lines[text.name]}")  # fmt: skip
            return
        self.lines[text.name] = text.line
        self.found.append(text)

    def end(self, line: str, number: int) -> None:
        if self.text is None:
            self.report(None, number, "unopened-document", "a document ends that never began", line,
                        f"{BEGIN} NAME before it")  # fmt: skip
        else:
            self._add(self.text)
            self.text = None

    def row(self, line: str, number: int) -> None:
        if self.text is None:
            self.report(None, number, "outside-document", "a line outside of any document", line,
                        f"{BEGIN} NAME before it")  # fmt: skip
        else:
            _add_row(self.text, line, number, self.report)

    def texts(self, number: int) -> list[Text]:
        self._close(number)
        return self.found


class _Lenient:
    """Documents as EvmEval 1.8 takes them: a beginning names, an end files all lines since the last end."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.report = partial(report, source.name, problems)
        self.text = Text("", 1)
        self.found: dict[str, Text] = {}

    def begin(self, line: str, number: int) -> None:
        self._open(f'"{END}" before line {number}: here its lines are part of the next document')
        self.text = Text(line[len(BEGIN) :].strip(), number, self.text.rows, self.text.relations)

    def _open(self, expected: str) -> None:
        if self.text.rows or self.text.relations:
            name = self.text.name
            self.report(name, self.text.line, "missing-end", "a document without its end", name, expected, False)

    def end(self, line: str, number: int) -> None:
        name = self.text.name
        if name in self.found:
            self.report(name, self.text.line, "repeated-document", f"document {name} for the second time", name,
                        f"another name than in line {self.found[name].line}: here the last counts", False)  # fmt: skip
        self.found[name] = self.text
        self.text = Text(name, number)

    def row(self, line: str, number: int) -> None:
        _add_row(self.text, line, number, self.report)

    def texts(self, number: int) -> list[Text]:
        self._open(f'"{END}" before line {number}: here its lines are lost')
        return [*self.found.values()]


def _add_row(text: Text, line: str, number: int, report: Callable[..., Any]) -> None:
    cells = line.split("\t")
    if line[0] != "@" and len(cells) >= COLUMNS and cells[2] and "," not in cells[2]:
        text.rows.append((number, cells))
        return
    try:
        if line[0] != "@":
            _refuse(line, cells)
        text.relations.append((number, *_relation(line[1:].strip())))
    except Wrong as wrong:
        report(text.name, number, *wrong.args)


def _refuse(line: str, cells: list[str]) -> NoReturn:
    if len(cells) < COLUMNS:
        raise Wrong("column-count", f"{len(cells)} columns", line, f"at least {COLUMNS} columns, separated by tabs")
    raise Wrong("bad-mention-id", "an id that no relation could name", cells[2], "an id without commas")


def _relation(line: str) -> tuple[str, str, tuple[str, ...]]:
    cells = line.split("\t")
    if len(cells) != 3:
        raise Wrong("bad-relation", f"a relation of {len(cells)} columns", line, "name, id and ids of mentions")
    ends = tuple(cells[2].split(","))
    if len(ends) < 2 and cells[0] != "Coreference":
        raise Wrong("bad-relation", "a relation to nothing", line, "two ids of mentions, separated by a comma")
    if len(ends) > 2 and cells[0] in ("After", "Subevent"):
        raise Wrong("bad-relation", f"a relation of {len(ends)} mentions", line, "two ids of mentions")
    return cells[0], cells[1], ends
