"""What a user gives as a table: files of several kinds, frames of several libraries, a mapping, arrays.

Users name the columns of mentions, entities and documents, or these are guessed from usual names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

from ..formats import Hows, load
from ..formats.files import walk
from ..formats.known import by_content
from ..pairing.reading import no_table
from ..problems import Error
from ..values import NamedTuple

if TYPE_CHECKING:
    from .links import Folder

ROLES = ("mention", "entity", "document")
PARTS = "parts"  # a field made if the table lacks it: parts of documents or entities by a hash of names
ENGINES = ("auto", "numpy", "duckdb", "spark")
SUFFIXES = {
    ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow",
    ".ipc": "arrow", ".json": "json",
}  # fmt: skip
_PLAIN = {ending for ending in SUFFIXES if ending != ".json"}  # unless the content is of another format
_FRAMES = ("pandas", "polars", "pyarrow", "duckdb", "_duckdb", "pyspark", "numpy")
_COLUMNS = {"Series", "Categorical", "Index", "Array", "Int64Array", "StringArray", "ChunkedArray", "ndarray"}  # lists
_SMALL, _SMALL_BYTES = 50_000, 1 << 20  # rows, bytes of text files, up to which numpy is as fast as others
_MODEST, _MODEST_BYTES = 1_000_000, 16 << 20  # up to which numpy will do where DuckDB is not installed
_HEAD = 1 << 12  # bytes at the beginning of a file, by which its kind is recognised

LibraryObject = Any  # of a package that need not be installed: a frame, a column, a connection


class Options(NamedTuple):
    """How tables are read: which columns, by which engine, how much memory it may take, its temporary folder.

    `resume` is a folder for finished stages, `max_size` how many bytes packed files may be unpacked to.
    """

    reading: Hows = Hows()
    engine: str = "auto"
    memory: str | None = None
    temp: str | None = None
    resume: str | None = None
    max_size: int | None = None


TABLES = ("engine", "memory", "temp", "resume")  # options that are keywords of `score` under the same name


class Input(NamedTuple):
    """One side: its kind, its files or the frame, and its name for messages.

    `files` maps the path by which a file is read to the name that messages use. Input from a pipe, and files with names
    that libraries misunderstand, are read from a temporary folder that lives as long as this object.
    """

    kind: str
    files: Mapping[str, str]
    frame: LibraryObject
    name: str
    folder: Folder | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is a text file, whose cells have no types."""
        return self.kind in ("csv", "tsv")

    @property
    def small(self) -> bool:
        """Whether the table is so small that numpy counts it as fast as others."""
        return self._within(_SMALL, _SMALL_BYTES)

    @property
    def modest(self) -> bool:
        """Whether numpy counts the table in seconds."""
        return self._within(_MODEST, _MODEST_BYTES)

    def _within(self, rows: int, size: int) -> bool:
        if self.files:
            return (self.is_text or self.kind == "json") and sum(map(os.path.getsize, self.files)) <= size
        return self.kind != "duckdb" and len(self.frame) <= rows


def are_tables(sides: Sequence[object], reading: Hows) -> bool:
    """Whether these sides are tables: at least one is clearly a table, or all are labels (`{mention: entity}`).

    Labels beside clusters are read as clusters.
    """
    hows = reading.of_sides(len(sides))
    tables = (is_table(side, how.format) and not is_labels(side) for side, how in zip(sides, hows, strict=True))
    return all(map(is_labels, sides)) or any(tables)


def is_table(side: object, format: str | None) -> bool:
    """Whether this side is a table, judged by the format the user names, its ending, or its type."""
    if isinstance(side, Input):
        return True
    if isinstance(side, str | os.PathLike):
        return format == "table" or (format is None and _looks_like_tables(os.fspath(side)))
    if is_labels(side):
        return True
    if isinstance(side, tuple) and len(side) == 2 and all(map(_of_library, side)):
        return True
    return _of_library(side) and type(side).__name__ not in _COLUMNS


