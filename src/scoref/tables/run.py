"""Tables to an evaluation: opens them, asks the engine for shapes and assignments, makes the counts of each metric."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..counting.metrics import METRICS
from ..counting.table import Floats
from ..document.document import Integers
from ..document.grouping import BUCKETS, bucket
from ..problems import Error, Problem, Problems
from ..processes import Progress
from ..protocol.protocol import Protocol
from ..results.averages import required
from ..results.evaluation import Evaluation
from ..results.evidence import SumsOnly
from .assignment import Assigned, Weights, directions
from .columns import PARTS
from .engines.engine import SEPARATOR, Engine, Request, Units
from .inputs import Options
from .opening import opened
from .shapes import (
    MAJOR,
    SINGLETONS,
    SUMS,
    VARIANTS,
    WHOLES,
    Counted,
    Shapes,
    Sizes,
    Variant,
    major_sums,
    sums,
    whole_sums,
    without_twinless_singletons,
)

CEAF = ("ceafm", "ceafe")
BORDERS = ("links-within", "links-cross")

_APPLY = {
    "match": ("exact",),
    "singletons": tuple(SINGLETONS),
    "twinless": tuple(VARIANTS),
    "nested": ("keep",),
    "mentions": ("all",),
    "layer": ("identity",),
    "split": ("credit", "ignore"),
    "scope": ("document", "corpus"),
    "average": ("micro", "macro", "means", "weighted", "datasets"),
    "weights": ("none",),
}  # what can be done where mentions are names without places or words
NONE = "(none)"  # the unit of response mentions that the key lacks, if the response lacks the field
_DIGESTS = 100_000  # units, up to which there are hashes of what each has


def evaluate(
    key: Any, response: Any, protocol: Protocol, problems: Problems, options: Options, progress: Progress | None = None
) -> Evaluation:
    """Score two tables of mentions and entities."""
    names = required(protocol)
    refuse(protocol, names)
    step = _steps(progress, 3 + len({base(name) for name in names} & {*CEAF}))
    with opened(key, response, protocol, problems, options) as (engine, request, notes):
        step()
        engine.count(protocol.singletons != "drop")
        step()
        shapes = engine.shapes()
        step()
        there = engine.units()
        place, fields = scored_documents(engine, request, shapes, there, protocol, problems)
        units = there.names if request.home or request.fields else [_name(request)]
        if request.parts and not request.home and len(request.fields) == 1:  # the same units for every response
            place = np.array([int(name, 16) for name in units], np.int64)
            units = [f"{number:03x}" for number in range(1 << 12)]
            fields = {PARTS: tuple(units)}
        else:
            units = [name for name, number in zip(units, place.tolist(), strict=True) if number >= 0]
        made = _Counts(engine, _moved(shapes, place, len(units)), place, protocol, problems)
        if {*BORDERS} & {*names} and not request.home and request.documents:
            made.within = _links_within(key, response, protocol, options, request)
        counts = {}
        for name in names:
            counts[name] = made.of(name)
            if base(name) in CEAF:
                step()
        groups = {"size": made.by_size(names)} if protocol.twinless == "as-is" else {}
    trace = _trace(made.shapes, request, fields, notes, groups)
    dataset, documents = request.sides[0].given.name, tuple(name.replace(SEPARATOR, " / ") or NONE for name in units)
    return Evaluation(protocol, documents, counts, tuple(problems.found), (dataset,) * len(units), trace)


def _links_within(key: Any, response: Any, protocol: Protocol, options: Options, request: Request) -> Floats:
    """The counts of pairs of mentions in one document, where entities are in several: the tables by document."""
    if request.fields:
        raise Error("not-on-tables", "links within and across documents cannot be counted by unit",
                    expected="no --by and no --unit", remedy="choose other metrics")  # fmt: skip
    apart = protocol.change(scope="document")
    with opened(key, response, apart, Problems("skip"), options) as (engine, _, _):
        engine.count(protocol.singletons != "drop")
        within: Floats = sums(SUMS["pairwise"], engine.shapes(), VARIANTS[protocol.twinless]).sum(axis=0)
    return within


def _trace(
    shapes: Shapes, request: Request, fields: Mapping[str, tuple[str, ...]], notes: list[str], groups: Any
) -> SumsOnly:
    return SumsOnly(
        (_digests(shapes.keys, shapes.units), _digests(shapes.responses, shapes.units)), fields,
        reason="tables have no texts, and their entities are counted where they are",
        remedy="see the costliest entities with: scoref errors KEY RESPONSE (scoref.analyse in Python)",
        notes=tuple(notes), groups=groups,
        counted="document" if request.home or not request.fields else "unit",
    )  # fmt: skip


def _steps(progress: Progress | None, total: int) -> Any:
    done = 0

    def step() -> None:
        nonlocal done
        done = min(done + 1, total)
        if progress:
            progress("steps done", done, total)

    return step


def _name(request: Request) -> str:
    return request.sides[0].given.name if request.sides[0].given.paths else "table"


def base(name: str) -> str:
    """The metric that a variant for system mentions is made of: `b3` of `b3-sys`."""
    derived = name.rpartition("-")[0]
    return derived if name not in SUMS and name not in WHOLES and derived in (*SUMS, *CEAF) else name


def refuse(protocol: Protocol, names: tuple[str, ...]) -> None:
    """Refuse what cannot be done on tables."""
    for choice, words in _APPLY.items():
        value = getattr(protocol, choice)
        if value not in words:
            raise Error("not-on-tables", f"{choice}:{value} cannot be done on tables", expected=" or ".join(words),
                        remedy=f"use --{choice} {words[0]}, or another format (--format)")  # fmt: skip
    unknown = [name for name in names if not is_known(name)]
    if unknown:
        known = [name for name in METRICS if is_known(name)]
        raise Error("not-on-tables", f"{', '.join(unknown)} cannot be computed from tables",
                    expected=f"some of {', '.join(known)}", remedy="choose others with --metrics")  # fmt: skip
    both = [name for name in names if _rule(name, protocol) != "as-is" and _without(name, protocol)]
    if both:
        raise Error(
            "not-on-tables", f"on tables, {', '.join(both)} cannot leave out singletons (singletons:"
            f"{protocol.singletons}) and treat twinless mentions, both",
            expected="--twinless as-is, or --singletons keep", remedy="choose one of them, or other metrics",
        )  # fmt: skip


def is_known(name: str) -> bool:
    """Whether a metric can be computed from tables."""
    return base(name) in (*SUMS, *WHOLES, *CEAF, *MAJOR, *BORDERS)


def _rule(name: str, protocol: Protocol) -> str:
    """What happens to twinless mentions."""
    return METRICS[name].twinless or protocol.twinless


def _without(name: str, protocol: Protocol) -> Variant | None:
    """What happens to singletons, where that is said for this kind of metric."""
    return SINGLETONS[protocol.singletons].get(METRICS[name].kind)


def scored_documents(
    engine: Engine, request: Request, shapes: Shapes, units: Units, protocol: Protocol, problems: Problems
) -> tuple[Integers, Mapping[str, tuple[str, ...]]]:
    """The place of each unit among those that are scored, those of the key, and what fields say of these."""
    if not request.home:
        if protocol.average not in ("micro", "datasets") and request.fields:
            raise Error("no-documents", "a mean over documents needs documents", expected="--average micro",
                        remedy="name the column of documents: --columns document=NAME")  # fmt: skip
        if not request.fields:  # one unit, even if nothing is left in it
            return np.zeros(1, np.int64), {}
        used = _used(shapes.keys, shapes.units) | _used(shapes.responses, shapes.units)
        each = [units.names[number].split(SEPARATOR) for number in np.flatnonzero(used)]
        fields = {field: tuple(values[number] or NONE for values in each)
                  for number, field in enumerate(request.fields)}  # fmt: skip
        return np.where(used, np.cumsum(used) - 1, -1), fields
    said = engine.fields() if request.fields else {}
    for field, values in said.items():
        for name, (low, high) in zip(units.names, values, strict=True):
            if low != high:
                raise Error("several-values", f"a document with several values of {field}: {low} and {high}",
                            document=name, expected="one value for each document",
                            remedy="score with --scope corpus, where mentions have fields")  # fmt: skip
    lacking, extra = np.flatnonzero(units.ours & ~units.theirs), np.flatnonzero(~units.ours)
    where = request.sides[1].given.name
    if len(lacking):
        problems.add(Problem("missing-document", f"the response lacks {len(lacking)} of the documents", where,
                             document=units.names[lacking[0]], fatal=False,
                             remedy="nothing, if it is meant: their response counts as empty"))  # fmt: skip
    if len(extra):
        problems.add(Problem("extra-document", f"{len(extra)} documents that the key does not have", where,
                             document=units.names[extra[0]], expected="only documents of the key",
                             remedy="remove them, or leave them out with --on-problem skip",
                             fatal=protocol.extra == "refuse"))  # fmt: skip
    kept = np.flatnonzero(units.ours).tolist()
    place = np.where(units.ours, np.cumsum(units.ours) - 1, -1)
    return place, {field: tuple(values[number][0] for number in kept) for field, values in said.items()}


def _used(sizes: Sizes, units: int) -> NDArray[np.bool_]:
    """Which units have entities of one side."""
    found: NDArray[np.bool_] = np.bincount(sizes.unit, minlength=units) > 0
    return found


def _moved(shapes: Shapes, place: Integers, units: int) -> Shapes:
    """The shapes with other numbers of units; units whose place is below 0 have responses only, and are left out."""
    responses = shapes.responses.only(place[shapes.responses.unit] >= 0)
    return Shapes(
        shapes.cells._replace(unit=place[shapes.cells.unit]),
        shapes.keys._replace(unit=place[shapes.keys.unit]),
        responses._replace(unit=place[responses.unit]),
        units,
        shapes.whole,
    )


class _Counts:
    """The counts of metrics, each assignment made once."""

    def __init__(self, engine: Engine, shapes: Shapes, place: Integers, protocol: Protocol, problems: Problems) -> None:
        self._engine, self.shapes, self._protocol, self._problems = engine, shapes, protocol, problems
        self._place = place
        self._made: dict[Weights, Assigned] = {}
        self.within: Floats | None = None  # links within documents, if some are across

    def of(self, name: str) -> Floats:
        """The counts [units, 4] of a metric."""
        kind, protocol = base(name), self._protocol
        if kind in WHOLES:
            return whole_sums(WHOLES[kind], self.shapes)
        if kind in MAJOR:
            chosen = self._assigned(Weights("ceafe", least_key=protocol.frequent)).cells
            return major_sums(MAJOR[kind], self.shapes, chosen, protocol.frequent)
        if kind in CEAF:
            return self._ceaf(name, kind)
        variant = _without(name, protocol) or VARIANTS[_rule(name, protocol)]
        if kind not in BORDERS:
            return sums(SUMS[kind], self.shapes, variant)
        whole = sums(SUMS["pairwise"], self.shapes, variant)
        within = whole if self.within is None else self.within[None]
        return within if kind == "links-within" else whole - within

    def _assigned(self, weights: Weights) -> Assigned:
        if weights not in self._made:
            cells, bound = self._engine.assigned(weights)
            self._made[weights] = Assigned(cells._replace(unit=self._place[cells.unit]), bound)
        return self._made[weights]

    def _ceaf(self, name: str, kind: str) -> Floats:
        shapes, twinless = self.shapes, _rule(name, self._protocol)
        offered = without_twinless_singletons(shapes) if twinless in ("rn-all", "sys", "conll-2011") else shapes
        without = _without(name, self._protocol)
        recall, precision = (without or VARIANTS[twinless])(shapes)
        wanted = (Weights(kind, least_response=2),) * 2 if without else directions(kind, twinless)
        columns = []
        for weights, sizes in zip(wanted, (recall.keys, precision.responses), strict=True):
            cells, bound = self._assigned(weights)
            total = shapes.per_unit(cells.unit, cells.number * weights.cells(cells)) + weights.options(offered)
            whole = shapes.per_unit(sizes.unit, sizes.number * (sizes.size if kind == "ceafm" else 1.0))
            columns += [total, whole]
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
        """The counts of entities by their sizes: key entities for recall, response entities for precision."""
        found: dict[str, dict[str, Floats]] = {}
        for name in names:
            if not self._by_entity(name):
                continue
            for side, shapes in enumerate((self.shapes, self.shapes.transposed)):
                for label, values in self._size_groups(name, shapes, side).items():
                    counts = found.setdefault(label, {}).setdefault(name, np.zeros(4))
                    counts[2 * side : 2 * side + 2] += values
        for each in found.values():
            each |= {name: np.zeros(4) for name in names if name not in each and base(name) in (*SUMS, *CEAF)}
        order = {bucket("size", bound): number for number, bound in enumerate(BUCKETS["size"])}
        return dict(sorted(found.items(), key=lambda item: order[item[0]]))

    def _by_entity(self, name: str) -> bool:
        """Whether entities count in a metric as they are, each by itself."""
        plain = METRICS[name].twinless in (None, "as-is") and not _without(name, self._protocol)
        return plain and base(name) in (*SUMS, *CEAF)

    def _size_groups(self, name: str, shapes: Shapes, side: int) -> dict[str, Floats]:
        bounds = np.array(BUCKETS["size"])
        keys = shapes.keys
        if name in CEAF:
            weights = directions(name, "as-is")[0]
            cells = self._assigned(weights).cells
            counted = Counted(weights.cells(cells), keys.size if name == "ceafm" else np.ones_like(keys.size))
            size = (cells.k, cells.r)[side]
        else:
            counted, cells = SUMS[name](shapes), shapes.cells
            size = cells.k
        tops = np.bincount(np.searchsorted(bounds, size, "right"), cells.number * counted.found, len(bounds) + 1)
        bottoms = np.bincount(np.searchsorted(bounds, keys.size, "right"), keys.number * counted.of, len(bounds) + 1)
        there = np.flatnonzero(np.bincount(np.searchsorted(bounds, keys.size, "right"), minlength=len(bounds) + 1))
        return {bucket("size", int(bounds[place - 1])): np.array([tops[place], bottoms[place]]) for place in there}


def _digests(sizes: Sizes, units: int) -> tuple[str, ...]:
    """A hash of the sizes of entities of each unit: where two differ, the tables do."""
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
