"""Runs the stages on pairs of documents: normalise, match, table, split, metrics, relations. Gives an `Evaluation`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.metrics import METRICS, Counted, Metric, counted, split_name
from ..counting.plurals import OVERLAPPING, overlapping_counts
from ..counting.repeated import repeated_counts
from ..counting.split import Inside, credited, sets_only
from ..counting.table import SINGLETONS, Entities, Floats, Table, Tables, build, without
from ..counting.weights import Weighted, weighted
from ..document.document import Document
from ..document.grouping import distinct
from ..matching.lookup import Lookups, lookups
from ..matching.match import MATCHERS, Alignment
from ..matching.nuggets import MAPPINGS, Overlapping
from ..pairing.pairs import Pair
from ..pairing.scope import cut, dataset, scoped
from ..preparing.prepare import Needs, prepare
from ..preparing.steps import unique
from ..problems import Error, Problems
from ..processes import Progress, reported
from ..protocol.protocol import Protocol
from ..relations.anaphors import Counts
from ..relations.relations import NUGGET, SEQUENCING, Relation, relation
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.evidence import EntityCounts, Evidence
from .cache import Memo, Stages

Aligned = tuple[Document, Document, Lookups]
Flags = NDArray[np.bool_]


def evaluate(
    pairs: Sequence[Pair],
    protocol: Protocol,
    problems: Problems,
    *,
    progress: Progress | None = None,
    memo: Memo | None = None,
) -> Evaluation:
    """Normalise, align, build the table, compute the metrics; a `memo` is for the same pairs under other protocols."""
    memo = memo or Memo()
    pairs, homes, groups = memo.once(("scope", protocol.scope), partial(scoped, pairs, protocol.scope), problems)
    counts: dict[str, Floats] = {}
    sources: dict[str, Evidence] = {}
    names = required(protocol)
    needs = _needs(protocol)
    for prefix in dict.fromkeys(split_name(name)[0] for name in names):
        wanted = [split_name(name)[1] for name in names if split_name(name)[0] == prefix]
        deixis = prefix == "deixis:" or protocol.layer == "deixis"
        chosen = [_deixis(pair) for pair in pairs] if deixis else pairs
        stages = Stages.of(protocol, "deixis" if deixis else "")

        def align(chosen: Sequence[Pair] = chosen) -> list[Aligned]:
            return _aligned(prepare(chosen, protocol.preparing, needs, problems, homes), protocol, progress)

        aligned = partial(memo.once, stages.aligned, align, problems)
        entity_metrics = [name for name in wanted if name in METRICS]
        if entity_metrics:
            found, sources[prefix] = _entity_counts(
                chosen, aligned(), entity_metrics, protocol, problems, homes, memo, stages, progress
            )
            counts |= {prefix + name: values for name, values in found.items()}
        relations = [each for each in map(relation, wanted) if each]
        for raw in (True, False):  # relations between any mentions, and those between mentions of entities
            some = [each for each in relations if (each.layer in ("bridging", "non-referring")) == raw]
            if some:
                both = _with_any_mentions(chosen, protocol, problems) if raw else _related(aligned(), some, protocol)
                found = _relation_counts(both, some, protocol, homes)
                counts |= {prefix + name: values for name, values in found.items()}
                sources.setdefault(prefix, Evidence((), tuple(both)))
    documents, datasets = groups or memo.once(("names", protocol.scope), partial(_names, pairs), problems)
    evidence = replace(sources.get("", Evidence()), pairs=tuple(pairs), homes=tuple(homes))
    return Evaluation(protocol, documents, counts, tuple(dict.fromkeys(problems.found)), datasets, evidence)


def _names(pairs: Sequence[Pair]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of documents, and their datasets."""
    return distinct([pair.name for pair in pairs]), tuple(map(dataset, pairs))


def _deixis(pair: Pair) -> Pair:
    key, response = (side.deixis or Document(side.id, side.words) for side in (pair.key, pair.response))
    return pair._replace(key=key, response=response)


