"""The lines of a CoNLL file, found by array operations: tokens, their brackets, words and other columns."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, groupby, pairwise
from typing import Any

import numpy as np

from ...document.document import Integers
from ...document.grouping import TEXTS
from ...document.spans import Words
from ...values import NamedTuple
from ..columnar import ZERO, Codes, DocumentColumns, Flags, Lines, separated, trim, trim_one_side

WORD = 3  # the cell of a word, from 0
_NOTHING = np.isin(np.arange(256), np.frombuffer(b"-_*", np.uint8))
_BLANK = 32  # blanks, tabs and all control characters
_BLANKS = bytes(range(_BLANK + 1))
_ROWS = 1 << 13  # lines in a block; small, so that its memory is reused
_TOGETHER = 1 << 18  # bytes of documents that are cut together
_WINDOW = 64  # bytes of a line that are searched at once
_ONE, _LAST = np.uint64(1), np.uint64(_WINDOW - 1)
Bits = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]
_FOURTH = re.compile(rb"(?:\S++\s++){0,3}(\S++)\s")  # the fourth cell, or the last but one of a shorter line


def find_lines(data: bytes) -> tuple[Lines, Flags, Integers]:
    """The lines of a file without blanks around them, which of them may be tokens, and those that begin with `#`."""
    lines = Lines(data)
    trim(lines.codes, lines.start, lines.end, range(_BLANK + 1))
    written = lines.start < lines.end
    hashes = np.flatnonzero(written & (lines.codes[lines.start] == ord("#")))
    written[hashes] = False
    return lines, written, hashes


class BracketCells(NamedTuple):
    """The tokens with brackets: their numbers among all tokens, where the cells with the brackets begin and end."""

    token: Integers
    start: Integers
    end: Integers


def find_brackets(lines: Lines, tokens: Integers) -> BracketCells:
    """Find the tokens with brackets among those on these lines."""
    start, end = lines.start[tokens], lines.end[tokens]
    plain = _NOTHING[lines.codes[end - 1]] & ((start == end - 1) | (lines.codes[end - 2] <= _BLANK))
    annotated = np.flatnonzero(~plain)
    begin, end = end[annotated], end[annotated]
    trim_one_side(lines.codes, start[annotated], begin, range(_BLANK + 1, 256), from_end=True)
    return BracketCells(annotated, begin, end)


class WordCells:
    """Where the words of a file are, found for all tokens at once: the fourth cell, in short lines the last but one."""

    def __init__(self, lines: Lines, tokens: Integers) -> None:
        self._lines, self._tokens = lines, tokens

    def text(self, first: int, last: int) -> bytes | None:
        """The words from token `first` to before `last`, each on a line of its own.

        None if one of their lines has only one cell, or control characters.
        """
        text, begins, lacking = self._text
        lacks = len(lacking) and np.searchsorted(lacking, first) < np.searchsorted(lacking, last)
        return None if lacks else text[begins[first] : begins[last] - 1].tobytes()

    @cached_property
    def _text(self) -> tuple[Codes, Integers, Integers]:
        """The words of the file, each on a line of its own; where these lines begin; the tokens that have no word."""
        start, end = self._places()
        begins = np.concatenate((ZERO, np.cumsum(end - start + 1)))
        return separated(self._lines.codes, start, end, "\n"), begins, np.flatnonzero(start == end)

    def _places(self) -> tuple[Integers, Integers]:
        """Where each word begins and ends; empty for lines with one cell or with control characters."""
        lines, tokens, blanks = self._lines, self._tokens, _blanks(self._lines)
        start, end, far = np.empty_like(tokens), np.empty_like(tokens), np.zeros(len(tokens), np.bool_)
        for block in range(0, len(tokens), _ROWS):
            here = slice(block, block + _ROWS)
            first = lines.start[tokens[here]]
            start[here], end[here], far[here] = _words(blanks, first, first, lines.end[tokens[here]])
        for token in np.flatnonzero(far).tolist():
            word = _FOURTH.match(lines.data, *(int(each[tokens[token]]) for each in (lines.start, lines.end)))
            start[token], end[token] = word.span(1) if word else (0, 0)
        controls = self._with_controls()
        end[controls] = start[controls]
        return start, end

    def _with_controls(self) -> Integers:
        """The tokens whose lines have control characters other than tabs; perhaps a few more."""
        lines, tab, found = self._lines, ord("\t"), [ZERO[:0]]
        counts = (np.count_nonzero(codes < _BLANK) - np.count_nonzero(codes == tab) for _, codes in lines.blocks())
        if sum(counts) > len(lines.end):  # there are others than tabs and line breaks
            found = [at + np.flatnonzero((c < _BLANK) & ~np.isin(c, [*b"\t\n"])) for at, c in lines.blocks()]
        line = np.searchsorted(lines.start, np.concatenate(found), side="right") - 1
        return np.maximum(np.searchsorted(self._tokens, line, side="right") - 1, 0)


def _blanks(lines: Lines) -> Codes:
    """Which bytes of the lines are blanks, as bits, the first byte the lowest; a window of bits more."""
    blanks = [np.packbits(codes <= _BLANK, bitorder="little") for _, codes in lines.blocks()]
    return np.concatenate([*blanks, np.zeros(_WINDOW // 8, np.uint8)])


def _window(blanks: Codes, places: Integers) -> Bits:
    """The bits of the bytes from each place on, the first byte the lowest."""
    eights = np.ndarray(len(blanks) - 8, "<u8", blanks, strides=(1,))
    byte, bit = places >> 3, (places & 7).astype(np.uint64)
    found: Bits = (eights[byte] >> bit) | (blanks[byte + 8].astype(np.uint64) << _ONE << (_LAST - bit))
    return found


def _words(blanks: Codes, lines: Integers, origin: Integers, ends: Integers) -> tuple[Integers, Integers, Flags]:
    """Where the words of these lines begin and end (empty for lines with one cell); which lines are too long."""
    blank = _window(blanks, origin)  # in the first cell of each line
    before = blank << _ONE
    begins, closes = before & ~blank, blank & ~before
    steps = _place(closes, WORD)
    far = (steps == _WINDOW) & (origin + _WINDOW < ends)
    if origin is lines and far.any():  # the first cells are long: search from the end of the first one on
        return _words(blanks, lines, np.where(far, lines + _place(blank) - 1, lines), ends)
    start, end = origin + _place(begins, WORD - 1), origin + steps
    left = np.flatnonzero(end >= ends)  # no cell follows the fourth
    for cell in range(WORD - 1, -1, -1):
        steps = _place(closes[left], cell)
        more = origin[left] + steps < ends[left]
        here = left[more]
        start[here] = origin[here] + _place(begins[here], cell - 1) if cell else lines[here]
        end[here] = origin[here] + steps[more]
        left = left[~more]
    start[left] = end[left] = lines[left]
    return start, end, far


def _place(bits: Bits, number: int = 0) -> Integers:
    """The place of the lowest bit that is set, after skipping `number` others; 64 if there is none."""
    for _ in range(number):
        bits = bits & (bits - _ONE)
    lowest = (bits & (~bits + _ONE)).astype(np.float64).view(np.int64)  # the exponent of the float is the place
    return np.where(lowest, (lowest >> 52) - 1023, _WINDOW)


COLUMNS = {"pos": 4, "parse": 5, "lemma": 6, "frameset": 7, "sense": 8, "speaker": 9, "ne": 10}
_TEXT, _BEHIND_TOPIC = 2, 5  # the cells of the text's name and of the word, in lines that begin with a topic
_FULL = 12  # cells of a line that has all of these columns and the coreference column


class _LineCells(NamedTuple):
    """Where cells begin and end, and of each line the first cell and how many it has; `_` and `-` are behind them."""

    codes: Codes
    start: Integers
    end: Integers
    first: Integers
    width: Integers


class ConllColumns(DocumentColumns):
    """The columns of a document: its token lines, a part of the file without its `comments`.

    Lines are cut into cells only on demand: cells need many times the memory of the file.
    """

    known = (*COLUMNS, "arguments", TEXTS)

    def __init__(self, data: bytes, place: slice, size: int, comments: Container[int] = ()) -> None:
        self._data, self._place, self._size, self._comments = data, place, size, comments
        self._cells: dict[str, Words] = {}
        self._names: tuple[str, ...] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        body = self._body  # not the whole file
        return ConllColumns, (body, slice(0, len(body)), self._size)

    def words(self, cells: WordCells, first: int) -> Words:
        """The words of the document, whose first token has that number in the file."""
        return Words(partial(self._words, cells, first), self._size)

    def _words(self, cells: WordCells, first: int) -> bytes:
        return (None if self._by_topic else cells.text(first, first + self._size)) or self._cut("word")

    @property
    def _body(self) -> bytes:
        """The bytes of the document without comments."""
        body = self._data[self._place]
        if not self._comments:
            return body
        return b"\n".join([line for number, line in enumerate(body.split(b"\n")) if number not in self._comments])

    def __getitem__(self, name: str) -> Sequence[str]:
        if self._names is None and name in COLUMNS:  # lines are cut once for the names and the column
            self.read_ahead([self], name)
        return super().__getitem__(name)

    @staticmethod
    def read_ahead(documents: Sequence[ConllColumns], *names: str) -> None:
        """Cut columns of `COLUMNS` out of many documents at once, which is faster than out of one after the other."""
        left = [each for each in documents if each._names is None]
        ends = accumulate(each._place.stop - each._place.start for each in left)
        for _, pairs in groupby(zip(ends, left, strict=True), lambda pair: pair[0] // _TOGETHER):
            some = [each for _, each in pairs]
            together = ConllColumns(b"\n".join([each._body for each in some]), slice(None), sum(e._size for e in some))
            if (found := together._cells_of_lines()) is None:
                continue
            sizes = [*accumulate((each._size for each in some), initial=0)]
            for each, (first, behind) in zip(some, pairwise(sizes), strict=True):
                each._names = each._named(found.width[first:behind])
            for name in names:
                cells = together._cut(name, found)
                breaks = [-1, *np.flatnonzero(np.frombuffer(cells, np.uint8) == ord("\n")).tolist(), len(cells)]
                for each, (first, behind) in zip(some, pairwise(sizes), strict=True):
                    if name in (each._names or ()):
                        each._cells[name] = Words(cells[breaks[first] + 1 : breaks[behind]], each._size)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that most lines have."""
        if self._names is None:
            found = self._cells_of_lines()
            self._names = self._named([*map(len, self._lines())] if found is None else found.width)
        return self._names

    def _named(self, widths: Integers | list[int]) -> tuple[str, ...]:
        width = np.asarray(widths)  # how many cells each line has
        texts = [TEXTS] * self._has_texts
        if 2 * np.count_nonzero(width >= _FULL) <= len(width):  # fewer columns, if most lines are short
            return (*texts,)
        return (*COLUMNS, *["arguments"] * bool(width.max() > _FULL), *texts)

    @cached_property
    def _by_topic(self) -> bool:
        """Whether lines begin with a topic, a subtopic and a text: `36  36_1  36_10ecbplus.xml`."""
        return all(map(_names_topic, self._ends))

    @cached_property
    def _has_texts(self) -> bool:
        """Whether lines name several texts, each a stretch of lines; plain numbers are not names of texts."""
        place = _TEXT if self._by_topic else 0
        names = [cells[place] if len(cells) > place + 2 else b"" for cells in self._ends]
        if names[0] == names[1] or not all(names) or any(map(bytes.isdigit, names)):
            return False
        cells = self.column(TEXTS)
        return len([*groupby(cells)]) == len({*cells})

    @cached_property
    def _ends(self) -> tuple[list[bytes], list[bytes]]:
        """The cells of the first line and of the last."""
        start, end, _ = self._place.indices(len(self._data))
        first, last = self._data.find(b"\n", start, end), self._data.rfind(b"\n", start, end)
        return self._data[start : end if first < 0 else first].split(), self._data[max(last + 1, start) : end].split()

    def at(self, name: str, words: Sequence[int]) -> Sequence[str]:
        """The cells of a column at some words: only their lines are cut."""
        if name in self._cells or name not in COLUMNS or name not in self.names:
            return super().at(name, words)
        lines = [line for line in self._body.split(b"\n") if line and (line[0] > _BLANK or line.strip(_BLANKS))]
        return [_cell(name, lines[word].split()).decode(errors="surrogatepass") for word in words if word < self._size]

    def column(self, name: str) -> Words:
        """The cells of a column."""
        if name not in self._cells:
            self._cells[name] = Words(self._cut(name), self._size)
        return self._cells[name]

    def together(self) -> Mapping[str, Sequence[str]]:
        """All columns, cut at once: mostly all lines have the same number of cells."""
        rows = [*self._lines()]
        widths = [*map(len, rows)]
        self._names = self._names or self._named(widths)
        if len({*widths}) > 1 or self._by_topic:
            return super().together()
        cells = [*zip(*rows, strict=True)]
        places = {name: _place_of(name, len(cells)) for name in self.names}
        if len(cells) > _FULL + 1:
            places.pop("arguments")  # several cells
        found = {name: Words(b"\n".join(cells[place]), self._size) for name, place in places.items()}
        return {name: found[name] if name in found else self.column(name) for name in self.names}

    def _cut(self, name: str, found: _LineCells | None = None) -> bytes:
        if self._by_topic and name in ("word", TEXTS):
            place = _BEHIND_TOPIC if name == "word" else _TEXT
            return b"\n".join([cells[place] if len(cells) > place else b"_" for cells in self._lines()])
        found = found or self._cells_of_lines()
        if found is None or (name == "arguments" and found.width.max() > _FULL + 1):  # several cells
            return b"\n".join([_cell(name, cells) for cells in self._lines()])
        codes, start, end, first, width = found
        lacking = len(codes) - (4 if name == "word" else 2)  # where `_` and `-` are, behind the document
        places = np.array([_place_of(name, each) for each in range(width.max() + 1)])[width]
        chosen = first + np.maximum(places, 0)
        begin = np.where(places < 0, lacking, start[chosen])
        behind = np.where(places < 0, lacking + (name != "arguments"), end[chosen])
        return separated(codes, begin, behind, "\n")[:-1].tobytes()

    def _cells_of_lines(self) -> _LineCells | None:
        """The cells of all lines; None if there are control characters, at some of which `bytes.split` does not cut."""
        codes = np.frombuffer(self._body + b"\n_\n-\n", np.uint8)
        body = codes[: len(codes) - 5]
        start, end = _cells(body)
        breaks = np.flatnonzero(body == ord("\n"))
        if np.count_nonzero(body < _BLANK) > len(breaks) + np.count_nonzero(body == ord("\t")):
            return None
        first = np.concatenate((ZERO, np.searchsorted(start, breaks)))
        width = np.diff(first, append=len(start))
        first, width = first[width > 0], width[width > 0]
        return _LineCells(codes, start, end, first, width) if len(first) == self._size else None

    def _lines(self) -> Iterator[list[bytes]]:
        """The cells of each line."""
        return (line.split() for line in self._body.split(b"\n") if line.strip(_BLANKS))


