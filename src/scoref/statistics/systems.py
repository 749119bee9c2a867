"""Compares systems by the sums in their evaluations: differences, intervals, tests, letters.

Nothing is scored again to test a difference: see `samples.py` for what is resampled.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from ..document.clusters import shape_of
from ..document.document import Document
from ..formats import How, Hows
from ..pairing.names import file_names
from ..pairing.samples import Sampled, sampled, samples
from ..pairing.scope import HEADS
from ..problems import Error
from ..processes import Progress
from ..protocol.keywords import Keywords
from ..results.evaluation import Evaluation
from ..results.merging import adapted, refuse_different, refuse_other_documents, with_one_text
from ..results.saved import is_saved, load
from ..results.scores import SEED, UNIT, Interval, number_of
from ..run.request import Request, Side
from ..run.score import scored
from . import significance
from .beside.asked import beside, refuse_bad
from .beside.power import Estimated
from .comparison import Comparison, Difference
from .inference.corrections import CORRECTIONS
from .inference.spread import estimates, spread
from .run_comparison import RunsComparison
from .runs import run_name, tested
from .samples import Testing, checked_sample, f1_of, interval, interval_ends, intervals_of

PAIRS = ("first", "all")

_PER_TEST = 100  # trials for each pair of systems: the smallest corrected p is then 0.01

System = Side | Evaluation
Systems = Mapping[str, System] | Sequence[str | os.PathLike[str]]
_SYSTEMS = 'responses by the names of systems: {"A": "a.conll", "B": [["a", "b"]]}'


def named_systems(systems: Systems) -> dict[str, System]:
    """Systems by their names; paths in a list have the names of their files."""
    if isinstance(systems, Mapping):
        for name, system in systems.items():
            if system is None or isinstance(system, bool | int | float):
                raise Error("bad-systems", f"the system {name} is {shape_of(system)}, and no response",
                            expected=_SYSTEMS,
                            remedy='name a response that is a mapping itself: {"A": {"a": 1, "b": 1}}')  # fmt: skip
        return dict(systems)
    if isinstance(systems, list | tuple) and all(isinstance(each, str | os.PathLike) for each in systems):
        return dict(zip(file_names([*map(os.fspath, systems)]), systems, strict=True)) if systems else {}
    raise Error("bad-systems", f"the systems are {shape_of(systems)}, and have no names",
                expected=f"{_SYSTEMS}, or a list of paths")  # fmt: skip


def compare(
    key: Side | None,
    systems: Systems,
    *,
    pairs: str = "first",
    correction: str = "holm",
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    power: bool = False,
    difference: float | None = None,
    margin: float | None = None,
    across: str | None = None,
    **keywords: Unpack[Keywords],
) -> Comparison | RunsComparison:
    """Compare systems on one key: their scores, their differences to the first one (or all), and how sure these are.

    P-values are those of paired approximate randomisation, two-sided.

    >>> from scoref import clusters
    >>> key = [clusters([["a", "b"], ["c", "d"]], str(number)) for number in range(3)]
    >>> worse = [clusters([["a", "b"], ["c"]], document.id) for document in key]
    >>> test = compare(key, {"A": worse, "B": key}, metrics=["lea"]).tests[0]
    >>> test.difference, test.p
    (0.428..., 0.25)

    Args:
        key: the gold annotation, as in `score`; None if no system is a response.
        systems: the systems by their names, or a list of paths. A system is a response as in `score`, the path of a
            saved evaluation, or an `Evaluation`. A list of paths, of evaluations or of lists of documents are its runs;
            so are several answers to each document.
        pairs: which pairs are tested: each system with the `"first"`, or `"all"`.
        correction: how p-values are corrected for the number of pairs, metric by metric: `"none"`, `"holm"`, `"bh"`.
        trials: the number of resamples; without it 10,000, and at least 100 for each pair that is corrected for.
        seed: the seed of random numbers.
        unit: what is resampled as a whole: `"document"`, `"text"`, `"genre"`, `"dataset"` or a comment of documents.
        power: also how large a difference must be to be found, and how many documents that takes.
        difference: the difference for which documents are counted, in points of f1; without it, the one found.
        margin: also two one-sided tests: is a system worse, or better, by this many points or more?
        across: also on how many groups of documents a system is better: `"dataset"`, `"genre"` or another field.
        **keywords: those of `score`.

    Returns:
        The comparison: `systems` by name with their intervals, and a test for each pair and metric in `tests`. If a
        system has several runs, the means over runs.
    """
    asked, least = (None if each is None else each / 100 for each in (difference, margin))
    testing = Testing(trials, seed, unit, pairs, correction, power, asked, least, across)
    request = Request.of(key, None, keywords)
    runs = {name: runs_of(each, request.reading.response) for name, each in named_systems(systems).items()}
    if all(len(each) == 1 for each in runs.values()):
        return compared(request, {name: only for name, (only,) in runs.items()}, testing)
    return compared_runs(request, runs, testing)


def runs_of(system: System | Sequence[System], how: How) -> list[Any]:
    """The runs of a system: the paths, evaluations or lists of documents in a list; anything else is its only run.

    Of answers of a language model, several to each document are several runs.
    """
    if isinstance(system, list | tuple) and system and all(_is_run(each) for each in system):
        return [run for each in system for run in runs_of(each, how)]
    if isinstance(system, str | os.PathLike):
        return [*sampled(system, how)] or [system]
    if isinstance(system, list | tuple) and all(isinstance(each, Document) for each in system):
        return [*samples(system)] or [system]
    return [system]


def _is_run(value: object) -> bool:
    documents = isinstance(value, list | tuple) and value and all(isinstance(each, Document) for each in value)
    return bool(documents) or isinstance(value, str | os.PathLike | Evaluation)


def compared(request: Request, systems: Systems, testing: Testing) -> Comparison:
    """The comparison of systems, each scored by the request; the response in the request is ignored."""
    _refuse_unknown(testing)
    named = named_systems(systems)
    if len(named) < 2:
        raise Error("one-system", f"{number_of(len(named), 'system')} cannot be compared", expected="at least two",
                    remedy="name another response, or use scoref score")  # fmt: skip
    evaluations = _evaluations(request, named)
    first, *others = evaluations
    pairs = [*combinations(evaluations, 2)] if testing.pairs == "all" else [(first, other) for other in others]
    settings = {
        setting: _tested(
            {name: each.settings[setting] for name, each in evaluations.items()}, pairs, testing, request.progress
        )
        for setting in evaluations[first].settings
        if all(setting in each.settings for each in evaluations.values())
    }
    return replace(_tested(evaluations, pairs, testing, request.progress), settings=settings)


def compared_runs(request: Request, systems: Mapping[str, Sequence[System]], testing: Testing) -> RunsComparison:
    """The comparison of systems with several runs, each scored by the request; one system alone is described."""
    _refuse_unknown(testing)
    return tested(evaluations_of_runs(request, systems), testing, request.progress)


def evaluations_of_runs(request: Request, systems: Mapping[str, Sequence[System]]) -> dict[str, list[Evaluation]]:
    """The evaluations of each system's runs: of the same documents, with one protocol; no run is given twice."""
    named = {run_name(name, number): run for name, runs in systems.items() for number, run in enumerate(runs, 1)}
    seen: dict[Hashable, str] = {}
    for label, run in named.items():
        path = _identity(run)
        if path in seen:
            raise Error("repeated-run", f"{label.rstrip(',')}, is the same as {seen[path].rstrip(',')}",
                        path=os.fspath(run) if isinstance(run, str | os.PathLike) else None,
                        expected="an output of its own for each run", remedy="name each file once")  # fmt: skip
        seen[path] = label
    each = iter(_evaluations(request, named).values())
    return {name: [next(each) for _ in runs] for name, runs in systems.items()}


