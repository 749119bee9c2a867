"""Errors of coreference and of event nuggets: one minimal case for each kind, repairs, and what always holds."""

import csv
import io
import json
import random
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES, SHARED
from scoref.document.document import Bridge, position, stretch
from scoref.document.forms import form
from scoref.document.mentions import Mentions
from scoref.errors.analysis import Analysis
from scoref.errors.changes import changes
from scoref.errors.mistakes import KINDS
from scoref.errors.nuggets import nugget_confusion, nugget_rows
from scoref.errors.other_layers import bridging_counts, nonreferring_counts
from scoref.errors.outcomes import RESULTS
from scoref.output.errors import render_errors
from strategies import partitions


def analysed(key, response, **choices):
    return Analysis(scoref.score(key, response, **choices))


def found(key, response):
    return [(each.kind, [place.text for place in each.mentions]) for each in analysed(key, response).errors]


def entities(document):
    return {frozenset(m.span or m.id for m in mentions) for mentions in document.entities().values()}


WORDS = ("the", "old", "plumber", "from", "Leeds", "met", "her", "cat", "and", "it", "slept")


def text(entities, words=WORDS, **more):
    """A document in which mentions are pairs of first and last word."""
    mentions = [scoref.Mention(stretch(*span), name) for name, spans in entities.items() for span in spans]
    return scoref.Document("d", tuple(words), tuple(mentions), **more)


# -- kinds of errors and their repairs -------------------------------------------------------------------------------

SPLIT, REMOVE, INTRODUCE, MERGE = "split from entity", "remove mention", "introduce mention", "merge into entity"

