"""Errors as a table shows them: words in context, form, distance, cost; filters; what two responses share."""

import json
from functools import partial

import pytest

import scoref
from analysing import WORDS, text
from places import EXAMPLES
from scoref.document.document import Bridge, position, stretch
from scoref.errors.analysis import Analysis
from scoref.errors.listing import Listing, Wanted, changes

TALES = [str(EXAMPLES / "tales" / name) for name in ("key.conll", "rules.conll")]


@pytest.fixture
def errors(run):
    return partial(run, "errors")


def test_a_row_has_context_form_distance_and_the_cost_of_its_tangle():
    analysis = Analysis(scoref.score(text({"1": [(0, 2), (6, 6)], "2": [(6, 7), (9, 9)]}),
                                     text({"1": [(0, 2), (6, 6), (9, 9)], "2": [(6, 7)]})))  # fmt: skip
    rows = {row.mistake.kind: row for row in Listing(analysis).rows()}
    row = rows["conflated entities"]
    assert (row.before, row.place.text, row.after) == ("met her cat and", "it", "slept")
    assert (row.form, row.distance) == ("pronoun", 3)  # from *her cat* in the key
    assert row.cost == analysis.tangles[row.tangle].cost["conll"] > 0


def test_a_zero_has_the_word_that_governs_it():
    zero = scoref.Mention((position(5, 1),), "1", head=position(5, 1), parents=((position(5), "nsubj"),))
    key = scoref.Document("d", WORDS, (scoref.Mention(stretch(0, 2), "1"), zero))
    analysis = Analysis(scoref.score(key, text({"1": [(0, 2)]})))
    (row,) = Listing(analysis).rows()
    assert (row.before, row.verb, row.after, row.form) == ("plumber from Leeds met", "met", "her cat and it", "zero")


def test_mentions_without_a_text_have_no_context():
    analysis = Analysis(scoref.score([["a", "b"]], [["a"]]))
    (row,) = Listing(analysis).rows()
    assert (row.before, row.after, row.distance) == ("", "", None)


def test_bridging_names_both_antecedents():
    names = {str(number): [(number, number)] for number in range(8)}
    key, response = (text(names, bridges=(Bridge(7, end),)) for end in (2, 4))
    analysis = Analysis(scoref.score(key, response, layer="bridging"))
    (error,) = analysis.other_errors
    assert error.sentence == "'cat' is bridged to 'Leeds'; the key bridges it to 'plumber'"
    extra = Analysis(scoref.score(text(names, bridges=(Bridge(3, 1),)), response, layer="bridging")).other_errors
    assert {each.kind: each.sentence for each in extra} == {
        "bridging anaphor extra": "'cat' is bridged to 'Leeds'; it is none in the key",
        "bridging anaphor missed": "'from' is no bridging anaphor; the key bridges it to 'old'",
    }


def test_rows_can_be_chosen():
    listing = Listing(Analysis(scoref.score(*TALES)))
    everything = list(listing.rows())
    fields = {
        "kind": lambda row: row.mistake.kind,
        "form": lambda row: row.form,
        "document": lambda row: row.mistake.document,
        "dataset": lambda row: row.dataset,
    }
    for field, value in fields.items():
        groups = {value(row) for row in everything}
        for name in groups:
            assert list(listing.rows(Wanted(**{field: [name]}))) == [row for row in everything if value(row) == name]
        assert list(listing.rows(Wanted(**{field: groups}))) == everything


def test_the_list_has_context_and_can_be_filtered(errors):
    listed = errors(*TALES, "--kind", "divided entity", "--form", "pronoun")[1].split("\ndocument ")[1:]
    assert listed
    assert all("divided entity" in each and "[" in each and "conflated" not in each for each in listed)
    result = json.loads(errors(*TALES, "--json", "--form", "pronoun")[1])["errors"]
    assert {each["form"] for each in result} == {"pronoun"}
    assert all({"says", "should", "context", "distance", "tangle", "tangle_cost"} <= each.keys() for each in result)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("kind", "no kind of error is called 'nonsense'"),
        ("form", "no form is called 'nonsense'"),
        ("document", "no document is called 'nonsense'"),
        ("dataset", "no dataset is called 'nonsense'"),
    ],
)
def test_unknown_words_are_errors(errors, option, said):
    code, out, error = errors(*TALES, f"--{option}", "nonsense")
    assert (code, out) == (2, "")
    assert said in error


def test_errors_of_two_responses_are_fixed_broken_or_wrong_in_both():
    key = [["a", "b", "c"], ["d", "e"]]
    before, after = (Analysis(scoref.score(key, side)) for side in ([["a", "b"], ["d", "x"]], [["a", "b", "y"], ["d"]]))
    assert [(each.status, each.error.sentence.split(";")[0]) for each in changes(before, after, both=True)] == [
        ("fixed", "'x' is in 2 'd'"),
        ("broken", "'y' is in 1 'a'"),
        ("wrong in both", "'c' is missing"),
        ("wrong in both", "'e' is missing"),
    ]


def test_figures(errors, tmp_path):
    pytest.importorskip("matplotlib")
    assert errors(*TALES, "--plot", tmp_path / "errors.svg")[0] == 0
    picture = (tmp_path / "errors.svg").read_text()
    f1 = scoref.score(*TALES)["conll"].f1
    assert f"{100 * f1:.1f}" in picture
    assert all(kind in picture for kind in ("CoNLL F1", "divided entity", "all repaired", "100.0"))
    assert errors(*TALES, TALES[0], "--plot", tmp_path / "all")[0] == 0
    assert {path.name for path in (tmp_path / "all").iterdir()} == {
        "errors.pdf", "distance.pdf", "size.pdf", "form.pdf",
    }  # fmt: skip
    files = [EXAMPLES / f"{side}.conllua" for side in ("key", "response")]
    code, _, said = errors(*files, "--layer", "bridging", "--plot", tmp_path / "x.svg")
    assert code == 2
    assert "figures of errors are of coreference" in said
