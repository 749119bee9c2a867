"""Scores are found by every name by which their metric can be asked for."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Error
from scoref.protocol.protocol import PROTOCOLS
from scoref.results.averages import counts_what, defined, rounded, score
from scoref.results.evidence import nugget_scores
from scoref.results.sampled import standard_errors

KEY, RESPONSE = [["a", "b"], ["c"]], [["a"], ["b", "c"]]


@pytest.mark.parametrize("name", ["b3", "B3", "bcub", "B-cubed", "b_cubed"])
def test_a_score_is_found_by_the_names_that_metrics_takes(name: str) -> None:
    result = scoref.score(KEY, RESPONSE, metrics=[name, "muc"])
    assert [*result] == ["b3", "muc"]
    (only,) = result.by_document().values()
    found = [result[name], result.scores[name], result.get(name), only[name]]
    assert found == [result["b3"]] * 4
    assert name in result
    assert name in result.scores


def test_names_that_were_not_scored_are_refused_with_the_closest() -> None:
    result = scoref.score(KEY, RESPONSE, metrics=["b3", "muc"])
    for scores in (result, result.scores):
        assert "lea" not in scores
        assert scores.get("lea") is None
        with pytest.raises(Error, match="did you mean muc") as caught:
            scores["muk"]
        assert isinstance(caught.value, KeyError)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        with pytest.raises(KeyError, match="ask for it with metrics") as caught:
            scores["LEA"]
        assert str(caught.value).startswith("'LEA' was not scored  [unscored-metric]\n")


def test_curves_and_agreement_are_found_by_other_names() -> None:
    curves = scoref.stability(KEY, RESPONSE, metrics=["b3"], repetitions=1)
    assert curves["B3"] == curves["b3"]
    with pytest.raises(Error, match="was not scored"):
        curves["muc"]
    measured = scoref.agreement([KEY, RESPONSE])
    assert measured["CEAF_e"] == measured["ceafe"]


# -- documents in which there is nothing to count --------------------------------------------------------------------


@pytest.mark.parametrize(("empty", "expected"), [("skip", 0.5), ("count", 0.25)])
def test_datasets_without_anything_to_count(tmp_path: Path, empty: str, expected: float) -> None:
    """MUC of one dataset is 1/2; the other has no links, so that it is left out of the mean, or is a 0 in it."""
    sides = {"key": {"a": [[0, 1, 2]], "b": [[0], [1]]}, "response": {"a": [[0, 1], [2]], "b": [[0], [1]]}}
    for side, datasets in sides.items():
        (tmp_path / side).mkdir()
        for name, entities in datasets.items():
            clusters = [[[word, word] for word in entity] for entity in entities]
            record = {"doc_key": "d", "sentences": [["x", "y", "z"]], "clusters": clusters}
            (tmp_path / side / f"{name}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    result = scoref.score(tmp_path / "key", tmp_path / "response", average="datasets", empty=empty, metrics=["muc"])
    assert result["muc"].recall == pytest.approx(expected)
    whole = scoref.score(tmp_path / "key", tmp_path / "response", empty=empty, metrics=["muc", "b3"])
    below = whole.by("dataset").mean  # B3: 1 and 3/5 of 3 mentions, and 1 and 1
    assert below["b3"][:2] == pytest.approx(((5 / 9 + 1) / 2, 1))
    assert whole["b3"].recall == pytest.approx((5 / 3 + 2) / 5)


def test_sizes_are_counted_where_they_are_needed_alone() -> None:
    """BLANC as scorch has it needs the sizes of sides, which B³ counts; other metrics, and other rules, do not."""
    pair = [["a", "b"]], [["a"], ["b"]]
    assert [*scoref.score(*pair, metrics=["muc", "nonlinks"], links="scorch").counts] == ["muc", "nonlinks"]
    assert [*scoref.score(*pair, metrics=["blanc"], links="key").counts] == ["pairwise", "nonlinks"]
    assert {*scoref.score(*pair, metrics=["blanc"], links="scorch").counts} == {"pairwise", "nonlinks", "b3"}


def test_blanc_of_scorch_document_by_document() -> None:
    """scorch: 0 for two mentions that are not linked, 1 for the only mention; the mean by the number of mentions."""
    keys = [scoref.clusters([["a", "b"]], "1"), scoref.clusters([["c"]], "2")]
    responses = [scoref.clusters([["a"], ["b"]], "1"), scoref.clusters([["c"]], "2")]
    for order in (1, -1):
        result = scoref.score(keys[::order], responses[::order], protocol="scorch", metrics=["blanc"])
        assert result["blanc"].recall == pytest.approx(1 / 3)
        assert [result.by_document()[name]["blanc"].f1 for name in "12"] == [0, 1]


def test_what_was_not_scored_is_said_with_what_was() -> None:
    result = scoref.score(KEY, RESPONSE, metrics=["b3", "muc"])
    with pytest.raises(Error) as caught:
        result["lea"]
    assert caught.value.problem.expected == "one of b3, muc"


@pytest.mark.parametrize(("links", "recall"), [("key", 1 / 2), ("both", 1 / 4)])
def test_blanc_of_sums_leaves_out_the_links_that_the_key_or_nobody_has(links: str, recall: float) -> None:
    """Of the non-coreference links a half is found; coreference links are in the response alone."""
    counts = {"pairwise": np.array([0.0, 0, 0, 2]), "nonlinks": np.array([1.0, 2, 1, 4])}
    assert score("blanc", counts, links).recall == pytest.approx(recall)


def test_what_the_response_alone_has_is_something_to_count() -> None:
    """The key has no coreference links, the response one: precision is 0 of 1; without any nothing is defined."""
    key = [["a"], ["b"]]
    found = [scoref.score(key, response, metrics=["muc"]).counts for response in ([["a", "b"]], key)]
    assert [defined("muc", counts).tolist() for counts in found] == [[True], [False]]


@pytest.mark.parametrize(("average", "recall"), [("macro", 1 / 2), ("means", 2 / 5), ("micro", 2 / 5)])
def test_stanza_adds_lea_over_documents_and_other_averages_do_not(average: str, recall: float) -> None:
    """LEA weighs entities by their mentions: 2 of 2 in one document, 0 of 3 in the other."""
    keys = [scoref.clusters([["a", "b"]], "1"), scoref.clusters([["c", "d", "e"]], "2")]
    responses = [scoref.clusters([["a", "b"]], "1"), scoref.clusters([["c"], ["d"], ["e"]], "2")]
    result = scoref.score(keys, responses, metrics=["lea", "b3"], average=average)
    assert result["lea"].recall == pytest.approx(recall)
    b3 = {"macro": (1 + 1 / 3) / 2, "means": (1 + 1 / 3) / 2, "micro": 3 / 5}
    assert result["b3"].recall == pytest.approx(b3[average])


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [("a", "a", 1), ("a", "b", 0), ("a", "a b", 1), ("a", "ab", 0)],
)
def test_blanc_of_scorch_with_few_mentions(key: str, response: str, expected: int) -> None:
    """By hand, as scorch does it: the key gets the mentions that it lacks; one mention on each side is a link."""
    pair = [scoref.clusters([list(entity) for entity in side.split()], "d") for side in (key, response)]
    result = scoref.score(*pair, protocol="scorch", metrics=["blanc"])
    assert result["blanc"].f1 == expected


def test_of_a_saved_evaluation_nothing_is_said_of_mentions_left_out(tmp_path: Path) -> None:
    """Only the documents tell how many mentions have no twin."""
    result = scoref.score([["a", "b"], ["c"]], [["a", "b"], ["x"]], metrics=["ari"])
    assert "1 mentions of the key and 1 of the response have no twin" in str(result)
    scoref.save(result, tmp_path / "saved.json")
    assert "no twin" not in str(scoref.load(tmp_path / "saved.json"))


@pytest.mark.parametrize(
    ("average", "datasets", "told"),
    [("micro", "xx", True), ("micro", "xy", True), ("macro", "xx", False), ("means", "xx", False),
     ("datasets", "xx", True), ("datasets", "xy", False)],
)  # fmt: skip
def test_products_are_told_where_the_scores_are_those_of_the_sums(average: str, datasets: str, told: bool) -> None:
    key = [scoref.clusters([["a", "b"], ["c"]], name) for name in "12"]
    response = [scoref.clusters([["a"], ["c", "d"]], "1"), key[1]]
    result = scoref.score(key, response, metrics=["b3", "hota", "muc"], average=average)
    result = replace(result, datasets=tuple(datasets))
    assert [*result.factors] == (["b3", "hota"] if told else [])


@pytest.mark.parametrize(
    ("b3", "told"),
    [((1, 3, 2, 4), True), ((1 + 1e-12, 3, 2, 4), True), ((1.2, 3, 2, 4), False), ((1, 3, 2.2, 4), False),
     ((1, 2, 2, 4), False), ((1, 3, 2, 5), False)],
)  # fmt: skip
def test_products_are_told_where_b3_counts_the_mentions_that_detection_counts(b3: list[float], told: bool) -> None:
    """No more of them are found, and there are as many."""
    result = scoref.score([["a", "b"]], [["a", "b"]], metrics=["b3"])
    counts = {"b3": np.array([b3], float), "mentions": np.array([[1.0, 3, 2, 4]])}
    assert ("b3" in replace(result, counts=counts).factors) is told


def test_products_of_a_perfect_response_and_of_none() -> None:
    perfect = scoref.score([["a", "b"], ["c"]], [["a", "b"], ["c"]], metrics=["b3", "hota"]).factors
    assert perfect == {"b3": {"recall": (1, 1, 1), "precision": (1, 1, 1)}, "hota": {"f1": (1, 1, 1)}}
    assert scoref.score([], [], metrics=["b3", "hota"]).factors == {}
    wrong = scoref.score([["a", "b"]], [["x", "y"]], metrics=["b3"]).factors
    assert wrong == {"b3": {"recall": (0, 0, 0), "precision": (0, 0, 0)}}


@pytest.mark.parametrize(
    ("key", "response", "said"),
    [
        ([["a"]], [["a"]], ["muc: no coreference links in key and response",
                            "conll counts muc as 0: no coreference links in key and response"]),
        ([["a", "b"]], [], []),
        ([], [], [*(f"{metric}: no {what} in key and response" for metric, what in
                    {"muc": "coreference links", "b3": "mentions", "ceafe": "mentions"}.items())]),
    ],
)  # fmt: skip
def test_an_average_says_which_of_its_parts_are_undefined_if_some_are_not(
    key: list[list[str]], response: list[list[str]], said: list[str]
) -> None:
    result = scoref.score(key, response, metrics=["muc", "b3", "ceafe", "conll"])
    assert [note for note in result.remark_notes() if "in key and response" in note] == said


@pytest.mark.parametrize(("average", "empty"), [("macro", "skip"), ("means", "skip"), ("macro", "count")])
def test_means_say_how_many_documents_they_are_over(average: str, empty: str) -> None:
    """MUC has links in one document, B³ mentions in all; links across documents are in none."""
    key = [scoref.clusters(each, str(number)) for number, each in enumerate([[["a", "b"]], [["a"]], [["a"]]])]
    result = scoref.score(key, key, metrics=["muc", "b3", "links-cross", "conll"], average=average, empty=empty)
    expected = ["mean over 3 documents"]
    if empty == "skip":
        expected += ["muc: mean over the 1 of them that have coreference links"]
    assert [note for note in result.remark_notes() if "mean over" in note] == expected
    two = scoref.score(key[1:], key[1:], metrics=["b3"], average=average, empty=empty)
    assert "mean over 2 documents" in two.remark_notes()
    alone = scoref.score(key[0], key[0], metrics=["muc"], average=average, empty=empty)
    assert not [note for note in alone.remark_notes() if "mean over" in note]


@pytest.mark.parametrize("rows", [[(1, 2, 1, 3), (0, 1, 0, 2)], [(2, 3, 2, 2), (1, 4, 1, 1), (3, 3, 3, 7)]])
def test_standard_errors_are_those_of_a_ratio_of_means(rows: list[tuple[float, ...]]) -> None:
    """Binette et al. 2022: each entity's deviation, of its parts as shares of their means; f1 by the delta method."""
    number = len(rows)
    tops, bottoms = ([sum(row[place] for row in rows) / number for place in places] for places in ((0, 2), (1, 3)))
    plain, deviations = [], []
    for side in (0, 1):
        parts = [(row[2 * side] / tops[side], row[2 * side + 1] / bottoms[side]) for row in rows]
        bias = 1 + sum(b * bottoms[side] * (a - b) for a, b in parts) / number / ((number - 1) * bottoms[side])
        plain.append(tops[side] / bottoms[side] / bias)
        deviations.append([plain[side] * (a - b) for a, b in parts])
    recall, precision = plain
    of_f1 = [
        2 * (precision**2 * r + recall**2 * p) / (recall + precision) ** 2 for r, p in zip(*deviations, strict=True)
    ]
    expected = [sqrt(sum(each**2 for each in some) / (number * (number - 1))) for some in (*deviations, of_f1)]
    assert standard_errors(np.array(rows)) == pytest.approx(expected)


