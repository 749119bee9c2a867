"""An ordered map over documents: in this process, or in several; how far it is."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ..exceptions import Error

Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[str, int, int], None]  # told what is done, how much of it, of how much


def reported(items: Sequence[Item], what: str, progress: Progress | None) -> Iterator[Item]:
    """The items, one by one, and to whom it may concern how many are done.

    >>> list(reported("ab", "letters read", lambda *said: print(*said)))
    letters read 0 2
    letters read 1 2
    letters read 2 2
    ['a', 'b']
    """
    for number, item in enumerate(items):
        if progress:
            progress(what, number, len(items))
        yield item
    if progress:
        progress(what, len(items), len(items))


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
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context(_start()), _leave_signals) as pool:
        try:
            yield from pool.map(function, items)
        except BrokenProcessPool:
            raise Error("lost-worker", "a worker process was ended from outside, perhaps for want of memory",
                        remedy="use fewer processes: --jobs 1") from None  # fmt: skip
        except BaseException:  # nobody waits for the others' results
            for worker in list((pool._processes or {}).values()):
                worker.terminate()
            raise


def _start() -> str:
    """How a worker begins: as a copy of this process, which need not import all again; unless it has threads."""
    import threading

    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _leave_signals() -> None:
    """Let the process that started the workers say that it was interrupted or terminated."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
