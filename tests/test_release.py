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
needs_jq = pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")


def test_versions_agree() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == scoref.__version__
    assert cited["license"] == PROJECT["license"]


def test_extras_are_those_that_are_documented() -> None:
    extras = PROJECT["optional-dependencies"]
    assert {"tables", "spark", "plots", "tokens", "torch", "docs", "all", "completion"} <= extras.keys()
    named = re.fullmatch(r"scoref\[(.*)\]", extras["all"][0])
    assert named
    apart = {"inspect", "lm-eval", "lighteval", "recipes"}  # they exclude what others need
    assert {*named[1].split(",")} == extras.keys() - {"all", "docs", "test", "test-all"} - apart


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


def run_script(
    name: str, folder: Path, checkout: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    (folder / "bin").mkdir(exist_ok=True)
    python = folder / "bin/python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    env = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(folder),
           "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary")}  # fmt: skip
    return subprocess.run(
        ["bash", ROOT / ".github" / name],
        cwd=checkout or folder,
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
    heading, _, *lines = (tmp_path / "scoref/scores.md").read_text().splitlines()
    assert heading.startswith("### ")
    assert lines[0].startswith("    error: ")
    assert all(line.startswith("    ") for line in lines)  # code, whatever the file has in it


@needs_bash
def test_the_action_checks_as_a_task_would(tmp_path: Path) -> None:
    task = EXAMPLES / "task"
    files = {"KEY": str(task / "key"), "RESPONSE": str(task / "submissions/hasty")}
    for number, (check, first) in enumerate((("true", str(task)), ("false", "error: "))):
        (folder := tmp_path / str(number)).mkdir()
        done = run_script("score.sh", folder, **files, CHECK=check)
        assert done.returncode == 2
        assert done.stderr.startswith(first)
        table = (folder / "scoref/scores.md").read_text()
        assert "[unclosed-mention]" in table
        assert "[missing-document]" in table  # which `score` alone does not say
    few = tmp_path / "few"
    few.mkdir()
    (few / "news.conll").write_bytes((task / "submissions/hasty/news.conll").read_bytes())
    (few / "tales.conll").write_bytes((task / "submissions/model/tales.conll").read_bytes())
    codes = [run_script("score.sh", tmp_path, **{**files, "RESPONSE": str(few)}, CHECK=check).returncode
             for check in ("true", "false")]  # fmt: skip
    assert codes == [2, 0]


@needs_bash
def test_the_action_makes_boards(tmp_path: Path) -> None:
    task = EXAMPLES / "task"
    done = run_script("score.sh", tmp_path, KEY=str(task / "key"), SUBMISSIONS=str(task / "submissions"), TITLE="Board")
    assert (done.returncode, done.stderr) == (0, "")
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    record = json.loads(Path(outputs["json"]).read_text())
    assert [each["name"] for each in record["accepted"]] == ["model", "rules"]
    assert [each["name"] for each in record["rejected"]] == ["hasty"]
    table = Path(outputs["markdown"]).read_text()
    assert table.startswith("### Board\n\n")
    assert "| hasty | 2 |" in table
    assert "hasty" in Path(outputs["page"]).read_text()


def test_the_template_of_a_task_names_inputs_of_the_action() -> None:
    template = yaml.safe_load((EXAMPLES / "task/.github/workflows/board.yml").read_text(encoding="utf-8"))
    (step,) = [each for each in template["jobs"]["board"]["steps"] if "scoref@" in each["uses"]]
    assert step["with"].keys() <= ACTION["inputs"].keys()
    assert "steps.board.outputs.page" in str(template)
    assert "page" in ACTION["outputs"]


@needs_bash
def test_the_action_runs_nothing_of_the_checkout(tmp_path: Path) -> None:
    """Modules with the names of those that scoref, venv and pip import would be found first in the working folder."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    ran = tmp_path / "ran"
    for name in ("json", "re", "argparse", "numpy", "scoref", "venv", "pip", "sitecustomize", "usercustomize"):
        (checkout / f"{name}.py").write_text(f"open({str(ran)!r}, 'a').write({name!r}); raise SystemExit(0)\n")
    files = {"KEY": str(EXAMPLES / "key.conll"), "RESPONSE": str(EXAMPLES / "response.conll")}
    hostile = {"PYTHONPATH": str(checkout), "PYTHONSTARTUP": str(checkout / "json.py")}
    done = run_script("score.sh", tmp_path, checkout, **files, **hostile, MINIMUM="conll=99")
    assert not ran.exists()
    assert done.returncode == 1
    assert "the f1 of conll is 50.14, and has to be 99 at least" in done.stderr
    broken = run_script("score.sh", tmp_path, checkout, **files, **hostile, INSTALL="./no-such-package")
    assert broken.returncode != 0  # installed from a folder that is not the checkout
    assert not ran.exists()


@needs_bash
def test_the_action_takes_arguments_on_several_lines(tmp_path: Path) -> None:
    files = {"KEY": str(EXAMPLES / "key.conll"), "RESPONSE": str(EXAMPLES / "response.conll")}
    done = run_script("score.sh", tmp_path, **files, ARGUMENTS="--metrics\n  muc\n\n--match head\n")
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads((tmp_path / "scoref/scores.json").read_text())
    assert (list(made["scores"]), made["protocol"]["match"]) == (["muc"], "head")


@needs_bash
@pytest.mark.parametrize("least", ["nan", "inf", "-1", "101", "", "60%", "1e1", "sixty"])
def test_the_action_knows_what_no_minimum_is(tmp_path: Path, least: str) -> None:
    files = {"KEY": str(EXAMPLES / "key.conll"), "RESPONSE": str(EXAMPLES / "response.conll")}
    done = run_script("score.sh", tmp_path, **files, MINIMUM=f"conll={least}")
    assert done.returncode == 1
    assert done.stderr == f"error: the minimum conll={least} is no METRIC=PERCENT, like conll=60\n"


def comment(folder: Path, title: str, comments: list[dict[str, Any]], refusal: str = "") -> tuple[int, str, list[str]]:
    """What the script of the action says and asks, of a GitHub with these comments: its code, output and calls."""
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "comments.json").write_text(json.dumps(comments))
    (folder / "refusal").write_text(refusal)
    (folder / "table.md").write_text("### Dev\n")
    (folder / "calls").unlink(missing_ok=True)
    program = folder / "bin/gh"
    program.write_text(
        f"""#!/bin/bash
printf '%s\\n' "$*" >> "{folder}/calls"
case "$*" in
  *--paginate*) jq -r "${{@: -1}}" "{folder}/comments.json" ;;
  *) [ ! -s "{folder}/refusal" ] || {{ cat "{folder}/refusal" >&2; exit 1; }} ;;
