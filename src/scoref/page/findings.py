"""What went wrong in an evaluation, ready for JSON, and what its entities count."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ..errors.analysis import Analysis, Mistake
from ..errors.costs import Cost
from ..errors.mistakes import KINDS, CoreferenceError, Entity, Place, in_words, listed_parts
from ..errors.twins import Twins
from ..scoring.evaluation import Evaluation
from .hues import hues

Json = dict[str, Any]


class Findings(NamedTuple):
    """What went wrong in an evaluation, ready for JSON, and what entities count.

    An error is the number of its kind, its mentions (side, index), its anchor, or None, and its sentence in parts;
    `mistakes` are the same errors as they were found. `costs` gives for a kind what is gained by repairs. `labels` and
    `hues` are those of the entities of `twins`; `shared` says that entities live in several documents.
    """

    analysis: Analysis
    twins: Twins
    labels: tuple[list[str], list[str]]
    hues: tuple[list[int], list[int]]
    kinds: tuple[str, ...]
    errors: list[list[list[Any]]]
    mistakes: list[list[Mistake]]
    costs: dict[str, Cost]
    entities: tuple[Counts, Counts]
    shared: bool


def findings(evaluation: Evaluation) -> Findings:
    """What went wrong, by document."""
    analysis = Analysis(evaluation)
    kinds = analysis.kinds
    place = {kind: number for number, kind in enumerate(kinds)}
    errors: list[list[list[Any]]] = [[] for _ in evaluation.evidence.aligned]
    mistakes: list[list[Mistake]] = [[] for _ in errors]
    for mistake in sorted(analysis.mistakes(), key=lambda mistake: place[mistake.kind]):
        home = mistake.mentions[0].number
        anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
        mentions = [_reference(each, evaluation) for each in mistake.mentions if each.number == home]
        beside = _reference(anchor, evaluation) if anchor and anchor.number == home else None
        if all(mentions):
            errors[home].append([place[mistake.kind], mentions, beside, _sentence(mistake, home, evaluation)])
            mistakes[home].append(mistake)
    costs = {cost.kind: cost for cost in analysis.costs()} if KINDS[0] in place else {}
    entities = _counts(evaluation, 0), _counts(evaluation, 1)
    twins = analysis.twins
    shared = len(set(evaluation.evidence.homes)) < len(evaluation.evidence.homes)
    return Findings(
        analysis, twins, analysis.naming.labels, hues(twins), kinds, errors, mistakes, costs, entities, shared
    )


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


def _sentence(mistake: Mistake, home: int, evaluation: Evaluation) -> list[Any]:
    """The sentence of an error in parts: words, mentions [side, index], entities [side, number, index of a mention]."""
    found: list[Any] = []
    for part in mistake.parts if isinstance(mistake, CoreferenceError) else listed_parts(mistake.mentions):
        place = part if isinstance(part, Place) else part.place if isinstance(part, Entity) else None
        where = _reference(place, evaluation) if place and place.number == home else None
        if where is None:
            found.append(in_words([part]))
        elif isinstance(part, Entity):
            side, index = where
            key, response, _ = evaluation.evidence.aligned[home]
            found.append([side, int((key, response)[side].numbered[1][index]), index])
        else:
            found.append(where)
    return found


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
