from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.document.document import stretch
from scoref.document.trees import fragments
from scoref.matching.match import MATCHERS, align
from strategies import partitions

METRICS = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")

# word/part of speech/parse bit, sentence by sentence
CAT = """The/DT/(S(NP(NP* small/JJ/* cat/NN/*) under/IN/(PP* the/DT/(NP* green/JJ/* table/NN/*))) yawned/VBD/(VP*)
         and/CC/* it/PRP/(S(NP*) purred/VBD/(VP*)))"""
COUPLE = """Anna/NNP/(S(NP(NP(NP*) and/CC/* Piotr/NNP/(NP*)) from/IN/(PP* Gdynia/NNP/(NP*))) met/VBD/(VP*
            us/PRP/(NP*)))"""
FLAT = "Anna/NNP/(S(NP* and/CC/* Piotr/NNP/*) left/VBD/(VP*))"
FOX = "the/DT/(S(NP(NP* fox/NN/* 's/POS/*) bushy/JJ/* fur/NN/*) shone/VBD/(VP*) ,/,/* its/PRP$/(S(NP* fur/NN/*)))"
CITY = "St./NNP/(S(NP* of/IN/(PP* Padua/NNP/(NP*))) calls/VBZ/(VP* him/PRP/(NP*)))"
THAT = "that/DT/(S(NP*) beats/VBZ/(VP* that/DT/(NP*)))"
PRICE = "rose/VBD/(S(VP* 5/CD/(NP(QP* %/NN/*) of/IN/(PP* -LRB-/-LRB-/(NP* all/DT/* -RRB-/-RRB-/*)))))"


WHOLE: set[str] = set()


def document(text: str, **entities: list[tuple[int, int]]) -> scoref.Document:
    words, pos, parse = zip(*(token.split("/") for token in text.split()), strict=True)
    mentions = tuple(scoref.Mention(stretch(*span), name) for name, spans in entities.items() for span in spans)
    return scoref.Document("d", words, mentions, (0,), {"pos": pos, "parse": parse})


def score(key: scoref.Document, response: scoref.Document, match: str) -> dict[str, scoref.Score]:
    return scoref.score(key, response, metrics=METRICS, match=match).scores


def units(text: str, first: int, last: int) -> set[str]:
    """The words of the minimum span's units; WHOLE if it has none and the mention stands for itself."""
    one = document(text, x=[(first, last)])
    (mention,) = one.mentions
    found = fragments(one).minimum(mention.span)
    if {words for words, _ in found} == {mention.span}:
        return WHOLE
    return {" ".join(one.words[word] for word in words) for words, _ in found}


# -- exact -----------------------------------------------------------------------------------------------------------


def test_exact_matches_the_same_words_only():
    key = document(CAT, x=[(0, 6), (9, 9)])
    assert score(key, document(CAT, y=[(9, 9), (0, 6)]), "exact")["lea"] == (1, 1, 1)
    assert score(key, document(CAT, y=[(9, 9), (0, 2)]), "exact")["lea"] == (0, 0, 0)


def test_opaque_mentions_match_by_their_ids():
    found = align(scoref.clusters([["a", ("b", 1)]]), scoref.clusters([[("b", 1)], ["c"]]), "exact")
    assert (found.key, found.response) == ([1], [0])


def test_lists_and_tuples_are_the_same_mention():
    assert scoref.score([[[0, 1], [4, 4]]], [[(0, 1), (4, 4)]])["muc"] == (1, 1, 1)


# -- minimum spans ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("response", [(0, 6), (0, 2), (0, 3), (0, 4)])
def test_a_mention_cut_behind_its_head_matches(response):
    scores = score(document(CAT, x=[(0, 6), (9, 9)]), document(CAT, y=[response, (9, 9)]), "min")
    assert scores == dict.fromkeys(METRICS, (1, 1, 1))


@pytest.mark.parametrize("response", [(1, 2), (2, 2), (3, 6), (0, 1)])
def test_a_mention_cut_inside_its_head_does_not_match(response):
    assert score(document(CAT, x=[(0, 6), (9, 9)]), document(CAT, y=[response, (9, 9)]), "min")["muc"] == (0, 0, 0)


MINIMUM = [
    (CAT, (0, 6), {"The small cat"}),  # the words of one phrase stand together, determiner included
    (CAT, (4, 6), {"the green table"}),
    (CAT, (9, 9), {"it"}),
    (COUPLE, (0, 2), {"Anna", "Piotr"}),  # of coordinated phrases each gives its unit
    (COUPLE, (0, 4), {"Anna", "Piotr"}),
    (FLAT, (0, 2), {"Anna and Piotr"}),
    (FOX, (0, 4), {"bushy fur"}),  # the unit directly under the root, not the possessor
    (FOX, (0, 2), {"the fox 's"}),
    (CITY, (0, 2), WHOLE),  # an abbreviation before a bracket is lost, the whole mention stands for it
    (THAT, (2, 2), WHOLE),  # no word that can be a head
    (PRICE, (1, 2), {"5 %"}),
    (PRICE, (2, 2), {"%"}),
    (PRICE, (4, 6), WHOLE),
    (PRICE, (4, 4), WHOLE),
]


