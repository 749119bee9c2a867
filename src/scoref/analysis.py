"""What went wrong: errors counted, classified and located.

Coreference errors follow Kummerfeld & Klein 2013 (*Error-driven analysis of challenges in coreference resolution*): the
operations that turn the response into the key, grouped by what they repair. Per document, with mentions aligned one to
one by the protocol's matcher:

1. *span error*: an unaligned response mention that overlaps an unaligned key mention stands for it; pairs are taken by
   their Dice coefficient, the greatest first, then in text order. From here on they count as aligned.
2. A response entity none of whose mentions is aligned is an *extra entity*; an unaligned mention of any other is an
   *extra mention*.
3. A response entity with mentions of n key entities is n − 1 times *conflated*.
4. A key entity none of whose mentions is aligned is a *missing entity*; an unaligned mention of any other is a
   *missing mention*.
5. A key entity with mentions in n response entities is n − 1 times *divided*.

Nothing depends on the order of mentions or entities in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from typing import NamedTuple

from .evaluation import Evaluation
from .match import Alignment, canonical, greedy
from .model import Document, Mention

KINDS = (
    "span error", "conflated entities", "extra mention", "extra entity",
    "divided entity", "missing mention", "missing entity",
)  # fmt: skip


class Place(NamedTuple):
    """A mention in an error: side, line in its file, words, entity."""

    side: str
    line: int | None
    text: str
    entity: Hashable


class CoreferenceError(NamedTuple):
    """One error: its kind, its document, and the mentions it is about."""

    kind: str
    document: str
    places: tuple[Place, ...]


class NuggetRow(NamedTuple):
    """A key mention beside its response mention, or one of them alone, and what is wrong."""

    document: str
    status: str
    dice: float
    key: Mention | None
    response: Mention | None


def errors(evaluation: Evaluation) -> list[CoreferenceError]:
    """The coreference errors of all documents, in the order of documents and kinds.

    >>> from scoref import score
    >>> for error in errors(score([["a", "b"], ["c", "d"]], [["a", "c", "x"], ["b"]])):
    ...     print(error.kind, [place.text for place in error.places])
    conflated entities ['a', 'c']
    extra mention ['x']
    divided entity ['a', 'b']
    missing mention ['d']
    """
    found: list[CoreferenceError] = []
    for name, (key, response, lookups) in zip(evaluation.documents, evaluation.aligned, strict=False):
        found += _errors(name, key, response, lookups.recall)
    return found


def _errors(name: str, key: Document, response: Document, alignment: Alignment) -> list[CoreferenceError]:
    found: list[CoreferenceError] = []
    twin = dict(zip(alignment.response, alignment.key, strict=True))

    def place(side: str, index: int) -> Place:
        document = key if side == "key" else response
        mention = document.mentions[index]
        return Place(side, document.line_of(mention), document.text_of(mention), mention.entity)

    def add(kind: str, *places: tuple[str, int]) -> None:
        found.append(CoreferenceError(kind, name, tuple(place(side, index) for side, index in places)))

    for k, r in _near(key, response, set(alignment.key), set(alignment.response)):
        twin[r] = k
        add("span error", ("key", k), ("response", r))
    pieces: dict[Hashable, dict[Hashable, int]] = {}
    for entity, mentions in _members(response).items():
        parts: dict[Hashable, int] = {}
        for r in mentions:
            if r in twin:
                parts.setdefault(key.mentions[twin[r]].entity, r)
        extra = [r for r in mentions if r not in twin]
        if not parts:
            add("extra entity", *(("response", r) for r in extra))
            continue
        firsts = list(parts.values())
        for r in firsts[1:]:
            add("conflated entities", ("response", firsts[0]), ("response", r))
        for r in extra:
            add("extra mention", ("response", r))
        for part, r in parts.items():
            pieces.setdefault(part, {})[entity] = r
    there = set(twin.values())
    for entity, mentions in _members(key).items():
        missing = [k for k in mentions if k not in there]
        if len(missing) == len(mentions):
            add("missing entity", *(("key", k) for k in missing))
            continue
        firsts = sorted((twin[r] for r in pieces[entity].values()), key=lambda k: _order(key, k))
        for k in firsts[1:]:
            add("divided entity", ("key", firsts[0]), ("key", k))
        for k in missing:
            add("missing mention", ("key", k))
    return sorted(found, key=lambda error: KINDS.index(error.kind))


def _near(key: Document, response: Document, taken_key: set[int], taken: set[int]) -> list[tuple[int, int]]:
    """Unaligned mentions that overlap, paired by their Dice coefficient."""
    sides = []
    for document, gone in ((key, taken_key), (response, taken)):
        free = [index for index in range(len(document.mentions)) if index not in gone]
        free.sort(key=lambda index, document=document: _order(document, index))  # type: ignore[misc]
        sides.append((free, replace(document, mentions=tuple(document.mentions[index] for index in free))))
    pairs = greedy(sides[0][1], sides[1][1])
    return [(sides[0][0][k], sides[1][0][r]) for k, r, _ in pairs]


def _order(document: Document, index: int) -> tuple[tuple[int, ...], str]:
    mention = document.mentions[index]
    return mention.span, str(mention.id)


def _members(document: Document) -> dict[Hashable, list[int]]:
    """The mentions of each entity in text order, entities by their first mention."""
    found: dict[Hashable, list[int]] = {}
    for index in sorted(range(len(document.mentions)), key=lambda index: _order(document, index)):
        found.setdefault(document.mentions[index].entity, []).append(index)
    return found


def error_counts(found: list[CoreferenceError]) -> dict[str, int]:
    """How many errors of each kind there are."""
    counts = Counter(error.kind for error in found)
    return {kind: counts[kind] for kind in KINDS}


# -- event nuggets ---------------------------------------------------------------------------------------------------


def nugget_rows(evaluation: Evaluation) -> list[NuggetRow]:
    """Every key mention beside the response mention that the span mapping gives it, then the others of the response.

    Status: found, partial (not the whole span), wrong type, wrong realis, wrong type and realis, missed, spurious.
    """
    rows: list[NuggetRow] = []
    for name, (key, response, _) in zip(evaluation.documents, evaluation.aligned, strict=False):
        mapped = {k: (r, dice) for k, r, dice in greedy(key, response)}
        for k, mention in enumerate(key.mentions):
            if k not in mapped:
                rows.append(NuggetRow(name, "missed", 0.0, mention, None))
                continue
            other = response.mentions[mapped[k][0]]
            wrong = [
                field
                for field in ("type", "realis")
                if _value(mention, field) not in (_value(other, field), "notannotated")
            ]
            status = f"wrong {' and '.join(wrong)}" if wrong else "found" if mapped[k][1] == 1 else "partial"
            rows.append(NuggetRow(name, status, mapped[k][1], mention, other))
        used = {r for r, _ in mapped.values()}
        rows += [NuggetRow(name, "spurious", 0.0, None, m) for r, m in enumerate(response.mentions) if r not in used]
    return rows


def _value(mention: Mention, field: str) -> str:
    return canonical(dict(mention.attributes).get(field, ""))
