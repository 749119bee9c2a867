"""What single mentions count, slowly: for each mention of a side a numerator and a denominator, in exact fractions.

Mentions are numbers in the order of the text; `ours` and `theirs` are entities, that of the mention, and its twin's.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from slow import Entities, Sums, entity_of

Numbered = Callable[[int, Entities, Entities], Sums]


def _sizes(mention: int, ours: Entities, theirs: Entities) -> tuple[int, int, int]:
    mine, other = entity_of(mention, ours), entity_of(mention, theirs)
    return len(mine), len(other), len(mine & other)


def mentions(mention: int, ours: Entities, theirs: Entities) -> Sums:
    return Fraction(bool(entity_of(mention, theirs))), Fraction(1)


def b3(mention: int, ours: Entities, theirs: Entities) -> Sums:
    k, _, n = _sizes(mention, ours, theirs)
    return Fraction(n, k), Fraction(1)


def muc(mention: int, ours: Entities, theirs: Entities) -> Sums:
    mine, other = entity_of(mention, ours), entity_of(mention, theirs)
    found = any(each < mention for each in mine & other)
    return Fraction(found), Fraction(mention != min(mine))


def lea(mention: int, ours: Entities, theirs: Entities) -> Sums:
    k, r, n = _sizes(mention, ours, theirs)
    if k == 1:
        return Fraction(n == r == 1), Fraction(1)
    return Fraction(max(n - 1, 0), k - 1), Fraction(1)


def pairwise(mention: int, ours: Entities, theirs: Entities) -> Sums:
    k, _, n = _sizes(mention, ours, theirs)
    return Fraction(max(n - 1, 0), 2), Fraction(k - 1, 2)


BY_MENTION: dict[str, Numbered] = {"mentions": mentions, "muc": muc, "b3": b3, "lea": lea, "pairwise": pairwise}
