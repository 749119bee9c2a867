"""The shapes that schemas are made of: records, lists, values by name, and the fields of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
NONE: Schema = {"type": "null"}
ANY: Schema = {}

_PLAIN = {str: TEXT, float: NUMBER, int: WHOLE, bool: FLAG, NoneType: NONE, object: ANY}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these keys, and no others."""
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


def by_name(value: Schema) -> Schema:
    """An object with any keys, and one kind of value."""
    return {"type": "object", "additionalProperties": value}


def many(value: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": value}


def row(*values: Schema) -> Schema:
    """A list of so many values, each of its own kind."""
    return {"type": "array", "prefixItems": [*values], "minItems": len(values), "items": False}


def either(*values: Schema) -> Schema:
    """One of several."""
    return {"anyOf": [*values]}


def maybe(value: Schema) -> Schema:
    """A value, or null."""
    return either(value, NONE)


def word(*words: object) -> Schema:
    """One of some words."""
    return {"enum": [*words]}


def of(name: str) -> Schema:
    """A shape that has a name, as several schemas use it."""
    return {"$ref": f"#/$defs/{name}"}


def says(value: Schema, text: str) -> Schema:
    """A shape with a sentence about it."""
    return {**value, "description": text}


def fields(made: type, /, *without: str, **other: Schema) -> dict[str, Schema]:
    """The shapes of the fields of a class; `other` are those that are not printed as they are, or are added.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     name: str
    ...     value: float | None
    ...     ends: tuple[int, int]
    >>> fields(Pair, "ends")
    {'name': {'type': 'string'}, 'value': {'anyOf': [{'type': 'number'}, {'type': 'null'}]}}
    """
    kept = {name: kind for name, kind in made.__annotations__.items() if name not in without and name not in other}
    hints = get_type_hints(made) if kept else {}
    return {name: typed(hints[name]) for name in kept} | other


def typed(kind: Any) -> Schema:
    """The shape of the values of a type, as JSON has them."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    made, parts = get_origin(kind), get_args(kind)
    if made in (Union, UnionType):
        return either(*map(typed, parts))
    if made is tuple and parts[-1] is not Ellipsis:
        return row(*map(typed, parts))
    if isinstance(made, type) and issubclass(made, Mapping):
        return by_name(typed(parts[1]))
    if isinstance(made, type) and issubclass(made, Sequence | frozenset):
        return many(typed(parts[0]))
    raise TypeError(f"no shape for {kind}")
