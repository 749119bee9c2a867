"""The mentions of key and response in the order of the text, as arrays: their entities, their twins, and partners.

Mentions that the protocol's matcher aligns are *twins*. A response mention and a key mention that are both without a
twin become twins, too, if they have the same head, or, where not both have one, share at least half of the words that
they cover together: this is a span error. Such pairs are taken by their Dice coefficient, the greatest first, then in
text order.

*Partners* are a key entity and a response entity that share most mentions, one to one: the pair that shares most is
taken first; of pairs that share as many, the one with the greater Dice coefficient, then the one whose key entity, then
whose response entity begins first. Numbers and colours of a page, and what an error names, follow from them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import count, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..document.document import Document, Integers, Mention, owners_of
from ..document.forms import Headed, headed
from ..document.mentions import values_of
from ..document.spans import text_order
from ..document.where import ends_of, sentences_of
from ..formats import SIDES
from ..matching.lookup import Lookups
from ..matching.nuggets import agree, once, overlaps, value
from ..results.evidence import Evidence
from .mistakes import MentionPlace

Flags = NDArray[np.bool_]
Aligned = tuple[Document, Document, Lookups]

_NEAR = 2 / 3  # the Dice coefficient of mentions that share half of the words they cover together


class RankedMentions(NamedTuple):
    """The mentions of one side by *rank*: their index in the order of homes, documents and text.

    For each mention the number of its document and its place in the list there (`at`), its entity, and the rank of its
    twin, or -1. For each entity its name, its home (a document, a group of documents, the corpus), and the rank of its
    first mention: entities are numbered in the order of their first mentions.
    """

    document: Integers
    at: Integers
    entity: Integers
    twin: Integers
    name: list[Hashable]
    home: Integers
    first: Integers

    @property
    def size(self) -> Integers:
        """The number of mentions of each entity."""
        return np.bincount(self.entity, minlength=len(self.name))


class SharedCells(NamedTuple):
    """Which entities of key and response share mentions, and how many, in the order of key entities.

    `of` has for each mention of key and response the cell that it is in, or -1.
    """

    row: Integers
    column: Integers
    shared: Integers
    of: tuple[Integers, Integers]


class Twins:
    """Key and response of an evaluation, mention by mention: see `RankedMentions`.

    `attributes` are those that two event nuggets, each a line of its file, must agree in to be a span error; None where
    mentions are no nuggets. `fields` are those in which any mentions must agree to be twins.
    """

    def __init__(
        self, evidence: Evidence, attributes: tuple[str, ...] | None = None, fields: Sequence[str] = ()
    ) -> None:
        self.aligned = evidence.aligned
        self.fields = fields
        self.documents = [key for key, _, _ in evidence.aligned], [response for _, response, _ in evidence.aligned]
        self.attributes = attributes
        order = np.argsort(np.array(evidence.homes, np.int64), kind="stable").tolist()
        homes = [evidence.homes[number] for number in order]
        self._place = {number: place for place, number in enumerate(order)}
        self._rank = [_Ranks([each[number] for number in order]) for each in self.documents]
        sides = [self._side(side, order, homes) for side in range(2)]
        ours, theirs, exact = self._pairs(order)
        sides[0].twin[ours], sides[1].twin[theirs] = theirs, ours
        self.sides = sides[0], sides[1]
        self.corrected = np.sort(theirs[~exact])  # ranks of response mentions with a span error

    def _side(self, side: int, order: list[int], homes: list[int]) -> RankedMentions:
        """The mentions of one side; twins are filled in later."""
        documents = [self.documents[side][number] for number in order]
        ranks = self._rank[side]
        names, at_home, numbers, begins = list[Hashable](), list[int](), list[int](), list[int]()
        known: dict[Hashable, int] = {}
        before = -1
        for home, document in zip(homes, documents, strict=True):
            if home != before:
                before, known = home, {}
            there = document.names
            new = [name for name in there if name not in known] if known else there
            known.update(zip(new, count(len(names)), strict=False))
            names += new
            at_home += [home] * len(new)
            begins.append(len(numbers))
            numbers += map(known.__getitem__, there)
        place = np.repeat(np.arange(len(order)), np.diff(ranks.starts))
        owner = np.array(begins, np.int64)[place] + owners_of(documents)
        entity = np.array(numbers, np.int64)[owner][ranks.order]
        found, first = np.unique(entity, return_index=True)
        by_first = np.argsort(first, kind="stable")
        kept = found[by_first]
        new_number = np.full(len(names), -1)
        new_number[kept] = np.arange(len(kept))
        return RankedMentions(
            np.array(order, np.int64)[place], ranks.order - ranks.starts[place], new_number[entity],
            np.full(len(entity), -1), [names[old] for old in kept.tolist()], np.array(at_home, np.int64)[kept],
            first[by_first].astype(np.int64),
        )  # fmt: skip

    def _pairs(self, order: list[int]) -> tuple[Integers, Integers, Flags]:
        """Twins by their ranks in key and response, and whether the matcher aligned them."""
        pairs: list[tuple[int, int]] = []
        numbers, exact = [], []
        for number in order:
            key, response, lookups = self.aligned[number]
            aligned = _one_to_one(key, response, lookups)
            near = _near(key, response, aligned, self.attributes, self.fields)
            pairs += [*aligned, *near]
            numbers.append(len(aligned) + len(near))
            exact += [True] * len(aligned) + [False] * len(near)
        both = np.array(pairs, np.int64).reshape(-1, 2)
        place = np.repeat(np.arange(len(order)), numbers)
        ours, theirs = (each.rank[each.starts[place] + both[:, side]] for side, each in enumerate(self._rank))
        return ours, theirs, np.array(exact, np.bool_)

    @cached_property
    def cells(self) -> SharedCells:
        """The pairs of entities that share mentions, after span correction."""
        ours, theirs = self.sides
        there = np.flatnonzero(ours.twin >= 0)
        width = max(len(theirs.name), 1)
        codes = ours.entity[there] * width + theirs.entity[ours.twin[there]]
        codes, cell, counts = np.unique(codes, return_inverse=True, return_counts=True)
        of = np.full(len(ours.twin), -1), np.full(len(theirs.twin), -1)
        of[0][there], of[1][ours.twin[there]] = cell, cell
        return SharedCells(codes // width, codes % width, counts, of)

    @cached_property
    def partners(self) -> tuple[Integers, Integers]:
        """For each key entity its partner in the response, and the other way round; -1 for those without one."""
        row, column = self.cells[:2]
        found = [-1] * len(self.sides[0].name), [-1] * len(self.sides[1].name)
        for i, j in zip(row[self.best_first].tolist(), column[self.best_first].tolist(), strict=True):
            if found[0][i] < 0 and found[1][j] < 0:
                found[0][i], found[1][j] = j, i
        return np.array(found[0], np.int64), np.array(found[1], np.int64)

    @cached_property
    def best_first(self) -> Integers:
        """The cells in the order in which partners are taken."""
        row, column, count, _ = self.cells
        dice = count / (self.sides[0].size[row] + self.sides[1].size[column])
        return np.lexsort((column, row, -dice, -count))

    @cached_property
    def differs(self) -> Flags:
        """For each response mention whether it has a span error."""
        found = np.zeros(len(self.sides[1].at), np.bool_)
        found[self.corrected] = True
        return found

    def ranks(self, side: int, number: int) -> Integers:
        """The rank of each mention of a document, in the order of its mentions."""
        ranks, place = self._rank[side], self._place[number]
        return ranks.rank[ranks.starts[place] : ranks.starts[place + 1]]

    def place(self, side: int, rank: int) -> MentionPlace:
        """The place of a mention."""
        return self.places(side, (rank,))[0]

    def places(self, side: int, ranks: Iterable[int]) -> list[MentionPlace]:
        """The places of many mentions; faster than one by one."""
        numbers, indices = self._places[side]
        name, documents = SIDES[side], self.documents[side]
        return [MentionPlace(name, number := numbers[rank], indices[rank], documents[number]) for rank in ranks]

    @cached_property
    def _places(self) -> list[tuple[array[int], array[int]]]:
        """Document and index of each mention."""
        return [(as_array(side.document), as_array(side.at)) for side in self.sides]

    def texts(self, side: int, ranks: Integers) -> list[str]:
        """The words of many mentions; faster than one by one: the words of a document are cut once."""
        known, told = self._texts[side]
        new = np.unique(ranks[~told[ranks]])
        told[new] = True
        numbers, indices = self._places[side]
        for number, some in groupby(new.tolist(), numbers.__getitem__):
            document = self.documents[side][number]
            ends = document.mentions.ends if document.words else None
            words = [*document.words] if ends else []
            for rank in some:
                at = 2 * indices[rank]
                known[rank] = " ".join(words[ends[at] : ends[at + 1] + 1]) if ends else self.place(side, rank).text
        said: list[str] = known[ranks].tolist()
        return said

    @cached_property
    def _texts(self) -> list[tuple[NDArray[np.object_], Flags]]:
        """The words of each mention, and whether they are known."""
        return [(np.full(len(side.at), "", object), np.zeros(len(side.at), np.bool_)) for side in self.sides]

    @cached_property
    def forms(self) -> tuple[Integers, Integers]:
        """The form of each mention of key and response, by its number in `FORMS`."""
        ours, theirs = (self.ranked(side, each.form) for side, each in enumerate(self.headed))
        return ours, theirs

    @cached_property
    def headed(self) -> list[Headed]:
        """What heads the mentions of each side, document after document."""
        return [*map(headed, self.documents)]

    def ranked(self, side: int, values: Integers) -> Integers:
        """Values of the mentions of one side, given document after document, in the order of their ranks."""
        found: Integers = values[self._numbers[side]]
        return found

    def in_documents(self, side: int, values: Integers) -> Integers:
        """The same the other way round."""
        found = np.empty_like(values)
        found[self._numbers[side]] = values
        return found

    @cached_property
    def _numbers(self) -> list[Integers]:
        """The number of each mention, document after document, each in the order of its mentions."""
        starts = (np.cumsum([0, *(len(each.mentions) for each in documents)]) for documents in self.documents)
        return [first[side.document] + side.at for first, side in zip(starts, self.sides, strict=True)]

    @cached_property
    def words(self) -> list[tuple[Integers, Integers]]:
        """For each side the first words of mentions or `NOWHERE`, and their sentences; -1 in documents with one."""
        found = []
        for number, (documents, side) in enumerate(zip(self.documents, self.sides, strict=True)):
            first = self.ranked(number, ends_of(documents)[:, 0])
            found.append((first, sentences_of(documents, side.document, first)))
        return found

    def mention(self, side: int, rank: int) -> Mention:
        """A mention by its rank."""
        return self.place(side, rank).mention


def as_array(values: Integers) -> array[int]:
    """The numbers as an `array`: single lookups are as fast as in a list, with less memory."""
    return array("q", values.astype(np.int64, copy=False).tobytes())


def _order(document: Document, index: int) -> tuple[bool, tuple[int, ...], str]:
    """The sort key of a mention for text order; mentions without a position come last."""
    mention = document.mentions[index]
    return not mention.span, text_order(mention.span), str(mention.id)


class _Ranks:
    """The text order of the mentions of several documents, which are numbered through all documents.

    `order` has the mention at each rank, `rank` the rank of each mention, `starts` the first mention of each document.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.starts = np.cumsum([0, *(len(document.mentions) for document in documents)])
        ends: Integers = np.frombuffer(b"".join(map(_ends, documents)), np.intc)
        place = np.repeat(np.arange(len(documents)), np.diff(self.starts))
        self.order = np.lexsort((ends[1::2], ends[::2], place))
        self.rank = np.empty_like(self.order)
        self.rank[self.order] = np.arange(len(self.order))


