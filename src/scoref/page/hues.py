"""Colours of entities: those that stand near each other, or share mentions, have hues that differ.

Hues are `_NUMBER` steps on the colour circle, more than 25 degrees apart. An entity takes the first step that no entity
of its tangle has, none in its own sentences, the adjacent ones, and the ones beyond. Large entities choose first, and
each begins its search elsewhere, so that a text has all colours. Where more entities stand together than there are
steps, the most distant ones may share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..document.document import Document, Integers
from ..errors.finding import beginnings
from ..errors.tangles import Tangles
from ..errors.twins import Twins

_NUMBER = 14
_STEP = 5  # steps from one hue to the next that is tried: far apart on the circle
_HUES = [round(250 + 360 * (_STEP * turn % _NUMBER) / _NUMBER) % 360 for turn in range(_NUMBER)]
_ALL = (1 << _NUMBER) - 1
_BLOCK = 20  # words that count as a sentence where sentences are not known
_WORDS = 32  # bits of a word's number
_APART = 3  # numbers between the sentences of two documents: none is near another's

Hues = tuple[list[int], list[int]]
Flags = NDArray[np.bool_]


def hues(every: Sequence[Twins], tangles: Sequence[Tangles | None]) -> list[Hues]:
    """For each system the hues of the entities of key and response, in degrees, in the order of `twins.sides`.

    An entity of the key has one hue for all systems, its partners have the same; entities without any partner have -1.
    """
    first = every[0].sides[0]
    alike = all(each.sides[0].name == first.name and np.array_equal(each.sides[0].home, first.home) for each in every)
    if not alike:
        return [_given([twins], [of])[0] for twins, of in zip(every, tangles, strict=True)]
    return _given(every, tangles)


def _given(every: Sequence[Twins], tangles: Sequence[Tangles | None]) -> list[Hues]:
    ours = _chosen(every, tangles)
    found: list[Hues] = []
    for twins in every:
        partners = twins.partners[1]
        theirs = np.where(partners >= 0, ours[partners] if len(ours) else -1, -1)
        found.append((ours.tolist(), theirs.tolist()))
    return found


def _chosen(every: Sequence[Twins], tangles: Sequence[Tangles | None]) -> Integers:
    """The hue of each entity of the key."""
    key = every[0].sides[0]
    number = len(key.name)
    coloured = np.any([twins.partners[0] >= 0 for twins in every], axis=0) if number else np.zeros(0, np.bool_)
    entity, place, sentences = _places(every, tangles, coloured)
    bounds = np.searchsorted(entity, np.arange(number + 1)).tolist()
    places = place.tolist()
    here, near, far = ([0] * (max(places, default=0) + _APART) for _ in range(3))
    order = np.lexsort((np.arange(number), -key.size, key.home))
    ranks = np.empty(number, np.int64)
    ranks[order] = np.arange(number) - beginnings(key.home[order])
    found, turns = [-1] * number, (ranks % _NUMBER).tolist()
    for each in order[coloured[order]].tolist():
        there = places[bounds[each] : bounds[each + 1]]
        tied = close = around = wide = 0
        for at in there:
            if at < sentences:
                close |= here[at]
                around |= near[at]
                wide |= far[at]
            else:
                tied |= here[at]
        close |= tied
        around |= close
        turn = turns[each]
        free = _ALL & ~(around | wide) or _ALL & ~around or _ALL & ~close or _ALL & ~tied or _ALL
        turned = (free >> turn | free << _NUMBER - turn) & _ALL
        turn = (turn + (turned & -turned).bit_length() - 1) % _NUMBER
        found[each], bit = _HUES[turn], 1 << turn
        for at in there:
            here[at] |= bit
            near[at - 1] |= bit
            near[at + 1] |= bit
            far[at - 2] |= bit
            far[at + 2] |= bit
    return np.array(found, np.int64)


def _places(
    every: Sequence[Twins], tangles: Sequence[Tangles | None], coloured: Flags
) -> tuple[Integers, Integers, int]:
    """Where entities of the key are: pairs of entity and place, sorted. A place is a sentence, or a tangle."""
    key = every[0].sides[0]
    begins = _sentences(every[0].documents[0])
    found = [(key.entity, _sentence_of(every[0], 0, begins))]
    last = sentences = len(begins) + _APART * (len(every[0].aligned) + 1)
    for twins, of in zip(every, tangles, strict=True):
        found.append((twins.partners[1][twins.sides[1].entity], _sentence_of(twins, 1, begins)))
        if of is not None:
            wrong = np.flatnonzero(of.of[0] >= 0)
            found.append((wrong, last + _APART * of.of[0][wrong]))
            last += _APART * (len(of) + 1)
    entity, place = (np.concatenate(each) for each in zip(*found, strict=True))
    kept = entity >= 0
    kept[kept] = coloured[entity[kept]]
    codes = np.unique(entity[kept] * (last + _APART) + place[kept])
    return codes // (last + _APART), codes % (last + _APART), sentences


def _sentences(documents: Sequence[Document]) -> Integers:
    """Where sentences begin, as codes of document and word."""
    starts = [
        each.sentences if len(each.sentences) > 1 else range(0, len(each.words) or 1, _BLOCK) for each in documents
    ]
    sizes = [*map(len, starts)]
    words = np.fromiter(chain.from_iterable(starts), np.int64, sum(sizes))
    return np.repeat(np.arange(len(documents)) << _WORDS, sizes) + words


def _sentence_of(twins: Twins, side: int, begins: Integers) -> Integers:
    """The number of the sentence of each mention; between those of two documents some are left out."""
    mentions = twins.sides[side]
    codes = (mentions.document << _WORDS) + np.maximum(twins.words[side][0], 0)
    return np.searchsorted(begins, codes, "right") + _APART * (mentions.document + 1)
