"""Estimates from a sampled key: the ratio of two means over sampled entities, its bias, its standard error.

Binette et al. 2022, *Estimating the performance of entity resolution algorithms: lessons learned through
PatentsView.org*.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..counting.table import Floats


class StandardErrors(NamedTuple):
    """The standard errors of recall, precision and f1; None where there are too few entities, or nothing was found."""

    recall: float | None
    precision: float | None
    f1: float | None


def correction(top: Floats, bottom: Floats) -> float:
    """What the ratio of the means of two columns is multiplied by, so that its bias is gone but for a small rest.

    1 + mean(D (N/N̄ − D/D̄)) / ((n − 1) D̄) for n entities with numerators N and denominators D.

    >>> correction(np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    1.25
    """
    number = len(top)
    if number < 2 or not top.any() or not bottom.any():
        return 1.0
    residual = bottom * (top / top.mean() - bottom / bottom.mean())
    return float(1 + residual.mean() / ((number - 1) * bottom.mean()))


def standard_errors(counts: Floats) -> StandardErrors:
    """The standard errors of the scores of sampled entities, from their counts [entities, 4] with the correction in it.

    Of a ratio it is (N̄/D̄) √(Σ (D/D̄ − N/N̄)² / (n (n − 1))); of f1 it follows from those deviations of recall and
    precision (the delta method).
    """
    number = len(counts)
    sides = []
    for top, bottom in ((counts[:, 0], counts[:, 1]), (counts[:, 2], counts[:, 3])):
        if number < 2 or not top.any():
            return StandardErrors(None, None, None)
        plain = top.mean() / bottom.mean() / correction(top, bottom)
        sides.append((plain, plain * (top / top.mean() - bottom / bottom.mean())))
    (recall, of_recall), (precision, of_precision) = sides
    both = recall + precision
    of_f1 = 2 * (precision**2 * of_recall + recall**2 * of_precision) / both**2
    deviations = (of_recall, of_precision, of_f1)
    return StandardErrors(*(float(np.sqrt((each**2).sum() / (number * (number - 1)))) for each in deviations))
