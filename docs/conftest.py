"""Examples of the pages run in a folder of their own: what they write is not left in the project."""

from __future__ import annotations

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(PROJECT / "examples", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
