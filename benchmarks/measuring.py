"""What all parts of the benchmarks share: tasks that take turns, processes with their memory, rows of the table."""

from __future__ import annotations

import gc
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

READ = "import sys, numpy; [print(open(path, 'rb').read().count(b'\\n')) for path in sys.argv[1:]]"

Task = Callable[[], object]


class Settings(NamedTuple):
    """What the command line says: a folder for this part, smaller or larger corpora, peers and the Python they need.

    `files` are pairs of key and response that the user has, by their names.
    """

    folder: Path
    quick: bool
    large: bool
    repetitions: int
    peers: dict[str, str]
    python: str
    patience: float
    memory: str
    files: dict[str, tuple[Path, Path]]

    def within(self, name: str) -> Settings:
        """The same with a folder of its own."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return self._replace(folder=folder)


class Row(NamedTuple):
    """One line of the table."""

    what: str
    measured: str
    target: str = ""
    met: str = ""


Part = Callable[[Settings], Iterable[Row]]


class Failed(Exception):
    """A process that did not end well."""


# -- time and memory -------------------------------------------------------------------------------------------------


def processor_time() -> float:
    """Seconds that this process and those it started have spent on a processor."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


CLOCK: dict[str, Callable[[], float]] = {"now": time.perf_counter}


def best(tasks: dict[str, Task], repetitions: int) -> dict[str, float]:
    """The least seconds that each task took; the tasks take turns, so that the noise of the machine hits all alike."""
    seconds = dict.fromkeys(tasks, float("inf"))
    for _ in range(repetitions):
        for name, task in tasks.items():
            gc.collect()
            started = CLOCK["now"]()
            task()
            seconds[name] = min(seconds[name], CLOCK["now"]() - started)
    return seconds


def process(*command: str | Path, patience: float | None = None) -> Task:
    """A task that runs a whole process."""
    arguments = [str(part) for part in command]

    def run() -> None:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=patience, check=False)
        if done.returncode:
            raise Failed(f"failed: {' '.join(arguments)}\n{done.stderr.strip()}")

    return run


class Took(NamedTuple):
    """What one process took."""

    seconds: float
    megabytes: float


# A process of its own starts the one that is measured: a child has at least the memory of the process that forks it.
# What processes share counts once: where one starts others, the proportional sizes of all are added up now and then.
_LAUNCH = """
import resource, subprocess, sys, time

def together(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        children = file.read().split()
    sizes = []
    for each in [process, *children] if children else []:
        with open(f"/proc/{each}/smaps_rollup") as file:
            sizes += [int(line.split()[1]) for line in file if line.startswith("Pss:")]
    return sum(sizes)

started = time.perf_counter()
done = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
most = 0
while sys.platform == "linux" and done.poll() is None:
    try:
        most = max(most, together(done.pid))
    except OSError:  # one has just ended
        pass
    try:
        done.wait(0.05)
    except subprocess.TimeoutExpired:
        pass
done.wait()
elapsed, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
print(elapsed, used.ru_utime + used.ru_stime, max(used.ru_maxrss, most) / 1000)
sys.exit(done.returncode)
"""


def took(*command: str | Path) -> Took:
    """Run a process, and say its time and the most memory that it had, with all that it started."""
    arguments = [str(part) for part in command]
    done = subprocess.run(
        [sys.executable, "-S", "-c", _LAUNCH, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"failed: {' '.join(arguments)}\n{done.stderr.strip()}")
    elapsed, spent, megabytes = map(float, done.stdout.split())
    return Took(spent if CLOCK["now"] is processor_time else elapsed, megabytes)


def scoref_command() -> list[str]:
    """How to start scoref: as its users do, by the script beside this Python."""
    script = shutil.which("scoref", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-m", "scoref"]


# -- rows ------------------------------------------------------------------------------------------------------------


def at_most(what: str, value: float, limit: float, unit: str, detail: str = "") -> Row:
    """A row whose value is not to exceed the limit."""
    return Row(what, f"{number(value)} {unit}{detail}", f"≤ {limit:g} {unit}", "yes" if value <= limit else "no")


def at_least(what: str, value: float, limit: float, unit: str, detail: str = "") -> Row:
    """A row whose value is to reach the limit."""
    return Row(what, f"{number(value)} {unit}{detail}", f"≥ {limit:g} {unit}", "yes" if value >= limit else "no")


def grown(what: str, tasks: dict[str, Task], repetitions: int) -> list[Row]:
    """Rows for tasks of which each has ten times the work of the one before; `what` has a place for its size."""
    seconds = best(tasks, repetitions)
    rows = []
    for before, after in pairwise(seconds):
        detail = against(seconds[after], seconds[before])
        rows.append(at_most(f"{what.format(after)} : {before}", seconds[after] / seconds[before], 12, "×", detail))
    return rows


def grown_processes(what: str, commands: dict[str, list[str | Path]]) -> list[Row]:
    """The same for whole processes, in time and in memory."""
    each = {size: took(*command) for size, command in commands.items()}
    rows = []
    for before, after in pairwise(each):
        one, ten = each[before], each[after]
        detail = against(ten.seconds, one.seconds)
        rows.append(at_most(f"{what.format(after)} : {before}", ten.seconds / one.seconds, 12, "×", detail))
        memory = f" ({ten.megabytes:.0f} MB : {one.megabytes:.0f} MB)"
        rows.append(at_most("its memory", ten.megabytes / one.megabytes, 12, "×", memory))
    return rows


def number(value: float) -> str:
    """Three digits or so."""
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.3g}"


def span(seconds: float) -> str:
    """Seconds or milliseconds."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def against(ours: float, theirs: float) -> str:
    """The two times of a ratio."""
    return f" ({span(ours)} : {span(theirs)})"
