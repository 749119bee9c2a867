"""Long texts cut into windows of words: each window is a document, in which entities are scored.

Both sides are cut after their mentions were aligned. A mention is where it begins; an empty node is at the word before
it; a response mention with a twin is where its twin is, so that no pair is lost at an edge. Rules say which windows
there are, and which mentions each has:

| rule | windows of n words | mentions |
|---|---|---|
| `clean` | 0 to N − 1, N to 2N − 1, …, the last one as long as it is | each in one |
| `bookcoref` | the words between s − N and s, for s = N, 2N, … up to n, and for s = n | at cuts in none, some in two |
| `propp` | 0 to N, N to 2N, … as long as they end before n or there | each that overlaps: at a border in two |

All is done by arrays, in time that grows with the mentions and the windows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..document.document import Document, Integers, about, at_characters
from ..document.spans import word_of
from ..matching.lookup import Lookups
from ..matching.match import Alignment
from ..problems import Error
from .choices import Counting
from .metrics import Metric, Related
from .table import Aligned

_ROUNDING = 1e-9  # of a share of words that is a whole number


class Borders(NamedTuple):
    """The first and the last word of each window of a text, in order."""

    first: Integers
    last: Integers


def clean(words: int, size: int) -> Borders:
    """Windows side by side.

    >>> [*zip(*(ends.tolist() for ends in clean(5, 2)))]
    [(0, 1), (2, 3), (4, 4)]
    """
    first = np.arange(0, words, size)
    return Borders(first, np.minimum(first + size, words) - 1)


def whole(words: int, size: int) -> Borders:
    """One window."""
    return Borders(np.array([0]), np.array([words - 1]))


def bookcoref(words: int, size: int) -> Borders:
    """The windows of BookCoref's `evaluate.py`: no word at a cut is in one, and the last one overlaps that before.

    >>> [*zip(*(ends.tolist() for ends in bookcoref(5, 2)))]
    [(1, 1), (3, 3), (4, 4)]
    """
    cuts = np.append(np.arange(1, words // size + 1) * size, words)
    return Borders(cuts - size + 1, cuts - 1)


def propp(words: int, size: int) -> Borders:
    """The windows of propp, with both ends in two of them, and without the words behind the last whole one.

    >>> [*zip(*(ends.tolist() for ends in propp(5, 2)))]
    [(0, 2), (2, 4)]
    """
    first = np.arange(0, words - size + 1, size)
    return Borders(first, first + size)


RULES: dict[str, Callable[[int, int], Borders]] = {"clean": clean, "bookcoref": bookcoref, "propp": propp}


class Windows(NamedTuple):
    """Windows as documents, for each the number of the document that it is of, and its words there: `words 0-499`."""

    aligned: list[Aligned]
    documents: list[int]
    places: list[str]

    def named(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of windows, from those of their documents."""
        both = zip(self.documents, self.places, strict=True)
        return tuple(f"{names[number]}; {place}" if place else names[number] for number, place in both)


def cut(aligned: Sequence[Aligned], counting: Counting) -> Windows:
    """All documents cut as the choices say; where singletons are dropped, those that a cut makes are, too."""
    found = Windows([], [], [])
    size, rule = int(counting.window), RULES[counting.window_rule] if counting.window else whole
    for number, (key, response, lookups) in enumerate(aligned):
        _refuse_uncut(key, response)
        ours, theirs = _ends(key), _ends(response)
        for alignment in (lookups.recall, lookups.precision):
            theirs[:, alignment.response] = ours[:, alignment.key]
        words = max(len(key.words), len(response.words), *(int(ends.max(initial=-1)) + 1 for ends in (ours, theirs)))
        words = math.ceil(words * counting.prefix / 100 - _ROUNDING)
        borders = rule(words, size)
        overlapping = rule is propp  # a mention is wherever one of its words is
        sides = [
            _Cut.of(document, ends if overlapping else ends[[0, 0]], borders, counting.singletons == "drop")
            for document, ends in ((key, ours), (response, theirs))
        ]
        parts = [side.documents() for side in sides]
        found.aligned.extend(zip(*parts, _looked_up(lookups, sides[0], sides[1]), strict=True))
        found.documents.extend([number] * len(borders.first))
        ends = zip(borders.first.clip(0).tolist(), borders.last.tolist(), strict=True)
        found.places.extend(f"words {first}-{last}" if size else "" for first, last in ends)
    return found


def _ends(document: Document) -> Integers:
    """The first and the last word of each mention."""
    mentions = document.mentions
    if mentions.ends is not None:
        return np.array(mentions.ends, np.int64).reshape(-1, 2).T.clip(0)
    each = [(word_of(span[0]), word_of(span[-1])) for span in mentions.spans]
    return np.array(each, np.int64).reshape(-1, 2).T.clip(0)


