"""From what a user gives to an engine whose tables are checked: columns, types, engine, bad rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np

from ..problems import Error, Problems, Reporter
from ..protocol.protocol import Protocol
from . import rows
from .columns import PARTS, ROLES, asked, chosen, in_common, refuse_lone
from .engines.engine import INTEGER, SIDES, TEXT, UNTYPED, Engine, Repeated, Request, RowNumbers, TableInput, TwoInputs
from .inputs import ENGINES, Input, Options, given

_SKIP = "fix the table, or leave such rows out with --on-problem skip"


@contextmanager
def opened(
    key: Any, response: Any, protocol: Protocol, problems: Problems, options: Options
) -> Iterator[tuple[Engine, Request, list[str]]]:
    """The engine with both tables, what it is asked, and notes on the columns."""
    wanted = asked(options.columns)
    inputs = given(key, "key"), given(response, "response")
    sides = _sides(inputs, wanted)
    engine = _engine(sides, problems, options)
    try:
        request = _requested(engine, sides, wanted, protocol)
        _cleaned(engine, request, protocol, problems)
        notes = [f"{name} {side.given.name}: {side.columns.note}" for name, side in zip(SIDES, sides, strict=True)]
        yield engine, request, [*notes, f"engine {engine.name}"]
    finally:
        engine.close()


def _requested(engine: Engine, sides: TwoInputs, wanted: Mapping[str, str], protocol: Protocol) -> Request:
    types = engine.types(0), engine.types(1)
    check_types(types, sides)
    fields = tuple(field for field in wanted if field not in ROLES)
    request = Request(
        sides, _home(sides, protocol), fields, PARTS in fields and PARTS not in types[0], as_text=mixed(types)
    )
    engine.start(request)
    return request


def _cleaned(engine: Engine, request: Request, protocol: Protocol, problems: Problems) -> None:
    """Report bad rows, which the engine leaves out."""
    for number, side in enumerate(request.sides):
        found = engine.complete(number)
        _report_missing(found, side, problems)
        empty = not found.number - sum(found.missing.values())
        if empty and number == 0:
            raise Error("empty-file", "the table has no rows", path=side.given.name, remedy="check the table")
        if empty and not request.home:  # else each of its documents is missing
            remedy = "nothing, if it is meant: it counts as an empty response"
            Reporter(problems, side.given.name, remedy=remedy)("empty-file", "the table has no rows", fatal=False)
    for number, side in enumerate(request.sides):
        if repeated := engine.repeated(number):
            refuse_lone([(each.given.name, each.columns) for each in request.sides])
            _report_repeated(repeated, side, protocol, problems, engine)
            engine.deduplicate(number, "last" if protocol.preparing.duplicates == "last" else "first")


def _sides(inputs: tuple[Input, Input], wanted: Mapping[str, str]) -> TwoInputs:
    """Inputs with their columns; fields may be missing from the response, documents from neither or both."""
    names = [rows.names(each) for each in inputs]
    ours = chosen(names[0], wanted, inputs[0].name)
    left = {role: name for role, name in wanted.items() if role in (*ROLES, PARTS) or name in names[1]}
    ours, theirs = in_common([ours, chosen(names[1], left, inputs[1].name)])
    return TableInput(inputs[0], ours), TableInput(inputs[1], theirs)


def _home(sides: TwoInputs, protocol: Protocol) -> bool:
    return protocol.reading.scope == "document" and all(side.columns.document for side in sides)


def _engine(sides: TwoInputs, problems: Problems, options: Options) -> Engine:
    if options.engine not in ENGINES:
        raise Error("unknown-engine", f"no engine '{options.engine}'", expected=f"one of {', '.join(ENGINES)}")
    name = options.engine
    if name == "auto":
        name = _best(sides)
    if any(side.given.kind == "pyspark" for side in sides) and name != "spark":
        raise Error("unknown-engine", f"the engine {name} cannot read Spark DataFrames", expected="--engine spark")
    if name == "numpy":
        from .engines.in_numpy import NumpyEngine

        return NumpyEngine(sides, problems)
    from .engines.sql import SqlEngine

    if name == "spark":
        from .engines.in_spark import SparkDatabase

        return SqlEngine(SparkDatabase(sides, problems))
    from .engines.in_duckdb import DuckDatabase

    return SqlEngine(DuckDatabase(sides, problems, options.memory, options.temp))


def _best(sides: TwoInputs) -> str:
    """Spark for its frames, numpy for small tables, else DuckDB."""
    if any(side.given.kind == "pyspark" for side in sides):
        return "spark"
    return "numpy" if all(side.given.small for side in sides) else "duckdb"


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
    """Whether some side has cells of a text file, which have no types: then all are compared as texts."""
    return any(each.get("mention") == UNTYPED for each in types)


# -- bad rows --------------------------------------------------------------------------------------------------------


def _report_missing(found: RowNumbers, side: TableInput, problems: Problems) -> None:
    for role, number in found.missing.items():
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
    message = f"{found.rows} rows have a mention that another row has too"
    if found.differing and not engine.ordered:
        message += f", and rows of {engine.name} have no order: none is the first"
        remedy, expected = "remove such rows first", "each mention once"
        raise report.error("duplicate-mention", message, line, found.example, expected, remedy=remedy)
    fatal = which not in ("first", "last")
    counts = (
        "" if fatal and problems.policy == "raise" else f"; the {'last' if which == 'last' else 'first'} row counts"
    )
    message += f"; {found.differing} mentions are in different entities{counts}"
    expected = "each mention once: in a table it has one entity"
    report("duplicate-mention", message, line, found.example, expected, fatal=fatal)


def _second(side: TableInput, mention: str) -> tuple[str | None, int | None]:
    """The second row that has this mention (in one document)."""
    if side.given.kind == "pyspark":
        return side.given.name, None
    seen: set[str] = set()
    wanted = [side.columns.mention, *([side.columns.document] if side.columns.document else [])]
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
