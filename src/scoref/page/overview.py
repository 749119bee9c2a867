"""The data of the overview: scores, errors by kind, documents, breakdowns, comparisons."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors.nuggets import STATUSES
from ..explanation.explain import tools_grid
from ..layout import grid
from ..layout.render import Json
from ..results.evaluation import Evaluation
from ..statistics.comparison import Comparison, Difference
from .corpus_tables import entity_homes, first_tangles
from .findings import Findings, ruler

_MANY = 1000  # with more documents, the numbers of other tools are left to `scoref explain`


def overview_of(
    systems: Mapping[str, Evaluation],
    found: Sequence[Findings],
    comparison: Comparison | None,
    tables: Sequence[Json],
) -> Json:
    """All that is shown before a document is opened, except the list of documents; `tables` are those of errors."""
    first = next(iter(systems.values()))
    metric = found[0].analysis.metric or first.protocol.metrics[0]
    return {
        "key": _key_name(first),
        "metric": metric,
        "ruler": ruler(first),
        "kinds": found[0].kinds,
        "nuggets": bool(first.nuggets()),
        "systems": [
            _system(name, each, findings, metric, table)
            for (name, each), findings, table in zip(systems.items(), found, tables, strict=True)
        ],
        "comparison": _comparison(comparison) if comparison else None,
    }


def name_annotators(systems: list[Json], first: str) -> str:
    """Put the names of annotators for key and response into the titles of breakdowns; give the title of the page."""
    for system in systems:
        for view in system["views"]:
            title = re.sub(r"\bkey\b", lambda _: first, view["title"])
            view["title"] = title.replace("response", system["name"])
    return ", ".join([first, *(system["name"] for system in systems)])


def _key_name(evaluation: Evaluation) -> str:
    """The file of the key, or the folder of its files."""
    sources = {document.source for document, _, _ in evaluation.evidence.aligned if document.source}
    if not sources:
        return ""
    try:
        return os.path.basename(os.path.commonpath(sources)) or "key"
    except ValueError:  # on several drives, or some relative
        return os.path.basename(min(sources))


def _system(name: str, evaluation: Evaluation, found: Findings, metric: str, table: Json) -> Json:
    counts = [Counter(mistake.kind for mistake in mistakes) for mistakes in found.mistakes]
    total = Counter(mistake.kind for mistakes in found.mistakes for mistake in mistakes)
    gains = {kind: (cost.alone.get(metric), cost.together.get(metric)) for kind, cost in found.costs.items()}
    intervals = evaluation.intervals
    return {
        "name": name,
        "scores": [[metric, *map(_rounded, score)] for metric, score in evaluation.scores.items()],
        "intervals": (
            {name: [[_rounded(end) for end in ends] for ends in each] for name, each in intervals.scores.items()}
            if intervals and intervals.scores
            else None
        ),
        "settings": [
            [name, {metric: _rounded(score.f1) for metric, score in each.scores.items()}]
            for name, each in evaluation.settings.items()
        ],
        "notes": [note for note in evaluation.notes() if not note.startswith("signature ")],
        "problems": evaluation.problem_notes(),
        "signature": evaluation.signature,
        "errors": [[kind, total[kind], *gains.get(kind, (None, None))] for kind in found.kinds],
        "reasons": [reason for cost in found.costs.values() if (reason := cost.reason(metric))],
        "tangles": first_tangles(found),
        "tangled": len(found.tangle_costs),
        "found": sum(row.status == STATUSES[0] for row in found.analysis.nuggets),
        "homes": entity_homes(found) if found.shared else None,
        "tools": _tools(evaluation),
        "views": [_grid(_with_errors(view, table)) for view in found.analysis.views()],
        "documents": [
            [f1, len(pair[1].mentions), *(count[kind] for kind in found.kinds)]
            for f1, pair, count in zip(
                _by_document(evaluation, metric), evaluation.evidence.aligned, counts, strict=True
            )
        ],
    }


def _tools(evaluation: Evaluation) -> Json:
    """What other tools print; left out for many documents, where it takes longer than all else."""
    if evaluation.evidence.size > _MANY:
        note = f"Left out, as there are more than {_MANY:,} documents: scoref explain KEY RESPONSE prints it."
        return {"title": "", "header": [], "rows": [], "note": note}
    note = "What other tools print as f1 for the same files; scoref explain says why."
    return _grid(tools_grid(evaluation)) | {"note": note}


def _with_errors(view: grid.Grid, table: Json) -> grid.Grid:
    """A breakdown with a column more: how many errors of the table of errors are in each group."""
    field = view.header[0]
    if field not in table["fields"]:
        return view
    names = table["fields"][field]
    numbers = Counter(names[number] for number in table["columns"][field])
    rows = [(*row, numbers[str(row[0])]) for row in view.rows]
    return grid.Grid(view.title, (*view.header, "errors"), rows)


def _by_document(evaluation: Evaluation, metric: str) -> list[float | None]:
    """The f1 of each document; None where entities live in several documents, and where there are no mentions."""
    if len(evaluation.evidence.aligned) > len(evaluation.documents):
        return [None] * len(evaluation.evidence.aligned)
    alone = replace(evaluation, protocol=evaluation.protocol.change(metrics=(metric,)))
    scores = alone.by_document()
    empty = [not (key.mentions or response.mentions) for key, response, _ in evaluation.evidence.aligned]
    return [
        None if nothing else _rounded(scores[name][metric].f1)
        for name, nothing in zip(evaluation.documents, empty, strict=True)
    ]


def _rounded(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def _comparison(comparison: Comparison) -> Json:
    return {
        "scores": _grid(comparison.scores_grid()),
        "differences": [_difference(test, list(comparison.systems)) for test in comparison.tests],
        "notes": [note for note in comparison.notes() if not note.startswith("signature ")],
    }


def _difference(test: Difference, names: Sequence[str]) -> list[object]:
    """The metric, which systems are compared, their difference, its interval, and the p-value."""
    ends = [None if end is None else _rounded(end) for end in test.ci or (None, None)]
    return [test.metric, names.index(test.a), names.index(test.b), _rounded(test.difference), *ends, test.p_adjusted]


def _grid(table: grid.Grid) -> Json:
    """A table: of numbers the value to sort by, how it is shown, and a mark behind it."""
    shown = table.shown(lambda mark: "")
    rows = [[_cell(cell, text) for cell, text in zip(*row, strict=True)] for row in zip(table.rows, shown, strict=True)]
    return {"title": table.title, "header": list(table.header), "rows": rows}


def _cell(cell: grid.Cell, shown: str) -> str | list[object] | None:
    if cell is None or isinstance(cell, str):
        return cell
    value, mark = (cell.value, cell.mark) if isinstance(cell, grid.Number) else (cell, "")
    return [_rounded(value), shown, mark] if mark else [_rounded(value), shown]
