"""What tables, notes, pictures and JSON of results of statistics tell: the values of the results, each in its place."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Comparison, Document, Error, Evaluation, RunsComparison, clusters, compare, plan, score
from scoref.formats import How
from scoref.layout.grid import NOTHING, Number, digits, signed
from scoref.results.kinds import KindScores
from scoref.results.scores import Resampling
from scoref.statistics import figures, significance
from scoref.statistics.beside.asked import beside, refuse_bad
from scoref.statistics.beside.kinds import differences
from scoref.statistics.beside.power import FACTOR, Estimated, Margin, Power, _verdict, detectable, units_needed
from scoref.statistics.figures import size_dots
from scoref.statistics.inference import spread as spreads
from scoref.statistics.inference.spread import Estimate, estimates, spread
from scoref.statistics.planning import CORRELATIONS
from scoref.statistics.run_tests import ExchangeTest, RunDifference
from scoref.statistics.samples import Testing as Asked
from scoref.statistics.samples import checked_sample, f1_of, sample_of
from scoref.statistics.significance import randomisations
from scoref.statistics.systems import runs_of

METRICS = ("muc", "b3")
HOW = Resampling(50, 3, "document", 9)


def shown(cell: Any) -> Any:
    """A cell of a table as it is printed."""
    return cell.shown + cell.mark if isinstance(cell, Number) else cell


def value(cell: Any) -> Any:
    return cell.value if isinstance(cell, Number) else cell


WRONG = ([["a", "b"], ["c", "d", "e"]], [["a"], ["b", "c"], ["d", "e"]], [["a", "c"], ["d", "x"]])


def response(key: list[Document], right: float, seed: int) -> list[Document]:
    random = Random(f"{seed}")
    return [each if random.random() < right else clusters(random.choice(WRONG), each.id) for each in key]


def key_of(documents: int) -> list[Document]:
    return [clusters([["a", "b", "c"], ["d", "e"]], f"{'xy'[n % 2]}/{n:02}") for n in range(documents)]


@cache
def runs(**choices: Any) -> RunsComparison:
    """Three systems with three runs, two and one."""
    key = key_of(9)
    systems = {name: [response(key, right, seed) for seed in seeds]
               for name, right, seeds in (("A", 0.2, (1, 2, 3)), ("B", 0.9, (4, 5)), ("C", 0.5, (6,)))}  # fmt: skip
    return compare(key, systems, metrics=METRICS, trials=50, seed=3, **choices)  # type: ignore[return-value]


@cache
def single(documents: int = 9, systems: int = 3, **choices: Any) -> Comparison:
    key = key_of(documents)
    named = {"ABC"[n]: response(key, (0.2, 0.9, 0.5)[n], n) for n in range(systems)}
    return compare(key, named, metrics=METRICS, trials=50, seed=3, **choices)  # type: ignore[return-value]


# -- systems with several runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", ["first", "all"])
def test_tables_of_runs_have_the_values_of_means_and_tests(pairs: str) -> None:
    result = runs(pairs=pairs)
    letters = result.letters()
    assert {mark for each in letters.values() for mark in each.values()} <= (
        {"", "*"} if pairs == "first" else {"a", "b", "ab", "c", "bc"}
    )
    scores, every, tests, parts, exchanges = result.grids()
    for name, number, *cells in scores.rows:
        found = [result.means[str(name)][metric] for metric in METRICS]
        ends = ["" if mean.deviation is None else f" ± {100 * mean.deviation:.2f}" for mean in found]
        assert number == len(result.systems[str(name)])
        assert [*map(shown, cells)] == [
            f"{100 * mean.f1:.2f}{end}{letters[metric][str(name)]}"
            for metric, mean, end in zip(METRICS, found, ends, strict=True)
        ]
    assert every.rows == [
        (name, number, *(run[metric].f1 for metric in METRICS))
        for name, each in result.systems.items() for number, run in enumerate(each, 1)
    ]  # fmt: skip
    assert [tuple(map(shown, row)) for row in tests.rows] == [
        (test.metric, test.a, test.b, signed(test.difference).shown, *(signed(end).shown for end in test.ci or ()),
         digits(test.p or 0), digits(test.p_adjusted or 0), test.scope)
        for test in result.tests
    ]  # fmt: skip
    assert [tuple(map(value, row)) for row in parts.rows] == [
        (test.metric, test.a, test.b, test.documents, *(pytest.approx(math.nan if each is None else each, nan_ok=True)
                                                        for each in (test.runs_a, test.runs_b)),
         test.error, test.degrees)
        for test in result.tests
    ]  # fmt: skip
    assert all(shown(row[7]) == f"{value(row[7]):.1f}" for row in parts.rows)
    for row, test in zip(exchanges.rows, result.tests, strict=True):
        both = (test.other_documents, test.other_runs)
        assert [*map(shown, row[3:])] == ["–" if each is None else digits(each.p) for each in both]
    whole = result.tests_grid(whole=True)
    assert len({len(row) for row in (whole.header, *whole.rows)}) == 1
    of_f1 = [[result.means[name][test.metric].f1 for name in (test.a, test.b)] for test in result.tests]
    assert [[*row[3:5]] for row in whole.rows] == of_f1
    assert [row[11:] for row in whole.rows] == [
        (*one[3:], *other[3:]) for one, other in zip(parts.rows, exchanges.rows, strict=True)
    ]


def test_means_of_runs_are_tables_and_frames() -> None:
    result = runs(pairs="all")
    rows = [(name, metric, len(result.systems[name]), *mean[:6], *(mean.ci or ()))
            for name, means in result.means.items() for metric, mean in means.items()]  # fmt: skip
    table = result.means_grid(named=True)
    assert [tuple(map(value, row)) for row in table.rows] == [
        tuple(pytest.approx(math.nan, nan_ok=True) if each is None else each for each in row) for row in rows
    ]
    frame = result.to_frame()
    assert [*frame.index] == [row[:2] for row in rows]
    assert [*frame.columns] == ["runs", "recall", "precision", "f1", "deviation", "least", "most", "low", "high"]
    one = compare(None, {"A": [*result.systems["A"]]}, trials=50, seed=3)
    assert isinstance(one, RunsComparison)
    assert one.scores_grid().title == "A: means over 3 runs"
    cells = [row[1:2] + row[3:] for row in table.rows[:2]]
    assert one.scores_grid().rows == [(name, *map(pytest.approx, rest)) for name, *rest in cells]
    values = np.array([run["b3"] for run in result.systems["A"]])
    mean = result.means["A"]["b3"]
    assert (*mean[:3], mean.deviation) == pytest.approx((*values.mean(axis=0), values[:, 2].std(ddof=1)))
    assert (mean.least, mean.most) == (values[:, 2].min(), values[:, 2].max())


def test_a_breakdown_has_the_means_over_runs() -> None:
    result = runs(pairs="all")
    table = result.by("dataset")
    assert table.header == ("dataset", "metric", "A", "B", "C")
    genres = result.by("genre")
    assert [row[:2] for row in genres.rows] == [*product("xy", METRICS)]
    for label, metric, *cells in genres.rows:
        assert cells == [
            pytest.approx(np.mean([run.by("genre")[label][metric].f1 for run in each]))
            for each in result.systems.values()
        ]


def test_a_group_that_some_runs_lack_has_the_mean_of_those_that_have_it() -> None:
    key = [["a", "b"], ["c", "d"]]
    found = {"A": [[["a", "b"]], [["a", "b"], ["x"]]], "B": [[["a", "b"]], [["a", "b"]]]}
    made = {name: [score(key, each, metrics=["b3"]) for each in some] for name, some in found.items()}
    result = compare(None, made, trials=5)
    assert isinstance(result, RunsComparison)
    of_1 = made["A"][1].by("size")["1"]["b3"].f1
    of_2 = [np.mean([run.by("size")["2"]["b3"].f1 for run in each]) for each in made.values()]
    assert {row[0]: row[1:] for row in result.by("size").rows} == {
        "2": ("b3", *map(pytest.approx, of_2)), "1": ("b3", of_1, NOTHING)}  # fmt: skip


def test_notes_of_runs_say_how_they_were_made_what_is_missing_and_the_signature() -> None:
    result = runs(pairs="all")
    assert [note.split(":")[0] for note in result.notes()] == [
        "9 documents; differences are b − a, of means over runs; low and high are the ends of the 95 % interval of "
        "Student's t for other documents and other runs (documents",
        "for these runs",
        "other runs",
        "other documents",
        "warning",
        f"signature {result.first.protocol.signature()}|unit".split(":")[0],
    ]
    assert "documents: bootstrap, 50 trials over 9 units (document); runs: their variance" in result.notes()[0]
    assert "of C there is one run" in result.notes()[1]
    assert result.notes()[-1] == f"signature {result.signature}"
    assert result.signature.endswith(f"|unit:document|trials:50|seed:3|scoref:{scoref.__version__}")
    twice = replace(result, systems={**result.systems, "B": (result.systems["B"][0],) * 2})
    assert "warning: runs 1 and 2 of B have the same sums in every document" in twice.notes()
    assert not [note for note in result.notes() if "same sums" in note]


def test_json_of_runs_has_all_of_it() -> None:
    result = runs(pairs="all")
    found = result.to_dict()
    assert (found["pairs"], found["correction"], found["documents"]) == ("all", "holm", 9)
    assert found["runs"]["B"] == [run.scores_dict() for run in result.systems["B"]]
    assert [each["p"] for each in found["tests"]] == [test.p for test in result.tests]
    assert [each["other_runs"] for each in found["tests"]] == [
        test.other_runs and test.other_runs._asdict() for test in result.tests
    ]
    assert not {"settings", "left_out", "power", "margin", "across"} & {*found}


def test_without_a_p_value_nothing_is_significant() -> None:
    base = RunDifference("muc", "A", "B", 0.1, None, None, None, "these runs", 0.0, None, 0.0, None, None, None, None)
    for p, significant in ((None, False), (0.05, False), (0.049, True)):
        assert base._replace(p=p, p_adjusted=p).significant is significant
    assert base.to_dict()["other_runs"] is None
    test = ExchangeTest(0.1, True, 20, 0.1)
    assert base._replace(other_runs=test).to_dict()["other_runs"] == test._asdict()


@pytest.mark.parametrize(("documents", "known"), [(5, False), (6, True)])
def test_from_fewer_than_six_documents_runs_have_no_intervals_and_no_letters(documents: int, known: bool) -> None:
    key = key_of(documents)
    systems = {name: [response(key, right, seed) for seed in range(2)] for name, right in (("A", 0.3), ("B", 0.8))}
    result = compare(key, systems, metrics=METRICS, trials=50, seed=3)
    assert isinstance(result, RunsComparison)
    for each in (*result.tests, *(mean for means in result.means.values() for mean in means.values())):
        assert (each.ci is not None) is known
    assert all((test.p is not None) is (test.degrees is not None) is known for test in result.tests)
    assert ("low" in result.tests_grid().header) is known
    assert any(mark for each in result.letters().values() for mark in each.values()) is known


@pytest.mark.parametrize("several", [False, True])
def test_letters_are_those_of_the_tests_of_each_metric(several: bool) -> None:
    result: Any = runs(pairs="all") if several else single(pairs="all")
    changed = tuple(test._replace(p=0.1, p_adjusted=0.01 if test.metric == "muc" and "A" in test[1:3] else 0.5)
                    for test in result.tests)  # fmt: skip
    found = replace(result, tests=changed).letters()
    assert {*found["b3"].values()} == {"a"}
    assert found["muc"]["B"] == found["muc"]["C"] != found["muc"]["A"]
    stars = replace(result, tests=tuple(test for test in changed if test.a == "A")).letters()
    assert stars == {"muc": {"A": "", "B": "*", "C": "*"}, "b3": {"A": "", "B": "", "C": ""}}


def test_the_runs_of_a_system_are_paths_evaluations_or_lists_of_documents_in_a_list() -> None:
    documents, evaluation = key_of(2), score(key_of(1), key_of(1))
    how = How()
    for alone in ("a.conll", documents, tuple(documents), evaluation, [["a", "b"]], [[["a", "b"]]], {"a": 1}, [], [[]]):
        assert runs_of(alone, how) == [alone]
    for several in (["a.conll", "b.conll"], [evaluation, evaluation], ["a.conll", evaluation]):
        assert runs_of(several, how) == several
        assert runs_of(tuple(several), how) == several
    assert runs_of([documents, documents], how) == [documents, documents]
    assert runs_of([documents, "a.conll"], how) == [documents, "a.conll"]
    assert runs_of(["a.conll", ["a", "b"]], how) == [["a.conll", ["a", "b"]]]  # plain clusters


# -- systems with one run ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("systems", "pairs"), [(2, "first"), (3, "first"), (3, "all")])
def test_tables_of_systems_have_the_values_of_scores_and_tests(systems: int, pairs: str) -> None:
    result = single(systems=systems, pairs=pairs)
    many = systems > 2
    names = [*combinations("ABC"[:systems], 2)] if pairs == "all" else [("A", other) for other in "BC"[: systems - 1]]
    assert [(test.metric, test.a, test.b) for test in result.tests] == [(m, *pair) for m in METRICS for pair in names]
    letters = result.letters()
    assert [tuple(map(shown, row)) for row in result.scores_grid().rows] == [
        (name, *(f"{100 * each[metric].f1:.2f}{letters[metric][name]}" for metric in METRICS))
        for name, each in result.systems.items()
    ]
    columns = ("metric", "a", "b", "difference", "low", "high", "p", *("p adjusted",) * many)
    assert result.tests_grid().header == columns
    whole = result.tests_grid(whole=True)
    assert whole.header == ("metric", "a", "b", "f1 a", "f1 b", *columns[3:7], "p adjusted")
    for row, test in zip(whole.rows, result.tests, strict=True):
        both = [result.systems[name][test.metric].f1 for name in (test.a, test.b)]
        assert [*map(value, row[3:])] == [*both, both[1] - both[0], *(test.ci or ()), test.p, test.p_adjusted]
        assert test.ci != test.ci_percentile
    assert result.to_dict()["tests"][0]["ci"] == [*(result.tests[0].ci or ())]


def test_notes_of_a_comparison_say_how_it_was_made() -> None:
    result = single(pairs="all")
    assert result.notes()[:2] == [
        "9 documents; differences are b − a, low and high the ends of their 95 % bootstrap (BCa) interval, p that of a "
        "paired exact randomisation test, two-sided; 50 trials over 9 units (document)",
        f"the smallest p that could be reached from 512 exchanges and adjusted for 3 pairs of systems is "
        f"{digits(3 * 2 / 2**9)}",
    ]  # fmt: skip
    assert result.notes()[2:] == [*result.resampling.notes(intervals=False), f"signature {result.signature}"]
    assert all(note.startswith("warning: ") for note in result.notes()[2:-1])
    few = single(documents=4, pairs="all")
    assert few.can_tell is False
    assert "p that of a paired exact randomisation test" in few.notes()[0]
    assert "so that no difference could be significant, however large: use more units" in few.notes()[1]
    assert {mark for each in few.letters().values() for mark in each.values()} == {""}
    approximate = single(documents=24, systems=2, correction="none")
    assert "approximate randomisation test" in approximate.notes()[0]
    assert approximate.notes()[1].startswith("the smallest p that could be reached from 50 exchanges is 0.0196")


def test_a_difference_is_significant_below_the_level() -> None:
    base = single(pairs="all").tests[0]
    for p, significant in ((None, False), (0.05, False), (0.049, True)):
        assert base._replace(p_adjusted=p).significant is significant


def test_pictures_of_a_comparison_are_in_percent() -> None:
    for result in (single(pairs="all"), single(systems=2), single(documents=4, pairs="all")):
        made: Any = result.figures()
        assert [*made["scores"].series] == [*result.systems]
        dots = [dot for each in made["differences"].series.values() for dot in each]
        expected = [[100 * each for each in (test.difference, *(test.ci or (test.difference,) * 2))]
                    for test in sorted(result.tests, key=lambda test: (test.a, test.b))]  # fmt: skip
        assert [[*dot] for dot in dots] == [pytest.approx(each) for each in expected]
        (points,) = made["documents"].series.values()
        first, second = [*result.systems.values()][:2]
        both = [[each["b3"].f1 for each in system.by_document().values()] for system in (first, second)]
        assert np.array(points) == pytest.approx(100 * np.array(both).T)


def test_many_pairs_have_a_picture_of_one_metric_by_pair() -> None:
    key = key_of(9)
    named = {name: response(key, right, 1) for name, right in zip("ABCD", (0.2, 0.4, 0.6, 0.9), strict=True)}
    result = compare(key, named, metrics=METRICS, pairs="all", trials=50, seed=3)
    forest: Any = result.figures()["differences"]
    tests = [test for test in result.tests if test.metric == "b3"]
    assert forest.zero
    assert forest.label == "difference of B³ F1, points"
    assert forest.groups == [f"{b} − {a}" for a, b in combinations("ABCD", 2)]
    expected = [[100 * each for each in (test.difference, *(test.ci or ()))] for test in tests]
    assert [[*dot] for dot in forest.series[""]] == [pytest.approx(each) for each in expected]
    few: Any = single(pairs="all").figures()["differences"]
    assert few.zero
    assert few.groups == ["MUC", "B³"]


def test_sizes_that_one_system_lacks_are_at_0_in_the_picture() -> None:
    key = [["a", "b"], ["c", "d", "e"]]
    systems = {"A": score(key, [["a", "b"]], metrics=["b3"]), "B": score([["a", "b"]], [["a", "b"]], metrics=["b3"])}
    sizes: Any = size_dots(systems)["size"]
    assert sizes.groups[0].startswith("2 (")
    assert [[dot[0] for dot in series] for series in sizes.series.values()] == [[100, 0], [100, 0]]


def test_systems_with_heads_and_without_are_compared_with_those_of_the_trees_of_the_key() -> None:
    """Those that have heads are scored again."""

    def side(place: int | None, last: int) -> Document:
        mentions = [scoref.Mention.at(0, last, "e"), scoref.Mention.at(4, 4, "e")]
        placed = mentions if place is None else [each._replace(head=each.span[place]) for each in mentions]
        return Document("d", tuple("abcdef"), tuple(placed), columns={"HEAD": ("2", "0", "2", "2", "2", "2")})

    key, systems = side(0, 2), {"A": side(-1, 1), "B": side(None, 1), "C": side(0, 2)}
    how: dict[str, Any] = {"match": "head", "metrics": ["mentions"]}
    result = compare(key, systems, **how, trials=5)
    assert isinstance(result, Comparison)
    assert {each.protocol.reading.heads for each in result.systems.values()} == {"tree"}
    for name, each in result.systems.items():
        assert each.scores == score(key, systems[name], **how, heads="tree").scores
    assert result.systems["A"].scores != score(key, systems["A"], **how).scores
    kept = compare(key, {"A": systems["A"], "C": systems["C"]}, **how, trials=5)
    assert isinstance(kept, Comparison)
    assert {each.protocol.reading.heads for each in kept.systems.values()} == {"file"}


@pytest.mark.parametrize(("metrics", "name"), [(["muc", "lea"], "MUC"), (["lea"], "LEA"), (["muc", "b3"], "B³")])
def test_sizes_are_drawn_by_b3_or_else_by_the_first_metric(metrics: list[str], name: str) -> None:
    key, response = [["a", "b"], ["c", "d", "e"], ["f", "g"]], [["a", "b", "c"], ["d", "e"], ["f"]]
    evaluation = score(key, response, metrics=metrics)
    sizes: Any = size_dots({"": evaluation})["size"]
    assert sizes.label.startswith(f"{name} recall and precision by mentions of an entity")
    metric = "b3" if "b3" in metrics else metrics[0]
    for side in ("recall", "precision"):
        expected = {label: 100 * getattr(each[metric], side) for label, each in evaluation.by("size").items()}
        found = zip(sizes.groups, sizes.series[side], strict=True)
        assert {label.split()[0]: dot[0] for label, dot in found} == {
            label: pytest.approx(each) for label, each in expected.items()
        }


def test_sizes_say_how_many_mentions_of_the_key_they_have() -> None:
    key, response = [["a", "b"], ["c", "d"], ["e"]], [["a"], ["b"], ["c", "d"], ["e"], ["f"]]
    sizes: Any = size_dots({"": score(key, response, metrics=["b3"])})["size"]
    assert sizes.groups == ["1 (1)", "2 (4)"]


def test_sizes_are_drawn_in_the_order_of_their_numbers() -> None:
    key = [[f"{n} {m}" for m in range(size)] for n, size in enumerate((30, 2, 12, 1, 5))]
    sizes: Any = size_dots({"": score(key, key, metrics=["b3"])})["size"]
    numbers = [int("".join(c for c in label.split()[0].split("-")[0] if c.isdigit())) for label in sizes.groups]
    assert numbers == sorted(numbers)
    assert numbers[0] < 2 < 9 < numbers[-1]


def test_pictures_of_one_evaluation_are_those_given_scores_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, Any] = {}
    monkeypatch.setattr(figures.plots, "draw", lambda made, path: drawn.update({**made, "path": path}))
    evaluation = score(key_of(2), key_of(2), metrics=METRICS)
    figures.plot(evaluation, "here", {"curve": figures.score_dots({"x": evaluation})})
    assert [*drawn] == ["curve", "scores", "size", "path"]
    assert drawn["path"] == "here"
    drawn.clear()
    figures.plot(evaluation, "here")
    assert [*drawn] == ["scores", "size", "path"]
    assert drawn["scores"].series == {"": [(100.0,) * 3] * 2}


# -- what is asked beside ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "good"), [(None, True), (0.0, False), (-0.01, False), (1e-9, True), (1.0, True), (1.01, False)]
)
def test_differences_and_margins_are_above_0_and_at_most_100_points(points: float | None, good: bool) -> None:
    for name in ("difference", "margin"):
        testing = Asked(**{name: points})  # type: ignore[arg-type]
        if good:
            refuse_bad(testing)
            continue
        with pytest.raises(Error, match=f"a {name} of {100 * (points or 0):g} points") as error:
            refuse_bad(testing)
        assert error.value.problem.expected == "points of f1: more than 0, at most 100"


@pytest.mark.parametrize(
    ("asked", "found"),
    [({}, []), ({"power": True}, ["power"]), ({"difference": 0.1}, ["power"]), ({"margin": 0.1}, ["margin"]),
     ({"margin": 0.1, "power": True, "difference": 0.2}, ["power", "margin"])],
)  # fmt: skip
def test_there_is_beside_what_was_asked_for(asked: dict[str, Any], found: list[str]) -> None:
    results = beside({}, [], [], (Asked(**asked), HOW), None)
    assert [*results] == found
    if "power" in results:
        assert results["power"].difference == asked.get("difference")  # type: ignore[attr-defined]
    if "margin" in results:
        assert results["margin"].margin == 0.1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("worse", "better", "said"),
    [(0.01, 0.01, "equivalent"), (0.01, 0.05, "not worse"), (0.05, 0.01, "not better"), (0.05, 0.05, "unknown"),
     (None, 0.01, "unknown"), (0.01, None, "unknown")],
)  # fmt: skip
def test_what_two_one_sided_tests_say(worse: float | None, better: float | None, said: str) -> None:
    assert _verdict(worse, better) == said


def estimated(difference: float, documents: float, *of_runs: float | None) -> Estimated:
    return Estimated("muc", "A", "B", Estimate(difference, documents, of_runs, 8, (3, 3)))


def test_power_and_margin_have_the_values_of_their_estimates() -> None:
    tests = (
        estimated(0.04, 0.01**2, None, None),
        estimated(-0.02, 0.02**2, 0.01**2, 0.01**2),
        estimated(0.0, 0.0, 0.0),
    )
    for difference in (None, 0.03):
        power = Power(tests, 9, "document", difference)
        rows = power.rows()
        errors = [0.01, math.sqrt(0.02**2 + 2 * 0.01**2)]
        asked = [0.04, 0.02, 0.0] if difference is None else [0.03] * 3
        assert [row[0] for row in rows] == [*(pytest.approx(detectable(error)) for error in errors), None]
        assert [row[1] for row in rows] == asked
        needed = [units_needed(asked[0], 9, 0.01**2), units_needed(asked[1], 9, 0.02**2, 2 * 0.01**2), None]
        assert [row[2] for row in rows] == needed
        assert [tuple(map(shown, row)) for row in power.grids()[0].rows] == [
            ("muc", "A", "B", f"{100 * detectable(errors[0]):.2f}", f"{100 * asked[0]:.2f}", f"{needed[0]:,}"),
            ("muc", "A", "B", f"{100 * detectable(errors[1]):.2f}", f"{100 * asked[1]:.2f}", "no number"),
            ("muc", "A", "B", "–", f"{100 * asked[2]:.2f}", "–"),
        ]
        assert [each["enough"] for each in power.to_dict()["tests"]] == [True, False, True]
        assert [note.split(":")[0] for note in power.notes()] == [
            "found from", "with few runs that differ, fewer are found than that", "no number"]  # fmt: skip
        assert ("which is uncertain itself" in power.notes()[0]) == (difference is None)
        assert power.columns() == {"found from": tuple(row[0] for row in rows), "asked": tuple(asked),
                                   "needed": tuple(needed)}  # fmt: skip
        assert len(Power(tests[::2], 9, "document", difference).notes()) == 1
    margin = Margin(tests, 0.03)
    for (worse, better, said), test in zip(margin.rows(), tests, strict=True):
        assert worse == test.estimate.p_above(-0.03)
        assert better == (None if worse is None else pytest.approx(1 - (test.estimate.p_above(0.03) or 0)))
        refuted = [each is not None and each < 0.05 for each in (worse, better)]
        assert said == {(True, True): "equivalent", (True, False): "not worse", (False, True): "not better"}.get(
            (refuted[0], refuted[1]), "unknown")  # fmt: skip
    (table,) = margin.grids()
    assert table.title == "is b worse than a, or better, by 3 points or more?"
    assert [[*map(shown, row[3:])] for row in table.rows] == [
        [signed(test.estimate.value).shown, *(None if p is None else digits(p) for p in (worse, better)), said]
        for test, (worse, better, said) in zip(tests, margin.rows(), strict=True)
    ]
    assert "that b is worse (better) than a by 3 points or more" in margin.notes()[0]
    assert margin.columns()["within the margin"] == tuple(said for *_, said in margin.rows())
    assert [each["p_equivalent"] for each in margin.to_dict()["tests"]] == [
        None if row[0] is None or row[1] is None else max(row[0], row[1]) for row in margin.rows()]  # fmt: skip


# -- plans, samples ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 3])
def test_a_plan_has_the_variances_of_two_systems_that_correlate(number: int) -> None:
    key = key_of(9)
    evaluations = [score(key, response(key, 0.4, seed), metrics=METRICS) for seed in range(number)]
    result = plan(None, evaluations, difference=3, trials=50, seed=3)
    sample = f1_of(checked_sample(evaluations, "document", 50, 3)[0])
    found = spread(sample, 50, 3)
    means = estimates(found, [range(number)])
    expected = []
    for (place, metric), correlation in product(enumerate(METRICS), (0.0, 0.5, 0.8, 0.9)):
        documents, of_runs = 2 * (1 - correlation) * means[place].documents, 2 * means[place].of_runs
        needed = units_needed(0.03, 9, documents, of_runs)
        expected.append((metric, correlation, pytest.approx(FACTOR * math.sqrt(documents + of_runs)), needed))
    assert result.rows() == expected
    assert CORRELATIONS == (0.0, 0.5, 0.8, 0.9)
    assert [tuple(map(shown, row)) for row in result.grids()[0].rows] == [
        (metric, f"{correlation:g}", f"{100 * least.expected:.2f}", "no number" if needed is None else f"{needed:,}")
        for metric, correlation, least, needed in expected
    ]
    assert [*result.to_frame().index] == [row[:2] for row in expected]
    lines = result.notes()
    assert lines[0] == (
        "found from: a true difference of this size to another system is found (p < 0.05, two-sided) in 80 of 100 "
        "samples of 9 documents; the last column: how many documents a difference of 3 takes"
    )
    assert result.grids()[0].header == ("metric", "correlation", "found from", "documents for 3")
    assert result.to_dict()["system"]["muc"] == {
        "f1": means[0].value, "documents": math.sqrt(means[0].documents),
        "runs": math.sqrt(means[0].of_runs) if number > 1 else None, "correlation": result.together[0],
    }  # fmt: skip
    assert lines[-1] == f"signature {result.signature}"
    assert ("for one run of each system: how far runs differ is not known from one" in lines) == (number == 1)
    for place, known in enumerate(result.together):
        deviations = np.sqrt(np.diag(found.together[place]))
        pairs = [
            found.together[place][a, b] / (deviations[a] * deviations[b]) for a, b in combinations(range(number), 2)
        ]
        assert known == (pytest.approx(np.mean(pairs)) if pairs else None)
    assert any("no number: of documents is enough" in line for line in lines) == any(row[3] is None for row in expected)


def test_entities_of_a_sampled_key_are_units_of_their_own() -> None:
    mentions = {n: n % 7 for n in range(21)}
    evaluation = score(mentions, {n: n % 5 for n in mentions}, sampled="uniform", metrics=["pairwise"])
    sample, resampling = checked_sample([evaluation], "document", 10, 1)
    assert (resampling.unit, resampling.units) == ("entity", len(sample.strata)) == ("entity", 7)
    plain = score(key_of(3), key_of(3), metrics=["b3"])
    assert checked_sample([plain], "document", 10, 1)[1].unit == "document"
    assert checked_sample([plain], "text", 10, 1)[1].unit == "text"


def test_intervals_are_of_10000_trials_unless_said_otherwise() -> None:
    evaluation = score(key_of(2), key_of(2), metrics=["b3"])
    made = scoref.with_intervals(evaluation).intervals
    assert made is not None
    assert made.resampling[:4] == (10_000, 12345, "document", 2)


def test_responses_are_thinned_ten_times_unless_said_otherwise() -> None:
    result = scoref.stability([["a", "b"]], [["a", "b", "x"]], metrics=["b3"])
    assert result.signature.endswith(f"|trials:10|seed:12345|scoref:{scoref.__version__}")
    assert (result.repetitions, result.seed) == (10, 12345)


def test_what_is_drawn_for_intervals_tests_and_runs_has_streams_of_its_own() -> None:
    """So that a seed does not draw the same numbers for several questions."""
    assert len({significance._BOOTSTRAP, significance._RANDOMISATION, spreads._RUNS}) == 3


def test_of_two_settings_that_are_shared_both_are_compared() -> None:
    key = key_of(9)
    made: dict[str, Evaluation] = {
        name: score(key, response(key, right, 1), metrics=METRICS, settings=["singletons:drop", "twinless:all"])
        for name, right in (("A", 0.3), ("B", 0.8))
    }
    result = compare(None, made, trials=50, seed=3)
    assert [*result.settings] == ["singletons:drop", "twinless:all"]
    for name, each in result.settings.items():
        alone = compare(None, {system: run.settings[name] for system, run in made.items()}, trials=50, seed=3)
        assert each.tests == alone.tests
    assert [*result.to_frame().columns] == ["recall", "precision", "f1", "f1 low", "f1 high", "letters"]
    assert [*result.to_frame().index] == [*product("AB", METRICS)]


def test_no_difference_is_no_number_in_a_table() -> None:
    """Where one of two systems has nothing to count."""
    key = [clusters([["a"], ["b"]], str(n)) for n in range(7)]
    result = compare(key, {"A": key, "B": key}, metrics=["muc", "b3"], trials=20)
    assert isinstance(result, Comparison)
    muc, b3 = result.tests_grid().rows
    assert {*muc[3:]} == {NOTHING}
    assert NOTHING not in b3
    assert randomisations(checked_sample([*result.systems.values()], "document", 9, 1)[0], [(0, 1)], 9, 1)[0].exact


# -- kinds of mentions -------------------------------------------------------------------------------------------------


def with_kinds(seed: int, rare: str = "") -> list[Document]:
    """Seven documents of ten mentions in three entities; of a rare kind is one mention in five documents."""
    random, found = Random(f"{seed}"), []
    for number in range(7):
        owners = [word % 3 if random.random() < 0.6 else random.randrange(3) for word in range(10)]
        kinds = ["rare" if not word and number < 5 else rare or "xy"[word % 2] for word in range(10)]
        mentions = [scoref.Mention.at(word, word, str(owner), attributes=(("kind", kind),))
                    for word, (owner, kind) in enumerate(zip(owners, kinds, strict=True))]  # fmt: skip
        found.append(Document(str(number), tuple("abcdefghij"), tuple(mentions)))
    return found


def test_differences_by_kind_are_those_of_their_mentions_with_intervals_where_there_are_enough() -> None:
    key, one, other = (with_kinds(seed) for seed in range(3))
    result = compare(key, {"A": one, "B": other}, metrics=["mentions", "b3"], trials=40, seed=5)
    assert isinstance(result, Comparison)
    groups = [system.by_mention("kind") for system in result.systems.values()]
    found = result.kind_differences("mention:kind")
    assert [*found] == [*product(("rare", "x", "y"), ("mentions", "b3"))]
    for place, label in enumerate(("rare", "x", "y")):
        assert [*groups[0]][place] == label
        parts = [each.parts[label] for each in groups]
        sample = sample_of(parts, "document")
        drawn, left, observed = (
            each[..., 1, :, 2] - each[..., 0, :, 2]
            for each in (significance.bootstrap(sample, 40, 5), significance.jackknife(sample), sample.values)
        )
        ends = significance.bca(observed, drawn, left, sample.strata)
        for number, metric in enumerate(("mentions", "b3")):
            each = found[label, metric]
            assert each.difference == parts[1][metric].f1 - parts[0][metric].f1
            assert each.ci == (None if label == "rare" else pytest.approx(ends[number].tolist()))
            assert each.to_dict() == {"difference": each.difference, "ci": [*each.ci] if each.ci else None}
            ends_of = [signed(end).shown for end in each.ci] if each.ci else [None, None]
            assert [*map(shown, each.cells)] == [signed(each.difference).shown, *ends_of]
    intervals = scoref.with_intervals(groups[0], 40, 5).intervals
    assert {label: [*each.scores] for label, each in intervals.items()} == {
        "rare": [], "x": ["mentions", "b3"], "y": ["mentions", "b3"]}  # fmt: skip


def test_there_are_differences_of_kinds_that_two_systems_have_by_metrics_that_both_have() -> None:
    key, one, other = with_kinds(0), with_kinds(1), with_kinds(2, rare="x")
    bare = [replace(each, mentions=()) for each in other]
    both = {"A": score(key, one, metrics=["b3"]), "B": score(key, bare, metrics=["b3"])}
    result = compare(None, both, trials=20)
    assert isinstance(result, Comparison)
    assert [*result.kind_differences("mention:kind")] == [*product(("rare", "x", "y"), ["b3"])]
    assert single(pairs="all").kind_differences("mention:form") == {}
    first, second = (each.by_mention("kind") for each in both.values())
    fewer = KindScores(second.field, {name: second.parts[name] for name in ("x", "y")}, {})
    assert [*differences(first, fewer, HOW)] == [*differences(fewer, first, HOW)] == [("x", "b3"), ("y", "b3")]
    of_other = replace(second.parts["x"], protocol=second.parts["x"].protocol.change(metrics=["mentions"]),
                       counts={"mentions": second.parts["x"].counts["b3"]})  # fmt: skip
    assert differences(first, KindScores(second.field, {"x": of_other}, {}), HOW) == {}
    assert differences(first, KindScores(second.field, {}, {}), HOW) == {}
