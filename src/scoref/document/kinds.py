"""Kinds of mentions: what a field says of each mention of a side, like its form, its length, its distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ..problems import Error
from .document import UNWRITTEN, Document, Integers, at_characters
from .forms import FORMS, Headed, headed
from .grouping import BUCKETS, by_number, ranges
from .where import NOWHERE, ends_of, inside, inside_stretches, length_of, sentences_of

UNKNOWN, FIRST, NONE = "unknown", "first mention", "(none)"

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
    def _ends(self) -> Integers:
        return ends_of(self.documents)

    @cached_property
    def words(self) -> Integers:
        """The first word of each mention, or `NOWHERE`."""
        return self._ends[:, 0]

    @cached_property
    def sentences(self) -> Integers:
        """The sentence of each mention, or -1."""
        return sentences_of(self.documents, self.document, self.words)

    @cached_property
    def lengths(self) -> Integers:
        """The number of words of each mention, empty nodes not counted; `NOWHERE` without a place."""
        found = self._ends[:, 1] - self._ends[:, 0] + 1
        for number, document in enumerate(self.documents):
            if at_characters(document):
                found[slice(*self.starts[number : number + 2])] = NOWHERE
            elif document.mentions.ends is None:
                found[slice(*self.starts[number : number + 2])] = [*map(length_of, document.mentions.spans)]
        return found

    @cached_property
    def headed(self) -> Headed:
        """What heads each mention, and its form."""
        return headed(self.documents)

    @cached_property
    def order(self) -> Integers:
        """The mentions in their order."""
        size = self._ends[:, 1] - self._ends[:, 0]
        for number, document in enumerate(self.documents):
            if document.mentions.ends is None:
                size[slice(*self.starts[number : number + 2])] = [*map(len, document.mentions.spans)]
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

    def takes(self, headed: Headed) -> None:
        """Take what heads mentions as it was found elsewhere."""
        self.__dict__["headed"] = headed

    @cached_property
    def _known(self) -> dict[str, Kinds]:
        return {}

    def has(self, field: str) -> bool:
        """Whether the field says something of some mention."""
        names, of = self.of(field)
        there = np.bincount(of, minlength=len(names)).tolist()
        return any(number and name not in (UNKNOWN, NONE) for name, number in zip(names, there, strict=True))

    def _values(self, field: str) -> list[str]:
        """The values of an attribute, else of a column at the head of mentions; '' where there is none."""
        found = [dict(each).get(field, "") for document in self.documents for each in document.mentions.attributes]
        if any(found):
            return found
        heads = zip(self.documents, self.starts[:-1], self.starts[1:], strict=True)
        return [
            value for document, first, end in heads for value in _cells(document, field, self.headed.word[first:end])
        ]

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


def _cells(document: Document, column: str, heads: Integers) -> list[str]:
    """The cell of a column at each of these words."""
    cells = tuple(document.columns.get(column, ()))
    if not cells:
        return [""] * len(heads)
    written = ["" if cell in UNWRITTEN else cell for cell in cells]
    return [written[head] if 0 <= head < len(cells) else "" for head in heads.tolist()]


# -- fields ----------------------------------------------------------------------------------------------------------


def _form(side: SideMentions) -> Kinds:
    return Kinds(FORMS, side.headed.form)


def _nested(side: SideMentions) -> Kinds:
    found = inside_stretches(side.document, side._ends)
    for number, document in enumerate(side.documents):
        if document.mentions.ends is None:
            found[slice(*side.starts[number : number + 2])] = inside(document.mentions.spans)
    return Kinds(("nested", "not nested", UNKNOWN), found)


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
