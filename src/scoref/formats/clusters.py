"""Clusters of mention names in JSON, one document a file.

Five shapes: `{"type": "clusters", "clusters": {"entity": ["mention", ...]}}`,
`{"type": "graph", "mentions": [...], "links": [["mention", "mention"], ...]}` whose connected components are the
entities, a bare list of lists, and `{"entity": ["mention", ...]}` or `{"clusters": [["mention", ...], ...]}` with texts
only. Mentions are names without positions: anything JSON can write.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from dataclasses import replace

from ..document.clusters import clusters
from ..document.document import Document, Mention, Origin, components, word_of
from ..document.reply import Reply
from ..document.spans import is_stretch
from ..problems import Problems, Reporter
from .jsonl.shapes import entities_of_texts, loads
from .source import Source, only, refusal

_EXPECTED = (
    '{"type": "clusters", "clusters": {...}}, {"type": "graph", "mentions": [...], "links": [...]}, [[...], ...]'
    ' or {"entity": ["text", ...]}, {"clusters": [["text", ...], ...]}'
)


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """The one document of a file."""
    report = Reporter(problems, source.name, remedy="fix the file, or name another format with --format")
    try:
        record = loads(source.data.decode())
    except ValueError as reason:
        line = getattr(reason, "lineno", 1)
        raise report.error("bad-clusters", f"not JSON: {reason}", line, None, _EXPECTED) from None
    fields = record if isinstance(record, dict) else {"clusters": record}
    kind, entities = fields.get("type"), fields.get("clusters")
    if kind is None and (texts := entities_of_texts(record)) is not None:
        kind, entities = "clusters", texts
    elif isinstance(record, list):
        kind = "clusters"
    if kind == "clusters" and isinstance(entities, dict | list):
        if not {type(each) for each in (entities.values() if isinstance(entities, dict) else entities)} <= {list}:
            raise report.error("bad-clusters", "a cluster that is not a list", 1, None, _EXPECTED)
    elif kind == "graph" and isinstance(record.get("mentions"), list) and isinstance(record.get("links", []), list):
        entities = _components(record["mentions"], record.get("links", []), report)
    else:
        raise report.error("bad-clusters", "neither clusters nor a graph", 1, None, _EXPECTED)
    try:
        document = clusters(entities)
        hash(document.mentions)
    except (TypeError, RecursionError):
        expected = "names, numbers or lists"
        raise report.error("bad-clusters", "a mention that is a JSON object", 1, None, expected) from None
    from_model = source.side == "response" and "type" not in fields  # perhaps: the words of the key will tell
    reply = Reply(source.data.decode(), source.marks, source.ends) if from_model else None
    yield replace(document, origin=Origin(source.name, 1, reply=reply))


def _components(mentions: list[object], links: list[object], report: Reporter) -> list[list[object]]:
    names = [json.dumps(mention) for mention in mentions]
    known = set(names)
    joined: list[list[str]] = []
    for link in links:
        ends = [json.dumps(end) for end in link] if isinstance(link, list) else []
        if len(ends) == 2 and known.issuperset(ends):
            joined.append(ends)
            continue
        message, remedy = "a link that does not join two mentions", "fix the file, or skip it with --on-problem skip"
        report("bad-link", message, 1, json.dumps(link), "two of the mentions", remedy=remedy)
    entity = {name: group[0] for group in components(names, joined) for name in group}
    found: dict[str, list[object]] = {}
    for name, mention in zip(names, mentions, strict=True):  # a repeated mention stays repeated
        found.setdefault(entity[name], []).append(mention)
    return [*found.values()]


def write(documents: list[Document]) -> str:
    """One document as clusters of mention names; a mention with positions is named by its first and last word."""
    placed = all(mention.span for document in documents for mention in document.mentions)
    remedy = f"write to a folder, or choose the format {'jsonl' if placed else 'table'}"
    document = only(documents, "a clusters file", remedy)
    entities = document.entities()
    lists = [[_name(mention, document) for mention in mentions] for mentions in entities.values()]
    numbered = [*entities] == [*range(len(entities))]
    written = lists if numbered else dict(zip(map(str, entities), lists, strict=True))
    if len(written) < len(entities):
        message = "entities whose names are the same text cannot be written as clusters"
        raise refusal(document, "unwritable-entity", message, remedy="rename the entities")
    try:
        return json.dumps({"type": "clusters", "clusters": written}, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as reason:
        message = f"a mention that JSON cannot hold: {reason}"
        remedy = "name mentions by texts, numbers or tuples of them"
        raise refusal(document, "unwritable-mention", message, remedy=remedy) from None


def _name(mention: Mention, document: Document) -> Hashable | list[int]:
    if not mention.span:
        return mention.id
    if not is_stretch(mention.span):
        message = "a mention that is not a stretch of words cannot be written as clusters"
        raise refusal(document, "unwritable-mention", message, mention)
    return [word_of(mention.span[0]), word_of(mention.span[-1])]
