"""neleval: its script for CoNLL files, where documents share the names of entities, and its measures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from suite.cases import Case
from suite.files import conll
from suite.numbers import triple

from . import plain

_METRICS = "muc b3 ceafm ceafe pairwise b3-sys ceafm-sys ceafe-sys"
SCORERS = {
    "neleval": plain.facts(
        "neleval", "wikilinks/neleval", "python -m neleval.coref_metrics {key} {response}",
        "muc b3 ceafm ceafe pairwise", package="neleval", reads="conll",
    ),
    "neleval prepared": plain.facts(
        "neleval, prepared", "wikilinks/neleval", "coref_metrics.muc(true, pred) ...", _METRICS, package="neleval",
    ),
}  # fmt: skip
FUNCTIONS = {"muc": "muc", "b3": "b_cubed", "ceafm": "mention_ceaf", "ceafe": "entity_ceaf", "pairwise": "pairwise",
             "b3-sys": "cs_b_cubed", "ceafm-sys": "mention_cs_ceaf", "ceafe-sys": "entity_cs_ceaf"}  # fmt: skip


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its functions on each case."""
    from neleval import coref_metrics as metrics

    def read(case: Case, which: str) -> dict[Any, set[Any]]:
        if scorer == "neleval":
            return dict(metrics.read_conll_coref(io.StringIO(conll.written(case, which))))
        place = ("key", "response").index(which)
        sides = [pair[place] for pair in plain.pairs(case)]
        return {
            (text, number): {(text, *mention) for mention in cluster}
            for text, side in enumerate(sides)
            for number, cluster in enumerate(side)
        }

    def scores(case: Case, name: str) -> str:
        counts = getattr(metrics, FUNCTIONS[name])(read(case, "key"), read(case, "response"))
        precision, recall, f1 = map(float, metrics._prf(*counts))
        return triple(recall, precision, f1)

    for case in cases:
        yield {
            name: plain.tried(lambda case=case, name=name: scores(case, name))
            for name in SCORERS[scorer]["metrics"].split()
        }
