"""Slow versions of what is no metric of the conformance suite: clusterings as wholes, weights, overlapping entities.

The metrics themselves are in `conformance/suite/literal.py`; their names are here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations
from math import log, sqrt

from suite.literal import (
    BORDERS,
    METRICS,
    PLAIN,
    TWINLESS,
    VARIANTS,
    Documents,
    Entities,
    Score,
    Sums,
    _best,
    b3,
    counts,
    entities,
    entity_of,
    lea,
    mean,
    members,
    phi4,
    ratios,
    score,
)  # fmt: skip

__all__ = ["BORDERS", "METRICS", "PLAIN", "TWINLESS", "VARIANTS", "WHOLE", "b3", "counts", "entities", "mean", "score"]

# -- clusterings as wholes: all documents together, mentions that both sides have --------------------------------------


def _labels(documents: Documents) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """For each mention that both sides have, its key and its response entity."""
    found = []
    for number, (key, response) in enumerate(documents):
        ours, theirs = ({m: e for e, entity in enumerate(side) for m in entity} for side in (key, response))
        found += [((number, ours[mention]), (number, theirs[mention])) for mention in ours if mention in theirs]
    return found


def ari(documents: Documents) -> float:
    """Hubert & Arabie 1985, by looking at every pair of mentions."""
    labels = _labels(documents)
    if not labels:
        return 0.0
    pairs = [(a[0] == b[0], a[1] == b[1]) for a, b in combinations(labels, 2)]
    both, ours, theirs = sum(a and b for a, b in pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
    chance = Fraction(ours * theirs, len(pairs)) if pairs else Fraction()
    most = Fraction(ours + theirs, 2) - chance
    return float((both - chance) / most) if most else 1.0


def cc(documents: Documents) -> float:
    """Gösgens et al. 2021: the correlation of pairs that are together, by looking at every pair of mentions."""
    pairs = [(a[0] == b[0], a[1] == b[1]) for a, b in combinations(_labels(documents), 2)]
    n11, n10, n01, n00 = (pairs.count(each) for each in ((True, True), (True, False), (False, True), (False, False)))
    below = (n11 + n10) * (n11 + n01) * (n00 + n10) * (n00 + n01)
    return (n11 * n00 - n10 * n01) / sqrt(below) if below else 0.0


def _entropy(labels: list[object]) -> float:
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * log(share) for share in shares)


def _conditional(labels: list[object], given: list[object]) -> float:
    total = 0.0
    for each in set(given):
        some = [label for label, other in zip(labels, given, strict=True) if other == each]
        total += len(some) / len(labels) * _entropy(some)
    return total


def v_measure(documents: Documents) -> tuple[float, float, float]:
    """Rosenberg & Hirschberg 2007: completeness, homogeneity, V."""
    labels = _labels(documents)
    if not labels:
        return 0.0, 0.0, 0.0
    ours, theirs = [a for a, _ in labels], [b for _, b in labels]
    entropies = _entropy(ours), _entropy(theirs)
    homogeneity = 1 - _conditional(ours, theirs) / entropies[0] if entropies[0] > 1e-12 else 1.0
    completeness = 1 - _conditional(theirs, ours) / entropies[1] if entropies[1] > 1e-12 else 1.0
    total = homogeneity + completeness
    return completeness, homogeneity, 2 * homogeneity * completeness / total if total else 0.0


def major(key: Entities, response: Entities, frequent: int, by_size: bool) -> list[Score]:
    """Recall, precision and f1 of major entities, for each best pairing of them with response entities."""
    large = [entity for entity in key if len(entity) >= frequent]
    weights = [Fraction(len(entity) if by_size else 1) for entity in large]
    if not large:
        return [(Fraction(), Fraction(), Fraction())]
    free: Entities = [*response, *[frozenset()] * len(large)]
    found: dict[Fraction, list[Score]] = {}
    for chosen in permutations(range(len(free)), len(large)):
        pairs = [(entity, free[place]) for entity, place in zip(large, chosen, strict=True)]
        shared = [len(a & b) for a, b in pairs]
        f1 = [phi4(a, b) for a, b in pairs]
        recall = [Fraction(n, len(a)) for n, (a, _) in zip(shared, pairs, strict=True)]
        precision = [Fraction(n, len(b)) if b else Fraction() for n, (_, b) in zip(shared, pairs, strict=True)]
        means = [
            sum((w * value for w, value in zip(weights, each, strict=True)), Fraction()) / sum(weights)
            for each in (recall, precision, f1)
        ]
        found.setdefault(sum(f1, Fraction()), []).append((means[0], means[1], means[2]))
    return found[max(found)]


def detection(documents: Documents) -> tuple[Fraction, Fraction, Fraction]:
    """Luiten et al. 2021, DetRe, DetPr, DetA: mentions that both sides have (TP), that one has (FN, FP)."""
    both = [[members(entities(side)) for side in pair] for pair in documents]
    tp = sum(len(key & response) for key, response in both)
    fn, fp = sum(len(key - response) for key, response in both), sum(len(response - key) for key, response in both)
    recall, precision, jaccard = (
        Fraction(tp, each) if each else Fraction() for each in (tp + fn, tp + fp, tp + fn + fp)
    )
    return recall, precision, jaccard


def association(documents: Documents) -> tuple[Fraction, Fraction, Fraction]:
    """Luiten et al. 2021, AssRe, AssPr, AssA: for each mention that both sides have TPA, FNA and FPA; their mean."""
    shares: list[tuple[Fraction, Fraction, Fraction]] = []
    for key, response in (map(entities, pair) for pair in documents):
        for mention in members(key) & members(response):
            ours, theirs = entity_of(mention, key), entity_of(mention, response)
            tpa, fna, fpa = len(ours & theirs), len(ours - theirs), len(theirs - ours)
            shares.append((Fraction(tpa, tpa + fna), Fraction(tpa, tpa + fpa), Fraction(tpa, tpa + fna + fpa)))
    return mean(shares) if shares else (Fraction(), Fraction(), Fraction())


def hota(documents: Documents) -> tuple[float, ...]:
    """The roots of the products of recalls, precisions, values."""
    both = zip(detection(documents), association(documents), strict=True)
    return tuple(sqrt(of_mentions * of_links) for of_mentions, of_links in both)


WHOLE: dict[str, Callable[[Entities, Entities, int], list[tuple[float | Fraction, ...]]]] = {
    "ari": lambda key, response, frequent: [(ari([(key, response)]),) * 3],
    "cc": lambda key, response, frequent: [(cc([(key, response)]),) * 3],
    "v-measure": lambda key, response, frequent: [v_measure([(key, response)])],
    "deta": lambda key, response, frequent: [detection([(key, response)])],
    "assa": lambda key, response, frequent: [association([(key, response)])],
    "entities-macro": lambda key, response, frequent: [*major(key, response, frequent, False)],
    "entities-micro": lambda key, response, frequent: [*major(key, response, frequent, True)],
}


def possible(name: str, key: Entities, response: Entities, frequent: int = 5) -> list[tuple[float, ...]]:
    """What any metric may give for one document: there may be several best pairings of major entities."""
    if name in WHOLE:
        found = WHOLE[name](key, response, frequent)
    elif name in BORDERS or name in OVERLAPPING:
        function = (BORDERS | OVERLAPPING)[name]
        found = [ratios([*function(key, response), *function(response, key)])]
    else:
        found = [score(name, [(key, response)])]
    return [tuple(map(float, each)) for each in found]


# -- weights -----------------------------------------------------------------------------------------------------------


def weighted(name: str, key: Entities, response: Entities, weights: dict[int, Fraction]) -> Sums:
    """B³, CEAF and LEA where mentions have weights."""

    def size(mentions: Iterable[int]) -> Fraction:
        return sum((weights[mention] for mention in mentions), Fraction())

    if name == "b3":
        shares = [
            weights[m] * size(entity_of(m, key) & entity_of(m, response)) / size(entity_of(m, key))
            for m in members(key)
        ]
        return sum(shares, Fraction()), size(members(key))
    if name == "ceafm":
        return _best(key, response, lambda a, b: size(a & b)), size(members(key))
    if name == "ceafe":
        return _best(key, response, lambda a, b: 2 * size(a & b) / (size(a) + size(b))), Fraction(len(key))
    total = Fraction()  # LEA: the importance of an entity is its weight
    for entity in key:
        found, every = lea([entity], response)
        total += size(entity) * found / every
    return total, size(members(key))


def b3_extended(key: Entities, response: Entities) -> Sums:
    """Amigó et al. 2009, extended BCubed recall: by the numbers of key and of response entities that mentions share."""

    def shared(side: Entities, one: int, other: int) -> int:
        return sum({one, other} <= entity for entity in side)

    total, every = Fraction(), members(key)
    for one in every:
        others = [other for other in every if shared(key, one, other)]
        total += sum(
            Fraction(min(shared(key, one, other), shared(response, one, other)), shared(key, one, other))
            for other in others
        ) / len(others)
    return total, Fraction(len(every))


OVERLAPPING: dict[str, Callable[[Entities, Entities], Sums]] = {"b3-extended": b3_extended}


def overlapping(key: Entities, response: Entities) -> dict[str, list[Fraction]]:
    """What Zhou & Choi (2018) count of entities that overlap: recall and precision, numerators and denominators."""

    def companions(mention: int, side: Entities) -> frozenset[int]:
        return frozenset().union(*(entity for entity in side if mention in entity))

    def links(side: Entities) -> set[frozenset[int]]:
        return {frozenset(pair) for entity in side for pair in combinations(entity, 2)}

    both = [(companions(mention, key), companions(mention, response)) for mention in members(response)]
    recall = sum((Fraction(len(ours & theirs), len(ours)) for ours, theirs in both if ours), Fraction(0))
    precision = sum((Fraction(len(ours & theirs), len(theirs)) for ours, theirs in both), Fraction(0))
    ours, theirs = links(key), links(response)
    every = {frozenset(pair) for pair in combinations(members(key) | members(response), 2)}
    counts = {
        "b3": [recall, len(both), precision, len(both)],
        "pairwise": [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)],
        "nonlinks": [len(every - ours - theirs), len(every - ours), len(every - ours - theirs), len(every - theirs)],
    }
    return {name: [Fraction(number) for number in numbers] for name, numbers in counts.items()}
