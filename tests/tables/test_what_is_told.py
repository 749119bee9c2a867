"""What is told of tables that cannot be scored: code, place, text, expectation and remedy of each error, by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import scoref
from scoref.formats import Hows
from scoref.problems import Error, Problem, Problems
from scoref.tables import opening, sampling
from scoref.tables.documents import as_documents
from scoref.tables.engines import in_duckdb, in_spark
from scoref.tables.engines.engine import TableInput
from scoref.tables.engines.finished import Finished, file_of, kept
from scoref.tables.inputs import Input, chosen, given
from scoref.tables.run import refuse


class DataFrame:
    """As a frame of Spark looks from outside."""

    columns = "mention", "entity"


DataFrame.__module__ = "pyspark.sql.dataframe"
FRAME = DataFrame()


class T(NamedTuple):
    """What is told, but for the message."""

    code: str
    path: str | None = None
    line: int | None = None
    document: str | None = None
    text: str | None = None
    expected: str | None = None
    remedy: str | None = None

    @classmethod
    def of(cls, problem: Problem) -> T:
        return cls(*(getattr(problem, name) for name in cls._fields))


@contextmanager
def tells(*what: str | int | None, **more: str | int | None) -> Iterator[None]:
    with pytest.raises(Error) as caught:
        yield
    assert T.of(caught.value.problem) == T(*what, **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Writes two tables in the current folder; gives their names."""
    monkeypatch.chdir(tmp_path)

    def write(key: str, response: str = "") -> list[str]:
        for name, rows in (("key.csv", key), ("response.csv", response or key)):
            Path(name).write_text("\n".join(rows.split()) + "\n")
        return ["key.csv", "response.csv"]

    return write


PLAIN = "mention,entity a,1 b,1"
SKIP = "fix the table, or leave such rows out with --on-problem skip"
ENGINES = ["numpy", "duckdb"]


# -- columns and fields ----------------------------------------------------------------------------------------------


def test_fields(written: Callable[..., list[str]]) -> None:
    tables = written("document,mention,entity,year d,a,1,7 d,b,1,8 e,a,1,9")
    for engine in ENGINES:
        with tells("several-values", document="d", expected="one value for each document",
                   remedy="score with --scope corpus, where mentions have fields"):  # fmt: skip
            scoref.score(*tables, columns="document,mention,entity,year", engine=engine)
    with tells("no-documents", expected="--average micro",
               remedy="name the column of documents: --columns document=NAME"):  # fmt: skip
        scoref.score(*tables, columns="document,mention,entity,year", scope="corpus", average="macro")
    with tells("not-on-tables", expected="no --by and no --unit", remedy="choose other metrics"):
        scoref.score(*tables, columns="document,mention,entity,year", scope="corpus", metrics=["links-within"])
    with tells("not-sampled", expected="columns of mentions, entities and documents", remedy="leave the fields out"):
        scoref.score(*tables, columns="document,mention,entity,year", sampled="uniform")
    with tells("bad-columns", "response.csv", expected="fields of the key, which the response may have too",
               remedy="name its column in the key as well: --key-columns year=NAME"):  # fmt: skip
        scoref.score(*tables, key_columns="mention,entity", response_columns="mention,entity,year")
    with tells("unknown-column", "key.csv", expected="one of document, mention, entity, year",
               remedy="name a column of the table"):  # fmt: skip
        scoref.score(*tables, columns="mention,entity,month")
    with tells("unknown-column", "response.csv", expected="one of document, mention, entity, year",
               remedy="name the columns: --response-columns mention=NAME,entity=NAME"):  # fmt: skip
        scoref.score(*tables, key_columns="mention,entity", response_columns="mention=id,entity")
    with tells("bad-columns", "key.csv", expected="two columns",
               remedy="name them: --key-columns mention=NAME,entity=NAME"):  # fmt: skip
        scoref.score(*tables, key_columns="mention=entity,entity")
    with tells("bad-columns", "key.csv", expected="one of document, mention, entity, year, or uniform",
               remedy="name the column: --sampled COLUMN"):  # fmt: skip
        scoref.score(*tables, sampled="month")


