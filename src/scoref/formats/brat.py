"""brat standoff annotation: a file of annotation lines (`.ann`) beside the text (`.txt`), one document a file.

| line | what it is |
|---|---|
| `T1⇥Type 17 20;8 12⇥text` | a stretch of the text, or several pieces; ends are excluded |
| `E1⇥Type:T1 Role:T2` | an event, its trigger and its participants |
| `A1⇥Name E1 value`, `M1⇥...` | an attribute, such as Realis |
| `R1⇥Name Arg1:E1 Arg2:E2` | a relation; `Coreference` makes entities |
| `*⇥Equiv T1 T2 T3` | the same, of any number |
| `N...`, `#...` | normalisations and notes, which are kept and not read |

The mentions are the events; in a file without events they are the stretches of text. Positions are characters.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, components, position, runs, word_of
from . import SKIP, Format, Source, load_text

Span = tuple[int, int]

_ID = re.compile(r"[TEAMRN#][0-9]+\S*|[#*]")
_BOUND = re.compile(r"(\S+)\s+([0-9]{1,9} +[0-9]{1,9}(?: *; *[0-9]{1,9} +[0-9]{1,9})*)\s*")
_LONGEST = 100_000
_IDENTITY = ("coreference", "coref", "equiv")
_OWN = ("text", "type", "trigger", "roles", "pieces")  # attributes that are no lines of their own
_NO_REALIS = "NOT_ANNOTATED"  # matches any
_ESCAPE = "brat."


class _Wrong(Exception):
    """A line that cannot be understood: code, message, what was expected."""


class _Row(NamedTuple):
    """A line: its number, id, the part behind the first tab, and that behind the second."""

    line: int
    id: str
    body: str
    rest: str
    whole: str


class Bound(NamedTuple):
    """A stretch of text: its type, its pieces in the order of the file, its text."""

    type: str
    pieces: tuple[Span, ...]
    text: str


class _Reader:
    """Reports problems of one file by their lines."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source, self.problems = source, problems
        name = "" if source.name == "-" else Path(source.name).name
        self.document = name.removesuffix(".gz").removesuffix(".ann")

    def report(self, row: _Row, code: str, message: str, expected: str, fatal: bool = True) -> None:
        self.problems.add(
            Problem(code, message, self.source.name, row.line, self.document, row.whole, expected, SKIP, fatal)
        )

    def rows(self) -> list[_Row]:
        """The lines that are annotation, each with an id of its own."""
        found: list[_Row] = []
        lines: dict[str, int] = {}
        for number, line in enumerate(self.source.data.decode().split("\n"), 1):
            if not line.strip():
                continue
            id, _, body = line.partition("\t")
            body, _, rest = body.partition("\t")
            row = _Row(number, id.strip(), body.strip(), rest, line)
            if not _ID.fullmatch(row.id) or not (row.body or row.id[0] == "#"):
                self.report(row, "unknown-line", "a line of an unknown kind", "an id such as T1, E1 or R1, and a tab")
            elif row.id in lines and row.id not in "#*":
                expected = f"another id than in line {lines[row.id]}"
                self.report(row, "repeated-id", f"{row.id} for the second time", expected)
            else:
                lines[row.id] = number
                found.append(row)
        return found

    def each(self, rows: Iterable[_Row], kinds: str, parse: Any) -> Iterator[tuple[_Row, Any]]:
        """The lines of some kinds with what they say; those that cannot be understood are reported."""
        for row in rows:
            if row.id[0] in kinds:
                try:
                    yield row, parse(row)
                except _Wrong as wrong:
                    self.report(row, *wrong.args)

    def bounds(self, rows: list[_Row], text: str | None) -> dict[str, Bound]:
        """The stretches of text by their ids, compared with the text if there is one."""
        found: dict[str, Bound] = {}
        for row, bound in self.each(rows, "T", lambda row: _bound(row, text)):
            there = None if text is None else _surface(text, bound.pieces)
            if there is not None and row.rest and bound.text.split() != there.split():
                self.report(row, "different-text", "another text than at this place", f'"{_shorter(there)}"')
            if len({place for piece in bound.pieces for place in range(*piece)}) < _length(bound.pieces):
                self.report(row, "bad-span", "pieces that overlap", "pieces that are apart", fatal=False)
            found[row.id] = bound if row.rest or there is None else bound._replace(text=_line(there))
        return found


