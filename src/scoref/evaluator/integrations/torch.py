"""The scores as a metric of torchmetrics, which adds up what several processes counted.

This is the one module that needs torch: `pip install 'scoref[torch]'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torchmetrics import Metric

from ...document.clusters import Clusters
from ...problems import Error
from ...protocol.choices import CHOICES
from ...protocol.protocol import Protocol
from ...results.averages import required
from ...results.evaluation import Evaluation
from ...run.scorer import Scorer


class CoreferenceScore(Metric):
    """Coreference scores of batches of documents: predicted clusters first, then gold ones, as torchmetrics has it.

    The state is a tensor of sums, [metrics, 4]; for averages over documents (`average="macro"`), the counts of each
    document, [documents, metrics, 4]. Keywords are choices of the protocol, like `singletons="drop"`, and
    those of `torchmetrics.Metric`.

    >>> metric = CoreferenceScore(metrics=["muc"])
    >>> metric.update([[["a", "b", "c"]]], [[["a", "b"]]])
    >>> metric.compute()["muc_precision"].item()
    0.5
    """

    full_state_update = False
    is_differentiable = False
    higher_is_better = True
    sums: torch.Tensor
    counts: list[torch.Tensor]

    def __init__(
        self, protocol: str | Protocol = "conll-2012", metrics: Iterable[str] | None = None, **keywords: Any
    ) -> None:
        choices = {name: keywords.pop(name) for name in [*keywords] if name in CHOICES}
        super().__init__(**keywords)
        self.protocol = Scorer(protocol, metrics, **choices).protocol
        if self.protocol.reading.scope not in ("document", "within"):
            raise Error("scope-corpus", "batches with entities across documents cannot be added up",
                        expected="scope:document", remedy="use scoref.Scorer")  # fmt: skip
        self._counted = required(self.protocol)
        self._summed = self.protocol.averaging.average in ("micro", "datasets")
        if self._summed:
            zeros = torch.zeros((len(self._counted), 4), dtype=torch.float64)
            self.add_state("sums", default=zeros, dist_reduce_fx="sum")
        else:
            self.add_state("counts", default=[], dist_reduce_fx="cat")

    def update(self, preds: Sequence[Clusters], target: Sequence[Clusters]) -> None:
        """Add a batch: for each document the predicted clusters, and for each the gold ones."""
        if len(preds) != len(target):
            raise Error("different-batches", f"{len(preds)} predicted documents, but {len(target)} gold ones",
                        expected="clusters of the same documents: [[[mention, ...], ...], ...]")  # fmt: skip
        scorer = Scorer(self.protocol)
        for predicted, gold in zip(preds, target, strict=True):
            scorer.update(gold, predicted)
        found = scorer.compute().counts
        counts = torch.stack([torch.from_numpy(found[name]) for name in self._counted], dim=1).to(self.device)
        if self._summed:
            self.sums = self.sums + counts.sum(dim=0)
        else:
            self.counts.append(counts)

    def compute(self) -> dict[str, torch.Tensor]:
        """Recall, precision and f1 of each metric: `muc_recall`, `muc_precision`, `muc_f1`, and so on."""
        return {
            f"{metric}_{part}": torch.tensor(value, dtype=torch.float64, device=self.device)
            for metric, score in self.evaluation().scores.items()
            for part, value in score._asdict().items()
        }

    def evaluation(self) -> Evaluation:
        """The same as an evaluation, with its signature."""
        if self._summed:
            rows = self.sums[None]
        else:
            each = self.counts if isinstance(self.counts, list) else [self.counts]
            rows = torch.cat(each) if each else torch.zeros((0, len(self._counted), 4), dtype=torch.float64)
        counts = rows.cpu().numpy()
        names = tuple(map(str, range(len(counts))))
        by_metric = {name: counts[:, number] for number, name in enumerate(self._counted)}
        return Evaluation(self.protocol, names, by_metric, datasets=("",) * len(names))
