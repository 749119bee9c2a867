"""How the lines, nodes and columns of a CoNLL-U file are found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..exceptions import Problem, Problems
from ..model import position
from ._cells import Cells
from ._corefud_writing import COLUMNS, INITIAL, WIDTH
from .source import SKIP

_OURS = ("Entity", "SplitAnte", "Bridge")


DIGITS = 9


_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$")


WORD = re.compile(r"[0-9]{1,9}")


_NODE = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")


_RANGE = re.compile(r"[0-9]+-[0-9]+")


Report = Callable[..., None]


def report(problems: Problems, path: str, document: str | None) -> Report:
    def problem(line: int, code: str, message: str, text: str | None = None, expected: str | None = None,
                fatal: bool = True) -> None:  # fmt: skip
        problems.add(Problem(code, message, path, line, document, text, expected, SKIP, fatal))

    return problem


class Lines:
    """The lines of a file, from 0: where they, their words and their MISC begin and end, and what they are."""

    def __init__(self, data: bytes) -> None:
        self.data = data + b"\n" * (not data.endswith(b"\n"))
        self.codes = codes = np.frombuffer(self.data, np.uint8)
        self.end = np.flatnonzero(codes == ord("\n"))
        self.start = np.concatenate((np.zeros(1, np.int64), self.end[:-1] + 1))
        tabs = np.flatnonzero(codes == ord("\t"))
        first = np.searchsorted(tabs, self.start)
        self.width = np.diff(first, append=len(tabs)) + 1
        tabs = np.append(tabs, np.full(WIDTH, len(codes)))
        self.form_end = np.minimum(tabs[first + 1], self.end)
        self.misc = np.minimum(tabs[first + WIDTH - 2] + 1, self.end)
        self.number, self.form = self._numbers()
        kind = np.where(self.form > self.start + 1, codes[self.form - 1], 0)
        self.word, self.empty, self.range = (kind == ord(letter) for letter in "\t.-")
        self.blank = self.start == self.end
        for line in np.flatnonzero((codes[self.start] <= ord(" ")) & ~self.blank).tolist():
            self.blank[line] = not self.text(line).strip()
        self.sentence = np.cumsum(self.blank)  # the same number for all lines of a sentence
        hashes = np.flatnonzero(codes[self.start] == ord("#"))
        texts = [text.rstrip() for text in self.cells(self.start[hashes], self.end[hashes])]
        self.comments = dict(zip(hashes.tolist(), texts, strict=True))
        newdocs = [(line, text) for line, text in self.comments.items() if "newdoc" in text]
        self.newdocs = {line: match[1] for line, text in newdocs if (match := _NEWDOC.match(text))}
        self._values: dict[str, tuple[Any, list[str]]] = {}

    def _numbers(self) -> tuple[Any, Any]:
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
    def _marks(self) -> tuple[Any, Any]:
        """Where names and values of MISC, and other columns, meet, and where a value ends before the line does."""
        bars = np.flatnonzero(self.codes == ord("|"))
        return np.flatnonzero(self.codes == ord("=")), np.append(bars, len(self.codes))

    def values(self, name: str) -> tuple[Any, list[str]]:
        """The lines that have a value of that name in MISC, once for each value, and the values."""
        if name not in self._values:
            found, bars = self._marks if f"{name}=".encode() in self.data else (np.zeros(0, np.int64),) * 2
            found = found[found > len(name)]
            for place, letter in enumerate(reversed(name.encode()), 1):
                found = found[self.codes[found - place] == letter]
            line, begin = np.searchsorted(self.start, found, "right") - 1, found - len(name)
            there = (begin == self.misc[line]) | ((begin > self.misc[line]) & (self.codes[begin - 1] == ord("|")))
            there &= self.width[line] == WIDTH
            line, start = line[there], found[there] + 1
            end = np.minimum(bars[np.searchsorted(bars, start)], self.end[line])
            self._values[name] = line, [value.rstrip() for value in self.cells(start, end)]
        return self._values[name]

    def text(self, line: int) -> str:
        return self.data[self.start[line] : self.end[line]].decode()

    def cells(self, start: Any, end: Any) -> list[str]:
        data = self.data
        return [data[first:last].decode() for first, last in zip(start.tolist(), end.tolist(), strict=True)]


class Rows:
    """The lines of a document: words and empty nodes with their positions, and what is kept of the rest."""

    def __init__(self, lines: Lines, begin: int, end: int, problem: Report) -> None:
        self.lines, self.problem, self.begin, self.end = lines, problem, begin, end
        part = slice(begin, end)
        self.word_lines = begin + np.flatnonzero(lines.word[part])
        self.words = Cells(lines.data, lines.form[self.word_lines], lines.form_end[self.word_lines])
        sentence = lines.sentence[self.word_lines]
        starts = np.flatnonzero(np.diff(sentence, prepend=-1))
        self.sentences: list[int] = starts.tolist()
        self._check(part, np.arange(1, len(sentence) + 1) - np.repeat(starts, np.diff(starts, append=len(sentence))))
        before = np.cumsum(lines.word[part])  # words up to and with a line
        self.empty: dict[int, tuple[int, int, str]] = {}  # line, first word of the sentence and DEPS, by position
        first = dict(zip(sentence[starts].tolist(), self.sentences, strict=True))
        other = np.flatnonzero(~(lines.word[part] | lines.blank[part]))
        self.others = [
            (word, text)
            for line, word in zip((begin + other).tolist(), before[other].tolist(), strict=True)
            if (text := lines.comments[line] if line in lines.comments else self._kept(line, word, first))
            and line not in lines.newdocs
        ]
        nodes = np.flatnonzero(lines.word[part] | lines.empty[part])
        places = (before[nodes] - 1) << 8
        places[lines.empty[begin + nodes]] = list(self.empty)
        self.nodes, self.places = begin + nodes, tuple(places.tolist())

    def _check(self, part: slice, expected: Any) -> None:
        """Report lines that cannot be understood, and words that have not the expected numbers."""
        lines, problem = self.lines, self.problem
        token = lines.word[part] | lines.empty[part] | lines.range[part]
        wrong = np.flatnonzero(np.where(token, lines.width[part] != WIDTH, ~lines.blank[part]))
        for line in [line for line in (part.start + wrong).tolist() if line not in lines.comments]:
            problem(line + 1, "column-count", "a line that is neither a token nor a comment", lines.text(line),
                    f"{WIDTH} columns with tabs between them, the first a number")  # fmt: skip
        off = lines.number[self.word_lines] - expected
        for index in np.flatnonzero((off != 0) & (np.diff(off, prepend=0) != 0)).tolist():
            line = int(self.word_lines[index])
            problem(line + 1, "word-number", "a word that is out of turn", lines.text(line).split("\t")[0],
                    f"word {expected[index]} of the sentence")  # fmt: skip

    def _kept(self, line: int, before: int, first: dict[int, int]) -> str:
        """What is kept of a line that is no word: multiword tokens, empty nodes without their entities."""
        lines = self.lines
        cells = lines.text(line).split("\t")
        start = first.get(int(lines.sentence[line]), len(self.words) + 2)
        last = before - start  # the number of the last word; negative in a sentence without words
        if _RANGE.fullmatch(cells[0]) and lines.number[line] == last + 1 and len(cells) == WIDTH:
            return "\t".join(cells)
        match = _NODE.fullmatch(cells[0])
        number = int(match[2] or 0) if match else 0
        place = position(before - 1, number + INITIAL * (last == 0))
        in_turn = lines.number[line] == last and place > next(reversed(self.empty), place - 1)
        if 0 < number < INITIAL and in_turn and len(cells) == WIDTH:
            self.empty[place] = line, start, cells[-2]
            return "\t".join([*cells[:-1], _other_misc(cells[-1])])
        if (lines.range[line] or lines.empty[line]) and len(cells) == WIDTH:
            self.problem(line + 1, "bad-node", "a node that is out of turn", cells[0],
                         f"3.1 to 3.{INITIAL - 1} in this order behind word 3; 4-5 before word 4")  # fmt: skip
        lines.empty[line] = False
        return ""

    def values(self, name: str) -> list[tuple[int, int, str]]:
        """The values of that name in MISC: the line, the number of the node, the value."""
        lines, values = self.lines.values(name)
        if not values:
            return []
        first, last = np.searchsorted(lines, [self.begin, self.end]).tolist()
        lines = lines[first:last]
        nodes = np.searchsorted(self.nodes, lines)
        found = [*zip(lines.tolist(), nodes.tolist(), values[first:last], strict=True)]
        there = np.append(self.nodes, -1)[nodes] == lines
        return found if there.all() else [each for each, is_node in zip(found, there, strict=True) if is_node]

    def parents(self, place: int) -> tuple[tuple[int, str], ...]:
        """The parents of an empty node in its enhanced dependencies, with relations; the root is the node 0.0."""
        line, start, written = self.empty[place]
        after = bisect_right(self.sentences, start)
        end = self.sentences[after] if after < len(self.sentences) else len(self.words)
        found = []
        for pair in written.split("|") if written != "_" else ():
            name, _, relation = pair.partition(":")
            match = _NODE.fullmatch(name)
            word, number = (int(match[1]), int(match[2] or 0)) if match else (0, INITIAL)
            parent = position(start + word - 1, number + INITIAL * (word == 0))
            if number >= INITIAL or word > end - start or (number and parent not in self.empty):
                self.problem(line + 1, "bad-deps", "an empty node with a parent that is not there", written,
                             "DEPS like 3:nsubj")  # fmt: skip
            else:
                found.append((parent, relation))
        return tuple(found)


def _other_misc(cell: str) -> str:
    return "|".join(pair for pair in cell.split("|") if pair.partition("=")[0] not in _OURS) or "_"


class Columns(Mapping[str, Sequence[str]]):
    """The columns beside the word that are not empty, cut when first looked at; MISC without what is read from it."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    @cached_property
    def _cells(self) -> dict[str, list[str]]:
        rows = [line.split("\t") for line in self._body.decode().split("\n")]
        rows = [(row[2:] + ["_"] * WIDTH)[: len(COLUMNS)] for row in rows if WORD.fullmatch(row[0]) and len(row) > 1]
        columns = {name: [row[number] for row in rows] for number, name in enumerate(COLUMNS)}
        columns["MISC"] = [_other_misc(cell) for cell in columns["MISC"]]
        return {name: cells for name, cells in columns.items() if set(cells) - {"_"}}

    def __getitem__(self, name: str) -> list[str]:
        if name not in COLUMNS:
            raise KeyError(name)
        return self._cells[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)
