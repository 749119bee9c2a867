"""B³ and BLANC where mentions are repeated, as the reference scorer counts them.

B³ looks a response mention up in the last key entity that has it, and counts the members of its response entity that
are anywhere in that key entity. BLANC counts sets of pairs of places: a pair is a coreference link if both places are
in one entity, and a non-coreference link if they are in two; with repeated mentions it may be both, and a place may be
linked with itself. Each pair counts once. Links of places that are repeated nowhere follow from the sizes of entities.
Links of *special* places, which are repeated on some side, are counted place by place: a link of two special places is
seen from both, and counts a half each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count

import numpy as np

from ..document.document import Document, Flags, Integers, places_of
from ..values import NamedTuple
from .corpus import Corpus
from .metrics import pairs
from .table import Floats, NumberedMentions, sums_by_group

_BLOCK = 1 << 20  # links within entities that are processed together


def recounted(corpus: Corpus, scopes: list[int]) -> dict[str, Floats]:
    """The counts of these scopes of a corpus, by metric."""
    number = {scope: row for row, scope in enumerate(scopes)}
    some = [(pair[:2], number[home]) for pair, home in zip(corpus.aligned, corpus.homes, strict=True) if home in number]
    return repeated_counts([pair for pair, _ in some], [row for _, row in some], corpus.places)


def repeated_counts(
    pairs: Sequence[tuple[Document, Document]], homes: Sequence[int], by: str = "span"
) -> dict[str, Floats]:
    """The counts [scopes, 4] of B³, of coreference links and of non-coreference links.

    Documents with the same number in `homes` are counted as one, in which entities with the same name are one entity.
    Which entity is the last that has a mention, the document of the mention says.

    >>> from scoref import clusters
    >>> found = repeated_counts([(clusters([["a", "a", "b"]]), clusters([["a", "b"]]))], [0])
    >>> found["b3"].round(3).tolist(), found["pairwise"].tolist(), found["nonlinks"].tolist()
    ([[1.333, 3.0, 2.0, 2.0]], [[1.0, 2.0, 1.0, 1.0]], [[0.0, 0.0, 0.0, 0.0]])
    """
    places: tuple[list[list[int]], list[list[int]]] = ([], [])
    special: list[int] = []
    before = [0]  # the number of places in the documents before
    for both in pairs:
        names = places_of(both, by)
        numbers = dict(zip(dict.fromkeys(chain(*names)), count(before[-1]), strict=False))
        before.append(before[-1] + len(numbers))
        for here, each, side in zip(places, names, both, strict=True):
            here.append([*map(numbers.__getitem__, each)])
            special += [here[-1][same[0]] for same in side.copies(by)]
    home = np.repeat(np.array(homes, np.int64), np.diff(before))
    weight = np.ones(len(home))
    weight[special] = 0.5
    texts = _Texts(home, weight, len(set(homes)))
    ours, theirs = (_side([pair[number] for pair in pairs], homes, places[number], texts) for number in range(2))
    links = _plain_links(ours, theirs, texts) + _special_links(ours, theirs, texts)
    lasts = _last_entities([key for key, _ in pairs], places[0], ours, by)
    return {"b3": _b3(ours, theirs, lasts, texts), "pairwise": links[0], "nonlinks": links[1]}


class _Texts(NamedTuple):
    """The places of all documents: the scope and the weight (a half if special) of each; the number of scopes.

    A scope, a document or several that are counted as one, is called a document from here on.
    """

    document: Integers
    weight: Floats
    number: int

    def added(self, places: Integers, values: Floats | None = None) -> Floats:
        """For each document the sum of the values of these places; without values, their number."""
        return sums_by_group(self.document[places], np.ones(len(places)) if values is None else values, self.number)


class _RepeatedSide(NamedTuple):
    """The mentions of one side: places and entities as numbers, and the document of each entity.

    `members` are the different pairs of an entity and a place, sorted, and `often` says how many mentions each has.
    `entities` says how many entities each place is in, and `home` which one, if it is one; else -1.
    """

    place: Integers
    entity: Integers
    document: Integers
    members: tuple[Integers, Integers]
    often: Integers
    entities: Integers
    home: Integers


def _side(documents: Sequence[Document], homes: Sequence[int], places: list[list[int]], texts: _Texts) -> _RepeatedSide:
    entities, entity, _ = NumberedMentions.of(documents, homes)
    place = np.fromiter(chain(*places), np.int64, len(entity))
    width = len(texts.document)
    pairs, often = np.unique(entity * width + place, return_counts=True)
    members = pairs // width, pairs % width
    several = np.bincount(members[1], minlength=width)
    home = np.full(width, -1)
    home[members[1]] = members[0]
    home[several > 1] = -1
    return _RepeatedSide(place, entity, np.array(entities.document, np.int64), members, often, several, home)


# -- links -----------------------------------------------------------------------------------------------------------


def _counts(shared: Floats, ours: Floats, theirs: Floats) -> Floats:
    return np.stack((shared, ours, shared, theirs), axis=1)


def _plain_links(ours: _RepeatedSide, theirs: _RepeatedSide, texts: _Texts) -> Floats:
    """The counts [2, documents, 4] of links between places that are not special."""
    homes = [np.where(texts.weight == 1, side.home, -1) for side in (ours, theirs)]

    def within(side: _RepeatedSide, home: Integers) -> Floats:
        sizes = np.bincount(home, minlength=len(side.document)).astype(np.float64)
        return sums_by_group(side.document, pairs(sizes), texts.number)

    some = [np.flatnonzero(home >= 0) for home in homes]
    inside = [within(side, home[home >= 0]) for side, home in zip((ours, theirs), homes, strict=True)]
    outside = [pairs(texts.added(places)) - each for places, each in zip(some, inside, strict=True)]
    common = np.flatnonzero((homes[0] >= 0) & (homes[1] >= 0))
    row, column = homes[0][common], homes[1][common]
    width = len(theirs.document)
    cells, number = np.unique(row * width + column, return_counts=True)
    both = sums_by_group(ours.document[cells // width], pairs(number.astype(np.float64)), texts.number)
    neither = pairs(texts.added(common)) - within(ours, row) - within(theirs, column) + both
    return np.stack((_counts(both, *inside), _counts(neither, *outside)))


def _special_links(ours: _RepeatedSide, theirs: _RepeatedSide, texts: _Texts) -> Floats:
    """The counts [2, documents, 4] of links of special places."""
    sides = ours, theirs
    inside = [np.zeros(texts.number) for _ in range(3)]
    for places in _blocks(sides, texts):
        links = [_inside(side, places) for side in sides]
        shared = np.intersect1d(links[0], links[1], assume_unique=True)
        for found, each in zip(inside, (shared, *links), strict=True):
            one, other = each // len(texts.weight), each % len(texts.weight)
            found += texts.added(one, np.where(one == other, 1.0, texts.weight[other]))
    across = [_across([side], texts) for side in sides]
    return np.stack((_counts(*inside), _counts(_across(sides, texts), *across)))


def _blocks(sides: tuple[_RepeatedSide, _RepeatedSide], texts: _Texts) -> Iterator[Integers]:
    """The special places in blocks that have a limited number of links."""
    special = np.flatnonzero(texts.weight < 1)
    links = np.zeros(len(texts.weight))
    for side in sides:
        entity, place = side.members
        links += sums_by_group(place, np.bincount(entity)[entity].astype(np.float64), len(links))
    block = (np.cumsum(links[special]) // _BLOCK).astype(np.int64)
    yield from np.split(special, np.flatnonzero(np.diff(block)) + 1)


def _inside(side: _RepeatedSide, places: Integers) -> Integers:
    """The links of these places within entities, each as one number made of both places."""
    entity, place = side.members
    some = np.flatnonzero(_marked(places, place))
    member, wanting = _members(entity, entity[some])
    one, other = place[some][wanting], place[member]
    linked = (one != other) | (side.often[member] > 1)
    # with counts, as numpy.unique imports numpy.ma where nothing else is asked for
    return np.unique(one[linked] * len(side.home) + other[linked], return_counts=True)[0]


def _marked(wanted: Integers, numbers: Integers) -> Flags:
    """Which of the `numbers` are in `wanted`."""
    marks = np.zeros(max(wanted.max(initial=0), numbers.max(initial=0)) + 1, np.bool_)
    marks[wanted] = True
    return marks[numbers]


def _members(groups: Integers, wanted: Integers) -> tuple[Integers, Integers]:
    """All indices of the wanted values in a sorted list, and for each index which wanted value it is."""
    first = np.searchsorted(groups, wanted)
    size = np.searchsorted(groups, wanted, side="right") - first
    wanting = np.repeat(np.arange(len(wanted)), size)
    return np.arange(len(wanting)) + np.repeat(first - (np.cumsum(size) - size), size), wanting


def _across(sides: Sequence[_RepeatedSide], texts: _Texts) -> Floats:
    """For each document the links of special places across entities, on one side or on both sides at once.

    A place has such a link to every place of its document but those that are in its only entity and in no other.
    """
    there = np.flatnonzero(np.all([side.entities > 0 for side in sides], axis=0))
    weight, homes = texts.weight[there], [side.home[there] for side in sides]
    found = texts.added(there, weight)[texts.document[there]]
    for home in homes:
        found -= np.where(home >= 0, sums_by_group(home + 1, weight, 0)[home + 1], 0.0)
    special = weight < 1
    if len(sides) > 1:  # add what was subtracted twice
        near = _marked(homes[0][special] + 1, homes[0] + 1)  # places in the entity of a special place
        some = np.flatnonzero(near & (homes[0] >= 0) & (homes[1] >= 0))
        cells = homes[0][some] * len(sides[1].document) + homes[1][some]
        number = np.unique(cells, return_inverse=True)[1]
        found[some] += sums_by_group(number, weight[some], 0)[number]
    found[np.max(homes, axis=0) < 0] += 0.5  # the place itself, which was counted as a half
    return texts.added(there[special], found[special])


# -- B³ --------------------------------------------------------------------------------------------------------------


def _last_entities(keys: Sequence[Document], places: list[list[int]], side: _RepeatedSide, by: str) -> Integers:
    """For each place the last key entity that has it; -1 where none has."""
    homes = side.home.copy()
    before = 0
    for key, here in zip(keys, places, strict=True):
        for *_, last in key.copies(by, "opened"):
            homes[here[last]] = side.entity[before + last]
        before += len(here)
    return homes


def _b3(ours: _RepeatedSide, theirs: _RepeatedSide, homes: Integers, texts: _Texts) -> Floats:
    """The counts [documents, 4] of B³, where each place is looked up in one of `homes`."""
    width = len(theirs.document)
    order = np.argsort(ours.members[1])
    member, mention = _members(ours.members[1][order], theirs.place)
    cells, shared = np.unique(ours.members[0][order][member] * width + theirs.entity[mention], return_counts=True)
    found = np.flatnonzero(homes[theirs.place] >= 0)
    place, entity = theirs.place[found], theirs.entity[found]
    common = shared[np.searchsorted(cells, homes[place] * width + entity)]
    recall = texts.added(place, common / np.bincount(ours.entity)[homes[place]])  # summed in the order of mentions
    precision = texts.added(place, common / np.bincount(theirs.entity)[entity])
    return np.stack((recall, texts.added(ours.place), precision, texts.added(theirs.place)), axis=1)
