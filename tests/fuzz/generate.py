"""Random documents, written as files of every format that can be written."""

from __future__ import annotations

import random
from dataclasses import replace

from scoref import Document, Error, Mention, formats
from scoref.document.document import Bridge, position, stretch
from scoref.document.spans import span_of

from .options import HOSTILE

WRITTEN = {
    "conll": "conll", "corefud": "corefud", "ua": "ua", "jsonl": "jsonl", "record": "jsonl", "tbf": "tbf",
    "tbf-tokens": "tbf", "brat": "brat", "ecb": "ecb", "muc": "muc", "webanno": "webanno", "text-markdown": "text",
    "clusters": "clusters",
}  # fmt: skip
_SINGLE = ("ecb", "webanno", "clusters", "brat")
_FORMS = ("Ada", "she", "the", "old", "tap", "it", "ran", ".", "they", "himself", "Leeds")


def pair(kind: str, chance: random.Random) -> tuple[str, str] | None:
    """A key and a response with the same texts and other mentions; None if the format cannot hold them.

    Most are small. Some have up to 300 words, 80 mentions, and entities of dozens of them; some have hostile names.
    """
    format = WRITTEN[kind]
    number = 1 if format in _SINGLE else chance.choice((1, 1, 2, 3))
    rich = chance.random() < 0.4 and format in ("corefud", "ua", "jsonl")
    large = chance.random() < 0.06
    hostile = chance.random() < 0.15
    names = [chance.choice(HOSTILE) if hostile else f"d{each}" for each in range(number)]
    keys = [_document(name, format, rich, chance, large) for name in dict.fromkeys(names)]
    if hostile and format != "tbf":
        keys = [_renamed(key, chance) for key in keys]
    responses = [
        _annotated(key, format, rich, chance) if chance.random() < 0.6 else _changed(key, chance) for key in keys
    ]
    try:
        return formats.dumps(keys, format), formats.dumps(responses, format)
    except Error:
        return None


def _document(name: str, format: str, rich: bool, chance: random.Random, large: bool = False) -> Document:
    size = chance.choice((60, 150, 300) if large else (1, 2, 4, 6, 9, 20))
    words = tuple(chance.choice(_FORMS) for _ in range(size))
    starts = tuple(sorted({0, *(chance.randrange(size) for _ in range(chance.randrange(3)))}))
    return _annotated(Document(name, words, sentences=starts), format, rich, chance)


def _annotated(document: Document, format: str, rich: bool, chance: random.Random) -> Document:
    size = len(document.words)
    spans: dict[tuple[int, ...], None] = {}
    for _ in range(chance.choice((0, 1, 2, 3, 5, 7, 12) if size < 60 else (20, 50, 80))):
        first, last = sorted((chance.randrange(size), chance.randrange(size)))
        last = min(last, first + 3)
        span = tuple(stretch(first, last))
        if rich and chance.random() < 0.15 and len(span) > 2:
            span = (*span[:1], *span[2:])
        if rich and chance.random() < 0.15 and format != "ua":
            span = (position(first, 1),)
        spans.setdefault(span)
    names = chance.choice((1, 2, 3, 5) if size < 60 else (2, 8, 20, 60))
    nuggets = format in ("tbf", "brat")
    attributes = (("type", "Life"), ("realis", "Actual")) if nuggets else ()
    mentions = tuple(
        Mention(span_of(span), f"e{chance.randrange(names)}", f"E{number}" if nuggets or format == "ua" else None,
                attributes=attributes)
        for number, span in enumerate(sorted(spans))
    )  # fmt: skip
    if size >= 60 or chance.random() < 0.7:
        mentions = _without_crossing(mentions, document, format)
    made = replace(document, mentions=mentions, sets={}, bridges=())
    entities = list(made.entities())
    if rich and len(entities) > 2 and chance.random() < 0.5:
        made = replace(made, sets={entities[2]: tuple(entities[:2])})
    if rich and len(mentions) > 1 and chance.random() < 0.3:
        made = replace(made, bridges=(Bridge(1, 0),))
    return made


def _without_crossing(mentions: tuple[Mention, ...], document: Document, format: str) -> tuple[Mention, ...]:
    """The mentions that a format can hold: no two cross each other, or those of one entity, and none two sentences."""
    if format not in ("conll", "corefud", "muc", "text"):
        return mentions
    kept: list[Mention] = []
    for mention in mentions:
        first, last = mention.span[0], mention.span[-1]
        others = [each for each in kept if format in ("muc", "text") or each.entity == mention.entity]
        crossing = any(each.span[0] < first <= each.span[-1] < last for each in others)
        starts = [position(start) for start in document.sentences]
        if not crossing and not (format != "conll" and any(first < start <= last for start in starts)):
            kept.append(mention)
    return tuple(kept)


def _renamed(document: Document, chance: random.Random) -> Document:
    """The document with a hostile name of an entity."""
    entities = list(document.entities())
    if not entities:
        return document
    old, new = chance.choice(entities), chance.choice(HOSTILE)
    mentions = tuple(mention.of(new) if mention.entity == old else mention for mention in document.mentions)
    return replace(document, mentions=mentions, sets={})


def _changed(document: Document, chance: random.Random) -> Document:
    """The document with some mentions gone or in another entity."""
    entities = list(document.entities())
    mentions = tuple(
        mention.of(chance.choice(entities)) if chance.random() < 0.3 else mention
        for mention in document.mentions
        if chance.random() < 0.9
    )
    return replace(document, mentions=mentions, sets={}, bridges=())
