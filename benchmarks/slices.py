"""How often slices keep their promise: nothing where nothing is planted, and what is planted first.

    python benchmarks/slices.py                                     toy documents: 100 sets of each setting
    python benchmarks/slices.py --sets 20 --documents 30            fewer sets, of 30 documents only
    python benchmarks/slices.py --files KEY,RESPONSE                slices planted in real files

Toy documents have about 47 mentions in 11 entities, and five fields. 28 % of the mentions lose something; for a planted
slice the rate rises. *Tied*: two fields are mostly those of the entity. *Closely*: losses of an entity nearly agree.

In real files mentions, entities, kinds and losses are as they are, but losses are dealt anew within each document: in
the order of entities, which are shuffled on both sides, so that losses of an entity still go together and no slice is
real. Then, as a slice is planted, all others lose nothing with some chance. `--documents` draws documents with
replacement.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

import scoref
from scoref.document.kinds import Kinds
from scoref.errors.slicing.populations import losses
from scoref.errors.slicing.search import Condition, Population, search
from scoref.layout.grid import Grid
from scoref.layout.render import markdown_table
from scoref.results.kinds import summed

Slices = tuple[Condition, ...]
Drawn = tuple[Population, list[Kinds], Slices]

FIELDS = ((0.12, 0.88), (0.2, 0.3, 0.5), (0.3, 0.3, 0.4), (0.25,) * 4, (0.1, 0.2, 0.3, 0.4))
ENTITIES, MENTIONS, RATE = 11, 47, 0.28
TIES = ("", "tied", "closely")
VALUE, LARGE, PAIR, WIDE = ((0, 0),), ((1, 0),), ((1, 0), (2, 0)), ((2, 2), (3, 0))
SETTINGS: dict[str, tuple[Slices, float, tuple[str, ...]]] = {
    "nothing": ((), 0.0, TIES),
    "a kind, 12 % of mentions, + .15": (VALUE, 0.15, ("",)),
    "a kind, 12 %, + .25": (VALUE, 0.25, TIES),
    "a kind, 20 %, + .20": (LARGE, 0.2, ("",)),
    "a pair, 6 %, + .40": (PAIR, 0.4, ("",)),
    "a pair, 10 %, + .15": (WIDE, 0.15, ("",)),
    "a pair, 10 %, + .30": (WIDE, 0.3, TIES),
}
ALIKE = 0.8
CHANCES = (0.0, 0.25, 0.5)  # that others lose nothing, in real files


class Outcome(NamedTuple):
    """What was found in the sets of a setting: how often anything, how often first what was planted, exactly or nearly.

    Nearly: at least `ALIKE` of the mentions of both together are in both.
    """

    what: str
    documents: int
    sets: int
    reported: int
    first: int
    nearly: int


def toy(random: np.random.Generator, documents: int, planted: Slices, rise: float, ties: str) -> Drawn:
    """A corpus of toy documents."""
    document = np.repeat(np.arange(documents), random.poisson(MENTIONS, documents) + 1)
    weights = random.dirichlet(np.ones(ENTITIES), documents).cumsum(axis=1)
    entity = document * ENTITIES + (random.random(len(document))[:, None] > weights[document]).sum(axis=1)
    kinds = []
    for number, chances in enumerate(FIELDS):
        own, shared = (random.choice(len(chances), size, p=chances) for size in (len(document), documents * ENTITIES))
        tied = ties != "" and number in (1, 2)
        kinds.append(np.where(tied & (random.random(len(document)) < 0.8), shared[entity], own))
    inside = np.ones(len(document), np.bool_)
    for field, kind in planted:
        inside &= kinds[field] == kind
    chance, amount = random.random(len(document)), random.uniform(0.2, 1, len(document))
    if ties == "closely":
        alike = random.random(len(document)) < 0.9
        chance = np.where(alike, random.random(documents * ENTITIES)[entity], chance)
        amount = np.where(alike, random.uniform(0.2, 1, documents * ENTITIES)[entity], amount)
    lost = np.where(chance < RATE + rise * inside * bool(planted), amount, 0.0)
    names = [tuple(map(str, range(len(chances)))) for chances in FIELDS]
    fields = [Kinds(name, of) for name, of in zip(names, kinds, strict=True)]
    return Population(lost, document, entity, document, 100 / len(document)), fields, planted


class RealFiles:
    """The mentions of the key, or of the response, of real files, from which corpora are drawn."""

    def __init__(self, key: str, response: str, side: int) -> None:
        result = scoref.score(key, response, metrics=["b3"])
        counts = summed(result, result.evidence)
        lost = losses([counts.sides[side]], [counts.of("b3", side)], side, "span", ())
        self.population, self.kinds = lost.population, [*lost.kinds.values()]
        self.places = [np.flatnonzero(self.population.group == each) for each in np.unique(self.population.group)]

    def drawn(self, random: np.random.Generator, documents: int, pair: bool, chance: float) -> Drawn:
        """Documents with losses dealt anew; a kind, or a pair of kinds, is planted if there is a chance."""
        every = range(len(self.places))
        chosen = every if documents == len(every) else random.choice(len(every), documents).tolist()
        places = [self.places[number] for number in chosen]
        mention = np.concatenate(places)
        document = np.repeat(np.arange(len(places)), [*map(len, places)])
        unit = document * (int(self.population.unit.max()) + 1) + self.population.unit[mention]
        loss = np.concatenate([_dealt(random, self.population.unit[at], self.population.loss[at]) for at in places])
        fields = [Kinds(each.names, each.of[mention]) for each in self.kinds]
        planted = self._planted(random, fields, pair) if chance else ()
        inside = np.ones(len(mention), np.bool_)
        for field, kind in planted:
            inside &= fields[field].of == kind
        loss[~inside & (random.random(len(loss)) < chance)] = 0.0
        return Population(loss, document, unit, document, 100 / len(loss)), fields, planted

    def _planted(self, random: np.random.Generator, fields: list[Kinds], pair: bool) -> Slices:
        """A kind of 10 to 30 % of the mentions, or a pair of 5 to 15 % that is not nearly one of its kinds."""
        while True:
            some = sorted(random.choice(len(fields), 1 + pair, replace=False).tolist())
            planted = tuple((field, int(random.integers(len(fields[field].names)))) for field in some)
            each = [fields[field].of == kind for field, kind in planted]
            share = float(np.all(each, axis=0).mean())
            low, high = (0.05, 0.15) if pair else (0.1, 0.3)
            if low <= share <= high and (not pair or share < 0.5 * min(one.mean() for one in each)):
                return planted


def _dealt(random: np.random.Generator, unit: np.ndarray, loss: np.ndarray) -> np.ndarray:
    """The losses of a document in another order: entities are shuffled on both sides, their losses stay together."""
    ranks = [random.permutation(int(unit.max()) + 1)[unit] for _ in range(2)]
    given, taken = (np.argsort(rank, kind="stable") for rank in ranks)
    found = np.empty_like(loss)
    found[taken] = loss[given]
    return found


def measured(what: str, documents: int, sets: int, draw: Callable[[np.random.Generator], Drawn], seed: int) -> Outcome:
    """What is found in so many sets."""
    reported = first = nearly = 0
    for number in range(sets):
        population, fields, planted = draw(np.random.default_rng([seed, documents, number]))
        members = _members(fields, planted)
        hits = search(population, fields, seed=number).hits
        reported += bool(hits)
        if hits and planted:
            alike = len(np.intersect1d(hits[0].members, members)) / len(np.union1d(hits[0].members, members))
            first, nearly = first + (alike == 1), nearly + (alike >= ALIKE)
    return Outcome(what, documents, sets, reported, first, nearly)


def _members(fields: list[Kinds], planted: Slices) -> np.ndarray:
    return (
        np.flatnonzero(np.all([fields[field].of == kind for field, kind in planted], axis=0))
        if planted
        else np.empty(0)
    )


def outcomes(options: argparse.Namespace) -> Iterator[Outcome]:
    """The outcomes of all settings."""
    if options.files:
        key, response = options.files.split(",")
        for side, name in enumerate(("recall", "precision")):
            real = RealFiles(key, response, side)
            for documents in options.documents or [len(real.places)]:
                for chance in CHANCES:
                    for pair in (False, True) if chance else (False,):
                        what = (
                            f"a {'pair' if pair else 'kind'}, others lose nothing in {chance:.0%}"
                            if chance
                            else "nothing"
                        )
                        yield measured(f"{name}: {what}", documents, options.sets,
                                       lambda random, n=documents, p=pair, c=chance, r=real: r.drawn(random, n, p, c),
                                       options.seed)  # fmt: skip
        return
    for documents in options.documents or [30, 100]:
        for name, (planted, rise, ties) in SETTINGS.items():
            for tie in ties:
                what = f"{name}; {tie}" if tie else name
                yield measured(what, documents, options.sets,
                               lambda random, n=documents, p=planted, r=rise, t=tie: toy(random, n, p, r, t),
                               options.seed)  # fmt: skip


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--documents", type=lambda text: [*map(int, text.split(","))])
    parser.add_argument("--files")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    rows = []
    start = time.process_time()
    for each in outcomes(options):
        print(f"{time.process_time() - start:7.1f} s  {each}", file=sys.stderr, flush=True)
        rows.append(each)
    header = ("planted", "documents", "sets", "something reported", "planted first", "or nearly")
    print(markdown_table(Grid("", header, rows)))


if __name__ == "__main__":
    main()
