"""The steps of an alignment of two texts: their numbers, sizes and costs, and what is known of the words for them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .similarity import Lexicon, lexicon

Integers = NDArray[np.int64]
Codes = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # key words and pieces before it, key words and pieces before its end

KINDS = ("same", "respelt", "regrouped", "similar", "missing", "added")
GROUP = 4  # words that a regrouped step has at most on a side
GROUPED = [(s, t) for s in range(1, GROUP + 1) for t in range(1, GROUP + 1) if s * t > 1]

# A step is a number; of steps that lead to the same cost, the smallest is taken.
SAME, RESPELT = 0, 1
REGROUPED = {sizes: number for number, sizes in enumerate(GROUPED, 2)}
SIMILAR, MISSING, ADDED = 17, 18, 19

KIND = np.array([0, 1, *[2] * len(GROUPED), 3, 4, 5])
KEY_WORDS = np.array([1, 1, *[s for s, _ in GROUPED], 1, 1, 0])
PIECES = np.array([1, 1, *[t for _, t in GROUPED], 1, 0, 1])
COST = np.array([0, 1, *[1] * len(GROUPED), 4, 3, 3])
CHEAP = 1  # a missing or added word at an end

_MULTIPLIER = 0xD1342543DE82EF95

_SINGLE = str.maketrans(
    {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’`", "'"), **dict.fromkeys("–—‑", "-"), "…": "..."}
)
_BRACKETS = dict(zip(("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"), "()[]{}", strict=True))
_BRACKET = re.compile("|".join(_BRACKETS))


@lru_cache(1 << 16)
def norm(word: str) -> str:
    """A word without what often changes on the way: forms of quotes, dashes and brackets, widths, case.

    >>> norm("“"), norm("``"), norm("-LRB-"), norm("Ｌｅｅｄｓ"), norm("Don’t")
    ('"', '"', '(', 'leeds', "don't")
    """
    if word.isascii() and word.isalnum():
        return word.lower()
    plain = word.replace("``", '"').replace("''", '"').translate(_SINGLE)
    plain = _BRACKET.sub(lambda found: _BRACKETS[found[0]], plain)
    return unicodedata.normalize("NFKC", plain).casefold()


class Side(NamedTuple):
    """One of the two texts, as numbers.

    `words` has a number for each word, `norms` one for its norm; `groups[s]` one for the norms of s words from there
    on, joined: equal strings have equal numbers. It is negative where the text ends before, or where the other text
    has no such string.
    """

    words: Integers
    norms: Integers
    groups: list[Integers]


class Texts(NamedTuple):
    """The key's words, the pieces of a text, and the distinct norms of both."""

    key: Side
    pieces: Side
    among: Lexicon


def texts(key: Sequence[str], pieces: Sequence[str], exact: bool = False) -> Texts:
    """Both texts, ready to be aligned.

    Numbers of joined norms are hashes, fast to make; if they have to be `exact`, different strings never share one.
    """
    words = _numbers([*key, *pieces])
    known = [norm(word) for word in words]
    among = _numbers(known)
    norm_of = np.fromiter(map(among.__getitem__, known), np.int64, len(known))
    distinct = lexicon([*among])
    numbers = [np.fromiter(map(words.__getitem__, side), np.int64, len(side)) for side in (key, pieces)]
    norms = [norm_of[side] for side in numbers]
    groups = _joined(distinct, norms) if exact else _hashed(distinct, norms)
    sides = [Side(*side) for side in zip(numbers, norms, groups, strict=True)]
    return Texts(sides[0], sides[1], distinct)


def joined(both: Texts, side: Side, first: int, count: int) -> str:
    """The norms of some words, joined."""
    return "".join(both.among.words[number] for number in side.norms[first : first + count].tolist())


def _numbers(words: Sequence[str]) -> dict[str, int]:
    return dict(zip(dict.fromkeys(words), count(), strict=False))


def _joined(among: Lexicon, sides: list[Integers]) -> list[list[Integers]]:
    """The numbers of joined norms, by comparing the strings."""
    known: dict[str, int] = {}
    found = []
    for which, side in enumerate(sides):
        norms = [among.words[number] for number in side.tolist()]
        groups = []
        for size in range(GROUP + 1):
            strings = map("".join, zip(*(norms[start:] for start in range(size)), strict=False))
            numbers = [known.setdefault(string, len(known)) for string in strings]
            groups.append(_padded(np.array(numbers, np.int64), len(side), -1 - which))
        found.append(groups)
    return found


def _hashed(among: Lexicon, sides: list[Integers]) -> list[list[Integers]]:
    """The numbers of joined norms, as polynomials of their characters."""
    letters = np.frombuffer("".join(among.words).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    letters = (letters + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    letters ^= letters >> np.uint64(31)
    powers = np.full(int(among.lengths.max(initial=0)) + 1, _MULTIPLIER, np.uint64)
    powers[0] = 1
    powers = np.cumprod(powers)
    ends = np.cumsum(among.lengths)
    left = np.repeat(ends, among.lengths) - np.arange(len(letters)) - 1  # letters behind in the word
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(letters * powers[left])])
    hashes, shifts = sums[ends] - sums[ends - among.lengths], powers[among.lengths]
    found = []
    for which, side in enumerate(sides):
        single, shift = hashes[side], shifts[side]
        group = np.zeros(len(side) + 1, np.uint64)
        groups = [np.zeros(0, np.int64)]
        for size in range(1, GROUP + 1):
            group = group[:-1] * shift[size - 1 :] + single[size - 1 :]
            groups.append(_padded((group >> np.uint64(2)).astype(np.int64), len(side), -1 - which))
        found.append(groups)
    return found


def _padded(numbers: Integers, length: int, fill: int) -> Integers:
    return np.pad(numbers, (0, length - len(numbers)), constant_values=fill)


def corners(codes: Codes, box: Box) -> tuple[Integers, Integers]:
    """The key words and the pieces before each step, and behind the last one."""
    return tuple(  # type: ignore[return-value]
        np.concatenate([[start], start + np.cumsum(sizes[codes])])
        for start, sizes in ((box[0], KEY_WORDS), (box[1], PIECES))
    )


def costs(codes: Codes, box: Box, words: int, pieces: int) -> Integers:
    """What each of the steps through a box costs; missing and added words are cheap at the ends of the other text."""
    i, j = (places[:-1] for places in corners(codes, box))
    cheap = ((codes == MISSING) & ((j == 0) | (j == pieces))) | ((codes == ADDED) & ((i == 0) | (i == words)))
    return np.where(cheap, CHEAP, COST[codes])
