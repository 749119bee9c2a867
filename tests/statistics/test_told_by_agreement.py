"""What tables, notes, JSON and pictures tell of agreement, and of systems over datasets: each value in its place."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Comparison, Document, Error, clusters, compare, score
from scoref.layout.grid import Number, digits
from scoref.statistics.agreement import Agreement, agreement, annotated, documents_of
from scoref.statistics.beside.datasets import Across
from scoref.statistics.inference.corrections import bonferroni, fisher, holm, partial_conjunction
from scoref.statistics.inference.ranks import friedman
from scoref.statistics.reliability import ALPHA, DISTANCES
from scoref.statistics.samples import f1_of, sample_of
from scoref.statistics.significance import bca, bootstrap, jackknife, randomisations

NAMES = ("Ann", "Ben", "Cy")


def shown(cell: Any) -> Any:
    return cell.shown if isinstance(cell, Number) else cell


def annotator(seed: int, documents: int) -> list[Document]:
    """Ten mentions with labels, each in one of three entities."""
    random, found = Random(f"{seed}"), []
    for number in range(documents):
        owners = [word % 3 if random.random() < 0.7 else random.randrange(3) for word in range(10)]
        mentions = [
            scoref.Mention.at(word, word, str(owner), attributes=(("type", random.choice("xxyz")),))
            for word, owner in enumerate(owners) if random.random() < 0.9
        ]  # fmt: skip
        found.append(Document(f"{'ab'[number % 2]}/{number}", tuple("abcdefghij"), tuple(mentions)))
    return found


@cache
def agreed(documents: int = 8, by: str | None = "genre") -> Agreement:
    """Each annotator's documents are made once."""
    sides = {name: annotator(seed, documents) for seed, name in enumerate(NAMES)}
    return agreement(sides, metrics=["muc", "b3"], by=by, trials=40, seed=5)


def test_tables_of_agreement_have_the_measures_of_pairs_and_of_all() -> None:
    result = agreed()
    pairs, overall, groups = result.grids()
    names = ("muc", "b3", "kappa type")
    assert pairs.header == ("a", "b", *names)
    assert [row[:2] for row in pairs.rows] == [*combinations(NAMES, 2)]
    for a, b, *cells in pairs.rows:
        measures = [result.of(str(a), str(b))[name] for name in names]
        assert [*map(shown, cells)] == [measures[0].value, measures[1].value, f"{measures[2].value:.4f}"]
    every = ("muc", "b3", *(ALPHA + name for name in DISTANCES), "kappa type")
    assert overall.header == ("measure", "value", "low", "high")
    assert [row[0] for row in overall.rows] == [*every]
    for name, *cells in overall.rows:
        each = result.of()[str(name)]
        values = [each.value, *(each.ci or ())]
        assert [*map(shown, cells)] == (values if name in ("muc", "b3") else [f"{value:.4f}" for value in values])
        assert result[str(name)] == each.value
    for place, name in enumerate(names):
        of_pairs = [result.of(a, b)[name].value for a, b in combinations(NAMES, 2)]
        assert result.of()[name].value == pytest.approx(np.mean(of_pairs)), place
    assert groups.title == "means of pairs and α by genre"
    assert groups.header == ("genre", *every)
    assert [row[0] for row in groups.rows] == ["a", "b"]
    for label, *cells in groups.rows:
        measures = {each.name: each for each in result.groups[str(label)]}
        expected = [measures[name].cell if name in measures else None for name in every]
        assert [*map(shown, cells)] == [*map(shown, expected)]
    assert len(agreed(by=None).grids()) == 2


def test_a_group_has_the_values_of_its_documents() -> None:
    result = agreed()
    for start, label in enumerate("ab"):
        sides = {name: annotator(seed, 8)[start::2] for seed, name in enumerate(NAMES)}
        alone = agreement(sides, metrics=["muc", "b3"])
        assert {each.name: each.value for each in result.groups[label]} == {
            name: pytest.approx(each.value) for name, each in alone.of().items() if not name.startswith("kappa")
        }


def test_intervals_of_coefficients_are_those_of_documents_drawn_again() -> None:
    """The same documents for all measures: here those of f1, and the mean of f1 over pairs."""
    result = agreed()
    evaluations = [*result.evaluations.values()]
    sample = sample_of(evaluations, "document")
    values = [each[..., :, 1, 2].mean(axis=-1) for each in (sample.values, bootstrap(sample, 40, 5), jackknife(sample))]
    expected = bca(np.array(values[0])[None], values[1][:, None], values[2][:, None], sample.strata)
    assert result.of()["b3"].ci == pytest.approx(expected[0].tolist())
    one = scoref.with_intervals(evaluations[0], 40, 5).intervals
    assert one is not None
    assert result.of("Ann", "Ben")["muc"].ci == pytest.approx(one.scores["muc"][2])
    assert result.resampling == one.resampling
    assert result.signature.endswith(f"|unit:document|trials:40|seed:5|scoref:{scoref.__version__}")


