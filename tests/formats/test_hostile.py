"""Files that were made, by accident or not, to get a score that they do not deserve, or to break what reads them."""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import Document, Mention, Problem, formats
from scoref.document.document import Bridge, position, stretch
from scoref.formats import Source
from scoref.formats.marked.marks import find_style
from scoref.formats.tbf import read as tbf
from scoref.problems import Problems, by_kind
from scoref.results import saved

Run = Callable[..., tuple[int, str, str]]

WORDS = tuple("abcdef")
GAP = (position(0), position(2))
ZERO = (position(1, 1),)


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(path: str = "key.jsonl") -> dict[str, Any]:
    """A record with mentions that only the key `scoref` can hold: one with a gap, and an empty node."""
    mentions = (Mention(GAP, 0), Mention(stretch(3, 3), 0), Mention(ZERO, 1), Mention(stretch(4, 5), 1))
    scoref.write([Document("d", WORDS, mentions, (0,))], path)
    record: dict[str, Any] = json.loads(Path(path).read_text())
    assert "scoref" in record
    return record


def put(record: dict[str, Any], path: str = "response.jsonl") -> None:
    Path(path).write_text(json.dumps(record) + "\n")


# -- the record of scoref in JSON lines ------------------------------------------------------------------------------


def test_what_scoref_writes_it_reads_again():
    written()
    assert scoref.score("key.jsonl", "key.jsonl")["conll"].f1 == 1
    assert scoref.read("key.jsonl")[0].mentions[0].span == GAP


@pytest.mark.parametrize(
    "clusters", [[], [[], []], [[[3, 3]], [[4, 5], [0, 0]]], [[[3, 3], [4, 5]], []], [[[3, 3]], [[4, 5]], [[1, 1]]]]
)
def test_the_record_must_agree_with_the_clusters(clusters: list[Any], run: Run):
    put(written() | {"clusters": clusters})
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[different-record]" in err
    assert "clusters" in err
    assert "scoref" in err
    assert run("validate", "response.jsonl")[0] == 1


def test_clusters_alone_are_what_the_system_says():
    record = written() | {"clusters": []}
    del record["scoref"]
    put(record)
    assert scoref.score("key.jsonl", "response.jsonl")["conll"].f1 == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("span", [0, 300]),
        ("span", [-1]),
        ("span", [[0, 300]]),
        ("span", [[0, 0]]),
        ("span", [[0]]),
        ("span", [True]),
        ("span", [2, 0]),
        ("span", [0, 0]),
        ("span", [10**30]),
        ("head", 6),
        ("head", [0, 256]),
        ("minimum", [99]),
        ("parents", [[10**30, "nsubj"]]),
        ("entity", [1]),
    ],
)
def test_positions_of_the_record_are_checked(field: str, value: Any, run: Run):
    record = written()
    record["scoref"]["mentions"][0][field] = value
    put(record)
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[bad-record]" in err


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bridges", [[0, 1.5, {}]]),
        ("bridges", [[0, 1, {"a": []}]]),
        ("columns", {"speaker": ["a"]}),
        ("comments", [[77, "# x"]]),
        ("relations", [["a", "b", [[]]]]),
        ("relations", [["a", "b", [1.5]]]),
        ("deixis", {"deixis": {"mentions": []}}),
    ],
)
def test_other_parts_of_the_record_are_checked(field: str, value: Any, run: Run):
    record = written()
    record["scoref"][field] = value
    put(record)
    code, out, err = run("score", "key.jsonl", "response.jsonl")
    assert (code, out) == (2, "")
    assert "[bad-record]" in err


# -- folders and pipes -----------------------------------------------------------------------------------------------


def folders() -> tuple[Path, Path]:
    """A key and a response with two files each, half of the response right."""
    for side, second in (("key", [["a", "b"], ["c", "d"]]), ("response", [["a"], ["b", "c", "d"]])):
        for name, clusters in (("one", [["a", "b"]]), ("two", second)):
            path = Path(side, f"{name}.json")
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(clusters))
    return Path("key"), Path("response")


