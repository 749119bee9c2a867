"""What each engine answers to each question, by hand: of two documents with entities of one name, and of one corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.counting.metrics import OneToOne
from scoref.formats import Hows
from scoref.problems import Problems
from scoref.relations.registry import METRICS
from scoref.tables.engines.engine import Engine, Worst
from scoref.tables.engines.sql import SqlEngine
from scoref.tables.inputs import Options
from scoref.tables.opening import opened
from scoref.tables.shapes import CellWeights

KEY = {"document": ["d1", "d1", "d1", "d2", "d2"], "mention": [*"abcab"], "entity": [*"AABAC"], "half": [*"ppqqp"]}
RESPONSE = {"document": ["d1", "d1", "d1", "d2", "d2"], "mention": [*"abcaz"], "entity": [*"XYYXZ"], "half": [*"qqqqp"]}
# In documents A is {a b} and {a}; X is {a} and {a}; b of d2 is in the key alone, z in the response.


@pytest.fixture(params=["numpy", "duckdb"])
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    return str(request.param)


@contextmanager
def counted(name: str, sides: Any = (KEY, RESPONSE), singletons: bool = True, **how: Any) -> Iterator[Engine]:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    columns, sampled = how.pop("columns", {}), how.pop("sampled", "none")
    protocol = scoref.Protocol.parse("conll-2012").change(metrics=["b3"], sampled=sampled, **how)
    options = Options(Hows.of({"columns": columns}), name)
    with opened(*map(arrow.table, sides), protocol, Problems(), options) as (engine, _, _):
        engine.count(singletons)
        yield engine


def rows(shapes: Any) -> list[tuple[float, ...]]:
    """Shapes as rows, sorted."""
    return sorted(zip(*(each.tolist() for each in shapes), strict=True))


PLAIN = {"document": "document", "mention": "mention", "entity": "entity"}
HALF = PLAIN | {"half": "half"}

# Of cells: unit, shared mentions, sizes of the two entities, how many of their mentions the other side has, how many
# such cells; of entities: unit, size, how many mentions the other side has, how many such entities.
CASES: dict[str, tuple[dict[str, Any], list[str], list[tuple[float, ...]], list[tuple[float, ...]], Any]] = {
    "documents": (
        {"columns": PLAIN}, ["d1", "d2"],
        [(0, 1, 1, 2, 1, 2, 1), (0, 1, 2, 1, 2, 1, 1), (0, 1, 2, 2, 2, 2, 1), (1, 1, 1, 1, 1, 1, 1)],
        [(0, 1, 1, 1), (0, 2, 2, 1), (1, 1, 0, 1), (1, 1, 1, 1)],
        [(0, 1, 1, 1), (0, 2, 2, 1), (1, 1, 0, 1), (1, 1, 1, 1)],
    ),
    "documents without singletons": (
        {"columns": PLAIN, "singletons": False}, ["d1", "d2"],
        [(0, 1, 2, 2, 1, 1, 1)], [(0, 2, 1, 1)], [(0, 2, 1, 1)],
    ),
    "a corpus": (
        {"columns": PLAIN, "scope": "corpus"}, ["all"],
        [(0, 1, 1, 2, 1, 2, 1), (0, 1, 3, 2, 3, 2, 1), (0, 2, 3, 2, 3, 2, 1)],
        [(0, 1, 0, 1), (0, 1, 1, 1), (0, 3, 3, 1)], [(0, 1, 0, 1), (0, 2, 2, 2)],
    ),
    # Mentions are where the key has them: of A two in p and one in q, of X one in each, of Y one in each.
    "groups of a corpus": (
        {"columns": HALF, "scope": "corpus"}, ["p", "q"],
        [(0, 1, 3, 2, 3, 2, 1), (0, 2, 3, 2, 3, 2, 0.5), (1, 1, 1, 2, 1, 2, 1), (1, 2, 3, 2, 3, 2, 0.5)],
        [(0, 1, 0, 1), (0, 3, 3, 2 / 3), (1, 1, 1, 1), (1, 3, 3, 1 / 3)], [(0, 1, 0, 1), (0, 2, 2, 1), (1, 2, 2, 1)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_units_and_shapes(name: str, case: str) -> None:
    how, units, cells, keys, responses = CASES[case]
    with counted(name, **how) as engine:
        shapes, there = engine.shapes(), engine.units()
        assert (there.names, there.ours.tolist(), there.theirs.tolist()) == (units, *[[True] * len(units)] * 2)
        assert there.ours.dtype == there.theirs.dtype == np.bool_
        assert [rows(shapes.cells), rows(shapes.keys), rows(shapes.responses)] == [cells, keys, responses]
        assert (shapes.units, shapes.whole) == (len(units), case != "groups of a corpus")


@pytest.mark.parametrize("metric", ["ceafm", "ceafe"])
def test_assignments(name: str, metric: str) -> None:
    """In d1 A and X, B and Y; in d2 A and X. In the corpus the same two: 2 and 1 of A, 1 of B."""
    how = METRICS[metric].how
    assert isinstance(how, OneToOne)
    weights = CellWeights(how.similarity)
    expected = {
        "documents": [(0, 1, 1, 2, 1, 2, 1), (0, 1, 2, 1, 2, 1, 1), (1, 1, 1, 1, 1, 1, 1)],
        "a corpus": [(0, 1, 1, 2, 1, 2, 1), (0, 2, 3, 2, 3, 2, 1)],
    }
    for case, chosen in expected.items():
        with counted(name, **CASES[case][0]) as engine:
            engine.shapes()
            cells, bound = engine.assigned(weights)
            assert {share: rows(each) for share, each in cells.items()} == dict.fromkeys("kr", chosen)
            assert tuple(bound) == (0, 0)
    # shared by the mentions of key entities: A has 2 in p and 1 in q, B has 1 in q; by those of X and Y: one in each
    with counted(name, **CASES["groups of a corpus"][0]) as engine:
        engine.shapes()
        cells, bound = engine.assigned(weights)
        assert rows(cells["k"]) == [(0, 2, 3, 2, 3, 2, 2 / 3), (1, 1, 1, 2, 1, 2, 1), (1, 2, 3, 2, 3, 2, 1 / 3)]
        assert rows(cells["r"]) == [(0, 1, 1, 2, 1, 2, 0.5), (0, 2, 3, 2, 3, 2, 0.5),
                                    (1, 1, 1, 2, 1, 2, 0.5), (1, 2, 3, 2, 3, 2, 0.5)]  # fmt: skip
        assert tuple(bound) == (0, 0)


def test_by_which_mentions_a_cell_is_shared(name: str) -> None:
    """Of {1 2 3 4} and {1 2 5 6}: all, those that the other side has, or lacks; each is where the key has it."""
    key = {"mention": [1, 2, 3, 4], "entity": [1] * 4, "half": [*"ppqq"]}
    response = {"mention": [1, 2, 5, 6], "entity": [1] * 4, "half": [*"qqpq"]}
    phi3 = METRICS["ceafm"].on_table.similarity
    parts = {"k": [0.5, 0.5], "s": [1, 0], "k-s": [0, 1], "r": [0.75, 0.25], "c": [1, 0], "r-c": [0.5, 0.5]}
    with counted(name, (key, response), columns={role: role for role in key}, scope="corpus") as engine:
        engine.shapes()
        for weights, shares in (
            (CellWeights(phi3, key_option=True), ("k", "r", "k-s")),
            (CellWeights(phi3, response_option=True), ("k", "r", "r-c")),
            (CellWeights(phi3, "sc"), ("s", "c")),
            (CellWeights(phi3, "kc"), ("k", "c")),
        ):
            assert weights.shares == shares
            cells, _ = engine.assigned(weights)
            assert {share: rows(each) for share, each in cells.items()} == {
                share: [(unit, 2, 4, 4, 2, 2, part) for unit, part in enumerate(parts[share]) if part]
                for share in shares
            }


def test_what_was_split(name: str) -> None:
    """A of d1, in two parts of one: (2² - 1² - 1²)/2; of the corpus in parts of two and one: (3² - 2² - 1²)/3."""
    with counted(name, **CASES["documents"][0]) as engine:
        engine.shapes()
        assert engine.worst(0, 9) == (1, 1, [Worst("A", "d1", 2, 2, 1, 1.0)])
        assert engine.worst(1, 9) == (1, 1, [Worst("Y", "d1", 2, 2, 1, 1.0)])
        assert engine.worst(0, 0) == (1, 1, [])
    with counted(name, **CASES["a corpus"][0]) as engine:
        engine.shapes()
        assert engine.worst(0, 9) == (1, 1, [Worst("A", "", 3, 2, 2, pytest.approx(4 / 3))])


def test_names_and_fields(name: str) -> None:
    """Names by their ends; the least and the greatest value of a field, of all rows of both sides."""
    with counted(name, **CASES["documents"][0]) as engine:
        assert [engine.names(side, "mention", 2) for side in (0, 1)] == [["a", "b"]] * 2
        assert (engine.names(1, "mention", 9), engine.names(0, "document", 1)) == ([*"abcz"], ["d1"])
        assert engine.repeated(0) is engine.repeated(1) is None
        kinds = dict.fromkeys(PLAIN, "texts")
        assert [dict(each) for each in engine.types] == [kinds, kinds]
    by_ends = {"mention": ["b1", "a2", "c1"], "entity": [1, 1, 1]}
    with counted(name, (by_ends, by_ends), columns={role: role for role in by_ends}) as engine:
        assert [engine.names(0, "mention", n) for n in (1, 2, 3)] == [["b1"], ["b1", "c1"], ["b1", "c1", "a2"]]
    with counted(name, columns=HALF) as engine:
        assert engine.fields() == {"half": [("p", "q"), ("p", "q")]}


def test_entities_of_a_sample(name: str) -> None:
    with counted(name, columns=PLAIN, sampled="uniform") as engine:
        found = engine.sampled()
        assert (found.entities, found.documents) == ([*"ABAC"], ["d1", "d1", "d2", "d2"])
        numbers = [each.tolist() for each in found[2:]]
        assert numbers == [[2, 1, 1, 1], [1] * 4, [1] * 4, [0] * 4, [0, 0, 1, 2], [1] * 4, [1, 2, 2, 1]]
        assert {each.dtype for each in (*found[2:6], *found[7:])} == {np.dtype(np.float64)}


@pytest.mark.parametrize("key", [[*"aab"], [*"abb"], [*"abc"]])
@pytest.mark.parametrize("response", [[*"acc"], [*"aac"], [*"ab"]])
def test_repeated_mentions_are_seen_with_a_twin_and_without(
    name: str, key: list[str], response: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a look at some rows before, which tells only where there are many."""
    monkeypatch.setattr(SqlEngine, "_suspected", lambda self: False)
    arrow = pytest.importorskip("pyarrow")
    sides = [arrow.table({"mention": each, "entity": [1] * len(each)}) for each in (key, response)]
    problems = Problems("skip")
    with opened(*sides, scoref.Protocol.parse("conll-2012"), problems, Options(engine=name)) as (engine, _, _):
        engine.count(True)
    found = [(problem.path, problem.text) for problem in problems.found]
    expected = [(f"{side} (pyarrow)", again[0]) for side, each in (("key", key), ("response", response))
                if (again := [one for one in dict.fromkeys(each) if each.count(one) > 1])]  # fmt: skip
    assert found == expected


