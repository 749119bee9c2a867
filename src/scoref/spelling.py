"""Words that were meant: other spellings of the same word, and the closest of the words there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from unicodedata import category, normalize

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


def _one_form(name: str) -> str:
    return normalize("NFKC", name)


# In what names that mean the same may differ, and the name without that; each includes those before it.
ALIKE: dict[str, Callable[[str], str]] = {
    "forms of Unicode letters": _one_form,
    "blanks": lambda name: "".join(_one_form(name).split()),
    "case": lambda name: "".join(_one_form(name).casefold().split()),
    "leading zeros": lambda name: re.sub(r"(?<!\d)0+(?=\d)", "", "".join(_one_form(name).casefold().split())),
    "what stands before the number": lambda name: re.sub(r"^.*?(?=\d+$)", "", _one_form(name).strip()).lstrip("0"),
}


def alike(ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, int] | None:
    """In what most names of one side differ from names of the other, and how many are the same without it.

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
    """The numbers that Unicode has for the letters of a word.

    >>> code_points("e\u0301")
    'U+0065 U+0301'
    """
    return " ".join(f"U+{ord(letter):04X}" for letter in word)


def look_alike(word: str, other: str) -> bool:
    """Whether two words cannot be told apart by looking: forms of Unicode letters, what is invisible, Greek, Cyrillic.

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
