"""What stands beside scores: intervals of differences, figures, ranks, power, agreement; against literal versions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoref import Document, Error, RunsComparison, agreement, clusters, compare, score
from scoref.statistics.beside.power import never, units_needed
from scoref.statistics.figures import score_dots
from scoref.statistics.inference.ranks import friedman
from scoref.statistics.samples import sample_of
from scoref.statistics.significance import bca, bootstrap, jackknife, percentile


def corpus(documents: int = 9) -> tuple[list[Document], list[list[Document]]]:
    """A key and three responses, each wrong in other documents."""
    key = [clusters([["a", "b", "c"], ["d", "e"]], str(number)) for number in range(documents)]
    worse = [clusters([["a", "b"], ["c", "d", "e"]], each.id) for each in key]
    return key, [[worse[n] if n % 4 < wrong else key[n] for n in range(documents)] for wrong in (3, 2, 1)]


def test_intervals_of_differences_are_those_of_the_differences() -> None:
    """Of each resample and each unit left out, the second f1 minus the first one."""
    key, (one, two, _) = corpus(10)
    result = compare(key, {"A": one, "B": two}, metrics=["b3"], trials=200, seed=3)
    sample = sample_of([score(key, each, metrics=["b3"]) for each in (one, two)], "document")
    drawn, left, observed = (
        each[..., 1, 0, 2] - each[..., 0, 0, 2]
        for each in (bootstrap(sample, 200, 3), jackknife(sample), sample.values)
    )
    (test,) = result.tests
    assert test.ci == pytest.approx(bca(observed, drawn, left, sample.strata).tolist())
    assert test.ci != pytest.approx(percentile(drawn).tolist(), abs=1e-6)


def test_figures_are_in_percent() -> None:
    key, (one, two, three) = corpus()
    evaluation = score(key, one, metrics=["b3", "lea"])
    dots = [value for value, *_ in score_dots({"A": evaluation}).series["A"]]
    assert dots == pytest.approx([100 * each.f1 for each in evaluation.values()])
    result = compare(key, {"A": [one, two], "B": [three, key]}, metrics=["b3"], trials=50)
    assert isinstance(result, RunsComparison)
    figures: Any = result.figures()
    for name, ((value, low, high),) in figures["scores"].series.items():
        mean = result.means[name]["b3"]
        assert (value, low, high) == pytest.approx([100 * each for each in (mean.f1, *(mean.ci or ()))])
    (((value, low, high),),) = figures["differences"].series.values()
    test = result.tests[0]
    assert (value, low, high) == pytest.approx([100 * each for each in (test.difference, *(test.ci or ()))])


def test_the_critical_difference_is_that_of_demsar() -> None:
    """Demšar 2006, section 3.2.2: of four classifiers on 14 datasets it is 2.569 · √(4 · 5/(6 · 14)) = 1.25."""
    values = np.random.default_rng(1).uniform(size=(14, 4)).tolist()
    assert friedman(values).critical == pytest.approx(1.25, abs=0.005)


@pytest.mark.parametrize("runs", [0.0, 1e-5, 5e-5, 1e-4])
def test_no_number_of_documents_is_said_exactly_if_there_is_none(runs: float) -> None:
    for difference in (0.005, 0.01, 0.02, 0.05):
        estimate: Any = SimpleNamespace(varies=True, of_runs=runs)
        assert never(estimate, difference) == (units_needed(difference, 20, 1e-4, runs) is None)


def test_the_row_of_a_pair_of_annotators_has_its_own_measures() -> None:
    key, (one, two, _) = corpus()
    names = {"Ann": key, "Ben": one, "Cy": two}
    result = agreement(names, metrics=["muc", "b3"])
    for a, b, *cells in result.grids()[0].rows:
        assert cells == pytest.approx([score(names[str(a)], names[str(b)])[metric].f1 for metric in ("muc", "b3")])
    assert result.whole_grid().header[0] == "document"
    assert agreement(names, metrics=["muc"], by="genre").whole_grid().header[0] == "genre"


@pytest.mark.parametrize(("number", "said"), [(0, "0 annotators"), (1, "1 annotator")])
def test_one_annotator_cannot_agree(number: int, said: str) -> None:
    with pytest.raises(Error) as caught:
        agreement([[["a", "b"]]] * number)
    assert (caught.value.problem.message, caught.value.problem.expected) == (f"{said} cannot agree", "at least two")
