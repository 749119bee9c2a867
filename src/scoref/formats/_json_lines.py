"""How the lines of a JSON file are found, and their words without taking them apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from ..words import Words
from .json_text import loads

# How programs write lists of lists of strings: the key and the beginning, what is between sentences, between words.
_STYLES = ((b'"sentences": [["', b'"], ["', b'", "'), (b'"sentences":[["', b'"],["', b'","'))
_CONTROLS = bytes({*range(32)} - {*b"\n"})  # which JSON does not allow in a string; a line has no line break anyway


class Sentences(NamedTuple):
    """The words of all sentences, and how many each of them has."""

    words: Words
    sizes: list[int]


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    start = 0
    for number in count(1):
        end = data.find(b"\n", start)
        line = data[start : end if end >= 0 else None]
        if line[:1] == b"{" or line.decode().strip():
            yield number, line
        if end < 0:
            return
        start = end + 1


def value(line: bytes) -> Any:
    """The value of a line, as `json_text.loads` has it; but plain `sentences` of an object stay in one piece.

    >>> value(b'{"id": "tale", "sentences": [["Ada", "phoned"], ["Bob"]]}')
    {'id': 'tale', 'sentences': Sentences(words=('Ada', 'phoned', 'Bob'), sizes=[2, 1])}
    """
    found = _cut(line)
    if found:
        rest, sentences = found
        try:
            record = loads(rest.decode())
        except ValueError:
            pass  # what is wrong is said of the whole line
        else:
            record["sentences"] = sentences
            return record
    return loads(line.decode())


def _cut(line: bytes) -> tuple[bytes, Sentences] | None:
    """The line without its words, and these; none if they are not written in the usual way.

    Read from the left, the first quotation mark ends the first word. If all of them go with what is between words and
    between sentences, two at a time, then the second begins the second word, and so on: what looks like that within a
    word cannot be taken for it.
    """
    for begin, between, comma in _STYLES:
        start = line.find(begin) + len(begin)
        if start < len(begin) or line[:1] != b"{" or line.count(b"{", 0, start) != 1:  # or it is in another object
            continue
        end = line.find(b'"]]', start)
        parts = line[start:end].replace(comma, b"\n").split(between)
        text = b"\n".join(parts)
        if end < 0 or b'"' in text or b"\\" in text or len(text.translate(None, _CONTROLS)) < len(text):
            return None
        sizes = [part.count(b"\n") + 1 for part in parts]
        return line[: start - 3] + b"0" + line[end + 3 :], Sentences(Words(text, sum(sizes)), sizes)
    return None
