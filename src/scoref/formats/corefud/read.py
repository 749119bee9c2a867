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
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from ...document.document import Bridge, Document, Integers, Mention, Origin, Span
from ...document.mentions import AnyMentions, ListedMentions
from ...document.spans import EMPTY, span_of
from ...problems import Error, Problems
from ..source import Source
from .brackets import Brackets
from .lines import DIGITS, WORD, Columns, Lines, Rows, Texts, report
from .write import ENTITY, GLOBAL, HEADER

_PIECE = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CorefUD file."""
    lines = Lines(source.data)
    headers = [line for line, text in lines.comments.items() if "global" in text and GLOBAL.match(text)]
    parts = [(_block(lines, line), line, (name or "").strip()) for line, name in lines.newdocs.items()]
    tokens = np.flatnonzero(lines.number)
    if len(tokens) and (not parts or tokens[0] < parts[0][1]):
        report(problems, source.name, None)(int(tokens[0]) + 1, "no-newdoc", "sentences before any document",
                                             None, "# newdoc id = NAME", fatal=False)  # fmt: skip
        parts.insert(0, (0, 0, ""))
    if not parts:
        return
    parts[0] = (0, *parts[0][1:])
    names: dict[str, int] = {}
    header = _Header(lines.comments[headers[0]], headers[0] + 1) if headers else None
    texts = Texts(lines, [begin for begin, _, _ in parts])
    alike = header is not None and header.index == 0 and len({lines.comments[line] for line in headers}) == 1
    brackets = Brackets(texts, header.meaning) if header and alike else None
    for index, (begin, line, written) in enumerate(parts):
        name = written or str(index + 1)
        problem = report(problems, source.name, name)
        if name in names:
            problem(line + 1, "repeated-document", f"document {name} for the second time", name,
                    f"another name than in line {names[name]}")  # fmt: skip
            continue
        names[name] = line + 1
        rows = Rows(texts, index, problem)
        own = headers[bisect_left(headers, begin) : bisect_left(headers, rows.end)]
        if own and (header is None or lines.comments[own[-1]] != header.text):
            header = _Header(lines.comments[own[-1]], own[-1] + 1)
        elif header and not own:
            rows.others.insert(0, (0, header.text))
        if brackets and not (brackets.odd[index] or brackets.mixed[index] or rows.bad_nodes):
            mentions: AnyMentions = brackets.mentions(index)
        else:
            entities = _Entities(rows, header, source.name)
            plain = brackets and not (brackets.odd[index] or rows.bad_nodes)
            if not (brackets and plain and entities.take(*brackets.lists(index))):
                entities = _Entities(rows, header, source.name)
                entities.read_all()
            mentions = entities.mentions()
        yield _document(rows, name, mentions, line + 1, source.name)


def _block(lines: Lines, line: int) -> int:
    """The first of the comments that this one stands with."""
    while line - 1 in lines.comments:
        line -= 1
    return line


def _document(rows: Rows, name: str, mentions: AnyMentions, line: int, path: str) -> Document:
    lines = rows.lines
    columns = Columns(lines.data, *rows.bounds)
    return Document(
        name, rows.words, mentions, tuple(rows.sentences), columns, tuple(rows.others),
        sets=_sets(rows, mentions), bridges=tuple(_bridges(rows, mentions)),
        origin=Origin(path, line, array("q", (rows.word_lines + 1).tobytes())),
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
            number = int(head) if WORD.fullmatch(head) else 10**DIGITS
            attributes = tuple((name, value) for name, value in found.items() if value and name not in ENTITY)
            known = self._meanings[fields] = number, attributes
        return known


class _Entities:
    """The mentions of a document while they are read, numbered as they are opened."""

    def __init__(self, rows: Rows, header: _Header | None, path: str) -> None:
        self.rows, self.problem, self.places, self.path = rows, rows.problem, rows.places, path
        self.header = header
        self.found: list[tuple[str, str, int]] = []  # entity, the other fields, line
        self.first: list[int] = []  # their first and last nodes, -1 as long as there is none
        self.last: list[int] = []
        self.earlier: dict[int, list[tuple[int, int]]] = {}  # pieces before the last one
        self.open: dict[str, list[tuple[int, int]]] = {}  # mentions and where they began, by the label that closes them
        self.waiting: dict[str, list[int]] = {}  # discontinuous mentions, by the label of their next piece

    def take(self, found: list[tuple[str, str, int]], lines: Integers, events: list[tuple[int, bool]]) -> bool:
        """Take what was found already, by the lines of its ends, and join its pieces; False if these do not fit.

        Pieces open and close in the order of `events`.
        """
        self.found = found
        self.first, self.last = np.searchsorted(self.rows.nodes, lines.T).tolist()
        ends = {piece: (self.first[piece], self.last[piece]) for piece, closes in events if not closes}
        sentences = self.rows.lines.sentence[lines[:, 0]].tolist()
        of: dict[int, int] = {}  # the mention of each piece: the number of its first piece
        labels = [label for label, _, _ in found]
        before = -1
        for piece, closes in events:
            if sentences[piece] != before:
                if any(self.waiting.values()):
                    return False
                before = sentences[piece]
            if closes:
                self._add(labels[piece], of[piece], *ends[piece])
                continue
            label, fields, line = found[piece]
            match = _PIECE.fullmatch(label)
            if not match or (int(match[2]) != 1 and not self.waiting.get(label)):
                return False
            self.last[piece] = -1
            of[piece] = piece if int(match[2]) == 1 else self.waiting[label].pop()
            found[of[piece]] = match[1], fields, line
        return not any(self.waiting.values())

    def read_all(self) -> None:
        """Read the brackets of the document one by one."""
        cells = self.rows.values("Entity")
        sentence = -1
        sentences = self.rows.lines.sentence[[each[0] for each in cells]].tolist() if cells else []
        for (at, node, cell), now in zip(cells, sentences, strict=True):
            if now != sentence:
                self.end_of_sentence()
                sentence = now
            self.read(cell, node, at + 1)
        self.end_of_sentence()

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
            if label and label[-1] != "]":
                self.found.append((label, fields, line))
                self.first.append(node)
                self.last.append(node if bracket else -1)
                if not bracket:
                    self.open.setdefault(label, []).append((len(self.last) - 1, node))
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
            self.first.append(-1)
            self.last.append(-1)
            return len(self.last) - 1
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
        if self.last[number] >= 0:
            self.earlier.setdefault(number, []).append((self.first[number], self.last[number]))
        self.first[number], self.last[number] = first, last
        piece = _PIECE.fullmatch(label) if label[-1] == "]" else None
        if piece and int(piece[2]) < int(piece[3]):
            self.waiting.setdefault(f"{piece[1]}[{int(piece[2]) + 1}/{piece[3]}]", []).append(number)

    def end_of_sentence(self) -> None:
        """Report and forget what is still open."""
        if not self.open and not self.waiting:
            return
        for label, stack in self.open.items():
            for number, _ in stack:
                self.last[number] = -1
                self.problem(self.found[number][2], "unclosed-mention", "mention never closed", f"({label}",
                             f'"{label})" in the same sentence')  # fmt: skip
        for label, numbers in self.waiting.items():
            for number in numbers:
                self.last[number] = -1
                self.problem(self.found[number][2], "missing-piece", "a discontinuous mention without its last piece",
                             self.found[number][0], f"({label} in the same sentence")  # fmt: skip
        self.open.clear()
        self.waiting.clear()

    def mentions(self) -> ListedMentions:
        """The mentions, in the order of their first nodes, longer ones first."""
        made: list[tuple[int, int, int, str, int, Mention]] = []
        places, empty = self.places, self.rows.empty
        meaning = self.header.meaning if self.header else lambda _: (0, ())
        for number, (first, last) in enumerate(zip(self.first, self.last, strict=True)):
            if last < 0:
                continue
            entity, fields, line = self.found[number]
            begin, end = places[first], places[last]
            span: Span
            if number in self.earlier:
                span = self._joined(number)
            elif end - begin == (last - first) << 8 and not begin & EMPTY:  # words alone
                span = range(begin, end + 1, 1 << 8)
            else:
                span = places[first : last + 1]
            size = len(span)
            head, attributes = meaning(fields)
            if head > size:
                self.problem(line, "bad-head", "a head outside of its mention", f"({entity}-{fields}",
                             f"a number from 1 to {size}", fatal=size > 1)  # fmt: skip
                head = 0
            place = span[head - 1 if head else 0]
            parents = self.rows.parents(place) if place in empty else ()
            mention = tuple.__new__(Mention, (span, entity, None, (), attributes, place, parents))  # faster than a call
            made.append((span[0], -size, span[-1], entity, number, mention))
        return ListedMentions([each[-1] for each in sorted(made)])

    def _joined(self, number: int) -> Span:
        """The span of a mention in pieces."""
        pieces = [*self.earlier[number], (self.first[number], self.last[number])]
        return span_of(dict.fromkeys(place for begin, end in pieces for place in self.places[begin : end + 1]))


def _sets(rows: Rows, mentions: AnyMentions) -> dict[Any, tuple[Any, ...]]:
    splits = rows.values("SplitAnte")
    order = {entity: number for number, entity in enumerate(mentions.names if splits else ())}
    sets: dict[Any, dict[Any, None]] = {}
    for line, _, value in splits:
        for pair in value.split(","):
            member, less, entity = pair.partition("<")
            if not less or member not in order or entity not in order:
                rows.problem(line + 1, "bad-split", "a split antecedent from or to an entity that is not there",
                             f"SplitAnte={pair}", "SplitAnte=e1<e3,e2<e3", fatal=not less)  # fmt: skip
            else:
                sets.setdefault(entity, {})[member] = None
    return {entity: tuple(sorted(members, key=order.__getitem__)) for entity, members in sets.items()}


def _bridges(rows: Rows, mentions: AnyMentions) -> Iterator[Bridge]:
    """Bridges from the mention that begins where one is written to the nearest mention of the antecedent."""
    links = rows.values("Bridge")
    if not links:
        return
    firsts = [span[0] for span in mentions.spans]
    entities = mentions.entities
    of: dict[Any, list[int]] = {name: [] for *_, value in links for name in re.split("[,<:]", value)}
    for index, entity in enumerate(entities):
        if entity in of:
            of[entity].append(index)
    for line, node, value in links:
        here, after = bisect_left(firsts, rows.places[node]), bisect_right(firsts, rows.places[node])
        for link in value.split(","):
            names, _, relation = link.partition(":")
            antecedent, _, anaphor = names.partition("<")
            targets = of.get(antecedent, [])
            nearest = max(bisect_left(targets, after) - 1, 0)
            start = next((index for index in range(here, after) if entities[index] == anaphor), None)
            if not targets or start is None or antecedent == anaphor:
                rows.problem(line + 1, "bad-bridge", "bridging to or from an entity not there", f"Bridge={link}",
                             "Bridge=e2<e5:relation, with a mention of e5 that begins here", fatal=False)  # fmt: skip
            else:
                yield Bridge(start, targets[nearest], (("Rel", relation),) if relation else ())
