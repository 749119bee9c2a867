"""Metrics with credit for split antecedents, slowly: elements, pairs of elements, all alignments, exact fractions.

A side is a list of entities, each a list of mentions, and the members of those that are sets, by their numbers. An
entity's elements are its mentions and its set. Sets are compared by the metric itself, on their members.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from . import literal
from .literal import Sums

Members = frozenset[frozenset[int]]


class Side(NamedTuple):
    entities: list[list[int]]
    sets: Mapping[int, list[int]]


class Entity(NamedTuple):
    mentions: frozenset[int]
    members: Members | None

    @property
    def size(self) -> int:
        return len(self.mentions) + (self.members is not None)


Entities = list[Entity]


def atoms(side: Side, number: int) -> Members:
    """The atomic entities of an entity: itself, or those of its members."""
    if number not in side.sets:
        return frozenset({frozenset(side.entities[number])})
    return frozenset().union(*(atoms(side, member) for member in side.sets[number]))


def entities(side: Side, singletons: str = "keep") -> Entities:
    """The entities with flat sets; those with the same set are one."""
    found: dict[object, Entity] = {}
    for number, mentions in enumerate(side.entities):
        members = atoms(side, number) if number in side.sets else None
        name = members if members is not None else number
        before = found[name].mentions if name in found else frozenset()
        found[name] = Entity(before | frozenset(mentions), members)
    return [entity for entity in found.values() if singletons == "keep" or entity.size > 1]


# -- sets against sets -----------------------------------------------------------------------------------------------


def muc_inside(key: literal.Entities, response: literal.Entities) -> Sums:
    """MUC, where an entity of one mention has a link to itself, found if it is an entity of the response too."""
    alone = [entity for entity in key if len(entity) == 1]
    found, links = literal.muc([entity for entity in key if len(entity) > 1], response)
    return found + sum(entity in response for entity in alone), links + len(alone)


INSIDE = {**literal.PLAIN, "muc": muc_inside}


def compared(name: str, key: Members, response: Members) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The metric's sums for recall and precision, on the members alone."""
    return (*INSIDE[name](list(key), list(response)), *INSIDE[name](list(response), list(key)))


def quality(name: str, key: Members, response: Members, credit: str) -> literal.Score:
    sums = compared(name, key, response)
    if credit == "directional" and sums[1] == sums[3] == 0:  # nothing to find, and nothing found
        return Fraction(1), Fraction(1), Fraction(1)
    return literal.ratios(list(sums))


Alignment = dict[int, int]


def alignments(rows: list[int], columns: list[int], good: Callable[[int, int], bool]) -> Iterator[Alignment]:
    """Every one-to-one map of some rows to some columns whose pairs are all good."""
    if not rows:
        yield {}
        return
    first, *rest = rows
    yield from alignments(rest, columns, good)
    for column in columns:
        if good(first, column):
            for others in alignments(rest, [each for each in columns if each != column], good):
                yield {first: column, **others}


LOOKED_UP = ("lea", "pairwise", "nonlinks")  # the scorer ua-1.0 finds identical sets that are not aligned


class Tied(Exception):
    """Several alignments of sets are the best."""


def aligned(name: str, key: Entities, response: Entities, credit: str) -> dict[tuple[int, int], literal.Score]:
    """The pairs of entities whose sets are aligned, and how well these fit."""
    scores = {
        (row, column): quality(name, ours.members, theirs.members, credit)
        for row, ours in enumerate(key)
        for column, theirs in enumerate(response)
        if ours.members is not None and theirs.members is not None
    }
    rows, columns = (sorted({pair[side] for pair in scores}) for side in (0, 1))
    totals = [
        (sum((scores[pair][2] for pair in found.items()), Fraction()), found)
        for found in alignments(rows, columns, lambda row, column: scores[row, column][2] > 0)
    ]
    best = max(total for total, _ in totals)
    chosen = [found for total, found in totals if total == best]
    if len(chosen) > 1:
        raise Tied
    found = {pair: scores[pair] for pair in chosen[0].items()}
    if credit == "ua-1.0" and name in LOOKED_UP:
        same = [pair for pair in scores if key[pair[0]].members == response[pair[1]].members]
        one = Fraction(1)
        found |= {pair: (one, one, one) for pair in same if pair[0] not in chosen[0]}
    return found


# -- the metrics, from one side to the other, with the credit of each pair of entities -------------------------------

Credit = Mapping[tuple[int, int], Fraction]


def common(key: Entities, response: Entities, row: int, column: int) -> int:
    return len(key[row].mentions & response[column].mentions)


