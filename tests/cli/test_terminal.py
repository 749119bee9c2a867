"""Colours, width and progress on terminals; completion; what is installed."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from places import EXAMPLES, ROOT
from scoref.cli import messages
from scoref.cli.commands.settings.completion import SHELLS
from scoref.cli.commands.settings.doctor import PARTS
from scoref.cli.messages import Meter, colours, progress, width
from scoref.cli.program import names
from scoref.formats import FORMATS
from scoref.layout.grid import UNBOUND
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.registry import METRICS

Run = Callable[..., tuple[int, str, str]]

CALL = ("score", EXAMPLES / "key.conll", EXAMPLES / "response.conll", "--by", "entity")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    messages.colour.set("auto")


# -- colours and width ------------------------------------------------------------------------------------------------


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    assert colours(Terminal())
    assert not colours(io.StringIO())
    assert not colours(None)
    monkeypatch.setenv("TERM", "dumb")
    assert not colours(Terminal())
    monkeypatch.delenv("TERM")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours(Terminal())
    messages.colour.set("always")
    assert colours(io.StringIO())
    messages.colour.set("never")
    assert not colours(Terminal())


def test_text_with_colours_is_the_same_text(run: Run) -> None:
    plain, coloured = run(*CALL), run(*CALL, "--color", "always")
    assert "\x1b[1m" in coloured[1]
    assert re.sub(r"\x1b\[\d*m", "", coloured[1]) == plain[1]
    assert run("--color", "always", *CALL) == run("--color=always", *CALL) == coloured
    for output in ("json", "csv", "markdown", "latex"):
        assert run(*CALL, "--output", output, "--color", "always") == run(*CALL, "--output", output)
    assert "\x1b[1;31merror:\x1b[0m" in run("score", "--metrics", "bcup", "--color=always")[2]
    assert "\x1b" not in run("score", "--metrics", "bcup")[2]
    assert "--color takes" in run(*CALL, "--color", "red")[2] or "it takes auto" in run(*CALL, "--color", "red")[2]


def test_nothing_is_cut_in_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert width() is None
    messages.colour.set("always")
    assert width() == UNBOUND
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert width() == 40


# -- progress ---------------------------------------------------------------------------------------------------------


def test_progress_is_quiet_in_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress() is None
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert progress() is None


def test_progress_says_how_far_and_how_long() -> None:
    screen = Terminal()
    meter = Meter(screen)
    start = meter.started
    meter("files read", 0, 80)
    assert meter.line(start + 0.5) == ""
    assert meter.line(start + 4).startswith("files read: 0 of 80, 4 s")
    meter("files read", 20, 80)
    assert meter.line(meter.since + 5) == "files read: 20 of 80, about 15 s left"
    meter("resamples drawn", 100, 10_000)
    assert meter.line(meter.since + 10) == "resamples drawn: 100 of 10,000, about 16 min left"
    meter.close()
    assert "\n" not in screen.getvalue()


def test_stages_of_one_work_are_timed_together() -> None:
    meter = Meter(Terminal())
    meter("stage 1 of 2, joining", 20, 100)
    start = meter.since
    for done in (20, 50):
        meter("stage 2 of 2, counting", done, 100)
    assert (meter.since, meter.line(start + 10)) == (start, "stage 2 of 2, counting: 50 of 100, about 10 s left")
    meter("files written", 1, 100)
    meter.close()
    assert meter.since > start


def _heard(terminal: int) -> str:
    """What a terminal shows next: parts of any size, and an error or nothing once the writer is gone."""
    try:
        return os.read(terminal, 65536).decode()
    except OSError:
        return ""


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
@pytest.mark.parametrize(
    ("call", "module", "name"),
    [
        (CALL[:3], "pairing.reading", "_read"),
        (["convert", CALL[1], "out.jsonl"], "formats", "load"),
        (["validate", CALL[1], CALL[2]], "formats", "load"),
    ],
    ids=["score", "convert", "validate"],
)
def test_progress_is_shown_on_a_terminal_and_taken_away(
    call: list[str], module: str, name: str, tmp_path: Path
) -> None:
    import pty

    (tmp_path / "slow.py").write_text(
        f"import time\nimport scoref.{module} as read\nfrom scoref.cli import main\nfast = read.{name}\n"
        f"def slow(*task):\n    time.sleep(1.5)\n    return fast(*task)\nread.{name} = slow\n"
        f"raise SystemExit(main({[*map(str, call)]!r}))\n"
    )
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, tmp_path / "slow.py"], stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path
    )
    os.close(theirs)
    shown = "".join(iter(partial(_heard, ours), ""))
    os.close(ours)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert {"score": b"conll", "convert": b"", "validate": b"0 problems"}[call[0]] in out
    assert "files read: " in shown
    assert shown.removesuffix("wrote out.jsonl\r\n").endswith("\r\x1b[K")


# -- completion -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_options_and_names(run: Run, shell: str, tmp_path: Path) -> None:
    pytest.importorskip("shtab")
    code, out, err = run("completion", shell)
    assert (code, err) == (0, "")
    metrics = [name for name in METRICS if name.islower()]  # `success@N` stands for many
    known = [*names(), *metrics, *PROTOCOLS, *FORMATS, "on-problem", "singletons", "dependent-corrected"]
    assert not [name for name in known if name not in out]
    if shutil.which(shell):
        (tmp_path / "script").write_text(out)
        assert subprocess.run([shell, "-n", tmp_path / "script"], check=False).returncode == 0


COMPLETED = [
    ("sco", {"score"}),
    ("score --protocol crac-202", {f"crac-202{year}" for year in range(2, 7)}),
    ("score --metrics ceafe", {"ceafe", "ceafe-rn", "ceafe-sys"}),
    ("convert --to js", {"jsonl"}),
    ("score --singl", {"--singletons"}),
    ("help valid", {"validate"}),
]


def _asked(shell: str, script: Path, words: str) -> set[str]:
    """What a shell completes."""
    line = ["scoref", *words.split()]
    if shell == "bash":
        ask = (
            f"source {script}; COMP_WORDS=({' '.join(line)}); COMP_CWORD={len(line) - 1};"
            " $(complete -p scoref | sed 's/.*-F \\([^ ]*\\).*/\\1/'); printf '%s\\n' \"${COMPREPLY[@]}\""
        )
    else:
        ask = f"source {script}; complete -C '{' '.join(line)}' | string replace -r '\\t.*' ''"
    done = subprocess.run([shell, "-c", ask], capture_output=True, text=True, check=False, cwd=script.parent)
    return {*done.stdout.split()}


@pytest.mark.parametrize(("words", "expected"), COMPLETED)
@pytest.mark.parametrize("shell", ["bash", "fish"])  # zsh does it on a terminal only
def test_shells_complete(run: Run, shell: str, words: str, expected: set[str], tmp_path: Path) -> None:
    pytest.importorskip("shtab")
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    (tmp_path / "_scoref").write_text(run("completion", shell)[1])
    assert _asked(shell, tmp_path / "_scoref", words) == expected


# -- what is installed ------------------------------------------------------------------------------------------------


def test_the_doctor_knows_what_is_needed(run: Run) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for part, (_, packages) in PARTS.items():
        declared = project["dependencies"] if part == "scoref" else extras[part]
        assert [f"{name}>={least}" for name, least in packages.items()] == declared
    code, out, err = run("doctor")
    assert (code, err) == (0, "")
    found = json.loads(run("doctor", "--json")[1])
    states = {each["package"]: each["state"] for each in found["packages"]}
    assert states["numpy"] == states["lapx"] == "ok"
    for each in found["packages"]:
        assert each["package"] in out
        if each["state"] != "ok" and each["package"] != "java":
            assert f"pip install 'scoref[{each['part']}]'" in out


def test_the_doctor_needs_nothing_installed() -> None:
    block = (
        "import sys\nclass Block:\n    def find_spec(self, name, *_):\n        if name in ('numpy', 'lap'):\n"
        "            raise ImportError(name)\nsys.meta_path.insert(0, Block())\n"
        "from scoref.cli import main\nraise SystemExit(main(['doctor']) or main(['help']) or main(['--version']))\n"
    )
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
