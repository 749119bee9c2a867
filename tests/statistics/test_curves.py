"""Curves over windows, prefixes and distances: their points, links counted literally, outputs and pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from places import EXAMPLES
from scoref import Document, Mention
from scoref.document.document import Origin
from scoref.pairing.pairs import Pair
from scoref.problems import Problems
from scoref.protocol.protocol import PROTOCOLS
from scoref.run.stages import evaluate
from scoref.statistics import curves
from scoref.statistics.curves import AskedCurve, drawn

Run = Callable[..., tuple[int, str, str]]
TALES = str(EXAMPLES / "tales" / "key.conll"), str(EXAMPLES / "tales" / "rules.conll")
BOUNDS = (0, 2, 5, 9)


def test_points_are_the_scores_by_that_choice():
    found = scoref.curve(*TALES, "window=40,100", metrics=["b3", "conll"])
    alone = [scoref.score(*TALES, window=size, metrics=["b3", "conll"]) for size in (40, 100)]
    assert [each.scores for each in found.points] == [each.scores for each in alone]
    assert [each.signature for each in found.points] == [each.signature for each in alone]
    part = scoref.curve(*TALES, "prefix=10%,50%,100%", metrics=["b3"])
    assert part.points[1].scores == scoref.score(*TALES, prefix=50, metrics=["b3"]).scores
    assert part.points[-1].scores == scoref.score(*TALES, metrics=["b3"]).scores


def literally(key: list[Mention], response: list[Mention]) -> list[list[int]]:
    """For each bin right links and all links, by looking at every mention for the nearest earlier one."""
    entity = {mention.span: mention.entity for mention in response}
    counts = [[0, 0] for _ in BOUNDS]
    ordered = sorted(key, key=lambda mention: (mention.span[0], -len(mention.span)))
    for place, mention in enumerate(ordered):
        earlier = [each for each in ordered[:place] if each.entity == mention.entity]
        if earlier:
            far = (mention.span[0] >> 8) - (earlier[-1].span[0] >> 8)
            place_of = max(number for number, least in enumerate(BOUNDS) if far >= least)
            there = mention.span in entity and earlier[-1].span in entity
            counts[place_of][0] += there and entity[mention.span] == entity[earlier[-1].span]
            counts[place_of][1] += 1
    return counts


@pytest.mark.parametrize("seed", range(10))
def test_links_of_fixed_documents_by_distance_are_as_literal(seed):
    assert_as_literal(Random(seed))


@settings(max_examples=50)
@given(st.randoms(use_true_random=True))
def test_links_by_distance_are_as_literal(random):
    assert_as_literal(random)


def assert_as_literal(random):
    sides = []
    for _ in range(2):
        places = random.sample(
            [(first, last) for first in range(15) for last in (first, first + 2)], random.randint(1, 20)
        )
        sides.append([Mention.at(*ends, random.randrange(3)) for ends in places])
    both = [Document("d", ["w"] * 20, tuple(side)) for side in sides]
    whole = evaluate([Pair("d", *both, "d")], PROTOCOLS["conll-2012"], Problems())  # without remarks on odd files
    found = drawn(whole, AskedCurve("distance", BOUNDS), None)
    counts = [each.counts["pairwise"].sum(axis=0).tolist() for each in found.points]
    expected = zip(literally(*sides), literally(*sides[::-1]), strict=True)
    assert counts == [[*recall, *precision] for recall, precision in expected]


def test_links_of_several_documents_are_counted_each_alone():
    random = Random(3)
    sides = [[Document(f"d{n}", ["w"] * 20, tuple(Mention.at(word, word, random.randrange(3))
              for word in random.sample(range(20), 12))) for n in range(3)] for _ in range(2)]  # fmt: skip
    found = scoref.curve(*sides, "distance=0,3,8").points
    alone = [scoref.curve(*both, "distance=0,3,8").points for both in zip(*sides, strict=True)]
    counts = [[point.counts["pairwise"].tolist() for point in each] for each in (found, *alone)]
    said = replace(scoref.score(*sides), remarks=("of all scores",))
    for of in ("distance", "overlap=0.5"):
        assert {point.remarks for point in drawn(said, AskedCurve.parse(of), None).points} == {()}
    assert counts[0] == [[row for (row,) in rows] for rows in zip(*counts[1:], strict=True)]


# Four pairs of mentions that overlap by .5, .25, 1 and .75, as TrackEval 1.3.0 scores them (each pair a time step):
# for thresholds up to .25, .5, .75 and 1.
TRACKEVAL = {
    "hota": (0.721687836487, 0.562731433871, 0.471404520791, 0.188982236505),
    "deta": (1.0, 0.6, 0.333333333333, 0.142857142857),
    "assa": (0.520833333333, 0.527777777778, 0.666666666667, 0.25),
    "loca": (0.625, 0.75, 0.875, 1.0),
}


def test_overlaps_are_those_of_trackeval():
    lengths, entities = ((2, 4, 1, 4), (1, 1, 1, 3)), ((0, 0, 1, 1), (0, 1, 0, 0))
    key, response = (
        Document("d", ["w"] * 40, [
            Mention.at(10 * number, 10 * number + length - 1, entity)
            for number, (length, entity) in enumerate(zip(lengths[side], entities[side], strict=True))
        ])
        for side in (0, 1)
    )  # fmt: skip
    whole = evaluate([Pair("d", key, response, "d")], PROTOCOLS["conll-2012"], Problems())
    found = drawn(whole, AskedCurve.parse("overlap"), None)
    assert len(found.points) == 19
    groups = [0] * 5 + [1] * 5 + [2] * 5 + [3] * 4
    assert {name: [point[name].f1 for point in found.points] for name in TRACKEVAL} == {
        name: pytest.approx([values[each] for each in groups], abs=1e-11) for name, values in TRACKEVAL.items()
    }
    assert found.notes()[0].startswith("means over 19 overlaps: hota 50.")


def test_trackeval_itself_gives_the_same_overlaps():
    """Random pairs of mentions, far apart: each is one time step, with the overlap of the two as similarity."""
    hota = pytest.importorskip("trackeval.metrics.hota", reason="trackeval is not installed: pip install trackeval")
    random = Random(5)
    steps = [(random.randint(0, 3), random.randint(1, 6), random.randrange(3), random.randrange(4)) for _ in range(60)]
    sides, alike = ([], []), []
    for number, (shift, length, ours, theirs) in enumerate(steps):
        begin, other = 20 * number, random.randint(1, 6)
        shared = max(0, min(length, shift + other) - shift)
        alike.append(shared / (length + other - shared))
        sides[0].append(Mention.at(begin, begin + length - 1, ours))
        sides[1].append(Mention.at(begin + shift, begin + shift + other - 1, theirs))
    each = [np.array([ours]) for _, _, ours, _ in steps], [np.array([theirs]) for *_, theirs in steps]
    names = [len({int(one[0]) for one in ids}) for ids in each]
    expected = hota.HOTA({"PRINT_CONFIG": False}).eval_sequence({
        "num_timesteps": 60, "num_gt_dets": 60, "num_tracker_dets": 60, "num_gt_ids": names[0],
        "num_tracker_ids": names[1], "gt_ids": each[0], "tracker_ids": each[1],
        "similarity_scores": [np.array([[one]]) for one in alike],
    })  # fmt: skip
    key, response = (Document("d", ["w"] * 1300, side) for side in sides)
    whole = evaluate([Pair("d", key, response, "d")], PROTOCOLS["conll-2012"], Problems())
    found = drawn(whole, AskedCurve.parse("overlap"), None)
    for name in ("HOTA", "DetA", "AssA", "LocA"):
        values = [point[name.lower()].f1 for point in found.points]
        assert values == pytest.approx(expected[name].tolist(), abs=1e-12), name


def test_localisation_of_matched_mentions():
    key = Document("d", ["w"] * 9, [Mention.at(0, 3, "a", head=0), Mention.at(5, 5, "a", head=5 << 8)])
    response = Document("d", ["w"] * 9, [Mention.at(0, 1, "a", head=0), Mention.at(5, 5, "a", head=5 << 8)])
    assert scoref.score(key, response, match="head", metrics=["loca"])["loca"].f1 == pytest.approx((0.5 + 1) / 2)
    assert scoref.score([["a", "b"]], [["a", "c"]], metrics=["loca"])["loca"].f1 == 1


def test_bands_are_the_intervals_of_each_point():
    documents = [[scoref.read(name)[0] for _ in range(1)] for name in TALES]
    keys = [Document(f"{n}", documents[0][0].words, documents[0][0].mentions) for n in range(8)]
    responses = [Document(f"{n}", documents[1][0].words, documents[1][0].mentions[: 4 + 3 * n]) for n in range(8)]
    found = scoref.curve(keys, responses, "window=20,60", metrics=["b3"], ci=True, trials=100)
    alone = scoref.with_intervals(scoref.score(keys, responses, window=20, metrics=["b3"]), 100, unit="text")
    assert found.points[0].intervals.scores == alone.intervals.scores
    assert found.points[0].intervals.resampling.units == 8
    assert len(found.figure().bands["B³"]) == 2
    assert found.whole_grid().header[-2:] == ("f1 low", "f1 high")


def test_the_points_of_distances_and_overlaps_are_those_of_the_page():
    bins = ["0-9", "10-24", "25-49", "50-99", "100-249", "250-499", "500-999", "1000-2499", "2500+"]
    assert AskedCurve.parse("distance").labels == bins
    assert AskedCurve.parse("overlap").labels == [f"{number / 100:g}" for number in range(5, 96, 5)]
    assert AskedCurve.parse("prefix=10%,50").labels == ["10 %", "50 %"]
    assert AskedCurve.parse("window=1").labels == ["1"]


@pytest.mark.parametrize("ci", [False, True])
@pytest.mark.parametrize("of", ["window=20,60", "prefix=50,100", "distance=0,5,20", "overlap=0.5,1"])
def test_tables_and_pictures_have_the_scores_of_the_points_in_percent(of, ci, monkeypatch: pytest.MonkeyPatch):
    sides = [scoref.read(name)[0] for name in TALES]
    keys, responses = ([Document(f"{n}", side.words, side.mentions[: 4 + 3 * n]) for n in range(6)] for side in sides)
    found = scoref.curve(keys, responses, of, metrics=["muc", "b3"], ci=ci, trials=20)
    points = [*zip(found.asked.labels, found.points, strict=True)]
    points += [("whole", found.whole)] if of[0] in "wp" else []
    metrics = {"o": ("hota", "deta", "assa", "loca"), "d": ("pairwise",)}.get(of[0], ("muc", "b3"))
    called = ["links"] if of[0] == "d" else [*metrics]
    rows = [(label, name, *point[metric]) for label, point in points
            for name, metric in zip(called, metrics, strict=True)]  # fmt: skip
    assert [row[:5] for row in found.whole_grid().rows] == rows
    ends = [point.intervals.scores[metric][2] if point.intervals else (None, None)
            for _, point in points for metric in metrics]  # fmt: skip
    assert [row[5:] for row in found.whole_grid().rows] == (ends if ci else [()] * len(rows))
    assert [*found.to_frame().index] == [row[:2] for row in rows]
    assert [(each["at"], [*each["scores"]]) for each in found.to_dict()["points"]] == [(n, called) for n, _ in points]
    (table,) = found.grids()
    if of[0] == "d":
        links = [point.counts["pairwise"].sum(axis=0)[1::2].tolist() for _, point in points]
        assert [[*row] for row in table.rows] == [
            [row[0], *row[2:], *more] for row, more in zip(found.whole_grid().rows, links, strict=True)
        ]
    elif not ci:
        assert [[*row] for row in table.rows] == [[n, *(point[each].f1 for each in metrics)] for n, point in points]
    drawn: dict[str, object] = {}
    monkeypatch.setattr(curves.plots, "draw", lambda figures, path: drawn.update({**figures, "path": path}))
    found.plot("here")
    figure: Any = drawn["curve"]
    assert drawn["path"] == "here"
    if of[0] == "d":
        for place, part in enumerate(("recall", "precision")):
            expected = [[100 * each for each in (point["pairwise"][place],
                         *(point.intervals.scores["pairwise"][place] if ci else (point["pairwise"][place],) * 2))]
                        for point in found.points]  # fmt: skip
            assert [[*dot] for dot in figure.series[part]] == [pytest.approx(each) for each in expected]
        return
    assert figure.joined
    for metric, series in zip(metrics, figure.series.values(), strict=True):
        assert series == [(at, pytest.approx(100 * point[metric].f1))
                          for at, point in zip(found.asked.values, found.points, strict=True)]  # fmt: skip
    bands = [[tuple(100 * end for end in point.intervals.scores[metric][2]) for point in found.points]
             for metric in metrics if ci]  # fmt: skip
    assert [*figure.bands.values()] == [[pytest.approx(each) for each in some] for some in bands]


def test_outputs(run: Run, tmp_path: Path):
    pytest.importorskip("matplotlib")
    for of, first in (("window=40,100", "40,muc"), ("prefix=50%", "50 %,muc"), ("distance", "0-9,links"),
                      ("overlap", "0.05,hota")):  # fmt: skip
        code, out, _ = run("score", *TALES, "--metrics", "muc,b3", "--curve", of)
        assert code == 0
        assert "whole" in out or "=" not in of
        csv = run("score", *TALES, "--metrics", "muc,b3", "--curve", of, "--output", "csv")[1]
        assert csv.splitlines()[1].startswith(first)
        said = json.loads(run("score", *TALES, "--metrics", "muc,b3", "--curve", of, "--json", "--ci")[1])
        assert said["curve"]["of"] == of.split("=")[0]
        assert len(said["curve"]["points"][0]["scores"]) == {"distance": 1, "overlap": 4}.get(of, 2)
        picture = tmp_path / f"{of[:3]}.svg"
        assert run("score", *TALES, "--metrics", "muc,b3", "--curve", of, "--plot", picture)[0] == 0
        assert "<svg" in picture.read_text(encoding="utf-8")


def test_a_curve_beside_settings_and_saved(run: Run, tmp_path: Path):
    saved = tmp_path / "sums.json"
    code, out, _ = run("score", *TALES, "--with", "match:head", "--curve", "window=40", "--save", saved, "--json")
    assert code == 0
    assert [*json.loads(out)["settings"]] == ["match:head"]
    assert json.loads(run("merge", saved, "--json")[1])["scores"] == json.loads(out)["scores"]


@pytest.mark.parametrize(
    "of",
    ["window", "window=", "window=a", "window=50,40", "prefix=-1", "length=3", "window=2.5", "", "window=0,10",
     "window=nan", "prefix=0", "prefix=101", "overlap=0,0.5", "overlap=0.5,1.5", "overlap=inf",
     "distance=-1", "distance=0.5"],
)  # fmt: skip
def test_curves_that_are_none(of, run: Run):
    """An overlap of 1.5, say, is nobody's: its score would be 0."""
    with pytest.raises(scoref.Error, match="no curve"):
        scoref.curve(*TALES, of)
    assert run("score", *TALES, f"--curve={of}")[0] == 2


def test_mentions_without_places_have_no_distance():
    for of, said in (("distance", "mentions that are not at words have no distances"), ("overlap", "do not overlap")):
        with pytest.raises(scoref.Error, match=said) as error:
            scoref.curve([["a", "b"]], [["a", "b"]], of)
        problem = error.value.problem
        assert (problem.code, problem.expected, problem.remedy) == (
            "no-positions", "mentions at words", "leave the curve out")  # fmt: skip


def test_characters_have_no_distances_in_words():
    nuggets = tuple(Mention.at(10 * n, 10 * n + 6, "a") for n in range(3))
    both = [Document("d", (), nuggets, origin=Origin(unit="characters"))] * 2
    with pytest.raises(scoref.Error, match="not at words"):
        scoref.curve(*both, "distance", metrics=["b3"])
