"""The commands that the README and the pages show print what they say there."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from places import EXAMPLES, ROOT
from scoref.cli import main

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


def in_shell(command: str) -> str:
    """What a command prints, run by a shell."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(["bash", "-c", command], text=True, check=False, **streams).stdout


def in_this_process(command: str) -> str:
    """What a command of scoref prints, run without a process of its own, which would take most of the time."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(out):
        main(shlex.split(command, comments=True)[1:])
    return out.buffer.getvalue().decode()


def is_plain(command: str) -> bool:
    """Whether a command is scoref with arguments alone: nothing of it is for a shell."""
    return bool(re.fullmatch(r"scoref [^|&;<>$`*?~(){}\[\]\\\n]*\n?", command))


@pytest.mark.skipif(not shutil.which("bash"), reason="the commands are those of a POSIX shell, and there is no bash")
@pytest.mark.parametrize("path", [path for path in PAGES if commands(path)], ids=lambda path: path.name)
def test_commands_print_what_the_page_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first command of a page, and those with signs for a shell, are processes of their own."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "bin").mkdir()
    for name, arguments in (("scoref", "-m scoref"), ("python", "")):
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    examples = commands(path)
    assert examples
    for place, (command, said) in enumerate(examples):
        printed = (in_this_process if place and is_plain(command) else in_shell)(command)
        pattern = re.escape(plain(said)).replace(r"\.\.\.", ".*")  # `...` stands for anything
        assert re.fullmatch(pattern, plain(printed), re.DOTALL), f"$ {command}\n{printed}"
