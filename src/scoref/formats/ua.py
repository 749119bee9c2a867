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

from ..exceptions import Error, Problem, Problems
from ..model import Bridge, Document, Mention, position, word_of
from . import Format, Source

_STANDARD = (
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
    "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM",
)  # fmt: skip
_LAYERS = ("IDENTITY", "DISCOURSE_DEIXIS")
_ATTRIBUTES = ("REFERENCE", "NOM_SEM")
_PARSED = ("ID", "FORM", "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", *_ATTRIBUTES)
_PSEUDO = "-Pseudo"
_SKIP = "fix the file, or count and skip such places with --on-problem skip"

_BRACKET = re.compile(r"\(([^()]*)(\))?|([^()]*)\)")
_ID = re.compile(r"(\d+)(?:\.(\d+))?")
_HEADER = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?$")
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
    layers: dict[str, _Layer] = field(default_factory=lambda: {name: _Layer() for name in _LAYERS})
    bridging: list[tuple[int, str]] = field(default_factory=list)
    attributes: list[tuple[int, str, str]] = field(default_factory=list)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a CONLL-UA file."""
    columns = _STANDARD
    names: dict[str, int] = {}
    text: _Text | None = None
    new_sentence = True
    before: list[str] = []  # comments of the file that precede a document

    def problem(number: int, code: str, message: str, shown: str | None = None, expected: str | None = None) -> None:
        name = text.name if text else None
        problems.add(Problem(code, message, source.name, number, name, shown, expected, _SKIP))

    for number, line in enumerate(source.data.decode().split("\n"), 1):
        if not line or line.isspace():
            new_sentence = True
        elif line[0] == "#" and not _is_token(line, columns):
            header, named = _HEADER.match(line), _COLUMNS.match(line)
            if header:
                if text:
                    yield from _finished(text, names, source, problems)
                if not header[1]:
                    problem(number, "unnamed-document", "a document without a name", line, "# newdoc id = NAME")
                text = _Text((header[1] or "").strip(), number, columns)
                text.comments += [(0, comment) for comment in before]
                before, new_sentence = [], True
            elif named:
                columns = tuple(named[1].split())
                if not {"ID", "FORM", "IDENTITY"} <= set(columns):
                    problem(number, "missing-column", "a needed column is missing", line, "ID, FORM and IDENTITY")
                    columns = _STANDARD
                if text:
                    text.columns = columns
            elif text:
                text.comments.append((len(text.words), line.rstrip()))
            else:
                before.append(line.rstrip())
        elif text is None:
            problem(
                number, "outside-document", "tokens outside of any document", line, '"# newdoc id = NAME" before them'
            )
            text = _Text("", number, columns)
        else:
            if new_sentence:
                text.sentences.append(len(text.words))
                new_sentence = False
            try:
                _token(text, line, number, problem)
            except _Wrong as wrong:
                problem(number, *wrong.args)
    if text:
        yield from _finished(text, names, source, problems)


def _is_token(line: str, columns: tuple[str, ...]) -> bool:
    return line.count("\t") + 1 >= len(columns)


def _token(text: _Text, line: str, number: int, problem: Any) -> None:
    cells = line.split("\t") if "\t" in line else line.split()
    cells = [cell.strip() for cell in cells] if "\t" in line else cells
    columns = text.columns
    last = columns.index("IDENTITY")
    match = (
        _ID.fullmatch(cells[0]) if columns[0] == "ID" else _ID.fullmatch(dict(zip(columns, cells, strict=False))["ID"])
    )
    if len(cells) > len(columns) or len(cells) <= last or not match:
        raise _Wrong("column-count", f"{len(cells)} cells that do not fit the columns", line,
                     f"{len(columns)} cells, the first a token number")  # fmt: skip
    row = dict(zip(columns, [cell or "_" for cell in cells], strict=False))
    if match[2]:
        text.empty += 1
        place = position(len(text.words) - 1, text.empty)
    else:
        place = position(len(text.words))
        text.empty = 0
        text.words.append(row["FORM"])
        text.lines.append(number)
        text.cells.append([row.get(name, "_") for name in columns])
    for layer in _LAYERS:
        cell = row.get(layer, "_")
        if cell != "_" or text.layers[layer].open:
            _read_cell(text.layers[layer], cell, place, number, problem)
    if row.get("BRIDGING", "_") != "_":
        text.bridging.append((number, row["BRIDGING"]))
    for name in _ATTRIBUTES:
        if row.get(name, "_") not in ("_", ")"):
            text.attributes.append((number, name, row[name]))


def _read_cell(layer: _Layer, cell: str, place: int, number: int, problem: Any) -> None:
    """The brackets of one cell: every markable that is open before or in the cell has this place."""
    touched = {markable.id: markable for markable in layer.open}
    done = 0
    for match in _BRACKET.finditer(cell) if cell != "_" else ():
        if match.start() != done:
            break
        done = match.end()
        opener, closed, closer = match.groups()
        if opener is not None:
            try:
                markable = _open(layer, opener, number)
            except _Wrong as wrong:
                problem(number, *wrong.args)
                continue
            touched[markable.id] = markable
            if closed:
                markable.opened = False
            else:
                layer.open.append(markable)
        else:
            try:
                _close(layer, closer)
            except _Wrong as wrong:
                problem(number, *wrong.args)
    if cell != "_" and done != len(cell):
        problem(
            number, "bracket-syntax", "not a cell of mentions", cell, '"_", or ")" and "(EntityID=...|MarkableID=..."'
        )
    for markable in touched.values():
        markable.places.append(place)


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
        problems.add(Problem(code, message, source.name, number, text.name, shown, expected, _SKIP, fatal))

    if text.name in names:
        problem(text.line, "repeated-document", f"document {text.name} for the second time", text.name,
                f"another name than in line {names[text.name]}")  # fmt: skip
        return
    names[text.name] = text.line
    kept = [name for name in text.columns if name not in _PARSED]
    columns = {name: [row[text.columns.index(name)] for row in text.cells] for name in kept}
    document = Document(
        text.name,
        tuple(text.words),
        sentences=tuple(text.sentences),
        columns={name: cells for name, cells in columns.items() if set(cells) != {"_"}},
        comments=tuple(text.comments),
        source=source.name,
        line=text.line,
        lines=text.lines,
    )
    identity, deixis = (text.layers[name] for name in _LAYERS)
    _add_attributes(text, problem)
    if deixis.markables:
        document = replace(document, deixis=_with_layer(replace(document, comments=()), deixis, problem))
    document = _with_layer(document, identity, problem)
    yield replace(document, bridges=tuple(_bridges(text, document, problem)))


def _with_layer(document: Document, layer: _Layer, problem: Any) -> Document:
    for markable in layer.open:
        problem(markable.line, "unclosed-mention", "mention never closed", f"MarkableID={markable.id}",
                '")" before the document ends')  # fmt: skip
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
        nonreferring=frozenset(m.entity for m in mentions if str(m.entity).endswith(_PSEUDO)),
    )


def _mention(markable: _Markable, problem: Any) -> Mention:
    places = tuple(dict.fromkeys(markable.places))
    written = markable.attributes.get("Min", "")
    minimum: tuple[int, ...] = ()
    if re.fullmatch(r"\d+(,\d+)?", written):
        first, last = int(written.split(",")[0]), int(written.split(",")[-1])
        minimum = tuple(place for place in places if first <= word_of(place) + 1 <= last)
    elif written:
        problem(markable.line, "bad-minimum", "a Min that is not one or two token numbers", f"Min={written}",
                "Min=4 or Min=4,6")  # fmt: skip
    return Mention(places, markable.entity, markable.id, minimum, tuple(markable.attributes.items()))


def _add_attributes(text: _Text, problem: Any) -> None:
    """What the columns REFERENCE and NOM_SEM say of mentions, as attributes `REFERENCE.Name`, `NOM_SEM.Name`."""
    markables = text.layers["IDENTITY"].markables
    for number, column, cell in text.attributes:
        for opener, _, _ in _BRACKET.findall(cell if "(" in cell else f"({cell}"):
            if not opener:
                continue
            try:
                attributes = _attributes(opener)
            except _Wrong as wrong:
                problem(number, *wrong.args)
                continue
            markable = markables.get(attributes.pop("MarkableID", ""))
            if markable is None:
                problem(number, "unknown-markable", f"{column} of a mention that is not there", cell,
                        "a MarkableID of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                markable.attributes.update({f"{column}.{name}": value for name, value in attributes.items()})


def _bridges(text: _Text, document: Document, problem: Any) -> Iterator[Bridge]:
    index: dict[Hashable, int] = {mention.id: number for number, mention in enumerate(document.mentions)}
    for number, cell in text.bridging:
        for opener, _, _ in _BRACKET.findall(cell if "(" in cell or "=" not in cell else f"({cell}"):
            if not opener:
                continue
            try:
                attributes = _attributes(opener)
            except _Wrong as wrong:
                problem(number, *wrong.args)
                continue
            ends = [attributes.pop(name, "") for name in ("MarkableID", "MentionAnchor")]
            missing = [end for end in ends if end not in index]
            if missing:
                problem(number, "unknown-markable", "bridging from or to a mention that is not there", f"({opener}",
                        "MarkableID and MentionAnchor of the IDENTITY column", fatal=False)  # fmt: skip
            else:
                yield Bridge(index[ends[0]], index[ends[1]], tuple(attributes.items()))


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as the text of a CONLL-UA file."""
    lines = [f"# global.columns = {' '.join(_STANDARD)}"]
    for document in documents:
        lines += _lines(document)
    return "\n".join(lines) + "\n"


