"""The metrics: functions from a table to a numerator and a denominator for each key entity.

A metric never divides. Precision is the same function on the transposed table; sums over entities and documents are
plain sums; `ratios` divides, in one place, and 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..matching.assign import assign
from .clusterings import (
    adjusted_rand,
    major_by_size,
    major_equally,
    means,
    pairs_together,
    surprises,
    v_measure,
)
from .table import SINGLETONS, TWINLESS, Floats, Table, Tables, as_is


class Score(NamedTuple):
    """Recall, precision and f1, as fractions of 1."""

    recall: float
    precision: float
    f1: float

    @classmethod
    def of(cls, counts: Floats) -> Score:
        """The ratios of [recall numerator, recall denominator, precision numerator, precision denominator].

        >>> Score.of(np.array([1.0, 2.0, 0.0, 0.0]))
        Score(recall=0.5, precision=0.0, f1=0.0)
        """
        return cls(*ratios(counts).tolist())


def ratios(counts: Floats) -> Floats:
    """Recall, precision and f1 of counts [..., 4], as [..., 3]: the one place that divides.

    0/0 counts as 0, in ratios and in f1.

    >>> ratios(np.array([[1.0, 2.0, 1.0, 1.0], [0.0, 0.0, 0.0, 5.0]])).tolist()
    [[0.5, 1.0, 0.6666666666666666], [0.0, 0.0, 0.0]]
    """
    recall, precision = ratio(counts[..., 0], counts[..., 1]), ratio(counts[..., 2], counts[..., 3])
    return np.stack((recall, precision, ratio(2 * recall * precision, recall + precision)), axis=-1)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """The quotient; 0 where the denominator is 0."""
    found: Floats = np.divide(top, bottom, out=np.zeros(np.shape(top)), where=bottom != 0)
    return found


Function = Callable[[Table], tuple[Floats, Floats]]


class Metric(NamedTuple):
    """A metric: its name everywhere, what it is, where it was defined, the function, its rule for twinless mentions.

    `kind` says which rules for singletons concern it (`table.SINGLETONS`), `what` what it counts.

    Sets are compared by the metric itself on their members, or by `inside` where that differs. `shares` says in which
    sense an entity has a mention that stands in several: the `last` one does, or each of them (`every`); `distinct`
    metrics count such a mention once. The scorer
    ua-1.0 counts `mutual` metrics from the key's side in both directions; it credits aligned sets with their f1 in both
    directions for all that are not `last`.
    """

    name: str
    title: str
    citation: str
    function: Function
    kind: str = ""
    what: str = "mentions"
    twinless: str | None = None  # None: what the protocol says
    inside: Function | None = None
    shares: str = "last"
    sums: Callable[[Table], Floats] | None = None  # what is added up, if that is not numerators and denominators
    ratios: Callable[[Floats], Floats] | None = None  # and what is made of it
    borders: str = ""  # links `within` a document, or those that `cross` its borders
    weights: str = ""  # mentions' weights are the sizes of entities (`sizes`), or their `importance`, or nothing

    def tables(self, tables: Tables, credit: str) -> tuple[Table, Table]:
        """The tables that this metric takes recall and precision from."""
        if self.shares == "every":
            return tables.every, tables.every
        if self.shares == "distinct":
            return tables.distinct
        mutual = self.shares == "mutual" and credit == "ua-1.0"
        return tables.recall, tables.recall if mutual else tables.precision


def _pairs(number: Floats) -> Floats:
    return number * (number - 1) / 2


def _links(table: Table) -> Floats:
    """The links between the mentions that a cell shares, and from them to its set, as far as it is credited."""
    return _pairs(table.count) + table.credit * table.count


def _self_links(table: Table) -> Floats:
    """Whether each key entity shares a mention with a singleton of the response."""
    return table.per_row((table.response_size[table.column] == 1) & (table.count > 0))


def mentions(table: Table) -> tuple[Floats, Floats]:
    """Mention detection: how many mentions of the entity are in the response, of all its mentions."""
    return table.shared, table.key_mentions


def muc(table: Table) -> tuple[Floats, Floats]:
    """MUC: the links needed to join the entity's mentions that the response has, of those it takes to join them all.

    The response cuts an entity of k mentions into p parts, where every mention it lacks is a part of its own:
    k − p of k − 1 links are found. Singletons have no links and count nowhere. A set is one more link, credited if its
    entity shares a mention with the entity of the aligned set.
    """
    joined = table.count > 0
    return table.shared - table.per_row(joined * (1 - table.credit)), table.key_size - 1


def muc_inside_sets(table: Table) -> tuple[Floats, Floats]:
    """MUC among the members of sets, where a singleton has one link, to itself, as in LEA."""
    found, links = muc(table)
    single = table.key_size == 1
    return np.where(single, _self_links(table), found), np.where(single, 1.0, links)


def b3(table: Table) -> tuple[Floats, Floats]:
    """B³: for each mention the share of its entity that the response puts together with it; Σ n²/k of k."""
    return table.per_row(table.weight**2) / table.key_size, table.key_size


def b3_classes(table: Table) -> tuple[Floats, Floats]:
    """B³ with the same weight for every entity, however many mentions it has: Σ n²/k² of 1."""
    return table.per_row(table.weight**2) / table.key_size**2, np.ones_like(table.key_size)


def _ceaf(table: Table, name: str, similarity: Floats) -> Floats:
    """The similarity of each key entity to its partner; a table and the transposed one have the same partners."""
    if name not in table.alignments:
        table.alignments[name] = assign(table.row, table.column, similarity)
    chosen = table.alignments[name]
    best = np.zeros_like(table.key_size)
    best[table.row[chosen]] = similarity[chosen]
    return best


def ceafm(table: Table) -> tuple[Floats, Floats]:
    """CEAFm: entities aligned one to one so that they share most mentions; the shared mentions, of k."""
    return _ceaf(table, "ceafm", table.weight), table.key_size


def ceafe(table: Table) -> tuple[Floats, Floats]:
    """CEAFe: entities aligned one to one with the greatest total similarity 2n/(k + r); the similarity, of 1."""
    similarity = 2 * table.weight / (table.key_size[table.row] + table.response_size[table.column])
    return _ceaf(table, "ceafe", similarity), np.ones_like(table.key_size)


def lea(table: Table) -> tuple[Floats, Floats]:
    """LEA: the share of the entity's links that are found, weighted by its size.

    A singleton has one link, to itself, and it is found if the mention is a singleton of the response too.
    """
    single = table.key_size == 1
    found = table.per_row(_links(table))
    share = np.where(single, _self_links(table), found / np.where(single, 1, _pairs(table.key_size)))
    return table.importance * share, table.importance


def pairwise(table: Table) -> tuple[Floats, Floats]:
    """Coreference links: pairs of mentions in one entity, of all such pairs of the key."""
    return table.per_row(_links(table)), _pairs(table.key_size)


def nonlinks(table: Table) -> tuple[Floats, Floats]:
    """Non-coreference links: pairs of mentions in two entities; each entity is credited with half of its pairs."""
    rows, columns = table.per_row(table.weight), table.transposed.per_row(table.weight)
    aligned = table.per_document(rows)[table.key_document]
    everything = table.per_document(table.key_size)[table.key_document]
    others = (aligned - rows)[table.row] - columns[table.column] + table.weight
    return table.per_row(table.weight * others) / 2, table.key_size * (everything - table.key_size) / 2


def links(table: Table) -> tuple[Floats, Floats]:
    """Pairs of mentions in one entity that are in one entity of the response, of all; sets are not counted."""
    return table.per_row(_pairs(table.count)), _pairs(table.key_mentions)


def entities_exact(table: Table) -> tuple[Floats, Floats]:
    """Entities that the response has with exactly these mentions, of all entities."""
    same = (table.weight == table.key_size[table.row]) & (table.weight == table.response_size[table.column])
    return table.per_row(same), np.ones_like(table.key_size)


def _derived(metric: Metric, twinless: str, source: str) -> Metric:
    suffix = twinless.removesuffix("-all") or twinless
    return metric._replace(
        name=f"{metric.name}-{suffix}",
        title=f"{metric.title}, twinless mentions: {twinless}",
        citation=source,
        twinless=twinless,
        weights="",
    )


_B3 = Metric("b3", "B-cubed", "Bagga & Baldwin 1998", b3, "b3", weights="sizes")
_CEAFM = Metric("ceafm", "CEAF by mentions (φ3)", "Luo 2005", ceafm, "ceaf", shares="every", weights="sizes")
_CEAFE = Metric("ceafe", "CEAF by entities (φ4)", "Luo 2005", ceafe, "ceaf", shares="every", weights="sizes")
_LINKS = "coreference links"
_BORDERS = Metric("", "", "Upadhyay et al. 2016", links, shares="mutual")
_WHOLE = Metric("", "", "", mentions, what="common mentions", twinless="as-is", shares="every")
_MAJOR = _WHOLE._replace(citation="Manikantan et al. 2024", what="major entities", ratios=means)

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("mentions", "mention detection", "Pradhan et al. 2014", mentions, twinless="as-is", shares="distinct"),
        Metric("muc", "MUC links", "Vilain et al. 1995", muc, what=_LINKS, inside=muc_inside_sets),
        _B3,
        Metric("b3-classes", "B-cubed, every entity weighted equally", "Bagga & Baldwin 1998", b3_classes, "b3"),
        _CEAFM,
        _CEAFE,
        Metric("lea", "link-based entity-aware", "Moosavi & Strube 2016", lea, "lea", weights="importance"),
        Metric("pairwise", _LINKS, "Recasens & Hovy 2011", pairwise, what=_LINKS, shares="mutual"),
        Metric("nonlinks", f"non-{_LINKS}", "Recasens & Hovy 2011", nonlinks, what=f"non-{_LINKS}", shares="mutual"),
        _derived(_B3, "0", "Stoyanov et al. 2009"),
        _derived(_B3, "all", "Stoyanov et al. 2009"),
        _derived(_B3, "rn-all", "Rahman & Ng 2009"),
        _derived(_B3, "sys", "Cai & Strube 2010"),
        _derived(_CEAFM, "rn", "Rahman & Ng 2009"),
        _derived(_CEAFM, "sys", "Cai & Strube 2010"),
        _derived(_CEAFE, "rn", "Rahman & Ng 2009"),
        _derived(_CEAFE, "sys", "Cai & Strube 2010"),
        Metric("entities-exact", "entities that are exactly right", "Menestrina et al. 2010", entities_exact),
        _BORDERS._replace(name="links-within", title=f"{_LINKS} within documents", what="links within documents",
                          borders="within"),
        _BORDERS._replace(name="links-cross", title=f"{_LINKS} across documents", what="links across documents",
                          borders="cross"),
        _WHOLE._replace(name="ari", title="adjusted Rand index of common mentions", citation="Hubert & Arabie 1985",
                        sums=pairs_together, ratios=adjusted_rand),
        _WHOLE._replace(name="v-measure", title="completeness, homogeneity, V-measure of common mentions",
                        citation="Rosenberg & Hirschberg 2007", sums=surprises, ratios=v_measure),
        _MAJOR._replace(name="entities-macro", title="major entities (--frequent), mean", sums=major_equally),
        _MAJOR._replace(name="entities-micro", title="major entities (--frequent), mean by size", sums=major_by_size),
    )
}  # fmt: skip


WHOLE = tuple(name for name, metric in METRICS.items() if metric.sums)  # compare clusterings as wholes


class Average(NamedTuple):
    """The mean of other metrics' recalls, precisions and f1s; with `skip_empty`, of those that have links to find."""

    name: str
    title: str
    citation: str
    parts: tuple[str, ...]
    skip_empty: bool = False


