"""Runs the stages on pairs of documents: prepare, match, count on tables, count relations. Gives an `Evaluation`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..counting.corpus import Corpus, SetMembers, corpus
from ..counting.metrics import Counted, Metric, Related, Whole, counted
from ..counting.rules import SINGLETONS
from ..counting.special import CORRECTIONS, RULES
from ..counting.table import Aligned, Floats, Settings, build, without
from ..document.document import Document, about
from ..document.grouping import distinct
from ..matching.lookup import Lookups, lookups
from ..matching.match import MATCHERS, Alignment
from ..matching.nuggets import Overlapping
from ..pairing.pairs import Pair, datasets
from ..pairing.scope import Scoped, scoped
from ..preparing.prepare import Needs, prepare
from ..preparing.steps import unique
from ..problems import Problem, Problems
from ..processes import Item, Progress, reported
from ..protocol.protocol import Protocol
from ..relations.registry import DEIXIS, metric, split_name
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.evidence import EntityCounts, Evidence
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..counting.windows import Windows

Value = TypeVar("Value")


class Memo:
    """Remembers what stages gave and which problems they reported, for other protocols on the same pairs."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, list[Problem], Problems]] = {}

    def once(self, stage: Hashable, make: Callable[[], Value], problems: Problems) -> Value:
        """The remembered result of a stage, or a new one from `make`; its problems are reported either way."""
        if stage not in self._known:
            before = len(problems.found)
            self._known[stage] = make(), problems.found[before:], problems
        value: Value
        value, reported, told = self._known[stage]
        if told is not problems:  # most ask again for what they were told
            problems.found += reported
            self._known[stage] = value, reported, problems
        return value


class Stages(NamedTuple):
    """Keys of a protocol's stages in a `Memo`: under two protocols with equal keys, a stage has the same result.

    Tables are made of aligned documents, with `tabled` beside them.
    """

    aligned: Hashable
    tabled: Hashable

    @classmethod
    def of(cls, protocol: Protocol, layer: str) -> Stages:
        """The keys for a protocol and a layer of the documents."""
        scope, counting = protocol.reading.scope, protocol.counting
        dropped = counting.singletons == "drop"  # the only choice of counting that alignments depend on
        plain = scope in ("document", "corpus") and not dropped and protocol.preparing.mentions != "np"
        homes = "" if plain else scope  # with plain scopes, documents are prepared one by one, alike
        aligned = (layer, dropped, homes, protocol.preparing, protocol.matching)
        rules = protocol.duplicates, protocol.split, protocol.preparing.credit
        return cls(aligned, (scope, counting._replace(singletons="", twinless=""), *rules))


def evaluate(
    pairs: Sequence[Pair], protocol: Protocol, problems: Problems, progress: Progress = None, memo: Memo | None = None
) -> Evaluation:
    """Prepare, align, build the table, compute the metrics; share the `memo` between protocols on the same pairs."""
    memo = memo or Memo()
    scope = protocol.reading.scope
    alone = Scoped(pairs, range(len(pairs)), None)
    within = alone if scope == "document" else memo.once(("scope", scope), partial(scoped, pairs, scope), problems)
    pairs, homes, groups = within
    scored = pairs
    if MATCHERS[protocol.matching.match].heads:
        from ..pairing.heads import with_common_heads

        asked = protocol.reading.heads
        common = partial(with_common_heads, pairs, asked, problems)
        scored, heads = memo.once(("heads", scope, asked), common, problems)
        protocol = protocol.change(heads=heads)
    counts: dict[str, Floats] = {}
    evidence = Evidence()
    names = [split_name(name) for name in required(protocol)]
    layer = _ScoredLayer(scored, homes, protocol, problems, memo, progress, Stages.of(protocol, ""))
    cut = layer.windows() if protocol.cuts else None
    for prefix in dict.fromkeys(prefix for prefix, _ in names):
        metrics = [each for each in (metric(base) for other, base in names if other == prefix) if each]
        found, source = layer.of(prefix).counts(metrics)
        counts |= {prefix + name: values for name, values in found.items()}
        evidence = evidence if prefix else source
    documents, sources = groups or memo.once(("names", scope), partial(_names, pairs), problems)
    evidence = replace(evidence, pairs=tuple(pairs), homes=tuple(homes))
    if cut:
        documents, sources = cut.named(documents), tuple(sources[number] for number in cut.documents)
        evidence = replace(evidence, homes=tuple(range(len(documents))), parts_of=tuple(cut.documents))
    return Evaluation(protocol, documents, counts, tuple(dict.fromkeys(problems.found)), sources, evidence)


