"""Puts the bugs of `patches` into copies of the source, one at a time, and says whether harness and tests find them."""

# ruff: noqa: T201
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from mutants import ROOT, SOURCE, patched

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
    found: Counter[str] = Counter()
    chosen = [*PATCHES][first : None if number is None else first + number]
    for place, patch in enumerate(chosen, first):
        with patched(patch.path, text_of(patch)) as source, tempfile.TemporaryDirectory() as folder:
            started = time.monotonic()
            said = []
            if who != "tests":
                arguments = ["tests.fuzz", "--minutes", str(seconds / 60), "--first", "--seed", str(place)]
                harness = _fails(source, folder, arguments, seconds + 60)
                found["harness"] += harness is True
                said.append(f"harness {'finds' if harness else 'MISSES'} it ({time.monotonic() - started:.0f} s)")
            started = time.monotonic()
            if who != "harness":
                folders = [f"tests/{name}" for name in patch.tests]
                tests = _fails(source, folder, ["pytest", "-q", "-x", "-p", "no:cacheprovider", *folders], seconds)
                found["tests"] += tests is True
                said.append(f"tests {'find' if tests else 'MISS'} it ({time.monotonic() - started:.0f} s)")
        print(f"{place:3} {patch.path}: {patch.new.strip()[:60]}: {', '.join(said)}", flush=True)
    print(f"of {len(chosen)} bugs: " + ", ".join(f"{name} {times}" for name, times in found.items()))
    return int(who != "harness" and found["tests"] < len(chosen))
