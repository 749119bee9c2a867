"""The conformance suite as such: its inputs, its size, its version, its digest, its page, its programs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import yaml

import adapters
import fares
import make
import record
import run
from places import ROOT
from suite import cases, features, scorers
from suite.cases import HOME

LARGEST, FEWEST = 8_000_000, 5_000


def lines(name: str) -> list[dict[str, object]]:
    return [case.inputs for case in cases.read(name)]


@pytest.mark.parametrize("name", make.sets())
def test_inputs_are_what_the_generators_make(name):
    assert lines(name) == [json.loads(cases.written(row)) for row in make.sets()[name]()]


def test_the_suite_is_large_and_small_enough():
    assert sum(len(lines(name)) for name in cases.names()) >= FEWEST
    assert sum(path.stat().st_size for path in HOME.rglob("*") if "__pycache__" not in path.parts) < LARGEST
    assert {*cases.names()} == {*scorers.SETS} == {*make.sets()}


def test_every_feature_is_covered():
    found = {feature for name in cases.names() for case in cases.read(name) for feature in features.of(case)}
    assert found == {*features.FEATURES}


def test_version_and_digest_are_those_of_the_pages():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    [suite] = [each for each in cited["references"] if "conformance suite" in each["title"]]
    assert str(suite["version"]) == cases.VERSION
    assert suite["license"] == "CC-BY-4.0"
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert f"Version {cases.VERSION}, SHA-256 of all cases:\n\n```text\n{cases.digest()}\n```" in text


def test_the_page_is_made_from_what_is_recorded():
    assert fares.PAGE.read_text(encoding="utf-8") == fares.page(), "run: python conformance/fares.py --write"


def test_every_scorer_says_what_it_is():
    wanted = {"title", "repository", "command", "reads", "digits", "metrics", "sets", "version", "recorded", "python"}
    assert {name: wanted - each.keys() for name, each in scorers.known().items() if not wanted <= each.keys()} == {}
    named = {scorer for name in cases.names() for case in cases.read(name) for scorer in case.row["expected"]}
    assert named <= scorers.known().keys()


def test_nothing_of_another_project_is_in_the_suite():
    """No file but those of the suite's own kinds; no text of the formats' own corpora."""
    kinds = {path.suffix for path in HOME.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert kinds <= {".py", ".jsonl", ".json", ".md", ""}
    words = {word for name in ("trees",) for row in lines(name) for word in row["tokens"]}
    assert len(words) < 20


# -- its programs ----------------------------------------------------------------------------------------------------


def ran(monkeypatch, capsys, *arguments: str) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
    return run.main(), capsys.readouterr().out


def scorer(tmp_path: Path, code: str) -> str:
    path = tmp_path / "scorer.py"
    path.write_text(code, encoding="utf-8")
    return f"{sys.executable} {path}"


RIGHT = """
line = "Recall: (2 / 2) 100%\\tPrecision: (2 / 2) 100%\\tF1: 100%"
print(f"METRIC muc:\\nIdentification of Mentions: {line}\\nCoreference: {line}")
"""


def test_run_says_what_agrees_and_shows_the_smallest_difference(monkeypatch, capsys, tmp_path):
    command = scorer(tmp_path, RIGHT) + " {key} {response}"
    code, out = ran(monkeypatch, capsys, "--scorer", command, "--reads", "perl", "--sets", "hand", "--limit", "12")
    assert code == 1
    assert re.search(r"all cases +3 +9 +0 +0\n", out)  # links and mentions are all found in three
    assert "muc, smallest case: hand/nothing on either side\n  key       \n  response  \n  expected  0 0 0\n" in out
    assert "suite 1.0.0: 3 of 12 cases agree" in out


@pytest.mark.parametrize(
    ("code", "what"), [("import sys; sys.exit(3)", "crashed"), ("print('{}')", "silent"), ("print('no')", "silent")]
)
def test_run_tells_crashes_from_silence(monkeypatch, capsys, tmp_path, code, what):
    arguments = ["--scorer", scorer(tmp_path, code), "--reads", "json", "--sets", "hand", "--limit", "2", "--json"]
    code, out = ran(monkeypatch, capsys, *arguments)
    assert code == 1
    assert json.loads(out)[what] == 2


REFUSES = """
import json, sys
from pathlib import Path
text = Path(sys.argv[1]).read_text()
sys.exit("not closed" if text.count("(") != text.count(")") else 0)
"""


def test_broken_files_are_to_be_refused(monkeypatch, capsys, tmp_path):
    """Those of the scorer's format; a score for one is a silent one."""
    command = scorer(tmp_path, REFUSES) + " {response}"
    arguments = ["--reads", "json", "--files", "conll", "--sets", "broken", "--json"]
    code, out = ran(monkeypatch, capsys, "--scorer", command, *arguments)
    given = [case for case in cases.read("broken") if case.row["reads"] == "conll"]
    odd = [case for case in given if case.row["response_text"].count("(") != case.row["response_text"].count(")")]
    assert code == 1
    found = json.loads(out)
    assert (found["agreed"], found["silent"]) == (len(odd), len(given) - len(odd))
    assert found["smallest"]["refuses"]["response"] in {case.row["response_text"] for case in given}


