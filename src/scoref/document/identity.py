"""Which mentions of a document are one and the same: what a mention is known by, and the mentions that share it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import Any

import numpy as np

from .mentions import AnyMentions
from .spans import text_order

_BEHIND = 1 << 62  # no text has that many positions


def identities(mentions: AnyMentions, by: str = "span") -> list[Hashable]:
    """What makes each mention the mention it is; for an opaque mention, its id.

    That is its positions (`span`), those and its head (`head`), its minimum span (`minimum`), or its place in the list
    (`line`).
    """
    if by not in mentions.known_identities:
        mentions.known_identities[by] = _identities(mentions, by)
    return mentions.known_identities[by]


def _identities(mentions: AnyMentions, by: str) -> list[Hashable]:
    if by == "line":
        return [*range(len(mentions))]
    known: list[Hashable] = [*mentions.spans]
    if mentions.opaque:
        known = [span or id for span, id in zip(known, mentions.ids, strict=True)]
    if by == "head":
        return [*zip(known, mentions.heads, strict=True)]
    if by == "minimum":
        return [minimum or other for minimum, other in zip(mentions.minimums, known, strict=True)]
    return known


def places(sides: Sequence[AnyMentions], by: str = "span") -> list[Sequence[Hashable]]:
    """The identities of the mentions of each side, to be compared; numbers for them, where all are stretches of words.

    The bytes of both ends are taken as one number, which is faster to look up than a span.
    """
    ends = [mentions.ends for mentions in sides if by in ("span", "head")]
    packed = [memoryview(each).cast("B").cast("q").tolist() if each else [] for each in ends if each is not None]
    if len(packed) < len(sides):
        return [identities(mentions, by) for mentions in sides]
    if by == "head":
        return [[*zip(each, mentions.heads, strict=True)] for each, mentions in zip(packed, sides, strict=True)]
    return [*packed]


def copies(mentions: AnyMentions, by: str = "span") -> list[list[int]]:
    """The numbers of the mentions with one identity, for each identity that several have.

    Those of one identity are in the order of their entities: see `_appearance`.

    >>> from .mentions import Mentions
    >>> copies(Mentions.of([(3, 3), (1, 2), (0, 0), (3, 3)], ["Ada", "tap", "tap", "tap"]))
    [[3, 0]]
    """
    if by not in mentions.known_copies:
        mentions.known_copies[by] = _copies(mentions, by)
    return mentions.known_copies[by]


def _copies(mentions: AnyMentions, by: str) -> list[list[int]]:
    if by == "line" or (by == "head" and not copies(mentions)):  # mentions that differ in their spans
        return []
    (names,) = places([mentions], by)
    if len(set(names)) == len(names):
        return []
    last = dict(zip(names, count(), strict=False))
    groups: dict[Hashable, list[int]] = {}
    for index, other in enumerate(map(last.__getitem__, names)):
        if other != index:
            groups.setdefault(names[index], []).append(index)
    groups = {name: [*same, last[name]] for name, same in groups.items()}
    rank = _appearance(mentions, [index for same in groups.values() for index in same])
    return [sorted(same, key=lambda index: rank[mentions.owners[index]]) for same in groups.values()]


def _appearance(mentions: AnyMentions, indices: Sequence[int]) -> dict[int, int]:
    """The rank of the entity of each of these mentions: entities in the order in which they first appear in the text.

    That is the same whatever the order of brackets in one place. Of two that appear at one word, the one with a mention
    of one word there comes first, then the one with the earlier next mention. Mentions without positions are in the
    order of the list, behind all others.
    """
    owners = np.array(mentions.owners, np.int64)
    wanted = np.zeros(len(mentions.names), np.bool_)
    wanted[owners[[*indices]]] = True
    spans: dict[int, set[tuple[Any, ...]]] = {owner: set() for owner in np.flatnonzero(wanted).tolist()}
    some = np.flatnonzero(wanted[owners])
    for number, owner in zip(some.tolist(), owners[some].tolist(), strict=True):
        span = mentions.span(number)
        spans[owner].add((span[0], len(span) > 1, text_order(span)) if span else (_BEHIND, number))
    ordered = sorted(spans, key=lambda owner: sorted(spans[owner]))
    return {owner: rank for rank, owner in enumerate(ordered)}
