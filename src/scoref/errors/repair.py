"""From a response to the key, step by step: the errors that the steps repair, and the response without some of them.

Errors are those of Kummerfeld & Klein 2013 (*Error-driven analysis of challenges in coreference resolution*). Mentions
are in text order (those without positions in the order of their names), and those that the protocol's matcher aligns
count as the same. In each document:

1. *Span error*: a response mention and a key mention, both unaligned, that have the same head, or, where not both have
   one, share at least half of the words that they cover together. Pairs are taken by their Dice coefficient, the
   greatest first, then in text order; each becomes aligned.
2. A response entity falls into parts: its mentions of one key entity are a part, every unaligned mention is one. With
   nothing aligned, it is an *extra entity*. Otherwise the part that has its first mention stays; every other part that
   is of a key entity is split off (*conflated entities*), every other unaligned mention is split off and removed
   (*extra mention*). If its first mention is unaligned itself, it goes when the last of the others is split off.
3. A key entity falls into parts likewise: its mentions in one response entity are a part, every unaligned mention is
   one. With nothing aligned, it is a *missing entity*. Otherwise every part is merged into the one that has its first
   mention: *divided entity* for a part that is in the response, *missing mention* for a mention that is introduced. If
   its first mention is unaligned itself, it is introduced when the first of the others is merged into it.

All steps together turn the entities of the response into those of the key. Nothing depends on the order of mentions or
entities in the files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ..model import Document, Mention
from ..scoring.grouping import grouped
from ..scoring.lookup import Lookups
from ..scoring.mapping import agree, once, overlaps, value
from ..spans import text_order
from .mistakes import KINDS, CoreferenceError, Place
from .rewriting import at_free_place, lines, new_names, numbered, with_mentions, with_new_id, with_sets

_GONE = object()  # the entity of a mention that is removed
_NEAR = 2 / 3  # the Dice coefficient of mentions that share half of the words they cover together

Aligned = tuple[Document, Document, Lookups]


class _Step(NamedTuple):
    """An error by the ranks of its mentions: on the response side, or on the key side for what is merged."""

    kind: str
    mentions: Sequence[int]
    anchor: int
    with_anchor: bool = False


class Repairs:
    """The errors of documents that share their entities: of one document, or of a whole corpus.

    `numbers` are those of the documents in the evaluation. Mentions go by their rank, their place in the order of
    documents and of text: for each side (key, response) `places` gives the document and index of each, `entities` the
    entity, `twins` the rank of the mention on the other side that is aligned with it.

    `attributes` are those that mentions must agree in to stand for each other, where a mention is a line of its file
    (event nuggets); None elsewhere.
    """

    def __init__(
        self,
        names: Sequence[str],
        numbers: Sequence[int],
        aligned: Sequence[Aligned],
        attributes: tuple[str, ...] | None = None,
    ) -> None:
        self.numbers = numbers
        self._by_line = attributes is not None
        self._names = names
        self.documents = [key for key, _, _ in aligned], [response for _, response, _ in aligned]
        self.places = [_in_text_order(documents) for documents in self.documents]
        self.entities = [
            [documents[number].mentions[index][1] for number, index in places]
            for documents, places in zip(self.documents, self.places, strict=True)
        ]
        ranks = [_ranks(*each) for each in zip(self.documents, self.places, strict=True)]
        twins: dict[int, int] = {}  # of response mentions
        self._corrected: dict[int, int] = {}
        for number, (key, response, lookups) in enumerate(aligned):
            pairs = _one_to_one(key, response, lookups)
            ours, theirs = ranks[0][number], ranks[1][number]
            twins.update({theirs[r]: ours[k] for k, r in pairs})
            self._corrected.update({theirs[r]: ours[k] for k, r in _near(key, response, pairs, attributes)})
        twins |= self._corrected
        self.twins = {k: r for r, k in twins.items()}, twins
        self._members = grouped(self.entities[1])
        self._numbered: tuple[str | None, int] | None = None
        self._steps: dict[str, list[_Step]] = {kind: [] for kind in KINDS}
        for step in sorted(self._found(), key=lambda step: step.mentions[0]):
            self._steps[step.kind].append(step)
        self.counts = {kind: len(steps) for kind, steps in self._steps.items()}

    def _found(self) -> Iterator[_Step]:
        """The steps: spans are corrected, entities of the response split, entities of the key put together."""
        yield from (_Step("span error", [r], k) for r, k in self._corrected.items())
        for side, part, single, whole in (
            (1, "conflated entities", "extra mention", "extra entity"),
            (0, "divided entity", "missing mention", "missing entity"),
        ):
            twins, others = self.twins[side], self.entities[1 - side]
            for members in grouped(self.entities[side]).values():
                parts: dict[Hashable, list[int]] = {}
                alone: list[int] = []
                for rank in members:
                    if (twin := twins.get(rank)) is None:
                        alone.append(rank)
                    else:
                        parts.setdefault(others[twin], []).append(rank)
                if not parts:
                    yield _Step(whole, members, members[0])
                    continue
                first, *pieces = parts.values()
                anchor = members[0] if side else first[0]
                yield from (_Step(single, [rank], anchor) for rank in alone if rank != members[0])
                if alone[:1] == members[:1]:  # the first mention has no twin: it goes or comes with one of the parts
                    pieces = [first, *pieces]
                    turn = len(pieces) - 1 if side else 0
                    yield from (_Step(part, each, members[0], number == turn) for number, each in enumerate(pieces))
                else:
                    yield from (_Step(part, each, members[0]) for each in pieces)

    def errors(self) -> Iterator[CoreferenceError]:
        """The errors, by kind and in text order."""
        for kind, mentions, anchor, with_anchor in chain.from_iterable(self._steps.values()):
            side = 0 if kind in KINDS[4:] else 1
            number = self.places[side][mentions[0]][0]
            places = tuple([self.place(side, rank) for rank in mentions])
            first = self.place(0 if kind == "span error" else side, anchor)
            whole = kind in ("extra entity", "missing entity")
            yield CoreferenceError(
                kind, self._names[number], self.numbers[number], places, None if whole else first, with_anchor
            )

    def place(self, side: int, rank: int) -> Place:
        """The place of a mention."""
        number, index = self.places[side][rank]
        return Place(("key", "response")[side], self.numbers[number], index, self.documents[side][number])

    def repaired(
        self, kinds: Collection[str], keys: Sequence[Document], responses: Sequence[Document]
    ) -> list[Document]:
        """The responses, as they were read, without errors of those kinds; keys are given as they were read, too.

        Entities that stay keep their names. Mentions that the protocol left out of scoring stay as they are.
        """
        self._numbered = self._numbered or numbered(responses)
        changed, introduced, merged = self._changed(kinds, new_names(*self._numbered))
        ours, theirs = self._as_read(0, keys), self._as_read(1, responses)
        mentions: list[list[Mention | None]] = [[*document.mentions] for document in theirs]
        for rank, entity in changed.items():
            number, index = self.places[1][rank]
            old = mentions[number][index]
            mentions[number][index] = None if entity is _GONE or old is None else old.of(entity)
        for rank, twin in self._corrected.items() if KINDS[0] in kinds else ():
            number, index = self.places[1][rank]
            if old := mentions[number][index]:
                place = self.places[0][twin]
                mentions[number][index] = ours[place[0]].mentions[place[1]]._replace(entity=old.entity, id=old.id)
        ids: dict[int, set[Hashable]] = {}
        for rank, entity in introduced.items():
            number, index = self.places[0][rank]
            mention = at_free_place(ours[number].mentions[index].of(entity), self.documents[1][number])
            if mention.id is not None and mention.span:  # else it is known by its positions, or by its id, alone
                there = (*mentions[number], *responses[number].mentions)
                used = ids.setdefault(number, {each.id for each in there if each})
                mention = with_new_id(mention, used)
            mentions[number].append(mention)
        touched = {self.entities[1][rank] for rank in changed}
        each = zip(responses, theirs, mentions, strict=True)
        return [with_sets(with_mentions(*sides, touched, self._by_line), merged) for sides in each]

    def _as_read(self, side: int, documents: Sequence[Document]) -> Sequence[Document]:
        """The documents as they were scored, but event nuggets with their spans as they were read."""
        scored = self.documents[side]
        if not self._by_line:
            return scored
        found = []
        for each, read in zip(scored, documents, strict=True):
            known = dict(zip(lines(read), read.mentions, strict=True))
            mentions = [
                known[line].of(mention.entity) for line, mention in zip(lines(each), each.mentions, strict=True)
            ]
            found.append(replace(each, mentions=tuple(mentions)))
        return found

    def mention(self, side: int, rank: int) -> Mention:
        """A mention by its rank."""
        number, index = self.places[side][rank]
        return self.documents[side][number].mentions[index]

    def _changed(
        self, kinds: Collection[str], names: Iterator[Hashable]
    ) -> tuple[dict[int, Hashable], dict[int, Hashable], dict[Hashable, Hashable]]:
        """New entities of response mentions (or that they are gone), those of introduced ones, and what was merged."""
        changed: dict[int, Hashable] = {}
        introduced: dict[int, Hashable] = {}
        merged: dict[Hashable, Hashable] = {}

        def now(entity: Hashable) -> Hashable:
            while entity in merged:
                entity = merged[entity]
            return entity

        def entity_of(rank: int) -> Hashable:
            if rank in introduced:
                return now(introduced[rank])
            twin = self.twins[0][rank]
            return now(changed[twin] if twin in changed else self.entities[1][twin])

        steps = {kind: self._steps[kind] if kind in kinds else () for kind in KINDS}
        for _, mentions, anchor, with_anchor in steps["conflated entities"]:
            changed |= dict.fromkeys(mentions, next(names))
            if with_anchor:
                changed[anchor] = _GONE
        for step in (*steps["extra mention"], *steps["extra entity"]):
            changed |= dict.fromkeys(step.mentions, _GONE)
        for _, mentions, anchor, with_anchor in steps["divided entity"]:
            if with_anchor:
                introduced[anchor] = entity_of(mentions[0])
            elif (entity := entity_of(mentions[0])) != (goal := entity_of(anchor)):
                merged[entity] = goal
        for step in steps["missing mention"]:
            introduced[step.mentions[0]] = entity_of(step.anchor)
        for step in steps["missing entity"]:
            introduced |= dict.fromkeys(step.mentions, next(names))
        for name in merged:
            for rank in self._members.get(name, ()):
                changed.setdefault(rank, name)
        if not merged:
            return changed, introduced, {}
        old, new = ({rank: now(entity) for rank, entity in each.items()} for each in (changed, introduced))
        return old, new, {name: now(name) for name in merged}


def _order(document: Document, index: int) -> tuple[bool, tuple[int, ...], str]:
    """The place of a mention; lost ones, which have none in a text with places, are the last."""
    mention = document.mentions[index]
    return not mention.span, text_order(mention.span), str(mention.id)


def _in_text_order(documents: Sequence[Document]) -> list[tuple[int, int]]:
    """The number of the document and the index of each mention."""
    found: list[tuple[int, int]] = []
    for number, document in enumerate(documents):
        keys = [_order(document, index) for index in range(len(document.mentions))]
        found += [(number, index) for index in sorted(range(len(keys)), key=keys.__getitem__)]
    return found


def _ranks(documents: Sequence[Document], places: list[tuple[int, int]]) -> list[list[int]]:
    """For each document the ranks of its mentions."""
    found = [[0] * len(document.mentions) for document in documents]
    for rank, (number, index) in enumerate(places):
        found[number][index] = rank
    return found


def _one_to_one(key: Document, response: Document, lookups: Lookups) -> list[tuple[int, int]]:
    """Aligned mentions, each once; of several partners the one whose entity shares most comes first."""
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
    key: Document, response: Document, aligned: list[tuple[int, int]], attributes: tuple[str, ...] | None
) -> list[tuple[int, int]]:
    """Pairs of unaligned mentions that are span errors."""
    gone = {k for k, _ in aligned}, {r for _, r in aligned}
    free = [
        [index for index in range(len(document.mentions)) if index not in taken]
        for document, taken in zip((key, response), gone, strict=True)
    ]
    dice = overlaps(key, response, *free)
    pairs = [pair for pair in dice if _alike(key.mentions[pair[0]], response.mentions[pair[1]], dice[pair])]
    for name in attributes or ():  # a mention of another type, say, is another one
        pairs = [(k, r) for k, r in pairs if agree(value(key.mentions[k], name), value(response.mentions[r], name))]
    pairs.sort(key=lambda pair: (-dice[pair], _order(response, pair[1]), _order(key, pair[0]), pair))
    return once(pairs)


def _alike(key: Mention, response: Mention, dice: float) -> bool:
    if key.head is not None and response.head is not None:
        return key.head == response.head
    return dice >= _NEAR
