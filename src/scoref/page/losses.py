"""What mentions lose, by their kinds: the table behind the heat maps of a page, and the slices that stand out.

Columns are text, a few letters for each mention, so that pages with many mentions are made fast: a number is written
with `_LETTERS` digits, the most significant first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..document.document import Integers
from ..document.forms import COLUMNS
from ..document.kinds import Kinds, SideMentions
from ..errors.outcomes import MARKS, marks
from ..errors.slicing.finding import metric_of, slices, summed_for
from ..errors.slicing.slices import VALUES, Slices
from ..layout.render import Json
from ..problems import Error
from ..results.evaluation import Evaluation
from ..results.kinds import SummedMentions
from .findings import Findings
from .neutral import MARKS as NEUTRAL
from .neutral import Neutral

FARED = "fared"  # how a mention fared is a kind, too, though no reason of what it loses
MANY = 1000  # with more documents, what takes long is left to other commands

SEARCHED, DRAWS = 300, 500  # documents in which slices are looked for, and how often signs are drawn
_FIELDS = ("form", "distance", "size", "length", "position", "first", "nested", "quoted")
_SLOW = ("nested", "quoted", *COLUMNS)
_KINDS = 60  # an attribute with more values says nothing of kinds
_FIRST, _LETTERS = 40, 52  # letters from ( to [, all of which JSON writes as they are


class LossTable(NamedTuple):
    """The mentions of a system and what they lose in a metric; `slices` are those that stand out in it."""

    metric: str
    mentions: SummedMentions
    fields: tuple[str, ...]
    searched: tuple[str, ...]
    slices: Slices
    found: Findings
    neutral: Neutral | None = None

    def to_dict(self) -> Json:
        """Columns for the page: for each side the numbers of mentions, their losses, their kinds by field."""
        return {
            "metric": self.metric,
            "fields": [*self.fields, FARED],
            "sides": [self._side(each) for each in range(2)],
        }

    def _side(self, number: int) -> Json:
        side = self.mentions.sides[number]
        numerator, denominator = self.mentions.of(self.metric, number)
        lost = np.where(denominator > 0, denominator - numerator, np.nan)  # of what can lose nothing: none
        values, codes = np.unique(lost.round(12), return_inverse=True)
        kinds = {field: side.of(field) for field in self.fields} | {FARED: self._fared(number)}
        return {
            "sizes": np.diff(side.starts).tolist(),
            "losses": [None if np.isnan(value) else value for value in values.tolist()],
            "loss": _written(codes, len(values)),
            "kinds": {field: [*each.names] for field, each in kinds.items()},
            "of": {field: _written(each.of, len(each.names)) for field, each in kinds.items()},
        }

    def _fared(self, side: int) -> Kinds:
        fared = self.found.twins.in_documents(side, marks(self.found.twins, side))
        return Kinds(NEUTRAL if self.neutral else MARKS, fared)


def losses_of(evaluation: Evaluation, found: Findings, neutral: Neutral | None = None) -> LossTable | str:
    """What the mentions of a system lose, and the slices that stand out; or why there is nothing of that."""
    if not found.analysis.of_coreference:
        return "Slices are those of coreference."
    try:
        mentions = summed_for(evaluation)
        metric = metric_of(None, [mentions])
    except Error as error:
        return sentence_of(error)
    for side in range(2):  # known already
        mentions.sides[side].takes(found.twins.headed[side])
    many = evaluation.evidence.size > MANY
    known = [name for name in _told(mentions.sides, many) if any(each.has(name) for each in mentions.sides)]
    searched = tuple(name for name in known if name not in ("size", *COLUMNS))
    try:
        stand_out = slices(evaluation, metric=metric, fields=searched, trials=DRAWS, most=SEARCHED, mentions=[mentions])
    except Error as error:
        return sentence_of(error)
    return LossTable(metric, mentions, tuple(known), searched, stand_out, found, neutral)


def sentence_of(error: Error) -> str:
    """What is wrong, as a sentence."""
    said = error.problem.message
    return f"{said[:1].upper()}{said[1:]}."


def _told(sides: Sequence[SideMentions], many: bool) -> list[str]:
    """The fields that may say something: usual ones, attributes of mentions and parts of speech, if they are kinds."""
    attributes = dict.fromkeys(name for side in sides for name in side.attributes)
    further = [name for name in (*attributes, *COLUMNS) if name not in (*_FIELDS, *(_SLOW if many else ()))]
    few = [name for name in dict.fromkeys(further) if all(len(side.of(name).names) <= _KINDS for side in sides)]
    return [*(name for name in _FIELDS if not (many and name in _SLOW)), *few]


def _written(numbers: Integers, size: int) -> str:
    """Numbers below `size` as text, each with as many letters as the largest needs.

    >>> _written(np.array([0, 51, 2]), 52), _written(np.array([1, 53]), 60)
    ('([*', '()))')
    """
    width = 1
    while _LETTERS**width < size:
        width += 1
    digits = [numbers // _LETTERS**place % _LETTERS for place in reversed(range(width))]
    return (np.stack(digits, axis=-1) + _FIRST).astype(np.uint8).tobytes().decode("ascii")


def slice_table(losses: LossTable | str) -> Json:
    """The slices that stand out, with their sentences, and what was looked for."""
    if isinstance(losses, str):
        return {"reason": losses}
    found, said = losses.slices, losses.neutral.said if losses.neutral else str
    return {
        "metric": losses.metric,
        "fields": [*losses.fields, FARED],
        "notes": [*map(said, found.notes())],
        "slices": [
            {"value": value, "kinds": [list(pair) for pair in each.kinds], "said": said(found.of(value).sentence(each))}
            for value in VALUES
            for each in found.of(value).slices
        ],
    }
