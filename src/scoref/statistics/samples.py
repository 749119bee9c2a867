"""The sample that is resampled (sums for each system and unit), and intervals of scores made from it.

Which sums a unit has depends on the average of the protocol:

| average | sums of a unit | value of a resample |
|---|---|---|
| micro | the counts of its documents | the scores of the sums |
| macro, means, weighted | the scores of its documents, and their number or weight | the means |
| datasets | the counts of its documents; units are drawn within their dataset | the means of the datasets' scores |
| datasets, unit dataset | the scores of the dataset | the means |
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from ..counting.table import Floats
from ..document.grouping import grouped
from ..problems import Error
from ..processes import Progress
from ..protocol.choices import CHOICES
from ..results.averages import addends, finished
from ..results.evaluation import Evaluation
from ..results.scores import SEED, TRIALS, UNIT, Interval, Intervals, Resampling
from . import significance
from .significance import Sample

if TYPE_CHECKING:
    from ..results.kinds import KindScores

LEAST = 6  # with fewer units there are no intervals, and no p below 0.05
FEW = 20  # with fewer units there is a warning

_COVERAGE = {1: 0, 2: 48, 3: 70, 5: 80, 10: 90, 20: 95}  # % of 95 % intervals that held the true value, by units


class Testing(NamedTuple):
    """How differences are tested: what is resampled and how often, which pairs of systems, the correction for many.

    `power`, `difference`, `margin` and `across` are asked beside that; the two in the middle are fractions of 1.
    """

    trials: int | None = None
    seed: int = SEED
    unit: str = UNIT
    pairs: str = "first"
    correction: str = "holm"
    power: bool = False
    difference: float | None = None
    margin: float | None = None
    across: str | None = None


def f1_of(sample: Sample) -> Sample:
    """The same sample with f1 alone as values."""

    def f1(sums: Floats) -> Floats:
        values: Floats = sample.statistic(sums)[..., 2]
        return values

    return sample._replace(statistic=f1)


def sample_of(evaluations: Sequence[Evaluation], unit: str, within: Collection[str] | None = None) -> Sample:
    """The sums of each evaluation and unit; units are sorted by name: the order of documents does not matter.

    `within` names the documents that count; without it, all do.
    """
    first = evaluations[0]
    protocol = first.protocol
    chosen = [row for row, name in enumerate(first.documents) if within is None or name in within]
    place = {first.documents[row]: number for number, row in enumerate(chosen)}
    labels, datasets = (tuple(each[row] for row in chosen) for each in (first.labels(unit), first.datasets))
    whole = protocol.averaging.average == "datasets" and unit == "dataset"
    strata = datasets if protocol.averaging.average == "datasets" and not whole else ("",) * len(labels)
    order = {key: number for number, key in enumerate(sorted(set(zip(strata, labels, strict=True))))}
    stratum = {name: number for number, name in enumerate(sorted(set(strata)))}
    units = np.array([order[key] for key in zip(strata, labels, strict=True)], np.int64)
    if whole:  # the score is the mean over units
        protocol = protocol.change(average="macro")
    of_systems = []
    for evaluation in evaluations:
        names, counts = evaluation.documents, evaluation.counts
        if whole:
            groups = grouped(evaluation.datasets)
            names = (*groups,)
            counts = {name: np.stack([each[group].sum(axis=0) for group in groups.values()])
                      for name, each in counts.items()}  # fmt: skip
        rows = addends(protocol, counts)
        sums = np.zeros((len(order), rows.shape[1]))
        rows_in_order = sorted(range(len(names)), key=lambda number: names[number])
        for row in (row for row in rows_in_order if whole or names[row] in place):
            sums[order["", names[row]] if whole else units[place[names[row]]]] += rows[row]
        of_systems.append(sums)
    return Sample(np.stack(of_systems), np.array([stratum[name] for name, _ in order], np.int64),
                  partial(finished, protocol))  # fmt: skip


def refuse_bad_trials(trials: int, seed: int, what: str = "trial") -> None:
    """Refuse invalid numbers of trials and seeds."""
    if trials < 1 or seed < 0:
        expected = f"at least 1 {what}, a seed from 0 on"
        raise Error("bad-trials", f"{trials} {what}s with the seed {seed}", expected=expected)


def checked_sample(
    evaluations: Sequence[Evaluation], unit: str, trials: int | None, seed: int
) -> tuple[Sample, Resampling]:
    """The sample and how it is resampled, checked; the unit is at least what the scope scores as one."""
    trials = TRIALS if trials is None else trials
    refuse_bad_trials(trials, seed)
    if not evaluations[0].documents:
        raise Error("no-document", "there are no documents to resample")
    scope = evaluations[0].protocol.reading.scope
    if unit == UNIT and scope not in CHOICES["scope"].words:
        unit = scope  # documents that are scored as one are drawn as one
    sample = sample_of(evaluations, unit)
    if unit == UNIT and evaluations[0].protocol.counting.sampled != "none":
        unit = "entity"  # each entity of a sampled key is scored alone
    return sample, Resampling(trials, seed, unit, len(sample.strata), _warnings(evaluations[0], unit, sample))


def _warnings(evaluation: Evaluation, unit: str, sample: Sample) -> tuple[str, ...]:
    """What makes intervals and tests unreliable here."""
    warnings = []
    number, sizes = _varying(sample), np.bincount(sample.strata)
    held = f"95 % intervals held the true value in about {coverage(number)} % of cases"
    if number < 2:
        rather = "; draw parts of the entities: --unit parts" if evaluation.source.notes and unit == UNIT else ""
        warnings.append(f"no intervals and no p-values: with 1 unit ({unit}) nothing can vary{rather}")
    elif number < LEAST:
        warnings.append(f"no intervals, as there are only {number} units ({unit}): with so few, {held}")
    elif number < FEW:
        warnings.append(f"only {number} units ({unit}): with so few, {held}")
    if len(sizes) > 1 and sizes.min() < 2:
        warnings.append(f"some datasets are one unit ({unit}), which cannot vary: intervals are too short")
    if unit == "document" and len(set(evaluation.labels("text"))) < len(evaluation.documents):
        warnings.append("some documents are parts of one text and not independent: use the unit text")
    return tuple(warnings)


def _varying(sample: Sample) -> int:
    """The number of units that can be drawn instead of others."""
    sizes = np.bincount(sample.strata)
    return int(sizes[sizes > 1].sum()) or 1


def coverage(units: int) -> int:
    """How many of 100 such intervals hold the true value, measured for some numbers of units, interpolated for others.

    >>> coverage(10), coverage(12)
    (90, 91)
    """
    return int(np.interp(units, list(_COVERAGE), list(_COVERAGE.values())))


def interval(values: Floats) -> Interval:
    """An array of two ends as an interval."""
    return float(values[0]), float(values[1])


def intervals_of(metrics: Sequence[str], ends: Floats, resampling: Resampling) -> Intervals:
    """The intervals of the first system, by metric, from ends [systems, metrics, 3, 2]; empty if there are none."""
    named = (pair for each in ends[:1] for pair in zip(metrics, each, strict=True))
    return Intervals(resampling, {metric: (interval(r), interval(p), interval(f1)) for metric, (r, p, f1) in named})


@overload
def with_intervals(
    evaluation: Evaluation, trials: int | None = ..., seed: int = ..., unit: str = ..., progress: Progress = ...
) -> Evaluation: ...


@overload
def with_intervals(
    evaluation: KindScores[Evaluation],
    trials: int | None = ...,
    seed: int = ...,
    unit: str = ...,
    progress: Progress = ...,
) -> KindScores[Evaluation]: ...


def with_intervals(
    evaluation: Evaluation | KindScores[Evaluation],
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    progress: Progress = None,
) -> Evaluation | KindScores[Evaluation]:
    """The evaluation with a 95 % interval for every score, from a bootstrap (BCa) over documents or another unit.

    Below 6 units there are no intervals, only a warning that says why. What `by_mention` gives may be given, too: there
    is no interval for a kind that is in fewer than 6 units.

    >>> from scoref import clusters, score
    >>> key = [clusters([["a", "b"]], str(number)) for number in range(6)]
    >>> response = [clusters([["a", "b"]] if int(each.id) % 2 else [["a"], ["b"]], each.id) for each in key]
    >>> result = with_intervals(score(key, response, metrics=["muc"]))
    >>> result["muc"].recall, result.intervals.scores["muc"][0]
    (0.5, (0.166..., 0.833...))
    """
    if not isinstance(evaluation, Evaluation):
        return _with_kind_intervals(evaluation, trials, seed, unit, progress)
    sample, resampling = checked_sample([evaluation], unit, trials, seed)
    ends, _ = interval_ends(sample, resampling, [], progress)
    return replace(evaluation, intervals=intervals_of(evaluation.protocol.metrics, ends, resampling))


def _with_kind_intervals(
    groups: KindScores[Evaluation], trials: int | None, seed: int, unit: str, progress: Progress
) -> KindScores[Evaluation]:
    """The scores by kind with an interval for each: units are drawn for all kinds at once."""
    parts = [*groups.parts.values()]
    sample, resampling = checked_sample(parts, unit, trials, seed)
    ends, _ = interval_ends(sample, resampling, [], progress)
    if not len(ends):
        return groups
    metrics = parts[0].protocol.metrics
    found = {}
    for number, label in enumerate(groups.parts):
        known = intervals_of(metrics, ends[number : number + 1], resampling)
        enough = in_enough_units(sample.sums[number], metrics)
        found[label] = known._replace(scores={name: each for name, each in known.scores.items() if name in enough})
    return groups.with_intervals(found)


def in_enough_units(sums: Floats, metrics: Sequence[str]) -> set[str]:
    """The metrics that have something to count, on both sides, in enough units for an interval."""
    units = (sums > 0).sum(axis=0).reshape(len(metrics), 4)[:, 1::2].min(axis=1)
    return {name for name, many in zip(metrics, units.tolist(), strict=True) if many >= LEAST}


def interval_ends(
    sample: Sample, resampling: Resampling, pairs: Sequence[tuple[int, int]], progress: Progress
) -> tuple[Floats, list[Floats]]:
    """The intervals [systems, metrics, 3, 2], and those of differences in f1 [pairs, metrics, 2], BCa and plain.

    Both are empty if there are too few units.
    """
    if _varying(sample) < LEAST:
        return np.zeros(0), []
    resampled = significance.bootstrap(sample, resampling.trials, resampling.seed, progress)
    observed, left_out = sample.values, significance.jackknife(sample)
    of_systems = significance.bca(observed, resampled, left_out, sample.strata)
    corrected, plain = [], []
    for a, b in pairs:
        values, left = (each[:, b, :, 2] - each[:, a, :, 2] for each in (resampled, left_out))
        difference = observed[b, :, 2] - observed[a, :, 2]
        corrected.append(significance.bca(difference, values, left, sample.strata))
        plain.append(significance.percentile(values))
    return of_systems, [np.array(corrected), np.array(plain)]
