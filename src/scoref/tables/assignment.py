"""CEAF on tables: which assignments the variants ask for, and solving what no rule decides.

Mentions without a twin that become singletons of the other side (`twinless` words all, rn-all, sys) give an entity
something to be aligned with that no other entity wants: an *outside option* d. So the best total is the sum of all
options, plus the best assignment of what cells weigh above the options of their row and column. No cell is added.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..counting.metrics import Similarity
from ..counting.table import Floats, Table
from ..document.document import Integers
from ..matching.assign import assign, components
from .shapes import CellShapes

LARGE = 3_000_000  # cells of a component, from which on its best assignment is bounded
_ROUNDS = 3000  # of bids


class CellWeights(NamedTuple):
    """What a cell weighs: the similarity of its two entities, less outside options.

    `sized` says which sizes of the two entities count: k and r, or s and c, of common mentions; `key_option` whether a
    key entity with a mention that the response lacks can be aligned with that mention alone, `response_option`
    likewise. CellShapes of smaller entities than `least_key` and `least_response` weigh nothing.
    """

    similarity: Similarity
    sized: str = "kr"
    key_option: bool = False
    response_option: bool = False
    least_key: float = 1
    least_response: float = 1

    def cells(self, cells: CellShapes) -> Floats:
        """The weight of each cell; one that is 0 or less is better not taken."""
        sizes = getattr(cells, self.sized[0]), getattr(cells, self.sized[1])
        weight = self.similarity.of(cells.n, *sizes)
        weight = weight - self.option(cells.k, cells.s) if self.key_option else weight
        weight = weight - self.option(cells.r, cells.c) if self.response_option else weight
        return np.where((cells.k >= self.least_key) & (cells.r >= self.least_response), weight, 0.0)

    def option(self, size: Floats, aligned: Floats) -> Floats:
        """What an entity is worth alone with one of its twinless mentions."""
        one = np.ones_like(size)
        return np.where(aligned < size, self.similarity.of(one, size, one), 0.0)

    def options(self, table: Table) -> Floats:
        """The sum of all outside options, for each unit."""
        total = np.zeros(table.documents)
        for wanted, side in ((self.key_option, table), (self.response_option, table.transposed)):
            if wanted:
                total += side.per_document(side.numbered(self.option(side.key.size, side.shared)))
        return total

    def sql(self) -> str:
        """The weight as SQL, of the columns n, k, r, s, c of a cell; the same operations in the same order."""
        names = {"k": "k_size", "r": "r_size", "s": "s", "c": "c"}
        text = self.similarity.sql.format(n="n", k=names[self.sized[0]], r=names[self.sized[1]])
        for wanted, of, aligned in ((self.key_option, "k_size", "s"), (self.response_option, "r_size", "c")):
            alone = self.similarity.sql.format(n="1", k=of, r="1")
            text += f" - CASE WHEN {aligned} < {of} THEN {alone} ELSE 0 END" if wanted else ""
        for of, least in (("k_size", self.least_key), ("r_size", self.least_response)):
            text = f"CASE WHEN {of} >= {least} THEN {text} ELSE 0 END" if least > 1 else text
        return text


# For each rule of twinless mentions the assignments that recall and precision ask for, mostly one and the same.
_PLAIN: dict[str, Any] = {}
_KEY, _RESPONSE, _BOTH = {"key_option": True}, {"response_option": True}, {"key_option": True, "response_option": True}
DIRECTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "as-is": (_PLAIN, _PLAIN),
    "rn": (_PLAIN, _PLAIN),
    "0": ({"sized": "kc"},) * 2,
    "common": ({"sized": "sc"},) * 2,
    "pad-key": (_RESPONSE, _RESPONSE),
    "all": (_KEY, _RESPONSE),
    "rn-all": (_KEY, _RESPONSE),
    "sys": ({"sized": "kc", **_KEY}, _BOTH),
    "conll-2011": (_BOTH, _BOTH),
}


class Gap(NamedTuple):
    """How far an assignment may be from the best: the most that it lacks, and the cells of the component concerned."""

    gap: float = 0.0
    cells: int = 0


class Assigned(NamedTuple):
    """Shapes of the chosen cells, and how far they may be from the best."""

    cells: CellShapes
    bound: Gap


def solved(row: Integers, column: Integers, weight: Floats, large: int = LARGE) -> tuple[Integers, Gap]:
    """The chosen cells: the best ones, or for components of more than `large` cells a bound from bids and prices."""
    if len(row) <= large:
        return assign(row, column, weight), Gap()
    label = components(row, column)
    _, label, number = np.unique(label, return_inverse=True, return_counts=True)
    big = number[label] > large
    small = np.flatnonzero(~big)
    chosen = [small[assign(row[small], column[small], weight[small])]] if len(small) else []
    gap = 0.0
    for part in np.flatnonzero(number > large):
        cells = np.flatnonzero(label == part)
        taken, missed = auction(row[cells], column[cells], weight[cells])
        chosen.append(cells[taken])
        gap += missed
    return np.sort(np.concatenate(chosen)), Gap(gap, int(number.max()) if gap else 0)


def auction(row: Integers, column: Integers, weight: Floats, step: float = 1e-4) -> tuple[Integers, float]:
    """A good assignment, and the most that the best one can have more (Bertsekas 1988).

    Rows bid for the column that is worth most to them, and a column goes to the highest bidder, all at once, round
    after round. Whatever the prices p of columns are, no assignment has more than Σp + Σ max(0, best w − p of a row).
    """
    _, i = np.unique(row, return_inverse=True)
    _, j = np.unique(column, return_inverse=True)
    order = np.argsort(i, kind="stable")
    i, j, w = i[order], j[order], weight[order]
    starts = np.flatnonzero(np.diff(i, prepend=-1))
    price, owner = np.zeros(j.max() + 1), np.full(j.max() + 1, -1)
    held = np.full(len(starts), -1)  # the cell that each row has
    step *= float(w.max())
    waiting = np.arange(len(starts))
    for _ in range(_ROUNDS):
        cells, first = _ranges(starts, waiting, len(i))
        best, value, second = _two_best(cells, first, w[cells] - price[j[cells]])
        bids = np.flatnonzero(value > 0)
        if not len(bids):
            break
        offer = price[j[best[bids]]] + value[bids] - second[bids] + step
        order_of_bids = np.lexsort((-waiting[bids], offer))  # the highest last, of equal ones that of the first row
        winner = np.full(len(price), -1)
        winner[j[best[bids]][order_of_bids]] = bids[order_of_bids]
        won = winner[winner >= 0]
        columns = j[best[won]]
        lost = owner[columns][owner[columns] >= 0]
        held[lost] = -1
        owner[columns], held[waiting[won]] = waiting[won], best[won]
        rise = np.full(len(waiting), 0.0)
        rise[bids] = offer
        price[columns] = rise[won]
        waiting = np.sort(np.concatenate((np.setdiff1d(waiting[bids], waiting[won]), lost)))
    profit = np.maximum(np.maximum.reduceat(w - price[j], starts), 0)
    taken = held[held >= 0]
    gap = max(float(price.sum() + profit.sum() - w[taken].sum()), 0.0)
    return np.sort(order[taken]), gap


def _ranges(starts: Integers, lines: Integers, end: int) -> tuple[Integers, Integers]:
    """The places of all cells of these lines, and where each line begins among them."""
    lengths = np.diff(starts, append=end)[lines]
    first = np.cumsum(lengths) - lengths
    return np.repeat(starts[lines] - first, lengths) + np.arange(lengths.sum()), first


def _two_best(cells: Integers, first: Integers, value: Floats) -> tuple[Integers, Floats, Floats]:
    """For each line the best cell, its value, and the value of the second best or of staying out, which is 0."""
    top = np.maximum.reduceat(value, first)
    line = np.repeat(np.arange(len(first)), np.diff(first, append=len(cells)))
    at_top = np.flatnonzero(value == top[line])
    place = np.full(len(first), -1)
    place[line[at_top][::-1]] = at_top[::-1]
    rest = value.copy()
    rest[place] = 0.0
    return cells[place], top, np.maximum(np.maximum.reduceat(rest, first), 0.0)
