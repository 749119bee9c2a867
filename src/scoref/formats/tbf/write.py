"""Writes the token-based format of event nuggets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import chain, count

from ...document.document import COREFERENCE, Document, Mention
from ...document.mentions import repeated_places
from ...document.spans import EMPTY, is_stretch
from ..source import refusal

BEGIN = "#BeginOfDocument"
END = "#EndOfDocument"


def write(documents: list[Document]) -> str:
    """Documents as the text of a TBF file: by token where they have token tables or words, else by character."""
    return "".join(line + "\n" for document in documents for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    if not document.id or document.id != document.id.strip() or min(document.id) < " ":
        message = "a document name that is empty, or has line breaks or blanks around it, cannot be written as TBF"
        remedy = "rename the document, or choose another format"
        raise refusal(document, "unwritable-name", message, text=document.id, remedy=remedy)
    names = _names(document)
    yield f"{BEGIN} {document.id}"
    for name, mention in zip(names, document.mentions, strict=True):
        zero = not is_stretch(mention.span) and any(place & EMPTY for place in mention.span)
        if not mention.span or zero or not re.fullmatch(r"[^,\t\n\r]+", name):
            message = "a zero, a mention without positions, or one with a comma in its id cannot be written as TBF"
            raise refusal(document, "unwritable-mention", message, mention, text=name)
        attributes = dict(mention.attributes)
        confidence = attributes.get("confidence", "").rstrip()
        realis = _cell(attributes.get("realis", "NOT_ANNOTATED"))
        system, kind = _cell(attributes.get("system", "")), _cell(attributes.get("type", "NOT_ANNOTATED"))
        cells = [system.lstrip("#@ ") or "scoref", document.id, name, _span(document, mention)]
        cells += [_cell(attributes.get("text", document.text_of(mention))), kind]
        cells += [realis, confidence] if confidence else [realis.strip() or "NOT_ANNOTATED"]
        yield "\t".join(cells)
    yield from _relations(document, names)
    yield END


def _names(document: Document) -> list[str]:
    """The ids of the mentions; those that have none get one that is free."""
    taken = {str(mention.id) for mention in document.mentions if mention.id is not None}
    free = (name for number in count(1) if (name := f"E{number}") not in taken)
    return [str(mention.id) if mention.id is not None else next(free) for mention in document.mentions]


def _relations(document: Document, names: list[str]) -> Iterator[str]:
    """The lines of relations; coreference lines as they were read, if they agree with the entities."""
    clusters: dict[Hashable, dict[str, None]] = {}
    for name, mention in zip(names, document.mentions, strict=True):
        clusters.setdefault(mention.entity, {})[name] = None
    counts = Counter(chain.from_iterable(clusters.values()))
    if len(counts) < counts.total():
        message = "mentions of two entities with one id cannot be written as TBF"
        raise refusal(document, "unwritable-mention", message, text=counts.most_common(1)[0][0])
    several = [members for members in clusters.values() if len(members) > 1]
    known = {*names}
    said = [{*ends} & known for name, _, ends in document.relations if name == COREFERENCE]
    same = sorted(sorted(members) for members in said if len(members) > 1) == sorted(map(sorted, several))
    if not same:
        for number, members in enumerate(several, 1):
            yield f"@{COREFERENCE}\tC{number}\t{','.join(members)}"
    for name, relation, ends in document.relations:
        if not known.issuperset(ends) or not name.strip():
            message = "a relation without a name, or to what is no mention, cannot be TBF"
            text, remedy = f"{name} {','.join(ends)}", "remove it, or choose another format"
            raise refusal(document, "unwritable-relation", message, text=text, remedy=remedy)
        if name != COREFERENCE or same:
            yield f"@{_cell(name)}\t{_cell(relation)}\t{','.join(ends)}"


def _span(document: Document, mention: Mention) -> str:
    """The span of a mention; overlapping pieces are written as they were read."""
    places = repeated_places(mention)
    if not document.words and places and len(set(places)) < len(places):
        return dict(mention.attributes)["pieces"].replace(" ", ",")
    return document.span_of(mention)


def _cell(text: str) -> str:
    return re.sub(r"[\t\n\r]", " ", text)


def notes(documents: list[Document]) -> list[str]:
    """A note if mentions repeat a span of their entity, which the reader takes for an error."""
    spans = [{(mention.entity, mention.span or mention.id) for mention in each.mentions} for each in documents]
    twice = sum(len(each.mentions) for each in documents) - sum(map(len, spans))
    if not twice:
        return []
    several = f"{twice} mentions repeat spans of their entities"
    return [f"{several if twice > 1 else '1 mention repeats a span of its entity'}: read it with --on-problem skip"]
