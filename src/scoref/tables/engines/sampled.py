"""The entities of a sampled key, from an engine that speaks SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from ..rows import Values
from .engine import WEIGHT, Drawn
from .statements import Statements


class Database(Protocol):
    """What is asked of a database: see `SqlEngine`."""

    quote: str

    def ranked(self, name: str, statement: str, order: str, number: str) -> None:
        """Keep the answer of a statement with numbers that rise in this order."""

    def fetch(self, statement: str) -> Mapping[str, Values]:
        """The answer of a statement, column by column."""

    def forget(self, *names: str) -> None:
        """Drop tables."""


def sampled_key(engine: Database, say: Statements, weighted: bool) -> Drawn:
    """The entities with their weights by one statement, and their cells by another."""
    engine.ranked("sampled", say.weights(f"{engine.quote}{WEIGHT}{engine.quote}" if weighted else None),
                  ", ".join((*say.home, "entity")), "line")  # fmt: skip
    home = "CAST(document AS STRING)" if say.home else "''"
    columns = f"CAST(entity AS STRING) AS entity, {home} AS home, size, low, high, lacking, line"
    found = engine.fetch(f"SELECT {columns} FROM sampled ORDER BY line")
    cells = engine.fetch(say.sampled_cells())
    engine.forget("sampled")
    numbers = [
        np.array([np.nan if value is None else value for value in found[name].tolist()], np.float64)
        for name in ("size", "low", "high", "lacking")
    ]
    line = np.searchsorted(found["line"], cells["line"])
    names = [[*map(str, found[name].tolist())] for name in ("entity", "home")]
    return Drawn.of(names, numbers, (line, cells["n"], cells["r"]))
