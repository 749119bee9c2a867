"""Mentions: one as a value, and all of a document behind one interface, as arrays or as a list of values."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, count
from operator import itemgetter
from typing import Any, Self

import numpy as np

from ..values import NamedTuple
from .spans import EMPTY, Span, position, span_of, stretch, word_of

FARTHEST = 1 << 31  # words of `Mentions` have smaller numbers than this

Attributes = tuple[tuple[str, str], ...]
Parents = tuple[tuple[int, str], ...]


class _Fields(NamedTuple):
    span: Span
    entity: Hashable
    id: Hashable = None
    minimum: Span = ()
    attributes: Attributes = ()
    head: int | None = None
    parents: Parents = ()


class Mention(_Fields):
    """A place in a document that refers to an entity.

    `span` holds its positions: a range if they are a stretch of words, else a tuple. A mention without positions is
    *opaque*: its `id` alone says which mention it is (plain clusters of names). `minimum` holds the positions that a
    response must have at least, `head` the position of its head, `parents` those that an empty node depends on with
    their relations, where a file gives them.

    >>> Mention((256, 512), "Ada").span, Mention((256, 768), "Ada").span
    (range(256, 513, 256), (256, 768))
    """

    __slots__ = ()

    def __new__(
        cls,
        span: Iterable[int],
        entity: Hashable,
        id: Hashable = None,
        minimum: Iterable[int] = (),
        attributes: Attributes = (),
        head: int | None = None,
        parents: Parents = (),
    ) -> Self:
        """The mention at these positions, in text order."""
        fields = span_of(span), entity, id, span_of(minimum) if minimum else (), attributes, head, parents
        return tuple.__new__(cls, fields)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # `_replace` calls it
        return cls(*iterable)

    @classmethod
    def at(cls, first: int, last: int, entity: Hashable, **fields: Any) -> Mention:
        """The mention of an entity from word `first` to word `last`, both included and counted from 0.

        Further keywords are the other fields: id, minimum, attributes, head, parents.

        >>> Mention.at(2, 4, "tap").span == stretch(2, 4)
        True
        """
        return cls(stretch(first, last), entity, **fields)

    @property
    def is_zero(self) -> bool:
        """Whether the head of the mention is an empty node; without a head, whether its first node is one."""
        place = self.head if self.head is not None else self.span[0] if self.span else 0
        return bool(place & EMPTY)

    def of(self, entity: Hashable) -> Mention:
        """The same mention, of another entity; faster than `_replace`."""
        return tuple.__new__(Mention, (self[0], entity, self[2], self[3], self[4], self[5], self[6]))

    def by_minimum(self, minimum: tuple[int, ...]) -> Mention:
        """The same mention, compared by other numbers than the positions of its minimum span; faster, too."""
        return tuple.__new__(Mention, (self[0], self[1], self[2], minimum, self[4], self[5], self[6]))


class Mentions(Sequence[Mention]):
    """Stretches of words as arrays: `ListedMentions` gives the same facts about mentions of any kind.

    `ends` holds the first and the last word of one mention after the other, `owners` the number of its entity in
    `names`, the entities in the order of their first mention. `heads` holds the position of the head of each, and
    `attributes` those of each, where a file gives them. None of them is a zero. `Mention` values are created on access
    and not kept: they need ten times the memory.

    >>> mentions = Mentions.of([(0, 0), (2, 4), (3, 3)], ["Ada", "tap", "Ada"])
    >>> mentions[1] == Mention.at(2, 4, "tap"), mentions.names, mentions.heads
    (True, ('Ada', 'tap'), [None, None, None])
    """

    __slots__ = ("_attributes", "_heads", "ends", "known", "names", "owners")

    zeros: Sequence[int] = ()
    opaque: Sequence[int] = ()

    def __init__(
        self,
        ends: array[int],
        owners: array[int],
        names: tuple[Hashable, ...],
        heads: array[int] | None = None,
        attributes: Sequence[Attributes] | None = None,
    ) -> None:
        self.ends, self.owners, self.names = ends, owners, names
        self._heads, self._attributes = heads, attributes
        self.known: dict[tuple[object, tuple[object, ...]], list[Any]] = {}  # a cache of `Document`

    @classmethod
    def of(cls, ends: Iterable[tuple[int, int]], entities: Sequence[Hashable]) -> Mentions:
        """Mentions by their first and last words, and the entity of each."""
        return cls(array("i", chain.from_iterable(ends)), *numbered(entities))

    def span(self, index: int) -> range:
        """The span of the mention of that number."""
        return stretch(self.ends[2 * index], self.ends[2 * index + 1])

    @property
    def spans(self) -> list[range]:
        """The span of each mention."""
        return [*map(stretch, self.ends[::2], self.ends[1::2])]

    @property
    def entities(self) -> list[Hashable]:
        """The entity of each mention."""
        return [*map(self.names.__getitem__, self.owners)]

    @property
    def ids(self) -> Sequence[Hashable]:
        """The id of each mention: none has one."""
        return [None] * len(self.owners)

    @property
    def minimums(self) -> Sequence[Span]:
        """The minimum span of each mention: none has one."""
        return [()] * len(self.owners)

    @property
    def attributes(self) -> Sequence[Attributes]:
        """The attributes of each mention."""
        return [()] * len(self.owners) if self._attributes is None else self._attributes

    @property
    def heads(self) -> Sequence[int | None]:
        """The position of the head of each mention, where it is known."""
        return [None] * len(self.owners) if self._heads is None else self._heads

    def take(self, indices: Sequence[int]) -> Mentions:
        """The mentions of these numbers, in that order."""
        some = np.fromiter(indices, np.intp, len(indices))
        ends = array("i", np.frombuffer(self.ends, np.int64)[some].tobytes())
        owners = array("i", np.frombuffer(self.owners, np.intc)[some].tobytes())
        numbers = dict(zip(dict.fromkeys(owners), count(), strict=False))
        names = (*map(self.names.__getitem__, numbers),)
        if [*numbers] != [*range(len(numbers))]:
            owners = array("i", map(numbers.__getitem__, owners))
        heads = None if self._heads is None else array("q", map(self._heads.__getitem__, indices))
        attributes = None if self._attributes is None else [*map(self._attributes.__getitem__, indices)]
        return Mentions(ends, owners, names, heads, attributes)

    def _values(self) -> tuple[Mention, ...]:
        new = tuple.__new__  # several times as fast as calling Mention
        fields = zip(self.spans, self.entities, self.attributes, self.heads, strict=True)
        return tuple([new(Mention, (span, entity, None, (), more, head, ())) for span, entity, more, head in fields])

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._values()[index]
        number = range(len(self.owners))[index]
        more = () if self._attributes is None else self._attributes[number]
        head = None if self._heads is None else self._heads[number]
        return tuple.__new__(Mention, (self.span(number), self.names[self.owners[number]], None, (), more, head, ()))

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._values())

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, Mentions) else self._values() == other

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[object, ...]:
        return Mentions, self._fields()

    def _fields(self) -> tuple[object, ...]:
        return self.ends, self.owners, self.names, self._heads, self._attributes


class ListedMentions(tuple[Mention, ...]):
    """Mentions of any kind as values, with the facts about all of them that `Mentions` gives, found when asked for.

    >>> mentions = ListedMentions([Mention.at(0, 0, "Ada"), Mention((256, 768), "tap"), Mention((), "Ada", "m3")])
    >>> mentions.names, [*mentions.owners], mentions.opaque, mentions.ends
    (('Ada', 'tap'), [0, 1, 0], [2], None)
    """

    def span(self, index: int) -> Span:
        """The span of the mention of that number."""
        return self[index].span

    @property
    def spans(self) -> list[Span]:
        """The span of each mention."""
        return [*map(itemgetter(0), self)]

    @property
    def entities(self) -> list[Hashable]:
        """The entity of each mention."""
        return [*map(itemgetter(1), self)]

    @property
    def ids(self) -> Sequence[Hashable]:
        """The id of each mention, None for those without one."""
        return [*map(itemgetter(2), self)]

    @property
    def minimums(self) -> Sequence[Span]:
        """The minimum span of each mention, empty for those without one."""
        return [*map(itemgetter(3), self)]

    @property
    def attributes(self) -> Sequence[Attributes]:
        """The attributes of each mention."""
        return [*map(itemgetter(4), self)]

    @property
    def heads(self) -> Sequence[int | None]:
        """The position of the head of each mention, where it is known."""
        return [*map(itemgetter(5), self)]

    @cached_property
    def zeros(self) -> Sequence[int]:
        """The numbers of the mentions that are zeros."""
        if len(self.opaque) == len(self) and not any(self.heads):
            return ()
        return [index for index, mention in enumerate(self) if mention.is_zero]

    @cached_property
    def opaque(self) -> Sequence[int]:
        """The numbers of the mentions without positions."""
        return [index for index, span in enumerate(self.spans) if not span]

    @cached_property
    def ends(self) -> array[int] | None:
        """The first and last word of one mention after the other; None where one is not a stretch of words."""
        spans = self.spans
        if not {*map(type, spans)} <= {range}:
            return None
        try:
            return array("i", [word_of(place) for span in spans for place in (span[0], span[-1])])
        except OverflowError:
            return None

    @cached_property
    def known(self) -> dict[tuple[object, tuple[str, ...]], list[Any]]:
        """A cache of `Document`."""
        return {}

    @property
    def owners(self) -> array[int]:
        """The number of the entity of each mention in `names`."""
        return self._numbered[0]

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The entities in the order of their first mention."""
        return self._numbered[1]

    @cached_property
    def _numbered(self) -> tuple[array[int], tuple[Hashable, ...]]:
        return numbered(self.entities)

    def take(self, indices: Sequence[int]) -> ListedMentions:
        """The mentions of these numbers, in that order."""
        return ListedMentions([self[index] for index in indices])

    def __reduce__(self) -> tuple[object, ...]:
        return ListedMentions, (tuple(self),)


