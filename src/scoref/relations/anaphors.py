"""Which anaphors of a kind have a right antecedent: pronouns, names, zeros, mentions with an attribute."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable

from ..document.document import Document, Mention, position
from ..document.forms import COLUMNS, form, tag
from ..document.spans import text_order
from ..matching.lookup import Lookups
from ..problems import Error

ANAPHORS = "anaphors:"

Counts = tuple[float, float, float, float]
Kind = Callable[[Document, Mention], bool | None]  # whether a mention is of a kind; None where it is not known


def anaphors(kind: Kind, key: Document, response: Document, found: Lookups) -> Counts:
    """Anaphors of a kind with a right antecedent (anaphor-decomposable score, Tuggener 2014).

    An anaphor is a mention that is not the first of its entity. It is right if its twin is not the first of its own
    entity either, and an earlier mention of the key entity has its twin in the same response entity. An anaphor that
    stands in several entities is first, or has its twin in the key, if one of its copies is or has. A response mention
    of which the file does not say the kind is of its twin's.
    """
    twin = dict(zip(*(found.zeros if kind is is_zero else found.recall), strict=True))
    places = response.identities("head")
    first = {places[min(each, key=lambda r: _text_order(response, r))] for each in _by_entity(response).values()}
    right = wrong = missed = 0
    covered: set[Hashable] = set()
    for mentions in _by_entity(key).values():
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
    ours, theirs = _antecedents(key), _antecedents(response)
    index = {mention.id: r for r, mention in enumerate(response.mentions)}
    right = anaphors = 0
    for r, mention in enumerate(response.mentions):
        ranked = dict(mention.attributes).get("Candidates")
        candidates = [index[name] for name in ranked.split(",") if name in index] if ranked else theirs.get(r, [])
        anaphors += bool(candidates)
        wanted = ours.get(to_key.get(r, -1), [])
        right += any(to_key.get(candidate) in wanted for candidate in candidates[:number])
    return right, len(ours), right, anaphors


def _antecedents(document: Document) -> dict[int, list[int]]:
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


KINDS = {"pronoun": "pronoun", "name": "name", "noun": "noun phrase", "zero": "zero"}  # and their forms
_TAG = re.compile(r"[A-Z$]+")


def kind_of(name: str) -> Kind | None:
    """A function that says whether a mention is of a kind: a form, a part of speech of its head, or FIELD=VALUE."""
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


def refuse_unknown_kinds(names: Iterable[str], keys: Iterable[Document]) -> None:
    """Refuse metrics on kinds of anaphors of which the files say nothing, so that all scores would be 0."""
    keys = list(keys)
    for name in names:
        prefix, _, kind = name.rpartition(ANAPHORS)
        field, equals, _ = kind.partition("=")
        if prefix == name or not name.startswith((ANAPHORS, f"deixis:{ANAPHORS}")):
            continue
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


def _by_entity(document: Document) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for index, mention in enumerate(document.mentions):
        found.setdefault(mention.entity, []).append(index)
    return found
