"""TBF, the token-based format of event nuggets (TAC KBP): all documents of a run in one file, a line for each mention.

A mention line has at least seven columns, separated by tabs: system, document, mention id, span, text, type, realis,
and any number of confidences. A span is a list of token ids (`t12,t13`; other ids with a folder of token tables), or
pieces of characters (`4,8;13,16`, ends excluded). `@Coreference`, `@After` and `@Subevent` lines relate mentions.

Several lines may have the same span (double tagging): a mention is its line, not its span.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ..exceptions import Error, Problem, Problems
from ..model import Document, Mention, Origin, position, word_of
from ._tbf_writing import BEGIN, END, write
from .source import SKIP, Format, Source, load
from .tokens import Token, read_table

_COLUMNS = 7
_NUMBER = "[0-9]{1,12}"
_TOKENS = re.compile(rf"t{_NUMBER}(,t{_NUMBER})*")
_LONGEST = 10_000
RELATIONS = ("Coreference", "After", "Subevent")

_Report = Callable[..., None]


class _Wrong(Exception):
    """Something that cannot be understood: code, message, text, what was expected."""


@dataclass
class _Text:
    """A document while it is read: its lines, split into cells, with their numbers."""

    name: str
    line: int
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    relations: list[tuple[int, str, str, tuple[str, ...]]] = field(default_factory=list)


def _report(
    path: str,
    problems: Problems,
    document: str | None,
    line: int,
    code: str,
    message: str,
    text: str | None = None,
    expected: str | None = None,
    fatal: bool = True,
) -> None:
    remedy = SKIP if fatal else "fix the file"
    problems.add(Problem(code, message, path, line, document, text, expected, remedy, fatal))


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a TBF file."""
    _check_folder(source.tokens, "token tables")
    texts = _texts(source, problems)
    by_token = source.tokens is not None or _by_token(texts)
    names: dict[str, int] = {}
    for text in texts:
        report = partial(_report, source.name, problems, text.name)
        if text.name in names:
            report(text.line, "repeated-document", f"document {text.name} for the second time", text.name,
                   f"another name than in line {names[text.name]}")  # fmt: skip
            continue
        names[text.name] = text.line
        table = _table(source.tokens, text.name, problems) if source.tokens is not None else None
        if source.tokens is not None and table is None:
            report(text.line, "no-token-table", "a document without a token table", text.name,
                   f"{text.name}.tab in the folder of token tables", False)  # fmt: skip
        yield _document(text, table, by_token, report, source.name)


def _check_folder(folder: str | None, what: str) -> None:
    if folder is not None and not Path(folder).is_dir():
        raise Error("unreadable-file", f"there is no such folder of {what}", path=folder,
                    remedy="check the name; a relative name is looked up from the current folder")  # fmt: skip


def _by_token(texts: list[_Text]) -> bool:
    """Whether all spans of the file are token ids like t12."""
    spans = [cells[3] for text in texts for _, cells in text.rows]
    return bool(spans) and all(map(_TOKENS.fullmatch, spans))


def _texts(source: Source, problems: Problems) -> list[_Text]:
    """The documents of the file, each as its lines."""
    texts: list[_Text] = []
    text: _Text | None = None
    lines = [line.strip(" \t\r\v\f") for line in source.data.decode().split("\n")]
    for number, line in enumerate([*lines, BEGIN], 1):
        report = partial(_report, source.name, problems, text.name if text else None, number)
        if line.startswith(BEGIN):
            if text is not None:
                _report(source.name, problems, text.name, text.line, "missing-end", "a document without its end",
                        text.name, f'"{END}" before line {number}')  # fmt: skip
                texts.append(text)
            text = _Text(line[len(BEGIN) :].strip(), number) if number <= len(lines) else None
            if text is not None and not text.name:
                report("unnamed-document", "a document without a name", line, f"{BEGIN} NAME")
        elif line.startswith(END):
            if text is None:
                report("unopened-document", "a document ends that never began", line, f"{BEGIN} NAME before it")
            else:
                texts.append(text)
                text = None
        elif line and line[0] != "#":
            if text is None:
                report("outside-document", "a line outside of any document", line, f"{BEGIN} NAME before it")
                continue
            try:
                if line[0] == "@":
                    text.relations.append((number, *_relation(line[1:].strip())))
                else:
                    text.rows.append((number, _row(line)))
            except _Wrong as wrong:
                report(*wrong.args)
    return texts


def _row(line: str) -> list[str]:
    cells = line.split("\t")
    if len(cells) < _COLUMNS:
        raise _Wrong("column-count", f"{len(cells)} columns", line, f"at least {_COLUMNS} columns, separated by tabs")
    if not cells[2] or "," in cells[2]:
        raise _Wrong("bad-mention-id", "an id that no relation could name", cells[2], "an id without commas")
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


