"""What is gained by repairing groups of entities: tables of key against response, and of the key against itself.

Metrics on entities are sums over entities. If groups of entities take the place of documents, the same functions count
the contribution of each group; in a repaired group the response has the entities of the key. Non-coreference links
(BLANC) run between groups: they are computed from the numbers of mentions of each group.

Gains ignore split antecedents, weights of mentions, and metrics that compare whole clusterings.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from ...counting.coreference import mentions
from ...counting.metrics import Metric, OneToOne, OnTable, PerEntity, Rules, counted
from ...counting.table import Flags, Floats, Settings, Table, TableCells, Tables, TableSide, build, without
from ...document.document import Document, Integers
from ...document.grouping import grouped
from ...matching.lookup import Lookups, lookups
from ...protocol.protocol import Protocol
from ...relations.registry import METRICS, needed
from ...results.averages import addends, finished, required
from ...results.evaluation import Evaluation
from ...results.scores import Resampling
from ...statistics.samples import LEAST, sample_of
from ...statistics.significance import bca, bootstrap, jackknife
from ..twins import Twins

BySide = tuple[Integers, Integers]  # a number for each entity of key and response
_AT_ONCE = 50_000  # groups that are scored at a time
_SIZES = PerEntity(mentions, lambda table: table.key.mentions, Rules(repeated="mutual"))


class Regrouped(NamedTuple):
    """The tables of the response as it is (`now`) and of a perfect one (`repaired`), with the entities of `Twins`.

    `hidden` marks entities that do not count, or is None. `plain`: entities share mentions only through twins.
    """

    now: Tables
    repaired: Tables
    hidden: tuple[Flags, Flags] | None
    plain: bool

    def links(self, keys: int) -> list[tuple[Integers, Integers]]:
        """Pairs of entities that share a mention in any table; response entities are numbered after the key's."""
        if self.plain:
            return []
        found = [(table.row, keys + table.column) for table in self.now[:3]]
        return found + [(table.row, table.column) for table in self.repaired[:3]]

    def by_group(self, group: BySide, number: int) -> tuple[Tables, Tables]:
        """Both kinds of tables, with groups in the place of documents."""

        def placed(table: Table, columns: int) -> Table:  # columns are entities of the key, or of the response
            key = table.key._replace(document=group[0])
            response = table.response._replace(document=group[columns])
            table = replace(table, key=key, response=response, documents=number)
            return without(table, self.hidden[0], self.hidden[columns]) if self.hidden else table

        return self.now.changed(partial(placed, columns=1)), self.repaired.changed(partial(placed, columns=0))


def regrouped(twins: Twins, evaluation: Evaluation) -> Regrouped:
    """The tables of an evaluation."""
    protocol = evaluation.protocol
    simple = all(
        found.recall is found.precision and found.recall is found.every and not any(found.copies)
        and not any(side.sets or side.hidden for side in pair)
        for *pair, found in evaluation.evidence.aligned
    )  # fmt: skip
    if simple:
        return _from_twins(twins, protocol)
    homes = evaluation.evidence.homes
    aligned = [(replace(key, sets={}), replace(response, sets={}), found) for key, response, found in twins.aligned]
    settings = Settings(protocol.counting.beta, protocol.counting.frequent)
    now, *entities = build(aligned, homes, settings)
    repaired, *_ = build([(key, key, _looked_up(key, protocol)) for key, _, _ in aligned], homes, settings)
    numbers = [_numbers(twins, side) for side in range(2)]
    places = [
        np.array([known[each] for each in zip(side.document, side.name, strict=True)], np.int64)
        for known, side in zip(numbers, entities, strict=True)
    ]
    hidden = [np.zeros(len(known), np.bool_) for known in numbers]
    for side, known in enumerate(numbers):
        for home, document in zip(homes, twins.documents[side], strict=True):
            hidden[side][[known[home, name] for name in document.hidden if (home, name) in known]] = True
    return Regrouped(
        now.changed(lambda table: _renumbered(table, places[0], places[1])),
        repaired.changed(lambda table: _renumbered(table, places[0], places[0])),
        (hidden[0], hidden[1]) if any(each.any() for each in hidden) else None,
        plain=False,
    )


def _from_twins(twins: Twins, protocol: Protocol) -> Regrouped:
    row, column, shared, of = twins.cells
    exact = (shared - np.bincount(of[1][twins.corrected], minlength=len(row))).astype(np.float64)
    there = np.flatnonzero(exact)
    ours, theirs = twins.sides
    sides = [TableSide(side.size.astype(np.float64), side.home) for side in (ours, theirs)]
    settings = Settings(protocol.counting.beta, protocol.counting.frequent)
    homes = int(max(ours.home.max(initial=-1), theirs.home.max(initial=-1))) + 1
    now = Table(TableCells(row[there], column[there], exact[there]), sides[0], sides[1], homes, settings)
    every = np.arange(len(sides[0].size))
    repaired = Table(TableCells(every, every, sides[0].size), sides[0], sides[0], homes, settings)
    return Regrouped(Tables.all(now), Tables.all(repaired), None, True)


def _looked_up(key: Document, protocol: Protocol) -> Lookups:
    matching, preparing = protocol.matching, protocol.preparing
    choices = matching.match, preparing.zeros, preparing.owner, matching.threshold, matching.mapping, matching.fields
    return lookups(key, key, *choices)


