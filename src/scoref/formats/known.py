"""All formats: what each is called, what its files look like, what they can hold; and which of them a file has.

A module that reads is imported when a file of its format is read; whether a file has the format is decided here.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from ..problems import Error
from .format import HOLDS, Format
from .source import Source

_HEAD = 1 << 18
_DESCRIPTION = re.compile(r"^readme|\.(md|rst|html?)(\.gz)?$", re.IGNORECASE)  # not tried for vague formats
_OBJECT = re.compile(rb"\s*\{.*\}[ \t]*\n")  # a line with one object


def _finds(pattern: bytes, data: bytes, hint: bytes = b"") -> bool:
    """Whether the pattern occurs in the data; `hint`, a literal part of it, is searched for first, as that is fast."""
    return hint in data and re.search(pattern, data, re.MULTILINE) is not None


def _brat(data: bytes) -> bool:
    """Whether the first line is a line of brat annotation."""
    first = (
        rb"\s*(?:T[0-9]+\S*\t\S+ +[0-9]|E[0-9]+\S*\t\S+:T[0-9]|[AM][0-9]+\S*\t\S+ +[TE][0-9]"
        rb"|R[0-9]+\S*\t\S+ +\S+:[TE][0-9]|\*\t\S+ +[TE][0-9]|N[0-9]+\S*\t\S+ +[TE][0-9]|#[0-9]+\t\S+ +[TEAR][0-9])"
    )
    return data.lstrip()[:1] in b"TEAMR*N#" and re.match(first, data) is not None


def _booknlp(data: bytes) -> bool:
    """Whether the first line names the columns of mentions."""
    first = data.split(b"\n", 1)[0].decode(errors="replace")
    return {*first.strip().split("\t")} >= {"COREF", "start_token", "end_token"}


def _clusters(data: bytes) -> bool:
    """Whether the file begins as a list, or as an object whose type is clusters or graph or whose values are texts."""
    start = data.lstrip()[:1]
    if start == b"[":
        word = rb"null|true|false|NaN"
        listed = re.match(rb"\s*\[\s*(\]\s*$|\[\s*([-\"\[\]{0-9]|(%b)\b))" % word, data)  # not [{: these are documents
        flat = re.match(rb'\s*\[\s*("[^"\n]*"|-?[0-9.]+|%b)\s*(,|\]\s*$)' % word, data)
        return listed is not None or (flat is not None and not _has_marks(data))
    return start == b"{" and (_is_typed(data) or _holds_texts(data))


def _is_typed(data: bytes) -> bool:
    return _finds(rb'"type"\s*:\s*"(clusters|graph)"', data, b'"type"')


def _holds_texts(data: bytes) -> bool:
    """Whether it is an object of lists of texts; parsed only if it may be one."""
    from .jsonl.shapes import entities_of_texts, loads

    listed = rb'"clusters"\s*:\s*(?:\{|\[\s*(?:\[\s*\]\s*,\s*)*\[\s*")'
    if not re.match(rb'\s*\{\s*"[^"]*"\s*:\s*\[\s*["\]]', data) and not _finds(listed, data):
        return False
    try:
        return entities_of_texts(loads(data.decode())) is not None
    except ValueError:
        return False


_LAST = rb"^[^#\s].*[ \t](?:[-_*]|(?=\S*[()])[0-9()|]+)[ \t]*$"  # a line with the last column of CoNLL


def _conll(data: bytes) -> bool:
    """Whether there is a line `#begin document`, and no running text with marks behind it."""
    begins = _finds(rb"^[ \t]*#\s*begin document", data, b"begin document")
    return begins and (_has_columns(data[:_HEAD]) or not _has_marks(data))


def _has_columns(data: bytes) -> bool:
    """Whether half of the lines end like lines of CoNLL; some lines of any text do, in a dash."""
    lines, fitting = (len(re.findall(pattern, data, re.MULTILINE)) for pattern in (rb"^[^#\s].*$", _LAST))
    return 2 * fitting >= lines > 0


def _corefud(data: bytes) -> bool:
    """Whether there is a header `# global.Entity`, or MISC with Entity brackets in ten columns."""
    if _names_identity(data):
        return False  # CONLL-UA that was converted from CorefUD
    misc = rb"^\d+(\t[^\t\n]*){8}\t([^\t\n]*\|)?Entity="
    return _finds(rb"^#\s*global\.Entity\s*=", data, b"global.Entity") or _finds(misc, data, b"Entity=")


def _names_identity(data: bytes) -> bool:
    """Whether a header names the columns, and a column of identities among them."""
    return _finds(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, b"global.columns")


def _ecb(data: bytes) -> bool:
    """Whether it is XML with a root `Document` and tokens with ids."""
    return data.lstrip()[:1] == b"<" and _finds(rb"<Document\b[^<>]*>\s*<token\s[^<>]*\bt_id=", data)


def _jsonl(data: bytes) -> bool:
    """Whether the first line, or all, is an object with a document's keys; or all is an array of such."""
    data = data.lstrip()
    if data[:1] not in (b"{", b"["):
        return False
    from .jsonl.shapes import KEYS, NAMES, TOKENS, loads

    some_key = rf'"({"|".join(KEYS)})"\s*:'.encode()
    first = data[: data.find(b"\n") if b"\n" in data else None].rstrip()
    if re.match(rb"\[\s*\{", data) or first == b"{":
        return _finds(some_key, data) and not _is_typed(data) and not _holds_texts(data)
    if not first.startswith(b"{"):
        return False
    try:
        record = loads(first.decode())
    except ValueError:
        return _finds(some_key, first) and b'"type"' not in first and not _holds_texts(data)
    known = not record.keys().isdisjoint((*NAMES, *TOKENS, *KEYS, "sentences"))
    return known and "type" not in record and not _holds_texts(data)


