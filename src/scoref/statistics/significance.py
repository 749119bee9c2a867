"""Intervals and paired tests from sums: resampling, correction for many tests, groups that do not differ.

Nothing here knows what is measured. A sample holds additive sums for each system and each unit (what was drawn
independently: a document, say), and a vectorised statistic that makes values of sums. Resamples are drawn as matrices
of weights, so that all of them are evaluated by matrix products.

| question | answer |
|---|---|
| how sure is a value, or a difference? | `bootstrap`, then `percentile` or `bca` (Efron & Tibshirani 1993) |
| could the difference of two systems be chance? | `randomisation` (Noreen 1989, Yeh 2000) |
| and if many differences are tested? | `CORRECTIONS`: none, Holm 1979, Benjamini & Hochberg 1995 |
| which systems do not differ? | `groups` (Piepho 2004) |

Random numbers depend on the seed and on the number of units alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Statistic = Callable[[Floats], Floats]

_EXACT = 16  # units that differ, up to which all exchanges are tried: 65,536
_BLOCK = 1 << 21  # weights held at a time
_EQUAL = 1e-12  # what differences of equal size may differ by, as sums are rounded
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
    found: Floats = whole[..., :-1] / np.maximum(whole[..., -1:], 1)
    return found


# -- the bootstrap ---------------------------------------------------------------------------------------------------


def bootstrap(sample: Sample, trials: int, seed: int) -> Floats:
    """Values [trials, systems, ...] of samples of as many units, drawn with replacement, the same for all systems.

    >>> sample = Sample(np.array([[[1.0, 1], [3, 1]]]), np.zeros(2, np.int64), mean)
    >>> sorted({float(value) for value in bootstrap(sample, 100, seed=1).ravel()})
    [1.0, 2.0, 3.0]
    """
    random = np.random.default_rng([seed, _BOOTSTRAP])
    systems, units, columns = sample.sums.shape
    flat = sample.sums.transpose(1, 0, 2).reshape(units, systems * columns)
    found = []
    for size in _sizes(trials, units):
        sums = np.stack([_drawn(random, size, len(places)) @ flat[places] for places in sample.places], axis=1)
        found.append(sample.statistic(sums.reshape(size, -1, systems, columns).swapaxes(1, 2)))
    return np.concatenate(found)


def _sizes(trials: int, units: int) -> Iterator[int]:
    """The numbers of trials that are made together."""
    most = max(_BLOCK // max(units, 1), 1)
    for start in range(0, trials, most):
        yield min(most, trials - start)


def _drawn(random: np.random.Generator, size: int, units: int) -> Floats:
    """How often each unit is drawn [size, units]."""
    places = random.integers(0, units, (size, units)) + units * np.arange(size)[:, None]
    return np.bincount(places.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def jackknife(sample: Sample) -> Floats:
    """Values [units, systems, ...] of the sample without each of its units."""
    totals = sample.totals
    found = []
    start = 0
    for size in _sizes(len(sample.strata), totals.shape[1] * totals.shape[2]):
        units = slice(start, start + size)
        left = np.repeat(totals[None], size, axis=0)
        left[np.arange(size), :, sample.strata[units]] -= sample.sums[:, units].swapaxes(0, 1)
        found.append(sample.statistic(left))
        start += size
    return np.concatenate(found)


def percentile(resampled: Floats, confidence: float = 0.95) -> Floats:
    """Intervals [..., 2] that hold the middle of the resampled values [trials, ...].

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
    Where these are not defined, as all resampled values are alike or none is below the observed one, it is the
    interval of `percentile`.
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
    found = percentile(resampled, confidence)
    normal = NormalDist()
    tails = [normal.inv_cdf(share) for share in ((1 - confidence) / 2, (1 + confidence) / 2)]
    for place in np.flatnonzero((spread > 0) & (below > 0) & (below < 1)).tolist():
        bias = normal.inv_cdf(float(below[place]))
        acceleration = float((influence[:, place] ** 3).sum() / (6 * spread[place] ** 1.5))
        shares = [normal.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in tails]
        found[place] = np.quantile(resampled[:, place], shares)
    return found.reshape(*shape, 2)


# -- the test --------------------------------------------------------------------------------------------------------


class Randomisation(NamedTuple):
    """P-values [...] of a test, from how many exchanges, and whether these were all there are."""

    p: Floats
    trials: int
    exact: bool