def _document(text: _Text, table: list[Token] | None, by_token: bool, report: _Report, path: str) -> Document:
    ids = _ids(text, table)
    places = {id: index for index, id in enumerate(ids)} if table is not None else None
    mentions: list[Mention] = []
    seen: dict[str, int] = {}
    copies: Counter[str] = Counter()
    for number, cells in text.rows:
        here = partial(report, number)
        try:
            span = _tokens(cells[3], places, here) if by_token else _characters(cells[3], here)
        except _Wrong as wrong:
            here(*wrong.args)
            continue
        if cells[1] != text.name:
            here("other-document", "a line that names another document", cells[1], text.name, False)
        if cells[2] in seen:
            here("repeated-mention", f"mention id {cells[2]} for the second time", cells[2],
                 f"another id than in line {seen[cells[2]]}", False)  # fmt: skip
        seen.setdefault(cells[2], number)
        copies[cells[2]] += 1
        attributes = [("system", cells[0]), ("text", cells[4]), ("type", cells[5]), ("realis", cells[6])]
        if len(cells) > _COLUMNS:
            attributes.append(("confidence", "\t".join(cells[_COLUMNS:])))
        if by_token and table is None:
            attributes.append(("unit", "token"))
        own = f"{cells[2]},{copies[cells[2]]}" if copies[cells[2]] > 1 else cells[2]  # no id has a comma
        mentions.append(Mention(span, own, cells[2], (), tuple(attributes)))
    entities = _entities(text, mentions, report)
    return Document(
        text.name,
        tuple(token.text for token in table or ()),
        tuple([mention._replace(entity=entities.get(str(mention.id), mention.entity)) for mention in mentions]),
        columns=_offsets(ids, table) if table else {},
        relations=tuple([(name, id, ends) for _, name, id, ends in text.relations]),
        origin=Origin(path, text.line),
    )


# -- spans -----------------------------------------------------------------------------------------------------------


def _table(folder: str, name: str, problems: Problems) -> list[Token] | None:
    """The token table of a document; None if the folder has none. The name is never followed out of the folder."""
    path = Path(folder) / f"{name}.tab"
    if not name or Path(name).name != name or not path.is_file():
        return None
    return read_table(load(path), str(path), problems)


def _ids(text: _Text, table: list[Token] | None) -> list[str]:
    """The ids of a table's tokens as the document has them: t12 where the table has 12, if it says so."""
    ids = [token.id for token in table or ()]
    used = {id for _, cells in text.rows for id in cells[3].split(",")}
    named = [f"t{id}" for id in ids]
    return named if not used <= set(ids) and used & set(named) else ids


def _offsets(ids: list[str], table: list[Token]) -> dict[str, list[str]]:
    return {
        "token": ids,
        "begin": [str(token.begin) for token in table],
        "end": [str(token.end) for token in table],
    }


def _tokens(span: str, places: dict[str, int] | None, report: _Report) -> tuple[int, ...]:
    ids = span.split(",")
    if places is None:
        if not all(re.fullmatch(f"t?{_NUMBER}", id) for id in ids):
            raise _Wrong("bad-span", "not a list of tokens", span, "t12 or t12,t13")
        found = [int(id.removeprefix("t")) for id in ids]
    else:
        unknown = [id for id in ids if id not in places]
        if unknown:
            raise _Wrong("unknown-token", f"a token that is not in the table: {', '.join(unknown)}", span,
                         "ids of the document's token table")  # fmt: skip
        found = [places[id] for id in ids]
    if found != sorted(set(found)):
        report("token-order", "tokens out of order, or twice", span, "each token once, in order", False)
    return tuple(position(word) for word in sorted(set(found)))


def _characters(span: str, report: _Report) -> tuple[int, ...]:
    offsets: list[int] = []
    for piece in span.split(";"):
        ends = piece.split(",")
        if len(ends) < 2 or not all(re.fullmatch(_NUMBER, end) for end in ends[:2]):
            raise _Wrong("bad-span", "not a span of characters", span,
                         "begin,end or begin,end;begin,end (ids of tokens: t12, or any with --tokens DIR)")  # fmt: skip
        if len(ends) > 2:
            report("bad-span", "a span with too many numbers", span, "begin,end; the rest is not read", False)
        begin, end = int(ends[0]), int(ends[1])
        if end - begin > _LONGEST:
            raise _Wrong("bad-span", "a span too long to be one", span, f"at most {_LONGEST} characters")
        offsets += range(begin, end)
    if not offsets or len(set(offsets)) < len(offsets):
        report("bad-span", "a span that is empty, or has characters twice", span, "begin < end", False)
    return tuple(position(offset) for offset in sorted(set(offsets)))


def by_tokens(document: Document, folder: str, problems: Problems) -> Document:
    """A document whose positions are characters, as brat has it, by the tokens of its table that share some of them."""
    _check_folder(folder, "token tables")
    table = _table(folder, document.id, problems)
    if table is None:
        raise Error("no-token-table", "a document without a token table", path=document.source, document=document.id,
                    expected=f"{document.id}.tab in {folder}", remedy="make it with scoref tokenize")  # fmt: skip
    ends = [min(token.end, token.begin + _LONGEST) for token in table]
    at = {place: n for n, token in enumerate(table) for place in range(token.begin, ends[n])}
    mentions: list[Mention] = []
    for mention in document.mentions:
        places = [word_of(place) for place in mention.span]
        found = sorted({at[place] for place in places if place in at})
        if not found:
            problem = partial(_report, document.source or "", problems, document.id, document.line_of(mention) or 1)
            problem("no-token", "a mention in which no token is", str(mention.id), "tokens of its table")
        else:
            mentions.append(mention._replace(span=tuple(map(position, found))))
    ids = [token.id if token.id.startswith("t") else f"t{token.id}" for token in table]
    words = tuple(token.text for token in table)
    return replace(document, words=words, mentions=tuple(mentions), columns=_offsets(ids, table))


