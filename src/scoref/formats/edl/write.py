"""Documents as lines of EDL."""

from __future__ import annotations

import re

from ...document.document import Document, word_of
from ...document.spans import text_order
from ..source import refusal


def write(documents: list[Document]) -> str:
    """A line for each mention, in text order; without a score it is 1.0."""
    rows = []
    for document in documents:
        for mention in sorted(document.mentions, key=lambda each: text_order(each.span)):
            attributes = dict(mention.attributes)
            said = attributes.get("confidence", "1.0"), attributes.get("type", "")
            cells = [document.id, word_of(mention.span[0]), word_of(mention.span[-1]), mention.entity, *said]
            texts = [str(cell) for cell in cells]
            if any(re.search(r"[\t\n\r]", text) for text in texts) or not all(text.strip() for text in texts[:4]):
                message = "a name that is empty, or has a tab or a line break, cannot be written as EDL"
                raise refusal(document, "unwritable-entity", message, mention)
            rows.append("\t".join(texts).rstrip("\t"))
    return "".join(f"{row}\n" for row in rows)
