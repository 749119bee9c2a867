"""Scores of groups as a table, and scores as frames of pandas."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from ..counting.metrics import Score
from ..layout import grid
from ..problems import Error
from .scores import Scores

if TYPE_CHECKING:
    from pandas import DataFrame


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
        rows: list[tuple[grid.Cell, ...]] = [(name, *(self.cell(name, metric) for metric in metrics)) for name in self]
        if self.mean is not None:
            means = [self.mean[metric] for metric in metrics]
            rows.append(("mean", *(mean.f1 if mean else grid.NOTHING for mean in means)))
        return grid.Grid(f"f1 by {self.field}", (self.field, *metrics), rows)

    def __str__(self) -> str:
        return grid.text(self.grid()._replace(title=""))

    def _repr_html_(self) -> str:
        return grid.html_(self.grid())

    def to_frame(self) -> DataFrame:
        """A row for each group and metric: recall, precision, f1, missing where they are not defined."""
        rows = {
            (group, metric): score if self.defined(group, metric) else None
            for group, scores in self.items()
            for metric, score in scores.items()
        }
        return frame(rows, (self.field, "metric"))


def frame(rows: Mapping[Any, Score | None], index: tuple[str, ...]) -> DataFrame:
    """Scores as a frame of pandas, with an index of these names."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise Error("no-pandas", "frames need pandas, which is not installed", remedy="pip install pandas") from None
    nothing = (math.nan,) * len(Score._fields)
    labels = (
        pandas.MultiIndex.from_tuples([*rows], names=index) if len(index) > 1 else pandas.Index([*rows], name=index[0])
    )
    return pandas.DataFrame([score or nothing for score in rows.values()], labels, Score._fields)


def as_dicts(groups: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, dict[str, float]]]:
    """The scores of groups for JSON."""
    return {name: as_dict(scores) for name, scores in groups.items()}


def as_dict(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    """Scores for JSON."""
    return {metric: each._asdict() for metric, each in scores.items()}