def annotated(source: Source, text: str, problems: Problems) -> list[Span]:
    """Every piece of every stretch of text, for token tables."""
    reader = _Reader(source, problems)
    bounds = reader.bounds([row for row in reader.rows() if row.id[0] == "T"], text)
    return [piece for bound in bounds.values() for piece in bound.pieces]


# -- reading ---------------------------------------------------------------------------------------------------------


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file; its text is in the file of the same name with the ending `.txt`, if there is one."""
    reader = _Reader(source, problems)
    text = _text_beside(source.name)
    rows = reader.rows()
    bounds = reader.bounds(rows, text)
    events = _events(reader, rows, bounds)
    kept: list[_Row] = [row for row in rows if row.id[0] in "N#"]
    if any(row.id[0] == "E" for row in rows):
        mentions = {id: _mention(id, bounds[event[1]], event) for id, event in events.items()}
        kept += _participants(reader, rows, bounds, events)
    else:
        mentions = {id: _mention(id, bound) for id, bound in bounds.items()}
    known = {row.id for row in rows if row.id[0] not in "TE"} | bounds.keys() | events.keys()
    kept += _add_attributes(reader, rows, mentions, known)
    links, relations, others = _links(reader, rows, mentions, known)
    entities = _entities(sorted(mentions, key=_natural), links)
    columns = {
        "text": [text] if text is not None else [],
        "ann": [row.whole for row in sorted(kept + others)],
    }
    yield Document(
        reader.document,
        mentions=tuple([_with_realis(mentions[id])._replace(entity=entities[id]) for id in entities]),
        columns={name: cells for name, cells in columns.items() if cells},
        relations=tuple(relations),
        source=source.name,
        line=1,
    )


def _text_beside(name: str) -> str | None:
    base = name.removesuffix(".gz")
    if not base.endswith(".ann"):
        return None
    names = [base.removesuffix(".ann") + ending for ending in (".txt", ".txt.gz")]
    found = next((name for name in names if Path(name).is_file()), None)
    return load_text(found) if found and Path(found).stat().st_size else None


def _bound(row: _Row, text: str | None) -> Bound:
    match = _BOUND.fullmatch(row.body)
    if not match:
        raise _Wrong("bad-span", "a stretch of text without its offsets", "T1, a tab, Type begin end, a tab, the text")
    pieces = tuple([(int(begin), int(end)) for begin, end in (piece.split() for piece in match[2].split(";"))])
    for begin, end in pieces:
        if end <= begin:
            raise _Wrong("bad-span", "a piece that ends before it begins", "begin < end")
        if text is not None and end > len(text):
            raise _Wrong("outside-text", "a piece that ends behind the text", f"an end of at most {len(text)}")
    if _length(pieces) > _LONGEST:
        raise _Wrong("bad-span", "a stretch too long to be one", f"at most {_LONGEST} characters")
    return Bound(match[1], pieces, row.rest)


def _length(pieces: tuple[Span, ...]) -> int:
    return sum(end - begin for begin, end in pieces)


def _surface(text: str, pieces: Iterable[Span]) -> str:
    return " ".join(text[begin:end] for begin, end in pieces)


def _line(text: str) -> str:
    """The text with a blank for each line break."""
    return re.sub(r"[\n\r]", " ", text)


def _shorter(text: str) -> str:
    return _line(text if len(text) <= 60 else text[:57] + "...")


def _events(reader: _Reader, rows: list[_Row], bounds: dict[str, Bound]) -> dict[str, tuple[str, str, str]]:
    """Type, trigger and roles of each event."""
    there = {row.id for row in rows if row.id in bounds or row.id[0] == "E"}

    def parse(row: _Row) -> tuple[str, str, str]:
        parts = [part.rpartition(":") for part in row.body.split()]
        if not all(name and id for name, _, id in parts):
            raise _Wrong("bad-event", "an event without its trigger", "E1, a tab, Type:T1, perhaps Role:T2")
        type, _, trigger = parts[0]
        if trigger not in bounds:
            raise _Wrong("unknown-id", f"an event whose trigger {trigger} is not there", "the id of a T line")
        missing = [id for _, _, id in parts[1:] if id not in there]
        if missing:
            expected = "ids of T and E lines"
            reader.report(row, "unknown-id", f"a participant that is not there: {', '.join(missing)}", expected)
        return type, trigger, " ".join(f"{name}:{id}" for name, _, id in parts[1:] if id in there)

    return {row.id: event for row, event in reader.each(rows, "E", parse)}


def _mention(id: str, bound: Bound, event: tuple[str, str, str] | None = None) -> Mention:
    places = sorted({place for piece in bound.pieces for place in range(*piece)})
    attributes = [("text", bound.text), ("type", event[0] if event else bound.type)]
    if event:
        attributes += [("trigger", event[1]), *([("roles", event[2])] if event[2] else [])]
    if tuple(_stretches(places)) != bound.pieces:
        attributes.append(("pieces", _written(bound.pieces)))
    return Mention(tuple([position(place) for place in places]), id, id, (), tuple(attributes))


def _with_realis(mention: Mention) -> Mention:
    if "realis" in dict(mention.attributes):
        return mention
    return mention._replace(attributes=(*mention.attributes, ("realis", _NO_REALIS)))


def _participants(
    reader: _Reader, rows: list[_Row], bounds: dict[str, Bound], events: dict[str, tuple[str, str, str]]
) -> list[_Row]:
    """The stretches of text that are no triggers; those that no event has any use for are reported."""
    triggers = {trigger for _, trigger, _ in events.values()}
    used = {part.rpartition(":")[2] for _, _, roles in events.values() for part in roles.split()}
    found = [row for row in rows if row.id in bounds and row.id not in triggers]
    for row in found:
        if row.id not in used:
            message = "a stretch of text that takes part in no event is no mention in a file with events"
            reader.report(row, "no-event", message, f"an event with {row.id}", fatal=False)
    return found


def _add_attributes(reader: _Reader, rows: list[_Row], mentions: dict[str, Mention], known: set[str]) -> list[_Row]:
    """Give mentions their attributes; gives the lines of attributes that other annotation has."""
    kept: list[_Row] = []

    def parse(row: _Row) -> list[str]:
        parts = row.body.split(None, 2)
        if len(parts) < 2:
            raise _Wrong("bad-attribute", "an attribute of nothing", "A1, a tab, Name E1 value")
        if parts[1] not in known:
            raise _Wrong("unknown-id", f"an attribute of {parts[1]}, which is not there", "the id of another line")
        return parts

    for row, (written, id, *value) in reader.each(rows, "AM", parse):
        if id not in mentions:
            kept.append(row)
            continue
        taken = written in (*_OWN, "realis") or written.startswith(_ESCAPE)
        name = "realis" if written == "Realis" else _ESCAPE + written if taken else written
        attributes = mentions[id].attributes
        if name in dict(attributes):
            reader.report(row, "repeated-attribute", f"{id} has {written} already", "each once", fatal=False)
        else:
            mentions[id] = mentions[id]._replace(attributes=(*attributes, (name, "".join(value))))
    return kept


def _links(
    reader: _Reader, rows: list[_Row], mentions: dict[str, Mention], known: set[str]
) -> tuple[list[tuple[str, ...]], list[tuple[str, str, tuple[str, ...]]], list[_Row]]:
    """Sets of mentions that are the same, other relations, and the lines that relate something else than mentions."""
    same: list[tuple[str, ...]] = []
    relations: list[tuple[str, str, tuple[str, ...]]] = []
    kept: list[_Row] = []

    def parse(row: _Row) -> tuple[str, tuple[str, ...]]:
        name, *parts = row.body.split()
        pairs = [part.rpartition(":") for part in parts]
        if len(pairs) < 2 or (row.id != "*" and not all(role for role, _, _ in pairs)):
            raise _Wrong("bad-relation", "a relation of less than two", "R1, a tab, Name Arg1:E1 Arg2:E2")
        if all(re.fullmatch(r"Arg[0-9]", role) for role, _, _ in pairs):
            pairs.sort()
        missing = [id for _, _, id in pairs if id not in known]
        if missing:
            raise _Wrong("unknown-id", f"a relation to what is not there: {', '.join(missing)}", "ids of other lines")
        return name, tuple([id for _, _, id in pairs])

    for row, (name, ends) in reader.each(rows, "R*", parse):
        if not all(end in mentions for end in ends):
            reader.report(row, "no-mention", "a relation to what is no mention", "ids of mentions", fatal=False)
            kept.append(row)
        elif name.lower() in _IDENTITY:
            same.append(ends)
        else:
            relations.append((name, row.id, ends))
    return same, relations, kept


def _entities(names: list[str], links: list[tuple[str, ...]]) -> dict[str, str]:
    """The entity of each mention: C1, C2, ... for those that are linked, its own id for one that is alone."""
    linked = [each for each in components(names, links) if len(each) > 1]
    labels = {name: f"C{number}" for number, each in enumerate(linked, 1) for name in each}
    return {name: labels.get(name, name) for name in names}


def _natural(id: str) -> list[tuple[int, str]]:
    """A key to sort E2 before E10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"([0-9]{1,18})", id)]


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """One document as annotation lines: events if it has any, else stretches of text."""
    if len(documents) != 1:
        raise Error("too-many-documents", f"a brat file holds one document, not {len(documents)}",
                    remedy="write to a folder, or choose the format tbf or jsonl")  # fmt: skip
    return "".join(f"{line}\n" for line in _lines(documents[0]))


