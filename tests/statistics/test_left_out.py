"""Malformed files that are compared with --on-problem skip: what was left out stands with each system."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES
from scoref.cli import main

KEY, MODEL = (str(EXAMPLES / "tales" / name) for name in ("key.conll", "model.conll"))
EMPTY = "1 × empty-file, 4 × missing-document"
CUT = "1 × missing-end, 1 × not-the-same-text, 3 × missing-document"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A response, an empty file, and one of which 40 lines are left."""
    (tmp_path / "empty.conll").write_text("")
    (tmp_path / "cut.conll").write_text("".join(Path(MODEL).read_text().splitlines(keepends=True)[:40]))
    return [MODEL, str(tmp_path / "empty.conll"), str(tmp_path / "cut.conll")]


def printed(files: list[str], capsys: pytest.CaptureFixture[str], *options: str) -> str:
    names = ["--names", "model,empty,cut"]
    assert main(["compare", KEY, *files, *names, "--on-problem", "skip", *options]) == 0
    return capsys.readouterr().out


def test_in_the_rows_of_tables(files, capsys):
    lines = printed(files, capsys).splitlines()
    assert lines[1].split()[-2:] == ["left", "out"]
    assert lines[2].split()[-1] == "91.09"
    assert lines[3].endswith(f"0.00  {EMPTY}")
    assert lines[4].endswith(f"0.00  {CUT}")
    lines = printed(files, capsys, "--output", "markdown").splitlines()
    assert lines[2].endswith("| left out |")
    assert [line.split(" | ")[-1] for line in lines[4:7]] == [" |", f"{EMPTY} |", f"{CUT} |"]
    lines = printed(files, capsys, "--output", "latex").splitlines()
    assert f"empty & 0.00 & 0.00 & 0.00 & 0.00 & 0.00 & {EMPTY} \\\\" in lines
    assert f"cut & 0.00 & 0.00 & 0.00 & 0.00 & 0.00 & {CUT} \\\\" in lines


def test_in_csv(files, capsys):
    rows = [*csv.DictReader(io.StringIO(printed(files, capsys, "--output", "csv")))]
    assert {(row["a"], row["left out a"], row["b"], row["left out b"]) for row in rows} == {
        ("model", "", "empty", EMPTY),
        ("model", "", "cut", CUT),
    }
    rows = [*csv.DictReader(io.StringIO(printed(files, capsys, "--output", "csv", "--by", "document")))]
    assert rows[0] == {"document": "", "metric": "left out", "model": "", "empty": EMPTY, "cut": CUT}


def test_in_json(files, capsys):
    found = json.loads(printed(files, capsys, "--json"))["left_out"]
    assert found == {
        "model": {},
        "empty": {"empty-file": 1, "missing-document": 4},
        "cut": {"missing-end": 1, "not-the-same-text": 1, "missing-document": 3},
    }


@pytest.mark.parametrize("output", ["text", "markdown", "latex"])
def test_below_the_table_of_a_paper(files, capsys, output):
    text = " ".join(printed(files, capsys, "--layout", "paper", "--output", output).split())
    assert f"Left out of empty: {EMPTY}. " in text
    assert f"Left out of cut: {CUT}. " in text
    assert "Left out of model" not in text


def test_in_a_frame(files):
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = scoref.compare(KEY, dict(zip(("model", "empty", "cut"), files, strict=True)), on_problem="skip").to_frame()
    assert {*zip(frame.index.get_level_values("system"), frame["left out"], strict=True)} == {
        ("model", ""), ("empty", EMPTY), ("cut", CUT),
    }  # fmt: skip


def test_nothing_is_said_where_all_was_scored(files, capsys):
    """Documents that a well-formed response lacks are a note, as they always were."""
    lines = Path(MODEL).read_text().splitlines(keepends=True)
    Path(files[1]).write_text("".join(lines[: lines.index("#end document\n") + 1]))
    for output in ("text", "csv", "json", "latex"):
        out = printed([MODEL, files[1], MODEL], capsys, "--output", output)
        assert "left out" not in out
        assert "left_out" not in out
