"""Opens two tables: finds columns and types, picks the engine, reports bad rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import product

import numpy as np

from .. import __version__
from ..formats import MOST, Hows
from ..problems import Error, Problems, Reporter
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS
from . import rows
from .course import Watch
from .engines.engine import SIDES, Engine, Repeated, TableInput, TableTask, TwoInputs
from .engines.finished import file_of, kept
from .inputs import ENGINES, PARTS, ROLES, ColumnNames, Input, Options, chosen, given
from .rows import INTEGER, TEXT, UNTYPED
from .unpacking import looks_small, refuse_large, with_fewer_groups

_SKIP = "fix the table, or leave such rows out with --on-problem skip"


@contextmanager
def opened(
    key: object, response: object, protocol: Protocol, problems: Problems, options: Options, watch: Watch = None
) -> Iterator[tuple[Engine, TableTask, list[str]]]:
    """The engine with both tables, its task, and notes on the columns; `watch` is told how far it is."""
    inputs = given(key, "key"), given(response, "response")
    sides = _with_weights(_sides(inputs, options.reading), protocol.counting.sampled)
    file = _stages(sides, protocol, problems, options) if options.resume else None
    with kept(file):
        engine = _engine(sides, problems, options, file)
        engine.watch = watch
        try:
            task = _tasked(engine, sides, protocol)
            _cleaned(engine, task, protocol, problems)
            notes = [f"{name} {side.given.name}: {side.columns.note}" for name, side in zip(SIDES, sides, strict=True)]
            yield engine, task, [*notes, f"engine {engine.name}"]
        finally:
            engine.close()


def _stages(sides: TwoInputs, protocol: Protocol, problems: Problems, options: Options) -> str:
    """The file for finished stages: they depend on the tables, how these are read, and what is asked."""
    files = [os.path.abspath(file) for side in sides for file in side.given.files.values()]
    if not all(side.given.files for side in sides) or not all(map(os.path.isfile, files)):
        raise Error("not-kept", "only tables in files can be gone on with after a stop", expected="two files",
                    remedy="write the tables to files, or leave out --resume")  # fmt: skip
    known = [(file, os.path.getsize(file), os.stat(file).st_mtime_ns) for file in files]
    asked = protocol.signature(), problems.policy, [side.columns for side in sides], len(sides[0].given.files)
    return file_of(options.resume or "", __version__, known, *asked)


def _tasked(engine: Engine, sides: TwoInputs, protocol: Protocol) -> TableTask:
    types = engine.types
    check_types(types, sides)
    fields = (*sides[0].columns.fields,)
    home = protocol.reading.scope == "document" and sides[0].columns.document is not None
    task = TableTask(sides, home, fields, PARTS in fields and PARTS not in types[0], as_text=mixed(types))
    engine.start(task)
    return task


def _cleaned(engine: Engine, task: TableTask, protocol: Protocol, problems: Problems) -> None:
    """Report bad rows, which the engine leaves out."""
    for number, side in enumerate(task.sides):
        rows_there, missing = engine.complete(number)
        _report_missing(missing, side, problems)
        empty = rows_there == sum(missing.values())
        if empty and number == 0:
            raise Error("empty-file", "the table has no rows", path=side.given.name, remedy="check the table")
        if empty and not task.home:  # with documents, each of them is reported as missing instead
            remedy = "nothing, if it is meant: it counts as an empty response"
            Reporter(problems, side.given.name, remedy=remedy)("empty-file", "the table has no rows", fatal=False)
    for number, side in enumerate(task.sides):
        if repeated := engine.repeated(number):
            refuse_lone(task.sides)
            _report_repeated(repeated, side, protocol, problems, engine)
            engine.deduplicate(number, "last" if protocol.preparing.duplicates == "last" else "first")


def _sides(inputs: tuple[Input, Input], reading: Hows) -> TwoInputs:
    """Inputs with their columns. The response may lack fields; documents count only if both sides have them."""
    names = [rows.names(each) for each in inputs]
    wanted = [dict(how.columns) for how in reading]
    for field in wanted[1].keys() - {*wanted[0], *ROLES}:
        raise Error("bad-columns", f"a field of the response alone: '{field}'", path=inputs[1].name,
                    expected="fields of the key, which the response may have too",
                    remedy=f"name its column in the key as well: --key-columns {field}=NAME")  # fmt: skip
    ours = chosen(names[0], wanted[0], inputs[0].name, reading.key.option("columns"))
    left = {role: name for role, name in wanted[1].items() if role in (*ROLES, PARTS) or name in names[1]}
    ours, theirs = in_common([ours, chosen(names[1], left, inputs[1].name, reading.response.option("columns"))])
    return TableInput(inputs[0], ours), TableInput(inputs[1], theirs)


def _with_weights(sides: TwoInputs, sampled: str) -> TwoInputs:
    """The sides with the column of the key that has the weights of sampled entities."""
    if sampled in ("none", "uniform"):
        return sides
    ours, theirs = sides
    names = rows.names(ours.given)
    if sampled not in names:
        raise Error("bad-columns", f"no column '{sampled}' with the weights of sampled entities", path=ours.given.name,
                    expected=f"one of {', '.join(names)}, or uniform",
                    remedy="name the column: --sampled COLUMN")  # fmt: skip
    return ours._replace(columns=ours.columns._replace(weight=sampled)), theirs


def in_common(tables: Sequence[ColumnNames]) -> list[ColumnNames]:
    """The columns of tables that are scored together: columns of documents count only if every table has one."""
    if all(table.document for table in tables):
        return list(tables)
    return [table._replace(document=None, lone=table.document) for table in tables]


def refuse_lone(tables: Sequence[TableInput]) -> None:
    """Refuse repeated mentions if only one table has a column of documents, which may be what tells them apart."""
    lacking = [table.given.name for table in tables if not table.columns.lone]
    for table in tables:
        if table.columns.lone:
            message = f"a column of documents here, none in {lacking[0]}; and without documents mentions are there"
            raise Error("lone-documents", f"{message} several times", path=table.given.name, text=table.columns.lone,
                        expected="a column of documents in all tables, or in none",
                        remedy=f"add the column to {lacking[0]}")  # fmt: skip


def _engine(sides: TwoInputs, problems: Problems, options: Options, stages: str | None) -> Engine:
    if options.engine not in ENGINES:
        raise Error("unknown-engine", f"no engine '{options.engine}'", expected=f"one of {', '.join(ENGINES)}")
    name = options.engine if options.engine != "auto" else "duckdb" if stages else _best(sides)
    if any(side.given.kind == "pyspark" for side in sides) and name != "spark":
        raise Error("unknown-engine", f"the engine {name} cannot read Spark DataFrames", expected="--engine spark")
    if stages and name != "duckdb":
        raise Error("not-kept", f"the engine {name} keeps no stages", expected="the engine duckdb",
                    remedy="leave out --engine, or --resume")  # fmt: skip
    for side in sides:  # engines other than numpy need not hold all of a table, and tables may be larger than memory
        if options.max_size or name == "numpy" or looks_small(side.given, MOST):
            refuse_large(side.given, options.max_size or MOST)
    if name == "numpy":
        from .engines.in_numpy import NumpyEngine

        return NumpyEngine(sides, problems)
    if name == "spark":
        from .engines.in_spark import SparkEngine

        return SparkEngine(sides, problems)
    from .engines.in_duckdb import DuckEngine

    ours, theirs = (side._replace(given=with_fewer_groups(side.given)) for side in sides)
    return DuckEngine((ours, theirs), problems, options.memory, options.temp, stages)


def _best(sides: TwoInputs) -> str:
    """Spark for its frames, numpy for small tables, else DuckDB if it is there or the tables are large."""
    if any(side.given.kind == "pyspark" for side in sides):
        return "spark"
    if all(side.given.small for side in sides):
        return "numpy"
    modest = all(side.given.modest for side in sides)
    return "numpy" if modest and not find_spec("duckdb") else "duckdb"


# -- types -----------------------------------------------------------------------------------------------------------


def check_types(types: Sequence[Mapping[str, str]], sides: Sequence[TableInput]) -> None:
    """Refuse columns of other types than integers and texts, and integers on one side with texts on the other."""
    for each, side in zip(types, sides, strict=True):
        for role in ROLES:
            if role in each and each[role] not in (INTEGER, TEXT, UNTYPED):
                raise Error(
                    "bad-column", f"the column of the {role} has {each[role]}", path=side.given.name,
                    text=getattr(side.columns, role), expected="integers or texts",
                    remedy="convert the column; whole numbers become fractions where values are missing",
                )  # fmt: skip
    for role, number in product(("mention", "document"), range(1, len(sides))):
        ours, theirs = types[0].get(role), types[number].get(role)
        if {ours, theirs} == {INTEGER, TEXT}:
            raise Error("different-types", f"{role}s are {ours} in the key, {theirs} in the response",
                        path=sides[number].given.name, expected=f"{ours}, as in {sides[0].given.name}",
                        remedy="convert one of the columns")  # fmt: skip


def mixed(types: Sequence[Mapping[str, str]]) -> bool:
    """Whether some side is a text file, whose cells have no types: then all values are compared as texts."""
    return any(each.get("mention") == UNTYPED for each in types)


# -- bad rows --------------------------------------------------------------------------------------------------------


def _report_missing(missing: Mapping[str, int], side: TableInput, problems: Problems) -> None:
    for role, number in missing.items():
        path, line = _first_missing(side, role)
        report = Reporter(problems, path, remedy=_SKIP)
        message, expected = f"{number} row{'s' * (number != 1)} without {_a(role)}", f"{_a(role)} in each row"
        report("missing-value", message, line, getattr(side.columns, role), expected)


def _a(role: str) -> str:
    return "an entity" if role == "entity" else f"a {role}"


def _first_missing(side: TableInput, role: str) -> tuple[str | None, int | None]:
    column = getattr(side.columns, role)
    if side.given.kind != "pyspark":
        for part in rows.parts(side.given, [column], Problems("skip")):
            places = np.flatnonzero(rows.is_missing(part.columns[column]))
            if len(places):
                return part.path, int(part.lines[places[0]])
    return side.given.name, None


def _report_repeated(found: Repeated, side: TableInput, protocol: Protocol, problems: Problems, engine: Engine) -> None:
    which = protocol.preparing.duplicates
    path, line = _second(side, found.example)
    report = Reporter(problems, path, remedy="choose which row counts with --duplicates first or last")
    several = [name for name in protocol.metrics if name in METRICS and METRICS[name].rules.repeated == "all"]
    if several and found.differing:
        message = f"{', '.join(several)} cannot be computed from tables that have a mention in several entities"
        remedy = "give the entities as clusters: in Python, or as a JSON file"
        raise report.error("not-on-tables", message, line, found.example, "each mention once", remedy=remedy)
    message = f"{found.rows} rows have a mention that another row has too"
    if found.differing and not engine.ordered:
        message += f", and rows of {engine.name} have no order: none is the first"
        remedy = "remove such rows first"
        raise report.error("duplicate-mention", message, line, found.example, "each mention once", remedy=remedy)
    fatal = which not in ("first", "last")
    message += f"; {found.differing} mentions are in different entities"
    if not fatal or problems.policy == "skip":
        message += f"; the {'last' if which == 'last' else 'first'} row counts"
    expected = "each mention once: in a table it has one entity"
    report("duplicate-mention", message, line, found.example, expected, fatal=fatal)


def _second(side: TableInput, mention: str) -> tuple[str | None, int | None]:
    """File and line of the second row with this mention (in the same document)."""
    if side.given.kind == "pyspark":
        return side.given.name, None
    seen: set[str] = set()
    wanted = [name for role, name in side.columns.roles.items() if role != "entity"]
    for part in rows.parts(side.given, wanted, Problems("skip")):
        values = part.columns[side.columns.mention]
        if values.dtype.kind in "iu":
            places = np.flatnonzero(values == int(mention))
        else:
            places = np.array([place for place, value in enumerate(values.tolist()) if str(value) == mention], np.int64)
        for place in places.tolist():
            home = str(part.columns[side.columns.document][place]) if side.columns.document else ""
            if home in seen:
                return part.path, int(part.lines[place])
            seen.add(home)
    return side.given.name, None
