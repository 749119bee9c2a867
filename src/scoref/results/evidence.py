"""What an evaluation was made from: its documents and counts, or only sums where nothing else was kept.

`Evidence` and `SumsOnly` answer the same questions, so that an evaluation does not ask which of them it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from .. import __version__
from ..counting.table import NO_TABLE, Entities, Floats, Table
from ..document.document import Document
from ..document.grouping import comments, distinct
from ..matching.lookup import Lookups
from ..pairing.pairs import Pair
from ..problems import Error


class EntityCounts(Mapping[str, tuple[Floats, Floats]]):
    """For each metric what entities of key and response contribute: numerators and denominators, [entities, 2].

    They are put together when somebody asks; as `parts`, metrics share the denominators that are those of the table.
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
    number of what it is scored as a part of: itself, a group of documents, or the corpus. `drift` says how running
    texts differ from the key's, `version` is that of the scoref that counted.
    """

    pairs: tuple[Pair, ...] = ()
    aligned: tuple[tuple[Document, Document, Lookups], ...] = ()
    table: Table = NO_TABLE
    entities: tuple[Entities, Entities] = (Entities([], [], {}), Entities([], [], {}))
    entity_counts: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    homes: tuple[int, ...] = ()
    drift: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    available: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[str] = "document"
    saved_fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    groups: ClassVar[Mapping[str, Mapping[str, Mapping[str, Floats]]]] = {}

    def evidence(self, code: str = "no-entities") -> Evidence:
        """The evidence itself."""
        return self

    @property
    def size(self) -> int:
        """The number of documents, if it is known."""
        return len(self.pairs)

    def names(self, documents: tuple[str, ...]) -> tuple[str, ...]:
        """The name of each document, where `documents` names what is scored as one."""
        return distinct(pair.name for pair in self.pairs) if self.size > len(documents) else documents

    @property
    def twinless(self) -> tuple[int, int]:
        """How many mentions of key and response have no twin."""
        sides = self.table, self.table.transposed
        ours, theirs = (int((side.key.mentions - side.shared).sum()) for side in sides)
        return ours, theirs

    @property
    def has_sets(self) -> bool:
        """Whether key and response of some document have split antecedents."""
        return any(key.sets and response.sets for key, response, _ in self.aligned)

    def fields(self) -> list[dict[str, str]]:
        """What the comments of each key document say of it; of a group of documents, what all of them say."""
        shared: dict[int, dict[str, str]] = {}
        for home, pair in zip(self.homes, self.pairs, strict=True):
            own = comments(pair.key)
            before = shared.setdefault(home, own)
            shared[home] = {name: value for name, value in before.items() if own.get(name) == value}
        return [shared[home] for home in sorted(shared)]


@dataclass(frozen=True, eq=False, repr=False)
class SumsOnly:
    """Stands in for the evidence when only sums were kept (saved evaluations, tables).

    `digests` are hashes of the documents of key and response, `saved_fields` what fields say of each document, `size`
    the number of documents where they were scored as one. An error with `reason` and `remedy` answers those who ask for
    more; `notes` stand beside the scores. `groups` has the counts of groups of entities, `counted` names what the sums
    are of. Where the files are still there, `again` scores them once more for the evidence. `version` is that of the
    scoref that counted.
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
    version: str = __version__

    drift: ClassVar[Mapping[str, Any]] = {}
    twinless: ClassVar[tuple[int, int]] = (0, 0)
    has_sets: ClassVar[bool] = False

    @property
    def available(self) -> bool:
        """Whether the evidence can be had by scoring again."""
        return self.again is not None

    def evidence(self, code: str = "no-entities") -> Evidence:
        """The evidence, by scoring again; else an error with that code."""
        if self.again is None:
            raise Error(code, self.reason, remedy=self.remedy)
        return self.again()

    def names(self, documents: tuple[str, ...]) -> tuple[str, ...]:
        """The names that are known: those of what is scored as one."""
        return documents

    def fields(self) -> list[dict[str, str]]:
        """What was saved of each document."""
        documents = range(len(self.digests[0]))
        return [{name: values[number] for name, values in self.saved_fields.items()} for number in documents]
