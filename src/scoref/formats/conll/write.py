"""Writes CoNLL files."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from itertools import chain, pairwise

from ...document.document import Document, word_of
from ...document.grouping import TEXTS
from ..columnar import columns_of, intact, rows, woven
from ..source import refusal, size_of
from .brackets import ID
from .lines import COLUMNS

_OPENING, _SINGLE, _CLOSING = range(3)  # the order of brackets in a cell
_WRITABLE = re.compile(r"[^\x00-\x20]+")
_BLANKS = bytes(range(0x21))


def write(documents: list[Document]) -> str:
    """Documents as the text of a CoNLL file: five columns, or twelve and more where the documents have them."""
    return "".join(map(_written, documents))


def _written(document: Document) -> str:
    words = list(document.words) or ["_"] * size_of(document)
    header = re.fullmatch(r"\((.*)\); part (\d+)", document.id)
    name, part = (header[1], header[2].lstrip("0") or "0") if header else (document.id, "0")
    name = re.sub(r"[\s#]", "_", name) or "_"
    if document.id != document.id.strip() or min(document.id, default=" ") < " ":
        message = "a document name with line breaks, or with blanks around it, cannot be written as CoNLL"
        remedy = "rename the document, or choose another format"
        raise refusal(document, "unwritable-name", message, text=document.id, remedy=remedy)
    size = len(words)
    lines = rows([_rows(document, words, name, part), _cells(document, size)], size)
    blank = {start: [""] for start in (*document.sentences, size) if 0 < start <= size}
    return "\n".join([f"#begin document {document.id}", *woven(lines, blank), "#end document\n"])


def _rows(document: Document, words: Sequence[str], name: str, part: str) -> list[str]:
    """The line of each word, without its brackets."""
    size = len(words)
    known = {column: tuple(cells)[:size] for column, cells in columns_of(document).items() if len(cells)}
    starts = sorted({0, size, *(start for start in document.sentences if start < size)})
    numbers = [str(number) for start, end in pairwise(starts) for number in range(end - start)]
    texts = [re.sub(r"[\s#]", "_", text) for text in known[TEXTS]] if TEXTS in known else name
    columns: list[Sequence[str] | str] = [texts, part, numbers, words]
    if known.keys() & {*COLUMNS}:
        columns += [known.get(column, "-") for column in COLUMNS]
    found, number = rows(columns, size), size * len(columns)
    more = [tuple(cell.split(" ")) if cell else () for cell in known.get("arguments", ())]  # several cells, or none
    if any(more):
        found = ["\t".join((row, *cells)) for row, cells in zip(found, more, strict=True)]
        number += sum(map(len, more))
    if not (all(map(all, (*columns, *more))) and intact(found, number, _BLANKS)):
        several = zip(*(column for column in columns if not isinstance(column, str)), strict=True)
        cells = zip(words, several, more or [()] * size, strict=True)
        word = next(word for word, *each in cells if not all(map(_WRITABLE.fullmatch, chain(*each))))
        message = "an empty word, or one with a blank, cannot be written as CoNLL"
        raise refusal(document, "unwritable-word", message, text=word)
    return found


def _cells(document: Document, size: int) -> list[str]:
    """The brackets of each word: first those that open, then those of single words, then those that close.

    With repeated mentions scores may depend on the order of brackets; the order of the document is kept.
    """
    repeated = document.repeats()
    brackets: dict[int, list[tuple[int, int, str, str]]] = {}  # of each word: two sort keys, the entity, the bracket
    before: dict[str, list[int]] = {}
    names: dict[str, Hashable] = {}
    numbered = enumerate(document.mentions)
    for number, mention in sorted(numbered, key=lambda each: (tuple(each[1].span[:1]), -len(each[1].span))):
        span, entity = mention.span, str(mention.entity)
        if not isinstance(span, range) or word_of(span[-1]) >= size:
            message = "a mention that is not a stretch of words cannot be written as CoNLL"
            raise refusal(document, "unwritable-mention", message, mention)
        fits = entity in names or (mention.entity is not None and re.fullmatch(ID, entity))
        if not fits or names.setdefault(entity, mention.entity) != mention.entity:  # as 1 and "1"
            message = f"the entity name '{entity}' cannot be written as CoNLL"
            raise refusal(document, "unwritable-entity", message, mention)
        start, end = word_of(span[0]), word_of(span[-1])
        if start == end:
            brackets.setdefault(start, []).append((_OPENING if repeated else _SINGLE, number, "", f"({entity})"))
            continue
        ends = before.setdefault(entity, [])
        while ends and ends[-1] < start:
            ends.pop()
        if ends and end > ends[-1]:
            message = "two crossing mentions of one entity cannot be written as CoNLL"
            raise refusal(document, "crossing-mentions", message, mention)
        ends.append(end)
        last = f"{number:012}" if repeated else entity
        brackets.setdefault(start, []).append((_OPENING, number if repeated else -end, entity, f"({entity}"))
        brackets.setdefault(end, []).append((_CLOSING, -start, last, f"{entity})"))
    cells = ["-"] * size
    for word, each in brackets.items():
        cells[word] = "|".join([bracket for *_, bracket in sorted(each)])
    return cells
