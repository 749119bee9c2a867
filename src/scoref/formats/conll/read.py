"""CoNLL-2011 and CoNLL-2012 files: one token a line, coreference brackets in the last column.

Lines, cells and mentions are found by array operations on the bytes of the file; Python looks only at document headers
and at the brackets of documents in which something is unusual. Words and other columns stay in the bytes until somebody
asks for them.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...document.document import Document, Integers, Origin
from ...document.mentions import Mentions
from ...problems import Problem, Problems
from ..source import SKIP, Source
from .brackets import BRACKETS, Brackets, Matched, match
from .lines import Annotated, Column, Columns, Lines, Rows, WordCells, find_annotated, find_lines

if TYPE_CHECKING:
    from mmap import mmap

_CELL = rf"[-_*]|{BRACKETS}"
_NEGATIVE = r"(?<![^(|)])-[0-9]+(?![^)|(])"
_EXPECTED = 'the last column to be "-" or brackets like "(12", "12)", "(12)", joined by "|"'
_BEGIN = b"#begin document"
_NEAR = 1 << 20  # bytes before a place at which a document is looked for first
_HEADER = re.compile(r"#\s*begin document\s*(.*)")
_END = re.compile(r"#\s*end document")


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CoNLL file."""
    lines = find_lines(source.data)
    _add_tokens(lines)
    file = _found(lines, source.name)
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
                yield _document(file, name, begin, line, problems)
        name, begin = (header[1].strip() if header else None), line


def _add_tokens(lines: Lines) -> None:
    """Find the lines that begin with `#` and are tokens: as many cells as tokens near it, the last for coreference."""
    tokens = np.flatnonzero(lines.token)
    for line in lines.hash.tolist() if len(tokens) else ():
        text = lines.text(line)
        cells = text.encode().split()
        if _HEADER.match(text) or _END.match(text) or not re.fullmatch(_CELL, cells[-1].decode()):
            continue
        after = int(np.searchsorted(tokens, line))
        near = tokens[max(after - 1, 0) : after + 1].tolist()
        if any(len(cells) == len(lines.text(other).encode().split()) > 1 for other in near):
            lines.token[line] = True


class _File(NamedTuple):
    """What was found in a file."""

    path: str
    lines: Lines
    tokens: Integers  # the lines of tokens
    comments: Integers  # the lines of headers, ends and comments
    annotated: Annotated
    matched: Matched  # the mentions between two of those lines
    words: WordCells
    brackets: Brackets


def _found(lines: Lines, path: str) -> _File:
    tokens = np.flatnonzero(lines.token)
    comments = lines.hash[~lines.token[lines.hash]]
    annotated = find_annotated(lines, tokens)
    stretch = np.searchsorted(comments, tokens[annotated.token])
    before = np.concatenate((np.zeros(1, np.int64), np.searchsorted(tokens, comments)))
    matched = match(lines.data, annotated, annotated.token - before[stretch], stretch, len(before))
    return _File(path, lines, tokens, comments, annotated, matched, WordCells(lines, tokens), Brackets())


def _document(file: _File, name: str, begin: int, end: int, problems: Problems) -> Document:
    lines = file.lines
    first, last = np.searchsorted(file.tokens, [begin, end]).tolist()
    tokens = file.tokens[first:last]
    if not len(tokens):
        return Document(name, origin=Origin(file.path, begin + 1))
    stretch, behind = np.searchsorted(file.comments, [begin + 1, end]).tolist()
    comments = set((file.comments[stretch:behind] - tokens[0]).tolist())
    place = slice(int(lines.start[tokens[0]]), int(lines.end[tokens[-1]]) + 1)
    rows = Rows(lines.data, place, len(tokens), comments, file.words, first)
    origin = Origin(file.path, begin + 1, array("q", (tokens + 1).tobytes()))
    mentions = None if comments else file.matched.mentions(stretch)
    if mentions is None:
        mentions = _mentions(file, first, origin, name, end, problems)
    sentences = np.flatnonzero(np.diff(tokens, prepend=tokens[0] - 2) > 1)
    return Document(name, Column(rows, "word"), mentions, tuple(sentences.tolist()), Columns(rows), origin=origin)


def _mentions(file: _File, first: int, origin: Origin, name: str, end: int, problems: Problems) -> Mentions:
    """The mentions in the order in which they begin, bracket by bracket; `first` is the number of the first token."""
    annotated = file.annotated
    here = slice(*np.searchsorted(annotated.token, [first, first + len(origin.lines)]).tolist())
    tokens = (annotated.token[here] - first).tolist()
    ends = zip(annotated.start[here].tolist(), annotated.end[here].tolist(), strict=True)
    cells = [file.lines.data[start:stop] for start, stop in ends]
    found: list[tuple[int, int] | None] = []
    entities: list[str] = []
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    ended: list[tuple[str, int]] = []  # in this cell, of entities that it opens as well

    def problem(code: str, message: str, token: int, text: str, expected: str) -> None:
        problems.add(Problem(code, message, file.path, origin.lines[token], name, text, expected, SKIP))

    for token, cell in zip(tokens, cells, strict=True):
        parts = file.brackets[cell]
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
    if re.search(_NEGATIVE, part):
        return "negative-id", "an entity with a negative number, as in files whose entities are not known"
    return "bracket-syntax", "not coreference brackets"


def borders(key: bytes | mmap, response: bytes | mmap, number: int) -> list[tuple[int, int]]:
    """Where the same document begins in both, near the ends of equal parts; none if the first ones differ."""
    found = [(0, 0)]
    if _header(key, 0) != _header(response, 0):
        return []
    for part in range(1, number):
        place = key.find(b"\n" + _BEGIN, max(found[-1][0], len(key) * part // number))
        header = _header(key, place + 1) if place >= 0 else b""
        if not header:
            break
        near = max(found[-1][1], len(response) * part // number - _NEAR)
        other = response.find(b"\n" + header, near)
        if other < 0 and (other := response.find(b"\n" + header, found[-1][1], near)) < 0:
            break
        found.append((place + 1, other + 1))
    return found[1:]


def _header(data: bytes | mmap, place: int) -> bytes:
    """The line that begins there, with its end."""
    return data[place : data.find(b"\n", place) + 1]
