"""What organisers do: the board of a shared task."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import corpus
import formats
import scoref
import systems
from measuring import Row, Settings, against, at_most, scoref_command, took

DATASETS, SUBMISSIONS = 27, 30  # as CRAC has


def board(settings: Settings) -> list[Row]:
    """A board of 30 submissions of 27 datasets, against scoring each of them by itself."""
    datasets, submissions = (3, 4) if settings.quick else (DATASETS, SUBMISSIONS)
    documents, tokens = (4, 200) if settings.quick else (12, 1400)
    key, own = settings.folder / "key", settings.folder / "submissions"
    texts = {f"d{number}": corpus.texts(documents, tokens, number) for number in range(datasets)}
    _write(key, texts, None)
    for number in range(submissions):
        _write(own / f"team{number // 2}" / f"run{number % 2}", texts, np.random.default_rng(number))
    page = settings.folder / "board.html"
    each = [own / f"team{number // 2}" / f"run{number % 2}" for number in range(submissions)]
    one = sum(took(*scoref_command(), "score", key, path, "--protocol", "crac-2026").seconds for path in each)
    whole = took(*scoref_command(), "board", key, own, "-o", page, "--protocol", "crac-2026")
    words = datasets * documents * tokens
    what = f"board of {submissions} submissions × {datasets} datasets of {words:,} words : score of each"
    return [
        at_most(what, whole.seconds / one, 3, "×", against(whole.seconds, one)),
        at_most("memory of that board, all processes", whole.megabytes, 4000, "MB"),
    ]


def _write(folder: Path, texts: dict[str, list[corpus.Text]], random: np.random.Generator | None) -> None:
    """A file for each dataset: the key, or with noise the submission of a system."""
    folder.mkdir(parents=True)
    for name, each in texts.items():
        sides = [(text, text.key if random is None else systems.noisy(text.key, random)) for text in each]
        documents = [formats.document(text, mentions, plain=False) for text, mentions in sides]
        scoref.write(documents, folder / f"{name}.conllu", "corefud")


PARTS = (board,)
