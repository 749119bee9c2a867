"""The answer of a language model as a page shows it: as it came, with what was taken from it marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..document.document import Document
from ..layout.render import Json
from ..pairing.pairs import Pair
from .legible import legible

if TYPE_CHECKING:
    from ..answers.place import Answered

_LONGEST = 200_000  # letters of an answer that are shown
_KINDS = {"json": "JSON", "marks": "marks in the text", "lists": "a list or a table"}


def answer_of(read: Pair, response: Document) -> Json:
    """The answer of a document, as it came, what is said of it, and where its mentions stand in it.

    A mention is given by its index among those of the response, as it was scored; -1 if it was left out. Empty if the
    response is no answer.
    """
    reply, answered = read.response.origin.reply, read.answered
    if reply is None or answered is None:
        return {}
    found: Json = {"text": reply.text[:_LONGEST], "said": [*map(legible, _said(answered, len(reply.text)))]}
    spots = [*_spots(read.response, response, answered)]
    return {"answer": {**found, "spots": spots} if spots else found}


def _said(answered: Answered, size: int) -> Iterator[str]:
    """What became of the answer, in a few words each."""
    from ..answers.candidates import REASONS  # few pages have answers
    from ..answers.summary import counted

    if answered.reason:
        yield f"nothing could be taken from it: {answered.reason} ({REASONS[answered.reason]})"
    else:
        how = f", {answered.read}" if answered.read else ""
        yield f"read as {_KINDS.get(answered.kind, answered.kind)}{how}"
    if answered.counts["payloads"] > 1:
        yield f"it answers {answered.counts['payloads']} times, the last counts"
    if answered.counts["truncated"]:
        yield "it broke off"
    yield from counted(answered.counts)
    if size > _LONGEST:
        yield f"the first {_LONGEST:,} of {size:,} letters"


def _spots(read: Document, scored: Document, answered: Answered) -> Iterator[tuple[int, int, int]]:
    """The index of each mention, and where it begins and ends in the answer."""
    index = {(each.entity, each.span, each.id): number for number, each in enumerate(scored.mentions)}
    for mention, spot in zip(read.mentions, answered.spots, strict=True):
        if spot is not None and spot[1] <= _LONGEST:
            yield index.get((mention.entity, mention.span, mention.id), -1), *spot
