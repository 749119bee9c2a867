"""Limits of tables, on both sides of each: what is small, what unpacks to too much, from when on a sign is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.formats import source
from scoref.problems import Error
from scoref.tables import run as scoring
from scoref.tables import shapes
from scoref.tables.engines import in_numpy
from scoref.tables.inputs import Input, given
from scoref.tables.rows import broken
from scoref.tables.shapes import EntityShapes
from scoref.tables.unpacking import looks_small, refuse_large, with_fewer_groups

MB = 1 << 20


def sized(path: Path, size: int) -> Path:
    """A file of that many bytes, none of which is written."""
    with path.open("wb") as file:
        file.truncate(size)
    return path


# -- which engine counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "parquet", "arrow"])
@pytest.mark.parametrize(("limit", "name"), [(MB, "small"), (16 * MB, "modest")])
def test_text_files_are_small_up_to_a_size_all_of_them_together(tmp_path: Path, kind: str, limit: int, name: str):
    """Files of other kinds are packed: their size says little."""
    for size, there in ((limit, True), (limit + 1, False)):
        halves = [sized(tmp_path / "a", size // 2), sized(tmp_path / "b", size - size // 2)]
        table = Input(kind, {str(path): path.name for path in halves}, None, "t")
        assert getattr(table, name) is (there and kind in ("csv", "tsv", "json"))


@pytest.mark.parametrize(("limit", "name"), [(50_000, "small"), (1_000_000, "modest")])
def test_frames_are_small_up_to_a_number_of_rows(limit: int, name: str):
    """Those of DuckDB are not: they may be anything that it reads."""
    for rows, there in ((limit, True), (limit + 1, False)):
        assert getattr(Input("pandas", {}, range(rows), "t"), name) is there
        assert not getattr(Input("duckdb", {}, range(rows), "t"), name)


@pytest.mark.parametrize(("rows", "name"), [(1_000_000, "numpy"), (1_000_001, "duckdb")])
def test_without_duckdb_numpy_counts_up_to_a_million_rows(rows: int, name: str, monkeypatch: pytest.MonkeyPatch):
    from scoref.tables import opening
    from scoref.tables.engines.engine import TableInput

    monkeypatch.setattr(opening, "find_spec", lambda package: None)
    large, small = (TableInput(Input("pandas", {}, range(n), "t"), None) for n in (rows, 1))  # type: ignore[arg-type]
    assert [opening._best(sides) for sides in ((large, small), (small, large), (small, small))] == [name, name, "numpy"]


# -- how much they unpack to -----------------------------------------------------------------------------------------


def test_a_file_looks_small_below_a_thousandth_of_what_is_allowed(tmp_path: Path) -> None:
    table = Input("parquet", {str(sized(tmp_path / n, 50)): n for n in "ab"}, None, "t")
    assert [looks_small(table, most) for most in (100_000, 100_999, 101_000)] == [False, False, True]


@pytest.mark.parametrize(
    ("values", "size"),
    [
        ([1, 2, 3], 3 * 8 + 1),  # integers of 64 bits, and a bit for each that says whether it is there
        (["a", "bcd", "a"], 1 + 3 + 1 + 3 * 8),  # each text as often as it stands there, and its place
        ([b"a", b"bcd", b"a"], 1 + 3 + 1 + 3 * 8),
        ([None, None, None], 3 * 8),
    ],
    ids=str,
)
def test_the_unpacked_size_of_columns(tmp_path: Path, values: list[object], size: int) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = arrow.array(values, arrow.string()) if values[0] is None else arrow.array(values)
    parquet.write_table(arrow.table({"a": texts, "b": texts}), tmp_path / "t.parquet")
    table = given(tmp_path / "t.parquet", "key")
    refuse_large(table, 2 * size)
    with pytest.raises(Error) as caught:
        refuse_large(table, 2 * size - 1)
    problem = caught.value.problem
    assert (problem.code, problem.path) == ("too-large", str(tmp_path / "t.parquet"))
    assert problem.remedy == "check the file, or allow more with --max-size"


@pytest.mark.parametrize(
    ("groups", "rows", "there"),
    [(999, 999, False), (1000, 1000, True), (1000, 1_000_000, True), (1000, 1_000_001, False)],
)
def test_a_thousand_groups_of_at_most_a_thousand_rows_are_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, groups: int, rows: int, there: bool
) -> None:
    """Files of more than a quarter of a gigabyte are not, nor several of them."""
    parquet = pytest.importorskip("pyarrow.parquet")

    class File:
        num_row_groups = groups
        metadata = type("Metadata", (), {"num_rows": rows})

        def __init__(self, path: str) -> None:
            self.path = path

        def read(self) -> str:
            return f"what is in {self.path}"

    monkeypatch.setattr(parquet, "ParquetFile", File)
    for size in (1 << 28, (1 << 28) + 1):
        path = str(sized(tmp_path / "t.parquet", size))
        for table in (
            Input("parquet", {path: "t"}, None, "t"),
            Input("parquet", {path: "t", f"{path}.": "u"}, None, "t"),
            Input("csv", {path: "t"}, None, "t"),
        ):
            found = with_fewer_groups(table)
            one = table.kind == "parquet" and len(table.files) == 1
            at_once = there and one and size == 1 << 28
            assert found == (Input("pyarrow", {}, f"what is in {path}", "t") if at_once else table)


def test_memory_without_a_limit_that_is_a_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A container says 0 or -1 where there is none."""
    group = tmp_path / "memory.max"
    monkeypatch.setattr(source, "_GROUPS", (str(group),))
    monkeypatch.delattr("os.sysconf", raising=False)
    for said, size in (("0", 1 << 60), ("-1", 1 << 60), ("1", 1)):
        group.write_text(said)
        assert source._memory() == size


