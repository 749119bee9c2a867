"""Scores repaired responses from the table alone, without building and aligning repaired documents.

The steps are those of `repair`. If mentions are matched by their words, and only singletons are dropped before scoring,
the sizes and shared mentions of repaired entities are sums over the parts that `repair` moves: see `applies`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from ...counting.metrics import Links, document_counts
from ...counting.table import Floats, Settings, Table, TableCells, TableSide, without
from ...document.document import Integers
from ...matching.assign import components
from ...relations.registry import METRICS, needed, on_table
from ...results.evaluation import Evaluation
from ..finding import firsts
from ..mistakes import KINDS
from ..twins import Flags, Twins

SPAN, CONFLATED, EXTRA, EXTRA_ENTITY, DIVIDED, MISSING, MISSING_ENTITY = KINDS
_USUAL = {"match": "exact", "zeros": "linear", "nested": "keep", "mentions": "all", "lost": "count", "weights": "none"}


def applies(evaluation: Evaluation) -> bool:
    """Whether repaired responses can be scored by their table: one alignment by words, no sets, nothing dropped."""
    protocol, evidence = evaluation.protocol, evaluation.evidence
    usual = all(getattr(protocol, choice) == word for choice, word in _USUAL.items())
    links = any(isinstance(METRICS[name].how, Links) for name in needed(filter(on_table, protocol.metrics)))
    if not usual or links or protocol.preparing.split == "distribute":
        return False
    for pair, (key, response, lookups) in zip(evidence.pairs, evidence.aligned, strict=True):
        read = pair.response.deixis if protocol.reading.layer == "deixis" else pair.response
        if lookups.recall is not lookups.precision or lookups.recall is not lookups.every or any(lookups.copies):
            return False
        if any(side.sets or side.hidden for side in (key, response)):
            return False
        if read and (read.sets or read.nonreferring or (read.mentions is not response.mentions and read.repeats())):
            return False
    return True


class _EntityParts(NamedTuple):
    """For each entity of one side: whether it has aligned mentions, the cell of the first, the number of twinless ones.

    `begins_alone` says that its first mention is twinless.
    """

    aligned: Flags
    first: Integers
    alone: Integers
    begins_alone: Flags
    size: Integers


class Rescoring:
    """The counts of repaired responses: for each home, of every metric on entities."""

    def __init__(self, twins: Twins, evaluation: Evaluation) -> None:
        self._cells = twins.cells
        self._sides = [_parts(twins, side) for side in range(2)]
        corrected = self._cells.of[1][twins.corrected]
        self._exact = self._cells.shared - np.bincount(corrected, minlength=len(self._cells.row))
        self._homes = twins.sides[0].home, twins.sides[1].home
        self._documents = len(evaluation.documents)
        self._protocol = evaluation.protocol

    def counts(self, names: Collection[str], kinds: Collection[str]) -> dict[str, Floats]:
        """The counts of metrics for the response without errors of those kinds."""
        table, how = self.table(kinds), self._protocol.counting
        return {name: document_counts(METRICS[name], table, how.twinless, how.singletons) for name in names}

    def table(self, kinds: Collection[str]) -> Table:
        """The table of key and repaired response."""
        ours, theirs = self._sides
        row, column, count, _ = self._cells
        entities, cells = len(theirs.size), len(row)
        label = column
        left = np.where(theirs.aligned, theirs.alone, theirs.size)  # mentions that the key lacks
        gone = theirs.aligned & theirs.begins_alone
        if CONFLATED in kinds:
            split = theirs.begins_alone[column] | (theirs.first[column] != np.arange(cells))
            label = np.where(split, entities + np.arange(cells), column)
            left = left - gone
        if EXTRA in kinds:
            left = left - np.where(theirs.aligned, theirs.alone - gone, 0)
        if EXTRA_ENTITY in kinds:
            left = np.where(theirs.aligned, left, 0)
        labels = np.arange(entities + cells + len(ours.size))  # response entities, split-off parts, new entities
        if DIVIDED in kinds and cells:
            labels[label] = entities + cells + len(ours.size) + components(row, label)
        comes = ours.aligned & ours.begins_alone
        new = np.where(comes, 1, 0) if DIVIDED in kinds else np.zeros_like(ours.size)
        if MISSING in kinds:
            new = new + np.where(ours.aligned, ours.alone - comes, 0)
        if MISSING_ENTITY in kinds:
            new = np.where(ours.aligned, new, ours.size)
        rows = np.arange(len(ours.size))
        goal = entities + cells + rows
        goal[ours.aligned] = label[ours.first[ours.aligned]]
        shared = count if SPAN in kinds else self._exact
        return self._built(
            np.concatenate((row, rows)), labels[np.concatenate((label, goal))], np.concatenate((shared, new)),
            np.concatenate((labels[np.concatenate((label, goal))], labels[:entities])),
            np.concatenate((count, new, left)),
            np.concatenate((self._homes[0][row], self._homes[0], self._homes[1])),
        )  # fmt: skip

    def _built(
        self, row: Integers, label: Integers, shared: Integers, sized: Integers, number: Integers, home: Integers
    ) -> Table:
        """The table with these cells; the sizes of response entities are the sums of `number` over `sized`."""
        there = np.flatnonzero(number)
        sizes = np.bincount(sized[there], number[there])
        names = np.flatnonzero(sizes)
        size, place = sizes[names], np.cumsum(sizes > 0) - 1
        homes = np.zeros(len(sizes), np.int64)
        homes[sized[there]] = home[there]
        homes = homes[names]
        some = np.flatnonzero(shared)
        width = max(len(names), 1)
        codes, cell = np.unique(row[some] * width + place[label[some]], return_inverse=True)
        count = np.bincount(cell, shared[some], len(codes)).astype(np.float64)
        how = self._protocol.counting
        ours = TableSide(self._sides[0].size.astype(np.float64), self._homes[0])
        theirs = TableSide(size.astype(np.float64), homes)
        cells = TableCells(codes // width, codes % width, count)
        table = Table(cells, ours, theirs, self._documents, Settings(how.beta, how.frequent))
        return without(table, response=theirs.size == 1) if how.singletons == "drop" else table


def _parts(twins: Twins, side: int) -> _EntityParts:
    mentions, cell = twins.sides[side], twins.cells.of[side]
    number = len(mentions.name)
    twinned = np.flatnonzero(cell >= 0)
    aligned = np.zeros(number, np.bool_)
    aligned[mentions.entity[twinned]] = True
    where = firsts(np.where(cell >= 0, mentions.entity, -1), number)
    first = np.where(aligned, cell[where] if len(cell) else -1, -1)
    alone = np.bincount(mentions.entity[cell < 0], minlength=number)
    return _EntityParts(aligned, first, alone, cell[mentions.first] < 0, mentions.size)
