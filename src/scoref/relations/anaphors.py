"""Which anaphors have a right antecedent: pronouns, names, zeros, mentions with an attribute, bridging anaphors.

Non-referring mentions are scored here, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import NamedTuple

from ..counting.metrics import Counts
from ..document.document import Document, Mention, position
from ..document.forms import COLUMNS, form, tag
from ..document.grouping import grouped
from ..document.spans import text_order
from ..matching.lookup import Lookups
from ..problems import Error

Kind = Callable[[Document, Mention], bool | None]  # whether a mention is of a kind; None if unknown


def anaphors(kind: Kind, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors of a kind with a right antecedent (anaphor-decomposable score, Tuggener 2014).

    An anaphor is a mention that is not the first of its entity. It is right if its twin is not the first of its own
    entity either, and an earlier mention of the key entity has its twin in the same response entity. An anaphor that
    is in several entities counts as first, or as having a twin in the key, if one of its copies does. A response
    mention of unknown kind has the kind of its twin.
    """
    twin = dict(zip(*(found.zeros if kind is is_zero else found.recall), strict=True))
    places = response.identities("head")
    first = {places[min(each, key=lambda r: _text_order(response, r))] for each in _entities(response)}
    right = wrong = missed = 0
    covered: set[Hashable] = set()
    for mentions in _entities(key):
        seen: set[Hashable] = set()
        for number, k in enumerate(sorted(mentions, key=lambda k: _text_order(key, k))):
            r = twin.get(k)
            entity = response.mentions[r].entity if r is not None else None
            if number and kind(key, key.mentions[k]):
                if r is None or places[r] in first:
                    missed += 1
                elif entity in seen:
                    right += 1
                else:
                    wrong += 1
                if r is not None:
                    covered.add(places[r])
            if r is not None:
                seen.add(entity)
    known = first | covered
    to_key = {r: k for k, r in twin.items()}
    extra = 0
    for r, mention in enumerate(response.mentions):
        if places[r] not in known:
            wanted = kind(response, mention)
            if wanted is None and r in to_key:
                wanted = kind(key, key.mentions[to_key[r]])
            extra += bool(wanted)
    return right, right + wrong + missed, right, right + wrong + extra


