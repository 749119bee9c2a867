"""The same records by every doorway: as frames, Series, mappings, arrays and files, against the quickest of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import scoref
from measuring import Row, Settings, Task, against, at_most, best

_METRICS = ["b3", "pairwise", "muc"]
_MOST = 2.0  # times a frame of pandas with the same values


def doorways(settings: Settings) -> list[Row]:
    """Two million records, integers and texts, by every doorway, against frames of pandas with the same values."""
    records = 100_000 if settings.quick else 2_000_000
    random = np.random.default_rng(0)
    mention, entity = random.permutation(records), random.integers(0, records // 4, records)
    other = np.where(random.random(records) < 0.05, random.integers(0, records // 4, records), entity)
    order = random.permutation(records)
    rows = []
    for kind, prefix in (("integers", ""), ("texts", "e-")):
        columns = [(mention, entity), (mention[order], other[order])]
        if prefix:
            columns = [tuple(np.array([f"{prefix}{value}" for value in each]) for each in side) for side in columns]
        seconds = best(_tasks(columns, settings.folder), settings.repetitions)
        frame = seconds.pop("frames of pandas")
        for name, spent in seconds.items():
            what = f"{name}, {records:,} {kind} : frames of pandas"
            rows.append(at_most(what, spent / frame, _MOST, "×", against(spent, frame)))
    return rows


def _tasks(columns: list[tuple[Any, ...]], folder: Path) -> dict[str, Task]:
    """A task for each doorway: it is given what its library makes of the two columns, and scores that."""
    pandas, polars, arrow, duckdb = map(import_module, ("pandas", "polars", "pyarrow", "duckdb"))
    frames = [pandas.DataFrame({"mention": mentions, "entity": entities}) for mentions, entities in columns]
    connection = duckdb.connect()
    made: dict[str, Callable[[Any], Any]] = {
        "frames of pandas": lambda frame: frame,
        "Series of pandas": lambda frame: frame.set_index("mention")["entity"],
        "mappings": lambda frame: dict(zip(frame["mention"].tolist(), frame["entity"].tolist(), strict=True)),
        "pairs of arrays": lambda frame: (frame["mention"].to_numpy(), frame["entity"].to_numpy()),
        "frames of polars": lambda frame: polars.DataFrame(dict(frame)),
        "Arrow tables": arrow.Table.from_pandas,
        "relations of DuckDB": connection.from_df,
    }
    files = {}
    for ending, write in (("csv", "to_csv"), ("parquet", "to_parquet")):
        files[ending] = [folder / f"{side}.{ending}" for side in ("key", "response")]
        for frame, path in zip(frames, files[ending], strict=True):
            getattr(frame, write)(path, index=False)
    given = {name: [make(frame) for frame in frames] for name, make in made.items()}
    given |= {f"{ending} files": list(map(str, paths)) for ending, paths in files.items()}
    return {name: partial(scoref.score, *sides, metrics=_METRICS) for name, sides in given.items()}


PARTS = (doorways,)
