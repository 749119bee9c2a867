"""TBF, the token-based format of event nuggets (TAC KBP): all documents of a run in one file, a line for each mention.

A mention line has at least seven columns, separated by tabs: system, document, mention id, span, text, type, realis,
and any number of confidences. A span is a list of token ids (`t12,t13`; other ids with a folder of token tables), or
pieces of characters (`4,8;13,16`, ends excluded). `@Coreference`, `@After` and `@Subevent` lines relate mentions.

Several lines may have the same span (double tagging): a mention is its line, not its span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, position, word_of
from . import Format, Source

_BEGIN, _END = "#BeginOfDocument", "#EndOfDocument"
_COLUMNS = 7
_TOKEN = re.compile(r"t\d+(,t\d+)*")
_SKIP = "fix the file, or count and skip such places with --on-problem skip"
RELATIONS = ("Coreference", "After", "Subevent")


class _Wrong(Exception):
    """Something that cannot be understood: code, message, text, what was expected."""


class Token(NamedTuple):
    """A token of a table: its id, its text, where it begins, where it ends (excluded)."""

    id: str
    text: str
    begin: int
    end: int


def _table_of(folder: str, name: str) -> list[Token] | None:
    """The token table of a document; None if the folder has none. The name is never followed out of the folder."""
    path = Path(folder) / f"{name}.tab"
    if not name or Path(name).name != name or not path.is_file():
        return None
    rows = [line.rstrip("\r").split("\t") for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    return [Token(row[0], row[1], int(row[2]), int(row[3])) for row in rows if len(row) > 3 and row[2].isdigit()]


@dataclass
class _Text:
    """A document while it is read."""

    name: str
    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    relations: list[tuple[int, str, str, tuple[str, ...]]] = field(default_factory=list)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a TBF file."""
    lines = [line.strip(" \t\r\v\f") for line in source.data.decode().split("\n")]
    spans = [cells[3] for line in lines if line and line[0] not in "#@" and len(cells := line.split("\t")) >= _COLUMNS]
    by_token = source.tokens is not None or (bool(spans) and all(_TOKEN.fullmatch(span) for span in spans))
    text: _Text | None = None
    names: dict[str, int] = {}

    def problem(
        number: int, code: str, message: str, shown: str | None = None, expected: str | None = None, fatal: bool = True
    ) -> None:
        name = text.name if text else None
        problems.add(Problem(code, message, source.name, number, name, shown, expected, _SKIP, fatal))

    for number, line in enumerate([*lines, _BEGIN], 1):
        if line.startswith(_BEGIN):
            last = number > len(lines)
            if text is not None:
                problem(
                    text.line, "missing-end", "a document without its end", text.name, f'"{_END}" before line {number}'
                )
                yield from _finished(text, names, source, by_token, problem)
            text = _Text(line[len(_BEGIN) :].strip(), number) if not last else None
            if text is not None and not text.name:
                problem(number, "unnamed-document", "a document without a name", line, f"{_BEGIN} NAME")
        elif line.startswith(_END):
            if text is None:
                problem(
                    number, "unopened-document", "a document ends that never began", line, f"{_BEGIN} NAME before it"
                )
            else:
                yield from _finished(text, names, source, by_token, problem)
                text = None
        elif line and line[0] != "#":
            if text is None:
                problem(number, "outside-document", "a line outside of any document", line, f"{_BEGIN} NAME before it")
                continue
            try:
                if line[0] == "@":
                    text.relations.append((number, *_relation(line[1:].strip())))
                else:
                    text.rows.append((number, _row(line)))
            except _Wrong as wrong:
                problem(number, *wrong.args)


def _row(line: str) -> list[str]:
    cells = line.split("\t")
    if len(cells) < _COLUMNS:
        raise _Wrong("column-count", f"{len(cells)} columns", line, f"at least {_COLUMNS} columns, separated by tabs")
    return cells


def _relation(line: str) -> tuple[str, str, tuple[str, ...]]:
    cells = line.split("\t")
    if len(cells) != 3:
        raise _Wrong("bad-relation", f"a relation of {len(cells)} columns", line, "name, id and ids of mentions")
    ends = tuple(cells[2].split(","))
    if len(ends) < 2 and cells[0] != "Coreference":
        raise _Wrong("bad-relation", "a relation to nothing", line, "two ids of mentions, separated by a comma")
    if len(ends) > 2 and cells[0] in ("After", "Subevent"):
        raise _Wrong("bad-relation", f"a relation of {len(ends)} mentions", line, "two ids of mentions")
    return cells[0], cells[1], ends


