"""The order of tests for several workers: dear ones are at the beginning of a stretch, none is lost."""

from __future__ import annotations

import pytest

from sharing import DEAR, shared

FOLDERS = ("page/browser", "tables", "docs", "fuzz")
NAMES = [f"tests/{folder}/test_{n}.py::test" for folder in sorted(("answers", *FOLDERS, "texts")) for n in range(20)]
NAMES.insert(70, "tests/run/test_parts.py::test[1]")


def stretches(order: list[int], workers: int) -> list[list[str]]:
    """What `--dist worksteal` gives each worker at first: equal numbers of what is left."""
    found = []
    for worker in range(workers):
        number = len(order) // (workers - worker)
        found.append([NAMES[n].split("::")[0].removeprefix("tests/") for n in order[:number]])
        order = order[number:]
    return found


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 7])
def test_every_test_is_run_once(workers: int):
    assert sorted(shared(NAMES, workers)) == [*range(len(NAMES))]


def test_each_worker_begins_with_what_only_it_runs():
    one, other = stretches(shared(NAMES, 2), 2)
    assert [place.rpartition("/")[0] for place in one[:21]] == ["run", *["page/browser"] * 20]
    assert [place.rpartition("/")[0] for place in other[:60:20]] == ["tables", "docs", "fuzz"]
    assert not {*one} & {*other}
    firsts = ["run/test_parts.py", *(f"{folder}/test_0.py" for folder in FOLDERS[1:])]
    assert [each[0] for each in stretches(shared(NAMES, 4), 4)] == firsts


def test_other_tests_keep_their_order():
    dear = tuple(f"tests/{place}" for each in DEAR for place in each)
    others = [n for n in shared(NAMES, 3) if not NAMES[n].startswith(dear)]
    assert others == sorted(others)
