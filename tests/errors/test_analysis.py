"""Analyses: what other responses fix and break, event nuggets, layers, the published analyser, the command."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

import scoref
from analysing import INTRODUCE, MERGE, REMOVE, SPLIT, WORDS, analysed, partition, text
from places import EXAMPLES, SHARED, beside
from scoref.document.document import Bridge, position, stretch
from scoref.errors.analysis import Analysis
from scoref.errors.listing import changes
from scoref.errors.mistakes import KINDS
from scoref.errors.other_layers import nonreferring_counts, nugget_rows
from scoref.errors.outcomes import nugget_confusion
from scoref.output.errors import render_errors

# -- two responses, event nuggets ------------------------------------------------------------------------------------


def test_what_another_response_fixes_and_breaks():
    key = [["a", "b"], ["c", "d"], ["e", "f"]]
    before = analysed(key, [["a", "b", "c", "d"], ["e", "f", "x"]])
    after = analysed(key, [["a", "b"], ["c", "d"], ["e"], ["f", "x"]])
    assert [(each.status, each.error.kind) for each in changes(before, after)] == [
        ("fixed", "conflated entities"), ("broken", "divided entity"),
    ]  # fmt: skip
    assert changes(before, before) == []


def nuggets(*rows):
    mentions = [
        scoref.Mention(stretch(*span), id, id, (), (("type", type), ("realis", realis)))
        for id, span, type, realis in rows
    ]
    return scoref.Document("d", (), tuple(mentions))


KEY = nuggets(("a", (0, 1), "X", "Actual"), ("b", (5, 6), "X", "Actual"), ("c", (9, 9), "X", "Actual"),
              ("d", (20, 23), "X", "Actual"), ("e", (30, 30), "X", "Actual"))  # fmt: skip
RESPONSE = nuggets(("1", (0, 1), "X", "Actual"), ("2", (5, 6), "Y", "Actual"), ("3", (9, 9), "X", "Other"),
                   ("4", (20, 21), "X", "Actual"), ("5", (40, 40), "X", "Actual"))  # fmt: skip


def test_nuggets_side_by_side():
    rows = nugget_rows(scoref.score(KEY, RESPONSE, protocol="evmeval-1.8"))
    assert [row.kind for row in rows] == ["found", "wrong type", "wrong realis", "partial", "missed", "spurious"]
    assert nugget_confusion(rows) == {("X", "X"): 3, ("X", "Y"): 1, ("X", ""): 1, ("", "X"): 1}
    odd = analysed(nuggets(), nuggets(("1", (0, 1), "X", "<")), protocol="evmeval-1.8")  # no letters to compare by
    assert nugget_confusion(odd.nuggets, "realis") == {("", "<"): 1}
    assert "realis: key down, response across" in [grid.title for grid in odd.views()]


def test_nuggets_that_another_response_finds_are_fixed():
    before, after = (analysed(KEY, response, protocol="evmeval-1.8") for response in (RESPONSE, KEY))
    statuses = [(each.status, each.error.kind) for each in changes(before, after)]
    assert [kind for status, kind in statuses if status == "broken"] == []
    assert [kind for _, kind in statuses][:5] == ["wrong type", "wrong realis", "partial", "missed", "spurious"]


# -- the published analysis ------------------------------------------------------------------------------------------

PUBLISHED = dict(zip(KINDS, (16, 101, 94, 93, 90, 35, 34), strict=True))
NAMES = (
    "span_errors",
    "confused_entities",
    "extra_mention",
    "extra_entity",
    "divided",
    "missing_mention",
    "missing_entity",
)
REAL = SHARED / "data" / "wsj-errors"


@beside
def test_a_real_system_has_about_as_many_errors_as_the_published_analyser_finds():
    analysis = Analysis(scoref.score(REAL / "key.conll", REAL / "response.stanford-system.conll"))
    for kind, number in analysis.counts().items():
        assert abs(number - PUBLISHED[kind]) <= 11
    base = analysis.evaluation["conll"].f1
    for kind, name in zip(KINDS, NAMES, strict=True):
        responses = [pair.response for pair in analysis.repaired({"span error", kind})]
        ours = scoref.score([pair.key for pair in analysis.evaluation.evidence.pairs], responses)["conll"].f1
        theirs = scoref.score(REAL / "key.conll", REAL / f"response.corrected-{name}.conll")["conll"].f1
        assert ours > base
        assert ours == pytest.approx(theirs, abs=0.02)


# -- the command -----------------------------------------------------------------------------------------------------

FILES = [str(EXAMPLES / name) for name in ("key.conll", "response.conll")]


@pytest.fixture
def errors(run):
    return partial(run, "errors")


def test_the_command_counts_and_weighs(errors):
    code, out, _ = errors(*FILES)
    table = {line[:18].strip(): line[18:].split() for line in out.split("\n\n")[0].splitlines()[1:]}
    analysis = Analysis(scoref.score(*FILES))
    assert code == 0
    assert {kind: int(cells[0]) for kind, cells in table.items()} == analysis.counts()
    for cost in analysis.costs():
        assert table[cost.kind][1:] == [f"{100 * each['conll']:+.2f}" for each in (cost.alone, cost.together)]


def test_json_has_operations_costs_and_views(errors):
    result = json.loads(errors(*FILES, "--json", "--by", "document")[1])
    assert sum(result["counts"].values()) == len(result["errors"])
    assert {each["operation"] for error in result["errors"] for each in error["operations"]} <= {
        "correct span", SPLIT, REMOVE, INTRODUCE, MERGE,
    }  # fmt: skip
    assert [cost["kind"] for cost in result["costs"]] == list(KINDS)
    assert {"mentions by form", "mentions by distance", "errors by document"} <= result["views"].keys()


def test_csv_has_a_line_for_each_mention_of_each_operation(errors):
    rows = list(csv.DictReader(io.StringIO(errors(*FILES, "--output", "csv")[1])))
    found = Analysis(scoref.score(*FILES)).errors
    assert len(rows) == sum(len(each.mentions) for error in found for each in error.operations)
    assert [row["operation"] for row in rows][: len(found[0].operations)] == [each.name for each in found[0].operations]


@pytest.mark.parametrize(
    "by", ["document", "genre", "dataset", "entity", "tangle", "form", "position", "distance", "size"]
)
def test_breakdowns(errors, by):
    code, out, _ = errors(*FILES, "--by", by)
    assert code == 0
    assert by in out


@pytest.mark.parametrize("field", ["document", "genre", "dataset", "text"])
def test_groups_of_documents_have_all_errors_between_them(field):
    analysis = Analysis(scoref.score(EXAMPLES / "tales" / "key.conll", EXAMPLES / "tales" / "rules.conll"))
    groups = analysis.by_document(field)
    assert {kind: sum(each[kind] for each in groups.values()) for kind in KINDS} == analysis.counts()
    assert len(groups) == {"document": 4, "genre": 2, "dataset": 1, "text": 4}[field]


def test_another_setting_is_one_more_column(errors):
    result = json.loads(errors(*FILES, "--json", "--with", "match:min")[1])
    assert result["settings"] == {"match:min": Analysis(scoref.score(*FILES, match="min")).counts()}
    table = errors(*FILES, "--with", "match:min")[1].split("\n\n")[0].splitlines()
    assert [int(line.split()[-1]) for line in table[1:]] == list(result["settings"]["match:min"].values())


def test_an_unknown_breakdown_is_an_error(errors):
    code, out, error = errors(*FILES, "--by", "colour")
    assert (code, out) == (2, "")
    assert "no mention has the attribute 'colour'" in error


def test_two_responses(errors, tmp_path):
    code, out, _ = errors(FILES[0], FILES[1], FILES[0])
    counts = Analysis(scoref.score(*FILES)).counts()
    rows = {line[:18].strip(): line[18:].split() for line in out.split("\n\n")[0].splitlines()[1:]}
    assert code == 0
    assert rows == {kind: [str(n), "0", str(n), "0"] for kind, n in counts.items()}
    listed = errors(FILES[0], FILES[1], FILES[0], "--list")[1]
    assert listed.count("fixed") == sum(counts.values())
    changed = json.loads(errors(*FILES, FILES[0], "--json")[1])["changes"][0]["errors"]
    assert {each["status"] for each in changed} == {"fixed"}
    assert errors(*FILES, FILES[0], "--repaired", tmp_path)[0] == 2


def test_repaired_responses_are_files_that_score_as_promised(errors, tmp_path):
    assert errors(*FILES, "--repaired", tmp_path)[0] == 0
    analysis = Analysis(scoref.score(*FILES))
    for number, cost in enumerate(analysis.costs(), 1):
        name = cost.kind.replace(" ", "-")
        for path, gained in ((f"alone/{name}", cost.alone), (f"together/{number}-{name}", cost.together)):
            new = scoref.score(FILES[0], tmp_path / f"{path}.conll")
            assert new["conll"].f1 == pytest.approx(analysis.evaluation["conll"].f1 + gained["conll"])


def test_repaired_nuggets_keep_their_other_relations(errors, tmp_path):
    lines = ["#BeginOfDocument d", *(f"s\td\tE{n}\t{n},{n + 1}\tw\tT\tActual" for n in range(4)),
             "@Coreference\tR1\tE0,E1", "@After\tR2\tE0,E2", "#EndOfDocument", ""]  # fmt: skip
    key, response = tmp_path / "key.tbf", tmp_path / "response.tbf"
    key.write_text("\n".join(lines))
    response.write_text("\n".join(lines).replace("E0,E1", "E1,E3"))
    assert errors(key, response, "--repaired", tmp_path / "out")[0] == 0
    new = scoref.score(key, tmp_path / "out" / "together" / "7-missing-entity.tbf", protocol="evmeval-1.8")
    assert (new["b3"].f1, new["after"].f1) == (1, 1)


# -- layers ----------------------------------------------------------------------------------------------------------


def layered(bridges=(), nonreferring=(), deixis=None):
    names = {str(number): [(number, number)] for number in range(6)}
    inner = text(deixis) if deixis else None
    return text(names, bridges=bridges, nonreferring=frozenset(nonreferring), deixis=inner)


def test_bridging_errors_have_places():
    key = layered((Bridge(3, 0), Bridge(4, 0), Bridge(5, 1)))
    response = layered((Bridge(3, 0), Bridge(4, 2), Bridge(2, 1)))
    analysis = analysed(key, response, layer="bridging")
    found = {error.kind: (error.mentions[0].side, error.mentions[0].text) for error in analysis.other_errors}
    assert found == {
        "bridging antecedent wrong": ("key", WORDS[4]),
        "bridging anaphor missed": ("key", WORDS[5]),
        "bridging anaphor extra": ("response", WORDS[2]),
    }
    assert Counter(mistake.kind for mistake in analysis.mistakes()) == dict.fromkeys(found, 1)
    assert [(each.status, each.error.kind) for each in changes(analysis, analysed(key, key, layer="bridging"))] == [
        ("fixed", kind) for kind in ("bridging antecedent wrong", "bridging anaphor extra", "bridging anaphor missed")
    ]


def test_mentions_that_do_not_refer_are_missed_and_extra():
    analysis = analysed(layered(nonreferring="12"), layered(nonreferring="23"), layer="non-referring")
    assert nonreferring_counts(analysis.evaluation) == {"right": 1, "missed": 1, "extra": 1}
    assert [(error.kind, error.mentions[0].text) for error in analysis.other_errors] == [
        ("non-referring missed", WORDS[1]), ("non-referring extra", WORDS[3]),
    ]  # fmt: skip


def test_deixis_is_analysed_on_its_own_and_with_all_layers():
    key = layered(deixis={"1": [(0, 2), (6, 6)], "2": [(7, 7), (9, 9)]})
    response = layered(deixis={"1": [(0, 2), (6, 6), (7, 7), (9, 9)]})
    alone = analysed(key, response, protocol="codi-crac-2022", layer="deixis")
    assert alone.counts() | {"conflated entities": 1} == alone.counts()
    assert alone.repaired(KINDS)[0].response.deixis.entities().keys() == {"1", "2"}
    together = analysed(key, response, protocol="codi-crac-2022", layer="all")
    assert together.counts() == dict.fromkeys(KINDS, 0)
    assert together.deixis.counts() == alone.counts()
    assert together.deixis.costs() == alone.costs()


def test_all_layers_are_in_the_table_for_programs(tmp_path):
    files = [EXAMPLES / f"{side}.conllua" for side in ("key", "response")]
    for layer in ("bridging", "non-referring", "deixis", "all"):
        evaluation = scoref.score(*files, layer=layer)
        analysis = Analysis(evaluation)
        rows = list(csv.DictReader(io.StringIO(render_errors({"": analysis}, "csv"))))
        kinds = [mistake.kind for mistake in analysis.mistakes()]
        assert Counter({row["number"]: row["error"] for row in rows}.values()) == Counter(kinds)


def test_only_coreference_is_repaired(errors, tmp_path):
    files = [EXAMPLES / f"{side}.conllua" for side in ("key", "response")]
    code, out, said = errors(*files, "--layer", "bridging", "--repaired", tmp_path / "out")
    assert (code, out) == (2, "")
    assert "--repaired is for coreference" in said
    assert not (tmp_path / "out").exists()
    assert errors(*files, "--layer", "bridging", "--by", "form")[0] == 2


# -- what is rare ----------------------------------------------------------------------------------------------------


def test_problems_are_said_beside_errors_of_any_kind_of_output(errors, tmp_path):
    key, both = (scoref.read(FILES[0]) for _ in range(2))
    other = replace(key[0], id="other")
    for name, documents in (("key", [*key, other]), ("first", [*key, other]), ("second", both)):
        scoref.write(documents, tmp_path / f"{name}.jsonl")
    files = [tmp_path / f"{name}.jsonl" for name in ("key", "first", "second")]
    assert "second: 1 × missing-document" in errors(*files)[1]
    code, out, said = errors(files[0], files[2], "--output", "csv")
    assert code == 0
    assert "missing-document" in said
    assert "missing-document" not in out


def test_standard_input_is_one_of_the_inputs_only(errors):
    code, out, said = errors("-", FILES[1], "-")
    assert (code, out) == (2, "")
    assert "two-standard-inputs" in said


def test_nothing_fixed_and_nothing_broken(errors):
    code, out, _ = errors(FILES[0], FILES[1], FILES[1], "--list")
    assert code == 0
    assert "fixed" not in out


def test_mistakes_at_one_place_are_all_fixed():
    response = nuggets(("1", (0, 1), "X", "Actual"), ("2", (0, 1), "Y", "Actual"), ("3", (0, 1), "Z", "Actual"))
    key = nuggets(("a", (5, 5), "X", "Actual"))
    before, after = (analysed(key, side, protocol="evmeval-1.8") for side in (response, key))
    assert Counter(each.error.kind for each in changes(before, after))["spurious"] == 3


def test_nuggets_of_a_whole_corpus_are_those_of_its_documents():
    def named(document, name):
        return replace(document, id=name, mentions=tuple(each._replace(entity="x") for each in document.mentions))

    sides = [[named(document, name) for name in "ab"] for document in (KEY, RESPONSE)]
    rows = nugget_rows(scoref.score(*sides, protocol="evmeval-1.8", scope="corpus"))
    assert Counter(row.document for row in rows) == {"a": 6, "b": 6}


def test_a_mention_inside_one_that_is_removed_does_not_come_back():
    analysis = analysed(text({"2": [(9, 9)]}), text({"1": [(0, 1), (0, 0)], "2": [(9, 9)]}), nested="drop")
    (pair,) = analysis.repaired(KINDS)
    assert partition(pair.response) == {frozenset([stretch(9, 9)])}


def test_a_zero_that_is_introduced_keeps_off_another():
    def zero(number, name, parent):
        return scoref.Mention(
            (position(1, number),), name, head=position(1, number), parents=((position(parent), "x"),)
        )

    words = ("a", "b", "c")
    key = scoref.Document("d", words, (zero(1, "1", 0), zero(2, "1", 2)))
    response = scoref.Document("d", words, (zero(1, "1", 2),))
    analysis = analysed(key, response, protocol="crac-2026", singletons="keep")
    (pair,) = analysis.repaired(KINDS)
    assert len({mention.span for mention in pair.response.mentions}) == 2
    assert analysis.evaluation["conll"].f1 + analysis.costs()[-1].together["conll"] == pytest.approx(1)


def test_documents_without_minimum_spans_beside_others_that_have_them():
    with_minimum = scoref.Document("a", WORDS, (scoref.Mention(stretch(0, 2), "1", minimum=stretch(2, 2)),))
    without = text({"1": [(0, 2)], "2": [(6, 6)]})
    response = text({"1": [(0, 2), (6, 6)]})
    analysis = analysed([with_minimum, without], [with_minimum, response], match="min")
    assert analysis.costs()[-1].together["b3"] == pytest.approx(1 - analysis.evaluation["b3"].f1)


@pytest.mark.parametrize(
    ("example", "layer"),
    [("{}.conll", None), ("{}.conllua", "all"), ("{}.conllua", "bridging"), ("nuggets/{}", None)],
)
def test_errors_as_json_have_one_shape_for_all_formats(run, example, layer):
    files = [EXAMPLES / example.format(side) for side in ("key", "response")]
    code, out, _ = run("errors", *files, "--json", *(["--layer", layer] if layer else []))
    assert code == 0
    found = json.loads(out)
    assert list(found) == ["signature", "documents", "problems", "counts", "costs", "documents_counts", "settings",
                           "errors", "other_errors", "views", "tangles", "deixis", "nuggets"]  # fmt: skip
    assert (found["nuggets"] is not None) == example.startswith("nuggets")
    if found["nuggets"]:
        assert list(found["nuggets"]) == ["counts", "mentions", "confusion"]


def test_errors_as_json_have_the_problems(run, tmp_path):
    lines = ["#begin document (a); part 000", "a 0 0 She (1)|(2)", "", "#end document", ""]
    for name in ("key", "response"):
        (tmp_path / name).write_text("\n".join(lines).replace("(1)|(2)", "(1)" if name == "key" else "(1)|(2)"))
    code, out, _ = run("errors", tmp_path / "key", tmp_path / "response", "--json")
    assert code == 0
    problem, order = json.loads(out)["problems"]
    assert (problem["line"], problem["path"]) == (2, str(tmp_path / "response"))
    assert order["code"] == "order-counts"
    code, out, _ = run("errors", tmp_path / "key", tmp_path / "key", tmp_path / "response", "--json")
    assert [len(each) for each in json.loads(out)["problems"].values()] == [0, 2]


def test_event_nuggets_are_counted_once():
    """A nugget that is missed is one error, not a missing mention besides."""
    analysis = analysed(KEY, RESPONSE, protocol="evmeval-1.8")
    wrong = [row for row in analysis.nuggets if row.kind != "found"]
    found = list(analysis.mistakes())
    assert [mistake for mistake in found if mistake in wrong] == wrong
    assert {mistake.kind for mistake in found} <= set(analysis.kinds)
    others = [mistake for mistake in found if mistake not in wrong]
    assert all(error.given and error.wanted for error in others)
    assert sum(sum(each.values()) for each in analysis.by_document().values()) == len(found)


def test_all_layers_have_their_errors():
    analysis = Analysis(scoref.score(*(EXAMPLES / f"{side}.conllua" for side in ("key", "response")), layer="all"))
    kinds = Counter(mistake.kind for mistake in analysis.mistakes())
    assert {kind: number for kind, number in kinds.items() if kind.startswith("deixis: ")} == {
        f"deixis: {kind}": number for kind, number in analysis.deixis.counts().items() if number
    }
    assert {"bridging antecedent wrong", "non-referring missed"} <= kinds.keys() <= set(analysis.kinds)
    (deictic,) = (each for each in analysis.mistakes() if each.kind == "deixis: span error")
    assert [operation.name for operation in deictic.operations] == ["correct span"]


def test_a_negative_cost_says_why(errors, tmp_path):
    key = [["a", "z"], *([name, f"{name}2"] for name in "bcdefgh")]
    response = [["a", *"bcd", *(f"{name}2" for name in "bcd")], ["z", *"efgh", *(f"{name}2" for name in "efgh")]]
    costs = {cost.kind: cost for cost in analysed(key, response).costs()}
    assert "whole response entities are merged" in costs["divided entity"].reason("b3")
    assert costs["conflated entities"].reason("b3") == ""
    for name, side in (("key", key), ("response", response)):
        (tmp_path / f"{name}.json").write_text(json.dumps(side))
    out = errors(tmp_path / "key.json", tmp_path / "response.json", "--metrics", "b3")[1]
    assert "repairing divided entities alone lowers b3: whole response entities" in " ".join(out.split())
