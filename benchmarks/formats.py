"""The generated corpora as CONLL-UA, CorefUD and TBF files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import corpus
import scoref
from scoref.model import stretch

TYPES = ("Conflict_Attack", "Life_Die", "Movement_Transport", "Contact_Meet")


def write(texts: Iterable[corpus.Text], format: str, folder: Path) -> tuple[Path, Path]:
    """Key and response in that format, with heads, minimum spans, types and realis where it has them."""
    texts = list(texts)
    paths = folder / f"key.{format}", folder / f"response.{format}"
    for path, side in zip(paths, ("key", "response"), strict=True):
        scoref.write([_document(text, getattr(text, side)) for text in texts], path, format)
    return paths


def _document(text: corpus.Text, mentions: Iterable[corpus.Mention]) -> scoref.Document:
    made = []
    for number, (first, last, entity) in enumerate(mentions):
        span = stretch(first, last)
        attributes = (("type", TYPES[entity % len(TYPES)]), ("realis", "Actual"))
        made.append(scoref.Mention(span, f"e{entity}", f"m{number}", (), attributes, span[-1]))
    size = text.bounds[-1]
    return scoref.Document(
        text.name.replace("/", "_"),
        tuple(f"w{word}" for word in range(size)),
        tuple(made),
        tuple(range(0, size, corpus.SENTENCE)),
    )
