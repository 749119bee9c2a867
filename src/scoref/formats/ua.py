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
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..exceptions import Problem, Problems
from ..model import Bridge, Document, Mention, Origin, position, word_of
from ._ua_writing import ATTRIBUTES, LAYERS, MOST, PSEUDO, STANDARD, write
from .source import SKIP, Format, Source

_PARSED = ("ID", "FORM", "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", *ATTRIBUTES)
_NEEDED = {"ID", "FORM", "IDENTITY"}
_OPENER = "(EntityID="

_BRACKET = re.compile(r"\(([^()]*)(\))?|([^()]*)\)")
_ID = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?")
_HEADER = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(.*))?")
_COLUMNS = re.compile(r"#\s*global\.columns\s*=\s*(.*)$")


class _Wrong(Exception):
    """Something that cannot be understood: code, message, text, what was expected."""


@dataclass
class _Markable:
    """A mention while it is read: its pieces as positions, and what its openers say."""

    id: str
    entity: str
    line: int
    attributes: dict[str, str]
    places: list[int] = field(default_factory=list)
    opened: bool = True


@dataclass
class _Layer:
    """One column of mentions."""

    markables: dict[str, _Markable] = field(default_factory=dict)
    open: list[_Markable] = field(default_factory=list)
    elements: dict[str, dict[str, None]] = field(default_factory=dict)


