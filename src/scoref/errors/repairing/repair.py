"""Repairs the errors of a response: the steps that lead from it to the key, and the documents after some of them.

The errors are those of `finding`; the steps are those of Kummerfeld & Klein 2013, who let the first mention of an
entity stay, whatever it is. Where only some kinds are repaired, the result depends on that.

1. Spans are corrected.
2. A response entity falls into parts: its mentions of one key entity are a part, every unaligned mention is one. The
   part with its first mention stays, every other part that is of a key entity is split off (*conflated entities*),
   every other unaligned mention is removed (*extra mention*). If its first mention is unaligned itself, it goes when
   the last of the others is split off. With nothing aligned, all its mentions are removed (*extra entity*).
3. A key entity falls into parts likewise: its mentions in one response entity are a part, every unaligned mention is
   one. Every part is merged into the one that has its first mention: *divided entity* for a part that is in the
   response, *missing mention* for a mention that is introduced. If its first mention is unaligned itself, it is
   introduced when the first of the others is merged into it. With nothing aligned, all its mentions are introduced
   (*missing entity*).

All steps together turn the entities of the response into those of the key. Nothing depends on the order of mentions or
entities in the files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import NamedTuple

import numpy as np

from ...document.document import COREFERENCE, Bridge, Document, Mention, Span
from ...document.grouping import grouped
from ...preparing.steps import Alone
from ..mistakes import KINDS
from ..twins import Twins

_GONE = object()  # marks a mention as removed
_NUMBERED = re.compile(r"(.*?)(\d{0,18})", re.DOTALL)


class _Step(NamedTuple):
    """One repair step by the ranks of its mentions: in the response; in the key, if they are merged or introduced."""

    kind: str
    mentions: Sequence[int]
    anchor: int
    with_anchor: bool = False


class Repairs:
    """The steps for documents that share their entities: for one document, or for a whole corpus.

    `numbers` are those of the documents in the evaluation. Mentions go by their rank among those of these documents:
    for each side (key, response) `places` gives the document and index of each, `entities` the entity, `twins` the rank
    of the mention on the other side that is aligned with it.
    """

    def __init__(self, twins: Twins, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self._by_line = twins.attributes is not None
        self.documents = [[side[number] for number in numbers] for side in twins.documents]
        ranks = [np.sort(np.concatenate([twins.ranks(side, number) for number in numbers])) for side in range(2)]
        starts = [int(each[0]) if len(each) else 0 for each in ranks]
        local = {number: place for place, number in enumerate(numbers)}
        self.places: list[list[tuple[int, int]]] = []
        self.entities: list[list[Hashable]] = []
        for side, mentions in enumerate(twins.sides):
            there = ranks[side]
            documents = [local[number] for number in mentions.document[there].tolist()]
            self.places.append([*zip(documents, mentions.at[there].tolist(), strict=True)])
            self.entities.append([mentions.name[number] for number in mentions.entity[there].tolist()])
        given = twins.sides[1].twin[ranks[1]]
        theirs = np.flatnonzero(given >= 0)
        pairs = dict(zip(theirs.tolist(), (given[theirs] - starts[0]).tolist(), strict=True))
        self.twins = {k: r for r, k in pairs.items()}, pairs
        corrected = set(twins.corrected.tolist())
        self._corrected = {r: k for r, k in pairs.items() if r + starts[1] in corrected}
        self._members = grouped(self.entities[1])
        self._numbered: tuple[str | None, int] | None = None
        self._steps: dict[str, list[_Step]] = {kind: [] for kind in KINDS}
        for step in sorted(self._found(), key=lambda step: step.mentions[0]):
            self._steps[step.kind].append(step)

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
                turn = -1
                if alone[:1] == members[:1]:  # a twinless first mention goes or comes with one of the parts
                    pieces = [first, *pieces]
                    turn = len(pieces) - 1 if side else 0
                yield from (_Step(part, each, members[0], number == turn) for number, each in enumerate(pieces))

    def repaired(
        self, kinds: Collection[str], keys: Sequence[Document], responses: Sequence[Document]
    ) -> list[Document]:
        """The responses without errors of those kinds; both sides are passed, and returned, as they were read.

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
        zeros = [{document.mentions.span(index) for index in document.mentions.zeros} for document in self.documents[1]]
        ids: dict[int, set[Hashable]] = {}
        for rank, entity in introduced.items():
            number, index = self.places[0][rank]
            mention = at_free_place(ours[number].mentions[index].of(entity), zeros[number])
            if mention.id is not None and mention.span:  # a mention with only positions, or only an id, keeps it
                there = (*mentions[number], *responses[number].mentions)
                used = ids.setdefault(number, {each.id for each in there if each})
                mention = with_new_id(mention, used)
            mentions[number].append(mention)
        touched = {self.entities[1][rank] for rank in changed}
        each = zip(responses, theirs, mentions, strict=True)
        return [with_sets(with_mentions(*sides, touched, self._by_line), merged) for sides in each]

    def _as_read(self, side: int, documents: Sequence[Document]) -> Sequence[Document]:
        """The documents as they were scored, but with the spans of event nuggets as they were read."""
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

    def _changed(
        self, kinds: Collection[str], names: Iterator[Hashable]
    ) -> tuple[dict[int, Hashable], dict[int, Hashable], dict[Hashable, Hashable]]:
        """The new entity of each changed response mention (or `_GONE`), of each introduced one, and merged entities."""
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


