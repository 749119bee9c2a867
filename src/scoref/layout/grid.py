"""Tables as text, CSV, Markdown, LaTeX and HTML; knows nothing about scores."""

from __future__ import annotations

import csv
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple


class Number(NamedTuple):
    """A number, how it is shown, and a raised mark behind it: 12.50ᵃ."""

    value: float
    shown: str
    mark: str = ""


Cell = str | int | float | Number | None

NOTHING = Number(math.nan, "–")  # a score that is not defined; an empty cell in CSV


def signed(value: float) -> Number:
    """A difference of fractions, in points, with its sign; none is +0.00.

    >>> signed(0.0123).shown, signed(-1e-9).shown
    ('+1.23', '+0.00')
    """
    return Number(value, f"{round(100 * value, 2) + 0.0:+.2f}")


_WIDTH = 80
_LEAST = 16  # what a column of words is never cut below

# Control characters, line ends, marks of writing direction, lone surrogates.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Grid(NamedTuple):
    """A table: a title, column names, rows. Fractions are shown as percentages with two digits, None as nothing.

    Of text too wide for a terminal the end is shown (there names differ), or with `prose` all of it, on several lines.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    prose: bool = False

    def shown(self, raised: Callable[[str], str], escaped: Callable[[str], str] = str) -> list[list[str]]:
        """All cells as people read them, with marks raised as the kind of output does it."""
        return [[escaped(_shown(cell)) + _mark(cell, raised) for cell in row] for row in self.rows]


def _mark(cell: Cell, raised: Callable[[str], str]) -> str:
    return raised(cell.mark) if isinstance(cell, Number) and cell.mark else ""


_LETTERS = "abcdefghijklmnoprstuvwxyz*"  # there is no raised q
_RAISED = str.maketrans(dict(zip(_LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*", strict=True)))


def _superscript(mark: str) -> str:
    return mark.translate(_RAISED)


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Number):
        return cell.shown
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
    rows = [list(grid.header), *_aligned(grid)]
    right = [_numeric(grid.rows, column) for column in range(len(grid.header))]
    widths = [max(1, *(len(row[column]) for row in rows)) for column in range(len(grid.header))]
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


def _aligned(grid: Grid) -> list[list[str]]:
    """All cells; behind numbers that lack a mark of their column stands space for it, so that digits are in line."""
    rows = grid.shown(_superscript)
    space = [max((len(_mark(row[c], _superscript)) for row in grid.rows), default=0) for c in range(len(grid.header))]
    for cells, row in zip(rows, grid.rows, strict=True):
        for column, cell in enumerate(row):
            cells[column] += " " * (space[column] - len(_mark(cell, _superscript)))
    return rows


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
    writer.writerows([[_plain(cell) for cell in row] for row in grid.rows])
    return out.getvalue().rstrip("\n")


def _plain(cell: Cell) -> str | int | float:
    if cell is None or cell is NOTHING:
        return ""
    return cell.value if isinstance(cell, Number) else cell


_MARKDOWN = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "&": "&amp;"})


def markdown(grid: Grid) -> str:
    """A Markdown table."""
    right = [_numeric(grid.rows, column) for column in range(len(grid.header))]
    header = [name.translate(_MARKDOWN) for name in grid.header]
    cells = grid.shown(lambda mark: f"<sup>{mark.replace('*', '&ast;')}</sup>", lambda cell: cell.translate(_MARKDOWN))
    lines = [header, ["---:" if number else "---" for number in right], *cells]
    title = f"**{grid.title}**\n\n" if grid.title else ""
    return title + "\n".join("| " + " | ".join(line) + " |" for line in lines)


_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "*": "{*}",  # which after the end of a row would be its options
})  # fmt: skip


def latex(grid: Grid) -> str:
    """A LaTeX tabular with the rules of the package booktabs."""
    columns = "".join("r" if _numeric(grid.rows, column) else "l" for column in range(len(grid.header)))
    header = [name.translate(_LATEX) for name in grid.header]
    cells = grid.shown(lambda mark: rf"\textsuperscript{{{mark}}}", lambda cell: cell.translate(_LATEX))
    for line, row in zip(cells, grid.rows, strict=True):  # a minus is longer than a hyphen
        line[:] = ["$-$" + text[1:] if _negative(cell) else text for text, cell in zip(line, row, strict=True)]
    lines = [header, *cells]
    body = [" & ".join(line) + r" \\" for line in lines]
    title = f"% {grid.title}\n" if grid.title else ""
    parts = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule"]
    return title + "\n".join([*parts, r"\end{tabular}"])


def _negative(cell: Cell) -> bool:
    return isinstance(cell, Number) and cell.shown.startswith("-")


def html_(grid: Grid) -> str:
    """An HTML table, everything in it escaped, for notebooks.

    >>> print(html_(Grid("", ("<b>",), [(0.5,)])))
    <table>
    <tr><th style="text-align:right">&lt;b&gt;</th></tr>
    <tr><td style="text-align:right">50.00</td></tr>
    </table>
    """
    from html import escape

    sides = ["right" if _numeric(grid.rows, column) else "left" for column in range(len(grid.header))]
    cells = grid.shown(lambda mark: f"<sup>{escape(mark)}</sup>", escape)
    lines = [("th", [escape(clean(name)) for name in grid.header]), *(("td", row) for row in cells)]
    rows = [
        "".join(f'<{tag} style="text-align:{side}">{cell}</{tag}>' for cell, side in zip(line, sides, strict=True))
        for tag, line in lines
    ]
    caption = [f"<caption>{escape(clean(grid.title))}</caption>"] * bool(grid.title)
    return "\n".join(["<table>", *caption, *(f"<tr>{row}</tr>" for row in rows), "</table>"])


def html_lines(lines: Iterable[str]) -> str:
    """Lines of text as HTML."""
    from html import escape

    return "<p>" + "<br>\n".join(escape(clean(line)) for line in lines) + "</p>"


WRITERS: dict[str, Callable[[Grid], str]] = {"text": text, "csv": csv_, "markdown": markdown, "latex": latex}
COMMENTS = {"text": "", "csv": "# ", "markdown": "", "latex": "% "}
