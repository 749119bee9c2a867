"""CONLL-UA files, the exchange format of Universal Anaphora: one token a line, a column for each kind of annotation.

| column | what is read |
|---|---|
| `ID` | a whole number, or one with a dot for an empty node (a zero) |
| `FORM` | the word |
| `IDENTITY` | mentions: `(EntityID=1|MarkableID=m1|Min=2,3|ElementOf=7`, closed by `)` or by `m1)` |
| `BRIDGING` | `(MarkableID=m5|Rel=poss|MentionAnchor=m2|EntityAnchor=2)` |
| `DISCOURSE_DEIXIS` | mentions, as in `IDENTITY` |
| `REFERENCE`, `NOM_SEM` | attributes of a mention, named by its `MarkableID` |

The order of columns is that of `# global.columns`; columns that a file does not have are empty, others are kept for
conversion. Cells are separated by tabs, or by blanks in lines that have no tab. An entity whose name ends in `-Pseudo`
is non-referring. A markable that is opened again has another piece. `Min` counts the tokens of the document from 1.

Lines and cells are found by array operations on the bytes of the file; Python looks at comments and, column by column,
at annotations. Words and other columns stay in the bytes until somebody asks for them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter

import numpy as np

from ...document.document import Bridge, Document, Mention, Origin, Span, stretch, word_of
from ...problems import Problem, Problems
from ..columnar import Cells
from ..source import SKIP, Source
from .lines import NEEDED, Columns, Lines, Rows, Table, Text, Wrong
from .write import ATTRIBUTES, LAYERS, NAMED, NEWDOC, PSEUDO, STANDARD

_BRACKET = re.compile(r"(\()([^()]*)(\)?)|([^()]+\)?|\))")
_OPENER = re.compile(r"\(EntityID=([^|()]+)\|MarkableID=([^|()]+)(?:\|Min=([^|()]*))?(?:\|([^()]*))?(\))?")
_DESCRIPTION = re.compile(r"\(MarkableID=([^|()]+)\|([^()]*)\)?")
_LEADING = ("EntityID", "MarkableID", "Min", "ElementOf")
_MINIMUM = re.compile(r"(\d{1,9})(?:,(\d{1,9}))?")

_Pairs = tuple[tuple[str, str], ...]
_Report = Callable[..., None]  # of a line from 0: code, message, text, what was expected, whether it is fatal


class _Wrong(Exception):
    """Something that cannot be understood."""

    def __init__(self, *what: str) -> None:
        self.what: Wrong = what  # type: ignore[assignment]


# -- documents -------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CONLL-UA file."""
    lines = Lines(source.data)
    columns = STANDARD
    tables: dict[tuple[str, ...], Table] = {columns: Table(lines, columns)}
    names: dict[str, int] = {}
    text = Text(None, 0, 0, columns)
    for line, written in lines.comments():
        if line in tables[columns].hashed:
            continue
        header = NEWDOC.match(written) if "newdoc" in written else None
        named = NAMED.match(written) if "global" in written else None
        if header:
            yield from _finished(text, line, tables[text.columns], names, source.name, problems)
            if not header[1]:
                problems.add(Problem("unnamed-document", "a document without a name", source.name, line + 1, text.name,
                                     written, "# newdoc id = NAME", SKIP))  # fmt: skip
            before = text.comments if text.name is None else []
            text = Text((header[1] or "").strip(), line, line, columns, before)
        elif named:
            columns = tuple(named[1].split())
            if not {*columns} >= {*NEEDED}:
                text.wrong.append((line, 0, ("missing-column", "a needed column is missing", written,
                                             "ID, FORM and IDENTITY")))  # fmt: skip
                columns = STANDARD
            if columns not in tables:
                tables[columns] = Table(lines, columns)
            if not len(tables[text.columns].words(text.begin, line)):
                if text.name is not None:
                    text.wrong += tables[text.columns].wrong_lines(text.begin, line)
                text.columns, text.begin = columns, line
        else:
            text.comments.append((line, written.rstrip()))
    yield from _finished(text, len(lines.start), tables[text.columns], names, source.name, problems)


