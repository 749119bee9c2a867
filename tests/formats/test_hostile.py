"""Files that were made, by accident or not, to get a score that they do not deserve, or to break what reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import Document, Mention
from scoref.model import position, stretch

Run = Callable[..., tuple[int, str, str]]

WORDS = tuple("abcdef")
GAP = (position(0), position(2))
ZERO = (position(1, 1),)


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(path: str = "key.jsonl") -> dict[str, Any]:
    """A record with mentions that only the key `scoref` can hold: one with a gap, and an empty node."""
    mentions = (Mention(GAP, 0), Mention(stretch(3, 3), 0), Mention(ZERO, 1), Mention(stretch(4, 5), 1))
    scoref.write([Document("d", WORDS, mentions, (0,))], path)
    record: dict[str, Any] = json.loads(Path(path).read_text())
    assert "scoref" in record
    return record


def put(record: dict[str, Any], path: str = "response.jsonl") -> None:
    Path(path).write_text(json.dumps(record) + "\n")


# -- the record of scoref in JSON lines ------------------------------------------------------------------------------


def test_what_scoref_writes_it_reads_again():
    written()
    assert scoref.score("key.jsonl", "key.jsonl")["conll"].f1 == 1
    assert [each.span for each in scoref.read("key.jsonl")[0].mentions][0] == GAP


@pytest.mark.parametrize(
    "clusters", [[], [[], []], [[[3, 3]], [[4, 5], [0, 0]]], [[[3, 3], [4, 5]], []], [[[3, 3]], [[4, 5]], [[1, 1]]]]
)
def test_the_record_must_agree_with_the_clusters(clusters: list[Any], run: Run):
    put(written() | {"clusters": clusters})
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[different-record]" in err
    assert "clusters" in err
    assert "scoref" in err
    assert run("validate", "response.jsonl")[0] == 1


def test_clusters_alone_are_what_the_system_says():
    record = written() | {"clusters": []}
    del record["scoref"]
    put(record)
    assert scoref.score("key.jsonl", "response.jsonl")["conll"].f1 == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("span", [0, 300]),
        ("span", [-1]),
        ("span", [[0, 300]]),
        ("span", [[0, 0]]),
        ("span", [[0]]),
        ("span", [True]),
        ("span", [2, 0]),
        ("span", [0, 0]),
        ("span", [10**30]),
        ("head", 6),
        ("head", [0, 256]),
        ("minimum", [99]),
        ("parents", [[10**30, "nsubj"]]),
        ("entity", [1]),
    ],
)
def test_positions_of_the_record_are_checked(field: str, value: Any, run: Run):
    record = written()
    record["scoref"]["mentions"][0][field] = value
    put(record)
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[bad-record]" in err


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bridges", [[0, 1.5, {}]]),
        ("bridges", [[0, 1, {"a": []}]]),
        ("columns", {"speaker": ["a"]}),
        ("comments", [[77, "# x"]]),
        ("relations", [["a", "b", [[]]]]),
        ("deixis", {"deixis": {"mentions": []}}),
    ],
)
def test_other_parts_of_the_record_are_checked(field: str, value: Any, run: Run):
    record = written()
    record["scoref"][field] = value
    put(record)
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[bad-record]" in err
