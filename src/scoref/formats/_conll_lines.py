"""How the lines, cells and brackets of a CoNLL file are found: by operations on arrays of bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import Integers
from ..words import Words

_WORD = 3


COLUMNS = {"pos": 4, "parse": 5, "lemma": 6, "frameset": 7, "sense": 8, "speaker": 9, "ne": 10}


_FULL = 12  # cells of a line that has all of these columns and the coreference column


_NOTHING = np.isin(np.arange(256), np.frombuffer(b"-_*", np.uint8))


_BLOCK = 1 << 19


_BLANK = 32  # blanks, tabs and all control characters


_BLANKS = bytes(range(_BLANK + 1))


_STEPS = 64  # how far array operations walk along lines; the few longer stretches are left to Python


ID = r"(?!-[0-9]+(?![^()|]))[^()|+*\s\x00-\x20]++"  # possessive: trying shorter names would take exponential time


_BRACKET = re.compile(rf"(\()?({ID})(\))?")


_PART = re.compile(rf"(?:\({ID}\)?|{ID}\))+")  # brackets between two bars


BRACKETS = re.compile(rf"{_PART.pattern}(?:\|{_PART.pattern})*")


class Lines(NamedTuple):
    """The lines of a file: where each begins and ends without blanks (empty if `end < start`), what it is."""

    data: bytes
    start: Integers
    end: Integers
    token: NDArray[np.bool_]
    hash: Integers

    def text(self, line: int) -> str:
        return self.data[self.start[line] : self.end[line] + 1].decode()


def find_lines(data: bytes) -> Lines:
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
    return Lines(data, start, end, written, hashes)


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


class Rows:
    """The token lines of a document, a part of the file without its `comments`; cut into cells when somebody asks."""

    def __init__(self, data: bytes, place: slice, size: int, comments: Container[int] = ()) -> None:
        self._data, self._place, self.size, self._comments = data, place, size, comments

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (self.body, slice(None), self.size)  # not the whole file

    @property
    def body(self) -> bytes:
        body = self._data[self._place]
        if not self._comments:
            return body
        return b"\n".join([line for number, line in enumerate(body.split(b"\n")) if number not in self._comments])

    @cached_property
    def words(self) -> Words:
        """The words of all lines: found by array operations if the lines are as lines should be."""
        return _fourth_cells(self.body, self.size) or self._cut("word")

    def column(self, name: str) -> Words:
        """The cells of a column. Lines are not kept: they need many times the memory of the file."""
        if name == "word":
            return self.words
        if name not in self._columns:
            self._columns[name] = self._cut(name)
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, Words]:
        return {}

    def _cut(self, name: str) -> Words:
        if name in COLUMNS and len(self._widths) == 1:  # all lines are alike: faster than one by one
            (width,) = self._widths
            every = self.body.split()
            if len(every) == width * self.size and width >= _FULL:
                return Words(b"\n".join(every[COLUMNS[name] :: width]), self.size)
        return Words(b"\n".join([_cell(name, cells) for cells in self._lines()]), self.size)

    def _lines(self) -> Iterator[list[bytes]]:
        """The cells of each line."""
        return (line.split() for line in self.body.split(b"\n") if line.strip(_BLANKS))

    @cached_property
    def _widths(self) -> Counter[int]:
        """How many lines have how many cells."""
        found = Counter(map(len, map(bytes.split, self.body.split(b"\n"))))
        del found[0]
        return found if found.total() == self.size else Counter(map(len, self._lines()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        full = sum(lines for width, lines in self._widths.items() if width >= _FULL)
        if 2 * full <= self._widths.total():  # a line that is too short has - in them
            return ()
        return (*COLUMNS, *["arguments"] * (max(self._widths) > _FULL))


def _cell(name: str, cells: list[bytes]) -> bytes:
    """The cell of a line that belongs to a column; a line that is too short has - in most of them."""
    if name == "word":  # of short lines the cell before the last
        return cells[_WORD if len(cells) >= _WORD + 2 else -2] if len(cells) > 1 else b"_"
    if name == "arguments":
        return b" ".join(cells[_FULL - 1 : -1])
    return cells[COLUMNS[name]] if len(cells) >= _FULL else b"-"


def _fourth_cells(body: bytes, size: int) -> Words | None:
    """The fourth cell of each line, of short lines the cell before the last; None if there are other blanks."""
    codes = np.frombuffer(body, np.uint8)
    blank = codes <= _BLANK
    breaks = np.flatnonzero(codes == ord("\n"))
    if not size or np.count_nonzero(codes < _BLANK) != len(breaks) + body.count(b"\t") or blank[0] or blank[-1]:
        return None
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
    cells = np.concatenate(([0], edges, [len(codes)])).reshape(-1, 2)  # where each begins and ends
    first = np.searchsorted(cells[:, 0], breaks)
    first = np.concatenate(([0], first[np.diff(first, prepend=0) > 0]))
    widths = np.diff(first, append=len(cells))
    if len(first) != size or widths.min() < 2:
        return None
    start, end = cells[first + np.where(widths >= _WORD + 2, _WORD, widths - 2)].T
    behind = np.cumsum(end - start + 1)
    places = np.repeat(end + 1 - behind, end - start + 1) + np.arange(behind[-1])
    text = codes[places[:-1]]
    text[behind[:-1] - 1] = ord("\n")
    return Words(text.tobytes(), size)


class Column(Sequence[str]):
    """One column of a document."""

    def __init__(self, rows: Rows, name: str) -> None:
        self._rows, self._name = rows, name

    def __len__(self) -> int:
        return self._rows.size

    def __getitem__(self, index: Any) -> Any:
        return self._rows.column(self._name)[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.column(self._name))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Column) and self._name == other._name:
            ours, theirs = self._rows, other._rows
            if ours is theirs or ours.size != theirs.size:
                return ours is theirs
            return ours.column(self._name) == theirs.column(self._name)
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))


class Columns(Mapping[str, Sequence[str]]):
    """The columns beside the word, of files that have them."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __getitem__(self, name: str) -> Column:
        if name not in (*COLUMNS, "arguments") or name not in self._rows.names:
            raise KeyError(name)
        return Column(self._rows, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.names)

    def __len__(self) -> int:
        return len(self._rows.names)


