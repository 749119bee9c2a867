"""Rules for mentions without a twin (a partner on the other side) and for singletons.

Each rule gives a table for recall and one for precision. Equal entities may stand in a table once, with their number:
the rules work for documents and for aggregated tables of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .table import Floats, Table, TableCells, TableSide, without

Rule = Callable[[Table], tuple[Table, Table]]


# -- mentions without a twin -----------------------------------------------------------------------------------------


def missing(table: Table) -> Floats:
    """How many mentions of each key entity, of all such entities together, the response lacks."""
    return np.maximum(table.numbered(table.key.mentions) - table.per_row(table.n), 0)


def by_common(table: Table) -> Table:
    """The table with key entities as often as those of their mentions say that the response has.

    Where an entity lives in several documents, that is another part of it than all its mentions say.
    """
    if table.key.number is None or table.key.aligned is None:
        return table
    shared = table.shared
    number = np.divide(table.per_row(table.n), shared, out=np.zeros_like(shared), where=shared > 0)
    return replace(table, key=table.key._replace(number=number))


def _with_singletons(table: Table) -> Table:
    """The table with a response singleton for each key mention that the response lacks.

    The singletons of one key entity are alike: they are one cell and one entity, with their number.
    """
    key, cells, response = table.key, table.cells, table.response
    lacking = missing(table)
    row = np.flatnonzero(lacking)
    ones, zeros, number = np.ones(len(row)), np.zeros(len(row)), lacking[row]
    column = len(response.size) + np.arange(len(row))
    key = key if key.aligned is None else key._replace(aligned=key.mentions)
    if cells.number is None:
        cells = cells._replace(number=np.ones_like(cells.n))
    if response.number is None:
        response = response._replace(number=np.ones_like(response.size))
    more = ones, key.document[row], zeros, ones, number, ones
    cells = TableCells._make(_longer(cells, (row, column, ones, zeros, number)))
    return replace(table, cells=cells, key=key, response=TableSide._make(_longer(response, more)))


def _longer(columns: Iterable[Any], more: Iterable[Any]) -> list[Any]:
    """Columns extended by more values; None stays None."""
    return [one if one is None else np.concatenate((one, other)) for one, other in zip(columns, more, strict=True)]


def _without_twinless(table: Table) -> Table:
    """The table without the response mentions that the key lacks."""
    response = table.response
    found = np.minimum(table.transposed.shared, response.mentions)  # as a mention may have several twins
    left = found if response.sets is None else found + response.sets
    response = by_common(table.transposed).key._replace(size=left)
    return without(replace(table, response=response), response=left == 0)


def _without_twinless_singletons(table: Table) -> Table:
    """The table without the response singletons that the key lacks."""
    return without(table, response=(table.response.size == 1) & (table.transposed.shared == 0))


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


def of_key(table: Table) -> tuple[Table, Table]:
    """The response has the mentions of the key: others are left out, those that it lacks are its singletons."""
    return as_is(_with_singletons(_without_twinless(table)))


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


TWINLESS: dict[str, Rule] = {
    "as-is": as_is,
    "0": discarded,
    "all": padded,
    "rn": pruned,
    "rn-all": pruned_and_padded,
    "sys": system,
    "conll-2011": system_2011,
    "pad-key": padded_key,
    "common": common,
    "key": of_key,
}


# -- singletons, as other scorers leave them out of some metrics only ------------------------------------------------


def _without_both(table: Table) -> tuple[Table, Table]:
    """Singletons of both sides are left out."""
    return as_is(without(table, table.key.size == 1, table.response.size == 1))


def _without_response(table: Table) -> tuple[Table, Table]:
    """Singletons of the response are left out, those of the key stay, in both directions."""
    return as_is(without(table, response=table.response.size == 1))


def _without_own(table: Table) -> tuple[Table, Table]:
    """Key singletons do not count in recall, nor response singletons in precision; they can still be partners."""
    return without(table, table.key.size == 1), without(table, response=table.response.size == 1)


def _without_cells(table: Table) -> tuple[Table, Table]:
    """In recall no mention is found in a response singleton, in precision none in a key singleton."""
    return table.only(table.r != 1), table.only(table.k != 1)


# For each value of `singletons` the kinds of metrics that it affects; all others count all entities.
SINGLETONS: dict[str, dict[str, Rule]] = {
    "keep": {},
    "drop": {},  # done before, in `preparing`
    "links": {"lea": _without_own},
    "e2e": {"b3": _without_both, "ceaf": _without_response, "lea": _without_own},
    "asp": {"b3": _without_own, "ceaf": _without_response, "lea": _without_own},
    "barhom": {"b3": _without_cells},
}
