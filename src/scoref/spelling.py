"""Spelling: names that differ only in how they are written, and the known word closest to a misspelt one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from unicodedata import category, normalize

_FIGURES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_LIKE = 0.6  # the least similarity of two words that are close
_LONGEST = 60  # letters; longer texts are not compared, as the time grows with the square


def folded(word: str) -> str:
    """The word without differences of case, hyphens, underscores, blanks and superscript digits.

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
    from difflib import get_close_matches  # imported only for messages about errors

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


def _one_form(name: str) -> str:
    return normalize("NFKC", name)


# Ways in which names of the same thing differ, and functions that remove them; each includes those before it.
ALIKE: dict[str, Callable[[str], str]] = {
    "forms of Unicode letters": _one_form,
    "blanks": lambda name: "".join(_one_form(name).split()),
    "case": lambda name: "".join(_one_form(name).casefold().split()),
    "leading zeros": lambda name: re.sub(r"(?<!\d)0+(?=\d)", "", "".join(_one_form(name).casefold().split())),
    "what stands before the number": lambda name: re.sub(r"^.*?(?=\d+$)", "", _one_form(name).strip()).lstrip("0"),
}


def alike(ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, int] | None:
    """How most names of the two sides differ, and how many are equal once that is ignored; None if they are not.

    >>> alike(["007", "008", "x"], ["7", "8", "y"])
    ('leading zeros', 2)
    """
    ours, theirs = {*ours}, {*theirs}
    ours, theirs = ours - theirs, theirs - ours
    for what, naming in ALIKE.items():
        known = {*map(naming, ours)} - {""}
        number = sum(naming(name) in known for name in theirs)
        if number and 2 * number > min(len(ours), len(theirs)):
            return what, number
    return None


def code_points(word: str) -> str:
    """The Unicode code points of a word.

    >>> code_points("e\u0301")
    'U+0065 U+0301'
    """
    return " ".join(f"U+{ord(letter):04X}" for letter in word)


def look_alike(word: str, other: str) -> bool:
    """Whether two words look the same: other Unicode forms, invisible characters, Greek or Cyrillic letters.

    >>> look_alike("caf\u00e9", "cafe\u0301"), look_alike("\u0410da", "Ada"), look_alike("Ada", "Adam")
    (True, True, False)
    """
    return _shape(word) == _shape(other)


# Cyrillic and Greek letters, and the Latin ones that look like them.
_LATIN = str.maketrans(
    "АВЕЗІЈКМНОРСТУХаеіјорсухѕԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαοριν", "ABE3IJKMHOPCTYXaeijopcyxsdqwABEZHIKMNOPTYXaopiv"
)


def _shape(word: str) -> str:
    visible = [letter for letter in normalize("NFKC", word) if category(letter) not in ("Cf", "Cc")]
    return "".join(visible).translate(_LATIN)
