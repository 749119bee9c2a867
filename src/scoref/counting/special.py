"""The special rules that other scorers have, in the order in which they are asked: the loop over metrics knows none.

A rule gives the counts of a metric, or None where it is not concerned. A correction counts some documents anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import borders, plurals, repeated, split
from .corpus import Corpus, CountingChoices
from .metrics import Metric
from .table import Floats

RULES: tuple[Callable[[Metric, Corpus, CountingChoices], Floats | None], ...] = (
    split.sets_only,
    plurals.distributed,
    borders.links_at_borders,
)


class Correction(NamedTuple):
    """What some documents count in some metrics: where it is needed, and the counts [documents, 4] of each metric."""

    name: str
    documents: Callable[[Corpus, CountingChoices], list[int]]
    counts: Callable[[Corpus, list[int]], dict[str, Floats]]


CORRECTIONS = (Correction("repeated", repeated.with_repeated, repeated.recounted),)


def special_counts(metric: Metric, corpus: Corpus, choices: CountingChoices) -> Floats | None:
    """The counts of the first rule that is concerned."""
    found = (rule(metric, corpus, choices) for rule in RULES)
    return next((counts for counts in found if counts is not None), None)
