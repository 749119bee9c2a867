"""Entities out of links: an entity is a connected group of mentions.

An antecedent is the last mention so far with its string, else a new one. A mention is a new one as long as the key has
more places for its string than there are mentions with it, else the last of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..document.document import components
from .payloads import Link, Listed, Payload
from .strings import KeyText


def entities_of(payload: Payload, key: KeyText) -> Sequence[Sequence[Listed]]:
    """The entities of a payload, with links joined into groups."""
    if payload.links:
        return [*payload.entities, *_connected(payload.links, key)]
    if payload.pairs and _are_links(payload, key):
        return _connected([Link(mention, antecedent) for antecedent, mention in payload.entities], key)
    return payload.entities


def _are_links(payload: Payload, key: KeyText) -> bool:
    """Whether a string is listed more often than it occurs in the key, or a span twice."""
    mentions = payload.mentions
    listed = Counter(each.text for each in mentions if each.text and not each.numbers)
    often = any(0 < len(key.find(text).places) < number for text, number in listed.items())
    spans = Counter(each.numbers for each in mentions if each.numbers)
    return often or any(number > 1 for number in spans.values())


def _connected(links: Sequence[Link], key: KeyText) -> list[list[Listed]]:
    """The groups of mentions that are linked."""
    made = _Made(key)
    pairs = []
    for link in links:
        before = made.number(link.antecedent, is_antecedent=True) if link.antecedent else None
        own = made.number(link.mention, is_antecedent=False)
        pairs.append([str(own)] if before is None else [str(before), str(own)])
    names = map(str, range(len(made.mentions)))
    return [[made.mentions[int(name)] for name in group] for group in components(names, pairs)]


class _Made:
    """The mentions of links so far, found again by their texts or numbers."""

    def __init__(self, key: KeyText) -> None:
        self.key = key
        self.mentions: list[Listed] = []
        self._by_text: dict[str, list[int]] = {}
        self._by_numbers: dict[tuple[int, int], int] = {}

    def number(self, each: Listed, is_antecedent: bool) -> int:
        """The number of the mention that is meant, which may be a new one."""
        if each.numbers:
            return self._by_numbers[each.numbers] if each.numbers in self._by_numbers else self._new(each)
        before = self._by_text.get(each.text or "", [])
        if before and (is_antecedent or len(self.key.find(each.text or "").places) <= len(before)):
            return before[-1]
        return self._new(each)

    def _new(self, each: Listed) -> int:
        number = len(self.mentions)
        self.mentions.append(each)
        if each.numbers:
            self._by_numbers[each.numbers] = number
        if each.text:
            self._by_text.setdefault(each.text, []).append(number)
        return number