def test_links_to_files_and_folders_are_followed():
    key, response = folders()
    expected = scoref.score(key, response)
    for side in (key, response):
        linked = Path(f"linked-{side}")
        linked.mkdir()
        (linked / "one.json").symlink_to(Path.cwd() / side / "one.json")
        elsewhere = Path(f"elsewhere-{side}")
        elsewhere.mkdir()
        (side / "two.json").rename(elsewhere / "two.json")
        (linked / "sub").symlink_to(Path.cwd() / elsewhere)
    found = scoref.score("linked-key", "linked-response")
    assert 0 < found["conll"].f1 == expected["conll"].f1 < 1


@pytest.mark.parametrize(
    ("target", "code"), [("nowhere", "unreadable-file"), (".", "circular-folder"), ("loop", "unreadable-file")]
)
@pytest.mark.parametrize("side", ["key", "response"])
def test_links_that_lead_nowhere_or_back_are_refused(side: str, target: str, code: str, run: Run):
    folders()
    Path(side, "loop").symlink_to(target)
    found = run("score", "key", "response")
    assert found[:2] == (2, "")
    assert f"[{code}]" in found[2]
    assert f"{side}/loop" in found[2]


def test_folders_that_cannot_be_read_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch):
    key, response = folders()
    (response / "sub").mkdir()
    listed = os.listdir

    def listdir(path: str) -> list[str]:  # the superuser may read every folder
        if os.path.basename(path) == "sub":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "listdir", listdir)
    found = run("score", key, response)
    assert found[:2] == (2, "")
    assert "[unreadable-folder]" in found[2]


def piped(source: Path, name: str) -> tuple[str, threading.Thread]:
    """A named pipe that gives the content of a file once."""
    os.mkfifo(name)

    def write() -> None:
        with contextlib.suppress(OSError):  # a command that refuses it closes it before all is read
            Path(name).write_bytes(source.read_bytes())

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return name, thread


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("score", []),
        ("score", ["--on-problem", "skip"]),
        ("errors", []),
        ("errors", ["response/two.json"]),
        ("compare", ["response/two.json"]),
        ("report", ["-o", "page.html"]),
        ("report", ["response/two.json", "-o", "page.html"]),
        ("convert", []),
        ("validate", []),
    ],
)
@pytest.mark.parametrize("side", ["key", "response"])
def test_pipes_are_read_once(command: str, more: list[str], side: str, run: Run):
    key, response = (folder / "two.json" for folder in folders())
    pipe, thread = piped(key if side == "key" else response, "pipe")
    paths = [pipe, response] if side == "key" else [key, pipe]
    if command == "convert":
        paths = [pipe, "out.json"]
    if command == "validate":
        paths = [pipe]
    code, out, err = run(command, *paths, *more)
    thread.join(5)
    assert not thread.is_alive()
    assert (code, err) == (0, "")
    if command == "score":
        assert out.splitlines()[1:] == run("score", key, response)[1].splitlines()[1:]


def test_a_pipe_is_not_waited_for_twice(run: Run):
    path = folders()[0] / "two.json"
    pipe, _ = piped(path, "pipe")
    for arguments in (["score", pipe, pipe], ["score", pipe], ["errors", path, pipe, "--repaired", "out"]):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert "[read-twice]" in err
        assert "name a file" in err


# -- settings that do not fit ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["crac-2022", "crac-2023", "kbp-2015", "evmeval-1.8"])
def test_names_without_positions_are_not_matched_by_positions(protocol: str, run: Run):
    Path("key.json").write_text('[["a", "b"], ["c"]]')
    code, out, err = run("score", "key.json", "key.json", "--protocol", protocol)
    assert (code, out) == (2, "")
    assert "[no-positions]" in err
    found = scoref.score("key.json", "key.json", protocol=protocol, match="exact", metrics=["muc", "b3"])
    assert found["muc"].f1 == 1  # what the remedy says


