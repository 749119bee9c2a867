"""Split antecedents by themselves: the members of sets, and links to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from ..counting.split import best_members, common_members
from ..counting.table import build
from ..document.document import Document
from ..matching.lookup import Lookups
from .anaphors import Counts


def split_lenient(key: Document, response: Document, found: Lookups) -> Counts:
    """Members of sets: those that the best partner of a set has too (Yu et al. 2021)."""
    tables, ours, theirs = build([(key, response, found)])
    return best_members(common_members(tables.every, ours, theirs), ours, theirs)


def split_links(key: Document, response: Document, found: Lookups) -> Counts:
    """Links from each mention of a set to each of its members (Vala et al. 2016, Yu et al. 2020).

    A member of a response set is the key entity that it shares most mentions with; of several, the first.
    """
    shared = Counter((response.mentions[r].entity, key.mentions[k].entity) for k, r in zip(*found.every, strict=True))
    meant: dict[Hashable, Hashable] = {}
    for (their, our), _ in shared.most_common():
        meant.setdefault(their, our)
    right = 0
    for k, r in zip(*found.recall, strict=True):
        members = key.sets.get(key.mentions[k].entity, ())
        given = {meant.get(member) for member in response.sets.get(response.mentions[r].entity, ())}
        right += len(given & set(members))
    links = [
        sum(len(document.sets.get(mention.entity, ())) for mention in document.mentions) for document in (key, response)
    ]
    return right, links[0], right, links[1]