def test_json_and_tables_for_programs_have_all_measures_and_groups() -> None:
    for result in (agreed(), agreed(documents=4), agreed(by=None)):
        found, whole = result.to_dict(), result.whole_grid()
        ends = [None, None]
        labelled = [("", result.measures), *result.groups.items()]
        rows = [[label, *each[:4], *(each.ci or ends)] for label, measures in labelled for each in measures]
        assert [[*row] for row in whole.rows] == rows
        assert found["all"] == {
            name: {"value": each.value, **({"ci": [*each.ci]} if each.ci else {})} for name, each in result.of().items()
        }
        assert [(each["a"], each["b"]) for each in found["pairs"]] == [*combinations(NAMES, 2)]
        assert found["documents"] == len(result.first.documents)
        assert ("resampling" in found) == (len(result.first.documents) >= 6)
        assert ("by" in found) == bool(result.by)
        if result.by:
            assert {*found["by"]["genre"]["b"]} == {each.name for each in result.groups["b"]}


def test_notes_of_agreement_are_numbers_reasons_resampling_and_signature() -> None:
    result = agreed()
    assert result.notes() == [
        "3 annotators, 8 documents", *result.reasons, *(result.resampling.notes() if result.resampling else ()),
        f"signature {result.signature}",
    ]  # fmt: skip
    few = agreed(documents=4)
    assert few.resampling is None
    assert few.notes()[:2] == [
        "3 annotators, 4 documents",
        "no intervals: 4 units (document); with fewer than 6 an interval shows little but which of them were drawn",
    ]
    assert few.signature == f"{few.first.protocol.signature()}|scoref:{scoref.__version__}"


def test_what_was_not_measured_is_refused_with_what_was() -> None:
    with pytest.raises(Error, match="'lea' was not measured") as error:
        agreed()["lea"]
    assert (error.value.problem.expected or "").startswith("one of muc, b3, alpha masi")
    with pytest.raises(Error, match="no mention has the attribute 'size'") as error:
        agreement([annotator(1, 2), annotator(2, 2)], label="size")
    assert error.value.problem.expected == "one of type"
    with pytest.raises(Error) as error:
        agreement([[["a"]], [["a"]]], label="size")
    assert error.value.problem.expected == "mentions with attributes"


def test_the_documents_of_each_annotator_are_those_that_all_have() -> None:
    sides = {name: annotator(seed, 4)[start:] for seed, (start, name) in enumerate(zip((0, 1, 0), NAMES, strict=True))}
    found, problems = documents_of(sides, {})
    assert all([each.id for each in some] == ["b/1", "a/2", "b/3"] for some in found.values())
    assert [*found] == [*NAMES]
    for name, some in found.items():
        assert [each.mentions for each in some] == [each.mentions for each in sides[name] if each.id != "a/0"]
    assert [problem.message for problem in problems] == ["Ben lacks document a/0, which is left out"]
    assert annotated(NAMES, agreed().evaluations)["Cy"][3].id == "b/3"


# -- systems over datasets ---------------------------------------------------------------------------------------------


@cache
def across(systems: int, runs: int = 1) -> tuple[Any, Across]:
    """Systems that are better on one genre than on the other."""
    key = [clusters([["a", "b", "c"], ["d", "e"]], f"{'xyz'[n % 3]}/{n}") for n in range(18)]
    wrong = [clusters([["a", "b"], ["c", "d", "e"]], each.id) for each in key]

    def made(right: float, seed: int) -> list[Document]:
        random = Random(f"{seed} {right}")
        return [one if random.random() < right * (1 + (one.id[0] == "x")) else other
                for one, other in zip(key, wrong, strict=True)]  # fmt: skip

    named = {name: [made(right, seed) for seed in range(runs)] for name, right in zip("ABC"[:systems], (0.2, 0.5, 0.9),
             strict=False)}  # fmt: skip
    given = named if runs > 1 else {name: only for name, (only,) in named.items()}
    result: Any = compare(key, given, metrics=["muc", "b3"], across="genre", pairs="all", trials=40, seed=5)
    found: Any = result.beside["across"]
    return result, found


