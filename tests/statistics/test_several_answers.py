"""Several answers of one model to each document, in one file or in memory: each run is scored, mean and spread told."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest

import scoref
from places import EXAMPLES
from scoref import RunsComparison
from scoref.document.document import Document

Run = Callable[..., tuple[int, str, str]]
TALES = EXAMPLES / "tales" / "key.conll"


def said(document: Document, every: int) -> str:
    """An answer that lacks every so many mentions."""
    kept = replace(document, mentions=[each for place, each in enumerate(document.mentions) if place % every])
    spans = [[[kept.text_of(each), each.span[0] >> 8, each.span[-1] >> 8] for each in one]
             for one in kept.entities().values()]  # fmt: skip
    return json.dumps(spans)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A file with three answers to each tale, and three with one."""
    each: list[list[str]] = [[], [], []]
    for number, document in enumerate(scoref.read(TALES)):
        for place, lines in enumerate(each):
            lines.append(json.dumps({"id": document.id, "output": said(document, 2 + number + place)}))
    paths = [tmp_path / f"{name}.jsonl" for name in ("all", "one", "two", "three")]
    # Not in the order of runs: all answers to a document, then all to the next.
    paths[0].write_text("\n".join(line for lines in zip(*each, strict=True) for line in lines))
    for path, lines in zip(paths[1:], each, strict=True):
        path.write_text("\n".join(lines))
    return paths


def test_the_numbers_are_those_of_single_files(files: list[Path]) -> None:
    alone = [scoref.score(TALES, path) for path in files[1:]]
    result = scoref.compare(TALES, {"A": files[0]}, trials=50)
    assert isinstance(result, RunsComparison)
    assert [each["conll"] for each in result.systems["A"]] == [each["conll"] for each in alone]
    f1 = [each["conll"].f1 for each in alone]
    assert len({*f1}) == 3
    found = result.means["A"]["conll"]
    assert found.f1 == pytest.approx(mean(f1))
    assert found.deviation == pytest.approx(stdev(f1))
    assert (found.least, found.most) == (min(f1), max(f1))


def test_a_file_of_several_and_several_files_are_one_system_each(files: list[Path]) -> None:
    other = files[0].with_name("other.jsonl")
    other.write_bytes(files[1].read_bytes())
    result = scoref.compare(TALES, {"A": files[0], "B": files[1:], "C": other}, trials=50, metrics=["lea"])
    assert isinstance(result, RunsComparison)
    assert {name: len(runs) for name, runs in result.systems.items()} == {"A": 3, "B": 3, "C": 1}
    assert result.means["A"]["lea"] == result.means["B"]["lea"]
    assert result.tests[0].difference == pytest.approx(0)


@pytest.mark.parametrize("form", ["array", "gz", "long"])
def test_other_ways_to_write_several_answers(files: list[Path], form: str) -> None:
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    path = files[0].with_name("other.json" if form == "array" else "other.jsonl.gz" if form == "gz" else "other.jsonl")
    if form == "array":
        path.write_text(json.dumps(rows, indent=1))
    elif form == "gz":
        path.write_bytes(gzip.compress(files[0].read_bytes()))
    else:  # longer than what is read of a file to tell its format
        path.write_text("\n".join(json.dumps({**row, "note": "x" * 30_000}) for row in rows))
    result = scoref.compare(TALES, {"A": path}, trials=50, metrics=["conll"])
    assert isinstance(result, RunsComparison)
    assert len(result.systems["A"]) == 3


def choices(replies: list[str], kind: str) -> dict[str, object]:
    """The record of an API that was asked for several answers at once."""
    if kind == "openai":
        return {"choices": [{"index": n, "message": {"role": "assistant", "content": reply}}
                            for n, reply in enumerate(replies)]}  # fmt: skip
    return {"candidates": [{"content": {"parts": [{"text": reply[:9]}, {"text": reply[9:]}]}} for reply in replies]}


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_choices_of_one_record_are_several_answers(files: list[Path], run: Run, kind: str) -> None:
    """The n-th choices are what files of the n-th answers are."""
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    said: dict[str, list[str]] = {}
    for row in rows:
        said.setdefault(row["id"], []).append(row["output"])
    path = files[0].with_name("choices.jsonl")
    path.write_text("\n".join(json.dumps({"id": name, **choices(each, kind)}) for name, each in said.items()))
    result = scoref.compare(TALES, {"A": path}, trials=50, metrics=["conll"])
    assert isinstance(result, RunsComparison)
    alone = [scoref.score(TALES, each, metrics=["conll"])["conll"] for each in files[1:]]
    assert [each["conll"] for each in result.systems["A"]] == alone
    code, out, err = run("score", TALES, path)
    assert (code, out, "3 answers to the document 'tales/bakery'" in err) == (2, "", True)


