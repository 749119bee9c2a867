"""The entities of one side of a corpus, numbered through all its documents, and the entity of each mention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import chain, count, repeat
from typing import NamedTuple

import numpy as np

from ..document.document import Document, Integers, owners_of


class Entities(NamedTuple):
    """The entities of one side: for each its document (by number) and its name; members of those that are sets."""

    document: list[int]
    name: list[Hashable]
    sets: dict[int, list[int]]

    def add(self, home: int, document: Document, known: dict[Hashable, int]) -> Integers:
        """The number of each entity of a document, in its order; entities that are not known yet are added."""
        names = document.names
        new = [name for name in names if name not in known] if known else names
        known.update(zip(new, count(len(self.name)), strict=False))
        self.document.extend([home] * len(new))
        self.name.extend(new)
        for name, members in document.sets.items():
            numbers = self.sets.setdefault(known[name], [])
            numbers += [known[member] for member in members if known[member] not in numbers]
        return np.fromiter(map(known.__getitem__, names), np.int64, len(names))


class NumberedMentions(NamedTuple):
    """The mentions of one side: its entities, the number of each mention's entity, where each document begins."""

    entities: Entities
    entity: Integers
    start: Integers

    @classmethod
    def of(cls, documents: Sequence[Document], homes: Sequence[int], shared: bool) -> NumberedMentions:
        """The mentions of all documents, one after the other; entities are shared by those with one number."""
        sizes = [len(document.mentions) for document in documents]
        owners = owners_of(documents)
        if shared or any(document.sets for document in documents):
            entities = Entities([], [], {})
            names: dict[int, dict[Hashable, int]] = {}
            numbers = [
                entities.add(home, document, names.setdefault(home, {}))
                for home, document in zip(homes, documents, strict=True)
            ]
            counted = np.cumsum([0, *map(len, numbers)])
            owners = np.concatenate([np.empty(0, np.int64), *numbers])[owners + np.repeat(counted[:-1], sizes)]
        else:
            each = [document.names for document in documents]
            counts = [*map(len, each)]
            entities = Entities([*chain.from_iterable(map(repeat, homes, counts))], [*chain.from_iterable(each)], {})
            owners = owners + np.repeat(np.cumsum([0, *counts])[:-1], sizes)
        return cls(entities, owners, np.cumsum([0, *sizes])[:-1])
