"""CorefUD 1.x: coreference in the MISC column of CoNLL-U files.

`# global.Entity = eid-etype-head-other` names the fields of an opening bracket; `Entity=(e5-person-2-`, closed by
`e5)`, is a mention of entity e5 whose head is its second node, `(e5-person-1-)` one of a single node, `(e5[1/2]-` a
piece of a discontinuous one. `SplitAnte=e1<e3,e2<e3` makes e3 the set of e1 and e2; `Bridge=e2<e5:part` makes the
mention of e5 that begins there a bridging anaphor to e2. Empty nodes (`3.1`) are nodes like words; a mention whose head
is one is a zero. The header holds for its document and for those after it that have none.

Lines and cells are found by array operations on the bytes of the file; Python looks at words, annotations, empty nodes
and comments only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NoReturn

import numpy as np

from ..exceptions import Error, Problem, Problems
from ..model import Bridge, Document, Mention, position
from . import SKIP, Format, Source
from ._corefud_writing import COLUMNS, ENTITY, GLOBAL, HEADER, INITIAL, WIDTH, write

_OURS = ("Entity", "SplitAnte", "Bridge")
_DIGITS = 9

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
_WORD = re.compile(r"[0-9]{1,9}")
_NODE = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_RANGE = re.compile(r"[0-9]+-[0-9]+")
_PIECE = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")

Report = Callable[..., None]


def _report(problems: Problems, path: str, document: str | None) -> Report:
    def problem(line: int, code: str, message: str, text: str | None = None, expected: str | None = None,
                fatal: bool = True) -> None:  # fmt: skip
        problems.add(Problem(code, message, path, line, document, text, expected, SKIP, fatal))

    return problem


# -- lines -----------------------------------------------------------------------------------------------------------


class _Lines:
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
        hashes = np.flatnonzero(codes[self.start] == ord("#")).tolist()
        self.comments = {line: self.text(line).rstrip() for line in hashes}
        self.newdocs = {line: match[1] for line, text in self.comments.items() if (match := _NEWDOC.match(text))}

    def _numbers(self) -> tuple[Any, Any]:
        """The number that each line begins with, and the place behind the letter that follows it."""
        number, after = np.zeros(len(self.start), np.int64), self.start.copy()
        moving = np.arange(len(after))
        for _ in range(_DIGITS):
            digit = self.codes[after[moving]] - np.uint8(ord("0"))
            moving, digit = moving[digit < 10], digit[digit < 10]
            number[moving] = 10 * number[moving] + digit
            after[moving] += 1
        return number, after + 1

    def text(self, line: int) -> str:
        return self.data[self.start[line] : self.end[line]].decode()

    def cells(self, start: Any, end: Any) -> list[str]:
        data = self.data
        return [data[first:last].decode() for first, last in zip(start.tolist(), end.tolist(), strict=True)]


class _Rows:
    """The lines of a document: words and empty nodes with their positions, and what is kept of the rest."""

    def __init__(self, lines: _Lines, begin: int, end: int, problem: Report) -> None:
        self.lines, self.problem = lines, problem
        part = slice(begin, end)
        self.word_lines = begin + np.flatnonzero(lines.word[part])
        self.words = lines.cells(lines.form[self.word_lines], lines.form_end[self.word_lines])
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
            if (text := self._kept(line, word, first))
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
        """What is kept of a line that is no word: comments, multiword tokens, empty nodes without their entities."""
        lines = self.lines
        if line in lines.comments:
            return lines.comments[line] if line not in lines.newdocs else ""
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


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CorefUD file."""
    lines = _Lines(source.data)
    headers = [line for line, text in lines.comments.items() if GLOBAL.match(text)]
    parts = [(_block(lines, line), line, (name or "").strip()) for line, name in lines.newdocs.items()]
    tokens = np.flatnonzero(lines.number)
    if len(tokens) and (not parts or tokens[0] < parts[0][1]):
        _report(problems, source.name, None)(int(tokens[0]) + 1, "no-newdoc", "sentences before any document",
                                             None, "# newdoc id = NAME", fatal=False)  # fmt: skip
        parts.insert(0, (0, 0, ""))
    parts[:1] = [(0, line, name) for _, line, name in parts[:1]]
    names: dict[str, int] = {}
    header = _Header(lines.comments[headers[0]], headers[0] + 1) if headers else None
    for index, (begin, line, written) in enumerate(parts):
        name = written or str(index + 1)
        problem = _report(problems, source.name, name)
        if name in names:
            problem(line + 1, "repeated-document", f"document {name} for the second time", name,
                    f"another name than in line {names[name]}")  # fmt: skip
            continue
        names[name] = line + 1
        end = parts[index + 1][0] if index + 1 < len(parts) else len(lines.start)
        rows = _Rows(lines, begin, end, problem)
        own = [each for each in headers if begin <= each < end]
        if own and (header is None or lines.comments[own[-1]] != header.text):
            header = _Header(lines.comments[own[-1]], own[-1] + 1)
        elif header and not own:
            rows.others.insert(0, (0, header.text))
        yield _document(rows, name, header, line + 1, source.name)


