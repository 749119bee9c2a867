"""Comparisons of systems: resampled sums against scoring resampled documents, what is refused, what is printed."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import stats

import scoref
from places import EXAMPLES
from scoref import Document, Error, clusters, compare, formats, score, with_intervals
from scoref.formats import source
from scoref.layout import plots
from scoref.layout.render import PICTURES
from scoref.problems import Problems
from scoref.protocol.protocol import Protocol
from scoref.results.evaluation import Evaluation
from scoref.results.evidence import Evidence
from scoref.statistics.figures import share_intervals, size_dots
from scoref.statistics.inference.corrections import CORRECTIONS
from scoref.statistics.samples import coverage, sample_of
from scoref.statistics.significance import bootstrap, jackknife, randomisations

Result = tuple[int, str, str]
Run = Callable[..., Result]


def corpus(number: int, seed: int, moved: float, names: str = "d{}") -> tuple[list[Document], list[Document]]:
    """Keys, and responses in which some mentions moved to another entity, some are missing, some are spurious."""
    random = Random(seed)
    keys, responses = [], []
    for document in range(number):
        size = random.randint(4, 12)
        key: dict[int, list[str]] = {}
        response: dict[int, list[str]] = {}
        for mention in range(size):
            entity = random.randrange(4)
            key.setdefault(entity, []).append(f"m{mention}")
            if random.random() > 0.1:
                other = random.randrange(4) if random.random() < moved else entity
                response.setdefault(other, []).append(f"m{mention}")
            if random.random() < 0.1:
                response.setdefault(random.randrange(5), []).append(f"s{mention}")
        keys.append(clusters(key.values(), names.format(document)))
        responses.append(clusters(response.values(), names.format(document)))
    return keys, responses


def two_systems(number: int, names: str = "d{}") -> tuple[list[Document], dict[str, list[Document]]]:
    keys, worse = corpus(number, seed=1, moved=0.4, names=names)
    random = Random(2)
    better = [key if random.random() < 0.6 else response for key, response in zip(keys, worse, strict=True)]
    return keys, {"worse": worse, "better": better}


ALL = ["all"]


# -- resampling sums is scoring resampled documents -------------------------------------------------------------------


def rescored(keys: list[Document], responses: list[Document], chosen: list[int], **choices: Any) -> np.ndarray:
    """The scores of these documents, which may occur several times."""
    sides = [
        [replace(side[place], id=f"{number}") for number, place in enumerate(chosen)] for side in (keys, responses)
    ]
    return np.array(list(score(*sides, metrics=ALL, **choices).scores.values()))


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("links", ["key", "both"])
def test_the_bootstrap_is_scoring_documents_that_were_drawn(average: str, links: str) -> None:
    keys, systems = two_systems(7)
    choices = {"average": average, "links": links}
    sample = sample_of([score(keys, each, metrics=ALL, **choices) for each in systems.values()], "document")
    found = bootstrap(sample, 12, seed=3)
    draws = np.random.default_rng([3, 0]).integers(0, 7, (12, 7))
    assert found.shape[:2] == (12, len(systems))
    for trial, drawn in enumerate(draws.tolist()):
        for system, responses in enumerate(systems.values()):
            assert found[trial, system] == pytest.approx(rescored(keys, responses, drawn, **choices), abs=1e-12)


def test_datasets_are_resampled_each_within_itself() -> None:
    keys, systems = two_systems(9)
    datasets = tuple("abc"[number % 3] for number in range(9))
    evaluations = [replace(score(keys, each, metrics=ALL, average="datasets"), datasets=datasets)
                   for each in systems.values()]  # fmt: skip
    sample = sample_of(evaluations, "document")
    assert sample.strata.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    observed = [np.array(list(each.scores.values())) for each in evaluations]
    assert sample.values == pytest.approx(np.stack(observed), abs=1e-12)
    found = bootstrap(sample, 5, seed=3)
    random = np.random.default_rng([3, 0])
    draws = [random.integers(0, 3, (5, 3)) for _ in range(3)]
    for trial in range(5):
        means = [
            rescored(keys, systems["worse"], [3 * place + dataset for place in draws[dataset][trial].tolist()])
            for dataset in range(3)
        ]
        assert found[trial, 0] == pytest.approx(np.mean(means, axis=0), abs=1e-12)
    whole = sample_of(evaluations, "dataset")
    assert whole.strata.tolist() == [0, 0, 0]
    assert whole.values == pytest.approx(np.stack(observed), abs=1e-12)
    each = [rescored(keys, systems["worse"], [number for number in range(9) if number % 3 == k]) for k in range(3)]
    drawn = np.random.default_rng([3, 0]).integers(0, 3, (5, 3))
    expected = [np.mean([each[place] for place in places], axis=0) for places in drawn.tolist()]
    assert bootstrap(whole, 5, seed=3)[:, 0] == pytest.approx(np.stack(expected), abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_the_randomisation_is_scoring_exchanged_responses(average: str) -> None:
    keys, systems = two_systems(5)
    result = compare(keys, systems, metrics=ALL, average=average)
    places = range(5)
    differences = []
    for exchanged in product((0, 1), repeat=5):
        sides = [[list(systems.values())[side ^ swap][n] for n, swap in enumerate(exchanged)] for side in (0, 1)]
        a, b = (rescored(keys, side, list(places), average=average)[:, 2] for side in sides)
        differences.append(np.abs(b - a))
    expected = np.mean([difference >= differences[0] - 1e-12 for difference in differences], axis=0)
    assert [test.p for test in result.tests] == pytest.approx(expected.tolist())
    assert all(test.exact for test in result.tests)


@pytest.mark.parametrize(
    ("unit", "names"),
    [("text", "(bn/x_{}); part {:03}"), ("genre", "{}/x{}"), ("text", "nw/w/x_0{}_{}")],
)
def test_units_are_drawn_as_a_whole(unit: str, names: str) -> None:
    keys, systems = two_systems(6)
    labels = ["101", "101", "102", "102", "102", "103"]
    documents = [names.format(label, number) for number, label in enumerate(labels)]
    sides = [
        [replace(each, id=name) for each, name in zip(side, documents, strict=True)]
        for side in (keys, systems["worse"])
    ]
    evaluation = score(*sides, metrics=["conll"])
    sample = sample_of([evaluation], unit)
    counts = np.concatenate([evaluation.counts[name] for name in ("muc", "b3", "ceafe")], axis=1)
    expected = [counts[:2].sum(axis=0), counts[2:5].sum(axis=0), counts[5]]
    assert sample.sums[0] == pytest.approx(np.stack(expected))


def test_units_from_comments_of_documents() -> None:
    keys, systems = two_systems(4)
    topics = ["tax", "tap", "tax", "tap"]
    keys = [replace(key, comments=((0, f"# meta::topic = {topic}"), (3, "# topic = no")))
            for key, topic in zip(keys, topics, strict=True)]  # fmt: skip
    result = compare(keys, systems, unit="topic")
    assert result.resampling.units == 2
    assert next(iter(result.systems.values())).labels("topic") == tuple(topics)
    with pytest.raises(Error, match="no document has the field 'colour'") as error:
        compare(keys, systems, unit="colour")
    assert error.value.problem.expected == "one of document, text, genre, dataset, topic"
    keys[1] = replace(keys[1], comments=())
    with pytest.raises(Error, match="1 documents lack the field 'topic'"):
        compare(keys, systems, unit="topic")


def test_the_order_of_documents_changes_nothing() -> None:
    keys, systems = two_systems(25)
    result = compare(keys, systems, metrics=ALL, trials=200, unit="document")
    order = list(range(25))
    Random(0).shuffle(order)
    shuffled = {name: [each[place] for place in order] for name, each in systems.items()}
    again = compare([keys[place] for place in order], shuffled, metrics=ALL, trials=200)
    assert again.to_dict() == result.to_dict()
    mixed = compare(None, {"worse": score(keys, systems["worse"]), "better": again.systems["better"]}, metrics=["b3"],
                    trials=200)  # fmt: skip
    plain = compare(keys, systems, metrics=["b3"], trials=200)
    assert mixed.to_dict()["tests"] == plain.to_dict()["tests"]


# -- results ----------------------------------------------------------------------------------------------------------


def test_the_scores_and_differences_are_those_of_score() -> None:
    keys, systems = two_systems(12)
    result = compare(keys, systems, metrics=ALL, trials=100)
    for name, responses in systems.items():
        assert result.systems[name].scores == score(keys, responses, metrics=ALL).scores
    for test in result.tests:
        assert test.difference == result.systems["better"][test.metric].f1 - result.systems["worse"][test.metric].f1
        assert test.ci[0] <= test.ci[1]
        assert test.ci_percentile[0] <= test.ci_percentile[1]
        assert 0 < test.p <= test.p_adjusted <= 1
    assert [test.metric for test in result.tests] == list(result.systems["worse"].scores)


def test_paths_in_a_list_have_the_names_of_their_files() -> None:
    paths = [EXAMPLES / "tales" / "rules.conll", EXAMPLES / "tales" / "key.conll"]
    key = paths[1]
    listed, named = compare(key, paths), compare(key, {path.name: path for path in paths})
    assert listed.to_dict() == named.to_dict()


@pytest.mark.parametrize("systems", ["a.conll", 3, None, [[["a", "b"]]], {"A": None, "B": 3}])
def test_what_are_no_systems_by_name_is_refused(systems: Any) -> None:
    with pytest.raises(Error) as error:
        compare([["a", "b"]], systems)
    assert error.value.code == "bad-systems"


def test_pairs_and_corrections() -> None:
    keys, systems = two_systems(8)
    systems["key"] = keys
    first = compare(keys, systems, metrics=["b3", "lea"])
    assert [(test.metric, test.a, test.b) for test in first.tests] == [
        ("b3", "worse", "better"), ("b3", "worse", "key"), ("lea", "worse", "better"), ("lea", "worse", "key"),
    ]  # fmt: skip
    every = compare(keys, systems, metrics=["b3"], pairs="all", correction="none")
    assert [(test.a, test.b) for test in every.tests] == [("worse", "better"), ("worse", "key"), ("better", "key")]
    p = np.array([test.p for test in every.tests])
    assert [test.p_adjusted for test in every.tests] == p.tolist()
    for name in ("holm", "bh"):
        found = compare(keys, systems, metrics=["b3"], pairs="all", correction=name).tests
        assert [test.p for test in found] == p.tolist()  # what stands beside does not matter
        assert [test.p_adjusted for test in found] == pytest.approx(CORRECTIONS[name](p).tolist())
    assert first.tests[0].p == every.tests[0].p


def test_letters() -> None:
    keys, systems = two_systems(10)
    letters = compare(keys, systems | {"key": keys, "again": keys}, metrics=["b3"], pairs="all").letters()["b3"]
    assert letters["key"] == letters["again"]
    assert "a" in letters["key"]
    assert not set(letters["key"]) & set(letters["worse"])
    starred = compare(keys, systems | {"key": keys}, metrics=["b3"]).letters()["b3"]
    assert starred["worse"] == ""
    assert starred["key"] == "*"
    assert compare(keys, {"x": keys, "y": keys}, metrics=["b3"]).letters() == {"b3": {"x": "a", "y": "a"}}
    few = {name: each[:5] for name, each in systems.items()}
    assert compare(keys[:5], few, metrics=["b3"]).letters() == {"b3": {"worse": "", "better": ""}}


def test_settings_are_compared_too() -> None:
    keys, systems = two_systems(8)
    result = compare(keys, systems, metrics=["b3"], settings=["singletons:drop"])
    alone = compare(keys, systems, metrics=["b3"], singletons="drop")
    assert result.settings["singletons:drop"].tests == alone.tests
    assert list(result.to_dict()["settings"]) == ["singletons:drop"]


def layered(example: str, protocol: str, **choices: str) -> scoref.Comparison:
    [key], [response] = (scoref.read(EXAMPLES / f"{side}.{example}") for side in ("key", "response"))
    keys, responses = ([replace(side, id=str(number)) for number in range(6)] for side in (key, response))
    return compare(keys, {"A": responses, "B": [*responses[:3], *keys[3:]]}, protocol=protocol, trials=99, **choices)


def test_every_layer_of_universal_anaphora_can_be_compared() -> None:
    result = layered("conllua", "codi-crac-2022", layer="all")
    metrics = [test.metric for test in result.tests]
    assert {"conll", "deixis:conll", "bridging-entities", "non-referring"} <= {*metrics}
    assert all(test.difference >= 0 for test in result.tests)
    assert all(test.p in (0.25, 1) for test in result.tests)


def test_event_nuggets_can_be_compared() -> None:
    row = "run\td{0}\tE{1}\t{1},{1}5\tw\tLife_Marry\t{2}"
    sides = []
    for wrong in (0, 3, 1):  # documents with another realis
        documents = []
        for number in range(4):
            realis = "Other" if number < wrong else "Actual"
            rows = [row.format(number, event, realis) for event in (1, 2)]
            link = "@Coreference\tC1\tE1,E2"
            documents += [f"#BeginOfDocument d{number}", *rows, link, "#EndOfDocument"]
        problems = Problems()
        source = formats.Source("\n".join([*documents, ""]).encode(), "file")
        sides.append(formats.read_source(source, "tbf", problems)[1])
    result = compare(sides[0], {"A": sides[1], "B": sides[2]}, protocol="kbp-2015", trials=99)
    differences = {test.metric: test.difference for test in result.tests}
    assert differences["nugget-span"] == 0
    assert differences["nugget-realis"] == 0.5
    assert {test.metric: test.p for test in result.tests}["nugget-realis"] == 0.5
    assert "kbp" in differences


def test_intervals_of_one_system() -> None:
    keys, systems = two_systems(30)
    plain = score(keys, systems["worse"])
    result = with_intervals(plain, trials=500)
    assert plain.intervals is None
    assert result.scores == plain.scores
    for metric, each in result.to_dict()["scores"].items():
        assert list(each["ci"]) == ["recall", "precision", "f1"]
        for name, (low, high) in each["ci"].items():
            assert low < each[name] < high, metric
    assert result.to_dict()["resampling"] == {"trials": 500, "seed": 12345, "unit": "document", "units": 30}
    both = compare(keys, systems, trials=500).systems["worse"]
    for metric, ends in both.intervals.scores.items():
        assert np.array(ends) == pytest.approx(np.array(result.intervals.scores[metric]), abs=1e-12)


def test_the_signature_says_how_it_was_resampled_and_can_be_read() -> None:
    keys, systems = two_systems(3)
    plain = score(keys, keys)
    result = with_intervals(plain, trials=20, seed=7, unit="genre")
    assert "|unit:genre|trials:20|seed:7|scoref:" in result.signature
    assert "trials:" not in plain.signature
    assert Protocol.parse(result.signature) == plain.protocol
    assert "|unit:document|trials:10|seed:0|" in compare(keys, systems, trials=10, seed=0).signature


def test_few_units_are_warned_of_with_their_number() -> None:
    keys, systems = two_systems(25)
    assert compare(keys, systems, trials=10).to_dict()["warnings"] == []
    few = compare(keys[:19], {name: each[:19] for name, each in systems.items()}, trials=10)
    assert few.to_dict()["warnings"] == [
        "only 19 units (document): with so few, 95 % intervals held the true value in about 94 % of cases"
    ]
    assert few.tests[0].ci
    assert few.systems["worse"].intervals.scores


@pytest.mark.parametrize(("units", "held"), [(2, 48), (3, 70), (5, 80)])
def test_from_fewer_than_six_units_there_are_no_intervals_and_no_letters(units: int, held: int) -> None:
    """Measured on real files, by the number of documents: how many of 100 intervals held the score of all documents."""
    keys, systems = two_systems(units)
    systems["none"] = [clusters([], key.id) for key in keys]
    result = compare(keys, {"none": systems["none"], "key": keys}, pairs="all")
    assert all(test.ci is test.ci_percentile is None for test in result.tests)
    assert all(test.p >= 2 / 2**units for test in result.tests)
    assert {mark for each in result.letters().values() for mark in each.values()} == {""}
    text = " ".join(str(result).split())
    assert text.startswith("f1; no letters: no difference could be significant (p < 0.05)")
    assert f"only {units} units (document): with so few, 95 % intervals held the true value in about {held} %" in text
    assert re.search(r"\bmetric a b difference p\n?", text)
    assert f"the smallest p that could be reached from {2**units} exchanges is {2 / 2**units:.4f}" in text
    assert result.to_dict()["least_p"] == 2 / 2**units
    alone = with_intervals(score(keys, systems["worse"]))
    assert alone.intervals.scores == {}
    assert "ci" not in alone.to_dict()["scores"]["muc"]
    assert "f1 low" not in str(alone)
    assert f"held the true value in about {held} % of cases" in " ".join(str(alone).split())


def test_the_coverage_that_is_said_is_near_that_of_the_normal_distribution() -> None:
    """The bootstrap takes the deviation of n numbers for that of all: its intervals are t-intervals of ±1.96."""
    for units in (6, 8, 10, 15, 20):
        share = 100 * (2 * stats.t.cdf(1.96 * np.sqrt((units - 1) / units), units - 1) - 1)
        assert coverage(units) == pytest.approx(share, abs=6)


def test_from_one_unit_there_is_no_p() -> None:
    keys, systems = two_systems(1)
    result = compare(keys, systems)
    assert all(test.p is test.p_adjusted is test.ci is None for test in result.tests)
    assert result.to_dict()["tests"][0]["p"] is None
    text = str(result)
    assert re.search(r"\nmetric +a +b +difference\n", text)
    assert "nothing can vary" in " ".join(text.split())
    assert "p that of" not in text
    assert "1 units" not in text
    assert "1 units" not in str(with_intervals(score(keys, keys)))


def shrinking(documents: int, sizes: range) -> tuple[list[Document], dict[str, list[Document]]]:
    """Systems that find the first mentions of an entity of 50, some more than others, in every document alike."""
    keys = [clusters([range(50)], str(place)) for place in range(documents)]
    return keys, {f"s{size}": [clusters([range(size)], key.id) for key in keys] for size in sizes}


def test_the_smallest_p_of_many_systems_is_said_and_trials_are_raised() -> None:
    """33 systems, 528 pairs: 10,000 trials cannot give less than 528/10001 = 0.0528 by Holm's correction."""
    keys, systems = shrinking(17, range(40, 7, -1))
    fixed = compare(keys, systems, pairs="all", metrics=["muc"], trials=10_000)
    assert {(test.exact, test.trials) for test in fixed.tests} == {(False, 10_000)}
    assert fixed.least == pytest.approx(0.0528, abs=1e-4)
    assert {*fixed.letters()["muc"].values()} == {""}
    said = "from 10,000 exchanges and adjusted for 528 pairs of systems is 0.0528, so that no difference could be"
    assert said in " ".join(str(fixed).split())
    raised = compare(keys, systems, pairs="all", metrics=["muc"])
    assert {test.trials for test in raised.tests} == {52_800}
    assert raised.least == 528 / 52_801
    assert raised.letters()["muc"]["s40"] == "a"
    assert raised.letters()["muc"]["s8"] != "a"


