"""What the numbers of mentions count: found by comparing the texts at them with the texts that stand beside them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .payloads import Listed, Place
from .strings import KeyText

_LEAST = 0.9  # the least share of mentions whose text is at their numbers
_NO_BLANK_BEFORE = re.compile(r"[.,;:!?%)\]}»”’…。，、！？：；]+|'s|'S|’s|n't|N'T|n’t|'(?:re|ve|ll|d|m)|''")
_NO_BLANK_BEHIND = frozenset("([{«“„‘¿¡$#")


class LetterPlaces(NamedTuple):
    """A text in letters: where each word begins and ends in it."""

    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, words: Sequence[str], blank: Callable[[str, str], bool]) -> LetterPlaces:
        """The letters of words with blanks between those for which `blank` says so."""
        begins, ends = [], []
        place = 0
        for number, word in enumerate(words):
            if number and blank(words[number - 1], word):
                place += 1
            begins.append(place)
            place += len(word)
            ends.append(place)
        return cls(begins, ends)

    @classmethod
    def found(cls, words: Sequence[str], text: str) -> LetterPlaces | None:
        """The letters of a text that has these words; None if it has others."""
        begins, ends = [], []
        place = 0
        for word in words:
            begin = text.find(word, place)
            if begin < 0 or text[place:begin].strip():
                return None
            begins.append(begin)
            place = begin + len(word)
            ends.append(place)
        return cls(begins, ends) if not text[place:].strip() else None

    def whole(self, begin: int, end: int) -> Place | None:
        """The words that begin and end at these letters."""
        first, last = bisect_left(self.begins, begin), bisect_left(self.ends, end)
        exact = first < len(self.begins) and last < len(self.ends) and first <= last
        return (first, last) if exact and self.begins[first] == begin and self.ends[last] == end else None

    def touched(self, begin: int, end: int) -> Place | None:
        """The words that have some of these letters."""
        first, last = bisect_right(self.ends, begin), bisect_left(self.begins, end) - 1
        inside = 0 <= begin < end <= (self.ends[-1] if self.ends else 0)
        return (first, last) if inside and first <= last else None


def _printed_apart(before: str, word: str) -> bool:
    """Whether a blank is printed between two words."""
    return not (_NO_BLANK_BEFORE.fullmatch(word) or before in _NO_BLANK_BEHIND)


class NumberReading(NamedTuple):
    """A way to read two numbers: the words that begin and end there, and those that they touch."""

    name: str
    whole: Callable[[int, int], Place | None]
    touched: Callable[[int, int], Place | None]


def readings(words: Sequence[str], text: str | None) -> Iterator[NumberReading]:
    """All ways to read numbers, in the order of preference: from 0, then from 1."""
    known = LetterPlaces.found(words, text) if text is not None else None
    letters = [known] if known else [
        LetterPlaces.of(words, lambda before, word: True), LetterPlaces.of(words, _printed_apart),
        LetterPlaces.of(words, lambda before, word: False),
    ]  # fmt: skip
    for base in (0, 1):
        for more, ends in ((0, "inclusive"), (1, "exclusive")):
            find = _words(len(words), base, base + more)
            yield NumberReading(f"words from {base}, ends {ends}", find, find)
        for more, ends in ((0, "exclusive"), (1, "inclusive")):
            for each in letters:
                whole, touched = (_shifted(way, base, base - more) for way in (each.whole, each.touched))
                yield NumberReading(f"letters from {base}, ends {ends}", whole, touched)


def _words(size: int, first: int, last: int) -> Callable[[int, int], Place | None]:
    def find(begin: int, end: int) -> Place | None:
        return (begin - first, end - last) if first <= begin and begin - first <= end - last < size else None

    return find


def _shifted(find: Callable[[int, int], Place | None], first: int, last: int) -> Callable[[int, int], Place | None]:
    return lambda begin, end: find(begin - first, end - last)


def meaning(mentions: Sequence[Listed], key: KeyText, text: str | None, ends: str) -> NumberReading | None:
    """How the numbers of these mentions are meant; None if no reading fits enough of those that have texts, too.

    Numbers without any text count words, with `ends` as the user says.
    """
    both = [(each.numbers, each.text) for each in mentions if each.numbers and each.text]
    if not both:
        find = _words(len(key.words), 0, 0 if ends == "inclusive" else 1)
        return NumberReading(f"words from 0, ends {ends}", find, find)
    known = [(numbers, {*key.find(words).places}) for numbers, words in both]
    best, most = None, 0
    for reading in readings(key.words, text):
        fitting = sum(reading.whole(*numbers) in places for numbers, places in known)
        if fitting > most:
            best, most = reading, fitting
    return best if most >= _LEAST * len(both) else None
