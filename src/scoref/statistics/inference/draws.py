"""Draws of units: how often each is in a trial, and the sums of the trials.

Matrices of small weights, made in blocks of trials and units: matrix products evaluate all of them in little memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...processes import Progress, reported

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Draw = Callable[[np.random.Generator, int, Floats], Floats]

_WEIGHTS, _TRIALS = 1 << 24, 1 << 8  # weights held at a time, and of how many trials at most
_UNITS = 1 << 10  # units looked at together: with that many trials they fit a processor's cache
_ALONE = 1 << 18  # up to so many multiplications, BLAS libraries start no threads


def blocks(trials: int, units: int, progress: Progress) -> Iterator[int]:
    """The sizes of the blocks in which trials are made; progress is reported after each."""
    most = max(min(_TRIALS, _WEIGHTS // max(units, 1)), 1)
    for start in reported(range(0, trials, most), "blocks of resamples drawn", progress):
        yield min(most, trials - start)


def sums_with_replacement(random: np.random.Generator, size: int, rows: Floats) -> Floats:
    """The sums [size, columns] of as many rows as there are, drawn with replacement.

    First, each row is drawn a Poisson-distributed number of times, with a mean so low that the total stays below the
    number wanted (by 8 standard deviations). The missing draws are made one by one. Since Poisson numbers with a given
    sum have a multinomial distribution, so have all draws together.
    """
    units = len(rows)
    times = np.zeros((size, units), np.uint8)
    limits = _poisson(max(1 - 8 / math.sqrt(units), 0))
    for start in range(0, units, _UNITS) if len(limits) else ():
        chance = random.integers(0, 1 << 32, times[:, start : start + _UNITS].shape, np.uint32)
        block = np.zeros(chance.shape, np.uint8)
        for limit in limits[: np.searchsorted(limits, chance.max(), side="right")]:  # no number reaches the others
            block += (chance >= limit).view(np.uint8)
        times[:, start : start + _UNITS] = block
    missing = np.maximum(units - times.sum(axis=1, dtype=np.int64), 0)  # less than 0 in one of 10¹⁵ cases
    places = random.integers(0, units, int(missing.sum()))
    np.add.at(times.reshape(-1), places + np.repeat(units * np.arange(size), missing), np.uint8(1))
    return _weighted(times, rows)


def _weighted(weights: NDArray[np.uint8], rows: Floats) -> Floats:
    """The product [size, columns] of small numbers [size, units] and rows [units, columns].

    It is made in parts so small that BLAS starts no threads: on a busy machine these only wait for each other. The sums
    of a column are side by side in memory.
    """
    sums = np.zeros((rows.shape[1], len(weights)))
    for start in range(0, len(rows), _UNITS):
        columns = rows[start : start + _UNITS].T
        times = weights[:, start : start + _UNITS].T.astype(np.float64)
        side = math.isqrt(_ALONE // len(times))  # parts are square: then least is packed twice
        for first, trial in product(range(0, len(sums), side), range(0, len(weights), side)):
            part = columns[first : first + side] @ times[:, trial : trial + side]
            sums[first : first + side, trial : trial + side] += part
    return sums.T


def _poisson(mean: float) -> NDArray[np.uint32]:
    """Thresholds for 1, 2, ...: 32-bit random numbers from the k-th on stand for Poisson numbers of at least k."""
    limits, share, number = [], math.exp(-mean), 0
    below = share
    while mean and (limit := round(below * (1 << 32))) < 1 << 32:
        limits.append(limit)
        number += 1
        share *= mean / number
        below += share
    return np.array(limits, np.uint32)


def sums_by_coin(random: np.random.Generator, size: int, rows: Floats) -> Floats:
    """The sums [size, columns] of rows that are in or out, each with a probability of one half."""
    bits = random.integers(0, 256, (size, -(-len(rows) // 8)), np.uint8)
    return _weighted(np.unpackbits(bits, axis=1, count=len(rows)), rows)


class Drawing:
    """The sums [systems, units, columns] of units that are drawn within their stratum, the same for all systems.

    Columns that are equal are added up once: counts of the key, say, which are the same in all systems.
    """

    def __init__(self, sums: Floats, strata: Sequence[Integers], draw: Draw) -> None:
        systems, units, columns = sums.shape
        self._draw, self._shape = draw, (systems, columns)
        first: dict[bytes, int] = {}
        every = sums.swapaxes(1, 2).reshape(-1, units)
        alike = [first.setdefault(column.tobytes(), number) for number, column in enumerate(every)]
        distinct, self._places = np.unique(alike, return_inverse=True)
        self._rows = [every[distinct][:, places].T for places in strata]

    def sums(self, random: np.random.Generator, size: int) -> Floats:
        """The sums [size, systems, strata, columns] of so many trials; those of one column are side by side."""
        drawn = np.stack([self._draw(random, size, rows).T for rows in self._rows], axis=1)[self._places]
        found: Floats = drawn.reshape(*self._shape, -1, size).transpose(3, 0, 2, 1)
        return found
