"""What went wrong: errors counted, located and weighed, and how mentions of different kinds fared.

The errors of coreference, and the steps that repair them, are those of `repair`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .evaluate import evaluate
from .evaluation import DOCUMENT_FIELDS, Evaluation, bucket
from .exceptions import Error, Problems
from .forms import FORMS, form
from .grid import Cell, Grid, Number
from .match import Lookups, canonical, greedy, lookups, once
from .metrics import METRICS, needed, split_name
from .model import Document, Mention, word_of
from .pairing import Pair
from .relations import Bridged, bridged, entity_of, nonreferring, nonreferring_mentions
from .repair import KINDS, CoreferenceError, Place, Repairs
from .table import Floats

_ENTITIES = 25  # how many are shown
_DISTANCES = ((0, "same sentence"), (1, "1 sentence"), (2, "2 sentences"), (3, "3-5 sentences"), (6, "6+ sentences"))


class Cost(NamedTuple):
    """What errors of one kind cost: f1 gained when they alone, or all kinds up to theirs together, are repaired."""

    kind: str
    number: int
    alone: dict[str, float]
    together: dict[str, float]


class Outcome(NamedTuple):
    """How a mention fared: the mention (of the key, or of the response if it is extra), its antecedent, the result.

    `size` is the number of mentions of its entity.
    """

    place: Place
    antecedent: Place | None
    size: int
    result: str


class OtherError(NamedTuple):
    """An error in bridging, or in what refers: its kind, its document, and the mention as it was read."""

    kind: str
    document: str
    place: Place


OTHER_KINDS = {
    "bridging": ("bridging antecedent wrong", "bridging anaphor missed", "bridging anaphor extra"),
    "non-referring": ("non-referring missed", "non-referring extra"),
}

RESULTS = ("right", "wrong antecedent", "no antecedent", "false antecedent", "missed", "extra")


class Analysis:
    """The errors of an evaluation, what they cost, and how mentions fared.

    >>> from scoref import score
    >>> found = Analysis(score([["a", "b"], ["c", "d"]], [["a", "c", "x"], ["b"]]))
    >>> for error in found.errors:
    ...     print(error.kind, [place.text for place in error.mentions])
    conflated entities ['c']
    extra mention ['x']
    divided entity ['b']
    missing mention ['d']
    >>> {cost.kind: round(cost.together["conll"], 2) for cost in found.costs() if cost.number}
    {'conflated entities': 0.02, 'extra mention': 0.05, 'divided entity': 0.45, 'missing mention': 0.69}
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        aligned = evaluation.aligned
        self.names = evaluation.names
        if evaluation.protocol.scope == "corpus":
            self._units = [Repairs(self.names, range(len(aligned)), aligned)]
        else:
            self._units = [
                Repairs([name], [number], [each])
                for number, (name, each) in enumerate(zip(self.names, aligned, strict=True))
            ]

    @cached_property
    def errors(self) -> tuple[CoreferenceError, ...]:
        """The errors, by kind, document and place."""
        found = [error for unit in self._units for error in unit.errors()]
        return tuple(sorted(found, key=lambda error: KINDS.index(error.kind)))

    def counts(self) -> dict[str, int]:
        """How many errors of each kind there are."""
        return {kind: sum(unit.counts[kind] for unit in self._units) for kind in KINDS}

    @cached_property
    def nuggets(self) -> list[NuggetRow]:
        """Event nuggets of key and response side by side, where they were scored."""
        return nugget_rows(self.evaluation) if self.evaluation.nuggets() else []

    def mistakes(self) -> Iterator[Mistake]:
        """Everything that is wrong and was asked for: nuggets not found as they should be, errors of the layer."""
        yield from (row for row in self.nuggets if row.status != STATUSES[0])
        if self.of_coreference:
            yield from self.errors
        else:
            yield from self.other_errors

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that mistakes can have."""
        nuggets = STATUSES[1:] if self.nuggets else ()
        return (*nuggets, *(KINDS if self.of_coreference else OTHER_KINDS.get(self.evaluation.protocol.layer, ())))

    def by_document(self, field: str = "document") -> dict[str, dict[str, int]]:
        """How many mistakes of each kind there are in each document, or in those of one text, dataset or genre."""
        names = self.names if field == "document" else self.evaluation.labels(field)
        if len(names) != len(self.names):
            raise Error("unknown-field", f"no groups by {field} where the corpus is scored as one document")
        label = dict(zip(self.names, names, strict=True))
        counts = {name: dict.fromkeys(self.kinds, 0) for name in names}
        for mistake in self.mistakes():
            counts[label[mistake.document]][mistake.kind] += 1
        return counts

    @property
    def of_coreference(self) -> bool:
        """Whether coreference is asked for: not where only nuggets, bridging or what refers is scored."""
        return bool(self.metrics) or not (
            self.nuggets or self.evaluation.protocol.layer in ("bridging", "non-referring")
        )

    @cached_property
    def deixis(self) -> Analysis | None:
        """The analysis of discourse deixis, where all layers were scored."""
        protocol = self.evaluation.protocol
        names = [split_name(name) for name in protocol.metrics]
        metrics = tuple(name for prefix, name in names if prefix == "deixis:")
        if protocol.layer != "all" or not metrics:
            return None
        return Analysis(
            evaluate(self.evaluation.pairs, protocol.change(layer="deixis", metrics=metrics), Problems("skip"))
        )

    # -- repairs -----------------------------------------------------------------------------------------------------

    def repaired(self, kinds: Collection[str]) -> list[Pair]:
        """The documents with errors of those kinds repaired in the response; all kinds make its entities the key's."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise Error("unknown-error", f"no error is called '{unknown[0]}'", expected=f"some of {', '.join(KINDS)}")
        return [pair for unit in self._units for pair in self._repaired(kinds, unit)]

    def _repaired(self, kinds: Collection[str], unit: Repairs) -> list[Pair]:
        pairs = [self.evaluation.pairs[number] for number in unit.numbers]
        if self.evaluation.protocol.layer != "deixis":
            new = unit.repaired(kinds, [pair.response for pair in pairs])
        else:
            inner = unit.repaired(kinds, [pair.response.deixis or Document(pair.name) for pair in pairs])
            new = [replace(pair.response, deixis=each) for pair, each in zip(pairs, inner, strict=True)]
        return [pair._replace(response=each) for pair, each in zip(pairs, new, strict=True)]

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics on entities that costs are measured with."""
        return tuple(name for name in self.evaluation.protocol.metrics if set(needed([name])) <= METRICS.keys())

    @property
    def metric(self) -> str | None:
        """The metric that costs are shown in: the CoNLL average if it was scored, else the last on entities."""
        return "conll" if "conll" in self.metrics else next(reversed(self.metrics), None)

    def costs(self) -> list[Cost]:
        """What the errors of each kind cost."""
        base = self._scores_without(())
        counts = self.counts()
        found: list[Cost] = []
        for number, kind in enumerate(KINDS):
            both = self._scores_without([kind]), self._scores_without(KINDS[: number + 1])
            gained = [{metric: f1 - base[metric] for metric, f1 in scores.items()} for scores in both]
            found.append(Cost(kind, counts[kind], *gained))
        return found

    def _scores_without(self, kinds: Collection[str]) -> dict[str, float]:
        """The f1 of the response without those kinds of errors.

        Documents are scored again as far as they have such errors, and only once for the same kinds.
        """
        if not self.metrics:
            return {}
        protocol = self.evaluation.protocol.change(metrics=self.metrics)
        wanted = [
            (number, tuple(kind for kind in kinds if unit.counts[kind])) for number, unit in enumerate(self._units)
        ]
        new = [each for each in wanted if each not in self._known]
        if new:
            pairs = [pair for number, some in new for pair in self._repaired(some, self._units[number])]
            scored = evaluate(pairs, protocol, Problems("skip")).counts
            self._known.update({each: {name: scored[name][row] for name in scored} for row, each in enumerate(new)})
        names = needed(self.metrics)
        counts = {name: np.array([self._known[each][name] for each in wanted]) for name in names}
        return {name: replace(self.evaluation, protocol=protocol, counts=counts)[name].f1 for name in self.metrics}

    @cached_property
    def _known(self) -> dict[tuple[int, tuple[str, ...]], dict[str, Floats]]:
        """The counts of documents (or of the corpus) without some kinds of errors; of all with all errors."""
        counts = self.evaluation.counts
        return {(number, ()): {name: counts[name][number] for name in counts} for number in range(len(self._units))}

    # -- how mentions fared ------------------------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """How every mention of the key fared, then those of the response that are extra.

        The antecedent of a mention is the mention of its entity before it. A first mention is right if its twin is one,
        else it has a *false antecedent*. A later one is right if the antecedent of its twin is of its entity.
        """
        return tuple(outcome for unit in self._units for outcome in _outcomes(unit))

    def by(self, field: str) -> Grid:
        """How mentions fared by their form, position in their entity, distance to the antecedent, size of the entity.

        Any other field is an attribute of mentions.
        """
        if not self.of_coreference:
            raise Error("no-coreference", f"how mentions fared by {field} is a question of coreference",
                        remedy="choose --layer identity or deixis, or metrics of coreference")  # fmt: skip
        label = self._label(field)
        counts: dict[str, Counter[str]] = {}
        for outcome in self.outcomes:
            counts.setdefault(label(outcome), Counter())[outcome.result] += 1
        if field not in _VIEWS and not any(counts):
            known = sorted({name for pair in self.evaluation.aligned for side in pair[:2] for mention in side.mentions
                            for name, _ in mention.attributes})  # fmt: skip
            raise Error("unknown-field", f"no mention has the attribute '{field}'",
                        expected=f"one of {', '.join([*DOCUMENT_FIELDS, 'entity', *VIEWS, *known])}")  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for name in sorted(counts, key=_VIEWS.get(field, _by_number)):
            each = counts[name]
            number = sum(each.values()) - each["extra"]
            share = each["right"] / number if number else None
            rows.append((name or "(none)", number, share, *(each[result] for result in RESULTS)))
        return Grid(f"mentions by {field}", (field, "mentions", "right %", *RESULTS), rows)

    def _label(self, field: str) -> Callable[[Outcome], str]:
        if field == "form":
            return lambda outcome: form(outcome.place.document, outcome.place.mention)
        if field == "position":
            return lambda outcome: "later" if outcome.antecedent else "first"
        if field == "distance":
            return _distance
        if field == "size":
            return lambda outcome: bucket("size", outcome.size)
        return lambda outcome: dict(outcome.place.mention.attributes).get(field, "")

    def confusion(self, attribute: str) -> dict[tuple[str, str], int]:
        """How often aligned mentions have which value of an attribute in the key and in the response."""
        counts: Counter[tuple[str, str]] = Counter()
        for unit in self._units:
            for k, r in unit.twins[0].items():
                values = [dict(unit.mention(*each).attributes).get(attribute, "") for each in ((0, k), (1, r))]
                counts[values[0], values[1]] += 1
        return dict(counts)

    def matrix(self, attribute: str) -> Grid:
        """The values of an attribute in the key down, those in the response across; (none) where one side has none."""
        counts = nugget_confusion(self.nuggets, attribute) if self.nuggets else self.confusion(attribute)
        if not any(any(pair) for pair in counts):
            raise Error("unknown-field", f"no mention has the attribute '{attribute}'")
        sides = [sorted({pair[side] for pair in counts}, key=lambda value: (not value, value)) for side in range(2)]
        rows: list[tuple[Cell, ...]] = [
            (ours or "(none)", *(counts.get((ours, theirs)) for theirs in sides[1])) for ours in sides[0]
        ]
        title = f"{attribute}: key down, response across"
        return Grid(title, (attribute, *(name or "(none)" for name in sides[1])), rows)

    def entities(self) -> Grid:
        """The entities that cost most: by how much their numerators fall short."""
        if not self.evaluation.entity_counts:
            raise Error("no-entities", "no metric here says anything of single entities", remedy="add --metrics b3")
        found = self.evaluation.by_entity()
        names = list(found[0].counts) if found else []
        rows: list[tuple[Cell, ...]] = []
        for each in found[:_ENTITIES]:
            lost = [bottom - top for top, bottom in each.counts.values()]
            shown = [Number(value, f"{value:.2f}") for value in lost]
            rows.append((each.side, each.document, str(each.entity), each.size, *shown))
        title = f"{len(rows)} of {len(found)} entities, the costliest first: what their numerators lack"
        return Grid(title, ("side", "document", "entity", "size", *names), rows)

    def sets(self) -> dict[str, int]:
        """Split antecedents: sets and members that are right, missed, extra; nothing where there are no sets.

        Sets are paired by the mentions of their anaphors, members by mentions that they share.
        """
        counts: Counter[str] = Counter()
        for unit in self._units:
            counts.update(_set_counts(unit))
        return {name: counts[name] for name in _SETS} if counts else {}

    def bridging(self) -> dict[str, float]:
        """Bridging anaphors: right, with a wrong antecedent, missed, extra; nothing where there are none.

        Of an anaphor with several antecedents a part can be right.
        """
        each = [bridge for *_, bridges in self._bridges() for bridge in bridges]
        both = [bridge.recall for bridge in each if bridge.key is not None and bridge.response is not None]
        missed = sum(bridge.response is None for bridge in each)
        found = (sum(both), len(both) - sum(both), missed, len(each) - len(both) - missed)
        return dict(zip(_BRIDGING, found, strict=True)) if each else {}

    def _bridges(self) -> Iterator[tuple[int, Pair, list[Bridged]]]:
        for number, pair, alignment in self._everything("bridging"):
            yield number, pair, bridged(pair.key, pair.response, alignment, entity_of(pair.key))

    def nonreferring(self) -> dict[str, float]:
        """Mentions that do not refer: right, missed, extra; nothing where there are none."""
        layer = self._everything("non-referring")
        counts = [nonreferring(pair.key, pair.response, alignment) for _, pair, alignment in layer]
        recalled, ours, precise, theirs = (sum(column) for column in zip(*counts, strict=True)) if counts else [0] * 4
        found = {"right": recalled, "missed": ours - recalled, "extra": theirs - precise}
        return found if ours or theirs else {}

    @cached_property
    def other_errors(self) -> list[OtherError]:
        """Errors in bridging, and in what refers."""
        found: list[OtherError] = []
        for number, pair, bridges in self._bridges():
            for bridge in bridges:
                if bridge.recall < 1:
                    both = bridge.key is not None and bridge.response is not None
                    kind = OTHER_KINDS["bridging"][0 if both else 1 if bridge.response is None else 2]
                    found.append(OtherError(kind, self.names[number], _read(number, pair, bridge.key, bridge.response)))
        missing, extra = OTHER_KINDS["non-referring"]
        for number, pair, alignment in self._everything("non-referring"):
            ours, theirs = nonreferring_mentions(pair.key), nonreferring_mentions(pair.response)
            both_sides = [(k, r) for k, r in zip(*alignment.every, strict=True) if k in ours and r in theirs]
            for k in sorted(ours - {k for k, _ in both_sides}):
                found.append(OtherError(missing, self.names[number], _read(number, pair, k, None)))
            for r in sorted(theirs - {r for _, r in both_sides}):
                found.append(OtherError(extra, self.names[number], _read(number, pair, None, r)))
        return found

    def _everything(self, layer: str) -> Iterator[tuple[int, Pair, Lookups]]:
        """Documents as they were read, and aligned, where they say more than coreference and the layer is asked for."""
        protocol = self.evaluation.protocol
        for number, pair in enumerate(self.evaluation.pairs if protocol.layer in ("identity", layer, "all") else ()):
            if any(side.bridges or side.nonreferring for side in (pair.key, pair.response)):
                yield number, pair, lookups(pair.key, pair.response, protocol.match, protocol.zeros)

    def further(self) -> dict[str, dict[str, float]]:
        """What is counted beside the errors, where there is any: sets, bridging, what does not refer."""
        sets: dict[str, float] = {**self.sets()} if self.of_coreference else {}
        each = {"split antecedents": sets, "bridging": self.bridging(), "non-referring": self.nonreferring()}
        return {title: counts for title, counts in each.items() if counts}

    def totals(self) -> list[Grid]:
        """What is counted beside the errors, as tables."""
        return [
            Grid(title, (title, "number"), [(name, _whole(number)) for name, number in counts.items()])
            for title, counts in self.further().items()
        ]

    def views(self) -> list[Grid]:
        """All there is beside the errors: mentions by form, position, distance and size; sets, bridging; entities."""
        grids = [self.by(view) for view in VIEWS] if self.of_coreference and self.outcomes else []
        grids += self.totals()
        known = {
            name for row in self.nuggets for side in (row.key, row.response) if side for name, _ in side.attributes
        }
        grids += [self.matrix(field) for field in ("type", "realis") if field in known]
        if self.evaluation.entity_counts:
            grids.append(self.entities())
        return [grid for grid in grids if {row[0] for row in grid.rows} - {_UNKNOWN, _FIRST}]


def _read(number: int, pair: Pair, key: int | None, response: int | None) -> Place:
    """The place of a mention as it was read: in the key, if it is there."""
    if key is not None:
        return Place("key", number, key, pair.key)
    assert response is not None
    return Place("response", number, response, pair.response)


def _whole(number: float) -> Cell:
    """A number that is mostly whole: not a fraction of 1."""
    return int(number) if number == int(number) else Number(number, f"{number:.2f}")


VIEWS = ("form", "position", "distance", "size")
_BRIDGING = ("right", "antecedent wrong", "anaphor missed", "anaphor extra")
_SETS = ("sets right", "sets missed", "sets extra", "members right", "members missed", "members extra")
_WORDS = ((0, "0-9 words"), (10, "10-49 words"), (50, "50-199 words"), (200, "200+ words"))
_FIRST = "first mention"
_UNKNOWN = "unknown"


def _by_number(label: str) -> tuple[int, str]:
    """Labels in the order of the number that they begin with."""
    digits = label.split("-")[0].rstrip("+")
    return (int(digits), "") if digits.isdigit() else (0, label)


_DISTANCE_ORDER = [name for _, name in (*_DISTANCES, *_WORDS)] + [_UNKNOWN, _FIRST]
_VIEWS: dict[str, Callable[[str], Any]] = {
    "form": FORMS.index,
    "position": ("first", "later").index,
    "distance": _DISTANCE_ORDER.index,
    "size": _by_number,
}


def _outcomes(unit: Repairs) -> Iterator[Outcome]:
    before = [_antecedents(entities) for entities in unit.entities]
    sizes = [Counter(entities) for entities in unit.entities]

    def outcome(side: int, rank: int, result: str) -> Outcome:
        antecedent = before[side][rank]
        place = None if antecedent is None else unit.place(side, antecedent)
        return Outcome(unit.place(side, rank), place, sizes[side][unit.entities[side][rank]], result)

    for k, antecedent in enumerate(before[0]):
        r = unit.twins[0].get(k)
        if r is None:
            result = "missed"
        elif (given := before[1][r]) is None:
            result = "right" if antecedent is None else "no antecedent"
        elif antecedent is None:
            result = "false antecedent"
        else:
            twin = unit.twins[1].get(given)
            result = (
                "right" if twin is not None and unit.entities[0][twin] == unit.entities[0][k] else "wrong antecedent"
            )
        yield outcome(0, k, result)
    yield from (outcome(1, r, "extra") for r in range(len(before[1])) if r not in unit.twins[1])


def _antecedents(entities: Iterable[Hashable]) -> list[int | None]:
    """For each mention the one of its entity before it."""
    last: dict[Hashable, int] = {}
    found: list[int | None] = []
    for rank, entity in enumerate(entities):
        found.append(last.get(entity))
        last[entity] = rank
    return found


def _distance(outcome: Outcome) -> str:
    """How far the antecedent is, in sentences, or in words where a document has none."""
    if outcome.antecedent is None:
        return _FIRST
    both = outcome.antecedent, outcome.place
    spans = [place.mention.span for place in both]
    if not all(spans) or both[0].number != both[1].number:
        return _UNKNOWN
    words = [word_of(span[0]) for span in spans]
    sentences = outcome.place.document.sentences
    if len(sentences) > 1:
        far = bisect_right(sentences, words[1]) - bisect_right(sentences, words[0])
        return _DISTANCES[bisect_right([least for least, _ in _DISTANCES], far) - 1][1]
    return _WORDS[bisect_right([least for least, _ in _WORDS], words[1] - words[0]) - 1][1]


def _set_counts(unit: Repairs) -> Counter[str]:
    """Sets, and members of sets, that are right, missed and extra."""
    sets = [
        {name: members for document in documents for name, members in document.sets.items()}
        for documents in unit.documents
    ]
    counts: Counter[str] = Counter()
    if not any(sets):
        return counts
    shared = Counter((unit.entities[0][k], unit.entities[1][r]) for k, r in unit.twins[0].items())

    def count(what: str, right: int, ours: int, theirs: int) -> None:
        found = {"right": right, "missed": ours - right, "extra": theirs - right}
        counts.update({f"{what} {name}": number for name, number in found.items()})

    pairs = _paired(shared, list(sets[0]), list(sets[1]))
    count("sets", len(pairs), len(sets[0]), len(sets[1]))
    right = sum(len(_paired(shared, sets[0][k], sets[1][r])) for k, r in pairs)
    count("members", right, *(sum(map(len, each.values())) for each in sets))
    return counts


def _paired(
    shared: Mapping[tuple[Hashable, Hashable], int], ours: Sequence[Hashable], theirs: Sequence[Hashable]
) -> list[tuple[Hashable, Hashable]]:
    """Entities of key and response that share mentions, one to one, those that share most first."""
    found = [(k, r) for k in range(len(ours)) for r in range(len(theirs)) if shared.get((ours[k], theirs[r]))]
    found.sort(key=lambda pair: (-shared[ours[pair[0]], theirs[pair[1]]], str(ours[pair[0]]), str(theirs[pair[1]])))
    return [(ours[k], theirs[r]) for k, r in once(found)]


# -- two responses ---------------------------------------------------------------------------------------------------


class Change(NamedTuple):
    """An error that only one of two responses has: fixed, if that is the first, else broken."""

    status: str
    error: Mistake


def changes(before: Analysis, after: Analysis) -> list[Change]:
    """What the second response fixes, and what it breaks.

    Errors are the same if they are of one kind and their first mentions are.
    """
    old, new = (_identified(analysis) for analysis in (before, after))
    return [
        Change(status, mistake)
        for status, mine, other in (("fixed", old, new), ("broken", new, old))
        for identity, mistake in mine.items()
        if identity not in other
    ]


def _identified(analysis: Analysis) -> dict[Hashable, Mistake]:
    """The mistakes by kind, document and first mention; of several at one place, the first, the second, and so on."""
    found: dict[Hashable, Mistake] = {}
    seen: Counter[Hashable] = Counter()
    for mistake in analysis.mistakes():
        mention = _first(mistake)
        identity = mistake.kind, mistake.document, mention.span or mention.id
        found[identity, seen[identity]] = mistake
        seen[identity] += 1
    return found


def _first(mistake: Mistake) -> Mention:
    if isinstance(mistake, CoreferenceError):
        return mistake.mentions[0].mention
    if isinstance(mistake, OtherError):
        return mistake.place.mention
    mention = mistake.key or mistake.response
    assert mention is not None
    return mention


# -- event nuggets ---------------------------------------------------------------------------------------------------


class NuggetRow(NamedTuple):
    """A key mention beside its response mention, or one of them alone, and what is wrong."""

    document: str
    status: str
    dice: float
    key: Mention | None
    response: Mention | None

    @property
    def kind(self) -> str:
        """The status: it says what is wrong."""
        return self.status


STATUSES = ("found", "partial", "wrong type", "wrong realis", "wrong type and realis", "missed", "spurious")


def nugget_rows(evaluation: Evaluation) -> list[NuggetRow]:
    """Every key mention beside the response mention that the span mapping gives it, then the others of the response.

    Status: found, partial (not the whole span), wrong type, wrong realis, wrong type and realis, missed, spurious.
    """
    rows: list[NuggetRow] = []
    for name, (key, response, _) in zip(evaluation.names, evaluation.aligned, strict=True):
        mapped = {k: (r, dice) for k, r, dice in greedy(key, response)}
        for k, mention in enumerate(key.mentions):
            if k not in mapped:
                rows.append(NuggetRow(name, "missed", 0.0, mention, None))
                continue
            other = response.mentions[mapped[k][0]]
            wrong = [
                field
                for field in ("type", "realis")
                if _value(mention, field) not in (_value(other, field), "notannotated")
            ]
            status = f"wrong {' and '.join(wrong)}" if wrong else "found" if mapped[k][1] == 1 else "partial"
            rows.append(NuggetRow(name, status, mapped[k][1], mention, other))
        used = {r for r, _ in mapped.values()}
        rows += [NuggetRow(name, "spurious", 0.0, None, m) for r, m in enumerate(response.mentions) if r not in used]
    return rows


def _value(mention: Mention, field: str) -> str:
    return canonical(dict(mention.attributes).get(field, ""))


def nugget_confusion(rows: Iterable[NuggetRow], field: str = "type") -> dict[tuple[str, str], int]:
    """How often event nuggets have which type (or realis) in the key and in the response; '' where there is none."""
    spelled: dict[str, str] = {}

    def label(mention: Mention | None) -> str:
        written = dict(mention.attributes).get(field, "") if mention else ""
        return spelled.setdefault(canonical(written), written)

    return dict(Counter((label(row.key), label(row.response)) for row in rows))


Mistake = CoreferenceError | OtherError | NuggetRow
