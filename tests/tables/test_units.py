"""Groups of mentions that cut entities: each score is between 0 and 1, and the sums are those of the whole.

The slow version is literal: every mention of an entity brings the same part of what the entity counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.counting.metrics import Links, Mean, Whole
from scoref.counting.rules import SINGLETONS, TWINLESS
from scoref.relations.registry import METRICS, on_table

KNOWN = [
    name for name in METRICS if on_table(name) and not isinstance(METRICS[name].how, Mean | Links)
]  # links are refused: they are between two mentions, which may be in two groups
INDICES = [name for name in KNOWN if isinstance(METRICS[name].how, Whole) and METRICS[name].on_table.common]
PLAIN = [name for name in KNOWN if METRICS[name].rules.twinless in (None, "as-is")]
MAJOR = ["entities-macro", "entities-micro"]
MEANS = [*MAJOR, "assa"]  # three sums, and what all of them are divided by

Members = dict[str, dict[str, str]]  # entity → mention → unit


class Cut(NamedTuple):
    """One side: rows of mention, entity, unit."""

    rows: list[tuple[str, str, str]]

    @property
    def columns(self) -> dict[str, list[str]]:
        values = zip(*self.rows, strict=True)
        return dict(zip(("mention", "entity", "unit"), map(list, values), strict=True))


def _cut(random: Random) -> tuple[Cut, Cut]:
    """A key and a response of few mentions in few units; a mention may be in another unit of the response."""
    number = random.choice([3, 6, 10])
    units = {str(mention): random.choice("ABC") for mention in range(number)}
    sides = []
    for _ in range(2):
        entities, absent, moved = random.choice([1, 2, 4]), random.choice([0, 0.2, 0.5]), random.choice([0, 0.3])
        rows = [
            (mention, f"e{random.randrange(entities)}", random.choice("ABC") if random.random() < moved else unit)
            for mention, unit in units.items()
            if random.random() >= absent
        ]
        sides.append(Cut(rows or [("0", "e0", "A")]))
    return sides[0], sides[1]


cuts = st.builds(_cut, st.randoms(use_true_random=True))


def frames(sides: tuple[Cut, Cut]) -> list[object]:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    return [pyarrow.table(side.columns) for side in sides]


def by_unit(sides: tuple[Cut, Cut], engine: str, **how: object) -> scoref.Evaluation:
    return scoref.score(*frames(sides), engine=engine, columns={"unit": "unit"}, **how)


def bounded(counts: np.ndarray, name: str) -> None:
    """All numerators are between 0 and their denominators."""
    tops, bottoms = (counts[:, :3], counts[:, 3:]) if name in MEANS else (counts[:, [0, 2]], counts[:, [1, 3]])
    assert (tops >= -1e-12).all(), (name, counts)
    assert (tops <= bottoms + 1e-12).all(), (name, counts)


@settings(max_examples=150)
@given(cuts, st.sampled_from(sorted(TWINLESS)), st.sampled_from(sorted(SINGLETONS)))
def test_units_are_bounded_and_add_up(sides, twinless, singletons):
    how = {"metrics": KNOWN, "twinless": twinless, "singletons": singletons, "frequent": 2}
    if singletons not in ("keep", "drop"):
        how |= {"metrics": PLAIN, "twinless": "as-is"}
    parts = by_unit(sides, "numpy", **how)
    whole = scoref.score(*frames(sides), engine="numpy", **how)
    assert {*how["metrics"]} <= {*parts.counts}
    for name in parts.counts:
        np.testing.assert_allclose(parts.counts[name].sum(0), whole.counts[name][0], 1e-9, 1e-9, err_msg=name)
        if name not in INDICES:
            bounded(parts.counts[name], name)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("twinless", sorted(TWINLESS))
def test_entities_that_are_cut_count_in_all_what_whole_ones_do(engine, twinless):
    """CEAF, where what partners are worth alone is given to units, too; the response has moved and new mentions."""
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    key = Cut([(str(n), f"k{n // 4}", "ABC"[n * n % 3]) for n in range(12)])
    response = Cut([(str(n), f"r{n // 3}", "ABC"[n % 3]) for n in range(2, 16) if n not in (5, 10)])
    how = {"metrics": ["ceafm", "ceafe"], "twinless": twinless}
    parts = by_unit((key, response), engine, **how)
    whole = scoref.score(*frames((key, response)), engine="numpy", **how)
    assert parts.documents == ("A", "B", "C")
    for name in how["metrics"]:
        np.testing.assert_allclose(parts.counts[name].sum(0), whole.counts[name][0], 1e-12, 1e-12, err_msg=name)
        bounded(parts.counts[name], name)


@settings(max_examples=12)
@given(cuts, st.sampled_from(sorted(TWINLESS)), st.sampled_from(["keep", "drop"]))
def test_databases_cut_as_arrays_do(sides, twinless, singletons):
    pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    how = {"metrics": KNOWN, "twinless": twinless, "singletons": singletons, "frequent": 2}
    ours, theirs = (by_unit(sides, engine, **how) for engine in ("numpy", "duckdb"))
    assert ours.documents == theirs.documents
    for name in set(KNOWN).difference(MAJOR):  # of equally good pairings of major entities each may take another
        np.testing.assert_allclose(theirs.counts[name], ours.counts[name], 1e-9, 1e-9, err_msg=name)


@pytest.mark.parametrize("name", INDICES)
def test_indices_of_whole_clusterings_have_no_groups(name):
    """The whole has one, and so have its resampled units; a group of parts of entities has none."""
    side = Cut([(str(number), "KKLL"[number], "ABAB"[number]) for number in range(4)])
    result = by_unit((side, side), "numpy", metrics=["b3", name])
    assert result[name].f1 == 1
    with pytest.raises(scoref.Error, match=f"{name} cannot be computed for groups") as raised:
        result.by("unit")
    assert raised.value.code == "not-on-tables"


# -- CEAF, literally -------------------------------------------------------------------------------------------------


def members(side: Cut, placed: dict[str, str]) -> Members:
    """The entities of a side; mentions that the key has are in the key's unit."""
    found: Members = {}
    for mention, entity, unit in side.rows:
        found.setdefault(entity, {})[mention] = placed.get(mention, unit)
    return found