def beside(documents: list[Document]) -> dict[str, str]:
    """The text that the offsets count, if it is known."""
    text, _ = _layout(documents[0])
    return {".txt": text} if text is not None else {}


def _layout(document: Document) -> tuple[str | None, list[Span]]:
    """The text of the document, and where its words are: it has a blank between words, a line for each sentence."""
    if not document.words:
        return next(iter(document.columns.get("text", ())), None), []
    starts = set(document.sentences)
    parts: list[str] = []
    spans: list[Span] = []
    end = -1
    for index, word in enumerate(document.words):
        parts += ["\n" if index in starts else " ", word]
        spans.append((end + 1, end := end + 1 + len(word)))
    return "".join(parts[1:]) + "\n", spans


def _lines(document: Document) -> Iterator[str]:
    text, words = _layout(document)
    mentions = document.mentions
    kept = [] if words else list(document.columns.get("ann", ()))
    used = {line.partition("\t")[0] for line in kept}
    attributes = [dict(mention.attributes) for mention in mentions]
    types = [_word(each.get("type", "")) for each in attributes]
    pieces = [_pieces(document, mention, text, words) for mention in mentions]
    texts = [_text_of(document, mention, text, places) for mention, places in zip(mentions, pieces, strict=True)]
    if _has_events(document):
        ids = _assign("E", [mention.id for mention in mentions], used)
        groups = [(each.get("trigger", id), places) for each, id, places in zip(attributes, ids, pieces, strict=True)]
        triggers = list(dict.fromkeys(groups))
        bounds = dict(zip(triggers, _assign("T", [trigger for trigger, _ in triggers], used), strict=True))
        first = {group: index for index, group in reversed([*enumerate(groups)])}
        for group, index in sorted(first.items(), key=itemgetter(1)):
            yield f"{bounds[group]}\t{types[index] or 'Event'} {_written(group[1])}\t{texts[index]}"
        for id, type, group, each in zip(ids, types, groups, attributes, strict=True):
            yield f"{id}\t{type or 'Event'}:{bounds[group]} {each.get('roles', '')}".rstrip()
    else:
        ids = _assign("T", [mention.id for mention in mentions], used)
        for id, type, places, surface in zip(ids, types, pieces, texts, strict=True):
            yield f"{id}\t{type or 'Mention'} {_written(places)}\t{surface}"
    yield from _attribute_lines(mentions, ids, used)
    yield from _relation_lines(document, ids, used)
    yield from kept


