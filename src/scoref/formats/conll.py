"""CoNLL-2011 and CoNLL-2012 files: one token a line, coreference brackets in the last column.

Lines and last cells are found by array operations on the bytes of the file; Python looks only at document headers and
at cells that hold brackets. Words and other columns stay in the bytes until somebody asks for them.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from mmap import mmap

import numpy as np

from ..exceptions import Problem, Problems
from ..mentions import Mentions
from ..model import Document, Origin
from ._conll_lines import BRACKETS, Annotated, Column, Columns, Lines, Rows, find_annotated, find_lines
from ._conll_writing import write
from ._marks import find_style
from .source import SKIP, Format, Source

_CELL = re.compile(rf"[-_*]|{BRACKETS.pattern}")
_LAST = re.compile(rb"^[^#\s].*[ \t](?:[-_*]|(?=\S*[()])[0-9()|]+)[ \t]*$", re.MULTILINE)  # a last column
_NEGATIVE = re.compile(r"(?<![^(|)])-[0-9]+(?![^)|(])")
_EXPECTED = 'the last column to be "-" or brackets like "(12", "12)", "(12)", joined by "|"'
_BEGIN = b"#begin document"
_HEADER = re.compile(r"#\s*begin document\s*(.*)")
_END = re.compile(r"#\s*end document")


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CoNLL file."""
    lines = find_lines(source.data)
    _add_tokens(lines)
    annotated = find_annotated(lines)
    names: dict[str, int] = {}
    name, begin = None, -1

    def problem(code: str, message: str, line: int, text: str | None = None, expected: str | None = None) -> None:
        problems.add(Problem(code, message, source.name, line + 1, None, text, expected, SKIP))

    for line in [*lines.hash.tolist(), len(lines.start)]:
        text = lines.text(line) if line < len(lines.start) else ""
        header, end = _HEADER.match(text), _END.match(text)
        if text and not header and not end:
            if not lines.token[line]:
                problem("comment-line", "a comment line", line, text, "#begin document, #end document or a token")
            continue
        if name is None:
            strays = begin + 1 + np.flatnonzero(lines.token[begin + 1 : line])
            if len(strays):
                problem("outside-document", "tokens outside of any document", int(strays[0]),
                        lines.text(int(strays[0])), '"#begin document NAME" before them')  # fmt: skip
            if end:
                problem("unopened-document", "a document ends that never began", line, text)
        else:
            if not end:
                expected = f'"#end document" before line {line + 1}'
                problem("missing-end", "a document without its end", begin, name, expected)
            if name in names:
                expected = f"another name than in line {names[name] + 1}"
                problem("repeated-document", f"document {name} for the second time", begin, name, expected)
            else:
                names[name] = begin
                yield _document(lines, annotated, source.name, name, begin, line, problems)
        name, begin = (header[1].strip() if header else None), line


def _add_tokens(lines: Lines) -> None:
    """Find the lines that begin with `#` and are tokens: as many cells as tokens near it, the last for coreference."""
    tokens = np.flatnonzero(lines.token)
    for line in lines.hash.tolist() if len(tokens) else ():
        text = lines.text(line)
        cells = text.encode().split()
        if _HEADER.match(text) or _END.match(text) or not _CELL.fullmatch(cells[-1].decode()):
            continue
        after = int(np.searchsorted(tokens, line))
        near = tokens[max(after - 1, 0) : after + 1].tolist()
        if any(len(cells) == len(lines.text(other).encode().split()) > 1 for other in near):
            lines.token[line] = True