def test_a_small_p_is_shown_as_it_is() -> None:
    keys, systems = shrinking(30, range(40, 0, -39))
    pair = compare(keys, systems, metrics=["muc"])
    assert [test.trials for test in pair.tests] == [10_000]
    assert pair.tests[0].p == pytest.approx(1 / 10_001)
    assert "smallest p that could be reached from 10,000 exchanges is 0.00010" in " ".join(str(pair).split())
    assert "  0.00010\n" in str(pair)


def test_where_trials_are_too_few_it_is_said_and_there_are_no_letters() -> None:
    keys, _ = two_systems(30)
    far = [clusters([], key.id) for key in keys]
    result = compare(keys, {"far": far, "key": keys}, metrics=["muc"], trials=10)
    assert result.tests[0].p == 1 / 11
    assert result.letters() == {"muc": {"far": "", "key": ""}}
    assert "is 0.0909, so that no difference could be significant, however large: use more trials or units" in " ".join(
        str(result).split()
    )


def test_letters_go_on_after_z() -> None:
    keys = [clusters([[f"m{number}" for number in range(40)]], str(place)) for place in range(12)]
    systems = {
        str(size): [clusters([[f"m{number}" for number in range(size)]], key.id) for key in keys]
        for size in range(40, 10, -1)
    }
    letters = compare(keys, systems, metrics=["muc"], pairs="all", correction="none").letters()["muc"]
    assert [*letters.values()] == [*"abcdefghijklmnoprstuvwxyz", "a2", "b2", "c2", "d2", "e2"]


