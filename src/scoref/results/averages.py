"""From the counts of documents to scores: what each average adds up over documents, and what it makes of the sums.

| average | what is added up | the score |
|---|---|---|
| `micro` | counts | ratios of the sums |
| `macro` | recall, precision and f1 of each document | their means; of event nuggets as `means` |
| `means` | recall and precision of each document | their means, and the f1 of these; LEA is `micro` (stanza) |
| `weighted` | the same, times the number of mentions | their weighted means (scorch) |
| `datasets` | counts, dataset by dataset | the mean of the datasets' scores |

An average of metrics (CoNLL, KBP) is the mean of its parts. Resampling uses the same two functions: `addends` once, and
`finished` for every resample.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import cast

import numpy as np

from ..counting.metrics import Mean, PerEntity, Related, Score, Whole, ratio, ratios
from ..counting.rules import SINGLETONS
from ..counting.table import Flags, Floats
from ..document.grouping import grouped
from ..problems import Error, Problem
from ..protocol.protocol import Protocol
from ..relations.registry import MENTIONS, SIZES, how_of, metric, needed, split_name

Counts = Mapping[str, Floats]
Groups = dict[str, dict[str, Score]]  # the scores of each group, by metric
_BESIDE = {"scorch": SIZES, "always": MENTIONS}  # the further metric whose counts BLANC needs, for each `links`


def required(protocol: Protocol) -> tuple[str, ...]:
    """The metrics to count: those asked for, and what their scores, or the parts of their scores, are made of.

    That may be B³, whose denominators are numbers of mentions, and the mentions that are found.
    """
    found = counted(protocol.metrics, protocol)
    beside = [split_name(name)[0] + SIZES for name in found if protocol.averaging.average == "weighted"]
    beside += [split_name(name)[0] + MENTIONS for name in protocol.metrics if factored(name, protocol)]
    return tuple(dict.fromkeys([*needed(protocol.metrics), *beside, *found]))


def factored(name: str, protocol: Protocol) -> bool:
    """Whether a metric is B³ as it was defined, whose recall is that of mentions times how well these are linked."""
    known = metric(split_name(name)[1])
    if known is None or known.name != SIZES or protocol.averaging.average not in ("micro", "datasets"):
        return False
    choices = protocol.counting.twinless, protocol.counting.weights, protocol.preparing.split
    as_defined = choices in (("as-is", "none", "credit"), ("as-is", "none", "ignore"))
    as_defined = as_defined and protocol.counting.sampled == "none"
    return as_defined and known.rules.singletons not in SINGLETONS[protocol.counting.singletons]


def counted(metrics: tuple[str, ...], protocol: Protocol) -> list[str]:
    """The metrics whose counts the scores of these metrics are made of."""
    return [part for leaf in leaves(metrics) for part in _counted(leaf, protocol)]


def leaves(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics with averages like CoNLL replaced by their parts, and these by theirs."""
    each = (leaves(parts(name)) if parts(name) else (name,) for name in metrics)
    return tuple(dict.fromkeys(chain.from_iterable(each)))


def parts(name: str) -> tuple[str, ...]:
    """The metrics that an average like CoNLL is the mean of; () for any other metric, for BLANC and HOTA."""
    how = how_of(name)
    return tuple(split_name(name)[0] + part for part in how.of) if isinstance(how, Mean) and how.of_scores else ()


