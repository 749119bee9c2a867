"""How much of what a response loses is mention detection, and how much is linking, in every metric.

Two repairs are made on the table, alone and together. *Mentions right*: mentions that the key lacks are taken out, and
those that the response lacks are added, each alone. *Links right*: common mentions are put together as in the key, and
those that the key lacks are each alone. Both together give the key. What mentions lose is the mean of what their repair
gains before and after the other one (Shapley), and so it is with links: together they lose all that is lost. Where
recall and precision look mentions up differently (repeated mentions, zeros), each has a table, and both are repaired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Unpack

import numpy as np

from ..counting.corpus import corpus
from ..counting.metrics import Links, document_counts, ratio
from ..counting.rules import discarded, padded
from ..counting.table import Floats, Settings, Table, TableCells, Tables, TableSide, without
from ..layout import grid, render
from ..layout.grid import Grid, signed
from ..layout.render import Json
from ..problems import Error
from ..protocol.keywords import Keywords
from ..relations.registry import METRICS, on_table, split_name
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.evidence import KindSums
from ..results.scores import Factors, Interval, Resampling
from ..run.request import Key, Request, Side
from ..run.score import scored
from ..statistics.samples import LEAST, interval, sample_of
from ..statistics.significance import bca, bootstrap, jackknife

_MEANING = "the mean of what repairing mentions, or links, gains in f1 before and after the other (Shapley)"
_NOTHING = 1e-12
REPAIRED = "(repaired)"  # where sums of repaired responses are saved, beside those of kinds of mentions


class Loss(NamedTuple):
    """An f1, and what of it is lost by mentions and by links."""

    f1: float
    mentions: float
    links: float

    @property
    def share(self) -> float | None:
        """The share of mention detection; None if nothing is lost, or a repair costs more than it gains."""
        lost = self.mentions + self.links
        return self.mentions / lost if lost > _NOTHING and min(self.mentions, self.links) > -_NOTHING else None

    def to_dict(self) -> Json:
        """The parts and the share for JSON."""
        return {**self._asdict(), "share": self.share}


@dataclass(frozen=True, eq=False)
class Shares:
    """What each metric loses by mentions and by links; where it is a product, its factors, too.

    >>> import scoref
    >>> found = scoref.shares([["a", "b"], ["c", "d"]], [["a", "b", "x"], ["c"], ["d"]], metrics=["muc", "mentions"])
    >>> {name: round(value, 3) for name, value in found.losses["muc"].to_dict().items()}
    {'f1': 0.5, 'mentions': 0.083, 'links': 0.417, 'share': 0.167}
    >>> found.losses["mentions"].share
    1.0
    """

    evaluation: Evaluation
    losses: Mapping[str, Loss]
    repaired: KindSums
    left_out: tuple[str, ...] = ()

    __str__ = render.text
    _repr_html_ = render.html

    def grids(self) -> list[Grid]:
        """The factors of metrics that have some, and what every metric loses."""
        rows: list[tuple[grid.Cell, ...]] = [
            (f"{name} {part}", *values)
            for name, each in self.evaluation.factors.items()
            for part, values in each.items()
        ]
        return [*([Grid("", ("product", *Factors._fields), rows)] if rows else []), self.whole_grid()]

    def whole_grid(self) -> Grid:
        """What every metric loses."""
        rows: list[tuple[grid.Cell, ...]] = []
        for name, each in self.losses.items():
            share = grid.NOTHING if each.share is None else each.share
            rows.append((name, each.f1, signed(-each.mentions), signed(-each.links), share))
        return Grid("", ("metric", "f1", "by mentions", "by links", "detection share"), rows)

    def notes(self) -> list[str]:
        """What the table means, and which metrics are not in it."""
        lacking = f"{', '.join(self.left_out)}: not by mentions and links, as more than the table counts there"
        return [f"by mentions, by links: {_MEANING}", *([lacking] if self.left_out else [])]

    def to_dict(self) -> dict[str, Json]:
        """The losses by metric."""
        return {name: each.to_dict() for name, each in self.losses.items()}

    def to_frame(self) -> render.DataFrame:
        """A row for each metric."""
        return render.frame(self.whole_grid())

    @property
    def sums(self) -> dict[str, KindSums]:
        """What repaired responses count in each document, to be saved with the evaluation and merged."""
        return self.sums_in(self.evaluation.documents)

    def sums_in(self, documents: Sequence[str]) -> dict[str, KindSums]:
        """The same for these documents, in their order; nothing if they are others."""
        place = {name: number for number, name in enumerate(self.evaluation.documents)}
        alone = len(documents) == len(place) == 1  # a table without documents is one, whatever it is called
        if not alone and {*documents} != {*place}:
            return {}
        order = [0 if alone else place[name] for name in documents]
        each = {kind: {name: of[order] for name, of in counts.items()} for kind, counts in self.repaired.counts.items()}
        return {REPAIRED: KindSums(each, {})}

    def against(self, other: Shares) -> SharedDifference:
        """Of the difference to another response, or setting, how much is mention detection, and how much linking."""
        return SharedDifference(self, other)


@dataclass(frozen=True, eq=False)
class SharedDifference:
    """The difference in f1 between two responses, and its parts: what the second loses less by mentions, by links.

    The parts are the whole difference, unless the protocols differ, and with them the best that can be reached.
    """

    first: Shares
    second: Shares

    __str__ = render.text
    _repr_html_ = render.html

    def parts(self) -> dict[str, Loss]:
        """By metric the difference in f1, the part of mentions, and that of links."""
        ours, theirs = self.first.losses, self.second.losses
        each = ((name, ours[name], other) for name, other in theirs.items() if name in ours)
        return {
            name: Loss(other.f1 - one.f1, one.mentions - other.mentions, one.links - other.links)
            for name, one, other in each
        }

    def whole_grid(self) -> Grid:
        """A row for each metric."""
        rows: list[tuple[grid.Cell, ...]] = [
            (name, self.first.losses[name].f1, self.second.losses[name].f1, *map(signed, each))
            for name, each in self.parts().items()
        ]
        return Grid("", ("metric", "first", "second", "difference", "by mentions", "by links"), rows)

    def grids(self) -> list[Grid]:
        """The table."""
        return [self.whole_grid()]

    def notes(self) -> list[str]:
        """What the table means, and what the second response is scored by."""
        return [f"by mentions, by links: what the second loses less; {_MEANING}", *self.second.evaluation.about()]

    def to_dict(self) -> Json:
        """Both signatures; by metric both f1, the difference and its parts."""
        return {
            "signatures": [self.first.evaluation.signature, self.second.evaluation.signature],
            "differences": {
                name: {
                    "first": self.first.losses[name].f1, "second": self.second.losses[name].f1,
                    "difference": each.f1, "mentions": each.mentions, "links": each.links,
                }
                for name, each in self.parts().items()
            },
        }  # fmt: skip

    def to_frame(self) -> render.DataFrame:
        """A row for each metric."""
        return render.frame(self.whole_grid())


def shares(key: Side | Key | Evaluation, response: Side | None = None, **keywords: Unpack[Keywords]) -> Shares:
    """How much of what each metric loses is mention detection: of an evaluation, or of sides and keywords of `score`.

    Tables are read as documents.
    """
    if isinstance(key, Evaluation):
        return _shares(key)
    return _shares(scored(Request.of(key, response, {**keywords, "jobs": 1}).with_documents()))


def _shares(evaluation: Evaluation) -> Shares:
    repaired = _repaired(evaluation)
    versions = _versions(evaluation, repaired)
    wanted = versions[0].protocol.metrics
    now, mentions, links, both = ({name: score.f1 for name, score in each.scores.items()} for each in versions)
    losses = {}
    for name in wanted:
        by_mentions = ((mentions[name] - now[name]) + (both[name] - links[name])) / 2
        losses[name] = Loss(now[name], by_mentions, both[name] - now[name] - by_mentions)
    left_out = tuple(name for name in evaluation.protocol.metrics if name not in wanted)
    return Shares(evaluation, losses, repaired, left_out)


def share_interval(found: Shares, metric: str, resampling: Resampling) -> Interval | None:
    """A 95 % interval of the share of what a metric loses that is mention detection; None with too few units."""
    if len({*found.evaluation.labels(resampling.unit)}) < LEAST:
        return None
    versions = _versions(found.evaluation, found.repaired)
    place = versions[0].protocol.metrics.index(metric)
    sample = sample_of(versions, resampling.unit)
    f1 = sample.statistic

    def share(sums: Floats) -> Floats:
        now, mentions, links, both = np.moveaxis(f1(sums)[..., place, 2], -1, 0)
        return np.asarray(ratio((mentions - now + both - links) / 2, both - now))[..., None]

    sample = sample._replace(statistic=share)
    resampled = bootstrap(sample, resampling.trials, resampling.seed)
    return interval(bca(sample.values, resampled, jackknife(sample), sample.strata)[0])


def _versions(evaluation: Evaluation, repaired: KindSums) -> list[Evaluation]:
    """An evaluation of the metrics counted on the tables alone: as it is, with either repair, with both."""
    protocol = evaluation.protocol
    known = [name for name in protocol.metrics if not split_name(name)[0] and on_table(name)]
    counted = set.intersection(*(set(counts) for counts in repaired.counts.values()))
    wanted = [name for name in known if {*required(protocol.change(metrics=[name]))} <= counted]
    if not wanted:
        raise Error("no-entities", "no metric here is counted on the table alone", expected="a metric like muc or b3",
                    remedy="add --metrics b3")  # fmt: skip
    chosen = replace(evaluation, protocol=protocol.change(metrics=wanted))
    return [chosen, *(replace(chosen, counts=repaired.counts[name]) for name in _REPAIRS)]


def _repaired(evaluation: Evaluation) -> KindSums:
    """What repaired responses count in each document, perhaps as it was saved."""
    if saved := evaluation.source.kinds.get(REPAIRED):
        return saved
    protocol, evidence = evaluation.protocol, evaluation.evidence
    if any(key.sets or response.sets or key.hidden or response.hidden for key, response, _ in evidence.aligned):
        raise Error("shared-sets", "what mentions lose is not defined with split antecedents",
                    expected="entities without sets", remedy="leave sets out: --split ignore")  # fmt: skip
    settings = Settings(protocol.counting.beta, protocol.counting.frequent)
    tables = corpus(evidence.aligned, evidence.homes, settings).shown
    names = [name for name in required(protocol) if _counts_as(evaluation, name, tables)]
    each = {kind: tables.changed(repair) for kind, repair in _REPAIRS.items()}
    counts = {kind: {name: _counted(evaluation, name, one) for name in names} for kind, one in each.items()}
    return KindSums(counts, {})


def _counted(evaluation: Evaluation, name: str, tables: Tables) -> Floats:
    """The counts of a metric on the tables that it takes recall and precision from."""
    how, metric = evaluation.protocol.counting, METRICS[name]
    if how.singletons == "drop":
        tables = tables.changed(lambda table: without(table, response=table.response.size == 1))
    both = metric.rules.tables(tables, evaluation.protocol.preparing.credit)
    return document_counts(metric, both, how.twinless, how.singletons)


def _counts_as(evaluation: Evaluation, name: str, tables: Tables) -> bool:
    """Whether a metric is what it counts on the tables, without further rules: for weights, repeated mentions."""
    if split_name(name)[0] or not on_table(name) or isinstance(METRICS[name].how, Links):
        return False
    return np.allclose(_counted(evaluation, name, tables), evaluation.counts[name], rtol=1e-9, atol=1e-9)


def _found(table: Table) -> Table:
    """The table of a response with the mentions of the key, of which it links what it linked before."""
    return padded(discarded(table)[0])[0]


def _linked(table: Table) -> Table:
    """The table of a response with its own mentions, which it links as the key does."""
    rows = np.flatnonzero(table.shared)
    twinless = table.response.mentions - table.transposed.shared  # below 0 where a mention has several twins
    spurious = np.maximum(twinless, 0).astype(np.int64)
    sizes = np.concatenate((table.shared[rows], np.ones(spurious.sum())))
    documents = np.concatenate((table.key.document[rows], np.repeat(table.response.document, spurious)))
    cells = TableCells(rows, np.arange(len(rows)), table.shared[rows])
    return Table(cells, table.key, TableSide(sizes, documents), table.documents, table.settings)


def _perfect(table: Table) -> Table:
    """The table of the key against itself."""
    every = np.arange(len(table.key.size))
    return Table(TableCells(every, every, table.key.size), table.key, table.key, table.documents, table.settings)


_REPAIRS = {"mentions": _found, "links": _linked, "both": _perfect}
