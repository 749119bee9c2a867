"""A choice, a word of a choice and a tool's convention, added as CONTRIBUTING says to a copy of the package.

Each is one entry and the step that obeys it; all that users see of it follows, and tests say in words what is missing.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES, ROOT

SOURCE = Path(scoref.__file__).parent
Ran = Callable[..., "subprocess.CompletedProcess[str]"]

CHOICE = """
    shouting: Annotated[str, Choice("mentions in capitals: kept, or dropped", ("keep", "drop"))] = "keep"
"""
STEPS = """
        (preparing.shouting == "drop", _each(lambda document: steps.only(
            document, lambda mention: not document.text_of(mention).isupper()))),
        (preparing.mentions == "short", _each(steps.only, lambda mention: len(mention.span) == 1)),
"""
WORDS, MORE_WORDS = '("all", "np")', '("all", "np", "short")'
CONVENTION = """
    Convention("ours", "conll-2012", {"singletons": "drop", "average": "macro"}, ("Our scorer",), "as we have it"),
"""


def insert(path: Path, behind: str, lines: str) -> None:
    """Write lines behind the line that a pattern fits."""
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"^.*{behind}.*\n", text, re.M)
    assert found, f"{path.name} has no line like {behind}"
    path.write_text(text[: found.end()] + lines.lstrip("\n") + text[found.end() :], encoding="utf-8")


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> Ran:
    """Runs Python with a copy of the package that has one choice, one word and one convention more."""
    folder = tmp_path_factory.mktemp("copy")
    copy = folder / "src" / "scoref"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("build", "figures", "images"))
    insert(copy / "preparing" / "prepare.py", r"    mentions: Annotated\[.*\] = ", CHOICE)
    insert(copy / "preparing" / "prepare.py", r"_each\(steps\.referring", STEPS)
    prepare = (copy / "preparing" / "prepare.py").read_text(encoding="utf-8")
    assert prepare.count(WORDS) == 1
    (copy / "preparing" / "prepare.py").write_text(prepare.replace(WORDS, MORE_WORDS), encoding="utf-8")
    insert(copy / "protocol" / "tools.py", r"^CONVENTIONS: .*\($", CONVENTION)

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "COLUMNS": "200"}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, encoding="utf-8")

    return run


@pytest.fixture
def files(tmp_path) -> list[Path]:
    """A key and a response with mentions in capitals."""
    rows = {
        "key": "ANN:(0) saw:- Bob:(1) .:- ANN:(0) likes:- old:(1 Bob:1)",
        "response": "ANN:(0) saw:- Bob:(1) .:- ANN:(1) likes:- old:(1 Bob:1)",
    }
    for name, text in rows.items():
        lines = [f"d\t0\t{place}\t" + each.replace(":", "\t") for place, each in enumerate(text.split())]
        body = "\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""])
        (tmp_path / name).write_text(body, encoding="utf-8")
    return [tmp_path / "key", tmp_path / "response"]


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


# -- a choice --------------------------------------------------------------------------------------------------------


def test_a_choice_is_a_keyword_and_in_the_signature(ran, files):
    code = """
import sys, scoref
plain, quiet = (scoref.score(*sys.argv[1:], shouting=word, metrics=["mentions"]) for word in (None, "drop"))
assert plain.counts["mentions"].sum(axis=0).tolist() == [4, 4, 4, 4]
assert quiet.counts["mentions"].sum(axis=0).tolist() == [2, 2, 2, 2]
assert "shouting" not in plain.signature and "|shouting:keep|" in plain.signature_full
assert "|shouting:drop|" in quiet.signature and quiet.protocol.shouting == "drop"
assert scoref.Protocol.parse(quiet.signature) == scoref.Protocol.parse(quiet.signature_full) == quiet.protocol
before = plain.signature_full.replace("|shouting:keep", "").replace("conll-2012|", "ours|")
assert scoref.Protocol.parse(before).shouting == "keep"  # a signature of a version that did not have it
try:
    scoref.score(*sys.argv[1:], shouting="whisper")
except scoref.Error as error:
    print(error)
