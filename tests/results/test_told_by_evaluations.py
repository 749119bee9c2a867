"""What tables, notes and JSON of evaluations tell: scores, counts and intervals, each in its place."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Document, Error, Evaluation, score
from scoref.layout.grid import NOTHING, Number
from scoref.results.evidence import EntityCounts, Evidence, _as_in_key
from scoref.results.kinds import KindScores, summed
from scoref.results.scores import GroupScores, Intervals, Resampling, Scores, factor_lines, number_of
from scoref.results.sums_only import SumsOnly

METRICS = ("muc", "b3", "ceafe", "conll")


def shown(cell: Any) -> Any:
    return cell.shown if isinstance(cell, Number) else cell


def documents(seed: int, number: int) -> list[Document]:
    """Twelve mentions of some kinds, in four entities."""
    random, found = Random(f"{seed}"), []
    for place in range(number):
        owners = [word % 4 if random.random() < 0.6 else random.randrange(5) for word in range(12)]
        mentions = [
            scoref.Mention.at(word, word, str(owner), attributes=(("kind", "xyz"[(word + seed) % 3 if word else 0]),))
            for word, owner in enumerate(owners) if random.random() < 0.8
        ]  # fmt: skip
        found.append(Document(f"{'ab'[place % 2]}/{place}", tuple("abcdefghijkl"), tuple(mentions)))
    return found


@cache
def scored(number: int = 8, **choices: Any) -> Evaluation:
    return score(documents(1, number), documents(2, number), metrics=METRICS, **choices)


@cache
def with_intervals(number: int = 8) -> Evaluation:
    return scoref.with_intervals(scored(number, settings=("singletons:drop",)), 40, 5)


# -- scores ------------------------------------------------------------------------------------------------------------


def test_the_table_has_scores_intervals_of_f1_and_other_settings() -> None:
    result = with_intervals()
    assert result.intervals is not None
    table = result.grid()
    assert table.header == ("metric", "recall", "precision", "f1", "f1 low", "f1 high", "singletons:drop")
    beside = result.settings["singletons:drop"]
    assert [[*row] for row in table.rows] == [
        [metric, *result[metric], *result.intervals.scores[metric][2], beside[metric].f1] for metric in METRICS
    ]
    assert [[*row] for row in scored().grid().rows] == [[metric, *scored()[metric]] for metric in METRICS]
    frame = scored().to_frame()
    assert [*frame.index] == [*METRICS]
    assert frame.loc["b3"].tolist() == [*scored()["b3"]]


def test_the_table_of_a_sampled_key_has_standard_errors() -> None:
    mentions = {n: n % 7 for n in range(21)}
    result = score(mentions, {n: n % 14 for n in mentions}, sampled="uniform", metrics=["pairwise", "b3"])
    table = result.grid()
    assert table.header == ("metric", "recall", "precision", "f1", "±recall", "±precision", "±f1")
    assert [[*row] for row in table.rows] == [
        [metric, *result[metric], *result.standard_errors[metric]] for metric in result
    ]
    assert result.scores_dict()["b3"]["standard_error"] == result.standard_errors["b3"]._asdict()
    assert scored().standard_errors == {}
    apart = {n: n for n in mentions}
    nothing = score(mentions, apart, sampled="uniform", metrics=["pairwise"]).grid().rows[0]
    assert nothing[4:] == (NOTHING,) * 3


def test_what_is_undefined_is_no_number() -> None:
    result = score([["a"]], [["a"]], metrics=["muc", "b3"])
    assert [[*map(shown, row)] for row in result.grid().rows] == [["muc", "–", "–", "–"], ["b3", 1.0, 1.0, 1.0]]
    assert np.isnan(result.to_frame().loc["muc"]).all()
    assert repr(result).startswith("<Evaluation f1: muc –, b3 100.00; 1 document; ")
    assert result.undefined == {"muc": "no coreference links in key and response"}
    assert result.undefined_by("document") == {"document": {"muc"}}
    assert result.undefined_by("size") == {}


def test_json_has_scores_counts_and_how_they_were_made() -> None:
    result = with_intervals()
    assert result.intervals is not None
    found, parts = result.to_dict(), ("recall", "precision", "f1")
    ends = {metric: [*map(list, each)] for metric, each in result.intervals.scores.items()}
    assert found["scores"] == {
        metric: {**result[metric]._asdict(), "ci": dict(zip(parts, ends[metric], strict=True))} for metric in METRICS
    }
    assert found["counts"] == {
        metric: {"recall": pytest.approx(sums[:2]), "precision": pytest.approx(sums[2:])}
        for metric, sums in ((each, counts.sum(axis=0).tolist()) for each, counts in result.counts.items())
    }
    assert found["resampling"] == {"trials": 40, "seed": 5, "unit": "document", "units": 8}
    assert found["warnings"] == [*result.intervals.resampling.warnings]
    assert found["settings"] == {"singletons:drop": {
        metric: each._asdict() for metric, each in result.settings["singletons:drop"].scores.items()}}  # fmt: skip
    assert (found["documents"], found["signature"]) == (8, result.signature)
    assert result.signature.endswith(f"|unit:document|trials:40|seed:5|scoref:{scoref.__version__}")
    assert result.signature_full == (
        f"{result.protocol.full()}|unit:document|trials:40|seed:5|scoref:{scoref.__version__}"
    )
    assert not {"nuggets", "sequencing", "drift", "answers", "datasets"} & {*found}
    assert "resampling" not in scored().to_dict()
    whole = score([["a", "b"], ["c"]], [["a", "b"], ["c"]], metrics=["ari"])
    assert [*whole.to_dict()["counts"]["ari"]] == ["sums"]
    apart = scored(average="datasets").to_dict()
    assert apart["datasets"] == {
        name: {metric: each._asdict() for metric, each in scores.items()}
        for name, scores in scored(average="datasets").by_dataset().items()
    }


def test_notes_are_number_remarks_resampling_and_signature() -> None:
    result = with_intervals()
    assert result.intervals is not None
    assert result.about() == [
        "8 documents", *result.intervals.notes(), f"signature {result.signature}",
    ]  # fmt: skip
    assert result.intervals.notes()[0] == "95 % intervals: bootstrap (BCa) over 8 units (document)"
    assert result.notes() == [*factor_lines(result.factors), *result.about()]
    how = Resampling(10, 1, "text", 3, ("few", "fewer"))
    assert how.notes() == ["95 % intervals: bootstrap (BCa) over 3 units (text)", "warning: few", "warning: fewer"]
    assert how.notes(intervals=False) == Intervals(how, {}).notes() == how.notes()[1:]
    assert (number_of(0, "x"), number_of(1, "x"), number_of(2, "x")) == ("0 xs", "1 x", "2 xs")
    missing = score(documents(1, 3), documents(2, 2), metrics=["b3"])
    assert [note for note in missing.about() if "missing-document" in note or "lacks" in note]


# -- groups ------------------------------------------------------------------------------------------------------------


def test_groups_of_documents_have_the_scores_of_their_documents() -> None:
    whole = scored()
    groups = whole.by("genre")
    for start, name in enumerate("ab"):
        alone = score(documents(1, 8)[start::2], documents(2, 8)[start::2], metrics=METRICS)
        assert groups[name] == {metric: pytest.approx(each) for metric, each in alone.scores.items()}
    assert [[*row] for row in groups.grid().rows] == [
        [name, *(groups[name][metric].f1 for metric in METRICS)] for name in "ab"
    ]
    assert groups.grid().header == ("genre", *METRICS)
    header, rows = groups.rows()
    assert header == ("genre", "metric", "recall", "precision", "f1")
    assert [[*row] for row in rows] == [[name, metric, *groups[name][metric]] for name in "ab" for metric in METRICS]
    assert [*groups.to_frame().index] == [(name, metric) for name in "ab" for metric in METRICS]
    assert groups.cell("a", "b3") == groups["a"]["b3"].f1
    assert groups.cell("c", "b3") is groups.cell("a", "lea") is None
    assert groups.to_dict()["b"]["muc"] == groups["b"]["muc"]._asdict()
    assert groups.mean is None
    assert [*whole.by_document()] == [each.id for each in documents(1, 8)]


def test_what_a_group_lacks_and_the_mean_below_are_shown() -> None:
    scores = {"x": {"muc": scoref.Score(0.5, 1.0, 2 / 3), "b3": scoref.Score(1.0, 1.0, 1.0)}}
    groups = GroupScores(scores, "genre", {"x": {"b3"}}, {"muc": scoref.Score(0.1, 0.2, 0.3), "b3": None})
    assert [[*map(shown, row)] for row in groups.grid().rows] == [["x", 2 / 3, "–"], ["mean", 0.3, "–"]]
    assert groups.rows()[1][1] == ("x", "b3", *(NOTHING,) * 3)
    assert (groups.defined("x", "muc"), groups.defined("x", "b3"), groups.defined("y", "b3")) == (True, False, True)
    assert isinstance(groups["x"], Scores)
    assert groups.cell("x", "b3") is NOTHING
    assert GroupScores({}, "genre").grid()[1:3] == (("genre",), [])


def test_the_mean_over_datasets_stands_below_them() -> None:
    result = replace(scored(average="datasets"), datasets=tuple("xxxyyyzz"))
    groups = result.by("dataset")
    assert groups.mean == {metric: result[metric] for metric in METRICS}
    means = np.mean([[groups[name][metric].f1 for metric in ("muc", "b3", "ceafe")] for name in "xyz"], axis=0)
    assert groups.grid().rows[-1][1:4] == pytest.approx(tuple(means))
    assert "mean over 3 datasets" in result.remark_notes()


# -- kinds of mentions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("intervals", [False, True])
def test_tables_of_kinds_have_what_there_is_to_count_scores_and_intervals(intervals: bool) -> None:
    plain = score(documents(1, 8), documents(2, 8), metrics=["mentions", "pairwise", "assa"]).by_mention("kind")
    groups: KindScores[Evaluation] = scoref.with_intervals(plain, 40, 5) if intervals else plain
    parts = ("recall", "precision", "f1")
    ends = tuple(f"{name} {end}" for name in parts for end in ("low", "high")) if intervals else ()
    header, rows = groups.rows()
    assert header == ("mention:kind", "metric", "key", "response", *parts, *ends)
    assert len({len(row) for row in (header, *rows)}) == 1
    cells = [(label, name) for label in groups for name in groups[label]]
    assert [row[:2] for row in rows] == cells
    for row, (label, name) in zip(rows, cells, strict=True):
        totals = groups.parts[label].totals[name]
        there = totals[[3, 3]] if name == "assa" else totals[[1, 3]]
        assert [each.value if isinstance(each, Number) else each for each in row[2:4]] == there.tolist()
        for each in row[2:4]:
            assert isinstance(each, int) or (isinstance(each, Number) and each.shown == f"{each.value:.1f}")
        if all(there):
            assert row[4:7] == tuple(groups[label][name])
        known = groups.intervals[label].scores.get(name) if intervals else None
        assert [*row[7:]] == ([end for each in known for end in each] if known else [None] * len(ends))
    short = groups.grid()
    assert short.title == "by mention:kind (recall: of the key's, precision: of the response's)"
    assert short.header == (*header[:7], *ends[4:])
    assert [row[0] for row in short.rows] == [label for kind in groups for label in (kind, "", "")]
    assert [row[7:] for row in short.rows] == [row[-2:] if intervals else () for row in rows]
    found = groups.to_dict()
    for label, name in cells:
        sums = groups.parts[label].totals[name].tolist()
        counts = {"sums": sums} if name == "assa" else {"recall": sums[:2], "precision": sums[2:]}
        known = groups.intervals[label].scores.get(name) if intervals else None
        ci = {"ci": dict(zip(parts, map(list, known), strict=True))} if known else {}
        assert found[label][name] == {**groups[label][name]._asdict(), "counts": counts, **ci}
    assert bool([each for of in found.values() for each in of.values() if "ci" in each]) is intervals


def test_what_kinds_leave_out_is_said_once_for_each_reason() -> None:
    groups = score(documents(1, 4), documents(2, 4), metrics=["b3", "ceafe", "conll"]).by_mention("kind")
    assert groups.notes() == ["ceafe, conll: not by mention:kind, no sum over mentions"]
    bare = [replace(each, mentions=[mention._replace(attributes=()) for mention in each.mentions])
            for each in documents(2, 4)]  # fmt: skip
    said = score(documents(1, 4), bare, metrics=["b3"]).by_mention("kind").notes()
    assert said == ["the response says nothing of mention:kind: only recall can be told by it"]
    said = score(bare, documents(1, 4), metrics=["b3"]).by_mention("kind").notes()
    assert said == ["the key says nothing of mention:kind: only precision can be told by it"]


# -- evidence, and what stands in for it -------------------------------------------------------------------------------


def test_counts_of_entities_are_numerators_beside_denominators() -> None:
    counts = EntityCounts()
    counts.parts["b3"] = (np.array([1.0, 2.0]), np.array([3.0, 4.0])), (np.array([5.0]), np.array([6.0]))
    assert [each.tolist() for each in counts["b3"]] == [[[1, 3], [2, 4]], [[5, 6]]]
    assert ([*counts], len(counts)) == (["b3"], 1)


def test_where_only_sums_are_kept_the_rest_is_refused_or_made_again() -> None:
    source = SumsOnly((("1", "2"), ("3", "4")), {"topic": ("x", "y")})
    assert (source.twinless, source.has_sets, source.available, source.size) == ((0, 0), False, False, 0)
    assert source.fields() == [{"topic": "x"}, {"topic": "y"}]
    assert source.names(("a", "b")) == ("a", "b")
    with pytest.raises(Error, match="a saved evaluation holds sums only") as error:
        source.evidence("no-mentions")
    assert (error.value.code, error.value.problem.remedy) == ("no-mentions", "score the files again")
    with pytest.raises(Error) as error:
        source.evidence()
    assert error.value.code == "no-entities"
    evidence = Evidence()
    again = replace(source, again=lambda: evidence)
    assert again.available
    assert again.evidence() is evidence.evidence() is evidence


def test_comments_of_a_group_are_those_that_all_its_documents_share() -> None:
    keys = [replace(each, comments=((0, "# topic = x"), (0, f"# number = {place}")))
            for place, each in enumerate(documents(1, 3))]  # fmt: skip
    apart = score(keys, documents(2, 3), metrics=["b3"])
    assert apart.evidence.fields() == [{"topic": "x", "number": f"{place}"} for place in range(3)]
    together = score(keys, documents(2, 3), metrics=["b3"], scope="corpus")
    assert together.evidence.fields() == [{"topic": "x"}]
    assert together.names == tuple(each.id for each in keys)
    assert (together.size, len(together.documents)) == (3, 1)
    other = [keys[0], replace(keys[1], comments=((0, "# topic = y"),))]
    assert score(other, documents(2, 2), metrics=["b3"], scope="corpus").evidence.fields() == [{}]


def test_mentions_without_a_twin_are_counted_on_each_side() -> None:
    result = score([["a", "b"], ["c", "d"]], [["a"], ["x", "y", "z", "c"]], metrics=["b3"])
    assert result.evidence.twinless == (2, 3)
    assert not result.evidence.has_sets


@pytest.mark.parametrize("metric", ["muc", "b3", "lea", "blanc"])
def test_entities_are_grouped_by_one_metric_alone(metric: str) -> None:
    """Its counts, or those of its parts, are all that it takes."""
    whole = score([["a", "b"], ["c", "d"]], [["a", "b"], ["c"]], metrics=[metric, "muc", "b3", "lea", "conll"])
    alone = score([["a", "b"], ["c", "d"]], [["a", "b"], ["c"]], metrics=[metric])
    assert {name: scores[metric] for name, scores in alone.by("size").items()} == {
        name: scores[metric] for name, scores in whole.by("size").items()
    }


def test_metrics_that_count_both_sides_apart_are_named() -> None:
    result = score(documents(1, 4), documents(2, 4), metrics=["mentions", "b3", "assa", "conll"])
    found = summed(result, result.evidence)
    assert found.apart == ["mentions", "b3"]
    for side in (0, 1):
        numerator, denominator = found.of("b3", side)
        assert (numerator.sum(), denominator.sum()) == pytest.approx(result.counts["b3"].sum(axis=0)[2 * side :][:2])
    assert found.left_out == {"conll": "no sum over mentions"}


@pytest.mark.parametrize(
    ("response", "labels"),
    [("ab", ["x", "z"]), ("abc", ["y", "z"]), ("bca", ["y", "z"]), ("v", ["w", "z"]), ("dv", ["", "z"])],
)
def test_a_response_entity_has_the_label_of_the_key_entity_with_which_it_shares_most(
    response: str, labels: list[str]
) -> None:
    """The first of several; its own, if it shares none. The key has x: a, y: bc, and d without a label."""
    result = score([["a"], ["b", "c"], ["d"]], [[*response], ["q"]], metrics=["b3"])
    assert _as_in_key(result.evidence.table, ["x", "y", ""], ["w", "z"]) == labels


def test_where_no_metric_says_anything_of_entities_that_is_said() -> None:
    result = score([["a", "b"]], [["a", "b"]], metrics=["ari", "links-within"])
    for ask in (result.by_entity, lambda: result.by("size")):
        with pytest.raises(Error, match="no metric here says anything of single entities") as error:
            ask()
        problem = error.value.problem
        assert (problem.code, problem.remedy) == ("no-entities", "add --metrics b3")
        assert problem.expected == "a metric like muc or b3, with mentions as they are"
    with pytest.raises(Error, match="no entity has the attribute 'colour'") as error:
        scored().by("colour")
    assert error.value.problem.expected == "one of document, text, dataset, genre, size, span, entity, kind"
