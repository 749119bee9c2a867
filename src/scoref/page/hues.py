"""Colours of entities: one for an entity and its partner, wherever they are.

Hues go by size, within a document or within all documents that share entities, so that large entities differ most. A
response entity has the hue of its partner; one without a partner has none.
"""

from __future__ import annotations

import numpy as np

from ..document.document import Integers
from ..errors.twins import Twins

_TURN = 137.508  # degrees: neighbours in a row of such steps are far from each other on the circle of hues


def hues(twins: Twins) -> tuple[list[int], list[int]]:
    """The hue of each entity of key and response in degrees, or -1, in the order of `twins.sides`."""
    key = twins.sides[0]
    order = np.lexsort((np.arange(len(key.name)), -key.size, key.home))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = _places(key.home[order])
    ours = np.round(250 + ranks * _TURN).astype(np.int64) % 360
    partners = twins.partners[1]
    theirs = np.full(len(partners), -1)
    theirs[partners >= 0] = ours[partners[partners >= 0]]
    return ours.tolist(), theirs.tolist()


def _places(homes: Integers) -> Integers:
    """The place of each entity among those of its home; homes are in a row."""
    if not len(homes):
        return homes
    starts = np.flatnonzero(np.diff(homes, prepend=homes[0] - 1))
    lengths = np.diff(starts, append=len(homes))
    return np.arange(len(homes)) - np.repeat(starts, lengths)
