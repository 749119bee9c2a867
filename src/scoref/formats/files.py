"""Lists files of folders, reads documents from files, writes documents to files."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from ..document.document import Document, about
from ..document.grouping import comments
from ..problems import Error, Problems, Reporter
from ..values import NamedTuple
from .format import Format
from .known import FORMATS, by_suffix, detect, if_empty, is_blank, named
from .source import ENDS, MOST, PREDICTIONS, SIDES, SKIPPING, How, Source, checked, option

# Options that can be set for one side: `format` is for both sides, `key_format` and `response_format` for one. Options,
# keywords and project settings for one side are made from these.
SIDED = ("format", "ends", "marks", "columns", "tokens", "glob")
ONE_SIDED = {f"{side}_{name}": (side, name) for side in SIDES for name in SIDED}
# How signatures write ends: a word for both sides, or which side has exclusive ends if only one has.
FOUND_ENDS = (*ENDS, *(f"{side}-exclusive" for side in SIDES))
_WORDS: dict[str, Collection[str]] = {"format": FORMATS, "ends": ENDS}


class Hows(NamedTuple):
    """How the files of the key are read, and how those of the response."""

    key: How = How()
    response: How = How()

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Hows:
        """How both sides are read, from the keywords of `score`; a keyword for one side overrides that for both.

        Columns are overridden one by one.

        >>> found = Hows.of({"ends": "exclusive", "key_ends": "inclusive", "columns": "mention=id", "key_columns": "x"})
        >>> found.key.ends, found.key.columns, found.response.columns
        ('inclusive', (('mention', 'id'), ('x', 'x')), (('mention', 'id'),))
        """
        both = {name: keywords[name] for name in (*SIDED, "max_size") if name in keywords}
        hows = []
        for each in SIDES:
            own = {name for name, (side, _) in ONE_SIDED.items() if side == each and keywords.get(name) is not None}
            how = both | {ONE_SIDED[name][1]: keywords[name] for name in own}
            how["columns"] = _columns(keywords, ("columns", f"{each}_columns"))
            _check_words(keywords, own)
            hows.append(How(**how, own=tuple(sorted(own))))
        return cls(*hows)

    @property
    def ends(self) -> str:
        """How a signature writes ends: one word if both sides have the same, else which side has exclusive ends."""
        alone = [side for side, how in zip(SIDES, self, strict=True) if how.ends == "exclusive"]
        return f"{alone[0]}-exclusive" if len(alone) == 1 else self.key.ends

    def each(self, **changes: Any) -> Hows:
        """The same with these changes on both sides."""
        return Hows(self.key._replace(**changes), self.response._replace(**changes))

    def of_sides(self, number: int) -> list[How]:
        """How each of so many sides is read: the key, and responses to it."""
        return [self.key, *[self.response] * (number - 1)]


def _columns(keywords: Mapping[str, Any], names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The columns of tables from these keywords; later keywords override earlier ones."""
    found: dict[str, str] = {}
    for name in names:
        if keywords.get(name):
            from .table import asked  # rarely needed

            found |= asked(keywords[name], option(name))
    return tuple(found.items())


def _check_words(keywords: Mapping[str, Any], own: Iterable[str]) -> None:
    """Refuse unknown values of keywords for one side."""
    for keyword in own:
        _, name = ONE_SIDED[keyword]
        if name == "marks":
            from .marked.styles import styled

            styled(keywords[keyword], option(keyword))
        if (known := _WORDS.get(name)) is not None and keywords[keyword] not in known:
            message, expected = f"no {keyword} '{keywords[keyword]}'", f"one of {', '.join(known)}"
            raise Error(f"unknown-{name}", message, expected=expected)


def listed(path: str, how: How) -> dict[str, str]:
    """The files to read from a folder, by their names in it; a single file has the name ''."""
    return files(path, how.glob, how.option("glob"), how.max_size)


def files(
    path: str | os.PathLike[str], glob: str | None = None, option: str = "--glob", most: int = MOST
) -> dict[str, str]:
    """The files of a folder by their name relative to it, `.gz` left out; for a file, that file under the name ''.

    A zip file is a folder, or, if there is only one file in it, that file.

    With `glob`, only those whose name, or path in the folder, matches the pattern. Hidden files are left out, and so
    are files that some formats have beside those to be read (texts, settings). Links are followed. A broken link, a
    link that leads back, and an unreadable folder are errors: nothing is left out silently.
    """
    packed = not os.path.isdir(path) and _is_packed(path)
    if packed:
        from .archives import opened  # rarely needed

        path = opened(os.fspath(path), most)
    if not os.path.isdir(path):  # also if it does not exist: reading it will report that
        return {"": os.fspath(path)}
    found: dict[str, str] = {}
    for name, file in walk(os.fspath(path)):
        if found.setdefault(name.removesuffix(".gz"), file) != file:
            raise Error("repeated-file", "a file both packed and unpacked", path=file, remedy="remove one of them")
    present = [each for each in FORMATS.values() if each.aside and any(name.endswith(each.suffix) for name in found)]
    aside = tuple(ending for each in present for ending in each.aside)
    found = {name: file for name, file in found.items() if not name.endswith(aside) and _is_like(name, glob)}
    if not found:
        message = f"the folder has no files{f' like {glob}' if glob else ''}"
        remedy = f"check the name of the folder{f', and {option}' if glob else ''}"
        raise Error("empty-folder", message, path=str(path), remedy=remedy)
    return {"": next(iter(found.values()))} if packed and len(found) == 1 else found


