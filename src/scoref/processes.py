"""Work in one process or in several: an ordered map, progress reports."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .problems import Error

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST = 20_000_000  # bytes of key and response; with less, more processes do not pay off
_USUAL = 50_000_000  # bytes for each process, if the user does not say how many processes

Progress = Callable[[str, int, int], None] | None  # called with what is done, how many, of how many


def reported(items: Sequence[Item], what: str, progress: Progress) -> Iterator[Item]:
    """The items, one by one; `progress` is told how many are done.

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
    from multiprocessing import get_context  # a pool of concurrent.futures would take as long again to import

    context: Any = get_context(start_method())
    workers, results = [], []
    try:
        for first in range(jobs):
            result, end = context.Pipe(duplex=False)
            worker = context.Process(target=_work, args=(function, items[first::jobs], end))
            worker.start()
            end.close()
            workers.append(worker)
            results.append(result)
        for number in range(len(items)):
            yield _received(results[number % jobs])
    except BaseException:  # stop the workers that are left; without an exception they end by themselves
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        raise


def _work(function: Callable[[Item], Result], items: Sequence[Item], results: Connection) -> None:
    """Run by a worker: send the result of each item, or the exception that stopped it."""
    _serve()
    try:
        for item in items:
            results.send((function(item), False))
    except Exception as error:
        results.send((error, True))


def _received(results: Connection) -> Any:
    """The next result of a worker; raises the exception if one stopped it."""
    try:
        found, failed = results.recv()
    except (EOFError, OSError):
        raise Error("lost-worker", "a worker process was ended from outside, perhaps for want of memory",
                    remedy="use fewer processes: --jobs 1") from None  # fmt: skip
    if failed:
        raise found
    return found


def _serve() -> None:
    """Set up the signals of a worker: Ctrl-C is left to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def process_count(size: int, number: int | None) -> int:
    """How many processes to use for an input of `size` bytes; `number` is what the user asked for, None for nothing.

    A small input gets one process, as starting more takes longer than they save. If nobody asks, there is one for each
    processor, as long as each has enough to do and can be forked. A worker never starts workers of its own.
    """
    if size < (2 * _USUAL if number is None else LEAST) or _is_worker():
        return 1
    return min(size // _USUAL, copies()) if number is None else number


def copies() -> int:
    """How many processes can work at a time, this one included, if the others are forked; 1 if they cannot be."""
    if sys.platform != "linux" or start_method() != "fork":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_worker() -> bool:
    """Whether this process is itself a worker, which may not start others."""
    from multiprocessing import current_process

    return bool(current_process().daemon)


def start_method() -> str:
    """How workers start: forked, which saves importing everything again, unless this process has threads."""
    import threading

    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
