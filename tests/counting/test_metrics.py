from __future__ import annotations

import tracemalloc
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import scoref
import slow
from scoref.counting.coreference import ON_TABLE
from scoref.counting.metrics import Score
from scoref.counting.rules import TWINLESS
from scoref.counting.special import is_defined
from scoref.matching import assign
from strategies import Partition, _sides, corpora, sides

some = settings(max_examples=200)
few = settings(max_examples=60)


def letters(text: str) -> list[list[str]]:
    """The entities of 'ab c': {a, b} and {c}."""
    return [list(entity) for entity in text.split()]


def evaluation(documents: list[tuple[Partition, Partition]], metrics: tuple[str, ...] = slow.METRICS, **choices: str):
    key, response = (
        [scoref.clusters(pair[side], str(number)) for number, pair in enumerate(documents)] for side in (0, 1)
    )
    return scoref.score(key, response, metrics=metrics, **choices)


def assert_as_slow(documents: list[tuple[Partition, Partition]], twinless: str = "as-is") -> None:
    result = evaluation(documents, twinless=twinless)
    for name in (*slow.PLAIN, *slow.VARIANTS):
        treated = "as-is" if name == "mentions" else twinless  # mention detection is about what is there
        expected = [float(value) for value in slow.counts(name, documents, treated)]
        assert result.counts[name].sum(axis=0) == pytest.approx(expected, abs=1e-9), name
    for name in slow.METRICS:
        treated = "as-is" if name == "mentions" else twinless
        expected = [float(value) for value in slow.score(name, documents, treated)]
        assert tuple(result[name]) == pytest.approx(expected, abs=1e-9), name


# -- fast = slow -----------------------------------------------------------------------------------------------------


def test_every_metric_has_a_slow_version():
    """Of its own: it gives what the metric gives, and on some of these what no other does."""
    examples = [_sides(mentions, Random(mentions)) for mentions in range(4, 12)]
    of_all: dict[tuple[object, ...], list[str]] = {}
    for name in ON_TABLE:
        for key, response in examples:
            found = scoref.score(key, response, metrics=[name], frequent=2)[name]
            expected = slow.possible(name, slow.entities(key), slow.entities(response), 2)
            assert any(tuple(found) == pytest.approx(each, abs=1e-9) for each in expected), name
        values = [slow.possible(name, *map(slow.entities, each), 2) for each in examples]
        of_all.setdefault(tuple(map(tuple, values)), []).append(name)
    alike = [["b3", "b3-extended"], ["pairwise", "links-within"]]  # the first two where no mention is in two entities
    assert [names for names in of_all.values() if len(names) > 1] == alike


def test_variants_say_whose_they_are_and_what_they_do_with_twinless_mentions():
    stoyanov, rahman, cai = "Stoyanov et al. 2009", "Rahman & Ng 2009", "Cai & Strube 2010"
    whose = {"b3-0": stoyanov, "b3-all": stoyanov, "b3-rn": rahman, "b3-sys": cai, "ceafm-rn": rahman,
             "ceafm-sys": cai, "ceafe-rn": rahman, "ceafe-sys": cai}  # fmt: skip
    assert {name: ON_TABLE[name].citation for name in slow.VARIANTS} == whose
    for name in slow.VARIANTS:
        base, _, kind = name.partition("-")
        treated = "rn-all" if name == "b3-rn" else kind
        assert ON_TABLE[name].title == f"{ON_TABLE[base].title}, twinless mentions: {treated}"
        assert (ON_TABLE[name].rules.twinless, ON_TABLE[name].what) == (treated, "mentions")


def test_overlapping_entities_have_the_metrics_of_the_authors_evaluators_and_those_of_the_table():
    """Zhou & Choi 2018: B³, CEAFe and BLANC; CEAF needs only the table; extended B³ is made for them."""
    defined = {"b3", "b3-extended", "ceafm", "ceafe", "pairwise", "nonlinks"}
    assert {name for name, each in ON_TABLE.items() if is_defined(each)} == defined


