"""The result of scoring: per document the sums that every score is made of, and what can be made from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import __version__, formats, grid
from .exceptions import Error, Problem
from .groups import BUCKETS, DOCUMENT_FIELDS, PART, bucket, by_number, comments, distinct, extent, genre, grouped
from .match import Lookups, canonical, greedy
from .metrics import Score, needed, score, scores
from .model import Document, Mention
from .pairing import Pair
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


class Resampling(NamedTuple):
    """How intervals and tests are made: how many resamples, the seed, what is drawn as a whole, and of how many.

    `warnings` say what makes them unsafe.
    """

    trials: int
    seed: int
    unit: str
    units: int
    warnings: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The part of a signature that says it."""
        return f"|unit:{self.unit}|trials:{self.trials}|seed:{self.seed}"

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        made = {"trials": self.trials, "seed": self.seed, "unit": self.unit, "units": self.units}
        return {"resampling": made, "warnings": list(self.warnings)}


Interval = tuple[float, float]


class Intervals(NamedTuple):
    """For each metric the intervals of recall, precision and f1, and how they were made."""

    resampling: Resampling
    scores: Mapping[str, tuple[Interval, Interval, Interval]]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The result: per document and metric the sums that every score is made of, and what was found on the way.

    `datasets` names the dataset of each document, `settings` holds the evaluations of the same documents under other
    choices, `intervals` those of the scores. Of the rest, `table`, `entities`, `aligned` and `pairs` (as they were
    read) hold what breakdowns and reports are made from; a saved evaluation has `digests` of the pairs instead, and
    `fields` with what was known of documents.

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
    entity_counts: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict, repr=False)
    settings: Mapping[str, Evaluation] = field(default_factory=dict, repr=False)
    intervals: Intervals | None = field(default=None, repr=False)
    pairs: tuple[Pair, ...] = field(default=(), repr=False)
    digests: tuple[tuple[str, ...], tuple[str, ...]] | None = field(default=None, repr=False)
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    version: str = field(default=__version__, repr=False)

    @property
    def signature(self) -> str:
        """All choices of the protocol and the version, in one line."""
        resampling = self.intervals.resampling.signature if self.intervals else ""
        return f"{self.protocol.signature()}{resampling}|scoref:{self.version}"

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each document, also where all are scored as one."""
        return distinct(pair.name for pair in self.pairs) if self.protocol.scope == "corpus" else self.documents

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.protocol.metrics:
            scored = ", ".join(self.protocol.metrics)
            raise Error("unscored-metric", f"'{metric}' was not scored", expected=f"one of {scored}",
                        remedy="ask for it with metrics=[...]")  # fmt: skip
        if self.protocol.average == "micro":
            return Score(*self._scores(metric, [range(len(self.counts[needed([metric])[0]]))])[0].tolist())
        names = self.documents if self.protocol.average == "macro" else self.datasets
        if not names:
            return Score(0.0, 0.0, 0.0)
        return Score(*(math.fsum(column) / len(column) for column in self._scores(metric, grouped(names).values()).T))

    def _scores(self, metric: str, groups: Collection[Sequence[int]]) -> Floats:
        """The scores [groups, 3] of groups of documents."""
        counts = {name: _sums(self.counts[name], groups) for name in needed([metric])}
        return scores(metric, counts, self.protocol.links)

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
        groups = grouped(names)
        each = {metric: self._scores(metric, groups.values()).tolist() for metric in self.protocol.metrics}
        return {
            name: {metric: Score(*values[number]) for metric, values in each.items()}
            for number, name in enumerate(groups)
        }

    def labels(self, field: str) -> tuple[str, ...]:
        """What a field says of each document: document, text, genre, dataset, or a comment `# FIELD = value` of it.

        The parts of one text, `(bn/cnn_0210); part 000` and `part 001`, are two documents and the same `text`.
        """
        known = {
            "document": self.documents,
            "text": tuple(PART.sub(r"\1", name) for name in self.documents),
            "genre": tuple(map(genre, self.documents)),
            "dataset": self.datasets,
            **self.fields,
        }
        if field in known:
            return known[field]
        said = [comments(pair.key) for pair in self.pairs] if len(self.pairs) == len(self.documents) else []
        if not any(field in each for each in said):
            names = ", ".join([*known, *sorted({name for each in said for name in each})])
            raise Error("unknown-field", f"no document has the field '{field}'", expected=f"one of {names}")
        missing = [name for name, each in zip(self.documents, said, strict=True) if field not in each]
        if missing:
            raise Error("unknown-field", f"{len(missing)} documents lack the field '{field}'", document=missing[0],
                        expected=f"a comment # {field} = ... in each document")  # fmt: skip
        return tuple(each[field] for each in said)

    def by(self, field: str) -> dict[str, dict[str, Score]]:
        """The scores of groups: of documents (document, text, dataset, genre), of entities (size, span, an attribute).

        For groups of entities recall is that of the group's key entities, precision that of its response entities; a
        response entity has the attributes of the key entity that it shares most mentions with, else its own.
        `size` is the number of mentions; `span` the number of words from the first to the last mention of an entity.

        >>> from scoref import score
        >>> groups = score([["a", "b"], ["c"]], [["a", "b"], ["d"]], metrics=["b3"]).by("size")
        >>> {name: scores["b3"].f1 for name, scores in groups.items()}
        {'1': 0.0, '2': 1.0}
        """
        if field in DOCUMENT_FIELDS or field in self.fields:
            return self._by_group(self.labels(field))
        if NUGGET + field in self.protocol.metrics and self.aligned:
            return _side_by_side(self._entities_by(field) if self.entity_counts else {}, self._nuggets_by(field))
        return self._entities_by(field)

    def _entities_by(self, field: str) -> dict[str, dict[str, Score]]:
        if self.table is None or self.entities is None:
            raise Error("no-entities", "this evaluation holds sums only, no entities")
        labels = [self._entity_labels(field, side) for side in range(2)]
        if field not in BUCKETS and not any(any(label) for each in labels for label in each):
            known = {
                name for pair in self.aligned for side in pair[:2] for m in side.mentions for name, _ in m.attributes
            }
            fields = ", ".join([*DOCUMENT_FIELDS, *BUCKETS, "entity", *sorted(known)])
            raise Error("unknown-field", f"no entity has the attribute '{field}'", expected=f"one of {fields}")
        order = sorted({label for each in labels for label in each}, key=by_number)
        names = list(self.entity_counts)
        counts = {name: np.zeros((len(order), 4)) for name in names}
        place = {label: number for number, label in enumerate(order)}
        for side in range(2):
            groups = np.array([place[label] for label in labels[side]], np.int64)
            for name in names:
                np.add.at(counts[name][:, 2 * side : 2 * side + 2], groups, self.entity_counts[name][side])
        shown = [metric for metric in self.protocol.metrics if set(needed([metric])) <= set(names)]
        return {
            label or "(none)": {
                metric: score(metric, {name: counts[name][number] for name in names}, self.protocol.links)
                for metric in shown
            }
            for label, number in place.items()
        }

    def _nuggets_by(self, field: str) -> dict[str, dict[str, Score]]:
        """The event nuggets of each type, or realis, that are found with it."""
        counts: dict[str, Floats] = {}
        spelled: dict[str, str] = {}

        def label(mention: Mention) -> str:
            """The type as it is first spelled."""
            written = dict(mention.attributes).get(field, "")
            return spelled.setdefault(canonical(written), written)

        for key, response, _ in self.aligned:
            for side, document in enumerate((key, response)):
                for mention in document.mentions:
                    counts.setdefault(label(mention), np.zeros(4))[2 * side + 1] += 1
            for k, _, dice in greedy(key, response, (field,)):
                counts[label(key.mentions[k])][[0, 2]] += dice
        return {name or "(none)": {NUGGET + field: Score.of(counts[name])} for name in sorted(counts)}

    def _entity_labels(self, field: str, side: int) -> list[str]:
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
        if field in BUCKETS:
            return [bucket(field, extent(field, mentions)) for mentions in each]
        labels = [next((v for m in mentions for n, v in m.attributes if n == field), "") for mentions in each]
        return labels if side == 0 else self._as_in_key(self._entity_labels(field, 0), labels)

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
        names = list(self.entity_counts)
        if not names:
            raise Error("no-entities", "no metric here says anything of single entities", remedy="add --metrics b3",
                        expected="a metric like muc or b3, with mentions as they are")  # fmt: skip
        found: list[EntityScore] = []
        sizes = self.table.key_size, self.table.response_size
        for number, (side, entities) in enumerate(zip(formats.SIDES, self.entities, strict=True)):
            rows = [self.entity_counts[name][number].tolist() for name in names]
            for index, (document, entity) in enumerate(zip(entities.document, entities.name, strict=True)):
                values = {name: (row[index][0], row[index][1]) for name, row in zip(names, rows, strict=True)}
                found.append(EntityScore(side, self.documents[document], entity, int(sizes[number][index]), values))
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
            "scoref": self.version,
            "signature": self.signature,
            "protocol": {**self.protocol.__dict__, "metrics": list(self.protocol.metrics)},
            "documents": len(self.documents),
            "problems": [problem.to_dict() for problem in self.problems],
            "scores": self.scores_dict(),
            "counts": {
                metric: {"recall": sums[:2].tolist(), "precision": sums[2:].tolist()}
                for metric, counts in self.counts.items()
                for sums in _sums(counts, [range(len(counts))])
            },
            **(self.intervals.resampling.to_dict() if self.intervals else {}),
            **({"nuggets": _as_dicts(self.nuggets())} if self.nuggets() else {}),
            **({"sequencing": sequencing} if sequencing else {}),
            **({"settings": settings} if settings else {}),
            **({"datasets": datasets} if self.protocol.average == "datasets" else {}),
        }

    def scores_dict(self) -> dict[str, dict[str, Any]]:
        """The scores for JSON, each with its intervals, if they were made."""
        found: dict[str, dict[str, Any]] = {metric: each._asdict() for metric, each in self.scores.items()}
        for metric, each in self.intervals.scores.items() if self.intervals else ():
            found[metric]["ci"] = {name: list(ends) for name, ends in zip(Score._fields, each, strict=True)}
        return found

    def grid(self) -> grid.Grid:
        """The scores as a table; other settings have a column with their f1 each, intervals are those of f1."""
        ends = ("f1 low", "f1 high") if self.intervals else ()
        header = ("metric", "recall", "precision", "f1", *ends, *self.settings)
        rows: list[tuple[grid.Cell, ...]] = []
        for metric, each in self.scores.items():
            others = [other.scores.get(metric) for other in self.settings.values()]
            interval = self.intervals.scores[metric][2] if self.intervals else ()
            rows.append((metric, *each, *interval, *(other.f1 if other else None for other in others)))
        return grid.Grid("", header, rows)

    def notes(self) -> list[str]:
        """What belongs beside the scores: the number of documents, the problems found, the signature."""
        number = len(self.documents)
        lines = [f"{number} document{'s' * (number != 1)}", *self.problem_notes()]
        if self.intervals:
            resampling = self.intervals.resampling
            lines.append(f"95 % intervals: bootstrap (BCa) over {resampling.units} units ({resampling.unit})")
            lines += [f"warning: {warning}" for warning in resampling.warnings]
        return [*lines, f"signature {self.signature}"]

    def problem_notes(self) -> list[str]:
        """For each kind of problem how many there are, and the first one."""
        lines = []
        for code, count in Counter(problem.code for problem in self.problems).items():
            first = next(problem for problem in self.problems if problem.code == code)
            lines.append(f"{count} × {code}: {first.message}" + (f" ({first.place})" if first.place else ""))
        return lines

    def __str__(self) -> str:
        return "\n".join([grid.text(self.grid()), "", *grid.paragraphs(map(grid.clean, self.notes()))])

    def _repr_html_(self) -> str:
        return grid.html_(self.grid()) + grid.html_lines(self.notes())


def _as_dicts(groups: Mapping[str, Mapping[str, Score]]) -> dict[str, dict[str, dict[str, float]]]:
    return {name: _as_dict(scores) for name, scores in groups.items()}


def _as_dict(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {metric: each._asdict() for metric, each in scores.items()}


def _sums(counts: Floats, groups: Collection[Sequence[int]]) -> Floats:
    """The sums of rows, group by group, rounded once: the order of documents makes no difference."""
    if all(len(group) == 1 for group in groups):
        return counts[[group[0] for group in groups]]
    return np.array([[math.fsum(column) for column in counts[group].T.tolist()] for group in groups])


def _side_by_side(*each: dict[str, dict[str, Score]]) -> dict[str, dict[str, Score]]:
    """The scores of groups, several in one; where a group is not in all of them, it has nothing to be found."""
    nothing = {metric: Score(0.0, 0.0, 0.0) for groups in each for scores in groups.values() for metric in scores}
    labels = sorted({label for groups in each for label in groups})
    return {
        label: nothing | {metric: score for groups in each for metric, score in groups.get(label, {}).items()}
        for label in labels
    }
