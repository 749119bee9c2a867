"""Mentions found by their words: the mention overlap ratio, and event nuggets."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..document.document import Document
from ..matching.assign import assign
from ..matching.lookup import Lookups
from ..matching.nuggets import Overlapping
from .anaphors import Counts


def mor(key: Document, response: Document, found: Lookups) -> Counts:
    """Mention overlap ratio: the words that mentions share when they are paired one to one as well as can be."""
    at: dict[int, list[int]] = {}
    for index, mention in enumerate(response.mentions):
        for place in mention.span:
            at.setdefault(place, []).append(index)
    shared = Counter(
        (k, r) for k, mention in enumerate(key.mentions) for place in mention.span for r in at.get(place, [])
    )
    pairs = np.array(list(shared), np.int64).reshape(len(shared), 2)
    weights = np.array(list(shared.values()), np.float64)
    common = float(weights[assign(pairs[:, 0], pairs[:, 1], weights)].sum())
    sizes = [sum(len(mention.span) for mention in side.mentions) for side in (key, response)]
    return common, sizes[0], common, sizes[1]


def nuggets(attributes: tuple[str, ...], key: Document, response: Document, mapped: Overlapping) -> Counts:
    """Event nuggets found: the Dice coefficients of the greedy mapping of mentions with the same attributes."""
    right = sum(dice for _, _, dice in mapped.greedy(attributes))
    return right, len(key.mentions), right, len(response.mentions)
