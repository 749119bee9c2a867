"""The metrics: functions from a table to a numerator and a denominator for each key entity.

A metric never divides. Precision is the same function on the transposed table; sums over entities and documents are
plain sums; `Score.of` divides, in one place, and 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .assign import assign
from .exceptions import Error
from .table import TWINLESS, Floats, Table


class Score(NamedTuple):
    """Recall, precision and f1, as fractions of 1."""

    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, counts: Floats) -> Score:
        """The ratios of [recall numerator, recall denominator, precision numerator, precision denominator].

        A ratio with denominator 0 is 0, and so is the f1 of two zeros: what was not there to be found is never
        counted as found.

        >>> Score.of(np.array([1.0, 2.0, 0.0, 0.0]))
        Score(recall=0.5, precision=0.0, f1=0.0)
        """
        recall, precision = (_ratio(float(top), float(bottom)) for top, bottom in (counts[:2], counts[2:]))
        return cls(recall, precision, _ratio(2 * recall * precision, recall + precision))


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else 0.0


Function = Callable[[Table], tuple[Floats, Floats]]


class Metric(NamedTuple):
    """A metric: its name everywhere, what it is, where it was defined, the function, its rule for twinless mentions."""

    name: str
    title: str
    citation: str
    function: Function
    twinless: str = "as-is"


def _pairs(number: Floats) -> Floats:
    return number * (number - 1) / 2


def mentions(table: Table) -> tuple[Floats, Floats]:
    """Mention detection: how many mentions of the entity are in the response, of all its mentions."""
    return table.shared, table.key_size


def muc(table: Table) -> tuple[Floats, Floats]:
    """MUC: the links needed to join the entity's mentions that the response has, of those it takes to join them all.

    The response cuts an entity of k mentions into p parts, where every mention it lacks is a part of its own:
    k − p of k − 1 links are found. Singletons have no links and count nowhere.
    """
    parts = table.per_row(np.ones_like(table.count)) + table.key_size - table.shared
    return table.key_size - parts, table.key_size - 1


def b3(table: Table) -> tuple[Floats, Floats]:
    """B³: for each mention the share of its entity that the response puts together with it; Σ n²/k of k."""
    return table.per_row(table.count**2) / table.key_size, table.key_size


def b3_classes(table: Table) -> tuple[Floats, Floats]:
    """B³ with the same weight for every entity, however many mentions it has: Σ n²/k² of 1."""
    return table.per_row(table.count**2) / table.key_size**2, np.ones_like(table.key_size)


def _ceaf(table: Table, similarity: Floats) -> Floats:
    chosen = assign(table.row, table.column, similarity)
    best = np.zeros_like(table.key_size)
    best[table.row[chosen]] = similarity[chosen]
    return best


def ceafm(table: Table) -> tuple[Floats, Floats]:
    """CEAFm: entities aligned one to one so that they share most mentions; the shared mentions, of k."""
    return _ceaf(table, table.count), table.key_size


def ceafe(table: Table) -> tuple[Floats, Floats]:
    """CEAFe: entities aligned one to one with the greatest total similarity 2n/(k + r); the similarity, of 1."""
    similarity = 2 * table.count / (table.key_size[table.row] + table.response_size[table.column])
    return _ceaf(table, similarity), np.ones_like(table.key_size)


def lea(table: Table) -> tuple[Floats, Floats]:
    """LEA: the share of the entity's links that are found, weighted by its size.

    A singleton has one link, to itself, and it is found if the mention is a singleton of the response too.
    """
    single = table.key_size == 1
    self_links = table.per_row(table.response_size[table.column] == 1)
    found = table.per_row(_pairs(table.count))
    share = np.where(single, self_links, found / np.where(single, 1, _pairs(table.key_size)))
    return table.key_size * share, table.key_size


def pairwise(table: Table) -> tuple[Floats, Floats]:
    """Coreference links: pairs of mentions in one entity, of all such pairs of the key."""
    return table.per_row(_pairs(table.count)), _pairs(table.key_size)


def nonlinks(table: Table) -> tuple[Floats, Floats]:
    """Non-coreference links: pairs of mentions in two entities; each entity is credited with half of its pairs."""
    rows, columns = table.shared, table.transposed.shared
    aligned = table.per_document(rows)[table.key_document]
    everything = table.per_document(table.key_size)[table.key_document]
    others = (aligned - rows)[table.row] - columns[table.column] + table.count
    return table.per_row(table.count * others) / 2, table.key_size * (everything - table.key_size) / 2


def _derived(metric: Metric, twinless: str, source: str) -> Metric:
    title = f"{metric.title}, twinless mentions: {TWINLESS[twinless].__doc__}".split("\n")[0]
    suffix = twinless.removesuffix("-all") or twinless
    return metric._replace(name=f"{metric.name}-{suffix}", title=title, citation=source, twinless=twinless)


_B3 = Metric("b3", "B-cubed", "Bagga & Baldwin 1998", b3)
_CEAFM = Metric("ceafm", "CEAF by mentions (φ3)", "Luo 2005", ceafm)
_CEAFE = Metric("ceafe", "CEAF by entities (φ4)", "Luo 2005", ceafe)

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("mentions", "mention detection", "Pradhan et al. 2014", mentions),
        Metric("muc", "MUC links", "Vilain et al. 1995", muc),
        _B3,
        Metric("b3-classes", "B-cubed, every entity weighted equally", "Bagga & Baldwin 1998", b3_classes),
        _CEAFM,
        _CEAFE,
        Metric("lea", "link-based entity-aware", "Moosavi & Strube 2016", lea),
        Metric("pairwise", "coreference links", "Recasens & Hovy 2011", pairwise),
        Metric("nonlinks", "non-coreference links", "Recasens & Hovy 2011", nonlinks),
        _derived(_B3, "0", "Stoyanov et al. 2009"),
        _derived(_B3, "all", "Stoyanov et al. 2009"),
        _derived(_B3, "rn-all", "Rahman & Ng 2009"),
        _derived(_B3, "sys", "Cai & Strube 2010"),
        _derived(_CEAFM, "rn", "Rahman & Ng 2009"),
        _derived(_CEAFM, "sys", "Cai & Strube 2010"),
        _derived(_CEAFE, "rn", "Rahman & Ng 2009"),
        _derived(_CEAFE, "sys", "Cai & Strube 2010"),
    )
}


class Average(NamedTuple):
    """The mean of other metrics' recalls, precisions and f1s; parts that do not apply are left out."""

    name: str
    title: str
    citation: str
    parts: tuple[str, ...]
    applies: Callable[[Floats], bool] = lambda counts: True


