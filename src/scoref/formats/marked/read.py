"""Running text with marks of mentions, as language models write it.

In `[Ada](#1) phoned [the plumber](#2).` there are two mentions. The words of a document are its pieces: what blanks and
marks leave. They need not be those of the key, as models lose words, add some and spell others in another way; scoring
aligns both texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ...document.document import Document, Mention, Origin, position, runs, stretch, word_of
from ...problems import Error, Problem, Problems
from ..source import SKIP, Source, with_words
from .marks import Dropped, Marked, Part, documents, find_style, scan
from .styles import EXAMPLES, STYLES

_EMPTY = 255  # what says of a position which empty node it is

DROPPED = {
    "unclosed": ("unclosed-mark", "a mark that is never closed",
                 "a closing mark behind the words; what ends a mark behind its id, on the same line"),
    "unopened": ("unopened-mark", "a closing mark without an opening one", "an opening mark before the words"),
    "empty": ("empty-mark", "marks around nothing", "words between the marks"),
    "no-id": ("unnamed-mark", "a mark that names no entity", "a name or number of the entity"),
}  # fmt: skip


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file: between lines `#begin document NAME` and `#end document`, or, in crac, one a line."""
    text = source.data.decode()
    style = _style(source, text)
    parts = documents(text, style)
    named = any(part.name is not None for part in parts)
    for number, part in enumerate(parts, 1):
        if named and part.name is None:
            start = part.text.strip().split("\n")[0]
            line = part.line + part.text[: part.text.index(start)].count("\n")
            problems.add(Problem("outside-document", "text outside of documents", source.name, line, None, start,
                                 "all text between #begin document NAME and #end document", SKIP))  # fmt: skip
            continue
        name = part.name if part.name is not None else str(number) if len(parts) > 1 else ""
        yield _document(name, part, style, source.name, problems)


def _style(source: Source, text: str) -> str:
    """The style that is asked for, or the only one with marks."""
    if source.marks is not None:
        if source.marks not in STYLES:
            raise Error("unknown-marks", f"no style of marks '{source.marks}'", expected=f"one of {', '.join(STYLES)}")
        return source.marks
    found = find_style(text)
    if not found:
        raise Error(
            "no-marks", "no mention is marked in this text", path=source.name, expected=f"marks like {EXAMPLES}",
            remedy="leave --format out, if only the other side is text; name a style with --marks STYLE, if this is a"
                   " text without any mention",
        )  # fmt: skip
    if len(found) > 1:
        first = scan(text, found[1]).mentions[0]
        raise Error("ambiguous-marks", f"marks of {len(found)} styles: {' and '.join(found)}", path=source.name,
                    line=first.line, expected="marks of one style", text=_line(text, first.line),
                    remedy="say which are marks with --marks STYLE; others are text then")  # fmt: skip
    return found[0]


def _line(text: str, line: int) -> str:
    return text.split("\n")[line - 1].strip()


def _document(name: str, part: Part, style: str, path: str, problems: Problems) -> Document:
    found = scan(part.text, style, part.line)
    for mark in found.dropped:
        problems.add(_problem(mark, name, path))
    for mention in _listing(found.mentions):
        problems.add(Problem("several-entities", "a name that lists others is that of an entity of its own", path,
                             mention.line, name or None, mention.entity, "one entity for each mark",
                             "nothing, if that is right (a plural); else mark it once for each entity",
                             fatal=False))  # fmt: skip
    mentions = tuple(map(_mention, found.mentions))
    origin = Origin(path, part.line, found.lines, marks=style)
    return Document(name, tuple(found.pieces), mentions, origin=origin)


def _listing(mentions: Sequence[Marked]) -> Iterator[Marked]:
    """Mentions of an entity whose name is a list that has other entities of the document: `1,#4`."""
    names = {mention.entity for mention in mentions}
    for mention in mentions:
        listed = [each.strip().lstrip("#") for each in re.split("[,;]", mention.entity)]
        if len(listed) > 1 and not names.isdisjoint(listed):
            yield mention


def _problem(mark: Dropped, document: str, path: str) -> Problem:
    code, message, expected = DROPPED[mark.kind]
    return Problem(code, message, path, mark.line, document or None, mark.text, expected, SKIP)


def _mention(found: Marked) -> Mention:
    """The mention; a zero depends on the word that it stands behind."""
    zeros = [position(word, number) for word, number in found.zeros]
    if found.last < found.first:
        return Mention(tuple(zeros), found.entity, head=zeros[0], parents=((position(word_of(zeros[0])), ""),))
    words = stretch(found.first, found.last)
    head = words[0] if zeros and zeros[0] < words[0] else None  # not a zero, though it begins with one
    return Mention(tuple(sorted((*words, *zeros))), found.entity, head=head)