def test_every_treatment_of_twinless_mentions_has_a_slow_version():
    assert set(slow.TWINLESS) == set(TWINLESS)  # each is scored both ways below
    pair = slow.entities([[0, 1, 2], [3, 4], [5], [6]]), slow.entities([[0, 1, 7], [3, 8], [4], [9], [6, 10]])
    assert len({repr(treat(*pair)) for treat in slow.TWINLESS.values()}) == len(TWINLESS)


@pytest.mark.parametrize("seed", range(2 * len(TWINLESS)))
def test_fast_equals_slow_on_fixed_documents(seed):
    """Few, and quick: what follows looks at many more."""
    random = Random(seed)
    documents = [_sides(random.randrange(1, 12), random) for _ in range(1 + seed % 3)]
    assert_as_slow(documents, sorted(TWINLESS)[seed % len(TWINLESS)])


@some
@given(sides)
def test_fast_equals_slow_on_one_document(pair):
    assert_as_slow([pair])


@few
@given(corpora)
def test_fast_equals_slow_on_several_documents(documents):
    assert_as_slow(documents)


@few
@given(corpora, st.sampled_from(sorted(TWINLESS)))
def test_fast_equals_slow_for_every_treatment_of_twinless_mentions(documents, twinless):
    assert_as_slow(documents, twinless)


@few
@given(sides)
def test_a_variant_is_its_metric_with_that_treatment_of_twinless_mentions(pair):
    for name in slow.VARIANTS:
        plain, twinless = name.split("-")[0], ON_TABLE[name].rules.twinless
        expected = scoref.score(*pair, metrics=[plain], twinless=twinless)[plain]
        assert scoref.score(*pair, metrics=[name])[name] == expected
        assert scoref.score(*pair, metrics=[name], twinless="all")[name] == expected


# -- numbers that papers print ---------------------------------------------------------------------------------------

# Bagga & Baldwin 1998, figures 3 to 6 and text: one response merges a small entity with a large one, the other two
# large ones. Recall is 1; the paper prints precisions of 76 and 58 per cent, with class weights 79.6 and 75.
BAGGA_BALDWIN = [
    ("12345 67 89ABC", "12345 6789ABC", {"muc": 9 / 10, "b3": 16 / 21, "b3-classes": 39 / 49}),
    ("12345 67 89ABC", "1234589ABC 67", {"muc": 9 / 10, "b3": 7 / 12, "b3-classes": 3 / 4}),
]


@pytest.mark.parametrize(("key", "response", "precisions"), BAGGA_BALDWIN)
def test_bagga_and_baldwin_1998(key, response, precisions):
    result = scoref.score(letters(key), letters(response), metrics=list(precisions))
    assert {name: score.precision for name, score in result.scores.items()} == pytest.approx(precisions)
    assert all(score.recall == 1 for score in result.scores.values())


# Cai & Strube 2010, tables 1 to 6 and 12 to 15 and the examples in section 2.2 and 2.3: precision, recall and F1 as
# printed. The paper computes F1 from the rounded values. Table 12, response 3 has the F1 0.758 that follows from its
# precision and recall, not the misprinted 0.784.
CAI_STRUBE = """
abc; abd;         b3-0 1 .444 .615; b3-all .556 .556 .556; b3-rn .556 .556 .556; b3-sys .667 .556 .606
abc; abd;         ceafm-sys .5 .667 .572; ceafm .667 .667 .667
abc; abde;        b3-0 1 .444 .615; b3-all .375 .556 .448; b3-rn .375 .556 .448; b3-sys .5 .556 .527
abc; abde;        ceafm-sys .4 .667 .5
abc; abd c;       b3-all .667 .556 .606; b3-rn .667 .556 .606; b3-sys .667 .556 .606; ceafm-sys .5 .667 .572
abc; abd ij;      b3-sys .611 .556 .582
ab;  abd;         b3-all .556 1 .715; b3-rn .556 1 .715; b3-sys .556 1 .715; ceafm-sys .667 1 .8
ab;  abd i j k;   b3-all .778 1 .875; b3-rn .556 1 .715; b3-sys .556 1 .715; ceafm-sys .667 1 .8
abc; ab c i j;    ceafm .4 .667 .5; b3-sys 1 .556 .715; ceafm-sys .667 .667 .667; ceafe-sys .4 .8 .533
abc; ab ij c;     ceafm .4 .667 .5; b3-sys .8 .556 .656; ceafm-sys .6 .667 .632; ceafe-sys .489 .8 .607
abc; ab ij kl c;  ceafm-rn .286 .667 .4; b3-sys .714 .556 .625; ceafm-sys .571 .667 .615
abc; ab ijkl c;   ceafm-rn .286 .667 .4; b3-sys .571 .556 .563; ceafm-sys .429 .667 .522
abcde; ab ij;     b3-sys .857 .28 .422
abcde; abc ij;    b3-sys .857 .44 .581
abcde; abcd ij;   b3-sys .857 .68 .758
abcde; abcde ij;  b3-sys .857 1 .923
abcde; abc ijk;   b3-sys .75 .44 .555
abcde; abc ijkl;  b3-sys .667 .44 .53
abcde; abc ijklm; b3-sys .6 .44 .508
abcde; abij;      b3-sys .643 .28 .39
abcde; abcij;     b3-sys .6 .44 .508
abcde; abcdij;    b3-sys .571 .68 .621
abcde; abcdeij;   b3-sys .551 1 .711
abcde; abcijk;    b3-sys .5 .44 .468
abcde; abcijkl;   b3-sys .429 .44 .434
abcde; abcijklm;  b3-sys .375 .44 .405
"""


