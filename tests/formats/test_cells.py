"""Columns that stay bytes: they are sequences of texts like any others."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats._cells import Cells

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
