"""Tables against scoref's own metrics on the same documents, by all engines, in any order of rows."""

from __future__ import annotations

import csv
import re
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoref
import slow
from places import SHARED, beside
from scoref.counting.metrics import Links, Mean
from scoref.counting.rules import SINGLETONS, TWINLESS
from scoref.relations.registry import METRICS, on_table
from scoref.tables import shapes
from scoref.tables.engines.sql import SqlEngine
from scoref.tables.shapes import DIRECTIONS, CellShapes, CellWeights, EntityShapes, Shapes
from strategies import Partition, corpora

KNOWN = [name for name in METRICS if on_table(name) and not isinstance(METRICS[name].how, Mean)]
PLAIN = [name for name in KNOWN if METRICS[name].rules.twinless in (None, "as-is")]
# Where several pairings of major entities are equally good, only the mean of their f1 is sure.
SURE = {"entities-macro": [2, 3], "entities-micro": [3]}
WORDS = list(TWINLESS)

VARIANTS_OF_CEAF = ("ceafm-rn", "ceafm-sys", "ceafe-rn", "ceafe-sys")

ONES = np.ones(4)

Corpus = list[tuple[Partition, Partition]]


def installed(module: str) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed: pip install 'scoref[tables]'")


def documents(corpus: Corpus) -> tuple[list[scoref.Document], list[scoref.Document]]:
    """The corpus as documents with named entities; those without a key are none of a table's."""
    there = [(str(number), pair) for number, pair in enumerate(corpus) if pair[0]]
    sides = [
        [scoref.clusters({f"e{i}": entity for i, entity in enumerate(pair[side])}, name) for name, pair in there]
        for side in range(2)
    ]
    return sides[0], sides[1]


def rows(side: list[scoref.Document], random: Random) -> dict[str, list[str]]:
    found = [(each.id, str(mention.id), str(mention.entity)) for each in side for mention in each.mentions]
    random.shuffle(found)
    columns = list(zip(*found, strict=True)) or [(), (), ()]
    return dict(zip(("document", "mention", "entity"), map(list, columns), strict=True))


def written(columns: dict[str, list[str]], path) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return str(path)


def same_counts(ours: scoref.Evaluation, theirs: scoref.Evaluation) -> None:
    assert ours.counts.keys() == theirs.counts.keys()
    place = [theirs.documents.index(name) for name in ours.documents]
    for name in ours.counts:
        columns = SURE.get(name, [0, 1, 2, 3])
        found, expected = theirs.counts[name][place][:, columns], ours.counts[name][:, columns]
        np.testing.assert_allclose(found, expected, 1e-12, 1e-12, err_msg=name)


@settings(max_examples=25)
@given(corpora, st.randoms(use_true_random=True), st.sampled_from(WORDS), st.sampled_from(sorted(SINGLETONS)))
def test_by_document_as_documents(engine, tmp_path_factory, corpus, random, twinless, singletons):
    sides = documents(corpus)
    if not sides[0]:
        return
    how = {"metrics": KNOWN, "twinless": twinless, "singletons": singletons, "frequent": 2}
    if singletons not in ("keep", "drop"):
        how |= {"metrics": PLAIN, "twinless": "as-is"}
    folder = tmp_path_factory.mktemp("tables")
    tables = [written(rows(side, random), folder / f"{n}.csv") for n, side in enumerate(sides)]
    expected = scoref.score(*sides, **how)
    found = scoref.score(*tables, engine=engine, **how)
    assert sorted(found.documents) == sorted(expected.documents)  # those of which only singletons were left out, too
    same_counts(expected, found)


@settings(max_examples=8)
@given(corpora, st.randoms(use_true_random=True))
def test_corpus_scope_and_units(engine, corpus, random):
    """Over the whole corpus as documents are; and shares of units add up to the same, from every engine alike."""
    sides = documents(corpus)
    if not sides[0]:
        return
    how = {"metrics": [name for name in KNOWN if name not in VARIANTS_OF_CEAF], "scope": "corpus", "frequent": 2}
    expected = scoref.score(*sides, **how)
    tables = [rows(side, random) for side in sides]
    for each in tables:
        each["half"] = [name[-1] for name in each["mention"]]
    found = scoref.score(*map(frame, tables), engine=engine, **how)
    same_counts(expected, scoref.Evaluation(found.protocol, ("corpus",), found.counts))
    how["metrics"] = [name for name in how["metrics"] if not isinstance(METRICS[name].how, Links)]
    for field in ("parts", "half"):
        parts = [scoref.score(*map(frame, tables), engine=each, columns={field: field}, **how)
                 for each in dict.fromkeys((engine, "numpy"))]  # fmt: skip
        assert field in parts[0].source.saved_fields
        for name in how["metrics"]:
            sure = SURE.get(name, [0, 1, 2, 3])
            whole = parts[0].counts[name].sum(0)[sure], expected.counts[name][0][sure]
            np.testing.assert_allclose(*whole, 1e-12, 1e-12, err_msg=name)
            if name not in SURE:
                np.testing.assert_allclose(parts[0].counts[name], parts[-1].counts[name], 1e-12, 1e-12, err_msg=name)


