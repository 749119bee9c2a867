"""The result of scoring: per document the sums that every score is made of, and what can be made from them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from ..counting.metrics import Score, Whole
from ..counting.table import Floats
from ..document.grouping import DOCUMENT_FIELDS, distinct, grouped, labelled
from ..layout import grid
from ..problems import Error, Problem, by_kind
from ..protocol.protocol import Protocol, bounded, shown_signature
from ..relations.registry import SEQUENCING, how_of, unsettled
from ..texts.projection import drift_sentences
from .averages import addends, counts_what, defined, finished, parts
from .breakdown import EntityScore, Groups, by_attribute, counted_groups, entity_scores, left_out, nugget_scores
from .evidence import Evidence, Trace
from .group_scores import GroupScores, as_dict, as_dicts, frame
from .intervals import Intervals

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Mapping[str, Score]):
    """The result: per document and metric the sums that every score is made of, and what was found on the way.

    It is a mapping from the names of metrics to their scores.

    `datasets` names the dataset of each document, `settings` holds the evaluations of the same documents under other
    choices, `intervals` those of the scores. `source` says what it was made from: the `evidence`, from which breakdowns
    and reports are made, or the trace of it that a saved evaluation has. `remarks` are sentences that belong beside the
    scores, `drift` says how running texts differ from the key's.

    >>> from scoref import score
    >>> result = score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> result["muc"].precision
    0.5
    >>> result
    <Evaluation f1: mentions 100.00, muc 66.67, b3 71.43, ceafe 53.33, conll 63.81; 1 document; conll-2012|scoref:...>
    >>> print(result)
    metric    recall  precision      f1
    mentions  100.00     100.00  100.00
    muc       100.00      50.00   66.67
    b3        100.00      55.56   71.43
    ceafe      40.00      80.00   53.33
    conll      80.00      61.85   63.81
    <BLANKLINE>
    1 document
    signature conll-2012|scoref:...
    """

    protocol: Protocol
    documents: tuple[str, ...]
    counts: Mapping[str, Floats]
    problems: tuple[Problem, ...] = ()
    datasets: tuple[str, ...] = ()
    source: Evidence | Trace = field(default=Evidence())
    settings: Mapping[str, Evaluation] = field(default_factory=dict)
    intervals: Intervals | None = None
    version: str = __version__
    remarks: tuple[str, ...] = ()
    drift: Mapping[str, Any] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The preset, the choices that differ from it, and the version, in one line."""
        return self.protocol.signature() + self._beside

    @property
    def signature_full(self) -> str:
        """The signature with every choice named."""
        return self.protocol.full() + self._beside

    @property
    def _beside(self) -> str:
        resampling = self.intervals.resampling.signature if self.intervals else ""
        return f"{bounded(self.problems)}{resampling}|scoref:{self.version}"

    @cached_property
    def evidence(self) -> Evidence:
        """What it was made from, if need be by scoring again; an error where there are sums only (saved, tables)."""
        if isinstance(self.source, Evidence):
            return self.source
        if self.source.again is None:
            raise Error("no-entities", self.source.reason, remedy=self.source.remedy)
        return self.source.again()

    @property
    def has_evidence(self) -> bool:
        """Whether it is known what it was made from, or can be found out."""
        return isinstance(self.source, Evidence) or self.source.again is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each document, also where all are scored as one."""
        pairs = self.source.pairs if isinstance(self.source, Evidence) else ()
        return distinct(pair.name for pair in pairs) if len(pairs) > len(self.documents) else self.documents

    @property
    def size(self) -> int:
        """The number of documents, also where all are scored as one."""
        return self.source.size or len(self.documents)

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.protocol.metrics:
            scored = ", ".join(self.protocol.metrics)
            raise Error("unscored-metric", f"'{metric}' was not scored", expected=f"one of {scored}",
                        remedy="ask for it with metrics=[...]")  # fmt: skip
        return Score(*self._values[self.protocol.metrics.index(metric)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.protocol.metrics)

    def __len__(self) -> int:
        return len(self.protocol.metrics)

    def __contains__(self, metric: object) -> bool:
        return metric in self.protocol.metrics

    def get(self, metric: str, default: Any = None) -> Any:
        """The score of a metric, or another value if it was not scored."""
        return self.scores.get(metric, default)

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # one evaluation is no other, whatever the scores

    @cached_property
    def undefined(self) -> dict[str, str]:
        """The metrics that have nothing to count in key and response, and what that is; their scores are 0."""
        return {metric: f"no {counts_what(metric)} in key and response" for metric in self.protocol.metrics
                if not defined(metric, self._totals)}  # fmt: skip

    @cached_property
    def _values(self) -> list[list[float]]:
        """Recall, precision and f1 of each metric."""
        values: list[list[float]] = finished(self.protocol, self.sums()).tolist()
        return values

    def sums(self) -> Floats:
        """What the scores are made from: what is added up over documents, dataset by dataset."""
        names = self.datasets if self.protocol.average == "datasets" else ("",) * len(self.documents)
        rows = addends(self.protocol, self.counts)
        return _sums(rows, grouped(names).values()) if len(rows) else np.zeros((1, rows.shape[1]))

    @property
    def scores(self) -> dict[str, Score]:
        """The score of every metric of the protocol."""
        return {metric: self[metric] for metric in self.protocol.metrics}

    def by_document(self) -> GroupScores:
        """The scores of each document alone."""
        return self.by("document")

    def by_dataset(self) -> GroupScores:
        """The scores of each dataset alone."""
        return self.by("dataset")

    def _by_group(self, names: Sequence[str]) -> Groups:
        """The scores of groups of documents: those of their sums, whatever the average."""
        protocol = self.protocol.change(average="micro")
        groups = grouped(names)
        sums = _sums(addends(protocol, self.counts), groups.values())
        values = finished(protocol, sums[:, None, :]).tolist()
        return {
            name: {metric: Score(*value) for metric, value in zip(protocol.metrics, each, strict=True)}
            for name, each in zip(groups, values, strict=True)
        }

    def undefined_by(self, field: str) -> dict[str, set[str]]:
        """For groups of documents the metrics that have nothing to count there; none for groups of entities."""
        if field not in DOCUMENT_FIELDS:
            return {}
        groups = grouped(self.labels(field))
        sums = {name: _sums(counts, groups.values()) for name, counts in self.counts.items()}
        there = {metric: defined(metric, sums) for metric in self.protocol.metrics}
        return {name: {metric for metric in there if not there[metric][number]} for number, name in enumerate(groups)}

    def labels(self, field: str) -> tuple[str, ...]:
        """What a field says of each document: document, text, genre, dataset, or a comment `# FIELD = value` of it.

        The parts of one text, `(bn/cnn_0210); part 000` and `part 001`, are two documents and the same `text`.
        """
        if field == self.protocol.scope:
            return self.documents
        asked = self.has_evidence and field not in DOCUMENT_FIELDS
        return labelled(field, self.documents, self.datasets, (self.evidence if asked else self.source).fields())

    def by(self, field: str) -> GroupScores:
        """The scores of groups: of documents (document, text, dataset, genre), of entities (size, span, an attribute).

        For groups of entities recall is that of the group's key entities, precision that of its response entities; a
        response entity has the attributes of the key entity that it shares most mentions with, else its own.
        `size` is the number of mentions; `span` the number of words from the first to the last mention of an entity.

        >>> from scoref import score
        >>> groups = score([["a", "b"], ["c"]], [["a", "b"], ["d"]], metrics=["b3"]).by("size")
        >>> {name: scores["b3"].f1 for name, scores in groups.items()}
        {'1': 0.0, '2': 1.0}
        >>> print(groups)
        size      b3
        1       0.00
        2     100.00
        """
        mean = None
        if field == "dataset":
            whole = replace(self, protocol=self.protocol.change(average="datasets"))
            mean = {metric: None if metric in whole.undefined else whole[metric] for metric in whole}
        return GroupScores(self._grouped(field), field, self.undefined_by(field), mean)

    def _grouped(self, field: str) -> Groups:
        if field in (*DOCUMENT_FIELDS, self.protocol.scope) or (
            isinstance(self.source, Trace) and field in self.source.saved_fields
        ):
            return self._by_group(self.labels(field))
        if isinstance(self.source, Trace) and field in self.source.groups:
            return counted_groups(self.protocol, self.source.groups[field])
        return by_attribute(self.protocol, self.evidence, field)

    def by_entity(self, most: int | None = None) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first; `most` of them, or all.

        An entity costs what its numerator falls short of its denominator, in B³ if scored, else in the first metric.
        """
        return entity_scores(self.evidence, self.documents, most)

    def nuggets(self) -> Groups:
        """The detection of event nuggets, micro (sums over documents) and macro (means of recall and precision).

        The f1 of the macro average is that of the means. Documents without key mentions count in the means, or not, as
        the protocol says.
        """
        return nugget_scores(self.protocol, self.counts)

    def to_dict(self) -> dict[str, Any]:
        """The result as `scoref score --json` prints it."""
        sequencing = as_dict({name: self[name] for name in SEQUENCING if name in self.protocol.metrics})
        settings = {name: as_dict(each.scores) for name, each in self.settings.items()}
        datasets = {name: as_dict(scores) for name, scores in self.by_dataset().items()}
        return {
            "scoref": self.version,
            "signature": self.signature,
            "signature_full": self.signature_full,
            "protocol": {**self.protocol.__dict__, "metrics": list(self.protocol.metrics)},
            "documents": self.size,
            "problems": [problem.to_dict() for problem in self.problems],
            "notes": self.remark_notes(),
            "undefined": self.undefined,
            "scores": self.scores_dict(),
            "counts": {
                metric: {"sums": sums.tolist()}
                if isinstance(how_of(metric), Whole)
                else {"recall": sums[:2].tolist(), "precision": sums[2:].tolist()}
                for metric, counts in self.counts.items()
                for sums in _sums(counts, [range(len(counts))])
            },
            **(self.intervals.resampling.to_dict() if self.intervals else {}),
            **({"nuggets": as_dicts(self.nuggets())} if self.nuggets() else {}),
            **({"sequencing": sequencing} if sequencing else {}),
            **({"settings": settings} if settings else {}),
            **({"drift": self.drift} if self.drift else {}),
            **({"datasets": datasets} if self.protocol.average == "datasets" else {}),
        }

    def scores_dict(self) -> dict[str, dict[str, Any]]:
        """The scores for JSON, each with its intervals, if they were made."""
        found: dict[str, dict[str, Any]] = {metric: each._asdict() for metric, each in self.scores.items()}
        for metric, each in self.intervals.scores.items() if self.intervals else ():
            found[metric]["ci"] = {name: list(ends) for name, ends in zip(Score._fields, each, strict=True)}
        return found

    def grids(self) -> list[grid.Grid]:
        """The scores as a table; those of event nuggets in a second one, micro and macro average side by side."""
        averages = ("recall", "precision", "f1")
        header = ("event nuggets", "micro recall", *averages[1:], "macro recall", *averages[1:])
        rows: list[tuple[grid.Cell, ...]] = [
            (name, *each["micro"], *each["macro"]) for name, each in self.nuggets().items()
        ]
        return [self.grid(), *([grid.Grid("", header, rows)] if rows else [])]

    def grid(self) -> grid.Grid:
        """The scores as a table; other settings have a column with their f1 each, intervals are those of f1."""
        intervals = self.intervals.scores if self.intervals else {}
        ends = ("f1 low", "f1 high") if intervals else ()
        header = ("metric", "recall", "precision", "f1", *ends, *self.settings)
        rows: list[tuple[grid.Cell, ...]] = []
        for metric, each in self.scores.items():
            others = [other.scores.get(metric) for other in self.settings.values()]
            interval = intervals[metric][2] if intervals else ()
            shown = (*each, *interval, *(other.f1 if other else None for other in others))
            rows.append((metric, *(grid.NOTHING if metric in self.undefined else cell for cell in shown)))
        return grid.Grid("", header, rows)

    def notes(self) -> list[str]:
        """What belongs beside the scores: the number of documents, the problems found, the signature."""
        number = f"{self.size} {self.source.counted}{'s' * (self.size != 1)}"
        lines = [number, *self.remark_notes(), *self.problem_notes(), *self.source.notes]
        if self.intervals:
            resampling = self.intervals.resampling
            if self.intervals.scores:
                lines.append(f"95 % intervals: bootstrap (BCa) over {resampling.units} units ({resampling.unit})")
            lines += [f"warning: {warning}" for warning in resampling.warnings]
        return [*lines, f"signature {shown_signature(self.signature)}"]

    def remark_notes(self) -> list[str]:
        """Sentences on the scores: what is undefined, what is left out of means, which defects matter."""
        lines = [f"{metric}: {reason}" for metric, reason in self.undefined.items() if not parts(metric)]
        for metric in self.protocol.metrics:
            lacking = [part for part in parts(metric) if not defined(part, self._totals)]
            if lacking and len(lacking) < len(parts(metric)):
                what = counts_what(lacking[0])
                lines.append(f"{metric} counts {', '.join(lacking)} as 0: no {what} in key and response")
        return [
            *lines,
            *self._mean_notes(),
            *left_out(self.protocol, self.source),
            *self.official_notes(),
            *drift_sentences(self.drift, self.protocol.lost),
            *self.remarks,
        ]

    @cached_property
    def _totals(self) -> dict[str, Floats]:
        return {name: counts.sum(axis=0) for name, counts in self.counts.items()}

    def _mean_notes(self) -> list[str]:
        """Over what the means are, and what is left out of them."""
        average = self.protocol.average
        if average not in ("macro", "means", "datasets"):
            return []
        names = self.datasets if average == "datasets" else self.documents
        what = "dataset" if average == "datasets" else "document"
        groups = grouped(names)
        if len(groups) < 2:
            return []
        lines = [f"mean over {len(groups)} {what}s"]
        if self.protocol.empty == "skip":
            sums = {name: _sums(counts, groups.values()) for name, counts in self.counts.items()}
            for metric in self.protocol.metrics:
                number = int(defined(metric, sums).sum())
                if 0 < number < len(groups) and not parts(metric):
                    lines.append(f"{metric}: mean over the {number} of them that have {counts_what(metric)}")
        return lines

    def official_notes(self) -> list[str]:
        """What official rules do to these scores: values above 1, and numbers that are not well defined."""
        lines, choices = [], self.protocol
        above = [metric for metric, score in self.scores.items() if max(score) > 1 + 1e-9]
        if above:
            lines.append(f"out of range: {', '.join(above)} above 100, {choices.repeating}")
        depending = [metric for metric in choices.metrics if unsettled(metric)]
        credited = (choices.credit, choices.split) == ("ua-1.0", "credit")
        aligned = self.source.aligned if credited and isinstance(self.source, Evidence) else ()
        if depending and any(key.sets and response.sets for key, response, _ in aligned):
            lines.append(
                f"{', '.join(depending)}: the official scorer's number may differ; with split antecedents it depends on"
                " the order of a Python set"
            )
        return lines

    def problem_notes(self) -> list[str]:
        """For each kind of problem how many there are, and the first one."""
        return by_kind(self.problems)

    def to_frame(self) -> DataFrame:
        """The scores as a frame of pandas: a row for each metric, with recall, precision, f1."""
        return frame({metric: None if metric in self.undefined else self[metric] for metric in self}, ("metric",))

    def __repr__(self) -> str:
        each = [f"{name} {'–' if name in self.undefined else format(100 * self[name].f1, '.2f')}" for name in self]
        number = f"{self.size} document{'s' * (self.size != 1)}"
        return f"<Evaluation f1: {', '.join(each)}; {number}; {shown_signature(self.signature)}>"

    def __str__(self) -> str:
        tables = [line for each in self.grids() for line in (grid.text(each), "")]
        return "\n".join([*tables, *grid.paragraphs(map(grid.clean, self.notes()))])

    def _repr_html_(self) -> str:
        return "".join(map(grid.html_, self.grids())) + grid.html_lines(self.notes())


def _sums(counts: Floats, groups: Collection[Sequence[int]]) -> Floats:
    """The sums of rows, group by group, rounded once: the order of documents makes no difference."""
    if all(len(group) == 1 for group in groups):
        return counts[[group[0] for group in groups]]
    some = (counts if len(group) == len(counts) else counts[group] for group in groups)
    return np.array([[math.fsum(column.tolist()) for column in part.T] for part in some])
