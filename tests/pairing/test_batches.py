"""Batches of documents in Python: the score is that of the documents one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import scoref
from scoref.evaluator import ClusterChecker, CorefEvaluator, Evaluator
from strategies import corpora

KEY = [[[(0, 1), (2, 2)], [(3, 3), (4, 4)]], [[(0, 1), (5, 5)]]]
RESPONSE = [[[(0, 1), (2, 2), (3, 3)]], [[[0, 1], [5, 5]]]]
METRICS = ["mentions", "muc", "b3", "ceafe", "lea", "conll"]
some = settings(max_examples=40, deadline=None)


def one_by_one(key, response, **choices) -> scoref.Evaluation:
    scorer = scoref.Scorer(metrics=METRICS, **choices)
    for ours, theirs in zip(key, response, strict=True):
        scorer.update(ours, theirs)
    return scorer.compute()


def assert_same(one: scoref.Evaluation, other: scoref.Evaluation) -> None:
    assert one.documents == other.documents
    assert all(np.array_equal(one.counts[name], other.counts[name]) for name in other.counts)
    assert one.scores == other.scores


def refused(code: str, call: Callable[..., Any], *arguments: Any, **keywords: Any) -> str:
    with pytest.raises(scoref.Error) as error:
        call(*arguments, **keywords)
    assert error.value.code == code
    return str(error.value)


def test_by_hand():
    """MUC: 1 of 2 links and 1 of 1; 1 of 2 and 1 of 1. CEAFe: 2·2/5 of 2, and 1 of 1; of 1, and 1 of 1."""
    result = scoref.score(KEY, RESPONSE)
    assert result.documents == ("0", "1")
    assert result["muc"] == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert result["ceafe"][:2] == pytest.approx((1.8 / 3, 1.8 / 2))
    assert result["b3"][:2] == pytest.approx(((2 + 0.5 + 0 + 2) / 6, (2 * 2 / 3 + 1 / 3 + 2) / 5))
    assert round(100 * result["conll"].f1, 2) == 70.94


# -- the same as documents one by one, and as files ------------------------------------------------------------------

SHAPES: dict[str, Callable[[Any], Any]] = {
    "spans": lambda entity: [(mention, mention) for mention in entity],
    "lists": lambda entity: [[mention, mention + 1] for mention in entity],
    "tuples": lambda entity: tuple((mention, mention) for mention in entity),
    "sets": lambda entity: {(mention, mention) for mention in entity},
    "arrays": lambda entity: np.array([[mention, mention] for mention in entity]),
    "rows": lambda entity: [np.array([mention, mention]) for mention in entity],
    "names": lambda entity: [f"m{mention}" for mention in entity],
    "sets of names": lambda entity: {f"m{mention}" for mention in entity},
}


@pytest.mark.parametrize("shape", SHAPES)
@some
@given(corpora)
def test_a_batch_is_its_documents(shape, corpus):
    make = SHAPES[shape]
    assume(len(corpus) > 1 and any(side for pair in corpus for side in pair))
    key, response = ([[make(entity) for entity in pair[side]] for pair in corpus] for side in (0, 1))
    expected = one_by_one(key, response)
    assert_same(scoref.score(key, response, metrics=METRICS), expected)
    assert_same(scoref.score(tuple(key), iter(response), metrics=METRICS), expected)
    for average in ("micro", "macro"):
        scorer = scoref.Scorer(metrics=METRICS, average=average)
        scorer.update(key, response)
        assert_same(scorer.compute(), one_by_one(key, response, average=average))
    names = [f"d{number}" for number in range(len(key))]
    by_name = scoref.score(
        dict(zip(names, key, strict=True)), dict(reversed([*zip(names, response, strict=True)])), metrics=METRICS
    )
    assert by_name.documents == tuple(names)
    assert by_name.scores == expected.scores
    evaluator = CorefEvaluator()
    evaluator.update(response, key)
    assert evaluator.get_count() == len(corpus)
    assert evaluator.compute().scores == expected.scores


@some
@given(corpora)
def test_a_batch_is_the_same_as_json_lines(tmp_path_factory, corpus):
    folder: Path = tmp_path_factory.mktemp("batch")
    sides = [[[[[mention, mention] for mention in entity] for entity in pair[side]] for pair in corpus]
             for side in (0, 1)]  # fmt: skip
    assume(any(document for side in sides for document in side))
    files = []
    for name, side in zip(("key", "response"), sides, strict=True):
        records = [{"doc_key": f"d{number}", "sentences": [[*"abcdefghijkl"]], "clusters": document}
                   for number, document in enumerate(side)]  # fmt: skip
        files.append(folder / f"{name}.jsonl")
        files[-1].write_text("".join(f"{json.dumps(record)}\n" for record in records))
    from_files = scoref.score(*files, metrics=METRICS)
    assert scoref.score(*sides, metrics=METRICS).scores == from_files.scores
    scorer = scoref.Scorer(metrics=METRICS)
    scorer.update(*sides)
    assert scorer.compute().scores == from_files.scores


@pytest.mark.parametrize(
    "made", [scoref.clusters, lambda entities: {str(at): each for at, each in enumerate(entities)}]
)
def test_documents_and_mappings_in_lists(made):
    expected = one_by_one(KEY, RESPONSE)
    key, response = [*map(made, KEY)], [*map(made, RESPONSE)]
    assert_same(scoref.score(key, response, metrics=METRICS), expected)
    scorer = scoref.Scorer(metrics=METRICS)
    scorer.update(key, response)
    assert_same(scorer.compute(), expected)


def test_the_entity_of_each_mention():
    key, response = [{"a": 1, "b": 1}, {"c": 1, "d": 2}], [{"a": 7, "b": 7}, {"c": 7, "d": 7}]
    assert_same(scoref.score(key, response, metrics=METRICS), one_by_one(key, response))
    by_name = scoref.score({"x": key[0], "y": key[1]}, {"y": response[1], "x": response[0]}, metrics=METRICS)
    assert by_name.scores == one_by_one(key, response).scores


def test_columns_of_frames():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    expected = one_by_one(KEY, RESPONSE)
    frame = pandas.DataFrame({"key": KEY, "response": RESPONSE})
    assert scoref.score(frame["key"], frame["response"], metrics=METRICS).scores == expected.scores
    named = frame.set_index(pandas.Index(["x", "y"]))
    assert scoref.score(named["key"], named["response"][::-1], metrics=METRICS).documents == ("x", "y")


def test_all_that_scores_takes_batches():
    result = scoref.score(KEY, RESPONSE)
    comparison = scoref.compare(KEY, {"A": RESPONSE, "B": KEY})
    assert comparison.systems["A"].scores == result.scores
    assert comparison.systems["B"]["conll"].f1 == 1
    assert {error.document for error in scoref.analyse(KEY, RESPONSE).errors} == {"0"}
    explained = scoref.explain(KEY, RESPONSE)
    assert explained.facts.documents == 2
    assert explained.yours.scores(explained.metrics)["muc"] == result["muc"]
    assert scoref.report(KEY, RESPONSE).startswith("<!DOCTYPE html>")
    assert scoref.agreement({"A": KEY, "B": RESPONSE}, metrics=["muc"]).evaluations[0, 1]["muc"] == result["muc"]
    checker, evaluator = ClusterChecker(), Evaluator("muc")
    checker.add_predictions(KEY, RESPONSE)
    evaluator.update(RESPONSE, KEY)
    assert checker.bakeoff == result["conll"].f1
    assert evaluator.get_f1() == result["muc"].f1


def test_a_file_and_a_batch():
    """Documents of a file have names, those of a batch go with them in their order."""
    documents = scoref.read("examples/tales/key.conll")
    batch = [[[(0, 0), (1, 1)]] for _ in documents]
    result = scoref.score("examples/tales/key.conll", batch, metrics=["muc"])
    assert result.documents == tuple(document.id for document in documents)
    message = refused("different-batches", scoref.score, "examples/tales/key.conll", batch[1:])
    assert f"{len(documents)} of the key, but {len(documents) - 1} of the response" in message


# -- empty documents -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (KEY, [RESPONSE[0], []]),
        (KEY, [[], []]),
        ([[], KEY[1]], RESPONSE),
        ([[], []], RESPONSE),
        ([KEY[0], [[]]], RESPONSE),
        ([[], []], [[], []]),
        ([[], [["a", "b"]]], [[["c"]], []]),
    ],
)
def test_empty_documents(key, response):
    assert_same(scoref.score(key, response, metrics=METRICS), one_by_one(key, response))


@pytest.mark.parametrize(("key", "response"), [([], []), ([[]], [[]]), ([["a", "b"]], []), ([["a"], ["b"]], [[], []])])
def test_one_document_with_empty_entities(key, response):
    assert len(scoref.score(key, response).documents) == 1


# -- names -----------------------------------------------------------------------------------------------------------


def test_names_of_a_batch():
    scorer = scoref.Scorer()
    scorer.update(KEY, RESPONSE, id=["x", "y"])
    scorer.update(KEY[0], RESPONSE[0])
    scorer.update(KEY, RESPONSE)
    assert scorer.compute().documents == ("x", "y", "2", "3", "4")
    other = scoref.Scorer()
    other.update({"y": KEY[1], "z": KEY[0]}, {"z": RESPONSE[0], "y": RESPONSE[1]})
    other.update(KEY[:1], RESPONSE[:1])
    scorer.merge(other)
    assert scorer.compute().documents == ("x", "y", "2", "3", "4", "z", "6")


def test_a_document_that_the_response_lacks_is_empty():
    key, response = {"x": KEY[0], "y": KEY[1]}, {"x": RESPONSE[0]}
    scorer = scoref.Scorer(metrics=METRICS)
    scorer.update(key, response)
    for result in (scoref.score(key, response, metrics=METRICS), scorer.compute()):
        assert result.scores == one_by_one(KEY, [RESPONSE[0], []]).scores
        assert [problem.code for problem in result.problems] == ["missing-document"]
    refused("extra-document", scoref.score, {"x": KEY[0]}, {"x": RESPONSE[0], "y": RESPONSE[1]})
    refused("no-common-document", scoref.Scorer().update, {"x": KEY[0]}, {"y": RESPONSE[0]})


@pytest.mark.parametrize("id", ["x", ["x"], ["x", "y", "z"]])
def test_a_name_for_each_document(id):
    scorer = scoref.Scorer()
    assert "2 documents" in refused("bad-names", scorer.update, KEY, RESPONSE, id=id)
    assert scorer.compute().documents == ()


def test_names_are_not_given_twice():
    batch = {"x": KEY[0], "y": KEY[1]}
    refused("bad-names", scoref.Scorer().update, batch, batch, id=["a", "b"])
    refused("bad-names", scoref.Scorer().update, KEY[0], RESPONSE[0], id=["a", "b"])


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [scoref.score, scoref.Scorer().update, scoref.analyse])
def test_both_sides_are_batches_or_none_is(call):
    message = refused("different-depths", call, KEY, RESPONSE[0])
    assert "the key is a batch of 2 documents (4 levels deep)" in message
    assert "the response is the clusters of one document (3 levels deep)" in message
    message = refused("different-depths", call, [["a", "b"]], [[["a", "b"]]])
    assert "the key is the clusters of one document (2 levels deep)" in message
    assert "the response is a batch of 1 document (3 levels deep)" in message


@pytest.mark.parametrize("call", [scoref.score, scoref.Scorer().update])
def test_as_many_documents_on_both_sides(call):
    assert "documents: 2 of the key, but 1 of the response" in refused("different-batches", call, KEY, RESPONSE[:1])
    assert "documents: 2 of the key, but 0 of the response" in refused("different-batches", call, KEY, [])
    assert "documents: 1 of the key" in refused("different-batches", call, {"x": KEY[0]}, RESPONSE)


@pytest.mark.parametrize("call", [scoref.score, scoref.Scorer().update])
def test_two_readings(call):
    entities = [[(1, 2, 3), (4,)], [(5, 6)]]
    message = refused("ambiguous-clusters", call, [["a"]], entities)
    assert "the response can be read in two ways: it is 3 levels deep, and (1, 2, 3) may be" in message
    assert "scoref.clusters(" in message
    refused("ambiguous-clusters", call, entities, entities)


def test_both_ways_to_say_which():
    entities = [[(1, 2, 3), (4,)], [(5, 6)]]
    one = scoref.score(scoref.clusters(entities), scoref.clusters(entities))
    two = scoref.score([*map(scoref.clusters, entities)], [*map(scoref.clusters, entities)])
    assert (len(one.documents), len(two.documents)) == (1, 2)


@pytest.mark.parametrize("value", [[KEY], [{"clusters": KEY[0]}]])
def test_too_deep(value):
    assert "the key is no clusters of mentions: it is 5 levels deep" in refused("bad-clusters", scoref.score, value, [])


def test_a_document_that_is_none():
    assert "NoneType" in refused("bad-clusters", scoref.score, [KEY[0], None], RESPONSE)
    assert "document y of the response" in refused(
        "bad-clusters", scoref.score, {"x": KEY[0], "y": KEY[1]}, {"x": RESPONSE[0], "y": {"she": None}}
    )
