"""The search for slices, slowly: one mention, one document, one entity at a time, as its definition says.

A mention is a dictionary: its `loss`, `document`, `entity`, and its `kinds`, the number of its kind by each field.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

Mention = dict[str, Any]
Conditions = tuple[tuple[int, int], ...]


def inside(mention: Mention, conditions: Conditions) -> bool:
    return all(mention["kinds"][field] == kind for field, kind in conditions)


def taking_part(mentions: list[Mention]) -> dict[frozenset[int], Conditions]:
    """The slices that take part, by their mentions: those of one kind first, each set of mentions once."""
    total = sum(abs(each["loss"]) for each in mentions)
    values = sorted({(field, kind) for each in mentions for field, kind in enumerate(each["kinds"])})
    pairs = [(one, other) for one, other in combinations(values, 2) if one[0] != other[0]]
    found: dict[frozenset[int], Conditions] = {}
    for conditions in [*((value,) for value in values), *pairs]:
        members = frozenset(number for number, each in enumerate(mentions) if inside(each, conditions))
        documents = 0
        for document in {each["document"] for each in mentions}:
            here = {number for number, each in enumerate(mentions) if each["document"] == document}
            documents += bool(here & members) and bool(here - members)
        lost = sum(abs(mentions[number]["loss"]) for number in members)
        if documents >= 10 and lost >= 0.02 * total > 0:
            found.setdefault(members, conditions)
    return found


def statistic(mentions: list[Mention], conditions: Conditions) -> float:
    """Σ e / √Σ e², where e is the sum of c(m) over an entity."""
    e: dict[Any, float] = {}
    for document in {each["document"] for each in mentions}:
        here = [each for each in mentions if each["document"] == document]
        share = sum(inside(each, conditions) for each in here) / len(here)
        mean = sum(each["loss"] for each in here) / len(here)
        for each in here:
            c = (inside(each, conditions) - share) * (each["loss"] - mean)
            e[each["entity"]] = e.get(each["entity"], 0.0) + c
    spread = sum(value**2 for value in e.values()) ** 0.5
    return sum(e.values()) / spread if spread > 1e-9 else 0.0


def excess(mentions: list[Mention], conditions: Conditions) -> tuple[float, float]:
    """How much more the mentions lose than the others of their documents: each of them, and all together."""
    number, total = 0, 0.0
    for document in {each["document"] for each in mentions}:
        here = [each for each in mentions if each["document"] == document]
        ours = [each["loss"] for each in here if inside(each, conditions)]
        others = [each["loss"] for each in here if not inside(each, conditions)]
        if ours and others:
            number += len(ours)
            total += sum(loss - sum(others) / len(others) for loss in ours)
    return total / number, total
