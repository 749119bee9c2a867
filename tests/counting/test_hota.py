"""HOTA and its parts: recorded cases, TrackEval, a slow version; B³ as mentions × linking, under the scores."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import scoref
import slow
from places import EXAMPLES, SHARED, recorded
from strategies import Partition, corpora

Run = Callable[..., tuple[int, str, str]]
some = settings(max_examples=60)
NAMES = ("hota", "deta", "assa")
KEY, RESPONSE = [[1, 2, 3], [4, 5, 6, 7]], [[1, 2], [3, 4], [6, 7, 8, 9]]
CASES = SHARED / "data" / "insight" / "hota.jsonl"


def documents(corpus: list[tuple[Partition, Partition]]) -> list[list[scoref.Document]]:
    return [[scoref.clusters(pair[side], str(n)) for n, pair in enumerate(corpus)] for side in (0, 1)]


# -- values ------------------------------------------------------------------------------------------------------------

# What TrackEval 1.3.0 gives, each mention one time step: for two documents, and for both as two sequences.
TRACKEVAL = {
    "hota": (0.5217491947499509, 0.5773502691896258, 0.5446711546122729),
    "deta": (2 / 3, 2 / 3, 2 / 3),
    "detre": (6 / 7, 0.8, 5 / 6),
    "detpr": (0.75, 0.8, 0.7692307692307694),
    "assa": (0.40833333333333327, 0.5, 0.445),
    "assre": (0.4861111111111111, 0.875, 0.6416666666666665),
    "asspr": (2 / 3, 0.5416666666666665, 0.6166666666666667),
}
PAIRS = [(KEY, RESPONSE), ([[1, 2], [3], [4, 5]], [[1, 2, 3], [5, 6]])]


@pytest.mark.parametrize("name", TRACKEVAL)
def test_values_are_those_of_trackeval(name):
    for pairs, expected in zip((PAIRS[:1], PAIRS[1:], PAIRS), TRACKEVAL[name], strict=True):
        found = scoref.score(*documents(pairs), metrics=NAMES).to_dict()["scores"]["hota"]
        found["hota"] = found["f1"]
        assert found[name] == pytest.approx(expected, abs=1e-12)


def test_trackeval_itself_gives_the_same():
    hota = pytest.importorskip("trackeval.metrics.hota", reason="trackeval is not installed: pip install trackeval")
    random = np.random.default_rng(7)
    each = [[_clusters(random), _clusters(random)] for _ in range(20)]
    metric = hota.HOTA({"PRINT_CONFIG": False})
    sequences = {str(number): metric.eval_sequence(_sequence(*pair)) for number, pair in enumerate(each)}
    expected = metric.combine_sequences(sequences)
    said = {
        name: float(np.mean(expected[name])) for name in ("HOTA", "DetA", "AssA", "DetRe", "DetPr", "AssRe", "AssPr")
    }
    of_tables = [scoref.score(*rows(each), metrics=["hota"], engine=engine) for engine in engines()]
    for found in (scoref.score(*documents(each), metrics=["hota"]), *of_tables):
        values = found.to_dict()["scores"]["hota"]
        ours = {name: values["f1" if name == "HOTA" else name.lower()] for name in said}
        assert ours == pytest.approx(said, abs=1e-12)


def rows(corpus: list[tuple[Partition, Partition]]) -> list[dict[str, str]]:
    """Both sides as tables, in which entities of different documents have different names."""
    return [
        {f"{number}-{m}": f"{number}-{e}" for number, pair in enumerate(corpus)
         for e, entity in enumerate(pair[side]) for m in entity}
        for side in (0, 1)
    ]  # fmt: skip


def engines() -> list[str]:
    """The engines for tables that are installed."""
    return ["numpy", *(["duckdb"] if importlib.util.find_spec("duckdb") else [])]


def _clusters(random: np.random.Generator) -> Partition:
    labels = random.integers(-1, 5, 20).tolist()
    found = [[mention for mention, label in enumerate(labels) if label == entity] for entity in range(5)]
    return [entity for entity in found if entity]


def _sequence(key: Partition, response: Partition) -> dict[str, Any]:
    """The data of TrackEval for a document: each mention is one time step."""
    ours, theirs = ({m: e for e, entity in enumerate(side) for m in entity} for side in (key, response))
    steps = sorted({*ours, *theirs})
    return {
        "num_timesteps": len(steps),
        "num_gt_dets": len(ours), "num_tracker_dets": len(theirs),
        "num_gt_ids": len(key), "num_tracker_ids": len(response),
        "gt_ids": [np.array([ours[m]] if m in ours else [], np.int64) for m in steps],
        "tracker_ids": [np.array([theirs[m]] if m in theirs else [], np.int64) for m in steps],
        "similarity_scores": [np.ones((int(m in ours), int(m in theirs))) for m in steps],
    }  # fmt: skip


@pytest.mark.parametrize("case", recorded(CASES))
def test_recorded_cases(case):
    pairs = [(each["key"], each["response"]) for each in case["documents"]]
    result = scoref.score(*documents(pairs), metrics=["b3", *NAMES])
    found = result.to_dict()["scores"]["hota"]
    found |= {"hota": found["f1"], "b3_recall": result["b3"].recall, "b3_precision": result["b3"].precision}
    assert {name: found[name] for name in case["expected"]} == pytest.approx(case["expected"], abs=1e-11)


@some
@given(corpora)
def test_documents_and_tables_are_as_slow(corpus):
    expected = {"deta": slow.detection(corpus), "assa": slow.association(corpus), "hota": slow.hota(corpus)}
    whole = scoref.score(*documents(corpus), metrics=NAMES)
    assert {name: [*whole[name]] for name in NAMES} == {
        name: pytest.approx([*map(float, each)], abs=1e-12) for name, each in expected.items()
    }


# -- B³ as a product ---------------------------------------------------------------------------------------------------


@some
@given(corpora)
def test_recall_and_precision_of_b3_are_mentions_times_linking(corpus):
    result = scoref.score(*documents(corpus), metrics=["b3", "deta", "assa"])
    products = [mentions * linking for mentions, linking in zip(result["deta"], result["assa"], strict=True)]
    assert products[:2] == pytest.approx(result["b3"][:2], abs=1e-12)
    parts = [[*each] for each in result.factors.get("b3", {}).values()]
    values = [*zip(result["b3"], result["deta"], result["assa"], strict=True)][:2]
    assert parts == [pytest.approx(each, abs=1e-12) for each in values] or "b3" in result.undefined


def test_the_line_under_the_scores():
    line = "b3 recall 41.67 = mentions 85.71 × linking 48.61, precision 50.00 = mentions 75.00 × linking 66.67"
    assert scoref.score(KEY, RESPONSE).notes()[0] == line
    assert scoref.score(KEY, RESPONSE, metrics=["b3"]).notes()[0] == line
    with_root = scoref.score(KEY, RESPONSE, metrics=["hota"]).notes()
    assert with_root[0] == "hota 52.17 = √(mentions 66.67 × linking 40.83)"


@pytest.mark.parametrize(
    "choices",
    [
        {"twinless": "all"},
        {"singletons": "e2e"},
        {"average": "macro"},
        {"average": "macro", "metrics": ["b3", "hota"]},
        {"metrics": ["muc"]},
        {"protocol": "scorch"},
    ],
)
def test_there_is_no_line_where_it_is_not_exact(choices):
    two = scoref.score(*documents([(KEY, RESPONSE), ([[1, 2]], [[1], [2, 3]])]), **choices)
    assert two.factors == {}
    assert "mentions" not in two.to_dict()["counts"] or "metrics" not in choices


def test_weights_and_sets_have_no_line_either():
    files = str(EXAMPLES / "key.conllua"), str(EXAMPLES / "response.conllua")
    with_sets = scoref.score(*files, metrics=["b3"])
    assert with_sets.evidence.has_sets
    assert with_sets.factors == {}
    assert scoref.score(*files, metrics=["b3"], split="ignore").factors
    assert scoref.score(*files, metrics=["b3"], split="ignore", weights="form").factors == {}


def test_repeated_mentions_that_b3_counts_otherwise_have_no_line():
    once = scoref.score([["a", "b"], ["b", "c"]], [["a", "b"], ["c"]], duplicates="keep", metrics=["b3", "mentions"])
    assert "b3" not in once.factors


# -- everywhere --------------------------------------------------------------------------------------------------------


def test_tables_merged_saved_and_averaged(tmp_path: Path, run: Run):
    corpus = [(KEY, RESPONSE), ([[1, 2], [3]], [[1, 2, 3]])]
    whole = scoref.score(*documents(corpus), metrics=["b3", *NAMES])
    parts = [scoref.score(*documents([pair]), metrics=["b3", *NAMES]) for pair in corpus]
    again = scoref.merge([replaced(part, str(number)) for number, part in enumerate(parts)])
    assert [*again.scores.values()] == [*whole.scores.values()]
    assert again.factors == whole.factors
    macro = scoref.score(*documents(corpus), metrics=NAMES, average="macro")
    assert macro["hota"].f1 == pytest.approx(np.mean([part["hota"].f1 for part in parts]))
    for engine in engines():
        found = scoref.score(*rows(corpus), metrics=["b3", *NAMES], engine=engine)
        assert [*found.scores.values()] == [pytest.approx(each) for each in whole.scores.values()]
        assert found.factors["b3"]["recall"] == pytest.approx(whole.factors["b3"]["recall"])


def replaced(evaluation: scoref.Evaluation, name: str) -> scoref.Evaluation:
    from dataclasses import replace

    return replace(evaluation, documents=(name,))


def test_outputs(run: Run, tmp_path: Path):
    files = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    saved = tmp_path / "sums.json"
    code, text, _ = run("score", *files, "--metrics", "b3,hota,deta,assa", "--save", saved)
    assert code == 0
    assert "b3 recall 42.50 = mentions 80.00 × linking 53.12" in text
    assert "linking 53.12" in run("merge", saved)[1]
    said = json.loads(run("score", *files, "--metrics", "b3,hota", "--json", "--ci", "--trials", "20")[1])
    assert said["factors"]["b3"]["recall"] == pytest.approx({"score": 0.425, "mentions": 0.8, "linking": 0.53125})
    assert {"f1", "deta", "assa", "detre", "detpr", "assre", "asspr"} <= {*said["scores"]["hota"]}
    for output, line in (("markdown", "mentions 80.00 × linking"), ("latex", "80.00"), ("csv", "b3,0.425")):
        assert line in run("score", *files, "--metrics", "b3", "--output", output)[1]
