"""The engine Spark: an existing cluster, or this machine in local mode, by the same SQL statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce

import numpy as np

from ...formats.table import required
from ...problems import Error, Problems
from .. import rows
from ..inputs import LibraryObject
from ..rows import INTEGER, TEXT
from .engine import SIDES, TableInput, TwoInputs
from .sql import Fetched, SqlEngine

_UNSIGNED = "decimal(20,0)"  # what Spark makes of unsigned integers of 64 bits
_INTEGERS = ("tinyint", "smallint", "int", "bigint", _UNSIGNED)
_DIGITS = 20
_NOTHING = "STRING"  # the type of a column without a value
_LARGEST = (1 << 63) - 1
# What Spark says where executors, or rows that only they held, are gone.
_LOST = re.compile(
    r"[^\n]*(ExecutorLostFailure|ExecutorDeadException|Checkpoint block|CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND|FetchFailed"
    r"|SparkContext was shut down|SparkContext has been shutdown|stopped SparkContext)[^\n]*"
)


class SparkEngine(SqlEngine):
    """Counts tables in a Spark session of its own, so that no view of the user is touched."""

    name, ordered, quote, text = "spark", False, "`", "STRING"

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
        return self._tried(self._of_arrays, columns, given.name)

    def _of_arrays(self, columns: Mapping[str, rows.Values], where: str) -> LibraryObject:
        """A frame of arrays. Spark guesses types from values, so what it would guess wrongly is given as texts."""
        if not any(map(len, columns.values())):
            types = (f"{self._quoted(name)} {_empty(values)}" for name, values in columns.items())
            return self._session.createDataFrame([], ", ".join(types))
        lists, chosen = [], []
        for name, values in columns.items():
            found, quoted = values.tolist(), self._quoted(name)
            kind = _guessed_wrongly(found, name, where)
            lists.append(["" if kind == _NOTHING else value if value is None or not kind else str(value)
                          for value in found])  # fmt: skip
            chosen.append(f"CAST({'NULL' if kind == _NOTHING else quoted} AS {kind}) AS {quoted}" if kind else quoted)
        return self._session.createDataFrame(list(zip(*lists, strict=True)), [*columns]).selectExpr(*chosen)

    def _refused(self, reason: Exception) -> Exception:
        """The error about the tables for an exception of Spark; other exceptions stay as they are."""
        if not type(reason).__module__.startswith(("pyspark", "py4j")):
            return reason
        if lost := _LOST.search(str(reason)):
            return self._lost(lost[0])
        for side in self._sides:
            if side.given.is_text:
                for _ in rows.parts(side.given, [side.columns.mention], Problems()):
                    pass  # the first bad row raises a better error
        return rows.broken(*self._named(reason))

    def _lost(self, reason: str) -> Error:
        """The error for rows that were computed, and are gone with the executor that held them."""
        try:
            folder = self._session.sparkContext.getCheckpointDir()
        except Exception:  # the application has ended, too
            folder = None
        remedy = "score again, with executors that have more memory or are not taken away"
        if not folder:
            remedy = ("give Spark a folder that outlives executors, spark.sparkContext.setCheckpointDir(FOLDER): joined"
                      f" tables are written there, and read again where an executor is lost; or {remedy}")  # fmt: skip
        return Error("lost-executor", f"Spark lost an executor with rows that were computed: {_line(reason)}",
                     expected="executors that stay until the score is there", remedy=remedy)  # fmt: skip

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

    def _tried(self, do: Callable[..., LibraryObject], *values: object) -> LibraryObject:
        """What Spark answers; its exceptions become errors about the tables."""
        try:
            return do(*values)
        except Exception as reason:
            raise self._refused(reason) from None

    def ranked(self, name: str, statement: str, order: str, number: str) -> None:
        """Keep it sorted, part by part, with numbers that rise from part to part: no part sees all rows."""
        ordered = f"SELECT * FROM ({statement}) AS every ORDER BY {order}"
        self.keep(name, f"SELECT *, monotonically_increasing_id() AS {number} FROM ({ordered}) AS ordered")

    def fetch(self, statement: str) -> Fetched:
        """The answer of a statement as arrays, collected row by row."""
        frame = self._sql(statement)
        found = self._tried(frame.collect)
        return {name: _array([row[number] for row in found]) for number, name in enumerate(frame.columns)}


def _empty(values: rows.Values) -> str:
    return "BIGINT" if rows.type_of(values) == INTEGER else _NOTHING


def _guessed_wrongly(values: list[object], name: str, where: str) -> str | None:
    """The type of a column where Spark cannot guess it: of numbers above 63 bits, and where all values are missing."""
    if all(value is None for value in values):
        return _NOTHING
    numbers = [value for value in values if isinstance(value, int)]
    if max((abs(number) for number in numbers), default=0) <= _LARGEST:
        return None
    odd = next((number for number in numbers if abs(number) >= 10**_DIGITS), None)
    if odd is not None:
        raise Error("bad-column", f"a whole number that Spark has no room for: {odd}", path=where, text=name,
                    expected=f"at most {_DIGITS} digits", remedy="convert the column to texts")  # fmt: skip
    return _UNSIGNED


def _line(reason: str) -> str:
    return " ".join(reason.lstrip(": ").split())[:300]


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