def scores(name: str, counts: Mapping[str, Floats], links: str = "key") -> Floats:
    """The scores [..., 3] of a metric or an average from the sums [..., 4] of the metrics it needs.

    BLANC leaves out the kind of links that the key does not have (`links="key"`, as the reference scorer does), or that
    neither side has (`links="both"`). With `always` it leaves out none, and one that neither side has counts 1 (ASP);
    documents with one mention on each side are counted before, see `_with_lone_mentions`.
    With `scorch` it is as with `key`, but a key without links is scored too: see `_of_few_mentions`. With `maven-ere`
    it leaves out none, and divides as MAVEN-ERE's script does.

    >>> counts = np.array([[1.0, 2, 1, 1], [0, 0, 0, 0]])
    >>> scores("blanc", {"pairwise": counts, "nonlinks": counts[::-1]})[:, 0].tolist()
    [0.5, 0.5]
    """
    prefix, how = split_name(name)[0], how_of(name)
    if not isinstance(how, Mean):
        return (how.ratios if isinstance(how, Whole) else ratios)(counts[name])
    parts = [prefix + part for part in how.of]
    if how.skip_empty and links == "maven-ere":
        return _of_maven([counts[part] for part in parts])
    values: Floats = np.stack([scores(part, counts, links) for part in parts])
    if how.geometric:
        root: Floats = np.sqrt(values.prod(axis=0))
        return root
    there = np.ones(values.shape[:-1], np.bool_)
    if how.skip_empty and links == "always":
        neither = np.stack([(counts[part][..., 1::2] == 0).all(axis=-1) for part in parts])
        values = np.where(neither[..., None], 1.0, values)
    elif how.skip_empty:
        sides = [1, 3] if links == "both" else [1]
        there = np.stack([(counts[part][..., sides] != 0).any(axis=-1) for part in parts])
    found = ratio(np.where(there[..., None], values, 0.0).sum(axis=0), there.sum(axis=0)[..., None])
    if how.skip_empty and links == "scorch":
        few = _of_few_mentions(counts[prefix + SIZES], counts[parts[-1]])
        linked: Flags = np.any(there, axis=0, keepdims=True)[0]
        return np.where(linked[..., None], found, few[..., None])
    return found


def _of_few_mentions(sizes: Floats, nonlinks: Floats) -> Floats:
    """BLANC as scorch has it for keys with fewer than two mentions.

    One mention on each side: 1 if they are the same, else 0. Otherwise 1 if the response has no non-coreference links.
    """
    alone = (sizes[..., 1] == 1) & (sizes[..., 3] == 1)
    return np.where(alone, sizes[..., 0], nonlinks[..., 3] == 0)


def _of_maven(kinds: Sequence[Floats]) -> Floats:
    """BLANC as MAVEN-ERE has it: 1e-6 is added to the denominators of recall and precision, not to those of f1."""
    shares = [
        np.stack((each[..., 0] / (each[..., 1] + 1e-6), each[..., 2] / (each[..., 3] + 1e-6)), -1) for each in kinds
    ]
    f1 = [ratios(each)[..., 2:] for each in kinds]
    return np.concatenate((np.mean(shares, axis=0), np.mean(f1, axis=0)), axis=-1)


def score(name: str, counts: Mapping[str, Floats], links: str = "key") -> Score:
    """The score of a metric or an average from the sums of the metrics it needs: `scores` of one set of sums.

    >>> score("conll", {name: np.array([1.0, 2, 1, 1]) for name in ("muc", "b3", "ceafe")}).recall
    0.5
    """
    return Score(*scores(name, counts, links).tolist())


def defined(name: str, counts: Counts) -> Flags:
    """Where a metric has something to count in the key or in the response; of an average, any of its parts."""
    found = [(counts[each][..., 1::2] != 0).any(axis=-1) for each in needed([name])]
    there: Flags = np.any(found, axis=0)
    return there


def counts_what(name: str) -> str:
    """What a metric counts, in words."""
    known = metric(split_name(needed([name])[0])[1])
    return known.what if known else "mentions"


def addends(protocol: Protocol, counts: Counts) -> Floats:
    """The numbers [documents, columns] that are added up over documents."""
    return np.concatenate([_addends(leaf, protocol, counts) for leaf in leaves(protocol.metrics)], axis=1)


def finished(protocol: Protocol, sums: Floats) -> Floats:
    """The scores [..., metrics, 3] from sums [..., datasets, columns]; one dataset unless the average is `datasets`."""
    values: dict[str, tuple[Floats, Flags]] = {}  # and in which datasets there is something to count
    start = 0
    for leaf in leaves(protocol.metrics):
        width = _width(leaf, protocol)
        part = sums[..., start : start + width]
        values[leaf] = _finished(leaf, protocol, part), (part != 0).any(axis=-1)
        start += width
    found = [_mean_of_datasets(*_average(name, values, protocol), protocol) for name in protocol.metrics]
    return np.moveaxis(np.stack(found), 0, -2)


