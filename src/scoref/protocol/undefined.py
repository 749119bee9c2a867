"""Metrics that other choices leave without a meaning: asking for them is refused."""

from __future__ import annotations

from ..counting.choices import Counting
from ..counting.metrics import Links, Whole
from ..counting.plurals import is_defined
from ..preparing.choices import Preparing
from ..problems import Error
from ..relations.registry import METRICS, how_of, needed, on_table, split_name

CONCERNED = ("layer", "metrics", "split", "weights", "twinless", "singletons")  # what these rules are about


def refuse_undefined(preparing: Preparing, counting: Counting, metrics: tuple[str, ...]) -> None:
    """Refuse metrics that are not defined for split antecedents as they are treated, and weights of what has none."""
    names = [name for name in (split_name(name)[1] for name in needed(metrics)) if on_table(name)]
    undefined = [name for name in names if not is_defined(METRICS[name])]
    if preparing.split == "distribute" and undefined:
        raise Error(
            "undefined-metric",
            f"{undefined[0]} is not defined where a mention is in several entities",
            expected="b3, ceafm, ceafe, blanc, as plurals are distributed over their members",
            remedy="choose other metrics with --metrics, or --split credit",
        )
    whole = [name for name in names if isinstance(how_of(name), Whole | Links)]
    if preparing.split == "only" and whole:
        raise Error(
            "undefined-metric",
            f"{', '.join(whole)} is not defined for split antecedents alone",
            expected="metrics like muc and b3",
            remedy="choose another --split or --metrics",
        )
    if counting.weights != "none" and (counting.twinless != "as-is" or counting.singletons not in ("keep", "drop")):
        raise Error(
            "undefined-metric",
            "mentions that are added or left out by another tool's rule have no weight",
            expected="twinless:as-is and singletons:keep or drop, with weights",
            remedy="leave out --twinless and --singletons, or --weights",
        )
