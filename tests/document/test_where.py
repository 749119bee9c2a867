"""Facts about the mentions of many documents at once are those of each mention alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.document.document import Document, Mention
from scoref.document.forms import COLUMNS, FORMS, form, headed
from scoref.document.kinds import SideMentions
from scoref.document.where import NOWHERE, ends_of, inside, inside_stretches, sentences_of
from scoref.formats.columnar import cells_at

TAGS = ["NN", "NNP", "PRP", "NUM", "VB", "_", "PROPN", "NOUN"]


@st.composite
def documents(draw, stretches=False):
    words = draw(st.lists(st.sampled_from(["Ada", "she", "old", "_", "tap"]), min_size=1, max_size=9))
    tags = {name: draw(st.lists(st.sampled_from(TAGS), min_size=len(words), max_size=len(words)))
            for name in draw(st.lists(st.sampled_from(COLUMNS), max_size=2, unique=True))}  # fmt: skip
    ends = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(words) - 1)).map(sorted)
    mentions = [Mention.at(*each, "e") for each in draw(st.lists(ends, max_size=6))]
    if not stretches and draw(st.booleans()):
        mentions += [
            Mention((), "e", "m"),
            Mention((0, 1), "e"),
            *[Mention.at(0, 0, "e", head=0)] * draw(st.booleans()),
        ]
    sentences = draw(st.sets(st.integers(0, len(words) - 1)))
    return Document("d", words, mentions, tuple(sorted(sentences)), tags)


def head_by_hand(document, mention):
    tags = next((document.columns[name] for name in COLUMNS if name in document.columns), ())
    words = [place >> 8 for place in mention.span if not place & 255]
    if mention.is_zero or not words:
        return -1
    if mention.head is not None:
        return mention.head >> 8
    if not tags or tags[words[-1]] == "_":
        return words[-1]
    nouns = [tags[word].startswith(("N", "PROPN")) and tags[word] != "NUM" for word in words]
    if True not in nouns:
        return words[-1]
    first = nouns.index(True)
    return words[next((at - 1 for at in range(first, len(words)) if not nouns[at]), len(words) - 1)]


@given(st.lists(documents(), max_size=4))
def test_heads_and_forms_are_those_of_each_mention(some):
    found = headed(some)
    every = [(document, mention) for document in some for mention in document.mentions]
    assert [FORMS[number] for number in found.form] == [form(*each) for each in every]
    assert found.word.tolist() == [head_by_hand(*each) for each in every]


@given(st.lists(documents(), max_size=4))
def test_places_are_those_of_each_mention(some):
    every = [(number, mention.span) for number, document in enumerate(some) for mention in document.mentions]
    ends = [(span[0] >> 8, span[-1] >> 8) if span else (NOWHERE, NOWHERE) for _, span in every]
    assert [*map(tuple, ends_of(some).tolist())] == ends
    numbers, words = np.array([number for number, _ in every], np.int64), np.array([first for first, _ in ends], int)
    expected = [
        sum(start <= word for start in some[number].sentences) if len(some[number].sentences) > 1 else -1
        for number, word in zip(numbers, words, strict=True)
    ]
    assert sentences_of(some, numbers, words).tolist() == expected
    side = SideMentions(some, numbers)
    assert side.lengths.tolist() == [sum(not at & 255 for at in span) if span else NOWHERE for _, span in every]


@given(st.lists(documents(stretches=True), max_size=4))
def test_a_stretch_is_nested_if_a_longer_one_holds_it(some):
    numbers = np.repeat(np.arange(len(some)), [len(document.mentions) for document in some])
    found = inside_stretches(numbers, ends_of(some)).tolist()
    spans = [[{*mention.span} for mention in document.mentions] for document in some]
    assert found == [int(not any(span < other for other in each)) for each in spans for span in each]
    assert found == [number for document in some for number in inside(document.mentions.spans)]


@pytest.mark.parametrize("nothing", [[], [Document("d")]])
def test_no_mentions_have_no_places(nothing):
    assert len(headed(nothing).form) == len(ends_of(nothing)) == len(SideMentions(nothing, np.empty(0, int)).order) == 0


CELLS = ["a.txt", "0", "1", "word", "NN", "(NP*)", "-", "-", "-", "Ann", "*", "-"]


@given(st.lists(st.lists(st.tuples(st.integers(1, 13), st.sampled_from(["  ", "\t", " \x0b "]), st.sampled_from(TAGS)),
                         min_size=1, max_size=5), min_size=1, max_size=5))  # fmt: skip
def test_columns_of_many_documents_are_those_of_each(tmp_path_factory, texts):
    path = tmp_path_factory.getbasetemp() / "columns.conll"
    lines = []
    for number, text in enumerate(texts):
        lines.append(f"#begin document (d{number}); part 000")
        for width, blank, tag in text:
            cells = [*CELLS[:4], tag, *CELLS[5:]]
            lines += [blank.join([*cells[: min(width, 11)], *["*"] * (width > 11), "-"]), ""]
        lines.append("#end document")
    path.write_bytes("\n".join(lines).encode())
    one, together, apart = ([*scoref.read(str(path))] for _ in range(3))
    headed(together)
    assert [dict(document.columns) for document in together] == [dict(document.columns) for document in one]
    ends = [[0, len(document.words) - 1] for document in one]
    found = [[*cells_at(document.columns, "speaker", words)] for document, words in zip(apart, ends, strict=True)]
    speakers = [document.columns.get("speaker") for document in one]
    assert found == [[each[word] for word in words] if each else [] for each, words in zip(speakers, ends, strict=True)]
