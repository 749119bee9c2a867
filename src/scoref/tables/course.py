"""How far the scoring of tables is: which stage of how many, and what share of all the work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..processes import Progress

Watch = Callable[[float], None] | None  # is told what share of the running stage is done

# The stages, and what share of the time each takes, about, as a hundred million mentions were measured.
JOIN, SIZES, SHAPES, ALIGN = "joining the tables", "sizes of entities", "shapes of cells", "aligning for"
_SHARES = {JOIN: 56, SIZES: 12, SHAPES: 8, ALIGN: 12}


class Course:
    """Tells how much of all stages is done, in hundredths that never fall.

    >>> course = Course(["ceafe"], lambda *said: print(*said))
    stage 1 of 4, joining the tables 0 100
    >>> course.within(0.5)
    stage 1 of 4, joining the tables 31 100
    >>> course.next()
    stage 2 of 4, sizes of entities 63 100
    """

    def __init__(self, aligned: Iterable[str], progress: Progress) -> None:
        self._stages = [(name, _SHARES[name]) for name in (JOIN, SIZES, SHAPES)]
        self._stages += [(f"{ALIGN} {name}", _SHARES[ALIGN]) for name in aligned]
        self._tell, self._at, self._done = progress, 0, 0
        self.within(0.0)

    def next(self) -> None:
        """The running stage is done."""
        self._at += 1
        self.within(0.0)

    def within(self, share: float) -> None:
        """So much of the running stage is done."""
        if not self._tell:
            return
        place = min(self._at, len(self._stages) - 1)
        name, running = self._stages[place]
        done = sum(weight for _, weight in self._stages[: self._at]) + share * running * (place == self._at)
        whole = sum(weight for _, weight in self._stages)
        self._done = max(self._done, int(100 * done / whole))
        self._tell(f"stage {place + 1} of {len(self._stages)}, {name}", self._done, 100)
