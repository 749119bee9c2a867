"""Many tests at once: p-values corrected for their number, and in how many of them at least something is true.

| question | answer |
|---|---|
| which tests can be claimed, if no claim shall be false? | `holm` (Holm 1979) |
| which, if a small share of the claims may be false? | `benjamini_hochberg` (Benjamini & Hochberg 1995) |
| in how many of them, at least, is something true? | `partial_conjunction` (Dror et al. 2017) |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..significance import Floats, Integers
from .distributions import chi_square_tail


def uncorrected(p: Floats) -> Floats:
    """The p-values as they are."""
    return p


def holm(p: Floats) -> Floats:
    """P-values [tests, ...] such that the probability of any false rejection is at most that of one test (Holm 1979).

    The i-th smallest of m is multiplied by m − i + 1, and raised to at least the one before.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    return _stepped(p, np.arange(len(p), 0, -1), np.maximum, 1)


def benjamini_hochberg(p: Floats) -> Floats:
    """P-values [tests, ...] such that the expected share of false rejections among all is at most that of one test.

    The i-th smallest of m is multiplied by m/i, and lowered to at most the one behind it.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    return _stepped(p, len(p) / np.arange(1, len(p) + 1), np.minimum, -1)


def _stepped(p: Floats, factors: Floats | Integers, bound: np.ufunc, step: int) -> Floats:
    """P-values times the factor of their rank, each bounded by those before it (step 1) or behind it (step -1)."""
    order = np.argsort(p, axis=0, kind="stable")
    values = np.take_along_axis(p, order, 0) * factors.reshape(-1, *[1] * (p.ndim - 1))
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(bound.accumulate(values[::step], axis=0)[::step], 1), 0)
    return adjusted


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {"holm": holm, "bh": benjamini_hochberg, "none": uncorrected}


def partial_conjunction(p: Sequence[float], combined: Callable[[Sequence[float]], float]) -> list[float]:
    """For u = 1, 2, ...: the p-value of the hypothesis that something is true in fewer than u of the tests.

    It is the `combined` p-value of the n − u + 1 largest, raised to at least the one before.

    >>> [round(value, 3) for value in partial_conjunction([0.168, 0.297, 0.357, 0.019, 0.218, 0.001], bonferroni)]
    [0.006, 0.095, 0.672, 0.672, 0.672, 0.672]
    """
    ordered, found = sorted(p), [0.0]
    for first in range(len(ordered)):
        found.append(max(found[-1], combined(ordered[first:])))
    return found[1:]


def bonferroni(p: Sequence[float]) -> float:
    """The p-value that all hypotheses are true, whatever the dependence of the tests: the smallest times their number.

    >>> bonferroni([0.01, 0.5, 0.04])
    0.03
    """
    return min(len(p) * min(p), 1.0)


def fisher(p: Sequence[float]) -> float:
    """The p-value that all hypotheses are true, from independent tests (Fisher 1932).

    It is the upper tail of chi-square with 2n degrees of freedom at −2 Σ ln p.

    >>> round(fisher([0.01, 0.01]), 6)
    0.001021
    """
    if min(p) <= 0:
        return 0.0
    return chi_square_tail(-2 * math.fsum(map(math.log, p)), 2 * len(p))


def at_least(p: Sequence[float], level: float) -> int:
    """In how many tests, at least, something is true: how many partial conjunction p-values reach the level.

    >>> at_least([0.006, 0.095, 0.672], 0.05)
    1
    """
    return sum(value <= level for value in p)