# -- relations -------------------------------------------------------------------------------------------------------


def _entities(text: _Text, mentions: list[Mention], report: _Report) -> dict[str, str]:
    """The entity of each mention that a coreference line names, called as its first mention.

    Lines that share a mention are one entity. What is wrong with relations of any kind is reported.
    """
    spans = {str(mention.id): mention.span for mention in mentions}
    written = {cells[2] for _, cells in text.rows}  # what is wrong with a mention is said once
    cluster: dict[str, list[str]] = {}
    for number, name, label, ends in text.relations:
        here = partial(report, number)
        unknown = [end for end in ends if end not in written]
        if unknown:
            here("unknown-mention", f"a relation with a mention that is not there: {', '.join(unknown)}",
                 f"@{name}\t{label}\t{','.join(ends)}", "ids of mentions of this document", False)  # fmt: skip
        if name not in RELATIONS:
            here("unknown-relation", f"an unknown relation {name}", None, f"one of {', '.join(RELATIONS)}", False)
        if name != "Coreference":
            continue
        joined = list(dict.fromkeys([*(each for end in ends for each in cluster.get(end, [])), *ends]))
        if any(end in cluster for end in ends):
            here("open-cluster", "a cluster that shares a mention with an earlier one", ",".join(ends),
                 f"one line: @Coreference\t{label}\t{','.join(joined)}", False)  # fmt: skip
        cluster.update(dict.fromkeys(joined, joined))
        if len(ends) < 2:
            here("small-cluster", "a cluster of one mention", ",".join(ends), "two mentions or more", False)
        sizes = Counter(spans[end] for end in ends if end in spans)
        twins = [end for end in ends if end in spans and sizes[spans[end]] > 1]
        if twins:
            here("span-twice", f"the same span twice in a cluster: {', '.join(twins)}", ",".join(ends),
                 "mentions of different spans", False)  # fmt: skip
    distinct = {id(members): [each for each in members if each in spans] for members in cluster.values()}
    entity = {end: members[0] for members in distinct.values() for end in members}
    _check_links(text, {end: entity.get(end, end) for end in spans}, report)
    return entity


def _check_links(text: _Text, entity: dict[str, str], report: _Report) -> None:
    """Report cycles of links."""
    after: dict[tuple[str, str], list[str]] = {}
    for number, name, _, ends in text.relations:
        if name in ("After", "Subevent") and all(end in entity for end in ends):
            start, end = (entity[each] for each in ends)
            queue, seen = [end], {end}
            while queue:
                more = set(after.get((name, queue.pop()), ())) - seen
                seen |= more
                queue += more
            if start in seen:
                report(number, "cyclic-links", f"a link {name} that closes a circle", ",".join(ends),
                       "links that lead from no event to itself", False)  # fmt: skip
            after.setdefault((name, start), []).append(end)


# -- checking --------------------------------------------------------------------------------------------------------


def check(source: Source, problems: Problems, known: Callable[[str], bool] | None, texts: str | None) -> None:
    """Report event types that are not `known`, and spans behind the end of DOCUMENT.txt in the folder `texts`."""
    _check_folder(texts, "texts")
    found = _texts(source, Problems("skip"))
    by_token = source.tokens is not None or _by_token(found)
    for text in found:
        report = partial(_report, source.name, problems, text.name)
        size = _length(texts, text.name) if texts is not None and not by_token else None
        if texts is not None and not by_token and size is None:
            report(text.line, "no-text", "a document without its text", text.name, f"{text.name}.txt", False)
        for number, cells in text.rows:
            if known is not None and not known(cells[5]):
                report(number, "unknown-type", f"an unknown event type {cells[5]}", cells[5], "a type of the list")
            ends = [int(end) for end in re.findall(rf"\b{_NUMBER}\b", cells[3])]
            if size is not None and max(ends, default=0) > size:
                report(number, "behind-text", "a span that ends behind the text", cells[3],
                       f"at most {size} characters")  # fmt: skip


def _length(folder: str, name: str) -> int | None:
    """How many characters the text of a document has; None if the folder has none."""
    path = Path(folder) / f"{name}.txt"
    if not name or Path(name).name != name or not path.is_file():
        return None
    return len(load(path).decode(errors="replace"))


# -- writing ---------------------------------------------------------------------------------------------------------


def sniff(data: bytes) -> bool:
    """Whether there is a line `#BeginOfDocument`."""
    return re.search(rb"^[ \t]*#BeginOfDocument", data, re.MULTILINE) is not None


FORMAT = Format("tbf", "token-based format of event nuggets", ".tbf", "kbp-2015", sniff, read, write)