@pytest.mark.parametrize("rows", [[(1, 2, 1, 3)], [(0, 2, 1, 3), (0, 1, 2, 3)], [(1, 2, 0, 3), (0, 1, 0, 3)]])
def test_one_entity_and_nothing_found_have_no_standard_errors(rows: list[tuple[float, ...]]) -> None:
    assert standard_errors(np.array(rows, float)) == (None, None, None)


@pytest.mark.parametrize(("key", "response"), [("a", ""), ("", "a"), ("a", "b"), ("", "")])
def test_mentions_that_either_side_lacks_are_said_to_be_left_out(key: str, response: str) -> None:
    result = scoref.score([["x", "y"], [*key]], [["x", "y"], [*response]], metrics=["ari"])
    said = f"ari: {len(key)} mentions of the key and {len(response)} of the response have no twin, and are left out"
    assert (said in result.remark_notes()) == bool(key or response)


@pytest.mark.parametrize("metrics", [["muc", "b3"], ["b3"], ["lea", "pairwise"]])
def test_entities_that_cost_most_come_first(metrics: list[str]) -> None:
    """The cost is what an entity has to count and does not: in B³, else in the first metric."""
    key, response = [["a"], ["b", "c", "d"], ["e", "f"]], [["a"], ["b", "c", "e"], ["x", "y"], ["d", "f"]]
    result = scoref.score(key, response, metrics=metrics)
    ruler = "b3" if "b3" in metrics else metrics[0]
    found = result.by_entity()
    costs = [bottom - top for top, bottom in (each.counts[ruler] for each in found)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1] == 0
    assert [each.side for each in found].count("key") == 3
    assert [each.size for each in result.by_entity(2)] == [each.size for each in found[:2]]
    for place, side in enumerate(("key", "response")):
        parts = [each.counts[ruler] for each in found if each.side == side]
        sums = result.counts[ruler].sum(axis=0)[2 * place : 2 * place + 2]
        assert np.sum(parts, axis=0) == pytest.approx(sums)


