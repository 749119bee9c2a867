"""brat standoff annotation: a file of annotation lines (`.ann`) beside the text (`.txt`), one document a file.

| line | what it is |
|---|---|
| `T1⇥Type 17 20;8 12⇥text` | a stretch of the text, or several pieces; ends are excluded |
| `E1⇥Type:T1 Role:T2` | an event, its trigger and its participants |
| `A1⇥Name E1 value`, `M1⇥...` | an attribute, such as Realis |
| `R1⇥Name Arg1:E1 Arg2:E2` | a relation; `Coreference` makes entities |
| `*⇥Equiv T1 T2 T3` | coreference of any number of mentions |
| `N...`, `#...` | normalisations and notes, kept for conversion only |

The mentions are the events; in a file without events they are the stretches of text. Positions are characters, or the
tokens that the mentions touch, if there is a folder of token tables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from ...document.document import Document, Mention, Origin, components, position
from ...problems import Problems, Reporter, short
from ..source import SKIP, Misread, Source, load_text
from ..tokens.spans import by_tokens
from .write import BOUND, ESCAPE, IDENTITY, NO_REALIS, OWN, Span, one_line, stretches, surface, written_pieces

_ID = re.compile(r"[TEAMRN#][0-9]+\S*|[#*]")
_LONGEST = 100_000
_Event = tuple[str, str, str]  # type, trigger, roles
_Ends = tuple[str, ...]  # the ids that a relation names
_Parsed = TypeVar("_Parsed")


class _BratLine(NamedTuple):
    """A line: its number, id, the part behind the first tab, and that behind the second."""

    line: int
    id: str
    body: str
    rest: str
    whole: str


class TextBound(NamedTuple):
    """A stretch of text: its type, its pieces in the order of the file, its text."""

    type: str
    pieces: tuple[Span, ...]
    text: str


class _Annotations:
    """The lines of one file; malformed ones are reported."""

    def __init__(self, source: Source, problems: Problems) -> None:
        name = "" if source.name == "-" else Path(source.name).name
        self.document = name.removesuffix(".gz").removesuffix(".ann")
        self._report = Reporter(problems, source.name, self.document, SKIP)
        self.rows = self._rows(source.data)
        self.kept = [row for row in self.rows if row.id[0] in "N#"]  # other lines, kept for conversion

    def report(self, row: _BratLine, code: str, message: str, expected: str, fatal: bool = True) -> None:
        """Report what is wrong with a line."""
        self._report(code, message, row.line, row.whole, expected, fatal=fatal)

    def _rows(self, data: bytes) -> list[_BratLine]:
        """The lines that are annotation, each with an id of its own."""
        found: list[_BratLine] = []
        lines: dict[str, int] = {}
        for number, line in enumerate(data.decode().split("\n"), 1):
            if not line.strip():
                continue
            id, _, body = line.partition("\t")
            body, _, rest = body.partition("\t")
            row = _BratLine(number, id.strip(), body.strip(), rest, line)
            if not _ID.fullmatch(row.id) or not (row.body or row.id[0] == "#"):
                self.report(row, "unknown-line", "a line of an unknown kind", "an id such as T1, E1 or R1, and a tab")
            elif row.id in lines and row.id not in "#*":
                expected = f"another id than in line {lines[row.id]}"
                self.report(row, "repeated-id", f"{row.id} for the second time", expected)
            else:
                lines[row.id] = number
                found.append(row)
        return found

    def each(self, kinds: str, parse: Callable[[_BratLine], _Parsed]) -> Iterator[tuple[_BratLine, _Parsed]]:
        """The lines of these kinds with their parsed content; malformed ones are reported."""
        for row in self.rows:
            if row.id[0] in kinds:
                try:
                    yield row, parse(row)
                except Misread as misread:
                    misread.report_to(self._report, row.line, row.whole)

    def bounds(self, text: str | None) -> dict[str, TextBound]:
        """The stretches of text by their ids, compared with the text if there is one."""
        found: dict[str, TextBound] = {}
        for row, bound in self.each("T", lambda row: _bound(row, text)):
            there = None if text is None else surface(text, bound.pieces)
            if there is not None and row.rest and bound.text.split() != there.split():
                self.report(row, "different-text", "another text than at this place", f'"{one_line(short(there))}"')
            if len({place for piece in bound.pieces for place in range(*piece)}) < _length(bound.pieces):
                self.report(row, "bad-span", "pieces that overlap", "pieces that are apart", fatal=False)
            found[row.id] = bound if row.rest or there is None else bound._replace(text=one_line(there))
        return found


def annotated(source: Source, text: str, problems: Problems) -> list[Span]:
    """Every piece of every stretch of text, for token tables."""
    return [piece for bound in _Annotations(source, problems).bounds(text).values() for piece in bound.pieces]


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its text is in the file of the same name with the ending `.txt`, if there is one."""
    reader = _Annotations(source, problems)
    text = _text_beside(source.name)
    rows, bounds = reader.rows, reader.bounds(text)
    events = _events(reader, bounds)
    if any(row.id[0] == "E" for row in rows):
        mentions = {id: _mention(id, bounds[event[1]], event) for id, event in events.items()}
        _keep_participants(reader, bounds, events)
    else:
        mentions = {id: _mention(id, bound) for id, bound in bounds.items()}
    known = {row.id for row in rows if row.id[0] not in "TE"} | bounds.keys() | events.keys()
    _add_attributes(reader, mentions, known)
    links, relations = _links(reader, mentions, known)
    entities = _entities(sorted(mentions, key=_natural), links)
    columns = {"text": [text] if text is not None else [], "ann": [row.whole for row in sorted(reader.kept)]}
    lines = {row.id: row.line for row in rows}
    columns = {name: cells for name, cells in columns.items() if cells}
    named = tuple([_with_realis(mentions[id])._replace(entity=entities[id]) for id in entities])
    origin = Origin(source.name, 1, (), {id: lines[id] for id in entities}, unit="characters")
    document = Document(reader.document, (), named, columns=columns, relations=tuple(relations), origin=origin)
    yield by_tokens(document, source.tokens, problems) if source.tokens is not None else document