AVERAGES: dict[str, Average] = {
    average.name: average
    for average in (
        Average("blanc", "coreference and non-coreference links", "Luo et al. 2014", ("pairwise", "nonlinks"), True),
        Average("kbp", "mean of MUC, B³, CEAFe and BLANC", "TAC KBP 2015", ("muc", "b3", "ceafe", "blanc")),
        Average("conll", "mean of MUC, B³ and CEAFe", "Pradhan et al. 2012", ("muc", "b3", "ceafe")),
    )
}

LINKS = ("key", "both", "always", "scorch")


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """The metrics that have to be computed for these metrics and averages; a prefix like `deixis:` is kept.

    >>> needed(["conll", "deixis:blanc"])
    ('muc', 'b3', 'ceafe', 'deixis:pairwise', 'deixis:nonlinks')
    """
    found: dict[str, None] = {}
    for name in names:
        prefix, base = split_name(name)
        parts = needed(AVERAGES[base].parts) if base in AVERAGES else (base,)
        found.update(dict.fromkeys(prefix + part for part in parts))
    return tuple(found)


DEIXIS = "deixis:"


def split_name(name: str) -> tuple[str, str]:
    """The prefix and the rest of a metric's name.

    >>> split_name("deixis:muc"), split_name("muc")
    (('deixis:', 'muc'), ('', 'muc'))
    """
    base = name.removeprefix(DEIXIS)
    return name.removesuffix(base), base


