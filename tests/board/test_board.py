"""Boards: numbers against `score` and `compare`, hostile submissions, what is refused; `validate --key` agrees."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import scoref
from places import EXAMPLES
from scoref.board import judging, limits
from scoref.board.repeating import reading
from scoref.board.run import board
from scoref.run.request import Request
from scoref.run.score import scored

Run = Callable[..., tuple[int, str, str]]
TALES = EXAMPLES / "tales"
MODEL = (TALES / "model.conll").read_text(encoding="utf-8")
RULES = (TALES / "rules.conll").read_text(encoding="utf-8")

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of processes are tested on Linux only")


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a key and two good submissions, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("subs").mkdir()
    Path("key.conll").write_bytes((TALES / "key.conll").read_bytes())
    Path("subs/model.conll").write_text(MODEL, encoding="utf-8")
    Path("subs/rules.conll").write_text(RULES, encoding="utf-8")
    return tmp_path


def made(run: Run, *more: object) -> dict[str, Any]:
    """The JSON of a board of the task."""
    code, _, err = run("board", "key.conll", "subs", "-o", "board.html", "--json", "board.json", *more)
    assert code == 0, err
    record: dict[str, Any] = json.loads(Path("board.json").read_text(encoding="utf-8"))
    return record


def reasons(record: dict[str, Any]) -> dict[str, list[str]]:
    """The codes of the reasons by submission."""
    return {each["name"]: [reason["code"] for reason in each["reasons"]] for each in record["rejected"]}


def packed(path: str, files: dict[str | zipfile.ZipInfo, str]) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as into:
        for name, text in files.items():
            into.writestr(name, text)


# -- numbers ---------------------------------------------------------------------------------------------------------


def test_scores_are_those_of_score(task: Path, run: Run) -> None:
    packed("subs/zipped.zip", {"out/answer.conll": RULES})
    record = made(run)
    assert [each["name"] for each in record["accepted"]] == ["model", "rules", "zipped"]
    assert [each["rank"] for each in record["accepted"]] == [1, 2, 2]
    for each, path in zip(record["accepted"], ("model", "rules", "rules"), strict=True):
        code, out, _ = run("score", "key.conll", f"subs/{path}.conll", "--json")
        whole = json.loads(out)
        assert code == 0
        assert each["scores"] == whole["scores"]
        assert each["score"] == whole["scores"]["conll"]["f1"]
        assert record["signature"] == whole["signature"]


def repeated(command: str, run: Run) -> dict[str, Any]:
    """The scores that the command of a row gives."""
    for line in command.split(" && "):
        words = shlex.split(line)
        if words[0] == "python":
            subprocess.run([sys.executable, *words[1:]], check=True)
    assert words[0] == "scoref"
    code, out, err = run(*words[1:], "--json")
    assert code == 0, err
    scores: dict[str, Any] = json.loads(out)["scores"]
    return scores


def test_the_command_of_a_row_repeats_it(task: Path, run: Run) -> None:
    packed("subs/plain.zip", {"answer.conll": RULES})
    packed("subs/team/wrapped.zip", {"my files/out/answer.conll": RULES, "__MACOSX/._x": ""})
    packed("subs/several.zip", {"x/key.conll": RULES, "x/README": "by us"})
    for name in ("folder/key.conll", "runs/first/answer.conll"):
        Path("subs", name).parent.mkdir(parents=True)
        Path("subs", name).write_text(MODEL, encoding="utf-8")
    rows = made(run)["accepted"]
    assert [each["name"] for each in rows] == [
        "folder", "model", "runs/first", "plain", "rules", "several", "team/wrapped"
    ]  # fmt: skip
    for each in rows:
        assert repeated(each["repeat"], run) == each["scores"]


def test_the_command_of_a_row_reads_files_as_the_board_did(task: Path, run: Run) -> None:
    shutil.copytree(EXAMPLES / "nuggets/key", "gold")
    shutil.copytree(EXAMPLES / "nuggets/response", "own/ours")
    asked = ("gold", "own", "-o", "b.html", "--json", "b.json", "--format", "brat", "--average", "datasets")
    assert run("board", *asked)[0] == 0
    (row,) = json.loads(Path("b.json").read_text(encoding="utf-8"))["accepted"]
    assert "--format brat" in row["repeat"]
    assert repeated(row["repeat"], run) == row["scores"]


def test_options_of_reading_are_told_as_they_are_written() -> None:
    given: dict[str, Any] = {"key_format": "table", "columns": "mention=id,year", "ends": "exclusive", "drift": "align",
                             "response_glob": "*.csv", "max_size": 1000, "sentences": "some.txt"}  # fmt: skip
    words = [*reading(Request.of("key", None, given))]  # type: ignore[arg-type]
    assert [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)] == [
        "--key-format table", "--ends exclusive", "--columns mention=id,year=year", "--response-glob *.csv",
        "--drift align", "--sentences some.txt", "--max-size 1000",
    ]  # fmt: skip


def datasets(folder: Path, number: int, name: str = "model") -> None:
    """A folder with as many datasets, which differ in the number of their documents."""
    parts = (TALES / f"{name}.conll").read_text(encoding="utf-8").split("#begin document")[1:]
    folder.mkdir(parents=True)
    for each in range(number):
        chosen = parts[: 1 + each % len(parts)]
        (folder / f"d{each}.conll").write_text("".join(f"#begin document{part}" for part in chosen), encoding="utf-8")


def test_datasets_have_their_columns(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    datasets(Path("key"), 8, "key")
    datasets(Path("subs/one"), 8, "model")
    datasets(Path("subs/team/first"), 8, "rules")
    datasets(Path("subs/team/second"), 8, "model")
    os.remove("subs/team/second/d3.conll")
    code, _, err = run("board", "key", "subs", "-o", "b.html", "--json", "b.json", "--average", "datasets")
    assert code == 0, err
    record = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert reasons(record) == {"team/second": ["missing-document"] * 4}
    for each, path in zip(record["accepted"], ("subs/one", "subs/team/first"), strict=True):
        evaluation = scoref.score("key", path, average="datasets")
        assert each["score"] == evaluation["conll"].f1
        by = evaluation.by_dataset()
        assert {name: scores["conll"]["f1"] for name, scores in each["datasets"].items()} == {
            name: by[name]["conll"].f1 for name in by
        }
    compared = scoref.compare("key", {"one": "subs/one", "team/first": "subs/team/first"}, pairs="all",
                              average="datasets", metrics=["conll"])  # fmt: skip
    assert isinstance(compared, scoref.Comparison)
    for each in record["accepted"]:
        intervals = compared.systems[each["name"]].intervals
        assert intervals
        assert each["scores"]["conll"]["ci"]["f1"] == list(intervals.scores["conll"][2])
        assert each["letters"] == compared.letters()["conll"][each["name"]]
    assert [(each["team"], each["run"]) for each in record["accepted"]] == [("one", ""), ("team", "first")]
    check_tables(record, run)


def check_tables(record: dict[str, Any], run: Run) -> None:
    """Tables of datasets have short names, the best number in bold, and in CSV all of their numbers."""
    asked = ("board", "key", "subs", "-o", "b.html", "--average", "datasets", "--output")
    assert "submission     d0     d1" in run(*asked, "text")[1]
    rows = [*csv.DictReader(io.StringIO(run(*asked, "csv")[1]))]
    for each in record["accepted"]:
        own = {(row["dataset"], row["metric"]): row["f1"] for row in rows if row["submission"] == each["name"]}
        expected = {("", metric): str(score["f1"]) for metric, score in each["scores"].items()}
        for name, scores in each["datasets"].items():
            expected |= {(name, metric): str(score["f1"]) for metric, score in scores.items()}
        assert own == expected
    page = Path("b.html").read_text(encoding="utf-8")
    best = page.partition('id="by dataset"')[2].partition("</table>")[0].count('class="number main"')
    assert best == sum(
        each["datasets"][name]["conll"]["f1"]
        == max(other["datasets"][name]["conll"]["f1"] for other in record["accepted"])
        for each in record["accepted"] for name in record["datasets"]
    )  # fmt: skip
    assert "the mean over 8 datasets" in page


def test_the_best_run_of_a_team_is_marked_whatever_the_order(task: Path, run: Run) -> None:
    Path("subs/team").mkdir()
    Path("subs/team/worse.conll").write_text(RULES, encoding="utf-8")
    Path("subs/team/better.conll").write_text(MODEL, encoding="utf-8")
    made(run)
    page = Path("board.html").read_text(encoding="utf-8")
    assert re.findall(r'<tr data-name="([^"]*)" data-further>', page) == ["team/worse"]


def test_the_first_reasons_are_of_different_kinds(task: Path, run: Run) -> None:
    """Eight brackets that are never opened come before three documents that are missing: both kinds are shown."""
    text = MODEL.split("#end document\n")[0] + "#end document\n"
    Path("subs/bad.conll").write_text(re.sub(r"\t-\n", "\t99)\n", text, count=8), encoding="utf-8")
    (rejected,) = made(run)["rejected"]
    codes = [each["code"] for each in rejected["reasons"]]
    kinds = {*codes}
    assert len(kinds) == 2
    assert {*codes[:5]} != kinds
    page = Path("board.html").read_text(encoding="utf-8")
    assert all(f"<code>{code}</code>" in page for code in kinds)
    out = run("board", "key.conll", "subs", "-o", "board.html", "--output", "csv")[1]
    assert all(next(each["message"] for each in rejected["reasons"] if each["code"] == code) in out for code in kinds)


def test_files_that_are_single_documents_are_no_datasets(run: Run, tmp_path: Path) -> None:
    (tmp_path / "subs").mkdir()
    shutil.copytree(EXAMPLES / "nuggets/response", tmp_path / "subs/ours")
    out = tmp_path / "b.json"
    asked = ("board", EXAMPLES / "nuggets/key", tmp_path / "subs", "-o", tmp_path / "b.html", "--json", out)
    found = []
    for more in ((), ("--average", "datasets")):
        code, _, err = run(*asked, "--format", "brat", *more)
        assert code == 0, err
        found.append(json.loads(out.read_text(encoding="utf-8"))["datasets"])
    assert found == [[], ["fair.ann", "match.ann"]]


def test_missing_documents_may_be_empty_and_are_shown(task: Path, run: Run) -> None:
    Path("subs/model.conll").write_text(MODEL.split("#end document\n")[0] + "#end document\n", encoding="utf-8")
    assert reasons(made(run)) == {"model": ["missing-document"] * 3}
    record = made(run, "--missing", "empty")
    (row,) = [each for each in record["accepted"] if each["name"] == "model"]
    assert row["missing_documents"] == 3
    assert row["notes"] == ["3 of 4 documents are missing, and count as empty"]
    assert row["score"] == scoref.score("key.conll", "subs/model.conll")["conll"].f1
    code, out, _ = run("board", "key.conll", "subs", "-o", "board.html", "--missing", "empty")
    assert "model*" in out
    assert "model</bdi></th>" not in Path("board.html").read_text(encoding="utf-8")
    assert code == 0


def test_saved_evaluations_are_ranked_and_marked(task: Path, run: Run) -> None:
    assert run("score", "key.conll", "subs/rules.conll", "--save", "subs/saved.json")[0] == 0
    assert run("score", "key.conll", "subs/rules.conll", "--save", "subs/other.json", "--singletons", "drop")[0] == 0
    record = made(run)
    rows = {each["name"]: each for each in record["accepted"]}
    assert rows["saved"]["score"] == rows["rules"]["score"]
    assert rows["saved"]["sums_only"]
    assert rows["saved"]["notes"]
    assert "different-protocols" in reasons(record)["other"][0]


# -- outputs ---------------------------------------------------------------------------------------------------------


def test_every_output_has_every_submission(task: Path, run: Run) -> None:
    Path("subs/cut.conll").write_text(MODEL[:2000], encoding="utf-8")
    for output in ("text", "markdown", "latex", "csv", "json"):
        code, out, _ = run("board", "key.conll", "subs", "-o", "board.html", "--output", output)
        assert code == 0
        assert all(name in out for name in ("model", "rules", "cut"))
        assert "91.09" in out or "0.91" in out
        if output == "csv":
            rows = [*csv.DictReader(io.StringIO(out))]
            assert {row["submission"]: row["state"] for row in rows}["cut"] == "rejected"


def test_reports_stand_behind_rows(task: Path, run: Run) -> None:
    Path("subs/<img onerror=x>.conll").write_text(MODEL[:2000], encoding="utf-8")
    record = made(run, "--reports", "reports")
    page = Path("board.html").read_text(encoding="utf-8")
    for each in (*record["accepted"], *record["rejected"]):
        assert Path(each["report"]).exists()
    assert "<img" not in page
    assert 'href="reports/model.html"' in page
    assert "missing-end" in Path(record["rejected"][0]["report"]).read_text(encoding="utf-8")


def test_the_page_has_no_empty_columns_and_no_marks_without_a_note(task: Path, run: Run) -> None:
    Path("subs/words.conll").write_text(MODEL.replace("the", "le"), encoding="utf-8")
    record = made(run)
    assert not any("ci" in each["scores"]["conll"] for each in record["accepted"])  # there are only four documents
    page = Path("board.html").read_text(encoding="utf-8")
    assert "95 % interval</bdi>" not in page
    assert "<sup>*</sup>" not in page
    assert {each.get("remedy") for each in record["rejected"][0]["reasons"]} == {"annotate the words of the key"}


# -- hostile submissions ---------------------------------------------------------------------------------------------


@linux
def test_endless_killed_and_hungry_submissions_cost_their_limit_alone(
    task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("endless", "killed", "hungry", "deep", "defect"):
        Path(f"subs/{name}.conll").write_text(MODEL, encoding="utf-8")

    def hostile(request: Any) -> Any:
        name = os.path.basename(str(request.response))
        if name == "endless.conll":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                time.sleep(1)
        if name == "killed.conll":
            os.kill(os.getpid(), signal.SIGKILL)
        if name == "hungry.conll":
            return [bytearray(1 << 28) for _ in range(1000)]
        if name == "deep.conll":
            raise RecursionError
        if name == "defect.conll":
            raise ZeroDivisionError("x")
        return scored(request)

    monkeypatch.setattr(judging, "scored", hostile)
    monkeypatch.setattr(limits, "start_method", lambda: "fork")
    began = time.monotonic()
    found = board("key.conll", "subs", limits=limits.Limits(10, 1_000_000_000, 2))
    assert time.monotonic() - began < 60
    codes = {each.submission.name: [reason.code for reason in each.reasons] for each in found.rejected}
    assert codes == {"endless": ["out-of-time"], "killed": ["lost-process"], "hungry": ["out-of-memory"],
                     "deep": ["too-deep"], "defect": ["defect"]}  # fmt: skip
    assert [row.name for row in found.rows] == ["model", "rules"]
    assert found.rows[0].score == scoref.score("key.conll", "subs/model.conll")["conll"].f1


@linux
def test_a_file_that_takes_too_much_memory_is_rejected(task: Path, run: Run) -> None:
    Path("subs/large.conll").write_text(MODEL + "x" * 80_000_000, encoding="utf-8")
    record = made(run, "--memory-limit", "60MB")
    assert reasons(record) == {"large": ["out-of-memory"]}
    assert [each["name"] for each in record["accepted"]] == ["model", "rules"]


def test_what_a_submission_says_is_bounded(task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of repeated mentions, endless texts and large reports do not grow in the process of the board."""
    repeated_mentions = "|".join(f"({number})" for number in range(1000, 2500))
    Path("subs/model.conll").write_text(MODEL.replace("\t-\n", f"\t{repeated_mentions}\n", 1), encoding="utf-8")
    Path("subs/rules.conll").write_text(MODEL.replace("tales/bakery", "x" * 100_000, 1), encoding="utf-8")
    monkeypatch.setattr(judging, "LARGEST_REPORT", 1000)
    found = board("key.conll", "subs", reports=True)
    (row,), (rejected,) = found.rows, found.rejected
    assert len(row.evaluation.problems) == judging.MOST_REASONS
    assert [note.split(":")[0] for note in row.verdict.notes] == [
        "1499 × duplicate-mention", "1 × order-counts", "its report has more than 1,000 bytes, and was left out"
    ]  # fmt: skip
    assert row.verdict.report == ""
    assert {each.code for each in rejected.reasons} == {"extra-document", "missing-document"}
    assert max(len(text) for each in rejected.reasons for text in map(str, each.to_dict().values())) < 10_000


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("model.conll")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


