"""Random draws of rows as sums: rows drawn with replacement, and rows that are in or out by chance.

Draws are matrices of small weights, made in blocks of trials and units, so that all of them are evaluated by matrix
products in little memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..processes import Progress, reported

Floats = NDArray[np.float64]

_WEIGHTS, _TRIALS = 1 << 24, 1 << 8  # weights held at a time, and of how many trials at most
_UNITS = 1 << 10  # units looked at together: with that many trials they fit a processor's cache
_OFTEN = 4  # times that a unit is drawn in one trial; more is rare
_ALONE = 1 << 18  # multiplications for which BLAS libraries start no threads


def blocks(trials: int, units: int, progress: Progress | None) -> Iterator[int]:
    """The numbers of trials that are made together."""
    most = max(min(_TRIALS, _WEIGHTS // max(units, 1)), 1)
    for start in reported(range(0, trials, most), "blocks of resamples drawn", progress):
        yield min(most, trials - start)


def sums_with_replacement(random: np.random.Generator, size: int, rows: Floats) -> Floats:
    """The sums [size, columns] of as many rows as there are, drawn with replacement.

    Most draws are made row by row: how often each is drawn has a Poisson distribution, of all rows together a little
    less than is wanted (by 8 standard deviations). What is still missing is drawn one by one. As Poisson numbers with
    a given sum have a multinomial distribution, so have all draws together.
    """
    units = len(rows)
    times = np.zeros((size, units), np.uint8)
    limits = _poisson(max(1 - 8 / math.sqrt(units), 0))
    for start in range(0, units, _UNITS) if len(limits) else ():
        block = times[:, start : start + _UNITS]
        chance = random.integers(0, 1 << 32, block.shape, np.uint32)
        for limit in limits[:_OFTEN]:
            block += chance >= limit
        for least in limits[_OFTEN : _OFTEN + 1]:
            more = np.nonzero(chance >= least)
            block[more] += np.searchsorted(limits[_OFTEN:], chance[more], side="right").astype(np.uint8)
    missing = np.maximum(units - times.sum(axis=1, dtype=np.int64), 0)  # less than 0 in one of 10¹⁵ cases
    places = random.integers(0, units, int(missing.sum()))
    np.add.at(times.reshape(-1), places + np.repeat(units * np.arange(size), missing), np.uint8(1))
    return _weighted(times, rows)


def _weighted(weights: NDArray[np.uint8], rows: Floats) -> Floats:
    """The product [size, columns] of small numbers [size, units] and rows [units, columns].

    It is made in parts so small that no threads are started, which on a busy machine only wait for each other.
    """
    product = np.zeros((len(weights), rows.shape[1]))
    for start in range(0, len(rows), _UNITS):
        block = rows[start : start + _UNITS]
        times = weights[:, start : start + _UNITS].astype(np.float64)
        size = max(_ALONE // block.size, 1)
        for first in range(0, len(times), size):
            product[first : first + size] += times[first : first + size] @ block
    return product


def _poisson(mean: float) -> NDArray[np.uint32]:
    """For 1, 2, ... the random numbers of 32 bits from which on a Poisson number of that mean is at least as large."""
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
