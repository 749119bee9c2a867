"""File formats: finding them, opening files, reading and writing documents.

A format is one module of this package with a constant `FORMAT`; it is found by being there. A reader turns bytes into
documents and says where something is wrong. It decides nothing: what is filtered, matched or counted is the protocol's.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from ..exceptions import Error, Problem, Problems
from ..model import Document

SKIP = "fix the file, or count and skip such places with --on-problem skip"  # a remedy
SIDES = ("key", "response")
ENDS = ("inclusive", "exclusive")

_HEAD = 1 << 18


@dataclass(frozen=True)
class Source:
    """The bytes of one file, its name for messages, and how to read what the bytes alone do not tell.

    `side` matters for files that hold both sides, `ends` for formats that give the end of a mention as a number,
    `tokens` (a folder of token tables) for those that name tokens.
    """

    data: bytes
    name: str
    side: str = "key"
    ends: str = "inclusive"
    tokens: str | None = None

    def __post_init__(self) -> None:
        for value, known, option in ((self.side, SIDES, "side"), (self.ends, ENDS, "ends")):
            if value not in known:
                raise Error(f"unknown-{option}", f"no {option} '{value}'", expected=" or ".join(known))


@dataclass(frozen=True)
class Format:
    """A file format: how it is recognised, read and written, and the protocol it is officially scored with."""

    name: str
    title: str
    suffix: str
    protocol: str
    sniff: Callable[[bytes], bool]
    read: Callable[[Source, Problems], Iterator[Document]]
    write: Callable[[list[Document]], str] | None = None
    single: bool = False  # a file holds one document
    by_file: bool = False  # a document is named by its file, which may be empty
    aside: tuple[str, ...] = ()  # endings of other files that folders of this format have
    beside: Callable[[list[Document]], dict[str, str]] | None = None  # texts of further files of a name, by ending


def _discover() -> dict[str, Format]:
    names = sorted(file.removesuffix(".py") for file in os.listdir(__path__[0]) if file[0] not in "_.")
    modules = (importlib.import_module(f"{__name__}.{name}") for name in names)
    return {module.FORMAT.name: module.FORMAT for module in modules if hasattr(module, "FORMAT")}


def load(path: str | Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped; `-` is standard input."""
    name = str(path)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(path).read_bytes()
    except (OSError, ValueError) as reason:  # ValueError: a name that no file can have
        remedy = "check the name; a relative name is looked up from the current folder"
        message = f"cannot read the file: {getattr(reason, 'strerror', None) or reason}"
        raise Error("unreadable-file", message, path=name, remedy=remedy) from None
    if data.startswith(b"\x1f\x8b"):
        import gzip
        import zlib

        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as reason:
            remedy = "copy or download the file again"
            raise Error("broken-gzip", f"cannot unpack the file: {reason}", path=name, remedy=remedy) from None
    return data


def load_text(path: str | Path) -> str:
    """The characters of a text file, line ends as they are; what is not text in UTF-8 is an error.

    A byte-order mark counts as a character, as it does for other tools, but is a blank.
    """
    data = load(path)
    mark = data.startswith(b"\xef\xbb\xbf")
    data = data[3 * mark :]
    checked(Source(data, str(path)), Problems())
    return " " * mark + data.decode()


def checked(source: Source, problems: Problems) -> Source:
    """The source as plain UTF-8 lines; what is not text is refused, a byte-order mark or a wrong encoding reported."""
    data, name = source.data, source.name
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        remedy = "convert the file to UTF-8 (iconv -f UTF-16 -t UTF-8)"
        raise Error("wrong-encoding", "the file is UTF-16", path=name, line=1, expected="UTF-8", remedy=remedy)
    if b"\x00" in data:
        line = data.count(b"\n", 0, data.index(b"\x00")) + 1
        remedy = "name a text file; unpack archives and documents of word processors first"
        raise Error("binary-file", "the file is not text", path=name, line=line, expected="a text file in UTF-8",
                    remedy=remedy)  # fmt: skip
    if data.startswith(b"\xef\xbb\xbf"):
        remedy = "save the file without it, or read past it with --on-problem skip"
        problems.add(Problem("byte-order-mark", "the file starts with a byte-order mark", name, 1, remedy=remedy))
        data = data[3:]
    if not data or data.isspace():
        raise Error("empty-file", "the file is empty", path=name, remedy="check how the file was written")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        data.isascii() or data.decode()
    except UnicodeDecodeError:
        data = _decoded(data, name, problems)
    return source if data is source.data else replace(source, data=data)


def _decoded(data: bytes, name: str, problems: Problems) -> bytes:
    """The data with replacement characters for what is not UTF-8; every line with some is reported."""
    remedy = "convert it (iconv -f LATIN1 -t UTF-8), or put � for what is not UTF-8 with --on-problem skip"
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            line.decode()
        except UnicodeDecodeError as reason:
            text = repr(line[reason.start : reason.end])
            problems.add(Problem("wrong-encoding", "the file is not UTF-8", name, number, None, text, "UTF-8", remedy))
            lines[number - 1] = line.decode(errors="replace").encode()
    return b"\n".join(lines)


