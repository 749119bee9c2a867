"""The metrics on the table: MUC, B³, CEAF, LEA, the links of BLANC and their relatives, each with its formula.

In the formulas n is the number of mentions that key entity i shares with response entity j, k and r are the sizes of
the two, and sums are over the response entities j. Where entities stand for sets of others, the set is one more
element, of which δ is credited: n counts mentions, w = n + δ elements. Recall is given; precision exchanges the sides.
"""

from __future__ import annotations

import numpy as np

from .clusterings import (
    adjusted_rand,
    associated,
    correlation,
    detected,
    detection,
    links_of_cells,
    major_by_size,
    major_equally,
    means,
    pairs_together,
    surprises,
    v_measure,
)
from .metrics import Links, Metric, OneToOne, PerEntity, Rules, Similarity, Whole, pairs, registry
from .special import b3_overlapping, links_overlapping, nonlinks_overlapping
from .table import Floats, Table


def one(table: Table) -> Floats:
    """Every entity counts 1."""
    return np.ones_like(table.key.size)


def size(table: Table) -> Floats:
    """Every entity counts its elements: k."""
    return table.key.size


def mentions(table: Table) -> Floats:
    """Mention detection: the mentions of the entity that are in the response, of all its mentions; Σ n of k."""
    return table.n


def all_mentions(table: Table) -> Floats:
    """The mentions of an entity; a set is none."""
    return table.key.mentions


def muc(table: Table) -> Floats:
    """MUC: the links needed to join the entity's mentions that the response has, of those it takes to join them all.

    The response cuts an entity of k mentions into p parts, where every mention it lacks is a part of its own:
    k − p of k − 1 links are found, which is Σ (n − 1) of k − 1. Singletons have no links and count nowhere. A set is
    one more link, credited if its entity shares a mention with the entity of the aligned set.
    """
    return table.n - (table.n > 0) * (1 - table.credit)


def joining(table: Table) -> Floats:
    """The links that join an entity: k − 1."""
    return table.key.size - 1


def muc_inside_sets(table: Table) -> Floats:
    """MUC for comparing members of sets, where a singleton has one link, to itself, as in LEA."""
    return np.where(table.k == 1, _self_link(table), muc(table))


def joining_inside_sets(table: Table) -> Floats:
    """The links that join a member of a set; a singleton's to itself."""
    return np.where(table.key.size == 1, 1.0, joining(table))


def b3(table: Table) -> Floats:
    """B³: for each mention the share of its entity that the response puts together with it; Σ w²/k of k.

    With the same weight for every entity, whatever its size, it is Σ w²/k² of 1.
    """
    return table.weight**2


def squared(table: Table) -> Floats:
    """The square of an entity's size: k²."""
    return table.key.size**2


def _self_link(table: Table) -> Floats:
    """Whether a cell shares a mention with a singleton of the response."""
    found: Floats = ((table.r == 1) & (table.n > 0)).astype(np.float64)
    return found


def lea(table: Table) -> Floats:
    """LEA: the share of the entity's links that are found, weighted by its importance, by default k.

    k · Σ links / (k(k − 1)/2), where a cell has n(n − 1)/2 + δn links, of k. A singleton has one link, to itself, and
    it is found if the mention is a singleton of the response too.
    """
    return np.where(table.k == 1, _self_link(table), pairwise(table))


def links_by_importance(table: Table) -> Floats:
    """The links of an entity (a singleton has one, to itself), divided by its importance."""
    return np.where(table.key.size == 1, 1.0, pairs(table.key.size)) / table.importance


def importance(table: Table) -> Floats:
    """The importance of an entity."""
    return table.importance


def pairwise(table: Table) -> Floats:
    """Coreference links: pairs of mentions in one entity, of all such pairs; Σ n(n − 1)/2 + δn of k(k − 1)/2."""
    links = pairs(table.n)
    return links if table.cells.credit is None else links + table.cells.credit * table.n


def pairs_of_elements(table: Table) -> Floats:
    """The pairs of an entity's elements: k(k − 1)/2."""
    return pairs(table.key.size)


def nonlinks(table: Table) -> Floats:
    """Non-coreference links: pairs of mentions in two entities; each entity is credited with half of its pairs.

    ½ Σ w(a − s − c + w) of ½ k(K − k), where s and c are the elements of i and of j that are aligned, a those of the
    document, and K the size of all its key entities.
    """
    ours, theirs = table.elements, table.transposed.elements
    others = (table.of_document(ours) - ours)[table.row] - theirs[table.column]
    return table.weight * (others + table.weight) / 2


def pairs_with_others(table: Table) -> Floats:
    """Half of the pairs of an entity's elements with those of the document's others: ½ k(K − k)."""
    return table.key.size * (table.of_document(table.key.size) - table.key.size) / 2


def links(table: Table) -> Floats:
    """Pairs of mentions in one entity that are in one entity of the response, of all; sets are not counted."""
    return pairs(table.n)


def pairs_of_mentions(table: Table) -> Floats:
    """The pairs of an entity's mentions."""
    return pairs(table.key.mentions)


def entities_exact(table: Table) -> Floats:
    """Entities that the response has with exactly these mentions, of all entities: n = k = r, of 1."""
    found: Floats = ((table.weight == table.k) & (table.weight == table.r)).astype(np.float64)
    return found


def _shared(n: Floats, k: Floats, r: Floats) -> Floats:
    """φ3: the mentions that two entities share."""
    return n


def _dice(n: Floats, k: Floats, r: Floats) -> Floats:
    """φ4: twice the mentions that two entities share, divided by the mentions of both."""
    return 2 * n / (k + r)


PHI3 = Similarity("φ3", _shared, "CAST({n} AS DOUBLE)")
PHI4 = Similarity("φ4", _dice, "CAST(2 * {n} AS DOUBLE) / ({k} + {r})")