def test_entities_that_cost_the_same_are_in_the_order_of_the_file() -> None:
    key = [[f"{n} a", f"{n} b"] for n in range(300)]
    found = scoref.score(key, [each if n % 3 else [each[0]] for n, each in enumerate(key)], metrics=["b3"]).by_entity()
    names = [each.entity for each in found if each.side == "key"]
    assert names == [*range(0, 300, 3), *(n for n in range(300) if n % 3)]


def test_groups_by_the_scope_are_what_is_scored_as_one() -> None:
    documents = [scoref.clusters({"e": ["a", "b"]}, f"{genre}/{n}") for n, genre in enumerate("xyx")]
    whole = scoref.score(documents, documents[:2], metrics=["b3"], scope="corpus")
    assert {name: [*each.values()] for name, each in whole.by("corpus").items()} == {whole.documents[0]: [whole["b3"]]}
    assert whole.labels("corpus") == whole.documents != whole.names


def test_what_metrics_count_is_said_in_words() -> None:
    links = "coreference links"
    words = {"muc": links, "pairwise": links, "nonlinks": f"non-{links}", "blanc": links, "b3": "mentions",
             "mentions": "mentions", "ceafe": "mentions", "lea": "mentions", "deta": "mentions",
             "links-within": "links within documents", "links-cross": "links across documents",
             "ari": "common mentions", "cc": "common mentions", "v-measure": "common mentions",
             "assa": "common mentions", "entities-macro": "major entities",
             "entities-micro": "major entities"}  # fmt: skip
    assert {name: counts_what(name) for name in words} == words


