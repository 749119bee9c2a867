"""The lines of a file of event nuggets: documents, each with its mentions and relations as cells.

`Source.files` says by which rules a file is read. `strict`: every document has a beginning, an end and a unique name.
`evmeval-1.8`: as that scorer reads. A document without an end is joined to the next one, or lost if it is the last; of
a repeated document the last copy counts. Errors are reported in both cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from ...problems import Problems, Reporter
from ..source import SKIP, Misread, Source, is_new
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
    """A reporter for problems that are not fatal."""
    return partial(report.__call__, remedy="fix the file", fatal=False)


def texts(source: Source, problems: Problems) -> list[NuggetLines]:
    """The documents of the file, each as its lines."""
    report = Reporter(problems, source.name, remedy=SKIP)
    lines = [line.strip(" \t\r\v\f") for line in source.data.decode().split("\n")]
    return _strict(lines, report) if source.files == "strict" else _lenient(lines, report)


def _strict(lines: list[str], report: Reporter) -> list[NuggetLines]:
    """Documents that begin and end once."""
    found: list[NuggetLines] = []
    names: dict[str, int] = {}
    text: NuggetLines | None = None
    for number, line in enumerate([*lines, ""], 1):
        begins, ends, last = line.startswith(BEGIN), line.startswith(END), number > len(lines)
        if text is not None and (begins or ends or last):
            own, expected = report.of(text.name), f'"{END}" before line {number}'
            if not ends:
                own("missing-end", "a document without its end", text.line, text.name, expected)
            if is_new(text.name, text.line, names, own):
                found.append(text)
            text = None
        elif ends:
            report("unopened-document", "a document ends that never began", number, line, f"{BEGIN} NAME before it")
        if begins:
            text = NuggetLines(line[len(BEGIN) :].strip(), number)
            if not text.name:
                report.of("")("unnamed-document", "a document without a name", number, line, f"{BEGIN} NAME")
        elif line and line[0] != "#":
            if text is not None:
                _add_row(text, line, number, report)
            else:
                report("outside-document", "a line outside of any document", number, line, f"{BEGIN} NAME before it")
    return found


def _lenient(lines: list[str], report: Reporter) -> list[NuggetLines]:
    """Documents as EvmEval 1.8 reads them: an end line closes a document of all lines since the last end line."""
    found: dict[str, NuggetLines] = {}
    text = NuggetLines("", 1)
    for number, line in enumerate([*lines, ""], 1):
        begins, last = line.startswith(BEGIN), number > len(lines)
        if (begins or last) and (text.rows or text.relations):
            fate, warn = "lost" if last else "part of the next document", warning(report.of(text.name))
            expected = f'"{END}" before line {number}: here its lines are {fate}'
            warn("missing-end", "a document without its end", text.line, text.name, expected)
        if begins:
            text = NuggetLines(line[len(BEGIN) :].strip(), number, text.rows, text.relations)
        elif line.startswith(END):
            if text.name in found:
                expected = f"another name than in line {found[text.name].line}: here the last counts"
                message, warn = f"document {text.name} for the second time", warning(report.of(text.name))
                warn("repeated-document", message, text.line, text.name, expected)
            found[text.name] = text
            text = NuggetLines(text.name, number)
        elif line and line[0] != "#":
            _add_row(text, line, number, report)
    return [*found.values()]


def _add_row(text: NuggetLines, line: str, number: int, report: Reporter) -> None:
    try:
        if line[0] == "@":
            text.relations.append((number, *_relation(line[1:].strip())))
        else:
            text.rows.append((number, _mention(line)))
    except Misread as misread:
        misread.report_to(report.of(text.name), number)


def _mention(line: str) -> list[str]:
    cells = line.split("\t")
    if len(cells) < COLUMNS:
        raise Misread("column-count", f"{len(cells)} columns", line, f"at least {COLUMNS} columns, separated by tabs")
    if not cells[2] or "," in cells[2]:
        raise Misread("bad-mention-id", "an id that no relation could name", cells[2], "an id without commas")
    return cells


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
