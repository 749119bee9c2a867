"""Puts the bugs of `patches` into copies of the source, one at a time, and says whether harness and tests find them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from mutants.changes import ROOT, SOURCE
from mutants.forked import Forks, patched, with_forks

from .patches import PATCHES, Patch

SECONDS = 120.0  # that harness and tests have for each bug


def text_of(patch: Patch) -> str:
    """The text of the module with the bug."""
    text = (SOURCE / patch.path).read_text(encoding="utf-8")
    if text.count(patch.old) != 1:
        raise ValueError(f"{patch.path}: {patch.old!r} is there {text.count(patch.old)} times")
    return text.replace(patch.old, patch.new)


def _fails(source: Path, folder: str, arguments: list[str], seconds: float) -> bool | None:
    """Whether a program says within this time that something is wrong; None if it does not end.

    A harness that cannot even run has found nothing.
    """
    environment = {**os.environ, "PYTHONPATH": str(source), "TMPDIR": folder}
    try:
        done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=environment, capture_output=True,
                              timeout=seconds, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    return done.returncode == 1 and b"Traceback" not in done.stderr


def inject(seconds: float = SECONDS, first: int = 0, number: int | None = None, who: str = "both") -> int:
    """Try the bugs, and print who finds each; 1 if the tests miss one."""
    chosen = [*PATCHES][first : None if number is None else first + number]
    with os.fdopen(os.dup(1), "w") as out:
        missed = _tests(chosen, first, seconds, out) if who != "harness" else 0
        if who != "tests":
            _harness(chosen, first, seconds, out)
    return int(bool(missed))


def _tests(chosen: list[Patch], first: int, seconds: float, out: TextIO) -> int:
    """How many bugs no test finds, of those that call what was changed."""
    found: list[str] = []

    def work(forks: Forks) -> None:
        for place, patch in enumerate(chosen, first):
            started = time.monotonic()
            by = forks.noticed(patch.path, text_of(patch))
            _say(place, patch, f"tests {'find' if by else 'MISS'} it ({time.monotonic() - started:.0f} s) {by}", out)
            found.append(by)

    with_forks(work, [], seconds)
    print(f"of {len(chosen)} bugs: tests {len([by for by in found if by])}", file=out, flush=True)
    return found.count("")


def _harness(chosen: list[Patch], first: int, seconds: float, out: TextIO) -> None:
    found = 0
    for place, patch in enumerate(chosen, first):
        started = time.monotonic()
        arguments = ["tests.fuzz", "--minutes", str(seconds / 60), "--first", "--seed", str(place)]
        with patched(patch.path, text_of(patch)) as source, tempfile.TemporaryDirectory() as folder:
            finds = _fails(source, folder, arguments, seconds + 60)
        found += finds is True
        passed = time.monotonic() - started
        _say(place, patch, f"harness {'finds' if finds else 'MISSES'} it ({passed:.0f} s)", out)
    print(f"of {len(chosen)} bugs: harness {found}", file=out, flush=True)


def _say(place: int, patch: Patch, text: str, out: TextIO) -> None:
    print(f"{place:3} {patch.path}: {patch.new.strip()[:60]}: {text}", file=out, flush=True)
