"""MUC-6 and MUC-7: coreference in the text as SGML, `<COREF ID="1" TYPE="IDENT" REF="0" MIN="head">words</COREF>`.

`REF` names the `ID` of another mention of the same entity; linked mentions are an entity. `MIN` is the minimum span, or
alternatives separated by `|`, of which the first that occurs is taken. A mention without a
link is an entity of its own. Positions are characters of the text without the tags. Other tags are no part of the text;
`<DOCNO>` or `<DOCID>` names the document, `<DOC>` begins another one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ..document.document import Document, Mention, Origin, Span, components, stretch, word_of
from ..document.spans import is_stretch
from ..problems import Problems, Reporter
from .source import SKIP, Source, first_crossing, ids_of, joined_words, refusal

_TAG = r"<(/?)([A-Za-z][\w.-]*)((?:[^<>\"']|\"[^<\"]*\"|'[^<']*')*)>"
_ATTRIBUTE = r"(?<![\w.-])([A-Za-z][\w.-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))"
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"'}
_NAMES = ("DOCNO", "DOCID")
_OWN = ("ID", "REF", "MIN", "TYPE")


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file."""
    data = source.data.decode()
    found = re.finditer(r"<DOC\b[^<>]*>(.*?)(?=</DOC>|<DOC\b|\Z)", data, re.IGNORECASE | re.DOTALL)
    edges = [match.span(1) for match in found] or [(0, len(data))]
    names: dict[str, int] = {}
    line, before = 1, 0
    for begin, end in edges:
        line, before = line + data.count("\n", before, begin), begin
        text = _TaggedText(source, problems, line)
        document = text.document(data[begin:end])
        if document.id in names:
            expected = f"another name than in line {names[document.id]}"
            text.report("repeated-document", f"document {document.id} for the second time", line, None, expected)
            continue
        names[document.id] = line
        yield document


class _Tag(NamedTuple):
    """A tag of a mention: what it says, whether it closes one, the length of the text before it, its line."""

    text: str
    attributes: dict[str, str]
    closes: bool
    place: int
    line: int


class _TaggedText:
    """Reads one document: the text without tags, then the mentions."""

    def __init__(self, source: Source, problems: Problems, line: int) -> None:
        self.line = line
        self.text = ""
        self.report = Reporter(problems, source.name, "", SKIP)
        self.found: dict[str, tuple[dict[str, str], int, int, int]] = {}  # attributes, begin, end, line by ID

    def document(self, data: str) -> Document:
        """The document of a piece of a file."""
        tags = self._tags(data)
        words = [*re.finditer(r"\S+", self.text)]
        begins, ends = [word.start() for word in words], [word.end() for word in words]
        open: list[_Tag] = []
        for tag in tags:
            if not tag.closes:
                open.append(tag)
            elif not open:
                message = "a mention is closed that was never opened"
                self.report("unopened-mention", message, tag.line, tag.text, "<COREF> before it")
            else:
                opener = open.pop()
                first, behind = bisect_right(ends, opener.place), bisect_left(begins, tag.place)
                begin = max(begins[first], opener.place) if first < len(begins) else tag.place
                if first >= behind or begin >= tag.place:
                    expected = "words between its tags"
                    self.report("empty-mention", "a mention without text", opener.line, tag.text, expected)
                else:
                    self._add(opener, begin, min(ends[behind - 1], tag.place))
        for tag in open:
            text, expected = f"<COREF {tag.attributes.get('ID', '')}>", "</COREF> before the document ends"
            self.report("unclosed-mention", "mention never closed", tag.line, text, expected)
        columns = {"text": [self.text]} if self.text else {}
        origin = Origin(self.report.path, self.line)
        return Document(self.report.document or "", (), tuple(self._mentions()), columns=columns, origin=origin)

    def _tags(self, data: str) -> list[_Tag]:
        """The tags of mentions; sets the name of the document, and its text without all tags."""
        tags: list[_Tag] = []
        pieces: list[str] = []
        last, line, size, naming = 0, self.line, 0, 0
        for tag in re.finditer(_TAG, data):
            pieces.append(_plain(data[last : tag.start()]))
            size += len(pieces[-1])
            line += data.count("\n", last, tag.start())
            closes, name = tag[1], tag[2].upper()
            if name in _NAMES and not closes:
                naming = len(pieces)
            elif name in _NAMES and naming:
                written = "".join(pieces[naming:])
                del pieces[naming:]
                self.report, size, naming = self.report.of(" ".join(written.split())), size - len(written), 0
            elif name == "COREF":
                tags.append(_Tag(tag[0], _attributes(tag[3]), bool(closes), size, line))
            line += data.count("\n", tag.start(), tag.end())
            last = tag.end()
        self.text = "".join([*pieces, _plain(data[last:])])
        return tags

    def _add(self, tag: _Tag, begin: int, end: int) -> None:
        id, text = tag.attributes.get("ID"), self.text[begin:end]
        if not id:
            self.report("bad-mention-id", "a mention without an ID", tag.line, text, 'ID="1"')
        elif id in self.found:
            self.report("repeated-id", f"ID {id} for the second time", tag.line, text, "an ID of its own")
        else:
            self.found[id] = tag.attributes, begin, end, tag.line

    def _mentions(self) -> list[Mention]:
        links: list[tuple[str, str]] = []
        for attributes, begin, end, line in self.found.values():
            if "REF" in attributes and attributes["REF"] not in self.found:
                text, expected = self.text[begin:end], "the ID of a mention of this document"
                self.report("unknown-id", f"a REF to {attributes['REF']}, which is not there", line, text, expected)
            elif "REF" in attributes:
                links.append((attributes["REF"], attributes["ID"]))
        entity = {id: group[0] for group in components(self.found, links) for id in group}
        mentions = [self._mention(entity[id], *each) for id, each in self.found.items()]
        return sorted(mentions, key=lambda mention: (mention.span[0], -len(mention.span), str(mention.id)))

    def _mention(self, entity: str, attributes: dict[str, str], begin: int, end: int, line: int) -> Mention:
        minimum: Span = ()
        if attributes.get("TYPE") == "IDENT":
            del attributes["TYPE"]  # IDENT is the only type
        kept = [(name, value) for name, value in attributes.items() if name not in ("ID", "REF", "MIN")]
        if written := attributes.get("MIN"):
            kept.append(("Min", written))
            choices = [_words(choice) for choice in written.split("|") if choice.strip()]
            there = next(filter(None, (choice.search(self.text, begin, end) for choice in choices)), None)
            if there:
                minimum = stretch(there.start(), there.end() - 1)
            else:
                message, expected = "a MIN that is not in its mention", "words of the mention"
                self.report("minimum-outside", message, line, written, expected, remedy="", fatal=False)
        return Mention(stretch(begin, end - 1), entity, attributes["ID"], minimum, tuple(kept))