def _identity(run: System) -> Hashable:
    """What two runs that are one have in common."""
    if isinstance(run, Sampled):
        return os.path.realpath(run.path), run.number
    return os.path.realpath(run) if isinstance(run, str | os.PathLike) else id(run)


def _refuse_unknown(testing: Testing) -> None:
    known_words = ((testing.pairs, PAIRS, "pairs"), (testing.correction, (*CORRECTIONS,), "correction"))
    for value, known, what in known_words:
        if value not in known:
            raise Error("unknown-choice", f"no {what} '{value}'", expected=f"one of {', '.join(known)}")
    refuse_bad(testing)


def _evaluations(request: Request, named: Mapping[str, System]) -> dict[str, Evaluation]:
    """The evaluations of responses by their names: of the same documents, with one protocol."""
    made = {name: _made(system, request) for name, system in named.items()}
    evaluations = {name: made[name] or _scored(request, name, system) for name, system in named.items()}
    evaluations = with_one_text(_with_one_source_of_heads(evaluations, request, named))
    refuse_different(evaluations)
    refuse_other_documents(evaluations, check_keys=any(made.values()))
    return evaluations


def _with_one_source_of_heads(
    evaluations: Mapping[str, Evaluation], request: Request, systems: Mapping[str, System]
) -> dict[str, Evaluation]:
    """The evaluations; if heads come from different sources, some are scored again, so that all use the same one."""
    words = {evaluation.protocol.reading.heads for evaluation in evaluations.values()}
    if len(words) < 2:
        return dict(evaluations)
    common = max(words, key=HEADS.index)
    choices: Any = {**request.choices, "heads": common}
    again = request._replace(choices=choices)
    rescored = {
        name: _scored(again, name, systems[name])
        for name, each in evaluations.items()
        if each.protocol.reading.heads != common and each is not systems[name]
    }
    return {**evaluations, **rescored}


