"""Tables of odd names, types and values: CSV, TSV, Parquet, Arrow."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import random
from pathlib import Path
from typing import Any

_NAMES = [("mention", "entity", "document"), ("id", "cluster", "doc"), ("record_id", "cluster_id", "year"),
    ("#mention", "Entity", "DOC"), ("a", "b", "c"), ("mention", "mention", "entity"), ("", "entity", "mention"),
    ("mention ", " entity", "\ufeffdoc")]  # fmt: skip
_CELLS = ["", " ", "NA", "null", "NaN", "1.0", "1e3", "01", "1", "-1", "99999999999999999999", "٣", "a,b",
    'q"q', "a\nb", "x\ty", "\x00", "é", "e\u0301", "=1", "True", "inf", "\u200b", "a;b", "'"]  # fmt: skip
_VALUES: list[Any] = [None, float("nan"), float("inf"), 1.5, -0.0, 2**63 - 1, -(2**63), True, b"\xff", b"a", [1,
    2], {"a": 1}, decimal.Decimal("1.10"), datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1, 1), "", " ",
    "\x00", "x" * 5000]  # fmt: skip


def _rows(chance: random.Random, size: int) -> list[list[Any]]:
    documents = chance.choice([1, 1, 3])
    numbers = chance.random() < 0.5
    rows = []
    for at in range(size):
        mention, entity = at if numbers else f"m{at}", chance.randrange(1 + size // 2)
        rows.append([mention, entity if numbers else f"e{entity}", f"d{at % documents}"])
    return rows


def _delimited(names: tuple[str, ...], rows: list[list[Any]], chance: random.Random, gap: str) -> bytes:
    out = io.StringIO()
    made = csv.writer(out, delimiter=gap, lineterminator=chance.choice(["\n", "\r\n", "\r"]))
    made.writerow(names)
    for row in rows:
        if chance.random() < 0.03:
            row = [*row, "x"] if chance.random() < 0.5 else row[:-1]
        made.writerow([chance.choice(_CELLS) if chance.random() < 0.03 else cell for cell in row])
    data = out.getvalue().encode("utf-8")
    if chance.random() < 0.1:
        data = data[: chance.randrange(len(data) + 1)]
    if chance.random() < 0.1:
        data = b"\xef\xbb\xbf" + data
    return data


def _columnar(path: Path, names: tuple[str, ...], rows: list[list[Any]], chance: random.Random) -> None:
    import pyarrow as pa
    import pyarrow.feather as feather
    import pyarrow.parquet as parquet

    columns = []
    for at in range(3):
        cells = [row[at] for row in rows]
        what = chance.random()
        if what < 0.15:
            cells = [chance.choice([None, cell]) for cell in cells]
        elif what < 0.3:
            odd = chance.choice(_VALUES)
            cells = [odd for _ in cells]
        made = pa.array(cells)
        if pa.types.is_integer(made.type) and chance.random() < 0.4:
            made = made.cast(
                chance.choice([pa.int8(), pa.uint16(), pa.uint64(), pa.float64(), pa.string()]), safe=False
            )
        elif pa.types.is_string(made.type) and chance.random() < 0.4:
            made = chance.choice([made.dictionary_encode(), made.cast(pa.large_string()),
                made.cast(pa.binary()), made.cast(pa.string_view())])  # fmt: skip
        columns.append(made)
    table = pa.Table.from_arrays(columns, names=list(names))
    if path.suffix == ".parquet" and not any(pa.types.is_string_view(each.type) for each in columns):
        parquet.write_table(table, path)
        if chance.random() < 0.1:
            path.write_bytes(path.read_bytes()[: -chance.choice([1, 5, 50])])
        return
    feather.write_feather(table, path.with_suffix(".arrow"), compression="uncompressed")
    path.with_suffix(".arrow").rename(path)


def odd_tables(folder: Path, chance: random.Random) -> tuple[str, str]:
    """A key and a response; the names of the files."""
    rows = _rows(chance, chance.choice([0, 1, 5, 12, 40]))
    found = []
    names = chance.choice(_NAMES) if chance.random() < 0.4 else _NAMES[0]
    ending = chance.choice([".csv", ".csv", ".tsv", ".parquet", ".arrow"])
    for stem in "kr":
        path = folder / f"{stem}{ending}"
        chance.shuffle(rows)
        sides = [[mention, chance.choice([entity, rows[0][1]]), document] for mention, entity, document in rows]
        if ending in (".csv", ".tsv"):
            gap = chance.choice(",;\t") if chance.random() < 0.3 else "," if ending == ".csv" else "\t"
            path.write_bytes(_delimited(names, sides, chance, gap))
        else:
            _columnar(path, names, sides, chance)
        found.append(path.name)
        if chance.random() < 0.1:
            ending = chance.choice([".csv", ".parquet", ".arrow", ".tsv"])
    return found[0], found[1]
