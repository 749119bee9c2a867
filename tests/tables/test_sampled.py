"""Keys whose entities are a sample: estimates and their standard errors, by all engines (`--sampled`)."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import scoref
from scoref.cli import main
from scoref.problems import Error
from scoref.protocol.metric_names import estimable
from scoref.relations.registry import METRICS
from scoref.results.sampled import correction

# A letter for each record: its predicted cluster, its key cluster (. for none).
PREDICTED, KEY = "aabbbcdddeefgghhhhiijkl", "AABBACCDD.E.FFGGG.HH..I"
WEIGHTS = {"A": 1, "B": 2.5, "C": 1, "D": 4, "E": 1.5, "F": 1, "G": 2, "H": 1, "I": 3}

# er-evaluation 2.3.0: each estimate with its deviation, by pairwise_precision_estimator, pairwise_recall_estimator,
# cluster_precision_estimator, cluster_recall_estimator, b_cubed_recall_estimator. For `b3`, which counts records and no
# clusters: b_cubed_precision_estimator, b_cubed_recall_estimator with weights multiplied by the sizes of clusters.
RECORDED = {
    ("pairwise", "precision"): (0.5634101961713357, 0.055950580394666743),
    ("pairwise", "recall"): (0.8522742976723987, 0.12265860016791691),
    ("entities-exact", "precision"): (0.2720235927780307, 0.20482135484954167),
    ("entities-exact", "recall"): (0.28942346834927746, 0.1777823725791067),
    ("b3-classes", "recall"): (0.949742887351019, 0.042804532344541575),
    ("b3", "precision"): (0.7512759824002428, 0.04511810068806702),
    ("b3", "recall"): (0.933839174632074, 0.05389126142373262),
}


def rows(letters: str, weights: dict[str, float] | None = None) -> str:
    """A table in CSV."""
    header = "mention,entity,chance\n" if weights else "mention,entity\n"
    lines = [
        f"r{place},{letter}{f',{weights[letter]}' if weights else ''}\n"
        for place, letter in enumerate(letters) if letter != "."
    ]  # fmt: skip
    return header + "".join(lines)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A key with weights, and a response."""
    for name, text in (("key.csv", rows(KEY, WEIGHTS)), ("response.csv", rows(PREDICTED))):
        (tmp_path / name).write_text(text)
    return [str(tmp_path / "key.csv"), str(tmp_path / "response.csv")]