def _made(system: System, request: Request) -> Evaluation | None:
    """The evaluation, with the metrics and average asked for, if the system is one or the path of a saved one."""
    if isinstance(system, str | os.PathLike) and is_saved(system):
        system = load(system)
    if not isinstance(system, Evaluation):
        return None
    return adapted(system, request.metrics, request.choices.get("average"))


def _scored(request: Request, name: str, system: System) -> Evaluation:
    if isinstance(system, Sampled):
        key, response = request.reading
        request = request._replace(reading=Hows(key, response._replace(sample=system.number)))
        system = system.path
    if request.key.side is None:
        raise Error("no-key", f"{name} is a response, and there is no key to score it with",
                    path=os.fspath(system) if isinstance(system, str | os.PathLike) else None,
                    expected="a key, or saved evaluations only")  # fmt: skip
    return scored(request._replace(response=system))


def _tested(
    evaluations: Mapping[str, Evaluation], chosen: Sequence[tuple[str, str]], testing: Testing, progress: Progress
) -> Comparison:
    """The systems with intervals, and the tests of the pairs chosen."""
    names = list(evaluations)
    sample, resampling = checked_sample([*evaluations.values()], testing.unit, testing.trials, testing.seed)
    metrics = next(iter(evaluations.values())).protocol.metrics
    pairs = [(names.index(a), names.index(b)) for a, b in chosen]
    correction = CORRECTIONS[testing.correction]
    exchanges = resampling.trials
    if testing.trials is None and testing.correction != "none":
        exchanges = max(exchanges, _PER_TEST * len(pairs))
    drawn = significance.randomisations(f1_of(sample), pairs, exchanges, testing.seed, progress)
    p = np.stack([each.p for each in drawn])
    adjusted, least = correction(p), correction(np.array([each.least for each in drawn]))
    ends, apart = interval_ends(sample, resampling, pairs, progress)
    systems = {
        name: replace(each, intervals=intervals_of(metrics, ends[number : number + 1], resampling))
        for number, (name, each) in enumerate(evaluations.items())
    }
    tests, varies = [], len(sample.strata) > 1
    chance: Sequence[float | None]
    between: Sequence[Interval | None]
    for number, (a, b) in enumerate(chosen):
        for place, metric in enumerate(metrics):
            chance = [float(each[number, place]) if varies else None for each in (p, adjusted)]
            between = [interval(each[number, place]) for each in apart] or (None, None)
            difference = systems[b][metric].f1 - systems[a][metric].f1
            how = drawn[number].exact, drawn[number].trials
            tests.append(Difference(metric, a, b, difference, chance[0], chance[1], between[0], between[1], *how))
    tests.sort(key=lambda test: metrics.index(test.metric))
    asked = {}
    if testing.power or testing.difference or testing.margin or testing.across:
        found = spread(f1_of(sample), resampling.trials, testing.seed, progress)
        each = [estimates(found, [[a], [b]]) for a, b in pairs]
        of_pair = dict(zip(chosen, each, strict=True))
        estimated = [Estimated(*test[:3], of_pair[test.a, test.b][metrics.index(test.metric)]) for test in tests]
        single = {name: [evaluation] for name, evaluation in evaluations.items()}
        asked = beside(single, chosen, estimated, (testing, resampling), progress)
    least_p = float(least.min())
    return Comparison(systems, tuple(tests), resampling, testing.pairs, testing.correction, least_p, {}, asked)
