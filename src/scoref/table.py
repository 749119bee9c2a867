"""The one sparse table that every metric is computed from, and what happens to mentions without a twin.

A cell says how many mentions a key entity shares with a response entity. One table holds many documents, so that a
corpus is scored in a few array operations.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .match import Alignment
from .model import Document, Integers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """The cells that are not empty, the sizes of all entities, and the document that each of them belongs to."""

    row: Integers
    column: Integers
    count: Floats
    key_size: Floats
    response_size: Floats
    key_document: Integers
    response_document: Integers
    documents: int

    @property
    def transposed(self) -> Table:
        """The same table with key and response exchanged."""
        return Table(
            self.column, self.row, self.count, self.response_size, self.key_size,
            self.response_document, self.key_document, self.documents,
        )  # fmt: skip

    def per_row(self, values: Floats) -> Floats:
        """The sum of a value of each cell, for each key entity."""
        return np.bincount(self.row, values, len(self.key_size)).astype(np.float64, copy=False)

    def per_document(self, values: Floats) -> Floats:
        """The sum of a value of each key entity, for each document."""
        return np.bincount(self.key_document, values, self.documents).astype(np.float64, copy=False)

    @property
    def shared(self) -> Floats:
        """How many mentions of each key entity are in the response."""
        return self.per_row(self.count)


class Entities(NamedTuple):
    """The entities of one side: for each its document (by number) and its name."""

    document: list[int]
    name: list[Hashable]

    def add(self, document: int, names: list[Hashable], known: dict[Hashable, int]) -> list[int]:
        """The number of each mention's entity; entities that are not known yet are added."""
        for name in dict.fromkeys(names):
            if name not in known:
                known[name] = len(self.name)
                self.document.append(document)
                self.name.append(name)
        return [known[name] for name in names]


def build(
    aligned: Iterable[tuple[Document, Document, Alignment]], scope: str = "document"
) -> tuple[Table, Entities, Entities]:
    """The table of aligned documents, and the entities of key and response in its order.

    In the scope `corpus` entities with the same name are one entity whatever their document, and the whole is scored as
    one document; mentions of different documents never match.
    """
    key_entities, response_entities = Entities([], []), Entities([], [])
    known: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    all_rows: list[int] = []
    all_columns: list[int] = []
    pairs: tuple[list[int], list[int]] = ([], [])
    documents = 0
    for key, response, alignment in aligned:
        if scope == "document":
            known = {}, {}
        number = documents if scope == "document" else 0
        rows = key_entities.add(number, [mention.entity for mention in key.mentions], known[0])
        columns = response_entities.add(number, [mention.entity for mention in response.mentions], known[1])
        pairs[0].extend([rows[index] for index in alignment.key])
        pairs[1].extend([columns[index] for index in alignment.response])
        all_rows += rows
        all_columns += columns
        documents += 1
    width = max(len(response_entities.name), 1)
    cells, counts = np.unique(np.array(pairs[0], np.int64) * width + np.array(pairs[1], np.int64), return_counts=True)
    table = Table(
        cells // width,
        cells % width,
        counts.astype(np.float64),
        np.bincount(np.array(all_rows, np.int64), minlength=len(key_entities.name)).astype(np.float64),
        np.bincount(np.array(all_columns, np.int64), minlength=len(response_entities.name)).astype(np.float64),
        np.array(key_entities.document, np.int64),
        np.array(response_entities.document, np.int64),
        documents if scope == "document" else 1,
    )
    return table, key_entities, response_entities


# -- mentions without a twin -----------------------------------------------------------------------------------------


def _with_singletons(table: Table) -> Table:
    """The table with a response singleton for each key mention that the response lacks."""
    missing = (table.key_size - table.shared).astype(np.int64)
    row = np.repeat(np.arange(len(missing)), missing)
    number = len(row)
    return replace(
        table,
        row=np.concatenate((table.row, row)),
        column=np.concatenate((table.column, len(table.response_size) + np.arange(number))),
        count=np.concatenate((table.count, np.ones(number))),
        response_size=np.concatenate((table.response_size, np.ones(number))),
        response_document=np.concatenate((table.response_document, table.key_document[row])),
    )


def _resized(table: Table, response_size: Floats) -> Table:
    """The table with other response sizes; response entities that have none left are gone."""
    kept = response_size > 0
    if kept.all():
        return replace(table, response_size=response_size)
    return replace(
        table,
        column=(np.cumsum(kept) - 1)[table.column],
        response_size=response_size[kept],
        response_document=table.response_document[kept],
    )


def _without_twinless(table: Table) -> Table:
    """The table without the response mentions that the key lacks."""
    return _resized(table, table.transposed.shared)


def _without_twinless_singletons(table: Table) -> Table:
    """The table without the response singletons that the key lacks."""
    alone = (table.response_size == 1) & (table.transposed.shared == 0)
    return _resized(table, np.where(alone, 0.0, table.response_size))


Variant = Callable[[Table], tuple[Table, Table]]


def as_is(table: Table) -> tuple[Table, Table]:
    """Key and response as they are."""
    return table, table


def discarded(table: Table) -> tuple[Table, Table]:
    """Response mentions that the key lacks are left out (Stoyanov et al. 2009, B³-0)."""
    return as_is(_without_twinless(table))


def padded(table: Table) -> tuple[Table, Table]:
    """Mentions that one side lacks are singletons there (Stoyanov et al. 2009, B³-all)."""
    return _with_singletons(table), _with_singletons(table.transposed).transposed


def pruned(table: Table) -> tuple[Table, Table]:
    """Response singletons that the key lacks are left out (Rahman & Ng 2009)."""
    return as_is(_without_twinless_singletons(table))


def pruned_and_padded(table: Table) -> tuple[Table, Table]:
    """Response singletons that the key lacks are left out, other mentions that one side lacks are singletons there."""
    return padded(_without_twinless_singletons(table))


def system(table: Table) -> tuple[Table, Table]:
    """The sets of Cai & Strube 2010, Algorithms 1 and 2.

    Response singletons that the key lacks are left out, key mentions that the response lacks are added to it as
    singletons. For precision, response mentions that the key lacks become singletons of the key; for recall they are
    left out.
    """
    response = _with_singletons(_without_twinless_singletons(table))
    return _without_twinless(response), _with_singletons(response.transposed).transposed


TWINLESS: dict[str, Variant] = {
    "as-is": as_is,
    "0": discarded,
    "all": padded,
    "rn": pruned,
    "rn-all": pruned_and_padded,
    "sys": system,
}
