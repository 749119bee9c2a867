"""Runs commands in this process, and says what must not happen whatever the files are."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import re
import signal
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from scoref.cli import main, program
from scoref.counting.metrics import Mean
from scoref.relations.registry import how_of

SECONDS = 20.0  # of processor time for a command on a small file, which takes some hundredths of one
LONGEST = 4000  # characters of a line on standard error
BELOW_ZERO = ("ari", "cc")  # metrics that may be

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_NUMBER = count(1)
_TROUBLE = ("[defect]", "[out-of-memory]", "[too-deep]")
_parser, _settings = program.parser, program.settings


class TooLong(BaseException):
    """A command takes far longer than its input explains."""


@cache
def _known(command: str) -> Any:
    return _parser(command)


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """Warnings are errors; what takes much time in thousands of short runs is done once, or rarely.

    The parser of each command is made once, no settings are looked for (no trial has any), and what was used is
    collected every thousand runs.
    """
    program.parser, program.settings = _known, lambda: None
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        program.parser, program.settings = _parser, _settings
        gc.enable()
        gc.unfreeze()


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Ends what takes more processor time; where there are no such signals, nothing is ended."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Runner:
    """Runs commands in the current folder, and collects in `wrong` what no file may lead to."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.runs = 0
        self.said = ""

    def found(self, what: str) -> None:
        """Something is wrong."""
        self.wrong.append(what)

    def text(self, *arguments: str) -> str | None:
        """What a command prints; None if it refuses its input, as it may."""
        self.runs += 1
        if not gc.isenabled() and next(_NUMBER) % 1000 == 0:
            gc.collect()
        out, err = io.StringIO(), io.StringIO()
        name = " ".join(arguments)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), limited(SECONDS):
                code = main([*arguments])
        except TooLong:
            self.found(f"{name}: more than {SECONDS:g} seconds")
            return None
        printed, self.said = out.getvalue(), err.getvalue()
        self._check(name, code, printed)
        return printed if code in ((0, 1) if arguments[0] == "validate" else (0,)) else None

    def json(self, *arguments: str) -> dict[str, Any] | None:
        """The JSON that a command prints, whose scores must be scores; None if it refuses its input."""
        text = self.text(*arguments, "--json")
        if text is None:
            return None
        try:
            found: dict[str, Any] = json.loads(text, parse_constant=self._no_number)
        except ValueError as reason:
            self.found(f"{' '.join(arguments)}: no JSON: {reason}")
            return None
        self._check_scores(found, " ".join(arguments))
        return found

    def _check(self, name: str, code: int, printed: str) -> None:
        said = self.said
        if code not in ((0, 1, 2) if name.startswith("validate") else (0, 2)) or any(each in said for each in _TROUBLE):
            self.found(f"{name}: exit {code}: {said}")
        if code == 2 and printed:
            self.found(f"{name}: an error and a result")
        if code == 2 and not re.search(r"^error: .*(\n .*)*  \[[a-z-]+\]$|^scoref.*: error: ", said, re.M):
            self.found(f"{name}: an error without a word: {said}")
        if "Warning" in said or "Traceback" in said:
            self.found(f"{name}: {said}")
        for what, text in (("printed", printed), ("said", said)):
            if what == "printed" and name.startswith("convert"):
                continue  # a file, as it is
            if unseen := _UNSEEN.search(text):
                self.found(f"{name}: {what} {unseen[0]!r}")
        if max(map(len, said.split("\n"))) > LONGEST:
            self.found(f"{name}: said a line of more than {LONGEST} characters")

    def _no_number(self, constant: str) -> float:
        raise ValueError(f"{constant} is no number")

    def _check_scores(self, found: dict[str, Any], name: str) -> None:
        scores = found.get("scores", {})
        above = _counted_twice(found)
        for metric, score in scores.items() if isinstance(scores, dict) else ():
            base = metric.split(":")[-1]
            if base.startswith(above) or (above and isinstance(how_of(base), Mean)):
                continue
            least = -1.0 if base in BELOW_ZERO else 0.0
            values = [value for value in score.values() if isinstance(value, float)]
            if not all(least - 1e-9 <= value <= 1 + 1e-9 for value in values):
                self.found(f"{name}: {metric} is {score}")


def _counted_twice(found: dict[str, Any]) -> tuple[str, ...]:
    """What mentions lift above 1 that are repeated, and reported, or matched with one, as other scorers have it."""
    every = ("ceaf", "blanc", "pairwise", "nonlinks")
    rules = found.get("protocol", {})
    if rules.get("match") in ("partial-1.0", "head-1.1"):
        return every
    lists = dict.fromkeys(("reference", "list", "list-coval"), ("ceaf",))
    lifted = {**lists, "ua-1.0": every}.get(rules.get("duplicates"), ())
    return lifted if "duplicate-mention" in json.dumps(found.get("problems")) else ()


@contextlib.contextmanager
def written(files: dict[str, bytes], folder: Path) -> Iterator[None]:
    """The files in the folder, which is the current one; at the end it is empty again."""
    with contextlib.chdir(folder):
        for place in {os.path.dirname(name) for name in files} - {""}:
            os.makedirs(place, exist_ok=True)
        for name, data in files.items():
            with open(name, "wb", buffering=0) as file:
                file.write(data)
        try:
            yield
        finally:
            _emptied(".")


def _emptied(folder: str) -> None:
    with os.scandir(folder) as found:
        entries = [*found]
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            _emptied(entry.path)
            os.rmdir(entry.path)
        else:
            os.unlink(entry.path)
