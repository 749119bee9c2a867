"""The one sparse table that every metric is computed from, and what happens to mentions without a twin.

A cell says how many mentions a key entity shares with a response entity. One table holds many documents, so that a
corpus is scored in a few array operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..document.document import Document, Integers
from ..matching.lookup import Lookups
from ..matching.match import Alignment
from .entities import Entities as Entities  # in the order of tables
from .entities import Side

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """The cells that are not empty, the sizes of all entities, and the document that each of them belongs to.

    An entity that stands for a set of others has that set as one more element: its size is the number of its mentions
    plus one, and the cell it shares with the entity of the aligned set has a credit between 0 and 1 for that element,
    even where the count is 0.
    """

    row: Integers
    column: Integers
    count: Floats
    key_size: Floats
    response_size: Floats
    key_document: Integers
    response_document: Integers
    documents: int
    credit: Floats = None  # type: ignore[assignment]  # filled with zeros
    key_sets: Floats = None  # type: ignore[assignment]  # 1 for entities that have a set, else 0
    response_sets: Floats = None  # type: ignore[assignment]
    beta: float = 1.0  # how much more entities with a set weigh in LEA
    frequent: float = 1.0  # how many mentions a major entity has at least
    key_weight: Floats | None = None  # sums of mentions' weights, where an entity's importance is not its size
    response_weight: Floats | None = None
    alignments: dict[str, Integers] = field(init=False, default_factory=dict, compare=False, repr=False)  # found before

    def __post_init__(self) -> None:
        for name, like in (("credit", self.count), ("key_sets", self.key_size), ("response_sets", self.response_size)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.zeros_like(like))

    @property
    def transposed(self) -> Table:
        """The same table with key and response exchanged."""
        made = Table(
            self.column, self.row, self.count, self.response_size, self.key_size, self.response_document,
            self.key_document, self.documents, self.credit, self.response_sets, self.key_sets, self.beta,
            self.frequent, self.response_weight, self.key_weight,
        )  # fmt: skip
        object.__setattr__(made, "alignments", self.alignments)  # the same in both directions
        return made

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

    @property
    def key_mentions(self) -> Floats:
        """How many mentions each key entity has."""
        return self.key_size - self.key_sets

    @property
    def importance(self) -> Floats:
        """What each key entity weighs in LEA: its size, or the weights of its mentions; more if it has a set."""
        size = self.key_size if self.key_weight is None else self.key_weight
        return size * np.where(self.key_sets > 0, self.beta, 1.0)

    @property
    def weight(self) -> Floats:
        """The elements that a cell shares: its mentions, and its set as far as it is credited."""
        return self.count + self.credit


NO_TABLE = Table(*(np.empty(0, np.int64),) * 2, *(np.empty(0),) * 3, *(np.empty(0, np.int64),) * 2, 0)


class Tables(NamedTuple):
    """The table as recall, precision and alignments of entities see it; one and the same without duplicates.

    `distinct` are those of recall and precision with one mention for each place.
    """

    recall: Table
    precision: Table
    every: Table
    distinct: tuple[Table, Table]

    def changed(self, change: Callable[[Table], Table]) -> Tables:
        """The tables, each of them changed."""
        each = [change(table) for table in (*self[:3], *self.distinct)]
        return Tables(each[0], each[1], each[2], (each[3], each[4]))


def build(
    aligned: Iterable[tuple[Document, Document, Lookups]],
    homes: Sequence[int] | None = None,
    beta: float = 1.0,
    frequent: float = 1.0,
) -> tuple[Tables, Entities, Entities]:
    """The table of aligned documents, and the entities of key and response in its order.

    Documents with the same number in `homes` are scored as one, in which entities with the same name are one entity;
    mentions of different documents never match. Without `homes` each document is by itself.
    """
    triples = [*aligned]
    homes = range(len(triples)) if homes is None else homes
    shared = len(set(homes)) < len(homes)
    found = [lookups for _, _, lookups in triples]
    sides = (
        Side.of([key for key, _, _ in triples], homes, shared),
        Side.of([response for _, response, _ in triples], homes, shared),
    )
    documents = len(set(homes)) if shared else len(found)
    kinds = range(3) if any(lookups.recall is not lookups.precision for lookups in found) else range(1)

    def made(alignments: list[Alignment], copies: list[tuple[list[int], list[int]]] | None = None) -> Table:
        return replace(_table(alignments, sides, documents, copies), beta=beta, frequent=frequent)

    tables = [made([lookups[:3][kind] for lookups in found]) for kind in kinds]
    recall, precision, every = tables[0], tables[len(tables) // 2], tables[-1]
    distinct = recall, precision
    if any(any(lookups.copies) for lookups in found):
        copies = [lookups.copies for lookups in found]
        kept = [[_once(lookups[:2][side], lookups.copies[side], side) for lookups in found] for side in range(2)]
        distinct = made(kept[0], copies), made(kept[1], copies)
    return Tables(recall, precision, every, distinct), sides[0].entities, sides[1].entities


def _once(alignment: Alignment, copies: list[int], side: int) -> Alignment:
    """The alignment without the pairs of those mentions of one side."""
    gone = set(copies)
    pairs = [pair for pair in zip(*alignment, strict=True) if pair[side] not in gone]
    return Alignment([k for k, _ in pairs], [r for _, r in pairs])


def _table(
    alignments: list[Alignment],
    sides: tuple[Side, Side],
    documents: int,
    copies: list[tuple[list[int], list[int]]] | None = None,
) -> Table:
    """The table of aligned mentions; mentions that are `copies` do not count in the sizes of entities."""
    pairs = []
    sizes = []
    entities = [side.entities for side in sides]
    sets = [_indicator(each.sets, len(each.name)) for each in entities]
    for number, side in enumerate(sides):
        indices = [alignment[number] for alignment in alignments]
        places = np.repeat(side.start, [*map(len, indices)])
        places += np.fromiter(chain.from_iterable(indices), np.int64, len(places))
        pairs.append(side.entity[places])
        size = np.bincount(side.entity, minlength=len(sets[number])) + sets[number]
        if copies:
            further = [start + index for start, each in zip(side.start, copies, strict=True) for index in each[number]]
            size -= np.bincount(side.entity[further], minlength=len(sets[number]))
        sizes.append(size)
    width = max(len(sets[1]), 1)
    both = pairs.pop(0)
    both *= width
    both += pairs.pop()
    cells, counts = np.unique(both, return_counts=True)
    return Table(
        cells // width,
        cells % width,
        counts.astype(np.float64),
        sizes[0],
        sizes[1],
        np.array(entities[0].document, np.int64),
        np.array(entities[1].document, np.int64),
        documents,
        key_sets=sets[0],
        response_sets=sets[1],
    )


def _indicator(numbers: Iterable[int], size: int) -> Floats:
    found = np.zeros(size)
    found[list(numbers)] = 1
    return found


def without(table: Table, key: NDArray[np.bool_], response: NDArray[np.bool_]) -> Table:
    """The table without the marked entities of key and response; mentions that they shared are unaligned."""
    if not key.any() and not response.any():
        return table
    kept = ~(key[table.row] | response[table.column])
    return replace(
        table,
        row=(np.cumsum(~key) - 1)[table.row[kept]],
        column=(np.cumsum(~response) - 1)[table.column[kept]],
        count=table.count[kept],
        credit=table.credit[kept],
        key_size=table.key_size[~key],
        key_document=table.key_document[~key],
        key_sets=table.key_sets[~key],
        response_size=table.response_size[~response],
        response_document=table.response_document[~response],
        response_sets=table.response_sets[~response],
    )


# -- mentions without a twin -----------------------------------------------------------------------------------------


def _with_singletons(table: Table) -> Table:
    """The table with a response singleton for each key mention that the response lacks."""
    missing = np.maximum(table.key_mentions - table.shared, 0).astype(np.int64)
    row = np.repeat(np.arange(len(missing)), missing)
    number = len(row)
    return replace(
        table,
        row=np.concatenate((table.row, row)),
        column=np.concatenate((table.column, len(table.response_size) + np.arange(number))),
        count=np.concatenate((table.count, np.ones(number))),
        credit=np.concatenate((table.credit, np.zeros(number))),
        response_size=np.concatenate((table.response_size, np.ones(number))),
        response_sets=np.concatenate((table.response_sets, np.zeros(number))),
        response_document=np.concatenate((table.response_document, table.key_document[row])),
    )


def _without_twinless(table: Table) -> Table:
    """The table without the response mentions that the key lacks."""
    found = np.minimum(table.transposed.shared, table.transposed.key_mentions)  # a mention may have several twins
    left = found + table.response_sets
    return without(replace(table, response_size=left), np.zeros(len(table.key_size), np.bool_), left == 0)


def _without_twinless_singletons(table: Table) -> Table:
    """The table without the response singletons that the key lacks."""
    alone = (table.response_size == 1) & (table.transposed.shared == 0)
    return without(table, np.zeros(len(table.key_size), np.bool_), alone)


Variant = Callable[[Table], tuple[Table, Table]]


def as_is(table: Table) -> tuple[Table, Table]:
    """Key and response as they are."""
    return table, table


def common(table: Table) -> tuple[Table, Table]:
    """Mentions that one side lacks are left out: only the clustering of common mentions is scored."""
    return as_is(_without_twinless(_without_twinless(table).transposed).transposed)


def padded_key(table: Table) -> tuple[Table, Table]:
    """Response mentions that the key lacks are singletons of the key, in both directions (scorch)."""
    return as_is(_with_singletons(table.transposed).transposed)


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


def system_2011(table: Table) -> tuple[Table, Table]:
    """The sets of Cai & Strube for precision, used in both directions (the CoNLL scorer 4, CoreNLP)."""
    return as_is(system(table)[1])


TWINLESS: dict[str, Variant] = {
    "as-is": as_is,
    "0": discarded,
    "all": padded,
    "rn": pruned,
    "rn-all": pruned_and_padded,
    "sys": system,
    "conll-2011": system_2011,
    "pad-key": padded_key,
    "common": common,
}


# -- singletons, as other scorers leave them out of some metrics only ------------------------------------------------


def _singletons(table: Table) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return table.key_size == 1, table.response_size == 1


def _none(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.zeros_like(flags)


def _without_both(table: Table) -> tuple[Table, Table]:
    """Singletons of both sides are left out."""
    return as_is(without(table, *_singletons(table)))


def _without_response(table: Table) -> tuple[Table, Table]:
    """Singletons of the response are left out, those of the key stay, in both directions."""
    key, response = _singletons(table)
    return as_is(without(table, _none(key), response))


def _without_own(table: Table) -> tuple[Table, Table]:
    """Key singletons do not count in recall, response singletons not in precision; as partners of others they stay."""
    key, response = _singletons(table)
    return without(table, key, _none(response)), without(table, _none(key), response)


def _without_cells(table: Table) -> tuple[Table, Table]:
    """In recall no mention is found in a response singleton, in precision none in a key singleton."""
    key, response = _singletons(table)
    return _only_cells(table, ~response[table.column]), _only_cells(table, ~key[table.row])


def _only_cells(table: Table, kept: NDArray[np.bool_]) -> Table:
    return replace(
        table, row=table.row[kept], column=table.column[kept], count=table.count[kept], credit=table.credit[kept]
    )


# For each word the kinds of metrics that it concerns; all others see all entities.
SINGLETONS: dict[str, dict[str, Variant]] = {
    "keep": {},
    "drop": {},  # from the documents, before they are matched
    "links": {"lea": _without_own},
    "e2e": {"b3": _without_both, "ceaf": _without_response, "lea": _without_own},
    "asp": {"b3": _without_own, "ceaf": _without_response, "lea": _without_own},
    "barhom": {"b3": _without_cells},
}