ZIPS: dict[str, tuple[dict[Any, str], str]] = {
    "slip": ({"../../evil.conll": MODEL}, "path-outside"),
    "absolute": ({"/tmp/evil.conll": MODEL}, "path-outside"),
    "backslash": ({"..\\evil.conll": MODEL}, "path-outside"),
    "drive": ({"C:/evil.conll": MODEL}, "path-outside"),
    "link": ({link(): "/etc/passwd"}, "link"),
    "bomb": ({"model.conll": "\n" * 300_000_000}, "too-large"),
    "many": ({f"{n}.conll": "" for n in range(10_001)}, "too-many-files"),
    "nothing": ({}, "empty-folder"),
}


@pytest.mark.parametrize("name", ZIPS)
def test_zip_files_that_could_do_harm_are_rejected(name: str, task: Path, run: Run) -> None:
    files, code = ZIPS[name]
    packed("subs/hostile.zip", files)
    record = made(run, "--memory-limit", "200MB")
    assert reasons(record) == {"hostile": [code]}
    assert len(record["accepted"]) == 2
    assert not [*task.rglob("evil*")]
    assert not [*task.parent.glob("evil*")]
    assert run("validate", "subs/hostile.zip", "--key", "key.conll", "--memory-limit", "200MB")[0] == 1


