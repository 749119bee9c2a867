"""e2e-coref: `metrics.py`, the evaluator that most neural systems have a copy of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from suite.cases import Case

from . import plain

SCORERS = {
    "e2e-coref": plain.facts(
        "e2e-coref", "kentonl/e2e-coref", "metrics.Evaluator(metric).update(...)",
        changes="scikit-learn's linear_assignment, which is gone, stands for SciPy's linear_sum_assignment",
    )
}  # fmt: skip


def assignment(costs: object) -> object:
    """The function that scikit-learn had: pairs of rows and columns."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    return np.array(linear_sum_assignment(costs)).T


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its evaluators on each case."""
    for name in ("sklearn", "sklearn.utils"):
        plain.stub(name)
    plain.stub("sklearn.utils.linear_assignment_", linear_assignment=assignment)
    metrics = plain.module(place / "metrics.py", "e2e_metrics")
    functions = {"muc": metrics.muc, "b3": metrics.b_cubed, "ceafe": metrics.ceafe}
    makes = {name: partial(metrics.Evaluator, function) for name, function in functions.items()}
    for case in cases:
        yield plain.by_parts(makes, case)
