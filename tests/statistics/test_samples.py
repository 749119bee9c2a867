"""What is resampled: the sums of units, what makes intervals unreliable, and how a response is thinned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Evaluation, clusters
from scoref.layout.grid import signed
from scoref.layout.plots import Points
from scoref.matching.lookup import Lookups
from scoref.matching.match import Alignment
from scoref.results.scores import Resampling
from scoref.statistics import stability as stabilities
from scoref.statistics.samples import (
    checked_sample,
    coverage,
    in_enough_units,
    intervals_of,
    refuse_bad_trials,
    sample_of,
)

KEY, RIGHT, WRONG = [["a", "b", "c"], ["d", "e"]], [["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]


def evaluation(number: int, names: list[str] | None = None, **choices: Any) -> Evaluation:
    """Every second response is wrong."""
    names = names or [f"d{place}" for place in range(number)]
    keys = [clusters(KEY, name) for name in names]
    responses = [clusters(WRONG if place % 2 else RIGHT, name) for place, name in enumerate(names)]
    return scoref.score(keys, responses, metrics=["muc", "b3"], **choices)


# Measured, in percent; between two numbers of units it is interpolated.
@pytest.mark.parametrize(
    ("units", "percent"),
    [(1, 0), (2, 48), (3, 70), (4, 75), (5, 80), (6, 82), (10, 90), (15, 92), (20, 95), (100, 95)],
)
def test_coverage(units: int, percent: int) -> None:
    assert coverage(units) == percent


@pytest.mark.parametrize(
    ("units", "warning"),
    [
        (1, "no intervals and no p-values: with 1 unit (document) nothing can vary"),
        (2, "no intervals, as there are only 2 units (document): with so few, 95 % intervals held"),
        (5, "no intervals, as there are only 5 units (document): with so few, 95 % intervals held"),
        (6, "only 6 units (document): with so few, 95 % intervals held the true value in about 82 % of cases"),
        (19, "only 19 units (document): with so few, 95 % intervals held the true value in about 94 % of cases"),
        (20, ""),
    ],
)
def test_few_units_are_warned_of(units: int, warning: str) -> None:
    _, resampling = checked_sample([evaluation(units)], "document", 10, 0)
    assert (resampling.trials, resampling.seed, resampling.unit, resampling.units) == (10, 0, "document", units)
    assert [each[: len(warning)] for each in resampling.warnings] == ([warning] if warning else [])


def test_parts_of_a_text_and_datasets_of_one_unit_are_warned_of() -> None:
    parts = evaluation(24, [f"(x{place // 2}); part {place % 2:03}" for place in range(24)])
    said = checked_sample([parts], "document", None, 1)[1]
    assert said.trials == 10_000
    assert said.warnings == ("some documents are parts of one text and not independent: use the unit text",)
    assert checked_sample([parts], "text", None, 1)[1].warnings[0].startswith("only 12 units (text)")
    datasets = replace(evaluation(24, average="datasets"), datasets=("x",) * 23 + ("y",))
    said = checked_sample([datasets], "document", 5, 1)[1]
    assert said.warnings == ("some datasets are one unit (document), which cannot vary: intervals are too short",)
    assert not checked_sample([replace(datasets, datasets=("x",) * 22 + ("y",) * 2)], "document", 5, 1)[1].warnings


@pytest.mark.parametrize(("trials", "seed", "good"), [(1, 0, True), (0, 0, False), (1, -1, False), (10, 5, True)])
def test_trials_are_at_least_one_and_seeds_at_least_0(trials: int, seed: int, good: bool) -> None:
    if good:
        refuse_bad_trials(trials, seed)
        return
    for what in ("trial", "repetition"):
        with pytest.raises(scoref.Error) as error:
            refuse_bad_trials(trials, seed, what)
        assert error.value.problem.message == f"{trials} {what}s with the seed {seed}"
        assert error.value.problem.expected == f"at least 1 {what}, a seed from 0 on"
    with pytest.raises(scoref.Error, match=f"{trials} trials with the seed {seed}"):
        refuse_bad_trials(trials, seed)


def test_units_have_the_sums_of_their_documents_in_the_order_of_their_names() -> None:
    names = ["b", "c", "a", "d"]
    ours = replace(evaluation(4, names), datasets=("y", "x", "y", "x"))
    other = replace(evaluation(4, names[::-1]), datasets=("x", "y", "x", "y"))
    counts = np.concatenate([ours.counts["muc"], ours.counts["b3"]], axis=1)
    theirs = np.concatenate([other.counts["muc"], other.counts["b3"]], axis=1)
    found = sample_of([ours, other], "document")
    assert found.sums.tolist() == [counts[[2, 0, 1, 3]].tolist(), theirs[[1, 3, 2, 0]].tolist()]
    assert found.strata.tolist() == [0] * 4
    assert found.values[0].tolist() == [[*score] for score in ours.scores.values()]
    by_dataset = sample_of([ours], "dataset")
    assert by_dataset.sums[0].tolist() == [counts[[1, 3]].sum(axis=0).tolist(), counts[[0, 2]].sum(axis=0).tolist()]
    some = sample_of([ours, other], "document", {"c", "a"})
    assert some.sums.tolist() == [counts[[2, 1]].tolist(), theirs[[1, 2]].tolist()]


def test_the_mean_over_datasets_draws_units_within_them_or_datasets() -> None:
    names, datasets = ["b", "c", "a", "d"], ("y", "x", "y", "x")
    whole = replace(evaluation(4, names, average="datasets"), datasets=datasets)
    inside = sample_of([whole], "document")
    assert inside.strata.tolist() == [0, 0, 1, 1]  # c and d of x, a and b of y
    assert inside.sums[0, :, :4].tolist() == whole.counts["muc"][[1, 3, 2, 0]].tolist()
    expected = [[*score] for score in whole.scores.values()]
    assert inside.values[0].tolist() == [pytest.approx(each) for each in expected]
    apart = sample_of([whole], "dataset")
    assert apart.strata.tolist() == [0, 0]
    assert apart.values[0].tolist() == [pytest.approx(each) for each in expected]
    of_x = scoref.score([clusters(KEY, n) for n in "cd"], [clusters(WRONG, n) for n in "cd"], metrics=["muc"])["muc"]
    assert apart.sums[0, 0, :3].tolist() == pytest.approx([*of_x])


def test_intervals_are_those_of_the_first_system() -> None:
    how = Resampling(10, 1, "document", 6)
    ends = np.arange(24, dtype=float).reshape(2, 2, 3, 2)
    found = intervals_of(("muc", "b3"), ends, how)
    assert found == (how, {"muc": ((0, 1), (2, 3), (4, 5)), "b3": ((6, 7), (8, 9), (10, 11))})
    assert intervals_of(("muc",), np.zeros(0), how) == (how, {})


def test_a_kind_needs_six_units_on_both_sides() -> None:
    """Denominators, the second and fourth of each metric, decide."""
    sums = np.zeros((7, 12))
    for column, units in ((1, 6), (3, 6), (5, 6), (7, 5), (9, 5), (11, 7), (0, 7), (4, 7)):
        sums[:units, column] = 1
    assert in_enough_units(sums, ("muc", "b3", "lea")) == {"muc"}


# -- thinned responses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [(0.006, "rises"), (0.005, "hardly moves"), (0.0, "hardly moves"), (-0.005, "hardly moves"), (-0.006, "falls")],
)
def test_a_gain_of_half_a_point_is_none(gain: float, verdict: str) -> None:
    assert stabilities._verdict(gain) == verdict


def thinned(**choices: Any) -> stabilities.Stability:
    """Of five mentions of the response two are spurious: half of them, and all, are taken out on the way."""
    return scoref.stability([["a", "b", "c"]], [["a", "b", "x"], ["c", "y"]], repetitions=2, **choices)


def test_half_of_the_spurious_mentions_are_gone_in_the_middle() -> None:
    """B³ precision: 4/3 + 1/2 of 5; without x it is 2 + 1/2 of 4, without y 4/3 + 1 of 4; without both 3 of 3."""
    result = thinned(metrics=["b3"])
    recall = (2 * 2 / 3 + 1 / 3) / 3

    def f1(precision: float) -> float:
        return 2 * recall * precision / (recall + precision)

    ways = [f1(2.5 / 4), f1((4 / 3 + 1) / 4)]
    assert result["b3"][0] == pytest.approx(f1((4 / 3 + 1 / 2) / 5))
    assert result["b3"][10] == pytest.approx(f1(1.0))
    assert [result["b3"][5] == pytest.approx(each) for each in (*ways, sum(ways) / 2)].count(True) == 1
    assert result.bands[:, 5, 0].tolist() in [[pytest.approx(a), pytest.approx(b)] for a, b in
                                              ((ways[0],) * 2, (ways[1],) * 2, sorted(ways))]  # fmt: skip
    assert (result.mentions, result.spurious) == (5, 2)
    assert result.notes()[0] == "2 of 5 response mentions are spurious (40.0 %); means of 2 repetitions"
    nothing = scoref.stability([["a"]], [], metrics=["b3"]).notes()[0]
    assert nothing.startswith("0 of 0 response mentions are spurious (0.0 %)")


@pytest.mark.parametrize(("which", "spurious"), [("recall", 0), ("precision", 0), ("every", 0), ("zeros", 1)])
def test_mentions_are_spurious_if_no_entity_is_looked_up_by_them(which: str, spurious: int) -> None:
    """The pairs of the metric `zeros` are for that metric alone."""
    result = scoref.score([["a", "b"]], [["a"]], metrics=["b3"])
    ((key, response, _),) = result.evidence.aligned
    nothing = Alignment([], [])
    lookups = Lookups(nothing, nothing, nothing, nothing)._replace(**{which: Alignment([0], [0])})
    changed = replace(result, source=replace(result.evidence, aligned=((key, response, lookups),)))
    assert len(stabilities._thinnable(changed)[1]) == spurious


def test_tables_have_the_steps_of_each_figure_and_what_is_gained() -> None:
    result = thinned(metrics=["muc", "b3", "lea"])
    *figures, gains = result.grids()
    assert [(each.title.split(":")[0], each.header) for each in figures] == [
        ("B³ variants", ("out", "muc", "b3")), ("Others", ("out", "lea"))]  # fmt: skip
    assert [row[0] for row in figures[1].rows] == [f"{step} %" for step in range(0, 101, 10)]
    assert [[*row[1:]] for row in figures[0].rows] == result.f1[:, :2].tolist()
    assert [row[0] for row in gains.rows] == ["muc", "b3", "lea"]
    assert gains.rows[1][1:] == (signed(result["b3"][10] - result["b3"][0]), "rises")
    assert [*result.whole_grid().rows[3]] == [0.3, *result.f1[3].tolist()]
    assert result.to_dict()["f1"]["lea"] == result["lea"]


def test_pictures_are_lines_in_percent_with_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Points] = {}
    monkeypatch.setattr(stabilities.plots, "draw", lambda figures, path: drawn.update({**figures, path: None}))
    result = thinned(metrics=["muc", "b3", "ceafe", "lea"])
    result.plot("folder")
    assert [*drawn] == ["b3", "ceaf", "others", "folder"]
    assert drawn["b3"].joined
    assert drawn["others"].series == {"LEA": [(pytest.approx(10 * n), pytest.approx(100 * value))
                                              for n, value in enumerate(result["lea"])]}  # fmt: skip
    assert np.array(drawn["others"].bands["LEA"]) == pytest.approx(100 * result.bands[:, :, 3].T)


def test_metrics_that_are_not_made_of_entities_cannot_be_thinned() -> None:
    with pytest.raises(scoref.Error) as error:
        thinned(metrics=["b3", "links-within"])
    problem = error.value.problem
    known = (problem.expected or "").removeprefix("some of ").split(", ")
    assert problem.message == "links-within is not computed from entities"
    assert {"muc", "b3", "lea", "ari"} <= {*known}
    assert not {"mor", "conll", "zeros"} & {*known}
