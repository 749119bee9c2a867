"""Averages against what they are by definition: sums, and means of documents or datasets, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import floor, sqrt
from random import Random

import numpy as np
import pytest

from scoref.protocol.protocol import PROTOCOLS, Protocol
from scoref.results.averages import Sums, added, factored, finished, refuse_indices, required, score

METRICS = ("muc", "b3", "ceafe", "lea", "conll", "blanc", "hota", "nugget-span")
PARTS = {"conll": ("muc", "b3", "ceafe"), "blanc": ("pairwise", "nonlinks"), "hota": ("deta", "assa")}
Row = Sequence[float]
Counts = dict[str, list[Row]]  # by metric, a row for each document


def over(top: float, bottom: float) -> float:
    return top / bottom if bottom else 0.0


def prf(row: Row) -> list[float]:
    recall, precision = over(row[0], row[1]), over(row[2], row[3])
    return [recall, precision, over(2 * recall * precision, recall + precision)]


def mean(rows: Sequence[Row], width: int = 3) -> list[float]:
    return [over(sum(row[place] for row in rows), len(rows)) for place in range(width)]


def blanc(rows: dict[str, Row], links: str) -> list[float]:
    """Of both kinds of links, those that count under a rule."""
    both = [rows[kind] for kind in PARTS["blanc"]]
    if links == "maven-ere":
        shares = [[row[0] / (row[1] + 1e-6), row[2] / (row[3] + 1e-6), prf(row)[2]] for row in both]
        return mean(shares)
    if links == "always":
        lone = rows["mentions"][0] if rows["mentions"][1] == rows["mentions"][3] == 1 else 0.0
        both = [[each + lone for each in row] for row in both]
        return mean([prf(row) if row[1] or row[3] else [1.0] * 3 for row in both])
    there = [row for row in both if row[1] or (links == "both" and row[3])]
    if links == "scorch" and not there:
        sizes = rows["b3"]
        return [sizes[0] if sizes[1] == sizes[3] == 1 else float(not both[1][3])] * 3
    return mean([prf(row) for row in there])


def one(name: str, rows: dict[str, Row], links: str) -> list[float]:
    """The score of a metric from one set of counts."""
    if name == "blanc":
        return blanc(rows, links)
    if name == "hota":
        (t, k, _, r), (recall, precision, value, common) = rows["deta"], rows["assa"]
        deta = over(t, k), over(t, r), over(t, k + r - t)
        return [sqrt(a * over(b, common)) for a, b in zip(deta, (recall, precision, value), strict=True)]
    return prf(rows[name])


def there(name: str, rows: dict[str, Row]) -> bool:
    """Whether key or response have something to count."""
    return any(rows[part][1] or rows[part][3] for part in PARTS.get(name, (name,)))


def shortened(row: Row, digits: str) -> list[float]:
    if digits == "exact":
        return [*row]
    how, number = digits.split("-")
    scale = 100 * 10 ** int(number)
    return [floor(each * scale + (0.5 if how == "round" else 0) + 1e-9) / scale for each in row]


def literally(name: str, counts: Counts, datasets: Sequence[str], protocol: Protocol) -> list[float]:
    empty, links, average, digits = protocol.averaging
    if name == "conll":
        parts = [literally(part, counts, datasets, protocol) for part in PARTS[name]]
        return mean([shortened(part, digits) for part in parts])
    number = len(datasets)
    rows = [{metric: each[place] for metric, each in counts.items()} for place in range(number)]

    def summed(some: Sequence[int]) -> dict[str, Row]:
        return {metric: [sum(each[at][place] for at in some) for place in range(4)] for metric, each in counts.items()}

    if average == "micro" or (average == "means" and name == "lea"):
        return one(name, summed(range(number)), links)
    scored = [(one(name, row, links), row) for row in rows if empty == "count" or there(name, row)]
    if average == "macro" and name != "nugget-span":
        return mean([score for score, _ in scored])
    recall, precision = mean([score for score, _ in scored], 2)
    return [recall, precision, over(2 * recall * precision, recall + precision)]


def random_counts(protocol: Protocol, documents: int, random: Random) -> Counts:
    """Of each metric numerators that are not above their denominators; small numbers, often 0."""
    found: Counts = {}
    for name in required(protocol):
        found[name] = []
        for _ in range(documents):
            key, response = random.choice([0, 1, 2, 5]), random.choice([0, 1, 3, 4])
            if name == "deta":
                common = random.randint(0, min(key, response))
                found[name].append([common, key, common, response])
            elif name == "assa":
                found[name].append([key * random.random(), key * random.random(), key / 3, key])
            else:
                found[name].append([random.randint(0, key), key, random.randint(0, response), response])
    return found


def sums(protocol: Protocol, counts: Counts, datasets: Sequence[str] = ()) -> Sums:
    number = len(next(iter(counts.values())))
    arrays = {name: np.array(rows, np.float64).reshape(number, 4) for name, rows in counts.items()}
    return Sums(protocol, tuple(map(str, range(number))), arrays, (), tuple(datasets) or ("",) * number)


@pytest.mark.parametrize("links", ["key", "both", "always", "scorch", "maven-ere"])
@pytest.mark.parametrize(("average", "empty"), [*product(["micro", "macro", "means"], ["skip", "count"])])
def test_averages_are_as_they_are_defined(average: str, empty: str, links: str) -> None:
    for seed, digits in enumerate(["exact", "round-1", "cut-2", "exact"]):
        protocol = PROTOCOLS["conll-2012"].change(metrics=METRICS, average=average, empty=empty, links=links,
                                                  digits=digits)  # fmt: skip
        documents = [3, 1, 5, 2][seed]
        counts = random_counts(protocol, documents, Random(f"{average} {empty} {links} {seed}"))
        found = sums(protocol, counts).score_rows
        for name, row in zip(METRICS, found, strict=True):
            assert row == pytest.approx(literally(name, counts, ("",) * documents, protocol), abs=1e-12), name


@pytest.mark.parametrize("empty", ["skip", "count"])
@pytest.mark.parametrize("digits", ["exact", "round-2", "cut-2", "round-1"])
def test_the_mean_over_datasets_is_that_of_their_sums(empty: str, digits: str) -> None:
    """A dataset in which a metric, or all parts of CoNLL, count nothing is left out, or is a 0."""
    datasets = ("x", "y", "x", "z", "y")
    places = {"x": [0, 2], "y": [1, 4], "z": [3]}
    metrics = METRICS[:-1]
    protocol = PROTOCOLS["conll-2012"].change(metrics=metrics, average="datasets", empty=empty, digits=digits)
    micro = protocol.change(average="micro")
    for seed in range(8):
        counts = random_counts(protocol, 5, Random(seed))
        for name in counts if seed % 2 else ("muc",):
            counts[name][3] = [0.0] * 4  # nothing to count in z
        expected = []
        for name in metrics:
            each = []
            for some in places.values():
                of_dataset = {metric: [rows[at] for at in some] for metric, rows in counts.items()}
                names = [part for leaf in PARTS.get(name, (name,)) for part in PARTS.get(leaf, (leaf,))]
                if empty == "count" or any(any(row) for part in names for row in of_dataset[part]):
                    each.append(shortened(literally(name, of_dataset, some, micro), digits))
            expected.append(pytest.approx(mean(each), abs=1e-12))
        assert sums(protocol, counts, datasets).score_rows == expected


@pytest.mark.parametrize("seed", range(6))
def test_the_weighted_mean_is_that_of_scorch(seed: int) -> None:
    """Recall by mentions of the key, precision by those of the response, f1 by both; without any, all alike."""
    metrics = ("muc", "b3", "blanc", "conll")
    protocol = PROTOCOLS["conll-2012"].change(metrics=metrics, average="weighted")
    counts = random_counts(protocol, 4, Random(seed))
    if seed > 3:
        counts["b3"] = [[0.0] * 4 for _ in range(4)]
    weights = [[row[1], row[3], row[1] + row[3]] for row in counts["b3"]]

    def averaged(name: str) -> list[float]:
        if name == "conll":
            return mean([averaged(part) for part in PARTS[name]])
        rows = [one(name, {metric: each[at] for metric, each in counts.items()}, "key") for at in range(4)]
        found = []
        for place in range(3):
            total = sum(weight[place] for weight in weights)
            plain = sum(row[place] for row in rows) / 4
            of_all = sum(row[place] * weight[place] for row, weight in zip(rows, weights, strict=True))
            found.append(of_all / total if total else plain)
        return found

    for name, row in zip(metrics, sums(protocol, counts).score_rows, strict=True):
        assert row == pytest.approx(averaged(name), abs=1e-12), name


@pytest.mark.parametrize("average", ["micro", "macro", "means", "weighted", "datasets"])
def test_no_documents_have_scores_of_0(average: str) -> None:
    protocol = PROTOCOLS["conll-2012"].change(metrics=METRICS, average=average)
    nothing = sums(protocol, {name: [] for name in required(protocol)})
    assert nothing.score_rows == [[0.0] * 3] * len(METRICS)
    assert {*nothing.undefined} == {*METRICS}


def test_groups_are_sums_whatever_the_average_is() -> None:
    protocol = PROTOCOLS["conll-2012"].change(metrics=METRICS, average="macro", empty="skip")
    micro = protocol.change(average="micro")
    counts = random_counts(protocol, 6, Random(5))
    names, places = ("a", "b", "a", "c", "b", "a"), {"a": [0, 2, 5], "b": [1, 4], "c": [3]}
    whole = sums(protocol, counts)
    found, defined = whole.by_group(names), whole.defined_in(names)
    assert [*found] == [*places]
    for number, (group, some) in enumerate(places.items()):
        rows = {metric: [each[at] for at in some] for metric, each in counts.items()}
        for name in METRICS:
            assert found[group][name] == pytest.approx(literally(name, rows, some, micro), abs=1e-12), name
            summed = {metric: [sum(row[at] for row in each) for at in range(4)] for metric, each in rows.items()}
            parts = PARTS.get(name, (name,)) if name != "conll" else PARTS[name]
            assert bool(defined[name][number]) == any(there(part, summed) for part in parts), name
    assert {name: total.tolist() for name, total in whole.totals.items()} == {
        name: [sum(row[at] for row in rows) for at in range(4)] for name, rows in counts.items()}  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "nonlinks", "expected"),
    [
        ((1, 1, 1, 1), (0, 0, 0, 0), 1.0),  # the only mention of each side, the same one
        ((0, 1, 0, 1), (0, 0, 0, 0), 0.0),
        ((1, 1, 0.5, 2), (0, 0, 0, 0), 1.0),  # the response has one entity of two mentions
        ((1, 1, 1, 2), (0, 0, 0, 1), 0.0),  # and two entities
        ((0, 0, 0, 1), (0, 0, 0, 0), 1.0),
        ((1, 2, 1, 1), (0, 0, 0, 0), 1.0),
        ((0, 2, 0, 1), (0, 0, 0, 1), 0.0),
    ],
)
def test_blanc_of_scorch_where_the_key_has_no_links(sizes: Row, nonlinks: Row, expected: float) -> None:
    counts = {"b3": np.array(sizes), "pairwise": np.zeros(4), "nonlinks": np.array(nonlinks, np.float64)}
    assert [*score("blanc", counts, "scorch")] == [expected] * 3


@pytest.mark.parametrize("average", ["micro", "macro", "means", "weighted", "datasets"])
def test_many_sums_are_scored_at_once_as_each_alone(average: str) -> None:
    """As resampling does it."""
    protocol = PROTOCOLS["conll-2012"].change(metrics=METRICS[:-1], average=average, links="scorch", empty="skip")
    for seed in range(3):
        each = [sums(protocol, random_counts(protocol, 6, Random(f"{seed} {draw}")), "xyzxyz").sums()
                for draw in range(5)]  # fmt: skip
        assert finished(protocol, np.stack(each)).tolist() == [finished(protocol, one).tolist() for one in each]


@pytest.mark.parametrize("links", ["key", "both", "always", "scorch", "maven-ere"])
def test_an_average_of_sums_takes_the_links_of_its_parts_as_asked_for(links: str) -> None:
    """KBP is the mean of B³, CEAFe, MUC and BLANC; here the key has no non-coreference links, the response has."""
    counts = {name: np.array(row, float) for name, row in {
        "mentions": [2, 3, 2, 4], "muc": [1, 2, 1, 3], "b3": [2, 3, 2, 4], "ceafe": [0.5, 1, 0.5, 2],
        "pairwise": [1, 3, 1, 2], "nonlinks": [0, 0, 0, 4],
    }.items()}  # fmt: skip
    parts = [score(name, counts, links) for name in ("muc", "b3", "ceafe", "blanc")]
    assert score("kbp", counts, links) == pytest.approx(np.mean(parts, axis=0))


def test_sums_are_rounded_once() -> None:
    """In any order, as a sum one after the other is not; also where some groups have one row, or all."""
    rows = np.array([[1e16, 1.0], [1.0, 2.0], [-1e16, 3.0], [0.5, 4.0]])
    assert added(rows, [range(4)]).tolist() == [[1.5, 10.0]]
    assert added(rows, [[2, 1, 0], [3]]).tolist() == [[1.0, 6.0], [0.5, 4.0]]
    assert added(rows, [[3], [1]]).tolist() == [[0.5, 4.0], [1.0, 2.0]]
    assert added(rows[:1], [range(1)]).tolist() == [[1e16, 1.0]]


@pytest.mark.parametrize(
    ("choices", "metric", "product"),
    [
        ({}, "b3", True),
        ({}, "deixis:b3", True),
        ({"average": "datasets"}, "b3", True),
        ({"average": "macro"}, "b3", False),
        ({}, "lea", False),
        ({}, "no-such-metric", False),
        ({"split": "ignore"}, "b3", True),
        ({"split": "distribute"}, "b3", False),
        ({"twinless": "common"}, "b3", False),
        ({"weights": "form"}, "b3", False),
        ({"sampled": "uniform"}, "b3", False),
        ({"singletons": "e2e"}, "b3", False),
        ({"singletons": "links"}, "b3", True),
    ],
)
def test_b3_is_a_product_where_it_counts_the_mentions_that_detection_counts(
    choices: dict[str, str], metric: str, product: bool
) -> None:
    assert factored(metric, PROTOCOLS["conll-2012"].change(metrics=["b3"], **choices)) is product


def test_metrics_that_compare_common_mentions_are_no_sums_of_groups_that_cut_entities() -> None:
    refuse_indices(PROTOCOLS["conll-2012"].change(metrics=("muc", "deta", "hota", "conll")))
    with pytest.raises(Exception, match="ari, v-measure cannot be computed") as error:
        refuse_indices(PROTOCOLS["conll-2012"].change(metrics=("muc", "ari", "v-measure", "hota")))
    assert "live in documents" in str(error.value)
    assert "choose other metrics" in str(error.value)
