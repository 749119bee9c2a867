"""Scores the same documents under many settings, and counts what in them settings treat differently."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from ..counting.metrics import Mean
from ..counting.table import Floats, Table
from ..document.document import Document, Span, word_of
from ..document.grouping import parts, read_ahead
from ..document.trees import has_parse
from ..layout.render import Json
from ..matching.match import MATCHERS
from ..problems import Error, Problems
from ..protocol.choices import BLANC, CHOICES, OF_DOCUMENTS, OF_METRICS, Averaging
from ..protocol.protocol import Protocol
from ..relations.registry import how_of, split_name
from ..results.averages import finished, required
from ..results.averages import parts as parts_of
from ..results.evaluation import Evaluation
from ..run.stages import Memo, evaluate

FIXED = tuple(name for name, choice in CHOICES.items() if choice.fixed)


@dataclass(frozen=True)
class Facts:
    """Counts in the documents; pairs are (key, response), and -1 means that a saved evaluation does not tell."""

    documents: int
    datasets: int
    mentions: tuple[int, int]
    entities: tuple[int, int] = (-1, -1)
    singletons: tuple[int, int] = (-1, -1)
    twinless: tuple[int, int] = (-1, -1)
    repeats: int = -1
    zeros: int = -1
    sets: int = -1
    heads: bool = False
    minimums: bool = False
    parse: bool = False
    pieces: bool = False
    nuggets: bool = False
    texts: bool = False
    types: int = -1

    @property
    def several_datasets(self) -> bool:
        """Whether there is more than one dataset."""
        return self.datasets > 1

    def to_dict(self) -> Json:
        """The counts that are known, for JSON."""
        return {name: value for name, value in asdict(self).items() if value not in (-1, (-1, -1))}


def main_metric(metrics: Sequence[str]) -> str:
    """The metric that settings are ranked by: the last average, else the first metric."""
    return [*[name for name in metrics if parts_of(name)][-1:], *metrics][0]


class Experiments:
    """The documents of an evaluation, scored under any setting.

    Of a saved evaluation only those settings can be scored whose sums it has. `metric` is the one that settings
    are ranked by: unless told otherwise an average, else the first one.
    """

    def __init__(
        self, yours: Evaluation, metrics: Sequence[str], memo: Memo | None = None, metric: str | None = None
    ) -> None:
        self.yours = yours
        self.protocol = yours.protocol.change(metrics=tuple(metrics))
        self.metrics = self.protocol.metrics
        self.metric = metric or main_metric(self.metrics)
        self._memo = memo or Memo()
        self._counted: dict[Hashable, Evaluation | Error] = {}
        self._sums: dict[Hashable, Floats] = {}
        self._scores: dict[Hashable, Floats] = {}
        if self.saved:
            for each in (yours, *yours.settings.values()):
                self._counted[self._stage(each.protocol)] = each

    @property
    def saved(self) -> bool:
        """Whether only sums are known, as with a saved evaluation."""
        return not self.yours.has_evidence

    def change(self, protocol: Protocol, **choices: str) -> Protocol:
        """The protocol with other choices, but with the metrics and the fixed choices of these experiments."""
        same = {name: getattr(self.protocol, name) for name in FIXED}
        return protocol.change(metrics=self.metrics, **same).change(**choices)

    def evaluation(self, protocol: Protocol) -> Evaluation:
        """The evaluation under the protocol; an error where the documents lack what it needs."""
        stage = self._stage(protocol)
        if stage not in self._counted:
            try:
                self._counted[stage] = self._evaluated(protocol)
            except Error as error:
                self._counted[stage] = error
        found = self._counted[stage]
        if isinstance(found, Error):
            raise found
        missing = [name for name in required(protocol) if name not in found.counts] if self.saved else []
        if missing:
            raise Error(
                "no-entities", f"the saved evaluation has no {', '.join(missing)}", remedy="score the files again"
            )
        return replace(found, protocol=protocol, settings={}, intervals=None)

    def scores(self, protocol: Protocol) -> Floats:
        """Recall, precision and f1 of each metric, [metrics, 3]."""
        if protocol.metrics != self.metrics:
            protocol = protocol.change(metrics=self.metrics)
        stage, sums = self._summed(protocol)
        if stage not in self._scores:
            self._scores[stage] = finished(protocol, sums)
        return self._scores[stage]

    def scored(self, protocols: Iterable[Protocol]) -> Iterator[tuple[Protocol, Floats]]:
        """The protocols that can be scored, with their scores; those of one kind of average are finished together."""
        alike: dict[Averaging, dict[Protocol, tuple[Hashable, Floats]]] = {}
        known = []
        for protocol in protocols:
            try:
                summed = self._summed(protocol)
            except Error:
                continue
            alike.setdefault(protocol.averaging, {})[protocol] = summed
            known.append(protocol)
        for each in alike.values():
            values = finished(next(iter(each)), np.stack([sums for _, sums in each.values()]))
            self._scores |= zip([stage for stage, _ in each.values()], values, strict=True)
        return ((protocol, self.scores(protocol)) for protocol in known)

    def _summed(self, protocol: Protocol) -> tuple[Hashable, Floats]:
        """The sums that the scores under a protocol are made of, and a key for both; numbers are rounded later."""
        exact = replace(protocol, name="", averaging=protocol.averaging._replace(digits="exact"))
        if exact not in self._sums:
            self._sums[exact] = self.evaluation(protocol).sums()
        return (exact, protocol.averaging.digits), self._sums[exact]

    def f1(self, protocol: Protocol) -> Floats:
        """The f1 of each metric."""
        return self.scores(protocol)[:, 2]

    def _evaluated(self, protocol: Protocol) -> Evaluation:
        if self.saved:
            raise Error("no-entities", "a saved evaluation holds sums only", remedy="score the files again")
        links = protocol.averaging.links if self._knows_mentions(protocol) else "scorch"
        everything = protocol.change(average="weighted", links=links, metrics=self.metrics)
        if self._unrepeated and MATCHERS[protocol.matching.match].identity != "minimum":
            everything = everything.change(duplicates="reference")  # whatever the word is: stages are shared
        return evaluate(self.yours.evidence.pairs, everything, Problems("skip"), memo=self._memo)

    @cached_property
    def _unrepeated(self) -> bool:
        """Whether no mention is repeated, now or in any preparation."""
        layers = [each for pair in self.yours.evidence.pairs for side in pair[1:3] for each in _layers(side)]
        return self.protocol.preparing.invisible == "none" and not any(each.repeats() or each.sets for each in layers)

    def _stage(self, protocol: Protocol) -> Hashable:
        """A key of the choices that counts depend on; protocols that differ only in averaging share it."""
        empty = "" if self.saved else protocol.averaging.empty
        parts = protocol.reading, protocol.preparing, protocol.matching, protocol.counting
        return *parts, empty, self._knows_mentions(protocol)

    def _knows_mentions(self, protocol: Protocol) -> bool:
        """Whether BLANC needs counts of mentions in this protocol, and not of sizes."""
        return not self.saved and protocol.averaging.links == "always"

    @cached_property
    def facts(self) -> Facts:
        """Counts in the documents, as they are scored but with singletons kept."""
        yours, datasets = self.yours, len(set(self.yours.datasets))
        nuggets = self.protocol.matching.match == "dice"
        if self.saved:
            sums = yours.counts["mentions"].sum(axis=0) if "mentions" in yours.counts else [-1, -1, -1, -1]
            repeats = sum(problem.code == "duplicate-mention" for problem in yours.problems)
            if yours.protocol.preparing.duplicates not in ("first", "last", "reference"):
                repeats = -1  # other protocols do not report them
            mentions = int(sums[1]), int(sums[3])
            return Facts(len(yours.documents), datasets, mentions, repeats=repeats, nuggets=nuggets)
        evidence = self.evaluation(self.change(self.protocol, singletons="keep")).evidence
        key, response = map(_counts, (evidence.table, evidence.table.transposed))
        pairs = evidence.pairs
        read = [document for pair in pairs for side in pair[1:3] for document in _layers(side)]
        keys = [document for pair in pairs for document in _layers(pair.key)]
        read_ahead(keys, "parse", "pos")
        return Facts(
            len(pairs),
            datasets,
            (key[0], response[0]),
            (key[1], response[1]),
            (key[2], response[2]),
            (key[3], response[3]),
            sum(len(same) - 1 for each in read for same in each.copies()),
            sum(len(each.mentions.zeros) for each in read),
            sum(len(each.sets) for each in read),
            any(head is not None for each in keys for head in each.mentions.heads),
            any(any(each.mentions.minimums) for each in keys),
            any(map(_parsed, keys)),
            any(_in_pieces(span) for each in read if each.mentions.ends is None for span in each.mentions.spans),
            nuggets,
            any(len({*(parts(document) or ())}) > 1 for document in keys),
            min(sum(map(_typed, side)) for side in zip(*(pair[1:3] for pair in pairs), strict=True)) if pairs else 0,
        )


def _layers(document: Document) -> list[Document]:
    return [document, document.deixis] if document.deixis else [document]


def _typed(document: Document) -> int:
    """How many mentions have a type."""
    return sum(bool(dict(said).get("type")) for each in _layers(document) for said in each.mentions.attributes)


def _in_pieces(span: Span) -> bool:
    """Whether there are words between those of a mention."""
    return len(span) > 1 and word_of(span[-1]) - word_of(span[0]) >= len(span)


def _parsed(document: Document) -> bool:
    """Whether there is a parse; mostly the first token already tells."""
    first = document.columns["parse"][:1] if "parse" in document.columns else []
    return bool(first) and "*" in first[0] and has_parse(document)


def _counts(table: Table) -> list[int]:
    """The mentions, entities, singletons and twinless mentions of the key side of a table."""
    mentions, sizes = table.key.mentions, table.key.size
    return [int(mentions.sum()), len(sizes), int((sizes == 1).sum()), int((mentions - table.shared).clip(0).sum())]


def lacking(facts: Facts, choice: str, word: str) -> str:
    """What the files lack for this word of a choice; '' if nothing."""
    needed = CHOICES[choice].needs.get(word, ())
    return "" if not needed or any(getattr(facts, each.fact) for each in needed) else needed[0].what


def needs(facts: Facts, protocol: Protocol) -> str:
    """What the files lack for a protocol; '' if nothing."""
    found = [lacking(facts, choice, getattr(protocol, choice)) for choice in ("match", "mentions")]
    return " and ".join(each for each in found if each)


def inert(experiments: Experiments, choice: str) -> str:
    """Why a choice cannot matter here, judged by counts without scoring; '' if it might."""
    protocol, facts = experiments.protocol, experiments.facts
    metrics = [split_name(metric)[1] for metric in experiments.metrics]
    subject, concerns = CHOICES[choice].subject, CHOICES[choice].concerns
    one, average = facts.documents == 1, protocol.averaging.average
    if subject and getattr(facts, subject.fact) in (0, (0, 0)):
        return f"no {subject.what}"
    scored = {
        BLANC: any(
            _leaves_out_links(each) for metric in metrics for each in (metric, *getattr(how_of(metric), "of", ()))
        ),
        OF_DOCUMENTS: not one and average not in ("micro", "weighted"),
        OF_METRICS: averaged(metrics) or average == "datasets",
    }
    if not scored.get(concerns, True):
        return f"concerns {concerns} only"
    if choice == "average" and one:
        return "one document"
    return "the words are the same" if choice == "lost" and protocol.reading.text == "same" else ""


def averaged(metrics: list[str]) -> bool:
    """Whether there is an average like CoNLL among the metrics."""
    return any(isinstance(how, Mean) and how.of_scores for how in map(how_of, metrics))


def _leaves_out_links(metric: str) -> bool:
    """Whether a metric is BLANC, which leaves out kinds of links that are not there."""
    how = how_of(metric)
    return isinstance(how, Mean) and how.skip_empty


def shared_names(experiments: Experiments) -> tuple[int, int] | None:
    """How many entities key and response have if documents share them by name; None if that cannot be scored."""
    try:
        evidence = experiments.evaluation(experiments.change(experiments.protocol, scope="corpus")).evidence
    except Error:
        return None
    return len(evidence.table.key.size), len(evidence.table.response.size)
