"""Runs commands on mutated files and says what should not have happened."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scoref.cli import main
from scoref.statistics import saved

from .mutate import mutated
from .seeds import SEEDS, SUFFIXES

UNBOUNDED = ("ari", "ami")  # may be below 0


def trial(kind: str, chance: random.Random, folder: Path) -> list[str]:
    """One mutated file through one command; gives what was wrong with the outcome."""
    path = folder / f"response.{SUFFIXES[kind]}"
    key = folder / f"key.{SUFFIXES[kind]}"
    if kind == "saved":
        key.write_bytes(SEEDS["clusters"].encode())
        _call(["score", str(key), str(key), "--save", str(path)])
        text = mutated(path.read_text(), chance)
        with contextlib.suppress(ValueError, AttributeError):
            record = json.loads(text)
            record.pop("checksum", None)
            text = json.dumps({**record, "checksum": saved._checksum(record)}).encode()
        path.write_bytes(text)
        return outcome(["merge", str(path), "--json"], path)
    key.write_bytes(SEEDS[kind].encode() if chance.random() < 0.8 else mutated(SEEDS[kind], chance))
    path.write_bytes(mutated(SEEDS[kind], chance))
    sides = [key, path] if chance.random() < 0.8 else [path, key]
    skip = ["--on-problem", "skip"] if chance.random() < 0.5 else []
    command = chance.choice((_score, _score, _score, _errors, _convert, _validate))
    return outcome([*command(sides, folder, chance), *(skip if command is not _validate else [])], path)


def _score(sides: list[Path], folder: Path, chance: random.Random) -> list[str]:
    known = ("", "", "--metrics all", "--layer all", "--match head", "--singletons drop")
    more = chance.choice(known).split()
    return ["score", *map(str, sides), "--json", *more]


def _errors(sides: list[Path], folder: Path, chance: random.Random) -> list[str]:
    return ["errors", *map(str, sides), "--json"]


def _convert(sides: list[Path], folder: Path, chance: random.Random) -> list[str]:
    to = chance.choice(("jsonl", "conll", "corefud", "ua", "tbf"))
    return ["convert", str(sides[1]), str(folder / "out"), "--to", to]


def _validate(sides: list[Path], folder: Path, chance: random.Random) -> list[str]:
    return ["validate", str(sides[1])]


def _call(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def outcome(arguments: list[str], path: Path) -> list[str]:
    """What is wrong with what a command does: no exit code but 0 and 2, no output with an error, no odd scores."""
    code, out, err = _call(arguments)
    wrong = []
    if code not in ((0, 1, 2) if arguments[0] == "validate" else (0, 2)):
        wrong.append(f"exit {code}: {err}")
    if code == 2 and out:
        wrong.append("an error and a result")
    if code == 2 and not err.startswith(("error: ", "skipped: ", "note: ")):
        wrong.append(f"an error without a word: {err}")
    if code == 0 and arguments[0] in ("score", "merge"):
        found = json.loads(out)
        if "duplicate-mention" in out:  # reported; other scorers, whose rules are kept, count more than there is
            return wrong
        for name, score in found["scores"].items():
            low = -math.inf if name.split(":")[-1] in UNBOUNDED else -1e-9
            if not all(low <= score[each] <= 1 + 1e-9 for each in ("recall", "precision", "f1")):
                wrong.append(f"{name} is {score}")
    return [f"{' '.join(arguments)}: {each}" for each in wrong]


def findings(
    seed: int, folder: Path, stop: Callable[[int, float], bool], kinds: tuple[str, ...] = ()
) -> Iterator[tuple[int, str, str]]:
    """The number of each trial, its kind, and what was wrong with it, '' for nothing, until `stop` says so."""
    started, number = time.monotonic(), 0
    known = kinds or (*SEEDS, "saved")
    os.makedirs(folder, exist_ok=True)
    while not stop(number, time.monotonic() - started):
        kind = known[number % len(known)]
        wrong = trial(kind, random.Random(f"{seed}-{number}-{kind}"), folder)
        yield number, kind, "; ".join(wrong)
        number += 1
