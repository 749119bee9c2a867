"""Writes the token-based format of event nuggets."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from ..exceptions import Error
from ..model import Document, Mention, repeated_places
from ..spans import EMPTY, is_stretch

BEGIN = "#BeginOfDocument"


END = "#EndOfDocument"


def write(documents: list[Document]) -> str:
    """Documents as the text of a TBF file: by token where they have token tables or words, else by character."""
    return "".join(line + "\n" for document in documents for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    if not document.id or document.id != document.id.strip() or min(document.id) < " ":
        message = "a document name that is empty, or has line breaks or blanks around it, cannot be written as TBF"
        raise Error("unwritable-name", message, path=document.source, text=document.id,
                    remedy="rename the document, or choose another format")  # fmt: skip
    names = [str(mention.id if mention.id is not None else f"E{n}") for n, mention in enumerate(document.mentions, 1)]
    yield f"{BEGIN} {document.id}"
    for name, mention in zip(names, document.mentions, strict=True):
        zero = not is_stretch(mention.span) and any(place & EMPTY for place in mention.span)
        if not mention.span or zero or not re.fullmatch(r"[^,\t\n\r]+", name):
            message = "a zero, a mention without positions, or one with a comma in its id cannot be written as TBF"
            raise Error("unwritable-mention", message, path=document.source, line=document.line_of(mention),
                        document=document.id, text=name, remedy="choose another format")  # fmt: skip
        attributes = dict(mention.attributes)
        confidence = attributes.get("confidence", "").rstrip()
        realis = _cell(attributes.get("realis", "NOT_ANNOTATED"))
        yield "\t".join([
            _cell(attributes.get("system", "")).lstrip("#@ ") or "scoref", document.id, name,
            _span(document, mention), _cell(attributes.get("text", document.text_of(mention))),
            _cell(attributes.get("type", "NOT_ANNOTATED")),
            *([realis, confidence] if confidence else [realis.strip() or "NOT_ANNOTATED"]),
        ])  # fmt: skip
    if not any(name == "Coreference" for name, _, _ in document.relations):
        clusters: dict[Hashable, list[str]] = {}
        for name, mention in zip(names, document.mentions, strict=True):
            clusters.setdefault(mention.entity, []).append(name)
        for number, members in enumerate([each for each in clusters.values() if len(each) > 1], 1):
            yield f"@Coreference\tC{number}\t{','.join(members)}"
    for name, relation, ends in document.relations:
        yield f"@{_cell(name)}\t{_cell(relation)}\t{_cell(','.join(ends))}"
    yield END


def _span(document: Document, mention: Mention) -> str:
    """The place of a mention; pieces that overlap are written as they were."""
    places = repeated_places(mention)
    if not document.words and places and len(set(places)) < len(places):
        return dict(mention.attributes)["pieces"].replace(" ", ",")
    return document.span_of(mention)


def _cell(text: str) -> str:
    return re.sub(r"[\t\n\r]", " ", text)
