"""Tables of the whole corpus: all errors, all tangles, the mentions of entities that several documents share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..errors.mistakes import Entity, Place
from ..errors.outcomes import VIEWS, Outcome, labelled
from .findings import Findings, Json, tangle_costs

_FIRST = 6  # tangles in the first view


def error_table(found: Findings, identities: dict[Hashable, int] | None) -> Json:
    """All errors of a system by columns; an error is its document and its number there.

    `identities` numbers what is the same error in several systems.
    """
    rows = [(number, error) for number, errors in enumerate(found.errors) for error in range(len(errors))]
    mistakes = [found.mistakes[number][error] for number, error in rows]
    places = [mistake.mentions[0] for mistake in mistakes]
    kinds = {kind: number for number, kind in enumerate(found.kinds)}
    ranks = [_rank(found, place) for place in places]
    columns: dict[str, list[Any]] = {
        "document": [number for number, _ in rows],
        "error": [error for _, error in rows],
        "kind": [kinds[mistake.kind] for mistake in mistakes],
        "words": [place.text for place in places],
        "tangle": [_tangle(found, *rank) if rank else -1 for rank in ranks],
    }
    fields: dict[str, list[str]] = {}
    fates = _fates(found, ranks)
    for name in VIEWS:
        label = labelled(name)
        known: dict[str, int] = {"": 0}
        columns[name] = [known.setdefault(label(fate), len(known)) if fate else 0 for fate in fates]
        fields[name] = [*known]
    if identities is not None:
        same = [found.identities[number][error] for number, error in rows]
        columns["same"] = [identities.setdefault(each, len(identities)) for each in same]
    return {"columns": columns, "fields": fields, "tangles": tangle_costs(found) if _tangled(found) else []}


def _tangled(found: Findings) -> int:
    return len(found.analysis.tangles) if found.analysis.of_coreference else 0


def _rank(found: Findings, place: Place) -> tuple[int, int] | None:
    """The side of a mention and its rank among those that were scored."""
    side = int(place.side == "response")
    if found.twins.aligned[place.number][side] is not place.document:
        return None
    return side, int(found.twins.ranks(side, place.number)[place.index])


def _tangle(found: Findings, side: int, rank: int) -> int:
    if not _tangled(found):
        return -1
    return int(found.analysis.tangles.of[side][found.twins.sides[side].entity[rank]])


def _fates(found: Findings, ranks: Sequence[tuple[int, int] | None]) -> list[Outcome | None]:
    """How mentions fared: those of the key, or of the response that have a twin there, and extra ones."""
    if not found.analysis.of_coreference:
        return [None] * len(ranks)
    outcomes = found.analysis.outcomes  # those of the key by rank, then the extra ones of the response by rank
    key, response = found.twins.sides
    extra = np.cumsum(response.twin < 0) - 1 + len(key.twin)
    place = np.where(response.twin < 0, extra, response.twin)
    return [rank and outcomes[int(place[rank[1]]) if rank[0] else rank[1]] for rank in ranks]


# -- tangles ---------------------------------------------------------------------------------------------------------


def tangle_table(found: Findings) -> Json:
    """All tangles, those that cost most first: their documents, costs, and words of an entity to find them by."""
    number = _tangled(found)
    if not number:
        return {"document": [], "cost": [], "words": []}
    tangles, twins = found.analysis.tangles, found.twins
    begins = np.full((2, number), -1)
    for side in range(2):  # the first entity of each tangle
        there = np.flatnonzero(tangles.of[side] >= 0)[::-1]
        begins[side, tangles.of[side][there]] = there
    firsts = [(0, ours) if ours >= 0 else (1, theirs) for ours, theirs in begins.T.tolist()]
    places = [twins.place(side, int(twins.sides[side].first[entity])) for side, entity in firsts]
    words = [place.text for place in places]
    return {"document": [place.number for place in places], "cost": tangle_costs(found), "words": words}


def first_tangles(found: Findings) -> list[list[Any]]:
    """The costliest tangles as pictures: number, document, cost, entities of both sides, what they share."""
    number = min(_FIRST, _tangled(found))
    costs = tangle_costs(found) if number else []
    return [_picture(found, place, costs[place]) for place in range(number) if costs[place] > 0]


def _picture(found: Findings, place: int, cost: float) -> list[Any]:
    tangle = found.analysis.tangles[place]
    partnered = {found.twins.partners[1][entity.number] for entity in tangle.responses}
    ours = [_node(each, found.hues[0][each.number] if each.number in partnered else -1) for each in tangle.keys]
    theirs = [_node(each, found.hues[1][each.number]) for each in tangle.responses]
    return [place, tangle.number, cost, ours, theirs, [list(ribbon) for ribbon in tangle.ribbons]]


def _node(entity: Entity, hue: int) -> list[Any]:
    return [entity.label, hue, entity.size, entity.place.text]


# -- entities of several documents -----------------------------------------------------------------------------------


def shared_entities(found: Findings) -> list[list[list[Any]]]:
    """For each entity of key and response its mentions: document, place among its mentions there, words."""
    sides: list[list[list[Any]]] = []
    for side, mentions in enumerate(found.twins.sides):
        entities: list[list[Any]] = [[] for _ in mentions.name]
        for rank, entity in enumerate(mentions.entity.tolist()):
            place = found.twins.place(side, rank)
            there = entities[entity]
            before = sum(each[0] == place.number for each in reversed(there[-200:]))
            there.append([place.number, before, place.text])
        sides.append(entities)
    return sides


def entity_homes(found: Findings) -> dict[str, int]:
    """For each entity, by side and name, the first document that has it."""
    return {
        f"{side} {name}": int(mentions.document[first])
        for side, mentions in zip(("key", "response"), found.twins.sides, strict=True)
        for name, first in zip(mentions.name, mentions.first.tolist(), strict=True)
    }