def success(number: int, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors with a key antecedent among the first candidates of the response (Kolhatkar et al. 2013).

    An anaphor is a mention that is not the first of its entity; its antecedents are the entity's earlier mentions. The
    candidates of a response mention are those that its attribute `Candidates` names, best first, separated by commas;
    without that attribute, the earlier mentions of its entity, the nearest first.
    """
    to_key = {r: k for k, r in zip(*found.precision, strict=True)}
    ours, theirs = _earlier(key), _earlier(response)
    index = {mention.id: r for r, mention in enumerate(response.mentions)}
    right = anaphors = 0
    for r, mention in enumerate(response.mentions):
        ranked = dict(mention.attributes).get("Candidates")
        candidates = [index[name] for name in ranked.split(",") if name in index] if ranked else theirs.get(r, [])
        anaphors += bool(candidates)
        wanted = ours.get(to_key.get(r, -1), [])
        right += any(to_key.get(candidate) in wanted for candidate in candidates[:number])
    return right, len(ours), right, anaphors


def _earlier(document: Document) -> dict[int, list[int]]:
    """The earlier mentions of its entity for each mention that has any, the nearest first."""
    found: dict[int, list[int]] = {}
    before: dict[Hashable, list[int]] = {}
    for index in sorted(range(len(document.mentions)), key=lambda each: text_order(document.mentions[each].span)):
        earlier = before.setdefault(document.mentions[index].entity, [])
        if earlier:
            found[index] = earlier[::-1]
        earlier.append(index)
    return found


def is_zero(document: Document, mention: Mention) -> bool:
    """Whether a mention is a zero."""
    return mention.is_zero


KINDS = {"pronoun": "pronoun", "name": "name", "noun": "noun phrase", "zero": "zero"}  # the forms they mean
_TAG = re.compile(r"[A-Z$]+")


def kind_of(name: str) -> Kind | None:
    """A function that tells whether a mention is of a kind: a form, the part of speech of its head, or FIELD=VALUE."""
    field, equals, value = name.partition("=")
    if equals:
        return lambda document, mention: _is(dict(mention.attributes).get(field), value) if field and value else None
    if name in KINDS:
        return lambda document, mention: form(document, mention) == KINDS[name]
    if _TAG.fullmatch(name):
        return lambda document, mention: tag(document, mention) == name
    return None


def _is(found: str | None, wanted: str) -> bool | None:
    return None if found is None else found == wanted


def refuse_unknown_kinds(kinds: Iterable[str], keys: Iterable[Document]) -> None:
    """Refuse metrics on kinds of anaphors that the files do not annotate: all scores would be 0."""
    keys = list(keys)
    for kind in kinds:
        field, equals, _ = kind.partition("=")
        known = {each for key in keys for mention in key.mentions for each, _ in mention.attributes}
        if equals and field not in known:
            raise Error("unknown-field", f"no mention of the key has the attribute '{field}'",
                        expected=f"one of {', '.join(sorted(known))}" if known else "mentions with attributes",
                        remedy="choose another --metrics")  # fmt: skip
        if not equals and kind not in KINDS and not any(column in key.columns for key in keys for column in COLUMNS):
            raise Error("no-tags", f"the key has no parts of speech, so that no mention is {kind}",
                        expected=f"a file with parts of speech, or a kind of {', '.join(KINDS)}",
                        remedy="choose another --metrics")  # fmt: skip


def _text_order(document: Document, index: int) -> tuple[int, int, int]:
    span = document.mentions[index].span
    return (span[0], span[-1], len(span)) if span else (position(len(document.words)), index, 0)


def _entities(document: Document) -> Iterable[list[int]]:
    """The mentions of each entity."""
    return grouped(mention.entity for mention in document.mentions).values()


# -- bridging --------------------------------------------------------------------------------------------------------


class Bridged(NamedTuple):
    """A bridging anaphor, by its index in key and response (None: it is no anaphor there), and its antecedents' scores.

    `recall` is the share of its key antecedents that are right, `precision` that of its response antecedents.
    """

    key: int | None
    response: int | None
    recall: float = 0.0
    precision: float = 0.0


Compared = Callable[[int], Hashable]  # from a key mention to what is equal for the same antecedents


def bridged(
    key: Document, response: Document, found: Lookups, place: Compared | None = None, credit: str = "share"
) -> list[Bridged]:
    """All bridging anaphors; antecedents are compared by `place`; without it any antecedent is right.

    An anaphor counts for the share of its antecedents that are right, or, with `any`, wholly if one of them is.
    """
    to_key = {r: k for k, r in zip(*found.precision, strict=True)}
    identities = key.identities()
    ours = {identities[anaphor]: (anaphor, antecedents) for anaphor, antecedents in _bridges(key).items()}
    each: list[Bridged] = []
    for anaphor, antecedents in _bridges(response).items():
        wanted = ours.get(identities[to_key[anaphor]]) if anaphor in to_key else None
        if wanted is None:
            each.append(Bridged(None, anaphor))
        elif place is None:
            each.append(Bridged(wanted[0], anaphor, 1.0, 1.0))
        else:
            right = {place(mention) for mention in wanted[1]}
            theirs = {place(to_key[mention]) if mention in to_key else ("response", mention) for mention in antecedents}
            common = len(right & theirs)
            recall, precision = common / len(right), common / len(theirs)
            whole = credit == "any" and common > 0
            each.append(Bridged(wanted[0], anaphor, 1.0 if whole else recall, 1.0 if whole else precision))
    there = {bridge.key for bridge in each}
    return each + [Bridged(anaphor, None) for anaphor, _ in ours.values() if anaphor not in there]


def _bridges(document: Document) -> dict[int, set[int]]:
    """The antecedents of each bridging anaphor; of copies of one mention, the last that has any stands for all."""
    found: dict[int, set[int]] = {}
    for bridge in document.bridges:
        found.setdefault(bridge.anaphor, set()).add(bridge.antecedent)
    identities, last = document.identities(), dict[Hashable, int]()
    for anaphor in found:
        last[identities[anaphor]] = max(anaphor, last.get(identities[anaphor], anaphor))
    return {anaphor: found[anaphor] for anaphor in last.values()}


def bridging(
    compared: Callable[[Document], Compared] | None,
    key: Document,
    response: Document,
    found: Lookups,
    given: str = "nothing",
    antecedents: str = "share",
    subtype: str | None = None,
) -> Counts:
    """Bridging anaphors with a right antecedent: the same mention or entity; if `compared` is None, any antecedent.

    If the key's anaphors are `given`, others of the response do not count. A `subtype` restricts both sides to anaphors
    that have it; a response anaphor without any subtype has those of its twin.
    """
    each = bridged(key, response, found, compared and compared(key), antecedents)
    if given == "anaphors":
        each = [bridge for bridge in each if bridge.key is not None]
    key_has = response_has = each
    if subtype is not None:
        said, given_there = _subtypes(key), _subtypes(response)
        key_has = [bridge for bridge in each if subtype in said[bridge.key]]
        response_has = [bridge for bridge in each if subtype in (given_there[bridge.response] or said[bridge.key])]
    return (
        sum(bridge.recall for bridge in key_has),
        len({bridge.key for bridge in key_has} - {None}),
        sum(bridge.precision for bridge in response_has),
        len({bridge.response for bridge in response_has} - {None}),
    )


def bridging_subtypes(key: Document, response: Document, found: Lookups, given: str = "nothing") -> Counts:
    """Subtypes of bridging anaphors that both sides have; if the key's anaphors are `given`, of all these."""
    ours, theirs = _subtypes(key), _subtypes(response)
    right = wanted = said = 0
    for bridge in bridged(key, response, found):
        if bridge.key is not None and (bridge.response is not None or given == "anaphors"):
            right += len(ours[bridge.key] & theirs[bridge.response])
            wanted += len(ours[bridge.key])
            said += len(theirs[bridge.response])
    return right, wanted, right, said


def _subtypes(document: Document) -> Mapping[int | None, set[str]]:
    """The subtypes of each bridging anaphor; a file may name several, with semicolons between them."""
    found: dict[int | None, set[str]] = defaultdict(set)
    for bridge in document.bridges:
        found[bridge.anaphor].update(filter(None, dict(bridge.attributes).get("Rel", "").split(";")))
    return found


def mention_of(key: Document) -> Compared:
    """A function from a key mention to what identifies it."""
    return key.identities().__getitem__


def entity_of(key: Document) -> Compared:
    """A function from a key mention to its entity; a non-referring mention is an entity of its own."""
    identities = key.identities()
    last = {identities[k]: key.mentions[k].entity for k in range(len(identities))}

    def entity(mention: int) -> Hashable:
        name = last[identities[mention]]
        return ("mention", identities[mention]) if name in key.nonreferring else ("entity", name)

    return entity


# -- non-referring mentions ------------------------------------------------------------------------------------------


def nonreferring(key: Document, response: Document, found: Lookups) -> Counts:
    """Non-referring mentions: those of the key that are non-referring in the response too, and the reverse.

    Of an entity that is non-referring and nevertheless has several mentions, the first counts.
    """
    ours, theirs = nonreferring_mentions(key), nonreferring_mentions(response)
    both = [(k, r) for k, r in zip(*found.every, strict=True) if k in ours and r in theirs]
    return len({k for k, _ in both}), len(ours), len({r for _, r in both}), len(theirs)


def nonreferring_mentions(document: Document) -> set[int]:
    """The non-referring mentions: the first one of each non-referring entity."""
    return {each[0] for each in _entities(document) if document.mentions[each[0]].entity in document.nonreferring}
