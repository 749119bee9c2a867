"""Random numbers that are the same in every version of Python: digests of a seed and a counter."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from typing import TypeVar

Thing = TypeVar("Thing")


class Dice:
    """Numbers that follow from a seed."""

    def __init__(self, seed: str) -> None:
        self.seed, self.count = seed, 0

    def below(self, most: int) -> int:
        """A number from 0 to below `most`.

        >>> dice = Dice("example")
        >>> [dice.below(6) for _ in range(5)]
        [2, 5, 1, 2, 1]
        """
        self.count += 1
        return int.from_bytes(sha256(f"{self.seed}:{self.count}".encode()).digest()[:8], "big") % most

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """Whether something happens that happens so often."""
        return self.below(100) < percent

    def one(self, things: Sequence[Thing]) -> Thing:
        """One of them."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """All of them in another order."""
        found: MutableSequence[Thing] = [*things]
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return [*found]
