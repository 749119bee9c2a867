"""No scorer: the rules of formats, by which broken files are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case

SCORERS = {
    "rules": {
        "title": "rules of formats", "repository": "", "command": "", "reads": "texts", "digits": "",
        "metrics": "refuses",
        "sets": "broken",
    }
}  # fmt: skip


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Every broken file is to be refused."""
    for _ in cases:
        yield {"refuses": "yes"}