class Counted(NamedTuple):
    """What a metric counts: [documents, 4]; numerators and denominators of entities, where these are as they are."""

    documents: Floats
    key: tuple[Floats, Floats] | None
    response: tuple[Floats, Floats] | None


def counted(
    metric: Metric, tables: Table | tuple[Table, Table], twinless: str = "as-is", singletons: str = "keep"
) -> Counted:
    """The counts of a metric for each document and for each entity.

    Where the two directions differ (credit for sets, mentions in several entities), each has a table of its own.
    """
    rule = metric.twinless or twinless
    both = tables if isinstance(tables, tuple) else (tables, tables)
    variants = (SINGLETONS[singletons].get(metric.kind, as_is), TWINLESS[rule])
    for variant in variants:
        recall, precision = variant(both[0])
        both = recall, precision if both[1] is both[0] else variant(both[1])[1]
    recall, precision = both
    if metric.sums:
        return Counted(metric.sums(recall), None, None)
    as_they_are = all(variant is as_is for variant in variants)
    columns: list[Floats] = []
    sides = []
    for part in (recall, precision.transposed):
        values = metric.function(part)
        columns += [part.per_document(each) for each in values]
        sides.append(values if as_they_are else None)
    return Counted(np.stack(columns, axis=1), sides[0], sides[1])


