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

from ..document.document import Integers
from ..matching.assign import assign
from ..matching.ties import WeightedCells, first_best
from .corpus import Corpus, SetMembers, pairs_of_sets
from .metrics import Counts, Metric, PerEntity, Rules, counted, ratios
from .table import Entities, Floats, Table, TableCells, Tables

_TIE = 1e-9  # weight of a shared mention beside f1: it only breaks ties


class SetPairs(NamedTuple):
    """Key sets with response sets of one document: the numbers of their entities, the metric's counts and scores."""

    row: Integers
    column: Integers
    counts: Floats
    scores: Floats

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], counts: Floats, scores: Floats) -> SetPairs:
        """Set pairs from pairs of entity numbers, counts and scores."""
        both = np.array(pairs, np.int64).reshape(len(pairs), 2)
        return cls(both[:, 0], both[:, 1], counts, scores)

    def only(self, chosen: Integers) -> SetPairs:
        """Some of the pairs."""
        return SetPairs._make(each[chosen] for each in self)


def credited(metric: Metric, tables: Tables, sets: SetMembers, credit: str) -> tuple[Table, Table]:
    """The tables for recall and for precision, with the credit that the metric gives to aligned sets."""
    both = metric.rules.tables(tables, credit)
    directions = (2, 2) if _mutual(metric, credit) else (0, 1)
    if credit == "yu-2021":
        common = common_members(tables.every, sets.key, sets.response)
        credits = [_best(common, side) for side in directions]
    else:
        aligned = _aligned(_compared(metric, sets, credit), tables.every, credit)
        pairs = _with_identical(metric, aligned, sets, credit)
        credits = [pairs, pairs]
    recall, precision = map(_with_credit, both, credits, directions)
    return recall, precision


def _mutual(metric: Metric, credit: str) -> bool:
    """Whether the f1 of aligned sets is their credit in both directions, as the scorer ua-1.0 has it."""
    return metric.rules.repeated != "last" and credit == "ua-1.0"


def sets_only(metric: Metric, corpus: Corpus, credit: str, twinless: str) -> Floats | None:
    """For each document the counts of its sets alone.

    Numerators are those of aligned sets; a set without partner counts in its own side's denominator.
    """
    sets, table = corpus.sets, corpus.tables.every
    key, response = sets.key, sets.response
    pairs = _aligned(_compared(metric, sets, credit), table, credit)
    alone: list[tuple[list[int], list[int]]] = [(members, []) for members in key.sets.values()]
    alone += [([], members) for members in response.sets.values()]
    counts = _inside(metric, sets.of(alone), credit)
    owners = [key.document[number] for number in key.sets] + [response.document[number] for number in response.sets]
    found = np.zeros((table.documents, 4))
    np.add.at(found[:, 1::2], np.array(owners, np.int64), counts[:, 1::2])
    np.add.at(found[:, ::2], table.key.document[pairs.row], pairs.counts[:, ::2])
    return found


def common_members(table: Table, key: Entities, response: Entities) -> SetPairs:
    """Every key set with every response set of its document, and how many members they have in common.

    Members are the same if one alignment by CEAFe of all entities pairs them (Yu et al. 2021). Counts are the common
    members and the sizes of the sets; scores are their ratios.
    """
    similarity = 2 * table.n / (table.k + table.r)
    plain = [side.mentions == side.size for side in (table.key, table.response)]
    atomic = plain[0][table.row] & plain[1][table.column]
    chosen = assign(table.row, table.column, np.where(atomic, similarity, 0.0))
    partner = dict(zip(table.column[chosen].tolist(), table.row[chosen].tolist(), strict=True))
    pairs = pairs_of_sets(key, response)
    counts = np.zeros((len(pairs), 4))
    for number, (row, column) in enumerate(pairs):
        ours, theirs = set(key.sets[row]), response.sets[column]
        common = len(ours & {partner.get(member) for member in theirs})
        counts[number] = common, len(ours), common, len(theirs)
    return SetPairs.of(pairs, counts, ratios(counts))


def _best(pairs: SetPairs, direction: int) -> SetPairs:
    """For each set of one side its best partner, which several sets may share; ties go to the first."""
    line = pairs.column if direction else pairs.row
    order = np.lexsort((pairs.column, pairs.row, -pairs.scores[:, direction], line))
    chosen = order[np.flatnonzero(np.diff(line[order], prepend=-1))]
    return pairs.only(chosen[pairs.scores[chosen, direction] > 0])


def best_members(pairs: SetPairs, key: Entities, response: Entities) -> Counts:
    """For key sets and for response sets: members in common with the best partner, of all members."""
    counts: list[float] = []
    for direction, side in enumerate((key, response)):
        line = pairs.column if direction else pairs.row
        best = {number: float(pairs.counts[line == number, 0].max(initial=0)) for number in side.sets}
        counts += [sum(best.values()), float(sum(len(members) for members in side.sets.values()))]
    return counts[0], counts[1], counts[2], counts[3]


