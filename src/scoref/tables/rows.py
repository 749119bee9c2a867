"""Reads tables into arrays: small ones, and larger ones to find the place of a bad row.

CSV and JSON need no package; Parquet and Arrow files need pyarrow.
"""

from __future__ import annotations

import csv
import gzip
import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TextIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import formats
from ..counting.table import Floats
from ..document.document import Integers
from ..formats.jsonl.shapes import loads
from ..formats.table import required, separator
from ..problems import Error, Problems, Reporter
from .inputs import Input, LibraryObject

Values = NDArray[Any]
Read = TypeVar("Read")

_ROWS = 1 << 20  # rows of a part; a part may span many row groups of a file
INTEGER, TEXT, UNTYPED = "integers", "texts", "cells of a text file"  # what the values of a column are


class SomeRows(NamedTuple):
    """Some rows of an input, one after the other: values by column, the file, and the line (or number) of each row."""

    columns: dict[str, Values]
    path: str | None
    lines: Integers


def names(given: Input) -> list[str]:
    """The names of the columns; those of all part files must be the same."""
    if given.is_text:
        each = [_header(given, path) for path in given.files]
    elif given.kind == "parquet":
        module = required("pyarrow.parquet")
        each = [opened(file, partial(module.read_schema, path)).names for path, file in given.files.items()]
    elif given.kind == "arrow":
        tables = [opened(file, partial(_first_table, path)) for path, file in given.files.items()]
        each = [table.schema.names for table in tables]
    elif given.kind == "json":
        each = [list(next(_parts_of_file(given, path, Problems())).columns) for path in given.files]
    elif given.kind == "arrays":
        each = [["mention", "entity"]]
    else:
        each = [list(getattr(given.frame, "column_names", None) or given.frame.columns)]
    files = [*given.files.values()]
    for file, found in zip(files, each, strict=False):
        if sorted(found) != sorted(each[0]):
            raise Error("different-columns", f"columns {', '.join(found)}", path=file,
                        expected=f"those of {files[0]}: {', '.join(each[0])}",
                        remedy="give part files of one table the same columns")  # fmt: skip
    return each[0]


