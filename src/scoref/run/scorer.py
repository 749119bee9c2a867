"""`Scorer`: documents scored one by one, as in a training loop, by one process or by several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from ..document.clusters import Clusters
from ..document.document import Document, Origin
from ..formats.objects import Result
from ..pairing.batches import are_several, documents_of, given, named_alike
from ..pairing.pairs import Pair, text_of
from ..pairing.pairs import pair as paired
from ..problems import Error, Problems
from ..protocol.metric_names import listed
from ..protocol.protocol import Protocol, protocol_of
from ..results.evaluation import Evaluation
from .request import checked

if TYPE_CHECKING:
    from ..protocol.keywords import Choices, OnProblem

OneSide = Document | Result | Clusters  # one document, in any accepted form
Batch = Iterable[OneSide] | Mapping[Any, OneSide]  # several documents


class Scorer:
    """Scores documents one by one, as in a training loop.

    >>> scorer = Scorer(metrics=["muc", "lea"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["c", "d"]], [["c"], ["d"]])
    >>> scorer.compute()["muc"].recall
    0.5

    Scorers of several processes are added up with `merge`: the result does not depend on their order.

    Args:
        protocol: a preset, a signature or a `Protocol`; see `score`.
        metrics: the metrics to report, instead of those of the protocol.
        on_problem: `raise` stops at malformed input, `skip` leaves it out and reports it.
        **choices: changes to the protocol, like `singletons="drop"`; see `score`.
    """

    def __init__(
        self,
        protocol: str | Protocol = "conll-2012",
        metrics: Iterable[str] | None = None,
        on_problem: OnProblem | None = None,
        **choices: Unpack[Choices],
    ) -> None:
        base = protocol_of(protocol or "conll-2012")
        self.protocol = base.change(metrics=None if metrics is None else listed(metrics), **choices)
        self._policy = on_problem
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._problems = Problems(self._policy)
        self._pairs: list[Pair] = []
        self._unnamed: set[int] = set()  # the places of documents that were given no name

    def update(self, key: OneSide | Batch, response: OneSide | Batch, id: str | Iterable[str] | None = None) -> None:
        """Add a document: its key and the response to it, as clusters, as `Document`, or as a model gives them.

        Its name is `id`, or that of the key; a document without a name is numbered. A batch is a list of documents on
        both sides, with a list of names as `id`, or on both sides a mapping from names to documents.
        """
        sides = given(key, "key", self._problems), given(response, "response", self._problems)
        ours, theirs = documents_of(*sides)
        if not are_several(*sides):  # the name of the response does not matter
            own = ours[0].id if isinstance(key, Document | list | tuple) else ""
            ours, theirs = ([side[0].having(id=own)] for side in (ours, theirs))
        if id is not None:
            names = [*id] if isinstance(id, Iterable) and not isinstance(id, str) else [id]
            ours, theirs = _renamed(ours, theirs, names)
        first, reading = len(self._pairs), self.protocol.reading
        places = enumerate(zip(ours, theirs, strict=False), first)
        unnamed = {place for place, (one, other) in places if not (one.id or other.id)}
        pairs = paired(
            [("", *named_alike(ours, theirs, first))], reading.words, self._problems, reading.extra, place=reading.place
        )
        self._pairs += [pair._replace(dataset=pair.name) for pair in pairs]
        self._unnamed |= unnamed

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer with the same protocol.

        A document that both have (same name, key and response) counts once: samplers that pad batches give some
        documents to two processes. The same name with another key or response is an error. Documents without names
        all count.
        """
        if other.protocol != self.protocol:
            raise Error("different-protocols", "scorers with different protocols cannot be merged",
                        expected=self.protocol.signature(), text=other.protocol.signature())  # fmt: skip
        ours, theirs = self._by_name(), other._by_name()
        for name in ours.keys() & theirs.keys():
            _refuse_different(name, ours[name], theirs[name])
        renamed: dict[str, str] = {}
        for place, pair in enumerate(other._pairs):
            if place in other._unnamed:
                number = renamed[pair.name] = str(len(self._pairs))
                self._unnamed.add(len(self._pairs))
                key, response = (side.having(id=number) for side in (pair.key, pair.response))
                self._pairs.append(Pair(number, key, response, number, pair.drifted, pair.answered))
            elif pair.name not in ours:
                self._pairs.append(pair)
        for name in ours.keys() & theirs.keys():  # a document that one scorer has twice counts twice, in any order
            self._pairs += theirs[name][len(ours[name]) :]
        self._problems.found += [
            replace(problem, document=renamed.get(problem.document or "", problem.document))
            for problem in other._problems.found
        ]

    def _by_name(self) -> dict[str, list[Pair]]:
        """The documents that were given names, by name."""
        pairs: dict[str, list[Pair]] = {}
        for place, pair in enumerate(self._pairs):
            if place not in self._unnamed:
                pairs.setdefault(pair.name, []).append(pair)
        return pairs

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far."""
        problems = Problems(self._policy)
        problems.found += self._problems.found
        return checked(self._pairs, self.protocol.change(text=text_of(self._pairs)), problems)


def _refuse_different(name: str, ours: Sequence[Pair], theirs: Sequence[Pair]) -> None:
    """Refuse documents of one name whose key or response differs between the two scorers."""
    for which in ("key", "response"):
        contents = [{_content(getattr(pair, which)) for pair in pairs} for pairs in (ours, theirs)]
        if contents[0] != contents[1]:
            raise Error(
                "different-documents", f"two scorers have document {name} with different {which}s", document=name,
                expected="the same key and response, which count once",
                remedy="give each document an id of its own, and let each worker score it with the same model",
            )  # fmt: skip


def _content(document: Document) -> Hashable:
    """The content by which documents are compared: all but their origin, and the order and numbering of entities."""
    mentions = Counter(
        frozenset(Counter(mention.of(None) for mention in entity).items())
        if isinstance(name, int) and not document.sets
        else (name, tuple(entity))
        for name, entity in document.entities().items()
    )
    rest = replace(document, mentions=(), columns={}, origin=Origin())
    return frozenset(mentions.items()), repr(rest)


def _renamed(
    ours: Sequence[Document], theirs: Sequence[Document], names: Sequence[str]
) -> tuple[list[Document], list[Document]]:
    """Both sides with these names, in order; an error if documents of a batch already have other names."""
    if len(names) != len(ours):
        raise Error("bad-names", f"names: {len(names)}, but {len(ours)} documents",
                    expected="a name, or for a batch a list with a name for each document")  # fmt: skip
    known = next((each.id for each in (*ours, *theirs) if each.id), None)
    if known is not None and len(ours) > 1:
        raise Error("bad-names", "the documents of the batch have names already", text=known, expected="no id")
    both = ([each.having(id=name) for each, name in zip(side, names, strict=True)] for side in (ours, theirs))
    key, response = both
    return key, response
