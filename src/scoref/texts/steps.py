"""The steps of an alignment of two texts: their numbers, sizes and costs; the texts as numbers, ready to compare.

Two words are *similar* if their Levenshtein distance is at most half of the longer one; many are compared at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # first key word and piece, end (excluded) of key words and pieces

KINDS = ("same", "respelt", "regrouped", "similar", "missing", "added")
GROUP = 4  # a regrouped step has at most so many words on a side
GROUPED = [(s, t) for s in range(1, GROUP + 1) for t in range(1, GROUP + 1) if s * t > 1]

# A step is a number; of steps that lead to the same cost, the smallest number is taken.
SAME, RESPELT = 0, 1
REGROUPED = {sizes: number for number, sizes in enumerate(GROUPED, 2)}
SIMILAR, MISSING, ADDED = 17, 18, 19

KIND = np.array([0, 1, *[2] * len(GROUPED), 3, 4, 5])
KEY_WORDS = np.array([1, 1, *[s for s, _ in GROUPED], 1, 1, 0])
PIECES = np.array([1, 1, *[t for _, t in GROUPED], 1, 0, 1])
COST = np.array([0, 1, *[1] * len(GROUPED), 4, 3, 3])
CHEAP = 1  # the cost of a missing or added word at an end

_BITS = 64  # a word of more characters is compared in plain Python
_BLOCK = 1 << 14  # pairs compared at a time, so that they fit the processor's cache
_PATTERNS = 256  # about so many different first words among these pairs

_SINGLE = str.maketrans(
    {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’`", "'"), **dict.fromkeys("–—‑", "-"), "…": "..."}
)
_BRACKETS = dict(zip(("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"), "()[]{}", strict=True))
_BRACKET = re.compile("|".join(_BRACKETS))


@lru_cache(1 << 16)
def norm(word: str) -> str:
    """A word without differences that do not matter: forms of quotes, dashes and brackets, full width, case.

    >>> norm("“"), norm("``"), norm("-LRB-"), norm("Ｌｅｅｄｓ"), norm("Don’t")
    ('"', '"', '(', 'leeds', "don't")
    """
    return word.lower() if word.isascii() and word.isalnum() else spelt(word).casefold()


def spelt(word: str) -> str:
    """A word with one form of quotes, dashes and brackets, and no full width; its case is kept.

    >>> spelt("“"), spelt("-LRB-"), spelt("Ｌｅｅｄｓ")
    ('"', '(', 'Leeds')
    """
    if word.isascii() and word.isalnum():
        return word
    plain = word.replace("``", '"').replace("''", '"').translate(_SINGLE)
    plain = _BRACKET.sub(lambda found: _BRACKETS[found[0]], plain)
    return unicodedata.normalize("NFKC", plain)


class Lexicon(NamedTuple):
    """Distinct words; `letters` has a row for each place in a word, with the number of its character (from 1)."""

    words: Sequence[str]
    lengths: Integers
    letters: Integers
    alphabet: int


def lexicon(words: Sequence[str]) -> Lexicon:
    """The words, ready to be compared."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    joined = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    alphabet, numbers = np.unique(joined, return_inverse=True)
    letters = np.zeros((min(int(lengths.max(initial=0)), _BITS), len(words)), np.int64)
    owners = np.repeat(np.arange(len(words)), lengths)
    places = np.arange(len(joined)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    short = places < _BITS
    letters[places[short], owners[short]] = numbers[short] + 1
    return Lexicon(words, lengths, letters, len(alphabet) + 1)


def similar(among: Lexicon, first: Integers, second: Integers) -> Flags:
    """For each pair of words, given by their numbers, whether they are similar; fastest if sorted by the first.

    >>> among = lexicon(["plumber", "plumbr", "tap", "pat"])
    >>> similar(among, np.array([0, 0, 2]), np.array([1, 2, 3])).tolist()
    [True, False, False]
    """
    sizes = among.lengths[first], among.lengths[second]
    longer = np.maximum(*sizes)
    limit = longer // 2
    found = (longer - np.minimum(*sizes) <= limit) & (limit > 0)
    for place in np.flatnonzero(found & (longer > _BITS)).tolist():
        found[place] = _distance(among.words[first[place]], among.words[second[place]]) <= limit[place]
    asked = np.flatnonzero(found & (longer <= _BITS))
    changes = np.concatenate([[0], np.cumsum(np.diff(first[asked]) != 0)])[: len(asked)]
    block = np.maximum(changes // _PATTERNS, np.arange(len(asked)) // _BLOCK)
    for some in np.split(asked, 1 + np.flatnonzero(np.diff(block))):
        if len(some):
            longest = some[np.argsort(-among.lengths[second[some]].astype(np.int8), kind="stable")]
            found[longest] = _distances(among, first[longest], second[longest]) <= limit[longest]
    return found


def _distances(among: Lexicon, pattern: Integers, text: Integers) -> Integers:
    """Levenshtein distances of pairs, longest text first, by the bit vectors of Myers (1999) and Hyyrö (2003)."""
    sizes, lengths = among.lengths[pattern], among.lengths[text]
    most = int(sizes.max())
    kind = next(kind for bits, kind in ((16, np.uint16), (32, np.uint32), (64, np.uint64)) if most <= bits)
    one = kind(1)
    distinct, owner = np.unique(pattern, return_inverse=True)
    masks = np.zeros(len(distinct) * among.alphabet, kind)  # at which places of a pattern a letter is
    owner, bases = owner * among.alphabet, np.arange(len(distinct)) * among.alphabet
    for bit in range(most):
        masks[bases + among.letters[bit, distinct]] |= one << kind(bit)
    plus, minus = np.full(len(pattern), ~kind(0)), np.zeros(len(pattern), kind)
    last = np.left_shift(one, (sizes - 1).astype(kind))
    score = sizes.copy()
    for place in range(int(lengths[0])):
        count = int(np.searchsorted(-lengths, -place))  # how many texts are longer than this
        plus, minus = plus[:count], minus[:count]
        equal = masks[owner[:count] + among.letters[place, text[:count]]]
        vertical = equal | minus
        horizontal = (((equal & plus) + plus) ^ plus) | equal
        up, down = minus | ~(horizontal | plus), plus & horizontal
        score[:count] += (up & last[:count]) != 0
        score[:count] -= (down & last[:count]) != 0
        up, down = (up << one) | one, down << one
        plus, minus = down | ~(vertical | up), up & vertical
    return score


def _distance(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for number, letter in enumerate(first, 1):
        above, row[0] = row[0], number
        for place, other in enumerate(second, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (letter != other))
    return row[-1]


class NumberedText(NamedTuple):
    """One of the two texts, as numbers: equal strings have equal numbers.

    `words` has a number for each word, `norms` one for its norm, and `groups[s]` one for the joined norms of s words
    from there on, negative where the text ends before.
    """

    words: Integers
    norms: Integers
    groups: list[Integers]


class NumberedTexts(NamedTuple):
    """The words of the key, the pieces of the other text, and the distinct norms of both."""

    key: NumberedText
    pieces: NumberedText
    among: Lexicon


def numbered_texts(key: Sequence[str], pieces: Sequence[str]) -> NumberedTexts:
    """Both texts, ready to be aligned."""
    words = _numbers([*key, *pieces])
    known = [norm(word) for word in words]
    among = _numbers(known)
    norm_of = np.fromiter(map(among.__getitem__, known), np.int64, len(known))
    distinct = lexicon([*among])
    numbers = [np.fromiter(map(words.__getitem__, side), np.int64, len(side)) for side in (key, pieces)]
    norms = [norm_of[side] for side in numbers]
    groups = _groups(distinct, norms)
    sides = [NumberedText(*side) for side in zip(numbers, norms, groups, strict=True)]
    return NumberedTexts(sides[0], sides[1], distinct)


def _numbers(words: Sequence[str]) -> dict[str, int]:
    return dict(zip(dict.fromkeys(words), count(), strict=False))


def _groups(among: Lexicon, sides: list[Integers]) -> list[list[Integers]]:
    """For each text the numbers of the norms of 0, 1, ... words, joined."""
    known: dict[str, int] = {}
    found = []
    for which, side in enumerate(sides):
        norms = [among.words[number] for number in side.tolist()]
        groups = []
        for size in range(GROUP + 1):
            strings = map("".join, zip(*(norms[start:] for start in range(size)), strict=False))
            numbers = [known.setdefault(string, len(known)) for string in strings]
            padding = [-1 - which] * (len(side) - len(numbers))
            groups.append(np.array(numbers + padding, np.int64))
        found.append(groups)
    return found


def corners(codes: Codes, box: Box) -> tuple[Integers, Integers]:
    """The key words and the pieces before each step, and behind the last one."""
    return tuple(  # type: ignore[return-value]
        np.concatenate([[start], start + np.cumsum(sizes[codes])])
        for start, sizes in ((box[0], KEY_WORDS), (box[1], PIECES))
    )


def costs(codes: Codes, box: Box, words: int, pieces: int) -> Integers:
    """The cost of each step through a box; missing and added words are cheap at the ends of the other text."""
    i, j = (places[:-1] for places in corners(codes, box))
    cheap = ((codes == MISSING) & ((j == 0) | (j == pieces))) | ((codes == ADDED) & ((i == 0) | (i == words)))
    return np.where(cheap, CHEAP, COST[codes])
