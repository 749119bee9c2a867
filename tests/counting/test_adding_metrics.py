"""A metric is one function and one entry of `METRICS`: toy metrics go all the way; tests say what they still lack."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import scoref
import slow
from places import ROOT
from scoref.cli import main
from scoref.counting.metrics import Mean, Metric, OneToOne, PerEntity, Related, Similarity, Whole, ratio
from scoref.relations.registry import METRICS

KEY = [["a", "b", "c"], ["d", "e"], ["f"]]
RESPONSE = [["a", "b"], ["c", "d", "e"], ["g"]]


def detected_and_associated(table):
    """Mentions that both sides have, of those that any has; of these, Σ n²/(k + r − n) over cells, of their number."""
    found = table.per_document(table.per_row(table.n))
    sides = table, table.transposed
    mentions = [side.per_document(side.numbered(side.key.mentions)) for side in sides]
    together = table.per_document(table.per_row(table.n**2 / (table.k + table.r - table.n)))
    return np.stack((found, mentions[0] + mentions[1] - found, together, found), axis=1)


def product(sums):
    """Detection, association, and the root of their product."""
    detection, association = ratio(sums[..., 0], sums[..., 1]), ratio(sums[..., 2], sums[..., 3])
    return np.stack((detection, association, np.sqrt(detection * association)), axis=-1)


def halves(table):
    """Whether a cell has more than half of its key entity."""
    return 2 * table.n > table.k


def overlap(n, k, r):
    """The Jaccard coefficient."""
    return n / (k + r - n)


TOYS = [
    Metric(
        "toy-product",
        "detection × association",
        "nobody",
        "mentions",
        "identity",
        Whole(detected_and_associated, product, ("detection", "association")),
    ),
    Metric(
        "toy-halves",
        "entities by halves",
        "nobody",
        "entities",
        "identity",
        PerEntity(halves, lambda table: np.ones_like(table.key.size)),
    ),
    Metric(
        "toy-jaccard",
        "CEAF by Jaccard coefficients",
        "nobody",
        "entities",
        "identity",
        OneToOne(Similarity("jaccard", overlap, "CAST({n} AS DOUBLE) / ({k} + {r} - {n})")),
    ),
]
NAMES = ",".join(metric.name for metric in TOYS)

# By hand. Cells: abc∩ab 2, abc∩cde 1, de∩cde 2. Five of seven mentions are found by both; Jaccard 2/3, 1/5, 2/3.
DETECTION, ASSOCIATION = 5 / 7, (2 * 2 / 3 + 1 / 5 + 2 * 2 / 3) / 5
EXPECTED = {
    "toy-product": (DETECTION, ASSOCIATION, (DETECTION * ASSOCIATION) ** 0.5),
    "toy-halves": (2 / 3, 2 / 3, 2 / 3),
    "toy-jaccard": (4 / 9, 4 / 9, 4 / 9),
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for metric in TOYS:
        monkeypatch.setitem(METRICS, metric.name, metric)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for side, entities in (("key", KEY), ("response", RESPONSE)):
        Path(f"{side}.json").write_text(json.dumps(entities))
        rows = [f"{mention}\t{number}" for number, entity in enumerate(entities) for mention in entity]
        Path(f"{side}.tsv").write_text("\n".join(["mention\tentity", *rows]) + "\n")


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(files: None, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*argv: str) -> tuple[int, str, str]:
        code = main([*argv])
        return code, *capsys.readouterr()

    return call


def test_in_python():
    result = scoref.score(KEY, RESPONSE, metrics=NAMES)
    for name, expected in EXPECTED.items():
        assert tuple(result[name]) == pytest.approx(expected), name


def test_a_perfect_response_and_an_empty_one():
    assert scoref.score(KEY, KEY, metrics=NAMES).scores == dict.fromkeys(EXPECTED, (1, 1, 1))
    assert scoref.score(KEY, [], metrics=NAMES).scores == dict.fromkeys(EXPECTED, (0, 0, 0))


def test_score_and_json(run: Run):
    code, out, _ = run("score", "key.json", "response.json", "--metrics", NAMES)
    assert code == 0
    assert re.search(r"^toy-product +71\.43 +57\.33 +63\.99$", out, re.MULTILINE)
    code, out, _ = run("score", "key.json", "response.json", "--metrics", NAMES, "--json", "--by", "document")
    assert code == 0
    found = json.loads(out)
    assert {name: tuple(each.values())[:3] for name, each in found["scores"].items()} == {
        name: pytest.approx(each) for name, each in EXPECTED.items()
    }
    assert found["counts"]["toy-product"]["sums"] == pytest.approx([5, 7, 5 * ASSOCIATION, 5])


@pytest.mark.parametrize("engine", ["documents", "numpy", "duckdb"])
def test_by_size(run: Run, engine: str):
    files = ["key.json", "response.json"]
    if engine != "documents":
        pytest.importorskip(engine)
        files = ["key.tsv", "response.tsv", "--engine", engine, "--scope", "corpus"]
    code, out, _ = run("score", *files, "--metrics", "toy-halves,toy-jaccard", "--by", "size", "--output", "csv")
    assert code == 0
    recalls = {tuple(line.split(",")[:2]): float(line.split(",")[2]) for line in out.splitlines()[1:]}
    for size, halves_found, jaccard in (("1", 0, 0), ("2", 1, 2 / 3), ("3-4", 1, 2 / 3)):
        assert recalls[size, "toy-halves"] == halves_found
        assert recalls[size, "toy-jaccard"] == pytest.approx(jaccard)


def test_by_size_says_why_not(run: Run):
    code, out, err = run("score", "key.json", "response.json", "--metrics", "toy-product", "--by", "size")
    assert (code, out) == (2, "")
    assert "no metric here says anything of single entities" in err


def test_by_entity(run: Run):
    assert "toy-halves" in run("score", "key.json", "response.json", "--metrics", NAMES, "--by", "entity")[1]
    code, _, err = run("score", "key.json", "response.json", "--metrics", "toy-product", "--by", "entity")
    assert code == 2
    assert "no metric here says anything of single entities" in err


def test_comparison_and_intervals(run: Run):
    for side, entities in (("key", KEY), ("response", RESPONSE), ("other", KEY)):
        documents = [json.dumps(scoref_line(entities, number)) for number in range(6)]
        Path(f"{side}.jsonl").write_text("\n".join(documents) + "\n")
    code, out, err = run("compare", "key.jsonl", "response.jsonl", "other.jsonl", "--metrics", NAMES, "--json")
    assert code == 0, err
    assert {test["metric"] for test in json.loads(out)["tests"]} == {*EXPECTED}
    code, out, err = run("score", "key.jsonl", "response.jsonl", "--metrics", NAMES, "--ci", "--json")
    assert code == 0, err
    low, high = json.loads(out)["scores"]["toy-product"]["ci"]["f1"]
    assert low == pytest.approx(high) == pytest.approx(EXPECTED["toy-product"][2])  # all documents are alike


def scoref_line(entities: list[list[str]], number: int) -> dict[str, object]:
    places = {letter: place for place, letter in enumerate("abcdefg")}
    clusters = [[[places[mention], places[mention]] for mention in entity] for entity in entities]
    return {"doc_key": f"d{number}", "sentences": [[*"abcdefg"]], "clusters": clusters}


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("twinless", ["as-is", "all", "sys", "0"])
def test_on_tables_as_on_documents(files: None, engine: str, twinless: str):
    pytest.importorskip(engine)
    expected = scoref.score(KEY, RESPONSE, metrics=NAMES, twinless=twinless)
    how = {"engine": engine, "scope": "corpus", "metrics": NAMES, "twinless": twinless}
    found = scoref.score("key.tsv", "response.tsv", **how)
    for name in EXPECTED:
        assert tuple(found[name]) == pytest.approx(tuple(expected[name]), abs=1e-12), name


def test_it_is_listed_and_part_of_all(run: Run):
    assert "detection × association" in run("list", "metrics")[1]
    scores = json.loads(run("score", "key.json", "response.json", "--metrics", "all", "--json")[1])["scores"]
    assert {"toy-halves", "toy-jaccard"} <= {*scores}


# -- what a metric still lacks ---------------------------------------------------------------------------------------


def lacking(metrics: dict[str, Metric]) -> list[str]:
    """What is missing for metrics, in words."""
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if not path.name.startswith("test_adding_")]
    recorded = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    literal = {*slow.PLAIN, *slow.VARIANTS, *slow.BORDERS, *slow.WHOLE, *slow.OVERLAPPING}
    found = []
    for name, metric in metrics.items():
        word = rf"(?<![\w-]){re.escape(re.sub('[A-Z]+$', '', name))}"
        if not isinstance(metric.how, Related | Mean) and name not in literal:
            found.append(f"{name}: a slow literal version in tests/slow.py")
        if not re.search(word, pages):
            found.append(f"{name}: a word in docs/*.md")
        if not re.search(word, recorded):
            found.append(f"{name}: a test with a number from a paper or from another scorer")
        if isinstance(metric.how, PerEntity) and not metric.how.cell.__doc__:
            found.append(f"{name}: a docstring with the formula")
    return found


def test_what_every_metric_has():
    assert lacking({name: metric for name, metric in METRICS.items() if not name.startswith("toy-")}) == []


def test_what_the_toy_lacks_is_said_in_words():
    assert lacking({"toy-product": METRICS["toy-product"]}) == [
        "toy-product: a slow literal version in tests/slow.py",
        "toy-product: a word in docs/*.md",
        "toy-product: a test with a number from a paper or from another scorer",
    ]


def test_parts_that_are_not_recall_and_precision_are_named():
    named = {name: metric.how.parts for name, metric in METRICS.items() if isinstance(metric.how, Whole)}
    assert {name for name, parts in named.items() if parts == ("recall", "precision")} == {
        "entities-macro",
        "entities-micro",
    }
    assert named["v-measure"] == ("completeness", "homogeneity")
    assert named["toy-product"] == ("detection", "association")
