"""Mentions: one as a value, and the plain ones of a document as arrays that make values when somebody asks."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import Any, NamedTuple, Self

import numpy as np

from .spans import EMPTY, Span, span_of, stretch

FARTHEST = 1 << 31  # no word of a plain mention may be that far


Attributes = tuple[tuple[str, str], ...]


class _Fields(NamedTuple):
    span: Span
    entity: Hashable
    id: Hashable = None
    minimum: Span = ()
    attributes: tuple[tuple[str, str], ...] = ()
    head: int | None = None
    parents: tuple[tuple[int, str], ...] = ()


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
        attributes: tuple[tuple[str, str], ...] = (),
        head: int | None = None,
        parents: tuple[tuple[int, str], ...] = (),
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


class Mentions(Sequence[Mention]):
    """Mentions of which the ends, the entity and perhaps the head and attributes are known, as arrays.

    `ends` holds the first and the last word of one mention after the other, `owners` the number of its entity in
    `names`, the entities in the order of their first mention. `heads` holds the position of the head of each, and
    `attributes` those of each, where a file gives them. All are stretches of words; none is a zero. Values are made
    whenever somebody asks, and not kept: they need ten times the memory.

    >>> mentions = Mentions.of([(0, 0), (2, 4), (3, 3)], ["Ada", "tap", "Ada"])
    >>> mentions[1] == Mention.at(2, 4, "tap"), mentions.names, mentions.repeats()
    (True, ('Ada', 'tap'), False)
    """

    __slots__ = ("_repeated", "attributes", "ends", "heads", "names", "owners")

    def __init__(
        self,
        ends: array[int],
        owners: array[int],
        names: tuple[Hashable, ...],
        heads: array[int] | None = None,
        attributes: Sequence[Attributes] | None = None,
    ) -> None:
        self.ends, self.owners, self.names = ends, owners, names
        self.heads, self.attributes = heads, attributes
        self._repeated: bool | None = None

    @classmethod
    def of(cls, ends: Iterable[tuple[int, int]], entities: Sequence[Hashable]) -> Mentions:
        """Mentions by their first and last words, and the entity of each."""
        return cls(array("i", chain.from_iterable(ends)), *numbered(entities))

    @property
    def places(self) -> list[int]:
        """A number for each mention that stands for its span: the bytes of both ends taken as one number."""
        return memoryview(self.ends).cast("B").cast("q").tolist() if self.ends else []

    def marks(self, by: str = "span") -> Sequence[Hashable]:
        """What stands for the span of each mention, or for its span and head: the same in all documents."""
        return [*zip(self.places, self.heads, strict=True)] if by == "head" and self.heads is not None else self.places

    def repeats(self, by: str = "span") -> bool:
        """Whether two mentions have the same span, or the same span and head."""
        if self._repeated is None:
            self._repeated = len(set(self.places)) < len(self.owners)
        return self._repeated and (by != "head" or len(set(self.marks(by))) < len(self.owners))

    def span(self, index: int) -> range:
        """The span of the mention of that number."""
        return stretch(self.ends[2 * index], self.ends[2 * index + 1])

    def spans(self) -> list[range]:
        """The span of each mention."""
        return [*map(stretch, self.ends[::2], self.ends[1::2])]

    def entities(self) -> Iterator[Hashable]:
        """The entity of each mention."""
        return map(self.names.__getitem__, self.owners)

    def take(self, indices: Sequence[int]) -> Mentions:
        """The mentions of these numbers, in that order."""
        some = np.fromiter(indices, np.intp, len(indices))
        ends = array("i", np.frombuffer(self.ends, np.int64)[some].tobytes())
        owners = array("i", np.frombuffer(self.owners, np.intc)[some].tobytes())
        numbers = dict(zip(dict.fromkeys(owners), count(), strict=False))
        names = (*map(self.names.__getitem__, numbers),)
        if [*numbers] != [*range(len(numbers))]:
            owners = array("i", map(numbers.__getitem__, owners))
        heads = None if self.heads is None else array("q", map(self.heads.__getitem__, indices))
        attributes = None if self.attributes is None else [*map(self.attributes.__getitem__, indices)]
        return Mentions(ends, owners, names, heads, attributes)

    def without(self, entities: set[Hashable]) -> Mentions:
        """The mentions of all other entities."""
        gone = {number for number, name in enumerate(self.names) if name in entities}
        return self.take([index for index, owner in enumerate(self.owners) if owner not in gone])

    def _values(self) -> tuple[Mention, ...]:
        new = tuple.__new__  # several times as fast as calling Mention
        heads = repeat(None, len(self)) if self.heads is None else self.heads
        attributes = repeat((), len(self)) if self.attributes is None else self.attributes
        each = zip(self.spans(), self.entities(), attributes, heads, strict=True)
        return tuple([new(Mention, (span, entity, None, (), more, head, ())) for span, entity, more, head in each])

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._values()[index]
        number = range(len(self.owners))[index]
        more = () if self.attributes is None else self.attributes[number]
        head = None if self.heads is None else self.heads[number]
        return tuple.__new__(Mention, (self.span(number), self.names[self.owners[number]], None, (), more, head, ()))

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mentions):
            return self._parts() == other._parts()
        return self._values() == other

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return repr(self._values())

    def __reduce__(self) -> tuple[Any, ...]:
        return Mentions, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        return self.ends, self.owners, self.names, self.heads, self.attributes


def numbered(entities: Sequence[Hashable]) -> tuple[array[int], tuple[Hashable, ...]]:
    """The number of each entity in the list of those that there are, and that list."""
    numbers = dict(zip(dict.fromkeys(entities), count(), strict=False))
    return array("i", map(numbers.__getitem__, entities)), (*numbers,)
