"""CoNLL-2011 and CoNLL-2012 files: one token a line, coreference brackets in the last column.

Lines, cells and mentions are found by array operations on the bytes of the file; Python looks only at document headers
and at the brackets of documents in which something is unusual. Words and other columns are cut out of the bytes on
demand.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...document.document import Document, Integers, Origin
from ...document.mentions import Mentions
from ...problems import Problems, Reporter
from ...values import NamedTuple
from ..columnar import ZERO, Flags, Lines, cut
from ..source import SKIP, Source, is_new
from .brackets import BRACKETS, CellBrackets, Matched, match
from .lines import BracketCells, ConllColumns, WordCells, find_brackets, find_lines

if TYPE_CHECKING:
    from mmap import mmap

_CELL = rf"[-_*]|{BRACKETS}"
_NEGATIVE = r"(?<![^(|)])-[0-9]+(?![^)|(])"
_EXPECTED = 'the last column to be "-" or brackets like "(12", "12)", "(12)", joined by "|"'
_BEGIN = b"#begin document"
_NEAR = 1 << 20  # bytes before the expected place where the search for a document begins
_HEADER = re.compile(r"#\s*begin document\s*(.*)")
_END = re.compile(r"#\s*end document")


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CoNLL file."""
    report = Reporter(problems, source.name, remedy=SKIP)
    lines, token, hashes = find_lines(source.data)
    _add_tokens(lines, token, hashes)
    file = _found(lines, token, hashes)
    names: dict[str, int] = {}
    name, begin = None, -1
    for line in [*hashes.tolist(), len(lines.start)]:
        text = lines.text(line) if line < len(lines.start) else ""
        header, end = _HEADER.match(text), _END.match(text)
        if text and not header and not end:
            if not token[line]:
                report("comment-line", "a comment line", line + 1, text, "#begin document, #end document or a token")
            continue
        if name is None:
            strays = begin + 1 + np.flatnonzero(token[begin + 1 : line])
            if len(strays):
                stray, expected = int(strays[0]), '"#begin document NAME" before them'
                report("outside-document", "tokens outside of any document", stray + 1, lines.text(stray), expected)
            if end:
                report("unopened-document", "a document ends that never began", line + 1, text)
        else:
            if not end:
                expected = f'"#end document" before line {line + 1}'
                report("missing-end", "a document without its end", begin + 1, name, expected)
            if is_new(name, begin + 1, names, report):
                yield _document(file, begin, line, report.of(name))
        name, begin = (header[1].strip() if header else None), line


def _add_tokens(lines: Lines, token: Flags, hashes: Integers) -> None:
    """Mark lines as tokens that begin with `#` but have as many cells as a token nearby, the last for coreference."""
    tokens = np.flatnonzero(token)
    for line in hashes.tolist() if len(tokens) else ():
        text = lines.text(line)
        cells = text.encode().split()
        if _HEADER.match(text) or _END.match(text) or not re.fullmatch(_CELL, cells[-1].decode()):
            continue
        after = int(np.searchsorted(tokens, line))
        near = tokens[max(after - 1, 0) : after + 1].tolist()
        if any(len(cells) == len(lines.text(other).encode().split()) for other in near):
            token[line] = True


class _ConllFile(NamedTuple):
    """What was found in a file."""

    lines: Lines
    tokens: Integers  # the lines of tokens
    comments: Integers  # the lines of headers, ends and comments
    cells: BracketCells
    matched: Matched  # the mentions of each stretch between comments
    words: WordCells
    brackets: CellBrackets


def _found(lines: Lines, token: Flags, hashes: Integers) -> _ConllFile:
    tokens = np.flatnonzero(token)
    comments = hashes[~token[hashes]]
    cells = find_brackets(lines, tokens)
    stretch = np.searchsorted(comments, tokens[cells.token])
    before = np.concatenate((ZERO, np.searchsorted(tokens, comments)))
    matched = match(lines.codes, cells, cells.token - before[stretch], stretch, len(before))
    return _ConllFile(lines, tokens, comments, cells, matched, WordCells(lines, tokens), CellBrackets())


