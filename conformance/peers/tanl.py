"""TANL: `CorefAllMetrics().get_all_metrics`, which has sums over documents and means of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case
from suite.numbers import triple

from . import plain

_CALL = "CorefAllMetrics().get_all_metrics(labels, preds)"
SCORERS = {
    f"tanl {average}": plain.facts(f"TANL, {average}", "amazon-science/tanl", f"{_CALL}['{average}']")
    for average in ("micro", "macro")
}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its function on each case."""
    metrics = plain.module(place / "coreference_metrics.py", "tanl_metrics")
    names = {"muc": "muc", "b3": "b_cubed", "ceafe": "ceaf"}

    def scores(case: Case) -> dict[str, str]:
        keys, responses = ([[*map(list, each)] for each in side] for side in zip(*plain.pairs(case), strict=True))
        found = metrics.CorefAllMetrics().get_all_metrics(keys, responses)[scorer.removeprefix("tanl ")]
        parts = {name: found[theirs] for name, theirs in names.items()}
        return {n: triple(*(float(each[p]) for p in ("recall", "precision", "f1"))) for n, each in parts.items()}

    for case in cases:
        try:
            yield scores(case)
        except Exception as error:
            yield dict.fromkeys(names, f"crash: {type(error).__name__}")
