"""Pictures of numbers, drawn by matplotlib; knows nothing about scores."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..exceptions import Error
from ..storing import MARK, store
from .grid import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png", ".pdf")

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # told apart by everyone
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_LONGEST = 40  # letters of a name


class Dots(NamedTuple):
    """Values with intervals: a row for each group, in it a dot (value, low, high) for each series."""

    title: str
    label: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[tuple[float, float, float]]]


class Points(NamedTuple):
    """Points (x, y, label) of several series; `joined` by lines, or on both sides of the `diagonal`."""

    title: str
    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float, float, str]]]
    joined: bool = False
    diagonal: bool = False


def draw(panels: Sequence[Dots | Points], path: str | os.PathLike[str]) -> None:
    """Write panels side by side as one picture; the ending of the name says in which format.

    The same panels give the same SVG file, byte for byte.
    """
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise Error("unknown-picture", "the file's ending names no format of pictures", path=str(path),
                    expected=f"one of {', '.join(SUFFIXES)}", remedy="name the picture otherwise")  # fmt: skip
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise Error("missing-package", "pictures need the package matplotlib",
                    remedy="install it: pip install 'scoref[plots]'") from None  # fmt: skip
    rules: dict[str, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": "scoref", "text.parse_math": False, "font.size": 9,
        "font.sans-serif": ["DejaVu Sans", "Arial"], "xtick.major.size": 0, "ytick.major.size": 0,
        "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    }  # fmt: skip
    heights = [2 + 0.14 * len(panel.groups) * (len(panel.series) + 1) for panel in panels if isinstance(panel, Dots)]
    with matplotlib.rc_context(rules), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks
        figure = Figure(figsize=(5 * len(panels), max([3.6, *heights])), layout="constrained")
        for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            (_dots if isinstance(panel, Dots) else _points)(axes, panel)
        said = {
            ".svg": {"Date": None, "Creator": MARK},
            ".pdf": {"CreationDate": None, "Creator": MARK},
            ".png": {"Software": MARK},
        }
        picture = io.BytesIO()
        figure.savefig(picture, format=target.suffix[1:], metadata=said[target.suffix])
        store({os.fspath(path): picture.getvalue()})


def _name(text: str) -> str:
    text = clean(text)
    return text if len(text) <= _LONGEST else "…" + text[1 - _LONGEST :]


def _dots(axes: Axes, panel: Any) -> None:
    step = 0.8 / max(len(panel.series), 1)
    for number, (name, values) in enumerate(panel.series.items()):
        places = [row - 0.4 + step * (number + 0.5) for row in range(len(values))]
        middle = [value for value, _, _ in values]
        below, above = [max(each[0] - each[1], 0) for each in values], [max(each[2] - each[0], 0) for each in values]
        axes.errorbar(
            middle, places, xerr=[below, above], fmt=_MARKERS[number % len(_MARKERS)], markersize=4, capsize=2,
            linewidth=1, color=_COLOURS[number % len(_COLOURS)], label=_name(name),
        )  # fmt: skip
    axes.set_yticks(range(len(panel.groups)), [_name(group) for group in panel.groups])
    axes.set_ylim(len(panel.groups) - 0.5, -0.5)
    axes.set_xlabel(panel.label)
    axes.grid(axis="x", linewidth=0.4, alpha=0.5)
    _finish(axes, panel)


def _points(axes: Axes, panel: Any) -> None:
    for (name, points), colour, marker in zip(panel.series.items(), cycle(_COLOURS), cycle(_MARKERS), strict=False):
        xs, ys = [x for x, _, _ in points], [y for _, y, _ in points]
        line = "-" if panel.joined else "none"
        axes.plot(xs, ys, linestyle=line, linewidth=1, marker=marker, markersize=3.5, color=colour, label=_name(name))
        for x, y, label in points:
            if label:
                axes.annotate(_name(label), (x, y), xytext=(3, 3), textcoords="offset points", fontsize=7, color=colour)
    if panel.diagonal:
        places = [place for points in panel.series.values() for x, y, _ in points for place in (x, y)]
        low, high = min(places, default=0), max(places, default=0)
        around = 0.05 * (high - low) or 1
        ends = low - around, high + around
        axes.plot(ends, ends, color="#888888", linewidth=0.8, linestyle="--", scalex=False, scaley=False)
        axes.set(xlim=ends, ylim=ends, aspect="equal")
    axes.set_xlabel(_name(panel.x))
    axes.set_ylabel(_name(panel.y))
    axes.grid(linewidth=0.4, alpha=0.5)
    _finish(axes, panel)


def _finish(axes: Axes, panel: Dots | Points) -> None:
    axes.set_title(panel.title, fontsize=10)
    if len(panel.series) > 1:
        axes.legend(fontsize=7)