@pytest.mark.parametrize("indent", [None, 1])
def test_choices_without_a_name(tmp_path: Path, run: Run, indent: int | None) -> None:
    key, path = EXAMPLES / "key.conll", tmp_path / "reply.json"
    replies = ['[["Ada", "She"]]', '[["Ada", "She", "her"]]']
    path.write_text(json.dumps(choices(replies, "openai"), indent=indent))
    result = scoref.compare(key, {"A": path}, trials=50, metrics=["mentions"])
    assert isinstance(result, RunsComparison)
    assert [each["mentions"].recall for each in result.systems["A"]] == [2 / 10, 3 / 10]
    code, out, err = run("score", key, path)
    assert (code, out, "2 answers to the document" in err) == (2, "", True)
    assert run("validate", path, "--key", key)[0] == 1


def test_an_answer_in_memory_is_one_answer() -> None:
    one = json.dumps(choices(["[]"], "openai"))
    assert scoref.answer(one).origin.reply == scoref.answer("[]").origin.reply
    with pytest.raises(scoref.Error, match="2 answers in the reply of an API") as error:
        scoref.answer(json.dumps(choices(["[]", "[[]]"], "openai")))
    assert error.value.code == "repeated-document"


def test_answers_in_memory(files: list[Path]) -> None:
    rows = [json.loads(line) for line in files[0].read_text().splitlines()]
    answers = [scoref.answer(row["output"], row["id"]) for row in rows]
    result = scoref.compare(scoref.read(TALES), {"A": answers}, trials=50, metrics=["conll"])
    other = scoref.compare(TALES, {"A": files[0]}, trials=50, metrics=["conll"])
    assert isinstance(result, RunsComparison)
    assert isinstance(other, RunsComparison)
    assert result.means["A"]["conll"] == other.means["A"]["conll"]


def test_the_command(files: list[Path], run: Run) -> None:
    code, out, _ = run("compare", TALES, files[0], "--trials", 50, "--json")
    assert code == 0
    found = json.loads(out)
    assert [len(runs) for runs in found["runs"].values()] == [3]
    code, out, _ = run("plan", TALES, files[0], "--trials", 50, "--json")
    assert (code, json.loads(out)["runs"]) == (0, 3)


@pytest.mark.parametrize("command", ["score", "errors"])
def test_other_commands_say_what_to_do(files: list[Path], run: Run, command: str) -> None:
    code, out, err = run(command, TALES, files[0])
    assert (code, out) == (2, "")
    assert "3 answers to the document 'tales/bakery'" in err
    assert "scoref compare KEY FILE" in err


def test_an_answer_that_is_not_there_is_reported(files: list[Path], run: Run) -> None:
    lines = files[0].read_text().splitlines()
    files[0].write_text("\n".join(lines[:-1]))
    code, out, _ = run("compare", TALES, files[0], "--trials", 50)
    assert code == 0
    assert "run 3: 1 × missing-document: the response lacks document news/bridge" in " ".join(out.split())
    result = scoref.compare(TALES, {"A": files[0]}, trials=50)
    assert result.systems["A"][2].by_document()["news/bridge"]["conll"].f1 == 0  # type: ignore[index]


def test_one_answer_to_each_document_is_no_run(files: list[Path]) -> None:
    result = scoref.compare(TALES, {"A": files[1], "B": files[2]}, trials=50, metrics=["muc"])
    assert not isinstance(result, RunsComparison)
    with pytest.raises(scoref.Error) as error:
        scoref.compare(TALES, {"A": files[1]})
    assert error.value.code == "one-system"
    with pytest.raises(scoref.Error) as error:
        scoref.compare(TALES, {"A": [files[0], files[0]]}, trials=50)
    assert error.value.code == "repeated-run"
