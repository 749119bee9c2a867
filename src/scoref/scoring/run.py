"""Runs the stages on pairs of documents: normalise, match, table, split, metrics, relations. Gives an `Evaluation`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..exceptions import Error, Problem, Problems
from ..model import Document
from .average import required
from .evaluation import Evaluation
from .evidence import Evidence
from .grouping import distinct
from .match import Lookups, lookups
from .metrics import METRICS, Counted, Metric, counted, split_name
from .normalise import unique
from .pairing import Pair, Progress
from .parallel import ordered_map
from .prepare import prepare
from .protocol import Protocol
from .relations import NUGGET, Relation, relation
from .repeated import repeated_b3, repeated_links
from .split import credited, sets_only
from .table import SINGLETONS, Entities, Floats, Tables, build, without

Value = TypeVar("Value")
Aligned = tuple[Document, Document, Lookups]

# Choices that matter after mentions are aligned, or not at all; `singletons` and `scope` matter before only in part.
_LATER = ("name", "words", "ends", "spans", "extra", "layer", "empty", "singletons", "scope", "twinless", "credit",
          "links", "average", "digits", "beta", "metrics")  # fmt: skip


class Memo:
    """What stages gave before, and what they reported: for evaluations of the same pairs under several protocols."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, list[Problem]]] = {}

    def once(self, stage: Hashable, make: Callable[[], Value], problems: Problems) -> Value:
        """What the stage gave before, or else gives now."""
        if stage not in self._known:
            before = len(problems.found)
            made = make()
            self._known[stage] = made, problems.found[before:]
            return made
        value: Value
        value, reported = self._known[stage]
        problems.found += reported
        return value


class _Stages(NamedTuple):
    """The names of the stages of a protocol: equal names give equal results."""

    aligned: Hashable
    tables: Hashable

    @classmethod
    def of(cls, protocol: Protocol, layer: str) -> _Stages:
        words = [getattr(protocol, field.name) for field in fields(protocol) if field.name not in _LATER]
        dropped = protocol.singletons == "drop"
        scope = protocol.scope if dropped or protocol.mentions == "np" else ""
        aligned = (layer, dropped, scope, *words)
        return cls(aligned, (aligned, protocol.scope, protocol.beta))


def evaluate(
    pairs: Sequence[Pair],
    protocol: Protocol,
    problems: Problems,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    memo: Memo | None = None,
) -> Evaluation:
    """Normalise, align, build the table, compute the metrics; a `memo` is for the same pairs under other protocols."""
    memo = memo or Memo()
    counts: dict[str, Floats] = {}
    sources: dict[str, Evidence] = {}
    names = required(protocol)
    for prefix in dict.fromkeys(split_name(name)[0] for name in names):
        wanted = [split_name(name)[1] for name in names if split_name(name)[0] == prefix]
        deixis = prefix == "deixis:" or protocol.layer == "deixis"
        chosen = [_deixis(pair) for pair in pairs] if deixis else pairs
        entity_metrics = [name for name in wanted if name in METRICS]
        if entity_metrics:
            found, sources[prefix] = _entity_counts(
                chosen, entity_metrics, protocol, problems, jobs, progress, memo, "deixis" if deixis else ""
            )
            counts |= {prefix + name: values for name, values in found.items()}
        relations = [each for each in map(relation, wanted) if each]
        for raw in (True, False):  # relations between any mentions, and those between mentions of entities
            some = [each for each in relations if (each.layer in ("bridging", "non-referring")) == raw]
            if some:
                found, aligned = _relation_counts(chosen, some, protocol, problems)
                counts |= {prefix + name: values for name, values in found.items()}
                sources.setdefault(prefix, Evidence((), aligned))
    documents, datasets = distinct([pair.name for pair in pairs]), tuple(map(_dataset, pairs))
    if protocol.scope == "corpus":
        documents, datasets = ("corpus",), ("corpus",)
        counts = {name: values.sum(axis=0, keepdims=True) for name, values in counts.items()}
    evidence = replace(sources.get("", Evidence()), pairs=tuple(pairs))
    return Evaluation(protocol, documents, counts, tuple(dict.fromkeys(problems.found)), datasets, evidence)


def _dataset(pair: Pair) -> str:
    """The file that a document is from: by its name in the folder, else by its own."""
    return pair.dataset or Path(pair.key.source or "").name.removesuffix(".gz")


def _deixis(pair: Pair) -> Pair:
    key, response = (side.deixis or Document(side.id, side.words) for side in (pair.key, pair.response))
    return pair._replace(key=key, response=response)


