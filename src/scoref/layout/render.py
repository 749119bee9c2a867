"""Writes results (tables with notes below them) as text, CSV, Markdown, LaTeX, JSON, HTML for notebooks, or frames.

The class of a result only gives its tables and notes, and sets `__str__ = text` and `_repr_html_ = html`; commands
print it with `rendered`.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..problems import Error
from .grid import NOTHING, Cell, Grid, Number, clean, emphasis, paragraphs, text_table

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes cells that begin with one of these
_MARKDOWN = (
    r"(?P<html>[<&])"
    r"|(?P<escaped>[\\`*~\[\]]|(?<![^\W_])_|_(?![^\W_]))"  # between letters, _ is no emphasis: cnn_0210
    # what GitHub turns into links even behind a backslash
    r"|(?P<parted>(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)|\#(?=\d)|:(?=//)|\b(?i:www)(?=\.))"
)
_ENTITIES = {"<": "&lt;", "&": "&amp;"}


def csv_table(grid: Grid) -> str:
    """Comma-separated values with full precision; words that a spreadsheet would compute get an apostrophe in front.

    >>> print(csv_table(Grid("", ("system", "f1"), [("=1+1", 0.5), ("a", -0.5)])))
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


def markdown(text: str) -> str:
    r"""The text escaped, so that Markdown shows it literally: no HTML, links, images, emphasis or @mentions of users.

    >>> print(markdown("bn/cnn_0210 [a](b) @ada https://x"), markdown("*<b>"))
    bn/cnn_0210 \[a\](b) @&#8203;ada https:&#8203;//x \*&lt;b>
    """
    return re.sub(_MARKDOWN, _shown_as_is, text)


def _shown_as_is(found: re.Match[str]) -> str:
    if found["parted"]:
        return f"{found[0]}&#8203;"  # a blank without width
    return _ENTITIES.get(found[0]) or f"\\{found[0]}"


def _markdown_cell(text: str) -> str:
    return markdown(text).replace("|", "\\|")


def markdown_table(grid: Grid) -> str:
    """A Markdown table."""
    grid = grid.printable
    header = [_markdown_cell(name) for name in grid.names]
    cells = grid.shown(lambda mark: f"<sup>{mark.replace('*', '&ast;')}</sup>", _markdown_cell, "**{}**".format)
    lines = [header, ["---:" if number else "---" for number in grid.numeric], *cells]
    title = f"**{markdown(grid.title)}**\n\n" if grid.title else ""
    return title + "\n".join("| " + " | ".join(line) + " |" for line in lines)


_LATEX = str.maketrans({
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "[": "{[}", "*": "{*}",  # LaTeX would take them as options of the row end before them
    "³": "$^3$", "₁": "$_1$", "≥": r"$\geq$", "–": "--", "±": r"$\pm$",
})  # fmt: skip
_SUBSCRIPT = "φ([₃₄])"  # of CEAF


