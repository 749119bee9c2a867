"""lm-eval (lm_eval): what the task `coreference` names, which is declared in `coreference.yaml` beside this module.

Needs `pip install 'scoref[lm-eval]'`. FOLDER is the folder of this module:

    scoref prompts key.conll --with-key -o tales.jsonl
    lm_eval run --tasks coreference --include_path FOLDER --metadata '{"prompts": "tales.jsonl"}' --model hf ...

lm-eval calls one function for each number that it shows; all are made once from the same sums.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import datasets

from ...problems import Error
from ..harness import corpus_scores, score_answer

# What is shown; the task has an aggregation of each name.
NUMBERS = (
    "conll", "conll_low", "conll_high", "muc", "b3", "ceafe", "mentions", "lea", "conll_deviation", "documents",
    "unreadable",
)  # fmt: skip
_METRICS = ("mentions", "muc", "b3", "ceafe", "lea", "conll")


def dataset(prompts: str | None = None, **_: Any) -> datasets.DatasetDict:
    """The prompts of a file that `scoref prompts KEY --with-key` wrote, as the split `test`."""
    if prompts is None:
        raise Error("no-prompts", "the task has no prompts", expected="""--metadata '{"prompts": "tales.jsonl"}'""",
                    remedy="write them: scoref prompts KEY --with-key -o tales.jsonl")  # fmt: skip
    rows = [json.loads(line) for line in Path(prompts).read_text(encoding="utf-8").splitlines() if line.strip()]
    return datasets.DatasetDict({"test": datasets.Dataset.from_list(rows)})


def results(
    doc: Mapping[str, Any],
    results: Sequence[str | list[str]],
    protocol: str | None = None,
    metrics: Sequence[str] = _METRICS,
    **choices: Any,
) -> dict[str, list[str]]:
    """The sums of a document, under the name of each number: of its answer, or of each of several (`repeats`)."""
    replies = [results[0]] if isinstance(results[0], str) else results[0]
    texts = [score_answer(doc["key"], reply, protocol, metrics, **choices).text for reply in replies]
    return dict.fromkeys(NUMBERS, texts)


@lru_cache(maxsize=4)
def _scores(texts: tuple[str, ...]) -> dict[str, float]:
    return corpus_scores(texts)


def number(name: str, items: Sequence[Sequence[str]]) -> float:
    """A number of the corpus, from the sums of its documents; NaN for what it does not have, as without six documents.

    `functools.partial(number, "lea_low")` is an aggregation for a task of your own.
    """
    return _scores(tuple(chain.from_iterable(items))).get(name, math.nan)


def __getattr__(name: str) -> Any:
    """The aggregations, by the names of the numbers."""
    if name not in NUMBERS:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def aggregated(items: Sequence[Sequence[str]]) -> float:
        return number(name, items)

    return aggregated
