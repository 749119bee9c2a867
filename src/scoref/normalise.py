"""From documents as they were read to documents as they are scored: duplicates, singletons, kinds of mentions.

The order is fixed: duplicates, singletons, mentions that are not noun phrases, mentions inside mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace

from .exceptions import Problem, Problems
from .model import Document, Mention
from .trees import root_label

DUPLICATES = ("first", "last", "keep", "error")
SINGLETONS = ("keep", "drop")
NESTED = ("keep", "drop")
MENTIONS = ("all", "np")


def only(document: Document, wanted: Callable[[Mention], bool]) -> Document:
    """The document with those mentions alone."""
    kept = tuple([mention for mention in document.mentions if wanted(mention)])
    return document if len(kept) == len(document.mentions) else replace(document, mentions=kept)


def duplicates(document: Document, which: str, problems: Problems) -> Document:
    """One mention for each place: every further one is reported, and kept or not as `which` says."""
    mentions, identities = document.mentions, document.identities()
    if len(set(identities)) == len(identities):
        return document
    chosen: dict[Hashable, int] = {}
    for index, (mention, identity) in enumerate(zip(mentions, identities, strict=True)):
        if chosen.setdefault(identity, index) != index:
            _report_duplicate(document, mention, mentions[chosen[identity]], which, problems)
            if which == "last":
                chosen[identity] = index
    if which == "keep":
        return document
    return replace(document, mentions=tuple([mentions[index] for index in sorted(chosen.values())]))


def _report_duplicate(document: Document, mention: Mention, before: Mention, which: str, problems: Problems) -> None:
    same = mention.entity == before.entity
    where = f"twice in entity {mention.entity}" if same else f"in entity {before.entity} and in entity {mention.entity}"
    problems.add(
        Problem(
            "duplicate-mention", f"the same mention {where}", document.source, document.line_of(mention), document.id,
            document.text_of(mention), "each mention once",
            "choose which occurrence counts with --duplicates first, last or keep", fatal=which == "error",
        )
    )  # fmt: skip


def drop_singletons(documents: list[Document], scope: str) -> list[Document]:
    """Documents without the entities that have one mention, in the document or, in the scope `corpus`, anywhere."""
    if scope == "corpus":
        sizes = Counter(mention.entity for document in documents for mention in document.mentions)
        return [only(document, lambda mention: sizes[mention.entity] > 1) for document in documents]
    return [_drop_singletons(document) for document in documents]


def _drop_singletons(document: Document) -> Document:
    sizes = Counter([mention.entity for mention in document.mentions])
    return only(document, lambda mention: sizes[mention.entity] > 1)


def noun_phrases(document: Document) -> Document:
    """The document without mentions that are verb phrases, nor what is left of an entity that this leaves with one."""
    verbal = {mention for mention in document.mentions if root_label(document, mention) == "VP"}
    if not verbal:
        return document
    left = Counter(mention.entity for mention in document.mentions if mention not in verbal)
    broken = {mention.entity for mention in verbal if left[mention.entity] <= 1}
    return only(document, lambda mention: mention not in verbal and mention.entity not in broken)


def unnested(document: Document) -> Document:
    """The document without the mentions that lie inside another mention of their entity."""
    inside = set()
    for mentions in document.entities().values():
        ordered = sorted(mentions, key=lambda mention: (mention.span[:1], -len(mention.span)))
        outer: Mention | None = None
        for mention in ordered:
            if outer and mention.span != outer.span and mention.span[-1:] <= outer.span[-1:]:
                inside.add(mention)
            elif not outer or mention.span[-1:] > outer.span[-1:]:
                outer = mention
    return only(document, lambda mention: mention not in inside)


def normalise(
    documents: list[Document],
    *,
    which_duplicates: str,
    singletons: str,
    mentions: str,
    nested: str,
    scope: str,
    problems: Problems,
) -> list[Document]:
    """The documents of one side, as the protocol wants them."""
    documents = [duplicates(document, which_duplicates, problems) for document in documents]
    if singletons == "drop":
        documents = drop_singletons(documents, scope)
    if mentions == "np":
        documents = [noun_phrases(document) for document in documents]
    if nested == "drop":
        documents = [unnested(document) for document in documents]
        if singletons == "drop":
            documents = drop_singletons(documents, scope)
    return documents
