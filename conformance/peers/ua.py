"""The Universal Anaphora scorer 1.0, by its functions: `reader.get_coref_infos` and those of `evaluator`."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from suite.cases import Case
from suite.files import ua
from suite.numbers import triple

from .plain import facts, tried

_ALL = "muc b3 ceafm ceafe blanc lea"
_BRIDGING = "bridging-anaphors bridging-mentions bridging-entities"
WAYS = {  # singletons, split antecedents, bridging, non-referring, deixis, MIN, and only split antecedents
    "": (True, True, False, False, False, False, False),
    "remove_singletons": (False, True, False, False, False, False, False),
    "remove_split_antecedent": (True, False, False, False, False, False, False),
    "only_split_antecedent": (True, True, False, False, False, False, True),
    "MIN": (True, True, False, False, False, True, False),
    "keep_non_referring": (True, True, False, True, False, False, False),
    "keep_bridging": (True, True, True, False, False, False, False),
    "evaluate_discourse_deixis": (True, True, False, False, True, False, False),
}
_METRICS = {"keep_non_referring": "non-referring", "keep_bridging": _BRIDGING}
SCORERS = {
    f"ua-1.0 {way}".strip(): facts(
        f"Universal Anaphora scorer 1.0 {way}".strip(), "juntaoy/universal-anaphora-scorer",
        f"python ua-scorer.py {{key}} {{response}} {way}".strip(), _METRICS.get(way, _ALL), reads="ua",
        sets="anaphora" if way else "hand small partitions documents papers anaphora",
    )
    for way in WAYS
}  # fmt: skip
NAMES = {"muc": "muc", "b3": "b_cubed", "ceafm": "ceafm", "ceafe": "ceafe", "lea": "lea"}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its functions on each case."""
    sys.path.insert(0, str(place))
    from coval.eval import evaluator
    from coval.ua import reader

    way = WAYS[scorer.partition(" ")[2]]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, which) for which in ("key", "response")]
        for case in cases:
            if not concerns(way, case):
                yield {}
                continue
            for path in files:
                path.write_text(ua.written(case, path.name), encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()):
                yield _scores(reader, evaluator, [*map(str, files)], way)


def concerns(way: tuple[bool, ...], case: Case) -> bool:
    """Whether an option makes a difference to a case: it is run on no others."""
    _, split, bridging, idle, deixis, least, only = way
    text = f"{case.row['key']}{case.row['response']}"
    asked = [(not split or only, "{"), (idle, "!"), (least, "~")]
    plain = all(mark in text for there, mark in asked if there)
    return plain and (not bridging or "bridging" in case.row) and (not deixis or "deixis" in case.row)


def _scores(reader: ModuleType, evaluator: ModuleType, files: list[str], way: tuple[bool, ...]) -> dict[str, str]:
    """The scores of two files; each metric reads them again, as it may change what was read."""
    *read, only = way

    def infos(which: int) -> Any:
        return reader.get_coref_infos(*files, *read)[which]

    if read[3]:
        return {"non-referring": tried(lambda: triple(*map(float, evaluator.evaluate_non_referrings(infos(1)))))}
    if read[2]:
        parts = range(3)
        return {
            name: tried(lambda part=part: triple(*map(float, evaluator.evaluate_bridgings(infos(2))[part])))
            for name, part in zip(_BRIDGING.split(), parts, strict=True)
        }
    found = {name: tried(_one(evaluator, infos, function, only)) for name, function in NAMES.items()}
    kinds = [evaluator.blancc, evaluator.blancn]

    def blanc() -> str:
        return triple(*map(float, evaluator.evaluate_documents(infos(0), kinds, beta=1, only_split_antecedent=only)))

    return {**found, "blanc": tried(blanc)}


def _one(evaluator: ModuleType, infos: Callable[[int], Any], function: str, only: bool) -> Callable[[], str]:
    def scores() -> str:
        metric = getattr(evaluator, function)
        numbers = evaluator.evaluate_documents(infos(0), metric, beta=1, only_split_antecedent=only)
        return triple(*map(float, numbers))

    return scores
