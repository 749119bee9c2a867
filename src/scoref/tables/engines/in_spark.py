"""The engine Spark: an existing cluster, or this machine in local mode, by the same SQL statements."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from ...formats.table import required
from ...problems import Error, Problems
from .. import rows
from ..inputs import LibraryObject
from ..rows import INTEGER, TEXT
from .engine import SIDES, TableInput, TwoInputs
from .sql import Fetched, SqlEngine

_INTEGERS = ("tinyint", "smallint", "int", "bigint")


class SparkEngine(SqlEngine):
    """Counts tables in a Spark session of its own, so that no view of the user is touched."""

    name, ordered, quote, words = "spark", False, "`", ("STRING", "BIGINT")

    def __init__(self, sides: TwoInputs, problems: Problems) -> None:
        super().__init__(sides, problems)
        self._session = _session(sides).newSession()
        self._kept: dict[str, LibraryObject] = {}
        for name, side in zip(SIDES, sides, strict=True):
            self._frame(side, name).createOrReplaceTempView(f"{name}_source")

    def close(self) -> None:
        """Drop what was cached; the Spark application goes on."""
        self.forget(*list(self._kept))

    def _frame(self, side: TableInput, name: str) -> LibraryObject:
        given = side.given
        try:
            if given.kind == "pyspark":
                given.frame.createOrReplaceGlobalTempView(f"scoref_{name}")
                return self._session.table(f"global_temp.scoref_{name}")
            if given.is_text:
                parts = [
                    self._session.read.options(header=True, sep=mark, mode="FAILFAST", escape='"').csv(paths)
                    for (mark, _), paths in rows.headers(given).items()
                ]
                return reduce(lambda one, other: one.unionByName(other), parts)
            if given.kind == "parquet":
                return self._session.read.parquet(*given.files)
        except Exception as reason:
            raise self._refused(reason) from None
        columns = rows.read(given, rows.names(given), self._problems)
        values = [each.tolist() for each in columns.values()]
        return self._session.createDataFrame(list(zip(*values, strict=True)), [*columns])

    def _refused(self, reason: Exception) -> Exception:
        """The error about the tables for an exception of Spark; other exceptions stay as they are."""
        if not type(reason).__module__.startswith(("pyspark", "py4j")):
            return reason
        for side in self._sides:
            if side.given.is_text:
                for _ in rows.parts(side.given, [side.columns.mention], Problems()):
                    pass  # the first bad row raises a better error
        return rows.broken(*self._named(reason))

    def described(self, table: str) -> dict[str, str]:
        """The types of the columns, from the schema."""
        return {name: _type(kind) for name, kind in self._session.table(table).dtypes}

    def keep(self, name: str, statement: str) -> None:
        """Compute it now, and cut its lineage: plans over many rounds would grow without end.

        If the application has a checkpoint folder, it is written there, and survives the loss of executors.
        """
        frame = self._sql(statement)
        folder = self._tried(self._session.sparkContext.getCheckpointDir)
        self._kept[name] = made = self._tried(frame.checkpoint if folder else frame.localCheckpoint)
        made.createOrReplaceTempView(name)

    def forget(self, *names: str) -> None:
        """Drop the views; Spark frees what nobody refers to."""
        for name in names:
            self._kept.pop(name, None)
            self._session.catalog.dropTempView(name)

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name, as a view."""
        self._sql(statement).createOrReplaceTempView(name)

    def _sql(self, statement: str) -> LibraryObject:
        return self._tried(self._session.sql, statement)

    def _tried(self, do: Callable[..., LibraryObject], *values: str) -> LibraryObject:
        """What Spark answers; its exceptions become errors about the tables."""
        try:
            return do(*values)
        except Exception as reason:
            raise self._refused(reason) from None

    def fetch(self, statement: str) -> Fetched:
        """The answer of a statement as arrays, collected row by row."""
        frame = self._sql(statement)
        found = self._tried(frame.collect)
        return {name: _array([row[number] for row in found]) for number, name in enumerate(frame.columns)}


def _array(values: list[object]) -> rows.Values:
    return np.array(values) if all(isinstance(value, int | float) for value in values) else rows.objects(values)


def _session(sides: TwoInputs) -> LibraryObject:
    """The session of the frames, the one that is running, or a new one on this machine."""
    for side in sides:
        if side.given.kind == "pyspark":
            return side.given.frame.sparkSession
    sql = required("pyspark.sql", "spark")
    running = sql.SparkSession.getActiveSession()
    if running is not None:
        return running
    try:
        return (
            sql.SparkSession.builder.appName("scoref")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "8")
            .getOrCreate()
        )
    except Exception as reason:
        raise Error("no-spark", f"Spark cannot be started: {str(reason).splitlines()[0][:200]}",
                    remedy="install Java (default-jre-headless), or use --engine duckdb") from None  # fmt: skip


def _type(kind: str) -> str:
    if kind in _INTEGERS:
        return INTEGER
    return TEXT if kind == "string" else f"values of type {kind}"
