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
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command; gives its exit code and what it printed, and what it said of errors."""

    def call(*argv: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in argv])
        return (code, *capsys.readouterr())

    return call
