"""Metrics that need more than the table: bridging, non-referring mentions, split antecedents, ranked antecedents.

Each is a function from two documents and the alignment of all their mentions, for event nuggets from two documents and
their mappings, to recall numerator and denominator, precision numerator and denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from ..counting.split import best_members, common_members
from ..counting.table import build
from ..document.document import Document
from ..document.spans import text_order
from ..matching.assign import assign
from ..matching.lookup import Lookups
from ..matching.nuggets import MAPPINGS, Overlapping
from .anaphors import ANAPHORS, Counts, anaphors, is_zero, kind_of
from .sequencing import sequence


class Relation(NamedTuple):
    """A metric on pairs of documents: its name, what it is, where it was defined, its layer, the function.

    The function is given the two documents and their `Lookups`; if it `maps`, their `Overlapping` nuggets instead.
    """

    name: str
    title: str
    citation: str
    layer: str
    function: Callable[..., Counts]
    maps: bool = False

    @property
    def what(self) -> str:
        """What it counts, in words."""
        return next((what for start, what in _COUNTED.items() if self.name.startswith(start)), "mentions")


_COUNTED = {
    "bridging": "bridging anaphors", "non-referring": "non-referring mentions", "zeros": "zero anaphors",
    "nugget": "event nuggets", "after": "links After", "subevent": "links Subevent", "split": "split antecedents",
    "success": "mentions of discourse deixis",
}  # fmt: skip


def nonreferring(key: Document, response: Document, found: Lookups) -> Counts:
    """Non-referring mentions: those of the key that are non-referring in the response too, and the reverse.

    Of an entity that is non-referring and nevertheless has several mentions, the first counts.
    """
    sides = [nonreferring_mentions(document) for document in (key, response)]
    recalled = {k for k, r in zip(*found.every, strict=True) if k in sides[0] and r in sides[1]}
    precise = {r for k, r in zip(*found.every, strict=True) if k in sides[0] and r in sides[1]}
    return len(recalled), len(sides[0]), len(precise), len(sides[1])


def nonreferring_mentions(document: Document) -> set[int]:
    """The non-referring mentions: the first one of each non-referring entity."""
    firsts: dict[Hashable, int] = {}
    for index, mention in enumerate(document.mentions):
        if mention.entity in document.nonreferring:
            firsts.setdefault(mention.entity, index)
    return set(firsts.values())


def _antecedents(document: Document) -> dict[int, list[int]]:
    """The antecedents of each bridging anaphor; of copies of one mention, the last that has any stands for all."""
    found: dict[int, list[int]] = {}
    for bridge in document.bridges:
        antecedents = found.setdefault(bridge.anaphor, [])
        if bridge.antecedent not in antecedents:
            antecedents.append(bridge.antecedent)
    identities = document.identities()
    return {max(same): found[max(same)] for same in _grouped(found, identities)}


def _grouped(anaphors: Iterable[int], identities: list[Hashable]) -> Iterable[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for anaphor in anaphors:
        groups.setdefault(identities[anaphor], []).append(anaphor)
    return groups.values()


class Bridged(NamedTuple):
    """A bridging anaphor, by its index in key and response (None: it is no anaphor there), and its antecedents' scores.

    `recall` is the share of its key antecedents that are right, `precision` that of its response antecedents.
    """

    key: int | None
    response: int | None
    recall: float = 0.0
    precision: float = 0.0


def bridged(
    key: Document, response: Document, found: Lookups, place: Callable[[int], Hashable] | None = None
) -> list[Bridged]:
    """All bridging anaphors; antecedents are compared by what `place` says of them, or count as right without it."""
    to_key = {r: k for k, r in zip(*found.precision, strict=True)}
    identities = key.identities()
    ours = {identities[anaphor]: (anaphor, antecedents) for anaphor, antecedents in _antecedents(key).items()}
    each: list[Bridged] = []
    for anaphor, antecedents in _antecedents(response).items():
        wanted = ours.get(identities[to_key[anaphor]]) if anaphor in to_key else None
        if wanted is None:
            each.append(Bridged(None, anaphor))
            continue
        if place is None:
            each.append(Bridged(wanted[0], anaphor, 1.0, 1.0))
            continue
        right = {place(mention) for mention in wanted[1]}
        given = {("response", mention) if mention not in to_key else place(to_key[mention]) for mention in antecedents}
        common = len(right & given)
        each.append(Bridged(wanted[0], anaphor, common / len(right), common / len(given)))
    there = {bridge.key for bridge in each}
    return each + [Bridged(anaphor, None) for anaphor, _ in ours.values() if anaphor not in there]


def _bridging(key: Document, response: Document, found: Lookups, place: Callable[[int], Hashable] | None) -> Counts:
    each = bridged(key, response, found, place)
    ours = {bridge.key for bridge in each} - {None}
    theirs = {bridge.response for bridge in each} - {None}
    return sum(bridge.recall for bridge in each), len(ours), sum(bridge.precision for bridge in each), len(theirs)


def bridging_anaphors(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors that are bridging anaphors in the response, whatever their antecedent."""
    return _bridging(key, response, found, None)


