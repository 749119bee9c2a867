"""Reads the files of a key and of a response, and says which belong together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import formats
from ..document.document import Document
from ..formats import How, Hows
from ..problems import Error, Problem, Problems, Reporter
from ..processes import Progress
from ..values import NamedTuple

if TYPE_CHECKING:  # what files need not import
    from ..document.clusters import Clusters
    from ..formats.objects import Result
    from .batches import Given

    Side = str | os.PathLike[str] | Document | Result | Iterable[Document | Result] | Clusters | Any  # batches, tables
else:
    Side = Any
Files = list[tuple[str, list[Document], list[Document]]]


class Key:
    """A key that is read only once for several responses: a file, a pipe, or an iterator."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.files: Known = {}
        self.protocol: str | None = None  # the official one of its format, once `given` has read a file
        self._read: tuple[Given, list[Problem]] | None = None

    def given(self, problems: Problems, how: How) -> Given:
        """The documents or clusters, for responses that are not files."""
        if self._read is None:
            own = Problems(problems.policy)
            self.protocol, found = _given(self.side, "key", own, how)
            self._read = found, own.found
        problems.found += self._read[1]
        return self._read[0]


def read_sides(key: Key, response: Side | None, problems: Problems, hows: Hows) -> tuple[str | None, Files]:
    """The official protocol of the format, None unless both sides are files, and the documents of each file."""
    if isinstance(key.side, str | os.PathLike) and (response is None or isinstance(response, str | os.PathLike)):
        other = None if response is None else os.fspath(response)
        found, files = read_pairs(os.fspath(key.side), other, problems, hows, key.files)
        return found.protocol, files
    if response is None:
        raise Error("no-response", "no response to score", expected="a response, or a file that holds both sides")
    from .batches import documents_of, named_alike  # not needed for two files

    ours, (_, theirs) = key.given(problems, hows.key), _given(response, "response", problems, hows.response)
    documents = documents_of(ours, theirs)
    return None, [("", *(documents if len(documents[0]) == 1 else named_alike(*documents)))]


def _given(side: Side, name: str, problems: Problems, how: How) -> tuple[str | None, Given]:
    """The official protocol of the format of a side, None unless it is files, and its documents."""
    if not isinstance(side, str | os.PathLike):
        from .batches import given

        return None, given(side, name, problems)
    found, official = [], None
    for file, path in formats.listed(os.fspath(side), how).items():
        format, documents = formats.read_source(how.source(path, name), how.format, problems)
        if format.name == "table":  # the other side is a Python value
            raise no_table(formats.SIDES[name == "key"], None)
        found += formats.named_by_file(documents, format, file)
        official = official or format.protocol
    return official, found


def no_table(name: str, path: str | None) -> Error:
    """The error for a side that is not a table although the other side is."""
    remedy = "give two tables, or two sides of which none is"
    if path is not None and (os.path.isfile(path) or os.path.isdir(path)):
        remedy = f"say --format table, if it is one; else make one of it: scoref convert {path} {name}.csv"
    message = f"the {name} is no table, but the other side is"
    return Error("mixed-formats", message, path=path, expected="two tables", remedy=remedy)


