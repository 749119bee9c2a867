"""The choices on how counts become scores."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice
from ..counting.metrics import LINKS

_EMPTY = "documents in which there is nothing to count: left out of means, or counted as 0"
_AVERAGE = "over documents: sums, the mean of their scores, or as other tools have it"
_AVERAGES = ("micro", "macro", "means", "weighted", "datasets")
_DIGITS = "averages of exact scores, or of percentages that were rounded or cut off"
_ROUNDED = ("exact", "cut-2", "round-2", "round-1")


class Averaging(NamedTuple):
    """What counts of documents are made into; all but `empty` can be changed when everything is counted."""

    empty: Annotated[str, Choice(_EMPTY, ("skip", "count"), 18, BETWEEN, before="count")] = "skip"
    links: Annotated[str, Choice("BLANC: which kinds of links it leaves out", LINKS, 23, FIRST)] = "key"
    average: Annotated[str, Choice(_AVERAGE, _AVERAGES, 25, FIRST)] = "micro"
    digits: Annotated[str, Choice(_DIGITS, _ROUNDED, 27, SECOND)] = "exact"
