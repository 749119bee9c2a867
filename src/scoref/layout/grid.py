"""Tables of words and numbers, before they are written in any format; knows nothing about scores."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Number(NamedTuple):
    """A number, how it is shown, a raised mark behind it: 12.50ᵃ, and whether it is the best of its column: bold."""

    value: float
    shown: str
    mark: str = ""
    best: bool = False


Cell = str | int | float | Number | None

NOTHING = Number(math.nan, "–")  # a score that is not defined; an empty cell in CSV


def percent(value: float, mark: str = "") -> Number:
    """A fraction as a percentage with two digits, and the mark behind it."""
    return Number(value, f"{100 * value:.2f}", mark)


def signed(value: float) -> Number:
    """A difference of fractions, in points, with its sign; no difference is +0.00.

    >>> signed(0.0123).shown, signed(-1e-9).shown
    ('+1.23', '+0.00')
    """
    return Number(value, f"{round(100 * value, 2) + 0.0:+.2f}")


# Control characters, line ends, marks of writing direction, lone surrogates.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    r"""The text with escapes for control characters: what a file says must not steer the terminal.

    >>> clean("a\x1b[2J\nb")
    'a\\x1b[2J\\nb'
    """
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class Grid(NamedTuple):
    """A table: a title, column names, rows. Fractions are shown as percentages with two digits, None as nothing.

    Of text too wide for a terminal the end is shown (there names differ), or with `prose` all of it, on several lines.
    `groups` are headings above the column names, each with the number of its columns; a `caption` stands below.
    """

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    prose: bool = False
    groups: tuple[tuple[str, int], ...] = ()
    caption: str = ""

    def shown(
        self, raised: Callable[[str], str], escaped: Callable[[str], str] = str, bold: Callable[[str], str] = str
    ) -> list[list[str]]:
        """All cells as people read them; how marks are raised and the best is bold depends on the kind of output."""
        return [
            [
                (bold if isinstance(cell, Number) and cell.best else str)(escaped(_shown(cell))) + mark(cell, raised)
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
    def numeric(self) -> list[bool]:
        """For each column whether it holds numbers only."""
        return [all(not isinstance(row[column], str) for row in self.rows) for column in range(len(self.header))]

    @property
    def printable(self) -> Grid:
        """The same table, with escapes for control characters in title, headings and caption; cells have their own."""
        groups = tuple((clean(heading), number) for heading, number in self.groups)
        header = tuple(map(clean, self.header))
        return self._replace(title=clean(self.title), header=header, groups=groups, caption=clean(self.caption))


def mark(cell: Cell, raised: Callable[[str], str]) -> str:
    """The mark behind a number, raised as the kind of output does it; '' without one."""
    return raised(cell.mark) if isinstance(cell, Number) and cell.mark else ""


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Number):
        return cell.shown
    return f"{100 * cell:.2f}" if isinstance(cell, float) else clean(str(cell))