def _entity_counts(
    pairs: Sequence[Pair],
    aligned: list[Aligned],
    names: list[str],
    protocol: Protocol,
    problems: Problems,
    homes: Sequence[int],
    memo: Memo,
    stages: Stages,
    progress: Progress | None,
) -> tuple[dict[str, Floats], Evidence]:
    """The counts of the entity metrics, and what they come from."""
    made = memo.once(stages.tables, lambda: _tabled(aligned, pairs, homes, protocol, problems), problems)
    counts: dict[str, Floats] = {}
    each_entity = EntityCounts()
    for name in reported(names, "metrics computed", progress):
        metric = METRICS[name]
        if protocol.split == "only":
            counts[name] = sets_only(metric, made.tables.every, made.key, made.response, protocol.credit, made.inside)
            continue
        if protocol.split == "distribute" and name in OVERLAPPING:
            counts[name] = overlapping_counts(name, aligned, homes)
            continue
        if metric.borders:
            counts[name] = _links(metric, made.of(metric, protocol), aligned, homes, protocol)
            continue
        rule, variant = metric.twinless or protocol.twinless, SINGLETONS[protocol.singletons].get(metric.kind)
        stage = (name, rule, variant, stages.tables)
        counts[name], *sides = memo.once(stage, partial(_counted, metric, made, protocol), problems)
        if sides[0] is not None and sides[1] is not None:
            each_entity.parts[name] = sides[0], sides[1]
    if owner(protocol) == "reference" and made.weights is None:
        rows = [row for row, pair in enumerate(aligned) if any(side.repeats() for side in pair[:2])]
        some = [aligned[row][:2] for row in rows]
        repeated = memo.once(("repeated", stages.aligned), lambda: repeated_counts(some), problems) if rows else {}
        for name, values in repeated.items():
            if name in counts and len(counts[name]) == len(aligned):  # not where the corpus is one document
                counts[name] = counts[name].copy()
                counts[name][rows] = values
    entities = _kept(made.key, made.hidden[0]), _kept(made.response, made.hidden[1])
    return counts, Evidence((), tuple(aligned), made.shown.recall, entities, each_entity)


def _needs(protocol: Protocol) -> Needs:
    """What matching and counting need of documents that are prepared."""
    return Needs(protocol.match, MATCHERS[protocol.match].identity, protocol.singletons)


def owner(protocol: Protocol) -> str:
    """Which entity has a mention that stands in several."""
    return "reference" if protocol.duplicates == "reference" and protocol.split != "distribute" else "last"


def _aligned(both: list[tuple[Document, Document]], protocol: Protocol, progress: Progress | None) -> list[Aligned]:
    """The documents with their mentions looked up on the other side."""
    aligned: list[Aligned] = []
    how = partial(_lookups, protocol.match, protocol.zeros, owner(protocol), protocol.threshold, protocol.mapping)
    if progress:
        progress("documents aligned", 0, len(both))
    for pair in both:
        aligned.append((*pair, how(pair)))
        if progress:
            progress("documents aligned", len(aligned), len(both))
    return aligned


class _Tabled(NamedTuple):
    """The tables of documents, the entities of both sides, which of them are hidden, and the tables without these.

    `inside` is what sets are compared by; `weights` are tables with the weights of mentions.
    """

    tables: Tables
    key: Entities
    response: Entities
    hidden: tuple[Flags, Flags]
    shown: Tables
    inside: Inside | None
    weights: Weighted | None

    def of(self, metric: Metric, protocol: Protocol) -> tuple[Table, Table]:
        """The tables that a metric takes recall and precision from, without credit for sets."""
        used: Tables = getattr(self.weights, metric.weights) if self.weights and metric.weights else self.shown
        return metric.tables(used, protocol.credit)


def _tabled(
    aligned: list[Aligned], pairs: Sequence[Pair], homes: Sequence[int], protocol: Protocol, problems: Problems
) -> _Tabled:
    both = [pair[:2] for pair in aligned]
    if len(set(homes)) < len(homes):
        _refuse_unnamed(both)
    tables, key, response = build(aligned, homes, protocol.beta, protocol.frequent)
    hidden = _hidden([pair[0] for pair in both], key, homes), _hidden([pair[1] for pair in both], response, homes)
    shown = tables if not any(each.any() for each in hidden) else tables.changed(lambda table: without(table, *hidden))
    weights = None
    if protocol.weights != "none":
        weights = weighted(shown, (key, response), aligned, homes, protocol.weights, problems)
    inside = _inside(pairs, protocol, tables, key, response, homes)
    return _Tabled(tables, key, response, hidden, shown, inside, weights)


def _counted(metric: Metric, made: _Tabled, protocol: Protocol) -> Counted:
    both = made.of(metric, protocol)
    if made.key.sets and made.response.sets and not metric.sums:
        recall, precision = credited(metric, made.tables, made.key, made.response, protocol.credit, made.inside)
        both = without(recall, *made.hidden), without(precision, *made.hidden)
    return counted(metric, both, protocol.twinless, protocol.singletons)


def _links(
    metric: Metric,
    tables: tuple[Table, Table],
    aligned: list[Aligned],
    homes: Sequence[int],
    protocol: Protocol,
) -> Floats:
    """The counts of links within documents, or of those that cross their borders, for each group of documents."""
    parts = [(cut(key), cut(response), lookups) for key, response, lookups in aligned]
    inner, key, response = build(parts)
    hidden = (
        _hidden([part[0] for part in parts], key, range(len(parts))),
        _hidden([part[1] for part in parts], response, range(len(parts))),
    )
    shown = inner.changed(lambda table: without(table, *hidden))
    within = np.zeros((len(set(homes)), 4))
    np.add.at(within, [*homes], counted(metric, metric.tables(shown, protocol.credit), protocol.twinless).documents)
    return within if metric.borders == "within" else counted(metric, tables, protocol.twinless).documents - within


