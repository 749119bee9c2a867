"""Intervals and tests against scipy, against literal loops, and by what they promise."""

from __future__ import annotations

from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from scoref.counting.metrics import ratios
from scoref.statistics import significance
from scoref.statistics.inference import draws as drawing
from scoref.statistics.inference.corrections import CORRECTIONS, holm
from scoref.statistics.letters import groups
from scoref.statistics.significance import (
    Randomisation,
    Sample,
    bca,
    bootstrap,
    jackknife,
    percentile,
    randomisations,
)

Floats = NDArray[np.float64]


def f1(sums: Floats) -> Floats:
    """The mean over strata of a ratio of sums, as two values: not linear, not symmetric."""
    return np.stack([ratios(sums)[..., 2], ratios(sums)[..., 0]], axis=-1).mean(axis=-2)


def counts(systems: int, units: int, seed: int, better: float = 0.0) -> Floats:
    """Numerators and denominators of units of different sizes; each further system is a little better."""
    random = np.random.default_rng(seed)
    size = np.broadcast_to(random.integers(5, 50, (units, 1)), (units, 2)).astype(float)
    found = []
    for system in range(systems):
        right = random.binomial(size.astype(int), min(0.6 + better * system, 1)) + random.random((units, 2)) / 2
        found.append(np.stack([right[:, 0], size[:, 0], right[:, 1], size[:, 1] + 3], axis=-1))
    return np.stack(found)


def sample(systems: int, units: int, seed: int = 0, strata: int = 1, better: float = 0.0) -> Sample:
    return Sample(counts(systems, units, seed, better), np.arange(units) % strata, f1)


def randomisation(sample: Sample, trials: int, seed: int) -> Randomisation:
    """The test of the only two systems."""
    return randomisations(sample, [(0, 1)], trials, seed)[0]


# -- against scipy ----------------------------------------------------------------------------------------------------


def total(data: Floats, places: NDArray[np.int64], value: int) -> Floats:
    """Our statistic for scipy, which knows numbers only: they are the places of units."""
    return f1(data[places].sum(axis=-2)[..., None, :])[..., value]


@pytest.mark.parametrize("units", [2, 3, 7, 10])
@pytest.mark.parametrize("value", [0, 1])
def test_exact_p_values_are_those_of_scipy(units: int, value: int) -> None:
    ours = sample(2, units, seed=units, better=0.1)
    both = ours.sums.reshape(2 * units, 4)
    theirs = stats.permutation_test(
        (np.arange(units), np.arange(units) + units),
        lambda a, b: total(both, b, value) - total(both, a, value),
        permutation_type="samples",
        vectorized=False,
        n_resamples=2**12,
    )
    found = randomisation(ours, trials=10, seed=0)
    assert found.exact
    assert found.trials == 2**units
    assert found.p[value] == pytest.approx(theirs.pvalue, abs=1e-12)


def test_random_p_values_are_those_of_scipy_within_sampling_error() -> None:
    for seed, better in ((1, 0.0), (2, 0.01), (3, 0.02)):
        ours = sample(2, 40, seed, better=better)
        both = ours.sums.reshape(80, 4)
        theirs = stats.permutation_test(
            (np.arange(40), np.arange(40) + 40),
            lambda a, b, axis, both=both: (
                total(both, np.moveaxis(b, axis, -1), 0) - total(both, np.moveaxis(a, axis, -1), 0)
            ),
            permutation_type="samples",
            n_resamples=4999,
            rng=np.random.default_rng(seed),
        )
        found = randomisation(ours, trials=5000, seed=seed)
        assert not found.exact
        error = 4 * np.sqrt(2 * found.p[0] * (1 - found.p[0]) / 5000) + 2 / 5000
        assert found.p[0] == pytest.approx(theirs.pvalue, abs=error)


