"""Documents as lines of EDL."""

from __future__ import annotations

import json
import re

from ...document.document import Document, word_of
from ...document.spans import text_order
from ..source import refusal
from .read import KBID, kbid_of


def write(documents: list[Document]) -> str:
    """A line for each mention, in text order; without a score it is 1.0. Several attributes are written as JSON."""
    rows = []
    for document in documents:
        for mention in sorted(document.mentions, key=lambda each: text_order(each.span)):
            attributes = dict(mention.attributes)
            score = attributes.pop("confidence", "1.0")
            if attributes.get(KBID) == kbid_of(str(mention.entity)):
                del attributes[KBID]
            plain = attributes.keys() <= {"type"} and not attributes.get("type", "").startswith("{")
            type = attributes.get("type", "") if plain else json.dumps(attributes, ensure_ascii=False)
            said = score, type
            cells = [document.id, word_of(mention.span[0]), word_of(mention.span[-1]), mention.entity, *said]
            texts = [str(cell) for cell in cells]
            if any(re.search(r"[\t\n\r]", text) for text in texts) or not all(text.strip() for text in texts[:4]):
                message = "a name that is empty, or has a tab or a line break, cannot be written as EDL"
                raise refusal(document, "unwritable-entity", message, mention)
            rows.append("\t".join(texts).rstrip("\t"))
    return "".join(f"{row}\n" for row in rows)
