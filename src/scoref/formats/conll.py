"""CoNLL-2011 and CoNLL-2012 files: one token a line, coreference brackets in the last column.

Lines and last cells are found by array operations on the bytes of the file; Python looks only at document headers and
at cells that hold brackets. Words and other columns stay in the bytes until somebody asks for them.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..exceptions import Error, Problem, Problems
from ..model import Document, Integers, Mention, stretch, word_of
from . import SKIP, Format, Source

_WORD = 3
_COLUMNS = {"pos": 4, "parse": 5, "lemma": 6, "frameset": 7, "sense": 8, "speaker": 9, "ne": 10}
_FULL = 12  # cells of a line that has all of these columns and the coreference column
_NOTHING = np.isin(np.arange(256), np.frombuffer(b"-_*", np.uint8))
_BLOCK = 1 << 19
_BLANK = 32  # blanks, tabs and all control characters
_BLANKS = bytes(range(_BLANK + 1))
_STEPS = 64  # how far array operations walk along lines; the few longer stretches are left to Python

_ID = r"[^()|+*\s\x00-\x20]++"  # possessive: trying shorter names would take exponential time
_BRACKET = re.compile(rf"(\()?({_ID})(\))?")
_BRACKETS = re.compile(rf"(?:\({_ID}\)?|{_ID}\))(?:\|?(?:\({_ID}\)?|{_ID}\)))*")
_CELL = re.compile(rf"[-_*]|{_BRACKETS.pattern}")
_WRITABLE = re.compile(r"[^\x00-\x20]+")
_HEADER = re.compile(r"#\s*begin document\s*(.*)")
_END = re.compile(r"#\s*end document")


# -- lines and columns -----------------------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """The lines of a file: where each begins and ends without blanks (empty if `end < start`), what it is."""

    data: bytes
    start: Integers
    end: Integers
    token: NDArray[np.bool_]
    hash: Integers

    def text(self, line: int) -> str:
        return self.data[self.start[line] : self.end[line] + 1].decode()


def _lines(data: bytes) -> _Lines:
    data += b"\n" * (not data.endswith(b"\n"))
    codes = np.frombuffer(data, np.uint8)
    blocks = range(0, len(codes), _BLOCK)  # small enough for their memory to be used again and again
    breaks = np.concatenate([block + np.flatnonzero(codes[block : block + _BLOCK] == ord("\n")) for block in blocks])
    start, end = np.concatenate((np.zeros(1, np.int64), breaks[:-1] + 1)), breaks - 1
    _trim(codes, start, end, end, -1)
    _trim(codes, start, end, start, 1)
    written = start <= end
    hashes = np.flatnonzero(written & (codes[np.minimum(start, breaks)] == ord("#")))
    written[hashes] = False
    return _Lines(data, start, end, written, hashes)


def _trim(codes: NDArray[np.uint8], start: Integers, end: Integers, moved: Integers, step: int) -> None:
    """Move one end of the lines over blanks; lines that were all blank are left with `end < start`."""
    lines = np.flatnonzero((start <= end) & (codes[moved] <= _BLANK))
    for _ in range(_STEPS):
        if not len(lines):
            return
        moved[lines] += step
        lines = lines[start[lines] <= end[lines]]
        lines = lines[codes[moved[lines]] <= _BLANK]
    for line in lines.tolist():
        text = codes[start[line] : end[line] + 1].tobytes()
        moved[line] += step * (len(text) - len(text.lstrip(_BLANKS) if step > 0 else text.rstrip(_BLANKS)))


def _last_cells(codes: NDArray[np.uint8], start: Integers, end: Integers) -> Integers:
    """Where the last cell of each of these lines begins."""
    begin = end.copy()
    moving = np.arange(len(begin))
    for _ in range(_STEPS):
        moving = moving[(begin[moving] > start[moving]) & (codes[begin[moving] - 1] > _BLANK)]
        if not len(moving):
            return begin
        begin[moving] -= 1
    for line in moving.tolist():
        blanks = np.flatnonzero(codes[start[line] : begin[line]] <= _BLANK)
        begin[line] = start[line] + (blanks[-1] + 1 if len(blanks) else 0)
    return begin


class _Rows:
    """The token lines of a document, `-` for their coreference brackets; cut into cells when first asked for."""

    def __init__(self, body: bytes, size: int) -> None:
        self.body, self.size = body, size

    @cached_property
    def lines(self) -> list[bytes]:
        return [line for line in self.body.split(b"\n") if line.strip(_BLANKS)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        widths = [len(line.split()) for line in self.lines]
        if min(widths, default=0) < _FULL:
            return ()
        return (*_COLUMNS, *["arguments"] * (max(widths) > _FULL))

    def cell(self, name: str, line: bytes) -> str:
        cells = line.split()
        if name == "word":  # of short lines the cell before the last
            return cells[_WORD if len(cells) >= _WORD + 2 else -2].decode() if len(cells) > 1 else "_"
        if name == "arguments":
            return b" ".join(cells[_FULL - 1 : -1]).decode()
        return cells[_COLUMNS[name]].decode()


class _Column(Sequence[str]):
    """One column of a document."""

    def __init__(self, rows: _Rows, name: str) -> None:
        self._rows, self._name = rows, name

    def __len__(self) -> int:
        return self._rows.size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._rows.cell(self._name, line) for line in self._rows.lines[index]]
        return self._rows.cell(self._name, self._rows.lines[index])

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Column) and (self._rows.body, self._name) == (other._rows.body, other._name):
            return True
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))


class _Columns(Mapping[str, Sequence[str]]):
    """The columns beside the word, of files that have them."""

    def __init__(self, rows: _Rows) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> _Column:
        if name not in self._rows.names:
            raise KeyError(name)
        return _Column(self._rows, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.names)

    def __len__(self) -> int:
        return len(self._rows.names)


# -- reading ---------------------------------------------------------------------------------------------------------


class _Brackets(dict[bytes, "tuple[tuple[bool, str, bool], ...] | None"]):
    """The brackets of a cell as (opens, entity, closes), from left to right; None if it cannot be understood."""

    def __missing__(self, cell: bytes) -> tuple[tuple[bool, str, bool], ...] | None:
        text = cell.decode()
        opens, closes = text[0] == "(", text[-1] == ")"
        entity = text[opens : len(text) - closes]
        found: tuple[tuple[bool, str, bool], ...] | None = ((opens, entity, closes),)
        if not (entity.isalnum() and (opens or closes)):  # not as simple as most cells are
            found = tuple([(bool(opens), entity, bool(closes)) for opens, entity, closes in _BRACKET.findall(text)])
            found = found if _BRACKETS.fullmatch(text) else None
        self[cell] = found
        return found


class _Annotated(NamedTuple):
    """The lines of a file that hold brackets: their numbers, where the cell with the brackets begins and ends."""

    line: Integers
    start: Integers
    end: Integers
    brackets: _Brackets


def _annotated(lines: _Lines) -> _Annotated:
    codes = np.frombuffer(lines.data, np.uint8)
    tokens = np.flatnonzero(lines.token)
    start, end = lines.start[tokens], lines.end[tokens]
    plain = _NOTHING[codes[end]] & ((start == end) | (codes[end - 1] <= _BLANK))
    start, end = start[~plain], end[~plain]
    return _Annotated(tokens[~plain], _last_cells(codes, start, end), end + 1, _Brackets())


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CoNLL file."""
    lines = _lines(source.data)
    _add_tokens(lines)
    annotated = _annotated(lines)
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


