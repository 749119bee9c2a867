"""Matches the mentions of key and response, once for all metrics.

A matcher is a sequence of passes; each aligns mentions that are still free, one to one. Zeros may have a pass of their
own before all others, which compares their parents.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import count
from typing import Annotated, Any, Self

import numpy as np

from ..choice import BETWEEN, FIRST, SECOND, Choice, Subject
from ..document.document import Document, Floats, Integers, places_of
from ..document.spans import pieces, text_order
from ..preparing.prepare import PARSE
from ..values import NamedTuple
from .assign import strictly_best
from .nuggets import MAPPINGS, Overlapping
from .overlap import Candidates, Spans, mentions_at


class Alignment(NamedTuple):
    """Pairs of mentions, one to one: indices into the key's and the response's mentions."""

    key: list[int]
    response: list[int]

    @classmethod
    def of(cls, pairs: Collection[tuple[int, int]]) -> Self:
        """The alignment that has these pairs."""
        return cls([k for k, _ in pairs], [r for _, r in pairs])


class Unaligned(NamedTuple):
    """Two documents, and their mentions that are not aligned yet."""

    key: Document
    response: Document
    free_key: list[int]
    free_response: list[int]


Pass = Callable[[Unaligned], Alignment]


class Matcher(NamedTuple):
    """A way to match mentions: its name, its description, and its passes after the first one, which is by identity.

    `identity` says when mentions are the same: same words (`span`), same words and head (`head`), same minimum span
    (`minimum`), or never (`line`). `alike` gives candidates instead: each mention then takes the nearest one, not
    always one to one. `heads` means that both sides must have heads. `needs`: without one of these in the documents it
    matches as `exact` does, or not at all.
    """

    name: str
    title: str
    passes: tuple[Pass, ...] = ()
    identity: str = "span"
    alike: Callable[[Document, Document], Candidates] | None = None
    heads: bool = False
    needs: tuple[Subject, ...] = ()


def trees(left: Unaligned) -> Alignment:
    """Mentions with the same minimum span in the key's parse, if it has one; the greatest total Dice coefficient."""
    from ..document.trees import fragments, has_parse

    key, response, free_key, free_response = left
    if not has_parse(key):
        return Alignment([], [])
    ours, theirs = fragments(key), fragments(response)
    there: dict[Hashable, list[int]] = {}
    for index in free_response:
        there.setdefault(theirs.minimum(response.mentions.span(index)), []).append(index)
    rivals = [(index, there.get(ours.minimum(key.mentions.span(index)), ())) for index in free_key]
    if not any(others for _, others in rivals):
        return Alignment([], [])
    pairs = Candidates(key, response, rivals)
    weight = 2 * pairs.shared / (pairs.key_size + pairs.response_size)
    return _best(left, pairs.row, pairs.column, weight)


def contained(left: Unaligned) -> Alignment:
    """Response mentions inside a key mention that include its minimum span; the greatest total share of words."""
    key, response, free_key, free_response = left
    minimums = key.mentions.minimums
    least = {index: minimums[index] for index in free_key if minimums[index]}
    if not least:
        return Alignment([], [])
    at = mentions_at(response, free_response, {minimum[0] for minimum in least.values()})
    pairs = Candidates(key, response, ((index, at.get(minimum[0], ())) for index, minimum in least.items()))
    there = Spans({index: least[index] for index in dict.fromkeys(pairs.row.tolist())})
    core = there.shared(pairs.theirs, pairs.row, pairs.column) == there.size[pairs.row]
    inside = core & (pairs.shared == pairs.response_size)
    weight = np.where(inside, pairs.response_size / pairs.key_size, 0.0)
    return _best(left, pairs.row, pairs.column, weight)


