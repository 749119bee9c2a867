"""A short run of the harness: the same trials every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from .harness import findings, outcome
from .seeds import SEEDS, SUFFIXES


@pytest.mark.parametrize("kind", SEEDS)
def test_the_seeds_are_read_and_score_100(kind: str, tmp_path: Path):
    path = tmp_path / f"d.{SUFFIXES[kind]}"
    path.write_text(SEEDS[kind])
    assert outcome(["score", str(path), str(path), "--json"], path) == []
    assert outcome(["validate", str(path)], path) == []


def test_mutated_files_give_scores_or_errors(tmp_path: Path):
    wrong = [each for each in findings(17, tmp_path, lambda number, seconds: number == 2500 or seconds > 30) if each[2]]
    assert not wrong
