"""The analysis of an evaluation: its errors, where they are, what they cost, and how mentions of each kind fared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..document.document import Integers
from ..document.grouping import DOCUMENT_FIELDS
from ..layout.grid import Cell, Grid, Number
from ..layout.render import frame, html, text
from ..matching.match import MATCHERS
from ..matching.nuggets import MAPPINGS
from ..pairing.pairs import Pair
from ..problems import Error, Problems, short
from ..protocol.keywords import Keywords
from ..relations.registry import on_table, split_name
from ..results.evaluation import Evaluation
from ..run.request import Request, Side
from ..run.score import scored
from ..run.stages import evaluate
from .finding import FoundErrors, Naming, counted, named
from .mistakes import DEICTIC, KINDS, CoreferenceError
from .other_layers import OTHER_KINDS, STATUSES, NuggetRow, OtherError, further, nugget_rows, other_errors
from .outcomes import MARKS, NAMELESS, VIEWS, Outcomes, confusion, crossed, marks, nugget_confusion
from .repairing.repaired import Cost, RepairedResponses
from .tangles import Tangles
from .twins import Twins

if TYPE_CHECKING:
    from pandas import DataFrame

_OF_LINKS = KINDS[1], KINDS[4]  # errors between mentions that both sides have
_ENTITIES = 25  # how many of the costliest entities are shown


class Analysis:
    """The errors of an evaluation, what they cost, and how mentions fared.

    >>> from scoref import score
    >>> analysis = Analysis(score([["a", "b"], ["c", "d"]], [["a", "c", "x"], ["b"]]))
    >>> for error in analysis.errors:
    ...     print(error.kind, [place.text for place in error.mentions])
    conflated entities ['a']
    extra mention ['x']
    divided entity ['a']
    missing mention ['d']
    >>> print(analysis)
    error               number  conll alone  conll together
    span error               0        +0.00           +0.00
    conflated entities       1        +2.47           +2.47
    extra mention            1        +4.51           +5.02
    extra entity             0        +0.00           +5.02
    divided entity           1       +11.10          +44.71
    missing mention          1       +23.37          +69.06
    missing entity           0        +0.00          +69.06
    ...
    """

    def __init__(self, evaluation: Evaluation) -> None:
        if evaluation.protocol.cuts:
            raise Error("windowed-errors", "errors are found in whole texts, not in windows of them",
                        remedy="leave --window and --prefix out")  # fmt: skip
        self.evaluation = evaluation
        self.names = evaluation.names
        by_line = MATCHERS[evaluation.protocol.matching.match].identity == "line"
        matching = evaluation.protocol.matching
        self.twins = Twins(evaluation.evidence, MAPPINGS[matching.mapping] if by_line else None, matching.fields)
        self.naming = Naming(self.twins)
        self._named = named(self.twins, 0), named(self.twins, 1)
        self._counts = counted(self.twins, self._named)
        self._repaired = RepairedResponses(self.twins, evaluation, self.metrics, self._counts)

    @cached_property
    def errors(self) -> tuple[CoreferenceError, ...]:
        """The errors, by kind, document and place."""
        return tuple(self.found)

    @cached_property
    def found(self) -> FoundErrors:
        """The same errors as arrays."""
        return FoundErrors(self.naming, self.names, self._named)

    def counts(self) -> dict[str, int]:
        """How many errors of each kind there are."""
        return dict(zip(KINDS, self._counts.sum(axis=0).tolist(), strict=True))

    def mistake_counts(self) -> dict[str, int]:
        """How many errors of each kind there are, in all layers."""
        counts = Counter(mistake.kind for mistake in self.mistakes())
        return {kind: counts[kind] for kind in self.kinds}

    @cached_property
    def nuggets(self) -> list[NuggetRow]:
        """Event nuggets of key and response side by side, where they were scored."""
        return nugget_rows(self.evaluation) if self.evaluation.nuggets() else []

    def mistakes(self) -> Iterator[Mistake]:
        """The errors of all layers that were scored: nuggets, coreference, bridging, discourse deixis."""
        before, shown, after = self.mistakes_apart()
        yield from (*before, *(self.errors[at] for at in shown.tolist()), *after)

    def mistakes_apart(self) -> tuple[list[Mistake], Integers, list[Mistake]]:
        """The same in three parts: those of nuggets, which of `found` are among them, those of other layers."""
        before: list[Mistake] = [row for row in self.nuggets if row.kind != STATUSES[0]]
        shown = np.arange(len(self.found) if self.of_coreference else 0)
        if self.nuggets:  # then only errors of links: mentions are judged as nuggets
            links = np.isin(self.found.kind[shown], [*map(KINDS.index, _OF_LINKS)])
            shown = shown[links & (self.found.given[shown] >= 0) & (self.found.wanted[shown] >= 0)]
        after: list[Mistake] = []
        if not self.of_coreference or self.evaluation.protocol.reading.layer == "all":
            after += self.other_errors
        if self.deixis:
            after += (error._replace(kind=DEICTIC + error.kind) for error in self.deixis.errors)
        return before, shown, after

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that mistakes can have."""
        layer = self.evaluation.protocol.reading.layer
        kinds = [*STATUSES[1:]] if self.nuggets else []
        if self.of_coreference:
            kinds += _OF_LINKS if self.nuggets else KINDS
        kinds += [kind for name, others in OTHER_KINDS.items() if layer in (name, "all") for kind in others]
        return (*kinds, *(DEICTIC + kind for kind in KINDS if self.deixis))

    def by_document(self, field: str = "document") -> dict[str, dict[str, int]]:
        """How many errors of each kind each document has, or the documents of each text, dataset or genre."""
        names = self.names if field == "document" else self.evaluation.labels(field)
        if len(names) != len(self.names):
            raise Error("unknown-field", f"no groups by {field} where the corpus is scored as one document")
        label = dict(zip(self.names, names, strict=True))
        counts = Counter((label[mistake.document], mistake.kind) for mistake in self.mistakes())
        return {name: {kind: counts[name, kind] for kind in self.kinds} for name in names}

    @property
    def of_coreference(self) -> bool:
        """Whether coreference is scored, not only nuggets, bridging or non-referring mentions."""
        layer = self.evaluation.protocol.reading.layer
        return bool(self.metrics) or not (self.nuggets or layer in ("bridging", "non-referring"))

    def require_coreference(self, message: str) -> None:
        """Raise an error with that message if coreference is not scored."""
        if not self.of_coreference:
            raise Error(
                "no-coreference", message, remedy="choose --layer identity or deixis, or metrics of coreference"
            )

    @cached_property
    def deixis(self) -> Analysis | None:
        """The analysis of discourse deixis, where all layers were scored."""
        protocol = self.evaluation.protocol
        metrics = tuple(name for prefix, name in map(split_name, protocol.metrics) if prefix == "deixis:")
        if protocol.reading.layer != "all" or not metrics:
            return None
        alone = protocol.change(layer="deixis", metrics=metrics)
        return Analysis(evaluate(self.evaluation.evidence.pairs, alone, Problems("skip")))

    # -- repairs -----------------------------------------------------------------------------------------------------

    def repaired(self, kinds: Collection[str]) -> list[Pair]:
        """The documents with errors of those kinds repaired; with all kinds, responses equal keys."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise Error("unknown-error", f"no error is called '{unknown[0]}'", expected=f"some of {', '.join(KINDS)}")
        return self._repaired.pairs(kinds)

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics on entities that costs are measured with."""
        return tuple(name for name in self.evaluation.protocol.metrics if on_table(name))

    @property
    def metric(self) -> str | None:
        """The metric that costs are shown in: the CoNLL average if it was scored, else the last metric on entities."""
        return "conll" if "conll" in self.metrics else next(reversed(self.metrics), None)

    def costs(self) -> list[Cost]:
        """What the errors of each kind cost."""
        return self._repaired.costs

    @cached_property
    def tangles(self) -> Tangles:
        """Groups of entities of key and response that overlap and contain errors, the costliest first."""
        return Tangles(self.naming, self.evaluation, self.metrics, self.metric)

    # -- marks and names ---------------------------------------------------------------------------------------------

    def marks(self, number: int) -> tuple[list[str], list[str]]:
        """How each mention of a document fared, in key and response, in the order of the files: see `marks`."""
        key, response = (self._marks[side][self.twins.ranks(side, number)].tolist() for side in range(2))
        return [MARKS[mark] for mark in key], [MARKS[mark] for mark in response]

    @cached_property
    def _marks(self) -> tuple[Integers, Integers]:
        return marks(self.twins, 0), marks(self.twins, 1)

    def labels(self, number: int) -> tuple[dict[Hashable, str], dict[Hashable, str]]:
        """The labels of the entities of a document on both sides, by their names in the file.

        Key entities have numbers in the order of the text, response entities that of their partner, or letters.
        """
        return self.naming.labels_in(0, number), self.naming.labels_in(1, number)

    # -- how mentions fared ------------------------------------------------------------------------------------------

    @cached_property
    def outcomes(self) -> Outcomes:
        """How every mention fared."""
        return Outcomes(self.twins)

    def by(self, field: str) -> Grid:
        """How mentions fared by their form, position in their entity, distance to the antecedent, size of the entity.

        Any other field is an attribute of mentions.
        """
        self.require_coreference(f"how mentions fared by {field} is a question of coreference")
        if field not in VIEWS and not any(self.outcomes.groups(field).names):
            sides = [side for pair in self.evaluation.evidence.aligned for side in pair[:2]]
            known = sorted({name for side in sides for mention in side.mentions for name, _ in mention.attributes})
            fields = ", ".join([*DOCUMENT_FIELDS, "entity", "tangle", *VIEWS, *known])
            raise Error("unknown-field", f"no mention has the attribute '{field}'", expected=f"one of {fields}")
        return self.outcomes.by(field)

    def confusion(self, attribute: str) -> dict[tuple[str, str], int]:
        """How often aligned mentions have which value of an attribute in the key and in the response."""
        return confusion(self.twins, attribute)

    def matrix(self, attribute: str) -> Grid:
        """The confusion matrix of an attribute: key values in rows, response values in columns, (none) for no value."""
        counts = nugget_confusion(self.nuggets, attribute) if self.nuggets else self.confusion(attribute)
        return crossed(attribute, counts)

    def entities(self) -> Grid:
        """The costliest entities: those with the greatest denominator minus numerator."""
        if not self.evaluation.evidence.entity_counts:
            raise Error("no-entities", "no metric here says anything of single entities", remedy="add --metrics b3")
        costliest = self.evaluation.by_entity(_ENTITIES)
        names = list(costliest[0].counts) if costliest else []
        rows: list[tuple[Cell, ...]] = []
        for entity in costliest:
            lost = (denominator - numerator for numerator, denominator in entity.counts.values())
            called = str(entity.entity), short(entity.name, 30)
            rows.append((entity.side, entity.document, *called, entity.size, *map(_two_digits, lost)))
        number = sum(len(side.name) for side in self.evaluation.evidence.entities)
        title = f"{len(rows)} of {number} entities, the costliest first: what their numerators lack"
        return Grid(title, ("side", "document", "entity", "name", "size", *names), rows)

    @cached_property
    def other_errors(self) -> list[OtherError]:
        """Errors in bridging and in non-referring mentions."""
        return other_errors(self.evaluation)

    def further(self) -> dict[str, dict[str, float]]:
        """Counts of split antecedents, bridging and non-referring mentions, as far as there are any."""
        return further(self.evaluation, self.twins if self.of_coreference else None)

    def totals(self) -> list[Grid]:
        """The counts of `further` as tables."""
        return [
            Grid(title, (title, "number"), [(name, _whole(number)) for name, number in counts.items()])
            for title, counts in self.further().items()
        ]

    def grids(self, title: str = "") -> list[Grid]:
        """The numbers of errors: of event nuggets, of coreference with what they cost, of sets and bridging."""
        grids: list[Grid] = []
        if self.nuggets:
            counts = Counter(row.kind for row in self.nuggets)
            rows: list[tuple[Cell, ...]] = [(name, counts[name]) for name in STATUSES if counts[name]]
            grids.append(Grid(title, ("event nuggets", "number"), rows))
        if self.of_coreference:
            others = {name: Analysis(each).counts() for name, each in self.evaluation.settings.items()}
            names = (f"{self.metric} alone", f"{self.metric} together") if self.metric else ()
            costs: list[tuple[Cell, ...]] = [
                (cost.kind, cost.number, *cost.shown(self.metric), *(counts[cost.kind] for counts in others.values()))
                for cost in self.costs()
            ]
            grids.append(Grid(title, ("error", "number", *names, *others), costs))
        grids += [grid._replace(title=title) for grid in self.totals()]
        return grids + (self.deixis.grids("discourse deixis") if self.deixis else [])

    def notes(self) -> list[str]:
        """The lines below the tables: what they mean, and the notes on the scores."""
        return [*self.meaning(), *self.evaluation.about()]

    def meaning(self) -> list[str]:
        """What the table of errors means, and, if repairing one kind alone lowers the score, why."""
        if not self.metric:
            return []
        meaning = f"{self.metric}: f1 gained when errors of this kind are repaired, alone or together with those above"
        costs = self.costs() if self.of_coreference else []
        return [meaning, *(reason for cost in costs if (reason := cost.reason(self.metric)))]

    def to_frame(self) -> DataFrame:
        """The first table as a frame of pandas: the numbers of errors and what they cost, by kind."""
        return frame(self.grids()[0])

    __str__ = text
    _repr_html_ = html

    def views(self) -> list[Grid]:
        """The breakdowns: mentions by form, position, distance and size; sets and bridging; nuggets; entities."""
        grids = [self.by(view) for view in VIEWS] if self.of_coreference and self.outcomes else []
        grids += self.totals()
        mentions = [place.mention for row in self.nuggets for place in row.mentions]
        known = {name for mention in mentions for name, word in mention.attributes if word}
        grids += [self.matrix(field) for field in ("type", "realis") if field in known]
        if self.evaluation.evidence.entity_counts:
            grids.append(self.entities())
        return [grid for grid in grids if {row[0] for row in grid.rows} - set(NAMELESS)]


def _whole(number: float) -> Cell:
    """A count as a cell: an integer if it is whole, else with two digits, never as a percentage."""
    return int(number) if number == int(number) else _two_digits(number)


def _two_digits(number: float) -> Number:
    return Number(number, f"{number:.2f}")


def analyse(key: Side, response: Side, **keywords: Unpack[Keywords]) -> Analysis:
    """What went wrong in a response; sides and keywords are those of `score`.

    >>> analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]]).counts()["conflated entities"]
    1
    """
    request = Request.of(key, response, keywords | {"jobs": 1})
    return Analysis(scored(request.with_documents()))


Mistake = CoreferenceError | OtherError | NuggetRow
