"""Scores coreference, anaphora and event nuggets: every metric, one table, numbers you can repeat."""

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from .errors.analysis import Analysis, analyse
    from .exceptions import Error, Problem
    from .explanation.explain import explain
    from .explanation.explanation import Explanation
    from .formats import read, write
    from .model import Document, Mention, clusters
    from .page.build import report
    from .scoring.breakdown import EntityScore
    from .scoring.evaluation import Evaluation
    from .scoring.metrics import Score
    from .scoring.protocol import Protocol
    from .scoring.scorer import Scorer, score
    from .statistics.annotators import Agreement, agreement
    from .statistics.bias import Gap, WinoBias, gap, winobias
    from .statistics.comparison import Comparison
    from .statistics.saved import load, merge, save
    from .statistics.stability import stability
    from .statistics.systems import compare, with_intervals

# Where each public name lives; a name is imported when it is used, so that a command loads only what it needs.
_HOMES = {
    "Agreement": "statistics.annotators",
    "Analysis": "errors.analysis",
    "Comparison": "statistics.comparison",
    "Document": "model",
    "EntityScore": "scoring.breakdown",
    "Error": "exceptions",
    "Evaluation": "scoring.evaluation",
    "Explanation": "explanation.explanation",
    "Gap": "statistics.bias",
    "Mention": "model",
    "Problem": "exceptions",
    "Protocol": "scoring.protocol",
    "Score": "scoring.metrics",
    "Scorer": "scoring.scorer",
    "WinoBias": "statistics.bias",
    "agreement": "statistics.annotators",
    "analyse": "errors.analysis",
    "clusters": "model",
    "compare": "statistics.systems",
    "explain": "explanation.explain",
    "gap": "statistics.bias",
    "load": "statistics.saved",
    "merge": "statistics.saved",
    "read": "formats",
    "report": "page.build",
    "save": "statistics.saved",
    "score": "scoring.scorer",
    "stability": "statistics.stability",
    "winobias": "statistics.bias",
    "with_intervals": "statistics.systems",
    "write": "formats",
}

__all__ = [
    "Agreement",
    "Analysis",
    "Comparison",
    "Document",
    "EntityScore",
    "Error",
    "Evaluation",
    "Explanation",
    "Gap",
    "Mention",
    "Problem",
    "Protocol",
    "Score",
    "Scorer",
    "WinoBias",
    "__version__",
    "agreement",
    "analyse",
    "clusters",
    "compare",
    "explain",
    "gap",
    "load",
    "merge",
    "read",
    "report",
    "save",
    "score",
    "stability",
    "winobias",
    "with_intervals",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'scoref' has no attribute '{name}'")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
