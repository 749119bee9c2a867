"""Credit for accommodated sets, for any metric (Paun et al. 2023).

An entity may stand for a set of other entities: the antecedent of *they* in "Ada phoned the plumber. They agreed." Such
a set is one more element of the entity. How well a response set answers a key set is measured by the metric itself, on
their members; the sets of a document are aligned one to one with the greatest total f1; and the aligned sets' recall
(precision) is the credit δ of the cell that their entities share, from which the metric functions do the rest.

All pairs of sets are compared at once: each pair is a document in a table of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..document.document import Integers
from ..matching.assign import assign
from ..matching.ties import WeightedCells, first_best
from .metrics import Metric, document_counts, ratios
from .table import Entities, Floats, Table, Tables

_TIE = 1e-9  # what a shared mention weighs against f1: it decides between equally good alignments only


class Pairs(NamedTuple):
    """Key sets with response sets of one document: the numbers of their entities, the metric's counts and scores."""

    row: Integers
    column: Integers
    counts: Floats
    scores: Floats


class Inside:
    """The sets of both sides, and what their members are compared by: tables, as the key and as the response counts.

    All metrics share it.
    """

    def __init__(self, key: Entities, response: Entities, tables: tuple[Table, Table]) -> None:
        self.key, self.response, self.tables = key, response, tables

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every key set with every response set of its document, by the numbers of their entities."""
        return _pairs(self.key, self.response)

    @cached_property
    def members(self) -> tuple[Table, Table]:
        """The part of each table that the members of a pair of sets cut out, as a document of its own."""
        return self.of([(self.key.sets[row], self.response.sets[column]) for row, column in self.pairs])

    def of(self, pairs: list[tuple[list[int], list[int]]]) -> tuple[Table, Table]:
        """The same for any pairs of lists of entities."""
        recall, precision = self.tables
        first = _members(pairs, recall)
        return first, first if precision is recall else _members(pairs, precision)


def credited(
    metric: Metric, tables: Tables, key: Entities, response: Entities, credit: str, inside: Inside | None = None
) -> tuple[Table, Table]:
    """The tables for recall and for precision, with the credit that the metric gives to aligned sets."""
    both = metric.tables(tables, credit)
    if credit == "yu-2021":
        common = common_members(tables.every, key, response)
        recall, precision = (_with_credit(table, _best(common, side), side) for side, table in enumerate(both))
        return recall, precision
    inside = inside or Inside(key, response, (tables.every, tables.every))
    pairs = _aligned(_compared(metric, inside, credit), tables.every, credit)
    mutual = metric.shares != "last" and credit == "ua-1.0"
    lines = (0, 0) if metric.shares == "mutual" and credit == "ua-1.0" else (0, 1)
    given = [_with_found(metric, pairs, inside, line, credit) for line in lines]
    recall, precision = (
        _with_credit(table, each, 2 if mutual else side)
        for side, (table, each) in enumerate(zip(both, given, strict=True))
    )
    return recall, precision


def sets_only(
    metric: Metric, table: Table, key: Entities, response: Entities, credit: str, inside: Inside | None = None
) -> Floats:
    """For each document the counts of its sets alone, in the order of `metrics.document_counts`.

    Numerators are those of aligned sets; a set without partner counts in its own side's denominator.
    """
    inside = inside or Inside(key, response, (table, table))
    pairs = _aligned(_compared(metric, inside, credit), table, credit)
    alone: list[tuple[list[int], list[int]]] = [(members, []) for members in key.sets.values()]
    alone += [([], members) for members in response.sets.values()]
    counts = _inside(metric, inside.of(alone), credit)
    owners = [key.document[number] for number in key.sets] + [response.document[number] for number in response.sets]
    found = np.zeros((table.documents, 4))
    np.add.at(found[:, 1::2], np.array(owners, np.int64), counts[:, 1::2])
    np.add.at(found[:, ::2], table.key_document[pairs.row], pairs.counts[:, ::2])
    return found


def common_members(table: Table, key: Entities, response: Entities) -> Pairs:
    """Every key set with every response set of its document, and how many members they have in common.

    Members are the same where CEAFe aligns them, one to one and once and for all (Yu et al. 2021). Counts are the
    common members and the sizes of the sets; scores their shares.
    """
    similarity = 2 * table.count / (table.key_size[table.row] + table.response_size[table.column])
    atomic = (table.key_sets[table.row] == 0) & (table.response_sets[table.column] == 0)
    chosen = assign(table.row, table.column, np.where(atomic, similarity, 0.0))
    partner = dict(zip(table.column[chosen].tolist(), table.row[chosen].tolist(), strict=True))
    pairs = _pairs(key, response)
    counts = np.zeros((len(pairs), 4))
    for number, (row, column) in enumerate(pairs):
        ours, theirs = set(key.sets[row]), response.sets[column]
        common = len(ours & {partner.get(member) for member in theirs})
        counts[number] = common, len(ours), common, len(theirs)
    scores = ratios(counts)
    both = np.array(pairs, np.int64).reshape(len(pairs), 2)
    return Pairs(both[:, 0], both[:, 1], counts, scores)


def _best(pairs: Pairs, direction: int) -> Pairs:
    """For each set of one side its best partner of the other, also if others have it too; of equals the first."""
    line = pairs.column if direction else pairs.row
    order = np.lexsort((pairs.column, pairs.row, -pairs.scores[:, direction], line))
    chosen = order[np.flatnonzero(np.diff(line[order], prepend=-1))]
    return _some(pairs, chosen[pairs.scores[chosen, direction] > 0])


def best_members(pairs: Pairs, key: Entities, response: Entities) -> tuple[float, float, float, float]:
    """Members of the best partners, of all members, for key and for response sets."""
    counts: list[float] = []
    for direction, side in enumerate((key, response)):
        line = pairs.column if direction else pairs.row
        best = {number: float(pairs.counts[line == number, 0].max(initial=0)) for number in side.sets}
        counts += [sum(best.values()), float(sum(len(members) for members in side.sets.values()))]
    return counts[0], counts[1], counts[2], counts[3]


def _pairs(key: Entities, response: Entities) -> list[tuple[int, int]]:
    by_document: dict[int, list[int]] = {}
    for number in sorted(response.sets):
        by_document.setdefault(response.document[number], []).append(number)
    return [(row, column) for row in sorted(key.sets) for column in by_document.get(key.document[row], [])]


def _compared(metric: Metric, inside: Inside, credit: str) -> Pairs:
    """Every key set with every response set of its document, compared by the metric on their members."""
    counts = _inside(metric, inside.members, credit)
    scores = ratios(counts)
    if credit == "directional":  # neither set has anything to find: 0/0 counts as 1
        scores[(counts[:, 1] == 0) & (counts[:, 3] == 0)] = 1
    both = np.array(inside.pairs, np.int64).reshape(len(inside.pairs), 2)
    return Pairs(both[:, 0], both[:, 1], counts, scores)


def _inside(metric: Metric, members: tuple[Table, Table], credit: str) -> Floats:
    """The metric's counts for each pair of lists of entities, as if they were all there is."""
    alone = metric._replace(function=metric.inside or metric.function, twinless="as-is")
    mutual = metric.shares != "last" and credit == "ua-1.0"
    counts = document_counts(alone, (members[0], members[0]) if mutual else members)
    if members[1] is members[0] or not mutual:
        counts[:, ::2] = np.minimum(counts[:, ::2], counts[:, 1::2])  # a mention of two members counts once
    return counts


