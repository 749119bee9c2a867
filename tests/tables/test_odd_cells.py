"""Cells of tables that are empty or odd: every engine treats them alike."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import scoref

ENGINES = ["numpy", "duckdb", "spark"]


@pytest.fixture(params=ENGINES)
def engine(request):
    if request.param == "spark":
        request.getfixturevalue("spark")
    elif request.param == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    return request.param


def scored(tmp_path, engine, key, response=None, suffix="tsv", **how):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("key", "response")]
    for path, data in zip(paths, (key, response or key), strict=True):
        path.write_bytes(data)
    return scoref.score(*paths, engine=engine, metrics=["mentions"], **how)


@pytest.mark.parametrize(("row", "role"), [(b"d\t\te", "mention"), (b"d\tm\t", "entity"), (b"\tm\te", "document")])
def test_an_empty_cell_is_a_missing_value(tmp_path, engine, row, role):
    """Refused with its line; left out with `skip`: by hand, two mentions are left."""
    key = b"document\tmention\tentity\nd\t1\ta\n" + row + b"\nd\t2\ta\n"
    with pytest.raises(scoref.Error, match=f"1 row without an? {role}") as raised:
        scored(tmp_path, engine, key)
    assert (raised.value.code, raised.value.line) == ("missing-value", 3)
    result = scored(tmp_path, engine, key, on_problem="skip")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]
    assert [problem.code for problem in result.problems] == ["missing-value"] * 2


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_text_of_a_frame_is_missing(engine, empty):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    table = arrow.table({"mention": ["1", empty, "3"], "entity": ["a", "a", "a"]})
    with pytest.raises(scoref.Error, match="1 row without a mention"):
        scoref.score(table, table, engine=engine)
    result = scoref.score(table, table, engine=engine, metrics=["mentions"], on_problem="skip")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


def test_blanks_are_no_empty_cell(tmp_path, engine):
    result = scored(tmp_path, engine, b"mention\tentity\n \ta\n2\ta\n")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_nul_at_the_end_of_a_name_counts(tmp_path, engine):
    key, response = b"mention\tentity\na\0\t1\na\t1\nd\t2\n", b"mention\tentity\na\t1\nd\t2\n"
    assert scored(tmp_path, engine, key, response).counts["mentions"].tolist() == [[2, 3, 2, 2]]


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("first", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("second", [b"\n", b"\r\n", b"\r"])
def test_every_end_of_a_line_ends_it(tmp_path, engine, first, second):
    """By hand: two mentions, whatever ends the header and the rows."""
    data = b"mention\tentity" + first + b"a\t1" + second + b"d\t2" + second
    result = scored(tmp_path, engine, data, b"mention\tentity\na\t1\nd\t2\n")
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("row", ["m\t1\t", 'm\t1\t""', "m\t1\t\t", '"m"\t1\t', '"m\nn"\t1\t', 'm\t"1\n2"\t'])
def test_an_empty_cell_too_many_is_a_bad_row(tmp_path, engine, row, end):
    key = f"mention\tentity\na\t1\n{row}{end}".encode()
    with pytest.raises(scoref.Error) as raised:
        scored(tmp_path, engine, key, b"mention\tentity\na\t1\n")
    assert (raised.value.code, raised.value.line) == ("bad-row", 4 if "\n" in row else 3)
    result = scored(tmp_path, engine, key, b"mention\tentity\na\t1\n", on_problem="skip")
    assert result.counts["mentions"].tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("row", ['"m" ,1\n', 'a,"1" \n', 'a,"1" ', '"m"  ,1\r\n', 'a,"1" \r\nb,1\r\n'])
def test_a_blank_behind_quotes_is_refused(tmp_path, engine, row):
    """What stands behind the end of a quoted cell has no place in CSV."""
    with pytest.raises(scoref.Error, match="the table cannot be read") as raised:
        scored(tmp_path, engine, f"mention,entity\n{row}".encode(), b"mention,entity\nm,1\n", suffix="csv")
    assert raised.value.code == "broken-table"


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("other", ["a\nb", "a\rb"])
def test_line_breaks_in_names_are_as_they_are(tmp_path, engine, other):
    """Another line break makes another name: one mention of two is common."""
    key, response = (f'mention,entity\n"{name}",1\nc,1\n'.encode() for name in ("a\r\nb", other))
    assert scored(tmp_path, engine, key, response, "csv").counts["mentions"].tolist() == [[1, 2, 1, 2]]
    assert scored(tmp_path, engine, response, response, "csv").counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("engine", ENGINES[:2])
@pytest.mark.parametrize("row", [b"\xff,1", b"\xff,1,", b'"\xff",1,', b'a,1\n"\xff" ,1'])
def test_a_table_that_is_not_utf8_is_broken(tmp_path, engine, row):
    with pytest.raises(scoref.Error, match="the table cannot be read") as raised:
        scored(tmp_path, engine, b"mention,entity\n" + row + b"\n", suffix="csv")
    assert (raised.value.code, raised.value.path) == ("broken-table", str(tmp_path / "key.csv"))


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_an_empty_last_column_is_no_cell_too_many(tmp_path, engine):
    result = scored(tmp_path, engine, b'mention\tentity\tnote\na\t1\t\n"b"\t1\t""\n')
    assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


@pytest.mark.parametrize("engine", ENGINES[:2])
def test_a_line_break_in_a_name_of_the_header_ends_no_line(tmp_path, engine):
    """DuckDB finds no rows behind such a header."""
    for end in (b"\r", b"\n", b"\r\n"):
        result = scored(tmp_path, engine, b'document\tmention\t"entity' + end + b'"\nd\t1\ta\nd\t2\ta\n')
        assert result.counts["mentions"].tolist() == [[2, 2, 2, 2]]


def test_quotes_behind_a_blank_are_letters(tmp_path, engine):
    """By hand: the name in the key has a blank and quotes, that in the response has not, so one mention is common."""
    key, response = b'mention,entity\n "m",1\na,1\n', b"mention,entity\nm,1\na,1\n"
    assert scored(tmp_path, engine, key, response, "csv").counts["mentions"].tolist() == [[1, 2, 1, 2]]


def outcome(folder, engine, data, suffix):
    """The counts, or the code of the error."""
    plain = f"mention{SEPARATORS[suffix]}entity\na{SEPARATORS[suffix]}1\n".encode()
    try:
        return scored(folder, engine, data, plain, suffix).counts["mentions"].tolist()
    except scoref.Error as error:
        return error.code


SEPARATORS = {"csv": ",", "tsv": "\t"}
PIECES = st.sampled_from(
    ["a", "b", "1", '"', '""', " ", ",", "\t", ";", "\n", "\r", "\r\n", "#", "\\", "\0", "\ufeff", "NULL"]
)
CELLS = st.one_of(
    st.sampled_from(["a", "b", "1", "", ' "a"', '"a" ', '"a"', '""']), st.lists(PIECES, max_size=3).map("".join)
)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=3)


@pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed: pip install 'scoref[tables]'")
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["csv", "tsv"]), ROWS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n"]))
@example("csv", [["a", "1", ""]], "\n", "\n")
@example("csv", [["d", ' "m"']], "\n", "\n")
@example("csv", [["d", '"m" ']], "\n", "")
def test_odd_texts_give_the_same_score_or_error_in_numpy_and_duckdb(suffix, rows, end, last):
    mark = SEPARATORS[suffix]
    data = (end.join(mark.join(row) for row in [["mention", "entity"], *rows]) + last).encode()
    with tempfile.TemporaryDirectory() as folder:
        numpy, duckdb = (outcome(Path(folder), engine, data, suffix) for engine in ENGINES[:2])
    assert numpy == duckdb


@pytest.mark.parametrize("mention", [scoref.Mention((), "e", ("a", "b")), scoref.Mention((), ("x", 1), "m")])
def test_names_that_are_lists_are_not_written(tmp_path, mention):
    with pytest.raises(scoref.Error, match="a name that is a list") as raised:
        scoref.write([scoref.Document("d", mentions=(mention,))], tmp_path / "t.csv")
    assert raised.value.code == "unwritable-name"


def test_two_places_are_written_as_places(tmp_path):
    scoref.write([scoref.Document("d", mentions=(scoref.Mention((), "e", (3, 5)),))], tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[1] == "d,3-5,e"


def test_indices_by_units_of_a_saved_evaluation_are_refused_as_of_a_fresh_one(tmp_path):
    """Units cut entities, so an index of them means nothing."""
    truth, other = np.arange(40) // 4, np.arange(40) // 3
    result = scoref.score(truth, other, metrics=["ari"], columns="parts")
    scoref.save(result, tmp_path / "e.json")
    for each in (result, scoref.load(tmp_path / "e.json")):
        with pytest.raises(scoref.Error, match="groups that cut entities"):
            each.by("parts")


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_numbers_beside_missing_ones_meet_cells_of_a_text_file(engine, tmp_path):
    """A column of whole numbers in which some are missing is one of whole numbers."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'scoref[tables]'")
    key = pa.table({"mention": pa.array([0, 1, None], pa.int64()), "entity": pa.array([2, 2, 2], pa.uint64())})
    response = tmp_path / "response.csv"
    response.write_text("mention,entity\n0,4\n1,4\n", encoding="utf-8")
    result = scoref.score(key, response, engine=engine, on_problem="skip", metrics=["mentions", "b3"])
    assert result["b3"] == (1, 1, 1)
    assert result["mentions"] == (1, 1, 1)