def _finished(text: _Text, names: dict[str, int], source: Source, by_token: bool, problem: Any) -> Iterator[Document]:
    if text.name in names:
        problem(text.line, "repeated-document", f"document {text.name} for the second time", text.name,
                f"another name than in line {names[text.name]}")  # fmt: skip
        return
    names[text.name] = text.line
    table = _table_of(source.tokens, text.name) if source.tokens is not None else None
    if source.tokens is not None and table is None:
        problem(text.line, "no-token-table", "a document without a token table", text.name,
                f"{text.name}.tab in the folder of token tables", fatal=False)  # fmt: skip
    places = {token.id: index for index, token in enumerate(table)} if table else None
    mentions: list[Mention] = []
    lines: list[int] = []
    seen: dict[str, int] = {}
    for number, cells in text.rows:
        try:
            span = _tokens(cells[3], places, number, problem) if by_token else _characters(cells[3], number, problem)
        except _Wrong as wrong:
            problem(number, *wrong.args)
            continue
        if cells[2] in seen:
            problem(number, "repeated-mention", f"mention id {cells[2]} for the second time", cells[2],
                    f"another id than in line {seen[cells[2]]}", fatal=False)  # fmt: skip
        seen.setdefault(cells[2], number)
        attributes = [("system", cells[0]), ("text", cells[4]), ("type", cells[5]), ("realis", cells[6])]
        if len(cells) > _COLUMNS:
            attributes.append(("confidence", "\t".join(cells[_COLUMNS:])))
        mentions.append(Mention(span, cells[2], cells[2], (), tuple(attributes)))
        lines.append(number)
    entities = _entities(text, set(seen), mentions, problem)
    repeated = [mention.id for mention in mentions]
    named = [
        mention._replace(entity=entities.get(str(mention.id)) or _own(str(mention.id), repeated[:index]))
        for index, mention in enumerate(mentions)
    ]
    yield Document(
        text.name,
        tuple(token.text for token in table) if table else (),
        tuple(named),
        columns=_offsets(table) if table else {},
        relations=tuple([(name, id, ends) for _, name, id, ends in text.relations]),
        source=source.name,
        line=text.line,
    )


def _own(id: str, before: list[Any]) -> str:
    """The entity of a mention that no cluster has; lines that share an id are entities of their own."""
    return f"{id}" if id not in before else f"{id}#{before.count(id) + 1}"


def _offsets(table: list[Token]) -> dict[str, list[str]]:
    return {
        "token": [token.id for token in table],
        "begin": [str(token.begin) for token in table],
        "end": [str(token.end) for token in table],
    }


def _tokens(span: str, places: dict[str, int] | None, number: int, problem: Any) -> tuple[int, ...]:
    ids = span.split(",")
    if places is None:
        if not all(re.fullmatch(r"t?\d+", id) for id in ids):
            raise _Wrong("bad-span", "not a list of tokens", span, "t12 or t12,t13")
        found = [int(id.removeprefix("t")) for id in ids]
    else:
        unknown = [id for id in ids if id not in places]
        if unknown:
            raise _Wrong("unknown-token", f"a token that is not in the table: {', '.join(unknown)}", span,
                         "ids of the document's token table")  # fmt: skip
        found = [places[id] for id in ids]
    if found != sorted(set(found)):
        problem(number, "token-order", "tokens out of order, or twice", span, "each token once, in order", fatal=False)
    return tuple(position(word) for word in sorted(set(found)))


def _characters(span: str, number: int, problem: Any) -> tuple[int, ...]:
    offsets: list[int] = []
    for piece in span.split(";"):
        ends = piece.split(",")
        if len(ends) < 2 or not all(re.fullmatch(r"\d+", end) for end in ends[:2]):
            raise _Wrong("bad-span", "not a span of characters", span, "begin,end or begin,end;begin,end")
        if len(ends) > 2:
            problem(number, "bad-span", "a span with too many numbers", span, "begin,end; the rest is not read", False)
        begin, end = int(ends[0]), int(ends[1])
        if end - begin > 10_000:
            raise _Wrong("bad-span", "a span too long to be one", span, "at most 10,000 characters")
        offsets += range(begin, end)
    if not offsets or len(set(offsets)) < len(offsets):
        problem(number, "bad-span", "a span that is empty, or has characters twice", span, "begin < end", False)
    return tuple(position(offset) for offset in sorted(set(offsets)))


