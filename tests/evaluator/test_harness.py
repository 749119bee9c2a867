"""What harnesses keep of answers: sums, of which the score of the corpus is made; a mean would be another number."""

from __future__ import annotations

import json
from dataclasses import replace
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
import strategies
from places import EXAMPLES
from scoref import Document, Mention
from scoref.evaluator.harness import corpus_scores, score_answer
from scoref.prompting.shapes import SHAPES, showable
from suite import literal

TALES = EXAMPLES / "tales" / "key.conll"
METRICS = ("mentions", "muc", "b3", "ceafe", "lea")


def document(number: int, key: strategies.Partition) -> Document:
    """A document of twelve different words; mention n is word n."""
    mentions = [Mention.at(mention, mention, name) for name, entity in enumerate(key) for mention in entity]
    return Document(f"document {number}", tuple(f"w{word}" for word in range(12)), mentions, (0,))


def reply(response: strategies.Partition) -> str:
    return json.dumps([[f"w{mention}" for mention in entity] for entity in response])


def sums(corpus: list[tuple[strategies.Partition, strategies.Partition]]) -> list[str]:
    prompts = scoref.prompts([document(number, key) for number, (key, _) in enumerate(corpus)], "json")
    pairs = zip(prompts, corpus, strict=True)
    return [score_answer(one.key_text, reply(response), metrics=METRICS).text for one, (_, response) in pairs]


@settings(max_examples=40)
@given(strategies.corpora)
def test_the_scores_are_those_of_the_corpus(corpus):
    found = corpus_scores(sums(corpus))
    sides = [tuple(literal.entities(side) for side in pair) for pair in corpus]
    for metric in METRICS:
        wanted = map(float, literal.score(metric, sides))
        parts = (found[f"{metric}_recall"], found[f"{metric}_precision"], found[metric])
        assert parts == pytest.approx(tuple(wanted), abs=1e-12)
    assert found["documents"] == len(corpus)
    assert found["unreadable"] == 0


def test_a_mean_of_documents_is_another_number():
    corpus = [([[0, 1, 2, 3, 4, 5]], [[0, 1, 2, 3, 4, 5]]), ([[0, 1]], [[0], [1]])]
    texts = sums(corpus)
    alone = [corpus_scores([text])["muc"] for text in texts]
    assert alone == [1, 0]
    assert corpus_scores(texts)["muc"] == pytest.approx(10 / 11)  # 5 of 6 links, 5 of 5


def test_texts_survive_a_harness_that_writes_json_its_own_way():
    texts = sums([([[0, 1, 2]], [[0, 1]]), ([[3, 4]], [[3, 4]])])
    record = json.dumps({"metadata": [{"b": 1, "a": text} for text in texts]}, sort_keys=True, indent=3)
    assert corpus_scores([each["a"] for each in json.loads(record)["metadata"]]) == corpus_scores(texts)


def answers(drop: int) -> list[tuple[str, str, str]]:
    """For each tale its name, its key and an answer that lacks every `drop`-th mention."""
    made = scoref.prompts(TALES, "json-words")
    texts = []
    for one in made:
        mentions = [each for number, each in enumerate(one.key.mentions) if number % drop]
        lists = replace(one.key, mentions=mentions).entities().values()
        spans = [[[one.key.text_of(each), each.span[0] >> 8, each.span[-1] >> 8] for each in each] for each in lists]
        texts.append((one.id, one.key_text, json.dumps(spans)))
    return texts


