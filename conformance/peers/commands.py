"""Whole programs on broken files: which refuse them, and which print scores."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from adapters import ADAPTERS
from suite.cases import Case

SCORERS = {
    f"{name} on broken files": {
        "title": title, "repository": repository, "command": command, "reads": reads, "digits": "whether it refuses",
        "metrics": "refuses", "sets": "broken",
    }
    for name, title, repository, command, reads in (
        ("perl-8.01", "reference scorer 8.01 (Perl)", "conll/reference-coreference-scorers",
         "perl scorer.pl all {key} {response} none", "conll"),
        ("coval", "coval", "ns-moosavi/coval", "python scorer.py {key} {response}", "conll"),
        ("ua-1.0", "Universal Anaphora scorer 1.0", "juntaoy/universal-anaphora-scorer",
         "python ua-scorer.py {key} {response}", "ua"),
        ("corefud-1.2", "CorefUD scorer 1.2", "ufal/corefud-scorer",
         "python corefud-scorer.py {key} {response}", "corefud"),
        ("evmeval-1.8", "EvmEval 1.8", "hunterhector/EvmEval",
         "python2.7 scorer_v1.8.py -g {key} -s {response} -c COREFERENCE", "tbf"),
    )
}  # fmt: skip
SECONDS = 30
OUTPUTS = {"perl-8.01": "perl", "coval": "coval", "ua-1.0": "ua", "corefud-1.2": "ua"}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Run it on each case of its format."""
    facts, name = SCORERS[scorer], scorer.partition(" ")[0]
    pythons = {"python": sys.executable, "python2.7": os.environ.get("PYTHON2", "python2.7")}
    for case in cases:
        if case.row["reads"] != facts["reads"]:
            yield {}
            continue
        with tempfile.TemporaryDirectory() as folder:
            files = {which: Path(folder, which) for which in ("key", "response")}
            for which, path in files.items():
                path.write_text(case.row[f"{which}_text"], encoding="utf-8", newline="")
            program, script, *rest = facts["command"].split()
            call = [pythons.get(program, program), str(place / script)]
            call += [part.format(**files).replace("COREFERENCE", str(Path(folder, "out"))) for part in rest]
            try:
                done = subprocess.run(call, capture_output=True, text=True, cwd=folder, timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                yield {"refuses": f"no: had not ended after {SECONDS} s"}
                continue
        yield {"refuses": "yes" if done.returncode else f"no: {shown(name, done.stdout)}"}


def shown(name: str, printed: str) -> str:
    """What a program printed for broken files: its first score."""
    if name == "evmeval-1.8":
        rows = [line.split() for line in printed.splitlines() if line.strip().startswith("plain")]
        return f"span {' '.join(rows[-1][1:4])} (precision, recall, f1)" if rows else "no score"
    scores = ADAPTERS[OUTPUTS[name]].read(printed)
    return f"b3 {scores['b3']}" if "b3" in scores else "no score"
