"""A number that cannot be meant is never alone: what is said beside it, what is refused, and what says nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

import scoref
from places import EXAMPLES, SHARED, beside
from scoref import formats
from scoref.document.document import Document, Mention
from scoref.document.spans import position, stretch, word_of
from scoref.formats import Source
from scoref.problems import Problems

TALES = scoref.read(EXAMPLES / "tales" / "key.conll")
SIGNS = {"moved-mentions", "counted-bytes", "names-alike", "nothing-in-common", "no-links", "no-singletons",
         "no-zeros", "no-mentions", "no-realis", "all-lost", "other-attributes"}  # fmt: skip


def moved(first: int, last: int) -> list[Document]:
    """The tales with mentions that begin and end some words later, without what would fall out of the text."""
    found = []
    for document in TALES:
        ends = [
            (word_of(each.span[0]) + first, word_of(each.span[-1]) + last, each.entity) for each in document.mentions
        ]
        kept = [Mention.at(*each) for each in ends if 0 <= each[0] <= each[1] < len(document.words)]
        found.append(replace(document, mentions=kept))
    return found


def codes(result: scoref.Evaluation) -> list[str]:
    return [problem.code for problem in result.problems if problem.code in SIGNS]


def message(key: object, response: object, **choices: str) -> str:
    """What is said of a sign, beside the score or as an error."""
    try:
        result = scoref.score(key, response, **choices)
    except scoref.Error as error:
        return str(error)
    return "\n".join(problem.message for problem in result.problems if problem.code in SIGNS)


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (0, 1, "ends are one too far: --response-ends exclusive"),
        (0, -1, "ends are one too early: --key-ends exclusive"),
        (1, 0, "starts are one too far"),
        (-1, 0, "starts are one too early"),
        (1, 1, "positions are one too far"),
        (-1, -1, "positions are one too early"),
        (4, 4, "moved by a constant"),
    ],
)
def test_moved_mentions_are_named_with_their_remedy(first: int, last: int, words: str):
    assert words in message(TALES, moved(first, last))


def typed(document: Document, types: str, by: int = 0) -> Document:
    """A document whose mentions have these types in turn, moved by some words."""
    mentions = [
        Mention.at(word_of(each.span[0]) + by, word_of(each.span[-1]) + by, each.entity,
                   attributes=(("type", types[place % len(types)]),))
        for place, each in enumerate(document.mentions)
    ]  # fmt: skip
    return replace(document, mentions=mentions)


def test_mentions_of_other_types_are_not_moved():
    words = tuple(map(str, range(200)))
    key = Document("d", words, [Mention.at(5 * n, 5 * n, n % 3) for n in range(20)])
    result = scoref.score(typed(key, "AB"), typed(key, "AAAB"), agree="type")
    assert codes(result) == ["other-attributes"]
    said = "5 of 5 response mentions without a twin would have one: they have another type"
    assert [each.message.startswith(said) for each in result.problems] == [True]
    assert "they have another type" in message(typed(key, "A"), typed(key, "B"), agree="type")
    assert codes(scoref.score(typed(key, "AB"), typed(key, "AAAB"))) == []


def test_moved_mentions_of_the_same_types_are_still_named():
    key = Document("d", tuple(map(str, range(200))), [Mention.at(5 * n, 5 * n, n % 3) for n in range(20)])
    assert "positions are one too far" in message(typed(key, "AB"), typed(key, "AB", 1), agree="type")
    assert "the cause is not known" in message(typed(key, "A"), typed(key, "B", 1), agree="type")


def test_nothing_in_common_with_a_cause_is_an_error():
    with pytest.raises(scoref.Error, match="no mention in common") as error:
        scoref.score(TALES, moved(1, 1))
    assert error.value.code == "nothing-in-common"
    assert "docs/looks-wrong.md" in str(error.value)
    result = scoref.score(TALES, moved(1, 1), on_problem="skip")
    assert result["mentions"].f1 == 0
    assert codes(result) == ["nothing-in-common"]


def test_nothing_in_common_without_a_cause_is_said():
    words = tuple(map(str, range(200)))
    key = Document("d", words, [Mention.at(5 * n, 5 * n, n % 3) for n in range(20)])
    response = Document("d", words, [Mention.at(5 * n + 2 + n % 3 % 2, 5 * n + 3, n % 4) for n in range(20)])
    result = scoref.score(key, response)
    assert codes(result) == ["nothing-in-common"]
    assert "the cause is not known" in result.problems[0].message
    assert result.problems[0].to_dict() in json.loads(json.dumps(result.to_dict()))["problems"]


def test_bytes_instead_of_letters():
    text = "Ézra naïve Zoë élan déjà vu Äpfel öl über ñandú " * 3
    names = text.split()
    starts, place = [], 0
    for name in names:
        place = text.index(name, place)
        starts.append(place)
        place += len(name)
    ends = [(start, start + len(name) - 1) for start, name in zip(starts, names, strict=True)]
    key = Document("d", mentions=[Mention.at(*each, n % 4) for n, each in enumerate(ends)], columns={"text": [text]})
    size = [len(text[:number].encode()) for number in range(len(text) + 1)]
    in_bytes = [Mention.at(size[first], size[last + 1] - 1, n % 4) for n, (first, last) in enumerate(ends)]
    response = replace(key, mentions=in_bytes)
    assert "bytes of UTF-8" in message(key, response)


@pytest.mark.parametrize(
    ("naming", "words"),
    [
        (lambda n: f"m{n:03}", "leading zeros"),
        (lambda n: f"M{n}", "case"),
        (lambda n: f" m{n}", "blanks"),
        (lambda n: f"doc1-{n}", "what stands before the number"),
    ],
)
def test_names_that_differ_in_little(naming, words: str):
    key = [[f"m{number}" for number in range(1, 21)]]
    assert f"names differ in {words}" in message(key, [[naming(number) for number in range(1, 21)]])


def test_look_alikes_are_shown_by_their_code_points():
    key, response = (Document("d", (word, "ran"), [Mention.at(0, 0, 1)]) for word in ("Zoe\u0308", "Zo\u00eb"))
    with pytest.raises(scoref.Error, match=r"it looks alike, but is U\+005A U\+006F U\+00EB") as error:
        scoref.score(key, response)
    assert "U+0065 U+0308" in str(error.value)


def singletons(documents: Iterable[Document]) -> list[Document]:
    return [replace(each, mentions=[m.of(n) for n, m in enumerate(each.mentions)]) for each in documents]


def test_a_side_without_links_or_singletons_or_mentions_or_zeros():
    assert "the response links nothing" in message(TALES, singletons(TALES))
    alone = [
        replace(each, mentions=[*each.mentions, Mention.at(0, len(each.words) - 1, "alone")]) for each in TALES * 3
    ]
    alone = [replace(each, id=f"{each.id}{number}") for number, each in enumerate(alone)]
    plain = [replace(each, mentions=[m for m in each.mentions if m.entity != "alone"]) for each in alone]
    counts = [sum(len(entity) == 1 for entity in each.entities().values()) for each in plain]
    linked = [
        replace(each, mentions=[m for m in each.mentions if len(each.entities()[m.entity]) > 1]) for each in plain
    ]
    said = message(alone, linked)
    assert f"the response has no singletons, {sum(counts) + len(alone)} of the" in said
    assert "--singletons drop" in said
    assert message(alone, linked, singletons="drop") == ""
    assert "the response has no mentions" in message(TALES, [replace(each, mentions=()) for each in TALES])
    zeros = [
        replace(each, mentions=[*each.mentions, *(Mention((position(n, 1),), "z") for n in range(3))]) for each in TALES
    ]
    assert "the response has no zeros, 12 of the" in message(zeros, TALES)
    assert message(zeros, TALES, zeros="drop") == ""


def test_realis_that_one_side_lacks():
    def nuggets(realis: str) -> Document:
        attributes = (("type", "Conflict.Attack"), ("realis", realis))
        spans = [stretch(10 * n, 10 * n + 3) for n in range(6)]
        return Document("d", mentions=[Mention(span, n % 2, f"E{n}", (), attributes) for n, span in enumerate(spans)])

    assert "no mention of the response has a realis" in message(nuggets("Actual"), nuggets(""), protocol="kbp-2015")
    assert message(nuggets("Actual"), nuggets("Actual"), protocol="kbp-2015") == ""


def test_good_responses_are_not_suspected():
    for name in ("model.conll", "rules.conll"):
        assert codes(scoref.score(EXAMPLES / "tales" / "key.conll", EXAMPLES / "tales" / name)) == []


REAL = [
    ("real-gum/files/gum.key.conll", "real-gum/files/gum.response.xrenner.conll"),
    ("real-gum/files/gum.key.conll", "real-gum/files/gum.response.medium.conll"),
    ("real-korkor/files/key.conllu", "real-korkor/files/response.medium.conllu"),
    ("real-codi-light/files/light.key.CONLLUA", "real-codi-light/files/light.response.heavy.CONLLUA"),
]


@beside
@pytest.mark.parametrize(("key", "response"), REAL)
def test_real_responses_are_not_suspected(key: str, response: str):
    assert codes(scoref.score(SHARED / "vectors" / key, SHARED / "vectors" / response)) == []


def test_marks_of_which_none_is_right_are_an_error():
    """`[0: the man]` looks like the style colon, `[words: id]`, in which the words would be 0."""
    words = ("Ada", "saw", "the", "man", "at", "noon", ".", "She", "ran", "from", "him", "at", "once", ".")
    key = Document("d", words, [Mention.at(0, 0, 0), Mention.at(7, 7, 0)])
    source = Source(b"[0: Ada] saw [1: the man] at noon . [0: She] ran from [1: him] at once .", "a.txt")
    _, response = formats.read_source(source, "text", Problems())
    with pytest.raises(scoref.Error, match="--marks STYLE") as error:
        scoref.score(key, response)
    assert error.value.code == "all-lost"
