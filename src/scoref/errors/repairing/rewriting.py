"""Writes repaired responses: names of new entities, ids, sets, relations, and mentions that were not scored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, count

from ...document.document import COREFERENCE, Bridge, Document, Mention, Span

_NUMBERED = re.compile(r"(.*?)(\d{0,18})", re.DOTALL)


def lines(document: Document) -> list[Hashable]:
    """What identifies each mention that has a line of its own: its id, and how many before it have the same id."""
    seen: Counter[Hashable] = Counter()
    identities: list[Hashable] = []
    for mention in document.mentions:
        identities.append((mention.id, seen[mention.id]))
        seen[mention.id] += 1
    return identities


def new_names(start: str | None, last: int) -> Iterator[Hashable]:
    """Names for new entities: a beginning, if there is one, and a number greater than the last."""
    yield from count(last + 1) if start is None else (f"{start}{number}" for number in count(last + 1))


def numbered(documents: Iterable[Document]) -> tuple[str | None, int]:
    """The beginning that names of entities share (None if they are numbers), and the greatest number after it."""
    used = {name for document in documents for name in document.names}
    numbers = [name for name in used if isinstance(name, int)]
    if used and len(numbers) == len(used):
        return None, max(numbers)
    parts = [_NUMBERED.fullmatch(str(name)) for name in used]
    start = min((part[1] for part in parts if part), default="e")
    numbers = [int(part[2]) for part in parts if part and part[2] and part[1] == start]
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
    """The response with new mentions for those that were scored (`None`: removed), followed by introduced ones."""
    if by_line and len(response.mentions) > len(scored.mentions):
        mentions = _with_unscored_lines(response, scored, mentions)
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


def _with_unscored_lines(response: Document, scored: Document, mentions: list[Mention | None]) -> list[Mention | None]:
    """The lines of the response, scored ones as they are after the repair, then those that it lacked."""
    now = dict(zip(lines(scored), mentions, strict=False))
    kept = [now.get(line, mention) for line, mention in zip(lines(response), response.mentions, strict=True)]
    return [*kept, *mentions[len(scored.mentions) :]]


def _with_unscored(
    response: Document, scored: Document, mentions: list[Mention | None], touched: set[Hashable]
) -> list[Mention | None]:
    """The mentions in their places in the response, then those that it lacked.

    Mentions that the protocol left out stay, except repetitions of scored ones, and mentions of entities that are
    touched: a nested one, say, that would be scored once the other is gone.
    """
    there = {*scored.identities(), *(mention.span or mention.id for mention in mentions if mention)}
    found: list[Mention | None] = []
    free: dict[Hashable, list[int]] = {}
    for place, (mention, name) in enumerate(zip(response.mentions, response.identities(), strict=True)):
        found.append(None if name in there or mention.entity in touched else mention)
        free.setdefault(name, []).append(place)
    names = [*scored.identities(), *(each.span or each.id for each in mentions[len(scored.mentions) :] if each)]
    for name, new in zip(names, mentions, strict=True):
        if places := free.get(name):
            found[places.pop(0)] = new
        else:
            found.append(new)
    return found


def with_sets(document: Document, renamed: dict[Hashable, Hashable]) -> Document:
    """The document with sets of the members that are left."""
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
