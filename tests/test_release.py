"""What a release is made of: versions, metadata, links of the README, the action, the hook, the scripts."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import scoref
from places import EXAMPLES, ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
needs_bash = pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="needs a POSIX system with bash")


def test_versions_agree() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == scoref.__version__
    assert cited["license"] == PROJECT["license"]


def test_extras_are_those_that_are_documented() -> None:
    extras = PROJECT["optional-dependencies"]
    assert {"tables", "spark", "plots", "tokens", "torch", "docs", "all", "completion"} <= extras.keys()
    named = re.fullmatch(r"scoref\[(.*)\]", extras["all"][0])
    assert named
    assert {*named[1].split(",")} == extras.keys() - {"all", "docs", "test", "test-all"}


def test_every_release_says_what_changed_in_numbers() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [each.splitlines()[0].split()[0] for each in releases][-1] == "0.1.0"
    assert all("\n### Numbers\n" in each for each in releases)


# -- what the registry shows ------------------------------------------------------------------------------------------


def hook() -> Any:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("home", ["https://example.org/team/scoref", ""])
def test_the_readme_has_no_relative_links_on_the_registry(home: str) -> None:
    text = hook().readme((ROOT / "README.md").read_text(encoding="utf-8"), home, "1.2.3")
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    assert all(target.startswith(("https://", "#")) for target in targets)
    for target in targets:
        if home and target.startswith(home):
            found = re.fullmatch(rf"{home}/(blob|raw)/v1\.2\.3/([^#]+)(#.*)?", target)
            assert found
            assert (ROOT / found[2]).exists()


def test_the_home_is_where_the_package_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hook()
    for name in ("SCOREF_HOME", "GITHUB_REPOSITORY", "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    assert (made.home(), made.urls("", "1.0")) == ("", {})
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://example.org")
    monkeypatch.setenv("GITHUB_REPOSITORY", "team/scoref")
    assert made.home() == "https://example.org/team/scoref"
    monkeypatch.setenv("SCOREF_HOME", "https://example.com/x/y/")
    assert made.home() == "https://example.com/x/y"
    assert made.urls(made.home(), "1.0")["Changelog"] == "https://example.com/x/y/blob/v1.0/CHANGELOG.md"


# -- the action and the hook ------------------------------------------------------------------------------------------


def test_the_action_uses_what_it_declares() -> None:
    assert ACTION["runs"]["using"] == "composite"
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert {*re.findall(r"inputs\.([\w-]+)", text)} == ACTION["inputs"].keys()
    for step in ACTION["runs"]["steps"]:
        if "run" in step:
            script = ROOT / step["run"].strip('"').removeprefix("$GITHUB_ACTION_PATH/")
            assert os.access(script, os.X_OK)
            used = {*re.findall(r"\$\{?([A-Z]+)\b", script.read_text(encoding="utf-8"))}
            assert step["env"].keys() - {"GH_TOKEN"} <= used
    documented = (ROOT / "docs/automation.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in documented for name in (*ACTION["inputs"], *ACTION["outputs"]))


def run_script(name: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    python = folder / "bin/python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    env = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(folder),
           "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary")}  # fmt: skip
    return subprocess.run(
        ["bash", ROOT / ".github" / name],
        cwd=folder,
        env=env | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@needs_bash
def test_the_action_scores(tmp_path: Path) -> None:
    files = {"KEY": str(EXAMPLES / "key.conll"), "RESPONSE": str(EXAMPLES / "response.conll")}
    done = run_script("score.sh", tmp_path, **files, ARGUMENTS="--metrics muc conll", TITLE="Dev", MINIMUM="conll=50")
    assert (done.returncode, done.stderr) == (0, "")
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    table = Path(outputs["markdown"]).read_text()
    assert table.startswith("### Dev\n\n| metric | recall | precision | f1 |\n")
    assert (tmp_path / "summary").read_text() == table == done.stdout
    assert list(json.loads(Path(outputs["json"]).read_text())["scores"]) == ["muc", "conll"]
    done = run_script("score.sh", tmp_path, **files, MINIMUM="conll=60 muc=10")
    assert done.returncode == 1
    assert "the f1 of conll is 50.14, and has to be 60 at least" in done.stderr


@needs_bash
def test_the_action_comments_on_what_cannot_be_read(tmp_path: Path) -> None:
    done = run_script(
        "score.sh", tmp_path, KEY=str(EXAMPLES / "key.conll"), RESPONSE="nothing.conll", ARGUMENTS="$(id) *"
    )
    assert done.returncode == 2
    assert "$(id)" in done.stderr  # never run
    assert "error: " in (tmp_path / "scoref/scores.md").read_text()


@needs_bash
@pytest.mark.parametrize("earlier", ["", "17"])
def test_the_action_writes_one_comment(tmp_path: Path, earlier: str) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/gh"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\n'
        f'case "$*" in *--paginate*) [ -z "{earlier}" ] || echo {earlier};; esac\n'
    )
    program.chmod(0o755)
    (tmp_path / "table.md").write_text("### Dev\n")
    done = run_script(
        "comment.sh", tmp_path, GITHUB_REPOSITORY="team/data", NUMBER="5", TITLE="Dev", FILE=str(tmp_path / "table.md")
    )
    assert done.returncode == 0, done.stderr
    looked, wrote = (tmp_path / "calls").read_text().splitlines()
    assert "repos/team/data/issues/5/comments" in looked
    assert ("--method PATCH repos/team/data/issues/comments/17" in wrote) == bool(earlier)


def test_the_hook_runs_a_command_on_files_of_annotation() -> None:
    (made,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command = made["entry"].split()
    assert command[0] in PROJECT["scripts"]
    assert re.search(made["files"], "dev/a.conllu")
    assert not re.search(made["files"], "README.md")
    arguments = [sys.executable, "-m", *command, EXAMPLES / "key.conll", EXAMPLES / "key.conllua"]
    assert subprocess.run(arguments, capture_output=True, check=False).returncode == 0


def test_other_files_can_be_read() -> None:
    workflows = [*(ROOT / ".github").rglob("*.yml")]
    assert workflows
    for path in workflows:
        assert yaml.safe_load(path.read_text(encoding="utf-8"))
    copied = re.findall(
        r"^COPY (?!--from)(.*) \S+$", (ROOT / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert copied
    assert all((ROOT / name).exists() for line in copied for name in line.split())


@needs_bash
@pytest.mark.parametrize(
    "name", ["check", ".ci/run", ".ci/install", ".ci/release", ".github/score.sh", ".github/comment.sh"]
)
def test_scripts_are_well_formed(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    assert subprocess.run(["bash", "-n", ROOT / name], check=False).returncode == 0
    if name == ".ci/run":
        assert re.search(r"exec \./check$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
