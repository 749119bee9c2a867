"""From two sides to an evaluation: pair the documents, run the stages, keep the sums."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import __version__, formats, grid
from .exceptions import Error, Problem, Problems
from .match import MATCHERS, Lookups, lookups
from .metrics import METRICS, Score, document_counts, entity_counts, needed, split_name
from .metrics import score as _score
from .model import Clusters, Document, clusters
from .normalise import check_minimums, check_parents, normalise, unique
from .parallel import ordered_map
from .protocol import PROTOCOLS, Protocol, preset
from .relations import Relation, relation
from .split import credited, sets_only
from .table import Entities, Floats, Table, Tables, build, without

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


@dataclass(frozen=True, eq=False)
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
    table: Table | None = field(default=None, repr=False)
    entities: tuple[Entities, Entities] | None = field(default=None, repr=False)

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
            scores = [self._score(metric, number) for number in range(len(self.documents))]
            return Score(*np.mean(scores or [Score(0.0, 0.0, 0.0)], axis=0).tolist())
        return self._score(metric)

    def _score(self, metric: str, document: int | None = None) -> Score:
        return _score(metric, self._sums(document), self.protocol.links)

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
            name: {metric: self._score(metric, number) for metric in self.protocol.metrics}
            for number, name in enumerate(self.documents)
        }

    def by_entity(self) -> list[EntityScore]:
        """What each entity of key and response contributes, those that cost most first.

        The cost of an entity is what its numerator falls short of its denominator, in B³ if that was scored, else in
        the first metric.
        """
        if self.table is None or self.entities is None:
            raise Error("no-entities", "this evaluation holds sums only, no entities")
        known = [name for name in needed(self.protocol.metrics) if name in METRICS]
        names = [name for name in known if METRICS[name].twinless in (None, "as-is")] or ["mentions"]
        found: list[EntityScore] = []
        for side, table, entities in zip(
            formats.SIDES, (self.table, self.table.transposed), self.entities, strict=True
        ):
            counts = {name: entity_counts(METRICS[name], table).tolist() for name in names}
            for number, (document, entity) in enumerate(zip(entities.document, entities.name, strict=True)):
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
        return "\n".join([grid.text(self.grid()), "", *grid.paragraphs(map(grid.clean, self.notes()))])


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
    for name in sorted(sides[1].keys() - sides[0].keys()):
        problems.add(Problem("extra-file", "a file that the key does not have", str(sides[1][name]),
                             remedy="remove it, or leave it out with --on-problem skip"))  # fmt: skip
    tasks = [
        (str(file), format, side, ends, problems.policy, len(sides[0]) > 1)
        for side, files in zip(formats.SIDES, sides, strict=True)
        for name, file in files.items()
        if name in sides[0]
    ]
    read: dict[tuple[str, str], list[Document]] = {}
    found: formats.Format | None = None
    for number, (task, (name, documents, reported)) in enumerate(
        zip(tasks, ordered_map(_read, tasks, jobs if len(tasks) > 2 else 1), strict=True)
    ):
        problems.found += reported
        found = found or (formats.named(name) if name else None)
        if name and found and name != found.name:
            raise Error("mixed-formats", f"this file is {name}, the key is {found.name}", path=task[0],
                        expected=f"a {found.name} file", remedy="convert it first: scoref convert IN OUT")  # fmt: skip
        read[task[2], task[0]] = documents
        if progress:
            progress("files read", number + 1, len(tasks))
    if found is None:
        raise Error("no-document", "no file could be read", path=f"{key}, {response}")
    return found, [
        (name, read["key", str(file)], read.get(("response", str(sides[1].get(name))), []))
        for name, file in sides[0].items()
    ]


def _read(task: tuple[str, str | None, str, str, str, bool]) -> tuple[str, list[Document], list[Problem]]:
    path, format, side, ends, policy, many = task
    problems = Problems(policy)
    try:
        source = formats.Source(formats.load(path), path, side, ends)
        found, documents = formats.read_source(source, format, problems)
    except Error as error:
        if not many or policy == "raise":
            raise
        return "", [], [*problems.found, error.problem]  # of many files, one that cannot be read at all
    return found.name, documents, problems.found


def pair(
    files: Iterable[tuple[str, Sequence[Document], Sequence[Document]]], words: str, problems: Problems
) -> list[Pair]:
    """Pairs of documents with the same id, file by file.

    A document missing from the response is an empty one and reported; an extra one is an error.
    """
    pairs: list[Pair] = []
    for file, keys, responses in files:
        for side in (keys, responses):
            _refuse_repeated(side)
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


def _refuse_repeated(documents: Sequence[Document]) -> None:
    for name, number in Counter(document.id for document in documents).items():
        if number > 1:
            raise Error("repeated-document", f"{number} documents with the name '{name}'", document=name or None,
                        expected="a name of its own for each document of a side")  # fmt: skip


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
    counts: dict[str, Floats] = {}
    sources: dict[str, tuple[Table, tuple[Entities, Entities]]] = {}
    names = needed(protocol.metrics)
    for prefix in dict.fromkeys(split_name(name)[0] for name in names):
        wanted = [split_name(name)[1] for name in names if split_name(name)[0] == prefix]
        deixis = prefix == "deixis:" or protocol.layer == "deixis"
        chosen = [_deixis(pair) for pair in pairs] if deixis else pairs
        entity_metrics = [name for name in wanted if name in METRICS]
        if entity_metrics:
            found, table, entities = _entity_counts(chosen, entity_metrics, protocol, problems, jobs, progress)
            counts |= {prefix + name: values for name, values in found.items()}
            sources[prefix] = table, entities
        relations = [each for each in map(relation, wanted) if each]
        for raw in (True, False):  # relations between any mentions, and those between mentions of entities
            some = [each for each in relations if (each.layer in ("bridging", "non-referring")) == raw]
            if some:
                found = _relation_counts(chosen, some, protocol, problems)
                counts |= {prefix + name: values for name, values in found.items()}
    documents = _distinct([pair.name for pair in pairs]) if protocol.scope == "document" else ("corpus",)
    table_of, entities_of = sources.get("", (None, None))
    return Evaluation(protocol, documents, counts, tuple(dict.fromkeys(problems.found)), table_of, entities_of)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names, with a number behind those that were there before."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)


def _deixis(pair: Pair) -> Pair:
    key, response = (side.deixis or Document(side.id, side.words) for side in (pair.key, pair.response))
    return pair._replace(key=key, response=response)


def _normalised(pairs: Sequence[Pair], protocol: Protocol, problems: Problems) -> list[tuple[Document, Document]]:
    wanted = ("duplicates", "singletons", "mentions", "nested", "split", "zeros", "scope")
    choices = {name: getattr(protocol, name) for name in wanted} | {"heads": MATCHERS[protocol.match].heads}
    each = [pair.key for pair in pairs], [pair.response for pair in pairs]
    sides = [normalise(side, problems=problems, **choices) for side in each]
    if protocol.zeros == "dependent":
        for document in (*sides[0], *sides[1]):
            check_parents(document, problems)
    if protocol.match == "min":
        for document in sides[0]:
            check_minimums(document, problems)
        if not any("parse" in key.columns or any(mention.minimum for mention in key.mentions) for key in sides[0]):
            source = next((key.source for key in sides[0]), None)
            raise Error(
                "no-minimum", "the key has neither minimum spans nor a parse to take them from", path=source,
                expected="the attribute Min, or a CoNLL file with a parse column", remedy="use --match exact",
            )  # fmt: skip
    return list(zip(*sides, strict=True))


def _entity_counts(
    pairs: Sequence[Pair],
    names: list[str],
    protocol: Protocol,
    problems: Problems,
    jobs: int,
    progress: Progress | None,
) -> tuple[dict[str, Floats], Table, tuple[Entities, Entities]]:
    """The counts of the entity metrics, the table they come from, and its entities."""
    both = _normalised(pairs, protocol, problems)
    if protocol.scope == "corpus" and len(both) > 1:
        _refuse_unnamed(both)
    aligned: list[tuple[Document, Document, Lookups]] = []
    owner = "best" if protocol.split == "distribute" else "last"
    for found in ordered_map(partial(_lookups, protocol.match, protocol.zeros, owner), both, jobs):
        aligned.append((*both[len(aligned)], found))
        if progress:
            progress("documents aligned", len(aligned), len(both))
    tables, key, response = build(aligned, protocol.scope, protocol.beta)
    hidden = _hidden([pair[0] for pair in both], key), _hidden([pair[1] for pair in both], response)
    shown = tables if not any(each.any() for each in hidden) else Tables(*(without(table, *hidden) for table in tables))
    counts = {}
    for name in names:
        metric = METRICS[name]
        if protocol.split == "only":
            counts[name] = sets_only(metric, tables.every, key, response, protocol.credit)
        elif key.sets and response.sets:
            recall, precision = credited(metric, tables, key, response, protocol.credit)
            both_shown = without(recall, *hidden), without(precision, *hidden)
            counts[name] = document_counts(metric, both_shown, protocol.twinless)
        else:
            counts[name] = document_counts(metric, metric.tables(shown, protocol.credit), protocol.twinless)
    return counts, shown.recall, (_kept(key, hidden[0]), _kept(response, hidden[1]))


def _refuse_unnamed(both: list[tuple[Document, Document]]) -> None:
    for documents in both:
        for document in documents:
            if any(isinstance(mention.entity, int) for mention in document.mentions):
                raise Error(
                    "unnamed-entities", "entities without names cannot be shared by documents", path=document.source,
                    line=document.line, document=document.id or None,
                    expected="names of entities that mean the same in all documents",
                    remedy='name them: "entities" in JSON lines, a mapping from names to clusters in Python',
                )  # fmt: skip


def _hidden(documents: Sequence[Document], entities: Entities) -> NDArray[np.bool_]:
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    each = zip(entities.document, entities.name, strict=True)
    return np.array([name in documents[number].hidden for number, name in each], np.bool_)


def _kept(entities: Entities, hidden: NDArray[np.bool_]) -> Entities:
    shown = np.flatnonzero(~hidden).tolist()
    return Entities([entities.document[index] for index in shown], [entities.name[index] for index in shown], {})


def _relation_counts(
    pairs: Sequence[Pair], relations: list[Relation], protocol: Protocol, problems: Problems
) -> dict[str, Floats]:
    """The counts of metrics on relations.

    For those between any mentions (bridging, non-referring), all take part, also those that are no entity's.
    """
    which = "error" if protocol.duplicates == "error" else "keep"  # mentions keep their numbers
    counts = {each.name: np.zeros((len(pairs), 4)) for each in relations}
    if relations[0].layer in ("bridging", "non-referring"):
        both = [(unique(pair.key, which, problems), unique(pair.response, which, problems)) for pair in pairs]
    else:
        both = _normalised(pairs, protocol, problems)
    for number, (key, response) in enumerate(both):
        found = lookups(key, response, protocol.match, protocol.zeros)
        for each in relations:
            counts[each.name][number] = each.function(key, response, found)
    return counts


def _lookups(matcher: str, zeros: str, owner: str, pair: tuple[Document, Document]) -> Lookups:
    return lookups(*pair, matcher, zeros, owner)


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
    **choices: str | float | None,
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
    _protocol(protocol, official, metrics, choices)  # what is asked for wrongly is said before any file is read
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
    protocol: str | Protocol | None,
    official: str,
    metrics: Iterable[str] | None,
    choices: Mapping[str, str | float | None],
) -> Protocol:
    base = protocol if isinstance(protocol, Protocol) else preset(protocol or official)
    return base.change(metrics=None if metrics is None else tuple(metrics), **choices)


def _documents(side: Side, name: str, format: str | None, ends: str, problems: Problems) -> list[Document]:
    if isinstance(side, str | os.PathLike):
        sources = [
            formats.Source(formats.load(file), str(file), name, ends)
            for file in formats.files(os.fspath(side)).values()
        ]
        return [each for source in sources for each in formats.read_source(source, format, problems)[1]]
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
        **choices: str | float | None,
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