def lines(document: Document) -> list[Hashable]:
    """An identifier for each mention that has its own line: its id, and how many before it have the same id."""
    numbers: defaultdict[Hashable, Iterator[int]] = defaultdict(count)
    ids = [None if isinstance(mention.id, Alone) else mention.id for mention in document.mentions]
    return [(id, next(numbers[id])) for id in ids]


def new_names(start: str | None, last: int) -> Iterator[Hashable]:
    """Names for new entities: the common prefix, if there is one, and numbers greater than `last`."""
    yield from count(last + 1) if start is None else (f"{start}{number}" for number in count(last + 1))


def numbered(documents: Iterable[Document]) -> tuple[str | None, int]:
    """The prefix that names of entities share (None if they are numbers), and the greatest number after it."""
    used = {name for document in documents for name in document.names}
    numbers = [name for name in used if isinstance(name, int)]
    if used and len(numbers) == len(used):
        return None, max(numbers)
    parts = [part for name in used if (part := _NUMBERED.fullmatch(str(name)))]
    start = min((part[1] for part in parts), default="e")
    numbers = [int(part[2]) for part in parts if part[2] and part[1] == start]
    return start, max(numbers, default=0)


def at_free_place(mention: Mention, taken: Collection[Span]) -> Mention:
    """The mention; a zero whose position is taken in the response is moved to the next free one."""
    if len(mention.span) != 1 or not mention.is_zero:
        return mention
    (place,) = mention.span
    while (place,) in taken:
        place += 1
    return mention if (place,) == mention.span else mention._replace(span=(place,), head=mention.head and place)


def with_new_id(mention: Mention, used: set[Hashable]) -> Mention:
    """The mention with an id that no other has."""
    others = (f"{mention.id}.{number}" for number in count(1))
    id = next(id for id in chain([mention.id], others) if id not in used)
    used.add(id)
    return mention if id == mention.id else mention._replace(id=id)


def with_mentions(
    response: Document, scored: Document, mentions: list[Mention | None], touched: set[Hashable], by_line: bool
) -> Document:
    """The response with its scored mentions replaced (`None`: removed), and introduced ones at the end."""
    if by_line and len(response.mentions) > len(scored.mentions):  # its lines, repaired if scored, then new ones
        now = dict(zip(lines(scored), mentions, strict=False))
        kept_lines = [now.get(line, mention) for line, mention in zip(lines(response), response.mentions, strict=True)]
        mentions = [*kept_lines, *mentions[len(scored.mentions) :]]
    elif not by_line and response.mentions is not scored.mentions and response.identities() != scored.identities():
        mentions = _with_unscored(response, scored, mentions, touched)
    bridges = response.bridges
    if bridges:
        new = {place: index for index, place in enumerate(place for place, each in enumerate(mentions) if each)}
        both = [bridge for bridge in bridges if bridge.anaphor in new and bridge.antecedent in new]
        bridges = tuple(Bridge(new[each.anaphor], new[each.antecedent], each.attributes) for each in both)
    kept = tuple([mention for mention in mentions if mention])
    relations = response.relations
    if relations:
        ids = {str(mention.id) for mention in kept}
        relations = tuple(each for each in relations if each[0] != COREFERENCE and ids.issuperset(each[2]))
    return replace(response, mentions=kept, bridges=bridges, relations=relations)


def _with_unscored(
    response: Document, scored: Document, mentions: list[Mention | None], touched: set[Hashable]
) -> list[Mention | None]:
    """The mentions in their places in the response, then those that it lacked.

    Mentions that the protocol left out of scoring stay, except repetitions of scored ones, and mentions of changed
    entities: a nested one, say, would be scored once the outer one is gone.
    """
    there = {*scored.identities(), *(mention.span or mention.id for mention in mentions if mention)}
    here = [*zip(response.mentions, response.identities(), strict=True)]
    found = [None if name in there or mention.entity in touched else mention for mention, name in here]
    free = grouped(name for _, name in here)
    names = [*scored.identities(), *(each.span or each.id for each in mentions[len(scored.mentions) :] if each)]
    for name, new in zip(names, mentions, strict=True):
        if places := free.get(name):
            found[places.pop(0)] = new
        else:
            found.append(new)
    return found


def with_sets(document: Document, renamed: dict[Hashable, Hashable]) -> Document:
    """The document with its split antecedents reduced to the members that are left."""
    if not document.sets:
        return document
    names = {mention.entity for mention in document.mentions}
    sets: dict[Hashable, tuple[Hashable, ...]] = {}
    for name, members in document.sets.items():
        owner = renamed.get(name, name)
        left = {renamed.get(member, member) for member in members} & names - {owner}
        if owner in names and left:
            sets[owner] = tuple(dict.fromkeys([*sets.get(owner, ()), *sorted(left, key=str)]))
    return replace(document, sets=sets)
