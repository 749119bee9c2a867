"""Heads of mentions from the dependency trees of a document, as the block `corefud.MoveHead` of udapi finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from .document import Document
from .spans import EMPTY, position, word_of

_ROOT, _NOWHERE = -1, -2
_DIGITS = 12  # longer numbers are of no word
_OUTSIDE = "a word with a parent that its sentence does not have"
_CIRCLE = "a word that depends on itself, by way of others or at once"


class Trees(NamedTuple):
    """The dependency trees of a document: for each word its parent, and its parents in the enhanced graph.

    `wrong` says which words have a parent that cannot be one, and why; they count as roots, so that no word depends on
    itself.
    """

    parents: list[int]
    enhanced: list[list[int]]
    wrong: dict[int, str]

    @classmethod
    def of(cls, document: Document) -> Trees | None:
        """The trees in the columns HEAD and DEPS; None if some word has none."""
        cells = document.columns.get("HEAD", ())
        if not cells or len(cells) != len(document.words) or not all(cell.isdecimal() for cell in cells):
            return None
        graph = document.columns.get("DEPS") or ["_"] * len(cells)
        trees = cls([], [], {})
        for start, end in pairwise(sorted({0, *document.sentences, len(cells)})):
            trees.parents.extend(_parent(cell, start, end) for cell in cells[start:end])
            trees._make_roots(start, end)
            for word, edges in enumerate(graph[start:end], start):
                found = [trees.parents[word]] if edges == "_" else _parents(edges, start, end)
                if _NOWHERE in found:
                    trees.wrong.setdefault(word, _OUTSIDE)
                trees.enhanced.append([_ROOT if parent == _NOWHERE else parent for parent in found])
        return trees

    def _make_roots(self, start: int, end: int) -> None:
        """Make roots of the words of a sentence whose parent is outside of it, and of the first word of each circle."""
        for word in range(start, end):
            if self.parents[word] == _NOWHERE:
                self.parents[word], self.wrong[word] = _ROOT, _OUTSIDE
        done: set[int] = set()
        for word in range(start, end):
            way: list[int] = []
            above = word
            while above != _ROOT and above not in done:
                done.add(above)
                way.append(above)
                above = self.parents[above]
            if above in way:
                first = min(way[way.index(above) :])
                self.parents[first], self.wrong[first] = _ROOT, _CIRCLE

    def head(self, span: Sequence[int]) -> int:
        """The highest word of a mention: the one whose parent is outside of it.

        Of several such words it is the one that has no parent inside in the enhanced graph; then the one that all
        others depend on; then the first. Empty nodes are heads only of mentions that have no words.
        """
        words = [word_of(place) for place in span if not place & EMPTY]
        if not words:
            return span[0]
        inside = {*words}
        tops = [word for word in words if self.parents[word] not in inside]
        if len(tops) > 1:
            tops = self._outside(tops, inside) or words[:1]
        return position(next((top for top in tops if all(top in self._above(word) for word in tops)), tops[0]))

    def _outside(self, words: list[int], inside: set[int]) -> list[int]:
        """The words without enhanced parents inside of the mention; if there are none, those with one outside."""
        within = {word: [parent in inside for parent in self.enhanced[word]] for word in words}
        return [word for word in words if not any(within[word])] or [word for word in words if not all(within[word])]

    def _above(self, word: int) -> set[int]:
        """The word and all that it depends on."""
        seen: set[int] = set()
        while word != _ROOT:
            seen.add(word)
            word = self.parents[word]
        return seen


def _parent(cell: str, start: int, end: int) -> int:
    """The word that a number of a sentence means: -1 for the root, -2 if the sentence has no such word.

    >>> [_parent(cell, 10, 13) for cell in ("1", "3", "0", "4", "9" * 5000)]
    [10, 12, -1, -2, -2]
    """
    number = int(cell) if len(cell) <= _DIGITS else end + 1
    return _ROOT if not number else start + number - 1 if number <= end - start else _NOWHERE


def _parents(edges: str, start: int, end: int) -> list[int]:
    """The parents in a cell of DEPS, as words of the document, -1 for the root; empty nodes count as the root.

    >>> _parents("2:nsubj|4.1:obj|0:root|5:dep", 10, 14)
    [11, -1, -1, -2]
    """
    cells = [edge.partition(":")[0] for edge in edges.split("|")]
    return [_parent(cell, start, end) if cell.isdecimal() else _ROOT for cell in cells]


def lacks_heads(document: Document) -> bool:
    """Whether there is a mention with positions whose head is not known."""
    mentions = document.mentions
    return None in mentions.heads and any(
        head is None and span for head, span in zip(mentions.heads, mentions.spans, strict=True)
    )


def with_heads(document: Document, trees: Trees | None) -> Document:
    """The document with the heads that the trees give its mentions; without trees, none has a head."""
    heads = [trees.head(span) if trees and span else None for span in document.mentions.spans]
    pairs = zip(document.mentions, heads, strict=True)
    return replace(document, mentions=[mention._replace(head=head) for mention, head in pairs])
