"""Aligns the words of a key with the pieces of a text that should be the same, and moves mentions along.

A text that a language model wrote down again loses words, gains some, spells others in another way, and is cut into
words in its own way. An alignment is a sequence of steps over both sides, from left to right:

- *same* (1 word, 1 piece, cost 0): equal strings
- *respelt* (1, 1, cost 1): equal norms
- *regrouped* (up to 4, up to 4, cost 1): the norms make the same string when joined
- *similar* (1, 1, cost 4): the Levenshtein distance of the norms is at most half of the longer one
- *missing* (1, 0, cost 3; 1 before the first piece and behind the last)
- *added* (0, 1, cost 3; 1 before the first word and behind the last)

The steps of least total cost are taken; of several such sequences the one that has the earlier kind in this list where
they first differ (and fewer words, then fewer pieces, where both regroup). The result is exact, or it is an error:
long texts that have next to nothing in common, or that repeat themselves, leave too much of the table to be computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..problems import Error
from . import steps
from .costs import solve
from .cuts import boxes_between, cuts, replaced
from .steps import KINDS, Box, Codes, Integers, NumberedTexts, corners, costs, norm, numbered_texts

__all__ = ["KINDS", "Drift", "Step", "align", "norm", "place"]

_TABLE = 1 << 14  # a table of at most so many cells is computed as a whole
MOST = 1 << 29  # cells of larger tables that are computed for a pair of texts: about a minute


class Step(NamedTuple):
    """A step of an alignment: its kind, the first key word and how many, the first piece and how many."""

    kind: str
    key: int
    words: int
    piece: int
    pieces: int


@dataclass(frozen=True, eq=False)
class Drift:
    """How a text differs from a key.

    `words` and `pieces` are the sizes of key and text. `first` and `last` hold the first and the last key word of each
    piece, -1 for a piece that was added; `codes` are the numbers of the steps, `cost` is their total cost.
    """

    words: int
    pieces: int
    codes: Codes
    cost: int
    first: Integers
    last: Integers

    @property
    def steps(self) -> Iterator[Step]:
        """The steps, from left to right."""
        key, pieces = corners(self.codes, (0, 0, self.words, self.pieces))
        columns = steps.KIND[self.codes], key[:-1], np.diff(key), pieces[:-1], np.diff(pieces)
        for kind, *places in zip(*(column.tolist() for column in columns), strict=True):
            yield Step(KINDS[kind], *places)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many steps there are of each kind."""
        return dict(zip(KINDS, np.bincount(steps.KIND[self.codes], minlength=len(KINDS)).tolist(), strict=True))

    @cached_property
    def aligned(self) -> Integers:
        """The pieces that belong to words of the key."""
        return np.flatnonzero(self.first >= 0)

    @property
    def changed(self) -> bool:
        """Whether the texts differ at all."""
        return self.counts["same"] < len(self.codes)

    @property
    def share(self) -> float:
        """The share of the key's words that are aligned; 1 if there are none."""
        return 1 - self.counts["missing"] / self.words if self.words else 1.0

    @property
    def missing_at_end(self) -> int:
        """How many key words are missing at the end, where the text was cut off."""
        others = np.flatnonzero(self.codes != steps.MISSING)
        return len(self.codes) - 1 - int(others[-1]) if len(others) else len(self.codes)


def align(key: Sequence[str], pieces: Sequence[str]) -> Drift:
    """Aligns the words of a key with the pieces of a text.

    >>> drift = align("She could n't find him .".split(), "Here : She couldn't find".split())
    >>> [step.kind for step in drift.steps]
    ['added', 'added', 'same', 'regrouped', 'same', 'missing', 'missing']
    >>> drift.cost, drift.missing_at_end, round(drift.share, 2)
    (5, 2, 0.67)

    Raises an error if more than `MOST` cells of the table would have to be computed.
    """
    both = numbered_texts(key, pieces)
    box = (0, 0, len(key), len(pieces))
    codes, _ = _way(both, box, MOST)
    cost = int(costs(codes, box, len(key), len(pieces)).sum())
    return Drift(len(key), len(pieces), codes, cost, *_placed(both, codes))


