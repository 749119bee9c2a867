"""Steps from documents as they were read to documents as they are scored; `prepare` takes them in their order."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from ..document.document import Document, Mention, places_of, position, repeated_places
from ..document.mentions import Mentions
from ..document.spans import is_stretch
from ..problems import Problem, Problems
from ..spelling import canonical
from .sets import members_of


def only(document: Document, wanted: Callable[[Mention], bool]) -> Document:
    """The document with those mentions alone."""
    kept = tuple([mention for mention in document.mentions if wanted(mention)])
    return document if len(kept) == len(document.mentions) else replace(document, mentions=kept)


def unique(document: Document, which: str, problems: Problems, identity: str = "span") -> Document:
    """One mention for each place: every further one is reported, and kept or not as `which` says.

    The first is the one in the entity that appears first in the document.
    """
    copies = document.copies(identity)
    order = document.appearance(identity) if copies else {}
    stays: dict[int, int] = {}  # for each copy the one that counts in its place
    for same in copies:
        first, *others = sorted(same, key=lambda index: order[document.entity_of(index)])
        for index in others:
            _report_duplicate(document, document.mentions[index], document.mentions[first], which, problems)
        stays |= dict.fromkeys(same, [first, *others][-1 if which == "last" else 0])
    if not copies or which in ("keep", "list", "ua-1.0", "reference"):
        return document
    gone = {index for index, stay in stays.items() if stay != index}
    kept = [index for index in range(len(document.mentions)) if index not in gone]
    numbers = {index: number for number, index in enumerate(kept)} if document.bridges else {}
    bridges = [
        each._replace(
            anaphor=numbers[stays.get(each.anaphor, each.anaphor)],
            antecedent=numbers[stays.get(each.antecedent, each.antecedent)],
        )
        for each in document.bridges
    ]
    return replace(document.of_mentions(kept), bridges=tuple(bridges))


def without_repeats(key: Document, response: Document) -> Document:
    """The response without further copies of mentions that the key has, as the reference scorer leaves them out.

    Of the copies that one stays which is in the entity that appears first. Copies of other mentions all stay.
    """
    copies = response.copies()
    if not copies:
        return response
    order = response.appearance()
    ours, theirs = places_of([key, response])
    known = set(ours)
    gone: set[int] = set()
    for same in copies:
        if theirs[same[0]] in known:
            gone |= {*same} - {min(same, key=lambda index: order[response.entity_of(index)])}
    return response.of_mentions([index for index in range(len(response.mentions)) if index not in gone])


def _report_duplicate(document: Document, mention: Mention, before: Mention, which: str, problems: Problems) -> None:
    same = mention.entity == before.entity
    where = f"twice in entity {mention.entity}" if same else f"in entity {before.entity} and in entity {mention.entity}"
    problems.add(
        Problem(
            "duplicate-mention", f"the same mention {where}", document.source, document.line_of(mention), document.id,
            document.text_of(mention), "each mention once",
            "choose which occurrence counts with --duplicates", fatal=which == "error",
        )
    )  # fmt: skip


def once_per_entity(document: Document, identity: str) -> Document:
    """The document with one mention for each place and entity: an entity is a set of mentions."""
    if not document.repeats(identity):
        return document
    identities = document.identities(identity)
    kept: dict[tuple[Hashable, Hashable], Mention] = {}
    for name, mention in zip(identities, document.mentions, strict=True):
        kept.setdefault((name, mention.entity), mention)
    return document if len(kept) == len(document.mentions) else replace(document, mentions=tuple(kept.values()))


def _drop(document: Document, entities: set[Hashable]) -> Document:
    """The document without these entities; members of sets are only hidden, as sets are compared by their members."""
    if not entities:
        return document
    hidden = entities & members_of(document)
    gone = entities - hidden
    sets = {name: members for name, members in document.sets.items() if name not in gone}
    mentions = document.mentions
    if isinstance(mentions, Mentions):
        mentions = mentions.without(gone)
    else:
        mentions = tuple([mention for mention in mentions if mention.entity not in gone])
    return replace(document, mentions=mentions, sets=sets, hidden=document.hidden | hidden)


def drop_singletons(documents: list[Document], homes: Sequence[int]) -> list[Document]:
    """Documents without the entities that have one element, among all documents with the same number in `homes`."""
    each = [_sizes(document) for document in documents]
    sizes: dict[int, Counter[Hashable]] = {}
    for home, found in zip(homes, each, strict=True):
        sizes.setdefault(home, Counter()).update(found)
    return [
        _drop(document, {name for name in found if sizes[home][name] == 1})
        for document, home, found in zip(documents, homes, each, strict=True)
    ]


def _sizes(document: Document) -> Counter[Hashable]:
    mentions = document.mentions
    sizes = Counter(mentions.entities() if isinstance(mentions, Mentions) else [each.entity for each in mentions])
    sizes.update(document.sets.keys())
    return sizes


def referring(document: Document) -> Document:
    """The document without its non-referring entities."""
    return _drop(document, set(document.nonreferring)) if document.nonreferring else document


_INVISIBLE = frozenset(
    ("the", "a", "an", "i", "you", "he", "she", "we", "my", "your", "her", "our", "who", "what", "where", "when")
)


def visible(document: Document, problems: Problems) -> Document:
    """The document whose mentions lack determiners, pronouns and relative pronouns, where its words are known.

    It is reported where they are not known, and that a mention without other words matches nothing.
    """
    if not document.mentions:
        return document
    if not document.words:
        problems.add(
            Problem(
                "unknown-words",
                "without token tables invisible words are not known, and count",
                document.source,
                remedy="name the folder of token tables: --tokens DIR",
                fatal=False,
            )
        )
        return document
    gone = {position(index) for index, word in enumerate(document.words) if word.lower() in _INVISIBLE}
    mentions = [
        mention._replace(span=tuple(place for place in mention.span if place not in gone))
        for mention in document.mentions
    ]
    for mention, left in zip(document.mentions, mentions, strict=True):
        if mention.span and not left.span:
            problems.add(
                Problem(
                    "invisible-mention", "a mention of invisible words only, which matches nothing", document.source,
                    document.line_of(mention), document.id, document.named(mention), "another word",
                    "let all words count with --invisible none", fatal=False,
                )
            )  # fmt: skip
    return replace(document, mentions=tuple(mentions))


def with_repeats(document: Document) -> Document:
    """The document whose spans have positions twice that two of their pieces share."""
    if document.words or not any("pieces" in dict(mention.attributes) for mention in document.mentions):
        return document  # positions are no characters, or no two pieces share one
    mentions = [mention._replace(span=repeated_places(mention) or mention.span) for mention in document.mentions]
    return replace(document, mentions=tuple(mentions))


def of_types(document: Document, types: str, problems: Problems) -> Document:
    """The document with the event nuggets of listed types alone; the others are reported."""
    known = set(types.split(","))

    def wanted(mention: Mention) -> bool:
        type = dict(mention.attributes).get("type", "")
        if canonical(type) not in known:
            problems.add(
                Problem(
                    "other-type", f"a mention of a type that is not listed, and not scored: {type}", document.source,
                    document.line_of(mention), document.id, document.named(mention), "a type of the list", fatal=False
                )
            )  # fmt: skip
        return canonical(type) in known

    return only(document, wanted)


def check_parents(document: Document, problems: Problems) -> None:
    """Report zeros that depend on nothing, where zeros are matched by what they depend on."""
    for index in document.zeros:
        mention = document.mentions[index]
        if not mention.parents:
            problems.add(
                Problem(
                    "no-parent", "a zero that depends on nothing", document.source, document.line_of(mention),
                    document.id, str(mention.entity), "DEPS like 3:nsubj", "this zero is matched by its position",
                    fatal=False,
                )
            )  # fmt: skip


def check_minimums(document: Document, problems: Problems) -> None:
    """Report minimum spans that lie outside of their mentions; such mentions match exactly or not at all."""
    for mention in document.mentions:
        written = dict(mention.attributes).get("Min")
        if written and not mention.minimum:
            problems.add(
                Problem(
                    "minimum-outside", "a minimum span outside of its mention", document.source,
                    document.line_of(mention), document.id, f"Min={written}", "tokens of the mention",
                    "fix the file; until then this mention is matched by all its words", fatal=False,
                )
            )  # fmt: skip


def check_heads(document: Document, problems: Problems) -> None:
    """Report a document without heads, where mentions are matched by them."""
    mentions = document.mentions
    if isinstance(mentions, Mentions):
        longer, headless = mentions.ends[::2] != mentions.ends[1::2], mentions.heads is None
    else:
        heads = [mention.head for mention in mentions if len(mention.span) > 1]
        longer, headless = bool(heads), all(head is None for head in heads)
    headers = [text for _, text in document.comments if "global.Entity" in text]
    unsaid = any("head" not in text.partition("=")[2].strip().split("-") for text in headers)
    if longer and (unsaid or headless):
        how = "the first word counts" if unsaid else "mentions of this document are matched by all their words"
        problems.add(
            Problem(
                "no-heads", "a document whose mentions have no heads", document.source, document.line, document.id,
                None, "heads, as mentions are matched by them", f"use --match exact; here {how}", fatal=False,
            )
        )  # fmt: skip


def check_parse(document: Document, problems: Problems) -> None:
    """Report a document whose parse cannot be used: mentions there match by all their words, and none is dropped."""
    from ..document.trees import has_parse

    if document.mentions and not any(mention.minimum for mention in document.mentions) and not has_parse(document):
        problems.add(
            Problem(
                "no-parse", "a document without a parse of all its tokens", document.source, document.line, document.id,
                None, "the parse column of CoNLL-2012, with a * for each token",
                "add the parse; until then mentions of this document are matched by all their words", fatal=False,
            )
        )  # fmt: skip


def noun_phrases(documents: list[Document], homes: Sequence[int]) -> list[Document]:
    """Documents without mentions that are verb phrases, nor what is left of an entity that this leaves with one."""
    from ..document.trees import has_parse, root_label

    verbal = [
        {index for index, mention in enumerate(document.mentions) if root_label(document, mention) == "VP"}
        if has_parse(document)
        else set()
        for document in documents
    ]
    left: Counter[tuple[int, Hashable]] = Counter()
    broken: set[tuple[int, Hashable]] = set()
    for name, document, gone in zip(homes, documents, verbal, strict=True):
        left.update((name, mention.entity) for index, mention in enumerate(document.mentions) if index not in gone)
        broken.update((name, document.mentions[index].entity) for index in gone)
    return [
        replace(
            document,
            mentions=tuple(
                mention
                for index, mention in enumerate(document.mentions)
                if index not in gone and ((name, mention.entity) not in broken or left[name, mention.entity] > 1)
            ),
        )
        for name, document, gone in zip(homes, documents, verbal, strict=True)
    ]


def unnested(document: Document) -> Document:
    """The document without the mentions whose places are part of those of another mention of their entity."""
    inside: set[Mention] = set()
    for mentions in document.entities().values():
        placed = [mention for mention in mentions if mention.span]
        inside.update(_inside_stretches(placed))
        if not all(is_stretch(mention.span) for mention in placed):
            inside.update(_inside_any(placed))
    return only(document, lambda mention: mention not in inside)


def _inside_stretches(mentions: list[Mention]) -> Iterator[Mention]:
    """Stretches that are part of another one: of one before it, outer before inner, that ends behind it."""
    stretches = [mention for mention in mentions if is_stretch(mention.span)]
    stretches.sort(key=lambda mention: (mention.span[0], -mention.span[-1]))
    furthest = -1
    for (_, last), same in groupby(stretches, lambda mention: (mention.span[0], mention.span[-1])):
        if last <= furthest:
            yield from same
        furthest = max(furthest, last)


def _inside_any(mentions: list[Mention]) -> Iterator[Mention]:
    """Mentions that are part of another one, by their places."""
    ordered = sorted(mentions, key=lambda mention: (mention.span[0], -len(mention.span)))
    for number, outer in enumerate(ordered):
        places = set(outer.span)
        for mention in islice(ordered, number + 1, None):
            if mention.span[0] > outer.span[-1]:
                break
            if len(mention.span) < len(places) and places.issuperset(mention.span):
                yield mention


def with_shared_minimums(document: Document) -> Document:
    """The document whose mentions have the minimum spans by which coval compares them."""
    from ..document.trees import shared_minimum

    mentions = [mention._replace(minimum=shared_minimum(document, mention)) if mention.span else mention
                for mention in document.mentions]  # fmt: skip
    return replace(document, mentions=tuple(mentions))


def unnested_as_coval(document: Document, singletons: str) -> Document:
    """The document without nested mentions as coval's `remove_nested` leaves them out.

    A mention is listed once for each mention of its entity that it lies inside of. If the list is one shorter than the
    entity, nothing is taken out, or where singletons are dropped the whole entity; otherwise all that are listed.
    """
    gone: set[Mention] = set()
    for mentions in document.entities().values():
        around = _around([mention for mention in mentions if mention.span])
        if sum(around.values()) != len(mentions) - 1 or len(mentions) < 2:
            gone.update(mention for mention in mentions if around.get(mention))
        elif singletons == "drop":
            gone.update(mentions)
    return only(document, lambda mention: mention not in gone)


def _around(mentions: list[Mention]) -> dict[Mention, int]:
    """For each mention how many others it lies inside of, by their first and last places; each copy of it counts."""
    same = Counter(mention.span for mention in mentions)
    copies = Counter(mentions)
    lasts: list[int] = []
    found = {}
    for _, group in groupby(sorted(copies, key=lambda mention: mention.span[0]), lambda mention: mention.span[0]):
        here = [*group]
        for mention in here:
            for _ in range(copies[mention]):
                insort(lasts, mention.span[-1])
        for mention in here:
            outside = len(lasts) - bisect_left(lasts, mention.span[-1]) - same[mention.span]
            found[mention] = outside * copies[mention]
    return found
