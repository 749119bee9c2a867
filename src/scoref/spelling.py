"""Words that were meant: other spellings of the same word, and the closest of the words there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_FIGURES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_LIKE = 0.6  # how much of two words is the same, at least
_LONGEST = 60  # letters; nobody misspells more, and comparing takes the square of them


def folded(word: str) -> str:
    """The word without what people write differently: case, hyphens, underscores, blanks, raised figures.

    >>> folded("B³"), folded("CEAF_e"), folded("b-cubed")
    ('b3', 'ceafe', 'bcubed')
    """
    return re.sub(r"[^\w:@+]|_", "", word.translate(_FIGURES).casefold())


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is closest to a misspelt one; None if none is close.

    >>> closest("partail", ["exact", "partial", "head"])
    'partial'
    >>> closest("colour", ["exact", "partial", "head"]) is None
    True
    """
    from difflib import get_close_matches  # only where something was wrong

    words = {each.casefold(): each for each in known}
    found = get_close_matches(word.casefold()[:_LONGEST], words, 1, _LIKE)
    return words[found[0]] if found else None


@lru_cache(4096)
def canonical(value: str) -> str:
    """A type or realis as it is compared: its ASCII letters and digits, in lower case.

    >>> canonical("Conflict_Attack") == canonical("conflict attack")
    True
    """
    return "".join(letter for letter in value if letter.isascii() and letter.isalnum()).lower()
