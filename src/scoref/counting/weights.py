"""Weighted mentions: tables in which sizes and cells are sums of weights."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..document.document import Document, Integers, Mention, about, place
from ..document.forms import form
from ..problems import Error, Problems
from .table import Aligned, Floats, NumberedMentions, Tables, cell_codes, sums_by_group

FORMS = {"name": 1.0, "noun phrase": 0.75, "pronoun": 0.5, "zero": 0.5, "other": 1.0, "unknown": 1.0}
_LEAST, _MOST = 1e-15, 1e15  # beyond, squares of sums are 0 or infinite


class Weighted(NamedTuple):
    """Tables whose sizes and cells are sums of weights, and tables where only the importance of entities is."""

    sizes: Tables
    importance: Tables


def weighted(
    tables: Tables, aligned: Sequence[Aligned], homes: Sequence[int], weights: str, problems: Problems
) -> Weighted:
    """The tables with weights of mentions, which depend on their form, or come from the attribute of that name.

    A response mention weighs as much as its twin in the key; without a twin, its own attribute counts, else 1.
    """
    keys, responses = [key for key, _, _ in aligned], [response for _, response, _ in aligned]
    if any(document.sets for document in (*keys, *responses)):
        raise Error("weighted-sets", "weights are not defined for entities that are sets of others",
                    expected="entities without sets", remedy="leave sets out: --split ignore")  # fmt: skip
    weigh = _by_form if weights == "form" else _by_attribute(weights, keys, problems)
    ours = [[weigh(key, mention, True) for mention in key.mentions] for key in keys]
    theirs = [[weigh(response, mention, False) for mention in response.mentions] for response in responses]
    for number, (_, _, lookups) in enumerate(aligned):
        for alignment in (lookups.recall, lookups.precision):
            for k, r in zip(*alignment, strict=True):
                theirs[number][r] = ours[number][k]
    sides = [NumberedMentions.of(documents, homes) for documents in (keys, responses)]
    totals = [
        _sums(side.entity, values, len(side.entities.name)) for side, values in zip(sides, (ours, theirs), strict=True)
    ]
    important = tables.changed(
        lambda table: replace(
            table, key=table.key._replace(weight=totals[0]), response=table.response._replace(weight=totals[1])
        )
    )
    sized = []
    for kind, table in enumerate(tables[:3]):
        alignments = [lookups[:3][kind] for _, _, lookups in aligned]
        cell = np.searchsorted(table.row * sides[1].width + table.column, cell_codes(alignments, sides))
        each = ([values[k] for k in alignment.key] for values, alignment in zip(ours, alignments, strict=True))
        cells = table.cells._replace(n=_sums(cell, each, len(table.n)))
        key, response = table.key._replace(size=totals[0]), table.response._replace(size=totals[1])
        sized.append(replace(table, cells=cells, key=key, response=response))
    return Weighted(Tables(sized[0], sized[1], sized[2], (sized[0], sized[1])), important)


def _sums(groups: Integers, weights: Iterable[list[float]], number: int) -> Floats:
    """The weights of mentions, document by document, added up for each group."""
    return sums_by_group(groups, np.fromiter(chain.from_iterable(weights), np.float64), number)


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
    expected, remedy = f"{field}=NUMBER, from {_LEAST:g} to {_MOST:g}", "fix the file; until then this mention weighs 1"

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
        if not _LEAST <= weight <= _MOST:
            report = about(document, problems, remedy)
            report("bad-weight", f"{field} is {written}", *place(document, mention), expected)
            return 1.0
        return weight

    return weigh
