"""Bundles of competitions: run as Codabench's worker runs them, against `score`; what its unpacker asks for; the kit.

The worker unpacks the program to /app/program, the key to /app/input/ref and a submission to /app/input/res, and runs
the command of `metadata.yaml` in the program's folder. Here /app is a folder, and `python3` is of a fresh environment.
"""

from __future__ import annotations

import email
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import scoref
from places import EXAMPLES
from scoref.bundle.packing import WHEEL, needed, wheel, zipped

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

Run = Callable[..., tuple[int, str, str]]
TALES = EXAMPLES / "tales"
KEY, MODEL = TALES / "key.conll", TALES / "model.conll"
BLOCKED = """
import socket

def refuse(*arguments):
    raise OSError("a test without network")

socket.socket.connect = socket.getaddrinfo = refuse
"""


def bundled(run: Run, folder: Path, key: object, *more: object) -> dict[str, bytes]:
    """The files of a bundle by their names; those of zip files in it behind the name of the zip file."""
    code, _, err = run("bundle", key, "-o", folder / "bundle.zip", *more)
    assert code == 0, err
    outer = unpacked((folder / "bundle.zip").read_bytes())
    inner = {f"{name}!{each}": data for name, packed in outer.items() if name.endswith(".zip")
             for each, data in unpacked(packed).items()}  # fmt: skip
    return outer | inner


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def written(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def part(files: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """The files of a zip file in the bundle."""
    return {each.partition("!")[2]: data for each, data in files.items() if each.startswith(f"{name}!")}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an image that has numpy and lapx, and nothing of scoref; without network and without pip."""
    folder = tmp_path_factory.mktemp("image")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    (place / "sitecustomize.py").write_text(BLOCKED, encoding="utf-8")
    import lap
    import numpy

    put: Callable[[Path, Path], object] = os.symlink if os.name == "posix" else shutil.copytree
    for module in (numpy, lap):
        source = Path(str(module.__file__)).parent
        for each in (source, source.with_name(f"{source.name}.libs")):
            if each.exists():
                put(each, place / each.name)
    return python


class Scored:
    """What the program of a bundle did with a submission."""

    def __init__(self, image: Path, folder: Path, files: Mapping[str, bytes], submission: Mapping[str, bytes]) -> None:
        app = folder / "app"
        written(app / "program", part(files, "scoring_program.zip"))
        written(app / "input" / "ref", part(files, "reference_data.zip"))
        written(app / "input" / "res", {**submission, "metadata": b"exitCode: 0\n"})  # the worker writes that file
        (app / "output").mkdir()
        command = yaml.safe_load((app / "program" / "metadata.yaml").read_text(encoding="utf-8"))["command"]
        assert command == "python3 /app/program/score.py /app/input/ /app/output/"
        words = shlex.split(command.replace("/app/", f"{app}/"))
        done = subprocess.run([image, *words[1:]], cwd=app / "program", env={"PATH": os.defpath}, capture_output=True,
                              text=True, check=False)  # fmt: skip
        self.code, self.said, self.output = done.returncode, done.stdout + done.stderr, app / "output"
        path = self.output / "scores.json"
        self.scores = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        page = self.output / "detailed_results.html"
        self.page = page.read_text(encoding="utf-8") if page.exists() else ""


def columns(files: Mapping[str, bytes]) -> list[str]:
    (board,) = yaml.safe_load(files["competition.yaml"])["leaderboards"]
    return [each["key"] for each in board["columns"]]


CASES: dict[str, tuple[Path, Path, tuple[str, ...]]] = {
    "conll": (KEY, MODEL, ()),
    "another preset": (KEY, MODEL, ("--protocol", "coval", "--metrics", "lea,muc,blanc", "--singletons", "drop")),
    "all layers": (EXAMPLES / "key.conllua", EXAMPLES / "response.conllua", ("--layer", "all")),
    "event nuggets": (EXAMPLES / "nuggets/key", EXAMPLES / "nuggets/response", ("--format", "brat")),
}


@pytest.mark.parametrize("case", CASES)
def test_every_column_is_the_number_of_score(case: str, image: Path, run: Run, tmp_path: Path) -> None:
    key, response, how = CASES[case]
    files = bundled(run, tmp_path, key, *how)
    paths = [response] if response.is_file() else sorted(response.iterdir())
    done = Scored(image, tmp_path, files, {path.name: path.read_bytes() for path in paths})
    assert (done.code, done.said[:8]) == (0, "accepted")
    code, out, err = run("score", key, response, *how, "--json")
    assert code == 0, err
    whole = json.loads(out)
    expected = {name: 100 * each["f1"] for name, each in whole["scores"].items() if name not in whole["undefined"]}
    datasets = {name for name in columns(files) if name not in whole["scores"]}
    assert {name: value for name, value in done.scores.items() if name not in datasets} == expected
    assert done.scores.keys() <= {*columns(files)}
    assert {each.name for each in done.output.iterdir()} == {"scores.json", "detailed_results.html"}
    assert whole["signature"] in done.page.replace("&#x27;", "'")


def test_datasets_have_columns(image: Path, run: Run, tmp_path: Path) -> None:
    key, response = tmp_path / "gold", tmp_path / "ours"
    for folder, path in ((key, KEY), (response, MODEL)):
        parts = path.read_text(encoding="utf-8").split("#begin document")[1:]
        names = ("a" * 40, "a" * 41, "b")
        written(
            folder,
            {f"{name}.conll": f"#begin document{text}".encode() for name, text in zip(names, parts, strict=False)},
        )
    files = bundled(run, tmp_path, key, "--average", "datasets")
    done = Scored(image, tmp_path, files, {path.name: path.read_bytes() for path in response.iterdir()})
    evaluation = scoref.score(key, response, average="datasets")
    by = {name: 100 * scores["conll"].f1 for name, scores in evaluation.by_dataset().items()}
    assert len(by) == 3
    assert done.scores["conll"] == 100 * evaluation["conll"].f1
    assert [done.scores[name] for name in columns(files)[-3:]] == [*by.values()]
    assert max(map(len, columns(files))) <= 36
    assert len({*columns(files)}) == len(columns(files))


def test_a_rejected_submission_fails_with_all_reasons(image: Path, run: Run, tmp_path: Path) -> None:
    text = MODEL.read_text(encoding="utf-8").split("#end document\n")[0].replace(" the ", " le ") + "#end document\n"
    done = Scored(image, tmp_path, bundled(run, tmp_path, KEY), {"ours.conll": text.encode()})
    assert (done.code, done.scores) == (1, None)
    assert done.said.count("[missing-document]") == 3
    assert "Rejected" in done.page


def test_the_page_shows_the_key_only_if_asked(image: Path, run: Run, tmp_path: Path) -> None:
    submission = {"ours.conll": MODEL.read_bytes()}
    for number, more in enumerate(((), ("--reports",))):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = Scored(image, folder, bundled(run, folder, KEY, *more), submission)
        assert done.code == 0
        assert ('id="data"' in done.page or "octet-stream" in done.page) == bool(more)


def test_a_key_that_was_changed_is_noticed(image: Path, run: Run, tmp_path: Path) -> None:
    files = bundled(run, tmp_path, KEY)
    name = "reference_data.zip!key/key.conll"
    files[name] = files[name].replace(b"(3)", b"-", 1)
    done = Scored(image, tmp_path, files, {"ours.conll": MODEL.read_bytes()})
    assert (done.code, done.scores) == (2, None)
    assert "[changed-key]" in done.said


# -- what Codabench's unpacker and models ask for (version 2 of its YAML) ----------------------------------------------


def test_the_yaml_is_what_codabench_unpacks(run: Run, tmp_path: Path) -> None:
    title = 'Größe: "2027" # {yes}' + 300 * "x"
    files = bundled(run, tmp_path, KEY, "--title", title, "--start", "2027-01-31 12:00:00", "--end", "2027-02-28")
    record = yaml.safe_load(files["competition.yaml"])
    assert str(record["version"]) == "2"
    assert record["title"] == title[:256]
    named = [record["image"], record["terms"], *(page["file"] for page in record["pages"])]
    (task,), (solution,), (phase,), (board,) = (
        record[name] for name in ("tasks", "solutions", "phases", "leaderboards")
    )
    named += [task["scoring_program"], task["reference_data"], solution["path"], phase["starting_kit"]]
    assert [name for name in named if not files.get(name)] == []
    assert (task["index"], phase["tasks"], solution["tasks"]) == (0, [0], [0])
    assert len(task["name"]) <= 256
    assert (phase["start"], phase["end"]) == ("2027-01-31 12:00:00", "2027-02-28")
    assert phase["execution_time_limit"] == 600  # the most that the default queue of Codabench allows
    assert json.loads(files["scoring_program.zip!settings.json"])["limits"]["seconds"] < 600
    assert len(record["docker_image"]) <= 128
    assert board["submission_rule"] in {"Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last",
                                        "Force_Latest_Multiple", "Force_Best"}  # fmt: skip
    assert [each["index"] for each in board["columns"]] == [*range(len(board["columns"]))]
    assert {each["sorting"] for each in board["columns"]} == {"desc"}
    assert {type(each["precision"]) for each in board["columns"]} == {int}
    assert max(len(each["title"]) for each in board["columns"]) <= 36


def test_without_a_date_the_phase_begins_today(run: Run, tmp_path: Path) -> None:
    import datetime

    (phase,) = yaml.safe_load(bundled(run, tmp_path, KEY)["competition.yaml"])["phases"]
    began = datetime.date.fromisoformat(phase["start"])
    assert abs((datetime.datetime.now(datetime.UTC).date() - began).days) <= 1
    assert "end" not in phase


def test_the_logo_is_a_picture(run: Run, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="no Pillow: pip install pillow")
    with image.open(io.BytesIO(bundled(run, tmp_path, KEY)["logo.png"])) as picture:
        picture.load()
        assert picture.size == (128, 128)


# -- the kit -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_kit_validates_its_baseline_and_hides_the_key(
    case: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, _, how = CASES[case]
    files = bundled(run, tmp_path, key, *how)
    written(tmp_path / "kit", kit := part(files, "starting_kit.zip"))
    (tmp_path / "mine.zip").write_bytes(files["baseline.zip"])
    monkeypatch.chdir(tmp_path / "kit")
    text = kit["README.md"].decode()
    line = next(line for line in text.splitlines() if line.startswith("scoref validate"))
    baseline = next(line for line in text.splitlines() if "For the baseline" in line).split("`")[1]
    code, out, err = run(*shlex.split(line.replace("SUBMISSION.zip", "../mine.zip"))[1:])
    assert code == 0, out + err
    code, out, err = run(*shlex.split(baseline)[1:])
    assert code == 0, out + err
    code, out, err = run("validate", "../mine.zip", "--key", key, *how)
    assert code == 0, out + err
    data = "data" if key.is_dir() else f"data{key.suffix}"
    code, out, err = run("score", key, data, *how, "--on-problem", "skip", "--drift", "ignore", "--json")
    assert code == 0, err
    counts = json.loads(out)["counts"]
    assert all(each["recall"][0] == 0 for name, each in counts.items() if name in ("mentions", "nugget-span"))


def test_baselines_and_texts_may_be_given(image: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "few.conll").write_bytes(MODEL.read_bytes())
    files = bundled(run, tmp_path, KEY, "--baseline", tmp_path / "few.conll", "--blind", KEY)
    assert part(files, "baseline.zip") == {"baseline.conll": MODEL.read_bytes()}
    assert part(files, "starting_kit.zip")["data.conll"] == KEY.read_bytes()
    (tmp_path / "few.conll").write_bytes(MODEL.read_bytes()[:2000])
    code, out, err = run("bundle", KEY, "-o", tmp_path / "other.zip", "--baseline", tmp_path / "few.conll")
    assert (code, out) == (2, "")
    assert "[rejected-baseline]" in err
    assert not (tmp_path / "other.zip").exists()


# -- packing -----------------------------------------------------------------------------------------------------------


def test_the_wheel_is_one_that_pip_installs(tmp_path: Path) -> None:
    files = unpacked(wheel())
    listed = [line.rsplit(",", 2)[0] for line in files[name].decode().splitlines()] if (
        name := next(each for each in files if each.endswith("/RECORD"))
    ) else []  # fmt: skip
    assert sorted(listed) == sorted(files)
    about = email.message_from_bytes(next(data for each, data in files.items() if each.endswith("/METADATA")))
    assert (about["Name"], about["Version"]) == ("scoref", scoref.__version__)
    assert about.get_all("Requires-Dist") == needed()
    assert {each.split(">")[0] for each in needed()} == {"numpy", "lapx"}
    (tmp_path / WHEEL).write_bytes(wheel())
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path / "site"]
    done = subprocess.run([*pip, tmp_path / WHEEL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "scoref" / "page" / "assets" / "board.js").is_file()


def test_bundles_are_the_same_for_the_same_key(run: Run, tmp_path: Path) -> None:
    names = ("one.zip", "two.zip")
    for name in names:
        assert run("bundle", KEY, "-o", tmp_path / name, "--start", "2027-01-01")[0] == 0
    assert (tmp_path / names[0]).read_bytes() == (tmp_path / names[1]).read_bytes()
    assert run("bundle", KEY, "-o", tmp_path / "one.zip", "--start", "2027-01-02")[0] == 0  # its own output


def test_wheels_for_the_image_are_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    code, _, err = run("bundle", KEY, "-o", tmp_path / "b.zip", "--wheels", tmp_path / "wheels")
    assert code == 2
    assert "[no-wheels]" in err
    (tmp_path / "wheels" / "lapx-0.9-py3-none-any.whl").write_bytes(zipped({"lap.py": b""}))
    files = bundled(run, tmp_path, KEY, "--wheels", tmp_path / "wheels")
    assert "wheels/lapx-0.9-py3-none-any.whl" in part(files, "scoring_program.zip")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("--start", "tomorrow"), "bad-date"),
        (("--protocol", "nope"), "unknown-protocol"),
        (("--blind", "nowhere"), "unreadable-file"),
        (("--metrics", "nope"), "unknown-metric"),
    ],
)
def test_what_cannot_be_made_is_refused(more: tuple[str, ...], code: str, run: Run, tmp_path: Path) -> None:
    status, out, err = run("bundle", KEY, "-o", tmp_path / "b.zip", *more)
    assert (status, out) == (2, "")
    assert f"[{code}]" in err
    assert [*tmp_path.iterdir()] == []


def values() -> list[Any]:
    return [
        {
            "a": "yes",
            "b": ["- x", "# y", "", "true", "2027-01-01", "1e3", "line\nbreak \"'\\", "ü—😀"],
            "c": [],
            "d": {},
        },
        [{"a": [{"b": [1, 2.5, None, True]}, {"c": {"d": "e: f"}}]}, [], [[1], [2, [3]]]],
    ]


@pytest.mark.parametrize("value", values())
def test_yaml_is_read_back(value: Any) -> None:
    from scoref.layout.yaml import yaml as text

    assert yaml.safe_load(text(value)) == value
