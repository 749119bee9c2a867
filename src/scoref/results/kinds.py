"""Scores of mentions by their kind: what each kind contributes to metrics that are sums over mentions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ..counting.by_mention import Columns, mention_sums
from ..counting.corpus import Corpus, corpus
from ..counting.metrics import Score, Whole
from ..counting.metrics import Sums as MentionSums
from ..counting.table import Floats, NumberedMentions, Settings
from ..document.document import Integers
from ..document.grouping import MENTION, by_number
from ..document.kinds import FIELDS, NONE, UNKNOWN, Kinds, SideMentions, both_kinds
from ..formats import SIDES
from ..layout import grid
from ..layout.render import Json
from ..problems import Error
from ..relations.registry import how_of, metric
from .averages import Sums
from .evidence import Evidence, KindSums
from .scores import GroupScores, Intervals

_THERE = [1, 3], [3, 3]  # of four counts, what there is to count on both sides; of sums over pairs, the pairs
_NO_SUM = "no sum over mentions"
_OTHER_RULE = "its rule for these files (repeated mentions, sets, weights, ...) is no sum over mentions"

Part = TypeVar("Part", bound=Sums)


class KindScores(GroupScores, Generic[Part]):
    """The scores of mentions by kind: a dictionary of groups, as in `GroupScores`.

    `parts` has for each kind an evaluation whose counts are those of its mentions: recall counts mentions of the key,
    precision mentions of the response. `left_out` says why a metric has no such values, `intervals` are those of each
    kind, if they were made.
    """

    def __init__(
        self,
        field: str,
        parts: Mapping[str, Part],
        left_out: Mapping[str, str],
        intervals: Mapping[str, Intervals] | None = None,
    ) -> None:
        rows = {name: zip(part.protocol.metrics, part.score_rows, strict=True) for name, part in parts.items()}
        scores = {name: {metric: Score(*row) for metric, row in each} for name, each in rows.items()}
        super().__init__(scores, field, {name: set(part.undefined) for name, part in parts.items()})
        self.parts, self.left_out, self.intervals = parts, left_out, intervals or {}

    def __reduce__(self) -> tuple[object, ...]:
        return KindScores, (self.field, self.parts, self.left_out, self.intervals)

    def with_intervals(self, intervals: Mapping[str, Intervals]) -> KindScores[Part]:
        """The same with these intervals by kind."""
        return KindScores(self.field, self.parts, self.left_out, intervals)

    def rows(self, whole: bool = True) -> tuple[tuple[str, ...], list[tuple[grid.Cell, ...]]]:
        """Column names and rows: kind, metric, what there is to count on both sides, scores, and intervals.

        Intervals are those of f1; with `whole` also those of recall and precision, and the kind is in every row.
        """
        ends = Score._fields if whole else Score._fields[2:]
        limits = tuple(f"{name} {end}" for name in ends for end in ("low", "high")) if self.intervals else ()
        rows: list[tuple[grid.Cell, ...]] = []
        for label, scores in self.items():
            for number, (name, score) in enumerate(scores.items()):
                there = self.parts[label].totals[name][_THERE[isinstance(how_of(name), Whole)]].tolist()
                sides = [each if many else grid.NOTHING for each, many in zip(score, there, strict=False)]
                empty = not all(there) and (not any(there) or max(score[:2]) > 0)
                f1 = grid.NOTHING if empty else score.f1
                each = self.intervals[label].scores.get(name) if self.intervals else None
                ending: list[grid.Cell] = [end for interval in (each or ())[-len(ends) :] for end in interval]
                named = label if whole or not number else ""
                rows.append((named, name, *map(_whole, there), *sides, f1, *(ending or [None] * len(limits))))
        return (self.field, "metric", *SIDES, *Score._fields, *limits), rows

    def grid(self) -> grid.Grid:
        """The table: for each kind and metric what there is to count in key and response, and the scores."""
        return grid.Grid(
            f"by {self.field} (recall: of the key's, precision: of the response's)", *self.rows(whole=False)
        )

    def to_dict(self) -> Json:
        """Scores, counts and intervals by kind and metric."""
        found: Json = {}
        for label, scores in self.items():
            found[label] = {name: {**score._asdict(), **self._counts(label, name)} for name, score in scores.items()}
        return found

    def _counts(self, label: str, name: str) -> Json:
        sums = self.parts[label].totals[name].tolist()
        ends = self.intervals[label].scores.get(name) if self.intervals else None
        interval = {"ci": dict(zip(Score._fields, map(list, ends), strict=True))} if ends else {}
        counts = {"sums": sums} if isinstance(how_of(name), Whole) else {"recall": sums[:2], "precision": sums[2:]}
        return {"counts": counts, **interval}

    def notes(self) -> list[str]:
        """Sentences on metrics that are left out."""
        reasons: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            reasons.setdefault(reason, []).append(name)
        lines = [f"{', '.join(names)}: not by {self.field}, {reason}" for reason, names in reasons.items()]
        known = [part.totals for name, part in self.parts.items() if name not in (NONE, UNKNOWN)]
        for side, place, other in zip(SIDES, (1, 3), ("precision", "recall"), strict=True):
            if known and not any(sums[place] for totals in known for sums in totals.values()):
                lines.append(f"the {side} says nothing of {self.field}: only {other} can be told by it")
        return lines


def _whole(number: float) -> grid.Cell:
    """A count as a table shows it: a number of mentions, or of half links."""
    return int(number) if number == int(number) else grid.Number(number, f"{number:.1f}")


class SummedMentions(NamedTuple):
    """The mentions of both sides, and what each of them adds to the counts of metrics; why others are left out."""

    sides: tuple[SideMentions, SideMentions]
    homes: tuple[Integers, Integers]
    sums: Mapping[str, Columns]
    left_out: Mapping[str, str]

    @property
    def apart(self) -> list[str]:
        """The metrics with numerators and denominators of their own for the mentions of each side."""
        return [name for name, columns in self.sums.items() if [side for side, _ in columns] == [0, 0, 1, 1]]

    def of(self, name: str, side: int) -> MentionSums:
        """The numerators and denominators of the mentions of a side, for a metric of `apart`."""
        numerator, denominator = (values for at, values in self.sums[name] if at == side)
        return numerator, denominator


def summed(whole: Sums, evidence: Evidence) -> SummedMentions:
    """What each mention contributes to the metrics of an evaluation that are sums over mentions."""
    counting = whole.protocol.counting
    found = corpus(evidence.aligned, evidence.homes, Settings(counting.beta, counting.frequent))
    sides = _sides(found)
    homes = np.array(evidence.homes, np.int64)
    at = homes[sides[0].document], homes[sides[1].document]
    sums, left_out = {}, {}
    for name in whole.protocol.metrics:
        known = metric(name)
        each = (
            mention_sums(known, found, (sides[0].rank, sides[1].rank), whole.protocol.preparing.credit)
            if known
            else None
        )
        if each is None:
            left_out[name] = _NO_SUM
            continue
        columns = [np.bincount(at[side], values, len(whole.documents)) for side, values in each]
        if not np.allclose(np.stack(columns, axis=1), whole.counts[name], rtol=1e-9, atol=1e-9):
            left_out[name] = _OTHER_RULE
            continue
        sums[name] = each
    if not sums:
        raise _no_kinds(left_out)
    return SummedMentions(sides, at, sums, left_out)


def _no_kinds(left_out: Mapping[str, str]) -> Error:
    reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items())
    return Error("no-kinds", f"no metric here is a sum over mentions ({reasons})",
                 expected="a metric like mentions, muc, b3, ceafm, lea or pairwise",
                 remedy="add --metrics b3, or choose another --protocol")  # fmt: skip


def _sides(found: Corpus) -> tuple[SideMentions, SideMentions]:
    documents = [pair[0] for pair in found.aligned], [pair[1] for pair in found.aligned]
    ours, theirs = (SideMentions(each, NumberedMentions.of(each, found.homes).entity) for each in documents)
    return ours, theirs


def by_kind(whole: Part, source: Evidence | KindSums, field: str) -> KindScores[Part]:
    """The scores of an evaluation by the kind of mentions that a field tells, from its documents or from saved sums."""
    found = source if isinstance(source, KindSums) else kind_sums(whole, source, field)
    metrics = whole.protocol.metrics
    kept = [name for name in metrics if any(name in counts for counts in found.counts.values())]
    left_out = {name: why for name, why in found.left_out.items() if name in metrics}
    if found.counts and not kept:
        raise _no_kinds(left_out)
    parts = {}
    for name, counts in found.counts.items():
        protocol = whole.protocol.change(average="micro", metrics=kept)
        parts[name] = replace(whole, protocol=protocol, counts={metric: counts[metric] for metric in kept})
    return KindScores(f"{MENTION}{field}", parts, left_out)


def kind_sums(whole: Sums, evidence: Evidence, field: str) -> KindSums:
    """What mentions of each kind count in each document."""
    mentions = summed(whole, evidence)
    kinds = both_kinds(mentions.sides, field)
    names = _names(kinds, field)
    places = [np.array([names.index(name) for name in each.names], np.int64)[each.of] for each in kinds]
    size = len(whole.documents)
    counts: dict[str, Floats] = {}
    codes = [place * size + home for place, home in zip(places, mentions.homes, strict=True)]
    for name, each in mentions.sums.items():
        columns = [np.bincount(codes[side], values, len(names) * size) for side, values in each]
        counts[name] = np.stack(columns, axis=1).astype(np.float64).reshape(len(names), size, 4)
    there = np.unique(np.concatenate(places)).tolist()
    return KindSums(
        {names[place]: {name: of[place] for name, of in counts.items()} for place in there}, mentions.left_out
    )


def _names(kinds: tuple[Kinds, Kinds], field: str) -> list[str]:
    """The names of kinds on both sides, in their order; those of other fields by their numbers, else letters."""
    return _in_order(dict.fromkeys([*kinds[0].names, *kinds[1].names]), field)


def _in_order(names: Collection[str], field: str) -> list[str]:
    if field not in FIELDS:
        return sorted(names, key=lambda name: (name in ("", NONE), by_number(name)))
    return [name for name in SideMentions((), np.empty(0, np.int64)).of(field).names if name in names]


def chained(field: str, parts: Sequence[tuple[KindSums, int]]) -> KindSums:
    """The sums of kinds of several evaluations, with the number of documents of each, as those of one."""
    counted = [set().union(*each.counts.values()) for each, _ in parts]
    metrics = [name for name in next(iter(parts[0][0].counts.values()), {}) if all(name in each for each in counted)]
    nothing = [np.zeros((number, 4)) for _, number in parts]
    names = _in_order({name for each, _ in parts for name in each.counts}, field)
    counts = {
        name: {
            metric: np.concatenate([each.counts[name][metric] if name in each.counts else none
                                    for (each, _), none in zip(parts, nothing, strict=True)])
            for metric in metrics
        }
        for name in names
    }  # fmt: skip
    return KindSums(counts, {name: why for each, _ in parts for name, why in each.left_out.items()})
