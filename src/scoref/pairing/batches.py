"""Keys and responses given as Python values: documents, results of models, clusters, batches of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..document.clusters import EXPECTED, clusters, is_columnar, items_of, shape_of
from ..document.depth import depth_of, kept
from ..document.document import Document
from ..formats.objects import from_results
from ..problems import Error, Problems

_SAY = "say which: scoref.clusters(entities) is one document, [scoref.clusters(each) for each in documents] a batch"
_LESS = 'take off a level; of records, give the clusters alone: [record["clusters"] for record in records]'
_NUMBER = (
    "give an empty list for a document without entities, or name documents: {name: entities}; if it is one document "
    "whose mentions have several spans each, give scoref.clusters(entities)"
)
_SHAPES = "[entity, ...] of one document, [[entity, ...], ...] or {name: [entity, ...], ...} of several"


class Plain:
    """Plain clusters given for a side: the value, which side it is, and how deeply it is nested."""

    def __init__(self, value: Any, side: str) -> None:
        self.value = kept(value)
        self.side = side
        self.depth = depth_of(self.value)
        if self.depth.kind == "ambiguous":
            message = f"the {side} can be read in two ways: it is {self._levels}, and {self.depth.reason}"
            raise Error("ambiguous-clusters", message, expected=_SHAPES, remedy=_SAY)
        if self.depth.kind == "deep":
            message = f"the {side} is no clusters of mentions: it is {self._levels}, but {self.depth.reason}"
            raise Error("bad-clusters", message, expected=_SHAPES, remedy=_LESS)
        self._made: dict[bool, list[Document]] = {}

    @property
    def _levels(self) -> str:
        return f"{self.depth.levels} level{'s' * (self.depth.levels != 1)} deep"

    def __len__(self) -> int:
        """The number of documents, if it is a batch."""
        return len(self.value)

    @property
    def is_named(self) -> bool:
        """Whether it names its documents, if it is a batch."""
        return items_of(self.value)[0] is not None

    def is_batch(self, several: bool) -> bool:
        """Whether it is a batch, given whether the sides have several documents."""
        return several and self.depth.kind != "document"

    @property
    def what(self) -> str:
        """A description, for messages."""
        if self.depth.kind == "batch":
            return f"a batch of {len(self)} document{'s' * (len(self) != 1)} ({self._levels})"
        return f"the clusters of one document ({self._levels})"

    def documents(self, several: bool) -> list[Document]:
        """Its documents: those of a batch if there are `several`, else the only one."""
        if several not in self._made:
            self._made[several] = self._batch() if several else [_clustered(self.value, "", f"the {self.side}", None)]
        return self._made[several]

    def _batch(self) -> list[Document]:
        names, items = items_of(self.value)
        ids = [""] * len(items) if names is None else [*map(str, names)]
        return [
            _clustered(item, id, f"document {id or number} of the {self.side}", id or str(number))
            for number, (id, item) in enumerate(zip(ids, items, strict=True))
        ]


Given = list[Document] | Plain


def given(side: Any, name: str, problems: Problems) -> Given:
    """A side that is no file: documents, also from results of models, or plain clusters."""
    results = from_results(side, name, problems)
    whole = isinstance(side, str | bytes | list | tuple | Mapping) or is_columnar(side)
    if results is None and not whole and isinstance(side, Iterable):
        side = [*side]
        results = from_results(side, name, problems)
    return Plain(side, name) if results is None else results


def are_several(key: Given, response: Given) -> bool:
    """Whether the sides are batches; raises an Error if one is a batch and the other the clusters of one document.

    An empty side is what the other side is. Equally many empty lists on both sides are documents, as entities are never
    empty.
    """
    plain = [side for side in (key, response) if isinstance(side, Plain)]
    kinds = {side.depth.kind for side in plain}
    if {"batch", "document"} <= kinds:
        for side in plain:
            side.documents(side.depth.kind == "batch")  # raises a more precise error if a side is malformed
        message = ", but ".join(f"the {side.side} is {side.what}" for side in plain)
        remedy = f"give both sides alike: {_SHAPES}"
        raise Error("different-depths", message, expected="two batches, or two documents", remedy=remedy)
    if kinds == {"empty"}:
        return len(key) == len(response) > 1
    return "batch" in kinds or any(isinstance(side, list) and len(side) != 1 for side in (key, response))


def documents_of(key: Given, response: Given) -> tuple[list[Document], list[Document]]:
    """The documents of both sides; lists without names must be equally long."""
    several = are_several(key, response)
    batches = [side for side in (key, response) if isinstance(side, Plain) and side.is_batch(several)]
    ours, theirs = (side.documents(side.is_batch(several)) if isinstance(side, Plain) else side
                    for side in (key, response))  # fmt: skip
    if len(ours) != len(theirs) and not all(side.is_named for side in batches):
        message = f"documents: {len(ours)} of the key, but {len(theirs)} of the response"
        expected = "for each document of the key a response, in their order"
        raise Error("different-batches", message, expected=expected, remedy=_NUMBER)
    return ours, theirs


def named_alike(ours: list[Document], theirs: list[Document], first: int = 0) -> tuple[list[Document], list[Document]]:
    """The documents of two lists; those without names get the name of their partner, or a number from `first` on."""
    if len(ours) != len(theirs) or all(each.id for each in (*ours, *theirs)):
        return ours, theirs
    pairs = enumerate(zip(ours, theirs, strict=True), first)
    names = [one.id or other.id or str(number) for number, (one, other) in pairs]
    both = [
        [each if each.id else each.having(id=name) for each, name in zip(side, names, strict=True)]
        for side in (ours, theirs)
    ]
    return both[0], both[1]


def _clustered(value: Any, id: str, what: str, place: str | None) -> Document:
    """The document with that id from clusters in any shape; `what` and `place` describe it in messages."""
    try:
        return clusters(value, id)
    except TypeError as reason:
        message = f"{what} is {shape_of(value)}, and no clusters of mentions: {reason}"
        raise Error("bad-clusters", message, document=place, expected=EXPECTED) from None
