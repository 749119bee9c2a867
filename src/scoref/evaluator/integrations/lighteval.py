"""lighteval: a metric that makes a corpus score of the sums of documents, and a task from prompts.

Needs `pip install 'scoref[lighteval]'`. A task is declared in a file of yours, `tales.py`:

    from scoref.evaluator.integrations.lighteval import coreference_task
    TASKS_TABLE = [coreference_task("tales", "tales")]

The second name is that of a folder with prompts:

    scoref prompts key.conll --with-key -o tales/test.jsonl
    lighteval accelerate "model_name=..." "tales|0" --custom-tasks tales.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.sample_preparator import Preparator
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc, SamplingMethod

from ..harness import corpus_scores, score_answer

_NAME = "coreference"
_SPLIT = "test"


class _Sums(Preparator):
    """Makes of each answer its sums."""

    def __init__(self, **how: Any) -> None:
        self.how = how

    def prepare(self, doc: Doc, model_response: ModelResponse, **_: Any) -> str:
        return score_answer(doc.choices[0], model_response.final_text[0], **self.how).text


class _Corpus(CorpusLevelComputation):
    """Makes of the sums of all documents their scores, with intervals; lighteval makes no others if it gets several."""

    def compute_corpus(self, items: Sequence[str]) -> dict[str, float]:
        return corpus_scores(items)


def coreference_metric(
    protocol: str | None = None, metrics: Sequence[str] | None = None, **choices: Any
) -> CorpusLevelMetric:
    """The metric: the first choice of a `Doc` is the key. Without a protocol it is that of the key."""
    return CorpusLevelMetric(
        metric_name=_NAME,
        higher_is_better=True,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_Sums(protocol=protocol, metrics=metrics, **choices),
        corpus_level_fn=_Corpus(),
    )


def coreference_task(name: str, folder: str, size: int = 8192, **how: Any) -> LightevalTaskConfig:
    """A task with prompts of `folder/test.jsonl`, answers of up to `size` tokens, and the metric of these choices."""
    return LightevalTaskConfig(
        name=name,
        prompt_function=_doc,
        hf_repo=folder,
        hf_subset="default",
        hf_avail_splits=[_SPLIT],
        evaluation_splits=[_SPLIT],
        metrics=[coreference_metric(**how)],
        generation_size=size,
    )


def _doc(row: Mapping[str, Any], name: str) -> Doc:
    return Doc(task_name=name, query=row["prompt"], choices=[row["key"]], gold_index=0)
