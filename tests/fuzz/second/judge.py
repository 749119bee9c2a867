"""Runs a command in this process, and says what is wrong with the outcome, whatever the input was."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import re
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

SECONDS = 10  # of processor time
_ESCAPES = re.compile("[\x00-\x08\x0b-\x1f\x7f\x9b]")
_LOOSE = ("ceaf", "blanc", "conll", "kbp", "nonlinks")  # docs/trust.md: repeated mentions may bring these above 1


@dataclass
class Outcome:
    """What a command did, and what is wrong with that."""

    call: list[str]
    code: int = -1
    out: str = ""
    err: str = ""
    wrong: list[str] = field(default_factory=list)

    @property
    def said(self) -> Any:
        """The JSON that was printed."""
        return json.loads(self.out)

    @property
    def reasons(self) -> list[Any]:
        """What a score reports beside its numbers."""
        said = self.said
        return [*said.get("problems", []), *said.get("notes", []), *said.get("warnings", [])]


class Kept(io.BytesIO):
    """Bytes that stay readable when the text around them is closed."""

    def close(self) -> None:
        """Stay open."""


class Slow(BaseException):
    """The command took too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise Slow


@contextlib.contextmanager
def _inside(folder: Path, stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err, before = Kept(), Kept(), os.getcwd()
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(each, encoding="utf-8", write_through=True) for each in (out, err))
    os.chdir(folder)
    try:
        yield out, err
    finally:
        with contextlib.suppress(ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        sys.stdin, sys.stdout, sys.stderr = streams
        os.chdir(before)


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def run(call: list[str], folder: Path, stdin: bytes = b"") -> Outcome:
    """The outcome of a call, judged by what must hold for every input."""
    from scoref.cli import main

    done, before = Outcome(call), _contents(folder)
    signal.signal(signal.SIGPROF, _stop)
    with _inside(folder, stdin) as (out, err), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            done.code = main(list(call))
        except Slow:
            done.wrong.append(f"slow: more than {SECONDS} s")
        except BaseException as error:  # whatever escapes is a finding
            done.wrong.append(f"escaped: {type(error).__name__}: {error}\n{traceback.format_exc()[-1500:]}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    done.out, done.err = out.getvalue().decode("utf-8", "replace"), err.getvalue().decode("utf-8", "replace")
    done.wrong += [
        f"warning: {each.message}" for each in warned if issubclass(each.category, (RuntimeWarning, ResourceWarning))
    ]
    _judge(done, before, _contents(folder))
    return done


def _judge(done: Outcome, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    wrong, command = done.wrong, done.call[0] if done.call else ""
    if any(w.startswith(("escaped", "slow")) for w in wrong):
        return
    allowed = (0, 1, 2) if command == "validate" else (0, 2)
    if done.code not in allowed:
        wrong.append(f"exit {done.code}\n{done.err[-3000:]}")
    if "Traceback" in done.err and "--debug" not in done.call:
        wrong.append("traceback on standard error")
    if done.code == 2:
        if done.out:
            wrong.append(f"exit 2, and standard output: {done.out[:300]!r}")
        if not done.err.strip():
            wrong.append("exit 2 without a reason")
    if any(after.get(name) != data for name, data in before.items()):
        wrong.append("an input was changed")
    new = sorted(set(after) - set(before))
    if done.code == 2 and new:
        wrong.append(f"exit 2, and files were written: {new}")
    if done.code == 0:
        _judge_output(done, after, new)
    for stream, said in (("output", done.out if command != "convert" else ""), ("error", done.err)):
        if found := _ESCAPES.search(said):
            at = max(0, found.start() - 40)
            wrong.append(f"a control character on standard {stream}: {said[at : at + 80]!r}")


def _judge_output(done: Outcome, after: dict[str, bytes], new: list[str]) -> None:
    wrong, call = done.wrong, done.call
    kind = call[call.index("--output") + 1] if "--output" in call[:-1] else "json" if "--json" in call else "text"
    if "--help" in call or call[0] not in (
        "score",
        "compare",
        "errors",
        "explain",
        "agreement",
        "stability",
        "validate",
        "list",
        "merge",
    ):
        kind = ""
    if kind == "json":
        try:
            said = json.loads(done.out, parse_constant=lambda name: wrong.append(f"{name} in JSON"))
        except ValueError as error:
            wrong.append(f"no JSON: {error}: {done.out[:200]!r}")
        else:
            if call[0] == "score":
                _in_range(said, done)
    elif kind == "csv":
        rows = list(csv.reader(io.StringIO(done.out), strict=True))
        if call[0] == "score" and not any(rows):
            wrong.append("empty CSV")
    elif kind and not done.out.strip() and call[0] != "validate":
        wrong.append("exit 0 and nothing said")
    for name in new:
        if name.endswith(".html") and b"<script>x9()" in after[name]:
            wrong.append("a name became a script")


def _in_range(said: Any, done: Outcome) -> None:
    repeated = any("duplicate" in str(each) or "repeated" in str(each) for each in [*said["problems"], *said["notes"]])
    for metric, parts in said["scores"].items():
        for part, value in parts.items():
            if not isinstance(value, (int, float)) or part == "ci":
                continue
            low = -1 if metric.startswith(("ari", "deixis:ari")) else 0
            loose = repeated and any(name in metric for name in _LOOSE)
            if not math.isfinite(value) or value < low - 1e-9 or (value > 1 + 1e-9 and not loose):
                done.wrong.append(f"out of range: {metric} {part} {value}")
