"""Where each mention is looked up on the other side: the alignment of mentions as the metrics see it.

Mostly the two directions see one alignment. They differ where a mention stands in several entities, and where another
scorer's rule is not one to one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from ..mentions import Mentions
from ..model import Document, places_of
from ..spans import text_order
from .match import MATCHERS, Alignment, align
from .overlap import Pairs


class Lookups(NamedTuple):
    """Pairs of mentions as the two directions see them; mostly all are the same alignment.

    A key mention is looked up in the last response entity that has it (`recall`), a response mention in the last key
    entity that has it (`precision`); `every` pairs each key mention with each response entity that has it. The metric
    `zeros` looks for key mentions where `recall` does, or as `zeros` says. `copies` are the mentions of each side that
    mention detection does not count, because another one of the same place counts.
    """

    recall: Alignment
    precision: Alignment
    every: Alignment
    zeros: Alignment
    copies: tuple[list[int], list[int]] = ([], [])


Copies = dict[Hashable, list[int]]


def lookups(
    key: Document,
    response: Document,
    matcher: str,
    how_zeros: str = "linear",
    owner: str = "last",
    threshold: float = 1.0,
    mapping: str = "type",
) -> Lookups:
    """The alignment as the two directions see it, where mentions may stand in several entities.

    Such a mention is looked up in the `last` entity of the other side that has it. The `reference` scorer looks up each
    place once, in the last key entity.

    >>> from scoref import clusters
    >>> lookups(clusters([["a"]]), clusters([["a"], ["a", "b"]]), "exact").every
    Alignment(key=[0, 0], response=[0, 1])
    """
    alike = MATCHERS[matcher].alike
    if alike is not None:
        return _each_alone(key, response, alike)
    identity = MATCHERS[matcher].identity
    sides = key, response
    repeated = key.repeats(identity) or response.repeats(identity)
    if not repeated:
        alignment = align(key, response, matcher, how_zeros, threshold, mapping)
        if how_zeros != "dependent" or isinstance(key.mentions, Mentions):  # which are no zeros
            return Lookups(alignment, alignment, alignment, alignment)
    names = places_of(sides, identity)
    if repeated:
        copies = _copies(key, names[0], owner), _copies(response, names[1], owner)
        alignment = _firsts([[*each.values()] for each in copies], sides, matcher, how_zeros)
    shared = how_zeros == "dependent" and any(
        key.mentions[k].is_zero and names[0][k] != names[1][r] for k, r in zip(*alignment, strict=True)
    )
    if not repeated:
        if not shared:
            return Lookups(alignment, alignment, alignment, alignment)
        copies = _copies(key, names[0], owner), _copies(response, names[1], owner)
    pairs = [(names[0][k], names[1][r]) for k, r in zip(*alignment, strict=True)]
    if shared:
        found = _one_dictionary(pairs, response, copies)
    else:
        found = _looked_up(dict(pairs), {r: k for k, r in pairs}, response, copies)
    if owner == "reference":
        once = Alignment([copies[0][k][-1] for k, _ in pairs], [copies[1][r][0] for _, r in pairs])
        found = found._replace(recall=once, precision=Alignment(*once), zeros=once)  # two: `every` is another one
    return found._replace(copies=_further(copies, owner))


def _firsts(groups: list[list[list[int]]], sides: tuple[Document, Document], matcher: str, how_zeros: str) -> Alignment:
    """The alignment of documents that have only the first of the mentions of each place."""
    single = [side.of_mentions([same[0] for same in group]) for side, group in zip(sides, groups, strict=True)]
    firsts = align(single[0], single[1], matcher, how_zeros)
    return Alignment([groups[0][k][0] for k in firsts.key], [groups[1][r][0] for r in firsts.response])


def _further(copies: tuple[Copies, Copies], owner: str) -> tuple[list[int], list[int]]:
    """The mentions of each side that mention detection does not count: all but one of each place."""
    uncounted = slice(0, -1) if owner == "reference" else slice(1, None)
    further = [index for same in copies[0].values() for index in same[uncounted]]
    return further, [index for same in copies[1].values() for index in same[1:]]


def _one_dictionary(
    pairs: list[tuple[Hashable, Hashable]], response: Document, copies: tuple[Copies, Copies]
) -> Lookups:
    """As the CorefUD scorer 1.2 looks mentions up: one dictionary from place to place serves both directions.

    A zero of the key and a zero of the response at the same place share an entry, that of the response zero. What has
    none is looked up at its own place. The metric `zeros` looks there first.
    """
    moved = [(k, r) for k, r in pairs if k != r]
    entry: dict[Hashable, Hashable] = {**dict(moved), **{r: k for k, r in moved}}
    ours, theirs = copies
    to_response = {k: entry.get(k, k) for k in ours}
    found = _looked_up(to_response, {r: entry.get(r, r) for r in theirs}, response, copies)
    there = {k: k if k in theirs else r for k, r in to_response.items()}
    return found._replace(zeros=_looked_up(there, {}, response, copies).recall)


def _looked_up(
    to_response: Mapping[Hashable, Hashable],
    to_key: Mapping[Hashable, Hashable],
    response: Document,
    copies: tuple[Copies, Copies],
) -> Lookups:
    """Every copy of a mention with the last copy of the place where it is looked up, or with one of each entity."""
    ours, theirs = copies
    recall = [(k, theirs[r][-1]) for name, r in to_response.items() if r in theirs for k in ours[name]]
    precision = [(ours[k][-1], r) for name, k in to_key.items() if k in ours for r in theirs[name]]
    every = [
        (k, each)
        for name, r in to_response.items()
        if r in theirs
        for each in _one_per_entity(response, theirs[r])
        for k in ours[name]
    ]
    return _paired(recall, precision, every)


def _each_alone(key: Document, response: Document, alike: Callable[[Document, Document], Pairs]) -> Lookups:
    """Each mention with the nearest of those that are alike: the least share of words that only one of them has."""
    pairs = alike(key, response)
    together = pairs.key_size + pairs.response_size - pairs.shared
    distances = (together - pairs.shared) / together
    order = pairs.in_order()
    both = zip(pairs.row[order].tolist(), pairs.column[order].tolist(), strict=True)
    distance = dict(zip(both, distances[order].tolist(), strict=True))

    def nearest(mine: int, other: Document) -> list[tuple[int, int]]:
        """For each mention of one side the pair with the nearest of the other; of equals the first."""
        best: dict[int, tuple[tuple[float, int, int, tuple[int, ...], int], tuple[int, int]]] = {}
        for pair, far in distance.items():
            span = other.mentions[pair[1 - mine]].span
            rank = (far, span[0], span[-1], text_order(span), -pair[1 - mine])
            if pair[mine] not in best or rank < best[pair[mine]][0]:
                best[pair[mine]] = rank, pair
        return [pair for _, pair in best.values()]

    entities = {(k, response.mentions[r].entity): (k, r) for k, r in distance}
    return _paired(nearest(0, response), nearest(1, key), list(entities.values()))


def _paired(*kinds: list[tuple[int, int]]) -> Lookups:
    recall, precision, every = (Alignment([k for k, _ in each], [r for _, r in each]) for each in kinds)
    return Lookups(recall, precision, every, recall)


def _copies(document: Document, names: Sequence[Hashable], owner: str) -> Copies:
    """The mentions of each name, in the order of their entities."""
    found: Copies = {}
    for index, name in enumerate(names):
        found.setdefault(name, []).append(index)
    several = [copies for copies in found.values() if len(copies) > 1]
    if owner == "reference":
        order = document.appearance(chain.from_iterable(several)) if several else {}
    else:
        order = {entity: number for number, entity in enumerate(document.names)}
    for copies in several:
        copies.sort(key=lambda index: order[document.entity_of(index)])
    return found


def _one_per_entity(document: Document, copies: list[int]) -> list[int]:
    return list({document.entity_of(index): index for index in copies}.values()) if len(copies) > 1 else copies
