"""A text as a page shows it: a sequence of units, and where the pieces of mentions are in it.

Units are words and empty nodes; if positions are characters, stretches of characters; if a file has no text at all, the
words of its mentions. A file may say how its words are laid out: speakers, paragraphs, headings, missing
blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple
from unicodedata import bidirectional

from ..document.document import UNWRITTEN, Document, Span, position, word_of
from ..document.spans import is_stretch, runs
from ..formats.columnar import cells_at

_COMMENT = re.compile(r"#\s*([\w.]+)\s*(?:=\s*(.*))?", re.DOTALL)
_PARAGRAPHS = {"newpar", "newpar_block"}
_RIGHT = {"R", "AL"}
_EMPTY = position(1) - 1  # the bits of a position that count empty nodes
_BLOCK = 40  # units that are shown together where sentences are not known


class Layout(NamedTuple):
    """Layout by word: words without a space after them, changes of speaker, starts of paragraphs and headings."""

    glued: Sequence[int] = ()
    speakers: Sequence[tuple[int, str]] = ()
    paragraphs: Sequence[int] = ()
    headings: Sequence[int] = ()


def layout_of(document: Document) -> Layout:
    """The layout of a document: from its column of speakers, its comments, and `SpaceAfter=No`."""
    matches = [(word, _COMMENT.fullmatch(line)) for word, line in document.comments]
    comments = [(word, str(found[1]), str(found[2] or "")) for word, found in matches if found]
    paragraphs = sorted({word for word, name, _ in comments if name in _PARAGRAPHS and word < len(document.words)})
    headings = [word for word, name, value in comments if name in _PARAGRAPHS and re.search(r"\bhead", value)]
    said = [(word, value) for word, name, value in comments if name == "speaker" and value]
    texts = [(word, value) for word, name, value in comments if name == "text" and value]
    return Layout(
        sorted({*_glued(document, texts)}),
        _speakers(document, said),
        paragraphs if len(paragraphs) > 1 else (),
        sorted({word for word in headings if word < len(document.words)}),
    )


def _glued(document: Document, texts: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Words without a space after them, from the text of the sentence, or else from `SpaceAfter=No`."""
    words = document.words
    ends = [*document.sentences[1:], len(words)]
    end_of = dict(zip(document.sentences, ends, strict=True)) if document.sentences else {}
    known: set[int] = set()
    for first, text in texts:
        end = end_of.get(first, first)
        glued = _by_text(words[first:end], text)
        if glued is not None:
            known.update(range(first, end))
            yield from (first + number for number in glued)
    for word, misc in enumerate(document.columns.get("MISC", ())):
        if word not in known and "SpaceAfter=No" in misc and word + 1 not in end_of:
            yield word


def _by_text(words: Sequence[str], text: str) -> list[int] | None:
    """The words without a space after them in the text of a sentence; None if the text has other words."""
    at = 0
    glued = []
    for number, word in enumerate(words):
        if not text.startswith(word, at):
            return None
        at += len(word)
        after = at
        while at < len(text) and text[at].isspace():
            at += 1
        if at == after and number + 1 < len(words):
            glued.append(number)
    return glued


