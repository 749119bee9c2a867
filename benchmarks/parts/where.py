"""Where the time of one score goes: from the start of Python to what is printed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import corpus
from measuring import READ, Row, Settings, best, process, scoref_command, span

# Each stage with functions that do it, by the modules that call them; what one of them calls of others counts there.
_STAGES = {
    "open the files, find their format": ("scoref.pairing.reading:_read",),
    "find lines": ("scoref.formats.conll.read:find_lines",),
    "find brackets and pair them": ("scoref.formats.conll.read:_found",),
    "make documents": ("scoref.formats.conll.read:_document",),
    "pair documents, compare their words": ("scoref.run.request:paired",),
    "prepare, match, count the table": ("scoref.run.request:evaluated",),
    "metrics": ("scoref.run.stages:counted",),
    "look for signs of mistakes": ("scoref.run.request:observed", "scoref.run.request:signs"),
    "ratios, print": ("scoref.cli.commands.scores.score:reported",),
}
_REST = "arguments, and what is between the stages"

_TIMED = """
import contextlib, importlib, io, json, sys, time
from scoref.cli import main

stages, files = json.loads(sys.argv[1]), sys.argv[2:]
with contextlib.redirect_stdout(io.StringIO()):
    main(["score", *files, "--metrics", "all"])  # imports what is needed
spent, running = dict.fromkeys([*stages, ""], 0.0), [""]
last = [time.process_time()]

def switch(name):
    now = time.process_time()
    spent[running[-1]] += now - last[0]
    last[0] = now

def timed(stage, function):
    def call(*arguments, **keywords):
        switch(stage)
        running.append(stage)
        try:
            return function(*arguments, **keywords)
        finally:
            switch(stage)
            running.pop()
    return call

for stage, places in stages.items():
    for place in places:
        module, name = place.split(":")
        module = importlib.import_module(module)
        setattr(module, name, timed(stage, getattr(module, name)))
last[0] = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    main(["score", *files, "--metrics", "all"])
switch("")
print(json.dumps(spent))
"""


def where(settings: Settings) -> list[Row]:
    """Where the processor time of `score --metrics all` on two CoNLL files goes, stage by stage (--files: of yours)."""
    documents = 10 if settings.quick else 100
    files = next(iter(settings.files.values()), None) or corpus.write_conll(
        corpus.texts(documents, 2000), settings.folder
    )
    tiny = corpus.write_conll(corpus.texts(1, 10), settings.within("tiny").folder)
    started = best(
        {
            "start Python": process(sys.executable, "-c", "pass"),
            "import numpy": process(sys.executable, "-c", "import numpy"),
            "limit": process(sys.executable, "-c", READ, *files),
            "tiny": process(*scoref_command(), "score", *tiny, "--metrics", "all"),
            "whole": process(*scoref_command(), "score", *files, "--metrics", "all"),
        },
        5 * settings.repetitions,
    )
    stages = _stages(files, 5 * settings.repetitions)
    found = {
        "start Python": started["start Python"],
        "import numpy": started["import numpy"] - started["start Python"],
        "import scoref, score two tiny files": started["tiny"] - started["import numpy"],
        **stages,
    }
    rows = [Row(name, f"{span(seconds)}, {100 * seconds / started['whole']:.0f} %") for name, seconds in found.items()]
    limit, whole = span(started["limit"]), span(started["whole"])
    return [*rows, Row("a whole process", whole), Row("the limit: numpy, reading both files, counting lines", limit)]


def _stages(files: tuple[Path, Path], repetitions: int) -> dict[str, float]:
    """The least processor time of each stage, in processes that score twice, of which the second time counts."""
    command = [sys.executable, "-c", _TIMED, json.dumps(_STAGES), *map(str, files)]
    runs = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(repetitions)]
    least = {name: min(run[name] for run in runs) for name in runs[0]}
    return {name: least[name] for name in _STAGES} | {_REST: least[""]}


PARTS = (where,)
