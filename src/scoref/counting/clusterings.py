"""Metrics that compare two clusterings as wholes: four sums for each document, and the ratios made from them.

As in other metrics, sums are added over documents before they are divided: all documents make one clustering, in which
mentions of different documents are never together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .metrics import pairs, ratio
from .rules import by_common
from .table import Floats, Table, TableSide


def _sums(table: Table, value: Callable[[Floats], Floats]) -> Floats:
    """For each document, sums of `value` over cells, key entities and response entities, and the common mentions.

    `value` is a function of the number of common mentions.
    """
    cells = table.per_document(table.per_row(value(table.n)))
    sides = by_common(table), by_common(table.transposed)
    ours, theirs = (side.per_document(side.numbered(value(side.shared))) for side in sides)
    return np.stack((cells, ours, theirs, table.per_document(table.per_row(table.n))), axis=1)


def pairs_together(table: Table) -> Floats:
    """Pairs of common mentions that are together on both sides, in the key, in the response; the common mentions."""
    return _sums(table, pairs)


def adjusted_rand(sums: Floats) -> Floats:
    """The adjusted Rand index of such sums, three times, as it has no recall and precision.

    With t pairs together on both sides, a and b on each, and p pairs in all, ab/p are expected by chance; the index is
    (t − ab/p) / ((a + b)/2 − ab/p), and 1 where that is 0/0. Without common mentions it is 0.

    >>> adjusted_rand(np.array([3.0, 3.0, 3.0, 4.0])).tolist()  # three of four mentions are together on both sides
    [1.0, 1.0, 1.0]
    """
    both, ours, theirs, number = (sums[..., place] for place in range(4))
    chance = _ratio(ours * theirs, pairs(number), 0.0)
    index = np.where(number > 0, _ratio(both - chance, (ours + theirs) / 2 - chance, 1.0), 0.0)
    return np.stack((index,) * 3, axis=-1)


def correlation(sums: Floats) -> Floats:
    """The correlation of the pairs that each side has together, of such sums; three times, as the index above.

    With t, a, b and p as above it is (tp − ab) / √(a(p − a) · b(p − b)), and 0 where that is 0/0: where a side has one
    entity, or only singletons.

    >>> correlation(np.array([1.0, 3.0, 1.0, 4.0])).round(6).tolist()  # abc|d and ab|c|d
    [0.447214, 0.447214, 0.447214]
    """
    both, ours, theirs, number = (sums[..., place] for place in range(4))
    every = pairs(number)
    spread = np.sqrt((ours * (every - ours)) * (theirs * (every - theirs)))  # so that equal sides have exactly 1
    return np.stack((ratio(both * every - ours * theirs, spread),) * 3, axis=-1)


def _surprise(number: Floats) -> Floats:
    return number * np.log(np.maximum(number, 1))


def surprises(table: Table) -> Floats:
    """Σ n ln n over cells, key entities and response entities, of common mentions; the common mentions."""
    return _sums(table, _surprise)


def v_measure(sums: Floats) -> Floats:
    """Completeness (as recall), homogeneity (as precision) and their harmonic mean, the V-measure.

    Homogeneity is 1 − H(key | response)/H(key), completeness 1 − H(response | key)/H(response); 1 where the
    denominator is 0. Without common mentions all are 0.
    """
    both, ours, theirs, number = (sums[..., place] for place in range(4))
    whole = _surprise(number)
    homogeneity = 1 - _ratio(theirs - both, whole - ours, 0.0)
    completeness = 1 - _ratio(ours - both, whole - theirs, 0.0)
    there = number > 0
    each = [np.where(there, value, 0.0) for value in (completeness, homogeneity)]
    return np.stack((*each, _ratio(2 * each[0] * each[1], each[0] + each[1], 0.0)), axis=-1)


def _ratio(top: Floats, bottom: Floats, otherwise: float) -> Floats:
    there = np.abs(bottom) > 1e-9  # equal sums of logarithms may differ in the last digits
    found: Floats = np.divide(top, bottom, out=np.full(np.shape(top), otherwise), where=there)
    return found


# -- mentions and links apart ----------------------------------------------------------------------------------------


def detected(table: Table) -> Floats:
    """Common mentions of all key mentions, and of all response mentions: T, K, T, R."""
    sides = table, table.transposed
    each = [(side.per_row(side.n), side.numbered(side.key.mentions)) for side in sides]
    columns = [side.per_document(values) for side, both in zip(sides, each, strict=True) for values in both]
    return np.stack(columns, axis=1)


def detection(sums: Floats) -> Floats:
    """How well mentions are found: T/K, T/R, and their Jaccard index T/(K + R − T) (Luiten et al. 2021).

    >>> detection(np.array([6.0, 7.0, 6.0, 8.0])).round(6).tolist()  # abc|defg and ab|cd|fghi
    [0.857143, 0.75, 0.666667]
    """
    both, ours, theirs = sums[..., 0], sums[..., 1], sums[..., 3]
    return np.stack((ratio(both, ours), ratio(both, theirs), ratio(both, ours + theirs - both)), axis=-1)


def links_of_cells(table: Table) -> list[Floats]:
    """Of each cell n²/k, n²/r, n²/(k + r − n), where k and r count mentions; n."""
    n, k, r = table.n, table.key.mentions[table.row], table.response.mentions[table.column]
    return [n**2 / k, n**2 / r, n**2 / (k + r - n), n]


def associated(table: Table) -> Floats:
    """Σ n²/k, Σ n²/r and Σ n²/(k + r − n) over cells; the common mentions.

    Divided by the common mentions, they say how well these are linked: the mean over them of what their two entities
    share of the key's, of the response's and of both (AssRe, AssPr, AssA; Luiten et al. 2021).
    """
    return np.stack([table.per_document(table.per_row(each)) for each in links_of_cells(table)], axis=1)


# -- major entities --------------------------------------------------------------------------------------------------


def _major(table: Table, partners: Table, weigh: Callable[[TableSide], Floats]) -> Floats:
    """Recall n/k, precision n/r and f1 2n/(k + r) of the major key entities, each times its weight; the weights.

    Major entities have at least `settings.frequent` mentions. They are paired one to one with response entities so that
    the total of 2n/(k + r) is greatest.
    """
    n, k, r = partners.weight, partners.k, partners.r
    weight = weigh(table.key)
    of_partners = weight[partners.row]
    values = [partners.per_row(each * of_partners) for each in (n / k, n / r, 2 * n / (k + r))]
    values.append(table.numbered(weight * (table.key.mentions >= table.settings.frequent)))
    return np.stack([table.per_document(each) for each in values], axis=1)


def major_equally(table: Table, partners: Table) -> Floats:
    """Sums over major entities, each weighing the same."""
    return _major(table, partners, lambda key: np.ones_like(key.size))


def major_by_size(table: Table, partners: Table) -> Floats:
    """Sums over major entities, each weighing as much as it has mentions."""
    return _major(table, partners, lambda key: key.size)


def means(sums: Floats) -> Floats:
    """The first three sums, divided by the last; 0 where that is 0."""
    return ratio(sums[..., :3], sums[..., 3:])
