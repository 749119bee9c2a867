"""Finds the errors of a response, and the mentions that each of them names.

Errors are those of Kummerfeld & Klein 2013 (*Error-driven analysis of challenges in coreference resolution*):

1. *Span error*: see `twins`. The two count as aligned from here on.
2. A response entity falls into parts: its mentions of one key entity are a part, every unaligned mention is one. With
   nothing aligned, it is an *extra entity*. Otherwise one part stays, every other part that is of a key entity is an
   error (*conflated entities*), and so is every unaligned mention (*extra mention*; but *conflated entities* where it
   is the first of its entity, as Kummerfeld and Klein let the first mention stay, and split the others from it).
3. A key entity falls into parts likewise: *missing entity*, *divided entity*, *missing mention*.

The part that stays is the one that is shared with the partner of the entity; of an entity without a partner, the one
that would be taken first. So an aligned mention is named by no error of these if and only if its entity and that of its
twin are partners. How many errors there are does not depend on which part stays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..document.document import Integers
from .mistakes import KINDS
from .twins import Twins

_SIDES = ((4, 5, 6), (1, 2, 3))  # kinds of errors of key and response entities: a part, a single mention, a whole


class MentionErrors(NamedTuple):
    """For each mention of one side the error that names it: its kind, by number, and its first mention; or -1.

    `stays` is the first mention of the part that stays, for each entity; -1 for one that has no aligned mention.
    """

    kind: Integers
    leader: Integers
    stays: Integers


def named(twins: Twins, side: int) -> MentionErrors:
    """The error that names each mention of one side; span errors are corrected before, and are not among them."""
    part, single, whole = _SIDES[side]
    mentions, cells = twins.sides[side], twins.cells
    cell = cells.of[side]
    entity, ranks = mentions.entity, np.arange(len(cell))
    staying_cell = staying(twins, side)
    stays = staying_cell[entity]
    leader = np.full(len(cell), -1)
    kind = np.full(len(cell), -1)
    unaligned = stays < 0  # the whole entity has no aligned mention
    alone = (cell < 0) & ~unaligned
    other = (cell >= 0) & (cell != stays)
    leader[unaligned], kind[unaligned] = mentions.first[entity[unaligned]], whole
    leader[alone] = ranks[alone]
    kind[alone] = np.where(mentions.first[entity[alone]] == ranks[alone], part, single)
    first_of_cell = firsts(cell, len(cells.row))
    leader[other], kind[other] = first_of_cell[cell[other]], part
    kept = np.where(staying_cell >= 0, first_of_cell[staying_cell], -1) if len(cells.row) else staying_cell
    return MentionErrors(kind, leader, kept)


def staying(twins: Twins, side: int) -> Integers:
    """For each entity the cell whose mentions stay: its partner's, else the best; -1 for those without any."""
    row, column, _, _ = twins.cells
    cell = np.full(len(twins.sides[side].name), -1)
    backwards = twins.best_first[::-1]  # so that the best is written last
    cell[(row, column)[side][backwards]] = backwards
    paired = np.flatnonzero(twins.partners[0][row] == column)
    cell[(row, column)[side][paired]] = paired
    return cell


def firsts(labels: Integers, number: int) -> Integers:
    """The first place of each label from 0 on; places with a label below 0 are passed over."""
    first = np.zeros(number, np.int64)
    labelled = np.flatnonzero(labels >= 0)[::-1]  # backwards, so that the first is written last
    first[labels[labelled]] = labelled
    return first


def counted(twins: Twins, both: tuple[MentionErrors, MentionErrors]) -> Integers:
    """How many errors of each kind each document has, [documents, kinds]; an error is where its first mention is."""
    counts = np.zeros((len(twins.aligned), len(KINDS)), np.int64)
    spans = twins.sides[1].document[twins.corrected]
    np.add.at(counts[:, 0], spans, 1)
    for side, each in enumerate(both):
        leaders = np.flatnonzero(each.leader == np.arange(len(each.leader)))
        np.add.at(counts, (twins.sides[side].document[leaders], each.kind[leaders]), 1)
    return counts
