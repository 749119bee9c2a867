"""What tests of errors share: short documents, and their analyses."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

import scoref
from scoref.document.document import Span, stretch
from scoref.errors.analysis import Analysis

WORDS = ("the", "old", "plumber", "from", "Leeds", "met", "her", "cat", "and", "it", "slept")
SPLIT, REMOVE, INTRODUCE, MERGE = "split from entity", "remove mention", "introduce mention", "merge into entity"
LENGTH = 18  # words of a document of `spans`

# Mentions of few words, so that many overlap: the first word, how many words follow, the number of the entity.
spans = st.lists(
    st.tuples(st.integers(0, 13), st.integers(0, 3), st.integers(0, 4)),
    max_size=14,
    unique_by=lambda each: (each[0], each[0] + each[1]),
)


def analysed(key: object, response: object, **choices: object) -> Analysis:
    """The analysis of a response."""
    return Analysis(scoref.score(key, response, **choices))


def text(entities: dict[str, list[tuple[int, int]]], words: Sequence[str] = WORDS, **more: object) -> scoref.Document:
    """A document in which mentions are pairs of first and last word."""
    mentions = [scoref.Mention(stretch(*span), name) for name, spans in entities.items() for span in spans]
    return scoref.Document("d", tuple(words), tuple(mentions), **more)


def spoken(triples: list[tuple[int, int, int]], sets: Sequence[str] = ()) -> scoref.Document:
    """A document with mentions of `spans`; entities of `sets` stand for two others, where there are as many."""
    entities: dict[str, list[tuple[int, int]]] = {}
    for first, more, name in triples:
        entities.setdefault(f"e{name}", []).append((first, first + more))
    owners = [name for name in sets if name in entities and len(entities) > 2]
    members = {name: tuple(sorted(set(entities) - {name})[:2]) for name in owners}
    return text(entities, [f"w{number}" for number in range(LENGTH)], sets=members)


def partition(document: scoref.Document) -> set[frozenset[Span | object]]:
    """The entities of a document as sets of what identifies their mentions."""
    return {frozenset(m.span or m.id for m in mentions) for mentions in document.entities().values()}
