"""JSON records with clusters of spans, as coreference models read and write them: JSON lines, one object, or an array.

| keys | convention |
|---|---|
| `doc_key`, `id`, `document_id` or `doc_id`; `part_id` or `part` | the document's name, and the number of its part |
| `sentences` (lists of words), or `tokens`, `cased_words` or `document` (one list) | the words, optional |
| `text` | the text, in records without words: spans are then characters, ends excluded |
| one of `SHAPES` in `shapes.py` | the entities |
| `subtoken_map` | the word of each subtoken: spans count subtokens and are mapped back |
| `ends` | `"inclusive"` or `"exclusive"` ends; the writer adds it |
| `entities` | names of the clusters, if they have any |
| `corefs`; `relations` beside `spans` or `entities` | what CoreNLP, Prodigy and Doccano write: see `tools.py` |
| `topic`, `subtopic` | the group of documents that it belongs to |
| `scoref` | all that other formats know of the document: discontinuous mentions, zeros, sets, bridges, columns, ... |

The key `scoref` must agree with the public keys, which a model may have changed and which decide.

Whether ends are included is never guessed: the shape, the file or the caller says it, and spans that do not fit are an
error.

If no document of a file has a name, they are numbered, and paired with those of the other side in order.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice
from sys import intern
from typing import TYPE_CHECKING

import numpy as np

from ...document.document import Document, Integers, Mention, Origin, word_of
from ...problems import Problems, Reporter
from ..source import ENDS, PREDICTIONS, SKIP, Misread, Source, is_new
from .shapes import NAMES, PARTS, PREDICTED, SHAPES, Record, Shape, listed_mentions, loads, plain_mentions, text_of
from .write import difference, from_record

if TYPE_CHECKING:
    from mmap import mmap

_FIELDS = ("topic", "subtopic")  # kept as comments of the document


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a JSON file."""
    report = Reporter(problems, source.name, remedy=SKIP)
    names: dict[str, int] = {}
    predicted: bool | None = None
    numbered: bool | None = None
    alone, parts = records(source.data)
    for place, (number, text) in enumerate(parts, 1):
        name = None
        try:
            record = record_of(text) if isinstance(text, str) else text
            if "relations" in record or "corefs" in record:
                from .tools import translated  # rarely needed

                record = translated(record)
            name = _name(record)
            if numbered is None:
                numbered = name is None and not alone
            name = _numbered(name, place) if numbered else _named(name, alone)
            if not is_new(name, number, names, report.of(name)):
                continue
            if source.side == "response":
                has = PREDICTED.key in record
                if predicted not in (None, has):
                    message = "some documents have predicted_clusters, some have not"
                    raise Misread("mixed-clusters", message, name, "predicted_clusters in every line or in none")
                predicted = has
            document = document_of(record, name, number, source, problems)
            yield replace(document, origin=document.origin._replace(numbered=True)) if numbered else document
        except Misread as misread:
            misread.report_to(report.of(name), number)


def records(data: bytes) -> tuple[bool, Iterable[tuple[int, str | Record]]]:
    """Whether there is one record only, and the records with their lines.

    They are the values of an array, the one object of the file, else its lines as text.
    """
    (number, first), *more = [*islice(_lines(data), 2)] or [(1, data.decode())]
    alone = not more
    if first.lstrip()[:1] == "{" and (alone or first.rstrip()[-1] == "}"):
        return alone, _lines(data)
    try:
        value = loads(data.decode())
    except ValueError:
        return alone, _lines(data)  # so that the malformed line is reported
    values = value if isinstance(value, list) else [value]
    return len(values) == 1, [(number, each if isinstance(each, dict) else json.dumps(each)) for each in values]


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(BytesIO(data), 1):
        text = line.decode().removesuffix("\n")
        if text.strip():
            yield number, text


def record_of(text: str) -> Record:
    """The object of a line."""
    try:
        record = loads(text)
    except ValueError as reason:
        raise Misread("bad-json", f"not JSON: {reason}", text[:100], "one JSON object a line") from None
    if not isinstance(record, dict):
        raise Misread("bad-json", "not a JSON object", text[:100], "one JSON object a line")
    return record


def _name(record: Record) -> str | None:
    """The name of a document, if it has one."""
    name, part = said(record, NAMES), said(record, PARTS) or ""
    return f"({name}); part {int(part):03}" if part.isdecimal() and len(part) <= 18 and name else name


def _named(name: str | None, alone: bool) -> str:
    """The name of a document in a file with names; the only one of a file needs none."""
    if name is None and not alone:
        raise Misread("unnamed-document", "a document without a name", None, f"one of the keys {', '.join(NAMES)}")
    return name or ""


def _numbered(name: str | None, place: int) -> str:
    """The name of a document in a file without names: its number in the file."""
    if name is not None:
        expected = f"one of the keys {', '.join(NAMES)} in all documents, or in none"
        raise Misread("unnamed-document", "documents without names before one that has a name", name, expected)
    return str(place)


def said(record: Record, keys: Iterable[str]) -> str | None:
    """The value of the first of these keys that has a text or number in the record."""
    return next((str(record[key]) for key in keys if type(record.get(key)) in (str, int)), None)


