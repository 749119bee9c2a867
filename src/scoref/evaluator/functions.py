"""The functions that evaluators are made of in other projects: numerators and denominators of one document.

A map from mentions says for each the entity that it is in: the entity itself, as in most projects, or its number.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any

from ..document.clusters import Clusters
from ..protocol.protocol import Protocol
from ..run.scorer import Scorer

Map = Mapping[Any, object]


def muc(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of MUC: of precision for predicted clusters, of recall for gold ones and their map.

    >>> muc([["a", "b", "c"]], {"a": 0, "b": 0, "c": 1})
    (1.0, 2.0)
    """
    return _one_way("muc", clusters, mention_to_gold, protocol)


def b_cubed(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of B³.

    >>> b_cubed([["a", "b"], ["c"]], {"a": 0, "b": 0, "c": 1})
    (3.0, 3.0)
    >>> b_cubed([["a", "b"], ["c"]], {"a": 0, "b": 0, "c": 1}, protocol="e2e")
    (2.0, 2.0)
    """
    return _one_way("b3", clusters, mention_to_gold, protocol)


def lea(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of LEA.

    >>> lea([["a", "b", "c"]], {"a": 0, "b": 0, "c": 1})
    (1.0, 3.0)
    """
    return _one_way("lea", clusters, mention_to_gold, protocol)


def ceafe(
    clusters: Clusters, gold_clusters: Clusters, protocol: str | Protocol = "conll-2012"
) -> tuple[float, float, float, float]:
    """Numerator and denominator of precision, then of recall, of CEAFe.

    >>> ceafe([["a", "b"], ["c"]], [["a", "b"]])
    (1.0, 2.0, 1.0, 1.0)
    """
    scorer = Scorer(protocol, ["ceafe"])
    scorer.update(gold_clusters, clusters)
    recall, entities, precision, others = scorer.compute().counts["ceafe"][0].tolist()
    return precision, others, recall, entities


def phi4(c1: Collection[Hashable], c2: Collection[Hashable]) -> float:
    """How similar two entities are: twice the mentions that they share, among those of both.

    >>> phi4(["a", "b"], ["a"])
    0.6666666666666666
    """
    shared = sum(mention in c2 for mention in c1)
    return 2 * shared / (len(c1) + len(c2))


def f1(p_num: float, p_den: float, r_num: float, r_den: float, beta: float = 1) -> float:
    """The harmonic mean of precision and recall; recall weighs `beta` times as much. 0 where nothing can be divided.

    >>> f1(1, 2, 1, 1)
    0.6666666666666666
    """
    return f_score(p_num / p_den if p_den else 0.0, r_num / r_den if r_den else 0.0, beta)


def f_score(precision: float, recall: float, beta: float) -> float:
    """The harmonic mean of two scores."""
    weighed = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighed if weighed else 0.0


def _one_way(metric: str, clusters: Clusters, others: Map, protocol: str | Protocol) -> tuple[float, float]:
    """What recall has if these clusters are the key."""
    scorer = Scorer(protocol, [metric])
    scorer.update(clusters, _gathered(others))
    numerator, denominator = scorer.compute().counts[metric][0, :2].tolist()
    return numerator, denominator


def _gathered(owners: Map) -> list[list[Hashable]]:
    """The clusters that a map from mentions to their clusters, or to the numbers of these, is made of."""
    found: dict[object, list[Hashable]] = {}
    for mention, owner in owners.items():
        name = id(owner) if isinstance(owner, list | set) else owner
        found.setdefault(name, []).append(mention)
    return [*found.values()]