@pytest.mark.parametrize("number", ["inf", "nan", "1e308", "1e-308", "-1", "0"])
def test_numbers_are_bounded(number: str, run: Run):
    written()
    for option in ("--beta", "--threshold"):
        code, out, err = run("score", "key.jsonl", "key.jsonl", f"{option}={number}", "--metrics", "lea", "--json")
        assert (code, out) == (2, "")
        assert "[unknown-choice]" in err


def test_bridges_stay_at_their_mentions_when_duplicates_go():
    def document(*spans: int, bridges: tuple[tuple[int, int], ...]) -> Document:
        mentions = tuple(Mention(stretch(span, span), number) for number, span in enumerate(spans))
        return Document("d", WORDS, mentions, (0,), bridges=tuple(Bridge(*each) for each in bridges))

    key = document(0, 1, 2, 3, bridges=((2, 0), (3, 1)))
    repeated = document(0, 0, 1, 2, 3, bridges=((3, 1), (4, 2)))
    for response in (key, repeated):
        how = {"layer": "bridging", "duplicates": "error", "on_problem": "skip"}
        for sides in ((key, response), (response, key), (response, response)):
            result = scoref.score(*sides, **how)
            assert [result[name].f1 for name in ("bridging-anaphors", "bridging-mentions")] == [1, 1]


# -- saved evaluations that nobody scored ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "size"),
    [([[1000, 1, 1, 1]], None), ([[1, 1, 5, 4]], None), ([[1e300, 1e300, 1, 1]], None), ([[1, 0, 0, 0]], None),
     ([[1, 1, 1, 1]], -3), ([[1, 1, 1, 1]], 1e30), ([[1, 1, 1, 1]], "many")],
)  # fmt: skip
def test_counts_that_cannot_be_are_refused(counts: list[Any], size: Any, run: Run):
    written()
    assert run("score", "key.jsonl", "key.jsonl", "--save", "saved.json")[0] == 0
    record = json.loads(Path("saved.json").read_text())
    record["counts"]["b3"] = counts
    if size is not None:
        record["size"] = size
    del record["checksum"]
    record["checksum"] = saved._checksum(record)
    Path("saved.json").write_text(json.dumps(record))
    for command in ("merge", "compare"):
        code, out, err = run(command, "saved.json", "saved.json")
        assert (code, out) == (2, "")
        assert "[bad-evaluation]" in err


# -- names that steer a terminal or a spreadsheet --------------------------------------------------------------------

NASTY = "=x\x1b[2J\u202e\x07\x85"


@pytest.mark.parametrize("output", ["text", "csv", "markdown", "latex"])
def test_nothing_from_files_steers_the_terminal(output: str, run: Run):
    sides = {"key": [[[0, 0], [1, 1]], [[2, 2], [4, 4]]], "response": [[[0, 0], [2, 2]], [[1, 1], [5, 5]]]}
    for name, clusters in sides.items():
        record = {"doc_key": NASTY, "topic": NASTY, "tokens": [NASTY + each for each in WORDS], "clusters": clusters}
        put(record, f"{name}.jsonl")
    Path("response.jsonl").rename(f"{NASTY}.jsonl")
    both = ["key.jsonl", f"{NASTY}.jsonl"]
    for arguments in (
        ["score", *both, "--by", "document"],
        ["score", *both, "--by", "entity", "--with", "match:exact"],
        ["compare", *both, "key.jsonl", "--by", "document"],
        ["compare", *both, "key.jsonl", "--layout", "paper"],
        ["errors", *both, "--list"],
        ["errors", *both, "key.jsonl"],
        ["agreement", *both],
    ):
        code, out, err = run(*arguments, "--output", output)
        assert code == 0, err
        assert not [letter for letter in out + err if not letter.isprintable() and letter != "\n"], arguments
        if output == "csv":
            cells = [cell for row in csv.reader(out.splitlines()) for cell in row]
            assert not [cell for cell in cells if cell.startswith("=")]


