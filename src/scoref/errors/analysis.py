"""What went wrong: errors counted, located and weighed, and how mentions of different kinds fared.

The errors of coreference, and the steps that repair them, are those of `repair`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Unpack

import numpy as np

from ..counting.table import Floats
from ..document.document import Document, Integers
from ..document.grouping import DOCUMENT_FIELDS, grouped
from ..layout.grid import Cell, Grid, Number, clean, html_, html_lines, paragraphs, text
from ..matching.match import MATCHERS
from ..matching.nuggets import MAPPINGS
from ..pairing.pairs import Pair
from ..problems import Error, Problems
from ..protocol.keywords import Keywords
from ..protocol.protocol import Protocol
from ..relations.registry import on_table, split_name
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..run.scorer import Side, score
from ..run.stages import evaluate
from ..tables.documents import shown
from .finding import counted, named
from .mistakes import DEICTIC, KINDS, CoreferenceError
from .naming import Naming, coreference_errors
from .nuggets import STATUSES, NuggetRow, nugget_confusion, nugget_rows
from .other_layers import OTHER_KINDS, OtherError, bridging_counts, nonreferring_counts, other_errors, set_counts
from .outcomes import MARKS, NAMELESS, VIEWS, Outcomes, confusion, crossed, marks
from .repairing.costs import Cost
from .repairing.repair import Repairs
from .repairing.rescoring import Rescoring, applies
from .tangles import Tangles
from .twins import Twins

_ENTITIES = 25  # how many are shown


class Analysis:
    """The errors of an evaluation, what they cost, and how mentions fared.

    >>> from scoref import score
    >>> found = Analysis(score([["a", "b"], ["c", "d"]], [["a", "c", "x"], ["b"]]))
    >>> for error in found.errors:
    ...     print(error.kind, [place.text for place in error.mentions])
    conflated entities ['a']
    extra mention ['x']
    divided entity ['a']
    missing mention ['d']
    >>> print(found)
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
        self.evaluation = evaluation
        self.names = evaluation.names
        by_line = MATCHERS[evaluation.protocol.match].identity == "line"
        self.twins = Twins(evaluation.evidence, MAPPINGS[evaluation.protocol.mapping] if by_line else None)
        self.naming = Naming(self.twins)
        self._named = named(self.twins, 0), named(self.twins, 1)
        self._counts = counted(self.twins, self._named)

    @cached_property
    def errors(self) -> tuple[CoreferenceError, ...]:
        """The errors, by kind, document and place."""
        return tuple(coreference_errors(self.naming, self.names, self._named))

    def counts(self) -> dict[str, int]:
        """How many errors of each kind there are."""
        return dict(zip(KINDS, self._counts.sum(axis=0).tolist(), strict=True))

    @cached_property
    def nuggets(self) -> list[NuggetRow]:
        """Event nuggets of key and response side by side, where they were scored."""
        return nugget_rows(self.evaluation) if self.evaluation.nuggets() else []

    def mistakes(self) -> Iterator[Mistake]:
        """Everything that is wrong and was asked for: nuggets not found as they should be, errors of the layer."""
        yield from (row for row in self.nuggets if row.status != STATUSES[0])
        if self.of_coreference:
            yield from self.coreference_mistakes()
        if not self.of_coreference or self.evaluation.protocol.layer == "all":
            yield from self.other_errors
        if self.deixis:
            yield from (error._replace(kind=DEICTIC + error.kind) for error in self.deixis.errors)

    def coreference_mistakes(self) -> Iterator[CoreferenceError]:
        """The errors of coreference; where event nuggets were scored, too, without those in the nuggets themselves."""
        for error in self.errors:
            if not self.nuggets or (error.kind in (KINDS[1], KINDS[4]) and error.given and error.wanted):
                yield error

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that mistakes can have."""
        layer = self.evaluation.protocol.layer
        found = [*STATUSES[1:]] if self.nuggets else []
        if self.of_coreference:
            found += (KINDS[1], KINDS[4]) if self.nuggets else KINDS
        for name, kinds in OTHER_KINDS.items():
            if layer in (name, "all"):
                found += kinds
        return (*found, *(DEICTIC + kind for kind in KINDS if self.deixis))

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
        """Whether coreference is scored, not only nuggets, bridging or non-referring mentions."""
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
            evaluate(self.evaluation.evidence.pairs, protocol.change(layer="deixis", metrics=metrics), Problems("skip"))
        )

    # -- repairs -----------------------------------------------------------------------------------------------------

    def repaired(self, kinds: Collection[str]) -> list[Pair]:
        """The documents with errors of those kinds repaired in the response; all kinds make its entities the key's."""
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise Error("unknown-error", f"no error is called '{unknown[0]}'", expected=f"some of {', '.join(KINDS)}")
        return [pair for unit in self._units for pair in self._repaired(kinds, unit)]

    @cached_property
    def _units(self) -> list[Repairs]:
        """What repairs documents, for each home of entities."""
        return [Repairs(self.twins, numbers) for numbers in grouped(self.evaluation.evidence.homes).values()]

    def _repaired(self, kinds: Collection[str], unit: Repairs) -> list[Pair]:
        pairs = [self.evaluation.evidence.pairs[number] for number in unit.numbers]
        if self.evaluation.protocol.layer != "deixis":
            new = unit.repaired(kinds, [pair.key for pair in pairs], [pair.response for pair in pairs])
        else:
            both = [[side.deixis or Document(pair.name) for side in pair[1:3]] for pair in pairs]
            inner = unit.repaired(kinds, [key for key, _ in both], [response for _, response in both])
            new = [replace(pair.response, deixis=each) for pair, each in zip(pairs, inner, strict=True)]
        return [pair._replace(response=each) for pair, each in zip(pairs, new, strict=True)]

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics on entities that costs are measured with."""
        return tuple(name for name in self.evaluation.protocol.metrics if on_table(name))

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
        """The f1 of the response without those kinds of errors."""
        if not self.metrics:
            return {}
        protocol = self.evaluation.protocol.change(metrics=self.metrics)
        names = required(protocol)
        there = tuple(kind for kind in kinds if self.counts()[kind])
        if not there:
            counts = {name: self.evaluation.counts[name] for name in names}
        elif self._rescoring:
            counts = self._rescoring.counts(names, there)
        else:
            counts = self._counts_without(there, protocol)
        scored = replace(self.evaluation, protocol=protocol, counts=counts)
        return {name: scored[name].f1 for name in self.metrics}

    @cached_property
    def _rescoring(self) -> Rescoring | None:
        return Rescoring(self.twins, self.evaluation) if applies(self.evaluation) else None

    def _counts_without(self, kinds: Collection[str], protocol: Protocol) -> dict[str, Floats]:
        """The counts of documents that are repaired and scored again.

        Only documents with such errors are, and only once for the same kinds.
        """
        homes = np.array(self.evaluation.evidence.homes, np.int64)
        there = np.zeros((len(self._units), len(KINDS)), np.int64)
        np.add.at(there, homes, self._counts)
        wanted = [
            (number, tuple(kind for kind in kinds if there[number, KINDS.index(kind)]))
            for number in range(len(self._units))
        ]
        new = [each for each in wanted if each not in self._known]
        if new:
            pairs = [pair for number, some in new for pair in self._repaired(some, self._units[number])]
            scored = evaluate(pairs, protocol, Problems("skip")).counts
            self._known.update({each: {name: scored[name][row] for name in scored} for row, each in enumerate(new)})
        return {name: np.array([self._known[each][name] for each in wanted]) for name in required(protocol)}

    @cached_property
    def _known(self) -> dict[tuple[int, tuple[str, ...]], dict[str, Floats]]:
        """The counts of documents (or of the corpus) without some kinds of errors; of all with all errors."""
        counts = self.evaluation.counts
        number = len(self.evaluation.documents)
        return {(row, ()): {name: counts[name][row] for name in counts} for row in range(number)}

    @cached_property
    def tangles(self) -> Tangles:
        """Groups of key and response entities that share mentions and are not right, those that cost most first."""
        return Tangles(self.naming, self.evaluation, self.metrics, self.metric)

    # -- marks and names ---------------------------------------------------------------------------------------------

    def marks(self, number: int) -> tuple[list[str], list[str]]:
        """What becomes of each mention of a document, in the order of key and of response: see `outcomes.marks`."""
        found = [
            [MARKS[mark] for mark in self._marks[side][self.twins.ranks(side, number)].tolist()] for side in range(2)
        ]
        return found[0], found[1]

    @cached_property
    def _marks(self) -> tuple[Integers, Integers]:
        return marks(self.twins, 0), marks(self.twins, 1)

    def labels(self, number: int) -> tuple[dict[Hashable, str], dict[Hashable, str]]:
        """What the entities of a document are called on both sides, by their names in the file.

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
        if not self.of_coreference:
            raise Error("no-coreference", f"how mentions fared by {field} is a question of coreference",
                        remedy="choose --layer identity or deixis, or metrics of coreference")  # fmt: skip
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
        """The values of an attribute in the key down, those in the response across; (none) where one side has none."""
        return crossed(
            attribute, nugget_confusion(self.nuggets, attribute) if self.nuggets else self.confusion(attribute)
        )

    def entities(self) -> Grid:
        """The entities that cost most: by how much their numerators fall short."""
        if not self.evaluation.evidence.entity_counts:
            raise Error("no-entities", "no metric here says anything of single entities", remedy="add --metrics b3")
        found = self.evaluation.by_entity(_ENTITIES)
        names = list(found[0].counts) if found else []
        rows: list[tuple[Cell, ...]] = []
        for each in found:
            lost = [bottom - top for top, bottom in each.counts.values()]
            shown = [Number(value, f"{value:.2f}") for value in lost]
            rows.append((each.side, each.document, str(each.entity), each.size, *shown))
        number = sum(len(side.name) for side in self.evaluation.evidence.entities)
        title = f"{len(rows)} of {number} entities, the costliest first: what their numerators lack"
        return Grid(title, ("side", "document", "entity", "size", *names), rows)

    @cached_property
    def other_errors(self) -> list[OtherError]:
        """Errors in bridging and in non-referring mentions."""
        return other_errors(self.evaluation)

    def further(self) -> dict[str, dict[str, float]]:
        """Counts beside the errors of coreference: sets, bridging, non-referring mentions; only those that exist."""
        sets: dict[str, float] = (
            {**set_counts(self.twins, self.evaluation.evidence.homes)} if self.of_coreference else {}
        )
        each = {
            "split antecedents": sets,
            "bridging": bridging_counts(self.evaluation),
            "non-referring": nonreferring_counts(self.evaluation),
        }
        return {title: counts for title, counts in each.items() if counts}

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
            counts = Counter(row.status for row in self.nuggets)
            rows = [(name, counts[name]) for name in STATUSES if counts[name]]
            grids.append(Grid(title, ("event nuggets", "number"), [*rows]))
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
        """What the table of errors means, and why repairs of one kind alone lower the score, where they do."""
        if not self.metric:
            return []
        meaning = f"{self.metric}: f1 gained when errors of this kind are repaired, alone or together with those above"
        costs = self.costs() if self.of_coreference else []
        return [meaning, *(reason for cost in costs if (reason := cost.reason(self.metric)))]

    def __str__(self) -> str:
        tables = [line for each in self.grids() for line in (text(each), "")]
        return "\n".join([*tables, *paragraphs(map(clean, [*self.notes(), *self.evaluation.notes()]))])

    def _repr_html_(self) -> str:
        return "".join(map(html_, self.grids())) + html_lines([*self.notes(), *self.evaluation.notes()])

    def views(self) -> list[Grid]:
        """All there is beside the errors: mentions by form, position, distance and size; sets, bridging; entities."""
        grids = [self.by(view) for view in VIEWS] if self.of_coreference and self.outcomes else []
        grids += self.totals()
        known = {
            name for row in self.nuggets for place in row.mentions for name, word in place.mention.attributes if word
        }
        grids += [self.matrix(field) for field in ("type", "realis") if field in known]
        if self.evaluation.evidence.entity_counts:
            grids.append(self.entities())
        return [grid for grid in grids if {row[0] for row in grid.rows} - set(NAMELESS)]


def _whole(number: float) -> Cell:
    """A count as a cell: an integer if it is whole, else with two digits, never as a percentage."""
    return int(number) if number == int(number) else Number(number, f"{number:.2f}")


def analyse(key: Side, response: Side, **keywords: Unpack[Keywords]) -> Analysis:
    """What went wrong in a response; sides and keywords are those of `score`.

    >>> analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["d"]]).counts()["conflated entities"]
    1
    """
    return Analysis(score(*shown([key, response], keywords), **(keywords | {"jobs": 1})))


Mistake = CoreferenceError | OtherError | NuggetRow
