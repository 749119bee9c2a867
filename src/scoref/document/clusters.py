"""Clusters as plain Python values: lists, mappings, Series, arrays.

No library is imported for this: a Series or an array is recognised by its methods.

| given | meaning |
|---|---|
| `[[mention, ...], ...]` | entities without names |
| `{entity: [mention, ...]}` | entities with names: every value is a collection, and no string |
| `{mention: entity}` | the entity of each mention: no value is a collection |
| a pandas Series | as a mapping from its index |
| another Series, an array, a tensor, of one dimension | the entity of each mention; mentions are numbered from 0 |

An array, a tensor or a Series also stands for an entity (one row for each mention), or for a mention (one row).

These are the clusters of one document; `depth.py` says whether a value is one, or a batch of several.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain, repeat
from typing import Any, Protocol, cast

from .document import Document
from .mentions import Mention

EXPECTED = (
    "[[mention, ...], ...], {entity: [mention, ...]}, {mention: entity}, a Series or an array with the entity of each "
    "mention, or a document"
)
LISTS = ("tolist", "to_list", "to_pylist")  # numpy, torch and pandas; polars; Arrow
PLAIN = frozenset((int, str, bytes, float, bool))
BUILT_IN = frozenset((list, tuple, set, frozenset))
_ALL_PLAIN = PLAIN.issuperset


class LabelSeries(Protocol):
    """A Series, an array or a tensor with the entity of each mention."""

    def __len__(self) -> int: ...

    @property
    def dtype(self) -> object:
        """The type of its labels."""


def entities_of(value: Clusters) -> Iterable[tuple[Hashable, object]]:
    """The entities with their names, or their numbers where they have none; a TypeError for another shape."""
    if isinstance(value, Mapping):
        return _entities(list(value.items()))
    if is_frame(value):
        remedy = "take the Series of entities, with mentions as its index, or the columns as a mapping"
        raise TypeError(f"a frame says more than the entity of each mention; {remedy}")
    if not is_columnar(value):
        return enumerate(value)  # type: ignore[arg-type]  # not a Series here
    if len(getattr(value, "shape", (0,))) != 1:
        raise TypeError("an array must have one dimension, with the entity of each mention")
    values, index = listed(value), _index(value)
    if index is None:
        return enumerate(values) if values and all(map(_is_collection, values)) else _entities([*enumerate(values)])
    return _entities([*zip(index, values, strict=True)])


def items_of(value: Any) -> tuple[list[Hashable] | None, list[object]]:
    """The names (keys of a mapping, index of a Series; None if there are none) and the values of a collection."""
    if isinstance(value, Mapping):
        return [*value], [*value.values()]
    return (_index(value), listed(value)) if is_columnar(value) else (None, [*value])


def _index(value: object) -> list[Any] | None:
    """The index of a pandas Series; None for anything else."""
    index = getattr(value, "index", None)
    return None if index is None or callable(index) else listed(index)


def is_columnar(value: object) -> bool:
    """Whether it is a frame, a Series, an array or a tensor."""
    return not isinstance(value, type) and (any(hasattr(value, name) for name in LISTS) or is_frame(value))


def members(entity: Any) -> Iterable[object]:
    """The mentions of an entity."""
    if isinstance(entity, str | bytes):
        raise TypeError("an entity is a collection of mentions, not a string")
    return listed(entity) if not isinstance(entity, list | tuple) and is_columnar(entity) else entity


def frozen(mention: object) -> Hashable:
    """The mention as something that can be compared and hashed: lists and rows of arrays as tuples."""
    if type(mention) is tuple:
        return mention if _ALL_PLAIN(map(type, mention)) else tuple(map(frozen, mention))
    if type(mention) is list:
        return tuple([frozen(part) for part in mention])
    return frozen(listed(mention)) if type(mention) not in PLAIN and is_columnar(mention) else mention


def _all_frozen(mentions: list[object]) -> Iterable[Hashable]:
    """The same for each of them; mostly they are names, or tuples of numbers, and stay as they are."""
    types = {*map(type, mentions)}
    if types == {tuple}:
        types = {*map(type, chain.from_iterable(cast("list[tuple[object, ...]]", mentions)))}
    return mentions if types <= PLAIN else map(frozen, mentions)


def shape_of(value: object) -> str:
    """A description of a value, for messages.

    >>> shape_of({"ab", "cd"}), shape_of([1, 2]), shape_of({"a": 1, "b": [2]})
    ('a set of str', 'a list of int', 'a dict with values of int and list')
    """
    name = type(value).__name__
    if shape := getattr(value, "shape", None):
        return f"a {type(value).__module__.split('.')[0]} {name} of shape {tuple(shape)}"
    if isinstance(value, Mapping):
        return f"a {name} with values of {_types(value.values())}" if value else f"an empty {name}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"a {name} of {_types(value)}" if value else f"an empty {name}"
    return f"of type {name}"


def _types(values: Iterable[object]) -> str:
    return " and ".join(sorted({type(value).__name__ for value in values}))


def listed(value: object) -> list[object]:
    """An array, a tensor or a Series as a list; a number if it has no dimension."""
    values: list[object] = next(getattr(value, name) for name in LISTS if hasattr(value, name))()
    return values


def is_frame(value: object) -> bool:
    """Whether it is a frame: a table with columns."""
    return hasattr(value, "columns") and hasattr(value, "shape")


def _is_collection(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _entities(pairs: list[tuple[Hashable, object]]) -> Iterable[tuple[Hashable, object]]:
    """Entities with their mentions, from pairs (entity, mentions) or from pairs (mention, entity)."""
    collections = sum(_is_collection(value) for _, value in pairs)
    if collections == len(pairs):
        return pairs
    if collections:
        raise TypeError("values must all be collections of mentions, or all be entities")
    found: dict[Hashable, list[Hashable]] = {}
    for mention, entity in pairs:
        if entity is None or type(entity).__name__ == "NAType" or entity != entity:  # NA of pandas is never compared
            raise TypeError(f"mention {mention} has no entity; leave it out, or name an entity of its own")
        found.setdefault(entity, []).append(mention)
    return found.items()


Clusters = Iterable[Iterable[object]] | Mapping[Any, object] | LabelSeries  # see above


def clusters(entities: Clusters, id: str = "", sets: Mapping[Hashable, Iterable[Hashable]] | None = None) -> Document:
    """A document from plain clusters: an iterable of entities, or a mapping from entity names to entities.

    An entity is an iterable of mentions, a mention anything hashable (lists count as tuples). The entity of each
    mention will do, too: `{mention: entity}`, a Series, an array (see above). `sets` gives the members of entities
    that stand for several others (split antecedents), by names, or by numbers where entities have no names. The
    result is always one document; for several, make a list of such documents.

    >>> clusters({"Ada": ["she", "Ada"]}).mentions[0][:3]
    ((), 'Ada', 'she')
    >>> clusters({"she": "Ada", "Ada": "Ada"}) == clusters({"Ada": ["she", "Ada"]})
    True
    >>> clusters({"Ada": ["Ada"], "Bob": ["Bob"], "both": ["they"]}, sets={"both": ["Ada", "Bob"]}).sets
    {'both': ('Ada', 'Bob')}
    """
    owners: list[Hashable] = []
    items: list[object] = []
    for name, entity in entities_of(entities):
        items += entity if type(entity) is list else members(entity)
        owners += [name] * (len(items) - len(owners))
    fields = zip(repeat(()), owners, _all_frozen(items), repeat(()), repeat(()), repeat(None), repeat(()))
    mentions = [*map(tuple.__new__, repeat(Mention), fields)]  # several times as fast as calling Mention
    hash(tuple(mentions))  # raises TypeError if one of them cannot be hashed
    return Document(id, mentions=mentions, sets={name: tuple(others) for name, others in (sets or {}).items()})
