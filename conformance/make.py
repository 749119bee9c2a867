"""Makes the inputs of all cases: `python conformance/make.py`. What was recorded of a case stays, if its input does.

A change of an input loses what was recorded of it: run record.py then.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from suite import cases

MODULES = ("hand", "papers", "partitions", "spans", "anaphora", "zeros", "nuggets", "broken")
Rows = Callable[[], Iterator[dict[str, Any]]]


def sets() -> dict[str, Rows]:
    """The function that makes each set."""
    return {
        name: rows
        for module in MODULES
        for name, rows in importlib.import_module(f"making.{module}").ROWS.items()
    }  # fmt: skip


def known(name: str) -> dict[str, dict[str, Any]]:
    """What was recorded of the cases of a set, by their inputs."""
    if name not in cases.names():
        return {}
    return {
        cases.written(case.inputs): {each: case.row[each] for each in cases.RESULTS if each in case.row}
        for case in cases.read(name)
    }


def main() -> None:
    """Write all sets, or those that were named."""
    cases.CASES.mkdir(exist_ok=True)
    for name, rows in sets().items():
        if name in sys.argv[1:] or not sys.argv[1:]:
            before = known(name)
            made = [{**row, **before.get(cases.written(row), {})} for row in rows()]
            cases.write(name, made)
            print(f"{name}: {len(made)} cases, {sum('expected' in row for row in made)} of them recorded")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
