"""Which mention of the key is which mention of the response: one explicit stage, one result that all metrics use.

A matcher is a sequence of passes; each aligns mentions that are still free, one to one. Zeros may have a pass of their
own before all others, by what they depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..model import Document, Mention, position, runs, word_of
from ..spans import text_order
from .assign import first_best, strictly_best
from .mapping import MAPPINGS, greedy
from .trees import has_parse, minimum_span


class Alignment(NamedTuple):
    """Pairs of mentions, one to one: indices into the key's and the response's mentions."""

    key: list[int]
    response: list[int]


Pass = Callable[[Document, Document, list[int], list[int]], Alignment]


class Matcher(NamedTuple):
    """A way to match mentions: what it is called, what it means, the passes it makes after that by identity.

    `identity` says when mentions of one side are the same: of the same words (`span`), also with the same head
    (`head`), of one minimum span (`minimum`), or never (`line`). With `alike`, each mention is looked up on its own
    among those that are alike.
    """

    name: str
    title: str
    passes: tuple[Pass, ...] = ()
    identity: str = "span"
    alike: Callable[[Mention, Mention], bool] | None = None


def trees(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Mentions with the same minimum span in the key's parse, where there is one; together alike as can be (Dice)."""
    if not has_parse(key):
        return Alignment([], [])
    there: dict[Hashable, list[int]] = {}
    for index in free_response:
        there.setdefault(minimum_span(response, response.mentions[index]), []).append(index)
    candidates = []
    for index in free_key:
        mention = key.mentions[index]
        for other in there.get(minimum_span(key, mention), []):
            candidates.append((index, other, _dice(set(mention.span), set(response.mentions[other].span))))
    return _best(candidates, key, response, free_key, free_response)


def _by_name(
    ours: Sequence[Hashable], theirs: Sequence[Hashable], free_key: list[int], free_response: list[int]
) -> Alignment:
    found = Alignment([], [])
    there: dict[Hashable, list[int]] = {}
    for index in free_response:
        there.setdefault(theirs[index], []).append(index)
    for index in free_key:
        if left := there.get(ours[index]):
            found.key.append(index)
            found.response.append(left.pop(0))
    return found