def _muc(data: bytes) -> bool:
    """Whether there is a tag `<COREF ID=...>`, and documents or references; else it is running text with marks.

    A response without mentions is recognised by `<DOC>` and `<TXT>` only.
    """
    if b"<COREF" not in data and re.match(rb"\s*<DOC>", data):
        return b"<TXT>" in data
    named = _finds(rb"<COREF\s[^<>]*\bID\s*=", data, b"<COREF")
    return named and (b"<DOC" in data or _finds(rb"<COREF\s[^<>]*\bREF\s*=", data))


def _table(data: bytes) -> bool:
    """Whether the first line has the usual name of a column of mentions, and that of a column of entities."""
    from .table import separator, usual

    first = data[: 1 << 12].split(b"\n", 1)[0].decode(errors="replace").strip()
    names = [name.strip('"') for name in first.split(separator(first))]
    return usual(names, "mention") is not None and usual(names, "entity") is not None


def _tbf(data: bytes) -> bool:
    """Whether there is a line `#BeginOfDocument`."""
    return _finds(rb"^[ \t]*#BeginOfDocument", data, b"#BeginOfDocument")


def _text(data: bytes) -> bool:
    """Whether mentions are marked in a style, and it is neither JSON nor XML."""
    return not _is_markup(data) and _has_marks(data)


def _is_markup(data: bytes) -> bool:
    return re.match(rb'\s*(?:\[\s*)*\{\s*["}]|\s*<[?!]', data) is not None


def _is_running(data: bytes) -> bool:
    """Whether it could be a running text: neither JSON nor XML, and less than half of its lines have columns."""
    if _is_markup(data):
        return False
    lines = [line for line in map(bytes.strip, data.split(b"\n")) if line]
    return 2 * sum(b"\t" in line or re.match(_LAST, line) is not None for line in lines) < len(lines)


def _has_marks(data: bytes) -> bool:
    from .marked.marks import find_style

    return bool(find_style(data.decode(errors="replace")))


def _ua(data: bytes) -> bool:
    """Whether the file names its columns, or has openers with EntityID and MarkableID."""
    return _names_identity(data) or _finds(rb"\(EntityID=[^\s()]*\|MarkableID=", data, b"(EntityID=")


def _webanno(data: bytes) -> bool:
    """Whether the first line is that of WebAnno TSV 3."""
    return data.lstrip().startswith(b"#FORMAT=WebAnno TSV 3")


# What formats hold, and their traits, where there are many.
_PLAIN = frozenset(("words", "sentences", "word places", "entity names"))  # words and mentions of entities
_NUGGETS = frozenset(("character places", "gaps", "relations", "types", "realis"))
_NAMES = frozenset(("word places", "character places", "mention names", "entity names"))
_ALL = frozenset(HOLDS) - {"mention names"}
_ANN = _NUGGETS | {"words", "sentences", "attributes", "brat lines"}
_UD = _PLAIN | {"documents", "gaps", "zeros", "split antecedents", "bridges", "heads", "attributes"}
_CAT = _PLAIN | {"gaps", "types", "attributes", "realis"}
_SGML = frozenset(("documents", "words", "sentences", "character places", "minimum spans"))
_ROWS = _NAMES | {"documents", "gaps", "zeros"}
_TAGS = _PLAIN | {"documents", "zeros"}
_UA = _ALL - {"character places", "relations", "heads", "brat lines"}
_TSV = _PLAIN - {"entity names"} | {"types"}
_BESIDE_BOOKS = ("tokens", "quotes", "supersense", "book", "book.html")
_BOOK = ("named by file", "may be empty", "read-only", "standoff", *(f"aside:.{ending}" for ending in _BESIDE_BOOKS))
_BRAT = ("named by file", "may be empty", "standoff", "numbered", "aside:.txt", "aside:.conf", "aside:.tab")
_TEXT = ("room:marked", "vague", "style:markdown", "style:crac")
_ABOUT = ("vague", "standoff")
_JSON = ("named by file", "standoff")
_FOLDERS = ("folders of topics",)
_CONLL = _PLAIN | {"documents", "parse", "texts"}
_BOOKS = _PLAIN | {"attributes"}
_TBF = ("standoff", "numbered")
_WEBANNO = ("named by file", "may be empty", "numbered")
_TABLES = (".csv", ".tsv", ".parquet", ".pq")

