"""Tables of the whole corpus: all errors, all tangles, the mentions of entities that several documents share."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

import numpy as np

from ..document.document import Integers
from ..errors.analysis import Mistake
from ..errors.mistakes import CoreferenceError, Entity, MentionPlace, name_entities, texts
from ..errors.outcomes import VIEWS
from ..layout.render import Json
from .findings import Findings

_FIRST = 6  # tangles in the first view
_NEAR = 200  # mentions of an entity among which those of the same document are counted
_Mention = tuple[int, int, str]  # its document, how many of its entity are before it there, its words
_KEY_HAS = re.compile("the key has (?:(?:it|them) (?:in|as) )?")


def error_table(found: Findings, identities: dict[Hashable, int] | None) -> Json:
    """All errors of a system by columns; an error is its document and its number there.

    `identities` numbers what is the same error in several systems.
    """
    rows = [(number, error) for number, mistakes in enumerate(found.mistakes) for error in range(len(mistakes))]
    mistakes = [found.mistakes[number][error] for number, error in rows]
    places = [mistake.mentions[0] for mistake in mistakes]
    name_entities([each.wanted for each in mistakes if isinstance(each, CoreferenceError) and each.wanted])
    kinds = {kind: number for number, kind in enumerate(found.kinds)}
    ranks = _ranks(found, places)
    columns: dict[str, Sequence[object]] = {
        "document": [number for number, _ in rows],
        "error": [error for _, error in rows],
        "kind": [kinds[mistake.kind] for mistake in mistakes],
        "words": [word for words in found.words for word in words],
        "should": [_should(mistake) for mistake in mistakes],
        "tangle": _tangles(found, ranks),
    }
    fields: dict[str, list[str]] = {}
    for name in VIEWS:
        columns[name], fields[name] = _groups(found, name, ranks)
    if identities is not None:
        same = [found.identities[number][error] for number, error in rows]
        columns["same"] = [identities.setdefault(each, len(identities)) for each in same]
    return {"columns": columns, "fields": fields, "tangles": found.tangle_costs}


def _should(mistake: Mistake) -> str:
    """What is right, without the words that nearly all such sentences begin with."""
    return _KEY_HAS.sub("", mistake.should)


def _ranks(found: Findings, places: Sequence[MentionPlace]) -> Integers:
    """The rank of each mention among those of its side that were scored, else -1, [sides, mentions]."""
    ranks = np.full((2, len(places)), -1)
    for row, place in enumerate(places):
        side = int(place.side == "response")
        if found.twins.aligned[place.number][side] is place.document:
            ranks[side, row] = found.twins.ranks(side, place.number)[place.index]
    return ranks


def _tangles(found: Findings, ranks: Integers) -> list[int]:
    tangles = np.full(ranks.shape[1], -1)
    for side in range(2) if found.tangle_costs else ():
        there = np.flatnonzero(ranks[side] >= 0)
        tangles[there] = found.analysis.tangles.of[side][found.twins.sides[side].entity[ranks[side, there]]]
    return tangles.tolist()


def _groups(found: Findings, field: str, ranks: Integers) -> tuple[list[int], list[str]]:
    """The number of the group of each mention, and the names of groups; the first, '', is for those in no group."""
    groups = np.zeros(ranks.shape[1], np.int64)
    if not found.analysis.of_coreference:
        return groups.tolist(), [""]
    outcomes = found.analysis.outcomes
    names, of = outcomes.groups(field)
    for side in range(2):
        there = np.flatnonzero(ranks[side] >= 0)
        groups[there] = 1 + of[outcomes.places(side, ranks[side, there])]
    return groups.tolist(), ["", *names]


# -- tangles ---------------------------------------------------------------------------------------------------------


def tangle_table(found: Findings) -> Json:
    """All tangles, the costliest first: their documents and costs, and words of an entity to search for."""
    number = len(found.tangle_costs)
    if not number:
        return {"document": [], "cost": [], "words": []}
    tangles, twins = found.analysis.tangles, found.twins
    begins = np.full((2, number), -1)
    for side in range(2):  # the first entity of each tangle
        there = np.flatnonzero(tangles.of[side] >= 0)[::-1]
        begins[side, tangles.of[side][there]] = there
    firsts = [(0, ours) if ours >= 0 else (1, theirs) for ours, theirs in begins.T.tolist()]
    places = [twins.place(side, int(twins.sides[side].first[entity])) for side, entity in firsts]
    return {
        "document": [place.number for place in places],
        "cost": found.tangle_costs,
        "words": texts(places),
    }


def first_tangles(found: Findings) -> list[list[object]]:
    """The costliest tangles as pictures: number, document, cost, entities of both sides, what they share."""
    return [_picture(found, place, cost) for place, cost in enumerate(found.tangle_costs[:_FIRST]) if cost > 0]


def _picture(found: Findings, place: int, cost: float) -> list[object]:
    tangle = found.analysis.tangles[place]
    partnered = {found.twins.partners[1][entity.number] for entity in tangle.responses}
    ours = [_node(each, found.hues[0][each.number] if each.number in partnered else -1) for each in tangle.keys]
    theirs = [_node(each, found.hues[1][each.number]) for each in tangle.responses]
    return [place, tangle.number, cost, ours, theirs, [list(ribbon) for ribbon in tangle.ribbons]]


def _node(entity: Entity, hue: int) -> list[object]:
    return [entity.label, hue, entity.size, entity.place.text]


# -- entities of several documents -----------------------------------------------------------------------------------


def shared_entities(found: Findings) -> list[list[list[_Mention]]]:
    """For each entity of key and response its mentions: document, place among its mentions there, words."""
    sides: list[list[list[_Mention]]] = []
    for side, mentions in enumerate(found.twins.sides):
        entities: list[list[_Mention]] = [[] for _ in mentions.name]
        for rank, entity in enumerate(mentions.entity.tolist()):
            place = found.twins.place(side, rank)
            known = entities[entity]
            before = sum(document == place.number for document, _, _ in known[-_NEAR:])
            known.append((place.number, before, place.text))
        sides.append(entities)
    return sides


def entity_homes(found: Findings) -> dict[str, int]:
    """For each entity, by side and name, the first document that has it."""
    return {
        f"{side} {name}": int(mentions.document[first])
        for side, mentions in zip(("key", "response"), found.twins.sides, strict=True)
        for name, first in zip(mentions.name, mentions.first.tolist(), strict=True)
    }