def _key_has_links(counts: Floats) -> bool:
    return bool(counts[1])


AVERAGES: dict[str, Average] = {
    average.name: average
    for average in (
        Average("blanc", "BLANC: coreference and non-coreference links", "Luo et al. 2014", ("pairwise", "nonlinks"),
                _key_has_links),
        Average("conll", "mean of MUC, B³ and CEAFe", "Pradhan et al. 2012", ("muc", "b3", "ceafe")),
    )
}  # fmt: skip


def named(names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The names, each once; `all` stands for every metric and average."""
    known = (*METRICS, *AVERAGES)
    wanted = [each for name in names for each in (known if name == "all" else (name,))]
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        raise Error(
            "unknown-metric", f"no metric '{', '.join(unknown)}'", expected=f"some of {', '.join(known)}, or all"
        )
    return tuple(dict.fromkeys(wanted))


def needed(names: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics that have to be computed for these metrics and averages."""
    found: dict[str, None] = {}
    for name in names:
        parts = needed(AVERAGES[name].parts) if name in AVERAGES else (name,)
        found.update(dict.fromkeys(parts))
    return tuple(found)


def entity_counts(metric: Metric, table: Table) -> NDArray[np.float64]:
    """For each key entity, numerator and denominator of the metric on this table."""
    return np.stack(metric.function(table), axis=1)


def document_counts(metric: Metric, table: Table, twinless: str = "as-is") -> Floats:
    """For each document recall numerator, recall denominator, precision numerator, precision denominator."""
    variant = TWINLESS[metric.twinless if metric.twinless != "as-is" else twinless]
    for_recall, for_precision = variant(table)
    columns = []
    for part in (for_recall, for_precision.transposed):
        columns += [part.per_document(values) for values in metric.function(part)]
    return np.stack(columns, axis=1)


def score(name: str, counts: Mapping[str, Floats]) -> Score:
    """The score of a metric or an average from the sums of the metrics it needs.

    >>> score("conll", {name: np.array([1.0, 2, 1, 1]) for name in ("muc", "b3", "ceafe")}).recall
    0.5
    """
    if name not in AVERAGES:
        return Score.of(counts[name])
    average = AVERAGES[name]
    parts = [part for part in average.parts if part in AVERAGES or average.applies(counts[part])]
    scores = [score(part, counts) for part in parts]
    return (
        Score(*(sum(values) / len(scores) for values in zip(*scores, strict=True))) if scores else Score(0.0, 0.0, 0.0)
    )
