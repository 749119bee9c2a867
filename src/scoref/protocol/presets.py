"""The presets: for each shared task, paper or tool what differs from `conll-2012`, whose choices are the defaults."""

from __future__ import annotations

from collections.abc import Mapping

from ..choice import Value
from ..relations.registry import SEQUENCING

Differing = Mapping[str, Value | tuple[str, ...]]

_NUGGETS = ("nugget-span", "nugget-type", "nugget-realis", "nugget-type+realis")
_FIRST = {"duplicates": "first"}  # the rule for repeated mentions that is right
_LIST = {"duplicates": "list"}  # what copies of the e2e evaluator do with repeated mentions
_CODI_CRAC = {"duplicates": "ua-1.0", "credit": "ua-1.0", "links": "both"}
_CRAC = {
    "match": "head",
    "singletons": "drop",
    "zeros": "dependent",
    "duplicates": "keep",
    "split": "ignore",
    "credit": "ua-1.0",
    "links": "both",
    "average": "datasets",
}
_KBP = {
    "match": "dice",
    "duplicates": "keep",
    "words": "ignore",
    "invisible": "2015",
    "empty": "count",
    "extra": "ignore",
}
_EVMEVAL = _KBP | {
    "invisible": "none",
    "pieces": "twice",
    "sequencing": "evmeval-1.8",
    "files": "evmeval-1.8",
    "empty": "skip",
}

PRESETS: dict[str, Differing] = {
    "conll-2011": {"metrics": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "conll")},
    "conll-2012": {},
    "crac-2022": _CRAC | {"match": "partial-1.0", "zeros": "linear"},
    "crac-2023": _CRAC | {"match": "head-1.1", "zeros": "linear"},
    "crac-2024": _CRAC,
    "crac-2025": _CRAC,
    "crac-2026": _CRAC,
    "codi-crac-2021": _CODI_CRAC,
    "codi-crac-2022": _CODI_CRAC,
    "codi-crac-2022-deixis": _CODI_CRAC | {"layer": "deixis"},
    "codi-crac-2022-bridging": _CODI_CRAC | {"layer": "bridging"},
    "paun-2023": _FIRST
    | {"links": "both", "metrics": ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")},
    "zhou-choi-2018": _FIRST | {"split": "distribute", "links": "both", "metrics": ("b3", "ceafe", "blanc")},
    "kbp-2015": _KBP | {"metrics": (*_NUGGETS, "muc", "b3", "ceafe", "blanc", "kbp")},
    "evmeval-1.8": _EVMEVAL | {"metrics": (*_NUGGETS, "muc", "b3", "ceafm", "ceafe", "blanc", "kbp", *SEQUENCING)},
    "yu-2021": _FIRST | {"credit": "yu-2021", "metrics": ("lea", "split-lenient")},
    "coval": _LIST | {"metrics": ("mentions", "muc", "b3", "ceafe", "lea", "conll")},
    "e2e": _LIST | {"singletons": "e2e"},
    "allennlp": _LIST | {"singletons": "e2e"},
    "maverick": _LIST | {"singletons": "links"},
    "stanza": _LIST
    | {"singletons": "links", "average": "means", "empty": "count"}
    | {"metrics": ("muc", "b3", "ceafe", "lea", "conll")},
    "scorch": _FIRST
    | {"twinless": "pad-key", "average": "weighted", "links": "scorch"}
    | {"metrics": ("muc", "b3", "ceafm", "ceafe", "blanc", "conll")},
    "asp": _FIRST
    | {"singletons": "asp", "links": "always", "metrics": ("muc", "b3", "ceafe", "lea", "blanc", "conll")},
    "barhom": _LIST | {"singletons": "barhom", "metrics": ("muc", "b3", "ceafe")},
    "neleval": _FIRST | {"scope": "corpus", "metrics": ("muc", "b3", "ceafm", "ceafe", "pairwise", "nonlinks")},
    "corenlp": _FIRST | {"twinless": "conll-2011", "metrics": ("muc", "b3", "pairwise")},
}
