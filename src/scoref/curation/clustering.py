"""Clusters from votes on pairs that may contradict each other: as few votes as possible are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

EXACT = 10  # nodes of a component up to which the best clusters are found by trying all

Signs = Mapping[tuple[int, int], int]  # of pairs of nodes, the lower one first: 1 together, 0 either way; others apart
Weights = Mapping[tuple[int, int], int]


def clusters(sizes: Sequence[int], signs: Signs) -> tuple[list[list[int]], set[int]]:
    """The clusters of nodes that break as few pairs as possible, and the nodes for which others break as few.

    A node stands for `sizes` things. Large components are built up greedily: then the nodes of broken pairs count as
    those that could be elsewhere.

    >>> clusters([1, 1, 1, 1], {(0, 1): 1, (1, 2): 1, (0, 2): 1})
    ([[0, 1, 2], [3]], set())
    >>> clusters([1, 1, 1], {(0, 1): 1, (1, 2): 1})  # which pair to break?
    ([[0], [1, 2]], {0, 1, 2})
    >>> clusters([2, 1, 1], {(0, 1): 1, (1, 2): 1})  # two pairs are more than one
    ([[0, 1], [2]], set())
    """
    found: list[list[int]] = []
    doubtful: set[int] = set()
    for component in _components(len(sizes), signs):
        weights = {(a, b): signs.get((a, b), -1) * sizes[a] * sizes[b] for a, b in combinations(component, 2)}
        some, unsure = (_exact if len(component) <= EXACT else _greedy)(component, weights)
        found += some
        doubtful |= unsure
    return sorted(found), doubtful


def _components(number: int, signs: Signs) -> list[list[int]]:
    """The nodes that can be together: in a cluster without pairs of sign 1 something is always broken."""
    of = list(range(number))

    def root(node: int) -> int:
        while of[node] != node:
            of[node] = of[of[node]]
            node = of[node]
        return node

    for (a, b), sign in signs.items():
        if sign > 0:
            of[root(a)] = root(b)
    groups: dict[int, list[int]] = {}
    for node in range(number):
        groups.setdefault(root(node), []).append(node)
    return [*groups.values()]


def _exact(nodes: Sequence[int], weights: Weights) -> tuple[list[list[int]], set[int]]:
    """All partitions, by dynamic programming over subsets; of several best ones the one with the smallest clusters."""
    place = {node: at for at, node in enumerate(nodes)}
    inner = [0] * (1 << len(nodes))
    pairs = {(place[a], place[b]): weight for (a, b), weight in weights.items()}
    for mask in range(1, len(inner)):
        low = (mask & -mask).bit_length() - 1
        rest = mask & (mask - 1)
        others = (at for at in range(len(nodes)) if rest >> at & 1)
        inner[mask] = inner[rest] + sum(pairs.get((min(low, at), max(low, at)), 0) for at in others)
    best, chosen, ways = [0] * len(inner), [0] * len(inner), [1] * len(inner)
    for mask in range(1, len(inner)):
        low = mask & -mask
        rest = mask ^ low
        most, number, pick = None, 0, low
        part = 0
        while True:  # parts of the rest, from none to all
            value = inner[part | low] + best[rest ^ part]
            if most is None or value > most:
                most, number, pick = value, 0, part | low
            if value == most:
                number += ways[rest ^ part]
            if part == rest:
                break
            part = (part - rest) & rest
        best[mask], ways[mask], chosen[mask] = most or 0, number, pick
    found, mask = [], len(inner) - 1
    while mask:
        found.append([node for at, node in enumerate(nodes) if chosen[mask] >> at & 1])
        mask ^= chosen[mask]
    return found, set(nodes) if ways[-1] > 1 else set()


def _greedy(nodes: Sequence[int], weights: Weights) -> tuple[list[list[int]], set[int]]:
    """The two clusters that gain most are joined, as long as anything is gained."""
    found = {node: [node] for node in nodes}
    gains: dict[int, dict[int, int]] = {node: {} for node in nodes}
    for (a, b), weight in weights.items():
        gains[a][b] = gains[b][a] = weight
    while True:
        best = max(
            ((gain, -a, -b) for a, each in gains.items() for b, gain in each.items() if a < b), default=(0, 0, 0)
        )
        if best[0] <= 0:
            break
        a, b = -best[1], -best[2]
        found[a] += found.pop(b)
        for other, gain in gains.pop(b).items():
            del gains[other][b]
            if other != a:
                gains[a][other] = gains[other][a] = gains[a].get(other, 0) + gain
    of = {node: at for at, each in enumerate(found.values()) for node in each}
    broken = {node for pair, weight in weights.items() if (weight > 0) != (of[pair[0]] == of[pair[1]]) for node in pair}
    return [sorted(each) for each in found.values()], broken
