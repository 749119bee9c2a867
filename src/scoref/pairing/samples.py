"""Several answers of one model to each document: the n-th answers to all documents are a run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from .. import formats
from ..document.document import Document
from ..formats import How
from ..formats.looks import BEGINNING
from ..problems import Error, Problems


class Sampled(NamedTuple):
    """A run in a file of several answers to each document: the file, and which answer counts, from 1 on."""

    path: str
    number: int


def sampled(path: str | os.PathLike[str], how: How) -> list[Sampled]:
    """The runs in a file that has several answers to a document; none for any other file."""
    name = os.fspath(path)
    if not os.path.isfile(name):
        return []
    with suppress(Error, OSError):  # whoever scores the file says what is wrong with it
        found = formats.named(how.format) if how.format else _looks(name, how)
        if "responses" in found.traits:
            _, documents = formats.read_source(how.source(name, "response"), found.name, Problems("skip"))
            return [Sampled(name, number) for number in range(1, len(samples(documents)) + 1)]
    return []


def _looks(path: str, how: How) -> formats.Format:
    """The format of a file by its beginning, so that no large file is read twice."""
    with open(path, "rb") as file:
        beginning = file.read(BEGINNING)
    whole = beginning.startswith((b"\x1f\x8b", b"["))  # packed, or one value over many lines
    return formats.detect(how.source(path, "response", None if whole else beginning))


def samples(documents: Sequence[Document]) -> list[list[Document]]:
    """The runs of answers in a list, if some documents have several; none if each has one.

    >>> from scoref import answer
    >>> replies = [answer("[]", "a"), answer("{}", "a"), answer("[[]]", "b")]
    >>> [[each.id for each in run] for run in samples(replies)]
    [['a', 'b'], ['a']]
    """
    if not documents or any(each.origin.reply is None or not each.id for each in documents):
        return []
    most = max(Counter(each.id for each in documents).values())
    return [nth(documents, number) for number in range(1, most + 1)] if most > 1 else []


def nth(documents: Iterable[Document], number: int) -> list[Document]:
    """The n-th of the documents of each name."""
    seen: Counter[str] = Counter()
    found = []
    for each in documents:
        seen[each.id] += 1
        if seen[each.id] == number:
            found.append(each)
    return found