def _add_tokens(lines: _Lines) -> None:
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
    lines: _Lines, annotated: _Annotated, path: str, name: str, begin: int, end: int, problems: Problems
) -> Document:
    tokens = begin + 1 + np.flatnonzero(lines.token[begin + 1 : end])
    if not len(tokens):
        return Document(name, source=path, line=begin + 1)
    first, last = np.searchsorted(annotated.line, [begin, end]).tolist()
    data, starts, stops = lines.data, annotated.start[first:last].tolist(), annotated.end[first:last].tolist()
    found = [data[start:stop] for start, stop in zip(starts, stops, strict=True)]
    outer = zip([int(lines.start[tokens[0]]), *stops], [*starts, int(lines.end[tokens[-1]]) + 1], strict=True)
    body = [data[start:stop] for start, stop in outer]
    at = np.searchsorted(tokens, annotated.line[first:last])
    brackets = [annotated.brackets[cell] for cell in found]
    hashes = lines.hash[slice(*np.searchsorted(lines.hash, [begin + 1, end]))]
    comments = set((hashes[~lines.token[hashes]] - tokens[0]).tolist())
    rows = _Rows(_without(comments, b"-".join(body)), len(tokens))
    document = Document(
        name,
        _Column(rows, "word"),
        (),
        tuple(np.flatnonzero(np.diff(tokens, prepend=tokens[0] - 2) > 1).tolist()),
        _Columns(rows),
        source=path,
        line=begin + 1,
        lines=array("q", (tokens + 1).tobytes()),
    )
    return replace(document, mentions=tuple(_mentions(document, at.tolist(), found, brackets, end, problems)))


def _without(comments: set[int], body: bytes) -> bytes:
    if not comments:
        return body
    return b"\n".join([line for number, line in enumerate(body.split(b"\n")) if number not in comments])


@cache
def _places(bits: int) -> tuple[int, ...]:
    """The positions of as many words as a number of so many bits can count; spans are slices of it."""
    return stretch(0, (1 << bits) - 1)