def bridging_mentions(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors with the right antecedent mention."""
    identities = key.identities()
    return _bridging(key, response, found, lambda mention: identities[mention])


def bridging_entities(key: Document, response: Document, found: Lookups) -> Counts:
    """Bridging anaphors with an antecedent of the right key entity."""
    return _bridging(key, response, found, entity_of(key))


def entity_of(key: Document) -> Callable[[int], Hashable]:
    """A function from a key mention to its entity; a non-referring mention is an entity of its own."""
    identities = key.identities()
    last = {identities[k]: key.mentions[k].entity for k in range(len(identities))}

    def entity(mention: int) -> Hashable:
        name = last[identities[mention]]
        return ("mention", identities[mention]) if name in key.nonreferring else ("entity", name)

    return entity


# -- words and zeros -------------------------------------------------------------------------------------------------


def mor(key: Document, response: Document, found: Lookups) -> Counts:
    """Mention overlap ratio: the words that mentions share when they are paired one to one as well as can be."""
    at: dict[int, list[int]] = {}
    for index, mention in enumerate(response.mentions):
        for place in mention.span:
            at.setdefault(place, []).append(index)
    shared = Counter(
        (k, r) for k, mention in enumerate(key.mentions) for place in mention.span for r in at.get(place, [])
    )
    pairs = np.array(list(shared), np.int64).reshape(len(shared), 2)
    weights = np.array(list(shared.values()), np.float64)
    common = float(weights[assign(pairs[:, 0], pairs[:, 1], weights)].sum())
    sizes = [sum(len(mention.span) for mention in side.mentions) for side in (key, response)]
    return common, sizes[0], common, sizes[1]


# -- split antecedents -----------------------------------------------------------------------------------------------


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


def success(number: int, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors with a key antecedent among the first candidates of the response (Kolhatkar et al. 2013).

    An anaphor is a mention that is not the first of its entity; its antecedents are the entity's earlier mentions. The
    candidates of a response mention are those that its attribute `Candidates` names, best first, separated by commas;
    without that attribute, the earlier mentions of its entity, the nearest first.
    """
    to_key = {r: k for k, r in zip(*found.precision, strict=True)}
    ours, theirs = _anaphors(key), _anaphors(response)
    index = {mention.id: r for r, mention in enumerate(response.mentions)}
    right = anaphors = 0
    for r, mention in enumerate(response.mentions):
        ranked = dict(mention.attributes).get("Candidates")
        candidates = [index[name] for name in ranked.split(",") if name in index] if ranked else theirs.get(r, [])
        anaphors += bool(candidates)
        wanted = ours.get(to_key.get(r, -1), [])
        right += any(to_key.get(candidate) in wanted for candidate in candidates[:number])
    return right, len(ours), right, anaphors


def _anaphors(document: Document) -> dict[int, list[int]]:
    """The earlier mentions of its entity for each mention that has any, the nearest first."""
    found: dict[int, list[int]] = {}
    before: dict[Hashable, list[int]] = {}
    for index in sorted(range(len(document.mentions)), key=lambda each: text_order(document.mentions[each].span)):
        earlier = before.setdefault(document.mentions[index].entity, [])
        if earlier:
            found[index] = earlier[::-1]
        earlier.append(index)
    return found


# -- event nuggets ---------------------------------------------------------------------------------------------------


def nuggets(attributes: tuple[str, ...], key: Document, response: Document, mapped: Overlapping) -> Counts:
    """Event nuggets found: the Dice coefficients of the greedy mapping of mentions with the same attributes."""
    right = sum(dice for _, _, dice in mapped.greedy(attributes))
    return right, len(key.mentions), right, len(response.mentions)


def sequencing(
    kinds: tuple[str, ...],
    key: Document,
    response: Document,
    mapped: Overlapping,
    attributes: tuple[str, ...] = ("type",),
    rule: str = "awareness",
) -> Counts:
    """Links between events that follow from those of the other side; mentions are mapped by some attributes."""
    return sequence(kinds, key, response, attributes, rule, mapped)


NUGGET = "nugget-"
SEQUENCING = {
    "after": (("After",), "event sequencing, links After"),
    "subevent": (("Subevent",), "event sequencing, links Subevent"),
    "after+subevent": (("After", "Subevent"), "event sequencing, links of both kinds in one graph"),
}
_NUGGETS = {
    "span": "spans of event nuggets",
    "type": "event nuggets with their type",
    "realis": "event nuggets with their realis",
    "type+realis": "event nuggets with type and realis",
}

RELATIONS: dict[str, Relation] = {
    relation.name: relation
    for relation in (
        Relation("bridging-anaphors", "bridging anaphors recognised", "Yu et al. 2022", "bridging", bridging_anaphors),
        Relation(
            "bridging-mentions", "bridging, antecedent mention right", "Yu et al. 2022", "bridging", bridging_mentions
        ),
        Relation(
            "bridging-entities", "bridging, antecedent entity right", "Yu et al. 2022", "bridging", bridging_entities
        ),
        Relation("non-referring", "non-referring mentions", "Yu et al. 2022", "non-referring", nonreferring),
        Relation("mor", "mention overlap ratio", "Žabokrtský et al. 2022", "identity", mor),
        Relation("zeros", "antecedents of zero anaphors", "Tuggener 2014", "identity", partial(anaphors, is_zero)),
        Relation(
            "anaphors:KIND",
            "antecedents of anaphors of a kind: pronoun, PRON, Animacy=Anim",
            "Tuggener 2014",
            "identity",
            partial(anaphors, is_zero),
        ),
        *(
            Relation(NUGGET + name, title, "TAC KBP 2015", "identity", partial(nuggets, MAPPINGS[name]), True)
            for name, title in _NUGGETS.items()
        ),
        *(
            Relation(name, title, "UzZaman & Allen 2011", "identity", partial(sequencing, kinds), True)
            for name, (kinds, title) in SEQUENCING.items()
        ),
        Relation("split-lenient", "members of split antecedents", "Yu et al. 2021", "identity", split_lenient),
        Relation("split-links", "links of split antecedents", "Vala et al. 2016", "identity", split_links),
        Relation(
            "success@N",
            "antecedent among the first N candidates",
            "Kolhatkar et al. 2013",
            "deixis",
            partial(success, 1),
        ),
    )
}


def relation(name: str) -> Relation | None:
    """The relation of that name; `success@3` is made from `success@N`, `anaphors:PRON` from `anaphors:KIND`."""
    if name.startswith(ANAPHORS):
        kind = kind_of(name.removeprefix(ANAPHORS))
        return RELATIONS["anaphors:KIND"]._replace(name=name, function=partial(anaphors, kind)) if kind else None
    word, at, number = name.partition("@")
    if at and number.isdecimal() and len(number) <= 9 and int(number) and f"{word}@N" in RELATIONS:
        return RELATIONS[f"{word}@N"]._replace(name=name, function=partial(success, int(number)))
    return RELATIONS.get(name) if not at else None