def _plain(text: str) -> str:
    return re.sub("|".join(_ENTITIES), lambda match: _ENTITIES[match[0]], text) if "&" in text else text


def _words(choice: str) -> re.Pattern[str]:
    """A pattern for these words with any white space between them."""
    return re.compile(r"\s+".join(map(re.escape, choice.split())))


def _attributes(text: str) -> dict[str, str]:
    found = re.findall(_ATTRIBUTE, text)
    return {name.upper(): _plain(one or two or three).strip() for name, one, two, three in found}


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as SGML: the text with its mentions, words with a blank between them where only words are known."""
    return "".join(_written(document) for document in documents)


def _written(document: Document) -> str:
    _refuse_text(document)
    text, edges = _text(document)
    marks: list[tuple[int, int, int, int, str]] = []  # sorted by place, closing before opening, outer before inner
    first: dict[Hashable, str] = {}
    spans = []
    for number, (mention, id) in enumerate(zip(document.mentions, ids_of(document), strict=True)):
        if not is_stretch(mention.span) or word_of(mention.span[-1]) >= len(edges):
            message = "a mention that is not a stretch of the text cannot be written as SGML"
            raise refusal(document, "unwritable-mention", message, mention)
        begin, end = _edges(mention.span, edges)
        spans.append((begin, end, mention))
        written = {"ID": id} | ({"TYPE": "IDENT", "REF": first[mention.entity]} if mention.entity in first else {})
        first.setdefault(mention.entity, id)
        if mention.minimum:
            least = text[slice(*_edges(mention.minimum, edges))]
            written["MIN"] = dict(mention.attributes).get("Min", least) if not document.words else least
        written |= {name: value for name, value in mention.attributes if name.isupper() and name not in _OWN}
        tag = "".join(f' {name}="{_escaped(value)}"' for name, value in written.items())
        marks += [(begin, 1, -end, number, f"<COREF{tag}>"), (end, 0, -begin, -number, "</COREF>")]
    if crossing := first_crossing(spans):
        message = "a mention that crosses another cannot be written as SGML"
        raise refusal(document, "unwritable-mention", message, crossing[2])
    pieces, last = [], 0
    for place, *_, mark in sorted(marks):
        pieces += [_escaped(text[last:place]), mark]
        last = place
    body = "".join([*pieces, _escaped(text[last:])])
    name = f"<DOCNO>{_escaped(document.id)}</DOCNO>" if document.id else ""
    return f"<DOC>{name}<TXT>{body}</TXT></DOC>\n"  # no line breaks: they would be part of the text


def _text(document: Document) -> tuple[str, list[tuple[int, int]]]:
    """The text, and where each position begins and ends in it."""
    if document.words:
        return joined_words(document)
    text = "".join(document.columns.get("text", ()))
    return text, [*pairwise(range(len(text) + 1))]


def _edges(span: Span, edges: list[tuple[int, int]]) -> tuple[int, int]:
    """Where a span begins and ends in the text."""
    return edges[word_of(span[0])][0], edges[word_of(span[-1])][1]


def _refuse_text(document: Document) -> None:
    """Refuse a name or words that would be read back differently."""
    blank = next((word for word in document.words if not word.strip()), None)
    if document.id != " ".join(document.id.split()) or blank is not None:
        code, text = ("unwritable-word", blank) if blank is not None else ("unwritable-name", document.id)
        message = "an empty word, or a name with other than single blanks, cannot be written as SGML"
        raise refusal(document, code, message, text=text)


def _escaped(text: str) -> str:
    for entity, letter in _ENTITIES.items():  # & first
        text = text.replace(letter, entity)
    return text
