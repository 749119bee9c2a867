"""Scores two tables: opens them, asks the engine for shapes and assignments, makes the counts of each metric."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import numpy as np

from ..counting.metrics import Links, Mean, OneToOne, OnTable, PerEntity, Sums, Whole, counted
from ..counting.rules import SINGLETONS, TWINLESS, pruned
from ..counting.table import Floats, Settings, Table, sums_by_group
from ..document.document import Integers
from ..document.grouping import BUCKETS, bucket
from ..problems import Error, Problem, Problems
from ..processes import Progress
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS, on_table
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.sums_only import SumsOnly
from .course import Course
from .doubts import doubts
from .engines.engine import SEPARATOR, Engine, TableTask, Units
from .inputs import PARTS, Options
from .opening import opened
from .shapes import DIRECTIONS, Assigned, CellShapes, CellWeights, EntityShapes, Shapes

_APPLY = {
    "match": ("exact",),
    "agree": ("none",),
    "singletons": tuple(SINGLETONS),
    "twinless": tuple(DIRECTIONS),
    "nested": ("keep",),
    "mentions": ("all",),
    "layer": ("identity",),
    "split": ("credit", "ignore"),
    "scope": ("document", "corpus"),
    "average": ("micro", "macro", "means", "weighted", "datasets"),
    "weights": ("none",),
    "window": (0.0,),
    "window_rule": ("clean",),
    "prefix": (100.0,),
}  # choices that work on mentions that are names, without positions or words
NONE = "(none)"  # the unit of response mentions that the key lacks, if the response lacks the field
_DIGESTS = 100_000  # with more units, no hashes of their entities are made


def evaluate(
    key: object, response: object, protocol: Protocol, problems: Problems, options: Options, progress: Progress = None
) -> Evaluation:
    """Score two tables of mentions and entities."""
    if protocol.counting.sampled != "none":
        from .sampling import estimated

        return estimated(key, response, protocol, problems, options, progress)
    names = required(protocol)
    refuse(protocol, names)
    course = Course((name for name in names if isinstance(_how(name), OneToOne)), progress)
    with opened(key, response, protocol, problems, options, course.within) as (engine, task, notes):
        course.next()
        engine.count(protocol.counting.singletons != "drop")
        course.next()
        shapes = engine.shapes()
        course.next()
        there = engine.units()
        for doubt in doubts(engine, task, shapes, protocol):
            problems.add(doubt)
        place, fields = scored_documents(engine, task, shapes, there, protocol, problems)
        key_name = task.sides[0].given.name
        units = there.names if task.home or task.fields else [key_name if task.sides[0].given.files else "table"]
        if task.parts and not task.home and len(task.fields) == 1:  # so that the units are the same for every response
            place = np.array([int(name, 16) for name in units], np.int64)
            units = [f"{number:03x}" for number in range(1 << 12)]
            fields = {PARTS: tuple(units)}
        else:
            units = [name for name, number in zip(units, place.tolist(), strict=True) if number >= 0]
        shapes = _moved(shapes, place, len(units))
        counting = _Counting(engine, shapes, place, protocol, problems)
        if any(isinstance(_how(name), Links) for name in names) and not task.home and task.documents:
            counting.within = _links_within(key, response, protocol, options, task)
        counts = {}
        for name in names:
            counts[name] = counting.of(name)
            if isinstance(_how(name), OneToOne):
                course.next()
        groups = {"size": counting.by_size(names)} if protocol.counting.twinless == "as-is" else {}
    source = SumsOnly(
        (_digests(shapes.keys, shapes.units), _digests(shapes.responses, shapes.units)), fields,
        reason="tables have no texts, and their entities are counted where they are",
        remedy="see the costliest entities with: scoref errors KEY RESPONSE (scoref.analyse in Python)",
        notes=tuple(notes), groups=groups, counted="document" if task.home or not task.fields else "unit",
    )  # fmt: skip
    documents = tuple(name.replace(SEPARATOR, " / ") or NONE for name in units)
    return Evaluation(protocol, documents, counts, tuple(problems.found), (key_name,) * len(units), source)


def _links_within(key: object, response: object, protocol: Protocol, options: Options, task: TableTask) -> Floats:
    """The counts of links within documents, where entities span documents: tables are counted again by document."""
    if task.fields:
        raise Error("not-on-tables", "links within and across documents cannot be counted by unit",
                    expected="no --by and no --unit", remedy="choose other metrics")  # fmt: skip
    apart = protocol.change(scope="document")
    with opened(key, response, apart, Problems("skip"), options) as (engine, _, _):
        engine.count(protocol.counting.singletons != "drop")
        how = next(each.how for each in METRICS.values() if isinstance(each.how, Links))
        within: Floats = counted(how, engine.shapes().table(), protocol.counting.twinless).documents.sum(axis=0)
    return within


def _how(name: str) -> OnTable:
    return METRICS[name].on_table


def refuse(protocol: Protocol, names: tuple[str, ...]) -> None:
    """Refuse what cannot be done on tables."""
    for choice, words in _APPLY.items():
        value = getattr(protocol, choice)
        if value not in words:
            said, *these = (str(each).removesuffix(".0") for each in (value, *words))
            option = choice.replace("_", "-")
            raise Error("not-on-tables", f"{option}:{said} cannot be done on tables", expected=" or ".join(these),
                        remedy=f"use --{option} {these[0]}, or another format (--format)")  # fmt: skip
    unknown = [name for name in names if not on_table(name)]
    if unknown:
        known = [name for name in METRICS if on_table(name) and not isinstance(METRICS[name].how, Mean)]
        raise Error("not-on-tables", f"{', '.join(unknown)} cannot be computed from tables",
                    expected=f"some of {', '.join(known)}", remedy="choose others with --metrics")  # fmt: skip
    both = [name for name in names if _rule(name, protocol) != "as-is" and _leaves_out_singletons(name, protocol)]
    if both:
        raise Error(
            "not-on-tables", f"on tables, {', '.join(both)} cannot leave out singletons (singletons:"
            f"{protocol.counting.singletons}) and treat twinless mentions, both",
            expected="--twinless as-is, or --singletons keep", remedy="choose one of them, or other metrics",
        )  # fmt: skip


def _rule(name: str, protocol: Protocol) -> str:
    """The rule for twinless mentions in this metric."""
    return METRICS[name].rules.twinless or protocol.counting.twinless


def _leaves_out_singletons(name: str, protocol: Protocol) -> bool:
    """Whether singletons are left out of this kind of metric."""
    return METRICS[name].rules.singletons in SINGLETONS[protocol.counting.singletons]


def scored_documents(
    engine: Engine, task: TableTask, shapes: Shapes, units: Units, protocol: Protocol, problems: Problems
) -> tuple[Integers, Mapping[str, tuple[str, ...]]]:
    """For each unit its number among the scored ones (-1 if it is not scored), and the field values of scored units."""
    if not task.home:
        if protocol.averaging.average not in ("micro", "datasets") and task.fields:
            raise Error("no-documents", "a mean over documents needs documents", expected="--average micro",
                        remedy="name the column of documents: --columns document=NAME")  # fmt: skip
        if not task.fields:  # a single unit, even an empty one
            return np.zeros(1, np.int64), {}
        used = np.zeros(shapes.units, np.bool_)
        used[shapes.keys.unit] = used[shapes.responses.unit] = True
        each = [units.names[number].split(SEPARATOR) for number in np.flatnonzero(used)]
        fields = {field: tuple(values[number] or NONE for values in each)
                  for number, field in enumerate(task.fields)}  # fmt: skip
        return np.where(used, np.cumsum(used) - 1, -1), fields
    said = engine.fields() if task.fields else {}
    for field, values in said.items():
        for name, (low, high) in zip(units.names, values, strict=True):
            if low != high:
                raise Error("several-values", f"a document with several values of {field}: {low} and {high}",
                            document=name, expected="one value for each document",
                            remedy="score with --scope corpus, where mentions have fields")  # fmt: skip
    lacking, extra = np.flatnonzero(units.ours & ~units.theirs), np.flatnonzero(~units.ours)
    where = task.sides[1].given.name
    if len(lacking):
        problems.add(Problem("missing-document", f"the response lacks {len(lacking)} of the documents", where,
                             document=units.names[lacking[0]], fatal=False,
                             remedy="nothing, if it is meant: their response counts as empty"))  # fmt: skip
    if len(extra):
        problems.add(Problem("extra-document", f"{len(extra)} documents that the key does not have", where,
                             document=units.names[extra[0]], expected="only documents of the key",
                             remedy="remove them, or leave them out with --on-problem skip",
                             fatal=protocol.reading.extra == "refuse"))  # fmt: skip
    kept = np.flatnonzero(units.ours).tolist()
    place = np.where(units.ours, np.cumsum(units.ours) - 1, -1)
    return place, {field: tuple(values[number][0] for number in kept) for field, values in said.items()}


def _moved(shapes: Shapes, place: Integers, units: int) -> Shapes:
    """The shapes with units renumbered by `place`; units below 0 are only in the response, and are left out."""
    responses = shapes.responses.only(place[shapes.responses.unit] >= 0)
    cells = shapes.cells._replace(unit=place[shapes.cells.unit])
    keys = shapes.keys._replace(unit=place[shapes.keys.unit])
    return Shapes(cells, keys, responses._replace(unit=place[responses.unit]), units, shapes.whole)


class _Counting:
    """Makes the counts of metrics; metrics with the same assignment share it."""

    def __init__(self, engine: Engine, shapes: Shapes, place: Integers, protocol: Protocol, problems: Problems) -> None:
        self._engine, self._shapes, self._place = engine, shapes, place
        self._protocol, self._problems = protocol, problems
        self._table = shapes.table(Settings(frequent=protocol.counting.frequent))
        self._known: dict[CellWeights, Assigned] = {}
        self.within: Floats | None = None  # links within documents, where entities span several

    def of(self, name: str) -> Floats:
        """The counts [units, 4] of a metric."""
        how, protocol = _how(name), self._protocol
        if isinstance(how, OneToOne):
            return self._one_to_one(name, how)
        if isinstance(how, Whole) and how.similarity:
            partners = self._partners(CellWeights(how.similarity, least_key=protocol.counting.frequent))
            return how.sums(self._table, partners[0])
        whole = counted(how, self._table, protocol.counting.twinless, protocol.counting.singletons).documents
        if not isinstance(how, Links):
            return whole
        within = whole if self.within is None else self.within[None]
        return within if how.borders == "within" else whole - within

    def _assigned(self, weights: CellWeights) -> Assigned:
        if weights not in self._known:
            cells, bound = self._engine.assigned(weights)
            placed = {share: each._replace(unit=self._place[each.unit]) for share, each in cells.items()}
            self._known[weights] = Assigned(placed, bound)
        return self._known[weights]

    def _partners(self, weights: CellWeights) -> tuple[Table, Table]:
        """The table with the cells of an assignment alone, as recall and as precision see it."""
        cells = self._assigned(weights).cells
        return self._shapes.partners(self._table, *(cells[share] for share in weights.sized))

    def _similar(self, weights: CellWeights, side: int) -> Floats:
        """What chosen cells weigh in each unit, as recall (0) or precision (1) sees it.

        What the partner was worth alone is taken back where it is given: see `CellWeights.options`.
        """
        cells = self._assigned(weights).cells
        own, other = cells[weights.sized[side]], cells.get(("r-c", "k-s")[side])
        total = self._by_unit(own, weights.cells(own))
        if other is None:
            return total
        option = [weights.option(*((of.k, of.s) if side else (of.r, of.c))) for of in (own, other)]
        return total + self._by_unit(own, option[0]) - self._by_unit(other, option[1])

    def _by_unit(self, cells: CellShapes, weight: Floats) -> Floats:
        return sums_by_group(cells.unit, cells.number * weight, self._shapes.units)

    def _one_to_one(self, name: str, how: OneToOne) -> Floats:
        """The counts of a metric on entities that the engine aligns one to one."""
        twinless, singletons = _rule(name, self._protocol), self._protocol.counting.singletons
        offered = pruned(self._table)[0] if twinless in ("rn-all", "sys", "conll-2011") else self._table
        plain = SINGLETONS[singletons].get(how.rules.singletons)
        recall, precision = (plain or TWINLESS[twinless])(self._table)
        choices = ({"least_response": 2},) * 2 if plain else DIRECTIONS[twinless]
        columns = []
        for side, table in enumerate((recall, precision.transposed)):
            weights = CellWeights(how.similarity, **choices[side])
            bound = self._assigned(weights).bound
            whole = table.per_document(table.numbered(how.entity(table)))
            columns += [self._similar(weights, side) + weights.options(offered, side), whole]
            if bound.gap:
                self._report(name, bound.gap / float(whole.sum()), bound.cells)
        return np.stack(columns, axis=1)

    def _report(self, name: str, gap: float, cells: int) -> None:
        problem = Problem(
            "bounded-metric", f"a bound: the best alignment may give up to {100 * gap:.4f} points more; a component of"
            f" {cells} cells is too large for the exact one", text=name, fatal=False,
        )  # fmt: skip
        if all(each.text != name for each in self._problems.found):
            self._problems.add(problem)

    def by_size(self, names: tuple[str, ...]) -> dict[str, dict[str, Floats]]:
        """The counts by size of entity: key entities for recall, response entities for precision."""
        found: dict[str, dict[str, Floats]] = {}
        single = [name for name in names if isinstance(_how(name), PerEntity | OneToOne)]
        shown = [name for name in single if _rule(name, self._protocol) == "as-is"]
        for name in shown:
            for side, (sums, sizes) in enumerate(self._of_entities(name)):
                for label, values in _size_groups(sums, sizes).items():
                    counts = found.setdefault(label, {}).setdefault(name, np.zeros(4))
                    counts[2 * side : 2 * side + 2] += values
        for each in found.values():
            each |= {name: np.zeros(4) for name in shown if name not in each}
        order = {bucket("size", bound): number for number, bound in enumerate(BUCKETS["size"])}
        return dict(sorted(found.items(), key=lambda item: order[item[0]]))

    def _of_entities(self, name: str) -> list[tuple[Sums, Floats]]:
        """What entities of key and response count in a metric in which they count as they are, and their sizes."""
        how, tables = _how(name), (self._table, self._table)
        if isinstance(how, OneToOne):
            tables = self._partners(CellWeights(how.similarity))
            how = PerEntity(how.cell, how.entity, how.rules)
        _, *sides = counted(how, tables, singletons=self._protocol.counting.singletons)
        sizes = self._table.key.size, self._table.response.size
        return [(sums, size) for sums, size in zip(sides, sizes, strict=True) if sums is not None]


def _size_groups(sums: Sums, sizes: Floats) -> dict[str, Floats]:
    """The numerators and denominators of entities, added up for each bucket of sizes."""
    bounds = np.array(BUCKETS["size"])
    group = np.searchsorted(bounds, sizes, "right")
    tops, bottoms = (np.bincount(group, values) for values in sums)
    return {
        bucket("size", int(bounds[place - 1])): np.array([tops[place], bottoms[place]])
        for place in np.flatnonzero(np.bincount(group))
    }


def _digests(sizes: EntityShapes, units: int) -> tuple[str, ...]:
    """A hash of the entity sizes of each unit: if two hashes differ, so do the tables."""
    if units > _DIGESTS:
        return ("",) * units
    order = np.lexsort((sizes.aligned, sizes.size, sizes.unit))
    rows = np.stack((sizes.size, sizes.number * sizes.size), axis=1)[order]
    merged = np.split(rows, np.searchsorted(sizes.unit[order], np.arange(1, units)))
    found = []
    for each in merged:
        size, place = np.unique(each[:, 0], return_inverse=True)
        text = repr([size.tolist(), np.rint(np.bincount(place, each[:, 1])).tolist()])
        found.append(blake2b(text.encode(), digest_size=16).hexdigest())
    return tuple(found)
