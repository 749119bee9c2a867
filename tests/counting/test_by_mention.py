"""What single mentions count: added up they are the counts of the table, and each has what its definition says."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

from scoref import Document, Mention
from scoref.counting.by_mention import mention_sums
from scoref.counting.coreference import ON_TABLE
from scoref.counting.corpus import Corpus, corpus
from scoref.counting.metrics import document_counts
from scoref.document.kinds import SideMentions
from scoref.matching.lookup import lookups
from slow import entities
from slow_kinds import BY_MENTION
from strategies import _documents, _sides

OF_SIDES = [*BY_MENTION, "ceafm"]
Sides = tuple[list[Document], list[Document]]


def numbered(partition: list[list[int]], name: str) -> Document:
    mentions = [Mention.at(at, at, f"e{number}") for number, entity in enumerate(partition) for at in entity]
    return Document(name, ["word"] * 12, tuple(mentions))


def of(sides: Sides, homes: list[int], owner: str = "last") -> Corpus:
    both = zip(*sides, strict=True)
    return corpus([(key, response, lookups(key, response, "exact", owner=owner)) for key, response in both], homes)


def ranks(sides: Sides) -> tuple[np.ndarray, np.ndarray]:
    """In the order of the text; entities do not matter for that."""
    ours, theirs = (SideMentions(side, np.empty(0, np.int64)).rank for side in sides)
    return ours, theirs


def assert_added_up(sides: Sides, homes: list[int], owner: str = "last") -> None:
    whole = of(sides, homes, owner)
    documents = [np.repeat(np.array(homes), [len(each.mentions) for each in side]) for side in sides]
    for name, credit in product((*OF_SIDES, "assa"), ("mean", "ua-1.0")):
        columns = mention_sums(ON_TABLE[name], whole, ranks(sides), credit)
        assert columns is not None
        found = [np.bincount(documents[side], values, len({*homes})) for side, values in columns]
        assert [side for side, _ in columns] == ([0] * 4 if name == "assa" else [0, 0, 1, 1])
        expected = document_counts(ON_TABLE[name], whole.of(ON_TABLE[name], credit))
        np.testing.assert_allclose(np.stack(found, axis=1), expected, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("seed", range(24))
def test_mentions_add_up_to_the_counts_of_documents(seed: int) -> None:
    """Also where mentions are in several entities, and where documents share entities, or entities are hidden."""
    random = Random(seed)
    sides = _documents(1 + seed % 4, random)
    homes = [number // 2 for number in range(len(sides[0]))] if seed % 3 else [*range(len(sides[0]))]
    if seed % 2:
        sides = tuple([replace(each, hidden=frozenset(each.names[: random.randrange(3)])) for each in side]
                      for side in sides)  # fmt: skip
    assert_added_up(sides, homes, ["last", "reference", "list"][seed % 3])


def test_entities_that_are_not_looked_up_count_where_a_scorer_counts_from_the_key() -> None:
    """Two key entities have both mentions of a response entity, which finds them in the last: ua-1.0 counts both."""
    sides = [numbered([[0, 1], [0, 1]], "d")], [numbered([[0, 1]], "d")]
    assert_added_up(sides, [0])
    columns = mention_sums(ON_TABLE["pairwise"], of(sides, [0]), ranks(sides), "ua-1.0")
    assert [float(values.sum()) for _, values in columns or ()] == [2, 2, 2, 1]


@pytest.mark.parametrize("seed", range(12))
def test_each_mention_counts_what_its_definition_says(seed: int) -> None:
    random = Random(seed)
    pairs = [_sides(random.randrange(1, 12), random) for _ in range(3)]
    sides = tuple([numbered(pair[side], str(number)) for number, pair in enumerate(pairs)] for side in range(2))
    whole = of(sides, [0, 1, 2])
    for name, count in BY_MENTION.items():
        columns = mention_sums(ON_TABLE[name], whole, ranks(sides), "mean")
        for side in range(2):
            expected = []
            for pair in pairs:
                ours, theirs = entities(pair[side]), entities(pair[1 - side])
                expected += [[*map(float, count(at, ours, theirs))] for entity in pair[side] for at in entity]
            found = [values for at, values in columns if at == side]
            np.testing.assert_allclose(np.stack(found, axis=1), np.reshape(expected, (-1, 2)), err_msg=name)


def test_nothing_is_said_of_metrics_that_are_no_sums_over_mentions() -> None:
    sides = [numbered([[0, 1]], "d")], [numbered([[0], [1]], "d")]
    none = [name for name, metric in ON_TABLE.items() if mention_sums(metric, of(sides, [0]), ranks(sides), "") is None]
    assert {"ceafe", "ari", "deta", "nonlinks", "links-cross", "b3-classes", "entities-exact"} <= {*none}
    assert not {*OF_SIDES, "assa"} & {*none}
