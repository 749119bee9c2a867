"""Intervals and paired tests from sums, by resampling.

Nothing here knows what is measured. A sample holds additive sums for each system and each unit (units are independent
of each other: documents, say), and a vectorised statistic that computes values from sums.

| question | answer |
|---|---|
| how sure is a value, or a difference? | `bootstrap`, then `percentile` or `bca` (Efron & Tibshirani 1993) |
| could the difference of two systems be chance? | `randomisations` (Noreen 1989, Yeh 2000) |

Random numbers depend on the seed and on the number of units alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..processes import Progress, reported

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Statistic = Callable[[Floats], Floats]

EXACT = 16  # up to so many units that differ, all exchanges are tried: 65,536
_NUMBERS = 1 << 21  # sums held at a time
EQUAL = 1e-12  # tolerance for rounding when differences are compared
_BOOTSTRAP, _RANDOMISATION = 0, 1  # streams of random numbers
_WEIGHTS, _TRIALS = 1 << 24, 1 << 8  # weights held at a time, and of how many trials at most
_UNITS = 1 << 10  # units looked at together: with that many trials they fit a processor's cache
_ALONE = 1 << 18  # up to so many multiplications, BLAS libraries start no threads


class Sample(NamedTuple):
    """What is resampled.

    `sums` [systems, units, columns] are added over the units of each stratum (numbered from 0; units are drawn within
    their stratum); `statistic` makes values [...] of sums [..., strata, columns].
    """

    sums: Floats
    strata: Integers
    statistic: Statistic

    @property
    def places(self) -> list[Integers]:
        """The units of each stratum."""
        return [np.flatnonzero(self.strata == stratum) for stratum in range(int(self.strata.max(initial=-1)) + 1)]

    @property
    def rows(self) -> list[Floats]:
        """For each stratum the sums of its units, those of all systems side by side: [units, systems · columns]."""
        flat = self.sums.transpose(1, 0, 2).reshape(len(self.strata), -1)
        return [flat[places] for places in self.places]

    @property
    def totals(self) -> Floats:
        """The sums [systems, strata, columns] of all units."""
        return np.stack([self.sums[:, places].sum(axis=1) for places in self.places], axis=1)

    @property
    def values(self) -> Floats:
        """The values [systems, ...] that were observed."""
        return self.statistic(self.totals)


def mean(sums: Floats) -> Floats:
    """A statistic: the means of all columns but the last, which holds the number of things that were added."""
    whole = sums.sum(axis=-2)
    means: Floats = whole[..., :-1] / np.maximum(whole[..., -1:], 1)
    return means


# -- draws -----------------------------------------------------------------------------------------------------------
# Matrices of small weights, made in blocks of trials and units: matrix products evaluate all of them in little memory.


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
        block = times[:, start : start + _UNITS]
        chance = random.integers(0, 1 << 32, block.shape, np.uint32)
        for limit in limits:
            block += chance >= limit
    missing = np.maximum(units - times.sum(axis=1, dtype=np.int64), 0)  # less than 0 in one of 10¹⁵ cases
    places = random.integers(0, units, int(missing.sum()))
    np.add.at(times.reshape(-1), places + np.repeat(units * np.arange(size), missing), np.uint8(1))
    return _weighted(times, rows)


def _weighted(weights: NDArray[np.uint8], rows: Floats) -> Floats:
    """The product [size, columns] of small numbers [size, units] and rows [units, columns].

    It is made in parts so small that BLAS starts no threads: on a busy machine these only wait for each other.
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


# -- the bootstrap ---------------------------------------------------------------------------------------------------


def bootstrap(sample: Sample, trials: int, seed: int, progress: Progress = None) -> Floats:
    """Values [trials, systems, ...] of samples of as many units, drawn with replacement, the same for all systems.

    >>> sample = Sample(np.array([[[1.0, 1], [3, 1]]]), np.zeros(2, np.int64), mean)
    >>> sorted({float(value) for value in bootstrap(sample, 100, seed=1).ravel()})
    [1.0, 2.0, 3.0]
    """
    return np.concatenate([*bootstrap_blocks(sample, trials, seed, progress)])


