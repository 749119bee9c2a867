"""All choices of an evaluation, collected from the stages that declare them; settings, which make some of them.

Options of the command line, keywords in Python, keys of project files and signatures are made from `CHOICES`.
"""

from __future__ import annotations

from typing import Any

from ..choice import SEE, Choice, Value, declared
from ..counting.choices import Counting
from ..matching.match import Matching
from ..pairing.scope import Reading
from ..preparing.prepare import Preparing
from ..problems import Error
from .averaging import Averaging
from .metric_names import texts

PARTS: dict[str, Any] = {
    "reading": Reading,
    "preparing": Preparing,
    "matching": Matching,
    "counting": Counting,
    "averaging": Averaging,
}

_DECLARED = [choice for name, part in PARTS.items() for choice in declared(name, part)]
CHOICES: dict[str, Choice] = {each.name: each for each in sorted(_DECLARED, key=lambda choice: choice.place)}

OPTIONS = tuple(name for name, choice in CHOICES.items() if not choice.found)  # those that users may make


def listed_settings(settings: Any) -> list[str]:
    """The settings: a list of them, or one.

    >>> listed_settings("match:min,singletons:drop")
    ['match:min,singletons:drop']
    """
    if isinstance(settings, str):
        return [settings]
    return [*texts(settings, "settings", 'settings like ["match:min", "match:min,singletons:drop"]')]


def setting(text: str) -> dict[str, Value]:
    """The choices that a setting like `match:exact,singletons:keep` makes.

    >>> setting("match:exact,singletons:keep")
    {'match': 'exact', 'singletons': 'keep'}
    """
    known = [name for name in OPTIONS if CHOICES[name].words and not CHOICES[name].from_file and name != "words"]
    found: dict[str, Value] = {}
    for one in text.split(","):
        choice, colon, value = one.partition(":")
        if not colon or choice not in known:
            expected = f"CHOICE:WORD with one of {', '.join(known)}"
            raise Error("unknown-setting", f"no setting '{one}'", expected=expected, remedy=SEE)
        found[choice] = value
    return found
