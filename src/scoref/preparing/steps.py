"""The single steps of preparing documents for scoring; `prepare` applies them in order."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice, pairwise
from operator import itemgetter
from typing import Any

from ..document.document import Document, Mention, about, place, places_of, position
from ..document.mentions import repeated_places
from ..document.spans import APPEARANCES, Span, is_stretch
from ..problems import Problems, Reporter

_DECIDING = {  # by `duplicates`: the order of entities, and what decides where two appear at the same place
    "reference": ("opened", "the order of brackets at one word says"),
    "list-coval": ("closed", "the order of brackets at one word says"),
    "keep": ("longest", "the names, or the order, of entities that begin alike say"),
}
KEPT = ("keep", "list", "list-coval", "ua-1.0", "reference")  # values of `duplicates` that keep all copies


def only(document: Document, wanted: Callable[[Mention], bool]) -> Document:
    """The document with only the mentions that are wanted."""
    kept = [mention for mention in document.mentions if wanted(mention)]
    return document if len(kept) == len(document.mentions) else replace(document, mentions=kept)


def without_lost(document: Document) -> Document:
    """The document without lost mentions, those that have no word of the key."""
    return only(document, lambda mention: bool(mention.span)) if document.words else document


def unique(document: Document, which: str, problems: Problems, identity: str = "span") -> Document:
    """The document without repeated mentions, or with them if `which` keeps them; each is reported.

    The first copy is the one whose entity appears first in the document.
    """
    copies = document.copies(identity)
    report = about(document, problems, "choose which occurrence counts with --duplicates")
    stays: dict[int, int] = {}  # for each copy the one that is kept
    for same in copies:
        first, *others = [document.mentions[index] for index in same]
        for other in others:
            where = f"in entity {first.entity} and in entity {other.entity}"
            if other.entity == first.entity:
                where = f"twice in entity {first.entity}"
            message, expected = f"the same mention {where}", "each mention once"
            report("duplicate-mention", message, *place(document, other), expected, fatal=which == "error")
        stays |= dict.fromkeys(same, same[-1 if which == "last" else 0])
    if not copies or which in KEPT:
        _report_order(document, copies, which, report)
        return document
    gone = {index for index, stay in stays.items() if stay != index}
    kept = [index for index in range(len(document.mentions)) if index not in gone]
    if not document.bridges:
        return document.of_mentions(kept)
    numbers = {index: number for number, index in enumerate(kept)}
    moved = [numbers[stays.get(index, index)] for index in range(len(document.mentions))]
    bridges = [
        each._replace(anaphor=moved[each.anaphor], antecedent=moved[each.antecedent]) for each in document.bridges
    ]
    return replace(document.of_mentions(kept), bridges=tuple(bridges))


def _report_order(document: Document, copies: list[list[int]], which: str, report: Reporter) -> None:
    """Report a document where the entity of a repeated mention depends on something that should not matter."""
    if not copies or which not in _DECIDING:
        return
    order, what = _DECIDING[which]
    mentions, owners = document.mentions, document.mentions.owners
    repeated = {owners[index] for same in copies for index in same}
    first: dict[int, tuple[Any, ...]] = {}
    for number, owner in enumerate(owners):
        if owner in repeated and (span := mentions.span(number)):
            here = APPEARANCES[order](span, 0)
            first[owner] = min(here, first.get(owner, here))
    for same in copies:
        entities = first.keys() & {owners[index] for index in same}
        if len({first[owner] for owner in entities}) < len(entities):
            message = f"{what} in which entity a repeated mention counts, as in the official scorer"
            report("order-counts", message, *place(document, mentions[same[-1]]), "each mention once", fatal=False)
            return


def without_repeats(key: Document, response: Document, by: str = "span") -> Document:
    """The response without further copies of mentions that the key has, as the reference scorer leaves them out.

    The copy in the entity whose first bracket comes first is kept. Mentions that the key lacks keep all their copies.
    """
    ours, theirs = places_of((key, response), by)
    known, copies = set(ours), response.copies(by, "opened")
    gone = {index for first, *others in copies if theirs[first] in known for index in others}
    return response.of_mentions([index for index in range(len(response.mentions)) if index not in gone])


def once_per_entity(document: Document, identity: str) -> Document:
    """The document without repeats within an entity: each entity has a mention at most once."""
    owners = document.mentions.owners
    gone: set[int] = set()
    for same in document.copies(identity):
        first = {owners[index]: index for index in reversed(same)}
        gone |= {*same} - {*first.values()}
    return document.of_mentions([index for index in range(len(owners)) if index not in gone]) if gone else document


def _drop(document: Document, entities: set[Hashable]) -> Document:
    """The document without these entities; members of sets are only hidden, as they are needed to compare sets."""
    if not entities:
        return document
    hidden = entities.intersection(chain.from_iterable(document.sets.values()))
    gone = entities - hidden
    sets = {name: members for name, members in document.sets.items() if name not in gone}
    numbers = {number for number, name in enumerate(document.names) if name in gone}
    kept = [index for index, owner in enumerate(document.mentions.owners) if owner not in numbers]
    return replace(document.of_mentions(kept), sets=sets, hidden=document.hidden | hidden)


def drop_singletons(documents: list[Document], homes: Sequence[int]) -> list[Document]:
    """Documents without singletons; mentions are counted over all documents with the same number in `homes`."""
    sizes: dict[int, Counter[Hashable]] = {}
    for home, document in zip(homes, documents, strict=True):
        sizes.setdefault(home, Counter()).update(chain(document.mentions.entities, document.sets))
    return [
        _drop(document, {name for name in (*document.names, *document.sets) if sizes[home][name] == 1})
        for document, home in zip(documents, homes, strict=True)
    ]


def referring(document: Document) -> Document:
    """The document without its non-referring entities."""
    return _drop(document, set(document.nonreferring))


_INVISIBLE = frozenset(
    ("the", "a", "an", "i", "you", "he", "she", "we", "my", "your", "her", "our", "who", "what", "where", "when")
)


class Alone(str):
    """A mention name that equals no other name, not even one with the same text."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


