"""Metrics from shapes: how many cells have the same numbers, and how many entities of each side.

A *cell* is a key entity and a response entity that share n mentions. A metric that is a sum over cells depends on n, on
the sizes k and r of the two entities, and on the mentions s and c of them that the other side has at all. Cells that
agree in these five numbers are one shape, counted. A hundred million mentions have a hundred thousand shapes or so.

Rows are counted by *unit*. A unit is a document, or, where entities live in several units, a part of the mentions: then
each mention has its share of what its cell or its entity counts, and sums over units are still those of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.table import Floats
from ..document.document import Integers


class Cells(NamedTuple):
    """Shapes of cells: unit, the numbers n, k, r, s, c, and how many cells there are (fractions, if shares)."""

    unit: Integers
    n: Floats
    k: Floats
    r: Floats
    s: Floats
    c: Floats
    number: Floats

    def only(self, kept: NDArray[np.bool_]) -> Cells:
        """Some of them."""
        unit, *numbers = self
        return Cells(unit[kept], *(values[kept] for values in numbers))

    @classmethod
    def joined(cls, parts: Sequence[Cells]) -> Cells:
        """Several shapes in one."""
        unit = np.concatenate([part.unit for part in parts])
        n, k, r, s, c, number = (np.concatenate(each) for each in zip(*(part[1:] for part in parts), strict=True))
        return cls(unit, n, k, r, s, c, number)


class Sizes(NamedTuple):
    """Shapes of the entities of one side: unit, size, how many mentions the other side has, how many entities."""

    unit: Integers
    size: Floats
    aligned: Floats
    number: Floats

    def only(self, there: NDArray[np.bool_]) -> Sizes:
        """Some of the shapes."""
        return Sizes(self.unit[there], self.size[there], self.aligned[there], self.number[there])


@dataclass(frozen=True)
class Shapes:
    """All shapes of two tables; `whole` where no entity lives in two units."""

    cells: Cells
    keys: Sizes
    responses: Sizes
    units: int
    whole: bool = True

    @property
    def transposed(self) -> Shapes:
        """Key and response exchanged."""
        unit, n, k, r, s, c, number = self.cells
        return replace(self, cells=Cells(unit, n, r, k, c, s, number), keys=self.responses, responses=self.keys)

    def per_unit(self, unit: Integers, values: Floats) -> Floats:
        """The sum of values for each unit."""
        return np.bincount(unit, values, self.units).astype(np.float64, copy=False)

    def document(self, values: Floats) -> Floats:
        """What is summed over the document of each unit: the unit itself, or all units together."""
        found: Floats = values if self.whole else np.full_like(values, values.sum())
        return found


Variant = Callable[[Shapes], tuple[Shapes, Shapes]]


# -- mentions without a twin, as in counting.table --------------------------------------------------------------------


def _with_singletons(shapes: Shapes) -> Shapes:
    """A response singleton for each key mention that the response lacks."""
    keys, cells, responses = shapes.keys, shapes.cells, shapes.responses
    missing = keys.number * (keys.size - keys.aligned)
    there = missing > 0
    ones = np.ones(int(there.sum()))
    new = Cells(keys.unit[there], ones, keys.size[there], ones, keys.size[there], ones, missing[there])
    added = Sizes(keys.unit[there], ones, ones, missing[there])
    return replace(
        shapes,
        cells=Cells.joined([cells._replace(s=cells.k), new]),
        keys=keys._replace(aligned=keys.size),
        responses=Sizes(
            np.concatenate((responses.unit, added.unit)),
            *(np.concatenate(each) for each in zip(responses[1:], added[1:], strict=True)),
        ),
    )


def _without_twinless(shapes: Shapes) -> Shapes:
    """No response mentions that the key lacks."""
    kept = shapes.responses.only(shapes.responses.aligned > 0)
    cells = shapes.cells._replace(r=shapes.cells.c)
    return replace(shapes, cells=cells, responses=kept._replace(size=kept.aligned))


def without_twinless_singletons(shapes: Shapes) -> Shapes:
    """No response singletons that the key lacks."""
    there = (shapes.responses.size > 1) | (shapes.responses.aligned > 0)
    return replace(shapes, responses=shapes.responses.only(there))


def _padded(shapes: Shapes) -> tuple[Shapes, Shapes]:
    return _with_singletons(shapes), _with_singletons(shapes.transposed).transposed


def _system(shapes: Shapes) -> tuple[Shapes, Shapes]:
    response = _with_singletons(without_twinless_singletons(shapes))
    return _without_twinless(response), _with_singletons(response.transposed).transposed


VARIANTS: dict[str, Variant] = {
    "as-is": lambda shapes: (shapes, shapes),
    "0": lambda shapes: (_without_twinless(shapes),) * 2,
    "all": _padded,
    "rn": lambda shapes: (without_twinless_singletons(shapes),) * 2,
    "rn-all": lambda shapes: _padded(without_twinless_singletons(shapes)),
    "sys": _system,
    "conll-2011": lambda shapes: (_system(shapes)[1],) * 2,
    "pad-key": lambda shapes: (_with_singletons(shapes.transposed).transposed,) * 2,
    "common": lambda shapes: (_without_twinless(_without_twinless(shapes).transposed).transposed,) * 2,
}


# -- singletons, as in counting.table ---------------------------------------------------------------------------------


def _without_key_singletons(shapes: Shapes) -> Shapes:
    """No key singletons; the sizes of response entities stay."""
    kept = shapes.keys.only(shapes.keys.size > 1)
    return replace(shapes, cells=shapes.cells.only(shapes.cells.k > 1), keys=kept)


def _without_response_singletons(shapes: Shapes) -> Shapes:
    return _without_key_singletons(shapes.transposed).transposed


def _without_response(shapes: Shapes) -> tuple[Shapes, Shapes]:
    return (_without_response_singletons(shapes),) * 2


def _without_own(shapes: Shapes) -> tuple[Shapes, Shapes]:
    return _without_key_singletons(shapes), _without_response_singletons(shapes)


def _without_cells(shapes: Shapes) -> tuple[Shapes, Shapes]:
    cells = shapes.cells
    return replace(shapes, cells=cells.only(cells.r > 1)), replace(shapes, cells=cells.only(cells.k > 1))


# For each word the kinds of metrics that it concerns. Aligned mentions s and c are not counted again: where twinless
# mentions matter, these words cannot be used.
SINGLETONS: dict[str, dict[str, Variant]] = {
    "keep": {},
    "drop": {},  # before anything is counted
    "links": {"lea": _without_own},
    "e2e": {
        "b3": lambda shapes: (_without_key_singletons(_without_response_singletons(shapes)),) * 2,
        "ceaf": _without_response,
        "lea": _without_own,
    },
    "asp": {"b3": _without_own, "ceaf": _without_response, "lea": _without_own},
    "barhom": {"b3": _without_cells},
}


# -- metrics ---------------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """What a metric counts in the direction of recall: for each shape of cells, and as denominator of key entities."""

    found: Floats
    of: Floats


Sum = Callable[[Shapes], Counted]


def _pairs(number: Floats) -> Floats:
    return number * (number - 1) / 2


def _lea(shapes: Shapes) -> Counted:
    cells = shapes.cells
    single = cells.k == 1
    links = cells.n * (cells.n - 1) / np.where(single, 1, cells.k - 1)
    return Counted(np.where(single, cells.r == 1, links), shapes.keys.size)


def _nonlinks(shapes: Shapes) -> Counted:
    cells, keys = shapes.cells, shapes.keys
    aligned = shapes.document(shapes.per_unit(keys.unit, keys.number * keys.aligned))[cells.unit]
    everything = shapes.document(shapes.per_unit(keys.unit, keys.number * keys.size))[keys.unit]
    found = cells.n * (aligned - cells.s - cells.c + cells.n) / 2
    return Counted(found, keys.size * (everything - keys.size) / 2)


def _exact(shapes: Shapes) -> Counted:
    cells = shapes.cells
    same = (cells.n == cells.k) & (cells.n == cells.r)
    return Counted(same.astype(np.float64), np.ones_like(shapes.keys.size))


SUMS: dict[str, Sum] = {
    "mentions": lambda shapes: Counted(shapes.cells.n, shapes.keys.size),
    "muc": lambda shapes: Counted(shapes.cells.n - 1, shapes.keys.size - 1),
    "b3": lambda shapes: Counted(shapes.cells.n**2 / shapes.cells.k, shapes.keys.size),
    "b3-classes": lambda shapes: Counted(shapes.cells.n**2 / shapes.cells.k**2, np.ones_like(shapes.keys.size)),
    "lea": _lea,
    "pairwise": lambda shapes: Counted(_pairs(shapes.cells.n), _pairs(shapes.keys.size)),
    "nonlinks": _nonlinks,
    "entities-exact": _exact,
}


def sums(metric: Sum, shapes: Shapes, variant: Variant) -> Floats:
    """The counts [units, 4] of a metric: numerator and denominator of recall, then of precision."""
    columns = []
    recall, precision = variant(shapes)
    for part in (recall, precision.transposed):
        found, of = metric(part)
        columns.append(part.per_unit(part.cells.unit, part.cells.number * found))
        columns.append(part.per_unit(part.keys.unit, part.keys.number * of))
    return np.stack(columns, axis=1)


def _surprise(number: Floats) -> Floats:
    found: Floats = number * np.log(np.maximum(number, 1))
    return found


# What compares clusterings of common mentions: a function of n, of s and of c, summed; and the common mentions.
WHOLES: dict[str, Callable[[Floats], Floats]] = {"ari": _pairs, "v-measure": _surprise}


def whole_sums(function: Callable[[Floats], Floats], shapes: Shapes) -> Floats:
    """The sums [units, 4] over cells, key entities, response entities, and the common mentions."""
    cells, keys, responses = shapes.cells, shapes.keys, shapes.responses
    columns = [
        shapes.per_unit(cells.unit, cells.number * function(cells.n)),
        shapes.per_unit(keys.unit, keys.number * function(keys.aligned)),
        shapes.per_unit(responses.unit, responses.number * function(responses.aligned)),
        shapes.per_unit(keys.unit, keys.number * keys.aligned),
    ]
    return np.stack(columns, axis=1)


# What is summed over major entities with their partners: each weighs the same, or as much as it has mentions.
MAJOR: dict[str, Callable[[Floats], Floats]] = {"entities-macro": np.ones_like, "entities-micro": lambda size: size}


def major_sums(weigh: Callable[[Floats], Floats], shapes: Shapes, chosen: Cells, frequent: float) -> Floats:
    """Recall, precision and f1 of major key entities [units, 4], each times its weight, and the weights."""
    keys, n, weight = shapes.keys, chosen.n, chosen.number * weigh(chosen.k)
    found = (n / chosen.k, n / chosen.r, 2 * n / (chosen.k + chosen.r))
    columns = [shapes.per_unit(chosen.unit, values * weight) for values in found]
    columns.append(shapes.per_unit(keys.unit, keys.number * weigh(keys.size) * (keys.size >= frequent)))
    return np.stack(columns, axis=1)