def _speakers(document: Document, said: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Who speaks from which word on, where that changes; from comments or from the column of speakers."""
    starts = document.sentences or (0,)
    each = said or [*zip(starts, cells_at(document.columns, "speaker", starts), strict=False)]
    found: list[tuple[int, str]] = []
    for word, name in each:
        if word < len(document.words) and (not found or found[-1][1] != name):
            found.append((word, name))
    return found if any(name not in UNWRITTEN for _, name in found) else []


def runs_from_right(units: Iterable[str]) -> bool:
    """Whether most letters are written from right to left, judged by the beginning of the text.

    >>> runs_from_right(["قال", "New", "ان", "الوزير"]), runs_from_right(["said", "قال", "the", "man"])
    (True, False)
    """
    some = [*islice(units, 2000)]
    if "".join(some).isascii():
        return False
    letters = "".join([unit[:40] for unit in some])
    classes = [bidirectional(letter) for letter in letters if letter > "@"]
    right = sum(each in _RIGHT for each in classes)
    return 2 * right > sum(each == "L" or each in _RIGHT for each in classes)


class PageText(NamedTuple):
    """A text as units; `places` maps positions to units, or is None if each word is a unit.

    `kind` is words, numbers (words are unknown), characters, pieces (only the text of mentions is known), or none.
    `layout` is by unit.
    """

    kind: str
    units: list[str]
    length: int
    sentences: list[int]
    layout: Layout = Layout()
    empty: Sequence[int] = ()
    places: Mapping[int, int] | None = None

    def pieces(self, span: Span) -> list[int]:
        """The first and last unit of each piece of a span; empty nodes between two words of it leave no gap."""
        if not span:
            return []
        if self.places is None:
            if is_stretch(span):
                return [word_of(span[0]), word_of(span[-1])]
            units = [word_of(place) for place in span]
        else:
            units = sorted({self.places[place] for place in span})
        if units[-1] - units[0] + 1 == len(units):
            return [units[0], units[-1]]
        found = [units[0], units[0]]
        skipped = set(self.empty)
        for unit in units[1:]:
            if all(between in skipped for between in range(found[-1] + 1, unit)):
                found[-1] = unit
            else:
                found += [unit, unit]
        return found


def text_of(pairs: Sequence[tuple[Document, Document]]) -> PageText:
    """The text that a key document and its responses share."""
    key = pairs[0][0]
    documents = [key, *(response for _, response in pairs)]
    longest = max(len(document.words) for document in documents)
    words = list(next(document.words for document in documents if len(document.words) == longest))
    empty = sorted({place for document in documents for place in _empty_nodes(document)})
    last = max(map(_last_word, documents))
    if empty and not words:  # positions are words then
        words = ["_"] * (last + 1)
    if not words:
        spans = {mention.span for document in documents for mention in document.mentions if mention.span}
        whole = next((text[0] for document in documents if len(text := document.columns.get("text", ())) == 1), "")
        return _characters(whole, spans) if whole else _pieces(documents, spans)
    kind = "words"
    if UNWRITTEN.issuperset(filter(None, words)):
        kind, words = "numbers", [str(number) for number in range(1, len(words) + 1)]
    starts = list(key.sentences) or list(range(0, len(words), _BLOCK))
    layout = layout_of(key) if kind == "words" else Layout()
    words += ["…"] * (last + 1 - len(words))
    if not empty:
        return PageText(kind, words, len(words), starts, layout)
    order = sorted([*map(position, range(len(words))), *empty])
    places = {place: unit for unit, place in enumerate(order)}
    units = ["∅" if place & _EMPTY else words[word_of(place)] for place in order]
    at = [places[position(word)] for word in range(len(words))]
    starts = [at[word] for word in starts if word < len(words)]
    layout = Layout(
        [at[word] for word in layout.glued if order[at[word] + 1] == position(word + 1)],
        [(at[word], name) for word, name in layout.speakers],
        [at[word] for word in layout.paragraphs],
        [at[word] for word in layout.headings],
    )
    return PageText(kind, units, len(words), starts, layout, [places[place] for place in empty], places)


def _empty_nodes(document: Document) -> Iterator[int]:
    """The empty nodes in mentions."""
    if document.mentions.ends is None:
        spans = (span for span in document.mentions.spans if not is_stretch(span))
        yield from (place for span in spans for place in span if place & _EMPTY)


def _last_word(document: Document) -> int:
    """The last word in any mention."""
    mentions = document.mentions
    if mentions.ends is not None:
        return max(mentions.ends, default=0)
    return max((word_of(span[-1]) for span in mentions.spans if span), default=0)


def _characters(text: str, spans: set[Span]) -> PageText:
    """A text whose positions are characters: units end at blanks and where mentions begin or end."""
    edges = {edge for span in spans for edge in _edges(span)}
    units: list[str] = []
    sentences, glued = [0], []
    places: dict[int, int] = {}
    open_ = False
    for number, letter in enumerate(text):
        if letter.isspace():
            open_ = False
            if letter == "\n" and len(units) > sentences[-1]:
                sentences.append(len(units))
        elif open_ and number not in edges:
            units[-1] += letter
        else:
            if open_:
                glued.append(len(units) - 1)
            units.append(letter)
            open_ = True
        places[position(number)] = max(len(units) - 1, 0)
    beyond = {place for span in spans for place in span} - places.keys()
    if beyond:
        units.append("…")
        places |= dict.fromkeys(beyond, len(units) - 1)
    starts = [start for start in sentences if start < len(units)]
    return PageText("characters", units, len(text.split()), starts, Layout(glued), places=places)


def _edges(span: Span) -> Iterator[int]:
    """The positions where pieces of a span begin, and those just after their ends."""
    for first, last in runs([word_of(place) for place in span]):
        yield from (first, last + 1)


def _pieces(documents: Sequence[Document], spans: set[Span]) -> PageText:
    """A text that is known only through mentions: units are stretches between mention boundaries, and … for gaps."""
    if not spans:
        return PageText("none", [], 0, [])
    stretches = dict(pairwise(sorted({edge for span in spans for edge in _edges(span)})))
    covered = {word_of(place) for span in spans for place in span}
    known = _said(documents, stretches)
    units, glued, places = list[str](), list[int](), dict[int, int]()
    before = " "
    for first, after in stretches.items():
        said = known.get(first, " ") if first in covered else " "
        if not before[-1].isspace() and not said[0].isspace():
            glued.append(len(units) - 1)
        before = said
        if first in covered:
            places |= dict.fromkeys(map(position, range(first, after)), len(units))
            units.append(said.strip() or (str(first) if after == first + 1 else f"{first}–{after - 1}"))
        else:
            units.append("…")
    starts = list(range(0, len(units), _BLOCK))
    return PageText("pieces", units, 0, starts, Layout(glued), places=places)


def _said(documents: Sequence[Document], stretches: Mapping[int, int]) -> dict[int, str]:
    """The text of each stretch, taken from the text of a mention that contains it."""
    found: dict[int, str] = {}
    for mention in (mention for document in documents for mention in document.mentions if mention.span):
        text = dict(mention.attributes).get("text", "")
        length = len(mention.span)
        words = text.split()
        for number, place in enumerate(mention.span):
            first = word_of(place)
            size = stretches[first] - first if first in stretches else 0
            if len(text) == length:
                said = text[number : number + size]
            elif len("".join(words)) == length:
                said = "".join(words)[number : number + size] + " "
            elif len(words) == length:
                said = " ".join(words[number : number + size]) + " "
            else:
                said = f"{text} " if size == length else ""
            if size and said.strip():
                found.setdefault(first, said)
    return found