def test_a_zip_with_a_password_is_rejected(task: Path, run: Run) -> None:
    packed("subs/locked.zip", {"model.conll": MODEL})
    data = bytearray(Path("subs/locked.zip").read_bytes())
    for start, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # the flags of a file, in both of its headers
        data[data.index(start) + place] |= 1
    Path("subs/locked.zip").write_bytes(data)
    assert reasons(made(run)) == {"locked": ["encrypted"]}
    assert run("validate", "subs/locked.zip", "--key", "key.conll")[0] == 1


def test_a_zip_that_lies_about_its_size_is_rejected(task: Path, run: Run) -> None:
    packed("subs/liar.zip", {"model.conll": MODEL * 50})
    data = Path("subs/liar.zip").read_bytes()
    size = len((MODEL * 50).encode())
    assert data.count(size.to_bytes(4, "little")) == 2
    Path("subs/liar.zip").write_bytes(data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little")))
    assert reasons(made(run))["liar"][0] in ("broken-zip", "too-large")


@linux
def test_names_that_no_file_should_have_cost_nothing(task: Path, run: Run) -> None:
    for name in ("=cmd|' !A0", "a\nb\x1b[31m", "$\\input{x}$ & % _", "<img src=x>"):
        Path(f"subs/{name}.conll").write_text(MODEL, encoding="utf-8")
    Path("subs/model.html").mkdir()  # its runs' reports would be in a folder called like that of model
    Path("subs/model.html/first.conll").write_text(MODEL, encoding="utf-8")
    os.mkdir(b"subs/\xff\xfe")
    Path(os.fsdecode(b"subs/\xff\xfe/run.conll")).write_text(MODEL, encoding="utf-8")
    place = os.open("subs", os.O_RDONLY)
    for _ in range(1200):  # folders in folders, deeper than Python calls functions
        os.mkdir("d", dir_fd=place)
        above, place = place, os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(above)
    os.close(place)
    Path("subs/nothing").mkdir()
    os.symlink("/", "subs/root")
    try:
        record = made(run, "--reports", "reports")
    finally:
        subprocess.run(["rm", "-r", "subs/d"], check=True)  # what cleans up after tests calls itself for each folder
    assert reasons(record) == {"d": ["too-deep"], "nothing": ["empty-folder"], "root": ["link"]}
    accepted = {each["name"]: each for each in record["accepted"]}
    assert accepted.keys() == {"model", "rules", "model.html/first", "=cmd|' !A0", "a\\nb\\x1b[31m", "<img src=x>",
                               "$\\input{x}$ & % _", "\\udcff\\udcfe/run"}  # fmt: skip
    assert len({Path(each["report"]).resolve(strict=True) for each in accepted.values()}) == len(accepted)
    for output in ("text", "markdown", "latex", "csv"):
        code, out, err = run("board", "key.conll", "subs", "-o", "board.html", "--output", output)
        assert code == 0, err
        assert "\x1b" not in out
        assert "\\input{x}" not in out or output != "latex"


def test_zip_files_within_zip_files_have_one_limit_and_leave_nothing(
    task: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = task / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    packed("inner.zip", {"answer.conll": MODEL})
    packed("bomb.zip", {"answer.conll": "\n" * 50_000_000})
    Path("own").mkdir()
    for name, inside in (("good", ["inner.zip"]), ("bomb", ["bomb.zip"] * 5)):
        with zipfile.ZipFile(f"own/{name}.zip", "w") as into:
            for number, path in enumerate(inside):
                into.write(path, f"{number}.zip")
    with zipfile.ZipFile("own/twice.zip", "w") as into:
        into.write("own/bomb.zip", "bomb.zip")
    code, _, err = run("board", "key.conll", "own", "-o", "b.html", "--json", "b.json", "--max-size", "100MB")
    assert code == 0, err
    record = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert [each["name"] for each in record["accepted"]] == ["good"]
    assert reasons(record)["twice"] == ["too-large"]
    assert not [*temporary.iterdir()]
    assert all(each["reasons"][0]["path"].startswith("own/") for each in record["rejected"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_links_and_pipes_in_folders_are_rejected(task: Path, run: Run) -> None:
    for name in ("linked", "piped"):
        Path("subs", name).mkdir()
    os.symlink(task / "key.conll", "subs/linked/key.conll")
    os.symlink(task / "key.conll", "subs/direct.conll")
    os.mkfifo("subs/piped/key.conll")
    assert reasons(made(run)) == {"direct": ["link"], "linked": ["link"], "piped": ["link"]}


# -- what is refused as a whole --------------------------------------------------------------------------------------


def refused(run: Run, code: str, *more: object) -> None:
    before = sorted(map(str, Path().rglob("*")))
    status, out, err = run("board", "key.conll", "subs", "-o", "new/board.html", "--json", "new/b.json", *more)
    assert (status, out) == (2, "")
    assert f"[{code}]" in err
    assert sorted(map(str, Path().rglob("*"))) == before


def test_names_that_mislead_are_refused(task: Path, run: Run) -> None:
    Path("subs/Key.conll").write_text(MODEL, encoding="utf-8")
    refused(run, "key-name")
    assert run("validate", "subs/Key.conll", "--key", "key.conll")[0] == 1
    os.makedirs("subs/key/first")
    os.rename("subs/Key.conll", "subs/key/first/x.conll")
    refused(run, "key-name")
    os.rename("subs/key/first/x.conll", "subs/model.jsonl")
    shutil.rmtree("subs/key")
    refused(run, "repeated-submission")
    os.remove("subs/model.jsonl")
    Path("subs/gold").mkdir()
    os.rename("key.conll", "subs/gold/k.conll")
    assert run("board", "subs/gold/k.conll", "subs", "-o", "b.html")[0] == 2


def test_a_folder_without_submissions_is_refused(task: Path, run: Run) -> None:
    for each in Path("subs").iterdir():
        each.unlink()
    refused(run, "no-submissions")
    Path("subs").rmdir()
    refused(run, "no-submissions")


@pytest.mark.parametrize("more", [("-o", "subs/b.html"), ("--json", "subs/team/b.json"), ("--reports", "subs"),
                                  ("--reports", "gold/reports")])  # fmt: skip
def test_nothing_is_written_where_it_would_be_read(more: tuple[str, str], task: Path, run: Run) -> None:
    Path("gold").mkdir()
    shutil.move("key.conll", "gold/key.conll")
    before = sorted(map(str, Path().rglob("*")))
    code, out, err = run("board", "gold", "subs", *(() if "-o" in more else ("-o", "b.html")), *more)
    assert (code, out) == (2, "")
    assert "[output-is-input]" in err
    assert sorted(map(str, Path().rglob("*"))) == before


def test_history_is_of_one_key_and_one_signature(task: Path, run: Run) -> None:
    first = made(run)
    Path("first.json").write_text(json.dumps(first), encoding="utf-8")
    os.rename("subs/rules.conll", "subs/rules-2.conll")
    Path("subs/model.conll").write_text(RULES, encoding="utf-8")
    record = made(run, "--since", "first.json")
    (row,) = [each for each in record["accepted"] if each["name"] == "model"]
    assert row["before"] == {"rank": 1, "score": first["accepted"][0]["score"]}
    assert record["withdrawn"] == ["rules"]
    assert [len(each["accepted"]) for each in record["history"]] == [2]
    refused(run, "other-signature", "--since", "first.json", "--singletons", "drop")
    Path("key.conll").write_bytes(Path("key.conll").read_bytes().replace(b"(3)", b"-", 1))
    refused(run, "changed-key", "--since", "first.json")
    for broken in ("{}", "[]", "no JSON", '{"scoref-board": 1}'):
        Path("broken.json").write_text(broken, encoding="utf-8")
        refused(run, "bad-board", "--since", "broken.json")


# -- validate --key --------------------------------------------------------------------------------------------------


def test_validate_accepts_exactly_what_the_board_accepts(task: Path, run: Run) -> None:
    lines = MODEL.splitlines(keepends=True)
    files = {
        "cut": MODEL[:2000], "empty": "", "words": MODEL.replace("the", "le"), "binary": "\0\1\2",
        "fewer": MODEL.split("#end document\n")[0] + "#end document\n", "other": '{"clusters": []}',
        "brackets": MODEL.replace("(1", "((1", 1), "longer": MODEL + MODEL.replace("tales/", "more/"),
        "swapped": "".join([*lines[:5], lines[6], lines[5], *lines[7:]]), "fine": MODEL,
    }  # fmt: skip
    for name, text in files.items():
        Path(f"subs/{name}.conll").write_text(text, encoding="utf-8")
    packed("subs/good.zip", {"a/b/model.conll": MODEL, "__MACOSX/x": "", "a/.hidden": ""})
    packed("subs/bad.zip", {"model.conll": MODEL[:3000]})
    record = made(run)
    accepted = {each["path"] for each in record["accepted"]}
    assert {"subs/fine.conll", "subs/good.zip", "subs/model.conll"} <= accepted
    assert len(record["rejected"]) >= 8
    for each in (*record["accepted"], *record["rejected"]):
        code, out, _ = run("validate", each["path"], "--key", "key.conll", "--json")
        assert code == int(each["path"] not in accepted), each
        assert json.loads(out)["problems"] == each.get("reasons", [])


def test_validate_takes_a_folder_as_the_board_does(task: Path, run: Run) -> None:
    """A folder of a team has runs, each a submission of its own; a folder with a file of the key is one."""
    for name in ("team/one.conll", "team/two.conll", "mixed/good.conll", "whole/key.conll", "whole/notes"):
        Path("subs", name).parent.mkdir(exist_ok=True)
        Path("subs", name).write_text(MODEL, encoding="utf-8")
    Path("subs/mixed/bad.conll").write_text(MODEL[:2000], encoding="utf-8")
    packed("subs/zips/a.zip", {"x.conll": MODEL})
    packed("subs/zips/b.zip", {"x.conll": RULES})
    Path("subs/nothing").mkdir()
    record = made(run)
    assert reasons(record).keys() == {"mixed/bad", "nothing"}
    for team, wanted in (("team", 0), ("mixed", 1), ("whole", 0), ("zips", 0), ("nothing", 1)):
        code, out, _ = run("validate", f"subs/{team}", "--key", "key.conll", "--json")
        assert code == wanted, team
        of_team = [each for each in (*record["accepted"], *record["rejected"]) if each["team"] == team]
        assert {each["path"]: each["accepted"] for each in json.loads(out)["submissions"]} == {
            each["path"]: "rank" in each for each in of_team
        }


def test_folders_of_the_key_are_not_taken_for_wrapping(task: Path, run: Run) -> None:
    """A key with its files in one folder: a zip file with the same folder, and one with a folder around it."""
    Path("gold/en").mkdir(parents=True)
    shutil.copy("key.conll", "gold/en/dev.conll")
    packed("own/same.zip", {"en/dev.conll": MODEL})
    packed("own/around.zip", {"ours/en/dev.conll": MODEL})
    code, _, err = run("board", "gold", "own", "-o", "b.html", "--json", "b.json")
    assert code == 0, err
    record = json.loads(Path("b.json").read_text(encoding="utf-8"))
    assert (reasons(record), len(record["accepted"])) == ({}, 2)
    for each in record["accepted"]:
        assert repeated(each["repeat"], run) == each["scores"]


def test_files_with_other_names_than_the_key_are_told_so(task: Path, run: Run) -> None:
    """A folder with files of other names is a team with runs: each lacks documents, and is told what may be meant."""
    for folder, ending in ((EXAMPLES / "task/key", ""), (EXAMPLES / "task/submissions/model", "-dev")):
        for path in folder.iterdir():
            place = Path("gold" if not ending else "own/team", f"{path.stem}{ending}.conll")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    assert run("board", "gold", "own", "-o", "b.html", "--json", "b.json")[0] == 0
    rejected = json.loads(Path("b.json").read_text(encoding="utf-8"))["rejected"]
    assert [each["name"] for each in rejected] == ["team/news-dev", "team/tales-dev"]
    remedies = {reason["remedy"] for each in rejected for reason in each["reasons"]}
    assert [each.rpartition("; ")[2] for each in remedies if each.startswith("add it")] == [
        "if the files in this folder are one submission, call them as the key's are, like news.conll"
    ]


def test_a_key_may_be_packed(task: Path, run: Run) -> None:
    packed("gold.zip", {"key.conll": Path("key.conll").read_text(encoding="utf-8")})
    Path("subs/folder").mkdir()
    Path("subs/folder/key.conll").write_text(MODEL, encoding="utf-8")
    assert run("board", "gold.zip", "subs", "-o", "b.html", "--json", "b.json")[0] == 0
    scores = {each["name"]: each["score"] for each in json.loads(Path("b.json").read_text())["accepted"]}
    assert scores == {each["name"]: each["score"] for each in made(run)["accepted"]}
    assert run("validate", "subs/folder", "--key", "gold.zip")[0] == 0


WORDS = ("-", "(7", "7)", "(7)", "x", "_")
Change = Callable[[Random, list[str]], list[str]]
CHANGES: dict[str, Change] = {
    "nothing": lambda random, lines: lines,
    "cut": lambda random, lines: lines[: random.randrange(len(lines))],
    "a line less": lambda random, lines: without(lines, random.randrange(len(lines))),
    "a line more": lambda random, lines: at(random, lines, lambda line: line * 2),
    "a tab less": lambda random, lines: at(random, lines, lambda line: line.replace("\t", "", 1)),
    "a cell": lambda random, lines: at(random, lines, lambda line: re.sub(r"\S+$", random.choice(WORDS), line)),
    "another word": lambda random, lines: at(random, lines, lambda line: line.replace("e", "é", 1)),
    "a document less": lambda random, lines: joined(without(documents(lines), random.randrange(4))),
    "another order": lambda random, lines: joined(random.sample(documents(lines), 4)),
    "a document twice": lambda random, lines: lines + random.choice(documents(lines)),
    "another name": lambda random, lines: [line.replace("tales/", "tale/") for line in lines],
    "no mentions": lambda random, lines: [re.sub(r"\S+$", "-", line) if "\t" in line else line for line in lines],
}


def documents(lines: list[str]) -> list[list[str]]:
    starts = [number for number, line in enumerate(lines) if line.startswith("#begin")]
    return [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]


def without(values: list[Any], number: int) -> list[Any]:
    return values[:number] + values[number + 1 :]


def joined(parts: list[list[str]]) -> list[str]:
    return [line for part in parts for line in part]


def at(random: Random, lines: list[str], change: Callable[[str], str]) -> list[str]:
    number = random.randrange(len(lines))
    return [*lines[:number], change(lines[number].rstrip("\n")) + "\n", *lines[number + 1 :]]


@pytest.mark.parametrize("missing", ["reject", "empty"])
def test_validate_accepts_what_the_board_accepts_whatever_is_changed(missing: str, task: Path, run: Run) -> None:
    """Submissions changed by chance; plain, packed, in folders, in another format."""
    random = Random(missing)
    text = "\n".join(MODEL.splitlines())
    for number, (name, change) in enumerate(CHANGES.items()):
        changed = "".join(change(random, [f"{line}\n" for line in text.split("\n")]))
        path = Path("subs", f"{number}-{name.replace(' ', '-')}")
        if number % 4 == 1:
            packed(f"{path}.zip", {"inside/answer.conll": changed})
        elif number % 4 == 2:
            path.mkdir()
            (path / "key.conll").write_text(changed, encoding="utf-8")
        else:
            path.with_suffix(".conll").write_text(changed, encoding="utf-8")
    assert run("convert", "subs/model.conll", "subs/other.jsonl")[0] == 0
    record = made(run, "--missing", missing)
    accepted = {each["path"] for each in record["accepted"]}
    everything = accepted | {each["path"] for each in record["rejected"]}
    code, out, _ = run("validate", *sorted(everything), "--key", "key.conll", "--missing", missing, "--json")
    found = {each["path"]: each["accepted"] for each in json.loads(out)["submissions"]}
    assert found == {path: path in accepted for path in everything}
    assert code == 1
    assert 4 < len(accepted) < len(everything) - 2
    assert run("validate", *sorted(accepted), "--key", "key.conll", "--missing", missing)[0] == 0
    one = min(everything - accepted)
    assert run("validate", *sorted(accepted)[:1], one, "--key", "key.conll", "--missing", missing)[0] == 1


def test_all_reasons_are_listed_at_once(task: Path, run: Run) -> None:
    text = MODEL.split("#end document\n")[0].replace(" the ", " le ").replace("\tthe\t", "\tle\t") + "#end document\n"
    Path("subs/bad.conll").write_text(text, encoding="utf-8")
    code, out, _ = run("validate", "subs/bad.conll", "subs/model.conll", "--key", "key.conll")
    assert code == 1
    assert out.count("[missing-document]") == 3
    assert "subs/model.conll: accepted" in out
    assert "--on-problem" not in out


def test_validate_without_key_is_as_before(task: Path, run: Run) -> None:
    Path("scoref.toml").write_text('key = "key.conll"\nsingletons = "drop"\n', encoding="utf-8")
    code, out, _ = run("validate", "subs/model.conll")
    assert (code, out.splitlines()[-1]) == (0, "0 problems in 1 file")
