"""Reads Markdown tables in which a language model lists mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..cleaning import LINE
from ..payloads import Link, Listed, Payload, Spot
from ..strings import KeyText
from .cells import in_key, strings

_RULE = re.compile(r":?-+:?")  # in each cell of the line below the head
_BAR = re.compile(r"(?<!\\)\|")
_MENTIONS = ("mention", "span", "reference", "expression", "member")
_ANTECEDENTS = ("antecedent", "referent", "refers to")
_GROUPS = ("entity", "entities", "cluster", "chain", "group")
_OTHER_GROUPS = ("id", "name", "#")

_Row = list[Spot]  # the cells


def tables(text: str, key: KeyText) -> list[Payload]:
    """What each Markdown table of a text lists."""
    return [found for rows in _tables(text) if (found := _payload(text, rows, key)).mentions]


def _tables(text: str) -> Iterator[list[_Row]]:
    """The rows of each table, the head first."""
    before: _Row | None = None
    rows: list[_Row] = []
    for line in LINE.finditer(text):
        cells = _cells(text, line.start(), line.start() + len(line[0].rstrip("\n")))
        if rows and cells:
            rows.append(cells)
            continue
        if rows:
            yield rows
            rows = []
        if before and _is_rule(line[0]):
            rows = [before]
            before = None
        else:
            before = cells
    if rows:
        yield rows


def _is_rule(line: str) -> bool:
    cells = [each.strip() for each in line.strip().removeprefix("|").removesuffix("|").split("|")]
    return all(map(_RULE.fullmatch, cells))


def _cells(text: str, begin: int, end: int) -> _Row | None:
    """The cells of a line that has bars."""
    bars = [each.start() for each in _BAR.finditer(text, begin, end)]
    if not bars:
        return None
    borders = [begin - 1, *bars, end]
    cells = [(first + 1, last) for first, last in pairwise(borders)]
    inner = cells[not text[slice(*cells[0])].strip() :]
    return inner[: len(inner) - (bool(inner) and not text[slice(*inner[-1])].strip())]


def _payload(text: str, rows: list[_Row], key: KeyText) -> Payload:
    heads = [text[begin:end].strip(" *_").casefold() for begin, end in rows[0]]
    body = [row for row in rows[1:] if row]
    cells = [[strings(text, spot, key) for spot in row] for row in body]
    antecedent = _column(heads, _ANTECEDENTS)
    found = [sum(in_key(each, key) for row in cells if column < len(row) for each in row[column])
             for column in range(len(heads))]  # fmt: skip
    named = [column for column, head in enumerate(heads) if any(word in head for word in _MENTIONS)]
    named = [column for column in named if column != antecedent]
    open_columns = named or [column for column in range(len(heads)) if column != antecedent]
    if not open_columns:
        return Payload()
    mention = max(open_columns, key=lambda column: (found[column], -column))
    if antecedent is not None:
        return Payload(links=[*_links(cells, mention, antecedent)])
    group = _group(text, heads, body, mention)
    entities: dict[str, list[Listed]] = {}
    name = ""
    for number, row in enumerate(cells):
        if group is not None and group < len(body[number]):
            name = text[slice(*body[number][group])].strip() or name
        if mention < len(row):
            entities.setdefault(name if group is not None else str(number), []).extend(row[mention])
    return Payload([each for each in entities.values() if each])


def _column(heads: Sequence[str], words: Sequence[str]) -> int | None:
    return next((column for column, head in enumerate(heads) if any(word in head for word in words)), None)


def _links(cells: Sequence[Sequence[list[Listed]]], mention: int, antecedent: int) -> Iterator[Link]:
    for row in cells:
        both = [row[column] if column < len(row) else [] for column in (mention, antecedent)]
        if both[0]:
            yield Link.of(both[0][0], both[1][0] if both[1] else None)


def _group(text: str, heads: Sequence[str], body: Sequence[_Row], mention: int) -> int | None:
    """The column that says which rows are of one entity: one in which values come again."""
    for words in (_GROUPS, _OTHER_GROUPS):
        for column, head in enumerate(heads):
            if column == mention or not any(re.search(rf"(?<!\w){word}s?(?!\w)", head) for word in words):
                continue
            values = [text[slice(*row[column])].strip() for row in body if column < len(row)]
            if len({*values}) < len(values):
                return column
    return None
