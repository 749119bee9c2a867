"""How mentions fared: results, groups by form, position, distance, size and attributes; counts of other layers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from analysing import analysed, spans, spoken, text
from scoref.document.document import Bridge, position, stretch
from scoref.document.forms import form
from scoref.document.mentions import Mentions
from scoref.errors.other_layers import bridging_counts
from scoref.errors.outcomes import RESULTS


def test_how_mentions_fared():
    key = [["a", "b", "c"], ["d", "e"], ["f"], ["g"]]
    response = [["a", "b"], ["c", "d"], ["e"], ["x"], ["f", "g"]]
    results = {each.place.text: each.result for each in analysed(key, response).outcomes}
    assert results == {
        "a": "right", "b": "right", "c": "no antecedent", "d": "false antecedent", "e": "no antecedent",
        "f": "right", "g": "false antecedent", "x": "extra",
    }  # fmt: skip
    assert analysed([["a", "c"], ["b"]], [["b", "c"]]).outcomes[-1].result == "wrong antecedent"


@settings(max_examples=60)
@given(spans, spans)
def test_every_view_counts_every_mention_once(key, response):
    analysis = analysed(spoken(key), spoken(response))
    ours, theirs = (len(side.mentions) for side in analysis.evaluation.evidence.aligned[0][:2])
    for view in ("form", "position", "distance", "size"):
        rows = analysis.by(view).rows
        assert sum(row[1] for row in rows) == ours
        right_to_missed = [sum(row[3:-1]) for row in rows]
        assert right_to_missed == [row[1] for row in rows]
        shared = ours - sum(row[-2] for row in rows)
        assert sum(row[-1] for row in rows) == theirs - shared
    assert set(RESULTS) >= {outcome.result for outcome in analysis.outcomes}


def group(field, outcome):
    """The group of an outcome, one mention at a time."""
    place, before = outcome.place, outcome.antecedent
    if field == "form":
        return form(place.document, place.mention)
    if field == "position":
        return "later" if before else "first"
    if field == "size":
        bounds = [(1, 1), (2, 2), (3, 4), (5, 8), (9, 16)]
        return next((f"{a}-{b}" if a < b else str(a) for a, b in bounds if a <= outcome.size <= b), "17+")
    if before is None:
        return "first mention"
    words = [each.mention.span[0] // position(1) for each in (before, place)]
    starts = place.document.sentences
    if len(starts) > 1:
        far = sum(words[0] < start <= words[1] for start in starts)
        return ["same sentence", "1 sentence", "2 sentences", *["3-5 sentences"] * 3, "6+ sentences"][min(far, 6)]
    far = words[1] - words[0]
    return next(name for most, name in ((9, "0-9 words"), (49, "10-49 words"), (199, "50-199 words")) if far <= most)


@settings(max_examples=60)
@given(spans, spans, st.booleans(), st.sampled_from(["span", "plain"]))
def test_groups_of_all_outcomes_are_those_of_each(key, response, divided, kind):
    sides = [replace(spoken(side), sentences=(0, 3, 4, 9) if divided else ()) for side in (key, response)]
    if kind == "plain":  # as readers give mentions of which only the ends are known
        ends = [[(m.span[0] // position(1), m.span[-1] // position(1)) for m in side.mentions] for side in sides]
        sides = [
            replace(side, mentions=Mentions.of(both, [m.entity for m in side.mentions]))
            for side, both in zip(sides, ends, strict=True)
        ]
    outcomes = analysed(*sides).outcomes
    for field in ("form", "position", "distance", "size"):
        names, of = outcomes.groups(field)
        assert [names[number] for number in of] == [group(field, outcome) for outcome in outcomes]


def test_distances_are_in_sentences_where_there_are_any():
    key = text({"1": [(0, 0), (2, 2), (5, 5), (9, 9)]}, sentences=(0, 4, 8))
    labels = [row[0] for row in analysed(key, key).by("distance").rows]
    assert labels == ["same sentence", "1 sentence", "first mention"]
    plain = text({"1": [(0, 0), (2, 2)]})
    assert [row[0] for row in analysed(plain, plain).by("distance").rows] == ["0-9 words", "first mention"]
    first = scoref.Mention((position(-1, 1),), "1")  # an empty node before the first word
    zero = replace(plain, mentions=(first, *plain.mentions[1:]))
    assert [row[0] for row in analysed(zero, zero).by("distance").rows] == ["0-9 words", "first mention"]


def test_attributes_are_confused():
    def side(*kinds):
        mentions = [scoref.Mention(stretch(n, n), n, None, (), (("etype", kind),)) for n, kind in enumerate(kinds)]
        return scoref.Document("d", tuple("abcd"), tuple(mentions))

    analysis = analysed(side("person", "place", "place"), side("person", "person", "place"))
    assert analysis.confusion("etype") == {("person", "person"): 1, ("place", "person"): 1, ("place", "place"): 1}
    assert [row[:2] for row in analysis.by("etype").rows] == [("person", 1), ("place", 2)]
    with pytest.raises(scoref.Error, match="no mention has the attribute 'colour'"):
        analysis.by("colour")


@pytest.mark.parametrize(
    ("columns", "span", "head", "expected"),
    [
        ({}, (0, 0), None, "pronoun"),
        ({}, (1, 2), None, "name"),
        ({}, (3, 4), None, "noun phrase"),
        ({"pos": ["PRP", "NNP", "NNP", "DT", "NN", "IN", "NNP"]}, (3, 6), None, "noun phrase"),
        ({"pos": ["PRP", "NNP", "NNP", "DT", "NN", "IN", "NNP"]}, (1, 2), None, "name"),
        ({"UPOS": ["PRON", "PROPN", "PROPN", "DET", "NOUN", "ADP", "PROPN"]}, (3, 6), 6, "name"),
        ({"UPOS": ["PRON", "PROPN", "PROPN", "DET", "NOUN", "ADP", "PROPN"]}, (0, 0), 0, "pronoun"),
        ({"UPOS": ["VERB"] * 7}, (0, 0), 0, "other"),
    ],
)
def test_forms(columns, span, head, expected):
    words = ("She", "Ada", "Lovelace", "the", "engine", "of", "Babbage")
    mention = scoref.Mention(stretch(*span), "1", head=None if head is None else position(head))
    assert form(scoref.Document("d", words, (mention,), columns=columns), mention) == expected


def test_forms_of_zeros_skeletons_and_opaque_mentions():
    zero = scoref.Mention((position(0, 1),), "1")
    assert form(scoref.Document("d", ("a",), (zero,)), zero) == "zero"
    bare = scoref.Mention(stretch(0, 0), "1")
    assert form(scoref.Document("d", ("_",), (bare,)), bare) == "unknown"
    assert form(scoref.clusters([["a"]]), scoref.clusters([["a"]]).mentions[0]) == "unknown"


def test_members_of_sets_are_missed_and_extra():
    key = scoref.clusters({"a": ["a"], "b": ["b"], "c": ["c"], "they": ["they"]}, sets={"they": ["a", "b"]})
    response = scoref.clusters({"a": ["a"], "b": ["b"], "c": ["c"], "they": ["they"]}, sets={"they": ["a", "c"]})
    found = analysed(key, response, protocol="paun-2023").further()["split antecedents"]
    assert found == {"sets right": 1, "sets missed": 0, "sets extra": 0,
                     "members right": 1, "members missed": 1, "members extra": 1}  # fmt: skip


def test_bridging_anaphors_and_antecedents_are_told_apart():
    names = {str(number): [(number, number)] for number in range(6)}
    key = text(names, bridges=(Bridge(3, 0), Bridge(4, 0), Bridge(5, 1)))
    response = text(names, bridges=(Bridge(3, 0), Bridge(4, 2), Bridge(2, 1)))
    assert bridging_counts(analysed(key, response).evaluation) == {
        "right": 1, "antecedent wrong": 1, "anaphor missed": 1, "anaphor extra": 1,
    }  # fmt: skip
