"""TBF, the token-based format of event nuggets (TAC KBP): all documents of a run in one file, a line for each mention.

A mention line has at least seven columns, separated by tabs: system, document, mention id, span, text, type, realis,
and any number of confidences. A span is a list of token ids (`t12,t13`; other ids with a folder of token tables), or
pieces of characters (`4,8;13,16`, ends excluded). `@Coreference`, `@After` and `@Subevent` lines relate mentions.

Several lines may have the same span (double tagging): a mention is its line, not its span.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from ...document.document import Document, Mention, Origin, Span, position, stretch
from ...document.mentions import Attributes
from ...document.spans import span_of
from ...problems import Problems, Reporter
from ..source import SKIP, Misread, Source, load
from ..tokens.spans import check_folder, offsets, table_of
from ..tokens.tables import Token
from .lines import COLUMNS, NuggetLines, texts, warning

_NUMBER = "[0-9]{1,12}"
_TOKENS = re.compile(rf"t{_NUMBER}(,t{_NUMBER})*")
_NUMBERS = re.compile(rf"t?{_NUMBER}(,t?{_NUMBER})*")
_PIECE = re.compile(rf"({_NUMBER}),({_NUMBER})(,.*)?")
_PIECES = re.compile(rf"{_NUMBER},{_NUMBER}(;{_NUMBER},{_NUMBER})*")
_LONGEST = 10_000
RELATIONS = ("Coreference", "After", "Subevent")


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a TBF file."""
    check_folder(source.tokens, "token tables")
    documents = texts(source, problems)
    by_token = source.tokens is not None or _by_token(documents)
    for text in documents:
        report = Reporter(problems, source.name, text.name, SKIP)
        table = table_of(source.tokens, text.name, problems) if source.tokens is not None else None
        if source.tokens is not None and table is None:
            message, expected = "a document without a token table", f"{text.name}.tab in the folder of token tables"
            warning(report)("no-token-table", message, text.line, text.name, expected)
        yield _document(text, table, by_token, report, source)


def _by_token(documents: list[NuggetLines]) -> bool:
    """Whether spans are token ids like t12 in more mentions than they are pieces of characters."""
    spans = [cells[3] for text in documents for _, cells in text.rows]
    tokens = sum(span.startswith("t") and _TOKENS.fullmatch(span) is not None for span in spans)
    return tokens > 0 and tokens > sum(map(bool, map(_PIECES.fullmatch, spans)))


def _document(
    text: NuggetLines, table: list[Token] | None, by_token: bool, report: Reporter, source: Source
) -> Document:
    ids = _ids(text, table) if table else []
    places = {id: index for index, id in enumerate(ids)} if table is not None else None
    mentions: list[Mention] = []
    lines: dict[Hashable, int] = {}
    copies: Counter[str] = Counter()
    for number, cells in text.rows:
        system, name, id, written, words, type, realis = cells[:COLUMNS]
        try:
            if by_token:
                span, pieces = _tokens(number, cells, places, report, source.tokens), ""
            else:
                span, pieces = _characters(number, cells, report, source.files)
        except Misread as misread:
            misread.report_to(report, number)
            continue
        if name != text.name:
            message = f"a line that names another document: {name}"
            warning(report)("other-document", message, number, f"{id} {written}", text.name)
        own = id
        if id in lines:
            message, expected = f"mention id {id} for the second time", f"another id than in line {lines[id]}"
            warning(report)("repeated-mention", message, number, f"{id} {written}", expected)
            copies[id] += 1
            own = f"{id},{copies[id] + 1}"  # no id has a comma
        else:
            lines[id] = number
        attributes: Attributes = (("system", system), ("text", words), ("type", type), ("realis", realis))
        if len(cells) > COLUMNS:
            attributes += (("confidence", "\t".join(cells[COLUMNS:])),)
        if pieces:
            attributes += (("pieces", pieces),)
        mentions.append(tuple.__new__(Mention, (span, own, id, (), attributes, None, ())))  # faster than a call
    entities, relations = _entities(text, mentions, report, source.files)
    named = tuple([mention.of(entities.get(str(mention[2]), mention[1])) for mention in mentions])
    columns, tokens = (offsets(ids, table), tuple(token.text for token in table)) if table else ({}, ())
    origin = Origin(source.name, text.line, (), lines, unit="tokens" if by_token else "characters")
    return Document(text.name, tokens, named, columns=columns, relations=tuple(relations), origin=origin)


# -- spans -----------------------------------------------------------------------------------------------------------


