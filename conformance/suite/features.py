"""What a case is about: what its line says, and what its key and response have."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from .cases import Case, Text
from .sides import Piece, Side, Spot

FEATURES = {
    "plain": "none of the others",
    "perfect": "the response is the key",
    "singletons": "entities of one mention",
    "twinless": "mentions that only one side has",
    "0/0": "a side without links, or without mentions",
    "ties": "several alignments of entities are equally good",
    "boundaries": "mentions of which the ends differ",
    "nested": "mentions within others",
    "crossing": "mentions that overlap, neither within the other",
    "repeated": "a mention that a side has twice",
    "discontinuous": "mentions of several pieces",
    "zeros": "mentions that are empty nodes",
    "heads": "mentions with heads",
    "minimum": "mentions with minimum spans, or parse trees",
    "sets": "split antecedents: sets of entities",
    "deixis": "discourse deixis",
    "bridging": "bridging links",
    "non-referring": "mentions that refer to nothing",
    "types": "types of event nuggets",
    "realis": "the realis of event nuggets",
    "double tagging": "several nuggets with one span",
    "events": "coreference of event nuggets",
    "sequencing": "which event is after which, or part of which",
    "broken": "files that are to be refused",
    "several documents": "more than one document",
    "missing": "a document that a side lacks",
    "empty": "a document without mentions on a side",
}


WITHOUT_SIDES = ("nuggets", "broken")  # sets whose inputs are written otherwise: their cases say what they are about


def of(case: Case) -> list[str]:
    """The features of a case, in their order."""
    if case.set in WITHOUT_SIDES:
        words = case.get("about", "")
        return [name for name in FEATURES if name in words]
    found = {*case.get("about", "").split()}
    texts = case.texts()
    for text in texts:
        found |= _document(text)
    if case.row["key"] == case.row["response"]:
        found.add("perfect")
    if len(texts) > 1:
        found.add("several documents")
    found |= {each for each in ("bridging", "deixis") if case.get(each)}
    if case.get("parse"):
        found.add("minimum")
    return [name for name in FEATURES if name in found] or ["plain"]


def _document(text: Text) -> set[str]:
    """The features of a document."""
    if text.key is None or text.response is None:
        return {"missing", "several documents"}
    found = set()
    spots = {which: [spot.pieces for group in text.side(which) or [] for spot in group.mentions] for which in SIDES}
    if {*spots["key"]} != {*spots["response"]}:
        found.add("twinless")
    for which in SIDES:
        side, here = text.side(which) or [], spots[which]
        found |= _side(side, here)
        found |= {"0/0"} if all(len(group.mentions) < 2 for group in side) or len(side) < 2 else set()
    if _ties(text.key, text.response):
        found.add("ties")
    return found


SIDES = ("key", "response")


def _side(side: Side, here: list[tuple[Piece, ...]]) -> set[str]:
    """The features of the entities of one side."""
    mentions: list[Spot] = [spot for group in side for spot in group.mentions]
    checks = {
        "empty": not here,
        "singletons": any(len(group.mentions) == 1 and not group.sets for group in side),
        "repeated": len(here) > len({*here}),
        "discontinuous": any(len(pieces) > 1 for pieces in here),
        "zeros": any(spot.first == spot.last and spot.first[1] for spot in mentions),
        "heads": any(spot.head for spot in mentions),
        "minimum": any(spot.least for spot in mentions),
        "sets": any(group.sets for group in side),
        "non-referring": any(not group.refers for group in side),
        **_overlaps({(pieces[0][0], pieces[-1][1]) for pieces in here}),
    }
    return {name for name, there in checks.items() if there}


def _overlaps(spans: set[Piece]) -> dict[str, bool]:
    pairs = [(a, b) for a, b in combinations(sorted(spans), 2) if b[0] <= a[1]]
    crossing = [a for a, b in pairs if a[0] < b[0] and a[1] < b[1]]
    return {"nested": len(crossing) < len(pairs), "crossing": bool(crossing)}


def _ties(key: Side, response: Side) -> bool:
    """Whether an entity has as many mentions in common with two of the other side, of one size."""
    cells = []
    for one, other in ((key, response), (response, key)):
        for group in one:
            ours = {spot.pieces for spot in group.mentions}
            shares = [(len(ours & {s.pieces for s in each.mentions}), len(each.mentions)) for each in other]
            cells.append(max(Counter(each for each in shares if each[0]).values(), default=0))
    return max(cells, default=0) > 1