@pytest.mark.parametrize("engine", ["numpy", "duckdb"])
@pytest.mark.parametrize("twinless", sorted(slow.TWINLESS))
def test_mentions_without_a_twin_as_slowly(engine: str, twinless: str):
    """On tables recall and precision have a treatment each; that of 2011 is one for both."""
    if engine == "duckdb":
        installed("duckdb")
    pair = [[0, 1, 2], [3, 4], [5], [6]], [[0, 1, 7], [3, 8], [4], [9], [6, 10]]
    sides = [{f"m{each}": f"e{n}" for n, entity in enumerate(side) for each in entity} for side in pair]
    result = scoref.score(*sides, engine=engine, twinless=twinless, metrics=["muc", "b3", "ceafe", "lea"])
    for name in ("muc", "b3", "ceafe", "lea"):
        expected = [float(value) for value in slow.counts(name, [pair], twinless)]
        assert result.counts[name].sum(axis=0) == pytest.approx(expected, abs=1e-12), name


@pytest.mark.parametrize("twinless", WORDS)
def test_links_within_documents_and_across_them(engine: str, twinless: str) -> None:
    """Entities that span documents, with mentions that one side lacks, as documents have them."""
    key = {"d": {"a": [1, 2], "b": [3, 4]}, "e": {"a": [5, 6], "b": [7], "c": [8, 9]}}
    response = {"d": {"x": [1, 2, 3], "y": [10]}, "e": {"x": [5], "y": [6, 7], "z": [8, 11]}}
    sides = [[scoref.clusters(entities, name) for name, entities in side.items()] for side in (key, response)]
    names = [name for name in KNOWN if isinstance(METRICS[name].how, Links)]
    how = {"metrics": names, "scope": "corpus", "twinless": twinless}
    expected = scoref.score(*sides, **how)
    found = scoref.score(*(frame(rows(side, Random(1))) for side in sides), engine=engine, **how)
    assert names
    for name in names:
        assert found.counts[name].ravel().tolist() == pytest.approx(expected.counts[name].ravel().tolist()), name


@settings(max_examples=10)
@given(corpora, st.randoms(use_true_random=True), st.sampled_from(["stanza", "scorch", "e2e", "asp", "barhom"]))
def test_presets_of_other_tools(engine, corpus, random, protocol):
    sides = documents(corpus)
    assume(sides[0])
    expected = scoref.score(*sides, protocol=protocol)
    found = scoref.score(*(frame(rows(side, random)) for side in sides), engine=engine, protocol=protocol)
    assert found.keys() == expected.keys()
    for name, values in expected.scores.items():
        np.testing.assert_allclose(found[name], values, 1e-12, 1e-12, err_msg=name)


def test_major_entities():
    """The example of the page of these metrics, by hand there."""
    key = dict.fromkeys("abcd", "A") | dict.fromkeys("ef", "B") | {"g": "C"}
    response = dict.fromkeys("abcxyz", "X") | dict.fromkeys("ef", "Y") | dict.fromkeys("gh", "Z")
    result = scoref.score(key, response, metrics=["entities-macro", "entities-micro"], frequent=2)
    assert result["entities-macro"] == (0.875, 0.75, 0.8)
    assert result["entities-micro"].recall == pytest.approx(5 / 6)


def test_refused_on_tables():
    key = {"a": 1, "b": 2}
    for how, said in (
        ({"singletons": "e2e", "twinless": "all"}, "cannot leave out singletons"),
        ({"match": "partial"}, "match:partial"),
        ({"metrics": ["mor"]}, "mor cannot be computed from tables"),
    ):
        with pytest.raises(scoref.Error, match=said) as raised:
            scoref.score(key, key, **how)
        assert raised.value.code == "not-on-tables"


def frame(columns: dict[str, list[str]]):
    installed("pyarrow")
    import pyarrow

    return pyarrow.table({name: pyarrow.array(values, pyarrow.string()) for name, values in columns.items()})


