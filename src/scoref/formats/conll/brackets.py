"""Mentions from the brackets of a CoNLL file, matched by array operations where nothing is unusual."""

from __future__ import annotations

import re
from array import array

import numpy as np

from ...document.document import Integers
from ...document.mentions import Mentions
from ...values import NamedTuple
from ..columnar import ZERO, Codes, Flags, nested, separated
from .lines import BracketCells

ID = r"(?!-[0-9]+(?![^()|]))[^()|+*\s\x00-\x20]++"  # possessive: trying shorter names would take exponential time
_BRACKET = rf"(\()?({ID})(\))?"  # not compiled in advance: few files need it
_PART = rf"(?:\({ID}\)?|{ID}\))+"  # the brackets between two bars
BRACKETS = rf"{_PART}(?:\|{_PART})*"
_NAMES = np.isin(np.arange(256), [code for code in range(33, 127) if chr(code) not in "()|+*-"])  # bytes of plain names
_LONGEST = 32  # bytes of a plain name
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # masks for the first bytes of eight
Bracket = tuple[bool, str, bool]  # whether it opens, the entity, whether it closes


class CellBrackets(dict[bytes, tuple[Bracket, ...]]):
    """A cache from a cell to its brackets, from left to right.

    An entry that neither opens nor closes is a name inside a mention, or text that cannot be understood.
    """

    def __missing__(self, cell: bytes) -> tuple[Bracket, ...]:
        text = cell.decode()
        opens, closes = text[0] == "(", text[-1] == ")"
        entity = text[opens : len(text) - closes]
        brackets: tuple[Bracket, ...] = ((opens, entity, closes),)
        if not (entity.isalnum() and (opens or closes)):  # several brackets, or unusual names
            brackets = tuple([bracket for part in text.split("|") for bracket in _brackets(part)])
        self[cell] = brackets
        return brackets


def _brackets(part: str) -> list[Bracket]:
    if not re.fullmatch(_PART, part):
        return [(False, part, False)]
    return [(bool(opens), entity, bool(closes)) for opens, entity, closes in re.findall(_BRACKET, part)]


class Matched(NamedTuple):
    """The mentions of stretches of lines whose brackets are plain and in order.

    `ends` are the first and last words, `owners` the numbers of entities in their stretch, for all stretches one after
    the other. `mentions_before` and `names_before` say where those of each stretch begin.
    """

    ends: Integers
    owners: Integers
    names: list[str]
    mentions_before: Integers
    names_before: Integers
    usual: Flags

    def mentions(self, stretch: int) -> Mentions | None:
        """The mentions of a stretch in the order in which they begin; None if it has unusual brackets."""
        if not self.usual[stretch]:
            return None
        here, names = (slice(*before[stretch : stretch + 2]) for before in (self.mentions_before, self.names_before))
        ends, owners = (array("i", numbers[here].astype(np.intc).tobytes()) for numbers in (self.ends, self.owners))
        return Mentions(ends, owners, tuple(self.names[names]))


class _PlainParts(NamedTuple):
    """The parts between bars, in file order: whether each opens and closes, its cell, where its name is."""

    opens: Flags
    closes: Flags
    cell: Integers
    start: Integers
    size: Integers

    def where(self, kept: Flags) -> _PlainParts:
        return _PlainParts(self.opens[kept], self.closes[kept], self.cell[kept], self.start[kept], self.size[kept])


def match(codes: Codes, cells: BracketCells, token: Integers, stretch: Integers, stretches: int) -> Matched:
    """Match the brackets of stretches of lines; `token` and `stretch` are the word and the stretch of each cell."""
    usual = np.ones(stretches, np.bool_)
    text = separated(codes, cells.start, cells.end, "|")
    parts, plain = _parts(text, np.cumsum(cells.end + 1 - cells.start))
    usual[stretch[parts.cell[~plain]]] = False
    parts = parts.where(usual[stretch[parts.cell]])
    token, stretch = token[parts.cell], stretch[parts.cell]
    entity, first = _numbered(stretch, _names(text, parts))
    last = _last_words(parts, token, stretch, entity, usual)
    mention = parts.opens & usual[stretch]
    every = np.arange(stretches + 1)
    names_before = np.searchsorted(stretch[first], every)
    written = text.tobytes().decode("latin1")  # plain names are ASCII
    places = zip(parts.start[first].tolist(), (parts.start + parts.size)[first].tolist(), strict=True)
    names = [written[start:end] for start, end in places]
    ends, owners = np.stack((token, last), axis=1)[mention], (entity - names_before[stretch])[mention]
    return Matched(ends, owners, names, np.searchsorted(stretch[mention], every), names_before, usual)


def _parts(text: Codes, behind: Integers) -> tuple[_PlainParts, Flags]:
    """The parts of cells with a bar behind each, and which of them are plain: `(1`, `1)` or `(1)`."""
    bars = np.flatnonzero(text == ord("|"))
    begin = np.concatenate((ZERO, bars + 1))[:-1]
    opens, closes = text[begin] == ord("("), text[bars - 1] == ord(")")
    start, end = begin + opens, bars - closes
    letters = np.concatenate((ZERO, np.cumsum(_NAMES[text])))
    named = (start < end) & (end <= start + _LONGEST) & (letters[end] - letters[start] == end - start)
    cell = np.searchsorted(behind, bars, side="right")
    return _PlainParts(opens, closes, cell, start, end - start), named & (opens | closes)


def _names(text: Codes, parts: _PlainParts) -> Integers:
    """A number for the name of each part, the same for the same name."""
    padded = np.concatenate((text, np.zeros(_LONGEST + 8, np.uint8)))
    eights = np.ndarray(len(text) + _LONGEST, "<u8", padded, strides=(1,))
    found = np.zeros(len(parts.start), np.int64)
    for offset in range(0, int(parts.size.max(initial=0)), 8):
        eight = eights[parts.start + offset] & _MASKS[np.clip(parts.size - offset, 0, 8)]
        numbers = np.unique(eight, return_inverse=True)[1]
        found = np.unique(found * len(found) + numbers, return_inverse=True)[1] if offset else numbers
    return found


def _numbered(stretch: Integers, name: Integers) -> tuple[Integers, Integers]:
    """The number of each part's entity, in order of appearance, and the first part of each entity."""
    both = stretch * (name.max(initial=0) + 1) + name
    _, first, number = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return np.argsort(order)[number], first[order]


def _last_words(parts: _PlainParts, token: Integers, stretch: Integers, entity: Integers, usual: Flags) -> Integers:
    """The last word of each mention, for the part that opens it.

    Stretches become unusual if brackets are left over, or if a cell closes one mention of an entity and opens another.
    """
    ends = np.flatnonzero(parts.opens != parts.closes)
    ends = ends[np.argsort(entity[ends], kind="stable")]
    opens, word, owner = parts.opens[ends], token[ends], entity[ends]
    pairs, wrong = nested(owner, opens)
    wrong[1:] |= (owner[1:] == owner[:-1]) & (word[1:] == word[:-1]) & opens[1:] & ~opens[:-1]
    usual[stretch[ends[wrong]]] = False
    last = token.copy()
    last[ends[pairs[:, 0]]] = word[pairs[:, 1]]
    return last