"""
    text = said(ran("-c", code, *files))
    assert "no shouting 'whisper'  [unknown-choice]" in text
    assert "one of keep, drop" in text


def test_a_choice_is_an_option(ran, files, tmp_path):
    assert "--shouting {keep,drop}" in said(ran("-m", "scoref", "help", "score", "all"))
    result = json.loads(said(ran("-m", "scoref", "score", *files, "--shouting", "drop", "--json")))
    assert result["protocol"]["shouting"] == "drop"
    assert "|shouting:drop|" in result["signature"]
    again = json.loads(said(ran("-m", "scoref", "score", *files, "--protocol", result["signature"], "--json")))
    assert again["scores"] == result["scores"]
    both = json.loads(said(ran("-m", "scoref", "score", *files, "--with", "shouting:drop", "--json")))
    assert both["settings"]["shouting:drop"]["muc"] == {
        key: result["scores"]["muc"][key] for key in ("recall", "precision", "f1")
    }
    misspelt = ran("-m", "scoref", "score", *files, "--shouting", "dorp")
    assert (misspelt.returncode, misspelt.stdout) == (2, "")
    assert "did you mean --shouting drop?" in misspelt.stderr


def test_a_choice_can_be_set_by_a_project_and_by_a_file(ran, files, tmp_path):
    (tmp_path / "ours.toml").write_text('shouting = "drop"\n', encoding="utf-8")
    text = said(ran("-m", "scoref", "score", *files, "--protocol", tmp_path / "ours.toml"))
    assert "shouting:drop" in text
    code = (
        "import os, sys; os.chdir(sys.argv[1]); from scoref.cli import main; sys.exit(main(['score', *sys.argv[2:]]))"
    )
    (tmp_path / "scoref.toml").write_text('shouting = "drop"\n', encoding="utf-8")
    assert "shouting:drop" in said(ran("-c", code, tmp_path, *files))


def test_a_choice_is_explained(ran, files):
    explained = json.loads(said(ran("-m", "scoref", "explain", *files, "--json")))
    (effect,) = (each for each in explained["choices"] if each["choice"] == "shouting")
    assert effect["words"]["drop"]["conll"] != 0
    like = json.loads(said(ran("-m", "scoref", "explain", *files, "--json", "--like", "conll-2012|shouting:drop")))
    assert {"shouting": "drop"} in [each["choices"] for each in like["tools"]]


def test_what_a_choice_lacks_is_said_in_words(ran):
    code = "import sys; sys.path.insert(0, 'docs'); import keywords; print(keywords.written() == keywords.blocks())"
    assert said(ran("-c", code)).strip() == "False"  # then the test of keywords says what to run
    said(ran("docs/keywords.py", "--write"))
    assert said(ran("-c", code)).strip() == "True"
    code = "from scoref.protocol import keywords; print(keywords.Choices.__annotations__['shouting'])"
    assert "Literal" in said(ran("-c", code))


# -- a word of a choice ----------------------------------------------------------------------------------------------


def test_a_word_is_one_entry(ran, files):
    result = json.loads(said(ran("-m", "scoref", "score", *files, "--mentions", "short", "--json")))
    assert result["counts"]["mentions"] == {"recall": [3, 3], "precision": [3, 3]}
    assert "|mentions:short|" in result["signature"]
    (effect,) = (each for each in json.loads(said(ran("-m", "scoref", "explain", *files, "--json")))["choices"]
                 if each["choice"] == "mentions")  # fmt: skip
    assert effect["words"]["short"]["conll"] != 0
    assert 'mentions: Literal["all", "np", "short"]' in said(ran("docs/keywords.py"))


# -- a tool's convention ---------------------------------------------------------------------------------------------


def test_a_convention_is_one_line(ran):
    tales = [EXAMPLES / "tales" / name for name in ("key.conll", "rules.conll")]
    explained = json.loads(said(ran("-m", "scoref", "explain", *tales, "--json", "--like", "our scorer")))
    (row,) = (each for each in explained["tools"] if "Our scorer" in each["tools"])
    assert row["choices"] == {"singletons": "drop", "average": "macro"}
    own = scoref.score(*tales, singletons="drop", average="macro")
    assert row["scores"]["conll"]["f1"] == pytest.approx(own["conll"].f1)
    assert "Our scorer" in said(ran("-m", "scoref", "explain", *tales))
