"""Errors of coreference: one minimal case for each kind, the steps of repairs, and what always holds of them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from analysing import INTRODUCE, MERGE, REMOVE, SPLIT, analysed, partition, spans, spoken, text
from places import EXAMPLES
from scoref.document.document import Bridge, position, stretch
from scoref.errors.mistakes import KINDS
from scoref.output.errors import render_errors
from strategies import partitions


def found(key, response):
    return [(each.kind, [place.text for place in each.mentions]) for each in analysed(key, response).errors]


CASES = {
    "extra entity": ([["a", "b"]], [["a", "b"], ["x", "y"]], ["x", "y"], [(SPLIT, "y"), (REMOVE, "x"), (REMOVE, "y")]),
    "extra mention": ([["a", "b"]], [["a", "b", "x"]], ["x"], [(SPLIT, "x"), (REMOVE, "x")]),
    "conflated entities": ([["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]], ["c", "d"], [(SPLIT, "cd")]),
    "missing entity": ([["a", "b"], ["c", "d"]], [["a", "b"]], ["c", "d"],
                       [(INTRODUCE, "c"), (INTRODUCE, "d"), (MERGE, "d")]),
    "missing mention": ([["a", "b", "c"]], [["a", "b"]], ["c"], [(INTRODUCE, "c"), (MERGE, "c")]),
    "divided entity": ([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]], ["c", "d"], [(MERGE, "cd")]),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_has_its_operations(kind):
    key, response, mentions, operations = CASES[kind]
    analysis = analysed(key, response)
    (error,) = analysis.errors
    assert (error.kind, [place.text for place in error.mentions]) == (kind, mentions)
    assert [(each.name, "".join(place.text for place in each.mentions)) for each in error.operations] == operations
    (pair,) = analysis.repaired([kind])
    assert partition(pair.response) == partition(pair.key)


def test_a_span_is_corrected():
    key, response = (text({"1": [(0, last)], "2": [(4, 4)]}) for last in (2, 3))
    analysis = analysed(key, response)
    (error,) = analysis.errors
    (operation,) = error.operations
    assert (error.kind, operation.name) == ("span error", "correct span")
    assert (operation.mentions[0].text, operation.to.text) == ("the old plumber from", "the old plumber")
    assert partition(analysis.repaired(KINDS)[0].response) == partition(key)


def test_mentions_that_share_less_than_half_of_their_words_are_other_mentions():
    assert found(text({"1": [(0, 4)]}), text({"1": [(0, 1)]})) == [
        ("extra entity", ["the old"]),
        ("missing entity", ["the old plumber from Leeds"]),
    ]


def test_a_common_head_makes_a_span_error_of_less_and_another_head_of_none():
    def side(last, head):
        return scoref.Document("d", tuple("abcdef"), (scoref.Mention(stretch(0, last), "1", head=position(head)),))

    assert [kind for kind, _ in found(side(5, 1), side(1, 1))] == ["span error"]
    assert [kind for kind, _ in found(side(2, 1), side(1, 0))] == ["extra entity", "missing entity"]


def test_an_extra_first_mention_is_removed_from_its_conflated_entity():
    """The entity is begun by a mention that is none: it goes, and so does every part that is not the partner's."""
    analysis = analysed([["b", "c"], ["d", "e"]], [["a", "b", "c", "d", "e"]])
    assert [error.kind for error in analysis.errors] == ["conflated entities"] * 2
    assert [[place.text for place in error.mentions] for error in analysis.errors] == [["a"], ["d", "e"]]
    assert [each.name for error in analysis.errors for each in error.operations] == [SPLIT, REMOVE, SPLIT]
    assert partition(analysis.repaired(["conflated entities"])[0].response) == {frozenset("bc"), frozenset("de")}


def test_a_missing_first_mention_comes_with_the_first_merge():
    analysis = analysed([["a", "b", "c", "d"]], [["b", "c"], ["d", "x"]])
    assert [(error.kind, len(error.operations)) for error in analysis.errors] == [
        ("extra mention", 2), ("divided entity", 2), ("divided entity", 1),
    ]  # fmt: skip
    assert partition(analysis.repaired(["extra mention", "divided entity"])[0].response) == {frozenset("abcd")}


def test_repairing_divided_entities_alone_merges_conflated_ones_and_can_cost():
    """Entities are merged as they are: with the mentions of others that are still in them."""
    key = [["a", "z"], *([name, f"{name}2"] for name in "bcdefgh")]
    response = [["a", *"bcd", *(f"{name}2" for name in "bcd")], ["z", *"efgh", *(f"{name}2" for name in "efgh")]]
    costs = {cost.kind: cost for cost in analysed(key, response).costs()}
    assert costs["divided entity"].alone["b3"] < 0 < costs["divided entity"].together["b3"]


pairs = st.tuples(partitions, partitions)


@settings(max_examples=200)
@given(pairs)
def test_all_repairs_give_the_key(sides):
    analysis = analysed(*sides)
    (pair,) = analysis.repaired(KINDS)
    assert partition(pair.response) == partition(pair.key)


@settings(max_examples=100)
@given(pairs)
def test_repairs_in_turn_leave_no_error_of_their_kind(sides):
    analysis = analysed(*sides)
    for number in range(len(KINDS)):
        (pair,) = analysis.repaired(KINDS[: number + 1])
        left = analysed(pair.key, pair.response).counts()
        assert not any(left[kind] for kind in KINDS[: number + 1] if kind.startswith(("extra", "missing entity")))


