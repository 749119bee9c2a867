"""Several runs, power, margins, datasets: against literal loops, scipy, deepsig, recorded cases; what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import scoref
from places import SHARED, beside
from scoref import Document, Error, RunsComparison, clusters, compare, plan, score
from scoref.statistics.beside.datasets import Across, Better
from scoref.statistics.beside.power import FACTOR, Estimated, Margin, detectable, units_needed
from scoref.statistics.inference import distributions
from scoref.statistics.inference.corrections import at_least, bonferroni, fisher, holm, partial_conjunction
from scoref.statistics.inference.ranks import Ranks, friedman
from scoref.statistics.inference.spread import estimates, other_documents, other_runs, spread
from scoref.statistics.runs import compare_runs
from scoref.statistics.significance import Sample, bootstrap, mean, randomisations

Floats = NDArray[np.float64]
Run = Callable[..., tuple[int, str, str]]
RECORDED = SHARED / "data" / "insight" / "replicability.jsonl"


def scores(runs: int, documents: int, seed: int) -> Sample:
    """Scores of documents, weighted, of so many runs."""
    random = np.random.default_rng(seed)
    weights = np.broadcast_to(random.uniform(0.5, 2, documents), (runs, documents))
    values = random.normal(0.6, 0.1, documents) + random.normal(0, 0.05, (runs, documents))
    values = values + random.normal(0, 0.02, (runs, 1))
    return Sample(np.stack([values * weights, weights], axis=-1), np.zeros(documents, np.int64), ratio)


def ratio(sums: Floats) -> Floats:
    whole = sums.sum(axis=-2)
    found: Floats = whole[..., :1] / whole[..., 1:]
    return found


# -- the interval, in a literal version -----------------------------------------------------------------------------


def literal(sample: Sample, a: Sequence[int], b: Sequence[int], trials: int, seed: int) -> dict[str, float]:
    """The definition, run by run and sample by sample, with the t distribution of scipy."""
    documents = len(sample.strata)
    values = [float(ratio(run[None]).item()) for run in sample.sums]
    drawn = bootstrap(sample, trials, seed)[:, :, 0]
    difference = [np.mean([row[i] for i in b]) - np.mean([row[i] for i in a]) for row in drawn]
    again = documents / (documents - 1)
    v_doc = float(np.var(difference)) * again
    v_runs = []
    for side in (a, b):
        m = len(side)
        if m == 1:
            v_runs.append(0.0)
            continue
        v = float(np.var([values[i] for i in side], ddof=1)) / m
        alone = np.mean([np.var(drawn[:, i]) for i in side])
        together = np.var([np.mean([row[i] for i in side]) for row in drawn])
        v_runs.append(max(v - max(float(alone - together) / (m - 1) * again, 0), 0))
    error = math.sqrt(v_doc + sum(v_runs))
    below = v_doc**2 / (documents - 1) + sum(v**2 / (len(s) - 1) for v, s in zip(v_runs, (a, b), strict=True) if v)
    free = error**4 / below
    d = float(np.mean([values[i] for i in b]) - np.mean([values[i] for i in a]))
    half = float(stats.t.ppf(0.975, free)) * error
    p = 2 * float(stats.t.sf(abs(d) / error, free))
    return {"d": d, "low": d - half, "high": d + half, "p": p, "free": free, "v_doc": v_doc}


@pytest.mark.parametrize(("a", "b"), [(3, 3), (2, 5), (1, 4), (1, 1)])
def test_interval_and_p_are_those_of_the_definition(a: int, b: int) -> None:
    sample = scores(a + b, 20, seed=a + b)
    sides = [*range(a)], [*range(a, a + b)]
    found = estimates(spread(sample, 500, seed=1), sides)[0]
    expected = literal(sample, *sides, 500, 1)
    low, high = found.interval() or (math.nan, math.nan)
    assert (found.value, low, high) == pytest.approx((expected["d"], expected["low"], expected["high"]), rel=1e-9)
    assert (found.p(), found.degrees) == pytest.approx((expected["p"], expected["free"]), rel=1e-7)
    assert found.documents == pytest.approx(expected["v_doc"])
    assert found.known == (min(a, b) > 1)


def test_one_run_of_each_system_and_equal_documents_is_the_paired_t_test_of_scipy() -> None:
    random = np.random.default_rng(4)
    values = random.normal(0.6, 0.1, (2, 60))
    sample = Sample(np.stack([values, np.ones((2, 60))], axis=-1), np.zeros(60, np.int64), mean)
    found = estimates(spread(sample, 100_000, seed=1), [[0], [1]])[0]
    theirs = stats.ttest_rel(values[1], values[0])
    assert found.degrees == pytest.approx(59)
    assert found.p() == pytest.approx(float(theirs.pvalue), rel=0.03)  # the bootstrap's variance is sampled


@pytest.mark.parametrize(("shift", "verdict"), [(0.0, "equivalent"), (-0.03, "not better"), (0.03, "not worse")])
def test_margins_are_two_one_sided_t_tests_of_scipy(shift: float, verdict: str) -> None:
    random = np.random.default_rng(4)
    values = random.normal(0.6, 0.02, (2, 60)) + np.array([[0.0], [shift]])
    sample = Sample(np.stack([values, np.ones((2, 60))], axis=-1), np.zeros(60, np.int64), mean)
    (found,) = estimates(spread(sample, 100_000, seed=1), [[0], [1]])
    ((worse, better, said),) = Margin((Estimated("muc", "a", "b", found),), 0.02).rows()
    difference = values[1] - values[0]
    assert worse == pytest.approx(stats.ttest_1samp(difference, -0.02, alternative="greater").pvalue, rel=0.1, abs=1e-9)
    assert better == pytest.approx(stats.ttest_1samp(difference, 0.02, alternative="less").pvalue, rel=0.1, abs=1e-9)
    assert said == verdict


def test_distributions_at_their_ends_are_those_of_scipy() -> None:
    for value in (-1.0, 0.0, math.inf):
        assert distributions.f_tail(value, 3, 7) == stats.f.sf(value, 3, 7)
        assert distributions.t_tail(value, 4) == pytest.approx(stats.t.sf(value, 4), abs=1e-12)
    for x in (-1.0, 0.0, 1.0, 2.0):
        assert distributions.beta_share(x, 2, 3) == stats.beta.cdf(x, 2, 3)
    assert distributions.chi_square_tail(0.0, 3) == 1
    for share in (0.01, 0.4, 0.5, 0.6):
        assert distributions.t_quantile(share, 3) == pytest.approx(stats.t.ppf(share, 3), abs=1e-9)


def test_shares_of_beta_are_those_of_scipy_from_end_to_end() -> None:
    for a, b, x in product((0.5, 2, 50, 5e5), (0.5, 3.5, 20), (1e-6, 0.01, 0.5, 0.95, 1 - 1e-6, 1 - 1e-12)):
        assert distributions.beta_share(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-280)


def test_strata_of_one_document_do_not_count() -> None:
    """The variance is that of samples, times n/(n − s) for n documents in s strata."""
    whole = scores(2, 10, seed=4)
    strata = np.array([0, 0, 0, 0, 1, 2, 2, 2, 3, 3])
    sample = whole._replace(strata=strata)
    drawn = bootstrap(sample, 400, 2)[:, :, 0]
    found = spread(sample, 400, seed=2)
    assert found.free == 9 - 3
    assert found.together[0] == pytest.approx(np.cov(drawn.T, ddof=0) * 9 / 6)
    (alone,) = estimates(spread(whole._replace(strata=np.arange(10)), 50, seed=2), [[0]])
    assert (alone.free, alone.varies, alone.p(), alone.interval(), alone.p_above(0)) == (0, False, None, None, None)


def test_a_claim_holds_at_the_level_itself() -> None:
    better = Better.of("muc", ("A", "B"), {"x": 0.1, "y": 0.1}, {"x": 0.025, "y": 0.5})
    assert better.which == ("x",)  # Holm: 0.05
    assert better.to_dict()["k_bonferroni"] == 1


def test_ranks_are_shown_of_three_systems_or_more() -> None:
    ranks = friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.2, 0.4]], 0.05)
    for number, shown in ((2, False), (3, True)):
        found = Across("genre", ("x", "y", "z"), ("A", "B", "C")[:number], (), {"muc": ranks})
        assert bool(found.figures()) == shown
        assert any(note.startswith("mean ranks: 1 is best") for note in found.notes()) == shown
        assert (len(found.grids()) == 2) == shown


def test_distributions_are_those_of_scipy() -> None:
    for free, t in product((1, 1.7, 5, 19.3, 1e4), (-1.5, 0.1, 1, 3, 20)):
        assert distributions.t_tail(t, free) == pytest.approx(stats.t.sf(t, free), rel=1e-8)
        assert distributions.t_quantile(0.975, free) == pytest.approx(stats.t.ppf(0.975, free), rel=1e-9)
    for free, value in product((1, 2, 3, 8), (0.1, 2, 30)):
        assert distributions.chi_square_tail(value, free) == pytest.approx(stats.chi2.sf(value, free), rel=1e-10)
        assert distributions.f_tail(value, free, 7) == pytest.approx(stats.f.sf(value, free, 7), rel=1e-10)
    table = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)  # Demšar 2006, table 5a
    for number, expected in enumerate(table, 2):
        assert distributions.range_quantile(0.95, number) / math.sqrt(2) == pytest.approx(expected, abs=0.0011)


# -- exchange tests -------------------------------------------------------------------------------------------------


def test_other_documents_exchanges_all_paired_runs_at_once() -> None:
    sample = scores(4, 6, seed=3)
    differences = []
    for exchanged in product((0, 1), repeat=6):
        sides = [sample.sums[:2].copy(), sample.sums[2:].copy()]
        for document, swap in enumerate(exchanged):
            if swap:
                for run in range(2):
                    one, two = sides[0][run, document].copy(), sides[1][run, document].copy()
                    sides[0][run, document], sides[1][run, document] = two, one
        differences.append(
            abs(np.mean([ratio(run[None]) for run in sides[1]]) - np.mean([ratio(r[None]) for r in sides[0]]))
        )
    expected = np.mean([each >= differences[0] - 1e-12 for each in differences])
    found = other_documents(sample, [0, 1], [2, 3], 10, 1)
    assert found
    assert found.exact
    assert found.p[0] == pytest.approx(expected)
    assert other_documents(sample, [0], [1, 2], 10, 1) is None


@pytest.mark.parametrize(("a", "b"), [(3, 3), (4, 4), (2, 5)])
def test_other_runs_is_the_permutation_test_of_scipy(a: int, b: int) -> None:
    values = np.random.default_rng(a).normal(0, 1, (a + b, 1))
    found = other_runs(values, range(a), range(a, a + b), 100, 1)
    theirs = stats.permutation_test(
        (values[a:, 0], values[:a, 0]), lambda x, y: np.mean(x) - np.mean(y), vectorized=False, n_resamples=10_000
    )
    two_sided = np.mean(np.abs(theirs.null_distribution) >= abs(theirs.statistic) - 1e-12)
    assert found
    assert found.exact
    assert found.trials == math.comb(a + b, a)
    assert found.least == (2 if a == b else 1) / found.trials
    assert other_runs(values[:2], [0], [1], 100, 1) is None
    assert found.p[0] == pytest.approx(two_sided)


def test_one_run_against_two_can_be_dealt_out_in_three_ways() -> None:
    """The means differ by 2.5, dealt out otherwise by 0.5 and 2."""
    for a, b in (([0, 1], [2]), ([2], [0, 1])):
        assert other_runs(np.array([[1.0], [2], [4]]), a, b, 100, 1) == (pytest.approx(1 / 3), 3, True, 1 / 3)


def test_of_too_many_ways_to_deal_runs_some_are_drawn() -> None:
    """10 runs against 10 that are all better: of 184,756 ways two reach that, so of 999 drawn ones none."""
    values = np.repeat([[0.0], [1.0]], 10, axis=0)
    found = other_runs(values, range(10), range(10, 20), 999, 1)
    assert found == (np.array([1 / 1000]), 999, False, 1 / 1000)
    even = other_runs(np.zeros((20, 1)), range(10), range(10, 20), 999, 1)  # each way reaches no difference
    assert even == (np.array([1.0]), 999, False, 1 / 1000)


def test_one_sided_tests_are_the_permutation_test_of_deepsig() -> None:
    """That test exchanges paired scores, as ours exchanges the scores of a document."""
    deepsig = pytest.importorskip("deepsig", reason="deepsig is not installed: pip install deepsig")
    a, b = np.random.default_rng(3).normal([[0.6], [0.64]], 0.06, (2, 10))
    sample = Sample(np.stack([np.stack([a, b]), np.ones((2, 10))], axis=-1), np.zeros(10, np.int64), mean)
    (found,) = randomisations(sample, [(0, 1)], 10, 1, one_sided=True)
    np.random.seed(1)
    assert found.p[0] == pytest.approx(deepsig.permutation_test(b, a, num_samples=10_000), abs=0.02)
    assert 0.01 < found.p[0] < 0.4


def test_one_sided_tests_are_all_exchanges() -> None:
    sample = scores(2, 7, seed=5)
    differences = []
    for exchanged in product((0, 1), repeat=7):
        a, b = ([sample.sums[side ^ swap, n] for n, swap in enumerate(exchanged)] for side in (0, 1))
        differences.append(float((ratio(np.array(b)[None]) - ratio(np.array(a)[None])).item()))
    for pair, sign in (((0, 1), 1), ((1, 0), -1)):
        expected = np.mean([sign * each >= sign * differences[0] - 1e-12 for each in differences])
        found = randomisations(sample, [pair], 10, 1, one_sided=True)[0]
        assert found.p[0] == pytest.approx(expected)


# -- power ----------------------------------------------------------------------------------------------------------


def test_power_is_that_of_the_normal_distribution() -> None:
    assert pytest.approx(2.80, abs=0.005) == FACTOR
    error = 0.01
    reached = stats.norm.sf(1.959964 - detectable(error) / error)
    assert reached == pytest.approx(0.8, abs=1e-4)
    n = units_needed(0.02, 50, error**2, 0.003**2)
    assert n is not None
    assert detectable(math.sqrt(error**2 * 50 / n + 0.003**2)) <= 0.02
    assert detectable(math.sqrt(error**2 * 50 / (n - 1) + 0.003**2)) > 0.02
    assert units_needed(0.02, 50, error**2, (0.02 / FACTOR) ** 2) is None


# -- datasets -------------------------------------------------------------------------------------------------------


@beside
def test_partial_conjunctions_are_those_recorded() -> None:
    cases = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
    assert len(cases) == 16
    for case in cases:
        for name, combined in (("bonferroni", bonferroni), ("fisher", fisher)):
            found = partial_conjunction(case["p"], combined)
            assert found == pytest.approx(case[name], abs=1e-11)
            assert at_least(found, case["alpha"]) == case[f"k_{name}"]
        adjusted = holm(np.array(case["p"]))
        named = [i for i in sorted(range(len(adjusted)), key=case["p"].__getitem__) if adjusted[i] <= case["alpha"]]
        assert named == case["holm"]


def test_fisher_is_that_of_scipy() -> None:
    for p in ([0.3, 0.02, 0.9], [1e-200, 0.5], [1.0, 1.0], [0.04]):
        assert fisher(p) == pytest.approx(stats.combine_pvalues(p).pvalue, rel=1e-9)


def test_ranks_are_those_of_scipy() -> None:
    random = np.random.default_rng(1)
    for datasets, systems in ((4, 3), (10, 5), (6, 4), (2, 3)):
        values = random.integers(0, 6, (datasets, systems)) / 10
        found, theirs = friedman(values.tolist()), stats.friedmanchisquare(*values.T)
        assert (found.chi_square, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert found.means == pytest.approx(np.mean([stats.rankdata(-row) for row in values], axis=0))
        f = (datasets - 1) * found.chi_square / (datasets * (systems - 1) - found.chi_square)  # Iman & Davenport 1980
        assert found.p_f == pytest.approx(stats.f.sf(f, systems - 1, (systems - 1) * (datasets - 1)))
    assert friedman([[0.1, 0.2, 0.3]]).p_f == 1
    assert friedman([[0.1, 0.2, 0.3]] * 3).p_f == 0
    assert friedman([[0.2, 0.2, 0.2]] * 3)[1:4] == (0, 1, 1)


# -- evaluations ----------------------------------------------------------------------------------------------------


def corpus(documents: int = 24) -> tuple[list[Document], Callable[[float, int], list[Document]]]:
    """A key, and a system whose responses are right with a probability, by seed."""
    key = [clusters([["a", "b", "c"], ["d", "e"]], f"{'xy'[n % 2]}/{n:02}") for n in range(documents)]
    worse = [clusters([["a", "b"], ["c", "d", "e"]], each.id) for each in key]

    def system(right: float, seed: int) -> list[Document]:
        random = Random(seed)
        return [one if random.random() < right else other for one, other in zip(key, worse, strict=True)]

    return key, system


def test_bars_join_what_is_nearer_than_the_critical_difference_and_none_is_inside_of_another() -> None:
    def bars(*means: float) -> list[tuple[float, float]]:
        return Ranks(means, 0, 1, 1, 1.5).bars()

    assert bars(1, 1.5, 2) == bars(2, 1.5, 1) == [(1, 2)]
    assert bars(1, 2.5, 4) == []
    assert bars(1, 2, 3, 4) == [(1, 2), (2, 3), (3, 4)]
    assert bars(1, 2, 2.25, 4.5) == [(1, 2.25)]


def test_runs_are_compared_by_their_means() -> None:
    key, system = corpus()
    runs = {name: [system(right, seed) for seed in seeds] for name, right, seeds in
            (("A", 0.3, (1, 2, 3)), ("B", 0.9, (4, 5, 6)))}  # fmt: skip
    result = compare(key, runs, metrics=["muc", "conll"])
    assert isinstance(result, RunsComparison)
    each = {name: [score(key, run)["conll"].f1 for run in found] for name, found in runs.items()}
    test = next(test for test in result.tests if test.metric == "conll")
    assert test.difference == pytest.approx(np.mean(each["B"]) - np.mean(each["A"]))
    deviation = np.std(each["A"], ddof=1)
    assert result.means["A"]["conll"].deviation == pytest.approx(deviation)
    assert f"{100 * np.mean(each['A']):.2f} ± {100 * deviation:.2f}" in str(result)
    assert test.scope == "other runs"
    assert test.other_runs
    assert test.other_runs.p == pytest.approx(0.1)
    assert result.letters()["conll"] == {"A": "b", "B": "a"}
    evaluations = {name: [score(key, run, metrics=["muc", "conll"]) for run in found] for name, found in runs.items()}
    assert compare_runs(evaluations).tests == result.tests
    for output in (str(result), result.to_latex(), json.dumps(result.to_dict())):
        assert "runs" in output
    assert result.to_frame().loc[("A", "conll"), "f1"] == pytest.approx(np.mean(each["A"]))


def test_that_few_runs_allow_no_small_p_is_said() -> None:
    """1 run against 19 can be dealt out in 20 ways, so p is 0.05 at least; 1 against 20, in 21."""
    key, system = corpus(documents=6)
    said = "other runs: with so few runs p is at least 0.05"
    for number, expected in ((19, True), (20, False)):
        runs = {"A": system(0.3, 1), "B": [system(0.9, seed) for seed in range(number)]}
        assert (said in str(compare(key, runs, metrics=["muc"]))) == expected


def test_one_run_on_a_side_is_for_these_runs() -> None:
    key, system = corpus()
    result = compare(key, {"A": [system(0.3, 1), system(0.3, 2)], "B": system(0.9, 3)}, metrics=["muc"])
    assert isinstance(result, RunsComparison)
    assert result.tests[0].scope == "these runs"
    assert result.tests[0].runs_b is None
    assert "for these runs: of B there is one run" in str(result).replace("\n  ", " ")


def test_single_runs_are_compared_as_ever() -> None:
    key, system = corpus()
    one = compare(key, {"A": system(0.3, 1), "B": system(0.9, 2)})
    other = compare(key, {"A": [score(key, system(0.3, 1))], "B": [score(key, system(0.9, 2))]})
    assert str(one) == str(other)
    assert isinstance(one, scoref.Comparison)


def test_what_does_not_fit_together_is_refused() -> None:
    key, system = corpus()
    runs = [score(key, system(0.5, seed)) for seed in (1, 2)]
    part = score(key[:10], system(0.5, 1)[:10])
    other = score(key, system(0.5, 3), singletons="drop")
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        ("different-documents", [*runs, part], {}),
        ("different-protocols", [*runs, other], {}),
        ("repeated-run", [runs[0], runs[0]], {}),
        ("bad-difference", runs, {"difference": 0}),
        ("bad-difference", runs, {"margin": 101}),
        ("one-group", runs, {"across": "dataset"}),
    ]
    for code, found, how in cases:
        with pytest.raises(Error) as error:
            compare(None, {"A": found, "B": [score(key, system(0.9, 9))]}, **how)
        assert error.value.code == code
        if code.startswith("different"):
            assert "A, run 3" in str(error.value)
    with pytest.raises(Error, match="no-run"):
        compare_runs({"A": []})


def test_margins_datasets_and_plans() -> None:
    key, system = corpus(60)
    result = compare(
        key, {"A": system(0.3, 1), "B": system(0.95, 2), "C": system(0.3, 4)}, metrics=["muc"], power=True, margin=30,
        across="genre",
    )  # fmt: skip
    found = result.to_dict()
    better = next(test for test in found["across"]["tests"] if test["better"] == "B")
    assert (better["k_bonferroni"], better["which"]) == (2, ("x", "y"))
    assert found["across"]["ranks"]["muc"]["means"]["B"] == 1
    assert {test["b"]: test["verdict"] for test in found["margin"]["tests"]}["C"] == "equivalent"
    assert found["power"]["tests"][0]["detectable"] > 0
    planned = plan(key, [system(0.3, 1), system(0.3, 2)], metrics=["muc"], difference=5)
    worst, *_, closest = planned.rows()
    assert worst[2] > closest[2]
    assert "correlate: muc" in str(planned).replace("\n  ", " ")


# -- the command line -----------------------------------------------------------------------------------------------


def written(documents: Sequence[Document], path: Path) -> None:
    """Write documents whose mentions are letters as words of these numbers."""
    lines = []
    for document in documents:
        entities: dict[object, list[list[int]]] = {}
        for mention in document.mentions:
            entities.setdefault(mention.entity, []).append(["abcde".index(str(mention.id))] * 2)
        lines.append(json.dumps({"id": document.id, "clusters": [*entities.values()]}) + "\n")
    path.write_text("".join(lines), encoding="utf-8")


def test_runs_on_the_command_line(run: Run, tmp_path: Path) -> None:
    key, system = corpus()
    written(key, tmp_path / "key.jsonl")
    for name, right, seeds in (("a", 0.3, (1, 2)), ("b", 0.9, (3, 4))):
        for seed in seeds:
            written(system(right, seed), tmp_path / f"{name}{seed}.jsonl")
    words = [f"{name}={tmp_path}/{low}.jsonl,{tmp_path}/{high}.jsonl" for name, low, high in
             (("A", "a1", "a2"), ("B", "b3", "b4"))]  # fmt: skip
    code, out, _ = run("compare", tmp_path / "key.jsonl", *words, "--metrics", "muc", "--json", "--power")
    assert code == 0
    found = json.loads(out)
    assert [len(found["runs"][name]) for name in "AB"] == [2, 2]
    assert found["tests"][0]["scope"] == "other runs"
    for output in ("text", "csv", "markdown", "latex"):
        code, out, _ = run("compare", tmp_path / "key.jsonl", *words, "--metrics", "muc", "--output", output)
        assert (code, "muc" in out) == (0, True)
    code, out, _ = run("plan", tmp_path / "key.jsonl", words[0], "--metrics", "muc", "--json")
    assert (code, json.loads(out)["runs"]) == (0, 2)
    code, out, err = run("compare", tmp_path / "key.jsonl", "A=,x", "B=y")
    assert (code, out) == (2, "")
    assert "bad-runs" in err