def test_names_of_files_cannot_forge_lines(run: Run):
    code, _, err = run("score", "a\nerror: all is well  [fine]\rb", "c")
    assert code == 2
    assert not [line for line in err.split("\n")[1:] if line.startswith("error")]
    _, _, err = run("score", "x" * 100_000, "c")
    assert len(err) < 5000


# -- numbers that are none, or too long ------------------------------------------------------------------------------

LONG = "9" * 5000


def conll(name: str = "(d); part 000", entity: str = "1", cells: tuple[str, ...] = ()) -> str:
    rows = cells or (f"({entity})", "(2)", f"({entity})")
    return (
        f"#begin document {name}\n" + "".join(f"d\t0\t{n}\tw\t{c}\n" for n, c in enumerate(rows)) + "\n#end document\n"
    )


@pytest.mark.parametrize("number", ["²", "95\x1c", LONG, str(2**63), "٣"])
def test_numbers_that_are_none_are_no_defects(number: str, run: Run):
    Path("key.conll").write_text(conll())
    put({"doc_key": "d", "part": number, "tokens": [*"abc"], "clusters": [[[0, 0], [2, 2]]]}, "part.jsonl")
    Path("big.jsonl").write_text(f'{{"doc_key": "d", "tokens": ["a"], "clusters": [[[0, {number}]]]}}\n')
    Path("named.conll").write_text(conll(f"(d); part {number}"))
    Path("entity.conll").write_text(conll(entity=number))
    for arguments in (
        ["score", "key.conll", "part.jsonl"],
        ["score", "part.jsonl", "part.jsonl", "--by", "document"],
        ["score", "big.jsonl", "big.jsonl"],
        ["score", "key.conll", "named.conll"],
        ["errors", "key.conll", "entity.conll", "--repaired", "out"],
        ["score", "key.conll", "key.conll", "--layer", "deixis", "--metrics", f"success@{number}"],
        ["score", "key.conll", "key.conll", "--seed", number],
        ["score", "key.conll", "key.conll", "--jobs", number],
    ):
        code, out, err = run(*arguments)
        assert code in (0, 2), err
        assert code == 0 or out == ""


def test_copies_of_mentions_are_not_taken_for_pairs(run: Run):
    Path("key.conll").write_text(conll(cells=("(1)|(1)", "(2)", "(1)")))
    Path("response.conll").write_text(conll(cells=("(1)", "(2)", "(1)")))
    assert run("errors", "key.conll", "response.conll")[0] == 0


def test_xml_is_utf8_whatever_it_says_of_itself(tmp_path: Path):
    path = tmp_path / "d.xml"
    text = (
        '<?xml version="1.0" encoding="{}"?><Document doc_name="d"><token t_id="1" sentence="0">é</token></Document>\n'
    )
    for encoding in ("no-such-encoding", "latin-1", "UTF-8"):
        path.write_text(text.format(encoding), encoding="utf-8")
        assert tuple(scoref.read(path)[0].words) == ("é",)


def test_validate_finds_a_repeated_document(tmp_path: Path, run: Callable[..., tuple[int, str, str]]):
    path = tmp_path / "d.txt"
    path.write_text("#begin document (d); part 000\n[n](#2)\n#end document\n" * 2)
    code, out, _ = run("validate", path)
    assert (code, "[repeated-document]" in out) == (1, True)


# -- time and memory in proportion to the input -----------------------------------------------------------------------


@pytest.mark.parametrize("command", [["score", "key.conll.gz"], ["validate"], ["convert"]])
def test_files_are_not_unpacked_without_end(command: list[str], run: Run):
    Path("key.conll.gz").write_bytes(gzip.compress(b"#begin document d\n" + b"d 0 0 word -\n" * 10_000))
    rest = ["key.conll.gz", *(["out.jsonl"] if command == ["convert"] else [])]
    code, out, err = run(*command, *rest, "--max-size", "100KB")
    assert code == (1 if command == ["validate"] else 2)
    assert "[too-large]" in (out if command == ["validate"] else err)
    assert "key.conll.gz" in out + err
    for wrong in ("0", "many", "4XB", "-1"):
        assert run(*command, *rest, "--max-size", wrong)[0] == 2


