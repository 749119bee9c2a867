"""scorch: its functions on a document, and its command on files and folders of JSON."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from suite.cases import Case
from suite.numbers import triple

from . import plain

_METRICS = "muc b3 ceafm ceafe blanc"
SCORERS = {
    "scorch": plain.facts("scorch", "LoicGrobol/scorch", "scorch GOLD SYS", _METRICS, package="scorch"),
    "scorch functions": plain.facts(
        "scorch, functions", "LoicGrobol/scorch", "scores.muc(key, response) ...", _METRICS, package="scorch",
        sets="small partitions hand papers",
    ),
}  # fmt: skip
NAMES = {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its functions, or what its command calls, on each case."""
    from scorch import main, scores

    for case in cases:
        if scorer == "scorch":
            yield _command(main, case)
        elif len(plain.pairs(case)) > 1:
            yield {}
        else:
            yield _functions(scores, *plain.pairs(case)[0])


def _functions(scores: ModuleType, key: plain.Clusters, response: plain.Clusters) -> dict[str, str]:
    names = {"muc": "muc", "b3": "b_cubed", "ceafm": "ceaf_m", "ceafe": "ceaf_e", "blanc": "blanc"}
    sides = [*map(set, key)], [*map(set, response)]
    return {
        name: plain.tried(lambda function=function: triple(*map(float, getattr(scores, function)(*sides))))
        for name, function in names.items()
    }


def written(clusters: plain.Clusters) -> str:
    """Clusters in its JSON."""
    names = [[f"{first}-{last}" for first, last in cluster] for cluster in clusters]
    return json.dumps({"type": "clusters", "clusters": {str(number): each for number, each in enumerate(names)}})


def _command(main: ModuleType, case: Case) -> dict[str, str]:
    texts = case.texts()
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder, which) for which in ("key", "response")]
        for path in sides:
            path.mkdir()
            for text in texts:
                if text.side(path.name) is not None:
                    (path / f"{text.name}.json").write_text(written(plain.clusters(text.side(path.name))))
        if len(texts) > 1:
            lines = main.process_dirs(*sides)
        else:
            files = [io.StringIO((path / f"{texts[0].name}.json").read_text()) for path in sides]
            lines = main.process_files(*files)
        return _read(lines)


def _read(lines: Iterator[str]) -> dict[str, str]:
    found, end = {}, "nothing"
    try:
        for line in lines:
            name, *parts = line.split("\t")
            if name.rstrip(":") in NAMES:
                found[NAMES[name.rstrip(":")]] = triple(*(float(part.partition("=")[2]) for part in parts))
    except Exception as error:
        end = f"crash: {type(error).__name__}"
    return {name: found.get(name, end) for name in NAMES.values()}
