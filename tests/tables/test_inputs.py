"""What tables are read from, which columns are what, and what is said of bad ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoref
from places import EXAMPLES
from scoref.formats import Hows
from scoref.tables import inputs
from scoref.tables.documents import as_documents

KEY = {"m1": "a", "m2": "a", "m3": "b", "m4": "b", "m5": "c"}
RESPONSE = {"m1": "x", "m2": "y", "m3": "y", "m4": "y", "m6": "z"}
EXPECTED = scoref.score([["m1", "m2"], ["m3", "m4"], ["m5"]], [["m1"], ["m2", "m3", "m4"], ["m6"]])


def columns(side: dict[str, str], first="record_id", second="cluster") -> dict[str, list[str]]:
    return {first: list(side), second: list(side.values())}


def text(side: dict[str, str], separator=",", header="record_id{}cluster\n") -> str:
    return header.format(separator) + "".join(f"{mention}{separator}{entity}\n" for mention, entity in side.items())


def csvs(tmp_path, key=None, response=None) -> list[str]:
    for name, value in (("key.csv", key), ("response.csv", response)):
        default = KEY if name == "key.csv" else RESPONSE
        (tmp_path / name).write_text(value if isinstance(value, str) else text(default))
    return [str(tmp_path / "key.csv"), str(tmp_path / "response.csv")]


def check(result: scoref.Evaluation) -> None:
    assert result.keys() == EXPECTED.keys()
    for metric, score in EXPECTED.scores.items():
        assert result[metric] == pytest.approx(score, abs=1e-12), metric


def test_mappings_and_arrays(engine):
    check(scoref.score(KEY, RESPONSE, engine=engine))
    sides = [(np.array(list(side)), np.array(list(side.values()))) for side in (KEY, RESPONSE)]
    check(scoref.score(*sides, engine=engine))


def test_two_arrays_of_labels_as_other_libraries_have_them(engine):
    pytest.importorskip("numpy")
    result = scoref.score(np.array([0, 0, 1, 1]), np.array([7, 7, 7, 8]), metrics=["pairwise"], engine=engine)
    assert result.counts["pairwise"].tolist() == [[1, 2, 1, 3]]


def test_a_large_series_is_a_table(engine, monkeypatch):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    monkeypatch.setattr(inputs, "_MODEST", 4)
    sides = pandas.Series(KEY), pandas.Series(RESPONSE)
    result = scoref.score(*sides, engine=engine)
    check(result)
    assert f"engine {engine}" in str(result)
    check(scoref.score(sides[0], RESPONSE, engine=engine))


@pytest.mark.parametrize(
    ("values", "index"),
    [
        ([1, 1, 2, 2, 3], list("abcda")),
        ([1.5, 1, 2, 2, 3], list("abcde")),
        ([1, 1, 2, 2, 3], [("a", 1)] * 4 + [("b", 1)]),
    ],
    ids=["twice", "fractions", "pairs"],
)
def test_other_large_series_are_mentions_of_a_document(values, index, monkeypatch):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    monkeypatch.setattr(inputs, "_MODEST", 4)
    labels = pandas.Series(values, index=index)
    assert scoref.score(labels, labels).documents == ("document",)


@pytest.mark.parametrize(
    ("rows", "is_there", "name"), [(50_000, True, "numpy"), (50_001, True, "duckdb"), (50_001, False, "numpy")]
)
def test_numpy_counts_what_is_small_or_what_nothing_else_can(rows, is_there, name, monkeypatch):
    pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    if not is_there:
        monkeypatch.setattr("scoref.tables.opening.find_spec", lambda package: None)
    labels = np.arange(rows) // 2
    assert f"engine {name}" in str(scoref.score(labels, labels, metrics=["b3"]))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "duckdb"])
def test_frames(engine, library):
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    if library == "duckdb":
        arrow = pytest.importorskip("pyarrow")
        connection = module.connect()
        tables = [arrow.table(columns(side)) for side in (KEY, RESPONSE)]
        frames = [connection.from_arrow(table) for table in tables]
    else:
        make = module.table if library == "pyarrow" else module.DataFrame
        frames = [make(columns(side)) for side in (KEY, RESPONSE)]
    result = scoref.score(*frames, engine=engine)
    check(result)
    assert "mention=record_id (guessed), entity=cluster (guessed)" in str(result)


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "json", "parquet", "feather"])
def test_files(engine, kind, tmp_path):
    paths = []
    for name, side in (("key", KEY), ("response", RESPONSE)):
        path = tmp_path / f"{name}.{kind}"
        if kind in ("csv", "tsv"):
            path.write_text(text(side, "\t" if kind == "tsv" else ","))
        elif kind == "csv.gz":
            path.write_bytes(gzip.compress(text(side).encode()))
        elif kind == "json":
            path.write_text(json.dumps(columns(side)))
        else:
            arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
            if kind == "parquet":
                from pyarrow.parquet import write_table
            else:
                from pyarrow.feather import write_feather as write_table
            write_table(arrow.table(columns(side)), str(path))
        paths.append(path)
    check(scoref.score(*paths, engine=engine, format="table"))


def test_folders_and_patterns(engine, tmp_path):
    for name, side in (("key", KEY), ("response", RESPONSE)):
        (tmp_path / name).mkdir()
        pairs = list(side.items())
        for number in range(2):
            (tmp_path / name / f"part-{number}.csv").write_text(text(dict(pairs[number::2])))
    check(scoref.score(tmp_path / "key", tmp_path / "response", engine=engine))
    check(scoref.score(f"{tmp_path}/key/*.csv", f"{tmp_path}/response/*.csv", engine=engine))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_marks_between_cells_are_those_of_the_first_line(engine, mark, ending, tmp_path, run):
    paths = [tmp_path / f"{name}.{ending}" for name in ("key", "response")]
    for path, side in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(text(side, mark))
    check(scoref.score(*paths, engine=engine))
    out = run("convert", paths[0], "-", "--format", "table", "--to", "clusters")[1]
    assert json.loads(out)["clusters"] == {"a": ["m1", "m2"], "b": ["m3", "m4"], "c": ["m5"]}


def test_part_files_may_have_other_marks_and_another_order(engine, tmp_path):
    rows = [*KEY.items()]
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "1.csv").write_text(text(dict(rows[:2]), ";"))
    (tmp_path / "key" / "2.csv").write_text("cluster,record_id\n" + "".join(f"{e},{m}\n" for m, e in rows[2:]))
    (tmp_path / "response.csv").write_text(text(RESPONSE))
    check(scoref.score(tmp_path / "key", tmp_path / "response.csv", engine=engine))


def test_integers_and_texts(engine, tmp_path):
    """Integers against integers; against cells of a text file, as texts; against texts never."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    numbers = arrow.table({"id": [1, 2, 10], "cluster": [5, 5, 6]})
    (tmp_path / "r.csv").write_text("id,cluster\n1,a\n2,b\n10,b\n")
    for other in (arrow.table({"id": [10, 2, 1], "cluster": [8, 8, 9]}), str(tmp_path / "r.csv")):
        result = scoref.score(numbers, other, metrics=["b3"], engine=engine)
        assert result["b3"].recall == pytest.approx(2 / 3)
    with pytest.raises(scoref.Error, match="mentions are integers in the key, texts in the response") as error:
        scoref.score(numbers, arrow.table({"id": ["1"], "cluster": [1]}), engine=engine)
    assert error.value.code == "different-types"
    with pytest.raises(scoref.Error, match="the column of the mention has values of type") as error:
        scoref.score(numbers, arrow.table({"id": [1.5], "cluster": [1]}), engine=engine)
    assert error.value.code == "bad-column"


