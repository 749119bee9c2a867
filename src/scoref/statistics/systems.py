"""Compare systems on the sums that their evaluations already have: differences, intervals, tests, letters.

Nothing is scored again. What is resampled depends on the average of the protocol:

| average | sums of a unit | value of a resample |
|---|---|---|
| micro | the counts of its documents | the scores of the sums |
| macro, means, weighted | the scores of its documents, and their number or weight | the means |
| datasets | the counts of its documents; units are drawn within their dataset | the means of the datasets' scores |
| datasets, unit dataset | the scores of the dataset | the means |
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from ..counting.table import Floats
from ..document.clusters import shape_of
from ..document.grouping import grouped
from ..pairing.names import file_names
from ..problems import Error
from ..processes import Progress
from ..protocol.choices import CHOICES
from ..protocol.keywords import Keywords
from ..protocol.protocol import Protocol
from ..results.averages import addends, finished
from ..results.evaluation import Evaluation
from ..results.intervals import SEED, TRIALS, UNIT, Interval, Intervals, Resampling
from ..results.saved import adapted, digests, is_saved, load, refuse_different, with_one_text
from ..run.scorer import Key, Side, score
from . import significance
from .comparison import Comparison, Difference
from .significance import CORRECTIONS, Sample

PAIRS = ("first", "all")
LEAST = 6  # units, below which there are no intervals, and no p below 0.05
FEW = 20  # units, below which there is a warning

_COVERAGE = {1: 0, 2: 48, 3: 70, 5: 80, 10: 90, 20: 95}  # % of 95 % intervals that held the true value, by units

_PER_TEST = 100  # exchanges for each pair of systems: the smallest p that can be reached is 0.01, corrected
_SHOWN = 5  # names in messages


# -- samples ---------------------------------------------------------------------------------------------------------


def sample_of(evaluations: Sequence[Evaluation], unit: str) -> Sample:
    """The sums of each evaluation and unit; units are in the order of their names, whatever that of the documents."""
    first = evaluations[0]
    protocol = first.protocol
    place = {name: number for number, name in enumerate(first.documents)}
    labels, datasets = first.labels(unit), first.datasets
    whole = protocol.average == "datasets" and unit == "dataset"
    strata = datasets if protocol.average == "datasets" and not whole else ("",) * len(labels)
    order = {key: number for number, key in enumerate(sorted(set(zip(strata, labels, strict=True))))}
    stratum = {name: number for number, name in enumerate(sorted(set(strata)))}
    units = np.array([order[key] for key in zip(strata, labels, strict=True)], np.int64)
    found = []
    for each in evaluations:
        rows = _rows(each, whole)
        names = list(grouped(each.datasets)) if whole else each.documents
        sums = np.zeros((len(order), rows.shape[1]))
        for row in sorted(range(len(names)), key=lambda number: names[number]):
            sums[order["", names[row]] if whole else units[place[names[row]]]] += rows[row]
        found.append(sums)
    return Sample(np.stack(found), np.array([stratum[name] for name, _ in order], np.int64),
                  partial(finished, _resampled(protocol, whole)))  # fmt: skip


def _resampled(protocol: Protocol, whole: bool) -> Protocol:
    """The protocol by which units are added up: where a unit is a whole dataset, the mean is one over units."""
    return protocol.change(average="macro") if whole else protocol


def _rows(evaluation: Evaluation, whole: bool) -> Floats:
    """What is added up: see `average`; with `whole`, for each dataset instead of each document."""
    counts = evaluation.counts
    if whole:
        groups = grouped(evaluation.datasets).values()
        counts = {name: np.stack([each[group].sum(axis=0) for group in groups]) for name, each in counts.items()}
    return addends(_resampled(evaluation.protocol, whole), counts)


def checked_sample(
    evaluations: Sequence[Evaluation], unit: str, trials: int | None, seed: int
) -> tuple[Sample, Resampling]:
    """What is resampled, and how; units are documents, or what the scope scores as one."""
    trials = TRIALS if trials is None else trials
    if trials < 1 or seed < 0:
        raise Error(
            "bad-trials", f"{trials} trials with the seed {seed}", expected="at least 1 trial, a seed from 0 on"
        )
    if not evaluations[0].documents:
        raise Error("no-document", "there are no documents to resample")
    scope = evaluations[0].protocol.scope
    if unit == UNIT and scope not in CHOICES["scope"].words:
        unit = scope  # what is scored as one is drawn as one
    sample = sample_of(evaluations, unit)
    return sample, Resampling(trials, seed, unit, len(sample.strata), _warnings(evaluations[0], unit, sample))


def _warnings(evaluation: Evaluation, unit: str, sample: Sample) -> tuple[str, ...]:
    """What makes intervals and tests unsafe."""
    found = []
    number, sizes = _varying(sample), np.bincount(sample.strata)
    held = f"95 % intervals held the true value in about {coverage(number)} % of cases"
    if number < 2:
        rather = "; draw parts of the entities: --unit parts" if evaluation.source.notes and unit == UNIT else ""
        found.append(f"no intervals and no p-values: with 1 unit ({unit}) nothing can vary{rather}")
    elif number < LEAST:
        found.append(f"no intervals, as there are only {number} units ({unit}): with so few, {held}")
    elif number < FEW:
        found.append(f"only {number} units ({unit}): with so few, {held}")
    if len(sizes) > 1 and sizes.min() < 2:
        found.append(f"some datasets are one unit ({unit}), which cannot vary: intervals are too short")
    if unit == "document" and len(set(evaluation.labels("text"))) < len(evaluation.documents):
        found.append("some documents are parts of one text and not independent: use the unit text")
    return tuple(found)


def _varying(sample: Sample) -> int:
    """The number of units that can be drawn instead of others."""
    sizes = np.bincount(sample.strata)
    return int(sizes[sizes > 1].sum()) or 1


def coverage(units: int) -> int:
    """How many of 100 intervals of so many units held the true value: as measured, between measurements in line.

    >>> coverage(10), coverage(12)
    (90, 91)
    """
    return int(np.interp(units, list(_COVERAGE), list(_COVERAGE.values())))


def _pair_of(values: Floats) -> Interval:
    return float(values[0]), float(values[1])


def _intervals(metrics: Sequence[str], ends: Floats, resampling: Resampling) -> Intervals:
    """The intervals of the first of systems [systems, metrics, 3, 2] by metric; none if there is no system."""
    found = {}
    for each in ends[:1]:
        for metric, (recall, precision, f1) in zip(metrics, each, strict=True):
            found[metric] = _pair_of(recall), _pair_of(precision), _pair_of(f1)
    return Intervals(resampling, found)


def with_intervals(
    evaluation: Evaluation,
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    progress: Progress | None = None,
) -> Evaluation:
    """The evaluation with a 95 % interval for every score, from a bootstrap (BCa) over documents or another unit.

    Below 6 units there are no intervals, only a warning that says why.

    >>> from scoref import clusters, score
    >>> key = [clusters([["a", "b"]], str(number)) for number in range(6)]
    >>> response = [clusters([["a", "b"]] if int(each.id) % 2 else [["a"], ["b"]], each.id) for each in key]
    >>> result = with_intervals(score(key, response, metrics=["muc"]))
    >>> result["muc"].recall, result.intervals.scores["muc"][0]
    (0.5, (0.166..., 0.833...))
    """
    sample, resampling = checked_sample([evaluation], unit, trials, seed)
    ends, _ = _ends(sample, resampling, [], progress)
    return replace(evaluation, intervals=_intervals(evaluation.protocol.metrics, ends, resampling))


# -- comparing -------------------------------------------------------------------------------------------------------

System = Side | Evaluation
_SYSTEMS = 'responses by the names of systems: {"A": "a.conll", "B": [["a", "b"]]}'


def named_systems(systems: Mapping[str, System] | Sequence[str | os.PathLike[str]]) -> dict[str, System]:
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
    systems: Mapping[str, System] | Sequence[str | os.PathLike[str]],
    *,
    pairs: str = "first",
    correction: str = "holm",
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    **keywords: Unpack[Keywords],
) -> Comparison:
    """Compare systems on one key: their scores, their differences to the first one (or all), and how sure these are.

    Systems are given by their names, or as a list of paths. A system is a response (a path, documents, clusters), the
    path of a saved evaluation, or an `Evaluation`; if none is a response, the key may be None. Further keywords are
    those of `score`. P-values are those of paired approximate
    randomisation, two-sided; `correction` (none, holm, bh) is over the pairs of systems, metric by metric. There are
    10,000 `trials`, and 100 for each pair that is corrected for, unless their number is given.

    >>> from scoref import clusters
    >>> key = [clusters([["a", "b"], ["c", "d"]], str(number)) for number in range(3)]
    >>> worse = [clusters([["a", "b"], ["c"]], document.id) for document in key]
    >>> test = compare(key, {"A": worse, "B": key}, metrics=["lea"]).tests[0]
    >>> test.difference, test.p
    (0.428..., 0.25)
    """
    for value, known, what in ((pairs, PAIRS, "pairs"), (correction, (*CORRECTIONS,), "correction")):
        if value not in known:
            raise Error("unknown-choice", f"no {what} '{value}'", expected=f"one of {', '.join(known)}")
    named = named_systems(systems)
    _refuse_one(named)
    made = {name: _made(system, keywords) for name, system in named.items()}
    once = None if key is None else Key(key)
    evaluations = {name: made[name] or _scored(once, name, system, keywords) for name, system in named.items()}
    evaluations = with_one_text(evaluations)
    refuse_different(evaluations)
    _refuse_other_documents(evaluations, check_keys=any(made.values()))
    first, *others = evaluations
    chosen = [*combinations(evaluations, 2)] if pairs == "all" else [(first, other) for other in others]

    def compared(each: Mapping[str, Evaluation]) -> Comparison:
        return _compared(each, chosen, (pairs, correction), trials, seed, unit, keywords.get("progress"))

    settings = {
        setting: compared({name: each.settings[setting] for name, each in evaluations.items()})
        for setting in evaluations[first].settings
        if all(setting in each.settings for each in evaluations.values())
    }
    return replace(compared(evaluations), settings=settings)


def _refuse_one(systems: Mapping[str, System]) -> None:
    if len(systems) < 2:
        raise Error("one-system", f"{len(systems)} system{'s' * (len(systems) != 1)} cannot be compared",
                    expected="at least two", remedy="name another response, or use scoref score")  # fmt: skip


def _made(system: Any, keywords: Keywords) -> Evaluation | None:
    """The system's evaluation, if it is one or is saved as one."""
    if isinstance(system, str | os.PathLike) and is_saved(system):
        system = load(system)
    if not isinstance(system, Evaluation):
        return None
    return adapted(system, keywords.get("metrics"), keywords.get("average"))


