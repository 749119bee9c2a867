"""How far scores vary with documents and with runs, and what this says of a mean or a difference over runs.

Nothing here knows what is measured: a `Sample` has a system for each run, with one value for each score.

Two sources of chance. Other documents would give other scores: the bootstrap shows how much. Another run of the same
system (another seed of training, another answer of a language model) would, too: the scores of its runs show how much.
Each run adds noise of its own to each document, which both of them see; it is counted once.

| symbol | what |
|---|---|
| V_doc | variance of the difference over bootstrap samples of documents, all runs kept, times n/(n − 1) |
| V_s | variance of the scores of a system's m runs, over m − 1, divided by m |
| X_s | (mean bootstrap variance of one run − that of the mean over runs)/(m − 1), times n/(n − 1) |
| V_run | V_s − X_s, at least 0 |

The standard error is √(V_doc + ΣV_run); its degrees of freedom are those of Satterthwaite (1946). The percentile
interval of a bootstrap over documents and runs is not used: it is too short where runs differ, and too long where they
do not (Owen 2007). The part `coverage` of the benchmarks measures both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...processes import Progress
from ..significance import EQUAL, EXACT, Floats, Randomisation, Sample, bootstrap_blocks, randomisations
from .distributions import t_quantile, t_tail

_RUNS = 2  # the stream of random numbers that exchanges runs

Side = Sequence[int]  # the runs of a system, by their numbers


class Spread(NamedTuple):
    """The scores [runs, scores], and how they vary together [scores, runs, runs] over samples of documents.

    `free` are the degrees of freedom of the documents: their number minus 1, or minus the number of strata.
    """

    values: Floats
    together: Floats
    free: int


def spread(sample: Sample, trials: int, seed: int, progress: Progress = None) -> Spread:
    """The scores of runs and their covariances over bootstrap samples of units, times n/(n − 1).

    Units are drawn within their strata; strata of one unit cannot vary, and do not count.
    """
    observed = sample.values
    sums, products = np.zeros_like(observed), np.zeros((observed.shape[1], len(observed), len(observed)))
    for values in bootstrap_blocks(sample, trials, seed, progress):
        apart = values - observed
        sums += apart.sum(axis=0)
        products += np.einsum("tam,tbm->mab", apart, apart)
    mean = sums / trials
    together = products / trials - np.einsum("am,bm->mab", mean, mean)
    sizes = [len(places) for places in sample.places if len(places) > 1]
    units, free = sum(sizes), sum(sizes) - len(sizes)
    return Spread(observed, together * (units / free if free else 1), free)


class Estimate(NamedTuple):
    """A mean over runs, or the difference of two, with the variances that it has from documents and from runs.

    The variance from the runs of a system with one run is not known: None. `numbers` are the runs of each system.
    """

    value: float
    documents: float
    runs: tuple[float | None, ...]
    free: int
    numbers: tuple[int, ...]

    @property
    def known(self) -> bool:
        """Whether every system has several runs, so that the estimate is for other runs, too."""
        return None not in self.runs

    @property
    def varies(self) -> bool:
        """Whether anything varies; if not, there are no intervals and no p-values."""
        return self.free > 0 and self.error > EQUAL

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.documents + self.of_runs)

    @property
    def of_runs(self) -> float:
        """The variance that comes from runs, as far as it is known."""
        return math.fsum(each or 0.0 for each in self.runs)

    @property
    def degrees(self) -> float:
        """The degrees of freedom of the standard error."""
        parts = [(self.documents, self.free), *((each or 0.0, m - 1) for each, m in self._by_side if each)]
        return self.error**4 / math.fsum(part**2 / free for part, free in parts)

    @property
    def _by_side(self) -> list[tuple[float | None, int]]:
        return [*zip(self.runs, self.numbers, strict=True)]

    def interval(self, confidence: float = 0.95) -> tuple[float, float] | None:
        """The interval of Student's t; None if nothing varies."""
        if not self.varies:
            return None
        half = t_quantile((1 + confidence) / 2, self.degrees) * self.error
        return self.value - half, self.value + half

    def p(self) -> float | None:
        """The p-value, two-sided, of no difference; None if nothing varies."""
        return 2 * t_tail(abs(self.value) / self.error, self.degrees) if self.varies else None

    def p_above(self, limit: float) -> float | None:
        """The p-value, one-sided, of a value of at most `limit`; None if nothing varies."""
        return t_tail((self.value - limit) / self.error, self.degrees) if self.varies else None


