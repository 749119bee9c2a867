"""Any correct answer is read as it is meant, in whatever shape and style it is written, with remarks around it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from answers import written
from scoref import Document, Mention
from scoref.document.spans import word_of

STORIES = written.stories()


def key_of(story: written.Story) -> Document:
    mentions = [Mention.at(each.first, each.last, story.owner(each)) for each in story.mentions]
    return Document("d", story.words, mentions)


def spans(document: Document) -> list[list[tuple[int, int]]]:
    return sorted(
        sorted((word_of(each.span[0]), word_of(each.span[-1])) if each.span else (-1, -1) for each in entity)
        for entity in document.entities().values()
    )


def read_as_meant(story: written.Story, reply: str, marks: str | None = None) -> None:
    key = key_of(story)
    result = scoref.score(key, scoref.answer(reply, marks=marks), metrics=["mentions", "b3", "ceafe"])
    assert spans(result.evidence.pairs[0].response) == spans(key), reply
    assert [result[name].f1 for name in ("mentions", "b3", "ceafe")] == [1, 1, 1]


@given(st.data())
def test_shapes_of_json(data):
    story = data.draw(STORIES)
    value = data.draw(written.values(story))
    notation = data.draw(st.sampled_from([*written.NOTATIONS, written.json_lines]))
    read_as_meant(story, data.draw(written.around(notation(value))))


@pytest.mark.parametrize("name", written.LISTS)
@given(st.data())
@settings(max_examples=20)
def test_lists_and_tables(name, data):
    story = data.draw(STORIES)
    read_as_meant(story, data.draw(written.around(written.LISTS[name](story))))


@pytest.mark.parametrize("template", written.TEMPLATES)
@given(st.data())
@settings(max_examples=20)
def test_styles_of_marks(template, data):
    story = data.draw(written.stories(nested=template not in written.FLAT))
    ids = data.draw(st.sampled_from(["1234", ["12", "7", "0", "3"], ["PERSON_1", "PLACE_1", "x2", "e-3"]]))
    text = written.marked(story, template, ids, data.draw(st.booleans()))
    read_as_meant(story, data.draw(written.around(text)))


@given(st.data())
@settings(max_examples=40)
def test_marks_with_low_or_raised_digits_on_words_and_tags_of_crac(data):
    story = data.draw(written.stories(nested=False, single=True))
    kind = data.draw(st.sampled_from(["low", "raised", "word", "crac"]))
    ids = ["1", "2", "3", "4"]
    marks = {"low": lambda id: written.low(id), "raised": lambda id: "⁰¹²³⁴"[int(id)]}
    owners = {each.first: ids[story.owner(each)] for each in story.mentions}
    words = []
    for number, word in enumerate(story.words):
        id = owners.get(number)
        mark = {"word": f"{word}|{id}", "crac": f"{word}|[e{id}]"}.get(kind) or (id and f"[{word}]{marks[kind](id)}")
        words.append(mark if id else word)
    read_as_meant(story, data.draw(written.around(" ".join(words))))


BRACKETS = [each for each in written.TEMPLATES if each not in written.FLAT]


@given(st.data())
@settings(max_examples=60)
def test_brackets_of_the_text_are_text(data):
    story = data.draw(written.stories(literal=True))
    template = data.draw(st.sampled_from(BRACKETS))
    text = written.marked(story, template, ["11", "12", "13", "14"])
    read_as_meant(story, data.draw(written.around(text)))
