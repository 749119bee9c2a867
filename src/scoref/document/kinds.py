"""Kinds of mentions: what a field says of each mention of a side, like its form, its length, its distance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ..problems import Error
from .document import UNWRITTEN, Document, Integers, at_characters
from .forms import FORMS, forms, head_words
from .grouping import BUCKETS, by_number, ranges
from .spans import EMPTY, Span, is_stretch, word_of

UNKNOWN, FIRST, NONE = "unknown", "first mention", "(none)"
NOWHERE = -2  # the first word of a mention without a place; -1 is that of an empty node before the first word

IN_SENTENCES = ((0, "same sentence"), (1, "1 sentence"), (2, "2 sentences"), (3, "3-5 sentences"), (6, "6+ sentences"))
IN_WORDS = ((0, "0-9 words"), (10, "10-49 words"), (50, "50-199 words"), (200, "200+ words"))
DISTANCES = tuple(name for _, name in (*IN_SENTENCES, *IN_WORDS))
_LENGTHS = (0, 1, 2, 3, 5, 9, 17)
_QUARTERS = ("first quarter", "second quarter", "third quarter", "last quarter")


class Kinds(NamedTuple):
    """What a field says of mentions: the names of its kinds in their order, and the number of each mention's."""

    names: tuple[str, ...]
    of: Integers

    @property
    def labels(self) -> list[str]:
        """The name of each mention's kind."""
        return [self.names[number] for number in self.of.tolist()]


def first_words(document: Document) -> Sequence[int]:
    """The first word of each mention, `NOWHERE` for those without a place."""
    mentions = document.mentions
    if mentions.ends is not None:
        return mentions.ends[::2]
    return [word_of(span[0]) if span else NOWHERE for span in mentions.spans]


def sentences_of(document: Document, words: Integers) -> Integers:
    """The sentence of each word; -1 in documents with one sentence at most."""
    if len(document.sentences) < 2:
        return np.full(len(words), -1)
    return np.searchsorted(document.sentences, words, "right")


def antecedents(entity: Integers) -> Integers:
    """For each mention, in the order of the text, the one of its entity before it, or -1."""
    order = np.argsort(entity, kind="stable")
    found = np.full(len(entity), -1)
    follows = np.flatnonzero(np.diff(entity[order]) == 0)
    found[order[follows + 1]] = order[follows]
    return found


def distance_numbers(words: Integers, sentences: Integers) -> Integers:
    """Distances as numbers of `DISTANCES`: in sentences, or in words where `sentences` is negative."""
    by_sentence = np.searchsorted([least for least, _ in IN_SENTENCES], sentences, "right") - 1
    by_word = np.searchsorted([least for least, _ in IN_WORDS], words, "right") - 1 + len(IN_SENTENCES)
    return np.where(sentences >= 0, by_sentence, by_word)


