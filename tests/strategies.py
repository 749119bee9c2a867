"""Hypothesis strategies: keys and responses as lists of entities, which are lists of small integers; documents."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from scoref.document.document import Document, Mention, position

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


def _document(random: Random, id: str) -> Document:
    """Few words with many mentions: nested, crossing, in pieces, with heads, zeros; in most, some places twice."""
    mentions: list[Mention] = []
    for _ in range(random.choice([0, 3, 6, 9])):
        first = random.randrange(7)
        words = [word for word in range(first, first + random.choice([1, 1, 2, 4])) if random.random() < 0.9]
        span = tuple(position(word) for word in words or [first])
        zero = random.random() < 0.2
        parents = ((position(first), random.choice(["nsubj", "obj"])),) if zero else ()
        span = (position(first, random.choice([1, 2])),) if zero else span
        entity = f"{id} {random.randrange(4)}"
        mentions.append(Mention(span, entity, head=random.choice(span), parents=parents))
    if random.random() < 0.4:
        mentions = [*{mention.span: mention for mention in mentions}.values()]
    return Document(id, tuple("abcdefghijkl"), tuple(mentions), (0,))


def _documents(number: int, random: Random) -> tuple[list[Document], list[Document]]:
    keys, responses = ([_document(random, f"d{place}") for place in range(number)] for _ in range(2))
    return keys, responses


# Keys and responses of documents that need several alignments, or have copies of mentions, beside others that do not.
documents = st.builds(_documents, st.integers(1, 4), st.randoms(use_true_random=True))