def _scored(key: Key | None, name: str, system: Any, keywords: Keywords) -> Evaluation:
    if key is None:
        raise Error("no-key", f"{name} is a response, and there is no key to score it with",
                    path=os.fspath(system) if isinstance(system, str | os.PathLike) else None,
                    expected="a key, or saved evaluations only")  # fmt: skip
    return score(key, system, **keywords)


def _compared(
    evaluations: Mapping[str, Evaluation],
    chosen: Sequence[tuple[str, str]],
    choices: tuple[str, str],
    trials: int | None,
    seed: int,
    unit: str,
    progress: Progress | None,
) -> Comparison:
    """The systems with intervals, and the tests of the pairs chosen."""
    names = list(evaluations)
    sample, resampling = checked_sample(list(evaluations.values()), unit, trials, seed)
    metrics = next(iter(evaluations.values())).protocol.metrics
    pairs = [(names.index(a), names.index(b)) for a, b in chosen]
    correction = CORRECTIONS[choices[1]]
    exchanges = resampling.trials
    if trials is None and choices[1] != "none":
        exchanges = max(exchanges, _PER_TEST * len(pairs))
    drawn = significance.randomisations(sample, pairs, exchanges, seed, progress)
    p = np.stack([each.p[:, 2] for each in drawn])
    adjusted, least = correction(p), correction(np.array([each.least for each in drawn]))
    ends, apart = _ends(sample, resampling, pairs, progress)
    systems = {
        name: replace(each, intervals=_intervals(metrics, ends[number : number + 1], resampling))
        for number, (name, each) in enumerate(evaluations.items())
    }
    tests = []
    chance: Sequence[float | None]
    between: Sequence[Interval | None]
    for number, (a, b) in enumerate(chosen):
        for place, metric in enumerate(metrics):
            chance = [float(each[number, place]) for each in (p, adjusted)] if len(sample.strata) > 1 else [None] * 2
            between = [_pair_of(each[number, place]) for each in apart] or [None] * 2
            difference = systems[b][metric].f1 - systems[a][metric].f1
            how = drawn[number].exact, drawn[number].trials
            tests.append(Difference(metric, a, b, difference, chance[0], chance[1], between[0], between[1], *how))
    tests.sort(key=lambda test: metrics.index(test.metric))
    return Comparison(systems, tuple(tests), resampling, *choices, float(least.min()))