@pytest.mark.parametrize("more", [(), ("--files", "ua"), ("--files", "tbf"), ("--files", "conll", "--batch")])
def test_every_set_can_be_run(monkeypatch, capsys, tmp_path, more):
    """Cases that a scorer cannot be given are left out."""
    command = scorer(tmp_path, "print('{}')") + " {key} {response}"
    code, out = ran(monkeypatch, capsys, "--scorer", command, "--reads", "json", "--limit", "1", "--json", *more)
    found = json.loads(out)
    assert code == 1
    assert found["silent" if "--batch" not in more else "crashed"] + found.get("silent", 0) >= 1
    assert found["differs"] == 0


BATCH = """
import json, sys
for line in sys.stdin:
    documents = json.loads(line)["documents"]
    sides = [{(n, *m) for n, d in enumerate(documents) for e in d[w] or [] for m in e} for w in ("key", "response")]
    both = len(sides[0] & sides[1])
    recall, precision = (both / len(side) if side else 0 for side in sides)
    f1 = 2 * recall * precision / (recall + precision) if both else 0
    print(json.dumps({"mentions": {"recall": recall, "precision": precision, "f1": f1}}))
"""


def test_a_scorer_of_its_own_is_run_in_a_batch(monkeypatch, capsys, tmp_path):
    sets = ["--sets", "small", "partitions", "documents"]
    code, out = ran(monkeypatch, capsys, "--scorer", scorer(tmp_path, BATCH), "--reads", "json", "--batch", *sets)
    assert code == 0
    assert "suite 1.0.0: 2656 of 2656 cases agree" in out


@pytest.mark.parametrize("name", ["coval", "ua", "scorch", "neleval"])
def test_adapters_read_what_scorers_print(name):
    printed = {
        "coval": "muc        Recall: 50.00  Precision: 100.00  F1: 66.67\n",
        "ua": "muc\nRecall: 50.00  Precision: 100.00  F1: 66.67\n",
        "scorch": "MUC:\tR=0.5\tP=1.0\tF₁=0.6667\n",
        "neleval": "Metric\tP\tR\tF1\nmuc\t100.00\t50.00\t66.67\n",
    }
    assert adapters.ADAPTERS[name].read(printed[name]) in ({"muc": "1/2 1 6667/10000"}, {"muc": "1/2 1 0.6667"})


def test_what_is_recorded_of_definitions_is_recorded_again(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["record.py", "--peer", "definition=", "--sets", "papers", "--check"])
    assert record.main() == 0
    assert "definition on papers: 34 cases, 0 new, 0 changed" in capsys.readouterr().out


def test_papers_print_what_their_definitions_give():
    """F1 is rounded, or computed from rounded recall and precision; one is a misprint."""
    wrong = []
    for case in cases.read("papers"):
        numbers = {metric: each for scores in case.row["expected"].values() for metric, each in scores.items()}
        for metric, printed in case.row["printed"].items():
            given, exact = printed.split(), [decimal(each) for each in numbers[metric].split()]
            recall, precision = (float(f"{each:.3f}") for each in exact[:2])
            derived = 2 * recall * precision / (recall + precision)
            near = [abs(decimal(a) - b) <= 0.0051 for a, b in zip(given, [*exact[:2], derived], strict=False)]
            wrong += [] if all(near) else [(case.row["name"], metric)]
    assert wrong == [("Cai & Strube 2010, table 12, response 3", "b3-sys")]


def decimal(text: str) -> float:
    number, _, below = text.partition("/")
    return float(number) / float(below or 1)
