"""The data of a page on the whole corpus: scores, breakdowns, comparisons; tables of errors, tangles, entities."""

from __future__ import annotations

import math
import os
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors.mistakes import Entity
from ..errors.other_layers import STATUSES
from ..errors.outcomes import VIEWS
from ..explanation.explain import tools_grid
from ..layout import grid
from ..layout.render import Json
from ..results.evaluation import Evaluation
from ..statistics.comparison import Comparison
from .findings import Findings, ruler
from .losses import MANY

_FIRST = 6  # tangles in the first view
_NEAR = 200  # mentions of an entity among which those of the same document are counted
_Mention = tuple[int, int, str]  # its document, its index among the mentions of its entity there, its words


def overview_of(systems: Mapping[str, Evaluation], found: Sequence[Findings], comparison: Comparison | None) -> Json:
    """What is shown before a document is opened, without the list of documents."""
    first = next(iter(systems.values()))
    metric = headline(first, found[0])
    return {
        "key": _key_name(first),
        "metric": metric,
        "ruler": ruler(first),
        "kinds": found[0].kinds,
        "nuggets": bool(first.nuggets()),
        "systems": [
            _system(name, each, findings, metric) for (name, each), findings in zip(systems.items(), found, strict=True)
        ],
        "comparison": _comparison(comparison) if comparison else None,
    }


def headline(evaluation: Evaluation, found: Findings) -> str:
    """The metric of the one number."""
    return found.analysis.metric or evaluation.protocol.metrics[0]


def _key_name(evaluation: Evaluation) -> str:
    """The file of the key, or the folder of its files."""
    sources = {document.source for document, _, _ in evaluation.evidence.aligned if document.source}
    if not sources:
        return ""
    try:
        return os.path.basename(os.path.commonpath(sources)) or "key"
    except ValueError:  # on different drives, or relative and absolute paths
        return os.path.basename(min(sources))


def _system(name: str, evaluation: Evaluation, found: Findings, metric: str) -> Json:
    counts = found.mistakes.counts()
    gains = {kind: (cost.alone.get(metric), cost.together.get(metric)) for kind, cost in found.costs.items()}
    intervals = evaluation.intervals.scores if evaluation.intervals else {}
    documents = zip(_by_document(evaluation, metric), evaluation.evidence.aligned, counts.tolist(), strict=True)
    return {
        "name": name,
        "scores": [[metric, *map(_finite, score)] for metric, score in evaluation.scores.items()],
        "intervals": {name: [[*map(_finite, ends)] for ends in each] for name, each in intervals.items()} or None,
        "settings": [
            [name, {metric: _finite(score.f1) for metric, score in each.scores.items()}]
            for name, each in evaluation.settings.items()
        ],
        "notes": [note for note in evaluation.notes() if not note.startswith("signature ")],
        "problems": evaluation.problem_notes(),
        "left_out": evaluation.left_out,
        "signature": evaluation.signature,
        "errors": [
            [kind, number, *gains.get(kind, (None,) * 2)]
            for kind, number in zip(found.kinds, counts.sum(axis=0).tolist(), strict=True)
        ],
        "reasons": [reason for cost in found.costs.values() if (reason := cost.reason(metric))],
        "tangles": [_picture(found, place, cost) for place, cost in enumerate(found.tangle_costs[:_FIRST]) if cost > 0],
        "tangled": len(found.tangle_costs),
        "found": sum(row.kind == STATUSES[0] for row in found.analysis.nuggets),
        "homes": entity_homes(found) if found.shared else None,
        "tools": _tools(evaluation),
        "views": [_grid(_with_errors(view, found)) for view in found.analysis.views()],
        "documents": [[f1, len(pair[1].mentions), *count] for f1, pair, count in documents],
    }


def _tools(evaluation: Evaluation) -> Json:
    """What other tools print; left out for many documents, where it takes longer than all else."""
    if evaluation.evidence.size > MANY:
        note = f"Left out, as there are more than {MANY:,} documents: scoref explain KEY RESPONSE prints it."
        return {"title": "", "header": [], "rows": [], "note": note}
    note = "What other tools print as f1 for the same files; scoref explain says why."
    return _grid(tools_grid(evaluation)) | {"note": note}


def _with_errors(view: grid.Grid, found: Findings) -> grid.Grid:
    """A breakdown with an additional column: the number of errors in each group."""
    field = view.header[0]
    if field not in VIEWS:
        return view
    of, names = _groups(found, field)
    numbers = dict(zip(names, np.bincount(of, minlength=len(names)).tolist(), strict=True))
    rows = [(*row, numbers.get(str(row[0]), 0)) for row in view.rows]
    return grid.Grid(view.title, (*view.header, "errors"), rows)


def _by_document(evaluation: Evaluation, metric: str) -> list[float | None]:
    """The f1 of each document; None if entities span documents, or if there are no mentions."""
    if len(evaluation.evidence.aligned) > len(evaluation.documents):
        return [None] * len(evaluation.evidence.aligned)
    scores = replace(evaluation, protocol=evaluation.protocol.change(metrics=(metric,))).by_document()
    some = [bool(key.mentions or response.mentions) for key, response, _ in evaluation.evidence.aligned]
    both = zip(evaluation.documents, some, strict=True)
    return [_finite(scores[name][metric].f1) if mentions else None for name, mentions in both]


def _finite(value: float | None) -> float | None:
    """A number for JSON, unrounded (the browser rounds it, and only once); None if it is not finite."""
    return value if value is not None and math.isfinite(value) else None