@dataclass
class _Text:
    """A document while it is read."""

    name: str
    line: int
    columns: tuple[str, ...]
    words: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    empty: int = 0
    new_sentence: bool = True
    layers: dict[str, _Layer] = field(default_factory=lambda: {name: _Layer() for name in LAYERS})
    bridging: list[tuple[int, str]] = field(default_factory=list)
    attributes: list[tuple[int, str, str]] = field(default_factory=list)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CONLL-UA file."""
    columns = STANDARD
    names: dict[str, int] = {}
    text: _Text | None = None
    strayed = False
    before: list[str] = []  # comments of the file that precede a document

    def problem(number: int, code: str, message: str, shown: str | None = None, expected: str | None = None) -> None:
        name = text.name if text else None
        problems.add(Problem(code, message, source.name, number, name, shown, expected, SKIP))

    for number, line in enumerate(source.data.decode().split("\n"), 1):
        if not line or line.isspace():
            if text:
                text.new_sentence = True
        elif line[0] == "#" and not _is_token(line, columns):
            header, named = _HEADER.match(line), _COLUMNS.match(line)
            if header:
                if text:
                    yield from _finished(text, names, source, problems)
                if not header[1]:
                    problem(number, "unnamed-document", "a document without a name", line, "# newdoc id = NAME")
                text = _Text((header[1] or "").strip(), number, columns)
                text.comments += [(0, comment) for comment in before]
                before = []
            elif named:
                columns = tuple(named[1].split())
                if not set(columns) >= _NEEDED:
                    problem(number, "missing-column", "a needed column is missing", line, "ID, FORM and IDENTITY")
                    columns = STANDARD
                if text and not text.words:
                    text.columns = columns
            elif text:
                text.comments.append((len(text.words), line.rstrip()))
            else:
                before.append(line.rstrip())
        elif text is not None:
            try:
                _token(text, line, number, problem)
            except _Wrong as wrong:
                problem(number, *wrong.args)
        elif not strayed:
            strayed = True
            problem(
                number, "outside-document", "tokens outside of any document", line, '"# newdoc id = NAME" before them'
            )
    if text:
        yield from _finished(text, names, source, problems)


def _is_token(line: str, columns: tuple[str, ...]) -> bool:
    return line.count("\t") + 1 >= len(columns)


def _token(text: _Text, line: str, number: int, problem: Any) -> None:
    if "\t" in line:
        cells = [cell.strip(" ") or "_" for cell in line.split("\t")]
    else:
        cells = [cell for cell in line.split(" ") if cell]
    if "(" not in line and ")" not in line and _plain(text, cells, number):
        return
    row = dict(zip(text.columns, cells, strict=False))
    match = _ID.fullmatch(row.get("ID", ""))
    if len(cells) > len(text.columns) or not row.keys() >= _NEEDED or not match:
        raise _Wrong("column-count", f"{len(cells)} cells that do not fit the columns", line,
                     f"{len(text.columns)} cells, with a token number as ID")  # fmt: skip
    if line.count(_OPENER) != sum(row.get(layer, "").count(_OPENER) for layer in LAYERS):
        raise _Wrong("shifted-columns", "a mention in a column that has none", line,
                     f"{len(text.columns)} cells, mentions in those for {' and '.join(LAYERS)}")  # fmt: skip
    if "@(" in line:  # some files have @ between brackets
        row |= {name: row[name].replace("@(", "(") for name in _PARSED[2:] if name in row}
    if match[2]:
        text.empty = max(text.empty + 1, int(match[2]))
        place = position(len(text.words) - 1, text.empty)
        if text.empty > MOST:
            raise _Wrong("column-count", "too many empty nodes behind one word", line, f"at most {MOST}")
    else:
        if text.new_sentence:
            text.sentences.append(len(text.words))
        place = position(len(text.words))
        text.empty, text.new_sentence = 0, False
        text.words.append(row["FORM"])
        text.lines.append(number)
        text.cells.append(cells)
    for layer in LAYERS:
        cell = row.get(layer, "_")
        if cell != "_" or text.layers[layer].open:
            _read_cell(text.layers[layer], cell, place, number, problem)
    if row.get("BRIDGING", "_") != "_":
        text.bridging.append((number, row["BRIDGING"]))
    for name in ATTRIBUTES:
        if row.get(name, "_") not in ("_", ")"):
            text.attributes.append((number, name, row[name]))


def _plain(text: _Text, cells: list[str], number: int) -> bool:
    """Read a word without brackets, if it is one: most lines are."""
    first, form, identity = (text.columns.index(name) for name in ("ID", "FORM", "IDENTITY"))
    if not identity < len(cells) <= len(text.columns) or max(first, form) >= len(cells) or not cells[first].isdigit():
        return False
    if any(cell != "_" for cell in cells[identity:]):
        return False
    if text.new_sentence:
        text.sentences.append(len(text.words))
        text.new_sentence = False
    place = position(len(text.words))
    text.empty = 0
    text.words.append(cells[form])
    text.lines.append(number)
    text.cells.append(cells)
    for layer in text.layers.values():
        for markable in layer.open:
            markable.places.append(place)
    return True


def _read_cell(layer: _Layer, cell: str, place: int, number: int, problem: Any) -> None:
    """The brackets of one cell: every markable that is open before or in the cell has this place."""
    touched = list(layer.open)
    for opener, closed, closer in _cut(cell, number, problem):
        try:
            if opener is None:
                _close(layer, closer)
                continue
            markable = _open(layer, opener, number)
        except _Wrong as wrong:
            problem(number, *wrong.args)
            if opener is None or closed:
                continue
            named = re.search(r"MarkableID=([^|]*)", opener)
            markable = _Markable(named[1] if named else "", "", number, {})  # in its place until it is closed
        touched.append(markable)
        if closed:
            markable.opened = False
        else:
            layer.open.append(markable)
    for markable in touched:
        markable.places.append(place)


def _cut(cell: str, number: int, problem: Any) -> list[tuple[str | None, str | None, str]]:
    """The brackets of a cell: what an opener says and whether it is closed at once, or None and what a closer says."""
    found, done = [], 0
    while cell != "_" and done < len(cell):
        match = _BRACKET.match(cell, done)
        if match is None:
            expected = '"_", or ")" and "(Name=Value|Name=Value"'
            problem(number, "bracket-syntax", "not a cell of brackets", cell, expected)
            break
        done = match.end()
        found.append((match[1], match[2], match[3]))
    return found


def _open(layer: _Layer, opener: str, number: int) -> _Markable:
    attributes = _attributes(opener)
    missing = [name for name in ("EntityID", "MarkableID") if not attributes.get(name)]
    if missing:
        raise _Wrong("missing-attribute", f"a mention without {' and '.join(missing)}", f"({opener}",
                     "(EntityID=...|MarkableID=...")  # fmt: skip
    entity, id = attributes.pop("EntityID"), attributes.pop("MarkableID")
    for target in attributes.pop("ElementOf", "").split(","):
        if target:
            layer.elements.setdefault(target, {})[entity] = None
    known = layer.markables.get(id)
    if known is None:
        layer.markables[id] = _Markable(id, entity, number, attributes)
    elif known.opened or known.entity != entity:
        raise _Wrong("repeated-markable", f"markable {id} for the second time", f"({opener}",
                     f"another MarkableID than in line {known.line}")  # fmt: skip
    else:
        known.opened = True
    return layer.markables[id]


def _close(layer: _Layer, name: str) -> None:
    for index in range(len(layer.open) - 1, -1, -1):
        if not name or layer.open[index].id == name:
            layer.open.pop(index).opened = False
            return
    raise _Wrong(
        "unopened-mention", "a mention is closed that was never opened", f"{name})", '"(EntityID=..." before it'
    )


def _attributes(text: str) -> dict[str, str]:
    found = {}
    for pair in text.split("|"):
        name, equals, value = pair.partition("=")
        if not equals or name in found:
            raise _Wrong("bracket-syntax", "attributes that cannot be understood", f"({text}", "Name=Value|Name=Value")
        found[name] = value
    return found


def _finished(text: _Text, names: dict[str, int], source: Source, problems: Problems) -> Iterator[Document]:
    """The document, once all its lines are read."""

    def problem(
        number: int, code: str, message: str, shown: str | None = None, expected: str | None = None, fatal: bool = True
    ) -> None:
        problems.add(Problem(code, message, source.name, number, text.name, shown, expected, SKIP, fatal))

    if text.name in names:
        problem(text.line, "repeated-document", f"document {text.name} for the second time", text.name,
                f"another name than in line {names[text.name]}")  # fmt: skip
        return
    names[text.name] = text.line
    kept = [name for name in text.columns if name not in _PARSED]
    columns = {
        name: [row[index] if index < len(row) else "_" for row in text.cells]
        for index, name in enumerate(text.columns)
        if name in kept
    }
    document = Document(
        text.name,
        tuple(text.words),
        sentences=tuple(text.sentences),
        columns={name: cells for name, cells in columns.items() if not set(cells) <= {"_"}},
        comments=tuple(text.comments),
        origin=Origin(source.name, text.line, text.lines),
    )
    identity, deixis = (text.layers[name] for name in LAYERS)
    _add_attributes(text, problem)
    if deixis.markables:
        document = replace(document, deixis=_with_layer(replace(document, comments=()), deixis, problem))
    document = _with_layer(document, identity, problem)
    yield replace(document, bridges=tuple(_bridges(text, document, problem)))


def _with_layer(document: Document, layer: _Layer, problem: Any) -> Document:
    for markable in layer.open:
        problem(markable.line, "unclosed-mention", "mention never closed", f"MarkableID={markable.id}",
                '")" before the document ends')  # fmt: skip
        if layer.markables.get(markable.id) is markable:
            del layer.markables[markable.id]
    mentions = [_mention(markable, problem) for markable in layer.markables.values()]
    order = {entity: number for number, entity in enumerate(dict.fromkeys(mention.entity for mention in mentions))}
    return replace(
        document,
        mentions=tuple(mentions),
        sets={
            entity: tuple(sorted(members, key=lambda each: order.get(each, 0)))
            for entity, members in layer.elements.items()
        },
        nonreferring=frozenset(m.entity for m in mentions if str(m.entity).endswith(PSEUDO)),
    )


def _mention(markable: _Markable, problem: Any) -> Mention:
    places = tuple(dict.fromkeys(markable.places))
    written = markable.attributes.get("Min", "")
    minimum: tuple[int, ...] = ()
    if re.fullmatch(r"\d{1,9}(,\d{1,9})?", written):
        first, last = int(written.split(",")[0]), int(written.split(",")[-1])
        if {first, last} <= {word_of(place) + 1 for place in places}:
            minimum = tuple(place for place in places if first <= word_of(place) + 1 <= last)
    elif written:
        problem(markable.line, "bad-minimum", "a Min that is not one or two token numbers", f"Min={written}",
                "Min=4 or Min=4,6")  # fmt: skip
    return Mention(places, markable.entity, markable.id, minimum, tuple(markable.attributes.items()))


def _described(cell: str, number: int, problem: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """The openers of a cell that describes mentions of another column, brackets or not, and their attributes."""
    for opener, _, _ in _cut(cell if "(" in cell or "=" not in cell else f"({cell}", number, problem):
        if opener:
            try:
                yield opener, _attributes(opener)
            except _Wrong as wrong:
                problem(number, *wrong.args)


def _add_attributes(text: _Text, problem: Any) -> None:
    """What the columns REFERENCE and NOM_SEM say of mentions, as attributes `REFERENCE.Name`, `NOM_SEM.Name`."""
    markables = text.layers["IDENTITY"].markables
    for number, column, cell in text.attributes:
        for _, attributes in _described(cell, number, problem):
            markable = markables.get(attributes.pop("MarkableID", ""))
            if markable is None:
                problem(number, "unknown-markable", f"{column} of a mention that is not there", cell,
                        "a MarkableID of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                markable.attributes.update({f"{column}.{name}": value for name, value in attributes.items()})


def _bridges(text: _Text, document: Document, problem: Any) -> Iterator[Bridge]:
    index: dict[Hashable, int] = {mention.id: number for number, mention in enumerate(document.mentions)}
    for number, cell in text.bridging:
        for opener, attributes in _described(cell, number, problem):
            ends = [attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor")]
            missing = [end for end in ends if end not in index]
            if missing:
                problem(number, "unknown-markable", "bridging from or to a mention that is not there", f"({opener}",
                        "MarkableID and MentionAnchor of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                yield Bridge(index[ends[0]], index[ends[1]], tuple(attributes.items()))


def sniff(data: bytes) -> bool:
    """Whether the file names its columns, or has openers with EntityID and MarkableID."""
    if b"global.columns" in data and re.search(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, re.MULTILINE):
        return True
    return b"(EntityID=" in data and re.search(rb"\(EntityID=[^\s()]*\|MarkableID=", data) is not None


FORMAT = Format("ua", "CONLL-UA of Universal Anaphora", ".conllua", "codi-crac-2022", sniff, read, write)
