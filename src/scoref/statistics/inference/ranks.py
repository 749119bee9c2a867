"""Ranks of systems over datasets: Friedman's test, and how far mean ranks must be apart (Nemenyi; Demšar 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..significance import EQUAL, Floats
from .distributions import chi_square_tail, f_tail, range_quantile


class Ranks(NamedTuple):
    """The mean rank of each system (1 is best), and tests that all are alike.

    `chi_square` is Friedman's statistic with its p-value, `p_f` that of Iman & Davenport's F, which is less cautious.
    Mean ranks that differ by `critical` or more differ significantly (Nemenyi).
    """

    means: tuple[float, ...]
    chi_square: float
    p: float
    p_f: float
    critical: float

    def bars(self) -> list[tuple[float, float]]:
        """From the first to the last mean rank of each group of systems that do not differ; groups within others not.

        >>> Ranks((1.0, 1.5, 3.0), 0, 1, 1, 1.6).bars()
        [(1.0, 1.5), (1.5, 3.0)]
        """
        ordered = sorted(self.means)
        reach = [max(other for other in ordered if other - each < self.critical - EQUAL) for each in ordered]
        found: list[tuple[float, float]] = []
        for bar in zip(ordered, reach, strict=True):
            if bar[1] > bar[0] and (not found or bar[1] > found[-1][1]):
                found.append(bar)
        return found


def ranked(values: Floats) -> Floats:
    """The ranks of each row, 1 for the largest; equal values share the mean of their ranks.

    >>> ranked(np.array([[0.5, 0.7, 0.5]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    above = (values[:, None, :] > values[:, :, None] + EQUAL).sum(axis=2)
    alike = (np.abs(values[:, None, :] - values[:, :, None]) <= EQUAL).sum(axis=2)
    found: Floats = above + (alike + 1) / 2
    return found


def friedman(values: Sequence[Sequence[float]], level: float = 0.05) -> Ranks:
    """The ranks of systems (columns) over datasets (rows), and Friedman's test, corrected for ties.

    >>> found = friedman([[0.5, 0.6, 0.7], [0.4, 0.6, 0.5], [0.1, 0.2, 0.3], [0.5, 0.8, 0.9]])
    >>> found.means, round(found.chi_square, 4), round(found.p, 4), round(found.critical, 3)
    ((3.0, 1.75, 1.25), 6.5, 0.0388, 1.657)
    """
    ranks = ranked(np.array(values, np.float64))
    datasets, systems = ranks.shape
    means = ranks.mean(axis=0)
    spread = float(((ranks - (systems + 1) / 2) ** 2).sum())  # without ties: datasets · (k³ − k)/12
    between = datasets * float(((means - (systems + 1) / 2) ** 2).sum())
    chi_square = datasets * (systems - 1) * between / spread if spread else 0.0
    left = datasets * (systems - 1) - chi_square
    f = (datasets - 1) * chi_square / left if left > EQUAL else math.inf
    critical = range_quantile(1 - level, systems) * math.sqrt(systems * (systems + 1) / (12 * datasets))
    return Ranks(
        tuple(means.tolist()),
        chi_square,
        chi_square_tail(chi_square, systems - 1),
        f_tail(f, systems - 1, (systems - 1) * (datasets - 1)) if datasets > 1 else 1.0,
        critical,
    )
