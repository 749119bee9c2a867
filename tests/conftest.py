"""What tests of commands share; what is said of tests that were skipped."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

import near
import schemas
import sharing
from places import BESIDE, SHARED
from scoref.cli import main
from skipping import said
from telling import problems_tell_all

__all__ = ["problems_tell_all"]

BEGAN = pytest.StashKey[float]()  # when the first test began

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
    """Runs a command; gives its exit code, what it printed, and what it said on standard error.

    What it printed as JSON is checked against its schema.
    """

    def call(*argv: object) -> tuple[int, str, str]:
        arguments = [str(argument) for argument in argv]
        code = main(arguments)
        out, err = capsys.readouterr()
        schemas.printed(arguments, out)
        return code, out, err

    return call


@pytest.fixture
def run(run_aloud: Callable[..., tuple[int, str, str]]) -> Callable[..., tuple[int, str, str]]:
    """Runs a command, likewise; but which files it wrote is left out of what it said."""

    def call(*argv: object) -> tuple[int, str, str]:
        code, out, err = run_aloud(*argv)
        return code, out, "".join(line for line in err.splitlines(True) if not line.startswith("wrote "))

    return call


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Garbage is not looked for while tests are collected, nor ever again among them: that took most of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Skip what would begin when the time of `./check --fast` is over."""
    began = item.config.stash.setdefault(BEGAN, time.time())
    if near.late(began, time.time()):
        item.add_marker(pytest.mark.skip(reason=near.LATE))


# -- what was skipped ------------------------------------------------------------------------------------------------


def skipped(config: pytest.Config) -> Counter[str]:
    """The reasons for which tests were skipped, each with their number."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    reasons = [report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr for report in reports]
    return Counter(str(reason).removeprefix("Skipped: ") for reason in reasons)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the further checks with files of other projects, where there are none; dear ones stay together."""
    further = [item for item in items if any(m.kwargs.get("reason") == BESIDE for m in item.iter_markers("skipif"))]
    if further and not SHARED.is_dir():
        config.hook.pytest_deselected(items=further)
        items[:] = [item for item in items if item not in further]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1 and not os.environ.get(near.UNTIL):  # else the nearest come first
        items[:] = [items[n] for n in sharing.shared([item.nodeid for item in items], workers)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was skipped and why; with `./check --all` nothing may be."""
    for line in said(skipped(config), bool(os.environ.get("SCOREF_ALL")), SHARED.is_dir()):
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail where everything was to be run, and something was not."""
    if os.environ.get("SCOREF_ALL") and not exitstatus and skipped(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
