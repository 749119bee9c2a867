"""The markables of a column of a CONLL-UA document, and the brackets and attributes that describe them."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache

from ...document.mentions import Attributes
from ..source import Misread
from .lines import UANodes
from .write import LAYERS

_BRACKET = re.compile(r"(\()([^()]*)(\)?)|([^()]+\)?|\))")
_OPENER = re.compile(r"\(EntityID=([^|()]+)\|MarkableID=([^|()]+)(?:\|Min=([^|()]*))?(?:\|([^()]*))?(\))?")
_LEADING = ("EntityID", "MarkableID", "Min", "ElementOf")


class Markable:
    """A mention while it is read: where it was first opened, what its opener says, the nodes of its pieces.

    `opened` is the node where its last piece begins, None once the piece is closed.
    """

    __slots__ = ("attributes", "entity", "id", "line", "minimum", "opened", "pieces")

    def __init__(self, id: str, entity: str, line: int, attributes: Attributes, opened: int, minimum: str = "") -> None:
        self.id, self.entity, self.line, self.attributes, self.minimum = id, entity, line, attributes, minimum
        self.opened: int | None = opened
        self.pieces: list[tuple[int, int]] = []

    def close(self, node: int) -> None:
        """End its last piece at a node, unless it is closed already."""
        if self.opened is not None:
            self.pieces.append((self.opened, node))
            self.opened = None


class Layer:
    """The mentions of one column of a document, those that are still open, and the members of sets."""

    def __init__(self, nodes: UANodes, column: str) -> None:
        self.markables: dict[str, Markable] = {}
        self.open: list[Markable] = []
        self.elements: dict[Hashable, dict[Hashable, None]] = {}
        for node, line, cell in nodes.column(column):
            if cell == ")" and self.open:
                self.open.pop().close(node)
            elif not self._usual(cell, node, line):
                wrong = self._read(cell, node, line)
                nodes.text.wrong += [(line, LAYERS.index(column), misread) for misread in wrong]

    def _usual(self, cell: str, node: int, line: int) -> bool:
        """Read a cell of the most frequent kind, which opens one mention; False if it is another kind."""
        usual = _OPENER.fullmatch(cell)
        if not usual:
            return False
        entity, id, minimum, more, closed = usual.groups()
        attributes = pairs(more, "") if more is not None else ()
        if attributes is None or id in self.markables:
            return False
        if minimum is not None:
            attributes = (("Min", minimum), *attributes)
        self.markables[id] = Markable(id, entity, line, attributes, node, minimum or "")
        self._add(self.markables[id], closed, node)
        return True

    def _read(self, cell: str, node: int, line: int) -> list[Misread]:
        """Read the brackets of any cell; gives the errors in it."""
        brackets, wrong = cut_brackets(cell)
        for opens, opener, closed, closer in brackets:
            try:
                if opens:
                    self._open(opener, closed, node, line)
                else:
                    self._close(closer[:-1], node)
            except Misread as misread:
                wrong.append(misread)
        return wrong

    def _open(self, opener: str, closed: str, node: int, line: int) -> None:
        try:
            markable = self._opened(opener, node, line)
        except Misread:
            if not closed:  # a stand-in, so that its closing bracket has a partner
                named = re.search(r"MarkableID=([^|]*)", opener)
                self.open.append(Markable(named[1] if named else "", "", line, (), node))
            raise
        self._add(markable, closed, node)

    def _add(self, markable: Markable, closed: str, node: int) -> None:
        if closed:
            markable.close(node)
        else:
            self.open.append(markable)

    def _opened(self, opener: str, node: int, line: int) -> Markable:
        """The markable that an opener names, with a piece that begins here."""
        entity, id, attributes, sets = _parsed(opener)
        for target in sets:
            self.elements.setdefault(target, {})[entity] = None
        known = self.markables.get(id)
        if known is None:
            self.markables[id] = known = Markable(id, entity, line, attributes, node, dict(attributes).get("Min", ""))
        elif known.opened is not None or known.entity != entity:
            expected = f"another MarkableID than in line {known.line + 1}"
            raise Misread("repeated-markable", f"markable {id} for the second time", f"({opener}", expected)
        else:
            known.opened = node
        return known

    def _close(self, name: str, node: int) -> None:
        for index in range(len(self.open) - 1, -1, -1):
            if not name or self.open[index].id == name:
                self.open.pop(index).close(node)
                return
        message = "a mention is closed that was never opened"
        raise Misread("unopened-mention", message, f"{name})", '"(EntityID=..." before it')


def cut_brackets(cell: str) -> tuple[list[tuple[str, str, str, str]], list[Misread]]:
    """The brackets of a cell and its errors; a bracket is "(", its text and ")" if closed at once, or a closer."""
    brackets = _BRACKET.findall(cell)
    stray = next((number for number, (*_, closer) in enumerate(brackets) if closer and closer[-1] != ")"), None)
    if stray is None:
        return brackets, []
    expected = '"_", or ")" and "(Name=Value|Name=Value"'
    return brackets[:stray], [Misread("bracket-syntax", "not a cell of brackets", cell, expected)]


def _parsed(opener: str) -> tuple[str, str, Attributes, list[str]]:
    """The parts of an opener: the entity, the id, attributes, and the sets that the entity is an element of."""
    found = attributes_of(opener)
    missing = [name for name in ("EntityID", "MarkableID") if not found.get(name)]
    if missing:
        message, expected = f"a mention without {' and '.join(missing)}", "(EntityID=...|MarkableID=..."
        raise Misread("missing-attribute", message, f"({opener}", expected)
    entity, id, sets = found.pop("EntityID"), found.pop("MarkableID"), found.pop("ElementOf", "")
    return entity, id, tuple(found.items()), [target for target in sets.split(",") if target]


def attributes_of(text: str) -> dict[str, str]:
    """The names and values of an opener, `Name=Value|Name=Value`."""
    found = {}
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if not equals or name in found:
            raise Misread("bracket-syntax", "attributes that cannot be understood", f"({text}", "Name=Value|Name=Value")
        found[name] = value
    return found


@lru_cache(1 << 12)
def pairs(text: str, column: str) -> Attributes | None:
    """Attributes with the column as a prefix; None if they are malformed, or name an entity, markable or set.

    Cached, as files repeat the same attributes.
    """
    try:
        found = attributes_of(text)
    except Misread:
        return None
    return None if not found.keys().isdisjoint(_LEADING) else tuple((column + name, found[name]) for name in found)


def merged(first: Attributes, more: Attributes) -> Attributes:
    """Attributes, and more of them; of two with one name the later counts."""
    least = not first or (len(first) == 1 and first[0][0] == "Min")  # the usual case: no name can be repeated
    return first + more if least else tuple(dict(first + more).items())
