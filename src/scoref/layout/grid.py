"""Tables as text, CSV, Markdown, LaTeX and HTML; knows nothing about scores."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple


class Number(NamedTuple):
    """A number, how it is shown, a raised mark behind it: 12.50ᵃ, and whether it is the best of its column: bold."""

    value: float
    shown: str
    mark: str = ""
    best: bool = False


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
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


UNBOUND = 1_000_000  # columns of what has no end: nothing is cut for it


class Columns(int):
    """The columns that text has to fit, and whether what shows it has bold type."""

    bold: bool

    def __new__(cls, columns: int, bold: bool = False) -> Columns:
        """As many columns."""
        made = super().__new__(cls, columns)
        made.bold = bold
        return made


def emphasis(width: int | None, text: str, code: int = 1) -> str:
    """The text in bold (1) or faint (2) type, where that is shown."""
    return f"\x1b[{code}m{text}\x1b[0m" if text and isinstance(width, Columns) and width.bold else text


class Grid(NamedTuple):
    """A table: a title, column names, rows. Fractions are shown as percentages with two digits, None as nothing.

    Of text too wide for a terminal the end is shown (there names differ), or with `prose` all of it, on several lines.
    `groups` are headings above the column names, each with the number of its columns; a `caption` stands below.
    """

    title: str
    header: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    prose: bool = False
    groups: tuple[tuple[str, int], ...] = ()
    caption: str = ""

    def shown(
        self, raised: Callable[[str], str], escaped: Callable[[str], str] = str, bold: Callable[[str], str] = str
    ) -> list[list[str]]:
        """All cells as people read them, with marks raised and the best in bold as the kind of output does it."""
        return [
            [
                (bold if isinstance(cell, Number) and cell.best else str)(escaped(_shown(cell))) + _mark(cell, raised)
                for cell in row
            ]
            for row in self.rows
        ]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, each with the heading above it."""
        above = [heading for heading, number in self.groups for _ in range(number)] or [""] * len(self.header)
        return tuple(f"{heading} {name}".strip() for heading, name in zip(above, self.header, strict=True))

    @property
    def printable(self) -> Grid:
        """The same table, with escapes for control characters in title, headings and caption; cells have their own."""
        groups = tuple((clean(heading), number) for heading, number in self.groups)
        header = tuple(map(clean, self.header))
        return self._replace(title=clean(self.title), header=header, groups=groups, caption=clean(self.caption))


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
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Lines of text, the long ones continued on indented lines."""
    import textwrap

    wrapper = textwrap.TextWrapper(_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [wrapper.fill(line) for line in lines]


def _numeric(rows: Sequence[Sequence[Cell]], column: int) -> bool:
    return all(not isinstance(row[column], str) for row in rows)


def text(grid: Grid, width: int | None = None) -> str:
    """Aligned columns: words to the left, numbers to the right.

    On a terminal of that `width`, a table that is wider has its longest words cut from the left, as far as different
    ones stay different; one with too many columns is printed in blocks, each with the first column again. Without a
    width nothing is cut.

    >>> print(text(Grid("", ("metric", "f1"), [("muc", 0.625), ("b3", 1.0)])))
    metric      f1
    muc      62.50
    b3      100.00
    """
    grid = grid.printable
    cells = _aligned(grid)
    header = grid.header
    right = [_numeric(grid.rows, column) for column in range(len(header))]
    widths = [max(1, *(len(row[column]) for row in (header, *cells))) for column in range(len(header))]
    limit = _WIDTH if width in (None, UNBOUND) and grid.prose else width
    if limit is not None:
        if sum(widths) + 2 * (len(widths) - 1) > limit and grid.groups:  # no place for headings above
            return text(grid._replace(header=grid.names, groups=()), width)
        _narrow(widths, [list(header), *cells], right, limit, grid.prose)
    heads, rows = [list(header)], cells
    if grid.prose:
        heads, rows = _wrapped(heads, widths), _wrapped(rows, widths)
    blocks = []
    for columns in _blocks(widths, width):
        lines = ["  ".join(_fit(row[c], widths[c], right[c]) for c in columns).rstrip() for row in (*heads, *rows)]
        lines[: len(heads)] = [emphasis(width, line) for line in lines[: len(heads)]]
        blocks.append("\n".join(lines))
    above = [emphasis(width, line) for line in _above(grid.groups, widths)]
    return "\n".join([grid.title] * bool(grid.title) + above + ["\n\n".join(blocks)])


def _wrapped(rows: list[list[str]], widths: list[int]) -> list[list[str]]:
    """Rows of words on several lines; names stay in one piece."""
    import textwrap

    wrap = partial(textwrap.wrap, break_on_hyphens=False)
    return [list(line) for row in rows for line in zip_longest(*map(wrap, row, widths), fillvalue="")]


def _narrow(widths: list[int], rows: list[list[str]], right: list[bool], limit: int, prose: bool) -> None:
    """Make columns of words narrower until the table fits, or until different words would look the same."""
    for column in sorted(range(len(widths)), key=lambda column: (right[column], -widths[column])):
        excess = sum(widths) + 2 * (len(widths) - 1) - limit
        if excess <= 0 or right[column]:
            continue
        whole = widths[column]
        widths[column] = min(whole, max(whole - excess, _LEAST))
        words = {row[column] for row in rows}
        while not prose and len({_fit(word, widths[column], False) for word in words}) < len(words):
            widths[column] += 1


def _above(groups: tuple[tuple[str, int], ...], widths: list[int]) -> list[str]:
    """The line with headings of several columns, each in the middle above these."""
    parts, place = [], 0
    for heading, number in groups:
        there = sum(widths[place : place + number]) + 2 * (number - 1)
        parts.append(heading.center(there))
        place += number
    return ["  ".join(parts).rstrip()] if groups else []


def _aligned(grid: Grid) -> list[list[str]]:
    """All cells; behind numbers that lack a mark of their column stands space for it, so that digits are in line."""
    rows = grid.shown(_superscript)
    space = [max((len(_mark(row[c], _superscript)) for row in grid.rows), default=0) for c in range(len(grid.header))]
    for cells, row in zip(rows, grid.rows, strict=True):
        for column, cell in enumerate(row):
            cells[column] += " " * (space[column] - len(_mark(cell, _superscript)))
    return rows


def _blocks(widths: list[int], limit: int | None) -> list[list[int]]:
    """Columns that fit beside each other, the first one in every block."""
    blocks, width = [[0]], widths[0]
    for column in range(1, len(widths)):
        width += 2 + widths[column]
        if limit is not None and width > limit and len(blocks[-1]) > 1:
            blocks.append([0])
            width = widths[0] + 2 + widths[column]
        blocks[-1].append(column)
    return blocks


def _fit(cell: str, width: int, right: bool) -> str:
    if len(cell) > width:
        cell = "…" + cell[len(cell) - width + 1 :]
    return cell.rjust(width) if right else cell.ljust(width)


def csv_(grid: Grid) -> str:
    """Comma-separated values with full precision; before words that a spreadsheet would compute stands an apostrophe.

    >>> print(csv_(Grid("", ("system", "f1"), [("=1+1", 0.5), ("a", -0.5)])))
    system,f1
    '=1+1,0.5
    a,-0.5
    """
    import csv

    grid = grid.printable
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_plain(name) for name in grid.names])
    writer.writerows([[_plain(cell) for cell in row] for row in grid.rows])
    return out.getvalue().rstrip("\n")


def _plain(cell: Cell) -> str | int | float:
    if cell is None or cell is NOTHING:
        return ""
    if isinstance(cell, str):
        return "'" * cell.startswith(_FORMULAS) + clean(cell)
    return cell.value if isinstance(cell, Number) else cell


_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


_MARKDOWN = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "&": "&amp;"})


def markdown(grid: Grid) -> str:
    """A Markdown table."""
    grid = grid.printable
    right = [_numeric(grid.rows, column) for column in range(len(grid.header))]
    header = [name.translate(_MARKDOWN) for name in grid.names]
    cells = grid.shown(
        lambda mark: f"<sup>{mark.replace('*', '&ast;')}</sup>", lambda cell: cell.translate(_MARKDOWN), "**{}**".format
    )
    lines = [header, ["---:" if number else "---" for number in right], *cells]
    title = f"**{grid.title}**\n\n" if grid.title else ""
    return title + "\n".join("| " + " | ".join(line) + " |" for line in lines)


_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "*": "{*}",  # which after the end of a row would be its options
    "³": "$^3$", "₁": "$_1$", "≥": r"$\geq$", "–": "--",
})  # fmt: skip
_SUBSCRIPT = re.compile("φ([₃₄])")  # of CEAF


def _latex(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> print(_latex("B³ & CEAFφ₄"))
    B$^3$ \& CEAF$_{\phi_4}$
    """
    parts = _SUBSCRIPT.split(text)  # every second one is the figure below φ
    return "".join(
        rf"$_{{\phi_{'₃₄'.index(part) + 3}}}$" if number % 2 else part.translate(_LATEX)
        for number, part in enumerate(parts)
    )


