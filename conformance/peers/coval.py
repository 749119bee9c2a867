"""coval, by its functions: `reader.get_coref_infos` and `evaluator.evaluate_documents`."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from suite.cases import Case
from suite.files import conll
from suite.numbers import triple

_COMMON = {
    "repository": "ns-moosavi/coval",
    "command": "python scorer.py {key} {response}",
    "reads": "conll",
    "digits": "full, by its functions",
    "metrics": "mentions muc b3 ceafe lea",
}
TREES = {  # keep singletons, NP only, remove nested, minimum spans
    "coval": (True, False, False, False),
    "coval remove_singletons": (False, False, False, False),
    "coval min_span": (True, False, False, True),
    "coval NP_only": (True, True, False, False),
    "coval remove_nested": (True, False, True, False),
}
SCORERS = {
    name: {
        **_COMMON,
        "title": name,
        "command": f"{_COMMON['command']} {name.partition(' ')[2]}".strip(),
        "sets": "small partitions documents spans hand papers trees" if name == "coval"
        else "trees hand" if name == "coval remove_singletons" else "trees",
    }
    for name in TREES
}  # fmt: skip
_NAMES = {"mentions": "mentions", "muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"}


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """Call its functions on each case."""
    sys.path.insert(0, str(place))
    from coval.conll import reader
    from coval.eval import evaluator

    keep, only, nested, least = TREES[scorer]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, which) for which in ("key", "response")]
        for case in cases:
            for path in files:
                path.write_text(conll.written(case, path.name), encoding="utf-8")
            found = {}
            with contextlib.redirect_stdout(io.StringIO()):
                for function, name in _NAMES.items():
                    try:
                        infos = reader.get_coref_infos(*map(str, files), only, nested, keep, least)
                        found[name] = triple(*evaluator.evaluate_documents(infos, getattr(evaluator, function), beta=1))
                    except Exception as error:
                        found[name] = f"crash: {type(error).__name__}"
            yield found