@pytest.mark.parametrize("line", CAI_STRUBE.strip().splitlines())
def test_cai_and_strube_2010(line):
    key, response, *rows = line.split(";")
    assert rows
    for name, *printed in (row.split() for row in rows):
        precision, recall, f1 = (float(number) for number in printed)
        score = scoref.score(letters(key), letters(response), metrics=[name])[name]
        assert score.precision == pytest.approx(precision, abs=0.00051)
        assert score.recall == pytest.approx(recall, abs=0.00051)
        assert score.f1 == pytest.approx(f1, abs=0.00101)


# Pradhan et al. 2014, the example of all sections: recall numerator and denominator, those of precision.
PRADHAN = {
    "muc": (2, 5, 2, 5),
    "b3": (35 / 12, 7, 4, 8),
    "ceafm": (4, 7, 4, 8),
    "ceafe": (1.3, 2, 1.3, 3),
    "pairwise": (2, 9, 2, 8),
    "nonlinks": (8, 12, 8, 20),
}


def test_pradhan_et_al_2014():
    result = scoref.score(letters("abc defg"), letters("ab cd fghi"), metrics=[*PRADHAN, "blanc"])
    for name, expected in PRADHAN.items():
        assert result.counts[name][0] == pytest.approx(expected), name
    assert result["blanc"].f1 == pytest.approx(0.36765, abs=5e-6)


# -- numbers that other scorers gave (percent, cut off after two digits) ---------------------------------------------

RUNS = [
    # one document, the reference scorer 8.01
    (["a bc def"], ["a bcx defy z"], {"b3": (100, 50.92, 67.48), "ceafm": (100, 66.66, 80)}),
    (["a bc def"], ["a bcx defy z"], {"ceafe": (88.57, 66.42, 75.91), "blanc": (None, None, 59.71)}),
    # all singletons: no links for MUC, everything else is perfect
    (["a b c"], ["a b c"], {"muc": (0, 0, 0), "b3": (100,) * 3, "ceafe": (100,) * 3, "blanc": (100,) * 3}),
    # two documents are summed, not averaged
    (["ab cd", "abc de"], ["ab cd", "ab cde"], {"muc": (None, None, 80), "b3": (None, None, 85.18)}),
    (["ab cd", "abc de"], ["ab cd", "ab cde"], {"ceafm": (None, None, 88.88), "ceafe": (None, None, 90)}),
    (["ab cd", "abc de"], ["ab cd", "ab cde"], {"blanc": (None, None, 73.33)}),
    # a document without a response counts in recall
    (["ab cd", "abc de"], ["ab cd", ""], {"muc": (40, 100, None), "b3": (44.44, 100, None), "ceafe": (50, 100, None)}),
]