def _average(name: str, values: Mapping[str, tuple[Floats, Flags]], protocol: Protocol) -> tuple[Floats, Flags]:
    """The scores of a metric, or of an average from those of its parts; and where there is something to count."""
    if name in values:
        return values[name]
    each, there = zip(*[_average(part, values, protocol) for part in parts(name)], strict=True)
    found = np.stack([rounded(part, protocol.averaging.digits) for part in each])
    return found.mean(axis=0), np.any(there, axis=0)


def _mean_of_datasets(value: Floats, known: Flags, protocol: Protocol) -> Floats:
    if protocol.averaging.average != "datasets":
        return value[..., 0, :]
    weight = np.ones_like(known) if protocol.averaging.empty == "count" else known
    value = np.where(weight[..., None], rounded(value, protocol.averaging.digits), 0.0)
    return ratio(value.sum(axis=-2), weight.sum(axis=-1)[..., None].astype(np.float64))


def _micro(leaf: str, protocol: Protocol) -> bool:
    average = protocol.averaging.average
    how = how_of(leaf)
    return average in ("micro", "datasets") or (average == "means" and isinstance(how, PerEntity) and how.rules.summed)


def _counted(leaf: str, protocol: Protocol) -> tuple[str, ...]:
    """The metrics whose counts a score is made of."""
    how = how_of(leaf)
    beside = _BESIDE.get(protocol.averaging.links) if isinstance(how, Mean) and how.skip_empty else None
    return (*needed([leaf]), *((split_name(leaf)[0] + beside,) if beside else ()))


def _kind(leaf: str, protocol: Protocol) -> str:
    """The kind of average for a metric; event nuggets under `macro` are averaged as `means`."""
    how = how_of(leaf)
    nuggets = protocol.averaging.average == "macro" and isinstance(how, Related) and how.nuggets
    return "means" if nuggets else protocol.averaging.average


def _width(leaf: str, protocol: Protocol) -> int:
    if _micro(leaf, protocol):
        return 4 * len(_counted(leaf, protocol))
    return {"macro": 4, "means": 3, "weighted": 9}[_kind(leaf, protocol)]


def _with_lone_mentions(leaf: str, protocol: Protocol, counts: Counts) -> Counts:
    """The counts of BLANC as in ASP: a mention that is the only one on both sides counts as a link of each kind."""
    if _BESIDE.get(protocol.averaging.links) != MENTIONS or len(_counted(leaf, protocol)) == len(needed([leaf])):
        return counts
    mentions = counts[split_name(leaf)[0] + MENTIONS]
    same = np.where((mentions[..., 1::2] == 1).all(axis=-1), mentions[..., 0], 0.0)
    return {**counts, **{part: counts[part] + same[..., None] for part in needed([leaf])}}


def _addends(leaf: str, protocol: Protocol, counts: Counts) -> Floats:
    counts = _with_lone_mentions(leaf, protocol, counts)
    if _micro(leaf, protocol):
        return np.concatenate([counts[name] for name in _counted(leaf, protocol)], axis=-1)
    each = scores(leaf, counts, protocol.averaging.links)
    if protocol.averaging.average == "weighted":
        sizes = counts[split_name(leaf)[0] + SIZES][..., 1::2]
        weights = np.concatenate([sizes, sizes.sum(axis=-1, keepdims=True)], axis=-1)
        return np.concatenate([each * weights, sizes, each, np.ones((*each.shape[:-1], 1))], axis=-1)
    there = np.ones((*each.shape[:-1], 1))
    if protocol.averaging.empty != "count":
        there[..., 0] = defined(leaf, counts)
    width = 3 if _kind(leaf, protocol) == "macro" else 2
    return np.concatenate([each[..., :width] * there, there], axis=-1)


def _finished(leaf: str, protocol: Protocol, sums: Floats) -> Floats:
    if _micro(leaf, protocol):
        names = _counted(leaf, protocol)
        counts = dict(zip(names, np.split(sums, len(names), axis=-1), strict=True))
        return scores(leaf, counts, protocol.averaging.links)
    if protocol.averaging.average == "weighted":
        sizes = sums[..., 3:5]
        weights = np.concatenate([sizes, sizes.sum(axis=-1, keepdims=True)], axis=-1)
        plain = ratio(sums[..., 5:8], np.broadcast_to(sums[..., 8:], sums[..., 5:8].shape))
        return np.where(weights == 0, plain, ratio(sums[..., :3], weights))  # without any mentions: the unweighted mean
    means = ratio(sums[..., :-1], np.broadcast_to(sums[..., -1:], sums[..., :-1].shape))
    if _kind(leaf, protocol) == "macro":
        return means
    f1 = ratio(2 * means[..., 0] * means[..., 1], means.sum(axis=-1))
    return np.concatenate([means, f1[..., None]], axis=-1)


