"""The one sparse table that every metric is computed from.

A cell says how many mentions a key entity shares with a response entity. One table holds many documents, so that a
corpus is scored in a few array operations. Equal cells and equal entities may be stored once, with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, repeat

import numpy as np

from ..document.document import Document, Integers, owners_of
from ..document.document import Flags as Flags
from ..document.document import Floats as Floats
from ..matching.lookup import Lookups
from ..matching.match import Alignment
from ..values import NamedTuple

Aligned = tuple[Document, Document, Lookups]


def sums_by_group(groups: Integers, values: Floats | Flags, number: int) -> Floats:
    """The sum of the values of each group, added up from the first to the last."""
    return np.bincount(groups, values, number).astype(np.float64, copy=False)  # without groups numpy gives integers


class Entities(NamedTuple):
    """The entities of one side: the document (by number) and name of each, and the members of those that are sets."""

    document: list[int]
    name: list[Hashable]
    sets: dict[int, list[int]]

    def add(self, home: int, document: Document, known: dict[Hashable, int]) -> Integers:
        """The number of each entity of a document, in its order; new entities are added, and to `known`."""
        names = document.names
        new = [name for name in names if name not in known] if known else names
        known.update(zip(new, count(len(self.name)), strict=False))
        self.document.extend([home] * len(new))
        self.name.extend(new)
        for name, members in document.sets.items():
            numbers = self.sets.setdefault(known[name], [])
            numbers += [known[member] for member in members if known[member] not in numbers]
        return np.fromiter(map(known.__getitem__, names), np.int64, len(names))


class NumberedMentions(NamedTuple):
    """The mentions of one side: its entities, the number of each mention's entity, where each document begins."""

    entities: Entities
    entity: Integers
    start: Integers

    @property
    def width(self) -> int:
        """The number of entities."""
        return len(self.entities.name)

    @classmethod
    def of(cls, documents: Sequence[Document], homes: Sequence[int]) -> NumberedMentions:
        """The mentions of all documents; those with the same number in `homes` share entities."""
        sizes = [len(document.mentions) for document in documents]
        owners = owners_of(documents)
        if len(set(homes)) < len(homes) or any(document.sets for document in documents):
            entities = Entities([], [], {})
            names: dict[int, dict[Hashable, int]] = {}
            numbers = [
                entities.add(home, document, names.setdefault(home, {}))
                for home, document in zip(homes, documents, strict=True)
            ]
            counted = np.cumsum([0, *map(len, numbers)])
            owners = np.concatenate([np.empty(0, np.int64), *numbers])[owners + np.repeat(counted[:-1], sizes)]
        else:
            each = [document.names for document in documents]
            counts = [*map(len, each)]
            entities = Entities([*chain.from_iterable(map(repeat, homes, counts))], [*chain.from_iterable(each)], {})
            owners = owners + np.repeat(np.cumsum([0, *counts])[:-1], sizes)
        return cls(entities, owners, np.cumsum([0, *sizes])[:-1])


class TableCells(NamedTuple):
    """The cells that are not empty: the key entity, the response entity, how many mentions these share.

    `credit` is what the aligned sets of the two entities count, between 0 and 1; `number` says how many such cells
    there are. None stands for zeros, and for ones.
    """

    row: Integers
    column: Integers
    n: Floats
    credit: Floats | None = None
    number: Floats | None = None

    def only(self, kept: Flags | Integers) -> TableCells:
        """Some of the cells."""
        return TableCells(*(each if each is None else each[kept] for each in self))  # type: ignore[arg-type]


class TableSide(NamedTuple):
    """The entities of key or response: for each its size and the number of its document.

    `sets` is 1 for entities that stand for a set of others; the set is one more element, and counted in the size.
    `weight` are sums of mentions' weights, where an entity's importance is not its size. `number` says how many such
    entities there are. `aligned` are the mentions that the other side has, if not the sum of the cells. None stands for
    zeros, sizes, ones, and sums of cells.
    """

    size: Floats
    document: Integers
    sets: Floats | None = None
    weight: Floats | None = None
    number: Floats | None = None
    aligned: Floats | None = None

    @property
    def mentions(self) -> Floats:
        """How many mentions each entity has."""
        return self.size if self.sets is None else self.size - self.sets

    def only(self, kept: Flags | Integers) -> TableSide:
        """Some of the entities."""
        return TableSide(*(each if each is None else each[kept] for each in self))  # type: ignore[arg-type]


