"""Which words of a text stand in quotation marks, in the conventions of several languages.

| opened by | closed by | for example |
|---|---|---|
| “ | ” | English, Chinese |
| „ or ‚ | “ ” ‟ or ‘ ’ | German, Czech, Polish, Hungarian, Romanian |
| « or ‹ | » or › | French, Russian, Spanish, Norwegian |
| » or › | « or ‹, or the same mark | German and Danish books, Finnish, Swedish |
| ” | ” | Finnish, Swedish |
| 「 『 | 」 』 | Japanese |
| `` or " | '' or " | the Penn Treebank, plain text |
| ‘ or ` | ’ or ', behind punctuation | English books; elsewhere the mark is an apostrophe |

Marks that open in one convention close in another: where a text has „, neither “ nor ” opens, where it has “, ” does
not; of « and » the one that comes first opens. A mark that opens and is closed by none within `LONGEST` words is passed
over: it is a slip, and must not turn the rest of a text inside out. Speech that only a dash introduces is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST = 1000  # words of a speech; that is three pages

_CLOSED_BY = {
    "“": "”", "„": "“”‟", "‚": "‘’", "«": "»", "‹": "›", "»": "«»", "›": "‹›", "”": "”", "「": "」", "『": "』",
    "``": ("''", '"'), '"': ('"', "''"), "‘": "’", "`": "'",
}  # fmt: skip
_MARK = re.compile("``|''|[\"“”„‟‚‘’«»‹›「」『』`']")
_PUNCTUATION = re.compile(r"[^\w\s]$")
_APOSTROPHES = "’'"
_SINGLE = "‘`‚"


class QuotationMark(NamedTuple):
    """A quotation mark: its sign, the number of its word, and whether letters stand before and behind it in there."""

    sign: str
    word: int
    before: bool
    behind: bool


def quoted(words: Sequence[str]) -> NDArray[np.bool_]:
    """For each word whether it stands in quotation marks.

    >>> quoted("She said : “ I 'll phone . ” He left".split()).nonzero()[0].tolist()
    [4, 5, 6, 7]
    """
    found = np.zeros(len(words), np.bool_)
    marks = _marks(words)
    opens = _opening({mark.sign: place for place, mark in reversed([*enumerate(marks)])})
    number = 0
    while number < len(marks):
        opening = marks[number]
        closing = _closing(marks, number) if opening.sign in opens else None
        if closing is None:
            number += 1
            continue
        closed = marks[closing]
        found[opening.word + (not opening.behind) : closed.word + closed.before] = True
        number = closing + 1
    return found


def _opening(first: Mapping[str, int]) -> set[str]:
    """The signs that open in a text, by the places where each occurs first."""
    opens = {*_CLOSED_BY}
    opens -= {"“", "”"} if "„" in first else {"”"} if "“" in first else set()
    for one, other in (("«", "»"), ("‹", "›")):
        if one in first and other in first:
            opens.remove(one if first[other] < first[one] else other)
    return opens


def _closing(marks: Sequence[QuotationMark], number: int) -> int | None:
    """The number of the mark that closes the one of that number; None if it opens nothing, or stays open."""
    opening = marks[number]
    if opening.sign in _SINGLE and opening.before:
        return None
    for place in range(number + 1, len(marks)):
        mark = marks[place]
        if mark.word - opening.word > LONGEST:
            return None
        if mark.sign in _CLOSED_BY[opening.sign]:
            return place
    return None


def _marks(words: Sequence[str]) -> list[QuotationMark]:
    """The quotation marks of a text, without apostrophes."""
    text = "\n".join(words)
    matches = [*_MARK.finditer(text)]
    starts = [0, *accumulate(len(word) + 1 for word in words)] if matches else []
    found = []
    for match in matches:
        number = bisect_right(starts, match.start()) - 1
        before, behind = text[starts[number] : match.start()], text[match.end() : starts[number + 1] - 1]
        if match[0] in _APOSTROPHES:  # it closes speech only behind punctuation: ". ’", but not "dogs ’"
            last = before or (words[number - 1] if number else "")
            if _letters(behind) or not _PUNCTUATION.search(last):
                continue
        found.append(QuotationMark(match[0], number, _letters(before), _letters(behind)))
    return found


def _letters(text: str) -> bool:
    return any(map(str.isalnum, text))
