"""Writes CoNLL files."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, pairwise

from ...document.document import Document, word_of
from ...document.grouping import TEXTS
from ...document.spans import text_order
from ..columnar import columns_of
from ..source import refusal, size_of
from .brackets import ID
from .lines import COLUMNS

_WORD = 3  # the column of the word
_OPENING, _SINGLE, _CLOSING = range(3)  # the order of brackets in a cell
_WRITABLE = re.compile(r"[^\x00-\x20]+")


def write(documents: list[Document]) -> str:
    """Documents as the text of a CoNLL file: five columns, or twelve and more where the documents have them."""
    return "".join(line + "\n" for document in documents for line in _written(document))


def _written(document: Document) -> Iterator[str]:
    words = list(document.words) or ["_"] * size_of(document)
    header = re.fullmatch(r"\((.*)\); part (\d+)", document.id)
    name, part = (header[1], header[2].lstrip("0") or "0") if header else (document.id, "0")
    name = re.sub(r"[\s#]", "_", name) or "_"
    if document.id != document.id.strip() or min(document.id, default=" ") < " ":
        message = "a document name with line breaks, or with blanks around it, cannot be written as CoNLL"
        remedy = "rename the document, or choose another format"
        raise refusal(document, "unwritable-name", message, text=document.id, remedy=remedy)
    rows = _rows(document, words, name, part)
    cells = _cells(document, len(words))
    starts = set(document.sentences or (0,))
    yield f"#begin document {document.id}"
    for index, (row, cell) in enumerate(zip(rows, cells, strict=True)):
        if index and index in starts:
            yield ""
        yield f"{row}\t{cell}"
    yield from ("", "#end document") if words else ("#end document",)


def _rows(document: Document, words: Sequence[str], name: str, part: str) -> list[str]:
    """The line of each word, without its brackets."""
    size = len(words)
    known = {column: tuple(cells)[:size] for column, cells in columns_of(document).items() if len(cells)}
    starts = sorted({0, size, *(start for start in document.sentences if start < size)})
    numbers = [str(number) for start, end in pairwise(starts) for number in range(end - start)]
    texts = [re.sub(r"[\s#]", "_", text) for text in known[TEXTS]] if TEXTS in known else [name] * size
    columns: list[Sequence[str]] = [texts, (part,) * size, numbers, words]
    if known.keys() & {*COLUMNS}:
        columns += [known.get(column, ("-",) * size) for column in COLUMNS]
    if "arguments" in known:  # several cells, or none
        pieces = [cell.split(" ") if cell else [] for cell in known["arguments"]]
        rows = [[*row, *more] for *row, more in zip(*columns, pieces, strict=True)]
    else:
        rows = [*map(list, zip(*columns, strict=True))]
    if not all(map(_WRITABLE.fullmatch, {*chain.from_iterable(rows)})):
        word = next(row[_WORD] for row in rows if not all(map(_WRITABLE.fullmatch, row)))
        message = "an empty word, or one with a blank, cannot be written as CoNLL"
        raise refusal(document, "unwritable-word", message, text=word)
    return [*map("\t".join, rows)]


def _cells(document: Document, size: int) -> list[str]:
    """The brackets of each word: first those that open, then those of single words, then those that close.

    With repeated mentions scores may depend on the order of brackets; the order of the document is kept.
    """
    repeated = document.repeats()
    brackets: list[list[tuple[int, int, str, str]]] = [[] for _ in range(size)]  # two sort keys, then the bracket
    before: dict[str, list[int]] = {}
    names: dict[str, Hashable] = {}
    numbered = enumerate(document.mentions)
    for number, mention in sorted(numbered, key=lambda each: (text_order(each[1].span)[:1], -len(each[1].span))):
        entity = str(mention.entity)
        start, end = (word_of(place) for place in (mention.span[0], mention.span[-1])) if mention.span else (0, -1)
        if not mention.span or not isinstance(mention.span, range) or end >= size:
            message = "a mention that is not a stretch of words cannot be written as CoNLL"
            raise refusal(document, "unwritable-mention", message, mention)
        same = names.setdefault(entity, mention.entity) == mention.entity  # not so for 1 and "1"
        if mention.entity is None or not same or not re.fullmatch(ID, entity):
            message = f"the entity name '{entity}' cannot be written as CoNLL"
            raise refusal(document, "unwritable-entity", message, mention)
        if start == end:
            brackets[start].append((_OPENING if repeated else _SINGLE, number, "", f"({entity})"))
            continue
        ends = before.setdefault(entity, [])
        while ends and ends[-1] < start:
            ends.pop()
        if ends and end > ends[-1]:
            message = "two crossing mentions of one entity cannot be written as CoNLL"
            raise refusal(document, "crossing-mentions", message, mention)
        ends.append(end)
        brackets[start].append((_OPENING, number if repeated else -end, entity, f"({entity}"))
        brackets[end].append((_CLOSING, -start, f"{number:012}" if repeated else entity, f"{entity})"))
    return ["|".join(text for *_, text in sorted(cell)) or "-" for cell in brackets]