def _block(lines: _Lines, line: int) -> int:
    """The first of the comments that this one stands with."""
    while line - 1 in lines.comments:
        line -= 1
    return line


def _document(rows: _Rows, name: str, header: _Header | None, line: int, path: str) -> Document:
    lines = rows.lines
    entities = _Entities(rows, header, path)
    splits: list[tuple[int, str]] = []
    bridges: list[tuple[int, int, str]] = []
    start, end = lines.misc[rows.nodes], lines.end[rows.nodes]
    some = np.flatnonzero((end - start > 1) & (lines.width[rows.nodes] == WIDTH))
    cells = lines.cells(start[some], end[some])
    numbers, sentences = (rows.nodes[some] + 1).tolist(), lines.sentence[rows.nodes[some]].tolist()
    sentence = -1
    for node, number, now, cell in zip(some.tolist(), numbers, sentences, cells, strict=True):
        if now != sentence:
            entities.end_of_sentence()
            sentence = now
        for pair in cell.split("|"):
            if pair.startswith("Entity="):
                entities.read(pair[7:].rstrip(), node, number)
            elif pair.startswith("SplitAnte="):
                splits.append((number, pair[10:].rstrip()))
            elif pair.startswith("Bridge="):
                bridges.append((number, rows.places[node], pair[7:].rstrip()))
    entities.end_of_sentence()
    mentions = entities.mentions()
    begin, stop = (int(rows.nodes[0]), int(rows.nodes[-1])) if len(rows.nodes) else (0, -1)
    return Document(
        name, tuple(rows.words), tuple(mentions), tuple(rows.sentences),
        _Columns(lines.data[lines.start[begin] : lines.end[stop]] if stop >= 0 else b""), tuple(rows.others),
        sets=_sets(splits, mentions, rows.problem), bridges=tuple(_bridges(bridges, mentions, rows.problem)),
        source=path, line=line, lines=(rows.word_lines + 1).tolist(),
    )  # fmt: skip


