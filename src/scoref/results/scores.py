"""Scores by metric, found by any name of a metric that can be asked for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..counting.metrics import Score
from ..problems import Error
from ..protocol.metric_names import closest_metric, metric_name


class UnscoredMetric(Error, KeyError):
    """A metric that was not scored, or that there is not: an `Error`, and a `KeyError` as mappings raise it."""

    def __str__(self) -> str:
        return str(self.problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (UnscoredMetric.of, (self.problem,))


class Scores(dict[str, Score]):
    """The score of each metric; other spellings and other tools' names find it, too.

    >>> scores = Scores({"b3": Score(0.5, 1.0, 2 / 3)})
    >>> scores["B-cubed"].recall, "bcub" in scores, scores.get("MUC")
    (0.5, True, None)
    >>> [*scores]
    ['b3']
    """

    def __missing__(self, name: str) -> Score:
        return self[scored_name(name, self)]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(metric_name(name) if isinstance(name, str) else name)

    def get(self, name: str, default: Any = None) -> Any:
        """The score of a metric, or another value if it was not scored."""
        return super().get(metric_name(name), default)


def scored_name(name: str, scored: Collection[str]) -> str:
    """The name under which a metric was scored, from any of its names; an error with the closest one if it was not."""
    metric = metric_name(name)
    if metric in scored:
        return metric
    meant = closest_metric(name)
    remedy = "ask for it with metrics=[...]" if meant in (metric, None) else f"did you mean {meant}?"
    raise UnscoredMetric(
        "unscored-metric", f"'{name}' was not scored", expected=f"one of {', '.join(scored)}", remedy=remedy
    )