_DECLARED = (
    Format("booknlp", "BookNLP entities and tokens", (".entities",), "conll-2012", _booknlp, _BOOK, _BOOKS),
    Format("brat", "brat standoff annotation", (".ann",), "kbp-2015", _brat, _BRAT, _ANN),
    Format("clusters", "JSON clusters or graph of mention names", (".json",), "conll-2012", _clusters, _JSON, _NAMES),
    Format("conll", "CoNLL-2011 and CoNLL-2012", (".conll",), "conll-2012", _conll, (), _CONLL),
    Format("corefud", "CorefUD in CoNLL-U", (".conllu",), "crac-2026", _corefud, (), _UD),
    Format("ecb", "ECB+ in the XML of CAT", (".xml",), "conll-2012", _ecb, _FOLDERS, _CAT),
    Format("jsonl", "JSON lines with clusters of spans", (".jsonl",), "conll-2012", _jsonl, ("both sides",), _ALL),
    Format("muc", "MUC-6 and MUC-7 in SGML", (".sgm",), "conll-2012", _muc, ("numbered",), _SGML),
    Format("table", "a row for each mention: CSV, TSV, Parquet, Arrow", _TABLES, "conll-2012", _table, _ABOUT, _ROWS),
    Format("tbf", "token-based format of event nuggets", (".tbf",), "kbp-2015", _tbf, _TBF, _NUGGETS | {"documents"}),
    Format(
        "text", "running text with marks, as language models write it", (".txt",), "conll-2012", _text, _TEXT, _TAGS
    ),
    Format("ua", "CONLL-UA of Universal Anaphora", (".conllua",), "codi-crac-2022", _ua, (), _UA),
    Format("webanno", "WebAnno TSV 3 (INCEpTION)", (".tsv",), "conll-2012", _webanno, _WEBANNO, _TSV),
)
FORMATS = {format.name: format for format in _DECLARED}


# -- the format of a file ---------------------------------------------------------------------------------------------


def named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise Error("unknown-format", f"no format '{name}'", expected=f"one of {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(source: Source) -> Format:
    """The one format that fits the content of the file; a text without marks fits only if the user names a style."""
    data = source.data
    fitting: list[Format] = []
    for part in (data[:_HEAD], data):  # the beginning is enough for most files, but not for JSON of several lines
        if not fitting and (part is data or part.lstrip()[:1] not in (b"{", b"[") or _OBJECT.match(part)):
            fitting = [format for format in FORMATS.values() if "vague" not in format.traits and format.sniff(part)]
    if not fitting and not _is_description(source):
        fitting = [format for format in FORMATS.values() if "vague" in format.traits and format.sniff(data)]
        fitting = fitting or _unmarked(source)
    if len(fitting) > 1:
        message = f"the file could be {' and '.join(format.name for format in fitting)}"
        raise Error("ambiguous-format", message, path=source.name, remedy="say which it is with --format")
    if not fitting:
        expected, remedy = _advice(source)
        message = "the file looks like no known format"
        raise Error("unknown-format", message, path=source.name, expected=expected, remedy=remedy)
    return fitting[0]


def _advice(source: Source) -> tuple[str, str]:
    """The `expected` and `remedy` of the error for a file that looks like no format."""
    expected = f"one of {', '.join(FORMATS)}"
    if not _is_running(source.data):
        return expected, "say which it is with --format, or see the formats with: scoref list formats"
    if _is_description(source):
        return expected, "rename it, if it is running text: marks in files of this name are taken for links"
    from .marked.styles import EXAMPLES

    remedy = "write marks in one of these styles, or name one with --marks STYLE, if nothing is marked in it"
    return f"{expected}; in running text, marks like {EXAMPLES}", remedy


def looks_like(source: Source, format: str | None) -> bool:
    """Whether a file may have the format, or any format if None; a text whose style of marks is named counts."""
    known = [named(format)] if format else [*FORMATS.values()]
    if not format and _is_description(source):
        known = [each for each in known if "vague" not in each.traits]
    if is_blank(source.data):
        return if_empty(source, format) is not None
    source = replace(source, data=source.data.removeprefix(b"\xef\xbb\xbf"))
    return any(each.sniff(source.data) for each in known) or any(each in known for each in _unmarked(source))


def _is_description(source: Source) -> bool:
    return _DESCRIPTION.search(os.path.basename(source.name)) is not None


def _unmarked(source: Source) -> list[Format]:
    """The formats of running text, which may have no marks, if the user names a style; else none."""
    if source.marks is None or not _is_running(source.data):
        return []
    return [format for format in FORMATS.values() if format.styles]


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


def is_blank(data: bytes) -> bool:
    """Whether a file has nothing but white space."""
    return not data or data.isspace()


def if_empty(source: Source, format: str | None) -> Format | None:
    """The format that reads an empty file as a document, if it was asked for or the file has its ending."""
    name = source.name.removesuffix(".gz")
    named = [each for each in FORMATS.values() if "may be empty" in each.traits]
    return next((each for each in named if each.name == format or (not format and name.endswith(each.suffix))), None)
