"""How the lines and cells of a CoNLL file are found: by operations on arrays of bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...document.document import Integers
from ...document.words import Words
from ..columnar import joined

_WORD = 3
COLUMNS = {"pos": 4, "parse": 5, "lemma": 6, "frameset": 7, "sense": 8, "speaker": 9, "ne": 10}
_FULL = 12  # cells of a line that has all of these columns and the coreference column
_NOTHING = np.isin(np.arange(256), np.frombuffer(b"-_*", np.uint8))
_BLOCK = 1 << 19  # bytes, and lines, that are looked at together: their memory is used again and again
_ROWS = 1 << 13
_BLANK = 32  # blanks, tabs and all control characters
_BLANKS = bytes(range(_BLANK + 1))
_STEPS = 64  # how far array operations walk along lines; the few longer stretches are left to Python
_EACH = np.uint64(0x0101010101010101)  # a one in each of eight bytes
_HIGH = _EACH * np.uint64(128)
_GATHER = np.uint64(0x0102040810204080)  # moves the lowest bits of eight bytes to the highest byte
_WINDOW = 64  # bytes of a line that are looked at together
_ONE = np.uint64(1)
_FOURTH = re.compile(rb"(?:\S++\s++){0,3}(\S++)\s")  # or the last cell that has another behind it


class Lines(NamedTuple):
    """The lines of a file: where each begins and ends without blanks (empty if `end < start`), what it is."""

    data: bytes
    start: Integers
    end: Integers
    token: NDArray[np.bool_]
    hash: Integers

    def text(self, line: int) -> str:
        """The text of a line."""
        return self.data[self.start[line] : self.end[line] + 1].decode()


def find_lines(data: bytes) -> Lines:
    """The lines of a file."""
    data += b"\n" * (not data.endswith(b"\n"))
    codes = np.frombuffer(data, np.uint8)
    blocks = range(0, len(codes), _BLOCK)
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


class Annotated(NamedTuple):
    """The tokens with brackets: their numbers among all tokens, where the cells with the brackets begin and end."""

    token: Integers
    start: Integers
    end: Integers


def find_annotated(lines: Lines, tokens: Integers) -> Annotated:
    """Find the tokens with brackets among those on these lines."""
    codes = np.frombuffer(lines.data, np.uint8)
    start, end = lines.start[tokens], lines.end[tokens]
    plain = _NOTHING[codes[end]] & ((start == end) | (codes[end - 1] <= _BLANK))
    found = np.flatnonzero(~plain)
    start, end = start[found], end[found]
    return Annotated(found, _last_cells(codes, start, end), end + 1)


class WordCells:
    """Where the words of a file are, for all tokens at once: the fourth cells, of short lines those before the last."""

    def __init__(self, lines: Lines, tokens: Integers) -> None:
        self._lines, self._tokens = lines, tokens

    def words(self, first: int, last: int) -> Words | None:
        """The words of tokens one after the other; None if one of their lines has one cell or control characters."""
        start, end = (each[first:last] for each in self._places)
        if (start == end).any():
            return None
        text = joined(self._codes, start, end + 1)
        text[np.cumsum(end - start + 1) - 1] = ord("\n")
        return Words(text[:-1].tobytes(), last - first)

    @property
    def _codes(self) -> NDArray[np.uint8]:
        return np.frombuffer(self._lines.data, np.uint8)

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Where each word begins and ends; nothing of lines with one cell or with control characters."""
        data, lines, ends = self._lines.data, self._lines.start[self._tokens], self._lines.end[self._tokens]
        start, end = lines.copy(), lines.copy()
        inside = int(np.searchsorted(lines, len(data) - 2 * _WINDOW, side="right"))
        careful = np.arange(len(lines)) >= inside
        for block in range(0, inside, _ROWS):
            here = slice(block, min(block + _ROWS, inside))
            start[here], end[here], careful[here] = _words(data, lines[here], ends[here])
        for token in np.flatnonzero(careful).tolist():
            found = _FOURTH.match(data, lines[token], ends[token] + 1)
            start[token], end[token] = found.span(1) if found else (0, 0)
        controls = self._with_controls()
        end[controls] = start[controls]
        return start, end

    def _with_controls(self) -> Integers:
        """The tokens whose lines have control characters other than tabs, and perhaps some before such lines."""
        codes, none = self._codes, np.zeros(0, np.int64)
        blocks = [codes[place : place + _BLOCK] for place in range(0, len(codes), _BLOCK)]
        controls = sum(np.count_nonzero(block < _BLANK) for block in blocks) - len(self._lines.start)
        if not controls or controls == sum(np.count_nonzero(block == ord("\t")) for block in blocks):
            return none
        places = np.flatnonzero((codes < _BLANK) & (codes != ord("\n")) & (codes != ord("\t")))
        return np.maximum(np.searchsorted(self._lines.start[self._tokens], places, side="right") - 1, 0)


