"""Bridging anaphors with their antecedents, and non-referring mentions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from ..document.document import Document
from ..matching.lookup import Lookups
from .anaphors import Counts


def nonreferring(key: Document, response: Document, found: Lookups) -> Counts:
    """Non-referring mentions: those of the key that are non-referring in the response too, and the reverse.

    Of an entity that is non-referring and nevertheless has several mentions, the first counts.
    """
    sides = [nonreferring_mentions(document) for document in (key, response)]
    recalled = {k for k, r in zip(*found.every, strict=True) if k in sides[0] and r in sides[1]}
    precise = {r for k, r in zip(*found.every, strict=True) if k in sides[0] and r in sides[1]}
    return len(recalled), len(sides[0]), len(precise), len(sides[1])


def nonreferring_mentions(document: Document) -> set[int]:
    """The non-referring mentions: the first one of each non-referring entity."""
    firsts: dict[Hashable, int] = {}
    for index, mention in enumerate(document.mentions):
        if mention.entity in document.nonreferring:
            firsts.setdefault(mention.entity, index)
    return set(firsts.values())


def _antecedents(document: Document) -> dict[int, list[int]]:
    """The antecedents of each bridging anaphor; of copies of one mention, the last that has any stands for all."""
    found: dict[int, list[int]] = {}
    for bridge in document.bridges:
        antecedents = found.setdefault(bridge.anaphor, [])
        if bridge.antecedent not in antecedents:
            antecedents.append(bridge.antecedent)
    identities = document.identities()
    return {max(same): found[max(same)] for same in _grouped(found, identities)}


def _grouped(anaphors: Iterable[int], identities: list[Hashable]) -> Iterable[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for anaphor in anaphors:
        groups.setdefault(identities[anaphor], []).append(anaphor)
    return groups.values()


class Bridged(NamedTuple):
    """A bridging anaphor, by its index in key and response (None: it is no anaphor there), and its antecedents' scores.

    `recall` is the share of its key antecedents that are right, `precision` that of its response antecedents.
    """

    key: int | None
    response: int | None
    recall: float = 0.0
    precision: float = 0.0


def bridged(
    key: Document, response: Document, found: Lookups, place: Callable[[int], Hashable] | None = None
) -> list[Bridged]:
    """All bridging anaphors; antecedents are compared by what `place` says of them, or count as right without it."""
    to_key = {r: k for k, r in zip(*found.precision, strict=True)}
    identities = key.identities()
    ours = {identities[anaphor]: (anaphor, antecedents) for anaphor, antecedents in _antecedents(key).items()}
    each: list[Bridged] = []
    for anaphor, antecedents in _antecedents(response).items():
        wanted = ours.get(identities[to_key[anaphor]]) if anaphor in to_key else None
        if wanted is None:
            each.append(Bridged(None, anaphor))
            continue
        if place is None:
            each.append(Bridged(wanted[0], anaphor, 1.0, 1.0))
            continue
        right = {place(mention) for mention in wanted[1]}
        given = {("response", mention) if mention not in to_key else place(to_key[mention]) for mention in antecedents}
        common = len(right & given)
        each.append(Bridged(wanted[0], anaphor, common / len(right), common / len(given)))
    there = {bridge.key for bridge in each}
    return each + [Bridged(anaphor, None) for anaphor, _ in ours.values() if anaphor not in there]


def _bridging(key: Document, response: Document, found: Lookups, place: Callable[[int], Hashable] | None) -> Counts:
    each = bridged(key, response, found, place)
    ours = {bridge.key for bridge in each} - {None}
    theirs = {bridge.response for bridge in each} - {None}
    return sum(bridge.recall for bridge in each), len(ours), sum(bridge.precision for bridge in each), len(theirs)


def bridging_anaphors(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors that are bridging anaphors in the response, whatever their antecedent."""
    return _bridging(key, response, found, None)


def bridging_mentions(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors with the right antecedent mention."""
    identities = key.identities()
    return _bridging(key, response, found, lambda mention: identities[mention])


def bridging_entities(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors with an antecedent of the right key entity."""
    return _bridging(key, response, found, entity_of(key))


def entity_of(key: Document) -> Callable[[int], Hashable]:
    """A function from a key mention to its entity; a non-referring mention is an entity of its own."""
    identities = key.identities()
    last = {identities[k]: key.mentions[k].entity for k in range(len(identities))}

    def entity(mention: int) -> Hashable:
        name = last[identities[mention]]
        return ("mention", identities[mention]) if name in key.nonreferring else ("entity", name)

    return entity
