"""Documents as JSON lines: clusters of spans, and under the key `scoref` whatever else is known of a document."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from ...document.document import Document, word_of
from ...document.spans import is_stretch
from ..source import OTHER_FORMAT, refusal
from .record import is_plain, to_record


def write(documents: list[Document]) -> str:
    """Documents as JSON lines with inclusive ends."""
    return "".join(json.dumps(_json(document), ensure_ascii=False) + "\n" for document in documents)


def _json(document: Document) -> dict[str, Any]:
    _refuse_mentions(document)
    stretches = {
        entity: [[word_of(m.span[0]), word_of(m.span[-1])] for m in mentions if is_stretch(m.span)]
        for entity, mentions in document.entities().items()
    }
    record: dict[str, Any] = {"doc_key": document.id, "ends": "inclusive"}
    words = list(document.words)
    if words:
        starts = sorted({0, *document.sentences, len(words)})
        record["sentences"] = [words[start:end] for start, end in pairwise(starts)]
    record["clusters"] = list(stretches.values())
    if list(stretches) != list(range(len(stretches))):
        record["entities"] = list(stretches)
    if not is_plain(document) or not all(is_stretch(mention.span) for mention in document.mentions):
        record["scoref"] = to_record(document)
    return record


def _refuse_mentions(document: Document) -> None:
    """Refuse mentions without positions or behind the words, and entities whose names JSON would change."""
    for mention in document.mentions:
        code, remedy = "unwritable-mention", OTHER_FORMAT
        if not mention.span:
            message = "a mention without positions"
            remedy = "choose a format of names without positions: clusters or table"
        elif document.words and word_of(mention.span[-1]) >= len(document.words):
            message = "a mention that ends behind the document"
        elif type(mention.entity) not in (str, int):
            code, message = "unwritable-entity", "an entity whose name is neither text nor number"
        else:
            continue
        raise refusal(document, code, f"{message} cannot be written as JSONL", mention, remedy=remedy)
