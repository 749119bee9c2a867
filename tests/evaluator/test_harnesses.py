"""The real harnesses, without a network and without a model: recorded answers in, the score of the corpus out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from elsewhere import run
from places import EXAMPLES
from scoref.cli.program import main

TALES = EXAMPLES / "tales" / "key.conll"
METRICS = ("mentions", "muc", "b3", "ceafe", "conll")

INSPECT = """
import json, sys
from inspect_ai import eval, score
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver

said, epochs = json.load(open("said.json")), int(sys.argv[1])

@solver
def recorded():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("recorded", said[state.epoch - 1][state.sample_id])
        return state
    return solve

[log] = eval("scoref/tagging", task_args={"prompts": "prompts.jsonl"}, model="mockllm/model", solver=recorded(),
             epochs=epochs, log_dir="logs", display="none")
assert log.status == "success", log.error
again = score(log, __import__("scoref.evaluator.integrations.inspect", fromlist=["_"]).coreference(metrics=["lea"]),
              action="overwrite", display="none")
print(json.dumps({
    "corpus": {name: each.value for name, each in log.results.scores[0].metrics.items()},
    "documents": [each.scores["coreference"].value["conll"] for each in log.samples],
    "reasons": [each.scores["coreference"].reason for each in log.samples],
    "remarks": [each.scores["coreference"].explanation for each in log.samples],
    "again": {name: each.value for name, each in again.results.scores[0].metrics.items()},
}))
"""

LM_EVAL = """
import json, sys
import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
import scoref.evaluator.integrations as ours

said, repeats = json.load(open("said.json")), int(sys.argv[1])
named = {each["prompt"]: each["id"] for each in map(json.loads, open("prompts.jsonl"))}

class Recorded(LM):
    def generate_until(self, requests, disable_tqdm=False):
        asked = {}
        for each in requests:
            asked.setdefault(named[each.args[0]], []).append(each)
        numbers = {name: iter(range(len(each))) for name, each in asked.items()}
        assert requests[0].args[1]["max_gen_toks"] >= 4096
        return [said[next(numbers[name])][name] for name in (named[each.args[0]] for each in requests)]

    def loglikelihood(self, requests): ...
    def loglikelihood_rolling(self, requests): ...

folder = [*ours.__path__][0]
with open("runs.yaml", "w") as file:
    file.write(open("runs").read().format(folder=folder, repeats=repeats))
manager = TaskManager(include_path=[folder, "."], metadata={"prompts": "prompts.jsonl"})
task = "coreference" if repeats == 1 else "runs"
results = lm_eval.simple_evaluate(Recorded(), tasks=[task], task_manager=manager)["results"][task]
print(json.dumps({name.partition(",")[0]: value for name, value in results.items() if "stderr" not in name}))
"""

LM_EVAL_RUNS = """
include: {folder}/coreference.yaml
task: runs
repeats: {repeats}
filter_list: [{{name: all, filter: [{{function: take_first_k, k: {repeats}}}]}}]
"""

LIGHTEVAL = """
import json
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.custom.custom_model import CustomModelConfig
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.registry import Registry

def ours(custom_tasks=None, load_multilingual=False):  # some of lighteval's own tasks need a network to be loaded
    return Registry._extract_configs(Registry.create_custom_tasks_module(custom_tasks))

Registry.load_all_task_configs = staticmethod(ours)
parameters = PipelineParameters(launcher_type=ParallelismManager.CUSTOM, custom_tasks_directory="tales.py")
model = CustomModelConfig(model_name="recorded", model_definition_file_path="model.py")
pipeline = Pipeline("tales|0", parameters, EvaluationTracker(output_dir="results"), model_config=model)
pipeline.evaluate()
print(json.dumps(pipeline.get_results()["results"]["tales:0"]))
"""
LIGHTEVAL_TASK = """
from scoref.evaluator.integrations.lighteval import coreference_task
TASKS_TABLE = [coreference_task("tales", "prompts")]
"""
LIGHTEVAL_MODEL = """
import json
from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.utils.cache_management import SampleCache

said = json.load(open("said.json"))[0]
named = {each["prompt"]: each["id"] for each in map(json.loads, open("prompts.jsonl"))}