def pairings(keys: list[str], responses: list[str]) -> Iterator[list[tuple[str, str]]]:
    """All ways to align entities one to one, also leaving some alone."""
    if not keys:
        yield []
        return
    first, *others = keys
    yield from pairings(others, responses)
    for one in responses:
        for rest in pairings(others, [other for other in responses if other != one]):
            yield [(first, one), *rest]


def phi3(key: set[str], response: set[str]) -> float:
    return len(key & response)


def phi4(key: set[str], response: set[str]) -> float:
    return 2 * len(key & response) / (len(key) + len(response))


def given_to_units(values: dict[str, float], entities: Members) -> Counter[str]:
    """What entities count, in equal parts to their mentions, added up by the units of these."""
    found: Counter[str] = Counter()
    for entity, value in values.items():
        for unit in entities[entity].values():
            found[unit] += value / len(entities[entity])
    return found


def ceaf(sides: tuple[Cut, Cut], phi) -> list[list[Counter[str]]]:
    """For each of the best pairings the four counts by unit."""
    placed = {mention: unit for mention, _, unit in sides[0].rows}
    keys, responses = (members(side, placed) for side in sides)
    values = {(k, r): phi(keys[k].keys(), responses[r].keys()) for k in keys for r in responses}
    every = [[pair for pair in pairing if values[pair]] for pairing in pairings([*keys], [*responses])]
    best = max(sum(values[pair] for pair in pairing) for pairing in every)
    own = [{e: phi(m.keys(), m.keys()) for e, m in side.items()} for side in (keys, responses)]
    return [
        [
            given_to_units({k: values[k, r] for k, r in pairing}, keys),
            given_to_units(own[0], keys),
            given_to_units({r: values[k, r] for k, r in pairing}, responses),
            given_to_units(own[1], responses),
        ]
        for pairing in every
        if sum(values[pair] for pair in pairing) > best - 1e-9
    ]


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize(("name", "phi"), [("ceafm", phi3), ("ceafe", phi4)])
@settings(max_examples=15)
@given(sides=cuts)
def test_ceaf_as_the_slow_version(engine, name, phi, sides):
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    result = by_unit(sides, engine, metrics=[name])
    expected = [np.array([[sums[unit] for sums in each] for unit in result.documents]) for each in ceaf(sides, phi)]
    assert any(np.allclose(result.counts[name], each, 1e-9, 1e-9) for each in expected)


def test_ceaf_by_hand():
    """Of four mentions in the key the response has one: φ4 = 2/(4 + 1), a fourth of it for each mention of the key."""
    key = Cut([(str(number), "K", "AABB"[number]) for number in range(4)])
    result = by_unit((key, Cut([("0", "R", "A")])), "numpy", metrics=["ceafe"])
    np.testing.assert_allclose(result.counts["ceafe"], [[0.2, 0.5, 0.4, 1], [0.2, 0.5, 0, 0]])