def test_the_documents_of_a_corpus_are_counted(tmp_path: Path) -> None:
    keys = [clusters({"e": ["a", "b"], "f": ["c"]}, str(number)) for number in range(13)]
    result = score(keys, keys, scope="corpus")
    assert result.to_dict()["documents"] == 13
    assert "\n13 documents\n" in str(result)
    scoref.save(result, tmp_path / "saved.json")
    assert "\n13 documents\n" in str(scoref.load(tmp_path / "saved.json"))
    assert compare(keys, {"A": keys, "B": keys}, scope="corpus").to_dict()["documents"] == 13


def test_parts_of_one_text_are_warned_of() -> None:
    keys, systems = two_systems(4, names="(bn/cnn_0210); part 00{}")
    for result in (compare(keys, systems, trials=10), with_intervals(score(keys, keys), trials=10)):
        assert "warning: some documents are parts of one text and not independent: use the unit text" in result.notes()
    assert len(compare(keys, systems, trials=10, unit="text").resampling.warnings) == 1


def test_across_documents_there_is_one_unit() -> None:
    keys = [clusters({"e": ["a", "b"], "f": ["c"]}, str(number)) for number in range(3)]
    others = [clusters({"e": ["a"], "f": ["b", "c"]}, str(number)) for number in range(3)]
    result = compare(keys, {"A": others, "B": keys}, scope="corpus", metrics=["b3", "mor"], trials=10)
    assert result.resampling.units == 1


