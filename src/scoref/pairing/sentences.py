"""Scores only the sentences on a list of those that were annotated, like `ECBplus_coreference_sentences.csv`."""

from __future__ import annotations

import csv
import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..document.document import Document, Mention, about, word_of
from ..formats.source import load_text
from ..problems import Error, Problems
from .pairs import Pair

SENTENCE = "sentence"  # the column with the number of each word's sentence, where these are not 0, 1, 2, ...
_EXPECTED = "topic, file and number of a sentence with commas, like 1,10ecbplus,3"


def of_sentences(pairs: Sequence[Pair], path: str, problems: Problems) -> list[Pair]:
    """The pairs with only the mentions of listed sentences; documents without one are left out and reported."""
    listed = _listed(path)
    found = []
    for pair in pairs:
        wanted = listed.get(_plain(pair.key.id))
        if wanted is None:
            report = about(pair.key, problems, "nothing, if it was not annotated")
            report("unlisted-document", "a document without a listed sentence is left out", pair.key.line, fatal=False)
            continue
        number, numbers = _numbering(pair.key)
        for sentence in sorted(wanted - numbers):
            report = about(pair.key, problems, "check whether the list belongs to these files")
            message = f"the list names sentence {sentence}, which there is not"
            report("unknown-sentence", message, pair.key.line, fatal=False)
        sides = [_only(side, wanted, number) for side in (pair.key, pair.response)]
        found.append(pair._replace(key=sides[0], response=sides[1]))
    if not found:
        expected = f"documents like {next(iter(listed))}.xml"
        raise Error("unlisted-document", "no document of the key is in the list", path=path, expected=expected)
    return found


def _listed(path: str) -> dict[str, set[str]]:
    """The numbers of the listed sentences by names of documents, without endings."""
    found: dict[str, set[str]] = {}
    for line, row in enumerate(csv.reader(load_text(path).splitlines()), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (line == 1 and not cells[-1].isdecimal()):  # a header
            continue
        if len(cells) != 3 or not cells[2].isdecimal():
            raise Error("bad-list", "not a sentence", path=path, line=line, text=",".join(row), expected=_EXPECTED)
        found.setdefault(_plain(f"{cells[0]}_{cells[1]}"), set()).add(cells[2].lstrip("0") or "0")
    if not found:
        raise Error("bad-list", "no sentence in this file", path=path, expected=_EXPECTED)
    return found


def _plain(name: str) -> str:
    return os.path.basename(name).removesuffix(".xml")


def _numbering(key: Document) -> tuple[Callable[[int], str], set[str]]:
    """A function from a word to the number of its sentence, and the set of all numbers."""
    if column := key.columns.get(SENTENCE):
        return column.__getitem__, {*column}
    if not key.sentences:
        expected, remedy = "a key whose words are in sentences", "leave --sentences out"
        raise about(key, remedy=remedy).error("no-sentences", "no sentences are known", key.line, None, expected)
    starts = key.sentences
    return lambda word: str(bisect_right(starts, word) - 1), {str(number) for number in range(len(starts))}


def _only(side: Document, wanted: set[str], number: Callable[[int], str]) -> Document:
    """The document with only the mentions that begin in one of these sentences."""

    def counts(mention: Mention) -> bool:
        return bool(mention.span) and number(word_of(mention.span[0])) in wanted

    kept = [place for place, mention in enumerate(side.mentions) if counts(mention)]
    return side if len(kept) == len(side.mentions) else replace(side.of_mentions(kept), bridges=())
