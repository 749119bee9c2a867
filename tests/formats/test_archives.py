"""Zip files are folders of what is in them; the export of a project has a folder for each annotator."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES
from scoref.problems import Error

Run = Callable[..., tuple[int, str, str]]
KEY, RESPONSE = (EXAMPLES / name for name in ("key.conll", "response.conll"))


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """A zip file with these files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def put(folder: Path, name: str, files: Mapping[str, str | bytes]) -> Path:
    path = folder / name
    path.write_bytes(packed(files))
    return path


def test_a_zip_file_with_one_file_is_that_file(tmp_path: Path, run: Run) -> None:
    path = put(tmp_path, "key.zip", {"key.conll": KEY.read_bytes()})
    assert run("score", path, RESPONSE, "--json") == run("score", KEY, RESPONSE, "--json")
    assert scoref.read(path) == scoref.read(KEY)


def test_a_zip_file_with_several_files_is_a_folder(tmp_path: Path, run: Run) -> None:
    texts = [path.read_bytes() for path in (KEY, RESPONSE)]
    paths = [put(tmp_path, f"{side}.zip", {"a/one.conll": texts[side], "two.conll": texts[0]}) for side in range(2)]
    code, out, _ = run("score", *paths, "--by", "dataset")
    assert (code, "a/one.conll" in out, "two.conll" in out) == (0, True, True)


def test_a_zip_file_within_a_zip_file_is_unpacked(tmp_path: Path) -> None:
    inner = packed({"key.conll": KEY.read_bytes()})
    assert scoref.read(put(tmp_path, "outer.zip", {"inner.zip": inner})) == scoref.read(KEY)
    for _ in range(3):
        inner = packed({"inner.zip": inner})
    with pytest.raises(Error, match="too-deep"):
        scoref.read(put(tmp_path, "deep.zip", {"inner.zip": inner}))


def test_zip_files_that_could_do_harm_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Error, match="path-outside") as error:
        scoref.read(put(tmp_path, "evil.zip", {"../key.conll": "x"}))
    assert error.value.path == str(tmp_path / "evil.zip")
    with pytest.raises(Error, match="too-large"):
        scoref.score(put(tmp_path, "large.zip", {"key.conll": KEY.read_bytes()}), KEY, max_size=100)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(packed({"key.conll": KEY.read_bytes()})[:-30])
    with pytest.raises(Error, match="broken-zip"):
        scoref.read(broken)


def test_what_was_unpacked_is_removed_at_the_end(tmp_path: Path) -> None:
    path = put(tmp_path, "key.zip", {"key.conll": KEY.read_bytes()})
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "scoref", "score", str(path), str(RESPONSE)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.returncode, [each.name for each in tmp_path.iterdir()]) == (0, ["key.zip"])


TSV = """#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType

#Text=Ada told her friend
1-1\t0-3\tAda\t*->1-1\t*[1]
1-2\t4-8\ttold\t_\t_
1-3\t9-12\ther\t*->1-2|*->2-1\t*[1]|*[2]
1-4\t13-19\tfriend\t*->2-1\t*[2]
"""


@pytest.mark.parametrize("zipped", [True, False])
def test_the_annotators_of_a_project_agree(zipped: bool, tmp_path: Path, run: Run) -> None:
    texts = {"ada": TSV, "bob": TSV.replace("*->1-2|", "").replace("*[1]|", "")}
    files: dict[str, str | bytes] = {"exportedproject.json": "{}", "source/tale.txt": "Ada told her friend"}
    for name, text in {**texts, "INITIAL_CAS": "no annotation"}.items():
        inner = packed({f"{name}.tsv": text, "TypeSystem.xml": "<a/>"})
        files |= {f"annotation/tale.txt/{name}.zip": inner} if zipped else {f"annotation/tale.txt/{name}.tsv": text}
    result = scoref.agreement([put(tmp_path, "project.zip", files)])
    folder = {name: tmp_path / f"{name}.tsv" for name in texts}
    for name, path in folder.items():
        path.write_text(texts[name])
    plain = scoref.agreement(folder)
    assert result.annotators == ("ada", "bob")
    assert [each.value for each in result.measures] == [each.value for each in plain.measures]
    assert result.evaluations[0, 1].documents == ("tale.txt",)
    assert run("agreement", tmp_path / "project.zip")[0] == 0
    assert run("agreement", put(tmp_path, "other.zip", {"key.conll": KEY.read_bytes()}))[0] == 2