@dataclass(frozen=True, eq=False)
class SideMentions:
    """The mentions of one side, document after document; `entity` has a number for the entity of each.

    Mentions of an entity are in the order of documents, and there by first word, longer ones first, then as the file
    has them.
    """

    documents: Sequence[Document]
    entity: Integers

    @cached_property
    def document(self) -> Integers:
        """The number of each mention's document."""
        return np.repeat(np.arange(len(self.documents)), [len(each.mentions) for each in self.documents])

    @cached_property
    def starts(self) -> list[int]:
        """The number of the first mention of each document."""
        return [0, *accumulate(len(each.mentions) for each in self.documents)]

    @cached_property
    def words(self) -> Integers:
        """The first word of each mention, or `NOWHERE`."""
        return _joined(np.array(first_words(document), np.int64) for document in self.documents)

    @cached_property
    def sentences(self) -> Integers:
        """The sentence of each mention, or -1."""
        each = zip(self.documents, self.starts[:-1], self.starts[1:], strict=True)
        return _joined(sentences_of(document, self.words[first:end]) for document, first, end in each)

    @cached_property
    def lengths(self) -> Integers:
        """The number of words of each mention, empty nodes not counted; `NOWHERE` without a place."""
        return _joined(np.array(_lengths(document), np.int64) for document in self.documents)

    @cached_property
    def order(self) -> Integers:
        """The mentions in their order."""
        size = _joined(np.array([*map(len, each.mentions.spans)], np.int64) for each in self.documents)
        return np.lexsort((-size, self.words, self.document))

    @cached_property
    def rank(self) -> Integers:
        """The place of each mention in that order."""
        found = np.empty_like(self.order)
        found[self.order] = np.arange(len(found))
        return found

    @cached_property
    def before(self) -> Integers:
        """For each mention the one of its entity before it, or -1."""
        found = np.full(len(self.order), -1)
        before = antecedents(self.entity[self.order])
        later = np.flatnonzero(before >= 0)
        found[self.order[later]] = self.order[before[later]]
        return found

    def of(self, field: str) -> Kinds:
        """The kinds of the mentions by a field: one of `FIELDS`, an attribute of mentions, a column of words."""
        if field not in self._known:
            self._known[field] = FIELDS[field](self) if field in FIELDS else _written(self, field)
        return self._known[field]

    def knows(self, field: str, kinds: Kinds) -> None:
        """Take the kinds by a field as they were found elsewhere."""
        self._known[field] = kinds

    @cached_property
    def _known(self) -> dict[str, Kinds]:
        return {}

    def has(self, field: str) -> bool:
        """Whether the field says something of some mention."""
        names, of = self.of(field)
        return any(names[number] not in (UNKNOWN, NONE) for number in np.unique(of).tolist())

    def _values(self, field: str) -> list[str]:
        """The values of an attribute, else of a column at the head of mentions; '' where there is none."""
        found = [dict(each).get(field, "") for document in self.documents for each in document.mentions.attributes]
        if any(found):
            return found
        return [value for document in self.documents for value in _cells(document, field)]

    @property
    def fields(self) -> list[str]:
        """The attributes of mentions and the columns of words."""
        return sorted({*self.attributes, *(name for document in self.documents for name in document.columns)})

    @property
    def attributes(self) -> list[str]:
        """The attributes of mentions."""
        each = (attributes for document in self.documents for attributes in document.mentions.attributes)
        return sorted({name for attributes in each for name, _ in attributes})


def both_kinds(sides: tuple[SideMentions, SideMentions], field: str) -> tuple[Kinds, Kinds]:
    """The kinds of the mentions of key and response by a field; an error if it says nothing of either."""
    if any(map(len, (side.entity for side in sides))) and not any(side.has(field) for side in sides):
        expected = f"one of {', '.join(dict.fromkeys([*FIELDS, *sides[0].fields, *sides[1].fields]))}"
        if field in FIELDS:
            placed = any((side.words != NOWHERE).any() for side in sides)
            reason = "the words of the text are not known" if placed else "they have no places in a text"
            raise Error("unknown-field", f"nothing tells the {field} of mentions here: {reason}",
                        expected="mentions that are words of a text")  # fmt: skip
        raise Error("unknown-field", f"no mention has the attribute '{field}', no word such a column",
                    expected=expected)  # fmt: skip
    ours, theirs = (side.of(field) for side in sides)
    return ours, theirs


def _joined(parts: Iterable[Integers]) -> Integers:
    return np.concatenate([np.empty(0, np.int64), *parts])


def _lengths(document: Document) -> list[int]:
    if at_characters(document):
        return [NOWHERE] * len(document.mentions)
    return [
        len(span) if is_stretch(span) else sum(not place & EMPTY for place in span) if span else NOWHERE
        for span in document.mentions.spans
    ]


def _cells(document: Document, column: str) -> list[str]:
    """The cell of a column at the head of each mention."""
    cells = tuple(document.columns.get(column, ()))
    if not cells:
        return [""] * len(document.mentions)
    return [
        cells[head] if head is not None and 0 <= head < len(cells) and cells[head] not in UNWRITTEN else ""
        for head in head_words(document)
    ]


# -- fields ----------------------------------------------------------------------------------------------------------


def _form(side: SideMentions) -> Kinds:
    each = [FORMS.index(form) for document in side.documents for form in forms(document)]
    return Kinds(FORMS, np.array(each, np.int64))


def _nested(side: SideMentions) -> Kinds:
    each = [number for document in side.documents for number in _inside(document.mentions.spans)]
    return Kinds(("nested", "not nested", UNKNOWN), np.array(each, np.int64))