def _lines(document: Document) -> Iterator[str]:
    layers = [document, document.deixis or Document("")]
    size = max([word_of(m.span[-1]) + 1 for layer in layers for m in layer.mentions if m.span], default=0)
    words = list(document.words) or ["_"] * size
    places = {position(index): word for index, word in enumerate(words)}
    places.update({place: "_" for layer in layers for m in layer.mentions for place in m.span if place not in places})
    columns = {name: _brackets(layer, name == "IDENTITY") for name, layer in zip(_LAYERS, layers, strict=True)}
    columns |= _extra_columns(document)
    comments: dict[int, list[str]] = {}
    for word, comment in document.comments:
        comments.setdefault(word, []).append(comment)
    starts = set(document.sentences)
    yield f"# newdoc id = {document.id}"
    for place in sorted(places):
        word, empty = word_of(place), place & 255
        if not empty:
            if word in starts and word:
                yield ""
            yield from comments.get(word, [])
        row = [f"{word + 1}.{empty}" if empty else str(word + 1), places[place]]
        for name in _STANDARD[2:]:
            cells = document.columns.get(name)
            row.append(
                columns[name].get(place, "_") if name in columns else cells[word] if cells and not empty else "_"
            )
        yield "\t".join(row)
    yield from comments.get(len(words), [])
    yield ""


