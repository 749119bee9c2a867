"""The choices on how counts become scores."""

from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice
from ..relations.registry import LINKS

BLANC, OF_METRICS, OF_DOCUMENTS = "blanc", "averages", "means over documents"  # what these choices concern

_LINKS = "BLANC: which kinds of links it leaves out"
_EMPTY = "documents in which there is nothing to count: left out of means, or counted as 0"
_AVERAGE = "over documents: sums, the mean of their scores, or as other tools have it"
_AVERAGES = ("micro", "macro", "means", "weighted", "datasets")
_DIGITS = "averages of exact scores, or of percentages that were rounded or cut off"
_ROUNDED = ("exact", "cut-2", "round-2", "round-1")


class Averaging(NamedTuple):
    """What counts of documents are made into; all but `empty` can be changed when everything is counted."""

    empty: Annotated[str, Choice(_EMPTY, ("skip", "count"), 18, BETWEEN, before="count", concerns=OF_DOCUMENTS)] = (
        "skip"
    )
    links: Annotated[str, Choice(_LINKS, LINKS, 23, FIRST, concerns=BLANC)] = "key"
    average: Annotated[str, Choice(_AVERAGE, _AVERAGES, 25, FIRST)] = "micro"
    digits: Annotated[str, Choice(_DIGITS, _ROUNDED, 27, SECOND, concerns=OF_METRICS)] = "exact"
