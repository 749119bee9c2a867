"""Groups of documents and of entities: by name, text, genre, comments, size, extent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, TypeVar

from ..problems import Error
from .document import Document, Mention, word_of

Name = TypeVar("Name", bound=Hashable)


def read_ahead(documents: Iterable[Document], *names: str) -> None:
    """Have columns of many documents cut out of their files at once, which is faster than one after the other."""
    kind: Any  # only columns of files know how
    for kind, every in groupby((document.columns for document in documents), type):
        if hasattr(kind, "read_ahead"):
            kind.read_ahead([*every], *names)


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names, with a number added to repeated ones: a, b, a (2)."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


DOCUMENT_FIELDS = ("document", "text", "dataset", "genre")
MENTION = "mention:"  # what fields of mentions begin with, where fields of documents and entities may be meant

# `(bn/cnn/02/cnn_0210); part 001`, or `bn/cnn/02/cnn_0210_1` as models that read OntoNotes call it
PART = r"(?s)^(.+(?=; part \d+(?:; words \d+-\d+)?$)|.+(?=; words \d+-\d+$)|.+/[\w.]+_\d{4}(?=_\d+$)).*$"
_COMMENT = r"#\s*(?:meta::)?([\w.-]+)\s*=\s*(.*\S)"


def comments(document: Document) -> dict[str, str]:
    """The fields in the comments at the beginning of a document, like `# topic = 36`."""
    found = [re.match(_COMMENT, text) for place, text in document.comments if place == 0]
    return {match[1]: match[2] for match in reversed(found) if match}


def grouped(names: Iterable[Name]) -> dict[Name, list[int]]:
    """The indices of each name, names in the order of their first occurrence."""
    found: dict[Name, list[int]] = {}
    for number, name in enumerate(names):
        found.setdefault(name, []).append(number)
    return found


def genre(document: str) -> str:
    """The genre that a document's name tells: what stands before the first `/`, else behind the first `_`.

    >>> genre("(bn/cnn/02/cnn_0210); part 000"), genre("GUM_academic_exposure"), genre("novel")
    ('bn', 'academic', 'novel')
    """
    name = document.lstrip("(")
    if "/" in name:
        return name.split("/")[0]
    parts = name.split("_")
    return parts[1] if len(parts) > 2 else parts[0]


def labelled(
    field: str, names: Sequence[str], datasets: Sequence[str], fields: Sequence[Mapping[str, str]]
) -> tuple[str, ...]:
    """The label of each document for a field: document, text, genre, dataset, or one of the comments in `fields`."""
    known = {
        "document": tuple(names),
        "text": tuple(re.sub(PART, r"\1", name) for name in names),
        "genre": tuple(map(genre, names)),
        "dataset": tuple(datasets),
    }
    if field in known:
        return known[field]
    if len(fields) != len(names) or not any(field in own for own in fields):
        there = ", ".join([*known, *sorted({name for own in fields for name in own})])
        raise Error("unknown-field", f"no document has the field '{field}'", expected=f"one of {there}")
    missing = [name for name, own in zip(names, fields, strict=True) if field not in own]
    if missing:
        message = f"{len(missing)} documents lack the field '{field}'"
        expected = f"a comment # {field} = ... in each document"
        raise Error("unknown-field", message, document=missing[0], expected=expected)
    return tuple(own[field] for own in fields)


TEXTS = "document"  # the column that names the text of each word, where a document is several texts joined
_NUMBERED = r"(.+)_\d+"


def parts(document: Document) -> list[str] | None:
    """For each mention the text that it is from, where a document is texts joined; None where it is not.

    Such a *meta document* has a column with the names of its texts, or lines like `NAME_14` in the place of words: the
    name of the text, and a number.

    >>> from scoref import Mention
    >>> words = ["monday_3", "monday_9", "tuesday_2"]
    >>> parts(Document("meta", words, tuple(Mention.at(number, number, "quake") for number in range(3))))
    ['monday', 'monday', 'tuesday']
    """
    found = []
    column = document.columns.get(TEXTS, ())
    for mention in document.mentions:
        word = word_of(mention.span[0]) if mention.span else len(document.words)
        if 0 <= word < len(column):  # an empty node may stand before the first word
            found.append(column[word])
            continue
        match = re.fullmatch(_NUMBERED, document.words[word]) if 0 <= word < len(document.words) else None
        if match is None:
            return None
        found.append(match[1])
    return found


BUCKETS = {"size": (1, 2, 3, 5, 9, 17), "span": (0, 1, 50, 200, 1000, 5000)}


def extent(field: str, mentions: list[Mention]) -> int:
    """The size of an entity, or its span: the words from its first to its last mention."""
    words = [word_of(mention.span[0]) for mention in mentions if mention.span] or [0]
    return len(mentions) if field == "size" else max(words) - min(words)


def bucket(field: str, value: int) -> str:
    """The group that a size or a span (in words) of entities belongs to."""
    bounds = BUCKETS[field]
    return ranges(bounds)[max(index for index, bound in enumerate(bounds) if value >= bound)]


def ranges(bounds: Sequence[int]) -> list[str]:
    """The names of groups of numbers that begin with these.

    >>> ranges((1, 2, 4))
    ['1', '2-3', '4+']
    """
    each = [(low, high - 1) for low, high in pairwise(bounds)]
    return [*(str(low) if low == high else f"{low}-{high}" for low, high in each), f"{bounds[-1]}+"]


def by_number(label: str) -> tuple[int, str]:
    """A key to sort labels by the number that they begin with, else by their letters."""
    digits = label.split("-")[0].rstrip("+")
    return (int(digits), "") if digits.isdecimal() and len(digits) <= 18 else (0, label)
