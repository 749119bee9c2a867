"""The documents of one evaluation as tables: what metrics and special rules are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..document.document import Document
from .members import SetMembers
from .metrics import Metric
from .table import USUAL, Aligned, Entities, Flags, Settings, Table, Tables, build, without
from .weights import Weighted


class CountingChoices(Protocol):
    """The choices of a protocol that counting obeys."""

    @property
    def split(self) -> str:
        """What happens to entities that stand for sets of others."""

    @property
    def credit(self) -> str:
        """What aligned sets are worth."""

    @property
    def twinless(self) -> str:
        """What happens to mentions without a twin."""

    @property
    def singletons(self) -> str:
        """What happens to entities of one mention."""

    @property
    def duplicates(self) -> str:
        """What happens to a mention that stands in several entities."""


class Corpus(NamedTuple):
    """Aligned documents, the home of each, their tables, and the sets of entities.

    `hidden` entities are in `tables`, as members of sets are compared by them, and not in those that are `shown`.
    `weights` are tables with the weights of mentions.
    """

    aligned: Sequence[Aligned]
    homes: Sequence[int]
    tables: Tables
    shown: Tables
    hidden: tuple[Flags, Flags]
    sets: SetMembers
    weights: Weighted | None = None

    def of(self, metric: Metric, credit: str) -> tuple[Table, Table]:
        """The tables that a metric takes recall and precision from, without credit for sets."""
        rules = metric.rules
        tables: Tables = getattr(self.weights, rules.weights) if self.weights and rules.weights else self.shown
        return rules.tables(tables, credit)

    @property
    def entities(self) -> tuple[Entities, Entities]:
        """The entities that are shown, in the order of the tables, without their sets."""
        return _shown(self.sets.key, self.hidden[0]), _shown(self.sets.response, self.hidden[1])


def corpus(aligned: Sequence[Aligned], homes: Sequence[int], settings: Settings = USUAL) -> Corpus:
    """The corpus of aligned documents; sets are compared by its own tables."""
    tables, key, response = build(aligned, homes, settings)
    hidden = (
        _hidden([document for document, _, _ in aligned], key, homes),
        _hidden([document for _, document, _ in aligned], response, homes),
    )
    shown = tables.changed(lambda table: without(table, *hidden)) if any(each.any() for each in hidden) else tables
    return Corpus(aligned, homes, tables, shown, hidden, SetMembers(key, response, (tables.every, tables.every)))


def _hidden(documents: Sequence[Document], entities: Entities, homes: Sequence[int]) -> Flags:
    """Which of the entities are hidden."""
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    hidden = {(home, name) for home, document in zip(homes, documents, strict=True) for name in document.hidden}
    return np.array([each in hidden for each in zip(entities.document, entities.name, strict=True)], np.bool_)


def _shown(entities: Entities, hidden: Flags) -> Entities:
    if not hidden.any():
        return entities._replace(sets={})
    shown = np.flatnonzero(~hidden).tolist()
    return Entities([entities.document[index] for index in shown], [entities.name[index] for index in shown], {})
