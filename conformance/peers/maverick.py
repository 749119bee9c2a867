"""maverick-coref: `maverick.common.metrics.OfficialCoNLL2012CorefEvaluator` and its `lea`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from suite.cases import Case

from . import plain

SCORERS = {
    "maverick": plain.facts(
        "maverick", "SapienzaNLP/maverick-coref", "metrics.OfficialEvaluator(metric).update(...)", "muc b3 ceafe lea"
    )
}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its evaluators on each case."""
    metrics = plain.module(place / "maverick" / "common" / "metrics.py", "maverick_metrics")
    functions = {"muc": metrics.muc, "b3": metrics.b_cubed, "ceafe": metrics.ceafe, "lea": metrics.lea}
    makes = {name: partial(metrics.OfficialEvaluator, function) for name, function in functions.items()}
    for case in cases:
        yield plain.by_parts(makes, case)
