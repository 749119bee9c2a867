"""EvmEval 1.8, under Python 2.7: a report with two digits. PATH is that of its folder; $PYTHON2 is its Python."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case
from suite.files import tbf
from suite.numbers import triple, written

_MENTIONS = [f"{name}{average}" for average in ("", " macro") for name in ("span", "type", "realis", "type+realis")]
_COREFERENCE = {"bcub": "b3", "ceafe": "ceafe", "ceafm": "ceafm", "muc": "muc", "blanc": "blanc"}
SCORERS = {
    "evmeval-1.8": {
        "title": "EvmEval 1.8",
        "repository": "hunterhector/EvmEval",
        "command": "python2.7 scorer_v1.8.py -g {key} -s {response} -o REPORT -c COREFERENCE -a SEQUENCES",
        "reads": "tbf",
        "digits": "two, as printed; those of coreference are cut off, and only f1 is printed",
        "near": "1.51e-4",
        "metrics": " ".join([each.replace(" ", "_") for each in _MENTIONS] + [*_COREFERENCE.values(), "kbp"])
        + " after subevent",
        "sets": "nuggets",
    }
}
_ROW = re.compile(r"^\s*(plain|mention_type|realis_status|mention_type\+realis_status)\s+(.*)$")
_PLAIN = {
    "plain": "span",
    "mention_type": "type",
    "realis_status": "realis",
    "mention_type+realis_status": "type+realis",
}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Run it on each case."""
    python = os.environ.get("PYTHON2", "python2.7")
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            files = {which: Path(folder, f"{which}.tbf") for which in ("key", "response")}
            for which, path in files.items():
                path.write_text(tbf.written(case, which), encoding="utf-8")
            report = Path(folder, "report")
            call = [python, str(place / "scorer_v1.8.py"), "-g", str(files["key"]), "-s", str(files["response"]),
                    "-o", str(report), "-c", str(Path(folder, "coreference"))]  # fmt: skip
            if case.get("after") or case.get("subevent"):
                call += ["-a", str(Path(folder, "sequences"))]
            done = subprocess.run(call, capture_output=True, text=True, timeout=120, cwd=folder, check=False)
            if done.returncode or not report.exists():
                yield {"span": f"crash: exit {done.returncode}"}
            else:
                yield read(report.read_text(encoding="utf-8"), case)


def read(text: str, case: Case) -> dict[str, str]:
    """What the report has."""
    found: dict[str, str] = {}
    final = text.partition("Final Mention Detection Results")[2]
    for line in final.splitlines():
        row = _ROW.match(line)
        if row:
            numbers = [float(each) / 100 for each in row[2].split()]
            name = _PLAIN[row[1]]
            for average, (precision, recall, f1) in (("", numbers[:3]), ("_macro", numbers[3:6])):
                found[name + average] = triple(recall, precision, f1)
        metric = re.match(r"Metric : (\w+)(?: \*)?\s+Score\s+([\d.]+)", line)
        if metric:
            found[_COREFERENCE[metric[1]]] = written(float(metric[2]) / 100)
        average = re.match(r"Overall Average CoNLL score\s+([\d.]+)", line)
        if average:
            found["kbp"] = written(float(average[1]) / 100)
    for kind in ("after", "subevent"):
        part = final.partition(f"Event Sequencing Results for {kind.title()} ")[2]
        numbers = re.search(r"\n\t\t([\d.]+)\t([\d.]+)\t([\d.]+)", part)
        if numbers and case.get(kind):
            f1, precision, recall = (float(each) / 100 for each in numbers.groups())
            found[kind] = triple(recall, precision, f1)
    return found
