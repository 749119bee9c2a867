"""No scorer: the definitions of metrics, literally and slowly, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from suite import literal, literal_sets
from suite.cases import Case
from suite.numbers import triple
from suite.scorers import DEFINITION, SETS
from suite.sides import Side

from . import plain

SCORERS = {
    DEFINITION: plain.facts(
        "definition", "", "conformance/suite/literal.py", " ".join(sorted({*literal.METRICS} - {"nonlinks", "conll"})),
        digits="exact fractions", sets=" ".join(name for name, each in SETS.items() if DEFINITION in each.authorities),
    )
}  # fmt: skip


def score(place: Path, scorer: str, cases: Iterable[Case]) -> Iterator[dict[str, str]]:
    """The fractions of each case."""
    for case in cases:
        names = SETS[case.set].authorities[DEFINITION].split()
        yield with_sets(case, names) if case.set == "anaphora" else given(case, names)


def given(case: Case, names: Iterable[str]) -> dict[str, str]:
    """The fractions of some metrics."""
    numbers: dict[tuple[int, int], int] = {}
    documents = [
        tuple([[numbers.setdefault(mention, len(numbers)) for mention in cluster] for cluster in side] for side in pair)
        for pair in plain.pairs(case)
    ]
    return {name: triple(*literal.score(name, [*documents])) for name in names}


def with_sets(case: Case, names: Iterable[str]) -> dict[str, str]:
    """The fractions of a case with sets, by Paun et al. (2023); none of a metric with several best alignments."""
    [text] = case.texts()
    sides = [_side(text.side(which) or []) for which in ("key", "response")]
    if not any(side.sets for side in sides) or "!" in case.row["key"] + case.row["response"]:
        return {}
    found = {}
    for name in names:
        try:
            if name == "blanc":
                kinds = [literal_sets.counts(kind, *sides) for kind in ("pairwise", "nonlinks")]
                found[name] = triple(*literal.mean([literal.ratios(sums) for sums in kinds if sums[1] or sums[3]]))
            else:
                found[name] = triple(*literal.ratios(literal_sets.counts(name, *sides)))
        except literal_sets.Tied:
            continue
    return found


def _side(side: Side) -> literal_sets.Side:
    places = {group.name: number for number, group in enumerate(side)}
    sets = {number: [places[each] for members in group.sets for each in members] for number, group in enumerate(side)}
    entities = [[spot.first[0] * 1000 + spot.last[0] for spot in group.mentions] for group in side]
    return literal_sets.Side(entities, {number: members for number, members in sets.items() if members})
