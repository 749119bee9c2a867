"""Where the key has a string that a reply lists: as it is, or without what language models add to it.

White space does not matter, words must be whole. A place has a level: the same letters, the same letters after other
forms of quotes, dashes and full width, or in another case.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..texts.steps import norm, spelt
from .payloads import Place

_LEVELS: tuple[Callable[[str], str], ...] = (str, spelt, norm)

_TAG = re.compile(r"<[^<>]*>")
_EMPHASIS = "*_`~"
_QUOTES = "\"'`“”„«»‘’‚‹›「」『』"
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "eines",
        "dieser",
        "diese",
        "dieses",
        "diesen",
        "diesem",
        "jener",
        "jene",
        "jenes",
        "jenen",
        "jenem",
        "el",
        "la",
        "los",
        "las",
        "lo",
        "un",
        "una",
        "unos",
        "unas",
        "este",
        "esta",
        "esto",
        "estos",
        "estas",
        "ese",
        "esa",
        "eso",
        "esos",
        "esas",
        "aquel",
        "aquella",
        "aquello",
        "aquellos",
        "aquellas",
        "le",
        "les",
        "l",
        "une",
        "des",
        "du",
        "ce",
        "cet",
        "cette",
        "ces",
    ]
)
_FIRST = re.compile(r"\s*(?:(\w+)(?:\s+|['’]))(?=\S)")


class Occurrences(NamedTuple):
    """Where the key has a string, from left to right: places and their levels."""

    places: tuple[Place, ...] = ()
    levels: tuple[int, ...] = ()


class _JoinedWords:
    """Words joined without blanks, and where each begins and ends."""

    def __init__(self, words: Sequence[str]) -> None:
        pieces = ["".join(word.split()) for word in words]
        self.text = "".join(pieces)
        self.first: dict[int, int] = {}  # the word that begins at a letter
        self.last: dict[int, int] = {}  # the word that ends before a letter
        place = 0
        for number, word in enumerate(pieces):
            if word:
                self.first[place] = number
                place += len(word)
                self.last[place] = number

    def find(self, wanted: str) -> Iterator[Place]:
        """Each place where whole words make up the letters."""
        start = self.text.find(wanted) if wanted else -1
        while start >= 0:
            first, last = self.first.get(start), self.last.get(start + len(wanted))
            if first is not None and last is not None:
                yield first, last
            start = self.text.find(wanted, start + 1)


class KeyText:
    """The words of a key, to look up strings in; `sentences` are the first words of its sentences."""

    def __init__(self, words: Sequence[str], sentences: Sequence[int] = ()) -> None:
        self.words = [*words]
        self.sentences = [*sentences]
        self._known: dict[str, tuple[str, Occurrences]] = {}

    @cached_property
    def _letters(self) -> list[_JoinedWords]:
        return [_JoinedWords([change(word) for word in self.words]) for change in _LEVELS]

    def find(self, text: str) -> Occurrences:
        """Where the key has the string, or the first form of it that it has."""
        return self.looked_up(text)[1]

    def looked_up(self, text: str) -> tuple[str, Occurrences]:
        """The form of the string that the key has, and where; the string itself if it has none."""
        if text not in self._known:
            found = ((form, self._places(form)) for form in forms(text))
            self._known[text] = next(((form, each) for form, each in found if each.places), (text, Occurrences()))
        return self._known[text]

    def has(self, text: str) -> bool:
        """Whether the key has some form of the string."""
        return bool(self.find(text).places)

    def _places(self, form: str) -> Occurrences:
        levels: dict[Place, int] = {}
        for level, (letters, change) in enumerate(zip(self._letters, _LEVELS, strict=True)):
            for place in letters.find("".join(change(form).split())):
                levels.setdefault(place, level)
        places = sorted(levels)
        return Occurrences(tuple(places), tuple(levels[place] for place in places))

    def text_of(self, place: Place) -> str:
        """The words of a place, with blanks between them."""
        return " ".join(self.words[place[0] : place[1] + 1])

    @cached_property
    def _ends(self) -> list[int]:
        """Words that end a sentence, if the key does not say where sentences begin."""
        return [number for number, word in enumerate(self.words) if word in {".", "!", "?", "。", "！", "？", "…"}]

    def within_sentence(self, place: Place) -> bool:
        """Whether no sentence ends inside of the place."""
        first, last = place
        if bisect_left(self.sentences, first + 1) != bisect_left(self.sentences, last + 1):
            return False
        return bisect_left(self._ends, first) == bisect_left(self._ends, last)


def forms(text: str) -> Iterator[str]:
    """The string, and what is left of it as more and more is taken off.

    >>> [*forms("**the “Tom” (the baker)**")][-1]
    '“Tom'
    """
    yield text
    before = text
    for change in _CHANGES:
        text = change(before)
        if text != before and text.strip():
            yield text
            before = text


def _without_tags(text: str) -> str:
    return _TAG.sub("", text).strip().strip(_EMPHASIS) or text


def _without_quotes(text: str) -> str:
    plain = text.strip()
    while len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES:
        plain = plain[1:-1].strip()
    return plain


def _without_parenthesis(text: str) -> str:
    return _PARENTHESIS.sub("", text)


def _without_punctuation(text: str) -> str:
    first, last = 0, len(text)
    while first < last and _is_outside(text[first]):
        first += 1
    while last > first and _is_outside(text[last - 1]):
        last -= 1
    return text[first:last]


def _is_outside(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter)[0] == "P"


def _without_determiner(text: str) -> str:
    first = _FIRST.match(text)
    return text[first.end() :] if first and first[1].casefold() in _DETERMINERS else text


_CHANGES: tuple[Callable[[str], str], ...] = (
    _without_tags, _without_quotes, _without_parenthesis, _without_punctuation, _without_determiner,
)  # fmt: skip
