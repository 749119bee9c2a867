"""Which mention of the key is which mention of the response: one explicit stage, one result that all metrics use.

A matcher is a sequence of passes. Each pass gives the mentions names, and aligns mentions of the same name that are
still free, one to one, the first with the first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple

from .model import Document
from .trees import minimum_span


class Alignment(NamedTuple):
    """Pairs of mentions, one to one: indices into the key's and the response's mentions."""

    key: list[int]
    response: list[int]


Naming = Callable[[Document], list[Hashable]]


class Matcher(NamedTuple):
    """A way to match mentions: what it is called, what it means, how its passes name mentions."""

    name: str
    title: str
    passes: tuple[Naming, ...]


def _minimum_spans(document: Document) -> list[Hashable]:
    return [minimum_span(document, mention) for mention in document.mentions]


MATCHERS = {
    matcher.name: matcher
    for matcher in (
        Matcher("exact", "the same words", (Document.identities,)),
        Matcher("min", "the same words, else the same minimum span", (Document.identities, _minimum_spans)),
    )
}


def align(key: Document, response: Document, matcher: str) -> Alignment:
    """The alignment of two documents.

    >>> from .model import clusters
    >>> align(clusters([["a", "b"]]), clusters([["c", "b"]]), "exact")
    Alignment(key=[1], response=[1])
    """
    found = Alignment([], [])
    free_key, free_response = set(range(len(key.mentions))), set(range(len(response.mentions)))
    for naming in MATCHERS[matcher].passes:
        if not free_key or not free_response:
            break
        there: dict[Hashable, list[int]] = {}
        for index, name in enumerate(naming(response)):
            if index in free_response:
                there.setdefault(name, []).append(index)
        for index, name in enumerate(naming(key)):
            if index in free_key and (partners := there.get(name)):
                found.key.append(index)
                found.response.append(partners.pop(0))
        free_key.difference_update(found.key)
        free_response.difference_update(found.response)
    return found
