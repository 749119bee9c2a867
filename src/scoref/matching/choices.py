"""The choices on which mention of the response is which of the key."""

from typing import Annotated, NamedTuple

from ..choice import BETWEEN, FIRST, SECOND, Choice
from .match import MATCHERS
from .nuggets import MAPPINGS

_MAPPING = "event nuggets: what the same mentions agree in, for coreference and sequencing"
_THRESHOLD = "event nuggets: Dice needed for coreference"


class Matching(NamedTuple):
    """Which mentions are the same; how zeros are matched is said by `Preparing`, where they may be dropped."""

    match: Annotated[str, Choice("which mentions count as the same", MATCHERS, 1, FIRST)] = "exact"
    mapping: Annotated[str, Choice(_MAPPING, MAPPINGS, 15, SECOND, fixed=True)] = "type"
    threshold: Annotated[float, Choice(_THRESHOLD, (), 29, BETWEEN, range=(1e-6, 1.0), fixed=True)] = 1.0
