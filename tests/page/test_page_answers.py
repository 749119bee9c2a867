"""Answers of language models on the page: as they came, with what was taken from them marked; never as markup."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from test_page_data import HOSTILE, Elements, unpacked

import scoref
from places import EXAMPLES
from scoref.page import build as viewer

KEY = scoref.read(EXAMPLES / "key.conll")[0]
REPLY = f'Sure! 😀 {HOSTILE}\n```json\n[["Ada", "She", "Zorro"], ["the old plumber from Leeds", "him", "him"]]\n```'


def answers(*replies, **choices):
    """What the page has of answers to the key of the examples."""
    systems = {str(number): scoref.score(KEY, scoref.answer(each), **choices) for number, each in enumerate(replies)}
    page = viewer.page(systems)
    return page, [each.get("answer") for each in unpacked(page)["document-0"]["systems"]]


def taken(answer):
    return [answer["text"][begin:end] for _, begin, end in answer["spots"]]


def test_what_was_taken_is_marked_and_is_a_mention_of_the_response():
    page, (answer,) = answers(REPLY)
    assert answer["text"] == REPLY
    assert taken(answer) == ["Ada", "She", "Zorro", "the old plumber from Leeds", "him", "him"]
    response = unpacked(page)["document-0"]["systems"][0]["response"]
    entities = [response["mentions"][index][0] for index, _, _ in answer["spots"]]
    assert entities == [0, 0, 0, 1, 1, 1]
    assert [len(response["mentions"][index]) for index, _, _ in answer["spots"]] == [3, 3, 1, 3, 3, 3]
    assert answer["said"] == ["read as JSON", "1 not in the key"]


def test_marks_in_the_text_and_in_reasoning():
    reply = (
        "<think>[Ada](#9)?</think>\n[Ada](#1) phoned [the old plumber from [Leeds](#3)](#2) . She told [him](#2) that"
    )
    _, (answer,) = answers(reply)
    assert taken(answer) == ["Ada", "the old plumber from [Leeds", "Leeds", "him"]
    assert answer["spots"][0][1] == reply.index("[Ada](#1)") + 1
    assert answer["said"] == ["read as marks in the text, [{words}](#{id})"]


def test_what_a_protocol_leaves_out_is_no_mention_and_reasons_are_said():
    _, (answer, other, none) = answers('[["Ada", "She"], ["noon"]]', "I cannot do that.", "[]", singletons="drop")
    assert [index >= 0 for index, _, _ in answer["spots"]] == [True, True, False]
    assert other["said"] == ["nothing could be taken from it: refusal (prose, or the text without any mark)"]
    assert "spots" not in other
    assert none == {"text": "[]", "said": ["read as JSON"]}


def test_other_responses_have_no_answer():
    systems = {"plain": scoref.score(KEY, EXAMPLES / "response.conll")}
    assert "answer" not in unpacked(viewer.page(systems))["document-0"]["systems"][0]


SCRAPS = [*"<>/&\"'[]{}(),#1 \n", "</script>", HOSTILE, "Ada", "She", "\u202e", "😀", "<!--", "]]>"]


@given(st.lists(st.sampled_from(SCRAPS), max_size=30).map("".join))
@settings(max_examples=25)
def test_no_answer_is_markup(text):
    page, (answer,) = answers(text + ' [["Ada", "She"]]')
    assert answer["text"] == text + ' [["Ada", "She"]]'
    empty, _ = answers('[["Ada", "She"]]')
    tags = [[tag for tag, _ in Elements(each).found] for each in (page, empty)]
    assert tags[0] == tags[1]