def _members(pairs: list[tuple[list[int], list[int]]], table: Table) -> Table:
    """The part of the table that each pair of lists of entities cuts out, as a document of its own."""
    wanted = np.zeros(len(table.key_size), np.bool_)
    wanted[[row for rows, _ in pairs for row in rows]] = True
    some = np.flatnonzero(wanted[table.row])
    cells: dict[int, list[tuple[int, float]]] = {}
    for row, column, count in np.stack((table.row[some], table.column[some], table.count[some]), 1).tolist():
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
    return Table(
        places[:, 0], places[:, 1], values[:, 2], table.key_mentions[rows], table.transposed.key_mentions[columns],
        owners[0], owners[1], len(pairs),
    )  # fmt: skip


def _aligned(pairs: Pairs, table: Table, credit: str) -> Pairs:
    """The pairs of the best alignment; of equally good ones that whose entities share more mentions.

    The scorer ua-1.0 takes the one that scipy finds, with the sets in the order of the file; pairs with an f1 of 0 too.
    """
    f1 = pairs.scores[:, 2]
    if credit == "ua-1.0":
        chosen = _first_best(f1, pairs.row, table.key_document[pairs.row])
    else:
        shared = dict(zip(zip(table.row.tolist(), table.column.tolist(), strict=True), table.count, strict=True))
        cells = zip(pairs.row.tolist(), pairs.column.tolist(), strict=True)
        ties = np.array([shared.get(cell, 0.0) for cell in cells])
        chosen = assign(pairs.row, pairs.column, np.where(f1 > 0, f1 + _TIE * ties, 0.0))
    return _some(pairs, chosen)


