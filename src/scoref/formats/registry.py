"""The format of a file, and its documents."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from ..document.document import Document, about
from ..problems import Error, Problems, Reporter
from .format import Format
from .known import FORMATS, is_running
from .source import PREDICTIONS, SKIPPING, Source, checked

_HEAD = 1 << 18
_DESCRIPTION = re.compile(r"^readme|\.(md|rst|html?)(\.gz)?$", re.IGNORECASE)  # what looks vague there means nothing
_OBJECT = re.compile(rb"\s*\{.*\}[ \t]*\n")  # a line


def named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise Error("unknown-format", f"no format '{name}'", expected=f"one of {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(source: Source) -> Format:
    """The one format that fits the content of the file; a text without marks fits if their style is named."""
    data = source.data
    fitting: list[Format] = []
    for part in (data[:_HEAD], data):  # the beginning is enough for most files, but not for JSON of several lines
        if not fitting and (part is data or part.lstrip()[:1] not in (b"{", b"[") or _OBJECT.match(part)):
            fitting = [format for format in FORMATS.values() if "vague" not in format.traits and format.sniff(part)]
    if not fitting and not _is_description(source):
        fitting = [format for format in FORMATS.values() if "vague" in format.traits and format.sniff(data)]
        fitting = fitting or _unmarked(source)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " and ".join(format.name for format in fitting)
        remedy = "say which it is with --format"
        raise Error("ambiguous-format", f"the file could be {names}", path=source.name, remedy=remedy)
    expected, remedy = _advice(source)
    message = "the file looks like no known format"
    raise Error("unknown-format", message, path=source.name, expected=expected, remedy=remedy)


def _advice(source: Source) -> tuple[str, str]:
    """What is expected of a file that looks like no format, and what can be done."""
    expected = f"one of {', '.join(FORMATS)}"
    if not is_running(source.data):
        return expected, "say which it is with --format, or see the formats with: scoref list formats"
    if _is_description(source):
        return expected, "rename it, if it is running text: marks in files of this name are taken for links"
    from .marked.styles import EXAMPLES

    return (
        f"{expected}; in running text, marks like {EXAMPLES}",
        "write marks in one of these styles, or name one with --marks STYLE, if nothing is marked in it",
    )


def looks_like(source: Source, format: str | None) -> bool:
    """Whether a file looks like the format, or like any; what cannot be told from its content counts as if."""
    known = [named(format)] if format else [*FORMATS.values()]
    if not format and _is_description(source):
        known = [each for each in known if "vague" not in each.traits]
    if _is_blank(source.data):
        return _empty(source, format) is not None
    source = replace(source, data=source.data.removeprefix(b"\xef\xbb\xbf"))
    return any(each.sniff(source.data) for each in known) or any(each in known for each in _unmarked(source))


def _is_description(source: Source) -> bool:
    return _DESCRIPTION.search(os.path.basename(source.name)) is not None


def _unmarked(source: Source) -> list[Format]:
    """The formats of a text that may have no mentions: those with styles of marks, if the style is named."""
    if source.marks is None or not is_running(source.data):
        return []
    return [format for format in FORMATS.values() if format.styles]


def _is_blank(data: bytes) -> bool:
    return not data or data.isspace()


def by_suffix(path: str | os.PathLike[str]) -> Format:
    """The format that a file's ending names."""
    name = os.fspath(path).removesuffix(".gz")
    fitting = [format for format in FORMATS.values() if name.endswith(format.suffix)]
    fitting = fitting or [format for format in FORMATS.values() if name.endswith(format.suffixes)]
    if len(fitting) != 1:
        expected = ", ".join(f"{format.suffix} ({format.name})" for format in FORMATS.values())
        message, remedy = "the file's ending names no format", "name the format: --to NAME"
        raise Error("unknown-format", message, path=str(path), expected=expected, remedy=remedy)
    return fitting[0]


def read_source(source: Source, format: str | None, problems: Problems) -> tuple[Format, list[Document]]:
    """The documents of one file, and the format it has."""
    if _is_blank(source.data) and (empty := _empty(source, format)):
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
    """The error, whose remedy is to skip what is wrong only if mentions are left then."""
    remedy = error.problem.remedy or ""
    if SKIPPING not in remedy:
        return error
    try:
        left = any(document.mentions for document in format.read(source, Problems("skip")))
    except Error:
        left = False
    fixed = ", or ".join(part for part in remedy.split(", or ") if SKIPPING not in part) or "fix the file"
    return error if left else Error.of(replace(error.problem, remedy=fixed))


def _empty(source: Source, format: str | None) -> Format | None:
    """The format that reads an empty file as a document, if it was asked for or the file has its ending."""
    name = source.name.removesuffix(".gz")
    named = [each for each in FORMATS.values() if "named by file" in each.traits]
    return next((each for each in named if each.name == format or (not format and name.endswith(each.suffix))), None)
