"""What went wrong in tables: entities that were split, entities that were merged, and which of them cost most."""

from __future__ import annotations

import math
from typing import NamedTuple

from .. import __version__
from ..counting.metrics import Score, document_counts
from ..layout.grid import Cell, Grid, Number
from ..layout.render import Json
from ..problems import Error, Problem, Problems
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS, SIZES
from .doubts import Overlap, doubts
from .engines.engine import Worst
from .inputs import Options
from .opening import opened
from .run import refuse, scored_documents
from .shapes import Shapes

SHOWN = 25


class Cut(NamedTuple):
    """Entities of one side that the other side splits: how many of how many, how many extra parts, the costliest."""

    entities: int
    of: int
    more: int
    worst: tuple[Worst, ...]


class Mistakes(NamedTuple):
    """Splits of key entities, merges in response entities, mentions that one side lacks, sizes, and B³."""

    splits: Cut
    merges: Cut
    mentions: Overlap
    singletons: tuple[int, int]
    largest: tuple[int, int]
    b3: Score
    protocol: Protocol
    problems: tuple[Problem, ...]
    said: tuple[str, ...]

    def notes(self) -> list[str]:
        """The lines below the counts."""
        found = [f"{problem.code}: {problem.message} ({problem.place})" for problem in self.problems]
        return [*found, *self.said, f"signature {self.protocol.signature()}|scoref:{__version__}"]

    def grids(self) -> list[Grid]:
        """Counts, then the costliest splits and merges."""
        ours, theirs, both = self.mentions
        counts: list[tuple[Cell, ...]] = [
            ("key entities that the response splits", self.splits.entities, self.splits.of),
            ("splits: parts beyond the first of each", self.splits.more, None),
            ("response entities that merge key entities", self.merges.entities, self.merges.of),
            ("merges: key entities beyond the first of each", self.merges.more, None),
            ("key mentions that the response lacks", ours - both, ours),
            ("response mentions that the key lacks", theirs - both, theirs),
            ("singletons of the key", self.singletons[0], self.splits.of),
            ("singletons of the response", self.singletons[1], self.merges.of),
            ("mentions of the largest entity: key", self.largest[0], None),
            ("mentions of the largest entity: response", self.largest[1], None),
        ]
        found = [Grid("", ("what", "number", "of"), counts)]
        for cut, title, total in (
            (self.splits, "splits: key entities, by what they cost in B³ recall", ours),
            (self.merges, "merges: response entities, by what they cost in B³ precision", theirs),
        ):
            points = _points([each.lost / total for each in cut.worst])
            rows: list[tuple[Cell, ...]] = [
                (*each[:-1], Number(each.lost, f"{each.lost:.2f}"), lost)
                for each, lost in zip(cut.worst, points, strict=True)
            ]
            header = ("entity", "document", "mentions", "parts", "largest part", "mentions lost", "points lost")
            found.append(Grid(f"{len(rows)} of {cut.entities} {title}", header, rows))
        return found

    def to_dict(self) -> Json:
        """The values for JSON; losses are fractions of 1."""
        ours, theirs, _ = self.mentions
        found: Json = {
            "mentions": self.mentions._asdict(),
            "singletons": dict(zip(("key", "response"), self.singletons, strict=True)),
            "largest": dict(zip(("key", "response"), self.largest, strict=True)),
            "b3": self.b3._asdict(),
            "problems": [problem.to_dict() for problem in self.problems],
        }
        for name, cut, total in (("splits", self.splits, ours), ("merges", self.merges, theirs)):
            worst = [each._asdict() | {"lost": each.lost / total} for each in cut.worst]
            found[name] = {"entities": cut.entities, "of": cut.of, "more": cut.more, "worst": worst}
        return found


def _points(fractions: list[float]) -> list[Number]:
    """Fractions as percentages with two digits, or with so many that two digits of the largest count."""
    largest = 100 * max(fractions, default=0)
    digits = max(2, 1 - math.floor(math.log10(largest))) if largest else 2
    return [Number(each, f"{100 * each:.{digits}f}") for each in fractions]


def mistakes(
    key: object, response: object, protocol: Protocol, on_problem: str, options: Options, number: int = SHOWN
) -> Mistakes:
    """What went wrong between two tables."""
    if protocol.counting.sampled != "none":
        raise Error("not-sampled", "errors are those of the rows in the tables; none are estimated from a sample",
                    expected="sampled:none", remedy="leave out --sampled")  # fmt: skip
    refuse(protocol, ())
    problems = Problems(on_problem)
    with opened(key, response, protocol, problems, options) as (engine, task, notes):
        engine.count(protocol.counting.singletons != "drop")
        shapes = engine.shapes()
        for doubt in doubts(engine, task, shapes, protocol):
            problems.add(doubt)
        if task.home:
            own = Problems()  # raises even with `skip`: extra documents are counted already
            scored_documents(engine, task, shapes, engine.units(), protocol, own)
            problems.found += own.found
        cuts = []
        for side, sizes in enumerate((shapes.keys, shapes.responses)):
            entities, more, worst = engine.worst(side, number)
            cuts.append(Cut(entities, round(float(sizes.number.sum())), more, tuple(worst)))
    b3 = Score.of(document_counts(METRICS[SIZES], shapes.table()).sum(axis=0))
    return Mistakes(cuts[0], cuts[1], *_numbers(shapes), b3, protocol, tuple(problems.found), tuple(notes))


def _numbers(shapes: Shapes) -> tuple[Overlap, tuple[int, int], tuple[int, int]]:
    """Mentions of the key, of the response, of both; singletons; the sizes of the largest entities."""
    sides = shapes.keys, shapes.responses
    singletons = [round(float(each.number[each.size == 1].sum())) for each in sides]
    largest = [int(each.size.max(initial=0)) for each in sides]
    return Overlap.of(shapes), (singletons[0], singletons[1]), (largest[0], largest[1])