def estimates(found: Spread, sides: Sequence[Side]) -> list[Estimate]:
    """The estimates of all scores: of the mean over the runs of the only side, or of the second's minus the first's.

    >>> one, two = np.array([[1.0, 1], [2, 1], [6, 1]]), np.array([[2.0, 1], [3, 1], [9, 1]])
    >>> from ..significance import mean
    >>> runs = spread(Sample(np.stack([one, two]), np.zeros(3, np.int64), mean), 20_000, seed=1)
    >>> both = estimates(runs, [[0], [1]])[0]
    >>> round(both.value, 4), round(both.error, 2), both.known
    (1.6667, 0.67, False)
    """
    weights = np.zeros(len(found.values))
    for sign, side in zip((1,) if len(sides) == 1 else (-1, 1), sides, strict=True):
        weights[[*side]] = sign / len(side)
    values = weights @ found.values
    documents = np.einsum("a,mab,b->m", weights, found.together, weights)
    runs = [_of_runs(found, [*side]) for side in sides]
    numbers = tuple(len(side) for side in sides)
    return [
        Estimate(
            float(values[place]),
            max(float(documents[place]), 0.0),
            tuple(None if each is None else float(each[place]) for each in runs),
            found.free,
            numbers,
        )
        for place in range(len(values))
    ]


def _of_runs(found: Spread, side: list[int]) -> Floats | None:
    """The variances of a system's mean that come from its runs alone; None for one run."""
    number = len(side)
    if number < 2:
        return None
    ours = found.together[:, side][:, :, side]
    alone, mean = np.trace(ours, axis1=1, axis2=2) / number, ours.sum(axis=(1, 2)) / number**2
    counted = np.maximum((alone - mean) / (number - 1), 0)
    variances: Floats = np.maximum(found.values[side].var(axis=0, ddof=1) / number - counted, 0)
    return variances


# -- exchange tests, each for a question of its own ------------------------------------------------------------------


def other_documents(sample: Sample, a: Side, b: Side, trials: int, seed: int) -> Randomisation | None:
    """These runs, other documents: a document's sums are exchanged in all paired runs at once.

    Exchanging them in each pair of runs by itself would be wrong, as runs of a system share its strengths. None if the
    systems have different numbers of runs, which cannot be paired.
    """
    if len(a) != len(b):
        return None
    number, columns = len(a), sample.sums.shape[2]
    sides = [np.concatenate([*sample.sums[[*side]]], axis=1) for side in (a, b)]

    def means(sums: Floats) -> Floats:
        parts = sums.reshape(*sums.shape[:-1], number, columns)
        found: Floats = sample.statistic(np.moveaxis(parts, -2, 0)).mean(axis=0)
        return found

    return randomisations(Sample(np.stack(sides), sample.strata, means), [(0, 1)], trials, seed)[0]


def other_runs(values: Floats, a: Side, b: Side, trials: int, seed: int) -> Randomisation | None:
    """These documents, other runs: the scores [runs, scores] of runs are dealt out to the systems anew, in all ways.

    With 3 runs against 3 there are 20 ways, and p is at least 0.1. More than 65,536 ways are drawn at random. None for
    one run against one.

    >>> other_runs(np.array([[1.0], [2], [3], [4], [5], [6]]), [0, 1, 2], [3, 4, 5], 1000, seed=1)
    Randomisation(p=array([0.1]), trials=20, exact=True, least=0.1)
    """
    number, first = len(a) + len(b), len(a)
    if number < 3:
        return None
    scores, ways = values[[*a, *b]], math.comb(number, first)
    exact = ways <= 2**EXACT
    if exact:
        dealt = np.zeros((ways, number))
        dealt[np.arange(ways)[:, None], np.array([*combinations(range(number), first)])] = 1
    else:
        random = np.random.default_rng([seed, _RUNS])
        dealt = random.permuted(np.tile(np.arange(number) < first, (trials, 1)), axis=1).astype(np.float64)
    differences = (1 - dealt) @ scores / len(b) - dealt @ scores / first
    observed = scores[first:].mean(axis=0) - scores[:first].mean(axis=0)
    reached = (np.abs(differences) >= np.abs(observed) - EQUAL).sum(axis=0)
    if not exact:
        return Randomisation((reached + 1) / (trials + 1), trials, False, 1 / (trials + 1))
    return Randomisation(reached / ways, ways, True, (2 if len(a) == len(b) else 1) / ways)