def _names(pairs: Sequence[Pair]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of documents, and their datasets."""
    names = tuple([pair.name for pair in pairs])
    return names if len(set(names)) == len(names) else distinct(names), datasets(pairs)


def _deixis(pair: Pair) -> Pair:
    key, response = (side.deixis or Document(side.id, side.words) for side in (pair.key, pair.response))
    return pair._replace(key=key, response=response)


class _ScoredLayer(NamedTuple):
    """One layer of the documents, coreference or discourse deixis, under a protocol: the input of all stages."""

    pairs: Sequence[Pair]
    homes: Sequence[int]
    protocol: Protocol
    problems: Problems
    memo: Memo
    progress: Progress
    stages: Stages

    def of(self, prefix: str) -> _ScoredLayer:
        """The layer that a prefix of metric names, or the protocol, asks for."""
        if prefix != DEIXIS and self.protocol.reading.layer != "deixis":
            return self
        return self._replace(pairs=[*map(_deixis, self.pairs)], stages=Stages.of(self.protocol, "deixis"))

    def counts(self, metrics: Sequence[Metric]) -> tuple[dict[str, Floats], Evidence]:
        """The counts of metrics, and the evidence behind them."""
        counts: dict[str, Floats] = {}
        evidence = None
        on_table = [each for each in metrics if not isinstance(each.how, Related)]
        if on_table:
            counts, evidence = self._entity_counts(on_table)
        for any_mentions in (True, False):
            some = [each for each in metrics if isinstance(each.how, Related) and each.how.any_mentions == any_mentions]
            if some:
                aligned = self._with_any_mentions() if any_mentions else self._related(some)
                counts |= self._relation_counts(some, aligned)
                evidence = evidence or Evidence((), tuple(aligned))
        return counts, evidence or Evidence()

    # -- stages ------------------------------------------------------------------------------------------------------

    @property
    def _needs(self) -> Needs:
        """What matching and counting need of documents that are prepared."""
        matching = self.protocol.matching
        return Needs(matching.match, matching.identity, self.protocol.counting.singletons, self.homes, matching.places)

    def _aligned(self) -> list[Aligned]:
        """The documents as they are scored, with the mentions of key and response aligned."""
        return self.memo.once(self.stages.aligned, self._align, self.problems)

    def _align(self) -> list[Aligned]:
        protocol = self.protocol
        both = prepare(self.pairs, protocol.preparing, self._needs, self.problems)
        matching = protocol.matching
        choices = {"owner": protocol.preparing.owner, "threshold": matching.threshold, "mapping": matching.mapping}
        look = partial(self._looked_up, self._told(both, "documents aligned"), **choices)
        alike = matching, protocol.zeros, choices["owner"], *map(id, chain.from_iterable(both))
        return self.memo.once(alike, look, self.problems)  # other choices may leave all documents as they are

    def _told(self, items: Sequence[Item], what: str) -> Iterable[Item]:
        """The items one by one; progress is reported after each."""
        return reported(items, what, self.progress) if self.progress else items

    def _looked_up(self, both: Iterable[tuple[Document, Document]], **choices: Any) -> list[Aligned]:
        """The prepared documents with the mentions of key and response aligned."""
        match, zeros, fields = self.protocol.match, self.protocol.zeros, self.protocol.matching.fields
        return [(*sides, lookups(*sides, match, zeros, fields=fields, **choices)) for sides in both]

    def windows(self) -> Windows:
        """The aligned documents cut into windows."""
        from ..counting.windows import cut, refuse_cut

        counting, names = self.protocol.counting, required(self.protocol)
        refuse_cut(self.protocol.reading.scope, (each for name in names if (each := metric(split_name(name)[1]))))
        stage = self.stages.aligned, counting.window, counting.window_rule, counting.prefix
        return self.memo.once(stage, partial(cut, self._aligned(), counting), self.problems)

    def _scored(self) -> tuple[Sequence[Aligned], Sequence[int]]:
        """The aligned documents that are scored, and their scopes: those that were read, or their windows."""
        if not self.protocol.cuts:
            return self._aligned(), self.homes
        aligned = self.windows().aligned
        return aligned, range(len(aligned))

    @property
    def _tables(self) -> Hashable:
        """The key of the tables: choices that leave all documents as they are have the same one."""
        return id(self._aligned()), self.stages.tabled

    def _corpus(self) -> Corpus:
        """The tables of the documents."""
        return self.memo.once(self._tables, self._tabled, self.problems)

    def _with_copies(self) -> Corpus:
        """The tables of the documents with every copy of a repeated mention, whatever the protocol does with them."""
        kept = self.protocol.change(duplicates="keep")
        if self.protocol.preparing.duplicates in ("keep", "error"):
            return self._corpus()
        stages = Stages(("copies", self.stages.aligned), ("copies", self.stages.tabled))
        return self._replace(protocol=kept, problems=Problems("skip"), stages=stages)._corpus()

    def _tabled(self) -> Corpus:
        (aligned, homes), protocol = self._scored(), self.protocol
        if len(set(homes)) < len(homes):
            _refuse_unnamed(aligned)
        found = corpus(aligned, homes, Settings(protocol.counting.beta, protocol.counting.frequent))
        if protocol.counting.weights != "none":
            from ..counting.weights import weighted

            weights = weighted(found.shown, aligned, homes, protocol.counting.weights, self.problems)
            found = found._replace(weights=weights)
        return found._replace(sets=self._members(found.sets), places=protocol.matching.places)

    def _members(self, sets: SetMembers) -> SetMembers:
        """Split antecedents with the tables that compare their members.

        In ua-1.0 a mention that is repeated in a member counts twice: if there are any, tables with copies are made.
        """
        protocol = self.protocol
        sides = (side for pair in self.pairs for side in (pair.key, pair.response))
        none = not (sets.key.sets or sets.response.sets)
        if none or protocol.preparing.duplicates != "ua-1.0" or not any(side.repeats() for side in sides):
            return sets
        both = []
        prepared = prepare(self.pairs, protocol.preparing, self._needs, Problems("skip"), copies=True)
        for ours, theirs in prepared:
            recall, back = (each[0][2].every for each in map(self._looked_up, ([(ours, theirs)], [(theirs, ours)])))
            both.append((ours, theirs, Lookups(recall, Alignment(back.response, back.key), recall, recall)))
        tables, _, _ = build(both, self.homes)
        return SetMembers(sets.key, sets.response, (tables.recall, tables.precision))

    # -- metrics on the table ----------------------------------------------------------------------------------------

    def _entity_counts(self, metrics: Sequence[Metric]) -> tuple[dict[str, Floats], Evidence]:
        """The counts of metrics on the table, and the evidence behind them."""
        (aligned, _), found, protocol = self._scored(), self._corpus(), self.protocol
        counts: dict[str, Floats] = {}
        each_entity = EntityCounts()
        for each in self._told(metrics, "metrics computed"):
            special = RULES.get(each.rules.repeated) or RULES.get(protocol.preparing.split) or RULES.get(type(each.how))
            shown = self._with_copies() if each.rules.repeated == "all" else found
            ours = special and special(each, shown, protocol.preparing.credit, protocol.counting.twinless)
            if ours is not None:
                counts[each.name] = ours
                continue
            rules = each.rules
            variant = SINGLETONS[protocol.counting.singletons].get(rules.singletons)
            stage = each.name, rules.twinless or protocol.counting.twinless, variant, self._tables
            counts[each.name], key, response = self.memo.once(stage, partial(self._counted, each), self.problems)
            if key is not None and response is not None:
                each_entity.parts[each.name] = key, response
        self._correct(counts, found)
        return counts, Evidence((), tuple(aligned), found.shown.recall, found.entities, each_entity)

    def _counted(self, each: Metric) -> Counted:
        """The counts of a metric, with credit for split antecedents if both sides have some."""
        found, protocol = self._corpus(), self.protocol
        how, both = each.on_table, found.of(each, protocol.preparing.credit)
        if found.sets.key.sets and found.sets.response.sets and not isinstance(how, Whole):
            from ..counting.split import credited  # few files have sets

            recall, precision = credited(each, found.tables, found.sets, protocol.preparing.credit)
            both = without(recall, *found.hidden), without(precision, *found.hidden)
        return counted(how, both, protocol.counting.twinless, protocol.counting.singletons)

    def _correct(self, counts: dict[str, Floats], found: Corpus) -> None:
        """Replace the counts of scopes with repeated mentions, if the protocol has a rule for them."""
        recount = CORRECTIONS.get(self.protocol.preparing.owner)
        if recount is None:
            return
        rows = self.memo.once(("scopes that repeat", self._tables), lambda: found.repeated, self.problems)
        if not rows:
            return
        again = self.memo.once(("repeated", self._tables), partial(recount, found, rows), self.problems)
        for name, values in again.items():
            if name in counts:
                counts[name] = counts[name].copy()
                counts[name][rows] = values

    # -- relations ---------------------------------------------------------------------------------------------------

    def _with_any_mentions(self) -> list[Aligned]:
        """The documents for relations between any mentions, also those outside entities."""
        problems = self.problems
        which = "error" if self.protocol.preparing.duplicates == "error" else "keep"  # mentions keep their numbers
        both = [(unique(pair.key, which, problems), unique(pair.response, which, problems)) for pair in self.pairs]
        return self._looked_up(both)

    def _related(self, metrics: Sequence[Metric]) -> list[Aligned]:
        """The documents for relations between mentions of entities, with every copy of a mention looked up."""
        aligned, protocol = self._aligned(), self.protocol
        alike = protocol.matching.match != "dice" and protocol.preparing.owner == "last"
        if alike or all(isinstance(each.how, Related) and each.how.maps for each in metrics):
            return aligned
        return self._looked_up((key, response) for key, response, _ in aligned)

    def _relation_counts(self, metrics: Sequence[Metric], aligned: list[Aligned]) -> dict[str, Floats]:
        """The counts of metrics on relations."""
        counts = {each.name: np.zeros((len(set(self.homes)), 4)) for each in metrics}
        hows = {each.name: each.how for each in metrics if isinstance(each.how, Related)}
        protocol = self.protocol
        choices = {name: {word: getattr(protocol, word) for word in how.choices} for name, how in hows.items()}
        for home, (key, response, found) in zip(self.homes, aligned, strict=True):
            mapped = Overlapping(key, response)  # shared by all metrics on nuggets
            for name, how in hows.items():
                if protocol.averaging.empty == "count" or key.mentions or not how.nuggets:
                    related = mapped if how.maps else found
                    counts[name][home] += how.function(key, response, related, **choices[name])
        return counts


def _refuse_unnamed(aligned: Sequence[Aligned]) -> None:
    unnamed = next((side for *sides, _ in aligned for side in sides if _has_unnamed(side)), None)
    if unnamed:
        remedy = 'name them: "entities" in JSON lines, a mapping from names to clusters in Python'
        message = "entities without names cannot be shared by documents"
        expected = "names of entities that mean the same in all documents"
        report = about(unnamed, remedy=remedy).of(unnamed.id or None)
        raise report.error("unnamed-entities", message, unnamed.line, None, expected)


def _has_unnamed(document: Document) -> bool:
    """Whether entities have only numbers, or ids of their mentions, as names: these mean nothing in other documents."""
    if any(isinstance(name, int) for name in document.names):
        return True
    mentions = document.mentions
    named = [index for index, id in enumerate(mentions.ids) if id is not None]
    return any(mentions[index].span and mentions[index].id == mentions[index].entity for index in named)