def test_columns_by_name(tmp_path, run):
    paths = csvs(tmp_path, "a,b,c\nm1,e1,d\nm2,e1,d\n", "a,b,c\nm1,e1,d\nm2,e2,d\n")
    code, out, err = run("score", *paths)
    assert (code, out) == (2, "")
    assert "no column that is plainly the mention" in err
    assert "expected  one of a, b, c" in err
    code, out, err = run("score", *paths, "--columns", "mention=a,entity=b", "--json")
    assert json.loads(out)["scores"]["b3"]["recall"] == 0.5
    code, _, err = run("score", *paths, "--columns", "mention=a,entity=z")
    assert (code, "no column 'z'" in err) == (2, True)
    code, _, err = run("score", *paths, "--columns", "mention=a,entity=a")
    assert (code, "one column" in err) == (2, True)


@pytest.mark.parametrize(
    ("side", "content", "place", "message"),
    [
        ("key", "id,cluster\nm1,a\nm2,\n", ":3", "1 row without an entity"),
        ("key", "id,cluster\nm1,a\n,b\nm2,b\n", ":3", "1 row without a mention"),
        ("response", "id,cluster\nm1,a\nm2,b,c\n", ":3", "3 cells, but the first line has 2"),
        ("key", "id,cluster\n", "", "the table has no rows"),
        ("key", "", "", "the table is empty"),
    ],
)
def test_bad_rows_are_located(engine, tmp_path, run, side, content, place, message):
    paths = csvs(tmp_path, **{side: content})
    code, out, err = run("score", *paths, "--engine", engine)
    assert (code, out) == (2, "")
    assert message in err
    assert f"{side}.csv{place}" in err
    if place:
        code, out, err = run("score", *paths, "--engine", engine, "--on-problem", "skip")
        assert code == 0
        assert message in " ".join(out.split())


def test_a_table_without_rows_has_nothing_to_show(tmp_path, run):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name, values in (("key", ["a", "b"]), ("response", [])):
        column = pyarrow.array(values, pyarrow.string())
        parquet.write_table(pyarrow.table({"mention": column, "entity": column}), tmp_path / f"{name}.parquet")
    files = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for command in ("agreement", "explain", "errors"):
        assert run(command, *files)[0] == 0
    assert run("report", *files, "-o", tmp_path / "page.html")[0] == 0
    assert scoref.analyse(*files).evaluation["b3"].recall == 0


def test_a_response_without_rows_is_empty_and_said_to_be(engine, tmp_path, run):
    paths = csvs(tmp_path, response="id,cluster\n")
    code, out, _ = run("score", *paths, "--engine", engine, "--json")
    assert code == 0
    assert [(each["code"], each["fatal"]) for each in json.loads(out)["problems"]] == [("empty-file", False)]
    assert json.loads(out)["scores"]["b3"]["recall"] == 0


def test_tables_of_which_nothing_is_left_are_one_unit(engine, tmp_path):
    (tmp_path / "key.csv").write_text("mention,entity\na,1\nb,2\n")
    found = scoref.score(tmp_path / "key.csv", tmp_path / "key.csv", engine=engine, singletons="drop")
    assert len(found.documents) == 1
    assert set(found.undefined) >= {"mentions", "b3"}
    assert scoref.merge([found])["b3"] == found["b3"]


def test_a_mention_twice(engine, tmp_path, run):
    paths = csvs(tmp_path, "id,cluster\nm1,a\nm2,a\nm3,b\nm2,b\n")
    found = {}
    for which in ("first", "last"):
        code, out, _ = run("score", *paths, "--engine", engine, "--duplicates", which, "--json")
        assert code == 0
        found[which] = json.loads(out)["counts"]["muc"]["recall"][1]
        problem = json.loads(out)["problems"][0]
        assert (problem["code"], problem["line"], problem["text"]) == ("duplicate-mention", 5, "m2")
        assert problem["message"].startswith("2 rows have a mention that another row has too; 1 mentions are in diff")
    assert found == {"first": 1, "last": 1}
    code, out, _ = run("score", *paths, "--engine", engine, "--on-problem", "skip", "--json")
    assert (code, json.loads(out)["problems"][0]["line"]) == (0, 5)
    for which in ("error", "keep", "reference"):
        code, out, err = run("score", *paths, "--engine", engine, "--duplicates", which)
        assert (code, out) == (2, "")
        assert "key.csv:5" in err


