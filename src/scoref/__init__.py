"""Scores coreference, anaphora and event nuggets: every metric, one table, numbers you can repeat."""

__version__ = "0.1.0"

from .compare import compare, with_intervals
from .comparison import Comparison
from .evaluate import Scorer, score
from .evaluation import EntityScore, Evaluation
from .exceptions import Error, Problem
from .formats import read, write
from .metrics import Score
from .model import Document, Mention, clusters
from .protocol import Protocol
from .stability import stability
from .store import load, merge, save

__all__ = [
    "Comparison",
    "Document",
    "EntityScore",
    "Error",
    "Evaluation",
    "Mention",
    "Problem",
    "Protocol",
    "Score",
    "Scorer",
    "__version__",
    "clusters",
    "compare",
    "load",
    "merge",
    "read",
    "save",
    "score",
    "stability",
    "with_intervals",
    "write",
]