def _numbers(twins: Twins, side: int) -> dict[tuple[int, Hashable], int]:
    """The number that `Twins` gives to each entity, by home and name."""
    mentions = twins.sides[side]
    return {each: number for number, each in enumerate(zip(mentions.home.tolist(), mentions.name, strict=True))}


def _renumbered(table: Table, ours: Integers, theirs: Integers) -> Table:
    back = np.argsort(ours), np.argsort(theirs)
    cells = table.cells._replace(row=ours[table.row], column=theirs[table.column])
    return replace(table, cells=cells, key=table.key.only(back[0]), response=table.response.only(back[1]))


class Gains:
    """What would be gained in each metric if a group of entities were repaired."""

    def __init__(
        self, tables: Regrouped, evaluation: Evaluation, metrics: Iterable[str], group: BySide, number: int
    ) -> None:
        sums = PerEntity | OneToOne  # over entities
        self.metrics = tuple(
            name for name in metrics if all(isinstance(METRICS[each].how, sums) for each in needed([name]))
        )
        self._protocol = evaluation.protocol.change(metrics=self.metrics) if self.metrics else evaluation.protocol
        self._evaluation = replace(evaluation, protocol=self._protocol)
        self._home = np.zeros(number, np.int64)
        table = tables.now.recall
        self._home[group[0]], self._home[group[1]] = table.key.document, table.response.document
        both = tables.by_group(group, number)
        names = required(self._protocol) if self.metrics else ()
        self._more = {name: self._difference(METRICS[name], both) for name in names}

    def _difference(self, metric: Metric, both: tuple[Tables, Tables]) -> Floats:
        """How the counts of its home change if a group is repaired."""
        now, repaired = (self._counted(metric.on_table, tables) for tables in both)
        if not (isinstance(metric.how, PerEntity) and metric.how.across):  # no pairs of mentions of different entities
            return repaired - now
        sizes = [self._counted(_SIZES, tables) for tables in both]
        totals = np.zeros((len(self._evaluation.documents), 4))
        np.add.at(totals, self._home, sizes[0])
        before = totals[self._home]
        after = before - sizes[0] + sizes[1]
        inner = [2 * counts - size**2 for counts, size in zip((now, repaired), sizes, strict=True)]
        more: Floats = (after**2 - before**2 + inner[1] - inner[0]) / 2
        return more

    def _counted(self, how: OnTable, tables: Tables) -> Floats:
        protocol = self._protocol
        both = how.rules.tables(tables, protocol.preparing.credit)
        return counted(how, both, protocol.counting.twinless, protocol.counting.singletons).documents

    def interval(self, group: int, resampling: Resampling) -> Floats | None:
        """95 % intervals [metrics, 2] of what is gained by repairing a group; None where too few units can be drawn.

        Its own unit stays, as often as it is there, and all others are drawn again: would it gain so much among others?
        """
        evaluation, protocol, home = self._evaluation, self._protocol, int(self._home[group])
        labels = evaluation.labels(resampling.unit)
        others = {name for name, label in zip(evaluation.documents, labels, strict=True) if label != labels[home]}
        if not self.metrics or protocol.averaging.average == "datasets" or len({*labels}) <= LEAST:
            return None
        sample = sample_of([evaluation], resampling.unit, others)
        own = addends(protocol, evaluation.counts).sum(axis=0) - sample.totals
        now = {name: evaluation.counts[name][[home]] for name in self._more}
        then = {name: counts + self._more[name][group] for name, counts in now.items()}
        repaired = own + addends(protocol, then) - addends(protocol, now)

        def gain(sums: Floats) -> Floats:
            both = [finished(protocol, sums + each)[..., 2] for each in (own, repaired)]
            difference: Floats = both[1] - both[0]
            return difference

        sample = sample._replace(statistic=gain)
        resampled = bootstrap(sample, resampling.trials, resampling.seed)
        ends: Floats = bca(sample.values, resampled, jackknife(sample), sample.strata)[0]
        return ends

    def gained(self, groups: Integers) -> Floats:
        """The f1 of each metric that is gained by repairing each of the groups alone, [groups, metrics]."""
        if not self.metrics:
            return np.zeros((len(groups), 0))
        evaluation, protocol = self._evaluation, self._protocol
        rows, base = addends(protocol, evaluation.counts), evaluation.sums()
        names = evaluation.datasets if protocol.averaging.average == "datasets" else ("",) * len(evaluation.documents)
        dataset = np.zeros(len(names), np.int64)
        for number, places in enumerate(grouped(names).values()):
            dataset[places] = number
        found = np.empty((len(groups), len(self.metrics)))
        now = finished(protocol, base)[:, 2]
        for start in range(0, len(groups), _AT_ONCE):
            some = groups[start : start + _AT_ONCE]
            home = self._home[some]
            counts = {name: evaluation.counts[name][home] + more[some] for name, more in self._more.items()}
            sums = np.repeat(base[None], len(some), axis=0)
            sums[np.arange(len(some)), dataset[home]] += addends(protocol, counts) - rows[home]
            found[start : start + len(some)] = finished(protocol, sums)[..., 2] - now
        return found