def random_corpus(random: Random, number: int) -> Corpus:
    corpus: Corpus = []
    while len(corpus) < number:
        mentions, entities = random.randint(1, 14), random.randint(1, 8)
        pair = []
        for absent in (0.1, 0.3):
            found: dict[int, list[int]] = {}
            for mention in range(mentions):
                if random.random() >= absent:
                    found.setdefault(random.randrange(entities), []).append(mention)
            pair.append(list(found.values()))
        if pair[0] and pair[1]:
            corpus.append((pair[0], pair[1]))
    return corpus


def test_spark(spark):
    """Forty random tables at once, one a document: by document, and as parts of one corpus."""
    random = Random(4)
    sides = documents(random_corpus(random, 40))
    tables = [rows(side, random) for side in sides]
    frames = [spark.createDataFrame(list(zip(*each.values(), strict=True)), list(each)) for each in tables]
    names = [name for name in KNOWN if name not in (*VARIANTS_OF_CEAF, "ceafm")]
    found = scoref.score(*frames, metrics=names)
    assert found.source.notes[-1] == "engine spark"
    same_counts(scoref.score(*sides, metrics=names), found)
    metrics = ["b3", "nonlinks", "ceafe", "ceafe-sys"]
    how = {"metrics": metrics, "scope": "corpus", "columns": "parts"}
    parts, others = scoref.score(*frames, **how), scoref.score(*map(frame, tables), engine="numpy", **how)
    for name in parts.counts:
        np.testing.assert_allclose(parts.counts[name], others.counts[name], 1e-12, 1e-12, err_msg=name)


