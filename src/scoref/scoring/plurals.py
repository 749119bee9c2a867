"""Metrics on entities that overlap: plural mentions stand in the entity of each member (Zhou & Choi 2018).

The table of shared mentions is not enough here, as a mention counts once however many entities it stands in. These are
the numbers of the authors' own evaluators; their CEAFe is that of the table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations

import numpy as np

from ..model import Document
from .lookup import Lookups
from .table import Floats

Node = tuple[int, Hashable]
Chains = dict[Hashable, set[Node]]


def b3(key: Chains, response: Chains) -> list[float]:
    """B³ over the mentions of the response: the share of all that their entities have in common, of the key's or not.

    Recall has the mentions of the response as denominator too, as the authors have it.
    """
    ours, theirs = _together(key), _together(response)
    common = {node: len(ours.get(node, set()) & theirs[node]) for node in theirs}
    recall = sum(number / len(ours[node]) for node, number in common.items() if number)
    precision = sum(number / len(theirs[node]) for node, number in common.items())
    return [recall, len(theirs), precision, len(theirs)]


def pairwise(key: Chains, response: Chains) -> list[float]:
    """Pairs of mentions that stand together in some entity."""
    ours, theirs = _links(key), _links(response)
    common = len(ours & theirs)
    return [common, len(ours), common, len(theirs)]


def nonlinks(key: Chains, response: Chains) -> list[float]:
    """Pairs of mentions of key or response that stand together in no entity."""
    ours, theirs = _links(key), _links(response)
    number = len(set().union(*key.values(), *response.values()))
    pairs = number * (number - 1) // 2
    common = pairs - len(ours | theirs)
    return [common, pairs - len(ours), common, pairs - len(theirs)]


OVERLAPPING = {"b3": b3, "pairwise": pairwise, "nonlinks": nonlinks}
DEFINED = ("ceafm", "ceafe", *OVERLAPPING)  # what can be scored where entities overlap


def overlapping_counts(
    name: str, aligned: Iterable[tuple[Document, Document, Lookups]], homes: Sequence[int]
) -> Floats:
    """For each of `homes` recall numerator and denominator, precision numerator and denominator."""
    chains: list[tuple[Chains, Chains]] = [({}, {}) for _ in set(homes)]
    for number, (key, response, found) in enumerate(aligned):
        here = chains[homes[number]]
        names = key.identities()
        nodes: dict[int, Hashable] = {r: ("key", names[k]) for k, r in zip(*found.precision, strict=True)}
        for k, mention in enumerate(key.mentions):
            here[0].setdefault(mention.entity, set()).add((number, ("key", names[k])))
        for r, name_there in enumerate(response.identities()):
            node = nodes.get(r, ("response", name_there))
            here[1].setdefault(response.mentions[r].entity, set()).add((number, node))
    return np.array([OVERLAPPING[name](*each) for each in chains], np.float64).reshape(len(chains), 4)


def _together(chains: Chains) -> dict[Node, set[Node]]:
    """For each mention all that stand in one of its entities, itself included."""
    found: dict[Node, set[Node]] = {}
    for chain in chains.values():
        for node in chain:
            found[node] = found.get(node, set()) | chain
    return found


def _links(chains: Chains) -> set[frozenset[Node]]:
    return {frozenset(pair) for chain in chains.values() for pair in combinations(chain, 2)}
