"""Mentions that weigh more than others: tables in which sizes and cells are sums of weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..document.document import Document, Mention, about, place
from ..document.forms import form
from ..matching.match import Alignment
from ..problems import Error, Problems
from .table import Aligned, Entities, Floats, Table, Tables

FORMS = {"name": 1.0, "noun phrase": 0.75, "pronoun": 0.5, "zero": 0.5, "other": 1.0, "unknown": 1.0}


class Weighted(NamedTuple):
    """Tables whose sizes and cells are sums of weights, and those where only the importance of entities is."""

    sizes: Tables
    importance: Tables


def weighted(
    tables: Tables,
    entities: tuple[Entities, Entities],
    aligned: Sequence[Aligned],
    homes: Sequence[int],
    weights: str,
    problems: Problems,
) -> Weighted:
    """The tables with the weights of mentions: of their form, or as an attribute of that name says.

    A response mention weighs what its twin in the key does; without a twin what its own attribute says, else 1.
    """
    if entities[0].sets or entities[1].sets:
        raise Error("weighted-sets", "weights are not defined for entities that are sets of others",
                    expected="entities without sets", remedy="leave sets out: --split ignore")  # fmt: skip
    weigh = _by_form if weights == "form" else _by_attribute(weights, [key for key, _, _ in aligned], problems)
    ours = [[weigh(key, mention, True) for mention in key.mentions] for key, _, _ in aligned]
    theirs = [[weigh(response, mention, False) for mention in response.mentions] for _, response, _ in aligned]
    for number, (_, _, lookups) in enumerate(aligned):
        for alignment in (lookups.recall, lookups.precision):
            for k, r in zip(*alignment, strict=True):
                theirs[number][r] = ours[number][k]
    keys, responses = [key for key, _, _ in aligned], [response for _, response, _ in aligned]
    owners = [_owners(entities[0], keys, homes), _owners(entities[1], responses, homes)]
    totals = [_totals(owners[0], ours, len(entities[0].name)), _totals(owners[1], theirs, len(entities[1].name))]
    important = tables.changed(
        lambda table: replace(
            table, key=table.key._replace(weight=totals[0]), response=table.response._replace(weight=totals[1])
        )
    )
    sized = []
    for kind, table in enumerate(tables[:3]):
        count = _cells(table, [lookups[:3][kind] for _, _, lookups in aligned], owners, ours)
        sides = [side._replace(size=size) for side, size in zip((table.key, table.response), totals, strict=True)]
        sized.append(replace(table, cells=table.cells._replace(n=count), key=sides[0], response=sides[1]))
    return Weighted(Tables(sized[0], sized[1], sized[2], (sized[0], sized[1])), important)


def _owners(entities: Entities, documents: Sequence[Document], homes: Sequence[int]) -> list[list[int]]:
    """The number of the entity of each mention."""
    number = {each: place for place, each in enumerate(zip(entities.document, entities.name, strict=True))}
    return [
        [number[home, mention.entity] for mention in document.mentions]
        for home, document in zip(homes, documents, strict=True)
    ]


def _totals(owners: list[list[int]], weights: list[list[float]], size: int) -> Floats:
    """The weights of the mentions of each entity."""
    numbers = np.fromiter(chain.from_iterable(owners), np.int64)
    values = np.fromiter(chain.from_iterable(weights), np.float64)
    return np.bincount(numbers, values, size).astype(np.float64, copy=False)


def _cells(
    table: Table, alignments: Iterable[Alignment], owners: list[list[list[int]]], weights: list[list[float]]
) -> Floats:
    """The weights of the mentions of each cell."""
    place = {cell: number for number, cell in enumerate(zip(table.row.tolist(), table.column.tolist(), strict=True))}
    found = np.zeros_like(table.n)
    for number, alignment in enumerate(alignments):
        for k, r in zip(*alignment, strict=True):
            found[place[owners[0][number][k], owners[1][number][r]]] += weights[number][k]
    return found


def _by_form(document: Document, mention: Mention, key: bool) -> float:
    return FORMS[form(document, mention)]


def _by_attribute(
    field: str, keys: Sequence[Document], problems: Problems
) -> Callable[[Document, Mention, bool], float]:
    """A function that reads the weight of a mention from an attribute."""
    known = {name for key in keys for mention in key.mentions for name, _ in mention.attributes}
    if field not in known:
        raise Error("unknown-field", f"no mention of the key has the attribute '{field}'",
                    expected=", ".join(["form", *sorted(known)]), remedy="choose another --weights")  # fmt: skip
    expected, remedy = f"{field}=NUMBER, above 0", "fix the file; until then this mention weighs 1"

    def weigh(document: Document, mention: Mention, key: bool) -> float:
        written: Hashable = dict(mention.attributes).get(field)
        if written is None:
            if key:
                report = about(document, problems, remedy)
                report("no-weight", f"a mention without {field}", *place(document, mention), expected, fatal=False)
            return 1.0
        try:
            weight = float(str(written))
        except ValueError:
            weight = 0.0
        if not 0 < weight < float("inf"):
            report = about(document, problems, remedy)
            report("bad-weight", f"{field} is {written}", *place(document, mention), expected)
            return 1.0
        return weight

    return weigh
