"""Entities that stand for a set of others (split antecedents), brought into their final form."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from ..document.document import Document, about, place
from ..document.spans import text_order
from ..problems import Problems


def without_sets(document: Document) -> Document:
    """The document with its sets as plain entities, without members."""
    return replace(document, sets={})


def accommodated(document: Document, problems: Problems, order: str = "text") -> Document:
    """The document with its sets in their final form.

    Members that are sets themselves are replaced by their members, until only atomic entities are left; entities that
    stand for the same set become one. Missing members, cycles and sets of one member are reported. Ties are broken by
    the order of mentions: that of the `text`, or that of the `file`.
    """
    if not document.sets:
        return document
    there = dict.fromkeys(document.names)
    atoms = _distinct(document, _atoms(document, there, problems))
    flat: dict[Hashable, tuple[Hashable, ...]] = {}
    for name in document.sets:
        if name not in there:
            _report_set(document, "missing-entity", f"members of entity {name}, which has no mention", name, problems)
        elif atoms[name]:
            flat[name] = atoms[name]
            if len(flat[name]) == 1:
                message = f"entity {name} is the set of a single entity"
                _report_set(document, "small-set", message, name, problems, fatal=False)
    first: dict[frozenset[Hashable], Hashable] = {}
    named = [name for name in there if name in flat and name not in document.nonreferring]
    same = {name: first.setdefault(frozenset(flat[name]), name) for name in named}
    other = {name: first for name, first in same.items() if name != first}
    mentions = [mention.of(other.get(mention.entity, mention.entity)) for mention in document.mentions]
    if order == "text":
        mentions.sort(key=lambda mention: (text_order(mention.span), "" if mention.span else str(mention.id)))
    return replace(document, mentions=mentions, sets={name: flat[name] for name in dict.fromkeys(same.values())})


def distributed(document: Document) -> Document:
    """The document with the mentions of sets as mentions of each member instead (Zhou & Choi 2018)."""
    mentions = [
        mention._replace(entity=entity)
        for mention in document.mentions
        for entity in document.sets.get(mention.entity, (mention.entity,))
    ]
    return replace(document, mentions=mentions, sets={})


def _atoms(document: Document, there: dict[Hashable, None], problems: Problems) -> dict[Hashable, tuple[Hashable, ...]]:
    """The atomic entities of each set, without repeats; each set is resolved once, however sets are nested."""
    found: dict[Hashable, tuple[Hashable, ...]] = {}
    for start in document.sets:
        path = [start] if start not in found else []
        while path:
            name = path[-1]
            waiting = [member for member in document.sets[name] if member in document.sets and member not in found]
            cyclic = [member for member in waiting if member in path]
            if cyclic:
                cycle = " → ".join(str(each) for each in (*path[path.index(cyclic[0]) :], cyclic[0]))
                _report_set(document, "cyclic-set", f"an entity is a member of itself: {cycle}", name, problems)
                found[path.pop()] = ()
            elif waiting:
                path.append(waiting[0])
            else:
                members = [atom for member in document.sets[name] for atom in found.get(member, (member,))]
                for member in members:
                    if member not in there:
                        message = f"a set with the entity {member}, which has no mention"
                        _report_set(document, "missing-member", message, name, problems)
                found[path.pop()] = tuple(dict.fromkeys(member for member in members if member in there))
    return found


def _report_set(
    document: Document, code: str, message: str, name: Hashable, problems: Problems, fatal: bool = True
) -> None:
    near = {name, *document.sets.get(name, ())}
    mention = next((mention for mention in document.mentions if mention.entity in near), None)
    line, text = place(document, mention) if mention else (document.line, None)
    remedy = "fix the file, or leave such sets out with --split ignore or --on-problem skip"
    report = about(document, problems, remedy)
    report(code, message, line, text, "sets of at least two entities that have mentions", fatal=fatal)


def with_mentions(document: Document) -> Document:
    """The document without the sets and members that have no mention left."""
    there = {*document.names}
    left = {name: tuple(each for each in members if each in there) for name, members in document.sets.items()}
    return replace(document, sets={name: members for name, members in left.items() if name in there and members})


def _distinct(document: Document, sets: dict[Hashable, tuple[Hashable, ...]]) -> dict[Hashable, tuple[Hashable, ...]]:
    """The members of each set; of entities with exactly the same mentions, the first stands for all."""
    if not document.repeats():
        return sets
    mentions: dict[Hashable, list[Hashable]] = {member: [] for members in sets.values() for member in members}
    for identity, entity in zip(document.identities(), document.mentions.entities, strict=True):
        if entity in mentions:
            mentions[entity].append(identity)
    first: dict[tuple[Hashable, ...], Hashable] = {}
    same = {name: first.setdefault(tuple(places), name) for name, places in mentions.items()}
    return {name: tuple(dict.fromkeys(same[member] for member in members)) for name, members in sets.items()}
