"""A result that a copy of the process makes: the same as if it were made here, whatever happens to the copy."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import scoref
from scoref import processes
from scoref.page import build
from scoref.processes import Progress, meanwhile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies of a process begin on Linux only")


_COPIES = processes.copies


@pytest.fixture(autouse=True)
def copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests may leave threads, and there may be one processor."""
    monkeypatch.setattr(processes, "copies", lambda: 2)
    monkeypatch.setattr(build, "_LARGE", 0)


def process(_: Progress | None) -> int:
    return os.getpid()


def test_a_copy_works_unless_there_is_to_be_one_job_only() -> None:
    for jobs, here in ((None, False), (2, False), (1, True)):
        with meanwhile(process, jobs, None) as made:
            assert (made() == os.getpid()) == here


def test_a_result_may_be_large_and_nobody_need_ask_for_it() -> None:
    with meanwhile(lambda _: "word " * 10**6, 2, None) as made:
        assert made() == "word " * 10**6
    with meanwhile(lambda _: time.sleep(600), 2, None):
        pass
    assert not multiprocessing.active_children()


def test_what_a_copy_cannot_make_is_made_here(capfd: pytest.CaptureFixture[str]) -> None:
    here = os.getpid()

    def killed(_: Progress | None) -> str:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return "made"

    def failing(_: Progress | None) -> str:
        if os.getpid() != here:
            raise MemoryError
        return "made"

    for function in (killed, failing, lambda _: "made" if os.getpid() == here else (lambda: None)):
        with meanwhile(function, 2, None) as made:
            assert made() == "made"
    assert capfd.readouterr() == ("", "")


def test_an_error_is_that_of_the_function() -> None:
    def wrong(_: Progress | None) -> None:
        raise scoref.Error("no-text", "there is none")

    with pytest.raises(scoref.Error, match="there is none"), meanwhile(wrong, 2, None) as made:
        made()


def test_an_error_in_the_block_ends_the_copy() -> None:
    with pytest.raises(KeyboardInterrupt), meanwhile(lambda _: time.sleep(600), 2, None):
        raise KeyboardInterrupt
    assert not multiprocessing.active_children()


def test_it_says_how_far_it_is_only_if_it_is_made_here() -> None:
    told: list[str] = []

    def telling(progress: Progress | None) -> bool:
        if progress:
            progress("done", 1, 1)
        return progress is not None

    for jobs in (1, 2):
        with meanwhile(telling, jobs, lambda what, _done, _of: told.append(what)) as made:
            assert made() == (jobs == 1)
    assert told == ["done"]


@pytest.mark.parametrize("systems", [1, 2])
def test_a_page_is_the_same_from_one_process_and_from_two(systems: int, monkeypatch: pytest.MonkeyPatch) -> None:
    key = [scoref.clusters([["a", "b", "c"], ["d", "e"]], f"d{number}") for number in range(8)]
    answers = [[["a", "b"], ["c", "d", "e"]], [["a"], ["b", "c", "d"], ["e", "f"]]]
    named = {
        f"s{system}": [scoref.clusters(answers[(number + system) % 2], f"d{number}") for number in range(8)]
        for system in range(systems)
    }
    began: list[int | None] = []

    def watched(function, jobs, progress):  # type: ignore[no-untyped-def]
        began.append(jobs)
        return meanwhile(function, jobs, progress)

    monkeypatch.setattr(build, "meanwhile", watched)
    pages = {scoref.report(key, named, jobs=jobs, trials=200) for jobs in (1, 2, None)}
    assert len(pages) == 1
    assert began == [1, 2, None]


def test_units_that_do_not_exist_are_refused_before_any_document_is_made(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(scoref.Error, match="nonsense"):
        scoref.report(
            "examples/key.conll", "examples/response.conll", tmp_path / "page.html", unit="nonsense", jobs=None,
            progress=lambda what, _done, _of: said.append(what),
        )  # fmt: skip
    assert "documents on the page" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("gone", ["memfd_create", "sched_getaffinity"])
def test_what_some_builds_of_python_lack_is_not_needed(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pythons of conda and uv are built for old Linux systems, and have no files in memory."""
    if not hasattr(os, gone):
        pytest.skip(f"this Python has no os.{gone}")
    monkeypatch.delattr(os, gone)
    here = os.getpid()
    with meanwhile(lambda progress: (os.getpid(), b"x" * 5_000_000), None, None) as result:
        process, data = result()
    assert len(data) == 5_000_000
    assert process != here
    assert _COPIES() >= 1


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_do_the_work_in_one_process(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memfd_create", "sched_getaffinity", "fork"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(processes, "copies", _COPIES)
    with meanwhile(lambda progress: os.getpid(), None, None) as result:
        assert result() == os.getpid()
    assert processes.process_count(1 << 40, None) == 1
