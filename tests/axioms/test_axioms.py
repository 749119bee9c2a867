"""The search for counterexamples against literal definitions: sets, loops over all cases, exact fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

import slow
from scoref.axioms.cases import space, written
from scoref.axioms.properties import PROPERTIES, jumps
from scoref.axioms.scoring import CaseScores, conventions, metrics, score_all
from scoref.protocol.protocol import PROTOCOLS

MOST = 4
METRICS = ("mentions", "muc", "b3", "b3-classes", "ceafm", "ceafe", "lea", "pairwise", "blanc", "conll", "b3-sys")
WHOLE = {"deta": slow.detection, "assa": slow.association}

Side = frozenset[frozenset[str]]
Case = tuple[int, str, str, str]


@cache
def sides() -> list[Side]:
    found: set[Side] = {frozenset()}
    for letter in "abcd"[:MOST]:
        for side in [*found]:
            found.add(side | {frozenset(letter)})
            found |= {side - {entity} | {entity | {letter}} for entity in side}
    return [*found]


def word(side: Side) -> str:
    return "|".join(sorted("".join(sorted(entity)) for entity in side))


def members(side: Side) -> frozenset[str]:
    return frozenset().union(*side)


def companions(mention: str, side: Side) -> frozenset[str]:
    return next((entity for entity in side if mention in entity), frozenset())


@cache
def f1(metric: str, key: Side, response: Side) -> Fraction:
    """The f1; of HOTA its square, which is a fraction and has the same order."""
    numbered = [[[ord(mention) for mention in entity] for entity in side] for side in (key, response)]
    if metric == "hota":
        return f1("deta", key, response) * f1("assa", key, response)
    if metric in WHOLE:
        return WHOLE[metric]([(numbered[0], numbered[1])])[2]
    return slow.score(metric, [(numbered[0], numbered[1])])[2]


def without(mention: str, side: Side) -> Side:
    return frozenset(entity - {mention} for entity in side if entity != {mention})


def right(mention: str, key: Side, side: Side) -> set[str]:
    """What is right about a mention: that it is there or not (itself), and its link or none with each other."""
    others = members(key) | members(side) | {*"abcd"}
    found = {other for other in others if (other in companions(mention, key)) == (other in companions(mention, side))}
    there = (mention in members(key)) == (mention in members(side))
    return found - {mention} | ({mention} if there else set())


@cache
def steps() -> list[tuple[str, Side, Side]]:
    return [
        (mention, one, other)
        for mention in "abcd"[:MOST]
        for one in sides()
        for other in sides()
        if one != other and without(mention, one) == without(mention, other)
    ]


@cache
def repairs() -> list[tuple[Side, Side, Side, str]]:
    return [
        (key, one, other, mention)
        for key in sides()
        for mention, one, other in steps()
        if right(mention, key, one) < right(mention, key, other)
    ]


def failing(name: str, metric: str) -> Iterator[tuple[Side, Side, Side | None]]:
    def s(key: Side, response: Side) -> Fraction:
        return f1(metric, key, response)

    every = [(key, response) for key in sides() for response in sides()]
    if name == "range":
        yield from ((k, r, None) for k, r in every if not 0 <= s(k, r) <= 1)
    elif name == "maximal":
        yield from ((k, k, None) for k in sides() if k and s(k, k) != 1)
    elif name == "minimal":
        yield from ((k, r, None) for k, r in every if not members(k) & members(r) and s(k, r))
    elif name == "indiscernibles":
        yield from ((k, r, None) for k, r in every if k != r and s(k, r) == 1)
    elif name == "symmetry":
        yield from ((k, r, None) for k, r in every if s(k, r) != s(r, k))
    elif name.startswith("monotone"):
        there = {"move": (True, True), "add": (False, True), "drop": (True, False)}[name.removeprefix("monotone-")]
        for k, r, second, m in repairs():
            if (m in members(r), m in members(second)) == there and s(k, second) < s(k, r):
                yield k, r, second
    elif name == "strict":
        for k, r, second, m in repairs():
            counts = (m in members(k) or m not in members(second)) and members(k) & members(second)
            if counts and s(k, second) <= s(k, r):
                yield k, r, second
    elif name == "spurious-costs":
        for k in sides():
            for m, r, second in steps():
                if m not in members(k) | members(r) and s(k, r) > 0 and s(k, second) >= s(k, r):
                    yield k, r, second
    elif name == "missing-costs":
        for m, k, second in steps():
            if m not in members(second) and s(k, k) > 0 and s(k, second) >= s(k, k):
                yield k, k, second
    elif name == "homogeneity":
        for k, r in every:
            for entity in r if members(k) == members(r) else ():
                parts = {entity & ours for ours in k} - {frozenset()}
                if len(parts) == 2 and s(k, r - {entity} | parts) <= s(k, r):
                    yield k, r, r - {entity} | parts
    elif name == "completeness":
        for k, r in every:
            for one, other in combinations(r, 2) if members(k) == members(r) else ():
                second = r - {one, other} | {one | other}
                if any(one | other <= ours for ours in k) and s(k, second) <= s(k, r):
                    yield k, r, second


def smallest(name: str, metric: str) -> tuple[Case, tuple[Fraction, ...]] | None:
    """The first of all cases whose mentions are exactly the first letters, whatever the key."""
    found = []
    for key, response, second in failing(name, metric):
        there = members(key) | members(response) | members(second or frozenset())
        if there == {*"abcd"[: len(there)]}:
            scores = [f1(metric, key, response)]
            if name == "symmetry":
                scores.append(f1(metric, response, key))
            elif second is not None:
                scores.append(f1(metric, key, second))
            words = word(key), word(response), "" if second is None else word(second)
            found.append(((len(there), *words), tuple(scores)))
    return min(found) if found else None


@pytest.fixture(scope="module")
def scores() -> dict[str, CaseScores]:
    return score_all(MOST, (*METRICS, *WHOLE, "hota"), PROTOCOLS["conll-2012"])


LITERAL = (
    "range", "maximal", "minimal", "indiscernibles", "symmetry", "monotone-move", "monotone-add", "monotone-drop",
    "strict", "spurious-costs", "missing-costs", "homogeneity", "completeness",
)  # fmt: skip


@pytest.mark.parametrize("name", LITERAL)
@pytest.mark.parametrize("metric", [*METRICS, *WHOLE, "hota"])
def test_the_smallest_counterexample_is_that_of_the_definition(scores, metric, name):
    found, expected = PROPERTIES[name].search(scores[metric], MOST), smallest(name, metric)
    if found is None or expected is None:
        assert found is expected
        return
    second = "" if found.second is None else found.second
    assert (found.mentions, found.key, found.response, second) == expected[0]
    scores_there = [float(value) ** (0.5 if metric == "hota" else 1) for value in expected[1]]
    assert found.scores == pytest.approx(scores_there, abs=1e-12)


@pytest.mark.parametrize("metric", [*METRICS, *WHOLE])
def test_the_largest_change_between_neighbours(scores, metric):
    expected = [Fraction()] * MOST
    for key in sides():
        for _, one, other in steps():
            there = members(key) | members(one) | members(other)
            if there == {*"abcd"[: len(there)]}:
                change = abs(f1(metric, key, one) - f1(metric, key, other))
                expected[len(there) - 1] = max(expected[len(there) - 1], change)
    assert jumps(scores[metric], MOST) == pytest.approx([float(each) for each in expected], abs=1e-12)


def test_there_are_as_many_cases_as_mathematics_says():
    """Partitions of subsets of six: Bell(7); multisets of sizes: the partitions of 0 to 6 as numbers."""
    assert (len(space(6).sides), len(space(6).keys)) == (877, 1 + 1 + 2 + 3 + 5 + 7 + 11)
    assert [written(side) for side in space(2).keys] == ["", "a", "ab", "a|b"]


def test_every_preset_is_in_one_convention_and_every_metric_of_entities_takes_part():
    named = [name for names in conventions().values() for name in names]
    assert sorted(named) == sorted(PROTOCOLS)
    assert {*METRICS, "cc", "ari"} <= {*metrics()}
