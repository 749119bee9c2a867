"""Scores by metric and by group, with intervals, for JSON; and the remarks printed below them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import starmap
from typing import TYPE_CHECKING, Any

from ..counting.metrics import Mean, Score, Whole, ratio, ratios
from ..counting.table import Floats
from ..layout import grid, render
from ..layout.grid import Cell
from ..layout.render import Json, html_table
from ..problems import Error
from ..protocol.defects import why_repeated
from ..protocol.metric_names import closest_metric, metric_name
from ..relations.registry import MENTIONS, compares_common, how_of, split_name, unsettled
from ..values import NamedTuple
from .averages import Sums, added, counts_what, defined, factored, parts

if TYPE_CHECKING:
    from .evidence import Evidence
    from .sums_only import SumsOnly

TRIALS, SEED, UNIT = 10_000, 12345, "document"  # defaults


class Resampling(NamedTuple):
    """How intervals and tests are made: the number of resamples, the seed, the unit that is drawn, how many units.

    `warnings` say what makes the intervals and tests unreliable.
    """

    trials: int
    seed: int
    unit: str
    units: int
    warnings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """How it was done, as part of a signature."""
        return f"|unit:{self.unit}|trials:{self.trials}|seed:{self.seed}"

    def to_dict(self) -> Json:
        """How it was done, and the warnings, for JSON."""
        how = {"trials": self.trials, "seed": self.seed, "unit": self.unit, "units": self.units}
        return {"resampling": how, "warnings": list(self.warnings)}

    def notes(self, intervals: bool = True) -> list[str]:
        """The lines below a table of intervals, and the warnings; only the latter without `intervals`."""
        how = f"95 % intervals: bootstrap (BCa) over {self.units} units ({self.unit})"
        return [*([how] if intervals else ()), *(f"warning: {warning}" for warning in self.warnings)]


Interval = tuple[float, float]


class Intervals(NamedTuple):
    """For each metric the intervals of recall, precision and f1, and how they were made; empty if units are too few."""

    resampling: Resampling
    scores: Mapping[str, tuple[Interval, Interval, Interval]]

    def notes(self) -> list[str]:
        """The lines below the scores."""
        return self.resampling.notes(bool(self.scores))


class UnscoredMetric(Error, KeyError):
    """A metric that was not scored or does not exist: an `Error`, and a `KeyError`, as mappings raise it."""

    def __str__(self) -> str:
        return str(self.problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (UnscoredMetric.of, (self.problem,))


class Scores(dict[str, Score]):
    """The score of each metric; other spellings and other tools' names find it, too.

    >>> scores = Scores({"b3": Score(0.5, 1.0, 2 / 3)})
    >>> scores["B-cubed"].recall, "bcub" in scores, scores.get("MUC")
    (0.5, True, None)
    >>> [*scores]
    ['b3']
    """

    def __missing__(self, name: str) -> Score:
        return self[scored_name(name, self)]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(metric_name(name) if isinstance(name, str) else name)

    def get(self, name: str, default: Any = None) -> Any:
        """The score of a metric, or another value if it was not scored."""
        return super().get(metric_name(name), default)


def scored_name(name: str, scored: Collection[str]) -> str:
    """The name under which a metric was scored, from any of its names; if it was not, an error suggests the closest."""
    metric = metric_name(name)
    if metric in scored:
        return metric
    meant = closest_metric(name)
    remedy = "ask for it with metrics=[...]" if meant in (metric, None) else f"did you mean {meant}?"
    expected = f"one of {', '.join(scored)}"
    raise UnscoredMetric("unscored-metric", f"'{name}' was not scored", expected=expected, remedy=remedy)


UNDEFINED = (grid.NOTHING,) * len(Score._fields)  # recall, precision and f1 where a score is not defined


class GroupScores(dict[str, dict[str, Score]]):
    """For each group its score of each metric: a dictionary that prints, and shows in notebooks, as a table of f1.

    `field` says what the groups are, `undefined` which metrics have nothing to count in a group (their scores are 0).
    `mean` is shown below the groups, if there is one.

    >>> groups = GroupScores({"bn": {"muc": Score(0.5, 1.0, 2 / 3)}, "mz": {"muc": Score(1.0, 1.0, 1.0)}}, "genre")
    >>> print(groups)
    genre     muc
    bn      66.67
    mz     100.00
    >>> groups["mz"]["muc"].recall
    1.0
    """

    def __init__(
        self,
        scores: Mapping[str, dict[str, Score]],
        field: str,
        undefined: Mapping[str, Collection[str]] | None = None,
        mean: Mapping[str, Score | None] | None = None,
    ) -> None:
        super().__init__({name: Scores(each) for name, each in scores.items()})
        self.field = field
        self.undefined = undefined or {}
        self.mean = mean

    def __reduce__(self) -> tuple[object, ...]:
        return GroupScores, (dict(self), self.field, self.undefined, self.mean)

    def defined(self, group: str, metric: str) -> bool:
        """Whether a group has something that the metric counts."""
        return metric not in self.undefined.get(group, ())

    def cell(self, group: str, metric: str) -> Cell:
        """The f1 of a group, as a table shows it; None if there is no such group."""
        score = self.get(group, {}).get(metric)
        return None if score is None else score.f1 if self.defined(group, metric) else grid.NOTHING

    def grid(self) -> grid.Grid:
        """The table: f1 of each group and metric."""
        metrics = list(next(iter(self.values()), {}))
        rows = [(name, *(self.cell(name, metric) for metric in metrics)) for name in self]
        if self.mean is not None:
            means = [self.mean[metric] for metric in metrics]
            rows.append(("mean", *(mean.f1 if mean else grid.NOTHING for mean in means)))
        return grid.Grid(f"f1 by {self.field}", (self.field, *metrics), rows)

    def rows(self) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
        """Column names and rows for programs: recall, precision, f1 of each group and metric."""
        rows: list[tuple[Cell, ...]] = [
            (group, metric, *(score if self.defined(group, metric) else UNDEFINED))
            for group, scores in self.items()
            for metric, score in scores.items()
        ]
        return (self.field, "metric", *Score._fields), rows

    def __str__(self) -> str:
        return grid.text_table(self.grid()._replace(title=""))

    def _repr_html_(self) -> str:
        return html_table(self.grid())

    def to_frame(self) -> render.DataFrame:
        """A row for each group and metric: recall, precision, f1, missing where they are not defined."""
        return render.frame(grid.Grid("", *self.rows()), 2)

    def to_dict(self) -> Json:
        """The scores by group and metric."""
        return {label: as_dict(scores) for label, scores in self.items()}

    def notes(self) -> list[str]:
        """Sentences below the table."""
        return []


def as_dict(scores: Mapping[str, Score]) -> dict[str, Json]:
    """Scores by metric."""
    return {metric: score._asdict() for metric, score in scores.items()}


def counts_dict(counts: Mapping[str, Floats]) -> dict[str, Json]:
    """The counts of all documents together: numerators and denominators, or the sums behind clustering measures."""
    totals = {metric: added(rows, [range(len(rows))])[0].tolist() for metric, rows in counts.items()}
    return {
        metric: {"sums": sums} if isinstance(how_of(metric), Whole) else {"recall": sums[:2], "precision": sums[2:]}
        for metric, sums in totals.items()
    }


class Factors(NamedTuple):
    """A score as a product: how many mentions are found, and how well the found ones are linked."""

    score: float
    mentions: float
    linking: float


def factors(sums: Sums) -> dict[str, dict[str, Factors]]:
    """The parts of recall and precision of B³, and of the value of HOTA, which is the root of their product.

    With T common mentions of K, B³ recall is Σ n²/k / K = (T/K) · (Σ n²/k / T), also for sums over documents. It is not
    where B³ counts other mentions than mention detection does: with weights, with split antecedents.
    """
    found: dict[str, dict[str, Factors]] = {}
    average = sums.protocol.averaging.average
    summed = average == "micro" or (average == "datasets" and len(set(sums.datasets)) == 1)
    for name in sums.protocol.metrics if summed else ():
        how, beside = how_of(name), split_name(name)[0] + MENTIONS
        if name in sums.undefined:
            continue
        if isinstance(how, Mean) and how.geometric:
            deta, assa = (Score(*row).f1 for row in _parts_of(name, how, sums).score_rows)
            found[name] = {"f1": Factors(math.sqrt(deta * assa), deta, assa)}
        elif factored(name, sums.protocol) and beside in sums.totals:
            ours, mentions = sums.totals[name], sums.totals[beside]
            if (ours[1::2] == mentions[1::2]).all() and (ours[::2] <= mentions[::2] * (1 + 1e-9)).all():
                linking = ratio(ours[::2], mentions[::2]).tolist()
                values = zip(ratios(ours).tolist(), ratios(mentions).tolist(), linking, strict=False)
                found[name] = dict(zip(("recall", "precision"), starmap(Factors, values), strict=True))
    return found


def _parts_of(name: str, how: Mean, sums: Sums) -> Sums:
    """The same sums, scored by the parts of a metric."""
    return replace(sums, protocol=sums.protocol.change(metrics=[split_name(name)[0] + part for part in how.of]))


def factor_lines(found: Mapping[str, Mapping[str, Factors]]) -> list[str]:
    """A line for each metric of `factors`.

    >>> factor_lines({"b3": {"recall": Factors(0.4, 0.8, 0.5)}, "hota": {"f1": Factors(0.6, 0.6, 0.6)}})
    ['b3 recall 40.00 = mentions 80.00 × linking 50.00', 'hota 60.00 = √(mentions 60.00 × linking 60.00)']
    """
    lines = []
    for name, each in found.items():
        said = [(part, *(f"{100 * value:.2f}" for value in values)) for part, values in each.items()]
        lines.append(f"{name} " + ", ".join(
            f"{score} = √(mentions {mentions} × linking {linking})" if part == "f1" else
            f"{part} {score} = mentions {mentions} × linking {linking}" for part, score, mentions, linking in said
        ))  # fmt: skip
    return lines


def parts_beside(name: str, sums: Sums) -> dict[str, float]:
    """The named parts of a metric with one value, which stands under f1: those of DetA are detre and detpr."""
    how = how_of(name)
    if isinstance(how, Whole):
        values = sums.score_rows[sums.protocol.metrics.index(name)]
        return {} if how.parts[0] in (name, "recall") else dict(zip(how.parts, values, strict=False))
    found: dict[str, float] = {}
    if isinstance(how, Mean) and how.geometric:
        parts = _parts_of(name, how, sums)
        for part, values in zip(parts.protocol.metrics, parts.score_rows, strict=True):
            found |= {split_name(part)[1]: values[2], **parts_beside(part, parts)}
    return found


def remarks(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """Sentences on scores: what is undefined, what is left out, what official rules do, how running texts differ."""
    lines = [
        *sums.protocol.cut_notes(),
        *_undefined(sums),
        *_means(sums),
        *_left_out(sums, source),
        *_above_one(sums),
        *_unsettled(sums, source),
    ]
    if source.drift or source.answers:
        from ..answers.summary import sentences  # few have running text, or answers

        lines += sentences(source.drift, source.answers, sums.protocol.preparing.lost)
    return lines


def number_of(number: int, what: str) -> str:
    """A number and what it counts, in the singular or plural.

    >>> number_of(1, "document"), number_of(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def _undefined(sums: Sums) -> list[str]:
    """Which metrics have nothing to count, and which averages count them as 0."""
    lines = [f"{metric}: {reason}" for metric, reason in sums.undefined.items() if not parts(metric)]
    for metric in sums.protocol.metrics:
        lacking = [part for part in parts(metric) if not defined(part, sums.totals)]
        if lacking and len(lacking) < len(parts(metric)):
            what = counts_what(lacking[0])
            lines.append(f"{metric} counts {', '.join(lacking)} as 0: no {what} in key and response")
    return lines


def _means(sums: Sums) -> list[str]:
    """How many documents or datasets the means are over, and which metrics leave some of them out."""
    average = sums.protocol.averaging.average
    if average not in ("macro", "means", "datasets"):
        return []
    names, what = (sums.datasets, "dataset") if average == "datasets" else (sums.documents, "document")
    if (total := len({*names})) < 2:
        return []
    lines = [f"mean over {total} {what}s"]
    for metric, there in sums.defined_in(names).items() if sums.protocol.averaging.empty == "skip" else ():
        number = int(there.sum())
        if 0 < number < total and not parts(metric):
            lines.append(f"{metric}: mean over the {number} of them that have {counts_what(metric)}")
    return lines


def _left_out(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """How many twinless mentions are left out of metrics that compare clusterings of the same mentions."""
    compared = compares_common(sums.protocol.metrics)
    key, response = source.twinless if compared else (0, 0)
    both = f"{key} mentions of the key and {response} of the response"
    return [f"{', '.join(compared)}: {both} have no twin, and are left out"] if key or response else []


def _above_one(sums: Sums) -> list[str]:
    """Which metrics are above 1 because of official rules for repeated mentions."""
    named = zip(sums.protocol.metrics, sums.score_rows, strict=True)
    above = [metric for metric, values in named if max(values) > 1 + 1e-9]
    return [f"out of range: {', '.join(above)} above 100, {why_repeated(sums.protocol)}"] if above else []


def _unsettled(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """Which metrics may differ between two runs of the official scorer."""
    depending = [metric for metric in sums.protocol.metrics if unsettled(metric)]
    credited = (sums.protocol.preparing.credit, sums.protocol.preparing.split) == ("ua-1.0", "credit")
    if not depending or not credited or not source.has_sets:
        return []
    return [f"{', '.join(depending)}: the official scorer's number may differ; with split antecedents it depends on the"
            " order of a Python set"]  # fmt: skip