def _is_packed(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a zip file, by its first bytes."""
    if not os.path.isfile(path):
        return False
    with suppress(OSError), open(path, "rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    return False


def walk(folder: str, start: str = "", above: tuple[tuple[int, int], ...] = ()) -> Iterator[tuple[str, str]]:
    """The files of a folder and of those in it, with their names relative to the first; hidden ones are left out."""
    try:
        here = os.stat(folder)
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as reason:
        message = f"cannot read the folder: {reason.strerror}"
        raise Error("unreadable-folder", message, path=folder, remedy="make it readable, or move it away") from None
    if (here.st_dev, here.st_ino) in above:
        raise Error("circular-folder", "a link to a folder that it is in", path=folder, remedy="remove the link")
    for name in names:
        place = os.path.join(folder, name)
        try:
            mode = os.stat(place).st_mode
        except OSError as reason:
            what = "a link that leads nowhere" if os.path.islink(place) else "cannot read what is there"
            message = f"{what}: {reason.strerror}"
            raise Error("unreadable-file", message, path=place, remedy="remove or repair it") from None
        if stat.S_ISDIR(mode):
            yield from walk(place, f"{start}{name}/", (*above, (here.st_dev, here.st_ino)))
        elif stat.S_ISREG(mode) or stat.S_ISFIFO(mode):
            yield start + name, place
        else:
            message = "neither a file nor a folder"
            raise Error("unreadable-file", message, path=place, remedy="remove it from the folder")


def _is_like(name: str, glob: str | None) -> bool:
    return glob is None or any(fnmatchcase(each, glob) for each in (name, name.rpartition("/")[2]))


def named_by_file(documents: list[Document], format: Format, name: str) -> list[Document]:
    """The documents of a file in a folder, with topics as `of_folder`, and named by the file in formats that do so."""
    documents = of_folder(documents, format, name)
    if not name or "named by file" not in format.traits:
        return documents
    return [replace(document, id=format.named(document, name)) for document in documents]


def of_folder(documents: list[Document], format: Format, name: str) -> list[Document]:
    """The documents of a file in a folder; where folders are topics, those without a topic get that of the folder."""
    folder = name.rpartition("/")[0]
    if not folder or "folders of topics" not in format.traits:
        return documents
    topic = (0, f"# topic = {folder}")
    return [
        document if "topic" in comments(document) else replace(document, comments=(topic, *document.comments))
        for document in documents
    ]


def read(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    side: str = "key",
    ends: str = "inclusive",
    marks: str | None = None,
    on_problem: str = "raise",
) -> list[Document]:
    """The documents of a file or of all files in a folder.

    The format is found from the content unless it is given. `side` says which clusters to take from files that hold
    both a key and a response, `ends` whether a mention `[3, 5]` of a JSON file includes word 5, `marks` in which style
    a running text is marked.
    """
    problems = Problems(on_problem)
    if not isinstance(path, str | os.PathLike):
        raise Error("bad-path", f"{path!r} is no path", expected="the path of a file or a folder")
    how, found = How(ends=ends, marks=marks), list[Document]()
    for name, file in files(path).items():
        its, documents = read_source(how.source(file, side), format, problems)
        found += named_by_file(documents, its, name)
    return found


def read_source(source: Source, format: str | None, problems: Problems) -> tuple[Format, list[Document]]:
    """The documents of one file, and the format it has."""
    if is_blank(source.data) and (empty := if_empty(source, format)):
        return empty, list(empty.read(source, problems))
    source = checked(source, problems)
    report = Reporter(problems, source.name)
    found = named(format) if format else detect(source)
    if source.side == PREDICTIONS and "both sides" not in found.traits:
        message = f"no response, and a {found.name} file holds the key alone"
        expected = "KEY and RESPONSE, or JSON lines with clusters and predicted_clusters"
        raise report.error("no-response", message, expected=expected, remedy="name the response as well")
    try:
        documents = list(found.read(source, problems))
    except Error as error:
        raise _helpful(error, source, found) from None
    except MemoryError:
        message, remedy = "there is not enough memory to read the file", "read fewer or smaller files at a time"
        raise report.error("out-of-memory", message, remedy=remedy) from None
    except RecursionError:
        message, remedy = "something in the file is nested too deeply", "check how the file was written"
        raise report.error("too-deep", message, remedy=remedy) from None
    if not documents:
        remedy = "check the file, or name another format with --format"
        raise report.error("no-document", f"no document in this {found.name} file", remedy=remedy)
    for document in documents if found.of_words else ():
        if not document.words:
            what, expected = "a document without words", "the words of its text"
            about(document, problems)("empty-document", what, document.line, expected=expected, fatal=False)
    return found, documents


def _helpful(error: Error, source: Source, format: Format) -> Error:
    """The error, without the remedy to skip malformed parts if no mention would be left then."""
    remedy = error.problem.remedy or ""
    if SKIPPING not in remedy:
        return error
    try:
        left = any(document.mentions for document in format.read(source, Problems("skip")))
    except Error:
        left = False
    fixed = ", or ".join(part for part in remedy.split(", or ") if SKIPPING not in part) or "fix the file"
    return error if left else Error.of(replace(error.problem, remedy=fixed))


def write(
    documents: Document | Iterable[Document],
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    style: str | None = None,
) -> None:
    """Write a document or several to a file, in the format given or in the one that the file's ending names.

    `style` is the style of marks, of a format that has several.
    """
    if isinstance(documents, Document):
        documents = [documents]
    wanted = list(documents) if isinstance(documents, Iterable) else [documents]
    for each in wanted:
        if not isinstance(each, Document):
            expected = "documents: scoref.clusters makes them"
            remedy = "read them: scoref.write(scoref.read(path), other)"
            raise Error("bad-documents", f"{each!r} is no document", expected=expected, remedy=remedy)
    texts = rendered(wanted, path, format or by_suffix(path).name, style)
    refuse_repeated(wanted, named(format) if format else by_suffix(path))
    save_all(texts)


def refuse_repeated(documents: Sequence[Document], to: Format) -> None:
    """Refuse documents with the same name, which one file cannot hold; those without a name go by their order."""
    before: dict[str, Document] = {}
    for document in documents:
        first = before.setdefault(document.id, document)
        if document.id and first is not document:
            expected = f"another name than in {first.source}{f':{first.line}' if first.line else ''}"
            remedy = "rename one of them"
            if first.source != document.source:
                remedy = f"name a folder to write to, without an ending, and --to {to.name}"
            raise Error("repeated-document", f"document {document.id} for the second time", path=document.source,
                        line=document.line, expected=expected, remedy=remedy)  # fmt: skip


def rendered(
    documents: list[Document], path: str | os.PathLike[str], format: str, style: str | None = None
) -> dict[str, str | bytes]:
    """The contents of the files to write, by path: the file itself, and those that the format has beside it."""
    found = named(format)
    path = os.fspath(path)
    ending = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    written = found.write(documents, ending) if ending in found.suffixes[1:] else dumps(documents, format, style)
    start = path.removesuffix(".gz").removesuffix(found.suffix)
    return {path: written, **{start + ending: text for ending, text in found.beside(documents).items()}}


def save(text: str, path: str | os.PathLike[str]) -> None:
    """Write the text of a file, whole or not at all; folders on its way are made, a name ending in `.gz` is packed."""
    save_all({os.fspath(path): text})


def save_all(texts: Mapping[str, str] | Mapping[str, str | bytes]) -> None:
    """Write the texts of files, all of them or none."""
    from gzip import compress  # few commands write files

    from ..storing import store

    packed = {}
    for path, text in texts.items():  # they may hold names of files, which need not be UTF-8
        data = text if isinstance(text, bytes) else text.encode(errors="backslashreplace")
        packed[path] = compress(data, mtime=0) if path.endswith(".gz") else data
    store(packed)


def dumps(documents: Iterable[Document], format: str, style: str | None = None) -> str:
    """Documents as the text of a file, in one of the styles of the format."""
    found = named(format)
    if not found.writes:
        writable = ", ".join(name for name, each in FORMATS.items() if each.writes)
        raise Error("no-writer", f"{format} files can be read, but not written", expected=f"one of {writable}")
    if style is not None and style not in found.styles:
        message = f"{format} files are not written in a style '{style}'"
        remedy = "leave the style out, or write the format text"
        expected = f"one of {', '.join(found.styles)}" if found.styles else "a format with styles: text"
        raise Error("unknown-style", message, expected=expected, remedy=remedy)
    from .tokens.spans import in_words  # needed for writing only

    characters = "character places" in found.holds
    fitting = [each if characters else in_words(each).document for each in documents]
    text = str(found.write(fitting, style))
    try:
        text.encode()
    except UnicodeEncodeError as reason:
        bad = ascii(text[reason.start : reason.end])
        raise Error("unwritable-text", "half a character (a lone surrogate) cannot be written", text=bad) from None
    return text
