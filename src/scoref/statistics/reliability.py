"""Coefficients of agreement: Krippendorff's α over entities, Cohen's κ of the labels of mentions.

No annotator is the key here. Like scores, both coefficients are made from sums over documents, so that the same
resampling gives their intervals. α (Krippendorff 1980, Passonneau 2004) is computed from:

| | |
|---|---|
| units | all mentions that any annotator marked |
| the value of a unit for an annotator | the set of mentions of its entity; the mention alone, if it was not marked |
| distance of two values | one of `DISTANCES` |
| α | 1 − observed distance / distance expected by chance |

Values of different documents have no mention in common and the greatest distance, 1. So the expected distance is 1 less
a sum over pairs of values that overlap, and these are few: each mention is in one value of each annotator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..counting.table import Floats
from ..document.document import Document
from ..document.grouping import grouped
from ..layout import grid
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling, number_of
from . import significance
from .samples import LEAST, checked_sample
from .significance import Sample

Value = frozenset[Hashable]
Evaluations = Mapping[tuple[int, int], Evaluation]  # of all pairs of annotators, by their numbers


# -- distances -------------------------------------------------------------------------------------------------------


def _overlap(common: int, ours: int, theirs: int) -> float:
    """2/3 if one set includes the other, else 1/3 (M of MASI)."""
    return 2 / 3 if common in (ours, theirs) else 1 / 3


def _jaccard(common: int, ours: int, theirs: int) -> float:
    return common / (ours + theirs - common)


# From the number of common elements and the sizes of both sets, which differ, and have something in common.
Likeness = Callable[[int, int, int], float]

DISTANCES: dict[str, Likeness] = {  # each as the likeness, 1 minus the distance
    "masi": lambda *sizes: _jaccard(*sizes) * _overlap(*sizes),  # Passonneau 2006
    "jaccard": _jaccard,  # Artstein & Poesio 2008
    "passonneau": _overlap,  # Passonneau 2004
    "nominal": lambda *sizes: 0.0,  # Krippendorff 1980
}


# -- alpha -----------------------------------------------------------------------------------------------------------


def likeness_sums(values: Sequence[Sequence[Value]]) -> Floats:
    """The sums that α is made of, for one document: the number of units, and two sums of likeness for each distance.

    `values` has for each annotator the value of each unit. The sums are over ordered pairs of annotators at each unit,
    and over ordered pairs of all values.
    """
    numbers: dict[Value, int] = {}
    slots = [[numbers.setdefault(value, len(numbers)) for value in each] for each in values]
    there = Counter(number for each in slots for number in each)
    holders: dict[Hashable, list[int]] = {}
    for value, number in numbers.items():
        for element in value:
            holders.setdefault(element, []).append(number)
    common = Counter(pair for each in holders.values() for pair in combinations(each, 2))
    sizes = [len(value) for value in numbers]
    at_units = Counter((min(pair), max(pair)) for unit in zip(*slots, strict=True) for pair in combinations(unit, 2))
    sums = [float(len(values[0]))]
    for like in DISTANCES.values():
        alike = {pair: like(number, sizes[pair[0]], sizes[pair[1]]) for pair, number in common.items()}
        observed = sum(number * (1.0 if a == b else alike.get((a, b), 0.0)) for (a, b), number in at_units.items())
        same = sum(number * (number - 1) for number in there.values())
        expected = sum(there[a] * there[b] * value for (a, b), value in alike.items())
        sums += [2 * observed, same + 2 * expected]
    return np.array(sums)


def alphas(sums: Floats, annotators: int) -> Floats:
    """α by each distance [..., distances] of sums [..., 1 + 2 · distances]; 1 where no distance is expected."""
    units = sums[..., :1]
    slots = units * annotators
    observed = 1 - _share(sums[..., 1::2], slots * (annotators - 1))
    expected = 1 - _share(sums[..., 2::2], slots * (slots - 1))
    return 1 - np.divide(observed, expected, out=np.zeros_like(observed), where=expected > 1e-12)


def _share(top: Floats, bottom: Floats) -> Floats:
    return np.divide(top, bottom, out=np.ones_like(top), where=bottom > 0)


def alpha_sums(evaluations: Evaluations, annotators: int) -> Floats:
    """The sums of each document (of each group of documents that is scored as one), [documents, 1 + 2 · distances]."""
    first = evaluations[0, 1]
    homes = first.evidence.homes
    units = [*zip(*(_units(evaluations, annotators, number) for number in range(len(homes))), strict=True)]
    sums = np.zeros((len(first.documents), 1 + 2 * len(DISTANCES)))
    for home, places in grouped(homes).items():
        sums[home] = likeness_sums(_values(evaluations, units, places))
    return sums


def _side(evaluations: Evaluations, annotator: int, number: int) -> Document:
    """A document as an annotator annotated it, prepared for scoring."""
    ours, theirs, _ = evaluations[(0, annotator) if annotator else (0, 1)].evidence.aligned[number]
    return theirs if annotator else ours


def _units(evaluations: Evaluations, annotators: int, number: int) -> list[list[Hashable]]:
    """For each annotator the unit of each mention of a document.

    A mention gets the unit of its twin at the first of the earlier annotators who has one. A mention in several
    entities is one unit.
    """
    units: list[list[Hashable]] = []
    identity = evaluations[0, 1].protocol.matching.identity
    for annotator in range(annotators):
        identities = _side(evaluations, annotator, number).identities(identity)
        unit: dict[Hashable, Hashable] = {}
        taken: set[Hashable] = set()
        for other in range(annotator):
            lookups = evaluations[other, annotator].evidence.aligned[number][2]
            for k, r in zip(*lookups.recall, strict=True):
                if identities[r] not in unit and units[other][k] not in taken:
                    unit[identities[r]] = units[other][k]
                    taken.add(units[other][k])
        units.append([unit.setdefault(name, (number, annotator, name)) for name in identities])
    return units


def _values(
    evaluations: Evaluations, units: Sequence[Sequence[Sequence[Hashable]]], places: Sequence[int]
) -> list[list[Value]]:
    """For each annotator the value of each unit, in some documents that are scored as one."""
    every = dict.fromkeys(unit for each in units for place in places for unit in each[place])
    by_annotator = []
    for annotator, each in enumerate(units):
        members: dict[Hashable, list[Hashable]] = {}
        owner: dict[Hashable, Hashable] = {}
        for place in places:
            mentions = _side(evaluations, annotator, place).mentions
            for unit, mention in zip(each[place], mentions, strict=True):
                members.setdefault(mention.entity, []).append(unit)
                owner.setdefault(unit, mention.entity)
        values = {entity: frozenset(some) for entity, some in members.items()}
        by_annotator.append([values[owner[unit]] if unit in owner else frozenset((unit,)) for unit in every])
    return by_annotator


# -- kappa -----------------------------------------------------------------------------------------------------------


def label_sums(evaluation: Evaluation, field: str) -> Floats | None:
    """The labels of the mentions that both annotators have, [documents, 2 + 2 · labels]; None if no mention has one.

    The columns are aligned mentions, those with the same label, and those of each annotator with each label.
    """
    pairs: list[tuple[int, str, str]] = []
    homes = evaluation.evidence.homes
    for home, (ours, theirs, lookups) in zip(homes, evaluation.evidence.aligned, strict=True):
        for k, r in zip(*lookups.recall, strict=True):
            labels = [dict(mention.attributes).get(field, "") for mention in (ours.mentions[k], theirs.mentions[r])]
            if any(labels):
                pairs.append((home, labels[0], labels[1]))
    if not pairs:
        return None
    known = sorted({label for _, *labels in pairs for label in labels})
    place = {label: number for number, label in enumerate(known)}
    sums = np.zeros((len(evaluation.documents), 2 + 2 * len(known)))
    for home, our, their in pairs:
        sums[home, [0, 2 + place[our], 2 + len(known) + place[their]]] += 1
        sums[home, 1] += our == their
    return sums


def kappa(sums: Floats) -> Floats:
    """Cohen's κ [...] of such sums [..., columns]: (observed − chance)/(1 − chance); 1 where chance is 1.

    >>> round(float(kappa(np.array([50, 35, 25, 25, 30, 20.0]))), 4)  # (.7 − .5)/(1 − .5)
    0.4
    """
    number = np.maximum(sums[..., 0], 1)
    ours, theirs = np.split(sums[..., 2:], 2, axis=-1)
    chance = (ours * theirs).sum(axis=-1) / number**2
    observed = sums[..., 1] / number
    kappas: Floats = np.divide(observed - chance, 1 - chance, out=np.ones_like(chance), where=chance < 1 - 1e-12)
    return kappas


# -- all pairs of annotators -------------------------------------------------------------------------------------------


ALPHA, KAPPA = "alpha ", "kappa "  # names of coefficients begin with these


class Measure(NamedTuple):
    """A number on how far annotators `a` and `b` agree; both are '' for a mean over all pairs, or α."""

    a: str
    b: str
    name: str
    value: float
    ci: Interval | None = None

    @property
    def cell(self) -> grid.Cell:
        """F1 in percent; α and κ, which can be negative, as they are."""
        return self._cell(self.value)

    @property
    def ends(self) -> tuple[grid.Cell, ...]:
        """The ends of the interval, shown as the value is."""
        return tuple(map(self._cell, self.ci)) if self.ci else (None, None)

    def _cell(self, value: float) -> grid.Cell:
        return grid.Number(value, f"{value + 0.0:.4f}") if self.name.startswith((ALPHA, KAPPA)) else value


class PairSums:
    """The sums of all pairs of annotators for each document, and the measures made from them."""

    def __init__(self, annotators: tuple[str, ...], evaluations: Evaluations, label: str, unit: str) -> None:
        self.annotators, self.label, self.unit = annotators, label, unit
        self.pairs = list(evaluations.values())
        self.alpha = alpha_sums(evaluations, len(annotators))
        self.labels = [label_sums(each, label) if label else None for each in self.pairs]
        self.empty = not self.alpha[:, 0].sum()
        self.reasons = [*self._reasons()]
        self.labels = [None if _one_label(each) else each for each in self.labels]

    def _reasons(self) -> Iterator[str]:
        """Why some measures are 0 or missing."""
        if self.empty:
            yield "α is not defined: nobody marked a mention"
        for (a, b), evaluation, labels in zip(combinations(self.annotators, 2), self.pairs, self.labels, strict=True):
            nothing = [name for name, counts in evaluation.counts.items() if not counts[:, 1::2].any()]
            if nothing:
                yield f"{a} and {b}: {', '.join(nothing)} is 0, as neither has anything that it counts"
            if _one_label(labels):
                yield f"{a} and {b}: κ is not defined, as all mentions that both have carry one label"

    @property
    def _tables(self) -> list[Floats]:
        """The sums of α and of each pair's labels."""
        return [self.alpha, *(each for each in self.labels if each is not None)]

    def names(self) -> list[tuple[str, str, str]]:
        """The pair of annotators and the name of each measure."""
        pairs = list(combinations(self.annotators, 2))
        metrics = self.pairs[0].protocol.metrics
        names = [(a, b, name) for a, b in pairs for name in metrics]
        labelled = [pair for pair, labels in zip(pairs, self.labels, strict=True) if labels is not None]
        names += [(a, b, KAPPA + self.label) for a, b in labelled]
        names += [("", "", name) for name in metrics]
        names += [("", "", ALPHA + name) for name in DISTANCES if not self.empty]
        return names + [("", "", KAPPA + self.label)] * bool(labelled)

    def measures(self) -> list[Measure]:
        """All measures that are defined."""
        f1 = np.array([[each[metric].f1 for metric in each.protocol.metrics] for each in self.pairs])
        rest = [table.sum(axis=0) for table in self._tables]
        named = zip(self.names(), self._values(f1, rest).tolist(), strict=True)
        return [Measure(*name, value) for name, value in named]

    def _values(self, f1: Floats, rest: Sequence[Floats]) -> Floats:
        """All numbers [..., numbers] from the f1 [..., pairs, metrics], the sums of α and of each pair's labels."""
        kappas = [kappa(each) for each in rest[1:]]
        columns = [f1.reshape(*f1.shape[:-2], -1), *(each[..., None] for each in kappas), f1.mean(axis=-2)]
        columns += [alphas(rest[0], len(self.annotators))] * (not self.empty)
        if kappas:
            columns.append(np.mean(kappas, axis=0)[..., None])
        return np.concatenate(columns, axis=-1)

    def _rows(self, units: Sequence[Sequence[int]]) -> tuple[Floats, list[int]]:
        """The sums of α and labels for groups of documents as columns of one array, and where each kind ends."""
        rows, ends = np.concatenate(self._tables, axis=1), np.cumsum([table.shape[1] for table in self._tables])
        return np.stack([rows[list(places)].sum(axis=0) for places in units]), ends.tolist()

    def no_intervals(self) -> list[str]:
        """Why there are no intervals, if there are none."""
        units = len(set(self.pairs[0].labels(self.unit)))
        why = f"with fewer than {LEAST} an interval shows little but which of them were drawn"
        return [f"no intervals: {number_of(units, 'unit')} ({self.unit}); {why}"] if units < LEAST else []

    def intervals(self, trials: int | None, seed: int) -> tuple[Resampling | None, Floats]:
        """The ends of the intervals of all numbers."""
        if self.no_intervals():
            return None, np.zeros((len(self.names()), 2))
        sample, resampling = checked_sample(self.pairs, self.unit, trials, seed)
        units = grouped(self.pairs[0].labels(self.unit))
        rows, ends = self._rows([units[name] for name in sorted(units)])
        other = Sample(rows[None], np.zeros(len(rows), np.int64), lambda sums: sums[..., 0, :])

        def values(scores: Floats, sums: Floats) -> Floats:
            return self._values(scores[..., 2], np.split(sums[..., 0, :], ends[:-1], axis=-1))

        number = resampling.trials
        observed = values(sample.values, other.values)
        left_out = values(significance.jackknife(sample), significance.jackknife(other))
        drawn = values(significance.bootstrap(sample, number, seed), significance.bootstrap(other, number, seed))
        return resampling, significance.bca(observed, drawn, left_out, other.strata)

    def groups(self, field: str) -> dict[str, tuple[Measure, ...]]:
        """The means of pairs and α in each group of documents."""
        labels = self.pairs[0].labels(field)  # groups follow the first annotator's files, for all pairs
        units = grouped(labels)
        scores = [each.by_group(labels) for each in self.pairs]
        metrics = self.pairs[0].protocol.metrics
        measures = {}
        for label, places in units.items():
            values = {metric: float(np.mean([each[label][metric].f1 for each in scores])) for metric in metrics}
            sums = self.alpha[places].sum(axis=0)
            if sums[0]:
                by_distance = alphas(sums, len(self.annotators)).tolist()
                values |= {ALPHA + name: alpha for name, alpha in zip(DISTANCES, by_distance, strict=True)}
            measures[label] = tuple(Measure("", "", name, value) for name, value in values.items())
        return measures


def _one_label(labels: Floats | None) -> bool:
    """Whether both annotators use only one label, the same one."""
    if labels is None:
        return False
    ours, theirs = np.split(labels[:, 2:].sum(axis=0), 2)
    return bool(((ours > 0) & (theirs > 0)).sum() == 1 and (ours > 0).sum() == (theirs > 0).sum() == 1)
