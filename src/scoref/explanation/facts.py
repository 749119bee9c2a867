"""What there is in the documents that settings treat differently: singletons, repeats, zeros, twinless mentions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from ..counting.metrics import Mean
from ..document.document import Document, Span, word_of
from ..document.grouping import parts
from ..document.trees import has_parse
from ..problems import Error
from ..protocol.choices import BLANC, CHOICES, OF_DOCUMENTS, OF_METRICS
from ..protocol.protocol import Protocol
from ..relations.registry import how_of, split_name
from .experiments import Experiments


@dataclass(frozen=True)
class Facts:
    """Counts of key and response, where two numbers stand in a pair; -1 where a saved evaluation does not tell."""

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

    def to_dict(self) -> dict[str, Any]:
        """The counts that are known, for JSON."""
        return {name: value for name, value in asdict(self).items() if value not in (-1, (-1, -1))}


def facts_of(experiments: Experiments) -> Facts:
    """The facts of the documents, as they are scored but with their singletons."""
    yours = experiments.yours
    datasets = len(set(yours.datasets))
    if experiments.saved:
        sums = yours.counts["mentions"].sum(axis=0) if "mentions" in yours.counts else [-1, -1, -1, -1]
        repeats = sum(problem.code == "duplicate-mention" for problem in yours.problems)
        told = yours.protocol.preparing.duplicates in ("first", "last", "reference")  # the others do not report them
        nuggets = yours.protocol.matching.match == "dice"
        return Facts(len(yours.documents), datasets, (int(sums[1]), int(sums[3])), repeats=repeats if told else -1,
                     nuggets=nuggets)  # fmt: skip
    evidence = experiments.evaluation(experiments.change(experiments.protocol, singletons="keep")).evidence
    table, pairs = evidence.table, evidence.pairs
    sides = table, table.transposed
    read = [document for pair in pairs for side in pair[1:3] for document in _layers(side)]
    keys = [document for pair in pairs for document in _layers(pair.key)]
    return Facts(
        len(pairs),
        datasets,
        _both(sides, lambda side: side.key.mentions.sum()),
        _both(sides, lambda side: len(side.key.size)),
        _both(sides, lambda side: (side.key.size == 1).sum()),
        _both(sides, lambda side: (side.key.mentions - side.shared).clip(0).sum()),
        sum(len(same) - 1 for each in read for same in each.copies()),
        sum(len(each.mentions.zeros) for each in read),
        sum(len(each.sets) for each in read),
        any(head is not None for each in keys for head in each.mentions.heads),
        any(any(each.mentions.minimums) for each in keys),
        any(_parsed(each) for each in keys),
        any(_in_pieces(span) for each in read if each.mentions.ends is None for span in each.mentions.spans),
        experiments.protocol.matching.match == "dice",
        any(document.mentions and parts(document) is not None for document in keys),
    )


def _layers(document: Document) -> list[Document]:
    return [document, document.deixis] if document.deixis else [document]


def _in_pieces(span: Span) -> bool:
    """Whether there are words between those of a mention."""
    return len(span) > 1 and word_of(span[-1]) - word_of(span[0]) >= len(span)


def _parsed(document: Document) -> bool:
    """Whether there is a parse; most files without one show that at their first token."""
    first = document.columns["parse"][:1] if "parse" in document.columns else []
    return bool(first) and "*" in first[0] and has_parse(document)


def _both(sides: tuple, count: Callable) -> tuple[int, int]:  # type: ignore[type-arg]
    return int(count(sides[0])), int(count(sides[1]))


LACKS = HEADS, MINIMUMS, PIECES, NUGGETS, PARSE, DATASETS, TEXTS = (
    "heads", "minimum spans", "mentions in pieces", "event nuggets", "a parse column", "several datasets",
    "documents of several texts",
)  # fmt: skip


def lacking(facts: Facts, choice: str, word: str) -> str:
    """What the files lack that a word of a choice needs; nothing if they have it."""
    if choice == "match":
        if word == "partial-craft" and not facts.pieces:
            return PIECES
        if word.startswith(("head", "partial")) and word != "partial-craft" and not facts.heads:
            return HEADS
        if word.startswith("min") and not (facts.minimums or facts.parse):
            return MINIMUMS
        if word.startswith("dice") and not facts.nuggets:
            return NUGGETS
    if choice == "mentions" and word == "np" and not facts.parse:
        return PARSE
    if word == "within" and not facts.texts:
        return TEXTS
    if word == "datasets" and facts.datasets < 2:
        return DATASETS
    return ""


def needs(facts: Facts, protocol: Protocol) -> str:
    """What the files lack that a protocol needs."""
    found = [lacking(facts, choice, getattr(protocol, choice)) for choice in ("match", "mentions")]
    return " and ".join(each for each in found if each)


def inert(facts: Facts, choice: str, experiments: Experiments) -> str:
    """Why a choice cannot matter, by counts alone, before anything is scored; nothing if it might."""
    protocol, metrics = experiments.protocol, [split_name(metric)[1] for metric in experiments.metrics]
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
    return any(isinstance(how, Mean) and not how.skip_empty for how in map(how_of, metrics))


def _leaves_out_links(metric: str) -> bool:
    """Whether a metric is BLANC, which leaves out kinds of links that are not there."""
    how = how_of(metric)
    return isinstance(how, Mean) and how.skip_empty


def shared_names(experiments: Experiments, facts: Facts) -> tuple[int, int] | None:
    """How many entities key and response have where documents share them, if they have names."""
    try:
        evidence = experiments.evaluation(experiments.change(experiments.protocol, scope="corpus")).evidence
    except Error:
        return None
    return len(evidence.table.key.size), len(evidence.table.response.size)