def loads(text: str) -> Any:
    """The value of a JSON text; a ValueError says why it has none, or none that could be trusted."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\ud" in text or "\\uD" in text:  # half a character, perhaps, which could never be printed
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key '{next(name for name in names if names.count(name) > 1)}' twice")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise Error("unknown-format", f"no format '{name}'", expected=f"one of {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(source: Source) -> Format:
    """The one format whose look the file has."""
    data = source.data
    fitting: list[Format] = []
    for part in (data[:_HEAD], data):  # of most files the beginning tells; JSON is looked at as a whole
        if not fitting and (part is data or part.lstrip()[:1] not in (b"{", b"[")):
            fitting = [format for format in FORMATS.values() if format.sniff(part)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " and ".join(format.name for format in fitting)
        remedy = "say which it is with --format"
        raise Error("ambiguous-format", f"the file could be {names}", path=source.name, remedy=remedy)
    known = ", ".join(format.name for format in FORMATS.values())
    remedy = "say which it is with --format, or see the formats with: scoref list formats"
    raise Error(
        "unknown-format", "the file looks like no known format", path=source.name, expected=f"one of {known}",
        remedy=remedy,
    )  # fmt: skip


def read_source(source: Source, format: str | None, problems: Problems) -> tuple[Format, list[Document]]:
    """The documents of one file, and the format it has."""
    if not source.data.strip() and (empty := _empty(source, format)):
        return empty, list(empty.read(source, problems))
    source = checked(source, problems)
    found = named(format) if format else detect(source)
    documents = list(found.read(source, problems))
    if not documents:
        remedy = "check the file, or name another format with --format"
        raise Error("no-document", f"no document in this {found.name} file", path=source.name, remedy=remedy)
    return found, documents


def _empty(source: Source, format: str | None) -> Format | None:
    """The format in which an empty file is a document, as its name says all, if this can be such a file."""
    name = source.name.removesuffix(".gz")
    named = [each for each in FORMATS.values() if each.by_file]
    return next((each for each in named if each.name == format or (not format and name.endswith(each.suffix))), None)


def files(path: str | Path) -> dict[str, Path]:
    """The files of a folder by their name relative to it, `.gz` left out; for a file, that file under the name ''.

    Files that some formats have beside those to be read (texts, settings) are left out.
    """
    top = Path(path)
    if not top.is_dir():
        return {"": top}
    found: dict[str, Path] = {}
    for file in sorted(top.rglob("*")):
        name = file.relative_to(top).as_posix().removesuffix(".gz")
        if not file.is_file() or any(part.startswith(".") for part in name.split("/")):
            continue
        if found.setdefault(name, file) != file:
            remedy = "remove one of them"
            raise Error("repeated-file", "a file both packed and unpacked", path=str(file), remedy=remedy)
    there = [each for each in FORMATS.values() if each.aside and any(name.endswith(each.suffix) for name in found)]
    aside = tuple(ending for each in there for ending in each.aside)
    found = {name: file for name, file in found.items() if not name.endswith(aside)}
    if not found:
        remedy = "check the name of the folder"
        raise Error("empty-folder", "the folder has no files", path=str(path), remedy=remedy)
    return found


def read(
    path: str | Path,
    format: str | None = None,
    *,
    side: str = "key",
    ends: str = "inclusive",
    on_problem: str = "raise",
) -> list[Document]:
    """The documents of a file or of all files in a folder.

    The format is found from the content unless it is given. `side` says which clusters to take from files that hold
    both a key and a response, `ends` whether a mention `[3, 5]` of a JSON file includes word 5.
    """
    problems = Problems(on_problem)
    return [
        document
        for file in files(path).values()
        for document in read_source(Source(load(file), str(file), side, ends), format, problems)[1]
    ]


def write(documents: Iterable[Document], path: str | Path, format: str | None = None) -> None:
    """Write documents to a file, in the format given or in the one that the file's ending names."""
    for file, text in rendered(list(documents), path, format or by_suffix(path).name).items():
        save(text, file)


def rendered(documents: list[Document], path: str | Path, format: str) -> dict[Path, str]:
    """The texts of the files to write: that of the name given, and those that the format has beside it."""
    found = named(format)
    texts = {Path(path): dumps(documents, format)}
    start = str(path).removesuffix(".gz").removesuffix(found.suffix)
    for ending, text in (found.beside(documents) if found.beside else {}).items():
        texts[Path(start + ending)] = text
    return texts


def save(text: str, path: str | Path) -> None:
    """Write the text of a file; folders on its way are made, a name ending in `.gz` is packed."""
    data = text.encode()
    if str(path).endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(data)
    except OSError as reason:
        raise Error("unwritable-file", f"cannot write the file: {reason.strerror}", path=str(path)) from None


def dumps(documents: Iterable[Document], format: str) -> str:
    """Documents as the text of a file."""
    found = named(format)
    if found.write is None:
        raise Error("no-writer", f"{format} files can be read, but not written")
    text = found.write(list(documents))
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        bad = ascii(text[reason.start : reason.end])
        raise Error("unwritable-text", "half a character (a lone surrogate) cannot be written", text=bad) from None
    return text


def by_suffix(path: str | Path) -> Format:
    """The format that a file's ending names."""
    name = str(path).removesuffix(".gz")
    fitting = [format for format in FORMATS.values() if name.endswith(format.suffix)]
    if len(fitting) != 1:
        expected = ", ".join(f"{format.suffix} ({format.name})" for format in FORMATS.values())
        raise Error("unknown-format", "the file's ending names no format", path=str(path), expected=expected,
                    remedy="name the format: --to NAME")  # fmt: skip
    return fitting[0]


FORMATS = _discover()
