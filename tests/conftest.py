"""What tests of commands share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoref.cli import main


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are printed on a terminal of 80 columns."""
    for module in ("reporting", "commands.compare"):
        monkeypatch.setattr(f"scoref.cli.{module}.width", lambda: 80)


@pytest.fixture
def run_aloud(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command; gives its exit code, what it printed, and what it said on standard error."""

    def call(*argv: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in argv])
        return (code, *capsys.readouterr())

    return call


@pytest.fixture
def run(run_aloud: Callable[..., tuple[int, str, str]]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command, likewise; but which files it wrote is left out of what it said."""

    def call(*argv: object) -> tuple[int, str, str]:
        code, out, err = run_aloud(*argv)
        return code, out, "".join(line for line in err.splitlines(True) if not line.startswith("wrote "))

    return call
