"""The agreement of annotators: reading them, scoring every pair, and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Unpack

import numpy as np

from ..counting.table import Floats
from ..document.document import Document
from ..document.grouping import grouped
from ..pairing.pairs import Pair
from ..problems import Error, Problem, Problems
from ..protocol.keywords import Keywords
from ..results.evaluation import Evaluation
from ..results.scores import SEED, UNIT, Resampling, number_of
from ..run.request import Key, Request, Side
from ..run.score import scored
from ..run.stages import evaluate
from ..tables.documents import as_documents
from . import significance
from .agreement import ALPHA, KAPPA, Agreement, Measure
from .reliability import DISTANCES, LabelSums, alpha_sums, alphas, kappa, label_sums
from .samples import LEAST, checked_sample
from .significance import Sample

METRICS = ("mentions", "muc", "b3", "ceafe", "lea", "conll")
LABELS = ("type", "etype", "entity_type", "Type")  # attributes that are looked for, if none is named


def agreement(
    annotators: Mapping[str, Side] | Sequence[Side],
    *,
    label: str | None = None,
    by: str | None = None,
    trials: int | None = None,
    seed: int = SEED,
    unit: str = UNIT,
    **keywords: Unpack[Keywords],
) -> Agreement:
    """How far annotators agree; each is a path, documents, or plain clusters, in a mapping by their names.

    `label` is the attribute of mentions that κ is computed for (of several usual ones the first that is there), `by` a
    field of documents for a breakdown. Documents that not all annotators have are left out and reported. Further
    keywords are those of `score`.
    """
    named = dict(annotators) if isinstance(annotators, Mapping) else _named(annotators)
    sides = as_documents([*named.values()], keywords.get("format"), keywords.get("columns"))
    named = dict(zip(named, sides, strict=True))
    if len(named) < 2:
        raise Error("one-annotator", f"{len(named)} annotator{'s' * (len(named) != 1)} cannot agree",
                    expected="at least two")  # fmt: skip
    average, metrics = keywords.get("average") or "micro", keywords.get("metrics") or METRICS
    request = Request.of(None, None, keywords | {"metrics": metrics, "extra": "ignore", "settings": (), "jobs": 1,
                                                 "average": average})  # fmt: skip
    if average == "datasets":
        raise Error("unknown-choice", "there is no agreement averaged over datasets", expected="micro or macro",
                    remedy="see each dataset with --by dataset")  # fmt: skip
    evaluations, problems = _evaluations(named, request)
    measured = PairSums(tuple(named), evaluations, _label(evaluations, label), unit)
    resampling, ends = measured.intervals(trials, seed)
    measures = [
        each._replace(ci=(float(low), float(high))) if resampling else each
        for each, (low, high) in zip(measured.measures(), ends, strict=True)
    ]
    reasons = [*measured.reasons, *measured.no_intervals()]
    groups = measured.groups(by) if by else {}
    return Agreement(tuple(named), evaluations, tuple(measures), measured.label, resampling, tuple(reasons), problems,
                     groups, by or "")  # fmt: skip


def _named(annotators: Sequence[Side]) -> dict[str, Side]:
    return {f"annotator {number}": each for number, each in enumerate(annotators, 1)}


def _evaluations(
    annotators: Mapping[str, Side], request: Request
) -> tuple[dict[tuple[int, int], Evaluation], tuple[Problem, ...]]:
    """The evaluation of each pair on the documents that all have, and what was found on the way."""
    (first, one), *others = annotators.items()
    request = request._replace(key=Key(one))
    made = [scored(request._replace(response=other)) for _, other in others]
    problems: dict[Problem, None] = {}
    lacking: set[tuple[str | None, str | None]] = set()
    for (name, _), each in zip(others, made, strict=True):
        for problem in each.problems:
            who = {"missing-document": name, "extra-document": first}.get(problem.code)
            if problem.code == "missing-document":
                lacking.add((problem.path, problem.document))
            message = f"{who} lacks document {problem.document}, which is left out"
            left_out = Problem("left-out-document", message, problem.path, problem.line, problem.document, fatal=False)
            problems[left_out if who else problem] = None
    kept = [number for number, pair in enumerate(made[0].evidence.pairs)
            if (pair.key.source, pair.key.id) not in lacking]  # fmt: skip
    if not kept:
        raise Error("no-common-document", "no document is annotated by all annotators",
                    expected="documents of the same names", remedy="check the names of documents")  # fmt: skip
    whole = len(kept) == len(made[0].evidence.pairs)
    found: dict[tuple[int, int], Evaluation] = {}
    for a, b in combinations(range(len(annotators)), 2):
        if a == 0 and whole:
            found[a, b] = made[b - 1]
            continue
        sides = [_documents(made, annotator, kept) for annotator in (a, b)]
        names = [made[0].evidence.pairs[number] for number in kept]
        pairs = [Pair(pair.name, ours, theirs, pair.dataset) for pair, ours, theirs in zip(names, *sides, strict=True)]
        found[a, b] = evaluate(pairs, made[0].protocol, Problems(request.policy))
        problems |= dict.fromkeys(found[a, b].problems)
    return found, tuple(problems)


def _documents(made: Sequence[Evaluation], annotator: int, kept: Sequence[int]) -> list[Document]:
    pairs = made[max(annotator - 1, 0)].evidence.pairs
    return [pairs[number].response if annotator else pairs[number].key for number in kept]


def _label(evaluations: Mapping[tuple[int, int], Evaluation], label: str | None) -> str:
    """The attribute that κ is computed for; '' without one."""
    known = {
        name
        for evaluation in evaluations.values()
        for pair in evaluation.evidence.aligned
        for side in pair[:2]
        for mention in side.mentions
        for name, _ in mention.attributes
    }
    if label and label not in known:
        raise Error("unknown-field", f"no mention has the attribute '{label}'",
                    expected=f"one of {', '.join(sorted(known))}" if known else "mentions with attributes")  # fmt: skip
    by_type = next(iter(evaluations.values())).protocol.matching.match == "dice"  # then all twins have the same type
    return label or next((name for name in LABELS if name in known and not (by_type and name == "type")), "")


class PairSums:
    """The sums of all pairs of annotators, document by document, and the measures that are made of them."""

    def __init__(
        self, annotators: tuple[str, ...], evaluations: Mapping[tuple[int, int], Evaluation], label: str, unit: str
    ) -> None:
        self.annotators, self.label, self.unit = annotators, label, unit
        self.pairs = list(evaluations.values())
        self.alpha = alpha_sums(evaluations, len(annotators))
        self.labels = [label_sums(each, label) if label else None for each in self.pairs]
        self.empty = not self.alpha[:, 0].sum()
        self.reasons = [*self._reasons()]
        self.labels = [None if each and _one_label(each) else each for each in self.labels]

    def _reasons(self) -> Iterator[str]:
        """Why some numbers are 0, or are not there."""
        if self.empty:
            yield "α is not defined: nobody marked a mention"
        for (a, b), evaluation, labels in zip(combinations(self.annotators, 2), self.pairs, self.labels, strict=True):
            nothing = [name for name, counts in evaluation.counts.items() if not counts[:, 1::2].any()]
            if nothing:
                yield f"{a} and {b}: {', '.join(nothing)} is 0, as neither has anything that it counts"
            if labels and _one_label(labels):
                yield f"{a} and {b}: κ is not defined, as all mentions that both have carry one label"

    def names(self) -> list[tuple[str, str, str]]:
        """The pair and the name of each number."""
        pairs = list(combinations(self.annotators, 2))
        metrics = self.pairs[0].protocol.metrics
        names = [(a, b, name) for a, b in pairs for name in metrics]
        labelled = [pair for pair, labels in zip(pairs, self.labels, strict=True) if labels]
        names += [(a, b, KAPPA + self.label) for a, b in labelled]
        names += [("", "", name) for name in metrics]
        names += [("", "", ALPHA + name) for name in DISTANCES if not self.empty]
        return names + [("", "", KAPPA + self.label)] * bool(labelled)

    def measures(self) -> list[Measure]:
        """All numbers that are defined."""
        f1 = np.array([[each[metric].f1 for metric in each.protocol.metrics] for each in self.pairs])
        rest = [self.alpha.sum(axis=0), *(each.sums.sum(axis=0) for each in self.labels if each)]
        named = zip(self.names(), self._values(f1, rest).tolist(), strict=True)
        return [Measure(*name, value) for name, value in named]

    def _values(self, f1: Floats, rest: Sequence[Floats]) -> Floats:
        """All numbers [..., numbers] from the f1 [..., pairs, metrics], the sums of α and of each pair's labels."""
        kappas = [kappa(each) for each in rest[1:]]
        columns = [f1.reshape(*f1.shape[:-2], -1), *(each[..., None] for each in kappas), f1.mean(axis=-2)]
        columns += [alphas(rest[0], len(self.annotators))] * (not self.empty)
        if kappas:
            columns.append(np.mean(kappas, axis=0)[..., None])
        return np.concatenate(columns, axis=-1)

    def _rows(self, units: Sequence[Sequence[int]]) -> tuple[Floats, list[int]]:
        """The sums of α and labels of groups of documents, side by side, and where each ends."""
        tables = [self.alpha, *(each.sums for each in self.labels if each)]
        rows, ends = np.concatenate(tables, axis=1), np.cumsum([table.shape[1] for table in tables])
        return np.stack([rows[list(places)].sum(axis=0) for places in units]), ends.tolist()

    def no_intervals(self) -> list[str]:
        """Why there are no intervals, if there are none."""
        units = len(set(self.pairs[0].labels(self.unit)))
        if units >= LEAST:
            return []
        why = f"with fewer than {LEAST} an interval shows little but which of them were drawn"
        return [f"no intervals: {number_of(units, 'unit')} ({self.unit}); {why}"]

    def intervals(self, trials: int | None, seed: int) -> tuple[Resampling | None, Floats]:
        """The ends of the intervals of all numbers."""
        if self.no_intervals():
            return None, np.zeros((len(self.names()), 2))
        sample, resampling = checked_sample(self.pairs, self.unit, trials, seed)
        units = grouped(self.pairs[0].labels(self.unit))
        rows, ends = self._rows([units[name] for name in sorted(units)])
        other = Sample(rows[None], np.zeros(len(rows), np.int64), lambda sums: sums[..., 0, :])

        def values(scores: Floats, sums: Floats) -> Floats:
            return self._values(scores[..., 2], np.split(sums[..., 0, :], ends[:-1], axis=-1))

        number = resampling.trials
        observed = values(sample.values, other.values)
        left_out = values(significance.jackknife(sample), significance.jackknife(other))
        drawn = values(significance.bootstrap(sample, number, seed), significance.bootstrap(other, number, seed))
        return resampling, significance.bca(observed, drawn, left_out, other.strata)

    def groups(self, field: str) -> dict[str, tuple[Measure, ...]]:
        """The means of pairs and α in each group of documents."""
        units = grouped(self.pairs[0].labels(field))
        scores = [each.by(field) for each in self.pairs]
        metrics = self.pairs[0].protocol.metrics
        measures = {}
        for label, places in units.items():
            values = {metric: float(np.mean([each[label][metric].f1 for each in scores])) for metric in metrics}
            sums = self.alpha[places].sum(axis=0)
            if sums[0]:
                by_distance = alphas(sums, len(self.annotators)).tolist()
                values |= {ALPHA + name: alpha for name, alpha in zip(DISTANCES, by_distance, strict=True)}
            measures[label] = tuple(Measure("", "", name, value) for name, value in values.items())
        return measures


def _one_label(labels: LabelSums) -> bool:
    """Whether both annotators have one and the same label everywhere."""
    ours, theirs = np.split(labels.sums[:, 2:].sum(axis=0), 2)
    return bool(((ours > 0) & (theirs > 0)).sum() == 1 and (ours > 0).sum() == (theirs > 0).sum() == 1)
