"""Evaluations and comparisons as text and as JSON, and the table of a paper."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from ..counting.metrics import Score
from ..document.grouping import MENTION
from ..formats import SIDES
from ..layout.grid import NOTHING, Cell, Grid, Number
from ..layout.render import Json, json_text, written
from ..problems import Error, short
from ..relations.registry import split_name
from ..results.evaluation import Evaluation
from ..results.scores import GroupScores

if TYPE_CHECKING:
    from ..statistics.beside.kinds import KindDifference
    from ..statistics.comparison import Comparison
    from ..statistics.run_comparison import RunsComparison


BREAKDOWNS = ("document", "text", "entity", "dataset", "genre", "size", "span")

_ENTITIES_SHOWN = 25
_HEADINGS = {
    "mentions": "Mentions", "muc": "MUC", "b3": "B³", "ceafe": "CEAFφ₄", "ceafm": "CEAFφ₃", "lea": "LEA",
    "blanc": "BLANC",
}  # fmt: skip
_MEANS = {"conll": "Avg. F1", "kbp": "Avg. F1"}  # papers print only the F1 of these
_USUAL = ("muc", "b3", "ceafe", "conll")


class ShownBeside(Protocol):
    """What is shown beside scores: tables, lines below them, one table for programs."""

    def grids(self) -> list[Grid]:
        """The tables."""

    def whole_grid(self) -> Grid:
        """All in one table."""

    def notes(self) -> list[str]:
        """The lines below them."""

    def to_dict(self) -> Json:
        """The same for JSON."""


def render(
    evaluation: Evaluation,
    output: str = "text",
    by: str | None = None,
    width: int | None = None,
    beside: Mapping[str, ShownBeside] | None = None,
) -> str:
    """The evaluation in one of the output formats, with a breakdown and what is `beside` it (by its key in JSON)."""
    beside = beside or {}
    if output == "json":
        return json_text(as_dict(evaluation, by) | {name: each.to_dict() for name, each in beside.items()})
    whole = output == "csv"  # for programs: one table, nothing left out
    if whole:
        _refuse_several(by, beside)
    if by is None and evaluation.protocol.averaging.average == "datasets" and len(set(evaluation.datasets)) > 1:
        by = "dataset"
    details: list[Grid] = []
    notes: list[str] = []
    if by == "entity":
        details = [_entities(evaluation, whole)]
    elif by:
        groups = _groups(evaluation, by)
        details = [_long(evaluation, groups) if whole else groups.grid()]
        notes = groups.notes()
    notes += [note for each in beside.values() for note in each.notes()]
    if whole:
        grids = [each.whole_grid() for each in beside.values()] or details or [evaluation.grid()]
    else:
        grids = [*evaluation.grids(), *details, *(grid for each in beside.values() for grid in each.grids())]
    return written(grids, [*notes, *evaluation.notes()], output, width)


def _refuse_several(by: str | None, beside: Collection[str]) -> None:
    """Refuse a breakdown with something beside it, or two such things, where there is only one table."""
    if len(beside) + bool(by) > 1:
        asked = [*([f"a breakdown by {by}"] if by else []), *beside]
        raise Error("one-table", f"CSV is one table, and {len(asked)} are asked for: {', '.join(asked)}",
                    expected="one of them", remedy="ask for one at a time, or use --output json")  # fmt: skip


def _groups(evaluation: Evaluation, by: str) -> GroupScores:
    """The breakdown by a field; of mentions, with intervals if the evaluation has some."""
    if not by.startswith(MENTION) or not evaluation.intervals:
        return evaluation.by(by)
    from ..statistics.samples import with_intervals

    how = evaluation.intervals.resampling
    return with_intervals(evaluation.by_mention(by.removeprefix(MENTION)), how.trials, how.seed, how.unit)


def render_comparison(
    comparison: Comparison, output: str = "text", by: str | None = None, width: int | None = None
) -> str:
    """The comparison in one of the output formats, with a breakdown if one is asked for."""
    if output == "json":
        result = comparison.to_dict()
        if by:
            groups = {name: system.by(by) for name, system in comparison.systems.items()}
            result["by"] = {by: {name: each.to_dict() for name, each in groups.items()}}
        if by and by.startswith(MENTION):
            result["by_differences"] = {by: _nested(comparison.kind_differences(by))}
        return json_text(result)
    if output == "csv":
        own = {name: found for name, each in comparison.beside.items() if (found := each.whole_grid())}
        _refuse_several(by, own)
        return written(
            [_by(comparison, by)] if by else [*own.values()] or [comparison.tests_grid(whole=True)], [], output
        )
    grids = [*comparison.grids(), *([comparison.by(by)] if by else [])]
    for setting, other in comparison.settings.items():
        both = other.scores_grid(), other.tests_grid()
        grids += [grid._replace(title=f"{setting}: {grid.title}".removesuffix(": ")) for grid in both]
    return written(grids, comparison.notes(), output, width)


def _nested(found: Mapping[tuple[str, str], KindDifference]) -> Json:
    """By kind, then by metric."""
    nested: dict[str, Json] = {}
    for (kind, metric), each in found.items():
        nested.setdefault(kind, {})[metric] = each.to_dict()
    return nested


def render_runs(
    comparison: RunsComparison, output: str = "text", by: str | None = None, width: int | None = None
) -> str:
    """The comparison of systems with several runs in one of the output formats, with a breakdown if asked for."""
    if output == "json":
        result = comparison.to_dict()
        if by:
            groups = {name: [run.by(by) for run in runs] for name, runs in comparison.systems.items()}
            result["by"] = {by: {name: [run.to_dict() for run in runs] for name, runs in groups.items()}}
        return json_text(result)
    if output == "csv":
        own = {name: found for name, each in comparison.beside.items() if (found := each.whole_grid())}
        _refuse_several(by, own)
        whole = comparison.tests_grid(whole=True) if comparison.tests else comparison.means_grid(named=True)
        return written([comparison.by(by)] if by else [*own.values()] or [whole], [], output)
    grids = [*comparison.grids(), *([comparison.by(by)] if by else [])]
    for setting, other in comparison.settings.items():
        grids += [each._replace(title=f"{setting}: {each.title}".removesuffix(": ")) for each in other.grids()]
    return written(grids, comparison.notes(), output, width)


def _by(comparison: Comparison, by: str) -> Grid:
    """The breakdown of a comparison for programs; if input of a system was skipped, a row says what."""
    found = comparison.by(by)
    said = [("", "left out", *(each.left_out for each in comparison.systems.values()))] * comparison.skipped
    return found._replace(rows=[*said, *found.rows])


def render_paper(comparison: Comparison, output: str = "text", asked: bool = False, width: int | None = None) -> str:
    """The comparison as the table of a paper, of the metrics that were asked for or of those that papers print."""
    each = {"": comparison, **comparison.settings}
    grids = [paper(one, asked)._replace(title=name) for name, one in each.items()]
    lines = [] if output == "latex" else caption(comparison, bold=output == "markdown")
    return written(grids, lines, output, width)


def as_dict(evaluation: Evaluation, by: str | None = None) -> Json:
    """The evaluation for JSON, with a breakdown if one is asked for."""
    result = evaluation.to_dict()
    if by == "document":
        result["documents_scores"] = evaluation.by_document().to_dict()
    elif by and by != "entity":
        groups = _groups(evaluation, by)
        result["by"] = {by: groups.to_dict()}
        result["notes"] += groups.notes()
    elif by:
        result["entities"] = [{**each._asdict(), "entity": str(each.entity)} for each in evaluation.by_entity()]
    return result


def _long(evaluation: Evaluation, groups: GroupScores) -> Grid:
    """The scores of the whole and of all groups for programs."""
    header, rows = groups.rows()
    totals: list[tuple[Cell, ...]] = []
    for metric, score in evaluation.scores.items():
        cells: dict[str, Cell] = dict(zip(Score._fields, score, strict=True))
        if metric in evaluation.undefined:
            cells = dict.fromkeys(cells, NOTHING)
        known = evaluation.totals.get(metric)
        cells |= dict(zip(SIDES, () if known is None else known[1::2].tolist(), strict=False))
        ends = evaluation.intervals.scores.get(metric) if evaluation.intervals else None
        for name, interval in zip(Score._fields, ends or (), strict=False):
            cells |= {f"{name} low": interval[0], f"{name} high": interval[1]}
        totals.append(("", metric, *map(cells.get, header[2:])))
    return Grid("", header, [*totals, *rows])


def _entities(evaluation: Evaluation, whole: bool) -> Grid:
    shown = evaluation.by_entity(None if whole else _ENTITIES_SHOWN)
    number = sum(len(side.name) for side in evaluation.evidence.entities)
    names = list(shown[0].counts) if shown else []
    rows: list[tuple[Cell, ...]] = [
        (entity.side, entity.document, str(entity.entity), entity.name if whole else short(entity.name, 30),
         entity.size, *(top / bottom if bottom else None for top, bottom in entity.counts.values()))
        for entity in shown
    ]  # fmt: skip
    title = f"{len(shown)} of {number} entities, the costliest first (key: recall, response: precision)"
    return Grid(title, ("side", "document", "entity", "name", "size", *names), rows)


def paper(comparison: Comparison, asked: bool = False) -> Grid:
    """The table of a comparison: the metrics that were `asked` for, else those that papers print."""
    first = next(iter(comparison.systems.values()))
    metrics = first.protocol.metrics
    if not asked:
        usual = tuple(name for name in metrics if split_name(name)[1] in _USUAL)
        metrics = usual if "conll" in usual else tuple(name for name in metrics if name != "mentions") or metrics
    groups, header = [("", 1)], ["System"]
    for metric in metrics:
        prefix, base = split_name(metric)
        alone = base in _MEANS
        groups.append((prefix.rstrip(":"), 1) if alone else (prefix + _HEADINGS.get(base, base), 3))
        header += [_MEANS[base]] if alone else ["P", "R", "F1"]
    letters = comparison.letters()
    rows: list[list[tuple[float, str]]] = []
    for name, each in comparison.systems.items():
        rows.append([])
        for metric in metrics:
            recall, precision, f1 = each[metric] if metric not in each.undefined else (math.nan,) * 3
            rows[-1] += [] if split_name(metric)[1] in _MEANS else [(precision, ""), (recall, "")]
            rows[-1].append((f1, letters[metric][name]))
    known = [
        [round(100 * value, 2) for value, _ in column if not math.isnan(value)] for column in zip(*rows, strict=True)
    ]
    best = [max(column, default=math.nan) for column in known]
    cells: list[tuple[Cell, ...]] = [
        (name, *(NOTHING if math.isnan(value)
                 else Number(value, f"{100 * value:.2f}", mark, best=round(100 * value, 2) == most)
                 for (value, mark), most in zip(row, best, strict=True)))
        for name, row in zip(comparison.systems, rows, strict=True)
    ]  # fmt: skip
    return Grid("", tuple(header), cells, groups=tuple(groups), caption=" ".join(caption(comparison)))


def caption(comparison: Comparison, bold: bool = True) -> list[str]:
    """The sentences below the table of a paper, and the signature."""
    size = next(iter(comparison.systems.values())).size
    best = "; the best of each column is bold" if bold else ""
    note = comparison.marks_note()
    said = f"Precision (P), recall (R) and F1 in % on {size} document{'s' * (size != 1)}{best}."
    test = "; paired randomisation test" if comparison.can_tell else ""
    skipped = [f"Left out of {name}: {each.left_out}." for name, each in comparison.systems.items() if each.left_out]
    return [f"{said} {note[0].upper()}{note[1:]}{test}.", *skipped, f"scoref {comparison.signature}"]
