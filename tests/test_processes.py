"""How many processes work on what, and what is refused before any work."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import scoref
from scoref import processes


def test_units_that_do_not_exist_are_refused_before_any_document_is_made(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(scoref.Error, match="nonsense"):
        scoref.report(
            "examples/key.conll", "examples/response.conll", tmp_path / "page.html", unit="nonsense", jobs=None,
            progress=lambda what, _done, _of: said.append(what),
        )  # fmt: skip
    assert "documents on the page" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_do_the_work_in_one_process(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("memfd_create", "sched_getaffinity", "fork"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    assert processes.process_count(1 << 40, None) == 1
