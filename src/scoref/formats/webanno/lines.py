"""The lines of a WebAnno TSV file: its layers of annotation, and its tokens with their cells.

`#T_SP`, `#T_CH` and `#T_RL` declare the columns of layers of spans, chains and relations. A token line has its number
`sentence-token`, its offsets, its word, and then the columns of all layers in the order of the header. Several values
of a cell are separated by `|`, a number in brackets says which annotation one belongs to. A token that is cut
(`1-3.1`) counts as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...problems import Reporter
from .write import NUMBER

_TOKEN = rf"({NUMBER}-({NUMBER}))(\.{NUMBER})?"
_COLUMNS = 3
_ALL_ONE = ("", "_", "*")  # values that say nothing


class WebAnnoLayer(NamedTuple):
    """A layer of annotation: its kind (`#T_SP`, `#T_CH`, `#T_RL`), its name, the column of each feature."""

    kind: str
    name: str
    columns: Mapping[str, int]

    @property
    def base(self) -> str:
        """The layer of spans that a layer of relations is on; '' for other layers."""
        names = [column for column in self.columns if column.startswith("BT_")] if self.kind == "#T_RL" else []
        return names[-1].removeprefix("BT_") if names else ""


class TokenRow(NamedTuple):
    """A token line: its number in the file, the number of its word, its own number `sentence-token`, its cells."""

    line: int
    word: int
    token: str
    cells: list[str]


class WebAnnoTokens(NamedTuple):
    """The words of a file with their lines, where sentences begin, and all token lines."""

    words: list[str]
    lines: list[int]
    starts: list[int]
    rows: list[TokenRow]


def layers_of(lines: Iterable[str]) -> list[WebAnnoLayer]:
    """The layers that the header declares."""
    found: list[WebAnnoLayer] = []
    column = _COLUMNS
    for line in lines:
        kind, _, layer = line.rstrip("\r").partition("=")
        if kind in ("#T_SP", "#T_CH", "#T_RL"):
            name, *features = layer.split("|")
            features = features or [""]
            found.append(WebAnnoLayer(kind, name, {name: number for number, name in enumerate(features, column)}))
            column += len(features)
    return found


def tokens_of(lines: Iterable[str], width: int, report: Reporter) -> WebAnnoTokens:
    """The token lines, which have at least so many columns."""
    words: list[str] = []
    numbers: list[int] = []
    starts: list[int] = []
    rows: list[TokenRow] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.rstrip("\r").split("\t")
        token = re.fullmatch(_TOKEN, cells[0])
        if not token or len(cells) < width:
            report("bad-line", "not a token line", number, line, f"sentence-token, offsets, word, {width - 3} columns")
            continue
        if not token[3]:
            if token[2] == "1":
                starts.append(len(words))
            words.append("".join(plain(cells[2]).split()) or "_")
            numbers.append(number)
        elif not words:
            report("bad-line", "a part of a token that is not there", number, line, "the whole token before it")
            continue
        rows.append(TokenRow(number, len(words) - 1, token[1], cells))
    return WebAnnoTokens(words, numbers, starts, rows)


def values(cell: str) -> list[tuple[str, str]]:
    r"""The values of a cell, each with the number in brackets that it belongs to, '' if there is none.

    >>> values("person[7]|a\\|b[8]"), values("person"), values("_"), values("*[3]")
    ([('person', '7'), ('a|b', '8')], [('person', '')], [], [('', '3')])
    """
    if cell in ("_", ""):
        return []
    found = []
    for value in re.split(r"(?<!\\)\|", cell):
        match = re.fullmatch(rf"(.*)\[({NUMBER})\]", value)
        text, number = (match[1], match[2]) if match else (value, "")
        found.append(("" if text in _ALL_ONE else plain(text), number))
    return found


def plain(text: str) -> str:
    """A text with backslash escapes removed."""
    return re.sub(r"\\(->|.)", r"\1", text) if "\\" in text else text
