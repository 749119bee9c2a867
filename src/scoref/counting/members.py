"""The members of sets of entities: for each pair of sets a small table of its own, on which the sets are compared."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .table import Entities, Table, TableCells, TableSide


class SetMembers:
    """The sets of both sides, and what their members are compared by: tables, as the key and as the response counts.

    All metrics share it.
    """

    def __init__(self, key: Entities, response: Entities, tables: tuple[Table, Table]) -> None:
        self.key, self.response, self.tables = key, response, tables

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every key set with every response set of its document, by the numbers of their entities."""
        return pairs_of_sets(self.key, self.response)

    @cached_property
    def members(self) -> tuple[Table, Table]:
        """The part of each table that the members of a pair of sets cut out, as a document of its own."""
        return self.of([(self.key.sets[row], self.response.sets[column]) for row, column in self.pairs])

    def of(self, pairs: list[tuple[list[int], list[int]]]) -> tuple[Table, Table]:
        """The same for any pairs of lists of entities."""
        recall, precision = self.tables
        first = _members(pairs, recall)
        return first, first if precision is recall else _members(pairs, precision)


def pairs_of_sets(key: Entities, response: Entities) -> list[tuple[int, int]]:
    """Every key set with every response set of its document, by the numbers of their entities."""
    by_document: dict[int, list[int]] = {}
    for number in sorted(response.sets):
        by_document.setdefault(response.document[number], []).append(number)
    return [(row, column) for row in sorted(key.sets) for column in by_document.get(key.document[row], [])]


def _members(pairs: list[tuple[list[int], list[int]]], table: Table) -> Table:
    """The part of the table that each pair of lists of entities cuts out, as a document of its own."""
    wanted = np.zeros(len(table.key.size), np.bool_)
    wanted[[row for rows, _ in pairs for row in rows]] = True
    some = np.flatnonzero(wanted[table.row])
    cells: dict[int, list[tuple[int, float]]] = {}
    for row, column, count in np.stack((table.row[some], table.column[some], table.n[some]), 1).tolist():
        cells.setdefault(row, []).append((column, count))
    found: list[tuple[int, int, float]] = []
    rows: list[int] = []
    columns: list[int] = []
    for ours, theirs in pairs:
        place = {column: len(columns) + index for index, column in enumerate(theirs)}
        for index, row in enumerate(ours, len(rows)):
            found += [(index, place[column], count) for column, count in cells.get(row, []) if column in place]
        rows += ours
        columns += theirs
    values = np.array(found).reshape(len(found), 3)
    places = values[:, :2].astype(np.int64)
    owners = [np.repeat(np.arange(len(pairs)), [len(pair[side]) for pair in pairs]) for side in range(2)]
    sizes = table.key.mentions[rows], table.response.mentions[columns]
    sides = [TableSide(size, owner) for size, owner in zip(sizes, owners, strict=True)]
    return Table(TableCells(places[:, 0], places[:, 1], values[:, 2]), sides[0], sides[1], len(pairs))
