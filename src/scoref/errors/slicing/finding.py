"""The function `slices`: from one evaluation, or two of the same key, to slices; and losses by two fields, crossed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from ...counting.metrics import ratio
from ...counting.table import Floats
from ...document.kinds import NONE, UNKNOWN
from ...layout.render import Json
from ...problems import Error
from ...results.evaluation import Evaluation
from ...results.kinds import SummedMentions, summed
from ...results.merging import refuse_different, refuse_other_documents
from ...results.scores import SEED
from .populations import Losses, Places, losses
from .search import TRIALS, Hit, search
from .slices import VALUES, Slice, Slices, SliceSearch

METRIC = "b3"  # whose losses are looked at, unless another metric is asked for


def slices(
    evaluation: Evaluation,
    other: Evaluation | None = None,
    *,
    metric: str | None = None,
    fields: Sequence[str] = (),
    trials: int = TRIALS,
    seed: int = SEED,
    names: tuple[str, str] = ("A", "B"),
    most: int | None = None,
    mentions: Sequence[SummedMentions] = (),
) -> Slices:
    """Where a response loses more than elsewhere; with a second one, where that is better, and where it is worse.

    Args:
        evaluation: the evaluation of a response; its mentions are needed, so that a saved one will not do.
        other: that of a second response to the same key.
        metric: the metric whose losses count, a sum over mentions; without it `b3`, or the first that was scored.
        fields: the fields that make kinds, as in `by_mention`; without them form, nested, first, distance, length,
            position, quoted, and the attributes of mentions.
        trials: how often the signs of entities are drawn.
        seed: the seed of random numbers.
        names: the names of the two systems.
        most: of more documents than these, so many are drawn at random, and slices are looked for in them alone; their
            numbers are those of all documents.
        mentions: what the mentions of each response contribute to metrics, if that is known.
    """
    if trials < 1 or seed < 0 or (most is not None and most < 1):
        raise Error("bad-trials", f"{trials} trials with the seed {seed}", expected="at least 1, a seed from 0 on")
    systems = {names[0]: evaluation, **({names[1]: other} if other else {})}
    if other:
        refuse_different(systems)
        refuse_other_documents(systems)
        if evaluation.documents != other.documents:
            raise Error("different-documents", "the two responses were scored on documents in another order",
                        expected="the same documents in one order", remedy="score both on the same key")  # fmt: skip
    counts = mentions or [summed_for(each, metric) for each in systems.values()]
    chosen = metric_of(metric, counts)
    found = [one for side in range(2) for one in _searches(_losses(evaluation, counts, chosen, side, fields),
             len(counts) == 1, (trials, seed, most))]  # fmt: skip
    reasons = [each.left_out[METRIC] for each in counts if METRIC in each.left_out]
    instead = f"by {chosen}, as {METRIC} cannot be: {reasons[0]}" if reasons and metric is None else ""
    return Slices(chosen, tuple(found), trials, seed, names if other else None, instead)


def summed_for(evaluation: Evaluation, metric: str | None = None) -> SummedMentions:
    """What mentions contribute to the metric whose losses count; to all metrics, where that is another one."""
    name = metric or METRIC
    if name in evaluation.protocol.metrics:
        alone = replace(evaluation, protocol=evaluation.protocol.change(metrics=(name,)))
        with suppress(Error):
            found = summed(alone, evaluation.evidence)
            if name in found.apart:
                return found
    return summed(evaluation, evaluation.evidence)


def metric_of(metric: str | None, counts: Sequence[SummedMentions]) -> str:
    """The metric whose losses count; an error if it says nothing of what mentions of a side lose, in all responses."""
    known = [name for name in counts[0].apart if all(name in each.apart for each in counts)]
    if not known:
        expected = "a metric like mentions, muc, b3, ceafm, lea or pairwise"
        message = "no metric here says what mentions of a side lose"
        raise Error("no-kinds", message, expected=expected, remedy="add --metrics b3")
    if metric is None:
        return METRIC if METRIC in known else known[0]
    if metric not in known:
        reasons = [each.left_out[metric] for each in counts if metric in each.left_out]
        reason = reasons[0] if reasons else "it was not scored"
        expected, remedy = f"one of {', '.join(known)}", f"choose one of these, or score {metric}"
        raise Error("no-kinds", f"{metric}: {reason}", expected=expected, remedy=remedy)
    return metric


def _losses(
    evaluation: Evaluation, counts: Sequence[SummedMentions], metric: str, side: int, fields: Sequence[str]
) -> Losses:
    identity = evaluation.protocol.matching.identity
    sums = [each.of(metric, side) for each in counts]
    return losses([each.sides[side] for each in counts], sums, side, identity, fields)


def _searches(lost: Losses, alone: bool, how: tuple[int, int, int | None]) -> Iterator[SliceSearch]:
    """The search of one response; of two, where the second is better, and where it is worse."""
    for better in (None,) if alone else (True, False):
        sign = -1.0 if better is False else 1.0
        part = lost.population._replace(loss=sign * lost.population.loss)
        found = search(part, [*lost.kinds.values()], *how)
        each = tuple([_slice(hit, lost, sign) for hit in found.hits])
        yield SliceSearch(VALUES[lost.side], better, each, len(part.loss), *found[1:])


def _slice(hit: Hit, lost: Losses, sign: float) -> Slice:
    """A slice with the words for its kinds and the places of its mentions."""
    fields = [*lost.kinds.items()]
    kinds = tuple((fields[field][0], fields[field][1].names[kind]) for field, kind in hit.conditions)
    most_first = np.argsort(-sign * lost.population.loss[hit.members].round(9), kind="stable")
    members = hit.members[most_first]
    return Slice(kinds, *hit[2:9], hit.p, Places(lost, members))


@dataclass(frozen=True)
class CrossedLosses:
    """What mentions lose by the kinds of two fields, crossed: the data of a heat map.

    `mentions` has for each kind of the first field and each of the second how many there are, `loss` what one of them
    loses on the mean.
    """

    value: str
    metric: str
    fields: tuple[str, str]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    mentions: tuple[tuple[int, ...], ...]
    loss: tuple[tuple[float, ...], ...]

    def to_dict(self) -> Json:
        """The numbers for JSON."""
        return {"value": self.value, "metric": self.metric, "fields": list(self.fields), "rows": list(self.rows),
                "columns": list(self.columns), "mentions": self.mentions, "loss": self.loss}  # fmt: skip


def crossed_losses(
    evaluation: Evaluation, rows: str, columns: str, metric: str | None = None, side: int = 0
) -> CrossedLosses:
    """What the mentions of the key (side 0: recall) or the response lose, by two fields crossed."""
    counts = [summed_for(evaluation, metric)]
    chosen = metric_of(metric, counts)
    lost = _losses(evaluation, counts, chosen, side, (rows, columns))
    down, across = lost.kinds[rows], lost.kinds[columns]
    shape = len(down.names), len(across.names)
    codes = down.of * shape[1] + across.of
    number = np.bincount(codes, minlength=shape[0] * shape[1]).astype(np.float64)
    total = np.bincount(codes, lost.population.loss, len(number)).astype(np.float64)
    mean = ratio(total, number).reshape(shape)
    number = number.reshape(shape)
    kept = [_shown(each.names, number.sum(axis=1 - axis)) for axis, each in enumerate((down, across))]
    some = np.ix_(*kept)
    names = [tuple(each.names[place] for place in of) for each, of in zip((down, across), kept, strict=True)]
    table = tuple(map(tuple, number[some].astype(int).tolist())), tuple(map(tuple, mean[some].tolist()))
    return CrossedLosses(VALUES[side], chosen, (rows, columns), names[0], names[1], *table)


def _shown(names: Sequence[str], number: Floats) -> list[int]:
    """The kinds that have mentions; unknown ones last."""
    there = [place for place in range(len(names)) if number[place]]
    return sorted(there, key=lambda place: names[place] in (UNKNOWN, NONE))
