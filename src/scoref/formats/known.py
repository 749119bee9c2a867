"""All formats: what each is called, what its files look like, what they can hold; and which of them a file has.

A module that reads is imported when a file of its format is read; whether a file has the format is decided here.
"""

from __future__ import annotations

import os
import re

from ..problems import Error
from . import looks
from .format import HOLDS, Format
from .source import Source

_DESCRIPTION = r"(?i)^readme|\.(md|rst|html?)(\.gz)?$"  # not tried for vague formats
_OBJECT = rb"\s*\{.*\}[ \t]*\n"  # a line with one object

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
_LINKED = frozenset(("documents", "word places", "character places", "entity names", "types", "attributes", "realis"))
_UA = _ALL - {"character places", "relations", "heads", "brat lines"}
_TSV = _PLAIN - {"entity names"} | {"types"}
_BESIDE_BOOKS = ("tokens", "quotes", "supersense", "book", "book.html")
_BOOK = ("named by file", "read-only", "standoff", *(f"aside:.{ending}" for ending in _BESIDE_BOOKS))
_BRAT_ASIDE = ("aside:.txt", "aside:.conf", "aside:.tab")
_BRAT = ("named by file", "may be empty", "standoff", "numbered", "tokens:tbf", *_BRAT_ASIDE)
_TEXT = ("room:marked", "vague", "style:markdown", "style:crac")
_ABOUT = ("vague", "standoff", "mentions alone")
_JSON = ("named by file", "standoff", "replies")
_LINES = ("both sides", "replies")
_FOLDERS = ("folders of topics",)
_CONLL = _PLAIN | {"documents", "parse", "texts"}
_BOOKS = _PLAIN | {"attributes"}
_EVENTS = _PLAIN | {"documents", "relations", "types", "mention names"}
_KEYS = ("read-only", "standoff")
_BINARY = ("read-only", "binary")
_SPANS = _PLAIN | {"documents"}
_TBF = ("standoff", "numbered")
_WEBANNO = ("named by file", "may be empty", "numbered")
_CAS = ("named by file", "numbered", *(f"aside:{ending}" for ending in ("TypeSystem.xml", ".typesystem.xml")))
_CHAINS = _TSV | {"character places"}
_TABLES = (".csv", ".tsv", ".parquet", ".pq")

_REPLIES = ("responses", "any ending", "named by file", "may be empty", "read-only", "standoff")

_DECLARED = (
    Format(
        "answer",
        "answers of language models, as they came",
        (".answer",),
        "conll-2012",
        looks.answer,
        _REPLIES,
        frozenset(("documents",)),
    ),
    Format("booknlp", "BookNLP entities and tokens", (".entities",), "conll-2012", looks.booknlp, _BOOK, _BOOKS),
    Format("brat", "brat standoff annotation", (".ann",), "kbp-2015", looks.brat, _BRAT, _ANN),
    Format(
        "clusters", "JSON clusters or graph of mention names", (".json",), "conll-2012", looks.clusters, _JSON, _NAMES
    ),
    Format("conll", "CoNLL-2011 and CoNLL-2012", (".conll",), "conll-2012", looks.conll, (), _CONLL),
    Format("corefud", "CorefUD in CoNLL-U", (".conllu",), "crac-2026", looks.corefud, (), _UD),
    Format("docbin", "spaCy's DocBin with groups of spans", (".spacy",), "conll-2012", looks.docbin, _BINARY, _SPANS),
    Format("ecb", "ECB+ in the XML of CAT", (".xml",), "conll-2012", looks.ecb, _FOLDERS, _CAT),
    Format("edl", "entity discovery and linking, as neleval has it", (".edl",), "neleval", looks.edl, _ABOUT, _LINKED),
    Format("jsonl", "JSON lines with clusters of spans", (".jsonl",), "conll-2012", looks.jsonl, _LINES, _ALL),
    Format("maven", "MAVEN-ERE: events, their relations", (".jsonl",), "maven-ere", looks.maven, _KEYS, _EVENTS),
    Format("muc", "MUC-6 and MUC-7 in SGML", (".sgm",), "conll-2012", looks.muc, ("numbered",), _SGML),
    Format(
        "table", "a row for each mention: CSV, TSV, Parquet, Arrow", _TABLES, "conll-2012", looks.table, _ABOUT, _ROWS
    ),
    Format(
        "tbf", "token-based format of event nuggets", (".tbf",), "kbp-2015", looks.tbf, _TBF, _NUGGETS | {"documents"}
    ),
    Format(
        "text",
        "running text with marks, as language models write it",
        (".txt",),
        "conll-2012",
        looks.text,
        _TEXT,
        _TAGS,
    ),
    Format("ua", "CONLL-UA of Universal Anaphora", (".conllua",), "codi-crac-2022", looks.ua, (), _UA),
    Format("webanno", "WebAnno TSV 3 (INCEpTION)", (".tsv",), "conll-2012", looks.webanno, _WEBANNO, _TSV),
    Format("xmi", "UIMA CAS in XMI or JSON (INCEpTION)", (".xmi",), "conll-2012", looks.xmi, _CAS, _CHAINS),
)
FORMATS = {format.name: format for format in _DECLARED}


