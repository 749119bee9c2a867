"""Signs that a score is not what was meant: shifted positions, names spelt differently, things that one side lacks.

Every evaluation is checked, in time linear in the number of mentions. A sign is one line below the scores with its
cause and a remedy. If no mention at all is shared and the cause is known, it is an error.

`observed` counts what is peculiar in documents; these counts add up, and `signs` draws conclusions from the sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, permutations
from typing import Literal

import numpy as np

from ..counting.table import Flags
from ..document.document import Document, Integers, owners_of
from ..document.mentions import values_of
from ..document.spans import word_of
from ..formats import SIDES
from ..matching.nuggets import value
from ..pairing.pairs import Pair
from ..problems import HELP, Problem
from ..relations.registry import NUGGET
from ..results.evaluation import Evaluation
from ..spelling import alike
from ..values import NamedTuple

_PLACE = 1 << 21  # more than any text has positions
Ends = tuple[int, int]
_SAME = 0.5  # share of the key's words in a text that is the same
_FEW = 5  # mentions from which on what is moved, or lacking, is a sign
_MANY = 10  # mentions from which on nothing in common is a sign

# For each cause, how far the starts and ends of response mentions would have to be moved.
_MOVES: dict[str, Ends] = {
    "their ends are one too far: --response-ends exclusive, or --key-ends inclusive": (0, -1),
    "their ends are one too early: --key-ends exclusive, or --response-ends inclusive": (0, 1),
    "their starts are one too far: check what the first number counts": (-1, 0),
    "their starts are one too early: check what the first number counts": (1, 0),
    "their positions are one too far: count from 0 on both sides": (-1, -1),
    "their positions are one too early: count from 0 on both sides": (1, 1),
}
_BYTES = "positions count bytes of UTF-8: count letters"
_CONSTANT = "positions are moved by a constant in each document: check what stands before the first"
_NAMES = "names differ in"
_OTHER = "they have another"


Matched = tuple[Document, Sequence[int]]  # a document, and which of its mentions have a twin


class Unmatched(NamedTuple):
    """The twinless mentions of one side: document, first and last position; or the name, if there is no position."""

    ends: Integers  # [mentions, 3], in the order of documents and positions
    codes: Integers  # each row as one number
    names: list[str]

    @classmethod
    def of(cls, sides: Iterable[Matched]) -> Unmatched:
        """Collect them from documents, each given with the indices of its mentions that have a twin."""
        known = [*sides]
        sizes = [len(document.mentions) for document, _ in known]
        first = np.cumsum([0, *sizes])
        twins = np.fromiter(chain.from_iterable(matched for _, matched in known), np.int64)
        twins += np.repeat(first[:-1], [len(matched) for _, matched in known])
        free = np.ones(first[-1], np.bool_)
        free[twins] = False
        numbers = np.repeat(np.arange(len(known)), sizes)[free]
        names: list[str] = []
        ends = [each for document, _ in known if (each := document.mentions.ends) is not None]
        if len(ends) == len(known):
            found = np.column_stack([numbers, np.frombuffer(b"".join(ends), np.intc).reshape(-1, 2)[free]])
        else:
            found, names = _one_by_one(known, np.split(free, first[1:-1]))
        codes = (found[:, 0] * _PLACE + found[:, 1]) * _PLACE + found[:, 2]
        order = np.argsort(codes)
        return cls(found[order], codes[order], names)

    def has(self, codes: Integers) -> int:
        """How many of the codes are codes of these mentions."""
        at = np.searchsorted(self.codes, codes)
        return int((self.codes[np.minimum(at, len(self.codes) - 1)] == codes).sum()) if len(self.codes) else 0


def _one_by_one(known: Sequence[Matched], free: Sequence[Flags]) -> tuple[Integers, list[str]]:
    """Document, first and last word of the marked mentions; and the names of those without positions."""
    places: list[tuple[int, int, int]] = []
    names: list[str] = []
    for number, ((document, _), some) in enumerate(zip(known, free, strict=True)):
        spans, ids = document.mentions.spans, document.mentions.ids
        for index in np.flatnonzero(some).tolist():
            if span := spans[index]:
                places.append((number, word_of(span[0]), word_of(span[-1])))
            else:
                names.append(str(ids[index]))
    return np.array(places, np.int64).reshape(-1, 3), names


# -- what is seen -----------------------------------------------------------------------------------------------------


def observed(result: Evaluation, pairs: Sequence[Pair]) -> Counter[str]:
    """Counts of mentions for each thing that `signs` looks at: twinless, shifted, singletons, zeros and so on."""
    seen: Counter[str] = Counter()
    evidence = result.evidence
    seen["scored key"] = sum(len(key.mentions) for key, _, _ in evidence.aligned)
    seen["scored response"] = sum(len(response.mentions) for _, response, _ in evidence.aligned)
    seen["twinless key"], seen["twinless response"] = evidence.twinless
    for drifted in (pair.drifted for pair in pairs if pair.drifted):
        seen["placed by words"] += drifted.mentions
        seen["lost"] += drifted.lost
        seen["lost in the same text"] += drifted.lost * (drifted.drift.share >= _SAME)
    if min(evidence.twinless):
        fields = result.protocol.matching.fields
        sides: list[tuple[Matched, Matched]] = [
            ((key, lookups.recall.key), (response, lookups.precision.response))
            for key, response, lookups in evidence.aligned
        ]
        if fields:
            why = f"{_OTHER} {' or '.join(fields)}: write it alike on both sides, or leave out --agree"
            seen[why] = _but_for_attributes(sides)
            sides = [*_with_equal(fields, sides)]
        ours, theirs = (Unmatched.of(each[side] for each in sides) for side in (0, 1))
        seen += _moved(ours, theirs, [key for (key, _), _ in sides])
    for side, documents in zip(SIDES, ([pair.key for pair in pairs], [pair.response for pair in pairs]), strict=True):
        sizes = _sizes(documents)
        seen[f"{side} mentions"] = int(sizes.sum())
        seen[f"{side} singletons"] = int((sizes == 1).sum())
        seen[f"{side} zeros"] = sum(len(document.mentions.zeros) for document in documents)
        if _realis(result):
            mentions = (mention for document in documents for mention in document.mentions)
            seen[f"{side} realis"] = sum(1 for mention in mentions if value(mention, "realis"))
    return seen


def _sizes(documents: Sequence[Document]) -> Integers:
    """How many mentions each entity of some documents has."""
    first = np.cumsum([0, *(len(document.names) for document in documents)])
    return np.bincount(owners_of(documents) + np.repeat(first[:-1], [len(each.mentions) for each in documents]))


def _realis(result: Evaluation) -> list[str]:
    """The metrics that compare the realis of event nuggets."""
    return [name for name in result.protocol.metrics if name.startswith(NUGGET) and "realis" in name]


def _moved(key: Unmatched, response: Unmatched, documents: Sequence[Document]) -> Counter[str]:
    """For each cause of shifted positions, how many twinless response mentions would have a twin without it."""

    def would(first: Integers | int, last: Integers | int) -> int:
        return key.has(response.codes + first * _PLACE + last)

    seen = Counter({why: would(*move) for why, move in _MOVES.items()})
    in_bytes = _from_bytes(response, documents)
    if in_bytes is not None:
        seen[_BYTES] = would(*in_bytes.T)
    if len(key.ends) and len(response.ends):
        constants = _constants(key, response, "left"), _constants(key, response, "right")
        seen[_CONSTANT] = max(would(constant, constant) for constant in constants)
    names = alike(key.names, response.names) if key.names and response.names else None
    if names:
        seen[f"{_NAMES} {names[0]}: write them alike on both sides"] = names[1]
    return seen


def _but_for_attributes(sides: Sequence[tuple[Matched, Matched]]) -> int:
    """How many twinless response mentions have the place or the name of a twinless key mention."""
    ours, theirs = (Unmatched.of(each[side] for each in sides) for side in (0, 1))
    return ours.has(theirs.codes) + len({*ours.names} & {*theirs.names})


def _with_equal(fields: Sequence[str], sides: Iterable[tuple[Matched, Matched]]) -> Iterator[tuple[Matched, Matched]]:
    """The twinless mentions of two documents, those with the same values of some attributes together."""
    for both in sides:
        groups: dict[tuple[str | None, ...], tuple[list[int], list[int]]] = {}
        for side, (document, matched) in enumerate(both):
            gone = {*matched}
            for index, values in enumerate(values_of(document.mentions, fields)):
                if index not in gone:
                    groups.setdefault(values, ([], []))[side].append(index)
        for ours, theirs in groups.values():
            yield (both[0][0].of_mentions(ours), []), (both[1][0].of_mentions(theirs), [])


def _constants(key: Unmatched, response: Unmatched, end: Literal["left", "right"]) -> Integers:
    """For each response mention, by how much the first (or last) twinless mentions of its document differ."""
    places: list[Integers] = []
    for side in (key, response):
        documents = side.ends[:, 0]
        at = np.searchsorted(documents, response.ends[:, 0], end) - (end == "right")
        places.append(side.ends[np.clip(at, 0, len(documents) - 1), 1])
    return places[0] - places[1]


def _from_bytes(response: Unmatched, documents: Sequence[Document]) -> Integers | None:
    """How far each response mention moves if its positions are read as bytes; None if that changes nothing (ASCII)."""
    by = np.zeros((len(response.ends), 2), np.int64)
    for number, document in enumerate(documents):
        (text,) = document.columns.get("text") or ("",)
        if not document.words and not text.isascii():
            places = np.array([0, *accumulate(len(letter.encode(errors="replace")) for letter in text)])
            own = response.ends[:, 0] == number
            first, last = response.ends[own, 1], response.ends[own, 2] + 1
            by[own] = np.column_stack([np.searchsorted(places, first) - first, np.searchsorted(places, last) - last])
    return by if by.any() else None


# -- what that is a sign of -------------------------------------------------------------------------------------------


def signs(seen: Counter[str], result: Evaluation) -> list[Problem]:
    """What makes the scores of an evaluation doubtful, from the counts of `observed`."""
    found = [*_cause(seen)]
    sizes = seen["scored key"], seen["scored response"]
    if min(sizes) >= _MANY and seen["twinless key"] == sizes[0]:
        cause = found[0].message if found else "the cause is not known"
        message = f"key and response have no mention in common, of {sizes[0]:,} and {sizes[1]:,}: {cause}"
        found = [_sign("nothing-in-common", message, fatal=bool(found))]
    return [*found, *_lost(seen), *_lacks(seen, result)]


def _lost(seen: Counter[str]) -> Iterator[Problem]:
    """No mention in running text could be placed: it is another text, or mentions are marked in another style."""
    number = seen["lost"]
    if number > 1 and number == seen["placed by words"]:
        remedy = "check how mentions are marked (--marks STYLE), and that it is the same text"
        same = seen["lost in the same text"] > 0
        yield _sign("all-lost", f"none of the {number:,} mentions has a word of the key: {remedy}", fatal=same)


def _sign(code: str, message: str, fatal: bool = False) -> Problem:
    return Problem(code, message, remedy=HELP, fatal=fatal)


def _cause(seen: Counter[str]) -> Iterator[Problem]:
    """The one cause, if there is one, that explains most twinless mentions of one side, and many of the other."""
    fewer, more = sorted((seen["twinless key"], seen["twinless response"]))
    codes = [*((why, "moved-mentions") for why in (*_MOVES, _CONSTANT)), (_BYTES, "counted-bytes")]
    codes += [(why, "names-alike") for why in seen if why.startswith(_NAMES)]
    codes += [(why, "other-attributes") for why in seen if why.startswith(_OTHER)]
    why, code = max(codes, key=lambda each: (seen[each[0]], each[0] != _CONSTANT))
    least, most = (_MANY, 0.8) if why == _CONSTANT else (_FEW, 0.5)  # some constant always fits a few
    if seen[why] >= least and seen[why] > most * fewer and seen[why] > 0.2 * more:
        number = f"{seen[why]:,} of {seen['twinless response']:,} response mentions without a twin would have one"
        yield _sign(code, f"{number}: {why}")


def _lacks(seen: Counter[str], result: Evaluation) -> Iterator[Problem]:
    """What one side has none of, while the other has many."""
    protocol = result.protocol
    for side, other in permutations(SIDES):
        mentions, singletons = seen[f"{side} mentions"], seen[f"{side} singletons"]
        theirs, alone, zeros = (seen[f"{other} {what}"] for what in ("mentions", "singletons", "zeros"))
        share = f"of the {theirs:,} mentions of the {other}"
        if not mentions:
            if theirs >= _FEW:
                yield _sign("no-mentions", f"the {side} has no mentions, the {other} {theirs:,}")
            continue
        if singletons == mentions >= _FEW and theirs - alone >= _FEW:
            links = "every entity has one mention, so that metrics of links find nothing; check which column or field"
            yield _sign("no-links", f"the {side} links nothing: {links} names the entity")
        if protocol.counting.singletons == "keep" and not singletons and alone >= _MANY:
            remedy = "--singletons drop leaves them out on both sides"
            yield _sign("no-singletons", f"the {side} has no singletons, {alone:,} {share} are: {remedy}")
        if protocol.preparing.zeros != "drop" and not seen[f"{side} zeros"] and zeros >= _FEW:
            remedy = "--zeros drop leaves them out on both sides"
            yield _sign("no-zeros", f"the {side} has no zeros, {zeros:,} {share} are: {remedy}")
        if seen[f"{other} realis"] and not seen[f"{side} realis"]:
            metrics = " and ".join(_realis(result))
            yield _sign("no-realis", f"no mention of the {side} has a realis: {metrics} find nothing")