def test_first_and_last_are_those_of_the_file(engine, tmp_path):
    """Many rows, in several parts of a file: each mention twice, first in its entity, then all in one."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    from pyarrow.parquet import write_table

    number = 30_000
    mentions = list(range(number))
    table = arrow.table({"mention": mentions + mentions, "entity": mentions + [0] * number})
    write_table(table, tmp_path / "key.parquet", row_group_size=5000)
    write_table(arrow.table({"mention": mentions, "entity": mentions}), tmp_path / "r.parquet")
    paths = tmp_path / "key.parquet", tmp_path / "r.parquet"
    for which, entities in (("first", number), ("last", 1)):
        result = scoref.score(*paths, metrics=["b3-classes"], duplicates=which, engine=engine)
        assert result.counts["b3-classes"][0, 1] == entities


def test_a_file_that_is_cut_off(engine, tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    from pyarrow.parquet import write_table

    for name, side in (("key", KEY), ("response", RESPONSE)):
        write_table(arrow.table(columns(side)), tmp_path / f"{name}.parquet")
    whole = (tmp_path / "response.parquet").read_bytes()
    (tmp_path / "response.parquet").write_bytes(whole[:-20])
    with pytest.raises(scoref.Error, match="the table cannot be read") as error:
        scoref.score(tmp_path / "key.parquet", tmp_path / "response.parquet", engine=engine)
    assert error.value.code == "broken-table"
    assert str(error.value.path).endswith("response.parquet")


@pytest.mark.parametrize("data", [b"\x1f\x8b\x08\0\0\0\0\0\2\3S", b"\x1f\x8b\x08\0\0\0\0\0\2\3\xff\xff", b"x"])
def test_packed_tables_that_are_broken(engine, tmp_path, run, data):
    paths = [str(path) for path in csvs(tmp_path)]
    (tmp_path / "packed.tsv.gz").write_bytes(data)
    code, out, err = run("score", paths[0], tmp_path / "packed.tsv.gz", "--engine", engine)
    assert (code, out) == (2, "")
    assert "packed.tsv.gz" in err


def test_a_file_of_texts_that_are_none(engine, tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    from pyarrow.parquet import write_table

    names = arrow.array([b"\xc1", b"b"]).view(arrow.string())
    write_table(arrow.table({"mention": names, "entity": [1, 1]}), tmp_path / "table.parquet")
    with pytest.raises(scoref.Error, match="the table cannot be read") as error:
        scoref.score(tmp_path / "table.parquet", tmp_path / "table.parquet", engine=engine)
    assert error.value.code == "broken-table"


# -- where bytes come from -------------------------------------------------------------------------------------------


@pytest.fixture
def piped(run, monkeypatch):
    """Runs a command with something on standard input."""

    def call(data: bytes, *argv: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run(*argv)

    return call


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_tables_through_a_pipe_score_as_files_do(engine, piped, tmp_path, pack, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    paths = csvs(tmp_path)
    how = "--json", "--engine", engine, "--with", "singletons:drop"
    code, expected, _ = piped(b"", "score", *paths, *how)
    wanted = json.loads(expected)
    for sides in (["-", paths[1]], [paths[0], "-"]):
        data = pack(Path(paths[sides.index("-")]).read_bytes())
        for option in ((), ("--format", "table")):
            code, out, _ = piped(data, "score", *sides, *how, *option)
            found = json.loads(out)
            assert (code, found["scores"], found["settings"]) == (0, wanted["scores"], wanted["settings"])
    code, out, _ = piped(Path(paths[0]).read_bytes(), "compare", "-", paths[1], paths[0], "--json")
    assert json.loads(out)["systems"]["response.csv"]["b3"]["f1"] == wanted["scores"]["b3"]["f1"]
    for command, *option in (["errors"], ["explain"], ["agreement", "--names", "A,B"]):
        argv = paths[1], "--output", "json", *option
        both = [piped(Path(paths[0]).read_bytes(), command, key, *argv) for key in (paths[0], "-")]
        assert [code for code, *_ in both] == [0, 0]
        assert both[1][1] == both[0][1].replace(paths[0], "-")
    assert not [*(tmp_path / "temporary").iterdir()]


def test_a_pipe_in_a_folder_is_read_once(tmp_path):
    paths = csvs(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(Path(paths[1]).read_bytes()))
    writer.start()
    result = scoref.score(paths[0], tmp_path / "pipe", settings=["singletons:drop"])
    writer.join()
    check(result)


def test_bad_rows_of_a_pipe_are_located_there(engine, piped, tmp_path):
    code, out, err = piped(b"id,cluster\nm1,a\nm2,b,c\n", "score", "-", csvs(tmp_path)[1], "--engine", engine)
    assert (code, out) == (2, "")
    assert "where     -:3" in err


def test_a_table_of_another_ending_is_scored_if_it_is_said_to_be_one(engine, tmp_path):
    paths = [tmp_path / "key.txt", tmp_path / "response.dat"]
    for path, side in zip(paths, (KEY, RESPONSE), strict=True):
        path.write_text(text(side))
    check(scoref.score(*paths, format="table", engine=engine))


def test_a_mark_of_utf8_at_the_beginning_is_no_letter(engine, tmp_path):
    for name, side in (("key.csv", KEY), ("response.csv", RESPONSE)):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text(side).encode())
    check(scoref.score(tmp_path / "key.csv", tmp_path / "response.csv", engine=engine))


@pytest.mark.parametrize(("mark", "other"), [("\t", ","), (",", ";"), (";", "|")])
def test_of_two_marks_in_the_first_line_tabs_come_first_then_commas(engine, tmp_path, mark, other):
    """Where the name of a file says nothing of them."""
    for name, side in (("key", KEY), ("response", RESPONSE)):
        header = f"record_id{mark}cluster{mark}a{other}b\n"
        (tmp_path / name).write_text(header + "".join(f"{m}{mark}{e}{mark}c\n" for m, e in side.items()))
    check(scoref.score(tmp_path / "key", tmp_path / "response", format="table", engine=engine))


def test_a_table_against_words_is_refused_wherever_it_comes_from(piped, tmp_path):
    """It would score 0, as names of mentions are no words."""
    words, key = EXAMPLES / "response.conll", EXAMPLES / "key.conll"
    table, other = tmp_path / "table.csv", tmp_path / "table.txt"
    assert piped(b"", "convert", words, table)[0] == 0
    other.write_bytes(table.read_bytes())
    said = {}
    for place in (table, other, "-"):
        for sides in ([key, place], [place, key]):
            code, out, err = piped(table.read_bytes(), "score", *sides)
            assert (code, out, "[mixed-formats]" in err) == (2, "", True)
            said.setdefault(sides.index(key), set()).add(err)
    assert [len(each) for each in said.values()] == [1, 1]
    code, out, err = piped(words.read_bytes(), "score", table, "-")
    assert (code, out, "[mixed-formats]" in err, "--format" in err) == (2, "", True, False)
    with pytest.raises(scoref.Error, match="the key is no table, but the other side is"):
        scoref.score(scoref.read(key), other)


def test_what_cannot_be_done_is_said(run, tmp_path):
    paths = csvs(tmp_path)
    for option, word in (("--match", "head"), ("--layer", "bridging"), ("--nested", "drop")):
        code, out, err = run("score", *paths, option, word)
        assert (code, out, "not-on-tables" in err) == (2, "", True)
    code, out, err = run("score", *paths, "--by", "entity")
    assert (code, out) == (2, "")
    assert "scoref errors" in err
    with pytest.raises(scoref.Error, match="no table, but the other side is"):
        scoref.score(paths[0], [["a", "b"]])
    with pytest.raises(scoref.Error, match="no engine 'sqlite'"):
        scoref.score(KEY, RESPONSE, engine="sqlite")


def test_missing_packages_give_the_install_line(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(scoref.Error, match=r"pip install 'scoref\[tables\]'"):
        scoref.score(KEY, RESPONSE, engine="duckdb")
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(scoref.Error, match=r"pip install 'scoref\[spark\]'"):
        scoref.score(KEY, RESPONSE, engine="spark")


def test_other_formats_keep_their_endings(tmp_path):
    from scoref.tables.inputs import is_table

    (tmp_path / "webanno.tsv").write_text("#FORMAT=WebAnno TSV 3.3\n\n\n#Text=Ada\n1-1\t0-3\tAda\n")
    (tmp_path / "table.tsv").write_text("#mention\tcluster\nr1\t1\n")
    assert [is_table(tmp_path / name, None) for name in ("webanno.tsv", "table.tsv")] == [False, True]


def test_clusterings_as_scikit_learn_has_them(engine):
    sklearn = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    random = np.random.default_rng(2)
    truth = random.integers(0, 30, 500)
    labels = np.where(random.random(500) < 0.8, truth, random.integers(0, 30, 500))
    result = scoref.score(truth, labels, metrics=["ari", "v-measure"], engine=engine)
    assert result["ari"].f1 == pytest.approx(sklearn.adjusted_rand_score(truth, labels), abs=1e-12)
    homogeneity, completeness, v = sklearn.homogeneity_completeness_v_measure(truth, labels)
    assert result["v-measure"] == pytest.approx((completeness, homogeneity, v), abs=1e-12)


def documents(tmp_path) -> list[str]:
    key = "doc,id,cluster,year\n" + "".join(f"d{d},m{m},e{m // 2},{2000 + d % 2}\n" for d in range(6) for m in range(4))
    response = "doc,id,cluster\n" + "".join(f"d{d},m{m},e{m // (1 + d % 3)}\n" for d in range(5) for m in range(4))
    return csvs(tmp_path, key, response)


def test_documents_fields_intervals_and_saving(engine, tmp_path, run):
    paths = documents(tmp_path)
    code, out, _ = run("score", *paths, "--engine", engine, "--by", "year", "--ci", "--trials", 100, "--json",
                       "--save", tmp_path / "saved.json")  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["documents"] == 6
    assert list(found["by"]["year"]) == ["2000", "2001"]
    assert found["problems"][0]["code"] == "missing-document"
    assert "ci" in found["scores"]["b3"]
    code, out, _ = run("merge", tmp_path / "saved.json", "--json")
    assert json.loads(out)["scores"]["b3"]["f1"] == found["scores"]["b3"]["f1"]
    code, out, _ = run("compare", paths[0], paths[1], paths[0], "--engine", engine, "--unit", "year", "--json")
    assert code == 0
    assert json.loads(out)["systems"]


@pytest.mark.parametrize("field", ["year", "parts"])
def test_a_document_that_only_the_response_has_has_no_value_of_a_field_of_the_key(engine, tmp_path, field):
    """Parts are made of the names of documents, so that it has one."""
    key, response = documents(tmp_path)
    Path(response).write_text(Path(response).read_text() + "d9,m1,e1\n")
    how = {"columns": {field: field}, "extra": "ignore", "engine": engine, "metrics": ["mentions"]}
    result = scoref.score(key, response, **how)
    assert result.documents == tuple(f"d{number}" for number in range(6))
    values = [str(2000 + n % 2) for n in range(6)] if field == "year" else [
        hashlib.md5(f"d{n}".encode()).hexdigest()[:3] for n in range(6)
    ]  # fmt: skip
    assert result.source.saved_fields == {field: tuple(values)}


def test_parts_that_are_made_stand_beside_a_field(engine, tmp_path):
    key, _ = documents(tmp_path)
    result = scoref.score(key, key, columns={"parts": "parts", "year": "year"}, engine=engine, metrics=["mentions"])
    parts = tuple(hashlib.md5(f"d{n}".encode()).hexdigest()[:3] for n in range(6))
    assert result.source.saved_fields == {"parts": parts, "year": tuple(str(2000 + n % 2) for n in range(6))}


def test_parts_are_those_of_a_column_or_made(engine, tmp_path):
    """If the key has no column of parts, there are 4096, the names of entities tell which."""
    plain, own = "mention,entity a,1 b,1 c,2", "mention,entity,parts a,1,x b,1,y c,2,y"
    for text, names, counts in (
        (own, ("x", "y"), {"x": 1, "y": 2}),
        (plain, tuple(f"{n:03x}" for n in range(4096)),
         {hashlib.md5(b"1").hexdigest()[:3]: 2, hashlib.md5(b"2").hexdigest()[:3]: 1}),
    ):  # fmt: skip
        table = tmp_path / "t.csv"
        table.write_text("\n".join(text.split()) + "\n")
        result = scoref.score(table, table, columns={"parts": "parts"}, engine=engine, metrics=["mentions"])
        assert result.documents == names
        found = dict(zip(names, result.counts["mentions"].tolist(), strict=True))
        assert {name: values for name, values in found.items() if any(values)} == {
            name: [number] * 4 for name, number in counts.items()
        }


def test_extra_documents(engine, tmp_path, run):
    key, response = documents(tmp_path)
    code, out, err = run("score", response, key, "--engine", engine)
    assert (code, out) == (2, "")
    assert "1 documents that the key does not have" in err
    code, out, _ = run("score", response, key, "--engine", engine, "--extra", "ignore", "--json")
    assert (code, json.loads(out)["documents"]) == (0, 5)


def test_by_size(engine):
    """As groups of entities of documents are."""
    clusters = [["m1", "m2"], ["m3", "m4"], ["m5"]], [["m1"], ["m2", "m3", "m4"], ["m6"]]
    expected = scoref.score(*clusters, metrics=["muc", "b3", "ceafe", "lea", "blanc"]).by("size")
    result = scoref.score(KEY, RESPONSE, metrics=["muc", "b3", "ceafe", "lea", "blanc"], engine=engine)
    assert {counts.shape for group in result.source.groups["size"].values() for counts in group.values()} == {(4,)}
    found = result.by("size")
    assert found.keys() == expected.keys()
    for label, scores in expected.items():
        for metric, score in scores.items():
            assert found[label][metric] == pytest.approx(score, abs=1e-12), (label, metric)


@pytest.mark.parametrize("frequent", [2, 3])
def test_entities_of_equal_numbers_count_as_often_as_they_are_there(engine, frequent):
    """Three copies of the same clusters: in tables, equal shapes stand once, with their number."""
    copies = [[[f"{copy}{each}" for each in group] for copy in "xyz" for group in side]
              for side in ([["m1", "m2"], ["m3", "m4"], ["m5"]], [["m1"], ["m2", "m3", "m4"], ["m6"]])]  # fmt: skip
    tables = [{each: str(number) for number, group in enumerate(side) for each in group} for side in copies]
    how = {"metrics": ["muc", "b3", "ceafm", "ceafe", "lea", "blanc", "entities-macro", "entities-micro", "assa"],
           "frequent": frequent}  # fmt: skip
    how["metrics"] += ["ceafe-rn", "ceafm-sys"]  # in which entities do not count as they are: they have no groups
    expected, found = scoref.score(*copies, **how), scoref.score(*tables, engine=engine, **how)
    for name, counts in expected.counts.items():
        assert found.counts[name].ravel().tolist() == pytest.approx(counts.ravel().tolist(), abs=1e-12), name
    sizes = expected.by("size"), found.by("size")
    assert {label: {*scores} for label, scores in sizes[1].items()} == {
        label: {*scores} for label, scores in sizes[0].items()
    }
    for label, scores in sizes[0].items():
        for metric in ("muc", "b3", "ceafm", "ceafe", "lea", "blanc"):
            assert sizes[1][label][metric] == pytest.approx(scores[metric], abs=1e-12), (label, metric)


def test_errors(engine, tmp_path, run):
    paths = csvs(tmp_path)
    code, out, _ = run("errors", *paths, "--engine", engine, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["mentions"] == {"key": 5, "response": 5, "both": 4}
    split, merged = found["splits"], found["merges"]
    assert (split["entities"], split["of"], split["more"]) == (1, 3, 1)
    assert (merged["entities"], merged["of"], merged["more"]) == (1, 3, 1)
    # {m1 m2} is cut in two: (2² − 1² − 1²)/2 of 5 mentions; {m2 m3 m4}: (3² − 1² − 2²)/3 of 5
    assert split["worst"][0]["lost"] == pytest.approx(1 / 5)
    assert merged["worst"][0]["lost"] == pytest.approx(4 / 3 / 5)
    assert (merged["worst"][0]["entity"], merged["worst"][0]["parts"]) == ("y", 2)
    for output in ("text", "csv", "markdown", "latex"):
        assert run("errors", *paths, "--engine", engine, "--output", output)[0] == 0


def test_text_tables_are_a_format_too(tmp_path, run):
    paths = csvs(tmp_path)
    code, out, _ = run("convert", paths[0], "-", "--format", "table", "--to", "clusters")
    assert code == 0
    assert json.loads(out)["clusters"] == {"a": ["m1", "m2"], "b": ["m3", "m4"], "c": ["m5"]}
    (tmp_path / "bad.csv").write_text("id,cluster\nm1,\n")
    code, out, _ = run("validate", tmp_path / "bad.csv", "--format", "table")
    assert (code, "bad.csv:2" in out) == (1, True)


def test_errors_refuse_documents_that_the_key_lacks(tmp_path, run):
    for name, document in (("key", "d"), ("response", "e")):
        (tmp_path / f"{name}.tsv").write_text(f"doc\tmention\tentity\n{document}\t2\t7\n")
    for command in ("score", "errors"):
        code, out, said = run(command, tmp_path / "key.tsv", tmp_path / "response.tsv")
        assert (code, out) == (2, "")
        assert "[extra-document]" in said


def test_a_broken_parquet_file_is_an_error_whatever_the_library_says(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")

    def broken(path):
        raise NotImplementedError("Integers with more than 64 bits not implemented")

    (tmp_path / "key.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr(parquet, "read_schema", broken)
    with pytest.raises(scoref.Error, match="more than 64 bits") as error:
        scoref.score(tmp_path / "key.parquet", tmp_path / "key.parquet")
    assert error.value.code == "broken-table"


# -- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "csv.gz"])
def test_tables_that_were_written_keep_the_scores(run, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    sides = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
    tables = [tmp_path / f"{side.stem}.{ending}" for side in sides]
    for side, table in zip(sides, tables, strict=True):
        assert run("convert", side, table, "--to", "table")[:2] == (0, "")
    expected, found = (scoref.score(*each, metrics=["all"]) for each in (sides, tables))
    assert found.documents == expected.documents
    for name, values in expected.scores.items():
        assert found[name] == pytest.approx(values, abs=1e-12), name


def test_what_a_table_cannot_have_is_said(run, tmp_path):
    (tmp_path / "in.jsonl").write_text(
        '{"doc_key": "a", "sentences": [["x", "y"]], "clusters": [[[0, 0]], [[0, 0], [1, 1]]]}\n'
        '{"doc_key": "b", "sentences": [["x"]], "clusters": []}\n'
    )
    code, out, err = run("convert", tmp_path / "in.jsonl", "-", "--to", "table")
    assert (code, out.splitlines()) == (0, ["document,mention,entity", "a,0-0,0", "a,0-0,1", "a,1-1,1"])
    assert "documents without mentions: 1 left out" in err
    assert "1 mentions are in several rows" in err


def test_commands_that_show_documents_read_text_tables(run, tmp_path):
    paths = csvs(tmp_path)
    assert run("report", *paths, "-o", tmp_path / "page.html")[0] == 0
    code, out, _ = run("agreement", *paths)
    assert (code, f"{100 * EXPECTED['b3'].f1:.2f}" in out) == (0, True)


def _pair_of_tables(kind: str, tmp_path: Path) -> list[object]:
    if kind == "files":
        return [*csvs(tmp_path)]
    if kind == "mappings":
        return [KEY, RESPONSE]
    if kind == "arrays":
        return [(np.array([*side]), np.array([*side.values()])) for side in (KEY, RESPONSE)]
    module = pytest.importorskip(kind, reason=f"{kind} is not installed")
    make = module.table if kind == "pyarrow" else module.DataFrame
    return [make(columns(side)) for side in (KEY, RESPONSE)]


@pytest.mark.parametrize("kind", ["files", "mappings", "arrays", "pandas", "polars", "pyarrow"])
def test_what_shows_documents_takes_all_that_score_takes_as_tables(kind, tmp_path):
    """It says what it says of the same entities as clusters."""
    key, response = _pair_of_tables(kind, tmp_path)
    plain = [["m1", "m2"], ["m3", "m4"], ["m5"]], [["m1"], ["m2", "m3", "m4"], ["m6"]]
    assert scoref.agreement([key, response])["b3"] == EXPECTED["b3"].f1
    assert scoref.analyse(key, response).counts() == scoref.analyse(*plain).counts()
    both = [scoref.explain(*sides, number={"b3": 50}).to_dict() for sides in ((key, response), plain)]
    assert both[0]["yours"]["scores"] == both[1]["yours"]["scores"]
    found, wanted = (scoref.stability(*sides, repetitions=2) for sides in ((key, response), plain))
    assert (found.spurious, found["b3"]) == (wanted.spurious, wanted["b3"])
    for systems in ({"A": response}, {"A": response, "B": key}):
        assert scoref.report(key, systems, trials=10).startswith("<!DOCTYPE html>")


def test_documents_of_tables_have_one_type_of_mention(tmp_path):
    """As in scoring: integers against cells of a text file are texts; against texts they are refused."""
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    (tmp_path / "r.csv").write_text("id,cluster\n1,a\n2,b\n10,b\n")
    numbers = pandas.DataFrame({"id": [1, 2, 10], "cluster": [5, 5, 6]})
    for sides in ([numbers, tmp_path / "r.csv"], [tmp_path / "r.csv", numbers]):
        assert scoref.agreement(sides)["b3"] == pytest.approx(scoref.score(*sides)["b3"].f1)
    for call in (scoref.score, scoref.analyse):
        with pytest.raises(scoref.Error, match="mentions are integers in the key, texts in the response"):
            call(numbers, pandas.DataFrame({"id": ["1"], "cluster": [1]}))


def test_a_mapping_of_systems_is_no_response():
    for call in (scoref.report, scoref.compare):
        with pytest.raises(scoref.Error, match="the system m1 is of type int") as error:
            call({"m1": 1, "m2": 1}, {"m1": 1, "m2": 2})
        assert error.value.code == "bad-systems"
    assert scoref.report({"m1": 1, "m2": 1}, {"A": {"m1": 1, "m2": 2}}).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ({(0, 1): 1, (2, 2): 1, (3, 4): 2}, {(0, 1): 1, (2, 2): 2, (3, 4): 2}),
        ({"a": "x", 3: "x", 4: "y"}, {"a": 1, 3: 2, 4: 2}),
        ({"a": "x", "b": "x", "c": 5}, {"a": 1, "b": "y", "c": "y"}),
        ({"a": True, "b": True, "c": False}, {"a": 1, "b": 2, "c": 2}),
    ],
)
def test_the_entity_of_each_mention_whatever_mentions_and_entities_are(key, response):
    groups = []
    for side in (key, response):
        gathered: dict = {}
        for mention, entity in side.items():
            gathered.setdefault(entity, []).append(mention)
        groups.append([*gathered.values()])
    assert scoref.score(key, response).scores == scoref.score(*groups).scores


def test_documents_in_one_table_only(engine, tmp_path, run):
    """Mentions that documents tell apart are not repeated; nobody is told to leave some out."""
    rows = [("d1", "1", "a"), ("d1", "2", "a"), ("d2", "1", "b"), ("d2", "2", "b")]
    full = "doc,mention,entity\n" + "".join(",".join(row) + "\n" for row in rows)
    bare = "mention,entity\n" + "".join(f"{mention},{entity}\n" for _, mention, entity in rows)
    for texts in ((full, bare), (bare, full)):
        paths = csvs(tmp_path, *texts)
        for option in ((), ("--duplicates", "first"), ("--on-problem", "skip"), ("--scope", "corpus")):
            code, out, err = run("score", *paths, "--engine", engine, *option)
            assert (code, out, "[lone-documents]" in err) == (2, "", True)
            assert f"none in {paths[texts.index(bare)]}" in err
            assert "--duplicates" not in err
        for command in ("explain", "agreement", "errors"):
            assert "[lone-documents]" in run(command, *paths)[2]
    apart = "doc,mention,entity\nd1,m1,a\nd1,m2,a\nd2,m3,b\n"
    paths = csvs(tmp_path, apart, "mention,entity\nm1,x\nm2,y\nm3,y\n")
    code, out, _ = run("score", *paths, "--engine", engine)
    assert code == 0
    assert "doc does not count: the other table has no documents" in " ".join(out.split())


def test_intervals_of_a_table_without_documents_say_what_to_draw(run, tmp_path):
    code, out, _ = run("score", *csvs(tmp_path), "--ci", "--trials", 100)
    assert (code, "--unit parts" in " ".join(out.split())) == (0, True)


def test_tables_as_documents_score_as_tables(tmp_path: Path) -> None:
    """Documents count if both sides have a column of them, whatever the columns are called."""
    texts = {
        "key.tsv": "paper\tname\tauthor\nd\t2\t7\ne\t3\t8\ne\t4\t8\n",
        "same.tsv": "author\tpaper\tname\nx\td\t2\ny\te\t3\ny\te\t4\n",
        "bare.tsv": "name\tauthor\n3\t8\n4\t8\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    plain = {"mention": "name", "entity": "author"}
    for response, columns, documents in (("same.tsv", plain | {"document": "paper"}, 2), ("bare.tsv", plain, 1)):
        sides = [tmp_path / "key.tsv", tmp_path / response]
        shown = as_documents(sides, Hows.of({"columns": columns}))
        assert [len(each) for each in shown] == [documents, documents]
        assert scoref.score(*shown)["b3"] == scoref.score(*sides, columns=columns)["b3"]


def test_documents_of_one_side_count_where_the_corpus_is_one(tmp_path: Path) -> None:
    (tmp_path / "key.tsv").write_text("document\tmention\tentity\nd\t2\t7\nd\t3\t7\nf\t1\t7\n")
    (tmp_path / "response.tsv").write_text("document\tmention\tentity\nd\t2\t7\nd\t3\t7\ne\t3\t8\n")
    sides = [tmp_path / "key.tsv", tmp_path / "response.tsv"]
    tables, shown = scoref.score(*sides, scope="corpus"), as_documents(sides, Hows(), scope="corpus")
    documents = scoref.score(*shown, scope="corpus")
    assert tables["mentions"][:2] == documents["mentions"][:2] == (2 / 3, 2 / 3)
    assert tables.problems == documents.problems == ()
    places = [{document.id: (document.source, document.line) for document in side} for side in shown]
    key, response = map(str, sides)
    assert places == [
        {"d": (key, 2), "f": (key, 4), "e": (key, None)},
        {"d": (response, 2), "e": (response, 4), "f": (response, None)},
    ]


def test_a_table_beside_documents_is_refused_alike_in_scores_and_pages(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("mention,entity\n1,2\n")
    (tmp_path / "key.json").write_text('[["1", "2"]]')
    for call in (lambda *sides: scoref.score(*sides), lambda *sides: as_documents(sides, Hows())):
        with pytest.raises(scoref.Error) as error:
            call(tmp_path / "key.json", tmp_path / "table.csv")
        assert error.value.code == "mixed-formats"


@pytest.mark.parametrize("empty", ["mention", "entity", "document"])
def test_empty_cells_are_counted_and_left_out_by_every_engine(engine, tmp_path, empty):
    """A text without letters names nothing: its row is reported, and scores are those of the others."""
    whole = {"document": ["d"] * 3, "mention": ["a", "b", "c"], "entity": ["1", "1", "2"]}
    more = {name: [*values, "" if name == empty else f"d{name[1:]}"] for name, values in whole.items()}
    for name, table in (("key", whole), ("response", more)):
        lines = [",".join(table), *map(",".join, zip(*table.values(), strict=True))]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    arrow = pytest.importorskip("pyarrow")
    files = tmp_path / "key.csv", tmp_path / "response.csv"
    for sides in (files, (arrow.table(whole), arrow.table(more))):  # in files they are nothing, in frames a text
        with pytest.raises(scoref.Error) as error:
            scoref.score(*sides, engine=engine)
        result = scoref.score(*sides, engine=engine, on_problem="skip")
        assert [problem.code for problem in result.problems] == [error.value.code] == ["missing-value"]
        assert result["mentions"] == (1, 1, 1)


# -- columns of one name ---------------------------------------------------------------------------------------------


def _with_columns(folder: Path, kind: str, names: list[str]) -> Any:
    """A table of three mentions in each kind of file, or a frame."""
    rows = [("1", "a", "x", "q"), ("2", "a", "x", "q"), ("3", "b", "x", "q")]
    if kind in ("csv", "tsv"):
        mark = "," if kind == "csv" else "\t"
        (folder / f"t.{kind}").write_text("".join(mark.join(row) + "\n" for row in [names, *rows]), encoding="utf-8")
        return folder / f"t.{kind}"
    if kind == "pandas":
        return pytest.importorskip("pandas").DataFrame(rows, columns=names)
    arrow = pytest.importorskip("pyarrow")
    table = arrow.Table.from_arrays([arrow.array(list(column)) for column in zip(*rows, strict=True)], names=names)
    if kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, folder / "t.parquet")
        return folder / "t.parquet"
    if kind == "arrow":
        pytest.importorskip("pyarrow.feather").write_feather(table, str(folder / "t.arrow"))
        return folder / "t.arrow"
    return table


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "pyarrow", "pandas"])
@pytest.mark.parametrize("other", ["entity", "Entity"])
def test_a_needed_column_that_is_there_twice_is_refused(tmp_path: Path, engine: str, kind: str, other: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    table = _with_columns(tmp_path, kind, ["mention", "entity", other, "z"])
    with pytest.raises(scoref.Error, match="several columns are called") as error:
        scoref.score(table, table, engine=engine)
    assert error.value.code == "repeated-column"


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "pyarrow", "pandas"])
def test_other_columns_may_have_one_name(tmp_path: Path, engine: str, kind: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb")
    table = _with_columns(tmp_path, kind, ["mention", "entity", "z", "z"])
    assert scoref.score(table, table, engine=engine, metrics=["b3"])["b3"] == (1, 1, 1)


@pytest.mark.parametrize("header", ["c\tmention\t", "mention\t", "\tentity"])
def test_a_column_without_a_name_is_not_taken_for_one_that_is_missing(engine, tmp_path, header):
    path = tmp_path / "t.tsv"
    path.write_text(f"{header}\n{chr(9).join('123'[: header.count(chr(9)) + 1])}\n")
    with pytest.raises(scoref.Error) as error:
        scoref.score(path, path, engine=engine, format="table")
    assert error.value.code == "unknown-column"


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("start", ["", "\n", "\r\n\n", "\n\r\n\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r\n\n"])
def test_blank_lines_and_mixed_line_ends(tmp_path: Path, engine: str, start: str, end: str):
    """The header is the first line that is not blank, and lines may end in several ways, for every engine."""
    key, response = tmp_path / "key.csv", tmp_path / "response.csv"
    key.write_bytes(b"mention,entity\na,1\nb,1\n")
    response.write_bytes(f"{start}mention,entity{end}a,1\nb,1\n".encode())
    result = scoref.score(key, response, metrics=["mentions"], engine=engine)
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_columns_without_a_type(tmp_path: Path, engine: str):
    """A column in which nothing ever stood has no type: an empty table is empty, missing values are missing."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"mention": ["a"], "entity": ["1"]}), tmp_path / "key.parquet")
    for rows, code in ((0, "empty-file"), (2, "missing-value")):
        empty = arrow.table({"mention": arrow.nulls(rows), "entity": arrow.nulls(rows)})
        parquet.write_table(empty, tmp_path / "response.parquet")
        found = scoref.score(tmp_path / "key.parquet", tmp_path / "response.parquet", engine=engine, on_problem="skip")
        assert code in [problem.code for problem in found.problems]