AnyMentions = Mentions | ListedMentions


def numbered(entities: Sequence[Hashable]) -> tuple[array[int], tuple[Hashable, ...]]:
    """The number of each entity, and the distinct entities in the order of their first occurrence."""
    numbers = dict(zip(dict.fromkeys(entities), count(), strict=False))
    return array("i", map(numbers.__getitem__, entities)), (*numbers,)


def values_of(mentions: AnyMentions, fields: Sequence[str]) -> list[tuple[str | None, ...]]:
    """What each mention has in some attributes; None where it lacks one.

    >>> values_of(ListedMentions([Mention((), "Ada", attributes=(("type", "person"),))]), ["type", "case"])
    [('person', None)]
    """
    return [tuple(map(dict(attributes).get, fields)) for attributes in mentions.attributes]


def repeated_places(mention: Mention) -> Span:
    """The positions of the pieces that a mention was written with, in order; those of two pieces twice.

    Nothing, if it has no pieces beside its span, or if its span is another one by now.

    >>> mention = Mention(stretch(0, 3), "E1", attributes=(("pieces", "0 3;2 4"),))
    >>> [word_of(place) for place in repeated_places(mention)]
    [0, 1, 2, 2, 3]
    """
    ends = [piece.split() for piece in dict(mention.attributes).get("pieces", "").split(";")]
    if not all(len(each) == 2 and all(end.isdecimal() and len(end) <= 12 for end in each) for each in ends):
        return ()
    if any(int(end) - int(begin) > len(mention.span) for begin, end in ends):
        return ()
    places = sorted(position(place) for begin, end in ends for place in range(int(begin), int(end)))
    return span_of(places) if span_of(dict.fromkeys(places)) == mention.span else ()
