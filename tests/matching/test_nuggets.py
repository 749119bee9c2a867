"""Event nuggets: places, averages, refusals and sequences by EvmEval 1.8 and the scoring document of 2015."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES, SHARED, beside
from scoref.cli import main
from scoref.document.document import Document
from scoref.errors.analysis import Analysis
from scoref.errors.other_layers import nugget_rows
from scoref.protocol.defects import DEFECTS
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.timegraph import TimeGraph, as_listed

Run = Callable[..., tuple[int, str, str]]
VECTORS = SHARED / "vectors" / "tbf" / "files"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        return code, *capsys.readouterr()

    return call


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def tbf(name: str, *rows: str, document: str = "d", add: bool = False) -> str:
    """Write a file from rows like `E1 4,8 Type Actual words` and `@After E1,E2`; gives its name."""
    lines = [f"#BeginOfDocument {document}"]
    for number, row in enumerate(rows):
        first, second, *rest = row.split(" ", 4)
        if first[0] == "@":
            lines.append(f"{first}\tR{number}\t{second}")
        else:
            type, realis, text = [*rest, "Type", "Actual", "word"][: len(rest)] + ["Type", "Actual", "word"][
                len(rest) :
            ]
            lines.append("\t".join(["run", document, first, second, text, type, realis]))
    with Path(name).open("a" if add else "w") as file:
        file.write("\n".join([*lines, "#EndOfDocument", ""]))
    return name


def tables(*words: str, inclusive: bool = False) -> str:
    Path("tables").mkdir(exist_ok=True)
    place, rows = 0, []
    for number, word in enumerate(words, 1):
        rows.append(f"{number}\t{word}\t{place}\t{place + len(word) - inclusive}\n")
        place += len(word) + 1
    Path("tables", "d.tab").write_text("".join(rows))
    return "tables"


def f1(result: tuple[int, str, str], metric: str) -> float:
    assert result[0] == 0, result[2]
    return json.loads(result[1])["scores"][metric]["f1"]


# -- repairs with invisible words -------------------------------------------------------------------------------------

WAR = ("after", "the", "war", "they", "met", "the")
KEY = ("E1 t3 War Actual war", "E2 t5 Meet Actual met")
RESPONSE = ("E1 t2,t3 War Actual the_war", "E2 t5 Meet Actual met", "E3 t1 War Actual after")


def test_repairs_leave_mentions_with_invisible_words_as_they_are(run: Run) -> None:
    """The gain of a repair is that of the same file written by hand."""
    folder = tables(*WAR)
    key, response = tbf("key", *KEY), tbf("response", *RESPONSE)
    by_hand = tbf("by-hand", *RESPONSE[:2])
    before, after = (f1(run("score", key, file, "--tokens", folder, "--json"), "kbp") for file in (response, by_hand))
    found = Analysis(scoref.score(key, response, tokens=folder))
    gained = {cost.kind: (cost.alone["kbp"], cost.together["kbp"]) for cost in found.costs()}
    assert gained["extra entity"][0] == pytest.approx(after - before)
    perfect = f1(run("score", key, key, "--tokens", folder, "--json"), "kbp")
    assert gained["missing entity"][1] == pytest.approx(perfect - before)
    assert run("errors", key, response, "--tokens", folder, "--repaired", "out")[0] == 0
    assert Path("out/alone/extra-entity.tbf").read_text() == Path(by_hand).read_text()


def test_mentions_of_invisible_words_only_can_be_repaired_and_are_reported(run: Run) -> None:
    folder = tables(*WAR)
    key, response = tbf("key", *KEY, "E3 t6 War Actual the"), tbf("response", *KEY, "E3 t2 War Actual the")
    assert run("errors", key, response, "--tokens", folder, "--repaired", "out")[0] == 0
    result = json.loads(run("score", key, key, "--tokens", folder, "--json")[1])
    assert result["scores"]["nugget-span"]["f1"] == pytest.approx(2 / 3)
    (problem,) = result["problems"]
    assert (problem["code"], problem["line"], problem["text"]) == ("invisible-mention", 4, "E3 t6")
    assert "1 × invisible-mention" in run("score", key, key, "--tokens", folder)[1]


# -- averages ---------------------------------------------------------------------------------------------------------


def test_macro_f1_is_that_of_mean_precision_and_mean_recall(run: Run) -> None:
    """Section 3.2.1 of the document: precision 1/2 and 1, recall 1 and 1: F1 of 3/4 and 1 is 6/7, 85.71."""
    key, response = tbf("key", "E1 t1"), tbf("response", "E1 t1", "E2 t2")
    for name in (key, response):
        tbf(name, "E1 t1", document="e", add=True)
    assert f1(run("score", key, response, "--average", "macro", "--json"), "nugget-span") == pytest.approx(6 / 7)
    out = run("score", key, response)[1]
    assert "event nuggets  micro recall  precision     f1  macro recall  precision     f1" in out
    assert "span                 100.00      66.67  80.00        100.00      75.00  85.71" in out
    compared = json.loads(run("compare", key, response, response, "--names", "a,b", "--average", "macro", "--json")[1])
    assert compared["systems"]["a"]["nugget-span"]["f1"] == pytest.approx(6 / 7)


# -- brat -------------------------------------------------------------------------------------------------------------


def test_brat_folders_are_scored_by_tokens(run: Run) -> None:
    folders = [str(EXAMPLES / "nuggets" / side) for side in ("key", "response")]
    assert run("tokenize", str(EXAMPLES / "nuggets" / "texts"), "-o", "tables", "--annotations", folders[0])[0] == 0
    for folder, name in zip(folders, ("key.tbf", "response.tbf"), strict=True):
        assert run("convert", folder, name, "--tokens", "tables")[0] == 0
    converted = json.loads(run("score", "key.tbf", "response.tbf", "--tokens", "tables", "--json")[1])
    direct = json.loads(run("score", *folders, "--tokens", "tables", "--json")[1])
    assert (direct["scores"], direct["problems"]) == (converted["scores"], [])
    ids = {line.split("\t")[0] for path in Path("tables").glob("*.tab") for line in path.read_text().splitlines()}
    spans = [line.split("\t")[3] for line in Path("key.tbf").read_text().splitlines() if line.startswith("scoref")]
    assert all(ids.issuperset(span.split(",")) for span in spans)
    problems = json.loads(run("score", *folders, "--json")[1])["problems"]
    assert {problem["code"] for problem in problems} == {"unknown-words"}
    assert run("errors", *folders, "--tokens", "tables", "--repaired", "out")[0] == 0
    last = "out/together/7-missing-entity.tbf"
    assert f1(run("score", "key.tbf", last, "--tokens", "tables", "--json"), "kbp") == 1


# -- one bad span -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["t3;t4", "t3-t4", "3.5", "4,8"])
def test_one_bad_span_leaves_a_file_of_tokens_one(run: Run, bad: str) -> None:
    rows = ["E1 t1", "E2 t2", f"E3 {bad}", "E4 t4"]
    key, response = tbf("key", "E1 t1", "E2 t2", "E3 t3", "E4 t4"), tbf("response", *rows)
    code, out, err = run("score", key, response)
    assert (code, out) == (2, "")
    assert f'response:4, "E3 {bad}"' in err
    result = json.loads(run("score", key, response, "--on-problem", "skip", "--json")[1])
    without = tbf("without", *rows[:2], rows[3])
    assert result["scores"] == json.loads(run("score", key, without, "--json")[1])["scores"]
    assert result["scores"]["nugget-span"]["f1"] == pytest.approx(6 / 7)


# -- what is refused --------------------------------------------------------------------------------------------------

MENTIONS = ("E1 4,8", "E2 4,8", "E3 20,24", "E4 30,34")


@pytest.mark.parametrize(
    ("rows", "code", "line", "left"),
    [
        (["@Coreference E1,E3", "@Coreference E3,E4"], "open-cluster", 7, ["@Coreference E1,E3"]),
        (["@Coreference E1,E2,E3"], "span-twice", 6, ["@Coreference E1,E3"]),
        (["@Coreference E1,E3,E9"], "unknown-mention", 6, ["@Coreference E1,E3"]),
        (["E5 48,44"], "bad-span", 6, []),
    ],
)
def test_what_the_document_refuses_is_refused_and_left_out(
    run: Run, rows: list[str], code: str, line: int, left: list[str]
) -> None:
    key, bad, good = tbf("key", *MENTIONS, "@Coreference E1,E3"), tbf("bad", *MENTIONS, *rows), "good"
    tbf(good, *MENTIONS, *left)
    exit_code, out, err = run("score", key, bad)
    assert (exit_code, out) == (2, "")
    assert f"[{code}]\n  where     bad:{line}, " in err
    skipped = json.loads(run("score", key, bad, "--on-problem", "skip", "--json")[1])
    assert skipped["scores"] == json.loads(run("score", key, good, "--json")[1])["scores"]
    assert (code, line) in [(problem["code"], problem.get("line")) for problem in skipped["problems"]]
    official = run("score", key, bad, "--protocol", "evmeval-1.8")[0]
    assert official == (2 if code == "open-cluster" else 0)  # the scorer with -c: event-nugget.md 3.1


# -- places -----------------------------------------------------------------------------------------------------------


def test_errors_have_the_line_the_id_and_the_span_of_mentions(run: Run) -> None:
    key, response = tbf("key", "E1 t1", "E2 t2,t4", "@Coreference E1,E2"), tbf("response", "E7 t2,t4", "E8 t1", "E9 t6")
    result = json.loads(run("errors", key, response, "--json")[1])
    places = {(row["status"], row["response"] and row["response"]["line"]) for row in result["nuggets"]["mentions"]}
    assert places == {("found", 3), ("found", 2), ("spurious", 4)}
    extra = next(error for error in result["errors"] if error["kind"] == "extra entity")
    assert [(each["line"], each["id"], each["span"]) for each in extra["mentions"]] == [(4, "E9", "t6")]
    text = run("errors", key, response, "--list")[1]
    assert "4: E9 t6 'word'" in text
    assert "response:4" not in text  # a spurious nugget is one error, not an extra entity besides


def test_brat_mentions_have_their_lines() -> None:
    Path("a.ann").write_text("T1\tWar 0 3\twar\nT2\tMeet 4 7;9 10\tmet\nE1\tMeet:T2\nE2\tWar:T1\n")
    (document,) = scoref.read("a.ann")
    assert [(document.line_of(m), document.named(m)) for m in document.mentions] == [(3, "E1 4,7;9,10"), (4, "E2 0,3")]


# -- an empty response ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["", "\n", "# nothing\n"])
def test_an_empty_response_is_refused_with_a_remedy_that_works(run: Run, content: str) -> None:
    key = tbf("key", "E1 t1")
    Path("empty").write_text(content)
    code, out, err = run("score", key, "empty", "--format", "tbf")
    assert (code, out) == (2, "")
    assert "--on-problem skip" in err
    result = json.loads(run("score", key, "empty", "--format", "tbf", "--on-problem", "skip", "--json")[1])
    assert result["scores"]["nugget-span"] == {"recall": 0.0, "precision": 0.0, "f1": 0.0}
    assert {problem["code"] for problem in result["problems"]} >= {"missing-document"}
    assert run("score", "empty", key, "--format", "tbf", "--on-problem", "skip")[:2] == (2, "")


# -- types, mappings, tables ------------------------------------------------------------------------------------------


def test_a_list_of_types_leaves_out_all_others(run: Run) -> None:
    rows = ["E1 t1 Life_Marry", "E2 t2 Life_Die", "E3 t3 Conflict_Attack"]
    key, response = tbf("key", *rows, "@After E1,E2"), tbf("response", rows[0], "E2 t2 Life_Marry", rows[2])
    Path("types").write_text("life marry\nCONFLICT-ATTACK\n")
    left = tbf("left", rows[0], rows[2])
    result = json.loads(run("score", key, response, "--types", "types", "--json")[1])
    expected = json.loads(run("score", left, response, "--json")[1])
    assert result["scores"] == expected["scores"]
    assert "|types:conflictattack,lifemarry|" in result["signature"]
    others = [problem for problem in result["problems"] if problem["code"] == "other-type"]
    assert [(problem["path"], problem["line"], problem["text"]) for problem in others] == [("key", 3, "E2 t2")]
    signature = result["signature"]
    assert scoref.score(key, response, protocol=type(PROTOCOLS["kbp-2015"]).parse(signature)).signature == signature
    Path("types").write_text("\n_\n")
    assert run("score", key, response, "--types", "types")[:2] == (2, "")


@pytest.mark.parametrize(("mapping", "expected"), [("span", 1), ("type", 0), ("realis", 1), ("type+realis", 0)])
def test_the_mapping_that_coreference_and_sequencing_use(run: Run, mapping: str, expected: float) -> None:
    """Option -m of the scorer 1.8: the same links of mentions that have another type."""
    links = ["@Coreference E1,E2", "@After E1,E3"]
    key = tbf("key", "E1 t1 A", "E2 t2 A", "E3 t3 A", *links)
    response = tbf("response", "E1 t1 B", "E2 t2 B", "E3 t3 B", *links)
    for metric in ("muc", "after"):
        options = ("--metrics", metric, "--mapping", mapping, "--json")
        assert f1(run("score", key, response, *options), metric) == expected


def test_tables_with_inclusive_ends_are_as_good_as_others(run: Run) -> None:
    key = tbf("key", "E1 t2", "E2 t1")
    folder = tables("They", "met", inclusive=True)
    code, out, _ = run("validate", key, "--tokens", folder)
    assert code == 0
    assert "tables/d.tab:1: a table whose ends are the last characters of tokens  [inclusive-ends]" in out
    assert "0 problems in 1 file" in out
    result = json.loads(run("validate", key, "--tokens", folder, "--json")[1])
    assert (result["problems"], [each["code"] for each in result["remarks"]]) == ([], ["inclusive-ends"])


def test_the_comparison_prefers_the_same_type_among_equal_coefficients() -> None:
    key = tbf("key", "E1 t1 A", "E2 t1 B")
    response = tbf("response", "E1 t1 B", "E2 t1 A")
    rows = nugget_rows(scoref.score(key, response))
    assert [row.kind for row in rows] == ["found", "found"]


def test_a_wrong_type_is_no_span_error() -> None:
    found = Analysis(scoref.score(tbf("key", "E1 t1 A", "E2 t3,t4,t5 A"), tbf("response", "E1 t1 B", "E2 t4,t5 A")))
    assert {kind: number for kind, number in found.counts().items() if number} == {
        "span error": 1, "extra entity": 1, "missing entity": 1,
    }  # fmt: skip
    assert found.costs()[-1].together["b3"] == pytest.approx(1 - found.evaluation["b3"].f1)


# -- sequences --------------------------------------------------------------------------------------------------------


def counts(protocol: str, key: list[str], response: list[str], metric: str = "after+subevent") -> tuple[float, ...]:
    events = [f"E{n} t{n}" for n in range(1, 6)]
    files = [tbf(name, *events, *links) for name, links in (("key", key), ("response", response))]
    return tuple(scoref.score(*files, protocol=protocol, metrics=[metric]).counts[metric][0].tolist())


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        pytest.param(["@After E1,E2"], ["@After E1,E2"], (1, 1, 1, 1), id="one kind"),
        pytest.param(["@Subevent E1,E2", "@After E1,E3"], ["@After E2,E3"], (0, 2, 1, 1), id="a part is before, too"),
        pytest.param(["@After E3,E1", "@Subevent E1,E2"], ["@After E3,E2"], (0, 2, 1, 1), id="a part comes after, too"),
        pytest.param(["@Subevent E1,E2", "@After E1,E3", "@After E2,E3"], ["@After E2,E3"], (0, 2, 1, 1),
                     id="what follows from both kinds is left out"),
        pytest.param(["@Subevent E1,E2"], ["@After E1,E2"], (0, 1, 0, 1), id="the kinds differ"),
    ],
)  # fmt: skip
def test_links_of_both_kinds_are_one_graph(key: list[str], response: list[str], expected: tuple[float, ...]) -> None:
    """By intervals: a part lies within the whole; what is after begins behind the end."""
    assert counts("kbp-2015", key, response) == expected


def test_the_bonus_of_evmeval() -> None:
    """Section 6.6: the response link follows from two of the key. n = 2, r = 0, i = 1: w = 0.99 / (1 + 1 - 0)."""
    chain = ["@After E1,E2", "@After E2,E3"]
    assert counts("evmeval-1.8", chain, ["@After E1,E3"], "after") == (0.495, 2, 1, 1)
    assert counts("kbp-2015", chain, ["@After E1,E3"], "after") == (0, 2, 1, 1)


def test_a_division_by_zero_of_evmeval_is_no_bonus() -> None:
    both = ["@After E1,E2", "@Subevent E1,E2"]
    assert counts("evmeval-1.8", both, both)[1:] == (2, 2, 2)


def test_the_order_of_sets_of_python_2() -> None:
    """The listing that the description of the scorer gives, and that a set has no element twice."""
    links = [(f"e{n}", f"e{n + 1}", "After") for n in range(7)]
    assert [first for first, _, _ in as_listed([*links, *links])] == ["e6", "e1", "e3", "e0", "e2", "e5", "e4"]


def test_a_chain_that_is_put_in_from_right_to_left_has_the_slip() -> None:
    """Section 6.5: what is put before another event begins at -1000, always."""
    graph = TimeGraph([(2, 3, "After"), (1, 2, "After"), (0, 1, "After")])
    assert [graph.time[node, 0] for node in range(4)] == [-1000, -1000, 100_000, 102_000]
    assert [graph.time[node, 1] for node in range(3)] == [-2000, 99_000, 101_000]
    assert graph.entails((1, 0, "After")) is False
    assert graph.entails((0, 1, "After")) is True


@beside
def test_the_recorded_slip() -> None:
    """EvmEval 1.8 gives a precision of 100 where 0 is right (event-nugget.md, 7.2, 15)."""
    files = [VECTORS / f"inv-seq-pseudo-time-slip.{side}.tbf" for side in ("gold", "system")]
    official = scoref.score(*files, protocol="evmeval-1.8")
    assert official["after"].precision == 1
    assert scoref.score(*files, protocol="evmeval-1.8", sequencing="awareness")["after"].precision == 0


def test_defects_are_words_of_the_preset() -> None:
    official = PROTOCOLS["evmeval-1.8"]
    ours = {choice: word for choice, word in DEFECTS if getattr(official, choice) == word}
    assert {"pieces", "sequencing"} <= ours.keys()
    assert all(official.change(**{choice: DEFECTS[choice, word].corrected}) for choice, word in ours.items())


def test_pieces_that_overlap_count_twice_for_evmeval(run: Run) -> None:
    """Section 2.2: 0,4;2,6 against itself is 2·6/16. Written again, the pieces are the same."""
    file = tbf("file.tbf", "E1 0,4;2,6")
    assert scoref.score(file, file, protocol="evmeval-1.8")["nugget-span"].f1 == 0.75
    assert scoref.score(file, file)["nugget-span"].f1 == 1
    assert run("convert", file, "again.tbf")[0] == 0
    assert Path("again.tbf").read_text() == Path(file).read_text()


# -- time -------------------------------------------------------------------------------------------------------------


def test_many_mentions_of_one_span_take_no_square_of_time() -> None:
    from time import process_time

    rows = [f"E{n} t3,t4 T{n % 5}" for n in range(3000)]
    key, response = (scoref.read(tbf(name, *rows)) for name in ("key", "response"))
    start = process_time()
    result = scoref.score(key, response, protocol="kbp-2015", metrics=["nugget-span", "nugget-type"])
    assert result["nugget-type"].f1 == 1
    assert process_time() - start < 60  # all pairs took minutes
    assert isinstance(key[0], Document)
