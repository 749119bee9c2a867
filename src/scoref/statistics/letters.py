"""Letters beside scores: groups of systems that do not differ, and the names of groups."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count, product

import numpy as np

from ..layout.grid import LETTERS


def groups(number: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Groups of things, numbered from 0: two share one exactly if they are not different; in the order of members.

    For each pair that is not different and has no group yet there is a new one, of these two and all that can join
    them, first things first; so there are at most as many groups as pairs. (All largest groups, as Piepho 2004 makes
    them, may be exponentially many.)

    >>> groups(3, [(0, 2)])
    [(0, 1), (1, 2)]
    """
    apart = np.zeros((number, number), np.bool_)
    for one, other in different:
        apart[one, other] = apart[other, one] = True
    alone = ~apart  # those that still need a group together; each thing needs one at least
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
