"""Relations of events: links `After` and `Subevent` that those of the other side imply; pairs with the same label.

Of the rules for links, `awareness` is temporal awareness as it is defined (UzZaman & Allen 2011), `evmeval-1.8` what
the scorer EvmEval 1.8 prints, see `timegraph`.

A labelled relation is one of a group if its name begins with that of the group, `temporal:BEFORE`, or is it:
`subevent`. Its ends are ids of mentions, or of what is no mention of an entity, such as time expressions: these are the
same on both sides if their ids are. A relation with one end says that there is such a thing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from ..counting.metrics import Counts
from ..document.document import Document
from ..document.grouping import grouped
from ..matching.lookup import Lookups
from ..matching.nuggets import MAPPINGS, Overlapping

if TYPE_CHECKING:
    from .timegraph import Link

Node = TypeVar("Node")
TIME = "TIMEX"  # the name of a relation with one end, which says that there is such a time expression
_Pairs = dict[tuple[Hashable, Hashable], str]
_Point = tuple[int, bool]  # a node, and False for its beginning or True for its end


def sequence(
    kinds: tuple[str, ...],
    key: Document,
    response: Document,
    mapped: Overlapping,
    mapping: str = "type",
    sequencing: str = "awareness",
) -> Counts:
    """Links between events that the links of the other side imply.

    A link holds for all mentions of the two entities, and links are transitive. Links that follow from others are left
    out (transitive reduction). Recall counts the key's links that follow from the response's, precision the reverse.
    Mentions are matched by the greedy mapping with the same attributes, whatever their Dice coefficient.

    Several kinds of links are one graph of time: if B is part of A, and C after A, then C is after B.
    """
    if not any(name in kinds for side in (key, response) for name, _, _ in side.relations):
        return 0, 0, 0, 0
    node = {r: k for k, r, _ in mapped.greedy(MAPPINGS[mapping])}
    nodes = [*range(len(key.mentions))], [node.get(r, -1 - r) for r in range(len(response.mentions))]
    if sequencing != "awareness":
        from .timegraph import awarded, listed

        written = [listed(side, kinds, each) for side, each in zip((key, response), nodes, strict=True)]
        return awarded(written[0], written[1])
    ours, theirs = (_needed(_links(side, kinds, each)) for side, each in zip((key, response), nodes, strict=True))
    graphs = _closure(_edges(ours)), _closure(_edges(theirs))
    recalled, precise = (
        sum(all(edge in graph for edge in _points(link)) for link in links)
        for links, graph in ((ours, graphs[1]), (theirs, graphs[0]))
    )
    return recalled, len(ours), precise, len(theirs)


def _links(document: Document, kinds: tuple[str, ...], nodes: list[int]) -> set[Link]:
    """The links between all mentions of the entities, without those that follow from others of their kind."""
    entity = {str(mention.id): mention.entity for mention in document.mentions}
    entities = grouped(mention.entity for mention in document.mentions)
    members = {name: [nodes[place] for place in places] for name, places in entities.items()}
    found: set[Link] = set()
    for kind in kinds:
        between = {
            (entity[ends[0]], entity[ends[1]])
            for name, _, ends in document.relations
            if name == kind and len(ends) == 2 and all(end in entity for end in ends)
        }
        every = _closure({(a, b) for a, b in between if a != b})
        middle = {a for a, _ in every} & {b for _, b in every}
        least = {
            (a, b)
            for a, b in between
            if a != b and not any((a, m) in every and (m, b) in every and m not in (a, b) for m in middle)
        }
        found |= {(x, y, kind) for a, b in least for x in members[a] for y in members[b]}
    return found


def _points(link: Link) -> list[tuple[_Point, _Point]]:
    """What a link implies for beginnings and ends of events: in each pair the first comes before the second."""
    first, second, kind = link
    if kind == "After":
        return [((first, True), (second, False))]
    return [((first, False), (second, False)), ((second, True), (first, True))]


def _edges(links: set[Link]) -> set[tuple[_Point, _Point]]:
    """All that the links imply for beginnings and ends, and that events begin before they end."""
    nodes = {node for first, second, _ in links for node in (first, second)}
    return {((node, False), (node, True)) for node in nodes} | {edge for link in links for edge in _points(link)}


def _needed(links: set[Link]) -> set[Link]:
    """The links without those that follow from others of any kind; links in cycles stay."""
    if len({kind for _, _, kind in links}) < 2:
        return links
    edges = _edges(links)
    every = _closure(edges)
    after: dict[_Point, set[_Point]] = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    return {
        link
        for link in links
        if any(
            (b, a) in every or not any(m != b and (m, b) in every for m in after[a])  # no detour
            for a, b in _points(link)
        )
    }


def _closure(links: Iterable[tuple[Node, Node]]) -> set[tuple[Node, Node]]:
    """The links and all that follow from them."""
    after: dict[Node, set[Node]] = {}
    for a, b in links:
        after.setdefault(a, set()).add(b)
    found = set()
    for start in after:
        queue = list(after[start])
        seen = set(queue)
        while queue:
            more = after.get(queue.pop(), set()) - seen
            seen |= more
            queue += more
        found |= {(start, end) for end in seen}
    return found


# -- labelled relations ------------------------------------------------------------------------------------------------


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
