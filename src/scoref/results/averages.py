"""From the counts of documents to one score: what is added up over documents, and what the sums are turned into.

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

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..counting.metrics import AVERAGES, METRICS, needed, ratio, scores, split_name
from ..counting.table import Floats
from ..protocol.protocol import Protocol
from ..relations.relations import NUGGET, relation

Counts = Mapping[str, Floats]


def required(protocol: Protocol) -> tuple[str, ...]:
    """The metrics that have to be counted: those asked for, and B³ where its denominators, the sizes, are needed."""
    found = needed(protocol.metrics)
    sized = [split_name(name)[0] for name in found] if protocol.average == "weighted" else []
    sized += [split_name(name)[0] for name in found if protocol.links == "scorch" and split_name(name)[1] == "nonlinks"]
    return tuple(dict.fromkeys([*found, *(f"{prefix}b3" for prefix in sized)]))


def leaves(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics with averages like CoNLL replaced by their parts."""
    return tuple(dict.fromkeys(leaf for name in metrics for leaf in parts(name) or (name,)))


def parts(name: str) -> tuple[str, ...]:
    """The metrics that an average is the mean of; none for any other metric, and for BLANC, which has its own rules."""
    prefix, base = split_name(name)
    average = AVERAGES.get(base)
    return () if average is None or average.skip_empty else tuple(prefix + part for part in average.parts)


def defined(name: str, counts: Counts) -> NDArray[np.bool_]:
    """Where a metric has something to count in the key or in the response; of an average, any of its parts."""
    found = [(counts[each][..., 1::2] != 0).any(axis=-1) for each in needed([name])]
    there: NDArray[np.bool_] = np.any(found, axis=0)
    return there


def counts_what(name: str) -> str:
    """What a metric counts, in words."""
    base = split_name(needed([name])[0])[1]
    known = METRICS.get(base) or relation(base)
    return known.what if known else "mentions"


def addends(protocol: Protocol, counts: Counts) -> Floats:
    """What is added up over documents, [documents, columns]."""
    return np.concatenate([_addends(leaf, protocol, counts) for leaf in _units(protocol)], axis=1)


def finished(protocol: Protocol, sums: Floats) -> Floats:
    """The scores [..., metrics, 3] of sums [..., datasets, columns]; there is one dataset but for that average."""
    values: dict[str, Floats] = {}
    there: dict[str, NDArray[np.bool_]] = {}
    start = 0
    for leaf in _units(protocol):
        width = _width(leaf, protocol)
        part = sums[..., start : start + width]
        values[leaf], there[leaf] = _finished(leaf, protocol, part), (part != 0).any(axis=-1)
        start += width
    found = []
    for metric in protocol.metrics:
        value, known = values.get(metric), there.get(metric)
        if value is None or known is None:
            each = [values[part] for part in parts(metric)]
            value = np.mean([rounded(part, protocol.digits) for part in each], axis=0)
            known = np.any([there[part] for part in parts(metric)], axis=0)
        found.append(_mean_of_datasets(value, known, protocol))
    return np.stack(found, axis=-2)


def _mean_of_datasets(value: Floats, known: NDArray[np.bool_], protocol: Protocol) -> Floats:
    if protocol.average != "datasets":
        return value[..., 0, :]
    weight = np.ones_like(known) if protocol.empty == "count" else known
    value = np.where(weight[..., None], rounded(value, protocol.digits), 0.0)
    return ratio(value.sum(axis=-2), weight.sum(axis=-1)[..., None].astype(np.float64))


def _units(protocol: Protocol) -> tuple[str, ...]:
    return leaves(protocol.metrics)


def _micro(leaf: str, protocol: Protocol) -> bool:
    average = protocol.average
    return average in ("micro", "datasets") or (average == "means" and split_name(leaf)[1] == "lea")


def _counted(leaf: str, protocol: Protocol) -> tuple[str, ...]:
    names = needed([leaf])
    prefix, base = split_name(leaf)
    sizes = (f"{prefix}b3",) if base == "blanc" and protocol.links == "scorch" else ()
    return (*names, *sizes)


def _kind(leaf: str, protocol: Protocol) -> str:
    """The average of a metric: for event nuggets `macro` is the f1 of mean recall and mean precision, too."""
    return "means" if protocol.average == "macro" and leaf.startswith(NUGGET) else protocol.average


def _width(leaf: str, protocol: Protocol) -> int:
    if _micro(leaf, protocol):
        return 4 * len(_counted(leaf, protocol))
    return {"macro": 4, "means": 3, "weighted": 9}[_kind(leaf, protocol)]


def _addends(leaf: str, protocol: Protocol, counts: Counts) -> Floats:
    if _micro(leaf, protocol):
        return np.concatenate([counts[name] for name in _counted(leaf, protocol)], axis=-1)
    each = scores(leaf, counts, protocol.links)
    if protocol.average == "weighted":
        sizes = counts[f"{split_name(leaf)[0]}b3"][..., 1::2]
        weights = np.concatenate([sizes, sizes.sum(axis=-1, keepdims=True)], axis=-1)
        return np.concatenate([each * weights, sizes, each, np.ones((*each.shape[:-1], 1))], axis=-1)
    there = np.ones(each.shape[:-1]) if protocol.empty == "count" else defined(leaf, counts).astype(np.float64)
    width = 3 if _kind(leaf, protocol) == "macro" else 2
    return np.concatenate([each[..., :width] * there[..., None], there[..., None]], axis=-1)


def _finished(leaf: str, protocol: Protocol, sums: Floats) -> Floats:
    if _micro(leaf, protocol):
        names = _counted(leaf, protocol)
        counts = {name: sums[..., 4 * number : 4 * number + 4] for number, name in enumerate(names)}
        return scores(leaf, counts, protocol.links)
    if protocol.average == "weighted":
        sizes = sums[..., 3:5]
        weights = np.concatenate([sizes, sizes.sum(axis=-1, keepdims=True)], axis=-1)
        plain = ratio(sums[..., 5:8], np.broadcast_to(sums[..., 8:], sums[..., 5:8].shape))
        return np.where(weights == 0, plain, ratio(sums[..., :3], weights))  # no mentions at all: the plain mean
    means = ratio(sums[..., :-1], np.broadcast_to(sums[..., -1:], sums[..., :-1].shape))
    if _kind(leaf, protocol) == "macro":
        return means
    f1 = ratio(2 * means[..., 0] * means[..., 1], means.sum(axis=-1))
    return np.concatenate([means, f1[..., None]], axis=-1)


def rounded(values: Floats, digits: str) -> Floats:
    """Scores as they enter an average: as they are, or as percentages of two or one digits, rounded or cut off.

    >>> rounded(np.array([0.71879]), "cut-2").tolist(), rounded(np.array([0.71879]), "round-2").tolist()
    ([0.7187], [0.7188])
    """
    if digits == "exact":
        return values
    how, _, number = digits.partition("-")
    scale = 100 * 10 ** int(number)
    shift = 1e-9 if how == "cut" else 0.5 + 1e-9  # what is a whole number but for its last bit stays one
    cut: Floats = np.floor(values * scale + shift) / scale
    return cut