def read_pairs(
    key: str, response: str | None, problems: Problems, hows: Hows, known: Known | None = None
) -> tuple[formats.Format, Files]:
    """The documents of two files, or of two folders whose files are paired by their names; the format of the key.

    A file and a folder are paired by the names of the documents alone. Without a response, the key holds it as well.
    `known` is a cache of files of the key.
    """
    second = "response" if response is not None else formats.PREDICTIONS
    sides = formats.listed(key, hows.key), formats.listed(key if response is None else response, hows.response)
    together = ("" in sides[0]) != ("" in sides[1])
    names = [*sides[0]], [*sides[1]]
    partners = dict(zip(*names, strict=True)) if names[0] == names[1] else {}
    if not partners and not together:
        from .names import same_files

        partners = same_files(*names)
    if not partners and not together:
        remedy = "rename the files: they are paired by their names relative to the folders"
        message = "no file of the response has the name of a file of the key"
        expected = "two files, or two folders with files of the same names"
        raise Error("no-common-file", message, path=f"{key}, {response}", expected=expected, remedy=remedy)
    chosen = [*sides[1].values()] if together else [sides[1][name] for name in partners.values()]
    many = len(sides[0]) > 1 or len(sides[1]) > 1
    tasks = [
        (str(file), side, how._replace(progress=None), problems.policy, many and "" not in named)
        for side, how, named, files in (
            ("key", hows.key, sides[0], sides[0].values()),
            (second, hows.response, sides[1], chosen),
        )
        for file in files
    ]
    refuse_twice([task[0] for task in tasks])
    if not together:
        _check_extra(
            [file for name, file in sides[1].items() if name not in partners.values()], hows.response, problems
        )
    read = _read_all(tasks, problems, hows.key.progress, {} if known is None else known)
    ours = {name: read["key", str(file)] for name, file in sides[0].items()}
    theirs = {name: read[second, str(file)] for name, file in sides[1].items() if (second, str(file)) in read}
    found = _key_format(ours, sides[0])
    _refuse_one_table((ours, key), (theirs, key if response is None else response))
    if together:
        for one in (*ours.values(), *theirs.values()):
            if one.unknown:
                _pass_over(one.problems[0].path or "", problems)
        return found, [("", _gathered(ours), _gathered(theirs))]
    _refuse_unknown(ours, theirs, partners, problems)
    nothing = _Read("", [], [])
    pairs = [(name, one, theirs[partners[name]] if name in partners else nothing) for name, one in ours.items()]
    return found, [(name, *_named_alike(name, one, other)) for name, one, other in pairs if one.format or other.format]


def _gathered(read: Mapping[str, _Read]) -> list[Document]:
    """The documents of all files of a side."""
    known = [(name, one) for name, one in read.items() if one.format]
    return [
        each for name, one in known for each in formats.named_by_file(one.documents, formats.named(one.format), name)
    ]


def refuse_twice(paths: Iterable[str]) -> None:
    """Refuse a pipe that is named twice: it can be read only once."""
    for path, number in Counter(paths).items():
        plain = not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path)
        if number > 1 and not plain and path != "-":
            raise Error("read-twice", "a pipe can be read only once", path=path, remedy="name a file instead")


class FileRange(NamedTuple):
    """A file, or the bytes from `begin` to `end` of one, and its format if it is known."""

    path: str
    begin: int = 0
    end: int | None = None
    format: str | None = None

    def source(self, side: str, how: How) -> formats.Source:
        """The source to give to a reader."""
        if self.end is None:
            return how.source(self.path, side)
        with open(self.path, "rb") as file:
            file.seek(self.begin)
            return how.source(self.path, side, file.read(self.end - self.begin))

    def lines_before(self) -> int:
        """The number of lines before it in the file, with any kind of line ends."""
        with open(self.path, "rb") as file:
            data = file.read(self.begin)
        return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


class Pieces(NamedTuple):
    """Parts of two inputs that belong together: the name of each file, its key and its response."""

    files: tuple[tuple[str, FileRange, FileRange], ...]


def read_pieces(pieces: Pieces, problems: Problems, hows: Hows) -> tuple[str | None, Files]:
    """The official protocol of the pieces of two inputs, and the documents of each file."""
    files: Files = []
    protocols = set()
    for name, *places in pieces.files:
        read = []
        for side, how, place in zip(formats.SIDES, hows, places, strict=True):
            source = place.source(side, how)
            format, documents = formats.read_source(source, place.format or how.format, problems)
            read.append(_Read(format.name, documents, []))
        protocols.add(formats.named(read[0].format).protocol)
        files.append((name, *_named_alike(name, read[0], read[1])))
    if len(protocols) > 1:
        raise Error("mixed-formats", "files of formats with different protocols")
    return protocols.pop(), files


class _Read(NamedTuple):
    """What was read of a file: the name of its format, '' if it could not be read, its documents, its problems.

    A file of a folder that looks like no format is `unknown`: whether that is a problem depends on its partner.
    """

    format: str
    documents: list[Document]
    problems: list[Problem]
    unknown: bool = False


_Task = tuple[str, str, How, str, bool]
Known = dict[_Task, _Read]
_WITHOUT = ("empty-file", "no-document")  # errors of files that have no document
_EMPTY = "check how it was written, or score it as an empty response with --on-problem skip"  # their remedy


