"""Everything a document holds as plain JSON values, and back: what JSON lines have no key of their own for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..model import Bridge, Document, Mention, position, word_of

_PLAIN = Document("")


def is_plain(document: Document) -> bool:
    """Whether clusters of spans and sentences say all that the document holds."""
    parts = ("comments", "sets", "nonreferring", "bridges", "relations", "deixis")
    bare = all(getattr(document, part) == getattr(_PLAIN, part) for part in parts) and not document.columns
    return bare and all(mention == Mention(mention.span, mention.entity) for mention in document.mentions)


def to_record(document: Document) -> dict[str, Any]:
    """The document without its name, words and sentences, as JSON values; empty parts are left out."""
    record = {
        "mentions": [_mention(mention) for mention in document.mentions],
        "sets": [[entity, list(members)] for entity, members in document.sets.items()],
        "nonreferring": sorted(document.nonreferring, key=str),
        "bridges": [[each.anaphor, each.antecedent, dict(each.attributes)] for each in document.bridges],
        "columns": {name: list(cells) for name, cells in document.columns.items()},
        "comments": [list(comment) for comment in document.comments],
        "relations": [[name, id, list(ends)] for name, id, ends in document.relations],
        "deixis": to_record(document.deixis) if document.deixis else None,
    }
    return {name: value for name, value in record.items() if value}


def from_record(record: dict[str, Any], document: Document) -> Document:
    """The document that the record describes, with the name, words and sentences of `document`.

    What is no such record raises KeyError, TypeError, ValueError or AttributeError.
    """
    deixis = record.get("deixis")
    mentions = tuple([_read_mention(each) for each in record.get("mentions", [])])
    bridges = tuple([Bridge(a, b, tuple(attributes.items())) for a, b, attributes in record.get("bridges", [])])
    if any(not 0 <= end < len(mentions) for bridge in bridges for end in bridge[:2]):
        raise ValueError("a bridge to a mention that is not there")
    made = Document(
        document.id,
        document.words,
        mentions,
        document.sentences,
        {name: [str(cell) for cell in cells] for name, cells in record.get("columns", {}).items()},
        tuple([(int(word), str(text)) for word, text in record.get("comments", [])]),
        {_name(entity): tuple([_name(member) for member in members]) for entity, members in record.get("sets", [])},
        frozenset(map(_name, record.get("nonreferring", []))),
        bridges=bridges,
        relations=tuple([(str(name), str(id), tuple(ends)) for name, id, ends in record.get("relations", [])]),
        deixis=from_record(deixis, document) if deixis else None,
        origin=document.origin,
    )
    hash(made.mentions)
    return made


def _mention(mention: Mention) -> dict[str, Any]:
    record = {
        "span": _places(mention.span),
        "entity": mention.entity,
        "id": mention.id,
        "minimum": _places(mention.minimum),
        "attributes": dict(mention.attributes),
        "head": _places((mention.head,))[0] if mention.head is not None else None,
        "parents": [[place, relation] for place, relation in mention.parents],
    }
    return {name: value for name, value in record.items() if value not in (None, [], {})}


def _read_mention(record: dict[str, Any]) -> Mention:
    attributes = tuple([(str(name), str(value)) for name, value in record.get("attributes", {}).items()])
    head = record.get("head")
    return Mention(
        _read_places(record.get("span", [])),
        _name(record["entity"]),
        _name(record.get("id")),
        _read_places(record.get("minimum", [])),
        attributes,
        _read_places([head])[0] if head is not None else None,
        tuple([(int(place), str(relation)) for place, relation in record.get("parents", [])]),
    )


def _places(places: tuple[int, ...]) -> list[int | list[int]]:
    """A word as its number, an empty node as the number of its word and its own."""
    return [[word_of(place), place & 255] if place & 255 else word_of(place) for place in places]


def _read_places(places: list[int | list[int]]) -> tuple[int, ...]:
    return tuple([position(place) if isinstance(place, int) else position(place[0], place[1]) for place in places])


def _name(value: Any) -> Hashable:
    if not isinstance(value, str | int | None):
        raise TypeError("a name that is neither a string nor a number")
    return value
