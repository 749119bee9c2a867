"""What single mentions count: numerators and denominators of metrics, mention by mention, from the table.

The mentions of a cell share what it counts, those of an entity its denominator: all of them `alike`, or only the
`later` ones, which come after the first of the cell, and of the entity. With n, k and r of the mention's cell:

| metric | numerator | denominator | shared by |
|---|---|---|---|
| mentions | 1 if it has a twin | 1 | all |
| b3 | n/k | 1 | all |
| lea | (n − 1)/(k − 1) | 1 | all |
| pairwise | (n − 1)/2 | (k − 1)/2 | all |
| ceafm | 1 if the two entities are aligned | 1 | all |
| muc | 1 if an earlier mention of the entity is in the cell | 1 | later |
| assa | n/(k + r − n) of a mention with a twin; by the key's mentions alone | 1 if it has a twin | all |

So the sums over all mentions are those of the table, whatever is counted in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..document.document import Integers
from ..matching.assign import assign
from ..matching.match import Alignment
from .corpus import Corpus
from .metrics import Metric, OneToOne, PerEntity, Sums, Whole, ratio
from .table import Flags, Floats, NumberedMentions, Table, sums_by_group

Columns = tuple[tuple[int, Floats], ...]  # of the four counts of a metric: of which side's mentions, what each adds


class CountedSide(NamedTuple):
    """The mentions of one side as a table has them.

    `entity` has the number of each one's entity in the table, or -1; `rank` its place in the order of the text;
    `counts` says whether it counts, or is a copy of one that does.
    """

    entity: Integers
    rank: Integers
    counts: Flags


def mention_sums(metric: Metric, corpus: Corpus, ranks: tuple[Integers, Integers], credit: str) -> Columns | None:
    """What all mentions of key and response add to the counts of a metric; None if it says nothing of single mentions.

    Mentions are numbered document after document; `ranks` have the place of each in the order of the text. `credit` is
    that of sets, which are not counted here.
    """
    how = metric.how
    shares = how.mentions if isinstance(how, PerEntity | OneToOne) else isinstance(how, Whole) and how.cells
    if not shares or not isinstance(how, PerEntity | OneToOne | Whole):
        return None
    tables = how.rules.tables(corpus.shown, credit)
    documents = [key for key, _, _ in corpus.aligned], [response for _, response, _ in corpus.aligned]
    numbered = [NumberedMentions.of(each, corpus.homes) for each in documents]
    owners = [_shown(each.entity, hidden) for each, hidden in zip(numbered, corpus.hidden, strict=True)]
    found: list[tuple[int, Floats]] = []
    for side, table in enumerate(tables):
        forth = side == 0 or table is tables[0]
        which = "every" if how.rules.repeated == "every" else "recall" if forth else "precision"
        alignments = [getattr(lookups, which) for _, _, lookups in corpus.aligned]
        places = [_places(alignments, each, number) for number, each in enumerate(numbered)]
        counts = np.ones(len(owners[side]), np.bool_)
        if how.rules.repeated == "once":
            counts[_copies(corpus, numbered[side], side)] = False
        cells = _cells(table, owners[0][places[0]], owners[1][places[1]])
        kept = (cells >= 0) & counts[places[side]]
        if isinstance(how, Whole):
            return _of_pairs(how, table, places[0][kept], cells[kept], len(owners[0]))
        turned = table.transposed if side else table
        here = CountedSide(owners[side], ranks[side], counts)
        both = _shared(how, turned, _values(how, turned, table), here, places[side][kept], cells[kept])
        found += [(side, values) for values in both]
    return tuple(found)


def _of_pairs(how: Whole, table: Table, mention: Integers, cell: Integers, number: int) -> Columns:
    """What the mentions of the key that have a twin add to the four sums."""
    members = np.bincount(cell).astype(np.float64)
    parts = [ratio(values, members)[cell] for values in (how.cells(table) if how.cells else ())]
    return tuple((0, sums_by_group(mention, part, number)) for part in parts)


def _shown(entity: Integers, hidden: Flags) -> Integers:
    """The numbers of entities in tables without hidden ones; -1 for these."""
    return entity if not hidden.any() else np.where(hidden, -1, np.cumsum(~hidden) - 1)[entity]


def _places(alignments: Sequence[Alignment], mentions: NumberedMentions, side: int) -> Integers:
    """The numbers of aligned mentions of one side, pair by pair."""
    starts = np.repeat(mentions.start, [len(each.key) for each in alignments])
    return starts + np.array([index for each in alignments for index in each[side]], np.int64)


def _copies(corpus: Corpus, mentions: NumberedMentions, side: int) -> Integers:
    """The repeated mentions of one side that are not counted again."""
    each = zip(mentions.start.tolist(), corpus.aligned, strict=True)
    return np.array([start + index for start, pair in each for index in pair[2].copies[side]], np.int64)


def _cells(table: Table, rows: Integers, columns: Integers) -> Integers:
    """The cell of each pair of entities; -1 if one of them is hidden."""
    if not len(table.row):
        return np.full(len(rows), -1)
    width = len(table.response.size)
    codes, wanted = table.row * width + table.column, rows * width + columns  # cells are in the order of their codes
    found = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.where((rows >= 0) & (columns >= 0) & (codes[found] == wanted), found, -1)


def _values(how: PerEntity | OneToOne, table: Table, plain: Table) -> Floats:
    """What each cell counts; entities have the partners that they have in the `plain` table, as seen from the key."""
    values = how.cell(table)
    if isinstance(how, PerEntity):
        return values if how.over is None else ratio(values, how.over(table)[table.row])
    aligned = np.zeros_like(values)
    chosen = assign(plain.row, plain.column, how.cell(plain))
    aligned[chosen] = values[chosen]
    return aligned


def _shared(
    how: PerEntity | OneToOne, table: Table, values: Floats, side: CountedSide, mention: Integers, cell: Integers
) -> Sums:
    """The numerator and the denominator of each mention; `mention` says which of them is in which `cell`."""
    number = len(side.entity)
    there = np.flatnonzero(side.counts & (side.entity >= 0))
    parts = _parts(how, values, cell, side.rank[mention])
    numerator = sums_by_group(mention, parts, number)
    denominator = np.zeros(number)
    denominator[there] = _parts(how, how.entity(table), side.entity[there], side.rank[there])
    return numerator, denominator


def _parts(how: PerEntity | OneToOne, values: Floats, group: Integers, rank: Integers) -> Floats:
    """The part of each member of groups in the value of its group."""
    members = np.bincount(group, minlength=len(values))
    if how.mentions == "alike":
        return ratio(values, members.astype(np.float64))[group]
    first = np.full(len(values), np.iinfo(np.int64).max)
    np.minimum.at(first, group, rank)
    later = rank > first[group]
    return np.where(later, ratio(values, members.astype(np.float64) - 1)[group], 0.0)
