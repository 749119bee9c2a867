"""What went wrong in an evaluation: the errors of each document, as the page shows them, and counts of entities."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..document.document import Document, Integers, owners_of
from ..errors.analysis import Analysis, Mistake
from ..errors.listing import identified
from ..errors.mistakes import KINDS, CoreferenceError, Entity, MentionPlace, SentencePart, entity_name, in_words
from ..errors.other_layers import NuggetRow, OtherError
from ..errors.repairing.repaired import Cost
from ..errors.twins import as_array
from ..results.evaluation import Evaluation
from .hues import Hues, hues

_KEY_HAS = re.compile("the key has (?:(?:it|them) (?:in|as) )?")


class Findings:
    """What went wrong in an evaluation, and what each entity contributes to the score.

    `identities` are the keys by which the same error is found in another system, only if systems are `compared`.
    `tangle_costs` is what each tangle costs in points of the metric of the page (0 if that is not on entities); without
    coreference there are no tangles. `labels` and `hues` are those of the entities of `twins`; `shared`: entities span
    documents.
    """

    def __init__(self, evaluation: Evaluation, compared: bool = False) -> None:
        self.analysis = analysis = Analysis(evaluation)
        self.twins, self.labels = analysis.twins, analysis.naming.labels
        self.tangles = analysis.tangles if analysis.of_coreference else None
        self.hues: Hues = [], []
        self.kinds = analysis.kinds
        self.mistakes = PageErrors(analysis)
        every = [*identified(analysis)] if compared else []
        self.identities = [every[at] for at in self.mistakes.at.tolist()] if compared else []
        self.tangle_costs = cost_of_tangles(analysis)
        self.shared = len(set(evaluation.evidence.homes)) < len(evaluation.evidence.homes)

    @cached_property
    def costs(self) -> dict[str, Cost]:
        """The gain by repairing each kind of error."""
        return {cost.kind: cost for cost in self.analysis.costs()} if KINDS[0] in self.kinds else {}


class PageErrors:
    """The errors of all layers as arrays: document after document, there in the order of kinds.

    For each its `document`, the number of its `kind`, its place `at` in `Analysis.mistakes`, the `side` of its first
    mention and the `rank` of that, -1 if it was not scored. Those of a document begin at its place in `starts`.
    """

    def __init__(self, analysis: Analysis) -> None:
        self._analysis, self._twins, self._found = analysis, analysis.twins, analysis.found
        before, shown, after = analysis.mistakes_apart()
        self._others = [*before, *after]
        order = {kind: number for number, kind in enumerate(analysis.kinds)}
        numbers = np.array([order.get(kind, -1) for kind in KINDS])
        found, of = self._found, np.arange(len(self._found))
        usual = np.stack((found.document, numbers[found.kind], found.side, found.first, of), axis=-1)[shown]
        others = np.array([self._other(number, order) for number in range(len(self._others))], np.int64).reshape(-1, 5)
        every = np.concatenate((others[: len(before)], usual, others[len(before) :]))
        self.at = np.lexsort((every[:, 1], every[:, 0]))
        self.document, self.kind, self.side, self.rank, self._of = every[self.at].T
        self.starts = np.searchsorted(self.document, np.arange(len(self._twins.aligned) + 1))

    def _other(self, number: int, order: Mapping[str, int]) -> tuple[int, int, int, int, int]:
        """What arrays have of an error that is none of coreference: its number counts from -1 down."""
        mistake = self._others[number]
        place = mistake.mentions[0]
        side, rank = int(place.side == "response"), -1
        if self._twins.documents[side][place.number] is place.document:
            rank = int(self._twins.ranks(side, place.number)[place.index])
        return place.number, order[mistake.kind], side, rank, -1 - number

    def __len__(self) -> int:
        return len(self.at)

    def __getitem__(self, row: int) -> Mistake:
        place = int(self._of[row])
        return self._found[place] if place >= 0 else self._others[-1 - place]

    def counts(self) -> Integers:
        """How many errors of each kind each document has, [documents, kinds]."""
        shape = len(self.starts) - 1, len(self._analysis.kinds)
        codes = self.document * shape[1] + self.kind
        return np.bincount(codes, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def words(self) -> list[str]:
        """The words of the first mention of each."""
        bounds, said = self._found.bounds.tolist(), self._said
        return [said[bounds[of]] if of >= 0 else self._others[-1 - of].mentions[0].text for of in self._of.tolist()]

    @cached_property
    def _said(self) -> list[str]:
        """The words of all mentions in errors of coreference."""
        found, best = self._found, self._analysis.naming.best[0]
        sides = np.repeat(found.side, np.diff(found.bounds))
        said = np.empty(len(found.ranks), object)
        for side in range(2):
            ranks = found.ranks[sides == side]
            names = best[found.wanted[found.wanted >= 0]] if side == 0 else ranks[:0]  # needed later: cut together
            said[sides == side] = self._twins.texts(side, np.append(ranks, names))[: len(ranks)]
        every: list[str] = said.tolist()
        return every

    def should(self) -> list[str]:
        """What each should be, in the words of `Mistake.should`."""
        found, span, whole = self._found, KINDS.index("span error"), KINDS.index("missing entity")
        entities, labels = np.unique(found.wanted[found.wanted >= 0]), self._analysis.naming.labels[0]
        quoted = self._quoted(self._analysis.naming.best[0][entities])
        names = {each: entity_name(labels[each], words) for each, words in zip(entities.tolist(), quoted, strict=True)}
        spans = iter(self._quoted(found.anchor[found.kind == span]))

        def said(kind: int, wanted: int, size: int) -> str:
            if kind == span:
                return next(spans)
            if wanted < 0:
                return "no such mention" if size == 1 else "none of them"
            return f"entity {labels[wanted]}" if kind == whole else names[wanted]

        sizes = np.diff(found.bounds).tolist()
        usual = [*map(said, found.kind.tolist(), found.wanted.tolist(), sizes)]
        return [usual[of] if of >= 0 else _KEY_HAS.sub("", self._others[-1 - of].should) for of in self._of.tolist()]

    def _quoted(self, ranks: Integers) -> list[str]:
        """The labels of mentions of the key."""
        if any(document.origin.mentions for document in self._twins.documents[0]):
            return [place.label for place in self._twins.places(0, ranks.tolist())]
        return [f"'{words}'" for words in self._twins.texts(0, ranks)]

    @cached_property
    def usual(self) -> tuple[Integers, array[int]]:
        """What pages have of errors whose sentences follow a pattern, [errors, columns]; and the indices of mentions.

        Columns: whether it is such an error; where its mentions are among the indices, and their side; the side and the
        index of its anchor; the given and the wanted entity, each with the index of the mention that names it. Patterns
        are for errors in one document, in which no two mentions have the same words; nuggets are told by ids and spans.
        """
        found, twins = self._found, self._twins
        sizes = np.diff(found.bounds)
        of = np.repeat(np.arange(len(found)), sizes)
        documents, indices = [each.document for each in twins.sides], [each.at for each in twins.sides]
        owners = [twins.ranked(side, owners_of(each)) for side, each in enumerate(twins.documents)]
        lined = [[bool(each.origin.mentions) for each in side] for side in twins.documents]
        unlike = _values(documents, found.side[of], found.ranks) != found.document[of]
        usual = (np.bincount(of, unlike, len(found)) == 0) & (_values(lined, found.side, found.document) == 0)
        bounds = found.bounds.tolist()
        several = [slice(*bounds[at : at + 2]) for at in np.flatnonzero(sizes > 1).tolist()]
        usual[sizes > 1] &= np.array([len({*self._said[each]}) == each.stop - each.start for each in several], np.bool_)
        best = [np.append(each, -1) for each in self._analysis.naming.best]
        beside, given, wanted = np.where(found.kind, found.side, 0), best[1][found.given], best[0][found.wanted]
        columns = [
            usual,
            found.bounds[:-1],
            found.bounds[1:],
            found.side,
            beside,
            _values(indices, beside, found.anchor),
        ]
        for end, rank in ((1, given), (0, wanted)):
            columns += [_values(owners, end, rank), _values(indices, end, rank)]
        for side, rank in ((beside, found.anchor), (1, given), (0, wanted)):
            usual &= (rank < 0) | (_values(documents, side, rank) == found.document)
        rows = np.append(np.stack(columns, axis=-1), np.zeros((1, len(columns)), np.int64), axis=0)
        return rows[np.maximum(self._of, -1)], as_array(_values(indices, found.side[of], found.ranks))


def _values(of: Sequence[Any], side: Any, ranks: Integers) -> Integers:
    """What key and response have of mentions, by their sides and their ranks; -1 for ranks below 0."""
    every: Integers = np.concatenate([*of, [-1]])
    return every[np.where(ranks < 0, -1, ranks + side * len(of[0]))]


def written(found: Findings, number: int) -> tuple[list[list[object]], tuple[list[MentionPlace], list[MentionPlace]]]:
    """The errors of a document as JSON, and the mentions in them that were not scored, of key and response.

    An error is [kind, its mentions as (side, index), its anchor or None, its sentence]. Most sentences follow a pattern
    that the page fills in from the given and the wanted entity: [entity, mention that names it], or None. Any other
    sentence is stored in parts. Mentions that were not scored have the indices after those of scored ones.
    """
    mistakes, places = found.mistakes, _Places(found.twins.aligned[number][:2], number)
    first, behind = mistakes.starts[number : number + 2].tolist()
    rows, indices = mistakes.usual
    errors: list[list[object]] = []
    both = zip(mistakes.kind[first:behind].tolist(), rows[first:behind].tolist(), strict=True)
    for row, (kind, (usual, begin, end, side, beside, anchor, given, given_by, wanted, wanted_by)) in enumerate(
        both, first
    ):
        if not usual:
            errors.append([kind, *_spelled(mistakes[row], places)])
            continue
        mentions = [[side, index] for index in indices[begin:end]]
        entities = [given, given_by] if given >= 0 else None, [wanted, wanted_by] if wanted >= 0 else None
        errors.append([kind, mentions, [beside, anchor] if anchor >= 0 else None, *entities])
    return errors, places.further


def _spelled(mistake: Mistake, places: _Places) -> tuple[list[list[int]], list[int] | None, list[str | list[int]]]:
    """An error whose sentence is stored."""
    anchor = mistake.anchor if isinstance(mistake, CoreferenceError) else None
    mentions = [places.reference(each) for each in mistake.mentions if each.number == places.number]
    beside = places.reference(anchor) if anchor and anchor.number == places.number else None
    return mentions, beside, _sentence(mistake, places)


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