def test_the_numbers_are_those_of_the_file_of_answers(tmp_path):
    lines = [json.dumps({"id": name, "output": said}) for name, _, said in answers(4)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    result = scoref.score(TALES, tmp_path / "answers.jsonl")
    found = corpus_scores(score_answer(key, said).text for _, key, said in answers(4))
    assert 0.5 < result["conll"].f1 < 1
    assert found["conll"] == pytest.approx(result["conll"].f1, abs=1e-12)
    assert found["documents"] == 4
    assert "conll_low" not in found  # four documents are too few


def test_intervals_are_those_of_score():
    corpus = [([[0, 1, 2], [3, 4]], [[0, 1], [3, 4][: number % 3]]) for number in range(7)]
    corpus = [(key, [entity for entity in response if entity]) for key, response in corpus]
    key = [document(number, one) for number, (one, _) in enumerate(corpus)]
    response = [scoref.answer(reply(one), f"document {number}") for number, (_, one) in enumerate(corpus)]
    whole = scoref.with_intervals(scoref.score(key, response, metrics=["muc"]))
    found = corpus_scores(sums(corpus))
    assert whole.intervals is not None
    low, high = whole.intervals.scores["muc"][2]
    assert low < high
    assert (found["muc_low"], found["muc_high"]) == pytest.approx((low, high))


@settings(max_examples=20)
@given(strategies.corpora, st.integers(2, 3))
def test_several_answers_to_a_document_are_runs(corpus, number):
    runs = [[(key, response[run:]) for key, response in corpus] for run in range(number)]
    texts = [sums(run) for run in runs]
    found = corpus_scores([text for each in zip(*texts, strict=True) for text in each], trials=20)
    alone = [corpus_scores(run)["lea"] for run in texts]
    assert found["runs"] == number
    assert found["lea"] == pytest.approx(mean(alone))
    assert found["lea_deviation"] == pytest.approx(stdev(alone), abs=1e-9)
    assert found["documents"] == len(corpus)


def test_what_cannot_be_read_counts():
    key = scoref.prompts(TALES, "json")[0]
    found = score_answer(key.key_text, "I cannot do that.")
    assert found.reason == "refusal"
    assert "1 of 1 answers cannot be read" in found.remarks[0]
    assert set(found.f1.values()) == {0}
    scores = corpus_scores([found.text, score_answer(scoref.prompts(TALES, "json")[1].key_text, "").text])
    assert (scores["unreadable"], scores["documents"], scores["conll"]) == (2, 2, 0)


def test_the_protocol_is_that_of_the_key(tmp_path):
    scoref.write(scoref.read(TALES), tmp_path / "key.conllu")
    prompt = scoref.prompts(tmp_path / "key.conllu", "json")[0]
    assert prompt.protocol == "crac-2026"
    lines = tmp_path / "answers.jsonl"
    lines.write_text(json.dumps({"id": prompt.id, "output": '[["Mara Lind", "She"]]'}))
    scoref.write([prompt.key], tmp_path / "one.conllu")
    result = scoref.score(tmp_path / "one.conllu", lines)
    found = score_answer(prompt.key_text, '[["Mara Lind", "She"]]')
    assert found.f1 == pytest.approx({name: each.f1 for name, each in result.items()})
    assert json.loads(json.loads(found.text)["evaluation"])["signature"].startswith("crac-2026")
    other = score_answer(prompt.key_text, '[["Mara Lind", "She"]]', "conll-2012", singletons="drop")
    assert "conll-2012|" in other.text
    assert "singletons:drop" in other.text


def test_means_over_datasets_are_those_of_the_folder(tmp_path):
    tales = scoref.read(TALES)
    for name, some in {"en_news": tales[:3], "de_tales": tales[3:]}.items():
        scoref.write(some, tmp_path / "key" / f"{name}-corefud-dev.conllu")
    prompts = scoref.prompts(tmp_path / "key", "json")
    assert len({each.dataset for each in prompts}) == 2
    said = {each.id: f'[["she", "her"], ["{each.key.words[0]}", "it"]]' for each in prompts}
    lines = tmp_path / "answers.jsonl"
    lines.write_text("\n".join(json.dumps({"id": name, "output": text}) for name, text in said.items()))
    result = scoref.score(tmp_path / "key", lines)
    assert result.protocol.averaging.average == "datasets"
    one = scoref.score(tmp_path / "key", lines, average="micro")
    assert abs(result["conll"].f1 - one["conll"].f1) > 1e-4
    found = corpus_scores([score_answer(each.key_text, said[each.id]).text for each in prompts])
    assert found["conll"] == pytest.approx(result["conll"].f1, abs=1e-12)


@pytest.mark.parametrize("form", ["text", "record", "document"])
def test_a_key_in_any_form(form):
    prompt = scoref.prompts(TALES, "json")[0]
    key = {"text": prompt.key_text, "record": json.loads(prompt.key_text), "document": prompt.key}[form]
    assert score_answer(key, '[["Mara Lind", "her"]]', metrics=["muc"]).f1["muc"] == pytest.approx(2 / 27)


@settings(max_examples=30)
@given(strategies.documents)
def test_all_of_a_key_survives_as_a_text(sides):
    key = sides[0][0]  # with zeros, gaps, heads, places that are mentioned twice
    [prompt] = scoref.prompts([key], "json-words")
    reply = SHAPES["json-words"].answered(showable(key, SHAPES["json-words"], "keep").document)
    scorer = scoref.Scorer("conll-2012", duplicates="list")
    scorer.update(key, scoref.answer(reply))
    wanted = {name: each.f1 for name, each in scorer.compute().items()}
    assert score_answer(prompt.key_text, reply, duplicates="list").f1 == pytest.approx(wanted)


def test_documents_without_names_are_told_apart_by_what_they_hold():
    keys = [{"sentences": [["Ada", "lost", "her", name]], "clusters": [[[0, 0], [2, 2]]]} for name in ("key", "hat")]
    texts = [score_answer(key, '[["Ada", "her"]]', metrics=["muc"]).text for key in keys]
    assert corpus_scores(texts)["documents"] == 2
    assert corpus_scores([texts[0], texts[0]])["runs"] == 2


@pytest.mark.parametrize(
    ("key", "said"), [("tale", "no JSON"), ("[1]", "no object"), ({"doc_key": "a"}, "clusters"), ("", "no JSON")]
)
def test_a_key_that_is_none_is_refused(key, said):
    with pytest.raises(scoref.Error) as error:
        score_answer(key, "[]")
    assert error.value.code == "bad-key"
    assert said in str(error.value)
    assert "--with-key" in (error.value.problem.remedy or "")


def test_answers_that_make_no_runs_are_refused():
    texts = sums([([[0, 1]], [[0, 1]]), ([[0, 1]], [[0, 1]])])
    with pytest.raises(scoref.Error) as error:
        corpus_scores([*texts, texts[0]])
    assert error.value.code == "uneven-runs"
    assert "document 1 has 1 answers, but document 0 has 2" in str(error.value)
    with pytest.raises(scoref.Error) as error:
        corpus_scores([])
    assert error.value.code == "no-answer"
