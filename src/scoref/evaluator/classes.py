"""The classes by which many projects train and test coreference models, with the numbers of one `Scorer`.

Arguments and results stand in the order that callers of these classes expect: predicted before gold, and precision
before recall. Everywhere else in scoref it is the other way round.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Unpack

from ..document.clusters import Clusters
from ..problems import Error
from ..protocol.keywords import Choices, OnProblem
from ..protocol.protocol import Protocol
from ..results.evaluation import Evaluation
from ..run.scorer import Batch, Scorer
from .metric import THREE, Evaluator, Evaluators, Prf, Results, f_score, named


class CorefEvaluator:
    """MUC, B³, CEAFe and their mean, document by document: predicted first, gold second.

    The numbers are those of the reference scorer. Copies of the e2e evaluator give others where there are singletons:
    `protocol="e2e"` gives theirs.

    >>> evaluator = CorefEvaluator()
    >>> evaluator.update([["a", "b"], ["c", "d"]], [["a", "b", "c", "d"]])
    >>> precision, recall, f1 = evaluator.get_prf()
    >>> evaluator.evaluators[0].get_prf()
    (1.0, 0.6666666666666666, 0.8)
    >>> evaluator.compute().signature
    'conll-2012|metrics:mentions,muc,b3,ceafe,lea,conll|scoref:...'
    """

    def __init__(
        self, protocol: str | Protocol = "conll-2012", on_problem: OnProblem | None = None, **choices: Unpack[Choices]
    ) -> None:
        metrics = ("mentions", "muc", "b3", "ceafe", "lea", "conll")
        self._results = Results(Scorer(protocol, metrics, on_problem, **choices))
        self._evaluators = Evaluators(self._results)

    def update(
        self,
        predicted: Clusters | Batch,
        gold: Clusters | Batch,
        mention_to_predicted: object = None,
        mention_to_gold: object = None,
        *,
        id: str | Iterable[str] | None = None,
    ) -> None:
        """Add a document, or a batch: lists of documents. The maps from mentions are accepted, and not needed.

        With an `id`, a document that another process has as well is counted once by `merge`; of a batch it is a list.
        """
        self._results.update(predicted, gold, id)

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far, with signature, counts and scores by document."""
        return self._results.compute()

    def merge(self, other: CorefEvaluator) -> None:
        """Add the documents of another evaluator, as `Scorer.merge` does."""
        self._results.merge(other._results)

    def reset(self) -> None:
        """Forget all documents."""
        self._results.reset()

    @property
    def evaluators(self) -> Evaluators:
        """Those of MUC, B³ and CEAFe: by number, or by name."""
        return self._evaluators

    @property
    def name_to_evaluator(self) -> dict[str, Evaluator]:
        """The evaluators of `muc`, `b_cubed` and `ceafe`."""
        return {name: self.evaluators[name] for name in THREE}

    def get_prf(self, metric: str = "conll") -> Prf:
        """Precision, recall and f1 of a metric, or the means of MUC, B³ and CEAFe."""
        recall, precision, value = self.compute()[named(metric)]
        return precision, recall, value

    def get_precision(self, metric: str = "conll") -> float:
        """Precision of a metric, or the mean of three."""
        return self.get_prf(metric)[0]

    def get_recall(self, metric: str = "conll") -> float:
        """Recall of a metric, or the mean of three."""
        return self.get_prf(metric)[1]

    def get_f1(self, metric: str = "conll") -> float:
        """F1 of a metric, or the mean of three: the CoNLL score."""
        return self.get_prf(metric)[2]

    def get_muc(self) -> Prf:
        """Precision, recall, f1 of MUC."""
        return self.get_prf("muc")

    def get_b3(self) -> Prf:
        """Precision, recall, f1 of B³."""
        return self.get_prf("b3")

    def get_ceafe(self) -> Prf:
        """Precision, recall, f1 of CEAFe."""
        return self.get_prf("ceafe")

    def get_all(self) -> dict[str, float]:
        """All scores: `muc_precision`, `muc_recall`, `muc_f1`, and so on."""
        parts = ("precision", "recall", "f1")
        return {
            f"{metric}_{part}": value
            for metric in self.compute().protocol.metrics
            for part, value in zip(parts, self.get_prf(metric), strict=True)
        }

    def get_full(self) -> list[str]:
        """For each metric a line with precision, recall, f1."""
        each = {name: self.get_prf(name) for name in (*THREE, "lea", "mentions")}
        return [f"{name}: {' '.join(f'{value:.4f}' for value in prf)}" for name, prf in each.items()]

    def prf_str(self) -> str:
        """Precision, recall, f1 in a line."""
        return ", ".join(f"{value:.3f}" for value in self.get_prf())

    def get_count(self) -> int:
        """The number of documents."""
        return self.compute().size


