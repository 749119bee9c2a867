"""Finds the lines and cells of a CONLL-UA file by array operations: those of the file, and those of a document."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...document.document import INITIAL, Integers, Span, stretch
from ...document.spans import Words, span_of
from ..columnar import ZERO, DocumentColumns, Flags, TabbedLines, decoded, trim, words_at
from ..source import Misread
from .write import ATTRIBUTES, LAYERS, MOST

NEEDED = ("ID", "FORM", "IDENTITY")
PARSED = (*NEEDED, "BRIDGING", "DISCOURSE_DEIXIS", *ATTRIBUTES)

_OPENER = "(EntityID="
_ID = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?")
_DIGITS = 9
_NOTHING = b"_"

Misreadings = list[tuple[int, int, Misread]]  # the line, the number of the column, what is wrong


class UACells:
    """The lines of a file, from 0, and their cells: separated by tabs, or by blanks in lines that have no tab.

    In a file with both kinds of lines, blanks are replaced by tabs first; `text` still gives the original line. Empty
    cells count as `_`.
    """

    def __init__(self, data: bytes) -> None:
        self._texts = data
        self._find(data)
        by_tabs = bool(self.tabs[self.token | (self.tabs + 1 >= len(NEEDED))].any())
        if by_tabs and not self.tabs[self.token].all():
            self._find(self._with_tabs())
        self.nothing = len(self.lines.data) - 2  # where a `_` is that stands for empty cells
        if by_tabs:
            self.first, self.width = self.lines.first, self.lines.width
            self.cell_end = self.lines.cell_end
            self.cell = np.concatenate((ZERO, self.cell_end[:-1] + 1))
            trim(self.lines.codes, self.cell, self.cell_end, range(ord(" "), ord(" ") + 1))
            empty = self.cell == self.cell_end
            self.cell[empty], self.cell_end[empty] = self.nothing, self.nothing + 1
        else:
            self.cell, self.cell_end = self._blank()
            self.first = np.searchsorted(self.cell, self.lines.start)
            self.width = np.diff(self.first, append=len(self.cell))

    def _find(self, data: bytes) -> None:
        """Find the lines, which of them are comments or tokens, how many tabs each has."""
        self.lines = lines = TabbedLines(data, _NOTHING + b" ")
        begin = lines.codes[lines.start]
        blank = lines.blank((begin <= ord(" ")) | (begin > 127))
        self.sentence = np.cumsum(blank)  # the same number for all lines of a sentence
        self.hash = begin == ord("#")
        self.token = ~(blank | self.hash)
        self.tabs = lines.width - 1

    def _with_tabs(self) -> bytes:
        lines = self._texts.split(b"\n")
        for line in np.flatnonzero(self.token & (self.tabs == 0)).tolist():
            lines[line] = b"\t".join(filter(None, lines[line].split(b" ")))
        return b"\n".join(lines)

    def _blank(self) -> tuple[Integers, Integers]:
        """The cells of lines without tabs."""
        codes = self.lines.codes[: self.nothing]
        inside = (codes != ord(" ")) & (codes != ord("\n"))
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
        if inside[0]:
            edges = np.concatenate((ZERO, edges))
        return edges[::2].copy(), edges[1::2].copy()

    @cached_property
    def _originals(self) -> list[str]:
        return self._texts.decode().split("\n")

    def text(self, line: int) -> str:
        """The line as it was written."""
        return self._originals[line]

    def cells(self, line: int) -> list[str]:
        """The cells of a line."""
        some = slice(self.first[line], self.first[line] + self.width[line])
        return decoded(self.lines.data, self.cell[some], self.cell_end[some])


class UATable:
    """The lines of a file as a table with these columns: words, empty nodes, and malformed lines.

    `nodes` are the lines of words and empty nodes, `number` the part of an empty node's number after the dot (0 for a
    word), `wrong` the errors of other lines that should be tokens.
    """

    def __init__(self, file: UACells, columns: tuple[str, ...]) -> None:
        self.file, self.columns = file, columns
        self._index = {name: number for number, name in enumerate(columns)}
        self.token = file.token | (file.hash & (file.tabs + 1 >= len(columns)))
        self.hashed = {*np.flatnonzero(file.hash & self.token).tolist()}  # tokens that look like comments
        self._has_at = b"@" in file.lines.data and b"@(" in file.lines.data  # some files separate brackets by @
        tokens = np.flatnonzero(self.token)
        self.wrong: dict[int, Misread] = {}
        plain = self._plain(tokens)
        shifted = set(self._shifted().tolist())
        number = np.full(len(file.token), -1, np.int64)
        number[tokens[plain]] = 0
        for line in sorted({*tokens[~plain].tolist(), *shifted}):
            number[line] = self._checked(line, line in shifted)
        self._wrong_lines = [*self.wrong]
        self.nodes = np.flatnonzero(number >= 0)
        self.number = number[self.nodes]
        self._cells: dict[str, tuple[list[int], list[str]]] = {}

    def _plain(self, tokens: Integers) -> Flags:
        """Which of these lines are plainly words: the number of cells fits the columns, and the ID is a number."""
        codes, width = self.file.lines.codes, self.file.width[tokens]
        fits = (width > max(self._index[name] for name in NEEDED)) & (width <= len(self.columns))
        start, end = self.bounds("ID", tokens[fits])
        size = end - start
        digits = size <= _DIGITS
        for place in range(_DIGITS):
            code = codes[np.minimum(start + place, len(codes) - 1)]
            digits &= (place >= size) | ((code >= ord("0")) & (code <= ord("9")))
        fits[fits] = digits
        return fits

    def _shifted(self) -> Integers:
        """The token lines with an opening bracket in a column that cannot have mentions."""
        lines = self.file.lines
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
        """The part of a line's number after the dot, 0 for a word; -1 for a malformed line, added to `wrong`."""
        text, cells, columns = self.file.text(line), self.file.cells(line), self.columns
        there = {name: cells[self._index[name]] for name in NEEDED if self._index[name] < len(cells)}
        match = _ID.fullmatch(there.get("ID", ""))
        bare = not re.search(r"[()]", text) and all(cell == "_" for cell in cells[self._index["IDENTITY"] :])
        known = match or (bare and there.get("ID", "").isdigit())
        if len(cells) > len(columns) or len(there) < len(NEEDED) or not known:
            message, expected = "cells that do not fit the columns", f"{len(columns)} cells, with a token number as ID"
            self.wrong[line] = Misread("column-count", f"{len(cells)} {message}", text, expected)
        elif shifted:
            expected = f"{len(columns)} cells, mentions in those for {' and '.join(LAYERS)}"
            self.wrong[line] = Misread("shifted-columns", "a mention in a column that has none", text, expected)
        else:
            return max(int(match[2]), 1) if match and match[2] else 0
        return -1

    def words(self, begin: int, end: int) -> Integers:
        """The lines of words from `begin` to before `end`."""
        some = slice(*np.searchsorted(self.nodes, [begin, end]))
        words: Integers = self.nodes[some][self.number[some] == 0]
        return words

    def wrong_lines(self, begin: int, end: int) -> Misreadings:
        """The errors of the lines from `begin` to before `end`."""
        lines = self._wrong_lines
        return [(line, 0, self.wrong[line]) for line in lines[bisect_left(lines, begin) : bisect_left(lines, end)]]

    def bounds(self, name: str, lines: Integers) -> tuple[Integers, Integers]:
        """Where the cells of a column begin and end in these lines; missing cells count as `_`."""
        file, nothing = self.file, self.file.nothing
        index = self._index.get(name)
        if index is None:
            return np.full(len(lines), nothing), np.full(len(lines), nothing + 1)
        there = file.width[lines] > index
        at = np.minimum(file.first[lines] + index, len(file.cell) - 1)
        return np.where(there, file.cell[at], nothing), np.where(there, file.cell_end[at], nothing + 1)

    def cells(self, name: str, lines: Integers) -> Words:
        """The cells of a column in these lines."""
        return words_at(self.file.lines.codes, *self.bounds(name, lines))

    def column(self, name: str) -> tuple[list[int], list[str]]:
        """The lines where a column is not empty, and their cells."""
        if name not in self._cells:
            start, end = self.bounds(name, self.nodes)
            some = (end - start != 1) | (self.file.lines.codes[start] != ord("_"))
            cells = decoded(self.file.lines.data, start[some], end[some])
            if name in PARSED and self._has_at:
                cells = [cell.replace("@(", "(") for cell in cells]
            self._cells[name] = self.nodes[some].tolist(), cells
        return self._cells[name]


