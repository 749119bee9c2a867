"""Results for cards of models: every number is that of `score`, and the fields are those that Hugging Face asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from places import EXAMPLES

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

Run = Callable[..., tuple[int, str, str]]
TASK = EXAMPLES / "task"


def test_a_card_has_the_numbers_of_the_evaluation(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    sides = TASK / "key", TASK / "submissions" / "model"
    code, out, err = run(
        "score", *sides, "--average", "datasets", "--metrics", "muc,conll,blanc", "--save", saved, "--json"
    )
    assert code == 0, err
    whole = json.loads(out)
    code, out, err = run("card", saved, "--model", "team/tales: 1", "--data", "Tales of 2027", "--data-split", "test")
    assert code == 0, err
    ((model,),) = [yaml.safe_load(out)[name] for name in ("model-index",)]
    assert model["name"] == "team/tales: 1"
    everything, *parts = model["results"]
    assert everything["dataset"] == {"name": "Tales of 2027", "type": "tales-of-2027", "split": "test"}
    assert [each["dataset"]["config"] for each in parts] == [*whole["datasets"]]
    for result, scores in zip((everything, *parts), (whole["scores"], *whole["datasets"].values()), strict=True):
        assert {each["type"]: each["value"] for each in result["metrics"]} == {
            f"{name}_f1": round(100 * each["f1"], 2) for name, each in scores.items()
        }
        assert {each["args"]["signature"] for each in result["metrics"]} == {whole["signature"]}
        assert result["task"]["type"] == "coreference-resolution"


def test_a_card_of_one_dataset_has_one_result(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    assert run("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "--save", saved)[0] == 0
    asked = ("card", saved, "--model", "m", "--data", "Key", "--data-id", "team/key", "--metrics", "conll")
    (model,) = yaml.safe_load(run(*asked)[1])["model-index"]
    (result,) = model["results"]
    assert result["dataset"] == {"name": "Key", "type": "team/key"}
    assert [each["value"] for each in result["metrics"]] == [50.14]
    assert run("card", EXAMPLES / "key.conll", "--model", "m", "--data", "d")[0] == 2
