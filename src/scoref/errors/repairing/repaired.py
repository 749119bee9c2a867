"""The response with errors of some kinds repaired: its documents, its scores, and what each kind of error costs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...counting.table import Floats
from ...document.document import Document, Integers
from ...document.grouping import grouped
from ...layout.grid import Number, signed
from ...pairing.pairs import Pair
from ...problems import Problems
from ...protocol.protocol import Protocol
from ...results.averages import required
from ...results.evaluation import Evaluation
from ...run.stages import evaluate
from ..mistakes import KINDS
from ..twins import Twins
from .repair import Repairs
from .rescoring import Rescoring, applies

_NOTHING = 0.00005  # smaller losses are shown as 0.00 points

_SINGLE = "entities with one mention are left, which the protocol counts otherwise, or not at all"
_WRONG = "that still have mentions of others in them, and the larger wrong entity costs more than the mentions gain"
_MERGED = "the parts are entities of their own until divided entities are merged, which costs"
_REASONS = {  # for each kind, what is repaired, and why that may lower a score
    "span error": ("spans", f"mentions with the right span join entities {_WRONG}"),
    "conflated entities": ("conflated entities", _MERGED),
    "extra mention": ("extra mentions", _SINGLE),
    "extra entity": ("extra entities", _SINGLE),
    "divided entity": ("divided entities", f"whole response entities are merged {_WRONG}"),
    "missing mention": ("missing mentions", f"the mentions are put into response entities {_WRONG}"),
    "missing entity": ("missing entities", _SINGLE),
}
_UnitKinds = tuple[int, tuple[str, ...]]  # the number of a unit, and the kinds of its errors that are repaired


class Cost(NamedTuple):
    """What errors of one kind cost: the gain in f1 if only they are repaired, or all kinds up to this one together."""

    kind: str
    number: int
    alone: dict[str, float]
    together: dict[str, float]

    def shown(self, metric: str | None) -> tuple[Number, ...]:
        """The gain alone and together, as cells of a table; none without a metric."""
        return (signed(self.alone[metric]), signed(self.together[metric])) if metric else ()

    def reason(self, metric: str) -> str:
        """Why repairing this kind alone lowers a score, in a sentence; '' where it does not."""
        if self.alone.get(metric, 0.0) > -_NOTHING:
            return ""
        repaired, reason = _REASONS[self.kind]
        return f"repairing {repaired} alone lowers {metric}: {reason}"


class RepairedResponses:
    """Responses in which errors of some kinds are repaired, and their scores in the metrics on entities.

    `errors` says how many errors of each kind each document has, [documents, kinds]. A *unit* is all documents that
    share their entities: one document, a group of them, or the corpus.
    """

    def __init__(self, twins: Twins, evaluation: Evaluation, metrics: tuple[str, ...], errors: Integers) -> None:
        self._twins, self._evaluation, self._metrics, self._errors = twins, evaluation, metrics, errors
        self._known: dict[tuple[str, ...], dict[str, float]] = {}

    @cached_property
    def _units(self) -> list[Repairs]:
        return [Repairs(self._twins, numbers) for numbers in grouped(self._evaluation.evidence.homes).values()]

    def pairs(self, kinds: Collection[str]) -> list[Pair]:
        """The pairs of documents, as they were read, with the repaired responses."""
        return [pair for unit in self._units for pair in self._pairs_of(unit, kinds)]

    def _pairs_of(self, unit: Repairs, kinds: Collection[str]) -> list[Pair]:
        pairs = [self._evaluation.evidence.pairs[number] for number in unit.numbers]
        if self._evaluation.protocol.reading.layer != "deixis":
            repaired = unit.repaired(kinds, [pair.key for pair in pairs], [pair.response for pair in pairs])
        else:
            both = [[side.deixis or Document(pair.name) for side in pair[1:3]] for pair in pairs]
            layers = unit.repaired(kinds, [key for key, _ in both], [response for _, response in both])
            repaired = [replace(pair.response, deixis=layer) for pair, layer in zip(pairs, layers, strict=True)]
        return [pair._replace(response=response) for pair, response in zip(pairs, repaired, strict=True)]

    @cached_property
    def costs(self) -> list[Cost]:
        """What the errors of each kind cost."""
        base = self._f1(())
        numbers = self._errors.sum(axis=0).tolist()
        costs: list[Cost] = []
        for at, kind in enumerate(KINDS):
            both = self._f1([kind]), self._f1(KINDS[: at + 1])
            gains = [{metric: f1 - base[metric] for metric, f1 in scores.items()} for scores in both]
            costs.append(Cost(kind, numbers[at], *gains))
        return costs

    def _f1(self, kinds: Collection[str]) -> dict[str, float]:
        """The f1 of the response, by metric, when errors of those kinds are repaired."""
        if not self._metrics:
            return {}
        protocol = self._evaluation.protocol.change(metrics=self._metrics)
        names = required(protocol)
        present = tuple(kind for kind in kinds if self._errors[:, KINDS.index(kind)].any())
        if present in self._known:
            return self._known[present]
        if not present:
            counts = {name: self._evaluation.counts[name] for name in names}
        elif self._rescoring:
            counts = self._rescoring.counts(names, present)
        else:
            counts = self._counts_by_scoring(present, protocol)
        scored = replace(self._evaluation, protocol=protocol, counts=counts)
        self._known[present] = {name: scored[name].f1 for name in self._metrics}
        return self._known[present]

    @cached_property
    def _rescoring(self) -> Rescoring | None:
        return Rescoring(self._twins, self._evaluation) if applies(self._evaluation) else None

    def _counts_by_scoring(self, kinds: Collection[str], protocol: Protocol) -> dict[str, Floats]:
        """The counts of documents that are repaired and scored again.

        Only units with such errors are scored again, and only once for the same kinds.
        """
        homes = np.array(self._evaluation.evidence.homes, np.int64)
        errors = np.zeros((len(self._units), len(KINDS)), np.int64)
        np.add.at(errors, homes, self._errors)
        wanted: list[_UnitKinds] = [
            (unit, tuple(kind for kind in kinds if errors[unit, KINDS.index(kind)])) for unit in range(len(self._units))
        ]
        new = [each for each in wanted if each not in self._scored]
        if new:
            pairs = [pair for unit, some in new for pair in self._pairs_of(self._units[unit], some)]
            counts = evaluate(pairs, protocol, Problems("skip")).counts
            self._scored.update({each: {name: counts[name][row] for name in counts} for row, each in enumerate(new)})
        return {name: np.array([self._scored[each][name] for each in wanted]) for name in required(protocol)}

    @cached_property
    def _scored(self) -> dict[_UnitKinds, dict[str, Floats]]:
        """The counts of units by the kinds that are repaired; at first those of the response as it is."""
        counts = self._evaluation.counts
        units = range(len(self._evaluation.documents))
        return {(unit, ()): {name: counts[name][unit] for name in counts} for unit in units}
