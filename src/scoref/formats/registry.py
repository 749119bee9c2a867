"""The format of a file, and its documents."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from ..document.document import Document
from ..problems import Error, Problem, Problems
from .known import FORMATS, is_running
from .source import PREDICTIONS, SKIPPING, Format, Source, checked

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
            fitting = [format for format in FORMATS.values() if not format.vague and format.sniff(part)]
    if not fitting and not _is_description(source):
        fitting = [format for format in FORMATS.values() if format.vague and format.sniff(data)]
        fitting = fitting or [FORMATS["text"]] * _is_unmarked(source)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " and ".join(format.name for format in fitting)
        remedy = "say which it is with --format"
        raise Error("ambiguous-format", f"the file could be {names}", path=source.name, remedy=remedy)
    expected, remedy = _advice(source)
    raise Error("unknown-format", "the file looks like no known format", path=source.name, expected=expected,
                remedy=remedy)  # fmt: skip


def _advice(source: Source) -> tuple[str, str]:
    """What is expected of a file that looks like no format, and what can be done."""
    expected = f"one of {', '.join(FORMATS)}"
    if not is_running(source.data):
        return expected, "say which it is with --format, or see the formats with: scoref list formats"
    if _is_description(source):
        return (
            expected,
            "rename it, if it is running text: marks in files of this name are taken for links",
        )
    from .marked.styles import EXAMPLES

    return (
        f"{expected}; in running text, marks like {EXAMPLES}",
        "write marks in one of these styles, or name one with --marks STYLE, if nothing is marked in it",
    )


def looks_like(source: Source, format: str | None) -> bool:
    """Whether a file looks like the format, or like any; what cannot be told from its content counts as if."""
    described = _is_description(source)
    known = [named(format)] if format else [each for each in FORMATS.values() if not (each.vague and described)]
    if _is_blank(source.data):
        return _empty(source, format) is not None
    source = replace(source, data=source.data.removeprefix(b"\xef\xbb\xbf"))
    return any(each.sniff(source.data) for each in known) or (FORMATS["text"] in known and _is_unmarked(source))


def _is_description(source: Source) -> bool:
    return _DESCRIPTION.search(os.path.basename(source.name)) is not None


def _is_unmarked(source: Source) -> bool:
    """Whether it is a text that may have no mentions, as the style of marks is named."""
    return source.marks is not None and is_running(source.data)


def _is_blank(data: bytes) -> bool:
    return not data or data.isspace()


def by_suffix(path: str | os.PathLike[str]) -> Format:
    """The format that a file's ending names."""
    name = os.fspath(path).removesuffix(".gz")
    fitting = [format for format in FORMATS.values() if name.endswith(format.suffix)]
    fitting = fitting or [format for format in FORMATS.values() if name.endswith(format.endings)]
    if len(fitting) != 1:
        expected = ", ".join(f"{format.suffix} ({format.name})" for format in FORMATS.values())
        raise Error("unknown-format", "the file's ending names no format", path=str(path), expected=expected,
                    remedy="name the format: --to NAME")  # fmt: skip
    return fitting[0]


def read_source(source: Source, format: str | None, problems: Problems) -> tuple[Format, list[Document]]:
    """The documents of one file, and the format it has."""
    if _is_blank(source.data) and (empty := _empty(source, format)):
        return empty, list(empty.read(source, problems))
    source = checked(source, problems)
    found = named(format) if format else detect(source)
    if source.side == PREDICTIONS and not found.both:
        raise Error("no-response", f"no response, and a {found.name} file holds the key alone", path=source.name,
                    expected="KEY and RESPONSE, or JSON lines with clusters and predicted_clusters",
                    remedy="name the response as well")  # fmt: skip
    try:
        documents = list(found.read(source, problems))
    except Error as error:
        raise _helpful(error, source, found) from None
    except MemoryError:
        raise Error("out-of-memory", "there is not enough memory to read the file", path=source.name,
                    remedy="read fewer or smaller files at a time") from None  # fmt: skip
    except RecursionError:
        raise Error("too-deep", "something in the file is nested too deeply", path=source.name,
                    remedy="check how the file was written") from None  # fmt: skip
    if not documents:
        remedy = "check the file, or name another format with --format"
        raise Error("no-document", f"no document in this {found.name} file", path=source.name, remedy=remedy)
    for document in documents if found.words else ():
        if not document.words:
            place = document.source, document.line, document.id
            expected = "the words of its text"
            problems.add(Problem("empty-document", "a document without words", *place, None, expected, fatal=False))
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
    named = [each for each in FORMATS.values() if each.by_file]
    return next((each for each in named if each.name == format or (not format and name.endswith(each.suffix))), None)
