"""Labelled relations between events and times: which pairs of mentions have the same label on both sides.

A relation is one of a group if its name begins with that of the group: `temporal:BEFORE`, or is it: `subevent`. Its two
ends are ids of mentions, or of what is no mention of an entity, such as time expressions. Those are the same on both
sides if their ids are; a relation with one end says that there is such a thing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from ..counting.metrics import Counts
from ..document.document import Document
from ..matching.lookup import Lookups

TIME = "TIMEX"  # the name of a relation with one end, which says that there is such a time expression
_Pairs = dict[tuple[Hashable, Hashable], str]


def labelled(group: str, key: Document, response: Document, found: Lookups, twinless: str = "as-is") -> Counts:
    """Ordered pairs of mentions that have a relation of the group with the same label on both sides.

    Of several relations of a pair the last counts. Under `twinless:key` relations of what the key lacks do not count.
    """
    ours = {str(mention.id): ("mention", k) for k, mention in enumerate(key.mentions) if mention.id is not None}
    twins: dict[int, Hashable] = {r: ("mention", k) for k, r in zip(*found.precision, strict=True)}
    theirs: dict[str, Hashable] = dict(ours)
    for r, mention in enumerate(response.mentions):
        if mention.id is not None:
            theirs[str(mention.id)] = twins.get(r, ("response", r))
    wanted, given = _pairs(key, group, ours), _pairs(response, group, theirs)
    if twinless == "key":
        times = {end for name, _, ends in key.relations if name == TIME and group == "temporal" for end in ends}
        known = {*ours.values(), *times}
        given = {pair: label for pair, label in given.items() if known.issuperset(pair)}
    right = sum(wanted.get(pair) == label for pair, label in given.items())
    return right, len(wanted), right, len(given)


def _pairs(document: Document, group: str, names: Mapping[str, Hashable]) -> _Pairs:
    """The label of each pair that has a relation of the group; an end that is no mention stands for itself."""
    return {
        (names.get(ends[0], ends[0]), names.get(ends[1], ends[1])): name
        for name, _, ends in document.relations
        if len(ends) == 2 and name.partition(":")[0] == group
    }
