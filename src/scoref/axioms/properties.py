"""The properties that a metric should have, each defined, and the search for its smallest counterexample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from ..counting.table import Flags, Floats
from .cases import Cases, Side, Space, normal, sizes, space, written
from .scoring import EQUAL, LARGEST, NAMED, CaseScores, quantity_case


class Counterexample(NamedTuple):
    """A case without the property: its mentions, the sides, and the score before and, if there are two, after."""

    mentions: int
    key: str
    response: str
    second: str | None
    scores: tuple[float, ...]


Found = Counterexample | None


class Property(NamedTuple):
    """A property: its name, what it says, and the search for its smallest counterexample."""

    name: str
    says: str
    search: Callable[[CaseScores, int], Found]


# -- comparing scores -------------------------------------------------------------------------------------------------


def _below(one: Floats, other: Floats) -> Flags:
    return one < other - EQUAL


def _differ(one: Floats, other: Floats) -> Flags:
    return np.abs(one - other) > EQUAL


def _apart_by(least: float, one: Floats, other: Floats) -> Flags:
    return np.abs(one - other) >= least


def _first(scores: CaseScores, most: int, cases: Cases, wrong: Callable[[Floats, Floats], Flags]) -> Found:
    """The first of the cases for which the scores of the responses are wrong."""
    before, after = scores.plain[cases.key, cases.response], scores.plain[cases.key, cases.second]
    failing = np.flatnonzero(wrong(before, after))
    return _shown(scores, most, cases, int(failing[0])) if len(failing) else None


def _shown(scores: CaseScores, most: int, cases: Cases, place: int) -> Counterexample:
    mentions, key, response, second = (int(each[place]) for each in cases)
    here = space(most)
    key_word, *words = (written(side) for side in (here.keys[key], here.sides[response], here.sides[second]))
    values = float(scores.plain[key, response]), float(scores.plain[key, second])
    alone = response == second
    return Counterexample(mentions, key_word, words[0], None if alone else words[1], values[:1] if alone else values)


def _each(
    cases: Callable[[Space], Cases], wrong: Callable[[Floats, Floats], Flags], scores: CaseScores, most: int
) -> Found:
    return _first(scores, most, cases(space(most)), wrong)


# -- which cases a property speaks of ---------------------------------------------------------------------------------


def _pairs(here: Space) -> Cases:
    return here.pairs


def _perfect(here: Space) -> Cases:
    cases = here.pairs
    return cases.only((here.key_side[cases.key] == cases.response) & (cases.mentions > 0))


def _imperfect(here: Space) -> Cases:
    cases = here.pairs
    return cases.only(here.key_side[cases.key] != cases.response)


def _apart(here: Space) -> Cases:
    cases = here.pairs
    return cases.only(here.present[here.key_side[cases.key]] & here.present[cases.response] == 0)


def _in(here: Space, cases: Cases, mention: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[Flags]:
    """For key, response and second response, whether they have the mention."""
    places = (here.key_side[cases.key], cases.response, cases.second)
    return [here.present[side] >> mention & 1 == 1 for side in places]


def _repairs(before: bool, after: bool, here: Space) -> Cases:
    """Repairs of a mention that is there before, after, or both."""
    cases, mention = here.repairs
    _, first, second = _in(here, cases, mention)
    return cases.only((first == before) & (second == after))


@cache
def _strict(here: Space) -> Cases:
    cases, mention = here.repairs
    key, _, second = _in(here, cases, mention)
    common = here.present[here.key_side[cases.key]] & here.present[cases.second] != 0
    return cases.only((key | ~second) & common)


@cache
def _spurious(here: Space) -> Cases:
    cases, mention = here.neighbours
    key, first, second = _in(here, cases, mention)
    return cases.only(~key & ~first & second)


@cache
def _missing(here: Space) -> Cases:
    cases, mention = here.neighbours
    _, first, second = _in(here, cases, mention)
    return cases.only((cases.response == here.key_side[cases.key]) & first & ~second)


def _changed(change: Callable[[Side, Side], Iterator[Side]], here: Space) -> Cases:
    """Keys and responses of the same mentions, and what a change makes of the response."""
    return here.chosen(
        (key, response, here.number[second])
        for key, response in here.complete
        for second in change(here.keys[key], here.sides[response])
    )


def _split(key: Side, response: Side) -> Iterator[Side]:
    """An entity with mentions of exactly two key entities becomes two."""
    for entity in response:
        parts = [part for part in ("".join(m for m in entity if m in ours) for ours in key) if part]
        if len(parts) == 2:
            yield normal([*(each for each in response if each != entity), *parts])


def _merged(key: Side, response: Side) -> Iterator[Side]:
    """Two entities that lie within one key entity become one."""
    for one, other in combinations(response, 2):
        if any({*one, *other} <= {*ours} for ours in key):
            yield normal([*(each for each in response if each not in (one, other)), one + other])


def _rag_bag(key: Side, response: Side) -> Iterator[Side]:
    """A key singleton leaves an entity that is else within one key entity, for as many other key singletons."""
    alone = {entity for entity in key if len(entity) == 1}
    for entity, bag in permutations(response, 2):
        for mention in entity:
            rest = entity.replace(mention, "")
            clean = len(rest) >= 2 and any({*rest} <= {*ours} for ours in key)
            if mention in alone and clean and len(bag) == len(rest) and {*bag} <= alone:
                yield normal([*(each for each in response if each not in (entity, bag)), rest, bag + mention])


_homogeneity = cache(partial(_changed, _split))
_completeness = cache(partial(_changed, _merged))
_bags = cache(partial(_changed, _rag_bag))
_moved, _added, _dropped = (cache(partial(_repairs, *there)) for there in ((True, True), (False, True), (True, False)))


# -- properties with a search of their own ----------------------------------------------------------------------------


def _symmetry(scores: CaseScores, most: int) -> Found:
    here = space(most)
    cases = here.pairs
    values = scores.plain[cases.key, cases.response], scores.exchanged[cases.key, cases.response]
    failing = np.flatnonzero(_differ(*values))
    if not len(failing):
        return None
    found = _shown(scores, most, cases, int(failing[0]))
    return found._replace(scores=(found.scores[0], float(values[1][failing[0]])))


def _names(scores: CaseScores, most: int) -> Found:
    """The first case whose score another naming of its mentions changes; that is the second response."""
    here = space(min(most, NAMED))
    best: Counterexample | None = None
    for renaming in permutations(here.letters):
        names = str.maketrans(here.letters, "".join(renaming))
        new = np.array([here.number[normal(each.translate(names) for each in side)] for side in here.sides])
        for key, response in np.argwhere(_differ(scores.named, scores.named[np.ix_(new, new)])):
            sides = [here.sides[each] for each in (key, response)]
            number = len({*"".join(map("".join, sides))})
            words = [written(side) for side in (*sides, here.sides[new[key]], here.sides[new[response]])]
            values = float(scores.named[key, response]), float(scores.named[new[key], new[response]])
            found = Counterexample(number, words[0], words[1], f"{words[2]} : {words[3]}", values)
            best = found if best is None or found[:4] < best[:4] else best
    return best


def _quantity(scores: CaseScores, most: int) -> Found:
    for number, (split, chipped) in zip(LARGEST, scores.quantity.tolist(), strict=True):
        if not chipped > split + EQUAL:
            key, response, second = map(written, quantity_case(number))
            return Counterexample(3 * number + 1, key, response, second, (split, chipped))
    return None


def _baseline(scores: CaseScores, most: int) -> Found:
    """The first key for which responses of other sizes have another mean."""
    here = space(most)
    for number in range(4, most + 1):
        every = [each for each in sorted(sizes(number)) if 1 < len(each) < number]
        letters = here.letters[:number]
        for place, key in enumerate(here.keys):
            if "".join(key) != letters or not 1 < len(key) < number:
                continue
            means = [float(np.mean(scores.plain[place, _of_sizes(here, letters, each)])) for each in every]
            for each, mean in zip(every[1:], means[1:], strict=True):
                if abs(mean - means[0]) > EQUAL:
                    words = [f"sizes {'+'.join(map(str, some))}" for some in (every[0], each)]
                    return Counterexample(number, written(key), words[0], words[1], (means[0], mean))
    return None


@cache
def _of_sizes(here: Space, letters: str, each: tuple[int, ...]) -> list[int]:
    """The sides of all these letters with entities of these sizes."""
    return [
        number
        for side, number in here.number.items()
        if "".join(sorted("".join(side))) == letters and sorted(map(len, side), reverse=True) == [*each]
    ]


def jumps(scores: CaseScores, most: int) -> list[float]:
    """The largest change of the score between neighbours, for 1, 2, ... mentions."""
    cases = space(most).neighbours.cases
    change = np.abs(scores.plain[cases.key, cases.response] - scores.plain[cases.key, cases.second])
    return [float(change[cases.mentions == number].max()) for number in range(1, most + 1)]


def _continuity(scores: CaseScores, most: int) -> Found:
    largest = jumps(scores, most)
    for number in range(4, most + 1):
        if largest[number - 1] < largest[number - 2] - EQUAL:
            continue
        cases = space(most).neighbours.cases
        cases = cases.only((cases.mentions == number) & (cases.response < cases.second))
        return _first(scores, most, cases, partial(_apart_by, largest[number - 1] - EQUAL))
    return None


# -- all of them ------------------------------------------------------------------------------------------------------


def _rise(before: Floats, after: Floats) -> Flags:
    """Where a score that should rise does not."""
    return ~_below(before, after)


def _fall(before: Floats, after: Floats) -> Flags:
    """Where a score above 0 that should fall does not."""
    return ~_below(after, before) & (before > EQUAL)


def _lower(before: Floats, after: Floats) -> Flags:
    """Where a score that should not fall does."""
    return _below(after, before)


def _outside(before: Floats, after: Floats) -> Flags:
    return (before < -EQUAL) | (before > 1 + EQUAL)


def _not_one(before: Floats, after: Floats) -> Flags:
    return _differ(before, np.ones_like(before))


def _one(before: Floats, after: Floats) -> Flags:
    return ~_not_one(before, after)


def _not_zero(before: Floats, after: Floats) -> Flags:
    return _differ(before, np.zeros_like(before))


PROPERTIES = {
    each.name: each
    for each in (
        Property("range", "a score lies between 0 and 1", partial(_each, _pairs, _outside)),
        Property("maximal", "a key scores 1 against itself", partial(_each, _perfect, _not_one)),
        Property("minimal", "sides without a common mention score 0", partial(_each, _apart, _not_zero)),
        Property("indiscernibles", "only the key itself scores 1", partial(_each, _imperfect, _one)),
        Property("symmetry", "key and response can be exchanged", _symmetry),
        Property("names", "names of mentions and the order of entities do not matter", _names),
        Property("monotone-move", "moving a mention to where it is more right never costs",
                 partial(_each, _moved, _lower)),
        Property("monotone-add", "adding a missing mention never costs", partial(_each, _added, _lower)),
        Property("monotone-drop", "dropping a spurious mention never costs", partial(_each, _dropped, _lower)),
        Property("strict", "a repair raises the score", partial(_each, _strict, _rise)),
        Property("homogeneity", "splitting an entity that mixes two key entities raises the score",
                 partial(_each, _homogeneity, _rise)),
        Property("completeness", "merging two parts of a key entity raises the score",
                 partial(_each, _completeness, _rise)),
        Property("rag-bag", "a stray mention is worse in a clean entity than among other strays",
                 partial(_each, _bags, _rise)),
        Property("size-quantity", "one error in a large entity is better than an error in each of many small ones",
                 _quantity),
        Property("spurious-costs", "a spurious mention lowers the score", partial(_each, _spurious, _fall)),
        Property("missing-costs", "a mention left out of a perfect response lowers the score",
                 partial(_each, _missing, _fall)),
        Property("baseline", "responses by chance have the same mean, whatever the sizes of their entities", _baseline),
        Property("continuity", "the largest effect of one mention falls with the number of mentions", _continuity),
    )
}  # fmt: skip
