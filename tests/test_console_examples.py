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
    """The commands of a page in their order, with what is written to them (`<<'END'`), each with what it prints."""
    blocks = re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    found = [
        re.fullmatch(r"([^\n]*<<'END'\n.*?^END\n|[^\n]*\n?)(.*)", part, re.DOTALL | re.MULTILINE) for part in parts
    ]
    return [(each[1], each[2]) for each in found if each and not any(word in each[1] for word in NOT_RUN)]


def plain(text: str) -> str:
    """The words without what is for the eye: blanks, line breaks, and lines which say that a file was written."""
    return " ".join(re.sub(r"^wrote .*\n?", "", text, flags=re.MULTILINE).split())


@pytest.mark.skipif(not shutil.which("bash"), reason="the commands are those of a POSIX shell, and there is no bash")
@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=lambda path: path.name)
def test_commands_print_what_the_page_says(path: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "bin").mkdir()
    for name, arguments in (("scoref", "-m scoref"), ("python", "")):
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    examples = commands(path)
    assert examples
    for command, said in examples:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        pattern = re.escape(plain(said)).replace(r"\.\.\.", ".*")  # `...` stands for anything
        assert re.fullmatch(pattern, plain(done.stdout), re.DOTALL), f"$ {command}\n{done.stdout}"
