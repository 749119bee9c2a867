"""Shapes: cells and entities with equal numbers, counted; the table they make, and assignments for CEAF.

A *cell* is a key entity and a response entity that share n mentions. A metric that is a sum over cells depends on n, on
the sizes k and r of the two entities, and on the mentions s and c of them that the other side has at all. Cells that
agree in these five numbers are one shape with a count. A hundred million mentions have about 100,000 shapes.

Rows are counted by *unit*. A unit is a document, or, where entities live in several units, a part of the mentions: then
each mention has its share of what its cell or its entity counts, and sums over units are still those of the whole. What
partners count is shared by all mentions of the one or of the other: no entity has more of it in a unit than it can.

For CEAF, this module lists the assignments that its variants need, and solves them. Under some rules for twinless
mentions (all, rn-all, sys) such a mention becomes a singleton on the other side. Its entity can then be aligned with
that singleton, which no other entity wants: an *outside option* of weight d. So the best total is the sum of all
options, plus the best assignment with weights reduced by the options of row and column. No cell has to be added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.metrics import Similarity
from ..counting.rules import missing
from ..counting.table import USUAL, Floats, Settings, Table, TableCells, TableSide
from ..document.document import Integers
from ..matching.assign import assign, components
from .rows import Values

LARGE = 3_000_000  # components with more cells get a good assignment with a bound, not the best
_ROUNDS = 3000  # of bids


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

    @classmethod
    def of(cls, unit: Values, numbers: Iterable[Values], mentions: Values, share: str = "n") -> CellShapes:
        """Shapes of the numbers n, k, r, s, c with so many mentions, each of which brings one part of `share`."""
        n, k, r, s, c = (each.astype(np.float64) for each in numbers)
        parts = {"n": n, "k": k, "r": r, "s": s, "c": c, "k-s": k - s, "r-c": r - c}[share]
        return cls(unit.astype(np.int64), n, k, r, s, c, mentions.astype(np.float64) / parts)

    def only(self, kept: NDArray[np.bool_]) -> CellShapes:
        """Some of the shapes."""
        return CellShapes._make(values[kept] for values in self)

    @classmethod
    def joined(cls, parts: Sequence[CellShapes]) -> CellShapes:
        """Several lists of shapes as one."""
        return cls._make(map(np.concatenate, zip(*parts, strict=True)))


class EntityShapes(NamedTuple):
    """Shapes of the entities of one side: unit, size, how many mentions the other side has, how many entities."""

    unit: Integers
    size: Floats
    aligned: Floats
    number: Floats

    @classmethod
    def of(cls, *columns: Values) -> EntityShapes:
        """Shapes from unit, size, aligned mentions, and the mentions in all entities of a shape."""
        unit, size, aligned, mentions = columns
        return cls(unit.astype(np.int64), size.astype(np.float64), aligned.astype(np.float64), mentions / size)

    def only(self, kept: NDArray[np.bool_]) -> EntityShapes:
        """Some of the shapes."""
        return EntityShapes._make(values[kept] for values in self)

    def side(self) -> TableSide:
        """The entities as a side of a table."""
        return TableSide(self.size, self.unit, number=self.number, aligned=self.aligned)


class Shapes(NamedTuple):
    """All shapes of two tables; `whole` if no entity is in two units."""

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

    def partners(self, table: Table, ours: CellShapes, theirs: CellShapes) -> tuple[Table, Table]:
        """A table with the cells of partners alone, as recall and as precision see it.

        The partner of an entity is one of its own there: its mentions may be in other units.
        """
        row = _places(self.keys, ours.unit, ours.k, ours.s)
        column = _places(self.responses, theirs.unit, theirs.r, theirs.c)
        recall = TableCells(row, np.arange(len(row)), ours.n, number=ours.number)
        precision = TableCells(np.arange(len(column)), column, theirs.n, number=theirs.number)
        return (
            replace(table, cells=recall, response=TableSide(ours.r, ours.unit)),
            replace(table, cells=precision, key=TableSide(theirs.k, theirs.unit)),
        )


def _places(sizes: EntityShapes, unit: Integers, size: Floats, aligned: Floats) -> Integers:
    """The index in `sizes` of the shape with each of these numbers; all of them exist there."""
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


class CellWeights(NamedTuple):
    """The weight of a cell in an assignment: the similarity of its two entities, minus their outside options.

    `sized` says which sizes count: all mentions (k and r), or common ones only (s and c). `key_option`: a key entity
    with a twinless mention may be aligned with that mention alone; `response_option` likewise. Cells of entities
    smaller than `least_key` or `least_response` weigh nothing.
    """

    similarity: Similarity
    sized: str = "kr"
    key_option: bool = False
    response_option: bool = False
    least_key: float = 1
    least_response: float = 1

    def cells(self, cells: CellShapes) -> Floats:
        """The weight of each cell; a cell with 0 or less is better left out."""
        sizes = getattr(cells, self.sized[0]), getattr(cells, self.sized[1])
        weight = self.similarity.of(cells.n, *sizes)
        weight = weight - self.option(cells.k, cells.s) if self.key_option else weight
        weight = weight - self.option(cells.r, cells.c) if self.response_option else weight
        return np.where((cells.k >= self.least_key) & (cells.r >= self.least_response), weight, 0.0)

    @property
    def shares(self) -> tuple[str, ...]:
        """By which mentions chosen cells are shared: for recall, for precision, for what partners are worth alone."""
        return (*self.sized, *("k-s",) * self.key_option, *("r-c",) * self.response_option)

    def option(self, size: Floats, aligned: Floats) -> Floats:
        """The weight of aligning an entity with one of its twinless mentions."""
        one = np.ones_like(size)
        return np.where(aligned < size, self.similarity.of(one, size, one), 0.0)

    def options(self, table: Table, direction: int) -> Floats:
        """The sum of all outside options, for each unit, as recall (0) or precision (1) sees it.

        An entity of the other side is worth something alone where its twinless mentions are, which are singletons here.
        """
        total = np.zeros(table.documents)
        for number, wanted in enumerate((self.key_option, self.response_option)):
            if wanted:
                side = table.transposed if number else table
                size, aligned = side.key.size, side.shared
                there = (
                    side.numbered(np.ones_like(size))
                    if number == direction
                    else (missing(side) / np.maximum(size - aligned, 1))
                )
                total += side.per_document(there * self.option(size, aligned))
        return total

    def sql(self) -> str:
        """The weight as an SQL expression; its operations have the order of `cells`, so that rounding is equal."""
        names = {"k": "k_size", "r": "r_size", "s": "s", "c": "c"}
        text = self.similarity.sql.format(n="n", k=names[self.sized[0]], r=names[self.sized[1]])
        for wanted, of, aligned in ((self.key_option, "k_size", "s"), (self.response_option, "r_size", "c")):
            alone = self.similarity.sql.format(n="1", k=of, r="1")
            text += f" - CASE WHEN {aligned} < {of} THEN {alone} ELSE 0 END" if wanted else ""
        for of, least in (("k_size", self.least_key), ("r_size", self.least_response)):
            text = f"CASE WHEN {of} >= {least} THEN {text} ELSE 0 END" if least > 1 else text
        return text


class Share(NamedTuple):
    """The mentions that a cell is shared by: of which side, and only those with or without a twin, if that is said."""

    side: int
    lone: bool | None


SHARES = {
    "k": Share(0, None), "s": Share(0, False), "k-s": Share(0, True),
    "r": Share(1, None), "c": Share(1, False), "r-c": Share(1, True),
}  # fmt: skip


# For each rule of twinless mentions the assignments that recall and precision ask for, mostly one and the same.
_Options = dict[str, Any]
_PLAIN: _Options = {}
_KEY, _RESPONSE, _BOTH = {"key_option": True}, {"response_option": True}, {"key_option": True, "response_option": True}
DIRECTIONS: dict[str, tuple[_Options, _Options]] = {
    "as-is": (_PLAIN, _PLAIN),
    "rn": (_PLAIN, _PLAIN),
    "0": ({"sized": "kc"},) * 2,
    "common": ({"sized": "sc"},) * 2,
    "pad-key": (_RESPONSE, _RESPONSE),
    "all": (_KEY, _RESPONSE),
    "rn-all": (_KEY, _RESPONSE),
    "sys": ({"sized": "kc", **_KEY}, _BOTH),
    "conll-2011": (_BOTH, _BOTH),
    "key": ({"sized": "kc", **_KEY},) * 2,
}


class AssignmentGap(NamedTuple):
    """How far an assignment may be from the best: by how much at most, and the size of that component in cells."""

    gap: float = 0.0
    cells: int = 0


class Assigned(NamedTuple):
    """Shapes of the chosen cells, and how far they may be from the best.

    `cells` has them for each of `CellWeights.shares`; they are the same where no entity lives in two units.
    """

    cells: Mapping[str, CellShapes]
    bound: AssignmentGap


def solved(row: Integers, column: Integers, weight: Floats, large: int = LARGE) -> tuple[Integers, AssignmentGap]:
    """The cells of the best assignment; of components above `large` cells, a good one by `auction`."""
    if len(row) <= large:
        return assign(row, column, weight), AssignmentGap()
    label = components(row, column)
    _, label, number = np.unique(label, return_inverse=True, return_counts=True)
    big = number[label] > large
    small = np.flatnonzero(~big)
    chosen = [small[assign(row[small], column[small], weight[small])]] if len(small) else []
    gap = 0.0
    for part in np.flatnonzero(number > large):
        cells = np.flatnonzero(label == part)
        taken, missed = auction(row[cells], column[cells], weight[cells])
        chosen.append(cells[taken])
        gap += missed
    return np.sort(np.concatenate(chosen)), AssignmentGap(gap, int(number.max()) if gap else 0)


def auction(row: Integers, column: Integers, weight: Floats, step: float = 1e-4) -> tuple[Integers, float]:
    """A good assignment, and a bound on how much better the best one can be (Bertsekas 1988).

    Rows bid for the column that is worth most to them, and a column goes to the highest bidder, all at once, round
    after round. Whatever the prices p of columns are, no assignment has more than Σp + Σ max(0, best w − p of a row).
    """
    _, i = np.unique(row, return_inverse=True)
    _, j = np.unique(column, return_inverse=True)
    order = np.argsort(i, kind="stable")
    i, j, w = i[order], j[order], weight[order]
    starts = np.flatnonzero(np.diff(i, prepend=-1))
    price, owner = np.zeros(j.max() + 1), np.full(j.max() + 1, -1)
    held = np.full(len(starts), -1)  # the cell that each row has
    step *= float(w.max())
    waiting = np.arange(len(starts))
    for _ in range(_ROUNDS):
        cells, first = _ranges(starts, waiting, len(i))
        best, value, second = _two_best(cells, first, w[cells] - price[j[cells]])
        bids = np.flatnonzero(value > 0)
        if not len(bids):
            break
        offer = price[j[best[bids]]] + value[bids] - second[bids] + step
        order_of_bids = np.lexsort((-waiting[bids], offer))  # the highest last; of equal bids, the first row's
        winner = np.full(len(price), -1)
        winner[j[best[bids]][order_of_bids]] = bids[order_of_bids]
        won = winner[winner >= 0]
        columns = j[best[won]]
        lost = owner[columns][owner[columns] >= 0]
        held[lost] = -1
        owner[columns], held[waiting[won]] = waiting[won], best[won]
        rise = np.full(len(waiting), 0.0)
        rise[bids] = offer
        price[columns] = rise[won]
        waiting = np.sort(np.concatenate((np.setdiff1d(waiting[bids], waiting[won]), lost)))
    profit = np.maximum(np.maximum.reduceat(w - price[j], starts), 0)
    taken = held[held >= 0]
    gap = max(float(price.sum() + profit.sum() - w[taken].sum()), 0.0)
    return np.sort(order[taken]), gap


def _ranges(starts: Integers, lines: Integers, end: int) -> tuple[Integers, Integers]:
    """The indices of all cells of these rows, and where each row begins among them."""
    lengths = np.diff(starts, append=end)[lines]
    first = np.cumsum(lengths) - lengths
    return np.repeat(starts[lines] - first, lengths) + np.arange(lengths.sum()), first


def _two_best(cells: Integers, first: Integers, value: Floats) -> tuple[Integers, Floats, Floats]:
    """For each row the best cell, its value, and the second best value (at least 0, the value of no cell)."""
    top = np.maximum.reduceat(value, first)
    line = np.repeat(np.arange(len(first)), np.diff(first, append=len(cells)))
    at_top = np.flatnonzero(value == top[line])
    place = np.full(len(first), -1)
    place[line[at_top][::-1]] = at_top[::-1]
    rest = value.copy()
    rest[place] = 0.0
    return cells[place], top, np.maximum(np.maximum.reduceat(rest, first), 0.0)
