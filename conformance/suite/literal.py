"""Every metric as its paper defines it, slowly: sets, loops over mentions and pairs, exact fractions.

It shares nothing with any scorer: what the suite expects of a definition of scoref's own is computed here.

A metric is a function from (key, response), each a list of sets, to what recall adds up for one document: a numerator
and a denominator. Precision is the same with key and response exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

Entities = list[frozenset[int]]
Sums = tuple[Fraction, Fraction]


def entities(partition: Iterable[Iterable[int]]) -> Entities:
    return [frozenset(entity) for entity in partition]


def members(side: Entities) -> frozenset[int]:
    return frozenset().union(*side)


def entity_of(mention: int, side: Entities) -> frozenset[int]:
    return next((entity for entity in side if mention in entity), frozenset())


# -- the metrics -----------------------------------------------------------------------------------------------------


def mentions(key: Entities, response: Entities) -> Sums:
    return Fraction(len(members(key) & members(response))), Fraction(len(members(key)))


def muc(key: Entities, response: Entities) -> Sums:
    """Vilain et al. 1995: |S| − |p(S)| of |S| − 1, where the response and implicit singletons partition S into p(S)."""
    numerator = denominator = 0
    for entity in key:
        partition = {entity & other for other in response if entity & other}
        partition |= {frozenset({mention}) for mention in entity - members(response)}
        numerator += len(entity) - len(partition)
        denominator += len(entity) - 1
    return Fraction(numerator), Fraction(denominator)


def b3(key: Entities, response: Entities) -> Sums:
    """Bagga & Baldwin 1998: for each mention |K(m) ∩ R(m)| / |K(m)|."""
    every = members(key)
    shares = [
        Fraction(len(entity_of(mention, key) & entity_of(mention, response)), len(entity_of(mention, key)))
        for mention in every
    ]
    return sum(shares, Fraction()), Fraction(len(every))


def b3_classes(key: Entities, response: Entities) -> Sums:
    """Bagga & Baldwin 1998, class weights: each entity weighs the same, its mentions share the weight."""
    total = Fraction()
    for entity in key:
        for mention in entity:
            total += Fraction(len(entity & entity_of(mention, response)), len(entity)) / len(entity)
    return total, Fraction(len(key))


def _best(key: Entities, response: Entities, phi: Callable[[frozenset[int], frozenset[int]], Fraction]) -> Fraction:
    """The greatest total similarity of all one-to-one maps between some key and some response entities."""

    @cache
    def best(row: int, free: frozenset[int]) -> Fraction:
        if row == len(key):
            return Fraction()
        options = [best(row + 1, free)]
        similar = {column: phi(key[row], response[column]) for column in free}
        options += [each + best(row + 1, free - {column}) for column, each in similar.items() if each]  # 0 adds nothing
        return max(options)

    return best(0, frozenset(range(len(response))))


def phi3(one: frozenset[int], other: frozenset[int]) -> Fraction:
    return Fraction(len(one & other))


def phi4(one: frozenset[int], other: frozenset[int]) -> Fraction:
    return Fraction(2 * len(one & other), len(one) + len(other))


def ceafm(key: Entities, response: Entities) -> Sums:
    """Luo 2005, φ3."""
    return _best(key, response, phi3), sum((phi3(entity, entity) for entity in key), Fraction())


def ceafe(key: Entities, response: Entities) -> Sums:
    """Luo 2005, φ4."""
    return _best(key, response, phi4), sum((phi4(entity, entity) for entity in key), Fraction())


def links(entity: Iterable[int]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in combinations(sorted(entity), 2)}


def lea(key: Entities, response: Entities) -> Sums:
    """Moosavi & Strube 2016: importance (size) × resolution (share of links that are found).

    Self-links as in coval: that of a singleton is found if its mention is a singleton on the other side too.
    """
    total = Fraction()
    for entity in key:
        if len(entity) == 1:
            total += entity in response
        else:
            found = sum(len(links(entity & other)) for other in response)
            total += len(entity) * Fraction(found, len(links(entity)))
    return total, Fraction(sum(len(entity) for entity in key))


def coreference_links(side: Entities) -> set[frozenset[int]]:
    return set().union(*(links(entity) for entity in side))


def pairwise(key: Entities, response: Entities) -> Sums:
    found = coreference_links(key) & coreference_links(response)
    return Fraction(len(found)), Fraction(len(coreference_links(key)))


def nonlinks(key: Entities, response: Entities) -> Sums:
    """Pairs of mentions of one side that are not in one entity there."""
    ours, theirs = (links(members(side)) - coreference_links(side) for side in (key, response))
    return Fraction(len(ours & theirs)), Fraction(len(ours))


def entities_exact(key: Entities, response: Entities) -> Sums:
    return Fraction(sum(entity in response for entity in key)), Fraction(len(key))


def no_links(key: Entities, response: Entities) -> Sums:
    """Links across documents, of one document."""
    return Fraction(), Fraction()


PLAIN: dict[str, Callable[[Entities, Entities], Sums]] = {
    "mentions": mentions,
    "muc": muc,
    "b3": b3,
    "b3-classes": b3_classes,
    "ceafm": ceafm,
    "ceafe": ceafe,
    "lea": lea,
    "pairwise": pairwise,
    "nonlinks": nonlinks,
    "entities-exact": entities_exact,
}

# In one document all links are within it.
BORDERS: dict[str, Callable[[Entities, Entities], Sums]] = {"links-within": pairwise, "links-cross": no_links}


# -- mentions without a twin: (key, response) for recall and (key, response) for precision -----------------------------

Sets = tuple[Entities, Entities]


def without(side: Entities, unwanted: frozenset[int]) -> Entities:
    return [entity - unwanted for entity in side if entity - unwanted]


def plus_singletons(side: Entities, missing: frozenset[int]) -> Entities:
    return side + [frozenset({mention}) for mention in sorted(missing)]


def without_twinless_singletons(key: Entities, response: Entities) -> Entities:
    return [entity for entity in response if len(entity) > 1 or entity <= members(key)]


def sets_0(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    left = without(response, members(response) - members(key))
    return (key, left), (key, left)


def sets_all(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    for_recall = key, plus_singletons(response, members(key) - members(response))
    return for_recall, (plus_singletons(key, members(response) - members(key)), response)


def sets_rn(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    left = without_twinless_singletons(key, response)
    return (key, left), (key, left)


def sets_rn_all(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    return sets_all(key, without_twinless_singletons(key, response))


def sets_sys(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    """Cai & Strube 2010, Algorithms 1 and 2."""
    changed = plus_singletons(without_twinless_singletons(key, response), members(key) - members(response))
    spurious = members(changed) - members(key)
    return (key, without(changed, spurious)), (plus_singletons(key, spurious), changed)


def sets_conll_2011(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    """The sets of Cai & Strube 2010 for precision, in both directions."""
    return sets_sys(key, response)[1], sets_sys(key, response)[1]


def sets_pad_key(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    padded = plus_singletons(key, members(response) - members(key)), response
    return padded, padded


def sets_common(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    both = members(key) & members(response)
    left = without(key, members(key) - both), without(response, members(response) - both)
    return left, left


def sets_key(key: Entities, response: Entities) -> tuple[Sets, Sets]:
    left = without(response, members(response) - members(key))
    changed = key, plus_singletons(left, members(key) - members(response))
    return changed, changed


TWINLESS: dict[str, Callable[[Entities, Entities], tuple[Sets, Sets]]] = {
    "as-is": lambda key, response: ((key, response), (key, response)),
    "0": sets_0,
    "all": sets_all,
    "rn": sets_rn,
    "rn-all": sets_rn_all,
    "sys": sets_sys,
    "conll-2011": sets_conll_2011,
    "pad-key": sets_pad_key,
    "common": sets_common,
    "key": sets_key,
}


def b3_filled(key: Entities, response: Entities) -> Sums:
    """B³ in which a mention that the other side lacks is right about itself alone: 1 / |K(m)|."""
    shares = []
    for mention in members(key):
        entity, other = entity_of(mention, key), entity_of(mention, response) | {mention}
        shares.append(Fraction(len(entity & other), len(entity)))
    return sum(shares, Fraction()), Fraction(len(shares))


def _b3_0(key: Entities, response: Entities) -> tuple[Sums, Sums]:
    """Stoyanov et al. 2009: twinless response mentions are dropped, twinless key mentions count 0."""
    return b3(key, response), b3(without(response, members(response) - members(key)), key)


def _b3_all(key: Entities, response: Entities) -> tuple[Sums, Sums]:
    return b3_filled(key, response), b3_filled(response, key)


def _b3_rn(key: Entities, response: Entities) -> tuple[Sums, Sums]:
    return _b3_all(key, without_twinless_singletons(key, response))


def _on_sets(metric: str, twinless: str) -> Callable[[Entities, Entities], tuple[Sums, Sums]]:
    def both(key: Entities, response: Entities) -> tuple[Sums, Sums]:
        (key_r, response_r), (key_p, response_p) = TWINLESS[twinless](key, response)
        return PLAIN[metric](key_r, response_r), PLAIN[metric](response_p, key_p)

    return both


VARIANTS: dict[str, Callable[[Entities, Entities], tuple[Sums, Sums]]] = {
    "b3-0": _b3_0,
    "b3-all": _b3_all,
    "b3-rn": _b3_rn,
    "b3-sys": _on_sets("b3", "sys"),
    "ceafm-rn": _on_sets("ceafm", "rn"),
    "ceafm-sys": _on_sets("ceafm", "sys"),
    "ceafe-rn": _on_sets("ceafe", "rn"),
    "ceafe-sys": _on_sets("ceafe", "sys"),
}

# -- scores of several documents -------------------------------------------------------------------------------------

Documents = list[tuple[list[list[int]], list[list[int]]]]
Score = tuple[Fraction, Fraction, Fraction]


def counts(name: str, documents: Documents, twinless: str = "as-is") -> list[Fraction]:
    """Recall numerator and denominator, precision numerator and denominator, summed over documents."""
    sums = [Fraction()] * 4
    for key, response in documents:
        function = VARIANTS.get(name) or _on_sets(name, twinless)
        recall, precision = function(entities(key), entities(response))
        sums = [total + value for total, value in zip(sums, (*recall, *precision), strict=True)]
    return sums


def ratios(sums: list[Fraction]) -> Score:
    recall = sums[0] / sums[1] if sums[1] else Fraction()
    precision = sums[2] / sums[3] if sums[3] else Fraction()
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else Fraction()
    return recall, precision, f1


def mean(scores: list[Score]) -> Score:
    recall, precision, f1 = (sum(values, Fraction()) / len(scores) for values in zip(*scores, strict=True))
    return recall, precision, f1


def score(name: str, documents: Documents, twinless: str = "as-is", links: str = "key") -> Score:
    """BLANC leaves out a kind of links that the key lacks, or that both sides lack."""
    if name == "conll":
        return mean([score(part, documents, twinless) for part in ("muc", "b3", "ceafe")])
    if name != "blanc":
        return ratios(counts(name, documents, twinless))
    kinds = [counts(part, documents, twinless) for part in ("pairwise", "nonlinks")]
    there = [ratios(sums) for sums in kinds if sums[1] or (links == "both" and sums[3])]
    return mean(there) if there else (Fraction(), Fraction(), Fraction())


METRICS = (*PLAIN, *VARIANTS, "blanc", "conll")