def randomisation(sample: Sample, trials: int, seed: int) -> Randomisation:
    """The p-value of the difference of two systems, if their sums of a unit could be exchanged by chance.

    Paired approximate randomisation: exchange the two systems' sums of a unit, or do not, at random for each unit;
    p = (c + 1)/(trials + 1), where c counts exchanges after which the values differ at least as much, in either
    direction. Up to 16 units that differ, all exchanges are tried, and p = c/2ⁿ.

    >>> a, b = np.array([[1.0, 1], [2, 1], [3, 1]]), np.array([[2.0, 1], [3, 1], [4, 1]])
    >>> randomisation(Sample(np.stack([a, b]), np.zeros(3, np.int64), mean), 1000, seed=1)
    Randomisation(p=array([0.25]), trials=8, exact=True)
    """
    first, second = sample.sums
    differ = np.flatnonzero((first != second).any(axis=1))
    change, strata = (second - first)[differ], sample.strata[differ]
    places = [np.flatnonzero(strata == stratum) for stratum in range(len(sample.places))]
    totals = sample.totals
    observed = np.abs(sample.statistic(totals[1]) - sample.statistic(totals[0]))
    exact = len(differ) <= _EXACT
    reached, number = np.zeros(observed.shape), 0
    for exchanged in _all_exchanges(len(differ)) if exact else _some_exchanges(len(differ), trials, seed):
        moved = np.stack([exchanged[:, each] @ change[each] for each in places], axis=1)
        difference = sample.statistic(totals[1] - moved) - sample.statistic(totals[0] + moved)
        reached += (np.abs(difference) >= observed - _EQUAL).sum(axis=0)
        number += len(exchanged)
    if exact:
        return Randomisation(reached / number, 2 ** len(differ), True)
    return Randomisation((reached + 1) / (number + 1), number, False)


def _all_exchanges(units: int) -> Iterator[Floats]:
    """All ways to exchange units but the first; to exchange all others instead gives the same difference, negative."""
    numbers = np.arange(2 ** max(units - 1, 0))
    yield ((numbers[:, None] >> np.arange(units)) & 1).astype(np.float64)


def _some_exchanges(units: int, trials: int, seed: int) -> Iterator[Floats]:
    random = np.random.default_rng([seed, _RANDOMISATION])
    for size in _sizes(trials, units):
        yield random.integers(0, 2, (size, units), np.uint8).astype(np.float64)


# -- many tests ------------------------------------------------------------------------------------------------------


def uncorrected(p: Floats) -> Floats:
    """The p-values as they are."""
    return p


def holm(p: Floats) -> Floats:
    """P-values [tests, ...] such that the probability of any false rejection is at most that of one test (Holm 1979).

    The i-th smallest of m is multiplied by m − i + 1, and is at least as large as the one before.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, axis=0, kind="stable")
    factors = np.arange(len(p), 0, -1).reshape(-1, *[1] * (p.ndim - 1))
    return _in_place(np.maximum.accumulate(np.take_along_axis(p, order, 0) * factors, axis=0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    """P-values [tests, ...] such that the expected share of false rejections among all is at most that of one test.

    The i-th smallest of m is multiplied by m/i, and is at most as large as the one behind it.

    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.04, 0.04]
    """
    order = np.argsort(p, axis=0, kind="stable")
    factors = (len(p) / np.arange(1, len(p) + 1)).reshape(-1, *[1] * (p.ndim - 1))
    stepped = np.take_along_axis(p, order, 0) * factors
    return _in_place(np.minimum.accumulate(stepped[::-1], axis=0)[::-1], order)


def _in_place(values: Floats, order: Integers) -> Floats:
    found = np.empty_like(values)
    np.put_along_axis(found, order, np.minimum(values, 1), 0)
    return found


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {"holm": holm, "bh": benjamini_hochberg, "none": uncorrected}


def groups(number: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The largest groups of things, numbered from 0, no two of which are different, in the order of their members.

    Start with one group of all; for each different pair, each group that has both is replaced by the two that lack one
    of them; groups inside others go (insert and absorb, Piepho 2004).

    >>> groups(3, [(0, 2)])
    [(0, 1), (1, 2)]
    """
    found = [frozenset(range(number))]
    for pair in different:
        found = [part for each in found for part in ([each - {one} for one in pair] if each >= {*pair} else [each])]
        found = [each for each in dict.fromkeys(found) if not any(each < other for other in found)]
    return sorted(tuple(sorted(each)) for each in found)
