"""The columns of a CoNLL document, cut out of its lines when somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cached_property, partial
from typing import Any

from ...document.spans import Words
from ..columnar import DocumentColumns
from .lines import BLANKS, WORD, WordCells

COLUMNS = {"pos": 4, "parse": 5, "lemma": 6, "frameset": 7, "sense": 8, "speaker": 9, "ne": 10}
_FULL = 12  # cells of a line that has all of these columns and the coreference column
_USUAL = ("pos", "speaker")
_BEHIND = b"\0"  # a cell that stands behind each line while lines are cut


class ConllColumns(DocumentColumns):
    """The columns of a document: its token lines, a part of the file without its `comments`.

    Lines are not kept as cells: these need many times the memory of the file.
    """

    known = (*COLUMNS, "arguments")

    def __init__(self, data: bytes, place: slice, size: int, comments: Container[int] = ()) -> None:
        self._data, self._place, self._size, self._comments = data, place, size, comments
        self._cells: dict[str, Words] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return ConllColumns, (self._body, slice(None), self._size)  # not the whole file

    def words(self, cells: WordCells, first: int) -> Words:
        """The words of the document, whose first token has that number in the file."""
        return Words(partial(self._words, cells, first), self._size)

    def _words(self, cells: WordCells, first: int) -> bytes:
        return cells.text(first, first + self._size) or self._cut("word")

    @property
    def _body(self) -> bytes:
        """The bytes of the document without comments."""
        body = self._data[self._place]
        if not self._comments:
            return body
        return b"\n".join([line for number, line in enumerate(body.split(b"\n")) if number not in self._comments])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that most lines have."""
        widths = self._widths()
        full = sum(lines for width, lines in widths.items() if width >= _FULL)
        if 2 * full <= widths.total():  # a line that is too short has - in them
            return ()
        return (*COLUMNS, *["arguments"] * (max(widths) > _FULL))

    def column(self, name: str) -> Words:
        """The cells of a column."""
        if name not in self._cells:
            alike = self._alike() if name in COLUMNS else None
            if alike and alike[0] >= _FULL:
                self._take([name], *alike)
            else:
                self._cells[name] = Words(self._cut(name), self._size)
        return self._cells[name]

    def _cut(self, name: str) -> bytes:
        return b"\n".join([_cell(name, cells) for cells in self._lines()])

    def _lines(self) -> Iterator[list[bytes]]:
        """The cells of each line."""
        return (line.split() for line in self._body.split(b"\n") if line.strip(BLANKS))

    def _alike(self) -> tuple[int, list[bytes]] | None:
        """How many cells each line has, and the cells of all, if all lines are alike: faster than one by one."""
        lines = self._body.replace(b"\n\n", b"\n")
        if _BEHIND in lines:
            return None
        cells = lines.replace(b"\n", b" " + _BEHIND + b" ").split()
        width = cells.index(_BEHIND) if self._size > 1 else len(cells)
        rows = self._size * (width + 1) - 1
        same = len(cells) == rows and cells[width :: width + 1].count(_BEHIND) == self._size - 1
        return (width, cells) if same else None

    def _take(self, names: Iterable[str], width: int, cells: list[bytes]) -> None:
        for name in names:
            self._cells[name] = Words(b"\n".join(cells[COLUMNS[name] :: width + 1]), self._size)

    def _widths(self) -> Counter[int]:
        """How many lines have how many cells; the columns that are looked at most are cut on the way."""
        alike = self._alike()
        if alike:
            if alike[0] >= _FULL:
                self._take(_USUAL, *alike)
            return Counter({alike[0]: self._size})
        widths = Counter(map(len, map(bytes.split, self._body.split(b"\n"))))
        del widths[0]
        return widths if widths.total() == self._size else Counter(map(len, self._lines()))


def _cell(name: str, cells: list[bytes]) -> bytes:
    """The cell of a line that belongs to a column; a line that is too short has - in most of them."""
    if name == "word":  # of short lines the cell before the last
        return cells[WORD if len(cells) >= WORD + 2 else -2] if len(cells) > 1 else b"_"
    if name == "arguments":
        return b" ".join(cells[_FULL - 1 : -1])
    return cells[COLUMNS[name]] if len(cells) >= _FULL else b"-"
