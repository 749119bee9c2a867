"""AllenNLP: the class `Scorer` of `conll_coref_scores.py`, without the tensors around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from suite.cases import Case

from . import plain

SCORERS = {
    "allennlp": plain.facts(
        "AllenNLP", "allenai/allennlp-models", "Scorer(metric).update(...)",
        changes="torch and allennlp stand for empty modules; clusters are given to Scorer, which needs no spans",
    )
}  # fmt: skip


class Metric:
    """The class that its metric is derived from."""

    @staticmethod
    def register(name: str) -> object:
        """A class as it is."""
        return lambda each: each


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its class on each case."""
    plain.stub("torch", Tensor=object)
    for name in ("allennlp", "allennlp.nn", "allennlp.training", "allennlp.training.metrics"):
        plain.stub(name)
    plain.stub("allennlp.nn.util", dist_reduce_sum=lambda value: value)
    plain.stub("allennlp.training.metrics.metric", Metric=Metric)
    path = place / "allennlp_models" / "coref" / "metrics" / "conll_coref_scores.py"
    each = plain.module(path, "conll_coref_scores").Scorer
    makes = {"muc": partial(each, each.muc), "b3": partial(each, each.b_cubed), "ceafe": partial(each, each.ceafe)}
    for case in cases:
        yield plain.by_parts(makes, case)
