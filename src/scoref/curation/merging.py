"""Merges what several annotators marked in a document: what is agreed, what a majority has, what is open.

Mentions are the same if they have the same words. One is kept if more than half of the annotators mark it. Mentions
that every annotator puts together with the same others are one *group*; two groups are together if more than half of
the annotators put them together. Where this is not transitive as few pairs of mentions as possible are broken, see
`clustering`. What half of the annotators have, or what could be broken in several ways, is *open*: such mentions are
left out, such groups stay apart, until somebody decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from ..document.document import Document, Mention
from ..document.spans import text_order
from ..problems import Error
from .clustering import clusters
from .decisions import Decision, written

AGREED, MAJORITY, OPEN, DECIDED = "agreed", "majority", "open", "decided"
MENTION, ENTITY = "mention", "entity"

Key = Hashable  # what makes mentions the same: their span, or the id of one without


class Option(NamedTuple):
    """What can be decided at a place: the words for it, the annotators who have it so, the decision that says so.

    `other` is the mention that names the entity that it is put into.
    """

    annotators: tuple[str, ...]
    decision: Decision
    other: Mention | None = None


class Place(NamedTuple):
    """A mention, or a group of mentions of one entity, on which annotators agree or do not.

    `what` is mention or entity, `status` agreed, majority, open or decided; `chosen` is the option that was taken.
    """

    document: Document
    what: str
    mention: Mention
    status: str
    options: tuple[Option, ...] = ()
    chosen: int = 0


class Merged(NamedTuple):
    """A document of the key that was made, and its places."""

    document: Document
    places: list[Place]


def merged(sides: Mapping[str, Document], decisions: Mapping[str, Decision]) -> Merged:
    """One document from those of the annotators, by name; `decisions` are by mention."""
    names, documents = [*sides], [*sides.values()]
    marked = [_first_of_each(each) for each in documents]
    every = dict.fromkeys(key for each in marked for key in each)
    known = {key: next(each[key] for each in marked if key in each) for key in every}
    order = sorted(every, key=lambda key: _in_text(known[key]))
    usual = [key for key in order if 2 * sum(key in each for each in marked) > len(marked)]
    places: list[Place] = []
    kept: list[Key] = []
    for key in order:
        has = {name: each for name, each in zip(names, marked, strict=True) if key in each}
        options = _mention_options(key, has, names, usual, known)
        places.append(_mention_place(documents[0], known[key], options, len(has), len(names), decisions))
        if places[-1].options[places[-1].chosen].decision.keep:
            kept.append(key)
    groups = _groups(kept, marked)
    entities, settled = _entities(groups, known, marked, names, decisions, documents[0])
    places += settled
    rank = {key: at for at, key in enumerate(kept)}
    first = sorted(entities, key=lambda entity: min(map(rank.__getitem__, entity)))
    mentions = [
        _common(known[key], [each[key] for each in marked if key in each], number)
        for number, entity in enumerate(first, 1)
        for key in entity
    ]
    mentions.sort(key=_in_text)
    plain = replace(documents[0], mentions=tuple(mentions), sets={}, nonreferring=frozenset(), hidden=frozenset(),
                    bridges=(), relations=(), deixis=None)  # fmt: skip
    return Merged(plain, places)


def _in_text(mention: Mention) -> tuple[bool, tuple[int, ...], str]:
    """The sort key of the order of the text; mentions without a place come last."""
    return not mention.span, text_order(mention.span), str(mention.id)


def _first_of_each(document: Document) -> dict[Key, Mention]:
    """The mentions of an annotator; of several with the same words the first counts."""
    found: dict[Key, Mention] = {}
    for mention in document.mentions:
        found.setdefault(tuple(mention.span) or ("id", str(mention.id)), mention)
    return found


def _common(mention: Mention, all_of_it: Sequence[Mention], entity: int) -> Mention:
    """A mention of the merged key, with the attributes that all give it who mark it."""
    same = [each for each in mention.attributes if all(each in other.attributes for other in all_of_it)]
    return mention._replace(entity=entity, attributes=tuple(same))


def _mention_options(
    key: Key, has: Mapping[str, Mapping[Key, Mention]], names: Sequence[str], usual: Sequence[Key],
    known: Mapping[Key, Mention],
) -> list[Option]:  # fmt: skip
    """Marked or not; of a mention that is usually left out also with which other one, as those have it who mark it."""
    absent = Option(tuple(name for name in names if name not in has), Decision(keep=False))
    if 2 * len(has) > len(names):
        return [Option(tuple(has), Decision(keep=True)), absent]
    found: dict[Key | None, list[str]] = {}
    for name, each in has.items():
        mates = (mate for mate in usual if mate in each and each[mate].entity == each[key].entity)
        found.setdefault(next(mates, None), []).append(name)
    options = [
        Option(tuple(by), Decision(True, alone=True) if mate is None else Decision(True, written(known[mate])),
               None if mate is None else known[mate])
        for mate, by in found.items()
    ]  # fmt: skip
    return [*options, absent]


def _mention_place(
    document: Document, mention: Mention, options: Sequence[Option], has: int, number: int,
    decisions: Mapping[str, Decision],
) -> Place:  # fmt: skip
    said = decisions.get(written(mention), Decision())
    if has == number:
        return Place(document, MENTION, mention, AGREED, tuple(options))
    status = OPEN if 2 * has == number else MAJORITY
    chosen = 0 if 2 * has > number else len(options) - 1
    if said.keep is not None:
        same = (at for at, option in enumerate(options) if option.decision == said)
        status, chosen = DECIDED, next(same, 0 if said.keep else len(options) - 1)
    return Place(document, MENTION, mention, status, tuple(options), chosen)


def _groups(kept: Sequence[Key], marked: Sequence[Mapping[Key, Mention]]) -> list[list[Key]]:
    """Mentions that everybody who marks them puts together; those that few mark are groups of their own."""
    found: dict[Hashable, list[Key]] = {}
    for key in kept:
        profile = tuple(each[key].entity if key in each else None for each in marked)
        few = 2 * sum(entity is not None for entity in profile) <= len(marked)
        found.setdefault((profile, key if few else None), []).append(key)
    return [*found.values()]


def _entities(
    groups: Sequence[Sequence[Key]], known: Mapping[Key, Mention], marked: Sequence[Mapping[Key, Mention]],
    names: Sequence[str], decisions: Mapping[str, Decision], document: Document,
) -> tuple[list[list[Key]], list[Place]]:  # fmt: skip
    """The entities, and the places where it is decided to which of them groups belong."""
    links = _links(groups, marked, names)
    sizes = [*map(len, groups)]
    weight = [(2 * sum(group[0] in each for each in marked) > len(names), len(group)) for group in groups]
    signs = {pair: int(2 * len(by) > len(names)) for pair, by in links.items() if 2 * len(by) >= len(names)}
    found, doubtful = clusters(sizes, signs)
    said = [_decision([written(known[key]) for key in group], decisions) for group in groups]
    of = _decided(found, said, {written(known[key]): at for at, group in enumerate(groups) for key in group})
    places = []
    for at, group in enumerate(groups):
        others = sorted(_other(pair, at) for pair in links if at == _asked(pair, weight))
        linked = any(at in pair for pair in links)
        if not others and (linked or not all(group[0] in each for each in marked)):
            continue
        ties = any(2 * len(links[_pair(at, other)]) == len(names) for other in others)
        decided = said[at] != Decision()
        status = DECIDED if decided else OPEN if ties or at in doubtful else MAJORITY if others else AGREED
        by_entity: dict[int, list[int]] = {}
        for other in others:  # groups that are in one entity are one option
            by_entity.setdefault(of[other], []).append(other)
        options = []
        for some in by_entity.values():
            by = [name for name in names if any(name in links[_pair(at, other)] for other in some)]
            there = known[groups[some[0]][0]]
            options.append(Option(tuple(by), Decision(other=written(there)), there))
        apart = tuple(name for name in names if not any(name in option.annotators for option in options))
        options.append(Option(apart, Decision(alone=True)))
        chosen = [*by_entity].index(of[at]) if of[at] in by_entity else len(by_entity)
        places.append(Place(document, ENTITY, known[group[0]], status, tuple(options), chosen))
    entities: dict[int, list[Key]] = {}
    for at, group in enumerate(groups):
        entities.setdefault(of[at], []).extend(group)
    return [*entities.values()], places


def _links(
    groups: Sequence[Sequence[Key]], marked: Sequence[Mapping[Key, Mention]], names: Sequence[str]
) -> dict[tuple[int, int], tuple[str, ...]]:
    """Who puts the mentions of two groups together."""
    found: dict[tuple[int, int], list[str]] = {}
    for name, each in zip(names, marked, strict=True):
        of: dict[Hashable, list[int]] = {}
        for at, group in enumerate(groups):
            if group[0] in each:
                of.setdefault(each[group[0]].entity, []).append(at)
        for pair in (pair for some in of.values() for pair in combinations(some, 2)):
            found.setdefault(pair, []).append(name)
    return {pair: tuple(by) for pair, by in found.items()}


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def _other(pair: tuple[int, int], at: int) -> int:
    return pair[0] if pair[1] == at else pair[1]


def _asked(pair: tuple[int, int], weight: Sequence[tuple[bool, int]]) -> int:
    """The group of two that is asked to which it belongs: one that few mark, else the smaller one, else the later."""
    return pair[0] if weight[pair[0]] < weight[pair[1]] else pair[1]


def _decision(mentions: Sequence[str], decisions: Mapping[str, Decision]) -> Decision:
    """What was decided of a group: what was decided of any of its mentions."""
    some = (decisions[mention] for mention in mentions if mention in decisions)
    return next((Decision(None, each.other, each.alone) for each in some if each.other or each.alone), Decision())


def _decided(found: Sequence[Sequence[int]], said: Sequence[Decision], at: Mapping[str, int]) -> list[int]:
    """The number of the entity of each group, after all decisions: what is decided leaves its cluster first."""
    of = [0] * len(said)
    for number, cluster in enumerate(found):
        for group in cluster:
            of[group] = number if said[group] == Decision() else len(found) + group
    for group, decision in enumerate(said):
        if decision.other is not None:
            if decision.other not in at:
                raise Error("bad-decisions", f"a decision puts a mention with {decision.other}, which is not kept",
                            expected="a mention of the key", remedy="keep that mention, too")  # fmt: skip
            old, new = of[group], of[at[decision.other]]
            of = [new if each == old else each for each in of]
    return of
