"""Spark: where rows are while they are counted, what it says when they are lost, and integers without a sign."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

import scoref
from scoref.tables.engines.in_spark import SparkEngine

METRICS = ["mentions", "muc", "b3", "ceafe", "ceafm", "blanc", "lea"]
BIG = 2**64 - 9


def tables(random: Random, number: int, documents: int) -> list[dict[str, list[object]]]:
    """Two noisy clusterings: what no rule of CEAF decides is left to the solver, and documents have long names."""
    sides = []
    for _ in range(2):
        found = [(f"doc {mention % documents:03d}", mention, f"e{random.randrange(number // 4)}")
                 for mention in range(number) if random.random() < 0.95]  # fmt: skip
        columns = zip(*found, strict=True)
        sides.append(dict(zip(("document", "mention", "entity"), map(list, columns), strict=True)))
    return sides


def arrow(columns):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    return pyarrow.table(columns)


def frames(spark, sides):
    return [spark.createDataFrame(list(zip(*each.values(), strict=True)), list(each)) for each in sides]


HOWS = [{}, {"scope": "corpus"}, {"scope": "corpus", "columns": "parts"}, {"singletons": "drop"}]


@pytest.mark.parametrize("how", HOWS, ids=str)
def test_every_bit_as_duckdb(spark, how):
    """With several parts, so that numbers of units and of what is left have gaps."""
    sides = tables(Random(3), 120, 7)
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    try:
        found = scoref.score(*frames(spark, sides), metrics=METRICS, **how)
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "1")
    expected = scoref.score(*map(arrow, sides), engine="duckdb", metrics=METRICS, **how)
    assert found.documents == expected.documents
    for name, counts in expected.counts.items():
        assert np.array_equal(found.counts[name], counts), name


def lone_stages(plan: str) -> list[str]:
    """What brings all rows to one place: only sums may, of which each place has made its own before."""
    lines = plan.splitlines()
    moved = [number for number, line in enumerate(lines) if "SinglePartition" in line]
    return [lines[number - 1] for number in moved if "Aggregate(" not in lines[number - 1]]


@pytest.mark.parametrize("how", HOWS[:3], ids=str)
def test_no_stage_moves_all_rows_to_one_place(spark, monkeypatch, how):
    plans = []
    asked = SparkEngine._sql

    def watched(self, statement):
        frame = asked(self, statement)
        plans.append(frame._jdf.queryExecution().executedPlan().toString())
        return frame

    monkeypatch.setattr(SparkEngine, "_sql", watched)
    sides = frames(spark, tables(Random(5), 60, 4))
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    try:
        scoref.score(*sides, metrics=METRICS, **how)
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "1")
    assert len(plans) > 10
    assert any(re.search(r"Window|rangepartitioning", plan) for plan in plans)
    assert [line for plan in plans for line in lone_stages(plan)] == []


def test_the_watch_sees_a_window_without_a_partition(spark):
    """The check above is not blind: what it forbids is found in a plan that does it."""
    frame = spark.createDataFrame([(1,), (2,)], ["a"]).repartition(2)
    frame.createOrReplaceTempView("watched")
    bad = spark.sql("SELECT a, row_number() OVER (ORDER BY a) AS n FROM watched")
    assert lone_stages(bad._jdf.queryExecution().executedPlan().toString())


def losing(spark, monkeypatch) -> None:
    """Takes away what Spark keeps for this process alone, as the end of an executor does."""
    asked = SparkEngine.fetch

    def fetch(self, statement):
        if "joined" in statement:
            kept = spark.sparkContext._jsc.getPersistentRDDs()
            for number in list(kept):
                kept[number].unpersist(True)
        return asked(self, statement)

    monkeypatch.setattr(SparkEngine, "fetch", fetch)


def test_a_lost_executor_is_no_damaged_table(spark, monkeypatch):
    sides = frames(spark, tables(Random(5), 40, 4))
    losing(spark, monkeypatch)
    with pytest.raises(scoref.Error, match="lost an executor") as raised:
        scoref.score(*sides, metrics=["b3"])
    assert raised.value.code == "lost-executor"
    assert "Checkpoint block" in str(raised.value)
    assert "setCheckpointDir" in raised.value.problem.remedy
    assert "write or copy it again" not in str(raised.value)


def test_with_a_checkpoint_folder_nothing_is_lost(spark, monkeypatch, tmp_path):
    sides = frames(spark, tables(Random(5), 40, 4))
    expected = scoref.score(*sides, metrics=["b3"]).counts["b3"]
    losing(spark, monkeypatch)
    context = spark.sparkContext
    monkeypatch.setattr(type(context), "getCheckpointDir", lambda self: str(tmp_path))
    context.setCheckpointDir(str(tmp_path))
    assert np.array_equal(scoref.score(*sides, metrics=["b3"]).counts["b3"], expected)


@pytest.mark.parametrize("message", [
    "Job aborted due to stage failure: Task 1 in stage 3.0 failed 4 times, most recent failure: Lost task 1.3 in stage"
    " 3.0: ExecutorLostFailure (executor 2 exited caused by one of the running tasks) Reason: Remote RPC client gone",
    "Job 4 cancelled because SparkContext was shut down",
])  # fmt: skip
def test_what_spark_says_of_lost_executors(spark, monkeypatch, message):
    from pyspark.errors import PySparkRuntimeError

    def gone(self, statement):
        raise self._refused(PySparkRuntimeError(message))

    monkeypatch.setattr(SparkEngine, "fetch", gone)
    with pytest.raises(scoref.Error, match=r"\[lost-executor\]"):
        scoref.score(*frames(spark, tables(Random(5), 20, 2)))


# -- whole numbers of 64 bits without a sign -------------------------------------------------------------------------


def unsigned(documents: bool, response: bool):
    """Numbers that have no room with a sign; those of the response are signed, as far as they can be."""
    mentions = [1, 2, 3, 4, 5, BIG, BIG + 1] if not response else [1, 2, 3, 4, -1, BIG, BIG + 2]
    kind = np.uint64 if min(mentions) >= 0 else object
    columns = {"mention": np.array(mentions, kind), "entity": np.array([BIG, BIG, 7, 7, 7, 8, 8], np.uint64)}
    if response:
        columns = {
            name: values[values < 2**63] if name == "mention" else values[:5] for name, values in columns.items()
        }
        columns["mention"] = columns["mention"].astype(np.int64)
    if documents:
        columns["document"] = np.array([BIG] * 4 + [3] * 3, np.uint64)[: len(columns["mention"])]
    return columns


@pytest.mark.parametrize("documents", [False, True])
@pytest.mark.parametrize("form", ["parquet", "arrow", "pandas"])
def test_unsigned_numbers_on_every_engine(spark, tmp_path, documents, form):
    """As names: the same clusterings with texts for numbers, scored as plain tables."""
    sides = [unsigned(documents, response) for response in (False, True)]
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    texts = [arrow({name: [str(value) for value in each.tolist()] for name, each in side.items()}) for side in sides]
    expected = scoref.score(*texts, engine="numpy", metrics=METRICS)
    given = [arrow(side) for side in sides]
    if form == "parquet":
        for number, table in enumerate(given):
            parquet.write_table(table, tmp_path / f"{number}.parquet")
        given = [tmp_path / f"{number}.parquet" for number in range(2)]
    elif form == "pandas":
        given = [table.to_pandas() for table in given]
    for engine in ("numpy", "duckdb", "spark"):
        found = scoref.score(*given, engine=engine, metrics=METRICS)
        assert found.counts.keys() == expected.counts.keys()
        places = [found.documents.index(name) for name in expected.documents] if documents else [0]
        counts = [found.counts[name][places].ravel() for name in expected.counts]
        assert np.concatenate(counts) == pytest.approx(
            np.concatenate([each.ravel() for each in expected.counts.values()])
        ), engine


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_number_and_its_complement_are_two(engine):
    """-1 with a sign and 2⁶⁴ - 1 without one have the same bits."""
    sides = np.array([-1, 5], np.int64), np.array([2**64 - 1, 5], np.uint64)
    for extra in ({}, {"document": np.array([1, 1])}):
        given = [arrow({"mention": side, "entity": [1, 1], **extra}) for side in sides]
        result = scoref.score(*given, engine=engine, metrics=["mentions"])
        assert result.counts["mentions"].tolist() == [[1, 2, 1, 2]]


@pytest.mark.parametrize("engine", ["numpy", "duckdb", "spark"])
def test_documents_keep_their_names(request, engine):
    if engine == "spark":
        request.getfixturevalue("spark")
    key = arrow({"document": [-3, 4, 4], "mention": [1, 2, 3], "entity": [1, 1, 1]})
    response = arrow({"document": np.array([2**63, 4, 4], np.uint64), "mention": [1, 2, 3], "entity": [1, 1, 2]})
    result = scoref.score(key, response, engine=engine, extra="ignore")
    assert result.documents == ("-3", "4")


def test_a_number_that_spark_has_no_room_for(spark):
    sides = [{"a": 1, "b": 2}, {"a": 10**30, "b": 2}]
    assert scoref.score(*sides, engine="numpy", metrics=["b3"])["b3"].f1 == 1
    with pytest.raises(scoref.Error, match="no room for: 1000") as raised:
        scoref.score(*sides, engine="spark")
    assert raised.value.code == "bad-column"
    assert raised.value.problem.text == "entity"
    assert "convert the column" in raised.value.problem.remedy


def test_a_table_without_rows_on_spark(spark):
    key = arrow({"mention": [1, 2], "entity": [1, 1]})
    result = scoref.score(key, key.slice(0, 0), engine="spark", metrics=["mentions"])
    assert result.counts["mentions"].tolist() == [[0, 2, 0, 0]]
