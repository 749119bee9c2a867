"""Runs a function on each of many things, each in a process of its own with limits of time and memory."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from ..processes import Progress, copies, start_method

Item = TypeVar("Item")

MISSING = ("reject", "empty")  # what a document that a submission lacks is

_LEAST = 0.05  # seconds between looks at the clock


class Limits(NamedTuple):
    """What each submission may take: seconds, bytes of memory; and how many are judged at a time."""

    seconds: int = 600
    memory: int = 4_000_000_000
    jobs: int | None = None


class Ended(NamedTuple):
    """How a process ended: `done`, `time` if it was stopped after its time, or else how; and how long it took."""

    how: str
    seconds: float


@contextmanager
def folders(number: int) -> Iterator[list[str]]:
    """So many temporary folders, removed afterwards, whatever is in them."""
    import shutil
    import tempfile

    above = tempfile.mkdtemp(prefix="scoref-")
    try:
        made = [os.path.join(above, str(each)) for each in range(number)]
        for each in made:
            os.mkdir(each)
        yield made
    finally:
        shutil.rmtree(above, ignore_errors=True)


def each_alone(
    function: Callable[[Item, str], None], items: Sequence[Item], places: Sequence[str], limits: Limits,
    progress: Progress = None,
) -> list[Ended]:  # fmt: skip
    """Call the function with each item and its folder, in a process that is stopped after its time.

    What the function has to say it writes to its folder. A process that is killed, dies or never ends costs its own
    limit, and changes nothing for the others.
    """
    from multiprocessing import connection, get_context  # not needed to declare options

    context: Any = get_context(start_method())
    jobs = limits.jobs or copies()
    ended: dict[int, Ended] = {}
    running: dict[int, tuple[Any, float]] = {}
    waiting = [*range(len(items))]
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number = waiting.pop(0)
                arguments = function, items[number], places[number], limits.memory
                process = context.Process(target=_alone, args=arguments, daemon=True)
                process.start()
                running[number] = process, time.monotonic()
            first = min(began for _, began in running.values()) + limits.seconds - time.monotonic()
            connection.wait([process.sentinel for process, _ in running.values()], max(first, _LEAST))
            for number, (process, began) in [*running.items()]:
                if (found := _ended(process, began, limits)) is not None:
                    ended[number] = found
                    del running[number]
            if progress:
                progress("submissions judged", len(ended), len(items))
    finally:
        for process, _ in running.values():
            process.kill()
            process.join()
    return [ended[number] for number in range(len(items))]


def _ended(process: Any, began: float, limits: Limits) -> Ended | None:
    """How a process ended; None if it may go on."""
    took = time.monotonic() - began
    how = "time"
    if process.exitcode is not None:
        code = process.exitcode
        how = "done" if code == 0 else f"was ended by signal {-code}" if code < 0 else f"ended with the code {code}"
    elif took < limits.seconds:
        return None
    process.kill()
    process.join()
    process.close()
    return Ended(how, took)


def _alone(function: Callable[[Item, str], None], item: Item, place: str, memory: int) -> None:
    """Run by the process: silent, limited, with the signals of an ordinary process, temporary files in its folder."""
    import signal
    import tempfile

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    tempfile.tempdir = place  # it is removed however the process ends
    _limit(memory)
    function(item, place)


def _limit(memory: int) -> None:
    """Limit the memory beyond what the process has already, and the size of files; nothing where that is unknown."""
    if sys.platform == "win32":
        return
    import resource

    taken = 0
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    for what, most in (("RLIMIT_AS", taken + memory), ("RLIMIT_FSIZE", memory), ("RLIMIT_CORE", 0)):
        with suppress(AttributeError, OSError, ValueError):
            number = getattr(resource, what)
            hard = resource.getrlimit(number)[1]
            resource.setrlimit(number, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # where memory runs out although no one is beyond the limit, it is this process that ends
