"""Mentions inside other mentions of their entity, and documents without them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice

from ..document.document import Document, Mention
from ..document.spans import is_stretch
from .steps import only


def unnested(document: Document) -> Document:
    """The document without the mentions whose places are part of those of another mention of their entity."""
    inside: set[Mention] = set()
    for mentions in document.entities().values():
        placed = [mention for mention in mentions if mention.span]
        inside.update(_inside_stretches(placed))
        if not all(is_stretch(mention.span) for mention in placed):
            inside.update(_inside_any(placed))
    return only(document, lambda mention: mention not in inside)


def _inside_stretches(mentions: list[Mention]) -> Iterator[Mention]:
    """Stretches that are part of another one: of one before it, outer before inner, that ends behind it."""
    stretches = [mention for mention in mentions if is_stretch(mention.span)]
    stretches.sort(key=lambda mention: (mention.span[0], -mention.span[-1]))
    furthest = -1
    for (_, last), same in groupby(stretches, lambda mention: (mention.span[0], mention.span[-1])):
        if last <= furthest:
            yield from same
        furthest = max(furthest, last)


def _inside_any(mentions: list[Mention]) -> Iterator[Mention]:
    """Mentions that are part of another one, by their places."""
    ordered = sorted(mentions, key=lambda mention: (mention.span[0], -len(mention.span)))
    for number, outer in enumerate(ordered):
        places = set(outer.span)
        for mention in islice(ordered, number + 1, None):
            if mention.span[0] > outer.span[-1]:
                break
            if len(mention.span) < len(places) and places.issuperset(mention.span):
                yield mention


def unnested_as_coval(document: Document, singletons: str) -> Document:
    """The document without nested mentions as coval's `remove_nested` leaves them out.

    A mention is listed once for each mention of its entity that it lies inside of. If the list is one shorter than the
    entity, nothing is taken out, or where singletons are dropped the whole entity; otherwise all that are listed.
    """
    gone: set[Mention] = set()
    for mentions in document.entities().values():
        around = _around([mention for mention in mentions if mention.span])
        if sum(around.values()) != len(mentions) - 1 or len(mentions) < 2:
            gone.update(mention for mention in mentions if around.get(mention))
        elif singletons == "drop":
            gone.update(mentions)
    return only(document, lambda mention: mention not in gone)


def _around(mentions: list[Mention]) -> dict[Mention, int]:
    """For each mention how many others it lies inside of, by their first and last places; each copy of it counts."""
    same = Counter(mention.span for mention in mentions)
    copies = Counter(mentions)
    lasts: list[int] = []
    found = {}
    for _, group in groupby(sorted(copies, key=lambda mention: mention.span[0]), lambda mention: mention.span[0]):
        here = [*group]
        for mention in here:
            for _ in range(copies[mention]):
                insort(lasts, mention.span[-1])
        for mention in here:
            outside = len(lasts) - bisect_left(lasts, mention.span[-1]) - same[mention.span]
            found[mention] = outside * copies[mention]
    return found
