"""What is found about systems with several runs: means over runs, differences with their parts, exchange tests."""

from __future__ import annotations

from typing import NamedTuple

from ..layout.render import Json
from ..results.scores import Interval

LEVEL = 0.05  # of the tests
THESE, OTHER = "these runs", "other runs"  # what an interval is for


class ExchangeTest(NamedTuple):
    """The p-value of a test that exchanges, how many were tried, whether these are all, and the least p possible."""

    p: float
    exact: bool
    trials: int
    least: float


class RunMean(NamedTuple):
    """The means of a system's runs in a metric, the standard deviation, least and greatest f1, and an interval of f1.

    The interval is that of the mean for other documents and other runs; for a single run, for these runs alone.
    """

    recall: float
    precision: float
    f1: float
    deviation: float | None
    least: float
    most: float
    ci: Interval | None


class RunDifference(NamedTuple):
    """The mean f1 of b's runs minus that of a's, with its interval, its p-value and the parts of its standard error.

    `scope` says what interval and p are for: other documents and `other runs`, or, as a system has a single run, for
    `these runs`. `documents`, `runs_a` and `runs_b` are the parts of the standard error `error`, `degrees` its degrees
    of freedom. Exchange tests answer narrower questions: these runs on other documents, other runs on these documents.
    """

    metric: str
    a: str
    b: str
    difference: float
    p: float | None
    p_adjusted: float | None
    ci: Interval | None
    scope: str
    error: float
    degrees: float | None
    documents: float
    runs_a: float | None
    runs_b: float | None
    other_documents: ExchangeTest | None
    other_runs: ExchangeTest | None

    def to_dict(self) -> Json:
        """The difference for JSON."""
        tests = {"other_documents": self.other_documents, "other_runs": self.other_runs}
        return self._asdict() | {name: each and each._asdict() for name, each in tests.items()}

    @property
    def significant(self) -> bool:
        """Whether p, adjusted for many tests, is below the level."""
        return self.p_adjusted is not None and self.p_adjusted < LEVEL