def refuse_mixed(sides: Sequence[object], reading: Hows) -> None:
    """Refuse a table beside something that is no table; the key is first. Pipes pass: they are known only when read."""
    for number, (side, how) in enumerate(zip(sides, reading.of_sides(len(sides)), strict=True)):
        if not is_table(side, how.format) and not is_pipe(side):
            name = "response" if number else "key"
            raise no_table(name, os.fspath(side) if isinstance(side, str | os.PathLike) else None)


def is_pipe(side: object) -> bool:
    """Whether it can be read only once: standard input, or a named pipe."""
    if not isinstance(side, str | os.PathLike):
        return False
    path = os.fspath(side)
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


def is_labels(side: LibraryObject) -> bool:
    """Whether it says the entity of each mention: `{mention: entity}`, an array of one dimension, a large Series.

    Mentions must be all texts or all integers, and so must entities, as in columns; other mappings are clusters.
    """
    if isinstance(side, Mapping):
        return bool(side) and _is_column(side) and _is_column(side.values())
    if _is_series(side):
        return len(side) > _MODEST and side.index.nlevels == 1 and side.index.is_unique and _has_columns(side)
    return _library(side) == "numpy" and len(getattr(side, "shape", ())) == 1


def _is_column(values: Iterable[object]) -> bool:
    return {*map(type, values)} in ({int}, {str})


def _is_series(side: LibraryObject) -> bool:
    return _library(side) == "pandas" and type(side).__name__ == "Series"


def _has_columns(series: LibraryObject) -> bool:
    """Whether the index and the values of a Series are texts or integers, all of them."""
    import pandas

    kinds = (pandas.api.types.infer_dtype(values, skipna=False) for values in (series.index, series))
    return all(kind in ("integer", "string") for kind in kinds)


def _library(side: object) -> str:
    return type(side).__module__.split(".")[0]


def _of_library(side: object) -> bool:
    return _library(side) in _FRAMES


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
    return _suffix(path) in (".csv", ".tsv") and _begins_otherwise(_head(path))


def _begins_otherwise(start: bytes) -> bool:
    return any(each.sniff(start) for each in by_content() if each.name != "table")


def _suffix(path: str) -> str:
    """The ending of a name, whether the file is compressed or not."""
    return os.path.splitext(path.removesuffix(".gz"))[1].lower()


def _head(path: str) -> bytes:
    """The beginning of a file; empty if it cannot be read, as the error is raised when the whole file is read."""
    import gzip
    import zlib

    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
            return file.read(_HEAD)
    except (OSError, EOFError, zlib.error):
        return b""


def _kind(data: bytes) -> str:
    """The kind of a table whose name says nothing, by its beginning."""
    known = {b"PAR1": "parquet", b"ARROW1": "arrow", b"{": "json"}
    start = next((each for each in known if data.lstrip().startswith(each)), None)
    return known[start] if start else "tsv" if b"\t" in data.partition(b"\n")[0] else "csv"


def _is_pattern(path: str) -> bool:
    """Whether a name may stand for several files."""
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


def given(side: LibraryObject, name: str) -> Input:
    """The input that a user gives as a table, with its kind recognised."""
    if isinstance(side, Input):
        return side
    if isinstance(side, str | os.PathLike):
        return _of_pipe(os.fspath(side), name) if is_pipe(side) else _of_files(os.fspath(side))
    if isinstance(side, Mapping):
        return Input("arrays", {}, Arrays(list(side), list(side.values())), name)
    if isinstance(side, tuple):
        if len(side[0]) != len(side[1]):
            raise Error("bad-arrays", f"{len(side[0])} mentions, but {len(side[1])} entities in the {name}",
                        expected="as many entities as mentions")  # fmt: skip
        return Input("arrays", {}, Arrays(*side), name)
    if _is_series(side):
        side = side.rename("entity").rename_axis("mention").reset_index()
    module = _library(side).lstrip("_")
    if module == "numpy" and isinstance(side, Sized):
        return Input("arrays", {}, Arrays(range(len(side)), side), name)
    if module == "polars" and hasattr(side, "collect"):
        side = side.collect()
    if type(side).__name__ not in ("DataFrame", "Table", "DuckDBPyRelation"):
        raise Error("bad-table", f"the {name} is a {type(side).__name__}, which is no table",
                    expected="a frame with columns of mentions and entities")  # fmt: skip
    return Input(module, {}, side, f"{name} ({module})")


