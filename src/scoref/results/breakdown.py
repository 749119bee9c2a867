"""Scores of groups of entities, and what each entity contributes: from the counts that each entity has."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Score
from ..counting.table import Floats, Table
from ..document.document import Mention
from ..document.grouping import BUCKETS, DOCUMENT_FIELDS, bucket, by_number, extent
from ..formats import SIDES
from ..matching.nuggets import canonical, greedy
from ..problems import Error
from ..protocol.protocol import Protocol
from ..relations.registry import NUGGET, SIZES, needed
from .averages import score
from .evidence import Evidence

Groups = dict[str, dict[str, Score]]


class EntityScore(NamedTuple):
    """What one entity contributes to a metric: recall for key entities, precision for those of the response."""

    side: str
    document: str
    entity: Hashable
    size: int
    counts: dict[str, tuple[float, float]]


def by_attribute(protocol: Protocol, evidence: Evidence, field: str) -> Groups:
    """The scores of entities grouped by size, span or an attribute; of event nuggets too, if it is type or realis."""
    if NUGGET + field in protocol.metrics and evidence.aligned:
        return _side_by_side(
            _entities_by(protocol, evidence, field) if evidence.entity_counts else {}, _nuggets_by(evidence, field)
        )
    return _entities_by(protocol, evidence, field)


def _entities_by(protocol: Protocol, evidence: Evidence, field: str) -> Groups:
    labels = [_entity_labels(evidence, field, side) for side in range(2)]
    if field not in BUCKETS and not any(any(label) for each in labels for label in each):
        known = {
            name for pair in evidence.aligned for side in pair[:2] for m in side.mentions for name, _ in m.attributes
        }
        fields = ", ".join([*DOCUMENT_FIELDS, *BUCKETS, "entity", *sorted(known)])
        raise Error("unknown-field", f"no entity has the attribute '{field}'", expected=f"one of {fields}")
    order = sorted({label for each in labels for label in each}, key=by_number)
    names = list(evidence.entity_counts)
    counts = {name: np.zeros((len(order), 4)) for name in names}
    place = {label: number for number, label in enumerate(order)}
    for side in range(2):
        groups = np.array([place[label] for label in labels[side]], np.int64)
        for name in names:
            np.add.at(counts[name][:, 2 * side : 2 * side + 2], groups, evidence.entity_counts[name][side])
    shown = [metric for metric in protocol.metrics if set(needed([metric])) <= set(names)]
    _refuse_none(shown)
    return {
        label or "(none)": {
            metric: score(metric, {name: counts[name][number] for name in names}, protocol.averaging.links)
            for metric in shown
        }
        for label, number in place.items()
    }


def counted_groups(protocol: Protocol, groups: Mapping[str, Mapping[str, Floats]]) -> Groups:
    """The scores of groups of entities whose counts were kept."""
    names = {name for counts in groups.values() for name in counts}
    shown = [metric for metric in protocol.metrics if names >= {*needed([metric])}]
    _refuse_none(shown)
    return {
        label: {metric: score(metric, counts, protocol.averaging.links) for metric in shown}
        for label, counts in groups.items()
    }


def _refuse_none(metrics: Sequence[str]) -> None:
    if not metrics:
        raise Error("no-entities", "no metric here says anything of single entities", remedy="add --metrics b3",
                    expected="a metric like muc or b3, with mentions as they are")  # fmt: skip


def _nuggets_by(evidence: Evidence, field: str) -> Groups:
    """Recall and precision of the event nuggets of each type, or realis: those with a counterpart that has it, too."""
    counts: dict[str, Floats] = {}
    spelled: dict[str, str] = {}

    def label(mention: Mention) -> str:
        """The type in its first spelling: other spellings are the same group."""
        written = dict(mention.attributes).get(field, "")
        return spelled.setdefault(canonical(written), written)

    for key, response, _ in evidence.aligned:
        for side, document in enumerate((key, response)):
            for mention in document.mentions:
                counts.setdefault(label(mention), np.zeros(4))[2 * side + 1] += 1
        for k, _, dice in greedy(key, response, (field,)):
            counts[label(key.mentions[k])][[0, 2]] += dice
    return {name or "(none)": {NUGGET + field: Score.of(counts[name])} for name in sorted(counts)}


def nugget_scores(protocol: Protocol, counts: Mapping[str, Floats]) -> Groups:
    """The detection of event nuggets, micro (sums over documents) and macro (means of recall and precision)."""
    averages = {}
    for name in (name for name in protocol.metrics if name.startswith(NUGGET)):
        scored = counts[name] if protocol.averaging.empty == "count" else counts[name][counts[name][:, 1] > 0]
        scores = [Score.of(document) for document in scored] or [Score(0.0, 0.0, 0.0)]
        means = [float(np.mean(values)) for values in list(zip(*scores, strict=True))[:2]]
        macro = Score.of(np.array([means[0], 1.0, means[1], 1.0]))
        averages[name.removeprefix(NUGGET)] = {"micro": Score.of(counts[name].sum(axis=0)), "macro": macro}
    return averages


def _entity_labels(evidence: Evidence, field: str, side: int) -> list[str]:
    """What the field says of each entity of one side; '' where it says nothing."""
    entities = evidence.entities[side]
    values: dict[tuple[int, Hashable], list[Mention]] = {}
    for number, pair in enumerate(evidence.aligned):
        home = evidence.homes[number]
        for mention in pair[:2][side].mentions:
            values.setdefault((home, mention.entity), []).append(mention)
    each = [values[key] for key in zip(entities.document, entities.name, strict=True)]
    if field in BUCKETS:
        return [bucket(field, extent(field, mentions)) for mentions in each]
    labels = [next((v for m in mentions for n, v in m.attributes if n == field), "") for mentions in each]
    return labels if side == 0 else _as_in_key(evidence.table, _entity_labels(evidence, field, 0), labels)


def _as_in_key(table: Table, key: list[str], response: list[str]) -> list[str]:
    """The label of each response entity: that of the key entity it shares most mentions with, else its own."""
    labels = list(response)
    order = np.lexsort((-table.row, table.n))  # the last one written counts
    for row, column in zip(table.row[order].tolist(), table.column[order].tolist(), strict=True):
        labels[column] = key[row]
    return labels


def entity_scores(evidence: Evidence, documents: Sequence[str], most: int | None = None) -> list[EntityScore]:
    """What each entity of key and response contributes, those that cost most first; `most` of them, or all.

    The cost of an entity is what its numerator falls short of its denominator, in B³ if that was scored, else in the
    first metric.
    """
    names = list(evidence.entity_counts)
    _refuse_none(names)
    ruler = evidence.entity_counts[SIZES if SIZES in names else names[0]]
    lacking = np.concatenate([side[:, 0] - side[:, 1] for side in ruler])
    keys = len(ruler[0])
    sizes = evidence.table.key.size, evidence.table.response.size
    contributions: list[EntityScore] = []
    for place in np.argsort(lacking, kind="stable")[:most].tolist():
        side, index = int(place >= keys), place - keys * (place >= keys)
        entities = evidence.entities[side]
        rows = {name: evidence.entity_counts[name][side][index].tolist() for name in names}
        values = {name: (row[0], row[1]) for name, row in rows.items()}
        name = documents[entities.document[index]]
        contributions.append(EntityScore(SIDES[side], name, entities.name[index], int(sizes[side][index]), values))
    return contributions


def _side_by_side(*each: Mapping[str, Mapping[str, Score]]) -> Groups:
    """Scores of several kinds by group, as one mapping; a group that one kind lacks has scores of 0 there."""
    nothing = {metric: Score(0.0, 0.0, 0.0) for groups in each for scores in groups.values() for metric in scores}
    labels = sorted({label for groups in each for label in groups})
    return {
        label: nothing | {metric: score for groups in each for metric, score in groups.get(label, {}).items()}
        for label in labels
    }