def test_a_field_that_the_response_lacks_and_one_that_it_has(written: Callable[..., list[str]]) -> None:
    """A field of the key that the response lacks is no error, and that of the response need not be called alike."""
    tables = written("mention,entity,year a,1,7 b,1,8", "mention,entity,jahr a,1,7 b,1,8")
    for engine in ENGINES:
        for columns in ("mention,entity,year", "mention,entity,year=jahr"):
            how = {"key_columns": "mention,entity,year", "response_columns": columns, "metrics": ["mentions"]}
            result = scoref.score(*tables, **how, engine=engine)
            assert result.documents == ("7", "8")
            assert result.counts["mentions"].tolist() == [[1, 1, 1, 1]] * 2


def test_types(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    numbers = pandas.DataFrame({"document": [1, 1], "mention": [1, 2], "entity": [1, 1]})
    for role in ("mention", "document"):
        texts = numbers.assign(**{role: numbers[role].astype(str)})
        for sides, expected in (((numbers, texts), "integers"), ((texts, numbers), "texts")):
            for call in (scoref.score, scoref.analyse):
                with tells("different-types", "response (pandas)", expected=f"{expected}, as in key (pandas)",
                           remedy="convert one of the columns"):  # fmt: skip
                    call(*sides)
    convert = "convert the column; whole numbers become fractions where values are missing"
    for role in ("mention", "entity", "document"):
        odd = numbers.assign(**{role: numbers[role] + 0.5}).rename(columns={"entity": "cluster"})
        column = {"entity": "cluster"}.get(role, role)
        for call in (scoref.score, scoref.analyse):
            with tells("bad-column", "response (pandas)", text=column, expected="integers or texts", remedy=convert):
                call(numbers, odd)
    mixed = pandas.DataFrame({"mention": [1, "a"], "entity": [1, 1]})
    with tells("bad-column", "key (pandas)", text="mention", expected="integers or texts", remedy=convert):
        scoref.score(mixed, mixed, engine="numpy")


# -- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_rows(written: Callable[..., list[str]], engine: str) -> None:
    how: dict[str, Any] = {"engine": engine}
    for rows, role in (("m,e a,1 ,1 ,2", "a mention"), ("m,e a,1 b, c,", "an entity")):
        columns = {"mention": "m", "entity": "e"}
        name = "me"[role == "an entity"]
        with tells("missing-value", "key.csv", 3, None, name, f"{role} in each row", SKIP):
            scoref.score(*written(rows), columns=columns, **how)
        with pytest.raises(Error, match=f"^2 rows without {role}"):
            scoref.score(*written(rows), columns=columns, **how)
    with tells("empty-file", "key.csv", remedy="check the table"):
        scoref.score(*written("mention,entity", PLAIN), **how)
    (problem,) = scoref.score(*written(PLAIN, "mention,entity"), **how).problems
    assert T.of(problem) == T(
        "empty-file", "response.csv", remedy="nothing, if it is meant: it counts as an empty response")  # fmt: skip
    with tells("empty-file", "key.csv", expected="a line with the names of columns"):
        scoref.score(*written("", PLAIN), **how)
    with tells("duplicate-mention", "response.csv", 4, None, "a", "each mention once: in a table it has one entity",
               "choose which row counts with --duplicates first or last"):  # fmt: skip
        scoref.score(*written(PLAIN, f"{PLAIN} a,2"), **how)
    with tells("not-on-tables", "key.csv", 4, None, "a", "each mention once",
               "give the entities as clusters: in Python, or as a JSON file"):  # fmt: skip
        scoref.score(*written(f"{PLAIN} a,2"), metrics=["b3-extended"], **how)
    with tells("lone-documents", "key.csv", text="document", expected="a column of documents in all tables, or in none",
               remedy="add the column to response.csv"):  # fmt: skip
        scoref.score(*written("document,mention,entity d,a,1 e,a,1", PLAIN), **how)


@pytest.mark.parametrize("engine", ENGINES)
def test_documents(written: Callable[..., list[str]], engine: str) -> None:
    """The first in the order of names is told, and how many there are."""
    tables = written("document,mention,entity d,a,1 e,a,1 f,a,1", "document,mention,entity d,a,1")
    (problem,) = scoref.score(*tables, engine=engine).problems
    assert problem.message == "the response lacks 2 of the documents"
    assert (T.of(problem), problem.fatal) == (
        T("missing-document", "response.csv", document="e",
          remedy="nothing, if it is meant: their response counts as empty"), False,
    )  # fmt: skip
    what = T("extra-document", "key.csv", None, "e", None, "only documents of the key",
             "remove them, or leave them out with --on-problem skip")  # fmt: skip
    with tells(*what):
        scoref.score(*tables[::-1], engine=engine)
    for how, fatal in (({"on_problem": "skip"}, True), ({"extra": "ignore"}, False)):
        (problem,) = scoref.score(*tables[::-1], engine=engine, **how).problems
        assert (T.of(problem), problem.fatal) == (what, fatal)
        assert problem.message == "2 documents that the key does not have"


def test_the_second_row_with_a_mention_is_that_of_its_document(written: Callable[..., list[str]]) -> None:
    """Numbers and texts, in files and frames; what Spark has no lines for has none."""
    rows = {"document": ["d", "e", "e"], "mention": [7, 7, 7], "entity": [1, 1, 2]}
    pandas = pytest.importorskip("pandas")
    with tells("duplicate-mention", "key (pandas)", 3, None, "7", "each mention once: in a table it has one entity",
               "choose which row counts with --duplicates first or last"):  # fmt: skip
        scoref.score(pandas.DataFrame(rows), pandas.DataFrame(rows))
    side = TableInput(given(FRAME, "key"), chosen(["mention", "entity"], {}, None))
    assert opening._second(side, "7") == opening._first_missing(side, "mention") == ("key (pyspark)", None)
    assert sampling._line(side, "7") is None


@pytest.mark.parametrize(
    ("how", "expected", "other"),
    [
        ({"match": "partial"}, "exact", "--match exact"), ({"nested": "drop"}, "keep", "--nested keep"),
        ({"scope": "dataset"}, "document or corpus", "--scope document"),
        ({"window": 3}, "0", "--window 0"), ({"window_rule": "propp"}, "clean", "--window-rule clean"),
        ({"prefix": 50}, "100", "--prefix 100"), ({"mentions": "np"}, "all", "--mentions all"),
        ({"agree": "type"}, "none", "--agree none"), ({"weights": "x"}, "none", "--weights none"),
        ({"layer": "bridging"}, "identity", "--layer identity"),
        ({"split": "only"}, "credit or ignore", "--split credit"),
    ],
)  # fmt: skip
def test_choices_that_tables_do_not_have(how: dict[str, Any], expected: str, other: str) -> None:
    protocol = scoref.Protocol.parse("conll-2012")
    refuse(protocol, ())
    with tells("not-on-tables", expected=expected, remedy=f"use {other}, or another format (--format)"):
        refuse(protocol.change(**how), ())


def test_metrics_that_tables_do_not_have() -> None:
    with pytest.raises(Error, match=r"^mor, bridging cannot be computed from tables") as caught:
        refuse(scoref.Protocol.parse("conll-2012"), ("b3", "mor", "bridging"))
    problem = caught.value.problem
    assert (problem.code, problem.remedy) == ("not-on-tables", "choose others with --metrics")
    *_, some, of = (problem.expected or "").partition("some of ")
    known = of.split(", ")
    assert (some, {"muc", "b3", "ceafe", "lea"} <= {*known}) == ("some of ", True)
    assert not {"mor", "bridging", "conll"} & {*known}
    with tells("not-on-tables", expected="--twinless as-is, or --singletons keep",
               remedy="choose one of them, or other metrics"):  # fmt: skip
        scoref.score({"a": 1, "b": 1}, {"a": 1}, singletons="e2e", twinless="all", metrics=["ceafe"])


# -- what has no place -----------------------------------------------------------------------------------------------


def test_files_and_folders(written: Callable[..., list[str]], tmp_path: Path) -> None:
    tables = written(PLAIN)
    kept_in = tmp_path / "kept"
    with tells("no-folder", str(kept_in), remedy="make it"):
        scoref.score(*tables, resume=kept_in, engine="duckdb")
    kept_in.mkdir()
    with tells("not-kept", expected="the engine duckdb", remedy="leave out --engine, or --resume"):
        scoref.score(*tables, resume=kept_in, engine="numpy")
    without = T("not-kept", expected="two files", remedy="write the tables to files, or leave out --resume")
    for sides in ((tables[0], {"a": 1, "b": 1}), ({"a": 1, "b": 1}, tables[0])):
        with tells(*without):
            scoref.score(*sides, resume=kept_in)
    assert [*kept_in.iterdir()] == []
    with tells("bad-memory", text="much", expected="a size like 4GB",
               remedy="change --memory, --temp or --resume"):  # fmt: skip
        scoref.score(*tables, memory="much", engine="duckdb")
    with tells("unknown-engine", expected="one of auto, numpy, duckdb, spark"):
        scoref.score(*tables, engine="sqlite")


def test_stages() -> None:
    """Of another run: the second statement differs."""
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    first = Finished(connection.execute)
    first.once("CREATE TABLE one AS SELECT 'it''s' AS a")
    first.once("CREATE TABLE two AS SELECT 2 AS a")
    again = Finished(connection.execute)
    again.once("CREATE TABLE one AS SELECT 'it''s' AS a")
    with tells("other-stages", expected="the stages of this run", remedy="name another folder with --resume"):
        again.once("CREATE TABLE two AS SELECT 3 AS a")
    assert again.answer("SELECT 4 AS a")["a"].tolist() == [4]


def test_the_file_of_a_run_depends_on_all_that_is_named(tmp_path: Path) -> None:
    files = {file_of(str(tmp_path), *each) for each in (("a",), ("a", "b"), ("b", "a"), ("ab",))}
    assert len(files) == 4
    assert {Path(file).parent for file in files} == {tmp_path}
    assert {len(Path(file).name) for file in files} == {len("scoref-.duckdb") + 24}


@pytest.mark.parametrize(
    ("raised", "stays"),
    [(None, False), (Error("out-of-memory", ""), True), (Error("bad-row", ""), False), (KeyboardInterrupt(), True)],
)
def test_what_a_run_can_go_on_from_is_kept(tmp_path: Path, raised: BaseException | None, stays: bool) -> None:
    """Not what is through, nor what was refused."""
    file = tmp_path / "kept"
    for path in (file, tmp_path / "kept.wal"):
        path.write_text("")
    with pytest.raises(type(raised)) if raised else nullcontext(), kept(str(file)):
        if raised:
            raise raised
    assert len([*tmp_path.iterdir()]) == 2 * stays
    with kept(None):
        pass


def test_duckdb_without_room(written: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    tables = written(PLAIN)
    why = f"no room {'x' * 400}\nand more"

    def full(self: object, name: str, statement: str) -> None:
        raise failed(why)

    made = in_duckdb.DuckEngine._watched

    def failing(self: Any, statement: str, watch: object) -> object:
        if "joined" in statement:
            raise failed(why)
        return made(self, statement, watch)

    monkeypatch.setattr(in_duckdb.DuckEngine, "_watched", failing)
    failed = duckdb.OutOfMemoryException
    with tells("out-of-memory", remedy="give it more with --memory, or a folder with more room with --temp"):
        scoref.score(*tables, engine="duckdb")
    with pytest.raises(Error) as caught:
        scoref.score(*tables, engine="duckdb")
    assert caught.value.problem.message == f"DuckDB ran out of memory or of room: no room {'x' * 292}"
    failed, broken = duckdb.IOException, ("a whole file; this one may be cut off", "write or copy it again")
    with tells("broken-table", "key.csv", None, None, None, *broken):
        scoref.score(*tables, engine="duckdb")
    why = f"in {Path('response.csv').absolute()}: torn"
    with pytest.raises(Error) as caught:
        scoref.score(*tables, engine="duckdb")
    assert T.of(caught.value.problem) == T("broken-table", "response.csv", None, None, None, *broken)
    assert caught.value.problem.message == "the table cannot be read: in response.csv: torn"
    with tells("broken-table", None, None, None, None, *broken):
        scoref.score({"a": 1}, {"a": 1}, engine="duckdb")


# -- Spark, without it -----------------------------------------------------------------------------------------------


def test_frames_of_spark_are_for_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    with tells("not-on-tables", "key (pyspark)", remedy="collect it first: frame.toPandas()"):
        as_documents([FRAME, FRAME], Hows())
    with tells("unknown-engine", expected="--engine spark"):
        scoref.score(FRAME, FRAME, engine="duckdb")
    asked: list[object] = []

    class Asked(Exception):
        pass

    def engine(*options: object) -> None:
        asked.append(options)
        raise Asked

    monkeypatch.setattr(in_spark, "SparkEngine", engine)
    problems = Problems()
    for sides in ((FRAME, FRAME), (FRAME, {"a": 1}), ({"a": 1}, FRAME)):
        with (
            pytest.raises(Asked),
            opening.opened(*sides, scoref.Protocol.parse("conll-2012"), problems, opening.Options()),
        ):
            pass
    assert [(len(tables), found) for tables, found in asked] == [(2, problems)] * 3  # type: ignore[misc]


def spark(name: str) -> in_spark.SparkEngine:
    """An engine without a session, that was given one file."""
    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    side = TableInput(Input("parquet", {f"/tmp/{name}": name}, None, name), chosen(["mention", "entity"], {}, None))
    engine._sides = side, side
    return engine


def test_what_spark_says() -> None:
    class Raised(Exception):
        pass

    plain = Raised("in /tmp/t.parquet")
    assert spark("t.parquet")._refused(plain) is plain
    for module in ("pyspark.errors", "py4j.protocol"):
        Raised.__module__ = module
        error = spark("t.parquet")._refused(Raised("in /tmp/t.parquet"))
        assert isinstance(error, Error)
        assert T.of(error.problem) == T(
            "broken-table", "t.parquet", expected="a whole file; this one may be cut off",
            remedy="write or copy it again",
        )  # fmt: skip
        lost = spark("t.parquet")._refused(Raised(f"What?\n : FetchFailed {'x' * 400}\nand more"))
        assert isinstance(lost, Error)
        where = "give Spark a folder that outlives executors, spark.sparkContext.setCheckpointDir(FOLDER): joined"
        assert T.of(lost.problem) == T(
            "lost-executor", expected="executors that stay until the score is there",
            remedy=f"{where} tables are written there, and read again where an executor is lost; or score again, with"
            " executors that have more memory or are not taken away",
        )  # fmt: skip
        assert lost.problem.message.endswith(f": FetchFailed {'x' * 288}")


def test_types_that_spark_would_guess_wrongly() -> None:
    """Numbers beyond 63 bits, and columns in which nothing stands."""
    guessed = in_spark._guessed_wrongly
    largest = 2**63 - 1
    assert [guessed(values, "a", "t") for values in ([1, largest, None], [-largest], ["a", None], [])] == [
        None, None, None, "STRING"]  # fmt: skip
    assert [guessed(values, "a", "t") for values in ([largest + 1], [-largest - 1, 3], [10**20 - 1])] == [
        "decimal(20,0)"] * 3  # fmt: skip
    assert guessed([None, None], "a", "t") == "STRING"
    for odd in (10**20, -(10**20)):
        with tells("bad-column", "t", text="a", expected="at most 20 digits", remedy="convert the column to texts"):
            guessed([1, None, odd], "a", "t")
    kinds = "tinyint", "smallint", "int", "bigint", "decimal(20,0)", "string", "double"
    assert [in_spark._type(kind) for kind in kinds] == ["integers"] * 5 + ["texts", "values of type double"]
    assert [in_spark._empty(np.array([], kind)) for kind in (np.int64, object)] == ["BIGINT", "STRING"]
    assert [in_spark._array(values).dtype.kind for values in ([1, 2], [1, 0.5], [1, None], ["a"])] == [*"ifOO"]
    assert in_spark._line(f": a\n b{'x' * 400}") == f"a b{'x' * 297}"


def test_frames_of_arrays_on_spark() -> None:
    """What is missing stays so; numbers beyond 63 bits are given as texts, and cast; columns of nothing have a type."""

    class Frame(NamedTuple):
        rows: list[tuple[object, ...]]
        columns: object
        chosen: tuple[str, ...] = ()

        def selectExpr(self, *chosen: str) -> Frame:
            return self._replace(chosen=chosen)

    class Session:
        def createDataFrame(self, rows: list[tuple[object, ...]], columns: object) -> Frame:
            return Frame(rows, columns)

    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    engine._session = Session()
    columns = {"a": [1, None], "b": [2**63, None], "`": [None, None], "d": ["x", None]}
    arrays = {name: np.array(values, object) for name, values in columns.items()}
    assert engine._of_arrays(arrays, "t") == Frame(
        [(1, str(2**63), "", "x"), (None, None, "", None)], [*columns],
        ("`a`", "CAST(`b` AS decimal(20,0)) AS `b`", "CAST(NULL AS STRING) AS ````", "`d`"),
    )  # fmt: skip
    empty = {"a": np.array([], np.int64), "`": np.array([], object)}
    assert engine._of_arrays(empty, "t") == Frame([], "`a` BIGINT, ```` STRING")


def test_the_session_of_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a frame, else the one that is running, else a new one on this machine, if there is Java."""
    asked: dict[str, str] = {}

    class Builder:
        def appName(self, name: str) -> Builder:
            asked["name"] = name
            return self

        def config(self, name: str, value: str) -> Builder:
            asked[name] = value
            return self

        def getOrCreate(self) -> str:
            if asked.get("java") is None:
                raise RuntimeError(f"no Java {'x' * 300}\nand more")
            return "a new one"

    running: list[str] = []
    module = ModuleType("pyspark.sql")
    module.SparkSession = SimpleNamespace(  # type: ignore[attr-defined]
        builder=Builder(), getActiveSession=lambda: running[0] if running else None
    )
    monkeypatch.setitem(sys.modules, "pyspark.sql", module)
    plain = TableInput(given({"a": 1}, "key"), chosen(["mention", "entity"], {}, None))
    with tells("no-spark", remedy="install Java (default-jre-headless), or use --engine duckdb"):
        in_spark._session((plain, plain))
    with pytest.raises(Error) as caught:
        in_spark._session((plain, plain))
    assert caught.value.problem.message == f"Spark cannot be started: no Java {'x' * 192}"
    assert asked == {"name": "scoref", "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8"}
    asked["java"] = "17"
    assert in_spark._session((plain, plain)) == "a new one"
    running.append("the one that is running")
    assert in_spark._session((plain, plain)) == "the one that is running"
    monkeypatch.setattr(DataFrame, "sparkSession", "that of the frame", raising=False)
    frame = plain._replace(given=given(FRAME, "key"))
    assert [in_spark._session(sides) for sides in ((plain, frame), (frame, plain))] == ["that of the frame"] * 2


def test_frames_on_spark() -> None:
    """That of the user, Parquet files as Spark reads them, or the columns."""
    asked: list[Any] = []

    class Shown(DataFrame):
        def createOrReplaceGlobalTempView(self, name: str) -> None:
            asked.append(name)

    Shown.__module__, Shown.__name__ = DataFrame.__module__, "DataFrame"
    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    reader = SimpleNamespace(parquet=lambda *paths: f"the rows of {', '.join(paths)}")
    engine._session = SimpleNamespace(table="the view {}".format, read=reader)
    engine._of_arrays = lambda columns, name: (dict(columns), name)  # type: ignore[assignment,method-assign]
    engine._problems = Problems()
    names = chosen(["mention", "entity"], {}, None)
    assert engine._frame(TableInput(given(Shown(), "key"), names), "key") == "the view global_temp.scoref_key"
    files = Input("parquet", {"/a": "a", "/b": "b"}, None, "t")
    assert engine._frame(TableInput(files, names), "key") == "the rows of /a, /b"
    columns, where = engine._frame(TableInput(given({"a": 1}, "key"), names), "key")
    assert ({name: values.tolist() for name, values in columns.items()}, where) == (
        {"mention": ["a"], "entity": [1]}, "key")  # fmt: skip
    assert asked == ["scoref_key"]


def test_text_files_on_spark(tmp_path: Path) -> None:
    """Files with one header and mark are read together; a quote in a cell is written twice."""
    for name, text in (
        ("1.csv", "mention,entity\na,1\n"),
        ("2.csv", "mention;entity\nb;1\n"),
        ("3.csv", "mention,entity\nc,1\n"),
    ):
        (tmp_path / name).write_text(text)
    asked: list[Any] = []

    class Reader:
        def options(self, **how: Any) -> Reader:
            asked.append(how)
            return self

        def csv(self, paths: list[str]) -> Frame:
            return Frame([[Path(path).name for path in paths]])

    class Frame(NamedTuple):
        parts: list[list[str]]

        def unionByName(self, other: Frame) -> Frame:
            return Frame(self.parts + other.parts)

    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    engine._session = SimpleNamespace(read=Reader())
    side = TableInput(given(tmp_path, "key"), chosen(["mention", "entity"], {}, None))
    assert engine._frame(side, "key") == Frame([["1.csv", "3.csv"], ["2.csv"]])
    how = {"header": True, "mode": "FAILFAST", "escape": '"'}
    assert asked == [how | {"sep": ","}, how | {"sep": ";"}]


def test_what_spark_forgets() -> None:
    """Tables that were kept and those that were not; at the end all that are left."""
    dropped: list[str] = []
    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    engine._session = SimpleNamespace(catalog=SimpleNamespace(dropTempView=dropped.append))
    engine._kept = dict.fromkeys("abc")
    engine.forget("b", "x")
    assert ([*engine._kept], dropped) == ([*"ac"], [*"bx"])
    engine.close()
    assert ([*engine._kept], dropped) == ([], [*"bxac"])


def test_what_spark_keeps_and_gives() -> None:
    """Checkpoints where the application has a folder for them, else in its own memory; answers column by column."""
    views: dict[str, str] = {}

    class Frame(NamedTuple):
        text: str
        columns: tuple[str, ...] = ("a", "b")

        def createOrReplaceTempView(self, name: str) -> None:
            views[name] = self.text

        def checkpoint(self) -> Frame:
            return Frame(f"{self.text}, written")

        def localCheckpoint(self) -> Frame:
            return Frame(f"{self.text}, kept")

        def collect(self) -> list[tuple[object, ...]]:
            return [(1, "x"), (2, "y")]

    folder: list[str] = []
    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    context = SimpleNamespace(getCheckpointDir=lambda: folder[0] if folder else None)
    engine._session = SimpleNamespace(sql=Frame, sparkContext=context)
    engine._kept = {}
    engine.keep("one", "SELECT 1")
    folder.append("a folder")
    engine.keep("two", "SELECT 2")
    engine.view("three", "SELECT 3")
    engine.ranked("four", "SELECT 4", "a, b", "line")
    found = "SELECT *, monotonically_increasing_id() AS line FROM (SELECT * FROM (SELECT 4) AS every ORDER BY a, b)"
    assert views == {"one": "SELECT 1, kept", "two": "SELECT 2, written", "three": "SELECT 3",
                     "four": f"{found} AS ordered, written"}  # fmt: skip
    assert [*engine._kept] == ["one", "two", "four"]
    assert {name: values.tolist() for name, values in engine.fetch("SELECT 5").items()} == {
        "a": [1, 2],
        "b": ["x", "y"],
    }
    engine._session.table = lambda name: SimpleNamespace(dtypes=[("a", "int"), ("b", "string")])
    assert engine.described("one") == {"a": "integers", "b": "texts"}


@pytest.mark.parametrize(("rows", "code", "line"), [("a,1\nb\n", "bad-row", 3), ("a,1\nb,1\n", "broken-table", None)])
def test_of_what_spark_refuses_the_first_bad_row_is_told(
    tmp_path: Path, rows: str, code: str, line: int | None
) -> None:
    class Raised(Exception):
        pass

    Raised.__module__ = "pyspark.errors"
    path = tmp_path / "t.csv"
    path.write_text(f"mention,entity\n{rows}")
    engine = in_spark.SparkEngine.__new__(in_spark.SparkEngine)
    side = TableInput(given(path, "key"), chosen(["mention", "entity"], {}, None))
    engine._sides = side, side
    with pytest.raises(Error) as caught:
        raise engine._refused(Raised(f"cannot parse {path}"))
    assert (caught.value.code, caught.value.path, caught.value.line) == (code, str(path), line)


def test_what_an_engine_of_spark_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of its own, and a view of each side."""
    views: list[tuple[str, str]] = []

    def frame(self: object, side: TableInput, name: str) -> SimpleNamespace:
        return SimpleNamespace(createOrReplaceTempView=lambda view: views.append((side.given.name, view)))

    monkeypatch.setattr(in_spark, "_session", lambda sides: SimpleNamespace(newSession=lambda: "a new session"))
    monkeypatch.setattr(in_spark.SparkEngine, "_frame", frame)
    names = chosen(["mention", "entity"], {}, None)
    sides = TableInput(given({"a": 1}, "key"), names), TableInput(given({"a": 1}, "response"), names)
    problems = Problems()
    engine = in_spark.SparkEngine(sides, problems)
    assert (engine._sides, engine._problems, engine._session) == (sides, problems, "a new session")
    assert views == [("key", "key_source"), ("response", "response_source")]


def test_columns_of_tables_that_are_shown(written: Callable[..., list[str]]) -> None:
    """The option that named a column is told, that of both sides or that of one."""
    tables = written(PLAIN)
    for how, name, option in (
        ({"columns": {"mention": "x", "entity": "entity"}}, "key.csv", "--columns"),
        ({"key_columns": {"mention": "x", "entity": "entity"}}, "key.csv", "--key-columns"),
        ({"response_columns": {"mention": "x", "entity": "entity"}}, "response.csv", "--response-columns"),
    ):
        with tells("unknown-column", name, expected="one of mention, entity",
                   remedy=f"name the columns: {option} mention=NAME,entity=NAME"):  # fmt: skip
            as_documents(tables, Hows.of({"format": "table", **how}))