def _words(data: bytes, lines: Integers, ends: Integers) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """Where the words of these lines begin and end, nothing of lines with one cell; which lines need another look."""
    origin, blank = lines, _blanks(data, lines)
    far = (lines + _WINDOW <= ends) & (_place(blank & ~(blank << _ONE), _WORD) == _WINDOW)
    if far.any():  # look from the last byte of the first cell on
        origin = np.where(far, lines + _place(blank) - 1, lines)
        blank = _blanks(data, origin)
    before = blank << _ONE
    begins, closes = before & ~blank, blank & ~before
    start, end, far = lines.copy(), lines.copy(), np.zeros(len(lines), np.bool_)
    left = np.arange(len(lines))
    for cell in range(_WORD, -1, -1):
        steps = _place(closes[left], cell)
        more = origin[left] + steps <= ends[left]  # there is a cell behind this one
        here = left[more]
        start[here] = origin[here] + _place(begins[here], cell - 1) if cell else lines[here]
        end[here], far[here] = origin[here] + steps[more], steps[more] == _WINDOW
        left = left[~more]
        if not len(left):
            break
    return start, end, far


def _blanks(data: bytes, places: Integers) -> NDArray[np.uint64]:
    """Which bytes from each place on are blanks, as the bits of a number, the first byte the lowest."""
    windows = np.ndarray(len(data) - _WINDOW + 1, f"V{_WINDOW}", data, strides=(1,))
    eights = windows[places].view("<u8")
    filled = ((eights & ~_HIGH) + _EACH * np.uint64(127 - _BLANK)) | eights  # by the highest bit of each byte
    bits = ((~filled & _HIGH) >> np.uint64(7)) * _GATHER >> np.uint64(56)
    found: NDArray[np.uint64] = bits.astype(np.uint8).view("<u8")
    return found


def _place(bits: NDArray[np.uint64], number: int = 0) -> Integers:
    """The place of the lowest bit that is set, after so many others; 64 if there is none."""
    for _ in range(number):
        bits = bits & (bits - _ONE)
    lowest = (bits & (~bits + _ONE)).astype(np.float64).view(np.int64)  # its exponent is the place
    return np.where(lowest, (lowest >> 52) - 1023, _WINDOW)


_BEHIND = b"\0"  # a cell that stands behind each line while lines are cut
_USUAL = ("pos", "speaker")


class Rows:
    """The token lines of a document, a part of the file without its `comments`; cut into cells when somebody asks.

    Its words are those of the tokens from `first` on, if the cells of all words of the file are known.
    """

    def __init__(
        self,
        data: bytes,
        place: slice,
        size: int,
        comments: Container[int] = (),
        cells: WordCells | None = None,
        first: int = 0,
    ) -> None:
        self._data, self._place, self.size, self._comments = data, place, size, comments
        self._cells, self._first = cells, first

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (self.body, slice(None), self.size), {"words": self.words}  # not the whole file

    @property
    def body(self) -> bytes:
        """The bytes of the document without comments."""
        body = self._data[self._place]
        if not self._comments:
            return body
        return b"\n".join([line for number, line in enumerate(body.split(b"\n")) if number not in self._comments])

    @cached_property
    def words(self) -> Words:
        """The words of all lines: found by array operations if the lines are as lines should be."""
        cells, self._cells = self._cells, None  # with the last document that has its words, the places of all go
        found = cells.words(self._first, self._first + self.size) if cells is not None else None
        return found or self._cut("word")

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
        if name in COLUMNS and (alike := self._alike()) and alike[0] >= _FULL:
            return self._taken(name, *alike)
        return Words(b"\n".join([_cell(name, cells) for cells in self._lines()]), self.size)

    def _lines(self) -> Iterator[list[bytes]]:
        """The cells of each line."""
        return (line.split() for line in self.body.split(b"\n") if line.strip(_BLANKS))

    def _alike(self) -> tuple[int, list[bytes]] | None:
        """How many cells each line has, and the cells of all, if all lines are alike: faster than one by one."""
        lines = self.body.replace(b"\n\n", b"\n")
        if _BEHIND in lines:
            return None
        cells = lines.replace(b"\n", b" " + _BEHIND + b" ").split()
        width = cells.index(_BEHIND) if self.size > 1 else len(cells)
        same = len(cells) == self.size * (width + 1) - 1 and cells[width :: width + 1].count(_BEHIND) == self.size - 1
        return (width, cells) if same else None

    def _taken(self, name: str, width: int, cells: list[bytes]) -> Words:
        return Words(b"\n".join(cells[COLUMNS[name] :: width + 1]), self.size)

    @cached_property
    def _widths(self) -> Counter[int]:
        """How many lines have how many cells; the columns that are looked at most are cut on the way."""
        alike = self._alike()
        if alike:
            if alike[0] >= _FULL:
                self._columns.update({name: self._taken(name, *alike) for name in _USUAL})
            return Counter({alike[0]: self.size})
        found = Counter(map(len, map(bytes.split, self.body.split(b"\n"))))
        del found[0]
        return found if found.total() == self.size else Counter(map(len, self._lines()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that most lines have."""
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
