"""Special rules of other scorers, kept out of the general loop over metrics.

A rule gives the counts of a metric, or None if it does not apply. A correction counts scopes with repeated mentions
again.

Where entities overlap, as plural mentions are in the entity of each member (Zhou & Choi 2018), the table of shared
mentions is not enough: a mention counts once, however many entities it is in. The counts are those of the authors' own
evaluators; their CEAFe is that of the table. They build sets of all pairs of mentions. But it is enough to know how
many *companions* each mention has, mentions in one of its entities: in the key, in the response and in both. Mentions
that are in the same entities have the same companions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import product

import numpy as np

from ..pairing.scope import cut
from ..values import NamedTuple
from .corpus import Corpus, corpus
from .metrics import Links, Metric, OneToOne, PerEntity, counted
from .table import Floats

Node = tuple[int, Hashable]
Chains = dict[Hashable, set[Node]]
Kind = tuple[frozenset[int], frozenset[int]]  # the entities of key and response that a mention is in


def links_at_borders(metric: Metric, whole: Corpus, credit: str, twinless: str) -> Floats | None:
    """The counts of links within documents, or of those that cross their borders, for each group of documents."""
    how = metric.on_table
    parts = [(cut(key), cut(response), lookups) for key, response, lookups in whole.aligned]
    apart = corpus(parts, range(len(parts)))
    within = np.zeros((len(set(whole.homes)), 4))
    counts = counted(how, apart.of(metric, credit), twinless).documents
    np.add.at(within, [*whole.homes], counts)
    if isinstance(how, Links) and how.borders == "within":
        return within
    return counted(how, whole.of(metric, credit), twinless).documents - within


# -- entities that overlap ---------------------------------------------------------------------------------------------


class Companions(NamedTuple):
    """How many mentions there are of a kind, and the companions of each, itself included; 0 if it is in no entity."""

    mentions: int
    key: int
    response: int
    both: int


def b3_overlapping(found: list[Companions]) -> list[float]:
    """B³ over the mentions of the response: companions on both sides, as a share of those in the key or response.

    As in the authors' evaluator, the denominator of recall is the number of response mentions, too.
    """
    there = [each for each in found if each.response]
    recall = math.fsum(each.mentions * each.both / each.key for each in there if each.both)
    precision = math.fsum(each.mentions * each.both / each.response for each in there)
    number = sum(each.mentions for each in there)
    return [recall, number, precision, number]


def links_overlapping(found: list[Companions]) -> list[float]:
    """Pairs of mentions that are together in some entity."""
    key, response, common = _pairs(found)
    return [common, key, common, response]


def nonlinks_overlapping(found: list[Companions]) -> list[float]:
    """Pairs of mentions of key or response that are together in no entity."""
    key, response, common = _pairs(found)
    number = sum(each.mentions for each in found)
    pairs = number * (number - 1) // 2
    left = pairs - (key + response - common)
    return [left, pairs - key, left, pairs - response]


def is_defined(metric: Metric) -> bool:
    """Whether a metric is defined where entities overlap; CEAF is, as it needs only the table."""
    how = metric.on_table
    if isinstance(how, PerEntity):
        return how.overlapping is not None or how.rules.repeated == "all"
    return isinstance(how, OneToOne) and how.rules.twinless is None


def distributed(metric: Metric, corpus: Corpus, credit: str, twinless: str) -> Floats | None:
    """The counts of a metric for overlapping entities, for each scope; None if it has no such rule."""
    how = metric.how
    if not isinstance(how, PerEntity) or how.overlapping is None:
        return None
    overlapping = how.overlapping
    return _each_scope(corpus, lambda kinds: overlapping(_companions(kinds)))


def extended(metric: Metric, corpus: Corpus, credit: str, twinless: str) -> Floats | None:
    """The counts of extended B³ for each scope; None if no mention is in several entities, and there are no sets."""
    repeats = any(side.repeats(corpus.places) for *sides, _ in corpus.aligned for side in sides)
    if not (repeats or corpus.sets.key.sets or corpus.sets.response.sets):
        return None
    return _each_scope(corpus, _b3_extended)


def _each_scope(corpus: Corpus, count: Callable[[Counter[Kind]], list[float]]) -> Floats:
    """What a function counts in the mentions of each scope, [scopes, 4]; it takes the number of mentions by kind."""
    chains: list[tuple[Chains, Chains]] = [({}, {}) for _ in set(corpus.homes)]
    for number, (key, response, lookups) in enumerate(corpus.aligned):
        here = chains[corpus.homes[number]]
        names = key.identities(corpus.places)
        nodes: dict[int, Hashable] = {r: ("key", names[k]) for k, r in zip(*lookups.precision, strict=True)}
        for k, mention in enumerate(key.mentions):
            here[0].setdefault(mention.entity, set()).add((number, ("key", names[k])))
        for r, name_there in enumerate(response.identities(corpus.places)):
            node = nodes.get(r, ("response", name_there))
            here[1].setdefault(response.mentions[r].entity, set()).add((number, node))
    return np.array([count(_kinds(each)) for each in chains], np.float64).reshape(len(chains), 4)


def _pairs(found: list[Companions]) -> list[int]:
    """How many pairs of companions there are in the key, in the response and in both."""
    return [sum(each.mentions * max(0, each[side] - 1) for each in found) // 2 for side in (1, 2, 3)]


def _kinds(chains: tuple[Chains, Chains]) -> Counter[Kind]:
    """How many mentions are in the same entities, on both sides."""
    stands: dict[Node, tuple[set[int], set[int]]] = {}
    for side in (0, 1):
        for entity, chain in enumerate(chains[side].values()):
            for node in chain:
                stands.setdefault(node, (set(), set()))[side].add(entity)
    return Counter((frozenset(key), frozenset(response)) for key, response in stands.values())


def _b3_extended(kinds: Counter[Kind]) -> list[float]:
    """Extended B³: mentions that share entities on both sides, as far as they share as many on the other.

    Two mentions that share k key entities and r response entities count min(k, r)/k for recall. A mention has the mean
    of that over its companions in the key, itself included; only those of which r is not 0 have to be looked at.
    """
    there: dict[tuple[int, int], list[Kind]] = {}
    for kind in kinds:
        for pair in product(*kind):
            there.setdefault(pair, []).append(kind)
    counts = []
    for side in (0, 1):
        entities, found = _OverlappingEntities(kinds, side), []
        for kind, number in kinds.items():
            alike = dict.fromkeys(other for pair in product(*kind) for other in there[pair])
            if alike:
                largest, rest = entities.parts(kind)
                both = ((each, len(each[side] & kind[side]), len(each[1 - side] & kind[1 - side])) for each in alike)
                shared = math.fsum(kinds[each] * min(own, other) / own for each, own, other in both)
                found.append(number * shared / (entities.size[largest] + sum(kinds[each] for each in rest)))
        counts += [math.fsum(found), float(sum(number for kind, number in kinds.items() if kind[side]))]
    return counts


def _companions(kinds: Counter[Kind]) -> list[Companions]:
    """The companions of each kind of mention. The largest entity is counted as a whole, others kind by kind."""
    sides = [_OverlappingEntities(kinds, side) for side in (0, 1)]
    shared: Counter[tuple[int, ...]] = Counter()
    for kind, number in kinds.items():
        for pair in product(*kind):
            shared[pair] += number
    found = []
    for kind, number in kinds.items():
        (key, key_rest), (response, response_rest) = (side.parts(kind) for side in sides)
        found.append(Companions(
            number,
            sides[0].size[key] + sum(kinds[each] for each in key_rest),
            sides[1].size[response] + sum(kinds[each] for each in response_rest),
            shared[key, response]
            + sum(kinds[each] for each in key_rest if not each[1].isdisjoint(kind[1]))
            + sum(kinds[each] for each in response_rest if key in each[0]),
        ))  # fmt: skip
    return found


class _OverlappingEntities:
    """The entities of key or response, with the kinds of mentions that are in them."""

    def __init__(self, kinds: Counter[Kind], side: int) -> None:
        self._side = side
        self._kinds: dict[int, list[Kind]] = {}
        self.size: Counter[int] = Counter()
        for kind, number in kinds.items():
            for entity in kind[side]:
                self._kinds.setdefault(entity, []).append(kind)
                self.size[entity] += number

    def parts(self, kind: Kind) -> tuple[int, set[Kind]]:
        """The largest entity of this kind, -1 if there is none, and the kinds that only its other entities have."""
        largest = max(kind[self._side], key=self.size.__getitem__, default=-1)
        others = (each for entity in kind[self._side] if entity != largest for each in self._kinds[entity])
        return largest, {each for each in others if largest not in each[self._side]}


# -- which rules there are: modules that few evaluations need are imported when a rule is asked for --------------------


def _sets_only(metric: Metric, corpus: Corpus, credit: str, twinless: str) -> Floats | None:
    from .split import sets_only

    return sets_only(metric, corpus, credit, twinless)


def _recounted(corpus: Corpus, scopes: list[int]) -> dict[str, Floats]:
    from .repeated import recounted

    return recounted(corpus, scopes)


# Rules by the value of `split` that asks for them, or by the way of counting, or of repeated mentions, they are for.
RULES: dict[str | type, Callable[[Metric, Corpus, str, str], Floats | None]] = {
    "only": _sets_only,
    "distribute": distributed,
    Links: links_at_borders,
    "all": extended,
}

# Corrections by the value of `Preparing.owner`: they give the counts [scopes, 4] of some metrics and scopes.
CORRECTIONS: dict[str, Callable[[Corpus, list[int]], dict[str, Floats]]] = {"reference": _recounted}