@pytest.mark.parametrize(
    ("keywords", "code"),
    [
        ({"trials": 0}, "bad-trials"),
        ({"seed": -1}, "bad-trials"),
        ({"pairs": "some"}, "unknown-choice"),
        ({"correction": "bonferroni"}, "unknown-choice"),
        ({"unit": "colour"}, "unknown-field"),
    ],
)
def test_bad_settings_are_refused(keywords: dict[str, Any], code: str) -> None:
    keys, systems = two_systems(2)
    with pytest.raises(Error) as error:
        compare(keys, systems, **keywords)
    assert error.value.code == code


# -- what is not comparable -------------------------------------------------------------------------------------------


def refused(a: Evaluation, b: Evaluation) -> Error:
    with pytest.raises(Error) as error:
        compare(None, {"A": a, "B": b}, trials=10)
    return error.value


def test_other_documents_are_refused_by_name() -> None:
    keys, systems = two_systems(9)
    whole, part = score(keys, systems["worse"]), score(keys[:2], keys[:2])
    error = refused(whole, part)
    assert error.code == "different-documents"
    assert error.problem.expected == "the same documents; B lacks d2, d3, d4, d5, d6 and 2 more"
    other = score([replace(key, id=key.id.replace("d1", "x")) for key in keys], keys[:1])
    assert refused(whole, other).problem.expected == "the same documents; B lacks d1; A lacks x"


def test_other_keys_are_refused_by_name() -> None:
    keys, systems = two_systems(5)
    changed = [*keys[:3], clusters([["m0", "other"]], "d3"), *keys[4:]]
    error = refused(score(keys, systems["worse"]), score(changed, systems["worse"]))
    assert error.code == "different-keys"
    assert error.problem.expected == "the same key; it differs for d3"


def test_other_protocols_are_refused_by_choice() -> None:
    keys, _ = two_systems(3)
    error = refused(score(keys, keys), score(keys, keys, singletons="drop", metrics=["b3"]))
    assert error.code == "different-protocols"
    assert "singletons:keep and singletons:drop" in (error.problem.expected or "")
    assert "metrics:mentions,muc,b3,ceafe,conll and metrics:b3" in (error.problem.expected or "")


def test_other_versions_are_refused() -> None:
    keys, _ = two_systems(3)
    other = replace(score(keys, keys), source=Evidence(version="0.0.1"))
    assert refused(score(keys, keys), other).code == "different-versions"


def test_too_few_systems_and_no_key_are_refused() -> None:
    keys, _ = two_systems(3)
    with pytest.raises(Error, match="one-system"):
        compare(keys, {"A": keys})
    with pytest.raises(Error, match="no-key"):
        compare(None, {"A": score(keys, keys), "B": keys})
    with pytest.raises(Error, match="no-document"):
        with_intervals(scoref.Scorer().compute())


# -- the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key and three responses of 24 documents as JSON lines, whose mentions are words."""
    monkeypatch.chdir(tmp_path)
    random = Random(5)
    sides: dict[str, list[str]] = {"key": [], "a": [], "b": [], "c": []}
    for number in range(24):
        entities = [random.randrange(3) for _ in range(9)]
        for side, noise in zip(sides, (0, 0.5, 0.2, 0.2), strict=True):
            found: dict[int, list[list[int]]] = {}
            for word, entity in enumerate(entities):
                moved = random.randrange(3) if random.random() < noise else entity
                found.setdefault(moved, []).append([word, word])
            record = {"id": f"({'bn' if number % 2 else 'nw'}/x_{number}); part 000", "clusters": list(found.values())}
            sides[side].append(json.dumps(record))
    for side, lines in sides.items():
        Path(f"{side}.jsonl").write_text("\n".join(lines) + "\n")


pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.usefixtures("files")
def test_compare_as_json_has_the_shape_of_the_contract(run: Run) -> None:
    code, out, err = run("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--json", "--trials", "500")
    assert (code, err, out.count("\n")) == (0, "", 1)
    result = json.loads(out)
    assert list(result["systems"]) == ["a.jsonl", "b.jsonl"]
    assert list(result["systems"]["a.jsonl"]) == ["mentions", "muc", "b3", "ceafe", "conll"]
    alone = json.loads(run("score", "key.jsonl", "a.jsonl", "--json", "--ci", "--trials", "500")[1])
    assert result["systems"]["a.jsonl"]["conll"]["f1"] == alone["scores"]["conll"]["f1"]
    assert list(alone["scores"]["muc"]) == ["recall", "precision", "f1", "ci"]
    assert len(alone["scores"]["muc"]["ci"]["f1"]) == 2
    for test in result["tests"]:
        assert {"metric", "a", "b", "difference", "p", "p_adjusted", "ci"} <= {*test}
        assert (test["a"], test["b"]) == ("a.jsonl", "b.jsonl")
        scores = [result["systems"][name][test["metric"]]["f1"] for name in (test["a"], test["b"])]
        assert test["difference"] == scores[1] - scores[0]
    assert result["resampling"] == {"trials": 500, "seed": 12345, "unit": "document", "units": 24}
    assert "trials:500|seed:12345" in result["signature"]