def _ids(text: NuggetLines, table: list[Token]) -> list[str]:
    """The ids of a table's tokens as the document writes them: t12 for 12, if the document writes it so."""
    ids = [token.id for token in table]
    used = {id for _, cells in text.rows for id in cells[3].split(",")}
    named = [f"t{id}" for id in ids]
    return named if not used <= set(ids) and used & set(named) else ids


def _tokens(line: int, cells: list[str], places: dict[str, int] | None, report: Reporter, folder: str | None) -> Span:
    """The positions of the tokens of a mention."""
    written = f"{cells[2]} {cells[3]}"
    ids = cells[3].split(",")
    if places is None:
        if not (_TOKENS if folder is None else _NUMBERS).fullmatch(cells[3]):
            raise Misread("bad-span", "not a list of tokens", written, "t12 or t12,t13, as most mentions of the file")
        tokens = [int(id[1:] if id[0] == "t" else id) for id in ids]
    else:
        unknown = [id for id in ids if id not in places]
        if unknown:
            message = f"a token that is not in the table: {', '.join(unknown)}"
            raise Misread("unknown-token", message, written, "ids of the document's token table")
        tokens = [places[id] for id in ids]
    if tokens != sorted(set(tokens)):
        warning(report)("token-order", "tokens out of order, or twice", line, written, "each token once, in order")
    return span_of(position(word) for word in sorted(set(tokens)))


def _characters(line: int, cells: list[str], report: Reporter, files: str) -> tuple[Span, str]:
    """The positions of the characters of a mention, and its pieces as they are written, if they overlap."""
    written = f"{cells[2]} {cells[3]}"
    pieces: list[range] = []
    for match in map(_PIECE.fullmatch, cells[3].split(";")):
        if not match:
            expected = "begin,end or begin,end;begin,end (ids of tokens: t12, or any with --tokens DIR)"
            raise Misread("bad-span", "not a span of characters", written, expected)
        begin, end, more = int(match[1]), int(match[2]), match[3]
        if more:
            message, expected = "a span with too many numbers", "begin,end; the rest is not read"
            warning(report)("bad-span", message, line, written, expected)
        if end - begin > _LONGEST:
            raise Misread("bad-span", "a span too long to be one", written, f"at most {_LONGEST} characters")
        if end <= begin:
            message = "a piece that ends before it begins, or is empty"
            if files == "strict":
                raise Misread("bad-span", message, written, "begin < end")
            warning(report)("bad-span", message, line, written, "begin < end")
        pieces.append(range(begin, end))
    if len(pieces) == 1 and pieces[0]:
        return stretch(begin, end - 1), ""
    offsets = {offset for piece in pieces for offset in piece}
    span = span_of(map(position, sorted(offsets)))
    if len(offsets) == sum(map(len, pieces)):
        return span, ""
    warning(report)("bad-span", "a span that has characters twice", line, written, "pieces that are apart")
    return span, ";".join(f"{piece.start} {piece.stop}" for piece in pieces)


# -- relations -------------------------------------------------------------------------------------------------------


_Ends = tuple[str, ...]
_Relation = tuple[str, str, _Ends]


def _entities(
    text: NuggetLines, mentions: list[Mention], report: Reporter, files: str
) -> tuple[dict[str, str], list[_Relation]]:
    """The entity of each mention in a coreference line, named after the first mention, and the relations.

    Reported and left out are: a cluster that shares a mention with an earlier one, a second mention with the same span
    in a cluster, unknown mentions. EvmEval refuses only the first of these.
    """
    refuse = report if files == "strict" else warning(report)
    spans = {str(mention[2]): mention[0] for mention in mentions}
    written = {cells[2] for _, cells in text.rows}  # errors of mentions have been reported already
    cluster: dict[str, _Ends] = {}
    kept: list[_Relation] = []
    for line, name, label, ends in text.relations:
        unknown = [end for end in ends if end not in written]
        if unknown:
            message = f"a relation with a mention that is not there: {', '.join(unknown)}"
            relation = f"@{name}\t{label}\t{','.join(ends)}"
            refuse("unknown-mention", message, line, relation, "ids of mentions of this document")
        if name not in RELATIONS:
            expected = f"one of {', '.join(RELATIONS)}"
            warning(report)("unknown-relation", f"an unknown relation {name}", line, None, expected)
        if name == "Coreference":
            earlier = dict.fromkeys(other for end in ends for other in cluster.get(end, ()))
            if earlier:
                joined = ",".join(dict.fromkeys([*earlier, *ends]))
                message = "a cluster that shares a mention with an earlier one"
                report("open-cluster", message, line, ",".join(ends), f"one line: @Coreference\t{label}\t{joined}")
                continue
            ends = _distinct(line, ends, spans, report, files)
            cluster.update(dict.fromkeys(ends, ends))
        kept.append((name, label, ends))
    there = [[end for end in ends if end in spans] for name, _, ends in kept if name == "Coreference"]
    entity = {end: members[0] for members in there for end in members}
    if any(name in ("After", "Subevent") for _, name, _, _ in text.relations):
        _check_links(text, {end: entity.get(end, end) for end in spans}, report)
    return entity, kept