def _some(pairs: Pairs, chosen: Integers) -> Pairs:
    return Pairs(pairs.row[chosen], pairs.column[chosen], pairs.counts[chosen], pairs.scores[chosen])


def _first_best(weight: Floats, row: Integers, document: Integers) -> Integers:
    """The cells that are chosen from the full matrices of documents, which stand one behind the other, row by row."""
    chosen = []
    for cells in np.split(np.arange(len(weight)), np.flatnonzero(np.diff(document)) + 1):
        if len(cells):
            matrix = weight[cells].reshape(np.count_nonzero(np.diff(row[cells])) + 1, -1)
            i, j = np.nonzero(matrix)
            weights = WeightedCells(len(matrix), matrix.shape[1], i, j, matrix[i, j])
            chosen += [int(cells[i * matrix.shape[1] + j]) for i, j in first_best(weights)]
    return np.array(chosen, np.int64)


_LOOKED_UP = ("lea", "pairwise", "nonlinks")  # where ua-1.0 looks sets up like mentions
UNSETTLED = (*_LOOKED_UP, "blanc")  # where its numbers depend on the order of Python sets


def _with_found(metric: Metric, pairs: Pairs, inside: Inside, line: int, credit: str) -> Pairs:
    """The pairs, and for each set of one side without partner the identical set of the other, as ua-1.0 has it."""
    if credit != "ua-1.0" or metric.name not in _LOOKED_UP:
        return pairs
    table, key, response = inside.tables[0], inside.key, inside.response
    sizes = table.key_mentions, table.transposed.key_mentions
    full = (table.count == sizes[0][table.row]) & (table.count == sizes[1][table.column])
    same = set(zip(table.row[full].tolist(), table.column[full].tolist(), strict=True))
    known = {*pairs[line][pairs.scores[:, 2 if metric.shares == "mutual" else line] > 0].tolist()}
    more = [
        (row, column)
        for row, column in inside.pairs
        if (row, column)[line] not in known
        and len(key.sets[row]) == len(response.sets[column])
        and all(any((ours, theirs) in same for theirs in response.sets[column]) for ours in key.sets[row])
    ]
    both = np.array(more, np.int64).reshape(len(more), 2)
    counts, scores = np.zeros((len(more), 4)), np.ones((len(more), 3))
    return Pairs(*(np.concatenate(each) for each in zip(pairs, (*both.T, counts, scores), strict=True)))


def _with_credit(table: Table, pairs: Pairs, direction: int) -> Table:
    """The table with these credits; cells that it lacks are added with count 0."""
    width = len(table.response_size)
    cells, wanted = table.row * width + table.column, pairs.row * width + pairs.column
    codes = np.sort(np.concatenate((cells, wanted)))
    codes = codes[np.diff(codes, prepend=-1) > 0]
    count, credit = np.zeros(len(codes)), np.zeros(len(codes))
    count[np.searchsorted(codes, cells)] = table.count
    credit[np.searchsorted(codes, wanted)] = pairs.scores[:, direction]
    return replace(table, row=codes // width, column=codes % width, count=count, credit=credit)
