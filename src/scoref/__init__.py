"""Scores coreference, anaphora and event nuggets: every metric, one table, numbers you can repeat."""

from __future__ import annotations

TYPE_CHECKING = False  # not imported from `typing`, which is slow: Ctrl-C meanwhile would give a traceback

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from typing import Any

    from .answers.place import answer as answer
    from .counting.metrics import Score as Score
    from .document.clusters import clusters as clusters
    from .document.document import Document as Document
    from .document.document import Mention as Mention
    from .errors.analysis import Analysis as Analysis
    from .errors.analysis import analyse as analyse
    from .errors.listing import Listing as Listing
    from .errors.slicing.finding import crossed_losses as crossed_losses
    from .errors.slicing.finding import slices as slices
    from .errors.slicing.slices import Slice as Slice
    from .errors.slicing.slices import Slices as Slices
    from .explanation.explain import explain as explain
    from .explanation.explanation import Explanation as Explanation
    from .explanation.shares import Shares as Shares
    from .explanation.shares import shares as shares
    from .formats import read as read
    from .formats import write as write
    from .page.build import report as report
    from .problems import Error as Error
    from .problems import Problem as Problem
    from .prompting.prompts import Prompts as Prompts
    from .prompting.prompts import prompts as prompts
    from .protocol.protocol import Protocol as Protocol
    from .results.evaluation import Evaluation as Evaluation
    from .results.evidence import EntityScore as EntityScore
    from .results.kinds import KindScores as KindScores
    from .results.merging import merge as merge
    from .results.saved import load as load
    from .results.saved import save as save
    from .results.scores import GroupScores as GroupScores
    from .results.scores import Intervals as Intervals
    from .run.registries import list_formats as list_formats
    from .run.registries import list_matchers as list_matchers
    from .run.registries import list_metrics as list_metrics
    from .run.registries import list_protocols as list_protocols
    from .run.score import score as score
    from .run.scorer import Scorer as Scorer
    from .statistics.agreement import Agreement as Agreement
    from .statistics.agreement import agreement as agreement
    from .statistics.bias import Gap as Gap
    from .statistics.bias import WinoBias as WinoBias
    from .statistics.bias import gap as gap
    from .statistics.bias import winobias as winobias
    from .statistics.comparison import Comparison as Comparison
    from .statistics.curves import Curve as Curve
    from .statistics.curves import curve as curve
    from .statistics.planning import Plan as Plan
    from .statistics.planning import plan as plan
    from .statistics.run_comparison import RunsComparison as RunsComparison
    from .statistics.samples import with_intervals as with_intervals
    from .statistics.stability import Stability as Stability
    from .statistics.stability import stability as stability
    from .statistics.systems import compare as compare

# The public names of each module; a name is imported when it is used, so that a command loads only what it needs.
_NAMES = {
    "answers.place": ("answer",),
    "counting.metrics": ("Score",),
    "document.clusters": ("clusters",),
    "document.document": ("Document", "Mention"),
    "errors.analysis": ("Analysis", "analyse"),
    "errors.listing": ("Listing",),
    "errors.slicing.finding": ("crossed_losses", "slices"),
    "errors.slicing.slices": ("Slice", "Slices"),
    "explanation.explain": ("explain",),
    "explanation.explanation": ("Explanation",),
    "explanation.shares": ("Shares", "shares"),
    "formats": ("read", "write"),
    "page.build": ("report",),
    "problems": ("Error", "Problem"),
    "prompting.prompts": ("Prompts", "prompts"),
    "protocol.protocol": ("Protocol",),
    "results.evidence": ("EntityScore",),
    "results.evaluation": ("Evaluation",),
    "results.kinds": ("KindScores",),
    "results.scores": ("GroupScores", "Intervals"),
    "results.merging": ("merge",),
    "results.saved": ("load", "save"),
    "run.registries": ("list_formats", "list_matchers", "list_metrics", "list_protocols"),
    "run.score": ("score",),
    "run.scorer": ("Scorer",),
    "statistics.agreement": ("Agreement", "agreement"),
    "statistics.bias": ("Gap", "WinoBias", "gap", "winobias"),
    "statistics.comparison": ("Comparison",),
    "statistics.curves": ("Curve", "curve"),
    "statistics.planning": ("Plan", "plan"),
    "statistics.run_comparison": ("RunsComparison",),
    "statistics.samples": ("with_intervals",),
    "statistics.stability": ("Stability", "stability"),
    "statistics.systems": ("compare",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted([*_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'scoref' has no attribute '{name}'")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
