"""The unpacked size of tables: Parquet files and gzipped text may unpack to a thousand times their size."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..formats.table import required
from ..problems import Error
from .inputs import Input
from .rows import opened, texts_of

_ROWS = 1 << 12
_BYTES = 1 << 20
_DENSEST = 1000  # times that a table unpacks to its size, at most
_GROUPS = 1000  # a file with more row groups than this, of fewer rows each, is slow to read by group
_AT_ONCE = 1 << 28  # bytes: larger files are not read at once


def refuse_large(given: Input, most: int) -> None:
    """Refuse a table that unpacks to more than `most` bytes; unpacking stops as soon as that is known."""
    for path, shown in given.files.items():
        size = 0
        for part in _sizes(given, path):
            size += part
            if size > most:
                message = f"a file that is more than {most} bytes unpacked"
                remedy = "check the file, or allow more with --max-size"
                raise Error("too-large", message, path=shown, remedy=remedy)


def looks_small(given: Input, most: int) -> bool:
    """Whether files are so small that no usual packing could make them more than `most` bytes."""
    return sum(map(os.path.getsize, given.files)) < most // _DENSEST


def with_fewer_groups(given: Input) -> Input:
    """The table; a Parquet file of many small row groups, which DuckDB reads slowly, is read into memory."""
    if given.kind != "parquet" or len(given.files) > 1:
        return given
    ((path, where),) = given.files.items()
    if os.path.getsize(path) > _AT_ONCE:
        return given
    file = opened(where, partial(required("pyarrow.parquet").ParquetFile, path))
    if file.num_row_groups < _GROUPS or file.metadata.num_rows > file.num_row_groups * _GROUPS:
        return given
    return Input("pyarrow", {}, opened(where, file.read), given.name)


def _sizes(given: Input, path: str) -> Iterator[int]:
    """How many bytes each part of a file has, unpacked; none if it is not packed."""
    if given.kind == "parquet":
        parts = _batches(path)
        while (batch := opened(given.files[path], partial(next, parts, None))) is not None:
            yield opened(given.files[path], partial(_size_of, batch))
    elif given.is_text and path.endswith(".gz"):
        import gzip

        try:
            with gzip.open(path) as file:
                while part := file.read(_BYTES):
                    yield len(part)
        except (EOFError, OSError, zlib.error):  # whoever reads it says what is wrong
            return


def _batches(path: str) -> Iterator[Any]:
    """Batches of rows of a Parquet file, with texts left dictionary-encoded as in the file."""
    file = required("pyarrow.parquet").ParquetFile(path, read_dictionary=texts_of(path))
    yield from file.iter_batches(_ROWS)


def _size_of(batch: Any) -> int:
    """The bytes of some rows."""
    return sum(map(_size, batch.columns))


def _size(column: Any) -> int:
    """The bytes of a column, repeated texts counted each time."""
    dictionary = getattr(column, "dictionary", None)
    arrow = required("pyarrow")
    if dictionary is None or not (arrow.types.is_string(dictionary.type) or arrow.types.is_binary(dictionary.type)):
        return int(column.nbytes)
    compute = required("pyarrow.compute")
    lengths = compute.binary_length(dictionary)
    return int(compute.sum(lengths.take(column.indices)).as_py() or 0) + 8 * len(column)
