"""An ordered map over documents: in this process, or in several; how far it is."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..exceptions import Error

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Result = TypeVar("Result")

_LEAST = 20_000_000  # bytes of key and response, from which on further processes pay
_USUAL = 50_000_000  # that a process has, if nobody says how many processes there are

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
    from multiprocessing import get_context  # a pool of concurrent.futures would take as long again to import

    context: Any = get_context(_start())
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
            found, failed = _received(results[number % jobs])
            if failed:
                raise found
            yield found
    except BaseException:  # nobody waits for the others' results; else they end by themselves, with all they hold
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        raise


def _work(function: Callable[[Item], Result], items: Sequence[Item], results: Connection) -> None:
    """What a worker does: send the result of each item, or the exception that ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started the workers says that it was interrupted
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        for item in items:
            results.send((function(item), False))
    except Exception as error:
        results.send((error, True))


def _received(results: Connection) -> tuple[Any, bool]:
    try:
        return results.recv()  # type: ignore[no-any-return]
    except (EOFError, OSError):
        raise Error("lost-worker", "a worker process was ended from outside, perhaps for want of memory",
                    remedy="use fewer processes: --jobs 1") from None  # fmt: skip


def processes(size: int, number: int | None) -> int:
    """How many processes so many bytes have, if that number is asked for; 1 where others take longer than they save.

    If nobody asks there is one for each processor, if they begin as copies of this one, but each has enough to do. A
    worker of somebody else may have no workers of its own.
    """
    if size < (2 * _USUAL if number is None else _LEAST):
        return 1
    from multiprocessing import current_process

    if current_process().daemon:
        return 1
    if number is not None:
        return number
    return min(size // _USUAL, len(os.sched_getaffinity(0))) if sys.platform == "linux" and _start() == "fork" else 1


def _start() -> str:
    """How a worker begins: as a copy of this process, which need not import all again; unless it has threads."""
    import threading

    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
