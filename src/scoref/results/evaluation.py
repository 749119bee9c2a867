"""The result of scoring: sums for each document, and the scores, breakdowns and tables made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Any

from ..counting.metrics import Score
from ..document.grouping import DOCUMENT_FIELDS, MENTION, grouped, labelled
from ..layout import grid, render
from ..layout.render import Json
from ..problems import by_kind, left_out
from ..protocol.metric_names import metric_name
from ..protocol.protocol import bounded, shown_signature
from ..relations.registry import SEQUENCING
from .averages import Groups, Sums, refuse_indices
from .evidence import EntityScore, Evidence, by_attribute, counted_groups, entity_scores, nugget_scores
from .scores import (
    UNDEFINED,
    Factors,
    GroupScores,
    Intervals,
    Scores,
    as_dict,
    counts_dict,
    factor_lines,
    factors,
    number_of,
    parts_beside,
    remarks,
    scored_name,
)

if TYPE_CHECKING:
    from .kinds import KindScores
    from .sampled import StandardErrors
    from .sums_only import SumsOnly


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Sums, Mapping[str, Score]):
    """The result: per document and metric the sums that every score is made of, and the problems of the files.

    It is a mapping from the names of metrics to their scores. Evaluations are compared by identity.

    `counts` has by metric an array [documents, 4]: recall numerator, denominator, precision numerator, denominator.
    `datasets` names the dataset of each document, `settings` has the evaluations of the same documents under other
    choices, `intervals` the confidence intervals of the scores, if they were made. `source` is the evidence (documents
    and alignments), which some breakdowns and reports need, or `SumsOnly`. `remarks` are printed below the scores.

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
    b3 recall 100.00 = mentions 100.00 × linking 100.00, precision 55.56 = mentions ...
    1 document
    signature conll-2012|scoref:...
    """

    source: Evidence | SumsOnly = field(default=Evidence())
    settings: Mapping[str, Evaluation] = field(default_factory=dict)
    intervals: Intervals | None = None
    remarks: tuple[str, ...] = ()

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    __str__ = render.text
    _repr_html_ = render.html

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

    @property
    def version(self) -> str:
        """The version of scoref that made it."""
        return self.source.version

    @property
    def drift(self) -> Json:
        """How running texts differ from the key's; empty where they are not running texts."""
        return self.source.drift

    @cached_property
    def evidence(self) -> Evidence:
        """Documents and alignments, if need be by scoring again; an error if only sums were kept (saved, tables)."""
        return self.source.evidence()

    @property
    def has_evidence(self) -> bool:
        """Whether `evidence` can be had, if need be by scoring again."""
        return self.source.available

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each document, also where all are scored as one."""
        return self.source.names(self.documents)

    @property
    def size(self) -> int:
        """The number of documents, also where all are scored as one."""
        return self.source.size or len(self.documents)

    def __getitem__(self, metric: str) -> Score:
        metrics = self.protocol.metrics
        return Score(*self.score_rows[metrics.index(metric if metric in metrics else scored_name(metric, metrics))])

    def __iter__(self) -> Iterator[str]:
        return iter(self.protocol.metrics)

    def __len__(self) -> int:
        return len(self.protocol.metrics)

    def __contains__(self, metric: object) -> bool:
        return isinstance(metric, str) and metric_name(metric) in self.protocol.metrics

    def get(self, metric: str, default: Any = None) -> Any:
        """The score of a metric, or the default if it was not scored."""
        return self.scores.get(metric, default)

    @property
    def scores(self) -> Scores:
        """The score of every metric of the protocol."""
        return Scores(zip(self.protocol.metrics, starmap(Score, self.score_rows), strict=True))

    def by_document(self) -> GroupScores:
        """The scores of each document alone."""
        return self.by("document")

    def by_dataset(self) -> GroupScores:
        """The scores of each dataset alone."""
        return self.by("dataset")

    def undefined_by(self, field: str) -> dict[str, set[str]]:
        """For each group of documents, the metrics with nothing to count there; empty if `field` groups entities."""
        if field not in DOCUMENT_FIELDS:
            return {}
        labels = self.labels(field)
        there = self.defined_in(labels)
        return {name: {metric for metric in there if not there[metric][number]}
                for number, name in enumerate(grouped(labels))}  # fmt: skip

    def labels(self, field: str) -> tuple[str, ...]:
        """The value of a field for each document: document, text, genre, dataset, or a comment `# FIELD = value`.

        The parts of one text, `(bn/cnn_0210); part 000` and `part 001`, are two documents and the same `text`.
        """
        if field == self.protocol.reading.scope:
            return self.documents
        asked = self.has_evidence and field not in DOCUMENT_FIELDS
        return labelled(field, self.documents, self.datasets, (self.evidence if asked else self.source).fields())

    def by(self, field: str) -> GroupScores:
        """The scores of groups: of documents (document, text, dataset, genre), of entities (size, span, an attribute).

        For groups of entities recall is that of the group's key entities, precision that of its response entities; a
        response entity has the attributes of the key entity that it shares most mentions with, else its own.
        `size` is the number of mentions; `span` the number of words from the first to the last mention of an entity.
        `mention:form` groups mentions, see `by_mention`.

        >>> from scoref import score
        >>> groups = score([["a", "b"], ["c"]], [["a", "b"], ["d"]], metrics=["b3"]).by("size")
        >>> {name: scores["b3"].f1 for name, scores in groups.items()}
        {'1': 0.0, '2': 1.0}
        """
        if field.startswith(MENTION):
            return self.by_mention(field.removeprefix(MENTION))
        mean = None
        if field == "dataset":
            whole = replace(self, protocol=self.protocol.change(average="datasets"))
            mean = {metric: None if metric in whole.undefined else whole[metric] for metric in whole}
        return GroupScores(self._grouped(field), field, self.undefined_by(field), mean)

    def _grouped(self, field: str) -> Groups:
        if field in (*DOCUMENT_FIELDS, self.protocol.reading.scope, *self.source.saved_fields):
            if self.source.counted == "unit" and field != "dataset":
                refuse_indices(self.protocol)
            return self.by_group(self.labels(field))
        if (groups := self.source.groups.get(field)) is not None:
            return counted_groups(self.protocol, groups, {name for counts in groups.values() for name in counts})
        return by_attribute(self.protocol, self.evidence, field)

    def by_mention(self, field: str) -> KindScores[Evaluation]:
        """The scores of mentions by their kind, as the field tells it.

        Fields are form, nested, first, distance, distance-words, length, size, position, quoted, an attribute of
        mentions, or a column of words.

        Recall is that of the key's mentions, precision that of the response's, each with the kind that it has on its
        side. Numerators and denominators of the kinds add up to those of the whole.
        """
        from .kinds import by_kind  # a plain score does not need it

        return by_kind(self, self.source.kinds.get(field) or self.evidence, field)

    def by_entity(self, most: int | None = None) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first; `most` of them, or all.

        The cost of an entity is its denominator minus its numerator, in B³ if scored, else in the first metric.
        """
        return entity_scores(self.evidence, self.documents, most)

    def nuggets(self) -> Groups:
        """The detection of event nuggets, micro (sums over documents) and macro (means of recall and precision).

        The f1 of the macro average is that of the means. Documents without key mentions count in the means, or not, as
        the protocol says.
        """
        return nugget_scores(self.protocol, self.counts)

    def to_dict(self) -> Json:
        """The result as `scoref score --json` prints it."""
        sequencing = as_dict({name: self[name] for name in SEQUENCING if name in self.protocol.metrics})
        further = {
            "nuggets": {name: as_dict(each) for name, each in self.nuggets().items()},
            "sequencing": sequencing,
            "factors": {
                name: {part: values._asdict() for part, values in each.items()} for name, each in self.factors.items()
            },
            "settings": {name: as_dict(each.scores) for name, each in self.settings.items()},
            "drift": self.drift,
            "answers": self.source.answers,
        }
        if self.protocol.averaging.average == "datasets":
            further["datasets"] = {name: as_dict(each) for name, each in self.by_dataset().items()}
        return {
            "scoref": self.version,
            "signature": self.signature,
            "signature_full": self.signature_full,
            "protocol": self.protocol.to_dict(),
            "documents": self.size,
            "problems": [problem.to_dict() for problem in self.problems],
            "notes": self.remark_notes(),
            "undefined": self.undefined,
            "scores": self.scores_dict(),
            "counts": counts_dict(self.counts),
            **(self.intervals.resampling.to_dict() if self.intervals else {}),
            **{name: value for name, value in further.items() if value},
        }

    def scores_dict(self) -> dict[str, Json]:
        """The scores for JSON, each with its intervals, if they were made."""
        values = {metric: each._asdict() | parts_beside(metric, self) for metric, each in self.scores.items()}
        for metric, errors in self.standard_errors.items():
            values[metric]["standard_error"] = errors._asdict()
        for metric, each in self.intervals.scores.items() if self.intervals else ():
            values[metric]["ci"] = {name: list(ends) for name, ends in zip(Score._fields, each, strict=True)}
        return values

    @cached_property
    def standard_errors(self) -> dict[str, StandardErrors]:
        """The standard errors of each score, where it was estimated from a sampled key."""
        if self.protocol.counting.sampled == "none":
            return {}
        from .sampled import standard_errors

        return {metric: standard_errors(self.counts[metric]) for metric in self.protocol.metrics}

    def grids(self) -> list[grid.Grid]:
        """The scores as a table; those of event nuggets in a second one, micro and macro average side by side."""
        header = ("event nuggets", "micro recall", "precision", "f1", "macro recall", "precision", "f1")
        rows = [(name, *each["micro"], *each["macro"]) for name, each in self.nuggets().items()]
        return [self.grid(), *([grid.Grid("", header, rows)] if rows else [])]

    def grid(self) -> grid.Grid:
        """The scores as a table; other settings have a column with their f1 each, intervals are those of f1."""
        intervals = self.intervals.scores if self.intervals else {}
        ends = ("f1 low", "f1 high") if intervals else ()
        beside = ("±recall", "±precision", "±f1") if self.standard_errors else ()
        header = ("metric", "recall", "precision", "f1", *beside, *ends, *self.settings)
        rows: list[tuple[grid.Cell, ...]] = []
        for metric, each in self.scores.items():
            others = [other.scores.get(metric) for other in self.settings.values()]
            interval = intervals[metric][2] if intervals else ()
            spread = (grid.NOTHING if error is None else error for error in self.standard_errors.get(metric, ()))
            shown = (*each, *spread, *interval, *(other.f1 if other else None for other in others))
            rows.append((metric, *(grid.NOTHING if metric in self.undefined else cell for cell in shown)))
        return grid.Grid("", header, rows)

    @cached_property
    def factors(self) -> dict[str, dict[str, Factors]]:
        """For each metric that is a product, how much of it is mention detection and how much is linking.

        >>> from scoref import score
        >>> score([["a", "b"], ["c"]], [["a", "b", "c"], ["d"]], metrics=["b3"]).factors["b3"]["precision"]
        Factors(score=0.4166..., mentions=0.75, linking=0.5555...)
        """
        return factors(self)

    def notes(self) -> list[str]:
        """The lines below the scores: those of `factors`, and what `about` says."""
        return [*factor_lines(self.factors), *self.about()]

    def about(self) -> list[str]:
        """What is to be known of the scores: the number of documents, the problems found, the signature."""
        return [
            number_of(self.size, self.source.counted),
            *self.remark_notes(),
            *self.problem_notes(),
            *self.source.notes,
            *(self.intervals.notes() if self.intervals else ()),
            f"signature {shown_signature(self.signature)}",
        ]

    def remark_notes(self) -> list[str]:
        """Sentences on the scores: what is undefined, what is left out of means, which defects matter."""
        return [*remarks(self, self.source), *self.remarks]

    def problem_notes(self) -> list[str]:
        """For each kind of problem how many there are, and the first one."""
        return by_kind(self.problems)

    @property
    def left_out(self) -> str:
        """What was skipped as malformed: `1 × empty-file, 4 × missing-document`; '' if all was scored."""
        return ", ".join(f"{number} × {code}" for code, number in left_out(self.problems).items())

    def to_frame(self) -> render.DataFrame:
        """The scores as a frame of pandas: a row for each metric, with recall, precision, f1."""
        rows = [(metric, *(UNDEFINED if metric in self.undefined else self[metric])) for metric in self]
        return render.frame(grid.Grid("", ("metric", *Score._fields), rows))

    def __repr__(self) -> str:
        each = [f"{name} {'–' if name in self.undefined else format(100 * self[name].f1, '.2f')}" for name in self]
        documents = number_of(self.size, "document")
        return f"<Evaluation f1: {', '.join(each)}; {documents}; {shown_signature(self.signature)}>"
