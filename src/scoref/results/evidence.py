"""What an evaluation was made from: documents and alignments; scores of groups of entities and of single entities.

`Evidence` and `SumsOnly`, which stands in for it, have the same methods: an evaluation need not know which it has.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from .. import __version__
from ..counting.metrics import Score
from ..counting.table import NO_TABLE, Entities, Floats, Table
from ..document.document import Document, Mention
from ..document.grouping import BUCKETS, DOCUMENT_FIELDS, bucket, by_number, comments, distinct, extent
from ..formats import SIDES
from ..layout.render import Json
from ..matching.lookup import Lookups
from ..matching.nuggets import canonical, greedy
from ..pairing.pairs import Pair
from ..problems import Error
from ..protocol.protocol import Protocol
from ..relations.registry import NUGGET, SIZES
from ..values import NamedTuple
from .averages import Groups, counted, score


def _no_placement() -> None:
    """Nothing could have had another place."""


class EntityCounts(Mapping[str, tuple[Floats, Floats]]):
    """For each metric the numerators and denominators [entities, 2] of key entities, and of response entities.

    `parts` holds them as separate arrays, since metrics share denominators; they are joined only when asked for.
    """

    def __init__(self) -> None:
        self.parts: dict[str, tuple[tuple[Floats, Floats], tuple[Floats, Floats]]] = {}

    def __getitem__(self, name: str) -> tuple[Floats, Floats]:
        key, response = self.parts[name]
        return np.stack(key, axis=1), np.stack(response, axis=1)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """The documents as they were read (`pairs`) and as they were scored (`aligned`), and the counts of entities.

    `entities` are those of key and response in the order of `table`; `entity_counts` has for each metric what each of
    them contributes. Where no metric on entities was scored, the table is empty. The home of a pair is the unit in
    which entities are shared: the document itself, a group of documents, or the corpus; `homes` numbers them. Where
    texts are cut, homes are windows, and `parts_of` has for each the number of the pair that it is of. `drift`
    says how running texts differ from the key's, `answered` what became of answers of language models, `placement` how
    much the places of strings in them can matter; `version` is the version of scoref that counted.
    """

    pairs: tuple[Pair, ...] = ()
    aligned: tuple[tuple[Document, Document, Lookups], ...] = ()
    table: Table = NO_TABLE
    entities: tuple[Entities, Entities] = (Entities([], [], {}), Entities([], [], {}))
    entity_counts: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    homes: tuple[int, ...] = ()
    parts_of: tuple[int, ...] = ()
    drift: Json = field(default_factory=dict)
    answered: Json = field(default_factory=dict)
    placement: Callable[[], list[float] | None] = _no_placement
    version: str = __version__

    available: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[str] = "document"
    saved_fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    groups: ClassVar[Mapping[str, Mapping[str, Mapping[str, Floats]]]] = {}
    kinds: ClassVar[Mapping[str, KindSums]] = {}

    def evidence(self, code: str = "no-entities") -> Evidence:
        """The evidence itself."""
        return self

    @cached_property
    def answers(self) -> Json:
        """What became of answers of language models, with `placement`, which takes a while; empty if there are none."""
        found = self.placement() if self.answered else None
        return {**self.answered, "placement": found} if found else self.answered

    @property
    def size(self) -> int:
        """The number of documents, if it is known."""
        return len(self.pairs)

    def names(self, documents: tuple[str, ...]) -> tuple[str, ...]:
        """The name of each document; `documents` are the names of homes, which may be groups of documents."""
        return distinct(pair.name for pair in self.pairs) if self.size > len(documents) else documents

    @property
    def twinless(self) -> tuple[int, int]:
        """How many mentions of the key, and of the response, have no counterpart on the other side."""
        sides = self.table, self.table.transposed
        ours, theirs = (int((side.key.mentions - side.shared).sum()) for side in sides)
        return ours, theirs

    @property
    def has_sets(self) -> bool:
        """Whether key and response of some document have split antecedents."""
        return any(key.sets and response.sets for key, response, _ in self.aligned)

    def fields(self) -> list[dict[str, str]]:
        """The comments of each key document, by name; for a group of documents, those that all of them share."""
        if self.parts_of:
            return [comments(self.pairs[number].key) for number in self.parts_of]
        shared: dict[int, dict[str, str]] = {}
        for home, pair in zip(self.homes, self.pairs, strict=True):
            own = comments(pair.key)
            before = shared.setdefault(home, own)
            shared[home] = {name: value for name, value in before.items() if own.get(name) == value}
        return [shared[home] for home in sorted(shared)]


class KindSums(NamedTuple):
    """What mentions of each kind count, [documents, 4] by metric, and why other metrics are left out."""

    counts: Mapping[str, Mapping[str, Floats]]
    left_out: Mapping[str, str]


class EntityScore(NamedTuple):
    """What one entity contributes to a metric: recall for key entities, precision for those of the response.

    Its `name` is the words of its first name, else of its first noun phrase, else of its first mention.
    """

    side: str
    document: str
    entity: Hashable
    size: int
    counts: dict[str, tuple[float, float]]
    name: str = ""


def by_attribute(protocol: Protocol, evidence: Evidence, field: str) -> Groups:
    """The scores of entities grouped by size, span or an attribute; of event nuggets too, if it is type or realis."""
    if NUGGET + field not in protocol.metrics or not evidence.aligned:
        return _entities_by(protocol, evidence, field)
    of_entities = _entities_by(protocol, evidence, field) if evidence.entity_counts else {}
    return _side_by_side(of_entities, _nuggets_by(evidence, field))


def _entities_by(protocol: Protocol, evidence: Evidence, field: str) -> Groups:
    labels = [_entity_labels(evidence, field, side) for side in range(2)]
    if field not in BUCKETS and not any(any(label) for each in labels for label in each):
        mentions = (mention for pair in evidence.aligned for side in pair[:2] for mention in side.mentions)
        known = {name for mention in mentions for name, _ in mention.attributes}
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
    by_label = {label or "(none)": {name: counts[name][number] for name in names} for label, number in place.items()}
    return counted_groups(protocol, by_label, {*names})


def counted_groups(protocol: Protocol, groups: Mapping[str, Mapping[str, Floats]], names: set[str]) -> Groups:
    """The scores of groups of entities, from their counts of the metrics with these names."""
    shown = [metric for metric in protocol.metrics if names >= {*counted((metric,), protocol)}]
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
    """Scores of event nuggets by type or realis: a nugget is found if its counterpart has the same type or realis."""
    counts: dict[str, Floats] = {}
    spelled: dict[str, str] = {}

    def label(mention: Mention) -> str:
        """The type or realis in the spelling seen first; other spellings of it are the same group."""
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
    """The value of the field for each entity of one side; '' if it has none."""
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
    order = np.lexsort((-table.row, table.n))  # the best match comes last, and overwrites the others
    for row, column in zip(table.row[order].tolist(), table.column[order].tolist(), strict=True):
        labels[column] = key[row]
    return labels


def entity_scores(evidence: Evidence, documents: Sequence[str], most: int | None = None) -> list[EntityScore]:
    """What each entity of key and response contributes, those that cost most first; `most` of them, or all.

    The cost of an entity is its denominator minus its numerator, in B³ if that was scored, else in the first metric.
    """
    names = list(evidence.entity_counts)
    _refuse_none(names)
    ruler = evidence.entity_counts[SIZES if SIZES in names else names[0]]
    lacking = np.concatenate([side[:, 0] - side[:, 1] for side in ruler])
    keys = len(ruler[0])
    sizes = evidence.table.key.size, evidence.table.response.size
    order = np.argsort(lacking, kind="stable")[:most].tolist()
    chosen = [(int(place >= keys), place - keys * (place >= keys)) for place in order]
    words = [_entity_names(evidence, side, [index for of, index in chosen if of == side]) for side in range(2)]
    contributions: list[EntityScore] = []
    for side, index in chosen:
        home, entity = evidence.entities[side].document[index], evidence.entities[side].name[index]
        rows = {name: evidence.entity_counts[name][side][index].tolist() for name in names}
        values = {name: (row[0], row[1]) for name, row in rows.items()}
        size, called = int(sizes[side][index]), words[side][home, entity]
        contributions.append(EntityScore(SIDES[side], documents[home], entity, size, values, called))
    return contributions


def _entity_names(evidence: Evidence, side: int, wanted: Sequence[int]) -> dict[tuple[int, Hashable], str]:
    """The words that name some entities of one side best, by home and entity."""
    from ..document.forms import NAMED_BY, form, naming  # entities are named where they are shown

    entities = evidence.entities[side]
    found: dict[tuple[int, Hashable], list[tuple[Document, Mention]]] = {
        (entities.document[index], entities.name[index]): [] for index in wanted
    }
    homes = {home for home, _ in found}
    for number, pair in enumerate(evidence.aligned):
        home = evidence.homes[number]
        for mention in pair[:2][side].mentions if home in homes else ():
            mentions = found.get((home, mention.entity))
            if mentions is not None and len(mentions) < NAMED_BY:
                mentions.append((pair[:2][side], mention))
    names = {}
    for entity, mentions in found.items():
        document, mention = mentions[naming([form(*each) for each in mentions])]
        names[entity] = document.text_of(mention)
    return names


def _side_by_side(*each: Mapping[str, Mapping[str, Score]]) -> Groups:
    """Several breakdowns of the same groups joined into one; scores that a group lacks are 0."""
    nothing = {metric: Score(0.0, 0.0, 0.0) for groups in each for scores in groups.values() for metric in scores}
    found = {}
    for label in sorted({label for groups in each for label in groups}):
        found[label] = nothing | {metric: score for groups in each for metric, score in groups.get(label, {}).items()}
    return found
