"""Scores coreference, anaphora and event nuggets: every metric, one table, numbers you can repeat."""

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from .counting.metrics import Score
    from .document.clusters import clusters
    from .document.document import Document, Mention
    from .errors.analysis import Analysis, analyse
    from .errors.listing import Listing
    from .explanation.explain import explain
    from .explanation.explanation import Explanation
    from .formats import read, write
    from .page.build import report
    from .problems import Error, Problem
    from .protocol.protocol import Protocol
    from .results.evaluation import Evaluation
    from .results.evidence import EntityScore
    from .results.merging import merge
    from .results.saved import load, save
    from .results.scores import GroupScores, Intervals
    from .run.registries import list_formats, list_matchers, list_metrics, list_protocols
    from .run.score import score
    from .run.scorer import Scorer
    from .statistics.agreement import Agreement, agreement
    from .statistics.bias import Gap, WinoBias, gap, winobias
    from .statistics.comparison import Comparison
    from .statistics.samples import with_intervals
    from .statistics.stability import Stability, stability
    from .statistics.systems import compare

# The module of each public name; a name is imported when it is used, so that a command loads only what it needs.
_MODULES = {
    "Agreement": "statistics.agreement",
    "Analysis": "errors.analysis",
    "Comparison": "statistics.comparison",
    "Document": "document.document",
    "EntityScore": "results.evidence",
    "Error": "problems",
    "Evaluation": "results.evaluation",
    "Explanation": "explanation.explanation",
    "Gap": "statistics.bias",
    "GroupScores": "results.scores",
    "Intervals": "results.scores",
    "Listing": "errors.listing",
    "Mention": "document.document",
    "Problem": "problems",
    "Protocol": "protocol.protocol",
    "Score": "counting.metrics",
    "Scorer": "run.scorer",
    "Stability": "statistics.stability",
    "WinoBias": "statistics.bias",
    "agreement": "statistics.agreement",
    "analyse": "errors.analysis",
    "clusters": "document.clusters",
    "compare": "statistics.systems",
    "explain": "explanation.explain",
    "gap": "statistics.bias",
    "list_formats": "run.registries",
    "list_matchers": "run.registries",
    "list_metrics": "run.registries",
    "list_protocols": "run.registries",
    "load": "results.saved",
    "merge": "results.merging",
    "read": "formats",
    "report": "page.build",
    "save": "results.saved",
    "score": "run.score",
    "stability": "statistics.stability",
    "winobias": "statistics.bias",
    "with_intervals": "statistics.samples",
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
    "GroupScores",
    "Intervals",
    "Listing",
    "Mention",
    "Problem",
    "Protocol",
    "Score",
    "Scorer",
    "Stability",
    "WinoBias",
    "__version__",
    "agreement",
    "analyse",
    "clusters",
    "compare",
    "explain",
    "gap",
    "list_formats",
    "list_matchers",
    "list_metrics",
    "list_protocols",
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
    if name not in _MODULES:
        raise AttributeError(f"module 'scoref' has no attribute '{name}'")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