class _Cut(NamedTuple):
    """One side of a document: for each mention the windows it is in, and its places in these.

    Mention m is in the windows from `first[m]` on; its copies there are numbered from `start[m]` on, and copy c is the
    mention of number `rank[c]` in its window, -1 if it is left out. `members` has the mentions of each window.
    """

    document: Document
    first: Integers
    start: Integers
    rank: Integers
    members: list[Integers]

    @classmethod
    def of(cls, document: Document, ends: Integers, borders: Borders, dropped: bool) -> _Cut:
        """The side, cut at these borders."""
        windows = len(borders.first)
        first = np.searchsorted(borders.last, ends[0])
        copies = np.maximum(np.searchsorted(borders.first, ends[1], "right") - first, 0)
        start = np.cumsum(np.append(0, copies))
        mention = np.repeat(np.arange(len(first)), copies)
        window = first[mention] + np.arange(len(mention)) - start[mention]
        order = _with_others(document, mention, window) if dropped else np.arange(len(mention))
        order = order[np.argsort(window[order], kind="stable")]
        number = np.bincount(window[order], minlength=windows)
        begin = np.cumsum(number) - number
        rank = np.full(len(mention), -1)
        rank[order] = np.arange(len(order)) - begin[window[order]]
        return cls(document, first, start, rank, np.split(mention[order], begin[1:]) if windows else [])

    def documents(self) -> list[Document]:
        """The document of each window."""
        return [self.document.of_mentions(members.tolist()) for members in self.members]


def _with_others(document: Document, mention: Integers, window: Integers) -> Integers:
    """The copies of mentions that have another mention of their entity in their window."""
    code = window * len(document.names) + np.array(document.mentions.owners)[mention]
    _, place, number = np.unique(code, return_inverse=True, return_counts=True)
    return np.flatnonzero(number[place] > 1)


def _looked_up(lookups: Lookups, key: _Cut, response: _Cut) -> list[Lookups]:
    """The lookups of each window; alignments that were one object stay one."""
    alignments = {id(each): _pairs(each, key, response) for each in lookups[:4]}
    each = [alignments[id(one)] for one in lookups[:4]]
    copies = [_copies(side, some) for side, some in zip((key, response), lookups.copies, strict=True)]
    return [
        Lookups(recall, precision, every, zeros, (ours, theirs))
        for (recall, precision, every, zeros), ours, theirs in zip(zip(*each, strict=True), *copies, strict=True)
    ]


def _pairs(alignment: Alignment, key: _Cut, response: _Cut) -> list[Alignment]:
    """The pairs of mentions that are in the same window, for each window."""
    ours, theirs = np.array(alignment.key, np.int64), np.array(alignment.response, np.int64)
    number = np.diff(key.start)[ours]
    pair = np.repeat(np.arange(len(ours)), number)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(number) - number, number)
    window = key.first[ours][pair] + step
    behind = window - response.first[theirs][pair]
    there = (behind >= 0) & (behind < np.diff(response.start)[theirs][pair])
    pair, step, window, behind = (each[there] for each in (pair, step, window, behind))
    rows, columns = key.rank[key.start[ours][pair] + step], response.rank[response.start[theirs][pair] + behind]
    kept = np.flatnonzero((rows >= 0) & (columns >= 0))
    kept = kept[np.argsort(window[kept], kind="stable")]
    borders = np.searchsorted(window[kept], np.arange(1, len(key.members)))
    parts = zip(*(np.split(each[kept], borders) for each in (rows, columns)), strict=True)
    return [Alignment(row.tolist(), column.tolist()) for row, column in parts] if key.members else []


def _copies(side: _Cut, mentions: list[int]) -> list[list[int]]:
    """The repeated mentions that do not count, in each window."""
    found: list[list[int]] = [[] for _ in side.members]
    for mention in mentions:
        for place in range(side.start[mention], side.start[mention + 1]):
            if side.rank[place] >= 0:
                found[side.first[mention] + place - side.start[mention]].append(int(side.rank[place]))
    return found


def _refuse_uncut(*sides: Document) -> None:
    """Refuse mentions that are not at words, and sets, whose members may be in other windows."""
    for document in sides:
        if at_characters(document):
            raise Error("no-positions", "positions are characters, and windows have words", document=document.id,
                        expected="mentions at words",
                        remedy="give token tables (--tokens DIR), or leave --window out")  # fmt: skip
        if len(document.mentions.opaque):
            mention = document.mentions[document.mentions.opaque[0]]
            report = about(document, remedy="leave --window out").of(document.id or None)
            message = "mentions without positions cannot be cut into windows"
            raise report.error("no-positions", message, document.line, document.text_of(mention), "mentions at words")
        if document.sets:
            raise Error("windowed-sets", "members of split antecedents may be in other windows", document=document.id,
                        expected="entities without sets", remedy="leave sets out: --split ignore")  # fmt: skip


def refuse_cut(scope: str, metrics: Iterable[Metric]) -> None:
    """Refuse to cut where documents share entities, and for metrics that are not counted on entities."""
    if scope != "document":
        raise Error("windowed-scope", f"windows of the scope {scope} would have entities of several texts",
                    expected="--scope document", remedy="leave --scope out, or --window and --prefix")  # fmt: skip
    wrong = [metric.name for metric in metrics if isinstance(metric.how, Related)]
    if wrong:
        raise Error("undefined-metric", f"{', '.join(wrong)} cannot be counted in windows",
                    expected="metrics of entities, like muc and b3", remedy="choose other metrics")  # fmt: skip