@pytest.mark.parametrize("reason", [MemoryError, RecursionError])
def test_want_of_memory_is_said_with_the_file(reason: type[Exception], run: Run, monkeypatch: pytest.MonkeyPatch):
    def read(*_: object) -> Any:
        raise reason

    monkeypatch.setattr("scoref.formats.conll.read.read", read)
    Path("key.conll").write_text("#begin document d\nd 0 0 word (1)\n\n#end document\n")
    code, out, err = run("score", "key.conll", "key.conll")
    assert (code, out) == (2, "")
    assert "key.conll" in err


@pytest.mark.parametrize("span", ["999990000,999999999", "t999999999"])
@pytest.mark.parametrize("format", [
    name for name, format in formats.FORMATS.items() if format.of_words and "read-only" not in format.traits
])  # fmt: skip
def test_a_place_far_away_does_not_fill_the_memory(span: str, format: str, run: Run):
    Path("far.tbf").write_text(f"#BeginOfDocument d\ns\td\tE1\t{span}\tx\tT\tActual\n#EndOfDocument\n")
    code, out, err = run("convert", "far.tbf", "out", "--to", format)
    assert (code, out) == (2, "")
    assert ("[too-far]" if span[0] == "t" else "[no-words]") in err
    assert "far.tbf:2" in err


@pytest.mark.parametrize(
    "piece", ["[", "[a", "<m>a", "](#", ": ", "[a](#", "](#[", "]_{", "]_{[]", "|", "| ", "<e id="]
)
def test_marks_without_end_are_looked_at_once(piece: str):
    """Long before the end of this test, quadratic time would be noticed."""
    assert not find_style(piece * (200_000 // len(piece)))


def test_blanks_without_end_are_looked_at_once():
    blanks = " " * 200_000
    text = f"#begin document a{blanks}b\n[Ada](#1) saw [her](#1)\n#end document\n"
    (document,) = formats.read_source(Source(text.encode(), "blanks.txt", marks="markdown"), "text", Problems())[1]
    assert (len(document.id), len(document.mentions)) == (len(blanks) + 2, 2)


def test_circles_of_links_are_those_of_a_slow_version():
    rng = random.Random(5)
    for _ in range(300):
        size = rng.randrange(2, 7)
        links = [(rng.choice(("After", "Subevent")), *rng.sample(range(size), 2)) for _ in range(rng.randrange(9))]
        expected, before = [], []
        for number, (name, start, end) in enumerate(links):
            seen = {end}
            for _ in range(size):
                seen |= {there for kind, here, there in before if kind == name and here in seen}
            expected += [number] * (start in seen)
            before.append((name, start, end))
        lines = [f"s\td\tE{n}\t{9 * n},{9 * n + 3}\tx\tT\tActual" for n in range(size)]
        lines += [f"@{name}\tR{n}\tE{start},E{end}" for n, (name, start, end) in enumerate(links)]
        source = Source("\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument", ""]).encode(), "links.tbf")
        problems = Problems("skip")
        list(tbf.read(source, problems))
        found = [each.line - size - 2 for each in problems.found if each.code == "cyclic-links" and each.line]
        assert found == expected


def test_problems_beside_a_score_have_bounded_length():
    (line,) = by_kind([Problem("unknown-mention", "9" * 5000 + "\nforged", "d.ann", 2)])
    assert len(line) < 2000
    assert "\n" not in line


def test_words_that_are_not_known_are_not_written_by_the_billion(
    tmp_path: Path, run: Callable[..., tuple[int, str, str]]
):
    path = tmp_path / "d.tbf"
    path.write_text("#BeginOfDocument d\ns\td\tE1\tt2147483648,t2\tran\tLife\tActual\n#EndOfDocument\n")
    assert run("score", path, path)[0] == 0
    for to in ("conll", "corefud", "ua", "ecb", "webanno", "text"):
        code, _, said = run("convert", path, tmp_path / "out", "--to", to)
        assert code == 2
        assert "[too-far]" in said or "[unwritable-" in said
