"""Documents as running text with marks, in the styles markdown and crac."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...document.document import Document, Mention, about, position, stretch, word_of
from ...document.spans import EMPTY, Span, is_stretch, pieces
from ...problems import Error
from ..source import with_words
from .marks import scan
from .read import mentions_of


class _Place(NamedTuple):
    """A mention to be written: its first and last node, and the name of its entity."""

    first: int
    last: int
    entity: str


def write(documents: list[Document]) -> str:
    """Documents in the style markdown, between lines that name them."""
    texts = [_written(document, "markdown") for document in documents]
    if len(documents) == 1 and not documents[0].id:
        return texts[0]
    named = zip(map(_header, documents), texts, strict=True)
    return "".join(f"#begin document {name}\n{text}#end document\n" for name, text in named)


def write_crac(documents: list[Document]) -> str:
    """Documents in the style crac: one a line, without names, zeros behind the words that they depend on."""
    return "".join(_written(document, "crac") for document in documents)


def _header(document: Document) -> str:
    if not document.id or document.id != document.id.strip() or re.search(r"[\n\r]", document.id):
        raise _refused(document, "unwritable-name", "a name that cannot stand in a line", document.id, "another name")
    return document.id


def _refused(
    document: Document, code: str, message: str, text: str | None, expected: str, mention: Mention | None = None
) -> Error:
    line = document.line_of(mention) if mention else document.line
    report = about(document, remedy="choose another format or style of marks").of(document.id or None)
    return report.error(code, message, line, text, expected)


def _written(document: Document, style: str) -> str:
    """The text of a document, read back to check that it has the same mentions."""
    document = with_words(document)
    words = [re.sub(r"\s", "_", word) for word in document.words] if style == "crac" else list(document.words)
    moved = _zeros(document) if style == "crac" else {}
    places = [_place(mention, document, moved) for mention in document.mentions]
    nodes = dict(zip(stretch(0, len(words) - 1), words, strict=True)) | dict.fromkeys(moved.values(), "##")
    written = nodes | (_tags(nodes, places) if style == "crac" else _brackets(nodes, places))
    starts = {position(number) for number in document.sentences[1:]} if style != "crac" else ()
    parts = [part for node in sorted(nodes) for part in ("\n" if node in starts else " ", written[node])]
    text = "".join(parts[1:]) + "\n"
    found = scan(text, style)
    meant = sorted((each.entity, each.first, each.last) for each in places)
    spans = [(mention.entity, _ends(mention.span)) for mention in mentions_of(found)]
    names = {*map(str, document.names)}
    exact = found.pieces == words and sorted((name, *ends) for name, ends in spans) == meant and not found.dropped
    if not exact or len(names) < len(document.names):
        message = f"a document that marks in the style {style} cannot hold"
        expected = "words and names without blanks, brackets and bars, mentions that nest"
        raise _refused(document, "unwritable-text", message, None, expected)
    return text


def _ends(span: Span) -> tuple[int, int]:
    """The first and the last word of a mention, or the first and the last empty node of one without words."""
    words = span if is_stretch(span) else [place for place in span if not place & EMPTY] or span
    return words[0], words[-1]


def _place(mention: Mention, document: Document, moved: Mapping[int, int]) -> _Place:
    span, whole = mention.span, is_stretch(mention.span)
    if not whole:
        span = tuple(sorted(moved.get(place, place) for place in span))
    words = pieces(span)
    zeros = not whole and any(place & EMPTY for place in span)
    if not span or len(words) > 1 or (zeros and not moved) or (words and words[-1][1] >= len(document.words)):
        message, expected = "a mention that is no stretch of words", "words that stand together; zeros only in crac"
        raise _refused(document, "unwritable-mention", message, document.text_of(mention), expected, mention)
    return _Place(*_ends(span), str(mention.entity))


def _zeros(document: Document) -> dict[int, int]:
    """Where each empty node of a mention is written: after the word that it depends on."""
    behind: dict[int, int] = {}
    for mention in document.mentions:
        parents = [word_of(place) for place, _ in mention.parents if not place & EMPTY]
        for place in mention.span:
            if place & EMPTY:
                behind.setdefault(place, word_of(place))
                if place == mention.head and parents:
                    behind[place] = parents[0]
    taken: Counter[int] = Counter()
    found = {}
    for place in sorted(behind):
        taken[behind[place]] += 1
        found[place] = position(behind[place], taken[behind[place]])
    return found


def _tags(nodes: Mapping[int, str], places: Sequence[_Place]) -> dict[int, str]:
    """Nodes with tags: first of mentions that end, then of those that begin (longer first), then of one node."""
    tags: dict[int, list[tuple[int, int, str]]] = {}
    for first, last, entity in places:
        if first == last:
            tags.setdefault(first, []).append((2, 0, f"[{entity}]"))
        else:
            tags.setdefault(first, []).append((1, -last, f"[{entity}"))
            tags.setdefault(last, []).append((0, -first, f"{entity}]"))
    return {node: f"{nodes[node]}|{','.join([tag for *_, tag in sorted(each)])}" for node, each in tags.items()}


def _brackets(nodes: Mapping[int, str], places: Sequence[_Place]) -> dict[int, str]:
    """Nodes with the brackets of mentions that begin or end there."""
    opening = Counter([first for first, _, _ in places])
    closing: dict[int, list[tuple[int, str]]] = {}
    for first, last, entity in places:
        closing.setdefault(last, []).append((-first, entity))
    return {
        node: "[" * opening[node] + nodes[node] + "".join([f"](#{name})" for _, name in sorted(closing.get(node, ()))])
        for node in {*opening, *closing}
    }


WAYS = {"markdown": write, "crac": write_crac}


def notes(documents: list[Document]) -> list[str]:
    """Notes for reading the texts back: that nothing is marked in them, or that some are empty."""
    found = []
    if not any(each.mentions for each in documents):
        found.append("nothing is marked: the style has to be named where this is read, with --marks")
    empty = sum(not each.words and not each.mentions for each in documents)
    if empty:
        have = f"{empty} documents have" if empty > 1 else "1 document has"
        found.append(f"{have} no words: beside a key with words an empty text is an answer that cannot be read")
    return found