class OfficialCoNLL2012CorefEvaluator(CorefEvaluator):
    """`CorefEvaluator` with the name and the metric names that maverick, xcore and bookcoref use.

    >>> evaluator = OfficialCoNLL2012CorefEvaluator()
    >>> evaluator.update([["a", "b"]], [["a", "b"], ["c", "d"]])
    >>> evaluator.get_prf("muc"), evaluator.get_f1("conll2012")
    ((1.0, 0.5, 0.6666666666666666), 0.6666666666666666)
    """

    def update(
        self,
        pred: Clusters | Batch,
        gold: Clusters | Batch,
        mention_to_predicted: object = None,
        mention_to_gold: object = None,
        *,
        id: str | Iterable[str] | None = None,
    ) -> None:
        """Add a document, or a batch of them; the maps from mentions to entities are accepted, and not needed."""
        super().update(pred, gold, id=id)


class MentionEvaluator:
    """Scores of mention detection, whatever the entities. A mention is anything hashable.

    >>> evaluator = MentionEvaluator()
    >>> evaluator.update([(0, 1), (3, 3)], [(0, 1)])
    >>> evaluator.get_prf()
    (0.5, 1.0, 0.6666666666666666)
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self.tp = self.fp = self.fn = 0

    def update(self, predicted_mentions: Iterable[Hashable], gold_mentions: Iterable[Hashable]) -> None:
        """Add a document; lists count as tuples."""
        predicted, gold = _set(predicted_mentions, "predicted"), _set(gold_mentions, "gold")
        self.tp += len(predicted & gold)
        self.fp += len(predicted - gold)
        self.fn += len(gold - predicted)

    def merge(self, other: MentionEvaluator) -> None:
        """Add the counts of another evaluator."""
        self.tp, self.fp, self.fn = self.tp + other.tp, self.fp + other.fp, self.fn + other.fn

    def get_precision(self) -> float:
        """The share of the predicted mentions that are gold."""
        return self.tp / (self.tp + self.fp) if self.tp else 0.0

    def get_recall(self) -> float:
        """The share of the gold mentions that are predicted."""
        return self.tp / (self.tp + self.fn) if self.tp else 0.0

    def get_f1(self) -> float:
        """The harmonic mean of the two."""
        return f_score(self.get_precision(), self.get_recall(), 1)

    def get_prf(self) -> Prf:
        """Precision, recall, f1."""
        return self.get_precision(), self.get_recall(), self.get_f1()


OfficialMentionEvaluator = MentionEvaluator


def _set(mentions: Iterable[Hashable], side: str) -> set[Hashable]:
    if isinstance(mentions, str):
        raise Error("bad-mentions", f"the {side} mentions are a string", text=mentions, expected="[mention, ...]")
    return {tuple(mention) if isinstance(mention, list) else mention for mention in mentions}


class ClusterChecker:
    """LEA document by document, gold first and f1 first, as in wl-coref and stanza.

    `protocol="stanza"` gives their numbers: singletons do not count in LEA, and `mbc` is made of means over documents.

    >>> checker = ClusterChecker()
    >>> checker.add_predictions([["a", "b"]], [["a", "b"]]), checker.add_predictions([["a", "b"]], [["a"], ["b"]])
    ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    >>> checker.total_lea
    (0.5, 0.5, 0.5)
    """

    def __init__(self, protocol: str | Protocol = "conll-2012") -> None:
        self._protocol = protocol
        self._results = Results(Scorer(protocol, ["muc", "b3", "ceafe", "lea", "conll"]))

    def add_predictions(self, gold_clusters: Clusters, pred_clusters: Clusters) -> Prf:
        """Add a document; its f1, precision and recall of LEA."""
        self._results.update(pred_clusters, gold_clusters, None)
        alone = Scorer(self._protocol, ["lea"])
        alone.update(gold_clusters, pred_clusters)
        return alone.compute()["lea"][::-1]

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far."""
        return self._results.compute()

    @property
    def total_lea(self) -> Prf:
        """F1, precision and recall of LEA, of all documents."""
        return self.compute()["lea"][::-1]

    @property
    def mbc(self) -> list[float]:
        """The f1 of MUC, of B³ and of CEAFe."""
        return [self.compute()[metric].f1 for metric in ("muc", "b3", "ceafe")]

    @property
    def bakeoff(self) -> float:
        """The mean of these three."""
        return self.compute()["conll"].f1
