"""What is a table and what is not: mappings, arrays, frames, files by their endings and beginnings, pipes."""

from __future__ import annotations

import gzip
import os
from collections import UserDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.formats import Hows
from scoref.tables import inputs
from scoref.tables.inputs import Input, are_tables, given, is_labels, is_pipe, is_table, part_files, refuse_mixed

ARRAY = np.array([1, 1, 2])
LABELS: list[Any] = [{"a": 1}, {"a": "x", "b": "x"}, {1: 2}, UserDict({1: "x"}), ARRAY]
TABLES: list[Any] = [*LABELS, (ARRAY, ARRAY), Input("csv", {}, None, "t"), "t.csv", Path("t.TSV.gz"), "t.parquet",
                     "t.pq", "t.arrow", "t.feather", "t.ipc"]  # fmt: skip
OTHERS: list[Any] = [
    {}, {"a": 1.5}, {"a": True}, {"a": 1, 2: 1}, {"a": 1, "b": "x"}, {"a": ["b"]}, [["a"]], "t.json", "t.conll", "t",
    "x*.csv", (ARRAY, [1, 1, 2]), (ARRAY,), (ARRAY, ARRAY, ARRAY), ([1], [1]), np.zeros((2, 2)), None, 3,
]  # fmt: skip


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_is_a_table_by_itself() -> None:
    assert [side for side in TABLES if not is_table(side, None)] == []
    assert [side for side in OTHERS if is_table(side, None)] == []
    assert [side for side in TABLES if is_labels(side) != any(side is each for each in LABELS)] == []
    assert [side for side in OTHERS if is_labels(side)] == []
    paths = "t.csv", "t.json", "t", Path("t.conll")
    assert is_table("no\0file.csv", None)  # a name that no file can have: who reads it says so
    assert [[is_table(path, format) for path in paths] for format in ("table", "conll")] == [[True] * 4, [False] * 4]


def test_frames_are_tables_and_their_columns_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    monkeypatch.setattr(inputs, "_MODEST", 2)
    values = {"mention": ["a", "b"], "entity": [1, 1]}
    frames = [pandas.DataFrame(values), arrow.table(values)]
    columns = [pandas.Series(["a", "b"]), pandas.Index(["a"]), pandas.Categorical(["a"]), arrow.chunked_array([["a"]]),
               arrow.array(["a"])]  # fmt: skip
    assert [is_table(each, None) for each in (*frames, *columns)] == [True] * 2 + [False] * 5
    large = pandas.Series([1, 1, 2], list("abc"))
    odd = [large[:2], pandas.Series([1, 1, 2], list("aba")), pandas.Series([1, 1.5, 2], list("abc")),
           pandas.Series([1, 1, 2], [1.5, 2, 3]), pandas.Series(["a", None, "b"], list("abc"), object),
           pandas.Series([1, 1, 2], pandas.MultiIndex.from_tuples([(1, 2), (1, 3), (1, 4)]))]  # fmt: skip
    assert [is_labels(each) for each in (large, *odd)] == [True] + [False] * 6
    assert given(large, "key").frame.to_dict("list") == {"mention": [*"abc"], "entity": [1, 1, 2]}
    for each in columns[1:]:
        with pytest.raises(scoref.Error) as caught:
            given(each, "key")
        problem = caught.value.problem
        assert (problem.code, problem.expected) == ("bad-table", "a frame with columns of mentions and entities")


def test_one_clear_table_is_enough_and_labels_count_if_all_are() -> None:
    labels, clusters, table = {"a": 1}, [["a"]], "t.csv"
    for sides, there in (([labels, labels], True), ([labels, clusters], False), ([labels, table], True),
                         ([clusters, table], True), ([clusters, clusters], False)):  # fmt: skip
        assert are_tables(sides, Hows()) is are_tables(sides[::-1], Hows()) is there
    for sides, name, path in (([clusters, table], "key", None), ([table, clusters], "response", None),
                              ([table, Path("a.conll")], "response", "a.conll")):  # fmt: skip
        with pytest.raises(scoref.Error, match=f"the {name} is no table") as caught:
            refuse_mixed(sides, Hows())
        assert (caught.value.code, caught.value.path) == ("mixed-formats", path)
    refuse_mixed([table, "-"], Hows())


def test_what_can_be_read_only_once() -> None:
    os.mkfifo("pipe")
    Path("file").write_text("")
    Path("folder").mkdir()
    assert [is_pipe(each) for each in ("-", "pipe", Path("pipe"))] == [True] * 3
    assert [is_pipe(each) for each in ("file", "folder", "absent", None, ["-"], {"-": 1})] == [False] * 6


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PAR1...", "parquet"), (b"ARROW1..", "arrow"), (b' \n{"mention": []}', "json"), (b"a\tb\n1,2\n", "tsv"),
        (b"a,b\n1\t2\n", "csv"), (b"a\tb", "tsv"), (b"", "csv"), (b"[1]", "csv"),
    ],
)  # fmt: skip
def test_the_kind_of_a_table_by_its_beginning(data: bytes, kind: str) -> None:
    for name, written in (("t", data), ("t.gz", gzip.compress(data))):
        Path(name).write_bytes(written)
        table = given(name, "key")
        assert (table.kind, [*table.files.values()], table.name) == (kind, [name], name)


def test_the_files_of_a_table() -> None:
    for name in ("a/1.csv", "a/_x.csv", "a/.x.csv", "a/b/2.csv", "a/[c].csv", "c"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("mention,entity\na,1\n")
    assert [Path(file).as_posix() for file in part_files("a")] == ["a/1.csv", "a/[c].csv", "a/b/2.csv"]
    assert part_files("a/[c].csv") == ("a/[c].csv",)  # the file of that name before those that it could stand for
    assert part_files("a/*.csv") == ("a/1.csv", "a/[c].csv", "a/_x.csv")
    assert part_files("a/**/?.csv") == ("a/1.csv", "a/b/2.csv")
    assert part_files("a/[1]*") == ("a/1.csv",)
    assert part_files("absent") == ("absent",)
    with pytest.raises(scoref.Error) as caught:
        part_files("a/*.tsv")
    problem = caught.value.problem
    assert (problem.code, problem.path, problem.remedy) == ("empty-folder", "a/*.tsv", "check the name")
    assert is_table("a", None)
    assert not is_table("c", None)
    Path("a/b/2.csv").rename("a/b/2.json")
    assert not is_table("a", None)
    Path("a/b/2.json").unlink()
    Path("a/1.csv").write_text("#FORMAT=WebAnno TSV 3.3\n")
    assert not is_table("a", None)
