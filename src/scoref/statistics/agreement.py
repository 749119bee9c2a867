"""The agreement of annotators: f1 and κ of every pair, their means, and α, as tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Unpack

from ..document.document import Document
from ..formats import ONE_SIDED, Hows
from ..formats.archives import annotators as in_project
from ..formats.source import MOST
from ..layout import grid, render
from ..layout.render import Json
from ..pairing.pairs import Pair, datasets
from ..problems import Error, Problem, Problems, by_kind
from ..protocol.keywords import Keywords
from ..protocol.metric_names import metric_name
from ..results.evaluation import Evaluation
from ..results.scores import SEED, UNIT, Resampling, number_of
from ..run.request import Key, Request, Side
from ..run.score import scored
from ..run.stages import evaluate
from ..tables.documents import as_documents
from .reliability import Evaluations, Measure, PairSums

METRICS = ("mentions", "muc", "b3", "ceafe", "lea", "conll")
_REPEATED = "repeated mentions: the first counts, as the rule of the reference scorer tells a key from a response"
LABELS = ("type", "etype", "entity_type", "Type")  # the first that mentions have, if none is named


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far annotators agree: for every pair f1 and κ, their means, and α of all.

    `evaluations` has that of each pair of annotators (by their indices), `reasons` say why some measures are 0 or
    missing, `groups` has the means of pairs and α for each group of documents, by the field `by`.

    >>> import scoref
    >>> result = scoref.agreement({"Ann": [["a", "b", "c", "d"], ["e"]], "Ben": [["a", "b"], ["c", "d"], ["e"]]})
    >>> round(result["alpha masi"], 4), result["muc"]
    (0.2174, 0.8)
    """

    annotators: tuple[str, ...]
    evaluations: Evaluations
    measures: tuple[Measure, ...]
    label: str
    resampling: Resampling | None
    reasons: tuple[str, ...]
    problems: tuple[Problem, ...]
    groups: Mapping[str, tuple[Measure, ...]] = field(default_factory=dict)
    by: str = ""

    __str__ = render.text
    _repr_html_ = render.html

    def __getitem__(self, name: str) -> float:
        """The mean of all pairs, or α: `muc`, `alpha masi`, `kappa type`."""
        known, name = self.of(), metric_name(name)
        if name not in known:
            raise Error("unknown-measure", f"'{name}' was not measured", expected=f"one of {', '.join(known)}")
        return known[name].value

    def of(self, a: str = "", b: str = "") -> dict[str, Measure]:
        """The measures of the annotators `a` and `b`, by name; without them, the means of pairs and α."""
        return {each.name: each for each in self.measures if (each.a, each.b) == (a, b)}

    @property
    def first(self) -> Evaluation:
        """The evaluation of the first pair."""
        return next(iter(self.evaluations.values()))

    @property
    def signature(self) -> str:
        """All choices and the version, in one line."""
        return self.first.protocol.signature() + self._how

    @property
    def signature_full(self) -> str:
        """Every choice and the version."""
        return self.first.protocol.full() + self._how

    @property
    def _how(self) -> str:
        return f"{self.resampling.signature if self.resampling else ''}|scoref:{self.first.version}"

    def grids(self) -> list[grid.Grid]:
        """A row for each pair, then the means and α of all annotators, then the groups of documents."""
        names = dict.fromkeys(each.name for each in self.measures if each.a)
        pairs = [(a, b, *_cells(self.of(a, b), names)) for a, b in combinations(self.annotators, 2)]
        ends = ("low", "high") if self.resampling else ()
        overall = [(each.name, each.cell, *each.ends[: len(ends)]) for each in self.of().values()]
        tables = [
            grid.Grid("f1 of pairs", ("a", "b", *names), pairs),
            grid.Grid("all annotators: means of pairs, and α", ("measure", "value", *ends), overall),
        ]
        if self.groups:
            rows = [(label, *_cells({one.name: one for one in each}, self.of())) for label, each in self.groups.items()]
            tables.append(grid.Grid(f"means of pairs and α by {self.by}", (self.by, *self.of()), rows))
        return tables

    def whole_grid(self) -> grid.Grid:
        """Everything in one table, for programs."""
        labelled = [("", self.measures), *self.groups.items()]
        rows = [(label, *one[:4], *(one.ci or (None, None))) for label, measures in labelled for one in measures]
        return grid.Grid("", (self.by or "document", "a", "b", "measure", "value", "low", "high"), rows)

    def to_frame(self) -> render.DataFrame:
        """A frame of pandas: a row for each group of documents ('': all), pair ('': all annotators) and measure."""
        return render.frame(self.whole_grid(), 4)

    def notes(self) -> list[str]:
        """The lines below the tables."""
        return [
            f"{len(self.annotators)} annotators, {number_of(len(self.first.documents), 'document')}",
            *self.reasons,
            *(self.resampling.notes() if self.resampling else ()),
            *by_kind(self.problems),
            f"signature {self.signature}",
        ]

    def to_dict(self) -> Json:
        """The result as `scoref agreement --json` prints it."""
        return {
            "scoref": self.first.version,
            "signature": self.signature,
            "signature_full": self.signature_full,
            "annotators": list(self.annotators),
            "documents": len(self.first.documents),
            "pairs": [
                {"a": a, "b": b, "measures": _as_dict(self.of(a, b).values())}
                for a, b in combinations(self.annotators, 2)
            ],
            "all": _as_dict(self.of().values()),
            "notes": list(self.reasons),
            "problems": [problem.to_dict() for problem in self.problems],
            **(self.resampling.to_dict() if self.resampling else {}),
            **({"by": {self.by: {label: _as_dict(some) for label, some in self.groups.items()}}} if self.by else {}),
        }


