"""Runs scripts where other packages are installed: harnesses of language models, and what recipes of the docs need.

They need many packages, some of which exclude what tests need, so they may be in environments of their own:
SCOREF_HARNESSES lists their interpreters. `.ci/harnesses` makes one with all of them. Else they are looked for here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from places import ROOT

PYTHONS = [*filter(None, os.environ.get("SCOREF_HARNESSES", "").split(os.pathsep)), sys.executable]


def installed(folder: Path) -> Path:
    """A folder in which scoref is installed, with its entry points as the project's file has them."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    place = folder / "site-packages" / "scoref-0.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: scoref\nVersion: 0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in each.items())
        for group, each in points.items()
    ]
    (place / "entry_points.txt").write_text("\n".join(lines))
    (place.parent / "scoref").symlink_to(ROOT / "src" / "scoref")
    return place.parent


def run(package: str, script: str, folder: Path, *words: str) -> Any:
    """What a script prints, as JSON, run where the package is installed."""
    for python in PYTHONS:
        there = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
        if subprocess.run([python, "-c", there], check=False).returncode == 0:
            break
    else:
        pytest.skip(f"{package} is not installed: .ci/harnesses installs it in an environment of its own")
    paths = [str(installed(folder)), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    own = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub"),
           "NO_COLOR": "1", "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}  # fmt: skip
    (folder / "run.py").write_text(script)
    done = subprocess.run([python, "run.py", *words], cwd=folder, env={**os.environ, **own}, capture_output=True,
                          text=True, timeout=600, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().splitlines()[-1])