@pytest.mark.parametrize(
    ("digits", "value", "expected"),
    [
        ("exact", 2 / 3, 2 / 3),
        ("round-1", 0.66666, 0.667),
        ("round-2", 0.66666, 0.6667),
        ("cut-1", 0.66666, 0.666),
        ("cut-2", 0.66666, 0.6666),
        ("cut-1", 0.29, 0.29),  # 290 of 1000, which floating point puts below 290
        ("round-1", 0.0005, 0.001),
    ],
)
def test_scores_are_rounded_or_cut_as_percentages(digits: str, value: float, expected: float) -> None:
    assert rounded(np.array([value]), digits)[0] == pytest.approx(expected, abs=1e-12)


def test_the_weighted_mean_is_weighted_by_mentions() -> None:
    """Recall by those of the key, precision by those of the response, f1 by both."""
    keys = [scoref.clusters([["a", "b"]], "one"), scoref.clusters([["c", "d", "e", "f"]], "two")]
    responses = [
        scoref.clusters([["a", "b"]], "one"),
        scoref.clusters([["c", "d"], ["e"]], "two"),
    ]  # muc 1/3, 1 and 1/2
    found = scoref.score(keys, responses, metrics=["muc"], average="weighted")["muc"]
    assert found == pytest.approx(((2 * 1 + 4 / 3) / 6, 1.0, (4 * 1 + 7 * 0.5) / 11))


