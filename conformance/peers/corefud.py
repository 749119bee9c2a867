"""The CorefUD scorers 1.0, 1.1 and 1.2, by their functions."""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from suite.cases import Case
from suite.files import corefud
from suite.numbers import triple

from .plain import facts, tried

_ALL = "muc b3 ceafm ceafe blanc lea mor zeros"
_PLAIN = "hand small papers zeros"
WAYS = {  # singletons, match, zeros
    "1.2": (False, "head", "dependent"),
    "1.2 -s": (True, "head", "dependent"),
    "1.2 -s -a exact": (True, "exact", "dependent"),
    "1.2 -a partial": (False, "partial-corefud", "dependent"),
    "1.2 -s -z linear": (True, "head", "linear"),
    "1.1": (False, "head", ""),
    "1.1 -s -a partial": (True, "partial", ""),
    "1.0": (False, "partial", ""),
    "1.0 -s -x": (True, "exact", ""),
}
SCORERS = {
    f"corefud-{way}": facts(
        f"CorefUD scorer {way}", "ufal/corefud-scorer",
        f"python corefud-scorer.py {{key}} {{response}} {way.partition(' ')[2]}".strip(),
        _ALL.removesuffix(" mor zeros") if way.startswith("1.0") else _ALL, reads="corefud",
        sets=_PLAIN if way in ("1.2 -s -a exact", "1.2") else "zeros",
    )
    for way in WAYS
}  # fmt: skip
NAMES = {"muc": "muc", "b3": "b_cubed", "ceafm": "ceafm", "ceafe": "ceafe", "lea": "lea", "mor": "mention_overlap",
         "zeros": "als_zeros"}  # fmt: skip


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its functions on each case."""
    sys.path.insert(0, str(place))
    logging.disable()
    names = SCORERS[scorer]["metrics"].split()
    evaluator = importlib.import_module("scorer.eval.evaluator" if "1.2" in scorer else "coval.eval.evaluator")
    read = _reader(scorer)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, which) for which in ("key", "response")]
        for case in cases:
            for path in files:
                path.write_text(corefud.written(case, path.name), encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                yield _scores(read, evaluator, [*map(str, files)], names)


def _reader(scorer: str) -> Callable[..., Any]:
    """The function that reads two files as this version does."""
    keep, match, zeros = WAYS[scorer.removeprefix("corefud-")]
    if "1.2" in scorer:
        make = importlib.import_module("scorer.corefud.reader").CorefUDReader

        def read(*files: str) -> Any:
            given = make(format="corefud", keep_singletons=keep, match=match, zero_match_method=zeros, keep_zeros=True,
                         keep_split_antecedents=False, evaluate_discourse_deixis=False, only_split_antecedent=False,
                         allow_boundary_crossing=False, np_only=False, remove_nested_mentions=False)  # fmt: skip
            given.get_coref_infos(*files)
            return given.doc_coref_infos

        return read
    function = importlib.import_module("coval.corefud.reader").get_coref_infos
    how = match == "exact" if "1.0" in scorer else match
    return lambda *files: function(*files, how, keep)


def _scores(read: Callable[..., Any], evaluator: ModuleType, files: list[str], names: list[str]) -> dict[str, str]:
    """The scores of two files."""
    try:
        infos = read(*files)
    except BaseException as error:
        return dict.fromkeys(names, f"crash: {type(error).__name__}")
    functions = {name: getattr(evaluator, NAMES[name]) for name in names if name in NAMES}
    if "blanc" in names:
        functions["blanc"] = [evaluator.blancc, evaluator.blancn]

    def one(metric: Any) -> str:
        return triple(*map(float, evaluator.evaluate_documents(infos, metric, beta=1, only_split_antecedent=False)))

    return {name: tried(lambda metric=metric: one(metric)) for name, metric in functions.items()}
