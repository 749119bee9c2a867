"""Curves: scores by the length of windows, by the part of texts that is scored, by distance of links, by overlap.

A point of `window` and `prefix` is an evaluation by that choice of the protocol. Points of `distance` count links: from
a mention to the nearest earlier one of its entity in the key (recall), in the response (precision), in bins of words
between where the two begin. A link is right if both mentions have twins, and these are in one entity. Points of
`overlap` are HOTA and its parts where mentions match in part: of the one-to-one pairs with the greatest total overlap
(words that both have, of those that one has) those that overlap by so much or more, as in TrackEval.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple, Unpack

import numpy as np

from ..counting.corpus import corpus
from ..counting.metrics import document_counts
from ..counting.table import Floats, NumberedMentions
from ..document.document import at_characters
from ..document.kinds import SideMentions
from ..document.where import NOWHERE
from ..layout import grid, plots, render
from ..layout.grid import Grid
from ..layout.render import Json
from ..matching.assign import assign
from ..matching.lookup import Lookups
from ..matching.match import Alignment
from ..matching.overlap import overlapping
from ..problems import Error
from ..protocol.keywords import Keywords
from ..relations.registry import METRICS, needed
from ..results.evaluation import Evaluation
from ..results.scores import SEED, UNIT
from ..run.request import Request, Side
from ..run.score import scored
from .figures import printed
from .samples import with_intervals

# What curves are of, with the points of those that have some of their own.
CURVES: dict[str, tuple[float, ...]] = {
    "window": (), "prefix": (), "distance": (0, 10, 25, 50, 100, 250, 500, 1000, 2500),
    "overlap": tuple(number / 20 for number in range(1, 20)),
}  # fmt: skip
# Which numbers can be points of each.
_POINT: dict[str, Callable[[float], bool]] = {
    "window": lambda value: value >= 1 and value % 1 == 0, "prefix": lambda value: 0 < value <= 100,
    "distance": lambda value: value >= 0 and value % 1 == 0, "overlap": lambda value: 0 < value <= 1,
}  # fmt: skip
_OF_FILES = ("distance", "overlap")  # points that are no choices of the protocol
_PARTS = ("hota", "deta", "assa", "loca")
_COUNTS, _LINKS = "pairwise", "links"  # the metric that counts links, and what it is called here
_ROUNDING = 1e-12
_EXPECTED = "window=500,1000,2000, prefix=10%,20%, distance or overlap"


class AskedCurve(NamedTuple):
    """What a curve is of, and its points: words of a window, percent of texts, least words of a distance."""

    of: str
    values: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> AskedCurve:
        """The curve that a text asks for.

        >>> AskedCurve.parse("prefix=10%,50%")
        AskedCurve(of='prefix', values=(10.0, 50.0))
        """
        of, equals, given = text.partition("=")
        try:
            values = (
                tuple(float(word.removesuffix("%" * (of == "prefix"))) for word in given.split(",")) if equals else ()
            )
        except ValueError:
            values = ()
        values = values or (() if equals else CURVES.get(text, ()))
        if (
            of not in CURVES
            or not values
            or any(a >= b for a, b in pairwise(values))
            or not all(map(_POINT[of], values))
        ):
            points = "windows of 1 word or more, at most 100 %, overlaps above 0 and at most 1"
            raise Error("unknown-curve", f"no curve '{text}'", remedy="see docs/long-texts.md",
                        expected=f"{_EXPECTED}; numbers from small to large: {points}")  # fmt: skip
        return cls(of, values)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that are scored for it."""
        return () if self.of in _OF_FILES else tuple(f"{self.of}:{value:g}" for value in self.values)

    @property
    def labels(self) -> list[str]:
        """The names of its points."""
        if self.of != "distance":
            return [f"{value:g}{' %' * (self.of == 'prefix')}" for value in self.values]
        return [*(f"{low:g}-{high - 1:g}" for low, high in pairwise(self.values)), f"{self.values[-1]:g}+"]


