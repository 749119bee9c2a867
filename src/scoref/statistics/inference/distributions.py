"""Tails and quantiles of distributions: Student's t, chi-square, F, the normal one, the range of normal numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

NORMAL = NormalDist()

_STEPS = 10_000  # of a continued fraction; it needs about the square root of the degrees of freedom
_LEAST = 1e-300  # stands for 0 in denominators
_CLOSE = 1e-16
_GRID = 2_000  # steps of an integral from -9 to 9 standard deviations


def t_tail(t: float, free: float) -> float:
    """The probability that Student's t with `free` degrees of freedom is at least `t`.

    >>> round(t_tail(2.0, 10), 6), t_tail(0, 3), round(t_tail(1.96, math.inf), 4)
    (0.036694, 0.5, 0.025)
    """
    if math.isinf(free):
        return NORMAL.cdf(-t)
    tail = beta_share(free / (free + t * t), free / 2, 0.5) / 2
    return tail if t >= 0 else 1 - tail


def t_quantile(share: float, free: float) -> float:
    """The value that Student's t with `free` degrees of freedom stays below with that probability.

    >>> round(t_quantile(0.975, 2), 4), round(t_quantile(0.975, 1e9), 4)
    (4.3027, 1.96)
    """
    if share < 0.5:
        return -t_quantile(1 - share, free)
    return _where(lambda t: t_tail(t, free) <= 1 - share)


def chi_square_tail(value: float, free: int) -> float:
    """The probability that chi-square with `free` degrees of freedom is at least `value`.

    With h = value/2 it is e^(-h) Σ hⁱ/i! over i < free/2 for even numbers; for odd ones it starts from that of one.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(9.487729, 4), 6)
    (0.05, 0.05)
    """
    if value <= 0:
        return 1.0
    half, power = value / 2, 1.0 if free % 2 == 0 else 0.5
    tail = math.exp(-half) if free % 2 == 0 else math.erfc(math.sqrt(half))
    while power < free / 2:
        tail += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
        power += 1
    return min(tail, 1.0)


def f_tail(value: float, free: float, other: float) -> float:
    """The probability that F with `free` and `other` degrees of freedom is at least `value`.

    >>> round(f_tail(3.708265, 3, 10), 6)
    0.05
    """
    return beta_share(other / (other + free * value), other / 2, free / 2)


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Press et al. 1992, 6.4).

    >>> round(beta_share(0.5, 2, 3), 6)
    0.6875
    """
    if x <= 0:
        return 0.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_share(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    upper, lower = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = lower
    for step in range(1, _STEPS):
        before = value
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for part in (even, odd):
            lower = 1 / _nonzero(1 + part * lower)
            upper = _nonzero(1 + part / upper)
            value *= lower * upper
        if abs(value - before) <= _CLOSE * abs(value):
            break
    return math.exp(front) * value / a


def _nonzero(value: float) -> float:
    return value if abs(value) > _LEAST else _LEAST


def range_tail(value: float, number: int) -> float:
    """The probability that the range of so many standard normal numbers is at least `value`.

    It is 1 − k ∫ φ(z) (Φ(z) − Φ(z − value))^(k − 1) dz, by the trapezoidal rule.

    >>> round(range_tail(3.314493, 3), 5)
    0.05
    """
    width = 18 / _GRID
    places = [width * step - 9 for step in range(_GRID + 1)]
    terms = [NORMAL.pdf(z) * (NORMAL.cdf(z) - NORMAL.cdf(z - value)) ** (number - 1) for z in places]
    return max(1 - number * width * math.fsum(terms), 0.0)


@cache
def range_quantile(share: float, number: int) -> float:
    """The value that the range of so many standard normal numbers stays below with that probability.

    >>> round(range_quantile(0.95, 3), 3)
    3.314
    """
    return _where(lambda value: range_tail(value, number) <= 1 - share)


def _where(reached: Callable[[float], bool]) -> float:
    """The least number from 0 on for which the condition holds, by halving."""
    low, high = 0.0, 1.0
    while not reached(high):
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high
