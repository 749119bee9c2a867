"""Plots of numbers as papers print them, drawn by matplotlib; knows nothing about scores.

A figure is as wide as a column (3.3 inches), its type has 8 points, a PNG 300 dots per inch. It has no title, because
papers have captions.
"""

from __future__ import annotations

import io
import os
import textwrap
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..problems import Error
from ..storing import MARK, store
from .grid import clean
from .render import PICTURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # safe for colour-blind
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_GREY, _LOSS = "#888888", "#d55e00"
_WIDTH, _TYPE, _DOTS = 3.3, 8, 300  # inches, points, dots per inch
_LABEL = 44  # letters of an axis label, at most
_LETTER = 0.064  # inches that a letter is wide, on the mean
_BELOW = "\ue000"  # stands between a name and its subscript
_LONGEST = 28  # letters of a name, at most


class Dots(NamedTuple):
    """Values with intervals: a row for each group, in it a dot (value, low, high) for each series.

    `zero` draws a line there, for differences.
    """

    label: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[tuple[float, float, float]]]
    zero: bool = False


class Points(NamedTuple):
    """Points (x, y) of several series: a scatter plot with the diagonal, or, if `joined`, lines with bands around them.

    A band is (low, high) for each point. The name of a line stands at its end.
    """

    x: str
    y: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    joined: bool = False
    bands: Mapping[str, Sequence[tuple[float, float]]] = {}


class Steps(NamedTuple):
    """A waterfall: a first value, then steps up or down (name and height) that lead to the last value."""

    label: str
    first: tuple[str, float]
    steps: Sequence[tuple[str, float]]
    last: str


class Ranking(NamedTuple):
    """Mean ranks on a line, 1 at its left, with bars over those that do not differ, and how far they must be apart."""

    label: str
    ranks: Mapping[str, float]
    bars: Sequence[tuple[float, float]]
    critical: float


Figure = Dots | Points | Steps | Ranking


def subscript(name: str, below: str) -> str:
    """A name with a subscript, as pictures print it."""
    return f"{name}{_BELOW}{below}"


def draw(figures: Mapping[str, Figure], path: str | os.PathLike[str]) -> None:
    """Write one figure to a file: `errors.pdf` gets the figure `errors` as PDF; other names get the first figure.

    A folder (a name without an ending) gets all of them, as PDF. The same figures always give the same SVG bytes.
    """
    target = Path(path)
    if target.is_dir() or not target.suffix:
        wanted = {target / f"{name}.pdf": figure for name, figure in figures.items()}
    elif target.suffix not in PICTURES:
        raise Error("unknown-picture", "the file's ending names no format of pictures", path=str(path),
                    expected=f"one of {', '.join(PICTURES)}, or a folder for all figures",
                    remedy="name the picture otherwise")  # fmt: skip
    else:
        wanted = {target: figures.get(target.stem) or next(iter(figures.values()))}
    try:
        import matplotlib
    except ImportError:
        raise Error("missing-package", "pictures need the package matplotlib",
                    remedy="install it: pip install 'scoref[plots]'") from None  # fmt: skip
    rules: dict[str, object] = {
        "svg.fonttype": "path", "svg.hashsalt": "scoref", "pdf.fonttype": 42, "text.parse_math": False,
        "font.size": _TYPE, "axes.labelsize": _TYPE, "xtick.labelsize": _TYPE, "ytick.labelsize": _TYPE,
        "legend.fontsize": _TYPE, "font.family": ["serif", "sans-serif"], "font.sans-serif": ["DejaVu Sans"],
        "font.serif": ["STIXGeneral", "Times New Roman", "Times"], "mathtext.fontset": "stix", "xtick.major.size": 0,
        "ytick.major.size": 0, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
        "legend.frameon": False, "legend.handletextpad": 0.4, "legend.columnspacing": 1.0, "savefig.dpi": _DOTS,
    }  # fmt: skip
    with matplotlib.rc_context(rules), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # matplotlib warns of letters that the font lacks
        store({os.fspath(file): _drawn(figure, file.suffix) for file, figure in wanted.items()})


