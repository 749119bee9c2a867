"""How far annotators agree: α against recorded values and nltk, κ by hand, pairs against score, intervals, outputs."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from base64 import b64decode
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

import scoref
from places import EXAMPLES, SHARED, beside
from scoref.page.build import agreement_page
from scoref.statistics.reliability import DISTANCES, kappa, likeness_sums
from strategies import Partition, _sides, corpora, shuffled

some = settings(max_examples=60)

CASES = SHARED / "data" / "agreement" / "cases.json"
Coder = list[list[str]]


def documents(partitions: list[Partition]) -> list[scoref.Document]:
    return [scoref.clusters(each, f"document {number}") for number, each in enumerate(partitions)]


# -- α -----------------------------------------------------------------------------------------------------------------


@beside
def test_alpha_of_the_recorded_cases():
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    assert len(cases) >= 7
    for case in cases:
        result = scoref.agreement(case["coders"])
        for distance in DISTANCES:
            for source in ("literal", "nltk"):
                expected = case[distance][source]
                assert result[f"alpha {distance}"] == pytest.approx(expected, abs=1e-9), (case["id"], distance)


def overlap(one: frozenset, other: frozenset) -> float:
    """The distance of Passonneau 2004."""
    if one == other:
        return 0.0
    if one <= other or other <= one:
        return 1 / 3
    return 2 / 3 if one & other else 1.0


def jaccard(one: frozenset, other: frozenset) -> float:
    return 1 - len(one & other) / len(one | other)


LITERAL = {
    "masi": lambda one, other: 1 - (1 - jaccard(one, other)) * (1 - overlap(one, other)),
    "jaccard": jaccard,
    "passonneau": overlap,
    "nominal": lambda one, other: float(one != other),
}


def codings(coders: list[list[Partition]]) -> list[tuple[str, tuple[int, int], frozenset]]:
    """Who gives which mention which value, as the definition says."""
    found = []
    for number in range(len(coders[0])):
        units = sorted({mention for coder in coders for entity in coder[number] for mention in entity})
        for name, coder in enumerate(coders):
            for unit in units:
                entity = next((each for each in coder[number] if unit in each), [unit])
                found.append((str(name), (number, unit), frozenset((number, mention) for mention in entity)))
    return found


def cut(entity: list[int]) -> list[list[int]]:
    return [entity[:1], entity[1:]] if len(entity) > 2 else [entity]


@pytest.mark.parametrize("seed", range(12))
def test_alpha_of_fixed_documents_is_that_of_nltk(seed):
    random = Random(seed)
    corpus = [_sides(random.randrange(9), random) for _ in range(1 + seed % 3)]
    assert_alpha_of_nltk(corpus, 2 + seed % 2, random)


@some
@given(corpora, st.integers(2, 3), st.randoms())
def test_alpha_is_that_of_nltk(corpus, annotators, random):
    assert_alpha_of_nltk(corpus, annotators, random)


def assert_alpha_of_nltk(corpus, annotators, random):
    coders = [[pair[0] for pair in corpus], [pair[1] for pair in corpus]]
    if annotators == 3:
        third = [pair[random.randrange(2)] for pair in corpus]  # as one of the two, but large entities are cut
        coders.append([[part for entity in each for part in cut(entity)] for each in third])
    data = codings(coders)
    result = scoref.agreement([documents(each) for each in coders])
    if not data:
        assert "α is not defined: nobody marked a mention" in result.notes()
        return
    different = {value for _, _, value in data}
    for name, distance in LITERAL.items():
        expected = 1.0
        if len(different) > 1:
            expected = AnnotationTask(data, distance=distance).alpha()
        assert result[f"alpha {name}"] == pytest.approx(expected, abs=1e-9), name


def test_values_of_entities_in_a_corpus_are_those_of_all_documents():
    names = [{"x": ["a", "b"]}, {"x": ["c"], "y": ["d"]}]
    sides = [[scoref.clusters(each, str(number)) for number, each in enumerate(names)] for _ in range(2)]
    sides[1][1] = scoref.clusters({"z": ["c"], "y": ["d"]}, "1")
    joined = [{"x": ["0a", "0b", "1c"], "y": ["1d"]}, {"x": ["0a", "0b"], "z": ["1c"], "y": ["1d"]}]
    across, whole = (
        scoref.agreement(sides, scope="corpus"),
        scoref.agreement([scoref.clusters(each) for each in joined]),
    )
    for name in DISTANCES:
        assert across[f"alpha {name}"] == pytest.approx(whole[f"alpha {name}"])


def test_equal_values_are_looked_at_once():
    """One entity of 100,000 mentions against halves: 10¹⁰ pairs of values, three different ones."""
    number = 100_000
    whole, halves = frozenset(range(number)), [frozenset(range(number // 2)), frozenset(range(number // 2, number))]
    sums = likeness_sums([[whole] * number, [halves[unit >= number // 2] for unit in range(number)]])
    assert sums[0] == number
    assert sums[1] == pytest.approx(2 * number * (1 / 2) * (2 / 3))  # MASI: Jaccard 1/2, one includes the other


# -- κ -----------------------------------------------------------------------------------------------------------------


def labelled(labels: str, field: str = "type", name: str = "d") -> scoref.Document:
    """A mention for each letter, each an entity of its own, with the letter as its type; `.` is no mention."""
    mentions = [scoref.Mention.at(place, place, place, attributes=((field, letter),))
                for place, letter in enumerate(labels) if letter != "."]  # fmt: skip
    return scoref.Document(name, ["w"] * len(labels), tuple(mentions))


def test_kappa_by_hand():
    """Of 10 mentions both call 4 p and 3 q: observed .7; p 6 and 5 of 10, q 4 and 5: chance .3 + .2; κ = .2/.5."""
    result = scoref.agreement([labelled("ppppppqqqq"), labelled("ppppqqpqqq")])
    assert result["kappa type"] == pytest.approx(0.4)


def test_only_mentions_that_both_have_are_in_kappa():
    result = scoref.agreement([labelled("ppppppqqqq.."), labelled("ppppqqpqqq.p")])
    assert result["kappa type"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (["pppq", "qq"], ["pppq", "qq"], 1.0),
        (["ppqq", "r"], ["ppqr", "r"], (4 / 5 - 8 / 25) / (1 - 8 / 25)),  # p 2 and 2, q 2 and 1, r 1 and 2
        (["pq"], ["qp"], -1.0),
        (["p"], ["q"], 0.0),
        (["pp"], ["pq"], 0.0),
    ],
)
def test_kappa_is_that_of_all_documents(ours, theirs, expected):
    """By its definition: what is observed and what is by chance, of all mentions that both have."""
    sides = [[labelled(each, name=str(number)) for number, each in enumerate(side)] for side in (ours, theirs)]
    assert scoref.agreement(sides)["kappa type"] == pytest.approx(expected)


def test_a_mention_without_a_label_has_an_empty_one():
    """Of two mentions that one has labelled; where nobody has labelled a mention, it is left out."""
    both = [labelled("ppp"), labelled("pp.")]
    both[1] = replace(both[1], mentions=(*both[1].mentions, scoref.Mention.at(2, 2, 2)))
    assert scoref.agreement(both)["kappa type"] == pytest.approx((2 / 3 - 2 / 3) / (1 - 2 / 3))
    nobody = [replace(each, mentions=(*each.mentions, scoref.Mention.at(3, 3, 3)), words=("w",) * 4) for each in both]
    assert scoref.agreement(nobody)["kappa type"] == scoref.agreement(both)["kappa type"]


def test_the_mean_of_kappa_is_that_of_the_pairs_that_have_one():
    """Ann and Ben agree; Cem has labels of his own for the same mentions."""
    coders = {"Ann": labelled("ppqq"), "Ben": labelled("ppqq"), "Cem": labelled("pqpq")}
    result = scoref.agreement(coders)
    each = {(one.a, one.b): one.value for one in result.measures if one.name == "kappa type"}
    assert each == {("Ann", "Ben"): 1, ("Ann", "Cem"): 0, ("Ben", "Cem"): 0, ("", ""): pytest.approx(1 / 3)}


def test_annotators_without_labels_have_no_kappa():
    coders = {"Ann": labelled("pqp"), "Ben": labelled("pqq", "other"), "Cem": labelled("pqq", "other")}
    result = scoref.agreement(coders, label="type")
    assert [(each.a, each.b) for each in result.measures if each.name == "kappa type"] == [
        ("Ann", "Ben"), ("Ann", "Cem"), ("", "")]  # fmt: skip


def test_kappa_of_another_attribute_and_of_none():
    both = [labelled("pq", "realis"), labelled("pq", "realis")]
    assert not [each for each in scoref.agreement(both).measures if each.name.startswith("kappa")]
    assert scoref.agreement(both, label="realis")["kappa realis"] == 1
    with pytest.raises(scoref.Error) as error:
        scoref.agreement(both, label="what")
    assert error.value.code == "unknown-field"


def test_event_nuggets_that_match_by_type_have_no_kappa_of_their_types(run):
    sides = [EXAMPLES / "nuggets" / name for name in ("key", "response")]
    assert "kappa" not in run("agreement", *sides)[1]
    assert "kappa type" in run("agreement", *sides, "--match", "exact")[1]


@pytest.mark.parametrize("labels", ["p", "pp"])
def test_kappa_is_not_defined_with_one_label_and_the_reason_is_given(labels):
    result = scoref.agreement({"Ann": labelled(labels), "Ben": labelled(labels)})
    assert "Ann and Ben: κ is not defined, as all mentions that both have carry one label" in result.notes()
    assert not [each for each in result.measures if each.name.startswith("kappa")]


def test_kappa_of_cohen_1960():
    """The example of Cohen 1960: of 200 patients .44 + .20 + .06 have the same label, κ = .492."""
    table = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    sums = np.array([200.0, np.trace(table), *table.sum(axis=1), *table.sum(axis=0)])
    assert float(kappa(sums)) == pytest.approx(0.492, abs=5e-4)


# -- pairs -------------------------------------------------------------------------------------------------------------


@some
@given(corpora)
def test_pairs_are_scored_like_key_and_response(corpus):
    ours, theirs = documents([pair[0] for pair in corpus]), documents([pair[1] for pair in corpus])
    result = scoref.agreement({"Ann": ours, "Ben": theirs})
    expected = scoref.score(ours, theirs, metrics=["mentions", "muc", "b3", "ceafe", "lea", "conll"])
    found = {each.name: each.value for each in result.measures if each.a}
    assert found == {name: pytest.approx(score.f1) for name, score in expected.scores.items()}


@some
@given(corpora, st.data())
def test_agreement_is_symmetric_and_free_of_order(corpus, data):
    coders = [[pair[side] for pair in corpus] for side in (0, 1)]
    coders.append([data.draw(shuffled(pair[0])) for pair in corpus])
    order = data.draw(st.permutations(range(3)))
    moved = [[data.draw(shuffled(each)) for each in coders[place]] for place in order]
    names = [["Ann", "Ben", "Cem"][place] for place in order]
    one = scoref.agreement(dict(zip(["Ann", "Ben", "Cem"], map(documents, coders), strict=True)))
    other = scoref.agreement(dict(zip(names, map(documents, moved), strict=True)))
    values = [{(frozenset((each.a, each.b)), each.name): each.value for each in result.measures}
              for result in (one, other)]  # fmt: skip
    assert values[0] == {name: pytest.approx(value, abs=1e-9) for name, value in values[1].items()}


@some
@given(corpora)
def test_identical_annotators_agree_or_it_is_said_why_not(corpus):
    same = documents([pair[0] for pair in corpus])
    result = scoref.agreement({"Ann": same, "Ben": same})
    reasons = " ".join(result.notes())
    assert result.measures
    for each in result.measures:
        if each.value != pytest.approx(1):
            said = re.search(r"Ann and Ben: (.*?) is 0, as neither has anything that it counts", reasons)
            assert said
            assert each.name == "conll" or each.name in said[1].split(", ")


def test_means_are_those_of_all_pairs():
    coders = [["abcd", "e"], ["ab", "cd", "e"], ["abc", "de"]]
    result = scoref.agreement([[list(entity) for entity in coder] for coder in coders])
    for metric in ("muc", "b3", "ceafe", "lea", "conll", "mentions"):
        each = [scoref.score([*map(list, a)], [*map(list, b)], metrics=[metric])[metric].f1
                for a, b in combinations(coders, 2)]  # fmt: skip
        assert result[metric] == pytest.approx(np.mean(each))


# -- documents and intervals -------------------------------------------------------------------------------------------


def corpus_of(number: int) -> list[list[scoref.Document]]:
    """Two annotators: each puts each of twelve mentions into one of three entities, two of three alike."""
    random = np.random.default_rng(3)

    def document(name: str) -> scoref.Document:
        owners = [mention % 3 if random.integers(3) else int(random.integers(3)) for mention in range(12)]
        entities = {str(entity): [str(m) for m in range(12) if owners[m] == entity] for entity in set(owners)}
        return scoref.clusters(entities, name)

    return [[document(f"d{each}") for each in range(number)] for _ in range(2)]


def test_intervals_hold_the_values_and_few_documents_have_none():
    result = scoref.agreement(corpus_of(8), trials=500)
    for each in result.measures:
        assert each.ci
        assert each.ci[0] <= each.value <= each.ci[1], each
    few = scoref.agreement(corpus_of(5), trials=500)
    assert not any(each.ci for each in few.measures)
    assert any(note.startswith("no intervals: 5 units (document); with fewer than 6") for note in few.notes())


def test_intervals_of_two_annotators_are_those_of_score():
    ours, theirs = corpus_of(8)
    result = scoref.agreement([ours, theirs], trials=500)
    scored = scoref.with_intervals(scoref.score(ours, theirs, metrics=["muc", "b3"]), trials=500)
    for metric in ("muc", "b3"):
        ends = [each.ci for each in result.measures if each.name == metric]
        assert ends == [pytest.approx(scored.intervals.scores[metric][2])] * 2


def test_documents_that_not_all_have_are_left_out_and_reported():
    ours, theirs = corpus_of(4)
    result = scoref.agreement({"Ann": ours[:3], "Ben": theirs[1:], "Cem": theirs})
    assert {each.code for each in result.problems} == {"left-out-document"}
    assert {each.message for each in result.problems} == {
        "Ben lacks document d0, which is left out", "Ann lacks document d3, which is left out"}  # fmt: skip
    assert result.first.documents == ("d1", "d2")
    expected = scoref.agreement([ours[1:3], theirs[1:3], theirs[1:3]])
    assert [each.value for each in result.measures] == [each.value for each in expected.measures]
    with pytest.raises(scoref.Error) as error:
        scoref.agreement([ours[:2], theirs[2:]])
    assert error.value.code == "no-common-document"


def test_by_document():
    ours, theirs = corpus_of(3)
    result = scoref.agreement([ours, theirs], by="document")
    assert [*result.groups] == [document.id for document in ours]
    for number, (label, some) in enumerate(result.groups.items()):
        alone = scoref.agreement([[ours[number]], [theirs[number]]])
        assert label == f"d{number}"
        assert {each.name: each.value for each in some} == {
            each.name: pytest.approx(each.value) for each in alone.measures if not each.a}  # fmt: skip


# -- the command -------------------------------------------------------------------------------------------------------

TALES = [str(EXAMPLES / "tales" / f"{name}.conll") for name in ("key", "rules", "model")]


@pytest.mark.parametrize("output", ["text", "csv", "markdown", "latex", "json"])
def test_every_output(run, output):
    code, out, _ = run("agreement", *TALES, "--by", "document", "--output", output, "--names", "Ann,Ben,Cem")
    assert code == 0
    assert "Ann" in out
    assert "tales/bakery" in out.replace("\\", "")
    if output == "csv":
        rows = [*csv.DictReader(io.StringIO(out))]
        assert {row["measure"] for row in rows if not row["a"]} >= {"muc", "alpha masi"}
    if output == "json":
        found = json.loads(out)
        assert found["annotators"] == ["Ann", "Ben", "Cem"]
        assert len(found["pairs"]) == 3
        assert set(found["by"]["document"]) == {"tales/bakery", "tales/ferry", "news/comet", "news/bridge"}


def test_one_annotator_is_refused(run):
    code, out, error = run("agreement", TALES[0])
    assert (code, out) == (2, "")
    assert "one-annotator" in error


def test_on_the_page_of_annotators_nobody_is_the_key(run, tmp_path):
    goal = tmp_path / "page.html"
    assert run("agreement", *TALES[:2], "--names", "Ann,Ben", "-o", str(goal))[0] == 0
    page = goal.read_text(encoding="utf-8")
    assert "<title>Ann, Ben – scoref</title>" in page
    data = re.search(r'id="overview">([A-Za-z0-9+/=]*)<', page)
    overview = json.loads(zlib.decompress(b64decode(data[1])))
    assert overview["neutral"]["annotators"] == ["Ann", "Ben"]
    assert [(system["name"], system["pair"]) for system in overview["systems"]] == [("Ann and Ben", ["Ann", "Ben"])]
    for view in overview["systems"][0]["views"]:
        assert not re.search(r"\b(key|response|missed|extra|wrong|right)\b", view["title"] + " ".join(view["header"]))


def test_pages_of_several_annotators():
    result = scoref.agreement(dict(zip("ABC", TALES, strict=True)))
    assert agreement_page(result).startswith("<!DOCTYPE html>")


def test_where_nobody_marked_anything_all_is_0_and_there_is_no_alpha():
    result = scoref.agreement({"Ann": scoref.clusters([]), "Ben": scoref.clusters([])})
    assert {each.value for each in result.measures} == {0.0}
    assert "α is not defined: nobody marked a mention" in str(result)


def test_a_frame_has_a_row_for_each_measure():
    pytest.importorskip("pandas", reason="pandas is not installed")
    ann, ben = [["a", "b", "c", "d"], ["e"]], [["a", "b"], ["c", "d"], ["e"]]
    frame = scoref.agreement({"Ann": ann, "Ben": ben}, metrics=["muc"], by="document").to_frame()
    assert frame.index.names == ["document", "a", "b", "measure"]
    assert frame.loc[("", "Ann", "Ben", "muc"), "value"] == frame.loc[("", "", "", "muc"), "value"] == 0.8  # 2·1·⅔/1⅔
    assert frame.loc[("document", "", "", "muc"), "value"] == 0.8
    assert frame["low"].isna().all()


# -- repeated mentions -----------------------------------------------------------------------------------------------

MARKED = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4), min_size=1, max_size=3)


@pytest.mark.parametrize("choices", [{}, {"duplicates": "reference"}, {"duplicates": "keep"}, {"duplicates": "list"}])
@some
@given(st.tuples(MARKED, MARKED, MARKED))
def test_alpha_does_not_depend_on_the_order_of_annotators(choices, annotators):
    found = [scoref.agreement([*order], **choices)["alpha masi"] for order in permutations(annotators)]
    assert found == pytest.approx([found[0]] * len(found))


@some
@given(MARKED)
def test_annotators_with_the_same_repeated_mentions_agree(annotator):
    result = scoref.agreement([annotator] * 3)
    assert [result[f"alpha {distance}"] for distance in ("masi", "nominal")] == [1, 1]


def test_that_repeated_mentions_are_counted_once_is_said():
    plain, repeated = [["a", "b"], ["c"]], [["a", "b"], ["a", "c"]]
    assert scoref.agreement([plain, plain]).reasons == scoref.agreement([plain, plain], duplicates="first").reasons
    result = scoref.agreement([plain, repeated])
    assert "the first counts" in result.reasons[0]
    assert "duplicates:first" in result.signature


def test_in_json_each_pair_has_its_own_measures():
    coders = [documents([[[1, 2], [3]]]), documents([[[1, 2, 3]]]), documents([[[1], [2, 3]]])]
    result = scoref.agreement(coders)
    pairs = result.to_dict()["pairs"]
    assert [(each["a"], each["b"]) for each in pairs] == [*combinations(result.annotators, 2)]
    for each in pairs:
        one, other = (coders[result.annotators.index(each[name])] for name in "ab")
        expected = scoref.score(one, other, metrics=["muc"])["muc"].f1
        assert each["measures"]["muc"]["value"] == pytest.approx(expected)
    assert len({json.dumps(each["measures"]) for each in pairs}) > 1


def test_what_would_be_said_of_one_side_alone_is_refused():
    with pytest.raises(scoref.Error) as error:
        scoref.agreement([[["a"]], [["a"]]], key_format="jsonl")
    assert error.value.code == "unknown-choice"
    assert "key_format" in error.value.problem.message
    assert "format" in error.value.problem.expected
