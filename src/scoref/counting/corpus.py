"""All documents of an evaluation as tables, the input of metrics and special rules.

Sets of entities are compared by their members: each pair of sets has a small table of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..document.document import Document
from ..values import NamedTuple
from .metrics import Metric
from .table import USUAL, Aligned, Entities, Flags, Settings, Table, TableCells, Tables, TableSide, build, without

if TYPE_CHECKING:
    from .weights import Weighted


class SetMembers:
    """The sets of both sides, and the tables (for recall and for precision) that compare their members.

    Shared by all metrics.
    """

    def __init__(self, key: Entities, response: Entities, tables: tuple[Table, Table]) -> None:
        self.key, self.response, self.tables = key, response, tables

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Every key set with every response set of its document, by the numbers of their entities."""
        return pairs_of_sets(self.key, self.response)

    @cached_property
    def members(self) -> tuple[Table, Table]:
        """For each pair of sets the part of each table with their members only, as a document of its own."""
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
    """For each pair of lists of entities the part of the table with these entities only, as a document of its own."""
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


class Corpus(NamedTuple):
    """Aligned documents, the number of the scope (`homes`) of each, their tables, and the sets of entities.

    `hidden` entities are in `tables`, where sets are compared by their members, but not in `shown`, which is scored.
    `weights` are tables with the weights of mentions. `places` says when two mentions of a side are the same.
    """

    aligned: Sequence[Aligned]
    homes: Sequence[int]
    tables: Tables
    shown: Tables
    hidden: tuple[Flags, Flags]
    sets: SetMembers
    weights: Weighted | None = None
    places: str = "span"

    def of(self, metric: Metric, credit: str) -> tuple[Table, Table]:
        """The tables that a metric takes recall and precision from, without credit for sets."""
        rules = metric.rules
        tables: Tables = getattr(self.weights, rules.weights) if self.weights and rules.weights else self.shown
        return rules.tables(tables, credit)

    @property
    def repeated(self) -> list[int]:
        """The numbers of scopes with repeated mentions; none if mentions are weighted."""
        if self.weights is not None:
            return []
        both = zip(self.aligned, self.homes, strict=True)
        return [*dict.fromkeys(home for pair, home in both if any(side.repeats(self.places) for side in pair[:2]))]

    @property
    def entities(self) -> tuple[Entities, Entities]:
        """The entities that are not hidden, in the order of the tables, without their sets."""
        return _shown(self.sets.key, self.hidden[0]), _shown(self.sets.response, self.hidden[1])


def corpus(aligned: Sequence[Aligned], homes: Sequence[int], settings: Settings = USUAL) -> Corpus:
    """The corpus of aligned documents, with sets compared by its own tables."""
    tables, key, response = build(aligned, homes, settings)
    keys, responses = [document for document, _, _ in aligned], [document for _, document, _ in aligned]
    hidden = _hidden(keys, key, homes), _hidden(responses, response, homes)
    shown = tables.changed(lambda table: without(table, *hidden)) if any(each.any() for each in hidden) else tables
    return Corpus(aligned, homes, tables, shown, hidden, SetMembers(key, response, (tables.every, tables.every)))


def _hidden(documents: Sequence[Document], entities: Entities, homes: Sequence[int]) -> Flags:
    """Which of the entities are hidden."""
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    hidden = {(home, name) for home, document in zip(homes, documents, strict=True) for name in document.hidden}
    return np.array([each in hidden for each in zip(entities.document, entities.name, strict=True)], np.bool_)


def _shown(entities: Entities, hidden: Flags) -> Entities:
    if not hidden.any():
        return entities._replace(sets={})
    shown = np.flatnonzero(~hidden).tolist()
    return Entities([entities.document[index] for index in shown], [entities.name[index] for index in shown], {})
