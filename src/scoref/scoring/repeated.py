"""B³ and BLANC where mentions are repeated, as the reference scorer counts them.

B³ looks a response mention up in the last key entity that has it, and counts the members of its response entity that
are anywhere in that key entity. BLANC counts sets of pairs of places: a pair is a coreference link if both places are
in one entity, and a non-coreference link if they are in two; with repeated mentions it may be both, and a place may be
linked with itself. Each pair counts once. Places that are repeated nowhere are counted by sizes of entities; only pairs
with a repeated place are looked at one by one.
"""

from __future__ import annotations

from itertools import chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import Document, Integers, places_of
from .table import Floats

_BLOCK = 1 << 22  # pairs of places that are looked at together
Flags = NDArray[np.bool_]


def repeated_counts(key: Document, response: Document) -> dict[str, Floats]:
    """The counts [4] of B³, of coreference links and of non-coreference links of a pair of documents.

    >>> from scoref import clusters
    >>> {name: counts.tolist() for name, counts in
    ...  repeated_counts(clusters([["a", "a", "b"]]), clusters([["a", "b"]])).items()}
    {'b3': [1.3333333333333333, 3.0, 2.0, 2.0], 'pairwise': [1.0, 2.0, 1.0, 1.0], 'nonlinks': [0.0, 0.0, 0.0, 0.0]}
    """
    names = places_of([key, response])
    several = [each[same[0]] for each, side in zip(names, (key, response), strict=True) for same in side.copies()]
    special = len(numbers := dict.fromkeys(several))
    numbers = dict(zip(dict.fromkeys(chain(numbers, *names)), count(), strict=False))
    ours, theirs = (
        _side(np.fromiter(map(numbers.__getitem__, each), np.int64, len(each)), side.numbered[1], len(numbers))
        for each, side in zip(names, (key, response), strict=True)
    )
    links = _plain_links(ours, theirs, special) + _special_links(ours, theirs, special)
    return {"b3": _b3(ours, theirs, _last_homes(key, ours)), "pairwise": links[0], "nonlinks": links[1]}


class _Side(NamedTuple):
    """The mentions of one side: places and entities as numbers; places that are repeated on some side come first.

    `among` are the different pairs of an entity and a place, sorted, and `often` says how many mentions each has.
    `entities` says how many entities each place is in, and `home` which one, if it is one; else -1.
    """

    place: Integers
    entity: Integers
    among: tuple[Integers, Integers]
    often: Integers
    entities: Integers
    home: Integers


def _side(place: Integers, entity: Integers, places: int) -> _Side:
    pairs, often = np.unique(entity * places + place, return_counts=True)
    among = pairs // places, pairs % places
    entities = np.bincount(among[1], minlength=places)
    home = np.full(places, -1)
    home[among[1]] = among[0]
    home[entities > 1] = -1
    return _Side(place, entity, among, often, entities, home)


def _pairs(sizes: Integers) -> int:
    """How many pairs there are within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def _plain_links(ours: _Side, theirs: _Side, special: int) -> Floats:
    """The counts [2, 4] of links between places that are repeated nowhere."""
    homes = ours.home[special:], theirs.home[special:]
    inside = [_pairs(np.bincount(each[each >= 0])) for each in homes]
    pairs = [_pairs(np.array([np.count_nonzero(each >= 0)])) for each in homes]
    common = (homes[0] >= 0) & (homes[1] >= 0)
    row, column = homes[0][common], homes[1][common]
    both = _pairs(np.unique(row * (column.max(initial=0) + 1) + column, return_counts=True)[1])
    neither = _pairs(np.array([len(row)])) - _pairs(np.bincount(row)) - _pairs(np.bincount(column)) + both
    outside = [pairs[side] - inside[side] for side in range(2)]
    return np.array([[both, inside[0], both, inside[1]], [neither, outside[0], neither, outside[1]]], np.float64)


def _special_links(ours: _Side, theirs: _Side, special: int) -> Floats:
    """The counts [2, 4] of links of places that are repeated on some side."""
    counts = np.zeros((2, 4))
    step = max(_BLOCK // max(len(ours.home), 1), 1)
    for begin in range(0, special, step):
        rows = range(begin, min(begin + step, special))
        both = zip(_links(ours, rows), _links(theirs, rows), strict=True)
        for kind, (mine, others) in enumerate(both):
            shared = np.count_nonzero(mine & others)
            counts[kind] += shared, np.count_nonzero(mine), shared, np.count_nonzero(others)
    return counts


def _links(side: _Side, rows: range) -> tuple[Flags, Flags]:
    """Whether each of these places has a link, within an entity and across, to itself and to each place behind it."""
    here = slice(rows.start, rows.stop)
    number = side.entities[here, None]
    across = (number > 0) & (side.entities > 0) & ((number > 1) | (side.home != side.home[here, None]))
    entity, place = side.among
    some = np.flatnonzero((place >= rows.start) & (place < rows.stop))
    member, owner = _members(entity, entity[some])
    inside = np.zeros_like(across)
    inside[place[some][owner] - rows.start, place[member]] = True
    itself = np.arange(len(rows)), np.arange(rows.start, rows.stop)
    inside[itself] = False
    twice = some[side.often[some] > 1]
    inside[place[twice] - rows.start, place[twice]] = True
    return np.triu(inside, rows.start), np.triu(across, rows.start)


def _members(groups: Integers, wanted: Integers) -> tuple[Integers, Integers]:
    """The places in a sorted list where each of the wanted values stands, and for each place the one that wants it."""
    first = np.searchsorted(groups, wanted)
    size = np.searchsorted(groups, wanted, side="right") - first
    owner = np.repeat(np.arange(len(wanted)), size)
    return np.arange(len(owner)) + np.repeat(first - (np.cumsum(size) - size), size), owner


def _last_homes(key: Document, side: _Side) -> Integers:
    """For each place the last key entity that has it; -1 where none has."""
    homes = side.home.copy()
    order = key.appearance()
    for same in key.copies():
        last = max(same, key=lambda index: order[key.entity_of(index)])
        homes[side.place[last]] = side.entity[last]
    return homes


def _b3(ours: _Side, theirs: _Side, homes: Integers) -> Floats:
    """The counts [4] of B³, where each place is looked up in one of `homes`."""
    width = theirs.entity.max(initial=0) + 1
    order = np.argsort(ours.among[1], kind="stable")
    member, mention = _members(ours.among[1][order], theirs.place)
    cells, shared = np.unique(ours.among[0][order][member] * width + theirs.entity[mention], return_counts=True)
    found = np.flatnonzero(homes[theirs.place] >= 0)
    home, entity = homes[theirs.place[found]], theirs.entity[found]
    common = shared[np.searchsorted(cells, home * width + entity)]
    sizes = np.bincount(ours.entity), np.bincount(theirs.entity)
    tops = [_sum(common / sizes[0][home]), _sum(common / sizes[1][entity])]
    return np.array([tops[0], len(ours.place), tops[1], len(theirs.place)], np.float64)


def _sum(values: Floats) -> float:
    """The sum from the first to the last: in another order it can be another number."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0