def visible(document: Document, problems: Problems) -> Document:
    """The document with determiners, pronouns and relative pronouns removed from the spans of its mentions.

    Reported: that the words are not known, and mentions that have no other words, which then match nothing.
    """
    if not document.mentions:
        return document
    if not document.words:
        report = Reporter(problems, document.source, remedy="name the folder of token tables: --tokens DIR")
        report("unknown-words", "without token tables invisible words are not known, and count", fatal=False)
        return document
    report = about(document, problems, "let all words count with --invisible none")
    gone = {position(index) for index, word in enumerate(document.words) if word.lower() in _INVISIBLE}
    spans = [tuple(place for place in span if place not in gone) for span in document.mentions.spans]
    mentions = [
        each._replace(span=span) if span else _wordless(each, document)
        for each, span in zip(document.mentions, spans, strict=True)
    ]
    for mention, left in zip(document.mentions, mentions, strict=True):
        if mention.span and not left.span:
            where, message = _named(document, mention), "a mention of invisible words only, which matches nothing"
            report("invisible-mention", message, *where, "another word", fatal=False)
    return replace(document, mentions=mentions)


def _wordless(mention: Mention, document: Document) -> Mention:
    """The mention without words and head; one that has no id gets one that is like no other."""
    name = Alone(document.text_of(mention)) if mention.id is None else mention.id
    return mention._replace(span=(), head=None, id=name)


def _named(document: Document, mention: Mention) -> tuple[int | None, str]:
    """The line of an event nugget, and how the file names it."""
    return document.line_of(mention), document.named(mention)


def with_repeats(document: Document) -> Document:
    """The document with overlapping pieces of spans counted twice: shared positions occur twice in the span."""
    if document.words or not any("pieces" in dict(attributes) for attributes in document.mentions.attributes):
        return document  # no overlapping pieces
    mentions = [mention._replace(span=repeated_places(mention) or mention.span) for mention in document.mentions]
    return replace(document, mentions=mentions)


def noun_phrases(documents: list[Document], homes: Sequence[int]) -> list[Document]:
    """Documents without verb phrases; an entity that thereby becomes a singleton is left out as well."""
    from ..document.trees import fragments, has_parse

    def verb_phrases(document: Document) -> set[int]:
        label_of = fragments(document).root_label
        return {index for index, span in enumerate(document.mentions.spans) if label_of(span) == "VP"}

    verbal = [verb_phrases(document) if has_parse(document) else set() for document in documents]
    left: Counter[tuple[int, Hashable]] = Counter()
    broken: set[tuple[int, Hashable]] = set()
    for home, document, gone in zip(homes, documents, verbal, strict=True):
        entities = document.mentions.entities
        broken.update((home, entities[index]) for index in gone)
        left.update((home, entity) for index, entity in enumerate(entities) if index not in gone)
    alone = {entity for entity in broken if left[entity] == 1}
    found = []
    for home, document, gone in zip(homes, documents, verbal, strict=True):
        numbered = enumerate(document.mentions.entities)
        kept = [index for index, entity in numbered if index not in gone and (home, entity) not in alone]
        found.append(document.of_mentions(kept))
    return found