@pytest.mark.parametrize(("text", "span", "expected"), MINIMUM)
def test_minimum_spans(text, span, expected):
    assert units(text, *span) == expected


def test_a_head_matches_the_mention_it_heads():
    key = document(FOX, x=[(0, 4), (7, 8)])
    assert score(key, document(FOX, x=[(3, 4), (7, 8)]), "min")["muc"] == (1, 1, 1)
    assert score(key, document(FOX, x=[(0, 2), (7, 8)]), "min")["muc"] == (0, 0, 0)


def test_coordinated_heads_must_all_be_there():
    key = document(COUPLE, x=[(0, 4), (6, 6)])
    assert score(key, document(COUPLE, x=[(0, 2), (6, 6)]), "min")["muc"] == (1, 1, 1)
    assert score(key, document(COUPLE, x=[(0, 0), (6, 6)]), "min")["muc"] == (0, 0, 0)


def test_exact_matches_come_before_minimum_spans():
    key, response = document(CAT, x=[(0, 6)]), document(CAT, y=[(0, 2)], z=[(0, 6)])
    assert align(key, response, "min") == ([0], [1])


def test_an_alignment_is_one_to_one():
    key, response = document(CAT, x=[(0, 6), (9, 9)]), document(CAT, y=[(0, 2), (0, 3), (0, 4)])
    assert align(key, response, "min") == ([0], [2])  # of several, the one that shares most
    assert align(response, key, "min") == ([2], [0])


def test_the_same_words_elsewhere_have_another_minimum_span():
    assert align(document(THAT, x=[(0, 0)]), document(THAT, y=[(2, 2)]), "min") == ([], [])


def test_trees_of_the_response_are_cut_from_the_key():
    key, response = document(CAT, x=[(0, 6), (9, 9)]), document(CAT, y=[(0, 2), (9, 9)])
    assert score(key, replace(response, columns={}, words=()), "min")["muc"] == (1, 1, 1)


def test_minimum_spans_need_a_parse():
    key, response = (replace(document(CAT, x=[span]), columns={}) for span in ((0, 6), (0, 2)))
    with pytest.raises(scoref.Error, match="parse"):
        scoref.score(key, response, match="min")


# -- every matcher ---------------------------------------------------------------------------------------------------

# mentions with the same minimum span, in one entity or in two; bare determiners; mentions in mentions
SELF = [
    document(CAT, x=[(0, 6), (0, 2), (9, 9)], y=[(4, 6), (8, 8)]),
    document(CAT, x=[(0, 6), (9, 9)], y=[(0, 2), (4, 6)]),
    document(CAT, x=[(0, 2), (0, 3), (0, 4)], y=[(9, 9)]),
    document(THAT, x=[(0, 0), (2, 2)]),
    document(PRICE, x=[(1, 6), (4, 6)], y=[(1, 2), (0, 0)]),
]


@pytest.mark.parametrize(
    "match", [name for name in MATCHERS if name != "min-coval"]
)  # where different mentions are one
@pytest.mark.parametrize("key", SELF)
def test_identical_documents_score_1(match, key):
    assert score(key, key, match) == dict.fromkeys(METRICS, (1, 1, 1))


places = st.sampled_from([stretch(first, last) for first in range(11) for last in range(first, 11)])


@pytest.mark.parametrize("match", MATCHERS)
@settings(max_examples=50)
@given(st.lists(places, max_size=8, unique=True), st.lists(places, max_size=8, unique=True))
def test_alignments_are_one_to_one_and_prefer_the_same_words(match, key, response):
    mentions = [tuple(scoref.Mention(span, "x") for span in side) for side in (key, response)]
    found = align(*(replace(document(CAT), mentions=side) for side in mentions), match)
    assert len(set(found.key)) == len(found.key) == len(set(found.response)) == len(found.response)
    pairs = {(key[one], response[other]) for one, other in zip(found.key, found.response, strict=True)}
    assert pairs >= {(span, span) for span in key if span in response}
    assert match != "exact" or all(one == other for one, other in pairs)


@pytest.mark.parametrize("match", [name for name in MATCHERS if name != "dice"])
@settings(max_examples=30)
@given(partitions)
def test_opaque_mentions_match_themselves(match, entities):
    key = scoref.clusters(entities)
    every = list(range(len(key.mentions)))
    assert align(key, key, match) == (every, every)
