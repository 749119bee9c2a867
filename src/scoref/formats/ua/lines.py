"""How the lines and cells of a CONLL-UA file are found: by operations on arrays of bytes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...document.document import INITIAL, Integers, stretch, word_of
from ..columnar import Cells, decoded
from .write import ATTRIBUTES, LAYERS, MOST

NEEDED = ("ID", "FORM", "IDENTITY")
PARSED = (*NEEDED, "BRIDGING", "DISCOURSE_DEIXIS", *ATTRIBUTES)

_OPENER = "(EntityID="
_ID = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?")
_DIGITS = 9
_STEPS = 64  # how far array operations walk along cells; the few longer stretches are left to Python
_NOTHING = b"_"

Flags = NDArray[np.bool_]
Wrong = tuple[str, str, str, str]  # code, message, text, what was expected


class Lines:
    """The lines of a file, from 0, and their cells: separated by tabs, or by blanks in lines that have no tab.

    Where a file has both kinds of lines, those without tabs are written with tabs first, `_` for empty cells; texts of
    lines are as they were.
    """

    def __init__(self, data: bytes) -> None:
        self._texts = data
        rest = b"\n" * (not data.endswith(b"\n")) + _NOTHING
        self.data = data + rest  # the last byte is what an empty cell holds
        self._find()
        by_tabs = bool(self.tabs[self.token | (self.tabs + 1 >= len(NEEDED))].any())
        if by_tabs and not self.tabs[self.token].all():
            self.data = self._with_tabs()
            self._find()
        self.cell, self.cell_end = self._tabbed() if by_tabs else self._blank()
        self.first = np.searchsorted(self.cell, self.start)
        self.width = np.diff(self.first, append=len(self.cell))
        if by_tabs:
            self._trim()

    def _find(self) -> None:
        """Find where lines begin and end, which are blank, comments, or tokens, and how many tabs each has."""
        self.codes = codes = np.frombuffer(self.data, np.uint8)
        self.end = np.flatnonzero(codes == ord("\n"))
        self.start = np.concatenate((np.zeros(1, np.int64), self.end[:-1] + 1))
        self.blank = self.start == self.end
        strange = (codes[self.start] <= ord(" ")) | (codes[self.start] > 127)
        for line in np.flatnonzero(strange & ~self.blank).tolist():
            text = self.data[self.start[line] : self.end[line]].decode()
            self.blank[line] = text.isspace()
        self.sentence = np.cumsum(self.blank)  # the same number for all lines of a sentence
        self.hash = codes[self.start] == ord("#")
        self.token = ~(self.blank | self.hash)
        tabs = np.flatnonzero(codes == ord("\t"))
        self.tabs = np.diff(np.searchsorted(tabs, np.append(self.start, len(codes))))

    def _with_tabs(self) -> bytes:
        lines = self.data[:-2].split(b"\n")
        for line in np.flatnonzero(self.token & (self.tabs == 0)).tolist():
            lines[line] = b"\t".join(filter(None, lines[line].split(b" ")))
        return b"\n".join(lines) + b"\n" + _NOTHING

    def _tabbed(self) -> tuple[Integers, Integers]:
        codes = self.codes[:-1]
        ends = np.flatnonzero((codes == ord("\t")) | (codes == ord("\n")))
        return np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1)), ends

    def _blank(self) -> tuple[Integers, Integers]:
        codes = self.codes[:-1]
        inside = (codes != ord(" ")) & (codes != ord("\n"))
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
        if inside[0]:
            edges = np.concatenate((np.zeros(1, np.int64), edges))
        return edges[::2].copy(), edges[1::2].copy()

    def _trim(self) -> None:
        """Leave out the blanks around cells between tabs; a cell without anything else holds `_`."""
        for moved, step in ((self.cell, 1), (self.cell_end, -1)):
            at = moved if step > 0 else moved - 1
            some = np.flatnonzero((self.codes[at] == ord(" ")) & (self.cell < self.cell_end))
            for _ in range(_STEPS if len(some) else 0):
                moved[some] += step
                some = some[self.cell[some] < self.cell_end[some]]
                some = some[self.codes[moved[some] - (step < 0)] == ord(" ")]
            for cell in some.tolist():
                text = self.data[self.cell[cell] : self.cell_end[cell]]
                moved[cell] += step * (len(text) - len(text.lstrip(b" ") if step > 0 else text.rstrip(b" ")))
        empty = self.cell == self.cell_end
        self.cell[empty], self.cell_end[empty] = len(self.codes) - 1, len(self.codes)

    @cached_property
    def _originals(self) -> list[str]:
        return self._texts.decode().split("\n")

    def text(self, line: int) -> str:
        """The line as it was written."""
        return self._originals[line]

    def comments(self) -> Iterator[tuple[int, str]]:
        """The lines that begin with a hash, and what they say."""
        lines = np.flatnonzero(self.hash)
        return zip(lines.tolist(), decoded(self.data, self.start[lines], self.end[lines]), strict=True)

    def cells(self, line: int) -> list[str]:
        """The cells of a line."""
        some = slice(self.first[line], self.first[line] + self.width[line])
        return [*Cells(self.data, self.cell[some], self.cell_end[some])]


class Table:
    """The lines of a file as rows of these columns: words, empty nodes, and lines that are wrong.

    `nodes` are the lines of words and empty nodes, `number` holds what is behind the dot of an empty node's number (0:
    a word), `wrong` what is wrong with other lines that should be tokens.
    """

    def __init__(self, lines: Lines, columns: tuple[str, ...]) -> None:
        self.lines, self.columns = lines, columns
        self._index = {name: number for number, name in enumerate(columns)}
        self.token = lines.token | (lines.hash & (lines.tabs + 1 >= len(columns)))
        self.hashed = {*np.flatnonzero(lines.hash & self.token).tolist()}  # tokens that look like comments
        tokens = np.flatnonzero(self.token)
        self.wrong: dict[int, Wrong] = {}
        plain = self._plain(tokens)
        shifted = set(self._shifted().tolist())
        number = np.full(len(lines.start), -1, np.int64)
        number[tokens[plain]] = 0
        for line in sorted({*tokens[~plain].tolist(), *shifted}):
            number[line] = self._checked(line, line in shifted)
        self._wrong_lines = [*self.wrong]
        self.nodes = np.flatnonzero(number >= 0)
        self.number = number[self.nodes]
        self._cells: dict[str, tuple[list[int], list[str]]] = {}

    def _plain(self, tokens: Integers) -> Flags:
        """Which of these lines have cells that fit the columns and a plain number in the first: most are words."""
        lines, last = self.lines, max(self._index[name] for name in NEEDED)
        fits = (lines.width[tokens] > last) & (lines.width[tokens] <= len(self.columns))
        start, end = self.bounds("ID", tokens[fits])
        size = end - start
        digits = size <= _DIGITS
        for place in range(_DIGITS):
            code = lines.codes[np.minimum(start + place, len(lines.codes) - 1)]
            digits &= (place >= size) | ((code >= ord("0")) & (code <= ord("9")))
        fits[fits] = digits
        return fits

    def _shifted(self) -> Integers:
        """The lines of tokens with the beginning of a mention in a column that has none."""
        lines = self.lines
        found = np.flatnonzero(lines.codes[: -len(_OPENER)] == ord(_OPENER[0]))
        for place, letter in enumerate(_OPENER.encode()):
            found = found[lines.codes[found + place] == letter]
        at = np.searchsorted(lines.start, found, "right") - 1
        found, at = found[self.token[at]], at[self.token[at]]
        right = np.zeros(len(at), np.bool_)
        for layer in LAYERS:
            start, end = self.bounds(layer, at)
            right |= (start <= found) & (found < end)
        wrong: Integers = at[~right]
        return wrong

    def _checked(self, line: int, shifted: bool) -> int:
        """What is behind the dot of the number of a line, 0 if it is a word, -1 if it is wrong."""
        text, cells, columns = self.lines.text(line), self.lines.cells(line), self.columns
        there = {name: cells[self._index[name]] for name in NEEDED if self._index[name] < len(cells)}
        match = _ID.fullmatch(there.get("ID", ""))
        bare = not re.search(r"[()]", text) and all(cell == "_" for cell in cells[self._index["IDENTITY"] :])
        known = match or (bare and there.get("ID", "").isdigit())
        if len(cells) > len(columns) or len(there) < len(NEEDED) or not known:
            self.wrong[line] = ("column-count", f"{len(cells)} cells that do not fit the columns", text,
                                f"{len(columns)} cells, with a token number as ID")  # fmt: skip
        elif shifted:
            self.wrong[line] = ("shifted-columns", "a mention in a column that has none", text,
                                f"{len(columns)} cells, mentions in those for {' and '.join(LAYERS)}")  # fmt: skip
        else:
            return max(int(match[2]), 1) if match and match[2] else 0
        return -1

    def words(self, begin: int, end: int) -> Integers:
        """The lines of words between two lines."""
        some = slice(*np.searchsorted(self.nodes, [begin, end]))
        words: Integers = self.nodes[some][self.number[some] == 0]
        return words

    def wrong_lines(self, begin: int, end: int) -> list[tuple[int, int, Wrong]]:
        """What is wrong with the lines between two lines."""
        lines = self._wrong_lines
        return [(line, 0, self.wrong[line]) for line in lines[bisect_left(lines, begin) : bisect_left(lines, end)]]

    def bounds(self, name: str, lines: Integers) -> tuple[Integers, Integers]:
        """Where the cells of a column begin and end in these lines; those that are not there hold `_`."""
        table = self.lines
        size = len(table.codes)
        index = self._index.get(name)
        if index is None:
            return np.full(len(lines), size - 1), np.full(len(lines), size)
        there = table.width[lines] > index
        at = np.minimum(table.first[lines] + index, len(table.cell) - 1)
        return np.where(there, table.cell[at], size - 1), np.where(there, table.cell_end[at], size)

    @cached_property
    def _has_at(self) -> bool:
        """Whether there is an @ between brackets, as some files have it."""
        return b"@" in self.lines.data and b"@(" in self.lines.data

    def column(self, name: str) -> tuple[list[int], list[str]]:
        """The lines with something in a column, and what it is."""
        if name not in self._cells:
            start, end = self.bounds(name, self.nodes)
            some = (end - start != 1) | (self.lines.codes[start] != ord("_"))
            cells = [*Cells(self.lines.data, start[some], end[some])]
            if name in PARSED and self._has_at:
                cells = [cell.replace("@(", "(") for cell in cells]
            self._cells[name] = self.nodes[some].tolist(), cells
        return self._cells[name]


@dataclass
class Text:
    """A document while it is read: its name (None before the first), its first line, its columns, its comments.

    `begin` is where lines with these columns begin. `wrong` is what is wrong with its lines: the line, the number of
    the column, and what.
    """

    name: str | None
    line: int
    begin: int
    columns: tuple[str, ...]
    comments: list[tuple[int, str]] = field(default_factory=list)
    wrong: list[tuple[int, int, Wrong]] = field(default_factory=list)


class Rows:
    """The rows of a document: its nodes by their lines, and the position of each."""

    def __init__(self, text: Text, end: int, table: Table) -> None:
        self.text, self.table, self.begin, self.end = text, table, text.begin, end
        first, last = np.searchsorted(table.nodes, [text.begin, end]).tolist()
        nodes, number = table.nodes[first:last], table.number[first:last]
        if text.name is None:
            stray = text.line + np.flatnonzero(table.token[text.line : end])[:1]
            text.wrong += [(line, 0, ("outside-document", "tokens outside of any document", table.lines.text(line),
                                      '"# newdoc id = NAME" before them')) for line in stray.tolist()]  # fmt: skip
        else:
            text.wrong += table.wrong_lines(text.begin, end)
        self.words = nodes[number == 0]
        self.lost: set[int] = set()  # lines of empty nodes that are too many
        self.places: Sequence[int] = stretch(0, len(nodes) - 1)
        self._all_words = len(self.words) == len(nodes)
        if not self._all_words:
            nodes, self.places = self._with_empty(nodes, number)
        self.nodes = nodes

    def _with_empty(self, nodes: Integers, number: Integers) -> tuple[Integers, tuple[int, ...]]:
        """The nodes and their positions; empty nodes behind a word count on from what is written."""
        places = (np.cumsum(number == 0) - 1) << 8
        before, last = None, 0
        for node in np.flatnonzero(number).tolist():
            written = int(number[node]) | (INITIAL if places[node] < 0 else 0)
            last = max(last + 1 if places[node] == before else 1, written)
            before = int(places[node])
            places[node] |= min(last, MOST)
            if last > MOST:
                line = int(nodes[node])
                self.lost.add(line)
                self.text.wrong.append((line, 0, ("column-count", "too many empty nodes behind one word",
                                                  self.table.lines.text(line), f"at most {MOST}")))  # fmt: skip
        kept = ~np.isin(nodes, [*self.lost])
        return nodes[kept], tuple(places[kept].tolist())

    def column(self, name: str) -> list[tuple[int, int, str]]:
        """What is in a column: the number of the node, its line and the cell."""
        lines, cells = self.table.column(name)
        some = slice(bisect_left(lines, self.begin), bisect_left(lines, self.end))
        nodes = np.searchsorted(self.nodes, lines[some]).tolist()
        found = zip(nodes, lines[some], cells[some], strict=True)
        return [each for each in found if each[1] not in self.lost] if self.lost else [*found]

    def words_of(self, pieces: list[tuple[int, int]]) -> tuple[int, int] | None:
        """The first and the last word of a mention that is a stretch of words; None if it is something else."""
        if self._all_words:
            return pieces[0] if len(pieces) == 1 else None
        first, last = self.places[pieces[0][0]], self.places[pieces[-1][1]]
        whole = len(pieces) == 1 and last - first == (pieces[0][1] - pieces[0][0]) << 8 and not first & MOST
        return (word_of(first), word_of(last)) if whole else None

    def span(self, pieces: list[tuple[int, int]]) -> list[int]:
        """The positions of the nodes from the first to the last of each piece, each once."""
        return [*dict.fromkeys(place for first, last in pieces for place in self.places[first : last + 1])]


class Columns(Mapping[str, Sequence[str]]):
    """The columns of some words that are kept for conversion, those with nothing but `_` left out."""

    def __init__(self, table: Table, words: Integers) -> None:
        self._table, self._words = table, words

    @cached_property
    def _names(self) -> list[str]:
        names = [name for name in dict.fromkeys(self._table.columns) if name not in PARSED]
        return [name for name in names if set(self._column(name)) - {"_"}]

    def _column(self, name: str) -> Cells:
        return Cells(self._table.lines.data, *self._table.bounds(name, self._words))

    def __getitem__(self, name: str) -> Cells:
        if name not in self._table.columns or name not in self._names:
            raise KeyError(name)
        return self._column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        """As plain columns, without the rest of the file."""
        return dict, ({name: self[name] for name in self},)
