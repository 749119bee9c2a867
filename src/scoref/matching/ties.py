"""Finds the assignment that `scipy.optimize` would give among equally good ones, without the full matrix.

Other scorers put all mentions into one matrix, with costs of 0 where two mentions have nothing in common, and take what
`linear_sum_assignment` finds: their numbers depend on it where mentions compete on equal terms. It adds row after row
by a shortest augmenting path (Crouse 2016). The *distance* of a column from a visited row is

    least + cost(row, column) - price(row) - price(column),

where `least` is the distance at which the row was reached. The nearest open column is visited next. Of equally near
ones it is the last free one in a list of open columns, else the first; a column that is visited leaves the list, and
the last one takes its place. The list begins with the columns in reverse. A free column ends the path.

Only the cells with a weight are needed for this, by the following argument. It assumes only that rounding is monotone,
so it holds for floating-point numbers; sums are made in the same order as there.

1. A free column has the price 0: prices change by `least` minus the distance, and where a path ends that is 0.
2. A row costs 0 at most in any column. So from a visited row a free column is at most `least - price(row)` away. Let
   `bound` be the least such number of the visited rows: all free columns are at most that far.
3. A column without a weight in the visited rows is at least `bound` away, if its price is not above 0. So are cells
   without weight of any column. Only rounding lifts a price above 0; such columns are looked at in every row.
4. So a column that is nearer than `bound` is so by a cell with a weight, and is found among those. If there is none,
   all free columns are exactly `bound` away, by 2, and the path ends in the last of them in the list.
5. The list has moved only as many columns as were visited. A free column c is at its place unless c is less than that.

The columns that are looked at are those with weights in visited rows. What is visited lies within a group of mentions
that compete, or next to one.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from ..document.document import Floats, Integers

_WIDE = 60  # rows with more cells use array operations, which are faster there
_NEVER = float("inf")


class WeightedCells(NamedTuple):
    """The cells of a matrix with a weight, each once; all others weigh 0."""

    rows: int
    columns: int
    row: Integers
    column: Integers
    weight: Floats


def first_best(weights: WeightedCells) -> list[tuple[int, int]]:
    """The assignment of the greatest total weight, of all rows or of all columns, that scipy gives.

    >>> cells = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 1.0, 1.0])
    >>> first_best(WeightedCells(2, 2, *cells))
    [(0, 1), (1, 0)]
    """
    if weights.columns < weights.rows:
        turned = WeightedCells(weights.columns, weights.rows, weights.column, weights.row, weights.weight)
        return sorted((row, column) for column, row in first_best(turned))
    found = _Assignment(weights)
    for row in range(weights.rows):
        found.add(row)
    return list(enumerate(found.column_of))


class _Assignment:
    """The assignment of the rows so far, and the prices of rows and columns."""

    def __init__(self, weights: WeightedCells) -> None:
        order = np.argsort(weights.row, kind="stable")
        self._starts = np.searchsorted(weights.row[order], np.arange(weights.rows + 1)).tolist()
        self._columns, self._costs = weights.column[order], -weights.weight[order]
        self.number = weights.columns
        self.column_of, self.row_of = [-1] * weights.rows, [-1] * weights.columns
        self.row_price, self._column_prices = [0.0] * weights.rows, np.zeros(weights.columns)
        self.column_price: Any = self._column_prices.data  # the same memory, read as plain floats
        self.lifted: set[int] = set()  # columns with a price above 0
        self._next = list(range(weights.columns + 1))

    def next_free(self, column: int) -> int:
        """The first free column from this one on, or the number of columns."""
        while self._next[column] != column:
            self._next[column] = self._next[self._next[column]]
            column = self._next[column]
        return column

    def add(self, start: int) -> None:
        """Assign one more row, by a shortest path to a free column."""
        if self._starts[start] == self._starts[start + 1] and not self.lifted:
            column = self.next_free(0)  # all free columns are equally near, and no other is nearer
            self.row_of[column], self.column_of[start], self._next[column] = start, column, column + 1
            return
        path = _Path(self)
        row, least = start, 0.0
        while True:
            path.visit(row, least, *self._near(row, least, path))
            column, least = path.leave()
            if self.row_of[column] == -1:
                break
            row = self.row_of[column]
        self._raise_prices(path, start, least)
        self._next[column] = column + 1
        while True:
            row = path.before[column]
            self.row_of[column] = row
            column, self.column_of[row] = self.column_of[row], column
            if row == start:
                break

    def _near(self, row: int, least: float, path: _Path) -> tuple[list[int], list[float]]:
        """The columns that may be nearer than `bound` from this row, and their distances."""
        cells = slice(self._starts[row], self._starts[row + 1])
        columns, costs, price = self._columns[cells], self._costs[cells], self.row_price[row]
        if len(columns) < _WIDE:
            near, prices = columns.tolist(), self.column_price
            far = [least + cost - price - prices[column] for column, cost in zip(near, costs.tolist(), strict=True)]
        else:
            reached = least + costs - price - self._column_prices[columns]
            some = np.flatnonzero(reached <= min(path.bound, least - price))
            near, far = columns[some].tolist(), reached[some].tolist()
        if self.lifted:
            others = self.lifted.difference(columns.tolist())
            near += others
            far += [least - price - self.column_price[column] for column in others]
        return near, far

    def _raise_prices(self, path: _Path, start: int, least: float) -> None:
        distance, prices = path.distance, self.column_price
        self.row_price[start] += least
        for row in path.rows[1:]:
            self.row_price[row] += least - distance[self.column_of[row]]
        for column in path.left:
            prices[column] -= least - distance[column]
            if prices[column] > 0:
                self.lifted.add(column)
            else:
                self.lifted.discard(column)


class _Path:
    """The search for one path: visited rows and columns, the list of open columns, distances."""

    def __init__(self, assignment: _Assignment) -> None:
        self._of = assignment
        self._last = assignment.number - 1
        self.rows: list[int] = []
        self.left: dict[int, None] = {}
        self.distance: dict[int, float] = {}
        self.before: dict[int, int] = {}
        self.bound = _NEVER
        self._nearest = -1  # the row that gives the bound
        self._queue: list[tuple[float, int, int]] = []
        self._place: dict[int, int] = {}  # the places of columns that moved within the list
        self._at: dict[int, int] = {}

    def visit(self, row: int, least: float, columns: list[int], distances: list[float]) -> None:
        """Visit a row: update the distances of these columns."""
        self.rows.append(row)
        if least - self._of.row_price[row] < self.bound:
            self.bound, self._nearest = least - self._of.row_price[row], row
        for column, distance in zip(columns, distances, strict=True):
            if distance <= self.bound and distance < self.distance.get(column, _NEVER) and column not in self.left:
                self.distance[column], self.before[column] = distance, row
                if distance < self.bound:
                    heappush(self._queue, (distance, self._rank(column), column))

    def leave(self) -> tuple[int, float]:
        """Remove the nearest open column from the list; gives it and its distance."""
        queue = self._queue
        while queue and not self._holds(queue[0]):
            heappop(queue)
        if queue and queue[0][0] < self.bound:
            column = queue[0][2]
        else:
            column = self._last_free()
            if self.distance.get(column) != self.bound or self._is_later(column):
                self.distance[column], self.before[column] = self.bound, self._nearest
        self._take(column)
        return column, self.distance[column]

    def _holds(self, entry: tuple[float, int, int]) -> bool:
        distance, rank, column = entry
        return column not in self.left and distance == self.distance[column] and rank == self._rank(column)

    def _is_later(self, column: int) -> bool:
        """Whether the row that a column was reached from was visited after the row that gives the bound."""
        return self.rows.index(self.before[column]) > self.rows.index(self._nearest)

    def _rank(self, column: int) -> int:
        """The rank of a column: of equally near ones, the one with the least rank is next."""
        place = self._place.get(column, self._of.number - 1 - column)
        return -1 - place if self._of.row_of[column] == -1 else place

    def _last_free(self) -> int:
        free = [column for column in self._place if self._of.row_of[column] == -1]
        column = self._of.next_free(len(self.left))
        if column < self._of.number:
            free.append(column)
        return min(free, key=self._rank)

    def _take(self, column: int) -> None:
        """Take a column out of the list; the last one moves to its place."""
        moved = self._at.get(self._last, self._of.number - 1 - self._last)
        self.left[column] = None
        self._last -= 1
        if moved != column:
            place = self._place.get(column, self._of.number - 1 - column)
            self._place[moved], self._at[place] = place, moved
            if self.distance.get(moved, _NEVER) < self.bound:
                heappush(self._queue, (self.distance[moved], self._rank(moved), moved))
