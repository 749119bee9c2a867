"""What is said beside scores: what is undefined, what means leave out, which official rules matter."""

from __future__ import annotations

from ..document.grouping import grouped
from ..protocol.defects import why_repeated
from ..relations.registry import compares_common, unsettled
from ..texts.projection import drift_sentences
from .averages import counts_what, defined, parts
from .evidence import Evidence, SumsOnly
from .sums import Sums


def remarks(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """Sentences on scores: what is undefined, what is left out, what official rules do, how running texts differ."""
    return [
        *_undefined(sums),
        *_means(sums),
        *_left_out(sums, source),
        *_above_one(sums),
        *_unsettled(sums, source),
        *drift_sentences(source.drift, sums.protocol.preparing.lost),
    ]


def number_of(number: int, what: str) -> str:
    """A number and what it counts, in the plural but for 1.

    >>> number_of(1, "document"), number_of(2, "document")
    ('1 document', '2 documents')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def _undefined(sums: Sums) -> list[str]:
    """The metrics that have nothing to count, and the averages that take them as 0."""
    lines = [f"{metric}: {reason}" for metric, reason in sums.undefined.items() if not parts(metric)]
    for metric in sums.protocol.metrics:
        lacking = [part for part in parts(metric) if not defined(part, sums.totals)]
        if lacking and len(lacking) < len(parts(metric)):
            what = counts_what(lacking[0])
            lines.append(f"{metric} counts {', '.join(lacking)} as 0: no {what} in key and response")
    return lines


def _means(sums: Sums) -> list[str]:
    """Over what the means are, and what is left out of them."""
    average = sums.protocol.averaging.average
    names, what = (sums.datasets, "dataset") if average == "datasets" else (sums.documents, "document")
    total = len(grouped(names))
    if average not in ("macro", "means", "datasets") or total < 2:
        return []
    lines = [f"mean over {total} {what}s"]
    for metric, there in sums.defined_in(names).items() if sums.protocol.averaging.empty == "skip" else ():
        number = int(there.sum())
        if 0 < number < total and not parts(metric):
            lines.append(f"{metric}: mean over the {number} of them that have {counts_what(metric)}")
    return lines


def _left_out(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """How many mentions are in no common clustering, where clusterings were compared."""
    compared = compares_common(sums.protocol.metrics)
    key, response = source.twinless if compared else (0, 0)
    if not key and not response:
        return []
    return [f"{', '.join(compared)}: {key} mentions of the key and {response} of the response have no twin, "
            "and are left out"]  # fmt: skip


def _above_one(sums: Sums) -> list[str]:
    """The metrics that official rules for repeated mentions bring above 1."""
    named = zip(sums.protocol.metrics, sums.values, strict=True)
    above = [metric for metric, values in named if max(values) > 1 + 1e-9]
    return [f"out of range: {', '.join(above)} above 100, {why_repeated(sums.protocol)}"] if above else []


def _unsettled(sums: Sums, source: Evidence | SumsOnly) -> list[str]:
    """The metrics of which the official scorer gives another number each time it is run."""
    depending = [metric for metric in sums.protocol.metrics if unsettled(metric)]
    credited = (sums.protocol.preparing.credit, sums.protocol.preparing.split) == ("ua-1.0", "credit")
    if not depending or not credited or not source.has_sets:
        return []
    return [f"{', '.join(depending)}: the official scorer's number may differ; with split antecedents it depends on the"
            " order of a Python set"]  # fmt: skip