def place(drift: Drift, first: int, last: int) -> tuple[int, int] | None:
    """The first and the last key word of the pieces from `first` to `last`; None if no key word is aligned with them.

    Words missing in between are included, words missing at the borders are not. A part of a word counts as the word.

    >>> drift = align("Ada could n't find him".split(), ["Ada", "couldn", "'t", "ever", "find", "him"])
    >>> place(drift, 1, 1), place(drift, 2, 4), place(drift, 3, 3)
    ((1, 2), (2, 3), None)
    """
    begin, end = np.searchsorted(
        drift.aligned, (first, last + 1)
    ).tolist()  # an alignment never goes back, so the first and last are enough
    if begin == end:
        return None
    return int(drift.first[drift.aligned[begin]]), int(drift.last[drift.aligned[end - 1]])


def _way(both: NumberedTexts, box: Box, most: int) -> tuple[Codes, int]:
    """The best steps through a box: by its table, or by smaller boxes between corners that are certain.

    Also gives how many cells are left of `most`.
    """
    area = _area(box)
    if np.array_equal(both.key.words[box[0] : box[2]], both.pieces.words[box[1] : box[3]]):
        return np.full(box[2] - box[0], steps.SAME, np.uint8), most
    if area <= _TABLE:
        return solve(both, [box])[0], most
    codes, certain = cuts(both, box)
    found = list(boxes_between(codes, certain, box))
    inner = [box for _, box in found]
    large = {number for number, part in enumerate(inner) if _TABLE < _area(part) <= area // 2}
    whole = [part for number, part in enumerate(inner) if number not in large]
    most -= sum(cells for cells in map(_area, whole) if cells > _TABLE)
    if most < 0:
        raise _too_large(max(whole, key=_area))
    ways, parts = iter(solve(both, whole)), []
    for number, part in enumerate(inner):
        way, most = _way(both, part, most) if number in large else (next(ways), most)
        parts.append(way)
    return replaced(codes, [span for span, _ in found], parts), most


def _too_large(box: Box) -> Error:
    words, pieces = box[2] - box[0], box[3] - box[1]
    message = (f"{words:,} words of the key from word {box[0] + 1:,} on, and {pieces:,} words of the text from word"
               f" {box[1] + 1:,} on, have nothing that can be put side by side for sure")  # fmt: skip
    return Error("too-long-to-align", message, expected="words in the key's order, most of which are not repeated",
                 remedy="check that it is the same document; give long texts in parts, a document each")  # fmt: skip


def _area(box: Box) -> int:
    return (box[2] - box[0] + 1) * (box[3] - box[1] + 1)


def _placed(both: NumberedTexts, codes: Codes) -> tuple[Integers, Integers]:
    """The first and last key word of each piece; in a regrouped step, of the words that share characters with it."""
    key, pieces = (places[:-1] for places in corners(codes, (0, 0, 0, 0)))
    first, last = np.full((2, len(both.pieces.words)), -1)
    single = (steps.KEY_WORDS[codes] == 1) & (steps.PIECES[codes] == 1)
    first[pieces[single]] = last[pieces[single]] = key[single]
    regrouped = np.flatnonzero(steps.KIND[codes] == KINDS.index("regrouped"))
    sizes = steps.PIECES[codes[regrouped]]
    owner = np.repeat(regrouped, sizes)
    some = pieces[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    words, parts = (
        np.concatenate([[0], np.cumsum(both.among.lengths[side.norms])]) for side in (both.key, both.pieces)
    )
    begin = words[key[owner]] + parts[some] - parts[pieces[owner]]
    end = begin + parts[some + 1] - parts[some]
    filled = end > begin
    first[some[filled]] = np.searchsorted(words, begin[filled], "right") - 1
    last[some[filled]] = np.searchsorted(words, end[filled], "left") - 1
    return first, last
