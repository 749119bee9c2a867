"""Messages and progress on standard error; the width and colours of the terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import TextIO

COLOURS = ("auto", "always", "never")

colour: ContextVar[str] = ContextVar("colour", default="auto")
_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)

_RED, _DIM, _PLAIN = "\x1b[1;31m", "\x1b[2m", "\x1b[0m"
_LABELS = ("where", "expected", "you can", "did you mean", "see:", "it takes", "write")


class Misuse(Exception):
    """A wrong call of a command: what is wrong, and a hint at what was probably meant or what to do."""

    def __init__(self, what: str, hint: str, code: str = "bad-usage") -> None:
        super().__init__(what, hint, code)
        self.what, self.hint, self.code = what, hint, code

    def __str__(self) -> str:
        return f"{self.what}  [{self.code}]\n  {self.hint}"


def warn(text: str) -> None:
    """Print a message with control characters escaped; nothing if standard error is closed."""
    from ..layout.grid import clean

    if sys.stderr is not None:  # print(file=None) would write to standard output
        lines = [clean(line) for line in text.split("\n")]
        if colours(sys.stderr):
            lines = [_coloured(line) for line in lines]
        finish()
        with suppress(OSError, ValueError):
            sys.stderr.write("\n".join([*lines, ""]))  # at once, so that no other program writes into the line
            sys.stderr.flush()


def _coloured(line: str) -> str:
    if line.startswith("error: "):
        return f"{_RED}error:{_PLAIN} {line.removeprefix('error: ')}"
    label = next((label for label in _LABELS if line.startswith(f"  {label}")), None)
    return f"  {_DIM}{label}{_PLAIN}{line[2 + len(label) :]}" if label else line


def colours(stream: TextIO | None) -> bool:
    """Whether colours are shown: as `--color` says, else on terminals that have them unless NO_COLOR is set."""
    wanted = colour.get()
    if wanted != "auto" or stream is None:
        return wanted == "always" and stream is not None
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def warn_beside_csv(output: str, notes: list[str]) -> None:
    """With CSV output, print its notes on standard error: all but the number of documents and the signature."""
    for note in notes[1:-1] if output == "csv" else ():
        warn(note)


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


def width() -> int | None:
    """The width of the terminal that results are printed on (and whether it has bold type); None for a pipe."""
    from ..layout.grid import UNBOUND, TerminalWidth

    terminal = sys.stdout is not None and sys.stdout.isatty()
    bold = colours(sys.stdout)
    if not terminal and not bold:
        return None
    return TerminalWidth(_columns() if terminal else UNBOUND, bold)


def progress() -> Callable[[str, int, int], None] | None:
    """A callback that shows progress on a terminal, after a second; None if standard error is a file or a pipe."""
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
        return None
    found = _meter.get()
    if found is None:
        found = Meter(stream)
        _meter.set(found)
    return found


def finish() -> None:
    """Remove the line of progress."""
    found = _meter.get()
    if found is not None:
        _meter.set(None)
        found.close()


class Meter:
    """A line that says what is being done, how much of it, and how long the rest will take."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.started, self.shown = stream, time.monotonic(), False
        self.what, self.done, self.total, self.since = "", 0, 0, self.started
        import threading  # only on terminals

        self.ended = threading.Event()
        self.drawing = threading.Thread(target=self._draw, daemon=True)  # redraws even if no progress is reported
        self.drawing.start()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note what is being done, and how far it is."""
        if what != self.what and (total != self.total or done < self.done):  # another count, not its next stage
            self.since = time.monotonic()
        self.what, self.done, self.total = what, done, total

    def close(self) -> None:
        """Stop, and remove the line."""
        self.ended.set()
        self.drawing.join()
        if self.shown:
            self._put("")

    def line(self, now: float) -> str:
        """The text of the line; '' in the first second."""
        if not self.what or now - self.started < 1:
            return ""
        return f"{self.what}: {self.done:,} of {self.total:,}{left(now - self.since, self.done, self.total)}"

    def _draw(self) -> None:
        while not self.ended.wait(0.2):
            if line := self.line(time.monotonic()):
                self.shown = True
                self._put(line[: _columns() - 1])

    def _put(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(f"\r{line}\x1b[K", end="", file=self.stream, flush=True)


def left(seconds: float, done: int, total: int) -> str:
    """How long the rest will take, if it goes on like this.

    >>> left(10, 5, 15), left(60, 1, 10), left(3, 0, 2)
    (', about 20 s left', ', about 9 min left', ', 3 s')
    """
    rest = seconds * (total - done) / done if done else 0.0
    if rest < 1:
        return f", {seconds:.0f} s" if seconds >= 1 and not done else ""
    return f", about {rest:.0f} s left" if rest < 120 else f", about {rest / 60:.0f} min left"
