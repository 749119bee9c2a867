"""Metrics on clusterings as wholes, on major entities, with weights, and on kinds of anaphors."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
import slow
from places import EXAMPLES
from scoref.counting.weights import FORMS
from strategies import Partition, _sides, corpora, sides

some = settings(max_examples=60)


def documents(corpus: list[tuple[Partition, Partition]]) -> list[list[scoref.Document]]:
    return [[scoref.clusters(pair[side], str(n)) for n, pair in enumerate(corpus)] for side in (0, 1)]


# -- ARI and V-measure -------------------------------------------------------------------------------------------------


def labels(values: list[int]) -> list[list[int]]:
    """Clusters from a list of labels, as scikit-learn takes them."""
    return [[place for place, value in enumerate(values) if value == label] for label in sorted(set(values))]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [  # the examples of the documentation of sklearn.metrics.adjusted_rand_score
        ([0, 0, 1, 1], [0, 0, 1, 1], 1.0),
        ([0, 0, 1, 1], [1, 1, 0, 0], 1.0),
        ([0, 0, 1, 2], [0, 0, 1, 1], 0.5714285714285714),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0.0),
        ([0, 0, 1, 1], [0, 1, 0, 1], -0.5),
    ],
)
def test_ari_as_scikit_learn(key, response, expected):
    assert scoref.score(labels(key), labels(response), metrics=["ari"])["ari"] == pytest.approx((expected,) * 3)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [  # the examples of the documentation of sklearn.metrics.v_measure_score
        ([0, 0, 1, 1], [1, 1, 0, 0], 1.0),
        ([0, 0, 1, 2], [0, 0, 1, 1], 0.8),
        ([0, 1, 2, 3], [0, 0, 1, 1], 0.6666666666666666),
        ([0, 0, 1, 1], [0, 0, 1, 2], 0.8),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0.0),
        ([0, 0, 1, 1], [0, 0, 0, 0], 0.0),
    ],
)
def test_v_measure_as_scikit_learn(key, response, expected):
    found = scoref.score(labels(key), labels(response), metrics=["v-measure"])["v-measure"].f1
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [  # numpy.corrcoef of the two columns with a 1 for each pair that is together
        ([0, 0, 1, 1], [1, 1, 0, 0], 1.0),
        ([0, 0, 1, 2], [0, 0, 1, 1], 0.6324555320336759),
        ([0, 0, 1, 1], [0, 1, 0, 1], -0.5),
        ([0, 0, 1, 1], [0, 0, 0, 1], 0.0),
    ],
)
def test_cc_is_a_correlation(key, response, expected):
    assert scoref.score(labels(key), labels(response), metrics=["cc"])["cc"] == pytest.approx((expected,) * 3)
    columns = [[a == b for a, b in combinations(side, 2)] for side in (key, response)]
    assert expected == pytest.approx(np.corrcoef(columns)[0, 1], abs=1e-12)


def test_cc_of_equal_sides_is_exactly_1_and_0_where_a_side_has_one_kind_of_pairs():
    key = [["a", "b", "c"], ["d", "e"], ["f"]]
    assert scoref.score(key, key, metrics=["cc"])["cc"].f1 == 1
    for side in ([["a", "b", "c"]], [["a"], ["b"], ["c"]], [["a"]], [["x", "y"]]):
        assert scoref.score(side, key, metrics=["cc"])["cc"].f1 == 0
        assert scoref.score(side, side, metrics=["cc"])["cc"].f1 == 0


NASTY = [
    [([], [])],
    [([[0, 1]], [[2, 3]])],  # nothing in common
    [([[0]], [[0]])],
    [([[0, 1]], [[0], [2]])],  # one mention in common
    [([[0, 1]], [[0], [1]])],
    [([[0, 1, 2], [3]], [[0, 1], [2, 3]]), ([], [[0]]), ([[0, 1]], [[0, 1]])],
    [([[0, 1, 2, 3, 4, 5]], [[0, 1, 2], [3, 4], [6, 7]]), ([[0]], [[0]])],
]


@pytest.mark.parametrize("corpus", NASTY)
def test_nasty_clusterings_are_compared_as_slowly(corpus):
    assert_as_slow(corpus)


@some
@given(corpora)
def test_clusterings_are_compared_as_slowly(corpus):
    assert_as_slow(corpus)


def assert_as_slow(corpus):
    result = scoref.score(*documents(corpus), metrics=["ari", "cc", "v-measure"])
    assert result["cc"].f1 == pytest.approx(slow.cc(corpus), abs=1e-9)
    assert result["ari"].f1 == pytest.approx(slow.ari(corpus), abs=1e-9)
    assert tuple(result["v-measure"]) == pytest.approx(slow.v_measure(corpus), abs=1e-9)


def test_mentions_that_only_one_side_has_are_counted_beside_the_score():
    result = scoref.score([["a", "b"], ["c"]], [["a", "b", "x", "y"]], metrics=["ari"])
    assert "ari: 1 mentions of the key and 2 of the response have no twin, and are left out" in result.notes()
    assert result.to_dict()["counts"]["ari"] == {"sums": [1.0, 1.0, 1.0, 2.0]}


# -- major entities ----------------------------------------------------------------------------------------------------


def test_major_entities_by_hand():
    """One entity of 4 of which 3 are found among 6, one of 2 that is exactly found, one of 1 that is not major."""
    key = [["a", "b", "c", "d"], ["e", "f"], ["g"]]
    response = [["a", "b", "c", "x", "y", "z"], ["e", "f"], ["g"]]
    result = scoref.score(key, response, metrics=["entities-macro", "entities-micro"], frequent=2)
    assert result["entities-macro"] == pytest.approx(((3 / 4 + 1) / 2, (3 / 6 + 1) / 2, (0.6 + 1) / 2))
    assert result["entities-micro"] == pytest.approx(((3 + 2) / 6, (4 * 3 / 6 + 2) / 6, (4 * 0.6 + 2) / 6))


@pytest.mark.parametrize("seed", range(12))
def test_major_entities_of_fixed_documents_are_paired_as_slowly(seed):
    key, response = _sides(9, Random(seed))
    for name, frequent in product(("entities-macro", "entities-micro"), (1, 2, 3)):
        if len(key) > 5 or len(response) > 5:
            continue
        found = tuple(scoref.score(key, response, metrics=[name], frequent=frequent)[name])
        expected = slow.possible(name, slow.entities(key), slow.entities(response), frequent)
        assert any(found == pytest.approx(each, abs=1e-9) for each in expected)


@some
@given(sides, st.integers(1, 3), st.booleans())
def test_major_entities_are_paired_as_slowly(pair, frequent, by_size):
    name = "entities-micro" if by_size else "entities-macro"
    key, response = (slow.entities(side) for side in pair)
    if len(key) > 5 or len(response) > 5:
        return
    found = tuple(scoref.score(*pair, metrics=[name], frequent=frequent)[name])
    expected = [tuple(map(float, each)) for each in slow.major(key, response, frequent, by_size)]
    assert any(found == pytest.approx(each, abs=1e-9) for each in expected)


def test_how_frequent_major_entities_are_is_in_the_signature():
    protocol = scoref.score([["a"]], [["a"]], metrics=["entities-macro"], frequent=3).protocol
    assert "|frequent:3|" in protocol.signature()
    assert type(protocol).parse(protocol.signature()) == protocol


# -- weights -----------------------------------------------------------------------------------------------------------


def weighted_documents(pair: tuple[Partition, Partition], weights: dict[int, Fraction]) -> list[scoref.Document]:
    found = []
    for side in pair:
        mentions = [
            scoref.Mention.at(mention, mention, entity, attributes=(("w", str(float(weights[mention]))),))
            for entity, each in enumerate(side)
            for mention in each
        ]
        found.append(scoref.Document("d", mentions=tuple(mentions)))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_weights_of_fixed_documents_are_as_slow(seed):
    assert_weighted_as_slow(_sides(9, Random(seed)), Random(seed))


@some
@given(sides, st.randoms(use_true_random=True))
def test_weights_are_as_slow(pair, random):
    assert_weighted_as_slow(pair, random)


def assert_weighted_as_slow(pair, random):
    weights = {mention: Fraction(random.choice([1, 2, 3, 8]), 4) for mention in range(12)}
    names = ["b3", "ceafm", "ceafe", "lea"]
    if not any(pair[0]):
        return
    result = scoref.score(*weighted_documents(pair, weights), metrics=names, weights="w")
    key, response = (slow.entities(side) for side in pair)
    for name in names:
        recall, precision = slow.weighted(name, key, response, weights), slow.weighted(name, response, key, weights)
        expected = [float(value) for value in (*recall, *precision)]
        assert result.counts[name][0] == pytest.approx(expected, abs=1e-9), name


def test_equal_weights_change_nothing_and_other_metrics_have_none():
    pair = [[0, 1, 2], [3, 4]], [[0, 1], [2, 3], [4, 5]]
    names = ["muc", "b3", "ceafm", "ceafe", "lea", "mentions"]
    ones, twos = (
        scoref.score(*weighted_documents(pair, dict.fromkeys(range(6), Fraction(w))), metrics=names, weights="w")
        for w in (1, 2)
    )
    plain = scoref.score(*weighted_documents(pair, dict.fromkeys(range(6), Fraction(1))), metrics=names)
    for name in names:
        assert ones[name] == pytest.approx(plain[name])
        assert twos[name] == pytest.approx(plain[name])


def test_weights_by_form():
    words = ["Ada", "saw", "her", "tap"]
    mentions = scoref.Mention.at(0, 0, "Ada"), scoref.Mention.at(2, 2, "Ada"), scoref.Mention.at(3, 3, "tap")
    key = scoref.Document("d", words, mentions, columns={"UPOS": ["PROPN", "VERB", "PRON", "NOUN"]})
    counts = scoref.score(key, key, metrics=["b3"], weights="form").counts["b3"][0]
    assert counts[1] == FORMS["name"] + FORMS["pronoun"] + FORMS["noun phrase"]


def test_weights_that_are_none_are_refused_or_reported():
    document = weighted_documents(([[0, 1]], [[0, 1]]), {0: Fraction(1), 1: Fraction(0)})[0]
    with pytest.raises(scoref.Error) as error:
        scoref.score(document, document, weights="w")
    assert error.value.code == "bad-weight"
    with pytest.raises(scoref.Error) as error:
        scoref.score(document, document, weights="v")
    assert error.value.code == "unknown-field"
    with pytest.raises(scoref.Error) as error:
        scoref.score(document, document, weights="w", twinless="all")
    assert error.value.code == "undefined-metric"
    without = scoref.Document("d", mentions=(*document.mentions[:1], scoref.Mention.at(1, 1, 0)))
    assert [each.code for each in scoref.score(without, without, weights="w").problems] == ["no-weight"]


# -- exact entities ----------------------------------------------------------------------------------------------------


def test_exact_entities_of_the_tales():
    """.414815 was counted by another program."""
    files = [str(EXAMPLES / "tales" / f"{name}.conll") for name in ("key", "rules")]
    found = scoref.score(*files, metrics=["entities-exact"])["entities-exact"]
    assert round(found.f1, 6) == 0.414815


@some
@given(sides)
def test_exact_entities_are_a_lower_bound_of_ceafe(pair):
    result = scoref.score(*pair, metrics=["entities-exact", "ceafe"])
    assert result["entities-exact"].recall <= result["ceafe"].recall + 1e-9


# -- kinds of anaphors -------------------------------------------------------------------------------------------------


def tale(entities: dict[str, list[int]], **fields: object) -> scoref.Document:
    """Ada came . She sat . The plumber saw her ."""
    words = ["Ada", "came", ".", "She", "sat", ".", "The", "plumber", "saw", "her", "."]
    tags = ["PROPN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT", "DET", "NOUN", "VERB", "PRON", "PUNCT"]
    mentions = [scoref.Mention.at(word, word, name, **fields) for name, each in entities.items() for word in each]
    return scoref.Document("tale", words, tuple(mentions), columns={"UPOS": tags})


KEY = {"Ada": [0, 3, 9], "plumber": [7]}


@pytest.mark.parametrize("kind", ["PRON", "pronoun"])
def test_pronouns_that_are_right_wrong_missed_and_extra(kind):
    def counts(response):
        return scoref.score(tale(KEY), tale(response), metrics=[f"anaphors:{kind}"]).counts[f"anaphors:{kind}"][0]

    assert counts(KEY).tolist() == [2, 2, 2, 2]
    assert counts({"Ada": [0, 3], "plumber": [7, 9]}).tolist() == [1, 2, 1, 2]  # her is wrong
    assert counts({"Ada": [0, 3]}).tolist() == [1, 2, 1, 1]  # her is missed
    assert scoref.score(tale({"Ada": [0, 3]}), tale(KEY), metrics=["anaphors:PRON"]).counts["anaphors:PRON"][
        0
    ].tolist() == [1, 1, 1, 2]  # her is extra


def test_pronouns_of_files_without_parts_of_speech_are_found_by_their_words():
    from dataclasses import replace

    plain = replace(tale(KEY), columns={})
    assert scoref.score(plain, plain, metrics=["anaphors:pronoun"])["anaphors:pronoun"].f1 == 1
    with pytest.raises(scoref.Error) as error:
        scoref.score(plain, plain, metrics=["anaphors:PRON"])
    assert error.value.code == "no-tags"


def test_kinds_by_attribute():
    name = "anaphors:Animacy=Anim"
    animate = tale(KEY, attributes=(("Animacy", "Anim"),))
    assert scoref.score(animate, tale(KEY), metrics=[name]).counts[name][0].tolist() == [2, 2, 2, 2]
    with pytest.raises(scoref.Error) as error:
        scoref.score(tale(KEY), tale(KEY), metrics=[name])
    assert error.value.code == "unknown-field"
    with pytest.raises(scoref.Error) as error:
        scoref.score(tale(KEY), tale(KEY), metrics=["anaphors:what"])
    assert error.value.code == "unknown-metric"


def literal(kind: str, key: scoref.Document, response: scoref.Document) -> list[int]:
    """The table of docs/metric-anaphors.md, sentence by sentence, for mentions of one word."""

    def chains(document):
        return [sorted(m.span[0] >> 8 for m in each) for each in document.entities().values()]

    ours, theirs = chains(key), chains(response)
    tags = key.columns["UPOS"]
    right = wrong = missed = extra = 0
    seen = set()
    for chain in ours:
        for _, word in pairwise(chain):
            if tags[word] != kind:
                continue
            seen.add(word)
            home = next((each for each in theirs if word in each), None)
            if home is None or home[0] == word:
                missed += 1
            elif any(other in home for other in chain if other < word):
                right += 1
            else:
                wrong += 1
    for chain in theirs:
        extra += sum(tags[word] == kind and word not in seen for word in chain[1:])
    return [right, right + wrong + missed, right, right + wrong + extra]


@some
@given(sides)
def test_anaphors_are_as_literal(pair):
    tags = [("PRON", "NOUN")[n % 2] for n in range(12)]
    key, response = (
        scoref.Document(
            "d", ["w"] * 12, tuple(scoref.Mention.at(m, m, str(e)) for e, each in enumerate(side) for m in each),
            columns={"UPOS": tags},
        )
        for side in pair
    )  # fmt: skip
    found = scoref.score(key, response, metrics=["anaphors:PRON"]).counts["anaphors:PRON"][0].tolist()
    assert found == literal("PRON", key, response)
