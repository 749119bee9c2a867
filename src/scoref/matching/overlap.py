"""How many positions mentions share, for many pairs at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy

import numpy as np

from ..document.document import Document, Flags, Floats, Integers, position
from ..document.spans import is_stretch

_WORD = position(1)


class Spans:
    """Spans by their numbers, as arrays of ends and sizes."""

    def __init__(self, spans: Mapping[int, Sequence[int]]) -> None:
        number = max(spans, default=-1) + 1
        self._spans = spans
        self._sets: dict[int, set[int]] = {}
        self._first, self._last, self.size = (np.zeros(number, np.int64) for _ in range(3))
        self._broken = np.zeros(number, np.bool_)
        some = [*spans]
        self._first[some] = [span[0] for span in spans.values()]
        self._last[some] = [span[-1] for span in spans.values()]
        self.size[some] = [*map(len, spans.values())]
        self._broken[some] = [not is_stretch(span) for span in spans.values()]

    @classmethod
    def of(cls, document: Document, indices: Iterable[int]) -> Spans:
        """The spans of some mentions."""
        mentions = document.mentions
        if mentions.ends is None:
            return cls({index: mentions.span(index) for index in dict.fromkeys(indices)})
        spans = cls({})
        first, last = np.frombuffer(mentions.ends, np.intc).reshape(-1, 2).T.astype(np.int64)
        spans._first, spans._last, spans.size = first * _WORD, last * _WORD, last - first + 1
        spans._broken = np.zeros(len(first), np.bool_)
        return spans

    def _set(self, index: int) -> set[int]:
        if index not in self._sets:
            whole = range(int(self._first[index]), int(self._last[index]) + 1, _WORD)
            self._sets[index] = set(self._spans[index] if self._broken[index] else whole)
        return self._sets[index]

    def shared(self, other: Spans, ours: Integers, theirs: Integers) -> Integers:
        """How many positions each span of `ours` shares with the span of `theirs` at the same index.

        >>> few = Spans({0: (256, 512, 768), 1: (256, 768)})
        >>> few.shared(few, np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
        [3, 2, 2]
        """
        ends = np.minimum(self._last[ours], other._last[theirs]) - np.maximum(self._first[ours], other._first[theirs])
        shared: Integers = np.maximum(ends // _WORD + 1, 0)
        for number in np.flatnonzero(self._broken[ours] | other._broken[theirs]).tolist():
            shared[number] = len(self._set(int(ours[number])) & other._set(int(theirs[number])))
        return shared

    def first_shared(self, other: Spans, ours: Integers, theirs: Integers) -> Integers:
        """The first position that the two spans of each pair share; there must be one."""
        first: Integers = np.maximum(self._first[ours], other._first[theirs])
        for number in np.flatnonzero(self._broken[ours] | other._broken[theirs]).tolist():
            first[number] = min(self._set(int(ours[number])) & other._set(int(theirs[number])))
        return first


class Candidates:
    """Mentions of key and response that may be the same: how long they are, how many places they share.

    `rivals` are the response mentions that compete for each key mention.
    """

    def __init__(self, key: Document, response: Document, rivals: Iterable[tuple[int, Sequence[int]]]) -> None:
        rows: list[int] = []
        columns: list[int] = []
        for index, others in rivals:
            rows += [index] * len(others)
            columns += others
        self.row, self.column = np.array(rows, np.int64), np.array(columns, np.int64)
        self.ours, self.theirs = Spans.of(key, rows), Spans.of(response, columns)
        self.shared = self.ours.shared(self.theirs, self.row, self.column)
        self.key_size, self.response_size = self.ours.size[self.row], self.theirs.size[self.column]

    def some(self, which: Flags) -> Candidates:
        """Only the marked pairs."""
        marked = copy(self)
        for name in ("row", "column", "shared", "key_size", "response_size"):
            setattr(marked, name, getattr(self, name)[which])
        return marked

    @property
    def likeness(self) -> Floats:
        """The positions that the two of each pair share, of all that one of them has (Jaccard)."""
        found: Floats = self.shared / (self.key_size + self.response_size - self.shared)
        return found

    def in_order(self) -> Integers:
        """The numbers of the pairs, sorted by key mention, first shared position and response mention."""
        return np.lexsort((self.column, self.ours.first_shared(self.theirs, self.row, self.column), self.row))


def mentions_at(document: Document, free: list[int], wanted: Collection[int]) -> dict[int, list[int]]:
    """The free mentions that cover each of the wanted positions.

    >>> from scoref import Mention
    >>> text = Document("tap", mentions=(Mention.at(0, 0, "Ada"), Mention.at(0, 4, "tap")))
    >>> mentions_at(text, [0, 1], {position(0), position(2)})
    {0: [0, 1], 512: [1]}
    """
    at: dict[int, list[int]] = {}
    places, known = sorted(wanted), frozenset(wanted)
    for index in free:
        span = document.mentions.span(index)
        if len(span) > 1 and is_stretch(span):
            inside = places[bisect_left(places, span[0]) : bisect_left(places, span[-1] + 1)]
            here = [place for place in inside if not place % _WORD]
        else:
            here = [place for place in span if place in known]
        for place in here:
            at.setdefault(place, []).append(index)
    return at


def overlapping(key: Document, response: Document) -> Candidates:
    """All pairs of mentions that share a position.

    >>> from scoref import Mention
    >>> one, other = (Document("tap", mentions=(Mention.at(0, last, "Ada"),)) for last in (1, 3))
    >>> overlapping(one, other).likeness.tolist()
    [0.5]
    """
    spans = key.mentions.spans
    at = mentions_at(response, [*range(len(response.mentions))], {place for span in spans for place in span})
    near = ([*dict.fromkeys(index for place in span for index in at.get(place, ()))] for span in spans)
    return Candidates(key, response, enumerate(near))
