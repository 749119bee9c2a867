"""The f1 of every small key and response, by the stages that score files, under the conventions of the presets.

Conventions are what presets may differ in where a document has plain entities: what they do with singletons, with
mentions that one side lacks, with links that do not occur, and with mentions in several entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..counting.metrics import Links
from ..counting.special import is_defined
from ..counting.table import Floats
from ..document.clusters import clusters
from ..protocol.protocol import PROTOCOLS, Protocol
from ..relations.registry import METRICS, needed, on_table
from ..results.averages import addends, finished
from ..run.request import Request
from ..run.score import scored
from .cases import Side, first_of, normal, space

EQUAL = 1e-12  # scores that are no further apart are equal; different ones of small cases are much further apart
NAMED = 4  # mentions of the cases whose mentions are renamed in every way
LARGEST = range(2, 9)  # pairs in the cases of `size-quantity`

DIFFER = ("singletons", "twinless", "links", "split")


class CaseScores(NamedTuple):
    """The f1 of a metric: of each key and side, with the sides exchanged, of all small sides, of pairs against one."""

    plain: Floats
    exchanged: Floats
    named: Floats
    quantity: Floats


def metrics() -> list[str]:
    """The metrics that are computed from the entities of one document."""
    some = [name for name in METRICS if on_table(name)]
    return [name for name in some if not any(isinstance(METRICS[part].how, Links) for part in needed([name]))]


def conventions(presets: Iterable[str] = PROTOCOLS) -> dict[Protocol, list[str]]:
    """The protocols that may score plain entities differently, each with the presets that score them so.

    >>> [names for names in conventions().values() if "e2e" in names]
    [['e2e', 'allennlp']]
    """
    found: dict[Protocol, list[str]] = {}
    for name in presets:
        found.setdefault(convention(PROTOCOLS[name]), []).append(name)
    return found


def convention(protocol: Protocol) -> Protocol:
    """The official protocol with what another one does differently where a document has plain entities."""
    words = {choice: getattr(protocol, choice) for choice in DIFFER}
    words["split"] = words["split"] if words["split"] == "distribute" else None  # no set: the others are the same
    return PROTOCOLS["conll-2012"].change(metrics=("b3",), **words)


def defined(names: Sequence[str], protocol: Protocol) -> list[str]:
    """The metrics that are defined under a convention."""
    if protocol.split != "distribute":
        return [*names]
    return [name for name in names if all(is_defined(METRICS[part]) for part in needed([name]))]


class CaseInputs:
    """The keys and responses that are scored for cases of at most so many mentions."""

    def __init__(self, most: int) -> None:
        """The cases of at most so many mentions."""
        self.space = space(most)
        self.small = space(min(most, NAMED))

    @cached_property
    def pairs(self) -> list[tuple[Side, Side]]:
        """Key and response of every score that is needed, in the order of the fields of `CaseScores`."""
        plain = [(key, side) for key in self.space.keys for side in self.space.sides]
        named = [(key, side) for key in self.small.sides for side in self.small.sides]
        quantity = [(key, side) for key, *both in map(quantity_case, LARGEST) for side in both]
        return [*plain, *((side, key) for key, side in plain), *named, *quantity]

    def cut(self, values: Floats) -> CaseScores:
        """The scores of all pairs as tables."""
        shape, small = (len(self.space.keys), len(self.space.sides)), len(self.small.sides)
        plain, exchanged, named, quantity = np.split(values, np.cumsum([shape[0] * shape[1]] * 2 + [small * small]))
        return CaseScores(plain.reshape(shape), exchanged.reshape(shape), named.reshape(small, small),
                      quantity.reshape(-1, 2))  # fmt: skip


def quantity_case(pairs: int) -> tuple[Side, Side, Side]:
    """A key with a large entity and so many pairs; all pairs split; one mention split off the large entity instead.

    >>> quantity_case(2)
    (('abc', 'de', 'fg'), ('abc', 'd', 'e', 'f', 'g'), ('ab', 'c', 'de', 'fg'))
    """
    large, *twos = first_of((pairs + 1, *[2] * pairs))
    key = large, *twos
    return key, normal([large, *"".join(twos)]), normal([large[:-1], large[-1:], *twos])


def score_all(most: int, names: Sequence[str], protocol: Protocol) -> dict[str, CaseScores]:
    """The scores of all pairs by each metric that is defined under the protocol."""
    inputs = CaseInputs(most)
    some = defined(names, protocol)
    values = f1(inputs.pairs, protocol.change(metrics=some)) if some else np.empty((0, 0))
    return {name: inputs.cut(values[:, column]) for column, name in enumerate(some)}


def f1(pairs: Sequence[tuple[Side, Side]], protocol: Protocol) -> Floats:
    """The f1 [pairs, metrics] of keys and responses, each a document of its own."""
    key, response = (
        [clusters([*map(list, pair[side])], str(number)) for number, pair in enumerate(pairs)] for side in (0, 1)
    )
    evaluation = scored(Request.of(key, response, {"protocol": protocol}))
    return np.asarray(finished(protocol, addends(protocol, evaluation.counts)[:, None, :])[..., 2], np.float64)
