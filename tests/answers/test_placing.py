"""Placing strings: fast as slow, and what must hold of any placement."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from answers import slow_placing, written
from scoref import Document, Mention
from scoref.answers.chance import shuffled
from scoref.answers.payloads import Listed, Payload
from scoref.answers.placing import placed
from scoref.answers.strings import KeyText

WORDS = ["he", "He", "Karl", "Tom", "the", "old", "man", "”", '"', "a", "ﬁ", "fi"]
keys = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14)
strings = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
entities = st.lists(st.lists(strings, min_size=1, max_size=4), min_size=1, max_size=4)


def fast(words, lists):
    found = placed(Payload([[Listed(text) for text in entity] for entity in lists]), KeyText(words), None, "inclusive")
    return [[item.place for item in items] for items in found.lists]


@given(keys, entities)
@settings(max_examples=300)
def test_fast_is_slow(words, lists):
    known = [[text for text in entity if slow_placing.occurrences(words, text)] for entity in lists]
    assert fast(words, known) == slow_placing.placed(words, known)


def test_rounds_not_entity_by_entity():
    words = ["Karl", "met", "Karl", ".", "He", "left", ".", "He", "ran", ".", "Tom", "fell", ".", "He", "slept"]
    lists = [["Karl", "Karl", "He", "He"], ["Tom", "He"]]
    expected = [[(0, 0), (2, 2), (4, 4), (7, 7)], [(10, 10), (13, 13)]]  # by hand, from the story
    assert slow_placing.placed(words, lists) == expected
    assert fast(words, [*reversed(lists)]) == [*reversed(expected)]


@given(keys, entities, st.integers(0, 10**6))
@settings(max_examples=100)
def test_random_places_respect_the_counts(words, lists, seed):
    """As many mentions of each string have a place, no place is given twice, and it is one of the string."""
    payload = Payload([[Listed(text) for text in entity] for entity in lists])
    key = KeyText(words)
    found = placed(payload, key, None, "inclusive")
    other = shuffled(found, random.Random(seed))
    sides = [[(key.looked_up(item.listed.text)[0], item.place) for items in each for item in items]
             for each in (found.lists, other)]  # fmt: skip
    for text in {text for text, _ in sides[0]}:
        numbers = [sum(each == text and place is not None for each, place in side) for side in sides]
        assert numbers[0] == numbers[1]
    seats = [place for _, place in sides[1] if place]
    assert len(seats) == len({*seats})
    assert all(place in key.find(text).places for text, place in sides[1] if place)


@given(keys, st.data())
@settings(max_examples=150)
def test_dropping_a_mention_never_raises_recall(words, data):
    """With numbers each mention has its place, whatever else is listed."""
    spans = st.tuples(st.integers(0, len(words) - 1), st.integers(0, 2)).filter(lambda at: sum(at) < len(words))
    owned = st.lists(st.tuples(spans, st.integers(0, 2)), min_size=1, max_size=8, unique_by=lambda each: each[0])
    key, response = ([((first, first + more), owner) for (first, more), owner in data.draw(owned)] for _ in range(2))
    key = Document("d", words, [Mention.at(*span, owner) for span, owner in key])
    # each span once, or lists of two could be links
    listed = [[span for span, owner in response if owner == each] for each in {owner for _, owner in response}]
    full = [[[" ".join(words[first : last + 1]), first, last] for first, last in entity] for entity in listed]
    entity = data.draw(st.integers(0, len(full) - 1))
    number = data.draw(st.integers(0, len(full[entity]) - 1))
    less = [[each for at, each in enumerate(row) if (row is not full[entity]) or at != number] for row in full]
    results = [scoref.score(key, scoref.answer(json.dumps(each)), metrics=["mentions", "muc", "b3"])
               for each in (full, less)]  # fmt: skip
    for name in ("mentions", "muc", "b3"):
        assert results[1][name].recall <= results[0][name].recall + 1e-12


@given(st.data())
@settings(max_examples=60)
def test_dropping_a_mark_never_raises_recall(data):
    """In the text each mention has its place, too."""
    key = data.draw(written.stories())
    template = data.draw(st.sampled_from([each for each in written.TEMPLATES if each not in written.FLAT]))
    owners = {each: data.draw(st.integers(0, 2)) for each in key.mentions}
    kept = [each for each in key.mentions if data.draw(st.booleans())] or key.mentions[:1]
    gone = data.draw(st.sampled_from(kept))

    def recall(mentions, name):
        entities = [[each for each in mentions if owners[each] == owner] for owner in range(3)]
        reply = written.marked(written.Story(key.words, entities), template, ["10", "11", "12"])
        document = Document(
            "d", key.words, [Mention.at(each.first, each.last, key.owner(each)) for each in key.mentions]
        )
        return scoref.score(document, scoref.answer(reply), metrics=[name])[name].recall

    for name in ("mentions", "muc", "b3"):
        assert recall([each for each in kept if each != gone], name) <= recall(kept, name) + 1e-12


def test_unique_is_strict():
    key = Document("d", ["she", "saw", "she", "."], [Mention.at(0, 0, 1)])
    with pytest.raises(scoref.Error, match="ambiguous-mention"):
        scoref.score(key, scoref.answer('[["she"]]'), place="unique")