def _distinct(line: int, ends: _Ends, spans: dict[str, Span], report: Reporter, files: str) -> _Ends:
    """The mentions of a cluster; under strict rules only the first of several with the same span."""
    strict, warn = files == "strict", warning(report)
    if len(ends) < 2:
        warn("small-cluster", "a cluster of one mention", line, ",".join(ends), "two mentions or more")
    firsts: dict[object, str] = {}
    for end in ends:
        firsts.setdefault(spans.get(end, end), end)
    if len(firsts) < len(ends):
        counts = Counter(spans.get(end, end) for end in ends)
        twins = [end for end in ends if counts[spans.get(end, end)] > 1]
        message = f"the same span twice in a cluster: {', '.join(twins)}"
        (report if strict else warn)("span-twice", message, line, ",".join(ends), "mentions of different spans")
    return tuple(firsts.values()) if strict else ends


def _check_links(text: NuggetLines, entity: dict[str, str], report: Reporter) -> None:
    """Report cycles of links."""
    links = [
        (number, ends, (name, entity[ends[0]]), (name, entity[ends[1]]))
        for number, name, _, ends in text.relations
        if name in ("After", "Subevent") and all(end in entity for end in ends)
    ]
    circular = _circular([(start, end) for _, _, start, end in links])
    after: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for number, ends, start, end in links:
        if start in circular and end in circular:
            queue, seen = [end], {end}
            while queue:
                more = set(after.get(queue.pop(), ())) - seen
                seen |= more
                queue += more
            if start in seen:
                message, expected = f"a link {start[0]} that closes a circle", "links that lead from no event to itself"
                warning(report)("cyclic-links", message, number, ",".join(ends), expected)
            after.setdefault(start, []).append(end)


def _circular(links: list[tuple[tuple[str, str], tuple[str, str]]]) -> set[tuple[str, str]]:
    """Events that may be in a cycle of links: those left after repeatedly removing events that no link leads to."""
    left = {event for link in links for event in link}
    sorter: TopologicalSorter[tuple[str, str]] = TopologicalSorter()
    for start, end in links:
        sorter.add(end, start)
    with suppress(CycleError):  # it still gives all events before the cycles
        sorter.prepare()
    while free := sorter.get_ready():
        left.difference_update(free)
        sorter.done(*free)
    return left


# -- checking --------------------------------------------------------------------------------------------------------


def check(source: Source, problems: Problems, known: Callable[[str], bool] | None, folder: str | None) -> None:
    """Report event types that are not `known`, and spans behind the end of DOCUMENT.txt in a folder of texts."""
    check_folder(folder, "texts")
    documents = texts(source, Problems("skip"))
    by_token = source.tokens is not None or _by_token(documents)
    folder = None if by_token else folder
    for text in documents:
        report = Reporter(problems, source.name, text.name, SKIP)
        size = _length(folder, text.name) if folder is not None else None
        if folder is not None and size is None:
            warning(report)("no-text", "a document without its text", text.line, text.name, f"{text.name}.txt")
        for line, cells in text.rows:
            written = f"{cells[2]} {cells[3]}"
            if known is not None and not known(cells[5]):
                report("unknown-type", f"an unknown event type {cells[5]}", line, written, "a type of the list")
            ends = [int(end) for end in re.findall(rf"\b{_NUMBER}\b", cells[3])]
            if size is not None and max(ends, default=0) > size:
                report("behind-text", "a span that ends behind the text", line, written, f"at most {size} characters")


def _length(folder: str, name: str) -> int | None:
    """How many characters the text of a document has; None if the folder has none."""
    path = Path(folder) / f"{name}.txt"
    if Path(name).name != name or not os.path.isfile(path):
        return None
    return len(load(path).decode(errors="replace"))
