"""The entities of a sampled key, from an engine that speaks SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .engine import WEIGHT, Sampled
from .statements import Statements

if TYPE_CHECKING:
    from .sql import SqlEngine


def sampled_key(engine: SqlEngine, say: Statements, weighted: bool) -> Sampled:
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
    return Sampled.of(names, numbers, (line, cells["n"], cells["r"]))