@pytest.mark.parametrize("strata", [1, 3])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_intervals_are_those_of_scipy_for_the_same_resamples(strata: int, confidence: float) -> None:
    ours = sample(1, 30, strata=strata)
    resampled = bootstrap(ours, 2000, seed=1)
    found = {
        "percentile": percentile(resampled, confidence)[0],
        "BCa": bca(ours.values, resampled, jackknife(ours), ours.strata, confidence)[0],
    }
    data = ours.sums[0]
    for value, (method, ends) in product(range(2), found.items()):

        def mean_of_strata(*places: NDArray[np.int64], axis: int = -1, value: int = value) -> Floats:
            return np.mean([total(data, np.moveaxis(each, axis, -1), value) for each in places], axis=0)

        theirs = stats.bootstrap(
            tuple(ours.places), mean_of_strata, n_resamples=0, method=method, confidence_level=confidence,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=resampled[:, 0, value]), vectorized=True,
        ).confidence_interval  # fmt: skip
        assert ends[value].tolist() == pytest.approx([theirs.low, theirs.high], abs=1e-9)


def test_intervals_of_differences_are_those_of_scipy_within_sampling_error() -> None:
    ours = sample(2, 60, better=0.05)
    values = bootstrap(ours, 10_000, seed=1)
    left = jackknife(ours)
    apart = ours.values[1] - ours.values[0]
    ends = bca(apart, values[:, 1] - values[:, 0], left[:, 1] - left[:, 0], ours.strata)[0]

    def difference(places: NDArray[np.int64], axis: int = -1) -> Floats:
        places = np.moveaxis(places, axis, -1)
        return total(ours.sums[1], places, 0) - total(ours.sums[0], places, 0)

    theirs = stats.bootstrap((np.arange(60),), difference, n_resamples=10_000, rng=np.random.default_rng(3))
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert ends.tolist() == pytest.approx(list(theirs.confidence_interval), abs=0.05 * width)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_the_false_discovery_rate_is_that_of_scipy(p: list[float]) -> None:
    expected = stats.false_discovery_control(p, method="bh")
    assert CORRECTIONS["bh"](np.array(p)) == pytest.approx(expected)