def test_blanc_of_asp_takes_a_lone_mention_for_a_link_of_each_kind() -> None:
    """Where there are two, links of a kind that neither side has count 1, others as usual."""
    for key, response, expected in (("a", "a", 1.0), ("ab", "a b", 0.0), ("ab", "ab", 1.0), ("a b", "a b", 1.0)):
        sides = ([[*entity] for entity in side.split()] for side in (key, response))
        assert scoref.score(*sides, metrics=["blanc"], links="always")["blanc"].f1 == expected


def test_groups_of_entities_have_recall_of_the_key_and_precision_of_the_response() -> None:
    """B3 of {a b} {c} against {a b c}: by the size of entities, recall is 2 of 2 and 1 of 1, precision 5/3 of 3."""
    groups = scoref.score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["b3"]).by("size")
    assert {name: each["b3"][:2] for name, each in groups.items()} == {
        "1": (1.0, 0.0), "2": (1.0, 0.0), "3-4": (0.0, pytest.approx(5 / 9))}  # fmt: skip
    assert scoref.score([], [], metrics=["b3"]).by("size") == {}
    with pytest.raises(Error) as error:
        scoref.score([["a"]], [["a"]], metrics=["b3"]).by("colour")
    assert error.value.code == "unknown-field"
    assert {"size", "span", "entity", "genre"} <= {*(error.value.problem.expected or "").split(" of ")[1].split(", ")}


def test_datasets_have_a_mean_below_them_and_other_groups_have_none() -> None:
    keys = [scoref.clusters([["a", "b"]], name) for name in ("one", "two")]
    result = scoref.score(keys, keys, metrics=["muc"])
    assert result.by("dataset").mean == {"muc": result["muc"]}
    assert result.by("document").mean is None


def test_groups_that_are_numbers_are_in_their_order() -> None:
    levels = enumerate(["10", "9", "9b", "x"])
    mentions = tuple(scoref.Mention.at(n, n, str(n), attributes=(("level", level),)) for n, level in levels)
    document = scoref.Document("d", ("w",) * 4, mentions)
    groups = [*scoref.score([document], [document], metrics=["b3"]).by("level")]
    assert sorted(groups) == ["10", "9", "9b", "x"]
    assert groups.index("9") < groups.index("10")


@pytest.mark.parametrize(("empty", "macro"), [("skip", (0.5, 1.0, 2 / 3)), ("count", (0.25, 0.5, 1 / 3))])
def test_detection_of_nuggets_is_summed_and_averaged(empty: str, macro: tuple[float, float, float]) -> None:
    """One of two nuggets of a document is found, and three of another one where the key has none."""
    protocol = PROTOCOLS["kbp-2015"].change(metrics=["nugget-span"], empty=empty)
    found = nugget_scores(protocol, {"nugget-span": np.array([[1.0, 2, 1, 1], [0, 0, 0, 3]])})
    assert found["span"]["micro"] == pytest.approx((1 / 2, 1 / 4, 1 / 3))
    assert found["span"]["macro"] == pytest.approx(macro)
    few = nugget_scores(protocol, {"nugget-span": np.array([[1.0, 1, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])})
    expected = (1 / 3, 1 / 3, 1 / 3) if empty == "skip" else (1 / 4, 1 / 4, 1 / 4)  # the key of the last has none
    assert few["span"]["macro"] == pytest.approx(expected)
    nothing = nugget_scores(protocol, {"nugget-span": np.zeros((0, 4))})
    assert nothing["span"] == {"micro": (0, 0, 0), "macro": (0, 0, 0)}
