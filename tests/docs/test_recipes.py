"""Recipes of the docs for other packages: the code of the page is run with the real package, where it is installed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scoref
from elsewhere import run
from places import EXAMPLES, ROOT
from scoref import clusters

TALES = EXAMPLES / "tales" / "key.conll"
KEY = [[[(0, 0), (2, 2)], [(4, 5), (7, 7)]], [[(1, 1), (3, 3), (6, 6)]]]
RESPONSE = [[[(0, 0), (2, 2), (7, 7)]], [[(1, 1), (3, 3)], [(6, 6)]]]
METRICS = ("mentions", "muc", "b3", "ceafe", "conll")

WEAVE = """
import asyncio, json
rows = [{"key": each["key"], "id": each["id"]} for each in map(json.loads, open("prompts.jsonl"))]
said = json.load(open("said.json"))

@weave.op
def recorded(id: str) -> str:
    return said[id]

evaluation = weave.Evaluation(dataset=rows, scorers=[Coreference()])
found = asyncio.run(evaluation.evaluate(recorded))
print(json.dumps(found["Coreference"]))
"""
SPACY = """
import json
from spacy.tokens import Doc, SpanGroup
from spacy.training import Example

nlp = spacy.blank("en")

@spacy.Language.component("nothing")
def nothing(doc):
    return doc

def made(entities):
    doc = Doc(nlp.vocab, words=[f"w{word}" for word in range(12)])
    for number, entity in enumerate(entities, 1):
        spans = [doc[first : last + 1] for first, last in entity]
        doc.spans[f"coref_clusters_{number}"] = SpanGroup(doc, spans=spans)
    return doc

key, response = json.load(open("sides.json"))
examples = [Example(made(theirs), made(ours)) for ours, theirs in zip(key, response)]
scorer = spacy.registry.resolve({"scorer": {"@scorers": "scoref.coreference.v1"}})["scorer"]
print(json.dumps(scorer(examples)))
"""
EVALUATE = """
import json
import evaluate
key, response = json.load(open("sides.json"))
metric = evaluate.load("coreference.py")
print(json.dumps(metric.compute(predictions=response, references=key)))
"""


def code(page: str, heading: str) -> str:
    """The Python code below a heading of a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```python\n(?!>>>)(.*?)```", part, re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0])


def wanted() -> dict[str, float]:
    """The f1 of two documents together."""
    documents = [[clusters(one, str(number)) for number, one in enumerate(side)] for side in (KEY, RESPONSE)]
    return {name: each.f1 for name, each in scoref.score(*documents, metrics=METRICS).items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sides.json").write_text(json.dumps([KEY, RESPONSE]))
    return tmp_path


def test_weave(folder: Path) -> None:
    prompts = scoref.prompts(TALES, "json")
    (folder / "prompts.jsonl").write_text(prompts.dumps(with_key=True))
    said = {each.id: '[["she", "her"], ["the town", "it"]]' for each in prompts}
    said[prompts[0].id] = "No."
    (folder / "said.json").write_text(json.dumps(said))
    found = run("weave", code("harnesses.md", "Weave") + WEAVE, folder)
    answers = [scoref.answer(text, name) for name, text in said.items()]
    result = scoref.score(scoref.read(TALES), answers)
    assert result["conll"].f1 > 0.01
    assert found["conll"] == pytest.approx(result["conll"].f1, abs=1e-12)
    assert (found["documents"], found["unreadable"]) == (4, 1)


def test_spacy(folder: Path) -> None:
    found = run("spacy", code("harnesses.md", "spaCy") + SPACY, folder)
    assert {name: found[f"coref_{name}"] for name in METRICS} == pytest.approx(wanted(), abs=1e-12)
    assert 0 < found["coref_conll"] < 1


def test_hugging_face_evaluate(folder: Path) -> None:
    (folder / "coreference.py").write_text(code("evaluator.md", "Hugging Face evaluate"))
    found = run("evaluate", EVALUATE, folder)
    assert {name: found[f"{name}_f1"] for name in METRICS} == pytest.approx(wanted(), abs=1e-12)
    assert found["signature"].startswith("conll-2012|")


def test_the_task_for_inspect_on_the_page(folder: Path) -> None:
    (folder / "tales.jsonl").write_text(scoref.prompts(TALES, "json").dumps(with_key=True))
    script = """
import json
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model
outputs = [ModelOutput.from_content("mockllm/model", '[["she", "her"]]') for _ in range(4)]
from inspect_ai.solver import solver
@solver
def recorded():
    async def solve(state, generate):
        state.output = outputs.pop()
        return state
    return solve
[log] = eval(tales(), model="mockllm/model", solver=recorded(), log_dir="logs", display="none")
print(json.dumps({name: each.value for name, each in log.results.scores[0].metrics.items()}))
"""
    found = run("inspect_ai", code("harnesses.md", "Inspect") + script, folder)
    answers = [scoref.answer('[["she", "her"]]', each.id) for each in scoref.read(TALES)]
    result = scoref.score(scoref.read(TALES), answers, metrics=["conll", "lea"], singletons="drop")
    assert found["lea"] == pytest.approx(result["lea"].f1, abs=1e-12)
    assert found["conll"] == pytest.approx(result["conll"].f1, abs=1e-12)
    assert result["conll"].f1 > 0.01
