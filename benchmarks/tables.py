"""Tables of mentions, and what is done with them, each in a process of its own.

    python benchmarks/tables.py make FOLDER 1e9         tables of so many mentions, in parts, within little memory
    python benchmarks/tables.py sums FOLDER 12GB        all metrics that are sums, on the tables of a folder

Peers are installed by whoever wants to see them. er-evaluation has a licence (AGPL) under which it is run here as a
program of its own, and never imported by scoref.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SUMS = "mentions,muc,b3,b3-classes,lea,pairwise,blanc,b3-0,b3-all,b3-rn,b3-sys"
CEAF = "ceafm,ceafe"
_CHUNK = 5_000_000


def make(folder: Path, mentions: int, texts: bool = False, noise: float = 0.05) -> None:
    """Key and response of so many mentions, about 4.3 an entity; a share of them moved, one in a hundred missing."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    random = np.random.default_rng(1)
    entities = max(int(mentions / 4.3), 1)
    key = (random.random(mentions) ** 1.5 * entities).astype(np.int64)
    for side in ("key", "response"):
        entity = key.copy()
        if side == "response":
            moved = random.random(mentions) < noise
            entity[moved] = random.integers(0, entities, moved.sum())
        ids = random.permutation(np.flatnonzero(random.random(mentions) < 0.99))
        writer = None
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            columns = {"mention": pa.array(part), "entity": pa.array(entity[part])}
            if texts:
                columns = {
                    name: pc.binary_join_element_wise(pa.scalar(f"{name}-"), values.cast(pa.string()), "")
                    for name, values in columns.items()
                }
            table = pa.table(columns)
            writer = writer or pq.ParquetWriter(folder / f"{side}.parquet", table.schema)
            writer.write_table(table)
        if writer:
            writer.close()


