"""Choices that seldom meet: every command gives an answer, or says what is wrong; none is a defect of scoref."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES

Run = Callable[..., tuple[int, str, str]]
FILES = (EXAMPLES / "key.conll", EXAMPLES / "response.conll")


def test_stability_has_what_the_average_needs(run: Run):
    """BLANC of scorch needs the sizes of entities, and so does its average; with all mentions it is the score."""
    code, out, err = run("stability", *FILES, "--protocol", "scorch", "--metrics", "muc,blanc", "--json")
    assert (code, err) == (0, "")
    scores = scoref.score(*FILES, protocol="scorch", metrics=["muc", "blanc"], split="ignore")
    assert {name: values[0] for name, values in json.loads(out)["f1"].items()} == {
        name: pytest.approx(score.f1) for name, score in scores.scores.items()
    }


def test_agreement_by_dataset_is_that_of_the_first_annotator(run: Run, tmp_path: Path):
    """Each annotator has a file of another name; all documents are of one dataset, whose agreement is that of all."""
    names = [tmp_path / f"{name}.conll" for name in "abc"]
    for name, file in zip(names, (*FILES, FILES[0]), strict=True):
        name.write_bytes(file.read_bytes())
    code, out, err = run("agreement", *names, "--by", "dataset", "--json")
    assert (code, err) == (0, "")
    found = scoref.agreement({name.stem: name for name in names}, by="dataset")
    means = {each.name: each.value for each in found.measures if not each.a}
    assert {each.name: each.value for each in found.groups["a.conll"]} == pytest.approx(means)
    assert found.groups.keys() == {"a.conll"}
    assert "a.conll" in out


def test_groups_of_entities_show_what_is_counted_for_entities(run: Run):
    """BLANC of scorch needs the sizes, which are not counted by entity where mentions are repeated, as ASP counts."""
    options = ("--protocol", "asp", "--links", "scorch", "--metrics", "all", "--by", "size", "--json")
    code, out, err = run("score", *FILES, *options)
    assert (code, err) == (0, "")
    groups = json.loads(out)["by"]["size"]
    assert groups
    assert all("muc" in scores and "blanc" not in scores for scores in groups.values())


@pytest.mark.parametrize("folder", ["", "nuggets"])
@pytest.mark.parametrize("output", ["json", "csv", "text"])
def test_errors_of_nuggets_alone(run: Run, folder: str, output: str):
    files = (EXAMPLES / folder / "key", EXAMPLES / folder / "response") if folder else FILES
    code, out, _ = run("errors", *files, "--metrics", "nugget-type", "--output", output)
    assert code == 0
    assert out


@pytest.mark.parametrize("value", ["1", "true", "1.5", "nan", "{}", "[]", "[1]", "{a = 1}", "2020-01-01", "''"])
@pytest.mark.parametrize("name", ["scope", "weights", "match", "metrics", "beta", "types", "preset", "name", "digits"])
def test_a_protocol_file_may_have_values_of_any_type(run: Run, tmp_path: Path, name: str, value: str):
    path = tmp_path / "p.toml"
    path.write_text(f"{name} = {value}\n")
    code, out, err = run("score", *FILES, "--protocol", path)
    fits = (name, value) in (("beta", "1"), ("beta", "1.5"), ("name", "''"))
    assert code == (0 if fits else 2)
    assert fits or (not out and ("[unknown-" in err or "[bad-" in err))


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_parquet_file_without_rows(run: Run, tmp_path: Path, engine: str):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip(engine)
    for name, values in (("some", [1, 2]), ("none", [])):
        column = arrow.array(values, arrow.int64())
        parquet.write_table(arrow.table({"mention": column, "entity": column}), tmp_path / f"{name}.parquet")
    some, none = tmp_path / "some.parquet", tmp_path / "none.parquet"
    code, out, err = run("score", none, some, "--engine", engine)
    assert (code, out) == (2, "")
    assert "[empty-file]" in err
    code, out, err = run("score", some, none, "--engine", engine, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["scores"]["b3"]["f1"] == 0