def _finished(
    text: Text, end: int, table: Table, names: dict[str, int], path: str, problems: Problems
) -> Iterator[Document]:
    """The document, once its last line is known; what is wrong with its lines is reported in their order."""

    def report(
        line: int, code: str, message: str, shown: str | None = None, expected: str | None = None, fatal: bool = True
    ) -> None:
        problems.add(Problem(code, message, path, line + 1, text.name, shown, expected, SKIP, fatal))

    rows = Rows(text, end, table)
    layers = [_Layer(rows, column) for column in LAYERS] if text.name is not None else []
    for line, _, wrong in sorted(text.wrong, key=lambda each: each[:2]):
        report(line, *wrong)
    if text.name is None:
        return
    if text.name in names:
        report(text.line, "repeated-document", f"document {text.name} for the second time", text.name,
               f"another name than in line {names[text.name] + 1}")  # fmt: skip
        return
    names[text.name] = text.line
    identity, deixis = layers
    starts = np.flatnonzero(np.diff(table.lines.sentence[rows.words], prepend=-1))
    document = Document(
        text.name,
        Cells(table.lines.data, *table.bounds("FORM", rows.words)),
        sentences=tuple(starts.tolist()),
        columns=Columns(table, rows.words),
        comments=tuple(zip(np.searchsorted(rows.words, [line for line, _ in text.comments]).tolist(),
                           [comment for _, comment in text.comments], strict=True)),
        origin=Origin(path, text.line + 1, array("q", (rows.words + 1).tobytes())),
    )  # fmt: skip
    described = _described(rows, identity.markables, report)
    if deixis.markables:
        document = replace(document, deixis=_with_layer(replace(document, comments=()), rows, deixis, {}, report))
    document = _with_layer(document, rows, identity, described, report)
    yield replace(document, bridges=tuple(_bridges(rows, document, report)))


# -- mentions --------------------------------------------------------------------------------------------------------


class _Markable:
    """A mention while it is read: where it was first opened, what its opener says, the nodes of its pieces.

    `opened` is the node at which its last piece begins, as long as that has no end.
    """

    __slots__ = ("attributes", "entity", "id", "line", "minimum", "opened", "pieces")

    def __init__(self, id: str, entity: str, line: int, attributes: _Pairs, opened: int, minimum: str = "") -> None:
        self.id, self.entity, self.line, self.attributes, self.minimum = id, entity, line, attributes, minimum
        self.opened: int | None = opened
        self.pieces: list[tuple[int, int]] = []

    def close(self, node: int) -> None:
        if self.opened is not None:
            self.pieces.append((self.opened, node))
            self.opened = None


class _Layer:
    """The mentions of one column of a document, those that are still open, and the members of sets."""

    def __init__(self, rows: Rows, column: str) -> None:
        self.markables: dict[str, _Markable] = {}
        self.open: list[_Markable] = []
        self.elements: dict[str, dict[str, None]] = {}
        for node, line, cell in rows.column(column):
            if cell == ")" and self.open:
                self.open.pop().close(node)
            elif not self._usual(cell, node, line):
                wrong = self._read(cell, node, line)
                rows.text.wrong += [(line, LAYERS.index(column), each) for each in wrong]

    def _usual(self, cell: str, node: int, line: int) -> bool:
        """Read a cell that opens one mention in the usual words, if it is one: most are."""
        usual = _OPENER.fullmatch(cell)
        if not usual:
            return False
        entity, id, minimum, more, closed = usual.groups()
        attributes = _pairs(more, "") if more is not None else ()
        if attributes is None or id in self.markables:
            return False
        if minimum is not None:
            attributes = (("Min", minimum), *attributes)
        self.markables[id] = markable = _Markable(id, entity, line, attributes, node, minimum or "")
        if closed:
            markable.close(node)
        else:
            self.open.append(markable)
        return True

    def _read(self, cell: str, node: int, line: int) -> list[Wrong]:
        """Read the brackets of any cell; gives what is wrong with them."""
        brackets, wrong = _cut(cell)
        for opens, opener, closed, closer in brackets:
            try:
                if opens:
                    self._open(opener, closed, node, line)
                else:
                    self._close(closer[:-1], node)
            except _Wrong as reason:
                wrong.append(reason.what)
        return wrong

    def _open(self, opener: str, closed: str, node: int, line: int) -> None:
        try:
            markable = self._opened(opener, node, line)
        except _Wrong:
            if not closed:  # something stands in its place until it is closed
                named = re.search(r"MarkableID=([^|]*)", opener)
                self.open.append(_Markable(named[1] if named else "", "", line, (), node))
            raise
        if closed:
            markable.close(node)
        else:
            self.open.append(markable)

    def _opened(self, opener: str, node: int, line: int) -> _Markable:
        """The markable that an opener names, with a piece that begins here."""
        entity, id, attributes, sets = _said(opener)
        for target in sets:
            self.elements.setdefault(target, {})[entity] = None
        known = self.markables.get(id)
        if known is None:
            known = _Markable(id, entity, line, attributes, node, dict(attributes).get("Min", ""))
            self.markables[id] = known
        elif known.opened is not None or known.entity != entity:
            raise _Wrong("repeated-markable", f"markable {id} for the second time", f"({opener}",
                         f"another MarkableID than in line {known.line + 1}")  # fmt: skip
        else:
            known.opened = node
        return known

    def _close(self, name: str, node: int) -> None:
        for index in range(len(self.open) - 1, -1, -1):
            if not name or self.open[index].id == name:
                self.open.pop(index).close(node)
                return
        raise _Wrong(
            "unopened-mention", "a mention is closed that was never opened", f"{name})", '"(EntityID=..." before it'
        )