def _has_events(document: Document) -> bool:
    """Whether the mentions are events: something says so, and their ids are not those of stretches of text."""
    if any(re.match("T[0-9]", str(mention.id)) for mention in document.mentions):
        return False
    return any(
        re.match("E[0-9]", str(mention.id)) or "realis" in dict(mention.attributes) for mention in document.mentions
    )


def _assign(kind: str, wanted: Sequence[object], used: set[str]) -> list[str]:
    """An id for each: the one it has if that is free and of this kind, else a new one."""
    found: list[str | None] = []
    for each in wanted:
        free = isinstance(each, str) and re.fullmatch(kind + r"[0-9]+\S*", each) and each not in used
        found.append(str(each) if free else None)
        used.update([str(each)] if free else [])
    fresh = (name for name in (f"{kind}{number}" for number in count(1)) if name not in used)
    names = [each or next(fresh) for each in found]
    used.update(names)
    return names


def _pieces(document: Document, mention: Mention, text: str | None, words: list[Span]) -> tuple[Span, ...]:
    """Where the mention is, in characters of the text."""
    places = [word_of(place) for place in mention.span]
    pieces = _stretches(places)
    if words:
        pieces = [(words[first][0], words[last - 1][1]) for first, last in pieces if last <= len(words)]
    written = dict(mention.attributes).get("pieces")
    if written and not words and _BOUND.fullmatch(f"_ {written}"):
        order = [(int(begin), int(end)) for begin, end in (piece.split() for piece in written.split(";"))]
        if sorted({place for piece in order for place in range(*piece)}) == places:
            pieces = order
    zeros = any(place != position(word_of(place)) for place in mention.span)
    behind = text is not None and any(end > len(text) for _, end in pieces)
    if not pieces or zeros or behind or any(begin == end for begin, end in pieces):
        raise Error("unwritable-mention", "a mention without a place in the text cannot be written as brat",
                    path=document.source, document=document.id, text=document.text_of(mention),
                    remedy="choose another format")  # fmt: skip
    return tuple(pieces)