@settings(max_examples=200)
@given(spans, spans, st.sampled_from(["keep", "drop"]))
def test_all_repairs_give_the_key_for_spans_too(key, response, singletons):
    analysis = analysed(spoken(key), spoken(response), singletons=singletons)
    (scored, _, _), (pair,) = analysis.evaluation.evidence.aligned[0], analysis.repaired(KINDS)
    again = scoref.score(pair.key, pair.response, singletons=singletons)
    assert partition(again.evidence.aligned[0][1]) == partition(scored)
    total = analysis.costs()[-1].together
    assert all(total[metric] == pytest.approx(again[metric].f1 - analysis.evaluation[metric].f1) for metric in total)


@settings(max_examples=60)
@given(spans, spans)
def test_sets_lose_members_that_are_gone(key, response):
    analysis = analysed(spoken(key, ["e0"]), spoken(response, ["e1"]), protocol="paun-2023")
    for kinds in ([kind] for kind in KINDS):
        for pair in analysis.repaired(kinds):
            names = set(pair.response.entities())
            assert all({name, *members} <= names for name, members in pair.response.sets.items())
    assert len(analysis.costs()) == len(KINDS)


@settings(max_examples=60)
@given(partitions)
def test_a_response_has_no_errors_against_itself(entities):
    analysis = analysed(entities, entities)
    assert analysis.counts() == dict.fromkeys(KINDS, 0)
    assert {outcome.result for outcome in analysis.outcomes} <= {"right"}


def test_a_response_with_duplicates_has_no_errors_against_itself():
    twice = [["a", "b"], ["b", "c"], ["d", "a"]]
    assert not any(analysed(twice, twice, duplicates="keep").counts().values())


@settings(max_examples=60)
@given(partitions, partitions)
def test_the_order_of_entities_and_mentions_changes_nothing(key, response):
    def shuffled(side):
        mixed = [random.Random(1).sample(entity, len(entity)) for entity in side]
        return mixed[::-1]

    assert sorted(map(str, found(key, response))) == sorted(map(str, found(shuffled(key), shuffled(response))))


@settings(max_examples=60)
@given(partitions, partitions)
def test_operations_remove_and_introduce_what_one_side_lacks(key, response):
    operations = [each for error in analysed(key, response).errors for each in error.operations]
    ours, theirs = ({m for entity in side for m in entity} for side in (key, response))
    for name, expected in ((REMOVE, theirs - ours), (INTRODUCE, ours - theirs)):
        texts = [place.text for each in operations if each.name == name for place in each.mentions]
        assert sorted(texts) == sorted(map(str, expected))


def test_errors_of_a_corpus_are_those_of_all_documents():
    keys = [scoref.clusters({"A": ["a"], "B": ["b"]}, "1"), scoref.clusters({"A": ["c"], "B": ["d"]}, "2")]
    responses = [scoref.clusters({"A": ["a"], "B": ["b"]}, "1"), scoref.clusters({"A": ["d"], "B": ["c", "x"]}, "2")]
    analysis = analysed(keys, responses, scope="corpus")
    assert analysis.counts() | {"conflated entities": 2, "divided entity": 2, "extra mention": 1} == analysis.counts()
    assert analysis.by_document()["2"]["extra mention"] == 1
    repaired = [pair.response for pair in analysis.repaired(KINDS)]
    assert scoref.score(keys, repaired, scope="corpus")["conll"].f1 == 1


def test_what_the_protocol_leaves_out_stays_in_the_repaired_response():
    key = text({"1": [(0, 2), (6, 6)], "3": [(9, 9)]})
    response = text({"1": [(0, 2)], "2": [(6, 6)], "4": [(7, 7)]}, bridges=(Bridge(2, 0), Bridge(1, 0)))
    analysis = analysed(key, response, singletons="drop")
    (pair,) = analysis.repaired(KINDS)
    assert partition(pair.response) >= {frozenset([stretch(0, 2), stretch(6, 6)]), frozenset([stretch(7, 7)])}
    anaphors = {pair.response.mentions[bridge.anaphor].span for bridge in pair.response.bridges}
    assert stretch(7, 7) in anaphors


@pytest.mark.parametrize(
    ("key", "response", "choices"),
    [
        ("tales/key.conll", "tales/rules.conll", {}),
        ("key.conllua", "response.conllua", {"layer": "all"}),
        ("nuggets/key", "nuggets/response", {}),
    ],
)
def test_an_analysis_prints_the_tables_of_the_command(key, response, choices):
    analysis = analysed(EXAMPLES / key, EXAMPLES / response, **choices)
    tables = render_errors({"response": analysis}).split("\n\n")[:-1]
    assert tables
    assert str(analysis).split("\n\n")[:-1] == tables
    assert analysis._repr_html_().count("<table") == len(tables)


def test_mentions_of_invisible_words_alone_can_be_repaired(run, tmp_path):
    (tmp_path / "key.txt").write_text("[He](#2) ran .\n")
    (tmp_path / "response.txt").write_text("")
    code, out, _ = run("errors", tmp_path / "key.txt", tmp_path / "response.txt", "--protocol", "kbp-2015",
                       "--on-problem", "skip")  # fmt: skip
    assert code == 0
    assert "missed              1" in out
