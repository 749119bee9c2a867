"""Tangles: groups of key and response entities that share mentions, and what each of them costs.

Two entities are in one tangle if they share a mention (after span correction), directly or through other entities. The
cost of a tangle is the gain in score if its response entities are replaced by its key entities. Metrics on entities are
sums over entities, and no term spans two tangles. So the sums of a tangle are subtracted, those of its key entities
against themselves are added, and the score is computed from the new sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from ..document.document import Integers
from ..layout.grid import Cell, Grid, signed
from ..layout.render import frame, html, text
from ..matching.assign import components
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling
from ..statistics.samples import interval
from .finding import Naming
from .mistakes import Entity
from .repairing.regrouping import BySide, Gains, Regrouped, regrouped
from .twins import Twins

if TYPE_CHECKING:
    from pandas import DataFrame

_SHOWN = 25  # tangles in the printed table
_NAMED = 4  # entities of a tangle that are named


class Ribbon(NamedTuple):
    """How many mentions a key and a response entity of a tangle share; entities are given by their index there."""

    key: int
    response: int
    mentions: int


class Tangle(NamedTuple):
    """A group of entities that share mentions: those of the key, those of the response, what they share.

    `missing` has for each key entity the number of its mentions that the response lacks, `extra` for each response
    entity that of the mentions that the key lacks. `cost` is the f1 that is gained when the tangle is repaired, by
    metric. `document` is the name of the document it begins in, `number` that document's, `documents` all of them.
    """

    document: str
    number: int
    documents: tuple[int, ...]
    keys: tuple[Entity, ...]
    responses: tuple[Entity, ...]
    ribbons: tuple[Ribbon, ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    cost: dict[str, float]

    @property
    def size(self) -> int:
        """The number of mentions; those that both sides have are counted once."""
        return sum(each.mentions for each in self.ribbons) + sum(self.missing) + sum(self.extra)


class Tangles(Sequence[Tangle]):
    """The tangles with errors, the costliest first; each is built when it is asked for.

    `costs` [tangles, metrics] is the gain in f1 by repairing each tangle. `of` has for each entity of both sides the
    index of its tangle, or -1 for an entity without errors.
    """

    def __init__(self, naming: Naming, evaluation: Evaluation, metrics: Sequence[str], headline: str | None) -> None:
        self._naming, self._headline = naming, headline
        self._names, self._notes = evaluation.names, evaluation.notes
        twins = naming.twins
        tables = regrouped(twins, evaluation)
        group, number = _groups(twins, tables)
        costs = Gains(tables, evaluation, metrics, group, number)
        self.metrics, self._gains = costs.metrics, costs
        wrong = _wrong(twins, group, number)
        there = np.flatnonzero(wrong)
        gained = costs.gained(there)
        lead = gained[:, self.metrics.index(headline)] if headline in self.metrics else np.zeros(len(there))
        order = np.lexsort((there, -wrong[there], -lead.round(12)))
        self.costs, self._groups = gained[order], there[order]
        place = np.full(number, -1)
        place[there[order]] = np.arange(len(there))
        self.of = place[group[0]], place[group[1]]
        self._members = tuple(_members(each, len(there)) for each in self.of)

    def __len__(self) -> int:
        return len(self.costs)

    @overload
    def __getitem__(self, place: int) -> Tangle: ...

    @overload
    def __getitem__(self, place: slice) -> list[Tangle]: ...

    def __getitem__(self, place: int | slice) -> Tangle | list[Tangle]:
        if isinstance(place, slice):
            return [*map(self._tangle, range(len(self))[place])]
        return self._tangle(range(len(self))[place])

    def interval(self, place: int, metric: str, resampling: Resampling) -> Interval | None:
        """A 95 % interval of what a tangle costs: its own document stays, all others are drawn again.

        None where there are too few documents, or the metric is not on entities.
        """
        ends = self._gains.interval(int(self._groups[place]), resampling) if metric in self.metrics else None
        return None if ends is None else interval(ends[self.metrics.index(metric)])

    def grid(self, number: int | None = None) -> Grid:
        """The first tangles, or all: which entities share mentions, what is missing and extra, what a repair gains."""
        metric = self._headline if self._headline in self.metrics else None
        rows: list[tuple[Cell, ...]] = []
        for place, tangle in enumerate(self[:number], 1):
            cost = (signed(tangle.cost[metric]),) if metric else ()
            sides = _named(tangle.keys), _named(tangle.responses)
            shared = sum(ribbon.mentions for ribbon in tangle.ribbons)
            rows.append((place, tangle.document, *cost, *sides, shared, sum(tangle.missing), sum(tangle.extra)))
        what = f", the costliest first: points of {metric} when the tangle is repaired" if metric else ""
        gained = (metric,) if metric else ()
        header = ("tangle", "document", *gained, "key entities", "response entities", "shared", "missing", "extra")
        return Grid(f"{len(rows)} of {len(self)} tangles{what}", header, rows)

    def grids(self) -> list[Grid]:
        """The costliest tangles."""
        return [self.grid(_SHOWN)]

    def notes(self) -> list[str]:
        """The notes on the scores."""
        return self._notes()

    def to_frame(self) -> DataFrame:
        """All tangles as a frame of pandas."""
        return frame(self.grid())

    __str__ = text
    _repr_html_ = html

    def _tangle(self, place: int) -> Tangle:
        members = [order[bounds[place] : bounds[place + 1]].tolist() for order, bounds in self._members]
        keys, responses = members
        sides, cells = self._naming.twins.sides, self._naming.twins.cells
        column = {number: each for each, number in enumerate(responses)}
        ribbons = [
            Ribbon(row, column[int(cells.column[cell])], int(cells.shared[cell]))
            for row, number in enumerate(keys)
            for cell in range(*np.searchsorted(cells.row, [number, number + 1]).tolist())
        ]
        lacks: tuple[list[int], list[int]] = [], []
        documents: set[int] = set()
        for side, number in [(0, each) for each in keys] + [(1, each) for each in responses]:
            ranks = self._naming.mentions(side, number)
            lacks[side].append(int((sides[side].twin[ranks] < 0).sum()))
            documents.update(sides[side].document[ranks].tolist())
        first = sides[not keys].first[keys[0] if keys else responses[0]]
        begins = int(sides[not keys].document[first])
        ours, theirs = (tuple(self._naming.entity(side, each) for each in members[side]) for side in range(2))
        cost = dict(zip(self.metrics, self.costs[place].tolist(), strict=True))
        return Tangle(self._names[begins], begins, tuple(sorted(documents)), ours, theirs, tuple(ribbons),
                      tuple(lacks[0]), tuple(lacks[1]), cost)  # fmt: skip


def _named(entities: Sequence[Entity]) -> str:
    """Some entities with the numbers of their mentions, the largest first."""
    order = sorted(entities, key=lambda entity: -entity.size)
    shown = ", ".join(f"{each.name} ({each.size})" for each in order[:_NAMED])
    more = len(order) - _NAMED
    return f"{shown} and {more} more" if more > 0 else shown or "none"


def _members(of: Integers, number: int) -> tuple[Integers, Integers]:
    """The entities sorted by tangle, and where each tangle begins."""
    order = np.argsort(of, kind="stable")
    return order, np.searchsorted(of[order], np.arange(number + 1))


def _groups(twins: Twins, tables: Regrouped) -> tuple[BySide, int]:
    """The group of each entity of key and response, also of those without errors, and the number of groups."""
    keys, responses = (len(side.name) for side in twins.sides)
    every = np.arange(keys + responses)
    links = [(twins.cells.row, keys + twins.cells.column), *tables.links(keys), (every, every)]
    label = components(*(np.concatenate(ends) for ends in zip(*links, strict=True)))
    groups, found = np.unique(label[len(label) - len(every) :], return_inverse=True)
    return (found[:keys], found[keys:]), len(groups)


def _wrong(twins: Twins, group: BySide, number: int) -> Integers:
    """The number of wrong things in each group: mentions in error, and surplus entities; 0 if all is right."""
    parts = np.bincount(group[0][twins.cells.row], minlength=number)
    entities = np.bincount(np.concatenate(group), minlength=number)
    found = np.where((parts == 1) & (entities == 2), 0, np.maximum(entities - 1, 1))
    for side, mentions in enumerate(twins.sides):
        alone = mentions.entity[mentions.twin < 0]
        found = found + np.bincount(group[side][alone], minlength=number)
    spans = twins.sides[1].entity[twins.corrected]
    return found + np.bincount(group[1][spans], minlength=number)