def _cut(cell: str) -> tuple[list[tuple[str, str, str, str]], list[Wrong]]:
    """The brackets of a cell: "(", what it says, ")" if it is closed at once; or what a closer says, with its ")"."""
    found = _BRACKET.findall(cell)
    stray = next((number for number, (*_, closer) in enumerate(found) if closer and closer[-1] != ")"), None)
    if stray is None:
        return found, []
    expected = '"_", or ")" and "(Name=Value|Name=Value"'
    return found[:stray], [("bracket-syntax", "not a cell of brackets", cell, expected)]


def _said(opener: str) -> tuple[str, str, _Pairs, list[str]]:
    """What an opener says: the entity, the id, attributes, and the sets that the entity is an element of."""
    found = _attributes(opener)
    missing = [name for name in ("EntityID", "MarkableID") if not found.get(name)]
    if missing:
        raise _Wrong("missing-attribute", f"a mention without {' and '.join(missing)}", f"({opener}",
                     "(EntityID=...|MarkableID=...")  # fmt: skip
    entity, id, sets = found.pop("EntityID"), found.pop("MarkableID"), found.pop("ElementOf", "")
    return entity, id, tuple(found.items()), [target for target in sets.split(",") if target]


def _attributes(text: str) -> dict[str, str]:
    found = {}
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if not equals or name in found:
            raise _Wrong("bracket-syntax", "attributes that cannot be understood", f"({text}", "Name=Value|Name=Value")
        found[name] = value
    return found


@lru_cache(1 << 12)
def _pairs(text: str, column: str) -> _Pairs | None:
    """Attributes with the column before their names; None if they are wrong, or say which mention it is, and of what.

    Files have the same ones again and again.
    """
    try:
        found = _attributes(text)
    except _Wrong:
        return None
    return None if not found.keys().isdisjoint(_LEADING) else tuple((column + name, found[name]) for name in found)


def _joined(first: _Pairs, more: _Pairs) -> _Pairs:
    """Attributes, and more of them; of two with one name the later counts."""
    least = not first or (len(first) == 1 and first[0][0] == "Min")  # most often, and a name that no other column has
    return first + more if least else tuple(dict(first + more).items())


