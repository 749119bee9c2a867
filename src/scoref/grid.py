"""Tables as text, CSV, Markdown and LaTeX; knows nothing about scores."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

Cell = str | int | float | None

_WIDTH = 80
_LEAST = 16  # what a column of words is never cut below

# What moves the cursor, ends the line, turns the direction of writing, or is half a character.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Grid(NamedTuple):
    """A table: a title, column names, rows. Fractions are shown as percentages with two digits, None as nothing.

    Of text too wide for a terminal the end is shown (there names differ), or with `prose` all of it, on several lines.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    prose: bool = False

    def shown(self) -> list[list[str]]:
        """All cells as people read them."""
        return [[_shown(cell) for cell in row] for row in self.rows]


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{100 * cell:.2f}" if isinstance(cell, float) else clean(str(cell))


def clean(text: str) -> str:
    r"""The text with escapes for control characters: what a file says must not steer the terminal.

    >>> clean("a\x1b[2J\nb")
    'a\\x1b[2J\\nb'
    """
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Lines of text, the long ones continued on indented lines."""
    wrapper = textwrap.TextWrapper(_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [wrapper.fill(line) for line in lines]


def _numeric(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    return all(not isinstance(row[column], str) for row in rows)


def text(grid: Grid) -> str:
    """Aligned columns for a terminal: words to the left, numbers to the right.

    A table wider than 80 columns has its longest words cut from the left; one with too many columns is printed in
    blocks, each with the first column again.

    >>> print(text(Grid("", ("metric", "f1"), [("muc", 0.625), ("b3", 1.0)])))
    metric      f1
    muc      62.50
    b3      100.00
    """
    rows = [list(grid.header), *grid.shown()]
    right = [_numeric(grid.rows, column) for column in range(len(grid.header))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(grid.header))]
    for column in sorted(range(len(widths)), key=lambda column: (right[column], -widths[column])):
        excess = sum(widths) + 2 * (len(widths) - 1) - _WIDTH
        if excess > 0 and not right[column]:
            widths[column] = min(widths[column], max(widths[column] - excess, _LEAST))
    if grid.prose:
        rows = [list(line) for row in rows for line in zip_longest(*map(textwrap.wrap, row, widths), fillvalue="")]
    blocks = []
    for columns in _blocks(widths):
        lines = ["  ".join(_fit(row[c], widths[c], right[c]) for c in columns).rstrip() for row in rows]
        blocks.append("\n".join(lines))
    return "\n".join([grid.title] * bool(grid.title) + ["\n\n".join(blocks)])


def _blocks(widths: list[int]) -> list[list[int]]:
    """Columns that fit beside each other, the first one in every block."""
    blocks, width = [[0]], widths[0]
    for column in range(1, len(widths)):
        width += 2 + widths[column]
        if width > _WIDTH and len(blocks[-1]) > 1:
            blocks.append([0])
            width = widths[0] + 2 + widths[column]
        blocks[-1].append(column)
    return blocks


def _fit(cell: str, width: int, right: bool) -> str:
    if len(cell) > width:
        cell = "…" + cell[len(cell) - width + 1 :]
    return cell.rjust(width) if right else cell.ljust(width)


def csv_(grid: Grid) -> str:
    """Comma-separated values with full precision."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(grid.header)
    writer.writerows([["" if cell is None else cell for cell in row] for row in grid.rows])
    return out.getvalue().rstrip("\n")


_MARKDOWN = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "&": "&amp;"})


def markdown(grid: Grid) -> str:
    """A Markdown table."""
    right = [_numeric(grid.rows, column) for column in range(len(grid.header))]
    lines = [[*grid.header], ["---:" if number else "---" for number in right], *grid.shown()]
    title = f"**{grid.title}**\n\n" if grid.title else ""
    return title + "\n".join("| " + " | ".join(cell.translate(_MARKDOWN) for cell in line) + " |" for line in lines)


_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "*": "{*}",  # which after the end of a row would be its options
})  # fmt: skip


def latex(grid: Grid) -> str:
    """A LaTeX tabular with the rules of the package booktabs."""
    columns = "".join("r" if _numeric(grid.rows, column) else "l" for column in range(len(grid.header)))
    lines = [[cell.translate(_LATEX) for cell in row] for row in ([*grid.header], *grid.shown())]
    body = [" & ".join(line) + r" \\" for line in lines]
    title = f"% {grid.title}\n" if grid.title else ""
    parts = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule"]
    return title + "\n".join([*parts, r"\end{tabular}"])


WRITERS: dict[str, Callable[[Grid], str]] = {"text": text, "csv": csv_, "markdown": markdown, "latex": latex}
COMMENTS = {"text": "", "csv": "# ", "markdown": "", "latex": "% "}
