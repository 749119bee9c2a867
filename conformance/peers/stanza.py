"""stanza: `ClusterChecker`, with MUC, B³ and CEAFe as means of documents, and LEA as sums."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case
from suite.numbers import triple

from . import plain

SCORERS = {
    "stanza": plain.facts(
        "stanza", "stanfordnlp/stanza", "ClusterChecker().add_predictions(gold, pred)", "muc b3 ceafe lea",
        near="1e-6", changes="torch stands for an empty module; it adds 1e-7 to denominators: compared to 1e-6",
    )
}  # fmt: skip


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its class on each case."""
    logging.disable()
    plain.stub("torch", Tensor=object)
    for name in ("stanza", "stanza.models", "stanza.models.coref"):
        plain.stub(name)
    folder = place / "stanza" / "models" / "coref"
    epsilon = plain.module(folder / "const.py", "stanza.models.coref.const").EPSILON
    checker = plain.module(folder / "cluster_checker.py", "stanza.models.coref.cluster_checker").ClusterChecker

    def scores(case: Case) -> dict[str, str]:
        each = checker()
        for key, response in plain.pairs(case):
            each.add_predictions([*map(list, key)], [*map(list, response)])
        found = {}
        for name, f1 in zip(("muc", "b3", "ceafe"), each.mbc, strict=True):
            sums = (getattr(each, f"_{name}_{part}") for part in ("recall", "precision"))
            found[name] = triple(*(float(total) / (each._num_preds + epsilon) for total in sums), float(f1))
        f1, precision, recall = each.total_lea
        return {**found, "lea": triple(float(recall), float(precision), float(f1))}

    for case in cases:
        try:
            yield scores(case)
        except Exception as error:
            yield dict.fromkeys(("muc", "b3", "ceafe", "lea"), f"crash: {type(error).__name__}")
