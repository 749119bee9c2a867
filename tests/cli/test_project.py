"""Settings of a project: where they are found, what they change, what a call changes, what is wrong with them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from places import EXAMPLES
from scoref.cli import project
from scoref.cli.program import names, parser

Run = Callable[..., tuple[int, str, str]]

SETTINGS = """
key = "key.conll"
metrics = ["MUC", "lea"]
singletons = "drop"

[systems]
rules = "rules.conll"
model = "model.conll"

[compare]
pairs = "all"
"""


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(EXAMPLES / "tales", tmp_path / "tales")
    (tmp_path / "tales/sub").mkdir()
    monkeypatch.chdir(tmp_path / "tales")


def put(text: str, name: str = "scoref.toml") -> None:
    Path(name).write_text(text)


EXPLICIT = ("--metrics", "muc,lea", "--singletons", "drop", "--no-config", "--json")


def test_one_word_is_enough(run: Run) -> None:
    put(SETTINGS)
    code, _, err = run("score")
    assert (code, err.splitlines()[0]) == (2, "error: 2 systems, and scoref score takes one  [bad-usage]")
    put(SETTINGS.replace("[systems]", 'response = "rules.conll"\n\n[systems]'))
    assert run("score", "--json") == run("score", "key.conll", "rules.conll", *EXPLICIT)


@pytest.mark.parametrize("where", ["scoref.toml", "pyproject.toml"])
def test_settings_are_those_of_the_command_line(run: Run, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    text = SETTINGS
    if where == "pyproject.toml":
        text = '[project]\nname = "x"\n[tool.scoref]' + SETTINGS.replace("\n[", "\n[tool.scoref.")
    put(text, where)
    expected = run("score", "key.conll", "model.conll", *EXPLICIT)
    assert expected[0] == 0
    assert run("score", "model", "--json") == expected
    assert run("score", "model.conll", "--json") == expected
    assert run("score", "key.conll", "model.conll", "--json") == expected
    monkeypatch.chdir("sub")
    assert run("score", "model", "--json") == expected
    assert run("score", "../model.conll", "--json") == expected


def test_no_signature_tells_of_settings_that_change_nothing(run: Run) -> None:
    plain = run("score", "key.conll", "rules.conll", "--json")
    put('key = "key.conll"\nprotocol = "conll-2012"\nmatch = "exact"\njobs = 1\noutput = "json"\n')
    assert run("score", "rules.conll") == plain


def test_the_command_line_wins(run: Run) -> None:
    put('metrics = "muc"\nwith = ["singletons:drop"]\nci = true\nduplicates = "last"\noutput = "csv"\n')
    call = ("score", "key.conll", "rules.conll", "--metrics", "lea", "--with", "average:macro", "--duplicates", "first")
    assert run(*call, "--no-ci", "--json") == run(*call, "--no-config", "--json")
    result = json.loads(run("score", "key.conll", "rules.conll", "--json")[1])
    assert (list(result["scores"]), list(result["settings"])) == (["muc"], ["singletons:drop"])


def test_systems_have_their_names(run: Run) -> None:
    put(SETTINGS)
    result = json.loads(run("compare", "--json", "--trials", "50")[1])
    assert list(result["systems"]) == ["rules", "model"]
    assert list(json.loads(run("compare", "model", "rules", "--json", "--trials", "50")[1])["systems"]) == [
        "model", "rules",
    ]  # fmt: skip
    assert run("compare", "key.conll", "rules.conll", "model.conll", "--json", "--trials", "50")[0] == 0
    assert run("report", "-o", "page.html")[0] == 0
    code, out, _ = run("errors", "model")
    assert (code, out) == run("errors", "key.conll", "model.conll")[:2]
    put(SETTINGS.replace("[systems]", "[other]").split("[other]")[0])
    assert run("compare")[2].splitlines()[0] == "error: no response given  [bad-usage]"


def test_the_nearest_file_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    put('metrics = "muc"')
    put('metrics = "lea"', "sub/scoref.toml")
    put('[tool.other]\nname = "tool.scoref"', "pyproject.toml")
    monkeypatch.chdir("sub")
    assert list(json.loads(run("score", "../key.conll", "../rules.conll", "--json")[1])["scores"]) == ["lea"]
    Path("scoref.toml").unlink()
    put('[tool.other]\nname = "tool.scoref"', "pyproject.toml")
    assert list(json.loads(run("score", "../key.conll", "../rules.conll", "--json")[1])["scores"]) == ["muc"]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('\nmetrcs = "muc"', 2, "write metrics"),
        ('key = "k"\n\nmetrics = ["muc", "bcup"]', 3, "did you mean --metrics b3? it was bcup"),
        ('match = "exact"\nzeros = "none"', 2, "it takes linear"),
        ('ci = "yes"', 1, "true or false"),
        ('jobs = "two"', 1, "whole number"),
        ("key = x", 1, "no TOML"),
        ("[scores]\nci = true", 1, "write score"),
        ("[score]\n\ncii = true", 3, "no setting 'cii'"),
        ("[score]\nci = true\nlayout = 'paper'", 3, "scoref score has no setting 'layout'"),
        ("[systems]\na = 1", 1, "names and files"),
        ("[match]\nx = 1", 1, "match is no table"),
    ],
)
def test_what_is_wrong_has_its_place(run: Run, text: str, line: int, says: str) -> None:
    put(text)
    code, out, err = run("score", "key.conll", "rules.conll")
    assert (code, out) == (2, "")
    assert f"scoref.toml:{line}" in err
    assert says in err
    assert run("score", "key.conll", "rules.conll", "--no-config")[0] == 0


def test_settings_are_shown_with_their_places(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no settings" in run("config")[1]
    put(SETTINGS)
    monkeypatch.chdir("sub")
    shown = {each["setting"]: each for each in json.loads(run("config", "--json")[1])["settings"]}
    assert shown["singletons"] == {"setting": "singletons", "value": "drop", "from": "../scoref.toml:4"}
    assert {"key", "metrics", "systems.rules", "systems.model", "compare.pairs"} <= shown.keys()
    for command, pairs in (("compare", ("all", "../scoref.toml:11")), ("score", None)):
        shown = {each["setting"]: each for each in json.loads(run("config", command, "--json")[1])["settings"]}
        assert shown["key"]["value"] == "../key.conll"
        assert shown["metrics"]["value"] == ["muc", "lea"]
        assert shown["match"]["from"] == "default"
        assert (pairs and (shown["pairs"]["value"], shown["pairs"]["from"])) == pairs
    assert "../scoref.toml:3" in run("config")[1]


def test_every_option_can_be_set_unless_it_belongs_to_one_call() -> None:
    once = {
        "slices", "fields",
            "help", "debug", "no-config", "no-ci", "json", "force", "save", "out", "plot", "repaired", "list", "like",
        "number", "names", "to", "style", "side", "annotations", "separators", "texts", "kind",
        "model", "data", "data-id", "data-split",
        "form", "document", "dataset", "key", "since", "reports", "title", "properties", "search", "few", "shots",
        "chat", "with-key", "against", "factors", "curve", "image", "blind", "baseline", "wheels", "start", "end",
        "decisions",
    }  # fmt: skip
    known = {
        action.option_strings[-1].removeprefix("--")
        for name in names()
        for action in parser(name)._get_optional_actions()
    }
    assert known - once == {*project.settable()}