# -- the format of a file ---------------------------------------------------------------------------------------------


def named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise Error("unknown-format", f"no format '{name}'", expected=f"one of {', '.join(FORMATS)}")
    return FORMATS[name]


def detect(source: Source) -> Format:
    """The one format that fits the content of the file; a text without marks fits only if the user names a style.

    A response that fits no other is an answer of a language model.
    """
    data = source.data
    fitting: list[Format] = []
    for part in (
        data[: looks.BEGINNING],
        data,
    ):  # the beginning is enough for most files, but not for JSON of several lines
        if not fitting and (part is data or part.lstrip()[:1] not in (b"{", b"[") or re.match(_OBJECT, part)):
            fitting = [format for format in by_content() if "vague" not in format.traits and format.sniff(part)]
    if all("replies" in format.traits for format in fitting) and (answers := _answers(source)):
        fitting = answers
    if not fitting and not _is_description(source):
        fitting = [format for format in by_content() if "vague" in format.traits and format.sniff(data)]
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
    if not looks.is_running(source.data):
        return expected, "say which it is with --format, or see the formats with: scoref list formats"
    if _is_description(source):
        return expected, "rename it, if it is running text: marks in files of this name are taken for links"
    from .marked.styles import EXAMPLES

    remedy = "write marks in one of these styles, or name one with --marks STYLE, if nothing is marked in it"
    return f"{expected}; in running text, marks like {EXAMPLES}", remedy


def looks_like(source: Source, format: str | None) -> bool:
    """Whether a file may have the format, or any format if None; a text whose style of marks is named counts."""
    known = [named(format)] if format else by_content()
    if not format and _is_description(source):
        known = [each for each in known if "vague" not in each.traits]
    if is_blank(source.data):
        return if_empty(source, format) is not None
    source = source._replace(data=source.data.removeprefix(b"\xef\xbb\xbf"))
    if any(each.sniff(source.data) for each in known) or any(each in known for each in _unmarked(source)):
        return True
    return not format and bool(_answers(source))


def _is_description(source: Source) -> bool:
    return re.search(_DESCRIPTION, os.path.basename(source.name)) is not None


def by_content() -> list[Format]:
    """The formats that are told by the content of a file alone."""
    return [format for format in FORMATS.values() if "responses" not in format.traits]


def _answers(source: Source) -> list[Format]:
    """The formats of answers, if a response may be one, and is no description."""
    if source.side != "response" or not _may_answer(os.path.basename(source.name).removesuffix(".gz")):
        return []
    return [format for format in FORMATS.values() if "responses" in format.traits and format.sniff(source.data)]


def _may_answer(name: str) -> bool:
    """Whether a file of that name may be an answer: its ending is usual for texts, or names no format."""
    ending = os.path.splitext(name)[1].lower()
    taken = {suffix for format in FORMATS.values() for suffix in format.suffixes} - {*looks.OF_TEXTS}
    return name == "-" or (ending not in ("", *taken) and not name.lower().startswith("readme"))


def _unmarked(source: Source) -> list[Format]:
    """The formats of running text, which may have no marks, if the user names a style; else none."""
    if source.marks is None or not looks.is_running(source.data):
        return []
    return [format for format in FORMATS.values() if format.styles]


def by_suffix(path: str | os.PathLike[str]) -> Format:
    """The format that a file's ending names."""
    name = os.fspath(path).removesuffix(".gz")
    fitting = [format for format in FORMATS.values() if name.endswith(format.suffix)]
    fitting = [format for format in fitting if "read-only" not in format.traits] or fitting
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
    if format is None and source.side == "response" and name.endswith(looks.OF_ANSWERS):
        return next(each for each in named if "responses" in each.traits)
    return next((each for each in named if each.name == format or (not format and name.endswith(each.suffix))), None)
