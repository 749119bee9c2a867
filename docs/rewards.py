"""Draws what metrics reward, for understand.md: python3 docs/pictures.py calls it (needs scoref[plots])."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import scoref

METRICS = {"mentions": "mentions", "muc": "MUC", "b3": "B³", "ceafm": "CEAFm", "ceafe": "CEAFe", "lea": "LEA",
           "blanc": "BLANC", "conll": "CoNLL"}  # fmt: skip
KEY = ["aaaaaa", "bbb", "cc", "d"]  # entities; a letter is a mention
COLOURS = {"a": "#0072b2", "b": "#d55e00", "c": "#009e73", "d": "#cc79a7", "x": "#bbbbbb"}

# What a response has, as a division of the key's mentions; x is a mention that the key lacks.
RESPONSES = {
    "one mention missed": ["aaaaa", "bbb", "cc", "d"],
    "one extra mention, alone": ["aaaaaa", "bbb", "cc", "d", "x"],
    "one extra mention, in an entity": ["aaaaaax", "bbb", "cc", "d"],
    "one mention in a wrong entity": ["aaaaa", "bbba", "cc", "d"],
    "the largest entity in halves": ["aaa", "aaa", "bbb", "cc", "d"],
    "one mention split off": ["aaaaa", "a", "bbb", "cc", "d"],
    "the two largest merged": ["aaaaaabbb", "cc", "d"],
    "the two smallest merged": ["aaaaaa", "bbb", "ccd"],
    "everything in one entity": ["aaaaaabbbccd"],
    "every mention alone": [*"aaaaaabbbccd"],
    "a singleton missed": ["aaaaaa", "bbb", "cc"],
    "only the largest entity": ["aaaaaa"],
}


def named(entities: list[str]) -> list[list[str]]:
    """Mentions with names: the first a is a1, the second a2, and so on."""
    counts: dict[str, int] = {}
    found = []
    for entity in entities:
        found.append([])
        for letter in entity:
            counts[letter] = counts.get(letter, 0) + 1
            found[-1].append(f"{letter}{counts[letter]}")
    return found


def f1(response: list[list[str]], key: list[list[str]] | None = None) -> list[float]:
    """The f1 of each metric, in percent."""
    result = scoref.score(key or named(KEY), response, metrics=[*METRICS])
    return [100 * result[name].f1 for name in METRICS]


def draw(folder: Path) -> None:
    """Write the pictures into a folder."""
    import matplotlib
    from matplotlib.figure import Figure

    rules: dict[str, Any] = {"svg.fonttype": "none", "svg.hashsalt": "scoref", "font.size": 9,
                             "font.sans-serif": ["DejaVu Sans", "Arial"]}  # fmt: skip
    with matplotlib.rc_context(rules):
        for name, size, picture in (("rewards", (9.6, 5.4), _gallery), ("divide", (8.6, 3.0), _dividing)):
            figure = Figure(figsize=size, layout="constrained")
            picture(figure)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None}, facecolor="white")


def _gallery(figure: Any) -> None:
    """A row for each response: its entities as dots, and the f1 of each metric."""
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15), sharey=True)
    rows = {"the key": KEY, **RESPONSES}
    values = [f1(named(entities)) for entities in rows.values()]
    for row, entities in enumerate(rows.values()):
        place = 0.0
        for entity in entities:
            left.plot([place - 0.3, place + len(entity) - 0.7], [row, row], color="#dddddd", linewidth=11,
                      solid_capstyle="round", zorder=1)  # fmt: skip
            for letter in entity:
                left.scatter(place, row, color=COLOURS[letter], s=34, zorder=2)
                place += 1
            place += 0.75
    left.set_yticks(range(len(rows)), [*rows])
    left.set_xticks([])
    left.set_xlim(-0.8, 21)
    right.imshow(values, aspect="auto", cmap="RdYlBu", vmin=0, vmax=120, alpha=0.75)
    for row, numbers in enumerate(values):
        for column, number in enumerate(numbers):
            right.text(column, row, f"{number:.0f}", ha="center", va="center")
    right.set_xticks(range(len(METRICS)), [*METRICS.values()])
    right.xaxis.tick_top()
    for axes in (left, right):
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    left.set_ylim(len(rows) - 0.4, -0.6)


def _dividing(figure: Any) -> None:
    """The f1 of metrics, as one entity falls into ever more parts, and as ever more entities are merged."""
    splitting, merging = figure.subplots(1, 2, sharey=True)
    twelve = [f"m{number}" for number in range(12)]
    parts = [1, 2, 3, 4, 6, 12]
    split = [f1([twelve[part::count] for part in range(count)], [twelve]) for count in parts]
    pairs = [[f"{entity}-1", f"{entity}-2"] for entity in range(12)]
    merged = [1, 2, 3, 4, 6, 12]
    join = [f1([[*chain(*pairs[:count])], *pairs[count:]], pairs) for count in merged]
    styles = ("-", "--", "-.", ":")
    for column, name in enumerate(METRICS.values()):
        if name in ("mentions", "CoNLL"):
            continue
        style = styles[column % 4]
        splitting.plot(parts, [row[column] for row in split], style, marker="o", markersize=3, label=name)
        merging.plot(merged, [row[column] for row in join], style, marker="o", markersize=3, label=name)
    splitting.set(title="an entity of 12 mentions in parts", xlabel="parts", ylabel="f1", xticks=parts, ylim=(-3, 103))
    merging.set(title="12 entities of 2, some merged into one", xlabel="entities merged", xticks=merged)
    for axes in (splitting, merging):
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(*merging.get_legend_handles_labels(), loc="outside right center", frameon=False)
