"""Lines, cells, columns and brackets of files, found by array operations on bytes; texts are made when asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any

import numpy as np

from ..document.document import Document, Integers
from ..document.document import Flags as Flags
from ..document.spans import Words

Codes = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]

ZERO = np.zeros(1, np.int64)
_CELLS = 1 << 13  # cells and bytes in a block; small, so that its memory is reused
_BYTES = 1 << 19
_STEPS = 64  # bytes that array operations trim from a cell; the few longer stretches are left to Python


class Lines:
    r"""The lines of a file, from 0: where each begins in its bytes, and where its line break is.

    Bytes `after` the last line are for cells that the file lacks.

    >>> lines = Lines(b"1 the\n\n2 old")
    >>> lines.start.tolist(), lines.end.tolist(), lines.text(2), lines.texts(np.array([0, 2]))
    ([0, 6, 7], [5, 6, 12], '2 old', ['1 the', '2 old'])
    """

    def __init__(self, data: bytes, after: bytes = b"") -> None:
        self.data = data + b"\n" * (not data.endswith(b"\n")) + after
        self.codes = np.frombuffer(self.data, np.uint8)
        self.end = self._ends()
        self.start = np.concatenate((ZERO, self.end[:-1] + 1))

    def _ends(self) -> Integers:
        return np.concatenate([place + np.flatnonzero(codes == ord("\n")) for place, codes in self.blocks()])

    def blocks(self) -> Iterator[tuple[int, Codes]]:
        """The bytes in blocks, each with its place: what is made of one at a time needs little memory."""
        return ((place, self.codes[place : place + _BYTES]) for place in range(0, len(self.codes), _BYTES))

    def text(self, line: int) -> str:
        """The text of a line."""
        return self.data[self.start[line] : self.end[line]].decode()

    def texts(self, lines: Integers) -> list[str]:
        """The texts of some lines."""
        return decoded(self.data, self.start[lines], self.end[lines])

    def comments(self) -> dict[int, str]:
        """The lines that begin with `#`, and their texts."""
        lines = np.flatnonzero(self.codes[self.start] == ord("#"))
        return dict(zip(lines.tolist(), self.texts(lines), strict=True))

    def blank(self, suspects: Flags) -> Flags:
        """Which lines are empty or have only blanks; of lines that are not empty only `suspects` are checked."""
        blank: Flags = self.start == self.end
        for line in np.flatnonzero(suspects & ~blank).tolist():
            blank[line] = self.text(line).isspace()
        return blank


class TabbedLines(Lines):
    r"""Lines of cells with tabs between them: where each cell ends, the first cell of each line, and how many it has.

    >>> lines = TabbedLines(b"1\tthe\n# a comment\n")
    >>> lines.cell_end.tolist(), lines.first.tolist(), lines.width.tolist()
    ([1, 5, 17], [0, 2], [2, 1])
    """

    def _ends(self) -> Integers:
        self.cell_end = np.flatnonzero((self.codes == ord("\t")) | (self.codes == ord("\n")))
        last = np.flatnonzero(self.codes[self.cell_end] == ord("\n"))
        self.first = np.concatenate((ZERO, last[:-1] + 1))
        self.width = last - self.first + 1
        return self.cell_end[last]


def trim(codes: Codes, start: Integers, end: Integers, blanks: range) -> None:
    """Move the beginnings and ends of cells, in place, over bytes of that range; cells of nothing else become empty."""
    trim_one_side(codes, start, end, blanks, from_end=True)
    trim_one_side(codes, start, end, blanks, from_end=False)


def trim_one_side(codes: Codes, start: Integers, end: Integers, letters: range, *, from_end: bool) -> None:
    """Move the ends of cells, or their beginnings, in place, over bytes of that range."""
    moved, step = (end, -1) if from_end else (start, 1)
    first, size = np.uint8(letters[0]), len(letters)
    some = np.flatnonzero((start < end) & (codes[moved - from_end] - first < size))
    for _ in range(_STEPS):
        moved[some] += step
        some = some[start[some] < end[some]]
        some = some[codes[moved[some] - from_end] - first < size]
        if not len(some):
            return
    for cell in some.tolist():
        text = codes[start[cell] : end[cell]].tobytes()
        rest = text.rstrip(bytes(letters)) if from_end else text.lstrip(bytes(letters))
        moved[cell] += step * (len(text) - len(rest))


def joined(codes: Codes, start: Integers, end: Integers) -> Codes:
    """The bytes from each start to its end, one after the other."""
    size = end - start
    behind = np.concatenate((ZERO, np.cumsum(size)))
    found = np.empty(behind[-1], np.uint8)
    for block in range(0, len(start), _CELLS):
        here = slice(block, block + _CELLS)
        place = slice(behind[block], behind[here.stop] if here.stop < len(behind) else behind[-1])
        moved = np.repeat(start[here] - behind[:-1][here], size[here])
        found[place] = codes[np.arange(place.start, place.stop) + moved]
    return found


def separated(codes: Codes, start: Integers, end: Integers, separator: str) -> Codes:
    """The cells from each start to its end, with a separator behind each; there must be a byte behind the last."""
    text = joined(codes, start, end + 1)
    text[np.cumsum(end - start + 1) - 1] = ord(separator)
    return text


def words_at(codes: Codes, start: Integers, end: Integers) -> Words:
    """The cells from each start to its end, cut out on demand; there must be a byte behind the last."""
    return Words(partial(_words, codes, start, end), len(start))


def _words(codes: Codes, start: Integers, end: Integers) -> bytes:
    return separated(codes, start, end, "\n")[:-1].tobytes()


def cut(data: bytes, start: Integers, end: Integers) -> list[bytes]:
    """The bytes from each start to its end."""
    return [data[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)]


def decoded(data: bytes, start: Integers, end: Integers) -> list[str]:
    """The texts between these places, none of which goes beyond a line: all are decoded at once."""
    return b"\n".join(cut(data, start, end)).decode().split("\n") if len(start) else []


class DocumentColumns(Mapping[str, Sequence[str]]):
    """The columns of a document beside its words, by name; they are cut out of the file on demand.

    `known` are the possible names: asking for another one does not read the columns.
    """

    known: Collection[str]

    @cached_property
    def facts(self) -> dict[Hashable, Any]:
        """What is remembered of the text: documents that have it in common have the same columns."""
        return {}

    @property
    @abstractmethod
    def names(self) -> Collection[str]:
        """The columns that the document has."""

    @abstractmethod
    def column(self, name: str) -> Sequence[str]:
        """The cells of one of them."""

    def together(self) -> Mapping[str, Sequence[str]]:
        """All columns, cut at once."""
        return {name: self.column(name) for name in self.names}

    def __getitem__(self, name: str) -> Sequence[str]:
        if name not in self:
            raise KeyError(name)
        return self.column(name)

    def __contains__(self, name: object) -> bool:
        return name in self.known and name in self.names

    @staticmethod
    def read_ahead(documents: Sequence[Any], *names: str) -> None:
        """Cut columns out of many documents of one kind, where that is faster than out of one after the other."""

    def at(self, name: str, words: Sequence[int]) -> Sequence[str]:
        """The cells of a column at some words, in the order of the text; none if the document does not have it."""
        return _at(self.get(name, ()), words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def columns_of(document: Document) -> Mapping[str, Sequence[str]]:
    """All columns of a document, for what needs all of them: cut at once where they were read from a file."""
    columns = document.columns
    return columns.together() if isinstance(columns, DocumentColumns) else columns


def rows(columns: Sequence[Sequence[str] | str], size: int) -> list[str]:
    r"""The lines of a table of so many rows, with tabs between cells; a text for a column is the cell of all rows.

    >>> rows([["1", "2"], "_", "_", ["the", "old"]], 2)
    ['1\t_\t_\tthe', '2\t_\t_\told']
    """
    found: list[Sequence[str]] = []
    for same, some in groupby(columns, lambda column: isinstance(column, str)):
        each = [*some]
        found += [("\t".join(map(str, each)),) * size] if same else each
    return [*map("\t".join, zip(*found, strict=True))]


def intact(lines: Sequence[str], cells: int, letters: bytes) -> bool:
    r"""Whether lines of so many cells in all have none of these letters in a cell; they include tab and line break.

    >>> intact(["1\tthe", "2\told"], 4, b"\t\n "), intact(["1\tthe old"], 2, b"\t\n ")
    (True, False)
    """
    text = "\n".join(lines).encode(errors="surrogatepass")
    return len(text) - len(text.translate(None, letters)) == max(cells - 1, 0)


def woven(lines: Sequence[str], before: Mapping[int, Iterable[str]]) -> list[str]:
    """The lines, with others before some of them, by the numbers of these; the last ones may be behind all lines.

    >>> woven(["the", "old", "ferry"], {0: ["# a"], 2: ["", "# b"], 3: [""]})
    ['# a', 'the', 'old', '', '# b', 'ferry', '']
    """
    found: list[str] = []
    done = 0
    for number in sorted(before):
        found += lines[done:number]
        found += before[number]
        done = number
    return [*found, *lines[done:]]


def cells_at(columns: Mapping[str, Sequence[str]], name: str, words: Sequence[int]) -> Sequence[str]:
    """The cells of any columns at some words; those of a file are cut out alone."""
    return columns.at(name, words) if isinstance(columns, DocumentColumns) else _at(columns.get(name, ()), words)


def _at(column: Sequence[str], words: Sequence[int]) -> list[str]:
    return [column[word] for word in words if word < len(column)]


def nested(group: Integers, opens: Flags) -> tuple[Integers, Flags]:
    """Matching pairs of brackets, nested within each group, and which brackets have no partner.

    The brackets of a group follow one another, in text order. If one has no partner, its whole group counts as unfit
    and is in no pair.

    >>> pairs, unfit = nested(np.array([1, 1, 1, 1, 2, 2, 2]), np.array([1, 1, 0, 0, 1, 0, 0]) > 0)
    >>> pairs.tolist(), unfit.tolist()
    ([[0, 3], [1, 2]], [False, False, False, False, True, True, True])
    """
    first = np.diff(group, prepend=-1) != 0
    number = np.cumsum(first) - 1
    step = np.where(opens, 1, -1)
    depth = np.cumsum(step)
    depth -= (depth - step)[first][number]  # so that it begins at 0 in each group
    level = depth + ~opens  # the same for both brackets of a pair
    wrong = level < 1
    wrong[:-1] |= first[1:] & (depth[:-1] != 0)
    wrong[-1:] |= depth[-1:] != 0
    unfit = np.isin(number, number[wrong]) if wrong.any() else wrong
    fit = np.flatnonzero(~unfit)
    key = (number * (level.max(initial=0) + 1) + level)[fit]
    return fit[np.argsort(key, kind="stable")].reshape(-1, 2), unfit
