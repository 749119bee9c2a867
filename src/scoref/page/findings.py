"""What went wrong in an evaluation, the errors of a document ready for JSON, and what entities count."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from ..errors.analysis import Analysis, Mistake
from ..errors.changes import identified
from ..errors.costs import Cost
from ..errors.mistakes import KINDS, CoreferenceError, Entity, Part, Place, in_words
from ..errors.nuggets import NuggetRow
from ..errors.other_layers import OtherError
from ..errors.twins import Twins
from ..model import Document
from ..scoring.evaluation import Evaluation
from .hues import hues

Json = dict[str, Any]


class Findings(NamedTuple):
    """What went wrong in an evaluation, and what entities count.

    `mistakes` are the errors of each document, `identities` what makes each of them the same in another system. `costs`
    gives for a kind what is gained by repairs. `labels` and `hues` are those of the entities of `twins`; `shared` says
    that entities live in several documents.
    """

    analysis: Analysis
    twins: Twins
    labels: tuple[list[str], list[str]]
    hues: tuple[list[int], list[int]]
    kinds: tuple[str, ...]
    mistakes: list[list[Mistake]]
    identities: list[list[Hashable]]
    costs: dict[str, Cost]
    entities: tuple[Counts, Counts]
    shared: bool


def findings(evaluation: Evaluation, compared: bool = False) -> Findings:
    """What went wrong, by document; errors have identities only if systems are `compared`."""
    analysis = Analysis(evaluation)
    kinds = analysis.kinds
    order = {kind: number for number, kind in enumerate(kinds)}
    mistakes: list[list[Mistake]] = [[] for _ in evaluation.evidence.aligned]
    identities: list[list[Hashable]] = [[] for _ in mistakes]
    every = identified(analysis).items() if compared else ((None, mistake) for mistake in analysis.mistakes())
    for identity, mistake in sorted(every, key=lambda each: order[each[1].kind]):
        home = mistake.mentions[0].number
        mistakes[home].append(mistake)
        identities[home].append(identity)
    costs = {cost.kind: cost for cost in analysis.costs()} if KINDS[0] in order else {}
    entities = _counts(evaluation, 0), _counts(evaluation, 1)
    shared = len(set(evaluation.evidence.homes)) < len(evaluation.evidence.homes)
    return Findings(
        analysis, analysis.twins, analysis.naming.labels, hues(analysis.twins), kinds, mistakes, identities, costs,
        entities, shared,
    )  # fmt: skip


class Written(NamedTuple):
    """The errors of a document as JSON, and mentions of key and response that have part in them, but were not scored.

    An error is the number of its kind, its mentions (side, index), its anchor, or None, and its sentence in parts. The
    indices of `further` mentions follow those of the others.
    """

    errors: list[list[Any]]
    further: tuple[list[Place], list[Place]]


def written(found: Findings, number: int) -> Written:
    """The errors of one document."""
    order = {kind: place for place, kind in enumerate(found.kinds)}
    places = _Places(found.twins.aligned[number][:2])
    errors: list[list[Any]] = []
    for mistake in found.mistakes[number]:
        anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
        mentions = [places.reference(each) for each in mistake.mentions if each.number == number]
        beside = places.reference(anchor) if anchor and anchor.number == number else None
        errors.append([order[mistake.kind], mentions, beside, _sentence(mistake, number, places)])
    return Written(errors, places.further)


class _Places:
    """Where mentions of errors of a document are on the page: among those that were scored, or behind them."""

    def __init__(self, scored: tuple[Document, Document]) -> None:
        self.scored = scored
        self.further: tuple[list[Place], list[Place]] = [], []

    def reference(self, place: Place) -> list[int]:
        """The side of a mention and its index; one that was only read, or is of another layer, comes behind others."""
        side = int(place.side == "response")
        scored = self.scored[side]
        if place.document is scored:
            return [side, place.index]
        if place.document.deixis is not None or scored.mentions is place.document.mentions:
            same = (number for number, mention in enumerate(scored.mentions) if mention[:3] == place.mention[:3])
            if (found := next(same, None)) is not None:
                return [side, found]
        further = self.further[side]
        if place not in further:
            further.append(place)
        return [side, len(scored.mentions) + further.index(place)]


def _sentence(mistake: Mistake, home: int, places: _Places) -> list[Any]:
    """The sentence of an error in parts: words, mentions [side, index], entities [side, number, index of a mention]."""
    found: list[Any] = []
    for part in mistake.parts if isinstance(mistake, CoreferenceError) else _cut(mistake):
        place = part if isinstance(part, Place) else part.place if isinstance(part, Entity) else None
        if place is None or place.number != home:
            found.append(in_words([part]))
            continue
        side, index = places.reference(place)
        scored = places.scored[side]
        if isinstance(part, Entity) and index < len(scored.mentions):
            found.append([side, int(scored.numbered[1][index]), index])
        else:  # an entity of another layer has no number on the page
            found.append([side, index])
    return found


def _cut(mistake: OtherError | NuggetRow) -> Iterator[Part]:
    """The sentence of an error, with its mentions and antecedents in the place of their labels."""
    places = [*mistake.mentions, *((*mistake.given, *mistake.wanted) if isinstance(mistake, OtherError) else ())]
    known = {place.label: place for place in reversed(places)}
    rest = mistake.sentence
    while rest:
        there = {at: label for label in known if (at := rest.find(label)) >= 0}
        if not there:
            break
        at = min(there)
        yield rest[:at]
        yield known[there[at]]
        rest = rest[at + len(there[at]) :]
    yield rest


def tangle_costs(found: Findings) -> list[float]:
    """What each tangle costs in the metric that costs are shown in; nothing where none is on entities."""
    tangles, metric = found.analysis.tangles, found.analysis.metric
    if metric not in tangles.metrics:
        return [0.0] * len(tangles)
    costs: list[float] = tangles.costs[:, tangles.metrics.index(metric)].round(6).tolist()
    return costs


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
    return Counts(index, evaluation.evidence.entity_counts[metric][side].round(4).tolist())