def test_rows_that_are_left_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of mentions that have several rows: how many rows, the first by name, how many are in several entities."""
    monkeypatch.setitem(KEY, "mention", ["b", "b", "a", "a", ""])
    monkeypatch.setitem(KEY, "entity", [*"AABCD"])
    arrow = pytest.importorskip("pyarrow")
    columns = {"mention": "mention", "entity": "entity"}
    seen: list[Any] = []
    for which in ("first", "last"):
        protocol = scoref.Protocol.parse("conll-2012").change(metrics=["b3"], duplicates=which, scope="corpus")
        problems = Problems("skip")
        sides = [arrow.table({role: side[role] for role in columns}) for side in (KEY, RESPONSE)]
        monkeypatch.setitem(RESPONSE, "mention", [*"abcde"])
        with opened(*sides, protocol, problems, Options(Hows.of({"columns": columns}), name)) as (engine, _, _):
            engine.count(True)
            seen.append(engine.sampled().entities)
            assert engine.repeated(0) is None
        assert problems.found[0].message == "1 row without a mention"
        assert problems.found[1].message == (
            f"4 rows have a mention that another row has too; 1 mentions are in different entities; the {which} row"
            " counts"
        )
        assert problems.found[1].text == "a"
    assert seen == [["A", "B"], ["A", "C"]]
