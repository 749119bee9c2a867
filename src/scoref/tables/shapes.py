"""Shapes: how many cells have the same numbers, and how many entities of each side; a table of them.

A *cell* is a key entity and a response entity that share n mentions. A metric that is a sum over cells depends on n, on
the sizes k and r of the two entities, and on the mentions s and c of them that the other side has at all. Cells that
agree in these five numbers are one shape, counted. A hundred million mentions have a hundred thousand shapes or so.

Rows are counted by *unit*. A unit is a document, or, where entities live in several units, a part of the mentions: then
each mention has its share of what its cell or its entity counts, and sums over units are still those of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.table import USUAL, Floats, Settings, Table, TableCells, TableSide
from ..document.document import Integers


class CellShapes(NamedTuple):
    """Shapes of cells: unit, the numbers n, k, r, s, c, and how many such cells there are.

    Where mentions of one cell are in several units, each unit has a fraction of the cell.
    """

    unit: Integers
    n: Floats
    k: Floats
    r: Floats
    s: Floats
    c: Floats
    number: Floats

    def only(self, kept: NDArray[np.bool_]) -> CellShapes:
        """Some of the shapes."""
        unit, *numbers = self
        return CellShapes(unit[kept], *(values[kept] for values in numbers))

    @classmethod
    def joined(cls, parts: Sequence[CellShapes]) -> CellShapes:
        """Several lists of shapes as one."""
        unit = np.concatenate([part.unit for part in parts])
        n, k, r, s, c, number = (np.concatenate(each) for each in zip(*(part[1:] for part in parts), strict=True))
        return cls(unit, n, k, r, s, c, number)


class EntityShapes(NamedTuple):
    """Shapes of the entities of one side: unit, size, how many mentions the other side has, how many entities."""

    unit: Integers
    size: Floats
    aligned: Floats
    number: Floats

    def only(self, there: NDArray[np.bool_]) -> EntityShapes:
        """Some of the shapes."""
        return EntityShapes(self.unit[there], self.size[there], self.aligned[there], self.number[there])

    def side(self) -> TableSide:
        """The entities as a side of a table."""
        return TableSide(self.size, self.unit, number=self.number, aligned=self.aligned)


class Shapes(NamedTuple):
    """All shapes of two tables; `whole` where no entity lives in two units."""

    cells: CellShapes
    keys: EntityShapes
    responses: EntityShapes
    units: int
    whole: bool = True

    def table(self, settings: Settings = USUAL) -> Table:
        """The shapes as a table in which equal cells and equal entities stand once, with their number."""
        cells = self.table_cells(self.cells)
        return Table(cells, self.keys.side(), self.responses.side(), self.units, settings._replace(whole=self.whole))

    def table_cells(self, cells: CellShapes) -> TableCells:
        """Shapes of cells as cells of the table: each belongs to the entities with its unit and numbers."""
        row = _places(self.keys, cells.unit, cells.k, cells.s)
        column = _places(self.responses, cells.unit, cells.r, cells.c)
        return TableCells(row, column, cells.n, number=cells.number)


def _places(sizes: EntityShapes, unit: Integers, size: Floats, aligned: Floats) -> Integers:
    """The place in `sizes` of the shape with each of these numbers; every one is there."""
    numbers = sizes.size, sizes.aligned, size, aligned
    top = int(sizes.size.max(initial=0)) + 1
    units = int(sizes.unit.max(initial=0)) + 1
    if units * top * top < 1 << 62:
        of_sizes, of_aligned, sought, sought_aligned = (each.astype(np.int64) for each in numbers)
    else:  # the numbers are large, but there are few different ones
        values = np.unique(np.concatenate((sizes.size, sizes.aligned)))
        top = len(values)
        of_sizes, of_aligned, sought, sought_aligned = (np.searchsorted(values, each) for each in numbers)
    known = (sizes.unit * top + of_sizes) * top + of_aligned
    order = np.argsort(known, kind="stable")
    code = (unit * top + sought) * top + sought_aligned
    return order[np.searchsorted(known[order], code)] if len(order) else code