def latex(grid: Grid) -> str:
    """A LaTeX tabular with the rules of the package booktabs; a table with a caption, if it has one."""
    grid = grid.printable
    columns = "".join("r" if _numeric(grid.rows, column) else "l" for column in range(len(grid.header)))
    cells = grid.shown(lambda mark: rf"\textsuperscript{{{mark}}}", _latex, r"\textbf{{{}}}".format)
    for line, row in zip(cells, grid.rows, strict=True):  # a minus is longer than a hyphen
        line[:] = ["$-$" + text[1:] if _negative(cell) else text for text, cell in zip(line, row, strict=True)]
    header, *body = [" & ".join(line) + r" \\" for line in [list(map(_latex, grid.header)), *cells]]
    title = f"% {grid.title}\n" if grid.title else ""
    top = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_multicolumns(grid.groups), header, r"\midrule"]
    lines = [*top, *body, r"\bottomrule", r"\end{tabular}"]
    if grid.caption:
        caption = rf"\caption{{{_latex(grid.caption)}}}"
        lines = [r"\begin{table*}[t]", r"\centering", *lines, caption, r"\end{table*}"]
    return title + "\n".join(lines)


def _multicolumns(groups: tuple[tuple[str, int], ...]) -> list[str]:
    """The headings above several columns, and lines below them."""
    cells, rules, place = [], [], 1
    for heading, number in groups:
        cells.append(rf"\multicolumn{{{number}}}{{c}}{{{_latex(heading)}}}" if heading else " &" * (number - 1))
        if heading and number > 1:
            rules.append(rf"\cmidrule(lr){{{place}-{place + number - 1}}}")
        place += number
    return [" & ".join(cells) + r" \\", " ".join(rules)] if groups else []


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

    grid = grid.printable
    sides = ["right" if _numeric(grid.rows, column) else "left" for column in range(len(grid.header))]
    cells = grid.shown(lambda mark: f"<sup>{escape(mark)}</sup>", escape)
    lines = [("th", [escape(name) for name in grid.names]), *(("td", row) for row in cells)]
    rows = [
        "".join(f'<{tag} style="text-align:{side}">{cell}</{tag}>' for cell, side in zip(line, sides, strict=True))
        for tag, line in lines
    ]
    caption = [f"<caption>{escape(grid.title)}</caption>"] * bool(grid.title)
    return "\n".join(["<table>", *caption, *(f"<tr>{row}</tr>" for row in rows), "</table>"])


def html_lines(lines: Iterable[str]) -> str:
    """Lines of text as HTML."""
    from html import escape

    return "<p>" + "<br>\n".join(escape(clean(line)) for line in lines) + "</p>"


WRITERS: dict[str, Callable[[Grid], str]] = {"text": text, "csv": csv_, "markdown": markdown, "latex": latex}
COMMENTS = {"text": "", "csv": "# ", "markdown": "", "latex": "% "}
