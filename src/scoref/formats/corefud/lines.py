"""The lines of a CoNLL-U file and the documents that they make, found by array operations; the nodes of a document."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...document.document import INITIAL, Integers, position
from ...problems import Reporter
from ..columnar import DocumentColumns, TabbedLines, decoded, words_at
from .write import COLUMNS, NEWDOC, OURS, WIDTH, other_misc

DIGITS = 9


class ConlluLines(TabbedLines):
    """The lines of a file, from 0: what they are, and where their words and their MISC begin and end."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        codes, first, last = self.codes, self.first, self.first + self.width - 1
        self.form_end = self.cell_end[np.minimum(first + 1, last)]
        self.misc = np.where(self.width < WIDTH, self.end, self.cell_end[np.minimum(first + WIDTH - 2, last)] + 1)
        del self.cell_end  # frees memory as large as the file
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
        """The number that each line begins with, and the place after the character that follows it."""
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
        """The pairs NAME=VALUE in MISC that may be read: the line, the beginning and the end of each."""
        bars = np.append(np.flatnonzero(self.codes == ord("|")), len(self.codes))
        lines = np.flatnonzero((self.width == WIDTH) & (self.end - self.misc > min(map(len, OURS))))
        first = np.searchsorted(bars, self.misc[lines])
        size = np.searchsorted(bars, self.end[lines]) - first + 1
        number = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)  # the number of the pair in its line
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

    Numbers of words and lines count from the beginning of the file. The lists `first_...` hold the first line, word,
    sentence and other line of each document, and at the end those behind the last document.
    """

    def __init__(self, lines: ConlluLines, begin: Sequence[int]) -> None:
        self.lines = lines
        self.first_line = [*begin, len(lines.start)]
        self.first_byte: list[int] = np.append(lines.start, len(lines.data))[self.first_line].tolist()
        self.word_lines = np.flatnonzero(lines.word)
        first = np.searchsorted(self.word_lines, self.first_line)
        self.first_word: list[int] = first.tolist()
        self.form, self.form_end = lines.form[self.word_lines], lines.form_end[self.word_lines]
        self.document = np.repeat(np.arange(len(begin)), np.diff(self.first_line))  # the document of each line
        new = np.diff(lines.sentence[self.word_lines], prepend=-1) != 0
        new[first[:-1][first[:-1] < len(new)]] = True
        starts = np.flatnonzero(new)
        self.first_sentence: list[int] = np.searchsorted(starts, first).tolist()
        self.sentences = starts - first[self.document[self.word_lines[starts]]]
        self.expected = np.arange(1, len(new) + 1) - np.repeat(starts, np.diff(starts, append=len(new)))
        self.before = np.cumsum(lines.word) - first[self.document]  # words of the document up to each line, included
        self._check(first)

    def _check(self, first: Integers) -> None:
        """Find malformed lines, and words whose numbers are not the expected ones."""
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


WORD = re.compile(r"[0-9]{1,9}")
_NODE = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_RANGE = re.compile(rb"[0-9]+-[0-9]+\t")
_IN_TURN = f"3.1 to 3.{INITIAL - 1} in this order behind word 3; 4-5 before word 4"


class DocumentNodes:
    """The lines of a document: words and empty nodes with their positions, and what is kept of the rest."""

    def __init__(self, texts: ConlluTexts, number: int, report: Reporter) -> None:
        self.texts, self.lines, self.report = texts, texts.lines, report
        self.begin, self.end = texts.first_line[number : number + 2]
        first, last = texts.first_word[number : number + 2]
        self.word_lines = texts.word_lines[first:last]
        self.words = words_at(self.lines.codes, texts.form[first:last], texts.form_end[first:last])
        self.columns = ConlluColumns(self.lines.data, *texts.first_byte[number : number + 2])
        self.sentences: list[int] = texts.sentences[slice(*texts.first_sentence[number : number + 2])].tolist()
        self._check(first)
        self.empty: dict[int, tuple[int, int, str]] = {}  # line, first word of the sentence and DEPS, by position
        self.bad_nodes = False
        remarks, newdocs = self.lines.remarks, self.lines.newdocs
        self.others = [
            (word, text)
            for line, word in texts.other[slice(*texts.first_other[number : number + 2])]
            if (text := remarks[line] if line in remarks else self._kept(line, word)) and line not in newdocs
        ]

    def _check(self, first: int) -> None:
        """Report malformed lines, and words whose numbers are not the expected ones."""
        lines, texts = self.lines, self.texts
        for line in _between(texts.wrong, self.begin, self.end):
            message = "a line that is neither a token nor a comment"
            expected = f"{WIDTH} columns with tabs between them, the first a number"
            self.report("column-count", message, line + 1, lines.text(line), expected)
        for word in _between(texts.out_of_turn, first, first + len(self.words)):
            line, expected = int(texts.word_lines[word]), f"word {texts.expected[word]} of the sentence"
            number = lines.text(line).split("\t")[0]
            self.report("word-number", "a word that is out of turn", line + 1, number, expected)

    @cached_property
    def _first(self) -> dict[int, int]:
        """The first word of each sentence that has one, by the number of the sentence in the file."""
        numbers = self.lines.sentence[self.word_lines[self.sentences]].tolist()
        return dict(zip(numbers, self.sentences, strict=True))

    def _kept(self, line: int, before: int) -> str:
        """What is kept of a line that is no word: multiword tokens, empty nodes without their entities."""
        lines = self.lines
        start = self._first.get(int(lines.sentence[line]), len(self.words) + 2)
        last = before - start  # the number of the last word; negative in a sentence without words
        whole = lines.range[line] and _RANGE.match(lines.data, lines.start[line])
        if whole and lines.width[line] == WIDTH and lines.number[line] == last + 1:
            return lines.text(line)
        cells = lines.text(line).split("\t")
        match = _NODE.fullmatch(cells[0])
        number = int(match[2] or 0) if match else 0
        place = position(before - 1, number + INITIAL * (last == 0))
        in_turn = lines.number[line] == last and place > next(reversed(self.empty), place - 1)
        if 0 < number < INITIAL and in_turn and len(cells) == WIDTH:
            self.empty[place] = line, start, cells[-2]
            return "\t".join([*cells[:-1], other_misc(cells[-1])])
        if (lines.range[line] or lines.empty[line]) and len(cells) == WIDTH:
            self.report("bad-node", "a node that is out of turn", line + 1, cells[0], _IN_TURN)
        self.bad_nodes |= bool(lines.empty[line])
        lines.empty[line] = False
        return ""

    @cached_property
    def nodes(self) -> Integers:
        """The lines of words and empty nodes."""
        part = slice(self.begin, self.end)
        return self.begin + np.flatnonzero(self.lines.word[part] | self.lines.empty[part])

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The position of each node."""
        places = (self.texts.before[self.nodes] - 1) << 8
        places[self.lines.empty[self.nodes]] = [*self.empty]
        return tuple(places.tolist())

    def values(self, name: str) -> list[tuple[int, int, str]]:
        """The values of that name in MISC: the line, the number of the node, the value."""
        line, start, end = self.lines.values(name)
        some = slice(*np.searchsorted(line, [self.begin, self.end]))
        line = line[some]
        if not len(line):
            return []
        nodes = np.searchsorted(self.nodes, line)
        found = [*zip(line.tolist(), nodes.tolist(), self.lines.written(start[some], end[some]), strict=True)]
        there = np.append(self.nodes, -1)[nodes] == line
        return found if there.all() else [value for value, is_node in zip(found, there, strict=True) if is_node]

    def parents(self, place: int) -> tuple[tuple[int, str], ...]:
        """The parents of an empty node in its enhanced dependencies, with relations; the root is the node 0.0."""
        line, start, written = self.empty[place]
        after = bisect_right(self.sentences, start)
        end = self.sentences[after] if after < len(self.sentences) else len(self.words)
        parents = []
        for pair in written.split("|") if written != "_" else ():
            name, _, relation = pair.partition(":")
            match = _NODE.fullmatch(name)
            word, number = (int(match[1]), int(match[2] or 0)) if match else (0, INITIAL)
            parent = position(start + word - 1, number + INITIAL * (word == 0))
            if number >= INITIAL or word > end - start or (number and parent not in self.empty):
                message = "an empty node with a parent that is not there"
                self.report("bad-deps", message, line + 1, written, "DEPS like 3:nsubj")
            else:
                parents.append((parent, relation))
        return tuple(parents)


def _between(numbers: list[int], first: int, last: int) -> list[int]:
    """Those of some sorted numbers from `first` to before `last`."""
    return numbers[bisect_left(numbers, first) : bisect_left(numbers, last)] if numbers else numbers


class ConlluColumns(DocumentColumns):
    """The columns beside the word that are not empty; MISC without what is read from it."""

    known = COLUMNS

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data, self._start, self._end = data, start, end

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The columns, each with its cells."""
        rows = [line.split("\t") for line in self._data[self._start : self._end].decode().split("\n")]
        rows = [(row[2:] + ["_"] * WIDTH)[: len(COLUMNS)] for row in rows if WORD.fullmatch(row[0]) and len(row) > 1]
        columns = {name: [row[number] for row in rows] for number, name in enumerate(COLUMNS)}
        columns["MISC"] = [other_misc(cell) for cell in columns["MISC"]]
        return {name: cells for name, cells in columns.items() if set(cells) - {"_"}}

    def column(self, name: str) -> list[str]:
        """The cells of a column."""
        return self.names[name]

    def __reduce__(self) -> tuple[object, ...]:
        """Without the rest of the file."""
        return ConlluColumns, (self._data[self._start : self._end], 0, self._end - self._start)
