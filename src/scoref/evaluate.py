"""From two sides to an evaluation: pair the documents, run the stages, keep the sums."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from . import __version__, formats, grid
from .exceptions import Error, Problem, Problems
from .match import Alignment, align
from .metrics import METRICS, Score, document_counts, entity_counts, needed
from .metrics import score as _score
from .model import Clusters, Document, clusters
from .normalise import normalise
from .parallel import ordered_map
from .protocol import PROTOCOLS, Protocol, preset
from .table import Entities, Floats, Table, build

Side = str | os.PathLike[str] | Document | Sequence[Document] | Clusters
Progress = Callable[[str, int, int], None]

_UNWRITTEN = ("_", "-", "[WORD]")  # what files without words have in their place


class EntityScore(NamedTuple):
    """What one entity contributes to a metric: recall for key entities, precision for those of the response."""

    side: str
    document: str
    entity: Hashable
    size: int
    counts: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Evaluation:
    """The result: per document and metric the sums that every score is made of, and what was found on the way.

    >>> result = score([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> result["muc"].precision
    0.5
    >>> print(result)
    metric    recall  precision      f1
    mentions  100.00     100.00  100.00
    muc       100.00      50.00   66.67
    b3        100.00      55.56   71.43
    ceafe      40.00      80.00   53.33
    conll      80.00      61.85   63.81
    <BLANKLINE>
    1 document
    signature conll-2012|match:exact|...
    """

    protocol: Protocol
    documents: tuple[str, ...]
    counts: Mapping[str, Floats] = field(repr=False)
    problems: tuple[Problem, ...] = ()
    table: Table | None = field(default=None, repr=False, compare=False)
    entities: tuple[Entities, Entities] | None = field(default=None, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """All choices of the protocol and the version, in one line."""
        return f"{self.protocol.signature()}|scoref:{__version__}"

    def __getitem__(self, metric: str) -> Score:
        if metric not in self.protocol.metrics:
            scored = ", ".join(self.protocol.metrics)
            raise Error("unscored-metric", f"'{metric}' was not scored", expected=f"one of {scored}",
                        remedy="ask for it with metrics=[...]")  # fmt: skip
        if self.protocol.average == "macro":
            scores = [_score(metric, self._sums(number)) for number in range(len(self.documents))]
            return Score(*np.mean(scores, axis=0).tolist())
        return _score(metric, self._sums())

    def _sums(self, document: int | None = None) -> dict[str, Floats]:
        return {
            name: counts.sum(axis=0) if document is None else counts[document] for name, counts in self.counts.items()
        }

    @property
    def scores(self) -> dict[str, Score]:
        """The score of every metric of the protocol."""
        return {metric: self[metric] for metric in self.protocol.metrics}

    def by_document(self) -> dict[str, dict[str, Score]]:
        """The scores of each document alone."""
        return {
            name: {metric: _score(metric, self._sums(number)) for metric in self.protocol.metrics}
            for number, name in enumerate(self.documents)
        }

    def by_entity(self) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first.

        The cost of an entity is what its numerator falls short of its denominator, in B³ if that was scored, else in
        the first metric.
        """
        if self.table is None or self.entities is None:
            raise Error("no-entities", "this evaluation holds sums only, no entities")
        names = [name for name in needed(self.protocol.metrics) if METRICS[name].twinless == "as-is"]
        found: list[EntityScore] = []
        for side, table, entities in zip(
            formats.SIDES, (self.table, self.table.transposed), self.entities, strict=True
        ):
            counts = {name: entity_counts(METRICS[name], table).tolist() for name in names}
            for number, (document, entity) in enumerate(zip(*entities, strict=True)):
                values = {name: (each[number][0], each[number][1]) for name, each in counts.items()}
                size = int(table.key_size[number])
                found.append(EntityScore(side, self.documents[document], entity, size, values))
        ruler = "b3" if "b3" in names else names[0]
        return sorted(found, key=lambda entity: entity.counts[ruler][0] - entity.counts[ruler][1])

    def to_dict(self) -> dict[str, Any]:
        """The result as `scoref score --json` prints it."""
        return {
            "scoref": __version__,
            "signature": self.signature,
            "protocol": {**self.protocol.__dict__, "metrics": list(self.protocol.metrics)},
            "documents": len(self.documents),
            "problems": [problem.to_dict() for problem in self.problems],
            "scores": {metric: score._asdict() for metric, score in self.scores.items()},
            "counts": {
                metric: {"recall": sums[:2].tolist(), "precision": sums[2:].tolist()}
                for metric, sums in self._sums().items()
            },
        }

    def grid(self) -> grid.Grid:
        """The scores as a table."""
        rows: list[tuple[grid.Cell, ...]] = [(metric, *score) for metric, score in self.scores.items()]
        return grid.Grid("", ("metric", "recall", "precision", "f1"), rows)

    def notes(self) -> list[str]:
        """What belongs beside the scores: the number of documents, the problems found, the signature."""
        number = len(self.documents)
        lines = [f"{number} document{'s' * (number != 1)}"]
        for code, count in Counter(problem.code for problem in self.problems).items():
            first = next(problem for problem in self.problems if problem.code == code)
            lines.append(f"{count} × {code}: {first.message}" + (f" ({first.place})" if first.place else ""))
        return [*lines, f"signature {self.signature}"]

    def __str__(self) -> str:
        return "\n".join([grid.text(self.grid()), "", *self.notes()])


# -- reading and pairing ---------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A key document, the response to it, and the name they go by in reports."""

    name: str
    key: Document
    response: Document


def read_pairs(
    key: str,
    response: str,
    problems: Problems,
    *,
    format: str | None = None,
    ends: str = "inclusive",
    jobs: int = 1,
    progress: Progress | None = None,
) -> tuple[formats.Format, list[tuple[str, list[Document], list[Document]]]]:
    """The documents of two files, or of two folders whose files are paired by their relative names."""
    sides = [formats.files(side) for side in (key, response)]
    if not sides[0].keys() & sides[1].keys():
        raise Error(
            "no-common-file", "no file of the response has the name of a file of the key", path=f"{key}, {response}",
            expected="two files, or two folders with files of the same names",
            remedy="rename the files: they are paired by their names relative to the folders",
        )  # fmt: skip
    for name in sides[1].keys() - sides[0].keys():
        problems.add(Problem("extra-file", "a file that the key does not have", str(sides[1][name]),
                             remedy="remove it, or leave it out with --on-problem skip"))  # fmt: skip
    tasks = [
        (str(file), format, side, ends, problems.policy)
        for side, files in zip(formats.SIDES, sides, strict=True)
        for name, file in files.items()
        if name in sides[0]
    ]
    read: dict[tuple[str, str], list[Document]] = {}
    found: formats.Format | None = None
    for number, (task, (name, documents, reported)) in enumerate(
        zip(tasks, ordered_map(_read, tasks, jobs if len(tasks) > 2 else 1), strict=True)
    ):
        found = found or formats.named(name)
        if name != found.name:
            raise Error("mixed-formats", f"this file is {name}, the key is {found.name}", path=task[0],
                        expected=f"a {found.name} file", remedy="convert it first: scoref convert IN OUT")  # fmt: skip
        problems.found += reported
        read[task[2], task[0]] = documents
        if progress:
            progress("files read", number + 1, len(tasks))
    assert found is not None
    return found, [
        (name, read["key", str(file)], read.get(("response", str(sides[1].get(name))), []))
        for name, file in sides[0].items()
    ]


def _read(task: tuple[str, str | None, str, str, str]) -> tuple[str, list[Document], list[Problem]]:
    path, format, side, ends, policy = task
    problems = Problems(policy)
    source = formats.Source(formats.load(path), path, side, ends)
    found, documents = formats.read_source(source, format, problems)
    return found.name, documents, problems.found


def pair(
    files: Iterable[tuple[str, Sequence[Document], Sequence[Document]]], words: str, problems: Problems
) -> list[Pair]:
    """Pairs of documents with the same id, file by file.

    A document missing from the response is an empty one and reported; an extra one is an error.
    """
    pairs: list[Pair] = []
    for file, keys, responses in files:
        there = {document.id: document for document in responses}
        for key in keys:
            response = there.pop(key.id, None)
            if response is None:
                remedy = "nothing, if it is meant: its response counts as empty"
                problems.add(Problem("missing-document", f"the response lacks document {key.id or file}", key.source,
                                     key.line, key.id, remedy=remedy, fatal=False))  # fmt: skip
            elif (problem := _mismatch(key, response, words)) is not None:
                problems.add(problem)
                response = None
            if response is None:
                response = Document(key.id)
            else:  # trees of response mentions are cut from the key's parse
                response = replace(response, columns=key.columns, words=key.words or response.words)
            pairs.append(Pair(key.id or file or "document", key, response))
        for document in there.values():
            problems.add(Problem("extra-document", "a document that the key does not have", document.source,
                                 document.line, document.id, expected="only documents of the key",
                                 remedy="remove it, or leave it out with --on-problem skip"))  # fmt: skip
    names = Counter(pair.name for pair in pairs)
    if len(names) == len(pairs):
        return pairs
    owners = [file for file, keys, _ in files for _ in keys]
    return [pair._replace(name=f"{file}:{pair.name}") for file, pair in zip(owners, pairs, strict=True)]


def _mismatch(key: Document, response: Document, words: str) -> Problem | None:
    """How the words of two documents differ, if they do; documents without words are not compared."""
    ours, theirs = key.words, response.words
    if not ours or not theirs:
        return None
    remedy = "score the response on the key's tokens; with --on-problem skip the document's response counts as empty"
    if len(ours) != len(theirs):
        return Problem("token-count", f"{len(theirs)} tokens, but the key has {len(ours)}", response.source,
                       response.line, response.id, None, f"the {len(ours)} tokens of {key.source}", remedy)  # fmt: skip
    if words == "ignore" or ours == theirs:
        return None
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        if our != their and our not in _UNWRITTEN and their not in _UNWRITTEN:
            line = response.lines[number] if response.lines else response.line
            place = f"{key.source}:{key.lines[number]}" if key.lines else f"{key.source}"
            return Problem("different-word", "another word than in the key", response.source, line, response.id, their,
                           f'"{our}" as in {place}', remedy + "; or --words ignore")  # fmt: skip
    return None


# -- the stages ------------------------------------------------------------------------------------------------------


def evaluate(
    pairs: Sequence[Pair], protocol: Protocol, problems: Problems, *, jobs: int = 1, progress: Progress | None = None
) -> Evaluation:
    """Normalise, align, build the table, compute the metrics."""
    side = partial(
        normalise,
        which_duplicates=protocol.duplicates,
        singletons=protocol.singletons,
        mentions=protocol.mentions,
        nested=protocol.nested,
        scope=protocol.scope,
        problems=problems,
    )
    keys, responses = side([pair.key for pair in pairs]), side([pair.response for pair in pairs])
    both = list(zip(keys, responses, strict=True))
    aligned: list[tuple[Document, Document, Alignment]] = []
    for alignment in ordered_map(partial(_align, protocol.match), both, jobs):
        aligned.append((*both[len(aligned)], alignment))
        if progress:
            progress("documents aligned", len(aligned), len(both))
    table, key_entities, response_entities = build(aligned, protocol.scope)
    counts = {name: document_counts(METRICS[name], table, protocol.twinless) for name in needed(protocol.metrics)}
    names = tuple(pair.name for pair in pairs) if protocol.scope == "document" else ("corpus",)
    return Evaluation(protocol, names, counts, tuple(problems.found), table, (key_entities, response_entities))


def _align(matcher: str, pair: tuple[Document, Document]) -> Alignment:
    return align(*pair, matcher)


def score(
    key: Side,
    response: Side,
    *,
    protocol: str | Protocol | None = None,
    metrics: Iterable[str] | None = None,
    format: str | None = None,
    ends: str = "inclusive",
    on_problem: str = "raise",
    jobs: int = 1,
    progress: Progress | None = None,
    **choices: str | None,
) -> Evaluation:
    """Score a response against a key: paths of files or folders, documents, or plain clusters.

    The protocol is the official one of the files' format (of CoNLL-2012 for documents and clusters) unless it is given,
    by name or as a value; further keywords change its choices.

    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["b3"])["b3"].recall
    1.0
    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], singletons="drop").protocol.singletons
    'drop'
    """
    problems = Problems(on_problem)
    official = "conll-2012"
    files: list[tuple[str, list[Document], list[Document]]]
    if isinstance(key, str | os.PathLike) and isinstance(response, str | os.PathLike):
        found, files = read_pairs(
            os.fspath(key), os.fspath(response), problems, format=format, ends=ends, jobs=jobs, progress=progress
        )
        official = found.protocol
    else:
        files = [
            (
                "",
                _documents(key, "key", format, ends, problems),
                _documents(response, "response", format, ends, problems),
            )
        ]
    chosen = _protocol(protocol, official, metrics, choices)
    return evaluate(pair(files, chosen.words, problems), chosen, problems, jobs=jobs, progress=progress)


def _protocol(
    protocol: str | Protocol | None, official: str, metrics: Iterable[str] | None, choices: Mapping[str, str | None]
) -> Protocol:
    base = protocol if isinstance(protocol, Protocol) else preset(protocol or official)
    return base.change(metrics=None if metrics is None else tuple(metrics), **choices)


def _documents(side: Side, name: str, format: str | None, ends: str, problems: Problems) -> list[Document]:
    if isinstance(side, str | os.PathLike):
        return formats.read(os.fspath(side), format, side=name, ends=ends, on_problem=problems.policy)
    if isinstance(side, Document):
        return [side]
    if isinstance(side, Sequence) and side and all(isinstance(each, Document) for each in side):
        return list(side)
    try:
        return [clusters(side)]  # type: ignore[arg-type]
    except TypeError:
        raise Error("bad-clusters", f"the {name} is neither a path, nor documents, nor clusters of mentions",
                    expected="[[mention, ...], ...]") from None  # fmt: skip


class Scorer:
    """Scores documents one by one, as in a training loop.

    >>> scorer = Scorer(metrics=["muc", "lea"])
    >>> scorer.update([["a", "b"]], [["a", "b"]])
    >>> scorer.update([["c", "d"]], [["c"], ["d"]])
    >>> scorer.compute()["muc"].recall
    0.5

    Scorers of several processes are added up with `merge`, in any order of processes the same result; `reset` starts
    again.
    """

    def __init__(
        self,
        protocol: str | Protocol = "conll-2012",
        metrics: Iterable[str] | None = None,
        on_problem: str = "raise",
        **choices: str | None,
    ) -> None:
        self.protocol = _protocol(protocol, "conll-2012", metrics, choices)
        self._policy = on_problem
        self.reset()

    def reset(self) -> None:
        """Forget all documents."""
        self._problems = Problems(self._policy)
        self._pairs: list[Pair] = []

    def update(self, key: Document | Clusters, response: Document | Clusters, id: str | None = None) -> None:
        """Add a document: its key and the response to it, as clusters or as `Document`."""
        name = id if id is not None else key.id if isinstance(key, Document) and key.id else str(len(self._pairs))
        sides = [
            replace(side, id=name) if isinstance(side, Document) else _clusters(side, name) for side in (key, response)
        ]
        self._pairs += pair([(name, sides[:1], sides[1:])], self.protocol.words, self._problems)

    def merge(self, other: Scorer) -> None:
        """Add the documents of another scorer with the same protocol."""
        if other.protocol != self.protocol:
            raise Error("different-protocols", "scorers with different protocols cannot be merged",
                        expected=self.protocol.signature(), text=other.protocol.signature())  # fmt: skip
        self._pairs += other._pairs
        self._problems.found += other._problems.found

    def compute(self) -> Evaluation:
        """The evaluation of all documents so far."""
        problems = Problems(self._policy)
        problems.found += self._problems.found
        return evaluate(self._pairs, self.protocol, problems)


def _clusters(side: Clusters, name: str) -> Document:
    try:
        return clusters(side, name)
    except TypeError:
        raise Error(
            "bad-clusters", "not clusters of mentions", document=name, expected="[[mention, ...], ...]"
        ) from None


__all__ = ["PROTOCOLS", "Evaluation", "Scorer", "evaluate", "score"]
