"""Documents as JSON lines: clusters of spans, and under the key `scoref` whatever else is known of a document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise

from ...document.document import Bridge, Document, Mention, Span, position, stretch, word_of
from ...document.spans import is_stretch
from ..columnar import columns_of
from ..source import OTHER_FORMAT, refusal
from .shapes import Record

UNITS = ("characters", "tokens")  # what a reader may say that positions count
_PLAIN = Document("")
_EMPTY = 255  # the highest number of an empty node
_SHORT = 10  # stretches of at most so many words are listed word by word
_STRETCH = -1  # the third number in a list that means a stretch
_FARTHEST = 1 << 48  # limit of word numbers in a document without words


def write(documents: list[Document]) -> str:
    """Documents as JSON lines with inclusive ends."""
    return "".join(json.dumps(_json(document), ensure_ascii=False) + "\n" for document in documents)


def _json(document: Document) -> Record:
    _refuse_mentions(document)
    stretches: dict[Hashable, list[list[int]]] = {entity: [] for entity in document.names}
    for span, entity in zip(document.mentions.spans, document.mentions.entities, strict=True):
        if is_stretch(span):
            stretches[entity].append([word_of(span[0]), word_of(span[-1])])
    record: Record = {"doc_key": document.id, "ends": "inclusive"}
    words = list(document.words)
    if words:
        starts = sorted({0, *document.sentences, len(words)})
        record["sentences"] = [words[start:end] for start, end in pairwise(starts)]
    record["clusters"] = list(stretches.values())
    if list(stretches) != list(range(len(stretches))):
        record["entities"] = list(stretches)
    stretched = all(map(is_stretch, document.mentions.spans))
    if not is_plain(document) or not stretched or document.repeats():  # clusters cannot say which copy comes first
        record["scoref"] = to_record(document)
    return record


def _refuse_mentions(document: Document) -> None:
    """Refuse mentions without positions or beyond the words, and entity names that JSON would change."""
    size = len(document.words)
    named = {*map(type, document.mentions.entities)} <= {str, int}
    for mention in document.mentions:
        code, remedy = "unwritable-mention", OTHER_FORMAT
        if not mention.span:
            message = "a mention without positions"
            remedy = "choose a format of names without positions: clusters or table"
        elif size and word_of(mention.span[-1]) >= size:
            message = "a mention that ends behind the document"
        elif not named and type(mention.entity) not in (str, int):
            code, message = "unwritable-entity", "an entity whose name is neither text nor number"
        else:
            continue
        raise refusal(document, code, f"{message} cannot be written as JSONL", mention, remedy=remedy)


def is_plain(document: Document) -> bool:
    """Whether clusters and sentences alone can represent the document."""
    parts = ("comments", "sets", "nonreferring", "bridges", "relations", "deixis")
    bare = all(getattr(document, part) == getattr(_PLAIN, part) for part in parts) and not document.columns
    bare = bare and _unit(document) is None
    return bare and all(mention == Mention(mention.span, mention.entity) for mention in document.mentions)


def _unit(document: Document) -> str | None:
    """What the positions of a document without words count, if its reader said so."""
    return None if document.words else document.origin.unit


def to_record(document: Document) -> Record:
    """The document without its name, words and sentences, as JSON values; empty parts are left out."""
    record = {
        "mentions": [_mention(mention) for mention in document.mentions],
        "sets": [[entity, list(members)] for entity, members in document.sets.items()],
        "nonreferring": sorted(document.nonreferring, key=str),
        "bridges": [[each.anaphor, each.antecedent, dict(each.attributes)] for each in document.bridges],
        "columns": {name: list(cells) for name, cells in columns_of(document).items()},
        "comments": [list(comment) for comment in document.comments],
        "relations": [[name, id, list(ends)] for name, id, ends in document.relations],
        "deixis": to_record(document.deixis) if document.deixis else None,
        "unit": _unit(document),
    }
    return {name: value for name, value in record.items() if value}


def from_record(record: Record, document: Document) -> Document:
    """The document that the record describes, with the name, words and sentences of `document`.

    A malformed record raises KeyError, TypeError, ValueError, AttributeError or IndexError.
    """
    deixis, unit = record.get("deixis"), record.get("unit")
    if unit not in (None, *UNITS):
        raise ValueError(f"{str(unit)[:40]} is no unit of positions: {' or '.join(UNITS)}")
    size = len(document.words) or _FARTHEST
    mentions = tuple([_read_mention(each, size) for each in record.get("mentions", [])])
    bridges = tuple([Bridge(a, b, tuple(attributes.items())) for a, b, attributes in record.get("bridges", [])])
    if any(type(end) is not int or not 0 <= end < len(mentions) for bridge in bridges for end in bridge[:2]):
        raise ValueError("a bridge to a mention that is not there")
    columns = {name: [str(cell) for cell in cells] for name, cells in record.get("columns", {}).items()}
    if document.words and any(len(cells) != size for name, cells in columns.items() if name != "text"):
        raise ValueError("a column with more or fewer cells than there are words")
    if deixis and "deixis" in deixis:
        raise ValueError("deixis within deixis")
    described = replace(
        document,
        mentions=mentions,
        columns=columns,
        comments=tuple([(_number(word, 0, size), str(text)) for word, text in record.get("comments", [])]),
        sets={_name(entity): tuple([_name(each) for each in members]) for entity, members in record.get("sets", [])},
        nonreferring=frozenset(map(_name, record.get("nonreferring", []))),
        bridges=bridges,
        relations=tuple([_relation(*each) for each in record.get("relations", [])]),
        deixis=from_record(deixis, document) if deixis else None,
        origin=document.origin._replace(unit=unit),
    )
    hash((described.mentions, described.bridges, described.relations))  # raises TypeError if one cannot be hashed
    return described


def difference(described: Document, public: Document, entities: list[Hashable]) -> str | None:
    """How the document under the key `scoref` first differs from that of the public keys; None if they agree.

    Compared are the names of all `entities` and the mentions that are stretches of words, in any order.
    """
    ours = Counter((each.span, each.entity) for each in described.mentions if each.span and is_stretch(each.span))
    theirs = Counter((each.span, each.entity) for each in public.mentions)
    pairs = (ours, theirs, "scoref, but not in clusters"), (theirs, ours, "clusters, but not in scoref")
    for left, right, where in pairs:
        for span, entity in left - right:
            return f"words {word_of(span[0])} to {word_of(span[-1])} are a mention of entity {entity!r} in {where}"
    names = set(described.entities()) ^ set(entities)
    return f"entity {min(map(str, names))[:40]} in one of scoref and clusters only" if names else None


def _mention(mention: Mention) -> Record:
    span, entity, id, minimum, attributes, head, parents = mention
    record: Record = {"span": _places(span)} if span else {}
    if entity is not None:
        record["entity"] = entity
    if id is not None:
        record["id"] = id
    if minimum:
        record["minimum"] = _places(minimum)
    if attributes:
        record["attributes"] = dict(attributes)
    if head is not None:
        record["head"] = _places((head,))[0]
    if parents:
        record["parents"] = [[place, relation] for place, relation in parents]
    return record


def _read_mention(record: Record, size: int) -> Mention:
    attributes = tuple([(str(name), str(value)) for name, value in record.get("attributes", {}).items()])
    head, last = record.get("head"), position(size - 1, _EMPTY)
    return Mention(
        _read_places(record.get("span", []), size),
        _name(record["entity"]),
        _name(record.get("id")),
        _read_places(record.get("minimum", []), size),
        attributes,
        _read_places([head], size)[0] if head is not None else None,
        tuple([(_number(place, position(-1), last), str(name)) for place, name in record.get("parents", [])]),
    )


def _places(places: Span) -> list[int | list[int]]:
    """A word as its number, an empty node as the number of its word and its own, a stretch of words by its ends."""
    if is_stretch(places):
        first, last = word_of(places[0]), word_of(places[-1])
        return [*range(first, last + 1)] if last - first < _SHORT else [[first, last, _STRETCH]]
    return [[word_of(place), place & 255] if place & 255 else word_of(place) for place in places]


def _relation(name: object, id: object, ends: list[object]) -> tuple[str, str, tuple[str, ...]]:
    return str(name), str(id), tuple([str(_name(end)) for end in ends])


def _read_places(places: list[int | list[int]], size: int) -> Span:
    """The positions; they must be in order and within a text of `size` words."""
    if len(places) == 1 and isinstance(places[0], list) and places[0][2:] == [_STRETCH]:
        first, last = places[0][:2]
        return stretch(_number(first, 0, size - 1), _number(last, first, size - 1))
    found = []
    for place in places:
        word, empty = (place, 0) if not isinstance(place, list) else (place[0], _number(place[1], 1, _EMPTY))
        if isinstance(place, list) and len(place) != 2:
            raise ValueError(f"{place} is no position")
        found.append(position(_number(word, -1 if empty else 0, size - 1), empty))
    if any(first >= second for first, second in pairwise(found)):
        raise ValueError("positions that are not in order")
    return tuple(found)


def _number(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{str(value)[:40]} is no position of this text")
    return value


def _name(value: object) -> Hashable:
    if type(value) not in (str, int, type(None)):
        raise TypeError("a name that is neither a string nor a number")
    return value
