"""Every function and command that takes a response takes answers, and says which could not be read, and why."""

from __future__ import annotations

import json

import pytest

import scoref
from places import EXAMPLES
from scoref.cli import main
from scoref.evaluator import CorefEvaluator
from scoref.pairing import pairs

KEY = EXAMPLES / "key.conll"
GOOD = '```json\n[["Ada", "She", "her"], ["the old plumber from Leeds", "him", "The plumber"]]\n```'
PROSE = "I cannot do that."
WHY = "1 × refusal: an answer without any mention"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.md").write_text(GOOD)
    (tmp_path / "prose.txt").write_text(PROSE)
    return tmp_path


@pytest.fixture
def run(capsys):
    def command(*arguments):
        code = main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return code, " ".join(out.split()), err

    return command


def key():
    return scoref.read(KEY)[0]


def test_functions_of_python():
    whole = scoref.score(key(), scoref.answer(GOOD))
    scorer = scoref.Scorer()
    scorer.update(key(), scoref.answer(GOOD))
    assert scorer.compute()["conll"] == whole["conll"]
    evaluator = CorefEvaluator()
    evaluator.update(scoref.answer(GOOD), key())
    assert evaluator.get_prf() == pytest.approx((whole["conll"].precision, whole["conll"].recall, whole["conll"].f1))
    compared = scoref.compare(key(), {"good": scoref.answer(GOOD), "prose": scoref.answer(PROSE)})
    assert compared.systems["good"]["conll"] == whole["conll"]
    assert any(note.startswith(f"prose: {WHY}") for note in compared.notes())
    assert compared.to_dict()["answers"]["prose"]["reasons"] == {"refusal": 1}


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
def test_score_says_why_in_every_output(folder, run, output):
    code, out, err = run("score", KEY, folder / "prose.txt", "--output", output)
    assert code == 0
    assert "refusal" in (err if output == "csv" else out)


def test_other_commands_say_why(folder, run):
    prose = folder / "prose.txt"
    assert WHY in run("errors", KEY, prose)[1]
    assert json.loads(run("errors", KEY, prose, "--json")[1])["problems"][0]["code"] == "refusal"
    assert "problems were found" in run("explain", KEY, prose)[1]
    assert f"prose.txt: {WHY}" in run("compare", KEY, folder / "good.md", prose)[1]
    assert WHY in run("validate", prose, "--key", KEY)[1]
    run("score", KEY, prose, "--save", folder / "sums.stats")
    assert WHY in run("merge", folder / "sums.stats")[1]


def test_a_board_takes_answers(folder, run):
    (folder / "all").mkdir()
    for name in ("good.md", "prose.txt"):
        (folder / name).rename(folder / "all" / name)
    code, out, _ = run("board", KEY, folder / "all", "-o", folder / "board.html", "--json", folder / "board.json")
    assert code == 0
    assert f"prose*: {WHY}" in out
    rows = json.loads((folder / "board.json").read_text())["accepted"]
    assert [row["name"] for row in rows] == ["good", "prose"]


def test_convert_writes_an_answer_at_the_words_of_its_key(folder, run):
    target = folder / "good.conll"
    assert run("convert", folder / "good.md", target, "--key", KEY)[0] == 0
    assert scoref.score(KEY, target)["conll"] == scoref.score(KEY, folder / "good.md")["conll"]
    code, out, err = run("convert", folder / "good.md", folder / "alone.conll", "--format", "answer")
    assert (code, out) == (2, "")
    assert "--key KEY" in err
    assert not (folder / "alone.conll").exists()


def test_an_answer_cannot_be_checked_without_its_key(folder, run):
    code, out, _ = run("validate", folder / "good.md")
    assert code == 1
    assert "[no-words]" in out
    assert run("validate", folder / "good.md", "--key", KEY)[0] == 0


def test_raise_makes_it_an_error_with_its_place(folder, run):
    code, out, err = run("score", KEY, folder / "prose.txt", "--on-problem", "raise")
    assert (code, out) == (2, "")
    assert "[refusal]" in err
    assert "prose.txt:1" in err


def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(pairs, "process_count", lambda size, number: number or 1)
    keys = [scoref.Document(f"text {number}", key().words, key().mentions) for number in range(5)]
    scoref.write(keys, tmp_path / "key.jsonl")
    replies = [GOOD, PROSE, "[Ada](#1) phoned [the old plumber from Leeds](#2) . [She](#1) told [him](#2)", "[]", GOOD]
    lines = [json.dumps({"id": each.id, "output": reply}) for each, reply in zip(keys, replies, strict=True)]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines))
    paths = tmp_path / "key.jsonl", tmp_path / "answers.jsonl"
    results = [scoref.score(*paths, jobs=jobs).to_dict() for jobs in (1, 3)]
    assert results[0] == results[1]
    assert results[0]["answers"]["reasons"] == {"refusal": 1}


