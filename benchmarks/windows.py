"""How long it takes to cut texts into windows: python benchmarks/windows.py [WORDS ...].

For texts of so many words (default 250 thousand to 2 million) with a mention at every fourth, in entities of about 200:
seconds of processor time for the scores of windows of 1,500 words, and per million words, which should not grow.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from scoref import Document, score
from scoref.document.mentions import Mentions

DEFAULT = (250_000, 500_000, 1_000_000, 2_000_000)


def document(words: int, random: np.random.Generator) -> Document:
    """A text with a mention at every fourth word, most of them of entities that are near each other in number."""
    first = np.arange(0, words, 4)
    entity = (first // 800 + random.integers(0, 5, len(first))).tolist()
    ends = zip(first.tolist(), np.minimum(first + random.integers(0, 3, len(first)), words - 1).tolist(), strict=True)
    return Document("book", ("w",) * words, Mentions.of(ends, entity))


def main() -> None:
    """Print a line for each length."""
    for words in [*map(int, sys.argv[1:])] or DEFAULT:
        random = np.random.default_rng(1)
        key, response = document(words, random), document(words, random)
        spent = []
        for window in (0, 1500):
            start = time.process_time()
            score(key, response, metrics=["muc", "b3", "lea"], window=window)
            spent.append(time.process_time() - start)
        whole, cut = spent
        print(f"{words:>9,} words: whole {whole:.2f} s, windows {cut:.2f} s, {1e6 * cut / words:.2f} s per million")


if __name__ == "__main__":
    main()