def headers(given: Input) -> dict[tuple[str, tuple[str, ...]], list[str]]:
    """The text files grouped by separator and header: files of a group can be read together."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for path in given.files:
        names = tuple(_header(given, path))
        with _text(path) as file:
            found.setdefault((_mark(given, file.readline()), names), []).append(path)
    return found


def parts(given: Input, wanted: Sequence[str], problems: Problems) -> Iterator[SomeRows]:
    """The rows of an input in their order, with the wanted columns."""
    if not given.files:
        columns = {name: _column(given, name) for name in dict.fromkeys(wanted)}
        yield SomeRows(columns, given.name, 1 + np.arange(len(columns[wanted[0]])))
    for path in given.files:
        for part in _parts_of_file(given, path, problems):
            yield part._replace(columns={name: part.columns[name] for name in dict.fromkeys(wanted)})


def read(given: Input, wanted: Sequence[str], problems: Problems) -> dict[str, Values]:
    """Whole columns of an input."""
    found = list(parts(given, wanted, problems))
    return {name: together([part.columns[name] for part in found]) for name in wanted}


def together(arrays: Sequence[Values]) -> Values:
    """The values of several arrays in one; integers stay integers, with a sign and without.

    >>> together([np.array([-1]), np.array([2**63], np.uint64)]).tolist()  # numpy would make fractions of them
    [-1, 9223372036854775808]
    """
    found: Values = np.concatenate(arrays)
    if found.dtype.kind == "f" and all(array.dtype.kind in "iu" for array in arrays):
        return whole([value for array in arrays for value in array.tolist()])
    return found


def whole(values: Sequence[object]) -> Values:
    """Whole numbers as an array: of 64 bits with a sign, else without one, else of any size."""
    for kind in (np.int64, np.uint64):
        try:
            return np.array(values, kind)
        except OverflowError:
            continue
    return objects(values)


def type_of(values: Values) -> str:
    """What the values of a column are."""
    if values.dtype.kind in "iu":
        return INTEGER
    if values.dtype.kind == "f":  # even if all are missing: engines that know types alone say the same
        return "values of type float"
    present = [value for value in values.tolist() if value is not None and value == value]
    if all(isinstance(value, str) for value in present):
        return TEXT
    numbers = values.dtype.kind == "O" and all(type(value) is int for value in present)
    return INTEGER if numbers else f"values of type {type(next(v for v in present if not isinstance(v, str))).__name__}"


def is_missing(values: Values) -> NDArray[np.bool_]:
    """Which values are missing: None, an empty text, or NaN."""
    if values.dtype.kind in "iub":
        return np.zeros(len(values), np.bool_)
    if values.dtype.kind == "f":
        return np.isnan(values)
    return np.fromiter((value is None or value == "" or value != value for value in values), np.bool_, len(values))


def as_texts(values: Values) -> Values:
    """Whole numbers as texts; what is missing stays so.

    >>> as_texts(objects([7, None])).tolist()
    ['7', None]
    """
    if values.dtype.kind in "iu":
        return values.astype(str).astype(object)
    missing = is_missing(values).tolist()
    return objects([value if no else str(value) for value, no in zip(values.tolist(), missing, strict=True)])


def _column(given: Input, name: str) -> Values:
    frame = given.frame
    if given.kind == "arrays":
        values = getattr(frame, name)
        return np.asarray(values) if isinstance(values, range) or hasattr(values, "dtype") else objects(values)
    if given.kind == "duckdb":
        return _arrow_column(frame.select(f'"{name}"').to_arrow_table().column(0))
    if given.kind == "pyarrow":
        return _arrow_column(frame.column(name))
    return _series(frame[name])


def _series(column: LibraryObject) -> Values:
    """A column of pandas or polars; what is missing among texts or whole numbers is None."""
    found: Values = np.asarray(column.to_numpy())
    if found.dtype.kind in "iu" or "float" in str(column.dtype).lower():
        return found
    if hasattr(column, "isna"):  # pandas, whose NA is neither true nor false
        return np.asarray(column.to_numpy(object, na_value=None))
    return objects(column.to_list()) if found.dtype.kind == "f" else found


def objects(values: Sequence[object]) -> Values:
    """The values as an array of objects, whatever they are."""
    found = np.empty(len(values), object)
    found[:] = values
    return found


def _arrow_column(column: LibraryObject) -> Values:
    if str(column.type).startswith("dictionary"):  # keeps one object for each different text
        parts = [_of_dictionary(chunk) for chunk in column.chunks]
        return np.concatenate(parts) if parts else objects([])
    if column.null_count == 0 and str(column.type).startswith(("int", "uint")):
        found: Values = column.to_numpy()
        return found
    if str(column.type).endswith(("float", "double")):
        return np.asarray(column.to_numpy())
    return objects(column.to_pylist())


def _first_table(path: str) -> LibraryObject:
    """The first table of a file of Arrow."""
    return next(_arrow_tables("arrow", path))


def _arrow_columns(table: LibraryObject) -> dict[str, Values]:
    return {name: _arrow_column(table.column(place)) for place, name in enumerate(table.schema.names)}


def _of_dictionary(chunk: LibraryObject) -> Values:
    names = objects([*chunk.dictionary.to_pylist(), None])  # the last one stands for missing values
    found: Values = names[chunk.indices.cast("int64").fill_null(len(names) - 1).to_numpy()]
    return found


def texts_of(path: str) -> list[str]:
    """The columns of texts of a Parquet file."""
    types = required("pyarrow").types
    schema = required("pyarrow.parquet").read_schema(path)
    return [each.name for each in schema if types.is_string(each.type) or types.is_binary(each.type)]


def opened(path: str, read: Callable[[], Read]) -> Read:
    """What a library reads from a file; whatever exception it raises becomes the error of a broken file."""
    try:
        return read()
    except MemoryError:
        raise
    except Exception as reason:
        raise broken(path, str(reason)) from None


def broken(path: str | None, reason: str) -> Error:
    """The error for a file that no library can read."""
    return Error("broken-table", f"the table cannot be read: {' '.join(reason.split())[:200]}", path=path,
                 expected="a whole file; this one may be cut off", remedy="write or copy it again")  # fmt: skip


def _parts_of_file(given: Input, path: str, problems: Problems) -> Iterator[SomeRows]:
    if given.is_text:
        yield from _csv(given, path, problems)
    elif given.kind == "json":
        yield _json(path, given.files[path])
    else:
        line, where = 1, given.files[path]
        for table in opened(where, lambda: list(_arrow_tables(given.kind, path))):
            columns = opened(where, partial(_arrow_columns, table))  # fails on texts that are not UTF-8
            yield SomeRows(columns, where, line + np.arange(table.num_rows))
            line += table.num_rows


def _arrow_tables(kind: str, path: str) -> Iterator[LibraryObject]:
    arrow = required("pyarrow")
    if kind == "parquet":
        file = required("pyarrow.parquet").ParquetFile(path, read_dictionary=texts_of(path))
        some: list[Any] = []
        number = 0
        for batch in file.iter_batches(_ROWS):
            some.append(batch)
            number += batch.num_rows
            if number >= _ROWS:
                yield arrow.Table.from_batches(some)
                some, number = [], 0
        yield arrow.Table.from_batches(some, None if some else file.schema_arrow)  # the rest, which may be empty
    else:
        yield required("pyarrow.feather").read_table(path)


def _json(path: str, where: str) -> SomeRows:
    """Columns as a JSON object: {"mention": [...], "entity": [...]}."""
    try:
        record = loads(formats.load(path).decode())
        lengths = {len(values) for values in record.values() if isinstance(values, list)}
        if len(lengths) != 1 or not all(isinstance(values, list) for values in record.values()):
            raise ValueError("columns that are no lists of one length")
    except (ValueError, AttributeError) as reason:
        raise Error("bad-table", f"not columns in JSON: {reason}", path=where,
                    expected='{"mention": [...], "entity": [...]}', remedy="fix the file") from None  # fmt: skip
    return SomeRows({name: _typed(values) for name, values in record.items()}, where, 1 + np.arange(lengths.pop()))


def _typed(values: list[object]) -> Values:
    numbers = all(isinstance(value, int) and not isinstance(value, bool) for value in values)
    return whole(values) if numbers else objects(values)


def _text(path: str) -> TextIO:
    unpacked: Callable[..., TextIO] = gzip.open if path.endswith(".gz") else open
    return unpacked(path, "rt", encoding="utf-8-sig", newline="")


def _lines(given: Input, path: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a text file with their lines."""
    try:
        with _text(path) as file:
            first = file.readline()
            reader = csv.reader(chain([first], file), delimiter=_mark(given, first), strict=True)
            for row in reader:
                if row:
                    yield reader.line_num, row
    except (UnicodeDecodeError, EOFError, OSError, csv.Error, zlib.error) as reason:
        raise broken(given.files[path], str(reason)) from None