class _Brackets(dict[bytes, "tuple[tuple[bool, str, bool], ...]"]):
    """The brackets of a cell as (opens, entity, closes), from left to right.

    What neither opens nor closes is a name inside of its mention, or a text that cannot be understood.
    """

    def __missing__(self, cell: bytes) -> tuple[tuple[bool, str, bool], ...]:
        text = cell.decode()
        opens, closes = text[0] == "(", text[-1] == ")"
        entity = text[opens : len(text) - closes]
        found: tuple[tuple[bool, str, bool], ...] = ((opens, entity, closes),)
        if not (entity.isalnum() and (opens or closes)):  # not as simple as most cells are
            found = tuple([bracket for part in text.split("|") for bracket in _brackets(part)])
        self[cell] = found
        return found


def _brackets(part: str) -> list[tuple[bool, str, bool]]:
    if not _PART.fullmatch(part):
        return [(False, part, False)]
    return [(bool(opens), entity, bool(closes)) for opens, entity, closes in _BRACKET.findall(part)]


class Annotated(NamedTuple):
    """The lines of a file that hold brackets: their numbers, where the cell with the brackets begins and ends."""

    line: Integers
    start: Integers
    end: Integers
    brackets: _Brackets


def find_annotated(lines: Lines) -> Annotated:
    codes = np.frombuffer(lines.data, np.uint8)
    tokens = np.flatnonzero(lines.token)
    start, end = lines.start[tokens], lines.end[tokens]
    plain = _NOTHING[codes[end]] & ((start == end) | (codes[end - 1] <= _BLANK))
    start, end = start[~plain], end[~plain]
    return Annotated(tokens[~plain], _last_cells(codes, start, end), end + 1, _Brackets())