class _Header:
    """A header `# global.Entity`: the names of the fields, which of them is the entity, what the others mean."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.line = text, line
        self.names = text.partition("=")[2].strip().split("-")
        self.index = next((self.names.index(name) for name in ENTITY if name in self.names), -1)
        self.others = [name for index, name in enumerate(self.names) if index != self.index]
        self._meanings: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {}

    def cut(self, opener: str) -> tuple[str, str]:
        """The label of a mention, empty if there is none, and its other fields."""
        values = opener.split("-", len(self.names) - 1)
        label = values.pop(self.index) if self.index < len(values) else ""
        return label, "-".join(values)

    def meaning(self, fields: str) -> tuple[int, tuple[tuple[str, str], ...]]:
        """The number of the head that the other fields give (0 if they do not), and the attributes."""
        known = self._meanings.get(fields)
        if known is None:
            found = dict(zip(self.others, fields.split("-", max(len(self.others) - 1, 0)), strict=False))
            head = found.pop("head", "") or "0"
            number = int(head) if _WORD.fullmatch(head) else 10**_DIGITS
            attributes = tuple((name, value) for name, value in found.items() if value and name not in ENTITY)
            known = self._meanings[fields] = number, attributes
        return known


class _Entities:
    """The mentions of a document while they are read, numbered as they are opened."""

    def __init__(self, rows: _Rows, header: _Header | None, path: str) -> None:
        self.rows, self.problem, self.places, self.path = rows, rows.problem, rows.places, path
        self.header = header
        self.found: list[tuple[str, str, int]] = []  # entity, the other fields, line
        self.spans: list[tuple[int, ...]] = []
        self.open: dict[str, list[tuple[int, int]]] = {}  # mentions and where they began, by the label that closes them
        self.waiting: dict[str, list[int]] = {}  # discontinuous mentions, by the label of their next piece

    def read(self, cell: str, node: int, line: int) -> None:
        """Read what `Entity=` says of a node: brackets that open and close, in any order."""
        header = self.header
        if header is None or header.index < 0:
            self._refuse(cell, line)
        closers, *openers = cell.split("(")
        if closers:
            self._close(closers, node, line)
        for each in openers:
            opener, bracket, closers = each.partition(")")
            label, fields = header.cut(opener) if header.index else opener.partition("-")[::2]
            number: int | None = len(self.spans)
            if label and label[-1] != "]":
                self.found.append((label, fields, line))
                self.spans.append(())
            else:
                number = self._piece(opener, label, fields, line)
            if number is not None and bracket:
                self._add(label, number, node, node)
            elif number is not None:
                self.open.setdefault(label, []).append((number, node))
            if closers:
                self._close(closers, node, line)

    def _refuse(self, cell: str, line: int) -> NoReturn:
        if self.header is None:
            raise Error("no-entities", "no header # global.Entity", path=self.path, line=line, text=f"Entity={cell}",
                        expected=HEADER, remedy="add the header that the file was made with")  # fmt: skip
        raise Error(
            "no-entities", "the annotation has types, but no entities", path=self.path, line=self.header.line,
            text="-".join(self.header.names), expected=f"{HEADER}, with eid or GRP",
            remedy="this is no coreference file",
        )  # fmt: skip

    def _piece(self, opener: str, label: str, fields: str, line: int) -> int | None:
        """The number of a mention that has a piece here, the first or the next; None if this is wrong."""
        piece = _PIECE.fullmatch(label)
        if not label:
            self.problem(line, "bracket-syntax", "a mention without an entity", f"({opener}", HEADER)
            return None
        if not piece or int(piece[2]) == 1:
            self.found.append((piece[1] if piece else label, fields, line))
            self.spans.append(())
            return len(self.spans) - 1
        waiting = self.waiting.get(label)
        if not waiting:
            self.problem(line, "missing-piece", "a piece of a mention whose earlier pieces are missing",
                         f"({opener}", f"{piece[1]}[{int(piece[2]) - 1}/{piece[3]}] before it")  # fmt: skip
            return None
        self.found[waiting[-1]] = piece[1], fields, line
        return waiting.pop()

    def _close(self, closers: str, node: int, line: int) -> None:
        *labels, rest = closers.split(")")
        for label in labels:
            stack = self.open.get(label)
            if stack:
                self._add(label, *stack.pop(), node)
                if not stack:
                    del self.open[label]
            else:
                self.problem(line, "unopened-mention", "a mention is closed that was never opened", f"{label})",
                             f'"({label}" before it in the sentence')  # fmt: skip
        if rest:
            self.problem(line, "bracket-syntax", "not an Entity annotation", rest, '"(e1-...", "e1)" or "(e1-...)"')

    def _add(self, label: str, number: int, first: int, last: int) -> None:
        """Give a mention the nodes from first to last."""
        self.spans[number] += self.places[first : last + 1]
        piece = _PIECE.fullmatch(label) if label[-1] == "]" else None
        if piece:
            self.spans[number] = tuple(dict.fromkeys(self.spans[number]))
            if int(piece[2]) < int(piece[3]):
                self.waiting.setdefault(f"{piece[1]}[{int(piece[2]) + 1}/{piece[3]}]", []).append(number)

    def end_of_sentence(self) -> None:
        """Report and forget what is still open."""
        if not self.open and not self.waiting:
            return
        for label, stack in self.open.items():
            for number, _ in stack:
                self.spans[number] = ()
                self.problem(self.found[number][2], "unclosed-mention", "mention never closed", f"({label}",
                             f'"{label})" in the same sentence')  # fmt: skip
        for label, numbers in self.waiting.items():
            for number in numbers:
                self.spans[number] = ()
                self.problem(self.found[number][2], "missing-piece", "a discontinuous mention without its last piece",
                             self.found[number][0], f"({label} in the same sentence")  # fmt: skip
        self.open.clear()
        self.waiting.clear()

    def mentions(self) -> list[Mention]:
        """The mentions, in the order of their first nodes, longer ones first."""
        mentions = []
        for (entity, fields, line), span in zip(self.found, self.spans, strict=True):
            if not span:
                continue
            number, attributes = self.header.meaning(fields) if self.header else (0, ())
            if number > len(span):
                self.problem(line, "bad-head", "a head outside of its mention", f"({entity}-{fields}",
                             f"a number from 1 to {len(span)}", fatal=len(span) > 1)  # fmt: skip
                number = 0
            head = span[number - 1 if number else 0]
            parents = self.rows.parents(head) if head in self.rows.empty else ()
            mentions.append(Mention(span, entity, None, (), attributes, head, parents))
        mentions.sort(key=lambda mention: (mention[0][0], -len(mention[0]), mention[0][-1], mention[1]))
        return mentions


def _sets(splits: list[tuple[int, str]], mentions: list[Mention], problem: Report) -> dict[Any, tuple[Any, ...]]:
    names = dict.fromkeys(mention.entity for mention in mentions) if splits else ()
    order = {entity: number for number, entity in enumerate(names)}
    sets: dict[Any, dict[Any, None]] = {}
    for line, value in splits:
        for pair in value.split(","):
            member, less, entity = pair.partition("<")
            if not less or member not in order or entity not in order:
                problem(line, "bad-split", "a split antecedent from or to an entity that is not there",
                        f"SplitAnte={pair}", "SplitAnte=e1<e3,e2<e3", fatal=not less)  # fmt: skip
            else:
                sets.setdefault(entity, {})[member] = None
    return {entity: tuple(sorted(members, key=order.__getitem__)) for entity, members in sets.items()}


def _bridges(links: list[tuple[int, int, str]], mentions: list[Mention], problem: Report) -> Iterator[Bridge]:
    """Bridges from the mention that begins where one is written to the nearest mention of the antecedent."""
    firsts = [mention.span[0] for mention in mentions] if links else []
    for line, place, value in links:
        here, after = bisect_left(firsts, place), bisect_right(firsts, place)
        for link in value.split(","):
            names, _, relation = link.partition(":")
            antecedent, _, anaphor = names.partition("<")
            nearest = chain(reversed(range(after)), range(after, len(mentions)))
            target = next((index for index in nearest if mentions[index].entity == antecedent), None)
            start = next((index for index in range(here, after) if mentions[index].entity == anaphor), None)
            if target is None or start is None or antecedent == anaphor:
                problem(line, "bad-bridge", "bridging to or from an entity not there", f"Bridge={link}",
                        "Bridge=e2<e5:relation, with a mention of e5 that begins here", fatal=False)  # fmt: skip
            else:
                yield Bridge(start, target, (("Rel", relation),) if relation else ())


def _other_misc(cell: str) -> str:
    return "|".join(pair for pair in cell.split("|") if pair.partition("=")[0] not in _OURS) or "_"


class _Columns(Mapping[str, Sequence[str]]):
    """The columns beside the word that are not empty, cut when first looked at; MISC without what is read from it."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    @cached_property
    def _cells(self) -> dict[str, list[str]]:
        rows = [line.split("\t") for line in self._body.decode().split("\n")]
        rows = [(row[2:] + ["_"] * WIDTH)[: len(COLUMNS)] for row in rows if _WORD.fullmatch(row[0]) and len(row) > 1]
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


def sniff(data: bytes) -> bool:
    """Whether there is a header `# global.Entity`, or MISC with Entity brackets in ten columns."""
    if b"global.columns" in data and re.search(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, re.MULTILINE):
        return False  # CONLL-UA that was converted from CorefUD
    if b"global.Entity" in data and re.search(rb"^#\s*global\.Entity\s*=", data, re.MULTILINE):
        return True
    return (
        b"Entity=" in data and re.search(rb"^\d+(\t[^\t\n]*){8}\t([^\t\n]*\|)?Entity=", data, re.MULTILINE) is not None
    )


FORMAT = Format("corefud", "CorefUD in CoNLL-U", ".conllu", "crac-2026", sniff, read, write)
