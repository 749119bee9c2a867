"""Metrics on relations: bridging, non-referring mentions, discourse deixis, links and ranks of antecedents."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.document.document import Bridge, Document, Mention, stretch

some = settings(max_examples=100)

BRIDGING = ("bridging-anaphors", "bridging-mentions", "bridging-entities")


def document(text: str, bridges: str = "", **more: object) -> Document:
    """Entities of one-word mentions, `1 5, 2 3` (a second line is another one); bridges as `anaphor>antecedent`."""
    mentions = [
        Mention(stretch(int(word), int(word)), f"e{number}", word)
        for number, entity in enumerate(text.split(","))
        for word in entity.split()
    ]
    index = {mention.id: number for number, mention in enumerate(mentions)}
    pairs = [each.split(">") for each in bridges.split()]
    links = tuple(Bridge(index[anaphor], index[antecedent]) for anaphor, antecedent in pairs)
    return Document("d", mentions=tuple(mentions), bridges=links, **more)


def scores(key: Document, response: Document, layer: str, **choices: object) -> dict[str, tuple[float, float]]:
    result = scoref.score(key, response, layer=layer, **choices)
    return {name: tuple(score[:2]) for name, score in result.scores.items()}


# -- bridging --------------------------------------------------------------------------------------------------------


def test_bridging_of_the_official_example():
    # Universal Anaphora scorer 1.0: one right entity but another mention, one wrong, one right, one right whose anchor
    # does not refer; one that the key does not have
    text = "1 2, 3, 4, 5, 6, 7, 8, 9"
    key = document(text, "5>1 6>3 7>3 8>4", nonreferring=frozenset({"e2"}))
    response = document(text, "5>2 6>4 7>3 8>4 9>1", nonreferring=frozenset({"e2"}))
    expected = {"bridging-anaphors": (1, 0.8), "bridging-mentions": (0.5, 0.4), "bridging-entities": (0.75, 0.6)}
    assert scores(key, response, "bridging") == {name: pytest.approx(score) for name, score in expected.items()}


@pytest.mark.parametrize(
    ("key", "response", "anaphors", "mentions", "entities"),
    [
        ("", "", (0, 0), (0, 0), (0, 0)),
        ("4>1", "", (0, 0), (0, 0), (0, 0)),
        ("4>1", "5>1", (0, 0), (0, 0), (0, 0)),
        ("4>1", "4>1", (1, 1), (1, 1), (1, 1)),
        ("4>1", "4>3", (1, 1), (0, 0), (0, 0)),
        ("4>1", "4>2", (1, 1), (0, 0), (1, 1)),
        ("4>1 5>3", "4>1", (1 / 2, 1), (1 / 2, 1), (1 / 2, 1)),
        ("4>1 4>3", "4>1", (1, 1), (1 / 2, 1), (1 / 2, 1)),  # an anaphor with several antecedents counts for a share
        ("4>1 4>3", "4>1 4>5", (1, 1), (1 / 2, 1 / 2), (1 / 2, 1 / 2)),
        ("4>1 4>2", "4>2", (1, 1), (1 / 2, 1), (1, 1)),  # two mentions of one entity are one antecedent
        ("4>1", "4>1 4>1", (1, 1), (1, 1), (1, 1)),
    ],
)
def test_bridging(key, response, anaphors, mentions, entities):
    pair = [document("1 2, 3, 4, 5", bridges) for bridges in (key, response)]
    assert scores(*pair, "bridging") == dict(zip(BRIDGING, (anaphors, mentions, entities), strict=True))


def test_antecedents_are_entities_of_the_key():
    # the response has the right mention, and thinks that it is another entity
    key, response = document("1 2, 3 4, 5", "5>1"), document("1 3, 2 4, 5", "5>2")
    assert scores(key, response, "bridging")["bridging-entities"] == (1, 1)
    assert scores(key, document("1 3, 2 4, 5", "5>3"), "bridging")["bridging-entities"] == (0, 0)


def test_antecedents_that_the_key_lacks_are_wrong():
    key, response = document("1 2, 5", "5>1"), document("1 2, 5, 7", "5>7")
    assert scores(key, response, "bridging")["bridging-mentions"] == (0, 0)
    both = document("1 2, 5, 7", "5>7 5>1")
    assert scores(key, both, "bridging")["bridging-mentions"] == (1, 1 / 2)


def test_bridging_counts_whatever_happens_to_singletons():
    key = document("1, 2", "2>1")
    assert set(scores(key, key, "bridging", singletons="drop").values()) == {(1, 1)}


# -- non-referring mentions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response", "recall", "precision"),
    [
        ("", "", 0, 0),
        ("1", "", 0, 0),
        ("", "1", 0, 0),
        ("1", "1", 1, 1),
        ("0 1", "1 2", 1 / 2, 1 / 2),
        ("0", "0 1 2", 1, 1 / 3),
    ],
)
def test_non_referring(key, response, recall, precision):
    pair = [
        document("1, 2, 3, 4", nonreferring=frozenset(f"e{number}" for number in numbers.split()))
        for numbers in (key, response)
    ]
    assert scores(*pair, "non-referring") == {"non-referring": (recall, precision)}


def test_the_first_mention_of_an_entity_that_does_not_refer_counts():
    key = document("1 2, 3", nonreferring=frozenset({"e0"}))
    first, second = (document(text, nonreferring=frozenset({"e0"})) for text in ("1, 2, 3", "2, 1, 3"))
    assert scores(key, first, "non-referring") == {"non-referring": (1, 1)}
    assert scores(key, second, "non-referring") == {"non-referring": (0, 0)}


@some
@given(st.sets(st.integers(0, 7)), st.sets(st.integers(0, 7)))
def test_non_referring_is_a_comparison_of_sets(ours, theirs):
    text = ", ".join(map(str, range(1, 9)))
    pair = [document(text, nonreferring=frozenset(f"e{number}" for number in each)) for each in (ours, theirs)]
    result = scoref.score(*pair, layer="non-referring").counts["non-referring"].tolist()
    assert result == [[len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]]


def test_mentions_that_do_not_refer_are_no_mentions_of_entities():
    key = document("1 2, 3", nonreferring=frozenset({"e1"}))
    assert scoref.score(key, document("1 2, 3"), metrics=["mentions"])["mentions"][:2] == (1, 2 / 3)


# -- bridging and non-referring, any documents -----------------------------------------------------------------------


def _document(random: Random) -> Document:
    """Nine words, most of them mentions of four entities, some with a bridge to another mention."""
    mentions = tuple(
        Mention(stretch(word, word), f"e{random.randrange(4)}", f"m{word}")
        for word in range(9)
        if random.random() < 0.8
    )
    numbers = range(len(mentions))
    bridges = [Bridge(number, random.choice(numbers)) for number in numbers if random.random() < 0.5]
    return Document("d", mentions=mentions, bridges=tuple(bridges), nonreferring=frozenset({"e3"}))


documents = st.builds(_document, st.randoms(use_true_random=True))


@some
@given(documents)
def test_a_perfect_response_scores_1_where_there_is_something_to_find(key):
    result = scoref.score(key, key, layer="all", metrics=[*BRIDGING, "non-referring"])
    assert result.scores
    for name, score in result.scores.items():
        assert set(score) == {float(result.counts[name][0, 1] > 0)}


@some
@given(documents, documents)
def test_exchanging_key_and_response_exchanges_recall_and_precision(key, response):
    names = ["bridging-anaphors", "bridging-mentions", "non-referring"]
    there, back = (scoref.score(*pair, layer="all", metrics=names) for pair in ((key, response), (response, key)))
    assert {name: (score.precision, score.recall, score.f1) for name, score in back.scores.items()} == there.scores


@some
@given(documents, documents)
def test_right_mentions_are_right_entities_and_these_right_anaphors(key, response):
    result = scoref.score(key, response, layer="bridging")
    anaphors, mentions, entities = (result.counts[name][0] for name in BRIDGING)
    assert all(mentions <= entities + 1e-12)
    assert all(entities <= anaphors + 1e-12)


@some
@given(documents, documents, st.randoms(use_true_random=True))
def test_the_order_of_mentions_and_bridges_changes_nothing(key, response, random):
    moved = []
    for each in (key, response):
        order = random.sample(range(len(each.mentions)), len(each.mentions))
        bridges = [Bridge(order.index(anaphor), order.index(antecedent)) for anaphor, antecedent, _ in each.bridges]
        moved.append(
            replace(
                each,
                mentions=tuple(each.mentions[number] for number in order),
                bridges=tuple(random.sample(bridges, len(bridges))),
            )
        )
    assert scores(*moved, "bridging") == {
        name: pytest.approx(score) for name, score in scores(key, response, "bridging").items()
    }


# -- discourse deixis ------------------------------------------------------------------------------------------------


def test_deixis_is_scored_like_identity_on_its_own_mentions():
    sides = []
    for members in (("e0", "e1"), ("e0",)):
        text = document("1 2, 3, 5 6", sets={"e2": members})
        sides.append((text, replace(document("7 8"), deixis=text)))
    expected = scoref.score(*(text for text, _ in sides), protocol="paun-2023")
    result = scoref.score(*(whole for _, whole in sides), protocol="paun-2023", layer="deixis", metrics=expected.scores)
    assert result.scores == expected.scores
    assert result["muc"].recall < 1
    both = scoref.score(*(whole for _, whole in sides), protocol="paun-2023", layer="all")
    assert both["deixis:muc"] == result["muc"]
    assert both["muc"] == (1, 1, 1)


def test_a_document_without_deixis_has_nothing_to_find():
    key = document("1 2")
    assert set(scores(key, key, "deixis").values()) == {(0, 0)}


def test_layers_have_their_own_metrics():
    for layer, metric in (("identity", "bridging-mentions"), ("bridging", "muc"), ("identity", "success@1")):
        with pytest.raises(scoref.Error, match="no metric"):
            scoref.score([["a"]], [["a"]], layer=layer, metrics=[metric])


# -- links of split antecedents --------------------------------------------------------------------------------------


def clusters(entities: dict[str, str], **sets: str) -> Document:
    named = {name: mentions.split() for name, mentions in entities.items()}
    return scoref.clusters(named, sets={name: members.split() for name, members in sets.items()})


ENTITIES = {"A": "1 2", "B": "3", "C": "4", "S": "5 6"}


@pytest.mark.parametrize(
    ("key", "response", "right", "ours", "theirs"),
    [
        ("A B", "A B", 4, 4, 4),  # a link from each mention of the set to each member
        ("A B", "A C", 2, 4, 4),
        ("A B C", "A B", 4, 6, 4),
        ("A B", "C", 0, 4, 2),
    ],
)
def test_split_links(key, response, right, ours, theirs):
    pair = clusters(ENTITIES, S=key), clusters(ENTITIES, S=response)
    result = scoref.score(*pair, metrics=["split-links"])
    assert result.counts["split-links"].tolist() == [[right, ours, right, theirs]]


def test_split_links_are_those_of_the_anaphor():
    # the right set for the wrong anaphor is no link
    key = clusters({"A": "1", "B": "2", "S": "3", "T": "4"}, S="A B")
    response = clusters({"A": "1", "B": "2", "S": "3", "T": "4"}, T="A B")
    assert scoref.score(key, response, metrics=["split-links"]).counts["split-links"].tolist() == [[0, 2, 0, 2]]


def test_split_links_go_to_the_key_entity_that_a_member_is_most_like():
    key = clusters({"A": "1 2 3", "B": "4", "S": "5"}, S="A B")
    response = clusters({"A": "2 3 4", "B": "1", "S": "5"}, S="A B")  # both members are A
    assert scoref.score(key, response, metrics=["split-links"]).counts["split-links"].tolist() == [[1, 2, 1, 2]]


@pytest.mark.parametrize(("one", "other"), [("A", "B"), ("B", "A")])
def test_split_links_do_not_depend_on_names(one, other):
    # R has a mention of each; the one that comes first is meant
    key = clusters({one: "1", other: "2", "C": "3", "S": "4"}, S=f"{one} C")
    response = clusters({"R": "1 2", "C": "3", "S": "4"}, S="R C")
    assert scoref.score(key, response, metrics=["split-links"])["split-links"] == (1, 1, 1)


def test_split_lenient_takes_the_best_set_of_the_other_side_for_each():
    key = clusters({"A": "1", "B": "2", "C": "3", "S": "4", "T": "5"}, S="A B", T="A B C")
    response = clusters({"A": "1", "B": "2", "C": "3", "S": "4"}, S="A B")
    assert scoref.score(key, response, metrics=["split-lenient"]).counts["split-lenient"].tolist() == [[4, 5, 2, 2]]


def test_split_lenient_matches_as_the_protocol_says():
    key = Document("d", mentions=(
        Mention(stretch(0, 1), "A", minimum=stretch(1, 1)), Mention(stretch(2, 2), "B"), Mention(stretch(3, 3), "S"),
    ), sets={"S": ("A", "B")})  # fmt: skip
    response = replace(key, mentions=(Mention(stretch(1, 1), "A"), *key.mentions[1:]))
    for match, right in (("exact", 1), ("min", 2)):
        result = scoref.score(key, response, metrics=["split-lenient", "split-links"], match=match)
        assert result.counts["split-lenient"].tolist() == [[right, 2, right, 2]]
        assert result.counts["split-links"].tolist() == [[right, 2, right, 2]]


# -- ranked antecedents ----------------------------------------------------------------------------------------------


def deictic(text: str, **candidates: str) -> Document:
    """A document whose deixis layer has these entities; `m5="m1,m2"` ranks the antecedents of mention 5."""
    inner = document(text)
    mentions = [mention._replace(id=f"m{mention.id}") for mention in inner.mentions]
    ranked = [
        mention._replace(attributes=(("Candidates", candidates[mention.id]),)) if mention.id in candidates else mention
        for mention in mentions
    ]
    return Document("d", deixis=replace(inner, mentions=tuple(ranked)))


@pytest.mark.parametrize(
    ("number", "right"),
    [(1, 1), (2, 2), (3, 2), (4, 3)],
)
def test_success_at_n_looks_at_the_first_n_candidates(number, right):
    key = deictic("1 5, 2 6, 3 7, 4 8")  # 5 to 8 are anaphors of 1 to 4
    response = deictic("1, 2, 3, 4, 5, 6, 7, 8", m5="m1,m2", m6="m1,m2,m3", m7="m4,m2,m1,m3", m8="m1,m2")
    metric = f"success@{number}"
    result = scoref.score(key, response, layer="deixis", metrics=[metric])
    assert result.counts[metric].tolist() == [[right, 4, right, 4]]


def test_success_at_n_without_ranks_takes_the_nearest_first():
    key, response = deictic("1 4, 2, 3"), deictic("1 2 3 4")
    result = scoref.score(key, response, layer="deixis", metrics=["success@1", "success@2", "success@3"])
    assert [result.counts[f"success@{number}"][0, 0] for number in (1, 2, 3)] == [0, 0, 1]
    assert result.counts["success@3"].tolist() == [[1, 1, 1, 3]]


def test_candidates_that_are_no_mentions_take_no_rank():
    key = deictic("1 4, 2, 3")
    response = deictic("1, 2, 3, 4", m4="nobody,m1", m3="nobody")
    result = scoref.score(key, response, layer="deixis", metrics=["success@1"])
    assert result.counts["success@1"].tolist() == [[1, 1, 1, 1]]  # what names nobody is no anaphor


def test_what_is_earlier_is_so_in_the_text_and_not_in_the_file():
    key, response = deictic("2 4, 1"), deictic("1 2 4")
    moved = replace(response, deixis=replace(response.deixis, mentions=response.deixis.mentions[::-1]))
    for each in (response, moved):
        result = scoref.score(key, each, layer="deixis", metrics=["success@1"])
        assert result.counts["success@1"].tolist() == [[1, 1, 1, 2]]


def test_every_earlier_mention_is_an_antecedent():
    key = deictic("1 2 3")
    for candidate in ("m1", "m2"):
        result = scoref.score(key, deictic("1, 2, 3", m3=candidate), layer="deixis", metrics=["success@1"])
        assert result.counts["success@1"].tolist() == [[1, 2, 1, 1]]


def test_success_at_n_never_falls_with_n():
    key = deictic("1 5 6, 2 7, 3 8")
    response = deictic("1, 2, 3, 5, 6, 7, 8", m5="m2,m1", m6="m3,m2,m5", m7="m1", m8="m1,m2,m7,m3")
    names = [f"success@{number}" for number in range(1, 6)]
    result = scoref.score(key, response, layer="deixis", metrics=names)
    assert [result.counts[name][0, 0] for name in names] == [0, 1, 2, 3, 3]


@pytest.mark.parametrize("name", ["success@0", "success@x", "success@", "success", "rank@1", "success@-1"])
def test_success_needs_a_number(name):
    with pytest.raises(scoref.Error, match="no metric"):
        scoref.score([["a"]], [["a"]], layer="deixis", metrics=[name])


# -- bridging with subtypes -------------------------------------------------------------------------------------------


def told(*bridges: tuple[int, int, str]) -> scoref.Document:
    """Six words, each a mention of an entity of its own but the first two, with bridging from some to others."""
    mentions = [scoref.Mention.at(word, word, str(max(word, 1))) for word in range(6)]
    return scoref.Document(
        "d",
        list("abcdef"),
        mentions,
        bridges=tuple([Bridge(a, b, (("Rel", rel),) * bool(rel)) for a, b, rel in bridges]),
    )


# As baseline_evaluation.py of lauren-lizzy-levine/gumbridge (bfe271b) counts: matched, false positive, missed subtypes
# of the key's anaphors; and anaphors whose antecedent is among the accepted ones.
TOLD = told((2, 0, "x;y"), (3, 0, "x"), (4, 0, "z"), (4, 3, "z"))
ANSWERED = told((2, 1, "x"), (4, 3, "z;x"), (5, 0, "y"))


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, [2, 3, 2, 3]),
        ({"given": "anaphors"}, [2, 4, 2, 3]),
    ],
)
def test_subtypes_of_bridging(choices: dict[str, str], expected: list[float]) -> None:
    result = scoref.score(TOLD, ANSWERED, layer="bridging", metrics=["bridging-subtypes"], **choices)
    assert result.counts["bridging-subtypes"].tolist() == [expected]


@pytest.mark.parametrize(
    ("choices", "metric", "expected"),
    [
        ({}, "bridging-entities", [1.5, 3, 2, 3]),
        ({"given": "anaphors"}, "bridging-entities", [1.5, 3, 2, 2]),
        ({"given": "anaphors", "antecedents": "any"}, "bridging-entities", [2, 3, 2, 2]),
        ({"antecedents": "any"}, "bridging-mentions", [1, 3, 1, 3]),
        ({}, "bridging:x", [1, 2, 2, 2]),
        ({}, "bridging:z", [0.5, 1, 1, 1]),
        ({}, "bridging:none", [0, 0, 0, 0]),
    ],
)
def test_bridging_of_given_anaphors_and_of_a_subtype(
    choices: dict[str, str], metric: str, expected: list[float]
) -> None:
    result = scoref.score(TOLD, ANSWERED, layer="bridging", metrics=[metric], **choices)
    assert result.counts[metric].tolist() == [expected]
