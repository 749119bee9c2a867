"""Which pairs of words are similar: their Levenshtein distance is at most half of the longer one, for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_BITS = 64  # a word of more characters is compared in plain Python
_BLOCK = 1 << 14  # pairs at a time, so that they stay in the cache
_PATTERNS = 256  # different first words of these, about


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
    """For each pair of numbers of different words, whether the words are similar; fastest if sorted by the first.

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
    masks = np.zeros(len(distinct) * among.alphabet, kind)  # where in a pattern a letter is
    owner, bases = owner * among.alphabet, np.arange(len(distinct)) * among.alphabet
    for bit in range(most):
        masks[bases + among.letters[bit, distinct]] |= one << kind(bit)
    plus, minus = np.full(len(pattern), ~kind(0)), np.zeros(len(pattern), kind)
    last = np.left_shift(one, (sizes - 1).astype(kind))
    score = sizes.copy()
    for place in range(int(lengths[0])):
        count = int(np.searchsorted(-lengths, -place))  # texts that go on
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
