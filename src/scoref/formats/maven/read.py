"""MAVEN-ERE: JSON lines with events and their relations (key), or with coreference and relations (response).

A line of a key has `tokens` (lists of words), `events` with their mentions, and `TIMEX`; a line of a response has
`coreference`, lists of ids of mentions. Both may have `temporal_relations` and `causal_relations` (pairs by label) and
`subevent_relations` (pairs). A pair of events holds for all pairs of their mentions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from ...document.document import Document, Mention, Origin
from ...problems import Problems, Reporter
from ..jsonl.read import record_of, records
from ..jsonl.shapes import SHAPES, Record, RecordText, text_of
from ..source import SKIP, Misread, Source, is_new

# The kinds of relations, each with its labels; a kind without labels is a list of pairs.
LABELS = {
    "temporal": ("BEFORE", "OVERLAP", "CONTAINS", "SIMULTANEOUS", "ENDS-ON", "BEGINS-ON"),
    "causal": ("CAUSE", "PRECONDITION"),
    "subevent": (),
}
TIME = "TIMEX"
_PAIRS = '[["id", "id"], ...]'
_Relations = tuple[tuple[str, str, tuple[str, ...]], ...]
_Ends = Mapping[str, list[str]]  # the mentions that an id stands for


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The documents of a file of keys or of responses."""
    report = Reporter(problems, source.name, remedy=SKIP)
    lines: dict[str, int] = {}
    for number, text in records(source.data)[1]:
        name = None
        try:
            record = record_of(text) if isinstance(text, str) else text
            name = _id(record)
            if is_new(name, number, lines, report.of(name)):
                made = _key if "events" in record else _response
                yield made(record, name, Origin(source.name, number), report.of(name))
        except Misread as misread:
            misread.report_to(report.of(name), number)


def _key(record: Record, name: str, origin: Origin, report: Reporter) -> Document:
    if record.get("tokens") is None:
        raise Misread("bad-words", "a key without tokens", name, '"tokens": [["word", ...], ...]')
    text = text_of({"sentences": record["tokens"]}, SHAPES[0])
    mentions: list[Mention] = []
    ends: dict[str, list[str]] = {}
    for event in _objects(record, "events"):
        entity = _new(_id(event), ends)
        ends[entity] = []
        for mention in _objects(event, "mention"):
            try:
                mentions.append(_mention(mention, event, text, ends))
            except Misread as misread:
                misread.report_to(report, origin.line or 1)
                continue
            ends[entity].append(str(mentions[-1].id))
    times = [_new(_id(time), ends) for time in _objects(record, TIME)]
    ends |= {time: [time] for time in times}
    relations = *[(TIME, time, (time,)) for time in times], *_relations(record, ends, report, origin.line)
    return Document(name, text.words or (), mentions, text.sentences, relations=relations, origin=origin)


def _mention(mention: Record, event: Record, text: RecordText, known: dict[str, list[str]]) -> Mention:
    """A mention of an event, whose id becomes known; `offset` has its first token and the one behind."""
    id, sentence, offset = _new(_id(mention), known), mention.get("sent_id"), mention.get("offset")
    shown = f"{id} {json.dumps(sentence)} {json.dumps(offset)}"
    if type(sentence) is not int or not 0 <= sentence < len(text.offsets):
        expected = f"a sent_id below {len(text.offsets)}"
        raise Misread("bad-mention", "a mention in a sentence that is not there", shown, expected)
    start = text.offsets[sentence]
    size = [*text.offsets, text.size or 0][sentence + 1] - start
    if not isinstance(offset, list) or len(offset) != 2 or {*map(type, offset)} != {int}:
        raise Misread("bad-mention", "a mention whose offset is not [start, end]", shown, "two whole numbers")
    if not 0 <= offset[0] < offset[1] <= size:
        raise Misread("bad-mention", "a mention outside of its sentence", shown, f"0 ≤ start < end ≤ {size}")
    known[id] = [id]
    type_of = event.get("type")
    attributes = (("type", type_of),) if isinstance(type_of, str) and type_of else ()
    return Mention.at(start + offset[0], start + offset[1] - 1, _id(event), id=id, attributes=attributes)