def _ends(document: Document) -> array[int]:
    """Two numbers for each mention that sort it into text order: its first and last word, if these suffice."""
    mentions = document.mentions
    if mentions.ends is not None and not any(id is not None for id in mentions.ids):  # ids break ties
        return mentions.ends
    keys = [_order(document, index) for index in range(len(document.mentions))]
    places = {key: place for place, key in enumerate(sorted(keys))}
    return array("i", [number for key in keys for number in (places[key], 0)])


def _one_to_one(key: Document, response: Document, lookups: Lookups) -> Sequence[tuple[int, int]]:
    """Aligned mentions, one to one; of several candidates, the one whose entity shares most mentions is taken."""
    pairs = [*zip(*lookups.recall, strict=True)]
    if lookups.recall is lookups.precision and len(set(lookups.recall.response)) == len(pairs):
        return pairs
    every = (lookups.recall, lookups.precision, lookups.every, lookups.zeros)
    pairs = [*{pair for each in every for pair in zip(*each, strict=True)}]
    entities = {(k, r): (key.mentions[k].entity, response.mentions[r].entity) for k, r in pairs}
    shared = Counter(entities.values())
    pairs.sort(key=lambda pair: (-shared[entities[pair]], _order(key, pair[0]), _order(response, pair[1]), pair))
    return once(pairs)


