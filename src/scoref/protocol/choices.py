"""All choices of an evaluation: those of each stage and of averaging; settings like `match:exact,singletons:keep`.

Options of the command line, keywords in Python, keys of project files and signatures are made from `CHOICES`.
"""

from typing import Annotated, Any

from ..choice import BETWEEN, FIRST, SECOND, SEE, Choice, Subject, Value, declared
from ..counting.choices import Counting
from ..matching.match import Matching
from ..pairing.scope import Reading
from ..preparing.prepare import Preparing
from ..problems import Error
from ..relations.registry import LINKS
from ..values import NamedTuple
from .metric_names import texts

BLANC, OF_METRICS, OF_DOCUMENTS = "blanc", "averages", "means over documents"  # values of `Choice.concerns`

_LINKS = "BLANC: which kinds of links it leaves out"
_EMPTY = "documents in which there is nothing to count: left out of means, or counted as 0"
_AVERAGE = "over documents: sums, the mean of their scores, or as other tools have it"
_COUNTED = ("skip", "count")
_AVERAGES = ("micro", "macro", "means", "weighted", "datasets")
_SEVERAL = {"datasets": (Subject("several_datasets", "several datasets"),)}
_DIGITS = "averages of exact scores, or of percentages that were rounded or cut off"
_ROUNDED = ("exact", "cut-2", "round-2", "round-1")


class Averaging(NamedTuple):
    """How counts of documents become scores; all but `empty` can be changed after counting."""

    empty: Annotated[str, Choice(_EMPTY, _COUNTED, 18, BETWEEN, before="count", concerns=OF_DOCUMENTS)] = "skip"
    links: Annotated[str, Choice(_LINKS, LINKS, 23, FIRST, concerns=BLANC)] = "key"
    average: Annotated[str, Choice(_AVERAGE, _AVERAGES, 25, FIRST, needs=_SEVERAL)] = "micro"
    digits: Annotated[str, Choice(_DIGITS, _ROUNDED, 27, SECOND, concerns=OF_METRICS)] = "exact"


# The parts of a protocol, by their names in it.
PARTS: dict[str, Any] = {part.__name__.lower(): part for part in (Reading, Preparing, Matching, Counting, Averaging)}

_DECLARED = [choice for name, part in PARTS.items() for choice in declared(name, part)]
CHOICES: dict[str, Choice] = {each.name: each for each in sorted(_DECLARED, key=lambda choice: choice.place)}

OPTIONS = tuple(name for name, choice in CHOICES.items() if not choice.found)  # those that users can set


def listed_settings(settings: object) -> tuple[str, ...]:
    """The settings as a tuple, from a list of them or from one.

    >>> listed_settings("match:min,singletons:drop")
    ('match:min,singletons:drop',)
    """
    if isinstance(settings, str):
        return (settings,)
    return texts(settings, "settings", 'settings like ["match:min", "match:min,singletons:drop"]')


def setting(text: str) -> dict[str, Value]:
    """The choices in a setting like `match:exact,singletons:keep`.

    >>> setting("match:exact,singletons:keep")
    {'match': 'exact', 'singletons': 'keep'}
    """
    known = [name for name in OPTIONS if not CHOICES[name].from_file and name != "words"]
    found: dict[str, Value] = {}
    choice = ""
    for one in text.split(","):
        spelled, colon, value = one.partition(":")
        if not colon and choice and CHOICES[choice].other:  # one more of a list, as in agree:type,kbid
            found[choice] = f"{found[choice]},{one}"
            continue
        choice = spelled.replace("-", "_")
        if not colon or choice not in known:
            expected = f"CHOICE:WORD with one of {', '.join(CHOICES[name].spelled for name in known)}"
            raise Error("unknown-setting", f"no setting '{one}'", expected=expected, remedy=SEE)
        found[choice] = _number(one, value) if CHOICES[choice].range else value
    return found


def _number(setting: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Error("unknown-setting", f"no setting '{setting}'", expected="a number behind the colon") from None
