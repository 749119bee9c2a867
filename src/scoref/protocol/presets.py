"""The presets: for each shared task, paper or tool what differs from `conll-2012`, whose choices are the defaults."""

from __future__ import annotations

from collections.abc import Mapping

from ..choice import Value
from ..relations.registry import SEQUENCING

Differing = Mapping[str, Value | tuple[str, ...]]

_FIRST = {"duplicates": "first"}  # the rule for repeated mentions that is right
_LIST = {"duplicates": "list"}  # what copies of the e2e evaluator do with repeated mentions
_UA = {"credit": "ua-1.0", "links": "both"}
_CODI_CRAC = _UA | {"duplicates": "ua-1.0"}
_CRAC = _UA | {"duplicates": "keep", "split": "ignore", "singletons": "drop", "average": "datasets"}
_KBP = {"match": "dice", "duplicates": "keep", "words": "ignore", "extra": "ignore"}
_EVMEVAL = _KBP | {"pieces": "twice", "sequencing": "evmeval-1.8", "files": "evmeval-1.8"}

# The metrics that several report, beside those of `conll-2012`.
_ALL_CEAF = ("muc", "b3", "ceafm", "ceafe", "blanc", "conll")
_LEA = ("muc", "b3", "ceafe", "lea", "conll")
_NUGGETS = ("nugget-span", "nugget-type", "nugget-realis", "nugget-type+realis")
_EVENTS_2015 = (*_NUGGETS, "muc", "b3", "ceafe", "blanc", "kbp")
_EVENTS = (*_NUGGETS, "muc", "b3", "ceafm", "ceafe", "blanc", "kbp", *SEQUENCING)
_PAUN = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
_ASP = ("muc", "b3", "ceafe", "lea", "blanc", "conll")

PRESETS: dict[str, Differing] = {
    "conll-2011": {"metrics": ("mentions", *_ALL_CEAF)},
    "conll-2012": {},
    "crac-2022": _CRAC | {"match": "partial-1.0"},
    "crac-2023": _CRAC | {"match": "head-1.1"},
    **dict.fromkeys(("crac-2024", "crac-2025", "crac-2026"), _CRAC | {"match": "head", "zeros": "dependent"}),
    **dict.fromkeys(("codi-crac-2021", "codi-crac-2022"), _CODI_CRAC),
    "codi-crac-2022-deixis": _CODI_CRAC | {"layer": "deixis"},
    "codi-crac-2022-bridging": _CODI_CRAC | {"layer": "bridging"},
    "paun-2023": _FIRST | {"links": "both", "metrics": _PAUN},
    "zhou-choi-2018": _FIRST | {"split": "distribute", "links": "both", "metrics": ("b3", "ceafe", "blanc")},
    "kbp-2015": _KBP | {"invisible": "2015", "empty": "count", "metrics": _EVENTS_2015},
    "evmeval-1.8": _EVMEVAL | {"metrics": _EVENTS},
    "yu-2021": _FIRST | {"credit": "yu-2021", "metrics": ("lea", "split-lenient")},
    "coval": _LIST | {"metrics": ("mentions", *_LEA)},
    "e2e": _LIST | {"singletons": "e2e"},
    "allennlp": _LIST | {"singletons": "e2e"},
    "maverick": _LIST | {"singletons": "links"},
    "stanza": _LIST | {"singletons": "links", "average": "means", "empty": "count", "metrics": _LEA},
    "scorch": _FIRST | {"twinless": "pad-key", "average": "weighted", "links": "scorch", "metrics": _ALL_CEAF},
    "asp": _FIRST | {"singletons": "asp", "links": "always", "metrics": _ASP},
    "barhom": _LIST | {"singletons": "barhom", "metrics": ("muc", "b3", "ceafe")},
    "neleval": _FIRST | {"scope": "corpus", "metrics": ("muc", "b3", "ceafm", "ceafe", "pairwise", "nonlinks")},
    "corenlp": _FIRST | {"twinless": "conll-2011", "metrics": ("muc", "b3", "pairwise")},
}