def both(result: scoref.Evaluation, metric: str, part: str) -> tuple[float, float]:
    return getattr(result[metric], part), getattr(result.standard_errors[metric], part)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_estimates_are_those_of_er_evaluation(files: list[str], engine: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    result = scoref.score(*files, sampled="chance", engine=engine)
    found = {each: both(result, *each) for each in RECORDED}
    assert found == {each: pytest.approx(values, abs=1e-12) for each, values in RECORDED.items()}
    assert [*result] == ["pairwise", "b3", "b3-classes", "entities-exact"]


def test_spark_counts_alike(spark: object, files: list[str]) -> None:
    result = scoref.score(*files, sampled="chance", engine="spark")
    assert {each: both(result, *each) for each in RECORDED} == {
        each: pytest.approx(values, abs=1e-12) for each, values in RECORDED.items()
    }


def test_the_example_of_er_evaluation(tmp_path: Path) -> None:
    """From the docstrings of pairwise_precision_estimator and pairwise_recall_estimator."""
    key, response = {1: "c1", 2: "c1", 3: "c1", 4: "c2", 5: "c2", 8: "c4"}, dict(enumerate([1, 1, 2, 3, 2, 4, 4, 4], 1))
    result = scoref.score(key, response, sampled="uniform")
    assert both(result, "pairwise", "precision") == pytest.approx((0.3888888888888889, 0.2545875386086578))
    assert both(result, "pairwise", "recall") == pytest.approx((0.296875, 0.10825317547305482))


def test_a_whole_key_has_its_scores_up_to_the_correction() -> None:
    """Without the correction, which goes to 1 with the number of entities, all metrics are those of the whole key."""
    random = Random(7)
    key = {place: random.randrange(30) for place in range(90)}
    response = {place: entity if random.random() < 0.7 else 30 + random.randrange(9) for place, entity in key.items()}
    names = [name for name in METRICS if estimable(name)]
    assert {"muc", "b3", "b3-classes", "lea", "pairwise", "entities-exact", "b3-extended"} == {*names}
    found = scoref.score(key, response, sampled="uniform", metrics=names)
    exact = scoref.score(key, response, metrics=names)
    for name in names:
        for side in (0, 2):
            top, bottom = found.counts[name][:, side : side + 2].T
            plain = top.sum() / bottom.sum() / correction(top, bottom)
            assert plain == pytest.approx(exact[name][side // 2])


def test_samples_scatter_around_the_truth() -> None:
    """The mean of the estimates of many samples is near the score of the whole key, and errors are of their spread."""
    random = Random(3)
    key = {place: random.randrange(150) for place in range(600)}
    response = {place: entity if random.random() < 0.8 else 150 + random.randrange(40) for place, entity in key.items()}
    exact = scoref.score(key, response, metrics=["pairwise", "b3"])
    estimates: dict[tuple[str, int], list[float]] = {}
    errors: dict[tuple[str, int], list[float]] = {}
    for _ in range(60):
        drawn = {*random.sample(range(150), 40)}
        sample = {place: entity for place, entity in key.items() if entity in drawn}
        found = scoref.score(sample, response, sampled="uniform", metrics=["pairwise", "b3"])
        for name, side in ((name, side) for name in found for side in (0, 1, 2)):
            estimates.setdefault((name, side), []).append(found[name][side])
            errors.setdefault((name, side), []).append(found.standard_errors[name][side] or 0)
    spread = {each: float(np.std(values)) for each, values in estimates.items()}
    off = {each: abs(np.mean(values) - exact[each[0]][each[1]]) for each, values in estimates.items()}
    assert [each for each in off if off[each] > 4 * spread[each] / math.sqrt(60) + 0.005] == []
    said = [float(np.mean(errors[each])) / spread[each] for each in spread]
    assert 0.6 < min(said) <= max(said) < 1.8  # of 40 of 150, drawn without putting back


def test_b3_by_hand() -> None:
    """Two clusters with weights 1 and 3: {a b} is cut in a joint one of 3 records and one of 1, {c} is alone with d."""
    key = {"a": "x", "b": "x", "c": "y"}
    response = {"a": 1, "e": 1, "f": 1, "b": 2, "c": 3, "d": 3}
    frame = pytest.importorskip("pandas", reason="pandas is not installed: pip install 'scoref[tables]'").DataFrame
    weighted = frame({"mention": [*key], "entity": [*key.values()], "w": [1, 1, 3]})
    result = scoref.score(weighted, response, sampled="w", metrics=["b3"])
    precision = (Fraction(1, 3) + 1 + 3 * Fraction(1, 2)) / 5
    top, bottom = np.array([4 / 3, 3 / 2]), np.array([2.0, 3.0])
    assert result["b3"].precision == pytest.approx(float(precision) * correction(top, bottom))


def test_text_and_json(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--sampled", "chance"]) == 0
    text = capsys.readouterr().out
    assert "±recall" in text
    assert "9 sampled clusters" in text
    assert "|sampled:chance|" in text
    assert main(["score", *files, "--sampled", "chance", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scores"]["pairwise"]["standard_error"]["recall"] == pytest.approx(0.12265860016791691)
    assert scoref.Protocol.parse(found["signature_full"]).sampled == "chance"


def test_saved_evaluations_keep_their_errors(files: list[str], tmp_path: Path) -> None:
    result = scoref.score(*files, sampled="chance")
    scoref.save(result, tmp_path / "saved.json")
    again = scoref.load(tmp_path / "saved.json")
    assert again.standard_errors == result.standard_errors


def test_intervals_name_entities_as_what_is_drawn(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--sampled", "chance", "--ci"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "95 % intervals: bootstrap (BCa) over 9 units (entity)" in text
    assert "|unit:entity|" in text
    assert "document" not in text


def test_errors_of_samples_are_refused(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", *files, "--sampled", "chance"]) == 2
    out, error = capsys.readouterr()
    assert (out, "[not-sampled]" in error, "leave out --sampled" in error) == ("", True, True)


def test_two_responses_are_compared_by_sampled_entities(files: list[str]) -> None:
    found = scoref.compare(files[0], {"a": files[1], "b": rows_as_table(KEY.replace(".", "Z"))}, sampled="chance")
    assert (found.resampling.unit, found.resampling.units) == ("entity", 9)
    assert {test.metric for test in found.tests} == {"pairwise", "b3", "b3-classes", "entities-exact"}


def rows_as_table(letters: str) -> dict[str, str]:
    return {f"r{place}": letter for place, letter in enumerate(letters)}


@pytest.mark.parametrize("weight", ["0", "-1", "x", "", "nan", "inf"])
@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_weights_that_are_none_are_located(tmp_path: Path, files: list[str], engine: str, weight: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    bad = Path(files[0]).read_text().replace("B,2.5", f"B,{weight}")
    Path(files[0]).write_text(bad)
    with pytest.raises(Error, match="a weight that is no number above 0") as error:
        scoref.score(*files, sampled="chance", engine=engine)
    assert (error.value.code, error.value.line) == ("bad-weight", 4)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
def test_a_bad_weight_is_told_with_the_document_of_its_entity(tmp_path: Path, engine: str) -> None:
    if engine == "duckdb":
        pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'scoref[tables]'")
    table = tmp_path / "key.csv"
    for header, row, document in (("document,", "d,", "d"), ("", "", None)):
        table.write_text(f"{header}mention,entity,w\n{row}a,1,1\n{row}b,2,0\n")
        with pytest.raises(Error) as caught:
            scoref.score(table, table, sampled="w", engine=engine)
        problem = caught.value.problem
        assert (problem.code, problem.path, problem.line) == ("bad-weight", str(table), 3)
        assert (problem.document, problem.text) == (document, "2")
    for others in (("2", "", "2"), ("0", "3", "3"), ("-1", "3", "3"), ("3", "x", "4")):  # before several it is none
        table.write_text("mention,entity,w\na,1,3\n" + "".join(f"{n},2,{w}\n" for n, w in enumerate(others)))
        with pytest.raises(Error, match="a weight that is no number above 0") as caught:
            scoref.score(table, table, sampled="w", engine=engine)
        assert (caught.value.line, caught.value.problem.text) == (3, "2")


def test_several_weights_of_an_entity_are_refused(files: list[str]) -> None:
    Path(files[0]).write_text(Path(files[0]).read_text().replace("B,2.5", "B,3", 1))
    with pytest.raises(Error, match=r"the weights 2\.5 and 3"):
        scoref.score(*files, sampled="chance")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"sampled": "nothing"}, "bad-columns"), ({"metrics": ["ceafe"]}, "not-sampled"),
        ({"metrics": ["mentions"]}, "not-sampled"), ({"singletons": "drop"}, "not-sampled"),
        ({"twinless": "common"}, "not-sampled"), ({"average": "macro"}, "not-sampled"),
    ],
)  # fmt: skip
def test_what_has_no_estimate_is_refused(files: list[str], options: dict[str, str], code: str) -> None:
    with pytest.raises(Error) as error:
        scoref.score(*files, **{"sampled": "uniform", **options})
    assert error.value.code == code


def test_only_tables_have_samples() -> None:
    with pytest.raises(Error, match="only tables can have a sampled key"):
        scoref.score([["a", "b"]], [["a", "b"]], sampled="uniform")


def test_a_response_without_any_of_the_records_is_refused(files: list[str]) -> None:
    with pytest.raises(Error, match="no mention of the sampled key"):
        scoref.score(files[0], {f"s{place}": "x" for place in range(9)}, sampled="uniform")


def test_documents_tell_entities_apart(tmp_path: Path) -> None:
    key = "document,mention,entity\nd1,1,x\nd1,2,x\nd2,1,x\nd2,2,y\n"
    response = "document,mention,entity\nd1,1,x\nd1,2,y\nd2,1,x\nd2,2,x\nd2,3,x\n"
    for name, text in (("key.csv", key), ("response.csv", response)):
        (tmp_path / name).write_text(text)
    result = scoref.score(tmp_path / "key.csv", tmp_path / "response.csv", sampled="uniform", metrics=["b3"])
    assert result.documents == ("d1 / x", "d2 / x", "d2 / y")
    tops, bottoms = result.counts["b3"][:, 0], result.counts["b3"][:, 1]
    assert (tops / correction(tops, bottoms)).tolist() == pytest.approx([1, 1, 1])
    assert bottoms.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("name", "code"), [("codi-crac-2022-bridging", "unknown-metric"), ("zhou-choi-2018", "undefined-metric")]
)
def test_protocols_without_metrics_that_can_be_estimated_are_refused(name: str, code: str) -> None:
    with pytest.raises(Error) as raised:
        scoref.Protocol.parse(name).change(sampled="uniform")
    assert raised.value.code == code


def test_no_metric_is_estimated_because_of_its_name() -> None:
    """What can be estimated follows from how a metric counts: one that counts a mention once is none of entities."""
    assert not any(estimable(name) for name in ("mentions", "deixis:mentions", "deixis:b3", "ceafe", "conll", "blanc"))