class Recorded(LightevalModel):
    tokenizer, add_special_tokens, max_length = None, False, 10_000

    def __init__(self, config):
        self.config, self._cache = config, SampleCache(config)

    def greedy_until(self, docs):
        return [ModelResponse(text=[said[named[each.query]]]) for each in docs]

    def loglikelihood(self, docs): ...
    def loglikelihood_rolling(self, docs): ...
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with prompts, and with answers to them: two of each document; one is a refusal, two lack mentions."""
    assert (
        main(["prompts", str(TALES), "--style", "json-words", "--with-key", "-o", str(tmp_path / "prompts.jsonl")]) == 0
    )
    said: list[dict[str, str]] = [{}, {}]
    for number, prompt in enumerate(scoref.prompts(TALES, "json-words")):
        for answer, every in enumerate((2 + number, 3)):
            kept: dict[object, list[list[object]]] = {}
            for place, each in enumerate(prompt.key.mentions):
                if place % every:
                    kept.setdefault(each.entity, []).append(
                        [prompt.key.text_of(each), each.span[0] >> 8, each.span[-1] >> 8]
                    )
            said[answer][prompt.id] = f"Sure!\n```json\n{json.dumps([*kept.values()])}\n```"
    said[0][prompt.id] = "I am sorry, but I cannot help with that."
    (tmp_path / "said.json").write_text(json.dumps(said))
    for number, each in enumerate(said, 1):
        lines = [json.dumps({"id": name, "output": text}) for name, text in each.items()]
        (tmp_path / f"answers{number}.jsonl").write_text("\n".join(lines))
    return tmp_path


def assert_same(found: dict[str, float], folder: Path, *, runs: int = 1) -> None:
    """That the numbers are those that files of answers have, scored without a harness."""
    results = [scoref.score(TALES, folder / f"answers{number}.jsonl") for number in range(1, runs + 1)]
    assert 0.3 < results[0]["conll"].f1 < 0.9
    for metric in METRICS:
        assert found[metric] == pytest.approx(sum(each[metric].f1 for each in results) / runs, abs=1e-12)
    assert (found["documents"], found["unreadable"]) == (4, 1)


def test_inspect(folder: Path) -> None:
    found = run("inspect_ai", INSPECT, folder, "1")
    assert_same(found["corpus"], folder)
    assert abs(sum(found["documents"]) / 4 - found["corpus"]["conll"]) > 0.01  # what a mean of samples would say
    assert sorted(filter(None, found["reasons"])) == ["refusal"]
    assert sum("cannot be read" in (each or "") for each in found["remarks"]) == 1
    lea = scoref.score(TALES, folder / "answers1.jsonl", metrics=["lea"])
    assert found["again"]["lea"] == pytest.approx(lea["lea"].f1, abs=1e-12)


def test_inspect_with_epochs(folder: Path) -> None:
    found = run("inspect_ai", INSPECT, folder, "2")["corpus"]
    assert_same(found, folder, runs=2)
    assert found["runs"] == 2
    assert found["conll_deviation"] > 0.05


@pytest.mark.parametrize("repeats", [1, 2])
def test_lm_eval(folder: Path, repeats: int) -> None:
    (folder / "runs").write_text(LM_EVAL_RUNS)
    found = run("lm_eval", LM_EVAL, folder, str(repeats))
    assert_same(found, folder, runs=repeats)
    assert (found["conll_deviation"] > 0) == (repeats > 1)
    assert found["conll_low"] != found["conll_low"]  # no interval of four documents


def test_the_task_of_lm_eval_names_functions_that_are_there(folder: Path) -> None:
    script = """
import json, yaml
from scoref.evaluator.integrations import lm_eval as ours
class Loader(yaml.SafeLoader): ...
Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
task = yaml.load(open(ours.__file__.replace("lm_eval.py", "coreference.yaml")), Loader)
used = [task["custom_dataset"], task["process_results"], *(each["aggregation"] for each in task["metric_list"])]
assert all(callable(getattr(ours, each.rpartition(".")[2])) for each in used)
try:
    ours.dataset()
except Exception as error:
    print(json.dumps([[each["metric"] for each in task["metric_list"]], ours.NUMBERS, str(error)]))
"""
    metrics, numbers, error = run("lm_eval", script, folder)
    assert metrics == numbers
    assert "--metadata" in error


def test_lighteval(folder: Path) -> None:
    (folder / "prompts").mkdir()
    (folder / "prompts.jsonl").rename(folder / "prompts" / "test.jsonl")
    (folder / "prompts.jsonl").symlink_to(folder / "prompts" / "test.jsonl")
    (folder / "tales.py").write_text(LIGHTEVAL_TASK)
    (folder / "model.py").write_text(LIGHTEVAL_MODEL)
    assert_same(run("lighteval", LIGHTEVAL, folder), folder)