def _inside(spans: Sequence[Span]) -> list[int]:
    """0 for each mention all of whose positions are in a longer mention of the document, 1 for others, 2 for none."""
    found = [1 if span else 2 for span in spans]
    order = sorted((number for number, span in enumerate(spans) if span), key=lambda n: (spans[n][0], -spans[n][-1]))
    around: list[int] = []  # those that may hold what follows
    for number in order:
        span = spans[number]
        around = [other for other in around if spans[other][-1] >= span[0]]
        if any(_holds(spans[other], span) for other in around):
            found[number] = 0
        for other in around:  # of equal ends, the longer one may come later
            if spans[other][0] == span[0] and _holds(span, spans[other]):
                found[other] = 0
        around.append(number)
    return found


def _holds(whole: Span, part: Span) -> bool:
    if len(whole) <= len(part) or whole[-1] < part[-1] or whole[0] > part[0]:
        return False
    return (is_stretch(whole) and is_stretch(part)) or set(part) <= set(whole)


def _first(side: SideMentions) -> Kinds:
    return Kinds(("first", "later"), (side.before >= 0).astype(np.int64))


def _distances(side: SideMentions, sentences: Integers) -> Kinds:
    before = side.before
    found = distance_numbers(
        side.words - side.words[before], np.where(sentences >= 0, sentences - sentences[before], -1)
    )
    lost = (side.words == NOWHERE) | (side.words[before] == NOWHERE) | (side.document != side.document[before])
    lost |= np.array([*map(at_characters, side.documents)], np.bool_)[side.document] & (found >= len(IN_SENTENCES))
    found[lost] = len(DISTANCES) + 1
    found[before < 0] = len(DISTANCES)
    return Kinds((*DISTANCES, FIRST, UNKNOWN), found)


def _distance(side: SideMentions) -> Kinds:
    return _distances(side, side.sentences)


def _distance_in_words(side: SideMentions) -> Kinds:
    return _distances(side, np.full(len(side.entity), -1))


def _length(side: SideMentions) -> Kinds:
    return _ranges(_LENGTHS, side.lengths)


def _size(side: SideMentions) -> Kinds:
    return _ranges(BUCKETS["size"], np.bincount(side.entity, minlength=1)[side.entity])


def _ranges(bounds: Sequence[int], values: Integers) -> Kinds:
    of = np.searchsorted(bounds, values, "right") - 1
    return Kinds((*ranges(bounds), UNKNOWN), np.where(values == NOWHERE, len(bounds), of))


def _position(side: SideMentions) -> Kinds:
    """The quarter of the document in which a mention begins."""
    end = np.zeros(len(side.documents), np.int64)
    np.maximum.at(end, side.document, side.words + np.maximum(side.lengths, 1))
    whole = np.maximum(end, [len(document.words) for document in side.documents])[side.document]
    quarter = np.clip(4 * side.words // np.maximum(whole, 1), 0, len(_QUARTERS) - 1)
    return Kinds((*_QUARTERS, UNKNOWN), np.where(side.words == NOWHERE, len(_QUARTERS), quarter))


def _quoted(side: SideMentions) -> Kinds:
    from .quotes import quoted

    found = np.full(len(side.entity), 2)
    for number, document in enumerate(side.documents):
        if _unwritten(document):
            continue
        inside = quoted(document.words)
        here = slice(*side.starts[number : number + 2])
        if not len(inside):
            continue
        words = np.clip(side.words[here], 0, len(inside) - 1)
        found[here] = np.where(side.words[here] == NOWHERE, 2, np.where(inside[words], 0, 1))
    return Kinds(("quoted", "not quoted", UNKNOWN), found)


def _unwritten(document: Document) -> bool:
    """Whether its words are left out, or it has none."""
    return all(word in UNWRITTEN for word in document.words)


def _written(side: SideMentions, field: str) -> Kinds:
    values = side._values(field)
    names = sorted({*values} - {""}, key=by_number)
    known = {name: number for number, name in enumerate([*names, ""])}
    return Kinds((*names, NONE), np.array([known[value] for value in values], np.int64))


# What the kinds of mentions by each field are; any other field is an attribute of mentions, or a column of words.
FIELDS: dict[str, Callable[[SideMentions], Kinds]] = {
    "form": _form,
    "nested": _nested,
    "first": _first,
    "distance": _distance,
    "distance-words": _distance_in_words,
    "length": _length,
    "size": _size,
    "position": _position,
    "quoted": _quoted,
}
