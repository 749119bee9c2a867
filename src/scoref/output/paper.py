"""The table of a paper: a row for each system, precision, recall and F1 of each metric, the best in bold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..layout.grid import NOTHING, Cell, Grid, Number
from ..relations.registry import split_name

if TYPE_CHECKING:
    from ..statistics.comparison import Comparison

_HEADINGS = {
    "mentions": "Mentions", "muc": "MUC", "b3": "B³", "ceafe": "CEAFφ₄", "ceafm": "CEAFφ₃", "lea": "LEA",
    "blanc": "BLANC",
}  # fmt: skip
_MEANS = {"conll": "Avg. F1", "kbp": "Avg. F1"}  # of which papers print F1 alone
_USUAL = ("muc", "b3", "ceafe", "conll")


def paper(comparison: Comparison, asked: bool = False) -> Grid:
    """The table of a comparison: the metrics that were `asked` for, else those that papers print."""
    first = next(iter(comparison.systems.values()))
    metrics = first.protocol.metrics
    if not asked:
        usual = tuple(name for name in metrics if split_name(name)[1] in _USUAL)
        metrics = usual if "conll" in usual else tuple(name for name in metrics if name != "mentions") or metrics
    groups, header = [("", 1)], ["System"]
    for metric in metrics:
        prefix, base = split_name(metric)
        alone = base in _MEANS
        groups.append((prefix.rstrip(":"), 1) if alone else (prefix + _HEADINGS.get(base, base), 3))
        header += [_MEANS[base]] if alone else ["P", "R", "F1"]
    letters = comparison.letters()
    rows: list[list[tuple[float, str]]] = []
    for name, each in comparison.systems.items():
        rows.append([])
        for metric in metrics:
            recall, precision, f1 = each[metric] if metric not in each.undefined else (math.nan,) * 3
            rows[-1] += [] if split_name(metric)[1] in _MEANS else [(precision, ""), (recall, "")]
            rows[-1].append((f1, letters[metric][name]))
    known = [
        [round(100 * value, 2) for value, _ in column if not math.isnan(value)] for column in zip(*rows, strict=True)
    ]
    best = [max(column, default=math.nan) for column in known]
    cells: list[tuple[Cell, ...]] = [
        (name, *(NOTHING if math.isnan(value)
                 else Number(value, f"{100 * value:.2f}", mark, best=round(100 * value, 2) == most)
                 for (value, mark), most in zip(row, best, strict=True)))
        for name, row in zip(comparison.systems, rows, strict=True)
    ]  # fmt: skip
    return Grid("", tuple(header), cells, groups=tuple(groups), caption=" ".join(caption(comparison)))


def caption(comparison: Comparison, bold: bool = True) -> list[str]:
    """What must be said below the table, and the signature."""
    size = next(iter(comparison.systems.values())).size
    best = "; the best of each column is bold" if bold else ""
    note = comparison.marks_note()
    said = f"Precision (P), recall (R) and F1 in % on {size} document{'s' * (size != 1)}{best}."
    test = "; paired randomisation test" if comparison.can_tell else ""
    return [f"{said} {note[0].upper()}{note[1:]}{test}.", f"scoref {comparison.signature}"]