def part(left: Unaligned) -> Alignment:
    """Response mentions inside a key mention that include its head; the greatest total share of words."""
    key, response, free_key, free_response = left
    known = key.mentions.heads
    heads = {index: head for index in free_key if (head := known[index]) is not None}
    at = mentions_at(response, free_response, {*heads.values()})
    pairs = Candidates(key, response, ((index, at.get(head, ())) for index, head in heads.items()))
    weight = np.where(pairs.shared == pairs.response_size, pairs.response_size / pairs.key_size, 0.0)
    return _best(left, pairs.row, pairs.column, weight)


def same_head(left: Unaligned) -> Alignment:
    """Mentions with the same head; the greatest total share of the key mentions' words."""
    key, response, free_key, free_response = left
    by_head: dict[int | None, list[int]] = {}
    ours, theirs = key.mentions.heads, response.mentions.heads
    for index in free_response:
        by_head.setdefault(theirs[index], []).append(index)
    by_head[None] = []
    pairs = Candidates(key, response, ((index, by_head.get(ours[index], ())) for index in free_key))
    return _best(left, pairs.row, pairs.column, pairs.shared / pairs.key_size)


def first_piece(left: Unaligned) -> Alignment:
    """Response mentions with a piece inside the first piece of a key mention, as in the CRAFT task of 2019.

    Response mentions choose in text order: each takes the first key mention that fits, and gets none if that is taken
    already. Zeros fit nothing.
    """
    key, response, free_key, free_response = left
    ranked = [index for index in _in_text_order(key, free_key) if not key.mentions[index].is_zero]
    cores = [pieces(key.mentions[index].span)[0] for index in ranked]
    over: dict[int, list[int]] = {}
    for rank, (first, last) in enumerate(cores):
        for word in range(first, last + 1):
            over.setdefault(word, []).append(rank)
    chosen: dict[int, int] = {}
    for other in _in_text_order(response, free_response):
        if not response.mentions[other].is_zero:
            inner = pieces(response.mentions[other].span)
            fits = [rank for first, last in inner for rank in over.get(first, []) if last <= cores[rank][1]]
            if fits:
                chosen.setdefault(ranked[min(fits)], other)
    return Alignment.of(chosen.items())


def zeros(key: Document, response: Document) -> Alignment:
    """Zeros with parents in common; a parent with the same relation weighs ten times as much as a parent alone."""
    sides = key.mentions, response.mentions
    ours, theirs = ({index: set(side[index].parents) for index in side.zeros} for side in sides)
    by_word: dict[int, list[int]] = {}
    for index, parents in theirs.items():
        for place in {place for place, _ in parents}:
            by_word.setdefault(place, []).append(index)
    candidates = []
    for index, parents in ours.items():
        words = {place for place, _ in parents}
        for other in dict.fromkeys(each for place in words for each in by_word.get(place, [])):
            weight = 10 * _dice(parents, theirs[other]) + _dice(words, {place for place, _ in theirs[other]})
            candidates.append((index, other, weight))
    cells = np.array(candidates).reshape(len(candidates), 3)
    row, column = cells[:, :2].T.astype(np.int64)
    return _best(Unaligned(key, response, [*ours], [*theirs]), row, column, cells[:, 2])


def _dice(ours: set[Any], theirs: set[Any]) -> float:
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def _in_text_order(document: Document, indices: list[int]) -> list[int]:
    """Mentions sorted by first word, last word and length, as in other scorers; then by all positions and the head."""

    def order(index: int) -> tuple[int, int, int, tuple[int, ...], int]:
        span, head = document.mentions[index].span, document.mentions[index].head
        return span[0], span[-1], len(span), text_order(span), -1 if head is None else head

    return sorted(indices, key=order)


