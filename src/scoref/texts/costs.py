"""Finds the cheapest steps through boxes of the alignment table, computing every cell, many boxes at once.

A cell holds the cost of the best way from it to the end of its box, and the first step of that way, as one number:
32 times the cost plus the number of the step. The minimum is the cheapest step, and of equally cheap ones the first.
Boxes of similar size are computed together, aligned at their ends. A loop goes over the shorter side of a box; each
time a whole row of the longer side is computed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import steps
from .steps import Box, Codes, Flags, Integers, NumberedText, NumberedTexts, similar

Values = NDArray[np.int32]

_NEVER = np.int32(1 << 29)
_SHIFT = 5
_LARGEST = 256  # longest side of boxes that are computed together
_CELLS = 1 << 22  # cells of boxes that are computed together
_KEPT = 1 << 26  # steps of cells that are kept at once
_REMEMBERED = 1 << 27  # bytes for rows of similar words


class _View(NamedTuple):
    """Boxes computed together: a loop goes over `rows`, `columns` are done at once; places count from the end."""

    rows: list[Integers]  # [box, row] of the words, of the norms, of 1, 2, ... norms joined
    columns: list[Integers]
    skipped_row: Integers  # what skipping a row costs, [box, column]
    skipped_column: Integers  # [box, row]
    similar: Callable[[int], Flags]  # which words are similar to that of a row
    turned: bool  # rows are pieces, not key words
    joined: Flags  # [row, number of a regrouped step]: whether some box has such a step there

    def code(self, rows: int, columns: int) -> int:
        """The number of the regrouped step of this size, or of the step that skips a row or column."""
        if self.turned:
            rows, columns = columns, rows
        return steps.REGROUPED.get((rows, columns)) or (steps.MISSING if rows else steps.ADDED)


def solve(both: NumberedTexts, boxes: Sequence[Box]) -> list[Codes]:
    """The cheapest steps through each box; of equally cheap ones, those with the smaller step number first."""
    sizes = np.array([(i2 - i1, j2 - j1) for i1, j1, i2, j2 in boxes], np.int64).reshape(-1, 2)
    widths = 1 << np.ceil(np.log2(np.maximum(sizes.max(axis=1, initial=1), 8))).astype(np.int64)
    found: list[Codes] = [np.zeros(0, np.uint8)] * len(boxes)
    for width in np.unique(widths).tolist():
        members = np.flatnonzero(widths == width)
        share = 1 if width > _LARGEST else max(_CELLS // (width * width), 1)
        for start in range(0, len(members), share):
            some = members[start : start + share]
            for number, codes in zip(some.tolist(), _side_by_side(both, [boxes[k] for k in some]), strict=True):
                found[number] = codes
    return found


def _side_by_side(both: NumberedTexts, boxes: list[Box]) -> Iterator[Codes]:
    view = _view(both, boxes)
    corners = np.array(boxes)
    sizes = (corners[:, 2:] - corners[:, :2])[:, :: -1 if view.turned else 1]
    count, height = view.rows[0].shape
    width = view.columns[0].shape[1]
    moves = np.stack([steps.PIECES, steps.KEY_WORDS] if view.turned else [steps.KEY_WORDS, steps.PIECES], axis=1)
    at = np.array([height, width]) - sizes  # the current row and column in each box
    ways: list[list[Codes]] = [[] for _ in boxes]
    for start, codes in _blocks(view, count, height, width):
        for number in range(count):
            way, at[number] = _followed(codes[:, number], moves, at[number] - (start, 0), height - start)
            at[number, 0] += start
            ways[number].append(way)
    for parts in ways:
        yield np.concatenate(parts)


def _followed(codes: Codes, moves: Integers, at: Integers, height: int) -> tuple[Codes, Integers]:
    """The steps from a cell to the end of the given rows, or of the box, and the cell where they end."""
    row, column = at.tolist()
    end, width = codes.shape[0], codes.shape[1] - 1
    down, right = (sizes.tolist() for sizes in moves.T)
    cells = np.ascontiguousarray(codes).data
    way = bytearray()
    while row < end and (row < height or column < width):
        code = cells[row, column]
        way.append(code)
        row += down[code]
        column += right[code]
    return np.frombuffer(way, np.uint8), np.array([row, column])


def _blocks(view: _View, count: int, height: int, width: int) -> Iterator[tuple[int, Codes]]:
    """The steps of all cells, from the first row on, in blocks of rows that fit into memory."""
    rows = max(_KEPT // (count * (width + 1)), 2 * steps.GROUP)
    starts = list(range(0, height + 1, rows))
    ends = [*starts[1:], height + 1]
    below: list[list[Values]] = [[]]
    for start, end in zip(reversed(starts[1:]), reversed(ends[1:]), strict=True):
        below.append(_sweep(view, range(start, end), below[-1], None))
    for start, end, known in zip(starts, ends, reversed(below), strict=True):
        codes = np.empty((end - start, count, width + 1), np.uint8)
        _sweep(view, range(start, end), known, codes)
        yield start, codes


def _sweep(view: _View, rows: range, below: list[Values], codes: Codes | None) -> list[Values]:
    """The costs of the top rows of a block, from those of the rows below it; writes the steps into `codes`."""
    width = view.columns[0].shape[1]
    height = view.rows[0].shape[1]
    places = np.arange(width + 1, dtype=np.int32)
    known = list(below)
    column_code = np.int32(view.code(0, 1))
    for row in reversed(rows):
        price = view.skipped_column[:, row, None].astype(np.int32)
        if row == height:
            costs = price * (width - places)
            values = np.full_like(costs, column_code)
        else:
            values = _values(view, row, known)
            costs = values >> _SHIFT
            sloped = price * places
            costs = np.minimum.accumulate((costs + sloped)[:, ::-1], axis=1)[:, ::-1] - sloped
            skipping = (costs[:, 1:] + price << _SHIFT) + column_code
            np.minimum(values[:, :-1], skipping, out=values[:, :-1])
        known = [costs, *known[: steps.GROUP - 1]]
        if codes is not None:
            codes[row - rows.start] = values & ((1 << _SHIFT) - 1)
    return known


def _values(view: _View, row: int, known: list[Values]) -> Values:
    """Costs and steps of a row, without steps that skip columns."""
    words, norms = (view.rows[size][:, row, None] for size in (0, 1))
    single = np.where(view.similar(row), np.int32((steps.COST[steps.SIMILAR] << _SHIFT) + steps.SIMILAR), _NEVER)
    single[norms == view.columns[1]] = (steps.COST[steps.RESPELT] << _SHIFT) + steps.RESPELT
    single[words == view.columns[0]] = 0
    values = (known[0] + view.skipped_row << _SHIFT).astype(np.int32) + np.int32(view.code(1, 0))
    np.minimum(values[:, :-1], (known[0][:, 1:] << _SHIFT) + single, out=values[:, :-1])
    for number in np.flatnonzero(view.joined[row]).tolist():
        rows, columns = steps.GROUPED[number]
        if rows > len(known):
            continue
        some, where = np.nonzero(view.rows[rows + 1][:, row, None] == view.columns[columns + 1])
        inside = where + columns < values.shape[1]
        some, where = some[inside], where[inside]
        value = (known[rows - 1][some, where + columns] + 1 << _SHIFT) + view.code(rows, columns)
        values[some, where] = np.minimum(values[some, where], value)
    return values


def _view(both: NumberedTexts, boxes: list[Box]) -> _View:
    corners = np.array(boxes)
    sizes = (corners[:, 2:] - corners[:, :2]).max(axis=0)
    turned = bool(sizes[0] > sizes[1])
    sides = (both.pieces, both.key) if turned else (both.key, both.pieces)
    places, real, parts = [], [], []
    for side, which in zip(sides, (1, 0) if turned else (0, 1), strict=True):
        place = corners[:, 2 + which, None] + np.arange(-int(sizes[which]), 1)
        places.append(place)
        real.append((place >= corners[:, which, None])[:, :-1])
        parts.append(_part(side, place[:, :-1], real[-1], -1 - which))
    cheap = [(place == 0) | (place == len(side.words)) for place, side in zip(places, sides, strict=True)]
    skipped = [np.where(ends, steps.CHEAP, steps.COST[steps.MISSING]) for ends in cheap]
    joined = np.zeros((places[0].shape[1], len(steps.GROUPED)), bool)
    for number, (rows, columns) in enumerate(steps.GROUPED):
        joined[:-1, number] = np.isin(parts[0][rows + 1], parts[1][columns + 1]).any(axis=0)
    alike = _similar_row(both, parts[0][1], parts[1][1]) if len(boxes) == 1 else _similar_rows(both, parts, real)
    return _View(parts[0], parts[1], skipped[1].astype(np.int32), skipped[0], alike, turned, joined)


def _part(side: NumberedText, places: Integers, real: Flags, fill: int) -> list[Integers]:
    """The numbers of words, and of words joined, at some places; `fill` where no box is."""
    inside = np.where(real, places, 0)
    if not len(side.words):
        return [np.full(places.shape, fill)] * (steps.GROUP + 2)
    return [np.where(real, numbers[inside], fill) for numbers in (side.words, side.norms, *side.groups[1:])]


def _similar_rows(both: NumberedTexts, parts: list[list[Integers]], real: list[Flags]) -> Callable[[int], Flags]:
    """A function from a row to which words are similar there, computed for all rows at once."""
    rows, columns = parts[0][1], parts[1][1]
    boxes, places, others = np.nonzero(real[0][:, :, None] & real[1][:, None, :])
    found = np.zeros((rows.shape[1], rows.shape[0], columns.shape[1]), bool)
    found[places, boxes, others] = similar(both.among, rows[boxes, places], columns[boxes, others])
    return found.__getitem__


def _similar_row(both: NumberedTexts, rows: Integers, columns: Integers) -> Callable[[int], Flags]:
    """The same for a single box, computed row by row; the latest rows are remembered."""
    distinct, back = np.unique(columns, return_inverse=True)
    back = back.reshape(columns.shape)
    remembered: dict[int, NDArray[np.uint8]] = {}

    def row(number: int) -> Flags:
        word = int(rows[0, number])
        if word not in remembered:
            if len(remembered) * (len(distinct) + 8) > 8 * _REMEMBERED:
                remembered.clear()
            remembered[word] = np.packbits(similar(both.among, np.full(len(distinct), word), distinct))
        found: Flags = np.unpackbits(remembered[word], count=len(distinct)).view(bool)[back]
        return found

    return row
