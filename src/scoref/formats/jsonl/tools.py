"""Records of CoreNLP, Prodigy and Doccano as records of JSON lines.

| tool | keys | entities |
|---|---|---|
| CoreNLP | `sentences` with `tokens`, `corefs` | as listed; `type` and head of mentions |
| Prodigy | `tokens`, `spans`, `relations` with `head_span` and `child_span` | spans that relations of identity join |
| Doccano | `text`, `entities` with offsets, `relations` with `from_id` and `to_id` | the same |

Relations whose label is none of `IDENTITY` are kept as relations. All spans are mentions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from ...document.document import components
from ..source import Misread

_Record = dict[str, Any]
IDENTITY = ("coref", "coreference", "coreferent", "ident", "identity", "same", "same_as", "anaphora", "anaphoric")


def translated(record: _Record) -> _Record:
    """A record of one of these tools as JSON lines have it; any other as it is."""
    for keys, translate in _TOOLS.items():
        if record.keys() >= {*keys} and "clusters" not in record:
            try:
                return translate(record)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as reason:
                message = f"a record like those of {translate.__name__[1:].title()} that cannot be used: {reason!r}"
                raise Misread(
                    "bad-record", message, None, f"the keys {', '.join(keys)} as the tool writes them"
                ) from None
    return record


def _corenlp(record: _Record) -> _Record:
    sentences = [[token["word"] for token in each["tokens"]] for each in record["sentences"]]
    starts = [0, *accumulate(map(len, sentences))]
    mentions: list[_Record] = []
    for entity, chain in record["corefs"].items():
        for each in chain:
            sentence, first, last, head = (each[key] for key in ("sentNum", "startIndex", "endIndex", "headIndex"))
            if not (1 <= sentence <= len(sentences) and 1 <= first < last <= len(sentences[sentence - 1]) + 1):
                shown = json.dumps(each.get("text"))
                raise Misread("bad-mention", "a mention outside of its sentence", shown, "words of sentence sentNum")
            start = starts[sentence - 1] - 1
            head = start + head if first <= head < last else None
            said = {"type": each["type"]} if each.get("type") else {}
            mentions.append(_mention(start + first, start + last - 1, entity, said, head=head))
    names = {"doc_key": record["docId"]} if record.get("docId") else {}
    return names | {"sentences": sentences} | _described(mentions, [])


def _prodigy(record: _Record) -> _Record:
    answer = record.get("answer", "accept")
    if answer != "accept":
        raise Misread("not-accepted", f"a task whose answer is {answer}", None, "accept")
    places = {(each["token_start"], each["token_end"]): each.get("label") for each in record["spans"]}
    links = []
    for each in record["relations"]:
        ends = [(each[side]["token_start"], each[side]["token_end"]) for side in ("child_span", "head_span")]
        for side, end in zip(("child_span", "head_span"), ends, strict=True):
            places.setdefault(end, each[side].get("label"))
        links.append((each["label"], *[_place(end) for end in ends]))
    spans = [(_place(place), *place, label) for place, label in sorted(places.items())]
    name = record.get("doc_key") or (record.get("meta") or {}).get("id") or record.get("_input_hash")
    names = {"doc_key": str(name)} if name is not None else {}
    return names | {"tokens": [each["text"] for each in record["tokens"]]} | _joined(spans, links)


def _doccano(record: _Record) -> _Record:
    spans = [(str(each["id"]), each["start_offset"], each["end_offset"] - 1, each.get("label"))
             for each in record["entities"]]  # fmt: skip
    links = [(each["type"], str(each["from_id"]), str(each["to_id"])) for each in record["relations"]]
    names = {"doc_key": str(record["id"])} if "id" in record else {}
    found = _joined(spans, links)
    described = {"scoref": found["scoref"] | {"columns": {"text": [record["text"]]}}}
    return names | {"text": record["text"]} | found | described


_TOOLS: dict[tuple[str, ...], Callable[[_Record], _Record]] = {
    ("sentences", "corefs"): _corenlp,
    ("tokens", "spans", "relations"): _prodigy,
    ("text", "entities", "relations"): _doccano,
}


def _place(place: tuple[int, int]) -> str:
    return f"{place[0]}-{place[1]}"


def _joined(spans: list[tuple[str, int, int, str | None]], links: Iterable[tuple[str, str, str]]) -> _Record:
    """Entities of spans (id, first, last, label) that relations (label, from, to) of identity join."""
    known = {id for id, *_ in spans}
    links = [*links]
    if unknown := next((end for _, *ends in links for end in ends if end not in known), None):
        raise Misread("bad-relation", "a relation to what is not there", unknown, "the id of a span")
    same = [ends for label, *ends in links if label.lower() in IDENTITY]
    entity = {name: number for number, group in enumerate(components([id for id, *_ in spans], same)) for name in group}
    mentions = [
        _mention(first, last, entity[id], {"type": label} if label else {}, id=id) for id, first, last, label in spans
    ]
    others = [(label, *ends) for label, *ends in links if label.lower() not in IDENTITY]
    return _described(mentions, [[label, f"R{number}", ends] for number, (label, *ends) in enumerate(others, 1)])


def _mention(first: int, last: int, entity: object, attributes: _Record, **more: object) -> _Record:
    found = {"span": [[first, last, -1]], "entity": entity, "attributes": attributes, **more}
    return {name: value for name, value in found.items() if value not in (None, {})}


def _described(mentions: list[_Record], relations: list[list[Any]]) -> _Record:
    """The keys of JSON lines for these mentions."""
    chains: dict[Any, list[list[int]]] = {}
    for mention in mentions:
        chains.setdefault(mention["entity"], []).append(mention["span"][0][:2])
    described = {"mentions": mentions} | ({"relations": relations} if relations else {})
    return {"clusters": [*chains.values()], "entities": [*chains], "ends": "inclusive", "scoref": described}
