"""What stands in for the evidence of an evaluation where only sums were kept: saved evaluations, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from .. import __version__
from ..counting.table import Floats
from ..layout.render import Json
from ..problems import Error
from .evidence import Evidence, KindSums


@dataclass(frozen=True, eq=False, repr=False)
class SumsOnly:
    """Stands in for the evidence when only sums were kept (saved evaluations, tables).

    `digests` are hashes of the documents of key and response, `saved_fields` the values of fields for each document,
    `size` the number of documents where they were scored as one. Whatever needs more than sums raises an error with
    `reason` and `remedy`, unless `again` is given, which scores the files once more. `notes` are printed below the
    scores. `groups` has the counts of groups of entities, `counted` says what there are sums of (documents, units).
    `version` is the version of scoref that counted. `kinds` has the counts of mentions by kind, for some fields.
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
    kinds: Mapping[str, KindSums] = field(default_factory=dict)

    drift: ClassVar[Json] = {}
    answers: ClassVar[Json] = {}
    twinless: ClassVar[tuple[int, int]] = (0, 0)
    has_sets: ClassVar[bool] = False

    @property
    def available(self) -> bool:
        """Whether scoring again can give the evidence."""
        return self.again is not None

    def evidence(self, code: str = "no-entities") -> Evidence:
        """The evidence, from scoring again; if that is not possible, an error with that code."""
        if self.again is None:
            raise Error(code, self.reason, remedy=self.remedy)
        return self.again()

    def names(self, documents: tuple[str, ...]) -> tuple[str, ...]:
        """The names as they are: if documents were scored as one, those of the single documents were not kept."""
        return documents

    def fields(self) -> list[dict[str, str]]:
        """The saved fields of each document, by name."""
        documents = range(len(self.digests[0]))
        return [{name: values[number] for name, values in self.saved_fields.items()} for number in documents]
