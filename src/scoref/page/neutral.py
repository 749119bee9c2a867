"""The words of a pair of annotators, neither of whom is the key."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..results.scores import Resampling

_SIDES = re.compile(r"\b(key|recall)\b|\b(response|precision)\b")

MARKS = ("the same", "other words", "other entity", "only here")  # how mentions fared, in the order of those of a key


class Neutral(NamedTuple):
    """The names of two annotators, and how intervals are made, if there are enough units."""

    pair: tuple[str, str]
    resampling: Resampling | None

    def said(self, text: str) -> str:
        """A text in which the sides have the names of the annotators.

        >>> Neutral(("Ann", "Ben"), None).said("recall: 4 mentions lose 0.25 each in the response")
        'Ann: 4 mentions differ by 0.25 each in Ben'
        """
        text = re.sub(r"\b[Tt]he (?=key\b|response\b)", "", text)
        text = re.sub(r"\blose more\b", "differ more", re.sub(r"\blose(?= \d)", "differ by", text))
        return _SIDES.sub(lambda found: self.pair[found[1] is None], text)
