"""Finds slices: kinds of mentions, and pairs of kinds, that lose more than other mentions of the same documents.

1. A slice takes part if it has mentions beside others in at least `LEAST` documents and holds at least `SHARE` of what
   is lost.
2. A mention m of document d scores c(m) = ([m in the slice] − share of the slice in d) · (loss of m − mean loss in d):
   it is compared within its document. The scores of an entity's mentions are added up: e. The statistic of a slice is
   t = Σ e / √Σ e².
3. Chance: entities get signs at random, the same for all slices. The p-value of the largest t is the share of draws in
   which the largest t of any slice is as large.
4. If the largest is a pair of kinds, its mentions are left out for a moment. A kind of the two whose t is still above
   `STILL` explains it, and is reported instead.
5. What is reported is left out, and the search begins again at 1, until p is above `LIMIT` or `MOST` are found.

So nothing is reported that a slice before it explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...counting.metrics import ratio
from ...counting.table import Flags, Floats, sums_by_group
from ...document.document import Integers
from ...document.kinds import NONE, UNKNOWN, Kinds
from ...results.scores import SEED, Interval
from ...statistics.samples import interval
from ...statistics.significance import Sample, bca, bootstrap, jackknife

LEAST, SHARE = 10, 0.02  # documents, and the share of the loss, without which a slice does not take part
STILL, LIMIT, MOST = 2.0, 0.02, 5
TRIALS = 1000
SHARES = (0.05, 0.1, 0.2)  # of mentions: for slices of such sizes it is said what could be found

_RESAMPLES = 2000
_FEWER = 500  # where documents are so many that slices are looked for in some of them
_POWER = 0.84  # what t must be above its limit to be found in 80 of 100 cases
_SLICES = 2  # a stream of random numbers
_UNITS = 2048  # entities whose signs are drawn at a time
_ROUNDING = 1e-9
_NO_KINDS = (UNKNOWN, NONE)

Condition = tuple[int, int]  # a field and a kind of it, by their numbers


class Population(NamedTuple):
    """Mentions and what each of them loses.

    `group` says among which mentions it is compared: those of its document. `unit` is the entity whose sign is drawn,
    `drawn` the document that is drawn again for intervals. `points` is what a loss of 1 is worth in points.
    """

    loss: Floats
    group: Integers
    unit: Integers
    drawn: Integers
    points: float

    def only(self, kept: Integers) -> Population:
        """Some of the mentions."""
        loss, group, unit, drawn, points = self
        return Population(loss[kept], group[kept], unit[kept], drawn[kept], points)


class Candidate(NamedTuple):
    """A slice that takes part: its kinds, and its mentions by their numbers."""

    conditions: tuple[Condition, ...]
    members: Integers


class Hit(NamedTuple):
    """A slice that was found.

    `mentions` and `documents` count what it holds beside the slices before it, `loss` is the mean loss of a mention.
    `excess` is how much more each loses than the others of its document, `points` what all of them lose so; both with
    intervals from documents drawn again. `p` is that of the search up to here.
    """

    conditions: tuple[Condition, ...]
    members: Integers
    mentions: int
    documents: int
    loss: float
    excess: float
    excess_ci: Interval
    points: float
    points_ci: Interval
    t: float
    p: float


class Search(NamedTuple):
    """What was found, how many documents and slices took part, and what could have been found.

    `finds` has for shares of mentions the excess that a slice of that size would need to be found in 80 of 100 cases.
    """

    hits: tuple[Hit, ...]
    documents: int
    candidates: int
    finds: Mapping[float, float]


class _Tested(NamedTuple):
    """The slices of a round, the t of each, the p of the largest, and what would be found."""

    candidates: list[Candidate]
    t: Floats
    best: int
    p: float
    finds: dict[float, float]


def search(
    population: Population, fields: Sequence[Kinds], trials: int = TRIALS, seed: int = SEED, most: int | None = None
) -> Search:
    """The slices of a population by some fields, in the order in which they are found.

    With more than `most` documents, slices are looked for in so many of them, drawn at random; what is said of a slice
    is always that of all documents.
    """
    random = np.random.default_rng([seed, _SLICES])
    left = np.arange(len(population.loss))
    looked = _looked_in(population, most, random)
    resamples = _RESAMPLES if looked.all() else _FEWER
    hits: list[Hit] = []
    first: _Tested | None = None
    while len(hits) < MOST:
        part, kinds = population.only(left), [Kinds(each.names, each.of[left]) for each in fields]
        some = np.flatnonzero(looked[left])
        sample, known = part.only(some), [Kinds(each.names, each.of[some]) for each in kinds]
        tested = _tested(sample, known, trials, random)
        first = first or tested
        if tested is None or tested.p > LIMIT or tested.t[tested.best] <= 0:
            break
        chosen, t = _explained(sample, known, tested)
        inside = [kinds[field].of == kind for field, kind in chosen.conditions]
        chosen = chosen._replace(members=np.flatnonzero(np.all(inside, axis=0)))
        hits.append(_hit(part, chosen, t, tested.p, seed, resamples)._replace(members=left[chosen.members]))
        left = np.delete(left, chosen.members)
    documents = _number(population.drawn)
    return Search(tuple(hits), documents, len(first.candidates) if first else 0, first.finds if first else {})


def _looked_in(population: Population, most: int | None, random: np.random.Generator) -> Flags:
    """Whether each mention is in a document in which slices are looked for."""
    documents = np.unique(population.drawn)
    if most is None or len(documents) <= most:
        return np.ones(len(population.drawn), np.bool_)
    return np.isin(population.drawn, random.choice(documents, most, replace=False))


# -- slices that take part -------------------------------------------------------------------------------------------


def _candidates(part: Population, fields: Sequence[Kinds]) -> list[Candidate]:
    """The kinds and pairs of kinds that take part; of those with the same mentions the first, with fewest kinds."""
    loss = np.abs(part.loss)
    least = SHARE * loss.sum()
    if least <= 0:
        return []
    values: list[Candidate] = []
    for number, (names, of) in enumerate(fields):
        heavy = np.bincount(of, loss, len(names)) >= least
        kinds = [kind for kind in np.flatnonzero(heavy).tolist() if names[kind] not in _NO_KINDS]
        values += [Candidate(((number, kind),), np.flatnonzero(of == kind)) for kind in kinds]
    whole = _per_group(part)
    drawn = np.zeros(len(whole), np.int64)
    drawn[part.group] = part.drawn
    common = [each for each in values if _number(part.drawn[each.members]) >= LEAST]
    pairs = [each for one, other in combinations(common, 2) if (each := _both(one, other, fields, loss, least))]
    found: dict[bytes, Candidate] = {}
    for each in (*common, *pairs):
        if _beside_others(each.members, part.group, whole, drawn):
            found.setdefault(each.members.tobytes(), each)
    return [*found.values()]


def _both(one: Candidate, other: Candidate, fields: Sequence[Kinds], loss: Floats, least: float) -> Candidate | None:
    """The mentions of two kinds, of different fields; None if they lose too little."""
    ((field, kind),) = other.conditions
    if field == one.conditions[0][0]:
        return None
    members = one.members[fields[field].of[one.members] == kind]
    if len(members) == len(one.members) or loss[members].sum() < least:
        return None
    return Candidate(one.conditions + other.conditions, members)


def _beside_others(members: Integers, group: Integers, whole: Floats, drawn: Integers) -> bool:
    """Whether these mentions are beside others in enough documents; `drawn` is by group."""
    inside = np.bincount(group[members], minlength=len(whole))
    return _number(drawn[(inside > 0) & (inside < whole)]) >= LEAST


def _per_group(part: Population) -> Floats:
    """The number of mentions in each document."""
    return np.bincount(part.group).astype(np.float64)


def _inside(part: Population, members: Integers, whole: Floats) -> Floats:
    """The number of these mentions in each document."""
    return np.bincount(part.group[members], minlength=len(whole)).astype(np.float64)


def _number(drawn: Integers) -> int:
    """How many different documents these are."""
    return int(np.count_nonzero(np.bincount(drawn)))


# -- the statistic and its chance ------------------------------------------------------------------------------------


def _scores(part: Population, candidates: Sequence[Candidate]) -> Floats:
    """The sums e of all entities for each slice: [entities, slices]."""
    whole = _per_group(part)
    beyond = part.loss - ratio(sums_by_group(part.group, part.loss, len(whole)), whole)[part.group]
    units, unit = np.unique(part.unit, return_inverse=True)
    codes, place = np.unique(unit * len(whole) + part.group, return_inverse=True)
    sums = sums_by_group(place, beyond, len(codes))  # of an entity in a document
    owner, group = codes // len(whole), codes % len(whole)
    found = np.empty((len(units), len(candidates)))
    for number, (_, members) in enumerate(candidates):
        share = ratio(_inside(part, members, whole), whole)
        inside = sums_by_group(unit[members], beyond[members], len(units))
        found[:, number] = inside - sums_by_group(owner, share[group] * sums, len(units))
    return found


def _statistics(scores: Floats) -> tuple[Floats, Floats]:
    """The t of each slice, and √Σ e²; t is 0 where there is nothing but rounding."""
    spread = np.sqrt((scores**2).sum(axis=0))
    spread[spread < _ROUNDING] = 0.0
    return ratio(scores.sum(axis=0), spread), spread


def _tested(part: Population, fields: Sequence[Kinds], trials: int, random: np.random.Generator) -> _Tested | None:
    """The slices that take part, tested; None if there are none."""
    candidates = _candidates(part, fields)
    if not candidates:
        return None
    scores = _scores(part, candidates)
    t, spread = _statistics(scores)
    scores *= ratio(np.ones_like(spread), spread)
    drawn = np.zeros((trials, len(candidates)))
    for start in range(0, len(scores), _UNITS):
        block = scores[start : start + _UNITS]
        signs = (1 - 2 * random.integers(0, 2, (trials, len(block)), np.int8)).astype(np.float64)
        drawn += signs @ block
    largest = drawn.max(axis=1)
    best = int(np.argmax(t >= t.max() - _ROUNDING))
    p = (1 + int((largest >= t[best] - _ROUNDING).sum())) / (trials + 1)
    needed = float(np.quantile(largest, 1 - LIMIT)) + _POWER
    return _Tested(candidates, t, best, p, _finds(part, candidates, needed * spread))


def _finds(part: Population, candidates: Sequence[Candidate], needed: Floats) -> dict[float, float]:
    """The excess that slices of some shares of the mentions need to be found; `needed` are the sums of their scores.

    It is about c / √(s(1 − s)) for a share s, where c is the median over the slices.
    """
    whole = _per_group(part)
    weight = np.array([_weight(_inside(part, each.members, whole), whole) for each in candidates])
    share = np.array([len(each.members) for each in candidates]) / len(part.loss)
    each: Floats = ratio(needed, weight) * np.sqrt(share * (1 - share))
    typical = float(np.median(each[weight > 0]))
    return {share: typical / (share * (1 - share)) ** 0.5 for share in SHARES}


def _weight(inside: Floats, whole: Floats) -> float:
    """What the sum of scores grows by if each of the mentions inside loses 1 more."""
    return float((inside * (1 - ratio(inside, whole))).sum())


def _explained(part: Population, fields: Sequence[Kinds], tested: _Tested) -> tuple[Candidate, float]:
    """The slice with the largest t; of a pair, one of its kinds that loses more without the pair, too."""
    best = tested.candidates[tested.best]
    if len(best.conditions) == 2:
        rest = np.delete(np.arange(len(part.loss)), best.members)
        left = part.only(rest)
        values = [Candidate((each,), np.flatnonzero(fields[each[0]].of == each[1])) for each in best.conditions]
        without = [each._replace(members=np.flatnonzero(np.isin(rest, each.members))) for each in values]
        t, _ = _statistics(_scores(left, without))
        if t.max() > STILL:
            number = int(np.argmax(t))
            return values[number], float(_statistics(_scores(part, [values[number]]))[0][0])
    return best, float(tested.t[tested.best])


# -- what is said of a slice -----------------------------------------------------------------------------------------


def _hit(part: Population, slice: Candidate, t: float, p: float, seed: int, resamples: int) -> Hit:
    """A slice with its excess over the others of the same documents, and intervals."""
    sums = _compared(part, slice.members)
    sample = Sample(sums[None], np.zeros(len(sums), np.int64), _excess_and_points)
    observed = sample.values
    resampled = bootstrap(sample, resamples, seed)
    ends = bca(observed, resampled, jackknife(sample), sample.strata)[0]
    (excess, points), (first, second) = observed[0].tolist(), map(interval, ends)
    loss = float(part.loss[slice.members].mean())
    documents = _number(part.drawn[slice.members])
    scaled = second[0] * part.points, second[1] * part.points
    return Hit(slice.conditions, slice.members, len(slice.members), documents, loss,
               excess, first, points * part.points, scaled, t, p)  # fmt: skip


def _compared(part: Population, members: Integers) -> Floats:
    """For each document the excess of these mentions over the others, and their number; 0 where there are no others."""
    whole = _per_group(part)
    inside = _inside(part, members, whole)
    lost = sums_by_group(part.group, part.loss, len(whole))
    own = sums_by_group(part.group[members], part.loss[members], len(whole))
    there = (inside > 0) & (inside < whole)
    excess = np.where(there, own - inside * ratio(lost - own, whole - inside), 0.0)
    documents, place = np.unique(part.drawn, return_inverse=True)
    of_group = np.zeros(len(whole), np.int64)
    of_group[part.group] = place
    columns = excess, np.where(there, inside, 0.0)
    return np.stack([sums_by_group(of_group, each, len(documents)) for each in columns], axis=1)


def _excess_and_points(sums: Floats) -> Floats:
    """A statistic: the mean excess of a mention, and that of all of them together."""
    whole: Floats = sums.sum(axis=-2)
    excess, number = whole[..., 0], whole[..., 1]
    return np.stack((ratio(excess, number), excess), axis=-1)
