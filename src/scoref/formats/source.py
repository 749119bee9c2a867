"""What a reader is given: the bytes of a file, checked; and what writers share."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import accumulate, pairwise, repeat
from operator import add
from typing import TypeVar

from ..document.document import Document, Mention, Span, about, place, runs, word_of
from ..problems import Error, Problems, Reporter
from ..processes import Progress
from ..values import NamedTuple

SKIPPING = "--on-problem skip"
SKIP = f"fix the file, or count and skip such places with {SKIPPING}"  # a remedy
OTHER_FORMAT = "choose another format"  # a remedy
SIDES = ("key", "response")
PREDICTIONS = "predictions"  # the `side` of a response that is in the key's file
ENDS = ("inclusive", "exclusive")
_PART = 1 << 16
PACKED = b"x\x9c"  # how files begin that zlib packed
FILES = ("strict", "evmeval-1.8")
Crossing = TypeVar("Crossing", bound=tuple[int, int, *tuple[object, ...]])  # a begin, an end, and more
_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # of containers
_FARTHEST = 10**7  # words to write for a document without words: a wrong number must not fill the memory


def _memory() -> int:
    """The bytes of memory of this machine, or the container's limit; a huge number if unknown."""
    found = [1 << 60]
    with suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for name in _GROUPS:
        with suppress(OSError, ValueError), open(name, encoding="ascii") as file:
            found.append(int(file.read()))  # not a number (ValueError) if there is no limit
    return min(size for size in found if size > 0)


