"""Results as text, CSV, Markdown, LaTeX, JSON, HTML of notebooks and frames: tables, and notes below them.

A result gives its tables and notes and nothing else: `__str__ = text` and `_repr_html_ = html` are all that its class
has of this, and commands print it with `rendered`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..problems import Error
from .grid import Cell, Grid, Number, clean
from .markup import csv_table, html_lines, html_table, latex_table, markdown_table
from .text import emphasis, paragraphs, text_table

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame

Json = dict[str, Any]  # an object of JSON

WRITERS: dict[str, Callable[[Grid], str]] = {
    "text": text_table,
    "csv": csv_table,
    "markdown": markdown_table,
    "latex": latex_table,
}
OUTPUTS = (*WRITERS, "json")

_COMMENT = {"latex": "% "}  # before every note
_LINE_END = {"markdown": "  \n"}  # ends a line, but no paragraph


class Tabular(Protocol):
    """What is shown as tables, and notes below them."""

    def grids(self) -> list[Grid]:
        """Tables for people."""

    def notes(self) -> list[str]:
        """What belongs below the tables, the signature last."""


class Result(Tabular, Protocol):
    """What a command prints: tables and notes for people, one table and JSON for programs."""

    def whole_grid(self) -> Grid:
        """Everything in one table."""

    def to_dict(self) -> Json:
        """The values for JSON."""


def written(grids: Sequence[Grid], notes: Sequence[str], output: str = "text", width: int | None = None) -> str:
    """Tables, and below them notes, of which the last is the signature; CSV has no place for notes.

    Text that is printed on a terminal has to fit its `width`.
    """
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
    tables = [text_table(grid, width) if output == "text" else WRITERS[output](grid) for grid in grids]
    if output == "csv":
        return "\n\n".join(tables)
    lines = [_COMMENT.get(output, "") + clean(note) for note in notes]
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
    """A table as a frame of pandas with full precision; the first columns, as many as `index`, are its index."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise Error("no-pandas", "frames need pandas, which is not installed", remedy="pip install pandas") from None
    names = list(grid.names)
    return pandas.DataFrame([[*map(_value, row)] for row in grid.rows], columns=names).set_index(names[:index])


def _value(cell: Cell) -> str | float:
    return cell.value if isinstance(cell, Number) else math.nan if cell is None else cell
