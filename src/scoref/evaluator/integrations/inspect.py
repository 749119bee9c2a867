"""Inspect (inspect_ai): a scorer, the metric that makes a corpus score of its sums, and a task from prompts.

Needs `pip install 'scoref[inspect]'`, and is found by Inspect as `scoref/coreference`:

    scoref prompts key.conll --with-key -o tales.jsonl
    inspect eval scoref/tagging -T prompts=tales.jsonl --model openai/gpt-5
    inspect score logs/LOG.eval --scorer scoref/coreference
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate

from ..harness import corpus_scores, score_answer

_SUMS = "scoref"  # the field of a score's metadata
_REASONS = {"empty": "no_response", "refusal": "refusal"}  # Inspect's words for some reasons
_UNREAD = "invalid_response_format"  # and for all others


@metric(scores="unreduced")
def corpus() -> Metric:
    """The scores of all documents together, each metric with the ends of its 95 % interval; of epochs the means."""

    def compute(scores: list[SampleScore]) -> Mapping[str, float]:
        return corpus_scores([(each.score.metadata or {})[_SUMS] for each in scores])

    return compute


@scorer(metrics=[corpus()])
def coreference(protocol: str | None = None, metrics: list[str] | None = None, **choices: Any) -> Scorer:
    """Score answers against the key that is the sample's target, or that its metadata has under `key`.

    Without a protocol it is that of the key. Further keywords are choices of the protocol, like `singletons="drop"`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        key, reply = state.metadata.get("key", target.text), state.output.completion
        found = score_answer(key, reply, protocol, metrics, **choices)
        reason = found.reason and _REASONS.get(found.reason, _UNREAD)
        said = "\n".join(found.remarks) or None
        return Score(value=found.f1, answer=reply, explanation=said, reason=reason, metadata={_SUMS: found.text})

    return score


@task
def tagging(prompts: str, protocol: str | None = None, **choices: Any) -> Task:
    """The prompts of a file that `scoref prompts KEY --with-key` wrote, answered and scored."""
    samples = json_dataset(prompts, FieldSpec(input="prompt", target="key", id="id"))
    return Task(dataset=samples, solver=generate(), scorer=coreference(protocol, **choices))
