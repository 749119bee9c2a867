"""What a user gives as a table: files of several kinds, frames of several libraries, a mapping, arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..exceptions import Error
from ..formats import FORMATS
from ..formats.files import walk

ENGINES = ("auto", "numpy", "duckdb", "spark")
SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".json": "json",
}  # fmt: skip
_PLAIN = {suffix for suffix in SUFFIXES if suffix != ".json"}  # endings that tables have, unless they look like others
_FRAMES = ("pandas", "polars", "pyarrow", "duckdb", "_duckdb", "pyspark", "numpy")
_COLUMNS = (
    "Series",
    "Categorical",
    "Index",
    "Array",
    "Int64Array",
    "StringArray",
    "ChunkedArray",
    "ndarray",
)  # clusters
_SMALL = 1_000_000  # rows, up to which numpy does the work
_SMALL_BYTES = 16 << 20


class Options(NamedTuple):
    """How tables are read: which columns, by which engine, how much memory it may take, where it puts what is more."""

    columns: str | Mapping[str, str] | None = None
    engine: str = "auto"
    memory: str | None = None
    temp: str | None = None


class Input(NamedTuple):
    """One side: its kind, its files or the frame, and its name for messages."""

    kind: str
    paths: tuple[str, ...]
    frame: Any
    name: str

    @property
    def small(self) -> bool:
        """Whether numpy is quick enough."""
        if self.paths:
            return self.kind in ("csv", "tsv", "json") and sum(map(os.path.getsize, self.paths)) <= _SMALL_BYTES
        return self.kind != "duckdb" and len(self.frame) <= _SMALL


def is_table(side: Any, format: str | None) -> bool:
    """Whether this side is a table: by the format that is asked for, its ending, or its type."""
    if isinstance(side, str | os.PathLike):
        return format == "table" or (format is None and _looks_like_tables(os.fspath(side)))
    if is_labels(side):
        return True
    if isinstance(side, tuple) and len(side) == 2 and all(map(_of_library, side)):
        return True
    return _of_library(side) and type(side).__name__ not in _COLUMNS


def refuse_mixed(sides: Sequence[Any], format: str | None) -> None:
    """Refuse a table beside something that is none; the key is first."""
    for name, side in zip(("key", *["response"] * len(sides)), sides, strict=False):
        if not is_table(side, format):
            raise Error("mixed-formats", f"the {name} is no table, but the other side is",
                        path=os.fspath(side) if isinstance(side, str | os.PathLike) else None,
                        expected="two tables", remedy="say --format table, if it is one")  # fmt: skip


def is_labels(side: Any) -> bool:
    """Whether it says the entity of each mention: `{mention: entity}`, or an array of one dimension."""
    if isinstance(side, Mapping):
        return bool(side) and all(isinstance(each, str | int) for each in side.values())
    return type(side).__module__.split(".")[0] == "numpy" and len(getattr(side, "shape", ())) == 1


def _of_library(side: Any) -> bool:
    return type(side).__module__.split(".")[0] in _FRAMES


def _looks_like_tables(path: str) -> bool:
    if not os.path.exists(path) and not _is_pattern(path):
        return _suffix(path) in _PLAIN
    try:
        files = part_files(path)
    except Error:
        return False
    return all(_suffix(file) in _PLAIN for file in files) and not _is_other(files[0])


def _is_other(path: str) -> bool:
    """Whether a text file begins like one of another format, as WebAnno's tables do."""
    if _suffix(path) not in (".csv", ".tsv"):
        return False
    import gzip
    import zlib

    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            head = file.read(1 << 12)
    except (OSError, EOFError, zlib.error):  # whoever reads it says what is wrong
        return False
    return any(each.sniff(head) for name, each in FORMATS.items() if name != "table")


def _suffix(path: str) -> str:
    return os.path.splitext(path.removesuffix(".gz"))[1].lower()


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[")


def part_files(path: str) -> tuple[str, ...]:
    """The files of a table: one, those of a folder, or those that a pattern names."""
    if os.path.isdir(path):
        found = [file for name, file in walk(path) if not os.path.basename(name).startswith("_")]
    elif _is_pattern(path) and not os.path.exists(path):
        import glob

        found = sorted(file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
    else:
        found = [path]
    if not found:
        raise Error("empty-folder", "no part files", path=path, remedy="check the name")
    return tuple(found)


def given(side: Any, name: str) -> Input:
    """The input that a user's value is."""
    if isinstance(side, str | os.PathLike):
        return _of_files(os.fspath(side))
    if isinstance(side, Mapping):
        return Input("arrays", (), Arrays(list(side), list(side.values())), name)
    if isinstance(side, tuple):
        if len(side[0]) != len(side[1]):
            raise Error("bad-arrays", f"{len(side[0])} mentions, but {len(side[1])} entities in the {name}",
                        expected="as many entities as mentions")  # fmt: skip
        return Input("arrays", (), Arrays(*side), name)
    module = type(side).__module__.split(".")[0].lstrip("_")
    if module == "numpy":
        return Input("arrays", (), Arrays(range(len(side)), side), name)
    if module == "polars" and hasattr(side, "collect"):
        side = side.collect()
    if type(side).__name__ not in ("DataFrame", "Table", "DuckDBPyRelation"):
        raise Error("bad-table", f"the {name} is a {type(side).__name__}, which is no table",
                    expected="a frame with columns of mentions and entities")  # fmt: skip
    return Input(module, (), side, f"{name} ({module})")


class Arrays(NamedTuple):
    """Two columns, of any values that have an order."""

    mention: Any
    entity: Any

    def __len__(self) -> int:
        return len(self.entity)


def _of_files(path: str) -> Input:
    files = part_files(path)
    if path == "-":
        raise Error("no-folder", "a table cannot be read from standard input", remedy="name a file")
    for file in files:
        if not os.path.isfile(file):
            raise Error("unreadable-file", "cannot read the file: no such file", path=file, remedy="check the name")
    kinds = {SUFFIXES.get(_suffix(file)) for file in files}
    if None in kinds or len(kinds) > 1:
        odd = next((file for file in files if SUFFIXES.get(_suffix(file)) is None), files[0])
        raise Error("unknown-format", "no kind of table, or several kinds side by side", path=odd,
                    expected=f"files that end in one of {', '.join(SUFFIXES)}",
                    remedy="rename it, or name the files alone: 'folder/*.parquet'")  # fmt: skip
    return Input(str(kinds.pop()), files, None, path)