def test_spark_says_what_names_differ_in(spark):
    sides = [[(form.format(number), number // 3) for number in range(30)] for form in ("{:04d}", "{}")]
    frames = [spark.createDataFrame(side, ["mention", "entity"]) for side in sides]
    with pytest.raises(scoref.Error, match="30 of 30 mentions that were looked at differ in leading zeros"):
        scoref.score(*frames)


# -- large components ------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.booleans())
def test_the_bound_holds_the_optimum(random, whole):
    rows_, columns = random.randint(1, 12), random.randint(1, 12)
    cells = sorted({(random.randrange(rows_), random.randrange(columns)) for _ in range(random.randint(1, 60))})
    row, column = np.array(cells).T
    weight = np.array([random.randint(1, 6) if whole else random.random() + 1e-3 for _ in cells])
    best, _ = shapes.solved(row, column, weight)
    chosen, gap = shapes.auction(row, column, weight)
    assert len(set(row[chosen])) == len(set(column[chosen])) == len(chosen)
    optimum, total = weight[best].sum(), weight[chosen].sum()
    assert total - 1e-9 <= optimum <= total + gap + 1e-9
    assert gap <= len({*row}) * 1e-4 * weight.max() + 1e-9  # a step for each row, as Bertsekas proves


def test_a_bound_is_said_in_the_signature(monkeypatch):
    random = np.random.default_rng(1)
    sides = random.integers(0, 40, 400), random.integers(0, 40, 400)
    exact = scoref.score(*sides, metrics=["ceafe", "b3"])
    monkeypatch.setattr(shapes, "LARGE", 5)
    monkeypatch.setattr(shapes.solved, "__defaults__", (5,))
    bounded = scoref.score(*sides, metrics=["ceafe", "b3"])
    assert "bounded" not in exact.signature
    assert "|bounded:ceafe|scoref:" in bounded.signature
    assert scoref.Protocol.parse(bounded.signature) == exact.protocol
    assert bounded["ceafe"].f1 <= exact["ceafe"].f1 <= bounded["ceafe"].f1 + 1e-3
    assert [problem.code for problem in bounded.problems] == ["bounded-metric"]
    cells = len({*zip(*(side.tolist() for side in sides), strict=True)})
    (problem,) = bounded.problems
    said = (
        r"a bound: the best alignment may give up to (0\.0\d{3}) points more; a component of (\d+) cells is too large"
    )
    points, number = re.match(said, problem.message).groups()
    assert 100 * (exact["ceafe"].recall - bounded["ceafe"].recall) <= float(points) + 5e-5
    assert (int(number), float(points) > 0, problem.text, problem.fatal) == (cells, True, "ceafe", False)


# -- what other tools give -------------------------------------------------------------------------------------------

ER = SHARED / "data" / "er-tables"


@beside
def test_inventors(engine):
    """B³ as published for this table, and what er-evaluation gives for it, which weighs key entities equally."""
    truth, response = ER / "ens-inventors.truth.tsv", ER / "ens-inventors.pred-initial.tsv"
    result = scoref.score(truth, response, metrics=["b3", "b3-classes", "mentions"], engine=engine)
    assert [round(100 * value, 2) for value in result["b3"][:2]] == [98.43, 98.81]
    assert round(100 * result["b3-classes"].recall, 2) == 98.78
    assert result.counts["mentions"].tolist() == [[10595] * 4]
    precision = 0.0
    key, other = (dict(line.split("	") for line in path.read_text().splitlines()[1:]) for path in (truth, response))
    sizes: dict[str, int] = {}
    members: dict[str, list[str]] = {}
    for mention, entity in key.items():
        members.setdefault(entity, []).append(mention)
    for entity in other.values():
        sizes[entity] = sizes.get(entity, 0) + 1
    for mentions in members.values():
        shared: dict[str, int] = {}
        for mention in mentions:
            shared[other[mention]] = shared.get(other[mention], 0) + 1
        precision += sum(n * n / sizes[entity] for entity, n in shared.items()) / len(mentions)
    assert round(100 * precision / len(members), 2) == 98.12  # er-evaluation: a mean over key entities here, too


# -- mentions that are there twice -----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["document", "corpus"]))
def test_repeated_mentions_are_seen_from_the_join(random, documents, scope):
    """Without a look at a sample of the rows: what the join counts says the same as sorting the mentions."""
    installed("duckdb")
    sides = []
    for _ in range(2):
        found = [(random.randrange(2), random.randrange(9), random.randrange(3)) for _ in range(random.randint(1, 5))]
        names = ("document", "mention", "entity")
        columns = {name: [str(row[place]) for row in found] for place, name in enumerate(names)}
        sides.append(frame(columns if documents else {name: columns[name] for name in names[1:]}))
    how = {"metrics": ["b3", "muc"], "scope": scope, "on_problem": "skip"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqlEngine, "_suspected", lambda self: False)
        ours = scoref.score(*sides, engine="duckdb", **how)
    theirs = scoref.score(*sides, engine="numpy", **how)
    assert ours.problems == theirs.problems
    same_counts(theirs, ours)


@pytest.mark.parametrize("scale", [1, 1 << 32])
def test_cells_find_their_entities_however_large(scale):
    size, aligned = np.array([5.0, 3, 5, 5]) * scale, np.array([2.0, 3, 0, 2]) * scale
    sizes = EntityShapes(np.array([1, 0, 1, 0]), size, aligned, ONES)
    k, s = np.array([5.0, 5, 3]) * scale, np.array([2.0, 2, 3]) * scale
    cells = CellShapes(np.array([0, 1, 0]), s, k, k, s, s, ONES[:3])
    found = Shapes(cells, sizes, sizes, 2).table_cells(cells)
    assert found.row.tolist() == found.column.tolist() == [3, 0, 1]


def test_weights_in_sql_are_those_of_arrays_bit_by_bit() -> None:
    """For all that assignments ask for, on all numbers that a cell of up to four mentions can have."""
    installed("duckdb")
    import duckdb

    asked = {
        CellWeights(METRICS[name].on_table.similarity, **options)
        for name in ("ceafm", "ceafe")
        for options in (
            *(each for both in DIRECTIONS.values() for each in both),
            {"least_key": 2},
            {"least_response": 3},
        )
    }
    numbers = [(n, k, r, s, c) for k in range(1, 5) for r in range(1, 5) for s in range(1, k + 1)
               for c in range(1, r + 1) for n in range(1, min(s, c) + 1)]  # fmt: skip
    n, k, r, s, c = np.array(numbers, np.float64).T
    cells = CellShapes(np.zeros(len(n), np.int64), n, k, r, s, c, np.ones(len(n)))
    values = ", ".join(str((place, *row)) for place, row in enumerate(numbers))
    table = f"(VALUES {values}) AS cells (place, n, k_size, r_size, s, c)"
    for weights in asked:
        found = duckdb.sql(f"SELECT CAST({weights.sql()} AS DOUBLE) AS w FROM {table} ORDER BY place").fetchnumpy()["w"]
        assert found.tolist() == weights.cells(cells).tolist(), weights


def test_units_stay_apart_where_numbers_of_64_bits_would_run_over() -> None:
    """With sizes below 2³² a unit counts 2⁶⁴ in a plain number for unit, size and aligned mentions."""
    size, aligned = np.full(2, 2.0**32 - 1), np.ones(2)
    sizes = EntityShapes(np.array([0, 1]), size, aligned, ONES[:2])
    cells = CellShapes(np.array([1, 0]), aligned, size, size, aligned, aligned, ONES[:2])
    found = Shapes(cells, sizes, sizes, 2).table_cells(cells)
    assert found.row.tolist() == found.column.tolist() == [1, 0]
