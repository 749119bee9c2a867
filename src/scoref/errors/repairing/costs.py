"""What the errors of one kind cost, and why a repair can lower a score."""

from __future__ import annotations

from typing import NamedTuple

from ...layout.grid import Number, signed

_NOTHING = 0.00005  # losses below it are shown as 0.00 points
_REPAIRED = {
    "span error": "spans", "conflated entities": "conflated entities", "extra mention": "extra mentions",
    "extra entity": "extra entities", "divided entity": "divided entities", "missing mention": "missing mentions",
    "missing entity": "missing entities",
}  # fmt: skip
_SINGLE = "entities with one mention are left, which the protocol counts otherwise, or not at all"
_WRONG = "that still have mentions of others in them, and the larger wrong entity costs more than the mentions gain"
_REASONS = {
    "span error": f"mentions with the right span join entities {_WRONG}",
    "conflated entities": "the parts are entities of their own until divided entities are merged, which costs",
    "extra mention": _SINGLE,
    "extra entity": _SINGLE,
    "divided entity": f"whole response entities are merged {_WRONG}",
    "missing mention": f"the mentions are put into response entities {_WRONG}",
    "missing entity": _SINGLE,
}


class Cost(NamedTuple):
    """What errors of one kind cost: f1 gained when they alone, or all kinds up to theirs together, are repaired."""

    kind: str
    number: int
    alone: dict[str, float]
    together: dict[str, float]

    def shown(self, metric: str | None) -> tuple[Number, ...]:
        """What is gained alone and together, as a table shows it; nothing without a metric."""
        return (signed(self.alone[metric]), signed(self.together[metric])) if metric else ()

    def reason(self, metric: str) -> str:
        """Why repairing this kind alone lowers a score, in a sentence; '' where it does not."""
        if self.alone.get(metric, 0.0) > -_NOTHING:
            return ""
        return f"repairing {_REPAIRED[self.kind]} alone lowers {metric}: {_REASONS[self.kind]}"
