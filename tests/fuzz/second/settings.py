"""Trials with files that scoref wrote itself, or that say how it is to work: evaluations, settings, protocols."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from .calls import CHOICES, MEASURES, ODD, PROTOCOLS
from .hurt import hurt
from .judge import Outcome, run

Plain = Callable[[], tuple[str, str]]


def saved(folder: Path, chance: random.Random, names: tuple[str, str]) -> list[Outcome]:
    """A saved evaluation that was damaged: refused, or understood."""
    first = run(["score", *names, "--save", "a.json", "--json"], folder)
    if first.code:
        return [first]
    bad = hurt((folder / "a.json").read_bytes(), chance)
    (folder / "b.json").write_bytes(bad)
    what = chance.choice(
        [["merge", "a.json", "b.json"], ["merge", "b.json"], ["explain", "b.json"], ["compare", "a.json", "b.json"]]
    )
    output = chance.choice([[], ["--json"], ["--output", "csv"]])
    more = ["--trials", "10"] if what[0] == "compare" else []
    return [first, run([*what, *output, *more], folder)]


def told(folder: Path, chance: random.Random, names: tuple[str, str]) -> list[Outcome]:
    """Settings of a project, or a protocol, in a file."""
    lines = []
    for option in chance.sample(list(CHOICES), chance.choice([0, 1, 2, 5])):
        lines.append(f'{option[2:]} = "{chance.choice(CHOICES[option].split())}"')
    if chance.random() < 0.5:
        lines.append(f'metrics = ["{chance.choice(MEASURES)}", "{chance.choice(MEASURES)}"]')
    own = chance.random() < 0.5
    lines.append(f'{"preset" if own else "protocol"} = "{chance.choice(PROTOCOLS)}"')
    odd = ["x = 1", "match = 3", "metrics = 5", "metrics = [1]", "metrics = []", "beta = nan", "beta = inf",
        "key = []", "systems = 3", "[systems]\na = 1", "[score]\nby = 3", "jobs = -1", "trials = 1e9",
        "ci = 'x'", "match = ''", "[compare]", "output = 'json'", "seed = 99999999999999999999999",
        "key = 'k.conll'", "threshold = -1", "frequent = 0.5", "types = ['a']"]  # fmt: skip
    if chance.random() < 0.5:
        lines.append(chance.choice(odd))
    data = ("\n".join(lines) + "\n").encode()
    if chance.random() < 0.3:
        data = hurt(data, chance)
    name = "p.toml" if own else chance.choice(["scoref.toml", "scoref.toml", "pyproject.toml"])
    if name == "pyproject.toml":
        data = b"[tool.scoref]\n" + data
    (folder / name).write_bytes(data)
    command = chance.choice(["score", "score", "errors", "explain", "config"])
    files = [] if command == "config" else list(names)
    options = ["--protocol", "p.toml"] if own and files else []
    if files and chance.random() < 0.2:
        options = ["--protocol", _signature(chance)]
    return [run([command, *files, *options, *(["--json"] if files and chance.random() < 0.5 else [])], folder)]


def _signature(chance: random.Random) -> str:
    """Something like a signature."""
    parts = [chance.choice(PROTOCOLS)]
    for option in chance.sample(list(CHOICES), 2):
        parts.append(f"{option[2:]}:{chance.choice([*CHOICES[option].split(), chance.choice(ODD)])}")
    parts.append(f"scoref:{chance.choice(['0.2.0', '0.1', '9.9', 'x', '', '0.2.0.dev0'])}")
    if chance.random() < 0.2:
        chance.shuffle(parts)
    return "|".join(parts)
