"""Hypothesis strategies: keys and responses as lists of entities, which are lists of small integers."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

Partition = list[list[int]]


def _partition(mentions: int, entities: int, absent: float, random: Random) -> Partition:
    found: dict[int, list[int]] = {}
    for mention in range(mentions):
        if random.random() >= absent:
            found.setdefault(random.randrange(entities), []).append(mention)
    return list(found.values())


def _sides(mentions: int, random: Random) -> tuple[Partition, Partition]:
    entities = random.choice([1, 2, 3, 5, 8])
    absent = random.choices([0, 0.2, 0.4, 1], [4, 4, 4, 1], k=2)
    key, response = (_partition(mentions, entities, share, random) for share in absent)
    return key, response


# Key and response of one document, with twinless mentions on both sides, singletons, sometimes an empty side. Few
# entities make large ones, many make singletons. A true random spreads better than labels that Hypothesis draws.
sides = st.builds(_sides, st.integers(0, 11), st.randoms(use_true_random=True))

# Several documents.
corpora = st.lists(sides, min_size=1, max_size=4)

# One side.
partitions = sides.map(lambda pair: pair[0] or pair[1])


@st.composite
def shuffled(draw: st.DrawFn, partition: Partition) -> Partition:
    """The same partition with its entities and their mentions in another order."""
    return [draw(st.permutations(entity)) for entity in draw(st.permutations(partition))]