def _document(file: _ConllFile, begin: int, end: int, report: Reporter) -> Document:
    """The document between two lines."""
    lines, name, path = file.lines, report.document or "", report.path
    first, last = np.searchsorted(file.tokens, [begin, end]).tolist()
    tokens = file.tokens[first:last]
    if not len(tokens):
        return Document(name, origin=Origin(path, begin + 1))
    stretch, behind = np.searchsorted(file.comments, [begin + 1, end]).tolist()
    comments = set((file.comments[stretch:behind] - tokens[0]).tolist())
    place = slice(int(lines.start[tokens[0]]), int(lines.end[tokens[-1]]))
    columns = ConllColumns(lines.data, place, len(tokens), comments)
    origin = Origin(path, begin + 1, array("i", (tokens + 1).astype(np.intc).tobytes()))
    mentions = None if comments else file.matched.mentions(stretch)
    if mentions is None:
        mentions = _mentions(file, first, origin, end, report)
    sentences = np.flatnonzero(np.diff(tokens, prepend=tokens[0] - 2) > 1)
    return Document(name, columns.words(file.words, first), mentions, tuple(sentences.tolist()), columns, origin=origin)


def _mentions(file: _ConllFile, first: int, origin: Origin, end: int, report: Reporter) -> Mentions:
    """The mentions in the order in which they begin, bracket by bracket; `first` is the number of the first token."""
    annotated = file.cells
    here = slice(*np.searchsorted(annotated.token, [first, first + len(origin.lines)]).tolist())
    tokens = (annotated.token[here] - first).tolist()
    spans: list[tuple[int, int] | None] = []
    entities: list[str] = []
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    ended: list[tuple[str, int]] = []  # closed in this cell, which also opens the entity
    for token, cell in zip(tokens, cut(file.lines.data, annotated.start[here], annotated.end[here]), strict=True):
        brackets, line = file.brackets[cell], origin.lines[token]
        for opens, entity, closes in brackets:
            if opens:
                if not closes:
                    opened[entity].append((token, len(spans)))
                spans.append((token, token) if closes else None)
                entities.append(entity)
            elif not closes:
                if not opened[entity]:
                    report(*_not_understood(entity), line, entity or cell.decode(), _EXPECTED)
            elif opened[entity]:
                begin, place = opened[entity].pop()
                spans[place] = begin, token
                if len(brackets) > 1 and begin != token and (True, entity, False) in brackets:
                    ended.append((entity, place))
            else:
                expected = f'"({entity}" before it in the document'
                report("unopened-mention", "a mention is closed that was never opened", line, f"{entity})", expected)
        while ended:
            entity, place = ended.pop()
            if opened[entity] and opened[entity][-1][0] == token:
                spans[place] = None
                expected = f"mentions of entity {entity} to be apart, or one inside the other"
                report("crossing-mentions", "two mentions of one entity cross", line, cell.decode(), expected)
    for entity, begun in opened.items():
        expected = f'"{entity})" before the document ends at line {end + 1}'
        for token, _ in begun:
            report("unclosed-mention", "mention never closed", origin.lines[token], f"({entity}", expected)
    entities = [entity for entity, ends in zip(entities, spans, strict=True) if ends]
    return Mentions.of([ends for ends in spans if ends], entities)


def _not_understood(part: str) -> tuple[str, str]:
    """The code and the message for a part of a cell."""
    if re.search(_NEGATIVE, part):
        return "negative-id", "an entity with a negative number, as in files whose entities are not known"
    return "bracket-syntax", "not coreference brackets"


def borders(key: bytes | mmap, response: bytes | mmap, number: int) -> list[tuple[int, int]]:
    """Where to split both files, at the same documents, into similar parts; none if the first headers differ."""
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
