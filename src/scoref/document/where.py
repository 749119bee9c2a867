"""Where mentions are in their texts, those of many documents at once: document after document, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .document import Document, Integers
from .spans import EMPTY, Span, is_stretch, word_of

NOWHERE = -2  # the first word of a mention without a place; -1 is that of an empty node before the first word
_WORDS = 32  # bits of the number of a word, where it stands behind that of its document


def ends_of(documents: Iterable[Document]) -> Integers:
    """The first and the last word of each mention, document after document; `NOWHERE` for those without a place."""
    return np.concatenate([np.empty((0, 2), np.int64), *map(_ends, documents)])


def _ends(document: Document) -> NDArray[np.int64] | NDArray[np.intc]:
    mentions = document.mentions
    if mentions.ends is not None:
        return np.array(mentions.ends, np.intc).reshape(-1, 2)
    both = [(word_of(span[0]), word_of(span[-1])) if span else (NOWHERE, NOWHERE) for span in mentions.spans]
    return np.array(both, np.int64).reshape(-1, 2)


def sentences_of(documents: Sequence[Document], document: Integers, word: Integers) -> Integers:
    """The sentences of words, given with the number of the document of each; -1 where that has one at most."""
    many = np.array([len(each.sentences) > 1 for each in documents], np.bool_)
    sizes = [len(each.sentences) for each in documents]
    starts = np.fromiter(chain.from_iterable(each.sentences for each in documents), np.int64, sum(sizes))
    codes = (np.repeat(np.arange(len(documents)), sizes) << _WORDS) + starts
    found = np.searchsorted(codes, (document << _WORDS) + word, "right") - (np.cumsum(sizes) - sizes)[document]
    return np.where(many[document], found, -1)


def length_of(span: Span) -> int:
    """The number of words of a mention, empty nodes not counted."""
    return len(span) if is_stretch(span) else sum(not place & EMPTY for place in span) if span else NOWHERE


def inside_stretches(document: Integers, ends: Integers) -> Integers:
    """0 for each mention that is in a longer one of its document, 1 for others, where all are stretches of words."""
    first, last = (document << _WORDS) + ends.T
    order = np.lexsort((-last, first))
    first, last = first[order], last[order]
    new = np.append(True, (first[1:] != first[:-1]) | (last[1:] != last[:-1]))[: len(first)]
    farthest = np.append(-1, np.maximum.accumulate(last))[np.flatnonzero(new)]  # of those before each new stretch
    found = np.empty(len(order), np.int64)
    found[order] = farthest[np.cumsum(new) - 1] < last
    return found


def inside(spans: Sequence[Span]) -> list[int]:
    """0 for each mention all of whose positions are in a longer mention of the document, 1 for others, 2 for none."""
    found = [1 if span else 2 for span in spans]
    order = sorted((number for number, span in enumerate(spans) if span), key=lambda n: (spans[n][0], -spans[n][-1]))
    around: list[int] = []  # those that may hold what follows
    for number in order:
        span = spans[number]
        around = [other for other in around if spans[other][-1] >= span[0]]
        if any(_holds(spans[other], span) for other in around):
            found[number] = 0
        for other in around:  # of equal ends, the longer one may come later
            if spans[other][0] == span[0] and _holds(span, spans[other]):
                found[other] = 0
        around.append(number)
    return found


def _holds(whole: Span, part: Span) -> bool:
    if len(whole) <= len(part) or whole[-1] < part[-1] or whole[0] > part[0]:
        return False
    return (is_stretch(whole) and is_stretch(part)) or set(part) <= set(whole)
