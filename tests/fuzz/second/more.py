"""More kinds of trials: parts that are added up, tables, files that scoref wrote itself."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

from .calls import scoring
from .files import written
from .judge import run
from .settings import saved, told
from .tables import odd_tables
from .trials import Found, judged, put, some
from .truth import answered, texts


def parts(folder: Path, chance: random.Random) -> Found:
    """Two halves, saved and added up, are the whole."""
    kind = chance.choice(["conll", "corefud", "ua", "jsonl", "muc", "tbf"])
    key = [replace(text, name=f"d{at}") for at, text in enumerate(texts(chance, 0.05) + texts(chance, 0.05))]
    response = [answered(text, chance) for text in key]
    options, half = scoring(chance), chance.randrange(1, len(key))
    options = (
        [word for word in options if word not in ("--drift", "check", "ignore")] if "--drift" in options else options
    )
    seed = chance.randrange(10**9)
    done = []
    for stem, where in (("all", slice(None)), ("a", slice(half)), ("b", slice(half, None))):
        names = [
            put(folder, written(kind, side[where], random.Random(seed), f"{stem}{which}"))
            for side, which in ((key, "k"), (response, "r"))
        ]
        done.append(run(["score", *names, *options, "--json", "--save", f"{stem}.stats"], folder))
    if all(each.code == 0 for each in done):
        added = run(["merge", "a.stats", "b.stats", "--json"], folder)
        if added.code == 0 and not added.wrong:
            whole, sums = done[0].said["scores"], added.said["scores"]
            same_average = "datasets" not in done[0].said["protocol"]["average"]
            if same_average and any(abs(whole[m]["f1"] - sums[m]["f1"]) > 1e-9 for m in whole if "f1" in whole[m]):
                added.wrong.append(f"{kind}: halves are not the whole: {options} {whole} {sums}")
        done.append(added)
    return judged(*done)


def tables(folder: Path, chance: random.Random) -> Found:
    """Tables with odd columns and types, and both engines."""
    key, response = odd_tables(folder, chance)
    options = ["--json", *(["--on-problem", "skip"] if chance.random() < 0.3 else [])]
    if chance.random() < 0.3:
        options += scoring(chance)
    one = run(["score", key, response, *options, "--engine", "numpy"], folder)
    if chance.random() > 0.15:
        return judged(one)
    two = run(["score", key, response, *options, "--engine", "duckdb"], folder)
    if one.code != two.code:
        two.wrong.append(f"engines differ: {one.code} {two.code} {one.err} {two.err}")
    elif one.code == 0 and json.dumps(one.said["scores"]) != json.dumps(two.said["scores"]):
        a, b = one.said["scores"], two.said["scores"]
        if any(abs(a[m][p] - b[m][p]) > 1e-9 for m in a for p in ("recall", "precision", "f1") if p in a[m]):
            two.wrong.append(f"engines differ: {a} {b}")
    return judged(one, two)


def own(folder: Path, chance: random.Random) -> Found:
    """Files that scoref wrote, or that say how it works, damaged."""
    kind = chance.choice(["conll", "jsonl", "corefud", "tbf", "table"])
    key = some(kind, chance, 0)
    answer = [answered(text, chance) for text in key]
    names = (put(folder, written(kind, key, chance, "k")), put(folder, written(kind, answer, chance, "r")))
    return judged(*chance.choice([saved, told])(folder, chance, names))
