"""Packed tables that are much larger than they look: refused before they fill the memory."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref.formats import source
from scoref.tables import opening
from scoref.tables.engines import in_duckdb
from scoref.tables.inputs import given
from scoref.tables.unpacking import refuse_large

Run = Callable[..., tuple[int, str, str]]
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def bomb(path: Path, rows: int, letters: int) -> None:
    """A column in which one long text stands in each row: it is in the file once."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * letters]))
    pq.write_table(pa.table({"mention": pa.array(range(rows)), "entity": column}), path)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_the_largest_size_holds_for_parquet(run: Run, tmp_path: Path, engine: str) -> None:
    pytest.importorskip(engine)
    path = tmp_path / "a.parquet"
    bomb(path, 20_000, 50_000)  # 1 GB
    assert path.stat().st_size < 300_000
    tracemalloc.start()
    try:
        code, out, err = run("score", path, path, "--engine", engine, "--max-size", "100MB")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (code, out) == (2, "")
    assert "more than 100000000 bytes unpacked  [too-large]" in err
    assert peak < 50_000_000


@pytest.mark.parametrize("engine", ["numpy", "duckdb", "auto"])
def test_without_a_size_it_is_that_of_all_files(tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    path = tmp_path / "a.parquet"
    bomb(path, 10_000, 50_000)
    monkeypatch.setattr(opening, "MOST", 400_000_000)
    with pytest.raises(scoref.Error) as error:
        scoref.score(path, path, engine=engine)
    assert error.value.code == "too-large"


def test_gzipped_text_is_packed_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"mention,entity\n" + b"".join(b"%d,%s\n" % (n, b"x" * 1000) for n in range(2000))))
    code, _, err = run("score", path, path, "--engine", "numpy", "--max-size", "1MB")
    assert (code, "[too-large]" in err) == (2, True)
    assert run("score", path, path, "--engine", "numpy", "--max-size", "3MB")[0] == 0


def test_one_long_text_does_not_make_all_as_long(tmp_path: Path) -> None:
    """An array of texts has as much room for each as the longest needs: here 3 GB."""
    path = tmp_path / "a.csv"
    path.write_text("mention,entity\n" + "".join(f"m{n},e{n // 2}\n" for n in range(8000)) + f"last,{'x' * 100_000}\n")
    tracemalloc.start()
    try:
        result = scoref.score(path, path, engine="numpy")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result["b3"].f1 == 1
    assert peak < 300_000_000


def test_many_groups_of_few_rows_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    key = pa.table({"mention": pa.array(range(3000)), "entity": pa.array([n // 3 for n in range(3000)])})
    response = pa.table({"mention": pa.array(range(3000)), "entity": pa.array([n // 2 for n in range(3000)])})
    scores = {}
    for size in (1, 3000):
        paths = tmp_path / f"key{size}.parquet", tmp_path / f"response{size}.parquet"
        for path, table in zip(paths, (key, response), strict=True):
            pq.write_table(table, path, row_group_size=size)
        kinds: list[str] = []
        made = in_duckdb.DuckEngine._source

        def noted(self: object, side: object, name: str, kinds: list[str] = kinds, made: object = made) -> None:
            kinds.append(side.given.kind)  # type: ignore[attr-defined]
            made(self, side, name)  # type: ignore[operator]

        with monkeypatch.context() as patch:
            patch.setattr(in_duckdb.DuckEngine, "_source", noted)
            scores[size] = scoref.score(*paths, engine="duckdb", metrics=["muc", "b3", "ceafe"]).scores
        assert kinds == (["pyarrow"] * 2 if size == 1 else ["parquet"] * 2)
    assert scores[1] == scores[3000]
    assert given(tmp_path / "key1.parquet", "key").kind == "parquet"


def test_the_default_is_a_share_of_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text("800000\n")
    monkeypatch.setattr(source, "_GROUPS", (str(limit), str(tmp_path / "none")))
    assert source._memory() == 800_000
    limit.write_text("max\n")
    assert source._memory() > 800_000
    monkeypatch.delattr("os.sysconf", raising=False)  # as on Windows
    assert source._memory() == 1 << 60
    assert source.MOST <= 4_000_000_000


def test_indices_that_a_dictionary_does_not_have_are_a_broken_table(tmp_path: Path) -> None:
    """Each bit of a small file is turned: it has a size, or it is refused."""
    path = tmp_path / "a.parquet"
    column = pa.array(["a", "b", "c", "d", "b", "a"]).dictionary_encode()
    pq.write_table(pa.table({"mention": column}), path, compression="none")
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole) // 2):
        for bit in range(8):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            try:
                refuse_large(given(path, "key"), 1 << 40)
            except scoref.Error as error:
                refused += error.code == "broken-table"
    assert refused
