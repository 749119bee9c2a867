"""Whether intervals hold what they promise, and tests reject as often as they say, by simulation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import erfc
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measuring import Row, Settings
from scoref.statistics.beside.datasets import LEVEL
from scoref.statistics.beside.power import detectable
from scoref.statistics.inference.corrections import at_least, bonferroni, fisher, holm, partial_conjunction
from scoref.statistics.inference.ranks import friedman
from scoref.statistics.inference.spread import Estimate, estimates, other_documents, other_runs, spread
from scoref.statistics.significance import Sample, bootstrap, percentile

Floats = NDArray[np.float64]


class World(NamedTuple):
    """Where scores come from: documents, skewed or not, weighted or not; how far runs and their noise differ."""

    documents: int
    runs: int
    skewed: bool
    weighted: bool
    run: float  # standard deviation of a run's score
    noise: float  # of a run in a document

    def drawn(self, random: np.random.Generator, difference: float = 0.0) -> Sample:
        """The scores of two systems, a then b, on documents that are drawn anew."""
        n = self.documents
        shape = (2, 1, n)
        effect = random.exponential(0.1, shape) - 0.1 if self.skewed else random.normal(0, 0.1, shape)
        shared = random.normal(0.6, 0.1, n)
        values = shared + effect + random.normal(0, self.run, (2, self.runs, 1))
        values = values + random.normal(0, self.noise, (2, self.runs, n))
        values[1] += difference
        weights = random.uniform(0.2, 2, n) if self.weighted else np.ones(n)
        sums = np.stack([values * weights, np.broadcast_to(weights, values.shape)], axis=-1)
        return Sample(sums.reshape(2 * self.runs, n, 2), np.zeros(n, np.int64), _mean)


def _mean(sums: Floats) -> Floats:
    whole = sums.sum(axis=-2)
    found: Floats = whole[..., :1] / whole[..., 1:]
    return found


def coverage(settings: Settings) -> Iterator[Row]:
    """Of 100 intervals of 95 % for several runs, how many hold the true difference; the two-way bootstrap beside it."""
    samples, trials = (40, 200) if settings.quick else (500, 500)
    held: list[float] = []
    two_way: list[float] = []
    for n, runs, skewed, weighted, run in product(
        (20, 50, 100), (3, 5), (False, True), (False, True), (0.0, 0.02, 0.1)
    ):
        world = World(n, runs, skewed, weighted, run, 0.05)
        random = np.random.default_rng([n, runs, skewed, weighted, round(100 * run)])
        inside = [0, 0]
        for number in range(samples):
            sample = world.drawn(random)
            low, high = _estimate(sample, runs, trials, number).interval() or (0.0, 0.0)
            inside[0] += low <= 0 <= high
            low, high = _both_drawn(sample, runs, trials, random)
            inside[1] += low <= 0 <= high
        held.append(100 * inside[0] / samples)
        two_way.append(100 * inside[1] / samples)
    settled = f"{len(held)} settings of 20, 50, 100 documents, 3 and 5 runs, {samples} samples each"
    yield _row(f"t over documents and runs: mean ({settled})", np.mean(held), 93, 98)
    yield _row("t over documents and runs: least of a setting", min(held), 91, 100)
    yield _row("t over documents and runs: most of a setting", max(held), 0, 99.5)
    yield Row(
        "percentile interval of documents and runs drawn again: least, most",
        f"{min(two_way):.1f}, {max(two_way):.1f} %",
    )


def errors_of_tests(settings: Settings) -> Iterator[Row]:
    """How often tests at 5 % reject a true difference of 0, and how often a difference that should be found in 80 %."""
    samples, trials = (40, 200) if settings.quick else (500, 500)
    for what, run in (("runs alike", 0.0), ("runs differ", 0.1)):
        world = World(50, 4, False, False, run, 0.05)
        random = np.random.default_rng(round(100 * run) + 7)
        rejected = np.zeros(5)
        for number in range(samples):
            sample = world.drawn(random)
            estimate = _estimate(sample, 4, trials, number)
            sides = range(4), range(4, 8)
            documents, runs = (other_documents(sample, *sides, trials, number),
                               other_runs(sample.values, *sides, trials, number))  # fmt: skip
            p = [estimate.p(), *(each.p[0] if each else 1.0 for each in (documents, runs))]
            rejected[:3] += [value is not None and value < 0.05 for value in p]
            edge = world.drawn(random, -0.05)  # worse by exactly the margin
            rejected[3] += (_estimate(edge, 4, trials, number).p_above(-0.05) or 1) < 0.05
            error = (2 * (0.1**2 + 0.05**2 / 4) / 50 + 2 * run**2 / 4) ** 0.5
            found = world.drawn(random, detectable(error))
            rejected[4] += (_estimate(found, 4, trials, number).p() or 1) < 0.05
        shares = 100 * rejected / samples
        yield _row(f"{what}: t over documents and runs rejects no difference", shares[0], 2, 8)
        yield Row(f"{what}: these runs, other documents rejects", f"{shares[1]:.1f} %")
        yield Row(f"{what}: these documents, other runs rejects", f"{shares[2]:.1f} %")
        yield _row(f"{what}: not worse by a margin, though it is, claimed", shares[3], 2, 8)
        yield Row(f"{what}: the difference that is to be found in 80 %, found", f"{shares[4]:.1f} %")


def errors_over_datasets(settings: Settings) -> Iterator[Row]:
    """How often claims over many datasets are false: better on more datasets than is true, a wrong one, wrong ranks."""
    samples, n, k = (200 if settings.quick else 4000), 8, 3
    random = np.random.default_rng(27)
    for what, better in (("better on none of 8", 0), (f"better on {k} of 8", k)):
        shift = np.where(np.arange(n) < better, 3.0, 0.0)
        wrong = np.zeros(3)
        for z in random.normal(0, 1, (samples, n)) + shift:
            p = [erfc(value / 2**0.5) / 2 for value in z]
            claimed = [at_least(partial_conjunction(p, how), LEVEL) for how in (bonferroni, fisher)]
            wrong[:2] += [number > better for number in claimed]
            wrong[2] += bool((holm(np.array(p))[better:] <= LEVEL).any())
        for name, value in zip(("any dependence", "if independent", "which ones (Holm)"), wrong, strict=True):
            yield _row(f"{what}: too much is claimed, {name}", 100 * value / samples, 0, 7)
    false = np.zeros(3)
    for values in random.normal(0, 1, (samples, 12, 5)):
        ranks = friedman(values.tolist(), LEVEL)
        apart = max(ranks.means) - min(ranks.means) >= ranks.critical
        false += [ranks.p < LEVEL, ranks.p_f < LEVEL, apart]
    for name, value in zip(("Friedman", "Iman-Davenport", "critical difference"), false, strict=True):
        yield _row(f"5 systems alike on 12 datasets: {name} rejects", 100 * value / samples, 0, 7)


def _estimate(sample: Sample, runs: int, trials: int, seed: int) -> Estimate:
    return estimates(spread(sample, trials, seed), [range(runs), range(runs, 2 * runs)])[0]


def _both_drawn(sample: Sample, runs: int, trials: int, random: np.random.Generator) -> tuple[float, float]:
    """The percentile interval of a bootstrap that draws documents and runs."""
    values = bootstrap(sample, trials, int(random.integers(1 << 30)))[:, :, 0]
    each = [np.take_along_axis(side, random.integers(0, runs, (trials, runs)), 1).mean(axis=1)
            for side in (values[:, :runs], values[:, runs:])]  # fmt: skip
    low, high = percentile(each[1] - each[0])
    return float(low), float(high)


def _row(what: str, value: float, low: float, high: float) -> Row:
    return Row(what, f"{value:.1f} %", f"{low:g} to {high:g} %", "yes" if low <= value <= high else "no")


PARTS = (coverage, errors_of_tests, errors_over_datasets)
