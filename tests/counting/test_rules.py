"""Rules for singletons and for mentions without a twin, on fixed documents, against the metrics as they are defined."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

import scoref
import slow
from scoref.counting.clusterings import pairs_together
from scoref.counting.coreference import ON_TABLE
from scoref.counting.metrics import Links, OneToOne, Whole, counted
from scoref.counting.rules import SINGLETONS, TWINLESS
from scoref.counting.table import Settings, Table, TableCells, TableSide, build
from scoref.matching.lookup import lookups
from slow import Entities, Sums
from strategies import Partition, _sides

# -- singletons --------------------------------------------------------------------------------------------------------


def larger(side: Entities) -> Entities:
    return [entity for entity in side if len(entity) > 1]


def own(name: str, key: Entities, response: Entities) -> tuple[Sums, Sums]:
    """Singletons do not count on the side whose mentions are counted."""
    return slow.PLAIN[name](larger(key), response), slow.PLAIN[name](larger(response), key)


def both(name: str, key: Entities, response: Entities) -> tuple[Sums, Sums]:
    """There are no singletons."""
    return slow.PLAIN[name](larger(key), larger(response)), slow.PLAIN[name](larger(response), larger(key))


def of_response(name: str, key: Entities, response: Entities) -> tuple[Sums, Sums]:
    """The response has no singletons."""
    return slow.PLAIN[name](key, larger(response)), slow.PLAIN[name](larger(response), key)


def found_in_larger(name: str, key: Entities, response: Entities) -> tuple[Sums, Sums]:
    """No mention is found in a singleton of the other side; singletons count all the same."""
    metric = slow.PLAIN[name]
    return (
        (metric(key, larger(response))[0], metric(key, response)[1]),
        (metric(response, larger(key))[0], metric(response, key)[1]),
    )


def all_entities(name: str, key: Entities, response: Entities) -> tuple[Sums, Sums]:
    return slow.PLAIN[name](key, response), slow.PLAIN[name](response, key)


AS_THEY_ARE = {
    "keep": {},
    "links": {"lea": own},
    "e2e": {"b3": both, "b3-classes": both, "ceafm": of_response, "ceafe": of_response, "lea": own},
    "asp": {"b3": own, "b3-classes": own, "ceafm": of_response, "ceafe": of_response, "lea": own},
    "barhom": {"b3": found_in_larger, "b3-classes": found_in_larger},
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("singletons", AS_THEY_ARE)
def test_singletons_are_left_out_of_some_metrics_as_slowly(singletons: str, seed: int) -> None:
    key, response = _sides(11, Random(seed))
    sides = slow.entities(key), slow.entities(response)
    result = scoref.score(key, response, metrics=[*slow.PLAIN], singletons=singletons)
    for name in slow.PLAIN:
        recall, precision = AS_THEY_ARE[singletons].get(name, all_entities)(name, *sides)
        expected = [float(value) for value in (*recall, *precision)]
        assert result.counts[name].sum(axis=0) == pytest.approx(expected, abs=1e-9), name


def test_every_rule_for_singletons_has_a_slow_version() -> None:
    assert {*SINGLETONS} == {*AS_THEY_ARE, "drop"}  # these are dropped from the documents
    concerned = {name: [metric for metric, each in ON_TABLE.items() if each.rules.singletons == name] for name in
                 ("b3", "ceaf", "lea")}  # fmt: skip
    variants = [name for name in slow.VARIANTS if name.startswith("b3")]
    assert concerned["b3"] == ["b3", "b3-classes", *variants]
    assert concerned["lea"] == ["lea"]


# -- mentions without a twin, where there are sets ---------------------------------------------------------------------


@pytest.mark.parametrize("credit", ["directional", "yu-2021"])
@pytest.mark.parametrize("twinless", ["0", "common", "key"])
def test_twinless_mentions_are_left_out_beside_a_set_too(twinless: str, credit: str) -> None:
    """The set is one more element of its entity, and stays there."""
    sets = {"they": ["ada", "plumber"]}
    key = scoref.clusters({"ada": [1, 2], "plumber": [3], "they": [4, 5]}, sets=sets)
    more = scoref.clusters({"ada": [1, 2], "plumber": [3], "they": [4, 5, 9], "tap": [8]}, sets=sets)
    same = scoref.clusters({"ada": [1, 2], "plumber": [3], "they": [4, 5]}, sets=sets)
    names = [name for name in slow.PLAIN if name != "mentions"]  # detection is about what is there
    found = scoref.score(key, more, metrics=names, twinless=twinless, credit=credit)
    expected = scoref.score(key, same, metrics=names, credit=credit)
    assert {name: tuple(expected[name]) for name in names} == dict.fromkeys(names, pytest.approx((1, 1, 1)))
    counts = [{name: each.counts[name].tolist() for name in names} for each in (found, expected)]
    assert counts[0] == counts[1]


# -- tables in which equal entities stand once, with their number ------------------------------------------------------


def table_of(key: Partition, response: Partition, copies: int = 1) -> Table:
    """The table of one document in which all is there so many times, each time with mentions of its own."""
    sides = [
        scoref.clusters([[f"{copy} {mention}" for mention in each] for copy in range(copies) for each in side])
        for side in (key, response)
    ]
    return build([(sides[0], sides[1], lookups(sides[0], sides[1], "exact"))], [0])[0].every


def numbered(table: Table, copies: int, aligned: bool) -> Table:
    """The table with numbers for copies; if `aligned`, also with what each entity shares with the other side."""
    key, response = (
        side.key._replace(number=np.full(len(side.key.size), float(copies)), aligned=side.shared if aligned else None)
        for side in (table, table.transposed)
    )
    cells = table.cells._replace(number=np.full(len(table.n), float(copies)))
    return replace(table, cells=cells, key=key, response=response)


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_entities_that_stand_once_with_their_number_count_as_often(seed: int, aligned: bool) -> None:
    sides = _sides(8, Random(seed))
    copies = 1 + seed % 3
    once, often = numbered(table_of(*sides), copies, aligned), table_of(*sides, copies)
    hows = {name: each.on_table for name, each in ON_TABLE.items()}
    for name, how in hows.items():
        if isinstance(how, OneToOne | Links) or (isinstance(how, Whole) and how.similarity):
            continue  # these are assigned pair by pair
        kinds = ["keep"] if name in slow.VARIANTS else [*SINGLETONS]
        for twinless, singletons in (*product(TWINLESS, ["keep"]), *product(["as-is", "all"], kinds)):
            found = counted(how, once, twinless, singletons).documents
            expected = counted(how, often, twinless, singletons).documents
            assert found == pytest.approx(expected, abs=1e-9), (name, twinless, singletons)


@pytest.mark.parametrize("seed", range(6))
def test_entities_of_parts_are_counted_as_in_one_document(seed: int) -> None:
    """Where entities live in several documents, pairs of mentions of two entities are those of all documents."""
    sides = [_sides(6, Random(10 * seed + number)) for number in range(3)]
    documents = [[scoref.clusters(pair[side], str(n)) for n, pair in enumerate(sides)] for side in (0, 1)]
    aligned = [(key, response, lookups(key, response, "exact")) for key, response in zip(*documents, strict=True)]
    parts = build(aligned, range(3), Settings(whole=False))[0].every
    joined = [[[f"{n} {m}" for m in each] for n, pair in enumerate(sides) for each in pair[side]] for side in (0, 1)]
    for name in ("nonlinks", "pairwise", "b3"):
        how = ON_TABLE[name].on_table
        expected = counted(how, table_of(joined[0], joined[1])).documents[0]
        assert counted(how, parts).documents.sum(axis=0) == pytest.approx(expected)


def test_an_entity_in_two_groups_of_mentions_is_in_each_as_its_common_mentions_are() -> None:
    """Of a, b, c and d the response has a, b and c; a and d are in one group, b and c in the other."""
    share = np.array([1 / 3, 2 / 3])
    cells = TableCells(np.array([0, 1]), np.array([0, 1]), np.array([3.0, 3]), number=share)
    key = TableSide(np.array([4.0, 4]), np.array([0, 1]), number=np.array([0.5, 0.5]), aligned=np.array([3.0, 3]))
    response = TableSide(np.array([3.0, 3]), np.array([0, 1]), number=share, aligned=np.array([3.0, 3]))
    table = Table(cells, key, response, 2, Settings(whole=False))
    assert pairs_together(table) == pytest.approx(np.array([[1, 1, 1, 1], [2, 2, 2, 2]]))
    found = counted(ON_TABLE["b3"].on_table, table, "common").documents
    assert found == pytest.approx(np.array([[1, 1, 1, 1], [2, 2, 2, 2]]))
    found = counted(ON_TABLE["b3"].on_table, table, "as-is").documents
    assert found == pytest.approx(np.array([[3 / 4, 2, 1, 1], [3 / 2, 2, 2, 2]]))
