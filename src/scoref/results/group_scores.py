"""The scores of groups of documents or entities, as a dictionary that prints as a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..counting.metrics import Score
from ..layout import grid, render
from ..layout.markup import html_table
from ..layout.text import text_table
from .scores import Scores

UNDEFINED = (grid.NOTHING,) * len(Score._fields)  # recall, precision and f1 of what is not there


class GroupScores(dict[str, dict[str, Score]]):
    """For each group its score of each metric: a dictionary that prints, and shows in notebooks, as a table of f1.

    `field` says what the groups are, `undefined` which metrics have nothing to count in a group: their scores are 0.
    `mean` is shown below the groups, if there is one.

    >>> groups = GroupScores({"bn": {"muc": Score(0.5, 1.0, 2 / 3)}, "mz": {"muc": Score(1.0, 1.0, 1.0)}}, "genre")
    >>> print(groups)
    genre     muc
    bn      66.67
    mz     100.00
    >>> groups["mz"]["muc"].recall
    1.0
    """

    def __init__(
        self,
        scores: Mapping[str, dict[str, Score]],
        field: str,
        undefined: Mapping[str, Collection[str]] | None = None,
        mean: Mapping[str, Score | None] | None = None,
    ) -> None:
        super().__init__({name: Scores(each) for name, each in scores.items()})
        self.field = field
        self.undefined = undefined or {}
        self.mean = mean

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupScores, (dict(self), self.field, self.undefined, self.mean)

    def defined(self, group: str, metric: str) -> bool:
        """Whether a group has something that the metric counts."""
        return metric not in self.undefined.get(group, ())

    def cell(self, group: str, metric: str) -> grid.Cell:
        """The f1 of a group, as a table shows it; None if there is no such group."""
        score = self.get(group, {}).get(metric)
        return None if score is None else score.f1 if self.defined(group, metric) else grid.NOTHING

    def grid(self) -> grid.Grid:
        """The table: f1 of each group and metric."""
        metrics = list(next(iter(self.values()), {}))
        rows = [(name, *(self.cell(name, metric) for metric in metrics)) for name in self]
        if self.mean is not None:
            means = [self.mean[metric] for metric in metrics]
            rows.append(("mean", *(mean.f1 if mean else grid.NOTHING for mean in means)))
        return grid.Grid(f"f1 by {self.field}", (self.field, *metrics), rows)

    def __str__(self) -> str:
        return text_table(self.grid()._replace(title=""))

    def _repr_html_(self) -> str:
        return html_table(self.grid())

    def to_frame(self) -> render.DataFrame:
        """A row for each group and metric: recall, precision, f1, missing where they are not defined."""
        rows = [
            (group, metric, *(score if self.defined(group, metric) else UNDEFINED))
            for group, scores in self.items()
            for metric, score in scores.items()
        ]
        return render.frame(grid.Grid("", (self.field, "metric", *Score._fields), rows), 2)