@pytest.mark.parametrize(("keys", "responses", "expected"), RUNS)
def test_the_reference_scorer(keys, responses, expected):
    documents = [(letters(key), letters(response)) for key, response in zip(keys, responses, strict=True)]
    result = evaluation(documents)
    assert expected
    for name, percents in expected.items():
        for got, percent in zip(result[name], percents, strict=True):
            assert percent is None or -1e-9 <= 100 * got - percent < 0.01 + 1e-9, name


def test_coval_without_singletons():
    result = evaluation([(letters("a bc def"), letters("a bcx defy z"))], singletons="drop")
    expected = {"mentions": (100, 71.43), "muc": (100, 60), "b3": (100, 51.19), "ceafe": (82.86, 82.86)}
    for name, percents in (expected | {"lea": (100, 42.86)}).items():
        assert [100 * value for value in result[name][:2]] == pytest.approx(percents, abs=0.0051), name


# -- 0/0 -------------------------------------------------------------------------------------------------------------

# BLANC where a link set is empty; the first four were run with the reference scorer 8.01.
BLANC = [
    ("ab c", "abc", (1 / 2, 1 / 6, 1 / 4)),  # the response has no non-coreference links: precision 0, still averaged
    ("ab c", "a b c", (1 / 2, 1 / 3, 2 / 5)),  # the response has no coreference links
    ("abc", "ab c", (1 / 3, 1, 1 / 2)),  # the key has no non-coreference links: those of the response count nowhere
    ("a", "a", (0, 0, 0)),  # the key has no links at all
    ("a", "ab", (0, 0, 0)),
    ("", "", (0, 0, 0)),
    ("a b c", "ab c", (2 / 3, 1, 4 / 5)),  # the key has no coreference links
    ("abc", "abc", (1, 1, 1)),
    ("abc", "", (0, 0, 0)),
    ("", "abc", (0, 0, 0)),
]


@pytest.mark.parametrize(("key", "response", "expected"), BLANC)
def test_blanc_with_empty_link_sets(key, response, expected):
    assert scoref.score(letters(key), letters(response), metrics=["blanc"])["blanc"] == pytest.approx(expected)


@few
@given(corpora)
def test_blanc_that_leaves_out_links_that_both_sides_lack(documents):
    expected = [float(value) for value in slow.score("blanc", documents, links="both")]
    assert evaluation(documents, ("blanc",), links="both")["blanc"] == pytest.approx(expected, abs=1e-9)


def test_blanc_decides_on_the_sums_of_all_documents():
    # alone, the first has no non-coreference links and the second no coreference links; together both count
    result = evaluation([(letters("ab"), letters("ab")), (letters("c d"), letters("cd"))], ("blanc",))
    assert result["blanc"] == pytest.approx(((1 + 0) / 2, (1 / 2 + 0) / 2, (2 / 3 + 0) / 2))


@pytest.mark.parametrize(("key", "response"), [("", ""), ("abc d", ""), ("", "abc d")])
def test_nothing_on_one_side_scores_0(key, response):
    names = [*slow.PLAIN, "blanc", "conll"]
    scores = scoref.score(letters(key), letters(response), metrics=names).scores
    assert scores == dict.fromkeys(names, (0, 0, 0))


def test_nothing_on_both_sides_scores_0_in_every_variant():
    assert scoref.score([], [], metrics=slow.METRICS).scores == dict.fromkeys(slow.METRICS, (0, 0, 0))


def test_a_ratio_with_denominator_0_is_0():
    assert Score.of(np.zeros(4)) == (0, 0, 0)
    assert Score.of(np.array([1.0, 1, 0, 0])) == (1, 0, 0)


def test_link_counts_beyond_float32_are_exact():
    mentions = list(range(6002))
    links = 6002 * 6001 // 2
    assert int(np.float32(links)) != links > 2**24
    together, apart = [mentions], [[mention] for mention in mentions]
    result = scoref.score(together, together, metrics=["pairwise", "nonlinks"])
    assert result.counts["pairwise"].tolist() == [[links] * 4]
    result = scoref.score(apart, apart, metrics=["pairwise", "nonlinks"])
    assert result.counts["nonlinks"].tolist() == [[links] * 4]
    assert all(counts.dtype == np.float64 for counts in result.counts.values())