def rounded(values: Floats, digits: str) -> Floats:
    """Scores before they are averaged: as they are, or rounded or cut off to percentages with one or two digits.

    >>> rounded(np.array([0.71879]), "cut-2").tolist(), rounded(np.array([0.71879]), "round-2").tolist()
    ([0.7187], [0.7188])
    """
    if digits == "exact":
        return values
    how, _, number = digits.partition("-")
    scale = 100 * 10 ** int(number)
    shift = 1e-9 if how == "cut" else 0.5 + 1e-9  # 1e-9: a value one rounding error below a whole number counts as it
    found: Floats = np.floor(values * scale + shift) / scale
    return found


@dataclass(frozen=True, eq=False, repr=False)
class Sums:
    """The counts of each document and metric, and the protocol by which they become scores.

    `counts` has by metric an array [documents, 4]: recall numerator, denominator, precision numerator, denominator.
    `problems` are those of the files, `datasets` names the dataset of each document.
    """

    protocol: Protocol
    documents: tuple[str, ...]
    counts: Mapping[str, Floats]
    problems: tuple[Problem, ...] = ()
    datasets: tuple[str, ...] = ()

    def sums(self) -> Floats:
        """The sums over documents that the scores are made from, dataset by dataset."""
        rows = addends(self.protocol, self.counts)
        apart = self.protocol.averaging.average == "datasets"
        return added(rows, grouped(self.datasets).values() if apart else [range(len(rows))])

    @cached_property
    def score_rows(self) -> list[list[float]]:
        """Recall, precision and f1 of each metric."""
        return cast("list[list[float]]", finished(self.protocol, self.sums()).tolist())

    @cached_property
    def totals(self) -> dict[str, Floats]:
        """The counts of all documents together."""
        return {name: counts.sum(axis=0) for name, counts in self.counts.items()}

    @cached_property
    def undefined(self) -> dict[str, str]:
        """The metrics with nothing to count in key and response, and what they would count; their scores are 0."""
        lacking = [metric for metric in self.protocol.metrics if not defined(metric, self.totals)]
        return {metric: f"no {counts_what(metric)} in key and response" for metric in lacking}

    def by_group(self, names: Sequence[str]) -> Groups:
        """The scores of groups, from the group name of each document; counts are summed, whatever the average is."""
        protocol = self.protocol.change(average="micro")
        groups = grouped(names)
        sums = added(addends(protocol, self.counts), groups.values())
        values = finished(protocol, sums[:, None, :]).tolist()
        return {
            name: {metric: Score(*value) for metric, value in zip(protocol.metrics, each, strict=True)}
            for name, each in zip(groups, values, strict=True)
        }

    def defined_in(self, names: Sequence[str]) -> dict[str, Flags]:
        """For each metric whether it has something to count in each group of documents."""
        groups = grouped(names).values()
        sums = {name: added(counts, groups) for name, counts in self.counts.items()}
        return {metric: defined(metric, sums) for metric in self.protocol.metrics}


def refuse_indices(protocol: Protocol) -> None:
    """Refuse metrics that compare whole clusterings, for groups of mentions that cut entities."""
    hows = {name: how_of(name) for name in counted(protocol.metrics, protocol)}
    wrong = [name for name, how in hows.items() if isinstance(how, Whole) and how.common]
    if wrong:
        raise Error("not-on-tables", f"{', '.join(wrong)} cannot be computed for groups that cut entities",
                    expected="no --by, or entities that live in documents", remedy="choose other metrics")  # fmt: skip


def added(counts: Floats, groups: Collection[Sequence[int]]) -> Floats:
    """The sums of rows for each group, rounded only once, so that the order of documents makes no difference."""
    if all(len(group) == 1 for group in groups):
        return counts[[group[0] for group in groups]]
    some: Iterable[Floats] = (counts if len(group) == len(counts) else counts[group] for group in groups)
    return np.array([[math.fsum(column.tolist()) for column in rows.T] for rows in some])