CASES = {
    "extra entity": ([["a", "b"]], [["a", "b"], ["x", "y"]], ["x", "y"], [(SPLIT, "y"), (REMOVE, "x"), (REMOVE, "y")]),
    "extra mention": ([["a", "b"]], [["a", "b", "x"]], ["x"], [(SPLIT, "x"), (REMOVE, "x")]),
    "conflated entities": ([["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]], ["c", "d"], [(SPLIT, "cd")]),
    "missing entity": ([["a", "b"], ["c", "d"]], [["a", "b"]], ["c", "d"],
                       [(INTRODUCE, "c"), (INTRODUCE, "d"), (MERGE, "d")]),
    "missing mention": ([["a", "b", "c"]], [["a", "b"]], ["c"], [(INTRODUCE, "c"), (MERGE, "c")]),
    "divided entity": ([["a", "b", "c", "d"]], [["a", "b"], ["c", "d"]], ["c", "d"], [(MERGE, "cd")]),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_each_kind_has_its_operations(kind):
    key, response, mentions, operations = CASES[kind]
    analysis = analysed(key, response)
    (error,) = analysis.errors
    assert (error.kind, [place.text for place in error.mentions]) == (kind, mentions)
    assert [(each.name, "".join(place.text for place in each.mentions)) for each in error.operations] == operations
    (pair,) = analysis.repaired([kind])
    assert entities(pair.response) == entities(pair.key)


def test_a_span_is_corrected():
    key, response = (text({"1": [(0, last)], "2": [(4, 4)]}) for last in (2, 3))
    analysis = analysed(key, response)
    (error,) = analysis.errors
    (operation,) = error.operations
    assert (error.kind, operation.name) == ("span error", "correct span")
    assert (operation.mentions[0].text, operation.to.text) == ("the old plumber from", "the old plumber")
    assert entities(analysis.repaired(KINDS)[0].response) == entities(key)


def test_mentions_that_share_less_than_half_of_their_words_are_other_mentions():
    assert found(text({"1": [(0, 4)]}), text({"1": [(0, 1)]})) == [
        ("extra entity", ["the old"]),
        ("missing entity", ["the old plumber from Leeds"]),
    ]


def test_a_common_head_makes_a_span_error_of_less_and_another_head_of_none():
    def side(last, head):
        return scoref.Document("d", tuple("abcdef"), (scoref.Mention(stretch(0, last), "1", head=position(head)),))

    assert [kind for kind, _ in found(side(5, 1), side(1, 1))] == ["span error"]
    assert [kind for kind, _ in found(side(2, 1), side(1, 0))] == ["extra entity", "missing entity"]


def test_an_extra_first_mention_is_removed_from_its_conflated_entity():
    """The entity is begun by a mention that is none: it goes, and so does every part that is not the partner's."""
    analysis = analysed([["b", "c"], ["d", "e"]], [["a", "b", "c", "d", "e"]])
    assert [error.kind for error in analysis.errors] == ["conflated entities"] * 2
    assert [[place.text for place in error.mentions] for error in analysis.errors] == [["a"], ["d", "e"]]
    assert [each.name for error in analysis.errors for each in error.operations] == [SPLIT, REMOVE, SPLIT]
    assert entities(analysis.repaired(["conflated entities"])[0].response) == {frozenset("bc"), frozenset("de")}


def test_a_missing_first_mention_comes_with_the_first_merge():
    analysis = analysed([["a", "b", "c", "d"]], [["b", "c"], ["d", "x"]])
    assert [(error.kind, len(error.operations)) for error in analysis.errors] == [
        ("extra mention", 2), ("divided entity", 2), ("divided entity", 1),
    ]  # fmt: skip
    assert entities(analysis.repaired(["extra mention", "divided entity"])[0].response) == {frozenset("abcd")}


def test_repairing_divided_entities_alone_merges_conflated_ones_and_can_cost():
    """Entities are merged as they are: with the mentions of others that are still in them."""
    key = [["a", "z"], *([name, f"{name}2"] for name in "bcdefgh")]
    response = [["a", *"bcd", *(f"{name}2" for name in "bcd")], ["z", *"efgh", *(f"{name}2" for name in "efgh")]]
    costs = {cost.kind: cost for cost in analysed(key, response).costs()}
    assert costs["divided entity"].alone["b3"] < 0 < costs["divided entity"].together["b3"]


pairs = st.tuples(partitions, partitions)


@settings(max_examples=200)
@given(pairs)
def test_all_repairs_give_the_key(sides):
    analysis = analysed(*sides)
    (pair,) = analysis.repaired(KINDS)
    assert entities(pair.response) == entities(pair.key)


@settings(max_examples=100)
@given(pairs)
def test_repairs_in_turn_leave_no_error_of_their_kind(sides):
    analysis = analysed(*sides)
    for number in range(len(KINDS)):
        (pair,) = analysis.repaired(KINDS[: number + 1])
        left = analysed(pair.key, pair.response).counts()
        assert not any(left[kind] for kind in KINDS[: number + 1] if kind.startswith(("extra", "missing entity")))


spans = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 3), st.integers(0, 3)),
    max_size=12,
    unique_by=lambda each: (each[0], each[0] + each[1]),
)


def spoken(triples, sets=()):
    there: dict[str, list[tuple[int, int]]] = {}
    for first, more, name in triples:
        there.setdefault(f"e{name}", []).append((first, first + more))
    chosen = {name: tuple(sorted(set(there) - {name})[:2]) for name in sets if name in there and len(there) > 2}
    return text(there, words=[f"w{number}" for number in range(16)], sets=chosen)


@settings(max_examples=200)
@given(spans, spans, st.sampled_from(["keep", "drop"]))
def test_all_repairs_give_the_key_for_spans_too(key, response, singletons):
    analysis = analysed(spoken(key), spoken(response), singletons=singletons)
    (scored, _, _), (pair,) = analysis.evaluation.evidence.aligned[0], analysis.repaired(KINDS)
    again = scoref.score(pair.key, pair.response, singletons=singletons)
    assert entities(again.evidence.aligned[0][1]) == entities(scored)
    total = analysis.costs()[-1].together
    assert all(total[metric] == pytest.approx(again[metric].f1 - analysis.evaluation[metric].f1) for metric in total)


@settings(max_examples=60)
@given(spans, spans)
def test_sets_lose_members_that_are_gone(key, response):
    analysis = analysed(spoken(key, ["e0"]), spoken(response, ["e1"]), protocol="paun-2023")
    for kinds in ([kind] for kind in KINDS):
        for pair in analysis.repaired(kinds):
            names = set(pair.response.entities())
            assert all({name, *members} <= names for name, members in pair.response.sets.items())
    assert len(analysis.costs()) == len(KINDS)


@settings(max_examples=60)
@given(partitions)
def test_a_response_has_no_errors_against_itself(entities):
    analysis = analysed(entities, entities)
    assert analysis.counts() == dict.fromkeys(KINDS, 0)
    assert {outcome.result for outcome in analysis.outcomes} <= {"right"}


def test_a_response_with_duplicates_has_no_errors_against_itself():
    twice = [["a", "b"], ["b", "c"], ["d", "a"]]
    assert not any(analysed(twice, twice, duplicates="keep").counts().values())


@settings(max_examples=60)
@given(partitions, partitions)
def test_the_order_of_entities_and_mentions_changes_nothing(key, response):
    def shuffled(side):
        mixed = [random.Random(1).sample(entity, len(entity)) for entity in side]
        return mixed[::-1]

    assert sorted(map(str, found(key, response))) == sorted(map(str, found(shuffled(key), shuffled(response))))


@settings(max_examples=60)
@given(partitions, partitions)
def test_operations_remove_and_introduce_what_one_side_lacks(key, response):
    operations = [each for error in analysed(key, response).errors for each in error.operations]
    ours, theirs = ({m for entity in side for m in entity} for side in (key, response))
    for name, expected in ((REMOVE, theirs - ours), (INTRODUCE, ours - theirs)):
        texts = [place.text for each in operations if each.name == name for place in each.mentions]
        assert sorted(texts) == sorted(map(str, expected))


def test_errors_of_a_corpus_are_those_of_all_documents():
    keys = [scoref.clusters({"A": ["a"], "B": ["b"]}, "1"), scoref.clusters({"A": ["c"], "B": ["d"]}, "2")]
    responses = [scoref.clusters({"A": ["a"], "B": ["b"]}, "1"), scoref.clusters({"A": ["d"], "B": ["c", "x"]}, "2")]
    analysis = analysed(keys, responses, scope="corpus")
    assert analysis.counts() | {"conflated entities": 2, "divided entity": 2, "extra mention": 1} == analysis.counts()
    assert analysis.by_document()["2"]["extra mention"] == 1
    repaired = [pair.response for pair in analysis.repaired(KINDS)]
    assert scoref.score(keys, repaired, scope="corpus")["conll"].f1 == 1


def test_what_the_protocol_leaves_out_stays_in_the_repaired_response():
    key = text({"1": [(0, 2), (6, 6)], "3": [(9, 9)]})
    response = text({"1": [(0, 2)], "2": [(6, 6)], "4": [(7, 7)]}, bridges=(Bridge(2, 0), Bridge(1, 0)))
    analysis = analysed(key, response, singletons="drop")
    (pair,) = analysis.repaired(KINDS)
    assert entities(pair.response) >= {frozenset([stretch(0, 2), stretch(6, 6)]), frozenset([stretch(7, 7)])}
    anaphors = {pair.response.mentions[bridge.anaphor].span for bridge in pair.response.bridges}
    assert stretch(7, 7) in anaphors


@pytest.mark.parametrize(
    ("key", "response", "choices"),
    [
        ("tales/key.conll", "tales/rules.conll", {}),
        ("key.conllua", "response.conllua", {"layer": "all"}),
        ("nuggets/key", "nuggets/response", {}),
    ],
)
def test_an_analysis_prints_the_tables_of_the_command(key, response, choices):
    analysis = analysed(EXAMPLES / key, EXAMPLES / response, **choices)
    tables = render_errors({"response": analysis}).split("\n\n")[:-1]
    assert tables
    assert str(analysis).split("\n\n")[:-1] == tables
    assert analysis._repr_html_().count("<table") == len(tables)


# -- how mentions fared ----------------------------------------------------------------------------------------------


def test_how_mentions_fared():
    key = [["a", "b", "c"], ["d", "e"], ["f"], ["g"]]
    response = [["a", "b"], ["c", "d"], ["e"], ["x"], ["f", "g"]]
    results = {each.place.text: each.result for each in analysed(key, response).outcomes}
    assert results == {
        "a": "right", "b": "right", "c": "no antecedent", "d": "false antecedent", "e": "no antecedent",
        "f": "right", "g": "false antecedent", "x": "extra",
    }  # fmt: skip
    assert analysed([["a", "c"], ["b"]], [["b", "c"]]).outcomes[-1].result == "wrong antecedent"


@settings(max_examples=60)
@given(spans, spans)
def test_every_view_counts_every_mention_once(key, response):
    analysis = analysed(spoken(key), spoken(response))
    ours, theirs = (len(side.mentions) for side in analysis.evaluation.evidence.aligned[0][:2])
    for view in ("form", "position", "distance", "size"):
        rows = analysis.by(view).rows
        assert sum(row[1] for row in rows) == ours
        right_to_missed = [sum(row[3:-1]) for row in rows]
        assert right_to_missed == [row[1] for row in rows]
        shared = ours - sum(row[-2] for row in rows)
        assert sum(row[-1] for row in rows) == theirs - shared
    assert set(RESULTS) >= {outcome.result for outcome in analysis.outcomes}


def group(field, outcome):
    """The group of an outcome, one mention at a time."""
    place, before = outcome.place, outcome.antecedent
    if field == "form":
        return form(place.document, place.mention)
    if field == "position":
        return "later" if before else "first"
    if field == "size":
        bounds = [(1, 1), (2, 2), (3, 4), (5, 8), (9, 16)]
        return next((f"{a}-{b}" if a < b else str(a) for a, b in bounds if a <= outcome.size <= b), "17+")
    if before is None:
        return "first mention"
    words = [each.mention.span[0] // position(1) for each in (before, place)]
    starts = place.document.sentences
    if len(starts) > 1:
        far = sum(words[0] < start <= words[1] for start in starts)
        return ["same sentence", "1 sentence", "2 sentences", *["3-5 sentences"] * 3, "6+ sentences"][min(far, 6)]
    far = words[1] - words[0]
    return next(name for most, name in ((9, "0-9 words"), (49, "10-49 words"), (199, "50-199 words")) if far <= most)


@settings(max_examples=60)
@given(spans, spans, st.booleans(), st.sampled_from(["span", "plain"]))
def test_groups_of_all_outcomes_are_those_of_each(key, response, divided, kind):
    sides = [replace(spoken(side), sentences=(0, 3, 4, 9) if divided else ()) for side in (key, response)]
    if kind == "plain":  # as readers give mentions of which only the ends are known
        ends = [[(m.span[0] // position(1), m.span[-1] // position(1)) for m in side.mentions] for side in sides]
        sides = [
            replace(side, mentions=Mentions.of(both, [m.entity for m in side.mentions]))
            for side, both in zip(sides, ends, strict=True)
        ]
    outcomes = analysed(*sides).outcomes
    for field in ("form", "position", "distance", "size"):
        names, of = outcomes.groups(field)
        assert [names[number] for number in of] == [group(field, outcome) for outcome in outcomes]


def test_distances_are_in_sentences_where_there_are_any():
    key = text({"1": [(0, 0), (2, 2), (5, 5), (9, 9)]}, sentences=(0, 4, 8))
    labels = [row[0] for row in analysed(key, key).by("distance").rows]
    assert labels == ["same sentence", "1 sentence", "first mention"]
    plain = text({"1": [(0, 0), (2, 2)]})
    assert [row[0] for row in analysed(plain, plain).by("distance").rows] == ["0-9 words", "first mention"]
    first = scoref.Mention((position(-1, 1),), "1")  # an empty node before the first word
    zero = replace(plain, mentions=(first, *plain.mentions[1:]))
    assert [row[0] for row in analysed(zero, zero).by("distance").rows] == ["0-9 words", "first mention"]


def test_attributes_are_confused():
    def side(*kinds):
        mentions = [scoref.Mention(stretch(n, n), n, None, (), (("etype", kind),)) for n, kind in enumerate(kinds)]
        return scoref.Document("d", tuple("abcd"), tuple(mentions))

    analysis = analysed(side("person", "place", "place"), side("person", "person", "place"))
    assert analysis.confusion("etype") == {("person", "person"): 1, ("place", "person"): 1, ("place", "place"): 1}
    assert [row[:2] for row in analysis.by("etype").rows] == [("person", 1), ("place", 2)]
    with pytest.raises(scoref.Error, match="no mention has the attribute 'colour'"):
        analysis.by("colour")


@pytest.mark.parametrize(
    ("columns", "span", "head", "expected"),
    [
        ({}, (0, 0), None, "pronoun"),
        ({}, (1, 2), None, "name"),
        ({}, (3, 4), None, "noun phrase"),
        ({"pos": ["PRP", "NNP", "NNP", "DT", "NN", "IN", "NNP"]}, (3, 6), None, "noun phrase"),
        ({"pos": ["PRP", "NNP", "NNP", "DT", "NN", "IN", "NNP"]}, (1, 2), None, "name"),
        ({"UPOS": ["PRON", "PROPN", "PROPN", "DET", "NOUN", "ADP", "PROPN"]}, (3, 6), 6, "name"),
        ({"UPOS": ["PRON", "PROPN", "PROPN", "DET", "NOUN", "ADP", "PROPN"]}, (0, 0), 0, "pronoun"),
        ({"UPOS": ["VERB"] * 7}, (0, 0), 0, "other"),
    ],
)
def test_forms(columns, span, head, expected):
    words = ("She", "Ada", "Lovelace", "the", "engine", "of", "Babbage")
    mention = scoref.Mention(stretch(*span), "1", head=None if head is None else position(head))
    assert form(scoref.Document("d", words, (mention,), columns=columns), mention) == expected


def test_forms_of_zeros_skeletons_and_opaque_mentions():
    zero = scoref.Mention((position(0, 1),), "1")
    assert form(scoref.Document("d", ("a",), (zero,)), zero) == "zero"
    bare = scoref.Mention(stretch(0, 0), "1")
    assert form(scoref.Document("d", ("_",), (bare,)), bare) == "unknown"
    assert form(scoref.clusters([["a"]]), scoref.clusters([["a"]]).mentions[0]) == "unknown"


def test_members_of_sets_are_missed_and_extra():
    key = scoref.clusters({"a": ["a"], "b": ["b"], "c": ["c"], "they": ["they"]}, sets={"they": ["a", "b"]})
    response = scoref.clusters({"a": ["a"], "b": ["b"], "c": ["c"], "they": ["they"]}, sets={"they": ["a", "c"]})
    found = analysed(key, response, protocol="paun-2023").further()["split antecedents"]
    assert found == {"sets right": 1, "sets missed": 0, "sets extra": 0,
                     "members right": 1, "members missed": 1, "members extra": 1}  # fmt: skip


def test_bridging_anaphors_and_antecedents_are_told_apart():
    names = {str(number): [(number, number)] for number in range(6)}
    key = text(names, bridges=(Bridge(3, 0), Bridge(4, 0), Bridge(5, 1)))
    response = text(names, bridges=(Bridge(3, 0), Bridge(4, 2), Bridge(2, 1)))
    assert bridging_counts(analysed(key, response).evaluation) == {
        "right": 1, "antecedent wrong": 1, "anaphor missed": 1, "anaphor extra": 1,
    }  # fmt: skip


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
    assert [row.status for row in rows] == ["found", "wrong type", "wrong realis", "partial", "missed", "spurious"]
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


@pytest.mark.skipif(not REAL.is_dir(), reason=f"{REAL} is not there")
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
    assert entities(pair.response) == {frozenset([stretch(9, 9)])}


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
    [problem] = json.loads(out)["problems"]
    assert (problem["line"], problem["path"]) == (2, str(tmp_path / "response"))
    code, out, _ = run("errors", tmp_path / "key", tmp_path / "key", tmp_path / "response", "--json")
    assert [len(each) for each in json.loads(out)["problems"].values()] == [0, 1]


def test_event_nuggets_are_counted_once():
    """A nugget that is missed is one error, not a missing mention besides."""
    analysis = analysed(KEY, RESPONSE, protocol="evmeval-1.8")
    wrong = [row for row in analysis.nuggets if row.status != "found"]
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
