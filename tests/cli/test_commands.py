"""The command line from end to end: every command, every preset, every output; what is printed and what is not."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from places import EXAMPLES
from scoref import formats
from scoref.cli.evaluations import told_apart
from scoref.counting.metrics import Mean, OneToOne, PerEntity
from scoref.document.grouping import DOCUMENT_FIELDS
from scoref.layout.grid import clean
from scoref.layout.render import OUTPUTS, PICTURES
from scoref.output.registries import LISTS
from scoref.protocol.choices import CHOICES
from scoref.protocol.protocol import PROTOCOLS
from scoref.relations.registry import METRICS
from scoref.results.scores import TRIALS
from scoref.statistics.inference.corrections import CORRECTIONS
from scoref.statistics.systems import PAIRS

Result = tuple[int, str, str]
Run = Callable[..., Result]

COMMANDS = ("score", "compare", "merge", "stability", "validate", "convert", "list")


def conll(*cells: str, name: str = "a") -> str:
    rows = [f"w{number}\t{cell}" for number, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *rows, "#end document", ""])


KEY = conll("(1)", "(1)", "(2", "2)", "(3)", "(3)", name="x") + conll("(1)", "(1)", "(1)", name="y")
RESPONSE = conll("(1)", "-", "(1", "1)", "(3)", "(3)", name="x") + conll("(1)", "(2)", "(1)|(2)", name="y")


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)
    Path("response.conll").write_text(RESPONSE)


def put(path: str, text: str | bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)


def scored(run: Run, *argv: str) -> dict[str, dict[str, float]]:
    code, out, err = run("score", *argv, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)["scores"]  # type: ignore[no-any-return]


# -- score ------------------------------------------------------------------------------------------------------------


def test_score_as_a_table(run: Run) -> None:
    code, out, err = run("score", "key.conll", "response.conll", "--metrics", "muc,mentions", "--duplicates", "last")
    assert (code, err) == (0, "")
    assert out.startswith(
        "metric    recall  precision     f1\n"
        "muc        50.00      66.67  57.14\n"
        "mentions   87.50     100.00  93.33\n"
        "\n2 documents\n1 × duplicate-mention: the same mention in entity 1 and in entity 2\n"
    )
    assert re.fullmatch(r"signature conll-2012\|duplicates:last\|metrics:.*\|scoref:.*", out.split("\n")[-2])


def test_score_as_json_has_the_shape_of_the_contract(run: Run) -> None:
    code, out, err = run("score", "key.conll", "response.conll", "--json")
    result = json.loads(out)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert list(result) == [
        "scoref", "signature", "signature_full", "protocol", "documents", "problems", "notes", "undefined", "scores",
        "counts", "factors",
    ]  # fmt: skip
    assert result["scoref"] == scoref.__version__
    assert result["signature"].startswith("conll-2012|")
    assert result["protocol"]["name"] == "conll-2012"
    assert result["protocol"]["match"] == "exact"
    assert result["documents"] == 2
    assert list(result["scores"]) == ["mentions", "muc", "b3", "ceafe", "conll"]
    assert result["scores"]["muc"] == {"recall": 2 / 4, "precision": 2 / 3, "f1": pytest.approx(4 / 7)}
    assert result["counts"]["muc"] == {"recall": [2.0, 4.0], "precision": [2.0, 3.0]}
    assert all(list(score) == ["recall", "precision", "f1"] for score in result["scores"].values())
    (problem,) = result["problems"]
    assert (problem["code"], problem["path"], problem["line"], problem["document"]) == (
        "duplicate-mention", "response.conll", 12, "y",
    )  # fmt: skip


def test_breakdowns_as_json(run: Run) -> None:
    documents = json.loads(run("score", "key.conll", "response.conll", "--json", "--by", "document")[1])
    assert list(documents["documents_scores"]) == ["x", "y"]
    assert documents["documents_scores"]["y"]["muc"]["recall"] == 0.5
    entities = json.loads(run("score", "key.conll", "response.conll", "--json", "--by", "entity")[1])["entities"]
    assert {entity["side"] for entity in entities} == {"key", "response"}
    assert sum(entity["size"] for entity in entities if entity["side"] == "key") == 8


def test_csv_is_one_table_with_full_precision(run: Run) -> None:
    def rows(*argv: str) -> list[dict[str, str]]:
        return [*csv.DictReader(io.StringIO(run("score", "key.conll", "response.conll", "--output", "csv", *argv)[1]))]

    totals = {row["metric"]: float(row["recall"]) for row in rows()}
    assert totals["b3"] == scored(run, "key.conll", "response.conll")["b3"]["recall"]
    by_document = [(row["document"], row["metric"]) for row in rows("--by", "document", "--metrics", "muc,b3")]
    assert by_document == [*itertools.product(["", "x", "y"], ["muc", "b3"])]
    assert {row["side"] for row in rows("--by", "entity")} == {"key", "response"}


def test_markdown_and_latex(run: Run) -> None:
    argv = ("score", "key.conll", "response.conll", "--metrics", "muc")
    assert run(*argv, "--output", "markdown")[1].startswith(
        "| metric | recall | precision | f1 |\n| --- | ---: | ---: | ---: |\n| muc | 50.00 | 66.67 | 57.14 |\n\n"
    )
    assert run(*argv, "--output", "latex")[1].startswith(
        "\\begin{tabular}{lrrr}\n\\toprule\nmetric & recall & precision & f1 \\\\\n\\midrule\n"
        "muc & 50.00 & 66.67 & 57.14 \\\\\n\\bottomrule\n\\end{tabular}\n\n% 2 documents\n"
    )


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("by", [(), ("--by", "document"), ("--by", "entity")])
@pytest.mark.parametrize("metrics", [(), ("--metrics", "all")])
def test_text_fits_a_terminal(run: Run, by: tuple[str, ...], metrics: tuple[str, ...]) -> None:
    names = [f"(wb/sel/36/sel_{number:04}); part 000" for number in range(30)]
    for path, cells in (("k", ["(1)", "(1)", "(2)"]), ("r", ["(1)|(2)", "(2)", "(2)"])):
        put(path, "".join(conll(*cells, name=name) for name in names))
    code, out, _ = run("score", "k", "r", *by, *metrics)
    assert code == 0
    assert all(len(line) <= 80 for line in out.split("\n") if not line.startswith("signature "))


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_preset_runs(run: Run, name: str) -> None:
    key = "key.conll"
    if PROTOCOLS[name].scope == "corpus":  # EDL: mentions have types and ids of a knowledge base
        key = "key.edl"
        put(key, "d1\t0\t2\tE1\t1.0\tPER\nd2\t0\t2\tNIL1\t1.0\tPER\n")
    code, out, err = run("score", key, key, "--protocol", name, "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["protocol"]["name"] == name
    assert result["scores"]
    assert all(0 <= value <= 1 for score in result["scores"].values() for value in score.values())


WORDS = {name: [*choice.words] for name, choice in CHOICES.items() if name not in ("spans", "text", "types")}


@pytest.mark.parametrize(("choice", "word"), [(choice, word) for choice, words in WORDS.items() for word in words])
def test_every_choice_is_an_option(run: Run, choice: str, word: str) -> None:
    pair = [str(EXAMPLES / f"{side}.conll") for side in ("key", "response")]
    side, hyphen, of_side = word.partition("-") if choice == "ends" else ("", "", "")
    said = (f"--{side}-{choice}", of_side) if hyphen else (f"--{CHOICES[choice].spelled}", word)
    code, out, err = run("score", *pair, *said, "--json")
    if code:  # it does not go with the metrics
        assert (code, out) == (2, "")
        assert "  you can   " in err
    else:
        assert json.loads(out)["protocol"][choice] == word


def test_all_metrics(run: Run) -> None:
    """All but those that compare clusterings as wholes, or look at borders of documents."""
    plain = [name for name, metric in METRICS.items() if isinstance(metric.how, PerEntity | OneToOne | Mean)]
    plain = [name for name in plain if name not in ("hota", "maven-ere", "b3-extended")]  # means of others, B³ again
    assert list(scored(run, "key.conll", "response.conll", "--metrics", "all")) == plain
    assert list(scored(run, "key.conll", "response.conll", "--metrics", "lea, muc,lea")) == ["lea", "muc"]


def test_the_same_call_prints_the_same_every_time(run: Run) -> None:
    argv = ("score", "key.conll", "response.conll", "--by", "entity")
    assert run(*argv) == run(*argv) == run(*argv)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("scores",), "scores"),
        (("--jason", "score", "key.conll", "response.conll"), "--jason"),
        (("score", "key.conll"), "RESPONSE"),
        (("score", "key.conll", "response.conll", "more"), "more"),
        (("score", "key.conll", "response.conll", "--metrics", "muc,bleu"), "bleu"),
        (("score", "key.conll", "response.conll", "--metrics", ""), "unknown-metric"),
        (("score", "key.conll", "response.conll", "--protocol", "conll-2013"), "conll-2013"),
        (("score", "key.conll", "response.conll", "--output", "word"), "word"),
        (("score", "key.conll", "response.conll", "--by", "colour"), "colour"),
        (("score", "key.conll", "response.conll", "--match", "fuzzy"), "fuzzy"),
        (("score", "key.conll", "response.conll", "--format", "word"), "word"),
        (("score", "key.conll", "response.conll", "--jobs", "0"), "at least 1"),
        (("score", "key.conll", "response.conll", "--jobs", "two"), "two"),
        (("score", "key.conll", "response.conll", "--remove-singletons"), "--remove-singletons"),
        (("score", "-", "-"), "standard input"),
        (("validate",), "FILE"),
        (("convert", "key.conll"), "OUT"),
        (("convert", "key.conll", "x.doc"), ".conll"),
        (("convert", "key.conll", "-"), "--to"),
        (("list", "everything"), "everything"),
    ],
)
def test_bad_usage_has_a_reason_and_no_output(run: Run, argv: tuple[str, ...], reason: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert reason in err
    assert "Traceback" not in err


# -- files, folders, standard input -----------------------------------------------------------------------------------


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    expected = scored(run, "key.conll", "response.conll")
    feed(RESPONSE.encode())
    assert scored(run, "key.conll", "-") == expected
    feed(gzip.compress(KEY.encode()))
    assert scored(run, "-", "response.conll") == expected
    feed(KEY.encode())
    assert run("validate", "-") == (0, "0 problems in 1 file\n", "")
    feed(KEY.encode())
    assert run("convert", "-", "-", "--to", "conll")[:2] == run("convert", "key.conll", "-", "--to", "conll")[:2]
    feed(b"")
    assert "[empty-file]" in run("score", "key.conll", "-")[2]


def test_folders_are_paired_by_relative_name(run: Run) -> None:
    for number, cells in ((1, ["(1)", "(1)", "(1)"]), (10, ["(1)", "(2)", "(1)"]), (11, ["(2)", "(2)", "(1)"])):
        text = conll(*cells, name="same name")
        put(f"key/deep/er/d-{number}.conll", text)
        put(f"response/deep/er/d-{number}.conll.gz", gzip.compress(text.encode()))
    put("key/.git/config", "not data")
    code, out, _ = run("score", "key", "response", "--json", "--by", "document")
    result = json.loads(out)
    assert (code, result["documents"], result["scores"]["conll"]["f1"]) == (0, 3, 1)
    assert list(result["documents_scores"]) == [f"deep/er/d-{number}.conll:same name" for number in (1, 10, 11)]
    assert run("score", "key", "response", "--json", "--by", "document", "--jobs", "2")[1] == out


def test_a_file_missing_from_the_response_folder_is_empty_and_reported(run: Run) -> None:
    for path in ("key/a", "key/b", "response/a"):
        put(path, KEY)
    result = json.loads(run("score", "key", "response", "--json")[1])
    assert [(problem["code"], problem["document"]) for problem in result["problems"]] == [
        ("missing-document", "x"), ("missing-document", "y"),
    ]  # fmt: skip
    assert result["scores"]["muc"]["recall"] == 0.5


def test_clusters_files_are_one_document_each(run: Run) -> None:
    for name, text in (("1", '[["a", "b"]]'), ("2", '[["a"], ["b"]]')):
        put(f"key/{name}.json", text)
        put(f"response/{name}.json", '[["a", "b"]]')
    result = json.loads(run("score", "key", "response", "--json", "--by", "document")[1])
    assert list(result["documents_scores"]) == ["1.json", "2.json"]
    assert result["scores"]["muc"] == {"recall": 1, "precision": 0.5, "f1": pytest.approx(2 / 3)}


def test_saying_the_format_and_the_ends(run: Run) -> None:
    put("in.jsonl", '{"id": "a", "tokens": ["a", "b"], "clusters": [[[0, 1], [1, 2]]]}')
    assert run("score", "in.jsonl", "in.jsonl", "--format", "jsonl")[0] == 2
    assert scored(run, "in.jsonl", "in.jsonl", "--format", "jsonl", "--ends", "exclusive")["muc"]["f1"] == 1


# -- convert ----------------------------------------------------------------------------------------------------------

HOLDS = {name: format.holds for name, format in formats.FORMATS.items() if format.writes}
WRITABLE = [name for name, holds in HOLDS.items() if "words" not in holds or "word places" in holds]


def entities(path: str, format: str | None = None) -> set[frozenset[object]]:
    """The entities of all documents, each as the set of its mentions; names of entities and documents do not count."""
    found = set()
    for document in scoref.read(path, format):
        for mentions in document.entities().values():
            spans = [(m.span[0] >> 8, m.span[-1] >> 8) if m.span else _place(m.id) for m in mentions]
            found.add(frozenset(spans))
    return found


def _place(name: object) -> object:
    """The place that a name in a table says."""
    return tuple(map(int, name.split("-"))) if isinstance(name, str) and "-" in name else name


@pytest.mark.parametrize(("source", "target"), [*itertools.product(WRITABLE, WRITABLE)])
def test_convert_between_all_formats(run: Run, source: str, target: str) -> None:
    put("one.conll", conll("(1)", "(2|(3", "2)", "3)", "(1)"))
    first, second = (f"{number}{formats.FORMATS[name].suffix}" for number, name in enumerate((source, target)))
    assert run("convert", "one.conll", first) == (0, "", "")
    assert run("validate", first)[0] == 0
    code, out, err = run("convert", first, second)
    if "mention names" in HOLDS[source] - HOLDS[target]:  # names are no places
        assert (code, out) == (2, "")
        assert "error: " in err
    else:
        assert (code, out) == (0, "")
        unknown = HOLDS[source].isdisjoint(("words", "mention names"))
        assert ("the words are not known" in err) == (unknown and formats.FORMATS[target].of_words)
        assert entities(second, target) == entities("one.conll")


@pytest.mark.parametrize("target", [name for name, each in formats.FORMATS.items() if each.of_words and each.writes])
@pytest.mark.parametrize("source", ["brat", "muc"])
def test_convert_by_way_of_characters_keeps_scores(run: Run, source: str, target: str) -> None:
    tales = EXAMPLES / "tales"
    assert run("convert", tales / "rules.conll", "characters", "--to", source) == (0, "", "")
    code, out, err = run("convert", "characters", "words", "--to", target)
    assert (code, out) == (0, "")
    assert "positions were characters" in err
    response = "words" if Path("words").is_dir() else next(Path().glob("words*"))
    assert scored(run, str(tales / "key.conll"), str(response)) == scored(
        run, str(tales / "key.conll"), str(tales / "rules.conll")
    )


@pytest.mark.parametrize("format", ["conll", "jsonl"])
def test_convert_to_standard_output_and_back(run: Run, format: str) -> None:
    code, out, err = run("convert", "key.conll", "-", "--to", format)
    assert (code, err) == (0, "")
    put("again", out)
    assert [document.mentions for document in scoref.read("again")] == [
        document.mentions for document in scoref.read("key.conll")
    ] or format != "conll"
    assert entities("again") == entities("key.conll")


def test_convert_folder_to_folder(run: Run) -> None:
    for name in ("a.conll", "deep/b.conll", "deep/c.v4_gold_conll", "d.1", "d.2", "e.conll.gz"):
        put(f"in/{name}", gzip.compress(KEY.encode()) if name.endswith(".gz") else KEY)
    assert run("convert", "in", "out", "--to", "jsonl") == (0, "", "")
    assert sorted(formats.files("out")) == [
        "a.jsonl", "d.1.jsonl", "d.2.jsonl", "deep/b.jsonl", "deep/c.v4_gold_conll.jsonl", "e.jsonl",
    ]  # fmt: skip
    assert entities("out") == entities("key.conll")
    assert "[no-format]" in run("convert", "in", "out")[2]
    assert "[no-folder]" in run("convert", "in", "-", "--to", "jsonl")[2]
    assert not Path("-").exists()


def test_convert_never_writes_two_files_to_one(run: Run) -> None:
    put("in/a.conll", KEY)
    put("in/a.jsonl", '{"id": "x", "clusters": []}')
    code, out, err = run("convert", "in", "out", "--to", "jsonl")
    assert (code, out) == (2, "")
    assert "[repeated-file]" in err
    assert not Path("out").exists()


def test_convert_several_documents_to_clusters_writes_a_folder(run: Run) -> None:
    names = ["../../up", "/etc/passwd", "..", "é" * 300, "a", "A"]
    put("in.jsonl", "".join(json.dumps({"id": name, "clusters": [[[0, 1], [2, 2]]]}) + "\n" for name in names))
    code, out, err = run("convert", "in.jsonl", "out/clusters.json")
    assert (code, out) == (0, "")
    assert "6 documents have another name, that of the file" in err
    written = [path for path in Path().rglob("*.json") if path.is_file()]
    assert len(written) == len(names)
    assert all(Path("out/clusters.json") in path.parents for path in written)
    assert scored(run, "out/clusters.json", "out/clusters.json")["conll"]["f1"] == 1
    assert "[too-many-documents]" in run("convert", "in.jsonl", "-", "--to", "clusters")[2]


@pytest.mark.parametrize(
    "text",
    [
        "document,mention,entity\na,x,1\nb,x,1\n",
        '{"id": "a", "clusters": [[[0, 1]]]}\n{"id": "b", "clusters": [[[0, 1]]]}\n',
    ],
)
def test_the_format_that_is_proposed_for_several_documents_holds_them(run: Run, text: str) -> None:
    put("in", text)
    said = run("convert", "in", "-", "--to", "clusters")[2]
    assert run("convert", "in", "-", "--to", re.findall(r"choose the format (\w+)", said)[0])[0] == 0
    assert run("convert", "in", "folder", "--to", "clusters")[0] == 0


def test_documents_without_names_have_those_of_their_files(run: Run) -> None:
    put("in/a.json", '[["x", "y"]]')
    put("in/deep/b.json", '[["x"], ["y"]]')
    code, out, err = run("convert", "in", "all.jsonl")
    assert (code, out) == (2, "")
    assert "[unwritable-mention]" in err
    assert "clusters or table" in err
    assert run("convert", "in", "names", "--to", "clusters") == (0, "", "")  # what the error says, does
    assert run("convert", "in", "all.csv") == (0, "", "")
    assert [document.id for document in scoref.read("all.csv")] == ["a", "deep/b"]


def test_documents_of_one_name_are_not_written_to_one_file(run: Run) -> None:
    put("in/a.conll", KEY)
    put("in/b.conll", KEY)
    code, out, err = run("convert", "in", "all.jsonl")
    assert (code, out) == (2, "")
    assert "document x for the second time  [repeated-document]" in err
    assert "--to jsonl" in err
    assert run("convert", "in", "all", "--to", "jsonl") == (0, "", "")  # what the error says, does


@pytest.mark.parametrize("format", ["conll", "text", "clusters", "webanno", "muc"])
def test_what_cannot_be_written_is_located_at_its_mention(run: Run, format: str) -> None:
    rows = [f"{n}\tw{n}" + "\t_" * 7 for n in range(1, 5)]
    cells = ["_", "Entity=(1[1/2]--1-)", "_", "Entity=(1[2/2]--1-)"]
    lines = [
        "# newdoc id = d",
        "# global.Entity = eid-etype-head-other",
        *map("\t".join, zip(rows, cells, strict=True)),
    ]
    put("in.conllu", "\n".join([*lines, "", ""]))
    code, out, err = run("convert", "in.conllu", "out", "--to", format)
    assert (code, out) == (2, "")
    assert "[unwritable-mention]" in err
    assert f"in.conllu:{lines.index(next(line for line in lines if '[1/2]' in line)) + 1}," in err


def test_convert_stops_at_problems_or_skips_and_says_so(run: Run) -> None:
    put("bad.conll", conll("(1)", "(1)", "(2"))
    code, out, err = run("convert", "bad.conll", "good.jsonl")
    assert (code, out) == (2, "")
    assert not Path("good.jsonl").exists()
    code, out, err = run("convert", "bad.conll", "good.jsonl", "--on-problem", "skip")
    assert (code, out) == (0, "")
    assert err.startswith("skipped: mention never closed  [unclosed-mention]\n  where     bad.conll:4")
    assert entities("good.jsonl") == {frozenset({(0, 0), (1, 1)})}


def test_convert_takes_the_side_that_is_asked_for(run: Run) -> None:
    put("both.jsonl", '{"id": "a", "clusters": [[[0, 0]]], "predicted_clusters": [[[1, 2]]]}')
    run("convert", "both.jsonl", "key.json")
    run("convert", "both.jsonl", "response.json", "--side", "response")
    assert (entities("key.json"), entities("response.json")) == ({frozenset({(0, 0)})}, {frozenset({(1, 2)})})


def test_convert_into_what_cannot_be_written(run: Run) -> None:
    put("file", "x")
    code, out, err = run("convert", "key.conll", "file/out.jsonl")
    assert (code, out) == (2, "")
    assert "[unwritable-file]" in err


# -- list and help ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_list(run: Run, what: str, output: str) -> None:
    code, out, err = run("list", what, "--output", output)
    assert (code, err) == (0, "")
    known = {
        "metrics": (*METRICS,),
        "formats": formats.FORMATS,
        "protocols": PROTOCOLS,
        "matchers": [*CHOICES["match"].words],
    }
    escaped = (lambda name: name.replace("_", r"\_")) if output == "latex" else str
    assert all(escaped(name) in out for name in known[what])
    if output == "text":
        assert all(len(line) <= 80 for line in out.split("\n"))
        assert "…" not in out
    if output == "json":
        assert [each[what[:-1]] for each in json.loads(out)][: len(known[what])] == [*known[what]]


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_lists_every_choice(run: Run, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    code, out, err = run("help", *command, "all") if command else run("help")
    assert (code, err) == (0, "")
    options = {
        (): COMMANDS,
        ("score",): [*formats.FORMATS, *OUTPUTS, *(f"--{CHOICES[name].spelled}" for name in WORDS),
                     *(word for name, words in WORDS.items() for word in words if name != "ends"), *formats.ENDS],
        ("compare",): [*OUTPUTS, *PAIRS, *CORRECTIONS, *DOCUMENT_FIELDS, *PICTURES, str(TRIALS)],
        ("merge",): [*OUTPUTS, *CHOICES["average"].words, "--ci", "--unit"],
        ("stability",): [*OUTPUTS, *PICTURES, "--repetitions"],
        ("validate",): [*formats.FORMATS, "text", "json", *formats.ENDS],
        ("convert",): [*formats.FORMATS, *formats.ENDS, *formats.SIDES, "raise", "skip"],
        ("list",): [*LISTS, *OUTPUTS],
    }  # fmt: skip
    assert all(option in out for option in options[command])


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"scoref {scoref.__version__}\n", "")


# -- names that try to break the output -------------------------------------------------------------------------------

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "a\nb\r\nc\td",
    r"\input{/etc/passwd} 100% & $x_1^2$ #~{",
    "[1ex]",
    "*",
    "a|b\\",
    "<script>alert(1)</script>",
    "\u202egnp.exe",
    "שלום עולם",
    "日本語" * 40,
    "x" * 5000,
    '=1+1,"q",;',
    "../../x",
    "\x00",
]


@pytest.fixture
def hostile() -> str:
    records = [{"id": name, "tokens": ["\x1b[1m"] * 2, "clusters": [[[0, 0], [0, 0]], [[1, 1]]]} for name in HOSTILE]
    put("hostile.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    return "hostile.jsonl"


def _breakdown(run: Run, file: str, output: str) -> str:
    code, out, _ = run("score", file, file, "--by", "document", "--output", output)
    assert code == 0
    return out


@pytest.mark.parametrize("output", ["text", "markdown", "latex"])
def test_hostile_names_do_not_steer_the_terminal(run: Run, hostile: str, output: str) -> None:
    out = _breakdown(run, hostile, output)
    assert out.replace("\n", "") == clean(out.replace("\n", ""))
    shown = {"text": "\\x1b[2J", "markdown": "\\\\x1b\\[2J", "latex": "textbackslash{}x1b{[}2J"}
    assert shown[output] in out


@pytest.mark.usefixtures("terminal")
def test_hostile_names_do_not_break_text(run: Run, hostile: str) -> None:
    lines = _breakdown(run, hostile, "text").split("\n")
    assert len(lines) < 40
    assert all(len(line) <= 80 for line in lines if not line.startswith("signature "))


def test_hostile_names_do_not_break_markdown(run: Run, hostile: str) -> None:
    lines = _breakdown(run, hostile, "markdown").split("\n\n")[2].split("\n")
    assert len(lines) == 2 + len(HOSTILE)
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines} == {7}
    assert "<script" not in "".join(lines)


def test_hostile_names_do_not_break_latex(run: Run, hostile: str) -> None:
    table = _breakdown(run, hostile, "latex").split("\n\n")[1].split("\n")
    rows = table[table.index(r"\midrule") + 1 : table.index(r"\bottomrule")]
    assert len(rows) == len(HOSTILE)
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == 5
        assert row.endswith(r" \\")
        assert not row.startswith(("[", "*"))
        bare = (
            re.sub(r"\\(?:text\w+\{\}|[&%$#_{}])", "", row.removesuffix(r" \\")).replace("{[}", "").replace("{*}", "")
        )
        assert not set(bare) & set("\\%$#_{}~^")


def test_hostile_names_are_guarded_in_csv_and_come_back_from_json(run: Run, hostile: str) -> None:
    rows = list(csv.reader(io.StringIO(_breakdown(run, hostile, "csv"), newline="")))
    guarded = ["'" * name.startswith(("=", "+", "-", "@")) + clean(name) for name in HOSTILE]
    assert list(dict.fromkeys(row[0] for row in rows[1:] if row[0])) == guarded
    assert list(json.loads(_breakdown(run, hostile, "json"))["documents_scores"]) == HOSTILE


def test_hostile_names_do_not_break_errors(run: Run) -> None:
    put("bad.jsonl", json.dumps({"id": "\x1b[2J\u202e", "clusters": [[["\x1b[2J", 1]]]}))
    for argv in (("score", "bad.jsonl", "bad.jsonl"), ("validate", "bad.jsonl")):
        _, out, err = run(*argv)
        assert "bad-mention" in out + err
        assert (out + err).replace("\n", "") == clean((out + err).replace("\n", ""))


# -- as a program -----------------------------------------------------------------------------------------------------


def program(*argv: str, **how: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "scoref", *argv], capture_output=True, **how)  # type: ignore[call-overload, no-any-return]


def test_as_a_program(run: Run) -> None:
    put("é.jsonl", '{"id": "é", "clusters": [[[0, 0], [0, 0]]]}')
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    good = program("score", "é.jsonl", "-", "--by", "document", input=Path("é.jsonl").read_bytes(), env=environment)
    assert (good.returncode, good.stderr) == (0, b"")
    table, notes = good.stdout.decode().split("\n\n1 document\n")
    assert run("score", "é.jsonl", "é.jsonl", "--by", "document")[1].startswith(table)
    assert "2 × duplicate-mention" in notes
    bad = program("score", "é.jsonl", "nothing", env=environment)
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert bad.stderr.startswith(b"error: cannot read the file")


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "scoref", "list", "metrics"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["gum.response.a.conll", "gum.response.b.conll"], ["a", "b"]),
        (["x/run-1.json", "y/run-1.json"], ["x", "y"]),
        (["a.conll", "ab.conll"], ["a", "ab"]),
        (["a", "a.b"], ["a", "a.b"]),
        (["a.b", "a-b"], ["a.b", "a-b"]),
        (["only.conll"], ["only.conll"]),
    ],
)
def test_names_are_as_short_as_tells_them_apart(names: list[str], expected: list[str]) -> None:
    assert told_apart(names) == expected
