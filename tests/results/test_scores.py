"""Scores are found by every name by which their metric can be asked for."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import scoref
from scoref import Error

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