def _mentions(
    document: Document,
    tokens: list[int],
    cells: list[bytes],
    brackets: list[tuple[tuple[bool, str, bool], ...] | None],
    end: int,
    problems: Problems,
) -> list[Mention]:
    """The mentions in the order in which they begin."""
    places = _places(len(document.words).bit_length())
    found: list[Any] = []
    opened: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    ended: list[tuple[str, int]] = []  # in this cell, of entities that it opens as well

    def problem(code: str, message: str, token: int, text: str, expected: str) -> None:
        place = document.lines[token]
        problems.add(Problem(code, message, document.source, place, document.id, text, expected, SKIP))

    for token, cell, parts in zip(tokens, cells, brackets, strict=True):
        if parts is None:
            problem("bracket-syntax", "not a coreference cell", token, cell.decode(),
                    'the last column to be "-" or brackets like "(12", "12)", "(12)", joined by "|"')  # fmt: skip
            continue
        for opens, entity, closes in parts:
            if opens and closes:
                found.append(Mention(places[token : token + 1], entity))
            elif opens:
                opened[entity].append((token, len(found)))
                found.append(None)
            elif opened[entity]:
                begin, place = opened[entity].pop()
                found[place] = Mention(places[begin : token + 1], entity)
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
    return [mention for mention in found if mention is not None]


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as the text of a CoNLL file: five columns, or twelve and more where the documents have them."""
    return "".join(line + "\n" for document in documents for line in _written(document))


def _written(document: Document) -> Iterator[str]:
    size = max([word_of(mention.span[-1]) + 1 for mention in document.mentions if mention.span], default=0)
    words = list(document.words) or ["_"] * size
    header = re.fullmatch(r"\((.*)\); part (\d+)", document.id)
    name, part = (header[1], header[2].lstrip("0") or "0") if header else (document.id, "0")
    name = re.sub(r"[\s#]", "_", name) or "_"
    if document.id != document.id.strip() or min(document.id, default=" ") < " ":
        message = "a document name with line breaks, or with blanks around it, cannot be written as CoNLL"
        remedy = "rename the document, or choose another format"
        raise Error("unwritable-name", message, path=document.source, text=document.id, remedy=remedy)
    columns = [document.columns.get(column) for column in _COLUMNS] if document.columns else []
    arguments = document.columns.get("arguments")
    cells = _cells(document, len(words))
    starts = set(document.sentences or (0,))
    yield f"#begin document {document.id}"
    number = 0
    for index, word in enumerate(words):
        if index in starts:
            number = 0
            if index:
                yield ""
        row = [name, part, str(number), word, *(column[index] if column else "-" for column in columns)]
        row += arguments[index].split(" ") if arguments and arguments[index] else []
        if not all(map(_WRITABLE.fullmatch, row)):
            raise Error("unwritable-word", "an empty word, or one with a blank, cannot be written as CoNLL", text=word,
                        path=document.source, document=document.id, remedy="choose another format")  # fmt: skip
        yield "\t".join([*row, cells[index]])
        number += 1
    yield from ("", "#end document") if words else ("#end document",)


def _cells(document: Document, size: int) -> list[str]:
    opening: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    single: list[list[str]] = [[] for _ in range(size)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    before: dict[str, list[int]] = {}
    names: dict[str, Hashable] = {}

    def refuse(code: str, message: str, mention: Mention) -> Error:
        return Error(code, message, path=document.source, line=document.line_of(mention), document=document.id,
                     text=document.text_of(mention), remedy="choose another format")  # fmt: skip

    for mention in sorted(document.mentions, key=lambda mention: (mention.span[:1], -len(mention.span))):
        entity = str(mention.entity)
        start, end = (word_of(place) for place in (mention.span[0], mention.span[-1])) if mention.span else (0, -1)
        if not mention.span or mention.span != stretch(start, end) or end >= size:
            raise refuse(
                "unwritable-mention", "a mention that is not a stretch of words cannot be written as CoNLL", mention
            )
        same = names.setdefault(entity, mention.entity) == mention.entity  # not the number 1 and the text "1"
        if mention.entity is None or not same or not re.fullmatch(_ID, entity):
            raise refuse("unwritable-entity", f"the entity name '{entity}' cannot be written as CoNLL", mention)
        if start == end:
            single[start].append(entity)
            continue
        ends = before.setdefault(entity, [])
        while ends and ends[-1] < start:
            ends.pop()
        if ends and end > ends[-1]:
            raise refuse("crossing-mentions", "two crossing mentions of one entity cannot be written as CoNLL", mention)
        ends.append(end)
        opening[start].append((-end, entity))
        closing[end].append((-start, entity))
    return [
        "|".join([*(f"({entity}" for _, entity in sorted(opens)), *(f"({entity})" for entity in ones),
                  *(f"{entity})" for _, entity in sorted(closes))]) or "-"
        for opens, ones, closes in zip(opening, single, closing, strict=True)
    ]  # fmt: skip


def sniff(data: bytes) -> bool:
    """Whether there is a line `#begin document`."""
    return b"begin document" in data and re.search(rb"^[ \t]*#\s*begin document", data, re.MULTILINE) is not None


FORMAT = Format("conll", "CoNLL-2011 and CoNLL-2012", ".conll", "conll-2012", sniff, read, write)