esac
"""
    )
    program.chmod(0o755)
    done = run_script(
        "comment.sh", folder, GITHUB_REPOSITORY="team/data", NUMBER="5", TITLE=title, FILE=str(folder / "table.md")
    )
    return done.returncode, done.stdout + done.stderr, (folder / "calls").read_text().splitlines()


@needs_bash
@needs_jq
@pytest.mark.parametrize(
    "title", ["Dev", r"a\b", 'say "hello"', r"\"", 'x")) | .id, (.[] | select(true', "$HOME `id` %s", "ä — 3³"]
)
def test_the_action_writes_one_comment(tmp_path: Path, title: str) -> None:
    others = [{"id": 3, "body": "### Dev"}, {"id": 4, "body": "<!-- scoref: another -->\n"}]
    code, said, (looked, wrote) = comment(tmp_path, title, others)
    assert (code, said) == (0, "")
    assert "repos/team/data/issues/5/comments" in looked
    assert "--method POST repos/team/data/issues/5/comments" in wrote
    mine = {"id": 17, "body": f"<!-- scoref: {title} -->\n### Dev"}
    code, said, (looked, wrote) = comment(tmp_path, title, [*others, mine, mine | {"id": 18}])
    assert (code, said) == (0, "")
    assert "--method PATCH repos/team/data/issues/comments/17" in wrote


@needs_bash
@needs_jq
def test_the_action_does_not_fail_where_it_may_not_comment(tmp_path: Path) -> None:
    """A pull request from a fork has a token that only reads; anything else that goes wrong is a failure."""
    code, said, calls = comment(tmp_path, "Dev", [], "gh: Resource not accessible by integration (HTTP 403)")
    assert (code, len(calls)) == (0, 2)
    assert "::warning::The table is in the summary alone" in said
    code, said, _ = comment(tmp_path, "Dev", [], "gh: Server Error (HTTP 500)")
    assert code == 1
    assert "HTTP 500" in said


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