@pytest.mark.parametrize("type", ["string", "category", "Int64", "UInt8", "int64[pyarrow]", "polars", "polars texts"])
def test_what_is_missing_in_a_frame_is_a_row_without_a_mention(type, engine):
    """Whole numbers beside it stay whole numbers, to the last digit; the rest is scored as without the row."""
    whole = "nt" in type or type == "polars"
    one, other = (200, 201) if type == "UInt8" else (2**60, 2**60 + 1) if whole else ("a", "b")
    given = {"mention": [one, None, other], "entity": [1, 1, 1]}
    rest = {name: values[::2] for name, values in given.items()}
    if type.startswith("polars"):
        frame = pytest.importorskip("polars", reason="polars is not installed").DataFrame
        frames = [frame(each) for each in (given, rest)]
    else:
        frame = pytest.importorskip("pandas", reason="pandas is not installed").DataFrame
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
        given = {**given, "mention": np.array(given["mention"], object)}  # numbers beside None would become fractions
        frames = [frame(each).astype({"mention": type}) for each in (given, rest)]
    for sides in (frames, frames[::-1]):
        with pytest.raises(scoref.Error, match="1 row without a mention"):
            scoref.score(*sides, engine=engine)
        result = scoref.score(*sides, engine=engine, on_problem="skip")
        assert [problem.code for problem in result.problems] == ["missing-value"]
        assert result["b3"] == (1, 1, 1)
        assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("rows", [0, 2])