def _names_topic(cells: list[bytes]) -> bool:
    """Whether a line begins with the number or name of a topic, a subtopic of it and a text of it."""
    return len(cells) > _BEHIND_TOPIC + 1 and all(
        name.startswith(cells[0] + b"_") for name in (cells[1], cells[_TEXT] + b"_")
    )


def _cells(codes: Codes) -> tuple[Integers, Integers]:
    """Where the cells of these lines begin and end."""
    blank = np.ones(len(codes) + 2, np.bool_)
    blank[1:-1] = codes <= _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    return edges[::2], edges[1::2]


def _place_of(name: str, width: int) -> int:
    """Which cell of a line with so many cells is that of a column; -1 if there is none."""
    if name == "word":  # in short lines the last cell but one
        return WORD if width >= WORD + 2 else width - 2 if width > 1 else -1
    if name == TEXTS:
        return 0 if width else -1
    if name == "arguments":
        return _FULL - 1 if width > _FULL else -1
    return COLUMNS[name] if width >= _FULL else -1


def _cell(name: str, cells: list[bytes]) -> bytes:
    """The cell of a column in a line; - for most columns that a short line lacks."""
    if name == "arguments":
        return b" ".join(cells[_FULL - 1 : -1])
    place = _place_of(name, len(cells))
    return cells[place] if place >= 0 else b"_" if name == "word" else b"-"