@pytest.mark.parametrize("more", [0, 1])
def test_long_texts_are_not_made_an_array_of_texts(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """There each takes as much room as the longest: 3 times 4 letters."""
    monkeypatch.setattr(in_numpy, "_LETTERS", 12 - more)
    found = in_numpy._sortable(np.array(["abcd", "b", "c"], object))
    assert (found.dtype.kind, found.tolist()) == ("O" if more else "U", ["abcd", "b", "c"])


# -- from what number on a sign is one -------------------------------------------------------------------------------

DOUBTS = {"names-alike", "nothing-in-common", "mostly-other-records"}


def doubts(key: object, response: object, **how: object) -> list[scoref.Problem]:
    found = scoref.score(key, response, on_problem="skip", metrics=["mentions"], **how)
    return [problem for problem in found.problems if problem.code in DOUBTS]


@pytest.mark.parametrize("number", [4, 5])
def test_from_five_names_on_that_are_alike_it_is_said(number: int) -> None:
    key, response = ({f"{zero}{each}": each for each in range(number)} for zero in ("", "0"))
    assert [problem.code for problem in doubts(key, response)] == ["names-alike"] * (number == 5)
    many = {f"x{each}": each for each in range(number, 9)}
    assert [problem.code for problem in doubts(key | many, response | {"y": 1, "z": 2})] == (
        ["names-alike"] if number == 5 else []
    )


def test_of_many_names_ten_thousand_of_each_side_are_compared() -> None:
    key, response = ({f"{rec}{each:05d}": each for each in range(20_000)} for rec in ("rec", "Rec"))
    with pytest.raises(Error, match="10,000 of 10,000 mentions that were looked at differ in case"):
        scoref.score(key, response)


@pytest.mark.parametrize(("common", "others", "said"), [(4, 5, False), (5, 5, False), (4, 6, True), (1, 9, True)])
def test_from_ten_mentions_on_most_of_which_are_others_it_is_said(common: int, others: int, said: bool) -> None:
    key = dict.fromkeys(range(common), 1)
    response = dict.fromkeys(range(common + others), 1)
    found = doubts(key, response)
    assert [problem.code for problem in found] == ["mostly-other-records"] * said
    assert {(problem.path, problem.fatal) for problem in found} <= {("response", False)}


# -- what is told ----------------------------------------------------------------------------------------------------


def test_of_what_a_library_says_two_hundred_letters_are_told() -> None:
    assert broken("t", "a \n" + "b" * 300).problem.message == f"the table cannot be read: a {'b' * 198}"


@pytest.mark.parametrize("units", [2, 3])
def test_with_many_units_no_hashes_are_made(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_DIGESTS", 2)
    one = np.ones(units)
    found = scoring._digests(EntityShapes(np.arange(units), one, one, one), units)
    assert (len(found), {len(each) for each in found}) == (units, {32 if units == 2 else 0})


@pytest.mark.parametrize("large", [3, 4])
def test_of_components_above_a_number_of_cells_a_good_assignment_will_do(
    large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two components, of four cells and of one."""
    called: list[int] = []
    auction: Callable[..., object] = shapes.auction

    def noted(row: np.ndarray, column: np.ndarray, weight: np.ndarray) -> object:
        called.append(len(row))
        return auction(row, column, weight)

    monkeypatch.setattr(shapes, "auction", noted)
    row, column, weight = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 2]), np.array([1.0, 2, 2, 1, 3])
    chosen, bound = shapes.solved(row, column, weight, large)
    assert chosen.tolist() == [1, 2, 4]
    assert called == [4] * (large == 3)
    assert bound.cells == (4 if bound.gap else 0)
    assert shapes.solved(row[:4], column[:4], weight[:4], 4)[0].tolist() == [1, 2]