def mentions(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    return literal.mentions([entity.mentions for entity in key], [entity.mentions for entity in response])


def muc(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    """|K| − |P(K's mentions)| − (1 − δ), where δ is that of the aligned set's entity if it shares a mention, else 0."""
    total = Fraction()
    for row, entity in enumerate(key):
        parts = [column for column in range(len(response)) if common(key, response, row, column)]
        missing = entity.mentions.difference(*(other.mentions for other in response))
        penalty = Fraction(entity.members is not None) - sum(credit.get((row, column), 0) for column in parts)
        total += entity.size - len(parts) - len(missing) - penalty
    return total, Fraction(sum(entity.size - 1 for entity in key))


def b3(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    """(n + δ)² / |K| of |K|."""
    total = Fraction()
    for row, entity in enumerate(key):
        for column in range(len(response)):
            total += (common(key, response, row, column) + credit.get((row, column), 0)) ** 2 / Fraction(entity.size)
    return total, Fraction(sum(entity.size for entity in key))


def best_total(key: Entities, response: Entities, phi: Callable[[int, int], Fraction]) -> Fraction:
    rows, columns = [frozenset({row}) for row in range(len(key))], [frozenset({each}) for each in range(len(response))]
    return literal._best(rows, columns, lambda row, column: phi(*row, *column))


def ceafm(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    """φ3 = n + δ."""

    def phi(row: int, column: int) -> Fraction:
        return Fraction(common(key, response, row, column) + credit.get((row, column), 0))

    return best_total(key, response, phi), Fraction(sum(entity.size for entity in key))


def ceafe(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    """φ4 = 2 (n + δ) / (|K| + |R|)."""

    def phi(row: int, column: int) -> Fraction:
        shared = Fraction(common(key, response, row, column) + credit.get((row, column), 0))
        return 2 * shared / (key[row].size + response[column].size)

    return best_total(key, response, phi), Fraction(len(key))


class Element(NamedTuple):
    """A mention or the set (None) of an entity; the entity of the response that has it, and what it is worth there."""

    entity: int
    mention: int | None
    twin: int | None
    weight: Fraction


def elements(key: Entities, response: Entities, credit: Credit) -> list[Element]:
    found = []
    for row, entity in enumerate(key):
        for mention in entity.mentions:
            twins = [column for column, other in enumerate(response) if mention in other.mentions]
            found.append(Element(row, mention, twins[0] if twins else None, Fraction(1)))
        if entity.members is not None:
            twins = [column for column in range(len(response)) if (row, column) in credit]
            found.append(Element(row, None, *((twins[0], credit[row, twins[0]]) if twins else (None, Fraction()))))
    return found


def links(pairs: list[tuple[Element, Element]], together: bool) -> Fraction:
    """The worth of those pairs whose twins are in one response entity, or in two."""
    there = [(one, other) for one, other in pairs if None not in (one.twin, other.twin)]
    right = [(one, other) for one, other in there if (one.twin == other.twin) == together]
    return sum((one.weight * other.weight for one, other in right), Fraction())


def lea(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    """Importance β|K| × the share of links between the entity's elements; a singleton has a link to itself."""
    total = importance = Fraction()
    everything = elements(key, response, credit)
    for row, entity in enumerate(key):
        own = list(combinations([element for element in everything if element.entity == row], 2))
        found = links(own, True) / len(own) if own else Fraction(entity in response)
        weight = entity.size * (beta if entity.members is not None else Fraction(1))
        total += weight * found
        importance += weight
    return total, importance


def pairwise(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    pairs = combinations(elements(key, response, credit), 2)
    ours = [(one, other) for one, other in pairs if one.entity == other.entity]
    return links(ours, True), Fraction(len(ours))


def nonlinks(key: Entities, response: Entities, credit: Credit, beta: Fraction) -> Sums:
    pairs = combinations(elements(key, response, credit), 2)
    ours = [(one, other) for one, other in pairs if one.entity != other.entity]
    return links(ours, False), Fraction(len(ours))


METRICS: dict[str, Callable[[Entities, Entities, Credit, Fraction], Sums]] = {
    "mentions": mentions,
    "muc": muc,
    "b3": b3,
    "ceafm": ceafm,
    "ceafe": ceafe,
    "lea": lea,
    "pairwise": pairwise,
    "nonlinks": nonlinks,
}

BY_F1 = ("ceafm", "ceafe", "pairwise", "nonlinks")  # the scorer ua-1.0 credits f1 in both directions


def counts(
    name: str, key: Side, response: Side, credit: str = "directional", beta: int = 1, singletons: str = "keep"
) -> list[Fraction]:
    """Recall numerator and denominator, precision numerator and denominator of one document."""
    ours, theirs = entities(key, singletons), entities(response, singletons)
    pairs = aligned(name, ours, theirs, credit)
    f1 = credit == "ua-1.0" and name in BY_F1
    recall = {pair: score[2 if f1 else 0] for pair, score in pairs.items()}
    precision = {(column, row): score[2 if f1 else 1] for (row, column), score in pairs.items()}
    metric = METRICS[name]
    return [*metric(ours, theirs, recall, Fraction(beta)), *metric(theirs, ours, precision, Fraction(beta))]


def counts_of_sets(name: str, key: Side, response: Side, credit: str = "directional") -> list[Fraction]:
    """The same for the sets alone: those without a partner are compared with the empty set."""
    ours, theirs = entities(key), entities(response)
    chosen = aligned(name, ours, theirs, credit)
    pairs = [compared(name, ours[row].members, theirs[column].members) for row, column in chosen]
    keys = [compared(name, entity.members, frozenset()) for entity in ours if entity.members is not None]
    responses = [compared(name, frozenset(), entity.members) for entity in theirs if entity.members is not None]
    columns = ((pairs, 0), (keys, 1), (pairs, 2), (responses, 3))
    return [sum((each[column] for each in rows), Fraction()) for rows, column in columns]