def _ends(
    sample: Sample, resampling: Resampling, pairs: Sequence[tuple[int, int]], progress: Progress | None
) -> tuple[Floats, list[Floats]]:
    """The intervals [systems, metrics, 3, 2], and those of differences in f1 [pairs, metrics, 2], BCa and plain.

    Both are empty if there are too few units.
    """
    if _varying(sample) < LEAST:
        return np.zeros(0), []
    resampled = significance.bootstrap(sample, resampling.trials, resampling.seed, progress)
    observed, left_out = sample.values, significance.jackknife(sample)
    found = significance.bca(observed, resampled, left_out, sample.strata)
    apart: tuple[list[Floats], list[Floats]] = [], []
    for a, b in pairs:
        values, left = (each[:, b, :, 2] - each[:, a, :, 2] for each in (resampled, left_out))
        ends = significance.bca(observed[b, :, 2] - observed[a, :, 2], values, left, sample.strata)
        apart[0].append(ends)
        apart[1].append(significance.percentile(values))
    return found, [np.array(each) for each in apart]


def _refuse_other_documents(evaluations: Mapping[str, Evaluation], check_keys: bool) -> None:
    """Refuse evaluations that are not of the same documents with the same key."""
    (first, one), *others = evaluations.items()
    ours = _keys(one, check_keys)
    for name, other in others:
        theirs = _keys(other, check_keys)
        lacking = {
            name: [each for each in ours if each not in theirs],
            first: [each for each in theirs if each not in ours],
        }
        if any(lacking.values()):
            said = "; ".join(f"{side} lacks {_listed(names)}" for side, names in lacking.items() if names)
            raise Error("different-documents", f"{first} and {name} were scored on different documents",
                        expected=f"the same documents; {said}", remedy="score both on the same key")  # fmt: skip
        differ = [each for each, digest in ours.items() if digest and theirs[each] and digest != theirs[each]]
        if differ:
            raise Error("different-keys", f"{first} and {name} were scored with different keys",
                        expected=f"the same key; it differs for {_listed(differ)}",
                        remedy="score both again with one key")  # fmt: skip


def _keys(evaluation: Evaluation, check: bool) -> dict[str, str]:
    """A hash of each document's key, if it is to be checked."""
    found = digests(evaluation, "key") if check else ("",) * len(evaluation.documents)
    return dict(zip(evaluation.documents, found, strict=True))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