def contained(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Response mentions inside a key mention that have at least its minimum span; together as long as can be."""

    def candidates() -> Iterator[tuple[int, int, float]]:
        at = mentions_at(response, free_response)
        for index in free_key:
            mention = key.mentions[index]
            if mention.minimum:
                least, most = set(mention.minimum), set(mention.span)
                for other in at.get(mention.minimum[0], []):
                    span = response.mentions[other].span
                    if least.issubset(span) and most.issuperset(span):
                        yield index, other, len(span) / len(most)

    return _best(list(candidates()), key, response, free_key, free_response)


def part(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Response mentions inside a key mention that have its head; together as long as can be."""
    at = mentions_at(response, free_response)
    candidates = []
    for index in free_key:
        span, head = set(key.mentions[index].span), key.mentions[index].head
        for other in at.get(head, []) if head is not None else ():
            inner = response.mentions[other].span
            if span.issuperset(inner):
                candidates.append((index, other, len(inner) / len(span)))
    return _best(candidates, key, response, free_key, free_response)


def same_head(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Mentions with the same head; together with as many words of the key mentions as can be."""
    by_head: dict[int | None, list[int]] = {}
    for index in free_response:
        by_head.setdefault(response.mentions[index].head, []).append(index)
    candidates = []
    for index in free_key:
        span = key.mentions[index].span
        for other in by_head.get(key.mentions[index].head, []) if key.mentions[index].head is not None else ():
            common = len(set(span).intersection(response.mentions[other].span))
            candidates.append((index, other, common / len(span)))
    return _best(candidates, key, response, free_key, free_response)


def first_piece(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Response mentions with a piece inside the first piece of a key mention, as in the CRAFT task of 2019.

    Response mentions choose in text order: each the first key mention, in text order, that it fits; if that is taken,
    it has none. Zeros fit nothing.
    """
    ranked = [index for index in _in_text_order(key, free_key) if not key.mentions[index].is_zero]
    cores = [_pieces(key.mentions[index].span)[0] for index in ranked]
    over: dict[int, list[int]] = {}
    for rank, (first, last) in enumerate(cores):
        for word in range(first, last + 1):
            over.setdefault(word, []).append(rank)
    chosen: dict[int, int] = {}
    for other in _in_text_order(response, free_response):
        if not response.mentions[other].is_zero:
            pieces = _pieces(response.mentions[other].span)
            fits = [rank for first, last in pieces for rank in over.get(first, []) if last <= cores[rank][1]]
            if fits:
                chosen.setdefault(ranked[min(fits)], other)
    return Alignment(list(chosen), list(chosen.values()))


def _pieces(span: Sequence[int]) -> list[tuple[int, int]]:
    """The first and last word of each piece of a mention; empty nodes are no words."""
    return runs([word_of(place) for place in span if place == position(word_of(place))])


def zeros(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
    """Zeros that depend on the same words; the same relation weighs ten times as much as the same word alone."""
    sides = [
        [(index, set(document.mentions[index].parents)) for index in free if document.mentions[index].is_zero]
        for document, free in ((key, free_key), (response, free_response))
    ]
    by_word: dict[int, list[int]] = {}
    theirs = dict(sides[1])
    for index, parents in theirs.items():
        for place in {place for place, _ in parents}:
            by_word.setdefault(place, []).append(index)
    candidates = []
    for index, parents in sides[0]:
        words = {place for place, _ in parents}
        for other in dict.fromkeys(each for place in words for each in by_word.get(place, [])):
            weight = 10 * _dice(parents, theirs[other]) + _dice(words, {place for place, _ in theirs[other]})
            candidates.append((index, other, weight))
    return _best(candidates, key, response, [index for index, _ in sides[0]], list(theirs))


def _dice(ours: set[Any], theirs: set[Any]) -> float:
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def mentions_at(document: Document, free: list[int]) -> dict[int | None, list[int]]:
    """The mentions at each position."""
    at: dict[int | None, list[int]] = {}
    for index in free:
        for place in document.mentions[index].span:
            at.setdefault(place, []).append(index)
    return at


def _in_text_order(document: Document, indices: list[int]) -> list[int]:
    """Mentions by first word, last word and length, as other scorers sort them; then by what tells them apart."""

    def order(index: int) -> tuple[int, int, int, tuple[int, ...], int]:
        span, head = document.mentions[index].span, document.mentions[index].head
        return span[0], span[-1], len(span), text_order(span), -1 if head is None else head

    return sorted(indices, key=order)


def _best(
    candidates: list[tuple[int, int, float]], key: Document, response: Document, rows: list[int], columns: list[int]
) -> Alignment:
    """The pairs with the greatest total weight, of the mentions that take part.

    Where several alignments are equally good, it is that of the other scorers, which put all mentions into one matrix,
    in the order of their first word, last word and length.
    """
    cells = np.array(candidates).reshape(len(candidates), 3)
    chosen = strictly_best(cells[:, 0].astype(np.int64), cells[:, 1].astype(np.int64), cells[:, 2])
    if chosen is not None:
        return Alignment([candidates[index][0] for index in chosen], [candidates[index][1] for index in chosen])

    rows, columns = _in_text_order(key, rows), _in_text_order(response, columns)
    row_of, column_of = ({index: place for place, index in enumerate(each)} for each in (rows, columns))
    cost = np.zeros((len(rows), len(columns)))
    for row, column, weight in candidates:
        cost[row_of[row], column_of[column]] = -weight
    pairs = [(rows[i], columns[j]) for i, j in first_best(cost) if cost[i, j] < 0]
    return Alignment([row for row, _ in pairs], [column for _, column in pairs])


def _has_core(key: Mention, response: Mention) -> bool:
    if key.head is None:
        return key.span == response.span
    return key.head in response.span and set(key.span).issuperset(response.span)


def _same_head(key: Mention, response: Mention) -> bool:
    return key.head == response.head if key.head is not None else key.span == response.span


MATCHERS = {
    matcher.name: matcher
    for matcher in (
        Matcher("exact", "the same words"),
        Matcher("partial", "the same words, else response mentions inside a key mention that have its head", (part,)),
        Matcher("head", "the same words and head, else the same head", (same_head,), "head"),
        Matcher("min", "the same words, else the minimum span of the file or of the key's parse", (contained, trees)),
        Matcher("min-coval", "as coval: mentions with one minimum span are one mention", identity="minimum"),
        Matcher(
            "partial-craft",
            "the same words, else a piece of the response mention inside the first piece of the key's (CRAFT 2019)",
            (first_piece,),
        ),
        Matcher(
            "dice",
            "event nuggets of one type (--mapping) that overlap enough (Dice, --threshold)",
            identity="line",
        ),
        Matcher(
            "partial-1.0",
            "as the CorefUD scorer 1.0: the nearest response mention inside that has the head, shared",
            alike=_has_core,
        ),
        Matcher(
            "head-1.1", "as the CorefUD scorer 1.1: the nearest mention with the same head, shared", alike=_same_head
        ),
    )
}

ZEROS = ("linear", "dependent", "dependent-corrected", "drop")


def align(
    key: Document,
    response: Document,
    matcher: str,
    how_zeros: str = "linear",
    threshold: float = 1.0,
    mapping: str = "type",
) -> Alignment:
    """The alignment of two documents.

    >>> from scoref import clusters
    >>> align(clusters([["a", "b"]]), clusters([["c", "b"]]), "exact")
    Alignment(key=[1], response=[1])
    """
    if matcher == "dice":
        pairs = [(k, r) for k, r, dice in greedy(key, response, MAPPINGS[mapping]) if dice >= threshold]
        return Alignment([k for k, _ in pairs], [r for _, r in pairs])
    identity, passes = MATCHERS[matcher].identity, MATCHERS[matcher].passes

    def same(key: Document, response: Document, free_key: list[int], free_response: list[int]) -> Alignment:
        everything = (len(free_key), len(free_response)) == (len(key.mentions), len(response.mentions))
        if everything and identity == "span" and not key.repeats() and not response.repeats():  # most often
            partners = [*map(response.places.get, key.identities())]
            if None not in partners:
                return Alignment(free_key, partners)  # type: ignore[arg-type]
            found = [k for k, r in enumerate(partners) if r is not None]
            return Alignment(found, [r for r in partners if r is not None])
        return _by_name(key.identities(identity), response.identities(identity), free_key, free_response)

    found = Alignment([], [])
    free_key, free_response = list(range(len(key.mentions))), list(range(len(response.mentions)))
    for match in [*[zeros] * how_zeros.startswith("dependent"), same, *passes]:
        if found.key:
            free_key, free_response = _left(free_key, found.key), _left(free_response, found.response)
        if match in passes:  # mentions without positions are the same by their ids or not at all
            free_key, free_response = _placed(key, free_key), _placed(response, free_response)
        more = match(key, response, free_key, free_response)
        found = Alignment(found.key + more.key, found.response + more.response)
    return found


def _placed(document: Document, free: list[int]) -> list[int]:
    return [index for index in free if document.mentions[index].span]


def _left(free: list[int], taken: list[int]) -> list[int]:
    gone = set(taken)
    return [index for index in free if index not in gone]