@dataclass
class UAText:
    """A document while it is read: its name (None before the first), its first line, its columns, its comments.

    `begin` is the line from which these columns hold. `wrong` are the errors in its lines.
    """

    name: str | None
    line: int
    begin: int
    columns: tuple[str, ...]
    comments: list[tuple[int, str]] = field(default_factory=list)
    wrong: Misreadings = field(default_factory=list)


class UANodes:
    """The nodes of a document, words and empty nodes, by their lines, and the position of each."""

    def __init__(self, text: UAText, end: int, table: UATable) -> None:
        self.text, self.table, self.begin, self.end = text, table, text.begin, end
        first, last = np.searchsorted(table.nodes, [text.begin, end]).tolist()
        nodes, number = table.nodes[first:last], table.number[first:last]
        if text.name is None:
            for line in (text.line + np.flatnonzero(table.token[text.line : end])[:1]).tolist():
                message, expected = "tokens outside of any document", '"# newdoc id = NAME" before them'
                text.wrong.append((line, 0, Misread("outside-document", message, table.file.text(line), expected)))
        else:
            text.wrong += table.wrong_lines(text.begin, end)
        self.words = nodes[number == 0]
        self.lost: set[int] = set()  # lines of empty nodes beyond the possible number
        self.places: Sequence[int] = stretch(0, len(nodes) - 1)
        self._all_words = len(self.words) == len(nodes)
        if not self._all_words:
            nodes, self.places = self._with_empty(nodes, number)
        self.nodes = nodes

    def _with_empty(self, nodes: Integers, number: Integers) -> tuple[Integers, tuple[int, ...]]:
        """The nodes and their positions; empty nodes after a word get increasing numbers, as written if possible."""
        places = (np.cumsum(number == 0) - 1) << 8
        before, last = None, 0
        for node in np.flatnonzero(number).tolist():
            written = int(number[node]) | (INITIAL if places[node] < 0 else 0)
            last = max(last + 1 if places[node] == before else 1, written)
            before = int(places[node])
            places[node] |= min(last, MOST)
            if last > MOST:
                line, message = int(nodes[node]), "too many empty nodes behind one word"
                self.lost.add(line)
                misread = Misread("column-count", message, self.table.file.text(line), f"at most {MOST}")
                self.text.wrong.append((line, 0, misread))
        kept = ~np.isin(nodes, [*self.lost])
        return nodes[kept], tuple(places[kept].tolist())

    def column(self, name: str) -> list[tuple[int, int, str]]:
        """The cells of a column that are not empty: the number of the node, its line, the cell."""
        lines, cells = self.table.column(name)
        some = slice(bisect_left(lines, self.begin), bisect_left(lines, self.end))
        nodes = np.searchsorted(self.nodes, lines[some]).tolist()
        rows = zip(nodes, lines[some], cells[some], strict=True)
        return [row for row in rows if row[1] not in self.lost] if self.lost else [*rows]

    def span(self, pieces: list[tuple[int, int]]) -> Span:
        """The positions of the nodes from the first to the last of each piece, each once."""
        if len(pieces) == 1 and self._all_words:
            return stretch(*pieces[0])
        return span_of(dict.fromkeys(place for first, last in pieces for place in self.places[first : last + 1]))


class UAColumns(DocumentColumns):
    """The further columns of a document, kept for conversion; columns with nothing but `_` are left out."""

    def __init__(self, table: UATable, words: Integers) -> None:
        self._table, self._words = table, words
        self.known = table.columns

    @cached_property
    def names(self) -> list[str]:
        """The columns that are not interpreted and not empty."""
        names = [name for name in dict.fromkeys(self.known) if name not in PARSED]
        return [name for name in names if set(self.column(name)) - {"_"}]

    def column(self, name: str) -> Words:
        """The cells of a column."""
        return self._table.cells(name, self._words)

    def __reduce__(self) -> tuple[object, ...]:
        """As plain columns, without the rest of the file."""
        return dict, (dict(self),)
