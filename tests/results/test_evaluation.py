"""Results as mappings and tables; clusters in the shapes that users have; scorers that are merged."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import scoref
from places import EXAMPLES
from scoref.document.document import Document, Mention, position

KEY, RESPONSE = [["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]]
OWNERS = {"a": 1, "b": 1, "c": 2, "d": 2}, {"a": 7, "b": 7, "c": 7, "d": 8}
RESULT = scoref.score(KEY, RESPONSE)


# -- a mapping -------------------------------------------------------------------------------------------------------


def test_an_evaluation_is_a_mapping():
    metrics = ["mentions", "muc", "b3", "ceafe", "conll"]
    assert list(RESULT) == list(RESULT.keys()) == metrics
    assert len(RESULT) == 5
    assert dict(RESULT) == RESULT.scores == dict(RESULT.items())
    assert list(RESULT.values()) == [RESULT[name] for name in metrics]
    assert "muc" in RESULT
    assert "lea" not in RESULT
    assert RESULT.get("lea") is None
    assert RESULT.get("muc") == RESULT["muc"]
    with pytest.raises(scoref.Error):
        RESULT["lea"]


def test_two_evaluations_are_not_equal_because_their_scores_are():
    again = scoref.score(KEY, RESPONSE)
    assert again != RESULT
    assert len({again, RESULT}) == 2


def test_the_repr_shows_the_scores():
    assert "muc 50.00" in repr(RESULT)
    assert "conll-2012|scoref:" in repr(RESULT)
    assert "muc –" in repr(scoref.score([["a"]], [["a"]]))


def test_groups_are_dictionaries_that_print():
    groups = RESULT.by("size")
    assert groups == dict(groups)
    assert groups["2"]["muc"].recall == 0.5
    lines = str(groups).splitlines()
    assert lines[0].split() == ["size", "mentions", "muc", "b3", "ceafe", "conll"]
    assert [line.split()[0] for line in lines[1:]] == list(groups)
    assert "<table" in groups._repr_html_()
    copy = pickle.loads(pickle.dumps(groups))
    assert (copy, str(copy)) == (groups, str(groups))


def test_groups_show_what_is_not_defined():
    assert str(scoref.score([["a"]], [["a"]], metrics=["muc"]).by("document")).splitlines()[1].split()[-1] == "–"


def test_frames():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = RESULT.to_frame()
    assert list(frame.columns) == ["recall", "precision", "f1"]
    assert frame.loc["muc", "recall"] == 0.5
    assert pandas.isna(scoref.score([["a"]], [["a"]]).to_frame().loc["muc", "f1"])
    groups = RESULT.by("size").to_frame()
    assert groups.index.names == ["size", "metric"]
    assert groups.loc[("2", "muc"), "recall"] == 0.5


# -- shapes of clusters ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "response"),
    [OWNERS, (np.array([1, 1, 2, 2]), np.array([7, 7, 7, 8])), ({"x": ("a", "b"), "y": {"c", "d"}}, RESPONSE),
     (np.array(list("xxyy")), np.array(list("xxxy"))), ([np.array(["a", "b"]), np.array(["c", "d"])], RESPONSE),
     (OWNERS[0], RESPONSE)],
)  # fmt: skip
def test_shapes(key, response):
    found = scoref.score(key, response)
    assert list(found) == list(RESULT)
    for metric in RESULT:
        assert found[metric] == pytest.approx(RESULT[metric], abs=1e-12)
    scorer = scoref.Scorer()
    scorer.update(key, response)
    assert scorer.compute().scores == RESULT.scores


def test_rows_of_arrays_are_mentions():
    spans = [np.array([[0, 1], [3, 3]])]
    assert scoref.score(spans, [[(0, 1), [3, 3]]])["muc"].f1 == 1
    assert scoref.score([[(np.int64(0), np.int64(1)), (3, 3)]], spans)["muc"].f1 == 1


def test_series_and_arrow_and_tensors():
    series = []
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert scoref.score(*map(pandas.Series, OWNERS)).scores == RESULT.scores
    assert scoref.score(pandas.Series({"x": ["a", "b"], "y": ["c", "d"]}), RESPONSE).scores == RESULT.scores
    for module, names in (("pandas", ["Series", "Categorical"]), ("polars", ["Series"]), ("pyarrow", ["array"]),
                          ("torch", ["tensor"])):  # fmt: skip
        library = pytest.importorskip(module, reason=f"{module} is not installed")
        series += [getattr(library, name) for name in names]
    for make in series:
        assert scoref.score(make([1, 1, 2, 2]), make([7, 7, 7, 8]))["b3"] == pytest.approx(RESULT["b3"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((3, 2)), "numpy ndarray of shape (3, 2)"),
        ({"a": 1, "b": ["c"]}, "a dict with values of int and list"),
        ({"ab", "cd"}, "a list of str"),
        (["ab"], "a list of str"),
        ({"a": None}, "mention a has no entity"),
        (np.array([1.0, np.nan]), "mention 1 has no entity"),
        (3, "of type int"),
        ([1, 2], "a list of int"),
    ],
)
def test_other_shapes_are_refused_by_name(given, message):
    with pytest.raises(scoref.Error) as error:
        scoref.score(KEY, given)
    assert error.value.code == "bad-clusters"
    assert message in str(error.value)
    assert "{mention: entity}" in str(error.value)


@pytest.mark.parametrize("type", ["string", "Int64", "object"])
def test_a_series_in_which_an_entity_is_missing_is_refused_with_its_mention(type):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    series = pandas.Series([1, 1, pandas.NA], index=["x", "y", "z"], dtype=object)
    with pytest.raises(scoref.Error, match="mention z has no entity"):
        scoref.score(series.map(str, na_action="ignore").astype(type) if type == "string" else series.astype(type), KEY)


@pytest.mark.parametrize(("first", "last"), [(1, 0), (1, 3), (3, 3), (-1, 0), (-2, -1)])
def test_mentions_that_are_nowhere_are_refused(first, last):
    """As the same numbers are in JSON lines."""
    good = scoref.Document("tale", ("Ada", "saw", "her"), (scoref.Mention.at(0, 0, "e"), scoref.Mention.at(2, 2, "e")))
    bad = replace(good, mentions=(scoref.Mention.at(0, 0, "e"), scoref.Mention.at(first, last, "x")))
    scorer = scoref.Scorer()
    for call in (scoref.score, scorer.update, scoref.analyse):
        for sides in ((good, bad), (bad, good), (replace(good, deixis=bad), good)):
            with pytest.raises(scoref.Error) as error:
                call(*sides)
            assert (error.value.code, error.value.problem.document) == ("bad-mention", "tale")
            assert "of x" in str(error.value)


def test_zeros_before_the_first_word_and_words_that_are_not_known_are_somewhere():
    zero = scoref.Mention((position(-1, 1),), "e")
    document = scoref.Document("d", ("saw", "her"), (zero, scoref.Mention.at(1, 1, "e")))
    assert scoref.score(document, document)["muc"].f1 == 1
    bare = scoref.Document("d", (), (scoref.Mention.at(700, 701, "e"), scoref.Mention.at(5, 5, "e")))
    assert scoref.score(bare, bare)["muc"].f1 == 1


def test_one_text_is_a_list_of_metrics_or_one_setting():
    sides = [["a", "b"], ["c"]], [["a"], ["b", "c"]]
    wanted = scoref.score(*sides, metrics=["conll", "muc"], settings=["singletons:drop,match:exact"])
    found = scoref.score(*sides, metrics="conll, MUC", settings="singletons:drop,match:exact")
    assert (found.scores, [*found.settings]) == (wanted.scores, [*wanted.settings])
    assert scoref.Scorer(metrics="conll muc").protocol == scoref.Scorer(metrics=["conll", "muc"]).protocol
    both = [scoref.explain(*sides, metrics=each) for each in ("conll,muc", ["conll", "muc"])]
    assert both[0].to_dict() == both[1].to_dict()


@pytest.mark.parametrize("wrong", [{"metrics": 3}, {"metrics": [3]}, {"settings": 3}, {"settings": [None]}])
def test_what_is_no_list_of_names_is_refused(wrong):
    for call in (scoref.score, scoref.explain):
        with pytest.raises(scoref.Error, match=f"{next(iter(wrong))} is"):
            call([["a", "b"]], [["a"]], **wrong)


@pytest.mark.parametrize("documents", ["x", 3, None, ["x"], [["a", "b"]]])
def test_what_are_no_documents_is_not_written(documents, tmp_path):
    with pytest.raises(scoref.Error) as error:
        scoref.write(documents, tmp_path / "out.jsonl")
    assert (error.value.code, [*tmp_path.iterdir()]) == ("bad-documents", [])


def test_a_document_alone_is_written(tmp_path):
    document = scoref.Document("d", ("a", "b"), (scoref.Mention.at(0, 1, 0),), sentences=(0,))
    scoref.write(document, tmp_path / "out.jsonl")
    assert scoref.read(tmp_path / "out.jsonl") == [document]
    with pytest.raises(scoref.Error, match="3 is no path"):
        scoref.read(3)


def test_a_mention_twice_in_a_mapping_of_pairs_is_a_duplicate():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    twice = pandas.Series([1, 1, 2], index=["a", "b", "a"])
    assert [problem.code for problem in scoref.score(twice, KEY).problems] == ["duplicate-mention"]


# -- merging ---------------------------------------------------------------------------------------------------------


def scorer(*documents):
    made = scoref.Scorer(metrics=["muc"])
    for name, key, response in documents:
        made.update(key, response, id=name)
    return made


def merged(*scorers):
    total = scoref.Scorer(metrics=["muc"])
    for each in scorers:
        total.merge(each)
    return total.compute()


def test_a_document_of_two_workers_counts_once():
    workers = scorer(("x", KEY, KEY), ("pad", KEY, RESPONSE)), scorer(("pad", KEY[::-1], RESPONSE), ("y", KEY, KEY))
    alone = scorer(("x", KEY, KEY), ("pad", KEY, RESPONSE), ("y", KEY, KEY)).compute()
    for order in (workers, workers[::-1]):
        assert merged(*order).size == 3
        assert merged(*order).scores == alone.scores
    assert merged(workers[0], workers[0]).size == 2


def test_documents_that_differ_are_refused():
    for other in (("pad", KEY, KEY), ("pad", RESPONSE, RESPONSE), ("pad", KEY, [["a", "b"]])):
        with pytest.raises(scoref.Error) as error:
            merged(scorer(("pad", KEY, RESPONSE)), scorer(other))
        assert error.value.code == "different-documents"
        assert "pad" in str(error.value)


def test_documents_without_names_are_all_different():
    workers = scorer((None, KEY, KEY), (None, KEY, RESPONSE)), scorer((None, KEY, KEY), ("1", KEY, RESPONSE))
    total = merged(*workers, scorer(("1", KEY, RESPONSE)))
    assert total.size == 4
    assert len({*total.documents}) == 4


def test_a_document_that_a_worker_had_twice_counts_twice_in_any_order():
    workers = scorer(("x", KEY, RESPONSE), ("x", KEY, RESPONSE)), scorer(("x", KEY, RESPONSE))
    assert merged(*workers).size == merged(*workers[::-1]).size == 2


def test_problems_of_documents_without_names_are_counted_each():
    twice = [["a", "b"], ["a", "c"]]
    workers = [scorer((None, twice, KEY)) for _ in range(2)]
    assert len(merged(*workers).problems) == 2


def test_entities_have_names_beside_their_ids() -> None:
    """The first name, else the first noun phrase, else the first mention, by the parts of speech of the example.

    Of key entity 1 *Ada* is a name, of 2 *the old plumber from Leeds* is the first phrase; cross-document entities are
    named by any of their documents, and mentions without words by what they are called.
    """
    named = {("key", "1"): "Ada", ("key", "2"): "the old plumber from Leeds", ("key", "3"): "the tap in her kitchen"}
    for scope in ("document", "corpus"):
        result = scoref.score(EXAMPLES / "key.conll", EXAMPLES / "response.conll", scope=scope)
        found = {(each.side, each.entity): each.name for each in result.by_entity()}
        assert found.items() >= named.items()
        assert [each.name for each in result.by_entity(2)] == [each.name for each in result.by_entity()[:2]]
    opaque = scoref.score([["x", "y"], ["z"]], [["x"], ["y", "z"]]).by_entity()
    assert {each.name for each in opaque if each.side == "key"} == {"x", "z"}
    pronoun = Mention.at(0, 0, "e"), Mention.at(3, 3, "e"), Mention.at(1, 2, "e")
    words, tags = ("He", "the", "man", "Sam"), ("PRP", "DT", "NN", "NNP")
    for mentions, name in ((pronoun, "Sam"), ((pronoun[0], pronoun[2]), "the man"), (pronoun[:1], "He")):
        document = Document("d", words, mentions, columns={"pos": list(tags)})
        assert {each.name for each in scoref.score([document], [document]).by_entity()} == {name}
