"""An error of tables says the file, what is meant in it, what was expected and what to do: all that a user needs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref.formats import Hows
from scoref.tables.documents import as_documents

GOOD = "mention,entity\na,1\nb,1\n"
WITH_DOCUMENTS = "document,mention,entity\nd,a,1\nd,b,1\ne,a,1\n"


def columns(**values: list[object]) -> str:
    return json.dumps(values)


# what, the files, the arguments, the code, where it is, and words of what was expected and of what to do
ERRORS = [
    ("numbers against texts",
     {"key.json": columns(mention=[1, 2], entity=[1, 1]), "response.json": columns(mention=["a", "b"], entity=[1, 1])},
     ["--format", "table"], "different-types", "response.json", "key.json", "convert"),
    ("one column for both", {"key.csv": GOOD, "response.csv": GOOD}, ["--columns", "mention=entity,entity=entity"],
     "bad-columns", "key.csv", "two columns", "mention=NAME,entity=NAME"),
    ("a column that is not there", {"key.csv": GOOD, "response.csv": GOOD}, ["--columns", "mention=m,entity=entity"],
     "unknown-column", "key.csv", "mention, entity", "mention=NAME,entity=NAME"),
    ("columns of two lengths", {"key.json": columns(mention=["a", "b"], entity=[1]), "response.csv": GOOD},
     ["--format", "table"], "bad-table", "key.json", '"mention": [...]', "fix the file"),
    ("a column that is no list", {"key.json": '{"mention": ["a"], "entity": "x"}', "response.csv": GOOD},
     ["--format", "table"], "bad-table", "key.json", '"mention": [...]', "fix the file"),
    ("parts with other columns", {"key/1.csv": GOOD, "key/2.csv": GOOD.replace("entity", "cluster"),
                                  "response.csv": GOOD}, ["--format", "table"],
     "different-columns", "key/2.csv", "mention, entity", "same columns"),
    ("a document that the key lacks",
     {"key.csv": WITH_DOCUMENTS, "response.csv": WITH_DOCUMENTS + "other,a,1\n"}, [],
     "extra-document", "response.csv, document other", "documents of the key", "remove them"),
    ("a short row", {"key.csv": GOOD + "c\n", "response.csv": GOOD}, [],
     "bad-row", 'key.csv:4, "c"', "mention, entity", "--on-problem skip"),
    ("a folder without parts", {"key/_x.csv": GOOD, "response.csv": GOOD}, ["--format", "table"],
     "empty-folder", "key", "", "check the name"),
    ("documents in one table, a mention twice", {"key.csv": WITH_DOCUMENTS, "response.csv": GOOD}, [],
     "lone-documents", 'key.csv, "document"', "in all tables, or in none", "add the column to response.csv"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("files", "options", "code", "where", "expected", "remedy"), [pytest.param(*row, id=name) for name, *row in ERRORS]
)
def test_an_error_tells_all(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str], options: list[str], code: str, where: str, expected: str, remedy: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    sides = dict.fromkeys(name.split("/")[0] for name in files)
    exit_code, out, err = run("score", *sides, *options)
    assert (exit_code, out) == (2, "")
    first, *rest = err.splitlines()
    assert first.endswith(f"[{code}]")
    told = {line[2:11].strip(): line[12:] for line in rest}
    assert told["where"] == where
    assert expected in told.get("expected", "")
    assert remedy in told["you can"]


def test_a_row_without_a_value_is_told_with_its_column(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text(columns(mention=["a", None], entity=[1, 1]))
    with pytest.raises(scoref.Error) as caught:
        as_documents([path, path], Hows.of({"format": "table"}))
    problem = caught.value.problem
    assert (problem.code, problem.path, problem.text) == ("missing-value", str(path), "mention")
    assert problem.expected
    assert problem.remedy


def test_a_packed_table_may_have_as_many_bytes_as_allowed(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "key.csv.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert run("score", path, path, "--max-size", len(GOOD))[0] == 0
    code, out, err = run("score", path, path, "--max-size", len(GOOD) - 1)
    assert (code, out, "[too-large]" in err) == (2, "", True)


@pytest.mark.parametrize(("rows", "document"), [("mention,entity\n", None), ("document,mention,entity\n", "d")])
def test_a_mention_in_two_rows_is_told_with_its_document(tmp_path: Path, rows: str, document: str | None) -> None:
    path = tmp_path / "key.csv"
    path.write_text(rows + "".join(f"{document}," * bool(document) + f"a,{entity}\n" for entity in (1, 2)))
    with pytest.raises(scoref.Error) as caught:
        as_documents([path, path], Hows.of({"format": "table"}))
    problem = caught.value.problem
    assert (problem.code, problem.line, problem.document, problem.text) == ("duplicate-mention", 3, document, "a")
    assert (problem.path, problem.remedy) == (str(path), "remove such rows")


def test_what_tables_cannot_tell_is_said_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "key.csv"
    path.write_text(GOOD)
    result = scoref.score(path, path, format="table")
    with pytest.raises(scoref.Error, match="tables have no texts") as caught:
        result.by_entity()
    assert caught.value.code == "no-entities"
    assert "scoref errors KEY RESPONSE" in (caught.value.problem.remedy or "")