def _cells(measures: Mapping[str, Measure], names: Iterable[str]) -> list[grid.Cell]:
    return [measures[name].cell if name in measures else None for name in names]


def _as_dict(measures: Iterable[Measure]) -> Json:
    return {each.name: {"value": each.value, **({"ci": list(each.ci)} if each.ci else {})} for each in measures}


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
    """How far annotators agree; each is a path, documents, or plain clusters, best in a mapping by their names.

    `label` is the attribute of mentions that κ is computed for (by default the first usual one that they have), `by` a
    field of documents for a breakdown. The zip file of a project that INCEpTION exported has all its annotators.
    Documents that an annotator lacks are left out and reported. Further keywords are those of `score`.
    """
    named = _named(annotators, keywords)
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
    said = request.chosen().preparing.duplicates, next(iter(evaluations.values())).protocol.preparing.duplicates
    reasons = [*([_REPEATED] if said == ("reference", "first") else []), *measured.reasons, *measured.no_intervals()]
    groups = measured.groups(by) if by else {}
    return Agreement(tuple(named), evaluations, tuple(measures), measured.label, resampling, tuple(reasons), problems,
                     groups, by or "")  # fmt: skip


def _named(annotators: Mapping[str, Side] | Sequence[Side], keywords: Keywords) -> dict[str, Side]:
    """The annotators by name, with tables as documents."""
    if not isinstance(annotators, Mapping):
        annotators = {f"annotator {number}": each for number, each in enumerate(annotators, 1)}
    if len(annotators) == 1 and isinstance(only := next(iter(annotators.values())), str | os.PathLike):
        annotators = in_project(os.fspath(only), MOST) or annotators
    if len(annotators) < 2:
        raise Error("one-annotator", f"{number_of(len(annotators), 'annotator')} cannot agree",
                    expected="at least two")  # fmt: skip
    if one_sided := [name for name in ONE_SIDED if keywords.get(name) is not None]:
        raise Error("unknown-choice", f"no annotator is the key: there is no {one_sided[0]}",
                    expected=f"{ONE_SIDED[one_sided[0]][1]}, which holds for all")  # fmt: skip
    return dict(zip(annotators, as_documents([*annotators.values()], Hows.of(keywords)), strict=True))


def documents_of(
    annotators: Mapping[str, Side] | Sequence[Side], keywords: Keywords
) -> tuple[dict[str, list[Document]], tuple[Problem, ...]]:
    """The documents that all annotators have, as they were read, by annotator; and the problems found."""
    named = _named(annotators, keywords)
    request = Request.of(
        None, None, keywords | {"metrics": ("mentions",), "extra": "ignore", "settings": (), "jobs": 1}
    )
    evaluations, problems = _evaluations(named, request)
    return annotated(tuple(named), evaluations), problems


def annotated(names: Sequence[str], evaluations: Evaluations) -> dict[str, list[Document]]:
    """The documents of each annotator, as they were read."""
    found = {names[0]: [pair.key for pair in evaluations[0, 1].evidence.pairs]}
    for number, name in enumerate(names[1:], 1):
        found[name] = [pair.response for pair in evaluations[0, number].evidence.pairs]
    return found


def _evaluations(annotators: Mapping[str, Side], request: Request) -> tuple[Evaluations, tuple[Problem, ...]]:
    """The evaluation of each pair on the documents that all annotators have, and the problems found."""
    (first, one), *others = annotators.items()
    made = _symmetric(request._replace(key=Key(one)), [side for _, side in others])
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
        made_of = zip(names, datasets(names), *sides, strict=True)
        pairs = [Pair(pair.name, ours, theirs, dataset) for pair, dataset, ours, theirs in made_of]
        found[a, b] = evaluate(pairs, made[0].protocol, Problems(request.on_problem))
        problems |= dict.fromkeys(found[a, b].problems)
    return found, tuple(problems)


def _symmetric(request: Request, others: Sequence[Side]) -> list[Evaluation]:
    """The first annotator against each of the others, by rules that treat both sides alike.

    The reference scorer removes repeated mentions from responses only; here, if there are any, the first occurrence
    counts on both sides.
    """
    made = [scored(request._replace(response=other)) for other in others]
    repeated = any(problem.code == "duplicate-mention" for each in made for problem in each.problems)
    if not repeated or made[0].protocol.preparing.duplicates != "reference":
        return made
    return [
        scored(request._replace(response=other, choices={**request.choices, "duplicates": "first"})) for other in others
    ]


def _documents(made: Sequence[Evaluation], annotator: int, kept: Sequence[int]) -> list[Document]:
    pairs = made[max(annotator - 1, 0)].evidence.pairs
    return [pairs[number].response if annotator else pairs[number].key for number in kept]


def _label(evaluations: Evaluations, label: str | None) -> str:
    """The attribute that κ is computed for; '' without one."""
    pairs = (pair for evaluation in evaluations.values() for pair in evaluation.evidence.aligned)
    mentions = (mention for pair in pairs for side in pair[:2] for mention in side.mentions)
    known = {name for mention in mentions for name, _ in mention.attributes}
    if label and label not in known:
        raise Error("unknown-field", f"no mention has the attribute '{label}'",
                    expected=f"one of {', '.join(sorted(known))}" if known else "mentions with attributes")  # fmt: skip
    by_type = next(iter(evaluations.values())).protocol.matching.match == "dice"  # twins have the same type then
    return label or next((name for name in LABELS if name in known and not (by_type and name == "type")), "")
