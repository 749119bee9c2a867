"""Pairs of systems that are equally good, and how often a test tells them apart nevertheless."""

from __future__ import annotations

import numpy as np

import corpus
import scoref
from scoref.statistics.samples import sample_of
from scoref.statistics.significance import randomisations


def equal_systems(documents: int, seed: int = 0) -> tuple[scoref.Evaluation, scoref.Evaluation]:
    """Two systems that make the same kinds of errors, as often, on the same key; all metrics."""
    random = np.random.default_rng(seed)
    sides: list[list[scoref.Document]] = [[], [], []]
    for text in corpus.texts(documents, 500, seed):
        for side, mentions in zip(sides, (text.key, noisy(text.key, random), noisy(text.key, random)), strict=True):
            side.append(scoref.clusters(corpus.clusters(mentions), text.name))
    first, second = (scoref.score(sides[0], responses, metrics=["all"]) for responses in sides[1:])
    return first, second


def noisy(key: list[corpus.Mention], random: np.random.Generator) -> list[corpus.Mention]:
    """The mentions without some, with others moved to another entity."""
    entities = 1 + max(entity for _, _, entity in key)
    found = []
    for first, last, entity in key:
        if random.random() >= corpus.MISSED:
            moved = random.random() < corpus.MOVED
            found.append((first, last, (entity + int(random.integers(1, entities)) * moved) % entities))
    return found


def rejected(simulations: int, units: int, trials: int, seed: int = 0) -> dict[str, float]:
    """How often the test rejects at 5 %, by metric, when it is chance which of two equal systems is which.

    Each simulation draws documents from a pool, and tosses a coin for each of them.
    """
    first, second = equal_systems(10 * units, seed)
    pool = sample_of([first, second], "document")
    random = np.random.default_rng(seed)
    counts = np.zeros(len(first.scores))
    for number in range(simulations):
        sums = pool.sums[:, random.choice(len(pool.strata), units, replace=False)]
        exchanged = random.integers(0, 2, units).astype(bool)[None, :, None]
        sample = pool._replace(sums=np.where(exchanged, sums[::-1], sums), strata=np.zeros(units, np.int64))
        counts += randomisations(sample, [(0, 1)], trials, seed=number)[0].p[:, 2] < 0.05
    return dict(zip(first.scores, (counts / simulations).tolist(), strict=True))