def make_in_parts(folder: Path, mentions: int, noise: float = 0.05) -> None:
    """The same for numbers of mentions that do not fit into memory: folders of Parquet files, two integers a row.

    What is random of a mention is a hash of its number, so that each part is made by itself; rows are in another order
    on each side, by a multiplication modulo the number of mentions.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    entities = max(int(mentions / 4.3), 1)

    def drawn(ids: Any, seed: int) -> Any:  # splitmix64, as fractions of 1
        found = ids.astype(np.uint64) + np.uint64(seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
        return (found ^ (found >> np.uint64(31))) / 2.0**64

    for number, side in enumerate(("key", "response")):
        (folder / side).mkdir()
        step = (998_244_353, 1_000_000_007)[number]  # primes: every row is another mention
        for part, start in enumerate(range(0, mentions, _CHUNK)):
            rows = np.arange(start, min(start + _CHUNK, mentions), dtype=np.int64)
            ids = rows * step % mentions if mentions < 2**33 else rows
            ids = ids[drawn(ids, 3 + number) < 0.99]
            entity = (drawn(ids, 0) ** 1.5 * entities).astype(np.int64)
            if side == "response":
                moved = drawn(ids, 1) < noise
                entity[moved] = (drawn(ids[moved], 2) * entities).astype(np.int64)
            pq.write_table(pa.table({"mention": ids, "entity": entity}), folder / side / f"part-{part:04}.parquet")


# -- what is measured, each in a process of its own ------------------------------------------------------------------


def _scoref(folder: Path, metrics: str, memory: str, temp: str) -> Any:
    import scoref

    sides = [folder / side if (folder / side).is_dir() else folder / f"{side}.parquet" for side in ("key", "response")]
    result = scoref.score(*sides, metrics=metrics.split(","), engine="duckdb", memory=memory, temp=temp)
    return {name: round(100 * score.f1, 2) for name, score in result.scores.items()}


def sums(folder: Path, memory: str, temp: str) -> Any:
    """All metrics that are sums."""
    return _scoref(folder, SUMS, memory, temp)


def everything(folder: Path, memory: str, temp: str) -> Any:
    """The sums and both CEAFs."""
    return _scoref(folder, f"{SUMS},{CEAF}", memory, temp)


def ceaf(folder: Path, memory: str, temp: str) -> Any:
    """Both CEAFs."""
    return _scoref(folder, CEAF, memory, temp)


def bare(folder: Path, memory: str, temp: str) -> Any:
    """DuckDB alone: join, cells, sizes of entities."""
    import duckdb

    settings = {"memory_limit": memory, "temp_directory": temp, "preserve_insertion_order": False}
    connection = duckdb.connect(config=settings)
    key, response = (f"read_parquet('{folder / name}.parquet')" for name in ("key", "response"))
    connection.execute(f"CREATE TABLE cells AS SELECT k.entity AS k, r.entity AS r, count(*) AS n FROM {key} AS k"
                       f" JOIN {response} AS r USING (mention) GROUP BY ALL")  # fmt: skip
    for name, table in (("keys", key), ("responses", response)):
        connection.execute(f"CREATE TABLE {name} AS SELECT entity, count(*) AS size FROM {table} GROUP BY ALL")
    return connection.execute("SELECT count(*) FROM cells").fetchall()[0][0]


def pandas(folder: Path, memory: str, temp: str) -> Any:
    """B³ and pairwise in six lines."""
    import pandas as pd

    key, response = (pd.read_parquet(folder / f"{name}.parquet") for name in ("key", "response"))
    n = key.merge(response, on="mention").groupby(["entity_x", "entity_y"]).size()
    k, r = (side.groupby("entity").size() for side in (key, response))
    sizes = k.reindex(n.index.get_level_values(0)).to_numpy(), r.reindex(n.index.get_level_values(1)).to_numpy()
    b3 = (n.to_numpy() ** 2 / sizes[0]).sum() / k.sum(), (n.to_numpy() ** 2 / sizes[1]).sum() / r.sum()
    links = (n * (n - 1)).sum() / (k * (k - 1)).sum(), (n * (n - 1)).sum() / (r * (r - 1)).sum()
    return [round(100 * float(value), 2) for value in (*b3, *links)]


def _common(folder: Path) -> tuple[Any, Any]:
    import pandas as pd

    both = (pd.read_parquet(folder / f"{name}.parquet") for name in ("key", "response"))
    merged = next(both).merge(next(both), on="mention")
    return merged["entity_x"], merged["entity_y"]


def scikit_learn(folder: Path, memory: str, temp: str) -> Any:
    """Adjusted Rand index, homogeneity, completeness, V-measure."""
    from sklearn import metrics

    labels = _common(folder)
    return [
        float(metrics.adjusted_rand_score(*labels)),
        *map(float, metrics.homogeneity_completeness_v_measure(*labels)),
    ]


def er_evaluation(folder: Path, memory: str, temp: str) -> Any:
    """B³, pairwise and exact entities."""
    import er_evaluation
    import pandas as pd

    sides = [pd.read_parquet(folder / f"{name}.parquet").set_index("mention")["entity"] for name in ("key", "response")]
    names = ("b_cubed_precision", "b_cubed_recall", "pairwise_precision", "pairwise_recall", "cluster_precision")
    return [float(getattr(er_evaluation, name)(sides[1], sides[0])) for name in names]


MEASURED: dict[str, Callable[[Path, str, str], Any]] = {
    "sums": sums, "ceaf": ceaf, "all": everything, "bare": bare, "pandas": pandas, "scikit-learn": scikit_learn,
    "er-evaluation": er_evaluation,
}  # fmt: skip

if __name__ == "__main__":
    name, folder, memory = sys.argv[1:]
    if name == "make":
        make_in_parts(Path(folder), int(float(memory)))
        sys.exit()
    with tempfile.TemporaryDirectory(dir=folder) as temp:
        print(MEASURED[name](Path(folder), memory, temp))
