"""Which part of an entity stays, and what is right: partners, names, marks, costs; against slow literal versions."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from analysing import analysed, spans, spoken
from places import SHARED, beside
from scoref.document.document import Document, Mention
from scoref.errors.analysis import Analysis
from scoref.errors.mistakes import KINDS
from scoref.errors.outcomes import MARKS
from strategies import partitions

pairs = st.tuples(partitions, partitions)


def twins_of(analysis):
    """Pairs of mentions, by their places, as the analysis has them, and whether the matcher aligned them."""
    ours, theirs = analysis.twins.sides
    corrected = set(analysis.twins.corrected.tolist())
    return {
        (k, r): r not in corrected
        for r, k in enumerate(theirs.twin.tolist())
        if k >= 0 and ours.twin[k] == r
    }  # fmt: skip


def slow_partners(analysis):
    """The greedy pairing, literally: the pair of entities that shares most is taken, again and again."""
    ours, theirs = ([analysis.twins.mention(side, rank) for rank in range(len(each.twin))]
                    for side, each in enumerate(analysis.twins.sides))  # fmt: skip
    shared = Counter((ours[k].entity, theirs[r].entity) for k, r in twins_of(analysis))
    sizes = Counter(m.entity for m in ours), Counter(m.entity for m in theirs)
    begins = [{}, {}]
    for side, mentions in enumerate((ours, theirs)):
        for rank, mention in enumerate(mentions):
            begins[side].setdefault(mention.entity, rank)
    found = {}
    while shared:
        best = min(shared, key=lambda pair: (-shared[pair], -shared[pair] / (sizes[0][pair[0]] + sizes[1][pair[1]]),
                                             begins[0][pair[0]], begins[1][pair[1]]))  # fmt: skip
        found[best[0]] = best[1]
        shared = Counter({pair: n for pair, n in shared.items() if pair[0] != best[0] and pair[1] != best[1]})
    return found


def check_marks(analysis):
    partners = slow_partners(analysis)
    twins = twins_of(analysis)
    back = {r: k for k, r in twins}
    forth = dict(twins.keys())
    expected = [[], []]
    for side, mentions in enumerate(analysis.twins.sides):
        for rank in range(len(mentions.twin)):
            k, r = (rank, forth.get(rank)) if side == 0 else (back.get(rank), rank)
            if k is None or r is None:
                expected[side].append("unmatched")
            elif not twins[k, r]:
                expected[side].append("wrong span")
            else:
                mine, theirs = analysis.twins.mention(0, k).entity, analysis.twins.mention(1, r).entity
                expected[side].append("right" if partners.get(mine) == theirs else "elsewhere")
    found = analysis.marks(0)
    for side in range(2):
        ranks = analysis.twins.ranks(side, 0).tolist()
        assert [expected[side][rank] for rank in ranks] == found[side]


@settings(max_examples=300)
@given(pairs)
def test_a_mention_is_right_if_its_twin_is_in_the_partner(sides):
    check_marks(analysed(*sides))


@settings(max_examples=200)
@given(spans, spans)
def test_a_mention_is_right_if_its_twin_is_in_the_partner_for_spans_too(key, response):
    check_marks(analysed(spoken(key), spoken(response)))


def check_names(analysis):
    """Errors name exactly the mentions that are not right."""
    named = {(place.side, place.index) for error in analysis.errors for place in error.mentions}
    named |= {(error.anchor.side, error.anchor.index) for error in analysis.errors if error.kind == "span error"}
    key, response = analysis.marks(0)
    wrong = {("key", n) for n, mark in enumerate(key) if mark != "right"}
    wrong |= {("response", n) for n, mark in enumerate(response) if mark != "right"}
    elsewhere = {(side, n) for side, marks in (("key", key), ("response", response))
                 for n, mark in enumerate(marks) if mark == "elsewhere"}  # fmt: skip
    assert named <= wrong
    assert wrong - named <= elsewhere  # these are named on the other side
    twins = {(("key", analysis.twins.place(0, k).index), ("response", analysis.twins.place(1, r).index))
             for k, r in twins_of(analysis)}  # fmt: skip
    assert all(any(place in named for place in pair) for pair in twins if pair[0] in wrong)


@settings(max_examples=300)
@given(pairs)
def test_errors_name_what_is_not_right(sides):
    check_names(analysed(*sides))


@settings(max_examples=200)
@given(spans, spans)
def test_errors_name_what_is_not_right_for_spans_too(key, response):
    check_names(analysed(spoken(key), spoken(response)))


def slow_counts(analysis):
    """The numbers of errors by their definition: the first mention of an entity stays, whatever it is."""
    counts = dict.fromkeys(KINDS, 0) | {"span error": len(analysis.twins.corrected)}
    for side, names in ((1, KINDS[1:4]), (0, KINDS[4:])):
        mine, other = analysis.twins.sides[side], analysis.twins.sides[1 - side]
        for entity in range(len(mine.name)):
            twins = [int(mine.twin[rank]) for rank in range(len(mine.twin)) if mine.entity[rank] == entity]
            parts = {int(other.entity[twin]) for twin in twins if twin >= 0}
            alone = sum(twin < 0 for twin in twins)
            if not parts:
                counts[names[2]] += 1
            else:
                counts[names[0]] += len(parts) - (twins[0] >= 0)
                counts[names[1]] += alone - (twins[0] < 0)
    return counts


@settings(max_examples=200)
@given(spans, spans)
def test_there_are_as_many_errors_as_if_first_mentions_stayed(key, response):
    analysis = analysed(spoken(key), spoken(response))
    assert analysis.counts() == slow_counts(analysis)
    assert Counter(error.kind for error in analysis.errors) == Counter(
        {kind: number for kind, number in analysis.counts().items() if number}
    )


CHOICES = st.sampled_from(
    [
        {},
        {"singletons": "drop"},
        {"protocol": "conll-2011"},
        {"protocol": "e2e"},
        {"protocol": "stanza"},
        {"protocol": "scorch"},
        {"average": "macro"},
        {"metrics": ["b3-sys", "ceafe-rn", "b3-all", "lea", "entities-exact", "ari", "blanc"]},
        {"twinless": "all"},
        {"singletons": "asp"},
    ]
)


@settings(max_examples=150)
@given(st.lists(st.tuples(spans, spans), min_size=1, max_size=3), CHOICES, st.sampled_from(["document", "corpus"]))
def test_costs_from_the_table_are_those_of_responses_that_are_repaired_and_scored(documents, choices, scope):
    sides = [
        [replace(spoken(pair[side]), id=f"d{number}") for number, pair in enumerate(documents)] for side in range(2)
    ]
    analysis = analysed(*sides, scope=scope, **choices)
    fast = analysis.costs()
    again = Analysis(analysis.evaluation)
    again.__dict__["_rescoring"] = None  # documents are written, aligned and scored again
    slow = again.costs()
    assert len(fast) == len(slow)
    for cost, other in zip(fast, slow, strict=True):
        for found, expected in ((cost.alone, other.alone), (cost.together, other.together)):
            assert found == pytest.approx(expected, abs=1e-12)


def test_an_entity_is_made_of_parts():
    analysis = analysed([["a", "b", "c"], ["d", "e"]], [["a", "b", "d", "x"], ["c", "e"]])
    naming = analysis.naming
    assert [(each.label, each.size, number) for each, number in naming.composition(1, 0)] == [("1", 3, 2), ("2", 2, 1)]
    assert [(each.label, number) for each, number in naming.composition(0, 1)] == [("2", 1), ("1", 1)]


def test_an_error_says_what_is_wrong_and_what_is_right():
    analysis = analysed([["a", "b", "c"], ["d", "e", "y"]], [["a", "b", "d", "x"], ["e", "c"], ["p", "q"]])
    assert [(error.kind, error.sentence) for error in analysis.errors] == [
        ("conflated entities", "'c' is in 2 'e'; the key has it in 1 'a'"),
        ("conflated entities", "'d' is in 1 'a'; the key has it in 2 'd'"),
        ("extra mention", "'x' is in 1 'a'; the key has no such mention"),
        ("extra entity", "'p' and 'q' are entity a; the key has none of them"),
        ("divided entity", "'c' is in 2 'e'; the key has it in 1 'a'"),
        ("divided entity", "'d' is in 1 'a'; the key has it in 2 'd'"),
        ("missing mention", "'y' is missing; the key has it in 2 'd'"),
    ]


GUM = SHARED / "vectors" / "real-gum" / "files"


@beside
def test_marks_of_a_real_response_agree_with_the_numbers_of_its_entities():
    evaluation = scoref.score(GUM / "gum.key.conll", GUM / "gum.response.xrenner.conll")
    analysis = Analysis(evaluation)
    seen = Counter()
    for number, (key, response, lookups) in enumerate(evaluation.evidence.aligned):
        labels, marks = analysis.labels(number), analysis.marks(number)
        twins = {*zip(*lookups.recall, strict=True)}
        for k, r in twins:
            same = labels[0][key.mentions[k].entity] == labels[1][response.mentions[r].entity]
            assert marks[0][k] == marks[1][r] == ("right" if same else "elsewhere")
        for side, there in enumerate(({k for k, _ in twins}, {r for _, r in twins})):
            seen.update(marks[side])
            assert all(mark in MARKS[1::2] for index, mark in enumerate(marks[side]) if index not in there)
    assert seen.keys() == {*MARKS}


@pytest.mark.parametrize(("agree", "counts"), [
    ("none", {}), ("case", {"span error": 1}), ("type", {"extra mention": 1, "missing mention": 1, "span error": 1}),
])  # fmt: skip
def test_another_value_where_mentions_must_agree_is_no_span_error(agree: str, counts: dict[str, int]) -> None:
    """The second mention has another type in the right place; the last one has the right attributes, but is short."""

    def side(types: str, last: int) -> Document:
        ends = [(0, 0), (1, 1), (2, 2), (3, last)]
        return Document("d", tuple("abcdefg"), [
            Mention.at(*each, "e", head=256 * each[0], attributes=(("type", type), ("case", "x")))
            for each, type in zip(ends, types, strict=True)
        ])  # fmt: skip

    match = "head" if agree == "none" else "exact"  # heads alone: what is forgiven is no error
    found = Analysis(scoref.score(side("AAAA", 5), side("ABAA", 4), agree=agree, match=match))
    assert {kind: number for kind, number in found.counts().items() if number} == counts
    assert found.costs()[-1].together["conll"] == pytest.approx(1 - found.evaluation["conll"].f1)
