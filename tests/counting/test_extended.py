"""B³ for mentions in several entities (Amigó et al. 2009): `b3-extended`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
import slow
from scoref.document.document import Document, Mention
from scoref.problems import Error
from strategies import corpora

NAME = "b3-extended"
KEY = {"gray": [1, 2, 3], "black": [1, 2, 4, 5], "dashed": [6, 7]}

# PyPI bcubed 1.5, `bcubed.recall(cdict, ldict)` and `bcubed.precision(cdict, ldict)` of these clusters.
RECORDED = [
    ({"A": [1, 2, 3], "B": [1, 2, 4, 5], "C": [6, 7]}, 1.0, 1.0),
    ({"A": [1, 2, 3], "B": [1, 2, 4, 5], "C": [3, 6, 7]}, 1.0, 0.8333333333333334),
    ({"A": [1, 2, 3], "B": [4, 5], "C": [6, 7]}, 0.6857142857142857, 1.0),
    ({"A": [1, 2, 3, 4, 5, 6, 7]}, 0.9428571428571428, 0.5102040816326531),
    ({"A": [1, 2, 3], "B": [1, 2, 4, 5], "C": [6, 7], "A2": [1, 2, 3], "B2": [1, 2, 4, 5], "C2": [6, 7]}, 1.0, 0.5),
    ({str(item): [item] for item in range(1, 8)}, 0.29047619047619044, 1.0),
]

entities = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=5), max_size=5)


def counts(key: object, response: object, **choices: str) -> list[float]:
    result = scoref.score(key, response, metrics=[NAME], **choices)
    return result.counts[NAME].sum(axis=0).tolist()


@pytest.mark.parametrize(("response", "recall", "precision"), RECORDED)
def test_numbers_of_pypi_bcubed(response: dict[str, list[int]], recall: float, precision: float) -> None:
    score = scoref.score(KEY, response, metrics=[NAME])[NAME]
    assert (score.recall, score.precision) == pytest.approx((recall, precision), abs=1e-15)


@pytest.mark.parametrize("seed", range(12))
def test_it_is_the_definition_for_fixed_entities(seed: int) -> None:
    random = Random(seed)
    key, response = (
        [frozenset(random.choices(range(8), k=random.randint(1, 5))) for _ in range(random.randint(1, 5))] for _ in "kr"
    )
    expected = [*slow.b3_extended(key, response), *slow.b3_extended(response, key)]
    sides = (scoref.clusters([[*entity] for entity in side]) for side in (key, response))
    assert counts(*sides) == pytest.approx([*map(float, expected)])


@given(entities, entities)
@pytest.mark.parametrize("duplicates", ["reference", "first", "keep", "list"])
def test_it_is_the_definition(duplicates: str, key: list[frozenset[int]], response: list[frozenset[int]]) -> None:
    expected = [*slow.b3_extended(key, response), *slow.b3_extended(response, key)]
    sides = (scoref.clusters([[*entity] for entity in side]) for side in (key, response))
    assert counts(*sides, duplicates=duplicates) == pytest.approx([*map(float, expected)])


@given(corpora)
def test_it_is_b3_where_each_mention_is_in_one_entity(documents: list[tuple[list[list[int]], list[list[int]]]]) -> None:
    keys, responses = ([scoref.clusters(side) for side in sides] for sides in zip(*documents, strict=True))
    result = scoref.score(keys, responses, metrics=["b3", NAME])
    assert result.counts[NAME] == pytest.approx(result.counts["b3"])


def _document(id: str, entities: dict[str, list[int]]) -> Document:
    mentions = [Mention.at(place, place, name) for name, places in entities.items() for place in places]
    return Document(id, tuple("abcdefgh"), mentions)


def test_entities_of_several_documents_are_one_with_the_scope_of_the_corpus() -> None:
    keys = [_document("d1", {"x": [0, 1], "y": [1]}), _document("d2", {"x": [0], "y": [0, 1]})]
    responses = [_document("d1", {"x": [0, 1]}), _document("d2", {"x": [0], "y": [1]})]
    joined = [frozenset({10, 11, 20}), frozenset({11, 20, 21})], [frozenset({10, 11, 20}), frozenset({21})]
    expected = [*slow.b3_extended(*joined), *slow.b3_extended(*reversed(joined))]
    assert counts(keys, responses, scope="corpus") == pytest.approx([*map(float, expected)])
    assert counts(keys, responses) != pytest.approx([*map(float, expected)])


def test_other_metrics_obey_the_choice_on_duplicates() -> None:
    key, response = _document("d", {"x": [0, 1], "y": [0, 2]}), _document("d", {"x": [0, 1], "y": [0, 2]})
    result = scoref.score(key, response, metrics=["b3", NAME], duplicates="first")
    assert result.counts["b3"].tolist() == [[3, 3, 3, 3]]
    assert [problem.code for problem in result.problems] == ["duplicate-mention"]
    with pytest.raises(Error, match="duplicate-mention"):
        scoref.score(key, response, metrics=[NAME], duplicates="error")


def test_plurals_may_be_distributed_over_their_members() -> None:
    key = scoref.clusters({"Ada": ["a1", "a2"], "Bob": ["b1"], "both": ["they"]}, sets={"both": ["Ada", "Bob"]})
    response = scoref.clusters({"Ada": ["a1", "a2", "they"], "Bob": ["b1"]})
    ours, theirs = [frozenset("12t"), frozenset("bt")], [frozenset("12t"), frozenset("b")]
    expected = [*slow.b3_extended(ours, theirs), *slow.b3_extended(theirs, ours)]
    assert counts(key, response, split="distribute") == pytest.approx([*map(float, expected)])
    alone = [frozenset("12"), frozenset("b"), frozenset("t")]
    expected = [*slow.b3_extended(alone, theirs), *slow.b3_extended(theirs, alone)]
    assert counts(key, response) == pytest.approx([*map(float, expected)])  # the set earns no credit
    with pytest.raises(Error, match="not defined for split antecedents alone"):
        counts(key, response, split="only")


def test_tables_have_each_mention_once(tmp_path: Path) -> None:
    files = [tmp_path / "key.csv", tmp_path / "response.csv"]
    files[0].write_text("mention,entity\n1,x\n2,x\n3,y\n")
    files[1].write_text("mention,entity\n1,x\n2,y\n3,y\n")
    result = scoref.score(*files, metrics=["b3", NAME])
    assert result.counts[NAME].tolist() == result.counts["b3"].tolist()
    files[1].write_text("mention,entity\n1,x\n2,y\n1,y\n")
    with pytest.raises(Error, match="b3-extended") as error:
        scoref.score(*files, metrics=[NAME])
    assert error.value.code == "not-on-tables"
