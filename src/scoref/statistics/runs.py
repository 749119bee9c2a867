"""Systems with several runs: what is compared are evaluations of the same key, several of each system.

A run is one output of a system: of a model trained with another seed, an answer that a language model gave when it was
asked again. Nothing is scored here; `inference/spread.py` has what is computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..problems import Error
from ..processes import Progress
from ..results.evaluation import Evaluation
from ..results.merging import refuse_different, refuse_other_documents
from .beside.asked import beside, refuse_bad
from .beside.power import Estimated
from .inference.corrections import CORRECTIONS
from .inference.spread import Estimate, Side, Spread, estimates, other_documents, other_runs, spread
from .run_comparison import RunsComparison
from .run_tests import OTHER, THESE, ExchangeTest, RunDifference, RunMean
from .samples import LEAST, Testing, checked_sample, f1_of
from .significance import Floats, Randomisation, Sample

Runs = Mapping[str, Sequence[Evaluation]]


def compare_runs(systems: Runs, testing: Testing | None = None, progress: Progress = None) -> RunsComparison:
    """Compare systems by evaluations of their runs; all must be of the same documents, key and protocol.

    >>> from scoref import clusters, score
    >>> key = [clusters([["a", "b", "c"], ["d", "e"]], str(number)) for number in range(8)]
    >>> worse = [clusters([["a", "b"], ["c"], ["d", "e"]], document.id) for document in key]
    >>> mixed = [[key[n] if n % 4 == k else worse[n] for n in range(8)] for k in range(3)]
    >>> runs = {"A": [score(key, worse, metrics=["muc"])], "B": [score(key, each, metrics=["muc"]) for each in mixed]}
    >>> test = compare_runs(runs).tests[0]
    >>> round(test.difference, 3), test.scope
    (0.057, 'these runs')
    """
    testing = testing or Testing()
    refuse_bad(testing)
    if not systems or not all(systems.values()):
        raise Error("no-run", "a system without a run", expected="at least one evaluation of each system")
    named = {run_name(name, number): run for name, runs in systems.items() for number, run in enumerate(runs, 1)}
    if len(named) > 1:
        refuse_different(named)
        refuse_other_documents(named, check_keys=True)
    return tested(systems, testing, progress)


def run_name(system: str, number: int) -> str:
    """How messages name a run."""
    return f"{system}, run {number},"


def tested(systems: Runs, testing: Testing, progress: Progress) -> RunsComparison:
    """The comparison of runs that fit together, and that of each setting that all of them were scored with."""
    every = [run for runs in systems.values() for run in runs]
    shared = [name for name in every[0].settings if all(name in run.settings for run in every)]
    settings = {
        name: _tested({each: [run.settings[name] for run in runs] for each, runs in systems.items()}, testing, progress)
        for name in shared
    }
    return replace(_tested(systems, testing, progress), settings=settings)


def _tested(systems: Runs, testing: Testing, progress: Progress) -> RunsComparison:
    names = [*systems]
    every = [run for runs in systems.values() for run in runs]
    sample, resampling = checked_sample(every, testing.unit, testing.trials, testing.seed)
    sample = f1_of(sample)
    found = spread(sample, resampling.trials, testing.seed, progress)
    found = found if resampling.units >= LEAST else found._replace(free=0)  # then there are no intervals
    starts = np.cumsum([0, *(len(runs) for runs in systems.values())]).tolist()
    sides = {name: range(first, end) for name, first, end in zip(names, starts[:-1], starts[1:], strict=True)}
    metrics = every[0].protocol.metrics
    means = {name: _means(systems[name], metrics, estimates(found, [sides[name]])) for name in names}
    chosen = [*combinations(names, 2)] if testing.pairs == "all" else [(names[0], other) for other in names[1:]]
    both = [estimates(found, [sides[a], sides[b]]) for a, b in chosen]
    estimated = [
        Estimated(metric, a, b, both[number][place])
        for place, metric in enumerate(metrics)
        for number, (a, b) in enumerate(chosen)
    ]
    adjusted = _adjusted([[each.p() for each in row] for row in both], testing.correction)
    tests = [
        test
        for number, (a, b) in enumerate(chosen)
        for test in _differences((a, b), metrics, both[number], adjusted[number],
                                 _exchanges(sample, found, (sides[a], sides[b]), testing, resampling.trials))
    ]  # fmt: skip
    tests.sort(key=lambda test: metrics.index(test.metric))
    asked = beside(systems, chosen, estimated, (testing, resampling), progress) if chosen else {}
    kept = {name: tuple(runs) for name, runs in systems.items()}
    return RunsComparison(kept, means, tuple(tests), resampling, testing.pairs, testing.correction, {}, asked)


def _means(runs: Sequence[Evaluation], metrics: Sequence[str], found: Sequence[Estimate]) -> dict[str, RunMean]:
    means = {}
    for metric, estimate in zip(metrics, found, strict=True):
        values = np.array([run[metric] for run in runs])
        f1 = values[:, 2]
        deviation = float(f1.std(ddof=1)) if len(runs) > 1 else None
        recall, precision, mean = values.mean(axis=0).tolist()
        ends = float(f1.min()), float(f1.max())
        means[metric] = RunMean(recall, precision, mean, deviation, *ends, estimate.interval())
    return means


def _exchanges(
    sample: Sample, found: Spread, sides: tuple[Side, Side], testing: Testing, trials: int
) -> tuple[Randomisation | None, Randomisation | None]:
    """The exchange tests of documents and of runs."""
    documents = other_documents(sample, *sides, trials, testing.seed) if len(sample.strata) > 1 else None
    return documents, other_runs(found.values, *sides, trials, testing.seed)


def _differences(
    pair: tuple[str, str],
    metrics: Sequence[str],
    found: Sequence[Estimate],
    adjusted: Sequence[float | None],
    exchanges: tuple[Randomisation | None, Randomisation | None],
) -> list[RunDifference]:
    tests = []
    for place, (metric, estimate) in enumerate(zip(metrics, found, strict=True)):
        runs_a, runs_b = (None if each is None else math.sqrt(each) for each in estimate.runs)
        documents, runs = (
            each and ExchangeTest(float(each.p[place]), each.exact, each.trials, each.least) for each in exchanges
        )
        scope, degrees = OTHER if estimate.known else THESE, estimate.degrees if estimate.varies else None
        tests.append(
            RunDifference(
                metric, *pair, estimate.value, estimate.p(), adjusted[place], estimate.interval(), scope,
                estimate.error, degrees, math.sqrt(estimate.documents), runs_a, runs_b, documents, runs,
            )
        )  # fmt: skip
    return tests


def _adjusted(p: Sequence[Sequence[float | None]], correction: str) -> list[list[float | None]]:
    """The p-values [pairs, metrics] adjusted for the number of pairs; missing ones count as 1, and stay missing."""
    known: Floats = np.array([[1.0 if each is None else each for each in row] for row in p])
    values = CORRECTIONS[correction](known).tolist()
    return [
        [None if each is None else value for each, value in zip(*rows, strict=True)]
        for rows in zip(p, values, strict=True)
    ]
