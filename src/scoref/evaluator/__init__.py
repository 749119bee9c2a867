"""The evaluators that are copied from project to project, with scoref's numbers and scoref's speed.

In: documents one by one, as clusters of mentions, predicted before gold. Out: precision, recall and f1, in this order.
Start with `classes.py`.
"""

from typing import TYPE_CHECKING, Any

from .classes import (
    ClusterChecker,
    CorefEvaluator,
    MentionEvaluator,
    OfficialCoNLL2012CorefEvaluator,
    OfficialMentionEvaluator,
)
from .functions import b_cubed, ceafe, f1, lea, muc, phi4
from .metric import Evaluator

if TYPE_CHECKING:
    from .torch_metric import CoreferenceScore

__all__ = [
    "ClusterChecker",
    "CorefEvaluator",
    "CoreferenceScore",
    "Evaluator",
    "MentionEvaluator",
    "OfficialCoNLL2012CorefEvaluator",
    "OfficialMentionEvaluator",
    "b_cubed",
    "ceafe",
    "f1",
    "lea",
    "muc",
    "phi4",
]


def __getattr__(name: str) -> Any:
    """The metric of torchmetrics is loaded when it is used: nobody else needs torch."""
    if name != "CoreferenceScore":
        raise AttributeError(f"module 'scoref.evaluator' has no attribute '{name}'")
    try:
        from .torch_metric import CoreferenceScore
    except ModuleNotFoundError as reason:
        raise ImportError(f"CoreferenceScore needs torchmetrics ({reason}): pip install 'scoref[torch]'") from reason
    return CoreferenceScore
