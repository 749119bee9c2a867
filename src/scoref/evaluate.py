"""From two sides to an evaluation: run the stages, one document after the other or many at once, keep the sums."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import formats
from .evaluation import Evaluation
from .exceptions import Error, Problems
from .groups import distinct
from .match import MATCHERS, Lookups, lookups
from .metrics import METRICS, counted, needed, split_name
from .model import Clusters, Document, clusters
from .normalise import check_minimums, check_parents, normalise, unique
from .pairing import Pair, Progress, pair, read_pairs
from .parallel import ordered_map
from .protocol import CHOICES, Protocol, preset
from .relations import Relation, relation
from .split import credited, sets_only
from .table import Entities, Floats, Table, Tables, build, without

Side = str | os.PathLike[str] | Document | Sequence[Document] | Clusters


def evaluate(
    pairs: Sequence[Pair], protocol: Protocol, problems: Problems, *, jobs: int = 1, progress: Progress | None = None
) -> Evaluation:
    """Normalise, align, build the table, compute the metrics."""
    counts: dict[str, Floats] = {}
    sources: dict[str, _Source] = {}
    names = needed(protocol.metrics)
    for prefix in dict.fromkeys(split_name(name)[0] for name in names):
        wanted = [split_name(name)[1] for name in names if split_name(name)[0] == prefix]
        deixis = prefix == "deixis:" or protocol.layer == "deixis"
        chosen = [_deixis(pair) for pair in pairs] if deixis else pairs
        entity_metrics = [name for name in wanted if name in METRICS]
        if entity_metrics:
            found, sources[prefix] = _entity_counts(chosen, entity_metrics, protocol, problems, jobs, progress)
            counts |= {prefix + name: values for name, values in found.items()}
        relations = [each for each in map(relation, wanted) if each]
        for raw in (True, False):  # relations between any mentions, and those between mentions of entities
            some = [each for each in relations if (each.layer in ("bridging", "non-referring")) == raw]
            if some:
                found, aligned = _relation_counts(chosen, some, protocol, problems)
                counts |= {prefix + name: values for name, values in found.items()}
                sources.setdefault(prefix, _Source(None, None, aligned, {}))
    documents, datasets = distinct([pair.name for pair in pairs]), tuple(map(_dataset, pairs))
    if protocol.scope == "corpus":
        documents, datasets = ("corpus",), ("corpus",)
        counts = {name: values.sum(axis=0, keepdims=True) for name, values in counts.items()}
    source = sources.get("", _Source(None, None, (), {}))
    found_problems = tuple(dict.fromkeys(problems.found))
    return Evaluation(protocol, documents, counts, found_problems, datasets, *source, pairs=tuple(pairs))


def _dataset(pair: Pair) -> str:
    """The file that a document is from: by its name in the folder, else by its own."""
    return pair.dataset or Path(pair.key.source or "").name.removesuffix(".gz")


class _Source(NamedTuple):
    """What the counts of entity metrics come from."""

    table: Table | None
    entities: tuple[Entities, Entities] | None
    aligned: tuple[tuple[Document, Document, Lookups], ...]
    entity_counts: Mapping[str, tuple[Floats, Floats]]


def _deixis(pair: Pair) -> Pair:
    key, response = (side.deixis or Document(side.id, side.words) for side in (pair.key, pair.response))
    return pair._replace(key=key, response=response)


def _normalised(pairs: Sequence[Pair], protocol: Protocol, problems: Problems) -> list[tuple[Document, Document]]:
    wanted = ("duplicates", "singletons", "mentions", "nested", "split", "zeros", "invisible", "scope")
    choices = {name: getattr(protocol, name) for name in wanted} | {"identity": MATCHERS[protocol.match].identity}
    each = [pair.key for pair in pairs], [pair.response for pair in pairs]
    sides = [normalise(side, problems=problems, **choices) for side in each]
    if protocol.zeros == "dependent":
        for document in (*sides[0], *sides[1]):
            check_parents(document, problems)
    if protocol.match == "min":
        for document in sides[0]:
            check_minimums(document, problems)
    return list(zip(*sides, strict=True))


def _entity_counts(
    pairs: Sequence[Pair],
    names: list[str],
    protocol: Protocol,
    problems: Problems,
    jobs: int,
    progress: Progress | None,
) -> tuple[dict[str, Floats], _Source]:
    """The counts of the entity metrics, and what they come from."""
    both = _normalised(pairs, protocol, problems)
    if protocol.scope == "corpus" and len(both) > 1:
        _refuse_unnamed(both)
    aligned: list[tuple[Document, Document, Lookups]] = []
    owner = "best" if protocol.split == "distribute" else "last"
    for found in ordered_map(partial(_lookups, protocol.match, protocol.zeros, owner, protocol.threshold), both, jobs):
        aligned.append((*both[len(aligned)], found))
        if progress:
            progress("documents aligned", len(aligned), len(both))
    tables, key, response = build(aligned, protocol.scope, protocol.beta)
    hidden = (
        _hidden([pair[0] for pair in both], key, protocol.scope),
        _hidden([pair[1] for pair in both], response, protocol.scope),
    )
    shown = tables if not any(each.any() for each in hidden) else Tables(*(without(table, *hidden) for table in tables))
    counts: dict[str, Floats] = {}
    each_entity: dict[str, tuple[Floats, Floats]] = {}
    for name in names:
        metric = METRICS[name]
        if protocol.split == "only":
            counts[name] = sets_only(metric, tables.every, key, response, protocol.credit)
            continue
        both_tables = metric.tables(shown, protocol.credit)
        if key.sets and response.sets:
            recall, precision = credited(metric, tables, key, response, protocol.credit)
            both_tables = without(recall, *hidden), without(precision, *hidden)
        counts[name], *sides = counted(metric, both_tables, protocol.twinless)
        if sides[0] is not None and sides[1] is not None:
            each_entity[name] = sides[0], sides[1]
    return counts, _Source(
        shown.recall, (_kept(key, hidden[0]), _kept(response, hidden[1])), tuple(aligned), each_entity
    )


def _refuse_without_minimum(pairs: Sequence[Pair]) -> None:
    keys = [pair.key for pair in pairs]
    layers = [layer for key in keys for layer in (key, key.deixis) if layer]
    if not any("parse" in key.columns or any(mention.minimum for mention in key.mentions) for key in layers):
        raise Error(
            "no-minimum", "the key has neither minimum spans nor a parse to take them from",
            path=next((key.source for key in keys), None), remedy="use --match exact",
            expected="the attribute Min, or a CoNLL file with a parse column",
        )  # fmt: skip


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


def _hidden(documents: Sequence[Document], entities: Entities, scope: str) -> NDArray[np.bool_]:
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    if scope == "corpus":
        everywhere = frozenset().union(*(document.hidden for document in documents))
        return np.array([name in everywhere for name in entities.name], np.bool_)
    each = zip(entities.document, entities.name, strict=True)
    return np.array([name in documents[number].hidden for number, name in each], np.bool_)


def _kept(entities: Entities, hidden: NDArray[np.bool_]) -> Entities:
    if not hidden.any():
        return entities._replace(sets={})
    shown = np.flatnonzero(~hidden).tolist()
    return Entities([entities.document[index] for index in shown], [entities.name[index] for index in shown], {})


def _relation_counts(
    pairs: Sequence[Pair], relations: list[Relation], protocol: Protocol, problems: Problems
) -> tuple[dict[str, Floats], tuple[tuple[Document, Document, Lookups], ...]]:
    """The counts of metrics on relations, and the aligned documents they come from.

    For those between any mentions (bridging, non-referring), all take part, also those that are no entity's.
    """
    which = "error" if protocol.duplicates == "error" else "keep"  # mentions keep their numbers
    counts = {each.name: np.zeros((len(pairs), 4)) for each in relations}
    if relations[0].layer in ("bridging", "non-referring"):
        both = [(unique(pair.key, which, problems), unique(pair.response, which, problems)) for pair in pairs]
    else:
        both = _normalised(pairs, protocol, problems)
    aligned = []
    for number, (key, response) in enumerate(both):
        found = lookups(key, response, protocol.match, protocol.zeros)
        aligned.append((key, response, found))
        for each in relations:
            if protocol.empty == "count" or key.mentions:
                counts[each.name][number] = each.function(key, response, found)
    return counts, tuple(aligned)


def _lookups(matcher: str, zeros: str, owner: str, threshold: float, pair: tuple[Document, Document]) -> Lookups:
    return lookups(*pair, matcher, zeros, owner, threshold)


def score(
    key: Side,
    response: Side,
    *,
    protocol: str | Protocol | None = None,
    metrics: Iterable[str] | None = None,
    format: str | None = None,
    ends: str = "inclusive",
    tokens: str | os.PathLike[str] | None = None,
    on_problem: str = "raise",
    jobs: int = 1,
    progress: Progress | None = None,
    settings: Iterable[str] = (),
    **choices: str | float | None,
) -> Evaluation:
    """Score a response against a key: paths of files or folders, documents, or plain clusters.

    The protocol is the official one of the files' format (of CoNLL-2012 for documents and clusters) unless it is given,
    by name or as a value; further keywords change its choices. Each of `settings`, like `"match:exact"` or
    `"match:exact,singletons:keep"`, is scored too, on the same documents.

    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], metrics=["b3"])["b3"].recall
    1.0
    >>> score([["a", "b"], ["c"]], [["a", "b", "c"]], singletons="drop").protocol.singletons
    'drop'
    """
    problems = Problems(on_problem)
    official = "conll-2012"
    settings = list(settings)
    asked = _protocol(protocol, official, metrics, choices)  # what is asked for wrongly is said before any file is read
    for name in settings:
        asked.change(**_setting(name))
    files: list[tuple[str, list[Document], list[Document]]]
    if isinstance(key, str | os.PathLike) and isinstance(response, str | os.PathLike):
        found, files = read_pairs(
            os.fspath(key), os.fspath(response), problems, format=format, ends=ends,
            tokens=os.fspath(tokens) if tokens is not None else None, jobs=jobs, progress=progress,
        )  # fmt: skip
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
    pairs = pair(files, chosen.words, problems, chosen.extra)
    others = {}
    for name in settings:
        changed = chosen.change(**_setting(name))
        others[name] = _checked(pairs, changed, Problems(on_problem), jobs=jobs, progress=progress)
    result = _checked(pairs, chosen, problems, jobs=jobs, progress=progress)
    return replace(result, settings=others) if others else result


def _checked(pairs: Sequence[Pair], protocol: Protocol, problems: Problems, **how: Any) -> Evaluation:
    """The evaluation of whole files, of which some document must have what the protocol asks for."""
    if protocol.match == "min":
        _refuse_without_minimum(pairs)
    return evaluate(pairs, protocol, problems, **how)


def _setting(text: str) -> dict[str, str | float]:
    """The choices that a setting like `match:exact,singletons:keep` makes."""
    found: dict[str, str | float] = {}
    for each in text.split(","):
        choice, colon, value = each.partition(":")
        if not colon or choice not in CHOICES or choice == "words":
            known = ", ".join(choice for choice in CHOICES if choice != "words")
            raise Error("unknown-setting", f"no setting '{each}'", expected=f"CHOICE:WORD with one of {known}",
                        remedy="see the choices with: scoref score --help")  # fmt: skip
        found[choice] = value
    return found


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
        self._pairs += pair([(name, sides[:1], sides[1:])], self.protocol.words, self._problems, self.protocol.extra)

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
        return _checked(self._pairs, self.protocol, problems)


def _clusters(side: Clusters, name: str) -> Document:
    try:
        return clusters(side, name)
    except TypeError:
        raise Error(
            "bad-clusters", "not clusters of mentions", document=name, expected="[[mention, ...], ...]"
        ) from None
