"""Where metrics look up each mention on the other side, for recall and for precision.

Usually both directions use the same alignment. They differ where a mention is in several entities, and under rules of
other scorers that are not one to one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from ..document.document import Document, places_of
from ..document.mentions import values_of
from ..document.spans import text_order
from ..values import NamedTuple
from .match import MATCHERS, Alignment, align
from .overlap import Candidates


class Lookups(NamedTuple):
    """Pairs of mentions for recall and for precision; usually all are the same alignment.

    A key mention is looked up in the last response entity that has it (`recall`), a response mention in the last key
    entity that has it (`precision`); `every` pairs each key mention with each response entity that has it. The metric
    `zeros` uses the pairs of `zeros`, usually those of `recall`. `copies` are the repeated mentions of each side that
    mention detection does not count.
    """

    recall: Alignment
    precision: Alignment
    every: Alignment
    zeros: Alignment
    copies: tuple[list[int], list[int]] = ([], [])


_ORDERS = {"reference": "opened", "closed": "closed"}  # the order of entities; else that of the list
Copies = dict[int, list[int]]  # groups of repeated mentions, by the first of each


def lookups(
    key: Document,
    response: Document,
    matcher: str,
    how_zeros: str = "linear",
    owner: str = "last",
    threshold: float = 1.0,
    mapping: str = "type",
    fields: Sequence[str] = (),
) -> Lookups:
    """The pairs for recall and for precision, where mentions may be in several entities.

    Such a mention is looked up in the `last` entity of the other side that has it: the last of the list, or the one of
    which a mention ends last (`closed`). The `reference` scorer looks up each place once, in the last key entity.
    Mentions that differ in one of the attributes `fields` are never paired.

    >>> from scoref import clusters
    >>> lookups(clusters([["a"]]), clusters([["a"], ["a", "b"]]), "exact").every
    Alignment(key=[0, 0], response=[0, 1])
    """
    if fields:
        return _agreeing(key, response, fields, partial(lookups, matcher=matcher, how_zeros=how_zeros, owner=owner,
                                                        threshold=threshold, mapping=mapping))  # fmt: skip
    alike = MATCHERS[matcher].alike
    if alike is not None:
        return _each_alone(key, response, alike)
    identity = MATCHERS[matcher].identity
    sides = key, response
    repeated = key.repeats(identity) or response.repeats(identity)
    copies: tuple[Copies, Copies] = ({}, {})
    if not repeated:
        alignment = align(key, response, matcher, how_zeros, threshold, mapping)
    else:
        copies = _copies(key, identity, owner), _copies(response, identity, owner)
        alignment = _of_firsts(sides, copies, matcher, how_zeros)
    if how_zeros == "dependent" and (zeros := {*key.mentions.zeros}):
        names = places_of(sides, identity)
        if any(k in zeros and names[0][k] != names[1][r] for k, r in zip(*alignment, strict=True)):
            return _one_dictionary(alignment, names, sides, copies, owner)
    if not repeated:
        return Lookups(alignment, alignment, alignment, alignment)
    found = _looked_up(alignment, alignment, response, copies)
    return _finished(found, alignment, copies, owner)


def _agreeing(
    key: Document, response: Document, fields: Sequence[str], look: Callable[[Document, Document], Lookups]
) -> Lookups:
    """The lookups of mentions that have the same values in some attributes, put together.

    Alignments that are one object for all values stay one.
    """
    groups: dict[tuple[str | None, ...], tuple[list[int], list[int]]] = {}
    for side, document in enumerate((key, response)):
        for index, values in enumerate(values_of(document.mentions, fields)):
            groups.setdefault(values, ([], []))[side].append(index)
    parts = [(same, look(key.of_mentions(same[0]), response.of_mentions(same[1]))) for same in groups.values()]
    joined: dict[tuple[int, ...], Alignment] = {}
    alignments = []
    for number in range(len(Lookups._fields) - 1):
        which = tuple(id(found[number]) for _, found in parts)
        if which not in joined:
            pairs = ((same[0][k], same[1][r]) for same, found in parts for k, r in zip(*found[number], strict=True))
            joined[which] = Alignment.of(sorted(pairs))
        alignments.append(joined[which])
    recall, precision, every, zeros = alignments
    ours, theirs = (sorted(same[side][copy] for same, found in parts for copy in found.copies[side]) for side in (0, 1))
    return Lookups(recall, precision, every, zeros, (ours, theirs))


def _finished(found: Lookups, alignment: Alignment, copies: tuple[Copies, Copies], owner: str) -> Lookups:
    """The lookups with their `copies`; for the reference scorer, with each place only once."""
    if owner == "reference":
        once = Alignment(_lasts(alignment.key, copies[0]), alignment.response)
        found = found._replace(recall=once, precision=Alignment(*once), zeros=once)  # two objects: `every` differs
    uncounted = slice(0, -1) if owner == "reference" else slice(1, None)  # of the key: all but one copy
    ours = [index for same in copies[0].values() for index in same[uncounted]]
    return found._replace(copies=(ours, [index for same in copies[1].values() for index in same[1:]]))


def _copies(document: Document, by: str, owner: str) -> Copies:
    """Groups of repeated mentions, sorted by the order in which their entities are opened, closed or listed."""
    copies = document.copies(by, _ORDERS.get(owner, "text"))
    if owner not in _ORDERS:
        owners = document.mentions.owners
        copies = [sorted(same, key=lambda index: (owners[index], index)) for same in copies]
    return {same[0]: same for same in copies}


def _of_firsts(
    sides: tuple[Document, Document], copies: tuple[Copies, Copies], matcher: str, how_zeros: str
) -> Alignment:
    """The alignment of the documents with only the first copy of each mention."""
    firsts = [_firsts(side, each) for side, each in zip(sides, copies, strict=True)]
    single = [side.of_mentions(some) if each else side for side, some, each in zip(sides, firsts, copies, strict=True)]
    found = align(single[0], single[1], matcher, how_zeros)
    return Alignment([*map(firsts[0].__getitem__, found.key)], [*map(firsts[1].__getitem__, found.response)])


def _firsts(document: Document, copies: Copies) -> list[int]:
    """The mentions without further copies, in the order in which they appear."""
    found = [*range(len(document.mentions))]
    further: set[int] = set()
    for same in copies.values():
        place, *others = sorted(same)
        found[place] = same[0]
        further.update(others)
    return [index for place, index in enumerate(found) if place not in further] if further else found


def _lasts(indices: list[int], copies: Copies) -> list[int]:
    """The last copy of each mention."""
    last = {index: same[-1] for index, same in copies.items()}
    return [*map(last.get, indices, indices)]


def _one_dictionary(
    alignment: Alignment,
    names: list[Sequence[Hashable]],
    sides: tuple[Document, Document],
    copies: tuple[Copies, Copies],
    owner: str,
) -> Lookups:
    """Lookups as in the CorefUD scorer 1.2: one dictionary from span to span is used in both directions.

    Where a key zero and another response zero have the same span, the entry of the response zero wins. A mention
    without an entry is looked up by its own span. The metric `zeros` tries the own span first.
    """
    pairs = [(names[0][k], names[1][r]) for k, r in zip(*alignment, strict=True)]
    moved = [(k, r) for k, r in pairs if k != r]
    entry: dict[Hashable, Hashable] = {**dict(moved), **{r: k for k, r in moved}}
    ours, theirs = (
        {each[index]: index for index in _firsts(side, same)}
        for each, side, same in zip(names, sides, copies, strict=True)
    )
    to_response = {k: entry.get(k, k) for k in ours}
    there = {k: k if k in theirs else r for k, r in to_response.items()}
    recall, zeros = ([(ours[k], theirs[r]) for k, r in each.items() if r in theirs] for each in (to_response, there))
    precision = [(ours[k], index) for r, index in theirs.items() if (k := entry.get(r, r)) in ours]
    found = _looked_up(Alignment.of(recall), Alignment.of(precision), sides[1], copies)
    seen = _looked_up(Alignment.of(zeros), Alignment.of([]), sides[1], copies).recall
    return _finished(found._replace(zeros=seen), alignment, copies, owner)


def _looked_up(to_response: Alignment, to_key: Alignment, response: Document, copies: tuple[Copies, Copies]) -> Lookups:
    """Lookups where each copy is paired with the last copy on the other side; in `every`, with one of each entity."""
    ours, theirs = copies
    recall = _spread(Alignment(to_response.key, _lasts(to_response.response, theirs)), ours, 0)
    precision = _spread(Alignment(_lasts(to_key.key, ours), to_key.response), theirs, 1)
    owners = response.mentions.owners
    each = {index: [*{owners[copy]: copy for copy in same}.values()] for index, same in theirs.items()}
    every = _spread(_spread(to_response, each, 1), ours, 0)
    return Lookups(recall, precision, every, recall)


def _spread(alignment: Alignment, copies: Copies, side: int) -> Alignment:
    """The alignment with a pair for each copy of a mention of one side, in the order of pairs."""
    if not copies:
        return alignment
    spread = Alignment([], [])
    before = 0
    for place in [place for place, index in enumerate(alignment[side]) if index in copies]:
        same = copies[alignment[side][place]]
        for number, (indices, found) in enumerate(zip(alignment, spread, strict=True)):
            found += indices[before:place]
            found += same if number == side else [indices[place]] * len(same)
        before = place + 1
    for indices, found in zip(alignment, spread, strict=True):
        found += indices[before:]
    return spread


def _each_alone(key: Document, response: Document, alike: Callable[[Document, Document], Candidates]) -> Lookups:
    """Each mention with the nearest of its candidates: the one with the smallest share of words that are not common.

    Of a mention that is in several entities, the copy in the last one is taken.
    """
    pairs = alike(key, response)
    together = pairs.key_size + pairs.response_size - pairs.shared
    distances = (together - pairs.shared) / together
    order = pairs.in_order()
    both = zip(pairs.row[order].tolist(), pairs.column[order].tolist(), strict=True)
    distance = dict(zip(both, distances[order].tolist(), strict=True))

    def nearest(mine: int, other: Document) -> list[tuple[int, int]]:
        """For each mention of one side the pair with the nearest of the other; ties go to the first in the text."""
        best: dict[int, tuple[tuple[float, int, int, tuple[int, ...], int], tuple[int, int]]] = {}
        owners = other.mentions.owners
        for pair, far in distance.items():
            span = other.mentions[pair[1 - mine]].span
            rank = (far, span[0], span[-1], text_order(span), -owners[pair[1 - mine]])
            if pair[mine] not in best or rank < best[pair[mine]][0]:
                best[pair[mine]] = rank, pair
        return [pair for _, pair in best.values()]

    entities = {(k, response.mentions[r].entity): (k, r) for k, r in distance}
    recall, precision, every = map(Alignment.of, (nearest(0, response), nearest(1, key), [*entities.values()]))
    return Lookups(recall, precision, every, recall)
