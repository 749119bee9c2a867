"""Letters beside scores: groups of systems that do not differ, and the names of groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count, product

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
    """The names of groups: a, b, ..., z, aa, ab, ..."""
    for length in count(1):
        yield from map("".join, product(LETTERS, repeat=length))
