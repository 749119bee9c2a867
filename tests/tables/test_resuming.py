"""A run on tables that is stopped, and gone on with: nothing that was done is done again, the scores are the same."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref import Error

METRICS = ["muc", "b3", "lea", "blanc", "ceafm", "ceafe"]
# Scores two tables, and ends without a word at the n-th report of progress, as if killed.
STOPPED = f"""
import os, sys, scoref
key, response, folder, reports = sys.argv[1:]
left = [int(reports)]
def progress(*said):
    left[0] -= 1
    if not left[0]:
        os._exit(9)
scoref.score(key, response, metrics={METRICS!r}, resume=folder, progress=progress)
print("through")
"""

pytest.importorskip("duckdb")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is stopped by a report of its own")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Two Parquet files of 3,000 mentions, a third of them in another entity."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("tables")
    random = np.random.default_rng(5)
    key = random.integers(0, 800, 3000)
    moved = np.where(random.random(3000) < 0.3, random.integers(0, 800, 3000), key)
    for name, entity in (("key", key), ("response", moved)):
        ids = random.permutation(3000)[:2950]
        parquet.write_table(arrow.table({"mention": ids, "entity": entity[ids]}), folder / f"{name}.parquet")
    return [str(folder / f"{name}.parquet") for name in ("key", "response")]


@pytest.fixture
def statements(monkeypatch):
    """The statements that make tables, as they are run."""
    from scoref.tables.engines.in_duckdb import DuckEngine

    made, run = [], DuckEngine._run

    def noted(self, statement):
        if statement.startswith("CREATE OR REPLACE TABLE"):
            made.append(statement.split()[4])
        return run(self, statement)

    monkeypatch.setattr(DuckEngine, "_run", noted)
    return made


def test_a_run_that_was_stopped_goes_on(tables, tmp_path, statements):
    whole = scoref.score(*tables, metrics=METRICS, engine="duckdb")
    made, left = [*statements], [len(statements)]
    stages = len({*METRICS} & {"ceafm", "ceafe"}) + 3
    for reports in range(2, stages + 2):
        folder = tmp_path / str(reports)
        folder.mkdir()
        command = [sys.executable, "-c", STOPPED, *tables, str(folder), str(reports)]
        assert subprocess.run(command, capture_output=True).returncode == 9
        assert [path.suffix for path in folder.iterdir() if path.suffix != ".wal"] == [".duckdb"]
        statements.clear()
        result = scoref.score(*tables, metrics=METRICS, resume=folder)
        assert dict(result.scores) == dict(whole.scores)
        assert not [*folder.iterdir()]
        assert made[len(made) - len(statements) :] == statements  # those that were left
        left.append(len(statements))
    assert left == sorted(left, reverse=True)
    assert left[0] > left[1] > left[-2] > left[-1]


def test_other_tables_and_other_metrics_do_not_go_on_from_it(tables, tmp_path, statements):
    command = [sys.executable, "-c", STOPPED, *tables, str(tmp_path), "4"]
    assert subprocess.run(command, capture_output=True).returncode == 9
    kept = {path.name for path in tmp_path.iterdir()}
    for sides, metrics in ((tables, ["b3"]), (tables[::-1], METRICS)):
        statements.clear()
        found = scoref.score(*sides, metrics=metrics, resume=tmp_path)
        assert "joined" in statements
        whole = scoref.score(*sides, metrics=metrics, engine="numpy")
        assert [found[name].f1 for name in metrics] == pytest.approx([whole[name].f1 for name in metrics], abs=1e-12)
        assert {path.name for path in tmp_path.iterdir()} == kept


def test_a_table_that_was_written_again_is_read_again(tables, tmp_path, statements):
    copies = [tmp_path / "key.parquet", tmp_path / "response.parquet"]
    (tmp_path / "kept").mkdir()
    for copy, table in zip(copies, tables, strict=True):
        copy.write_bytes(Path(table).read_bytes())
    command = [sys.executable, "-c", STOPPED, *map(str, copies), str(tmp_path / "kept"), "4"]
    assert subprocess.run(command, capture_output=True).returncode == 9
    copies[1].write_bytes(copies[0].read_bytes())
    assert scoref.score(*copies, metrics=METRICS, resume=tmp_path / "kept")["b3"].f1 == 1
    assert "joined" in statements


def test_input_that_is_refused_leaves_nothing(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "key.csv").write_text("mention,entity\na,1\na,2\n")
    with pytest.raises(Error) as caught:
        scoref.score(tmp_path / "key.csv", tmp_path / "key.csv", duplicates="error", resume=tmp_path / "kept")
    assert caught.value.code == "duplicate-mention"
    assert not [*(tmp_path / "kept").iterdir()]


@pytest.mark.parametrize(("how", "code", "says"), [
    ({"engine": "numpy"}, "not-kept", "the engine numpy keeps no stages"),
    ({"resume": "not there"}, "no-folder", "the folder for finished stages is not there"),
])  # fmt: skip
def test_what_cannot_be_gone_on_with_is_refused(tables, tmp_path, how, code, says):
    with pytest.raises(Error, match=says) as caught:
        scoref.score(*tables, **({"resume": tmp_path} | how))
    assert caught.value.code == code


def test_tables_that_are_no_files_are_refused(tmp_path):
    with pytest.raises(Error, match="only tables in files can be gone on with") as caught:
        scoref.score({"a": 1}, {"a": 1}, resume=tmp_path)
    assert caught.value.code == "not-kept"


def test_a_file_with_other_stages_is_refused():
    import duckdb

    from scoref.tables.engines.finished import Finished

    connection = duckdb.connect()
    Finished(connection.execute).once("CREATE TABLE one AS SELECT 1")
    again = Finished(connection.execute)
    with pytest.raises(Error, match="number 1 differs"):
        again.once("CREATE TABLE one AS SELECT 2")


def test_a_report_that_raises_ends_the_run(tables):
    def progress(*said):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scoref.score(*tables, metrics=METRICS, engine="duckdb", progress=progress)


def test_where_duckdb_tells_no_progress_tables_are_scored(tables, monkeypatch):
    """As in a notebook without ipywidgets, where its settings are refused."""
    monkeypatch.setattr("scoref.tables.engines.in_duckdb._SHOWN", ("no_such_setting = true",))
    assert scoref.score(*tables, metrics=METRICS, engine="duckdb").scores.keys() == {*METRICS}
