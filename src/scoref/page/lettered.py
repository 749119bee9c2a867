"""Numbers as letters, the way in which a page has columns of mentions: short, and fast to write and to read.

A number is one letter or several: six bits each, the lowest five first, of which the sixth says that more follow. The
lowest bit of all is the sign. What grows in a column is written as steps from one number to the next, which are small.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import sub

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_MORE = 32


class _Letters(dict[int, str]):
    """The letters of each number, found once."""

    def __missing__(self, number: int) -> str:
        rest, found = abs(number) << 1 | (number < 0), ""
        while rest >= _MORE:
            found += _ALPHABET[rest % _MORE + _MORE]
            rest //= _MORE
        self[number] = found = found + _ALPHABET[rest]
        return found


_KNOWN = _Letters()


def lettered(numbers: Iterable[int]) -> str:
    """Numbers as letters.

    >>> lettered([0, 1, -1, 15, 16])
    'ACDegB'
    """
    return "".join(map(_KNOWN.__getitem__, numbers))


def stepped(numbers: list[int]) -> str:
    """Numbers as the letters of their steps, the first of them from 0.

    >>> stepped([7, 7, 9, 8]) == lettered([7, 0, 2, -1])
    True
    """
    return lettered(map(sub, numbers, chain((0,), numbers)))


def found_once(numbers: Iterable[int]) -> str:
    """Numbers of which each occurs once, or -1, as letters: the step from the last one before, or 0 for -1.

    >>> found_once([0, 1, -1, 4, 2]) == lettered([1, 1, 0, 3, -2])
    True
    """
    steps, last = [], -1
    for number in numbers:
        steps.append(number - last if number >= 0 else 0)
        last = number if number >= 0 else last
    return lettered(steps)
