"""What is wrong with input is said once, with its place and a remedy; no score is printed for it.

Points of "Perl", "coval" and "scorch" are known defects of these scorers; each is a test that scoref has another way.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref

Result = tuple[int, str, str]
Run = Callable[..., Result]


def conll(*cells: str, name: str = "a", words: str | None = None, end: str = "#end document\n") -> str:
    """A document with a word for each cell; "" is a blank line."""
    names = words.split() if words else [f"w{number}" for number in range(len(cells))]
    rows = [f"{word}\t{cell}" if cell else "" for word, cell in zip(names, cells, strict=True)]
    return "\n".join([f"#begin document {name}", *rows, end])


def jsonl(**record: object) -> str:
    return json.dumps({"doc_key": "a", "tokens": [*"abcd"], "clusters": []} | record) + "\n"


GOOD = {
    "conll": conll("(1)", "(2", "2)", "(1)"),
    "jsonl": jsonl(clusters=[[[0, 0], [3, 3]], [[1, 2]]]),
    "clusters": '[["a", "d"], ["b"]]',
}


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(**files: str | bytes) -> None:
    for name, content in files.items():
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)


def check_error(result: Result, code: str, where: str | None) -> None:
    """One error in the one form: what, where, what to do; nothing else."""
    exit_code, out, err = result
    assert (exit_code, out) == (2, "")
    first, *rest = err.rstrip("\n").split("\n")
    assert first.startswith("error: ")
    assert first.endswith(f"  [{code}]")
    assert all(line[:12] in ("  where     ", "  expected  ", "  you can   ") for line in rest)
    assert rest[-1].startswith("  you can   ")
    if where is not None:
        assert rest[0].removeprefix("  where     ").split(", ")[0] == where


# -- one file ---------------------------------------------------------------------------------------------------------

# what, its format, the content, the code, the line, and whether something is left to score when it is skipped
PROBLEMS = [
    ("mention never closed", "conll", conll("(1)", "(2", "-", "-"), "unclosed-mention", 3, True),
    ("mention never opened", "conll", conll("(1)", "-", "2)", "-"), "unopened-mention", 4, True),
    ("closed twice", "conll", conll("(1", "1)", "1)", "-"), "unopened-mention", 4, True),
    ("crossing itself", "conll", conll("(1", "1)|(1", "1)", "-"), "crossing-mentions", 3, True),
    ("closed in the next document", "conll", conll("(1") + conll("1)", name="b"), "unclosed-mention", 2, True),
    ("double antecedent", "conll", conll("(1+2)", "-", "-", "-"), "bracket-syntax", 2, True),
    ("number without bracket", "conll", conll("-", "12|(3)", "-", "-"), "bracket-syntax", 3, True),
    ("bracket without number", "conll", conll("(|(1)", "-", "-", "-"), "bracket-syntax", 2, True),
    ("bar at the end", "conll", conll("(1)|", "-", "-", "-"), "bracket-syntax", 2, True),
    ("two bars", "conll", conll("(1)||(2)", "-", "-", "-"), "bracket-syntax", 2, True),
    ("square brackets", "conll", conll("[1]", "-", "-", "-"), "bracket-syntax", 2, True),
    ("empty brackets", "conll", conll("()", "-", "-", "-"), "bracket-syntax", 2, True),
    ("roles instead of coreference", "conll", conll("(V*)", "(A0*", "*)", "-"), "bracket-syntax", 2, True),
    ("words only", "conll", conll("Ada", "saw", "a", "cat"), "bracket-syntax", 2, True),
    ("bars missing (Perl makes it 13)", "conll", conll("(1(2)3)", "-", "-", "-"), "unopened-mention", 2, True),
    ("no end of the document", "conll", conll("(1)", "-", "-", "-", end=""), "missing-end", 1, True),
    ("no end in the middle", "conll", conll("(1)", end="") + conll("-", name="b"), "missing-end", 1, True),
    ("open mention and no end", "conll", conll("-", "(1", "-", "-", end=""), "missing-end", 1, True),
    ("repeated document", "conll", GOOD["conll"] + GOOD["conll"], "repeated-document", 7, True),
    ("end without a beginning", "conll", GOOD["conll"] + "#end document\n", "unopened-document", 7, True),
    ("token outside", "conll", GOOD["conll"] + "\nx\t(1)\n", "outside-document", 8, True),
    ("token before", "conll", "x\t(1)\n" + GOOD["conll"], "outside-document", 1, True),
    ("comment", "conll", GOOD["conll"].replace("w1", "# a comment here\nw1"), "comment-line", 3, True),
    ("entities that are not known", "conll", conll("(-1)", "(-1", "-1)", "-"), "negative-id", 2, True),
    ("one entity that is not known", "conll", conll("(1)", "(2)|(-1)", "-", "-"), "negative-id", 3, True),
    ("inner number of another mention", "conll", conll("(1", "2", "1)", "-"), "bracket-syntax", 3, True),
    ("Latin 1", "conll", GOOD["conll"].replace("w2", "café").encode("latin1"), "wrong-encoding", 4, True),
    ("UTF-16", "conll", GOOD["conll"].encode("utf-16"), "wrong-encoding", 1, False),
    ("UTF-16 without a mark", "conll", GOOD["conll"].encode("utf-16-le"), "binary-file", 1, False),
    ("empty", "conll", "", "empty-file", None, False),
    ("blank lines", "conll", "\n \r\n\t\n", "empty-file", None, False),
    ("binary", "conll", b"\x7fELF\n\n\x02\x00\x00", "binary-file", 3, False),
    ("truncated gzip", "conll", gzip.compress(GOOD["conll"].encode() * 99)[:-9], "broken-gzip", None, False),
    ("damaged gzip", "conll", b"\x1f\x8b not packed", "broken-gzip", None, False),
    ("gzip with a wrong sum", "conll", gzip.compress(b"x" * 99)[:-8] + b"\1" * 8, "broken-gzip", None, False),
    ("no format", "conll", "Ada\t(1)\n", "unknown-format", None, False),
    ("not JSON", "jsonl", GOOD["jsonl"] + "{'doc_key': 'b'}\n", "bad-json", 2, True),
    ("truncated JSON", "jsonl", GOOD["jsonl"] + jsonl(doc_key="b")[:-9], "bad-json", 2, True),
    ("half a character", "jsonl", GOOD["jsonl"] + jsonl(doc_key="\ud800"), "bad-json", 2, True),
    ("a key twice", "jsonl", GOOD["jsonl"] + '{"doc_key": "b", "clusters": [], "clusters": []}', "bad-json", 2, True),
    ("nested too deeply", "jsonl", GOOD["jsonl"] + '{"clusters": ' + "[" * 99999, "bad-json", 2, True),
    ("a list", "jsonl", GOOD["jsonl"] + "[]\n", "bad-json", 2, True),
    ("no name", "jsonl", GOOD["jsonl"] + '{"clusters": []}', "unnamed-document", 2, True),
    ("name that is none", "jsonl", GOOD["jsonl"] + jsonl(doc_key=None), "unnamed-document", 2, True),
    ("repeated name", "jsonl", GOOD["jsonl"] * 2, "repeated-document", 2, True),
    ("no clusters", "jsonl", '{"doc_key": "a", "tokens": []}', "no-clusters", 1, False),
    ("clusters in an object", "jsonl", jsonl(clusters={"1": []}), "bad-clusters", 1, False),
    ("cluster of numbers", "jsonl", jsonl(clusters=[[0, 1]]), "bad-mention", 1, True),
    ("cluster that is none", "jsonl", jsonl(clusters=[7]), "bad-clusters", 1, False),
    ("mention behind the end", "jsonl", jsonl(clusters=[[[3, 4]]]), "bad-mention", 1, True),
    ("mention in no words", "jsonl", jsonl(tokens=[], clusters=[[[0, 0]]]), "bad-mention", 1, True),
    ("mention before the start", "jsonl", jsonl(clusters=[[[-1, 0]]]), "bad-mention", 1, True),
    ("mention that ends first", "jsonl", jsonl(clusters=[[[2, 1]]]), "bad-mention", 1, True),
    ("mention of fractions", "jsonl", jsonl(clusters=[[[0.0, 1.5]]]), "bad-mention", 1, True),
    ("ends", "jsonl", jsonl(ends="open"), "bad-ends", 1, False),
    ("words in one string", "jsonl", jsonl(sentences=["a b c"]), "bad-words", 1, False),
    ("words that are numbers", "jsonl", jsonl(sentences=[[1, 2]]), "bad-words", 1, False),
    ("subtokens out of order", "jsonl", jsonl(subtoken_map=[1, 0, 2, 3]), "bad-subtokens", 1, False),
    ("subtokens in no word", "jsonl", jsonl(subtoken_map=[0, 1, 2, 10**12]), "bad-subtokens", 1, False),
    ("subtokens in letters", "jsonl", jsonl(subtoken_map="0123"), "bad-subtokens", 1, False),
    ("number of entities", "jsonl", jsonl(entities=5), "bad-entities", 1, False),
    ("too few entities", "jsonl", jsonl(clusters=[[], []], entities=["x"]), "bad-entities", 1, False),
    ("entity twice", "jsonl", jsonl(clusters=[[], []], entities=["x", "x"]), "bad-entities", 1, False),
    ("truncated clusters", "clusters", '[["a"],\n ["b"', "bad-clusters", 2, False),
    ("two values", "clusters", '[["a"]]\n[["b"]]', "bad-clusters", 2, False),
    ("no clusters there", "clusters", '{"type": "clusters"}', "bad-clusters", 1, False),
    ("mention that is an object", "clusters", '[[{"start": 1}]]', "bad-clusters", 1, False),
    ("texts for clusters", "clusters", '["ab", "cd"]', "bad-clusters", 1, False),
    ("entity name twice", "clusters", '{"type": "clusters", "clusters": {"1": [], "1": []}}', "bad-clusters", 1, False),
    ("not a number", "clusters", "[[NaN]]", "bad-clusters", 1, False),
    ("deep clusters", "clusters", "[" * 99999, "bad-clusters", 1, False),
    ("deep mention", "clusters", "[" * 99999 + "]" * 99999, "bad-clusters", 1, False),
    ("link to nothing", "clusters", '{"type": "graph", "mentions": ["a"], "links": [["a", "z"]]}', "bad-link", 1, True),
    ("link of three", "clusters", '{"type": "graph", "mentions": ["a"], "links": [[1, 2, 3]]}', "bad-link", 1, True),
]  # fmt: skip

every_problem = pytest.mark.parametrize(
    ("format", "content", "code", "line", "left"), [pytest.param(*row, id=name) for name, *row in PROBLEMS]
)


@every_problem
def test_a_problem_is_one_located_error(
    run: Run, format: str, content: str | bytes, code: str, line: int | None, left: bool
) -> None:
    put(key=GOOD[format], bad=content)
    where = "bad" if line is None else f"bad:{line}"
    check_error(run("score", "key", "bad"), code, where)
    check_error(run("score", "bad", "key", "--json"), code, where)
    with pytest.raises(scoref.Error) as error:
        scoref.score("key", "bad")
    assert (error.value.code, error.value.path, error.value.line) == (code, "bad", line)


@every_problem
def test_a_skipped_problem_is_counted_beside_the_score(
    run: Run, format: str, content: str | bytes, code: str, line: int | None, left: bool
) -> None:
    put(key=GOOD[format], bad=content)
    if not left:
        assert run("score", "bad", "key", "--on-problem", "skip")[:2] == (2, "")  # a key must have a document
        exit_code, out, _ = run("score", "key", "bad", "--on-problem", "skip", "--json")
        if exit_code == 0:  # a response without any document is an empty one
            found = {problem["code"] for problem in json.loads(out)["problems"]}
            assert code in found
            assert found & {"empty-file", "no-document"}
        return
    exit_code, out, err = run("score", "key", "bad", "--on-problem", "skip", "--json")
    found = [problem for problem in json.loads(out)["problems"] if problem["code"] == code]
    assert (exit_code, err, found[0]["path"], found[0]["line"]) == (0, "", "bad", line)
    for output in ("text", "markdown", "latex"):
        exit_code, out, err = run("score", "key", "bad", "--on-problem", "skip", "--output", output)
        assert (exit_code, err) == (0, "")
        assert f"{len(found)} × {code}: " in out
    exit_code, out, err = run("score", "key", "bad", "--on-problem", "skip", "--output", "csv")
    assert exit_code == 0
    assert out.startswith("metric,recall,precision,f1\n")
    assert code in err


@every_problem
def test_validate_lists_a_problem(
    run: Run, format: str, content: str | bytes, code: str, line: int | None, left: bool
) -> None:
    put(good=GOOD[format], bad=content)
    assert run("validate", "good") == (0, "0 problems in 1 file\n", "")
    exit_code, out, err = run("validate", "bad", "good")
    assert (exit_code, err) == (1, "")
    start = f"bad:{line}: " if line else "bad: "
    assert any(each.startswith(start) and f"[{code}]" in each for each in out.split("\n"))
    exit_code, out, err = run("validate", "bad", "good", "--json")
    assert exit_code == 1
    report = json.loads(out)
    assert report["files"] == 2
    assert any((problem["code"], problem.get("line")) == (code, line) for problem in report["problems"])


def test_skipping_scores_the_rest(run: Run) -> None:
    put(key=conll("(1)", "(1)", "(2)", "(2)"), response=conll("(1)", "(1)", "(2)|(3", "(2)"))
    exit_code, out, _ = run("score", "key", "response", "--on-problem", "skip", "--json")
    assert exit_code == 0
    assert all(score["f1"] == 1 for score in json.loads(out)["scores"].values())


def test_skipping_drops_only_the_part_of_a_cell_that_is_not_understood(run: Run) -> None:
    put(key=conll("(1)", "(1)", "(2)", "(2)"), response=conll("(1)", "(1)", "(2)|(V*)", "x|(2)"))
    _, out, _ = run("score", "key", "response", "--on-problem", "skip", "--json")
    result = json.loads(out)
    assert all(score["f1"] == 1 for score in result["scores"].values())
    assert [(problem["code"], problem["text"]) for problem in result["problems"]] == [
        ("bracket-syntax", "(V*)"), ("bracket-syntax", "x"),
    ]  # fmt: skip


def test_numbers_on_the_inner_tokens_of_a_mention_are_part_of_it(run: Run) -> None:
    # hypercoref writes them, and Perl reads past them
    put(key=conll("(8", "-", "8)", "(9|(8)", "9)"), response=conll("(8", "8", "8)", "(9|(8)", "9)"))
    found, problems = scores(run, "key", "response")
    assert (found["conll"]["f1"], problems) == (1, [])


@pytest.mark.parametrize("format", GOOD)
def test_a_byte_order_mark_is_read_past(run: Run, format: str) -> None:
    # Perl: the first document is hidden
    put(key=GOOD[format], response="\ufeff" + GOOD[format])
    found, problems = scores(run, "key", "response")
    assert (found["conll"]["f1"], problems) == (1, [])
    assert run("validate", "response") == (0, "0 problems in 1 file\n", "")


@every_problem
def test_skipping_is_offered_only_where_something_is_left(
    run: Run, format: str, content: str | bytes, code: str, line: int | None, left: bool
) -> None:
    put(key=GOOD[format], bad=content)
    offered = "--on-problem skip" in run("score", "key", "bad")[2]
    exit_code, out, _ = run("score", "bad", "bad", "--on-problem", "skip", "--json")
    found = json.loads(out)["counts"]["mentions"]["precision"][1] if out else 0
    assert not offered or (exit_code == 0 and found > 0) or code == "empty-file"  # scored as an empty response


def test_validate_lists_all_problems_of_all_files_in_order(run: Run) -> None:
    text = conll("(1", "2)", "[3]", "(4)|(4)", "1)|(1", "1)", name="a") + conll("(5", name="a", end="") + "#\n"
    put(bad=text + conll("(6", "6)|7)", name="b") + "stray -\n", worse=b"\0", good=GOOD["conll"])
    exit_code, out, err = run("validate", "bad", "worse", "good")
    lines = out.rstrip("\n").split("\n")
    assert (exit_code, err) == (1, "")
    assert [tuple(line.split(": ")[0].split(":")) for line in lines[:-1]] == [
        ("bad", "3"), ("bad", "4"), ("bad", "5"), ("bad", "6"), ("bad", "9"), ("bad", "9"), ("bad", "11"),
        ("bad", "14"), ("bad", "16"), ("worse", "1"),
    ]  # fmt: skip
    assert lines[-1] == "10 problems in 3 files"


def test_validate_reads_both_sides_of_a_json_file(run: Run) -> None:
    put(both=jsonl(clusters=[[[0, 9]]], predicted_clusters=[[[8, 8]], [[1, 1], [1, 1]]]))
    exit_code, out, _ = run("validate", "both", "--json")
    assert exit_code == 1
    assert [(p["code"], p["text"]) for p in json.loads(out)["problems"]] == [
        ("bad-mention", "[0, 9]"), ("bad-mention", "[8, 8]"), ("duplicate-mention", "b"),
    ]  # fmt: skip


def test_validate_names_a_missing_file_and_an_empty_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    check_error(run("validate", "nothing"), "unreadable-file", "nothing")
    check_error(run("validate", "folder"), "empty-folder", "folder")


# -- two sides --------------------------------------------------------------------------------------------------------


def scores(run: Run, *argv: str) -> tuple[dict[str, dict[str, float]], list[tuple[str, int]]]:
    """The scores of `score --json`, and the problems as codes with lines."""
    exit_code, out, err = run("score", *argv, "--json")
    assert (exit_code, err) == (0, "")
    result = json.loads(out)
    return result["scores"], [(problem["code"], problem.get("line")) for problem in result["problems"]]


def test_a_document_missing_from_the_response_is_empty_and_reported(run: Run) -> None:
    # coval: KeyError; scorch: no penalty
    put(key=conll("(1)", "(1)") + conll("(1)", "(1)", name="b"), response=conll("(1)", "(1)"))
    found, problems = scores(run, "key", "response")
    assert found["muc"] == {"recall": 0.5, "precision": 1, "f1": pytest.approx(2 / 3)}
    assert problems == [("missing-document", 5)]


def test_an_extra_document_is_an_error(run: Run) -> None:
    # Perl and coval: ignored; scorch: a traceback
    put(key=conll("(1)", "(1)"), response=conll("(1)", "(1)") + conll("(1)", "(1)", name="b"))
    check_error(run("score", "key", "response"), "extra-document", "response:5")
    found, problems = scores(run, "key", "response", "--on-problem", "skip")
    assert found["muc"] == {"recall": 1, "precision": 1, "f1": 1}
    assert problems == [("extra-document", 5)]


@pytest.mark.parametrize("other", ["(a); part 001", "(A); part 000", "d-10", "(a)"])
def test_documents_with_other_names_are_not_scored_as_zero(run: Run, other: str) -> None:
    # Perl: silent zeros
    put(key=conll("(1)", "(1)", name="(a); part 000"), response=conll("(1)", "(1)", name=other))
    result = run("score", "key", "response")
    check_error(result, "no-common-document", "response:1")
    assert "skip" not in result[2]


def test_documents_are_paired_by_name_not_by_place(run: Run) -> None:
    one, two = conll("(1)", "(1)", "(2)", name="x"), conll("(1)", "(2)", "(1)", name="y")
    put(key=one + two, response=two + one)
    assert all(score["f1"] == 1 for score in scores(run, "key", "response", "--metrics", "all")[0].values())


def test_a_missing_token_moves_no_mention(run: Run) -> None:
    # Perl: one missing token shifts every later mention
    put(key=conll("(1)", "-", "(1)"), response=conll("(1)", "(1)", words="w0 w2"))
    for words in ("check", "ignore"):
        code, out, _ = run("score", "key", "response", "--words", words, "--json")
        found = json.loads(out)
        assert (code, found["scores"]["conll"]["f1"], found["drift"]["steps"]["missing"]) == (0, 1, 1)
        assert "|text:align|lost:count|" in found["signature"]


@pytest.mark.parametrize("unwritten", ["_", "-", "[WORD]"])
def test_tokens_without_words_are_counted(run: Run, unwritten: str) -> None:
    """There is nothing that could be aligned."""
    put(key=conll("(1)", "-", "(1)"), response=conll("(1)", "(1)", words=f"{unwritten} {unwritten}"))
    for words in ("check", "ignore"):
        check_error(run("score", "key", "response", "--words", words), "token-count", "response:1")
    code, out, err = run("score", "key", "response")
    assert (code, out) == (2, "")
    assert "expected  'w2' (token 3) here, as in key" in err
    found, problems = scores(run, "key", "response", "--on-problem", "skip")
    assert found["mentions"]["recall"] == 0
    assert problems == [("token-count", 1)]


def test_words_must_agree_to_the_last(run: Run) -> None:
    put(key=conll("(1)", "-", "(1)", words="a b c"), response=conll("(1)", "-", "(1)", words="a b C"))
    check_error(run("score", "key", "response"), "different-word", "response:4")
    assert scores(run, "key", "response", "--words", "ignore")[0]["conll"]["f1"] == 1
    assert scores(run, "key", "response", "--on-problem", "skip")[1] == [("different-word", 4)]


@pytest.mark.parametrize("skeleton", ["_", "-", "[WORD]"])
def test_words_of_skeleton_files_are_never_compared(run: Run, skeleton: str) -> None:
    put(key=conll("(1)", "-", "(1)", words="a b c"))
    put(response=conll("(1)", "-", "(1)", words=f"{skeleton} b {skeleton}"))
    assert scores(run, "key", "response")[0] == scores(run, "response", "key")[0] == scores(run, "key", "key")[0]
    put(response=conll("(1)", "-", "(1)", words=f"{skeleton} x {skeleton}"))
    check_error(run("score", "key", "response"), "different-word", "response:3")


def test_sentence_breaks_need_not_agree(run: Run) -> None:
    # coval and scorch: another score
    put(key=conll("(1)", "-", "(1)", "(2", "2)"), response=conll("(1)", "-", "(1)", "(2", "2)").replace("w2", "\n\nw2"))
    assert scores(run, "key", "response")[0]["conll"]["f1"] == 1


def test_a_response_read_as_another_format_is_an_error(run: Run) -> None:
    put(**GOOD)
    check_error(run("score", "jsonl", "conll", "--format", "jsonl"), "bad-json", "conll:1")


@pytest.mark.parametrize("name", ["touch pwned |", "|touch pwned", "$(touch pwned)", "nothing", "a/b/c"])
def test_the_name_of_a_missing_file_is_just_a_name(run: Run, name: str) -> None:
    # Perl: executed
    put(key=GOOD["conll"])
    check_error(run("score", "key", name), "unreadable-file", name)
    check_error(run("score", name, "key", "--on-problem", "skip"), "unreadable-file", name)
    assert [path.name for path in Path().iterdir()] == ["key"]


def test_folders_must_have_files_of_the_same_names(run: Run) -> None:
    for folder, name in (("key", "d-1.conll"), ("response", "d-10.conll"), ("empty", ".hidden")):
        Path(folder).mkdir()
        Path(folder, name).write_text(GOOD["conll"])
    check_error(run("score", "key", "response"), "no-common-file", None)
    check_error(run("score", "key", "response", "--on-problem", "skip"), "no-common-file", None)
    check_error(run("score", "key", "empty"), "empty-folder", "empty")
    assert run("score", "key", "key/d-1.conll", "--json")[0] == 0  # a folder and a file: by names of documents
    Path("response", "d-1.conll").write_text(GOOD["conll"])
    check_error(run("score", "key", "response"), "extra-file", "response/d-10.conll")
    assert scores(run, "key", "response", "--on-problem", "skip")[1] == [("extra-file", None)]
    Path("key", "d-1.conll.gz").write_bytes(gzip.compress(GOOD["conll"].encode()))
    check_error(run("score", "key", "response"), "repeated-file", "key/d-1.conll.gz")


# -- repeated mentions ------------------------------------------------------------------------------------------------


def test_repeated_mentions_are_reported_not_refused(run: Run) -> None:
    # Perl: refuses after ten
    cells = ["(1)|(2)"] * 12
    put(key=conll(*["(1)"] * 12), response=conll(*cells))
    found, problems = scores(run, "key", "response", "--metrics", "all")
    assert problems == [*(("duplicate-mention", line) for line in range(2, 14)), ("order-counts", 2)]
    assert found["conll"]["f1"] == 1
    exit_code, out, _ = run("score", "key", "response")
    assert exit_code == 0
    assert "12 × duplicate-mention: the same mention in entity 1 and in entity 2" in " ".join(out.split())
    check_error(run("score", "key", "response", "--duplicates", "error"), "duplicate-mention", "response:2")


def test_repeated_mentions_that_the_key_lacks_are_reported_too(run: Run) -> None:
    # Perl: kept and counted twice
    put(key=conll("(1)", "(1)", "-"), response=conll("(1)", "(1)", "(2)|(2)"))
    found, problems = scores(run, "key", "response")
    assert problems == [("duplicate-mention", 4)]
    assert found["mentions"]["precision"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("cells", [("(1)|(1)", "(1)"), ("(1)|(1)",), ("(1)|(2)", "(1)", "(2)")])
def test_a_key_with_repeated_mentions_is_perfect_against_itself(run: Run, cells: tuple[str, ...]) -> None:
    # Perl and coval: CEAF above 100 %, or a file that does not agree with itself
    put(key=conll(*cells))
    found, problems = scores(run, "key", "key", "--metrics", "mentions,b3,ceafm,ceafe,lea", "--duplicates", "first")
    assert {value for score in found.values() for value in score.values()} == {1}
    assert set(problems) == {("duplicate-mention", 2)}


@pytest.mark.parametrize("which", ["first", "last"])
def test_no_metric_fails_or_exceeds_one_on_repeats(run: Run, which: str) -> None:
    # scorch: ZeroDivisionError for an entity that is left without mentions
    put(key=conll("(1)|(1)", "(1)"), response=conll("(1)", "(1)|(2)"))
    for pair in (("key", "response"), ("response", "key")):
        found, _ = scores(run, *pair, "--metrics", "all", "--duplicates", which)
        assert all(0 <= value <= 1 for score in found.values() for value in score.values())


# -- other scorers' defects -------------------------------------------------------------------------------------------


def test_percentages_are_rounded(run: Run) -> None:
    # Perl: truncated
    put(key=conll("(1)", "(1)", "(1)", "(1)"), response=conll("(1)", "(1)", "(1)", "-"))
    _, out, _ = run("score", "key", "response", "--metrics", "muc")
    assert out.split("\n")[1].split() == ["muc", "66.67", "100.00", "80.00"]
    assert scores(run, "key", "response")[0]["muc"]["recall"] == 2 / 3


def test_spurious_mentions_cost_precision(run: Run) -> None:
    # scorch: the key is padded with them
    put(key=conll("(1)", "(1)", "-"), response=conll("(1)", "(1)", "(2)"))
    assert scores(run, "key", "response")[0]["b3"] == {"recall": 1, "precision": 2 / 3, "f1": pytest.approx(0.8)}


@pytest.mark.parametrize(
    ("key", "response"),
    [(["(1)"], ["-"]), (["-"], ["(1)"]), (["-"], ["-"]), (["(1)", "-"], ["-", "(1)"]), (["(1)"], ["(1)"]), ([], [])],
)
def test_small_and_empty_documents_have_scores(run: Run, key: list[str], response: list[str]) -> None:
    # scorch: StatisticsError, ZeroDivisionError; coval: ZeroDivisionError
    put(key=conll(*key), response=conll(*response))
    found, _ = scores(run, "key", "response", "--metrics", "all")
    assert all(0 <= value <= 1 for score in found.values() for value in score.values())


def test_an_open_mention_stops_no_metric_when_skipped(run: Run) -> None:
    # Perl: BLANC dies
    put(key=conll("(1)", "(1)", "(2", "-", end=""))
    found, problems = scores(run, "key", "key", "--metrics", "all", "--on-problem", "skip")
    assert found["blanc"]["f1"] == 1
    assert sorted(set(problems)) == [("missing-end", 1), ("unclosed-mention", 4)]


@pytest.mark.parametrize("option", [("--match", "min"), ("--match", "min", "--on-problem", "skip")])
def test_minimum_spans_need_a_parse(run: Run, option: tuple[str, ...]) -> None:
    # coval: UnboundLocalError
    put(key=GOOD["conll"])
    check_error(run("score", "key", "key", *option), "no-minimum", "key")


# -- size -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(conll("(" + "1" * 200_000, "1" * 200_000 + ")"), 0, id="a long name"),
        pytest.param(conll("(" + "1" * 200_000 + "+", "-"), 2, id="a long cell that is wrong"),
        pytest.param(conll("(12345)|" * 40 + "+", "-"), 2, id="many brackets and one that is wrong"),
        pytest.param(conll("|".join(f"({n})" for n in range(20_000))), 0, id="many brackets"),
        pytest.param(conll("(1)" + " " * 300_000, "\t" * 300_000 + "(1)"), 0, id="many blanks"),
        pytest.param("\n" * 300_000 + conll("(1)"), 0, id="many blank lines"),
        pytest.param(conll(*["(1)"] * 20_000, words="a" + " #b" * 19_999), 0, id="many hash words"),
        pytest.param("".join(conll("(1)", name=str(n)) for n in range(4_000)), 0, id="many documents"),
        pytest.param(conll("(1)", name="x" * 200_000), 0, id="a long document name"),
        pytest.param(jsonl(tokens=None, clusters=[[[0, 10**15]]]), 2, id="a mention as long as the memory"),
        pytest.param(jsonl(tokens=None, clusters=[[[10**15, 10**15]]]), 2, id="a mention too far away"),
        pytest.param("[[" + ",".join(map(str, range(100_000))) + "]]", 0, id="a large cluster"),
    ],
)  # fmt: skip
def test_strange_sizes_take_no_strange_time(run: Run, content: str, expected: int) -> None:
    put(file=content)
    started = time.process_time()
    exit_code, out, err = run("score", "file", "file")
    assert time.process_time() - started < 60  # what is wrong takes hours
    assert (exit_code, bool(out), bool(err)) == (expected, expected == 0, expected == 2)
    assert max(map(len, out.split("\n"))) < 500
    assert max(map(len, err.split("\n"))) < 500
