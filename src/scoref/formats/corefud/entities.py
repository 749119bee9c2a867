"""Reads the mentions of any CorefUD document bracket by bracket."""

from __future__ import annotations

import re
from functools import cache
from typing import NoReturn

from ...document.document import Mention
from ...document.mentions import Attributes, ListedMentions
from ...document.spans import span_of
from .lines import DIGITS, WORD, DocumentNodes
from .write import ENTITY, HEADER

_PIECE = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")


class EntityHeader:
    """A header `# global.Entity`: the names of the fields, which of them is the entity, and what the others mean."""

    def __init__(self, text: str, line: int) -> None:
        self.text, self.line = text, line
        self.names = text.partition("=")[2].strip().split("-")
        self.index = next((self.names.index(name) for name in ENTITY if name in self.names), -1)
        self.others = [name for index, name in enumerate(self.names) if index != self.index]
        self.meaning = cache(self._meaning)

    def cut(self, opener: str) -> tuple[str, str]:
        """The label of a mention, empty if there is none, and its other fields."""
        values = opener.split("-", len(self.names) - 1)
        label = values.pop(self.index) if self.index < len(values) else ""
        return label, "-".join(values)

    def _meaning(self, fields: str) -> tuple[int, Attributes]:
        """The number of the head that the other fields give (0 if they do not), and the attributes."""
        found = dict(zip(self.others, fields.split("-", max(len(self.others) - 1, 0)), strict=False))
        head = found.pop("head", "") or "0"
        number = int(head) if WORD.fullmatch(head) else 10**DIGITS
        return number, tuple((name, value) for name, value in found.items() if value and name not in ENTITY)


class OpenMentions:
    """The mentions of a document while they are read, numbered as they are opened."""

    def __init__(self, nodes: DocumentNodes, header: EntityHeader | None) -> None:
        self.nodes, self.report, self.places, self.header = nodes, nodes.report, nodes.places, header
        self.found: list[tuple[str, str, int]] = []  # entity, the other fields, line
        self.pieces: list[list[tuple[int, int]]] = []  # their first and last nodes, as far as they are closed
        self.open: dict[str, list[tuple[int, int]]] = {}  # mentions and where they began, by the label that closes them
        self.waiting: dict[str, list[int]] = {}  # discontinuous mentions, by the label of their next piece

    def read_all(self) -> ListedMentions:
        """The mentions of the document, whose brackets are read one by one."""
        cells = self.nodes.values("Entity")
        sentence = -1
        sentences = self.nodes.lines.sentence[[line for line, _, _ in cells]].tolist() if cells else []
        for (at, node, cell), now in zip(cells, sentences, strict=True):
            if now != sentence:
                self._end_of_sentence()
                sentence = now
            self._read(cell, node, at + 1)
        self._end_of_sentence()
        return self._mentions()

    def _read(self, cell: str, node: int, line: int) -> None:
        """Read what `Entity=` says of a node: brackets that open and close, in any order."""
        header = self.header
        if header is None or header.index < 0:
            self._refuse(cell, line)
        closers, *openers = cell.split("(")
        if closers:
            self._close(closers, node, line)
        for chunk in openers:
            opener, bracket, closers = chunk.partition(")")
            label, fields = header.cut(opener) if header.index else opener.partition("-")[::2]
            number = self._begun(opener, label, fields, line)
            if number is not None and bracket:
                self._add(label, number, node, node)
            elif number is not None:
                self.open.setdefault(label, []).append((number, node))
            if closers:
                self._close(closers, node, line)

    def _refuse(self, cell: str, line: int) -> NoReturn:
        report = self.report.of(None)
        if self.header is None:
            remedy, message = "add the header that the file was made with", "no header # global.Entity"
            raise report.error("no-entities", message, line, f"Entity={cell}", HEADER, remedy=remedy)
        names, expected = "-".join(self.header.names), f"{HEADER}, with eid or GRP"
        remedy, message = "this is no coreference file", "the annotation has types, but no entities"
        raise report.error("no-entities", message, self.header.line, names, expected, remedy=remedy)

    def _begun(self, opener: str, label: str, fields: str, line: int) -> int | None:
        """The number of the mention that begins or continues here; None, after a report, if it cannot."""
        if not label:
            self.report("bracket-syntax", "a mention without an entity", line, f"({opener}", HEADER)
            return None
        piece = _PIECE.fullmatch(label) if label[-1] == "]" else None
        if not piece or int(piece[2]) == 1:
            self.found.append((piece[1] if piece else label, fields, line))
            self.pieces.append([])
            return len(self.found) - 1
        waiting = self.waiting.get(label)
        if not waiting:
            message = "a piece of a mention whose earlier pieces are missing"
            expected = f"{piece[1]}[{int(piece[2]) - 1}/{piece[3]}] before it"
            self.report("missing-piece", message, line, f"({opener}", expected)
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
                message, expected = "a mention is closed that was never opened", f'"({label}" before it in the sentence'
                self.report("unopened-mention", message, line, f"{label})", expected)
        if rest:
            self.report("bracket-syntax", "not an Entity annotation", line, rest, '"(e1-...", "e1)" or "(e1-...)"')

    def _add(self, label: str, number: int, first: int, last: int) -> None:
        """Give a mention the nodes from first to last."""
        self.pieces[number].append((first, last))
        piece = _PIECE.fullmatch(label) if label[-1] == "]" else None
        if piece and int(piece[2]) < int(piece[3]):
            self.waiting.setdefault(f"{piece[1]}[{int(piece[2]) + 1}/{piece[3]}]", []).append(number)

    def _end_of_sentence(self) -> None:
        """Report and drop mentions that are still open."""
        for label, stack in self.open.items():
            for number, _ in stack:
                self.pieces[number].clear()
                line, expected = self.found[number][2], f'"{label})" in the same sentence'
                self.report("unclosed-mention", "mention never closed", line, f"({label}", expected)
        for label, numbers in self.waiting.items():
            for number in numbers:
                self.pieces[number].clear()
                entity, _, line = self.found[number]
                message, expected = "a discontinuous mention without its last piece", f"({label} in the same sentence"
                self.report("missing-piece", message, line, entity, expected)
        self.open.clear()
        self.waiting.clear()

    def _mentions(self) -> ListedMentions:
        """The mentions, in the order of their first nodes, longer ones first."""
        ordered: list[tuple[int, int, int, str, int, Mention]] = []
        places, empty = self.places, self.nodes.empty
        meaning = self.header.meaning if self.header else lambda _: (0, ())
        for number, (pieces, (entity, fields, line)) in enumerate(zip(self.pieces, self.found, strict=True)):
            if not pieces:
                continue
            span = span_of(places[pieces[0][0] : pieces[0][1] + 1])
            if len(pieces) > 1:
                span = span_of(dict.fromkeys(place for first, last in pieces for place in places[first : last + 1]))
            size = len(span)
            head, attributes = meaning(fields)
            if head > size:
                opener, expected = f"({entity}-{fields}", f"a number from 1 to {size}"
                self.report("bad-head", "a head outside of its mention", line, opener, expected, fatal=size > 1)
                head = 0
            place = span[head - 1 if head else 0]
            parents = self.nodes.parents(place) if place in empty else ()
            mention = tuple.__new__(Mention, (span, entity, None, (), attributes, place, parents))  # faster than a call
            ordered.append((span[0], -size, span[-1], entity, number, mention))
        return ListedMentions([mention for *_, mention in sorted(ordered)])
