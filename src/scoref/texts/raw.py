"""Aligns any two texts: a text of characters is first cut into words; mentions are converted back afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..document.document import Document, Integers, Mention
from ..document.spans import EMPTY, Span, pieces, position, span_of, stretch, word_of
from ..formats.tokens.tables import plain, tokenize
from .projection import Drifted, on_words_of


def on_text_of(key: Document, response: Document) -> tuple[Document, Drifted]:
    """The response with its mentions at the words or characters of the key, and how the texts differ."""
    raw = not response.words and response.columns.get("text")
    theirs = CutText.of(response).words_of(response) if raw else response
    if key.words:
        return on_words_of(key, theirs)
    cut = CutText.of(key)
    moved, drifted = on_words_of(replace(key, words=cut.words), _without_zeros(theirs))
    found = cut.characters_of(moved, response)
    if moved.deixis and response.deixis:
        found = replace(found, deixis=cut.characters_of(moved.deixis, response.deixis))
    return found, drifted


def with_text(mention: Mention, original: Mention, response: Document) -> Mention:
    """The mention with the original's text as an attribute, as a key of characters has no words for it."""
    if not mention.span or "text" in dict(mention.attributes):
        return mention
    return mention._replace(attributes=(*mention.attributes, ("text", response.text_of(original))))


def _without_zeros(document: Document) -> Document:
    """The document without the empty nodes of its mentions, for which a text of characters has no positions."""
    mentions = []
    for mention in document.mentions:
        words = tuple([place for place in mention.span if not place & EMPTY])
        if len(words) < len(mention.span):
            name = mention.id if words else document.text_of(mention)
            mention = mention._replace(span=words, id=name, head=None, parents=())
        mentions.append(mention)
    return replace(document, mentions=mentions, deixis=document.deixis and _without_zeros(document.deixis))


class CutText(NamedTuple):
    """A text of characters, cut into words: the words, where each begins, and where it ends (excluded).

    A word is cut where a mention begins or ends inside it.
    """

    words: tuple[str, ...]
    begins: Integers
    ends: Integers

    @classmethod
    def of(cls, document: Document) -> CutText:
        """The words of a document's text."""
        mentions = [*document.mentions, *(document.deixis.mentions if document.deixis else ())]
        spans = [span for mention in mentions for span in (mention.span, mention.minimum) if span]
        edges = {(first, last + 1) for span in spans for first, last in pieces(span)}
        table, _ = tokenize(document.columns["text"][0], edges, "", plain)
        begins, ends = ([getattr(token, name) for token in table] for name in ("begin", "end"))
        return cls(tuple([token.text for token in table]), np.array(begins, np.int64), np.array(ends, np.int64))

    def words_of(self, document: Document) -> Document:
        """The document with words as positions; a mention that touches no word becomes opaque, named by its text."""
        mentions = []
        for mention in document.mentions:
            span, minimum = self._at_words(mention.span), self._at_words(mention.minimum)
            head = self._at_words((mention.head,)) if mention.head is not None else ()
            name = mention.id if span else document.text_of(mention)
            mentions.append(mention._replace(span=span, minimum=minimum, head=head[0] if head else None, id=name))
        deixis = document.deixis and self.words_of(document.deixis)
        return replace(document, words=self.words, mentions=mentions, columns={}, deixis=deixis)

    def _at_words(self, span: Sequence[int]) -> Span:
        """The positions of the words that share characters with a span."""
        found: list[range] = []
        for first, last in pieces(span_of(span)):
            begin = int(np.searchsorted(self.ends, first, "right"))
            end = int(np.searchsorted(self.begins, last, "right")) - 1
            found += [stretch(begin, end)] if begin <= end else []
        return tuple(sorted({*chain(*found)}))

    def characters_of(self, moved: Document, response: Document) -> Document:
        """A layer at words of the text, converted back to characters; mentions keep their texts in the response."""
        pairs = zip(moved.mentions, response.mentions, strict=True)
        mentions = [with_text(self.at_characters(mention), original, response) for mention, original in pairs]
        return replace(moved, words=(), sentences=(), mentions=mentions, origin=moved.origin._replace(lines=()))

    def at_characters(self, mention: Mention) -> Mention:
        """A mention at words of the text, converted back to characters."""
        span, minimum = self._characters(mention.span), self._characters(mention.minimum)
        head = position(int(self.begins[word_of(mention.head)])) if mention.head is not None else None
        return mention._replace(span=span, minimum=minimum, head=head)

    def _characters(self, span: Sequence[int]) -> Span:
        found = [stretch(int(self.begins[a]), int(self.ends[b]) - 1) for a, b in pieces(span_of(span))]
        return found[0] if len(found) == 1 else tuple(chain(*found))