def _entities(text: _Text, known: set[str], mentions: list[Mention], problem: Any) -> dict[str, str]:
    """The entity of each mention that a coreference line names; lines that share a mention are one entity."""
    entity: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    spans = {str(mention.id): mention.span for mention in mentions}
    for number, name, id, ends in text.relations:
        unknown = [end for end in ends if end not in known]
        if unknown:
            problem(number, "unknown-mention", f"a relation with a mention that is not there: {', '.join(unknown)}",
                    f"@{name}\t{id}\t{','.join(ends)}", "ids of mentions of this document", fatal=False)  # fmt: skip
        if name not in RELATIONS:
            problem(
                number, "unknown-relation", f"an unknown relation {name}", None, f"one of {', '.join(RELATIONS)}", False
            )
        if name != "Coreference":
            continue
        label = f"cluster {number}"
        members[label] = []
        shared = dict.fromkeys(entity[end] for end in ends if end in entity)
        joined = list(dict.fromkeys([*(each for other in shared for each in members.pop(other)), *ends]))
        if shared:
            problem(number, "open-cluster", "a cluster that shares a mention with an earlier one", ",".join(ends),
                    f"one line: @Coreference\t{id}\t{','.join(joined)}", fatal=False)  # fmt: skip
        members[label] = joined
        entity.update(dict.fromkeys(joined, label))
        twins = [end for end in ends if end in spans and [spans.get(other) for other in ends].count(spans[end]) > 1]
        if twins:
            problem(number, "span-twice", f"the same span twice in a cluster: {', '.join(twins)}", ",".join(ends),
                    "mentions of different spans", fatal=False)  # fmt: skip
    return {end: label for end, label in entity.items() if end in known}


# -- writing ---------------------------------------------------------------------------------------------------------


def write(documents: list[Document]) -> str:
    """Documents as the text of a TBF file: by token where they have token tables or words, else by character."""
    return "".join(line + "\n" for document in documents for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    ids = document.columns.get("token")
    yield f"{_BEGIN} {document.id}"
    for number, mention in enumerate(document.mentions, 1):
        if not mention.span:
            raise Error("unwritable-mention", "a mention without positions cannot be written as TBF",
                        path=document.source, document=document.id, text=str(mention.id))  # fmt: skip
        attributes = dict(mention.attributes)
        words = [word_of(place) for place in mention.span]
        if ids:
            span = ",".join(ids[word] for word in words)
        elif document.words:
            span = ",".join(f"t{word}" for word in words)
        else:
            span = ";".join(f"{first},{last + 1}" for first, last in _runs(words))
        text = attributes.get("text") or document.text_of(mention)
        cells = [
            attributes.get("system", "scoref"), document.id, str(mention.id or f"E{number}"), span, text,
            attributes.get("type", "NOT_ANNOTATED"), attributes.get("realis", "NOT_ANNOTATED"),
        ]  # fmt: skip
        if "confidence" in attributes:
            cells.append(attributes["confidence"])
        yield "\t".join(cell.replace("\n", " ") for cell in cells)
    if any(name == "Coreference" for name, _, _ in document.relations):
        clusters = []
    else:
        names = {id(mention): str(mention.id or f"E{number}") for number, mention in enumerate(document.mentions, 1)}
        clusters = [[names[id(m)] for m in mentions] for mentions in document.entities().values() if len(mentions) > 1]
    for number, members in enumerate(clusters, 1):
        yield f"@Coreference\tR{number}\t{','.join(members)}"
    for name, relation, ends in document.relations:
        yield f"@{name}\t{relation}\t{','.join(ends)}"
    yield _END


def _runs(words: list[int]) -> list[tuple[int, int]]:
    runs = [(words[0], words[0])]
    for word in words[1:]:
        if word == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], word)
        else:
            runs.append((word, word))
    return runs


def sniff(data: bytes) -> bool:
    """Whether there is a line `#BeginOfDocument`."""
    return re.search(rb"^\s*#BeginOfDocument", data, re.MULTILINE) is not None


FORMAT = Format("tbf", "token-based format of event nuggets", ".tbf", "kbp-2015", sniff, read, write)
