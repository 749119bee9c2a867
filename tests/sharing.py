"""Which worker of pytest begins with which tests: those that share what takes long to make stay together.

`--dist worksteal` gives each worker a stretch of all tests, and who has done his own gets some of the end of another's.
What is at the beginning of a stretch is thus run by one worker alone: a browser, Spark and the site are made once. What
starts many processes comes before: to copy a worker takes longer the more it has run.
"""

from __future__ import annotations

from itertools import islice

DEAR = (("run/test_parts.py", "page/browser"), ("tables",), ("docs",), ("fuzz",))  # files and folders of tests


def shared(names: list[str], workers: int) -> list[int]:
    """The numbers of tests in a new order: with the tests of some of these places each worker's stretch begins."""
    starts = [[(f"tests/{place}/", f"tests/{place}::") for place in each] for each in DEAR]
    folders = [[n for place in each for n, name in enumerate(names) if name.startswith(place)] for each in starts]
    others = iter(sorted({*range(len(names))} - {n for folder in folders for n in folder}))
    found: list[int] = []
    for worker in range(workers):
        first = [n for folder in _turn(folders, worker, workers) for n in folder]
        stretch = (len(names) - len(found)) // (workers - worker)
        found += [*first, *islice(others, max(0, stretch - len(first)))]
    return [*found, *others]


def _turn(folders: list[list[int]], worker: int, workers: int) -> list[list[int]]:
    """The folders of a worker: one to each, and what is left to the last one."""
    return folders[worker:] if worker == workers - 1 else folders[worker : worker + 1]
