"""One metric of an evaluator, as a function of one document and as a class that adds up documents.

A function gives numerators and denominators. Its second argument maps each mention to its entity: the entity itself, as
in most projects, or its number. An `Evaluator` gets its scores from a `Scorer`, which it may share with other metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, overload

from ..document.clusters import Clusters
from ..problems import Error
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from ..run.scorer import Batch, Scorer

Map = Mapping[Any, object]
Prf = tuple[float, float, float]


def muc(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of MUC: of precision for predicted clusters, of recall for gold ones and their map.

    >>> muc([["a", "b", "c"]], {"a": 0, "b": 0, "c": 1})
    (1.0, 2.0)
    """
    return _one_way("muc", clusters, mention_to_gold, protocol)


def b_cubed(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of B³.

    >>> b_cubed([["a", "b"], ["c"]], {"a": 0, "b": 0, "c": 1})
    (3.0, 3.0)
    >>> b_cubed([["a", "b"], ["c"]], {"a": 0, "b": 0, "c": 1}, protocol="e2e")
    (2.0, 2.0)
    """
    return _one_way("b3", clusters, mention_to_gold, protocol)


def lea(clusters: Clusters, mention_to_gold: Map, protocol: str | Protocol = "conll-2012") -> tuple[float, float]:
    """Numerator and denominator of LEA.

    >>> lea([["a", "b", "c"]], {"a": 0, "b": 0, "c": 1})
    (1.0, 3.0)
    """
    return _one_way("lea", clusters, mention_to_gold, protocol)


def ceafe(
    clusters: Clusters, gold_clusters: Clusters, protocol: str | Protocol = "conll-2012"
) -> tuple[float, float, float, float]:
    """Numerator and denominator of precision, then of recall, of CEAFe.

    >>> ceafe([["a", "b"], ["c"]], [["a", "b"]])
    (1.0, 2.0, 1.0, 1.0)
    """
    scorer = Scorer(protocol, ["ceafe"])
    scorer.update(gold_clusters, clusters)
    recall, entities, precision, others = scorer.compute().counts["ceafe"][0].tolist()
    return precision, others, recall, entities


def phi4(c1: Collection[Hashable], c2: Collection[Hashable]) -> float:
    """The similarity of two entities in CEAFe: twice their shared mentions, divided by the sum of their sizes.

    >>> phi4(["a", "b"], ["a"])
    0.6666666666666666
    """
    shared = sum(mention in c2 for mention in c1)
    return 2 * shared / (len(c1) + len(c2))


def f1(p_num: float, p_den: float, r_num: float, r_den: float, beta: float = 1) -> float:
    """The harmonic mean of precision and recall; recall weighs `beta` times as much. 0/0 is 0.

    >>> f1(1, 2, 1, 1)
    0.6666666666666666
    """
    return f_score(p_num / p_den if p_den else 0.0, r_num / r_den if r_den else 0.0, beta)


def f_score(precision: float, recall: float, beta: float) -> float:
    """The harmonic mean of two scores."""
    weighed = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighed if weighed else 0.0


def _one_way(metric: str, clusters: Clusters, others: Map, protocol: str | Protocol) -> tuple[float, float]:
    """Numerator and denominator of recall if these clusters are the key."""
    scorer = Scorer(protocol, [metric])
    scorer.update(clusters, _gathered(others))
    numerator, denominator = scorer.compute().counts[metric][0, :2].tolist()
    return numerator, denominator


def _gathered(owners: Map) -> list[list[Hashable]]:
    """The clusters behind a map from mentions to their clusters, or to cluster numbers."""
    found: dict[object, list[Hashable]] = {}
    for mention, owner in owners.items():
        name = id(owner) if isinstance(owner, list | set) else owner
        found.setdefault(name, []).append(mention)
    return [*found.values()]


# -- evaluators --------------------------------------------------------------------------------------------------------

THREE = ("muc", "b_cubed", "ceafe")

_FUNCTIONS: dict[str, Callable[..., object]] = {"muc": muc, "b3": b_cubed, "ceafe": ceafe, "lea": lea}
_NAMES = {
    "muc": "muc", "b_cubed": "b3", "b3": "b3", "ceafe": "ceafe", "lea": "lea", "mentions": "mentions",
    "conll2012": "conll", "conll": "conll",
}  # fmt: skip


def named(metric: object) -> str:
    """Scoref's name for a metric that is given by name or as a function of another project."""
    name = getattr(metric, "__name__", metric)
    if not isinstance(name, str) or name not in _NAMES:
        raise Error("unknown-metric", f"no metric '{name}'", expected=f"one of {', '.join(_NAMES)}")
    return _NAMES[name]


class Results:
    """A scorer that keeps its evaluation until another document is added."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.result: Evaluation | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"scorer": self.scorer, "result": None}

    def update(self, predicted: Clusters | Batch, gold: Clusters | Batch, id: str | Iterable[str] | None) -> None:
        """Add a document, or a batch of them."""
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

    >>> evaluator = Evaluator(muc)
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
        predicted: Clusters | Batch,
        gold: Clusters | Batch,
        mention_to_predicted: object = None,
        mention_to_gold: object = None,
        *,
        id: str | Iterable[str] | None = None,
    ) -> None:
        """Add a document, or a batch of them; the maps of mentions are not needed."""
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
