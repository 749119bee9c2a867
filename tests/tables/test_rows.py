"""Rows of tables of every kind: their values, their places, their types; and what an evaluation keeps of them."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.problems import Problems
from scoref.tables import rows
from scoref.tables.inputs import given
from scoref.tables.rows import objects

ENGINES = ["numpy", "duckdb"]
KINDS = [
    "csv",
    "tsv",
    "csv.gz",
    "json",
    "parquet",
    "arrow",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "mapping",
    "arrays",
]


def made(kind: str, folder: Path, columns: dict[str, list[Any]]) -> Any:
    """A table of that kind."""
    path = folder / f"t.{kind}"
    if kind in ("csv", "tsv", "csv.gz"):
        lines = [columns, *zip(*columns.values(), strict=True)]
        text = "".join(
            ("\t" if kind == "tsv" else ",").join("" if c is None else str(c) for c in line) + "\n" for line in lines
        )
        path.write_bytes(gzip.compress(text.encode()) if kind == "csv.gz" else text.encode())
        return path
    if kind == "json":
        path.write_text(json.dumps(columns))
        return path
    if kind == "mapping":
        return dict(zip(columns["mention"], columns["entity"], strict=True))
    if kind == "arrays":
        return tuple(np.array(columns[role], object) for role in ("mention", "entity"))
    if kind in ("pandas", "polars"):
        return pytest.importorskip(kind).DataFrame(columns)
    table = pytest.importorskip("pyarrow").table(columns)
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    elif kind == "arrow":
        pytest.importorskip("pyarrow.feather").write_feather(table, str(path))
    elif kind == "duckdb":
        return pytest.importorskip("duckdb").connect().from_arrow(table)
    else:
        return table
    return path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_row_is_told_by_its_line_or_number(kind: str, engine: str, tmp_path: Path) -> None:
    """In text files by the line, behind the header; in others by the number of the row, from 1."""
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    columns = {"mention": ["a", "b", "c", "d"], "entity": ["x", "x", None, None]}
    if kind == "mapping":
        columns["entity"] = ["x", "x", "", ""]
    table, how = made(kind, tmp_path, columns), {"format": "table"} if kind == "json" else {}
    with pytest.raises(scoref.Error, match="2 rows without an entity") as caught:
        scoref.score(table, table, engine=engine, **how)
    problem = caught.value.problem
    names = {"mapping": "key", "arrays": "key"} | {each: f"key ({each})" for each in KINDS[6:10]}
    assert (problem.path, problem.line) == (names.get(kind, str(tmp_path / f"t.{kind}")), 4 if "sv" in kind else 3)
    result = scoref.score(table, table, engine=engine, on_problem="skip", metrics=["mentions"], **how)
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_parts_of_a_file_follow_one_another(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its groups of rows; at its end there may be a part without any."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"a": [*"pqrst"], "b": [1, 2, 3, 4, 5]}), tmp_path / "t.parquet", row_group_size=2)
    monkeypatch.setattr(rows, "_ROWS", size)
    found = [*rows.parts(given(tmp_path / "t.parquet", "key"), ["b", "a", "b"], Problems())]
    assert [line for part in found for line in part.lines.tolist()] == [1, 2, 3, 4, 5]
    assert [value for part in found for value in part.columns["a"].tolist()] == [*"pqrst"]
    assert {(*part.columns,) for part in found} == {("b", "a")}
    assert max(len(part.lines) for part in found) <= max(size, 2) + 1
    assert rows.read(given(tmp_path / "t.parquet", "key"), ["b"], Problems())["b"].tolist() == [1, 2, 3, 4, 5]


def test_texts_that_are_kept_once() -> None:
    """A column of Arrow that is a dictionary, in pieces or in none, with what is missing."""
    arrow = pytest.importorskip("pyarrow")
    column = arrow.array(["a", None, "b", "a"]).dictionary_encode()
    for pieces, expected in (([column], "a-ba"), ([column, column[1:]], "a-ba-ba"), ([], "")):
        found = rows._arrow_column(arrow.chunked_array(pieces, column.type))
        assert (found.dtype, found.tolist()) == (np.dtype(object), [{"-": None}.get(each, each) for each in expected])


@pytest.mark.parametrize(
    ("values", "kind", "missing", "texts"),
    [
        (np.array([1, 2]), "integers", [0, 0], ["1", "2"]),
        (np.array([1, 2], np.uint8), "integers", [0, 0], ["1", "2"]),
        (objects([1, None]), "integers", [0, 1], ["1", None]),
        (objects([2**70, 1]), "integers", [0, 0], [str(2**70), "1"]),
        (objects(["a", None, "", float("nan")]), "texts", [0, 1, 1, 1], None),
        (objects([None]), "texts", [1], [None]),
        (np.array([1.5, np.nan]), "values of type float", [0, 1], None),
        (np.array([True, False]), "values of type bool", [0, 0], None),
        (objects([1, True]), "values of type int", [0, 0], None),
        (objects(["a", 1]), "values of type int", [0, 0], None),
        (objects([1, "a", 1.5]), "values of type int", [0, 0, 0], None),
    ],
    ids=str,
)
def test_what_the_values_of_a_column_are(values: Any, kind: str, missing: list[int], texts: list[Any] | None) -> None:
    assert (rows.type_of(values), rows.is_missing(values).tolist()) == (kind, [bool(each) for each in missing])
    if texts is not None:
        assert rows.as_texts(values).tolist() == texts


def test_whole_numbers_in_one_column() -> None:
    """Of 64 bits with a sign, else without one, else of any size."""
    kinds = {(-1, 2**63 - 1): "int64", (0, 2**63): "uint64", (-1, 2**63): "object", (2**64,): "object"}
    for values, kind in kinds.items():
        found = rows.whole(values)
        assert (str(found.dtype), found.tolist()) == (kind, [*values])
    some = np.array([-1]), np.array([2**63], np.uint64), np.array([0.5])
    assert rows.together(some[:2]).tolist() == [-1, 2**63]
    assert [rows.together(each).dtype.kind for each in (some[:1], some[1:2], some[2:], some[::2])] == [
        "i",
        "u",
        "f",
        "f",
    ]


def test_a_table_that_came_through_a_pipe_cannot_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb")
    file = tmp_path / "key.csv"
    file.write_text("mention,entity\na,1\n")
    for sides in (("-", file), (file, "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
        with pytest.raises(scoref.Error) as caught:
            scoref.score(*sides, resume=tmp_path, format="table")
        assert (caught.value.code, caught.value.problem.expected) == ("not-kept", "two files")


# -- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_what_an_evaluation_keeps(engine: str, tmp_path: Path) -> None:
    columns = {"document": ["d", "d", "e"], "mention": [*"aba"], "entity": ["1"] * 3, "year": ["7", "7", "8"]}
    file, frame = made("csv", tmp_path, columns), made("pandas", tmp_path, columns)
    roles = {"mention": "mention", "entity": "entity"}
    for table, how, documents, counted in (
        (file, {}, ("d", "e"), "document"),
        (frame, {}, ("d", "e"), "document"),
        (file, {"columns": roles | {"document": "document", "year": "year"}}, ("d", "e"), "document"),
        (file, {"scope": "corpus"}, (str(file),), "document"),
        (frame, {"scope": "corpus"}, ("table",), "document"),
        (frame, {"scope": "corpus", "columns": {"year": "year"}}, ("7", "8"), "unit"),
    ):
        result = scoref.score(table, table, engine=engine, metrics=["b3"], **how)
        assert (result.documents, result.source.counted) == (documents, counted)
        where = str(file) if table is file else "key (pandas)"
        assert result.datasets == (where,) * len(documents)
        assert result.source.saved_fields == ({"year": ("7", "8")} if "year" in str(how) else {})
        assert result.source.notes[-1] == f"engine {engine}"
        assert (result.source.reason, result.source.remedy) == (
            "tables have no texts, and their entities are counted where they are",
            "see the costliest entities with: scoref errors KEY RESPONSE (scoref.analyse in Python)",
        )
    sampled = scoref.score(file, file, engine=engine, sampled="uniform", metrics=["b3"])
    assert (sampled.documents, sampled.datasets) == (("d / 1", "e / 1"), (str(file),) * 2)
    assert (sampled.source.counted, sampled.source.reason, sampled.source.remedy) == (
        "sampled cluster", "tables have no texts, and a sampled key has only some of the entities",
        "see the costliest entities with: scoref errors KEY RESPONSE, without --sampled",
    )  # fmt: skip
    assert sampled.source.notes[-1] == "estimates from 3 mentions of the key; the response has 3"
    fewer = scoref.score({"a": 1, "b": 1}, {"a": 1}, engine=engine, sampled="uniform", metrics=["b3"])
    assert fewer.source.notes[-1] == (
        "estimates from 2 mentions of the key; the response has 1, and lacks 1 of them, which count as missed"
    )
    assert fewer.datasets == ("table",)
    beside = [scoref.score(*sides, engine=engine, sampled="uniform", metrics=["b3"]).datasets[0]
              for sides in ((file, frame), (frame, file))]  # fmt: skip
    assert beside == [str(file), "table"]
