"""Estimates from a key whose entities were sampled: what the scores would be if the key had all entities.

Each sampled entity stands for as many entities as its weight says, one divided by the probability with which it was
drawn. For recall it counts as always. For precision its mentions stand for the mentions of the response: a cell adds
what it adds to the numerator of its response entity, and the share of that entity's denominator that its mentions have.
Response mentions that the key lacks count in the sizes of response entities only. They are surely of other entities.
"""

from __future__ import annotations

import numpy as np

from ..counting.coreference import one
from ..counting.metrics import PerEntity
from ..counting.table import Floats, Settings, Table, TableCells, TableSide
from ..problems import Error, Problems, Reporter
from ..processes import Progress
from ..protocol.metric_names import estimable
from ..protocol.protocol import Protocol
from ..relations.registry import METRICS
from ..results.evaluation import Evaluation
from ..results.sampled import correction
from ..results.sums_only import SumsOnly
from . import rows
from .engines.engine import Drawn, TableInput
from .inputs import Options
from .opening import opened

_APPLY = {"twinless": "as-is", "singletons": "keep", "average": "micro"}


def estimated(
    key: object, response: object, protocol: Protocol, problems: Problems, options: Options, progress: Progress = None
) -> Evaluation:
    """The estimated scores of two tables, the key of which has only a sample of the entities."""
    _refuse(protocol)
    with opened(key, response, protocol, problems, options) as (engine, task, notes):
        if task.fields:
            expected, remedy = "columns of mentions, entities and documents", "leave the fields out"
            raise Error("not-sampled", "fields have no estimates from a sampled key", expected=expected, remedy=remedy)
        engine.count(singletons=True)
        found = engine.sampled()
        _refuse_weights(found, task.sides[0])
        responses = engine.shapes().responses
        files, key_name = task.sides[0].given.files, task.sides[0].given.name
    whole = float(responses.number.sum()), float((responses.number * responses.size).sum())
    if not len(found.line):
        expected, remedy = "a response that has the sampled entities", "check the names of mentions"
        message = "no mention of the sampled key is in the response"
        raise Error("nothing-in-common", message, path=key_name, expected=expected, remedy=remedy)
    counts = {name: _counts(METRICS[name].on_table, found, whole, protocol) for name in protocol.metrics}
    source = SumsOnly(
        (_keys_of(found), _cells_of(found)), {},
        reason="tables have no texts, and a sampled key has only some of the entities",
        remedy="see the costliest entities with: scoref errors KEY RESPONSE, without --sampled",
        notes=(*notes, _about(found, whole[1])), counted="sampled cluster",
    )  # fmt: skip
    names = tuple(" / ".join(filter(None, each)) for each in zip(found.documents, found.entities, strict=True))
    places = (key_name if files else "table",) * len(names)
    return Evaluation(protocol, names, counts, tuple(problems.found), places, source)


def _refuse(protocol: Protocol) -> None:
    """Refuse choices and metrics that cannot be estimated."""
    for choice, value in _APPLY.items():
        if getattr(protocol, choice) != value:
            message = f"{choice}:{getattr(protocol, choice)} has no estimate from a sampled key"
            remedy = f"use --{choice} {value}, or leave out --sampled"
            raise Error("not-sampled", message, expected=f"{choice}:{value}", remedy=remedy)
    unknown = [name for name in protocol.metrics if not estimable(name)]
    if unknown:
        message = f"{', '.join(unknown)} cannot be estimated from a sampled key"
        expected = f"some of {', '.join(filter(estimable, METRICS))}"
        raise Error("not-sampled", message, expected=expected, remedy="choose others with --metrics")


def _refuse_weights(found: Drawn, side: TableInput) -> None:
    """Refuse weights that are no positive numbers, and several weights in one entity."""
    low, high = found.weight, found.highest
    bad = np.flatnonzero(~(np.isfinite(low) & (low > 0) & (low == high)) | (found.lacking > 0))
    if len(bad):
        place = int(bad[0])
        several = low[place] > 0 and not found.lacking[place] and low[place] != high[place]
        said = f"the weights {low[place]:g} and {high[place]:g}" if several else "a weight that is no number above 0"
        entity, column = found.entities[place], side.columns.weight
        report = Reporter(Problems(), side.given.name, found.documents[place] or None)
        expected = f"one number above 0 in {column} for each entity: 1 divided by the probability that it was drawn"
        remedy = "correct the column, or use --sampled uniform"
        line = _line(side, entity)
        raise report.error("bad-weight", f"an entity with {said}", line, entity, expected, remedy=remedy)


def _line(side: TableInput, entity: str) -> int | None:
    """The line of the first row of an entity, where rows have lines."""
    if side.given.kind == "pyspark":
        return None
    column = side.columns.entity
    for part in rows.parts(side.given, [column], Problems("skip")):
        for place, value in enumerate(part.columns[column].tolist()):
            if str(value) == entity:
                return int(part.lines[place])
    return None


def _counts(how: object, key: Drawn, whole: tuple[float, float], protocol: Protocol) -> Floats:
    """What each sampled entity counts, [entities, 4], with its weight, and with the correction of the estimate."""
    assert isinstance(how, PerEntity)
    number, cells = len(key.size), np.arange(len(key.line))
    settings = Settings(protocol.counting.beta, protocol.counting.frequent)
    sides = TableSide(key.size, np.arange(number)), TableSide(key.r, key.line)
    ours = Table(TableCells(key.line, cells, key.n), *sides, number, settings)
    theirs = ours.transposed
    if how.entity is one:  # the number of response entities is known
        given, of_given = how.cell(theirs), key.n * (whole[0] / whole[1])
    else:
        given, of_given = how.cell(theirs), how.entity(theirs) * key.n / key.r
    found: Floats = np.bincount(key.line, how.cell(ours), number).astype(np.float64)
    if how.over:
        found, given = found / how.over(ours), given / how.over(theirs)
    precision = (np.bincount(key.line, each, number) for each in (given, of_given))
    counts: Floats = np.stack((found, how.entity(ours), *precision), axis=1) * key.weight[:, None]
    for top in (0, 2):
        counts[:, top] *= correction(counts[:, top], counts[:, top + 1])
    return counts


def _keys_of(found: Drawn) -> tuple[str, ...]:
    """For each sampled entity its size and weight, as a text."""
    return tuple(f"{size:.0f} {weight!r}" for size, weight in zip(found.size, found.weight.tolist(), strict=True))


def _cells_of(found: Drawn) -> tuple[str, ...]:
    """For each sampled entity the sizes of its cells and of their response entities, as a text."""
    texts = [""] * len(found.size)
    for line, n, r in zip(found.line.tolist(), found.n.tolist(), found.r.tolist(), strict=True):
        texts[line] += f"{n:.0f}/{r:.0f} "
    return tuple(texts)


def _about(found: Drawn, response: float) -> str:
    total, known = found.size.sum(), found.n.sum()
    lost = f", and lacks {total - known:,.0f} of them, which count as missed" if known < total else ""
    return f"estimates from {total:,.0f} mentions of the key; the response has {response:,.0f}{lost}"
