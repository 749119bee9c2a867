"""Converts mentions from characters to tokens: those of token tables, or the words of a text."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...document.document import Document, Mention, Span, about, position, unit_of, word_of
from ...document.spans import EMPTY, is_stretch, pieces
from ...problems import Error, Problems
from ..source import SKIP, load, refusal_at
from .tables import Mismatch, Token, plain, read_table, tokenize

_LONGEST = 10_000
_OF_CHARACTERS = ("text", "pieces", "Min")  # attributes that say what the characters of a mention are


def check_folder(folder: str | None, what: str) -> None:
    """Refuse a folder that is not there."""
    if folder is not None and not os.path.isdir(folder):
        remedy = "check the name; a relative name is looked up from the current folder"
        raise Error("unreadable-file", f"there is no such folder of {what}", path=folder, remedy=remedy)


def table_of(folder: str, name: str, problems: Problems) -> list[Token] | None:
    """The token table of a document; None if the folder has none. The name is never followed out of the folder.

    EvmEval and LDC call the annotation `example1.tkn.ann`, and its table `example1.tab` or `example1.txt.tab`.
    """
    if not name or os.path.isabs(name) or ".." in Path(name).parts:
        return None
    bases = Path(folder) / name, Path(folder) / name.removesuffix(".tkn")
    paths = [f"{base}{ending}" for base in bases for ending in (".tab", ".txt.tab")]
    path = next(filter(os.path.isfile, paths), None)
    return read_table(load(path), path, problems) if path else None


def offsets(ids: list[str], table: list[Token]) -> dict[str, list[str]]:
    """The ids and offsets of a token table, as columns of a document."""
    return {"token": ids, "begin": [str(token.begin) for token in table], "end": [str(token.end) for token in table]}


def by_tokens(document: Document, folder: str, problems: Problems) -> Document:
    """A document of characters, with its mentions at the tokens of its table that they overlap."""
    check_folder(folder, "token tables")
    report = about(document, problems, SKIP)
    table = table_of(folder, document.id, problems)
    if table is None:
        if document.mentions:
            expected = f"{document.id}.tab in {folder}"
            remedy = "make it with scoref tokenize, or leave such documents empty with --on-problem skip"
            message = "a document without a token table"
            report("no-token-table", message, document.line, expected=expected, remedy=remedy)
        return replace(document, mentions=(), relations=())
    at = _owners(table)
    mentions: list[Mention] = []
    for mention in document.mentions:
        found = _touched(mention.span, at)
        if found:
            mentions.append(mention._replace(span=found))
        else:
            place = document.line_of(mention), document.named(mention)
            report("no-token", "a mention in which no token is", *place, "tokens of its table")
    words, columns = tuple(token.text for token in table), offsets([token.id for token in table], table)
    return replace(document, words=words, mentions=tuple(mentions), columns=columns)


def _owners(table: Sequence[Token]) -> dict[int, int]:
    """The number of the token that each character is in."""
    ends = [min(token.end, token.begin + _LONGEST) for token in table]
    return {place: n for n, token in enumerate(table) for place in range(token.begin, ends[n])}


def _touched(span: Span, at: Mapping[int, int]) -> Span:
    """The positions of the tokens that share characters with a span."""
    return tuple(map(position, sorted({at[place] for place in map(word_of, span) if place in at})))


# -- the words of a text ---------------------------------------------------------------------------------------------


class InWords(NamedTuple):
    """A document of words, where mentions cut words, and how many mentions lost blanks at their ends or in gaps."""

    document: Document
    cut: list[Mismatch]
    loose: int


def in_words(document: Document) -> InWords:
    """A document of characters, converted to the words of its text; any other document is unchanged.

    The words depend on the text only (`tokens.plain`), except that a word is cut where a mention begins or ends in it.
    Each line is a sentence, unless a mention continues on the next line.
    """
    if unit_of(document) != "characters":
        return InWords(document, [], 0)
    layers = [document, *([document.deixis] if document.deixis else [])]
    if not document.columns.get("text"):
        message = "positions are characters of a text that is not known, and the format has words"
        remedy = "put the text of a brat file beside it as NAME.txt, or choose a format that can count characters: "
        remedy += "jsonl, tbf, brat, clusters, table"
        raise refusal_at(document, "no-words", message, document.mentions[0], "a document with its text", remedy)
    text = document.columns["text"][0]
    spans = [span for layer in layers for mention in layer.mentions for span in (mention.span, mention.minimum) if span]
    edges = {(first, last + 1) for span in spans for first, last in pieces(span)}
    table, mismatches = tokenize(text, edges, "", plain)
    at = _owners(table)
    moved = [replace(layer, mentions=tuple([_moved(each, layer, at) for each in layer.mentions])) for layer in layers]
    begins = [token.begin for token in table]
    by_words = replace(
        moved[0],
        words=tuple([token.text for token in table]),
        sentences=_sentences(text, table, [mention for layer in moved for mention in layer.mentions]),
        columns={},  # they belong to characters
        comments=tuple([(bisect_left(begins, place), comment) for place, comment in document.comments]),
        deixis=moved[1] if document.deixis else None,
    )
    return InWords(by_words, mismatches, sum(_is_loose(mention.span, text) for mention in document.mentions))


def _is_loose(span: Span, text: str) -> bool:
    """Whether pieces of a span begin or end with blanks, or have only blanks between them: words cannot show that."""
    parts = pieces(span)
    ends = [text[place : place + 1] for part in parts for place in part]
    between = [text[before[1] + 1 : after[0]] for before, after in pairwise(parts)]
    return any(map(str.isspace, ends)) or not all(map(str.strip, between))


def _moved(mention: Mention, document: Document, at: Mapping[int, int]) -> Mention:
    """The mention at the words of the text."""
    span = _touched(mention.span, at)
    if not span or (not is_stretch(mention.span) and any(place & EMPTY for place in mention.span)):
        message = "a mention without a word of the text cannot be written by words"
        remedy = "remove it, or choose a format that can count characters"
        raise refusal_at(document, "unwritable-mention", message, mention, None, remedy)
    head = _touched((mention.head,), at) if mention.head is not None else ()
    kept = tuple([(name, value) for name, value in mention.attributes if name not in _OF_CHARACTERS])
    return Mention(span, mention.entity, mention.id, _touched(mention.minimum, at), kept, head[0] if head else None)


def _sentences(text: str, table: Sequence[Token], mentions: Sequence[Mention]) -> tuple[int, ...]:
    """The first word of each line, unless it is inside a mention that began before."""
    within = {word for each in mentions for word in range(word_of(each.span[0]) + 1, word_of(each.span[-1]) + 1)}
    lines = [n for n, (a, b) in enumerate(pairwise(table), 1) if "\n" in text[a.end : b.begin] and n not in within]
    return (0, *lines) if table else ()
