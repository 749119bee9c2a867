"""Columns that stay bytes: they are sequences of texts like any others."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.document.mentions import Mention, Mentions
from scoref.document.words import words_of
from scoref.formats.columnar import Cells

words = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), max_size=8)


def cells(texts: list[str], between: str) -> Cells:
    """A file with these cells, and others between them."""
    data, start, end = between.encode(), [], []
    for text in texts:
        start.append(len(data))
        data += text.encode()
        end.append(len(data))
        data += between.encode()
    return Cells(data, np.array(start, np.int64), np.array(end, np.int64))


@given(words)
def test_cells_are_a_sequence_of_their_texts(texts):
    found = cells(texts, "\t")
    assert len(found) == len(texts)
    assert [*found] == texts == found[:] == [found[index] for index in range(len(texts))]
    assert found == tuple(texts)
    assert tuple(texts) == found
    assert hash(found) == hash(tuple(texts))
    assert repr(found) == repr(texts)


@given(words, words)
def test_cells_of_two_files_are_equal_if_their_texts_are(ours, theirs):
    assert cells(ours, " - ") == cells(ours, "\t_\t")
    assert (cells(ours, " ") == cells(theirs, "\n")) == (ours == theirs)


@given(words)
def test_cells_are_stored_without_the_rest_of_the_file(texts):
    stored = pickle.dumps(cells(texts, "secret"))
    assert pickle.loads(stored) == texts
    assert b"secret" not in stored or any("secret" in text for text in texts)


@given(words, st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([1, 2, -1]))
def test_words_in_one_piece_are_a_sequence_of_their_texts(texts, first, last, step):
    found, expected = words_of(texts), tuple(texts)
    assert [*found] == texts == [found[index] for index in range(len(texts))]
    assert [found[-index] for index in range(1, len(texts) + 1)] == texts[::-1]
    assert found[first:last:step] == expected[first:last:step]
    assert (found, hash(found), repr(found)) == (expected, hash(expected), repr(expected))
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(IndexError):
        found[len(texts)]


ends = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from("xyz")), max_size=6)


@given(ends, st.integers(-7, 7), st.integers(-7, 7))
def test_mentions_as_arrays_are_a_sequence_of_mentions(given_, first, last):
    expected = tuple(Mention.at(start, start + more, entity) for start, more, entity in given_)
    found = Mentions.of([(start, start + more) for start, more, _ in given_], [entity for *_, entity in given_])
    assert (*found,) == expected == tuple(found[index] for index in range(len(given_)))
    assert [found[-index] for index in range(1, len(given_) + 1)] == [*expected[::-1]]
    assert found[first:last] == expected[first:last]
    assert (found, hash(found), repr(found)) == (expected, hash(expected), repr(expected))
    with pytest.raises(IndexError):
        found[len(given_)]