def _pieces(mention: Mention, places: dict[int, int]) -> Iterator[tuple[int, int]]:
    """First and last place of each stretch of the mention that has no gap."""
    start = before = mention.span[0]
    for place in mention.span[1:]:
        if places[place] != places[before] + 1:
            yield start, before
            start = place
        before = place
    yield start, before


def _brackets(document: Document, identity: bool) -> dict[int, str]:
    """The cell of each place: closers before openers, longer mentions opened first; crossing ones closed by name."""
    every = {place for mention in document.mentions for place in mention.span}
    every |= {position(index) for index in range(len(document.words))}
    order = {place: number for number, place in enumerate(sorted(every))}
    elements: dict[Hashable, list[str]] = {}
    for entity, members in document.sets.items():
        for member in members:
            elements.setdefault(member, []).append(str(entity))
    openers: dict[int, list[tuple[int, str]]] = {}
    closers: dict[int, list[tuple[int, int, str]]] = {}
    for number, mention in enumerate(document.mentions):
        if not mention.span:
            raise Error("unwritable-mention", "a mention without positions cannot be written as CONLL-UA",
                        path=document.source, document=document.id, text=str(mention.id))  # fmt: skip
        id = mention.id if mention.id is not None else f"m{number + 1}"
        own = [(name, value) for name, value in mention.attributes if not name.startswith(("REFERENCE.", "NOM_SEM."))]
        element_of = elements.pop(mention.entity, [])
        pairs = [("EntityID", mention.entity), ("MarkableID", id), *own]
        if mention.minimum and "Min" not in dict(own):
            ends = dict.fromkeys((word_of(mention.minimum[0]) + 1, word_of(mention.minimum[-1]) + 1))
            pairs.insert(2, ("Min", ",".join(map(str, ends))))
        if element_of:
            pairs.append(("ElementOf", ",".join(element_of)))
        opener = "(" + "|".join(f"{name}={value}" for name, value in pairs)
        for first, last in _pieces(mention, order):
            openers.setdefault(first, []).append((-order[last], opener + ")" * (first == last)))
            opener = f"(EntityID={mention.entity}|MarkableID={id}"
            if first != last:
                closers.setdefault(last, []).append((-order[first], number, f"{id})"))
    cells = {place: "".join(text for _, _, text in sorted(ends)) for place, ends in closers.items()}
    for place, starts in openers.items():
        cells[place] = cells.get(place, "") + "".join(text for _, text in sorted(starts, key=lambda each: each[0]))
    return cells


def _extra_columns(document: Document) -> dict[str, dict[int, str]]:
    """The cells of BRIDGING, REFERENCE and NOM_SEM, each on the first place of its mention."""
    found: dict[str, dict[int, str]] = {"BRIDGING": {}, "REFERENCE": {}, "NOM_SEM": {}}
    ids = [
        mention.id if mention.id is not None else f"m{number + 1}" for number, mention in enumerate(document.mentions)
    ]

    def add(column: str, mention: Mention, pairs: list[tuple[str, Any]]) -> None:
        cell = "(" + "|".join(f"{name}={value}" for name, value in pairs) + ")"
        found[column][mention.span[0]] = found[column].get(mention.span[0], "") + cell

    for number, mention in enumerate(document.mentions):
        for column in _ATTRIBUTES:
            prefix = f"{column}."
            own = [(name.removeprefix(prefix), value) for name, value in mention.attributes if name.startswith(prefix)]
            if own:
                add(column, mention, [("MarkableID", ids[number]), *own])
    for bridge in document.bridges:
        pairs = [("MarkableID", ids[bridge.anaphor]), ("MentionAnchor", ids[bridge.antecedent]), *bridge.attributes]
        add("BRIDGING", document.mentions[bridge.anaphor], pairs)
    return found


def sniff(data: bytes) -> bool:
    """Whether the file names its columns, or has openers with EntityID and MarkableID."""
    if re.search(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, re.MULTILINE):
        return True
    return re.search(rb"\(EntityID=[^\s()]*\|MarkableID=", data) is not None


FORMAT = Format("ua", "CONLL-UA of Universal Anaphora", ".conllua", "codi-crac-2022", sniff, read, write)
