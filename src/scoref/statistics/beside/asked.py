"""What was asked beside a comparison, computed: power, a margin, datasets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ...layout import plots
from ...layout.grid import Cell, Grid
from ...layout.render import Json
from ...problems import Error
from ...processes import Progress
from ...results.evaluation import Evaluation
from ...results.scores import Resampling
from ..samples import Testing
from .datasets import across
from .power import Estimated, Margin, Power


class Beside(Protocol):
    """A result beside a comparison: tables and notes for people, columns or a table for programs, JSON, pictures."""

    def grids(self) -> list[Grid]:
        """Tables for people."""

    def notes(self) -> list[str]:
        """The lines below the tables."""

    def columns(self) -> dict[str, Sequence[Cell]]:
        """Columns beside those of the tests, for programs."""

    def whole_grid(self) -> Grid | None:
        """A table for programs, instead of that of the tests."""

    def to_dict(self) -> Json:
        """The values for JSON."""

    def figures(self) -> Mapping[str, plots.Figure]:
        """Pictures by their names."""


def refuse_bad(testing: Testing) -> None:
    """Refuse differences and margins that are none."""
    for name, value in (("difference", testing.difference), ("margin", testing.margin)):
        if value is not None and not 0 < value <= 1:
            raise Error("bad-difference", f"a {name} of {100 * value:g} points",
                        expected="points of f1: more than 0, at most 100")  # fmt: skip


def beside(
    systems: Mapping[str, Sequence[Evaluation]],
    pairs: Sequence[tuple[str, str]],
    tests: Sequence[Estimated],
    how: tuple[Testing, Resampling],
    progress: Progress,
) -> dict[str, Beside]:
    """The results that were asked for, by their names in JSON."""
    testing, resampling = how
    found: dict[str, Beside] = {}
    if testing.power or testing.difference is not None:
        found["power"] = Power(tuple(tests), resampling.units, resampling.unit, testing.difference)
    if testing.margin is not None:
        found["margin"] = Margin(tuple(tests), testing.margin)
    if testing.across:
        found["across"] = across(systems, pairs, testing, progress)
    return found
