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

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..processes import Progress
from .inference.draws import Drawing, blocks, sums_by_coin, sums_with_replacement

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Statistic = Callable[[Floats], Floats]

EXACT = 16  # up to so many units that differ, all exchanges are tried: 65,536
_NUMBERS = 1 << 21  # sums held at a time
EQUAL = 1e-12  # tolerance for rounding when differences are compared
_BOOTSTRAP, _RANDOMISATION = 0, 1  # streams of random numbers


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


# -- the bootstrap ---------------------------------------------------------------------------------------------------


def bootstrap(sample: Sample, trials: int, seed: int, progress: Progress = None) -> Floats:
    """Values [trials, systems, ...] of samples of as many units, drawn with replacement, the same for all systems.

    >>> sample = Sample(np.array([[[1.0, 1], [3, 1]]]), np.zeros(2, np.int64), mean)
    >>> sorted({float(value) for value in bootstrap(sample, 100, seed=1).ravel()})
    [1.0, 2.0, 3.0]
    """
    found, done = np.empty((*sample.values.shape, trials)), 0
    for values in bootstrap_blocks(sample, trials, seed, progress):
        found[..., done : done + len(values)] = np.moveaxis(values, 0, -1)
        done += len(values)
    return np.moveaxis(found, -1, 0)


def bootstrap_blocks(sample: Sample, trials: int, seed: int, progress: Progress = None) -> Iterator[Floats]:
    """The same values in blocks of trials, for those that need not keep all of them."""
    random = np.random.default_rng([seed, _BOOTSTRAP])
    drawing = Drawing(sample.sums, sample.places, sums_with_replacement)
    for size in blocks(trials, len(sample.strata), progress):
        yield sample.statistic(drawing.sums(random, size))


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
    ends = [_quantiles(ordered, (tail, 1 - tail)) for ordered in _ordered(resampled)]
    return np.array(ends).reshape(*resampled.shape[1:], 2)


def _ordered(resampled: Floats) -> Iterator[Floats]:
    """The resampled values [trials, ...] of one thing after the other, from the lowest to the highest."""
    return map(np.sort, np.moveaxis(resampled, 0, -1).reshape(-1, len(resampled)))


def _quantiles(ordered: Floats, shares: Iterable[float]) -> list[float]:
    """What `np.quantile` gives, of values that are in order: between two of them, it is on the line."""
    found = []
    for place in (share * (len(ordered) - 1) for share in shares):
        low = int(place)
        below, above = ordered[[low, min(low + 1, len(ordered) - 1)]].tolist()
        found.append(below + (above - below) * (place - low))
    return found


def bca(observed: Floats, resampled: Floats, left_out: Floats, strata: Integers, confidence: float = 0.95) -> Floats:
    """Intervals [..., 2], corrected for bias and skewness (BCa): other percentiles of the resampled values.

    The percentiles are Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) for z = ±1.96. The bias is z₀ = Φ⁻¹(share of resampled values
    below the observed one, those equal to it counting half); the acceleration is a = Σu³ / 6(Σu²)^1.5, where u = (n −
    1)(mean − value)/n over the values `left_out` [units, ...] of the jackknife, n being the units of the stratum.
    Where z₀ or a is not defined (all resampled values are equal, or none is below the observed one), it is the interval
    of `percentile`.
    """
    from statistics import NormalDist

    left_out, number = left_out.reshape(len(left_out), -1), len(resampled)
    influence = np.zeros_like(left_out)
    for stratum in np.unique(strata):
        places = strata == stratum
        units = int(places.sum())
        influence[places] = (units - 1) / units * (left_out[places].mean(axis=0) - left_out[places])
    spread, skewness = ((influence**power).sum(axis=0).tolist() for power in (2, 3))
    normal, tail = NormalDist(), (1 - confidence) / 2
    intervals = []
    for place, (value, ordered) in enumerate(zip(observed.ravel(), _ordered(resampled), strict=True)):
        below = float(np.searchsorted(ordered, (value - EQUAL, value + EQUAL)).mean()) / number
        shares = [tail, 1 - tail]
        if spread[place] > 0 and 0 < below < 1:
            bias, acceleration = normal.inv_cdf(below), skewness[place] / (6 * spread[place] ** 1.5)
            each = [bias + normal.inv_cdf(share) for share in (tail, (1 + confidence) / 2)]
            shares = [normal.cdf(bias + z / (1 - acceleration * z)) for z in each]
        intervals.append(_quantiles(ordered, shares))
    return np.array(intervals).reshape(*observed.shape, 2)


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
    drawing = Drawing(sample.sums, sample.places, sums_by_coin)
    totals = sample.totals
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    reached: Floats | int = 0
    for size in blocks(trials, len(sample.strata), progress):
        moved = drawing.sums(random, size).swapaxes(0, 1)
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
