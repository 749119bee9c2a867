"""How much the places of strings without positions can matter: the scores of other places, drawn at random.

The strings of an answer that occur again in the key could have had other places. Each time as many mentions as are
listed get places of their string at random; what is scored is the same metric, by the same protocol.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..answers.chance import RandomPlaces
from ..answers.payloads import Place
from ..counting.table import Floats
from ..document.document import Mention
from ..pairing.pairs import Pair
from ..problems import Problems
from ..results.evaluation import Evaluation
from .stages import evaluate

TRIALS, SEED = 200, 12345
_ENDS = (2.5, 97.5)  # percentiles
METRIC = "conll"


def placement(result: Evaluation, pairs: Sequence[Pair]) -> list[float] | None:
    """The 2.5 and 97.5 percentiles of `conll` over random places; None if no string could have another place."""
    open_pairs = [number for number, pair in enumerate(pairs) if pair.answered and pair.answered.listed
                  and pair.answered.listed.doubts]  # fmt: skip
    protocol = result.protocol
    alone = protocol.reading.scope == "document" and protocol.counting.weights == "none"
    if not open_pairs or METRIC not in protocol.metrics or not alone or len(pairs) != len(result.documents):
        return None
    seed = random.Random(SEED)
    counts = {name: np.repeat(values[None], TRIALS, axis=0) for name, values in result.counts.items()}
    plain = protocol.change(metrics=(METRIC,))
    for number in open_pairs:
        others = _counts([*_others(pairs[number], seed)], replace(result, protocol=plain))
        for name, values in others.items():
            counts[name][:, number] = values
    found = [replace(result, protocol=plain, counts={name: values[trial] for name, values in counts.items()})[METRIC].f1
             for trial in range(TRIALS)]  # fmt: skip
    low, high = np.percentile(found, _ENDS).tolist()
    return [low, high]


def _others(pair: Pair, seed: random.Random) -> Iterator[Pair]:
    """The pair with its strings at random places, many times."""
    assert pair.answered
    assert pair.answered.listed
    listed = pair.answered.listed
    chance = RandomPlaces(listed, seed)
    known: dict[tuple[int, Place | int | None], Mention] = {}  # most are the same each time
    for _ in range(TRIALS):
        places = [[item.place for item in items] for items in listed.lists]
        for (entity, number), seat in chance.draw().items():
            places[entity][number] = seat
        mentions: list[Mention] = []
        for entity, row in enumerate(places):
            found = dict.fromkeys(row)  # a span once in an entity
            found.pop(None, None)
            for each in (*found, *range(row.count(None))):
                if (entity, each) not in known:
                    known[entity, each] = _mention(each, entity)
                mentions.append(known[entity, each])
        yield pair._replace(response=replace(pair.response, mentions=mentions))


def _mention(place: Place | int | None, entity: int) -> Mention:
    """The mention at a place, or one without a place, of which an entity may have several."""
    if isinstance(place, tuple):
        return Mention.at(*place, entity)
    return Mention((), entity, f"lost {entity} {place}")


def _counts(pairs: Sequence[Pair], result: Evaluation) -> dict[str, Floats]:
    return dict(evaluate(pairs, result.protocol, Problems("skip")).counts)