def _compared(metric: Metric, sets: SetMembers, credit: str) -> SetPairs:
    """Every key set with every response set of its document, compared by the metric on their members."""
    counts = _inside(metric, sets.members, credit)
    scores = ratios(counts)
    if credit == "directional":  # neither set has anything to find: 0/0 counts as 1
        scores[(counts[:, 1] == 0) & (counts[:, 3] == 0)] = 1
    return SetPairs.of(sets.pairs, counts, scores)


def _inside(metric: Metric, members: tuple[Table, Table], credit: str) -> Floats:
    """The metric's counts for each pair of lists of members, as if there were no other entities."""
    how = metric.on_table
    if isinstance(how, PerEntity) and how.inside:
        how = PerEntity(*how.inside)
    mutual = _mutual(metric, credit)
    counts = counted(how._replace(rules=Rules()), (members[0], members[0]) if mutual else members).documents
    if members[1] is members[0] or not mutual:
        counts[:, ::2] = np.minimum(counts[:, ::2], counts[:, 1::2])  # a mention of two members counts once
    return counts


def _aligned(pairs: SetPairs, table: Table, credit: str) -> SetPairs:
    """The pairs of the best one-to-one alignment; ties go to entities that share more mentions.

    The scorer ua-1.0 takes the one that scipy finds, with the sets in the order of the file; pairs with an f1 of 0 too.
    """
    f1 = pairs.scores[:, 2]
    if credit == "ua-1.0":
        chosen = _first_best(f1, pairs.row, table.key.document[pairs.row])
    else:
        shared = dict(zip(zip(table.row.tolist(), table.column.tolist(), strict=True), table.n, strict=True))
        cells = zip(pairs.row.tolist(), pairs.column.tolist(), strict=True)
        ties = np.array([shared.get(cell, 0.0) for cell in cells])
        chosen = assign(pairs.row, pairs.column, np.where(f1 > 0, f1 + _TIE * ties, 0.0))
    return pairs.only(chosen)


def _first_best(weight: Floats, row: Integers, document: Integers) -> Integers:
    """The cells that scipy would choose; `weight` holds the full matrices of all documents, row by row."""
    chosen = []
    for cells in np.split(np.arange(len(weight)), np.flatnonzero(np.diff(document)) + 1):
        if len(cells):
            matrix = weight[cells].reshape(np.count_nonzero(np.diff(row[cells])) + 1, -1)
            i, j = np.nonzero(matrix)
            weights = WeightedCells(len(matrix), matrix.shape[1], i, j, matrix[i, j])
            chosen += [int(cells[i * matrix.shape[1] + j]) for i, j in first_best(weights)]
    return np.array(chosen, np.int64)


def _with_identical(metric: Metric, pairs: SetPairs, sets: SetMembers, credit: str) -> SetPairs:
    """The pairs, and for ua-1.0 the identical response set for each key set that has no partner."""
    if credit != "ua-1.0" or not metric.rules.finds_sets:
        return pairs
    table, key, response = sets.tables[0], sets.key, sets.response
    sizes = table.key.mentions, table.response.mentions
    full = (table.n == sizes[0][table.row]) & (table.n == sizes[1][table.column])
    same = set(zip(table.row[full].tolist(), table.column[full].tolist(), strict=True))
    known = {*pairs.row[pairs.scores[:, 2] > 0].tolist()}
    more = [
        (row, column)
        for row, column in sets.pairs
        if row not in known
        and len(key.sets[row]) == len(response.sets[column])
        and all(any((ours, theirs) in same for theirs in response.sets[column]) for ours in key.sets[row])
    ]
    identical = SetPairs.of(more, np.zeros((len(more), 4)), np.ones((len(more), 3)))
    return SetPairs._make(map(np.concatenate, zip(pairs, identical, strict=True)))


def _with_credit(table: Table, pairs: SetPairs, direction: int) -> Table:
    """The table with these credits; cells that it lacks are added with count 0."""
    width = len(table.response.size)
    cells, wanted = table.row * width + table.column, pairs.row * width + pairs.column
    codes = np.sort(np.concatenate((cells, wanted)))
    codes = codes[np.diff(codes, prepend=-1) > 0]
    count, credit = np.zeros(len(codes)), np.zeros(len(codes))
    count[np.searchsorted(codes, cells)] = table.n
    credit[np.searchsorted(codes, wanted)] = pairs.scores[:, direction]
    return replace(table, cells=TableCells(codes // width, codes % width, count, credit))
