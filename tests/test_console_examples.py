"""The commands that the README and the pages show print what they say there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from places import EXAMPLES, ROOT

NOT_RUN = ("venv", "pip ", "./check", "git ")  # what sets up an environment
# Pages whose commands are on files that are not in the project.
OTHER_FILES = ("bias.md", "format-brat.md", "tokenize.md")

PAGES = [ROOT / "README.md", *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name not in OTHER_FILES)]


def commands(path: Path) -> list[tuple[str, str]]:
    """The commands of a page in their order, each with what it prints."""
    blocks = re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    parts = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, printed) for command, _, printed in parts if not any(word in command for word in NOT_RUN)]


def lines(text: str) -> list[str]:
    """The lines without the blanks that only align columns; `...` stands for anything."""
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines() if line.strip()]


@pytest.mark.skipif(not shutil.which("bash"), reason="the commands are those of a POSIX shell, and there is no bash")
@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=lambda path: path.name)
def test_commands_print_what_the_page_says(path: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "scoref"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m scoref "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    for command, said in commands(path):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        pattern = "\n".join(map(re.escape, lines(said))).replace(r"\.\.\.", ".*")
        assert re.fullmatch(pattern, "\n".join(lines(done.stdout)), re.DOTALL), f"$ {command}\n{done.stdout}"
