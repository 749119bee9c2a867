"""Makes a trial smaller as long as the same is wrong with it, and prints it as a test."""

from __future__ import annotations

import re
import time
from pathlib import Path

from .trials import Trial

_CUTS = (rb"(?<=\n)", rb"(?<=[\t|,;:> ])", rb"")  # lines, cells, bytes


def sign(wrong: list[str]) -> str:
    """What is wrong, without names and numbers: that of two trials which find the same is equal."""
    first = wrong[0] if wrong else ""
    place = re.search(r"where +(\S+:\d+)", first) if "[defect]" in first else None
    if place:
        return place[1]
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d[\d.e-]*|--[a-z]+ \S+", "0", re.sub(r"(key|response)[\w./-]+", "F", first))[
        :90
    ]


def smaller(trial: Trial, folder: Path, wrong: list[str], seconds: float = 30) -> Trial:
    """The trial with as little in its files and as few options as show the same; or as it is."""
    wanted = sign(wrong)
    end = time.monotonic() + seconds

    def shows(one: Trial) -> bool:
        return time.monotonic() < end and sign(one.wrong(folder)[0]) == wanted

    for name in list(trial.files):
        without = trial._replace(files={each: data for each, data in trial.files.items() if each != name})
        if shows(without):
            trial = without
    for cut in _CUTS:
        for name in trial.files:
            trial = _shorter(trial, name, cut, shows)
    for start in range(len(trial.options) - 2, -1, -2):
        fewer = trial._replace(options=trial.options[:start] + trial.options[start + 2 :])
        if trial.options[start] not in ("--to", "command", "--protocol") and shows(fewer):
            trial = fewer
    return trial


def _shorter(trial: Trial, name: str, cut: bytes, shows: object) -> Trial:
    """The trial with fewer pieces of one file (delta debugging: halves first, then smaller parts)."""
    pieces = [piece for piece in re.split(cut, trial.files[name]) if piece]
    size = len(pieces) // 2
    while size:
        start = 0
        while start < len(pieces):
            left = pieces[:start] + pieces[start + size :]
            one = trial._replace(files={**trial.files, name: b"".join(left)})
            if shows(one):  # type: ignore[operator]
                pieces, trial = left, one
            else:
                start += size
        size //= 2
    return trial


def as_test(trial: Trial, wrong: list[str], name: str) -> str:
    """A test that fails as long as the trial finds something."""
    files = "".join(f"        {file!r}: {data!r},\n" for file, data in trial.files.items())
    said = "\n".join(f"    # {line}" for line in "\n".join(wrong).splitlines()[:8])
    return (
        f"def test_{name}(tmp_path):\n{said}\n    files = {{\n{files}    }}\n"
        f"    trial = Trial(files, {trial.check!r}, {trial.key!r}, {trial.response!r}, {trial.options!r})\n"
        f"    assert trial.wrong(tmp_path)[0] == []\n"
    )
