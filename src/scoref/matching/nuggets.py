"""Matches event nuggets of key and response: Dice coefficients, greedy mappings.

Mentions with the same span and attributes are treated together, and overlapping spans are found by sorting: the time
grows with the number of mentions and of overlaps, not with the number of pairs.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ..document.document import Document, Mention, Span, position
from ..document.spans import is_stretch
from ..spelling import canonical as canonical

_BOTH = ("type", "realis")
MAPPINGS: dict[str, tuple[str, ...]] = {"span": (), "type": _BOTH[:1], "realis": _BOTH[1:], "type+realis": _BOTH}

NOT_ANNOTATED = "notannotated"
_STEP = position(1)

_Values = tuple[str, ...]
NuggetPairs = list[tuple[int, int, float]]  # a mention of the key, one of the response, their Dice coefficient


def value(mention: Mention, name: str) -> str:
    """The canonical value of an attribute of a mention."""
    return canonical(dict(mention.attributes).get(name, ""))


def agree(ours: str, theirs: str) -> bool:
    """Whether two canonical values agree; a key value that is not annotated agrees with anything."""
    return ours in (theirs, NOT_ANNOTATED)


def _coefficients(ours: Sequence[Span], theirs: Sequence[Span]) -> Iterator[tuple[int, int, float]]:
    """The Dice coefficient of each pair of spans that overlap, by their numbers.

    A span may have a position twice: it counts twice in the length, and once in the overlap.
    """
    for i, j in meeting(ours, theirs):
        span, other = ours[i], theirs[j]
        if is_stretch(span) and is_stretch(other):
            common = (min(span[-1], other[-1]) - max(span[0], other[0])) // _STEP + 1
        else:
            common = len(set(span).intersection(other))
        if common:
            yield i, j, 2 * common / (len(span) + len(other))


def meeting(ours: Sequence[Span], theirs: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Pairs of spans whose extents overlap, gaps ignored, by their numbers.

    >>> [*meeting([range(0, 3), range(4, 5)], [range(2, 5), range(3, 4)])]
    [(0, 0), (1, 0)]
    """
    yield from _within(ours, theirs, 0)
    yield from ((i, j) for j, i in _within(theirs, ours, 1))


def _within(spans: Sequence[Span], others: Sequence[Span], later: int) -> Iterator[tuple[int, int]]:
    """Pairs of a span and another that begins inside it, at least `later` positions after its beginning."""
    order = sorted((span[0], number) for number, span in enumerate(others) if span)
    begins = [begin for begin, _ in order]
    for number, span in enumerate(spans):
        if span:
            for _, other in order[bisect_left(begins, span[0] + later) : bisect_right(begins, span[-1])]:
                yield number, other


def overlaps(
    key: Document, response: Document, free_key: list[int], free_response: list[int]
) -> dict[tuple[int, int], float]:
    """The Dice coefficient of each pair of a key and a response mention that share a position."""
    ours, theirs = [key.mentions[k].span for k in free_key], [response.mentions[r].span for r in free_response]
    return {(free_key[i], free_response[j]): dice for i, j, dice in _coefficients(ours, theirs)}


def once(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs without those that have a mention of an earlier pair."""
    found: dict[int, int] = {}
    used: set[int] = set()
    for k, r in pairs:
        if k not in found and r not in used:
            found[k] = r
            used.add(r)
    return [*found.items()]


def greedy(
    key: Document, response: Document, attributes: tuple[str, ...] = (), prefer: tuple[str, ...] = ()
) -> NuggetPairs:
    """Pairs of mentions with the same attributes, as `Overlapping.greedy` gives them."""
    return Overlapping(key, response).greedy(attributes, prefer)


class Overlapping:
    """The event nuggets of two documents; overlaps are found once for all mappings."""

    def __init__(self, key: Document, response: Document) -> None:
        self._documents = key, response
        self._made: dict[tuple[_Values, _Values], NuggetPairs] = {}
        self._canonical: dict[tuple[int, str], list[str]] = {}

    def greedy(self, attributes: tuple[str, ...] = (), prefer: tuple[str, ...] = ()) -> NuggetPairs:
        """Pairs of mentions with the same attributes and their Dice coefficients, greatest first; each mention once.

        Ties go to the pair that agrees in the attributes to `prefer`, then to the earlier response mention, then to the
        earlier key mention. A key attribute that is not annotated matches anything.
        """
        if (attributes, prefer) not in self._made:
            self._made[attributes, prefer] = self._greedy(attributes, prefer)
        return self._made[attributes, prefer]

    def _greedy(self, attributes: tuple[str, ...], prefer: tuple[str, ...]) -> NuggetPairs:
        ours_at, theirs_at = (self._alike(side, attributes + prefer) for side in (0, 1))
        levels: dict[tuple[float | bool, ...], dict[int, list[deque[int]]]] = {}
        for i, j, dice in self._coefficients:
            for values, mine in ours_at[i].items():
                for others, their in theirs_at[j].items():
                    level = _level(dice, values, others, len(attributes))
                    if level is not None:
                        waiting = levels.setdefault(level, {})
                        for r in their:
                            waiting.setdefault(r, []).append(mine)
        found: NuggetPairs = []
        used: set[int] = set()
        for (negative, *_), waiting in sorted(levels.items()):
            for r in sorted(waiting.keys() - used):
                free = [each for each in waiting[r] if each]
                if free:
                    used.add(r)
                    found.append((min(free).popleft(), r, -negative))
        return found

    @cached_property
    def _spans(self) -> tuple[dict[Span, list[int]], dict[Span, list[int]]]:
        """The mentions of each span, in their order, on both sides."""
        found: tuple[dict[Span, list[int]], dict[Span, list[int]]] = {}, {}
        for document, spans in zip(self._documents, found, strict=True):
            for index, mention in enumerate(document.mentions):
                spans.setdefault(mention[0], []).append(index)
        return found

    @cached_property
    def _coefficients(self) -> list[tuple[int, int, float]]:
        return [*_coefficients([*self._spans[0]], [*self._spans[1]])]

    def _values(self, side: int, name: str) -> list[str]:
        """The canonical values of an attribute."""
        if (side, name) not in self._canonical:
            written = [dict(mention.attributes) for mention in self._documents[side].mentions]
            self._canonical[side, name] = [canonical(each.get(name, "")) for each in written]
        return self._canonical[side, name]

    def _alike(self, side: int, names: tuple[str, ...]) -> list[dict[_Values, deque[int]]]:
        """The mentions of each span by the values of these attributes, in their order."""
        if not names:
            return [{(): deque(indices)} for indices in self._spans[side].values()]
        values = [*zip(*[self._values(side, name) for name in names], strict=True)]
        found: list[dict[_Values, deque[int]]] = []
        for indices in self._spans[side].values():
            found.append({})
            for index in indices:
                found[-1].setdefault(values[index], deque()).append(index)
        return found


def _level(dice: float, ours: _Values, theirs: _Values, needed: int) -> tuple[float | bool, ...] | None:
    """The rank of a pair with these attribute values; None unless the first `needed` ones agree."""
    if ours == theirs:
        return (-dice, *[False] * (len(ours) - needed))
    same = [agree(*pair) for pair in zip(ours, theirs, strict=True)]
    return (-dice, *(not each for each in same[needed:])) if all(same[:needed]) else None