def _mark(given: Input, header: str) -> str:
    return separator(header, "\t" if given.kind == "tsv" else ",")


def _header(given: Input, path: str) -> list[str]:
    for _, row in _lines(given, path):
        return row
    raise Error("empty-file", "the table is empty", path=given.files[path], expected="a line with the names of columns")


def _csv(given: Input, path: str, problems: Problems) -> Iterator[SomeRows]:
    remedy = "fix the file, or leave such rows out with --on-problem skip"
    report = Reporter(problems, given.files[path], remedy=remedy)
    rows = _lines(given, path)
    _, header = next(rows)
    kept: list[list[str]] = []
    lines = []
    for line, row in rows:
        if len(row) != len(header):
            message = f"{len(row)} cells, but the first line has {len(header)}"
            report("bad-row", message, line, ",".join(row), f"the columns {', '.join(header)}")
            continue
        kept.append(row)
        lines.append(line)
    columns = list(zip(*kept, strict=True)) or [()] * len(header)
    found = {name: objects(values) for name, values in zip(header, columns, strict=True)}
    yield SomeRows(found, given.files[path], np.array(lines, np.int64))


def floats(values: Values) -> Floats:
    """The values as numbers; NaN for what is none."""
    return np.array([_float(value) for value in values.tolist()])


def _float(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return math.nan


def ranges(
    group: Integers, values: NDArray[np.float64], groups: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The least and the greatest value of each group."""
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low, high