def _with_layer(
    document: Document, rows: Rows, layer: _Layer, described: dict[str, _Pairs], report: _Report
) -> Document:
    for markable in layer.open:
        report(markable.line, "unclosed-mention", "mention never closed", f"MarkableID={markable.id}",
               '")" before the document ends')  # fmt: skip
        if layer.markables.get(markable.id) is markable:
            del layer.markables[markable.id]
    mentions = []
    for id, markable in layer.markables.items():
        attributes = markable.attributes
        if id in described:
            attributes = _joined(attributes, described[id])
        mentions.append(_mention(markable, attributes, rows, report))
    entities = dict.fromkeys([mention[1] for mention in mentions])
    order = {entity: number for number, entity in enumerate(entities)} if layer.elements else {}
    return replace(
        document,
        mentions=tuple(mentions),
        sets={
            entity: tuple(sorted(members, key=lambda each: order.get(each, 0)))
            for entity, members in layer.elements.items()
        },
        nonreferring=frozenset(entity for entity in entities if str(entity).endswith(PSEUDO)),
    )


def _mention(markable: _Markable, attributes: _Pairs, rows: Rows, report: _Report) -> Mention:
    least = _MINIMUM.fullmatch(markable.minimum) if markable.minimum else None
    if markable.minimum and not least:
        report(markable.line, "bad-minimum", "a Min that is not one or two token numbers", f"Min={markable.minimum}",
               "Min=4 or Min=4,6")  # fmt: skip
    first, last = (int(least[1]) - 1, int(least[2] or least[1]) - 1) if least else (-1, -1)
    minimum: Span = ()
    words = rows.words_of(markable.pieces)
    if words:
        if words[0] <= first <= last <= words[1]:
            minimum = stretch(first, last)
        fields = stretch(*words), markable.entity, markable.id, minimum, attributes, None, ()
        return tuple.__new__(Mention, fields)  # several times as fast as calling Mention
    places = rows.span(markable.pieces)
    if least and {first, last} <= {word_of(place) for place in places}:
        minimum = tuple(place for place in places if first <= word_of(place) <= last)
    return Mention(tuple(places), markable.entity, markable.id, minimum, attributes)


# -- other columns ---------------------------------------------------------------------------------------------------


def _described(rows: Rows, markables: dict[str, _Markable], report: _Report) -> dict[str, _Pairs]:
    """What the columns REFERENCE and NOM_SEM say of mentions, as attributes `REFERENCE.Name`, `NOM_SEM.Name`."""
    described: dict[str, _Pairs] = {}
    cells = [(line, name, cell) for name in ATTRIBUTES for _, line, cell in rows.column(name) if cell != ")"]
    for line, name, cell in sorted(cells, key=itemgetter(0)):
        usual = _DESCRIPTION.fullmatch(cell)
        more = _pairs(usual[2], f"{name}.") if usual else None
        if usual and more is not None and usual[1] in markables:
            id = usual[1]
            described[id] = _joined(described[id], more) if id in described else more
            continue
        for _, found in _openers(cell, line, report):
            id = found.pop("MarkableID", "")
            if id not in markables:
                report(line, "unknown-markable", f"{name} of a mention that is not there", cell,
                       "a MarkableID of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                more = tuple((f"{name}.{attribute}", value) for attribute, value in found.items())
                described[id] = _joined(described[id], more) if id in described else more
    return described


def _openers(cell: str, line: int, report: _Report) -> Iterator[tuple[str, dict[str, str]]]:
    """The openers of a cell that describes mentions of another column, brackets or not, and their attributes."""
    brackets, wrong = _cut(cell if "(" in cell or "=" not in cell else f"({cell}")
    for each in wrong:
        report(line, *each)
    for _, opener, _, _ in brackets:
        if opener:
            try:
                yield opener, _attributes(opener)
            except _Wrong as reason:
                report(line, *reason.what)


def _bridges(rows: Rows, document: Document, report: _Report) -> Iterator[Bridge]:
    index: dict[Hashable, int] = {mention.id: number for number, mention in enumerate(document.mentions)}
    for line, cell in [(line, cell) for _, line, cell in rows.column("BRIDGING") if cell != ")"]:
        for opener, attributes in _openers(cell, line, report):
            ends = [attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor")]
            missing = [end for end in ends if end not in index]
            if missing:
                report(line, "unknown-markable", "bridging from or to a mention that is not there", f"({opener}",
                       "MarkableID and MentionAnchor of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                yield Bridge(index[ends[0]], index[ends[1]], tuple(attributes.items()))
