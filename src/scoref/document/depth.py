"""How deeply plain clusters are nested: whether a value is one document, or a batch of several.

| given | what it is |
|---|---|
| `[["a", "b"], ["c"]]` | a document: names of mentions in entities |
| `[[(0, 1), (2, 2)], [(5, 5)]]` | a document: spans in entities |
| `[[["a", "b"], ["c"]], [["d"]]]` | a batch: a list of names is an entity, not a mention |
| `[[[(0, 1), (2, 2)], [(5, 5)]], []]` | a batch: spans in entities in documents, of which the second has none |
| `{"d1": document, "d2": document}` | a batch: documents with names |
| `[{"Ada": ["she", "her"]}, ...]` | a batch: a mapping inside another collection is a document |
| `[], [[], []]` | empty: the other side decides which it is |
| `[[[1, 2, 3], [4]]]` | ambiguous: `[4]` is a mention, or an entity of the mention 4 |

The innermost collections decide. If they hold numbers and are equally long, they are mentions: spans (first, last),
or (sentence, first, last). Tuples of names, all equally long, are mentions as well; sets and lists of names are
entities. Anything else can be read in two ways.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, ValuesView
from itertools import chain
from numbers import Number
from typing import Any, NamedTuple

from .clusters import BUILT_IN, LISTS, PLAIN, is_columnar, is_frame, items_of, listed

_DEEPEST = 6  # levels; nothing that is understood has more than five


class Depth(NamedTuple):
    """What a value is (`document`, `batch`, `empty`, `ambiguous`, or too `deep`), how many levels it has, and why.

    Levels are nested collections, down to the first value that is none: a batch of clusters of spans has four.
    """

    kind: str
    levels: int
    reason: str = ""


def depth_of(value: Any) -> Depth:
    """Whether a value is the clusters of a document, or a batch of such clusters.

    >>> depth_of([["a", "b"], ["c"]]), depth_of([[["a", "b"], ["c"]]])
    (Depth(kind='document', levels=2, reason=''), Depth(kind='batch', levels=3, reason=''))
    >>> depth_of([[(0, 1), (2, 2)]]).kind, depth_of([[[(0, 1), (2, 2)]], []]).kind
    ('document', 'batch')
    >>> depth_of([[[1, 2, 3], [4]]]).reason
    '[1, 2, 3] may be a mention or an entity'
    """
    column = len(getattr(value, "shape", (0,))) == 1  # not so for frames, and arrays of more dimensions or none
    if not column or isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return Depth("document", 0)  # `clusters` refuses it later
    _, items = items_of(value)
    if any(issubclass(kind, Mapping) for kind in {*map(type, items)} - BUILT_IN - PLAIN):
        return _of_documents(items)
    layers = _layers(items)
    levels = len(layers)
    if levels > _DEEPEST:
        return _too_deep(levels)
    if not layers[-1]:
        return Depth("empty", levels)
    if levels < 3:
        lists = [item for item in layers[-1] if type(item) is list] if levels == 2 else []
        return _ambiguous(levels, lists[0]) if lists else Depth("document", levels)
    doubtful, are_mentions = _innermost(layers)
    if doubtful is not None:
        return _ambiguous(levels, doubtful)
    above = levels - are_mentions
    return Depth("document" if above == 2 else "batch", levels) if above <= 3 else _too_deep(levels)


def kept(value: Any, levels: int = 2) -> Any:
    """The value with iterators replaced by lists, down to that many levels below it: it can be read again."""
    if isinstance(value, Iterator):
        value = [*value]
    lists = levels == 2 and type(value) is list and {*map(type, value)} <= {list, tuple}
    if lists and {*map(type, chain.from_iterable(value))} <= BUILT_IN | PLAIN:
        return value  # mostly
    concerned = (list, tuple, Iterator) if levels > 1 else (Iterator,)
    if levels and isinstance(value, list | tuple) and any(issubclass(each, concerned) for each in {*map(type, value)}):
        inner = [kept(each, levels - 1) for each in value]
        return value if all(new is old for new, old in zip(inner, value, strict=True)) else inner
    return value


def _of_documents(items: Sequence[object]) -> Depth:
    """The depth of a collection of mappings: a batch, if each mapping is a document."""
    found = [depth_of(item) for item in items]
    levels = 1 + max(each.levels for each in found)
    for each in found:
        if each.kind == "ambiguous":
            return each._replace(levels=levels)
        if each.kind in ("batch", "deep"):
            return _too_deep(levels)
    return Depth("batch", levels)


def _layers(items: Sequence[object]) -> list[list[Any]]:
    """The values on each level, down to the first level that is empty or has a value that is no collection."""
    layers: list[list[Any]] = [[*items]]
    while layers[-1] and len(layers) <= _DEEPEST:
        layer = layers[-1]
        types = {*map(type, layer)}
        if not types.isdisjoint(PLAIN):
            break
        if not types <= BUILT_IN:
            opened = [_inside(item) for item in layer]
            if any(inside is None for inside in opened):
                break
            layers[-1] = layer = opened
        layers.append([*chain.from_iterable(layer)])
    return layers


def _inside(value: Any) -> Collection[object] | None:
    """The values in a collection; None for anything else. Hashable values of unknown types count as names."""
    if isinstance(value, list | tuple | set | frozenset):
        return value
    if isinstance(value, Mapping) or is_frame(value):
        return None
    if is_columnar(value):
        values = listed(value)
        return values if isinstance(values, list) else None  # a number
    is_open = isinstance(value, ValuesView) or not isinstance(value, Hashable)
    return [*value] if is_open and isinstance(value, Collection) else None


def _innermost(layers: Sequence[list[Any]]) -> tuple[object, bool]:
    """An innermost collection that is ambiguous (None if none is), and whether these collections are mentions."""
    groups, values = layers[-2], layers[-1]
    types = {*map(type, values)}
    mixed = not types.isdisjoint(BUILT_IN)
    if mixed:  # some are deeper: mentions of several spans, which are tuples
        deeper = [group for group in groups if group and all(type(each) in BUILT_IN for each in group)]
        if lists := [group for group in deeper if type(group) is list]:
            return lists[0], True
        places = {*map(id, deeper)}
        groups = [group for group in groups if id(group) not in places]
    lengths = {*map(len, groups)}
    there = {*map(type, groups)}
    kinds = {base for base in BUILT_IN if base in there or any(issubclass(kind, base) for kind in there - BUILT_IN)}
    equal = len(lengths) == 1 and lengths.isdisjoint((0, 1))
    if kinds.isdisjoint((set, frozenset)) and (len(types) > 1 or list not in kinds or _is_number(*types)):
        are_mentions, clear = True, equal
    else:
        pairs = equal and len(layers) == 3 and _repeats(layers[0])  # as ["d1", "m1"] and ["d1", "m2"]
        are_mentions, clear = False, kinds == {set} or (kinds == {list} and not pairs)
    odd = None if clear else next((group for group in groups if len(group) != 2), groups[0])
    return odd, are_mentions


def _is_number(kind: type) -> bool:
    """Whether values of this type are numbers, including arrays and tensors without a dimension."""
    if issubclass(kind, str | bytes):
        return False
    return issubclass(kind, Number) or any(hasattr(kind, name) for name in LISTS)


def _repeats(documents: Iterable[Iterable[Iterable[object]]]) -> bool:
    """Whether a document has a string in two of its collections, which as entities would then share a mention."""
    for document in documents:
        names = [name for group in document for name in group if isinstance(name, str)]
        if len({*names}) < len(names):
            return True
    return False


def _ambiguous(levels: int, group: object) -> Depth:
    shown = repr(group)
    shown = shown if len(shown) <= 60 else f"{shown[:56]} ..."
    return Depth("ambiguous", levels, f"{shown} may be a mention or an entity")


def _too_deep(levels: int) -> Depth:
    return Depth("deep", levels, "a batch is documents, their entities, and mentions, with nothing above them")
