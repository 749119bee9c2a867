"""Which values are the clusters of one document, which are batches, and which can be read in two ways."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.document.depth import depth_of, kept


class Span(NamedTuple):
    first: int
    last: int


DOCUMENTS = {
    "names": [["a", "b"], ["c"]],
    "numbers": [[1, 2], [3]],
    "sets of names": [{"a", "b"}, {"c"}],
    "frozen sets": {frozenset("ab"), frozenset("c")},
    "spans": [[(0, 1), (2, 2)], [(5, 5)]],
    "spans from JSON": [[[0, 1], [2, 2]], [[5, 5]]],
    "spans with sentences": [[[0, 0, 1], [0, 2, 2]], [[1, 5, 5]]],
    "spans of e2e": [((0, 1), (2, 2)), ((5, 5),)],
    "named tuples": [[Span(0, 1), Span(2, 2)]],
    "numbers of numpy": [[(np.int64(0), np.int64(1))]],
    "rows of arrays": [[np.array([0, 1]), np.array([2, 2])]],
    "arrays": [np.array([[0, 1], [2, 2]]), np.array([[5, 5]])],
    "an empty entity": [[(0, 1), (2, 2)], []],
    "pairs of names": [[("d1", "m1"), ("d1", "m2")], [("d2", "m1")]],
    "a name and a number": [[("d1", 1), ("d1", 2)], [("d2", 1)]],
    "the same from JSON": [[["d1", 1], ["d1", 2]], [["d2", 1]]],
    "a name and a span": [[("d1", (0, 1)), ("d1", (2, 2))]],
    "some of several spans": [[((0, 1), (3, 4)), (5, 5)]],
    "some of three spans": [[((0, 1), (3, 4), (7, 7)), (5, 5)]],
    "ranges": [[range(2), range(4, 6)]],
    "entities with names": {"Ada": ["she", "her"], "Bob": ["he"]},
    "entities of spans with names": {"Ada": [(0, 1), (2, 2)], "Bob": [[5, 5]]},
    "the entity of each": {"she": "Ada", "her": "Ada"},
    "values": {"Ada": ["she"]}.values(),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_one_document(name):
    assert depth_of(DOCUMENTS[name]).kind == "document"


# Those whose mentions are names in lists or sets, or spans: all that is unambiguous one level deeper.
IN_A_BATCH = [name for name in DOCUMENTS if name not in ("numbers", "frozen sets")]


@pytest.mark.parametrize("name", IN_A_BATCH)
def test_documents_in_a_collection_are_a_batch(name):
    document = DOCUMENTS[name]
    for batch in ([document], (document, document), {"d1": document}, [document, []], {"d1": [], "d2": document}):
        assert depth_of(batch).kind == "batch"


def test_levels_are_counted():
    assert [depth_of(DOCUMENTS[name]).levels for name in ("names", "spans", "the entity of each")] == [2, 3, 1]
    assert [depth_of([DOCUMENTS[name]]).levels for name in ("names", "spans", "the entity of each")] == [3, 4, 2]


@pytest.mark.parametrize("value", [[], {}, (), [[]], [[], []], [[[]], []], {"d1": []}])
def test_nothing_says_nothing(value):
    assert depth_of(value).kind == "empty"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([[[1, 2, 3], [4]]], "[1, 2, 3]"),  # words of a mention, or numbered mentions of an entity
        ([[[4], [5]]], "[4]"),
        ([[(1, 2, 3), (4, 5)]], "(1, 2, 3)"),
        ([[("a", "b"), ("c",)]], "('c',)"),  # words of a mention, or the mentions of an entity
        ([[["d1", "m1"], ["d1", "m2"]]], "['d1', 'm1']"),  # as entities they would share a mention
        ({"Ada": [["d1", "m1"], ["d1", "m2"]]}, "['d1', 'm1']"),
        ([[["a", "b"], ("c", "d")]], "['a', 'b']"),
        ([[frozenset("a"), frozenset("b")]], "frozenset({'a'})"),
        ([[["a", "b"], ["c"]], ["d", "e"]], "['a', 'b']"),  # a document that lacks a level
        ([[[(0, 1), (2, 2)]], [(0, 1), (2, 2)]], "[(0, 1), (2, 2)]"),
        ([[[], (0, 1)]], "[]"),  # no mention, but perhaps an entity
    ],
)
def test_two_readings(value, shown):
    assert depth_of(value).kind == "ambiguous"
    assert depth_of(value).reason.startswith(shown)


@pytest.mark.parametrize(
    "value",
    [
        [[[["a", "b"], ["c"]]]],
        [[[[(0, 1), (2, 2)]]]],
        [{"clusters": [[[0, 1], [2, 2]]]}],
        [{"d1": {"she": "Ada"}}],
    ],
)
def test_too_deep(value):
    assert depth_of(value).kind == "deep"


def test_a_list_that_holds_itself():
    endless: list[object] = []
    endless.append(endless)
    assert depth_of(endless).kind == "deep"


@pytest.mark.parametrize("value", [3, None, "ab", b"ab", np.array(5), np.zeros((2, 2, 2, 2))])
def test_what_has_no_depth(value):
    assert depth_of(value).levels == 0


span = st.tuples(st.integers(0, 50), st.integers(0, 50))
names = st.text("abc", min_size=1, max_size=3)


@given(st.lists(st.lists(st.lists(st.one_of(span), min_size=1), min_size=1), min_size=1))
def test_spans_by_their_depth(batch):
    assert depth_of(batch).kind == "batch"
    assert depth_of(batch[0]).kind == "document"
    assert depth_of([[[list(span) for span in entity] for entity in document] for document in batch]).kind == "batch"


@given(st.lists(st.lists(names, min_size=1, unique=True), min_size=1, unique_by=lambda entity: entity[0]))
def test_names_by_their_depth(document):
    assert depth_of(document).kind == "document"
    distinct = [[f"{number} {name}" for name in entity] for number, entity in enumerate(document)]
    assert depth_of([distinct]).kind == "batch"


def test_what_is_gone_through_once_is_kept():
    batch = [[[(0, 1), (2, 2)], [(5, 5)]], [[(3, 3)]]]
    assert kept(batch) is batch
    assert kept(iter([iter([iter(entity) for entity in document]) for document in batch])) == batch
