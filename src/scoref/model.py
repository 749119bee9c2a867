"""The values that every stage works on: positions, mentions, documents."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_EMPTY_BITS = 8


def position(word: int, empty: int = 0) -> int:
    """The position of a word (from 0), or of the n-th empty node behind it, as one integer that sorts in text order.

    >>> position(2), position(2, 1), position(3)
    (512, 513, 768)
    """
    return word << _EMPTY_BITS | empty


def word_of(position: int) -> int:
    """The word of a position.

    >>> word_of(position(7, 2))
    7
    """
    return position >> _EMPTY_BITS


def stretch(first: int, last: int) -> tuple[int, ...]:
    """The positions of the words from `first` to `last`, both included.

    >>> stretch(1, 3)
    (256, 512, 768)
    """
    return tuple(range(first << _EMPTY_BITS, (last << _EMPTY_BITS) + 1, 1 << _EMPTY_BITS))


class Mention(NamedTuple):
    """A place in a document that refers to an entity.

    A mention without positions is *opaque*: its `id` alone says which mention it is (plain clusters of names).
    """

    span: tuple[int, ...]
    entity: Hashable
    id: Hashable = None


@dataclass(frozen=True)
class Document:
    """A text with its mentions; a mention is its index in `mentions`.

    `sentences` holds the index of the first word of each sentence, `columns` what a file says of each word beside its
    form (part of speech, parse, speaker, ...). `source`, `line` and `lines` say where it was read; they do not count
    when documents are compared.
    """

    id: str
    words: Sequence[str] = ()
    mentions: tuple[Mention, ...] = ()
    sentences: tuple[int, ...] = ()
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    source: str | None = field(default=None, compare=False)
    line: int | None = field(default=None, compare=False)
    lines: Sequence[int] = field(default=(), compare=False, repr=False)

    def line_of(self, mention: Mention) -> int | None:
        """The line of the file on which the mention begins, or that of the document."""
        if mention.span and self.lines:
            return int(self.lines[word_of(mention.span[0])])
        return self.line

    def text_of(self, mention: Mention) -> str:
        """The words of a mention; the id of an opaque one."""
        if not mention.span:
            return str(mention.id)
        return " ".join(self.words[word_of(place)] for place in mention.span if word_of(place) < len(self.words))

    def identities(self) -> list[Hashable]:
        """What makes each mention the mention it is: its positions, or the id of an opaque one."""
        return [mention[0] or mention[2] for mention in self.mentions]

    def entities(self) -> dict[Hashable, list[Mention]]:
        """The mentions of each entity, in the order in which the entities appear.

        >>> document = clusters([["a", "b"], ["c"]])
        >>> [[mention.id for mention in mentions] for mentions in document.entities().values()]
        [['a', 'b'], ['c']]
        """
        found: dict[Hashable, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.entity, []).append(mention)
        return found


Clusters = Iterable[Iterable[Hashable]] | Mapping[Hashable, Iterable[Hashable]]


def clusters(entities: Clusters, id: str = "") -> Document:
    """A document from plain clusters: an iterable of entities, or a mapping from entity names to entities.

    An entity is an iterable of mentions, a mention anything hashable (lists count as tuples).

    >>> clusters({"Ada": ["she", "Ada"]}).mentions[0]
    Mention(span=(), entity='Ada', id='she')
    """
    named: Iterable[tuple[Hashable, Iterable[Hashable]]]
    named = entities.items() if isinstance(entities, Mapping) else enumerate(entities)
    return Document(id, mentions=tuple([Mention((), name, _frozen(item)) for name, items in named for item in items]))


def _frozen(mention: Hashable) -> Hashable:
    if isinstance(mention, list):
        return tuple(_frozen(part) for part in mention)
    return mention
