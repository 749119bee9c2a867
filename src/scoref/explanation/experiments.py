"""Scores the same documents under one setting after the other; what settings share is computed once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from ..counting.table import Floats
from ..problems import Error, Problems
from ..protocol.choices import CHOICES
from ..protocol.protocol import Protocol
from ..results.averages import finished, required
from ..results.evaluation import Evaluation
from ..run.stages import Memo, evaluate

FIXED = tuple(name for name, choice in CHOICES.items() if choice.fixed)


class Experiments:
    """The documents of an evaluation, scored under any setting.

    Of a saved evaluation only those settings can be scored whose sums it has.
    """

    def __init__(self, yours: Evaluation, metrics: Sequence[str], memo: Memo | None = None) -> None:
        self.yours = yours
        self.protocol = yours.protocol.change(metrics=tuple(metrics))
        self.metrics = self.protocol.metrics
        self._memo = memo or Memo()
        self._counted: dict[Hashable, Evaluation | Error] = {}
        self._sums: dict[Hashable, Floats] = {}
        self._scores: dict[Hashable, Floats] = {}
        if self.saved:
            for each in (yours, *yours.settings.values()):
                self._counted[self._stage(each.protocol)] = each

    @property
    def saved(self) -> bool:
        """Whether only sums are known, as of a saved evaluation."""
        return not self.yours.has_evidence

    def change(self, protocol: Protocol, **choices: str) -> Protocol:
        """The protocol with other choices, but with these metrics, and with what is the same for all settings."""
        same = {name: getattr(self.protocol, name) for name in FIXED}
        return protocol.change(metrics=self.metrics, **same).change(**choices)

    def evaluation(self, protocol: Protocol) -> Evaluation:
        """The evaluation under the protocol; an error where the documents lack what it needs."""
        stage = self._stage(protocol)
        if stage not in self._counted:
            try:
                self._counted[stage] = self._evaluated(protocol)
            except Error as error:
                self._counted[stage] = error
        found = self._counted[stage]
        if isinstance(found, Error):
            raise found
        missing = [name for name in required(protocol) if name not in found.counts] if self.saved else []
        if missing:
            raise Error(
                "no-entities", f"the saved evaluation has no {', '.join(missing)}", remedy="score the files again"
            )
        return replace(found, protocol=protocol, settings={}, intervals=None)

    def scores(self, protocol: Protocol) -> Floats:
        """Recall, precision and f1 of each metric, [metrics, 3]."""
        if protocol.metrics != self.metrics:
            protocol = protocol.change(metrics=self.metrics)
        digits = protocol.averaging.digits
        summed = replace(protocol, name="", averaging=protocol.averaging._replace(digits="exact"))
        if summed not in self._sums:
            self._sums[summed] = self.evaluation(protocol).sums()
        if (summed, digits) not in self._scores:
            self._scores[summed, digits] = finished(protocol, self._sums[summed])
        return self._scores[summed, digits]

    def f1(self, protocol: Protocol) -> Floats:
        """The f1 of each metric."""
        return self.scores(protocol)[:, 2]

    def _evaluated(self, protocol: Protocol) -> Evaluation:
        if self.saved:
            raise Error("no-entities", "a saved evaluation holds sums only", remedy="score the files again")
        everything = protocol.change(average="weighted", links="scorch", metrics=self.metrics)
        return evaluate(self.yours.evidence.pairs, everything, Problems("skip"), memo=self._memo)

    def _stage(self, protocol: Protocol) -> Hashable:
        """The choices that counts depend on; averages are made after everything is counted."""
        empty = "" if self.saved else protocol.averaging.empty
        return protocol.reading, protocol.preparing, protocol.matching, protocol.counting, empty