def _document(
    lines: Lines, annotated: Annotated, path: str, name: str, begin: int, end: int, problems: Problems
) -> Document:
    tokens = begin + 1 + np.flatnonzero(lines.token[begin + 1 : end])
    if not len(tokens):
        return Document(name, origin=Origin(path, begin + 1))
    first, last = np.searchsorted(annotated.line, [begin, end]).tolist()
    cells = zip(annotated.start[first:last].tolist(), annotated.end[first:last].tolist(), strict=True)
    found = [lines.data[start:stop] for start, stop in cells]
    at = np.searchsorted(tokens, annotated.line[first:last])
    brackets = [annotated.brackets[cell] for cell in found]
    hashes = lines.hash[slice(*np.searchsorted(lines.hash, [begin + 1, end]))]
    comments = set((hashes[~lines.token[hashes]] - tokens[0]).tolist())
    place = slice(int(lines.start[tokens[0]]), int(lines.end[tokens[-1]]) + 1)
    rows = Rows(lines.data, place, len(tokens), comments)
    document = Document(
        name,
        Column(rows, "word"),
        (),
        tuple(np.flatnonzero(np.diff(tokens, prepend=tokens[0] - 2) > 1).tolist()),
        Columns(rows),
        origin=Origin(path, begin + 1, array("q", (tokens + 1).tobytes())),
    )
    return replace(document, mentions=_mentions(document, at.tolist(), found, brackets, end, problems))


def _mentions(
    document: Document,
    tokens: list[int],
    cells: list[bytes],
    brackets: list[tuple[tuple[bool, str, bool], ...]],
    end: int,
    problems: Problems,
) -> Mentions:
    """The mentions in the order in which they begin."""
    found: list[tuple[int, int] | None] = []
    entities: list[str] = []
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    ended: list[tuple[str, int]] = []  # in this cell, of entities that it opens as well

    def problem(code: str, message: str, token: int, text: str, expected: str) -> None:
        place = document.origin.lines[token]
        problems.add(Problem(code, message, document.source, place, document.id, text, expected, SKIP))

    for token, cell, parts in zip(tokens, cells, brackets, strict=True):
        for opens, entity, closes in parts:
            if opens:
                if not closes:
                    opened[entity].append((token, len(found)))
                found.append((token, token) if closes else None)
                entities.append(entity)
            elif not closes:
                if not opened[entity]:
                    problem(*_not_understood(entity), token, entity or cell.decode(), _EXPECTED)
            elif opened[entity]:
                begin, place = opened[entity].pop()
                found[place] = begin, token
                if len(parts) > 1 and begin != token and (True, entity, False) in parts:
                    ended.append((entity, place))
            else:
                problem("unopened-mention", "a mention is closed that was never opened", token, f"{entity})",
                        f'"({entity}" before it in the document')  # fmt: skip
        while ended:
            entity, place = ended.pop()
            if opened[entity] and opened[entity][-1][0] == token:
                found[place] = None
                problem("crossing-mentions", "two mentions of one entity cross", token, cell.decode(),
                        f"mentions of entity {entity} to be apart, or one inside the other")  # fmt: skip
    for entity, begun in opened.items():
        for token, _ in begun:
            problem("unclosed-mention", "mention never closed", token, f"({entity}",
                    f'"{entity})" before the document ends at line {end + 1}')  # fmt: skip
    if None in found:
        entities = [entity for entity, ends in zip(entities, found, strict=True) if ends]
    return Mentions.of([ends for ends in found if ends], entities)


def _not_understood(part: str) -> tuple[str, str]:
    """The code and the message for a part of a cell."""
    if _NEGATIVE.search(part):
        return "negative-id", "an entity with a negative number, as in files whose entities are not known"
    return "bracket-syntax", "not coreference brackets"


def sniff(data: bytes) -> bool:
    """Whether there is a line `#begin document`, and no running text with marks behind it."""
    if b"begin document" not in data or not re.search(rb"^[ \t]*#\s*begin document", data, re.MULTILINE):
        return False
    return _LAST.search(data) is not None or not find_style(data.decode(errors="replace"))


def starts(data: bytes | mmap) -> list[int]:
    """Where documents begin."""
    found = [0] if data[: len(_BEGIN)] == _BEGIN else []
    place = data.find(b"\n" + _BEGIN)
    while place >= 0:
        found.append(place + 1)
        place = data.find(b"\n" + _BEGIN, place + 1)
    return found


FORMAT = Format("conll", "CoNLL-2011 and CoNLL-2012", ".conll", "conll-2012", sniff, read, write, starts=starts)
