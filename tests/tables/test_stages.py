"""How far the scoring of tables is: its stages, the share of the work of each, and what a database tells meanwhile."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from scoref.tables.course import Course
from scoref.tables.engines import in_duckdb
from scoref.tables.engines.in_duckdb import DuckEngine


def test_all_stages_and_how_much_of_the_work_is_done_at_the_end_of_each() -> None:
    """Shares of 56, 12, 8, and 12 for each assignment: the end of the last is 100."""
    for aligned, ends in ((["ceafe"], [0, 63, 77, 86, 100]), (["ceafe", "ceafm"], [0, 56, 68, 76, 88, 100])):
        said: list[tuple[str, int, int]] = []
        course = Course(aligned, lambda *each, said=said: said.append(each))
        for _ in ends[1:]:
            course.next()
        course.within(0.5)
        names = ["joining the tables", "sizes of entities", "shapes of cells", *(f"aligning for {n}" for n in aligned)]
        names += names[-1:] * 2  # there is no stage behind the last
        last = len(aligned) + 3
        stages = [f"stage {min(n, last)} of {last}, {name}" for n, name in enumerate(names, 1)]
        assert said == [(stage, end, 100) for stage, end in zip(stages, [*ends, 100], strict=True)]


@pytest.mark.parametrize(("part", "shares"), [((0.4, 0.8), [0.4, 0.6, 0.8]), ((0, 1), [0, 0.5, 1])])
def test_a_running_statement_tells_its_share_of_the_stage(
    part: tuple[float, float], shares: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB says -1 where it does not know, else how many hundredths are done."""
    through, left = threading.Event(), [-1.0, 50.0, 100.0]

    class Connection:
        def execute(self, statement: str) -> str:
            assert through.wait(60)
            return f"the answer of {statement}"

        def query_progress(self) -> float:
            if len(left) == 1:
                through.set()
                return left[0]
            return left.pop(0)

    monkeypatch.setattr(in_duckdb, "_INTERVAL", 0.001)
    engine = DuckEngine.__new__(DuckEngine)
    engine._connection, engine._part = Connection(), part
    seen: list[float] = []
    assert engine._watched("a statement", seen.append) == "the answer of a statement"
    assert seen[:3] == pytest.approx(shares)
    assert {*seen[3:]} <= {shares[-1]}


def test_tables_that_take_long_have_a_part_of_their_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of a stage follow one another; other tables, and what comes behind, have none."""
    parts: dict[str, tuple[float, float]] = {}

    def once(self: Any, statement: str) -> None:
        parts[statement.split()[4]] = self._part

    monkeypatch.setattr(DuckEngine, "_once", once)
    engine = DuckEngine.__new__(DuckEngine)
    assert engine._part == (0, 0)
    for name in ("joined", "keys", "responses", "live_0", "taken", "cells"):
        engine.keep(name, "SELECT 1")
        assert engine._part == (0, 0)
    assert parts["joined"] == (0, 1)
    assert (parts["keys"][0], parts["keys"][1], parts["responses"][1]) == (0, parts["responses"][0], 1)
    assert 0 == parts["live_0"][0] < parts["live_0"][1] == parts["taken"][0] < parts["taken"][1] < 1
    assert parts["cells"] == (0, 0)


def test_answers_are_kept_where_stages_are() -> None:
    engine = DuckEngine.__new__(DuckEngine)
    engine._stages = SimpleNamespace(answer="the kept answer of {}".format)  # type: ignore[assignment]
    assert engine.fetch("a statement") == "the kept answer of a statement"
