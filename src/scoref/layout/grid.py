"""Tables of words and numbers, and their text form with aligned columns; knows nothing about scores."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile, zip_longest

from ..values import NamedTuple


class Number(NamedTuple):
    """A number and how it is shown: as text, with a raised mark behind it (12.50ᵃ), in bold if it is the best."""

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


def digits(value: float) -> str:
    """A probability with four decimals, or with more to show at least two significant digits.

    >>> digits(0.0625), digits(1 / 10_001), digits(2 / 2**16), digits(1e-30)
    ('0.0625', '0.00010', '0.000031', '< 1e-9')
    """
    if value < 1e-9:
        return "< 1e-9"
    places = 4 if value >= 0.001 else 1 - math.floor(math.log10(value * 1.005))
    return f"{value:.{places}f}"


def probability(value: float | None) -> Number | None:
    """A p-value as tables show it."""
    return None if value is None else Number(value, digits(value))


# Control characters, line ends, marks of writing direction, lone surrogates.
UNSEEN = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def clean(text: str) -> str:
    r"""The text with escapes for control characters: what a file says must not steer the terminal.

    >>> clean("a\x1b[2J\nb")
    'a\\x1b[2J\\nb'
    """
    if text.isprintable():  # nearly always, and then the pattern is not compiled
        return text
    return re.sub(UNSEEN, lambda found: found[0].encode("unicode_escape").decode(), text)


class Grid(NamedTuple):
    """A table: a title, column names, rows. Fractions are shown as percentages with two digits, None as an empty cell.

    Of text too wide for a terminal only the end is shown, as names differ there; with `prose` it is wrapped instead.
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
        """All cells as text; the functions say how this output format raises marks, escapes text, makes it bold."""
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
        """The table with control characters escaped in title, headings and caption; cells are escaped when shown."""
        groups = tuple((clean(heading), number) for heading, number in self.groups)
        header = tuple(map(clean, self.header))
        return self._replace(title=clean(self.title), header=header, groups=groups, caption=clean(self.caption))


def mark(cell: Cell, raised: Callable[[str], str]) -> str:
    """The mark behind a number, raised by the given function; '' if the cell has none."""
    return raised(cell.mark) if isinstance(cell, Number) and cell.mark else ""


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Number):
        return cell.shown
    return f"{100 * cell:.2f}" if isinstance(cell, float) else clean(str(cell))


def without_common_end(names: Sequence[str]) -> list[str]:
    """The names without the end that all of them share, from a dot, hyphen or underscore on.

    >>> without_common_end(["ca_ancora-corefud-test.conllu", "cs_pdt-corefud-test.conllu"])
    ['ca_ancora', 'cs_pdt']
    >>> without_common_end(["a.conll", "b.jsonl"]), without_common_end(["a.conll", ".conll"])
    (['a.conll', 'b.jsonl'], ['a.conll', '.conll'])
    """
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*map(reversed, names), strict=False))
    end = "".join(letters[0] for letters in alike)[::-1]
    found = re.search(r"[-._].*", end) if len(names) > 1 else None
    short = [name.removesuffix(found[0]) for name in names] if found else []
    return short if short and all(short) else [*names]


UNBOUND = 1_000_000  # a width at which nothing is cut

_WIDTH = 80
_LEAST = 16  # columns of words never get narrower than this

LETTERS = "abcdefghijklmnoprstuvwxyz"  # marks are made of these; Unicode has no raised q
_RAISED = str.maketrans(LETTERS + "*0123456789", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*⁰¹²³⁴⁵⁶⁷⁸⁹")


class TerminalWidth(int):
    """The number of columns that text has to fit, and whether the terminal has bold type."""

    bold: bool

    def __new__(cls, columns: int, bold: bool = False) -> TerminalWidth:
        """A width of that many columns."""
        width = super().__new__(cls, columns)
        width.bold = bold
        return width


def emphasis(width: int | None, text: str, code: int = 1) -> str:
    """The text in bold (1) or faint (2) type, if the terminal shows it."""
    return f"\x1b[{code}m{text}\x1b[0m" if text and isinstance(width, TerminalWidth) and width.bold else text


def paragraphs(lines: Iterable[str]) -> list[str]:
    """Lines of text, the long ones continued on indented lines."""
    import textwrap

    wrapper = textwrap.TextWrapper(_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [wrapper.fill(line) for line in lines]


def text_table(grid: Grid, width: int | None = None) -> str:
    """Aligned columns: words to the left, numbers to the right.

    Where the table is wider than `width`, its longest words are cut from the left, as long as different words stay
    different. If it still has too many columns, it is printed in blocks, each with the first column again. Without
    a width nothing is cut.

    >>> print(text_table(Grid("", ("metric", "f1"), [("muc", 0.625), ("b3", 1.0)])))
    metric      f1
    muc      62.50
    b3      100.00
    """
    grid = grid.printable
    cells = _aligned(grid)
    header = grid.header
    right = grid.numeric
    widths = [max(1, *(len(row[column]) for row in (header, *cells))) for column in range(len(header))]
    limit = _WIDTH if width in (None, UNBOUND) and grid.prose else width
    if limit is not None:
        if sum(widths) + 2 * (len(widths) - 1) > limit and grid.groups:  # too narrow for headings above columns
            return text_table(grid._replace(header=grid.names, groups=()), width)
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


def _superscript(letters: str) -> str:
    return letters.translate(_RAISED)


def _aligned(grid: Grid) -> list[list[str]]:
    """All cells; in a column with marks, numbers without one get space behind them, so that digits align."""
    rows = grid.shown(_superscript)
    space = [max((len(mark(row[c], _superscript)) for row in grid.rows), default=0) for c in range(len(grid.header))]
    for cells, row in zip(rows, grid.rows, strict=True):
        for column, cell in enumerate(row):
            cells[column] += " " * (space[column] - len(mark(cell, _superscript)))
    return rows


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
    """The line of headings above several columns, each centred over its columns."""
    headings, column = [], 0
    for heading, number in groups:
        width = sum(widths[column : column + number]) + 2 * (number - 1)
        headings.append(heading.center(width))
        column += number
    return ["  ".join(headings).rstrip()] if groups else []


def _blocks(widths: list[int], limit: int | None) -> list[list[int]]:
    """The columns of each block that fits the limit; the first column is in every block."""
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