_LINKS = "coreference links"
_MENTIONS = "mentions"


def _metric(name: str, title: str, citation: str, how: PerEntity | OneToOne, what: str = _MENTIONS) -> Metric:
    return Metric(name, title, citation, what, "identity", how)


def _derived(metric: Metric, twinless: str, source: str) -> Metric:
    """A metric with its own rule for mentions without a twin (a partner on the other side)."""
    how = metric.on_table
    rules = how.rules._replace(twinless=twinless, weights="")
    if isinstance(how, OneToOne):
        how = OneToOne(how.similarity, rules)
    elif isinstance(how, PerEntity):
        how = PerEntity(how.cell, how.entity, rules, how.over)
    name = f"{metric.name}-{twinless.removesuffix('-all') or twinless}"
    return metric._replace(name=name, title=f"{metric.title}, twinless mentions: {twinless}", citation=source, how=how)


def _borders(name: str, where: str, borders: str) -> Metric:
    how = Links(borders, links, pairs_of_mentions)
    return Metric(name, f"{_LINKS} {where}", "Upadhyay et al. 2016", f"links {where}", "identity", how)


def _whole(name: str, title: str, citation: str, how: Whole, what: str = "common mentions") -> Metric:
    return Metric(name, title, citation, what, "identity", how)


_ONCE = Rules(twinless="as-is", repeated="once")
_MUTUAL = Rules(repeated="mutual", finds_sets=True)
_MENTIONS_WEIGH = PerEntity(b3, size, Rules("b3", weights="sizes"), size, overlapping=b3_overlapping, mentions="alike")
_B3 = _metric("b3", "B-cubed", "Bagga & Baldwin 1998", _MENTIONS_WEIGH)
_CEAFM = _metric("ceafm", "CEAF by mentions (φ3)", "Luo 2005", OneToOne(PHI3, mentions="alike"))
_CEAFE = _metric("ceafe", "CEAF by entities (φ4)", "Luo 2005", OneToOne(PHI4))
_MANIKANTAN, _LUITEN = "Manikantan et al. 2024", "Luiten et al. 2021"
_MAJOR = "major entities"

ON_TABLE = registry([
    _metric("mentions", "mention detection", "Pradhan et al. 2014",
            PerEntity(mentions, all_mentions, _ONCE, mentions="alike")),
    _metric("muc", "MUC links", "Vilain et al. 1995",
            PerEntity(muc, joining, inside=(muc_inside_sets, joining_inside_sets), mentions="later"),
            _LINKS),
    _B3,
    _metric("b3-classes", "B-cubed, every entity weighted equally", "Bagga & Baldwin 1998",
            PerEntity(b3, one, Rules("b3"), squared)),
    _metric("b3-extended", "B-cubed for mentions in several entities", "Amigó et al. 2009",
            PerEntity(b3, size, Rules(twinless="as-is", repeated="all"), size)),
    _CEAFM,
    _CEAFE,
    _metric("lea", "link-based entity-aware", "Moosavi & Strube 2016",
            PerEntity(lea, importance, Rules("lea", weights="importance", finds_sets=True, summed=True),
                      links_by_importance, mentions="alike")),
    _metric("pairwise", _LINKS, "Recasens & Hovy 2011",
            PerEntity(pairwise, pairs_of_elements, _MUTUAL, overlapping=links_overlapping, mentions="alike"), _LINKS),
    _metric("nonlinks", f"non-{_LINKS}", "Recasens & Hovy 2011",
            PerEntity(nonlinks, pairs_with_others, _MUTUAL, overlapping=nonlinks_overlapping, across=True),
            f"non-{_LINKS}"),
    _derived(_B3, "0", "Stoyanov et al. 2009"),
    _derived(_B3, "all", "Stoyanov et al. 2009"),
    _derived(_B3, "rn-all", "Rahman & Ng 2009"),
    _derived(_B3, "sys", "Cai & Strube 2010"),
    _derived(_CEAFM, "rn", "Rahman & Ng 2009"),
    _derived(_CEAFM, "sys", "Cai & Strube 2010"),
    _derived(_CEAFE, "rn", "Rahman & Ng 2009"),
    _derived(_CEAFE, "sys", "Cai & Strube 2010"),
    _metric("entities-exact", "entities that are exactly right", "Menestrina et al. 2010",
            PerEntity(entities_exact, one)),
    _borders("links-within", "within documents", "within"),
    _borders("links-cross", "across documents", "cross"),
    _whole("ari", "adjusted Rand index of common mentions", "Hubert & Arabie 1985",
           Whole(pairs_together, adjusted_rand, ("ari", "ari"), common=True)),
    _whole("cc", "correlation of linked pairs of common mentions", "Gösgens et al. 2021",
           Whole(pairs_together, correlation, ("cc", "cc"), common=True)),
    _whole("v-measure", "completeness, homogeneity, V-measure of common mentions", "Rosenberg & Hirschberg 2007",
           Whole(surprises, v_measure, ("completeness", "homogeneity"), common=True)),
    _whole("entities-macro", "major entities (--frequent), mean", _MANIKANTAN,
           Whole(major_equally, means, similarity=PHI4), _MAJOR),
    _whole("entities-micro", "major entities (--frequent), mean by size", _MANIKANTAN,
           Whole(major_by_size, means, similarity=PHI4), _MAJOR),
    _whole("deta", "detection accuracy: mentions", _LUITEN,
           Whole(detected, detection, ("detre", "detpr"), rules=_ONCE), _MENTIONS),
    _whole("assa", "association accuracy: links of common mentions", _LUITEN,
           Whole(associated, means, ("assre", "asspr"), cells=links_of_cells)),
])  # fmt: skip