class Settings(NamedTuple):
    """Settings of metrics.

    Entities with a set weigh `beta` times as much in LEA; a major entity has at least `frequent` mentions. `whole`:
    each entity is in one document; if False, all documents are parts of one.
    """

    beta: float = 1.0
    frequent: float = 1.0
    whole: bool = True


USUAL = Settings()


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """The cells that are not empty, and the entities of key and response, for a number of documents.

    Metrics are written in terms of its properties: n, k, r and `weight` have a value for each cell.
    """

    cells: TableCells
    key: TableSide
    response: TableSide
    documents: int
    settings: Settings = USUAL

    @property
    def transposed(self) -> Table:
        """The same table with key and response exchanged."""
        cells = self.cells._replace(row=self.column, column=self.row)
        return Table(cells, self.response, self.key, self.documents, self.settings)

    @property
    def row(self) -> Integers:
        """The key entity of each cell."""
        return self.cells.row

    @property
    def column(self) -> Integers:
        """The response entity of each cell."""
        return self.cells.column

    @property
    def n(self) -> Floats:
        """The mentions that a cell shares."""
        return self.cells.n

    @property
    def credit(self) -> Floats:
        """The credit for the sets of a cell's two entities."""
        return np.zeros_like(self.n) if self.cells.credit is None else self.cells.credit

    @property
    def weight(self) -> Floats:
        """The elements that a cell shares: its mentions, plus the credit for its sets."""
        return self.n if self.cells.credit is None else self.n + self.cells.credit

    @property
    def k(self) -> Floats:
        """The size of each cell's key entity."""
        return self.key.size[self.row]

    @property
    def r(self) -> Floats:
        """The size of each cell's response entity."""
        return self.response.size[self.column]

    @property
    def shared(self) -> Floats:
        """How many mentions of each key entity are in the response."""
        return self._aligned(self.n)

    @property
    def elements(self) -> Floats:
        """The same with the credit for sets."""
        return self._aligned(self.weight)

    def _aligned(self, values: Floats) -> Floats:
        if self.key.aligned is not None:
            return self.key.aligned
        found = self.per_row(values)
        return found if self.key.number is None else found / self.key.number

    @property
    def importance(self) -> Floats:
        """The importance of each key entity in LEA: its size, or the weights of its mentions; more if it has a set."""
        size = self.key.size if self.key.weight is None else self.key.weight
        return size if self.key.sets is None else size * np.where(self.key.sets > 0, self.settings.beta, 1.0)

    def per_row(self, values: Floats | Flags) -> Floats:
        """The sum of a value of each cell, for each key entity."""
        values = values if self.cells.number is None else values * self.cells.number
        return sums_by_group(self.row, values, len(self.key.size))

    def numbered(self, values: Floats) -> Floats:
        """A value of each key entity, times the number of such entities."""
        return values if self.key.number is None else values * self.key.number

    def per_document(self, values: Floats) -> Floats:
        """The sum of a value of each key entity, for each document."""
        return sums_by_group(self.key.document, values, self.documents)

    def of_document(self, values: Floats) -> Floats:
        """For each key entity the sum of a value over all key entities of its document."""
        values = self.numbered(values)
        if not self.settings.whole:
            return np.full_like(values, values.sum())
        return self.per_document(values)[self.key.document]

    def only(self, kept: Flags | Integers) -> Table:
        """The table with some of its cells."""
        return replace(self, cells=self.cells.only(kept))


_EMPTY = TableSide(np.empty(0), np.empty(0, np.int64))
NO_TABLE = Table(TableCells(*(np.empty(0, np.int64),) * 2, np.empty(0)), _EMPTY, _EMPTY, 0)


class Tables(NamedTuple):
    """The tables for recall, for precision and for aligning entities; all the same without repeated mentions.

    `distinct` are those for recall and precision with each repeated mention counted once.
    """

    recall: Table
    precision: Table
    every: Table
    distinct: tuple[Table, Table]

    @classmethod
    def all(cls, table: Table) -> Tables:
        """One table for everything."""
        return cls(table, table, table, (table, table))

    def changed(self, change: Callable[[Table], Table]) -> Tables:
        """The tables, each changed by a function."""
        tables = (*self[:3], *self.distinct)
        changed = {number: change(table) for number, table in {id(each): each for each in tables}.items()}
        recall, precision, every, one, other = (changed[id(table)] for table in tables)
        return Tables(recall, precision, every, (one, other))