# -- against literal loops --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strata", [1, 2])
def test_the_bootstrap_is_a_loop_over_draws(strata: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_WEIGHTS", 7 * 12)  # blocks of seven trials
    ours = sample(2, 12, strata=strata)
    found = bootstrap(ours, 7, seed=5)
    random = np.random.default_rng([5, 0])
    draws = [random.integers(0, len(places), (7, len(places))) for places in ours.places]
    for trial in range(7):
        for system in range(2):
            sums = np.zeros((strata, 4))
            for stratum, places in enumerate(ours.places):
                for drawn in draws[stratum][trial]:
                    sums[stratum] += ours.sums[system, places[drawn]]
            assert found[trial, system].tolist() == pytest.approx(f1(sums).tolist(), abs=1e-12)
    assert bootstrap(ours, 20, seed=5)[:7].tolist() == found.tolist()


def test_the_jackknife_is_a_loop_over_units(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = sample(2, 9, strata=3)
    expected = []
    for unit in range(9):
        kept = [np.array([place for place in places if place != unit]) for places in ours.places]
        expected.append(f1(np.stack([ours.sums[:, places].sum(axis=1) for places in kept], axis=1)).tolist())
    assert jackknife(ours) == pytest.approx(np.array(expected))
    monkeypatch.setattr(significance, "_NUMBERS", 1)
    assert jackknife(ours) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(("units", "strata"), [(5, 1), (6, 2), (4, 4)])
def test_the_exact_test_is_a_loop_over_exchanges(units: int, strata: int) -> None:
    ours = sample(2, units, strata=strata, better=0.1)
    differences = []
    for exchanged in product((False, True), repeat=units):
        sides = np.where(np.array(exchanged)[None, :, None], ours.sums[::-1], ours.sums)
        values = f1(np.stack([sides[:, places].sum(axis=1) for places in ours.places], axis=1))
        differences.append(np.abs(values[1] - values[0]))
    observed = differences[0]
    expected = np.mean([difference >= observed - 1e-12 for difference in differences], axis=0)
    assert randomisation(ours, 1, 0).p.tolist() == expected.tolist()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_a_loop_over_ranks(p: list[float]) -> None:
    expected = [0.0] * len(p)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        largest = max(largest, (len(p) - rank) * p[place])
        expected[place] = min(largest, 1.0)
    assert holm(np.array(p)).tolist() == pytest.approx(expected)


def test_corrections_are_made_column_by_column() -> None:
    p = np.random.default_rng(0).random((5, 3))
    for correct in CORRECTIONS.values():
        assert correct(p) == pytest.approx(np.stack([correct(column) for column in p.T], axis=1))
        assert correct(p[:1]) == pytest.approx(p[:1])
        assert (correct(p) >= p).all()


# -- what they promise ------------------------------------------------------------------------------------------------


def test_units_that_do_not_differ_change_nothing() -> None:
    ours = sample(2, 10, better=0.1)
    same = counts(1, 30, seed=9)
    more = Sample(np.concatenate([ours.sums, np.repeat(same, 2, axis=0)], axis=1), np.zeros(40, np.int64), f1)
    found = randomisation(more, trials=10, seed=0)
    assert (found.exact, found.trials) == (True, 2**10)
    equal = Sample(np.repeat(same, 2, axis=0), np.zeros(30, np.int64), f1)
    assert randomisation(equal, 10, 0) == (pytest.approx(np.ones(2)), 1, True, 2 / 2**16)


def test_the_test_does_not_care_which_system_is_first() -> None:
    for units in (8, 40):
        ours = sample(2, units, better=0.02)
        turned = ours._replace(sums=ours.sums[::-1])
        assert randomisation(ours, 999, seed=1).p == pytest.approx(randomisation(turned, 999, seed=1).p)


def test_the_same_seed_gives_the_same_numbers_whatever_is_beside() -> None:
    three = sample(3, 30)
    two = three._replace(sums=three.sums[:2])
    assert bootstrap(three, 50, seed=4)[:, :2] == pytest.approx(bootstrap(two, 50, seed=4), abs=1e-13)
    assert (bootstrap(two, 50, seed=4) == bootstrap(two, 50, seed=4)).all()
    assert (bootstrap(two, 50, seed=4) != bootstrap(two, 50, seed=5)).any()
    assert (randomisation(two, 50, seed=4).p == randomisation(two, 50, seed=4).p).all()


def test_p_values_are_never_zero_and_random_ones_count_the_observed() -> None:
    ours = sample(2, 30, better=0.4)
    assert randomisation(ours, 99, seed=0).p == pytest.approx(np.full(2, 1 / 100))


def test_intervals_where_nothing_varies_have_no_width() -> None:
    same = Sample(np.tile([1.0, 2.0, 1.0, 1.0], (1, 6, 1)), np.zeros(6, np.int64), f1)
    resampled = bootstrap(same, 100, seed=0)
    ends = bca(same.values, resampled, jackknife(same), same.strata)
    assert np.ptp(ends, axis=-1).max() < 1e-12
    one = sample(1, 1)
    ends = bca(one.values, bootstrap(one, 10, 0), jackknife(one), one.strata)
    assert ends[0, 0].tolist() == [one.values[0, 0]] * 2


def test_many_units_are_resampled_in_blocks() -> None:
    units = 3 * drawing._UNITS + 17
    large = Sample(np.ones((1, units, 2)), np.zeros(units, np.int64), significance.mean)
    assert bootstrap(large, 300, seed=0).ravel().tolist() == [1.0] * 300


def times(units: int, trials: int) -> Floats:
    """How often each unit was drawn [trials, units]: eight are the digits of one number, base 64."""
    digits, places = np.zeros((units, -(-units // 8))), np.arange(units)
    digits[places, places // 8] = 64.0 ** (places % 8)
    every = Sample(digits[None], np.zeros(units, np.int64), lambda sums: sums[..., 0, :])
    drawn = bootstrap(every, trials, seed=1)[:, 0]
    assert drawn.max() < 2**53  # exact
    return drawn[:, places // 8] // 64.0 ** (places % 8) % 64


@pytest.mark.parametrize("units", [1, 2, 30, 64, 65, 100, 1500])
def test_units_are_drawn_as_often_as_there_are_units_and_all_alike(units: int) -> None:
    """A unit is drawn k times with the probability of a binomial distribution, two with that of the multinomial."""
    found = times(units, 4000)
    assert (found == found.round()).all()
    assert (found >= 0).all()
    assert (found.sum(axis=1) == units).all()
    if units == 1:
        return
    number = found.size
    for times_drawn in range(6):
        share = stats.binom.pmf(times_drawn, units, 1 / units)
        # counts of one trial hang together a little, which makes their sum vary less, not more
        assert abs((found == times_drawn).mean() - share) <= 4.5 * np.sqrt(share * (1 - share) / number) + 1e-12
    # for any numbers x of units, the mean of those drawn has the variance Σ(x − x̄)²/n²
    values = np.random.default_rng(2).exponential(size=units)
    expected = values.var() / units
    assert (found @ values / units).var() == pytest.approx(expected, rel=4.5 * np.sqrt(2 / 4000) + 0.05)
    covariance = np.cov(found[:, 0], found[:, -1])[0, 1]
    assert covariance == pytest.approx(-1 / units, abs=4.5 / np.sqrt(4000))


def test_exchanges_are_fair_and_independent() -> None:
    units = drawing._UNITS + 21
    given = drawing.sums_by_coin(np.random.default_rng(0), 2000, np.eye(units))
    assert {*np.unique(given).tolist()} == {0.0, 1.0}
    assert given.mean() == pytest.approx(0.5, abs=4.5 * np.sqrt(0.25 / given.size))
    assert given.sum(axis=1).var() == pytest.approx(units / 4, rel=4.5 * np.sqrt(2 / 2000))


def test_the_tests_of_many_pairs_are_those_of_each_pair() -> None:
    three = sample(3, 40, strata=2, better=0.02)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for pair, found in zip(pairs, randomisations(three, pairs, 500, seed=3), strict=True):
        alone = randomisation(three._replace(sums=three.sums[[*pair]]), 500, seed=3)
        assert found.p.tolist() == alone.p.tolist()
        assert (found.trials, found.exact, found.least) == (500, False, 1 / 501)


@pytest.mark.parametrize("units", [1, 2, 5, 6, 10])
def test_the_smallest_p_is_that_of_a_difference_in_every_unit(units: int) -> None:
    """Of 2ⁿ exchanges two give the largest difference there can be: none, and all."""
    everywhere = Sample(np.stack([np.ones((units, 2)), np.full((units, 2), [2, 1])]), np.zeros(units, np.int64),
                        significance.mean)  # fmt: skip
    found = randomisation(everywhere, 10, 0)
    assert found.p.tolist() == [2 / 2**units]
    assert found.least == 2 / 2**units


def test_groups_are_not_exponentially_many() -> None:
    """Of n things in threes, each different from the other two of its three, the largest groups are 3^(n/3)."""
    number = 60
    different = [pair for start in range(0, number, 3) for pair in combinations(range(start, start + 3), 2)]
    found = groups(number, different)
    assert len(found) <= number * (number - 1) // 2
    sets = [{*group} for group in found]
    for pair in combinations(range(number), 2):
        assert any({*pair} <= group for group in sets) == (pair not in different)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=9))
def test_groups_of_things_in_a_row_are_all_largest_ones(reach: list[int]) -> None:
    """Where all between two that do not differ do not differ either, the groups are the largest stretches."""
    number = len(reach)
    ends = [min(max(place + step for place, step in enumerate(reach[: first + 1]) if place + step >= first or True),
                number - 1) for first in range(number)]  # fmt: skip
    ends = [max(first, end) for first, end in enumerate(ends)]
    different = [(one, other) for one, other in combinations(range(number), 2) if other > ends[one]]
    stretches = [tuple(range(first, end + 1)) for first, end in enumerate(ends)]
    assert groups(number, different) == [
        each for each in stretches if not any({*each} < {*other} for other in stretches)
    ]


@settings(max_examples=200)
@given(st.data())
def test_groups_share_a_letter_exactly_if_they_do_not_differ(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 6))
    pairs = list(combinations(range(number), 2))
    different = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    found = groups(number, different)
    for pair in pairs:
        assert any({*pair} <= {*group} for group in found) == (pair not in different)
    assert {member for group in found for member in group} == {*range(number)}
    assert not any({*one} < {*other} for one in found for other in found)
    assert found == sorted(found)


def test_the_test_rejects_equal_systems_in_one_case_of_twenty() -> None:
    """Of two equal systems, by random relabelling: the error of the first kind, at 5 %, is 5 % up to chance."""
    random = np.random.default_rng(0)
    number, rejected = 400, 0
    for trial in range(number):
        ours = sample(2, 25, seed=1000 + trial)
        exchanged = random.integers(0, 2, 25).astype(bool)[None, :, None]
        relabelled = ours._replace(sums=np.where(exchanged, ours.sums[::-1], ours.sums))
        rejected += bool(randomisation(relabelled, 199, seed=trial).p[0] < 0.05)
    low, high = stats.binom.interval(0.999, number, 0.05)
    assert low <= rejected <= high


@pytest.mark.parametrize("mean", [0.2, 0.79, 0.999])
def test_thresholds_are_those_of_the_poisson_distribution(mean: float) -> None:
    found = drawing._poisson(mean).astype(np.float64)
    assert found == pytest.approx(2**32 * stats.poisson.cdf(np.arange(len(found)), mean), abs=2)
    assert 2**32 * stats.poisson.sf(len(found), mean) < 2
    assert len(drawing._poisson(0)) == 0


def test_units_that_are_drawn_very_often_are_drawn_as_often_as_poisson_numbers_say(monkeypatch) -> None:
    """Random numbers at each threshold: with k of them below, a unit is drawn k times, however many that are."""
    units = 900
    limits = drawing._poisson(1 - 8 / np.sqrt(units))
    chances = np.resize(np.concatenate([[0], limits, limits - 1]), units).astype(np.uint32)

    class Fixed:
        def integers(self, low: int, high: int, size: object, kind: object = np.int64) -> NDArray[np.int64]:
            return chances[None] if high == 1 << 32 else np.zeros(size, np.int64)

    expected = np.array([(chance >= limits).sum() for chance in chances], np.float64)
    expected[0] += max(units - expected.sum(), 0)
    assert drawing.sums_with_replacement(Fixed(), 1, np.eye(units))[0].tolist() == expected.tolist()
    assert expected.max() == len(limits) > 4


def test_intervals_of_strata_of_different_sizes_are_those_of_scipy() -> None:
    """How much a unit counts depends on how many units its stratum has."""
    ours = Sample(counts(1, 24, 3), np.array([0] * 4 + [1] * 20), f1)
    resampled = bootstrap(ours, 1000, seed=1)
    ends = bca(ours.values, resampled, jackknife(ours), ours.strata, 0.95)[0]
    data = ours.sums[0]
    for value in range(2):

        def mean_of_strata(*places: NDArray[np.int64], axis: int = -1, value: int = value) -> Floats:
            return np.mean([total(data, np.moveaxis(each, axis, -1), value) for each in places], axis=0)

        theirs = stats.bootstrap(
            tuple(ours.places), mean_of_strata, n_resamples=0, method="BCa", vectorized=True,
            bootstrap_result=SimpleNamespace(bootstrap_distribution=resampled[:, 0, value]),
        ).confidence_interval  # fmt: skip
        assert ends[value].tolist() == pytest.approx([theirs.low, theirs.high], abs=1e-9)


@pytest.mark.parametrize("observed", [-1.0, 2.0])
def test_where_all_resamples_are_on_one_side_the_interval_is_that_of_percentiles(observed: float) -> None:
    resampled, left_out = np.random.default_rng(0).random((200, 1)), np.random.default_rng(1).random((9, 1))
    found = bca(np.array([observed]), resampled, left_out, np.zeros(9, np.int64), 0.9)
    assert found == pytest.approx(np.quantile(resampled, [0.05, 0.95], axis=0).T)


def test_resamples_that_equal_the_observed_value_but_for_rounding_count_as_equal() -> None:
    """Sums of tenths are rounded; those of whole numbers are not: the intervals differ by the factor alone."""
    whole = np.array([[[1.0, 1], [2, 1], [3, 1], [3, 1], [6, 1], [7, 1], [3, 1], [9, 1], [2, 1]]])

    def ends(scale: float) -> Floats:
        ours = Sample(whole * [scale, 1], np.zeros(9, np.int64), significance.mean)
        return bca(ours.values, bootstrap(ours, 400, seed=1), jackknife(ours), ours.strata)

    assert ends(0.1) == pytest.approx(0.1 * ends(1), abs=1e-9)