def _text_beside(name: str) -> str | None:
    base = name.removesuffix(".gz")
    if not base.endswith(".ann"):
        return None
    names = [base.removesuffix(".ann") + ending for ending in (".txt", ".txt.gz")]
    found = next((name for name in names if os.path.isfile(name)), None)
    return load_text(found) if found and Path(found).stat().st_size else None


def _bound(row: _BratLine, text: str | None) -> TextBound:
    match = BOUND.fullmatch(row.body)
    if not match:
        expected = "T1, a tab, Type begin end, a tab, the text"
        raise Misread("bad-span", "a stretch of text without its offsets", None, expected)
    pieces = tuple([(int(begin), int(end)) for begin, end in (piece.split() for piece in match[2].split(";"))])
    for begin, end in pieces:
        if end <= begin:
            raise Misread("bad-span", "a piece that ends before it begins", None, "begin < end")
        if text is not None and end > len(text):
            raise Misread("outside-text", "a piece that ends behind the text", None, f"an end of at most {len(text)}")
    if _length(pieces) > _LONGEST:
        raise Misread("bad-span", "a stretch too long to be one", None, f"at most {_LONGEST} characters")
    return TextBound(match[1], pieces, row.rest)


def _length(pieces: tuple[Span, ...]) -> int:
    return sum(end - begin for begin, end in pieces)


def _events(reader: _Annotations, bounds: dict[str, TextBound]) -> dict[str, _Event]:
    """The events by their ids."""
    there = {row.id for row in reader.rows if row.id in bounds or row.id[0] == "E"}

    def parse(row: _BratLine) -> _Event:
        parts = [part.rpartition(":") for part in row.body.split()]
        if not all(name and id for name, _, id in parts):
            raise Misread("bad-event", "an event without its trigger", None, "E1, a tab, Type:T1, perhaps Role:T2")
        type, _, trigger = parts[0]
        if trigger not in bounds:
            raise Misread("unknown-id", f"an event whose trigger {trigger} is not there", None, "the id of a T line")
        missing = [id for _, _, id in parts[1:] if id not in there]
        if missing:
            message = f"a participant that is not there: {', '.join(missing)}"
            reader.report(row, "unknown-id", message, "ids of T and E lines")
        return type, trigger, " ".join(f"{name}:{id}" for name, _, id in parts[1:] if id in there)

    return {row.id: event for row, event in reader.each("E", parse)}


