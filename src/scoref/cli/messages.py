"""What is said on standard error: messages, and progress."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable

from ..layout.grid import clean


def warn(text: str) -> None:
    """Print a message, control characters escaped."""
    print("\n".join(map(clean, text.split("\n"))), file=sys.stderr)


def warn_beside_csv(output: str, notes: list[str]) -> None:
    """Say what CSV has no place for: all notes but the number of documents and the signature."""
    for note in notes[1:-1] if output == "csv" else ():
        warn(note)


def width() -> int | None:
    """The columns of the terminal that results are printed on; none where they go to a pipe or a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def progress() -> Callable[[str, int, int], None] | None:
    """A progress line on a terminal, from the second second on."""
    if not sys.stderr.isatty():
        return None
    started = shown = time.monotonic()

    def show(what: str, done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done == total and shown > started:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        elif now - started > 1 and now - shown > 0.1:
            print(f"\r{done}/{total} {what}\x1b[K", end="", file=sys.stderr, flush=True)
            shown = now

    return show
