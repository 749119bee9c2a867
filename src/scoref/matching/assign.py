"""The best one-to-one assignment in a sparse table of weights.

Most cells of a coreference table are easy to decide: a cell that weighs at least as much as the best other cell of its
row and the best other cell of its column together is in some best assignment, because exchanging it for those two
cannot gain. Such cells are taken and their rows and columns removed, repeatedly. Of the remaining cells that are alone
in their row or column, only the best in each line is kept. The rest falls into connected components, which a library
solves: with a dense matrix if small or well filled, else with a sparse one. The result is always optimal.
"""

from __future__ import annotations

import numpy as np

from ..document.document import Flags, Floats, Integers

_ROUNDS = 20  # of taking easy cells; mostly enough, and without a limit there could be one for each row
_SMALL = 250_000  # cells of a component's full square, up to which the dense solver is used
_FILLED = 30  # or so many for each cell with a weight, so that memory grows with those cells only


def assign(row: Integers, column: Integers, weight: Floats) -> Integers:
    """The indices of the chosen cells, at most one in each row and column, with the greatest total weight.

    >>> cells = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0])
    >>> assign(*cells).tolist()
    [1, 2]
    """
    chosen = []
    left = np.flatnonzero(weight > 0)
    while len(left):
        i, j = row[left], column[left]
        taken = _decided(i, j, weight[left])
        if not len(taken):
            chosen += _solve(i, j, weight[left], left)
            break
        chosen.append(left[taken])
        left = left[~(_marked(i, taken) | _marked(j, taken))]
    return np.sort(np.concatenate(chosen)) if chosen else left


def _marked(line: Integers, taken: Integers) -> Flags:
    """Which cells share a line (row or column) with a cell that was taken."""
    marks = np.zeros(line.max() + 1, np.bool_)
    marks[line[taken]] = True
    return marks[line]


def strictly_best(row: Integers, column: Integers, weight: Floats) -> Integers | None:
    """The chosen cells, if it is easy to see that no other assignment is as good; else None.

    >>> strictly_best(np.array([0, 0]), np.array([0, 1]), np.array([3.0, 2.0])).tolist()
    [0]
    >>> strictly_best(np.array([0, 0]), np.array([0, 1]), np.array([2.0, 2.0]))
    """
    chosen: list[Integers] = []
    left = np.flatnonzero(weight > 0)
    for _ in range(_ROUNDS):
        if not len(left):
            return np.sort(np.concatenate(chosen)) if chosen else left
        i, j, w = row[left], column[left], weight[left]
        if np.bincount(i).max() == np.bincount(j).max() == 1:  # no cell has a rival
            return np.sort(np.concatenate((*chosen, left)))
        taken = np.flatnonzero(w > _best_other(i, w) + _best_other(j, w))
        if not len(taken):
            return None
        chosen.append(left[taken])
        left = left[~(_marked(i, taken) | _marked(j, taken))]
    return None


def _decided(row: Integers, column: Integers, weight: Floats) -> Integers:
    """Cells that weigh at least as much as their best rivals in row and column together; one for each line."""
    decided = np.flatnonzero(weight >= _best_other(row, weight) + _best_other(column, weight))
    for line in (row, column):  # of equally good rivals the first
        first = np.zeros(line.max() + 1, np.int64)
        first[line[decided[::-1]]] = decided[::-1]
        decided = decided[first[line[decided]] == decided]
    return decided


def _best_other(line: Integers, weight: Floats) -> Floats:
    """For each cell the greatest weight of the other cells in its line; 0 where there is none."""
    best, second = np.zeros((2, line.max() + 1))
    np.maximum.at(best, line, weight)
    at_best = weight == best[line]
    np.maximum.at(second, line[~at_best], weight[~at_best])
    alone = at_best & (np.bincount(line[at_best], minlength=len(best))[line] == 1)
    other: Floats = np.where(alone, second[line], best[line])
    return other


