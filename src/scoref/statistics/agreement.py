"""The result of comparing annotators: f1 and κ of pairs, their means, α, as tables and for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from ..layout import grid, render
from ..layout.render import Json
from ..problems import Error, Problem, by_kind
from ..protocol.metric_names import metric_name
from ..results.evaluation import Evaluation
from ..results.scores import Interval, Resampling, number_of

ALPHA, KAPPA = "alpha ", "kappa "  # what the names of coefficients begin with


class Measure(NamedTuple):
    """A number on how far annotators agree; `a` and `b` are '' for what is of all of them, a mean or α."""

    a: str
    b: str
    name: str
    value: float
    ci: Interval | None = None

    @property
    def cell(self) -> grid.Cell:
        """F1 in percent; α and κ, which can be negative, as they are."""
        return self._cell(self.value)

    @property
    def ends(self) -> tuple[grid.Cell, ...]:
        """The ends of the interval, shown as the value is."""
        return tuple(map(self._cell, self.ci)) if self.ci else (None, None)

    def _cell(self, value: float) -> grid.Cell:
        return grid.Number(value, f"{value + 0.0:.4f}") if self.name.startswith((ALPHA, KAPPA)) else value


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far annotators agree: for every pair f1 and κ, their means, and α of all.

    `evaluations` are those of all pairs, by the numbers of the annotators; `reasons` say why some numbers are 0 or are
    not there; `groups` has the means of pairs and α in each group of documents, by the field `by`.

    >>> import scoref
    >>> result = scoref.agreement({"Ann": [["a", "b", "c", "d"], ["e"]], "Ben": [["a", "b"], ["c", "d"], ["e"]]})
    >>> round(result["alpha masi"], 4), result["muc"]
    (0.2174, 0.8)
    """

    annotators: tuple[str, ...]
    evaluations: Mapping[tuple[int, int], Evaluation]
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
        """The measures of a pair of annotators by their names; without a pair, those of all annotators."""
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
        """A row for each pair, then what is of all pairs, then the groups of documents."""
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
        """What belongs beside the tables."""
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