@dataclass(frozen=True, eq=False)
class Curve:
    """The scores at each point of a curve, perhaps with intervals.

    >>> found = curve("examples/tales/key.conll", "examples/tales/rules.conll", "window=50,100", metrics=["b3"])
    >>> print(found.whole_grid().rows[0][:2])
    ('50', 'b3')
    """

    asked: AskedCurve
    points: tuple[Evaluation, ...]
    whole: Evaluation

    __str__ = render.text
    _repr_html_ = render.html

    def _called(self, metric: str) -> str:
        return _LINKS if self.asked.of == "distance" else metric

    @property
    def _all(self) -> list[tuple[str, Evaluation]]:
        """Every point with its name; behind those of windows the whole texts."""
        found = [*zip(self.asked.labels, self.points, strict=True)]
        return found if self.asked.of in _OF_FILES else [*found, ("whole", self.whole)]

    def whole_grid(self) -> Grid:
        """A row for each point and metric: recall, precision, f1, and the interval of f1 if there is one."""
        rows: list[tuple[grid.Cell, ...]] = []
        for label, point in self._all:
            for metric, score in point.scores.items():
                shown = (grid.NOTHING,) * 3 if metric in point.undefined else score
                rows.append((label, self._called(metric), *shown, *self._interval(point, metric)))
        ends = ("f1 low", "f1 high") if any(point.intervals for point in self.points) else ()
        return Grid("", (self.asked.of, "metric", "recall", "precision", "f1", *ends), rows)

    def _interval(self, point: Evaluation, metric: str) -> tuple[grid.Cell, ...]:
        if not any(each.intervals for each in self.points):
            return ()
        known = point.intervals.scores.get(metric) if point.intervals else None
        return known[2] if known else (None, None)

    def grids(self) -> list[Grid]:
        """The f1 of each point and metric; of links recall, precision and how many there are."""
        if self.asked.of == "distance":
            rows = [(label, *row[2:], *(int(number) for number in point.counts[_COUNTS].sum(axis=0)[1::2]))
                    for (label, point), row in zip(self._all, self.whole_grid().rows, strict=True)]  # fmt: skip
            header = ("distance", *self.whole_grid().header[2:], "key links", "response links")
            return [Grid("links by the words between them", header, rows)]
        if any(point.intervals for point in self.points):
            return [self.whole_grid()]
        rows = [
            (
                label,
                *(grid.NOTHING if metric in point.undefined else score.f1 for metric, score in point.scores.items()),
            )
            for label, point in self._all
        ]
        return [Grid(f"f1 by {self.asked.of}", (self.asked.of, *self._metrics), rows)]

    @property
    def _metrics(self) -> tuple[str, ...]:
        return self.points[0].protocol.metrics

    def notes(self) -> list[str]:
        """The mean of all overlaps, and how intervals were made."""
        notes: list[str] = []
        if self.asked.of == "overlap":
            means = {name: np.mean([point[name].f1 for point in self.points]) for name in self._metrics}
            said = ", ".join(f"{name} {100 * mean:.2f}" for name, mean in means.items())
            notes = [f"means over {len(self.points)} overlaps: {said}"]
        return notes + next((point.intervals.notes() for point in self.points if point.intervals), [])

    def to_dict(self) -> Json:
        """What it is of, and its points, each with signature and scores."""
        points = []
        for label, point in self._all:
            scores = {self._called(metric): score for metric, score in point.scores_dict().items()}
            points.append({"at": label, "signature": point.signature, "scores": scores})
        return {"of": self.asked.of, "points": points}

    def to_frame(self) -> render.DataFrame:
        """A row for each point and metric."""
        return render.frame(self.whole_grid(), 2)

    def figure(self) -> plots.Figure:
        """Lines of f1 with bands; of links recall and precision by distance, with intervals."""
        if self.asked.of == "distance":
            parts: dict[str, list[tuple[float, float, float]]] = {"recall": [], "precision": []}
            for point in self.points:
                for place, part in enumerate(parts):
                    value = point[_COUNTS][place]
                    known = point.intervals.scores.get(_COUNTS) if point.intervals else None
                    parts[part].append(_percent(value, known[place] if known else (value, value)))
            return plots.Dots("links found by words between them, %", self.asked.labels, parts)
        series: dict[str, list[tuple[float, float]]] = {}
        bands: dict[str, list[tuple[float, float]]] = {}
        for metric in self._metrics:
            each = [(place, point) for place, point in zip(self.asked.values, self.points, strict=True)
                    if metric not in point.undefined]  # fmt: skip
            series[printed(metric)] = [(place, 100 * point[metric].f1) for place, point in each]
            made = [point.intervals.scores.get(metric) if point.intervals else None for _, point in each]
            ends = [(100 * three[2][0], 100 * three[2][1]) for three in made if three]
            if ends and len(ends) == len(each):
                bands[printed(metric)] = ends
        what = {"window": "words of a window", "prefix": "% of each text", "overlap": "least overlap of twins"}[
            self.asked.of
        ]
        return plots.Points(what, "F1, %", series, True, bands)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw it; the name of the file says how."""
        plots.draw({"curve": self.figure()}, path)


def _percent(value: float, ends: tuple[float, float]) -> tuple[float, float, float]:
    return 100 * value, 100 * ends[0], 100 * ends[1]


def curve(
    key: Side,
    response: Side | None,
    of: str,
    *,
    ci: bool = False,
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    **keywords: Unpack[Keywords],
) -> Curve:
    """How scores change: `window=500,1000,2000`, `prefix=10%,20%`, or `distance` of links, with intervals for `ci`.

    Sides and further keywords are those of `score`.
    """
    asked = AskedCurve.parse(of)
    evaluation = scored(Request.of(key, response, {**keywords, "settings": asked.settings}))
    return drawn(evaluation, asked, (trials, seed, unit) if ci else None)


def drawn(evaluation: Evaluation, asked: AskedCurve, resampling: tuple[int | None, int, str] | None) -> Curve:
    """The curve of an evaluation in which its settings were scored; with intervals, if `resampling` says how."""
    whole = replace(evaluation, settings={})
    if asked.of == "distance":
        points = _of_links(whole, asked.values)
    elif asked.of == "overlap":
        points = _of_overlaps(whole, asked.values)
    else:
        points = [evaluation.settings[name] for name in asked.settings]
    if resampling:
        points = [_with_bands(point, *resampling) for point in points]
    return Curve(asked, tuple(points), whole)


def _with_bands(point: Evaluation, trials: int | None, seed: int, unit: str) -> Evaluation:
    """The point with intervals; windows of one text are drawn together."""
    together = point.protocol.counting.window and unit == UNIT
    return with_intervals(point, trials, seed, "text" if together else unit)


def _of_links(whole: Evaluation, bounds: Sequence[float]) -> list[Evaluation]:
    protocol = whole.protocol.change(metrics=(_COUNTS,), average="micro")
    counts = _links(whole, np.array(bounds))
    return [replace(whole, protocol=protocol, counts={_COUNTS: each}, remarks=()) for each in counts]


def _links(whole: Evaluation, bounds: Floats) -> Floats:
    """The counts of links [bins, documents, 4]: those that are right, of all, in key and response."""
    evidence = whole.evidence
    sides = []
    both_sides = [key for key, _, _ in evidence.aligned], [response for _, response, _ in evidence.aligned]
    for documents in both_sides:
        sides.append(SideMentions(documents, NumberedMentions.of(documents, evidence.homes).entity))
    if any((side.words == NOWHERE).any() or any(map(at_characters, side.documents)) for side in sides):
        raise Error("no-positions", "mentions that are not at words have no distances in words",
                    expected="mentions at words", remedy="leave the curve out")  # fmt: skip
    homes, starts = np.array(evidence.homes, np.int64), [_starts(side) for side in sides]
    counts = np.zeros((len(bounds), len(whole.documents), 4))
    for place, (side, other) in enumerate((sides, sides[::-1])):
        twin = np.full(len(side.entity), -1)
        for number, (_, _, lookups) in enumerate(evidence.aligned):
            alignment = lookups.precision if place else lookups.recall
            own = np.array(alignment[place], np.int64) + starts[place][number]
            twin[own] = np.array(alignment[1 - place], np.int64) + starts[1 - place][number]
        later = np.flatnonzero(side.before >= 0)
        later = later[side.document[later] == side.document[side.before[later]]]
        before = side.before[later]
        far = np.searchsorted(bounds, side.words[later] - side.words[before], "right") - 1
        both = (twin[later] >= 0) & (twin[before] >= 0)
        right = both & (other.entity[twin[later]] == other.entity[twin[before]])
        known = far >= 0
        home = homes[side.document[later]]
        np.add.at(counts[..., 2 * place], (far[known], home[known]), right[known])
        np.add.at(counts[..., 2 * place + 1], (far[known], home[known]), 1)
    return counts


def _starts(side: SideMentions) -> list[int]:
    """Where the mentions of each document begin among those of all."""
    return [*accumulate((len(each.mentions) for each in side.documents), initial=0)]


def _of_overlaps(whole: Evaluation, least: Sequence[float]) -> list[Evaluation]:
    """HOTA where twins are mentions that overlap: one to one, with the greatest total, and those by `least` or more."""
    evidence = whole.evidence
    if any(len(side.mentions.opaque) for key, response, _ in evidence.aligned for side in (key, response)):
        raise Error("no-positions", "mentions without positions do not overlap", expected="mentions at words",
                    remedy="leave the curve out")  # fmt: skip
    pairs = [overlapping(key, response) for key, response, _ in evidence.aligned]
    chosen = [assign(each.row, each.column, each.likeness) for each in pairs]
    protocol = whole.protocol.change(metrics=_PARTS)
    found = []
    for bound in least:
        aligned, alike = [], np.zeros((len(whole.documents), 4))
        both = zip(evidence.aligned, evidence.homes, pairs, chosen, strict=True)
        for (key, response, _), home, each, best in both:
            kept = best[each.likeness[best] >= bound - _ROUNDING]
            twins = Alignment(each.row[kept].tolist(), each.column[kept].tolist())
            aligned.append((key, response, Lookups(twins, twins, twins, twins)))
            alike[home] += [float(each.likeness[kept].sum()), len(kept)] * 2
        tables = corpus(aligned, evidence.homes).shown
        counts = {name: document_counts(METRICS[name], tables.every) for name in needed(_PARTS[:1])}
        found.append(replace(whole, protocol=protocol, counts={**counts, "loca": alike}, remarks=()))
    return found
