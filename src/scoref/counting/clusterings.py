"""What compares two clusterings as wholes: four sums of each document, and the ratios that are made of them.

Like those of other metrics the sums are added over documents, and only then divided: all documents are one clustering,
in which mentions of different documents are never together.
"""

from __future__ import annotations

import numpy as np

from ..matching.assign import assign
from .table import Floats, Table


def _common(table: Table) -> tuple[Floats, Floats]:
    """How many mentions of each key entity, and of each response entity, both sides have."""
    return table.shared, table.transposed.shared


def _sums(table: Table, cells: Floats, rows: Floats, columns: Floats, last: Floats) -> Floats:
    """Sums of a value of cells, of key entities, of response entities, and of a last one of key entities."""
    of_cells = table.per_document(table.per_row(cells))
    return np.stack(
        (of_cells, table.per_document(rows), table.transposed.per_document(columns), table.per_document(last)), axis=1
    )


def _pairs(number: Floats) -> Floats:
    return number * (number - 1) / 2


def pairs_together(table: Table) -> Floats:
    """Pairs of common mentions together on both sides, in the key, in the response; the common mentions."""
    rows, columns = _common(table)
    return _sums(table, _pairs(table.count), _pairs(rows), _pairs(columns), rows)


def adjusted_rand(sums: Floats) -> Floats:
    """The adjusted Rand index of such sums, three times: it is neither recall nor precision.

    With t pairs together on both sides, a and b on each, and p pairs in all, ab/p are expected by chance; the index is
    (t − ab/p) / ((a + b)/2 − ab/p), and 1 where that is 0/0. Without common mentions it is 0.

    >>> adjusted_rand(np.array([3.0, 3.0, 3.0, 4.0])).tolist()  # three of four mentions are together on both sides
    [1.0, 1.0, 1.0]
    """
    both, ours, theirs, number = (sums[..., place] for place in range(4))
    chance = _ratio(ours * theirs, _pairs(number), 0.0)
    index = np.where(number > 0, _ratio(both - chance, (ours + theirs) / 2 - chance, 1.0), 0.0)
    return np.stack((index,) * 3, axis=-1)


def _surprise(number: Floats) -> Floats:
    found: Floats = number * np.log(np.maximum(number, 1))
    return found


def surprises(table: Table) -> Floats:
    """Σ n ln n over cells, key entities and response entities, of common mentions; the common mentions."""
    rows, columns = _common(table)
    return _sums(table, _surprise(table.count), _surprise(rows), _surprise(columns), rows)


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
    there = np.abs(bottom) > 1e-9  # sums of logarithms of equal things differ in their last digits
    found: Floats = np.divide(top, bottom, out=np.full(np.shape(top), otherwise), where=there)
    return found


# -- major entities --------------------------------------------------------------------------------------------------


def _major(table: Table, weight: Floats) -> Floats:
    """Recall, precision and f1 of the major key entities, each times its weight; the weights.

    Major are those with at least `table.frequent` mentions. Each is paired with a response entity, one to one, so that
    the total of 2n/(k + r) is greatest.
    """
    major = table.key_mentions >= table.frequent
    cells = np.flatnonzero(major[table.row])
    row, column, count = table.row[cells], table.column[cells], table.weight[cells]
    similarity = 2 * count / (table.key_size[row] + table.response_size[column])
    chosen = assign(row, column, similarity)
    found = np.zeros((3, len(table.key_size)))
    found[0, row[chosen]] = count[chosen] / table.key_size[row[chosen]]
    found[1, row[chosen]] = count[chosen] / table.response_size[column[chosen]]
    found[2, row[chosen]] = similarity[chosen]  # the harmonic mean of n/k and n/r
    weights = weight * major
    return np.stack([table.per_document(values * weights) for values in (*found, np.ones_like(weight))], axis=1)


def major_equally(table: Table) -> Floats:
    """Sums over major entities, each weighing the same."""
    return _major(table, np.ones_like(table.key_size))


def major_by_size(table: Table) -> Floats:
    """Sums over major entities, each weighing as much as it has mentions."""
    return _major(table, table.key_size)


def means(sums: Floats) -> Floats:
    """The first three sums, divided by the last; 0 where that is 0."""
    found: Floats = np.divide(
        sums[..., :3], sums[..., 3:], out=np.zeros((*sums.shape[:-1], 3)), where=sums[..., 3:] != 0
    )
    return found
