"""Results for the card of a model at Hugging Face: the `model-index` of its metadata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..counting.metrics import Score
from ..layout.render import Json
from ..layout.yaml import yaml
from ..results.evaluation import Evaluation
from ..statistics.figures import proper

_TASK = {"type": "coreference-resolution", "name": "Coreference resolution"}
_DIGITS = 2


class Carded(NamedTuple):
    """What a card says beside scores: the model, and the dataset with its id at Hugging Face and its split."""

    model: str
    dataset: str
    id: str | None = None
    split: str | None = None

    def named(self, config: str = "") -> Json:
        """The dataset as a card names it; `config` is a part of it."""
        given = {"name": self.dataset, "type": self.id or re.sub(r"[^\w/.-]+", "-", self.dataset.lower()),
                 "config": config, "split": self.split}  # fmt: skip
        return {name: value for name, value in given.items() if value}


def card(evaluation: Evaluation, said: Carded) -> str:
    """The `model-index` in YAML: f1 in percent of every metric, for all documents and for each dataset.

    The signature stands with each number.
    """
    results = [_result(evaluation, said.named(), evaluation.scores, evaluation.undefined)]
    if len({*evaluation.datasets}) > 1:
        groups = evaluation.by_dataset()
        for name, scores in groups.items():
            lacking = [metric for metric in scores if not groups.defined(name, metric)]
            results.append(_result(evaluation, said.named(name), scores, lacking))
    return yaml({"model-index": [{"name": said.model, "results": results}]})


def _result(evaluation: Evaluation, dataset: Json, scores: Mapping[str, Score], undefined: Iterable[str]) -> Json:
    lacking = {*undefined}
    metrics = [
        {"type": f"{name}_f1", "name": f"{proper(name)} F1", "value": round(100 * score.f1, _DIGITS),
         "args": {"signature": evaluation.signature}}
        for name, score in scores.items()
        if name not in lacking
    ]  # fmt: skip
    return {"task": _TASK, "dataset": dataset, "metrics": metrics}