def bootstrap_blocks(sample: Sample, trials: int, seed: int, progress: Progress = None) -> Iterator[Floats]:
    """The same values in blocks of trials, for those that need not keep all of them."""
    random = np.random.default_rng([seed, _BOOTSTRAP])
    systems, units, columns = sample.sums.shape
    strata = sample.rows
    for size in blocks(trials, units, progress):
        sums = np.stack([sums_with_replacement(random, size, rows) for rows in strata], axis=1)
        yield sample.statistic(sums.reshape(size, -1, systems, columns).swapaxes(1, 2))


def jackknife(sample: Sample) -> Floats:
    """Values [units, systems, ...] of the sample without each of its units."""
    totals = sample.totals
    values = []
    size = max(_NUMBERS // totals.size, 1)
    for start in range(0, len(sample.strata), size):
        units = slice(start, start + size)
        strata = sample.strata[units]
        left = np.repeat(totals[None], len(strata), axis=0)
        left[np.arange(len(strata)), :, strata] -= sample.sums[:, units].swapaxes(0, 1)
        values.append(sample.statistic(left))
    return np.concatenate(values)


def percentile(resampled: Floats, confidence: float = 0.95) -> Floats:
    """Intervals [..., 2] that hold the central share `confidence` of the resampled values [trials, ...].

    >>> percentile(np.arange(101.0), 0.5).tolist()
    [25.0, 75.0]
    """
    tail = (1 - confidence) / 2
    return np.moveaxis(np.quantile(resampled, (tail, 1 - tail), axis=0), 0, -1)


def bca(observed: Floats, resampled: Floats, left_out: Floats, strata: Integers, confidence: float = 0.95) -> Floats:
    """Intervals [..., 2], corrected for bias and skewness (BCa): other percentiles of the resampled values.

    The percentiles are Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) for z = ±1.96. The bias is z₀ = Φ⁻¹(share of resampled values
    below the observed one, those equal to it counting half); the acceleration is a = Σu³ / 6(Σu²)^1.5, where u = (n −
    1)(mean − value)/n over the values `left_out` [units, ...] of the jackknife, n being the units of the stratum.
    Where z₀ or a is not defined (all resampled values are equal, or none is below the observed one), it is the interval
    of `percentile`.
    """
    from statistics import NormalDist

    shape, observed = observed.shape, observed.ravel()
    resampled, left_out = resampled.reshape(len(resampled), -1), left_out.reshape(len(left_out), -1)
    influence = np.zeros_like(left_out)
    for stratum in np.unique(strata):
        places = strata == stratum
        number = int(places.sum())
        influence[places] = (number - 1) / number * (left_out[places].mean(axis=0) - left_out[places])
    spread = (influence**2).sum(axis=0)
    below = ((resampled < observed).mean(axis=0) + (resampled <= observed).mean(axis=0)) / 2
    defined = (spread > 0) & (below > 0) & (below < 1)
    intervals = np.empty((len(defined), 2))
    intervals[~defined] = percentile(resampled[:, ~defined], confidence)
    normal = NormalDist()
    tails = [normal.inv_cdf(share) for share in ((1 - confidence) / 2, (1 + confidence) / 2)]
    for place in np.flatnonzero(defined).tolist():
        bias = normal.inv_cdf(float(below[place]))
        acceleration = float((influence[:, place] ** 3).sum() / (6 * spread[place] ** 1.5))
        shares = [normal.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in tails]
        intervals[place] = np.quantile(resampled[:, place], shares)
    return intervals.reshape(*shape, 2)


# -- the test --------------------------------------------------------------------------------------------------------


class Randomisation(NamedTuple):
    """P-values [...] of a test, how many exchanges were tried, whether these are all, and the smallest possible p.

    If all exchanges are tried, at least two give the observed difference: exchanging nothing, and exchanging all.
    """

    p: Floats
    trials: int
    exact: bool
    least: float


def randomisations(
    sample: Sample,
    pairs: Sequence[tuple[int, int]],
    trials: int,
    seed: int,
    progress: Progress = None,
    one_sided: bool = False,
) -> list[Randomisation]:
    """The p-values of differences between pairs of systems, under the hypothesis that the systems are interchangeable.

    Paired approximate randomisation: exchange the two systems' sums of a unit, or do not, at random for each unit;
    p = (c + 1)/(trials + 1), where c counts exchanges after which the values differ at least as much, in either
    direction. Up to 16 units that differ, all exchanges are tried, and p = c/2ⁿ. What is exchanged is the same for all
    pairs of systems. If `one_sided`, only exchanges after which the second is better by as much count.

    >>> a, b = np.array([[1.0, 1], [2, 1], [3, 1]]), np.array([[2.0, 1], [3, 1], [4, 1]])
    >>> randomisations(Sample(np.stack([a, b]), np.zeros(3, np.int64), mean), [(0, 1)], 1000, seed=1)
    [Randomisation(p=array([0.25]), trials=8, exact=True, least=0.25)]
    """
    differ = [np.flatnonzero((sample.sums[a] != sample.sums[b]).any(axis=1)) for a, b in pairs]
    many = [number for number, units in enumerate(differ) if len(units) > EXACT]
    approximate = (
        _some_exchanges(sample, [pairs[number] for number in many], trials, seed, progress, one_sided) if many else []
    )
    by_place = dict(zip(many, approximate, strict=True))
    return [
        by_place[number] if number in by_place else _all_exchanges(sample, pair, differ[number], one_sided)
        for number, pair in enumerate(pairs)
    ]


def _all_exchanges(sample: Sample, pair: tuple[int, int], differ: Integers, one_sided: bool) -> Randomisation:
    """The test from all ways to exchange the units that differ.

    The last unit is never exchanged: exchanging the complement gives the same difference with the other sign.
    """
    first, second = (sample.sums[number][differ] for number in pair)
    numbers = np.arange(2 ** max(len(differ) - 1, 0))
    exchanged = ((numbers[:, None] >> np.arange(len(differ))) & 1).astype(np.float64)
    places = [np.flatnonzero(sample.strata[differ] == stratum) for stratum in range(len(sample.places))]
    moved = np.stack([exchanged[:, each] @ (second - first)[each] for each in places], axis=1)
    totals = sample.totals[[*pair]][:, None]
    signs = (1, -1) if one_sided else (1,)
    reached = [_reached(sample.statistic, totals, moved[None], one_sided, sign)[0] / len(numbers) for sign in signs]
    units = len(differ) or min(len(sample.strata), EXACT)  # if none differs, all units could
    return Randomisation(np.mean(reached, axis=0), 2 ** len(differ), True, (1 if one_sided else 2) / 2**units)


def _some_exchanges(
    sample: Sample, pairs: Sequence[tuple[int, int]], trials: int, seed: int, progress: Progress, one_sided: bool
) -> list[Randomisation]:
    """The tests from random exchanges, which are the same for all pairs, so that each system is drawn once."""
    random = np.random.default_rng([seed, _RANDOMISATION])
    systems, units, columns = sample.sums.shape
    strata, totals = sample.rows, sample.totals
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    reached: Floats | int = 0
    for size in blocks(trials, units, progress):
        moved = np.stack([sums_by_coin(random, size, rows) for rows in strata], axis=1)
        moved = moved.reshape(size, -1, systems, columns).transpose(2, 0, 1, 3)
        together = max(_NUMBERS // moved[0].size, 1)
        counts = []
        for start in range(0, len(pairs), together):
            a, b = first[start : start + together], second[start : start + together]
            both = np.stack([totals[a], totals[b]])
            counts.append(_reached(sample.statistic, both, moved[b] - moved[a], one_sided))
        reached = reached + np.concatenate(counts)
    return [Randomisation((count + 1) / (trials + 1), trials, False, 1 / (trials + 1)) for count in np.asarray(reached)]


def _reached(statistic: Statistic, totals: Floats, moved: Floats, one_sided: bool, sign: int = 1) -> Floats:
    """How often pairs differ at least as much as observed, when sums [pairs, trials, strata, columns] are exchanged.

    `totals` [2, pairs, strata, columns] are the sums of the two systems of each pair. `sign` -1 stands for exchanging
    all units that are not exchanged here.
    """
    first, second = totals
    observed = statistic(second) - statistic(first)
    difference = sign * (statistic(second[:, None] - moved) - statistic(first[:, None] + moved))
    if not one_sided:
        observed, difference = np.abs(observed), np.abs(difference)
    reached: Floats = (difference >= observed[:, None] - EQUAL).sum(axis=1).astype(np.float64)
    return reached
