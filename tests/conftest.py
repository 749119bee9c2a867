"""What tests of commands share; what is said of tests that were skipped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

from places import SHARED
from scoref.cli import main

# No test fails because the machine is busy.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are printed on a terminal of 80 columns."""
    for module in ("evaluations", "commands.scores.compare"):
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


# -- what was skipped ------------------------------------------------------------------------------------------------


def skipped(config: pytest.Config) -> Counter[str]:
    """The reasons for which tests were skipped, each with their number."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    reasons = [report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr for report in reports]
    return Counter(str(reason).removeprefix("Skipped: ") for reason in reasons)


def beside(reason: str) -> bool:
    """Whether tests were skipped as material beside the project is not there: recorded cases of other scorers."""
    return "recorded" in reason or str(SHARED) in reason


def said(found: Counter[str], everything: bool) -> list[str]:
    """What is said of tests that were skipped, for each reason, and what that means."""
    lines = [f"{number:6} × {reason}" for reason, number in found.most_common()]
    if lines:
        lines.insert(0, f"{found.total()} tests skipped:")
    missing = sum(number for reason, number in found.items() if beside(reason))
    if missing:
        lines.append(f"recorded cases of other scorers are looked for in {SHARED}")
    if missing and everything:
        lines.append(f"NOT COMPARED WITH OTHER SCORERS: {missing} tests need the recorded cases, which are not there")
    if found.total() > missing and everything:
        lines.append(f"NOT EVERYTHING WAS RUN: {found.total() - missing} tests need something that can be installed")
    return lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was skipped and why; with `./check --all` nothing may be, but what needs material beside the project."""
    for line in said(skipped(config), bool(os.environ.get("SCOREF_ALL"))):
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail where everything was to be run, and something was not; recorded cases may be absent, all of them."""
    excused = (lambda reason: False) if SHARED.is_dir() else beside
    if os.environ.get("SCOREF_ALL") and not exitstatus and not all(map(excused, skipped(session.config))):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
