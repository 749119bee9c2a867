"""The file that was named is read, whatever its name looks like to a library."""

from __future__ import annotations

import gc
import gzip
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref.problems import Problems
from scoref.tables.engines.engine import TableInput
from scoref.tables.inputs import SUFFIXES, chosen, given
from scoref.tables.links import Folder, plain_names

KEY = {"m1": "a", "m2": "a", "m3": "b", "m4": "b", "m5": "c"}
RESPONSE = {"m1": "x", "m2": "y", "m3": "y", "m4": "y", "m6": "z"}
DECOY = {"m1": "x", "m2": "x", "m3": "x", "m4": "x", "m5": "x"}
EXPECTED = scoref.score([["m1", "m2"], ["m3", "m4"], ["m5"]], [["m1"], ["m2", "m3", "m4"], ["m6"]]).scores

# Names, and what stands beside them: files that a pattern, a home or an escape would read instead.
NAMES = {
    "run[2]": ["run2"],
    "a*": ["ab", "a"],
    "what?": ["whats"],
    "[!a]/[b]": ["[!a]/b", "c/b"],
    "{a,b}": ["a", "b"],
    "s3://bucket/run": [],
    "http://localhost:1/run": [],
    "file:run": ["run"],
    "~/run": [],
    "entity=7/mention=m1/run": [],
    'it\'s "so"; --': [],
    "back\\slash": ["backslash", "back/slash"],
    "back\\*": ["back*"],
    "100%20": ["100 "],
    "two\nlines": [],
    os.fsdecode(b"caf\xe9"): [],
}


def write(path: str, side: dict[str, str]) -> None:
    """A table through an open file, so that no library sees its name."""
    kind = SUFFIXES[os.path.splitext(path.removesuffix(".gz"))[1]]
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            if kind in ("csv", "tsv"):
                mark = "\t" if kind == "tsv" else ","
                text = "".join(f"{mark.join(row)}\n" for row in [("mention", "entity"), *side.items()]).encode()
                file.write(gzip.compress(text) if path.endswith(".gz") else text)
                return
            arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
            from pyarrow.feather import write_feather
            from pyarrow.parquet import write_table

            table = arrow.table({"mention": [*side], "entity": [*side.values()]})
            (write_table if kind == "parquet" else write_feather)(table, file)
    except OSError as reason:
        pytest.skip(f"this file system has no such names: {reason.strerror}")


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "parquet", "arrow"])
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_the_file_that_was_named_is_read(
    engine: str, name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for decoy in NAMES[name]:
        write(f"{decoy}.{kind}", DECOY)
    write("key.csv", KEY)
    write(f"{name}.{kind}", RESPONSE)
    result = scoref.score("key.csv", f"{name}.{kind}", engine=engine)
    assert result.scores == EXPECTED
    assert f"response {name}.{kind}: mention=mention, entity=entity" in result.source.notes


def test_part_files_with_such_names(engine: str, tmp_path: Path) -> None:
    for number, item in enumerate(RESPONSE.items()):
        write(str(tmp_path / "parts" / f"part[{number}].csv"), dict([item]))
    write(str(tmp_path / "key.csv"), KEY)
    for name in ("parts", "parts/part*.csv"):
        result = scoref.score(tmp_path / "key.csv", tmp_path / name, engine=engine)
        assert result.scores == EXPECTED


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_messages_have_the_name_that_was_given(
    engine: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., tuple[int, str, str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(f"key[1].{kind}", KEY)
    Path(f"run[2].{kind}").write_bytes(b"mention,entity\nm1,a\nm2\n" if kind == "csv" else b"PAR1")
    code, out, err = run("score", f"key[1].{kind}", f"run[2].{kind}", "--engine", engine)
    assert (code, out) == (2, "")
    assert f"where     run[2].{kind}" in err
    assert "scoref-" not in err


def test_a_name_that_is_not_utf8_can_be_scored_and_shown(
    engine: str, tmp_path: Path, run: Callable[..., tuple[int, str, str]]
) -> None:
    path = os.path.join(tmp_path, os.fsdecode(b"caf\xe9.csv"))
    write(path, KEY)
    for output in ("text", "json", "csv"):
        assert run("score", path, path, "--engine", engine, "--output", output)[0] == 0


def test_links_are_there_for_as_long_as_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    write(str(tmp_path / "run[2].csv"), RESPONSE)
    side = given(str(tmp_path / "run[2].csv"), "response")
    ((path, shown),) = side.files.items()
    assert (os.path.samefile(path, shown), shown) == (True, str(tmp_path / "run[2].csv"))
    del side
    gc.collect()
    assert os.listdir(tmp_path) == ["run[2].csv"]


def test_a_temporary_folder_says_whose_it_is_and_may_be_gone_before_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: failed.append(what))
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    folder = Folder()
    assert Path(folder.path).name.startswith("scoref-")
    os.rmdir(folder.path)
    del folder
    gc.collect()
    assert failed == []


def test_plain_names_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert plain_names(["é/a b.csv", "../c.csv"], "csv") == (
        {os.path.join(os.getcwd(), name): name for name in ("é/a b.csv", "../c.csv")},
        None,
    )


def test_no_link_in_a_folder_with_such_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t[1]").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t[1]"))
    with pytest.raises(scoref.Error, match="TMPDIR"):
        plain_names(["a*.csv"], "csv")
    assert os.listdir(tmp_path / "t[1]") == []


def test_files_are_copied_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: str) -> None:
        raise OSError("a required privilege is not held by the client")

    monkeypatch.setattr(os, "symlink", refuse)
    write(str(tmp_path / "run[2].csv"), RESPONSE)
    write(str(tmp_path / "key.csv"), KEY)
    result = scoref.score(tmp_path / "key.csv", tmp_path / "run[2].csv")
    assert result.scores == EXPECTED


def test_duckdb_fetches_no_extensions() -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    from scoref.tables.engines.in_duckdb import DuckEngine

    side = TableInput(given(KEY, "key"), chosen(["mention", "entity"], {}, None))
    engine = DuckEngine((side, side), Problems(), None, None)
    assert Path(engine._folder.name).name.startswith("scoref-")  # type: ignore[union-attr]
    for setting in ("autoinstall_known_extensions", "autoload_known_extensions"):
        assert not engine.fetch(f"SELECT current_setting('{setting}') AS value")["value"][0]
    engine.close()
