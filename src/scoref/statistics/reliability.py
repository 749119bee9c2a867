"""Coefficients of agreement: Krippendorff's α over entities, Cohen's κ of the labels of mentions.

No side is the key here. Both are made from sums of documents, as scores are, so that intervals come from the same
resampling. α (Krippendorff 1980, Passonneau 2004) is computed of:

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
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..counting.table import Floats
from ..document.document import Document
from ..document.grouping import grouped
from ..matching.match import MATCHERS
from ..results.evaluation import Evaluation

Value = frozenset[Hashable]


# -- distances -------------------------------------------------------------------------------------------------------


def _overlap(common: int, ours: int, theirs: int) -> float:
    """1 for equal sets, 2/3 if one includes the other, 1/3 if they overlap, 0 if they do not (M of MASI)."""
    if common == ours == theirs:
        return 1.0
    return 2 / 3 if common in (ours, theirs) and common else 1 / 3 if common else 0.0


def _jaccard(common: int, ours: int, theirs: int) -> float:
    return common / (ours + theirs - common)


Likeness = Callable[[int, int, int], float]  # of the number of common elements, and of those of each set

LIKENESS: dict[str, Likeness] = {  # 1 minus the distance
    "masi": lambda *sizes: _jaccard(*sizes) * _overlap(*sizes),
    "jaccard": _jaccard,
    "passonneau": _overlap,
    "nominal": lambda common, ours, theirs: float(common == ours == theirs),
}
DISTANCES = {
    "masi": "Passonneau 2006",
    "jaccard": "Artstein & Poesio 2008",
    "passonneau": "Passonneau 2004",
    "nominal": "Krippendorff 1980",
}


# -- alpha -----------------------------------------------------------------------------------------------------------


def likeness_sums(values: Sequence[Sequence[Value]]) -> Floats:
    """What α is made of, for one document: its units, and for each distance two sums of likeness.

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
    for like in LIKENESS.values():
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
    share: Floats = np.divide(top, bottom, out=np.ones_like(top), where=bottom > 0)
    return share


def alpha_sums(evaluations: Mapping[tuple[int, int], Evaluation], annotators: int) -> Floats:
    """The sums of each document (of each group of documents that is scored as one), [documents, 1 + 2 · distances].

    `evaluations` are those of all pairs of annotators, by their numbers.
    """
    first = evaluations[0, 1]
    homes = first.evidence.homes
    units: list[list[list[Hashable]]] = [[] for _ in range(annotators)]
    for number in range(len(homes)):
        for annotator, each in enumerate(_units(evaluations, annotators, number)):
            units[annotator].append(each)
    sums = np.zeros((len(first.documents), 1 + 2 * len(LIKENESS)))
    for home, places in grouped(homes).items():
        sums[home] = likeness_sums(_values(evaluations, units, places))
    return sums


def _side(evaluations: Mapping[tuple[int, int], Evaluation], annotator: int, number: int) -> Document:
    """A document as an annotator has it and as it is scored."""
    ours, theirs, _ = evaluations[(0, annotator) if annotator else (0, 1)].evidence.aligned[number]
    return theirs if annotator else ours


def _units(evaluations: Mapping[tuple[int, int], Evaluation], annotators: int, number: int) -> list[list[Hashable]]:
    """For each annotator the unit of each mention of a document.

    A mention is the unit of its twin: the mention that the first of the annotators before has of it. Occurrences of a
    mention in several entities are one unit.
    """
    units: list[list[Hashable]] = []
    identity = MATCHERS[evaluations[0, 1].protocol.matching.match].identity
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
    evaluations: Mapping[tuple[int, int], Evaluation], units: list[list[list[Hashable]]], places: Sequence[int]
) -> list[list[Value]]:
    """For each annotator the value of each unit of some documents, which are scored as one."""
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


class LabelSums(NamedTuple):
    """The labels that aligned mentions of two annotators have: [documents, 2 + 2 · labels].

    The columns are aligned mentions, those with the same label, and those of each annotator with each label.
    """

    known: tuple[str, ...]
    sums: Floats


def label_sums(evaluation: Evaluation, field: str) -> LabelSums | None:
    """The labels of the mentions that both annotators have; None if no mention has one."""
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
    return LabelSums(tuple(known), sums)


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