def document_counts(
    metric: Metric, tables: Table | tuple[Table, Table], twinless: str = "as-is", singletons: str = "keep"
) -> Floats:
    """For each document recall numerator, recall denominator, precision numerator, precision denominator."""
    return counted(metric, tables, twinless, singletons).documents


def scores(name: str, counts: Mapping[str, Floats], links: str = "key") -> Floats:
    """The scores [..., 3] of a metric or an average from the sums [..., 4] of the metrics it needs.

    BLANC leaves out the kind of links that the key does not have (`links="key"`, as the reference scorer does), or that
    neither side has (`links="both"`). With `always` it leaves out none, and one that neither side has counts 1 (ASP).
    With `scorch` it is as with `key`, but a key without links is scored too: see `_of_few_mentions`.

    >>> counts = np.array([[1.0, 2, 1, 1], [0, 0, 0, 0]])
    >>> scores("blanc", {"pairwise": counts, "nonlinks": counts[::-1]})[:, 0].tolist()
    [0.5, 0.5]
    """
    prefix, base = split_name(name)
    if base not in AVERAGES:
        return ((base in METRICS and METRICS[base].ratios) or ratios)(counts[name])
    average = AVERAGES[base]
    parts = [prefix + part for part in average.parts]
    values: Floats = np.stack([scores(part, counts, links) for part in parts])
    there = np.ones(values.shape[:-1], np.bool_)
    if average.skip_empty and links == "always":
        neither = np.stack([(counts[part][..., 1::2] == 0).all(axis=-1) for part in parts])
        values = np.where(neither[..., None], 1.0, values)
    elif average.skip_empty:
        sides = [1, 3] if links == "both" else [1]
        there = np.stack([(counts[part][..., sides] != 0).any(axis=-1) for part in parts])
    found = ratio(np.where(there[..., None], values, 0.0).sum(axis=0), there.sum(axis=0)[..., None])
    if average.skip_empty and links == "scorch":
        few = _of_few_mentions(counts[f"{prefix}b3"], counts[f"{prefix}nonlinks"])
        linked: NDArray[np.bool_] = np.any(there, axis=0, keepdims=True)[0]
        return np.where(linked[..., None], found, few[..., None])
    return found


def _of_few_mentions(b3: Floats, nonlinks: Floats) -> Floats:
    """BLANC as scorch has it for keys with fewer than two mentions.

    One mention on each side: 1 if they are the same, else 0. Otherwise 1 if the response has no non-coreference links.
    """
    alone = (b3[..., 1] == 1) & (b3[..., 3] == 1)
    return np.where(alone, b3[..., 0], nonlinks[..., 3] == 0)


def score(name: str, counts: Mapping[str, Floats], links: str = "key") -> Score:
    """The score of a metric or an average from the sums of the metrics it needs: `scores` of one set of sums.

    >>> score("conll", {name: np.array([1.0, 2, 1, 1]) for name in ("muc", "b3", "ceafe")}).recall
    0.5
    """
    return Score(*scores(name, counts, links).tolist())