def _near(
    key: Document,
    response: Document,
    aligned: Sequence[tuple[int, int]],
    attributes: tuple[str, ...] | None,
    fields: Sequence[str],
) -> list[tuple[int, int]]:
    """Pairs of unaligned mentions that differ only in their spans."""
    gone = {k for k, _ in aligned}, {r for _, r in aligned}
    free = [sorted({*range(len(each.mentions))} - gone[side]) for side, each in enumerate((key, response))]
    if not all(free):
        return []
    dice = overlaps(key, response, *free)
    pairs = [(k, r) for k, r in dice if _alike(key.mentions[k], response.mentions[r], dice[k, r])]
    for name in attributes or ():  # with another type, say, it is no span error
        pairs = [(k, r) for k, r in pairs if agree(value(key.mentions[k], name), value(response.mentions[r], name))]
    if fields and pairs:
        ours, theirs = values_of(key.mentions, fields), values_of(response.mentions, fields)
        pairs = [(k, r) for k, r in pairs if ours[k] == theirs[r]]
    pairs.sort(key=lambda pair: (-dice[pair], _order(response, pair[1]), _order(key, pair[0]), pair))
    return once(pairs)


def _alike(key: Mention, response: Mention, dice: float) -> bool:
    heads = key.head, response.head
    return dice >= _NEAR if None in heads else heads[0] == heads[1]