# -- writing ---------------------------------------------------------------------------------------------------------


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
    return Error(code, message, path=document.source, line=line, document=document.id or None, text=text,
                 expected=expected, remedy="choose another format or style of marks")  # fmt: skip


def _written(document: Document, style: str) -> str:
    """The text of a document, read again to be sure that it says what it should."""
    document = with_words(document)
    words = [re.sub(r"\s", "_", word) for word in document.words] if style == "crac" else list(document.words)
    moved = _zeros(document) if style == "crac" else {}
    places = [_place(mention, document, moved) for mention in document.mentions]
    nodes = {**{position(number): word for number, word in enumerate(words)}, **dict.fromkeys(moved.values(), "##")}
    written = _tags(nodes, places) if style == "crac" else _brackets(nodes, places)
    starts = {position(number) for number in document.sentences[1:]} if style != "crac" else ()
    blanks = ["\n" if node in starts else " " for node in sorted(nodes)]
    blanks[:1] = [""] * bool(blanks)
    text = "".join(chain.from_iterable(zip(blanks, written, strict=True))) + "\n"
    found = scan(text, style)
    meant = sorted((each.entity, each.first, each.last) for each in places)
    spans = [(mention.entity, _ends(mention.span)) for mention in map(_mention, found.mentions)]
    names = {str(entity) for entity in document.entities()}
    exact = found.pieces == words and sorted((name, *ends) for name, ends in spans) == meant and not found.dropped
    if not exact or len(names) < len(document.entities()):
        raise _refused(document, "unwritable-text", f"a document that marks in the style {style} cannot hold", None,
                       "words and names without blanks, brackets and bars, mentions that nest")  # fmt: skip
    return text


def _ends(span: Sequence[int]) -> tuple[int, int]:
    """The first and the last word of a mention, or the first and the last empty node of one without words."""
    words = [place for place in span if not place & _EMPTY] or list(span)
    return words[0], words[-1]


def _place(mention: Mention, document: Document, moved: Mapping[int, int]) -> _Place:
    span = sorted(moved.get(place, place) for place in mention.span)
    words = [word_of(place) for place in span if not place & _EMPTY]
    whole = not words or len(runs(words)) == 1
    if not span or not whole or (not moved and len(words) < len(span)) or (words and words[-1] >= len(document.words)):
        raise _refused(document, "unwritable-mention", "a mention that is no stretch of words",
                       document.text_of(mention), "words that stand together; zeros only in crac", mention)  # fmt: skip
    return _Place(*_ends(span), str(mention.entity))


def _zeros(document: Document) -> dict[int, int]:
    """For the empty nodes of mentions the place where they are written: behind the word that they depend on."""
    behind: dict[int, int] = {}
    for mention in document.mentions:
        parents = [word_of(place) for place, _ in mention.parents if not place & _EMPTY]
        for place in mention.span:
            if place & _EMPTY:
                behind.setdefault(place, word_of(place))
                if place == mention.head and parents:
                    behind[place] = parents[0]
    taken: Counter[int] = Counter()
    found = {}
    for place in sorted(behind):
        taken[behind[place]] += 1
        found[place] = position(behind[place], taken[behind[place]])
    return found


def _tags(nodes: Mapping[int, str], places: Sequence[_Place]) -> list[str]:
    """Words with their tags: mentions that end, those that begin, longer ones first, those of one node."""
    tags: dict[int, list[tuple[int, int, str]]] = {}
    for first, last, entity in places:
        if first == last:
            tags.setdefault(first, []).append((2, 0, f"[{entity}]"))
        else:
            tags.setdefault(first, []).append((1, -last, f"[{entity}"))
            tags.setdefault(last, []).append((0, -first, f"{entity}]"))
    return [
        f"{nodes[node]}|{','.join(tag for *_, tag in sorted(tags[node]))}" if node in tags else nodes[node]
        for node in sorted(nodes)
    ]


def _brackets(nodes: Mapping[int, str], places: Sequence[_Place]) -> list[str]:
    """Words with the brackets of mentions that begin or end there."""
    opening = Counter(first for first, _, _ in places)
    closing: dict[int, list[tuple[int, str]]] = {}
    for first, last, entity in places:
        closing.setdefault(last, []).append((-first, entity))
    return [
        "[" * opening[node] + nodes[node] + "".join(f"](#{entity})" for _, entity in sorted(closing.get(node, ())))
        for node in sorted(nodes)
    ]


WAYS = {"markdown": write, "crac": write_crac}