def _drawn(panel: Figure, suffix: str) -> bytes:
    """The bytes of a picture."""
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(_WIDTH, _height(panel)), layout="constrained")
    axes = canvas.subplots()
    if isinstance(panel, Steps):
        _steps(axes, panel)
    elif isinstance(panel, Points):
        _points(axes, panel)
    elif isinstance(panel, Ranking):
        _ranks(axes, panel)
    else:
        _dots(axes, panel)
        if len(panel.series) > 1:
            canvas.legend(loc="outside upper left", ncols=_beside(panel.series))
    metadata = {
        ".svg": {"Date": None, "Creator": MARK},
        ".pdf": {"CreationDate": None, "Creator": MARK},
        ".png": {"Software": MARK},
    }
    picture = io.BytesIO()
    canvas.savefig(picture, format=suffix[1:], metadata=metadata[suffix])
    return picture.getvalue()


def _height(panel: Figure) -> float:
    """The height of a figure in inches: a line of type for every row."""
    if isinstance(panel, Points):
        return 2.6
    if isinstance(panel, Steps):
        return 0.55 + 0.17 * (len(panel.steps) + 2)
    if isinstance(panel, Ranking):
        return 0.9 + 0.17 * (len(panel.ranks) + len(panel.bars))
    legend = -(-len(panel.series) // _beside(panel.series)) if len(panel.series) > 1 else 0
    return max(0.55 + 0.13 * len(panel.groups) * (len(panel.series) + 0.6) + 0.17 * legend, 1.2)


def _name(text: str, most: int = _LONGEST) -> str:
    text = clean(text)
    return text if len(text) <= most else "…" + text[1 - most :]


def _set(text: str) -> tuple[str, bool]:
    """How a name is written, and whether as a formula: one with a subscript is."""
    name, mark, below = text.partition(_BELOW)
    if not mark:
        return _name(text), False
    for letter in "\\$%_{}^#":
        name, below = (part.replace(letter, f"\\{letter}" if letter != "\\" else "/") for part in (name, below))
    return rf"$\mathregular{{{name}}}_{{\mathregular{{{below}}}}}$", True


def _wrapped(label: str, width: float) -> str:
    """A label in as many lines as it needs to be no wider than so many inches."""
    return "\n".join(textwrap.wrap(clean(label), max(12, int(width / _LETTER)), break_long_words=False))


def _beside(names: Iterable[str]) -> int:
    """How many names of a legend fit side by side."""
    return max(1, min(4, 44 // (max(len(_name(name)) for name in names) + 6)))


def _dots(axes: Axes, panel: Dots) -> None:
    step = 0.8 / max(len(panel.series), 1)
    for number, (name, values) in enumerate(panel.series.items()):
        places = [row - 0.4 + step * (number + 0.5) for row in range(len(values))]
        middle = [value for value, _, _ in values]
        below, above = [max(each[0] - each[1], 0) for each in values], [max(each[2] - each[0], 0) for each in values]
        axes.errorbar(
            middle, places, xerr=[below, above], fmt=_MARKERS[number % len(_MARKERS)], markersize=3.5, capsize=1.5,
            linewidth=0.8, color=_COLOURS[number % len(_COLOURS)], label=_name(name),
        )  # fmt: skip
    if panel.zero:
        axes.axvline(0, color=_GREY, linewidth=0.8, linestyle="--")
    _rows(axes, panel.groups, panel.label)


def _rows(axes: Axes, names: Sequence[str], label: str) -> None:
    """Label the rows from top to bottom, and the axis of values."""
    written = [_set(name) for name in names]
    axes.set_yticks(range(len(names)), [text for text, _ in written])
    for label_of_row, (_, formula) in zip(axes.get_yticklabels(), written, strict=True):
        label_of_row.set_parse_math(formula)
    axes.set_ylim(len(names) - 0.5, -0.5)
    beside = _LETTER * max((len(_name(name)) for name in names), default=0)
    axes.set_xlabel(_wrapped(label, _WIDTH - beside - 0.3))
    axes.grid(axis="x", linewidth=0.4, alpha=0.5)


def _points(axes: Axes, panel: Points) -> None:
    for (name, points), colour, marker in zip(panel.series.items(), cycle(_COLOURS), cycle(_MARKERS), strict=False):
        xs, ys = [x for x, _ in points], [y for _, y in points]
        line = "-" if panel.joined else "none"
        axes.plot(xs, ys, linestyle=line, linewidth=0.9, marker=marker, markersize=2.5, color=colour)
        if band := panel.bands.get(name):
            axes.fill_between(xs, [low for low, _ in band], [high for _, high in band], color=colour, alpha=0.2, lw=0)
    axes.set_xlabel(_name(panel.x, _LABEL))
    axes.set_ylabel(_name(panel.y, _LABEL))
    axes.grid(linewidth=0.4, alpha=0.5)
    if panel.joined:
        _names_at_the_ends(axes, panel)
    else:
        places = [place for points in panel.series.values() for point in points for place in point]
        low, high = min(places, default=0), max(places, default=0)
        around = 0.05 * (high - low) or 1
        ends = low - around, high + around
        axes.plot(ends, ends, color=_GREY, linewidth=0.8, linestyle="--", scalex=False, scaley=False)
        axes.set(xlim=ends, ylim=ends, aspect="equal")


def _names_at_the_ends(axes: Axes, panel: Points) -> None:
    """The names of lines beside their last points, moved apart where these are close."""
    ends = [(points[-1], name, colour) for (name, points), colour in
            zip(panel.series.items(), cycle(_COLOURS), strict=False) if points]  # fmt: skip
    if len(panel.series) < 2:
        return
    low, high = axes.get_ylim()
    apart = (high - low) * 0.068  # the height of a line of type
    ends.sort(key=lambda end: end[0][1])
    places: list[float] = []
    for (_, y), _, _ in ends:
        places.append(max(y, places[-1] + apart) if places else y)
    over = max(places[-1] - (high - apart / 2), 0.0)
    for number in reversed(range(len(places))):
        most = places[number + 1] - apart if number + 1 < len(places) else places[number] - over
        places[number] = min(places[number], most)
    for place, ((x, _), name, colour) in zip(places, ends, strict=True):
        text, formula = _set(name)
        axes.annotate(text, (x, place), xytext=(5, 0), textcoords="offset points", color=colour, va="center",
                      annotation_clip=False, parse_math=formula)  # fmt: skip


def _ranks(axes: Axes, panel: Ranking) -> None:
    """A line of ranks at the top, below it a line of type for each system, then the bars (Demšar 2006)."""
    ordered = sorted(panel.ranks.items(), key=lambda each: each[1])
    last = max(len(ordered), 2)
    for row, (name, rank) in enumerate(ordered, 1):
        axes.plot([rank, rank, 1], [0, row, row], color=_GREY, linewidth=0.6)
        axes.plot(rank, 0, marker="o", markersize=3, color=_COLOURS[0])
        axes.annotate(f"{_name(name)} {rank:.2f}", (1, row), xytext=(-3, 0), textcoords="offset points", ha="right",
                      va="center", annotation_clip=False)  # fmt: skip
    for row, (low, high) in enumerate(panel.bars, len(ordered) + 1):
        axes.plot([low, high], [row, row], color=_COLOURS[6], linewidth=2)
    axes.plot([1, min(1 + panel.critical, last)], [-1, -1], color=_LOSS, linewidth=1.5)
    _said(axes, min(1 + panel.critical, last), -1, f"critical difference {panel.critical:.2f}")
    axes.set_xlim(1, last)
    axes.set_ylim(len(ordered) + len(panel.bars) + 0.7, -1.7)
    axes.set_xticks(range(1, last + 1))
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(_name(panel.label, _LABEL))


def _steps(axes: Axes, panel: Steps) -> None:
    name, now = panel.first
    rows = [name, *(each for each, _ in panel.steps), panel.last]
    axes.barh(0, now, color=_GREY, height=0.7)
    _said(axes, now, 0, f"{now:.1f}")
    for row, (_, far) in enumerate(panel.steps, 1):
        axes.barh(row, far, left=now, color=_COLOURS[0] if far >= 0 else _LOSS, height=0.7)
        axes.plot([now, now], [row - 1.35, row + 0.35], color=_GREY, linewidth=0.5)
        _said(axes, max(now, now + far), row, f"{far:+.1f}")
        now += far
    axes.barh(len(rows) - 1, now, color=_GREY, height=0.7)
    _said(axes, now, len(rows) - 1, f"{now:.1f}")
    _rows(axes, rows, panel.label)
    axes.set_xlim(0, max(now, panel.first[1]) * 1.16 or 1)
    axes.set_axisbelow(True)


def _said(axes: Axes, x: float, row: int, text: str) -> None:
    axes.annotate(text, (x, row), xytext=(2, 0), textcoords="offset points", va="center", fontsize=_TYPE)
