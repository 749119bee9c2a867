"""What went wrong in an evaluation, ready for JSON, and what its entities count."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ..errors.analysis import Analysis, Cost
from ..errors.mistakes import KINDS, CoreferenceError, Place
from ..scoring.evaluation import Evaluation

Json = dict[str, Any]


class Findings(NamedTuple):
    """What went wrong in an evaluation, ready for JSON, and what entities count.

    An error is the number of its kind, its mentions (side, index), and its anchor, or None; `costs` gives for a kind
    what is gained by repairs.
    """

    analysis: Analysis
    kinds: tuple[str, ...]
    errors: list[list[list[Any]]]
    costs: dict[str, Cost]
    entities: tuple[Counts, Counts]


def findings(evaluation: Evaluation) -> Findings:
    """What went wrong, by document."""
    analysis = Analysis(evaluation)
    kinds = analysis.kinds
    place = {kind: number for number, kind in enumerate(kinds)}
    errors: list[list[list[Any]]] = [[] for _ in evaluation.evidence.aligned]
    for mistake in sorted(analysis.mistakes(), key=lambda mistake: place[mistake.kind]):
        home = mistake.mentions[0].number
        anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
        mentions = [_reference(each, evaluation) for each in mistake.mentions if each.number == home]
        beside = _reference(anchor, evaluation) if anchor and anchor.number == home else None
        if all(mentions):
            errors[home].append([place[mistake.kind], mentions, beside])
    costs = {cost.kind: cost for cost in analysis.costs()} if KINDS[0] in place else {}
    entities = _counts(evaluation, 0), _counts(evaluation, 1)
    return Findings(analysis, kinds, errors, costs, entities)


def _reference(place: Place, evaluation: Evaluation) -> list[int] | None:
    """The side of a mention and its index among those that were scored; none for one that was only read."""
    side = int(place.side == "response")
    key, response, _ = evaluation.evidence.aligned[place.number]
    scored = (key, response)[side]
    if place.document is scored:
        return [side, place.index]
    same = (number for number, mention in enumerate(scored.mentions) if mention[:3] == place.mention[:3])
    found = next(same, None)
    return None if found is None else [side, found]


def ruler(evaluation: Evaluation) -> str:
    """The metric that says what an entity costs."""
    names = list(evaluation.evidence.entity_counts)
    return "b3" if "b3" in names else names[0] if names else ""


class Counts(NamedTuple):
    """Where each entity of a side is, by document and name, and its numerator and denominator in the ruler."""

    places: dict[tuple[int, Hashable], int]
    rows: list[list[float]]


def _counts(evaluation: Evaluation, side: int) -> Counts:
    metric = ruler(evaluation)
    if not metric:
        return Counts({}, [])
    entities = evaluation.evidence.entities[side]
    index = {key: row for row, key in enumerate(zip(entities.document, entities.name, strict=True))}
    return Counts(index, evaluation.evidence.entity_counts[metric][side].tolist())