class Arrays(NamedTuple):
    """Two columns of values that can be compared."""

    mention: Sized
    entity: Sized

    def __len__(self) -> int:
        return len(self.entity)


def _of_files(path: str) -> Input:
    files = part_files(path)
    for file in files:
        if not os.path.isfile(file):
            raise Error("unreadable-file", "cannot read the file: no such file", path=file, remedy="check the name")
    kinds = {SUFFIXES.get(_suffix(file)) for file in files}
    if kinds == {None} and len(files) == 1:  # the user says that it is a table
        kinds = {_kind(_head(path))}
    if None in kinds or len(kinds) > 1:
        odd = next((file for file in files if SUFFIXES.get(_suffix(file)) is None), files[0])
        raise Error("unknown-format", "no kind of table, or several kinds side by side", path=odd,
                    expected=f"files that end in one of {', '.join(SUFFIXES)}",
                    remedy="rename it, or name the files alone: 'folder/*.parquet'")  # fmt: skip
    from .links import plain_names

    kind = str(kinds.pop())
    names, folder = plain_names(files, kind)
    return Input(kind, names, None, path, folder)


def _of_pipe(path: str, name: str) -> Input:
    """Input from a pipe, copied to a file, which engines can read several times."""
    data = load(path)
    kind = _kind(data)
    if kind in ("csv", "tsv") and _begins_otherwise(data[:_HEAD]):
        raise no_table(name, path)
    from .links import Folder

    folder = Folder()
    file = os.path.join(folder.path, f"pipe.{kind}")
    with open(file, "wb") as opened:
        opened.write(data)
    return Input(kind, {file: path}, None, path, folder)


# -- columns ----------------------------------------------------------------------------------------------------------


class ColumnNames(NamedTuple):
    """The columns of one table: of mentions, entities, documents (perhaps none), and further fields by their names.

    `lone` is a column of documents that is ignored, because another table has none; `weight` that of sampling weights.
    """

    mention: str
    entity: str
    document: str | None
    fields: Mapping[str, str]
    guessed: tuple[str, ...] = ()
    lone: str | None = None
    weight: str | None = None

    @property
    def roles(self) -> dict[str, str]:
        """The columns by their role: mention, entity, and document if there is one."""
        return {role: name for role, name in zip(ROLES, self[:3], strict=True) if name}

    @property
    def note(self) -> str:
        """Which column has which role, in words, and what was guessed."""
        said = [f"{role}={name}{' (guessed)' * (role in self.guessed)}" for role, name in self.roles.items()]
        said += [f"{self.lone} does not count: the other table has no documents"] if self.lone else []
        return ", ".join(said)


def chosen(
    names: Sequence[str], wanted: Mapping[str, str], where: str | None, option: str = "--columns"
) -> ColumnNames:
    """The columns of a table with these names: those `wanted`, else guessed; errors mention the `option`."""
    from ..formats.table import refuse_twice, usual

    name_them = f"{option} mention=NAME,entity=NAME"
    found = {role: wanted.get(role) or usual(list(names), role) or "" for role in ROLES}
    if not found["document"]:
        del found["document"]
    fields = {field: name for field, name in wanted.items() if field not in ROLES}
    for role, name in (found | fields).items():
        if (not name or name not in names) and role != PARTS:  # a column may have no name
            remedy = f"name the columns: {name_them}" if role in ROLES else "name a column of the table"
            message = f"no column '{name}'" if name else f"no column that is plainly the {role}"
            raise Error("unknown-column", message, path=where, expected=f"one of {', '.join(names)}", remedy=remedy)
        refuse_twice(list(names), name, where)
    if found["mention"] == found["entity"]:
        raise Error("bad-columns", f"mention and entity are one column, {found['entity']}", path=where,
                    expected="two columns", remedy=f"name them: {name_them}")  # fmt: skip
    guessed = tuple(role for role in found if role not in wanted and found[role] != role)
    return ColumnNames(found["mention"], found["entity"], found.get("document"), fields, guessed)
