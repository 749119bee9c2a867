"""Mentions that are given by their words alone, `{"Chain1": ["Sarah", "She"]}`, at the places where the key has these.

A string that occurs as often as it is listed, in one entity, can be only these mentions. Any other is ambiguous, and
the response is refused. A mention whose string does not occur is *lost*, as in running text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..document.document import Document, Mention
from ..problems import Problem
from .align import norm
from .projection import named


def at_occurrences(key: Document, response: Document) -> tuple[Document, Problem | None] | None:
    """The response with its mentions at words of the key, and a problem to report, if there is one.

    If that is fatal, the response is unchanged. None, if mentions are not named by strings.
    """
    names = [mention.id for mention in response.mentions]
    if not key.words or not all(isinstance(name, str) and name.strip() for name in names):
        return None
    exact, alike = _JoinedWords(key.words), _JoinedWords([norm(word) for word in key.words])
    places: dict[str, list[tuple[int, int]]] = {}
    for name in dict.fromkeys(map(str, names)):
        places[name] = list(exact.find(name)) or list(alike.find(norm(name)))
        owners = Counter(mention.entity for mention in response.mentions if mention.id == name)
        if places[name] and (len(owners) > 1 or len(places[name]) > owners.total()):
            return response, _ambiguous(name, len(places[name]), owners.total(), len(owners), response)
    found, lost = [], 0
    for mention in response.mentions:
        if left := places[str(mention.id)]:
            first, last = left.pop(0)
            found.append(Mention.at(first, last, mention.entity))
        else:
            lost += 1
            found.append(mention._replace(id=f"{mention.id} (lost {lost})"))
    placed = replace(response, mentions=found, words=key.words)
    if not lost:
        return placed, None
    message, expected = f"{lost} mention{'s' * (lost != 1)} whose words are not in the key", f"words of {key.source}"
    return placed, named(response).problem("unplaced-mention", message, response.line, None, expected, fatal=False)


class _JoinedWords:
    """Words written together, and where each begins."""

    def __init__(self, words: Sequence[str]) -> None:
        pieces = ["".join(word.split()) for word in words]
        self._letters = "".join(pieces)
        self._first: dict[int, int] = {}  # the word that begins at a letter
        self._last: dict[int, int] = {}  # the word that ends before a letter
        place = 0
        for number, word in enumerate(pieces):
            if word:
                self._first[place] = number
                place += len(word)
                self._last[place] = number

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """The first and the last word of each place where whole words are that text, blanks left out."""
        wanted = "".join(text.split())
        start = self._letters.find(wanted)
        while start >= 0:
            first, last = self._first.get(start), self._last.get(start + len(wanted))
            if first is not None and last is not None:
                yield first, last
            start = self._letters.find(wanted, start + 1)


def _ambiguous(name: str, occurs: int, listed: int, entities: int, response: Document) -> Problem:
    where = f"in {entities} entities" if entities > 1 else f"{listed} time{'s' * (listed != 1)}"
    message = f"a text that occurs {occurs} time{'s' * (occurs != 1)} in the key, and is listed {where}"
    remedy = "mark mentions in the text itself, [She](#1), or give the numbers of their first and last word, [3, 5]"
    expected = "texts that can be only one mention"
    return named(response, remedy).problem("ambiguous-mention", message, response.line, name, expected)