def test_a_system_with_nothing_to_count_has_no_score_and_no_difference(run: Run, tmp_path: Path) -> None:
    names = ("key", "silent", "talking")
    for name, cell in zip(names, ("-", "-", "(1)"), strict=True):
        lines = ["#begin document d", *(f"w{number}\t{cell}" for number in range(3)), "#end document", ""]
        (tmp_path / name).write_text("\n".join(lines))
    argv = ("compare", *(tmp_path / name for name in names), "--metrics", "muc,b3")
    code, out, _ = run(*argv)
    rows = [line.split() for line in out.splitlines()]
    assert code == 0
    assert ["silent", "–", "–"] in rows
    assert ["talking", "0.00", "0.00"] in rows
    assert ["muc", "silent", "talking", "–"] in rows
    assert "silent: muc: no coreference links in key and response" in out
    result = json.loads(run(*argv, "--json")[1])
    for name, each in zip(names[1:], result["undefined"].values(), strict=True):
        alone = json.loads(run("score", tmp_path / "key", tmp_path / name, "--metrics", "muc,b3", "--json")[1])
        assert each == alone["undefined"]
    assert ["d", "muc", "–", "0.00"] in [line.split() for line in run(*argv, "--by", "document")[1].splitlines()]
    assert ["silent", *["–"] * 6] in [line.split() for line in run(*argv, "--layout", "paper")[1].splitlines()]
    assert "muc,silent,talking,,,,,,," in run(*argv, "--output", "csv")[1]


def test_what_is_said_of_the_scores_of_all_systems_is_said_once(run: Run, tmp_path: Path) -> None:
    for name, cell in (("key", "(1)|(2)"), ("a", "(1)|(2)"), ("b", "(1)")):
        lines = ["#begin document d", *(f"w{number}\t{cell}" for number in range(3)), "#end document", ""]
        (tmp_path / name).write_text("\n".join(lines))
    sides = [str(tmp_path / name) for name in ("key", "a", "b")]
    said = [*run("compare", *sides, "--output", "csv")[2].splitlines()]
    alone = [run("score", sides[0], each, "--output", "csv")[2].splitlines() for each in sides[1:]]
    notes_of_any = {line for notes in alone for line in notes if not line.startswith("signature")}
    assert {note in alone[0] and note in alone[1] for note in notes_of_any} == {True, False}
    for note in notes_of_any:
        places = [name for name, notes in zip("ab", alone, strict=True) if note in notes]
        expected = [note] if len(places) == 2 else [f"{places[0]}: {note}"]
        assert [line for line in said if line.endswith(note)] == expected


@pytest.mark.usefixtures("files")
def test_the_same_seed_prints_the_same_whatever_the_jobs(run: Run) -> None:
    argv = ("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--json", "--trials", "200")
    first = run(*argv)
    assert run(*argv, "--jobs", "2") == first
    assert run(*argv) == first
    assert run(*argv, "--seed", "1") != first


@pytest.mark.usefixtures("files")
def test_tables_for_a_paper(run: Run) -> None:
    argv = ("compare", "key.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--trials", "300", "--metrics", "muc,conll",
            "--pairs", "all", "--names", "Base,Big_one,C&D")  # fmt: skip
    text = run(*argv)[1].split("\n")
    assert text[0] == "f1; systems that share a letter do not differ significantly (p ≥ 0.05, holm)"
    assert re.fullmatch(r"system +muc +conll", text[1])
    assert re.fullmatch(r"Base +\d\d\.\d\d[ᵃᵇᶜ]+ +\d\d\.\d\d[ᵃᵇᶜ]+ *", text[2])
    assert re.fullmatch(r"muc +Base +Big_one +[+-]\d+\.\d\d( +[+-]\d+\.\d\d){2}( +<?\d\.\d{4}){2}", text[7])
    assert all(len(line) <= 80 for line in text if not line.startswith("signature"))
    markdown = run(*argv, "--output", "markdown")[1]
    assert re.search(r"\| Base \| \d\d\.\d\d<sup>[abc]+</sup> \|", markdown)
    latex = run(*argv, "--output", "latex")[1]
    assert re.search(r"Big\\_one & \d\d\.\d\d\\textsuperscript\{[abc]+\} & ", latex)
    assert "C\\&D" in latex
    rows = list(csv.DictReader(io.StringIO(run(*argv, "--output", "csv")[1])))
    assert len(rows) == 6
    assert float(rows[0]["difference"]) == float(rows[0]["f1 b"]) - float(rows[0]["f1 a"])
    assert float(rows[0]["p adjusted"]) >= float(rows[0]["p"])


PAPER = (
    "compare",
    "key.jsonl",
    "a.jsonl",
    "b.jsonl",
    "c.jsonl",
    "--pairs",
    "all",
    "--trials",
    "300",
    "--layout",
    "paper",
)