# The default limit for the size of an unpacked file, in bytes.
MOST = min(4_000_000_000, _memory() // 4)


class Source(NamedTuple):
    """The bytes of one file, its name for messages, and options on how to read it.

    `side` matters for files that hold both sides, `ends` for formats that give the end of a mention as a number,
    `tokens` (a folder of token tables) for those that name tokens, `files` (by which rules malformed lines are taken)
    for event nuggets, `marks` (their style) for running texts.
    """

    data: bytes
    name: str
    side: str = "key"
    ends: str = "inclusive"
    tokens: str | None = None
    files: str = "strict"
    marks: str | None = None


class How(NamedTuple):
    """How the files of a side are read, by the user's options; `own` names those given for this side only."""

    format: str | None = None
    ends: str = "inclusive"
    tokens: str | os.PathLike[str] | None = None
    glob: str | None = None
    files: str = "strict"
    marks: str | None = None
    progress: Progress | None = None
    max_size: int = MOST
    columns: tuple[tuple[str, str], ...] = ()  # of tables: the role of a column, and its name
    sample: int = 0  # of several answers to one document: which counts, from 1 on; 0 if there is one
    own: tuple[str, ...] = ()

    def source(self, path: str | os.PathLike[str], side: str, data: bytes | None = None) -> Source:
        """The source of a file, or of the given bytes of it; an error if an option has an unknown value."""
        data = load(path, self.max_size) if data is None else data
        tokens = os.fspath(self.tokens) if self.tokens is not None else None
        source = Source(data, str(path), side, self.ends, tokens, self.files, self.marks)
        for option, known in (("side", (*SIDES, PREDICTIONS)), ("ends", ENDS), ("files", FILES)):
            value = getattr(source, option)
            if value not in known:
                raise Error(f"unknown-{option}", f"no {option} '{value}'", expected=" or ".join(known))
        return source

    def option(self, name: str) -> str:
        """The command-line option that set this for the side.

        >>> How(own=("key_glob",)).option("glob"), How().option("glob")
        ('--key-glob', '--glob')
        """
        return option(next((each for each in self.own if each.endswith(f"_{name}")), name))


def option(keyword: str) -> str:
    """The command-line option of a keyword.

    >>> option("key_format")
    '--key-format'
    """
    return f"--{keyword.replace('_', '-')}"


class Misread(Exception):
    """A line, cell or record that cannot be understood: code, message, text (None: the whole line), what was expected.

    It is raised where the line or the document may not be known.
    """

    def __init__(self, code: str, message: str, text: str | None, expected: str) -> None:
        super().__init__(code, message, text, expected)

    def report_to(self, report: Reporter, line: int, whole: str | None = None) -> None:
        """Report it as a problem of a line."""
        code, message, text, expected = self.args
        report(code, message, line, whole if text is None else text, expected)


def is_new(name: str, line: int, lines: dict[str, int], report: Reporter) -> bool:
    """Whether a document is the first of that name in `lines`, to which it is added; a repeated one is reported."""
    if name in lines:
        expected = f"another name than in line {lines[name]}"
        report("repeated-document", f"document {name} for the second time", line, name, expected)
        return False
    lines[name] = line
    return True


def load(path: str | os.PathLike[str], most: int = MOST) -> bytes:
    """The bytes of a file, unpacked if gzipped, to at most `most` bytes; `-` is standard input."""
    name = str(path)
    try:
        if name == "-" and sys.stdin is None:
            raise OSError(0, "standard input is closed")
        with open(path, "rb") if name != "-" else nullcontext(sys.stdin.buffer) as file:
            data = file.read()
    except (OSError, ValueError) as reason:  # ValueError: a name that no file can have
        remedy = "check the name; a relative name is looked up from the current folder"
        message = f"cannot read the file: {getattr(reason, 'strerror', None) or reason}"
        raise Error("unreadable-file", message, path=name, remedy=remedy) from None
    return _unpacked(data, name, most) if data.startswith(b"\x1f\x8b") else data


def _unpacked(data: bytes, name: str, most: int) -> bytes:
    import gzip
    import zlib

    parts: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while size <= most and (part := file.read(1 << 20)):
                parts.append(part)
                size += len(part)
    except (EOFError, OSError, zlib.error) as reason:
        remedy = "copy or download the file again"
        raise Error("broken-gzip", f"cannot unpack the file: {reason}", path=name, remedy=remedy) from None
    if size > most:
        message = f"a file of {len(data)} bytes that is more than {most} unpacked"
        raise Error("too-large", message, path=name, remedy="check the file, or allow more with --max-size")
    return b"".join(parts)


def load_text(path: str | os.PathLike[str]) -> str:
    """The characters of a text file with its line ends; an error if it is not UTF-8.

    A byte-order mark counts as a character, as in other tools, and becomes a blank.
    """
    data = load(path)
    mark = data.startswith(b"\xef\xbb\xbf")
    data = data[3 * mark :]
    checked(Source(data, str(path)), Problems())
    return " " * mark + data.decode()


def checked(source: Source, problems: Problems) -> Source:
    """The source as plain UTF-8 lines; refuses what is not text, reports bytes that are not UTF-8.

    What zlib packed is no text: a format of such files unpacks it.
    """
    data, report = source.data, Reporter(problems, source.name)
    if data.startswith(PACKED):
        return source
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        remedy = "convert the file to UTF-8 (iconv -f UTF-16 -t UTF-8)"
        raise report.error("wrong-encoding", "the file is UTF-16", 1, None, "UTF-8", remedy=remedy)
    if b"\x00" in data:
        line = data.count(b"\n", 0, data.index(b"\x00")) + 1
        remedy = "name a text file; unpack archives and documents of word processors first"
        raise report.error("binary-file", "the file is not text", line, None, "a text file in UTF-8", remedy=remedy)
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if not data or data.isspace():
        raise report.error("empty-file", "the file is empty", remedy="check how the file was written")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        _refuse_other_encodings(data)
    except UnicodeDecodeError:
        data = _decoded(data, report)
    return source if data is source.data else source._replace(data=data)


def _refuse_other_encodings(data: bytes) -> None:
    """Raise UnicodeDecodeError for bytes that are not UTF-8; decodes in parts, to save memory."""
    start = 0 if not data.isascii() else len(data)
    while start < len(data):
        end = data.find(b"\n", start + _PART) + 1 or len(data)
        data[start:end].decode()
        start = end


def _decoded(data: bytes, report: Reporter) -> bytes:
    """The data with replacement characters for what is not UTF-8; every line with some is reported."""
    remedy = "convert it (iconv -f LATIN1 -t UTF-8), or put � for what is not UTF-8 with --on-problem skip"
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            line.decode()
        except UnicodeDecodeError as reason:
            text = repr(line[reason.start : reason.end])
            report("wrong-encoding", "the file is not UTF-8", number, text, "UTF-8", remedy=remedy)
            lines[number - 1] = line.decode(errors="replace").encode()
    return b"\n".join(lines)


def with_words(document: Document) -> Document:
    """The document, with `_` for words that are not known."""
    return document if document.words else replace(document, words=("_",) * size_of(document))


def size_of(document: Document) -> int:
    """The number of words of a document; if they are not known, the least number that its mentions need."""
    if document.words:
        return len(document.words)
    layers = (document, document.deixis) if document.deixis else (document,)
    placed = [mention for layer in layers for mention in layer.mentions if mention.span]
    if not placed:
        return 0
    last = max(placed, key=lambda mention: mention.span[-1])
    if word_of(last.span[-1]) >= _FARTHEST:
        message = "a mention too far away to write all words before it"
        remedy = "check the number, or choose a format that has no words: jsonl, tbf, brat"
        raise refusal_at(document, "too-far", message, last, f"places below {_FARTHEST}", remedy)
    return word_of(last.span[-1]) + 1


def only(documents: list[Document], file: str, remedy: str) -> Document:
    """The one document of a file to write; several are refused."""
    if len(documents) != 1:
        raise Error("too-many-documents", f"{file} holds one document, not {len(documents)}", remedy=remedy)
    return documents[0]


def refusal(
    document: Document,
    code: str,
    message: str,
    mention: Mention | None = None,
    *,
    text: str | None = None,
    expected: str | None = None,
    remedy: str = OTHER_FORMAT,
) -> Error:
    """The error of a writer for a document or mention that its format cannot hold."""
    line, words = place(document, mention) if mention is not None else (None, None)
    return about(document).error(code, message, line, words if text is None else text, expected, remedy=remedy)


def refusal_at(
    document: Document, code: str, message: str, mention: Mention, expected: str | None, remedy: str
) -> Error:
    """The error for a mention whose position cannot be written."""
    report = about(document, remedy=remedy).of(document.id or None)
    return report.error(code, message, document.line_of(mention), document.named(mention), expected)


def joined_words(document: Document) -> tuple[str, list[tuple[int, int]]]:
    """The words as a text, a blank between them, a line for each sentence; and where each begins and ends in it."""
    words = [*document.words]
    starts = sorted({0, *(start for start in document.sentences if 0 < start < len(words))})
    lines = [" ".join(words[first:last]) for first, last in pairwise([*starts, len(words)])]
    sizes = [*map(len, words)]
    begins = [0, *accumulate(map(add, sizes, repeat(1)))]
    return "\n".join(lines), [*zip(begins, map(add, begins, sizes), strict=False)]


def ids_of(document: Document) -> list[str]:
    """The ids of mentions, or numbers from 1 if some lack an id or share one."""
    ids = [str(mention.id) for mention in document.mentions]
    known = all(mention.id is not None for mention in document.mentions) and len({*ids}) == len(ids)
    return ids if known else [str(number) for number in range(1, len(ids) + 1)]


def numbered_pieces(span: Span, order: dict[int, int]) -> list[tuple[int, int]]:
    """The first and last node of each piece of a span, by the number that `order` gives each position."""
    first, last = order[span[0]], order[span[-1]]
    return [(first, last)] if last - first == len(span) - 1 else runs([order[place] for place in span])


def first_crossing(spans: Iterable[Crossing]) -> Crossing | None:
    """The first of some spans, each with its begin and end and perhaps more, that crosses another; None if none does.

    >>> first_crossing([(0, 4, "a"), (1, 2, "b"), (2, 5, "c")])
    (2, 5, 'c')
    """
    ends: list[int] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        while ends and ends[-1] <= span[0]:
            ends.pop()
        if ends and ends[-1] < span[1]:
            return span
        ends.append(span[1])
    return None


def remark(text: str, header: re.Pattern[str]) -> str:
    r"""A comment as one line that its reader does not take for a `header`.

    >>> header = re.compile("# newdoc")
    >>> remark("# text = Ada", header), remark("# newdoc id = a", header), remark("a\nb", header)
    ('# text = Ada', '# # newdoc id = a', '# a b')
    """
    line = re.sub(r"[\n\r]+", " ", text)
    return line if line.startswith("#") and not header.match(line.rstrip()) else f"# {line}"
