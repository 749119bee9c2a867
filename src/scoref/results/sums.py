"""The sums of documents, and the scores that are made of them: of all documents, and of groups."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..counting.metrics import Score
from ..counting.table import Floats
from ..document.grouping import grouped
from ..protocol.protocol import Protocol
from .averages import addends, counts_what, defined, finished


@dataclass(frozen=True, eq=False, repr=False)
class Sums:
    """The counts of each document, metric by metric, and the protocol that says what is made of them.

    `counts` has by metric an array [documents, 4]: recall numerator, denominator, precision numerator, denominator.
    """

    protocol: Protocol
    documents: tuple[str, ...]
    datasets: tuple[str, ...]
    counts: Mapping[str, Floats]

    def whole(self) -> Floats:
        """The sums over documents that the scores are made from, dataset by dataset."""
        names = self.datasets if self.protocol.averaging.average == "datasets" else ("",) * len(self.documents)
        rows = addends(self.protocol, self.counts)
        return added(rows, grouped(names).values()) if len(rows) else np.zeros((1, rows.shape[1]))

    @cached_property
    def values(self) -> list[list[float]]:
        """Recall, precision and f1 of each metric."""
        values: list[list[float]] = finished(self.protocol, self.whole()).tolist()
        return values

    @cached_property
    def totals(self) -> dict[str, Floats]:
        """The counts of all documents together."""
        return {name: counts.sum(axis=0) for name, counts in self.counts.items()}

    @cached_property
    def undefined(self) -> dict[str, str]:
        """The metrics that have nothing to count in key and response, and what that is; their scores are 0."""
        lacking = [metric for metric in self.protocol.metrics if not defined(metric, self.totals)]
        return {metric: f"no {counts_what(metric)} in key and response" for metric in lacking}

    def by_group(self, names: Sequence[str]) -> dict[str, dict[str, Score]]:
        """The scores of groups of documents, each named once for each document: those of sums, whatever the average."""
        protocol = self.protocol.change(average="micro")
        groups = grouped(names)
        sums = added(addends(protocol, self.counts), groups.values())
        values = finished(protocol, sums[:, None, :]).tolist()
        return {
            name: {metric: Score(*value) for metric, value in zip(protocol.metrics, each, strict=True)}
            for name, each in zip(groups, values, strict=True)
        }

    def defined_in(self, names: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
        """For each metric whether it has something to count in each group of documents."""
        groups = grouped(names).values()
        sums = {name: added(counts, groups) for name, counts in self.counts.items()}
        return {metric: defined(metric, sums) for metric in self.protocol.metrics}


def added(counts: Floats, groups: Collection[Sequence[int]]) -> Floats:
    """The sums of rows, group by group, rounded once: the order of documents makes no difference."""
    if all(len(group) == 1 for group in groups):
        return counts[[group[0] for group in groups]]
    some: Iterable[Floats] = (counts if len(group) == len(counts) else counts[group] for group in groups)
    return np.array([[math.fsum(column.tolist()) for column in rows.T] for rows in some])