def _mention(id: str, bound: TextBound, event: _Event | None = None) -> Mention:
    places = sorted({place for piece in bound.pieces for place in range(*piece)})
    attributes = [("text", bound.text), ("type", event[0] if event else bound.type)]
    if event:
        attributes += [("trigger", event[1]), *([("roles", event[2])] if event[2] else [])]
    if tuple(stretches(places)) != bound.pieces:
        attributes.append(("pieces", written_pieces(bound.pieces)))
    return Mention(tuple([position(place) for place in places]), id, id, (), tuple(attributes))


def _with_realis(mention: Mention) -> Mention:
    if "realis" in dict(mention.attributes):
        return mention
    return mention._replace(attributes=(*mention.attributes, ("realis", NO_REALIS)))


def _keep_participants(reader: _Annotations, bounds: dict[str, TextBound], events: dict[str, _Event]) -> None:
    """Keep the lines of text spans that are no triggers; reports those that take part in no event."""
    triggers = {trigger for _, trigger, _ in events.values()}
    used = {part.rpartition(":")[2] for _, _, roles in events.values() for part in roles.split()}
    for row in [row for row in reader.rows if row.id in bounds and row.id not in triggers]:
        reader.kept.append(row)
        if row.id not in used:
            message = "a stretch of text that takes part in no event is no mention in a file with events"
            reader.report(row, "no-event", message, f"an event with {row.id}", fatal=False)


def _add_attributes(reader: _Annotations, mentions: dict[str, Mention], known: set[str]) -> None:
    """Give mentions their attributes; lines with attributes of other annotation are kept for conversion."""

    def parse(row: _BratLine) -> list[str]:
        parts = row.body.split(None, 2)
        if len(parts) < 2:
            raise Misread("bad-attribute", "an attribute of nothing", None, "A1, a tab, Name E1 value")
        if parts[1] not in known:
            message = f"an attribute of {parts[1]}, which is not there"
            raise Misread("unknown-id", message, None, "the id of another line")
        return parts

    for row, (written, id, *value) in reader.each("AM", parse):
        if id not in mentions:
            reader.kept.append(row)
            continue
        taken = written in (*OWN, "realis") or written.startswith(ESCAPE)
        name = "realis" if written == "Realis" else ESCAPE + written if taken else written
        attributes = mentions[id].attributes
        if name in dict(attributes):
            reader.report(row, "repeated-attribute", f"{id} has {written} already", "each once", fatal=False)
        else:
            mentions[id] = mentions[id]._replace(attributes=(*attributes, (name, "".join(value))))


def _links(
    reader: _Annotations, mentions: dict[str, Mention], known: set[str]
) -> tuple[list[_Ends], list[tuple[str, str, _Ends]]]:
    """Groups of coreferent mentions, and other relations; lines about other annotation are kept for conversion."""
    same: list[_Ends] = []
    relations: list[tuple[str, str, _Ends]] = []

    def parse(row: _BratLine) -> tuple[str, _Ends]:
        name, *parts = row.body.split()
        pairs = [part.rpartition(":") for part in parts]
        if len(pairs) < 2 or (row.id != "*" and not all(role for role, _, _ in pairs)):
            raise Misread("bad-relation", "a relation of less than two", None, "R1, a tab, Name Arg1:E1 Arg2:E2")
        if all(re.fullmatch(r"Arg[0-9]", role) for role, _, _ in pairs):
            pairs.sort()
        missing = [id for _, _, id in pairs if id not in known]
        if missing:
            message = f"a relation to what is not there: {', '.join(missing)}"
            raise Misread("unknown-id", message, None, "ids of other lines")
        return name, tuple([id for _, _, id in pairs])

    for row, (name, ends) in reader.each("R*", parse):
        if not all(end in mentions for end in ends):
            reader.report(row, "no-mention", "a relation to what is no mention", "ids of mentions", fatal=False)
            reader.kept.append(row)
        elif name.lower() in IDENTITY:
            same.append(ends)
        else:
            relations.append((name, row.id, ends))
    return same, relations


def _entities(names: list[str], links: list[_Ends]) -> dict[str, str]:
    """The entity of each mention: C1, C2, ... for linked ones, its own id for a single one."""
    linked = [each for each in components(names, links) if len(each) > 1]
    labels = {name: f"C{number}" for number, each in enumerate(linked, 1) for name in each}
    return {name: labels.get(name, name) for name in names}


def _natural(id: str) -> list[tuple[int, str]]:
    """A key to sort E2 before E10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"([0-9]{1,18})", id)]
