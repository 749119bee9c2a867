"""The nodes of a CorefUD document: its words and empty nodes with their positions, its columns and other lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import Any

import numpy as np

from ...document.document import INITIAL, Integers, position
from ...problems import Reporter
from ..columnar import DocumentColumns, words_at
from .lines import ConlluTexts
from .write import COLUMNS, WIDTH, other_misc

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
        """Report lines that cannot be understood, and words that have not the expected numbers."""
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
        some = slice(*np.searchsorted(line, [self.begin, self.end])) if len(line) else slice(0)
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
    """Those of some sorted numbers that are not below the first and below the last."""
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Without the rest of the file."""
        return ConlluColumns, (self._data[self._start : self._end], 0, self._end - self._start)
