"""What went wrong in an evaluation: the errors of each document, as the page shows them, and counts of entities."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from ..document.document import Document
from ..errors.analysis import Analysis, Mistake
from ..errors.listing import identified
from ..errors.mistakes import KINDS, CoreferenceError, Entity, MentionPlace, SentencePart, in_words, texts
from ..errors.other_layers import NuggetRow, OtherError
from ..errors.repairing.repaired import Cost
from ..results.evaluation import Evaluation
from .hues import Hues, hues


class Findings:
    """What went wrong in an evaluation, and what each entity contributes to the score.

    `mistakes` are the errors of each document, `identities` the keys by which the same error is found in another system
    (only if systems are `compared`), `words` those of the first mention of each error. `repeating` has the (document,
    index) of errors in which several mentions have the same words. `tangle_costs` is what each tangle costs in points
    of the metric of the page (0 if that is not on entities); without coreference there are no tangles. `labels` and
    `hues` are those of the entities of `twins`; `shared`: entities span documents.
    """

    def __init__(self, evaluation: Evaluation, compared: bool = False) -> None:
        self.analysis = analysis = Analysis(evaluation)
        self.twins, self.labels = analysis.twins, analysis.naming.labels
        self.tangles = analysis.tangles if analysis.of_coreference else None
        self.hues: Hues = [], []
        self.kinds = analysis.kinds
        order = {kind: number for number, kind in enumerate(self.kinds)}
        self.mistakes: list[list[Mistake]] = [[] for _ in evaluation.evidence.aligned]
        self.identities: list[list[Hashable]] = [[] for _ in self.mistakes]
        every = identified(analysis).items() if compared else ((None, mistake) for mistake in analysis.mistakes())
        for identity, mistake in sorted(every, key=lambda each: order[each[1].kind]):
            number = mistake.mentions[0].number
            self.mistakes[number].append(mistake)
            self.identities[number].append(identity)
        self.words, self.repeating = _spoken(self.mistakes)
        self.tangle_costs = cost_of_tangles(analysis)
        self.entities = [EntityContributions(evaluation, side) for side in range(2)]
        self.shared = len(set(evaluation.evidence.homes)) < len(evaluation.evidence.homes)
        if analysis.of_coreference:
            _ = self.twins.forms  # computed now, before a second process would compute them again

    @cached_property
    def costs(self) -> dict[str, Cost]:
        """The gain by repairing each kind of error."""
        return {cost.kind: cost for cost in self.analysis.costs()} if KINDS[0] in self.kinds else {}


def _spoken(mistakes: Sequence[Sequence[Mistake]]) -> tuple[list[list[str]], set[tuple[int, int]]]:
    """The words of the first mention of each error, and the errors in which several mentions have the same words."""
    said = iter(texts([place for each in mistakes for mistake in each for place in mistake.mentions]))
    words: list[list[str]] = []
    repeating: set[tuple[int, int]] = set()
    for number, each in enumerate(mistakes):
        words.append([])
        for at, mistake in enumerate(each):
            spoken = [*islice(said, len(mistake.mentions))]
            words[-1].append(spoken[0])
            if len({*spoken}) < len(spoken):
                repeating.add((number, at))
    return words, repeating


def written(found: Findings, number: int) -> tuple[list[list[object]], tuple[list[MentionPlace], list[MentionPlace]]]:
    """The errors of a document as JSON, and the mentions in them that were not scored, of key and response.

    An error is [kind, its mentions as (side, index), its anchor or None, its sentence]. Most sentences follow a pattern
    that the page fills in from the given and the wanted entity: [entity, mention that names it], or None. Any other
    sentence is stored in parts. Mentions that were not scored have the indices after those of scored ones.
    """
    places = _Places(found.twins.aligned[number][:2], number)
    errors: list[list[object]] = []
    for at, mistake in enumerate(found.mistakes[number]):
        anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
        mentions = [places.reference(each) for each in mistake.mentions if each.number == number]
        beside = places.reference(anchor) if anchor and anchor.number == number else None
        alike = (number, at) not in found.repeating
        entities = _ends(mistake, places) if isinstance(mistake, CoreferenceError) and alike else None
        sentence: Sequence[object] = entities or [_sentence(mistake, places)]
        errors.append([found.kinds.index(mistake.kind), mentions, beside, *sentence])
    return errors, places.further


class _Places:
    """Finds the mentions of errors in the data of a document: among the scored mentions, or after them."""

    def __init__(self, scored: tuple[Document, Document], number: int) -> None:
        self.scored, self.number = scored, number
        self.further: tuple[list[MentionPlace], list[MentionPlace]] = [], []
        self.owners = [each.mentions.owners for each in scored]  # numbers of entities

    def reference(self, place: MentionPlace) -> list[int]:
        """The side and index of a mention; one that was not scored, or is of another layer, comes after the others."""
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

    def has(self, place: MentionPlace) -> bool:
        """Whether a mention is one of those of this document that were scored."""
        return place.number == self.number and place.document is self.scored[place.side == "response"]


def _ends(error: CoreferenceError, places: _Places) -> list[list[int] | None] | None:
    """The given and the wanted entity of an error, if the page can make its sentence from them; else None.

    It cannot for event nuggets, as their sentences name ids and spans as well.
    """
    involved = (*error.mentions, error.anchor) if error.anchor else error.mentions
    if error.mentions[0].document.origin.mentions or not all(map(places.has, involved)):
        return None
    found: list[list[int] | None] = []
    for side, entity in ((1, error.given), (0, error.wanted)):
        if entity and not places.has(entity.place):
            return None
        found.append([places.owners[side][entity.place.index], entity.place.index] if entity else None)
    return found


def _sentence(mistake: Mistake, places: _Places) -> list[str | list[int]]:
    """The sentence of an error in parts: words, mentions [side, index], entities [side, number, index of a mention]."""
    found: list[str | list[int]] = []
    for part in mistake.parts if isinstance(mistake, CoreferenceError) else _cut(mistake):
        place = part if isinstance(part, MentionPlace) else part.place if isinstance(part, Entity) else None
        if place is None or place.number != places.number:
            found.append(in_words([part]))
            continue
        side, index = places.reference(place)
        if isinstance(part, Entity) and index < len(places.scored[side].mentions):
            found.append([side, places.owners[side][index], index])
        else:  # entities of other layers have no number on the page
            found.append([side, index])
    return found


def _cut(mistake: OtherError | NuggetRow) -> Iterator[SentencePart]:
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


def cost_of_tangles(analysis: Analysis) -> list[float]:
    """What each tangle costs, in points; 0 in a metric that is not on entities."""
    if not analysis.of_coreference:
        return []
    tangles, metric = analysis.tangles, analysis.metric
    if metric not in tangles.metrics:
        return [0.0] * len(tangles)
    costs: list[float] = (100 * tangles.costs[:, tangles.metrics.index(metric)]).tolist()
    return costs


def rounded(every: Sequence[Findings]) -> int:
    """Round the costs of tangles; gives the number of digits, one for the whole page: enough for most of them."""
    some = sorted(cost for each in every for cost in each.tangle_costs if cost > 0)
    middle = some[len(some) // 2] if some else 1.0
    digits = min(max(2, 1 - math.floor(math.log10(middle))), 3)
    for each in every:
        each.tangle_costs = [round(cost, digits) + 0.0 for cost in each.tangle_costs]  # no -0.0
    return digits


def coloured(every: Sequence[Findings]) -> None:
    """Give hues to the entities of all systems."""
    given = hues([each.twins for each in every], [each.tangles for each in every])
    for each, both in zip(every, given, strict=True):
        each.hues = both


def ruler(evaluation: Evaluation) -> str:
    """The metric in which the page shows the contribution of an entity."""
    names = list(evaluation.evidence.entity_counts)
    return "b3" if "b3" in names else names[0] if names else ""


class EntityContributions:
    """Numerators and denominators of the entities of one side in the metric of `ruler`, by home and name."""

    def __init__(self, evaluation: Evaluation, side: int) -> None:
        entities, metric = evaluation.evidence.entities[side], ruler(evaluation)
        homes = np.array(entities.document, np.int64)
        self._names = entities.name
        self._order = np.argsort(homes, kind="stable")
        self._bounds = np.searchsorted(homes[self._order], np.arange(len(evaluation.documents) + 1))
        self._values = evaluation.evidence.entity_counts[metric][side] if metric else None
        self._home = -1
        self._known: dict[Hashable, list[float]] = {}

    def of(self, home: int, names: Iterable[Hashable]) -> list[list[float] | None]:
        """The counts of entities of one home; None for entities without counts."""
        if self._values is not None and home != self._home:
            there = self._order[slice(*self._bounds[home : home + 2])]
            known = map(self._names.__getitem__, there.tolist())
            self._home, self._known = home, dict(zip(known, self._values[there].tolist(), strict=True))
        return [*map(self._known.get, names)]
