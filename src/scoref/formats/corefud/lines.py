"""Finds the lines of a CoNLL-U file, what each of them is, and the documents that they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...document.document import Integers
from ..columnar import TabbedLines, decoded
from .write import NEWDOC, OURS, WIDTH

DIGITS = 9


class ConlluLines(TabbedLines):
    """The lines of a file, from 0: what they are, and where their words and their MISC begin and end."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        codes, first, last = self.codes, self.first, self.first + self.width - 1
        self.form_end = self.cell_end[np.minimum(first + 1, last)]
        self.misc = np.where(self.width < WIDTH, self.end, self.cell_end[np.minimum(first + WIDTH - 2, last)] + 1)
        del self.cell_end  # as large as the file
        self.number, self.form = self._numbers()
        kind = np.where(self.form > self.start + 1, codes[self.form - 1], 0)
        self.word, self.empty, self.range = (kind == ord(letter) for letter in "\t.-")
        self.is_blank = self.blank(codes[self.start] <= ord(" "))
        self.sentence = np.cumsum(self.is_blank)  # the same number for all lines of a sentence
        self.remarks = {line: text.rstrip() for line, text in self.comments().items()}
        newdocs = [(line, text) for line, text in self.remarks.items() if "newdoc" in text]
        self.newdocs = {line: match[1] for line, text in newdocs if (match := NEWDOC.match(text))}
        self._values: dict[str, tuple[Integers, Integers, Integers]] = {}

    def _numbers(self) -> tuple[Integers, Integers]:
        """The number that each line begins with, and the place behind the letter that follows it."""
        number, after = np.zeros(len(self.start), np.int64), self.start.copy()
        moving = np.arange(len(after))
        for _ in range(DIGITS):
            digit = self.codes[after[moving]] - np.uint8(ord("0"))
            moving, digit = moving[digit < 10], digit[digit < 10]
            number[moving] = 10 * number[moving] + digit
            after[moving] += 1
        return number, after + 1

    @cached_property
    def _pairs(self) -> tuple[Integers, Integers, Integers]:
        """The pairs of names and values in MISC that may be ours: the line, the beginning and the end of each."""
        bars = np.append(np.flatnonzero(self.codes == ord("|")), len(self.codes))
        lines = np.flatnonzero((self.width == WIDTH) & (self.end - self.misc > min(map(len, OURS))))
        first = np.searchsorted(bars, self.misc[lines])
        size = np.searchsorted(bars, self.end[lines]) - first + 1
        number = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)  # of the pair in its line
        line, bar = np.repeat(lines, size), np.repeat(first, size) + number
        start = np.where(number == 0, self.misc[line], bars[bar - 1] + 1)
        return line, start, np.minimum(bars[bar], self.end[line])

    def values(self, name: str) -> tuple[Integers, Integers, Integers]:
        """The lines that have a value of that name in MISC, once for each value, and where the values begin and end."""
        if name not in self._values:
            line, start, end = self._pairs
            some = np.flatnonzero(end - start > len(name))
            for place, letter in enumerate(f"{name}=".encode()):
                some = some[self.codes[start[some] + place] == letter]
            self._values[name] = line[some], start[some] + len(name) + 1, end[some]
        return self._values[name]

    def written(self, start: Integers, end: Integers) -> list[str]:
        """The texts between these places, without blanks at their ends."""
        return [text.rstrip() for text in decoded(self.data, start, end)]


class ConlluTexts:
    """The lines of a file as documents, which begin at the given lines: their words, sentences, and other lines.

    Words and lines are those of the file. Lists hold, for each document and once more for the end, its first line,
    word, sentence, and line that is no word.
    """

    def __init__(self, lines: ConlluLines, begin: Sequence[int]) -> None:
        self.lines = lines
        self.first_line = [*begin, len(lines.start)]
        self.first_byte: list[int] = np.append(lines.start, len(lines.data))[self.first_line].tolist()
        self.word_lines = np.flatnonzero(lines.word)
        first = np.searchsorted(self.word_lines, self.first_line)
        self.first_word: list[int] = first.tolist()
        self.form, self.form_end = lines.form[self.word_lines], lines.form_end[self.word_lines]
        self.document = np.repeat(np.arange(len(begin)), np.diff(self.first_line))  # of each line
        sentence = lines.sentence[self.word_lines]
        new = np.diff(sentence, prepend=-1) != 0
        new[first[:-1][first[:-1] < len(new)]] = True
        starts = np.flatnonzero(new)
        self.first_sentence: list[int] = np.searchsorted(starts, first).tolist()
        self.sentences = starts - first[self.document[self.word_lines[starts]]]
        self.expected = np.arange(1, len(new) + 1) - np.repeat(starts, np.diff(starts, append=len(new)))
        before = np.cumsum(lines.word)
        self.before = before - first[self.document]  # words of the document up to and with each line
        self._check(first)

    def _check(self, first: Integers) -> None:
        """Find lines that cannot be understood, and words that have not the expected numbers."""
        lines = self.lines
        token = lines.word | lines.empty | lines.range
        wrong = np.flatnonzero(np.where(token, lines.width != WIDTH, ~lines.is_blank))
        self.wrong = [line for line in wrong.tolist() if line not in lines.remarks]
        off = lines.number[self.word_lines] - self.expected
        before = np.append(0, off[:-1]) if len(off) else off
        before[first[:-1][first[:-1] < len(off)]] = 0
        self.out_of_turn: list[int] = np.flatnonzero((off != 0) & (off != before)).tolist()
        other = np.flatnonzero(~(lines.word | lines.is_blank))
        self.other: list[tuple[int, int]] = [*zip(other.tolist(), self.before[other].tolist(), strict=True)]
        self.first_other: list[int] = np.searchsorted(other, self.first_line).tolist()
