"""The engine DuckDB: one machine, limited memory; what does not fit goes to a temporary folder."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait

from ...formats.table import required
from ...problems import Error, Problems
from .. import rows
from ..inputs import LibraryObject
from ..quirks import read_otherwise
from ..rows import INTEGER, TEXT
from .engine import SIDES, TableInput, TwoInputs
from .finished import Finished
from .sql import Fetched, SqlEngine

_SETTINGS = {
    "preserve_insertion_order": False,
    "autoinstall_known_extensions": False,  # would need the network
    "autoload_known_extensions": False,
}
_SHOWN = "enable_progress_bar_print = false", "enable_progress_bar = true"  # progress is asked for, and not printed
# Of the tables that take long to make: where they begin and end in their stage, as shares of it.
_PARTS = {"joined": (0, 1), "keys": (0, 0.5), "responses": (0.5, 1), "live_0": (0, 0.4), "taken": (0.4, 0.8)}
_INTERVAL = 0.2  # seconds between looks at the progress of a statement
_INTEGERS = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")


class DuckEngine(SqlEngine):
    """Counts tables through a DuckDB connection of its own."""

    name, ordered, quote, text = "duckdb", True, '"', "VARCHAR"
    _part: tuple[float, float] = (0, 0)  # of the running statement

    def __init__(
        self, sides: TwoInputs, problems: Problems, memory: str | None, temp: str | None, stages: str | None = None
    ) -> None:
        super().__init__(sides, problems)
        self._duckdb = required("duckdb")
        self._folder = None if temp else tempfile.TemporaryDirectory(prefix="scoref-")
        folder = temp or (self._folder.name if self._folder else "")
        settings = _SETTINGS | {"temp_directory": folder} | ({"memory_limit": memory} if memory else {})
        try:
            self._connection = self._duckdb.connect(stages or ":memory:", config=settings)
        except self._duckdb.Error as reason:
            if self._folder:
                self._folder.cleanup()
            raise Error("bad-memory", f"DuckDB cannot be started: {_line(reason)}", text=memory,
                        expected="a size like 4GB", remedy="change --memory, --temp or --resume") from None  # fmt: skip
        try:
            for setting in _SHOWN:
                with contextlib.suppress(self._duckdb.Error):  # notebooks without ipywidgets have no progress
                    self._connection.execute(f"SET {setting}")
            self._stages = Finished(self._run) if stages else None
            for name, side in zip(SIDES, sides, strict=True):
                self._source(side, f"{name}_source")
        except Error:
            self.close()
            raise

    def close(self) -> None:
        """End the connection, and remove temporary files."""
        self._connection.close()
        if self._folder:
            self._folder.cleanup()

    def _run(self, statement: str) -> LibraryObject:
        try:
            return self._watched(statement, self.watch) if self.watch else self._connection.execute(statement)
        except self._duckdb.OutOfMemoryException as reason:
            raise Error(
                "out-of-memory", f"DuckDB ran out of memory or of room: {_line(reason)}",
                remedy="give it more with --memory, or a folder with more room with --temp",
            ) from None  # fmt: skip
        except self._duckdb.Error as reason:
            file, text = self._named(reason)
            files = [file for side in self._sides for file in side.given.files.values()]
            raise rows.broken(file or next(iter(files), None), _line(text)) from None

    def _watched(self, statement: str, watch: Callable[[float], None]) -> LibraryObject:
        """Run a statement in a thread, and tell meanwhile how much of it is done."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(self._connection.execute, statement)
            try:
                while wait([running], _INTERVAL).not_done:
                    share = max(self._connection.query_progress(), 0.0) / 100  # -1 where it is not known
                    low, high = self._part
                    watch(low + share * (high - low))
            except BaseException:
                self._connection.interrupt()
                raise
            return running.result()

    # -- tables in ---------------------------------------------------------------------------------------------------

    def _source(self, side: TableInput, name: str) -> None:
        given = side.given
        if given.kind == "parquet":
            self._run(f"CREATE OR REPLACE VIEW {name} AS {_read('parquet', given.files, 'union_by_name = true')}")
        elif given.is_text:
            self._load_text(side, name)
        elif given.kind == "arrow" and _distinct(names := rows.names(given)) == names:
            dataset = required("pyarrow.dataset")
            self._connection.register(name, dataset.dataset(list(given.files), format="feather"))
        elif given.kind in ("pandas", "polars", "pyarrow"):
            self._connection.register(name, given.frame)
        elif given.kind == "duckdb":
            self._connection.register(name, given.frame.to_arrow_table())
        else:
            self._connection.register(name, self._as_arrow(side))

    def _load_text(self, side: TableInput, name: str) -> None:
        """Read a text file and keep it.

        What DuckDB refuses, such as lines that end in several ways, or reads otherwise, is read here, which reports bad
        rows and goes on without them under `skip`.
        """
        groups = rows.headers(side.given).items()
        read = " UNION ALL BY NAME ".join(_read_csv(mark, paths, header) for (mark, header), paths in groups)
        self._run("SET preserve_insertion_order = true")
        try:
            if any(read_otherwise(paths, mark, header) for (mark, header), paths in groups):
                raise self._duckdb.InvalidInputException("a text that DuckDB reads otherwise")
            self._connection.execute(f"CREATE OR REPLACE TABLE {name} AS {read}")
        except self._duckdb.Error:
            self._connection.register(name, self._as_arrow(side))
        self._run("SET preserve_insertion_order = false")

    def _as_arrow(self, side: TableInput) -> LibraryObject:
        arrow = required("pyarrow")
        columns = rows.read(side.given, rows.names(side.given), self._problems)
        try:
            return arrow.table({name: arrow.array(values.tolist()) for name, values in columns.items()})
        except (arrow.ArrowInvalid, arrow.ArrowTypeError) as reason:
            raise Error("bad-column", f"values of several types: {_line(reason)}", path=side.given.name,
                        expected="integers, or texts, in a column") from None  # fmt: skip

    def described(self, table: str) -> dict[str, str]:
        """The types of the columns of a table."""
        described = self._run(f"DESCRIBE SELECT * FROM {table}").fetchall()
        return {name: _type(kind) for name, kind, *_ in described}

    # -- statements --------------------------------------------------------------------------------------------------

    def _once(self, statement: str) -> None:
        (self._stages.once if self._stages else self._run)(statement)

    def keep(self, name: str, statement: str) -> None:
        """Keep the answer of a statement as a table."""
        self._part = _PARTS.get(name, (0, 0))
        self._once(f"CREATE OR REPLACE TABLE {name} AS {statement}")
        self._part = (0, 0)

    def forget(self, *names: str) -> None:
        """Drop tables."""
        for name in names:
            self._once(f"DROP TABLE IF EXISTS {name}")

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name, as a view."""
        self._run(f"CREATE OR REPLACE VIEW {name} AS {statement}")

    def fetch(self, statement: str) -> Fetched:
        """The answer of a statement as arrays."""
        if self._stages:
            return self._stages.answer(statement)
        found: Fetched = self._run(statement).fetchnumpy()
        return found

    def ranked(self, name: str, statement: str, order: str, number: str) -> None:
        """Keep it with numbers from 0 on, in this order."""
        self.keep(name, f"SELECT *, row_number() OVER (ORDER BY {order}) - 1 AS {number} FROM ({statement}) AS every")

    def numbered(self, side: str, name: str) -> None:
        """Number the rows in the order of the files."""
        self._run("SET preserve_insertion_order = true")
        self._once(f"CREATE TABLE {name} AS SELECT *, row_number() OVER () AS place FROM {side}")
        self._run("SET preserve_insertion_order = false")


def _read_csv(mark: str, paths: Iterable[str], header: Iterable[str]) -> str:
    """The statement that reads text files, all columns as texts; nothing is guessed."""
    columns = ", ".join(f"{_text(name)}: 'VARCHAR'" for name in _distinct(header))
    return _read("csv", paths, f"delim = {_text(mark)}, header = true, auto_detect = false, columns = {{{columns}}},"
                 " quote = '\"', escape = '\"', comment = '', strict_mode = true")  # fmt: skip


def _distinct(names: Iterable[str]) -> list[str]:
    """The names of columns, made distinct: a repeated name, which nobody asks for, gets a number."""
    seen: set[str] = set()
    found = []
    for place, name in enumerate(names, 1):
        found.append(f"{name} (column {place})" if name.lower() in seen else name)
        seen.add(name.lower())
    return found


def _read(kind: str, paths: Iterable[str], options: str) -> str:
    """The statement that reads files; folder names like `a=1` do not become columns."""
    return f"SELECT * FROM read_{kind}([{', '.join(map(_text, paths))}], hive_partitioning = false, {options})"


def _type(kind: str) -> str:
    if _INTEGERS.fullmatch(kind):
        return INTEGER
    return TEXT if kind.startswith(("VARCHAR", "ENUM", "UUID", '"NULL"')) else f"values of type {kind}"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _line(reason: object) -> str:
    return str(reason).split("\n")[0][:300]
