"""B³ and BLANC of the reference scorer where mentions are repeated, slowly: all links as sets of places."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

Side = list[list[str]]  # entities, in which a mention may stand several times


def links(side: Side) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """Pairs of places that are in one entity, and pairs that are in two; a place may be linked with itself."""
    mentions = [(place, number) for number, entity in enumerate(side) for place in entity]
    pairs = [*combinations(mentions, 2)]
    return (
        {frozenset((one, other)) for (one, here), (other, there) in pairs if here == there},
        {frozenset((one, other)) for (one, here), (other, there) in pairs if here != there},
    )


def blanc(key: Side, response: Side) -> list[list[float]]:
    """The counts of coreference and of non-coreference links."""
    return [
        [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]
        for ours, theirs in zip(links(key), links(response), strict=True)
    ]


def b3(key: Side, response: Side, lasts: dict[str, list[str]] | None = None) -> list[float]:
    """Each response mention in the last key entity that has it: members of both entities, of the size of each.

    The last entity is that of the list, unless `lasts` names it for each place.
    """
    found = [0.0, sum(map(len, key)), 0.0, sum(map(len, response))]
    homes = lasts or {place: entity for entity in key for place in entity}
    for entity in response:
        for place in entity:
            if place in homes:
                common = sum(count for other, count in Counter(entity).items() if other in homes[place])
                found[0] += common / len(homes[place])
                found[2] += common / len(entity)
    return found
