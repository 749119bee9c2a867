"""One metric of an evaluator: its numbers are those of a `Scorer`, which other metrics may share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from ..document.clusters import Clusters
from ..problems import Error
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from ..run.scorer import Scorer
from . import functions
from .functions import f_score

Prf = tuple[float, float, float]

THREE = ("muc", "b_cubed", "ceafe")

_FUNCTIONS: dict[str, Callable[..., object]] = {
    "muc": functions.muc, "b3": functions.b_cubed, "ceafe": functions.ceafe, "lea": functions.lea,
}  # fmt: skip
_NAMES = {
    "muc": "muc", "b_cubed": "b3", "b3": "b3", "ceafe": "ceafe", "lea": "lea", "mentions": "mentions",
    "conll2012": "conll", "conll": "conll",
}  # fmt: skip


def named(metric: object) -> str:
    """Scoref's name of a metric, which is given by a name or by the function of another project."""
    name = getattr(metric, "__name__", metric)
    if not isinstance(name, str) or name not in _NAMES:
        raise Error("unknown-metric", f"no metric '{name}'", expected=f"one of {', '.join(_NAMES)}")
    return _NAMES[name]


class Results:
    """A scorer, and the evaluation that it gave last, until another document is added."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.result: Evaluation | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"scorer": self.scorer, "result": None}

    def update(self, predicted: Clusters, gold: Clusters, id: str | None) -> None:
        """Add a document."""
        self.result = None
        self.scorer.update(gold, predicted, id)

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far."""
        if self.result is None:
            self.result = self.scorer.compute()
        return self.result

    def merge(self, other: Results) -> None:
        """Add the documents of another one."""
        self.result = None
        self.scorer.merge(other.scorer)

    def reset(self) -> None:
        """Forget all documents."""
        self.result = None
        self.scorer.reset()


class Evaluator:
    """One metric: a part of a `CorefEvaluator`, or for itself.

    `metric` is one of the functions `muc`, `b_cubed`, `ceafe`, `lea`, or its name.

    >>> evaluator = Evaluator(functions.muc)
    >>> evaluator.update([["a", "b", "c"]], [["a", "b"]])
    >>> evaluator.get_prf(), evaluator.get_counts()
    ((0.5, 1.0, 0.6666666666666666), (1.0, 2.0, 1.0, 1.0))
    """

    def __init__(
        self,
        metric: Callable[..., object] | str,
        beta: float = 1,
        protocol: str | Protocol = "conll-2012",
        *,
        _part_of: Results | None = None,
    ) -> None:
        self._name = named(metric)
        self._beta = beta
        self._whole = _part_of is None
        self._results = _part_of or Results(Scorer(protocol, [self._name]))

    @property
    def metric(self) -> Callable[..., object] | str:
        """The function, or the name where there is none."""
        return _FUNCTIONS.get(self._name, self._name)

    @property
    def beta(self) -> float:
        """How much more recall weighs than precision in f1."""
        return self._beta

    def update(
        self,
        predicted: Clusters,
        gold: Clusters,
        mention_to_predicted: object = None,
        mention_to_gold: object = None,
        *,
        id: str | None = None,
    ) -> None:
        """Add a document; the maps of mentions are not needed."""
        if not self._whole:
            raise Error("part-of-evaluator", "this evaluator is one of several that get the same documents",
                        remedy="update the CorefEvaluator that it belongs to")  # fmt: skip
        self._results.update(predicted, gold, id)

    def _sum(self, column: int) -> float:
        return float(self._results.compute().counts[self._name][:, column].sum())

    @property
    def r_num(self) -> float:
        """The numerator of recall."""
        return self._sum(0)

    @property
    def r_den(self) -> float:
        """The denominator of recall."""
        return self._sum(1)

    @property
    def p_num(self) -> float:
        """The numerator of precision."""
        return self._sum(2)

    @property
    def p_den(self) -> float:
        """The denominator of precision."""
        return self._sum(3)

    def get_counts(self) -> tuple[float, float, float, float]:
        """Numerator and denominator of precision, then of recall."""
        return self.p_num, self.p_den, self.r_num, self.r_den

    def get_prf(self) -> Prf:
        """Precision, recall, f1."""
        recall, precision, value = self._results.compute()[self._name]
        return precision, recall, value if self._beta == 1 else f_score(precision, recall, self._beta)

    def get_precision(self) -> float:
        """Precision."""
        return self.get_prf()[0]

    def get_recall(self) -> float:
        """Recall."""
        return self.get_prf()[1]

    def get_f1(self) -> float:
        """The harmonic mean of precision and recall, with `beta`."""
        return self.get_prf()[2]

    def get_prf_str(self) -> str:
        """The scores in a line, in percent."""
        precision, recall, value = self.get_prf()
        return f"Recall: {100 * recall:.1f}, Precision: {100 * precision:.1f}, F-score: {100 * value:.1f}"


class Evaluators(Sequence[Evaluator]):
    """The evaluators of MUC, B³ and CEAFe, by number or by name; by name also those of LEA and mentions."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._three = [self[name] for name in THREE]

    @overload
    def __getitem__(self, which: int | str) -> Evaluator: ...
    @overload
    def __getitem__(self, which: slice) -> list[Evaluator]: ...
    def __getitem__(self, which: int | str | slice) -> Evaluator | list[Evaluator]:
        return Evaluator(which, _part_of=self._results) if isinstance(which, str) else self._three[which]

    def __len__(self) -> int:
        return len(self._three)