def _comparison(comparison: Comparison) -> Json:
    """A comparison for JSON; a test is [metric, indices of both systems, difference, interval, p-value]."""
    system = {name: number for number, name in enumerate(comparison.systems)}
    values = [(test, map(_finite, (test.difference, *(test.ci or (None, None))))) for test in comparison.tests]
    return {
        "scores": _grid(comparison.scores_grid()),
        "differences": [[test.metric, system[test.a], system[test.b], *each, test.p_adjusted] for test, each in values],
        "notes": [note for note in comparison.notes() if not note.startswith("signature ")],
    }


def _grid(table: grid.Grid) -> Json:
    """A table for JSON; a number is [value to sort by, text, mark behind it]."""
    shown = table.shown(lambda mark: "")
    rows = [[_cell(cell, text) for cell, text in zip(*row, strict=True)] for row in zip(table.rows, shown, strict=True)]
    return {"title": table.title, "header": list(table.header), "rows": rows}


def _cell(cell: grid.Cell, shown: str) -> str | list[object] | None:
    if cell is None or isinstance(cell, str):
        return cell
    value, mark = (cell.value, cell.mark) if isinstance(cell, grid.Number) else (cell, "")
    return [_finite(value), shown, mark] if mark else [_finite(value), shown]


def error_table(found: Findings, identities: dict[Hashable, int] | None) -> Json:
    """All errors of a system, as columns; an error is identified by its document and its index there.

    `identities` numbers errors, so that the same error has the same number in all systems.
    """
    mistakes = found.mistakes
    columns: dict[str, Sequence[object]] = {
        "document": mistakes.document.tolist(),
        "error": (np.arange(len(mistakes)) - mistakes.starts[mistakes.document]).tolist(),
        "kind": mistakes.kind.tolist(),
        "words": mistakes.words,
        "should": mistakes.should(),
        "tangle": _tangles(found),
    }
    fields: dict[str, list[str]] = {}
    for name in VIEWS:
        columns[name], fields[name] = _groups(found, name)
    if identities is not None:
        columns["same"] = [identities.setdefault(each, len(identities)) for each in found.identities]
    return {"columns": columns, "fields": fields, "tangles": found.tangle_costs}


def _tangles(found: Findings) -> list[int]:
    """The tangle of the first mention of each error, or -1."""
    mistakes, tangles = found.mistakes, np.full(len(found.mistakes), -1)
    for side in range(2) if found.tangle_costs else ():
        there = (mistakes.side == side) & (mistakes.rank >= 0)
        tangles[there] = found.analysis.tangles.of[side][found.twins.sides[side].entity[mistakes.rank[there]]]
    return tangles.tolist()


def _groups(found: Findings, field: str) -> tuple[list[int], list[str]]:
    """The number of the group of each mention, and the names of groups; the first, '', is for those in no group."""
    mistakes, groups = found.mistakes, np.zeros(len(found.mistakes), np.int64)
    if not found.analysis.of_coreference:
        return groups.tolist(), [""]
    outcomes = found.analysis.outcomes
    names, of = outcomes.groups(field)
    for side in range(2):
        there = (mistakes.side == side) & (mistakes.rank >= 0)
        groups[there] = 1 + of[outcomes.places(side, mistakes.rank[there])]
    return groups.tolist(), ["", *names]


# -- tangles ---------------------------------------------------------------------------------------------------------


def tangle_table(found: Findings) -> Json:
    """All tangles, the costliest first: documents, costs, and the words of an entity for the search field."""
    number = len(found.tangle_costs)
    if not number:
        return {"document": [], "cost": [], "words": []}
    tangles, twins = found.analysis.tangles, found.twins
    begins = np.full((2, number), -1)
    for side in range(2):  # the first entity of each tangle
        there = np.flatnonzero(tangles.of[side] >= 0)[::-1]
        begins[side, tangles.of[side][there]] = there
    of_response = begins[0] < 0
    document, words = np.empty(number, np.int64), np.empty(number, object)
    for side in range(2):
        there = np.flatnonzero(of_response == side)
        ranks = twins.sides[side].first[begins[side, there]]
        document[there], words[there] = twins.sides[side].document[ranks], twins.texts(side, ranks)
    return {"document": document.tolist(), "cost": found.tangle_costs, "words": words.tolist()}


def _picture(found: Findings, place: int, cost: float) -> list[object]:
    """The data of the picture of a tangle: its number, document, cost, entities of both sides, shared mentions."""
    tangle = found.analysis.tangles[place]
    partnered = {found.twins.partners[1][entity.number] for entity in tangle.responses}
    ours = [_node(each, found.hues[0][each.number] if each.number in partnered else -1) for each in tangle.keys]
    theirs = [_node(each, found.hues[1][each.number]) for each in tangle.responses]
    return [place, tangle.number, cost, ours, theirs, [list(ribbon) for ribbon in tangle.ribbons]]


def _node(entity: Entity, hue: int) -> list[object]:
    return [entity.label, hue, entity.size, entity.place.text]


# -- entities of several documents -----------------------------------------------------------------------------------


def shared_entities(found: Findings) -> list[list[list[_Mention]]]:
    """For each entity of key and response its mentions: document, place among its mentions there, words."""
    sides: list[list[list[_Mention]]] = [[[] for _ in mentions.name] for mentions in found.twins.sides]
    for side, mentions in enumerate(found.twins.sides):
        for rank, entity in enumerate(mentions.entity.tolist()):
            place, known = found.twins.place(side, rank), sides[side][entity]
            before = sum(document == place.number for document, _, _ in known[-_NEAR:])
            known.append((place.number, before, place.text))
    return sides


def entity_homes(found: Findings) -> dict[str, int]:
    """For each entity, by side and name, the first document that has it."""
    return {
        f"{side} {name}": int(mentions.document[first])
        for side, mentions in zip(("key", "response"), found.twins.sides, strict=True)
        for name, first in zip(mentions.name, mentions.first.tolist(), strict=True)
    }