def _best(left: Unaligned, row: Integers, column: Integers, weight: Floats) -> Alignment:
    """The one-to-one pairs with the greatest total weight.

    Of equally good alignments it is the one that other scorers find, which put all mentions into one matrix, sorted by
    first word, last word and length.
    """
    chosen = strictly_best(row, column, weight)
    if chosen is not None:
        return Alignment(row[chosen].tolist(), column[chosen].tolist())
    some = np.flatnonzero(weight)
    rows, columns = _in_text_order(left.key, left.free_key), _in_text_order(left.response, left.free_response)
    row, column = _ranks(rows)[row[some]], _ranks(columns)[column[some]]
    from .ties import WeightedCells, first_best  # rarely needed

    pairs = first_best(WeightedCells(len(rows), len(columns), row, column, weight[some]))
    weighs = {*(row * len(columns) + column).tolist()}
    return Alignment.of([(rows[i], columns[j]) for i, j in pairs if i * len(columns) + j in weighs])


def _ranks(indices: list[int]) -> Integers:
    """The place of each index in the list."""
    ranks = np.zeros(max(indices) + 1, np.int64)
    ranks[indices] = np.arange(len(indices))
    return ranks


def _with_core(key: Document, response: Document) -> Candidates:
    """Candidates: response mentions inside a key mention that include its head; if it has none, those of its span."""
    everybody = list(range(len(response.mentions)))
    heads = {mention.head for mention in key.mentions if mention.head is not None}
    pairs = Candidates(key, response, _headed(key, response, mentions_at(response, everybody, heads)))
    return pairs.some(pairs.shared == pairs.response_size)


def _with_head(key: Document, response: Document) -> Candidates:
    """Candidates: response mentions with the head of a key mention; if it has none, those of its span."""
    by_head: dict[int, list[int]] = {}
    for index, mention in enumerate(response.mentions):
        if mention.head is not None:
            by_head.setdefault(mention.head, []).append(index)
    pairs = Candidates(key, response, _headed(key, response, by_head))
    return pairs.some(pairs.shared > 0)


def _headed(key: Document, response: Document, there: Mapping[int, list[int]]) -> Iterator[tuple[int, Sequence[int]]]:
    """For each key mention the response mentions that `there` has for its head; if it has none, those of its span."""
    of_span: dict[Hashable, list[int]] = {}
    for index, mention in enumerate(response.mentions):
        of_span.setdefault(mention.span, []).append(index)
    for index, mention in enumerate(key.mentions):
        if mention.span:
            yield index, there.get(mention.head, ()) if mention.head is not None else of_span.get(mention.span, ())


_FIRST_PIECE = "the same words, else a piece of the response mention inside the first piece of the key's (CRAFT 2019)"
_ENOUGH = "event nuggets of one type (--mapping) that overlap enough (Dice, --threshold)"
_NEAREST = "as the CorefUD scorer 1.0: the nearest response mention inside that has the head, shared"
_NEAREST_HEAD = "as the CorefUD scorer 1.1: the nearest mention with the same head, shared"
_OF_HEAD = "the same words, else response mentions inside a key mention that have its head"
_OF_MINIMUM = "the same words, else the minimum span of the file or of the key's parse"
NUGGETS = Subject("nuggets", "event nuggets")
_HEADS, _PIECES = (Subject("heads", "heads"),), (Subject("pieces", "mentions in pieces"),)
_MINIMUMS = Subject("minimums", "minimum spans"), PARSE
_ALL = (
    Matcher("exact", "the same words"),
    Matcher("partial", _OF_HEAD, (part,), needs=_HEADS),
    Matcher("head", "the same words and head, else the same head", (same_head,), "head", heads=True, needs=_HEADS),
    Matcher("min", _OF_MINIMUM, (contained, trees), needs=_MINIMUMS),
    Matcher("min-coval", "as coval: mentions with one minimum span are one mention", (), "minimum", needs=_MINIMUMS),
    Matcher("partial-craft", _FIRST_PIECE, (first_piece,), needs=_PIECES),
    Matcher("dice", _ENOUGH, identity="line", needs=(NUGGETS,)),
    Matcher("partial-1.0", _NEAREST, alike=_with_core, needs=_HEADS),
    Matcher("head-1.1", _NEAREST_HEAD, alike=_with_head, heads=True, needs=_HEADS),
)
MATCHERS = {matcher.name: matcher for matcher in _ALL}
_SAME, _NEEDS = "which mentions count as the same", {matcher.name: matcher.needs for matcher in _ALL}
_MAPPING = "event nuggets: what the same mentions agree in, for coreference and sequencing"
_THRESHOLD = "event nuggets: Dice needed for coreference"
_AGREE = "attributes in which mentions must agree to count as the same, like type or kbid"
_FIELDS = "names of attributes with commas"
_FIELD = r"[\w.-]+(,[\w.-]+)*"
NO_FIELDS = "none"
_KNOWN = (NO_FIELDS, "type")
_TYPED = Subject("types", "types of mentions on both sides")