def _entity_counts(
    pairs: Sequence[Pair],
    names: list[str],
    protocol: Protocol,
    problems: Problems,
    jobs: int,
    progress: Progress | None,
    memo: Memo,
    layer: str,
) -> tuple[dict[str, Floats], Evidence]:
    """The counts of the entity metrics, and what they come from."""
    stages = _Stages.of(protocol, layer)
    aligned = memo.once(
        stages.aligned, lambda: _align(prepare(pairs, protocol, problems), protocol, jobs, progress), problems
    )
    tables, key, response, hidden, shown = memo.once(stages.tables, lambda: _tabled(aligned, protocol), problems)
    counts: dict[str, Floats] = {}
    each_entity: dict[str, tuple[Floats, Floats]] = {}
    for name in names:
        metric = METRICS[name]
        if protocol.split == "only":
            counts[name] = sets_only(metric, tables.every, key, response, protocol.credit)
            continue

        def count(metric: Metric = metric) -> Counted:
            both_tables = metric.tables(shown, protocol.credit)
            if key.sets and response.sets:
                recall, precision = credited(metric, tables, key, response, protocol.credit)
                both_tables = without(recall, *hidden), without(precision, *hidden)
            return counted(metric, both_tables, protocol.twinless, protocol.singletons)

        rule, variant = metric.twinless or protocol.twinless, SINGLETONS[protocol.singletons].get(metric.kind)
        stage = (name, rule, variant, protocol.credit, stages.tables)
        counts[name], *sides = memo.once(stage, count, problems)
        if sides[0] is not None and sides[1] is not None:
            each_entity[name] = sides[0], sides[1]
    if protocol.duplicates == "reference" and (protocol.scope == "document" or len(aligned) == 1):
        repeated = memo.once(("repeated", stages.aligned), lambda: _count_repeated(aligned), problems)
        for name in repeated.keys() & counts.keys():
            rows = repeated[name]
            counts[name] = counts[name].copy()
            counts[name][[*rows]] = [*rows.values()]
    entities = _kept(key, hidden[0]), _kept(response, hidden[1])
    return counts, Evidence((), tuple(aligned), shown.recall, entities, each_entity)


def _align(
    both: list[tuple[Document, Document]], protocol: Protocol, jobs: int, progress: Progress | None
) -> list[Aligned]:
    """The documents with their alignments."""
    aligned: list[Aligned] = []
    owner = "reference" if protocol.duplicates == "reference" else "last"
    if protocol.split == "distribute":
        owner = "best"
    for found in ordered_map(partial(_lookups, protocol.match, protocol.zeros, owner, protocol.threshold), both, jobs):
        aligned.append((*both[len(aligned)], found))
        if progress:
            progress("documents aligned", len(aligned), len(both))
    return aligned


Flags = NDArray[np.bool_]


def _tabled(
    aligned: list[Aligned], protocol: Protocol
) -> tuple[Tables, Entities, Entities, tuple[Flags, Flags], Tables]:
    """The tables, the entities of both sides, which of them are hidden, and the tables without these."""
    both = [pair[:2] for pair in aligned]
    if protocol.scope == "corpus" and len(both) > 1:
        _refuse_unnamed(both)
    tables, key, response = build(aligned, protocol.scope, protocol.beta)
    hidden = (
        _hidden([pair[0] for pair in both], key, protocol.scope),
        _hidden([pair[1] for pair in both], response, protocol.scope),
    )
    shown = tables if not any(each.any() for each in hidden) else tables.changed(lambda table: without(table, *hidden))
    return tables, key, response, hidden, shown


def _count_repeated(aligned: Sequence[Aligned]) -> dict[str, dict[int, Floats]]:
    """The reference scorer's counts of B³ and BLANC for documents that have repeated mentions."""
    found: dict[str, dict[int, Floats]] = {}
    for row, (key, response, _) in enumerate(aligned):
        if not key.repeats() and not response.repeats():
            continue
        links = zip(("pairwise", "nonlinks"), repeated_links(key, response), strict=True)
        for name, values in (("b3", repeated_b3(key, response)), *links):
            found.setdefault(name, {})[row] = values
    return found


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


def _hidden(documents: Sequence[Document], entities: Entities, scope: str) -> Flags:
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    if scope == "corpus":
        everywhere = frozenset().union(*(document.hidden for document in documents))
        return np.array([name in everywhere for name in entities.name], np.bool_)
    each = zip(entities.document, entities.name, strict=True)
    return np.array([name in documents[number].hidden for number, name in each], np.bool_)


def _kept(entities: Entities, hidden: Flags) -> Entities:
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
        both = prepare(pairs, protocol, problems)
    aligned = []
    for number, (key, response) in enumerate(both):
        found = lookups(key, response, protocol.match, protocol.zeros)
        aligned.append((key, response, found))
        for each in relations:
            if key.mentions or protocol.empty == "count" or not each.name.startswith(NUGGET):
                counts[each.name][number] = each.function(key, response, found)
    return counts, tuple(aligned)


def _lookups(matcher: str, zeros: str, owner: str, threshold: float, pair: tuple[Document, Document]) -> Lookups:
    return lookups(*pair, matcher, zeros, owner, threshold)
