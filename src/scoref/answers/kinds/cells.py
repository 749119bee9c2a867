"""The strings of a line, or of a cell of a table, in which a language model lists mentions."""

from __future__ import annotations

import re

from ..payloads import Listed, Spot
from ..strings import KeyText

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』')
_SINGLE = re.compile(r"(?<!\w)(?:'([^']+)'|‘([^’]+)’)(?!\w)")
_SEPARATORS = tuple(re.compile(each) for each in (r";|<br\s*/?>", r"\|", r"[，、,]"))
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


def strings(text: str, spot: Spot, key: KeyText) -> list[Listed]:
    """The strings that stand in a part of a text.

    >>> key = KeyText("Ada told the baker .".split())
    >>> [each.text for each in strings('[Ada, the baker.]', (0, 17), key)]
    ['Ada', 'the baker']
    >>> [each.text for each in strings('the woman "Ada", and "she"', (0, 26), key)]
    ['Ada', 'she']
    """
    begin, end = _trimmed(text, *spot)
    if begin < end and _BRACKETS.get(text[begin]) == text[end - 1] and _is_around(text, begin, end):
        begin, end = _trimmed(text, begin + 1, end - 1)
    for quoted in (_QUOTED, _SINGLE):
        found = [each.span(each.lastindex or 0) for each in quoted.finditer(text, begin, end)]
        if found:
            return [Listed(text[first:last], spot=(first, last)) for first, last in found]
    spots = _split(text, begin, end)
    listed = [Listed(text[first:last], spot=(first, last)) for first, last in spots if first < last]
    if listed and listed[-1].text and listed[-1].text[-1] in ".。" and key.has(listed[-1].text[:-1]):
        first, last = spots[-1]
        listed[-1] = Listed(text[first : last - 1], spot=(first, last - 1))
    return listed


def _split(text: str, begin: int, end: int) -> list[Spot]:
    separator = next((each for each in _SEPARATORS if each.search(text, begin, end)), None)
    cuts = [each.span() for each in separator.finditer(text, begin, end)] if separator else []
    firsts, lasts = [begin, *(last for _, last in cuts)], [*(first for first, _ in cuts), end]
    spots = [_trimmed(text, first, last) for first, last in zip(firsts, lasts, strict=True)]
    return [(first, last) for first, last in spots if first < last]


def _trimmed(text: str, begin: int, end: int) -> Spot:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, end


def _is_around(text: str, begin: int, end: int) -> bool:
    """Whether the bracket that begins here is closed at the end, and not before."""
    opening, closing = text[begin], _BRACKETS[text[begin]]
    inner = text[begin + 1 : end - 1]
    depth = 0
    for sign in inner:
        depth += (sign == opening) - (sign == closing)
        if depth < 0:
            return False
    return True


def in_key(listed: Listed, key: KeyText) -> bool:
    """Whether the key has the string, and not over the end of a sentence."""
    return any(map(key.within_sentence, key.find(listed.text or "").places))


def counts(listed: list[Listed], key: KeyText) -> bool:
    """Whether at least half of the strings are in the key; other lines are remarks."""
    return bool(listed) and 2 * sum(in_key(each, key) for each in listed) >= len(listed)