class Matching(NamedTuple):
    """Which mentions are the same. How zeros are matched is a choice of `Preparing`, as they may be dropped there."""

    match: Annotated[str, Choice(_SAME, MATCHERS, 1, FIRST, needs=_NEEDS)] = "exact"
    mapping: Annotated[str, Choice(_MAPPING, MAPPINGS, 15, SECOND, fixed=True)] = "type"
    threshold: Annotated[float, Choice(_THRESHOLD, (), 29, BETWEEN, range=(1e-6, 1.0), fixed=True)] = 1.0
    agree: Annotated[str, Choice(_AGREE, _KNOWN, 1002, other=_FIELDS, pattern=_FIELD, subject=_TYPED)] = NO_FIELDS

    @property
    def fields(self) -> tuple[str, ...]:
        """The attributes in which mentions must agree."""
        return () if self.agree == NO_FIELDS else tuple(self.agree.split(","))

    @property
    def identity(self) -> str:
        """When two mentions of a side are the same, as `Document.identities` takes it."""
        return "+".join((MATCHERS[self.match].identity, *self.fields))

    @property
    def places(self) -> str:
        """The same, for rules that go by spans whatever the matcher is."""
        return "+".join(("span", *self.fields))


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
        nuggets = Overlapping(key, response).greedy(MAPPINGS[mapping])
        return Alignment.of([(k, r) for k, r, dice in nuggets if dice >= threshold])
    identity, passes = MATCHERS[matcher].identity, MATCHERS[matcher].passes
    found = Alignment([], [])
    if how_zeros.startswith("dependent") and key.mentions.zeros and response.mentions.zeros:
        found = zeros(key, response)
    found = _same(key, response, identity, found)
    if not passes:
        return found
    # Mentions without positions can match by their ids only.
    taken = {*found.key, *key.mentions.opaque}, {*found.response, *response.mentions.opaque}
    for match in passes:
        more = match(Unaligned(key, response, _left(key, taken[0]), _left(response, taken[1])))
        found = Alignment(found.key + more.key, found.response + more.response)
        taken[0].update(more.key)
        taken[1].update(more.response)
    return found


def _same(key: Document, response: Document, identity: str, found: Alignment) -> Alignment:
    """The alignment extended by all other mentions that have the same identity on both sides."""
    ours, theirs = places_of((key, response), identity)
    there = dict(zip(theirs, count(), strict=False))
    if not (found.key or key.repeats(identity) or len(there) < len(theirs)):  # the usual case
        partners = [*map(there.get, ours)]
        return Alignment([k for k, r in enumerate(partners) if r is not None], [r for r in partners if r is not None])
    free: dict[Hashable, list[int]] = {}
    for index in _left(response, {*found.response}):
        free.setdefault(theirs[index], []).append(index)
    found = Alignment([*found.key], [*found.response])
    for index in _left(key, {*found.key}):
        if same := free.get(ours[index]):
            found.key.append(index)
            found.response.append(same.pop(0))
    return found


def _left(document: Document, taken: set[int]) -> list[int]:
    """The mentions that are still free."""
    return [index for index in range(len(document.mentions)) if index not in taken]
