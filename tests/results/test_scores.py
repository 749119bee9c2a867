"""Scores are found by every name by which their metric can be asked for."""

from __future__ import annotations

import pickle

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