def _shape(record: Record, name: str, side: str) -> Shape:
    """The shape of a record: that of the first key it has."""
    if side == PREDICTIONS and PREDICTED.key not in record:
        message = "a document without predicted_clusters, and no other file with the response"
        raise Misread("no-response", message, name, "predicted_clusters beside clusters, or a second file")
    known = SHAPES if side == "key" else (PREDICTED, *SHAPES)
    for shape in known:
        if record.get(shape.key) is not None:
            return shape
    keys = ", ".join(shape.key for shape in known)
    raise Misread("no-clusters", "a document without clusters", name, f"one of the keys {keys}")


def document_of(record: Record, name: str, line: int, source: Source, problems: Problems) -> Document:
    """The document of a record; raises `Misread` if it is malformed."""
    shape = _shape(record, name, source.side)
    text = text_of(record, shape)
    usual = "exclusive" if text.characters is not None else source.ends
    ends = shape.ends or record.get("ends", usual)
    if ends not in ENDS:
        raise Misread("bad-ends", "ends that are neither inclusive nor exclusive", str(ends), "inclusive or exclusive")
    shape = shape._replace(ends=ends)
    chains = record[shape.key]
    if not isinstance(chains, list | tuple):
        message = f"{shape.key} that are not a list of clusters"
        raise Misread("bad-clusters", message, name, "[[[start, end], ...], ...]")
    entities: Sequence[Hashable] = range(len(chains))
    if "entities" in record and shape.key != PREDICTED.key:
        entities = _entities(record["entities"], len(chains))
    mentions: Sequence[Mention] | None = plain_mentions(chains, entities, shape, text)
    if mentions is None:
        report = Reporter(problems, source.name, name, SKIP)
        mentions = tuple(listed_mentions(record, entities, shape, text, report, line))
        _check_strings(record, shape, text.characters, mentions)
    columns = {"text": [text.characters]} if text.characters is not None else {}
    comments = [(0, f"# {field} = {record[field]}") for field in _FIELDS if type(record.get(field)) in (str, int)]
    origin = Origin(source.name, line)
    document = Document(name, text.words or (), mentions, text.sentences, columns, tuple(comments), origin=origin)
    if "scoref" not in record or shape.key != "clusters":
        return document
    return _described(record["scoref"], document, [*entities])


def _described(record: Record, document: Document, entities: list[Hashable]) -> Document:
    """The document with everything under the key `scoref`, which must agree with the public keys."""
    try:
        described = from_record(record, document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as reason:
        message = f"a description of the document that cannot be used: {reason}"
        raise Misread("bad-record", message, None, "the key scoref as scoref writes it") from None
    if found := difference(described, document, entities):
        expected = "a key scoref that agrees with clusters, or none: clusters alone are then read"
        raise Misread("different-record", "the keys clusters and scoref say different things", found, expected)
    return described


def _check_strings(record: Record, shape: Shape, characters: str | None, mentions: Sequence[Mention]) -> None:
    """Compare mentions with the strings that fastcoref writes beside its clusters of characters."""
    strings = record.get("clusters_strings")
    if shape.key != "clusters" or not isinstance(strings, list | tuple) or characters is None:
        return
    there = [each for chain in strings if isinstance(chain, list | tuple) for each in chain]
    for mention, string in zip(mentions, there, strict=False):
        text = characters[word_of(mention.span[0]) : word_of(mention.span[-1]) + 1]
        if text != string:
            message = "clusters_strings that are not the text at these offsets"
            raise Misread("different-text", message, str(string), text)


def _entities(names: object, size: int) -> list[str | int]:
    """The names of the clusters, checked; interned, as many documents may have the same names."""
    if not isinstance(names, list) or not {*map(type, names)} <= {str, int}:
        raise Misread("bad-entities", "entities that are not a list of names", None, '["name", ...]')
    if not len(names) == len(set(names)) == size:
        expected = f"{size} different names, one for each cluster"
        raise Misread("bad-entities", "entities that are not the names of the clusters", None, expected)
    return [intern(name) if isinstance(name, str) else name for name in names]


def borders(key: bytes | mmap, response: bytes | mmap, number: int) -> list[tuple[int, int]]:
    """Where to split both files, at the same lines, into parts of similar size; none if the numbers of lines differ."""
    ours, theirs = map(_starts, (key, response))
    if len(ours) != len(theirs) or not len(ours):
        return []
    whole = len(key) + len(response)
    places = {int(np.searchsorted(ours + theirs, whole * part / number)) for part in range(1, number)}
    return [(int(ours[place]), int(theirs[place])) for place in sorted(places - {0, len(ours)})]


def _starts(data: bytes | mmap) -> Integers:
    """Where documents begin, one a line; none if some need several lines, or if lines depend on one another."""
    if data.find(b"predicted_clusters") >= 0:
        return np.zeros(0, np.int64)
    letters = np.frombuffer(data, np.uint8)
    ends = np.append(np.flatnonzero(letters == ord("\n")), len(letters))
    begins = np.append(0, ends[:-1] + 1)
    begins, ends = begins[begins < ends], ends[begins < ends]
    whole = (letters[begins] == ord("{")) & (letters[ends - 1] == ord("}"))
    return begins if whole.all() else begins[:0]
