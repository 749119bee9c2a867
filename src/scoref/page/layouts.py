"""How a file lays out its words: missing blanks, speakers, paragraphs, headings; and the direction of writing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from unicodedata import bidirectional

from ..document.document import UNWRITTEN, Document

_COMMENT = re.compile(r"#\s*([\w.]+)\s*(?:=\s*(.*))?", re.DOTALL)
_PARAGRAPHS = {"newpar", "newpar_block"}
_RIGHT = {"R", "AL"}


class Layout(NamedTuple):
    """By word: those without a blank behind them, who speaks from where, where paragraphs and headings begin."""

    glued: Sequence[int] = ()
    speakers: Sequence[tuple[int, str]] = ()
    paragraphs: Sequence[int] = ()
    headings: Sequence[int] = ()


def layout_of(document: Document) -> Layout:
    """The layout of a document: from its column of speakers, its comments, and `SpaceAfter=No`."""
    comments = [
        (word, str(found[1]), str(found[2] or ""))
        for word, line in document.comments
        if (found := _COMMENT.fullmatch(line))
    ]
    paragraphs = sorted({word for word, name, _ in comments if name in _PARAGRAPHS and word < len(document.words)})
    headings = [word for word, name, value in comments if name in _PARAGRAPHS and re.search(r"\bhead", value)]
    said = [(word, value) for word, name, value in comments if name == "speaker" and value]
    texts = [(word, value) for word, name, value in comments if name == "text" and value]
    return Layout(
        sorted({*_glued(document, texts)}),
        _speakers(document, said),
        paragraphs if len(paragraphs) > 1 else (),
        sorted({word for word in headings if word < len(document.words)}),
    )


def _glued(document: Document, texts: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Words without a blank behind them, by the text of their sentence, or else as the file says of each word."""
    words = document.words
    ends = [*document.sentences[1:], len(words)]
    end_of = dict(zip(document.sentences, ends, strict=True)) if document.sentences else {}
    known: set[int] = set()
    for first, text in texts:
        end = end_of.get(first, first)
        glued = _by_text(words[first:end], text)
        if glued is not None:
            known.update(range(first, end))
            yield from (first + number for number in glued)
    marked = document.columns.get("MISC", ())
    for word, misc in enumerate(marked):
        if word not in known and "SpaceAfter=No" in misc and word + 1 not in end_of:
            yield word


def _by_text(words: Sequence[str], text: str) -> list[int] | None:
    """The words that have no blank behind them in the text of a sentence; None if it has other words."""
    at = 0
    glued = []
    for number, word in enumerate(words):
        if not text.startswith(word, at):
            return None
        at += len(word)
        after = at
        while at < len(text) and text[at].isspace():
            at += 1
        if at == after and number + 1 < len(words):
            glued.append(number)
    return glued


def _speakers(document: Document, said: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Who speaks from which word on, where that changes; from comments or from the column of speakers."""
    column = [*document.columns.get("speaker", ())]
    starts = document.sentences or (0,)
    each = said or [(word, column[word]) for word in starts if word < len(column)]
    found: list[tuple[int, str]] = []
    for word, name in each:
        if word < len(document.words) and (not found or found[-1][1] != name):
            found.append((word, name))
    return found if any(name not in UNWRITTEN for _, name in found) else []


def runs_from_right(units: Iterable[str]) -> bool:
    """Whether most letters are written from right to left; the beginning of a text says it.

    >>> runs_from_right(["قال", "New", "ان", "الوزير"]), runs_from_right(["said", "قال", "the", "man"])
    (True, False)
    """
    some = [*islice(units, 2000)]
    if "".join(some).isascii():
        return False
    letters = "".join([unit[:40] for unit in some])
    classes = [bidirectional(letter) for letter in letters if letter > "@"]
    right = sum(each in _RIGHT for each in classes)
    return 2 * right > sum(each == "L" or each in _RIGHT for each in classes)