@pytest.mark.parametrize("runs", [1, 2])
def test_systems_over_datasets_have_differences_and_p_values_of_each(runs: int) -> None:
    result, found = across(3, runs)
    assert (found.field, found.groups, found.systems) == ("genre", ("x", "y", "z"), ("A", "B", "C"))
    pairs = [*combinations("ABC", 2)]
    ordered = [*pairs, *((b, a) for a, b in pairs)]
    assert [(test.metric, test.worse, test.better) for test in found.tests] == [
        (metric, *pair) for metric, pair in product(("muc", "b3"), ordered)]  # fmt: skip
    every = {name: each if runs > 1 else [each] for name, each in result.systems.items()}
    means = {(name, metric, group): np.mean([run.by("genre")[group][metric].f1 for run in each])
             for (name, each), metric, group in product(every.items(), ("muc", "b3"), "xyz")}  # fmt: skip
    for test in found.tests:
        assert test.differences == {
            group: pytest.approx(means[test.better, test.metric, group] - means[test.worse, test.metric, group])
            for group in "xyz"
        }
        p = [*test.p.values()]
        assert test.bonferroni == tuple(partial_conjunction(p, bonferroni))
        assert test.fisher == tuple(partial_conjunction(p, fisher))
        assert test.which == tuple(name for name, value in zip("xyz", holm(np.array(p)), strict=True) if value <= 0.05)
    if runs == 1:
        for group in "xyz":
            within = {name for name in result.first.documents if name.startswith(group)}
            sample = f1_of(sample_of([*result.systems.values()], "document", within))
            drawn = randomisations(
                sample, [("ABC".index(a), "ABC".index(b)) for a, b in ordered], 40, 5, one_sided=True
            )
            assert [test.p[group] for test in found.tests if test.metric == "b3"] == [each.p[1] for each in drawn]
    for metric in ("muc", "b3"):
        values = [[float(means[name, metric, group]) for name in "ABC"] for group in "xyz"]
        assert found.ranks[metric].means == pytest.approx(friedman(values).means)
        assert found.ranks[metric].p == pytest.approx(friedman(values).p)


def test_tables_pictures_and_json_of_datasets() -> None:
    _, found = across(3)
    counts, ranks = found.grids()
    assert counts.title == "on how many of 3 groups (genre) a system is better"
    for row, test in zip(counts.rows, found.tests, strict=True):
        numbers = [sum(value <= 0.05 for value in each) for each in (test.bonferroni, test.fisher)]
        expected = [f"{number} of 3" for number in numbers]
        assert [*row] == [test.metric, test.better, test.worse, *expected, ", ".join(test.which) or "–"]
        assert [test.to_dict()[name] for name in ("k_bonferroni", "k_fisher")] == numbers
    assert ranks.header[1:4] == ("A", "B", "C")
    assert [[*map(shown, row)] for row in ranks.rows] == [
        [metric, *(f"{mean:.2f}" for mean in each.means), digits(each.p), digits(each.p_f), f"{each.critical:.2f}"]
        for metric, each in found.ranks.items()
    ]
    whole: Any = found.whole_grid()
    assert [[*row] for row in whole.rows] == [
        [test.metric, test.better, test.worse, group, test.differences[group], test.p[group],
         "yes" if group in test.which else "no"]
        for test in found.tests for group in "xyz"
    ]  # fmt: skip
    said = found.to_dict()
    assert said["ranks"]["b3"] == {
        "means": dict(zip("ABC", found.ranks["b3"].means, strict=True)), "chi_square": found.ranks["b3"].chi_square,
        "p": found.ranks["b3"].p, "p_iman_davenport": found.ranks["b3"].p_f,
        "critical_difference": found.ranks["b3"].critical,
    }  # fmt: skip
    assert (said["field"], said["groups"], said["level"], len(said["tests"])) == ("genre", ["x", "y", "z"], 0.05, 12)
    picture: Any = found.figures()["ranks"]
    assert (picture.label, picture.ranks) == ("mean rank (b3)", said["ranks"]["b3"]["means"])
    assert found.columns() == {}
    assert len(found.notes()) == 2
    two = across(2)[1]
    assert (len(two.grids()), len(two.notes()), two.figures()) == (1, 1, {})


def test_all_documents_in_one_group_are_no_datasets() -> None:
    key = [clusters([["a", "b"]], f"x/{n}") for n in range(3)]
    with pytest.raises(Error, match=r"all documents are in one group \(genre\)") as error:
        compare(key, {"A": key, "B": key}, across="genre", trials=5)
    assert error.value.problem.expected == "at least two groups"
    assert "--across genre" in (error.value.problem.remedy or "")


def test_a_breakdown_of_two_systems_has_the_f1_of_each_group() -> None:
    result, _ = across(2)
    assert isinstance(result, Comparison)
    table = result.by("genre")
    assert table.header == ("genre", "metric", "A", "B")
    for label, metric, *cells in table.rows:
        assert cells == [each.by("genre")[label][metric].f1 for each in result.systems.values()]
    key, response = [["a", "b"]], [["a"], ["b"]]
    sizes = compare(key, {"A": key, "B": response}, metrics=["b3"], trials=5).by("size")
    assert sizes.rows == [("2", "b3", 1.0, score(key, response).by("size")["2"]["b3"].f1), ("1", "b3", None, 0.0)]