@pytest.mark.usefixtures("files")
def test_the_table_of_a_paper(run: Run) -> None:
    """Rows and columns as the papers of the field have them; the numbers are those of `scoref score`."""
    alone = {side: json.loads(run("score", "key.jsonl", f"{side}.jsonl", "--json")[1])["scores"] for side in "abc"}
    names = ["precision", "recall", "f1"]
    expected = [
        [side, *(scores[metric][name] for metric in ("muc", "b3", "ceafe") for name in names), scores["conll"]["f1"]]
        for side, scores in alone.items()
    ]
    header, *rows = csv.reader(io.StringIO(run(*PAPER, "--output", "csv")[1]))
    columns = [f"{metric} {name}" for metric in ("MUC", "B³", "CEAFφ₄") for name in ("P", "R", "F1")]
    assert header == ["System", *columns, "Avg. F1"]
    assert [[row[0], *map(float, row[1:])] for row in rows] == expected
    latex = run(*PAPER, "--output", "latex")[1]
    heads = r" & \multicolumn{3}{c}{MUC} & \multicolumn{3}{c}{B$^3$} & \multicolumn{3}{c}{CEAF$_{\phi_4}$} & "
    assert heads in latex
    assert r"\cmidrule(lr){2-4} \cmidrule(lr){5-7} \cmidrule(lr){8-10}" in latex
    assert "System & P & R & F1 & P & R & F1 & P & R & F1 & Avg. F1 " in latex
    body = [
        line.removesuffix(r" \\").split(" & ") for line in latex.split("\n") if line[:4] in ("a & ", "b & ", "c & ")
    ]
    for column in range(1, 11):
        values = [row[column] for row in expected]
        assert [r"\textbf" in row[column] for row in body] == [value == max(values) for value in values]
        plain = [re.search(r"\d+\.\d\d", row[column])[0] for row in body]  # type: ignore[index]
        assert plain == [f"{100 * value:.2f}" for value in values]
    assert [r"\textsuperscript" in cell for cell in body[0][1:]] == [*[False, False, True] * 3, True]
    caption = next(line for line in latex.split("\n") if line.startswith(r"\caption{"))
    assert "conll-2012" in caption
    assert "48 documents" not in caption
    assert "24 documents" in caption
    markdown = run(*PAPER, "--output", "markdown")[1]
    assert markdown.startswith("| System | MUC P | MUC R | MUC F1 | B³ P |")
    assert markdown.count("**") == 2 * 10
    text = run(*PAPER)[1].split("\n")
    assert text[0].split() == ["MUC", "B³", "CEAFφ₄"]
    assert text[1].split() == ["System", *["P", "R", "F1"] * 3, "Avg.", "F1"]
    assert text[2].startswith("a ")
    assert text[0].index("MUC") < text[1].index("F1")


@pytest.mark.usefixtures("files")
def test_the_table_of_a_paper_has_the_metrics_asked_for(run: Run) -> None:
    header = run(*PAPER, "--metrics", "mentions,lea,conll", "--output", "csv")[1].split("\n")[0]
    assert header == "System,Mentions P,Mentions R,Mentions F1,LEA P,LEA R,LEA F1,Avg. F1"
    assert list(json.loads(run(*PAPER, "--json")[1])["systems"]) == ["a", "b", "c"]


LONG = "models/a-very-long-name-of-an-experiment-with-many-words-{}-and-the-same-long-ending-for-all-of-them.jsonl"


@pytest.mark.usefixtures("files")
def test_names_are_never_cut_to_sameness_and_not_at_all_in_pipes(run: Run, request: pytest.FixtureRequest) -> None:
    Path("models").mkdir()
    paths = [LONG.format(name) for name in ("first", "second")]
    for path, side in zip(paths, "ab", strict=True):
        Path(path).write_bytes(Path(f"{side}.jsonl").read_bytes())
    out = run("compare", "key.jsonl", *paths, "--trials", "20")[1]
    assert re.search(r"^first +\d", out, re.MULTILINE)
    assert re.search(r"^second +\d", out, re.MULTILINE)
    named = ("compare", "key.jsonl", *paths, "--trials", "20", "--names", ",".join(map(LONG.format, ("1", "2"))))
    piped = run(*named)[1]
    assert "…" not in piped
    assert all(f"\n{LONG.format(name)} " in piped for name in "12")
    request.getfixturevalue("terminal")
    terminal = run(*named)[1].split("\n\n")[0].split("\n")[2:]
    assert len({line.split()[0] for line in terminal}) == 2
    assert all(line.startswith("…") for line in terminal)


@pytest.mark.usefixtures("files")
def test_marks_of_differences_to_the_first(run: Run) -> None:
    argv = ("compare", "key.jsonl", "a.jsonl", "key.jsonl", "b.jsonl", "--trials", "300", "--metrics", "b3")
    text = run(*argv)[1].split("\n")
    assert text[0] == "f1; * differs significantly from the first (p < 0.05, holm)"
    assert text[3].endswith("100.00*")
    assert "<sup>&ast;</sup>" in run(*argv, "--output", "markdown")[1]


@pytest.mark.usefixtures("files")
def test_a_breakdown(run: Run) -> None:
    argv = ("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--trials", "10", "--metrics", "b3", "--by", "genre")
    assert re.search(r"genre  metric +a +b\nnw +b3 +\d\d\.\d\d +\d\d\.\d\d\nbn", run(*argv)[1])
    assert list(json.loads(run(*argv, "--json")[1])["by"]["genre"]["a.jsonl"]) == ["nw", "bn"]
    assert run(*argv, "--output", "csv")[1].startswith("genre,metric,a.jsonl,b.jsonl\nnw,b3,0.")


@pytest.mark.usefixtures("files")
def test_names_of_systems_are_unique(run: Run) -> None:
    for folder in ("x", "y"):
        Path(folder).mkdir()
        Path(folder, "dev.jsonl").write_bytes(Path("a.jsonl").read_bytes())

    def names(*paths: str) -> list[str]:
        code, out, err = run("compare", "key.jsonl", *paths, "--json", "--trials", "10")
        assert (code, err) == (0, "")
        return list(json.loads(out)["systems"])

    assert names("x/dev.jsonl", str(Path("b.jsonl").resolve())) == ["dev.jsonl", "b.jsonl"]
    assert names("x/dev.jsonl", "y/dev.jsonl") == ["x/dev.jsonl", "y/dev.jsonl"]
    assert names("a.jsonl", "a.jsonl") == ["a.jsonl", "a.jsonl (2)"]
    assert names("a.jsonl", "b.jsonl", "--names", "A,B") == ["A", "B"]


@pytest.mark.usefixtures("files")
def test_one_response_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("a.jsonl").read_bytes())))
    code, out, _ = run("compare", "key.jsonl", "-", "b.jsonl", "--json", "--trials", "10")
    assert code == 0
    piped = json.loads(out)
    plain = json.loads(run("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--json", "--trials", "10")[1])
    assert piped["systems"]["-"] == plain["systems"]["a.jsonl"]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "argv", [("compare", "--json", "--trials", "10"), ("errors", "--json"), ("report", "-o", "x.html")]
)
def test_the_key_is_read_once(run: Run, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]) -> None:
    """From standard input, which cannot be read twice, and from a file that is counted."""
    command, *options = argv
    plain = run(command, "key.jsonl", "a.jsonl", "b.jsonl", *options)
    assert plain[0] == 0
    page = Path("x.html").read_text() if command == "report" else ""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("key.jsonl").read_bytes())))
    piped = run(command, "-", "a.jsonl", "b.jsonl", *options)
    assert piped[0] == 0
    if command == "report":
        assert abs(len(Path("x.html").read_text()) - len(page)) < 100  # the name of the key differs
    else:
        assert json.loads(piped[1])["systems"] == json.loads(plain[1])["systems"]
    opened: list[str] = []
    load = source.load
    monkeypatch.setattr(source, "load", lambda path, *rest: opened.append(str(path)) or load(path, *rest))
    assert run(command, "key.jsonl", "a.jsonl", "b.jsonl", *options)[0] == 0
    assert sorted(opened) == ["a.jsonl", "b.jsonl", "key.jsonl"]