def _response(record: Record, name: str, origin: Origin, report: Reporter) -> Document:
    known = ("coreference", *(f"{kind}_relations" for kind in LABELS))
    if record.keys().isdisjoint(known):
        raise Misread("no-entities", "a line without annotation", name, f"events, or some of {', '.join(known)}")
    chains = record.get("coreference", [])
    if not isinstance(chains, list) or not all(isinstance(each, list) for each in chains):
        raise Misread("bad-clusters", "coreference that is not a list of clusters", name, '[["id", ...], ...]')
    names = [id for chain in chains for id in chain]
    if wrong := next((id for id in names if not isinstance(id, str) or not id), None):
        raise Misread("bad-mention", "a mention that is not the id of one", json.dumps(wrong), "texts")
    mentions = [Mention((), entity, id) for entity, chain in enumerate(chains) for id in chain]
    relations = tuple(_relations(record, None, report, origin.line))
    return Document(name, (), mentions, relations=relations, origin=origin)


def _relations(record: Record, ends: _Ends | None, report: Reporter, line: int | None) -> Iterator[Any]:
    """The relations of mentions, in the order of the line; `ends` says which mentions an id stands for."""
    label_of: dict[tuple[str, str], str] = {}
    number = 0
    for kind, known in LABELS.items():
        label_of.clear()
        for label, pair in _pairs(record, kind, known):
            shown = f"{kind} {json.dumps(pair)}"
            if not isinstance(pair, list) or len(pair) != 2 or {*map(type, pair)} != {str}:
                report("bad-relation", "a relation that is not a pair of ids", line, shown, '["id", "id"]')
            elif pair[0] == pair[1]:
                report("bad-relation", "a relation of something to itself", line, shown, "two different ids")
            elif ends is not None and not (pair[0] in ends and pair[1] in ends):
                report("bad-relation", "a relation to what is not there", line, shown, "ids of events or of TIMEX")
            else:
                each = ends or {end: [end] for end in pair}
                for two in product(each[pair[0]], each[pair[1]]):
                    if label_of.setdefault(two, label) != label:
                        message = "a pair with two labels, of which the later one counts"
                        report("repeated-relation", message, line, shown, label_of[two], remedy="", fatal=False)
                    label_of[two] = label
                    number += 1
                    yield label, f"R{number}", two


def _pairs(record: Record, kind: str, known: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The pairs of a kind of relations with the names of these, `temporal:BEFORE` or `subevent`."""
    field = f"{kind}_relations"
    said = record.get(field, {} if known else [])
    if not known:
        said = {"": said}
    if not isinstance(said, dict) or not all(isinstance(pairs, list) for pairs in said.values()):
        expected = f'{{"{known[0]}": {_PAIRS}, ...}}' if known else _PAIRS
        raise Misread("bad-relations", f"{field} that are not lists of pairs", json.dumps(said)[:100], expected)
    for label, pairs in said.items():
        if known and label not in known:
            raise Misread("unknown-label", f"{field} with a label that there is not", label, ", ".join(known))
        for pair in pairs:
            yield f"{kind}:{label}" if known else kind, pair


def _objects(record: Record, field: str) -> list[Record]:
    """The objects of a list; without the field, none."""
    found = record.get(field, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Misread("bad-record", f"{field} that is not a list of objects", None, '[{"id": ...}, ...]')
    return found


def _id(record: Record) -> str:
    id = record.get("id")
    if type(id) not in (str, int) or id == "":
        raise Misread("unnamed-document", "something without an id", json.dumps(record)[:100], '"id": "..."')
    return str(id)


def _new(id: str, known: dict[str, list[str]]) -> str:
    """The id, which must not be that of another event, mention or time."""
    if id in known:
        raise Misread("repeated-id", "an id for the second time", id, "an id of its own for each")
    return id
