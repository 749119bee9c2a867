"""Finds corners that every best alignment of two texts passes, so that the table is computed only between them.

A *guide* is some good way through the table: stretches of characters that occur once in both texts, and what the
tables of the small gaps between them say. Then it is shown for most of its corners that a way around them costs more.

Call one side long (the one of which more is skipped cheaply at the ends), the other one short. A *witness* is a
stretch of at least three words of the short side that the guide aligns word by word, and whose characters occur once
in the long side. Take a way that leaves the guide at a corner u, and meets it again at a corner v, and a witness
strictly between them. Steps that keep the characters would align the witness as the guide does, and so meet the guide
(they have at most four words). Hence the way has a step in each witness that costs 3 or more: similar, a word of the
witness skipped, or a word of the long side skipped inside of it. Words skipped cheaply cost no less if they fill the
witness; if they do not, it is the first or last one, and 2 are taken off.

How many words of the long side the way skips more than the guide follows from where u and v are, but for regrouped
steps: a word of the short side can make up for at most as many as some regrouped step that begins with it (its
`slack`). With U witnesses, M skipped words at 3 and X at 1, the way costs at least X + max(3 U, 3 M), which is at
least X + M + 2 U. So it costs more than the guide if 2 U is more than the cost of the guide between u and v, less the
words of the long side that it has more than the short side there, plus the slack. This is a difference of two numbers,
one of u, one of v: a maximum to the left and a minimum to the right of a corner decide whether no way leads around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import steps
from .costs import solve
from .steps import Box, Codes, Flags, Integers, NumberedText, NumberedTexts, corners, costs

Hashes = NDArray[np.uint64]

_DOUBLINGS = 4  # a window has 16 characters
_SMALL_GAP = 1 << 12  # cells of a gap that the guide crosses by its best way
_GAP = 255  # stands for a gap among step numbers
_WORDS = 3  # the least length of a witness
_LOWEST, _HIGHEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


class _Characters(NamedTuple):
    """A stretch of a text as characters.

    `starts` says where its words begin (and the last one ends), `windows` has a hash of the characters from each one
    on; `single` are those that occur once, sorted, at the characters `where`.
    """

    letters: NDArray[np.uint32]
    starts: Integers
    windows: Hashes
    single: Hashes
    where: Integers

    def find(self, windows: Hashes) -> Integers:
        """Where each of the windows is, if it occurs once; else -1."""
        found = np.full(len(windows), -1)
        if len(self.single):
            order = np.argsort(windows)
            place = np.minimum(np.searchsorted(self.single, windows[order]), len(self.single) - 1)
            found[order] = np.where(self.single[place] == windows[order], self.where[place], -1)
        return found


def cuts(both: NumberedTexts, box: Box) -> tuple[Codes, Flags]:
    """The steps of a guide through a box, and which of its corners every best way passes."""
    key, pieces = _letters(both, both.key, box[0], box[2]), _letters(both, both.pieces, box[1], box[3])
    codes = _guide(both, box, _shared(key, pieces))
    return codes, _certain(both, box, codes, key, pieces)


def _letters(both: NumberedTexts, side: NumberedText, first: int, end: int) -> _Characters:
    joined = "".join(map(both.among.words.__getitem__, side.norms[first:end].tolist()))
    letters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    starts = np.concatenate([[0], np.cumsum(both.among.lengths[side.norms[first:end]])])
    windows = letters.astype(np.uint64)
    for doubling in range(_DOUBLINGS):
        size = 1 << doubling
        windows = windows[:-size] * np.uint64(0x9E3779B97F4A7C15) + windows[size:]
        windows ^= windows >> np.uint64(29)
    order = np.argsort(windows)
    ranked = windows[order]
    changes = np.concatenate([[True], ranked[1:] != ranked[:-1], [True]])
    once = (changes[1:] & changes[:-1])[: len(ranked)]
    return _Characters(letters, starts, windows, ranked[once], order[once])


# -- the guide -------------------------------------------------------------------------------------------------------


def _shared(key: _Characters, pieces: _Characters) -> Integers:
    """Pairs of a key word and a piece, both increasing, where the texts agree up to their beginnings."""
    starts = pieces.starts[pieces.starts < len(pieces.windows)]
    asked = pieces.windows[starts]
    place = np.where(pieces.find(asked) >= 0, key.find(asked), -1)
    found = np.flatnonzero(place >= 0)
    anchors = np.stack([place[found], starts[found]], axis=1)[_increasing(place[found])]
    if not len(anchors):
        return np.zeros((0, 2), np.int64)
    places = np.full(len(pieces.starts), -1)
    for ahead in (1, 0):  # from the next anchor, then from the one before, which takes precedence
        agreeing = _extended(key, pieces, anchors, ahead)
        places = np.where(agreeing >= 0, agreeing, places)
    word = np.searchsorted(key.starts, places)
    found = np.flatnonzero((places >= 0) & (key.starts[np.minimum(word, len(key.starts) - 1)] == places))
    pairs = np.stack([word[found], found], axis=1)
    before = np.concatenate([[-1], np.maximum.accumulate(pairs[:-1, 0])]) if len(pairs) else pairs[:, 0]
    behind = np.concatenate([np.minimum.accumulate(pairs[:0:-1, 0])[::-1], [len(key.starts)]])[: len(pairs)]
    return pairs[(before < pairs[:, 0]) & (pairs[:, 0] < behind)]


def _increasing(numbers: Integers) -> list[int]:
    """Which numbers make the longest increasing sequence."""
    ends: list[int] = []
    owners: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers.tolist()):
        rank = bisect_left(ends, number)
        ends[rank : rank + 1] = [number]  # replaces the end of that rank, or is a new one
        owners[rank : rank + 1] = [place]
        before.append(owners[rank - 1] if rank else -1)
    found = []
    place = owners[-1] if owners else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def _extended(key: _Characters, pieces: _Characters, anchors: Integers, ahead: int) -> Integers:
    """The character of the key where each piece begins, if the texts agree between it and the next anchor; else -1."""
    shifts = np.concatenate([[len(key.letters)], anchors[:, 0] - anchors[:, 1], [len(key.letters)]])
    positions = np.concatenate([[0], anchors[:, 1], [0]])
    characters = np.arange(len(pieces.letters))
    place = characters + shifts[np.searchsorted(anchors[:, 1], characters, "right") + ahead]
    outside = (place < 0) | (place >= len(key.letters))
    differs = outside | (key.letters[np.where(outside, 0, place)] != pieces.letters)
    differing = np.concatenate([[0], np.cumsum(differs)])
    number = np.searchsorted(anchors[:, 1], pieces.starts, "right") + ahead
    known = (number > 0) & (number <= len(anchors)) & (differing[pieces.starts] == differing[positions[number]])
    return np.where(known, pieces.starts + shifts[number], -1)


def _guide(both: NumberedTexts, box: Box, shared: Integers) -> Codes:
    """The steps of a good way through the box that passes these pairs of a key word and a piece."""
    ends = np.array([[0, 0], [box[2] - box[0], box[3] - box[1]]])
    inner = shared[(shared != ends[0]).any(axis=1) & (shared != ends[1]).any(axis=1)]
    turns = np.concatenate([ends[:1], inner, ends[1:]]) + box[:2]
    sizes = np.diff(turns, axis=0)
    codes = _single_steps(both, turns[:-1], sizes)
    gaps = np.flatnonzero(codes == _GAP)
    boxes: list[Box] = [(*turns[gap].tolist(), *turns[gap + 1].tolist()) for gap in gaps]
    small = [place for place, gap in enumerate(gaps) if (sizes[gap] + 1).prod() <= _SMALL_GAP]
    ways = dict(zip(small, solve(both, [boxes[place] for place in small]), strict=True))
    parts = [ways[place] if place in ways else _skipping(both, around) for place, around in enumerate(boxes)]
    return replaced(codes, [(int(gap), int(gap) + 1) for gap in gaps], parts)


def _single_steps(both: NumberedTexts, turns: Integers, sizes: Integers) -> Codes:
    """The step between each place and the next, where it is the same, respelt or regrouped."""
    codes = np.full(len(turns), _GAP, np.uint8)
    numbers = {(1, 1): (both.key.norms, both.pieces.norms, steps.RESPELT)}
    for (s, t), code in steps.REGROUPED.items():
        numbers[s, t] = both.key.groups[s], both.pieces.groups[t], code
    for size, (key, pieces, code) in numbers.items():
        places = np.flatnonzero((sizes == size).all(axis=1))
        codes[places[key[turns[places, 0]] == pieces[turns[places, 1]]]] = code
    places = np.flatnonzero(codes == steps.RESPELT)
    codes[places[both.key.words[turns[places, 0]] == both.pieces.words[turns[places, 1]]]] = steps.SAME
    return codes


def _skipping(both: NumberedTexts, box: Box) -> Codes:
    """All words of a large gap skipped, those of the longer side at the end of the text if the gap is there."""
    missing = np.full(box[2] - box[0], steps.MISSING, np.uint8)
    added = np.full(box[3] - box[1], steps.ADDED, np.uint8)
    at_end = box[2] == len(both.key.words) and box[3] == len(both.pieces.words)
    return np.concatenate([missing, added] if (len(missing) >= len(added)) != at_end else [added, missing])


def replaced(codes: Codes, spans: list[tuple[int, int]], parts: list[Codes]) -> Codes:
    """The steps, with others in the place of those in some spans."""
    found: list[Codes] = []
    done = 0
    for (start, end), part in zip(spans, parts, strict=True):
        found += [codes[done:start], part]
        done = end
    return np.concatenate([*found, codes[done:]])


# -- what is certain -------------------------------------------------------------------------------------------------


def _certain(both: NumberedTexts, box: Box, codes: Codes, key: _Characters, pieces: _Characters) -> Flags:
    """Which corners of the guide are on every best way."""
    i, j = corners(codes, box)
    spent = np.concatenate([[0], np.cumsum(costs(codes, box, len(both.key.words), len(both.pieces.words)))])
    cheap = steps.COST[codes] > np.diff(spent)
    sides = (both.key, i, key, box[0], box[2]), (both.pieces, j, pieces, box[1], box[3])
    if np.count_nonzero(cheap & (codes == steps.MISSING)) < np.count_nonzero(cheap & (codes == steps.ADDED)):
        sides = sides[::-1]
    (_, long, others, *_), (_, short, own, *_) = sides
    lengths = [len(side.words) for side, *_ in sides]
    slack = _slack(*([numbers[first:end] for numbers in side.groups] for side, _, _, first, end in sides))
    witnesses = _witnesses(codes, long - long[0], short - short[0], others, own)
    start = int(short[0])
    balanced = spent - (long - short) + np.concatenate([[0], np.cumsum(slack)])[short - start]
    before = np.searchsorted(witnesses[0], short - start, "right")
    behind = np.searchsorted(witnesses[1], short - start, "left")
    head, tail = (short == 0) | (long == 0), (short == lengths[1]) | (long == lengths[0])
    losses = 2 * (long == 0), 2 * (long == lengths[0])
    schemes = [
        (weight * before - charge + losses[0], weight * behind - charge - losses[1])
        for weight, charge in ((3, spent), (2, balanced))
    ]
    certain = np.ones(len(short), bool)
    for left, right in product((head, ~head), (tail, ~tail)):
        certain &= np.any(
            [_no_way_around(codes, np.where(left, a, _LOWEST), np.where(right, b, _HIGHEST)) for a, b in schemes],
            axis=0,
        )
    certain[[0, -1]] = True
    return certain


def _no_way_around(codes: Codes, left: Integers, right: Integers) -> Flags:
    """Corners that no best way avoids: `right` of every later corner is more than `left` of every earlier one.

    Pairs of corners with only *same* steps between them need no check: all other ways cost more.
    """
    before = np.concatenate([[_LOWEST], np.maximum.accumulate(left)[:-1]])
    behind = np.concatenate([np.minimum.accumulate(right[::-1])[::-1][1:], [_HIGHEST]])
    places = np.arange(len(left))
    turns = np.concatenate([[True], codes != steps.SAME, [True]])
    first = np.maximum.accumulate(np.where(turns[:-1], places, 0))
    last = np.minimum.accumulate(np.where(turns[1:], places, len(places))[::-1])[::-1]
    found: Flags = (behind[last] > before) & (behind > before[first])
    return found


def _slack(long: list[Integers], short: list[Integers]) -> Integers:
    """For each word of the short side: how many more long than short words a regrouped step from there can have."""
    found = np.zeros(len(short[1]), np.int64)
    for own in range(1, steps.GROUP):
        for others in range(own + 1, steps.GROUP + 1):
            possible = np.isin(short[own], long[others])
            np.maximum(found, (others - own) * possible, out=found)
    return found


def _witnesses(
    codes: Codes, long: Integers, short: Integers, others: _Characters, own: _Characters
) -> tuple[Integers, Integers]:
    """The first words of witnesses that do not overlap, and the words after their ends.

    Inside a witness, each step of the guide has a single word on at least one side.
    """
    sizes = np.diff(short)
    plain = (codes < steps.SIMILAR) & ((sizes == 1) | (np.diff(long) == 1))
    count = len(own.starts) - 1
    shift = np.repeat(np.where(plain, others.starts[long[:-1]] - own.starts[short[:-1]], _LOWEST), sizes)
    straight = np.concatenate([[0], np.cumsum((np.diff(shift) != 0) | (shift[1:] == _LOWEST))])
    wanted = own.starts[:-1] + (1 << _DOUBLINGS)
    end = np.maximum(np.searchsorted(own.starts, wanted), np.arange(count) + _WORDS)
    possible = np.flatnonzero((end <= count) & (wanted <= own.starts[-1]) & (shift != _LOWEST))
    possible = possible[straight[end[possible] - 1] == straight[possible]]
    possible = possible[others.find(own.windows[own.starts[possible]]) >= 0]
    for side, moved in ((own, np.zeros_like(shift)), (others, shift)):
        empty = side.starts[:-1][np.diff(side.starts) == 0]  # words without letters: it is open what follows them
        first, last = own.starts[possible] + moved[possible], own.starts[end[possible]] + moved[possible]
        possible = possible[np.searchsorted(empty, first, "left") == np.searchsorted(empty, last, "right")]
    return _apart(possible, end[possible])


def _apart(starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    chosen = []
    free = 0
    for number, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if start >= free:
            chosen.append(number)
            free = end
    return starts[chosen], ends[chosen]


def boxes_between(codes: Codes, certain: Flags, box: Box) -> Iterator[tuple[tuple[int, int], Box]]:
    """Stretches of the guide between certain corners where another way may be better: their steps and boxes."""
    i, j = corners(codes, box)
    others = np.concatenate([[0], np.cumsum(codes != steps.SAME)])
    known = np.flatnonzero(certain)
    first, last = known[:-1], known[1:]
    skipped = (last == first + 1) & np.isin(codes[first], (steps.MISSING, steps.ADDED))
    unsure = (others[last] > others[first]) & ~skipped
    for start, end in zip(first[unsure].tolist(), last[unsure].tolist(), strict=True):
        yield (start, end), (int(i[start]), int(j[start]), int(i[end]), int(j[end]))