def test_columns_of_fractions_are_refused_even_if_all_are_missing(rows, engine, tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for values in ([None] * rows, [float("nan")] * rows):
        key = {"mention": arrow.array(values, arrow.float64()), "entity": arrow.array(["e"] * rows, arrow.string())}
        parquet.write_table(arrow.table(key), tmp_path / "key.parquet")
        parquet.write_table(arrow.table({"mention": ["a"], "entity": ["1"]}), tmp_path / "response.parquet")
        with pytest.raises(scoref.Error, match=r"has values of type (float|DOUBLE).*\[bad-column]"):
            scoref.score(tmp_path / "key.parquet", tmp_path / "response.parquet", engine=engine, on_problem="skip")


def test_files_that_are_no_tables_or_several_kinds_are_named_with_what_to_do(tmp_path):
    paths = csvs(tmp_path)
    with pytest.raises(scoref.Error) as caught:
        scoref.score(paths[0], tmp_path / "absent.csv", format="table")
    problem = caught.value.problem
    assert (problem.code, problem.path, problem.remedy) == (
        "unreadable-file", str(tmp_path / "absent.csv"), "check the name")  # fmt: skip
    for other in ("part.tsv", "readme.txt"):
        folder = tmp_path / other
        folder.mkdir()
        (folder / "a.csv").write_text(text(RESPONSE))
        (folder / other).write_text(text(RESPONSE, "\t"))
        with pytest.raises(scoref.Error) as caught:
            scoref.score(paths[0], folder, format="table")
        problem = caught.value.problem
        assert problem.code == "unknown-format"
        assert problem.path == str(folder / ("readme.txt" if other == "readme.txt" else "a.csv"))
        assert ".parquet" in problem.expected
        assert problem.remedy == "rename it, or name the files alone: 'folder/*.parquet'"


def test_a_pair_of_lists_of_different_lengths_is_refused():
    with pytest.raises(scoref.Error) as caught:
        scoref.score((np.arange(3), np.arange(2)), (np.arange(2), np.arange(2)))
    assert caught.value.code == "bad-arrays"
    assert "3 mentions, but 2 entities in the key" in str(caught.value)


def test_which_row_counts_is_said_where_one_does(engine, tmp_path, run):
    paths = csvs(tmp_path, "id,cluster\nm1,a\nm2,a\nm3,b\nm2,b\n")
    how = "score", *paths, "--engine", engine
    for options, row in ((("--duplicates", "last"), "last"), (("--duplicates", "first"), "first"),
                         (("--on-problem", "skip"), "first")):  # fmt: skip
        code, out, _ = run(*how, *options, "--json")
        assert (code, json.loads(out)["problems"][0]["message"].endswith(f"; the {row} row counts")) == (0, True)
    code, _, err = run(*how)
    assert (code, "the first row counts" in err) == (2, False)


def test_progress_names_each_stage_and_ends_with_all_of_the_work(engine):
    seen = []
    how = {"engine": engine, "metrics": ["b3", "ceafe"]}
    scoref.score(KEY, RESPONSE, **how, progress=lambda *said: seen.append(said))
    names = ("joining the tables", "sizes of entities", "shapes of cells", "aligning for ceafe")
    assert [*dict.fromkeys(what for what, _, _ in seen)] == [
        f"stage {n} of 4, {name}" for n, name in enumerate(names, 1)
    ]
    shares = [done / total for _, done, total in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


def test_a_column_whose_name_has_quotes(engine, tmp_path):
    for name, side in (("key.csv", KEY), ("response.csv", RESPONSE)):
        (tmp_path / name).write_text('"my ""id""",cluster\n' + "".join(f"{m},{e}\n" for m, e in side.items()))
    columns = {"mention": 'my "id"', "entity": "cluster"}
    check(scoref.score(tmp_path / "key.csv", tmp_path / "response.csv", engine=engine, columns=columns))


def test_saved_tables_of_other_sizes_have_other_hashes(engine, tmp_path):
    """Two keys with as many entities of each size are not told apart; those with others are."""
    sides = {"one": "aabb", "same": "bbaa", "other": "aaab", "few": "aab", "more": "aabbcc", "all": "aaaa"}
    found = {}
    for name, entities in sides.items():
        key = {f"m{number}": entity for number, entity in enumerate(entities)}
        scoref.save(scoref.score(key, key, engine=engine), tmp_path / f"{name}.json")
        found[name] = json.loads((tmp_path / f"{name}.json").read_text())
    hashes = {name: json.dumps([each[field] for field in sorted(each) if "hash" in field or "key" in field])
              for name, each in found.items()}  # fmt: skip
    assert hashes["one"] == hashes["same"]
    assert len({*hashes.values()}) == 5
