"""Other programs that do what scoref does, and how each is run against it on the same files.

A peer takes part if its path is given: `--peer perl=DIR/scorer.pl`. Its package, if it has one, must be installed in
the Python that `--python` names. A further peer is one more line of `RACES`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from measuring import Failed, Row, Settings, against, at_least, best, process, scoref_command

_READ = "import sys, scoref; [list(scoref.read(path)) for path in sys.argv[1:]]"
_UDAPI = "import sys; from udapi.core.document import Document; [Document(filename=path){0} for path in sys.argv[1:]]"


class Race(NamedTuple):
    """A peer and scoref on the same files: both commands, and how many times faster scoref is to be.

    `{path}` is what `--peer` says, `{python}` a Python that has the peer, `{key}` and `{response}` are the files.
    """

    peer: str
    format: str
    factor: float
    theirs: list[str]
    ours: list[str]
    what: str = ""


SCORED = ["{scoref}", "score", "{key}", "{response}"]
ALL = [*SCORED, "--metrics", "all"]

RACES = [
    Race("perl", "conll", 150, ["perl", "{path}", "all", "{key}", "{response}", "none"], ALL),
    Race("coval", "conll", 10, ["{python}", "{path}/scorer.py", "{key}", "{response}"], ALL),
    Race("scorch", "clusters", 10, ["{path}", "{key}", "{response}"], ALL),
    Race("ua", "ua", 20, ["{python}", "{path}", "{key}", "{response}"], ALL),
    Race("corefud", "corefud", 30, ["{python}", "{path}", "{key}", "{response}"], SCORED),
    Race("corefud", "corefud", 55, ["{python}", "{path}", "-s", "{key}", "{response}"],
         [*SCORED, "--singletons", "keep"], "with singletons"),
    Race("udapi", "corefud", 8, ["{python}", "-c", _UDAPI.format(""), "{key}", "{response}"],
         [sys.executable, "-c", _READ, "{key}", "{response}"], "reading words and trees"),
    Race("udapi", "corefud", 8, ["{python}", "-c", _UDAPI.format(".coref_entities"), "{key}", "{response}"],
         [sys.executable, "-c", _READ, "{key}", "{response}"], "reading entities, too"),
    Race("evmeval", "tbf", 10, ["python2", "{path}", "-g", "{key}", "-s", "{response}", "-c", "{folder}/coreference"],
         [*SCORED, "--protocol", "evmeval-1.8"]),
]  # fmt: skip
PEERS = (*dict.fromkeys(race.peer for race in RACES), "evaluator")  # the last one is imported, not run


def raced(settings: Settings, format: str, files: tuple[Path, Path], corpus: str) -> list[Row]:
    """A row for each peer that reads the format: how many times longer it takes than scoref."""
    rows = []
    for race in RACES:
        if race.format != format:
            continue
        what = f"{', '.join(filter(None, (race.peer, race.what)))} : scoref, {corpus}"
        if race.peer not in settings.peers:
            rows.append(Row(what, f"not given (--peer {race.peer}=PATH)", f"≥ {race.factor:g} ×"))
            continue
        ours = process(*_filled(race.ours, race, settings, files))
        theirs = process(*_filled(race.theirs, race, settings, files), patience=settings.patience)
        try:
            seconds = best({"scoref": ours, "peer": theirs, "scoref again": ours}, settings.repetitions)
        except subprocess.TimeoutExpired:
            rows.append(Row(what, f"stopped after {settings.patience:g} s", f"≥ {race.factor:g} ×"))
            continue
        except Failed as failure:
            rows.append(Row(what, f"failed: {str(failure).splitlines()[-1][:80]}", f"≥ {race.factor:g} ×"))
            continue
        least = min(seconds["scoref"], seconds["scoref again"])
        rows.append(at_least(what, seconds["peer"] / least, race.factor, "×", against(seconds["peer"], least)))
    return rows


def _filled(command: list[str], race: Race, settings: Settings, files: tuple[Path, Path]) -> list[str]:
    words = {"{key}": str(files[0]), "{response}": str(files[1]), "{python}": settings.python,
             "{path}": settings.peers[race.peer] or race.peer, "{folder}": str(settings.folder)}  # fmt: skip
    found: list[str] = []
    for part in command:
        if part == "{scoref}":
            found += scoref_command()
            continue
        for word, value in words.items():
            part = part.replace(word, value)
        found.append(part)
    return found
