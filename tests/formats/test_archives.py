"""Zip files are folders of what is in them; the export of a project has a folder for each annotator."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES
from scoref.formats import archives
from scoref.problems import Error

Run = Callable[..., tuple[int, str, str]]
KEY, RESPONSE = (EXAMPLES / name for name in ("key.conll", "response.conll"))


@pytest.fixture(autouse=True)
def problems_tell_all() -> None:
    """Not needed here: each fact is looked at."""


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


# -- what is refused, and what is left out ----------------------------------------------------------------------------


def member(name: str, mode: int = 0, flags: int = 0) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.external_attr = mode << 16
    found.flag_bits |= flags
    return found


def archive(folder: Path, *members: tuple[zipfile.ZipInfo | str, bytes]) -> str:
    path = folder / "some.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as written:
        warnings.simplefilter("ignore")  # of a name that is repeated
        for each, data in members:
            written.writestr(each, data)
    return str(path)


PATHS = "a path that leads out of the zip file"
REFUSED = [  # a member, and the code, the message, what is expected
    *((name, 0, "path-outside", PATHS, "names like dev.conllu") for name in ("/a", "a\\b", "c:/a", "a/../b", "..")),
    ("a", stat.S_IFLNK | 0o777, "link", "a link, or something else that is no file", "files and folders only"),
    ("a", stat.S_IFIFO | 0o644, "link", "a link, or something else that is no file", "files and folders only"),
]


@pytest.mark.parametrize(("name", "mode", "code", "message", "expected"), REFUSED)
def test_what_is_refused_is_named(tmp_path: Path, name: str, mode: int, code: str, message: str, expected: str) -> None:
    path, folder = archive(tmp_path, ("fine", b"x"), (member(name, mode), b"x")), tmp_path / "out"
    folder.mkdir()
    with pytest.raises(Error) as error:
        archives.unpack(path, str(folder), 100)
    found = error.value.problem
    assert (found.code, found.message) == (code, f"the zip file has {message}")
    assert (found.path, found.text, found.expected) == (path, name, expected)
    assert found.remedy == "pack only what is asked for, from the folder that it is in"
    assert not [*folder.iterdir()]  # all is checked before the first file is written


def test_files_with_a_password_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path, ("a", b"x"))
    data = Path(path).read_bytes()
    at = data.index(b"PK\x01\x02") + 8  # the flags in the directory of the file
    Path(path).write_bytes(data[:at] + b"\x01" + data[at + 1 :])
    with pytest.raises(Error) as error:
        archives.unpack(path, str(tmp_path), 100)
    assert (error.value.code, error.value.problem.text) == ("encrypted", "a")
    assert error.value.problem.expected == "files without passwords"


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    path = archive(tmp_path, ("a/b", b"x"), ("c", b"x"), ("a/b", b"x"))
    with pytest.raises(Error) as error:
        archives.unpack(path, str(tmp_path), 100)
    assert (error.value.code, error.value.problem.text) == ("repeated-file", "a/b")
    assert error.value.problem.expected == "a name of its own for each"


def test_so_many_bytes_and_files_are_unpacked_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path, ("a", b"xx"), ("b", b"yyy"))
    for most in (5, 7):
        folder = tmp_path / str(most)
        folder.mkdir()
        assert archives.unpack(path, str(folder), most) == most - 5
        assert {each.name: each.read_bytes() for each in folder.iterdir()} == {"a": b"xx", "b": b"yyy"}
    with pytest.raises(Error) as error:
        archives.unpack(path, str(tmp_path), 4)
    assert (error.value.code, error.value.problem.text) == ("too-large", None)
    assert error.value.problem.message == "the zip file has 5 bytes when it is unpacked"
    assert error.value.problem.expected == "4 bytes at most"
    for most in (2, 1):
        monkeypatch.setattr(archives, "MOST_FILES", most)
        (tmp_path / f"of {most}").mkdir()
        if most == 2:
            assert archives.unpack(path, str(tmp_path / f"of {most}"), 5) == 0
            continue
        with pytest.raises(Error) as error:
            archives.unpack(path, str(tmp_path / f"of {most}"), 5)
        assert (error.value.code, error.value.problem.expected) == ("too-many-files", "1 files at most")
        assert error.value.problem.message == "the zip file has 2 files"


def test_the_sizes_that_a_zip_file_says_are_not_believed(tmp_path: Path) -> None:
    path = archive(tmp_path, ("a", b"xxxxx"))
    data = Path(path).read_bytes().replace((5).to_bytes(4, "little") * 2, b"\x05\0\0\0\x01\0\0\0")
    Path(path).write_bytes(data)
    with pytest.raises(Error) as error:
        archives.unpack(path, str(tmp_path), 100)
    assert error.value.code in ("too-large", "broken-zip")
    assert error.value.path == path


def test_more_bytes_than_are_left_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path, ("a", b"xxxxx"))
    with zipfile.ZipFile(path) as packed:
        (only,) = packed.infolist()
        assert archives._write(packed, only, str(tmp_path / "five"), 5, path) == 5
        with pytest.raises(Error) as error:
            archives._write(packed, only, str(tmp_path / "four"), 4, path)
    found = error.value.problem
    assert (found.code, found.path, found.text, found.expected) == ("too-large", path, "a", "the size it says")


def test_folders_and_hidden_files_are_left_out(tmp_path: Path) -> None:
    names = ("a/", "a/b", ".c", "a/.d/e", "__MACOSX/f", "g/__MACOSX/h")
    path, folder = archive(tmp_path, *((name, b"") for name in names)), tmp_path / "out"
    folder.mkdir()
    assert archives.unpack(path, str(folder), 0) == 0
    assert sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()) == [
        "a/b", "g/__MACOSX/h",
    ]  # fmt: skip


def test_a_zip_file_is_told_by_its_first_bytes_or_its_name(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(packed({}))
    (tmp_path / "some").write_bytes(packed({"a": "x"}))
    (tmp_path / "named.ZIP").write_bytes(b"x")
    (tmp_path / "other").write_bytes(b"PK")
    (tmp_path / "folder.zip").mkdir()
    found = {each.name: archives.is_zip(str(each)) for each in tmp_path.iterdir()}
    assert found == {"empty": True, "some": True, "named.ZIP": True, "other": False, "folder.zip": False}
    assert not archives.is_zip(str(tmp_path / "nothing"))


def test_a_zip_file_is_unpacked_once_until_it_changes(tmp_path: Path) -> None:
    path = put(tmp_path, "a.zip", {"x": "1"})
    folder = archives.opened(str(path), 9)
    assert archives.opened(str(path), 9) == folder
    put(tmp_path, "a.zip", {"x": "22"})
    again = archives.opened(str(path), 9)
    assert again != folder
    assert Path(again, "x").read_text() == "22"


def test_zip_files_within_zip_files_share_what_may_be_unpacked(tmp_path: Path) -> None:
    inner = packed({"x": "12345"})
    for most, fits in ((2 * len(inner) + 10, True), (2 * len(inner) + 9, False)):
        path = put(tmp_path, f"{most}.zip", {"a/one.zip": inner, "two.zip": inner})
        if fits:
            folder = Path(archives.opened(str(path), most))
            files = [each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()]
            assert sorted(files) == ["a/one/x", "two/x"]
        else:
            with pytest.raises(Error, match="too-large"):
                archives.opened(str(path), most)


def test_three_zip_files_within_one_another_are_unpacked_and_no_more(tmp_path: Path) -> None:
    data = packed({"key.conll": KEY.read_bytes()})
    for depth in (1, 2):
        data = packed({f"inner{depth}.zip": data})
    (tmp_path / "three.zip").write_bytes(data)
    assert scoref.read(tmp_path / "three.zip") == scoref.read(KEY)
    put(tmp_path, "four.zip", {"inner.zip": data})
    with pytest.raises(Error) as error:
        scoref.read(tmp_path / "four.zip")
    found = error.value.problem
    assert (found.code, found.text, found.expected) == ("too-deep", None, "files")
    assert found.path is not None


def test_a_project_has_a_folder_for_each_annotator(tmp_path: Path) -> None:
    export: dict[str, str | bytes] = {
        "annotation/a.txt/ada.zip": packed({"ada.xmi": "one", "TypeSystem.xml": "types"}),
        "annotation/a.txt/CURATION_USER.zip": packed({"CURATION_USER.xmi": "x"}),
        "annotation/b.txt/ada.tsv": "two",
        "annotation/b.txt/bob.zip": packed({"bob.tsv": "three", "TypeSystem.xml": "types"}),
        "annotation/b.txt/eve.zip": packed({"eve.tsv": "x", "other.tsv": "y"}),
        "annotation/c.txt/nothing/below/x": "y",
        "annotation/stray": "x",
    }
    found = archives.annotators(str(put(tmp_path, "project.zip", export)), 9999)
    assert sorted(found) == ["ada", "bob", "eve", "nothing"]
    files = {
        f"{name}/{each.relative_to(folder).as_posix()}": each.read_text()
        for name, folder in found.items()
        for each in Path(folder).rglob("*")
        if each.is_file()
    }
    assert files == {
        "ada/a.txt.xmi": "one", "ada/a.txt.typesystem.xml": "types", "ada/b.txt.tsv": "two", "bob/b.txt.tsv": "three",
    }  # fmt: skip
    assert archives.annotators(str(put(tmp_path, "other.zip", {"a": "b"})), 9) == {}
    assert archives.annotators(str(tmp_path), 9) == {}


def test_links_in_a_submission_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("x")
    archives.refuse_links(str(tmp_path))
    os.symlink(tmp_path / "a" / "b" / "c", tmp_path / "a" / "link")
    with pytest.raises(Error) as error:
        archives.refuse_links(str(tmp_path))
    found = error.value.problem
    assert (found.code, found.message) == ("link", "the submission has a link")
    assert (found.path, found.expected) == (str(tmp_path / "a" / "link"), "files only")
    assert found.remedy == "put the file itself in its place"
    os.remove(tmp_path / "a" / "link")
    os.mkfifo(tmp_path / "a" / "pipe")
    with pytest.raises(Error) as error:
        archives.refuse_links(str(tmp_path))
    assert error.value.problem.message == "the submission has neither a file nor a folder"
    with pytest.raises(Error) as error:
        archives.refuse_links(str(tmp_path / "nothing"))
    assert (error.value.code, error.value.path) == ("unreadable-file", str(tmp_path / "nothing"))
