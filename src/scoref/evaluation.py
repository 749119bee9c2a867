"""The result of scoring: per document the sums that every score is made of, and what can be made from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import __version__, formats, grid
from .exceptions import Error, Problem
from .match import Lookups, greedy
from .metrics import METRICS, Score, entity_counts, needed, score
from .model import Document, Mention, word_of
from .protocol import Protocol
from .relations import NUGGET, SEQUENCING
from .table import Entities, Floats, Table


class EntityScore(NamedTuple):
    """What one entity contributes to a metric: recall for key entities, precision for those of the response."""

    side: str
    document: str
    entity: Hashable
    size: int
    counts: dict[str, tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The result: per document and metric the sums that every score is made of, and what was found on the way.

    `datasets` names the dataset of each document, `settings` holds the evaluations of the same documents under other
    choices. Of the rest, `table`, `entities` and `aligned` hold what breakdowns and reports are made from.

    >>> from scoref import score
    >>> result = score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> result["muc"].precision
    0.5
    >>> print(result)
    metric    recall  precision      f1
    mentions  100.00     100.00  100.00
    muc       100.00      50.00   66.67
    b3        100.00      55.56   71.43
    ceafe      40.00      80.00   53.33
    conll      80.00      61.85   63.81
    <BLANKLINE>
    1 document
    signature conll-2012|match:exact|...
    """

    protocol: Protocol
    documents: tuple[str, ...]
    counts: Mapping[str, Floats] = field(repr=False)
    problems: tuple[Problem, ...] = ()
    datasets: tuple[str, ...] = field(default=(), repr=False)
    table: Table | None = field(default=None, repr=False)
    entities: tuple[Entities, Entities] | None = field(default=None, repr=False)
    aligned: tuple[tuple[Document, Document, Lookups], ...] = field(default=(), repr=False)
    settings: Mapping[str, Evaluation] = field(default_factory=dict, repr=False)

    @property
    def signature(self) -> str:
        """All choices of the protocol and the version, in one line."""
        return f"{self.protocol.signature()}|scoref:{__version__}"

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.protocol.metrics:
            scored = ", ".join(self.protocol.metrics)
            raise Error("unscored-metric", f"'{metric}' was not scored", expected=f"one of {scored}",
                        remedy="ask for it with metrics=[...]")  # fmt: skip
        if self.protocol.average == "micro":
            return self._score(metric)
        names = self.documents if self.protocol.average == "macro" else self.datasets
        scores = [self._score(metric, numbers) for numbers in _grouped(names).values()]
        return Score(*np.mean(scores or [Score(0.0, 0.0, 0.0)], axis=0).tolist())

    def _score(self, metric: str, documents: list[int] | None = None) -> Score:
        return score(metric, self._sums(documents), self.protocol.links)

    def _sums(self, documents: list[int] | None = None) -> dict[str, Floats]:
        return {
            name: (counts if documents is None else counts[documents]).sum(axis=0)
            for name, counts in self.counts.items()
        }

    @property
    def scores(self) -> dict[str, Score]:
        """The score of every metric of the protocol."""
        return {metric: self[metric] for metric in self.protocol.metrics}

    def by_document(self) -> dict[str, dict[str, Score]]:
        """The scores of each document alone."""
        return self._by_group(self.documents)

    def by_dataset(self) -> dict[str, dict[str, Score]]:
        """The scores of each dataset alone."""
        return self._by_group(self.datasets)

    def _by_group(self, names: Sequence[str]) -> dict[str, dict[str, Score]]:
        return {
            name: {metric: self._score(metric, numbers) for metric in self.protocol.metrics}
            for name, numbers in _grouped(names).items()
        }

    def by(self, field: str) -> dict[str, dict[str, Score]]:
        """The scores of groups: of documents (document, dataset, genre) or of entities (size, span, an attribute).

        For groups of entities recall is that of the group's key entities, precision that of its response entities; a
        response entity has the attributes of the key entity that it shares most mentions with, else its own.
        `size` is the number of mentions; `span` the number of words from the first to the last mention of an entity.

        >>> from scoref import score
        >>> groups = score([["a", "b"], ["c"]], [["a", "b"], ["d"]], metrics=["b3"]).by("size")
        >>> {name: scores["b3"].f1 for name, scores in groups.items()}
        {'1': 0.0, '2': 1.0}
        """
        of_documents = {"document": self.documents, "dataset": self.datasets, "genre": [*map(genre, self.documents)]}
        if field in of_documents:
            return self._by_group(of_documents[field])
        if self.table is None or self.entities is None:
            raise Error("no-entities", "this evaluation holds sums only, no entities")
        labels = [self._labels(field, side) for side in range(2)]
        if field not in _BUCKETS and not any(any(label) for each in labels for label in each):
            known = {
                name for pair in self.aligned for side in pair[:2] for m in side.mentions for name, _ in m.attributes
            }
            fields = ", ".join([*of_documents, *_BUCKETS, "entity", *sorted(known)])
            raise Error("unknown-field", f"no entity has the attribute '{field}'", expected=f"one of {fields}")
        order = sorted({label for each in labels for label in each}, key=lambda label: _order(field, label))
        names = [name for name in needed(self.protocol.metrics) if name in METRICS]
        counts = {name: np.zeros((len(order), 4)) for name in names}
        place = {label: number for number, label in enumerate(order)}
        for side, table in enumerate((self.table, self.table.transposed)):
            groups = np.array([place[label] for label in labels[side]], np.int64)
            for name in names:
                columns = counts[name][:, 2 * side : 2 * side + 2]
                np.add.at(columns, groups, entity_counts(METRICS[name], table))
        shown = [metric for metric in self.protocol.metrics if set(needed([metric])) <= set(names)]
        nuggets = self._nuggets_by(field) if NUGGET + field in self.protocol.metrics else {}
        return {
            label or "(none)": {
                metric: score(metric, {name: counts[name][number] for name in names}, self.protocol.links)
                for metric in shown
            }
            | nuggets.get(label, {})
            for label, number in place.items()
        }

    def _nuggets_by(self, field: str) -> dict[str, dict[str, Score]]:
        """The event nuggets of each type, or realis, that are found with it."""
        counts: dict[str, Floats] = {}
        for key, response, _ in self.aligned:
            for side, document in enumerate((key, response)):
                for mention in document.mentions:
                    counts.setdefault(dict(mention.attributes).get(field, ""), np.zeros(4))[2 * side + 1] += 1
            for k, _, dice in greedy(key, response, (field,)):
                counts[dict(key.mentions[k].attributes).get(field, "")][[0, 2]] += dice
        return {label: {NUGGET + field: Score.of(each)} for label, each in counts.items()}

    def _labels(self, field: str, side: int) -> list[str]:
        """What the field says of each entity of one side; '' where it says nothing."""
        assert self.entities is not None
        entities = self.entities[side]
        values: dict[tuple[int, Hashable], list[Mention]] = {}
        for number, pair in enumerate(self.aligned):
            for mention in pair[:2][side].mentions:
                values.setdefault((number if self.protocol.scope == "document" else 0, mention.entity), []).append(
                    mention
                )
        each = [values[key] for key in zip(entities.document, entities.name, strict=True)]
        if field in _BUCKETS:
            return [_bucket(field, mentions) for mentions in each]
        labels = [next((v for m in mentions for n, v in m.attributes if n == field), "") for mentions in each]
        return labels if side == 0 else self._as_in_key(self._labels(field, 0), labels)

    def _as_in_key(self, key: list[str], response: list[str]) -> list[str]:
        """The labels of response entities: that of the key entity which shares most mentions, else their own."""
        assert self.table is not None
        labels = list(response)
        order = np.lexsort((-self.table.row, self.table.count))  # the last one written counts
        for row, column in zip(self.table.row[order].tolist(), self.table.column[order].tolist(), strict=True):
            labels[column] = key[row]
        return labels

    def by_entity(self) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first.

        The cost of an entity is what its numerator falls short of its denominator, in B³ if that was scored, else in
        the first metric.
        """
        if self.table is None or self.entities is None:
            raise Error("no-entities", "this evaluation holds sums only, no entities")
        known = [name for name in needed(self.protocol.metrics) if name in METRICS]
        names = [name for name in known if METRICS[name].twinless in (None, "as-is")] or ["mentions"]
        found: list[EntityScore] = []
        for side, table, entities in zip(
            formats.SIDES, (self.table, self.table.transposed), self.entities, strict=True
        ):
            counts = {name: entity_counts(METRICS[name], table).tolist() for name in names}
            for number, (document, entity) in enumerate(zip(entities.document, entities.name, strict=True)):
                values = {name: (each[number][0], each[number][1]) for name, each in counts.items()}
                size = int(table.key_size[number])
                found.append(EntityScore(side, self.documents[document], entity, size, values))
        ruler = "b3" if "b3" in names else names[0]
        return sorted(found, key=lambda entity: entity.counts[ruler][0] - entity.counts[ruler][1])

    def nuggets(self) -> dict[str, dict[str, Score]]:
        """The detection of event nuggets, micro (sums over documents) and macro (means of recall and precision).

        The f1 of the macro average is that of the means. Documents without key mentions count in the means, or not, as
        the protocol says.
        """
        found = {}
        for name in (name for name in self.protocol.metrics if name.startswith(NUGGET)):
            counts = self.counts[name]
            scored = counts if self.protocol.empty == "count" else counts[counts[:, 1] > 0]
            each = [Score.of(document) for document in scored] or [Score(0.0, 0.0, 0.0)]
            means = [float(np.mean(values)) for values in list(zip(*each, strict=True))[:2]]
            macro = Score.of(np.array([means[0], 1.0, means[1], 1.0]))
            found[name.removeprefix(NUGGET)] = {"micro": Score.of(counts.sum(axis=0)), "macro": macro}
        return found

    def to_dict(self) -> dict[str, Any]:
        """The result as `scoref score --json` prints it."""
        sequencing = _as_dict({name: self[name] for name in SEQUENCING if name in self.protocol.metrics})
        settings = {name: _as_dict(each.scores) for name, each in self.settings.items()}
        datasets = {name: _as_dict(scores) for name, scores in self.by_dataset().items()}
        return {
            "scoref": __version__,
            "signature": self.signature,
            "protocol": {**self.protocol.__dict__, "metrics": list(self.protocol.metrics)},
            "documents": len(self.documents),
            "problems": [problem.to_dict() for problem in self.problems],
            "scores": _as_dict(self.scores),
            "counts": {
                metric: {"recall": sums[:2].tolist(), "precision": sums[2:].tolist()}
                for metric, sums in self._sums().items()
            },
            **({"nuggets": _as_dicts(self.nuggets())} if self.nuggets() else {}),
            **({"sequencing": sequencing} if sequencing else {}),
            **({"settings": settings} if settings else {}),
            **({"datasets": datasets} if self.protocol.average == "datasets" else {}),
        }

    def grid(self) -> grid.Grid:
        """The scores as a table; other settings have a column with their f1 each."""
        header = ("metric", "recall", "precision", "f1", *self.settings)
        rows: list[tuple[grid.Cell, ...]] = []
        for metric, each in self.scores.items():
            others = [other.scores.get(metric) for other in self.settings.values()]
            rows.append((metric, *each, *(other.f1 if other else None for other in others)))
        return grid.Grid("", header, rows)

    def notes(self) -> list[str]:
        """What belongs beside the scores: the number of documents, the problems found, the signature."""
        number = len(self.documents)
        lines = [f"{number} document{'s' * (number != 1)}"]
        for code, count in Counter(problem.code for problem in self.problems).items():
            first = next(problem for problem in self.problems if problem.code == code)
            lines.append(f"{count} × {code}: {first.message}" + (f" ({first.place})" if first.place else ""))
        return [*lines, f"signature {self.signature}"]

    def __str__(self) -> str:
        return "\n".join([grid.text(self.grid()), "", *grid.paragraphs(map(grid.clean, self.notes()))])


def _as_dicts(groups: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, dict[str, float]]]:
    return {name: _as_dict(scores) for name, scores in groups.items()}


def _as_dict(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {metric: each._asdict() for metric, each in scores.items()}


def _grouped(names: Sequence[str]) -> dict[str, list[int]]:
    """The places of each name."""
    found: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        found.setdefault(name, []).append(number)
    return found


def genre(document: str) -> str:
    """The genre that a document's name tells: what stands before the first `/`, else behind the first `_`.

    >>> genre("(bn/cnn/02/cnn_0210); part 000"), genre("GUM_academic_exposure"), genre("novel")
    ('bn', 'academic', 'novel')
    """
    name = document.lstrip("(")
    if "/" in name:
        return name.split("/")[0]
    parts = name.split("_")
    return parts[1] if len(parts) > 2 else parts[0]


_BUCKETS = {"size": (1, 2, 3, 5, 9, 17), "span": (0, 1, 50, 200, 1000, 5000)}


def _bucket(field: str, mentions: list[Mention]) -> str:
    words = [word_of(mention.span[0]) for mention in mentions if mention.span] or [0]
    value = len(mentions) if field == "size" else max(words) - min(words)
    bounds = _BUCKETS[field]
    number = max(index for index, bound in enumerate(bounds) if value >= bound)
    if number == len(bounds) - 1:
        return f"{bounds[-1]}+"
    low, high = bounds[number], bounds[number + 1] - 1
    return str(low) if low == high else f"{low}-{high}"


def _order(field: str, label: str) -> tuple[int, str]:
    return (int(label.rstrip("+").split("-")[0]), "") if field in _BUCKETS else (0, label)
