"""Errors of coreference and of event nuggets: one minimal case for each kind, and what always holds."""

import random

import pytest
from hypothesis import given, settings

import scoref
from scoref.analysis import KINDS, error_counts, errors, nugget_rows
from scoref.model import stretch
from strategies import partitions


def found(key, response):
    return [(each.kind, [place.text for place in each.places]) for each in errors(scoref.score(key, response))]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ([["a", "b"]], [["a", "b"], ["x", "y"]], [("extra entity", ["x", "y"])]),
        ([["a", "b"]], [["a", "b", "x"]], [("extra mention", ["x"])]),
        ([["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]], [("conflated entities", ["a", "c"])]),
        ([["a", "b"], ["c", "d"]], [["a", "b"]], [("missing entity", ["c", "d"])]),
        ([["a", "b", "c"]], [["a", "b"]], [("missing mention", ["c"])]),
        ([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]], [("divided entity", ["a", "c"])]),
    ],
)
def test_each_kind_has_its_operation(key, response, expected):
    assert found(key, response) == expected


def test_an_overlapping_mention_is_a_span_error_and_nothing_else():
    words = ("the", "old", "plumber", "from", "Leeds")
    sides = [
        scoref.Document("d", words, (scoref.Mention(stretch(0, last), "1"), scoref.Mention(stretch(4, 4), "2")))
        for last in (2, 3)
    ]
    assert found(*sides) == [("span error", ["the old plumber", "the old plumber from"])]


@settings(max_examples=60, deadline=None)
@given(partitions)
def test_a_response_has_no_errors_against_itself(entities):
    assert error_counts(errors(scoref.score(entities, entities))) == dict.fromkeys(KINDS, 0)


@settings(max_examples=60, deadline=None)
@given(partitions, partitions)
def test_the_order_of_entities_and_mentions_changes_nothing(key, response):
    def shuffled(side):
        mixed = [random.Random(1).sample(entity, len(entity)) for entity in side]
        return mixed[::-1]

    assert sorted(map(str, found(key, response))) == sorted(map(str, found(shuffled(key), shuffled(response))))


@settings(max_examples=60, deadline=None)
@given(partitions, partitions)
def test_mentions_of_one_side_are_extra_or_missing(key, response):
    listed = errors(scoref.score(key, response))
    ours, theirs = ({m for entity in side for m in entity} for side in (key, response))
    for kinds, expected in (
        (("extra mention", "extra entity"), theirs - ours),
        (("missing mention", "missing entity"), ours - theirs),
    ):
        places = [place.text for error in listed if error.kind in kinds for place in error.places]
        assert sorted(places) == sorted(map(str, expected))


def test_nuggets_side_by_side():
    def side(*rows):
        mentions = [
            scoref.Mention(stretch(*span), id, id, (), (("type", type), ("realis", realis)))
            for id, span, type, realis in rows
        ]
        return scoref.Document("d", (), tuple(mentions))

    key = side(("a", (0, 1), "X", "Actual"), ("b", (5, 6), "X", "Actual"), ("c", (9, 9), "X", "Actual"),
               ("d", (20, 23), "X", "Actual"), ("e", (30, 30), "X", "Actual"))  # fmt: skip
    response = side(("1", (0, 1), "X", "Actual"), ("2", (5, 6), "Y", "Actual"), ("3", (9, 9), "X", "Other"),
                    ("4", (20, 21), "X", "Actual"), ("5", (40, 40), "X", "Actual"))  # fmt: skip
    rows = nugget_rows(scoref.score(key, response, protocol="evmeval-1.8"))
    assert [row.status for row in rows] == ["found", "wrong type", "wrong realis", "partial", "missed", "spurious"]