def _latex(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> print(_latex("B³ & CEAFφ₄"))
    B$^3$ \& CEAF$_{\phi_4}$
    """
    parts = re.split(_SUBSCRIPT, text)  # text and subscripts of φ take turns
    return "".join(
        rf"$_{{\phi_{'₃₄'.index(part) + 3}}}$" if number % 2 else part.translate(_LATEX)
        for number, part in enumerate(parts)
    )


def latex_table(grid: Grid) -> str:
    """A LaTeX tabular with the rules of the package booktabs, inside a `table` if there is a caption."""
    grid = grid.printable
    columns = "".join("r" if number else "l" for number in grid.numeric)
    cells = grid.shown(lambda mark: rf"\textsuperscript{{{mark}}}", _latex, r"\textbf{{{}}}".format)
    for line, row in zip(cells, grid.rows, strict=True):  # negative numbers get a minus sign, not a hyphen
        signs = [isinstance(cell, Number) and cell.shown.startswith("-") for cell in row]
        line[:] = ["$-$" + text[1:] if negative else text for text, negative in zip(line, signs, strict=True)]
    header, *body = [" & ".join(line) + r" \\" for line in [list(map(_latex, grid.header)), *cells]]
    title = f"% {grid.title}\n" if grid.title else ""
    top = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *_multicolumns(grid.groups), header, r"\midrule"]
    lines = [*top, *body, r"\bottomrule", r"\end{tabular}"]
    if grid.caption:
        caption = rf"\caption{{{_latex(grid.caption)}}}"
        lines = [r"\begin{table*}[t]", r"\centering", *lines, caption, r"\end{table*}"]
    return title + "\n".join(lines)


def _multicolumns(groups: tuple[tuple[str, int], ...]) -> list[str]:
    """The line of headings above several columns, and the rules below it."""
    cells, rules, column = [], [], 1
    for heading, number in groups:
        cells.append(rf"\multicolumn{{{number}}}{{c}}{{{_latex(heading)}}}" if heading else " &" * (number - 1))
        if heading and number > 1:
            rules.append(rf"\cmidrule(lr){{{column}-{column + number - 1}}}")
        column += number
    return [" & ".join(cells) + r" \\", " ".join(rules)] if groups else []


def html_table(grid: Grid) -> str:
    """An HTML table, everything in it escaped, for notebooks.

    >>> print(html_table(Grid("", ("<b>",), [(0.5,)])))
    <table>
    <tr><th style="text-align:right">&lt;b&gt;</th></tr>
    <tr><td style="text-align:right">50.00</td></tr>
    </table>
    """
    from html import escape

    grid = grid.printable
    sides = ["right" if number else "left" for number in grid.numeric]
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


Json = dict[str, Any]  # an object of JSON

WRITERS: dict[str, Callable[[Grid], str]] = {
    "text": text_table,
    "csv": csv_table,
    "markdown": markdown_table,
    "latex": latex_table,
}
OUTPUTS = (*WRITERS, "json")
PICTURES = (".svg", ".png", ".pdf")  # endings of files that are drawn

_COMMENT = {"latex": "% "}  # before every note
_LINE_END = {"markdown": "  \n"}  # ends a line, but no paragraph


class Tabular(Protocol):
    """Anything that is shown as tables with notes below them."""

    def grids(self) -> list[Grid]:
        """Tables for people."""

    def notes(self) -> list[str]:
        """The lines below the tables, the signature last."""


class Result(Tabular, Protocol):
    """What a command prints: tables and notes for people, one table and JSON for programs."""

    def whole_grid(self) -> Grid:
        """Everything in one table."""

    def to_dict(self) -> Json:
        """The values for JSON."""


def written(grids: Sequence[Grid], notes: Sequence[str], output: str = "text", width: int | None = None) -> str:
    """Tables with notes below them, the last of which is the signature; CSV has no notes.

    `width` is that of the terminal that text has to fit.
    """
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
    tables = [text_table(grid, width) if output == "text" else WRITERS[output](grid) for grid in grids]
    if output == "csv":
        return "\n\n".join(tables)
    lines = [_COMMENT.get(output, "") + clean(note) for note in notes]
    if output == "markdown":
        lines = [*map(markdown, lines)]
    if output == "text":
        lines[:-1] = paragraphs(lines[:-1])  # the signature stays in one piece
        lines[-1:] = [emphasis(width, line, 2) for line in lines[-1:]]
    return "\n\n".join([*tables, *([_LINE_END.get(output, "\n").join(lines)] if lines else [])])


def rendered(result: Result, output: str = "text", width: int | None = None) -> str:
    """A result in one of the output formats."""
    if output == "json":
        return json_text(result.to_dict())
    if output == "csv":
        return written([result.whole_grid()], [], output)
    return written(result.grids(), result.notes(), output, width)


def json_text(value: object) -> str:
    """A value as JSON, in one line."""
    import json

    return json.dumps(value, ensure_ascii=False)


def text(result: Tabular) -> str:
    """A result as text."""
    return written(result.grids(), result.notes())


def html(result: Tabular) -> str:
    """A result as HTML, for notebooks."""
    return "\n".join([*map(html_table, result.grids()), html_lines(result.notes())])


def frame(grid: Grid, index: int = 1) -> DataFrame:
    """A table as a pandas DataFrame with full precision; the first `index` columns become its index."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise Error("no-pandas", "frames need pandas, which is not installed", remedy="pip install pandas") from None
    names = list(grid.names)
    return pandas.DataFrame([[*map(_value, row)] for row in grid.rows], columns=names).set_index(names[:index])


def _value(cell: Cell) -> str | float:
    return cell.value if isinstance(cell, Number) else math.nan if cell is None else cell
