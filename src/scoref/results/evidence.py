"""What an evaluation was made from, or what a saved one still knows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..counting.table import NO_TABLE, Entities, Floats, Table
from ..document.document import Document
from ..document.grouping import comments
from ..matching.lookup import Lookups
from ..pairing.pairs import Pair


class EntityCounts(Mapping[str, tuple[Floats, Floats]]):
    """For each metric what entities of key and response contribute: numerators and denominators, [entities, 2].

    They are put together when somebody asks: as `parts`, denominators are those of the table.
    """

    def __init__(self) -> None:
        self.parts: dict[str, tuple[tuple[Floats, Floats], tuple[Floats, Floats]]] = {}

    def __getitem__(self, name: str) -> tuple[Floats, Floats]:
        key, response = self.parts[name]
        return np.stack(key, axis=1), np.stack(response, axis=1)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """The documents as they were read (`pairs`) and as they were scored (`aligned`), and what was counted.

    `entities` are those of key and response in the order of `table`; `entity_counts` has for each metric what each of
    them contributes. Where no metric on entities was scored, the table is empty. `homes` has for each pair the
    number of what it is scored as a part of: itself, a group of documents, or the corpus.
    """

    pairs: tuple[Pair, ...] = ()
    aligned: tuple[tuple[Document, Document, Lookups], ...] = ()
    table: Table = NO_TABLE
    entities: tuple[Entities, Entities] = (Entities([], [], {}), Entities([], [], {}))
    entity_counts: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    homes: tuple[int, ...] = ()

    notes: tuple[str, ...] = ()
    counted: str = "document"

    @property
    def size(self) -> int:
        """The number of documents, if it is known."""
        return len(self.pairs)

    def fields(self) -> list[dict[str, str]]:
        """What the comments of each key document say of it; of a group of documents, what all of them say."""
        found: dict[int, dict[str, str]] = {}
        for home, pair in zip(self.homes, self.pairs, strict=True):
            said = comments(pair.key)
            shared = found.setdefault(home, said)
            found[home] = {name: value for name, value in shared.items() if said.get(name) == value}
        return [found[home] for home in sorted(found)]


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """What there is instead where sums are all: hashes of the documents, key and response; fields of documents.

    So it is for saved evaluations and for tables. `size` is the number of documents where they were scored as one.
    `reason` and `remedy` are said to those who ask for more, `notes` beside the scores; `groups` has the counts of
    groups of entities, `counted` says what the sums are of. Where the files are still there, `again` gets the evidence.
    """

    digests: tuple[tuple[str, ...], tuple[str, ...]]
    saved_fields: Mapping[str, tuple[str, ...]]
    size: int = 0
    reason: str = "a saved evaluation holds sums only, no texts and no entities"
    remedy: str = "score the files again"
    notes: tuple[str, ...] = ()
    groups: Mapping[str, Mapping[str, Mapping[str, Floats]]] = field(default_factory=dict)
    counted: str = "document"
    again: Callable[[], Evidence] | None = None

    def fields(self) -> list[dict[str, str]]:
        """What was saved of each document."""
        return [{name: values[number] for name, values in self.saved_fields.items()}
                for number in range(len(self.digests[0]))]  # fmt: skip