def _solve(row: Integers, column: Integers, weight: Floats, cells: Integers) -> list[Integers]:
    for swapped in (False, True):
        useful = _useful(column, row, weight) if swapped else _useful(row, column, weight)
        row, column, weight, cells = row[useful], column[useful], weight[useful], cells[useful]
    label = components(row, column)
    order = np.argsort(label, kind="stable")
    row, column, weight, cells, label = row[order], column[order], weight[order], cells[order], label[order]
    i, j = _within(label, row), _within(label, column)
    bounds = [0, *(np.flatnonzero(np.diff(label)) + 1).tolist(), len(label)]
    parts = map(slice, bounds[:-1], bounds[1:])
    return [cells[part][_solve_component(i[part], j[part], weight[part])] for part in parts]


def _solve_component(i: Integers, j: Integers, weight: Floats) -> Integers:
    rows, columns = int(i.max()) + 1, int(j.max()) + 1
    square, across = max(rows, columns) ** 2, min(rows, columns)
    if square <= max(_SMALL, _FILLED * len(i)):
        return np.flatnonzero(_solve_dense(i, j, weight, rows, columns))
    if len(i) > across**2:  # some line has more cells than can matter
        best = _best(i if rows < columns else j, weight, across)
        return best[assign(i[best], j[best], weight[best])]
    return np.flatnonzero(_solve_sparse(i, j, weight, rows, columns))


def _best(line: Integers, weight: Floats, lines: int) -> Integers:
    """The best cells of each line, as many as there are lines: the other lines can take at most all but one of them."""
    order = np.lexsort((-weight, line))
    rank = np.arange(len(line)) - np.searchsorted(line[order], line[order])
    return np.sort(order[rank < lines])


def _within(label: Integers, line: Integers) -> Integers:
    """The number of each cell's line among those of its component."""
    lines = np.flatnonzero(np.bincount(line))
    component = np.zeros(line.max() + 1, np.int64)
    component[line] = label
    lines = lines[np.argsort(component[lines], kind="stable")]
    number = np.zeros_like(component)
    number[lines] = np.arange(len(lines)) - np.searchsorted(component[lines], component[lines])
    return number[line]


def _useful(row: Integers, column: Integers, weight: Floats) -> Integers:
    """The cells, but of those of a row that are alone in their columns only the best: no more can be used."""
    alone = np.bincount(column)[column] == 1
    single = np.flatnonzero(alone)
    single = single[np.lexsort((-weight[single], row[single]))]
    return np.sort(np.append(np.flatnonzero(~alone), single[np.diff(row[single], prepend=-1) != 0]))


def components(row: Integers, column: Integers) -> Integers:
    """A label for each cell, the same for cells that are connected through rows and columns."""
    i: Integers = np.cumsum(np.bincount(row) > 0)[row] - 1  # numbers without gaps, rows first, then columns
    j: Integers = np.cumsum(np.bincount(column) > 0)[column] + i.max(initial=-1)
    parent = np.arange(j.max(initial=-1) + 1)
    while True:
        a, b = parent[i], parent[j]
        if np.array_equal(a, b):
            return a
        low, high = np.minimum(a, b), np.maximum(a, b)
        np.minimum.at(parent, high, low)
        while not np.array_equal(parent, parent[parent]):
            parent = parent[parent]


def _solve_dense(i: Integers, j: Integers, weight: Floats, rows: int, columns: int) -> Flags:
    import lap

    cost = np.full((rows, columns), weight.max())
    cost[i, j] -= weight
    partner = lap.lapjv(cost, extend_cost=rows != columns)[1]
    return np.asarray(partner[i] == j)


def _solve_sparse(i: Integers, j: Integers, weight: Floats, rows: int, columns: int) -> Flags:
    """The same without the full matrix: rows and columns may stay unassigned, which weighs 0.

    The table is extended to a square: a diagonal for unassigned rows, one for unassigned columns, and the transposed
    table for the rest. So a complete assignment always exists.
    """
    import lap

    top = weight.max()
    alone_rows, alone_columns = np.arange(rows), np.arange(columns)
    square_i = np.concatenate((i, alone_rows, rows + alone_columns, rows + j))
    square_j = np.concatenate((j, columns + alone_rows, alone_columns, columns + i))
    cost = np.concatenate((top - weight, np.full(rows + columns, top), np.full(len(i), top)))
    order = np.lexsort((square_j, square_i))
    starts = np.searchsorted(square_i[order], np.arange(rows + columns + 1))
    partner = lap.lapmod(rows + columns, cost[order], starts, square_j[order])[1]
    return np.asarray(partner[i] == j)
