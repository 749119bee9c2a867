"""What defects of official rules change: the evaluation by the rule that is right, and a remark on the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..document.document import Document
from ..pairing.pairs import Pair
from ..problems import Error, Problems
from ..protocol.defects import DEFECTS
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from .stages import evaluate

_LEAST = 5e-8  # a difference that is none


def corrections(result: Evaluation, pairs: Sequence[Pair]) -> dict[str, Evaluation | None]:
    """For each choice that is a defect and matters to these documents the evaluation by the rule that is right.

    None where that rule cannot be applied.
    """
    found: dict[str, Evaluation | None] = {}
    for (choice, word), (corrected, applies) in DEFECTS.items():
        if getattr(result.protocol, choice) != word:
            continue
        if not any(applies(side) for pair in pairs for side in (pair.key, pair.response)):
            continue
        try:
            found[choice] = _corrected(result, pairs, result.protocol.change(**{choice: corrected}), applies)
        except Error:
            found[choice] = None
    return found


def defect_remarks(result: Evaluation, corrected: Mapping[str, Evaluation | None]) -> list[str]:
    """For each defect that changes the scores a sentence that says by how much."""
    found = []
    for choice, right in corrected.items():
        if right is None:  # there is nothing to compare
            continue
        changed = {metric: result[metric].f1 - right[metric].f1 for metric in result.protocol.metrics}
        largest = max(changed, key=lambda metric: (metric == "conll", abs(changed[metric])))
        if abs(changed[largest]) < _LEAST:
            largest = max(changed, key=lambda metric: abs(changed[metric]))
        if abs(changed[largest]) >= _LEAST:
            points = f"{100 * changed[largest]:+.2f}"
            found.append(f"the official rule for {choice} changes {largest} by {points} here; "
                         f"corrected: --{choice} {getattr(right.protocol, choice)}")  # fmt: skip
    return found


def _corrected(
    result: Evaluation, pairs: Sequence[Pair], protocol: Protocol, applies: Callable[[Document], bool]
) -> Evaluation:
    """The evaluation by the right rule; only documents that have what it treats differently are scored again."""
    concerned = [number for number, (_, *sides, _, _) in enumerate(pairs) if any(map(applies, sides))]
    # where no document matters to another
    alone = protocol.reading.scope == "document" and protocol.counting.weights == "none"
    if not alone or any(len(values) != len(pairs) for values in result.counts.values()):
        return evaluate(pairs, protocol, Problems("skip"))
    again = evaluate([pairs[number] for number in concerned], protocol, Problems("skip"))
    counts = {name: values.copy() for name, values in result.counts.items()}
    for name, values in again.counts.items():
        counts[name][concerned] = values
    return replace(result, protocol=protocol, counts=counts)
