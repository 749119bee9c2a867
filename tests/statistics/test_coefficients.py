"""α and κ from their sums, by their definitions: every pair of values, one after the other."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest

import scoref
from scoref.layout.grid import Number
from scoref.results.scores import Resampling
from scoref.statistics.reliability import DISTANCES, Measure, _one_label, alphas, kappa, likeness_sums

Value = frozenset[object]


def jaccard(one: Value, other: Value) -> float:
    return len(one & other) / len(one | other)


def overlap(one: Value, other: Value) -> float:
    """M of Passonneau 2004 and 2006: the same 1, one inside of the other 2/3, some in common 1/3."""
    if one == other:
        return 1.0
    return 2 / 3 if one < other or other < one else 1 / 3 if one & other else 0.0


LIKE = {
    "masi": lambda one, other: jaccard(one, other) * overlap(one, other),
    "jaccard": jaccard,
    "passonneau": overlap,
    "nominal": lambda one, other: float(one == other),
}


def random_values(seed: int) -> list[list[Value]]:
    random = Random(seed)
    units, annotators = random.randint(1, 6), random.randint(2, 4)
    return [[frozenset(random.sample("abcde", random.randint(1, 3))) for _ in range(units)] for _ in range(annotators)]


@pytest.mark.parametrize("seed", range(20))
def test_alpha_is_one_less_the_distance_observed_by_that_expected(seed: int) -> None:
    values = random_values(seed)
    annotators, units = len(values), len(values[0])
    slots = [value for each in values for value in each]
    sums = likeness_sums(values)
    found = alphas(sums, annotators).tolist()
    assert [*LIKE] == [*DISTANCES]
    assert sums[0] == units
    for place, like in enumerate(LIKE.values()):
        at_units = [like(each[a], each[b]) for each in zip(*values, strict=True)
                    for a, b in permutations(range(annotators), 2)]  # fmt: skip
        of_all = [like(one, other) for one, other in permutations(slots, 2)]
        assert sums[1 + 2 * place : 3 + 2 * place].tolist() == pytest.approx([sum(at_units), sum(of_all)])
        observed, expected = 1 - np.mean(at_units), 1 - np.mean(of_all)
        assert found[place] == pytest.approx(1 - observed / expected if expected > 1e-9 else 1.0)


def test_alpha_of_documents_is_that_of_their_sums() -> None:
    """Sums of several documents are computed with at once; nobody expects a distance between nothing."""
    each = np.stack([likeness_sums(random_values(seed)) for seed in (1, 2)])
    both = alphas(each, 3)
    assert both.tolist() == [pytest.approx(alphas(one, 3).tolist()) for one in each]
    assert alphas(np.zeros((2, 9)), 2).tolist() == [[1.0] * 4] * 2
    same = likeness_sums([[frozenset("ab")] * 3] * 2)
    assert alphas(same, 2).tolist() == [1.0] * 4


def test_kappa_is_what_is_observed_beyond_chance() -> None:
    """Of several tables at once: the number, those that agree, the labels of each; where chance is 1, κ is 1."""
    tables = np.array([[50, 35, 25, 25, 30, 20.0], [4, 4, 4, 0, 4, 0], [0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 0, 1],
                       [1, 1, 0, 1, 0, 1]])  # fmt: skip
    expected = [(0.7 - 0.5) / 0.5, 1.0, 0.0, 0.0, 1.0]
    assert kappa(tables).tolist() == pytest.approx(expected)
    assert kappa(tables[:1][None]).shape == (1, 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "one"),
    [
        ([[2, 0]], [[2, 0]], True),
        ([[0, 1]], [[0, 1]], True),
        ([[1, 0], [1, 0]], [[1, 0], [1, 0]], True),
        ([[2, 0]], [[0, 2]], False),  # each has one label, but not the same
        ([[1, 1]], [[2, 0]], False),
        ([[2, 0]], [[1, 1]], False),
        ([[1, 1]], [[1, 1]], False),
        ([[1, 0], [0, 1]], [[1, 0], [1, 0]], False),  # in two documents
    ],
)
def test_one_label_is_the_same_one_on_both_sides(ours: list[list[float]], theirs: list[list[float]], one: bool) -> None:
    sums = [[sum(mine), 0.0, *mine, *other] for mine, other in zip(ours, theirs, strict=True)]
    assert _one_label(np.array(sums, np.float64)) is one
    assert not _one_label(None)


def test_measures_are_shown_as_percent_but_for_coefficients() -> None:
    """A coefficient has four digits, and no minus before 0."""
    assert Measure("Ann", "Ben", "muc", 0.5).cell == 0.5
    assert Measure("", "", "alpha masi", 0.21739).cell == Number(0.21739, "0.2174")
    assert Measure("", "", "kappa type", -0.0).cell.shown == "0.0000"
    assert Measure("", "", "alpha masi", 0.5).ends == (None, None)
    assert Measure("", "", "muc", 0.5, (0.25, 0.75)).ends == (0.25, 0.75)
    assert [end.shown for end in Measure("", "", "alpha masi", 0.5, (-0.25, 1.0)).ends] == ["-0.2500", "1.0000"]


def annotated(entities: list[str], name: str) -> scoref.Document:
    return scoref.clusters([[*entity] for entity in entities], name)


SAME, OTHER = ["abc", "de"], ["ab", "cde"]


@pytest.mark.parametrize(("documents", "number"), [(1, "1 unit"), (5, "5 units"), (6, "")])
def test_with_fewer_than_six_documents_it_is_said_why_there_are_no_intervals(documents: int, number: str) -> None:
    sides = [[annotated(kinds[place % 2], str(place)) for place in range(documents)]
             for kinds in ((SAME, OTHER), (OTHER, OTHER))]  # fmt: skip
    result = scoref.agreement(sides, trials=20, metrics=["muc"])
    said = [reason for reason in result.reasons if reason.startswith("no intervals")]
    assert [each.split(" (document)")[0] for each in said] == ([f"no intervals: {number}"] if number else [])
    assert isinstance(result.resampling, Resampling) != bool(number)
    assert all(bool(each.ci) != bool(number) for each in result.measures)


def test_in_groups_without_mentions_there_is_no_alpha() -> None:
    """Means are those of all pairs in each group, and 0 where there is nothing."""
    sides = [[annotated(first, "0"), annotated([], "1")] for first in (SAME, OTHER, SAME)]
    groups = scoref.agreement(sides, metrics=["muc", "b3"], by="document").groups
    assert {label: [each.name for each in some] for label, some in groups.items()} == {
        "0": ["muc", "b3", *(f"alpha {name}" for name in DISTANCES)], "1": ["muc", "b3"]}  # fmt: skip
    f1 = [scoref.score([pair[0][0]], [pair[1][0]], metrics=["b3"])["b3"].f1 for pair in combinations(sides, 2)]
    values = {each.name: each.value for each in groups["0"]}
    assert values["b3"] == pytest.approx(np.mean(f1))
    assert values["alpha nominal"] == pytest.approx(scoref.agreement([[each[0]] for each in sides])["alpha nominal"])
    assert {each.value for each in groups["1"]} == {0.0}


def test_metrics_that_count_nothing_and_labels_that_are_one_are_named() -> None:
    mention = scoref.Mention.at(0, 0, "e", attributes=(("type", "x"),))
    one = scoref.Document("d", ("w",), (mention,))
    reasons = scoref.agreement({"Ann": one, "Ben": one}, metrics=["muc", "b3"]).reasons
    assert reasons[:2] == (
        "Ann and Ben: muc is 0, as neither has anything that it counts",
        "Ann and Ben: κ is not defined, as all mentions that both have carry one label",
    )


def test_there_is_no_agreement_averaged_over_datasets() -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.agreement([[["a", "b"]], [["a", "b"]]], average="datasets")
    problem = error.value.problem
    assert (problem.code, problem.expected, problem.remedy) == (
        "unknown-choice", "micro or macro", "see each dataset with --by dataset")  # fmt: skip
