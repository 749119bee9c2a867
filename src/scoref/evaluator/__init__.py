"""The evaluators that are copied from project to project, with scoref's numbers and scoref's speed.

In: documents one by one, as clusters of mentions, predicted before gold. Out: precision, recall and f1, in this order.
Start with `classes.py`.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from . import integrations
from .classes import (
    ClusterChecker,
    CorefEvaluator,
    MentionEvaluator,
    OfficialCoNLL2012CorefEvaluator,
    OfficialMentionEvaluator,
)
from .metric import Evaluator, b_cubed, ceafe, f1, lea, muc, phi4

if TYPE_CHECKING:
    from .integrations.torch import CoreferenceScore

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


@cache
def _integrations() -> dict[str, str]:
    """The public classes of `integrations/` with their modules, found without importing them."""
    import ast
    from pathlib import Path

    files = [file for folder in integrations.__path__ for file in sorted(Path(folder).glob("[!_]*.py"))]
    return {
        node.name: file.stem
        for file in files
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }


def __getattr__(name: str) -> object:
    """Load a class for another package on first use, so that only its users need that package."""
    if name.startswith("_") or name not in _integrations():
        raise AttributeError(f"module 'scoref.evaluator' has no attribute '{name}'")
    extra = _integrations()[name]
    try:
        module = import_module(f".integrations.{extra}", __name__)
    except ModuleNotFoundError as reason:
        raise ImportError(f"{name} needs {reason.name} ({reason}): pip install 'scoref[{extra}]'") from reason
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_integrations()})
