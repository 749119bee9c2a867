"""Tables and notes as one text in one of the output formats."""

from __future__ import annotations

from collections.abc import Sequence

from ..layout.grid import COMMENTS, WRITERS, Grid, clean, emphasis, paragraphs, text
from ..problems import Error

OUTPUTS = (*WRITERS, "json")

_BETWEEN = {"markdown": "  \n"}  # ends a line, but no paragraph


def sheet(grids: Sequence[Grid], lines: list[str], output: str, width: int | None = None) -> str:
    """Tables, and below them lines of text, of which the last is the signature; CSV has no place for these.

    Text that is printed on a terminal has to fit its `width`.
    """
    if output not in WRITERS:
        raise Error("unknown-output", f"no output '{output}'", expected=f"one of {', '.join(OUTPUTS)}")
    tables = [text(grid, width) if output == "text" else WRITERS[output](grid) for grid in grids]
    if output == "csv":
        return "\n\n".join(tables)
    notes = [COMMENTS[output] + clean(note) for note in lines]
    if output == "text":
        notes[:-1] = paragraphs(notes[:-1])  # the signature stays in one piece
        notes[-1:] = [emphasis(width, note, 2) for note in notes[-1:]]
    return "\n\n".join([*tables, *([_BETWEEN.get(output, "\n").join(notes)] if notes else [])])
