"""Credit for accommodated sets, for any metric (Paun et al. 2023).

An entity may stand for a set of other entities: the antecedent of *they* in "Ada phoned the plumber. They agreed." Such
a set is one more element of the entity. How well a response set answers a key set is measured by the metric itself, on
their members; the sets of a document are aligned one to one with the greatest total f1; and the aligned sets' recall
(precision) is the credit δ of the cell that their entities share, from which the metric functions do the rest.

All pairs of sets are compared at once: each pair is a document in a table of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..model import Integers
from .assign import assign
from .metrics import Metric, document_counts, ratios
from .table import Entities, Floats, Table, Tables

SPLITS = ("credit", "ignore", "only", "distribute")
CREDITS = ("directional", "ua-1.0", "yu-2021")

_TIE = 1e-9  # what a shared mention weighs against f1: it decides between equally good alignments only


class Pairs(NamedTuple):
    """Key sets with response sets of one document: the numbers of their entities, the metric's counts and scores."""

    row: Integers
    column: Integers
    counts: Floats
    scores: Floats


def credited(metric: Metric, tables: Tables, key: Entities, response: Entities, credit: str) -> tuple[Table, Table]:
    """The tables for recall and for precision, with the credit that the metric gives to aligned sets."""
    if credit == "yu-2021":
        common = common_members(tables.every, key, response)
        recall, precision = (
            _with_credit(table, _best(common, direction), direction)
            for direction, table in enumerate(metric.tables(tables, credit))
        )
        return recall, precision
    pairs = _aligned(_compared(metric, tables.every, key, response, credit), tables.every)
    directions = (2, 2) if metric.shares != "last" and credit == "ua-1.0" else (0, 1)
    recall, precision = (
        _with_credit(table, pairs, direction)
        for table, direction in zip(metric.tables(tables, credit), directions, strict=True)
    )
    return recall, precision


def sets_only(metric: Metric, table: Table, key: Entities, response: Entities, credit: str) -> Floats:
    """For each document the counts of its sets alone, in the order of `metrics.document_counts`.

    Numerators are those of aligned sets; a set without partner counts in its own side's denominator.
    """
    pairs = _aligned(_compared(metric, table, key, response, credit), table)
    alone: list[tuple[list[int], list[int]]] = [(members, []) for members in key.sets.values()]
    alone += [([], members) for members in response.sets.values()]
    counts = _inside(metric, alone, table)
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
    chosen = chosen[pairs.scores[chosen, direction] > 0]
    return Pairs(pairs.row[chosen], pairs.column[chosen], pairs.counts[chosen], pairs.scores[chosen])


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


def _compared(metric: Metric, table: Table, key: Entities, response: Entities, credit: str) -> Pairs:
    """Every key set with every response set of its document, compared by the metric on their members."""
    pairs = _pairs(key, response)
    counts = _inside(metric, [(key.sets[row], response.sets[column]) for row, column in pairs], table)
    scores = ratios(counts)
    if credit == "directional":  # neither set has anything to find: 0/0 counts as 1
        scores[(counts[:, 1] == 0) & (counts[:, 3] == 0)] = 1
    both = np.array(pairs, np.int64).reshape(len(pairs), 2)
    return Pairs(both[:, 0], both[:, 1], counts, scores)


def _inside(metric: Metric, pairs: list[tuple[list[int], list[int]]], table: Table) -> Floats:
    """The metric's counts for each pair of lists of entities, as if they were all there is."""
    wanted = np.zeros(len(table.key_size), np.bool_)
    wanted[[row for rows, _ in pairs for row in rows]] = True
    cells: dict[int, list[tuple[int, float]]] = {}
    for cell in np.flatnonzero(wanted[table.row]).tolist():
        cells.setdefault(int(table.row[cell]), []).append((int(table.column[cell]), float(table.count[cell])))
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
    members = Table(
        places[:, 0], places[:, 1], values[:, 2], table.key_mentions[rows], table.transposed.key_mentions[columns],
        owners[0], owners[1], len(pairs),
    )  # fmt: skip
    counts = document_counts(metric._replace(function=metric.inside or metric.function, twinless="as-is"), members)
    counts[:, ::2] = np.minimum(counts[:, ::2], counts[:, 1::2])  # a mention of two members counts once
    return counts


def _aligned(pairs: Pairs, table: Table) -> Pairs:
    """The pairs of the best alignment; of equally good ones that whose entities share more mentions."""
    shared = dict(zip(zip(table.row.tolist(), table.column.tolist(), strict=True), table.count, strict=True))
    ties = np.array([shared.get(pair, 0.0) for pair in zip(pairs.row.tolist(), pairs.column.tolist(), strict=True)])
    f1 = pairs.scores[:, 2]
    chosen = assign(pairs.row, pairs.column, np.where(f1 > 0, f1 + _TIE * ties, 0.0))
    return Pairs(pairs.row[chosen], pairs.column[chosen], pairs.counts[chosen], pairs.scores[chosen])


def _with_credit(table: Table, pairs: Pairs, direction: int) -> Table:
    """The table with these credits; cells that it lacks are added with count 0."""
    width = len(table.response_size)
    cells, wanted = table.row * width + table.column, pairs.row * width + pairs.column
    codes = np.union1d(cells, wanted)
    count, credit = np.zeros(len(codes)), np.zeros(len(codes))
    count[np.searchsorted(codes, cells)] = table.count
    credit[np.searchsorted(codes, wanted)] = pairs.scores[:, direction]
    return replace(table, row=codes // width, column=codes % width, count=count, credit=credit)