def _read_all(
    tasks: list[_Task], problems: Problems, progress: Progress | None, known: Known
) -> dict[tuple[str, str], _Read]:
    """What was read of each side and file."""
    read: dict[tuple[str, str], _Read] = {}
    if progress:
        progress("files read", 0, len(tasks))
    for task in tasks:
        found = known[task] if task in known else _read(task)
        if task[1] == "key":
            known[task] = found
        read[task[1], task[0]] = found
        if not found.unknown:
            problems.found += found.problems
        if progress:
            progress("files read", len(read), len(tasks))
    return read


def _read(task: _Task) -> _Read:
    path, side, how, policy, many = task
    problems = Problems(policy)
    source = how.source(path, side)
    try:
        found, documents = formats.read_source(source, how.format, problems)
    except Error as error:
        empty = side != "key" and error.code in _WITHOUT
        unknown = many and (error.code == "unknown-format" or not formats.looks_like(source, how.format))
        problem = replace(error.problem, remedy=_EMPTY) if empty else error.problem
        if unknown:
            return _Read("", [], [problem], unknown=True)
        if policy == "raise" or not (many or empty):
            raise Error.of(problem) from None
        return _Read("", [], [*problems.found, problem])  # with the policy skip: counts as without documents
    if how.sample:
        from .samples import nth  # few have several answers to one document

        documents = nth(documents, how.sample)
    return _Read(found.name, documents, problems.found)


def _key_format(read: Mapping[str, _Read], files: Mapping[str, str]) -> formats.Format:
    """The format of the key's files; it gives the official protocol."""
    found = {one.format: name for name, one in reversed([*read.items()]) if one.format}
    first = next((one.format for one in read.values() if one.format), None)
    if first is None:
        unknown = next((one.problems[0] for one in read.values() if one.problems), None)
        if unknown is not None:
            raise Error.of(unknown)
        raise Error("no-document", "no file could be read", path=", ".join(map(str, [*files.values()][:2])))
    for name, file in found.items():
        if formats.named(name).protocol != formats.named(first).protocol:
            message = f"this file of the key is {name}, others are {first}"
            expected = "files of one format, or of formats with the same protocol"
            remedy = "score them one after the other: --glob PATTERN says which files"
            raise Error("mixed-formats", message, path=str(files[file]), expected=expected, remedy=remedy)
    return formats.named(first)


def _refuse_one_table(*sides: tuple[Mapping[str, _Read], str]) -> None:
    """Refuse a table against another format: mentions of tables have names, but no positions in a text."""
    tables = [{read.format == "table" for read in side.values() if read.format} for side, _ in sides]
    if tables[0] | tables[1] == {True, False}:
        name = "key" if False in tables[0] else "response"
        raise no_table(name, dict(zip(formats.SIDES, (path for _, path in sides), strict=True))[name])


def _check_extra(files: Iterable[str], how: How, problems: Problems) -> None:
    """Report files of the response that the key does not have; files that are no annotation are passed over."""
    for file in files:
        if formats.looks_like(how.source(file, "response"), how.format):
            report = Reporter(problems, str(file), remedy="remove it, or leave it out with --on-problem skip")
            report("extra-file", "a file that the key does not have")
        else:
            _pass_over(str(file), problems)


def _refuse_unknown(
    ours: Mapping[str, _Read], theirs: Mapping[str, _Read], partners: Mapping[str, str], problems: Problems
) -> None:
    """Report files of unknown format whose partner has a known one; pass over all other unknown files."""
    for name, one in ours.items():
        both = [each for each in (one, theirs.get(partners.get(name, ""))) if each is not None]
        for each in both:
            if each.unknown and any(other.format for other in both):
                problems.add(each.problems[0])
            elif each.unknown:
                _pass_over(each.problems[0].path or "", problems)


def _pass_over(path: str, problems: Problems) -> None:
    remedy = "nothing, if that is right; --glob PATTERN says which files are read"
    message, expected = "a file that looks like no known format is passed over", "files of annotation only"
    Reporter(problems, path, remedy=remedy)("passed-over", message, None, None, expected, fatal=False)


def _named_alike(name: str, one: _Read, other: _Read) -> tuple[list[Document], list[Document]]:
    """The documents of two files with that name; where a file is one document, its name need not match."""
    whole = any(read.format and formats.named(read.format).single for read in (one, other))
    ours = formats.of_folder(one.documents, formats.named(one.format), name) if one.format else one.documents
    if whole and len(ours) == len(other.documents) == 1:
        return ours, [replace(other.documents[0], id=ours[0].id)]
    return ours, other.documents