def test_a_key_that_can_be_gone_through_once_is_taken_once() -> None:
    keys, systems = two_systems(8)
    result = compare((key for key in keys), systems, metrics=["b3"], trials=10)
    assert result.to_dict() == compare(keys, systems, metrics=["b3"], trials=10).to_dict()
    cluster = [["a", "b"], ["c"]]
    once = compare((each for each in cluster), {"A": cluster, "B": (each for each in cluster)}, metrics=["b3"])
    assert [each["b3"].f1 for each in once.systems.values()] == [1, 1]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("compare", "key.jsonl"), "SYSTEM"),
        (("compare", "key.jsonl", "a.jsonl"), "[one-system]"),
        (("compare", "-", "a.jsonl", "-"), "[two-standard-inputs]"),
        (("compare", "key.jsonl", "-", "-"), "[two-standard-inputs]"),
        (("compare", "key.jsonl", "a.jsonl", "nothing.jsonl"), "[unreadable-file]"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--names", "A"), "[bad-names]"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--names", "A,A"), "[bad-names]"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--unit", "colour"), "[unknown-field]"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--trials", "0"), "at least 1"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--seed", "-1"), "at least 0"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--correction", "tukey"), "tukey"),
        (("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--plot", "x.gif"), "[unknown-picture]"),
        (("score", "key.jsonl", "a.jsonl", "--ci", "--unit", "colour"), "[unknown-field]"),
        (("score", "key.jsonl", "a.jsonl", "--plot", "key.jsonl/x.svg"), "[unwritable-file]"),
    ],
)
def test_bad_usage_has_a_reason_and_no_output(run: Run, argv: tuple[str, ...], reason: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert reason in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("files")
def test_folders_of_datasets(run: Run) -> None:
    for side in ("key", "a", "b"):
        lines = Path(f"{side}.jsonl").read_text().split("\n")
        Path(side).mkdir()
        for name, part in (("large.jsonl", lines[:16]), ("small.jsonl", lines[16:])):
            Path(side, name).write_text("\n".join(part))
    code, out, err = run("compare", "key", "a", "b", "--json", "--average", "datasets", "--trials", "200")
    assert (code, err) == (0, "")
    result = json.loads(out)
    alone = {side: json.loads(run("score", "key", side, "--json", "--average", "datasets")[1]) for side in "ab"}
    for test in result["tests"]:
        scores = [alone[side]["scores"][test["metric"]]["f1"] for side in "ab"]
        assert test["difference"] == scores[1] - scores[0]
    assert result["resampling"]["units"] == 24
    whole = run("compare", "key", "a", "b", "--json", "--average", "datasets", "--trials", "200", "--unit", "dataset")
    assert json.loads(whole[1])["resampling"]["units"] == 2


@pytest.mark.usefixtures("files")
def test_intervals_are_printed(run: Run) -> None:
    code, out, err = run("score", "key.jsonl", "a.jsonl", "--ci", "--trials", "100", "--unit", "genre")
    assert (code, err) == (0, "")
    assert out.startswith("metric    recall  precision      f1\n")
    assert "\nwarning: no intervals, as there are only 2 units (genre)" in out
    code, out, err = run("score", "key.jsonl", "a.jsonl", "--ci", "--trials", "100")
    assert out.startswith("metric    recall  precision      f1  f1 low  f1 high\n")
    code, out, err = run("score", "key.jsonl", "a.jsonl", "--ci", "--trials", "9", "--output", "csv")
    assert out.startswith("metric,recall,precision,f1,f1 low,f1 high\n")
    assert "over 24 units" in err


# -- notebooks and pictures -------------------------------------------------------------------------------------------

HOSTILE = "<script>alert('x')</script>&\x1b[2J$\\frac{$"


def test_notebooks_show_tables_with_everything_escaped() -> None:
    keys, systems = two_systems(3)
    result = compare(keys, {HOSTILE: systems["worse"], "b": keys}, trials=10)
    for shown in (result._repr_html_(), score(keys, keys[:1])._repr_html_()):
        assert shown.count("<table>") >= 1
        assert "<script" not in shown
        assert "\x1b" not in shown
        assert re.sub(r"&(lt|gt|amp|quot|#x27);", "", shown).count("&") == 0
    assert "&lt;script&gt;" in result._repr_html_()
    keys, systems = two_systems(7)
    assert "<sup>a</sup>" in compare(keys, {HOSTILE: systems["worse"], "b": keys}, trials=10)._repr_html_()


def test_a_frame_has_a_row_for_each_system_and_metric() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    keys, systems = two_systems(7)
    result = compare(keys, {"worse": systems["worse"], "perfect": keys}, metrics=["muc", "b3"], trials=50)
    frame = result.to_frame()
    assert frame.index.tolist() == [*product(("worse", "perfect"), ("muc", "b3"))]
    assert list(frame.columns) == ["recall", "precision", "f1", "f1 low", "f1 high", "letters"]
    worse = result.systems["worse"]
    for metric in ("muc", "b3"):
        assert tuple(frame.loc[("worse", metric)])[:3] == worse[metric]
        assert worse.intervals is not None
        assert tuple(frame.loc[("worse", metric)])[3:5] == worse.intervals.scores[metric][2]
        assert tuple(frame.loc[("perfect", metric)]) == (1, 1, 1, 1, 1, "a")


def test_a_frame_without_intervals_and_without_anything_to_count() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = compare([["a"]], {"a": [["a"]], "b": [["a"]]}, metrics=["muc"]).to_frame()
    assert list(frame.columns) == ["recall", "precision", "f1", "letters"]
    assert pandas.isna(frame.loc[("a", "muc"), "f1"])
    assert set(frame["letters"]) == {""}


@pytest.mark.usefixtures("files")
def test_latex_of_python_is_that_of_the_command_but_for_the_tests(run: Run) -> None:
    result = compare("key.jsonl", {"a": "a.jsonl", "b": "b.jsonl"}, trials=20)
    *scores, notes = result.to_latex().split("\n\n")
    argv = ("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--trials", "20", "--output", "latex")
    *printed, tests, beside = run(*argv)[1].split("\n\n")
    assert scores == printed
    assert "difference" in tests
    assert notes == beside.rstrip("\n")
    assert notes.splitlines()[-1] == f"% signature {result.signature}"


@pytest.mark.parametrize("suffix", PICTURES)
def test_pictures(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    keys, systems = two_systems(5)
    result = compare(keys, {HOSTILE: systems["worse"], "日本語" * 40: keys}, trials=10)
    starts = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    result.plot(tmp_path / f"one{suffix}")
    result.plot(tmp_path / f"deep/two{suffix}")
    one, two = (tmp_path / f"one{suffix}").read_bytes(), (tmp_path / f"deep/two{suffix}").read_bytes()
    assert one.startswith(starts[suffix])
    assert one == two


@pytest.mark.usefixtures("files")
def test_pictures_from_the_command_line(run: Run) -> None:
    pytest.importorskip("matplotlib")
    for argv in (("score", "key.jsonl", "a.jsonl"), ("score", "key.jsonl", "a.jsonl", "--ci", "--trials", "10"),
                 ("compare", "key.jsonl", "a.jsonl", "b.jsonl", "--trials", "10")):  # fmt: skip
        assert run(*argv, "--plot", "out.svg")[0] == 0
        picture = Path("out.svg").read_text()
        assert "CoNLL" in picture
        assert 'width="237.6pt"' in picture  # 3.3 inches
        assert run(*argv, "--plot", "size.svg")[0] == 0
        assert "entity" in Path("size.svg").read_text()
        assert run(*argv, "--plot", f"all-{argv[0]}/")[0] == 0
    assert {path.stem for path in Path("all-score").iterdir()} == {"scores", "size"}
    assert {path.stem for path in Path("all-compare").iterdir()} == {"scores", "size", "documents", "differences"}
    assert run(*argv, "--plot", "differences.svg")[0] == 0
    assert "difference of F1" in Path("differences.svg").read_text()
    assert run(*argv, "--plot", "scores.png")[0] == 0
    header = Path("scores.png").read_bytes()[16:20]
    assert int.from_bytes(header) == 990  # 3.3 inches of 300 dots


@pytest.mark.usefixtures("files")
def test_a_missing_matplotlib_gives_the_install_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = run("score", "key.jsonl", "a.jsonl", "--plot", "out.svg")
    assert (code, out) == (2, "")
    assert "pip install 'scoref[plots]'" in err


def test_randomisation_and_jackknife_work_on_samples_of_evaluations() -> None:
    keys, systems = two_systems(4)
    sample = sample_of([score(keys, each) for each in systems.values()], "document")
    assert randomisations(sample, [(0, 1)], 10, 0)[0].p.shape == (5, 3)
    assert jackknife(sample).shape == (4, 2, 5, 3)


def test_figures_have_the_numbers_of_the_result() -> None:
    keys, systems = two_systems(8)
    result = compare(keys, systems, trials=50)
    figures = result.figures()
    (pair,) = {(test.a, test.b) for test in result.tests}
    ((name, points),) = figures["differences"].series.items()
    assert name == f"{pair[1]} − {pair[0]}"
    assert name in figures["differences"].label
    for test, (value, low, high) in zip(result.tests, points, strict=True):
        assert (value, low, high) == pytest.approx([100 * each for each in (test.difference, *test.ci)])
    sizes = figures["size"]
    assert [*sizes.series] == [*systems]
    assert sizes.label == "B³ recall by mentions of an entity with 95 % intervals, %"
    for name, each in systems.items():
        by_size = score(keys, each).by("size")
        expected = [100 * by_size[size.split()[0]]["b3"].recall for size in sizes.groups]
        assert [value for value, *_ in sizes.series[name]] == pytest.approx(expected)
    assert sum(int(size.split("(")[1].rstrip(")")) for size in sizes.groups) == sum(len(each.mentions) for each in keys)


def test_figures_of_one_system_have_recall_and_precision() -> None:
    keys, systems = two_systems(8)
    result = score(keys, systems["worse"])
    sizes = size_dots({"": result})["size"]
    assert sizes.label == "B³ recall and precision by mentions of an entity with 95 % intervals, %"
    by_size = result.by("size")
    for side in ("recall", "precision"):
        expected = [100 * getattr(by_size[size.split()[0]]["b3"], side) for size in sizes.groups]
        assert [value for value, *_ in sizes.series[side]] == pytest.approx(expected)


def test_intervals_of_shares_are_those_of_documents_drawn_again() -> None:
    """With one count of 1 in n documents of one mention each, the share is a mean of n coins: binomial quantiles."""
    top = np.array([[float(number % 2), 1.0, 0.0] for number in range(40)])
    bottom = np.array([[1.0, 1.0, float(number < 5)] for number in range(40)])
    coins, whole, few = share_intervals(top, bottom)
    assert (whole, few) == ((100.0, 100.0, 100.0), (0.0, 0.0, 0.0))  # five documents are too few
    assert coins[0] == 50.0
    assert coins[1:] == pytest.approx((35.0, 65.0), abs=2.6)  # of 40 coins, 14 to 26 in 95 % of cases


@pytest.mark.parametrize("name", ["size.svg", "scores.svg"])
def test_nothing_of_a_picture_is_clipped(tmp_path: Path, name: str) -> None:
    """Everything that is drawn lies within the picture: outlines of letters, too."""
    pytest.importorskip("matplotlib")
    label = "right mentions by distance to the antecedent with 95 % intervals, %"
    rows = ["conflated entities (12,345)", plots.subscript("CEAFe", "sys"), "a"]
    dots = plots.Dots(label, rows, {each: [(50.0, 40.0, 60.0)] * 3 for each in ("one", "another system", "c")})
    plots.draw({"figure": dots}, tmp_path / name)
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(3.3, plots._height(dots)), layout="constrained")
    plots._dots(canvas.subplots(), dots)
    canvas.draw_without_rendering()
    box = canvas.get_tightbbox()
    assert box.x0 >= -0.02
    assert box.x1 <= 3.32
    picture = (tmp_path / name).read_text()
    assert "<text" not in picture  # letters are outlines: no reader's font is wider
    assert "_sys" not in picture.replace("_{\\mathregular{sys}}", "")


def test_p_values_are_adjusted_only_where_there_are_several() -> None:
    keys, systems = two_systems(8)
    two, three = compare(keys, systems, trials=50), compare(keys, {**systems, "key": keys}, trials=50)
    assert [("p adjusted" in " ".join(result.tests_grid().header)) for result in (two, three)] == [False, True]
    assert "p adjusted" in " ".join(two.tests_grid(whole=True).header)


def test_a_response_without_a_key_is_refused_with_what_is_expected() -> None:
    keys, systems = two_systems(4)
    with pytest.raises(Error) as caught:
        compare(None, {"a": score(keys, keys), "b": systems["worse"]})
    problem = caught.value.problem
    assert (problem.code, problem.expected) == ("no-key", "a key, or saved evaluations only")


def test_from_one_unit_no_interval_holds_anything() -> None:
    assert [coverage(units) for units in (1, 2)] == [0, 48]
