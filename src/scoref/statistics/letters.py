"""Letters beside scores: groups of systems that do not differ, their names, and what the letters mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count, islice

import numpy as np

from ..layout.grid import LETTERS


def groups(number: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Groups of things 0, 1, ...: two things share a group if and only if they are not different.

    Each pair that is not different and shares no group yet starts a new one, which all others that differ from none of
    its members join, in their order. So there are at most as many groups as pairs. (All maximal groups, as in Piepho
    2004, may be exponentially many.)

    >>> groups(3, [(0, 2)])
    [(0, 1), (1, 2)]
    """
    apart = np.zeros((number, number), np.bool_)
    for one, other in different:
        apart[one, other] = apart[other, one] = True
    alone = ~apart  # pairs that still need a group; each thing needs at least one
    members = []
    for one in range(number):
        for other in (*range(one + 1, number), one):
            if not alone[one, other]:
                continue
            group, able = [], ~(apart[one] | apart[other])
            for each in (one, other, *range(number)):
                if able[each] and each not in group:
                    group.append(each)
                    able &= ~apart[each]
            alone[np.ix_(group, group)] = False
            members.append(tuple(sorted(group)))
    return sorted(members)


def letters_of_groups() -> Iterator[str]:
    """The names of groups: a, b, ..., z, a2, b2, ...; not aa, which would be read as sharing the a of another."""
    yield from LETTERS
    for number in count(2):
        yield from (f"{letter}{number}" for letter in LETTERS)


def letters(f1: Mapping[str, float], different: Collection[tuple[str, str]], complete: bool) -> dict[str, str]:
    """The letters of each system, by its score: those that share one do not differ significantly; the best has an a.

    If the tests were not `complete`, but with the first system only, `*` marks those that differ from it.

    >>> letters({"A": 0.5, "B": 0.6, "C": 0.7}, [("A", "C")], complete=True)
    {'A': 'b', 'B': 'ab', 'C': 'a'}
    """
    if not complete:
        return {name: "*" * any(name == b for _, b in different) for name in f1}
    order = sorted(f1, key=lambda name: -f1[name])
    place = {name: rank for rank, name in enumerate(order)}
    alike = groups(len(f1), [(place[a], place[b]) for a, b in different])
    marks = [*islice(letters_of_groups(), len(alike))]
    between = "," if len(alike) > len(LETTERS) else ""
    return {
        name: between.join(mark for mark, group in zip(marks, alike, strict=True) if place[name] in group)
        for name in f1
    }


def meaning(marks: Sequence[Mapping[str, str]], level: str) -> str:
    """What the letters or stars beside scores mean; `level` is that of the tests, with their correction."""
    if {mark for each in marks for mark in each.values()} <= {"", "*"}:
        return f"* differs significantly from the first (p < {level})"
    return f"systems that share a letter do not differ significantly (p ≥ {level})"
