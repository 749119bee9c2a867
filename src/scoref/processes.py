"""Work in this process, or in several: an ordered map over documents, a result made meanwhile; how far it is."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from .problems import Error

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST = 20_000_000  # bytes of key and response, from which on further processes pay
_USUAL = 50_000_000  # that a process has, if nobody says how many processes there are

Progress = Callable[[str, int, int], None] | None  # told what is done, how much of it, of how much; None: nobody is


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
            yield _received(results[number % jobs])
    except BaseException:  # nobody waits for the others' results; else they end by themselves, with all they hold
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        raise


def _work(function: Callable[[Item], Result], items: Sequence[Item], results: Connection) -> None:
    """What a worker does: send the result of each item, or the exception that ends it."""
    _serve()
    try:
        for item in items:
            results.send((function(item), False))
    except Exception as error:
        results.send((error, True))


def _received(results: Connection) -> Any:
    """The next result of a worker; the exception that ended it is raised."""
    try:
        found, failed = results.recv()
    except (EOFError, OSError):
        raise Error("lost-worker", "a worker process was ended from outside, perhaps for want of memory",
                    remedy="use fewer processes: --jobs 1") from None  # fmt: skip
    if failed:
        raise found
    return found


@contextmanager
def meanwhile(
    function: Callable[[Progress], Result], jobs: int | None, progress: Progress
) -> Iterator[Callable[[], Result]]:
    """Gives what gives the result of a function, which a copy of this process makes while the block runs.

    Where no copy can begin, where there is to be one job only, and where the copy failed, it is made here when somebody
    asks for it; only then it says how far it is.

    >>> with meanwhile(lambda progress: 6 * 7, 1, None) as result:
    ...     result()
    42
    """
    if jobs == 1 or _copies() == 1 or _is_worker():
        yield partial(function, progress)
        return
    import pickle
    from multiprocessing import get_context

    with _scratch() as file:  # a pipe would hold the copy, and its memory, until it is read
        worker = get_context("fork").Process(target=_make, args=(function, file), daemon=True)
        worker.start()

        def result() -> Result:
            worker.join()
            file.seek(0)
            found = b"" if worker.exitcode else file.read()
            return pickle.loads(found) if found else function(progress)

        try:
            yield result
        finally:
            worker.terminate()
            worker.join()


def _scratch() -> BinaryIO:
    """A file without a name: in memory, or on disk where Python was built without such files."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("result"), "w+b")
    import tempfile

    return tempfile.TemporaryFile("w+b")


def _make(function: Callable[[None], Result], file: BinaryIO) -> None:
    """What the copy does: write the result, or nothing if it fails."""
    import pickle

    _serve()
    with suppress(Exception):
        file.write(pickle.dumps(function(None)))
        file.flush()


def _serve() -> None:
    """Be a worker: the process that started it says that it was interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def process_count(size: int, number: int | None) -> int:
    """How many processes so many bytes have, if that number is asked for; 1 where others take longer than they save.

    If nobody asks there is one for each processor, if they begin as copies of this one, but each has enough to do. A
    worker of somebody else may have no workers of its own.
    """
    if size < (2 * _USUAL if number is None else LEAST) or _is_worker():
        return 1
    return min(size // _USUAL, _copies()) if number is None else number


def _copies() -> int:
    """How many processes can work at a time that begin as copies of this one, with this one."""
    if sys.platform != "linux" or _start() != "fork":
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_worker() -> bool:
    """Whether this process works for another one, and may have no workers of its own."""
    from multiprocessing import current_process

    return bool(current_process().daemon)


def _start() -> str:
    """How a worker begins: as a copy of this process, which need not import all again; unless it has threads."""
    import threading

    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
