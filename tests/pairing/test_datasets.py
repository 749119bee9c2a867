"""What a dataset is does not depend on how its documents are cut into files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import mean

import pytest

import scoref
from places import SHARED, beside

GUM = SHARED / "vectors" / "real-gum-corefud"
SIDES = {"key": "devtest.key.conllu", "response": "devtest.response.xrenner.conllu"}


def cases(response: str) -> dict[str, Mapping[str, float]]:
    """What the CorefUD scorer 1.2 prints for the whole file, heads matched and singletons dropped."""
    lines = (GUM / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    found = [case for case in map(json.loads, lines) if case["response"] == response and "head" in case["args"]]
    return {metric: found[0]["expected"][metric] for metric in ("muc", "b3", "ceafe")}


def documents(file: str) -> dict[str, str]:
    """The documents of a recorded file by their names, each as the text of a file."""
    text = (GUM / "files" / file).read_text(encoding="utf-8")
    header = next(line for line in text.split("\n") if line.startswith("# global.Entity"))
    found = {}
    for part in re.split(r"(?m)^(?=# newdoc id)", text):
        name = re.match(r"# newdoc id = (\S+)", part)
        if name:
            first, _, rest = part.partition("\n")
            found[name[1]] = part if "# global.Entity" in rest else f"{first}\n{header}\n{rest}"
    return found


def cut(folder: Path, how: str) -> None:
    """Write the documents of both sides: a file a document, or two files."""
    for side, file in SIDES.items():
        for number, (name, text) in enumerate(documents(file).items()):
            goal = {"documents": f"{name}.conllu", "parts": f"part{number % 2}.conllu"}[how]
            (folder / side).mkdir(parents=True, exist_ok=True)
            with (folder / side / goal).open("a", encoding="utf-8") as out:
                out.write(text)


@beside
@pytest.mark.parametrize("how", ["documents", "parts"])
def test_the_official_number_does_not_depend_on_files(how, tmp_path):
    cut(tmp_path, how)
    whole = GUM / "files"
    metrics = ["muc", "b3", "ceafe", "conll"]
    sides = [
        (tmp_path / "key", tmp_path / "response"),
        (tmp_path / "key", whole / SIDES["response"]),
        (whole / SIDES["key"], tmp_path / "response"),
        (scoref.read(tmp_path / "key"), scoref.read(tmp_path / "response")),
    ]
    for key, response in sides:
        result = scoref.score(key, response, protocol="crac-2024", metrics=metrics)
        assert len(set(result.datasets)) == 1
        for metric, expected in cases(SIDES["response"]).items():
            assert result[metric]._asdict() == pytest.approx(expected, abs=5.1e-5), (metric, how)


@beside
def test_files_named_as_corefud_names_them_are_datasets(tmp_path):
    """The mean of two official numbers: GUM by two systems, as if it were two datasets."""
    names = {
        "en_gum-corefud-dev.conllu": SIDES["response"],
        "fr_gum-corefud-dev.conllu": "devtest.response.medium.conllu",
    }
    for name, response in names.items():
        for side, file in (("key", SIDES["key"]), ("response", response)):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / name).write_text((GUM / "files" / file).read_text(encoding="utf-8"), encoding="utf-8")
    result = scoref.score(tmp_path / "key", tmp_path / "response", protocol="crac-2024", metrics=["muc", "b3", "ceafe"])
    assert set(result.datasets) == {*names}
    official = [cases(response) for response in names.values()]
    for metric in official[0]:
        assert result[metric].f1 == pytest.approx(mean(each[metric]["f1"] for each in official), abs=5.1e-5)


CONLLU = "# newdoc id = {0}\n# global.Entity = eid-etype-head-other\n1\tIt\tit\t_\t_\t_\t0\t_\t_\tEntity=(e1--1-)\n\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["cs.conllu", "en.conllu"], ["cs.conllu", "en.conllu"]),
        (["cs_pdt-corefud-dev.conllu", "orv_x.conllu"], ["cs_pdt-corefud-dev.conllu", "orv_x.conllu"]),
        (["GUM_a.conllu", "GUM_b.conllu"], ["key"]),
        (["cs/a1.conllu", "cs/a2.conllu", "de/b1.conllu"], ["cs", "de"]),
        (["cs/dev.conllu", "de/dev.conllu"], ["cs", "de"]),
        (["GUM_a.conllu.gz", "GUM_b.conllu"], ["key"]),
    ],
)
def test_a_dataset_is_a_file_or_a_folder(files, expected, tmp_path):
    for number, file in enumerate(files):
        path = tmp_path / "key" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CONLLU.format(number), encoding="utf-8")
    result = scoref.score(tmp_path / "key", tmp_path / "key")
    assert [*dict.fromkeys(result.datasets)] == expected
    assert len(result.by("dataset")) == len(expected)


def test_one_file_given_is_a_dataset_and_so_is_a_file_of_another_format(tmp_path):
    path = tmp_path / "dev.conllu"
    path.write_text(CONLLU.format("d"), encoding="utf-8")
    assert scoref.score(path, path).datasets == ("dev.conllu",)
    for name in ("first", "second"):
        scoref.write(
            scoref.Document(name, ("Ada",), (scoref.Mention.at(0, 0, "x"),)), tmp_path / "folder" / f"{name}.jsonl"
        )
    folder = tmp_path / "folder"
    assert scoref.score(folder, folder, average="datasets").datasets == ("first.jsonl", "second.jsonl")