def _inside(
    pairs: Sequence[Pair], protocol: Protocol, tables: Tables, key: Entities, response: Entities, homes: Sequence[int]
) -> Inside | None:
    """What sets are compared by, if there are any: the tables, but others in ua-1.0 where mentions are repeated.

    There a mention that stands twice in a member counts twice.
    """
    if not (key.sets or response.sets):
        return None
    sides = (side for pair in pairs for side in (pair.key, pair.response))
    if protocol.duplicates != "ua-1.0" or not any(side.repeats() for side in sides):
        return Inside(key, response, (tables.every, tables.every))
    both = []
    for ours, theirs in prepare(pairs, protocol.preparing, _needs(protocol), Problems("skip"), homes, copies=True):
        recall = lookups(ours, theirs, protocol.match, protocol.zeros).every
        back = lookups(theirs, ours, protocol.match, protocol.zeros).every
        both.append((ours, theirs, Lookups(recall, Alignment(back.response, back.key), recall, recall)))
    tables, _, _ = build(both, homes, protocol.beta)
    return Inside(key, response, (tables.recall, tables.precision))


def _refuse_unnamed(both: list[tuple[Document, Document]]) -> None:
    for documents in both:
        for document in documents:
            if _has_unnamed(document):
                raise Error(
                    "unnamed-entities", "entities without names cannot be shared by documents", path=document.source,
                    line=document.line, document=document.id or None,
                    expected="names of entities that mean the same in all documents",
                    remedy='name them: "entities" in JSON lines, a mapping from names to clusters in Python',
                )  # fmt: skip


def _has_unnamed(document: Document) -> bool:
    """Whether entities have no names but their numbers, or those of their mentions, which mean something here alone."""
    if any(isinstance(name, int) for name in document.names):
        return True
    mentions = document.mentions
    named = [index for index, id in enumerate(mentions.ids) if id is not None]
    return any(mentions[index].span and mentions[index].id == mentions[index].entity for index in named)


def _hidden(documents: Sequence[Document], entities: Entities, homes: Sequence[int]) -> Flags:
    if not any(document.hidden for document in documents):
        return np.zeros(len(entities.name), np.bool_)
    hidden = {(home, name) for home, document in zip(homes, documents, strict=True) for name in document.hidden}
    return np.array([each in hidden for each in zip(entities.document, entities.name, strict=True)], np.bool_)


def _kept(entities: Entities, hidden: Flags) -> Entities:
    if not hidden.any():
        return entities._replace(sets={})
    shown = np.flatnonzero(~hidden).tolist()
    return Entities([entities.document[index] for index in shown], [entities.name[index] for index in shown], {})


def _with_any_mentions(pairs: Sequence[Pair], protocol: Protocol, problems: Problems) -> list[Aligned]:
    """The documents for relations between any mentions (bridging, non-referring), also those that are no entity's."""
    which = "error" if protocol.duplicates == "error" else "keep"  # mentions keep their numbers
    both = [(unique(pair.key, which, problems), unique(pair.response, which, problems)) for pair in pairs]
    return [(key, response, lookups(key, response, protocol.match, protocol.zeros)) for key, response in both]


def _related(aligned: list[Aligned], relations: list[Relation], protocol: Protocol) -> list[Aligned]:
    """The documents for relations between mentions of entities, with every copy of a mention looked up."""
    alike = protocol.match != "dice" and owner(protocol) == "last"
    if alike or all(each.maps for each in relations):
        return aligned
    return [(key, response, lookups(key, response, protocol.match, protocol.zeros)) for key, response, _ in aligned]


def _relation_counts(
    aligned: list[Aligned], relations: list[Relation], protocol: Protocol, homes: Sequence[int]
) -> dict[str, Floats]:
    """The counts of metrics on relations."""
    counts = {each.name: np.zeros((len(set(homes)), 4)) for each in relations}
    functions = [(each, _function(each, protocol)) for each in relations]
    for home, (key, response, found) in zip(homes, aligned, strict=True):
        mapped = Overlapping(key, response)  # once for all metrics on nuggets
        for each, function in functions:
            if protocol.empty == "count" or key.mentions or not each.name.startswith(NUGGET):
                counts[each.name][home] += function(key, response, mapped if each.maps else found)
    return counts


def _function(relation: Relation, protocol: Protocol) -> Callable[..., Counts]:
    """The function of a metric, as the protocol wants it."""
    if relation.name not in SEQUENCING:
        return relation.function
    return partial(relation.function, attributes=MAPPINGS[protocol.mapping], rule=protocol.sequencing)


def _lookups(
    matcher: str, zeros: str, owner: str, threshold: float, mapping: str, pair: tuple[Document, Document]
) -> Lookups:
    return lookups(*pair, matcher, zeros, owner, threshold, mapping)
