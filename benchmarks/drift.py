"""Measures the alignment of long texts that drifted, against reading and splitting them.

    python benchmarks/drift.py [words]

The best of several times counts; the ratio is to what any program must do at least.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from scoref.texts.align import align

REPETITIONS = 3
CHANGED = 0.03

Result = TypeVar("Result")


def text(words: int, seed: int = 0) -> list[str]:
    """Words as frequent as in real texts (Zipf), with sentences, commas and quotes."""
    random_ = random.Random(seed)
    letters = "etaoinshrdlucmfwypvbgk"
    known = ["".join(random_.choices(letters, range(22, 0, -1), k=1 + min(rank.bit_length(), random_.randint(1, 12))))
             for rank in range(20_000)]  # fmt: skip
    weights = [1 / rank for rank in range(2, len(known) + 2)]
    found: list[str] = []
    for word in random_.choices(known, weights, k=words):
        draw = random_.random()
        sign = "." if draw < 0.05 else "," if draw < 0.1 else '"' if draw < 0.12 else ""
        found += [word.title() if found and found[-1] == "." else word, *([sign] if sign else [])]
    return found[:words]


def drifted(words: list[str], changed: float, seed: int = 1) -> list[str]:
    """The words, with so many of them lost, added, respelt, misspelt, regrouped."""
    random_ = random.Random(seed)
    found: list[str] = []
    joining = False
    for word in words:
        draw = random_.random() / changed
        if joining:
            found[-1] += word
        elif draw > 1:
            found.append(word)
        else:
            found += [[], [word, random_.choice(words)], [word.swapcase()], [word + "x"], [word], [word]][int(draw * 6)]
        joining = not joining and draw <= 1 and int(draw * 6) == 5
    return ["“" if word == '"' and random_.random() < changed else word for word in found]


def untokenised(words: list[str]) -> list[str]:
    """The words with signs at the end of the word before."""
    found: list[str] = []
    for word in words:
        if found and word in {".", ","}:
            found[-1] += word
        else:
            found.append(word)
    return found


def best(work: Callable[[], Result]) -> tuple[float, Result]:
    """The shortest time, and what was made."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        made = work()
        times.append(time.perf_counter() - start)
    return min(times), made


def main(size: int) -> None:
    """Prints a line for each kind of drift."""
    key = text(size)
    kinds = {
        "same text": key,
        "3 % changed": drifted(key, CHANGED),
        "10 % changed": drifted(key, 0.1),
        "untokenised, 3 % changed": drifted(untokenised(key), CHANGED),
        "cut off in the middle": drifted(key, CHANGED)[: size // 2],
        "the last tenth": drifted(key, CHANGED)[-size // 10 :],
        "100 words": drifted(key, CHANGED)[:100],
        "a hundredth lost in the middle": drifted(key[: size // 2] + key[size // 2 + size // 100 :], CHANGED),
        "last words over and over": [*drifted(key, CHANGED), *key[-20:] * (size // 100)],
    }
    print(f"{size:,} key words".ljust(34), "align", "read and split", "ratio", "cost", "aligned", sep="\t")
    with tempfile.TemporaryDirectory() as folder:
        for kind, pieces in kinds.items():
            paths = Path(folder, "key"), Path(folder, "text")
            for path, words in zip(paths, (key, pieces), strict=True):
                path.write_text(" ".join(words), encoding="utf-8")
            limit, _ = best(lambda paths=paths: [path.read_text(encoding="utf-8").split() for path in paths])
            taken, drift = best(lambda pieces=pieces: align(key, pieces))
            print(f"{kind:<34}\t{taken:.2f} s\t{limit:.4f} s\t{taken / limit:.0f}\t{drift.cost}\t{drift.share:.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
