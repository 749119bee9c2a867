"""Check what is installed: versions, optional parts, how to get what is missing."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sys
from importlib import metadata
from typing import NamedTuple

from .... import __version__
from ....layout.grid import Grid
from ....layout.render import written
from ... import program
from ...messages import width
from ...parsing import CommandParser, add_output

# Optional parts: what each is for, and the packages and least versions it needs; the first part is scoref itself.
PARTS = {
    "scoref": ("scores", {"numpy": "1.26", "lapx": "0.9"}),
    "plots": ("--plot: pictures", {"matplotlib": "3.10.8"}),
    "tokens": ("scoref tokenize", {"nltk": "3.10.2"}),
    "tables": ("large tables, Parquet: --engine duckdb", {"duckdb": "1.2", "pyarrow": "15"}),
    "spark": ("tables in Spark: --engine spark", {"pyspark": "3.5"}),
    "torch": ("scoref.evaluator.CoreferenceScore", {"torchmetrics": "1.0"}),
    "completion": ("scoref completion", {"shtab": "1.10"}),
}


class Finding(NamedTuple):
    """The state of a package that a part of scoref needs."""

    part: str
    package: str
    version: str
    needed: str
    state: str


def add(command: CommandParser) -> None:
    """Declare the arguments."""
    add_output(command, ("text", "json"), verbose=False)


def run(options: argparse.Namespace) -> tuple[str, int]:
    """What there is, what is missing, and what to do about it."""
    found = [_finding(part, package, least) for part, (_, needed) in PARTS.items() for package, least in needed.items()]
    java = shutil.which("java") or os.environ.get("JAVA_HOME") or ""
    found.append(Finding("spark", "java", java, "any", "ok" if java else "missing"))
    remedies = _remedies(found)
    settings = program.settings()
    about = {
        "scoref": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} processors",
        "settings": str(settings.path) if settings else "none",
    }
    if options.output == "json":
        return json.dumps({**about, "packages": [each._asdict() for each in found], "you_can": remedies}), 0
    parts = Grid("", ("part", "what for", "package", "version", "needs", "state"),
                 [(each.part, PARTS[each.part][0], *each[1:]) for each in found])  # fmt: skip
    top = Grid("", ("what", "which"), [*about.items()])
    return written([top, parts], remedies or ["everything is there"], "text", width()), 0


def _finding(part: str, package: str, least: str) -> Finding:
    """Whether a package is there, without importing it."""
    try:
        version = metadata.version(package)
    except metadata.PackageNotFoundError:
        return Finding(part, package, "", f">={least}", "missing")
    return Finding(part, package, version, f">={least}", "ok" if _numbers(version) >= _numbers(least) else "too old")


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, as far as they can be compared: 1.26 of 1.26.4rc1."""
    return tuple(int(number) for number in re.findall(r"\d+", re.split(r"[a-z+]", version)[0]))


def _remedies(found: list[Finding]) -> list[str]:
    lacking = {each.part: each for each in found if each.state != "ok" and each.package != "java"}
    lines = [
        f"{each.state}: {part}; you can   pip install 'scoref{f'[{part}]' if part != 'scoref' else ''}'"
        for part, each in lacking.items()
    ]
    if any(each.package == "java" and each.state != "ok" for each in found) and "spark" not in lacking:
        lines.append("missing: Java, for spark; you can   install a Java runtime, version 17 say")
    return lines
