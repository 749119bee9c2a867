"""Prompts: what a model is told, what it is not, and that a perfect answer in each shape is the key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
import strategies
from places import EXAMPLES
from scoref import Document, Mention
from scoref.cli.program import main
from scoref.formats.marked.marks import scan
from scoref.formats.marked.styles import STYLES
from scoref.prompting.shapes import SHAPES, showable

TALES, OTHER = str(EXAMPLES / "tales" / "key.conll"), str(EXAMPLES / "key.conll")

WORDS = ("Ada", "told", "her", "brother", "that", "he", "and", "she", "won", ".")
SPANS = {"Ada": [(0, 0), (2, 2), (7, 7)], "brother": [(2, 3), (5, 5)], "both": [(5, 7)]}


def key(id: str = "d", words: tuple[str, ...] = WORDS) -> Document:
    mentions = [Mention.at(*span, name) for name, spans in SPANS.items() for span in spans]
    return Document(id, words, mentions, (0,))


def entities_of(style: str, answer: str) -> set[frozenset[tuple[int, int]]]:
    """What an answer says, read without what is under test: marks by the reader of marked text, JSON by json."""
    found: dict[object, set[tuple[int, int]]] = {}
    if style in STYLES:
        for entity, first, last, *_ in scan(answer, style).mentions:
            found.setdefault(entity, set()).add((first, last))
    else:
        for number, mentions in enumerate(json.loads(answer)["clusters"]):
            found[number] = {(first, last) for _, first, last in mentions}
    return {*map(frozenset, found.values())}


@pytest.mark.parametrize("style", [name for name in SHAPES if name != "json"])
def test_a_perfect_answer_is_the_annotation(style: str) -> None:
    example, left_out = showable(key(), SHAPES[style], "keep")
    assert left_out == 0
    answer = SHAPES[style].answered(example)
    assert entities_of(style, answer) == {*map(frozenset, SPANS.values())}


@pytest.mark.parametrize("style", [name for name in SHAPES if name != "json"])
@given(strategies.documents)
def test_a_perfect_answer_has_all_that_its_shape_can_show(style: str, sides: tuple[list[Document], object]) -> None:
    document = sides[0][0]
    example, left_out = showable(document, SHAPES[style], "keep")
    shown = [{(each.span[0] >> 8, each.span[-1] >> 8) for each in one} for one in example.entities().values()]
    assert entities_of(style, SHAPES[style].answered(example)) == {*map(frozenset, shown)}
    assert len(example.mentions) + left_out == len(document.mentions)
    whole = [each for each in document.mentions if is_whole(each)]
    assert SHAPES[style].nests != "none" or len(example.mentions) == len(whole)


def is_whole(mention: Mention) -> bool:
    """Whether it is a stretch of words: positions of words are multiples of 256."""
    first, last = mention.span[0], mention.span[-1]
    return [*mention.span] == [*range(first, last + 1, 256)] and first % 256 == 0


def test_strings_are_those_of_the_text() -> None:
    answer = SHAPES["json"].answered(showable(key(), SHAPES["json"], "drop").document)
    assert json.loads(answer) == {"clusters": [["Ada", "her", "she"], ["her brother", "he"]]}


def test_crossing_mentions_are_left_out_where_marks_nest_and_counted() -> None:
    crossing = Document("d", WORDS, [Mention.at(0, 2, "a"), Mention.at(2, 3, "c"), Mention.at(9, 9, "b")])
    kept, left_out = showable(crossing, SHAPES["markdown"], "keep")
    assert ([*map(crossing.text_of, kept.mentions)], left_out) == (["Ada told her", "."], 1)
    assert showable(crossing, SHAPES["crac"], "keep").left_out == 0
    assert showable(crossing, SHAPES["json"], "keep").left_out == 0


def test_the_annotation_is_in_no_prompt() -> None:
    bare = [Document(each.id, each.words, (), each.sentences) for each in scoref.read(TALES)]
    for style in SHAPES:
        hidden = scoref.prompts(TALES, style, singletons="keep")
        assert [each.to_dict() for each in hidden] == [
            each.to_dict() for each in scoref.prompts(bare, style, singletons="keep")
        ]


def test_a_record_has_what_a_loop_needs() -> None:
    made = scoref.prompts(TALES, few=OTHER, shots=1)
    records = [json.loads(line) for line in made.dumps().splitlines()]
    documents = scoref.read(TALES)
    assert [each["id"] for each in records] == [each.id for each in documents]
    assert [each["text"].split() for each in records] == [[*each.words] for each in documents]
    assert {(each["style"], each["version"]) for each in records} == {("markdown", 1)}
    assert all(each["prompt"].endswith(f"Text:\n{each['text']}\n\nAnswer:\n") for each in records)
    assert [each["prompt"].count("Answer:\n") for each in records] == [2] * len(documents)


def test_messages_are_the_same_as_turns() -> None:
    made = scoref.prompts(TALES, few=OTHER, shots=1)
    records = [json.loads(line) for line in made.dumps(chat=True).splitlines()]
    assert len(records) == len(made) > 1
    roles = {tuple(each["role"] for each in record["messages"]) for record in records}
    assert roles == {("system", "user", "assistant", "user")}
    assert [record["messages"][-1]["content"] for record in records] == [each.text for each in made]
    said = [message["content"] for message in records[0]["messages"]]
    assert [part in made[0].prompt for part in said] == [True] * 4


def test_singletons_are_asked_for_as_the_key_has_them() -> None:
    with_one = scoref.prompts([key()])[0].prompt
    without = scoref.prompts([key()], singletons="drop")[0].prompt
    assert "only once counts, too" in with_one
    assert "only once does not count" in without
    (few,) = scoref.prompts([Document("other", ("Bo", "left", "."), [Mention.at(0, 0, "Bo")])], few=[key()])
    assert entities_of("markdown", few.examples[0][1]) == {*map(frozenset, SPANS.values())}


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (key("d", ("Bo", *WORDS[1:])), "name"),
        (key("other"), "text"),
        (key("other", (*WORDS, "Then", "it", "rained", ".")), "text"),
        (key("other", tuple(word.upper() for word in WORDS)), "text"),
    ],
)
def test_documents_of_the_key_are_no_examples(other: Document, what: str) -> None:
    with pytest.raises(scoref.Error, match=f"an example is a document of the key: the {what}") as error:
        scoref.prompts([key()], few=[other])
    assert error.value.code == "same-documents"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (([[["a", "b"]]],), "no-words"),
        (([Document("d", ("_", "_"))],), "no-words"),
        (([key(), key()],), "repeated-document"),
        (([key()], "yaml"), "unknown-style"),
    ],
)
def test_keys_that_cannot_be_asked_about_are_refused(arguments: tuple[object, ...], code: str) -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.prompts(*arguments)
    assert error.value.code == code


@pytest.mark.parametrize(("few", "shots"), [(None, 1), (OTHER, 0), (OTHER, 99)])
def test_numbers_of_examples_that_there_are_not(few: str | None, shots: int) -> None:
    with pytest.raises(scoref.Error) as error:
        scoref.prompts(TALES, few=few, shots=shots)
    assert error.value.code == "bad-shots"


def test_the_command_writes_what_the_function_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "prompts.jsonl"
    words = ["prompts", TALES, "--style", "json", "--few", OTHER, "--chat"]
    assert main([*words, "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert text == scoref.prompts(TALES, "json", few=OTHER).dumps(chat=True)
    capsys.readouterr()
    assert main(words) == 0
    assert capsys.readouterr().out == text
    assert main(["prompts", TALES, "--few", TALES]) == 2
    said = capsys.readouterr()
    assert (said.out, "same-documents" in said.err) == ("", True)


@given(st.integers(0, 6))
def test_words_are_numbered_from_0(number: int) -> None:
    shown = SHAPES["json-words"].shown(key("d", WORDS[:number]))
    assert shown == " ".join(f"{place}:{word}" for place, word in enumerate(WORDS[:number]))


def test_the_key_is_beside_the_prompt_if_it_is_asked_for(tmp_path: Path) -> None:
    lines = {}
    for words in ([], ["--with-key"], ["--with-key", "--chat"]):
        assert main(["prompts", TALES, "--style", "json", *words, "-o", str(tmp_path / "out.jsonl"), "--force"]) == 0
        lines[tuple(words)] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    plain, with_key, chat = lines.values()
    assert [{name: each for name, each in line.items() if name != "key"} for line in with_key] == plain
    assert [line["key"] for line in chat] == [line["key"] for line in with_key]
    record = json.loads(with_key[0]["key"])
    assert record["protocol"] == "conll-2012"
    (tmp_path / "key.jsonl").write_text("\n".join(line["key"] for line in with_key), encoding="utf-8")
    assert [*scoref.score(TALES, tmp_path / "key.jsonl").values()] == [(1, 1, 1)] * 5
    assert scoref.prompts(scoref.read(TALES), "json")[0].protocol is None  # only files have a format
