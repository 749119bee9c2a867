"""The result of scoring: per document the sums that every score is made of, and what can be made from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .. import __version__
from ..exceptions import Error, Problem
from ..layout import grid
from .breakdown import EntityScore, Groups, by_attribute, counted_groups, entity_scores
from .evidence import Evidence, Trace
from .grouping import DOCUMENT_FIELDS, PART, distinct, genre, grouped
from .metrics import Score, needed, scores
from .protocol import Protocol
from .relations import NUGGET, SEQUENCING
from .table import Floats


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
    choices, `intervals` those of the scores. `source` says what it was made from: the `evidence`, from which breakdowns
    and reports are made, or the trace of it that a saved evaluation has.

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
    source: Evidence | Trace = field(default=Evidence(), repr=False)
    settings: Mapping[str, Evaluation] = field(default_factory=dict, repr=False)
    intervals: Intervals | None = field(default=None, repr=False)
    version: str = field(default=__version__, repr=False)

    @property
    def signature(self) -> str:
        """All choices of the protocol and the version, in one line."""
        resampling = self.intervals.resampling.signature if self.intervals else ""
        bounded = ",".join(dict.fromkeys(str(each.text) for each in self.problems if each.code == "bounded-metric"))
        said = f"|bounded:{bounded}" if bounded else ""
        return f"{self.protocol.signature()}{said}{resampling}|scoref:{self.version}"

    @property
    def evidence(self) -> Evidence:
        """What it was made from; an error for a saved evaluation or tables, of which there are sums only."""
        if isinstance(self.source, Trace):
            raise Error("no-entities", self.source.reason, remedy=self.source.remedy)
        return self.source

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each document, also where all are scored as one."""
        if self.protocol.scope == "corpus":
            return distinct(pair.name for pair in self.evidence.pairs)
        return self.documents

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

    def by_document(self) -> Groups:
        """The scores of each document alone."""
        return self._by_group(self.documents)

    def by_dataset(self) -> Groups:
        """The scores of each dataset alone."""
        return self._by_group(self.datasets)

    def _by_group(self, names: Sequence[str]) -> Groups:
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
        }
        if field in known:
            return known[field]
        said = self.source.fields()
        if len(said) != len(self.documents) or not any(field in each for each in said):
            names = ", ".join([*known, *sorted({name for each in said for name in each})])
            raise Error("unknown-field", f"no document has the field '{field}'", expected=f"one of {names}")
        missing = [name for name, each in zip(self.documents, said, strict=True) if field not in each]
        if missing:
            raise Error("unknown-field", f"{len(missing)} documents lack the field '{field}'", document=missing[0],
                        expected=f"a comment # {field} = ... in each document")  # fmt: skip
        return tuple(each[field] for each in said)

    def by(self, field: str) -> Groups:
        """The scores of groups: of documents (document, text, dataset, genre), of entities (size, span, an attribute).

        For groups of entities recall is that of the group's key entities, precision that of its response entities; a
        response entity has the attributes of the key entity that it shares most mentions with, else its own.
        `size` is the number of mentions; `span` the number of words from the first to the last mention of an entity.

        >>> from scoref import score
        >>> groups = score([["a", "b"], ["c"]], [["a", "b"], ["d"]], metrics=["b3"]).by("size")
        >>> {name: scores["b3"].f1 for name, scores in groups.items()}
        {'1': 0.0, '2': 1.0}
        """
        if field in DOCUMENT_FIELDS or (isinstance(self.source, Trace) and field in self.source.saved_fields):
            return self._by_group(self.labels(field))
        if isinstance(self.source, Trace) and field in self.source.groups:
            return counted_groups(self.protocol, self.source.groups[field])
        return by_attribute(self.protocol, self.evidence, field)

    def by_entity(self) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first.

        The cost of an entity is what its numerator falls short of its denominator, in B³ if that was scored, else in
        the first metric.
        """
        return entity_scores(self.evidence, self.documents)

    def nuggets(self) -> Groups:
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
        lines = [f"{number} {self.source.counted}{'s' * (number != 1)}", *self.problem_notes(), *self.source.notes]
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
