"""B³ and BLANC where mentions are repeated, as the reference scorer counts them.

B³ looks a response mention up in the last key entity that has it, and counts the members of its response entity that
are anywhere in that key entity. BLANC counts sets of pairs of places: a pair is a coreference link if both places are
in one entity, and a non-coreference link if they are in two; with repeated mentions it may be both, and a place may be
linked with itself. Each pair counts once. Places that are repeated nowhere are counted by sizes of entities; only pairs
with a repeated place are made one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np

from ..model import Document
from .table import Floats

Link = frozenset[Hashable]


def repeated_links(key: Document, response: Document) -> tuple[Floats, Floats]:
    """The counts [4] of coreference and of non-coreference links of a pair of documents.

    >>> from scoref import clusters
    >>> [counts.tolist() for counts in repeated_links(clusters([["a", "a", "b"]]), clusters([["a", "b"]]))]
    [[1.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    """
    homes = [_homes(document) for document in (key, response)]
    special = {place for each in homes for place, entities in each.items() if sum(entities.values()) > 1}
    made = [_special_links(each, special) for each in homes]
    plain = [{place: next(iter(e)) for place, e in each.items() if place not in special} for each in homes]
    sizes = [Counter(each.values()) for each in plain]
    inside = [sum(n * (n - 1) / 2 for n in each.values()) for each in sizes]
    pairs = [len(each) * (len(each) - 1) / 2 for each in plain]
    common = [(plain[0][place], plain[1][place]) for place in plain[0] if place in plain[1]]
    cells = Counter(common)
    rows, columns = Counter(k for k, _ in common), Counter(r for _, r in common)
    both = sum(n * (n - 1) / 2 for n in cells.values())
    within = sum(n * (n - 1) / 2 for n in rows.values()) + sum(n * (n - 1) / 2 for n in columns.values())
    neither = len(common) * (len(common) - 1) / 2 - within + both
    links = [(both, inside[0], inside[1]), (neither, pairs[0] - inside[0], pairs[1] - inside[1])]
    counts = []
    for number, (shared, ours, theirs) in enumerate(links):
        mine, others = made[0][number], made[1][number]
        top = shared + len(mine & others)
        counts.append(np.array([top, ours + len(mine), top, theirs + len(others)], np.float64))
    return counts[0], counts[1]


def repeated_b3(key: Document, response: Document) -> Floats:
    """The counts [4] of B³.

    >>> from scoref import clusters
    >>> repeated_b3(clusters([["a", "b"], ["a", "c"]]), clusters([["a", "b"], ["c"]])).tolist()
    [2.0, 4.0, 2.5, 3.0]
    """
    homes = _homes(key)
    order = key.appearance(index for same in key.copies() for index in same)
    sizes = [Counter(mention.entity for mention in side.mentions) for side in (key, response)]
    places = response.identities()
    shared: Counter[tuple[Hashable, Hashable]] = Counter()
    for place, mention in zip(places, response.mentions, strict=True):
        shared.update((entity, mention.entity) for entity in homes.get(place, ()))
    counts = np.array([0.0, len(key.mentions), 0.0, len(response.mentions)])
    for place, mention in zip(places, response.mentions, strict=True):
        if place in homes:
            entity = max(homes[place], key=order.__getitem__) if len(homes[place]) > 1 else next(iter(homes[place]))
            common = shared[entity, mention.entity]
            counts[0] += common / sizes[0][entity]
            counts[2] += common / sizes[1][mention.entity]
    return counts


def _homes(document: Document) -> dict[Hashable, Counter[Hashable]]:
    """For each place how often it is in which entity."""
    found: dict[Hashable, Counter[Hashable]] = {}
    for place, mention in zip(document.identities(), document.mentions, strict=True):
        found.setdefault(place, Counter())[mention.entity] += 1
    return found


def _special_links(homes: dict[Hashable, Counter[Hashable]], special: set[Hashable]) -> tuple[set[Link], set[Link]]:
    """The links, of both kinds, of places that are repeated on some side."""
    inside: set[Link] = set()
    across: set[Link] = set()
    for place in special & homes.keys():
        mine = homes[place]
        if max(mine.values()) > 1:
            inside.add(frozenset((place,)))
        if len(mine) > 1:
            across.add(frozenset((place,)))
        for other, theirs in homes.items():
            if other == place:
                continue
            link = frozenset((place, other))
            if mine.keys() & theirs.keys():
                inside.add(link)
            if len(mine.keys() | theirs.keys()) > 1:
                across.add(link)
    return inside, across