# -- the assignment --------------------------------------------------------------------------------------------------


def assert_optimal(weights: np.ndarray, cells: np.ndarray, small: int, filled: int) -> None:
    """`cells` says which cells of the matrix are given to `assign`; the others weigh nothing."""
    row, column = np.nonzero(cells)
    with mock.patch.multiple(assign, _SMALL=small, _FILLED=filled):
        chosen = assign.assign(row, column, weights[row, column])
    assert len(set(row[chosen])) == len(set(column[chosen])) == len(chosen)
    full = np.where(cells, weights, 0.0)
    assert weights[row[chosen], column[chosen]].sum() == pytest.approx(full[linear_sum_assignment(-full)].sum())


solvers = pytest.mark.parametrize(
    ("small", "filled"), [(10**9, 0), (0, 10**9), (0, 0)], ids=["dense", "dense, lopsided ones cut", "sparse"]
)


@solvers
@some
@given(st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=True))
def test_the_assignment_is_optimal(small, filled, rows, columns, random):
    numbers = np.random.default_rng(random.getrandbits(32))
    weights = numbers.integers(0, random.choice([2, 4, 1000]), (rows, columns)) / 7  # few different ones: many ties
    assert_optimal(weights, numbers.random((rows, columns)) < random.choice([0.1, 0.3, 0.6, 1]), small, filled)


@solvers
@pytest.mark.parametrize("weights", [3, 10**6])
def test_the_assignment_is_optimal_on_large_components(small, filled, weights):
    random = np.random.default_rng(weights)
    assert_optimal(
        random.integers(1, weights, (300, 400)).astype(float), random.random((300, 400)) < 0.03, small, filled
    )


@solvers
def test_the_assignment_solver_sees_rings(small, filled):
    # no cell of a ring of equal weights, widened by a lighter one, decides itself
    size = 5
    weights, cells = np.zeros((size, size)), np.zeros((size, size), bool)
    for line in range(size):
        for step, weight in ((0, 3.0), (1, 3.0), (2, 2.0)):
            weights[line, (line + step) % size], cells[line, (line + step) % size] = weight, True
    with mock.patch.object(assign, "_solve", wraps=assign._solve) as solve:
        assert_optimal(weights, cells, small, filled)
    assert solve.called


@pytest.mark.parametrize("weights", [1, 3, 10**6], ids=["equal", "few", "many"])
@pytest.mark.parametrize("shape", [(2, 20_000), (20_000, 2), (30, 2_000), (1_600, 1_600)], ids=str)
def test_an_assignment_takes_memory_in_proportion_to_its_cells(shape, weights):
    # a square of 20,000 × 20,000 takes 3 GB
    row, column = (line.ravel() for line in np.indices(shape))
    weight = np.random.default_rng(weights).integers(1, weights, len(row), endpoint=True).astype(float)
    tracemalloc.start()
    try:
        chosen = assign.assign(row, column, weight)
        assert tracemalloc.get_traced_memory()[1] < 250 * len(row) + 20_000_000
    finally:
        tracemalloc.stop()
    full = weight.reshape(shape)
    assert weight[chosen].sum() == full[linear_sum_assignment(-full)].sum()


def test_no_cells_no_assignment():
    nothing = np.array([], np.int64)
    assert not len(assign.assign(nothing, nothing, nothing.astype(float)))
    assert not len(assign.assign(np.array([0]), np.array([0]), np.array([0.0])))


@few
@given(sides)
def test_singletons_as_barhom_has_them(pair):
    """B³ of Barhom et al.: no mention is found in a singleton of the other side; singletons count all the same."""
    key, response = map(slow.entities, pair)

    def found(ours, theirs):
        large = [entity for entity in theirs if len(entity) > 1]
        return [slow.b3(ours, large)[0], slow.b3(ours, theirs)[1]]

    result = scoref.score(*pair, metrics=["b3"], singletons="barhom")
    expected = [float(value) for value in (*found(key, response), *found(response, key))]
    assert result.counts["b3"].sum(axis=0) == pytest.approx(expected, abs=1e-9)
