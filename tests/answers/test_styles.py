"""The style of marks: as the slow version chooses it; templates that are named; what is no mark of them."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import scoref
from answers import slow_styles
from scoref import Document, Mention
from scoref.answers.kinds.marks import Marks

WORDS = ["Ada", "saw", "the", "old", "ferry", "it", "1", "note"]
TEMPLATES = [*slow_styles.STYLES]


@st.composite
def texts(draw):
    """A key, and its text with marks of up to two styles; some words of it are lost, and some are others.

    The last word has no mark: the mark of another style that ends a text may be half a mark of the style.
    """
    key = draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=8))
    templates = draw(st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=2))
    parts = []
    number = 0
    while number < len(key):
        size = draw(st.integers(1, 2))
        words = draw(st.sampled_from([key[number : number + size]] * 5 + [["bridge"], []]))
        number += size
        style = draw(st.sampled_from([None, *templates]))
        said = " ".join(words)
        id = draw(st.sampled_from(["1", "2", "e3"]))
        parts.append(style.replace("{words}", said).replace("{id}", id) if style and said else said)
    return [*key, "end"], " ".join(filter(None, [*parts, "end"]))


@given(texts())
@example((["Ada"] * 5 + ["saw", "Ada"], "[Ada Ada](#1) [Ada: 1] Ada Ada saw [bridge: 1]"))  # equally near
@settings(max_examples=150)
def test_fast_is_slow(both):
    key, text = both
    slow = slow_styles.choice(key, text)
    found = Marks(key, None).read(text)
    fast = next((each for each in found if each.placed), None)
    assert (fast and fast.style) == slow, text
    if fast and slow:
        reading = slow_styles.read(key, slow_styles.without_tags(text, slow), slow_styles.STYLES[slow])
        places = [(each.mention.span[0] >> 8, each.mention.span[-1] >> 8) for each in fast.mentions if each.mention]
        assert sorted(places) == sorted(filter(None, reading.places))


KEY = Document("d", ["Ada", "saw", "the", "old", "ferry", "."], [Mention.at(0, 0, 1), Mention.at(2, 4, 2)])


@pytest.mark.parametrize(
    "template",
    ["<<{words}>>={id}", "«{words}»{id}", "@{id}({words})", "{{words}}[{id}]", "⟪{id}|{words}⟫", "<{words} id={id}>"],
)
def test_any_template(template):
    text = " saw ".join(template.replace("{words}", words).replace("{id}", id) for words, id in
                        (("Ada", "1"), ("the old ferry", "2"))) + " ."  # fmt: skip
    result = scoref.score(KEY, scoref.answer(text, marks=template), metrics=["mentions", "b3"])
    assert (result["mentions"].f1, result["b3"].f1) == (1, 1)


@pytest.mark.parametrize("template", ["{words}", "[{id}]", "[{words}](#{id}) {words}", "{id}{id}{id}{words}"])
def test_what_is_no_template(template):
    with pytest.raises(scoref.Error, match="unknown-marks"):
        scoref.score(KEY, scoref.answer("[Ada](#1)", marks=template))


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("<m id=1>Ada</m> saw it", "<"),
        ("[Ada: 1] saw [the old ferry: 2] .", "[the plumber: 2]"),
        ("[Ada] saw", "[Ada]"),
    ],
)
def test_named_marks_that_are_not_there_say_what_is(text, seen):
    with pytest.raises(scoref.Error, match="other-marks") as raised:
        scoref.score(KEY, scoref.answer(text, marks="[{words}](#{id})"))
    assert seen in str(raised.value.problem.expected)


def test_named_marks_are_taken_even_if_others_fit_better():
    text = "<m>Ada</m>#1 saw [the old ferry](#2) ."
    (pair,) = scoref.score(KEY, scoref.answer(text, marks="<m>{words}</m>#{id}")).evidence.pairs
    assert [(each.entity, each.span[0] >> 8) for each in pair.response.mentions] == [("1", 0)]


def test_a_style_whose_marks_are_all_lost_is_never_chosen():
    text = "Ada saw the old ferry . [Zorro](#1) <m>Ada</m>#2"
    (pair,) = scoref.score(KEY, scoref.answer(text)).evidence.pairs
    assert pair.answered.reason is not None or pair.answered.read != "[{words}](#{id})"
