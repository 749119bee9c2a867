"""An ordered map over documents: in this process, or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(function: Callable[[Item], Result], items: Sequence[Item], jobs: int = 1) -> Iterator[Result]:
    """The results of `function` in the order of `items`, whatever the number of processes.

    >>> list(ordered_map(abs, [-1, 2]))
    [1, 2]
    """
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(function, items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(function, items, chunksize=max(1, len(items) // (4 * jobs)))