def without_heads(document: Document) -> Document:
    """The document as seen by CorefUD scorers that ignore heads: a mention is a zero if its first node is empty."""
    if not any(isinstance(span, tuple) for span in document.mentions.spans):  # only stretches of words: no zeros
        return document
    return replace(document, mentions=[mention._replace(head=None) for mention in document.mentions])


def with_shared_minimums(document: Document) -> Document:
    """The document with the minimum spans that coval compares mentions by."""
    from ..document.trees import fragments

    minimum_of = fragments(document).shared_minimum
    mentions = [
        mention.by_minimum(minimum_of(mention.span)) if mention.span else mention for mention in document.mentions
    ]
    return replace(document, mentions=mentions)


def unnested(document: Document) -> Document:
    """The document without mentions that lie inside another mention of the same entity."""
    spans = document.mentions.spans
    inside: set[int] = set()
    for mentions in _tangled(document, spans):
        placed = [index for index in mentions if spans[index]]
        inside.update(_inside_stretches(placed, spans))
        if not all(is_stretch(spans[index]) for index in placed):
            inside.update(_inside_any(placed, spans))
    return _without(document, inside)


def _tangled(document: Document, spans: Sequence[Span]) -> Iterator[list[int]]:
    """The numbers of the mentions of each entity in which one begins before another one ends."""
    found: list[list[int]] = [[] for _ in document.names]
    for index, owner in enumerate(document.mentions.owners):
        found[owner].append(index)
    for mentions in found:
        ends = sorted([(span[0], span[-1]) for index in mentions if (span := spans[index])])
        if any(second <= last for (_, last), (second, _) in pairwise(ends)):
            yield mentions


def _without(document: Document, gone: set[int]) -> Document:
    """The document without the mentions of these numbers."""
    mentions = range(len(document.mentions))
    return document.of_mentions([index for index in mentions if index not in gone]) if gone else document


def _inside_stretches(mentions: list[int], spans: Sequence[Span]) -> Iterator[int]:
    """Stretches inside another one: with outer ones sorted first, those that end no later than one before."""
    stretches = [(spans[index][0], -spans[index][-1], index) for index in mentions if is_stretch(spans[index])]
    furthest = -1
    for (_, last), same in groupby(sorted(stretches), itemgetter(0, 1)):
        if -last <= furthest:
            yield from (index for *_, index in same)
        furthest = max(furthest, -last)


def _inside_any(mentions: list[int], spans: Sequence[Span]) -> Iterator[int]:
    """Mentions inside another one, for spans of any kind."""
    ordered = sorted(mentions, key=lambda index: (spans[index][0], -len(spans[index])))
    for number, outer in enumerate(ordered):
        places = set(spans[outer])
        for index in islice(ordered, number + 1, None):
            if spans[index][0] > spans[outer][-1]:
                break
            if len(spans[index]) < len(places) and places.issuperset(spans[index]):
                yield index


def unnested_as_coval(document: Document, singletons: str) -> Document:
    """The document without nested mentions, by the rule of coval's `remove_nested`.

    A mention is listed once for each mention of its entity that it lies inside of; listed mentions are removed. But if
    the list is one shorter than the entity, nothing is removed, or the whole entity where singletons are dropped.
    """
    spans = document.mentions.spans
    gone: set[int] = set()
    for mentions in _tangled(document, spans):
        around = _around([index for index in mentions if spans[index]], spans)
        if sum(around.values()) != len(mentions) - 1 or len(mentions) < 2:
            gone.update(index for index, number in around.items() if number)
        elif singletons == "drop":
            gone.update(mentions)
    return _without(document, gone)


def _around(mentions: list[int], spans: Sequence[Span]) -> dict[int, int]:
    """For each mention, how many others it lies inside of, by first and last positions; copies count, too."""
    ordered = sorted((spans[index][0], -spans[index][-1], index) for index in mentions)
    lasts: list[int] = []
    found: dict[int, int] = {}
    for (_, last), group in groupby(ordered, itemgetter(0, 1)):
        here = [index for *_, index in group]
        for _ in here:
            insort(lasts, -last)
        outside = len(lasts) - bisect_left(lasts, -last)
        same = Counter([spans[index] for index in here]) if len(here) > 1 else {spans[here[0]]: 1}
        found.update({index: outside - same[spans[index]] for index in here})
    return found
