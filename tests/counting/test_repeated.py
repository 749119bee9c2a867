"""What the reference scorer counts where mentions are repeated, against the slow version."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
import slow_repeated
from scoref import clusters
from scoref.counting import repeated

Side = list[list[str]]
Scoped = tuple[dict[str, list[str]], dict[str, list[str]], int]  # key, response, the number of the scope
SIDE = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), max_size=5)


def side(random: Random) -> list[list[str]]:
    return [random.choices("abcdefgh", k=random.randint(1, 5)) for _ in range(random.randint(0, 4))]


@pytest.mark.parametrize("seed", range(30))
def test_fixed_documents_are_counted_as_slowly(seed: int) -> None:
    random = Random(seed)
    assert_as_slow([1, 5, 1 << 20][seed % 3], [(side(random), side(random)) for _ in range(1 + seed % 2)])


@pytest.mark.parametrize(
    ("key", "response"),
    [([["a", "a"]], [["a"]]), ([["a"], ["a"]], [["a", "a"]]), ([["a"]], []), ([], [["a", "a"]]), ([], [])],
)
def test_one_place_and_no_place_are_counted_as_slowly(key: Side, response: Side) -> None:
    assert_as_slow(1 << 20, [(key, response)])


@pytest.mark.parametrize("block", [1, 1 << 20])
@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=3))
def test_counts_are_those_of_all_links_as_sets(block: int, pairs: list[tuple[Side, Side]]) -> None:
    assert_as_slow(block, pairs)


def assert_as_slow(block: int, pairs: list[tuple[Side, Side]]) -> None:
    """With so many links in a block."""
    before, repeated._BLOCK = repeated._BLOCK, block
    try:
        found = repeated.repeated_counts(
            [(clusters(key), clusters(response)) for key, response in pairs], range(len(pairs))
        )
    finally:
        repeated._BLOCK = before
    links = [slow_repeated.blanc(*pair) for pair in pairs]
    expected = {
        "b3": [slow_repeated.b3(*pair) for pair in pairs],
        "pairwise": [coreference for coreference, _ in links],
        "nonlinks": [others for _, others in links],
    }
    assert {name: counts.tolist() for name, counts in found.items()} == expected


NAMED = st.dictionaries(st.sampled_from("xyz"), st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), max_size=3)


def joined(documents: list[dict[str, list[str]]]) -> tuple[list[list[str]], dict[str, list[str]]]:
    """Entities of several documents, those of one name as one; and for each place the last of its own document."""
    entities: dict[str, list[str]] = {}
    for number, document in enumerate(documents):
        for name, places in document.items():
            entities.setdefault(name, []).extend(f"{number}{place}" for place in places)
    lasts = {
        f"{number}{place}": entities[name]
        for number, document in enumerate(documents)
        for name, places in document.items()
        for place in places
    }
    return [*entities.values()], lasts


@pytest.mark.parametrize("seed", range(20))
def test_fixed_documents_of_a_scope_are_counted_as_one(seed: int) -> None:
    random = Random(seed)
    documents = []
    for home in (0, 1, 0):
        named = [{name: random.choices("abcd", k=random.randint(1, 4)) for name in random.sample("xyz", 2)}
                 for _ in range(2)]  # fmt: skip
        documents.append((*named, home))
    assert_counted_as_one(documents)


@given(st.lists(st.tuples(NAMED, NAMED, st.integers(0, 1)), min_size=1, max_size=4))
def test_documents_of_a_scope_are_counted_as_one(documents: list[Scoped]) -> None:
    assert_counted_as_one(documents)


def assert_counted_as_one(documents: list[Scoped]) -> None:
    numbers = {home: number for number, home in enumerate(dict.fromkeys(home for *_, home in documents))}
    homes = [numbers[home] for *_, home in documents]
    found = repeated.repeated_counts([(clusters(key), clusters(response)) for key, response, _ in documents], homes)
    assert len(found["b3"]) == len(numbers)
    for number in numbers.values():
        here = [each for each, home in zip(documents, homes, strict=True) if home == number]
        (key, lasts), (response, _) = (joined([each[side] for each in here]) for side in (0, 1))
        links, others = slow_repeated.blanc(key, response)
        assert found["b3"][number].tolist() == pytest.approx(slow_repeated.b3(key, response, lasts), abs=1e-12)
        assert found["pairwise"][number].tolist() == links
        assert found["nonlinks"][number].tolist() == others


@pytest.mark.parametrize("duplicates", ["reference", "list", "keep"])
def test_a_repeated_mention_of_one_side_is_one_mention(duplicates: str) -> None:
    """Of a b c, a is in two entities of the key: the response has two of three mentions, and both of its are right."""
    twice, once = [["a", "b"], ["a", "c"]], [["a", "b"]]
    found = scoref.score(twice, once, metrics=["mentions"], duplicates=duplicates)["mentions"]
    assert found[:2] == pytest.approx((2 / 3, 1))
    assert scoref.score(once, twice, metrics=["mentions"], duplicates=duplicates)["mentions"][:2] == found[1::-1]


@pytest.mark.parametrize("duplicates", ["keep", "first", "ua-1.0"])
@pytest.mark.parametrize("credit", ["directional", "ua-1.0"])
def test_links_within_a_document_are_its_links_where_mentions_are_repeated_too(credit: str, duplicates: str) -> None:
    random = Random(f"{credit} {duplicates}")
    for _ in range(20):
        result = scoref.score(
            side(random), side(random), metrics=["pairwise", "links-within"], credit=credit, duplicates=duplicates
        )
        assert result.counts["links-within"].tolist() == result.counts["pairwise"].tolist()


def test_weights_of_repeated_mentions_are_kept() -> None:
    """The rule of the reference scorer counts mentions alike, so it is not for weighted ones."""

    def weighing(weight: str, entities: list[list[int]]) -> scoref.Document:
        mentions = [scoref.Mention.at(word, word, name, attributes=(("w", weight),))
                    for name, words in enumerate(entities) for word in words]  # fmt: skip
        return scoref.Document("d", tuple("abcdef"), tuple(mentions))

    key, response = [[0, 1, 2], [2, 3]], [[0, 1], [2, 3, 2], [1, 4]]
    ones, twos = (
        scoref.score(weighing(weight, key), weighing(weight, response), weights="w", metrics=["b3"]).counts["b3"]
        for weight in ("1", "2")
    )
    assert (2 * ones).tolist() == twos.tolist()
    assert ones.any()