def build(
    aligned: Sequence[Aligned], homes: Sequence[int], settings: Settings = USUAL
) -> tuple[Tables, Entities, Entities]:
    """The table of aligned documents, and the entities of key and response in its order.

    Documents with the same number in `homes` are scored as one, in which entities with the same name are one entity;
    mentions of different documents never match.
    """
    lookups = [each for _, _, each in aligned]
    keys, responses = [key for key, _, _ in aligned], [response for _, response, _ in aligned]
    sides = NumberedMentions.of(keys, homes), NumberedMentions.of(responses, homes)
    documents = len(set(homes))
    kinds = range(3) if any(each.recall is not each.precision for each in lookups) else range(1)

    def table(alignments: list[Alignment], copies: list[tuple[list[int], list[int]]] | None = None) -> Table:
        ours, theirs = (_table_side(sides[side], [each[side] for each in copies or ()]) for side in (0, 1))
        codes, counts = np.unique(cell_codes(alignments, sides), return_counts=True)
        cells = TableCells(codes // sides[1].width, codes % sides[1].width, counts.astype(np.float64))
        return Table(cells, ours, theirs, documents, settings)

    tables = [table([each[:3][kind] for each in lookups]) for kind in kinds]
    recall, precision, every = tables[0], tables[len(tables) // 2], tables[-1]
    distinct = recall, precision
    if any(any(each.copies) for each in lookups):
        copies = [each.copies for each in lookups]
        kept = [[_once(each[:2][side], each.copies[side], side) for each in lookups] for side in range(2)]
        distinct = table(kept[0], copies), table(kept[1], copies)
    return Tables(recall, precision, every, distinct), sides[0].entities, sides[1].entities


def _once(alignment: Alignment, copies: list[int], side: int) -> Alignment:
    """The alignment without the pairs of these copies of one side."""
    gone = set(copies)
    pairs = [pair for pair in zip(*alignment, strict=True) if pair[side] not in gone]
    return Alignment([k for k, _ in pairs], [r for _, r in pairs])


def _table_side(side: NumberedMentions, copies: list[list[int]]) -> TableSide:
    """The entities of a side; `copies` do not count in their sizes."""
    number = len(side.entities.name)
    size = np.bincount(side.entity, minlength=number).astype(np.float64)
    sets = None
    if side.entities.sets:
        sets = np.zeros(number)
        sets[list(side.entities.sets)] = 1
        size += sets
    if copies:
        further = [start + index for start, each in zip(side.start, copies, strict=True) for index in each]
        size -= np.bincount(side.entity[further], minlength=number)
    return TableSide(size, np.array(side.entities.document, np.int64), sets)


def cell_codes(alignments: list[Alignment], sides: Sequence[NumberedMentions]) -> Integers:
    """The cell of each pair of aligned mentions, as one number made of its row and its column."""
    pairs = []
    for number, side in enumerate(sides):
        indices = [alignment[number] for alignment in alignments]
        places = np.repeat(side.start, [*map(len, indices)])
        places += np.fromiter(chain.from_iterable(indices), np.int64, len(places))
        pairs.append(side.entity[places])
    codes = pairs.pop(0)
    codes *= sides[1].width
    codes += pairs.pop()
    return codes


def without(table: Table, key: Flags | None = None, response: Flags | None = None) -> Table:
    """The table without the marked entities of key and response; mentions shared with them become unaligned."""
    cells = table.cells
    if key is not None and key.any():
        cells = cells.only(~key[cells.row])
        cells = cells._replace(row=(np.cumsum(~key) - 1)[cells.row])
        table = replace(table, key=table.key.only(~key))
    if response is not None and response.any():
        cells = cells.only(~response[cells.column])
        cells = cells._replace(column=(np.cumsum(~response) - 1)[cells.column])
        table = replace(table, response=table.response.only(~response))
    return table if cells is table.cells else replace(table, cells=cells)