def _stretches(places: list[int]) -> list[Span]:
    """Begins and ends (excluded) of stretches without gaps."""
    return [(first, last + 1) for first, last in runs(places)]


def _written(pieces: Iterable[Span]) -> str:
    return ";".join(f"{begin} {end}" for begin, end in pieces)


def _text_of(document: Document, mention: Mention, text: str | None, pieces: tuple[Span, ...]) -> str:
    """The text of the mention as the file has it, unless that is not what is at its place."""
    own = document.text_of(mention)
    if text is not None and own.split() != (there := _surface(text, pieces)).split():
        own = there
    return _line(own)


def _word(text: str) -> str:
    """The text with no blanks, as names are."""
    return "_".join(text.split())


def _attribute_lines(mentions: Sequence[Mention], ids: list[str], used: set[str]) -> Iterator[str]:
    found = [
        (id, "Realis" if name == "realis" else name.removeprefix(_ESCAPE), value)
        for id, mention in zip(ids, mentions, strict=True)
        for name, value in mention.attributes
        if name not in _OWN and (name, value) != ("realis", _NO_REALIS)
    ]
    for number, (id, name, value) in zip(_assign("A", [None] * len(found), used), found, strict=True):
        yield f"{number}\t{_word(name)} {id} {' '.join(value.split())}".rstrip()


def _relation_lines(document: Document, ids: list[str], used: set[str]) -> Iterator[str]:
    members: dict[Hashable, list[str]] = {}
    for mention, id in zip(document.mentions, ids, strict=True):
        if mention.entity is not None:
            members.setdefault(mention.entity, []).append(id)
    found: list[tuple[str, str, tuple[str, ...]]]
    found = [("Coreference", "", pair) for entity in members.values() for pair in pairwise(entity)]
    named = {mention.id: id for mention, id in zip(reversed(document.mentions), reversed(ids), strict=True)}
    for name, id, ends in document.relations:
        if name.lower() not in _IDENTITY:
            if len(ends) < 2 or not all(end in named for end in ends):
                raise Error("unwritable-relation", "a relation to what is no mention cannot be written as brat",
                            path=document.source, document=document.id, text=f"{name} {','.join(ends)}",
                            remedy="remove it, or choose another format")  # fmt: skip
            found.append((_word(name), id, tuple([named[end] for end in ends])))
    numbers = _assign("R", [id for _, id, _ in found], used)
    for number, (name, id, ends) in zip(numbers, found, strict=True):
        if id == "*" or len(ends) > 2:
            yield f"*\t{name} {' '.join(ends)}"
        else:
            yield f"{number}\t{name} Arg1:{ends[0]} Arg2:{ends[1]}"


_FIRST = re.compile(
    rb"\s*(?:T[0-9]+\S*\t\S+ +[0-9]|E[0-9]+\S*\t\S+:T[0-9]|[AM][0-9]+\S*\t\S+ +[TE][0-9]"
    rb"|R[0-9]+\S*\t\S+ +\S+:[TE][0-9]|\*\t\S+ +[TE][0-9]|N[0-9]+\S*\t\S+ +[TE][0-9]|#[0-9]+\t\S+ +[TEAR][0-9])"
)


def sniff(data: bytes) -> bool:
    """Whether the first line is a line of brat annotation."""
    return _FIRST.match(data) is not None


FORMAT = Format(
    "brat", "brat standoff annotation", ".ann", "kbp-2015", sniff, read, write,
    single=True, by_file=True, aside=(".txt", ".conf", ".tab"), beside=beside,
)  # fmt: skip