@pytest.mark.parametrize(("text", "marks"), [("[He](#1) ran\na|[2]", "markdown"), ("He ran\nShe ran", "crac")])
def test_the_style_that_is_named_says_how_many_documents_a_text_has(tmp_path, text, marks):
    """In crac each line is a document, also where no mention is marked; in others not, whatever the text looks like."""
    path = tmp_path / "both.txt"
    path.write_text(text)
    assert scoref.score(path, path, marks=marks).size == (2 if marks == "crac" else 1)


@pytest.mark.parametrize("said", ["[2e308,", "[[2e308, 3]]", '{"clusters": [[[0, 1e999]], ["Ada"]]}', "[1e400]"])
def test_numbers_that_are_too_large_are_no_places(said):
    assert scoref.score(key(), scoref.answer(said))["mentions"].recall in (0, 1 / 10)


def _chat(text, **more):
    return {**more, "choices": [{"message": {"role": "assistant", "content": text}}]}


def _message(text, **more):
    return {**more, "type": "message", "role": "assistant", "content": [{"type": "text", "text": text}]}


REPLIES_OF_APIS = {
    "chat": lambda number, name, text: _chat(text, id=f"chatcmpl-{number}", object="chat.completion"),
    "chat without an object": lambda number, name, text: _chat(text, id=f"chatcmpl-{number}"),
    "another server": lambda number, name, text: _chat(text, id=f"{number:032x}", model="large"),
    "response": lambda number, name, text: {"id": f"resp_{number}", "object": "response", "output": [_message(text)]},
    "message": lambda number, name, text: _message(text, id=f"msg_{number}"),
    "named": lambda number, name, text: _chat(text, id=f"chatcmpl-{number}", document=name),
    "own names": lambda number, name, text: _chat(text, id=name),
    "batch": lambda number, name, text: {
        "id": f"batch_req_{number}", "custom_id": name,
        "response": {"status_code": 200, "body": _chat(text, id=f"chatcmpl-{number}", object="chat.completion")},
    },
    "batch of messages": lambda number, name, text: {
        "custom_id": name, "result": {"type": "succeeded", "message": _message(text, id=f"msg_{number}")},
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", REPLIES_OF_APIS)
def test_an_id_that_an_api_made_names_no_document(tmp_path, kind):
    """Raw replies go by `custom_id`, or by a name of the document that was added; without one by their order."""
    people = {"tale": ("Ada", "her"), "story": ("Tom", "his")}
    keys = [scoref.Document(name, (one, "lost", other, "hat"), [scoref.Mention.at(0, 0, 1), scoref.Mention.at(2, 2, 1)])
            for name, (one, other) in people.items()]  # fmt: skip
    order = [*people] if kind in ("chat", "chat without an object", "another server", "response", "message") else [
        *reversed(people)]  # fmt: skip
    lines = [json.dumps(REPLIES_OF_APIS[kind](number, name, json.dumps([people[name]]))) + "\n"
             for number, name in enumerate(order, 1)]  # fmt: skip
    (tmp_path / "answers.jsonl").write_text("".join(lines))
    scoref.write(keys, tmp_path / "key.conll")
    assert scoref.score(tmp_path / "key.conll", tmp_path / "answers.jsonl", metrics=["muc"])["muc"].f1 == 1


def test_clusters_that_are_none_need_no_words(tmp_path):
    """A file `[]` may be an answer; beside a key that has names alone it is an empty response all the same."""
    for name, text in (("none.json", "[]"), ("some.json", '[["a", "b"], ["c", "d"]]')):
        (tmp_path / name).write_text(text)
    scores = scoref.score(tmp_path / "some.json", tmp_path / "none.json", metrics=["b3"])
    assert (scores["b3"].recall, scores.problems) == (0, ())
    nothing = scoref.score(tmp_path / "none.json", tmp_path / "none.json", metrics=["b3"])
    assert "b3: no mentions in key and response" in str(nothing)
    with pytest.raises(scoref.Error, match="an answer cannot be placed in a key without words"):
        scoref.score(tmp_path / "some.json", scoref.answer('Here is the list: [["a", "b"]]'))


def test_a_text_without_marks_is_no_list(tmp_path):
    """A text that looks like a list with numbers, and has no mention on either side."""
    path = tmp_path / "texts.txt"
    path.write_text(
        "#begin document one\n[Ada](#1) saw [her](#1) dog\n#end document\n"
        "#begin document two\n1) Ada = she came and saw that Ada came\n#end document\n"
    )
    result = scoref.score(path, path)
    assert (result["mentions"].precision, result["conll"].f1) == (1, 1)
